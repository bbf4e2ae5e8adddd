import JSONRPC

/// The meaning of a line of a conversation.
enum ReplLine {
  case nothing
  case leave
  /// The help about the commands of the REPL, or about a method.
  case help(String?)
  /// A value to show, as `_.tracks.0`.
  case value(JSONValue)
  case request(RequestSyntax)
  /// A line about the conversation's player.
  case player(PlayerLine)
  /// A line about devices: to list them, or to record some.
  case capture(CaptureLine)
  /// JSON-RPC as it stands: a message, or a batch of them.
  case messages([JSONValue], isBatch: Bool)

  init(_ line: String, _ conversation: Conversation) throws {
    let first = line.first { !$0.isWhitespace }
    if first == nil || first == "#" {
      self = .nothing
    } else if first == "{" || first == "[" {
      self = try Self.messages(line)
    } else {
      self = try Self.words(line, conversation)
    }
  }

  private static func messages(_ line: String) throws -> ReplLine {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw CommandError.usage(
        "The line is no JSON: \(error.reason) at byte \(error.offset)",
        hint: #"A message is {"jsonrpc": "2.0", "id": 1, "method": …, "params": {…}} on one line."#)
    }
    if case .array(let elements) = value { return .messages(elements, isBatch: true) }
    return .messages([value], isBatch: false)
  }

  private static func words(_ line: String, _ conversation: Conversation) throws -> ReplLine {
    let split = ReplWords(line)
    guard !split.isOpen else {
      throw CommandError.usage(
        "Something is opened and not closed", hint: "Look for a quote or a bracket without its end."
      )
    }
    let words = split.words
    switch words.first {
    case "exit", "quit": return .leave
    case "help": return .help(words.dropFirst().first)
    case let reference? where reference == "_" || reference.hasPrefix("_."):
      return .value(try RequestSyntax.member(reference, of: conversation.last))
    default:
      if let line = try PlayerLine(words, last: conversation.last) { return .player(line) }
      if let line = try CaptureLine(words, last: conversation.last) { return .capture(line) }
      return .request(try conversation.request(words))
    }
  }
}
