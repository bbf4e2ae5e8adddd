import EngineReports
import JSONRPC
import MediaTime

/// The arguments of a call, as a model writes them: an unambiguous value is accepted, all else is refused with advice
/// about the right one.
struct Arguments: Sendable {
  private let values: [String: JSONValue]
  /// The name of a member of a list in messages, before the name of an argument.
  private let place: String

  init(_ values: JSONValue, _ schema: ObjectSchema, place: String = "") throws {
    guard case .object(let members) = values else {
      throw ToolFailure("\(place.isEmpty ? "arguments" : place) has to be an object")
    }
    self.place = place
    var known: [String: JSONValue] = [:]
    for member in members where member.key != "_meta" {
      guard schema.names.contains(member.key) else {
        throw Self.unknown(member.key, schema.names)
      }
      if member.value != .null { known[member.key] = member.value }
    }
    for member in schema.members where member.isRequired && known[member.name] == nil {
      throw ToolFailure(
        "'\(place)\(member.name)' is missing",
        hint: "The arguments are \(schema.names.joined(separator: ", ")).")
    }
    self.values = known
  }

  subscript(name: String) -> JSONValue? { values[name] }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// Other names for arguments that models use.
  private static let others = [
    "file": "path", "filename": "path", "file_path": "path", "filepath": "path", "input": "path",
    "url": "path", "uri": "path", "source": "path", "video": "path", "time": "times",
    "timestamp": "times", "timestamps": "times", "at": "times", "frame": "frames",
    "start_time": "start", "from": "start", "begin": "start", "in": "start", "end_time": "end",
    "to": "end", "out": "output", "dest": "output", "destination": "output",
    "output_path": "output", "outputPath": "output", "output_file": "output", "clips": "parts",
    "files": "parts", "inputs": "parts", "directory": "folder", "dir": "folder", "query": "text",
    "search": "text", "job_id": "job", "id": "job", "timeout": "wait_seconds", "n": "count",
    "number": "count", "cols": "columns", "timeline": "document", "quality": "settings",
    "format": "output", "length": "duration", "threshold": "sensitivity",
  ]

  private static func unknown(_ name: String, _ known: [String]) -> ToolFailure {
    let meant =
      others[name].flatMap { known.contains($0) ? $0 : nil }
      ?? closest(to: name, among: known)
    if meant == nil, name == "duration", known.contains("end") {
      return ToolFailure(
        "There is no argument 'duration'", hint: "Give 'end', which is start + duration.")
    }
    return ToolFailure(
      "There is no argument '\(name)'",
      hint: (meant.map { "Did you mean '\($0)'? " } ?? "")
        + "The arguments are \(known.joined(separator: ", ")).")
  }

  // MARK: Texts and numbers

  func text(_ name: String) throws -> String? {
    guard let value = values[name] else { return nil }
    guard case .string(let text) = value else {
      throw ToolFailure("'\(place)\(name)' has to be text, not \(Self.kind(value))")
    }
    return text
  }

  func required(_ name: String) throws -> String {
    guard let text = try text(name) else { throw ToolFailure("'\(place)\(name)' is missing") }
    return text
  }

  /// A number, also one that is written as text.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let value = values[name] else { return nil }
    let number: Double? =
      switch value {
      case .number(let text): Double(text)
      case .string(let text): Double(text.trimmed)
      default: nil
      }
    guard let number, number.isFinite else {
      throw ToolFailure(
        "'\(place)\(name)' has to be a number, not \(Self.shown(value))",
        hint: "Give a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))."
      )
    }
    guard range.contains(number) else {
      throw ToolFailure(
        "'\(place)\(name)' is \(Self.text(number))",
        hint: "Give a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))."
      )
    }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    guard let number = try number(name, in: bounds) else { return nil }
    guard let integer = Int(exactly: number) else {
      throw ToolFailure(
        "'\(place)\(name)' has to be a whole number, not \(Self.text(number))",
        hint: "Give \(Int(number.rounded())), for example.")
    }
    return integer
  }

  /// Seconds to wait.
  func seconds(
    _ name: String, in range: ClosedRange<Double>, default standard: Double
  ) throws -> Double {
    try number(name, in: range) ?? standard
  }

  func flag(_ name: String) throws -> Bool? {
    switch values[name] {
    case nil: return nil
    case .bool(let flag): return flag
    case .string("true"): return true
    case .string("false"): return false
    case .some(let value):
      throw ToolFailure("'\(place)\(name)' has to be true or false, not \(Self.shown(value))")
    }
  }

  /// One of a few strings.
  func choice(_ name: String, among known: [String]) throws -> String? {
    guard let text = try text(name) else { return nil }
    if known.contains(text) { return text }
    let meant = closest(to: text, among: known).map { "Did you mean '\($0)'? " } ?? ""
    throw ToolFailure(
      "'\(place)\(name)' is '\(text)'",
      hint: "\(meant)There are \(known.joined(separator: ", ")).")
  }

  // MARK: Lists and objects

  /// A list, or one element in place of it.
  func list(_ name: String, maximum: Int) throws -> [JSONValue]? {
    guard let value = values[name] else { return nil }
    let elements: [JSONValue]
    switch value {
    case .array(let array): elements = array
    case .string(let text):
      // A list that is written as text.
      if text.trimmed.hasPrefix("["), case .array(let array)? = try? JSONValue(parsing: text) {
        elements = array
      } else if text.contains(",") {
        elements = text.split(separator: ",").map { .string(String($0).trimmed) }
      } else {
        elements = [value]
      }
    default: elements = [value]
    }
    guard !elements.isEmpty else { throw ToolFailure("'\(place)\(name)' is empty") }
    guard elements.count <= maximum else {
      throw ToolFailure(
        "'\(place)\(name)' has \(elements.count) elements",
        hint: "One call accepts at most \(maximum); make several calls.")
    }
    return elements
  }

  /// An object, also one that is written as text.
  func object(_ name: String) throws -> JSONValue? {
    guard let value = values[name] else { return nil }
    if case .object = value { return value }
    if case .string(let text) = value, let parsed = try? JSONValue(parsing: text),
      case .object = parsed
    {
      return parsed
    }
    throw ToolFailure("'\(place)\(name)' has to be an object, not \(Self.shown(value))")
  }

  // MARK: Times

  func time(_ name: String) throws -> TimeArgument? {
    guard let value = values[name] else { return nil }
    return try TimeArgument(value, "\(place)\(name)")
  }

  func times(_ name: String, maximum: Int) throws -> [TimeArgument]? {
    try list(name, maximum: maximum)?.map { try TimeArgument($0, "\(place)\(name)") }
  }

  /// The numbers of frames.
  func frames(_ name: String, maximum: Int) throws -> [Int]? {
    try list(name, maximum: maximum)?.map { value in
      let text: String =
        switch value {
        case .number(let text), .string(let text): text.trimmed
        default: ""
        }
      guard let frame = Int(text), frame >= 0 else {
        throw ToolFailure(
          "'\(Self.shown(value))' is no number of a frame",
          hint:
            "Frames are whole numbers from 0 in the order of presentation; for times use 'times'.")
      }
      return frame
    }
  }

  // MARK: Descriptions

  static func kind(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  static func shown(_ value: JSONValue) -> String {
    let text = value.description
    return text.utf8.count <= 60 ? text : String(text.prefix(40)) + "…"
  }

  static func text(_ number: Double) -> String { Formatting.number(number, places: 6) }
}

extension String {
  /// Without white space at its ends.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
