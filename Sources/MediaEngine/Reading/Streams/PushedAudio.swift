import LibAV
import MediaTime
import SystemIO

/// Linear audio that is pushed, converted to its taker's format.
///
/// The part before the session is cut off to the sample. A run of buffers without a pause is
/// converted as one, so that no seam shows where one ends and the next begins.
///
/// A device's own clock runs at another rate than that of its stamps (``DeviceClock``). Its samples
/// are resampled by the difference, so that they stay where their stamps are; none is dropped for
/// that. Where samples are to stay unchanged, the rate is only measured.
final class PushedAudio: MediaStream {
  private let queue: PushedSamples
  private let session: WritingSession
  private let endsWithSession: Bool
  private let isOfDevice: Bool
  private let correctsDrift: Bool
  private let interrupt: Interrupt
  private let output: AudioLayout
  private let settings: AudioSettings
  private var converter: AudioConverter
  private var run: Run?
  /// The buffer that begins another run.
  private var pending: SampleBuffer?
  /// True where the stamp of the buffer after `pending` is needed to place `pending`.
  private var isUndecided = false
  private var isOver = false
  /// The samples of a channel that were taken and lie in the session.
  private(set) var taken: Int64 = 0
  /// The end of those samples, from the session's start.
  private(set) var takenUntil = Time.zero
  /// The difference of the samples' clock to that of their stamps, in millionths, positive for a
  /// faster one; nil where that isn't known.
  private(set) var drift: Double?

  /// Buffers without a pause between them.
  private struct Run {
    let layout: AudioLayout
    let start: Time
    /// In samples of `layout`, those outside the session too.
    var taken: Int64 = 0
    /// The presentation time of the first sample in the session.
    var shown: Time?
    /// In samples of the input, those that were converted.
    var converted: Int64 = 0
    /// In samples of the output.
    var made: Int64 = 0
    /// Of a device; nil for a caller's buffers, whose stamps are exact.
    var clock: DeviceClock?
    /// By how much the samples have become longer.
    var added = Time.zero
    /// In samples of the output: where the correction is decided anew.
    var correctedUntil: Int64 = 0

    /// The time of the next sample.
    var end: Time {
      start + added + Time(value: taken, timescale: Int32(clamping: layout.sampleRate))
    }
  }

  /// The rounding of a caller's clock: a buffer that is off by more begins after a gap, or an overlap.
  static let rounding = Time(value: 1, timescale: 1000)

  /// - Parameters:
  ///   - endsWithSession: as of ``PushedFrames``.
  ///   - isOfDevice: true for stamps with jitter, by another clock than that of the samples.
  ///   - correctsDrift: false to have a device's samples stay as they are.
  init(
    _ queue: PushedSamples, in session: WritingSession, endsWithSession: Bool = false,
    isOfDevice: Bool = false, correctsDrift: Bool = true, as output: AudioLayout,
    interrupt: Interrupt
  ) {
    (self.queue, self.session, self.output) = (queue, session, output)
    (self.endsWithSession, self.interrupt) = (endsWithSession, interrupt)
    (self.isOfDevice, self.correctsDrift) = (isOfDevice, correctsDrift)
    settings = AudioSettings(output, timePitch: .spectral)
    converter = AudioConverter(output: output)
  }

  /// The number of samples in the converter, in those of the output.
  var held: Int64 { converter.delay }

  func waitBlocking() {
    if !isOver, pending == nil || isUndecided { queue.waitBlocking(interrupt: interrupt) }
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if !isOver, pending == nil || isUndecided {
      await queue.wait(interrupt: interrupt, isolation: isolation)
    }
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
    let place = place(of: next, audio, layout)
    isUndecided = place == .undecided
    switch place {
    case .undecided:
      pending = next
      return .pending
    case .inNextRun:
      pending = next
      return try endRun(allocator).map { .element($0) } ?? .skipped
    case .inRun(let isStampBelieved):
      let made = try convert(next, audio, layout, isStampBelieved: isStampBelieved, allocator)
      return made.sampleCount > 0 ? .element(made) : .skipped
    }
  }

  private enum Place: Equatable {
    case inRun(isStampBelieved: Bool)
    /// After a gap, or in another format.
    case inNextRun
    /// The stamp of the next buffer isn't known yet.
    case undecided
  }

