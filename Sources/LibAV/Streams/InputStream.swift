internal import CLibAV
import SystemIO

/// Bytes that replace those at an offset of a file.
package struct FilePatch: Sendable, Hashable {
  package var offset: Int64
  package var bytes: [UInt8]
  var end: Int64 { offset &+ Int64(bytes.count) }

  package init(offset: Int64, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}

/// libav's view of a ``ByteSource``: an `AVIOContext` whose callbacks end in it.
///
/// Not thread-safe: it belongs to one demuxer, which is used from one thread at a time.
@safe final class InputStream {
  let source: any ByteSource
  /// The interrupt of the current user of the demuxer; read on the user's thread.
  var interrupt: Interrupt
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  /// The first failure of the source: libav tends to turn it into an end of file.
  private(set) var failure: LibAVError?
  /// True once bytes beyond the end of the source were requested: the file is cut short.
  private(set) var wasReadBeyondEnd = false
  private var position: Int64 = 0
  /// The ranges that aren't read and for which zeros stand: in order, and apart from each other.
  var unread: [Range<Int64>] = []
  /// The replacements of the source's bytes.
  var patches: [FilePatch] = [] {
    didSet { patches.sort { $0.offset < $1.offset } }
  }

  private static let bufferSize: Int32 = 64 * 1024

  init(source: any ByteSource, interrupt: Interrupt) throws(LibAVError) {
    self.source = source
    self.interrupt = interrupt
    let opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe context = rw_io_alloc(
      InputStream.bufferSize, opaque,
      { unsafe InputStream.from($0)?.fill($1, $2) ?? rw_error_bug }, nil,
      { unsafe InputStream.from($0)?.seek(to: $1, whence: $2) ?? Int64(rw_error_bug) })
    guard unsafe context != nil else { throw outOfMemory("open", source.name) }
  }

  deinit { unsafe rw_io_free(context) }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> InputStream? {
    unsafe opaque.map { unsafe Unmanaged<InputStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private func fill(_ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard !interrupt.isTriggered else { return rw_error_exit }
    do throws(SystemError) {
      var target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(size))
      if let next = unread.first(endingAfter: position) {
        if next.contains(position) {
          let count = Int(min(Int64(size), next.upperBound - position))
          unsafe target.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
          position += Int64(count)
          return Int32(count)
        }
        unsafe target = UnsafeMutableRawBufferPointer(
          rebasing: target.prefix(Int(min(Int64(size), next.lowerBound - position))))
      }
      let count = try unsafe source.read(into: target, at: position, interrupt: interrupt)
      Counters.countRead(count)
      unsafe apply(to: UnsafeMutableRawBufferPointer(rebasing: target.prefix(count)))
      position += Int64(count)
      if count == 0, position > (try source.size) { wasReadBeyondEnd = true }
      return count > 0 ? Int32(count) : rw_error_eof
    } catch {
      return remember(error).rawValue
    }
  }

  /// - Parameter bytes: the bytes at the position.
  private func apply(to bytes: UnsafeMutableRawBufferPointer) {
    guard !patches.isEmpty else { return }
    let end = position &+ Int64(bytes.count)
    var (low, high) = (0, patches.count)
    while low < high {
      let middle = (low + high) / 2
      if patches[middle].end <= position { low = middle + 1 } else { high = middle }
    }
    for patch in patches[low...].prefix(while: { $0.offset < end }) {
      for (number, byte) in patch.bytes.enumerated() {
        let place = patch.offset &+ Int64(number) &- position
        if place >= 0, place < Int64(bytes.count) { unsafe bytes[Int(place)] = byte }
      }
    }
  }

  private func seek(to offset: Int64, whence: Int32) -> Int64 {
    do throws(SystemError) {
      let size = try source.size
      let target: (Int64, overflow: Bool)
      switch whence & ~AVSEEK_FORCE {
      case AVSEEK_SIZE: return size
      case SEEK_SET: target = (offset, false)
      case SEEK_CUR: target = position.addingReportingOverflow(offset)
      case SEEK_END: target = size.addingReportingOverflow(offset)
      default: return Int64(LibAVError.Code.invalidArgument.rawValue)
      }
      guard !target.overflow, target.0 >= 0 else {
        return Int64(LibAVError.Code.invalidArgument.rawValue)
      }
      position = target.0
      return position
    } catch {
      return Int64(remember(error).rawValue)
    }
  }

  private func remember(_ error: SystemError) -> LibAVError.Code {
    let error = LibAVError(error)
    failure = failure ?? error
    return error.code
  }
}

extension [Range<Int64>] {
  /// Returns the first of the ranges, which are in order, that ends after `position`.
  fileprivate func first(endingAfter position: Int64) -> Range<Int64>? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}
