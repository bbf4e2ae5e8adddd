import ArgumentParser
import EngineProtocol
import EngineReports
import MediaTime
import Terminal

/// A table of clips in text: a row is a file, its start and its end, its speed and its volume.
///
/// The form is RFC 4180's, with commas, semicolons or tabs. A first row with the names of columns states their order;
/// without one it is that of ``Column``.
struct CutList {
  /// The clips, one after the other.
  private(set) var clips: [WireClip] = []
  /// The line that each clip begins in, from 1.
  private(set) var lines: [Int] = []

  /// The columns, in the order that a table without their names has.
  enum Column: String, CaseIterable {
    case file
    case begin = "in"
    case end = "out"
    case speed, volume, duration, fit, dissolve, transition, freeze, ramp

    /// The column of a name, which may be another program's name for it.
    init?(heading: String) {
      switch heading.lowercased() {
      case "url", "path", "source", "clip": self = .file
      case "start", "begin": self = .begin
      case "end", "stop": self = .end
      case "length": self = .duration
      case "speedramp": self = .ramp
      case let name:
        guard let column = Column(rawValue: name) else { return nil }
        self = column
      }
    }
  }

  /// - Throws: ``CommandError`` with all that is wrong, by line.
  init(_ text: String, name: String) throws {
    var rows = Self.rows(text).filter { !$0.cells.allSatisfy(\.isEmpty) }
    var problems: [String] = []
    var columns = Column.allCases.map(Optional.some)
    if let first = rows.first, first.cells.contains(where: { Column(heading: $0) == .file }) {
      columns = first.cells.map(Column.init(heading:))
      for (cell, column) in zip(first.cells, columns) where column == nil && !cell.isEmpty {
        problems.append("line \(first.line): there is no column '\(cell)'")
      }
      rows.removeFirst()
    }
    for row in rows {
      do throws(Row.Problem) {
        clips.append(try Row(row.cells, columns).clip())
        lines.append(row.line)
      } catch {
        problems.append("line \(row.line): \(error.reason)")
      }
    }
    if clips.isEmpty, problems.isEmpty { problems = ["there is no row with a file"] }
    guard problems.isEmpty else {
      throw CommandError(
        "'\(name)' is no list of cuts",
        hint: "Each line has a file, and may have where it begins and ends, a speed and a volume: "
          + "film.mp4,1.5,4,2,0.5. The names of columns are "
          + "\(Column.allCases.map(\.rawValue).joined(separator: ", ")).",
        details: problems)
    }
  }

  /// The line that a problem with a parameter of the sequence is about: `sequence/clips/2/url`.
  func line(of path: String) -> String? {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "sequence", parts[1] == "clips", let clip = Int(parts[2]),
      lines.indices.contains(clip)
    else { return nil }
    return (["line \(lines[clip])"] + parts.dropFirst(3)).joined(separator: " ")
  }

  // MARK: Rows

  /// The cells of a row by their columns.
  private struct Row {
    struct Problem: Error {
      var reason: String
    }

    private var cells: [Column: String] = [:]

    init(_ cells: [String], _ columns: [Column?]) throws(Problem) {
      for (place, cell) in cells.enumerated() where !cell.isEmpty {
        guard place < columns.count else {
          throw Problem(reason: "there are \(cells.count) cells for \(columns.count) columns")
        }
        if let column = columns[place] { self.cells[column] = cell }
      }
    }

    func clip() throws(Problem) -> WireClip {
      guard let file = cells[.file] else { throw Problem(reason: "there is no file") }
      let begin = try time(.begin)
      var length = try time(.duration)
      if let end = try time(.end) {
        guard length == nil else { throw Problem(reason: "'out' and 'duration' state the same") }
        guard end > begin ?? .zero else {
          throw Problem(reason: "'out' has to be after 'in'")
        }
        length = end - (begin ?? .zero)
      }
      var clip = WireClip(
        url: file, imageSequence: ImageSequenceOptions.ofPattern(file),
        speed: try value(.speed, "a number other than 0, or a ratio; -1 is backward") {
          WireFactor(speed: $0)
        },
        volume: try value(.volume, "a factor, or decibels: 0.5, -6dB") {
          VolumeArgument(argument: $0)?.factor
        },
        fit: try value(.fit, WireFit.allCases.map(\.rawValue).joined(separator: ", ")) {
          WireFit(rawValue: $0)
        },
        transition: try transition())
      clip.freeze = try time(.freeze).map { WireTime($0) }
      clip.speedRamp = try speedRamp()
      if clip.freeze != nil || clip.imageSequence == nil && Self.isStill(file) {
        clip.duration = length.map { WireTime($0) }
      } else if begin != nil || length != nil {
        clip.timeRange = WireTimeRange(
          TimeRange(start: begin ?? .zero, duration: length ?? .positiveInfinity))
      }
      return clip
    }

