/// The settings of an export under a name (AVAssetExportSession's presets without their prefix, and more).
public struct ExportPreset: Sendable, Hashable {
  public var name: String
  /// The settings of the tracks; video and audio are both specified.
  var settings = ExportSettings()
  /// The file types that it makes in some build, the usual one first.
  private var knownFileTypes: [FileType]

  /// Samples are copied as they are.
  public var isPassthrough: Bool { settings.video == .copied && settings.audio == .copied }

  /// The settings of its video encoder; nil where it writes no video, or copies.
  var video: VideoEncodingSettings? { settings.video.encoding }
  var audio: AudioEncodingSettings? { settings.audio.encoding }

  public static let passthrough: ExportPreset = {
    var preset = ExportPreset(name: "Passthrough", fileTypes: FileType.writable)
    (preset.settings.video, preset.settings.audio) = (.copied, .copied)
    return preset
  }()

  /// Every preset of this build; Passthrough is last, as it is none of AVFoundation's list.
  public static let all: [ExportPreset] = {
    let known =
      ExportPreset.h264 + ExportPreset.hevc + ExportPreset.m4v + ExportPreset.proRes
      + ExportPreset.open + ExportPreset.lossless
      + ExportPreset.audio + ExportPreset.animations
    return known.filter(\.isAvailable) + [passthrough]
  }()

  /// The preset of that name, in capital or small letters; nil when there is none in this build.
  public init?(_ name: String) {
    let name = name.lowercased()
    guard let found = ExportPreset.all.first(where: { $0.name.lowercased() == name }) else {
      return nil
    }
    self = found
  }

  private init(
    name: String, video: VideoEncodingSettings? = nil, audio: AudioEncodingSettings? = nil,
    fileTypes: [FileType]
  ) {
    self.name = name
    settings.video = video.map { .encoded($0) } ?? .leftOut
    settings.audio = audio.map { .encoded($0) } ?? .leftOut
    knownFileTypes = fileTypes
  }

  /// The types of file that the preset can write in this build. A preset of video writes types of audio too, which
  /// take only its audio.
  public var fileTypes: [FileType] {
    ownFileTypes + (video == nil ? [] : FileType.all.filter(\.holdsAudioOnly))
  }

  /// The types for which it is made.
  var ownFileTypes: [FileType] { knownFileTypes.filter(\.canWrite) }

  private var isAvailable: Bool {
    (video?.codec?.isAvailable ?? true) && (audio?.codec.map { $0.encoder != nil } ?? true)
      && !ownFileTypes.isEmpty
  }
}

// MARK: The table

extension ExportPreset {
  private typealias Box = VideoEncodingSettings.PixelBox

  /// The boxes of the sizes that presets are named after.
  private static let sizes: [(name: String, box: VideoEncodingSettings.PixelBox)] = [
    ("640x480", Box(long: 640, short: 480)), ("960x540", Box(long: 960, short: 540)),
    ("1280x720", Box(long: 1280, short: 720)), ("1920x1080", Box(long: 1920, short: 1080)),
    ("3840x2160", Box(long: 3840, short: 2160)), ("7680x4320", Box(long: 7680, short: 4320)),
  ]

  private static func size(_ name: String) -> VideoEncodingSettings.PixelBox? {
    sizes.first { $0.name == name }?.box
  }

  private static let movies: [FileType] = [.mov, .mp4, .m4v, .mkv, .ts]

  private static let h264: [ExportPreset] = {
    func preset(
      _ name: String, _ box: VideoEncodingSettings.PixelBox?, _ factor: Double, _ rate: Int64
    ) -> ExportPreset {
      ExportPreset(
        name: name, video: VideoEncodingSettings(codec: .h264, box: box, rate: .rateFactor(factor)),
        audio: AudioEncodingSettings(codec: .aac, stereoBitRate: rate), fileTypes: movies)
    }
    return [
      preset("LowQuality", Box(long: 480, short: 360), 27, 64_000),
      preset("MediumQuality", Box(long: 960, short: 720), 24, 128_000),
      preset("HighestQuality", nil, 18, 192_000),
      preset("640x480", size("640x480"), 22, 128_000),
      preset("960x540", size("960x540"), 22, 128_000),
      preset("1280x720", size("1280x720"), 22, 160_000),
      preset("1920x1080", size("1920x1080"), 22, 192_000),
      preset("3840x2160", size("3840x2160"), 22, 192_000),
    ]
  }()

  /// No encoder here makes HEVC with alpha or of several views.
  private static let hevc: [ExportPreset] = {
    func preset(_ name: String, _ box: VideoEncodingSettings.PixelBox?, _ factor: Double)
      -> ExportPreset
    {
      ExportPreset(
        name: name, video: VideoEncodingSettings(codec: .hevc, box: box, rate: .rateFactor(factor)),
        audio: AudioEncodingSettings(codec: .aac, stereoBitRate: 192_000),
        fileTypes: movies.filter { $0 != .m4v })
    }
    return [preset("HEVCHighestQuality", nil, 20)]
      + ["1920x1080", "3840x2160", "7680x4320"].map { preset("HEVC\($0)", size($0), 24) }
  }()

