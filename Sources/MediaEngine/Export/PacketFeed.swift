import LibAV
import MediaTime

/// The packets of one track of a file that is being written, in decode order.
protocol PacketFeed: AnyObject {
  /// The stream in the file.
  var target: Int { get }
  /// The clock of the packets' times, whose zero is the file's.
  var timeBase: TimeBase { get }
  /// Fetches the next packet; false at the end.
  func next(into packet: inout Packet) throws(EngineError) -> Bool
}

/// A part of a track, copied.
final class CopiedTrack: PacketFeed {
  let target: Int
  let media: TrackMedia
  let cut: TrackCut
  private let range: TimeRange
  private let hidesStart: Bool
  private var reader: PacketReader
  private var position: Int
  /// The packet has lost what lies before the range.
  private var isCutAtStart = false

  let timeBase: TimeBase
  /// The start of the range.
  private let offset: Int64

  /// - Parameter hidesStart: the file can keep samples without showing them.
  init(
    _ media: TrackMedia, range: TimeRange, hidesStart: Bool, target: Int, interrupt: Interrupt
  ) throws(EngineError) {
    let reader = try PacketReader(media: media, interrupt: interrupt, requiresWhole: true)
    let index = reader.index
    let parameters = media.stream.parameters
    let kind: TrackCut.Kind
    switch media.stream.kind {
    case .video: kind = .pictures
    case .audio:
      kind = .sound(
        TrackCut.Sound(
          preroll: { first in
            index.preroll(
              before: first, codec: parameters.codecName, clock: media.stream.timeBase)
          }, isDivisible: parameters.isPCM))
    default: kind = .other
    }
    // Sound is cut between two ticks of a container that counts packets or milliseconds.
    let isSound = media.stream.kind == .audio
    cut = TrackCut(
      index: index,
      start: media.ticks(
        range.start, rounding: isSound ? .towardNegativeInfinity : .halfAwayFromZero),
      end: media.ticks(range.end, rounding: isSound ? .towardPositiveInfinity : .halfAwayFromZero),
      hidesStart: hidesStart, kind: kind)
    let clock = TimeBase(1, Int32(clamping: max(1, parameters.sampleRate)))
    timeBase =
      isSound && media.stream.timeBase.doubleValue > clock.doubleValue
      ? clock : media.stream.timeBase
    offset = (range.start + media.origin).ticks(in: timeBase, rounding: .halfAwayFromZero)
    self.media = media
    self.range = range
    self.hidesStart = hidesStart
    self.target = target
    self.reader = reader
    position = cut.samples.lowerBound
    if !cut.samples.isEmpty { try self.reader.seek(to: cut.samples.lowerBound) }
  }

  func next(into packet: inout Packet) throws(EngineError) -> Bool {
    while position < cut.samples.upperBound {
      let isRead = try reader.read(into: &packet)
      guard isRead else { return false }
      let sample = position
      position += 1
      if let pts = packet.pts, pts < cut.leavesOutBefore { continue }
      packet.isDiscarded = false
      switch media.stream.kind {
      case .video: editPicture(&packet, sample: sample)
      case .audio: try editSound(&packet, sample: sample)
      // A time code counts on from where it begins.
      case .data where hidesStart: break
      default: editText(&packet)
      }
      guard packet.size > 0 else { continue }
      let counted = countedTime(of: sample)
      packet.rescale(from: media.stream.timeBase, to: timeBase)
      if let counted {
        packet.pts = counted
        packet.dts = counted
      }
      packet.pts = packet.pts.map { $0 &- offset }
      packet.dts = packet.dts.map { $0 &- offset }
      if isCutAtStart {
        packet.pts = 0
        packet.dts = 0
        isCutAtStart = false
      }
      return true
    }
    return false
  }

  /// When a packet of sound begins, by the count of those before it: on the feed's clock, where the
  /// container's is coarser than the samples. Nil where that doesn't agree with what the container says.
  private func countedTime(of sample: Int) -> Int64? {
    let parameters = media.stream.parameters
    guard timeBase != media.stream.timeBase, parameters.frameSize > 0,
      let first = reader.index.samples.first
    else { return nil }
    let stated = Time(ticks: reader.index.samples[sample].pts, in: media.stream.timeBase)
    let start = Time(ticks: first.pts, in: media.stream.timeBase)
      .ticks(in: timeBase, rounding: .halfAwayFromZero)
    let counted = start &+ Int64(sample) &* Int64(parameters.frameSize)
    let difference = (Time(ticks: counted, in: timeBase) - stated).absoluteValue
    return difference <= Time(ticks: 1, in: media.stream.timeBase) ? counted : nil
  }

