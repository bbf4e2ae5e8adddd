internal import CSystem
internal import Glibc
internal import Synchronization

/// A file that is being written: without any name (O_TMPFILE), or under a temporary one where the file
/// system doesn't support that.
///
/// A temporary name is locked for as long as its writer lives, so that the file of a killed process
/// can be distinguished from one that another process is writing: by the lock, which ends with the
/// process, and not by a process's number, which means nothing in another container or after the
/// next start.
final class TemporaryFile: Sendable {
  private let folder: OutputFolder
  let descriptor: Int32
  /// The temporary name; nil for a file without a name.
  private let temporaryName: String?
  /// True when it has its final name or is removed. The lock is held while it gets its name.
  private let hasEnded = Mutex(false)

  private static let suffix = ".reelwire-partial"

  /// - Parameter name: the final name of the file, which shows in the temporary name.
  init(in folder: OutputFolder, for name: String) throws(SystemError) {
    self.folder = folder
    if let unnamed = TemporaryFile.createUnnamed(in: folder) {
      descriptor = unnamed
      temporaryName = nil
    } else {
      (descriptor, temporaryName) = try TemporaryFile.createNamed(in: folder, for: name)
    }
  }

  deinit {
    discard()
    close(descriptor)
  }

  private static let mode: UInt32 = 0o666  // less the umask

  private static func createUnnamed(in folder: OutputFolder) -> Int32? {
    let file = rw_open_unnamed(folder.descriptor, mode)
    guard file >= 0 else { return nil }
    // Without /proc it could never get a name.
    if unsafe access("/proc/self/fd/\(file)", F_OK) == 0 { return file }
    close(file)
    return nil
  }

