import LibAV
import MediaTime

/// The part of one track that an export reads.
///
/// An export's range is rounded to the clocks of its tracks here and nowhere else: copiers, decoders and
/// encoders of a track take the value that suits them.
struct TrackRange: Equatable {
  /// The range that the file shows, on the asset's clock; its start is the file's time zero.
  let time: TimeRange
  /// The ticks of the track nearest to both ends.
  let start: Int64
  let end: Int64
  /// The ticks of the track that hold all of it.
  let outerStart: Int64
  let outerEnd: Int64
  private let origin: Time

  init(_ time: TimeRange, of media: StoredTrack) {
    self.init(time, timeBase: media.stream.timeBase, origin: media.origin)
  }

  /// Of a track of several parts in ticks of the first one's clock, whose zero is the asset's.
  init(_ time: TimeRange, of timeline: TrackTimeline) {
    self.init(
      time, timeBase: timeline.format.timeBase, origin: timeline.stored?.origin ?? .zero)
  }

  private init(_ time: TimeRange, timeBase: TimeBase, origin: Time) {
    func ticks(_ time: Time, _ rounding: RoundingMethod) -> Int64 {
      (time + origin).ticks(in: timeBase, rounding: rounding)
    }
    self.time = time
    self.origin = origin
    start = ticks(time.start, .halfAwayFromZero)
    end = ticks(time.end, .halfAwayFromZero)
    outerStart = ticks(time.start, .towardNegativeInfinity)
    outerEnd = ticks(time.end, .towardPositiveInfinity)
  }

  /// The start on the container's clock, in ticks of another one.
  ///
  /// - Parameter delay: the time that is subtracted from it, by which packets are written later.
  func start(in timeBase: TimeBase, delay: Time = .zero) -> Int64 {
    (time.start + origin - delay).ticks(in: timeBase, rounding: .halfAwayFromZero)
  }

  /// The number of audio samples in it, at a rate.
  func sampleCount(at rate: Int) -> Int64 {
    time.duration.ticks(
      in: TimeBase(1, Int32(clamping: rate)), rounding: .halfAwayFromZero)
  }
}
