import Devices
import MediaEngine

/// The thread that waits for changes of a server's devices, and for the server where there is none.
final class DeviceWatch: CaptureHardwareWatch {
  private let thread = DeviceThread()

  /// The first and the maximum time between two attempts to connect to a server, in nanoseconds.
  private static let retryDelay = (first: Int64(1_000_000_000), maximum: Int64(30_000_000_000))

  /// Returns when changes are reported, or when the server isn't there.
  ///
  /// - Parameter open: connects to the server; blocks.
  init?(
    _ changed: @escaping @Sendable () -> Void,
    _ open: @escaping @Sendable (DeviceStop) throws(DeviceError) -> any DeviceChanges
  ) async {
    do {
      try await thread.start { stop, started in
        var retryDelay = Self.retryDelay.first
        repeat {
          if Self.follow(open, stop, started, changed) { retryDelay = Self.retryDelay.first }
          started(.success(()))
          defer { retryDelay = min(retryDelay * 2, Self.retryDelay.maximum) }
          if stop.wait(nanoseconds: retryDelay) { return }
        } while true
      }
    } catch {
      return nil
    }
  }

  func end() async { await thread.end() }

  /// Reports changes until the server is gone, or the stop is triggered.
  ///
  /// - Returns: false where there is no server.
  private static func follow(
    _ open: (DeviceStop) throws(DeviceError) -> any DeviceChanges, _ stop: DeviceStop,
    _ started: DeviceThread.Started, _ changed: () -> Void
  ) -> Bool {
    guard let changes = try? open(stop) else { return false }
    started(.success(()))
    // The server may be another one than before.
    changed()
    while true {
      switch changes.next() {
      case .changed: changed()
      case .stopped: return true
      case .lostServer:
        changed()
        return true
      }
    }
  }
}
