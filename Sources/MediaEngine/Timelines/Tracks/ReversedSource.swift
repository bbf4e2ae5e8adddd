import LibAV
import MediaTime
import SystemIO

/// A source whose samples are presented from the last to the first.
///
/// A time of the source is as far from ``pivot`` as its time here is from zero: a frame that is shown from *a* to *b*
/// is shown here from *pivot - b* to *pivot - a*.
final class ReversedSource: DerivedSource {
  let base: any TrackSource
  let pivot: Time

  /// - Parameters:
  ///   - base: a source with an end.
  ///   - pivot: the time of `base` that is zero here.
  init(_ base: any TrackSource, pivot: Time) { (self.base, self.pivot) = (base, pivot) }

  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    try base.timeRange(interrupt: interrupt).mirrored(around: pivot)
  }

  // All of the source may be needed for its end, which comes first.
  func damage(before end: Time) -> EngineError? { base.damage(before: .positiveInfinity) }

  func makeErrors(range: TimeRange) -> DecodeErrors? { DecodeErrors(layers: []) }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    ReversedFrames(self, reading, priority: priority)
  }

  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    ReversedAudio(self, reading, settings)
  }

  /// Returns the start of the group of pictures with the frames before a time of the base: the time
  /// of a sync sample, or a second earlier where that isn't known.
  func groupStart(before time: Time, interrupt: Interrupt) throws(EngineError) -> Time {
    let earlier = max(.zero, time - Time(value: 1, timescale: 1))
    guard let media = base.stored else { return earlier }
    let index = try media.index(interrupt: interrupt)
    let ticks = media.ticks(time, rounding: .towardPositiveInfinity) - 1
    guard let position = index.position(at: ticks) else { return .zero }
    let sync = index.samples[index.randomAccessPoint(forPosition: position)]
    let found = media.time(sync.pts)
    return found < time ? max(.zero, found) : earlier
  }

  /// The end of the last frame, which may state less itself.
  func end(interrupt: Interrupt) throws(EngineError) -> Time? {
    guard let media = base.stored else { return nil }
    return try media.index(interrupt: interrupt).end.map(media.time)
  }
}

extension TimeRange {
  /// Returns the range in the opposite direction of time: a clock's time and its opposite add up to `pivot`.
  func mirrored(around pivot: Time) -> TimeRange {
    TimeRange(start: pivot - end, end: pivot - start)
  }
}

/// The parts of a source's range, from the last one to the first, each of which is read forward.
///
/// Each part is a stream of its own, with its own errors of decoding. A part of which nothing could be decoded is a
/// loss; all of them are a failure.
private struct BackwardParts<Element> {
  private let source: ReversedSource
  private let open: (TrackReading) throws(EngineError) -> any MediaStream<Element>
  private var reading: TrackReading
  /// The part of the source's range that isn't read yet.
  private(set) var rest: TimeRange
  private(set) var current: (elements: any MediaStream<Element>, range: TimeRange)?
  private var failure: EngineError?
  private var hasElements = false

  init(
    _ source: ReversedSource, _ reading: TrackReading,
    open: @escaping (TrackReading) throws(EngineError) -> any MediaStream<Element>
  ) {
    (self.source, self.reading, self.open) = (source, reading, open)
    rest = Self.rest(source, reading.range)
  }

  private static func rest(_ source: ReversedSource, _ range: TimeRange) -> TimeRange {
    let end = max(.zero, source.pivot - range.start)
    let start = range.duration.isNumeric ? source.pivot - range.end : .zero
    return TimeRange(start: min(end, max(.zero, start)), end: end)
  }

  mutating func restart(at time: Time) {
    stop()
    reading.range = TimeRange(start: time, end: max(time, reading.range.end))
    reading.isRestarted = false
    reading.errors?.removeGroups()
    (rest, failure, hasElements) = (Self.rest(source, reading.range), nil, false)
  }

  mutating func stop() {
    current?.elements.stop()
    current = nil
  }

