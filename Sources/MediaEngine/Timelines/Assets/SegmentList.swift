import MediaTime

/// The content of a segment of a composition's track.
protocol SegmentSource: Sendable {
  /// One picture that lasts for the duration of its segment, so that a piece of its segment shows
  /// all of it.
  var isFrozen: Bool { get }
}

/// The segments of a composition's track: one after the other from zero on, without gaps between them.
///
/// Values only, so that an edit is made on a copy and takes effect as a whole. Times stay exact where a time
/// can be; else they are the nearest ones, marked as rounded, and the segments stay contiguous.
struct SegmentList<Source: SegmentSource>: Sendable {
  struct Segment: Sendable {
    /// A source by reference: each edit copies all segments, and a source has many members.
    private final class Content: Sendable {
      let source: Source
      init(_ source: Source) { self.source = source }
    }

    private let content: Content?
    var mapping: TimeMapping

    /// Nil in an empty edit.
    var source: Source? { content?.source }

    init(_ source: Source?, _ mapping: TimeMapping) {
      content = source.map(Content.init)
      self.mapping = mapping
    }

    /// At its natural rate.
    init(_ source: Source?, range: TimeRange, at start: Time) {
      content = source.map(Content.init)
      let target = TimeRange(start: start, duration: range.duration)
      let shown = TimeRange(start: range.start.reduced, duration: range.duration.reduced)
      mapping =
        source == nil
        ? TimeMapping(emptyTarget: target) : TimeMapping(source: shown, target: target)
    }

    var isEmpty: Bool { content == nil }
    fileprivate var end: Time { mapping.target.end.reduced }
    /// True for its natural speed, but for the rounding of times.
    fileprivate var isNatural: Bool {
      content?.source.isFrozen == false && abs(mapping.rate - 1) < 1e-9
    }

    /// Moves it to another part of the track, with the same picture or audio.
    fileprivate mutating func move(to target: TimeRange) {
      // At the natural rate both last equally long, to the last digit of their times.
      if isNatural { mapping.source.duration = target.duration }
      mapping.target = target
    }
  }

  private(set) var segments: [Segment] = []

  init() {}

  /// The end of the last segment.
  var end: Time { segments.last?.end ?? .zero }

  /// - Parameter segments: contiguous from zero on.
  init(_ segments: [Segment]) { self.segments = segments }

  /// Returns the same segments with other sources.
  func mapSources(_ change: (Source) -> Source) -> SegmentList {
    SegmentList(segments.map { Segment($0.source.map(change), $0.mapping) })
  }

  // MARK: Edits

  /// Inserts segments one after the other; the starts of their targets are ignored. Segments that
  /// were shown from that time on are shown after them.
  ///
  /// - Parameter time: nil for the end. The time between the end and a later time becomes an empty
  ///   edit.
  mutating func insert(_ inserted: [Segment], at time: Time? = nil) {
    let inserted = inserted.filter { !$0.mapping.target.isEmpty }
    guard !inserted.isEmpty else { return }
    let start = time ?? end
    if start > end {
      segments.append(
        Segment(nil, TimeMapping(emptyTarget: TimeRange(start: end, end: start))))
    }
    let place = split(at: start)
    var ends: [Time] = []
    var next = start
    for segment in inserted {
      next = next + segment.mapping.target.duration
      ends.append(next)
    }
    let added = next - start
    ends += segments[place...].map { $0.end + added }
    segments.insert(contentsOf: inserted, at: place)
    layOut(from: place, ends)
    dropVanished(from: max(0, place - 1))
  }

  /// Removes a range; the segments after it follow at once.
  mutating func remove(_ range: TimeRange) {
    guard range.start < end, !range.isEmpty else { return }
    let first = split(at: range.start)
    let place = range.end < end ? split(at: range.end) : segments.count
    let removed = min(range.end, end) - range.start
    let ends = segments[place...].map { $0.end - removed }
    segments.removeSubrange(first..<place)
    layOut(from: first, ends)
    dropVanished(from: max(0, first - 1))
  }