  /// The presets of the devices in Apple's names: the baseline profile for those before 2010.
  private static let m4v: [ExportPreset] = {
    func preset(
      _ name: String, _ long: Int, _ short: Int, _ profile: String, _ rate: Int64
    ) -> ExportPreset {
      ExportPreset(
        name: "AppleM4V\(name)",
        video: VideoEncodingSettings(
          codec: .h264, box: Box(long: long, short: short), rate: .rateFactor(23), profile: profile),
        audio: AudioEncodingSettings(codec: .aac, stereoBitRate: rate), fileTypes: [.m4v])
    }
    return [
      preset("Cellular", 480, 360, "baseline", 64_000),
      preset("iPod", 640, 480, "baseline", 128_000),
      preset("480pSD", 854, 480, "main", 128_000),
      preset("AppleTV", 1280, 720, "main", 160_000),
      preset("WiFi", 640, 480, "baseline", 128_000),
      preset("720pHD", 1280, 720, "high", 160_000),
      preset("1080pHD", 1920, 1080, "high", 160_000),
    ]
  }()

  private static let proRes: [ExportPreset] = ["422": "standard", "4444": "4444"]
    .sorted { $0.key < $1.key }
    .map { name, profile in
      ExportPreset(
        name: "AppleProRes\(name)LPCM",
        video: VideoEncodingSettings(codec: .proRes, profile: profile),
        audio: AudioEncodingSettings(codec: .linearPCM), fileTypes: [.mov, .mkv])
    }

  /// VP9 and AV1 with Opus, which AVFoundation lacks, named as its HEVC presets are.
  private static let open: [ExportPreset] = [VideoCodec.vp9, VideoCodec.av1].flatMap { codec in
    func preset(_ name: String, _ box: VideoEncodingSettings.PixelBox?, _ factor: Double)
      -> ExportPreset
    {
      ExportPreset(
        name: codec.title + name,
        video: VideoEncodingSettings(codec: codec, box: box, rate: .rateFactor(factor)),
        audio: AudioEncodingSettings(codec: .opus, stereoBitRate: 128_000),
        fileTypes: [.webm, .mkv, .mp4])
    }
    return [preset("HighestQuality", nil, 26)]
      + ["1280x720", "1920x1080", "3840x2160"].map { preset($0, size($0), 33) }
  }

  /// Animations in a page: small.
  private static let animations: [ExportPreset] = [
    ("GIF", VideoCodec.gif, FileType.gif), ("WebP", .webp, .webp), ("APNG", .apng, .apng),
  ].map { name, codec, fileType in
    ExportPreset(
      name: name,
      video: VideoEncodingSettings(codec: codec, box: Box(long: 480, short: 480)),
      fileTypes: [fileType])
  }

  /// Archives, from which all samples come as they were.
  private static let lossless: [ExportPreset] = [
    ExportPreset(
      name: "FFV1", video: VideoEncodingSettings(codec: .ffv1),
      audio: AudioEncodingSettings(codec: .flac), fileTypes: [.mkv])
  ]

  private static let audio: [ExportPreset] = [
    ExportPreset(
      name: "AppleM4A", audio: AudioEncodingSettings(codec: .aac, stereoBitRate: 192_000),
      fileTypes: [.m4a]),
    ExportPreset(
      name: "Opus", audio: AudioEncodingSettings(codec: .opus, stereoBitRate: 128_000),
      fileTypes: [.ogg, .opus, .oga, .webm, .mkv, .mka]),
    ExportPreset(
      name: "MP3", audio: AudioEncodingSettings(codec: .mp3, stereoBitRate: 192_000),
      fileTypes: [.mp3]
    ),
    ExportPreset(
      name: "FLAC", audio: AudioEncodingSettings(codec: .flac),
      fileTypes: [.flac, .ogg, .oga, .mkv, .mka]),
    ExportPreset(
      name: "WAV", audio: AudioEncodingSettings(codec: .linearPCM), fileTypes: [.wav]),
  ]
}

extension VideoEncodingSettings {
  fileprivate init(
    codec: VideoCodec, box: PixelBox? = nil, rate: Rate? = nil, profile: String? = nil
  ) {
    self.init()
    self.codec = codec
    self.box = box
    self.rate = rate
    self.profile = profile
  }
}

extension AudioEncodingSettings {
  fileprivate init(codec: AudioCodec, stereoBitRate: Int64? = nil) {
    self.init()
    self.codec = codec
    self.stereoBitRate = stereoBitRate
  }
}
