import JSONRPC
import Synchronization
import Testing

@testable import EngineMCP

/// Progress and jobs, by a clock that the test moves.
@Suite struct LongWorkTests {
  private final class Sent: Sendable {
    let all = Mutex<[(part: Double, message: String)]>([])
  }

  private func reporter(_ hand: HandClock, _ sent: Sent) -> ProgressReporter {
    ProgressReporter(clock: hand.clock, interval: .seconds(1)) { part, message in
      sent.all.withLock { $0.append((part, message)) }
    }
  }

  @Test func progressIsReportedOnceASecond() {
    let (hand, sent) = (HandClock(), Sent())
    let reporter = reporter(hand, sent)
    for step in 1...100 {
      hand.move(.milliseconds(100))
      reporter.report(Double(step) / 101)
    }
    let all = sent.all.withLock { $0 }
    // At 0.1 s, and then at each full second after it.
    #expect(all.count == 10)
    #expect(all.map(\.part) == stride(from: 1, to: 101, by: 10).map { Double($0) / 101 })
    #expect(all[0].message == "0 %")
    #expect(all[5].message.hasPrefix("50 %, "))
  }

  @Test func progressOnlyIncreases() {
    let (hand, sent) = (HandClock(), Sent())
    let reporter = reporter(hand, sent)
    for part in [0, 0.5, 0.4, 0.5, 0.7, 1, 1.2] {
      reporter.report(part)
      hand.move(.seconds(1))
    }
    #expect(sent.all.withLock { $0.map(\.part) } == [0.5, 0.7])
    reporter.end()
    reporter.report(0.9)
    #expect(sent.all.withLock { $0.count } == 2)
  }

  @Test(arguments: [
    (0.35, 6.5, "35 %, 13 s left"), (0, 10, "0 %"), (0.999, 10, "99 %, 1 s left"),
    (0.000001, 10, "0 %"), (0.5, 0.2, "50 %"),
  ])
  func messages(_ part: Double, _ elapsed: Double, _ message: String) {
    #expect(ProgressReporter.message(part, elapsed: .seconds(elapsed)) == message)
  }

  @Test func whoeverWaitsTooLongGetsAJob() async throws {
    let hand = HandClock()
    let jobs = JobTable(clock: hand.clock)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let job = try jobs.start("export") { job in
      job.note(0.25)
      for await _ in gate { break }
      return ToolOutput([.text("made")])
    }
    async let waited = job.ended(within: 45)
    await hand.isAwaited()
    hand.move(.seconds(44))
    #expect(job.isRunning)
    hand.move(.seconds(1))
    #expect(await waited == false)
    let state = try #require(job.state.structured)
    #expect(state["job"] == "job:1")
    #expect(state["state"] == "running")
    open.finish()
    await job.workEnded()
    #expect(!job.isRunning)
    #expect(await job.ended(within: 45))
    #expect(job.state.structured == nil && !job.state.isError)
    #expect(job.task()["status"] == "completed")
  }

  @Test func whatIsCancelledHasNoResult() async throws {
    let hand = HandClock()
    let jobs = JobTable(clock: hand.clock)
    let job = try jobs.start("export") { _ in
      try await hand.clock.elapse(.seconds(3600))
      return ToolOutput([.text("made")])
    }
    await hand.isAwaited()
    job.cancel()
    await job.workEnded()
    #expect(job.state.structured?["state"] == "cancelled")
    #expect(job.task()["status"] == "cancelled")
    #expect(job.task()["result"] == nil)
  }

  @Test func jobsAreBounded() async throws {
    let hand = HandClock()
    let jobs = JobTable(clock: hand.clock)
    let running = try (0..<16).map { _ in
      try jobs.start("export") { _ in
        try await hand.clock.elapse(.seconds(1))
        return ToolOutput([])
      }
    }
    #expect(throws: ToolFailure.self) { try jobs.start("export") { _ in ToolOutput([]) } }
    for job in running { job.cancel() }
    for job in running { await job.workEnded() }
    for _ in 0..<60 {
      let job = try jobs.start("export") { _ in ToolOutput([]) }
      await job.workEnded()
    }
    #expect(throws: ToolFailure.self) { try jobs.job("job:1") }
    #expect(try jobs.job("76").id == "job:76")
    jobs.cancelAll()
    await jobs.ended()
    #expect(throws: ToolFailure.self) { try jobs.start("export") { _ in ToolOutput([]) } }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_827_696, "2000-02-29T12:34:56Z"),
    (1_790_000_000, "2026-09-21T14:13:20Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
  ])
  func dates(_ seconds: Int, _ text: String) {
    #expect(Timestamp.text(seconds) == text)
  }
}
