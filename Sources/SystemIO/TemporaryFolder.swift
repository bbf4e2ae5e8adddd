internal import CSystem
internal import Glibc
internal import Synchronization

/// A folder of one process alone, for files that it needs until it ends.
///
/// It is locked until its process ends, so that the folder of a killed process can be distinguished
/// from one that another process uses.
package final class TemporaryFolder: Sendable {
  package let path: String
  private let lastNumber = Mutex(0)
  /// The descriptor that holds the lock.
  private let descriptor: Int32

  /// Makes the folder, which only the user can look into, and removes those of that name that
  /// killed processes have left.
  ///
  /// - Parameter folder: the parent folder.
  /// - Throws: errno's code if it can't be made.
  package init(in folder: String, name: String) throws(SystemError) {
    Self.removeStale(in: folder, name: name)
    while true {
      var template = "\(folder)/\(name)-XXXXXX".utf8.map { CChar(bitPattern: $0) } + [0]
      guard unsafe mkdtemp(&template) != nil else {
        throw SystemError(errno: errno, operation: .makeFolder, subject: folder)
      }
      let made = String(
        decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let descriptor = Self.lock(made, LOCK_EX) else { continue }
      (path, self.descriptor) = (made, descriptor)
      return
    }
  }

  deinit { close(descriptor) }

  /// Locks a folder of this user and returns the descriptor that holds the lock; nil if it is no
  /// such folder, has been removed or, without waiting, is locked.
  private static func lock(_ path: String, _ operation: Int32) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let opened = unsafe rw_openat(AT_FDCWD, path, flags, 0)
    guard opened >= 0 else { return nil }
    var result: Int32
    repeat { result = flock(opened, operation) } while result != 0 && errno == EINTR
    var status = stat()
    // On a file system without locks, no process can lock the folder to remove it as stale either.
    let isLocked = result == 0 || operation & LOCK_NB == 0
    if isLocked, unsafe fstat(opened, &status) == 0, status.st_nlink > 0,
      status.st_uid == geteuid()
    {
      return opened
    }
    close(opened)
    return nil
  }

  private static func removeStale(in folder: String, name: String) {
    guard let reader = try? FolderReader(path: Array(folder.utf8), below: []) else { return }
    for entry in (try? reader.entries(interrupt: Interrupt())) ?? [] where entry.kind == .folder {
      let found = String(decoding: entry.name, as: UTF8.self)
      // With six characters at the end, as mkdtemp adds them.
      guard found.hasPrefix("\(name)-"), found.utf8.count == name.utf8.count + 7 else { continue }
      let path = "\(folder)/\(found)"
      guard let descriptor = lock(path, LOCK_EX | LOCK_NB) else { continue }
      remove(folder: path)
      close(descriptor)
    }
  }

  /// Returns the path of a file that isn't there yet.
  package func newPath(_ name: String, _ suffix: String) -> String {
    let number = lastNumber.withLock { number in
      number += 1
      return number
    }
    return "\(path)/\(name)-\(number).\(suffix)"
  }

  /// Removes a file in the folder.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Removes the folder with the files in it.
  package func remove() { Self.remove(folder: path) }

  private static func remove(folder path: String) {
    if let reader = try? FolderReader(path: Array(path.utf8), below: []) {
      for entry in (try? reader.entries(interrupt: Interrupt())) ?? [] { reader.remove(entry.name) }
    }
    _ = unsafe rmdir(path)
  }
}
