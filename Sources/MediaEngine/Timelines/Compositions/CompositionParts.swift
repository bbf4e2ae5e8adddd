import LibAV
import MediaTime

/// A piece of a file as a composition shows it: one stretch of time, whichever of the file's tracks are shown.
struct CompositionPart: Sendable {
  /// The track that is shown there; of several the one that counts first.
  fileprivate(set) var source: CompositionSource
  /// Of that track.
  fileprivate(set) var mediaType: MediaType
  /// From the clock of the source, as it is played, to the composition's.
  var mapping: TimeMapping

  fileprivate var start: Time { mapping.target.start }
  fileprivate var end: Time { mapping.target.end }

  /// The time of the file that is shown first.
  var firstFileTime: Time { source.assetTime(mapping.source.start) }

  /// The range of the file that is shown, from the earlier end to the later one.
  fileprivate var fileRange: TimeRange {
    let last = source.assetTime(mapping.source.end)
    return isBackward
      ? TimeRange(start: last, end: firstFileTime) : TimeRange(start: firstFileTime, end: last)
  }

  fileprivate var isBackward: Bool { source.playback == .reverse }
  /// True if the clock of the source isn't that of the file.
  fileprivate var hasOwnClock: Bool { isBackward || source.ramp != nil }

  /// Returns the composition's time at which a time of the file is shown.
  fileprivate func time(ofFile time: Time) -> Time {
    source.playedTime(ofAsset: time).mapped(from: mapping.source, to: mapping.target)
  }

  /// Returns the composition's range in which a range of the file is shown.
  fileprivate func range(ofFile range: TimeRange) -> TimeRange {
    let (start, end) = (time(ofFile: range.start), time(ofFile: range.end))
    return isBackward ? TimeRange(start: end, end: start) : TimeRange(start: start, end: end)
  }

  /// Returns true if both show the same file, and a time of it at the same time of the composition,
  /// but for the rounding of times.
  fileprivate func isOne(with other: CompositionPart) -> Bool {
    guard source.asset === other.source.asset, !source.isFrozen, !other.source.isFrozen,
      source.playback == other.source.playback
    else { return false }
    let shown = other.fileRange
    return [shown.start, shown.end].allSatisfy { time in
      (self.time(ofFile: time) - other.time(ofFile: time)).absoluteValue
        < Time(value: 1, timescale: 1_000_000)
    }
  }

  /// Returns a piece of it.
  fileprivate func cut(from start: Time, to end: Time) -> CompositionPart {
    guard start > self.start || end < self.end else { return self }
    var part = self
    part.mapping.target = TimeRange(start: start, end: end)
    if !source.isFrozen {
      part.mapping.source = TimeRange(
        start: start.mapped(from: mapping.target, to: mapping.source),
        end: end.mapped(from: mapping.target, to: mapping.source))
    }
    return part
  }
}

/// The parts of a composition in order of time, none of which overlap.
///
/// At any time a picture precedes audio, and audio precedes text; of tracks of a kind the first
/// counts. A part that begins during another one and lasts longer follows it, as after a dissolve;
/// one that ends before the other does is an overlay, and no part.
struct CompositionParts: Sendable {
  private(set) var parts: [CompositionPart] = []

  /// The first one counts first.
  private static let kinds: [[MediaType]] = [
    [.video], [.audio], [.text, .subtitle, .closedCaption],
  ]

  /// - Parameter tracks: those that count.
  init(of tracks: [CompositionState.Track]) {
    for kind in Self.kinds {
      let isFirst = parts.isEmpty
      for track in tracks where kind.contains(track.mediaType) && track.settings.isEnabled {
        add(
          track.segments.segments.compactMap { segment in
            segment.source.map {
              CompositionPart(source: $0, mediaType: track.mediaType, mapping: segment.mapping)
            }
          }, mayFollow: isFirst)
      }
    }
  }

  /// - Parameters:
  ///   - added: in order of time, without overlaps.
  ///   - mayFollow: whether they take over from parts during which they begin.
  private mutating func add(_ added: [CompositionPart], mayFollow: Bool) {
    var base = parts
    var pieces: [CompositionPart] = []
    var place = 0
    for part in added {
      var start = part.start
      while place < base.count, base[place].end <= start { place += 1 }
      var other = place
      while other < base.count, base[other].start < part.end, start < part.end {
        let known = base[other]
        if known.start > start {
          pieces.append(part.cut(from: start, to: known.start))
        } else if mayFollow, known.start < start, known.end < part.end, !known.isOne(with: part) {
          base[other] = known.cut(from: known.start, to: start)
          other += 1
          continue
        }
        start = known.end
        other += 1
      }
      if start < part.end { pieces.append(part.cut(from: start, to: part.end)) }
    }
    parts = (base + pieces).sorted { $0.start < $1.start }
    joinAdjacent()
  }

