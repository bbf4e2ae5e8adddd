internal import CLibAV
import SystemIO

/// The target of a muxer's bytes.
package protocol MuxerOutput: AnyObject {
  /// The path, for errors.
  var path: String { get }
  /// The size in bytes.
  var size: Int64 { get }
  func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError)
}

extension OutputFile: MuxerOutput {}

/// libav's view of a ``MuxerOutput``: an `AVIOContext` that writes to it and remembers failures.
@safe final class OutputStream {
  let target: any MuxerOutput
  let interrupt: Interrupt
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  private(set) var failure: LibAVError?
  private var position: Int64 = 0
  private let flush = EarlyFlush()

  private static let bufferSize: Int32 = 256 * 1024

  init(_ target: any MuxerOutput, interrupt: Interrupt) throws(LibAVError) {
    self.target = target
    self.interrupt = interrupt
    unsafe context = rw_io_alloc(
      OutputStream.bufferSize, opaque, nil,
      { unsafe OutputStream.from($0)?.write($1, $2) ?? rw_error_bug },
      { unsafe OutputStream.from($0)?.seek(to: $1, whence: $2) ?? Int64(rw_error_bug) })
    guard unsafe context != nil else { throw outOfMemory("open", target.path) }
  }

  deinit { unsafe rw_io_free(context) }

  private var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> OutputStream? {
    unsafe opaque.map { unsafe Unmanaged<OutputStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private func write(_ bytes: UnsafePointer<UInt8>?, _ size: Int32) -> Int32 {
    if let failure { return failure.code.rawValue }
    guard !interrupt.isTriggered else { return rw_error_exit }
    do throws(SystemError) {
      let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(size))
      try target.write(unsafe buffer.bytes, at: position)
      position += Int64(size)
      if let file = target as? OutputFile { flush.advance(to: position, in: file) }
      return size
    } catch {
      let error = LibAVError(error)
      failure = error
      return error.code.rawValue
    }
  }

  private func seek(to offset: Int64, whence: Int32) -> Int64 {
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return target.size
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = target.size
    default: return Int64(LibAVError.Code.invalidArgument.rawValue)
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return Int64(LibAVError.Code.invalidArgument.rawValue) }
    position = target
    return target
  }
}
