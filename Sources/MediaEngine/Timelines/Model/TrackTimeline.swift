import LibAV
import MediaTime
import SystemIO

/// The presentation of a track over time: a list of parts, each a range of a source, or empty
/// (AVCompositionTrackSegment).
///
/// A file's track is a timeline of one part, which is all of its stream at its own times: edit
/// lists of one piece are applied by the source. In other edit lists each edit is a part. Readers
/// of a track treat both alike.
struct TrackTimeline: Sendable {
  struct Part: Sendable {
    /// The source; nil in an empty edit.
    let source: (any TrackSource)?
    /// The mapping from the source's clock to the track's.
    let mapping: TimeMapping

    init(_ source: any TrackSource, mapping: TimeMapping) {
      self.source = source
      self.mapping = mapping
    }

    /// Creates an empty edit.
    init(emptyTarget target: TimeRange) {
      source = nil
      mapping = TimeMapping(emptyTarget: target)
    }

    /// Creates a part of all of a source at its own times, of any duration.
    fileprivate init(allOf source: any TrackSource) {
      self.init(source, mapping: TimeMapping(source: .all, target: .all))
    }

    /// True for an empty edit.
    var isEmpty: Bool { source == nil }

    /// True if the track has the source's own times, without an end of its own.
    var isIdentity: Bool { !isEmpty && mapping.source == .all && mapping.target == .all }

    /// Returns the source's time that is presented at a time of the track.
    func sourceTime(_ time: Time) -> Time {
      isIdentity ? time : time.mapped(from: mapping.target, to: mapping.source)
    }

    /// Returns the time of the asset's track that is presented at a time of the track.
    func assetTime(_ time: Time) -> Time {
      let own = sourceTime(time)
      return source?.assetTime(own) ?? own
    }

    /// Returns the track's time at which a time of the source is presented.
    func targetTime(_ time: Time) -> Time {
      isIdentity ? time : time.mapped(from: mapping.source, to: mapping.target)
    }

    /// Returns the duration in the track of a duration of the source.
    func targetDuration(_ duration: Time) -> Time {
      isIdentity ? duration : duration.mappedDuration(from: mapping.source, to: mapping.target)
    }
  }

  /// The parts in the order of their targets, which don't overlap. Adjacent parts that continue
  /// each other are joined: a cut that doesn't change anything doesn't divide reading.
  let parts: [Part]
  /// The targets and sources of the parts before they were joined.
  let segments: [TimeMapping]
  /// The format of the first samples; for a track without samples, only its media type.
  let format: TrackFormat
  /// The area that frames are fitted into; nil leaves frames as they are.
  let canvas: Canvas?
  /// The stream whose parts a movie's edit list presents; nil for a track that is one source, and
  /// for a composition's.
  let edited: EditedTrack?

  /// Creates a track that is one source.
  init(_ source: any TrackSource) {
    parts = [Part(allOf: source)]
    segments = parts.map(\.mapping)
    format = source.format
    canvas = nil
    edited = nil
  }

  /// - Parameters:
  ///   - parts: their targets ascend and don't overlap. All may be empty, and there may be none.
  ///   - path: the name in messages of a track without a source.
  ///   - edited: the stream of all parts, if they are those of an edit list.
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

  /// The number of the first segment of each part.
  var segmentNumbers: [Int] {
    var number = 0
    return parts.map { part in
      while segments[number].target.start < part.mapping.target.start { number += 1 }
      return number
    }
  }

  /// True if no part has a source.
  var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

  /// The only source, at the source's own times; nil for a track of several parts.
  var source: (any TrackSource)? {
    parts.count == 1 && parts[0].isIdentity ? parts[0].source : nil
  }

  /// True for a track of several parts, or of one that is empty, cut or at other times; false for one source at its own
  /// times.
  var isOfParts: Bool { source == nil }

  /// The stream of a file that is all of the track; nil for others.
  var stored: StoredTrack? { source?.stored }

  /// True for a track that is one source with an index of its samples.
  var hasIndex: Bool { stored != nil }

  /// True for a composite track: of several parts, of a part at other times, or of other tracks.
  var isComposite: Bool { source.map { $0.layers != nil } ?? true }

  /// The origin of its samples' times.
  var timing: SampleTiming { source?.timing ?? .exact }

  /// Returns the parts that overlap a range of the track, by their numbers, with the overlapping
  /// ranges.
  ///
  /// For a track that is one source, both are the range itself.
  func ranges(in range: TimeRange) -> [Int: (source: TimeRange?, target: TimeRange)] {
    var found: [Int: (source: TimeRange?, target: TimeRange)] = [:]
    for (number, part) in parts.enumerated() {
      if part.isIdentity {
        found[number] = (range, range)
        continue
      }
      let target = part.mapping.target.intersection(range)
      guard target.isValid, !target.isEmpty else { continue }
      guard !part.isEmpty else {
        found[number] = (nil, target)
        continue
      }
      let source = TimeRange(start: part.sourceTime(target.start), end: part.sourceTime(target.end))
      found[number] = (source, target)
    }
    return found
  }

