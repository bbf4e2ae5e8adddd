import Synchronization
import Testing

@testable import SystemIO

@Suite struct InterruptTests {
  private final class Calls: Sendable {
    private let number = Atomic<Int>(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test func itIsTriggeredWithItsParentAndNotTheOtherWayRound() {
    let parent = Interrupt()
    let (child, other) = (Interrupt(parent: parent), Interrupt(parent: parent))
    child.trigger()
    #expect(child.isTriggered && !parent.isTriggered && !other.isTriggered)
    parent.trigger()
    #expect(other.isTriggered)
  }

  @Test func aCheckThrowsOnceItIsTriggered() throws {
    let interrupt = Interrupt()
    try interrupt.check(.read)
    interrupt.trigger()
    let error = #expect(throws: SystemError.self) { try interrupt.check(.read) }
    #expect(error?.code == .interrupted)
    #expect(error?.operation == .read)
  }

  @Test func observersOfAnInterruptAndItsParentsAreCalled() {
    let parent = Interrupt()
    let child = Interrupt(parent: parent)
    let calls = Calls()
    let first = child.whenTriggered { calls.add() }
    let second = child.whenTriggered { calls.add() }
    second.end()
    parent.trigger()
    #expect(calls.count == 1)
    // Each trigger calls once.
    parent.trigger()
    #expect(calls.count == 1)
    first.end()
    child.trigger()
    #expect(calls.count == 1)
  }

  @Test func whatHasBeenTriggeredCallsAtOnce() {
    let interrupt = Interrupt(parent: Interrupt())
    interrupt.parent?.trigger()
    let calls = Calls()
    interrupt.whenTriggered { calls.add() }.end()
    #expect(calls.count == 1)
  }
}
