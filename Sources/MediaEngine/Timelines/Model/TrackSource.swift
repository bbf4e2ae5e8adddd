import LibAV
import MediaTime
import SystemIO

/// Where the samples of a part of a track come from: a stream of a file, or a source with neither an index
/// nor an end, such as a device or a file that grows.
///
/// Times are on the source's own clock, whose zero is that of the asset it belongs to.
protocol TrackSource: Sendable {
  /// What the samples are, at first.
  var format: TrackFormat { get }
  /// The stream of a file behind it, with the index of its samples; nil where there is no index.
  var stored: StoredTrack? { get }
  /// How the times of its samples came about.
  var timing: SampleTiming { get }
  /// The tracks that its pictures are put together of; nil for pictures that are a source's own.
  var layers: [TrackInfo]? { get }

  /// True where its samples are encrypted.
  var isProtected: Bool { get }

  /// Called before anything is decoded.
  ///
  /// - Throws: `contentIsProtected`.
  func requireUnprotected() throws(EngineError)
  /// Does what takes long before the first sample can be read: nothing, or the index.
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError)
  /// When its samples begin and end; positive infinity for an end that isn't there yet.
  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange
  /// Why samples are missing before `end`; nil where none are, and before that is known.
  func damage(before end: Time) -> EngineError?
  /// Whether that is reported beside the samples, and no error.
  var salvages: Bool { get }
  /// Measures what will be decoded of a range; nil where nothing is promised.
  func makeErrors(range: TimeRange) -> DecodeErrors?

  /// Frames of which a part is shown in the range, in presentation order.
  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame>
  /// Decoded audio, cut to the range by the sample.
  func audio(_ reading: TrackReading, _ settings: AudioSettings) throws(EngineError)
    -> any MediaStream<SampleBuffer>
  /// Text that is shown in the range.
  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer>
  /// Samples as they are stored, in decode order, from the sync sample before the range.
  ///
  /// - Parameter formats: those that the track's header describes.
  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer>
}

extension TrackSource {
  var hasIndex: Bool { stored != nil }
  var timing: SampleTiming { .stated }
  var layers: [TrackInfo]? { nil }
  var isProtected: Bool { false }
  var salvages: Bool { stored?.source.salvages ?? false }

  func requireUnprotected() throws(EngineError) {}
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {}
  func damage(before end: Time) -> EngineError? { nil }
  func makeErrors(range: TimeRange) -> DecodeErrors? { nil }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> { throw lacks("pictures") }
  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> { throw lacks("audio") }
  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    throw lacks("text")
  }
  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer> { throw lacks("stored samples") }

  private func lacks(_ form: String) -> EngineError {
    EngineError(
      .operationNotSupportedForAsset, "'\(format.path)' has no \(form)", path: format.path)
  }
}

/// How the times of samples came about.
enum SampleTiming: Sendable {
  /// By a file, a caller or a device, rounded to a clock of theirs.
  case stated
  /// By arithmetic: of pictures that are made for any time, and of parts that begin and end where they are put.
  case exact
}

/// How a range of a track, or of one of its sources, is read.
struct TrackReading {
  var range: TimeRange
  let interrupt: Interrupt
  /// True for an export: a file that is cut short must not pass for a whole one that is shorter.
  var requiresWhole = false
  /// Measures what comes out of the decoder.
  var errors: DecodeErrors?
  /// True for a stream that has been restarted: what `errors` measures begins with the range.
  var isRestarted = false
}

/// What was decoded of a range of a track: of one stored source, or of each of the parts or layers of others.
final class DecodeErrors: Sendable {
  /// Nil where there are parts, and where nothing is promised.
  let log: DecodeErrorLog?
  /// By the numbers of the timeline's parts, or of the layers.
  let parts: [DecodeErrors?]

  init(_ timeline: TrackTimeline, range: TimeRange) {
    if let source = timeline.source {
      let own = source.makeErrors(range: range)
      (log, parts) = (own?.log, own?.parts ?? [])
      return
    }
    let ranges = timeline.ranges(in: range)
    log = nil
    parts = timeline.parts.indices.map { number in
      guard let source = timeline.parts[number].source, let range = ranges[number]?.source else {
        return nil
      }
      return source.makeErrors(range: range)
    }
  }

  /// Of a stored source.
  init(_ log: DecodeErrorLog) { (self.log, parts) = (log, []) }

  /// Of tracks that are shown together.
  init(layers: [DecodeErrors]) { (log, parts) = (nil, layers) }

  private var logs: [DecodeErrorLog] {
    (log.map { [$0] } ?? []) + parts.flatMap { $0?.logs ?? [] }
  }

  /// For the track of that number; nil where nothing is missing.
  func samples(of trackID: Int32, _ mediaType: MediaType) -> DamagedSamples? {
    let found = logs.compactMap { $0.samples(of: trackID, mediaType) }
    guard let first = found.first else { return nil }
    return DamagedSamples(
      trackID: first.trackID, mediaType: first.mediaType,
      reason: found.map(\.reason).joined(separator: "; "))
  }
}
