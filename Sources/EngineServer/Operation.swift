import Dispatch
import EngineProtocol
import JSONRPC
import Synchronization

/// Work that outlives its request's answer, or that the answer waits for.
///
/// Its notifications are held back until the answer is written: the caller knows the operation before
/// it hears of it.
final class Operation: Sendable {
  let handle: OperationHandle
  /// The method that started it.
  let method: String
  /// The handle whose closing cancels it; nil where the object itself does that.
  let owner: String?
  private let connection: Connection
  private let isCancelled = Atomic<Bool>(false)
  private let work: @Sendable () -> Void

  /// Who waits for the answer to be written; nil once it is.
  private let gate = Mutex<[@Sendable () -> Void]?>([])

  /// - Parameter cancelWork: stops what the operation does; called once at most.
  init(
    handle: OperationHandle, method: String, owner: String? = nil, connection: Connection,
    cancelWork: @escaping @Sendable () -> Void
  ) {
    self.handle = handle
    self.method = method
    self.owner = owner
    self.connection = connection
    work = cancelWork
  }

  func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    work()
    open()
  }

  /// Lets the notifications through.
  func open() {
    let waiting = gate.withLock { gate in
      defer { gate = nil }
      return gate ?? []
    }
    for resume in waiting { resume() }
  }

  /// Calls `resume` once the notifications may pass, at once if they may already.
  private func whenOpen(_ resume: @escaping @Sendable () -> Void) {
    let isOpen = gate.withLock { gate in
      gate?.append(resume)
      return gate == nil
    }
    if isOpen { resume() }
  }

  private func waitUntilOpen() {
    let semaphore = DispatchSemaphore(value: 0)
    whenOpen { semaphore.signal() }
    semaphore.wait()
  }

  /// Returns once the notifications may pass.
  func opened() async {
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
  }

  /// Sends from a worker thread; waits while the caller doesn't read, until it is cancelled.
  func send(_ notification: some NotificationType, isCancelled: () -> Bool) {
    waitUntilOpen()
    connection.notifyBlocking(notification, isCancelled: isCancelled)
  }

  /// Sends a figure of which only the newest counts. Never waits for the caller to read.
  func post(_ notification: some NotificationType) {
    waitUntilOpen()
    connection.post(notification, coalescing: handle.rawValue)
  }

  /// Sends the terminal notification.
  func finish(_ notification: some NotificationType) {
    connection.post(notification)
  }
}

extension Engine {
  /// Runs `work` as an operation: answered at once, or when it is done if the caller wants that.
  ///
  /// What `work` does before its first suspension happens before this returns, in arrival order.
  func perform<Request: RequestType, Terminal: TerminalNotification>(
    _ request: Request.Type, _ completion: WireCompletion?, _ context: RequestContext,
    owner: String? = nil, cancel: @escaping @Sendable () -> Void,
    work: @escaping @Sendable (Operation) async -> Terminal
  ) async throws -> OperationReply<Terminal> {
    let operation = handles.add { handle in
      Operation(
        handle: handle, method: Request.method, owner: owner, connection: context.connection,
        cancelWork: cancel)
    }
    guard completion == .response else {
      context.afterReply { outcome in
        // Answered with an error, for it was cancelled: nobody knows of the operation.
        if outcome == .error { operation.cancel() }
        operation.open()
      }
      running.begin()
      Task.immediateDetached { [handles, running] in
        let terminal = await work(operation)
        running.end()
        await operation.opened()
        handles.remove(operation)
        operation.finish(terminal)
      }
      return .started(operation.handle)
    }
    operation.open()
    running.begin()
    let terminal = await withTaskCancellationHandler {
      await work(operation)
    } onCancel: {
      operation.cancel()
    }
    running.end()
    handles.remove(operation)
    // Work that was done before the cancel arrived has won.
    if terminal.wasCancelled { try Task.checkCancellation() }
    return .finished(terminal)
  }
}

/// The last notification of an operation.
protocol TerminalNotification: NotificationType {
  /// True when some of the work was not done because it was cancelled.
  var wasCancelled: Bool { get }
}

/// Counts the operations whose work is going on.
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
