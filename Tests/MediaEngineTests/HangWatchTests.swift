import Dispatch
import Synchronization
import SystemIO
import Testing

@testable import MediaEngine

/// The detection of work that continues after it was interrupted.
struct HangWatchTests {
  private final class Count: Sendable {
    let value = Atomic(0)
    let signal = DispatchSemaphore(value: 0)

    func add() {
      value.add(1, ordering: .relaxed)
      signal.signal()
    }
  }

  private func watch(after seconds: Double = 0.06) -> (HangWatch, Count) {
    let (watch, count) = (HangWatch(), Count())
    watch.start(after: seconds) { count.add() }
    return (watch, count)
  }

  @Test func whatContinuesAfterItWasInterruptedIsFoundOnce() {
    let (watch, count) = watch()
    let (parent, other) = (Interrupt(), Interrupt())
    let pieces = [Interrupt(parent: parent), other].map(watch.begin)
    #expect(pieces.allSatisfy { $0 != nil })
    parent.trigger()
    #expect(count.signal.wait(timeout: .now() + 600) == .success)
    other.trigger()
    #expect(count.signal.wait(timeout: .now() + 0.3) == .timedOut)
    #expect(count.value.load(ordering: .relaxed) == 1)
  }

  @Test func whatEndsInTimeIsNone() {
    let (watch, count) = watch(after: 0.3)
    for _ in 0..<3 {
      let interrupt = Interrupt()
      let piece = watch.begin(interrupt)
      interrupt.trigger()
      watch.end(piece)
    }
    #expect(count.signal.wait(timeout: .now() + 1) == .timedOut)
  }

  /// However long: a decoder may have a lot to do.
  @Test func whatWasNotInterruptedIsNone() {
    let (watch, count) = watch()
    let piece = watch.begin(Interrupt())
    #expect(count.signal.wait(timeout: .now() + 0.5) == .timedOut)
    watch.end(piece)
  }

  @Test func withoutAWatchNothingIsNoted() {
    #expect(HangWatch().begin(Interrupt()) == nil)
  }
}
