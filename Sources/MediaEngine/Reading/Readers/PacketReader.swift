import LibAV
import SystemIO

/// The packets of one track in decode order, from any sample of its index.
///
/// libav's seek is a hint: the position that it really reached is looked up in the index, and the
/// packets before the wanted sample are skipped.
struct PacketReader: PacketInput, ~Copyable {
  private(set) var index: SampleIndex
  private(set) var media: StoredTrack
  let interrupt: Interrupt
  private var demuxer: TrackDemuxer
  /// A packet that was read to see where a seek had landed.
  private var pending: Packet
  private var hasPending = false
  /// Decode index below which packets are skipped, after a seek that landed early.
  private var skipUntil: Int?
  /// Decode index of the next packet of the demuxer, where packets get their times from the index; nil
  /// after a seek.
  private var upcoming: Int?
  /// The maximum number of packets after a seek that are examined for a sample of the index.
  private static let packetsInDoubt = 64
  /// True for callers that must not mistake a file that is cut short for a shorter complete one.
  private let requiresWhole: Bool
  private let check: SyncSampleCheck?
  /// The checks of other sample descriptions, by their numbers.
  private let checks: [Int: SyncSampleCheck]
  /// The link of a chained Ogg file that the last packet is from, or the number of its sample description.
  private(set) var link = 0
  /// The decode index of the sample that decoding began with.
  var begin = 0

