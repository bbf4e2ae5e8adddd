import LibAV
import MediaTime
import SystemIO

extension StoredTrack {
  /// Returns the frames per second, 0 when unknown or no video: libav's average, or where there is
  /// none, the number of frames over their time, for which the whole track is indexed. A track without frames has none.
  func nominalFrameRate(interrupt: Interrupt) throws(EngineError) -> Double {
    guard stream.kind == .video, !stream.format.hasPlausibleRate else {
      return stream.format.nominalFrameRate
    }
    let index = try index(interrupt: interrupt)
    guard let start = index.start, let end = index.end else { return 0 }
    let seconds = (time(end) - time(start)).seconds
    return seconds > 0 ? Double(index.presentation.count) / seconds : stream.format.nominalFrameRate
  }

  /// Returns a frame's duration by the nominal rate, exactly; invalid when unknown or no video.
  func nominalFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    guard stream.kind == .video, !stream.format.hasPlausibleRate else {
      return stream.format.nominalFrameDuration
    }
    let index = try index(interrupt: interrupt)
    guard !index.samples.isEmpty else { return .invalid }
    guard let start = index.start, let end = index.end, end > start,
      let count = Int32(exactly: index.presentation.count), count > 0
    else { return stream.format.nominalFrameDuration }
    return (time(end) - time(start)).multiplied(byRatio: 1, count)
  }

  /// Returns the shortest frame's duration, invalid when unknown or no video. Of a track with an
  /// uneven rate it is the shortest distance of two frames, for which all of them have to be looked
  /// at.
  func minFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    guard stream.kind == .video else { return .invalid }
    if stream.format.hasConstantRate { return stream.format.minFrameDuration }
    let index = try index(interrupt: interrupt)
    guard !index.samples.isEmpty else { return .invalid }
    let times = index.presentation.map { index.samples[Int($0)].pts }
    let distances = zip(times.dropFirst(), times).map { $0.subtractingReportingOverflow($1) }
    let shortest = distances.filter { !$0.overflow && $0.partialValue > 0 }.map(\.partialValue)
      .min()
    guard index.isReliable, let shortest else { return stream.format.minFrameDuration }
    return duration(shortest)
  }
}
