public import MediaTime

/// What an export makes of its tracks, where that is not what its preset has.
///
/// A preset is such settings under a name. What is unspecified is the preset's; without a preset it is
/// what suits the type of the file (``ContainerCapabilities/encodedVideo``).
public struct ExportSettings: Sendable, Hashable {
  /// What becomes of the tracks of one kind.
  public enum Treatment<Encoding: Sendable & Hashable>: Sendable, Hashable {
    case unspecified
    /// Samples stay as they are; of presets only.
    case copied
    case leftOut
    case encoded(Encoding)

    var encoding: Encoding? { if case .encoded(let encoding) = self { encoding } else { nil } }
  }

  public var video = Treatment<VideoEncodingSettings>.unspecified
  public var audio = Treatment<AudioEncodingSettings>.unspecified
  /// How video is encoded where that is stated.
  package var videoSettings: VideoEncodingSettings? { video.encoding }
  /// How audio is encoded where that is stated.
  package var audioSettings: AudioEncodingSettings? { audio.encoding }
  /// The tracks that come into the file; nil for all that it can hold.
  public var tracks: TrackSelection?
  /// Whether encoded audio tracks become one; nil for what is usual for the asset.
  public var audioTracks: AudioTracks?

  public init() {}

  /// Nothing is specified of what is encoded, and how.
  var isUnspecified: Bool {
    var others = self
    others.audioTracks = nil
    return others == ExportSettings()
  }
}

/// What encoding exports make of several audio tracks.
public enum AudioTracks: String, Sendable, Hashable {
  /// One track of all that are enabled, added up.
  case mix
  /// Each is encoded by itself.
  case separate
}

/// How video is encoded; nil for what a preset, the codec or the source has.
public struct VideoEncodingSettings: Sendable, Hashable {
  /// What decides how many bits there are.
  public enum Rate: Sendable, Hashable {
    /// From 0 to 1, the same for all codecs: their ``RateFactors`` in equal steps.
    case quality(Double)
    /// In bits per second, on average.
    case bitRate(Int64)
    /// The encoder's own measure of constant quality; smaller is better.
    case rateFactor(Double)
  }

  /// A rectangle of the upright picture, or of a screen, in its own pixels.
  public struct Crop: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int
    public init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// A part of the upright picture.
  public enum Part: Sendable, Hashable {
    case rectangle(Crop)
    /// The largest part in the middle that is shown with this ratio of width to height.
    case aspectRatio(width: Int64, height: Int64)
  }

  public var codec: VideoCodec?
  /// In pixels, of the upright picture; one alone retains the display aspect ratio.
  public var width: Int?
  public var height: Int?
  /// Of all frames alike: frames are repeated or left out. Nil for the source's own times.
  public var frameDuration: Time?
  public var rate: Rate?
  /// By the name in ``VideoCodec/profiles``.
  public var profile: String?
  /// The most seconds between two sync samples.
  public var keyFrameInterval: Double?
  /// FFmpeg's name.
  public var pixelFormat: String?
  /// What is shown of the upright picture, before it is scaled and turned.
  public var crop: Part?
  /// Clockwise, in degrees: a multiple of 90, on top of the preferred transform.
  public var rotation: Int?
  /// What is made of interlaced pictures; nil for ``Deinterlacing/auto``.
  public var deinterlacing: Deinterlacing?

  /// The picture is scaled down to fit this box, in either orientation.
  var box: PixelBox?

  struct PixelBox: Sendable, Hashable {
    var long: Int
    var short: Int
  }

  public init() {}

  /// Whether the upright picture is asked for in another form, so that it is made upright.
  var changesGeometry: Bool {
    width != nil || height != nil || crop != nil || rotation != nil
  }

  /// These settings, and those of `base` where they leave something open.
  func overriding(_ base: VideoEncodingSettings) -> VideoEncodingSettings {
    var result = base
    if let codec, codec != base.codec {
      // On another codec's scale they mean something else.
      (result.rate, result.profile, result.pixelFormat) = (nil, nil, nil)
      result.codec = codec
    }
    if width != nil || height != nil {
      (result.width, result.height, result.box) = (width, height, nil)
    }
    result.frameDuration = frameDuration ?? result.frameDuration
    result.rate = rate ?? result.rate
    result.profile = profile ?? result.profile
    result.keyFrameInterval = keyFrameInterval ?? result.keyFrameInterval
    result.pixelFormat = pixelFormat ?? result.pixelFormat
    result.crop = crop ?? result.crop
    result.rotation = rotation ?? result.rotation
    result.deinterlacing = deinterlacing ?? result.deinterlacing
    return result
  }
}

/// How audio is encoded; nil for what a preset, the codec or the source has.
public struct AudioEncodingSettings: Sendable, Hashable {
  public var codec: AudioCodec?
  /// In hertz.
  public var sampleRate: Int?
  public var channels: Int?
  /// In bits per second, of all channels together.
  public var bitRate: Int64?
  /// What every sample is multiplied by.
  public var volume: Double?
  /// How loud it becomes, in exports; nil for as loud as it is. Not together with a volume.
  public var loudness: LoudnessTarget?
  /// For mono and stereo; more channels get more.
  var stereoBitRate: Int64?

  public init() {}

  /// These settings, and those of `base` where they leave something open.
  func overriding(_ base: AudioEncodingSettings) -> AudioEncodingSettings {
    var result = base
    if let codec, codec != base.codec {
      (result.bitRate, result.stereoBitRate) = (nil, nil)
      result.codec = codec
    }
    result.sampleRate = sampleRate ?? result.sampleRate
    result.channels = channels ?? result.channels
    result.bitRate = bitRate ?? result.bitRate
    result.volume = volume ?? result.volume
    result.loudness = loudness ?? result.loudness
    return result
  }
}

/// One thing that is wrong with settings.
public struct SettingsProblem: Sendable, Hashable {
  /// Where it is, as the protocol has it: "/video/width".
  public var path: String
  public var expected: String
  public var got: String

  public init(path: String, expected: String, got: String) {
    (self.path, self.expected, self.got) = (path, expected, got)
  }
}

extension EngineError {
  init(_ problems: [SettingsProblem]) {
    self.init(
      .unsupportedOutputSettings,
      "The settings can't be used: "
        + problems.map { "\($0.path.dropFirst()): expected \($0.expected), got \($0.got)" }
        .joined(separator: "; "))
  }
}