  /// Joins parts that continue with the same file where the previous one ends.
  private mutating func joinAdjacent() {
    var joined: [CompositionPart] = []
    for part in parts {
      guard let last = joined.last, last.end == part.start, last.isOne(with: part) else {
        joined.append(part)
        continue
      }
      var whole = Self.rank(part) < Self.rank(last) ? part : last
      let target = TimeRange(start: last.start, end: part.end)
      // A curve and a track that is played backward have their own clocks, which continue at
      // their ends.
      whole.mapping.source =
        last.hasOwnClock || part.hasOwnClock
        ? TimeRange(
          start: target.start.mapped(from: whole.mapping.target, to: whole.mapping.source),
          end: target.end.mapped(from: whole.mapping.target, to: whole.mapping.source))
        : TimeRange(start: last.mapping.source.start, end: part.mapping.source.end)
      whole.mapping.target = target
      joined[joined.count - 1] = whole
    }
    parts = joined
  }

  private static func rank(_ part: CompositionPart) -> Int {
    kinds.firstIndex { $0.contains(part.mediaType) } ?? kinds.count
  }

  /// The part whose file's tags, cover and attachments are those of the composition: the first one that isn't a
  /// single picture, of the kind that counts first.
  var leading: CompositionPart? {
    let moving = parts.filter { !$0.source.isFrozen }
    return moving.first { $0.mediaType == .video } ?? moving.first { $0.mediaType == .audio }
      ?? moving.first ?? parts.first
  }

  // MARK: Chapters

  /// The chapters of the files at their times in the composition, without those that are cut away.
  /// A part that is played backward has them in the opposite order.
  var chapters: [ChapterSpan] {
    var found: [(span: ChapterSpan, source: TimeRange, chapter: Int, part: CompositionPart)] = []
    for part in parts where !part.source.isFrozen {
      let all = part.source.file.presentation.chapters
      let last = all.indices.max { all[$0].timeRange.end < all[$1].timeRange.end }
      let shown = part.fileRange
      for (number, chapter) in all.enumerated() {
        var range = chapter.timeRange
        // The last one ends with its file, even if its track of chapters or a clock of milliseconds
        // states another end.
        let nearlyAll = part.source.timeRange.end - Time(value: 1, timescale: 10)
        if number == last, range.end >= nearlyAll, range.end < shown.end {
          range = TimeRange(start: range.start, end: shown.end)
        }
        let (start, end) = (max(range.start, shown.start), min(range.end, shown.end))
        guard start < shown.end, start < end || range.isEmpty && start == range.start else {
          continue
        }
        let source = TimeRange(start: start, end: max(start, end))
        let span = ChapterSpan(
          id: Int64(found.count + 1), timeRange: part.range(ofFile: source), tags: chapter.tags)
        found.append((span, source, number, part))
      }
    }
    found.sort { $0.span.timeRange.start < $1.span.timeRange.start }
    var spans: [ChapterSpan] = []
    for (place, item) in found.enumerated() {
      var range = item.span.timeRange
      // A chapter that a cut has divided stays one chapter.
      if place > 0, let last = spans.last {
        let before = found[place - 1]
        if before.chapter == item.chapter, before.part.source.asset === item.part.source.asset,
          last.timeRange.end == range.start, before.part.isBackward == item.part.isBackward,
          item.part.isBackward
            ? before.source.start >= item.source.end : before.source.end <= item.source.start,
          !item.source.isEmpty
        {
          spans.removeLast()
          range = TimeRange(start: last.timeRange.start, end: range.end)
        }
      }
      spans.append(
        ChapterSpan(id: Int64(spans.count + 1), timeRange: range, tags: item.span.tags))
    }
    return spans
  }

  /// A chapter for each part, with the title of its file, or the file's name where it has none.
  var partChapters: [ChapterSpan] {
    parts.enumerated().map { number, part in
      ChapterSpan(
        id: Int64(number + 1), timeRange: part.mapping.target,
        tags: [Tag(key: "title", value: part.source.file.presentation.shownTitle)])
    }
  }
}

extension Presentation {
  /// Its title, or the name of its file without the extension.
  var shownTitle: String {
    let title = metadata.first { MetadataItem.libavKey(of: $0).lowercased() == "title" }
    if let text = title?.value.text, !text.isEmpty { return text }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
