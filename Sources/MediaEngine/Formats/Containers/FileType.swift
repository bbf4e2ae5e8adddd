import LibAV

/// A kind of file (AVFileType), with the engine's short name for it.
public struct FileType: Sendable, Hashable {
  /// The properties of the format.
  let format: ContainerFormat

  /// "mp4", "mov", "mkv".
  public var name: String { format.name }
  /// Apple's identifier, or a public one.
  public var identifier: String { format.identifier }
  /// Extensions of paths, in lower case and without the dot, the usual one first.
  public var extensions: [String] { format.extensions }
  /// The MIME types, the usual one first.
  public var mimeTypes: [String] { format.mimeTypes }

  /// FFmpeg's name of the format for people: "QuickTime / MOV".
  public var longName: String {
    format.muxer.flatMap(Capabilities.muxerName)
      ?? format.demuxer.flatMap(Capabilities.demuxerName) ?? name
  }

  /// True if this build can open such files.
  public var canRead: Bool { format.demuxer.map { Capabilities.demuxers.contains($0) } ?? false }
  /// True if an export session can write them.
  public var canWrite: Bool { format.muxer.map { Capabilities.muxerName($0) != nil } ?? false }

  /// True if exports write only audio into such files.
  public var holdsAudioOnly: Bool {
    let capabilities = format.capabilities
    return capabilities.encodedVideo.isEmpty && !capabilities.encodedAudio.isEmpty && canWrite
  }

  /// True if exports write only text into such files.
  var holdsTextOnly: Bool {
    let capabilities = format.capabilities
    return capabilities.encodedVideo.isEmpty && capabilities.encodedAudio.isEmpty && canWrite
  }

  init(_ format: ContainerFormat) { self.format = format }

  /// Creates the type called `name`: a short name or an identifier.
  public init?(_ name: String) {
    guard let found = FileType.all.first(where: { $0.name == name || $0.identifier == name })
    else { return nil }
    self = found
  }

  /// Creates the type of a path's extension.
  public init?(pathExtensionOf path: String) {
    guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else {
      return nil
    }
    let suffix = name[name.index(after: dot)...].lowercased()
    guard let found = FileType.all.first(where: { $0.extensions.contains(suffix) }) else {
      return nil
    }
    self = found
  }

  public static func == (left: FileType, right: FileType) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  public static let mov = FileType(.mov)
  public static let mp4 = FileType(.mp4)
  public static let mkv = FileType(.mkv)
  static let m4v = FileType(.m4v)
  static let m4a = FileType(.m4a)
  static let mka = FileType(.mka)
  static let webm = FileType(.webm)
  static let ts = FileType(.ts)
  static let mp3 = FileType(.mp3)
  static let wav = FileType(.wav)
  static let flac = FileType(.flac)
  static let ogg = FileType(.ogg)
  static let oga = FileType(.oga)
  static let opus = FileType(.opus)
  static let gif = FileType(.gif)
  static let apng = FileType(.apng)
  static let webp = FileType(.webp)

  /// All types that the engine knows by name.
  public static let all: [FileType] = ContainerFormat.all.map(FileType.init)

  /// The types an export session can write.
  public static var writable: [FileType] { all.filter(\.canWrite) }
}
