import JSONRPC

// MARK: Inserting

/// Inserts a range of an asset.
///
/// Without `trackID` it is a range of all its video, audio and text: each of its tracks goes into a track of
/// its kind, which is added if there is none; a track that has less than the range is filled with an
/// empty segment, so that the next insertion begins at the same time in all of them. A range that the asset itself
/// states, such as its `duration`, can always be inserted, also if its tracks end before it. Media that is shown from
/// `at` on is moved after it, in all tracks.
/// With `trackID` it is a range of one track, and other tracks stay as they are. If `at` is after the end of a track,
/// the time between becomes an empty segment.
///
/// - Errors: `contentIsUnavailable`, `fileFormatNotRecognized`, `failedToLoadMediaData`,
///   `invalidCompositionTrackSegmentSourceStartTime`, `invalidCompositionTrackSegmentSourceDuration`,
///   `noSourceTrack`, `operationNotAllowed`, `contentIsProtected`, `limitExceeded`
public struct CompositionInsertTimeRange: EngineRequest {
  public static let method = "composition/insertTimeRange"
  public static let placement = Placement.main

  /// The result of the insertion.
  public struct Result: Codable, Sendable, Equatable {
    /// The range that it covers in the composition.
    public var timeRange: WireTimeRange
    /// The tracks that show it, in the order of the asset's tracks.
    public var trackIDs: [Int32]
    /// The end of the last of the tracks.
    public var duration: WireTime
    /// The number of edits that have been made.
    public var revision: Int

    package init(timeRange: WireTimeRange, trackIDs: [Int32], duration: WireTime, revision: Int) {
      self.timeRange = timeRange
      self.trackIDs = trackIDs
      self.duration = duration
      self.revision = revision
    }
  }

  /// The composition.
  public var composition: CompositionHandle
  /// The asset: a file's, or another composition, which is inserted as it is now.
  public var asset: AssetHandle
  /// The range of the asset; with the duration `"+infinity"` up to its end. Of a single image it may have any
  /// duration.
  /// Left out, it is all of the asset.
  public var timeRange: WireTimeRange?
  /// The time at which to insert it; left out, the end of the track or of the composition.
  public var at: WireTime?
  /// The track to insert it in.
  public var trackID: Int32?
  /// The asset's track to insert, with `trackID`; left out, the first one of the kind.
  public var assetTrackID: Int32?
  /// The asset's tracks to insert, without `trackID`; left out, all.
  public var tracks: WireTrackSelection?
  /// True to cut a range that extends beyond the asset to the part that exists.
  ///
  /// - Default: `false`
  public var clamp: Bool?
  /// The playback of the range: in reverse, its video and audio; for a freeze its video, with the frame that is shown at
  /// the start of the range for the range's duration.
  ///
  /// - Default: `"forward"`
  public var playback: WireSegmentPlayback?
  /// A speed that changes, of its video and audio: the points of its course, 1 to 1,000, in ascending order, at times of
  /// the asset within the range, and with speeds above 0. The duration follows from it.
  /// Left out: the natural speed.
  public var speedRamp: [WireSpeedPoint]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    composition: CompositionHandle, asset: AssetHandle, timeRange: WireTimeRange? = nil,
    at: WireTime? = nil, trackID: Int32? = nil, assetTrackID: Int32? = nil,
    tracks: WireTrackSelection? = nil, clamp: Bool? = nil, playback: WireSegmentPlayback? = nil,
    speedRamp: [WireSpeedPoint]? = nil
  ) {
    self.playback = playback
    self.speedRamp = speedRamp
    self.tracks = tracks
    self.composition = composition
    self.asset = asset
    self.timeRange = timeRange
    self.at = at
    self.trackID = trackID
    self.assetTrackID = assetTrackID
    self.clamp = clamp
  }
}

