import Dispatch
import Foundation
import Synchronization
import SystemIO
import Testing

@testable import MediaEngine

/// A job is claimed once and ends once, with any callers at the same time.
struct OneShotJobTests {
  private static let cancellation = EngineError.cancelled("A job")

  /// The results of the bodies; they begin when all of their threads are there.
  private func atOnce<Value: Sendable>(_ bodies: [@Sendable () -> Value]) async -> [Value] {
    let gate = DispatchGroup()
    for _ in bodies { gate.enter() }
    return await withTaskGroup(of: Value.self) { group in
      for body in bodies {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              gate.leave()
              gate.wait()
              continuation.resume(returning: body())
            }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Nil where it starts.
  private static func failure(ofStarting writer: WriterState) -> EngineError.Code? {
    do throws(EngineError) {
      try writer.start()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func oneOfTwoWritersThatStartAtOnceTakesTheLastPlace() async {
    for _ in 0..<300 {
      let limit = ConcurrencyLimit(2)
      #expect(limit.take())
      let writers = (0..<2).map { _ in WriterState(path: "", limit: limit) }
      let codes: [EngineError.Code?] = await atOnce(
        writers.map { writer in { Self.failure(ofStarting: writer) } })
      #expect(codes.count { $0 == nil } == 1)
      #expect(codes.count { $0 == .limitExceeded } == 1)
      #expect(writers.count { $0.status.status == .writing } == 1)
      for writer in writers { writer.end(.failure(Self.cancellation)) }
      // The one place that was taken is free again.
      #expect(limit.take())
      #expect(!limit.take())
    }
  }

  @Test func aWriterThatIsStartedTwiceAtOnceStartsOnce() async {
    for _ in 0..<300 {
      let limit = ConcurrencyLimit(1)
      let writer = WriterState(path: "", limit: limit)
      let start: @Sendable () -> EngineError.Code? = { Self.failure(ofStarting: writer) }
      let codes = await atOnce([start, start])
      #expect(codes.count { $0 == nil } == 1)
      #expect(codes.count { $0 == .operationNotAllowed } == 1)
      writer.end(.failure(Self.cancellation))
      #expect(limit.take())
      #expect(!limit.take())
    }
  }

  @Test func aRefusedWriterStartsWhenThereIsAPlace() throws {
    let limit = ConcurrencyLimit(1)
    let (first, second) = (
      WriterState(path: "", limit: limit), WriterState(path: "", limit: limit)
    )
    try first.start()
    #expect(Self.failure(ofStarting: second) == .limitExceeded)
    #expect(second.status.status == .unknown)
    first.end(.failure(Self.cancellation))
    try second.start()
    second.end(.failure(Self.cancellation))
  }

  @Test func anUnclaimedJobIsCancelledAtOnce() async {
    let job = OneShotJob<Int>()
    #expect(!job.cancel(Self.cancellation))
    #expect(job.status.status == .cancelled)
    #expect(job.status.error?.isCancellation == true)
    guard case .taken(.cancelled) = job.claim() else {
      Issue.record("it was claimed")
      return
    }
    #expect(await job.ended().failure?.isCancellation == true)
  }

  @Test func aClaimedJobIsEndedByItsWork() async {
    let job = OneShotJob<Int>()
    _ = job.claim(as: .waiting)
    #expect(job.cancel(Self.cancellation))
    #expect(job.interrupt.isTriggered)
    job.run()
    #expect(job.status.status == .running)
    #expect(throws: SystemError.self) { try job.willCommit("a") }
    job.end(.failure(Self.cancellation))
    #expect(job.status.status == .cancelled)
    #expect(!job.cancel(Self.cancellation))
  }

  /// Nothing ends a job while its file gets its name but its work.
  @Test func aCancelDuringTheCommitComesTooLate() async throws {
    let job = OneShotJob<Int>()
    _ = job.claim()
    try job.willCommit("a")
    job.end(.failure(Self.cancellation), unlessCommitting: true)
    #expect(job.status.status == .running)
    job.end(.success(7))
    job.end(.failure(Self.cancellation))
    #expect(job.status.status == .completed)
    #expect(try await job.ended().get() == 7)
  }

  /// Those who wait for a place come before those who wait for the end.
  @Test func thePlaceIsGivenBackFirst() async {
    let job = OneShotJob<Int>()
    let order = Mutex<[String]>([])
    _ = job.claim()
    #expect(job.hold { order.withLock { $0.append("place") } })
    async let outcome = job.ended()
    job.end(.success(1)) { _ in order.withLock { $0.append("conclusion") } }
    #expect(await outcome.failure == nil)
    #expect(order.withLock { $0 } == ["place", "conclusion"])
    #expect(!job.hold {})
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
