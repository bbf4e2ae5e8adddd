import LibAV
import MediaTime
import SystemIO

/// The location of a track's samples: a stream of a source, and the asset's time zero on its clock.
struct StoredTrack: Sendable {
  let source: MediaSource
  var stream: StreamInfo
  /// The time on the container's clock that is the asset's zero.
  let origin: Time
  /// The track's number where its samples are encrypted; nil where they are clear.
  var encryptedTrackID: Int32?
  /// The facts that a movie's header states about the first samples.
  var sampleDescription: SampleDescription?
  /// A window of the index, for callers that need no more of it; nil for all of it.
  var window: SampleIndex?
  /// The time of the track's first sample in ticks, from which the packets of ``window`` are counted; nil where they
  /// aren't counted, and without a window.
  var firstTime: Int64?

  var path: String { source.path }
  var format: TrackFormat {
    TrackFormat(path: path, stream: stream, sampleDescription: sampleDescription)
  }

  func index(interrupt: Interrupt) throws(EngineError) -> SampleIndex {
    if let window { return window }
    return try source.index(ofStream: stream.index, interrupt: interrupt)
  }

  /// Makes the index if there is none: ``index(interrupt:)`` takes no time afterwards.
  func prepareIndex(
    interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    guard window == nil else { return }
    try await source.prepareIndexes(interrupt: interrupt)
  }

  /// Returns the reason why samples are missing before `end`; nil where none are, and before the
  /// index is known.
  func damage(before end: Time) -> EngineError? {
    source.damage(ofStream: stream, origin: origin, before: end)
  }

  /// Throws for encrypted samples. Called before anything is decoded: a decoder's output for
  /// encrypted samples is noise, or an error that reports damage.
  ///
  /// - Throws: `contentIsProtected`.
  func requireUnprotected() throws(EngineError) {
    guard let encryptedTrackID else { return }
    throw EngineError(
      .contentIsProtected,
      "Track \(encryptedTrackID) of '\(path)' (\(stream.kind.rawValue)) is encrypted and can't be "
        + "decoded",
      advice: .useUnprotectedMedia, path: path)
  }

  /// Throws for a file of a stated length in which no sample is found: libavformat's parser doesn't
  /// understand it, so it isn't a short file.
  ///
  /// - Throws: `undecodableMediaData`.
  func requireSamples(_ index: SampleIndex, interrupt: Interrupt) throws(EngineError) {
    guard index.samples.isEmpty, stream.kind == .audio || stream.kind == .video,
      let stated = stream.duration, stated > 0, try !source.hasSamples(interrupt: interrupt)
    else { return }
    let parameters = stream.parameters
    let depth = parameters.bitsPerRawSample > 0 ? " of \(parameters.bitsPerRawSample) bits" : ""
    throw EngineError(
      .undecodableMediaData,
      "'\(path)' states \(duration(stated).shortSeconds) of \(parameters.name)\(depth), "
        + "and FFmpeg finds no sample in it",
      advice: .tryNewerFFmpeg,
      path: path, stage: .read)
  }

  /// Returns true for the same stream of the same file.
  func isSameStream(as other: StoredTrack) -> Bool {
    source === other.source && stream.index == other.stream.index
  }

  /// Returns true for the same stream of the same file, as far as the same part of its index goes.
  func hasSameIndex(as other: StoredTrack) -> Bool {
    guard isSameStream(as: other) else { return false }
    guard let window, let theirs = other.window else {
      return window == nil && other.window == nil
    }
    return window.samples.count == theirs.samples.count
      && window.samples.first == theirs.samples.first
  }

  /// Returns a time stamp of the stream on the asset's clock.
  func time(_ ticks: Int64) -> Time { Time(ticks: ticks, in: stream.timeBase) - origin }

  /// Returns a length of the stream's clock as a duration.
  func duration(_ ticks: Int64) -> Time { Time(ticks: ticks, in: stream.timeBase) }

  /// Returns a time of the asset as a time stamp of the stream.
  func ticks(_ time: Time, rounding: RoundingMethod) -> Int64 {
    (time + origin).ticks(in: stream.timeBase, rounding: rounding)
  }
}
