import Devices
import MediaEngine
import MediaTime
import SystemIO

/// A camera from its start until it is gone. One thread uses it.
final class CameraRun {
  enum End { case stopped, isGone }

  /// In nanoseconds.
  static let second = Int64(1_000_000_000)
  /// A camera that brings nothing for so long is opened again, as a session has lost it by then.
  private static let limit = 5 * second

  private let camera: CameraCapture
  private let path: String
  private let frames: CapturedFrames
  private let jpegs: CapturedJPEGs?
  private var sequence = FrameSequence()
  /// Of the newest frame, in nanoseconds.
  private var lastTime: Int64?
  /// True of one that was gone, until it brings the first frame.
  var isBack = false

  /// - Parameter path: of the device, which is looked at where nothing comes.
  init(
    _ camera: CameraCapture, at path: String, _ frames: CapturedFrames, isOfJPEGs: Bool
  ) throws(EngineError) {
    (self.camera, self.path, self.frames) = (camera, path, frames)
    jpegs = isOfJPEGs ? try CapturedJPEGs(frames, maximumSize: camera.maximumSize) : nil
  }

  private var step: Int64 { max(1, Int64((frames.duration.seconds * 1e9).rounded())) }

  /// Delivers what comes; blocks until the end.
  func deliverFrames(to deliver: (CaptureArrival) -> Void) -> End {
    // Sessions report a stall first. Some cameras that are unplugged are silent, and no more.
    let patience = max(Self.second, 10 * step) + Self.second / 4
    var (last, silence) = (MonotonicClock.now, patience)
    while true {
      switch camera.wait(nanoseconds: last + silence - MonotonicClock.now) {
      case .stopped: return .stopped
      case .isGone: return .isGone
      case .silent:
        guard silence < max(Self.limit, patience), CameraDevice.isThere(path) else {
          return .isGone
        }
        silence = min(silence + Self.second, max(Self.limit, patience))
      case .frame(let frame):
        (last, silence) = (MonotonicClock.now, patience)
        if isBack { deliver(.connected) }
        isBack = false
        take(frame, deliver)
      }
    }
  }

  private func take(_ frame: CameraCapture.Frame, _ deliver: (CaptureArrival) -> Void) {
    let lost = sequence.take(frame.sequence)
    if lost > 0 {
      // The first of them, where they were as far apart as the others.
      let before = lastTime ?? frame.time
      deliver(.leftOut(lost, .video, time(before + (frame.time - before) / Int64(lost + 1))))
    }
    lastTime = frame.time
    guard let block = pixels(of: frame) else {
      return deliver(.leftOut(1, .video, time(frame.time)))
    }
    deliver(.sample(.captured(frame: block, frames, at: time(frame.time)), .video))
  }

  /// The pixels of a frame; nil where it is damaged, or there is no memory for it. The driver gets its buffer back first.
  private func pixels(of frame: CameraCapture.Frame) -> Block? {
    if frame.size > 0, let jpegs {
      if let bytes = jpegs.allocate(count: frame.size) {
        return camera.takeBytes(into: bytes) ? jpegs.frame(of: bytes) : nil
      }
    } else if frame.size > 0, let block = frames.allocate() {
      return camera.takePixels(into: block, planes: frames.planes) ? block : nil
    }
    camera.leaveOut()
    return nil
  }

  private func time(_ nanoseconds: Int64) -> Time {
    Time(value: nanoseconds, timescale: 1_000_000_000)
  }
}
