import LibAV
import MediaTime
import SystemIO

/// The frames of a stored track of which a part is shown within a range.
///
/// How long a frame is shown is known once the next one is there, so it comes one frame late.
final class TimedFrames: RestartableStream {
  private var clip: TrackClip
  private let frames: ReadAhead<DecodedFrames>
  private let index: SampleIndex
  private let format: TrackFormat
  /// The frame of which isn't known yet how long it is shown.
  private var current: Handoff<Frame>?
  private var isOver = false
  /// Where a frame begins that has no time stamp.
  private var lastEnd: Time?

  init(_ clip: TrackClip, priority: WorkLimiter.Priority) throws(EngineError) {
    self.clip = clip
    format = clip.media.format
    let threads = DecodedFrames.liveCount < WorkLimiter.shared.slots ? 0 : 1
    let reader = try clip.makeReader(threads: threads)
    // What ends before the range is only decoded where others need it.
    let start = clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let first = clip.range.start > .zero ? reader.index.position(at: start) : nil
    index = reader.index
    let hint = FrameReader.SeekHint(
      skipsBefore: first.map { reader.index.sample(atPosition: $0).pts })
    frames = DecodedFrames.reading(reader, of: clip, hint: hint, priority: priority)
  }

  deinit { frames.stop() }

  func restart(at time: Time) {
    let before = clip.range.start
    clip.range = TimeRange(start: time, end: clip.range.end)
    clip.damage?.restart(at: time)
    let ticks = clip.media.ticks(time, rounding: .towardNegativeInfinity)
    // A little ahead what has been decoded already leads there.
    if !isOver, time >= before, let shown = current?.value.pts, shown <= ticks,
      let position = index.position(at: ticks),
      index.samples[index.randomAccessPoint(forPosition: position)].pts <= shown
    {
      return
    }
    (current, lastEnd, isOver) = (nil, nil, false)
    frames.restart(at: ticks)
  }

  func stop() { frames.stop() }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if !isOver { await frames.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() { if !isOver { frames.waitBlocking() } }

  /// - Throws: at the end, each time, `undecodableMediaData` where none came out of samples that there
  ///   are.
  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    let taken = try takeDecoded()
    if case .end = taken { try clip.damage?.conclude(index) }
    return taken
  }

  private func takeDecoded() throws(EngineError) -> StreamStep<TimedFrame> {
    guard !isOver else { return .end }
    switch try frames.take() {
    case .pending: return .pending
    case .skipped: return .skipped
    case .element(let ahead):
      let taken = measure(until: ahead.value.pts.map(clip.media.time))
      if !isOver { current = ahead }
      return taken
    case .end:
      let taken = measure(until: nil)
      isOver = true
      return taken
    }
  }

  /// Finds out how long the current frame is shown, and passes over it outside of the range.
  private func measure(until following: Time?) -> StreamStep<TimedFrame> {
    guard let frame = current else { return .skipped }
    current = nil
    let start = frame.value.pts.map(clip.media.time) ?? lastEnd ?? clip.media.time(0)
    let stated = clip.media.duration(frame.value.duration)
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
    guard isShown else { return .skipped }
    return .element(
      TimedFrame(
        frame: frame, timing: FrameTiming(start: start, duration: duration, following: following),
        format: format))
  }
}
