import CDevices
import SystemIO

/// The end of what waits for a device, on any thread.
package final class DeviceStop: Sendable {
  let descriptor: Int32

  /// - Throws: `outOfMemory` where there is no descriptor left.
  package init() throws(SystemError) {
    descriptor = rw_stop_open()
    guard descriptor >= 0 else {
      throw SystemError(.outOfMemory, operation: .open, subject: "a descriptor to wait for")
    }
  }

  deinit { rw_stop_close(descriptor) }

  /// Ends all waiting for good.
  package func trigger() { rw_stop_trigger(descriptor) }

  /// Waits; blocks.
  ///
  /// - Returns: true where it was triggered.
  package func wait(nanoseconds: Int64) -> Bool {
    rw_stop_wait(descriptor, nanoseconds) != 0
  }
}

/// The system's monotonic clock.
package enum MonotonicClock {
  /// In nanoseconds.
  package static var now: Int64 { rw_monotonic() }
}
