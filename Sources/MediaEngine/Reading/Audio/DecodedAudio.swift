import LibAV
import MediaTime
import SystemIO

/// Decoded audio, cut to the range by the sample.
///
/// Every sample has a fixed place on the asset's clock, so a range has the same samples as a linear
/// read has there.
final class DecodedAudio: RestartableStream {
  private var clip: TrackClip
  private let settings: AudioSettings
  private var source: AudioReader
  /// The part of the source's frame that is still to be converted.
  private var rest: Range<Int> = 0..<0
  private var isSourceAtEnd = false
  /// The conversion of the run that is being read; nil before the first.
  private var output: Output?
  private var converter: AudioConverter
  /// The run has ended, and the resampler still holds the last of it.
  private var isFlushing = false
  /// The end of the track, where later samples of its last packet are padding.
  private let trackEnd: Time?

  /// A run in the output's terms: its samples are counted at the output's rate.
  private struct Output {
    var run: AudioReader.Run
    var layout: AudioLayout
    var isResampling: Bool
    /// The number of the next sample from the converter.
    var next: Int64
    /// The numbers that lie in the range.
    var wanted: Range<Int64>
    /// Samples of the source before this one aren't needed.
    var firstSource: Int64

    func time(of sample: Int64) -> Time {
      run.origin + Time(value: sample, timescale: Int32(clamping: layout.sampleRate))
    }
  }

  /// In samples per channel, and in bytes.
  private static let blockSize = (samples: 65536, bytes: 1 << 20)

  /// - Parameter trackEnd: when the track ends, where its container states that to the sample.
  init(
    clip: TrackClip, settings: AudioSettings, trackEnd: Time? = nil
  ) throws(EngineError) {
    var clip = clip
    if let trackEnd, trackEnd < clip.range.end {
      self.trackEnd = trackEnd
      clip.range = TimeRange(start: clip.range.start, end: max(clip.range.start, trackEnd))
    } else {
      self.trackEnd = nil
    }
    self.clip = clip
    self.settings = settings
    converter = AudioConverter(
      output: AudioLayout(format: .float, sampleRate: 48000, channels: .standard(channels: 2)))
    source = try AudioReader(clip)
    let (preroll, isResampling) = DecodedAudio.preroll(clip, settings)
    try source.begin(preroll: preroll, needsOrigin: isResampling)
  }

  /// Returns the time before the range that its resampling needs.
  private static func preroll(
    _ clip: TrackClip, _ settings: AudioSettings
  ) -> (time: Time, isResampling: Bool) {
    let begin = clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let stated = clip.stream.description(at: begin).parameters.sampleRate
    let sampleRate = settings.sampleRate ?? clip.chainFormat?.sampleRate ?? stated
    guard sampleRate != stated else { return (.zero, false) }
    return (Resampling(from: stated, to: sampleRate).preroll, true)
  }

  func restart(at time: Time) throws(EngineError) {
    clip.range = TimeRange(start: time, end: max(time, clip.range.end))
    let (preroll, isResampling) = DecodedAudio.preroll(clip, settings)
    (rest, isSourceAtEnd, isFlushing, output) = (0..<0, false, false, nil)
    try source.restart(clip.range, preroll: preroll, needsOrigin: isResampling)
  }

