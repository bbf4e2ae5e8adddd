import LibAV
import MediaTime

/// Decoded sound, cut to the range by the sample.
final class DecodedAudio: SampleSequence {
  private let clip: TrackClip
  private var reader: FrameReader
  /// Made for the first frame's rate and channels, where the settings leave them open.
  private var converter: AudioConverter
  private var hasFormat = false
  private let sampleFormat: (name: String, packed: String)
  private let sampleRate: Int?
  private let channels: Int?
  private let isInterleaved: Bool
  private var frame: Frame
  private var isDrained = false
  /// Samples of the output from its first one on, and the time of that one.
  private var count: Int64 = 0
  private var origin: Time?
  /// Converted samples that no memory was free for.
  private var pending: Frame
  private var hasPending = false

  init(
    clip: TrackClip, sampleFormat: String, sampleRate: Int?, channels: Int?, isInterleaved: Bool
  ) throws(EngineError) {
    self.clip = clip
    self.sampleFormat = OutputSettings.sampleFormat(sampleFormat) ?? ("f32", "flt")
    self.sampleRate = sampleRate
    self.channels = channels
    self.isInterleaved = isInterleaved
    converter = AudioConverter(
      output: AudioLayout(format: .float, sampleRate: 48000, channels: .standard(channels: 2)))
    reader = try clip.makeReader(threads: 1)
    frame = try naming(.decode, path: clip.path, Frame.init)
    pending = try naming(.decode, path: clip.path, Frame.init)
  }

  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleStep {
    while true {
      if !hasPending {
        guard try convertNext() else { return .end }
        hasPending = true
      }
      let rate = Int32(clamping: pending.sampleRate)
      let start = (origin ?? .zero) + Time(value: count, timescale: rate)
      let kept = range(of: pending.sampleCount, from: start, rate: rate)
      let isPast = clip.range.duration.isNumeric && start >= clip.range.end
      if isPast { return .end }
      if !kept.isEmpty {
        let block = try naming(.convert, path: clip.path) { () throws(LibAVError) in
          try pending.copyAudio(kept, to: allocator, interrupt: clip.interrupt)
        }
        let first = start + Time(value: Int64(kept.lowerBound), timescale: rate)
        let buffer = makeBuffer(block, at: first, frames: kept.count)
        count += Int64(pending.sampleCount)
        hasPending = false
        return .sample(buffer)
      }
      count += Int64(pending.sampleCount)
      hasPending = false
    }
  }

  /// Which of so many samples lie within the range.
  private func range(of samples: Int, from start: Time, rate: Int32) -> Range<Int> {
    let ticks = TimeBase(1, rate)
    let lower = (clip.range.start - start).ticks(in: ticks, rounding: .towardPositiveInfinity)
    let upper =
      clip.range.duration.isNumeric
      ? (clip.range.end - start).ticks(in: ticks, rounding: .towardPositiveInfinity)
      : Int64(samples)
    let first = Int(max(0, min(Int64(samples), lower)))
    return first..<max(first, Int(max(0, min(Int64(samples), upper))))
  }

  /// Decodes and converts until there are samples; false at the end.
  private func convertNext() throws(EngineError) -> Bool {
    while !isDrained {
      let path = clip.path
      if try reader.next(into: &frame) {
        let wanted = layout(for: frame)
        if !hasFormat {
          converter = AudioConverter(output: wanted)
          hasFormat = true
        }
        resynchronise(frame.pts.map(clip.media.time), rate: wanted.sampleRate)
        pending = try naming(.convert, path: path) { () throws(LibAVError) in
          try converter.convert(frame)
        }
      } else {
        isDrained = true
        pending = try naming(.convert, path: path) { () throws(LibAVError) in
          try converter.flush()
        }
      }
      if pending.sampleCount > 0 { return true }
    }
    return false
  }

  /// Times are counted in samples; a gap or an overlap of more than a tenth of a second in the file
  /// starts the count anew.
  private func resynchronise(_ time: Time?, rate: Int) {
    guard let time else {
      origin = origin ?? .zero
      return
    }
    let timescale = Int32(clamping: rate)
    guard let known = origin else {
      origin = time
      return
    }
    let expected = known + Time(value: count, timescale: timescale)
    if (time - expected).absoluteValue > Time(value: 1, timescale: 10) {
      origin = time
      count = 0
    }
  }

  private func layout(for frame: borrowing Frame) -> AudioLayout {
    let packed = SampleFormat(name: sampleFormat.packed) ?? .float
    let source = frame.channelLayout
    return AudioLayout(
      format: isInterleaved ? packed : packed.planar, sampleRate: sampleRate ?? frame.sampleRate,
      channels: channels.map { $0 == source.channels ? source : .standard(channels: $0) } ?? source)
  }

  private func makeBuffer(_ block: Block, at time: Time, frames: Int) -> SampleBuffer {
    let rate = pending.sampleRate
    return SampleBuffer(
      presentationTime: time,
      duration: Time(value: Int64(frames), timescale: Int32(clamping: rate)), sampleCount: frames,
      attachments: SampleAttachments(), data: MediaData(block: block),
      content: .audio(
        SampleBuffer.Audio(
          sampleFormat: sampleFormat.name, sampleRate: rate, channels: pending.channelCount,
          channelLayout: pending.channelLayout.name, frames: frames, isInterleaved: isInterleaved,
          bytesPerSample: pending.sampleFormat.bytesPerSample)))
  }
}