/// A range of an asset's track, or an empty one.
public struct WireCompositionItem: Codable, Sendable, Equatable {
  /// The asset; left out for an empty range.
  public var asset: AssetHandle?
  /// The asset's track; left out, the first one of the kind.
  public var assetTrackID: Int32?
  /// The range of the track, all of it when left out; of an empty one only its duration counts.
  public var timeRange: WireTimeRange?
  /// The playback of the range; for a freeze, the frame that is shown at its start for its duration.
  ///
  /// - Default: `"forward"`
  public var playback: WireSegmentPlayback?
  /// A speed that changes, of video and audio: the points of its course, 1 to 1,000, in ascending order, at times of
  /// the asset within the range, and with speeds above 0. The duration follows from it.
  /// Left out: the natural speed.
  public var speedRamp: [WireSpeedPoint]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle? = nil, assetTrackID: Int32? = nil, timeRange: WireTimeRange? = nil,
    playback: WireSegmentPlayback? = nil, speedRamp: [WireSpeedPoint]? = nil
  ) {
    self.playback = playback
    self.speedRamp = speedRamp
    self.asset = asset
    self.assetTrackID = assetTrackID
    self.timeRange = timeRange
  }
}

/// Inserts ranges of tracks one after the other in a track; all of them, or none.
///
/// All problems of them are in the error's `errors`.
///
/// - Errors: `contentIsUnavailable`, `fileFormatNotRecognized`, `failedToLoadMediaData`,
///   `invalidCompositionTrackSegmentSourceStartTime`, `invalidCompositionTrackSegmentSourceDuration`,
///   `invalidCompositionTrackSegmentDuration`, `noSourceTrack`, `operationNotAllowed`,
///   `contentIsProtected`, `limitExceeded`
public struct CompositionInsertTimeRanges: EngineRequest {
  public static let method = "composition/insertTimeRanges"
  public static let placement = Placement.main
  public typealias Result = CompositionInsertTimeRange.Result

  /// The composition.
  public var composition: CompositionHandle
  /// The track to insert them in.
  public var trackID: Int32
  /// The ranges, in order.
  public var items: [WireCompositionItem]
  /// The time at which to insert them; left out, the end of the track.
  public var at: WireTime?
  /// True to cut ranges that extend beyond their track to the part that exists.
  ///
  /// - Default: `false`
  public var clamp: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    composition: CompositionHandle, trackID: Int32, items: [WireCompositionItem],
    at: WireTime? = nil, clamp: Bool? = nil
  ) {
    self.composition = composition
    self.trackID = trackID
    self.items = items
    self.at = at
    self.clamp = clamp
  }
}

// MARK: Ranges

/// Inserts a range that shows nothing; media that was shown from its start on is shown after it.
///
/// At the end or after it, where only media can be added, the error is `operationNotAllowed`.
///
/// - Errors: `operationNotAllowed`, `noSourceTrack`, `invalidCompositionTrackSegmentDuration`
public struct CompositionInsertEmptyTimeRange: EngineRequest {
  public static let method = "composition/insertEmptyTimeRange"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The range.
  public var timeRange: WireTimeRange
  /// The track; left out, all tracks.
  public var trackID: Int32?

  /// Makes the value; members that are left out are absent on the wire.
  public init(composition: CompositionHandle, timeRange: WireTimeRange, trackID: Int32? = nil) {
    self.composition = composition
    self.timeRange = timeRange
    self.trackID = trackID
  }
}

/// Removes a range; later media follows at once. Tracks stay, even empty ones.
///
/// - Errors: `noSourceTrack`, `invalidCompositionTrackSegmentDuration`
public struct CompositionRemoveTimeRange: EngineRequest {
  public static let method = "composition/removeTimeRange"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The range.
  public var timeRange: WireTimeRange
  /// The track; left out, all tracks.
  public var trackID: Int32?

  /// Makes the value; members that are left out are absent on the wire.
  public init(composition: CompositionHandle, timeRange: WireTimeRange, trackID: Int32? = nil) {
    self.composition = composition
    self.timeRange = timeRange
    self.trackID = trackID
  }
}

/// Shows a range faster or slower, so that it has the stated duration; later media follows it.
///
/// - Errors: `noSourceTrack`, `invalidCompositionTrackSegmentDuration`
public struct CompositionScaleTimeRange: EngineRequest {
  public static let method = "composition/scaleTimeRange"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The range.
  public var timeRange: WireTimeRange
  /// The new duration of the range, above zero.
  public var toDuration: WireTime
  /// The track; left out, all tracks.
  public var trackID: Int32?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    composition: CompositionHandle, timeRange: WireTimeRange, toDuration: WireTime,
    trackID: Int32? = nil
  ) {
    self.composition = composition
    self.timeRange = timeRange
    self.toDuration = toDuration
    self.trackID = trackID
  }
}

