import LibAV

/// The packets of one track in decode order, from any sample of its index.
///
/// libav's seek is a hint: where it really landed is looked up in the index, and what lies before the
/// wanted sample is skipped.
struct PacketReader: ~Copyable {
  let index: SampleIndex
  let media: TrackMedia
  let interrupt: Interrupt
  private var demuxer: Demuxer
  /// A packet that was read to see where a seek had landed.
  private var pending: Packet
  private var hasPending = false
  private var isAtStart = true
  /// Decode index below which packets are skipped, after a seek that landed early.
  private var skipUntil: Int?
  /// True for those who must not take a file that is cut short for a whole one that is shorter.
  private let requiresWhole: Bool

  init(
    media: TrackMedia, interrupt: Interrupt, requiresWhole: Bool = false
  ) throws(EngineError) {
    let index = try media.index(interrupt: interrupt)
    try media.requireSamples(index, interrupt: interrupt)
    let pending = try naming(.read, path: media.path, Packet.init)
    let demuxer = try PacketReader.makeDemuxer(media, interrupt)
    self.index = index
    self.pending = pending
    self.demuxer = demuxer
    self.media = media
    self.interrupt = interrupt
    self.requiresWhole = requiresWhole
  }

  var stream: StreamInfo { media.stream }
  /// The link of a chained Ogg file that the last packet is from.
  var link: Int { demuxer.link }

  /// The next packet of the track; false at its end.
  mutating func read(into packet: inout Packet) throws(EngineError) -> Bool {
    while true {
      let found = try readAny(into: &packet)
      guard found, let wanted = skipUntil else { return found }
      let place = index.decodeIndex(pts: packet.pts, dts: packet.dts, position: packet.position)
      if let place, place < wanted { continue }
      skipUntil = nil
      return true
    }
  }

  private mutating func readAny(into packet: inout Packet) throws(EngineError) -> Bool {
    if hasPending {
      hasPending = false
      swap(&packet, &pending)
      return true
    }
    isAtStart = false
    do throws(LibAVError) {
      while try demuxer.read(into: &packet) {
        if packet.streamIndex == stream.index { return true }
      }
    } catch {
      throw EngineError(error, stage: .read, path: media.path)
    }
    if requiresWhole, demuxer.isTruncated { throw .cutShort(media.path) }
    return false
  }

  /// What probing would find out is known already: of a movie whose tables tell everything, the samples
  /// need not be looked at again.
  private static func makeDemuxer(
    _ media: TrackMedia, _ interrupt: Interrupt
  ) throws(EngineError) -> Demuxer {
    let container = try media.source.open(interrupt: interrupt)
    let isTold = try media.source.payload(of: container, interrupt: interrupt) != nil
    var demuxer = try media.source.makeDemuxer(
      container.file, trustsTables: isTold, interrupt: interrupt)
    demuxer.select(streams: [media.stream.index])
    return demuxer
  }

  /// Makes the sample at decode index `target` the next to be read; behind the last, nothing is.
  mutating func seek(to target: Int) throws(EngineError) {
    var attempt = min(target, index.samples.count - 1)
    while attempt > 0, index.isReliable {
      if try landed(bySeekingTo: index.samples[attempt].pts, notAfter: target) {
        skipUntil = target
        return
      }
      guard let earlier = index.randomAccessPoint(before: attempt) else { break }
      attempt = earlier
    }
    try restart()
    skipUntil = target
  }

  /// Seeks, and looks at the next packet: the index must know it, at or before `target`.
  private mutating func landed(
    bySeekingTo time: Int64, notAfter target: Int
  ) throws(EngineError) -> Bool {
    hasPending = false
    isAtStart = false
    skipUntil = nil
    do throws(LibAVError) {
      try demuxer.seek(stream: stream.index, to: time)
    } catch {
      if error.code == .interrupted { throw EngineError(error, stage: .read, path: media.path) }
      return false
    }
    var packet = try naming(.read, path: media.path, Packet.init)
    guard try readAny(into: &packet),
      let place = index.decodeIndex(pts: packet.pts, dts: packet.dts, position: packet.position)
    else { return false }
    swap(&packet, &pending)
    hasPending = true
    return place <= target
  }

  /// Starts over at the beginning of the file, where every demuxer is right.
  private mutating func restart() throws(EngineError) {
    skipUntil = nil
    hasPending = false
    guard !isAtStart else { return }
    demuxer = try PacketReader.makeDemuxer(media, interrupt)
    isAtStart = true
  }
}
