import Devices
import MediaEngine
import MediaTime
import SystemIO

/// An input of an audio server, which is opened again when the server or the device is back.
final class Microphone: CaptureSource {
  private let id: String
  private let thread = DeviceThread()

  /// The first and the maximum time between two attempts to connect to a server that is gone, in nanoseconds.
  private static let retryDelay = (first: Int64(1_000_000_000), maximum: Int64(30_000_000_000))

  init(_ id: String) { self.id = id }

  func start(
    _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
    deliver: @escaping @Sendable (CaptureArrival) -> Void
  ) async throws(EngineError) {
    let format = formats.first { $0.format.mediaType == .audio }?.format
    let (sampleRate, channels) = (format?.sampleRate ?? 48_000, format?.channels ?? 2)
    try await thread.start { [self] stop, started in
      let input: AudioServerInput
      do throws(AudioServerInput.Refusal) {
        input = try open(sampleRate, channels, stop)
      } catch {
        return started(.failure(self.error(error)))
      }
      started(.success(()))
      var bringing = input
      while let end = capture(from: bringing, sampleRate, channels, deliver) {
        deliver(end == .isGone ? .disconnected : .interrupted(.serverGone))
        guard let again = reopen(sampleRate, channels, after: end, stop, deliver) else { return }
        bringing = again
      }
    }
  }

  func stop() async { await thread.end() }

  private func open(
    _ sampleRate: Int, _ channels: Int, _ stop: DeviceStop
  ) throws(AudioServerInput.Refusal) -> AudioServerInput {
    try AudioServerInput(id, sampleRate: sampleRate, channels: channels, stop: stop)
  }

  /// Delivers samples, until the input ends.
  ///
  /// - Returns: the end; nil where the capture was stopped.
  private func capture(
    from input: AudioServerInput, _ sampleRate: Int, _ channels: Int,
    _ deliver: (CaptureArrival) -> Void
  ) -> AudioServerInput.End? {
    while true {
      switch input.next() {
      case .failure(let ended): return ended.end == .stopped ? nil : ended.end
      case .success(let piece):
        let time = Time(nanoseconds: piece.time)
        let size = piece.frames * channels * MemoryLayout<Float>.size
        guard !piece.isMissing, let block = try? HeapAllocator().allocate(count: size) else {
          deliver(
            .leftOut(piece.frames, .audio, time, piece.isMissing ? .discontinuity : .outOfBuffers))
          continue
        }
        input.copy(to: block)
        deliver(
          .sample(
            .captured(
              audio: block, frames: piece.frames, sampleRate: sampleRate, channels: channels,
              at: time), .audio))
      }
    }
  }

  /// Opens the input again as soon as it is available.
  ///
  /// - Returns: nil where the capture was stopped.
  private func reopen(
    _ sampleRate: Int, _ channels: Int, after end: AudioServerInput.End, _ stop: DeviceStop,
    _ deliver: (CaptureArrival) -> Void
  ) -> AudioServerInput? {
    var end = end
    var retryDelay = Self.retryDelay.first
    while !stop.wait(nanoseconds: retryDelay) {
      do throws(AudioServerInput.Refusal) {
        let input = try open(sampleRate, channels, stop)
        deliver(end == .isGone ? .connected : .resumed)
        return input
      } catch {
        // A restarted server may lack the device.
        if error.end == .isGone, end != .isGone { deliver(.disconnected) }
        end = error.end
        retryDelay =
          end == .isGone ? Self.retryDelay.first : min(retryDelay * 2, Self.retryDelay.maximum)
      }
    }
    return nil
  }

  private func error(_ refusal: AudioServerInput.Refusal) -> EngineError {
    if refusal.end == .isGone {
      return EngineError(
        .deviceNotConnected, "The audio server has no input '\(id)'", advice: .chooseDevice)
    }
    return EngineError(
      .mediaServicesWereReset, "'\(id)' can't be opened: \(refusal.reason)",
      advice: .startAudioServer)
  }
}
