/// The functions that serve the methods.
///
/// Handlers registered with `on` start in arrival order and run concurrently; those registered with
/// `onReader` run to their end on the reading thread before the next message is read.
public struct Router: Sendable {
  /// The function that produces a complete response object.
  typealias Body = @Sendable (RequestContext) async throws -> JSONWriter
  typealias ReaderBody = @Sendable (RequestContext) throws -> JSONWriter

  enum Handler: Sendable {
    /// Decodes the params at once, so that a wrong request never becomes a task.
    case concurrent(@Sendable (JSONValue) throws(DecodingProblems) -> Body)
    case onReader(@Sendable (JSONValue) throws(DecodingProblems) -> ReaderBody)
    /// Receives the call, to be answered by another process; `goesFirst` for one that is never put
    /// aside.
    case forwarded(goesFirst: Bool, @Sendable (ForwardedCall) -> Void)
  }

  private var handlers: [String: Handler] = [:]
  private var other: Handler?
  /// The requests that have a handler, in the order of registration.
  public private(set) var requests: [any RequestType.Type] = []

  /// Creates a router that serves `$/cancelRequest` and nothing else.
  public init() {
    onReader(CancelRequest.self) { request, context in
      guard let id = RequestID(request.id) else { return }
      context.connection.cancel(id)
    }
  }

  /// The methods that have a handler, sorted.
  public var methods: [String] { handlers.keys.sorted() }

  /// Serves a request concurrently. The effects of the handler before its first suspension happen
  /// in arrival order; a `CancellationError` is answered −32800, any error that isn't an
  /// ``RPCError`` with the result of the connection's error mapper.
  public mutating func on<Request: RequestType>(
    _ type: Request.Type,
    _ handler: @escaping @Sendable (Request, RequestContext) async throws -> Request.Result
  ) {
    requests.append(type)
    register(
      Request.method,
      .concurrent { (params) throws(DecodingProblems) -> Body in
        let request = try JSONDecoding.decode(type, from: params)
        return { context in
          try Reply.result(context.id, try await handler(request, context))
        }
      })
  }

  /// Serves a notification concurrently, started in arrival order. Its errors are discarded.
  public mutating func on<Notification: NotificationType>(
    _ type: Notification.Type,
    _ handler: @escaping @Sendable (Notification, RequestContext) async throws -> Void
  ) {
    register(
      Notification.method,
      .concurrent { (params) throws(DecodingProblems) -> Body in
        let notification = try JSONDecoding.decode(type, from: params)
        return { context in
          try await handler(notification, context)
          return try Reply.result(context.id, NullResult())
        }
      })
  }

  /// Serves a request on the reading thread, in order with all others of this kind; it must not block.
  public mutating func onReader<Request: RequestType>(
    _ type: Request.Type,
    _ handler: @escaping @Sendable (Request, RequestContext) throws -> Request.Result
  ) {
    requests.append(type)
    register(
      Request.method,
      .onReader { (params) throws(DecodingProblems) -> ReaderBody in
        let request = try JSONDecoding.decode(type, from: params)
        return { context in try Reply.result(context.id, try handler(request, context)) }
      })
  }

  /// Serves a notification on the reading thread, in order with all others of this kind.
  public mutating func onReader<Notification: NotificationType>(
    _ type: Notification.Type,
    _ handler: @escaping @Sendable (Notification, RequestContext) throws -> Void
  ) {
    register(
      Notification.method,
      .onReader { (params) throws(DecodingProblems) -> ReaderBody in
        let notification = try JSONDecoding.decode(type, from: params)
        return { context in
          try handler(notification, context)
          return try Reply.result(context.id, NullResult())
        }
      })
  }

  /// Forwards the calls of a method to another process, which answers them; `goesFirst` for calls
  /// that are started in arrival order even if much is unwritten or running, as those on the
  /// reading thread are.
  ///
  /// `forward` runs on the reading thread and must not block. Params aren't decoded before.
  public mutating func forward(
    _ method: String, goesFirst: Bool = false,
    to forward: @escaping @Sendable (ForwardedCall) -> Void
  ) {
    register(method, .forwarded(goesFirst: goesFirst, forward))
  }

  /// Forwards the requests without a handler here to another process.
  public mutating func forwardOthers(to forward: @escaping @Sendable (ForwardedCall) -> Void) {
    other = .forwarded(goesFirst: false, forward)
  }

  func handler(for method: String, isRequest: Bool) -> Handler? {
    handlers[method] ?? (isRequest ? other : nil)
  }

  /// Returns the members of params: null, `[]` and absent are the same.
  static func members(of params: JSONValue?) throws(DecodingProblems) -> JSONValue {
    switch params {
    case nil, .null: return .object([])
    case .array(let elements) where elements.isEmpty: return .object([])
    case .array(let elements):
      throw DecodingProblems(
        problems: [
          .init(path: "", expected: "params by name", got: "array of \(elements.count)")
        ], omitted: 0)
    case let params?: return params
    }
  }

  /// Returns the registered method that is closest to a wrong one, when one is close.
  func suggestion(for method: String) -> String? {
    let wanted = [UInt8](method.lowercased().utf8.prefix(100))
    let limit = max(2, wanted.count / 4)
    var best: (distance: Int, name: String)?
    for name in methods {
      let candidate = [UInt8](name.lowercased().utf8)
      let isTail = name.split(separator: "/").last?.lowercased() == method.lowercased()
      let distance = isTail ? 1 : wanted.editDistance(to: candidate)
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, name) }
    }
    return best?.name
  }

  private mutating func register(_ method: String, _ handler: Handler) {
    precondition(handlers[method] == nil, "two handlers for \(method)")
    handlers[method] = handler
  }
}

/// `$/cancelRequest`, as in the Language Server Protocol.
public struct CancelRequest: NotificationType {
  /// The method.
  public static let method = "$/cancelRequest"
  /// The id of the request to cancel; one that is unknown or answered is ignored.
  public var id: JSONValue

  /// Creates a notification that cancels the request with that id.
  public init(id: JSONValue) {
    self.id = id
  }
}

/// The objects that are sent back.
enum Reply {
  static func result(_ id: RequestID?, _ value: some Encodable) throws -> JSONWriter {
    var writer = start(id ?? .null)
    writer.append(raw: ",\"result\":")
    try JSONEncoding.encode(value, into: &writer)
    writer.append(raw: "}")
    return writer
  }

  static func error(_ id: RequestID?, _ error: RPCError) -> JSONWriter {
    var writer = start(id ?? .null)
    writer.append(raw: ",\"error\":")
    error.write(into: &writer)
    writer.append(raw: "}")
    return writer
  }

  static func notification(_ notification: some NotificationType) throws -> JSONWriter {
    var writer = JSONWriter()
    writer.append(raw: "{\"jsonrpc\":\"2.0\",\"method\":")
    writer.write(type(of: notification).method)
    writer.append(raw: ",\"params\":")
    try JSONEncoding.encode(notification, into: &writer)
    writer.append(raw: "}")
    return writer
  }

  /// Returns an answer that another process has written: everything of it after its id.
  static func relayed(_ id: RequestID?, _ rest: ArraySlice<UInt8>) -> JSONWriter {
    var writer = start(id ?? .null)
    writer.append(raw: rest)
    return writer
  }

  private static func start(_ id: RequestID) -> JSONWriter {
    var writer = JSONWriter()
    writer.append(raw: "{\"jsonrpc\":\"2.0\",\"id\":")
    writer.append(raw: id.token)
    return writer
  }
}
