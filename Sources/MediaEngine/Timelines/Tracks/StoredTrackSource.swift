import LibAV
import MediaTime
import SystemIO

/// A stream of a file as a source of a track.
extension StoredTrack: TrackSource {
  var stored: StoredTrack? { self }
  var isProtected: Bool { encryptedTrackID != nil }

  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {
    try await prepareIndex(interrupt: interrupt, isolation: isolation)
  }

  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    source.prefersPreciseTiming
      ? try preciseTimeRange(interrupt: interrupt)
      : try source.timeRange(of: stream, interrupt: interrupt)
  }

  /// Returns the range of its samples: by the index where the container's times are missing, estimates, or on a clock
  /// that is coarser than its samples.
  func preciseTimeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    guard try needsIndexForTimeRange(interrupt: interrupt) else {
      return try source.timeRange(of: stream, interrupt: interrupt)
    }
    let index = try source.index(ofStream: stream.index, interrupt: interrupt)
    guard let start = index.start, let end = index.end else {
      return try source.timeRange(of: stream, interrupt: interrupt)
    }
    let begin = max(.zero, time(start))
    if let counted = try source.trackEnd(of: stream, by: .count, interrupt: interrupt) {
      return TimeRange(start: begin, end: counted)
    }
    let padded = try source.paddedEnd(of: stream, interrupt: interrupt)
    return TimeRange(start: begin, end: padded.map { $0 - origin } ?? time(end))
  }

  /// Returns true if the container doesn't state the exact range of its samples.
  func needsIndexForTimeRange(interrupt: Interrupt) throws(EngineError) -> Bool {
    if stream.startTime == nil || stream.duration == nil || stream.needsCountedEnd { return true }
    return source.durationNeedsScan(try source.open(interrupt: interrupt))
  }

  func makeErrors(range: TimeRange) -> DecodeErrors? {
    DecodeErrors(DecodeErrorLog(self, range: range))
  }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    try TimedFrames(clip(reading), priority: priority)
  }

  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try DecodedAudio(
      clip: clip(reading), settings: settings,
      trackEnd: try source.trackEnd(of: stream, by: .tables, interrupt: reading.interrupt))
  }

  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try TextSamples(clip: clip(reading))
  }

  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try StoredSamples(clip: clip(reading), formats: formats)
  }

  /// Returns the part to read as a clip, for readers of one stored track.
  func clip(_ reading: TrackReading) -> TrackClip {
    if reading.isRestarted { reading.errors?.log?.restart(at: reading.range.start) }
    return TrackClip(
      media: self, range: reading.range, interrupt: reading.interrupt,
      requiresWhole: reading.requiresWhole, damage: reading.errors?.log,
      deinterlacing: reading.deinterlacing, sharing: reading.sharing)
  }
}
