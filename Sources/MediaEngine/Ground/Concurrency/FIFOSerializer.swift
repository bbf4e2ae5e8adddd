import Synchronization

/// Serialises work in arrival order, regardless of the time that each caller needs to prepare.
package final class FIFOSerializer: Sendable {
  private let last = Mutex<Ticket?>(nil)

  /// One arrival. ``begin()`` and then ``end()`` are called once each.
  package final class Ticket: Sendable {
    fileprivate let previous: Mutex<Ticket?>
    private let ended = Signal<Void>()
    fileprivate let isOver = Mutex(false)

    fileprivate init(after previous: Ticket?) { self.previous = Mutex(previous) }

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

  func takeTicket() -> Ticket {
    last.withLock { last in
      let ticket = Ticket(after: last.flatMap { $0.isOver.withLock(\.self) ? nil : $0 })
      last = ticket
      return ticket
    }
  }
}
