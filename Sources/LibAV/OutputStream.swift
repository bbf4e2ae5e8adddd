internal import CLibAV

/// libav's view of an ``OutputFile``: an `AVIOContext` that writes to it and remembers failures.
@safe final class OutputStream {
  let file: OutputFile
  let interrupt: Interrupt
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  private(set) var failure: LibAVError?
  private var position: Int64 = 0
  private var readPosition: Int64 = 0
  private let flush = EarlyFlush()

  private static let bufferSize: Int32 = 256 * 1024

  init(file: OutputFile, interrupt: Interrupt) throws(LibAVError) {
    self.file = file
    self.interrupt = interrupt
    unsafe context = rw_io_alloc(
      OutputStream.bufferSize, opaque, nil,
      { unsafe OutputStream.from($0)?.write($1, $2) ?? rw_error_bug },
      { unsafe OutputStream.from($0)?.seek(to: $1, whence: $2) ?? Int64(rw_error_bug) })
    guard unsafe context != nil else { throw outOfMemory("open", file.path) }
  }

  deinit { unsafe rw_io_free(context) }

  var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> OutputStream? {
    unsafe opaque.map { unsafe Unmanaged<OutputStream>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A second context that reads what was written, for muxers that move their index to the front.
  static func reopen(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<AVIOContext>? {
    guard let stream = unsafe OutputStream.from(opaque) else { return nil }
    stream.readPosition = 0
    return unsafe rw_io_alloc(
      bufferSize, opaque, { unsafe OutputStream.from($0)?.read($1, $2) ?? rw_error_bug }, nil,
      { unsafe OutputStream.from($0)?.seekReader(to: $1, whence: $2) ?? Int64(rw_error_bug) })
  }

  private func write(_ bytes: UnsafePointer<UInt8>?, _ size: Int32) -> Int32 {
    if let failure { return failure.code.rawValue }
    guard !interrupt.isTriggered else { return rw_error_exit }
    do throws(LibAVError) {
      let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(size))
      try file.write(unsafe buffer.bytes, at: position)
      position += Int64(size)
      flush.advance(to: position, in: file)
      return size
    } catch {
      failure = error
      return error.code.rawValue
    }
  }

  private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    // Moving the index to the front ends when nothing more can be read, not when writing fails.
    if let failure { return failure.code.rawValue }
    guard !interrupt.isTriggered else { return rw_error_exit }
    do throws(LibAVError) {
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(size))
      let count = try unsafe file.read(into: buffer, at: readPosition)
      readPosition += Int64(count)
      return count > 0 ? Int32(count) : rw_error_eof
    } catch {
      failure = failure ?? error
      return error.code.rawValue
    }
  }

  private func seek(to offset: Int64, whence: Int32) -> Int64 {
    target(offset, whence, from: position).map {
      position = $0
      return $0
    } ?? sizeOrRefusal(whence)
  }

  private func seekReader(to offset: Int64, whence: Int32) -> Int64 {
    target(offset, whence, from: readPosition).map {
      readPosition = $0
      return $0
    } ?? sizeOrRefusal(whence)
  }

  private func target(_ offset: Int64, _ whence: Int32, from current: Int64) -> Int64? {
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = current
    case SEEK_END: base = file.size
    default: return nil
    }
    let (sum, overflow) = base.addingReportingOverflow(offset)
    return overflow || sum < 0 ? nil : sum
  }

  private func sizeOrRefusal(_ whence: Int32) -> Int64 {
    whence & ~AVSEEK_FORCE == AVSEEK_SIZE
      ? file.size : Int64(LibAVError.Code.invalidArgument.rawValue)
  }
}
