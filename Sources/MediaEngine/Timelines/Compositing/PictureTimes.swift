import LibAV
import MediaTime
import SystemIO

/// The start times of the pictures of a video composition: multiples of its frame duration, or the
/// times of the frames of one of its tracks (AVVideoComposition.sourceTrackIDForFrameTiming).
///
/// Where that track is empty they are multiples of the frame duration too.
struct PictureTimes {
  private let frameDuration: Time
  /// The track whose frames count; nil for none.
  private let track: TrackTimeline?
  private let interrupt: Interrupt

  init(frameDuration: Time, track: TrackTimeline?, interrupt: Interrupt) {
    (self.frameDuration, self.track, self.interrupt) = (frameDuration, track, interrupt)
  }

  /// Returns the start of the picture that is shown at a time, and the start of the next one.
  func picture(at time: Time) throws(EngineError) -> (start: Time, following: Time) {
    guard let track else { return multiple(at: time) }
    if track.isOfParts {
      var gap = (start: Time.zero, end: Time.positiveInfinity)
      for part in track.parts {
        let target = part.mapping.target
        if target.end <= time { gap.start = target.end }
        guard target.end > time else { continue }
        if target.start <= time, let stored = part.source?.stored {
          return try frame(of: stored, part, at: time)
        }
        if target.start <= time { (gap.start, gap.end) = (target.start, target.end) }
        if target.start > time { gap.end = target.start }
        break
      }
      return multiple(at: time, from: gap.start, to: gap.end)
    }
    guard let part = track.parts.first, let stored = part.source?.stored else {
      return multiple(at: time)
    }
    return try frame(of: stored, part, at: time)
  }

  private func multiple(
    at time: Time, from start: Time = .zero, to end: Time = .positiveInfinity
  ) -> (start: Time, following: Time) {
    let clock = TimeBase(Int32(clamping: frameDuration.value), frameDuration.timescale)
    let number = time.ticks(in: clock, rounding: .towardNegativeInfinity)
    return (
      max(start, Time(ticks: number, in: clock)), min(end, Time(ticks: number + 1, in: clock))
    )
  }

  /// Returns the frame of a part that is shown at a time, by the index.
  private func frame(
    of media: StoredTrack, _ part: TrackTimeline.Part, at time: Time
  ) throws(EngineError) -> (start: Time, following: Time) {
    let index = try media.index(interrupt: interrupt)
    let target = part.mapping.target
    let ticks = media.ticks(part.sourceTime(time), rounding: .towardNegativeInfinity)
    guard index.isReliable, !index.isEmpty else { return multiple(at: time) }
    func begin(_ position: Int) -> Time {
      let start = part.targetTime(media.time(index.sample(atPosition: position).pts))
      return part.isIdentity ? start : max(target.start, start)
    }
    guard let position = index.position(at: ticks) else {
      // Before the first frame.
      let first = begin(0)
      return multiple(at: time, to: first > time ? first : .positiveInfinity)
    }
    let count = index.presentation.count
    var next = position + 1
    // Frames that begin together are one.
    while next < count, begin(next) <= time { next += 1 }
    if next < count {
      let following = begin(next)
      return (begin(position), part.isIdentity ? following : min(following, target.end))
    }
    let end = index.end.map { part.targetTime(media.time($0)) } ?? .positiveInfinity
    if part.isIdentity, end <= time { return multiple(at: time, from: end) }
    return (begin(position), part.isIdentity ? end : target.end)
  }
}
