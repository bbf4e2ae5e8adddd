import EngineProtocol
import EngineReports
import MediaTime

/// The contents of a timeline's drawing, in seconds: rows of segments, and values over time.
struct TimelineLayout {
  /// A range of a track.
  struct Segment {
    var start: Double
    var end: Double
    /// The source; nil in an empty segment.
    var name: String?
    /// The range of the source and the speed, where there are such.
    var details: [String] = []
  }

  /// A part of a value's course, which is linear in it.
  struct Span {
    var start: Double
    var end: Double
    var from: Double
    var to: Double

    func value(at time: Double) -> Double {
      from == to ? from : from + (to - from) * (time - start) / (end - start)
    }

    /// The part of it between two times; nil where there is none.
    func clipped(from start: Double, to end: Double) -> Span? {
      let (start, end) = (max(start, self.start), min(end, self.end))
      guard start < end else { return nil }
      return Span(start: start, end: end, from: value(at: start), to: value(at: end))
    }
  }

  enum Value: String {
    case opacity, volume
  }

  /// A track, or the mix of all.
  struct Row {
    /// 0 is the mix.
    var trackID: Int32
    var title: String
    var isEnabled = true
    var isVideo = false
    var segments: [Segment] = []
    var value = Value.volume
    /// The value's course where there are segments; empty where it is 1 throughout.
    var spans: [Span] = []
    /// The value at the full height of the row.
    var peak: Double { max(1, spans.reduce(0) { max($0, $1.from, $1.to) }) }
  }

  /// Video tracks, of which the last is on top, and below them the others.
  var rows: [Row]
  var duration: Double
  /// The starts and ends of instructions.
  var bounds: [Double]

  init(_ timeline: WireCompositionTimeline) {
    let end =
      timeline.tracks.compactMap { $0.segments.last?.timeMapping.mapping.target.end.seconds }
      .max() ?? 0
    duration = end
    let instructions = timeline.videoComposition?.instructions ?? []
    let edges = instructions.flatMap { instruction in
      let range = instruction.timeRange.range
      return [range.start.seconds, min(range.end.seconds, end)]
    }
    bounds = Set(edges).filter { (0...end).contains($0) }.sorted()
    let parameters = timeline.audioMix?.inputParameters ?? []
    var rows = timeline.tracks.map { track in
      var row = Row(track, of: timeline.sources)
      let course: [Span]
      if row.isVideo {
        row.value = .opacity
        course = Self.opacity(of: track.trackID, in: instructions)
      } else {
        let volume = parameters.first { $0.trackID == track.trackID }?.volume ?? []
        course = Self.course(volume, from: 0, to: end)
      }
      row.spans = Self.visible(course, over: row.segments)
      return row
    }
    if let volume = parameters.first(where: { $0.trackID == 0 })?.volume {
      let spans = Self.course(volume, from: 0, to: end)
      rows.append(Row(trackID: 0, title: "mix", spans: spans))
    }
    self.rows = rows.filter(\.isVideo).reversed() + rows.filter { !$0.isVideo }
  }

  // MARK: Courses

  /// A number over a range of time; 1 before the first entry.
  private static func course(_ entries: [WireNumberRamp], from start: Double, to end: Double)
    -> [Span]
  {
    var spans: [Span] = []
    var (time, value) = (-Double.infinity, 1.0)
    for entry in entries {
      if let at = entry.at?.time.seconds, let next = entry.value {
        spans.append(Span(start: time, end: at, from: value, to: value))
        (time, value) = (at, next)
      } else if let range = entry.timeRange?.range, let from = entry.from, let to = entry.to {
        let (first, last) = (range.start.seconds, range.end.seconds)
        spans.append(Span(start: time, end: first, from: value, to: value))
        spans.append(Span(start: first, end: last, from: from, to: to))
        (time, value) = (last, to)
      }
    }
    spans.append(Span(start: time, end: .infinity, from: value, to: value))
    return spans.compactMap { $0.clipped(from: start, to: end) }
  }

  private static func opacity(
    of trackID: Int32, in instructions: [WireVideoCompositionInstruction]
  ) -> [Span] {
    instructions.flatMap { instruction in
      let range = instruction.timeRange.range
      guard let layer = instruction.layerInstructions.first(where: { $0.trackID == trackID }) else {
        return [Span]()
      }
      return course(layer.opacity ?? [], from: range.start.seconds, to: range.end.seconds)
    }
  }

  /// The parts of a course over segments that aren't empty. Both are in ascending order.
  private static func visible(_ course: [Span], over segments: [Segment]) -> [Span] {
    let shown = segments.filter { $0.name != nil }
    var spans: [Span] = []
    var (next, first) = (0, 0)
    while next < course.count, first < shown.count {
      let (span, segment) = (course[next], shown[first])
      if let part = span.clipped(from: segment.start, to: segment.end) { spans.append(part) }
      if span.end < segment.end { next += 1 } else { first += 1 }
    }
    return spans.allSatisfy { $0.from == 1 && $0.to == 1 } ? [] : spans
  }
}

extension TimelineLayout.Row {
  fileprivate init(_ track: WireTimelineTrack, of sources: [String: WireTimelineSource]) {
    trackID = track.trackID
    title = "\(track.mediaType.rawValue) \(track.trackID)"
    isEnabled = track.isEnabled ?? true
    isVideo = track.mediaType == .video
    segments = track.segments.map { segment in
      .init(
        segment.timeMapping.mapping, segment.source.flatMap { sources[$0] },
        isRamped: segment.speedRamp != nil)
    }
  }
}

extension TimelineLayout.Segment {
  fileprivate init(_ mapping: TimeMapping, _ source: WireTimelineSource?, isRamped: Bool) {
    start = mapping.target.start.seconds
    end = mapping.target.end.seconds
    guard let source else { return }
    name = source.url.map(Formatting.name) ?? source.asset?.rawValue ?? "?"
    // A still image has one frame, in any range.
    if source.still == true { return }
    let range = mapping.source
    details = ["\(Formatting.position(range.start))–\(Formatting.position(range.end))"]
    if range.duration != mapping.target.duration {
      let speed = range.duration.seconds / mapping.target.duration.seconds
      // Of a ramp, the average.
      details.append("\(isRamped ? "average " : "")\(Formatting.number(speed, places: 3))×")
    }
  }
}
