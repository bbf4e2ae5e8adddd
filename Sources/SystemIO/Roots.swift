internal import CSystem
internal import Glibc

/// The folders that files must lie below.
enum Roots {
  /// Opens the file at `path` below one of `roots`, decided by the kernel while it resolves the
  /// path: no symbolic link, `..` or later swap leads outside (openat2, RESOLVE_BENEATH).
  ///
  /// The kernel refuses links with absolute targets, and links from one root into another. Their target is looked up,
  /// and opened below a root by its own path, under the same rules.
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
    var links: [[UInt8]] = []
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
      if number == EXDEV {
        links.append(prefix + relative)
      } else {
        failure = SystemError(errno: number, operation: operation, subject: path)
      }
    }
    for link in links {
      switch open(targetOf: link, below: roots, flags: flags) {
      case .success(let fd)?: return fd
      case .failure(let error)?:
        failure = SystemError(errno: error.number, operation: operation, subject: path)
      case nil: break
      }
    }
    throw failure
  }

  private struct OpenError: Error {
    let number: Int32
  }

  /// Opens the file that a path leads to, by its path without links; nil outside all roots.
  private static func open(
    targetOf path: [UInt8], below roots: [String], flags: Int32
  ) -> Result<Int32, OpenError>? {
    guard let target = canonical(path) else { return nil }
    var failure: OpenError?
    for root in roots {
      guard let place = canonical(Array(root.utf8)) else { continue }
      let prefix = place.last == UInt8(ascii: "/") ? place : place + [UInt8(ascii: "/")]
      guard target == place || target.starts(with: prefix) else { continue }
      let folder = unsafe rw_open_folder(root)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      let below = target == place ? Array(".".utf8)[...] : target[prefix.count...]
      let fd = unsafe rw_open_beneath(folder, name(below), flags)
      if fd >= 0 { return .success(fd) }
      failure = OpenError(number: errno)
    }
    return failure.map(Result.failure)
  }

  /// Returns an absolute path without links; nil where it leads nowhere.
  private static func canonical(_ path: [UInt8]) -> [UInt8]? {
    guard let real = unsafe realpath(name(path), nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe UnsafeBufferPointer(start: real, count: strlen(real))
      .map(UInt8.init(bitPattern:))
  }
}
