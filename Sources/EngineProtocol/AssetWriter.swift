import JSONRPC

/// The format that the samples of an input are encoded to.
///
/// Settings with `preset` are those of a preset of exports; others are for video in an input of video, for
/// audio in one of audio, and for text in one of text or subtitles.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireVideoEncoding"}, {"$ref": "WireAudioEncoding"}, {"$ref": "WireTextEncoding"}, {"$ref": "WirePresetSettings"}]}
/// ```
public enum WireOutputSettings: Encodable, Sendable, Equatable {
  /// Settings for video.
  case video(WireVideoEncoding)
  /// Settings for audio.
  case audio(WireAudioEncoding)
  /// Settings for text.
  case text(WireTextEncoding)
  /// The settings of a preset.
  case preset(WirePresetSettings)

  private enum CodingKeys: String, CodingKey { case preset }

  /// Decodes the settings of an input, whose media type decides on their kind.
  init(from decoder: any Decoder, mediaType: WireMediaType) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.preset) {
      self = .preset(try WirePresetSettings(from: decoder))
      return
    }
    switch mediaType {
    case .audio: self = .audio(try WireAudioEncoding(from: decoder))
    case .text, .subtitle: self = .text(try WireTextEncoding(from: decoder))
    default: self = .video(try WireVideoEncoding(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .video(let settings): try settings.encode(to: encoder)
    case .audio(let settings): try settings.encode(to: encoder)
    case .text(let settings): try settings.encode(to: encoder)
    case .preset(let settings): try settings.encode(to: encoder)
    }
  }
}

/// The settings of a preset of exports.
public struct WirePresetSettings: Codable, Sendable, Equatable {
  /// The preset's name, for example `1280x720`; it has to encode the input's media type.
  public var preset: String

  /// Makes the value from its members.
  public init(preset: String) { self.preset = preset }
}

/// The encoding of text.
public struct WireTextEncoding: Codable, Sendable, Equatable {
  /// The codec by FFmpeg's name, for example `mov_text`, `subrip` or `webvtt`; when absent, the default of the file's
  /// type.
  public var codec: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(codec: String? = nil) { self.codec = codec }
}

/// The format of samples of an input without settings, which are written as they are appended.
///
/// Exactly one of `fromOutput`, `fromAsset` with `trackID`, and `format` is required.
public struct WireSourceFormatHint: Codable, Sendable {
  /// The output of a reader without settings from which the samples come.
  public var fromOutput: OutputHandle?
  /// The asset whose track has such samples.
  public var fromAsset: AssetHandle?
  /// The number of that track.
  public var trackID: Int32?
  /// The format itself; a `format` of a reader is one.
  public var format: WireCodedFormat?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    fromOutput: OutputHandle? = nil, fromAsset: AssetHandle? = nil, trackID: Int32? = nil,
    format: WireCodedFormat? = nil
  ) {
    self.fromOutput = fromOutput
    self.fromAsset = fromAsset
    self.trackID = trackID
    self.format = format
  }
}

/// The format of encoded samples: the part of a ``WireFormatDescription`` that a file has to state.
public struct WireCodedFormat: Codable, Sendable {
  /// The format by FFmpeg's name, for example `h264`.
  public var codec: String
  /// The set-up data, as FFmpeg holds it: for H.264 the payload of `avcC`, for AAC the AudioSpecificConfig.
  public var extradata: Base64Data?
  /// The video properties; required for video.
  public var video: WireCodedVideoFormat?
  /// The audio properties; required for audio.
  public var audio: WireCodedAudioFormat?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    codec: String, extradata: Base64Data? = nil, video: WireCodedVideoFormat? = nil,
    audio: WireCodedAudioFormat? = nil
  ) {
    self.codec = codec
    self.extradata = extradata
    self.video = video
    self.audio = audio
  }
}

/// The video properties of encoded samples.
public struct WireCodedVideoFormat: Codable, Sendable, Equatable {
  /// The encoded size, in pixels.
  public var dimensions: WireSize

