import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The source of the samples of a part of a track: a stream of a file, or a source with neither an
/// index nor an end, such as a device or a growing file.
///
/// Times are on the source's own clock, whose zero is that of the asset it belongs to.
protocol TrackSource: Sendable {
  /// The format of the first samples.
  var format: TrackFormat { get }
  /// The stream of a file with an index of its samples; nil for a source without an index.
  var stored: StoredTrack? { get }
  /// The origin of its samples' times.
  var timing: SampleTiming { get }
  /// The tracks that its frames are composed of; nil for frames of the source itself.
  var layers: [TrackInfo]? { get }

  /// False for a source of which nothing can be copied, as its samples come backward, one is held, or
  /// the speed changes.
  var isPlayedForward: Bool { get }
  /// The speeds between which its audio is stretched already; none for a source that isn't.
  var speeds: [StretchRatio] { get }
  /// Returns the part of a track that presents a range of it.
  func shown(by mapping: TimeMapping) -> TrackTimeline.Part
  /// Returns the time of the asset's track that is presented at a time.
  func assetTime(_ time: Time) -> Time
  /// True if its samples are encrypted.
  var isProtected: Bool { get }

  /// Checks that the samples aren't protected. Called before any decoding.
  ///
  /// - Throws: `contentIsProtected`.
  func requireUnprotected() throws(EngineError)
  /// Does the slow work that precedes reading the first sample, such as loading the index.
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError)
  /// Returns the start and end of its samples; positive infinity for an end that isn't known yet.
  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange
  /// Returns the reason for samples missing before `end`; nil if none are missing, and while that
  /// isn't known.
  func damage(before end: Time) -> EngineError?
  /// True if missing samples are reported in addition to the other samples, and aren't an error.
  var salvages: Bool { get }
  /// Creates a log of errors in decoding a range; nil for a source without a known number of
  /// samples.
  func makeErrors(range: TimeRange) -> DecodeErrors?

  /// Returns the frames that are at least partly in the range, in presentation order.
  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame>
  /// Returns decoded audio, cut to the range by the sample.
  func audio(_ reading: TrackReading, _ settings: AudioSettings) throws(EngineError)
    -> any MediaStream<SampleBuffer>
  /// Returns the text that is presented in the range.
  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer>
  /// Returns samples as they are stored, in decode order, from the sync sample before the range.
  ///
  /// - Parameter formats: the formats that the track's header describes.
  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer>
}

extension TrackSource {
  var hasIndex: Bool { stored != nil }
  var timing: SampleTiming { .stated }
  var layers: [TrackInfo]? { nil }
  var isPlayedForward: Bool { true }
  var speeds: [StretchRatio] { [] }
  func shown(by mapping: TimeMapping) -> TrackTimeline.Part {
    TrackTimeline.Part(self, mapping: mapping)
  }
  func assetTime(_ time: Time) -> Time { time }
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

/// The origin of samples' times.
enum SampleTiming: Sendable {
  /// Stated by a file, a caller or a device, rounded to a clock of theirs.
  case stated
  /// Computed: for frames that are rendered for any time, and for parts that begin and end at their
  /// exact positions.
  case exact
}

/// The parameters for reading a range of a track or of one of its sources.
struct TrackReading {
  var range: TimeRange
  let interrupt: Interrupt
  /// True for an export: a file that is cut short must not pass for a complete one that is shorter.
  var requiresWhole = false
  /// The log of errors in decoding.
  var errors: DecodeErrors?
  /// True for a stream that has been restarted: `errors` begins again with the range.
  var isRestarted = false
  /// The treatment of frames of two fields.
  var deinterlacing = Deinterlacing.none
  /// The demuxers of tracks that are read at the same time.
  var sharing: SharedDemuxers?
}

/// The errors of decoding a range of a track: of one stored source, or of each of the parts or
/// layers of others.
final class DecodeErrors: Sendable {
  /// The log of one source; nil if there are parts, and for a source without a known number of
  /// samples.
  let log: DecodeErrorLog?
  /// The errors by the numbers of the timeline's parts, or of the layers.
  let parts: [DecodeErrors?]
  /// The errors of the groups of pictures of a reversed source.
  private let groups = Mutex<[DecodeErrors]>([])

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

  /// Creates the errors of a stored source.
  init(_ log: DecodeErrorLog) { (self.log, parts) = (log, []) }

  /// Creates the errors of tracks that are shown together.
  init(layers: [DecodeErrors]) { (log, parts) = (nil, layers) }

  /// Adds those of a group of pictures, or of another part that is read separately.
  func add(_ group: DecodeErrors) { groups.withLock { $0.append(group) } }

  func removeGroups() { groups.withLock { $0 = [] } }

  private var logs: [DecodeErrorLog] {
    (log.map { [$0] } ?? []) + parts.flatMap { $0?.logs ?? [] }
      + groups.withLock(\.self).flatMap(\.logs)
  }

  /// The numbers of samples that were skipped, and of other reports.
  var counts: (refused: Int, shortfalls: Int) {
    logs.map(\.counts).reduce((0, 0)) { ($0.0 + $1.refused, $0.1 + $1.shortfalls) }
  }

  /// Returns the missing samples as those of the track of that number; nil if none are missing.
  func samples(of trackID: Int32, _ mediaType: MediaType) -> DamagedSamples? {
    let found = logs.compactMap { $0.samples(of: trackID, mediaType) }
    guard let first = found.first else { return nil }
    return DamagedSamples(
      trackID: first.trackID, mediaType: first.mediaType,
      reason: found.map(\.reason).joined(separator: "; "))
  }
}
