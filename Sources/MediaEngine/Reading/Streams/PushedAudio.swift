import LibAV
import MediaTime
import SystemIO

/// Linear audio that is pushed, converted as its taker wants it.
///
/// What lies before the session is cut to the sample. A run of buffers without a pause is converted as one, so that
/// nothing shows where one ends and the next begins.
final class PushedAudio: MediaStream {
  private let queue: PushedSamples
  private let session: SessionTimes
  private let endsWithSession: Bool
  private let tolerance: Time
  private let interrupt: Interrupt
  private let output: AudioLayout
  private let settings: AudioSettings
  private var converter: AudioConverter
  private var run: Run?
  /// What begins another run.
  private var pending: SampleBuffer?
  private var isOver = false

  /// Buffers without a pause between them.
  private struct Run {
    let layout: AudioLayout
    let start: Time
    /// In samples of `layout`, those outside the session too.
    var taken: Int64 = 0
    /// Where the first sample that lies in the session is presented.
    var shown: Time?
    /// In samples of the output.
    var made: Int64 = 0

    /// The time of the next sample.
    var end: Time {
      start + Time(value: taken, timescale: Int32(clamping: layout.sampleRate))
    }
  }

  /// The rounding of a caller's clock.
  private static let rounding = Time(value: 1, timescale: 1000)
  /// The jitter of a device's stamps: a buffer that is off by more begins after a gap, or an overlap.
  static let jitter = Time(value: 50, timescale: 1000)

  /// - Parameters:
  ///   - endsWithSession: as of ``PushedFrames``.
  ///   - jitter: how far stamps are off at most, where buffers follow each other without a pause; nil for the rounding
  ///     of a caller's clock.
  init(
    _ queue: PushedSamples, in session: SessionTimes, endsWithSession: Bool = false,
    jitter: Time? = nil, as output: AudioLayout, interrupt: Interrupt
  ) {
    (self.queue, self.session, self.output) = (queue, session, output)
    (self.endsWithSession, self.interrupt) = (endsWithSession, interrupt)
    tolerance = jitter ?? Self.rounding
    settings = AudioSettings(output, timePitch: .spectral)
    converter = AudioConverter(output: output)
  }

  func waitBlocking() {
    if !isOver, pending == nil { queue.waitBlocking(interrupt: interrupt) }
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if !isOver, pending == nil { await queue.wait(interrupt: interrupt, isolation: isolation) }
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    guard !isOver else { return .end }
    let allocator = demand.allocator
    let next: SampleBuffer
    if let waiting = pending.take() {
      next = waiting
    } else {
      switch queue.take() {
      case .pending: return .pending
      case .skipped: return .skipped
      case .end:
        isOver = true
        return try endRun(allocator).map { .element($0) } ?? .end
      case .element(let sample): next = sample
      }
    }
    guard case .audio(let audio) = next.content, let layout = AudioLayout(audio) else {
      throw EngineError(.unsupportedOutputSettings, "An appended sample is no linear audio")
    }
    if endsWithSession, let end = session.end, (run?.end ?? next.presentationTime) >= end {
      isOver = true
      return try endRun(allocator).map { .element($0) } ?? .end
    }
    let deviation = run.map { (next.presentationTime - $0.end).absoluteValue } ?? .zero
    if let run, run.layout != layout || deviation > tolerance {
      pending = next
      return try endRun(allocator).map { .element($0) } ?? .skipped
    }
    let made = try convert(next, audio, layout, allocator)
    return made.sampleCount > 0 ? .element(made) : .skipped
  }

  private func convert(
    _ sample: SampleBuffer, _ audio: SampleBuffer.Audio, _ layout: AudioLayout,
    _ allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    let range = session.range
    let clock = TimeBase(1, Int32(clamping: layout.sampleRate))
    var run = self.run ?? Run(layout: layout, start: sample.presentationTime)
    // By the run's own clock: where a buffer ends makes no difference to what is cut.
    let presented = run.end
    func place(_ time: Time) -> Int64 {
      (time - presented).ticks(in: clock, rounding: .towardPositiveInfinity)
    }
    let count = Int64(audio.frames)
    let first = min(max(0, place(range.start)), count)
    let end = range.duration.isNumeric ? min(max(first, place(range.end)), count) : count
    let ratio = Double(output.sampleRate) / Double(layout.sampleRate)
    var block = try block(capacity: Int(Double(end - first) * ratio) + 64, allocator)
    if end > first {
      run.shown = run.shown ?? presented + Time(value: first, timescale: clock.denominator)
      try mapErrors(.convert) { () throws(LibAVError) in
        var queue = try AudioQueue(layout: layout)
        try queue.append(sample.data.block, from: Int(first), count: audio.frames)
        let frame = try queue.take(Int(end - first))
        try converter.convert(frame, 0..<Int(end - first), into: &block)
      }
    }
    run.taken += count
    self.run = run
    return try buffer(of: block)
  }

  /// What the converter still holds; nil where nothing was converted.
  private func endRun(_ allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    guard run != nil else { return nil }
    var block = try block(capacity: 8192, allocator)
    try mapErrors(.convert) { () throws(LibAVError) in try converter.flush(into: &block) }
    let made = try buffer(of: block)
    run = nil
    converter = AudioConverter(output: output)
    return made
  }

  private func block(
    capacity: Int, _ allocator: any BlockAllocator
  ) throws(EngineError) -> AudioBlock {
    try mapErrors(.convert) { () throws(LibAVError) in
      try AudioBlock(layout: output, capacity: capacity, allocator: allocator)
    }
  }

  /// A block at the time at which it comes in its run.
  private func buffer(of block: consuming AudioBlock) throws(EngineError) -> SampleBuffer {
    let count = block.count
    let rate = Int32(clamping: output.sampleRate)
    let start = run?.shown ?? session.range.start
    let time = start + Time(value: run?.made ?? 0, timescale: rate)
    run?.made += Int64(count)
    return SampleBuffer(
      audio: DataBuffer(block: block.finish()), count: count, at: time, output, settings)
  }
}

extension AudioLayout {
  /// Nil for audio that can't be.
  init?(_ audio: SampleBuffer.Audio) {
    guard let format = AudioSampleFormat(audio.sampleFormat),
      let packed = SampleFormat(name: format.packedName), (1...64).contains(audio.channels),
      (1...768_000).contains(audio.sampleRate)
    else { return nil }
    let standard = ChannelLayout.standard(channels: audio.channels)
    self.init(
      format: audio.isInterleaved ? packed : packed.planar, sampleRate: audio.sampleRate,
      channels: audio.channelLayout.isEmpty
        ? standard : ChannelLayout(name: audio.channelLayout, channels: audio.channels))
  }
}
