import LibAV
import SystemIO

/// Finds calls of decoders that never return: libavcodec's threads wait for each other, and will for ever.
///
/// Such a call isn't known by the time that it takes, which may be long for a large picture on a busy machine, but by
/// what is done meanwhile: neither the thread that made it nor one of the decoder's spends processor time, waits for a
/// processor or for a disk. Bytes are read between calls, not in them, so that no slow disk, and no client that supplies
/// bytes slowly, looks like that.
///
/// Some decoders start further threads later on, which aren't known to be theirs. As long as anything else in
/// the process runs it may be such a thread, and a call is looked at six times as often before it is a stall.
struct DecoderStalls {
  /// What is seen at one moment.
  struct Look {
    struct Call: Equatable {
      var number: UInt64
      /// The thread that made it.
      var thread: Int32 = 0
      /// The processor time of its threads, in nanoseconds.
      var time: UInt64
      /// True when all of them wait for another thread.
      var isWaiting: Bool
    }

    var calls: [Call]
    /// The processor time of the process, in nanoseconds.
    var time: UInt64
    /// True when all threads of the process wait but the one that looks.
    var isWaiting: Bool
  }

  /// How often a call was seen that had done nothing since the time before.
  private struct Quiet {
    var last: Look.Call
    var alone = 0
    var withAll = 0
    var isFound = false
  }

  /// Processor time in nanoseconds, between two looks, that is nothing: timers, and the supervisor's questions.
  let negligible: UInt64
  private var seen: [UInt64: Quiet] = [:]
  private var lastTime: UInt64 = 0

  /// So many looks in a row at a process that does nothing make a stall.
  static let looks = 8
  /// So many where other threads run.
  static let looksBesideOthers = 6 * looks

  init(negligible: UInt64) { self.negligible = negligible }

  /// The calls that were found to be stalls with this look.
  mutating func take(_ look: Look) -> [Look.Call] {
    let isQuiet = look.isWaiting && look.time &- lastTime <= negligible
    lastTime = look.time
    var still: [UInt64: Quiet] = [:]
    var found: [Look.Call] = []
    for call in look.calls {
      guard var quiet = seen[call.number] else {
        still[call.number] = Quiet(last: call)
        continue
      }
      let isStill = call.isWaiting && call.time &- quiet.last.time <= negligible
      quiet.last = call
      quiet.alone = isStill ? quiet.alone + 1 : 0
      quiet.withAll = isStill && isQuiet ? quiet.withAll + 1 : 0
      let isStall = quiet.withAll >= Self.looks || quiet.alone >= Self.looksBesideOthers
      if isStall, !quiet.isFound { found.append(call) }
      quiet.isFound = quiet.isFound || isStall
      still[call.number] = quiet
    }
    seen = still
    return found
  }
}

extension DecoderStalls.Look {
  /// What is to be seen now; by a thread that no decoder waits for.
  static var now: DecoderStalls.Look {
    let calls = DecoderCalls.inProgress.map { call in
      Call(
        number: call.number, thread: call.thread,
        time: call.threads.reduce(0) { $0 &+ ThreadActivity.time(of: $1) },
        isWaiting: call.threads.allSatisfy(ThreadActivity.isWaiting))
    }
    let own = ThreadActivity.current
    // Not worth a look where no decoder is in a call.
    let isWaiting =
      !calls.isEmpty && ThreadActivity.all.allSatisfy { $0 == own || ThreadActivity.isWaiting($0) }
    return DecoderStalls.Look(
      calls: calls, time: ThreadActivity.processTime, isWaiting: isWaiting)
  }
}
