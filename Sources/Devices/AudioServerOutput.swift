import CDevices
import Synchronization
import SystemIO

/// An output of an audio server, PulseAudio's or PipeWire's, that plays a ring.
///
/// The first use opens the server's library. It has a thread of its own.
// The pointer is used by libpulse's threads under its lock, and by this one, which closes it once.
@safe package final class AudioServerOutput: @unchecked Sendable {
  private let output: OpaquePointer
  private let ring: AudioRing
  private let isClosed = Mutex(false)

  /// Opens an output; blocks for at most two seconds.
  ///
  /// - Parameter device: the output's ID; nil for the default.
  /// - Throws: the reason for which there is none.
  package init(
    device: String?, sampleRate: Int, channels: Int, ring: AudioRing
  ) throws(DeviceError) {
    var message = [CChar](repeating: 0, count: 200)
    func open(_ name: UnsafePointer<CChar>?) -> OpaquePointer? {
      unsafe ring.withRing { memory in
        unsafe rw_pulse_output_open(
          name, UInt32(sampleRate), UInt32(channels), memory, &message, message.count)
      }
    }
    let name = device.map(AudioServerDevice.name(ofID:))
    let opened = unsafe name.map { unsafe $0.withCString { unsafe open($0) } } ?? open(nil)
    guard let opened = unsafe opened else {
      throw DeviceError(message)
    }
    unsafe output = opened
    self.ring = ring
  }

  deinit { close() }

  /// Closes the output; blocks until the server has confirmed it.
  package func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if isFirst { unsafe rw_pulse_output_close(output) }
  }
}

/// The reason for which there is no output.
package struct DeviceError: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
