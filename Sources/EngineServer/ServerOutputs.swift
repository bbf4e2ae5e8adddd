import Devices
import MediaEngine
import SystemIO

/// The outputs of this machine's audio server, in this process.
package struct ServerOutputs: AudioOutputs {
  package init() {}

  package func open(
    device: String?, sampleRate: Int, channels: Int
  ) async throws(EngineError) -> any AudioOutput {
    let ring: AudioRing
    do {
      ring = try AudioRing(channels: channels, capacity: sampleRate / 2)
    } catch {
      throw .noOutput("\(error)")
    }
    do {
      let output = try await DeviceCall.result { () throws(DeviceError) in
        try AudioServerOutput(
          device: device, sampleRate: sampleRate, channels: channels, ring: ring)
      }
      return ServerOutput(output, ring)
    } catch {
      throw .noOutput(error.reason, device, ring)
    }
  }

  /// Plays a ring of another process, on a thread of its own, until its writer ends it: for the process of devices.
  package static func play(_ ring: AudioRing, on device: String?, sampleRate: Int) {
    do {
      try BlockingThread.start {
        let output = try? AudioServerOutput(
          device: device, sampleRate: sampleRate, channels: ring.channels, ring: ring)
        if output != nil { ring.waitForEnd() }
        output?.close()
        ring.markGone()
      }
    } catch {
      ring.markGone()
    }
  }
}

/// An output of this process.
private final class ServerOutput: AudioOutput {
  let ring: AudioRing
  private let output: AudioServerOutput

  init(_ output: AudioServerOutput, _ ring: AudioRing) { (self.output, self.ring) = (output, ring) }

  func close() { output.close() }
}

extension EngineError {
  /// Returns the error of an output that isn't opened.
  ///
  /// - Parameters:
  ///   - reason: the reason from an audio server, or from this system.
  ///   - device: the ID of the output.
  ///   - ring: the ring, whose clock has the state of the output.
  package static func noOutput(
    _ reason: String, _ device: String? = nil, _ ring: AudioRing? = nil
  ) -> EngineError {
    if let device, ring?.clock.isUnknown ?? false {
      return EngineError(
        .deviceNotConnected, "The audio server has no output '\(device)'",
        advice: .listOutputs)
    }
    return EngineError(
      .mediaServicesWereReset, "Audio can't be played: \(reason)",
      advice: .startAudioServer)
  }
}
