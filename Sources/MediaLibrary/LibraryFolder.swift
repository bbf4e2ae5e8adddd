/// A folder of a library: what is in it and below it belongs to the library.
struct LibraryFolder: Sendable, Hashable {
  let id: Int64
  /// Absolute, in bytes of which not all have to be text.
  let path: [UInt8]
  /// Folders below that don't belong to it.
  let excluded: Set<[UInt8]>
  /// Of the disk that it was on when it was scanned last.
  let device: Int64?
}

extension LibraryFolder {
  /// The path of a file below.
  func path(_ directory: [UInt8], _ name: [UInt8]) -> [UInt8] { joinedPath(path, directory, name) }
}

/// The parts of a path with slashes between them; those that are empty are left out.
func joinedPath(_ parts: [UInt8]...) -> [UInt8] {
  Array(parts.filter { !$0.isEmpty }.joined(separator: [0x2F]))
}

/// How a folder of a library is.
public struct LibraryFolderStatus: Sendable, Hashable {
  public enum State: String, Sendable, CaseIterable {
    case online
    /// It isn't there, or is empty where it wasn't before: a disk that isn't mounted. What the library has of
    /// it stays as it is.
    case offline
    /// It may not be read.
    case denied
  }

  /// How changes are noticed.
  public enum Watch: Sendable {
    /// The kernel reports them.
    case events
    /// By a scan from time to time: its file system reports nothing, or the kernel's watches are used up.
    case polling
    /// By scans that are asked for.
    case none
  }

  /// A `file:` URL where it isn't UTF-8.
  public let path: String
  public let state: State
  public let watch: Watch
  /// When it was last scanned whole, in microseconds since 1970 (UTC).
  public let scannedAt: Int64?
  public let itemCount: Int
}

/// Which files are taken for media, by their names: all others are left alone.
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
