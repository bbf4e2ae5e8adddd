import LibAV
import MediaTime
import SystemIO

/// The audio of a track of several parts on one grid of samples, from the start of the range to its
/// end.
///
/// Samples are counted from the track's zero at the output's rate. A part's first sample is the
/// first one of the grid at or after the start of its target, and its others follow by number,
/// regardless of the range that is read. A range therefore holds the same samples as a linear read.
/// Empty edits, and the missing samples of a source, are silence. A part that is scaled in time is
/// stretched (``StretchedAudio``) to the number of samples of the grid that are in its target, so
/// that no error accumulates over many such parts.
final class TimelineAudio: RestartableStream {
  private let timeline: TrackTimeline
  private var reading: TrackReading
  private let settings: AudioSettings
  private let layout: AudioLayout
  private let path: String
  private let interrupt: Interrupt
  private var parts: ArraySlice<ReadingPart>
  private var current: Current?
  /// A block to return after the silence up to ``silenceEnd``.
  private var pending: SampleBuffer?
  /// The number of the next sample.
  private var position: Int64
  /// The number of the sample up to which silence is to be returned.
  private var silenceEnd: Int64

  /// A part that is being read.
  private struct Current {
    let audio: any MediaStream<SampleBuffer>
    /// The time of the part's own first sample on the clock of `audio`.
    let origin: Time
    /// The number of the part's first sample on the grid, and the end of its samples to read.
    let first: Int64
    let end: Int64
    /// The mapping of a part that isn't stretched; nil for a stretched one.
    let mapping: TimeMapping?
  }

  private static let blockSize: Int64 = 16384

  /// - Parameter settings: settings that are unset are the first part's.
  init(
    _ timeline: TrackTimeline, _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) {
    (self.settings, layout) = settings.resolved(for: timeline.format.media.parameters)
    (self.timeline, self.reading) = (timeline, reading)
    path = timeline.format.path
    interrupt = reading.interrupt
    parts = ReadingPart.parts(of: timeline, reading)[...]
    for part in parts { try part.part.requireSpeed(settings.timePitch, path: path) }
    let start = parts.first?.target.start ?? reading.range.start
    position = start.sampleNumber(from: .zero, rate: layout.sampleRate)
    silenceEnd = position
  }

