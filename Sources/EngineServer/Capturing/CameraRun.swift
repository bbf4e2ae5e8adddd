import Devices
import MediaEngine
import MediaTime
import SystemIO

/// A camera from its start until it is gone. Used by one thread.
final class CameraRun {
  enum End { case stopped, isGone }

  /// One second, in nanoseconds.
  static let second = Int64(1_000_000_000)
  /// A camera without frames for this time is reopened, because a session has lost it by then.
  private static let limit = 5 * second

  private let camera: CameraCapture
  private let path: String
  private let frames: CapturedFrames
  private let jpegs: CapturedJPEGs?
  private var sequence = FrameSequence()
  /// The time of the newest frame, in nanoseconds.
  private var lastTime: Int64?
  /// True for a camera that was gone, until its first frame.
  var isBack = false

  /// - Parameter path: the path of the device, which is checked while no frames arrive.
  init(
    _ camera: CameraCapture, at path: String, _ frames: CapturedFrames, isOfJPEGs: Bool
  ) throws(EngineError) {
    (self.camera, self.path, self.frames) = (camera, path, frames)
    jpegs = isOfJPEGs ? try CapturedJPEGs(frames, maximumSize: camera.maximumSize) : nil
  }

  private var step: Int64 { max(1, Int64((frames.duration.seconds * 1e9).rounded())) }

  /// Delivers frames as they arrive; blocks until the end.
  func deliverFrames(to deliver: (CaptureArrival) -> Void) -> End {
    // Sessions report a stall first. Some cameras that are unplugged are only silent.
    let timeout = max(Self.second, 10 * step) + Self.second / 4
    var (last, silence) = (MonotonicClock.now, timeout)
    while true {
      switch camera.wait(nanoseconds: last + silence - MonotonicClock.now) {
      case .stopped: return .stopped
      case .isGone: return .isGone
      case .silent:
        // For a camera that was started and has never delivered a frame, the session decides.
        let isNew = lastTime == nil && !isBack
        let limit = isNew ? Int64.max : max(Self.limit, timeout)
        guard silence < limit, CameraDevice.isThere(path) else { return .isGone }
        silence = min(silence + Self.second, limit)
      case .frame(let frame):
        (last, silence) = (MonotonicClock.now, timeout)
        if isBack { deliver(.connected) }
        isBack = false
        take(frame, deliver)
      }
    }
  }

  private func take(_ frame: CameraCapture.Frame, _ deliver: (CaptureArrival) -> Void) {
    let lost = sequence.take(frame.sequence)
    if lost > 0 {
      // The time of the first of them, if they were evenly spaced.
      let before = lastTime ?? frame.time
      deliver(
        .leftOut(lost, .video, Time(nanoseconds: before + (frame.time - before) / Int64(lost + 1))))
    }
    lastTime = frame.time
    switch pixels(of: frame) {
    case .success(let block):
      deliver(.sample(.captured(frame: block, frames, at: Time(nanoseconds: frame.time)), .video))
    case .failure(let dropped):
      deliver(.leftOut(1, .video, Time(nanoseconds: frame.time), dropped.reason))
    }
  }

  private struct Dropped: Error { let reason: CaptureDropReason }

  /// Returns the pixels of a frame that isn't damaged. The driver gets its buffer back first.
  private func pixels(of frame: CameraCapture.Frame) -> Result<Block, Dropped> {
    let damaged = Result<Block, Dropped>.failure(Dropped(reason: .discontinuity))
    guard frame.size > 0 else {
      camera.leaveOut()
      return damaged
    }
    let memory = if let jpegs { jpegs.allocate(count: frame.size) } else { frames.allocate() }
    guard let copy = memory else {
      camera.leaveOut()
      return .failure(Dropped(reason: .outOfBuffers))
    }
    guard let jpegs else {
      return camera.takePixels(into: copy, planes: frames.planes) ? .success(copy) : damaged
    }
    guard camera.takeBytes(into: copy) else { return damaged }
    return jpegs.frame(of: copy).map { .success($0) } ?? damaged
  }

}
