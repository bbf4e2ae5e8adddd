public import MediaTime

/// A part of a track's edit list (AVAssetTrackSegment): the part of the media that is presented in
/// a range of the track.
public struct AssetTrackSegment: Sendable, Hashable {
  /// The mapping from the media's clock to the track's; the source of an empty segment is invalid.
  public var timeMapping: TimeMapping

  public init(timeMapping: TimeMapping) { self.timeMapping = timeMapping }

  /// True if the segment presents no media.
  public var isEmpty: Bool { timeMapping.isEmpty }
}

extension [AssetTrackSegment] {
  /// The segments of an edit list (ISO/IEC 14496-12, 8.6.6).
  ///
  /// - Parameters:
  ///   - clock: ticks per second of the movie, the unit of the edits' durations.
  ///   - mediaEnd: the end of the media, to which a last edit of duration 0 extends. Any other edit
  ///     of duration 0 presents nothing.
  init(edits: [MovieTrack.Edit], clock: Int32, mediaClock: Int32, mediaEnd: Time) {
    self = []
    var start = Time.zero
    for (number, edit) in edits.enumerated() {
      let mediaStart = Time(value: edit.mediaTime, timescale: mediaClock)
      var duration = Time(value: edit.duration, timescale: clock)
      if edit.duration == 0 {
        guard !edit.isEmpty, number == edits.count - 1, mediaEnd > mediaStart else { continue }
        duration = mediaEnd - mediaStart
      }
      let target = TimeRange(start: start, duration: duration)
      guard target.isValid, target.end.isNumeric else { return }
      if edit.isEmpty {
        append(AssetTrackSegment(timeMapping: TimeMapping(emptyTarget: target)))
      } else {
        let shown =
          edit.rate == 1
          ? duration
          : duration.multiplied(
            byRatio: Int32(clamping: Int64((Swift.max(0, edit.rate) * 65536).rounded())), 65536)
        let source = TimeRange(start: mediaStart, duration: shown)
        append(AssetTrackSegment(timeMapping: TimeMapping(source: source, target: target)))
      }
      start = target.end
    }
  }

  /// Creates one segment for all of a track, after an empty one if the track begins late.
  init(presenting range: TimeRange) {
    self = []
    if range.start > .zero {
      let gap = TimeRange(start: .zero, duration: range.start)
      append(AssetTrackSegment(timeMapping: TimeMapping(emptyTarget: gap)))
    }
    if !range.isEmpty {
      append(AssetTrackSegment(timeMapping: TimeMapping(source: range, target: range)))
    }
  }

  /// Returns the segment that contains a time of the track, or the closest one; nil without
  /// segments and for invalid or indefinite times (AVAssetTrack.segment(forTrackTime:)).
  public func segment(forTrackTime time: Time) -> AssetTrackSegment? {
    guard time.isValid, !time.isIndefinite else { return nil }
    return first { time < $0.timeMapping.target.end } ?? last
  }

  /// Returns the time of the media that is presented at a time of the track; invalid if there is
  /// none (AVAssetTrack.samplePresentationTime(forTrackTime:)).
  public func samplePresentationTime(forTrackTime time: Time) -> Time {
    guard let segment = segment(forTrackTime: time), !segment.isEmpty,
      segment.timeMapping.target.contains(time)
    else { return .invalid }
    let mapping = segment.timeMapping
    // A dwell: one moment of the media is presented for the whole segment.
    if mapping.source.isEmpty { return mapping.source.start }
    return time.mapped(from: mapping.target, to: mapping.source)
  }
}
