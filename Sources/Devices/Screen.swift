import CDevices
import SystemIO

/// A screen of the X server that this process was started for.
package struct ScreenDevice: Sendable {
  /// The number of the server; `number` is that of its screen.
  package let display: Int
  package let number: Int
  /// The width in pixels; `height` is the height.
  package let width: Int
  package let height: Int
  /// FFmpeg's name of the pixel format; nil if the screen can't be captured.
  package let pixelFormat: String?
  /// The reason for which it can't be captured; nil if it can.
  package let refusal: String?

  package var id: String { "screen:\(display).\(number)" }

  /// Lists the screens; blocks.
  ///
  /// - Throws: the reason for which there is no list.
  package static func list() throws(DeviceError) -> [ScreenDevice] {
    var message = [CChar](repeating: 0, count: 200)
    var screens = unsafe [rw_screen_info](repeating: rw_screen_info(), count: 16)
    var count = 0
    guard unsafe rw_screen_list(&screens, screens.count, &count, &message, message.count) != 0
    else { throw DeviceError(message) }
    return unsafe screens.prefix(count).map { unsafe ScreenDevice($0) }
  }

  private init(_ info: rw_screen_info) {
    (display, number) = unsafe (Int(info.display), Int(info.number))
    (width, height) = unsafe (Int(info.width), Int(info.height))
    let reason = unsafe info.refusal.map { unsafe String(cString: $0) }
    let depth = unsafe info.depth
    refusal = reason.map { "its depth is \(depth): \($0)" }
    pixelFormat = reason == nil ? (depth == 32 ? "bgra" : "bgr0") : nil
  }
}

/// A screen whose images are captured. One thread uses it.
@safe package final class ScreenGrabber {
  package enum Outcome: Sendable {
    case grabbed
    /// The screen has another size than when it was opened.
    case changed
    case failed
  }

  private let screen: OpaquePointer

  /// A part of a screen, in pixels.
  package struct Area: Sendable {
    let area: rw_screen_area

    package init(x: Int, y: Int, width: Int, height: Int) {
      area = rw_screen_area(
        x: UInt32(clamping: x), y: UInt32(clamping: y), width: UInt32(clamping: width),
        height: UInt32(clamping: height))
    }
  }

  /// Opens a screen; blocks.
  ///
  /// - Parameters:
  ///   - width: the width of the screen.
  ///   - height: the height of the screen.
  ///   - area: the part that is captured.
  /// - Throws: the reason for which it isn't opened.
  package init(
    number: Int, width: Int, height: Int, area: Area, capturesCursor: Bool
  ) throws(DeviceError) {
    var message = [CChar](repeating: 0, count: 200)
    let opened = unsafe rw_screen_open(
      Int32(clamping: number), UInt32(clamping: width), UInt32(clamping: height), area.area,
      capturesCursor ? 1 : 0, &message, message.count)
    guard let opened = unsafe opened else { throw DeviceError(message) }
    unsafe screen = opened
  }

  /// False if the server sends images over its socket, which takes longer.
  package var sharesMemory: Bool { unsafe rw_screen_shares_memory(screen) != 0 }

  deinit { unsafe rw_screen_close(screen) }

  /// Captures an image; blocks until the server has answered.
  ///
  /// - Parameters:
  ///   - block: the target, with room for all rows.
  ///   - bytesPerRow: the distance of rows in `block`.
  ///   - time: set to the middle of the request, on the monotonic clock, in nanoseconds.
  package func grab(into block: Block, bytesPerRow: Int, time: inout Int64) -> Outcome {
    guard let base = unsafe block.mutableBytes.baseAddress else { return .failed }
    switch unsafe Int(rw_screen_grab(screen, base, bytesPerRow, &time)) {
    case RW_SCREEN_GRABBED: return .grabbed
    case RW_SCREEN_CHANGED: return .changed
    default: return .failed
    }
  }
}
