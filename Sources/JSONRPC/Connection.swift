import DequeModule
import Dispatch
import Synchronization

// The ordering rule. One thread reads. It starts each message's handler before it reads the next
// message, and runs it itself up to the handler's first suspension; so the effects of handlers up
// to there, such as joining the queue of an object, happen in arrival order. From there on they run
// concurrently. Handlers registered with `onReader` have no suspension: they take effect completely
// in that order. Each request is answered once, by the first caller that claims it; its
// `afterReply` hooks run when the answer is in the outbox, and the outbox writes messages in the
// order in which they were added. The reader never waits: neither for a handler nor for the writer.
// When too much is unwritten it puts messages aside, in order, instead of starting them, except for
// `onReader` ones.

/// A connection to one peer: reads its messages, serves them, answers each request exactly once.
public final class Connection: Sendable {
  /// The reason for which a connection ended.
  public enum EndReason: Sendable, Equatable {
    /// The peer closed our input.
    case endOfInput
    /// The peer requested it, as with `exit`.
    case exit
    /// ``Connection/stop(_:)`` was called by the program for reasons of its own.
    case requested
    /// The answers are no longer read.
    case outputClosed
    /// Reading failed with that error of read(2).
    case inputFailed(errno: Int32)
    /// The peer sent more than it read answers for, beyond all budgets.
    case overloaded
  }

  private struct Waiting {
    var call: Call
    /// The bytes of the message: smaller than its tree, and parsed again when its turn comes.
    var message: [UInt8]
  }

  private struct State {
    var lastSerial: UInt64 = 0
    /// The calls that were accepted and have not ended, waiting or running.
    var calls: [UInt64: Call] = [:]
    var serials: [RequestID: UInt64] = [:]
    /// The ids of following requests whose hooks are held, and the calls with such ids: see
    /// ``holdFollowing(_:)``.
    var heldIDs: Set<RequestID> = []
    var heldCalls: [RequestID: Call] = [:]
    var running = 0
    var waiting: Deque<Waiting> = []
    /// The bytes of messages that were put aside, and of answers that the reader wrote while the
    /// outbox was stalled.
    var surplusBytes = 0
    var stopReason: EndReason?
    /// The reason for which unanswered calls are cancelled, once that has begun.
    var ending: EndReason?
    var endReason: EndReason?
    var endWaiters: [CheckedContinuation<EndReason, Never>] = []
    /// Signalled when `calls` gets empty.
    var idle: DispatchSemaphore?
  }

  private let channel: DescriptorChannel
  private let router: Router
  private let configuration: ConnectionConfiguration
  private let outbox: Outbox
  private let state = Mutex(State())

  /// Creates a connection that does nothing until ``start()``.
  public init(
    channel: DescriptorChannel, router: Router, configuration: ConnectionConfiguration = .init()
  ) {
    self.channel = channel
    self.router = router
    self.configuration = configuration
    outbox = Outbox(
      channel: channel, notificationBudget: configuration.notificationBudget,
      replyBudget: configuration.replyBudget, isRelayed: configuration.isRelayed)
    if configuration.framing == .headers { outbox.setFraming(.headers) }
  }

  /// Begins to read, on a thread of its own; to be called once.
  public func start() {
    DispatchQueue(label: "jsonrpc.reader", qos: .userInitiated).async { self.read() }
  }

  /// Requests the end and returns; ``ended()`` returns once the connection has ended.
  ///
  /// No further message is read, all tasks are cancelled, unwritten messages are written if the
  /// peer reads them in time.
  public func stop(_ reason: EndReason = .requested) {
    state.withLock { state in
      if state.stopReason == nil { state.stopReason = reason }
    }
    channel.wake()
  }

  /// Waits until every task has ended or was given up, and everything is written that can be.
  public func ended() async -> EndReason {
    await withCheckedContinuation { continuation in
      let reason = state.withLock { state in
        if state.endReason == nil { state.endWaiters.append(continuation) }
        return state.endReason
      }
      if let reason { continuation.resume(returning: reason) }
    }
  }

  /// Sends a notification once less than the notification budget is unwritten; false when the
  /// connection has ended. A task that is cancelled doesn't wait.
  @discardableResult
  public func notify(_ notification: some NotificationType) async -> Bool {
    guard let message = try? Reply.notification(notification) else { return false }
    return await outbox.send(message)
  }

  /// Sends a notification without ever waiting: for few and small ones. With a key it replaces an
  /// unsent one of the same key, so that there is never more than one: for progress.
  @discardableResult
  public func post(_ notification: some NotificationType, coalescing key: String? = nil) -> Bool {
    guard let message = try? Reply.notification(notification) else { return false }
    return outbox.post(message, coalescing: key, isNotification: true)
  }

