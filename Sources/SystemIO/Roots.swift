internal import CSystem
internal import Glibc

/// The folders that files must lie below.
enum Roots {
  /// Opens the file at `path` below one of `roots`, decided by the kernel while it resolves the
  /// path: no symbolic link, `..` or later swap leads outside (openat2, RESOLVE_BENEATH).
  ///
  /// A relative path is resolved in each root. A kernel without openat2 (before 5.6) allows
  /// nothing.
  ///
  /// - Throws: `crossesRoot` outside all roots, errno's code for a failure inside one.
  static func open(
    _ path: String, below roots: [String], flags: Int32, operation: SystemError.Operation
  ) throws(SystemError) -> Int32 {
    try open(Array(path.utf8), path, below: roots, flags: flags, operation: operation)
  }

  /// Returns a path's bytes as a C string.
  static func name(_ bytes: some Sequence<UInt8>) -> [CChar] {
    bytes.map(CChar.init(bitPattern:)) + [0]
  }

  /// Opens a path that needn't be UTF-8, as ``open(_:below:flags:operation:)``.
  ///
  /// - Parameter path: the path in messages.
  static func open(
    _ bytes: [UInt8], _ path: String, below roots: [String], flags: Int32,
    operation: SystemError.Operation
  ) throws(SystemError) -> Int32 {
    var failure = SystemError(
      .crossesRoot, operation: operation, subject: path,
      detail: "it lies outside the allowed folders")
    for root in roots {
      let prefix = Array((root.hasSuffix("/") ? root : root + "/").utf8)
      let below = bytes.starts(with: prefix) ? bytes[prefix.count...] : bytes[...]
      let relative = bytes == Array(root.utf8) ? Array(".".utf8)[...] : below
      guard relative.first != UInt8(ascii: "/") else { continue }
      let folder = unsafe rw_open_folder(root)
      guard folder >= 0 else { continue }
      let fd = unsafe rw_open_beneath(folder, name(relative), flags)
      let number = errno
      close(folder)
      if fd >= 0 { return fd }
      if number != EXDEV {
        failure = SystemError(errno: number, operation: operation, subject: path)
      }
    }
    throw failure
  }
}
