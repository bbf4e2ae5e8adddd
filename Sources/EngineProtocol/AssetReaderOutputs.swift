import JSONRPC

/// The source of the samples of a reader's output.
public enum WireReaderOutputType: String, Codable, Sendable, CaseIterable {
  /// The samples of one track.
  case track
  /// The sum of several audio tracks, each at the volume that an audio mix sets for it.
  case audioMix
  /// The frames that a video composition makes of the video tracks.
  case videoComposition
}

/// An output of a reader.
///
/// A mix needs `settings` with `sampleFormat`. It begins with the range, is silent where no track
/// has audio, and ends with the last track or the range. By default its sample rate and channel
/// count are the highest of its tracks. Integer formats clip where the sum is too loud;
/// floating-point formats do not.
public struct WireReaderOutput: Codable, Sendable, Equatable {
  /// The source of its samples.
  public var type: WireReaderOutputType
  /// The track; for the type `track`, exactly one of this, `mediaType` and `track` is required.
  public var trackID: Int32?
  /// The first enabled track of this media type.
  public var mediaType: WireMediaType?
  /// The first enabled track that this rule fits: `{"mediaType": "audio", "language": "de"}`.
  public var track: WireTrackRule?
  /// The tracks to mix, for the type `audioMix`, or those that can be shown, for the type
  /// `videoComposition`; all of the kind when absent.
  public var trackIDs: [Int32]?
  /// The volumes of the tracks, for the type `audioMix`; `null` for their own volume.
  /// Left out: the asset's own mix, which a composition may have.
  public var audioMix: WireAudioMixSetting?
  /// The video composition that makes the frames, for the type `videoComposition`. Left out: the asset's own, which a
  /// composition may have.
  public var videoComposition: WireVideoComposition?
  /// The format that samples are converted to; absent or `null` for samples as stored, in decode order.
  public var settings: WireReaderSettings?
  /// The algorithm for audio that is scaled in time; only with settings for audio.
  ///
  /// - Default: `"spectral"`
  public var audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm?
  /// True if the output can be read again from other ranges.
  ///
  /// - Default: `false`
  public var supportsRandomAccess: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    type: WireReaderOutputType, trackID: Int32? = nil, mediaType: WireMediaType? = nil,
    track: WireTrackRule? = nil, trackIDs: [Int32]? = nil, audioMix: WireAudioMixSetting? = nil,
    videoComposition: WireVideoComposition? = nil,
    settings: WireReaderSettings? = nil,
    audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm? = nil, supportsRandomAccess: Bool? = nil
  ) {
    self.type = type
    self.trackID = trackID
    self.mediaType = mediaType
    self.track = track
    self.trackIDs = trackIDs
    self.audioMix = audioMix
    self.videoComposition = videoComposition
    self.settings = settings
    self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
    self.supportsRandomAccess = supportsRandomAccess
  }
}

/// The format that samples are converted to: settings for video, for audio or for text.
///
/// Settings with `sampleFormat` are for audio, with `textFormat` for text, all others for video.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireVideoSettings"}, {"$ref": "WireAudioSettings"}, {"$ref": "WireTextSettings"}]}
/// ```
public enum WireReaderSettings: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// Settings for video.
  case video(WireVideoSettings)
  /// Settings for audio.
  case audio(WireAudioSettings)
  /// Settings for text.
  case text(WireTextSettings)

  public static let decodingPlaceholder = WireReaderSettings.video(WireVideoSettings())
  public static let decodingExpectation =
    "an object with pixelFormat, format, sampleFormat or textFormat"

  private enum CodingKeys: String, CodingKey {
    case pixelFormat, format, sampleFormat, textFormat
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.sampleFormat) {
      self = .audio(try WireAudioSettings(from: decoder))
    } else if container.contains(.textFormat) {
      self = .text(try WireTextSettings(from: decoder))
    } else if container.contains(.pixelFormat) || container.contains(.format) {
      self = .video(try WireVideoSettings(from: decoder))
    } else {
      throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .video(let settings): try settings.encode(to: encoder)
    case .audio(let settings): try settings.encode(to: encoder)
    case .text(let settings): try settings.encode(to: encoder)
    }
  }
}

/// The format that decoded frames are converted to; at least one of `pixelFormat` and `format` is required.
public struct WireVideoSettings: Codable, Sendable, Equatable {
  /// The pixel format by FFmpeg's name, for example `rgba`.
  public var pixelFormat: String?
  /// The width in pixels; when absent, it follows from the height, or is the source's if that is absent too.
  public var width: Int?
  /// The height in pixels.
  public var height: Int?
  /// The file format in which each frame is encoded as an image: `jpeg`, `png`, `webp` or `bmp`. `pixelFormat` is then
  /// ignored. HDR is mapped to SDR, as in images.
  public var format: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0, the smallest file, to 1, the best quality.
  ///
  /// - Default: `0.85`
  public var quality: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    pixelFormat: String? = nil, width: Int? = nil, height: Int? = nil,
    format: WireImageFormat? = nil, quality: Double? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    self.format = format
    self.quality = quality
  }
}

/// The format that decoded audio is converted to.
public struct WireAudioSettings: Codable, Sendable, Equatable {
  /// The sample format: `u8`, `s16`, `s32`, `f32` or `f64`; FFmpeg's names `flt` and `dbl`
  /// mean the last two.
  public var sampleFormat: String
  /// The sample rate in hertz; the source's when absent.
  public var sampleRate: Int?
  /// The number of channels; the source's when absent.
  public var channels: Int?
  /// True if the channels alternate in one plane.
  ///
  /// - Default: `true`
  public var interleaved: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    sampleFormat: String, sampleRate: Int? = nil, channels: Int? = nil, interleaved: Bool? = nil
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.channels = channels
    self.interleaved = interleaved
  }
}

/// The format of text.
public enum WireTextFormat: String, Codable, Sendable, CaseIterable {
  /// UTF-8, lines separated by line feeds, without styling.
  case plain
}

/// The format that text subtitles are converted to: one buffer for each that is not empty.
public struct WireTextSettings: Codable, Sendable, Equatable {
  /// The format of the text.
  public var textFormat: WireTextFormat

  /// Makes the value from its members.
  public init(textFormat: WireTextFormat) { self.textFormat = textFormat }
}
