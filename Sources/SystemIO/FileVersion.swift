internal import Glibc

/// The version of a file: another one once it was written to or replaced.
package struct FileVersion: Sendable, Hashable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let seconds: Int
  private let nanoseconds: Int

  /// Creates the version of the file at a path; nil if it leads nowhere.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
