import EngineProtocol
import EngineReports
import Terminal

/// A timeline as a drawing in SVG: the same timeline makes the same bytes.
struct TimelineDrawing {
  private let layout: TimelineLayout
  private var lines: [String] = []

  // In pixels.
  private static let labels = 110.0
  private static let width = 1000.0
  private static let axis = 28.0
  private static let row = 44.0
  private static let gap = 6.0
  private static let margin = 10.0
  /// Half of a time on the axis, which is written around its place.
  private static let end = 30.0
  private static let legend = 24.0
  /// Between two times on the axis, so that they don't touch.
  private static let step = 80.0

  static func svg(_ timeline: WireCompositionTimeline) -> String {
    var drawing = TimelineDrawing(TimelineLayout(timeline))
    drawing.draw()
    return drawing.lines.joined(separator: "\n") + "\n"
  }

  private init(_ layout: TimelineLayout) { self.layout = layout }

  private var height: Double {
    Self.axis + Double(layout.rows.count) * (Self.row + Self.gap) + Self.legend
  }

  private mutating func draw() {
    let size = "\(Self.format(Self.labels + Self.width + Self.end)) \(Self.format(height))"
    lines.append(
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(size)" "#
        + #"font-family="sans-serif" font-size="11">"#)
    lines.append(Self.style)
    lines.append(#"<rect class="page" width="100%" height="100%"/>"#)
    drawAxis()
    for (index, row) in layout.rows.enumerated() {
      draw(row, at: Self.axis + Double(index) * (Self.row + Self.gap))
    }
    drawBounds()
    drawLegend()
    lines.append("</svg>")
  }

  /// Colours for light and dark pages; renderers that know no media queries take the light ones.
  private static let style = """
    <style>
    .page { fill: #ffffff } text { fill: #202020 } .details { fill: #505050 }
    .video { fill: #c3d9f3 } .other { fill: #c9e8cb } .tick { stroke: #d8d8d8 }
    .empty { fill: url(#hatch) } .segment { stroke: #707070 } .hatch { stroke: #b0b0b0 }
    .opacity { stroke: #1f4e9c } .volume { stroke: #1b6b2a } .bound { stroke: #b3261e; stroke-dasharray: 3 3 }
    polyline { fill: none; stroke-width: 2 } .off { opacity: 0.45 }
    @media (prefers-color-scheme: dark) {
    .page { fill: #1c1c1e } text { fill: #f0f0f0 } .details { fill: #c8c8c8 }
    .video { fill: #24405f } .other { fill: #24502c } .tick { stroke: #404040 }
    .hatch { stroke: #606060 } .opacity { stroke: #9cc4ff } .volume { stroke: #8fe39b } .bound { stroke: #ff8a80 }
    }
    </style>
    <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">\
    <path class="hatch" d="M0 6 L6 0"/></pattern></defs>
    """

  // MARK: Parts

  private func x(_ time: Double) -> Double {
    Self.labels + (layout.duration > 0 ? time / layout.duration * Self.width : 0)
  }

  private mutating func drawAxis() {
    let ticks = TimeTicks(duration: layout.duration, maximumCount: Int(Self.width / Self.step))
    let bottom = Self.format(height - Self.legend)
    lines.append(#"<g id="axis">"#)
    for time in ticks.times {
      let place = Self.format(x(time))
      lines.append(
        #"<line class="tick" x1="\#(place)" x2="\#(place)" y1="20" y2="\#(bottom)"/>"#
          + #"<text x="\#(place)" y="14" text-anchor="middle">\#(ticks.label(time))</text>"#)
    }
    lines.append("</g>")
  }

  private mutating func draw(_ row: TimelineLayout.Row, at top: Double) {
    let off = row.isEnabled ? "" : #" class="off""#
    lines.append(#"<g id="track-\#(row.trackID)"\#(off)>"#)
    lines.append(Self.text(row.title, x: Self.margin, y: top + 18))
    if !row.isEnabled {
      lines.append(Self.text("disabled", x: Self.margin, y: top + 34, style: "details"))
    }
    for segment in row.segments { draw(segment, of: row, at: top) }
    // Lines that are joined in time are one line, and a step is vertical in it.
    var points: [String] = []
    var last: Double?
    for span in row.spans {
      if let last, last != span.start { drawLine(&points, of: row) }
      for (time, value) in [(span.start, span.from), (span.end, span.to)] {
        let y = top + Self.row * (1 - value / row.peak)
        let point = "\(Self.format(x(time))),\(Self.format(y))"
        if point != points.last { points.append(point) }
      }
      last = span.end
    }
    drawLine(&points, of: row)
    lines.append("</g>")
  }

  private mutating func drawLine(_ points: inout [String], of row: TimelineLayout.Row) {
    guard !points.isEmpty else { return }
    let list = points.joined(separator: " ")
    lines.append(#"<polyline class="\#(row.value.rawValue)" points="\#(list)"/>"#)
    points = []
  }

  /// A nested drawing, whose text doesn't leave it.
  private mutating func draw(
    _ segment: TimelineLayout.Segment, of row: TimelineLayout.Row, at top: Double
  ) {
    let width = x(segment.end) - x(segment.start)
    let name = segment.name ?? "empty"
    let about = ([name] + segment.details).joined(separator: ", ")
    let kind = segment.name == nil ? "empty" : row.isVideo ? "video" : "other"
    var text = [#"<rect class="segment \#(kind)" width="100%" height="100%"/>"#]
    // Less than that shows no letter.
    if segment.name != nil, width >= 16 {
      text.append(Self.text(name, x: 4, y: 15))
      let details = segment.details.joined(separator: "  ")
      if !details.isEmpty { text.append(Self.text(details, x: 4, y: 31, style: "details")) }
    }
    lines.append(
      #"<svg x="\#(Self.format(x(segment.start)))" y="\#(Self.format(top))" "#
        + #"width="\#(Self.format(width))" height="\#(Self.format(Self.row))">"#
        + "<title>\(Self.escaped(about))</title>\(text.joined())</svg>")
  }

  /// Draws the bounds of instructions over the video tracks.
  private mutating func drawBounds() {
    let count = layout.rows.prefix { $0.isVideo }.count
    guard count > 0, !layout.bounds.isEmpty else { return }
    let bottom = Self.axis + Double(count) * (Self.row + Self.gap) - Self.gap
    lines.append(#"<g id="instructions">"#)
    for time in layout.bounds {
      let place = Self.format(x(time))
      lines.append(
        #"<line class="bound" x1="\#(place)" x2="\#(place)" y1="\#(Self.format(Self.axis))" "#
          + #"y2="\#(Self.format(bottom))"/>"#)
    }
    lines.append("</g>")
  }

  /// Explains the lines that there are.
  private mutating func drawLegend() {
    var entries: [String] = []
    for value in [TimelineLayout.Value.opacity, .volume] {
      let rows = layout.rows.filter { $0.value == value && !$0.spans.isEmpty }
      if !rows.isEmpty { entries.append(value.rawValue) }
    }
    if !layout.bounds.isEmpty { entries.append("bound") }
    guard !entries.isEmpty else { return }
    lines.append(#"<g id="legend">"#)
    let y = height - 8
    for (index, entry) in entries.enumerated() {
      let left = Self.labels + Double(index) * 120
      let line =
        "\(Self.format(left)),\(Self.format(y - 4)) \(Self.format(left + 20)),\(Self.format(y - 4))"
      let name = entry == "bound" ? "instructions" : entry
      lines.append(
        #"<polyline class="\#(entry)" points="\#(line)"/>"# + Self.text(name, x: left + 26, y: y))
    }
    lines.append("</g>")
  }

  // MARK: Text

  private static func format(_ value: Double) -> String { Formatting.number(value, places: 3) }

  private static func text(_ text: String, x: Double, y: Double, style: String? = nil) -> String {
    let name = style.map { #" class="\#($0)""# } ?? ""
    return #"<text\#(name) x="\#(format(x))" y="\#(format(y))">\#(escaped(text))</text>"#
  }

  /// Escapes text for XML, which has neither control characters nor the two noncharacters (XML 1.0, section 2.2).
  private static func escaped(_ text: String) -> String {
    text.printable.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Round times of an axis.
struct TimeTicks {
  let times: [Double]
  private let places: Int

  /// Ticks at the shortest round step of which at most about `maximumCount` fit.
  init(duration: Double, maximumCount: Int) {
    let steps =
      [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300]
      + [600, 900, 1800, 3600, 7200, 14400, 43200]
    let least = duration / Double(max(1, maximumCount))
    let step = steps.first { $0 >= least } ?? (least / 86400).rounded(.up) * 86400
    times = (0...Int(duration / step)).map { Double($0) * step }
    places = step < 0.01 ? 3 : step < 0.1 ? 2 : step < 1 ? 1 : 0
  }

  /// `0:05`, `1:00:00`, `0:00.25`.
  func label(_ time: Double) -> String { Formatting.clock(time, places: places, isPadded: true) }
}
