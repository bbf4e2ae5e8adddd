public import MediaTime

/// A part of a track's edit list (AVAssetTrackSegment): which part of the media is shown when.
public struct AssetTrackSegment: Sendable, Hashable {
  /// From the media's clock to the track's; the source of an empty segment is invalid.
  public var timeMapping: TimeMapping

  public init(timeMapping: TimeMapping) { self.timeMapping = timeMapping }

  /// True where nothing is shown.
  public var isEmpty: Bool { timeMapping.isEmpty }
}

extension [AssetTrackSegment] {
  /// The segments of an edit list (ISO/IEC 14496-12, 8.6.6).
  ///
  /// - Parameters:
  ///   - clock: ticks a second of the movie, which the edits' durations are in.
  ///   - mediaEnd: where the media ends, for an edit of duration 0 that is the last one: up to there. Between
  ///     others such an edit shows nothing.
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

  /// One segment for all of a track, behind an empty one where the track begins late.
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

  /// The segment that a time of the track lies in, or the closest; nil without segments and for times
  /// that are none (AVAssetTrack.segment(forTrackTime:)).
  public func segment(forTrackTime time: Time) -> AssetTrackSegment? {
    guard time.isValid, !time.isIndefinite else { return nil }
    return first { time < $0.timeMapping.target.end } ?? last
  }

  /// The time of the media that is shown at a time of the track; invalid where none is
  /// (AVAssetTrack.samplePresentationTime(forTrackTime:)).
  public func samplePresentationTime(forTrackTime time: Time) -> Time {
    guard let segment = segment(forTrackTime: time), !segment.isEmpty,
      segment.timeMapping.target.contains(time)
    else { return .invalid }
    let mapping = segment.timeMapping
    // A dwell: one moment of the media, held.
    if mapping.source.isEmpty { return mapping.source.start }
    return time.mapped(from: mapping.target, to: mapping.source)
  }
}
