import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// Work that continues after its request's answer, or that the answer waits for.
///
/// Its notifications are held back until the answer is written: the caller knows the operation before its first
/// notification.
final class Operation: Sendable {
  let handle: OperationHandle
  /// The method that started it.
  let method: String
  /// The handle whose closing cancels it; nil where the object itself does that.
  let owner: String?
  private let connection: Connection
  /// The state of the operation's work. It has no function to cancel before the work has begun, and once it was
  /// cancelled.
  private struct Work {
    var isCancelled = false
    var cancel: (@Sendable () -> Void)?
  }
  private let work = Mutex(Work())

  /// The notifications that wait for the answer to be written.
  private struct Gate {
    var isOpen = false
    var waiting: [@Sendable () -> Void] = []
    /// The newest figure, which replaces earlier ones.
    var figure: (@Sendable () -> Void)?
  }
  private let gate = Mutex(Gate())

  init(handle: OperationHandle, method: String, owner: String?, connection: Connection) {
    self.handle = handle
    self.method = method
    self.owner = owner
    self.connection = connection
  }

  /// Cancels the work with the operation, at once if the operation has been cancelled already.
  func attach(cancel: @escaping @Sendable () -> Void) {
    let isCancelled = work.withLock { work in
      if !work.isCancelled { work.cancel = cancel }
      return work.isCancelled
    }
    if isCancelled { cancel() }
  }

  func cancel() {
    let cancel = work.withLock { work in
      work.isCancelled = true
      return work.cancel.take()
    }
    cancel?()
  }

  /// Releases the notifications.
  func open() {
    let waiting = gate.withLock { gate in
      // The figure first, before any other notification.
      gate.figure?()
      gate.isOpen = true
      defer { (gate.figure, gate.waiting) = (nil, []) }
      return gate.waiting
    }
    for resume in waiting { resume() }
  }

  /// Returns once the notifications may pass.
  func opened() async {
    await withCheckedContinuation { continuation in
      let isOpen = gate.withLock { gate in
        if !gate.isOpen { gate.waiting.append { continuation.resume() } }
        return gate.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Sends one of many notifications; suspends while the caller doesn't read, until the task is cancelled.
  func send(_ notification: some NotificationType) async {
    await opened()
    _ = await connection.notify(notification)
  }

  /// Sends a figure, which replaces earlier unsent ones. Never waits.
  func post(_ notification: some NotificationType) {
    let figure: @Sendable () -> Void = { [connection, handle] in
      connection.post(notification, coalescing: handle.rawValue)
    }
    let isOpen = gate.withLock { gate in
      if !gate.isOpen { gate.figure = figure }
      return gate.isOpen
    }
    if isOpen { figure() }
  }

  /// Sends the terminal notification.
  func finish(_ notification: some NotificationType) {
    connection.post(notification)
  }
}

extension OperationHandle: ObjectHandle {
  static func describe(_ operation: Operation) -> String { operation.method }
  static func cancelWork(of operation: Operation) { operation.cancel() }
}

extension Engine {
  /// Runs `work` as an operation: answered at once, or on completion if the caller requests that.
  ///
  /// The part of `work` before its first suspension is done before this returns, in arrival order. Its task is
  /// cancelled with the operation.
  func perform<Request: OperationRequest>(
    _ request: Request.Type, _ completion: WireCompletion?, _ context: RequestContext,
    owner: String? = nil, work: @escaping @Sendable (Operation) async -> Request.Terminal
  ) async throws -> Request.Result
  where
    Request.Result == OperationReply<Request.Terminal>, Request.Terminal: TerminalNotification
  {
    let operation = handles.add { (handle: OperationHandle) in
      Operation(
        handle: handle, method: Request.method, owner: owner, connection: context.connection)
    }
    guard completion == .response else {
      context.afterReply { outcome in
        // The answer is an error, because the request was cancelled: the caller doesn't know of the operation.
        if outcome == .error { operation.cancel() }
        operation.open()
      }
      running.begin()
      let task = Task.immediateDetached { [handles, running] in
        let terminal = await work(operation)
        running.end()
        await operation.opened()
        handles.remove(operation)
        operation.finish(terminal)
      }
      operation.attach { task.cancel() }
      return .started(operation.handle)
    }
    operation.open()
    running.begin()
    let task = Task.immediateDetached { await work(operation) }
    operation.attach { task.cancel() }
    let terminal = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      operation.cancel()
    }
    running.end()
    handles.remove(operation)
    // Work that was done before the cancel arrived counts.
    if terminal.wasCancelled { try Task.checkCancellation() }
    return .finished(terminal)
  }
}

/// The last notification of an operation.
protocol TerminalNotification: NotificationType {
  /// True where some of the work was not done because of a cancel.
  var wasCancelled: Bool { get }
}

/// Counts the operations in progress.
final class RunningOperations: Sendable {
  private struct State {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func begin() { state.withLock { $0.count += 1 } }

  func end() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when none is left.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.count > 0 { state.waiters.append(continuation) }
        return state.count == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