  /// Makes the value from its members.
  public init(dimensions: WireSize) { self.dimensions = dimensions }
}

/// The audio properties of encoded samples.
public struct WireCodedAudioFormat: Codable, Sendable, Equatable {
  /// The sample rate in hertz.
  public var sampleRate: Double
  /// The number of channels.
  public var channelsPerFrame: UInt32
  /// The number of frames that the encoder added at the start (priming).
  ///
  /// - Default: `0`
  public var initialPadding: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(sampleRate: Double, channelsPerFrame: UInt32, initialPadding: Int? = nil) {
    self.sampleRate = sampleRate
    self.channelsPerFrame = channelsPerFrame
    self.initialPadding = initialPadding
  }
}

/// The format of the raw frames that are appended to an input (AVAssetWriterInputPixelBufferAdaptor).
public struct WirePixelBufferAttributes: Codable, Sendable, Equatable {
  /// The pixel format by FFmpeg's name, for example `rgb24`.
  public var pixelFormat: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Makes the value from its members.
  public init(pixelFormat: String, width: Int, height: Int) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
  }
}

/// An input of a writer, which becomes a track of the file.
public struct WireWriterInput: Codable, Sendable {
  /// The media type of its samples: `video`, `audio`, `text` or `subtitle`; without settings any.
  public var mediaType: WireMediaType
  /// The format that its samples are encoded to; absent or `null` for samples that are written as they are stored.
  ///
  /// `{}` stands for the default of the file's type. The track's size is that of the settings, or of the
  /// first frame; frames of other sizes are scaled to it.
  public var outputSettings: WireOutputSettings?
  /// The format of its samples, without settings.
  public var sourceFormatHint: WireSourceFormatHint?
  /// The format of the frames for which ``AssetWriterAllocate`` allocates memory, and of appended bytes that state no
  /// `image`; only with settings for video.
  public var sourcePixelBufferAttributes: WirePixelBufferAttributes?
  /// The ticks per second of the track's times; not for audio, which uses the sample rate.
  ///
  /// When absent, it is one in which the times of the first samples are whole numbers.
  public var mediaTimeScale: Int32?
  /// The rotation with which frames are shown, in whole quarter turns.
  public var transform: WireTransform?
  /// The language by BCP 47.
  public var extendedLanguageTag: String?
  /// True for a track that is played by default; of tracks that exclude each other, one should be.
  ///
  /// - Default: `true`
  public var marksOutputTrackAsEnabled: Bool?
  /// True for samples that are appended as they are recorded: 64 MiB of them may then wait, instead of 16.
  ///
  /// - Default: `false`
  public var expectsMediaDataInRealTime: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    mediaType: WireMediaType, outputSettings: WireOutputSettings? = nil,
    sourceFormatHint: WireSourceFormatHint? = nil,
    sourcePixelBufferAttributes: WirePixelBufferAttributes? = nil, mediaTimeScale: Int32? = nil,
    transform: WireTransform? = nil, extendedLanguageTag: String? = nil,
    marksOutputTrackAsEnabled: Bool? = nil, expectsMediaDataInRealTime: Bool? = nil
  ) {
    self.mediaType = mediaType
    self.outputSettings = outputSettings
    self.sourceFormatHint = sourceFormatHint
    self.sourcePixelBufferAttributes = sourcePixelBufferAttributes
    self.mediaTimeScale = mediaTimeScale
    self.transform = transform
    self.extendedLanguageTag = extendedLanguageTag
    self.marksOutputTrackAsEnabled = marksOutputTrackAsEnabled
    self.expectsMediaDataInRealTime = expectsMediaDataInRealTime
  }

  private enum CodingKeys: String, CodingKey {
    case mediaType, outputSettings, sourceFormatHint, sourcePixelBufferAttributes, mediaTimeScale
    case transform, extendedLanguageTag, marksOutputTrackAsEnabled, expectsMediaDataInRealTime
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    mediaType = try container.decode(WireMediaType.self, forKey: .mediaType)
    outputSettings = nil
    if container.contains(.outputSettings), try !container.decodeNil(forKey: .outputSettings) {
      outputSettings = try WireOutputSettings(
        from: container.superDecoder(forKey: .outputSettings), mediaType: mediaType)
    }
    func optional<Value: Decodable>(_ type: Value.Type, _ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(type, forKey: key)
    }
    sourceFormatHint = try optional(WireSourceFormatHint.self, .sourceFormatHint)
    sourcePixelBufferAttributes = try optional(
      WirePixelBufferAttributes.self, .sourcePixelBufferAttributes)
    mediaTimeScale = try optional(Int32.self, .mediaTimeScale)
    transform = try optional(WireTransform.self, .transform)
    extendedLanguageTag = try optional(String.self, .extendedLanguageTag)
    marksOutputTrackAsEnabled = try optional(Bool.self, .marksOutputTrackAsEnabled)
    expectsMediaDataInRealTime = try optional(Bool.self, .expectsMediaDataInRealTime)
  }
}

