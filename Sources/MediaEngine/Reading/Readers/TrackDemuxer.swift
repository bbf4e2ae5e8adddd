import LibAV
import MediaTime
import SystemIO

/// The demuxer of one track: its own, or its share of one.
struct TrackDemuxer: ~Copyable {
  private let media: StoredTrack
  private let interrupt: Interrupt
  private var share: DemuxerShare?
  private let own = Handoff<OpenDemuxer?>(nil)
  private var origin = DemuxingOrigin.start
  /// The number of packets that have been delivered since the origin.
  private var delivered = 0
  /// The number of packets that the current demuxer has passed since the origin: less after a change of demuxers.
  private var passed = 0
  /// True if the demuxer isn't at the start, where the next packet is to be read unless another place is sought first.
  private var needsRestart = false
  /// True if the first packet of the file is the next one.
  private(set) var isAtStart = true
  /// True if another reader can continue with its own demuxer.
  private var isReusable = false

  init(
    _ media: StoredTrack, sharing: SharedDemuxers?, requiresWhole: Bool, interrupt: Interrupt
  ) throws(EngineError) {
    (self.media, self.interrupt) = (media, interrupt)
    share = try sharing?.share(of: media, interrupt: interrupt)
    guard share == nil else { return }
    let stream = media.stream.index
    // Others may have seen the end of the file already, which callers that require the whole must see themselves.
    if var spare = DemuxerPool.shared.take(
      of: media.source, reading: stream, requiresWhole: requiresWhole, interrupt: interrupt)
    {
      spare.demuxer.select(streams: [stream])
      needsRestart = !spare.isAtStart
      own.value = consume spare
    } else {
      try openOwn()
    }
    isReusable = try media.source.seeksByTables(interrupt: interrupt)
  }

  deinit {
    guard isReusable, !interrupt.isTriggered, let open = own.value.take(),
      open.streams != nil, !open.demuxer.isTruncated, open.demuxer.damage == nil
    else { return }
    DemuxerPool.shared.put(open, of: media.source)
  }

  /// The link of a chained Ogg file that the last packet is from.
  var link: Int { own.value?.demuxer.link ?? 0 }
  /// True if the end of the file was reached too early.
  var isTruncated: Bool { own.value?.demuxer.isTruncated ?? false }

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
      own.value = nil
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
    try openOwn()
    own.value?.isAtStart = false
    do throws(LibAVError) {
      while try own.value?.demuxer.read(into: &packet) ?? false {
        if packet.streamIndex == media.stream.index { return true }
      }
      return false
    } catch {
      isReusable = false
      throw EngineError(error, stage: .read, path: media.path)
    }
  }

  /// Opens its own demuxer, at the origin for a track that has lost its share.
  private func openOwn() throws(EngineError) {
    guard own.value == nil else { return }
    let streams: Set = [media.stream.index]
    var opened = OpenDemuxer(
      demuxer: try media.source.makeDemuxer(of: streams, interrupt: interrupt), streams: streams)
    do throws(LibAVError) {
      try origin.apply(to: &opened.demuxer, of: media.source)
    } catch {
      throw EngineError(error, stage: .read, path: media.path)
    }
    own.value = consume opened
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
    try openOwn()
    (origin, delivered, passed) = (place, 0, 0)
    own.value?.isAtStart = false
    do throws(LibAVError) {
      try own.value?.apply(place, of: media.source)
    } catch {
      isReusable = false
      if error.code == .interrupted { throw EngineError(error, stage: .read, path: media.path) }
      return false
    }
    return true
  }

  /// Continues at the beginning of the file, where every demuxer is right.
  mutating func restart() {
    guard !isAtStart else { return }
    (origin, delivered, passed) = (.start, 0, 0)
    own.value = nil
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

  /// Returns true for a movie whose tables have all samples. A seek in it depends on nothing that was read before.
  fileprivate func seeksByTables(interrupt: Interrupt) throws(EngineError) -> Bool {
    let container = try open(interrupt: interrupt)
    guard let movie = try movie(interrupt: interrupt), !movie.containsFragments else {
      return false
    }
    return try payload(of: container, interrupt: interrupt) != nil
  }
}

extension OpenDemuxer {
  fileprivate mutating func apply(
    _ place: DemuxingOrigin, of source: MediaSource
  ) throws(LibAVError) {
    try place.apply(to: &demuxer, of: source)
  }
}
