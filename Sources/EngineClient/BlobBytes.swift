import EngineProtocol
import Glibc
import JSONRPC

extension EngineClient {
  /// A blob's file or memory can't be read.
  package struct UnreadableBlob: Error, Sendable, Equatable {
    /// The path that can't be read.
    package var path: String
    /// The error of open(2) or read(2), 0 if the end came too early.
    package var errno: Int32
  }

  /// Returns the bytes of a blob of any kind; ends a lease.
  ///
  /// It blocks for as long as reading a file takes.
  package func bytes(of blob: WireBlob) throws -> [UInt8] {
    switch blob {
    case .inline(let blob): return blob.data.bytes
    case .file(let blob): return try Self.read(blob.path, blob.offset ?? 0, blob.size)
    case .shm(let blob):
      defer { try? notify(BlobRelease(leases: [blob.lease])) }
      return try Self.read(blob.path, blob.offset, blob.size)
    }
  }

  private static func read(
    _ path: String, _ offset: Int, _ size: Int
  ) throws(UnreadableBlob) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw UnreadableBlob(path: path, errno: errno) }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: size)
    var filled = 0
    while filled < size {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, size - filled,
          off_t(offset + filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw UnreadableBlob(path: path, errno: count < 0 ? errno : 0) }
      filled += count
    }
    return bytes
  }

  /// Writes to memory of the engine that was made for these bytes.
  package static func write(_ bytes: [UInt8], to blob: WireSharedBlob) throws(UnreadableBlob) {
    let descriptor = unsafe open(blob.path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw UnreadableBlob(path: blob.path, errno: errno) }
    defer { Glibc.close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written,
          off_t(blob.offset + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw UnreadableBlob(path: blob.path, errno: count < 0 ? errno : 0) }
      written += count
    }
  }
}
