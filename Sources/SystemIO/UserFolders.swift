internal import CSystem
internal import Glibc

/// The folders for programs' data of a user (XDG Base Directory Specification).
package enum UserFolders {
  /// Returns `$XDG_DATA_HOME/NAME`, by default below `~/.local/share`; nil without a home.
  package static func data(_ name: String) -> String? {
    folder("XDG_DATA_HOME", orInHome: ".local/share", name)
  }

  /// The path of the database of a user's library; nil without a home.
  package static var library: String? { data("reelwire").map { "\($0)/library.sqlite" } }

  /// Returns `$XDG_CACHE_HOME/NAME`, by default below `~/.cache`; nil without a home.
  package static func cache(_ name: String) -> String? {
    folder("XDG_CACHE_HOME", orInHome: ".cache", name)
  }

  private static func folder(
    _ variable: String, orInHome path: String, _ name: String
  ) -> String? {
    // The specification requires that relative paths are ignored.
    if let base = value(variable), base.hasPrefix("/") { return "\(base)/\(name)" }
    guard let home = value("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/\(path)/\(name)"
  }

  private static func value(_ variable: String) -> String? {
    unsafe getenv(variable).map { unsafe String(cString: $0) }
  }

  /// Makes a folder that only the user can read, and its missing parents.
  package static func make(_ path: String) throws(SystemError) {
    var folder = ""
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      guard unsafe mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
      // An existing folder may be at a place where none can be made.
      let number = errno
      var status = stat()
      guard unsafe stat(folder, &status) == 0 else {
        throw SystemError(errno: number, operation: .makeFolder, subject: folder)
      }
    }
  }
}

/// A cache of files that can be made again: the ones that were used longest ago are removed when
/// there are too many.
package final class FileCache: Sendable {
  private let folder: String
  private let limit: Int64

  /// - Parameter limit: the maximum size of all files, in bytes.
  package init(folder: String, limit: Int64) {
    self.folder = folder
    self.limit = limit
  }

  /// Returns the content of a file, nil if there is none.
  package func contents(of name: String) -> [UInt8]? {
    let file = unsafe rw_open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= 64 << 20
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
      }
      guard count > 0 else { return nil }
      done += count
    }
    // Marks the use: files are removed by the time of the last change.
    _ = futimens(file, nil)
    return bytes
  }

  /// Adds a file, which appears when it is complete; does nothing if that isn't possible.
  package func add(_ bytes: [UInt8], as name: String) {
    guard (try? UserFolders.make(folder)) != nil else { return }
    let temporary = "\(folder)/.new-\(getpid())"
    let file = unsafe rw_open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
      }
      guard count > 0 else { break }
      done += count
    }
    close(file)
    guard done == bytes.count, unsafe rename(temporary, "\(folder)/\(name)") == 0 else {
      _ = unsafe unlink(temporary)
      return
    }
  }

  /// Removes files until the remainder is within the limit.
  package func trim() {
    guard let reader = try? FolderReader(path: Array(folder.utf8), below: []),
      let entries = try? reader.entries(interrupt: Interrupt())
    else { return }
    let files = entries.filter { $0.kind == .file }
    var total = files.reduce(0) { $0 + $1.facts.size }
    for file in files.sorted(by: { $0.facts.modified < $1.facts.modified }) where total > limit {
      _ = unsafe unlink("\(folder)/\(String(decoding: file.name, as: UTF8.self))")
      total -= file.facts.size
    }
  }
}
