import DequeModule
import Dispatch
import EngineClient
import JSONRPC
import Synchronization
import SystemIO

/// One client of the Model Context Protocol: reads its messages, and answers each request exactly once, or not at all
/// when it was cancelled.
///
/// One thread reads, and decides about everything that needs no engine. A request that needs one runs in a task of its
/// own, up to a maximum number at a time; the others wait. The reader stops while too much is unread.
package final class MCPServer: Sendable {
  /// The facts that the server is started with.
  package struct Options: Sendable {
    package var version: String
    /// The folder in which the workers can write, in addition to the roots.
    package var folder: TemporaryFolder
    /// The folders that inputs and outputs lie below; none for no limit.
    package var roots: [String] = []
    package var isReadOnly = false
    /// The time between two reports of progress.
    package var progressInterval = Duration.seconds(1)
    package var clock = MCPClock.system
    /// The bytes that a message may have.
    package var maximumMessageBytes = 16 << 20

    package init(version: String, folder: TemporaryFolder) {
      self.version = version
      self.folder = folder
    }
  }

  /// The maximum number of calls that run at a time.
  private static let maximumRunning = 64
  /// The maximum number of subscriptions that are open at a time.
  private static let maximumSubscriptions = 64
  /// The maximum number of calls that wait for their turn, and of their bytes.
  private static let maximumWaiting = (calls: 16_384, bytes: 64 << 20)
  /// The reader waits while more bytes than this are unread.
  private static let unreadLimit = 32 << 20

  private struct Running {
    var serial: Int
    var task: Task<Void, Never>?
    var sink: AnswerSink
  }

  private struct State {
    var negotiated: ProtocolRevision?
    var lastSerial = 0
    var calls: [RequestID: Running] = [:]
    var subscriptions: Set<RequestID> = []
    var running = 0
    var waiting: Deque<Waiting> = []
    var waitingBytes = 0
    var isEnding = false
    var hasEnded = false
    var endWaiters: [CheckedContinuation<Void, Never>] = []
    var idleWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// A call that has been accepted.
  private struct Waiting {
    var id: RequestID
    var serial: Int
    var call: IncomingCall
  }

  let options: Options
  let identity: ServerIdentity
  let tools: ToolBox
  private let channel: DescriptorChannel
  private let outbox: Outbox
  private let state = Mutex(State())

  package init(client: EngineClient, channel: DescriptorChannel, options: Options) {
    self.options = options
    self.channel = channel
    identity = ServerIdentity(version: options.version, isReadOnly: options.isReadOnly)
    outbox = Outbox(channel: channel, notificationBudget: 1 << 20, replyBudget: Self.unreadLimit)
    tools = ToolBox(
      engine: EngineSession(client), paths: PathRules(roots: options.roots), options: options)
  }

  /// Begins to read, on a thread of its own; to be called once.
  package func start() {
    DispatchQueue(label: "engineMCP.reader", qos: .userInitiated).async { self.read() }
  }

  /// Asks for the end and returns; ``ended()`` returns when it has come.
  package func stop() {
    state.withLock { $0.isEnding = true }
    channel.wake()
  }

  /// Waits until the client has gone, and all work was cancelled.
  package func ended() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.endWaiters.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  // MARK: Reading

  private func read() {
    var framing = Framing(mode: .lines, limit: options.maximumMessageBytes)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isAtEnd = false
    while !isAtEnd, !state.withLock({ $0.isEnding }) {
      switch channel.read(into: &buffer) {
      case .bytes(let count): framing.feed(buffer[..<count])
      case .woken: continue
      case .end: isAtEnd = true
      case .outputClosed, .failed:
        isAtEnd = true
        stop()
      }
      while let event = framing.next() { take(event) }
      if isAtEnd, let event = framing.finish() { take(event) }
      // It returns as soon as all is written.
      while outbox.isStalled, !outbox.hasFailed, !state.withLock({ $0.isEnding }) {
        _ = outbox.flush(until: .now() + .milliseconds(500))
      }
    }
    Task { await end() }
  }

  private func take(_ event: Framing.Event) {
    switch event {
    case .message(let bytes): take(bytes)
    case .malformed(let expected):
      post(Outgoing.failure(.malformedFraming(expected: expected), id: .null))
    case .tooLarge(let limit, let id):
      post(Outgoing.failure(.messageTooLarge(limit: limit), id: id))
    }
  }

  private func take(_ bytes: [UInt8]) {
    let post: @Sendable (JSONValue) -> Void = { [weak self] in self?.post($0) }
    do throws(JSONSyntaxError) {
      switch try Envelope.read(bytes) {
      case .single(let envelope):
        take(envelope, AnswerSink(expecting: 1, isBatch: false, post: post))
      case .batch(let elements): takeBatch(elements, post)
      }
    } catch {
      post(Outgoing.failure(.parseError(error.reason, offset: error.offset), id: .null))
    }
  }

  private func takeBatch(
    _ elements: [Envelope], _ post: @escaping @Sendable (JSONValue) -> Void
  ) {
    let hasBatches = state.withLock { $0.negotiated?.hasBatches ?? false }
    guard hasBatches, !elements.isEmpty else {
      let reason = elements.isEmpty ? "an empty batch" : "this revision has no batches"
      return post(Outgoing.failure(.invalidRequest(reason), id: .null))
    }
    let count = elements.count { $0.needsAnswer }
    let sink = AnswerSink(expecting: count, isBatch: true, post: post)
    for element in elements { take(element, sink) }
  }

  // MARK: Messages

  private func take(_ envelope: Envelope, _ sink: AnswerSink) {
    switch envelope.kind {
    case .response: break
    case .invalid(let reason):
      let id = envelope.id.isAllowed ? envelope.id : .null
      sink.take(Outgoing.failure(.invalidRequest(reason), id: id))
    case .notification(let method):
      if method == Method.cancelled, let id = envelope.params?["requestId"] { cancel(id) }
    case .request(let method):
      guard envelope.id.isAllowed else {
        let error = RPCError.invalidRequest("\"id\" has to be a string or a whole number")
        return sink.take(Outgoing.failure(error, id: .null))
      }
      take(method, envelope, sink)
    }
  }

  /// The methods of the protocol.
  enum Method {
    static let initialize = "initialize"
    static let ping = "ping"
    static let discover = "server/discover"
    static let listen = "subscriptions/listen"
    static let cancelled = "notifications/cancelled"
  }

  private func take(_ method: String, _ envelope: Envelope, _ sink: AnswerSink) {
    let (id, params) = (envelope.id, envelope.params)
    do throws(RPCError) {
      if case .array? = params { throw .malformed("params has to be an object") }
      if method == Method.initialize { return try initialize(id, params, sink) }
      let negotiated = state.withLock { $0.negotiated }
      if method == Method.ping, params?["_meta"]?[ClientContext.MetaKey.version] == nil {
        return sink.take(Outgoing.result(.object([]), id: id, nil, identity))
      }
      let context = try ClientContext.read(params, method: method, negotiated: negotiated)
      if method == Method.discover, context.revision.isStateless {
        return sink.take(Outgoing.result(identity.discovery(), id: id, context, identity))
      }
      if method == Method.listen, context.revision.isStateless {
        return try listen(id, params, sink)
      }
      let call = IncomingCall(
        id: id, method: method, params: params ?? .null, context: context, sink: sink,
        size: envelope.range.count)
      if let answer = try call.immediateAnswer(tools) {
        return sink.take(Outgoing.result(answer, id: id, context, identity))
      }
      accept(call)
    } catch {
      sink.take(Outgoing.failure(error, id: id))
    }
  }

  private func initialize(
    _ id: RequestID, _ params: JSONValue?, _ sink: AnswerSink
  ) throws(RPCError) {
    guard case .string(let wanted)? = params?["protocolVersion"] else {
      throw .malformed("protocolVersion has to be a string")
    }
    let revision =
      ProtocolRevision.withHandshake.first { $0.rawValue == wanted }
      ?? ProtocolRevision.latestWithHandshake
    state.withLock { $0.negotiated = revision }
    sink.take(Outgoing.result(identity.introduction(revision), id: id, nil, identity))
  }

  /// Opens a subscription, which lasts until it is cancelled or the server ends.
  ///
  /// The lists of this server never change, and it doesn't watch resources: the acknowledgement names no
  /// notifications, and none follow.
  private func listen(
    _ id: RequestID, _ params: JSONValue?, _ sink: AnswerSink
  ) throws(RPCError) {
    guard case .object? = params?["notifications"] else {
      throw .malformed("notifications has to be an object")
    }
    // The other answers of a batch would wait for its end.
    if sink.isBatch { throw .invalidRequest("a subscription can't be opened in a batch") }
    let refusal = state.withLock { state -> RPCError? in
      if state.isEnding { return .internalError("the server is ending") }
      if state.calls[id] != nil || state.subscriptions.contains(id) { return .duplicateID(id) }
      if state.subscriptions.count >= Self.maximumSubscriptions {
        let limit = Self.maximumSubscriptions
        return .internalError("\(limit) subscriptions are open, which is the limit")
      }
      state.subscriptions.insert(id)
      return nil
    }
    if let refusal { throw refusal }
    post(Outgoing.acknowledgement(id, .object([])))
  }

  // MARK: Calls

  private enum Admission {
    case refused(RPCError)
    case waits
    case runs(Int)
  }

  private func accept(_ call: IncomingCall) {
    let admission = state.withLock { state -> Admission in
      if state.isEnding { return .refused(.internalError("the server is ending")) }
      if state.calls[call.id] != nil || state.subscriptions.contains(call.id) {
        return .refused(.duplicateID(call.id))
      }
      let limits = Self.maximumWaiting
      if state.waiting.count >= limits.calls || state.waitingBytes >= limits.bytes {
        return .refused(.internalError("too many requests are unanswered"))
      }
      state.lastSerial += 1
      let serial = state.lastSerial
      state.calls[call.id] = Running(serial: serial, task: nil, sink: call.sink)
      if state.running >= Self.maximumRunning {
        state.waiting.append(Waiting(id: call.id, serial: serial, call: call))
        state.waitingBytes += call.size
        return .waits
      }
      state.running += 1
      return .runs(serial)
    }
    switch admission {
    case .refused(let error): call.sink.take(Outgoing.failure(error, id: call.id))
    case .waits: break
    case .runs(let serial): run(call, serial)
    }
  }

  private func run(_ call: IncomingCall, _ serial: Int) {
    let task = Task { [self] in
      let answer = await call.answer(self)
      if claim(call.id, serial) { call.sink.take(answer) }
      finishRun()
    }
    let isCancelled = state.withLock { state in
      guard state.calls[call.id]?.serial == serial else { return state.isEnding }
      state.calls[call.id]?.task = task
      return state.isEnding
    }
    if isCancelled { task.cancel() }
  }

  /// Claims the right to answer; false when it was cancelled.
  private func claim(_ id: RequestID, _ serial: Int) -> Bool {
    state.withLock { state in
      guard state.calls[id]?.serial == serial else { return false }
      state.calls[id] = nil
      return true
    }
  }

  private func finishRun() {
    let (next, idle) = state.withLock {
      state -> (Waiting?, [CheckedContinuation<Void, Never>]) in
      while let waiting = state.waiting.popFirst() {
        state.waitingBytes -= waiting.call.size
        // Cancelled meanwhile.
        guard state.calls[waiting.id]?.serial == waiting.serial else { continue }
        return (waiting, [])
      }
      state.running -= 1
      guard state.running == 0 else { return (nil, []) }
      defer { state.idleWaiters = [:] }
      return (nil, Array(state.idleWaiters.values))
    }
    for waiter in idle { waiter.resume() }
    if let next { run(next.call, next.serial) }
  }

  private func cancel(_ id: JSONValue) {
    guard let id = RequestID(id) else { return }
    let call = state.withLock { state in
      state.subscriptions.remove(id)
      return state.calls.removeValue(forKey: id)
    }
    call?.task?.cancel()
    call?.sink.take(nil)
  }

  // MARK: The end

  private func end() async {
    // `printf … | reelwire mcp` ends its input at once and still wants its answers.
    if !state.withLock({ $0.isEnding }) { await wait(.milliseconds(500)) { await $0.idle() } }
    let tasks = state.withLock { state in
      state.isEnding = true
      state.waiting = []
      return state.calls.values.compactMap(\.task)
    }
    for task in tasks { task.cancel() }
    let subscriptions = state.withLock { state in
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for id in subscriptions { post(Outgoing.endOfSubscription(id, identity)) }
    tools.jobs.cancelAll()
    // Work that takes longer ends with its engine.
    await wait(.milliseconds(300)) { server in
      await server.tools.jobs.ended()
      await server.idle()
    }
    _ = outbox.flush(until: .now() + .milliseconds(500))
    outbox.close()
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.endWaiters = [] }
      return state.endWaiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for something, but no longer than that.
  private func wait(
    _ duration: Duration, for something: @escaping @Sendable (MCPServer) async -> Void
  ) async {
    let clock = options.clock
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await something(self) }
      group.addTask { try? await clock.elapse(duration) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits until no call runs, or until the waiting task is cancelled.
  private func idle() async {
    let number = state.withLock { state in
      state.lastSerial += 1
      return state.lastSerial
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard state.running > 0, !Task.isCancelled else { return false }
          state.idleWaiters[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.idleWaiters.removeValue(forKey: number) }?.resume()
    }
  }

  func post(_ message: JSONValue) {
    var writer = JSONWriter()
    writer.write(message)
    outbox.post(writer)
  }
}
