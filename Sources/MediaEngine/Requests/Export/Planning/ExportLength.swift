import Glibc
import LibAV
import MediaTime
import SystemIO

/// The number of bytes of the file that a plan makes.
struct ExportLength {
  let range: TimeRange
  let fileType: FileType
  let interrupt: Interrupt

  init(range: TimeRange, fileType: FileType, interrupt: Interrupt) {
    self.range = range
    self.fileType = fileType
    self.interrupt = interrupt
  }

  /// - Parameters:
  ///   - metadata: the bytes of metadata.
  ///   - encodesVideo: true if video that is encoded counts.
  func bytes(
    of plan: ExportPlan, metadata: Int = 0, encodesVideo: Bool = true
  ) throws(EngineError) -> Int64 {
    var bytes = fileType.format.overhead.typicalHeader + Int64(metadata)
    for track in plan.tracks {
      switch track.treatment {
      case .dropped, .mixedInto: continue
      case .copied: bytes += try stored(track.info.requireStored())
      case .joined, .text: bytes += try stored(track.info.timeline)
      case .audio(let encoding), .mixed(let encoding, of: _):
        bytes += encoded(encoding, track.info.format)
      case .video(let encoding):
        if encodesVideo { bytes += try encoded(encoding, track.info) }
      }
    }
    return bytes
  }

  /// The part of the range, from its start on, of which the file is no longer than `limit`; one sample
  /// at the least. For plans that encode nothing.
  func range(of plan: ExportPlan, within limit: Int64) throws(EngineError) -> TimeRange {
    let copied = plan.tracks.filter(\.isCopied)
    let leading = copied.first { $0.info.mediaType == .video } ?? copied.first
    guard let media = leading?.info.timeline.stored, try bytes(of: plan) > limit else {
      return range
    }
    let index = try media.index(interrupt: interrupt)
    let order = index.presentationOrder
    let start = media.ticks(range.start, rounding: .towardPositiveInfinity)
    func end(_ position: Int) -> Time {
      min(range.end, media.time(index.samples[order[position]].end))
    }
    // The first of the leading track's samples that doesn't fit any more.
    var low = order.count(while: { index.samples[$0].end <= start })
    var high = order.count
    let first = low
    guard first < order.count else { return range }
    while low < high {
      if interrupt.isTriggered { throw .cancelled("The export") }
      let mid = (low + high) / 2
      let part = ExportLength(
        range: TimeRange(start: range.start, end: end(mid)), fileType: fileType,
        interrupt: interrupt)
      if try part.bytes(of: plan) <= limit { low = mid + 1 } else { high = mid }
    }
    return TimeRange(start: range.start, end: end(max(first, low - 1)))
  }

  private func stored(_ timeline: TrackTimeline) throws(EngineError) -> Int64 {
    var bytes: Int64 = 0
    for (number, ranges) in timeline.ranges(in: range) {
      guard let media = timeline.parts[number].source?.stored, let source = ranges.source else {
        continue
      }
      bytes += try stored(media, source)
    }
    return bytes
  }

  private func stored(_ media: StoredTrack) throws(EngineError) -> Int64 {
    try stored(media, range)
  }

  /// The samples themselves, and the container's bytes about each.
  private func stored(_ media: StoredTrack, _ range: TimeRange) throws(EngineError) -> Int64 {
    let index = try media.index(interrupt: interrupt)
    let part = TrackRange(range, of: media)
    let samples = index.decodeRange(from: part.outerStart, to: part.outerEnd)
    let sizes = index.samples[samples].reduce(Int64(0)) { $0 + Int64($1.size) }
    return sizes + Int64(samples.count) * fileType.format.overhead.typicalPerSample
  }

  private func encoded(_ encoding: AudioEncoderConfiguration, _ source: MediaFormat) -> Int64 {
    let layout = encoding.layout
    let linear =
      Double(layout.sampleRate * layout.channels.channels * encoding.bitsPerSample) / 8
    // Audio that is coded without loss retains its size from one encoder to the next.
    let lossless =
      source.parameters.isLossless && source.parameters.bitRate > 0
      ? Double(source.parameters.bitRate) / 8 : linear * (encoding.compression ?? 1)
    let rate =
      encoding.expectedBitRate.map { Double($0) / 8 }
      ?? (encoding.compression == 1 ? linear : lossless)
    let blocks =
      Double(layout.sampleRate) / 1024 * Double(fileType.format.overhead.typicalPerSample)
    return Int64(range.duration.seconds * (rate + (encoding.expectedBitRate == nil ? 0 : blocks)))
  }

  /// The bytes by the pixels and the quality, but never more than the source's own rate suggests.
  private func encoded(
    _ wanted: VideoEncoding, _ track: TrackInfo
  ) throws(EngineError) -> Int64 {
    if let rate = wanted.bitRate { return Int64(range.duration.seconds * Double(rate) / 8) }
    let source = VideoSource(track)
    let encoding = try VideoEncoderConfiguration(wanted, of: source, supportsDisplayMatrix: true)
    let frames = range.duration.seconds * encoding.frameRate.doubleValue
    let pixels = Double(encoding.width * encoding.height)
    let hasAlpha = encoding.pixelFormat.hasAlpha
    let byPixels = frames * pixels * wanted.bitsPerPixel(hasAlpha: hasAlpha) / 8
    let rate = try track.timeline.dataRate(interrupt: interrupt)
    guard rate > 0, wanted.codec.rateFactors != nil else { return Int64(byPixels) }
    let smaller = pixels / Double(max(1, source.width * source.height))
    let bySource = rate / 8 * range.duration.seconds * smaller.squareRoot()
    return Int64(min(byPixels, bySource))
  }
}

extension VideoEncoding {
  /// The bits that the encoders here spend on a pixel of ordinary video: half of them six steps on.
  fileprivate func bitsPerPixel(hasAlpha: Bool) -> Double {
    let usual = codec.usualBits
    guard let rateFactor else { return profile(hasAlpha: hasAlpha)?.bitsPerPixel ?? usual.perPixel }
    return usual.perPixel * exp2((usual.rateFactor - rateFactor) / 6)
  }
}
