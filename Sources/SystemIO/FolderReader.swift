internal import CSystem
internal import Glibc

/// The facts that distinguish a file from another one, and from its state before a write.
package struct FileFacts: Sendable, Hashable {
  package var device: Int64
  package var inode: Int64
  package var size: Int64
  /// The time of the last write, in nanoseconds since 1970 (UTC).
  package var modified: Int64
  /// The time of the last change of the file or its attributes, which no call can set.
  package var changed: Int64

  package init(device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
    device = Int64(bitPattern: UInt64(status.st_dev))
    inode = Int64(bitPattern: UInt64(status.st_ino))
    size = Int64(status.st_size)
    modified = nanoseconds(status.st_mtim)
    changed = nanoseconds(status.st_ctim)
  }
}

/// A folder whose entries are read: held open, so that the results belong together.
package final class FolderReader: Sendable {
  package struct Entry: Sendable {
    package enum Kind: Sendable { case file, folder, link, other }
    /// The name in bytes, of which not all have to be text.
    package let name: [UInt8]
    package let kind: Kind
    package let facts: FileFacts
  }

  private let descriptor: Int32
  private let path: String
  package let facts: FileFacts

  /// - Throws: errno's code for a path that is missing or no folder, `crossesRoot` outside the
  ///   roots.
  package convenience init(path: [UInt8], below roots: [String]) throws(SystemError) {
    let text = String(decoding: path, as: UTF8.self)
    if roots.isEmpty {
      let opened = unsafe rw_open_folder(Roots.name(path))
      guard opened >= 0 else {
        throw SystemError(errno: errno, operation: .openFolder, subject: text)
      }
      try self.init(opened, text)
    } else {
      try self.init(
        Roots.open(path, text, below: roots, flags: rw_folder_flags, operation: .openFolder), text
      )
    }
  }

  private init(_ descriptor: Int32, _ path: String) throws(SystemError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw SystemError(errno: number, operation: .openFolder, subject: path)
    }
    self.descriptor = descriptor
    self.path = path
    facts = FileFacts(status)
  }

  deinit { close(descriptor) }

  /// Opens a folder in this one, which is no symbolic link.
  package func folder(_ name: [UInt8]) throws(SystemError) -> FolderReader {
    let text = path + "/" + String(decoding: name, as: UTF8.self)
    let opened = unsafe rw_openat(
      descriptor, Roots.name(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
    guard opened >= 0 else {
      throw SystemError(errno: errno, operation: .openFolder, subject: text)
    }
    return try FolderReader(opened, text)
  }

  /// Returns the entries, in no order; a symbolic link is one, whatever it leads to.
  package func entries(interrupt: Interrupt) throws(SystemError) -> [Entry] {
    let copy = unsafe rw_openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else {
      let number = errno
      if copy >= 0 { close(copy) }
      throw SystemError(errno: number, operation: .listFolder, subject: path)
    }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while true {
      try interrupt.check(.listFolder)
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else {
          throw SystemError(errno: errno, operation: .listFolder, subject: path)
        }
        return entries
      }
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
        .assumingMemoryBound(to: CChar.self)
      let name = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: strlen(start)))
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      var status = stat()
      // An entry that has gone meanwhile is left out.
      guard unsafe fstatat(descriptor, start, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      entries.append(Entry(name: name, status))
    }
  }

  /// Returns the file or the folder that a path leads to, through all symbolic links.
  ///
  /// - Throws: errno's code for a path that leads nowhere, `crossesRoot` outside the roots.
  package static func target(
    of path: [UInt8], below roots: [String]
  ) throws(SystemError) -> Entry {
    let text = String(decoding: path, as: UTF8.self)
    let opened =
      roots.isEmpty
      ? unsafe rw_open(Roots.name(path), rw_path_flags, 0)
      : try Roots.open(path, text, below: roots, flags: rw_path_flags, operation: .open)
    guard opened >= 0 else { throw SystemError(errno: errno, operation: .open, subject: text) }
    defer { close(opened) }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0 else {
      throw SystemError(errno: errno, operation: .open, subject: text)
    }
    return Entry(name: Array(path.split(separator: 0x2F).last ?? []), status)
  }

  /// Removes a file in the folder; without effect if there is none of that name.
  package func remove(_ name: [UInt8]) { _ = unsafe unlinkat(descriptor, Roots.name(name), 0) }

  /// Returns the present facts of a file in the folder; nil if there is none of that name.
  package func facts(of name: [UInt8]) -> FileFacts? {
    var status = stat()
    guard unsafe fstatat(descriptor, Roots.name(name), &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return FileFacts(status)
  }
}

extension FolderReader.Entry {
  fileprivate init(name: [UInt8], _ status: stat) {
    self.name = name
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    facts = FileFacts(status)
  }
}

extension FileFacts {
  /// Creates the present facts of the file at a path; nil if there is no such file.
  ///
  /// - Parameter followsLinks: false for a file that isn't a symbolic link itself.
  package init?(path: [UInt8], followsLinks: Bool = false) {
    var status = stat()
    let result =
      followsLinks
      ? unsafe stat(Roots.name(path), &status) : unsafe lstat(Roots.name(path), &status)
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }
}

/// The clock of calendars.
package enum WallClock {
  /// The microseconds since 1970 (UTC).
  package static var microseconds: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

/// A file that one process at a time locks (flock), until it ends or releases it.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// - Returns: nil while another process holds it.
  /// - Throws: errno's code where the file can't be made.
  package init?(path: String) throws(SystemError) {
    let opened = unsafe rw_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard opened >= 0 else { throw SystemError(errno: errno, operation: .lock, subject: path) }
    descriptor = opened
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(descriptor) }
}

extension SystemError {
  /// True if the file is there, and access is denied.
  package var isDenied: Bool { code == .errno(EACCES) || code == .errno(EPERM) }
}
