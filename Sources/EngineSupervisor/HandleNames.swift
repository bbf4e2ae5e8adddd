import EngineProtocol
import JSONRPC

/// Finds the handles in messages, as a text of a kind and a number: `asset:1`, `output:4/1`.
enum HandleNames {
  private static let kinds = HandleKind.allCases.map { Array($0.rawValue.utf8) }

  /// Those that a request names.
  static func of(_ params: JSONValue?) -> [String] {
    var found: [String] = []
    params.map { collect($0, &found) }
    return found
  }

  private static func collect(_ value: JSONValue, _ found: inout [String]) {
    switch value {
    case .string(let text): if isHandle(text) { found.append(text) }
    case .array(let elements):
      // Of lists, those of handles and of objects; a million numbers aren't looked at.
      if case .number? = elements.first { return }
      for element in elements { collect(element, &found) }
    case .object(let members):
      // What a client writes into metadata isn't a handle, whatever it looks like.
      for member in members where member.key != "metadata" { collect(member.value, &found) }
    default: return
    }
  }

  private static func isHandle(_ text: String) -> Bool {
    guard text.utf8.count < 64, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return false
    }
    let kind = text.utf8[..<colon]
    guard kinds.contains(where: { $0.elementsEqual(kind) }) else { return false }
    let number = text.utf8[colon...].dropFirst()
    return !number.isEmpty && number.allSatisfy(isOfNumber)
  }

  /// Those near the beginning of the text of a result, in the order in which they are there. What is large
  /// in a result is behind its handles.
  static func of(_ text: ArraySlice<UInt8>) -> [String] {
    let result = text.prefix(1 << 16)
    var found: [String] = []
    var position = result.startIndex
    while let colon = result[position...].firstIndex(of: UInt8(ascii: ":")) {
      position = colon + 1
      // `"key":` has a quotation mark there, a handle's kind a letter.
      guard colon > result.startIndex, isLetter(result[colon - 1]),
        position < result.endIndex, isOfNumber(result[position])
      else { continue }
      var start = colon
      while start > result.startIndex, isLetter(result[start - 1]) { start -= 1 }
      let end = result[position...].firstIndex { !isOfNumber($0) } ?? result.endIndex
      let quote = UInt8(ascii: "\"")
      guard start > result.startIndex, result[start - 1] == quote, end < result.endIndex,
        result[end] == quote, kinds.contains(where: { $0.elementsEqual(result[start..<colon]) })
      else { continue }
      found.append(String(decoding: result[start..<end], as: UTF8.self))
      position = end
    }
    return found
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == UInt8(ascii: "/")
  }

  /// What a handle names.
  static func kind(of handle: String) -> HandleKind? {
    HandleKind(rawValue: String(handle.prefix { $0 != ":" }))
  }

  /// The handle that one belongs to by its name: `assetReader:4` for `output:4/1`.
  static func owner(of handle: String) -> String? {
    guard let slash = handle.firstIndex(of: "/"), let colon = handle.firstIndex(of: ":") else {
      return nil
    }
    let number = handle[handle.index(after: colon)..<slash]
    let owner: HandleKind =
      handle.hasPrefix(HandleKind.output.rawValue) ? .assetReader : .assetWriter
    return "\(owner.rawValue):\(number)"
  }

  /// The paths and URLs of files that a request names.
  static func files(in params: JSONValue?) -> [String] {
    var found: [String] = []
    params.map { collectFiles($0, &found) }
    return found
  }

  private static func collectFiles(_ value: JSONValue, _ found: inout [String]) {
    switch value {
    case .array(let elements):
      if case .number? = elements.first { return }
      for element in elements { collectFiles(element, &found) }
    case .object(let members):
      for member in members {
        if case .string(let text) = member.value {
          if member.key == "url" || member.key == "imageURL" { found.append(text) }
        } else if member.key != "metadata" {
          collectFiles(member.value, &found)
        }
      }
    default: return
    }
  }
}
