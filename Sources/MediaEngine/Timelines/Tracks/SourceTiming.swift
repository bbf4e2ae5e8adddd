import LibAV
import MediaTime
import SystemIO

extension MediaSource {
  /// Returns true if the header's duration is missing or an estimate.
  func durationNeedsScan(_ container: Container) -> Bool {
    if container.demuxer.lastsAsItsFrames, container.indexes != nil { return false }
    return container.duration == nil || container.durationIsEstimate
      || container.demuxer.estimatesDuration
      || container.demuxer.miscountsAudio && container.streams.contains { $0.kind == .audio }
      || container.chain?.isChained != true
        && container.streams.contains {
          container.demuxer.codecsWithStatedPriming.contains($0.parameters.codecName)
        }
  }

  /// Returns the asset's duration: that of the header, or with `precise`, and if the header has
  /// none or ends within the last packet of audio, the end of the last sample by the index.
  ///
  /// - Parameter untilLastSample: returns the exact end of a track if the header's duration is that
  ///   end, rounded to the header's clock.
  func duration(
    precise: Bool, untilLastSample: Bool = false, interrupt: Interrupt
  ) throws(EngineError) -> Time {
    let container = try open(interrupt: interrupt)
    if untilLastSample, let end = try paddedEnd(container, interrupt: interrupt) { return end }
    let isCutShort = salvages && missingBytes > 0
    let needsScan = precise && durationNeedsScan(container) || isCutShort
    if !needsScan, let end = try fragmentsEnd(container, interrupt: interrupt) { return end }
    if let stated = container.duration, !needsScan {
      let duration = try movieDuration(
        exactDuration(stated, container), container, untilLastSample: untilLastSample,
        interrupt: interrupt)
      guard precise else { return duration }
      let end =
        untilLastSample
        ? nil : try endOfLastPacket(container, after: duration, interrupt: interrupt)
      return try counted(end ?? duration, container, interrupt: interrupt)
    }
    var end = Time.zero
    let media = container.streams.filter { stream in
      (stream.kind == .video || stream.kind == .audio)
        && !stream.disposition.contains(.attachedPicture)
    }
    // A file of subtitles lasts until the last subtitle ends.
    let measured = media.isEmpty ? container.streams.filter { $0.kind == .subtitle } : media
    for stream in measured {
      let index = try index(ofStream: stream.index, interrupt: interrupt)
      guard let last = index.end else { continue }
      end = max(end, Time(ticks: last, in: stream.timeBase) - container.origin)
    }
    return precise ? try counted(end, container, interrupt: interrupt) : end
  }

  /// Returns the end of the last track by its packets, where the header states an end within the last packet of audio: the
  /// packet is filled up by the encoder, and is decoded whole, or states its padding. Nil for other files, and if that
  /// is no longer than `stated` and nothing is padding.
  private func endOfLastPacket(
    _ container: Container, after stated: Time, interrupt: Interrupt
  ) throws(EngineError) -> Time? {
    guard container.demuxer.mayEndWithinPacket else { return nil }
    var (found, last): (Time?, Time?) = (nil, nil)
    var isPadding = false
    for stream in container.streams where stream.kind == .audio || stream.kind == .video {
      guard stream.attachedPictureSize == 0 else { continue }
      let index = try index(ofStream: stream.index, interrupt: interrupt)
      guard index.isReliable, let sample = index.presentation.last.map({ index.samples[$0] }) else {
        continue
      }
      let media = StoredTrack(source: self, stream: stream, origin: container.origin)
      let own =
        try paddedEnd(of: stream, interrupt: interrupt).map { $0 - container.origin }
        ?? media.time(index.end ?? sample.end)
      last = max(last ?? .zero, own)
      guard stream.kind == .audio, !stream.needsCountedEnd else { continue }
      let statesPadding = CodecTraits(stream.parameters.codecName).statesItsPadding
      let tick = Time(value: 1, timescale: 1000)
      if statesPadding, own < stated, stated <= media.time(sample.end) + tick { isPadding = true }
      if media.time(sample.pts) < stated, own > max(stated, found ?? .zero) { found = own }
    }
    return isPadding ? last : found
  }

