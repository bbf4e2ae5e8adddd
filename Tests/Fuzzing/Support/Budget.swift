import Synchronization
import SystemIO

/// The limit of the bytes that one input may read.
package final class Budget: Sendable {
  private let bytes: Atomic<Int>
  private let calls: Atomic<Int>

  package init(bytes: Int = 64 << 20, calls: Int = 20_000) {
    self.bytes = Atomic(bytes)
    self.calls = Atomic(calls)
  }

  package var isSpent: Bool {
    bytes.load(ordering: .relaxed) < 0 || calls.load(ordering: .relaxed) < 0
  }

  func take(_ count: Int, of interrupt: Interrupt) {
    bytes.subtract(count, ordering: .relaxed)
    calls.subtract(1, ordering: .relaxed)
    if isSpent { interrupt.trigger() }
  }
}
