import CDevices
import SystemIO

/// The changes of a server's devices. One thread uses it.
package protocol DeviceChanges {
  /// Waits for one since the last call, or since it was opened; blocks.
  func next() -> DeviceChange
}

/// The end of a wait for changes of devices.
package enum DeviceChange: Sendable {
  case changed
  case lostServer
  /// It was asked for.
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

/// Changes of an audio server's inputs, and of the one that is its default.
@safe package final class AudioServerChanges: DeviceChanges {
  private let watch: OpaquePointer

  /// Connects to the server; blocks for two seconds at most.
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

/// Changes of the sizes of an X server's screens.
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

/// Changes of the cameras that there are: of files in /dev, and of udev's links to them.
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
