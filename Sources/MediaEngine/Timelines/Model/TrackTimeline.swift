import LibAV
import MediaTime
import SystemIO

/// What a track shows when: a list of parts, each a range of a source, or empty (AVCompositionTrackSegment).
///
/// A file's track is a timeline of one part, which is all of its stream at its own times: edit lists of one piece are
/// applied below it. Of others each edit is a part. Nothing that reads a track makes a difference between the two.
struct TrackTimeline: Sendable {
  struct Part: Sendable {
    /// Nil in an empty edit.
    let source: (any TrackSource)?
    /// From the source's clock to the track's.
    let mapping: TimeMapping

    init(_ source: any TrackSource, mapping: TimeMapping) {
      self.source = source
      self.mapping = mapping
    }

    /// An empty edit.
    init(emptyTarget target: TimeRange) {
      source = nil
      mapping = TimeMapping(emptyTarget: target)
    }

    /// All of a source at its own times, however long it is.
    fileprivate init(allOf source: any TrackSource) {
      self.init(source, mapping: TimeMapping(source: .all, target: .all))
    }

    /// True where the track has the source's own times, without an end of its own.
    var isIdentity: Bool { source != nil && mapping.source == .all && mapping.target == .all }

    /// The source's time that is shown at a time of the track.
    func sourceTime(_ time: Time) -> Time {
      isIdentity ? time : time.mapped(from: mapping.target, to: mapping.source)
    }

    /// The track's time at which a time of the source is shown.
    func targetTime(_ time: Time) -> Time {
      isIdentity ? time : time.mapped(from: mapping.source, to: mapping.target)
    }

    /// How long something of the source lasts in the track.
    func targetDuration(_ duration: Time) -> Time {
      isIdentity ? duration : duration.mappedDuration(from: mapping.source, to: mapping.target)
    }
  }

  /// In the order of their targets, which don't overlap. Where one goes on where the one before it ends, they are
  /// one: what a cut that changes nothing has divided is read at once.
  let parts: [Part]
  /// The parts as they were given.
  let segments: [TimeMapping]
  /// What the samples are, at first; of a track without any, of its kind of media and nothing else.
  let format: TrackFormat
  /// What frames are fitted into; nil where they stay as they are.
  let canvas: Canvas?
  /// What a movie's edit list shows parts of; nil for a track that is one source, and for a composition's.
  let edited: EditedTrack?

  /// A track that is one source.
  init(_ source: any TrackSource) {
    parts = [Part(allOf: source)]
    segments = parts.map(\.mapping)
    format = source.format
    canvas = nil
    edited = nil
  }

  /// - Parameters:
  ///   - parts: their targets ascend and don't overlap. All may be empty, and there may be none.
  ///   - path: what messages call a track without a source.
  ///   - edited: the stream that all parts are of, where they are an edit list's.
  init(
    parts: [Part], of mediaType: MediaType, path: String, canvas: Canvas? = nil,
    edited: EditedTrack? = nil
  ) throws(EngineError) {
    self.edited = edited
    self.parts = parts.joiningAdjacent
    segments = parts.map(\.mapping)
    self.canvas = mediaType == .video ? canvas : nil
    if let first = parts.lazy.compactMap(\.source).first {
      format = first.format
    } else {
      format = try TrackFormat(ofNothing: mediaType, path: path)
    }
  }

  /// By the parts, the number of the first segment of each.
  var segmentNumbers: [Int] {
    var number = 0
    return parts.map { part in
      while segments[number].target.start < part.mapping.target.start { number += 1 }
      return number
    }
  }

  /// True where no part has a source.
  var isEmpty: Bool { parts.allSatisfy { $0.source == nil } }

  /// Its one source, at the source's own times; nil for a track of several parts.
  var source: (any TrackSource)? {
    parts.count == 1 && parts[0].isIdentity ? parts[0].source : nil
  }

  /// The stream of a file that is all of the track; nil for others.
  var stored: StoredTrack? { source?.stored }

  /// True for a track that is put together: of several parts, of a part at other times, or of other tracks.
  var isComposite: Bool { source.map { $0.layers != nil } ?? true }

  /// How the times of its samples came about.
  var timing: SampleTiming { source?.timing ?? .exact }

  /// The parts that a range of the track reaches, by their numbers, with what it reaches of each.
  ///
  /// Of a track that is one source that is the range itself.
  func ranges(in range: TimeRange) -> [Int: (source: TimeRange?, target: TimeRange)] {
    var found: [Int: (source: TimeRange?, target: TimeRange)] = [:]
    for (number, part) in parts.enumerated() {
      if part.isIdentity {
        found[number] = (range, range)
        continue
      }
      let target = part.mapping.target.intersection(range)
      guard target.isValid, !target.isEmpty else { continue }
      guard part.source != nil else {
        found[number] = (nil, target)
        continue
      }
      let source = TimeRange(start: part.sourceTime(target.start), end: part.sourceTime(target.end))
      found[number] = (source, target)
    }
    return found
  }
}

