internal import Synchronization

/// The flag that cancels work: read by libav's interrupt callback and by every loop of ours, and awaited
/// by code that waits for something else.
package final class Interrupt: Sendable {
  private struct Observers {
    var nextNumber = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let flag = Atomic<Bool>(false)
  private let observers = Mutex(Observers())
  /// An interrupt that triggers this one, too.
  package let parent: Interrupt?

  package init(parent: Interrupt? = nil) { self.parent = parent }

  package func trigger() {
    flag.store(true, ordering: .releasing)
    let actions = observers.withLock { observers in
      defer { observers.actions = [:] }
      return observers.actions.values.map(\.self)
    }
    for action in actions { action() }
  }

  package var isTriggered: Bool {
    flag.load(ordering: .acquiring) || (parent?.isTriggered ?? false)
  }

  /// Throws `interrupted` once triggered: for loops between blocking calls.
  package func check(_ operation: SystemError.Operation) throws(SystemError) {
    if isTriggered { throw SystemError(.interrupted, operation: operation, subject: "") }
  }

  /// Calls `action` when this or a parent is triggered, at once if that has happened already.
  ///
  /// It runs on the thread that triggers, must not block, and may be called once for each of the
  /// interrupts.
  ///
  /// - Returns: the observation to end later; an interrupt retains its observers until then.
  package func whenTriggered(_ action: @escaping @Sendable () -> Void) -> Observation {
    var registered: [(Interrupt, Int)] = []
    var next: Interrupt? = self
    while let interrupt = next {
      let number = interrupt.observers.withLock { observers in
        observers.nextNumber += 1
        observers.actions[observers.nextNumber] = action
        return observers.nextNumber
      }
      registered.append((interrupt, number))
      next = interrupt.parent
    }
    // Triggered before it was observed: `trigger` has called the others already.
    if isTriggered { action() }
    return Observation(registered: registered)
  }

  /// The observation of an interrupt and its parents.
  package struct Observation: Sendable {
    fileprivate let registered: [(Interrupt, Int)]

    package func end() {
      for (interrupt, number) in registered {
        interrupt.observers.withLock { observers in observers.actions[number] = nil }
      }
    }
  }
}
