import LibAV
import MediaTime
import SystemIO

/// The demuxer of one track: its own, or its share of one.
struct TrackDemuxer: ~Copyable {
  private let media: StoredTrack
  private let interrupt: Interrupt
  private var share: DemuxerShare?
  private var own: Handoff<Demuxer>?
  private var origin = DemuxingOrigin.start
  /// The number of packets that have been delivered since the origin.
  private var delivered = 0
  /// The number of packets that the current demuxer has passed since the origin: less after a change of demuxers.
  private var passed = 0
  /// True if the demuxer isn't at the start, where the next packet is to be read unless another place is sought first.
  private var needsRestart = false
  /// True if the first packet of the file is the next one.
  private(set) var isAtStart = true

  init(
    _ media: StoredTrack, sharing: SharedDemuxers?, requiresWhole: Bool, interrupt: Interrupt
  ) throws(EngineError) {
    (self.media, self.interrupt) = (media, interrupt)
    share = try sharing?.share(of: media, interrupt: interrupt)
    guard share == nil else { return }
    // A spare one may have seen the end of the file already, which callers that require the whole must see themselves.
    if !requiresWhole,
      var spare = DemuxerPool.shared.take(of: media.source, interrupt: interrupt)
    {
      spare.demuxer.select(streams: [media.stream.index])
      needsRestart = !spare.isAtStart
      own = Handoff(spare.demuxer)
    } else {
      own = Handoff(
        try media.source.makeDemuxer(of: [media.stream.index], interrupt: interrupt))
    }
  }

  /// The link of a chained Ogg file that the last packet is from.
  var link: Int { own?.value.link ?? 0 }
  /// True if the end of the file was reached too early.
  var isTruncated: Bool { own?.value.isTruncated ?? false }

  /// Reads the next packet of the track; false at the end.
  mutating func read(into packet: inout Packet) throws(EngineError) -> Bool {
    isAtStart = false
    while try readNext(into: &packet) {
      passed += 1
      guard passed > delivered else { continue }
      delivered = passed
      return true
    }
    return false
  }

  private mutating func readNext(into packet: inout Packet) throws(EngineError) -> Bool {
    if needsRestart {
      own = nil
      if let share, try !share.seek(to: .start, interrupt: interrupt) { self.share = nil }
      needsRestart = false
    }
    while let share {
      switch try share.next(interrupt: interrupt) {
      case .packet(let next):
        swap(&packet, &next.value)
        return true
      case .end: return false
      case .left:
        self.share = share.successor()
        passed = 0
      }
    }
    let demuxer = try ownDemuxer()
    do throws(LibAVError) {
      while try demuxer.value.read(into: &packet) {
        if packet.streamIndex == media.stream.index { return true }
      }
      return false
    } catch {
      throw EngineError(error, stage: .read, path: media.path)
    }
  }

  /// Returns its own demuxer, which is opened at the origin for a track that has lost its share.
  private mutating func ownDemuxer() throws(EngineError) -> Handoff<Demuxer> {
    if let own { return own }
    let opened = Handoff(
      try media.source.makeDemuxer(of: [media.stream.index], interrupt: interrupt))
    do throws(LibAVError) {
      try origin.apply(to: &opened.value, of: media.source)
    } catch {
      throw EngineError(error, stage: .read, path: media.path)
    }
    own = opened
    return opened
  }

  /// Continues at another place, as a hint.
  ///
  /// - Returns: false if the place wasn't found.
  mutating func seek(to place: DemuxingOrigin) throws(EngineError) -> Bool {
    (isAtStart, needsRestart) = (false, false)
    if let share {
      (origin, delivered, passed) = (place, 0, 0)
      if try share.seek(to: place, interrupt: interrupt) { return true }
      self.share = nil
      origin = .start
    }
    let demuxer = try ownDemuxer()
    (origin, delivered, passed) = (place, 0, 0)
    do throws(LibAVError) {
      try place.apply(to: &demuxer.value, of: media.source)
    } catch {
      if error.code == .interrupted { throw EngineError(error, stage: .read, path: media.path) }
      return false
    }
    return true
  }

  /// Continues at the beginning of the file, where every demuxer is right.
  mutating func restart() {
    guard !isAtStart else { return }
    (origin, delivered, passed) = (.start, 0, 0)
    own = nil
    (isAtStart, needsRestart) = (true, true)
  }
}

extension MediaSource {
  /// Creates a demuxer of some streams. Facts that probing would find are known already: of a movie with complete
  /// tables, the samples need not be examined again.
  func makeDemuxer(of streams: Set<Int>, interrupt: Interrupt) throws(EngineError) -> Demuxer {
    let container = try open(interrupt: interrupt)
    let isFullyIndexed = try payload(of: container, interrupt: interrupt) != nil
    var demuxer = try makeDemuxer(
      container.file, trustsTables: isFullyIndexed,
      known: KnownStreams(container.streams, wanted: streams), interrupt: interrupt)
    demuxer.select(streams: streams)
    return demuxer
  }
}
