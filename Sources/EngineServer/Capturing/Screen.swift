import Devices
import MediaEngine
import MediaTime
import SystemIO

/// A screen, which is captured at each step of a fixed rate, even without changes.
final class Screen: CaptureSource {
  private let device: CaptureDevice
  private let thread = DeviceThread()

  init(_ device: CaptureDevice) { self.device = device }

  /// The index of the screen among those of its server.
  private var number: Int { device.uniqueID.split(separator: ".").last.flatMap { Int($0) } ?? 0 }

  func start(
    _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
    deliver: @escaping @Sendable (CaptureArrival) -> Void
  ) async throws(EngineError) {
    guard let resolved = formats.first(where: { $0.format.mediaType == .video }) else { return }
    let screen = settings.screen
    try await thread.start { [self] stop, started in
      var isStarted = false
      do throws(EngineError) {
        let whole = try look()
        // The format may have changed since the screen was listed.
        if whole != device.formats.first { deliver(.changed([whole])) }
        var view = try View(number, whole, screen, resolved)
        if !view.grabber.sharesMemory {
          deliver(.noted("the X server has no MIT-SHM 1.2: pictures come over its socket"))
        }
        started(.success(()))
        isStarted = true
        var steps = Steps(view.frames.duration)
        while try run(view, &steps, stop, deliver) == .changed {
          guard let next = try change(screen, resolved, stop, deliver) else { return }
          view = next
        }
      } catch {
        if isStarted { deliver(.failed(error)) } else { started(.failure(error)) }
      }
    }
  }

  func stop() async { await thread.end() }

  // MARK: Pictures

  /// The capture of a screen of one size.
  private struct View {
    let grabber: ScreenGrabber
    let frames: CapturedFrames
    /// The scaling of frames; nil where they retain their size.
    let scaling: CapturedScaling?

    init(
      _ number: Int, _ whole: CaptureDevice.Format, _ screen: ScreenSettings,
      _ resolved: CaptureConfiguration.Resolved
    ) throws(EngineError) {
      var taken = resolved
      let area = screen.area(of: whole)
      taken.format = whole
      (taken.format.width, taken.format.height) = (area.width, area.height)
      frames = try CapturedFrames(taken)
      var scaled = taken
      scaled.format = screen.format(of: whole) ?? taken.format
      scaling =
        scaled.format == taken.format
        ? nil : CapturedScaling(from: frames, to: try CapturedFrames(scaled))
      do {
        grabber = try ScreenGrabber(
          number: number, width: whole.width ?? 0, height: whole.height ?? 0,
          area: .init(x: area.x, y: area.y, width: area.width, height: area.height),
          capturesCursor: screen.capturesCursor)
      } catch {
        throw Screen.failure("The screen", error.reason)
      }
    }
  }

  /// The times at which frames are due.
  private struct Steps {
    let start = MonotonicClock.now
    /// The duration of a step, in nanoseconds.
    let step: Int64
    var number: Int64 = 0

    init(_ duration: Time) { step = max(1, Int64((duration.seconds * 1e9).rounded())) }

    var next: Int64 { start + number * step }
  }

  private enum End { case stopped, changed }

  /// Captures frames until it is stopped, or the screen has another size.
  private func run(
    _ view: View, _ steps: inout Steps, _ stop: DeviceStop, _ deliver: (CaptureArrival) -> Void
  ) throws(EngineError) -> End {
    while true {
      // Steps in the past can't be captured any more.
      let missed = (MonotonicClock.now - steps.next) / steps.step
      if missed > 0 {
        deliver(.leftOut(Int(missed), .video, Time(nanoseconds: steps.next)))
        steps.number += missed
      }
      if stop.wait(nanoseconds: steps.next - MonotonicClock.now) { return .stopped }
      steps.number += 1
      guard let block = view.frames.allocate() else {
        deliver(.leftOut(1, .video, Time(nanoseconds: MonotonicClock.now), .outOfBuffers))
        continue
      }
      var taken: Int64 = 0
      switch view.grabber.grab(
        into: block, bytesPerRow: view.frames.planes[0].bytesPerRow, time: &taken)
      {
      case .grabbed:
        let sample =
          view.scaling.map { $0.scale(block, at: Time(nanoseconds: taken)) }
          ?? .captured(frame: block, view.frames, at: Time(nanoseconds: taken))
        deliver(
          sample.map { .sample($0, .video) }
            ?? .leftOut(1, .video, Time(nanoseconds: taken), .outOfBuffers))
      case .changed: return .changed
      case .failed: throw failure("the X server doesn't answer")
      }
    }
  }

  /// Returns the screen with its new size, as soon as the wanted part is inside it.
  ///
  /// - Returns: nil where the capture was stopped.
  private func change(
    _ screen: ScreenSettings, _ resolved: CaptureConfiguration.Resolved, _ stop: DeviceStop,
    _ deliver: (CaptureArrival) -> Void
  ) throws(EngineError) -> View? {
    let changes: ScreenChanges
    do {
      changes = try ScreenChanges(stop: stop)
    } catch {
      throw failure(error.reason)
    }
    var isGone = false
    while true {
      let whole = try look()
      deliver(.changed([whole]))
      if screen.format(of: whole) != nil, let view = try? View(number, whole, screen, resolved) {
        if isGone { deliver(.connected) }
        return view
      }
      isGone = true
      switch changes.next() {
      case .changed: continue
      case .stopped: return nil
      case .lostServer: throw failure("the X server doesn't answer")
      }
    }
  }

  /// Returns the current format of the whole screen.
  private func look() throws(EngineError) -> CaptureDevice.Format {
    do {
      let screen = try ScreenDevice.list().first { $0.number == number }
      let format = screen.flatMap { CaptureDevice($0)?.formats.first }
      if let format { return format }
    } catch {
      throw failure(error.reason)
    }
    throw failure("it isn't there any more")
  }

  private func failure(_ reason: String) -> EngineError {
    Self.failure("'\(device.uniqueID)'", reason)
  }

  private static func failure(_ screen: String, _ reason: String) -> EngineError {
    EngineError(
      .screenCaptureFailed, "\(screen) can't be captured: \(reason)", advice: .reconnectDevice)
  }
}