  /// Opens the part before the one that was read.
  ///
  /// - Returns: false where there is none.
  mutating func openNext(
    from start: (Time) throws(EngineError) -> Time
  ) throws(EngineError) -> Bool {
    guard !rest.isEmpty else {
      if !hasElements, let failure { throw failure }
      return false
    }
    let range = TimeRange(start: max(rest.start, try start(rest.end)), end: rest.end)
    var own = reading
    own.range = range
    own.errors = source.base.makeErrors(range: range)
    if let errors = own.errors { reading.errors?.add(errors) }
    current = (try open(own), range)
    return true
  }

  /// Takes from the part that is open.
  mutating func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Element> {
    guard let current else { return .end }
    do throws(EngineError) {
      let step = try current.elements.take(demand)
      if case .element = step { hasElements = true }
      return step
    } catch {
      guard error.code == .undecodableMediaData else { throw error }
      failure = error
      return .end
    }
  }

  /// Ends the part that is open.
  ///
  /// - Parameter start: the time up to which it is done.
  mutating func close(downTo start: Time) {
    stop()
    rest = TimeRange(start: rest.start, end: max(rest.start, min(start, rest.end)))
  }
}

/// The frames of a source from the last to the first.
///
/// A group of pictures is decoded once, and its frames are retained until they are taken, up to ``maximumBytes``: the
/// earlier frames of a larger one are decoded once more.
private final class ReversedFrames: RestartableStream {
  private let source: ReversedSource
  private let interrupt: Interrupt
  private var parts: BackwardParts<TimedFrame>
  /// The frames of the group that is being read or taken, in the order of the source.
  private var group: [TimedFrame] = []
  private var bytes = 0
  /// The place of the first frame that is retained.
  private var first = 0
  private var last: Time?

  private static let maximumBytes = 256 << 20

  init(_ source: ReversedSource, _ reading: TrackReading, priority: WorkLimiter.Priority) {
    self.source = source
    interrupt = reading.interrupt
    parts = BackwardParts(source, reading) { (reading) throws(EngineError) in
      try source.base.frames(reading, priority: priority)
    }
  }

  deinit { parts.stop() }

  func stop() {
    parts.stop()
    (group, bytes, first) = ([], 0, 0)
  }

  func restart(at time: Time) {
    stop()
    last = nil
    parts.restart(at: time)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await parts.current?.elements.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { parts.current?.elements.waitBlocking() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    if let (_, range) = parts.current {
      switch try parts.take(demand) {
      case .pending: return .pending
      case .skipped: return .skipped
      case .element(let frame):
        // The next group begins with it, or it has been taken.
        if frame.timing.start >= range.end { finish(range) } else { append(frame) }
      case .end: finish(range)
      }
      return .skipped
    }
    if group.count > first, let frame = group.popLast() {
      bytes -= frame.byteCount
      return .element(try mirrored(frame))
    }
    (group, bytes, first) = ([], 0, 0)
    let isOpen = try parts.openNext { (time) throws(EngineError) in
      try source.groupStart(before: time, interrupt: interrupt)
    }
    return isOpen ? .skipped : .end
  }

  private func append(_ frame: TimedFrame) {
    group.append(frame)
    bytes += frame.byteCount
    while bytes > Self.maximumBytes, group.count - first > 2 {
      bytes -= group[first].byteCount
      first += 1
    }
    // Frames that aren't retained don't take their memory.
    if first > 32 {
      group.removeFirst(first)
      first = 0
    }
  }

  private func finish(_ range: TimeRange) {
    group.removeFirst(first)
    let isCut = first > 0
    first = 0
    let start = group.first?.timing.start ?? range.start
    parts.close(downTo: isCut ? start : min(start, range.start))
  }

  private func mirrored(_ frame: TimedFrame) throws(EngineError) -> TimedFrame {
    var frame = frame
    let timing = frame.timing
    var end = timing.following ?? timing.start + timing.duration
    if timing.following == nil, let known = try source.end(interrupt: interrupt) {
      end = max(end, known)
    }
    // Where the source has a frame without a length, it is shown until the one that was before.
    if let last, last > end { end = last }
    last = timing.start
    frame.timing = FrameTiming(
      start: source.pivot - end, duration: end - timing.start,
      following: timing.start > .zero ? source.pivot - timing.start : nil)
    return frame
  }
}

/// The audio of a source from the last sample to the first.
///
/// A second is decoded forward, and its samples are given in the opposite order, each exactly once.
private final class ReversedAudio: RestartableStream {
  private let source: ReversedSource
  private let settings: AudioSettings
  private var start: Time
  private let end: Time
  private var parts: BackwardParts<SampleBuffer>
  private var blocks: [(buffer: SampleBuffer, samples: Range<Int>)] = []