  /// Sends a notification that may get lost: while the notification budget is unwritten it is not
  /// sent, and the result is false. Never waits. For log lines.
  public func offer(_ notification: some NotificationType) -> Bool {
    guard let message = try? Reply.notification(notification) else { return false }
    return outbox.offer(message)
  }

  /// Sends a notification that another process has written, and doesn't wait; with a key it
  /// replaces an unsent one of that key.
  ///
  /// - Parameter onWritten: runs when it has been written or replaced.
  package func relay(
    _ message: consuming JSONWriter, coalescing key: String? = nil,
    onWritten: @escaping @Sendable () -> Void = {}
  ) {
    outbox.post(message, coalescing: key, isNotification: true, onWritten: onWritten)
  }

  /// Notes that a peer that passes notifications on has passed on that number of bytes.
  package func acknowledge(_ bytes: Int) { outbox.acknowledge(bytes) }

  /// The bytes that the peer hasn't read yet, as far as they are unwritten here.
  package var unwrittenBytes: Int { outbox.pendingBytes }

  /// The number of requests that are unanswered, this one included when called by a handler.
  public var unansweredRequests: Int { state.withLock { $0.serials.count } }

  /// Cancels the request with that id, if it is unanswered.
  ///
  /// Its handler ends it, with a `CancellationError` or with a result that was ready. If it does
  /// neither within the configured grace period, the connection answers −32800.
  public func cancel(_ id: RequestID) {
    let call = state.withLock { state in
      state.serials[id].flatMap { state.calls[$0] }
    }
    guard let call else { return }
    guard call.cancel() else { return finish(call, cancellation) }
    let grace = configuration.cancellationGrace.dispatch
    // Doesn't retain a call that has been answered in the meantime.
    DispatchQueue.global().asyncAfter(deadline: .now() + grace) { [weak call] in
      guard let call else { return }
      self.finish(call, Reply.error(call.id, self.cancellation), .error, respectsSeal: true)
    }
  }

  /// Delays the `afterReply` hooks of a following request until ``releaseFollowing(_:)``: for a
  /// peer that passes the answer on later.
  package func holdFollowing(_ id: JSONValue) {
    guard let id = RequestID(id) else { return }
    state.withLock { _ = $0.heldIDs.insert(id) }
  }

  package func releaseFollowing(_ id: JSONValue) {
    guard let id = RequestID(id) else { return }
    let call = state.withLock { state in
      state.heldIDs.remove(id)
      return state.heldCalls.removeValue(forKey: id)
    }
    call?.releaseHooks()
  }

  // MARK: Reading

