import Dispatch
import LibAV
import Synchronization
import SystemIO

/// A value that is loaded on a queue when it is first requested, with its status published outside
/// of the queue.
///
/// It is loaded once: requests that come meanwhile wait for the same work. Cancelling takes effect
/// at once, also while the queue is blocked in I/O: the requests end, and a later result of the
/// queue is dropped.
final class LoadableValue<Value: Sendable>: Sendable {
  private struct State {
    var status = AssetPropertyStatus<Value>.notYetLoaded
    /// The requests that wait for the load that is running.
    var waiting: [LoadRequest.End] = []
    var interrupt = Interrupt()

    var isLoading: Bool { if case .loading = status { true } else { false } }

    /// Ends the running load, and returns the requests that wait for it.
    mutating func end(_ status: AssetPropertyStatus<Value>) -> [LoadRequest.End] {
      self.status = status
      defer { waiting = [] }
      return waiting
    }

    mutating func cancel() -> [LoadRequest.End] {
      interrupt.trigger()
      interrupt = Interrupt()
      return end(.cancelled)
    }
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let load: @Sendable (Interrupt) throws(EngineError) -> Value

  /// - Parameter queue: where the value is loaded; values of one queue wait for each other.
  init(
    on queue: DispatchQueue, load: @escaping @Sendable (Interrupt) throws(EngineError) -> Value
  ) {
    self.queue = queue
    self.load = load
  }

  deinit { state.withLock { $0.interrupt.trigger() } }

  var status: AssetPropertyStatus<Value> { state.withLock(\.status) }

  /// Requests the value; it is loaded or loading when this returns. In a task that is cancelled already
  /// nothing is begun: the request has ended, and a value that no other task loads is cancelled.
  func begin() -> LoadRequest {
    let end = LoadRequest.End()
    let isCancelled = Task.isCancelled
    let (isPending, interrupt) = state.withLock { state -> (Bool, Interrupt?) in
      switch state.status {
      case .loaded, .failed: return (false, nil)
      case .loading where isCancelled: return (false, nil)
      case .loading:
        state.waiting.append(end)
        return (true, nil)
      case .notYetLoaded, .cancelled:
        if isCancelled {
          state.status = .cancelled
          return (false, nil)
        }
        state.status = .loading
        state.waiting = [end]
        return (true, state.interrupt)
      }
    }
    if !isPending { end.fire(()) }
    if let interrupt { queue.async { [weak self] in self?.run(interrupt) } }
    return LoadRequest(end: end) { self.abandon(end) }
  }

  private func run(_ interrupt: Interrupt) {
    guard !interrupt.isTriggered else { return }
    let status: AssetPropertyStatus<Value>
    do throws(EngineError) {
      status = .loaded(try load(interrupt))
    } catch {
      status = error.isCancellation ? .cancelled : .failed(error)
    }
    let ended = state.withLock { state -> [LoadRequest.End] in
      // Cancelled meanwhile, and perhaps requested anew: the new load brings its own result.
      guard state.interrupt === interrupt, state.isLoading else { return [] }
      return state.end(status)
    }
    for end in ended { end.fire(()) }
  }

  /// Ends one request. The last one to go cancels the load.
  private func abandon(_ request: LoadRequest.End) {
    let ended = state.withLock { state -> [LoadRequest.End] in
      guard let position = state.waiting.firstIndex(where: { $0 === request }) else { return [] }
      state.waiting.remove(at: position)
      return [request] + (state.waiting.isEmpty ? state.cancel() : [])
    }
    for end in ended { end.fire(()) }
  }

  /// Cancels the load that is running; a value that is loaded stays.
  func cancel() {
    let ended = state.withLock { state in state.isLoading ? state.cancel() : [] }
    for end in ended { end.fire(()) }
  }
}

/// One request for a value, which can be abandoned without those of others. It keeps the value
/// alive.
struct LoadRequest: Sendable {
  typealias End = Signal<Void>
  fileprivate let end: End
  /// Ends the request. Never waits.
  let abandon: @Sendable () -> Void
}

extension [LoadRequest] {
  /// Waits until all have ended; cancelling the task abandons them.
  ///
  /// Values of one queue end in the order of their requests: a task that waits for the last one
  /// first wakes up once.
  func ended() async {
    await withTaskCancellationHandler {
      for request in reversed() { await request.end.wait() }
    } onCancel: {
      for request in self { request.abandon() }
    }
  }
}

/// The properties of one asset or track that have been requested, by name.
final class LoadableValues: Sendable {
  private let values = Mutex<[String: any Cancellable]>([:])
  private let queues: LoadQueues

  init(queues: LoadQueues) { self.queues = queues }

  /// Returns the property of that name, which is made at the first call.
  func value<Value>(
    _ name: String, isDeep: Bool,
    load: @escaping @Sendable (Interrupt) throws(EngineError) -> Value
  ) -> LoadableValue<Value> {
    values.withLock { values in
      if let known = values[name] as? LoadableValue<Value> { return known }
      let made = LoadableValue(on: queues.queue(isDeep: isDeep), load: load)
      values[name] = made
      return made
    }
  }

  /// Cancels all that are loading.
  func cancel() {
    let values = values.withLock { Array($0.values) }
    for value in values { value.cancel() }
  }
}

private protocol Cancellable: Sendable {
  func cancel()
}

extension LoadableValue: Cancellable {}

/// The queues of one asset and its tracks: values from the header must not wait for those that need
/// the whole file.
struct LoadQueues: Sendable {
  private let quick = DispatchQueue(label: "reelwire.asset")
  private let deep = DispatchQueue(label: "reelwire.asset.index")

  func queue(isDeep: Bool) -> DispatchQueue { isDeep ? deep : quick }
}
