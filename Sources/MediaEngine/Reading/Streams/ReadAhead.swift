import DequeModule
import MediaTime
import Synchronization
import SystemIO

/// The source of a ``ReadAhead``. Used by one thread at a time.
protocol ReadAheadSource: AnyObject, SendableMetatype {
  associatedtype Element: Sendable
  /// Returns the next step, in a slot of the ``WorkLimiter``.
  func next() throws(EngineError) -> StreamStep<Element>
  /// Suspends until a pending element may be there.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async
  /// Returns the maximum number of elements like this one that may wait.
  func capacity(for element: Element) -> Int
  /// Returns the duration for which an element is shown or heard; zero if that isn't known.
  func duration(of element: Element) -> Time
}

extension ReadAheadSource {
  func duration(of element: Element) -> Time { .zero }
  // An element that is read from a file is never pending.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {}
}

/// The source of a ``ReadAhead`` that can begin again at another place.
protocol RestartableSource: ReadAheadSource {
  associatedtype Place: Sendable
  /// Continues from a place, in a slot of the ``WorkLimiter``.
  func restart(at place: Place) throws(EngineError)
}

/// Reads elements before they are taken, so that reading overlaps with the taker's work.
///
/// Each is read in a slot of the ``WorkLimiter``: waiting for one holds neither a slot nor a thread. Reading for a clock
/// is real-time work while the elements that wait are short (``WorkLimiter/Priority/realTime(ready:)``).
final class ReadAhead<Source: ReadAheadSource>: MediaStream, Sendable {
  typealias Element = Source.Element

  private struct State {
    var elements: Deque<(element: Source.Element, duration: Time)> = []
    /// The duration of the elements.
    var ready = Time.zero
    /// Nil while there is more; nil inside at the end.
    var ending: EngineError??
    var isRunning = false
    var isStopped = false
    var capacity = 2
    var waiter: Signal<Bool>?
    /// The number of times that reading has begun again: elements of earlier generations are
    /// discarded.
    var generation = 0
    /// The beginning of the generation; nil once it has begun.
    var restart: (@Sendable (Source) throws(EngineError) -> Void)?
  }

  /// The next piece of the job.
  fileprivate struct Piece {
    let generation: Int
    let restart: (@Sendable (Source) throws(EngineError) -> Void)?
  }

  private let reading: ReadAheadJob<Source>
  private let priority: WorkLimiter.Priority
  fileprivate let interrupt: Interrupt
  private let path: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - queue: its own.
  ///   - path: the name of the file in messages.
  init(
    _ source: sending Source, on queue: WorkQueue, priority: WorkLimiter.Priority,
    interrupt: Interrupt,
    path: String
  ) {
    reading = ReadAheadJob(source, on: queue)
    (self.priority, self.interrupt, self.path) = (priority, interrupt, path)
    resume()
  }

  /// Suspends until there is an element, the end, or a failure; an interrupt is a failure too, even
  /// during a read that doesn't react to it.
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

  /// Returns the next element, without waiting.
  ///
  /// - Throws: the error that reading threw, after the elements that came before.
  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Source.Element> {
    let (element, ending) = state.withLock { state in
      let first = state.elements.popFirst()
      if let first { state.ready = state.ready - first.duration }
      return (first?.element, state.ending)
    }
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

  /// Returns the next piece of the job; nil when nothing is to be read for now, and the job is
  /// over.
  fileprivate func nextPiece() -> Piece? {
    state.withLock { state in
      if state.isStopped || state.ending != nil || state.elements.count >= state.capacity {
        state.isRunning = false
        return nil
      }
      return Piece(generation: state.generation, restart: state.restart.take())
    }
  }

  /// The priority of the next read.
  var currentPriority: WorkLimiter.Priority { priority.adding(ready: state.withLock(\.ready)) }

  fileprivate func add(
    _ element: Source.Element, duration: Time, capacity: Int, in generation: Int
  ) {
    change(in: generation) { state in
      state.elements.append((element, duration))
      state.ready = state.ready + duration
      state.capacity = capacity
    }
  }

  fileprivate func end(_ error: EngineError?, in generation: Int) {
    change(in: generation) { $0.ending = .some(error) }
  }

  /// Changes the state, unless reading has begun again.
  private func change(in generation: Int, _ body: (inout State) -> Void) {
    let waiter = state.withLock { state -> Signal<Bool>? in
      guard state.generation == generation else { return nil }
      body(&state)
      return state.waiter.take()
    }
    waiter?.fire(true)
  }
}

extension ReadAhead where Source: RestartableSource {
  /// Discards the elements that were read ahead, and continues from a place. It may have ended,
  /// failed or been stopped.
  func restart(at place: Source.Place) {
    state.withLock { state in
      state.generation += 1
      state.elements = []
      state.ready = .zero
      state.ending = nil
      state.isStopped = false
      state.capacity = 2
      state.restart = { (source) throws(EngineError) in try source.restart(at: place) }
    }
    resume()
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
    while let piece = elements.nextPiece() {
      do throws(EngineError) {
        let isPending = try await WorkLimiter.shared.run(
          elements.currentPriority, interrupt: elements.interrupt
        ) { () throws(EngineError) in
          try piece.restart?(source)
          switch try source.next() {
          case .element(let element):
            elements.add(
              element, duration: source.duration(of: element),
              capacity: source.capacity(for: element), in: piece.generation)
          case .skipped: break
          case .pending: return true
          case .end: elements.end(nil, in: piece.generation)
          }
          return false
        }
        if isPending { await source.wait(interrupt: elements.interrupt, isolation: self) }
      } catch {
        elements.end(error, in: piece.generation)
      }
    }
  }
}
