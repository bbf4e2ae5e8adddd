/// One message, parsed in the same pass as its params.
package struct Envelope: Sendable {
  package enum Kind: Sendable, Equatable {
    case request(method: String)
    case notification(method: String)
    /// An answer to a request that was never sent from here.
    case response
    case invalid(reason: String)
  }

  package var kind: Kind
  /// The id; null for notifications, and if it is unknown.
  package var id: RequestID
  package var params: JSONValue?
  /// The range of the params in the message's bytes; nil when there are none.
  package var paramsRange: Range<Int>?
  /// The range of the envelope in the message's bytes.
  package var range: Range<Int>

  /// True for a message that gets a response, an error included.
  package var needsAnswer: Bool {
    switch kind {
    case .request, .invalid: return true
    case .notification, .response: return false
    }
  }

  package var method: String? {
    switch kind {
    case .request(let method), .notification(let method): return method
    case .response, .invalid: return nil
    }
  }

  /// The content of one framed message.
  package enum Content: Sendable {
    case single(Envelope)
    case batch([Envelope])
  }

  /// Reads a message; of a batch at most `limit` elements are returned, though all are checked.
  package static func read(
    _ bytes: [UInt8], keeping limit: Int = .max
  ) throws(JSONSyntaxError) -> Content {
    var parser = JSONParser(bytes)
    guard parser.peek() == UInt8(ascii: "[") else {
      let envelope = try read(&parser)
      try parser.finish()
      return .single(envelope)
    }
    var elements: [Envelope] = []
    try parser.array { (parser) throws(JSONSyntaxError) in
      let element = try read(&parser)
      if elements.count < limit { elements.append(element) }
    }
    try parser.finish()
    return .batch(elements)
  }

  private static func read(_ parser: inout JSONParser) throws(JSONSyntaxError) -> Envelope {
    let isObject = parser.peek() == UInt8(ascii: "{")
    let start = parser.position
    guard isObject else {
      _ = try parser.value()
      return Envelope(
        kind: .invalid(reason: "a message is an object"), id: .null,
        range: start..<parser.position)
    }
    var members = Members()
    try parser.object { (key, parser) throws(JSONSyntaxError) in
      // After the white space, so that the slice is the token and nothing else.
      _ = parser.peek()
      let start = parser.position
      let value = try parser.value()
      members.take(key, value, parser.bytes[start..<parser.position])
    }
    return members.envelope(start..<parser.position)
  }

  /// The members that have a meaning; all others are ignored.
  private struct Members {
    private var version: JSONValue?
    private var method: JSONValue?
    private var params: JSONValue?
    private var paramsRange: Range<Int>?
    private var id: RequestID?
    private var hasID = false
    private var isAnswer = false
    private var repeated: String?

    mutating func take(_ key: String, _ value: JSONValue, _ token: ArraySlice<UInt8>) {
      switch key {
      case "jsonrpc":
        note(key, version != nil)
        version = value
      case "method":
        note(key, method != nil)
        method = value
      case "params":
        note(key, params != nil)
        params = value
        paramsRange = token.startIndex..<token.endIndex
      case "id":
        note(key, hasID)
        id = hasID ? nil : RequestID(value, token: token)
        hasID = true
      case "result", "error": isAnswer = true
      default: break
      }
    }

    func envelope(_ range: Range<Int>) -> Envelope {
      var result = Envelope(
        kind: .response, id: id ?? .null, params: params, paramsRange: paramsRange, range: range)
      if method == nil, isAnswer { return result }
      if let reason = defect {
        result.kind = .invalid(reason: reason)
      } else if case .string(let name)? = method {
        result.kind = hasID ? .request(method: name) : .notification(method: name)
      }
      return result
    }

    private var defect: String? {
      if let repeated { return "\"\(repeated)\" is given twice" }
      if hasID, id == nil { return "\"id\" has to be a string, a number or null" }
      guard version == "2.0" else { return "\"jsonrpc\" has to be \"2.0\"" }
      guard case .string? = method else { return "\"method\" has to be a string" }
      switch params {
      case nil, .null, .object, .array: return nil
      default: return "\"params\" has to be an object"
      }
    }

    private mutating func note(_ key: String, _ wasThere: Bool) {
      if wasThere { repeated = key }
    }
  }
}
