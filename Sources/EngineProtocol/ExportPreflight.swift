import JSONRPC

/// Lists the presets that can export an asset, loading it first if necessary.
///
/// `Passthrough` is never among them.
///
/// - Errors: `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`, `formatUnsupported`
public struct ExportSessionCompatiblePresets: EngineRequest {
  public static let method = "exportSession/compatiblePresets"

  /// The presets.
  public struct Result: Codable, Sendable, Equatable {
    /// The names of the presets.
    public var presets: [String]
    /// The others, if `explain` was true.
    public var incompatible: [WireIncompatiblePreset]?

    package init(presets: [String], incompatible: [WireIncompatiblePreset]? = nil) {
      self.presets = presets
      self.incompatible = incompatible
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The required type of the file; any when absent.
  public var outputFileType: String?
  /// True to list the other presets too, with the reasons for which they do not fit.
  ///
  /// - Default: `false`
  public var explain: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(asset: AssetHandle, outputFileType: String? = nil, explain: Bool? = nil) {
    self.asset = asset
    self.outputFileType = outputFileType
    self.explain = explain
  }
}

/// A preset that can't export an asset.
public struct WireIncompatiblePreset: Codable, Sendable, Equatable {
  /// The preset.
  public var preset: String
  /// The reason for which it can't.
  public var reason: String

  package init(preset: String, reason: String) {
    self.preset = preset
    self.reason = reason
  }
}

/// Lists the types of files that a preset can export an asset to, loading it first if necessary.
///
/// - Errors: `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`,
///   `unsupportedOutputSettings`
public struct ExportSessionCompatibleFileTypes: EngineRequest {
  public static let method = "exportSession/compatibleFileTypes"

  /// The types.
  public struct Result: Codable, Sendable, Equatable {
    /// The short names of the types.
    public var fileTypes: [String]
    /// The others, if `explain` was true.
    public var incompatible: [WireIncompatibleFileType]?

    package init(fileTypes: [String], incompatible: [WireIncompatibleFileType]? = nil) {
      self.fileTypes = fileTypes
      self.incompatible = incompatible
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The preset, including `Passthrough`.
  public var preset: String
  /// True to list the other types too, with the reasons for which they do not fit.
  ///
  /// - Default: `false`
  public var explain: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(asset: AssetHandle, preset: String, explain: Bool? = nil) {
    self.asset = asset
    self.preset = preset
    self.explain = explain
  }
}

/// A type of file that a preset can't export an asset to.
public struct WireIncompatibleFileType: Codable, Sendable, Equatable {
  /// Its short name.
  public var fileType: String
  /// The reason for which it can't.
  public var reason: String

  package init(fileType: String, reason: String) {
    self.fileType = fileType
    self.reason = reason
  }
}

/// The treatment of a track.
public enum WireTrackTreatment: String, Codable, Sendable, CaseIterable {
  /// Its samples are copied as they are.
  case copied
  /// It is decoded and encoded.
  case encoded
  /// It is decoded, and encoded as one track with others: audio that is mixed, or video that a video
  /// composition draws, even of a single track.
  case mixed
  /// Its text is converted to the file type's text format.
  case converted
  /// It is left out.
  case dropped
}

/// The planned treatment of a track in an export.
public struct WirePlannedTrack: Codable, Sendable, Equatable {
  /// The track's number in the source.
  public var trackID: Int32
  /// The kind of its media.
  public var mediaType: WireMediaType
  /// The treatment.
  public var treatment: WireTrackTreatment
  /// FFmpeg's name of the source's codec.
  public var sourceCodec: String
  /// FFmpeg's name of the codec in the file; absent for a track that is dropped.
  public var codec: String?
  /// FFmpeg's name of the encoder.
  public var encoder: String?
  /// The width of the encoded video in pixels, as stored.
  public var width: Int?
  /// The height of the encoded video in pixels, as stored.
  public var height: Int?
  /// The pixel format of the encoded video, by FFmpeg's name.
  public var pixelFormat: String?
  /// True if high dynamic range is mapped to BT.709.
  public var mapsToStandardDynamicRange: Bool?
  /// The sample rate of the encoded audio, in hertz.
  public var sampleRate: Int?
  /// The number of channels of the encoded audio.
  public var channels: Int?
  /// The loudness that its audio will have, as far as its peaks allow that. Its present loudness is measured
  /// by the export.
  public var loudness: WireLoudnessTarget?
  /// The reason for which the track is dropped.
  public var reason: String?
  /// The number of the source's track that it is mixed into, which is its own for the first of those
  /// that are mixed.
  public var mixedInto: Int32?
  /// The treatment of each segment of a track with several, in a passthrough export; empty segments
  /// aren't listed.
  public var segments: [WirePlannedSegment]?

