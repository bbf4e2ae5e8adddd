import LibAV
import MediaTime

/// A track's samples one after the other, in one form. Used on the output's queue only.
protocol SampleSequence: AnyObject {
  /// The next sample; nil at the end of the range.
  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer?
}

/// Packets byte for byte, in decode order.
///
/// With a range, what is needed to decode it is included: from the random-access point before its start.
/// Those samples carry a trim of their whole duration.
final class StoredSamples: SampleSequence {
  private let clip: TrackClip
  private var packets: PacketReader
  private var packet: Packet
  private var remaining: Int

  init(clip: TrackClip) throws(EngineError) {
    self.clip = clip
    var packets = try PacketReader(
      source: clip.source, stream: clip.stream, interrupt: clip.interrupt)
    let index = packets.index
    func ticks(_ time: Time) -> Int64 {
      (time + clip.origin).ticks(in: clip.stream.timeBase, rounding: .towardNegativeInfinity)
    }
    let isWhole = clip.range.start <= .zero && !clip.range.duration.isNumeric
    let samples =
      isWhole
      ? 0..<index.samples.count
      : index.decodeRange(from: ticks(clip.range.start), to: ticks(clip.range.end))
    if samples.lowerBound > 0 { try packets.seek(to: samples.lowerBound) }
    remaining = samples.count
    packet = try naming(.read, path: clip.source.path, Packet.init)
    self.packets = packets
  }

  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    guard remaining > 0, try packets.read(into: &packet) else { return nil }
    remaining -= 1
    let block = try naming(.read, path: clip.source.path) { () throws(LibAVError) in
      try packet.withBytes { bytes throws(LibAVError) in
        try copy(bytes, to: allocator, interrupt: clip.interrupt)
      }
    }
    let index = packets.index
    let place = index.decodeIndex(pts: packet.pts, dts: packet.dts, position: packet.position)
    let known = place.map { index.samples[$0] }
    let start = clip.assetTime(packet.pts ?? known?.pts ?? packet.dts ?? 0)
    let duration = Time(ticks: known?.duration ?? packet.duration, in: clip.stream.timeBase)
    let trims = clip.trims(start: start, duration: duration)
    return SampleBuffer(
      presentationTime: start, decodeTime: packet.dts.map(clip.assetTime), duration: duration,
      sampleCount: 1,
      attachments: SampleAttachments(
        notSync: !packet.isKey, doNotDisplay: packet.isDiscarded,
        trimDurationAtStart: trims.start.map { min($0, duration) },
        trimDurationAtEnd: trims.end.map { min($0, duration) }),
      data: MediaData(block: block), content: .stored)
  }
}

/// Decoded pictures in presentation order: those of which a part is shown within the range.
final class DecodedPictures: SampleSequence {
  private let clip: TrackClip
  private var reader: FrameReader
  private var converter = PictureConverter()
  private let format: PixelFormat
  private let width: Int?
  private let height: Int?
  private var current: Frame
  private var ahead: Frame
  private var hasCurrent: Bool
  /// The picture that no memory was free for, converted at the next pull.
  private var isCurrentDue = false

  init(
    clip: TrackClip, pixelFormat: String, width: Int?, height: Int?
  ) throws(EngineError) {
    self.clip = clip
    guard let format = PixelFormat(name: pixelFormat) else {
      throw EngineError(
        .unsupportedOutputSettings, "This build has no pixel format '\(pixelFormat)'")
    }
    self.format = format
    self.width = width
    self.height = height
    var reader = try clip.makeReader(threads: 0)
    var current = try naming(.decode, path: clip.source.path, Frame.init)
    hasCurrent = try reader.next(into: &current)
    ahead = try naming(.decode, path: clip.source.path, Frame.init)
    self.reader = reader
    self.current = current
  }

  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    while hasCurrent {
      if !isCurrentDue { hasAhead = try reader.next(into: &ahead) }
      let start = clip.assetTime(current.pts ?? 0)
      let following = hasAhead ? ahead.pts.map(clip.assetTime) : nil
      let stated = Time(ticks: current.duration, in: clip.stream.timeBase)
      let duration = following.map { max(.zero, $0 - start) } ?? stated
      let isShown = start + duration > clip.range.start || (following == nil && duration == .zero)
      let isPast = clip.range.duration.isNumeric && start >= clip.range.end
      if isPast { return nil }
      if isShown {
        isCurrentDue = true
        let buffer = try makeBuffer(start: start, duration: duration, allocator: allocator)
        advance()
        return buffer
      }
      advance()
    }
    return nil
  }

  private var hasAhead = false

  private func advance() {
    swap(&current, &ahead)
    hasCurrent = hasAhead
    isCurrentDue = false
  }

  private func makeBuffer(
    start: Time, duration: Time, allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    let source = PictureColor(of: current)
    let isRGB = format.isRGB || format == .gray
    let color =
      isRGB
      ? PictureColor.rgb
      : PictureColor(
        matrix: source.matrix, isFullRange: source.isFullRange && !current.pixelFormat.isRGB)
    let path = clip.source.path
    let layout = try naming(.convert, path: path) { () throws(LibAVError) in
      try PictureLayout(
        width: width ?? current.width, height: height ?? current.height, format: format)
    }
    let block = try naming(.convert, path: path) { () throws(LibAVError) in
      try converter.convert(
        current, to: layout, color: color, allocator: allocator, interrupt: clip.interrupt)
    }
    var described = FormatDescription.Color(current.color)
    described.isFullRange = color.isFullRange
    if isRGB { described.matrix = nil }
    let trims = clip.trims(start: start, duration: duration)
    return SampleBuffer(
      presentationTime: start, duration: duration, sampleCount: 1,
      attachments: SampleAttachments(
        trimDurationAtStart: trims.start, trimDurationAtEnd: trims.end),
      data: MediaData(block: block),
      content: .picture(
        SampleBuffer.Picture(
          pixelFormat: format.name ?? "", width: layout.width, height: layout.height,
          planes: layout.planes.map(PicturePlane.init), color: described)))
  }
}

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
    frame = try naming(.decode, path: clip.source.path, Frame.init)
    pending = try naming(.decode, path: clip.source.path, Frame.init)
  }

  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    while true {
      if !hasPending {
        guard try convertNext() else { return nil }
        hasPending = true
      }
      let rate = Int32(clamping: pending.sampleRate)
      let start = (origin ?? .zero) + Time(value: count, timescale: rate)
      let kept = range(of: pending.sampleCount, from: start, rate: rate)
      let isPast = clip.range.duration.isNumeric && start >= clip.range.end
      if isPast { return nil }
      if !kept.isEmpty {
        let block = try naming(.convert, path: clip.source.path) { () throws(LibAVError) in
          try pending.copyAudio(kept, to: allocator, interrupt: clip.interrupt)
        }
        let first = start + Time(value: Int64(kept.lowerBound), timescale: rate)
        let buffer = makeBuffer(block, at: first, frames: kept.count)
        count += Int64(pending.sampleCount)
        hasPending = false
        return buffer
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
      let path = clip.source.path
      if try reader.next(into: &frame) {
        let wanted = layout(for: frame)
        if !hasFormat {
          converter = AudioConverter(output: wanted)
          hasFormat = true
        }
        resynchronise(frame.pts.map(clip.assetTime), rate: wanted.sampleRate)
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
