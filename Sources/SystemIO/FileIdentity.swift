internal import Glibc

/// Which file a descriptor or a name stands for, whatever it is called: its device and its inode.
package struct FileIdentity: Sendable, Hashable {
  private let device: dev_t
  private let inode: ino_t
  /// Who may do what with it, without its kind.
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

  /// nil where the descriptor is of no file.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// What has a name in a folder now, a symbolic link as such; nil where nothing has.
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

  /// The path with all symbolic links resolved; the path itself where it leads nowhere.
  package static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