/// The use of the segments of a writer.
public enum WireSegmentProfile: String, Codable, Sendable, CaseIterable {
  /// HTTP Live Streaming.
  case mpeg4AppleHLS
  /// The Common Media Application Format (ISO/IEC 23000-19).
  case mpeg4CMAFCompliant
}

/// Media segments instead of a file: MP4 of one input of video, one of audio, or of both; for
/// `mpeg4CMAFCompliant` of one input.
///
/// A segment begins with a sync sample of video, and has the audio that is presented before the next one begins.
/// Segments continue until the last track ends.
public struct WireSegmentSettings: Codable, Sendable, Equatable {
  /// The time from one segment to the next, 0.001 seconds at least: a segment begins with the first sync sample of each
  /// interval. Encoded video has one where the interval begins, stored video where it has one.
  /// With `"indefinite"`, segments end only with ``AssetWriterFlushSegment``.
  public var preferredOutputSegmentInterval: WireTime
  /// The start of the first interval, on the clock of the samples; the start of the session when absent.
  public var initialSegmentStartTime: WireTime?
  /// The use of the segments.
  ///
  /// - Default: `"mpeg4AppleHLS"`
  public var profile: WireSegmentProfile?
  /// The destination of the bytes. A file's path has a `%d`, which becomes 0 for the initialization segment, and the
  /// index plus 1 for the others.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    preferredOutputSegmentInterval: WireTime, initialSegmentStartTime: WireTime? = nil,
    profile: WireSegmentProfile? = nil, delivery: WireDelivery? = nil
  ) {
    self.preferredOutputSegmentInterval = preferredOutputSegmentInterval
    self.initialSegmentStartTime = initialSegmentStartTime
    self.profile = profile
    self.delivery = delivery
  }
}

/// Inputs of one kind of media of which a player chooses one, for example languages (AVAssetWriterInputGroup).
public struct WireInputGroup: Codable, Sendable, Equatable {
  /// The indices of the inputs in `inputs`, at least one; an input is in one group at most.
  public var inputs: [Int]
  /// The index of the input whose track is enabled; when absent, no track of the group is.
  public var defaultInput: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(inputs: [Int], defaultInput: Int? = nil) {
    (self.inputs, self.defaultInput) = (inputs, defaultInput)
  }
}

/// The role of another track for a track (AVAssetWriterInput.addTrackAssociation).
public struct WireWriterAssociation: Codable, Sendable, Equatable {
  /// The way in which the other track belongs to it.
  public var associationType: WireTrackAssociationType
  /// The index in `inputs` of the input whose track has the other one.
  public var input: Int
  /// The index in `inputs` of the input of the other track.
  public var associatedInput: Int

  /// Makes the value from its members.
  public init(associationType: WireTrackAssociationType, input: Int, associatedInput: Int) {
    self.associationType = associationType
    (self.input, self.associatedInput) = (input, associatedInput)
  }
}

