internal import Glibc

/// The space on file systems.
package enum FreeSpace {
  /// The bytes that are free for this user where a file or folder is; nil where that can't be found out.
  package static func bytes(at path: String) -> Int64? {
    var facts = statvfs()
    let result = unsafe statvfs(path, &facts)
    guard result == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: facts.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: facts.f_frsize))
    return overflow ? .max : bytes
  }

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
