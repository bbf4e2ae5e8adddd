import DequeModule
import LibAV
import Synchronization
import SystemIO

/// Decodes a track's frames ahead of who takes them, so that decoding overlaps with what is done with the
/// frames.
///
/// Each frame is decoded in a slot of the ``WorkLimiter``: waiting for one holds neither a slot nor a
/// thread.
final class FrameQueue: Sendable {
  /// What there is to take.
  enum Taken { case frame, pending, end }

  /// Bounds of what waits decoded, whichever is reached first; two frames may wait in any case.
  static let maximumFrames = 32
  static let maximumBytes = 32 << 20
  /// What waits decoded in all queues together: many of them are shorter.
  static let sharedBytes = 256 << 20

  private static let count = Atomic<Int>(0)
  /// How many there are: where there are more than cores, a decoder needs no threads of its own.
  static var liveCount: Int { count.load(ordering: .relaxed) }

  fileprivate struct State {
    var decoded: Deque<Handoff<Frame>> = []
    var empty: [Handoff<Frame>] = []
    /// Nil while there is more; nil inside at the track's end.
    var ending: EngineError??
    var isRunning = false
    var isStopped = false
    var capacity = 2
    var waiter: Signal<Bool>?
  }

  private let decoding: FrameDecoding
  fileprivate let priority: WorkLimiter.Priority
  fileprivate let interrupt: Interrupt
  fileprivate let path: String
  private let state = Mutex(State())

  init(
    reader: consuming sending FrameReader, clip: TrackClip, hint: FrameReader.SeekHint = .init(),
    priority: WorkLimiter.Priority = .interactive
  ) {
    decoding = FrameDecoding(reader, hint: hint)
    self.priority = priority
    interrupt = clip.interrupt
    path = clip.path
    FrameQueue.count.wrappingAdd(1, ordering: .relaxed)
    resume()
  }

  deinit { FrameQueue.count.wrappingSubtract(1, ordering: .relaxed) }

  /// Suspends until there is a frame, the end, or a failure; an interrupt is a failure too, also while a
  /// read doesn't return that knows nothing of it.
  ///
  /// - Parameter interrupt: the queue's own, or one of its children.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    _ = await waiter()?.wait(orUntil: interrupt)
  }

  /// As ``wait(interrupt:isolation:)``, blocking an export's thread.
  func waitBlocking() { _ = waiter()?.waitBlocking(orUntil: interrupt) }

  private func waiter() -> Signal<Bool>? {
    state.withLock { state in
      guard state.decoded.isEmpty, state.ending == nil else { return nil }
      let waiter = Signal<Bool>()
      state.waiter = waiter
      return waiter
    }
  }

  /// The next frame in presentation order, without waiting.
  ///
  /// - Throws: what decoding threw, after the frames that came before.
  func take(into frame: inout Frame) throws(EngineError) -> Taken {
    let (slot, ending) = state.withLock { ($0.decoded.popFirst(), $0.ending) }
    guard let slot else {
      guard let ending else {
        if interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
        return .pending
      }
      if let error = ending { throw error }
      return .end
    }
    swap(&slot.value, &frame)
    slot.value.clear()
    state.withLock { $0.empty.append(slot) }
    resume()
    return .frame
  }

  /// Ends decoding; nothing is to be taken any more.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Starts the job once half of the room is free.
  private func resume() {
    let isDue = state.withLock { state in
      guard !state.isRunning, !state.isStopped, state.ending == nil,
        state.decoded.count <= state.capacity / 2
      else { return false }
      state.isRunning = true
      return true
    }
    if isDue { Task { await decoding.run(for: self) } }
  }

  /// True when nothing is to be decoded for now; the job is over then.
  fileprivate var isJobOver: Bool {
    state.withLock { state in
      if state.isStopped || state.ending != nil || state.decoded.count >= state.capacity {
        state.isRunning = false
      }
      return !state.isRunning
    }
  }

  /// An empty frame.
  static func makeFrame(path: String) throws(EngineError) -> Handoff<Frame> {
    try mapErrors(.decode, path: path) { () throws(LibAVError) in Handoff(try Frame()) }
  }

  fileprivate func takeEmpty() throws(EngineError) -> Handoff<Frame> {
    if let known = state.withLock({ $0.empty.popLast() }) { return known }
    return try FrameQueue.makeFrame(path: path)
  }

  fileprivate func add(_ slot: Handoff<Frame>) {
    let size = max(1, slot.value.byteCount)
    let waiter = state.withLock { state in
      state.decoded.append(slot)
      let bytes = min(
        FrameQueue.maximumBytes, FrameQueue.sharedBytes / max(1, FrameQueue.liveCount))
      state.capacity = max(2, min(FrameQueue.maximumFrames, bytes / size))
      return state.waiter.take()
    }
    waiter?.fire(true)
  }

  fileprivate func end(_ error: EngineError?) {
    let waiter = state.withLock { state in
      state.ending = .some(error)
      return state.waiter.take()
    }
    waiter?.fire(true)
  }
}

/// The job of a ``FrameQueue``.
private actor FrameDecoding: QueueActor {
  nonisolated let queue = WorkQueue("frames")
  private var reader: FrameReader
  private let hint: FrameReader.SeekHint

  init(_ reader: consuming sending FrameReader, hint: FrameReader.SeekHint) {
    self.reader = reader
    self.hint = hint
  }

  func run(for frames: FrameQueue) async {
    while !frames.isJobOver {
      do throws(EngineError) {
        try await WorkLimiter.shared.run(frames.priority, interrupt: frames.interrupt) {
          () throws(EngineError) in
          try decode(for: frames)
        }
      } catch {
        frames.end(error)
      }
    }
  }

  private func decode(for frames: FrameQueue) throws(EngineError) {
    let slot = try frames.takeEmpty()
    guard try reader.next(into: &slot.value, hint: hint) else { return frames.end(nil) }
    frames.add(slot)
  }
}
