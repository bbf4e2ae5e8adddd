import EngineServer
import EngineSupervisor
import JSONRPC
import MediaEngine
import SystemIO

/// The outputs of audio servers for a worker process, which has no sockets: the process of devices plays the rings,
/// and the supervisor passes on the requests to play them.
struct RelayedOutputs: AudioOutputs {
  let rings: AudioRings
  let connection: Connection

  func open(
    device: String?, sampleRate: Int, channels: Int
  ) async throws(EngineError) -> any AudioOutput {
    guard let ring = rings.claim(channels: channels, sampleRate: sampleRate) else {
      throw .noOutput("\(AudioRings.count) players have audio already")
    }
    guard let number = ring.number else { throw .noOutput("the ring has no number") }
    connection.post(
      WorkerMessages.OpenOutput(
        ring: number, device: device, sampleRate: sampleRate, channels: channels))
    await withCheckedContinuation { continuation in
      do {
        // Connecting takes two seconds at most; a process that dies has its rings marked as gone.
        try BlockingThread.start {
          while true {
            let known = ring.change
            let clock = ring.clock
            if clock.isOpen || clock.isGone { break }
            ring.waitForChange(known)
          }
          continuation.resume()
        }
      } catch {
        continuation.resume()
      }
    }
    guard ring.clock.isOpen else {
      let error = EngineError.noOutput("there is no audio server that answers", device, ring)
      ring.giveBack()
      throw error
    }
    return RelayedOutput(ring: ring)
  }
}

/// An output that the process of devices has.
private struct RelayedOutput: AudioOutput {
  let ring: AudioRing

  func close() { ring.giveBack() }
}
