import Dispatch
import Synchronization
import SystemIO

/// How far a key of an asset or a track has come (AVAsyncProperty.Status).
public enum KeyState<Value: Sendable>: Sendable {
  case unknown, loading, cancelled
  case loaded(Value)
  case failed(EngineError)
}

/// Loads keys on a queue and publishes their states beside it.
///
/// A key is loaded once: whoever asks meanwhile waits for the same work. Cancelling takes effect at
/// once, also while the queue is blocked in I/O: the waiters return, and what the queue still brings is
/// dropped.
final class KeyLoader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Load = @Sendable (Key, Interrupt) throws(EngineError) -> Value

  private final class Waiter: Sendable {
    let keys: [Key]
    let done: @Sendable () -> Void
    init(keys: [Key], done: @escaping @Sendable () -> Void) {
      self.keys = keys
      self.done = done
    }
  }

  private struct State {
    var keys: [Key: KeyState<Value>] = [:]
    var waiters: [Waiter] = []
    var interrupt = Interrupt()

    func isPending(_ key: Key) -> Bool {
      if case .loading = keys[key] { true } else { false }
    }

    /// Takes out the waiters whose keys have all come to an end.
    mutating func takeFinished() -> [Waiter] {
      let finished = waiters.filter { waiter in !waiter.keys.contains(where: isPending) }
      waiters.removeAll { waiter in finished.contains { $0 === waiter } }
      return finished
    }
  }

  private let state = Mutex(State())
  private let queue: @Sendable (Key) -> DispatchQueue
  private let load: Load

  /// - Parameter queue: where a key is loaded; keys of one queue wait for each other.
  init(queue: @escaping @Sendable (Key) -> DispatchQueue, load: @escaping Load) {
    self.queue = queue
    self.load = load
  }

  deinit { state.withLock { $0.interrupt.trigger() } }

  func states(of keys: [Key]) -> [Key: KeyState<Value>] {
    state.withLock { state in
      Dictionary(
        keys.map { ($0, state.keys[$0] ?? .unknown) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Loads what isn't loaded, and returns when every key has come to an end or the ticket is cancelled.
  func load(_ keys: [Key], ticket: LoadTicket) async -> [Key: KeyState<Value>] {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let waiter = Waiter(keys: keys) { continuation.resume() }
      start(waiter)
      ticket.whenCancelled { [weak self] in self?.abandon(waiter) }
    }
    return states(of: keys)
  }

  /// Marks the keys as loading before it returns.
  private func start(_ waiter: Waiter) {
    let (wanted, interrupt, finished) = state.withLock { state in
      let wanted = waiter.keys.filter { key in
        switch state.keys[key] {
        case .loaded, .failed, .loading: false
        case .unknown, .cancelled, nil: true
        }
      }
      for key in wanted { state.keys[key] = .loading }
      state.waiters.append(waiter)
      return (wanted, state.interrupt, state.takeFinished())
    }
    for waiter in finished { waiter.done() }
    guard !wanted.isEmpty else { return }
    // One job a queue, in the order of the keys.
    let queues = wanted.map(queue)
    for (position, queue) in queues.enumerated()
    where queues.firstIndex(where: { $0 === queue }) == position {
      let keys = zip(wanted, queues).filter { $0.1 === queue }.map(\.0)
      queue.async { [weak self] in
        for key in keys { self?.run(key, interrupt) }
      }
    }
  }

  private func run(_ key: Key, _ interrupt: Interrupt) {
    // No waiter may be left.
    guard !interrupt.isTriggered, state.withLock({ $0.isPending(key) }) else { return }
    let result: KeyState<Value>
    do throws(EngineError) {
      result = .loaded(try load(key, interrupt))
    } catch {
      result = error.isCancellation ? .cancelled : .failed(error)
    }
    let finished = state.withLock { state -> [Waiter] in
      // Cancelled meanwhile, and perhaps asked for anew: that one brings its own result.
      guard state.interrupt === interrupt, state.isPending(key) else { return [] }
      state.keys[key] = result
      return state.takeFinished()
    }
    for waiter in finished { waiter.done() }
  }

  /// Lets one waiter go. What no other waits for is cancelled.
  private func abandon(_ waiter: Waiter) {
    let finished = state.withLock { state -> [Waiter] in
      guard let position = state.waiters.firstIndex(where: { $0 === waiter }) else { return [] }
      state.waiters.remove(at: position)
      for key in waiter.keys where state.isPending(key) {
        if !state.waiters.contains(where: { $0.keys.contains(key) }) {
          state.keys[key] = .cancelled
        }
      }
      if !state.keys.keys.contains(where: state.isPending) {
        state.interrupt.trigger()
        state.interrupt = Interrupt()
      }
      return [waiter] + state.takeFinished()
    }
    for waiter in finished { waiter.done() }
  }

  /// Cancels every pending key; what is loaded stays.
  func cancel() {
    let finished = state.withLock { state in
      state.interrupt.trigger()
      state.interrupt = Interrupt()
      for (key, value) in state.keys {
        if case .loading = value { state.keys[key] = .cancelled }
      }
      return state.takeFinished()
    }
    for waiter in finished { waiter.done() }
  }
}

/// The queues of one asset and its tracks: what has to go through the whole file must not keep waiting
/// what the header answers.
struct LoadQueues: Sendable {
  private let quick = DispatchQueue(label: "reelwire.asset")
  private let deep = DispatchQueue(label: "reelwire.asset.index")

  func queue(isDeep: Bool) -> DispatchQueue { isDeep ? deep : quick }
}

/// One request to load keys, which can be cancelled without those of others.
public final class LoadTicket: Sendable {
  private struct State {
    var isCancelled = false
    var hooks: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())

  public init() {}

  /// Ends the request; keys that others wait for are loaded all the same. Never waits.
  public func cancel() {
    let hooks = state.withLock { state in
      state.isCancelled = true
      defer { state.hooks = [] }
      return state.hooks
    }
    for hook in hooks { hook() }
  }

  func whenCancelled(_ hook: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.hooks.append(hook) }
      return state.isCancelled
    }
    if isCancelled { hook() }
  }
}
