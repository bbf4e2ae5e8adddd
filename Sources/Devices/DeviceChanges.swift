import CDevices
import SystemIO

/// The changes of a server's devices. One thread uses it.
package protocol DeviceChanges {
  /// Waits for a change since the last call, or since it was opened; blocks.
  func next() -> DeviceChange
}

/// The end of a wait for changes of devices.
package enum DeviceChange: Sendable {
  case changed
  case lostServer
  /// The caller has stopped it.
  case stopped

  fileprivate init(_ state: Int32) {
    self =
      switch Int(state) {
      case RW_WATCH_STOPPED: .stopped
      case RW_WATCH_CHANGED: .changed
      default: .lostServer
      }
  }
}

/// The changes of an audio server's inputs, and of the one that is its default.
@safe package final class AudioServerChanges: DeviceChanges {
  private let watch: OpaquePointer

  /// Connects to the server; blocks for at most two seconds.
  ///
  /// - Throws: the reason for which it doesn't report changes.
  package init(stop: DeviceStop) throws(DeviceError) {
    var message = [CChar](repeating: 0, count: 200)
    let opened = unsafe rw_pulse_watch_open(stop.descriptor, &message, message.count)
    guard let opened = unsafe opened else { throw DeviceError(message) }
    unsafe watch = opened
  }

  deinit { unsafe rw_pulse_watch_close(watch) }

  package func next() -> DeviceChange { unsafe DeviceChange(rw_pulse_watch_wait(watch)) }
}

/// The changes of the sizes of an X server's screens.
@safe package final class ScreenChanges: DeviceChanges {
  private let watch: OpaquePointer
  private let stop: DeviceStop

  /// Connects to the server; blocks.
  ///
  /// - Throws: the reason for which it doesn't report changes.
  package init(stop: DeviceStop) throws(DeviceError) {
    var message = [CChar](repeating: 0, count: 200)
    let opened = unsafe rw_screen_watch_open(&message, message.count)
    guard let opened = unsafe opened else { throw DeviceError(message) }
    unsafe watch = opened
    self.stop = stop
  }

  deinit { unsafe rw_screen_watch_close(watch) }

  package func next() -> DeviceChange {
    unsafe DeviceChange(rw_screen_watch_wait(watch, stop.descriptor))
  }
}

/// The changes of the list of cameras: of files in /dev, and of udev's links to them.
@safe package final class CameraChanges: DeviceChanges {
  private let watch: OpaquePointer
  private let stop: DeviceStop

  /// - Throws: the reason for which no changes are reported.
  package init(stop: DeviceStop) throws(DeviceError) {
    var failure: Int32 = 0
    guard let opened = unsafe rw_camera_watch_open(&failure) else {
      let error = SystemError(.errno(failure), operation: .watch, subject: "/dev")
      throw DeviceError(reason: "\(error)")
    }
    unsafe watch = opened
    self.stop = stop
  }

  deinit { unsafe rw_camera_watch_close(watch) }

  package func next() -> DeviceChange {
    unsafe DeviceChange(rw_camera_watch_wait(watch, stop.descriptor))
  }
}