  /// Returns the next block.
  ///
  /// - Throws: at the end, `undecodableMediaData` where there are samples and none could be
  ///   decoded.
  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    if let buffer = try makeBuffer(allocator: demand.allocator) { return .element(buffer) }
    try source.conclude()
    return .end
  }

  var isExhausted: Bool { isSourceAtEnd || trackEnd != nil }

  private func makeBuffer(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    while try load() {
      guard let output, !output.wanted.isEmpty, output.next < output.wanted.upperBound else {
        // The run is complete; another may follow before the end of the range.
        isFlushing = false
        if rest.isEmpty ? isSourceAtEnd : !beginNextRun() { return nil }
        continue
      }
      let first = max(output.next, output.wanted.lowerBound)
      var block = try makeBlock(output.layout, upTo: output.wanted.upperBound - first, allocator)
      try fill(&block)
      let count = block.count
      if count > 0 { return buffer(block.finish(), of: output, at: first, count: count) }
    }
    return nil
  }

  /// Discards the remainder of a run that has reached the end of the range; false at the end.
  private func beginNextRun() -> Bool {
    guard let output else { return false }
    if source.run.number != output.run.number {
      beginRun()
      return true
    }
    rest = 0..<0
    return source.run.time(of: source.position) < clip.range.end
  }

  private func makeBlock(
    _ layout: AudioLayout, upTo remaining: Int64, _ allocator: any BlockAllocator
  ) throws(EngineError) -> AudioBlock {
    let size = max(1, layout.channels.channels * layout.format.bytesPerSample)
    let usual = min(DecodedAudio.blockSize.samples, max(1024, DecodedAudio.blockSize.bytes / size))
    return try mapErrors(.convert, path: clip.path) { () throws(LibAVError) in
      try AudioBlock(
        layout: layout, capacity: Int(min(Int64(usual), remaining)), allocator: allocator)
    }
  }

  private func buffer(
    _ block: Block, of output: Output, at first: Int64, count: Int
  ) -> SampleBuffer {
    SampleBuffer(
      audio: DataBuffer(block: block), count: count, at: output.time(of: first), output.layout,
      settings)
  }

  // MARK: - Decoding

  /// Makes sure that there is something to convert; false at the end.
  private func load() throws(EngineError) -> Bool {
    while !isFlushing, rest.isEmpty {
      if isSourceAtEnd { return false }
      guard try source.next() else {
        isSourceAtEnd = true
        isFlushing = output?.isResampling ?? false
        continue
      }
      rest = source.samples
      guard let output, output.run.number == source.run.number else {
        // The resampler's last samples come first.
        if let output, output.isResampling {
          isFlushing = true
        } else {
          beginRun()
        }
        continue
      }
      skipUnneeded()
    }
    return true
  }

  private func beginRun() {
    let run = source.run
    let layout = layout(for: source.frame)
    let rate = layout.sampleRate
    let lower = max(0, clip.range.start.sampleNumber(from: run.origin, rate: rate))
    let upper =
      clip.range.duration.isNumeric
      ? clip.range.end.sampleNumber(from: run.origin, rate: rate) : .max
    var output = Output(
      run: run, layout: layout, isResampling: rate != run.rate, next: source.position,
      wanted: lower..<max(lower, upper), firstSource: lower)
    if output.isResampling {
      let resampling = Resampling(from: run.rate, to: rate)
      output.firstSource = resampling.start(for: lower, notBefore: source.position)
      output.next = resampling.output(for: output.firstSource)
    } else {
      output.next = max(source.position, lower)
    }
    converter = AudioConverter(output: layout)
    self.output = output
    skipUnneeded()
  }

  private func skipUnneeded() {
    guard let output else { return }
    // The position counts from the start of `samples`.
    let start = source.position - Int64(source.samples.lowerBound)
    let needed = max(0, min(output.firstSource, start + Int64(rest.upperBound)) - start)
    rest = max(rest.lowerBound, min(rest.upperBound, Int(needed)))..<rest.upperBound
  }

  private func layout(for frame: borrowing Frame) -> AudioLayout {
    let source = frame.channelLayout
    // Once it has begun, an output keeps its format, even if the source's changes; and of a chained
    // file it is that of the first link, wherever it begins.
    let first = output?.layout
    let stated = clip.chainFormat
    return AudioLayout(
      format: settings.storageFormat,
      sampleRate: first?.sampleRate ?? settings.sampleRate ?? stated?.sampleRate
        ?? frame.sampleRate,
      channels: first?.channels ?? settings.speakers
        ?? settings.channels.map { $0 == source.channels ? source : .standard(channels: $0) }
        ?? stated?.channelLayout ?? source)
  }

  // MARK: - Converting

  /// Converts until the block is full or the run ends.
  private func fill(_ block: inout AudioBlock) throws(EngineError) {
    guard let output, output.isResampling else { return try copy(to: &block) }
    try convert(&block) { converter, block throws(LibAVError) in try converter.drain(into: &block) }
    while block.room > 0 {
      if isFlushing {
        let before = self.output?.next
        try convert(&block) { converter, block throws(LibAVError) in
          try converter.flush(into: &block)
        }
        guard self.output?.next == before else { continue }
        isFlushing = false
        // A frame of the next run may be waiting already.
        if !rest.isEmpty { beginRun() }
        return
      }
      guard try load(), !isFlushing else {
        if isFlushing { continue }
        return
      }
      let range = rest
      rest = 0..<0
      try convert(&block) { converter, block throws(LibAVError) in
        try converter.convert(source.frame, range, into: &block)
      }
    }
  }

  /// Runs one step of the resampler, and leaves out samples before the range.
  private func convert(
    _ block: inout AudioBlock,
    _ step: (inout AudioConverter, inout AudioBlock) throws(LibAVError) -> Void
  ) throws(EngineError) {
    let before = block.count
    try mapErrors(.convert, path: clip.path) { () throws(LibAVError) in try step(&converter, &block)
    }
    guard let output else { return }
    let unwanted = output.wanted.lowerBound - output.next
    self.output?.next += Int64(block.count - before)
    if unwanted > 0 { block.drop(Int(min(unwanted, Int64(block.count)))) }
  }

  /// Copies whole frames, so that both sides stay aligned; a frame is split only where it alone is
  /// too long.
  private func copy(to block: inout AudioBlock) throws(EngineError) {
    let run = output?.run.number
    while block.room > 0, try load(), output?.run.number == run {
      guard block.count == 0 || rest.count <= block.room else { return }
      let count = min(rest.count, block.room)
      let range = rest.lowerBound..<rest.lowerBound + count
      try mapErrors(.convert, path: clip.path) { () throws(LibAVError) in
        try converter.convert(source.frame, range, into: &block)
      }
      rest = range.upperBound..<rest.upperBound
      output?.next += Int64(count)
    }
  }
}

extension TrackClip {
  /// The format of the first link of a chained Ogg file; nil for others.
  fileprivate var chainFormat: CodecParameters? {
    guard !stream.links.isEmpty, stream.parameters.sampleRate > 0 else { return nil }
    return stream.parameters
  }
}
