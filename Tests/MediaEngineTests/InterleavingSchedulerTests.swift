import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// The bounds of the stages of an export, and their wake-ups.
struct ExportFlowTests {
  private func packet(_ size: Int) throws -> Packet {
    try Packet([UInt8](repeating: 0, count: size))
  }

  private func put(_ size: Int, _ lane: InterleavingScheduler.StagePort) throws {
    var made = try packet(size)
    try lane.put(&made)
  }

  @Test func whoIsAheadWaitsAndTheSlowestNever() {
    let flow = InterleavingScheduler()
    let (fast, slow) = (flow.addTrack(), flow.addTrack())
    #expect(fast.mayGoOn && slow.mayGoOn)
    fast.publish(InterleavingScheduler.maximumLead)
    #expect(fast.mayGoOn)
    fast.publish(InterleavingScheduler.maximumLead + Time(value: 1, timescale: 1000))
    #expect(!fast.mayGoOn)
    #expect(slow.mayGoOn)
    slow.publish(Time(value: 1, timescale: 2))
    #expect(fast.mayGoOn)
    #expect(flow.position == Time(value: 1, timescale: 2))
  }

  /// A track that has ended holds no other track back, however early.
  @Test func whoHasEndedIsWaitedForByNobody() {
    let flow = InterleavingScheduler()
    let (long, short) = (flow.addTrack(), flow.addTrack())
    long.publish(Time(value: 10, timescale: 1))
    #expect(!long.mayGoOn)
    short.end()
    #expect(long.mayGoOn)
    #expect(flow.position == Time(value: 10, timescale: 1))
    long.end()
    #expect(flow.position == nil)
  }

  @Test func positionsNeverGoBack() {
    let flow = InterleavingScheduler()
    let lane = flow.addTrack()
    for (said, reached) in [(3, 3), (1, 3), (4, 4)] {
      lane.publish(Time(value: Int64(said), timescale: 1))
      #expect(flow.position == Time(value: Int64(reached), timescale: 1))
    }
    lane.publish(.positiveInfinity)
    lane.publish(.invalid)
    #expect(flow.position == Time(value: 4, timescale: 1))
  }

  @Test func unwrittenBytesAreBounded() throws {
    let flow = InterleavingScheduler()
    let lane = flow.addTrack()
    let half = InterleavingScheduler.maximumBytes / 2
    try put(half, lane)
    // Packets that aren't published yet don't count: a step is never interrupted.
    try put(half, lane)
    #expect(lane.mayGoOn)
    lane.publish(.zero)
    #expect(!lane.mayGoOn)
    let taken = try #require(try flow.take(interrupt: Interrupt()))
    #expect(taken.map { $0.value.size } == [half, half])
    #expect(lane.mayGoOn)
  }

  /// A writer that comes late finds packets of all tracks interleaved, not one after the other.
  @Test func packetsComeInTheOrderTheyWereMadeIn() throws {
    let flow = InterleavingScheduler()
    let (video, audio) = (flow.addTrack(), flow.addTrack())
    for (lane, size) in [(video, 1), (audio, 2), (video, 3), (audio, 4)] {
      try put(size, lane)
      lane.publish(.zero)
    }
    let taken = try #require(try flow.take(interrupt: Interrupt()))
    #expect(taken.map { $0.value.size } == [1, 2, 3, 4])
    video.end()
    #expect(flow.ended == [0])
    try put(5, audio)
    audio.publish(.zero)
    audio.end()
    #expect(flow.ended == [0])
    _ = try flow.take(interrupt: Interrupt())
    #expect(flow.ended == [0, 1])
  }

  /// A waiting stage is woken by any event that ends its wait.
  @Test(arguments: ["position", "end", "stop", "fail", "take"])
  func whoWaitsIsWoken(_ cause: String) async throws {
    let flow = InterleavingScheduler()
    let (fast, slow) = (flow.addTrack(), flow.addTrack())
    let isFull = cause == "take"
    if isFull {
      try put(InterleavingScheduler.maximumBytes, fast)
      fast.publish(.zero)
    } else {
      fast.publish(Time(value: 100, timescale: 1))
    }
    let waiting = Waiting(lane: fast)
    async let turn = waiting.turn()
    await waiting.hasBegun()
    switch cause {
    case "position": slow.publish(Time(value: 100, timescale: 1))
    case "end": slow.end()
    case "stop": flow.stop()
    case "fail": slow.fail(.cancelled("A test"))
    default: _ = try flow.take(interrupt: Interrupt())
    }
    switch await turn {
    case .goOn: #expect(["position", "end", "take"].contains(cause))
    case .stop: #expect(["stop", "fail"].contains(cause))
    }
  }

  @Test func theWriterGetsFailuresAndEnds() throws {
    let flow = InterleavingScheduler()
    let (first, second) = (flow.addTrack(), flow.addTrack())
    try put(10, first)
    first.publish(.zero)
    #expect(try flow.take(interrupt: Interrupt())?.count == 1)
    first.end()
    second.end()
    #expect(try flow.take(interrupt: Interrupt()) == nil)
    let failing = InterleavingScheduler()
    let lane = failing.addTrack()
    lane.fail(.cancelled("A test"))
    #expect(throws: EngineError.self) { try failing.take(interrupt: Interrupt()) }
    // Nothing will ever come, and an interrupt isn't signalled.
    let interrupt = Interrupt()
    interrupt.trigger()
    let silent = InterleavingScheduler()
    _ = silent.addTrack()
    #expect(throws: EngineError.self) { try silent.take(interrupt: interrupt) }
  }
}

/// A thread that waits for its turn.
private struct Waiting: Sendable {
  private let lane: Handoff<InterleavingScheduler.StagePort>
  init(lane: InterleavingScheduler.StagePort) { self.lane = Handoff(lane) }

  func turn() async -> InterleavingScheduler.Step {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: lane.value.waitForStep()) }
    }
  }

  func hasBegun() async {
    while !lane.value.isWaiting { await Task.yield() }
  }
}
