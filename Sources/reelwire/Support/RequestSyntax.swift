import EngineServer
import Glibc
import JSONRPC

/// A request in the syntax of `call` and `repl`: `asset/open url=clip.mp4 options:='{…}'`.
///
/// `key=text` is a string and `key:=json` any JSON value (HTTPie's syntax). After either, `@file` reads
/// the text or the JSON from a file. `a.b=…` is a member of a member. `@file`, `-` (stdin) and `{…}` are a whole
/// object of parameters. `key=_.asset` is a member of the last result, `key=_` all of it.
struct RequestSyntax {
  var method: String
  var params: JSONValue
  /// True to be answered when the work has ended.
  var waits: Bool

  /// - Parameters:
  ///   - last: the value of `_`.
  ///   - readInput: all of stdin, for `-`.
  init(
    _ words: [String], last: JSONValue?, readInput: () throws -> [UInt8] = { try File.read(0) }
  ) throws {
    guard let method = words.first else {
      throw CommandError.usage(
        "There is no method to call", hint: "'reelwire methods' lists them.")
    }
    self.method = method
    params = .object([])
    waits = false
    for word in words.dropFirst() {
      switch word {
      case "--wait": waits = true
      case "-": try merge(Self.json(readInput(), from: "stdin"), from: "stdin")
      case _ where word.hasPrefix("@"):
        let path = String(word.dropFirst())
        try merge(Self.json(File.read(path), from: path), from: path)
      case _ where word.hasPrefix("{"):
        try merge(Self.json(Array(word.utf8), from: word), from: word)
      default: try take(word, last)
      }
    }
  }

  private mutating func merge(_ value: JSONValue, from place: String) throws {
    guard case .object(let members) = value else {
      throw CommandError.usage(
        "'\(place)' is no JSON object", hint: "The parameters are an object: {\"name\": value, …}.")
    }
    for member in members { try set([member.key[...]], member.value) }
  }

  private mutating func take(_ word: String, _ last: JSONValue?) throws {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw CommandError.usage(
        "'\(word)' is no parameter",
        hint: "Parameters are name=text or name:=JSON, for example count:=5; -h explains more.")
    }
    let isJSON = word[word.index(before: equals)] == ":"
    let key = word[..<(isJSON ? word.index(before: equals) : equals)]
    let path = key.split(separator: ".", omittingEmptySubsequences: false)
    guard !path.contains("") else {
      throw CommandError.usage("'\(word)' has no name before its '='", hint: "Write name=value.")
    }
    let text = String(word[word.index(after: equals)...])
    try set(path, isJSON ? Self.jsonValue(text, of: word) : Self.textValue(text, last))
  }

  private static func jsonValue(_ text: String, of word: String) throws -> JSONValue {
    if text.hasPrefix("@") {
      let path = String(text.dropFirst())
      return try json(File.read(path), from: path)
    }
    return try json(Array(text.utf8), from: word)
  }

  private static func textValue(_ text: String, _ last: JSONValue?) throws -> JSONValue {
    if text.hasPrefix("@") {
      return .string(String(decoding: try File.read(String(text.dropFirst())), as: UTF8.self))
    }
    guard text == "_" || text.hasPrefix("_.") || text.hasPrefix("_[") else { return .string(text) }
    return try member(text, of: last)
  }

  /// The value of `_.tracks.0.trackID`, or `_.tracks[0].trackID`.
  static func member(_ reference: String, of last: JSONValue?) throws -> JSONValue {
    guard var value = last else {
      throw CommandError.usage(
        "There is no result yet for '\(reference)'", hint: "'_' is the result of the call before.")
    }
    for step in reference.dropFirst().split(whereSeparator: { ".[]".contains($0) }) {
      guard let next = Int(step).map({ value[$0] }) ?? value[String(step)] else {
        throw CommandError.usage(
          "The last result has no '\(reference)'", hint: "It is \(shortened(value)).")
      }
      value = next
    }
    return value
  }

  private static func shortened(_ value: JSONValue) -> String {
    let text = value.description
    return text.count > 120 ? text.prefix(120) + "…" : text
  }

  private static func json(_ bytes: [UInt8], from place: String) throws -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw CommandError.usage(
        "'\(place)' is no JSON: \(error.reason) at byte \(error.offset)",
        hint: "Text is written with = instead of :=, and lists as name:='[\"one\", \"two\"]'.")
    }
  }

  /// Sets a member, or a member of a member.
  mutating func set(_ path: [Substring], _ value: JSONValue) throws {
    params = try Self.setting(path[...], value, in: params)
  }

  private static func setting(
    _ path: ArraySlice<Substring>, _ value: JSONValue, in object: JSONValue?
  ) throws -> JSONValue {
    guard let key = path.first else { return value }
    var members: [JSONValue.Member] = []
    switch object {
    case .object(let own)?: members = own
    case nil: break
    default:
      throw CommandError.usage("'\(key)' is a member of no object", hint: "Give it once.")
    }
    let name = String(key)
    let inner = try setting(path.dropFirst(), value, in: path.count > 1 ? members.value(name) : nil)
    if let index = members.firstIndex(where: { $0.key == name }) {
      members[index].value = inner
    } else {
      members.append(.init(key: name, value: inner))
    }
    return .object(members)
  }
}

extension [JSONValue.Member] {
  fileprivate func value(_ key: String) -> JSONValue? { first { $0.key == key }?.value }
}

/// Files of a person's, read whole.
enum File {
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    return try read(descriptor, named: path)
  }

  static func read(_ descriptor: Int32, named name: String = "stdin") throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(name) }
      if count == 0 { return all }
      all += buffer[..<count]
    }
  }

  private static func failure(_ path: String) -> CommandError {
    let reason = unsafe String(cString: strerror(errno))
    return CommandError(
      "'\(path)' can't be read: \(reason)", hint: "Check the name.", isUsage: true)
  }
}
