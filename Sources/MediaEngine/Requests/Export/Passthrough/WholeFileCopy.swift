import LibAV
import MediaTime
import SystemIO

/// Copies the packets of a whole file, in the order of the file.
struct WholeFileCopy: ~Copyable {
  /// The state of a stream that is copied.
  fileprivate struct Stream {
    let media: StoredTrack
    let target: Int
    let targetTimeBase: TimeBase
    /// The time that is subtracted from its times, in its ticks.
    var offset: Int64
    var hasBegun = false
    var described: DescribedCopy?
    var adts: ADTSCheck?
    /// The number of packets that have been read.
    var count = 0
    /// Lossless audio on a clock that is coarser than its samples.
    var lossless: LosslessAudio?
    /// The highest time stamp that was read.
    var last: Int64?
    /// The end of a video track that may end before its last frame does; nil for others.
    var end: Int64?
    /// The samples of a video track with edits, the last of which may be shown longer than it is.
    var edited: SampleIndex?
  }

  /// The times of lossless audio by the count of its samples.
  fileprivate struct LosslessAudio {
    let index: SampleIndex
    let packets: PacketCount?
    /// The number of samples in its packets, and its end.
    let counted: CountedAudio?

    init(_ media: StoredTrack, interrupt: Interrupt) throws(EngineError) {
      index = try media.index(interrupt: interrupt)
      counted = try media.source.countedAudio(media.stream, interrupt: interrupt)
      packets = media.packetCount(from: 0, in: index, size: counted?.size)
    }

    /// Returns the start of a packet; nil where the container states another one.
    func time(of packet: Int) -> Time? {
      guard let packets else { return nil }
      return packets.time(of: packet, in: index).map { Time(ticks: $0, in: packets.clock) }
    }
  }

  private let source: MediaSource
  private let writer: MovieWriter
  private var demuxer: Demuxer
  private var packet: Packet
  private var streams: [Stream]
  /// The indexes in `streams`, by the numbers of the source's streams.
  private var places: [Int?]

  /// - Parameter routes: tracks of `source`.
  init(
    _ source: MediaSource, _ routes: [CopyRoute], to writer: MovieWriter
  ) throws(EngineError) {
    let interrupt = writer.destination.interrupt
    let movie = try source.movie(interrupt: interrupt)
    let hasEdits = movie.map { !$0.containsFragments } ?? false
    var streams: [Stream] = []
    var places: [Int?] = []
    for route in routes {
      let media = try route.track.stored()
      let isEdited = hasEdits && media.stream.kind == .video
      let end =
        isEdited ? try source.timeRange(of: media.stream, interrupt: interrupt).end : .invalid
      while places.count <= media.stream.index { places.append(nil) }
      places[media.stream.index] = streams.count
      streams.append(
        Stream(
          media: media, target: route.target, targetTimeBase: writer.timeBase(of: route.target),
          offset: route.track.range.start &- writer.opusDelay(of: media.stream),
          described: route.described, adts: ADTSCheck(media, in: writer.fileType),
          lossless: media.stream.needsCountedEnd
            ? try LosslessAudio(media, interrupt: interrupt) : nil,
          end: end.isNumeric ? media.ticks(end, rounding: .halfAwayFromZero) : nil,
          edited: isEdited ? try media.index(interrupt: interrupt) : nil))
    }
    var demuxer = try source.makeDemuxer(interrupt: interrupt)
    demuxer.select(streams: Set(streams.map(\.media.stream.index)))
    let packet = try mapErrors(.read, path: source.path, Packet.init)
    self.demuxer = demuxer
    self.packet = packet
    self.source = source
    self.writer = writer
    self.streams = streams
    self.places = places
  }

  /// The position of the copy, on the asset's clock; nil before the first time stamp.
  var position: Time? { streams.compactMap { stream in stream.last.map(stream.media.time) }.max() }

  /// Copies up to `count` packets; returns false once there are no more.
  mutating func write(_ count: Int) throws(EngineError) -> Bool {
    for _ in 0..<count {
      guard try read() else { return false }
      try writePacket()
    }
    return true
  }

  private mutating func read() throws(EngineError) -> Bool {
    try mapErrors(.read, path: source.path) { () throws(LibAVError) in
      try demuxer.read(into: &packet)
    }
  }

  private mutating func writePacket() throws(EngineError) {
    guard places.indices.contains(packet.streamIndex), let place = places[packet.streamIndex]
    else { return }
    guard !source.isOverlap(packet) else { return }
    try streams[place].described?.edit(&packet)
    try streams[place].adts?.check(packet)
    if !streams[place].hasBegun { streams[place].offset &+= delay(of: streams[place]) }
    streams[place].hasBegun = true
    let offset = streams[place].offset
    if let pts = packet.pts {
      streams[place].edited?.timeLast(&packet)
      // An edit list may end within a frame, for which libavformat returns the full duration.
      if let end = streams[place].end, pts < end, end &- pts < packet.duration {
        packet.duration = end &- pts
      }
      streams[place].last = max(streams[place].last ?? pts, pts)
      packet.pts = pts &- offset
    }
    packet.dts = packet.dts.map { $0 &- offset }
    packet.streamIndex = streams[place].target
    packet.rescale(from: streams[place].media.stream.timeBase, to: streams[place].targetTimeBase)
    streams[place].count(&packet)
    try mapErrors(.write, path: writer.path) { () throws(LibAVError) in try writer.copy(&packet) }
  }

  /// Returns the samples to skip before a track's first packet, which has been read, that are only
  /// in the source's tags (iTunSMPB): as negative times they become an edit list, and remain
  /// skipped.
  private func delay(of stream: Stream) -> Int64 {
    guard stream.media.stream.kind == .audio, writer.hasEditLists,
      packet.pts == stream.offset, let skipped = packet.skippedSamples?.start
    else { return 0 }
    let rate = Int32(clamping: max(1, stream.media.stream.parameters.sampleRate))
    return Time(value: Int64(skipped), timescale: rate)
      .ticks(in: stream.media.stream.timeBase, rounding: .halfAwayFromZero)
  }

  /// - Throws: an error if the file is cut short, or can't be read to its end.
  func conclude() throws(EngineError) {
    if demuxer.isTruncated { try source.reachedEarlyEnd() }
    // The index has the missing samples.
    guard demuxer.damage != nil || demuxer.isTruncated else { return }
    for stream in streams {
      _ = try stream.media.index(interrupt: writer.destination.interrupt)
    }
  }
}

extension WholeFileCopy.Stream {
  /// Sets a packet's times, which are on the clock of the file, to those that follow from the count
  /// of samples.
  fileprivate mutating func count(_ packet: inout Packet) {
    let number = count
    count += 1
    guard let lossless, let begin = lossless.time(of: number) else { return }
    let isLast = number + 1 >= lossless.index.samples.count
    let end = isLast ? lossless.counted?.end : lossless.time(of: number + 1)
    let origin = Time(ticks: offset, in: media.stream.timeBase)
    packet.pts = (begin - origin).ticks(in: targetTimeBase, rounding: .halfAwayFromZero)
    packet.dts = packet.pts
    if let end, end > begin {
      packet.duration = (end - begin).ticks(in: targetTimeBase, rounding: .halfAwayFromZero)
    }
  }
}