  /// Shows a range faster or slower, so that it has the stated duration; the segments after it
  /// follow.
  mutating func scale(_ range: TimeRange, to duration: Time) {
    guard range.start < end, !range.isEmpty else { return }
    let first = split(at: range.start)
    let place = range.end < end ? split(at: range.end) : segments.count
    let target = TimeRange(start: range.start, duration: duration)
    let moved = duration - range.duration
    let ends = segments[first...].enumerated().map { number, segment in
      number < place - first ? segment.end.mapped(from: range, to: target) : segment.end + moved
    }
    for index in first..<place {
      // A segment with a changed rate must not be mistaken for one with its natural rate.
      segments[index].mapping.target.duration =
        ends[index - first] - (index == first ? range.start : ends[index - first - 1])
    }
    layOut(from: first, ends)
    dropVanished(from: max(0, first - 1))
  }

  /// Returns the segments of a range, with targets from the start of the range on.
  func segments(in range: TimeRange) -> [Segment] {
    var copy = self
    guard range.start < end, !range.isEmpty else { return [] }
    let first = copy.split(at: range.start)
    let place = range.end < end ? copy.split(at: range.end) : copy.segments.count
    var part = SegmentList(Array(copy.segments[first..<place]))
    part.layOut(from: 0, part.segments.map { min($0.end - range.start, range.duration) })
    return part.segments
  }

  // MARK: Boundaries

  /// Makes a boundary at a time before the end, where there is none.
  ///
  /// - Returns: the number of the segment that begins there; at the end, that of the next one.
  private mutating func split(at time: Time) -> Int {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].end <= time { low = middle + 1 } else { high = middle }
    }
    guard low < segments.count, segments[low].mapping.target.start < time else { return low }
    let whole = segments[low]
    let (target, source) = (whole.mapping.target, whole.mapping.source)
    var (before, after) = (whole, whole)
    before.mapping.target = TimeRange(start: target.start, end: time)
    after.mapping.target = TimeRange(start: time, end: target.end)
    if let shown = whole.source, !shown.isFrozen {
      let isNatural = whole.isNatural
      let middle =
        (isNatural
        ? source.start + (time - target.start) : time.mapped(from: target, to: source)).reduced
      before.mapping.source =
        isNatural
        ? TimeRange(start: source.start, duration: before.mapping.target.duration)
        : TimeRange(start: source.start, end: middle)
      after.mapping.source =
        isNatural
        ? TimeRange(start: middle, duration: after.mapping.target.duration)
        : TimeRange(start: middle, end: source.end)
    }
    segments[low] = before
    segments.insert(after, at: low + 1)
    layOut(from: low, [time, target.end])
    return low + 1
  }

  /// Moves segments so that they end when they should, each beginning where the one before it ends.
  private mutating func layOut(from first: Int, _ ends: [Time]) {
    var start = first == 0 ? .zero : segments[first - 1].end
    for (offset, end) in ends.enumerated() {
      // In lowest terms, so that clocks of clips that are gone limit no later sum.
      var target = TimeRange(contiguousFrom: start, to: end.reduced)
      target.duration = target.duration.reduced
      segments[first + offset].move(to: target)
      start = target.end
    }
  }

  /// Removes segments that have become shorter than the minimum time, of those that were moved.
  private mutating func dropVanished(from first: Int) {
    guard segments.indices[first...].contains(where: { segments[$0].mapping.target.isEmpty })
    else { return }
    segments.removeAll { $0.mapping.target.isEmpty }
  }
}

extension TimeRange {
  /// The range between two times whose start and duration add up to its end, to the last digit.
  ///
  /// Where the difference of the times is none that a time holds, the end is the nearest one at a multiple
  /// of the start's timescale, less than a nanosecond off, and marked as rounded.
  init(contiguousFrom start: Time, to end: Time) {
    let exact = TimeRange(start: start, end: end)
    guard start.isNumeric, end.isNumeric, exact.end != end else {
      self = exact
      return
    }
    let timescale = start.timescale * (Int32.max / start.timescale)
    let own = end.converted(toTimescale: timescale)
    self.init(start: start.converted(toTimescale: timescale), end: own)
    self.start = start
  }
}