  private static func createNamed(
    in folder: OutputFolder, for name: String
  ) throws(SystemError) -> (Int32, String) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    while true {
      let temporary = temporaryName(for: name)
      let file = unsafe rw_openat(folder.descriptor, temporary, flags, mode)
      guard file >= 0 else {
        throw SystemError(errno: errno, operation: .createFileIn, subject: folder.path)
      }
      // On a file system without locks, no process can lock the file to remove it as stale either.
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      var status = stat()
      if unsafe fstat(file, &status) != 0 || status.st_nlink > 0 { return (file, temporary) }
      // Another process took it for a stale file before it was locked.
      close(file)
    }
  }

  /// Removes the file, unless it has its final name, and frees its space at once, also while it is
  /// still referenced. Any thread may call this.
  func discard() {
    hasEnded.withLock { hasEnded in
      guard !hasEnded else { return }
      hasEnded = true
      if let temporaryName { folder.remove(temporaryName) }
      _ = ftruncate(descriptor, 0)
    }
  }

  /// Sets the final name, replacing nothing.
  ///
  /// - Returns: false when the folder is out of reach from the file: on another file system.
  func link(as name: String, in target: OutputFolder) throws(SystemError) -> Bool {
    let number = hasEnded.withLock { hasEnded -> Int32 in
      // Removed by another thread.
      guard !hasEnded else { return ENOENT }
      let result =
        if let temporaryName {
          move(temporaryName, to: name, in: target)
        } else {
          unsafe rw_link_unnamed(descriptor, target.descriptor, name)
        }
      hasEnded = result == 0
      return result == 0 ? 0 : errno
    }
    guard number == 0 else {
      if number == EXDEV { return false }
      throw SystemError(errno: number, operation: .name, subject: "\(target.path)/\(name)")
    }
    return true
  }

  /// Replaces a file that has the name: one moment it is the old file's, the next this one's.
  ///
  /// The old file is removed once this one has its name. If it isn't `original` any more, it stays.
  ///
  /// - Returns: false when the folder is out of reach from the file: on another file system.
  /// - Throws: `exists` where the name is another file's.
  func replace(
    _ original: FileIdentity, as name: String, in target: OutputFolder
  ) throws(SystemError) -> Bool {
    // The file gets the original's owner and group, if this process may set them.
    if let own = FileIdentity(descriptor: descriptor),
      own.owner != original.owner || own.group != original.group
    {
      _ = fchown(descriptor, original.owner, original.group)
    }
    guard fchmod(descriptor, original.permissions) == 0 else {
      throw SystemError(errno: errno, operation: .setPermissions, subject: name)
    }
    // The lock distinguishes it from the file of a killed process as long as it has that name.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    let aside = try TemporaryFile.unusedName(in: target, for: name)
    guard try link(as: aside, in: target) else { return false }
    if unsafe rw_rename_exchange(target.descriptor, aside, target.descriptor, name) == 0 {
      guard FileIdentity(aside, in: target) == original else {
        // Another file has come to the name meanwhile: it gets the name back.
        _ = unsafe rw_rename_exchange(target.descriptor, aside, target.descriptor, name)
        target.remove(aside)
        throw TemporaryFile.replaced(name, in: target)
      }
      // The names must be durable before the original goes.
      _ = fsync(target.descriptor)
      target.remove(aside)
      return true
    }
    let number = errno
    // A file system that can't exchange names can rename over one; between the check and that, only
    // this process's own outputs are separated.
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(number), FileIdentity(name, in: target) == original,
      unsafe renameat(target.descriptor, aside, target.descriptor, name) == 0
    else {
      target.remove(aside)
      if number == ENOENT || FileIdentity(name, in: target) != original {
        throw TemporaryFile.replaced(name, in: target)
      }
      throw SystemError(errno: number, operation: .replace, subject: "\(target.path)/\(name)")
    }
    return true
  }

  private static func replaced(_ name: String, in folder: OutputFolder) -> SystemError {
    SystemError(
      .exists, operation: .replace, subject: "\(folder.path)/\(name)",
      detail: "it was removed or replaced by another file meanwhile")
  }

  private static func unusedName(
    in folder: OutputFolder, for name: String
  ) throws(SystemError) -> String {
    while true {
      let candidate = temporaryName(for: name)
      if !folder.holds(candidate) { return candidate }
    }
  }

  /// Returns a name that ``removeStale(in:)`` recognises.
  private static func temporaryName(for name: String) -> String {
    var start = name
    while start.utf8.count > 100 { start.removeLast() }
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return ".\(start).\(random)\(suffix)"
  }

  /// Moves the file without replacing one. Network and FUSE file systems often don't support that;
  /// a second link replaces nothing either.
  private func move(_ temporary: String, to name: String, in target: OutputFolder) -> Int32 {
    let renamed = unsafe rw_rename_no_replace(
      folder.descriptor, temporary, target.descriptor, name)
    guard renamed != 0, errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
      return renamed
    }
    guard unsafe linkat(folder.descriptor, temporary, target.descriptor, name, 0) == 0 else {
      return -1
    }
    folder.remove(temporary)
    return 0
  }

  func flush(_ subject: String) throws(SystemError) {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else {
        throw SystemError(errno: errno, operation: .flush, subject: subject)
      }
    }
  }

  // MARK: Files of killed processes

  /// Removes the temporary files of processes that ended without doing so. A file that isn't
  /// certainly one of these stays.
  static func removeStale(in folder: OutputFolder) {
    for name in names(in: folder) where name.hasPrefix(".") && name.hasSuffix(suffix) {
      let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let file = unsafe rw_openat(folder.descriptor, name, flags, 0)
      guard file >= 0 else { continue }
      var status = stat()
      let isRegular = unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      // The lock was acquired, so the writer is gone.
      if isRegular, flock(file, LOCK_EX | LOCK_NB) == 0, folder.holds(name, asFileOf: file) {
        folder.remove(name)
      }
      close(file)
    }
  }

  private static func names(in folder: OutputFolder) -> [String] {
    let readable = unsafe rw_openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard readable >= 0 else { return [] }
    guard let stream = unsafe fdopendir(readable) else {
      close(readable)
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}
