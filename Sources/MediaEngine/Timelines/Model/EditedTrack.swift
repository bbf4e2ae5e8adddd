import LibAV
import MediaTime
import SystemIO

/// A stream of a movie whose edit list has several parts.
final class EditedTrack: Sendable {
  let media: StoredTrack
  private let made = SingleFlight<EditedIndex>()

  init(_ media: StoredTrack) { self.media = media }

  /// Returns the samples of a timeline of its parts.
  func index(of timeline: TrackTimeline, interrupt: Interrupt) throws(EngineError) -> EditedIndex {
    try made.get(interrupt: interrupt) { () throws(EngineError) in
      EditedIndex(timeline, media, try media.index(interrupt: interrupt))
    }
  }
}

/// The samples of a movie's track as its edit list presents them, on the track's clock.
///
/// A sample appears once for each part that needs it, in the order of the parts. Samples that are
/// only decoded for others are marked as discarded, as libavformat marks those of the lists that it
/// applies.
struct EditedIndex: Sendable {
  /// A frame of a part: its presentation time on the media's clock.
  struct Place: Hashable {
    /// The number of the part.
    let part: Int
    let pts: Int64
  }

  let index: SampleIndex
  let timeBase: TimeBase
  /// The frames, by the samples of ``index``.
  private let places: [Place]
  private let ranks: [Place: Int]

  fileprivate init(_ timeline: TrackTimeline, _ media: StoredTrack, _ stored: SampleIndex) {
    let timeBase = timeline.commonTimeBase
    var samples: [SampleIndex.Sample] = []
    var places: [Place] = []
    for (number, part) in timeline.parts.enumerated() where !part.isEmpty {
      let range = (
        start: media.ticks(part.mapping.source.start, rounding: .towardNegativeInfinity),
        end: media.ticks(part.mapping.source.end, rounding: .towardPositiveInfinity)
      )
      let decoded = stored.decodeRange(from: range.start, to: range.end)
      places += decoded.map { Place(part: number, pts: stored.samples[$0].pts) }
      samples += EditedIndex.samples(
        stored, decoded, from: range.start, to: range.end, media: media, part, timeBase)
    }
    var builder = SampleIndex.Builder(isContinuous: media.stream.kind != .subtitle)
    builder.append(samples)
    builder.damage = stored.damage
    let index = SampleIndex(builder)
    self.index = index
    self.timeBase = timeBase
    self.places = places
    ranks = Dictionary(
      index.presentation.enumerated().map { (places[$1], $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the frame with a number in presentation order; nil if there is none.
  func place(ofFrame number: Int) -> Place? {
    index.presentation.indices.contains(number) ? places[index.presentation[number]] : nil
  }

  /// Returns the number of a frame in presentation order.
  func number(of place: Place) -> Int? { ranks[place] }

  /// Returns the samples of a part.
  private static func samples(
    _ stored: SampleIndex, _ decoded: Range<Int>, from start: Int64, to end: Int64,
    media: StoredTrack, _ part: TrackTimeline.Part, _ timeBase: TimeBase
  ) -> [SampleIndex.Sample] {
    let (source, target) = (part.mapping.source, part.mapping.target)
    func ticks(_ time: Time) -> Int64 { time.ticks(in: timeBase, rounding: .halfAwayFromZero) }
    // In a part that presents one moment for long, decode times aren't stretched with it.
    let isMoment = source.duration <= media.duration(1)
    func time(_ ticks: Int64) -> Time {
      let time = media.time(ticks)
      return isMoment ? target.start + (time - source.start) : part.targetTime(time)
    }
    let first = stored.position(at: start).map { stored.sample(atPosition: $0) }
    let begin = first.map { $0.end > start ? $0.pts : start } ?? start
    return decoded.map { place in
      var sample = stored.samples[place]
      let (pts, duration) = (sample.pts, sample.duration)
      let isShown = pts >= begin && pts < end && !sample.isDiscarded
      if !isShown { sample.flags.insert(.discarded) }
      sample.dts = ticks(time(sample.dts))
      sample.pts = ticks(isShown ? max(target.start, time(pts)) : time(pts))
      // The media's last frame is presented to the end of its part.
      let isFrozen = place == stored.presentation.last
      let last =
        isShown && !isMoment && !isFrozen ? min(target.end, time(pts &+ duration)) : target.end
      if isShown {
        sample.duration = max(0, ticks(last) - sample.pts)
      } else {
        let hidden = media.duration(duration)
        sample.duration = ticks(isMoment ? hidden : part.targetDuration(hidden))
      }
      return sample
    }
  }
}
