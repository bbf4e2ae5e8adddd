/// A folder of a library: all its files and subfolders belong to the library.
struct LibraryFolder: Sendable, Hashable {
  let id: Int64
  /// The absolute path, in bytes of which not all have to be text.
  let path: [UInt8]
  /// The subfolders that don't belong to the library.
  let excluded: Set<[UInt8]>
  /// The device of the disk that it was on at the last scan.
  let device: Int64?
  /// True if symbolic links in it are followed.
  let followsLinks: Bool
}

extension LibraryFolder {
  /// Returns the path of a file below.
  func path(_ directory: [UInt8], _ name: [UInt8]) -> [UInt8] { joinedPath(path, directory, name) }
}

/// Joins the parts of a path with slashes; empty parts are left out.
func joinedPath(_ parts: [UInt8]...) -> [UInt8] {
  Array(parts.filter { !$0.isEmpty }.joined(separator: [0x2F]))
}

/// The state of a folder of a library.
public struct LibraryFolderStatus: Sendable, Hashable {
  public enum State: String, Sendable, CaseIterable {
    case online
    /// The folder isn't there, or is empty and wasn't before: a disk that isn't mounted. Its items
    /// stay in the library unchanged.
    case offline
    /// The folder may not be read.
    case denied
  }

  /// The way in which changes are noticed.
  public enum Watch: Sendable {
    /// The kernel reports them.
    case events
    /// Periodic scans: its file system reports nothing, or the kernel's watches are used up.
    case polling
    /// Only scans that a caller requests.
    case none
  }

  /// The path; a `file:` URL if it isn't UTF-8.
  public let path: String
  public let state: State
  public let watch: Watch
  /// The time of the last scan of the whole folder, in microseconds since 1970 (UTC).
  public let scannedAt: Int64?
  public let itemCount: Int
  /// True if symbolic links in it are followed.
  public let followsSymbolicLinks: Bool
}

/// The names of media files: all other files are ignored.
enum MediaFileNames {
  static func isMedia(_ name: [UInt8]) -> Bool {
    guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    let tail = name[(dot + 1)...]
    guard (2...5).contains(tail.count) else { return false }
    return extensions.contains(String(decoding: tail, as: UTF8.self).lowercased())
  }

  private static let extensions: Set<String> = [
    // Video.
    "mp4", "m4v", "mov", "qt", "3gp", "3g2", "mj2", "mkv", "webm", "avi", "divx", "flv", "f4v",
    "ts",
    "m2ts", "mts", "m2t", "mpg", "mpeg", "mpe", "m2v", "m1v", "vob", "wmv", "asf", "ogv", "ogm",
    "mxf",
    "dv", "y4m", "h264", "264", "h265", "265", "hevc", "ivf", "obu", "nut", "rm", "rmvb", "gif",
    "apng",
    // Audio.
    "mp3", "m4a", "m4b", "aac", "adts", "flac", "ogg", "oga", "opus", "wav", "wave", "w64", "rf64",
    "aif", "aiff", "aifc", "caf", "mka", "ac3", "ec3", "eac3", "dts", "wma", "ape", "wv", "tta",
    "amr",
    "mp2", "mp1", "au", "snd", "spx", "mpc", "tak", "thd", "truehd",
    // Images.
    "jpg", "jpeg", "png", "webp", "avif", "heic", "heif", "bmp", "tif", "tiff", "jp2", "jxl",
  ]
}
