import Synchronization

/// One message in progress: a request until it is answered, a notification until its handler ends.
final class Call: Sendable {
  typealias Hook = @Sendable (ReplyOutcome) -> Void

  private struct State {
    /// Cancels the work that serves the call.
    var cancelWork: (@Sendable () -> Void)?
    var isCancelled = false
    var hooks: [Hook] = []
    /// True while its hooks wait for ``releaseHooks()``.
    var holdsHooks = false
    var isRunning = false
    var isClaimed = false
    /// True when only its handler may answer it.
    var isSealed = false
    /// The outcome, set once the hooks are about to run.
    var outcome: ReplyOutcome?
  }

  let serial: UInt64
  /// Nil for a notification.
  let id: RequestID?
  /// The slot for the answer when the request came in a batch.
  let slot: Batch.Slot?
  private let state = Mutex(State())

  init(serial: UInt64, id: RequestID?, slot: Batch.Slot?) {
    self.serial = serial
    self.id = id
    self.slot = slot
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// True if its answer waits for others, here or at the peer that passes it on.
  var isBatched: Bool { slot != nil || state.withLock { $0.holdsHooks } }

  var isClaimed: Bool { state.withLock { $0.isClaimed } }

  /// Marks the handler as running; returns false when there is an answer already.
  func begin() -> Bool {
    state.withLock { state in
      state.isRunning = !state.isClaimed
      return state.isRunning
    }
  }

  /// Marks that only the handler may answer; returns false when the call was cancelled or answered
  /// before.
  func seal() -> Bool {
    state.withLock { state in
      state.isSealed = !state.isClaimed && !state.isCancelled
      return state.isSealed
    }
  }

  /// Claims the answer for one caller; returns true if the handler was running, and nil for all
  /// later callers.
  ///
  /// - Parameter respectsSeal: true for a caller that yields to a handler that is about to answer.
  func claim(respectsSeal: Bool = false) -> Bool? {
    state.withLock { state in
      guard !state.isClaimed, !(respectsSeal && state.isSealed) else { return nil }
      state.isClaimed = true
      return state.isRunning
    }
  }

  /// Sets the function that cancels the call's work, and runs it at once if the call has been
  /// cancelled already.
  func attach(_ cancelWork: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      // A call that has ended meanwhile retains nothing.
      guard state.outcome == nil else { return false }
      state.cancelWork = cancelWork
      return state.isCancelled
    }
    if isCancelled { cancelWork() }
  }

  /// Cancels the call; returns false when there is no handler running that could end it.
  func cancel() -> Bool {
    let (cancelWork, isRunning) = state.withLock { state in
      state.isCancelled = true
      return (state.cancelWork, state.isRunning)
    }
    cancelWork?()
    return isRunning
  }

  func addHook(_ hook: @escaping Hook) {
    let outcome = state.withLock { state -> ReplyOutcome? in
      if let outcome = state.outcome, !state.holdsHooks { return outcome }
      state.hooks.append(hook)
      return nil
    }
    if let outcome { hook(outcome) }
  }

  /// Runs the hooks; called once, when the answer is on its way.
  func runHooks(_ outcome: ReplyOutcome) {
    state.withLock { state in
      state.cancelWork = nil
      state.outcome = outcome
    }
    runDueHooks()
  }

  /// Delays the hooks until ``releaseHooks()``.
  func holdHooks() { state.withLock { $0.holdsHooks = true } }

  func releaseHooks() {
    state.withLock { $0.holdsHooks = false }
    runDueHooks()
  }

  private func runDueHooks() {
    let (outcome, hooks) = state.withLock { state -> (ReplyOutcome?, [Hook]) in
      guard let outcome = state.outcome, !state.holdsHooks else { return (nil, []) }
      defer { state.hooks = [] }
      return (outcome, state.hooks)
    }
    guard let outcome else { return }
    for hook in hooks { hook(outcome) }
  }
}

/// The answers to one batch, held until the last is there.
final class Batch: Sendable {
  struct Slot: Sendable {
    var batch: Batch
    var index: Int
  }

  private struct State {
    var answers: [JSONWriter?]
    var missing: Int
    var ended: [(Call, ReplyOutcome)] = []
  }

  private let state: Mutex<State>

  /// Creates a batch; `count` is the number of elements that have to be answered.
  init(count: Int) {
    state = Mutex(State(answers: Array(repeating: nil, count: count), missing: count))
  }

  /// Stores one answer; if it was the last, returns the whole array and the calls whose hooks are
  /// to run.
  func fill(
    _ index: Int, _ answer: JSONWriter, _ call: (Call, ReplyOutcome)?
  ) -> (JSONWriter, [(Call, ReplyOutcome)])? {
    state.withLock { state in
      state.answers[index] = answer
      if let call { state.ended.append(call) }
      state.missing -= 1
      guard state.missing == 0 else { return nil }
      var array = JSONWriter()
      for (index, answer) in state.answers.enumerated() {
        array.append(UInt8(ascii: index == 0 ? "[" : ","))
        if let answer { array.append(raw: answer.payload) }
      }
      array.append(UInt8(ascii: "]"))
      let ended = state.ended
      state.answers = []
      state.ended = []
      return (array, ended)
    }
  }
}
