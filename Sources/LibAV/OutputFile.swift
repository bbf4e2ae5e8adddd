internal import CLibAV
internal import Glibc
internal import Synchronization

/// A file that appears under its name only when it is complete.
///
/// It is written without a name (O_TMPFILE), or under a temporary one where the file system can't,
/// in the target's folder or where its caller wants unfinished files, and given its name without
/// replacing anything. Until ``commit(interrupt:progress:willCommit:)`` has returned, failure, cancel
/// and the process's death leave nothing behind.
package final class OutputFile: Sendable {
  package let path: String
  private let fileName: String
  private let folder: OutputFolder
  private let unfinished: UnfinishedFile
  /// What was written for the target's folder, where the bytes had to be copied there.
  private let copy = Mutex<UnfinishedFile?>(nil)
  private let hasClaim = Atomic<Bool>(true)
  /// True when the unfinished file lies where it has to be copied from: on another file system.
  package let isElsewhere: Bool

  /// - Parameters:
  ///   - temporaryFolder: where the unfinished file lies; nil for the target's folder.
  ///   - sweeps: true removes what processes that were killed have left in these folders.
  /// - Throws: `exists` when something is at `path`, whatever it is, or another output of this process
  ///   is going to be; errno's code for a folder that is missing or can't be written to.
  package init(
    path: String, roots: [String] = [], temporaryFolder: String? = nil, sweeps: Bool = false
  ) throws(LibAVError) {
    let (folderPath, name) = OutputFile.split(path)
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw LibAVError(
        .isDirectory, operation: "create", subject: path, detail: "the path names no file", log: [])
    }
    let folder = try OutputFolder(path: folderPath, below: roots)
    let other = try temporaryFolder.map { (path) throws(LibAVError) in
      try OutputFolder(path: path, below: roots)
    }
    guard !folder.holds(name) else {
      throw LibAVError(
        .exists, operation: "create", subject: path,
        detail: folder.holdsFolder(name) ? "there is a folder of this name" : nil, log: [])
    }
    if other != nil { try folder.requireWritable() }
    guard folder.claim(name) else {
      throw LibAVError(
        .exists, operation: "create", subject: path,
        detail: "something else is being written to this path", log: [])
    }
    do throws(LibAVError) {
      if sweeps {
        UnfinishedFile.sweep(folder)
        if let other { UnfinishedFile.sweep(other) }
      }
      unfinished = try UnfinishedFile(in: other ?? folder, for: name)
    } catch {
      folder.giveUp(name)
      throw error
    }
    self.path = path
    fileName = name
    self.folder = folder
    isElsewhere = other.map { !folder.isLinkable(from: $0) } ?? false
  }

  deinit { discard() }

  /// Removes what was written, unless it has been committed. Any thread may call this.
  package func discard() {
    unfinished.discard()
    copy.withLock { $0?.discard() }
    giveUpClaim()
  }

  private func giveUpClaim() {
    guard hasClaim.exchange(false, ordering: .acquiringAndReleasing) else { return }
    folder.giveUp(fileName)
  }

  /// Makes the file durable and gives it its name.
  ///
  /// - Parameters:
  ///   - interrupt: looked at while bytes are copied from another file system.
  ///   - progress: called with the part that is copied.
  ///   - willCommit: called when all is done but the naming, which nothing ends any more; what it throws
  ///     leaves the file without its name.
  /// - Throws: `exists` when something has come to `path` meanwhile; that stays untouched. `noEntry`
  ///   when the folder was moved or removed.
  package func commit(
    interrupt: Interrupt? = nil, progress: (Double) -> Void = { _ in },
    willCommit: () throws(LibAVError) -> Void = {}
  ) throws(LibAVError) {
    if isElsewhere {
      try commitCopy(interrupt, progress, willCommit)
    } else {
      try unfinished.flush(path)
      try folder.requireUnmoved()
      try willCommit()
      // Where it couldn't be told before that there is no way from here to there.
      if try !unfinished.link(as: fileName, in: folder) { try commitCopy(interrupt, progress) {} }
    }
    giveUpClaim()
    // Not all file systems can flush a folder: the name is there, only its durability is not known.
    _ = fsync(folder.descriptor)
  }

  private func commitCopy(
    _ interrupt: Interrupt?, _ progress: (Double) -> Void,
    _ willCommit: () throws(LibAVError) -> Void
  ) throws(LibAVError) {
    let made = try UnfinishedFile(in: folder, for: fileName)
    copy.withLock { $0 = made }
    try copyBytes(to: made, interrupt, progress)
    try made.flush(path)
    try folder.requireUnmoved()
    try willCommit()
    guard try made.link(as: fileName, in: folder) else {
      throw LibAVError(.init(errno: EXDEV), operation: "name", subject: path, log: [])
    }
    unfinished.discard()
  }

  private func copyBytes(
    to target: UnfinishedFile, _ interrupt: Interrupt?, _ progress: (Double) -> Void
  ) throws(LibAVError) {
    let total = max(1, size)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      try interrupt?.check("copy")
      let count = try unsafe read(into: buffer, at: offset)
      guard count > 0 else { return }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      try unsafe OutputFile.write(bytes.bytes, to: target, at: offset, of: path)
      offset += Int64(count)
      progress(Double(offset) / Double(total))
    }
  }

  /// Takes the name away again after it was given: for a file that is nothing without another one.
  ///
  /// What has come to `path` instead of this file stays untouched.
  package func retract() {
    let named = copy.withLock { $0 } ?? unfinished
    if folder.holds(fileName, asFileOf: named.descriptor) { folder.remove(fileName) }
  }

  // MARK: Bytes

  /// The unfinished file's.
  var descriptor: Int32 { unfinished.descriptor }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: RawSpan, at offset: Int64) throws(LibAVError) {
    try OutputFile.write(bytes, to: unfinished, at: offset, of: path)
  }

  private static func write(
    _ bytes: RawSpan, to file: UnfinishedFile, at offset: Int64, of path: String
  ) throws(LibAVError) {
    var written = 0
    while written < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          file.descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written,
          off_t(offset) + written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw LibAVError(.init(errno: errno), operation: "write", subject: path, log: [])
      }
      written += count
    }
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(LibAVError) {
    try write(unsafe bytes.span.bytes, at: offset)
  }

  /// Exactly `count` bytes from `offset` on.
  ///
  /// - Throws: `invalidData` where the file ends before.
  package func read(_ count: Int, at offset: Int64) throws(LibAVError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let start = filled
      let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Result<Int, LibAVError> in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        do throws(LibAVError) {
          return .success(try unsafe read(into: rest, at: offset + Int64(start)))
        } catch {
          return .failure(error)
        }
      }
      let part = try result.get()
      guard part > 0 else {
        throw LibAVError(
          .invalidData, operation: "read", subject: path,
          detail: "the file is shorter than what was written", log: [])
      }
      filled += part
    }
    return bytes
  }

  /// Fills `buffer` from `offset` on and returns how much was filled, 0 at the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(LibAVError) -> Int {
    while true {
      let count = unsafe pread(
        unfinished.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw LibAVError(.init(errno: errno), operation: "read", subject: path, log: [])
      }
    }
  }

  /// Makes the file `size` bytes long.
  package func truncate(to size: Int64) throws(LibAVError) {
    while ftruncate(unfinished.descriptor, off_t(size)) != 0 {
      guard errno == EINTR else {
        throw LibAVError(.init(errno: errno), operation: "shorten", subject: path, log: [])
      }
    }
  }

  /// In bytes.
  package var size: Int64 {
    var status = stat()
    return unsafe fstat(unfinished.descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }
}

extension OutputFile {
  /// A file that was committed, for one who may have to take it away again after it was closed.
  package struct Committed: Sendable {
    package let path: String
    private let device: dev_t
    private let inode: ino_t

    /// - Parameter file: after its commit.
    package init(_ file: OutputFile) {
      path = file.path
      var status = stat()
      let named = file.copy.withLock { $0 } ?? file.unfinished
      _ = unsafe fstat(named.descriptor, &status)
      (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Removes the file; what has come to its path instead stays untouched.
    package func remove() {
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode
      else { return }
      _ = unsafe unlink(path)
    }
  }

  /// True when both paths lead to one file, whatever links and mounts are on the way.
  package static func isSameFile(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe stat(path, &first) == 0 && stat(other, &second) == 0
      && first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}