    /// A transition of that kind and direction, for example `wipe left`, that lasts as long as the
    /// dissolve states, or a second.
    private func transition() throws(Problem) -> WireTransition? {
      let duration = try time(.dissolve).map { WireTime($0) }
      guard cells[.transition] != nil else {
        return duration.map { WireTransition(duration: $0) }
      }
      let kinds = WireTransitionKind.allCases.map(\.rawValue).joined(separator: ", ")
      let directions = WireTransitionDirection.allCases.map(\.rawValue).joined(separator: ", ")
      return try value(.transition, "one of \(kinds), with a direction: \(directions)") { text in
        let parts = text.split(separator: " ").map(String.init)
        guard let kind = parts.first.flatMap(WireTransitionKind.init), parts.count <= 2 else {
          return nil
        }
        var transition = WireTransition(
          kind: kind,
          duration: kind == .none ? nil : duration ?? WireTime(Time(value: 1, timescale: 1)))
        if parts.count == 2 {
          guard let direction = WireTransitionDirection(rawValue: parts[1]) else { return nil }
          transition.direction = direction
        }
        return transition
      }
    }

    /// The points of a course of the speed, each a speed and the time of the file at which it is reached: `1@2 0.25@3`.
    private func speedRamp() throws(Problem) -> [WireSpeedPoint]? {
      try value(.ramp, "speeds at times of the file: 1@2 0.25@3.5") { text in
        var points: [WireSpeedPoint] = []
        for point in text.split(separator: " ") {
          let parts = point.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
          guard parts.count == 2, let speed = WireFactor(speed: parts[0]),
            let time = TimeArgument(argument: parts[1])?.wire
          else { return nil }
          points.append(WireSpeedPoint(at: time, speed: speed))
        }
        return points.isEmpty ? nil : points
      }
    }

    /// True if a name is that of an image, which lasts for any duration.
    private static func isStill(_ file: String) -> Bool {
      guard let kind = ImageFileName(file)?.kind else { return false }
      return !["gif", "apng", "webp"].contains(kind)
    }

    private func time(_ column: Column) throws(Problem) -> Time? {
      try value(column, TimeArgument.forms) { text in
        TimeArgument(argument: text).map(\.wire.time).flatMap { time in
          time.isNumeric && time >= .zero ? time : nil
        }
      }
    }

    private func value<Value>(
      _ column: Column, _ expected: String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
      guard let text = cells[column] else { return nil }
      guard let value = read(text) else {
        throw Problem(reason: "'\(column.rawValue)' is '\(text)'; expected \(expected)")
      }
      return value
    }
  }

  /// The cells of text, with the line that each row begins in. Spaces around a cell that isn't quoted go.
  private static func rows(_ text: String) -> [(line: Int, cells: [String])] {
    let separator = separator(of: text)
    var rows: [(line: Int, cells: [String])] = []
    var (cells, cell, isQuoted, wasQuoted) = ([String](), "", false, false)
    var (line, first) = (1, 1)
    func finished() -> String { wasQuoted ? cell : trimmed(cell) }
    func endCell() {
      cells.append(finished())
      (cell, wasQuoted) = ("", false)
    }
    var rest = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    while let character = rest.popFirst() {
      if isQuoted {
        if character == "\"", rest.first == "\"" {
          cell.append(rest.removeFirst())
        } else if character == "\"" {
          isQuoted = false
        } else {
          cell.append(character)
        }
      } else if character == "\"", trimmed(cell).isEmpty, !wasQuoted {
        (cell, isQuoted, wasQuoted) = ("", true, true)
      } else if character == separator {
        endCell()
      } else if character.isNewline {
        endCell()
        rows.append((first, cells))
        (cells, first) = ([], line + 1)
      } else if !wasQuoted || character != " " {
        cell.append(character)
      }
      if character.isNewline { line += 1 }
    }
    endCell()
    return rows + [(first, cells)]
  }

  private static func separator(of text: String) -> Character {
    let first = text.prefix { !$0.isNewline }
    return ["\t", ";"].first { first.contains($0) && !first.contains(",") } ?? ","
  }

  private static func trimmed(_ text: String) -> String {
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end].drop { $0 == " " })
  }
}
