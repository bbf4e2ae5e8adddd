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
    try source.timeRange(of: stream, interrupt: interrupt)
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
      trackEnd: try statedAudioEnd(interrupt: reading.interrupt))
  }

  /// When the audio of a movie ends by its tables and its edit list, where these count in samples: the rest
  /// of its last packet is the padding of an encoder. Nil elsewhere.
  private func statedAudioEnd(interrupt: Interrupt) throws(EngineError) -> Time? {
    let rate = Int64(stream.parameters.sampleRate)
    guard stream.kind == .audio, stream.timeBase.countsSamples(at: rate),
      let movie = try source.movie(interrupt: interrupt)
    else { return nil }
    let index = try index(interrupt: interrupt)
    guard let last = index.presentation.last.map({ index.samples[$0] }) else { return nil }
    let isDerived = last.isDurationUnknown || last.flags.contains(.derivedDuration)
    let tables = isDerived ? nil : time(last.end)
    let track = movie.tracks.first { Int($0.id) == stream.id }
    if let track, movie.containsFragments {
      guard movie.fragmentRange(of: track) != nil else { return tables }
      // libavformat doesn't pass on how long the last sample of a fragment is.
      let end = try source.timeRange(of: stream, interrupt: interrupt).end
      return end > time(last.pts) && end < time(last.end) ? end : tables
    }
    guard let track, !source.ignoresEditLists, !track.edits.isEmpty,
      track.edits.allSatisfy({ $0.duration > 0 })
    else { return tables }
    // An edit list has a clock of its own, which is often coarser; libavformat cuts the last packet by it.
    let edits = try source.timeRange(of: stream, interrupt: interrupt).end
    let exact = try source.exactEnd(of: stream, interrupt: interrupt)
    guard let tables, exact == edits else { return exact }
    let tick = Time(value: 1, timescale: max(1, movie.timescale))
    return edits >= tables - tick ? tables : edits
  }

  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try TextSamples(clip: clip(reading))
  }

  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try StoredSamples(clip: clip(reading), formats: formats)
  }

  /// What of it is read, for those who read one stored track.
  func clip(_ reading: TrackReading) -> TrackClip {
    if reading.isRestarted { reading.errors?.log?.restart(at: reading.range.start) }
    return TrackClip(
      media: self, range: reading.range, interrupt: reading.interrupt,
      requiresWhole: reading.requiresWhole, damage: reading.errors?.log)
  }
}

extension TimeBase {
  /// True where an audio sample is a whole number of ticks, or a tick of samples.
  fileprivate func countsSamples(at rate: Int64) -> Bool {
    guard rate > 0, numerator == 1, denominator > 0 else { return false }
    let ticks = Int64(denominator)
    return ticks % rate == 0 || rate % ticks == 0
  }
}
