import Dispatch
import EngineProtocol
import EngineServer
import JSONRPC
import Synchronization

/// A client of an engine over the protocol, as any other client: the engine is in this process, or
/// is a server whose connection is in it.
///
/// Other languages have a client library; Swift has types instead: a request's result, and the
/// notifications of a type as a sequence. Requests are sent in the order of their calls. The
/// program has to ignore SIGPIPE, and to call `EngineHost.prepare()` before anything else.
package final class EngineClient: Sendable {
  /// The engine has ended, or ended before it answered.
  package struct ConnectionClosedError: Error, Sendable, Equatable {
    package init() {}
  }

  /// The process is out of descriptors.
  package struct Unavailable: Error, Sendable, Equatable {}

  /// A request of work was made without `completion` `.response`: it has only begun.
  package struct OnlyStarted: Error, Sendable, Equatable {
    /// The work, which continues.
    package var operation: OperationHandle

    package init(operation: OperationHandle) { self.operation = operation }
  }

  /// A message of the server's own.
  package struct Notification: Sendable, Equatable {
    /// Its method, for example `exportSession/didProgress`.
    package var method: String
    /// Its params.
    package var params: JSONValue
  }

  private struct State {
    var lastID = 0
    var isClosed = false
    var pending: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    var lastSubscriber = 0
    /// The observers of notifications; each is called with nil at the end.
    var subscribers: [Int: @Sendable (Notification?) -> Void] = [:]
  }

  private let connection: Connection
  private let channel: DescriptorChannel
  /// The maximum size in bytes of a message that the engine accepts.
  private let limit: Int
  private let state = Mutex(State())
  /// A queue that writes messages whole and in order, so that no thread of the pool waits for the
  /// pipe.
  private let writer = DispatchQueue(label: "engineClient.writer")

  /// Starts an engine with these options; `log` receives its log lines.
  package convenience init(
    options: Engine.Options = Engine.Options(), log: LogRelay = LogRelay()
  ) throws(Unavailable) {
    let engine = Engine(options: options, log: log)
    var configuration = ConnectionConfiguration()
    configuration.framing = .lines
    configuration.maximumMessageBytes = options.maximumMessageBytes
    configuration.errorMapper = responseError
    configuration.onEnd = { _ in
      engine.end()
      await engine.workEnded()
    }
    try self.init(maximumMessageBytes: options.maximumMessageBytes) { [configuration] channel in
      Connection(channel: channel, router: engine.makeRouter(), configuration: configuration)
    }
  }

  /// Creates a client of the connection that `connect` makes of a channel, in lines: that of a
  /// supervisor, for example. It is started here, and stopped with the client.
  package init(
    maximumMessageBytes: Int, connect: (DescriptorChannel) -> Connection
  ) throws(Unavailable) {
    guard let (there, here) = DescriptorChannel.pair() else { throw Unavailable() }
    limit = maximumMessageBytes
    connection = connect(there)
    channel = here
    connection.start()
    DispatchQueue(label: "engineClient.reader").async { [weak self] in Self.read(here) { self } }
  }

  deinit {
    connection.stop()
    channel.wake()
  }

  /// Cancels all work and ends the engine; returns when no unfinished output is left.
  package func close() async {
    connection.stop()
    _ = await connection.ended()
    end()
    channel.wake()
  }

  // MARK: Requests

  /// Sends a request and waits for its result; throws the answer's `RPCError`, or `messageTooLarge`
  /// without sending a request that the engine would not read.
  ///
  /// A task that is cancelled cancels its request (`$/cancelRequest`), waits for the answer, and throws
  /// `CancellationError` unless there is a result after all.
  package func call<Request: RequestType>(_ request: Request) async throws -> Request.Result {
    let request = try EncodedRequest(request)
    let result = try await call(request.method, request.params)
    return try Self.decode(Request.Result.self, from: result)
  }

  @inline(never)
  private static func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue
  ) throws -> Value {
    try JSONDecoding.decode(type, from: value)
  }

  /// Sends a request of work with `completion` `.response`, and waits for the end of the work.
  ///
  /// - Throws: ``OnlyStarted`` when the request has another completion.
  package func finish<Request: RequestType, Completion>(
    _ request: Request
  ) async throws -> Completion where Request.Result == OperationReply<Completion> {
    switch try await call(request) {
    case .finished(let completion): return completion
    case .started(let operation): throw OnlyStarted(operation: operation)
    }
  }

  /// Sends a request by the name of its method, and waits for its result as JSON.
  package func call(_ method: String, _ params: JSONValue = .null) async throws -> JSONValue {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let message = try encoded([
      "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params,
    ])
    let answer = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isClosed { state.pending[id] = continuation }
          return !state.isClosed
        }
        guard isOpen else { return continuation.resume(throwing: ConnectionClosedError()) }
        send(message)
        // The handler has run already, before there was anything to cancel.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
    guard let error = answer["error"] else { return answer["result"] ?? .null }
    let decoded = try JSONDecoding.decode(RPCError.self, from: error)
    if decoded.code == ErrorCode.requestCancelled.rawValue { try Task.checkCancellation() }
    throw decoded
  }

  private func cancel(_ id: Int) {
    // The notification is small enough for any limit.
    try? notify(CancelRequest.method, ["id": .integer(id)])
  }

  /// Sends a notification.
  package func notify<Message: NotificationType>(_ notification: Message) throws {
    try notify(Message.method, try JSONValue(encoding: notification))
  }

  /// Sends a notification by the name of its method.
  package func notify(_ method: String, _ params: JSONValue) throws(RPCError) {
    send(try encoded(["jsonrpc": "2.0", "method": .string(method), "params": params]))
  }

  /// Returns a message as a line.
  private func encoded(_ message: JSONValue) throws(RPCError) -> [UInt8] {
    let bytes = message.bytes
    guard bytes.count <= limit else { throw .messageTooLarge(limit: limit) }
    return bytes + [0x0A]
  }

  private func send(_ line: [UInt8]) {
    writer.async { [channel] in _ = channel.write(line[...]) }
  }

  // MARK: Notifications

  /// Returns all notifications from now on, buffered until they are read.
  package func notifications() -> AsyncStream<Notification> {
    subscribe { $0 }
  }

  /// Returns the notifications of one type from now on, buffered until they are read.
  ///
  /// Call it before the request that causes them, or the first may be missed.
  package func notifications<Message: NotificationType>(
    of type: Message.Type
  ) -> AsyncStream<Message> {
    subscribe { notification in
      guard notification.method == Message.method else { return nil }
      return try? JSONDecoding.decode(Message.self, from: notification.params)
    }
  }

  /// Calls `body` with each notification from now on, on the thread that reads: before any answer
  /// that came after it. It must not wait.
  ///
  /// - Parameter ended: called once at the end of the engine.
  /// - Returns: a function that ends the observation; nil when the engine has ended.
  @discardableResult
  package func observe(
    _ body: @escaping @Sendable (Notification) -> Void,
    ended: @escaping @Sendable () -> Void = {}
  ) -> (@Sendable () -> Void)? {
    let id = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.lastSubscriber += 1
      state.subscribers[state.lastSubscriber] = { notification in
        if let notification { body(notification) } else { ended() }
      }
      return state.lastSubscriber
    }
    guard let id else { return nil }
    return { [weak self] in self?.state.withLock { $0.subscribers[id] = nil } }
  }

  private func subscribe<Element: Sendable>(
    _ transform: @escaping @Sendable (Notification) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    let cancel = observe(
      { notification in
        if let element = transform(notification) { continuation.yield(element) }
      }, ended: { continuation.finish() })
    guard let cancel else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { _ in cancel() }
    return stream
  }

  // MARK: Receiving

  private static func read(_ channel: DescriptorChannel, _ client: () -> EngineClient?) {
    var framing = Framing(mode: .lines, limit: .max)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch channel.read(into: &buffer) {
      case .bytes(let count): framing.feed(buffer[..<count])
      case .woken: if client()?.isClosed ?? true { return }
      case .end, .outputClosed, .failed:
        client()?.end()
        return
      }
      while case .message(let bytes)? = framing.next() {
        if let message = try? JSONValue(parsing: bytes) { client()?.take(message) }
      }
    }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Handles a message of the engine.
  func take(_ message: JSONValue) {
    if let method = message["method"]?.stringValue {
      let notification = Notification(method: method, params: message["params"] ?? .null)
      let subscribers = state.withLock { state in
        state.subscribers.sorted { $0.key < $1.key }.map(\.value)
      }
      for subscriber in subscribers { subscriber(notification) }
    } else if let id = message["id"]?.integerValue {
      let waiting = state.withLock { $0.pending.removeValue(forKey: id) }
      waiting?.resume(returning: message)
    } else if message["error"] != nil {
      failAll(message)
    }
  }

  /// Ends every unanswered request with an error without an id, which belongs to one of them: that
  /// one gets no other answer. The others are cancelled, for nothing waits for them any more.
  private func failAll(_ message: JSONValue) {
    let pending = state.withLock { state in
      defer { state.pending = [:] }
      return state.pending
    }
    for (id, continuation) in pending {
      continuation.resume(returning: message)
      cancel(id)
    }
  }

  private func end() {
    let (pending, subscribers) = state.withLock { state in
      state.isClosed = true
      defer {
        state.pending = [:]
        state.subscribers = [:]
      }
      return (state.pending.values, state.subscribers.values)
    }
    for continuation in pending { continuation.resume(throwing: ConnectionClosedError()) }
    for subscriber in subscribers { subscriber(nil) }
  }
}
