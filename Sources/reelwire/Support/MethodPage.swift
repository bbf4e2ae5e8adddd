import EngineProtocol
import JSONRPC
import Terminal

/// Methods described for a person.
struct MethodPage {
  var catalog: MethodCatalog
  var style: Style
  var columns: Int

  /// A line for each method.
  func list(_ methods: [MethodCatalog.Method]) -> String {
    let width = methods.map(\.name.count).max() ?? 0
    return methods.map { method in
      let room = columns - width - 3
      let isLong = method.summary.count > room
      let summary = isLong ? method.summary.prefix(max(0, room - 1)) + "…" : method.summary[...]
      return "\(style.cyan(method.name.padded(to: width)))  \(summary)\n"
    }.joined()
  }

  /// Everything about a method.
  func text(_ method: MethodCatalog.Method) -> String {
    var lines = [style.bold(method.name), ""]
    lines += wrapped(method.description, indent: 0)
    lines += table("Parameters", method.parameters.map(row))
    if let result = method.result { lines += table("Result", resultRows(result)) }
    if let terminal = method.terminal {
      lines += ["", "Its work ends with \(style.cyan(terminal)), or with the answer after --wait."]
    }
    lines += table(
      "Errors", method.errors.map { (name: $0.name, type: "", description: $0.message) })
    if !method.isNotification {
      lines += ["", style.bold("Example"), "  " + MethodExample(catalog: catalog).line(method)]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private typealias Row = (name: String, type: String, description: String)

  private func row(_ parameter: MethodCatalog.Parameter) -> Row {
    let initial = parameter.schema["default"].map { " = \($0)" } ?? ""
    return (
      parameter.name + (parameter.isRequired ? "" : "?"),
      catalog.describe(parameter.schema) + initial, parameter.description
    )
  }

  /// The members of its result, after the work when there is any.
  private func resultRows(_ schema: JSONValue) -> [Row] {
    let schema = schema["anyOf"].elements.last ?? schema
    let members = catalog.members(schema)
    if !members.isEmpty { return members.map(row) }
    let type = catalog.resolved(schema)["type"]?.stringValue
    return [(name: type == "null" ? "null" : "{}", type: "", description: "")]
  }

  private func table(_ title: String, _ rows: [Row]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let width = min(32, rows.map(\.name.count).max() ?? 0)
    return ["", style.bold(title)]
      + rows.flatMap { row -> [String] in
        let text = [row.type.isEmpty ? nil : row.type + ".", row.description]
          .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        let wrapped = wrapped(text, indent: width + 4)
        let first = "  " + style.cyan(row.name.padded(to: width)) + "  " + (wrapped.first ?? "")
        return [first] + wrapped.dropFirst().map { String(repeating: " ", count: width + 4) + $0 }
      }
  }

  /// Lines that fit after `indent` columns.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    let room = max(20, columns - indent)
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last, line.displayWidth + 1 + word.displayWidth <= room {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

/// A command line that calls a method, with the calls that make the handles it needs.
struct MethodExample {
  var catalog: MethodCatalog

  func line(_ method: MethodCatalog.Method) -> String {
    "reelwire call " + calls(method, depth: 0).joined(separator: " + ")
  }

  private func calls(_ method: MethodCatalog.Method, depth: Int) -> [String] {
    var before: [String] = []
    var words = [method.name]
    var made: String?
    for parameter in method.parameters
    where parameter.isRequired || Self.needed.contains("\(method.name) \(parameter.name)") {
      guard let kind = handleName(parameter) else {
        words.append(value(parameter))
        continue
      }
      if kind == "captureOutput", depth < 4, let (maker, _) = maker(of: kind) {
        // Outputs get something while their session runs.
        before = calls(maker, depth: depth + 1)
        before.append("captureSession/start captureSession=captureSession:1 --wait")
        words.append("\(parameter.name)=captureOutput:1/1")
      } else if before.isEmpty, depth < 4, let (maker, member) = maker(of: kind) {
        before = calls(maker, depth: depth + 1)
        made = member
        words.append("\(parameter.name)=_.\(member)")
      } else {
        // The maker's result can be of another kind that is accepted too: a composition as an asset.
        let known = catalog.handleKinds(parameter.schema).map(\.rawValue).first { $0 == made }
        if let known, !before.isEmpty {
          words.append("\(parameter.name)=_.\(known)")
          continue
        }
        // One of another kind is made first, and isn't the last result.
        if depth < 4, let (maker, _) = maker(of: kind) {
          before = calls(maker, depth: depth + 1) + before
        }
        words.append("\(parameter.name)=\(kind):1")
      }
    }
    if method.takesCompletion { words.append("--wait") }
    return before + [words.joined(separator: " ")]
  }

  /// Parameters of which one or another is required.
  private static let needed: Set = [
    "asset/open url", "imageGenerator/generateImages times", "imageGenerator/contactSheet count",
    "waveform/generate count", "timeRange/contains time", "player/advanceClock by",
    "audioPlayer/create url", "audioPlayer/advanceClock by",
    "captureOutput/startRecording maxRecordedDuration",
  ]

  private func handleName(_ parameter: MethodCatalog.Parameter) -> String? {
    if let kind = catalog.handleKinds(parameter.schema).first { return kind.rawValue }
    return MethodCatalog.referredName(parameter.schema) == "AnyHandle" ? "asset" : nil
  }

  /// The method whose result has such a handle, and where.
  private func maker(of kind: String) -> (MethodCatalog.Method, String)? {
    let (name, member) = Self.makers[kind] ?? ("\(kind)/create", kind)
    return catalog.method(name).map { ($0, member) }
  }

  /// The methods that make objects of other namespaces than their own, and the members of their results.
  private static let makers = [
    "asset": ("asset/open", "asset"), "output": ("assetReader/create", "outputs.0"),
    "captureInput": ("captureSession/configure", "inputs.0"),
    "captureOutput": ("captureSession/configure", "outputs.0"),
  ]

  private func value(_ parameter: MethodCatalog.Parameter) -> String {
    let schema = parameter.schema
    let name = parameter.name
    if let known = Self.known[name] { return name + known }
    if let item = schema["items"] {
      let words = words(item).prefix(2).map { "\"\($0)\"" }
      return "\(name):='[\(words.isEmpty ? sample(item) : words.joined(separator: ","))]'"
    }
    if let word = words(schema).first { return "\(name)=\(word)" }
    let sample = sample(schema)
    if case .string(let text)? = try? JSONValue(parsing: sample) { return "\(name)=\(text)" }
    return "\(name):=" + (sample.hasPrefix("{") ? "'\(sample)'" : sample)
  }

  /// The strings that a schema takes by name, but for those of times: numbers show more.
  private func words(_ schema: JSONValue) -> [String] {
    ["Time", "TimeInput"].contains(MethodCatalog.referredName(schema)) ? [] : catalog.words(schema)
  }

  /// Examples for parameters of which the schema alone has none.
  private static let known = [
    "url": "=clip.mp4", "outputURL": "=part.mp4", "preset": "=HighestQuality",
    "outputs": #":='[{"type":"track","mediaType":"video"}]'"#, "trackID": ":=1",
    "mediaCharacteristic": "=audible", "time": "=1.5", "level": "=off",
    "timescale": ":=600", "count": ":=10",
    "segments":
      #":='[{"timeMapping":{"source":"invalid","target":{"start":"0","duration":"2"}}}]'"#,
    "changes":
      #":='[{"add":"input","device":"synthetic:1"},{"add":"output","type":"movieFile"}]'"#,
    "sequence": #":='{"clips":[{"url":"clip.mp4"}]}'"#,
  ]

  private func sample(_ schema: JSONValue) -> String {
    switch MethodCatalog.referredName(schema) {
    case "Time"?, "TimeInput"?: return #""1.5""#
    case "TimeRange"?, "TimeRangeInput"?: return #"{"start":"1","duration":"2"}"#
    case _?:
      let members = catalog.members(schema).filter(\.isRequired)
      if members.isEmpty { return sample(catalog.resolved(schema), resolved: true) }
      return "{" + members.map { "\"\($0.name)\":\(sample($0.schema))" }.joined(separator: ",")
        + "}"
    case nil: return sample(schema, resolved: true)
    }
  }

  private func sample(_ schema: JSONValue, resolved: Bool) -> String {
    if let choice = schema["anyOf"].elements.first { return sample(choice) }
    return switch schema["type"]?.stringValue {
    case "integer", "number": "1"
    case "boolean": "true"
    case "array": "[]"
    case "object": "{}"
    default: #""text""#
    }
  }
}
