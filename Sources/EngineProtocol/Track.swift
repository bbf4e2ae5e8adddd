import JSONRPC

/// Loads keys of a track.
///
/// It follows the rules of ``AssetLoadValues``. The work ends with ``TrackDidLoadValues``;
/// ``AssetCancelLoading`` cancels it. A track that the asset does not have fails every key with
/// `noSourceTrack`.
public struct TrackLoadValues: EngineRequest {
  public static let method = "track/loadValues"
  public typealias Result = OperationReply<TrackDidLoadValues>

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The keys, at least one.
  public var keys: [WireTrackKey]
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32, keys: [WireTrackKey], completion: WireCompletion? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.keys = keys
    self.completion = completion
  }
}

extension TrackLoadValues: OperationRequest {
  package typealias Terminal = TrackDidLoadValues

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      TrackDidLoadValues(
        operation: operation, asset: asset, trackID: trackID,
        values: failedValues(keys.map(\.rawValue), error) ?? WireTrackValues())
    ]
  }
}

/// Reports that the keys of ``TrackLoadValues`` are loaded, failed or cancelled.
public struct TrackDidLoadValues: NotificationType {
  public static let method = "track/didLoadValues"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The state of each requested key.
  public var values: WireTrackValues

  package init(
    operation: OperationHandle, asset: AssetHandle, trackID: Int32, values: WireTrackValues
  ) {
    self.operation = operation
    self.asset = asset
    self.trackID = trackID
    self.values = values
  }
}

/// Returns the state of keys of a track, without loading or waiting.
///
/// - Errors: `noSourceTrack`
public struct TrackValueStatus: EngineRequest {
  public static let method = "track/valueStatus"

  /// The states.
  public struct Result: Codable, Sendable {
    /// The state of each requested key.
    public var values: WireTrackValues

    package init(values: WireTrackValues) {
      self.values = values
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The keys.
  public var keys: [WireTrackKey]

  /// Makes the value from its members.
  public init(asset: AssetHandle, trackID: Int32, keys: [WireTrackKey]) {
    self.asset = asset
    self.trackID = trackID
    self.keys = keys
  }
}

/// A part of a track's edit list (AVAssetTrackSegment).
public struct WireTrackSegment: Codable, Sendable, Equatable {
  /// The part of the media that is presented (`source`, on the media's clock), and its time (`target`, on the
  /// track's clock); of an empty segment the source is `"invalid"`.
  public var timeMapping: WireTimeMapping
  /// True if nothing is presented.
  public var isEmpty: Bool

  package init(timeMapping: WireTimeMapping, isEmpty: Bool) {
    self.timeMapping = timeMapping
    self.isEmpty = isEmpty
  }
}

/// The relation of another track to a track (AVAssetTrack's association types).
public enum WireTrackAssociationType: String, Codable, Sendable, CaseIterable {
  /// It has the same audio in a format that more devices play (`fall`).
  case audioFallback
  /// It has only the forced subtitles of this one (`forc`).
  case forcedSubtitlesOnly
  /// It is chosen along with this one (`folw`).
  case selectionFollower
  /// It has the timecode of this one (`tmcd`).
  case timecode
  /// Its metadata describes this one (`cdsc`).
  case metadataReferent
}

/// Returns the segment of a track that contains a time.
///
/// For a time outside the track it is the closest segment, as in AVFoundation.
///
/// - Errors: `noSourceTrack`
public struct TrackSegment: EngineRequest {
  public static let method = "track/segment"

  /// The segment.
  public struct Result: Codable, Sendable, Equatable {
    /// The segment; absent when the track has none.
    public var segment: WireTrackSegment?

    package init(segment: WireTrackSegment? = nil) {
      self.segment = segment
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// A time of the track.
  public var trackTime: WireTime

  /// Makes the value from its members.
  public init(asset: AssetHandle, trackID: Int32, trackTime: WireTime) {
    self.asset = asset
    self.trackID = trackID
    self.trackTime = trackTime
  }
}

/// Maps a time of a track to the time of the media that is presented then.
///
/// - Errors: `noSourceTrack`
public struct TrackSamplePresentationTime: EngineRequest {
  public static let method = "track/samplePresentationTime"

  /// The time.
  public struct Result: Codable, Sendable, Equatable {
    /// The time on the media's clock; `"invalid"` where nothing of the media is presented.
    public var time: WireTime

    package init(time: WireTime) {
      self.time = time
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// A time of the track.
  public var trackTime: WireTime

  /// Makes the value from its members.
  public init(asset: AssetHandle, trackID: Int32, trackTime: WireTime) {
    self.asset = asset
    self.trackID = trackID
    self.trackTime = trackTime
  }
}

/// Lists the tracks that are associated with a track.
///
/// Associations have a direction: a timecode track is found from the track that it times.
///
/// - Errors: `noSourceTrack`
public struct TrackAssociatedTracks: EngineRequest {
  public static let method = "track/associatedTracks"

  /// The tracks.
  public struct Result: Codable, Sendable, Equatable {
    /// The tracks; empty when there are none.
    public var tracks: [WireTrack]

    package init(tracks: [WireTrack]) {
      self.tracks = tracks
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The relation of the tracks to it.
  public var associationType: WireTrackAssociationType

  /// Makes the value from its members.
  public init(asset: AssetHandle, trackID: Int32, associationType: WireTrackAssociationType) {
    self.asset = asset
    self.trackID = trackID
    self.associationType = associationType
  }
}