  /// Returns the empty ranges between the shown parts that overlap a range of the track.
  func gaps(in range: TimeRange) -> [TimeRange] {
    let ranges = ranges(in: range)
    let shown = parts.indices.compactMap { parts[$0].source == nil ? nil : ranges[$0]?.target }
    return zip(shown, shown.dropFirst()).compactMap { before, after in
      after.start > before.end ? TimeRange(start: before.end, end: after.start) : nil
    }
  }
}

extension TrackTimeline {
  /// Returns the parts of another track that presents a range of this one.
  ///
  /// - Parameter mapping: from this track's clock to the other's.
  func parts(showing mapping: TimeMapping) -> [Part] {
    if let source { return [source.shown(by: mapping)] }
    let ranges = ranges(in: mapping.source)
    var found: [Part] = []
    for number in parts.indices {
      guard let range = ranges[number] else { continue }
      let target = TimeRange(
        start: range.target.start.mapped(from: mapping.source, to: mapping.target),
        end: range.target.end.mapped(from: mapping.source, to: mapping.target))
      guard target.isValid, !target.isEmpty else { continue }
      if let source = parts[number].source, let own = range.source {
        found.append(source.shown(by: TimeMapping(source: own, target: target)))
      } else {
        found.append(Part(emptyTarget: target))
      }
    }
    return found
  }
}

extension TrackTimeline.Part {
  /// Returns both parts as one if the other continues this one at the same speed.
  fileprivate func joined(with next: Self) -> Self? {
    guard let source, let media = source.stored, let following = next.source?.stored,
      media.isSameStream(as: following), mapping.rate == next.mapping.rate,
      mapping.source.end == next.mapping.source.start,
      mapping.target.end == next.mapping.target.start
    else { return nil }
    let both = TimeMapping(
      source: TimeRange(start: mapping.source.start, end: next.mapping.source.end),
      target: TimeRange(start: mapping.target.start, end: next.mapping.target.end))
    // If times were rounded, the end of the sum may differ from the next part's end.
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
  /// The formats of the first samples of its parts, each stream of a file once.
  var partFormats: [TrackFormat] {
    var known: [ObjectIdentifier: Set<Int>] = [:]
    return sources.filter { source in
      guard let media = source.stored else { return true }
      return known[ObjectIdentifier(media.source), default: []].insert(media.stream.index).inserted
    }.map(\.format)
  }

  /// Does the slow work that precedes reading the first sample.
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    for source in sources { try await source.prepare(interrupt: interrupt, isolation: isolation) }
  }

  /// Returns the track with the window of its index that is needed to read the pictures or the stored samples of a range;
  /// nil where all of the index is, and for a track of several parts.
  func windowed(
    for range: TimeRange, earlierSyncSamples count: Int, interrupt: Interrupt
  ) throws(EngineError) -> TrackTimeline? {
    guard let media = stored else { return nil }
    return try media.windowed(for: range, earlierSyncSamples: count, interrupt: interrupt)
      .map(TrackTimeline.init)
  }

  /// Returns the start and the end of the track.
  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    if let source { return try source.timeRange(interrupt: interrupt) }
    guard let first = parts.first, let last = parts.last else { return .zero }
    return TimeRange(start: first.mapping.target.start, end: last.mapping.target.end)
  }

  /// Returns the track with an empty part up to a time, if it ends before that.
  func lasting(
    until time: Time, as mediaType: MediaType, interrupt: Interrupt
  ) throws(EngineError) -> TrackTimeline {
    let end = try timeRange(interrupt: interrupt).end
    guard end < time else { return self }
    var parts = parts
    if let source {
      let own = TimeRange(start: .zero, end: end)
      parts = [Part(source, mapping: TimeMapping(source: own, target: own))]
    }
    parts.append(Part(emptyTarget: TimeRange(start: end, end: time)))
    return try TrackTimeline(
      parts: parts, of: mediaType, path: format.path, canvas: canvas)
  }

  /// True if missing samples are reported in addition to the other samples, and aren't an error.
  var salvages: Bool { sources.contains(where: \.salvages) }

  /// Returns the reason for samples missing before a time of the track; nil if none are missing.
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
  /// Times that are whole numbers on a clock that represents all frames and the ends of all parts.
  var clockTimes: [Time] {
    parts.flatMap { part -> [Time] in
      let ends = [part.mapping.target.start, part.mapping.target.end]
      guard let source = part.source else { return ends }
      let tick = Time(ticks: 1, in: source.format.timeBase)
      let zero = part.targetTime(source.stored?.time(0) ?? .zero)
      return [tick, part.targetDuration(tick), zero] + ends
    }
  }

  /// A clock on which the times of all parts are whole numbers. If that exceeds a million ticks per
  /// second, the times of some parts are rounded.
  var commonTimeBase: TimeBase {
    let own = format.timeBase
    // Nanoseconds, as in some WebM files, are whole numbers on no other clock.
    if Int64(own.denominator) > 1_000_000 * Int64(own.numerator) { return own }
    return clockTimes.clock()
  }
}
