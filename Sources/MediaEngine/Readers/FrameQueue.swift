import LibAV
import Synchronization
import SystemIO

/// Decodes a track's frames ahead of who takes them.
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

  private let frames: ReadAhead<DecodedFrames>
  private let empty: EmptyFrames

  init(
    reader: consuming sending FrameReader, clip: TrackClip, hint: FrameReader.SeekHint = .init(),
    priority: WorkLimiter.Priority = .interactive
  ) {
    empty = EmptyFrames(path: clip.path)
    frames = ReadAhead(
      DecodedFrames(reader, hint: hint, empty), on: WorkQueue("frames"), priority: priority,
      interrupt: clip.interrupt, path: clip.path)
    FrameQueue.count.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { FrameQueue.count.wrappingSubtract(1, ordering: .relaxed) }

  /// As that of ``ReadAhead``.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    await frames.wait(interrupt: interrupt, isolation: isolation)
  }

  /// As that of ``ReadAhead``.
  func waitBlocking() { frames.waitBlocking() }

  /// The next frame in presentation order, without waiting.
  ///
  /// - Throws: what decoding threw, after the frames that came before.
  func take(into frame: inout Frame) throws(EngineError) -> Taken {
    switch try frames.take() {
    case .pending: return .pending
    case .end: return .end
    case .element(let slot):
      swap(&slot.value, &frame)
      empty.put(slot)
      return .frame
    }
  }

  /// Ends decoding; nothing is to be taken any more.
  func stop() { frames.stop() }

  /// An empty frame.
  static func makeFrame(path: String) throws(EngineError) -> Handoff<Frame> {
    try mapErrors(.decode, path: path) { () throws(LibAVError) in Handoff(try Frame()) }
  }
}

/// Frames that have been taken, to be used again.
private final class EmptyFrames: Sendable {
  private let path: String
  private let frames = Mutex<[Handoff<Frame>]>([])

  init(path: String) { self.path = path }

  func take() throws(EngineError) -> Handoff<Frame> {
    if let known = frames.withLock({ $0.popLast() }) { return known }
    return try FrameQueue.makeFrame(path: path)
  }

  func put(_ slot: Handoff<Frame>) {
    slot.value.clear()
    frames.withLock { $0.append(slot) }
  }
}

/// The source of a ``FrameQueue``.
private final class DecodedFrames: ReadAheadSource {
  private var reader: FrameReader
  private let hint: FrameReader.SeekHint
  private let empty: EmptyFrames

  init(_ reader: consuming FrameReader, hint: FrameReader.SeekHint, _ empty: EmptyFrames) {
    self.reader = reader
    (self.hint, self.empty) = (hint, empty)
  }

  func next() throws(EngineError) -> Handoff<Frame>? {
    let slot = try empty.take()
    return try reader.next(into: &slot.value, hint: hint) ? slot : nil
  }

  func capacity(for slot: Handoff<Frame>) -> Int {
    let bytes = min(FrameQueue.maximumBytes, FrameQueue.sharedBytes / max(1, FrameQueue.liveCount))
    return max(2, min(FrameQueue.maximumFrames, bytes / max(1, slot.value.byteCount)))
  }
}