  private func editPicture(_ packet: inout Packet, sample: Int) {
    // After a seek libavformat doesn't know the first decode times of some containers.
    packet.dts = cut.decodeTimes[sample - cut.samples.lowerBound]
    guard let pts = packet.pts else { return }
    if sample == cut.lastShown {
      // The packet may tell the distance to the next in decode order.
      packet.duration = max(0, cut.lastEnd &- max(pts, cut.start))
    }
    if sample == cut.straddler { packet.pts = cut.start }
  }

  /// What is written lies in the range, for no player seeks back to a text that began before.
  private func editText(_ packet: inout Packet) {
    guard let pts = packet.pts else { return }
    let end = packet.duration > 0 ? min(pts &+ packet.duration, cut.end) : pts
    let start = max(pts, cut.start)
    packet.pts = start
    packet.dts = packet.dts.map { max($0, cut.start) }
    if packet.duration > 0 { packet.duration = max(0, end &- start) }
  }

  private func editSound(_ packet: inout Packet, sample: Int) throws(EngineError) {
    guard let pts = packet.pts else { return }
    let parameters = media.stream.parameters
    let rate = TimeBase(1, Int32(clamping: max(1, parameters.sampleRate)))
    func samples(_ time: Time) -> Int {
      Int(clamping: time.ticks(in: rate, rounding: .halfAwayFromZero))
    }
    let start = media.time(pts)
    if let size = parameters.bytesPerSample, packet.size % size == 0 {
      let count = packet.size / size
      let front = min(count, max(0, samples(range.start - start)))
      let back = min(count - front, max(0, count - samples(range.end - start)))
      guard front > 0 || back > 0 else { return }
      packet.cut(front: front * size, back: back * size)
      packet.duration = media.ticks(count - front - back, of: rate)
      isCutAtStart = front > 0
    } else if !hidesStart {
      let skipped = packet.skippedSamples ?? (0, 0)
      let end = samples(start + media.duration(packet.duration) - range.end)
      try naming(.write, path: media.path) { () throws(LibAVError) in
        try packet.setSkippedSamples(start: 0, end: max(skipped.end, max(0, end)))
      }
    }
  }
}

extension TrackMedia {
  /// So many ticks of another clock, on this track's.
  fileprivate func ticks(_ count: Int, of clock: TimeBase) -> Int64 {
    Time(ticks: Int64(count), in: clock).ticks(in: stream.timeBase, rounding: .halfAwayFromZero)
  }
}

/// Several feeds on their way into one file, in the order of their decode times.
struct PacketMerge: ~Copyable {
  private let feeds: [any PacketFeed]
  private let path: String
  /// When the next packet of each feed is decoded, in seconds; nil at its end.
  private var times: [Double?] = []
  private var pending: [PendingPacket] = []
  /// The time in the file up to which something is written.
  private(set) var written = Time.zero
  /// Packets that are written.
  private(set) var count = 0

  private final class PendingPacket {
    var packet: Packet
    init() throws(LibAVError) { packet = try Packet() }
  }

  init(_ feeds: [any PacketFeed], path: String) throws(EngineError) {
    self.feeds = feeds
    self.path = path
    for feed in feeds.indices {
      pending.append(try naming(.read, path: path, PendingPacket.init))
      times.append(nil)
      try advance(feed)
    }
  }

  /// Writes up to so many packets; false once there are no more.
  mutating func write(_ count: Int, to output: ExportOutput) throws(EngineError) -> Bool {
    for _ in 0..<count {
      guard let feed = nextFeed() else { return false }
      try write(from: feed, to: output)
      try advance(feed)
    }
    return true
  }

  private func nextFeed() -> Int? {
    var first: Int?
    var earliest = Double.infinity
    for (feed, time) in times.enumerated() {
      if let time, time < earliest {
        first = feed
        earliest = time
      }
    }
    return first
  }

  private mutating func advance(_ feed: Int) throws(EngineError) {
    let slot = pending[feed]
    guard try feeds[feed].next(into: &slot.packet) else {
      times[feed] = nil
      return
    }
    let ticks = slot.packet.dts ?? slot.packet.pts ?? 0
    times[feed] = Double(ticks) * feeds[feed].timeBase.doubleValue
  }

  private mutating func write(from feed: Int, to output: ExportOutput) throws(EngineError) {
    let slot = pending[feed]
    let (target, clock) = (feeds[feed].target, feeds[feed].timeBase)
    if let pts = slot.packet.pts { written = max(written, Time(ticks: pts, in: clock)) }
    slot.packet.streamIndex = target
    slot.packet.rescale(from: clock, to: output.muxer.timeBase(of: target))
    try naming(.write, path: path) { () throws(LibAVError) in
      try output.muxer.write(&slot.packet)
    }
    count += 1
  }
}
