import DequeModule
import MediaTime
import Synchronization
import SystemIO

/// The reason for which a captured sample was dropped (kCMSampleBufferAttachmentKey_DroppedFrameReason).
public enum CaptureDropReason: String, Sendable, CaseIterable {
  /// The taker was too slow.
  case late
  /// There was no memory for it, or the client holds its maximum number, or the file has no place for it.
  case outOfBuffers
  /// The device left it out.
  case discontinuity
}

/// Samples that are pushed, by callers or by devices, and not taken yet.
///
/// Its capacity is a number of bytes, and two samples of any size.
final class PushedSamples: Sendable {
  private struct State {
    var dropped: [CaptureDropReason: Int] = [:]
    var samples: Deque<SampleBuffer> = []
    var bytes = 0
    /// The bytes of the samples in it that take no room, which are the first ones.
    var heldBytes = 0
    var appended = 0
    /// Nothing more comes.
    var isFinished = false
    /// No sample is accepted, and none is returned.
    var isClosed = false
    /// The signal of the taker.
    var consumer: Signal<Bool>?
    /// The signal of a caller that waits until all samples have been worked on.
    var observerOfIdling: Signal<Bool>?
    /// The signals of waiting producers.
    var producers: [Signal<Bool>] = []
    /// Called whenever there is room again.
    var observer: (@Sendable () -> Void)?
    var isObserverDue = false
    /// The latest end of the session up to which the taker has the samples, and needs no more.
    var complete: Time?
  }

  private let state = Mutex(State())
  /// In bytes.
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  private func hasRoom(_ state: borrowing State) -> Bool {
    !state.isFinished && !state.isClosed
      && (state.samples.count < 2 || state.bytes - state.heldBytes < capacity)
  }

  // MARK: The side that pushes

  /// True where a sample is accepted without waiting.
  var isReady: Bool { state.withLock { hasRoom($0) } }
  var appended: Int { state.withLock(\.appended) }
  var isFinished: Bool { state.withLock(\.isFinished) }
  /// True where its taker has nothing to continue with.
  var isStarved: Bool { state.withLock { $0.samples.isEmpty && !$0.isFinished } }

  /// True once its taker has the samples up to an end of the session, which may have been raised since.
  func hasAll(upTo end: Time) -> Bool { state.withLock { $0.complete.map { $0 >= end } ?? false } }

  /// Takes a sample if there is room, or in any case.
  ///
  /// - Returns: false when it wasn't taken.
  func append(_ sample: SampleBuffer, inAnyCase: Bool = false) -> Bool {
    let (isTaken, consumer) = state.withLock { state -> (Bool, Signal<Bool>?) in
      guard hasRoom(state) || (inAnyCase && !state.isFinished && !state.isClosed) else {
        return (false, nil)
      }
      state.samples.append(sample)
      state.bytes += sample.data.count
      state.appended += 1
      if !hasRoom(state) { state.isObserverDue = true }
      return (true, state.consumer.take())
    }
    consumer?.fire(true)
    return isTaken
  }

  /// Takes a sample that has waited outside, before all others. It takes no room from those that follow.
  ///
  /// - Returns: false after the end.
  func appendHeld(_ sample: SampleBuffer) -> Bool {
    state.withLock { $0.heldBytes += sample.data.count }
    return append(sample, inAnyCase: true)
  }

  /// Takes a sample of a device, which can't wait: where there is no room it is dropped as late.
  ///
  /// - Returns: false when it was dropped.
  @discardableResult
  func deliver(_ sample: SampleBuffer) -> Bool {
    if append(sample) { return true }
    if !isFinished { countDropped(1, .late) }
    return false
  }

  /// Counts samples that never came here.
  func countDropped(_ count: Int, _ reason: CaptureDropReason) {
    state.withLock { $0.dropped[reason, default: 0] += count }
  }

  /// The number of samples that were dropped, by the reasons.
  var dropped: [CaptureDropReason: Int] { state.withLock(\.dropped) }