  func restart(at time: Time) throws(EngineError) {
    reading.range = TimeRange(start: time, end: reading.range.end)
    reading.isRestarted = true
    parts = ReadingPart.parts(of: timeline, reading)[...]
    for part in parts { try part.part.requireSpeed(settings.timePitch, path: path) }
    position = number(parts.first?.target.start ?? time)
    (silenceEnd, pending) = (position, nil)
    let open = current
    current = nil
    // The part that is open may be the requested one.
    if let open, let first = parts.first, let mapping = open.mapping,
      mapping == first.part.mapping, let restartable = open.audio.restartable,
      max(position, open.first) < open.end
    {
      parts.removeFirst()
      current = open
      return try restartable.restart(
        at: open.origin + self.time(max(position, open.first) - open.first))
    }
    open?.audio.stop()
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if isWaiting { await current?.audio.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() { if isWaiting { current?.audio.waitBlocking() } }

  /// False while samples or silence can be returned without the part.
  private var isWaiting: Bool { position >= silenceEnd && pending == nil }

  func stop() { current?.audio.stop() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    while true {
      if interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
      if position < silenceEnd { return .element(try silence(demand.allocator)) }
      if let buffer = pending {
        pending = nil
        position += Int64(buffer.sampleCount)
        silenceEnd = position
        return .element(buffer)
      }
      guard let current else {
        guard let next = parts.popFirst() else { return .end }
        try open(next)
        continue
      }
      switch try current.audio.take(demand) {
      case .element(let buffer): place(buffer, of: current)
      case .skipped: continue
      case .pending: return .pending
      case .end:
        // The missing samples of the part's source are silence.
        silenceEnd = max(position, current.end)
        self.current = nil
      }
    }
  }

  private func open(_ part: ReadingPart) throws(EngineError) {
    let end = part.target.end.isNumeric ? number(part.target.end) : .max
    guard let source = part.source else {
      silenceEnd = max(position, end)
      return
    }
    // The part's own samples are counted from its first one, so that a range of it is cut between
    // samples.
    let first = number(part.part.mapping.target.start)
    // A part between two samples of the grid has nothing to decode.
    guard max(position, first) < end else { return }
    if let ratio = part.part.scale {
      current = Current(
        audio: try stretched(part, source, ratio, from: first, to: end), origin: .zero,
        first: first, end: end, mapping: nil)
      return
    }
    let begin = part.part.mapping.source.start
    let count = max(0, end - max(position, first))
    var reading = part.reading
    reading.range = TimeRange(
      start: begin + time(max(position, first) - first),
      duration: end == .max ? .positiveInfinity : time(count))
    current = Current(
      audio: try source.audio(reading, settings), origin: begin, first: first, end: end,
      mapping: part.part.mapping)
  }

  /// Returns the samples of a scaled part from the position on.
  private func stretched(
    _ part: ReadingPart, _ source: any TrackSource, _ ratio: StretchRatio, from first: Int64,
    to end: Int64
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try source.stretchedAudio(
      part.reading, over: part.part.mapping.source,
      wanted: max(position, first) - first..<max(position, end) - first, layout, settings,
      path: path
    ) { _ in .constant(ratio) }
  }

  /// Places a block on the grid.
  private func place(_ buffer: SampleBuffer, of current: Current) {
    let offset = (buffer.presentationTime - current.origin).ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .towardNegativeInfinity)
    // If a clock was set back inside a source, the position isn't.
    let start = max(position, current.first + offset)
    guard start + Int64(buffer.sampleCount) <= current.end else {
      self.current = nil
      silenceEnd = current.end
      return
    }
    silenceEnd = start
    var placed = buffer
    placed.presentationTime = time(start)
    pending = placed
  }

  private func silence(_ allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer {
    let count = Int(min(silenceEnd - position, Self.blockSize))
    let block = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      var block = try AudioBlock(
        layout: layout, capacity: count, allocator: allocator)
      let frame = try Frame.silence(layout, count: count)
      block.append(frame, 0..<count)
      return block.finish()
    }
    defer { position += Int64(count) }
    return SampleBuffer(
      audio: DataBuffer(block: block), count: count, at: time(position), layout, settings)
  }

  private func number(_ time: Time) -> Int64 {
    time.sampleNumber(from: .zero, rate: layout.sampleRate)
  }

  private func time(_ samples: Int64) -> Time {
    Time(value: samples, timescale: Int32(clamping: layout.sampleRate))
  }
}

extension TrackTimeline.Part {
  /// The ratio of the part's speed; nil for its source's own speed, and for empty edits.
  fileprivate var scale: StretchRatio? {
    guard source != nil, mapping.source.duration != mapping.target.duration else { return nil }
    return StretchRatio(mapping)
  }

  /// - Throws: `unsupportedOutputSettings` if the part's audio can't be played at its speed.
  fileprivate func requireSpeed(
    _ algorithm: AudioTimePitchAlgorithm, path: String
  ) throws(EngineError) {
    let limit = algorithm.maximumSpeed
    guard let source else { return }
    let isScaled = mapping.source.duration != mapping.target.duration
    let speeds: [StretchRatio?] = isScaled ? [scale] : source.speeds
    func isPossible(_ algorithm: AudioTimePitchAlgorithm) -> Bool {
      speeds.allSatisfy { $0?.isWithin(algorithm.maximumSpeed) == true }
    }
    guard !isPossible(algorithm) else { return }
    let others = AudioTimePitchAlgorithm.allCases.filter(isPossible)
    let shown =
      isScaled
      ? "\(mapping.rate) times its speed" : "a speed that is too high or too low somewhere"
    throw EngineError(
      .unsupportedOutputSettings,
      "The audio of '\(path)' from \(mapping.target.start.seconds) to "
        + "\(mapping.target.end.seconds) s is shown at \(shown); "
        + "'\(algorithm.rawValue)' can do 1/\(limit) to \(limit) times",
      advice: others.isEmpty
        ? .keepSpeedOrLeaveOutAudio : .setTimePitchAlgorithm(others.map(\.rawValue)),
      path: path, stage: .convert)
  }
}

extension TrackTimeline {
  /// Checks that the audio of all parts can be played at their speeds.
  ///
  /// - Throws: `unsupportedOutputSettings`, with the times of the first part for which it can't.
  func requireSpeeds(_ algorithm: AudioTimePitchAlgorithm) throws(EngineError) {
    for part in parts { try part.requireSpeed(algorithm, path: format.path) }
  }
}