extension TrackTimeline {
  /// The parts of another track that shows a range of this one.
  ///
  /// - Parameter mapping: from this track's clock to the other's.
  func parts(showing mapping: TimeMapping) -> [Part] {
    if let source { return [Part(source, mapping: mapping)] }
    let ranges = ranges(in: mapping.source)
    var found: [Part] = []
    for number in parts.indices {
      guard let range = ranges[number] else { continue }
      let target = TimeRange(
        start: range.target.start.mapped(from: mapping.source, to: mapping.target),
        end: range.target.end.mapped(from: mapping.source, to: mapping.target))
      guard target.isValid, !target.isEmpty else { continue }
      if let source = parts[number].source, let own = range.source {
        found.append(Part(source, mapping: TimeMapping(source: own, target: target)))
      } else {
        found.append(Part(emptyTarget: target))
      }
    }
    return found
  }
}

extension TrackTimeline.Part {
  /// Both as one, where the other goes on where this one ends, at the same speed.
  fileprivate func joined(with next: Self) -> Self? {
    guard let source, let media = source.stored, let following = next.source?.stored,
      media.isSameStream(as: following), mapping.rate == next.mapping.rate,
      mapping.source.end == next.mapping.source.start,
      mapping.target.end == next.mapping.target.start
    else { return nil }
    let both = TimeMapping(
      source: TimeRange(start: mapping.source.start, end: next.mapping.source.end),
      target: TimeRange(start: mapping.target.start, end: next.mapping.target.end))
    // Where times were rounded, they may go on without being the sum.
    guard both.source.end == next.mapping.source.end, both.target.end == next.mapping.target.end,
      both.rate == mapping.rate
    else { return nil }
    return Self(source, mapping: both)
  }
}

extension [TrackTimeline.Part] {
  fileprivate var joiningAdjacent: Self {
    reduce(into: []) { parts, part in
      if let both = parts.last?.joined(with: part) {
        parts[parts.count - 1] = both
      } else {
        parts.append(part)
      }
    }
  }
}

extension TrackTimeline {
  private var sources: [any TrackSource] { parts.compactMap(\.source) }

  /// - Throws: `contentIsProtected`.
  func requireUnprotected() throws(EngineError) {
    for source in sources { try source.requireUnprotected() }
  }

  var isProtected: Bool { sources.contains { $0.isProtected } }
  /// The formats of its parts, at first: each stream of a file once.
  var partFormats: [TrackFormat] {
    var known: [ObjectIdentifier: Set<Int>] = [:]
    return sources.filter { source in
      guard let media = source.stored else { return true }
      return known[ObjectIdentifier(media.source), default: []].insert(media.stream.index).inserted
    }.map(\.format)
  }

  /// Does what takes long before the first sample can be read.
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    for source in sources { try await source.prepare(interrupt: interrupt, isolation: isolation) }
  }

  /// When the track begins and ends.
  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    if let source { return try source.timeRange(interrupt: interrupt) }
    guard let first = parts.first, let last = parts.last else { return .zero }
    return TimeRange(start: first.mapping.target.start, end: last.mapping.target.end)
  }

  /// Whether missing samples are reported beside the others, and no error.
  var salvages: Bool { sources.contains(where: \.salvages) }

  /// Why samples are missing before a time of the track; nil where none are.
  func damage(before end: Time) -> EngineError? {
    for part in parts {
      guard let source = part.source else { continue }
      if !part.isIdentity, part.mapping.target.start >= end { break }
      let limit = part.isIdentity ? end : min(end, part.mapping.target.end)
      if let damage = source.damage(before: part.sourceTime(limit)) { return damage }
    }
    return nil
  }
}

extension TrackTimeline {
  /// Times that are whole numbers on a clock on which the frames and the ends of all parts are.
  var clockTimes: [Time] {
    parts.flatMap { part -> [Time] in
      let ends = [part.mapping.target.start, part.mapping.target.end]
      guard let source = part.source else { return ends }
      let tick = Time(ticks: 1, in: source.format.timeBase)
      let zero = part.targetTime(source.stored?.time(0) ?? .zero)
      return [tick, part.targetDuration(tick), zero] + ends
    }
  }

  /// A clock on which the times of all parts are whole numbers, or those of as many as a million ticks a second
  /// allow.
  var commonTimeBase: TimeBase {
    let own = format.timeBase
    // Nanoseconds, as some WebM files have them, are whole on no other clock.
    if Int64(own.denominator) > 1_000_000 * Int64(own.numerator) { return own }
    return clockTimes.clock()
  }
}
