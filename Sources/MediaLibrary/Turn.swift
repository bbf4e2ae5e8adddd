import Synchronization

/// Counts up, for those who share something in turn.
final class Turn: Sendable {
  private let last = Atomic<Int>(0)
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max }
}
