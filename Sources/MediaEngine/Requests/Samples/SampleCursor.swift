public import MediaTime
import Synchronization
import SystemIO

/// A place among a track's samples, which can be moved and queried (AVSampleCursor).
///
/// It knows the samples from the track's index: a cursor reads nothing after its creation, and never waits. Decode
/// order has all samples of the file; presentation order only those that are shown, so that a cursor at a time is at
/// the sample that is seen or heard then.
public final class SampleCursor: Sendable {
  /// The place of a new cursor.
  public enum Position: Sendable {
    /// The first sample in decode order.
    case first
    /// The last sample in decode order.
    case last
    /// The last shown sample that isn't after the time, or the first shown one if all are.
    case presentationTime(Time)
  }

  /// The two orders of a track's samples.
  public enum Order: Sendable, Hashable {
    case decode, presentation
  }

  public let track: AssetTrack
  /// The path of the asset.
  public let path: String
  private let samples: TrackSamples
  private let state: Mutex<SamplePosition>

  private init(track: AssetTrack, path: String, samples: TrackSamples, place: SamplePosition) {
    self.track = track
    self.path = path
    self.samples = samples
    state = Mutex(place)
  }

  /// Creates a cursor, for which the file is scanned if its samples aren't known yet.
  ///
  /// Cancelling the task ends the scan.
  ///
  /// - Throws: `noSourceTrack` for a track the asset lacks, `invalidSampleCursor` for a track without samples, where
  ///   AVFoundation returns nil, and for a time without place in their order; and the errors of reading.
  public static func make(
    in asset: any Asset, trackID: Int32, at position: Position
  ) async throws(EngineError) -> SampleCursor {
    let tracks = try await asset.load(.tracks)
    let track = try AssetReader.find(.trackID(trackID), among: tracks, asset: asset)
    let samples = try await TrackSamples.load(track.info)
    guard let place = try samples.place(at: position) else {
      throw EngineError(
        .invalidSampleCursor, "Track \(trackID) of '\(asset.path)' has no samples to point at",
        advice: .chooseTrackWithSamples, path: asset.path)
    }
    return SampleCursor(
      track: track, path: asset.path, samples: samples, place: SamplePosition(index: place))
  }

  /// Returns another cursor at the same place.
  public func copy() -> SampleCursor {
    SampleCursor(track: track, path: path, samples: samples, place: state.withLock(\.self))
  }

  // MARK: Looking

  /// The current sample.
  public var sample: SampleInfo { samples.info(ofSample: place) }

  /// The run of samples around the current one that lie one after the other in the file.
  ///
  /// FFmpeg doesn't report a container's own chunks. Where it isn't known how samples are stored, each is
  /// a chunk of its own.
  public var chunk: SampleChunk { samples.chunk(around: place) }

  /// The index in decode order.
  private var place: Int { state.withLock(\.index) }

  // MARK: Moving

  /// Moves by a number of samples, backwards if it is negative, and not beyond the ends.
  ///
  /// From a sample that isn't shown, the first step in presentation order leads to the shown one that
  /// is next in time.
  /// - Returns: the number of steps, and the sample at the new place.
  public func step(by count: Int, in order: Order) -> (stepped: Int, sample: SampleInfo) {
    let (stepped, place) = state.withLock { ($0.step(by: count, in: order, samples), $0.index) }
    return (stepped, samples.info(ofSample: place))
  }

  /// Moves by a time of the order's own clock, and not beyond the ends.
  ///
  /// The new place is the last sample that isn't after the current one's time plus `time`; an infinite time leads to an
  /// end. Where a file's decode times decrease, it is a sample that isn't after that time while the next one is.
  /// - Returns: the distance of the move, true where an end has limited it, and the sample at the new place.
  public func step(
    by time: Time, in order: Order
  ) -> (moved: Time, wasPinned: Bool, sample: SampleInfo) {
    let (step, place) = state.withLock { ($0.step(by: time, in: order, samples), $0.index) }
    return (step.moved, step.wasPinned, samples.info(ofSample: place))
  }

  /// Reads the current sample and those after it, at most `maxCount`, and moves to the next one.
  ///
  /// At the end it remains on the last sample and remembers that it was read: further calls return no samples until the
  /// cursor has moved.
  public func read(maxCount: Int, in order: Order) -> (samples: SampleList, isAtEnd: Bool) {
    state.withLock { $0.read(maxCount: maxCount, in: order, samples) }
  }

  // MARK: Comparing

  /// Returns -1 when this cursor is before the other in decode order, 0 at the same sample, 1 after it.
  ///
  /// - Throws: `invalidSampleCursor` for cursors of different tracks.
  public func compare(to other: SampleCursor) throws(EngineError) -> Int {
    try requireSameTrack(other)
    let (left, right) = (place, other.place)
    return left == right ? 0 : left < right ? -1 : 1
  }

  /// Returns true where a sample that is decoded before this cursor's is presented after the other's
  /// (maySamplesWithEarlierDecodeTimeStampsHavePresentationTimeStamps(laterThan:)).
  ///
  /// - Throws: `invalidSampleCursor` for cursors of different tracks.
  public func hasEarlierDecoded(
    presentedLaterThan other: SampleCursor
  ) throws(EngineError) -> Bool {
    try requireSameTrack(other)
    let index = samples.index
    return index.hasSample(
      decodedBefore: place, presentedAfter: index.samples[other.place].pts)
  }

  /// Returns true where a sample that is decoded after this cursor's is presented before the other's
  /// (maySamplesWithLaterDecodeTimeStampsHavePresentationTimeStamps(earlierThan:)).
  ///
  /// - Throws: `invalidSampleCursor` for cursors of different tracks.
  public func hasLaterDecoded(
    presentedEarlierThan other: SampleCursor
  ) throws(EngineError) -> Bool {
    try requireSameTrack(other)
    let index = samples.index
    return index.hasSample(
      decodedAfter: place, presentedBefore: index.samples[other.place].pts)
  }

  private func requireSameTrack(_ other: SampleCursor) throws(EngineError) {
    guard track !== other.track else { return }
    throw EngineError(
      .invalidSampleCursor, "The cursors are in different tracks",
      advice: .compareCursorsOfTrack)
  }
}

extension TrackSamples {
  /// Waits for the index of a track; cancelling the task ends the wait.
  fileprivate static func load(_ track: TrackInfo) async throws(EngineError) -> TrackSamples {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      if let edited = track.timeline.edited {
        try await edited.media.prepareIndex(interrupt: interrupt)
        return TrackSamples(
          try edited.index(of: track.timeline, interrupt: interrupt), of: edited.media)
      }
      let media = try track.requireStored()
      try await media.prepareIndex(interrupt: interrupt)
      return try TrackSamples(media, interrupt: interrupt)
    }
  }
}
