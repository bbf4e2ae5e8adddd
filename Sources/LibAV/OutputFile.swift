internal import CLibAV
internal import Glibc
internal import Synchronization

/// A file that appears under its name only when it is complete.
///
/// It is written without a name (O_TMPFILE), or under a temporary one where the file system can't,
/// in the target's folder, and given its name without replacing anything. Until ``commit()`` has
/// returned, failure, cancel and the process's death leave nothing behind.
package final class OutputFile: Sendable {
  package let path: String
  private let name: String
  private let folder: Int32
  private let descriptor: Int32
  /// Nil for a file without a name.
  private let temporaryName: String?
  private let isDone = Atomic<Bool>(false)

  /// - Throws: `exists` when something is at `path`, whatever it is; errno's code for a folder that
  ///   is missing or can't be written to.
  package init(path: String, roots: [String] = []) throws(LibAVError) {
    let (folderPath, name) = OutputFile.split(path)
    func failure(_ operation: String) -> LibAVError {
      LibAVError(.init(errno: errno), operation: operation, subject: path, log: [])
    }
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw LibAVError(
        .isDirectory, operation: "create", subject: path, detail: "the path names no file", log: [])
    }
    let folder = try OutputFile.openFolder(folderPath, below: roots)
    do throws(LibAVError) {
      try OutputFile.requireAbsent(name, in: folder, path: path)
      let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let (fd, temporary) = OutputFile.create(
        in: folder, fallback: ".\(name.prefix(100)).\(random).partial")
      guard fd >= 0 else { throw failure("create") }
      descriptor = fd
      temporaryName = temporary
    } catch {
      close(folder)
      throw error
    }
    self.path = path
    self.name = name
    self.folder = folder
  }

  deinit {
    discard()
    close(descriptor)
    close(folder)
  }

  /// Removes what was written, unless it has been committed.
  package func discard() {
    guard !isDone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if let temporaryName { _ = unsafe unlinkat(folder, temporaryName, 0) }
  }

  /// Makes the file durable and gives it its name.
  ///
  /// - Throws: `exists` when something has come to `path` meanwhile; that stays untouched.
  package func commit() throws(LibAVError) {
    guard fsync(descriptor) == 0 else {
      throw LibAVError(.init(errno: errno), operation: "flush", subject: path, log: [])
    }
    let result =
      if let temporaryName {
        unsafe rw_rename_no_replace(folder, temporaryName, name)
      } else {
        unsafe rw_link_unnamed(descriptor, folder, name)
      }
    guard result == 0 else {
      throw LibAVError(.init(errno: errno), operation: "name", subject: path, log: [])
    }
    isDone.store(true, ordering: .releasing)
    // Not all file systems can flush a folder: the name is there, only its durability is not known.
    _ = fsync(folder)
  }

  /// Takes the name away again after ``commit()``: for a file that is nothing without another one.
  ///
  /// What has come to `path` instead of this file stays untouched.
  package func retract() {
    var named = stat()
    var own = stat()
    guard unsafe fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
      unsafe fstat(descriptor, &own) == 0, named.st_ino == own.st_ino, named.st_dev == own.st_dev
    else { return }
    _ = unsafe unlinkat(folder, name, 0)
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: RawSpan, at offset: Int64) throws(LibAVError) {
    var written = 0
    while written < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written,
          off_t(offset) + written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw LibAVError(.init(errno: errno), operation: "write", subject: path, log: [])
      }
      written += count
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(LibAVError) -> Int
  {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw LibAVError(.init(errno: errno), operation: "read", subject: path, log: [])
      }
    }
  }

  package var size: Int64 {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  private static func requireAbsent(
    _ name: String, in folder: Int32, path: String
  ) throws(LibAVError) {
    var status = stat()
    guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
      throw LibAVError(.exists, operation: "create", subject: path, log: [])
    }
  }

  private static func create(in folder: Int32, fallback: String) -> (Int32, String?) {
    let mode: UInt32 = 0o666  // less the umask
    let unnamed = rw_open_unnamed(folder, mode)
    if unnamed >= 0 {
      if unsafe access("/proc/self/fd/\(unnamed)", F_OK) == 0 { return (unnamed, nil) }
      close(unnamed)
    }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    return (unsafe rw_openat(folder, fallback, flags, mode), fallback)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }

  private static func openFolder(
    _ path: String, below roots: [String]
  ) throws(LibAVError) -> Int32 {
    guard roots.isEmpty else {
      return try Roots.open(path, below: roots, flags: rw_folder_flags, operation: "open folder")
    }
    let folder = unsafe rw_open_folder(path)
    guard folder >= 0 else {
      throw LibAVError(.init(errno: errno), operation: "open folder", subject: path, log: [])
    }
    return folder
  }
}
