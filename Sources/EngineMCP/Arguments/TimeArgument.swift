import EngineReports
import JSONRPC
import MediaTime

/// A time as a model writes it.
///
/// Seconds, clocks and fractions are read exactly, and so are numbers with a unit ("12.5s", "500 ms", "1m30s"). A
/// part ("50%") is refused: the error has its time in the file.
enum TimeArgument: Sendable {
  case time(Time)
  /// A part, with the name of the argument and its text.
  case percent(Double, name: String, text: String)

  static let forms =
    "Times are seconds (12.5), clocks (\"1:02:03.5\") or fractions (\"1001/30000\")."

  init(_ value: JSONValue, _ name: String) throws {
    switch value {
    case .number(let text):
      guard let number = Double(text), number.isFinite else {
        throw ToolFailure("'\(name)' is \(text), which is no time", hint: Self.forms)
      }
      self = .time(Time(string: text) ?? Time(secondsToNanosecond: number))
    case .string(let text): self = try Self.parse(text.trimmed, name)
    case .object:
      guard let time = try? JSONDecoding.decode(ExactFields.self, from: value) else {
        throw ToolFailure("'\(name)' is no time: \(Arguments.shown(value))", hint: Self.forms)
      }
      self = .time(Time(value: time.value, timescale: time.timescale))
    default:
      throw ToolFailure("'\(name)' is no time: \(Arguments.shown(value))", hint: Self.forms)
    }
    if case .time(let time) = self {
      guard time.isNumeric else {
        throw ToolFailure("'\(name)' is no time: \(Arguments.shown(value))", hint: Self.forms)
      }
      guard time >= .zero else {
        throw ToolFailure(
          "'\(name)' is before 0: \(Arguments.shown(value))",
          hint: "Times count from the beginning. For a time before the end, subtract it from the "
            + "duration, which probe has.")
      }
    }
  }

  private struct ExactFields: Decodable {
    var value: Int64
    var timescale: Int32
  }

  private static func parse(_ text: String, _ name: String) throws -> TimeArgument {
    if let time = Time(string: text) { return .time(time) }
    if text.hasSuffix("%"), let percent = Double(String(text.dropLast()).trimmed) {
      return .percent(percent, name: name, text: text)
    }
    if let time = withUnits(text.lowercased()) { return .time(time) }
    var hint = forms
    if text.split(separator: ":").count == 4 || text.contains(";") {
      hint =
        "A timecode with frames is no time: give hours, minutes and seconds (\"1:02:03.5\"), or frames."
    } else if ["end", "start", "beginning", "last", "first"].contains(text.lowercased()) {
      hint = "Leave 'start' out for the beginning and 'end' out for the end. \(forms)"
    } else if text.contains(",") {
      hint = "Write decimals with a point: \(text.replacing(",", with: ".")). \(forms)"
    }
    throw ToolFailure("'\(name)' is no time: '\(text)'", hint: hint)
  }

  private static let units: [String: (above: Int64, below: Int32)] = [
    "ms": (1, 1000), "msec": (1, 1000), "milliseconds": (1, 1000), "s": (1, 1), "sec": (1, 1),
    "secs": (1, 1), "second": (1, 1), "seconds": (1, 1), "m": (60, 1), "min": (60, 1),
    "mins": (60, 1), "minute": (60, 1), "minutes": (60, 1), "h": (3600, 1), "hr": (3600, 1),
    "hour": (3600, 1), "hours": (3600, 1),
  ]

  /// `1h 2m 3.5s`: numbers with units, one after the other.
  private static func withUnits(_ text: String) -> Time? {
    var total = Time.zero
    var rest = text[...]
    while let first = rest.first {
      guard !first.isWhitespace else {
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count).drop { $0.isWhitespace }
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard !number.isEmpty, let part = Time(string: String(number)),
        let factor = units[String(unit)]
      else { return nil }
      let (value, overflow) = part.value.multipliedReportingOverflow(by: factor.above)
      let (scale, overflowBelow) = part.timescale.multipliedReportingOverflow(by: factor.below)
      guard !overflow, !overflowBelow else { return nil }
      total = total + Time(value: value, timescale: scale)
    }
    return text.isEmpty ? nil : total
  }
}

