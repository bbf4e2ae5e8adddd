import DequeModule
import Synchronization
import SystemIO

/// The source of a ``ReadAhead``. Used by one thread at a time.
protocol ReadAheadSource: AnyObject, SendableMetatype {
  associatedtype Element: Sendable
  /// The next step, in a slot of the ``WorkLimiter``.
  func next() throws(EngineError) -> StreamStep<Element>
  /// Suspends until what was pending may be there.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async
  /// How many elements like this one may wait.
  func capacity(for element: Element) -> Int
}

extension ReadAheadSource {
  // What is read from a file is never pending.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {}
}

/// Reads elements ahead of who takes them, so that reading overlaps with what is done with them.
///
/// Each is read in a slot of the ``WorkLimiter``: waiting for one holds neither a slot nor a thread.
final class ReadAhead<Source: ReadAheadSource>: MediaStream, Sendable {
  typealias Element = Source.Element

  private struct State {
    var elements: Deque<Source.Element> = []
    /// Nil while there is more; nil inside at the end.
    var ending: EngineError??
    var isRunning = false
    var isStopped = false
    var capacity = 2
    var waiter: Signal<Bool>?
  }

  private let reading: ReadAheadJob<Source>
  fileprivate let priority: WorkLimiter.Priority
  fileprivate let interrupt: Interrupt
  private let path: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - queue: its own.
  ///   - path: what messages call the file.
  init(
    _ source: sending Source, on queue: WorkQueue, priority: WorkLimiter.Priority,
    interrupt: Interrupt,
    path: String
  ) {
    reading = ReadAheadJob(source, on: queue)
    (self.priority, self.interrupt, self.path) = (priority, interrupt, path)
    resume()
  }

  /// Suspends until there is an element, the end, or a failure; an interrupt is a failure too, also while a
  /// read doesn't return that knows nothing of it.
  ///
  /// - Parameter interrupt: its own, or one of its children.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    _ = await waiter()?.wait(orUntil: interrupt)
  }

  /// As ``wait(interrupt:isolation:)``, blocking a thread that may be blocked.
  func waitBlocking() { _ = waiter()?.waitBlocking(orUntil: interrupt) }

  private func waiter() -> Signal<Bool>? {
    state.withLock { state in
      guard state.elements.isEmpty, state.ending == nil else { return nil }
      let waiter = Signal<Bool>()
      state.waiter = waiter
      return waiter
    }
  }

  /// The next element, without waiting.
  ///
  /// - Throws: what reading threw, after the elements that came before.
  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Source.Element> {
    let (element, ending) = state.withLock { ($0.elements.popFirst(), $0.ending) }
    guard let element else {
      guard let ending else {
        if interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
        return .pending
      }
      if let error = ending { throw error }
      return .end
    }
    resume()
    return .element(element)
  }

  /// Ends reading; nothing is to be taken any more.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Starts the job once half of the room is free.
  private func resume() {
    let isDue = state.withLock { state in
      guard !state.isRunning, !state.isStopped, state.ending == nil,
        state.elements.count <= state.capacity / 2
      else { return false }
      state.isRunning = true
      return true
    }
    if isDue { Task { await reading.run(for: self) } }
  }

  /// True when nothing is to be read for now; the job is over then.
  fileprivate var isJobOver: Bool {
    state.withLock { state in
      if state.isStopped || state.ending != nil || state.elements.count >= state.capacity {
        state.isRunning = false
      }
      return !state.isRunning
    }
  }

  fileprivate func add(_ element: Source.Element, capacity: Int) {
    let waiter = state.withLock { state in
      state.elements.append(element)
      state.capacity = capacity
      return state.waiter.take()
    }
    waiter?.fire(true)
  }

  fileprivate func end(_ error: EngineError?) {
    let waiter = state.withLock { state in
      state.ending = .some(error)
      return state.waiter.take()
    }
    waiter?.fire(true)
  }
}

/// The job of a ``ReadAhead``.
private actor ReadAheadJob<Source: ReadAheadSource>: QueueActor {
  package nonisolated let queue: WorkQueue
  private let source: Source

  init(_ source: sending Source, on queue: WorkQueue) {
    self.queue = queue
    self.source = source
  }

  func run(for elements: ReadAhead<Source>) async {
    while !elements.isJobOver {
      do throws(EngineError) {
        let isPending = try await WorkLimiter.shared.run(
          elements.priority, interrupt: elements.interrupt
        ) { () throws(EngineError) in
          switch try source.next() {
          case .element(let element):
            elements.add(element, capacity: source.capacity(for: element))
          case .skipped: break
          case .pending: return true
          case .end: elements.end(nil)
          }
          return false
        }
        if isPending { await source.wait(interrupt: elements.interrupt, isolation: self) }
      } catch {
        elements.end(error)
      }
    }
  }
}
