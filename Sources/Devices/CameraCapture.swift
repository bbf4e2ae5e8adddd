import CDevices
import Glibc
import SystemIO

/// A running camera. One thread uses it.
@safe package final class CameraCapture {
  /// The reason for which a camera isn't started.
  package struct Refusal: Error {
    package enum Kind: Sendable { case inUse, isGone, refusesFormat, failed }
    package let kind: Kind
    package let reason: String
  }

  /// The end of a wait.
  package enum Outcome: Sendable {
    case frame(Frame)
    /// No frame has come in the time.
    case silent
    case stopped
    case isGone
  }

  /// A frame that the driver has filled.
  package struct Frame: Sendable {
    /// The time on the monotonic clock, in nanoseconds.
    package let time: Int64
    /// The number of the frame; each frame that is lost has one, too.
    package let sequence: UInt32
    /// The size in bytes; 0 if the frame is damaged.
    package let size: Int
  }

  private let camera: OpaquePointer

  /// Starts a camera; blocks.
  ///
  /// - Parameter code: Video4Linux's code of the format.
  package init(
    path: String, code: UInt32, width: Int, height: Int, duration: CameraDevice.Duration,
    stop: DeviceStop
  ) throws(Refusal) {
    var format = unsafe rw_camera_format()
    unsafe format.fourcc = code
    unsafe (format.width, format.height) = (UInt32(clamping: width), UInt32(clamping: height))
    let wanted = rw_camera_duration(
      numerator: UInt32(clamping: duration.numerator),
      denominator: UInt32(clamping: duration.denominator))
    var failure: Int32 = 0
    let opened = unsafe rw_camera_open(path, &format, wanted, stop.descriptor, &failure)
    guard let opened = unsafe opened else { throw Refusal(failure) }
    unsafe camera = opened
  }

  deinit { unsafe rw_camera_close(camera) }

  /// The maximum number of bytes of a frame.
  package var maximumSize: Int { unsafe rw_camera_maximum_size(camera) }

  /// Waits for the next frame, which has to be copied or left out then; blocks.
  package func wait(nanoseconds: Int64) -> Outcome {
    var frame = rw_camera_frame()
    switch unsafe Int(rw_camera_wait(camera, nanoseconds, &frame)) {
    case RW_CAMERA_HAS_FRAME:
      return .frame(Frame(time: frame.time, sequence: frame.sequence, size: frame.size))
    case RW_CAMERA_IS_SILENT: return .silent
    case RW_CAMERA_STOPPED: return .stopped
    default: return .isGone
    }
  }

  /// Copies the bytes of the frame to a block that has room for them, and returns its buffer to the driver.
  ///
  /// - Returns: false for a frame that is damaged.
  package func takeBytes(into block: Block) -> Bool {
    unsafe rw_camera_take(camera, block.base.assumingMemoryBound(to: UInt8.self), nil) != 0
  }

  /// Copies the pixels of the frame to a block that has room for them, and returns its buffer to the driver.
  ///
  /// - Returns: false for a frame that is shorter than its format.
  package func takePixels(
    into block: Block, planes: [(offset: Int, bytesPerRow: Int, height: Int)]
  ) -> Bool {
    var places = planes.map { rw_camera_plane(offset: $0.offset, row: $0.bytesPerRow) }
    // A plane without room for rows is refused.
    while places.count < 3 { places.append(rw_camera_plane(offset: 0, row: 0)) }
    return unsafe rw_camera_take(
      camera, block.base.assumingMemoryBound(to: UInt8.self), places) != 0
  }

  /// Returns the frame's buffer to the driver.
  package func leaveOut() { _ = unsafe rw_camera_take(camera, nil, nil) }
}

extension CameraCapture.Refusal {
  fileprivate init(_ number: Int32) {
    // A driver's answer, which has nothing to do with a disk.
    reason =
      number == ENOSPC
      ? "its bus has no room for another one; choose a smaller format, or another socket"
      : unsafe String(cString: strerror(number))
    kind =
      switch number {
      case EBUSY: .inUse
      case ENODEV, ENOENT, ENXIO: .isGone
      case EINVAL: .refusesFormat
      default: .failed
      }
  }
}

/// The numbers of a device's frames.
package struct FrameSequence: Sendable {
  private var last: UInt32?
  /// The maximum number of frames that can be lost between two: beyond it a driver counts in
  /// another way.
  private static let limit: Int32 = 1 << 20

  package init() {}

  /// Adds the number of the next frame.
  ///
  /// - Returns: the number of frames that are missing before it.
  package mutating func take(_ number: UInt32) -> Int {
    defer { last = number }
    guard let last else { return 0 }
    let step = Int32(bitPattern: number &- last)
    return step > 1 && step <= Self.limit ? Int(step) - 1 : 0
  }
}