  private static let partDuration = Time(value: 1, timescale: 1)

  init(_ source: ReversedSource, _ reading: TrackReading, _ settings: AudioSettings) {
    (self.source, self.settings) = (source, settings)
    (start, end) = (reading.range.start, reading.range.end)
    parts = BackwardParts(source, reading) { (reading) throws(EngineError) in
      try source.base.audio(reading, settings)
    }
  }

  deinit { parts.stop() }

  func stop() {
    parts.stop()
    blocks = []
  }

  func restart(at time: Time) {
    stop()
    start = time
    parts.restart(at: time)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await parts.current?.elements.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { parts.current?.elements.waitBlocking() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    if let (_, range) = parts.current {
      // Its bytes are copied into the memory of the demand.
      switch try parts.take(.one) {
      case .pending: return .pending
      case .skipped: return .skipped
      case .element(let buffer): append(buffer, range)
      case .end: parts.close(downTo: range.start)
      }
      return .skipped
    }
    if let (buffer, samples) = blocks.last {
      let reversed = try reversed(buffer, samples, demand.allocator)
      blocks.removeLast()
      return .element(reversed)
    }
    return try parts.openNext { (time) in time - Self.partDuration } ? .skipped : .end
  }

  /// Retains the samples of a buffer that are in a part, and end by the start of the reversed range.
  private func append(_ buffer: SampleBuffer, _ range: TimeRange) {
    guard case .audio(let audio) = buffer.content, audio.sampleRate > 0 else { return }
    let clock = TimeBase(1, Int32(clamping: audio.sampleRate))
    let length = Time(value: 1, timescale: Int32(clamping: audio.sampleRate))
    let time = buffer.presentationTime
    // The first sample at or after a time.
    func number(_ limit: Time) -> Int {
      Int(clamping: (limit - time).ticks(in: clock, rounding: .towardPositiveInfinity))
    }
    let limit = min(range.end, source.pivot - start - length + Time(value: 1, timescale: .max))
    let lower = max(0, min(buffer.sampleCount, number(range.start)))
    let upper = max(lower, min(buffer.sampleCount, number(limit)))
    if lower < upper { blocks.append((buffer, lower..<upper)) }
  }

  private func reversed(
    _ buffer: SampleBuffer, _ samples: Range<Int>, _ allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    guard case .audio(var audio) = buffer.content else { return buffer }
    let planes = audio.isInterleaved ? 1 : audio.channels
    let size = audio.bytesPerSample * (audio.isInterleaved ? audio.channels : 1)
    let (count, whole) = (samples.count, buffer.sampleCount)
    let block = try mapErrors(.convert, path: source.format.path) { () throws(LibAVError) in
      try asLibAVError(allocator.allocate(count: count * size * planes))
    }
    buffer.data.withBytes { bytes in
      block.withMutableBytes { reversed in
        for plane in 0..<planes {
          for number in 0..<count {
            let from = (plane * whole + samples.upperBound - 1 - number) * size
            let to = (plane * count + number) * size
            for byte in 0..<size { reversed[to + byte] = bytes[from + byte] }
          }
        }
      }
    }
    let length = Time(value: 1, timescale: Int32(clamping: audio.sampleRate))
    let last =
      buffer.presentationTime
      + Time(
        value: Int64(samples.upperBound - 1), timescale: Int32(clamping: audio.sampleRate))
    audio.frames = count
    var result = buffer
    result.data = DataBuffer(block: block)
    result.content = .audio(audio)
    result.sampleCount = count
    result.presentationTime = source.pivot - last - length
    result.duration = Time(value: Int64(count), timescale: Int32(clamping: audio.sampleRate))
    return result
  }
}