  /// Returns a duration in milliseconds, or the end of audio that is counted in samples if it is
  /// the last track to end.
  private func counted(
    _ duration: Time, _ container: Container, interrupt: Interrupt
  ) throws(EngineError) -> Time {
    var end: Time?
    var isCounted = true
    for stream in container.streams where stream.needsCountedEnd {
      isCounted = try countedAudio(stream, interrupt: interrupt) != nil && isCounted
      guard let own = try trackEnd(of: stream, by: .count, interrupt: interrupt) else { continue }
      end = max(end ?? .zero, own)
    }
    guard let end else { return duration }
    let others = container.streams.contains {
      ($0.kind == .video || $0.kind == .audio) && $0.attachedPictureSize == 0 && !$0.needsCountedEnd
    }
    if isCounted, !others { return end }
    // The container's statement is rounded.
    let isSame = (end - duration).absoluteValue <= Time(value: 2, timescale: 1000)
    return isSame || end > duration ? end : duration
  }

  /// Returns the end of the last track of a movie in fragments, by the fragments themselves; nil
  /// for other files.
  private func fragmentsEnd(
    _ container: Container, interrupt: Interrupt
  ) throws(EngineError) -> Time? {
    guard let movie = try movie(interrupt: interrupt), movie.containsFragments else { return nil }
    var end: Time?
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard stream.attachedPictureSize == 0 else { continue }
      let isKnown = movie.tracks.contains { Int($0.id) == stream.id && $0.fragments != nil }
      guard isKnown else { continue }
      let range = try timeRange(of: stream, interrupt: interrupt)
      end = max(end ?? range.end, range.end)
    }
    return end
  }

  /// Returns the exact time that libav's microseconds stand for: that of a track or of the movie
  /// header's clock, if one of them rounds to the same number.
  private func exactDuration(_ microseconds: Int64, _ container: Container) -> Time {
    let stated = Time(value: microseconds, timescale: 1_000_000)
    func matches(_ time: Time) -> Bool {
      time.converted(toTimescale: 1_000_000).value == microseconds
        || time.converted(toTimescale: 1_000_000, rounding: .towardZero).value == microseconds
    }
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard let ticks = stream.duration else { continue }
      let duration = Time(ticks: ticks, in: stream.timeBase)
      let start = Time(ticks: stream.startTime ?? 0, in: stream.timeBase) - container.origin
      if let exact = [duration, start + duration].first(where: matches) { return exact }
    }
    for timescale: Int32 in [600, 1000] {
      let candidate = stated.converted(toTimescale: timescale)
      if matches(candidate) { return candidate.withoutRounding }
    }
    return stated
  }

  /// Returns the duration of a movie, which begins at 0; libav's duration begins with the first
  /// track.
  ///
  /// - Parameter untilLastSample: returns the exact end of a track if the duration is that end,
  ///   rounded to the movie's clock.
  private func movieDuration(
    _ stated: Time, _ container: Container, untilLastSample: Bool, interrupt: Interrupt
  ) throws(EngineError) -> Time {
    guard let movie = try movie(interrupt: interrupt) else { return stated }
    var end = Time.zero
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard stream.attachedPictureSize == 0, stream.startTime != nil, stream.duration != nil
      else { continue }
      let own =
        untilLastSample
        ? try trackEnd(of: stream, interrupt: interrupt)
        : try timeRange(of: stream, interrupt: interrupt).end
      end = max(end, own)
    }
    let isRounding = (end - stated).absoluteValue <= movie.clockTick
    // If both stand for the same moment, the header's own value is used.
    let isFiner = untilLastSample && isRounding && end != stated
    return end > stated && !isRounding || isFiner ? end : stated
  }

  /// Returns the start and the duration of a track on the asset's clock.
  ///
  /// - Parameter precise: uses the index if the header's durations are missing or estimates.
  func timeRange(
    of stream: StreamInfo, precise: Bool = false, interrupt: Interrupt
  ) throws(EngineError) -> TimeRange {
    let container = try open(interrupt: interrupt)
    if container.clock == nil, let movie = try movie(interrupt: interrupt),
      let track = movie.tracks.first(where: { Int($0.id) == stream.id }),
      let range = movie.fragmentRange(of: track)
    {
      // libavformat measures to the end from zero on, and begins with the sample that is decoded
      // first.
      let first = min(stream.startTime ?? range.start, range.start)
      let start = Time(ticks: first, in: stream.timeBase)
      let end = Time(ticks: range.end, in: stream.timeBase)
      return TimeRange(
        start: max(.zero, start - container.origin), end: max(start, end) - container.origin)
    }
    let isStated = !precise || !durationNeedsScan(container)
    if isStated, let start = stream.startTime, let duration = stream.duration {
      let stated = TimeRange(
        start: max(.zero, Time(ticks: start, in: stream.timeBase) - container.origin),
        duration: Time(ticks: duration, in: stream.timeBase))
      if ignoresEditLists { return stated }
      return try movie(interrupt: interrupt)?.correct(stated, ofTrack: stream.id) ?? stated
    }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    guard let start = index.start, let end = index.end else {
      // There is no sample, as in a file that is cut short: use the header's duration.
      let stated = stream.duration.map { Time(ticks: $0, in: stream.timeBase) }
      return TimeRange(start: .zero, duration: stated ?? .zero)
    }
    let begin = max(.zero, Time(ticks: start, in: stream.timeBase) - container.origin)
    return TimeRange(
      start: begin, end: max(begin, Time(ticks: end, in: stream.timeBase) - container.origin))
  }

  /// Returns the data rate in bits per second: the container's figure, or else the samples' size
  /// over their time.
  func dataRate(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> Double {
    if stream.parameters.bitRate > 0 { return Double(stream.parameters.bitRate) }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    let seconds = try timeRange(of: stream, interrupt: interrupt).duration.seconds
    let bytes = index.samples.reduce(0.0) { $0 + Double($1.size) }
    return seconds > 0 ? bytes * 8 / seconds : 0
  }
}

