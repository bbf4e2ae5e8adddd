import LibAV
import MediaTime
import SystemIO

/// A frame and how long it is shown, on the asset's clock.
struct TimedFrame {
  var box: FrameBox
  var start: Time
  var duration: Time
  /// When the next frame begins, which should be its end; nil for the last one.
  var following: Time?
}

/// The frames of a track of which a part is shown within a range, decoded ahead.
///
/// How long a frame is shown is known once the next one is there, so it comes one frame late.
final class TimedFrames {
  /// What there is to take.
  enum Taken {
    case frame(TimedFrame)
    /// A frame that is the first, or lies outside of the range: more may be there.
    case passed
    case pending, end
  }

  private let clip: TrackClip
  private let frames: FrameQueue
  private let index: SampleIndex
  /// The frame of which isn't known yet how long it is shown.
  private var current: FrameBox?
  private var ahead: FrameBox
  private var isOver = false
  /// Where a frame begins that says nothing about it.
  private var lastEnd: Time?

  init(_ clip: TrackClip, priority: WorkLimiter.Priority) throws(EngineError) {
    self.clip = clip
    ahead = try mapErrors(.decode, path: clip.path, FrameBox.init)
    let threads = FrameQueue.liveCount < WorkLimiter.shared.slots ? 0 : 1
    let reader = try clip.makeReader(threads: threads)
    // What ends before the range is only decoded where others need it.
    let start = clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let first = clip.range.start > .zero ? reader.index.position(at: start) : nil
    index = reader.index
    let hint = FrameReader.SeekHint(
      skipsBefore: first.map { reader.index.sample(atPosition: $0).pts })
    frames = FrameQueue(reader: reader, clip: clip, hint: hint, priority: priority)
  }

  deinit { frames.stop() }

  /// Ends decoding; nothing is to be taken any more.
  func stop() { frames.stop() }

  /// Suspends until there is something to take, or a failure.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    if !isOver { await frames.wait(interrupt: interrupt) }
  }

  /// As ``wait(interrupt:isolation:)``, blocking an export's thread.
  func waitBlocking() { if !isOver { frames.waitBlocking() } }

  /// The next frame, for which an export's thread waits; nil at the end.
  func nextBlocking() throws(EngineError) -> TimedFrame? {
    while true {
      switch try take() {
      case .frame(let frame): return frame
      case .passed: continue
      case .pending: waitBlocking()
      case .end: return nil
      }
    }
  }

  /// Takes what has been decoded, without waiting.
  ///
  /// - Throws: what decoding threw, after the frames that came before; at the end, each time,
  ///   `undecodableMediaData` where none came out of samples that there are.
  func take() throws(EngineError) -> Taken {
    let taken = try takeDecoded()
    if case .end = taken { try clip.damage?.conclude(index) }
    return taken
  }

  private func takeDecoded() throws(EngineError) -> Taken {
    guard !isOver else { return .end }
    switch try frames.take(into: &ahead.frame) {
    case .pending: return .pending
    case .frame:
      let taken = measure(until: ahead.frame.pts.map(clip.media.time))
      if !isOver {
        current = ahead
        ahead = try mapErrors(.decode, path: clip.path, FrameBox.init)
      }
      return taken
    case .end:
      let taken = measure(until: nil)
      isOver = true
      return taken
    }
  }

  /// Finds out how long the current frame is shown, and passes over it outside of the range.
  private func measure(until following: Time?) -> Taken {
    guard let box = current else { return .passed }
    current = nil
    let start = box.frame.pts.map(clip.media.time) ?? lastEnd ?? clip.media.time(0)
    let stated = clip.media.duration(box.frame.duration)
    let duration = following.map { max(.zero, $0 - start) } ?? stated
    lastEnd = start + duration
    if clip.range.duration.isNumeric && start >= clip.range.end {
      frames.stop()
      isOver = true
      return .end
    }
    let isShown =
      start >= clip.range.start || start + duration > clip.range.start
      || (following == nil && duration == .zero)
    guard isShown else { return .passed }
    return .frame(
      TimedFrame(box: box, start: start, duration: duration, following: following))
  }
}
