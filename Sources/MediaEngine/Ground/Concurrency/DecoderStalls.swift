import LibAV
import SystemIO

/// Finds calls of decoders that never return: libavcodec's threads wait for each other, and will
/// forever.
///
/// Such a call isn't recognised by its duration, which may be long for a large frame on a busy
/// machine, but by the activity during it: neither the thread that made it nor one of the decoder's
/// uses processor time, or waits for a processor or for a disk. Bytes are read between calls, not
/// in them, so a slow disk, or a client that supplies bytes slowly, isn't mistaken for a stall.
///
/// Some decoders start further threads later, which aren't known to be theirs. While anything else
/// in the process runs, it may be such a thread. A call then has to be seen six times as often
/// before it is a stall.
struct DecoderStalls {
  /// The state of the process at one moment.
  struct Snapshot {
    struct Call: Equatable {
      var number: UInt64
      /// The thread that made it.
      var thread: Int32 = 0
      /// The processor time of its threads, in nanoseconds.
      var time: UInt64
      /// True if all of them wait for another thread.
      var isWaiting: Bool
    }

    var calls: [Call]
    /// The processor time of the process, in nanoseconds.
    var time: UInt64
    /// True if all threads of the process wait, except for the observing one.
    var isWaiting: Bool
  }

  /// The number of times that a call was seen without activity since the previous snapshot.
  private struct InactiveCall {
    var last: Snapshot.Call
    var alone = 0
    var withAll = 0
    var isFound = false
  }

  /// Processor time in nanoseconds between two snapshots that doesn't count as activity: timers, and
  /// the supervisor's questions.
  let negligible: UInt64
  private var seen: [UInt64: InactiveCall] = [:]
  private var lastTime: UInt64 = 0

  /// The number of consecutive snapshots of an idle process that make a stall.
  static let snapshots = 8
  /// The number of consecutive snapshots if other threads run.
  static let snapshotsBesideOthers = 6 * snapshots

  init(negligible: UInt64) { self.negligible = negligible }

  /// Records a snapshot, and returns the calls that it shows to be stalls.
  mutating func take(_ snapshot: Snapshot) -> [Snapshot.Call] {
    let isQuiet = snapshot.isWaiting && snapshot.time &- lastTime <= negligible
    lastTime = snapshot.time
    var still: [UInt64: InactiveCall] = [:]
    var found: [Snapshot.Call] = []
    for call in snapshot.calls {
      guard var quiet = seen[call.number] else {
        still[call.number] = InactiveCall(last: call)
        continue
      }
      let isStill = call.isWaiting && call.time &- quiet.last.time <= negligible
      quiet.last = call
      quiet.alone = isStill ? quiet.alone + 1 : 0
      quiet.withAll = isStill && isQuiet ? quiet.withAll + 1 : 0
      let isStall = quiet.withAll >= Self.snapshots || quiet.alone >= Self.snapshotsBesideOthers
      if isStall, !quiet.isFound { found.append(call) }
      quiet.isFound = quiet.isFound || isStall
      still[call.number] = quiet
    }
    seen = still
    return found
  }
}

extension DecoderStalls.Snapshot {
  /// The current state. Read by a thread that no decoder waits for.
  static var now: DecoderStalls.Snapshot {
    let calls = DecoderCalls.inProgress.map { call in
      Call(
        number: call.number, thread: call.thread,
        time: call.threads.reduce(0) { $0 &+ ThreadActivity.time(of: $1) },
        isWaiting: call.threads.allSatisfy(ThreadActivity.isWaiting))
    }
    let own = ThreadActivity.current
    // Reading the threads' state is only useful while a decoder is in a call.
    let isWaiting =
      !calls.isEmpty && ThreadActivity.all.allSatisfy { $0 == own || ThreadActivity.isWaiting($0) }
    return DecoderStalls.Snapshot(
      calls: calls, time: ThreadActivity.processTime, isWaiting: isWaiting)
  }
}
