import Devices
import MediaEngine
import MediaTime
import SystemIO

/// A screen, of which a picture is taken at each step of a fixed rate, whether it has changed or not.
final class Screen: CaptureSource {
  private let id: String
  private let thread = DeviceThread()

  init(_ id: String) { self.id = id }

  /// The place of the screen among those of its server.
  private var number: Int { id.split(separator: ".").last.flatMap { Int($0) } ?? 0 }

  func start(
    _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
    deliver: @escaping @Sendable (CaptureArrival) -> Void
  ) async throws(EngineError) {
    guard let resolved = formats.first(where: { $0.format.mediaType == .video }) else { return }
    let frames = try CapturedFrames(resolved)
    try await thread.start { [self] stop, started in
      let grabber: ScreenGrabber
      do throws(DeviceError) {
        grabber = try ScreenGrabber(
          number: number, width: resolved.format.width ?? 0, height: resolved.format.height ?? 0)
      } catch {
        return started(.failure(failure(error.reason)))
      }
      started(.success(()))
      run(grabber, frames, stop, deliver)
    }
  }

  func stop() async { await thread.end() }

  private func run(
    _ grabber: ScreenGrabber, _ frames: CapturedFrames, _ stop: DeviceStop,
    _ deliver: (CaptureArrival) -> Void
  ) {
    let start = MonotonicClock.now
    let step = max(1, Int64((frames.duration.seconds * 1e9).rounded()))
    var number: Int64 = 0
    var isChanged = false
    while true {
      // Steps that have gone by can't be had any more.
      let missed = (MonotonicClock.now - start) / step - number
      if missed > 0, !isChanged {
        deliver(.leftOut(Int(missed), .video, time(start + number * step)))
      }
      number += max(0, missed)
      if stop.wait(nanoseconds: start + number * step - MonotonicClock.now) { return }
      defer { number += 1 }
      guard let block = frames.allocate() else {
        deliver(.leftOut(1, .video, time(MonotonicClock.now)))
        continue
      }
      var taken: Int64 = 0
      switch grabber.grab(into: block, bytesPerRow: frames.planes[0].bytesPerRow, time: &taken) {
      case .grabbed:
        if isChanged { deliver(.connected) }
        isChanged = false
        deliver(.sample(.captured(frame: block, frames, at: time(taken)), .video))
      case .changed:
        guard !isChanged else { continue }
        isChanged = true
        // What takes its pictures has been made for those of another size.
        deliver(.changed([]))
        deliver(.disconnected)
      case .failed: return deliver(.failed(failure("the X server doesn't answer")))
      }
    }
  }

  private func time(_ nanoseconds: Int64) -> Time {
    Time(value: nanoseconds, timescale: 1_000_000_000)
  }

  private func failure(_ reason: String) -> EngineError {
    EngineError(
      .screenCaptureFailed, "'\(id)' can't be captured: \(reason)", advice: .reconnectDevice)
  }
}
