internal import CSystem
internal import Glibc
internal import Synchronization

/// The folder of an output, held open: even if folders are renamed meanwhile, nothing is written
/// elsewhere.
final class OutputFolder: Sendable {
  let path: String
  private let roots: [String]
  let descriptor: Int32
  private let device: dev_t
  private let inode: ino_t

  /// - Throws: errno's code for a path that is missing or no folder, `crossesRoot` outside the
  ///   roots.
  init(path: String, below roots: [String]) throws(SystemError) {
    let folder = try OutputFolder.open(path, below: roots)
    var status = stat()
    guard unsafe fstat(folder, &status) == 0 else {
      let number = errno
      close(folder)
      throw SystemError(errno: number, operation: .openFolder, subject: path)
    }
    self.path = path
    self.roots = roots
    descriptor = folder
    device = status.st_dev
    inode = status.st_ino
  }

  deinit { close(descriptor) }

  /// Returns true if a file in the other folder can get a name in this one: both lie on one file
  /// system and belong to one mount of it.
  func isLinkable(from other: OutputFolder) -> Bool {
    device == other.device && mountID == other.mountID
  }

  /// The kernel's number of the mount, nil without /proc.
  private var mountID: Substring? {
    let file = unsafe rw_open("/proc/self/fdinfo/\(descriptor)", O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 1024) { buffer in
      unsafe max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
    return text.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
  }

  private static func open(_ path: String, below roots: [String]) throws(SystemError) -> Int32 {
    guard roots.isEmpty else {
      return try Roots.open(path, below: roots, flags: rw_folder_flags, operation: .openFolder)
    }
    guard !path.utf8.contains(0) else {
      throw SystemError(
        .noEntry, operation: .openFolder, subject: path, detail: "the path holds a NUL byte")
    }
    let folder = unsafe rw_open_folder(path)
    guard folder >= 0 else {
      throw SystemError(errno: errno, operation: .openFolder, subject: path)
    }
    return folder
  }

  /// Checks that the path still leads here: a file that gets its name in a folder which was moved
  /// away would not be at its path, and perhaps outside the roots.
  func requireUnmoved() throws(SystemError) {
    var status = stat()
    let now = try? OutputFolder.open(path, below: roots)
    defer { if let now { close(now) } }
    guard let now, unsafe fstat(now, &status) == 0, status.st_dev == device,
      status.st_ino == inode
    else {
      throw SystemError(
        .noEntry, operation: .nameFileIn, subject: path,
        detail: "the folder was moved or removed while the file was written")
    }
  }

  /// - Throws: errno's code when no file can be made in the folder.
  func requireWritable() throws(SystemError) {
    guard unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
      throw SystemError(errno: errno, operation: .createFileIn, subject: path)
    }
  }

  /// Returns true if anything in the folder has this name.
  func holds(_ name: String) -> Bool {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Returns true if a folder has this name.
  func holdsFolder(_ name: String) -> Bool {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns true if `name` is the file of the descriptor `file`.
  func holds(_ name: String, asFileOf file: Int32) -> Bool {
    var (named, own) = (stat(), stat())
    return unsafe fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && fstat(file, &own) == 0 && named.st_ino == own.st_ino && named.st_dev == own.st_dev
  }

  func remove(_ name: String) { _ = unsafe unlinkat(descriptor, name, 0) }

  // MARK: One writer for a name

  /// A name in a folder that an output of this process is going to have.
  private struct PathReservation: Hashable {
    var device: dev_t
    var inode: ino_t
    var name: String
  }
  private static let reservations = Mutex<Set<PathReservation>>([])

  /// Reserves a name; returns false when another output of this process has reserved it: the conflict
  /// would only show when all of its work is done.
  func reserve(_ name: String) -> Bool {
    let reservation = PathReservation(device: device, inode: inode, name: name)
    return OutputFolder.reservations.withLock { $0.insert(reservation).inserted }
  }

  func release(_ name: String) {
    let reservation = PathReservation(device: device, inode: inode, name: name)
    OutputFolder.reservations.withLock { _ = $0.remove(reservation) }
  }
}