  /// - Parameter sharing: the demuxers of tracks that are read at the same time.
  init(
    media: StoredTrack, interrupt: Interrupt, requiresWhole: Bool = false,
    sharing: SharedDemuxers? = nil
  ) throws(EngineError) {
    let index = try media.index(interrupt: interrupt)
    try media.requireSamples(index, interrupt: interrupt)
    let pending = try mapErrors(.read, path: media.path, Packet.init)
    demuxer = try TrackDemuxer(
      media, sharing: sharing, requiresWhole: requiresWhole, interrupt: interrupt)
    self.index = index
    self.pending = pending
    upcoming = demuxer.isAtStart ? 0 : nil
    self.media = media
    self.interrupt = interrupt
    self.requiresWhole = requiresWhole
    check = SyncSampleCheck(media.stream.format)
    let described = media.stream.descriptionPlaces.isEmpty ? [] : media.stream.links
    checks = Dictionary(
      described.compactMap { link in SyncSampleCheck(link.stream.format).map { (link.number, $0) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  private var stream: StreamInfo { media.stream }
  var timeBase: TimeBase { stream.timeBase }
  var format: MediaFormat { stream.format }
  func format(ofLink number: Int) -> MediaFormat { stream.inLink(number).format }
  func start(ofLink number: Int) -> Int64? { stream.inLink(number).startTime }

  /// Reads the next packet of the track; false at its end.
  ///
  /// It is marked as a sync sample where the container does and its picture doesn't contradict.
  mutating func read(into packet: inout Packet) throws(EngineError) -> Bool {
    while true {
      guard try readAny(into: &packet) else { return false }
      if let wanted = skipUntil {
        let place = index.decodeIndex(pts: packet.pts, dts: packet.dts, position: packet.position)
        if let place, place < wanted { continue }
        if place == nil, precedesWindow(packet) { continue }
        skipUntil = nil
      }
      let described = stream.descriptionNumber(at: packet.position)
      link = described ?? demuxer.link
      let check = described == nil ? check : checks[link]
      if packet.isKey, check?.isPredicted(packet) == true { packet.setKey(false) }
      return true
    }
  }

  mutating func take(into packet: inout Packet) throws(EngineError) -> PacketStep {
    try read(into: &packet) ? .packet : .end
  }

  func nothingDecoded(_ refusal: LibAVError) -> EngineError {
    .nothingDecoded(of: media, "\(index.presentation.count) samples", refusal: refusal)
  }

  /// Returns true if a packet that the index doesn't know comes before those that it has.
  private func precedesWindow(_ packet: borrowing Packet) -> Bool {
    guard !index.reachesStart, let first = index.samples.first, let position = packet.position
    else { return false }
    return position < first.position
  }

  private mutating func readAny(into packet: inout Packet) throws(EngineError) -> Bool {
    if hasPending {
      hasPending = false
      swap(&packet, &pending)
      return true
    }
    while try demuxer.read(into: &packet) {
      if giveTimes(to: &packet) { return true }
    }
    if requiresWhole, demuxer.isTruncated { try media.source.reachedEarlyEnd() }
    return false
  }

  /// Gives a packet the times that the index has of it, where its own aren't when it is shown.
  ///
  /// - Returns: false for one that the index doesn't know: after a seek libavformat may begin with part of a
  ///   sample.
  private mutating func giveTimes(to packet: inout Packet) -> Bool {
    guard index.hasRestoredTimes else {
      // A guessed time can't be used to find a frame.
      if !index.isReliable, stream.kind == .video { packet.pts = nil }
      index.timeLast(&packet)
      return true
    }
    let next = upcoming.flatMap { index.isSample($0, packet) ? $0 : nil }
    guard let place = next ?? index.decodeIndex(byPlaceOf: packet) else { return false }
    upcoming = place + 1
    let sample = index.samples[place]
    packet.pts = sample.pts
    packet.dts = sample.dts
    packet.duration = sample.duration
    return true
  }

  /// Works with another part of the index from now on.
  mutating func use(_ media: StoredTrack) throws(EngineError) {
    self.media = media
    index = try media.index(interrupt: interrupt)
    if !demuxer.isAtStart { upcoming = nil }
  }

  /// Makes the random-access point at decode index `target` the next sample to be read, or an
  /// earlier one where the container marks a sample as sync that isn't one.
  ///
  /// The first such sample causes an examination of the whole track
  /// (``MediaSource/checkedIndex(of:interrupt:)``).
  /// - Returns: the decode index of the next sample.
  mutating func seek(toRandomAccessPoint target: Int) throws(EngineError) -> Int {
    // Others may have found out since.
    index = try media.index(interrupt: interrupt)
    guard check != nil, index.samples.indices.contains(target) else {
      try seek(to: target)
      return target
    }
    let known = index.samples[target].isSync ? target : index.randomAccessPoint(forSample: target)
    try seek(to: known)
    guard known > 0 || !index.reachesStart, index.samples[known].isSync else { return known }
    var packet = try mapErrors(.read, path: media.path, Packet.init)
    guard try read(into: &packet) else { return known }
    let isSync = packet.isKey
    swap(&packet, &pending)
    hasPending = true
    if isSync { return known }
    if media.window != nil { throw media.outsideWindow }
    index = try media.source.checkedIndex(of: media, interrupt: interrupt)
    let point =
      index.samples[known].isSync
      ? index.randomAccessPoint(before: known) ?? 0 : index.randomAccessPoint(forSample: known)
    try seek(to: point)
    return point
  }

  /// Makes the sample at decode index `target` the next to be read; after the last, there is none.
  mutating func seek(to target: Int) throws(EngineError) {
    var attempt = min(target, index.samples.count - 1)
    if index.hasRestoredTimes { return try seekByPlace(to: attempt, target) }
    if try seekByDecodeTime(to: attempt, target) { return }
    // Each failure goes twice as far back: a table that is wrong everywhere costs some seeks only.
    var step = 1
    while attempt > 0 || !index.reachesStart, index.isReliable {
      let sample = index.samples[attempt]
      if try landed(bySeekingTo: sample.pts, at: sample.position, notAfter: target) { return }
      if attempt == 0 { throw media.outsideWindow }
      for _ in 0..<step where attempt > 0 {
        attempt = index.randomAccessPoint(before: attempt) ?? 0
      }
      step *= 2
    }
    restart()
    skipUntil = target
  }

  /// Seeks by the sample's decode time, the key of some demuxers' seeks; false elsewhere, and where
  /// that didn't lead to it.
  private mutating func seekByDecodeTime(
    to sample: Int, _ target: Int
  ) throws(EngineError) -> Bool {
    guard sample > 0 || !index.reachesStart, index.isReliable,
      !index.samples[sample].flags.contains(.inferredDTS),
      try media.source.open(interrupt: interrupt).demuxer.randomAccess == .bisection
    else { return false }
    return try landed(bySeekingTo: index.samples[sample].dts, notAfter: target)
  }

  /// Seeks where the demuxer ignores presentation times: by decode times, or to a position in the
  /// file.
  private mutating func seekByPlace(to sample: Int, _ target: Int) throws(EngineError) {
    var attempt = sample
    var step = 1
    while attempt > 0 {
      let wanted = index.samples[attempt]
      if !wanted.flags.contains(.inferredDTS) {
        if try landed(bySeekingTo: wanted.dts, notAfter: target) { return }
      } else if wanted.position >= 0 {
        if try landed(bySeekingTo: wanted.position, isPlace: true, notAfter: target) { return }
      }
      for _ in 0..<step where attempt > 0 {
        attempt = index.randomAccessPoint(before: attempt) ?? 0
      }
      step *= 2
    }
    restart()
    skipUntil = target
  }

  /// Seeks, and examines the next packets: the first that is a whole sample of the index must be at or
  /// before `target`, which is then the next to be read.
  ///
  /// A seek in a stream that libavformat divides into samples may end in the middle of one. Up to the
  /// first header that it recognizes, its packets are pieces of samples, with times of whole ones.
  ///
  /// - Parameter position: the position of the sample at that time in the file; nil if it isn't known.
  private mutating func landed(
    bySeekingTo time: Int64, at position: Int64? = nil, isPlace: Bool = false, notAfter target: Int
  ) throws(EngineError) -> Bool {
    hasPending = false
    skipUntil = nil
    upcoming = nil
    let origin: DemuxingOrigin =
      isPlace
      ? .position(time)
      : .ticks(time, ofStream: stream.index, at: position, time: media.duration(time))
    guard try demuxer.seek(to: origin) else { return false }
    var packet = try mapErrors(.read, path: media.path, Packet.init)
    for _ in 0..<PacketReader.packetsInDoubt {
      guard try readAny(into: &packet) else { return false }
      let place = index.decodeIndex(ofWhole: packet)
      guard place != nil || precedesWindow(packet) else { continue }
      let isEarly = place.map { $0 <= target } ?? true
      swap(&packet, &pending)
      hasPending = isEarly
      skipUntil = isEarly ? target : nil
      return isEarly
    }
    return false
  }

  /// Starts over at the beginning of the file, where every demuxer is right.
  private mutating func restart() {
    skipUntil = nil
    hasPending = false
    upcoming = 0
    demuxer.restart()
  }
}

extension StoredTrack {
  /// The error of a sample that isn't found from those of a window: a larger one, or all of the
  /// index, is needed.
  var outsideWindow: EngineError {
    EngineError(
      .failedToLoadSampleData, "A part of '\(path)' can't be read from the sample before it",
      path: path, stage: .read)
  }

  /// Returns the index, after an examination of the sync sample that decoding for `time` begins
  /// with: for callers that choose the samples to copy by it.
  func index(forDecodingAt time: Int64, interrupt: Interrupt) throws(EngineError) -> SampleIndex {
    let index = try index(interrupt: interrupt)
    guard SyncSampleCheck(stream.format) != nil, !index.isEmpty else { return index }
    let point = index.randomAccessPoint(forPosition: index.position(at: time) ?? 0)
    guard point > 0 else { return index }
    var packets = try PacketReader(media: self, interrupt: interrupt)
    _ = try packets.seek(toRandomAccessPoint: point)
    return packets.index
  }
}