// MARK: Segments

/// A part of a composition's track (AVCompositionTrackSegment).
public struct WireCompositionSegment: Codable, Sendable, Equatable {
  /// The asset that is shown; left out in an empty segment. In answers it is absent too if the asset's handle
  /// has been closed.
  public var asset: AssetHandle?
  /// The asset's path or name; only in answers.
  public var path: String?
  /// The asset's track; left out, the first one of the kind.
  public var assetTrackID: Int32?
  /// The part of that track (`source`), with the range in which it is shown (`target`, on the composition's clock);
  /// of an empty segment the source is `"invalid"`.
  public var timeMapping: WireTimeMapping
  /// The playback of the part of that track.
  ///
  /// - Default: `"forward"`
  public var playback: WireSegmentPlayback?
  /// The course of the speed over the source range, in ascending order and with speeds above 0, in times of the source;
  /// of video and audio. The duration of the target scales all speeds alike.
  /// Left out: a constant speed.
  public var speedRamp: [WireSpeedPoint]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle? = nil, path: String? = nil, assetTrackID: Int32? = nil,
    timeMapping: WireTimeMapping, playback: WireSegmentPlayback? = nil,
    speedRamp: [WireSpeedPoint]? = nil
  ) {
    self.asset = asset
    self.path = path
    self.assetTrackID = assetTrackID
    self.timeMapping = timeMapping
    self.playback = playback
    self.speedRamp = speedRamp
  }
}

/// Returns the segments of a track, in order.
///
/// - Errors: `noSourceTrack`
public struct CompositionSegments: EngineRequest {
  public static let method = "composition/segments"
  public static let placement = Placement.main

  /// The segments.
  public struct Result: Codable, Sendable, Equatable {
    /// The segments, one after the other from zero on.
    public var segments: [WireCompositionSegment]

    package init(segments: [WireCompositionSegment]) {
      self.segments = segments
    }
  }

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

/// Replaces all segments of a track.
///
/// All problems of them are in the error's `errors`.
///
/// - Errors: `compositionTrackSegmentsNotContiguous`, `invalidCompositionTrackSegmentDuration`,
///   `invalidCompositionTrackSegmentSourceStartTime`, `invalidCompositionTrackSegmentSourceDuration`,
///   `noSourceTrack`, `operationNotAllowed`, `limitExceeded`
public struct CompositionSetSegments: EngineRequest {
  public static let method = "composition/setSegments"
  public static let placement = Placement.main
  public typealias Result = WireCompositionState

  /// The composition.
  public var composition: CompositionHandle
  /// The track.
  public var trackID: Int32
  /// The segments, from zero on without gaps between them.
  public var segments: [WireCompositionSegment]

  /// Makes the value from its members.
  public init(composition: CompositionHandle, trackID: Int32, segments: [WireCompositionSegment]) {
    self.composition = composition
    self.trackID = trackID
    self.segments = segments
  }
}

/// Returns the problems of segments for a track, without changing it.
///
/// - Errors: `noSourceTrack`
public struct CompositionValidateSegments: EngineRequest {
  public static let method = "composition/validateSegments"
  public static let placement = Placement.main

  /// The problems.
  public struct Result: Codable, Sendable, Equatable {
    /// True if ``CompositionSetSegments`` would accept them.
    public var isValid: Bool
    /// All problems.
    public var problems: [WireParamsProblem]

    package init(isValid: Bool, problems: [WireParamsProblem]) {
      self.isValid = isValid
      self.problems = problems
    }
  }

  /// The composition.
  public var composition: CompositionHandle
  /// The track.
  public var trackID: Int32
  /// The segments.
  public var segments: [WireCompositionSegment]

  /// Makes the value from its members.
  public init(composition: CompositionHandle, trackID: Int32, segments: [WireCompositionSegment]) {
    self.composition = composition
    self.trackID = trackID
    self.segments = segments
  }
}
