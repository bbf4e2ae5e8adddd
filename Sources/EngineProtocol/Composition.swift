import JSONRPC

/// Names a composition, for example `composition:1`.
///
/// It is accepted wherever a method accepts an asset. Objects that are made of it use the composition as it was then.
public struct CompositionHandle: HandleType {
  public static let kind = HandleKind.composition
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A composition after an edit.
public struct WireCompositionState: Codable, Sendable, Equatable {
  /// The end of the last of its tracks.
  public var duration: WireTime
  /// The number of edits that have been made.
  public var revision: Int

  package init(duration: WireTime, revision: Int) {
    self.duration = duration
    self.revision = revision
  }
}

/// Creates a composition: an asset made of parts of others.
///
/// It has no track yet, or is as a timeline describes it, whose sources are opened first.
///
/// Edits take effect as a whole or not at all, in order of arrival, also if one has to wait
/// for its asset to be opened. Frames are shown upright and with square pixels, in the composition's
/// `naturalSize`: those of another size or shape are fitted into it, centred, on black.
///
/// All problems of a timeline are in the error's `errors`.
///
/// - Errors: `unsupportedOutputSettings`, `compositionTrackSegmentsNotContiguous`,
///   `invalidCompositionTrackSegmentDuration`, `invalidCompositionTrackSegmentSourceStartTime`,
///   `invalidCompositionTrackSegmentSourceDuration`, `noSourceTrack`, `limitExceeded`
public struct CompositionCreate: EngineRequest {
  public static let method = "composition/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.composition]

  /// The composition.
  public struct Result: Codable, Sendable, Equatable {
    /// The composition's handle.
    public var composition: CompositionHandle

    package init(composition: CompositionHandle) {
      self.composition = composition
    }
  }

  /// The size in which frames are shown; left out, that of the timeline, or of the first frame as it is
  /// shown.
  public var naturalSize: WireSize?
  /// The contents, as ``CompositionTimeline`` returns them.
  public var timeline: WireCompositionTimeline?

  /// Makes the value; members that are left out are absent on the wire.
  public init(naturalSize: WireSize? = nil, timeline: WireCompositionTimeline? = nil) {
    self.naturalSize = naturalSize
    self.timeline = timeline
  }
}

/// Returns a complete description of a composition, as a document: its canonical form, so that equal compositions have
/// the same bytes. ``CompositionCreate`` makes the same composition of it.
///
/// A source that is a file has its path in `url`; one whose bytes the client supplies has the handle of its
/// `asset`.
public struct CompositionTimeline: EngineRequest {
  public static let method = "composition/timeline"
  public static let placement = Placement.main

  /// The document.
  public struct Result: Codable, Sendable, Equatable {
    /// The timeline.
    public var timeline: WireCompositionTimeline
    /// The parts of the composition that the timeline can't state: options with which assets were opened, properties of
    /// files of subtitles in inner compositions, settings of inner compositions, and the bytes of assets that are
    /// closed.
    public var losses: [WireConversionLoss]

    package init(timeline: WireCompositionTimeline, losses: [WireConversionLoss]) {
      self.timeline = timeline
      self.losses = losses
    }
  }

  /// The composition.
  public var composition: CompositionHandle

  /// Makes the value from its members.
  public init(composition: CompositionHandle) {
    self.composition = composition
  }
}

/// Creates a composition with the same tracks, which is edited independently.
public struct CompositionCopy: EngineRequest {
  public static let method = "composition/copy"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.composition]
  public typealias Result = CompositionCreate.Result

  /// The composition.
  public var composition: CompositionHandle

  /// Makes the value from its members.
  public init(composition: CompositionHandle) {
    self.composition = composition
  }
}

/// Sets properties of a composition as a whole; those that are left out stay as they are.
///
/// All problems of them are in the error's `errors`, and then none is set. Edits of tracks change no times in a mix or
/// a video composition; the removal of a track also removes its settings from them.
///
/// - Errors: `unsupportedOutputSettings`, `invalidVideoComposition`
public struct CompositionSet: EngineRequest {
  public static let method = "composition/set"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The size in which frames are shown, from 1 × 1 to 16384 × 16384; `"source"` for that of the first
  /// frame as it is shown.
  public var naturalSize: WireCanvasSize?
  /// The volumes of its tracks in a mix, unless the mix states others; `null` for no mix.
  public var audioMix: WireAudioMixSetting?
  /// The video composition of its tracks, unless another one is stated; `null` for none.
  public var videoComposition: WireVideoCompositionSetting?
  /// Files of subtitles that become tracks in exports, unless an export states others; at times of the composition. Edits
  /// don't move them.
  public var subtitleTracks: [WireSubtitleFile]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    composition: CompositionHandle, naturalSize: WireCanvasSize? = nil,
    audioMix: WireAudioMixSetting? = nil, videoComposition: WireVideoCompositionSetting? = nil,
    subtitleTracks: [WireSubtitleFile]? = nil
  ) {
    self.subtitleTracks = subtitleTracks
    self.composition = composition
    self.naturalSize = naturalSize
    self.audioMix = audioMix
    self.videoComposition = videoComposition
  }
}

