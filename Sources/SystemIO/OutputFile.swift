internal import CSystem
internal import Glibc
internal import Synchronization

/// A file that appears under its name only when it is complete.
///
/// It is written without a name (O_TMPFILE), or under a temporary one if the file system can't, in
/// the target's folder or in one that its caller chooses, and gets its name without replacing
/// anything but the one file that its caller names. Until
/// ``commit(interrupt:progress:willCommit:)`` has returned, nothing remains after failure,
/// cancellation and the process's end.
package final class OutputFile: Sendable {
  package let path: String
  private let fileName: String
  private let folder: OutputFolder
  private let temporary: TemporaryFile
  /// The temporary file in the target's folder, if the bytes had to be copied there.
  private let copy = Mutex<TemporaryFile?>(nil)
  private let hasClaim = Atomic<Bool>(true)
  /// True when the temporary file is on another file system and has to be copied to its name.
  package let isOnOtherFileSystem: Bool
  /// The one file that it may replace.
  private let original: FileIdentity?

  /// - Parameters:
  ///   - original: the file that is at `path`, and that this one replaces when it is complete, with
  ///     its permissions; nil to replace nothing. It stays unchanged until then.
  ///   - temporaryFolder: the folder of the temporary file; nil for the target's folder.
  ///   - removesStale: true to remove the temporary files that killed processes have left in these
  ///     folders.
  /// - Throws: `exists` when anything is at `path`, or another output of this process is going to
  ///   be; errno's code for a folder that is missing or can't be written to.
  package init(
    path: String, replacing original: FileIdentity? = nil, roots: [String] = [],
    temporaryFolder: String? = nil, removesStale: Bool = false
  ) throws(SystemError) {
    let (folderPath, name) = OutputFile.split(path)
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw SystemError(
        .isDirectory, operation: .create, subject: path, detail: "the path names no file")
    }
    let folder = try OutputFolder(path: folderPath, below: roots)
    let other = try temporaryFolder.map { (path) throws(SystemError) in
      try OutputFolder(path: path, below: roots)
    }
    if let original {
      guard original.isRegular, FileIdentity(name, in: folder) == original else {
        throw SystemError(
          .exists, operation: .replace, subject: path, detail: "it isn't the file to be replaced")
      }
    } else if folder.holds(name) {
      let isFolder = folder.holdsFolder(name)
      throw SystemError(
        .exists, operation: .create, subject: path,
        detail: isFolder ? "there is a folder of this name" : nil,
        reason: isFolder ? .folderOfThatName : nil)
    }
    if other != nil { try folder.requireWritable() }
    guard folder.reserve(name) else {
      throw SystemError(
        .exists, operation: .create, subject: path,
        detail: "something else is being written to this path")
    }
    do throws(SystemError) {
      if removesStale {
        TemporaryFile.removeStale(in: folder)
        if let other { TemporaryFile.removeStale(in: other) }
      }
      temporary = try TemporaryFile(in: other ?? folder, for: name)
    } catch {
      folder.release(name)
      throw error
    }
    self.path = path
    self.original = original
    fileName = name
    self.folder = folder
    isOnOtherFileSystem = other.map { !folder.isLinkable(from: $0) } ?? false
  }

  deinit { discard() }

  /// Removes the file, unless it has been committed. Any thread may call this.
  package func discard() {
    temporary.discard()
    copy.withLock { $0?.discard() }
    releaseClaim()
  }

  /// Releases the claim of its name, for another output of this process.
  package func releaseClaim() {
    guard hasClaim.exchange(false, ordering: .acquiringAndReleasing) else { return }
    folder.release(fileName)
  }

  /// Makes the file durable and sets its name.
  ///
  /// - Parameters:
  ///   - interrupt: checked while bytes are copied from another file system.
  ///   - progress: called with the fraction that is copied.
  ///   - willCommit: called when only the naming remains, which can't be cancelled any more; an error
  ///     that it throws leaves the file without its name.
  /// - Throws: `exists` when something has come to `path` meanwhile; that stays untouched. `noEntry`
  ///   when the folder was moved or removed.
  package func commit(
    interrupt: Interrupt? = nil, progress: (Double) -> Void = { _ in },
    willCommit: () throws(SystemError) -> Void = {}
  ) throws(SystemError) {
    if isOnOtherFileSystem {
      try commitCopy(interrupt, progress, willCommit)
    } else {
      try temporary.flush(path)
      try folder.requireUnmoved()
      try willCommit()
      // The difference of the file systems may show only here.
      if try !publish(temporary) { try commitCopy(interrupt, progress) {} }
    }
    releaseClaim()
    // Not all file systems can flush a folder: the name is there, only its durability is unknown.
    _ = fsync(folder.descriptor)
  }

  private func commitCopy(
    _ interrupt: Interrupt?, _ progress: (Double) -> Void,
    _ willCommit: () throws(SystemError) -> Void
  ) throws(SystemError) {
    let made = try TemporaryFile(in: folder, for: fileName)
    copy.withLock { $0 = made }
    try copyBytes(to: made, interrupt, progress)
    try made.flush(path)
    try folder.requireUnmoved()
    try willCommit()
    guard try publish(made) else {
      throw SystemError(.crossesRoot, operation: .name, subject: path)
    }
    temporary.discard()
  }

  private func publish(_ file: TemporaryFile) throws(SystemError) -> Bool {
    guard let original else { return try file.link(as: fileName, in: folder) }
    return try file.replace(original, as: fileName, in: folder)
  }

  private func copyBytes(
    to target: TemporaryFile, _ interrupt: Interrupt?, _ progress: (Double) -> Void
  ) throws(SystemError) {
    let total = max(1, size)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      try interrupt?.check(.copy)
      let count = try unsafe read(into: buffer, at: offset)
      guard count > 0 else { return }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      try unsafe OutputFile.write(bytes.bytes, to: target, at: offset, of: path)
      offset += Int64(count)
      progress(Double(offset) / Double(total))
    }
  }

  /// Flushes bytes that were written after ``commit(interrupt:progress:willCommit:)``.
  package func flush() throws(SystemError) { try temporary.flush(path) }

  /// Flushes like ``flush()``, but leaves out attributes that aren't needed to read the bytes
  /// again, such as the time of the last change.
  package func flushData() throws(SystemError) {
    while fdatasync(temporary.descriptor) != 0 {
      guard errno == EINTR else {
        throw SystemError(errno: errno, operation: .flush, subject: path)
      }
    }
  }

  /// Reserves space for bytes that are going to be written; the file's size is unchanged.
  ///
  /// ``truncate(to:)`` frees the unused space. A file system that can't reserve does nothing.
  ///
  /// - Throws: `noSpace`, `quotaExceeded`.
  package func reserve(_ count: Int64, from offset: Int64) throws(SystemError) {
    guard count > 0 else { return }
    while rw_reserve(temporary.descriptor, offset, count) != 0 {
      switch errno {
      case EINTR: continue
      case ENOSPC, EDQUOT:
        throw SystemError(errno: errno, operation: .write, subject: path)
      default: return
      }
    }
  }

  /// The number of bytes that this process can still write to the file system of the file; nil if
  /// unknown.
  package var freeSpace: Int64? {
    var facts = statvfs()
    guard unsafe fstatvfs(temporary.descriptor, &facts) == 0 else { return nil }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Restricts reading and writing to the file's owner.
  package func makePrivate() throws(SystemError) {
    guard fchmod(temporary.descriptor, 0o600) == 0 else {
      throw SystemError(errno: errno, operation: .setPermissions, subject: path)
    }
  }

  /// Removes the name again after ``commit(interrupt:progress:willCommit:)``: for a file that is of
  /// no use without another one.
  ///
  /// Another file that has come to `path` stays untouched.
  package func unpublish() {
    let named = copy.withLock { $0 } ?? temporary
    if folder.holds(fileName, asFileOf: named.descriptor) { folder.remove(fileName) }
  }

  // MARK: Bytes

  /// The identity of the file that has been written.
  package var identity: FileIdentity? { FileIdentity(descriptor: temporary.descriptor) }

  /// The descriptor of the temporary file.
  var descriptor: Int32 { temporary.descriptor }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    try OutputFile.write(bytes, to: temporary, at: offset, of: path)
  }

  private static func write(
    _ bytes: RawSpan, to file: TemporaryFile, at offset: Int64, of path: String
  ) throws(SystemError) {
    var written = 0
    while written < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          file.descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written,
          off_t(offset) + written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError(errno: errno, operation: .write, subject: path)
      }
      written += count
    }
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(SystemError) {
    try write(unsafe bytes.span.bytes, at: offset)
  }

  /// Returns exactly `count` bytes from `offset` on.
  ///
  /// - Throws: `invalidData` where the file ends before.
  package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    let bytes = try unsafe readBytes(count: count, at: offset, read)
    guard bytes.count == count else {
      throw SystemError(
        .invalidData, operation: .read, subject: path,
        detail: "the file is shorter than the written bytes")
    }
    return bytes
  }

  /// Fills `buffer` from `offset` on and returns the number of bytes, 0 at the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemError) -> Int {
    while true {
      let count = unsafe pread(
        temporary.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw SystemError(errno: errno, operation: .read, subject: path)
      }
    }
  }

  /// Makes the file `size` bytes long.
  package func truncate(to size: Int64) throws(SystemError) {
    while ftruncate(temporary.descriptor, off_t(size)) != 0 {
      guard errno == EINTR else {
        throw SystemError(errno: errno, operation: .shorten, subject: path)
      }
    }
  }

  /// The size in bytes.
  package var size: Int64 {
    var status = stat()
    return unsafe fstat(temporary.descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }
}

/// The bytes that were written to an output, which need not have its name.
package final class WrittenBytes: ByteSource {
  private let file: OutputFile

  /// - Parameter file: a complete file: nothing is written to it while it is read.
  package init(_ file: OutputFile) { self.file = file }

  package var name: String { file.path }
  package var size: Int64 { file.size }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    try unsafe file.read(into: buffer, at: offset)
  }
}

extension OutputFile {
  /// A file that was committed and closed, and may have to be removed again.
  package struct Committed: Sendable {
    package let path: String
    private let device: dev_t
    private let inode: ino_t

    /// - Parameter file: an output after its commit.
    package init(_ file: OutputFile) {
      path = file.path
      var status = stat()
      let named = file.copy.withLock { $0 } ?? file.temporary
      _ = unsafe fstat(named.descriptor, &status)
      (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Removes the file; another file that has come to its path stays untouched.
    package func remove() {
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode
      else { return }
      _ = unsafe unlink(path)
    }
  }

  /// Returns true if both paths lead to one file, through any links and mounts.
  package static func isSameFile(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe stat(path, &first) == 0 && stat(other, &second) == 0
      && first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}