  /// Returns the place of a buffer after those that were taken. One stamp of a device that is far
  /// off is an error of it, two are a gap. Where they are early, the clock of the stamps was set
  /// back, and the samples continue.
  private func place(
    of sample: SampleBuffer, _ audio: SampleBuffer.Audio, _ layout: AudioLayout
  ) -> Place {
    guard let run else { return .inRun(isStampBelieved: true) }
    guard run.layout == layout else { return .inNextRun }
    guard let clock = run.clock else {
      let isNear = (sample.presentationTime - run.end).absoluteValue <= Self.rounding
      return isNear ? .inRun(isStampBelieved: true) : .inNextRun
    }
    let arrival = clock.arrival(of: sample.presentationTime)
    guard arrival != .onTime else { return .inRun(isStampBelieved: true) }
    if let following = queue.first(1).first {
      guard
        clock.arrival(of: following.presentationTime, after: Int64(audio.frames)) == arrival
      else { return .inRun(isStampBelieved: false) }
    } else if !queue.isLast {
      return .undecided
    }
    guard arrival == .early else { return .inNextRun }
    self.run?.clock?.setBack(to: sample.presentationTime)
    return .inRun(isStampBelieved: true)
  }

  private func convert(
    _ sample: SampleBuffer, _ audio: SampleBuffer.Audio, _ layout: AudioLayout,
    isStampBelieved: Bool, _ allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    let range = session.range
    let clock = TimeBase(1, Int32(clamping: layout.sampleRate))
    var run = self.run ?? makeRun(layout, at: sample.presentationTime)
    // By the run's own clock: the end of a buffer makes no difference to the cut.
    let presented = run.end
    func place(_ time: Time) -> Int64 {
      (time - presented).ticks(in: clock, rounding: .towardPositiveInfinity)
    }
    let count = Int64(audio.frames)
    let first = min(max(0, place(range.start)), count)
    let end = range.duration.isNumeric ? min(max(first, place(range.end)), count) : count
    let ratio = Double(output.sampleRate) / Double(layout.sampleRate)
    var block = try block(
      capacity: Int(Double(end - first) * ratio * (1 + DeviceClock.limit)) + 64, allocator)
    if end > first {
      run.shown = run.shown ?? presented + Time(value: first, timescale: clock.denominator)
      try mapErrors(.convert) { () throws(LibAVError) in
        var queue = try AudioQueue(layout: layout)
        try queue.append(sample.data.block, from: Int(first), count: audio.frames)
        let frame = try queue.take(Int(end - first))
        try converter.convert(frame, 0..<Int(end - first), into: &block)
      }
    }
    if range.duration.isNumeric, place(range.end) <= count { queue.noteEnd(range.end) }
    run.taken += count
    run.converted += end - first
    taken += end - first
    if end > first {
      takenUntil = presented + Time(value: end, timescale: clock.denominator) - range.start
    }
    run.clock?.take(audio.frames, at: isStampBelieved ? sample.presentationTime : nil)
    drift = run.clock?.drift ?? drift
    self.run = run
    let made = try buffer(of: block)
    try correct()
    return made
  }

  private func makeRun(_ layout: AudioLayout, at start: Time) -> Run {
    Run(
      layout: layout, start: start,
      clock: isOfDevice ? DeviceClock(sampleRate: layout.sampleRate, start: start) : nil)
  }

  /// Decides once a second how much longer or shorter the samples of a device are to become.
  private func correct() throws(EngineError) {
    guard correctsDrift, var run, var clock = run.clock else { return }
    let rate = Int64(output.sampleRate)
    if clock.isCorrecting {
      let due = Double(run.converted) * Double(rate) / Double(run.layout.sampleRate)
      run.added = Time(
        value: run.made + converter.delay - Int64(due.rounded()), timescale: Int32(clamping: rate))
    }
    if run.made >= run.correctedUntil {
      let wanted = clock.correction(beyond: run.added.seconds)
      if clock.isCorrecting {
        // Twice as far as it goes, for the next second ends with a buffer.
        let distance = 2 * output.sampleRate
        try mapErrors(.convert) { () throws(LibAVError) in
          try converter.compensate(
            Int((wanted * Double(distance)).rounded()), over: distance, of: run.layout)
        }
      }
      run.clock = clock
      run.correctedUntil = run.made + rate
    }
    self.run = run
  }

  /// Returns the samples that the converter still holds; nil where nothing was converted.
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

  /// Returns a block as a buffer, at its time in the run.
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
