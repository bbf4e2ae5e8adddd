internal import Synchronization
import SystemIO

/// The calls of libavcodec's decoders that haven't returned.
package enum DecoderCalls {
  /// A call in progress.
  package struct Call: Sendable, Equatable {
    /// The number of this call alone.
    package var number: UInt64
    /// The thread that made the call.
    package var thread: Int32
    /// That thread and those of the decoder.
    package var threads: Set<Int32>

    package init(number: UInt64, thread: Int32, threads: Set<Int32>) {
      (self.number, self.thread, self.threads) = (number, thread, threads)
    }
  }

  private struct State {
    var decoders: [UInt64: Caller] = [:]
    var lastDecoder: UInt64 = 0
  }
  private static let state = Mutex(State())
  private static let opening = Mutex(())

  package static var inProgress: [Call] {
    state.withLock { state in state.decoders.compactMap { $1.call(of: $0) } }
  }

  /// Registers the decoder that `open` makes, with the threads that it starts.
  static func open<Opened>(
    threads: Int, _ open: () throws(LibAVError) -> Opened
  ) throws(LibAVError) -> (Opened, Caller) {
    var opened: Opened
    var own: Set<Int32> = []
    if threads == 1 {
      opened = try open()
    } else {
      // Two decoders that are opened at once would each find the other's threads.
      (opened, own) = try opening.withLock { (_) throws(LibAVError) in
        let before = ThreadActivity.all
        let opened = try open()
        return (opened, ThreadActivity.all.subtracting(before))
      }
    }
    let number = state.withLock { state in
      state.lastDecoder += 1
      return state.lastDecoder
    }
    let caller = Caller(number: number, threads: own)
    state.withLock { $0.decoders[number] = caller }
    return (opened, caller)
  }

  /// A decoder's record of its call in progress, written by one thread at a time.
  final class Caller: Sendable {
    private let number: UInt64
    private let threads: Set<Int32>
    /// The number of calls that have begun plus those that have ended: odd during a call.
    private let changes = Atomic<UInt64>(0)
    private let thread = Atomic<Int32>(0)

    fileprivate init(number: UInt64, threads: Set<Int32>) {
      (self.number, self.threads) = (number, threads)
    }

    func begin() {
      thread.store(ThreadActivity.current, ordering: .relaxed)
      changes.wrappingAdd(1, ordering: .releasing)
    }

    func end() { changes.wrappingAdd(1, ordering: .releasing) }

    /// Removes the decoder's record.
    func close() { state.withLock { _ = $0.decoders.removeValue(forKey: number) } }

    fileprivate func call(of decoder: UInt64) -> Call? {
      let count = changes.load(ordering: .acquiring)
      guard !count.isMultiple(of: 2) else { return nil }
      let thread = thread.load(ordering: .relaxed)
      // No program makes 2^40 calls of one decoder.
      return Call(
        number: decoder << 40 | count, thread: thread, threads: threads.union([thread]))
    }
  }
}