  private func read() {
    var framing = Framing(
      mode: configuration.framing, limit: configuration.maximumMessageBytes)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let reason = stopReason { return shutDown(reason) }
      switch channel.read(into: &buffer) {
      case .bytes(let count):
        framing.feed(buffer[..<count])
        while stopReason == nil, let event = framing.next() { take(event, framing.mode) }
      case .woken: startWaiting()
      case .end:
        if let event = framing.finish() { take(event, framing.mode) }
        return shutDown(stopReason ?? .endOfInput)
      case .outputClosed: return shutDown(.outputClosed)
      case .failed(let errno): return shutDown(.inputFailed(errno: errno))
      }
    }
  }

  private var stopReason: EndReason? {
    if outbox.hasFailed { return .outputClosed }
    return state.withLock { $0.stopReason }
  }

  private func take(_ event: Framing.Event, _ mode: FramingMode) {
    if mode == .headers { outbox.setFraming(.headers) }
    switch event {
    case .malformed(let expected): refuse(.malformedFraming(expected: expected))
    case .tooLarge(let limit, let id): refuse(.messageTooLarge(limit: limit), id)
    case .message(let bytes):
      do throws(JSONSyntaxError) {
        switch try Envelope.read(bytes, keeping: configuration.maximumBatch + 1) {
        case .single(let envelope): accept(envelope, nil, bytes)
        case .batch(let elements): accept(elements, bytes)
        }
      } catch {
        let id = RequestIDScanner.id(in: bytes) ?? .null
        refuse(.parseError(error.reason, offset: error.offset), id)
      }
    }
  }

  private func accept(_ elements: [Envelope], _ bytes: [UInt8]) {
    let limit = configuration.maximumBatch
    if elements.count > limit {
      return refuse(.invalidRequest("a batch has at most \(limit) elements"))
    }
    if elements.isEmpty { return refuse(.invalidRequest("a batch has at least one element")) }
    let batch = Batch(count: elements.count { $0.needsAnswer })
    var index = 0
    for element in elements {
      let slot = element.needsAnswer ? Batch.Slot(batch: batch, index: index) : nil
      if slot != nil { index += 1 }
      accept(element, slot, bytes)
    }
  }

  private func accept(_ envelope: Envelope, _ slot: Batch.Slot?, _ bytes: [UInt8]) {
    let method: String
    let id: RequestID?
    switch envelope.kind {
    case .response: return
    case .invalid(let reason): return refuse(.invalidRequest(reason), envelope.id, slot)
    case .request(let name): (method, id) = (name, envelope.id)
    case .notification(let name): (method, id) = (name, nil)
    }
    let handler = router.handler(for: method, isRequest: id != nil)
    guard handler != nil || id != nil else { return }
    guard let call = register(id, slot) else {
      return refuse(.duplicateID(envelope.id), envelope.id, slot)
    }
    switch handler {
    case .onReader?, .forwarded(goesFirst: true, _)?: return start(call, handler, envelope, bytes)
    case .concurrent?, .forwarded?, nil: break
    }
    if !putAside(call, bytes, envelope.range) { start(call, handler, envelope, bytes) }
  }

  /// Registers a call; returns nil when an answer to that id is due already. Null identifies no
  /// request, so it is always free.
  private func register(_ id: RequestID?, _ slot: Batch.Slot?) -> Call? {
    state.withLock { state in
      if let id, state.serials[id] != nil { return nil }
      state.lastSerial += 1
      let call = Call(serial: state.lastSerial, id: id, slot: slot)
      state.calls[call.serial] = call
      if let id, state.heldIDs.remove(id) != nil {
        call.holdHooks()
        state.heldCalls[id] = call
      }
      if let id, id != .null { state.serials[id] = call.serial }
      return call
    }
  }

  // MARK: Starting

  private func start(
    _ call: Call, _ handler: Router.Handler?, _ envelope: Envelope, _ bytes: [UInt8]
  ) {
    let context = RequestContext(connection: self, call: call)
    do throws(DecodingProblems) {
      switch handler {
      case nil: finish(call, methodNotFound(envelope))
      case .onReader(let prepare)?:
        let body = try prepare(Router.members(of: envelope.params))
        do { finish(call, try body(context)) } catch { finish(call, failure(error)) }
      case .concurrent(let prepare)?:
        let body = try prepare(Router.members(of: envelope.params))
        guard call.begin() else { return }
        state.withLock { $0.running += 1 }
        let task = Task.immediateDetached { [self] in
          do { finish(call, try await body(context)) } catch { finish(call, failure(error)) }
        }
        call.attach { task.cancel() }
      case .forwarded(_, let forward)?:
        guard call.begin() else { return }
        state.withLock { $0.running += 1 }
        forward(
          ForwardedCall(
            connection: self, call: call, method: envelope.method ?? "",
            params: envelope.params, paramsBytes: envelope.paramsRange.map { bytes[$0] } ?? []))
      }
    } catch {
      finish(call, .invalidParams(error))
    }
  }

  private func methodNotFound(_ envelope: Envelope) -> RPCError {
    let method = envelope.method ?? ""
    return .methodNotFound(
      JSONValue.shortened(method), suggestion: router.suggestion(for: method))
  }

  func failure(_ error: any Error) -> RPCError {
    switch error {
    case let error as RPCError: return error
    case is CancellationError: return cancellation
    default: return configuration.errorMapper(error)
    }
  }

  /// The error that answers a cancelled request.
  private var cancellation: RPCError {
    switch state.withLock({ $0.ending }) {
    case nil: .requestCancelled()
    case .endOfInput:
      .requestCancelled(
        "the input ended before the request did",
        advice: .keepInputOpen)
    default: .requestCancelled("the connection is ending")
    }
  }

  /// Stores the message for later if it can't start now; returns true if it was stored.
  private func putAside(_ call: Call, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let isStalled = outbox.isStalled
    let surplus: Int? = state.withLock { state in
      if !isStalled, state.waiting.isEmpty, state.running < configuration.maximumConcurrentCalls {
        return nil
      }
      state.waiting.append(Waiting(call: call, message: [UInt8](bytes[range])))
      state.surplusBytes += range.count
      return state.surplusBytes
    }
    guard let surplus else { return false }
    if surplus > configuration.waitingBudget { stop(.overloaded) }
    return true
  }

  /// Starts waiting calls, on the reading thread as every start.
  private func startWaiting() {
    while !outbox.isStalled, stopReason == nil, let next = takeWaiting() {
      guard case .single(let envelope)? = try? Envelope.read(next.message) else { continue }
      let handler = envelope.method.flatMap {
        router.handler(for: $0, isRequest: next.call.id != nil)
      }
      start(next.call, handler, envelope, next.message)
    }
  }

  private func takeWaiting() -> Waiting? {
    state.withLock { state in
      // A call that was cancelled while it waited has been answered and never runs.
      while state.waiting.first?.call.isClaimed == true { state.waiting.removeFirst() }
      if state.waiting.isEmpty { state.surplusBytes = 0 }
      guard state.running < configuration.maximumConcurrentCalls else { return nil }
      return state.waiting.popFirst()
    }
  }

  // MARK: Answering

  func finish(_ call: Call, _ error: RPCError) {
    finish(call, Reply.error(call.id, error), .error)
  }

  func finish(
    _ call: Call, _ answer: JSONWriter, _ outcome: ReplyOutcome = .result,
    respectsSeal: Bool = false
  ) {
    guard let wasRunning = call.claim(respectsSeal: respectsSeal) else { return }
    // Before the answer is sent: the peer may use the id again as soon as it has it.
    if let id = call.id {
      state.withLock { state in
        if state.serials[id] == call.serial { state.serials[id] = nil }
      }
    }
    if call.id == nil {
      call.runHooks(outcome)
    } else if let slot = call.slot {
      fill(slot, answer, (call, outcome))
    } else {
      outbox.post(answer)
      call.runHooks(outcome)
    }
    let wakesReader = state.withLock { state in
      state.calls[call.serial] = nil
      if state.calls.isEmpty { state.idle?.signal() }
      guard wasRunning else { return false }
      state.running -= 1
      return !state.waiting.isEmpty
    }
    if wakesReader { channel.wake() }
    if !wasRunning { noteSurplus(answer) }
  }

  /// Answers a message that never became a call.
  private func refuse(_ error: RPCError, _ id: RequestID = .null, _ slot: Batch.Slot? = nil) {
    let answer = Reply.error(id, error)
    if let slot { fill(slot, answer, nil) } else { outbox.post(answer) }
    noteSurplus(answer)
  }

  /// Counts an answer of the reader. Such answers can't be put aside, so a peer that doesn't read
  /// is cut off.
  private func noteSurplus(_ answer: JSONWriter) {
    guard outbox.isStalled else { return }
    let surplus = state.withLock { state in
      state.surplusBytes += answer.payloadCount
      return state.surplusBytes
    }
    if surplus > configuration.waitingBudget { stop(.overloaded) }
  }

  private func fill(_ slot: Batch.Slot, _ answer: JSONWriter, _ call: (Call, ReplyOutcome)?) {
    guard let (answers, ended) = slot.batch.fill(slot.index, answer, call) else { return }
    outbox.post(answers)
    for (call, outcome) in ended { call.runHooks(outcome) }
  }

  // MARK: Ending

  /// Ends the connection, as the last action of the reading thread.
  private func shutDown(_ reason: EndReason) {
    if reason == .endOfInput { awaitIdle(until: .now() + configuration.drainAtEnd.dispatch) }
    let deadline = DispatchTime.now() + configuration.endTimeout.dispatch
    let hookEnded = DispatchSemaphore(value: 0)
    let onEnd = configuration.onEnd
    Task.immediateDetached {
      await onEnd(reason)
      hookEnded.signal()
    }
    let (waiting, calls) = state.withLock { state in
      let waiting = state.waiting
      state.waiting = []
      state.ending = reason
      return (waiting, state.calls)
    }
    for entry in waiting { finish(entry.call, cancellation) }
    for call in calls.values { _ = call.cancel() }
    awaitIdle(until: deadline)
    for call in state.withLock({ $0.calls }).values {
      finish(call, cancellation)
    }
    _ = hookEnded.wait(timeout: deadline)
    // Also when the handlers took all the time.
    _ = outbox.flush(until: max(deadline, .now() + .milliseconds(100)))
    outbox.close()
    let waiters = state.withLock { state in
      state.endReason = reason
      defer { state.endWaiters = [] }
      return state.endWaiters
    }
    for waiter in waiters { waiter.resume(returning: reason) }
  }

  private func awaitIdle(until deadline: DispatchTime) {
    let idle = DispatchSemaphore(value: 0)
    state.withLock { state in
      if state.calls.isEmpty { idle.signal() } else { state.idle = idle }
    }
    _ = idle.wait(timeout: deadline)
  }
}
