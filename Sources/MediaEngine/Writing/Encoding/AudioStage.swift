import LibAV
import MediaTime
import SystemIO

/// An audio track of a transcoding export: times are counted in samples, so nothing can drift.
final class AudioStage: ExportStage {
  /// The rounding of a container's times.
  private static let rounding = Time(value: 1, timescale: 1000)

  private let path: String
  private let range: TimeRange
  private let blocks: any MediaStream<SampleBuffer>
  private var samples: AudioQueue
  private var encoder: StageEncoder
  private let layout: AudioLayout
  private let volume: Double?
  private var isInputOver = false
  private(set) var isAtEnd = false
  private var hasBegun = false
  /// The buffer that follows ``silence`` samples of silence.
  private var pending: SampleBuffer?
  private var silence: Int64 = 0
  /// The ranges of silence that were put in between others, in samples from the start of the export.
  private var inserted = RepeatedSamples()
  /// A pause before the first sample, and one between others, is left as one.
  private let (leavesFirstGap, leavesGaps): (Bool, Bool)
  /// In samples.
  private let tolerance: Int64
  /// The next sample to encode, from the start of the export.
  private var encoded: Int64 = 0
  /// The first sample that was encoded.
  private var firstEncoded: Int64?
  /// The end of the range, in samples.
  private let limit: Int64

  /// That of the times in files, some of which are far off their samples.
  static let tolerance = Time(value: 1, timescale: 10)

