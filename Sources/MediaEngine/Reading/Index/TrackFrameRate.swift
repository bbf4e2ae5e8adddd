import LibAV
import MediaTime
import SystemIO

extension StoredTrack {
  /// True if frames are counted for their rate: where libav has no plausible average, where exact times are preferred,
  /// and of animations, which state no rate and are indexed anyway. Elsewhere the header's is used.
  var countsFrames: Bool {
    guard stream.kind == .video else { return false }
    let container = source.container.value
    let isAnimation = container?.demuxer.lastsAsItsFrames == true && container?.indexes != nil
    return !stream.format.hasPlausibleRate || source.prefersPreciseTiming || isAnimation
  }

  /// Returns the duration and the number of all frames, if these are counted and libav's average isn't that of them.
  private func countedFrames(
    interrupt: Interrupt
  ) throws(EngineError) -> (duration: Time, count: Int)? {
    guard countsFrames else { return nil }
    let index = try index(interrupt: interrupt)
    let count = index.presentation.count
    guard let start = index.start, let end = index.end, end > start, count > 0 else { return nil }
    let duration = time(end) - time(start)
    let ratio = stream.format.nominalFrameRate * duration.seconds / Double(count)
    // The fractions of a clock are rounded, and samples may be fields.
    let factors = stream.format.mayStoreFields ? [0.5, 1, 2] : [1]
    let isSame = factors.contains { abs(ratio / $0 - 1) < 0.01 }
    return stream.format.hasPlausibleRate && isSame ? nil : (duration, count)
  }

  /// Returns the frames per second, 0 when unknown or no video: libav's average, or where frames are counted, their number
  /// over their time, for which the whole track is indexed. A track without frames has none.
  func nominalFrameRate(interrupt: Interrupt) throws(EngineError) -> Double {
    if let frames = try countedFrames(interrupt: interrupt) {
      return Double(frames.count) / frames.duration.seconds
    }
    if countsFrames, try index(interrupt: interrupt).start == nil { return 0 }
    return stream.format.nominalFrameRate
  }

  /// Returns a frame's duration by the nominal rate, exactly; invalid when unknown or no video.
  func nominalFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    if let frames = try countedFrames(interrupt: interrupt),
      let count = Int32(exactly: frames.count)
    {
      return frames.duration.multiplied(byRatio: 1, count)
    }
    if countsFrames, try index(interrupt: interrupt).samples.isEmpty { return .invalid }
    return stream.format.nominalFrameDuration
  }

  /// Returns the shortest frame's duration, invalid when unknown or no video. Of a track with an
  /// uneven rate it is the shortest distance of two frames, for which all of them have to be looked
  /// at.
  func minFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    guard stream.kind == .video else { return .invalid }
    if stream.format.hasConstantRate, !countsFrames { return stream.format.minFrameDuration }
    let index = try index(interrupt: interrupt)
    guard !index.samples.isEmpty else { return .invalid }
    let times = index.presentation.map { index.samples[Int($0)].pts }
    let distances = zip(times.dropFirst(), times).map { $0.subtractingReportingOverflow($1) }
    let shortest = distances.filter { !$0.overflow && $0.partialValue > 0 }.map(\.partialValue)
      .min()
    let stated = stream.format.minFrameDuration
    guard index.isReliable, let shortest else { return stated }
    let isRounded = stream.format.hasConstantRate && stated.isNumeric
    return isRounded && (stated - duration(shortest)).absoluteValue <= duration(1)
      ? stated : duration(shortest)
  }
}
