import EngineProtocol
import Terminal

/// A timeline in characters, for a terminal: a line for each track, and one below it for values that change.
struct TimelineText {
  private let layout: TimelineLayout
  private let style: Style
  /// The columns that time has.
  private let width: Int

  /// Before each line.
  private static let labels = 10
  /// Between two times on the axis.
  private static let step = 12
  /// No more of a timeline is of use to a person, or fits.
  private static let maximumRows = 40
  private static let bars = Array(" ▁▂▃▄▅▆▇█")

  /// Nil where there is too little room for a drawing.
  static func lines(_ timeline: WireCompositionTimeline, columns: Int, style: Style) -> [String]? {
    // The last column stays free: text in it wraps on some terminals.
    let width = columns - labels - 1
    let layout = TimelineLayout(timeline)
    guard width >= step, layout.duration > 0 else { return nil }
    let text = TimelineText(layout: layout, style: style, width: width)
    let rows = layout.rows.prefix(maximumRows).flatMap(text.lines)
    let left = layout.rows.count - maximumRows
    return [text.axis] + rows + (left > 0 ? ["… and \(left) more tracks"] : [])
  }

  /// The column of a time; the end of the timeline is after the last column.
  private func column(_ time: Double) -> Int {
    Int((time / layout.duration * Double(width)).rounded())
  }

  private var axis: String {
    let ticks = TimeTicks(duration: layout.duration, maximumCount: width / Self.step)
    var line = ""
    for time in ticks.times {
      let label = ticks.label(time)
      guard column(time) + label.count <= width else { break }
      line = line.padded(to: column(time)) + label
    }
    return style.dim(String(repeating: " ", count: Self.labels) + line)
  }

  private func lines(_ row: TimelineLayout.Row) -> [String] {
    let title = row.title.padded(to: Self.labels)
    let values = self.values(row)
    let label = values == nil ? "" : row.value.rawValue.padded(to: Self.labels)
    // The mix has no segments.
    guard !row.segments.isEmpty else { return values.map { [title + $0] } ?? [title] }
    let segments = row.segments.reduce(into: "") { line, segment in
      line = line.padded(to: column(segment.start)) + text(segment)
    }
    let line = row.isEnabled ? title + segments : style.dim(title + segments)
    return [line] + (values.map { [style.dim(label) + $0] } ?? [])
  }

  /// `├clip.mp4───┤`, as wide as the segment is long.
  private func text(_ segment: TimelineLayout.Segment) -> String {
    let count = column(segment.end) - column(segment.start)
    guard let name = segment.name, count > 0 else { return "" }
    guard count > 1 else { return "│" }
    var shown = ""
    for character in ([name.printable] + segment.details).joined(separator: " ") {
      guard shown.displayWidth + character.displayWidth <= count - 2 else { break }
      shown.append(character)
    }
    let rest = String(repeating: "─", count: count - 2 - shown.displayWidth)
    return "├\(shown)\(rest)┤"
  }

  /// A bar for each column, by the value in its middle; nil where it is 1 throughout.
  private func values(_ row: TimelineLayout.Row) -> String? {
    var rest = row.spans[...]
    guard !rest.isEmpty else { return nil }
    let line = (0..<width).map { column -> Character in
      let time = (Double(column) + 0.5) / Double(width) * layout.duration
      while let span = rest.first, span.end <= time { rest = rest.dropFirst() }
      guard let span = rest.first, span.start <= time else { return " " }
      return Self.bars[Int((span.value(at: time) / row.peak * 8).rounded())]
    }
    return String(line)
  }
}
