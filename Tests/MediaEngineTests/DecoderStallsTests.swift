import LibAV
import Synchronization
import SystemIO
import Testing

@testable import MediaEngine

/// The detection of decoder calls that never return: by made-up snapshots, without a clock.
struct DecoderStallsTests {
  private typealias Snapshot = DecoderStalls.Snapshot

  /// A snapshot of one call of its own time, in a process that has used as much, and `beside` by other
  /// work.
  private func snapshot(
    _ number: UInt64 = 1, time: UInt64 = 100, beside: UInt64 = 0, isWaiting: Bool = true
  ) -> Snapshot {
    Snapshot(
      calls: [Snapshot.Call(number: number, time: time, isWaiting: isWaiting)], time: time + beside,
      isWaiting: isWaiting && beside == 0)
  }

  /// With which of the snapshots a stall is found.
  private func found(_ count: Int, _ snapshot: (UInt64) -> Snapshot) -> [Int] {
    var stalls = DecoderStalls(negligible: 10)
    return (0..<count).filter { !stalls.take(snapshot(UInt64($0))).isEmpty }
  }

  @Test func aCallThatDoesNothingIsFoundOnce() {
    #expect(found(100) { _ in snapshot() } == [DecoderStalls.snapshots])
    #expect(found(100) { snapshot(time: 5 * $0) } == [DecoderStalls.snapshots])
  }

  @Test func oneThatUsesTheProcessorIsNone() {
    #expect(found(200) { snapshot(time: 11 * $0) }.isEmpty)
  }

  /// A busy machine may schedule a thread hardly at all.
  @Test func oneThatCouldRunIsNone() {
    #expect(found(200) { _ in snapshot(isWaiting: false) }.isEmpty)
    #expect(found(200) { snapshot(isWaiting: $0 % UInt64(DecoderStalls.snapshots) != 0) }.isEmpty)
  }

  @Test func manyShortCallsAreNone() {
    #expect(found(200) { snapshot($0) }.isEmpty)
  }

  /// Other running work may be a thread that the decoder has started later.
  @Test func besideOtherWorkItTakesLonger() {
    #expect(found(200) { snapshot(beside: 1000 * $0 + 1) } == [DecoderStalls.snapshotsBesideOthers])
  }

  @Test func oneOfTwoIsFound() {
    var stalls = DecoderStalls(negligible: 10)
    let found = (0..<UInt64(60)).flatMap { number in
      stalls.take(
        Snapshot(
          calls: [
            Snapshot.Call(number: 1, time: 100, isWaiting: true),
            Snapshot.Call(number: 2 + number, time: 50 * number, isWaiting: false),
          ], time: 50 * number, isWaiting: false))
    }
    #expect(found.map(\.number) == [1])
  }

  /// In a process that continues, as one without isolation, another call gets the slot; it isn't
  /// returned twice.
  @Test func theSlotOfAStalledPieceIsGivenToOthers() async throws {
    let limiter = WorkLimiter(slots: 1)
    let thread = ThreadActivity.current
    let watch = HangWatch {
      Snapshot(
        calls: [Snapshot.Call(number: 1, thread: thread, time: 0, isWaiting: true)], time: 0,
        isWaiting: true)
    }
    let stalls = Atomic(0)
    watch.startFindingStalls(after: 1e6) {
      stalls.add(1, ordering: .relaxed)
      return true
    }
    try await limiter.enter(interrupt: Interrupt())
    let piece = watch.begin(Interrupt(), in: limiter)
    for _ in 0...DecoderStalls.snapshots { watch.observeDecoders() }
    #expect(stalls.load(ordering: .relaxed) == 1)
    // Doesn't wait.
    try await limiter.enter(interrupt: Interrupt())
    #expect(!watch.end(piece))
  }

  /// The processor time and the state of this thread, which runs, and of none.
  @Test func threadsAreKnown() {
    let thread = ThreadActivity.current
    #expect(ThreadActivity.all.contains(thread))
    #expect(ThreadActivity.time(of: thread) > 0)
    #expect(!ThreadActivity.isWaiting(thread))
    // Beyond the highest number that Linux has.
    #expect(ThreadActivity.time(of: 1 << 23) == 0)
    #expect(ThreadActivity.isWaiting(1 << 23))
    #expect(ThreadActivity.processTime >= ThreadActivity.time(of: thread))
  }
}
