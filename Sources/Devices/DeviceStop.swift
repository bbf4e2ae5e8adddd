import CDevices
import SystemIO

/// A flag that ends waits for a device, on any thread.
package final class DeviceStop: Sendable {
  let descriptor: Int32

  /// - Throws: `outOfMemory` if there is no descriptor left.
  package init() throws(SystemError) {
    descriptor = rw_stop_open()
    guard descriptor >= 0 else {
      throw SystemError(.outOfMemory, operation: .open, subject: "a descriptor to wait for")
    }
  }

  deinit { rw_stop_close(descriptor) }

  /// Ends all waits for good.
  package func trigger() { rw_stop_trigger(descriptor) }

  /// Waits; blocks.
  ///
  /// - Returns: true if it was triggered.
  package func wait(nanoseconds: Int64) -> Bool {
    rw_stop_wait(descriptor, nanoseconds) != 0
  }
}

/// The system's monotonic clock.
package enum MonotonicClock {
  /// The time in nanoseconds.
  package static var now: Int64 { rw_monotonic() }
}