extension Movie {
  /// The duration of one tick of the edit lists' clock.
  var clockTick: Time { Time(value: 1, timescale: max(1, timescale)) }

  /// Corrects the time range of a track where libav's is wrong: libav counts the part that is
  /// skipped at the start as a delay, and the duration of an empty edit twice if the media is
  /// longer than its edits. A range that differs only by the rounding of the edit list isn't
  /// changed, because samples are exact.
  fileprivate func correct(_ stated: TimeRange, ofTrack id: Int) -> TimeRange {
    guard let track = tracks.first(where: { Int($0.id) == id }), let own = timeRange(of: track)
    else { return stated }
    func nearest(_ stated: Time, _ own: Time) -> Time {
      (own - stated).absoluteValue <= clockTick ? stated : own
    }
    return TimeRange(
      start: nearest(stated.start, own.start), end: nearest(stated.end, own.end))
  }

  /// Returns the header's time range; nil for a movie in fragments, and if an edit has no end.
  private func timeRange(of track: MovieTrack) -> TimeRange? {
    guard timescale > 0, track.timescale > 0, !containsFragments else { return nil }
    let mediaEnd = track.duration.map { Time(value: $0, timescale: track.timescale) } ?? .zero
    guard !track.edits.isEmpty else {
      return mediaEnd > .zero ? TimeRange(start: .zero, duration: mediaEnd) : nil
    }
    guard track.edits.allSatisfy({ $0.duration > 0 }) else { return nil }
    let segments = [AssetTrackSegment](
      edits: track.edits, clock: timescale, mediaClock: track.timescale, mediaEnd: mediaEnd)
    guard let first = segments.first(where: { !$0.isEmpty }), let last = segments.last else {
      return nil
    }
    let start = first.timeMapping.target.start
    return TimeRange(start: start, end: last.timeMapping.target.end)
  }
}

extension Time {
  /// The same number, no longer marked as rounded: for a value that was found by a search.
  var withoutRounding: Time { Time(value: value, timescale: timescale) }
}
