import Synchronization

/// Serialises work in arrival order, regardless of the time that each caller needs to prepare.
package final class ArrivalOrder: Sendable {
  private let last = Mutex<Turn?>(nil)

  /// One arrival. ``begin()`` and then ``end()`` are called once each.
  package final class Turn: Sendable {
    fileprivate let previous: Mutex<Turn?>
    private let ended = Signal<Void>()
    fileprivate let isOver = Mutex(false)

    fileprivate init(after previous: Turn?) { self.previous = Mutex(previous) }

    /// Waits for all earlier arrivals to end.
    package func begin() async {
      guard let previous = previous.withLock({ $0 }) else { return }
      await previous.ended.wait()
      self.previous.withLock { $0 = nil }
    }

    package func end() {
      isOver.withLock { $0 = true }
      ended.fire(())
    }
  }

  func arrive() -> Turn {
    last.withLock { last in
      let turn = Turn(after: last.flatMap { $0.isOver.withLock(\.self) ? nil : $0 })
      last = turn
      return turn
    }
  }
}