/// A part of a file that is meant.
struct RangeArgument: Sendable {
  var start: TimeArgument?
  var end: TimeArgument?

  init(_ arguments: Arguments) throws {
    start = try arguments.time("start")
    end = try arguments.time("end")
  }

  var isGiven: Bool { start != nil || end != nil }
}

/// The properties of a file by which times are checked.
struct TimeRules: Sendable {
  /// The duration of the file; nil where it isn't known.
  var duration: Time?
  /// The frames of the video in a second; nil without video.
  var frameRate: Double?

  /// The time, when it lies in the file.
  ///
  /// - Parameter isEnd: true where the end itself is a time.
  func resolve(_ argument: TimeArgument, _ name: String, isEnd: Bool = false) throws -> Time {
    switch argument {
    case .percent(let percent, let name, let text):
      guard let duration, duration.isNumeric else {
        throw ToolFailure("'\(name)' is a part, '\(text)'", hint: TimeArgument.forms)
      }
      let seconds = (duration.seconds * percent / 100 * 1000).rounded() / 1000
      throw ToolFailure(
        "'\(name)' is a part, '\(text)', and no time",
        hint: "The file lasts \(Arguments.text(duration.seconds)) s, so \(text) of it is "
          + "\(Arguments.text(seconds)): give that.")
    case .time(let time):
      guard let duration, duration.isNumeric, time > duration || !isEnd && time == duration else {
        return time
      }
      throw ToolFailure(
        "'\(name)' is \(time.exactDescription), and the file ends at \(duration.exactDescription)",
        hint: hint(time, duration))
    }
  }

  private func hint(_ time: Time, _ duration: Time) -> String {
    let seconds = time.seconds
    if time == duration, let frameRate, frameRate > 0, duration.seconds * frameRate > 1 {
      return "The end isn't included: the last frame is shown at "
        + "\(Arguments.text(duration.seconds - 1 / frameRate))."
    }
    if seconds >= 1000, seconds / 1000 < duration.seconds {
      return "Times are seconds: if milliseconds are meant, give \(Arguments.text(seconds / 1000))."
    }
    if let frameRate, frameRate > 0, seconds == seconds.rounded(),
      seconds / frameRate < duration.seconds
    {
      return "Times are seconds: if frame \(Int(seconds)) is meant, give "
        + "\(Arguments.text(seconds / frameRate)), or 'frames' of view_frames."
    }
    return "Give a time from 0 to \(Arguments.text(duration.seconds))."
  }

  /// The range that is meant; nil for the whole file.
  func resolve(_ range: RangeArgument) throws -> TimeRange? {
    guard range.isGiven else { return nil }
    let start = try range.start.map { try resolve($0, "start") } ?? .zero
    // An end after that of the file is its end.
    let end: Time? =
      switch range.end {
      case .time(let time)?: try checked(time)
      case .some(let percent): try resolve(percent, "end")
      case nil: nil
      }
    guard let end = end ?? duration, end.isNumeric else {
      return TimeRange(start: start, duration: .positiveInfinity)
    }
    guard end > start else {
      throw ToolFailure(
        "'end' (\(end.exactDescription)) is not after 'start' (\(start.exactDescription))",
        hint:
          "'end' is a time in the file, not a duration: for \(end.exactDescription) from 'start' on "
          + "give \(Arguments.text((start + end).seconds)).")
    }
    return TimeRange(start: start, duration: end - start)
  }

  /// An end that is a little after that of the file is meant to be it; one that is far after it is a mistake.
  private func checked(_ end: Time) throws -> Time {
    guard let duration, duration.isNumeric, end > duration else { return end }
    if end.seconds <= duration.seconds * 1.05 + 1 { return duration }
    return try resolve(.time(end), "end", isEnd: true)
  }
}
