public import MediaTime

/// The settings of an export's tracks, where they differ from its preset's.
///
/// A preset is such settings under a name. An unspecified setting is the preset's; without a preset it
/// suits the type of the file.
public struct ExportSettings: Sendable, Hashable {
  /// The treatment of the tracks of one kind.
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
  /// The settings of encoded video, where they are stated.
  package var videoSettings: VideoEncodingSettings? { video.encoding }
  /// The settings of encoded audio, where they are stated.
  package var audioSettings: AudioEncodingSettings? { audio.encoding }
  /// The tracks that come into the file; nil for all that it can hold.
  public var tracks: TrackSelection?
  /// The treatment of several encoded audio tracks: mixed or separate; nil for the asset's usual one.
  public var audioTracks: AudioTracks?

  public init() {}

  /// True if nothing is specified of the choice of tracks and of their encoding.
  var isUnspecified: Bool {
    var others = self
    others.audioTracks = nil
    return others == ExportSettings()
  }
}

/// The treatment of several audio tracks in encoding exports.
public enum AudioTracks: String, Sendable, Hashable {
  /// One track, the sum of all that are enabled.
  case mix
  /// Each is encoded on its own.
  case separate
}

/// The settings of a video encoder; a nil property is the preset's, the codec's or the source's.
public struct VideoEncodingSettings: Sendable, Hashable {
  /// The measure by which the number of bits is chosen.
  public enum Rate: Sendable, Hashable {
    /// From 0 to 1, the same for all codecs: the range of each codec's ``rateFactor(_:)`` in equal steps.
    case quality(Double)
    /// A bit rate in bits per second, on average.
    case bitRate(Int64)
    /// The encoder's own measure of constant quality; smaller is better.
    case rateFactor(Double)
  }

  /// A rectangle of the upright frame, or of a screen, in its own pixels.
  public struct Crop: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int
    public init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// A part of the upright frame.
  public enum Part: Sendable, Hashable {
    case rectangle(Crop)
    /// The largest part in the middle that is shown with this ratio of width to height.
    case aspectRatio(width: Int64, height: Int64)
  }

  public var codec: VideoCodec?
  /// The width in pixels, of the upright frame; one dimension alone retains the display aspect ratio.
  public var width: Int?
  public var height: Int?
  /// The duration of all frames alike: frames are repeated or left out. Nil for the source's own times.
  public var frameDuration: Time?
  public var rate: Rate?
  /// The profile, by its usual name: "high", "main10".
  public var profile: String?
  /// The maximum number of seconds between two sync samples.
  public var keyFrameInterval: Double?
  /// FFmpeg's name.
  public var pixelFormat: String?
  /// False to leave out transparency; otherwise it stays where the codec and the type of file can hold it.
  public var alpha: Bool?
  /// The part of the upright frame that is shown, before it is scaled and turned.
  public var crop: Part?
  /// Clockwise, in degrees: a multiple of 90, on top of the preferred transform.
  ///
  /// Alone, and with ``ExportPreset/passthrough``, it changes the transform of the copied samples.
  public var rotation: Int?
  /// The treatment of interlaced frames; nil for ``Deinterlacing/auto``.
  public var deinterlacing: Deinterlacing?

  /// The box into which the frame is scaled down, in either orientation.
  var box: PixelBox?

  struct PixelBox: Sendable, Hashable {
    var long: Int
    var short: Int
  }

  public init() {}

  /// True if the settings change the form of the upright frame, so that it is made upright.
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
    result.alpha = alpha ?? result.alpha
    result.crop = crop ?? result.crop
    result.rotation = rotation ?? result.rotation
    result.deinterlacing = deinterlacing ?? result.deinterlacing
    return result
  }
}

/// The settings of an audio encoder; a nil property is the preset's, the codec's or the source's.
public struct AudioEncodingSettings: Sendable, Hashable {
  public var codec: AudioCodec?
  /// The sample rate in hertz.
  public var sampleRate: Int?
  public var channels: Int?
  /// The bit rate in bits per second, of all channels together.
  public var bitRate: Int64?
  /// The factor of every sample.
  public var volume: Double?
  /// The loudness of the result, in exports; nil for the source's. Not together with a volume.
  public var loudness: LoudnessTarget?
  /// The bit rate of mono and stereo; more channels have more.
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

/// A problem of settings.
public struct SettingsProblem: Sendable, Hashable {
  /// The path of the setting in the protocol: "/video/width".
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
