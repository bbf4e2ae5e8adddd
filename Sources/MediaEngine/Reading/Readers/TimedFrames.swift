import LibAV
import MediaTime
import SystemIO

/// The frames of a stored track of which a part is shown within a range, decoded ahead.
final class TimedFrames: RestartableStream {
  private let clip: TrackClip
  private let frames: ReadAhead<DecodedFrames>
  private let index: SampleIndex
  private var durations: FrameDurationResolver

  init(_ clip: TrackClip, priority: WorkLimiter.Priority) throws(EngineError) {
    self.clip = clip
    let media = clip.media
    durations = FrameDurationResolver(
      clip.range, media.format, clip.deinterlacing, time: media.time, duration: media.duration)
    let reader = try clip.makeReader(threads: DecodedFrames.threads(for: priority))
    // A frame that ends before the range is only decoded where others need it.
    let start = media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let shown = clip.range.start > .zero ? reader.index.position(at: start) : nil
    let first = shown.map { max(0, $0 - clip.leadingSamples) }
    index = reader.index
    let hint = SeekHint(skipsBefore: first.map { reader.index.sample(atPosition: $0).pts })
    frames = DecodedFrames.reading(reader, of: clip, hint: hint, priority: priority)
  }

  deinit { frames.stop() }

  func restart(at time: Time) {
    let before = durations.range.start
    durations.range = TimeRange(start: time, end: durations.range.end)
    clip.damage?.restart(at: time)
    let ticks = clip.media.ticks(time, rounding: .towardNegativeInfinity)
    // For a time a little ahead, decoding continues from its position.
    if !durations.isOver, time >= before, let shown = durations.due, shown <= ticks,
      let position = index.position(at: ticks),
      index.samples[index.randomAccessPoint(forPosition: position)].pts <= shown
    {
      return
    }
    durations.restart()
    frames.restart(at: ticks)
  }

  func stop() { frames.stop() }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if !durations.isOver { await frames.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() { if !durations.isOver { frames.waitBlocking() } }

  /// - Throws: at the end, each time, `undecodableMediaData` where there are samples and none could
  ///   be decoded.
  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    let taken = try durations.take(from: frames)
    if case .end = taken { try clip.damage?.conclude(index) }
    return taken
  }
}
