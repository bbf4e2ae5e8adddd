import DequeModule
import Dispatch
import LibAV
import Synchronization

/// Decodes a track's frames ahead of who takes them, on a queue of its own, so that decoding overlaps
/// with what is done with the frames.
///
/// Each frame is decoded in a place of the ``WorkGate``: who waits for one holds no place.
///
/// `@unchecked Sendable`: only the job touches the reader, and there is one job at a time; frames change
/// hands under the lock.
final class FrameQueue: @unchecked Sendable {
  /// What there is to take.
  enum Taken { case frame, nothingYet, end }

  /// Bounds of what waits decoded, whichever is reached first; two frames may wait in any case.
  static let mostFrames = 32
  static let mostBytes = 32 << 20

  private struct State {
    var decoded: Deque<FrameBox> = []
    var empty: [FrameBox] = []
    /// Nil while there is more; nil inside at the track's end.
    var ending: EngineError??
    var isRunning = false
    var isStopped = false
    var capacity = 2
    var waiter: DispatchSemaphore?
  }

  private var reader: FrameReader
  private let goal: FrameReader.Goal
  private let priority: WorkGate.Priority
  private let interrupt: Interrupt
  private let path: String
  private let queue = DispatchQueue(label: "reelwire.frames")
  private let state = Mutex(State())

  init(
    reader: consuming FrameReader, clip: TrackClip, goal: FrameReader.Goal = .init(),
    priority: WorkGate.Priority = .interactive
  ) {
    self.reader = reader
    self.goal = goal
    self.priority = priority
    interrupt = clip.interrupt
    path = clip.path
    resume()
  }

  /// Waits until there is a frame, the end, or a failure; an interrupt is a failure too, also while a
  /// read doesn't return that knows nothing of it.
  func wait() {
    let waiter = state.withLock { state -> DispatchSemaphore? in
      guard state.decoded.isEmpty, state.ending == nil else { return nil }
      let waiter = DispatchSemaphore(value: 0)
      state.waiter = waiter
      return waiter
    }
    while waiter?.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if interrupt.isTriggered { return }
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
        return .nothingYet
      }
      if let error = ending { throw error }
      return .end
    }
    swap(&slot.frame, &frame)
    slot.frame.clear()
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
    if isDue { queue.async { self.run() } }
  }

  private func run() {
    while true {
      let isOver = state.withLock { state in
        if state.isStopped || state.ending != nil || state.decoded.count >= state.capacity {
          state.isRunning = false
        }
        return !state.isRunning
      }
      if isOver { return }
      do throws(EngineError) {
        try WorkGate.shared.run(priority, interrupt: interrupt) { () throws(EngineError) in
          try decode()
        }
      } catch {
        end(error)
      }
    }
  }

  private func decode() throws(EngineError) {
    let known = state.withLock { $0.empty.popLast() }
    let slot = if let known { known } else { try naming(.decode, path: path, FrameBox.init) }
    guard try reader.next(into: &slot.frame, goal: goal) else { return end(nil) }
    let size = max(1, slot.frame.byteCount)
    let waiter = state.withLock { state in
      state.decoded.append(slot)
      state.capacity = max(2, min(FrameQueue.mostFrames, FrameQueue.mostBytes / size))
      return state.waiter.take()
    }
    waiter?.signal()
  }

  private func end(_ error: EngineError?) {
    let waiter = state.withLock { state in
      state.ending = .some(error)
      return state.waiter.take()
    }
    waiter?.signal()
  }
}

/// A frame that changes hands.
///
/// `@unchecked Sendable`: it belongs to the queue's job, to the queue or to who took the frame, one at a
/// time.
final class FrameBox: @unchecked Sendable {
  var frame: Frame
  init() throws(LibAVError) { frame = try Frame() }
  init(_ frame: consuming Frame) { self.frame = frame }
}
