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
