import Synchronization

/// A counter of numbers from 0, for shared resources in turn and for observers.
final class AtomicCounter: Sendable {
  private let last = Atomic<Int>(0)
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max }
}
