import Devices
import MediaEngine
import SystemIO

/// The outputs of this machine's audio server, in this process.
struct ServerOutputs: AudioOutputs {
  func open(
    device: String?, sampleRate: Int, ring: AudioRing
  ) async throws(EngineError) -> any AudioOutput {
    // Connecting blocks.
    let opened = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<AudioServerOutput, EngineError>, Never>) in
      do {
        try BlockingThread.start {
          let result = Result { () throws(AudioServerError) in
            try AudioServerOutput(
              device: device, sampleRate: sampleRate, channels: ring.channels, ring: ring)
          }
          continuation.resume(returning: result.mapError { EngineError($0, device: device) })
        }
      } catch {
        continuation.resume(
          returning: .failure(EngineError(AudioServerError(reason: "\(error)"), device: device)))
      }
    }
    return ServerOutput(try opened.get())
  }
}

/// An output, which is closed with the last reference to it.
private final class ServerOutput: AudioOutput {
  private let output: AudioServerOutput

  init(_ output: AudioServerOutput) { self.output = output }

  func close() { output.close() }
}

extension EngineError {
  fileprivate init(_ error: AudioServerError, device: String?) {
    self.init(
      .mediaServicesWereReset, "Audio can't be played: \(error.reason)",
      hint: "Start PulseAudio or PipeWire, or write the audio to a file.")
  }
}
