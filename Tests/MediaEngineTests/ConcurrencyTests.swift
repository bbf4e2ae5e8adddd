import Dispatch
import Foundation
import MediaTime
import Synchronization
import SystemIO
import Testing

@testable import MediaEngine

/// Waits end by their event or by their interrupt, and by nothing else.
struct ConcurrencyTests {
  private actor Counter: QueueActor {
    nonisolated let queue = WorkQueue("test")
    private var count = 0

    func increment() -> Int {
      count += 1
      return count
    }

    /// The isolation is assumed, not known to the compiler.
    nonisolated func incrementWithoutWaiting() -> Int {
      assumeIsolated { counter in
        counter.count += 1
        return counter.count
      }
    }

    func incrementThroughAssumption() -> Int { incrementWithoutWaiting() }

    func isIsolated(by queue: WorkQueue) -> Bool { queue.isIsolatingCurrentContext() == true }

    /// Joins the queue and returns.
    private nonisolated func beginToIncrement() {
      Task.immediateDetached { await self.increment() }
    }

    /// The value of the counter in a task's interrupt, while another task waits to increment it.
    func countInInterrupt() async throws -> Int {
      beginToIncrement()
      return try await withTaskInterrupt { _ in count }
    }
  }

  @Test func anActorRunsOnItsQueue() async {
    let counter = Counter()
    #expect(await counter.increment() == 1)
    #expect(await counter.incrementThroughAssumption() == 2)
  }

  /// Else requests to one object could overtake each other.
  @Test func aTaskInterruptDoesNotLeaveTheActor() async throws {
    #expect(try await Counter().countInInterrupt() == 0)
  }

  /// An assumption elsewhere ends the process.
  @Test func anActorIsIsolatedOnItsQueueAlone() async {
    let (counter, other) = (Counter(), Counter())
    #expect(counter.queue.isIsolatingCurrentContext() == false)
    #expect(await counter.isIsolated(by: counter.queue))
    #expect(await !counter.isIsolated(by: other.queue))
  }

