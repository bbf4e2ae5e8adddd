import LibAV
import MediaTime

/// An audio track of a transcoding export: times are counted in samples, so nothing can drift.
final class AudioStage: ExportStage {
  private let clip: TrackClip
  private let source: DecodedAudio
  private var samples: AudioQueue
  private var encoder: StageEncoder
  private let layout: AudioLayout
  private var isInputOver = false
  private(set) var isAtEnd = false
  private var hasBegun = false
  /// The next sample to encode, from the start of the export.
  private var encoded: Int64 = 0
  /// Where the range ends, in samples.
  private var limit: Int64

  init(
    clip: TrackClip, encoding: AudioEncoding, output: ExportOutput
  ) throws(EngineError) {
    self.clip = clip
    let path = clip.path
    let layout = encoding.layout
    self.layout = layout
    source = try DecodedAudio(clip: clip, layout: layout)
    samples = try naming(.encode, path: path) { () throws(LibAVError) in
      try AudioQueue(layout: layout)
    }
    let made = try naming(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(usesGlobalHeader: output.muxer.needsGlobalHeader)
    }
    encoder = try StageEncoder(
      made, describedBy: clip.stream, sideData: [], path: path, output: output)
    let length = clip.range.duration.ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .halfAwayFromZero)
    // Far below the largest number, so that nothing counted up to it can overflow.
    limit = min(length, 1 << 60)
  }

  var position: Time {
    Time(value: encoded, timescale: Int32(clamping: layout.sampleRate))
  }

  func begin(_ output: ExportOutput) { encoder.begin(output) }

  func prepare() throws(EngineError) { try source.prepare() }

  func endInput(at time: Time) {
    limit = min(limit, max(encoded, samplePosition(of: time)))
    if encoded >= limit { isInputOver = true }
  }

  func step(into target: any PacketTarget) throws(EngineError) {
    if !isInputOver, let buffer = try source.nextBuffer(allocator: HeapAllocator()) {
      try queue(buffer, target)
      try encodeFullFrames(target)
      if encoded >= limit { isInputOver = true }
      return
    }
    isInputOver = true
    try encodeFullFrames(target)
    // The last block may be short.
    let rest = min(Int64(samples.count), limit - encoded)
    if rest > 0 { try encode(Int(rest), target) }
    samples.drop(samples.count)
    isAtEnd = try !encoder.finish(into: target)
  }

  private func queue(_ buffer: SampleBuffer, _ target: any PacketTarget) throws(EngineError) {
    let first = samplePosition(of: buffer.presentationTime - clip.range.start)
    if hasBegun {
      try skipGap(before: first, target)
    } else {
      encoded = max(0, first)
      hasBegun = true
    }
    try naming(.convert, path: clip.path) { () throws(LibAVError) in
      try samples.append(buffer.data.block, count: buffer.sampleCount)
    }
  }

  /// A time in samples of the output. A file may say anything: what begins behind the end is nothing
  /// to encode.
  private func samplePosition(of time: Time) -> Int64 {
    let position = time.ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .halfAwayFromZero)
    return min(max(position, -limit), limit)
  }

  /// Keeps a pause in the file as long as it is: else all sound after it would come too early.
  ///
  /// Only the block that has begun is filled with silence; then the time stamps go on behind the
  /// pause, as the ffmpeg program has it. Less than a tenth of a second is the container's rounding.
  /// Sound that begins again before it has ended, where a clock was set back, just goes on.
  private func skipGap(before position: Int64, _ target: any PacketTarget) throws(EngineError) {
    let size = Int64(encoder.blockSize)
    let gap = position - encoded - Int64(samples.count)
    guard gap > max(size, Int64(layout.sampleRate / 10)) else { return }
    let started = Int64(samples.count) % size
    let padding = started == 0 ? 0 : min(size - started, gap)
    try naming(.convert, path: clip.path) { () throws(LibAVError) in
      try samples.appendSilence(Int(padding))
    }
    try encodeFullFrames(target)
    // What is left in the queue doesn't fit before the end, so neither does what follows.
    guard samples.count == 0 else { return }
    encoded += min(gap - padding, max(0, limit - encoded))
  }

  private func encodeFullFrames(_ target: any PacketTarget) throws(EngineError) {
    let size = encoder.blockSize
    while samples.count >= size, encoded + Int64(size) <= limit { try encode(size, target) }
  }

  private func encode(_ count: Int, _ target: any PacketTarget) throws(EngineError) {
    let block = try naming(.encode, path: clip.path) { () throws(LibAVError) in
      try samples.take(count)
    }
    block.setPTS(encoded)
    encoded += Int64(count)
    try encoder.encode(block, into: target)
  }
}