/// Makes a writer of samples to a new file, or to segments.
///
/// Nothing is written before ``AssetWriterStart``. All problems of the inputs are reported at once, in
/// `data.errors`.
///
/// - Errors: `unsupportedOutputSettings`, `formatUnsupported`, `invalidOutputURLPathExtension`, `pathNotAllowed`
public struct AssetWriterCreate: EngineRequest {
  public static let method = "assetWriter/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.assetWriter, .input]

  /// The writer.
  public struct Result: Codable, Sendable, Equatable {
    /// The writer's handle.
    public var assetWriter: AssetWriterHandle
    /// The handle of each input, in the order of the request.
    public var inputs: [InputHandle]
    /// The type that the file will have.
    public var outputFileType: String

    package init(assetWriter: AssetWriterHandle, inputs: [InputHandle], outputFileType: String) {
      self.assetWriter = assetWriter
      self.inputs = inputs
      self.outputFileType = outputFileType
    }
  }

  /// The file to create, a path or a `file:` URL; an existing file makes ``AssetWriterStart`` fail. Required
  /// without `segments`.
  ///
  /// - Path: `written`
  public var outputURL: String?
  /// Media segments instead of a file, each of which a notification delivers.
  public var segments: WireSegmentSettings?
  /// The type of the file, a short name or a uniform type; from the path's extension when absent, and `mp4` for
  /// segments.
  public var outputFileType: String?
  /// The inputs, at least one.
  public var inputs: [WireWriterInput]
  /// Groups of inputs of which a player chooses one, in a mov or mp4 file without fragments.
  public var inputGroups: [WireInputGroup]?
  /// The associations between tracks, in a mov or mp4 file without fragments.
  public var trackAssociations: [WireWriterAssociation]?
  /// The metadata of the file, including artwork.
  public var metadata: [WireMetadataEntry]?
  /// The chapters of the file, on its own clock.
  public var chapters: [WireChapter]?
  /// True puts the index before the media, so that playing can start before the end arrives. Ignored with
  /// `movieFragmentInterval` and `segments`.
  ///
  /// - Default: `false`
  public var shouldOptimizeForNetworkUse: Bool?
  /// The ticks per second of a movie's own times; when absent, a value that suits its tracks.
  public var movieTimeScale: Int32?
  /// The maximum time between two fragments of a movie.
  ///
  /// The file has its name from the start, and stays, up to the last fragment that was written, however
  /// the writing ends: a failure, `handle/close`, the end of the connection or of a process. Only ``AssetWriterCancel``
  /// removes it. Ignored with `segments`.
  public var movieFragmentInterval: WireTime?
  /// An existing folder for the unfinished file, a path or a `file:` URL; the target's when absent.
  ///
  /// - Path: `written`
  public var directoryForTemporaryFiles: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    outputURL: String? = nil, segments: WireSegmentSettings? = nil, outputFileType: String? = nil,
    inputs: [WireWriterInput], inputGroups: [WireInputGroup]? = nil,
    trackAssociations: [WireWriterAssociation]? = nil, metadata: [WireMetadataEntry]? = nil,
    chapters: [WireChapter]? = nil, shouldOptimizeForNetworkUse: Bool? = nil,
    movieTimeScale: Int32? = nil, movieFragmentInterval: WireTime? = nil,
    directoryForTemporaryFiles: String? = nil
  ) {
    self.outputURL = outputURL
    self.segments = segments
    self.outputFileType = outputFileType
    self.inputs = inputs
    self.inputGroups = inputGroups
    self.trackAssociations = trackAssociations
    self.metadata = metadata
    self.chapters = chapters
    self.shouldOptimizeForNetworkUse = shouldOptimizeForNetworkUse
    self.movieTimeScale = movieTimeScale
    self.movieFragmentInterval = movieFragmentInterval
    self.directoryForTemporaryFiles = directoryForTemporaryFiles
  }
}
