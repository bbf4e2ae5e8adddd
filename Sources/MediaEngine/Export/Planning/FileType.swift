import LibAV

/// A kind of file (AVFileType), with our short name for it.
public struct FileType: Sendable, Hashable {
  /// "mp4", "mov", "mkv".
  public var name: String
  /// Apple's identifier, or a public one.
  public var identifier: String
  public var extensions: [String]
  public var mimeTypes: [String]
  /// FFmpeg's demuxer and muxer; nil for a direction we don't go.
  var demuxer: String?
  var muxer: String?

  /// FFmpeg's name of the format for people: "QuickTime / MOV".
  public var longName: String {
    muxer.flatMap(Capabilities.muxerName) ?? demuxer.flatMap(Capabilities.demuxerName) ?? name
  }

  /// True when this build can open such files.
  public var canRead: Bool { demuxer.map { Capabilities.demuxers.contains($0) } ?? false }
  /// True when an export session can write them.
  public var canWrite: Bool { muxer.map { Capabilities.muxerName($0) != nil } ?? false }

  /// Matroska and WebM: no edit lists.
  var isMatroska: Bool { muxer == "matroska" || muxer == "webm" }
  var isOgg: Bool { muxer == "ogg" }
  /// QuickTime and its descendants: boxes, with edit lists.
  var isISOBMFF: Bool { ["mov", "mp4", "ipod"].contains(muxer) }

  /// The muxer that writes such files. That for iPods writes neither colours nor what tracks are for:
  /// MP4's writes what it leaves out, and the file gets its name afterwards (``brand``).
  var writer: String? { muxer == "ipod" ? "mp4" : muxer }
  /// The major brand of a movie, where it isn't the muxer's.
  var brand: String? { muxer == "ipod" ? (name == "m4a" ? "M4A " : "M4V ") : nil }

  /// The type called `name`: a short name or an identifier.
  public init?(_ name: String) {
    guard let found = FileType.all.first(where: { $0.name == name || $0.identifier == name })
    else { return nil }
    self = found
  }

  /// The type that a path's extension stands for.
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

  private init(
    _ name: String, _ identifier: String, _ extensions: [String], _ mimeTypes: [String],
    demuxer: String?, muxer: String? = nil
  ) {
    self.name = name
    self.identifier = identifier
    self.extensions = extensions
    self.mimeTypes = mimeTypes
    self.demuxer = demuxer
    self.muxer = muxer
  }

  public static let mov = FileType(
    "mov", "com.apple.quicktime-movie", ["mov", "qt"], ["video/quicktime"], demuxer: "mov",
    muxer: "mov")
  public static let mp4 = FileType(
    "mp4", "public.mpeg-4", ["mp4"], ["video/mp4", "audio/mp4"], demuxer: "mov", muxer: "mp4")
  public static let mkv = FileType(
    "mkv", "org.matroska.mkv", ["mkv"], ["video/x-matroska"], demuxer: "matroska",
    muxer: "matroska")

  /// Every type this engine knows by name.
  public static let all: [FileType] = [
    mov, mp4, mkv,
    FileType("m4v", "com.apple.m4v-video", ["m4v"], ["video/x-m4v"], demuxer: "mov", muxer: "ipod"),
    FileType(
      "m4a", "com.apple.m4a-audio", ["m4a", "m4b"], ["audio/mp4"], demuxer: "mov",
      muxer: "ipod"),
    FileType("3gp", "public.3gpp", ["3gp", "3g2"], ["video/3gpp"], demuxer: "mov"),
    FileType(
      "mka", "org.matroska.mka", ["mka"], ["audio/x-matroska"], demuxer: "matroska",
      muxer: "matroska"),
    FileType(
      "webm", "org.webmproject.webm", ["webm"], ["video/webm", "audio/webm"],
      demuxer: "matroska", muxer: "webm"),
    FileType("avi", "public.avi", ["avi"], ["video/x-msvideo"], demuxer: "avi"),
    FileType(
      "ts", "public.mpeg-2-transport-stream", ["ts", "m2ts", "mts"], ["video/mp2t"],
      demuxer: "mpegts", muxer: "mpegts"),
    FileType("mpg", "public.mpeg", ["mpg", "mpeg", "vob"], ["video/mpeg"], demuxer: "mpeg"),
    FileType("flv", "com.adobe.flv", ["flv"], ["video/x-flv"], demuxer: "flv"),
    FileType("mp3", "public.mp3", ["mp3"], ["audio/mpeg"], demuxer: "mp3", muxer: "mp3"),
    FileType(
      "wav", "com.microsoft.waveform-audio", ["wav"], ["audio/wav"], demuxer: "wav",
      muxer: "wav"),
    FileType(
      "aiff", "public.aiff-audio", ["aif", "aiff", "aifc"], ["audio/aiff"],
      demuxer: "aiff"),
    FileType("caf", "com.apple.coreaudio-format", ["caf"], ["audio/x-caf"], demuxer: "caf"),
    FileType("aac", "public.aac-audio", ["aac", "adts"], ["audio/aac"], demuxer: "aac"),
    FileType("ac3", "public.ac3-audio", ["ac3"], ["audio/ac3"], demuxer: "ac3"),
    FileType(
      "eac3", "public.enhanced-ac3-audio", ["eac3", "ec3"], ["audio/eac3"],
      demuxer: "eac3"),
    FileType("amr", "org.3gpp.adaptive-multi-rate-audio", ["amr"], ["audio/amr"], demuxer: "amr"),
    FileType(
      "flac", "org.xiph.flac", ["flac"], ["audio/flac"], demuxer: "flac",
      muxer: "flac"),
    FileType(
      "ogg", "org.xiph.ogg", ["ogg", "ogv"], ["audio/ogg", "video/ogg"], demuxer: "ogg",
      muxer: "ogg"),
    FileType("oga", "org.xiph.ogg-audio", ["oga"], ["audio/ogg"], demuxer: "ogg", muxer: "ogg"),
    FileType("opus", "org.xiph.opus", ["opus"], ["audio/opus"], demuxer: "ogg", muxer: "ogg"),
    FileType(
      "gif", "com.compuserve.gif", ["gif"], ["image/gif"], demuxer: "gif",
      muxer: "gif"),
    FileType("jpg", "public.jpeg", ["jpg", "jpeg"], ["image/jpeg"], demuxer: "jpeg_pipe"),
    FileType("png", "public.png", ["png"], ["image/png"], demuxer: "png_pipe"),
    FileType("webp", "org.webmproject.webp", ["webp"], ["image/webp"], demuxer: "webp_pipe"),
    FileType("bmp", "com.microsoft.bmp", ["bmp"], ["image/bmp"], demuxer: "bmp_pipe"),
    FileType("tiff", "public.tiff", ["tif", "tiff"], ["image/tiff"], demuxer: "tiff_pipe"),
  ]

  /// The types an export session can write.
  public static var writable: [FileType] { all.filter(\.canWrite) }
}
