internal import Glibc

/// The identity of the file of a descriptor or a name: its device and its inode.
package struct FileIdentity: Sendable, Hashable {
  private let device: dev_t
  private let inode: ino_t
  /// The access rights, without the file's type.
  let permissions: mode_t
  let owner: uid_t
  let group: gid_t
  let isRegular: Bool

  private init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    permissions = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Creates the identity of a descriptor; nil if it is of no file.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the identity of a name in a folder, of a symbolic link itself; nil if there is no such
  /// name.
  init?(_ name: String, in folder: OutputFolder) {
    var status = stat()
    guard unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    self.init(status)
  }

  package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.inode == right.inode
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }

  /// Returns the path with all symbolic links resolved; the path itself if it leads nowhere.
  package static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
