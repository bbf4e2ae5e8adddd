import LibAV
import MediaTime

/// An audio track of a transcoding export: times are counted in samples, so nothing can drift.
final class AudioStage: ExportStage {
  private let clip: TrackClip
  private var reader: FrameReader
  private var converter: AudioConverter
  private var samples: AudioQueue
  private var encoder: Encoder
  private let layout: AudioLayout
  private let stream: Int
  private var targetTimeBase: TimeBase
  private var frame: Frame
  private var packet: Packet
  private(set) var isAtEnd = false
  /// Samples of the output that have been queued, from the start of the export; nil before the first.
  private var written: Int64?
  /// Samples at the start of what comes that lie before the range.
  private var toDrop: Int64 = 0
  /// The next sample to encode.
  private var encoded: Int64 = 0
  /// Where the range ends, in samples.
  private let limit: Int64

  init(
    clip: TrackClip, encoding: AudioEncoding, output: ExportOutput
  ) throws(EngineError) {
    self.clip = clip
    let path = clip.path
    let layout = encoding.layout
    self.layout = layout
    reader = try clip.makeReader(threads: 1)
    converter = AudioConverter(output: layout)
    samples = try naming(.encode, path: path) { () throws(LibAVError) in
      try AudioQueue(layout: layout)
    }
    let encoder = try naming(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(usesGlobalHeader: output.muxer.needsGlobalHeader)
    }
    stream = try naming(.write, path: path) { () throws(LibAVError) in
      try output.muxer.addStream(encoder: encoder, describedBy: clip.stream, sideData: [])
    }
    targetTimeBase = encoder.timeBase
    self.encoder = encoder
    frame = try naming(.decode, path: path, Frame.init)
    packet = try naming(.encode, path: path, Packet.init)
    let length = clip.range.duration.ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .halfAwayFromZero)
    // Far below the largest number, so that nothing counted up to it can overflow.
    limit = min(length, 1 << 60)
  }

  var position: Time {
    Time(value: encoded, timescale: Int32(clamping: layout.sampleRate))
  }

  func begin(_ output: ExportOutput) { targetTimeBase = output.muxer.timeBase(of: stream) }

  func step(_ output: ExportOutput) throws(EngineError) {
    if try reader.next(into: &frame) {
      try queue(frame, output)
    } else {
      try flushConverter()
      isAtEnd = true
    }
    if let written, written >= limit { isAtEnd = true }
    try encodeFullFrames(output)
  }

  private func queue(_ frame: borrowing Frame, _ output: ExportOutput) throws(EngineError) {
    let time = frame.pts.map(clip.time(of:))
    if written == nil {
      let first = samplePosition(of: time ?? .zero)
      toDrop = max(0, -first)
      written = max(0, first)
      encoded = max(0, first)
    } else if let time {
      try skipGap(before: samplePosition(of: time), output)
    }
    let converted = try naming(.convert, path: clip.path) { () throws(LibAVError) in
      try converter.convert(frame)
    }
    try append(converted)
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
  private func skipGap(before position: Int64, _ output: ExportOutput) throws(EngineError) {
    let size = Int64(blockSize)
    var gap = position - ((written ?? 0) - toDrop)
    guard gap > max(size, Int64(layout.sampleRate / 10)) else { return }
    let dropped = min(toDrop, gap)
    toDrop -= dropped
    gap -= dropped
    let started = Int64(samples.count) % size
    let padding = started == 0 ? 0 : min(size - started, gap)
    try naming(.convert, path: clip.path) { () throws(LibAVError) in
      try samples.appendSilence(Int(padding))
    }
    written = (written ?? 0) + padding
    try encodeFullFrames(output)
    // What is left in the queue doesn't fit before the end, so neither does what follows.
    guard samples.count == 0 else { return }
    let jump = min(gap - padding, max(0, limit - encoded))
    encoded += jump
    written = (written ?? 0) + jump
  }

  private func flushConverter() throws(EngineError) {
    let rest = try naming(.convert, path: clip.path) { () throws(LibAVError) in
      try converter.flush()
    }
    try append(rest)
  }

  /// Queues samples, without those before the range's start and after its end.
  private func append(_ converted: borrowing Frame) throws(EngineError) {
    try naming(.convert, path: clip.path) { () throws(LibAVError) in
      try samples.append(converted)
    }
    // Until enough has been dropped, the queue holds nothing else.
    let dropped = min(toDrop, Int64(converted.sampleCount))
    samples.drop(Int(dropped))
    toDrop -= dropped
    written = (written ?? 0) + Int64(converted.sampleCount) - dropped
  }

  private var blockSize: Int { encoder.frameSize > 0 ? encoder.frameSize : 1024 }

  private func encodeFullFrames(_ output: ExportOutput) throws(EngineError) {
    let size = blockSize
    while samples.count >= size, encoded + Int64(size) <= limit { try encode(size, output) }
  }

  private func encode(_ count: Int, _ output: ExportOutput) throws(EngineError) {
    try naming(.encode, path: clip.path) { () throws(LibAVError) in
      let block = try samples.take(count)
      block.setPTS(encoded)
      encoded += Int64(count)
      try encoder.send(block)
    }
    try drain(output)
  }

  func finish(_ output: ExportOutput) throws(EngineError) {
    try encodeFullFrames(output)
    // The last block may be short.
    let rest = min(Int64(samples.count), limit - encoded)
    if rest > 0 { try encode(Int(rest), output) }
    try naming(.encode, path: clip.path) { () throws(LibAVError) in try encoder.finish() }
    try drain(output)
  }

  private func drain(_ output: ExportOutput) throws(EngineError) {
    while try receive() {
      packet.streamIndex = stream
      packet.rescale(from: encoder.timeBase, to: targetTimeBase)
      try naming(.write) { () throws(LibAVError) in try output.muxer.write(&packet) }
    }
  }

  private func receive() throws(EngineError) -> Bool {
    try naming(.encode) { () throws(LibAVError) in try encoder.receive(into: &packet) }
  }
}
