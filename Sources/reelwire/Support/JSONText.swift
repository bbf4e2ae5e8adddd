import JSONRPC
import Terminal

/// JSON for a person: indented, coloured, with short values on one line.
struct JSONText {
  var style: Style
  /// The maximum number of columns of a value on one line.
  var columns = 80
  /// A string of more characters is cut, with its length appended; for terminals.
  var maximumStringLength = Int.max

  func text(_ value: JSONValue) -> String { text(value, indent: 0, used: 0) }

  private func text(_ value: JSONValue, indent: Int, used: Int) -> String {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      return block(value, "[", "]", indent, used) { inner in
        elements.map { text($0, indent: inner, used: inner) }
      }
    case .object(let members) where !members.isEmpty:
      return block(value, "{", "}", indent, used) { inner in
        members.map { member in
          let key = JSONValue.string(member.key).description
          return style.blue(key) + ": "
            + text(member.value, indent: inner, used: inner + key.displayWidth + 2)
        }
      }
    default: return scalar(value)
    }
  }

  private func block(
    _ value: JSONValue, _ open: String, _ close: String, _ indent: Int, _ used: Int,
    _ items: (Int) -> [String]
  ) -> String {
    if let short = line(value, room: columns - used) { return short }
    let space = String(repeating: " ", count: indent + 2)
    let lines = items(indent + 2).map { space + $0 }.joined(separator: ",\n")
    return "\(open)\n\(lines)\n\(String(repeating: " ", count: indent))\(close)"
  }

  /// All of it on one line, if it fits and nothing in it is nested deeply.
  private func line(_ value: JSONValue, room: Int) -> String? {
    var left = room
    let text = flat(value, depth: 0, &left)
    return left >= 0 ? text : nil
  }

  private func flat(_ value: JSONValue, depth: Int, _ left: inout Int) -> String? {
    guard left >= 0, depth < 3 else {
      left = -1
      return nil
    }
    func list(_ open: String, _ close: String, _ items: [String?]) -> String {
      left -= 2 + 2 * items.count
      return open + items.compactMap { $0 }.joined(separator: ", ") + close
    }
    switch value {
    case .array(let elements):
      guard elements.count <= left else {
        left = -1
        return nil
      }
      return list("[", "]", elements.map { flat($0, depth: depth + 1, &left) })
    case .object(let members):
      return list(
        "{", "}",
        members.map { member in
          let key = JSONValue.string(member.key).description
          left -= key.displayWidth + 2
          return flat(member.value, depth: depth + 1, &left).map { style.blue(key) + ": " + $0 }
        })
    default:
      left -= value.stringValue.map { $0.utf8.count + 2 } ?? value.description.utf8.count
      return left >= 0 ? scalar(value) : nil
    }
  }

  private func scalar(_ value: JSONValue) -> String {
    switch value {
    case .string(let text):
      if text.utf8.count > maximumStringLength {
        let start = JSONValue.string(String(text.prefix(40))).description.dropLast()
        return style.green("\(start)…\"".printableJSON) + style.dim(" (\(text.utf8.count) bytes)")
      }
      return style.green(value.description.printableJSON)
    case .number: return style.cyan(value.description)
    case .bool, .null: return style.yellow(value.description)
    default: return value.description
    }
  }
}

extension Console {
  /// Writes JSON: for a person on a terminal, as one line to everything else.
  @inline(never)
  func print(_ value: JSONValue) throws {
    guard isTerminal || style.isColored else { return try print(value.description) }
    try print(jsonText.text(value))
  }

  private var jsonText: JSONText {
    isTerminal
      ? JSONText(style: style, columns: columns - 1, maximumStringLength: 2000)
      : JSONText(style: style, columns: .max)
  }

  @inline(never)
  func print(_ value: some Encodable) throws { try print(JSONValue(encoding: value)) }
}
