/// The error of a JSON-RPC response: `code`, `message`, `data` and nothing else.
public struct RPCError: Error, Sendable, Equatable, Codable {
  /// The number by which programs distinguish errors.
  public var code: Int
  /// One sentence for a person.
  public var message: String
  /// An object with at least `name` and `hint` for every error that is raised here.
  public var data: JSONValue?

  /// Creates an error with any data.
  public init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Creates an error whose data is the encoded `data`; data that can't be encoded is left out.
  public init(code: Int, message: String, encoding data: some Encodable) {
    self.init(code: code, message: message, data: try? JSONValue(encoding: data))
  }

  /// Creates an error with a name for programs and a hint about the next step.
  public init(
    code: Int, message: String, name: String, hint: String, _ more: [JSONValue.Member] = []
  ) {
    let members = [
      JSONValue.Member(key: "name", value: .string(name)),
      JSONValue.Member(key: "hint", value: .string(hint)),
    ]
    self.init(code: code, message: message, data: .object(members + more))
  }

  init(code: Int, message: String, name: String, advice: RPCAdvice, _ more: [JSONValue.Member] = [])
  {
    let named: JSONValue = ["name": .string(advice.name), "arguments": .object(advice.arguments)]
    self.init(
      code: code, message: message, name: name, hint: advice.hint,
      [JSONValue.Member(key: "advice", value: named)] + more)
  }

  func write(into writer: inout JSONWriter) {
    writer.append(raw: "{\"code\":")
    writer.write(code)
    writer.append(raw: ",\"message\":")
    writer.write(message)
    if let data {
      writer.append(raw: ",\"data\":")
      writer.write(data)
    }
    writer.append(raw: "}")
  }
}

extension RPCError {
  /// Returns −32700: the bytes are no JSON, or no message where one has to be.
  public static func parseError(_ reason: String, offset: Int? = nil) -> RPCError {
    let position = offset.map { [JSONValue.Member(key: "offset", value: .integer($0))] } ?? []
    return RPCError(
      code: -32700, message: "Parse error: \(reason)", name: "parseError",
      advice: .sendJSON, position)
  }

  /// Returns −32700 for bytes that no framing fits.
  public static func malformedFraming(expected: String) -> RPCError {
    RPCError(
      code: -32700, message: "Parse error: expected \(expected)", name: "parseError",
      advice: .sendExpected(expected), [.init(key: "expected", value: .string(expected))])
  }

  /// Returns −32600: JSON, but no JSON-RPC 2.0 request.
  public static func invalidRequest(_ reason: String) -> RPCError {
    RPCError(
      code: -32600, message: "Invalid Request: \(reason)", name: "invalidRequest",
      advice: .sendCall)
  }

  /// Returns −32600 with `data.reason` `messageTooLarge`: the message was skipped.
  public static func messageTooLarge(limit: Int) -> RPCError {
    RPCError(
      code: -32600, message: "Invalid Request: the message is larger than \(limit) bytes",
      name: "messageTooLarge", advice: .splitRequest,
      [
        .init(key: "reason", value: "messageTooLarge"),
        .init(key: "limit", value: .integer(limit)),
      ])
  }

  /// Returns −32600: an answer to this id is still due.
  public static func duplicateID(_ id: RequestID) -> RPCError {
    RPCError(
      code: -32600, message: "Invalid Request: a request with id \(id) is still unanswered",
      name: "duplicateId", advice: .useOwnID)
  }

  /// Returns −32600: the caller speaks a version of the protocol whose first number is another.
  public static func unsupportedProtocolVersion(
    _ version: String, supported: String
  ) -> RPCError {
    RPCError(
      code: -32600,
      message: "Invalid Request: the client speaks version \(version) of the protocol, and this "
        + "program \(supported)",
      name: "unsupportedProtocolVersion", advice: .matchProtocolVersions,
      [.init(key: "protocolVersion", value: .string(supported))])
  }

  /// Returns −32601, with the closest registered name as a suggestion.
  public static func methodNotFound(_ method: String, suggestion: String?) -> RPCError {
    return RPCError(
      code: -32601, message: "Method not found: \(method)", name: "methodNotFound",
      advice: suggestion.map(RPCAdvice.useSimilarMethod) ?? .discoverMethods,
      suggestion.map { [.init(key: "suggestion", value: .string($0))] } ?? [])
  }

  /// Returns −32602: all problems of the params are in `data.errors`.
  public static func invalidParams(_ problems: DecodingProblems) -> RPCError {
    let errors = problems.problems.map { problem -> JSONValue in
      [
        "path": .string(problem.path), "expected": .string(problem.expected),
        "got": .string(problem.got),
      ]
    }
    var more: [JSONValue.Member] = [.init(key: "errors", value: .array(errors))]
    if problems.omitted > 0 {
      more.append(.init(key: "errorsOmitted", value: .integer(problems.omitted)))
    }
    let first = problems.problems.first.map { problem in
      let place = problem.path.isEmpty ? "params" : problem.path
      return ": \(place): expected \(problem.expected), got \(problem.got)"
    }
    return RPCError(
      code: -32602, message: "Invalid params\(first ?? "")", name: "invalidParams",
      advice: .correctMembers, more)
  }

  /// Returns −32602 for one problem that was found after decoding.
  public static func invalidParams(path: String, expected: String, got: String) -> RPCError {
    invalidParams([DecodingProblem(path: path, expected: expected, got: got)])
  }

  /// Returns −32602 for problems that were found after decoding.
  public static func invalidParams(_ problems: [DecodingProblem]) -> RPCError {
    let limit = DecodingProblems.limit
    return invalidParams(
      DecodingProblems(
        problems: Array(problems.prefix(limit)), omitted: max(0, problems.count - limit)))
  }

  /// Returns −32603: our fault.
  public static func internalError(_ reason: String) -> RPCError {
    RPCError(
      code: -32603, message: "Internal error: \(reason)", name: "internalError",
      advice: .reportDefect)
  }

  /// Returns −32800: cancelled by `$/cancelRequest`, or because the connection ended.
  public static func requestCancelled(
    _ reason: String = "the request was cancelled",
    advice: RPCAdvice = .sendAgainIfWanted
  ) -> RPCError {
    RPCError(
      code: -32800, message: "Request cancelled: \(reason)", name: "requestCancelled",
      advice: advice)
  }
}
