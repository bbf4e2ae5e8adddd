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
  ) throws(EngineError) -> any FrameStream {
    try TimedFrames(clip(reading), priority: priority)
  }

  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any AudioStream {
    try DecodedAudio(clip: clip(reading), settings: settings)
  }

  func texts(_ reading: TrackReading) throws(EngineError) -> any SampleSequence {
    try TextSamples(clip: clip(reading))
  }

  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any SampleSequence {
    try StoredSamples(clip: clip(reading), formats: formats)
  }

  /// What of it is read, for those who read one stored track.
  func clip(_ reading: TrackReading) -> TrackClip {
    TrackClip(
      media: self, range: reading.range, interrupt: reading.interrupt,
      requiresWhole: reading.requiresWhole, damage: reading.errors?.log)
  }
}