  package init(
    trackID: Int32, mediaType: WireMediaType, treatment: WireTrackTreatment, sourceCodec: String,
    codec: String? = nil, encoder: String? = nil, width: Int? = nil, height: Int? = nil,
    pixelFormat: String? = nil, mapsToStandardDynamicRange: Bool? = nil, sampleRate: Int? = nil,
    channels: Int? = nil, loudness: WireLoudnessTarget? = nil, reason: String? = nil,
    mixedInto: Int32? = nil, segments: [WirePlannedSegment]? = nil
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.treatment = treatment
    self.sourceCodec = sourceCodec
    self.codec = codec
    self.encoder = encoder
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.mapsToStandardDynamicRange = mapsToStandardDynamicRange
    self.sampleRate = sampleRate
    self.channels = channels
    self.loudness = loudness
    self.reason = reason
    self.mixedInto = mixedInto
    self.segments = segments
  }
}

/// The treatment of a segment of a track in a passthrough export.
public enum WireSegmentTreatment: String, Codable, Sendable, CaseIterable {
  /// Its samples are copied.
  case copied
  /// Its samples are copied, except for the frames around its ends, which are encoded.
  case edgesEncoded
  /// It is decoded and encoded with the rest of the track.
  case encoded
  /// It cannot be joined with the others: the export would fail.
  case refused
}

/// The planned treatment of a segment of a track in a passthrough export.
public struct WirePlannedSegment: Codable, Sendable, Equatable {
  /// The segment's number in the track, from 0.
  public var segment: Int
  /// The range of the track that it fills, as far as it is exported.
  public var timeRange: WireTimeRange
  /// The treatment.
  public var treatment: WireSegmentTreatment
  /// The reason for which it is not copied.
  public var reason: String?
  /// The advice for a refused one that can be copied in another way; left out where encoding is the only solution.
  public var advice: WireAdvice?

  package init(
    segment: Int, timeRange: WireTimeRange, treatment: WireSegmentTreatment, reason: String? = nil,
    advice: WireAdvice? = nil
  ) {
    self.segment = segment
    self.timeRange = timeRange
    self.treatment = treatment
    self.reason = reason
    self.advice = advice
  }
}

/// Returns the effects of an export, without performing it. It fails for the reasons for which the export
/// would fail at its start, except for an existing file at the output path.
///
/// - Errors: `operationNotSupportedForPreset`, `formatUnsupported`, `noSourceTrack`,
///   `contentIsProtected`, `unsupportedOutputSettings`, `fileFormatNotRecognized`
public struct ExportSessionPreflight: EngineRequest {
  public static let method = "exportSession/preflight"

  /// The effects.
  public struct Result: Codable, Sendable, Equatable {
    /// The part of the asset that the file would show.
    public var timeRange: WireTimeRange
    /// The planned treatment of each track.
    public var tracks: [WirePlannedTrack]
    /// The items that would be left out; empty if there are none.
    public var dropped: [WireDropped]

    package init(timeRange: WireTimeRange, tracks: [WirePlannedTrack], dropped: [WireDropped]) {
      self.timeRange = timeRange
      self.tracks = tracks
      self.dropped = dropped
    }
  }

  /// The session.
  public var exportSession: ExportSessionHandle

  /// Makes the value from its members.
  public init(exportSession: ExportSessionHandle) {
    self.exportSession = exportSession
  }
}

/// Estimates the duration and the size of the file.
///
/// The size of copies and of constant bit rates is accurate to a few bytes; video of constant
/// quality may become half or twice as large.
///
/// - Errors: `operationNotSupportedForPreset`, `formatUnsupported`, `noSourceTrack`,
///   `contentIsProtected`, `unsupportedOutputSettings`, `fileFormatNotRecognized`
public struct ExportSessionEstimate: EngineRequest {
  public static let method = "exportSession/estimate"

  /// The estimate.
  public struct Result: Codable, Sendable, Equatable {
    /// The duration of the file.
    public var duration: WireTime
    /// Its size in bytes.
    public var fileLength: Int64
    /// The duration of the asset's part that fits into `fileLengthLimit`; absent without a limit.
    public var maximumDuration: WireTime?

    package init(duration: WireTime, fileLength: Int64, maximumDuration: WireTime? = nil) {
      self.duration = duration
      self.fileLength = fileLength
      self.maximumDuration = maximumDuration
    }
  }

  /// The session.
  public var exportSession: ExportSessionHandle

  /// Makes the value from its members.
  public init(exportSession: ExportSessionHandle) {
    self.exportSession = exportSession
  }
}