/// A size, or `"source"` for that of the first frame.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireSize"}, {"enum": ["source"]}]}
/// ```
public enum WireCanvasSize: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The size of the first frame as it is shown.
  case source
  /// A size in square pixels.
  case size(WireSize)

  public static let decodingPlaceholder = WireCanvasSize.source
  public static let decodingExpectation = #"a size {width, height}, or "source""#

  public init(from decoder: any Decoder) throws {
    if case .string("source") = try JSONValue(from: decoder) {
      self = .source
    } else {
      self = .size(try WireSize(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .size(let size): try size.encode(to: encoder)
    case .source:
      var container = encoder.singleValueContainer()
      try container.encode("source")
    }
  }
}

// MARK: Tracks

/// Adds a track without media.
///
/// - Errors: `limitExceeded`
public struct CompositionAddTrack: EngineRequest {
  public static let method = "composition/addTrack"
  public static let placement = Placement.main

  /// The track.
  public struct Result: Codable, Sendable, Equatable {
    /// Its number.
    public var trackID: Int32
    /// The end of the last of the tracks.
    public var duration: WireTime
    /// The number of edits that have been made.
    public var revision: Int

    package init(trackID: Int32, duration: WireTime, revision: Int) {
      self.trackID = trackID
      self.duration = duration
      self.revision = revision
    }
  }

  /// The composition.
  public var composition: CompositionHandle
  /// The kind of its media.
  public var mediaType: WireMediaType
  /// The number of the new track, if no track has or had it; else the track gets another one.
  public var preferredTrackID: Int32?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    composition: CompositionHandle, mediaType: WireMediaType, preferredTrackID: Int32? = nil
  ) {
    self.composition = composition
    self.mediaType = mediaType
    self.preferredTrackID = preferredTrackID
  }
}

/// Removes a track.
///
/// - Errors: `noSourceTrack`
public struct CompositionRemoveTrack: EngineRequest {
  public static let method = "composition/removeTrack"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The track.
  public var trackID: Int32

  /// Makes the value from its members.
  public init(composition: CompositionHandle, trackID: Int32) {
    self.composition = composition
    self.trackID = trackID
  }
}

/// Sets properties of a track; those that are left out stay as they are.
///
/// A track inherits none of these from its sources.
///
/// - Errors: `noSourceTrack`
public struct CompositionSetTrack: EngineRequest {
  public static let method = "composition/setTrack"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The track.
  public var trackID: Int32
  /// True if it is presented; a new track is.
  public var isEnabled: Bool?
  /// The ticks per second of its times; 0 for that of its first segment, or 600.
  public var naturalTimeScale: Int32?
  /// The language by ISO 639-2/T; empty for that of the track's first part, `und` for none.
  public var languageCode: String?
  /// The language by BCP 47; empty for that of the track's first part.
  public var extendedLanguageTag: String?
  /// The transform of its frames, in addition to those that their sources state, which are already applied.
  public var preferredTransform: WireTransform?
  /// The volume to play it at, 1 for full volume.
  public var preferredVolume: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    composition: CompositionHandle, trackID: Int32, isEnabled: Bool? = nil,
    naturalTimeScale: Int32? = nil, languageCode: String? = nil,
    extendedLanguageTag: String? = nil, preferredTransform: WireTransform? = nil,
    preferredVolume: Double? = nil
  ) {
    self.composition = composition
    self.trackID = trackID
    self.isEnabled = isEnabled
    self.naturalTimeScale = naturalTimeScale
    self.languageCode = languageCode
    self.extendedLanguageTag = extendedLanguageTag
    self.preferredTransform = preferredTransform
    self.preferredVolume = preferredVolume
  }
}

/// Finds a track that can show parts of an asset's track: one of the same kind.
///
/// - Errors: `noSourceTrack`
public struct CompositionCompatibleTrack: EngineRequest {
  public static let method = "composition/compatibleTrack"
  public static let placement = Placement.main

  /// The track.
  public struct Result: Codable, Sendable, Equatable {
    /// Its number; absent when there is none.
    public var trackID: Int32?

    package init(trackID: Int32? = nil) {
      self.trackID = trackID
    }
  }

  /// The composition.
  public var composition: CompositionHandle
  /// An asset.
  public var asset: AssetHandle
  /// A track of the asset.
  public var assetTrackID: Int32

  /// Makes the value from its members.
  public init(composition: CompositionHandle, asset: AssetHandle, assetTrackID: Int32) {
    self.composition = composition
    self.asset = asset
    self.assetTrackID = assetTrackID
  }
}
