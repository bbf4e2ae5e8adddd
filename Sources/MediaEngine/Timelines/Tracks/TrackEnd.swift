import LibAV
import MediaTime
import SystemIO

/// A measure of a track's end that is finer than its container's statement.
enum EndMeasure {
  /// The count of the samples of lossless audio whose container has a coarser clock.
  case count
  /// The tables of a movie that has audio on a clock of its samples. The remainder of the last
  /// packet is the padding of an encoder.
  case tables
}

extension MediaSource {
  /// Returns the end of a track on the asset's clock: as its container states it, by the count of
  /// its samples if the container's clock is coarser, or by a movie's media if the clock of its
  /// edit lists is.
  func trackEnd(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> Time {
    if let counted = try trackEnd(of: stream, by: .count, interrupt: interrupt) { return counted }
    let stated = try timeRange(of: stream, precise: true, interrupt: interrupt).end
    guard try open(interrupt: interrupt).clock == nil, !ignoresEditLists,
      let movie = try movie(interrupt: interrupt), let end = movie.mediaEnd(ofTrack: stream.id)
    else { return stated }
    return (end - stated).absoluteValue <= movie.clockTick ? end : stated
  }

  /// Returns the end of a track on the asset's clock by one of its measures; nil if that measure
  /// doesn't apply.
  func trackEnd(
    of stream: StreamInfo, by measure: EndMeasure, interrupt: Interrupt
  ) throws(EngineError) -> Time? {
    switch measure {
    case .count: try countedEnd(of: stream, interrupt: interrupt)
    case .tables: try tabledEnd(of: stream, interrupt: interrupt)
    }
  }

  /// Returns the end by the count of samples. If they can't be counted, it is a tick after the
  /// container's statement: nothing is cut off.
  private func countedEnd(
    of stream: StreamInfo, interrupt: Interrupt
  ) throws(EngineError) -> Time? {
    guard stream.needsCountedEnd else { return nil }
    let origin = try open(interrupt: interrupt).origin
    if let counted = try countedAudio(stream, interrupt: interrupt) { return counted.end - origin }
    return try index(ofStream: stream.index, interrupt: interrupt).end.map {
      Time(ticks: $0, in: stream.timeBase) + Time(ticks: 1, in: stream.timeBase) - origin
    }
  }

  private func tabledEnd(
    of stream: StreamInfo, interrupt: Interrupt
  ) throws(EngineError) -> Time? {
    guard stream.kind == .audio,
      stream.timeBase.countsSamples(at: Int64(stream.parameters.sampleRate)),
      let movie = try movie(interrupt: interrupt)
    else { return nil }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    guard let last = index.presentation.last.map({ index.samples[$0] }) else { return nil }
    let origin = try open(interrupt: interrupt).origin
    func time(_ ticks: Int64) -> Time { Time(ticks: ticks, in: stream.timeBase) - origin }
    let isDerived = last.isDurationUnknown || last.flags.contains(.derivedDuration)
    let tables = isDerived ? nil : time(last.end)
    let track = movie.tracks.first { Int($0.id) == stream.id }
    if let track, movie.containsFragments {
      guard movie.fragmentRange(of: track) != nil else { return tables }
      // libavformat doesn't report the duration of a fragment's last sample.
      let end = try timeRange(of: stream, interrupt: interrupt).end
      return end > time(last.pts) && end < time(last.end) ? end : tables
    }
    guard let track, !ignoresEditLists, !track.edits.isEmpty,
      track.edits.allSatisfy({ $0.duration > 0 })
    else { return tables }
    // An edit list has a clock of its own, which is often coarser. libavformat cuts the last packet
    // by it.
    let edits = try timeRange(of: stream, interrupt: interrupt).end
    let exact = try trackEnd(of: stream, interrupt: interrupt)
    guard let tables, exact == edits else { return exact }
    return edits >= tables - movie.clockTick ? tables : edits
  }
}

extension Movie {
  /// Returns the time at which the last edit of a track would reach the end of its media; nil if it
  /// is unknown.
  fileprivate func mediaEnd(ofTrack id: Int) -> Time? {
    guard timescale > 0, !containsFragments,
      let track = tracks.first(where: { Int($0.id) == id }), track.timescale > 0,
      let end = track.duration.map({ Time(value: $0, timescale: track.timescale) })
    else { return nil }
    let segments = [AssetTrackSegment](
      edits: track.edits, clock: timescale, mediaClock: track.timescale, mediaEnd: end)
    guard let last = segments.last, !last.isEmpty,
      last.timeMapping.source.duration == last.timeMapping.target.duration
    else { return nil }
    return last.timeMapping.target.start + (end - last.timeMapping.source.start)
  }
}

extension TimeBase {
  /// Returns true if an audio sample is a whole number of ticks, or a tick a whole number of
  /// samples.
  fileprivate func countsSamples(at rate: Int64) -> Bool {
    guard rate > 0, numerator == 1, denominator > 0 else { return false }
    let ticks = Int64(denominator)
    return ticks % rate == 0 || rate % ticks == 0
  }
}