  /// Returns a signal that is fired once there may be room, or no more samples are accepted; nil
  /// when that is so now.
  func roomSignal() -> Signal<Bool>? {
    state.withLock { state in
      guard !hasRoom(state), !state.isFinished, !state.isClosed else { return nil }
      let signal = Signal<Bool>()
      state.producers.append(signal)
      return signal
    }
  }

  /// Has `action` called whenever there is room again, and at once where there is.
  func observeRoom(_ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      state.observer = action
      return hasRoom(state)
    }
    if isDue { action() }
  }

  /// Ends the input.
  func finish() { end { $0.isFinished = true } }

  /// Discards its samples, and ends all waits.
  func close() {
    end { state in
      state.isClosed = true
      state.samples = []
      state.observer = nil
    }
  }

  private func end(_ change: (inout State) -> Void) {
    let due = state.withLock { state -> [Signal<Bool>] in
      change(&state)
      defer { (state.consumer, state.observerOfIdling, state.producers) = (nil, nil, []) }
      return state.producers
        + [state.consumer, state.observerOfIdling].compactMap(\.self)
    }
    for signal in due { signal.fire(true) }
  }

  // MARK: The side that takes

  /// Returns the first samples in the queue, without taking them.
  func first(_ count: Int) -> [SampleBuffer] { state.withLock { Array($0.samples.prefix(count)) } }

  /// Notes that the taker has the samples up to an end of the session.
  func noteEnd(_ end: Time) {
    state.withLock { $0.complete = max($0.complete ?? end, end) }
  }

  /// True if no sample follows those in the queue.
  var isLast: Bool { state.withLock { $0.isFinished || $0.isClosed } }

  func take() -> StreamStep<SampleBuffer> {
    let (step, producers, observer) = state.withLock {
      state -> (StreamStep<SampleBuffer>, [Signal<Bool>], (@Sendable () -> Void)?) in
      guard let sample = state.samples.popFirst() else {
        return (state.isFinished || state.isClosed ? .end : .pending, [], nil)
      }
      state.bytes -= sample.data.count
      state.heldBytes = max(0, state.heldBytes - sample.data.count)
      guard hasRoom(state) else { return (.element(sample), [], nil) }
      let isDue = state.isObserverDue
      state.isObserverDue = false
      defer { state.producers = [] }
      return (.element(sample), state.producers, isDue ? state.observer : nil)
    }
    for producer in producers { producer.fire(true) }
    observer?()
    return step
  }

  /// Blocks the taker's thread until there are `count` samples, or no more come.
  func waitBlocking(for count: Int = 1, interrupt: Interrupt) {
    while !interrupt.isTriggered, let arrival = arrival(of: count) {
      _ = arrival.waitBlocking(orUntil: interrupt)
    }
  }

  /// Suspends the taker until there is a sample, or no more come.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    while !interrupt.isTriggered, let arrival = arrival(of: 1) {
      _ = await arrival.wait(orUntil: interrupt, isolation: isolation)
    }
  }

  /// Returns a signal that is fired once its taker has worked on all samples, and waits for more;
  /// nil when that is so now. One caller may wait at a time.
  func idleSignal() -> Signal<Bool>? {
    state.withLock { state in
      let isIdle = state.samples.isEmpty && state.consumer != nil
      guard !isIdle, !state.isFinished, !state.isClosed else { return nil }
      let signal = Signal<Bool>()
      state.observerOfIdling = signal
      return signal
    }
  }

  /// True where its taker has worked on all that came, and waits for more.
  var isIdle: Bool { state.withLock { $0.samples.isEmpty && $0.consumer != nil } }

  /// Returns a signal that is fired by the next change; nil once there are `count` samples, or no
  /// more come.
  private func arrival(of count: Int) -> Signal<Bool>? {
    let (arrival, observer) = state.withLock { state -> (Signal<Bool>?, Signal<Bool>?) in
      guard state.samples.count < count, !state.isFinished, !state.isClosed else {
        return (nil, nil)
      }
      let signal = Signal<Bool>()
      state.consumer = signal
      return (signal, state.samples.isEmpty ? state.observerOfIdling.take() : nil)
    }
    observer?.fire(true)
    return arrival
  }
}