  /// A new thread for blocking calls: the tests' own are few.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  private final class Attempts: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test func oneMakesTheValueForAll() async {
    let flight = SingleFlight<Int>()
    let made = Attempts()
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await onThread {
            try? flight.get(interrupt: Interrupt(), make: made.next)
          }
        }
      }
      for await value in group { #expect(value == 1) }
    }
    #expect(made.next() == 2)
  }

  /// The interrupt of one waiter ends its wait while the work continues for the others.
  @Test func aWaiterIsCancelledAlone() async {
    let flight = SingleFlight<Int>()
    let (hasBegun, mayEnd) = (Signal<Bool>(), Signal<Bool>())
    async let value = onThread {
      try? flight.get(interrupt: Interrupt()) {
        hasBegun.fire(true)
        _ = mayEnd.waitBlocking()
        return 7
      }
    }
    _ = await hasBegun.wait()
    let interrupt = Interrupt()
    async let cancelled = onThread { () -> EngineError? in
      do throws(EngineError) {
        _ = try flight.get(interrupt: interrupt) { () throws(EngineError) in 8 }
        return nil
      } catch {
        return error
      }
    }
    interrupt.trigger()
    #expect(await cancelled?.isCancellation == true)
    #expect(flight.value == nil)
    mayEnd.fire(true)
    #expect(await value == 7)
  }

  @Test func aFailedAttemptIsMadeAgain() {
    let flight = SingleFlight<Int>()
    #expect(throws: EngineError.self) {
      try flight.get(interrupt: Interrupt()) { () throws(EngineError) in throw .cancelled("A test")
      }
    }
    #expect((try? flight.get(interrupt: Interrupt()) { 3 }) == 3)
  }

  /// Nothing will ever come: only the interrupt, or that of its parent, ends the wait.
  @Test(arguments: [false, true])
  func theWriterOfAnExportIsInterrupted(byParent: Bool) async {
    for _ in 0..<50 {
      let scheduler = InterleavingScheduler()
      _ = scheduler.addTrack()
      let parent = Interrupt()
      let interrupt = Interrupt(parent: parent)
      async let error = onThread { () -> EngineError? in
        do throws(EngineError) {
          _ = try scheduler.take(interrupt: interrupt)
          return nil
        } catch {
          return error
        }
      }
      (byParent ? parent : interrupt).trigger()
      #expect(await error?.isCancellation == true)
    }
  }

  @Test func whoWaitsForASlotIsInterruptedOrComesInOrder() async throws {
    let limiter = WorkLimiter(slots: 1)
    try await limiter.enter(interrupt: Interrupt())
    let interrupt = Interrupt()
    async let cancelled = Result { () async throws(EngineError) in
      try await limiter.enter(interrupt: interrupt)
    }
    interrupt.trigger()
    let result = await cancelled
    #expect(throws: EngineError.self) { try result.get() }
    // The slot that it left is free for the next.
    limiter.leave()
    try await limiter.enter(interrupt: Interrupt())
    limiter.leave()
  }

  /// The classes come in their order, in any order of arrival, and each in its own.
  @Test func realTimeWorkGoesBeforeInteractiveWorkThatWaits() {
    let limiter = WorkLimiter(slots: 1)
    #expect(limiter.takeSlot(.batch) == nil)
    let priorities: [WorkLimiter.Priority] = [
      .batch, .interactive, .realTime(ready: .zero), .interactive,
      .realTime(ready: Time(value: 249, timescale: 1000)), .batch,
      .realTime(ready: Time(value: 250, timescale: 1000)),
    ]
    let turns = priorities.map { limiter.takeSlot($0) }
    var order: [Int] = []
    for _ in turns {
      #expect(turns.count { $0?.value != nil } == order.count)
      limiter.leave()
      order += turns.indices.filter { turns[$0]?.value != nil && !order.contains($0) }
    }
    // The last one has as much ready as the bound allows.
    #expect(order == [2, 4, 1, 3, 6, 0, 5])
    limiter.leave()
    #expect(limiter.takeSlot(.batch) == nil)
  }

  /// A player that fills its buffers gets as many frames first as lie within the bound, and then one in its turn.
  @Test func realTimeWorkHoldsUpTheOthersForItsBoundOnly() throws {
    let limiter = WorkLimiter(slots: 1)
    let frame = Time(value: 40, timescale: 1000)
    #expect(limiter.takeSlot(.interactive) == nil)
    let image = try #require(limiter.takeSlot(.interactive))
    let export = try #require(limiter.takeSlot(.batch))
    var (ready, first) = (Time.zero, 0)
    while image.value == nil {
      let turn = try #require(limiter.takeSlot(.realTime(ready: ready)))
      limiter.leave()
      if turn.value != nil {
        ready = ready + frame
        first += 1
      } else {
        // The image has the slot now, then the player, then the export.
        #expect(image.value == true)
        limiter.leave()
        #expect(turn.value == true)
        #expect(export.value == nil)
      }
      try #require(first < 100)
    }
    #expect(first == 7)
    limiter.leave()
    #expect(export.value == true)
  }

  @Test func realTimeWorkWithAnUnknownBufferIsInteractive() throws {
    let limiter = WorkLimiter(slots: 1)
    #expect(limiter.takeSlot(.interactive) == nil)
    let image = try #require(limiter.takeSlot(.interactive))
    let unknown = try #require(limiter.takeSlot(.realTime(ready: .indefinite)))
    limiter.leave()
    #expect(image.value == true)
    #expect(unknown.value == nil)
  }

  @Test func onlyTheFirstValueOfASignalCounts() async {
    let signal = Signal<Int>()
    #expect(signal.fire(1))
    #expect(!signal.fire(2))
    #expect(await signal.wait() == 1)
    #expect(signal.waitBlocking() == 1)
  }
}
