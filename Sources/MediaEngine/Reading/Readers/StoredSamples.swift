import LibAV
import MediaTime
import SystemIO

/// Packets byte for byte, in decode order.
///
/// With a range, the samples that are needed to decode it are included: from the random-access
/// point before its start. Those samples carry a trim of their whole duration.
final class StoredSamples: RestartableStream {
  private var clip: TrackClip
  private var packets: PacketReader
  private var packet: Packet
  private var remaining = 0
  /// The packet that no memory was free for, copied at the next pull.
  private var isPacketDue = false
  /// All that the track's table knows.
  private let formats: [FormatDescription]
  /// Of the samples that come.
  private var format: FormatDescription?
  /// The link of a chained Ogg file, or the number of the sample description, that ``format`` is of.
  private var link = 0

  init(clip: TrackClip, formats: [FormatDescription]) throws(EngineError) {
    self.clip = clip
    self.formats = formats
    format = formats.first
    guard clip.stream.format.tiles == nil else {
      throw EngineError(
        .operationNotSupportedForAsset,
        "The picture of '\(clip.path)' is a grid of pictures, which no sample is",
        advice: .readDecoded, path: clip.path)
    }
    guard clip.stream.format.animation == nil else {
      throw EngineError(
        .operationNotSupportedForAsset,
        "The frames of '\(clip.path)' are parts of an animation's canvas, which no sample is",
        advice: .readDecoded, path: clip.path)
    }
    packets = try PacketReader(
      media: clip.media, interrupt: clip.interrupt, sharing: clip.sharing)
    packet = try mapErrors(.read, path: clip.path, Packet.init)
    try begin(isWarm: false)
  }

  func restart(at time: Time) throws(EngineError) {
    clip.range = TimeRange(start: time, end: max(time, clip.range.end))
    isPacketDue = false
    try begin(isWarm: true)
  }

  /// Goes to the first sample that the range needs.
  private func begin(isWarm: Bool) throws(EngineError) {
    let index = packets.index
    let isWhole = clip.range.start <= .zero && !clip.range.duration.isNumeric
    var samples =
      isWhole
      ? 0..<index.samples.count
      : index.decodeRange(
        from: clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity),
        to: clip.media.ticks(clip.range.end, rounding: .towardPositiveInfinity))
    if samples.lowerBound > 0 || !index.reachesStart && !samples.isEmpty {
      samples = try packets.seek(toRandomAccessPoint: samples.lowerBound)..<samples.upperBound
    } else if isWarm {
      try packets.seek(to: 0)
    }
    remaining = samples.count
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    if !isPacketDue {
      guard remaining > 0, try packets.read(into: &packet) else { return .end }
      remaining -= 1
      isPacketDue = true
      if packets.link != link, let first = formats.first {
        link = packets.link
        let stream = clip.stream.inLink(link)
        let known = formats.first {
          $0.mediaSubType == stream.format.mediaSubType
            && $0.extradata == stream.parameters.extradata
        }
        format = known ?? FormatDescription(stream, mediaType: first.mediaType)
      }
      if let configuration = packet.newConfiguration { change(to: configuration) }
    }
    let block = try mapErrors(.read, path: clip.path) { () throws(SystemError) in
      try packet.withBytes { bytes throws(SystemError) in
        try demand.allocator.copy(bytes)
      }
    }
    isPacketDue = false
    let known = packets.index.sample(of: packet)
    let start = clip.media.time(packet.pts ?? known?.pts ?? packet.dts ?? 0)
    let duration = clip.media.duration(known?.duration ?? packet.duration)
    let trims = clip.range.trims(start: start, duration: duration)
    let isDisposable = known?.flags.contains(.disposable) ?? false
    return .element(
      SampleBuffer(
        presentationTime: start, decodeTime: packet.dts.map(clip.media.time), duration: duration,
        sampleCount: 1,
        attachments: SampleAttachments(
          notSync: !packet.isKey, isDependedOnByOthers: isDisposable ? false : nil,
          dependsOnOthers: packet.isKey ? false : nil, doNotDisplay: packet.isDiscarded,
          trimDurationAtStart: trims.start.map { min($0, duration) },
          trimDurationAtEnd: trims.end.map { min($0, duration) }),
        format: format, data: DataBuffer(block: block), content: .stored,
        sideData: packet.sideData))
  }

  /// Finds the description with the decoder's new configuration; where the container has no table of
  /// them, only that is known to change.
  private func change(to configuration: [UInt8]) {
    if let known = formats.first(where: { $0.extradata == configuration }) {
      format = known
    } else {
      format?.extradata = configuration
      format?.extradataSize = configuration.count
      format?.sampleDescriptionExtensions = [:]
    }
  }
}