  /// - Parameters:
  ///   - blocks: audio of the range, in the encoder's format.
  ///   - limit: the end of the range, in samples.
  ///   - path: the path of the source, for errors.
  ///   - tolerance: the greatest deviation of a buffer's time that is no gap or overlap but the rounding of a
  ///     container.
  ///   - fillsGaps: true where silence fills the gaps after the first sample.
  init(
    _ blocks: any MediaStream<SampleBuffer>, range: TimeRange, limit: Int64,
    encoding: AudioEncoderConfiguration, _ metadata: TrackMetadata, path: String,
    writer: MovieWriter, tolerance: Time = AudioStage.tolerance, fillsGaps: Bool = false
  ) throws(EngineError) {
    self.path = path
    self.range = range
    let layout = encoding.layout
    self.layout = layout
    volume = encoding.volume
    samples = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try AudioQueue(layout: layout)
    }
    let made = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(usesGlobalHeader: writer.needsGlobalHeader)
    }
    encoder = try StageEncoder(made, metadata, path: path, writer: writer)
    let supportsGaps = writer.fileType.format.supportsGaps(encoding.codecName)
    (leavesFirstGap, leavesGaps) = (supportsGaps, supportsGaps && !fillsGaps)
    self.tolerance = tolerance.ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .towardPositiveInfinity)
    // Far below the largest number, so that nothing counted up to it can overflow.
    self.limit = min(limit, 1 << 60)
    self.blocks = blocks
  }

  var position: Time {
    Time(value: encoded, timescale: Int32(clamping: layout.sampleRate))
  }

  var sampleRate: Int { layout.sampleRate }

  /// Returns the end of the samples in a file, by the time at which its last packet ends: exact, although containers round
  /// the times of packets.
  func end(ofPackets time: Time) -> Time {
    let time = time - encoder.delay
    let first = (firstEncoded ?? 0) - Int64(encoder.initialPadding)
    let size = Int64(encoder.blockSize)
    let count = Double(samplePosition(of: time) - first) / Double(size)
    guard count >= 0 else { return time }
    let end = Time(
      value: first + Int64(count.rounded()) * size, timescale: Int32(clamping: sampleRate))
    return (end - time).absoluteValue <= Self.rounding ? end : time
  }

  var insertedSamples: Int64 { inserted.count }

  /// Returns the number of samples of silence after a time.
  func insertedSamples(after time: Time) -> Int64 {
    let start = samplePosition(of: time)
    return inserted.count(from: start)
  }

  var output: EncodedOutput? { get throws(EngineError) { try encoder.output } }

  func begin(_ writer: MovieWriter) { encoder.begin(writer) }

  func prepare() { if !isInputOver, silence == 0, pending == nil { blocks.waitBlocking() } }

  func step(into target: any PacketSink) throws(EngineError) {
    guard !isInputOver, try takeSome(target) else { return try finish(target) }
    try encodeFullFrames(target)
    if encoded >= limit { isInputOver = true }
  }

  /// Queues the next samples; returns false at the end.
  private func takeSome(_ target: any PacketSink) throws(EngineError) -> Bool {
    if silence > 0 {
      let count = min(silence, 1 << 16)
      silence -= count
      try fill(count)
    } else if let buffer = pending {
      pending = nil
      try append(buffer)
    } else {
      switch try blocks.take() {
      case .element(let buffer): try place(buffer, target)
      case .pending, .skipped: break
      case .end: return false
      }
    }
    return true
  }

  private func finish(_ target: any PacketSink) throws(EngineError) {
    isInputOver = true
    try encodeFullFrames(target)
    // The last block may be short.
    let rest = min(Int64(samples.count), limit - encoded)
    if rest > 0 { try encode(Int(rest), target) }
    samples.drop(samples.count)
    isAtEnd = try !encoder.finish(into: target)
  }

  /// Compares a buffer's time with the samples before it: a pause is filled or skipped, and an overlap is cut off.
  private func place(_ buffer: SampleBuffer, _ target: any PacketSink) throws(EngineError) {
    let first = samplePosition(of: buffer.presentationTime - range.start)
    let deviation = first - encoded - Int64(samples.count)
    let isFirst = !hasBegun
    hasBegun = true
    if deviation > (isFirst ? 0 : tolerance) {
      if !(isFirst ? leavesFirstGap : leavesGaps) {
        silence = deviation
        pending = buffer
        return
      }
      if isFirst { encoded = first } else { try skip(deviation, target) }
    }
    // Where a clock was set back, the earlier samples stay.
    let isBehind = !isFirst && deviation < -tolerance
    try append(buffer, from: isBehind ? -deviation : 0)
  }

  private func append(_ buffer: SampleBuffer, from first: Int64 = 0) throws(EngineError) {
    try mapErrors(.convert, path: path) { () throws(LibAVError) in
      try samples.append(
        buffer.data.block, from: Int(min(first, Int64(buffer.sampleCount))),
        count: buffer.sampleCount)
    }
  }

  /// Returns the position of the sample that is heard at a time, in samples of the output; the range need not begin
  /// with one. A file may state any time: a buffer that begins after the end isn't encoded.
  private func samplePosition(of time: Time) -> Int64 {
    let position = time.ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .towardNegativeInfinity)
    return min(max(position, -limit), limit)
  }

  /// Retains the length of a gap in the file: else all audio after it would come too early.
  ///
  /// The block that has begun is filled with silence, then the time stamps continue after the pause, as the
  /// ffmpeg program has it. A block of silence precedes the next samples: an encoder's delay isn't always a whole
  /// number of blocks, and the block with the samples still inside the encoder begins where they do.
  private func skip(_ gap: Int64, _ target: any PacketSink) throws(EngineError) {
    let size = Int64(encoder.blockSize)
    let started = Int64(samples.count) % size
    let leadingGap = started == 0 ? 0 : size - started
    let jump = gap - leadingGap - size
    try fill(jump > 0 ? leadingGap : gap)
    try encodeFullFrames(target)
    // The rest of the queue doesn't fit before the end, so neither do later samples.
    guard jump > 0, samples.count == 0 else { return }
    encoded += min(jump, max(0, limit - encoded))
    try fill(size)
  }

  private func fill(_ count: Int64) throws(EngineError) {
    let start = encoded + Int64(samples.count)
    inserted.append(start..<start + count)
    try mapErrors(.convert, path: path) { () throws(LibAVError) in
      try samples.appendSilence(Int(count))
    }
  }

  private func encodeFullFrames(_ target: any PacketSink) throws(EngineError) {
    let size = encoder.blockSize
    while samples.count >= size, encoded + Int64(size) <= limit { try encode(size, target) }
  }

  private func encode(_ count: Int, _ target: any PacketSink) throws(EngineError) {
    var block = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try samples.take(count)
    }
    if let volume { block.amplify(by: volume) }
    block.setPTS(encoded)
    firstEncoded = firstEncoded ?? encoded
    encoded += Int64(count)
    try encoder.encode(block, into: target)
  }
}
