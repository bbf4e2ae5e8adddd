import LibAV
import MediaTime

/// A track of an export whose samples are copied while others are encoded, or whose text becomes
/// another codec's.
///
/// What is shown before the range's start and still then begins with the range; what a part of the track shows
/// ends with the part.
final class TextStage: ExportStage {
  private let range: TimeRange
  private let codec: String?
  private var parts: ArraySlice<ReadingPart>
  private var current: OpenPart?
  private let stream: Int
  /// Times before zero are kept, for the container's edit list: a time code counts on from them.
  private let acceptsNegativeTimes: Bool
  private var targetTimeBase: TimeBase
  private var packet: Packet
  private var converted: Packet
  private(set) var isAtEnd = false
  private(set) var position = Time.zero

  /// - Parameter codec: what text becomes; nil copies the samples as they are.
  init(
    _ track: ResolvedExport.Track, _ reading: TrackReading, codec: String?, writer: MovieWriter
  ) throws(EngineError) {
    let timeline = track.info.timeline
    let path = timeline.format.path
    range = reading.range
    self.codec = codec
    parts = ReadingPart.parts(of: timeline, reading).filter { $0.source != nil }[...]
    packet = try mapErrors(.read, path: path, Packet.init)
    converted = try mapErrors(.read, path: path, Packet.init)
    let source = timeline.format.stream
    stream = try mapErrors(.write, path: path) { () throws(LibAVError) in
      guard let codec else { return try writer.addStream(copying: source, track.metadata) }
      let converter = try TextConverter(from: source, to: codec)
      return try writer.addStream(converter: converter, of: source, track.metadata)
    }
    acceptsNegativeTimes = source.kind == .data && writer.hasEditLists
    targetTimeBase = source.timeBase
  }

  func begin(_ writer: MovieWriter) { targetTimeBase = writer.timeBase(of: stream) }

  var isContinuous: Bool { false }
  private(set) var endTime = Time.zero

  func step(into target: any PacketSink) throws(EngineError) {
    guard let current else {
      guard let next = parts.popFirst() else {
        isAtEnd = true
        return
      }
      self.current = try OpenPart(next, codec: codec)
      return
    }
    guard try current.packets.read(into: &packet) else {
      self.current = nil
      return
    }
    var (start, end) = current.times(of: packet, from: range.start)
    let shown = current.part.target
    guard start < shown.end - range.start else {
      self.current = nil
      return
    }
    // One without a duration is shown until the next one.
    let first = shown.start - range.start
    guard end > first || (end == start && start >= first) else { return }
    if !acceptsNegativeTimes { start = max(first, start) }
    end = min(end, shown.end - range.start)
    let timeBase = current.timeBase
    packet.pts = start.ticks(in: timeBase, rounding: .halfAwayFromZero)
    packet.dts = packet.pts
    packet.duration = (end - start).ticks(in: timeBase, rounding: .halfAwayFromZero)
    position = max(.zero, start)
    endTime = max(endTime, end)
    try write(from: current, into: target)
  }

  private func write(
    from part: OpenPart, into target: any PacketSink
  ) throws(EngineError) {
    if codec != nil {
      guard part.convert(&packet, by: &converted) else { return }
    }
    packet.streamIndex = stream
    packet.rescale(from: part.timeBase, to: targetTimeBase)
    try mapErrors(.write) { () throws(LibAVError) in try target.put(&packet) }
  }
}

/// A part of a track of text that is being read.
private final class OpenPart {
  let part: ReadingPart
  private let clip: TrackClip
  var packets: PacketReader
  private var converter: TextConverter?

  init(_ part: ReadingPart, codec: String?) throws(EngineError) {
    guard let clip = part.source?.stored?.clip(part.reading) else {
      throw EngineError(
        .operationNotSupportedForAsset, "Text can't be taken from a source without an index")
    }
    self.part = part
    self.clip = clip
    var packets = try PacketReader(
      media: clip.media, interrupt: clip.interrupt, requiresWhole: clip.requiresWhole)
    let start = clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let first = packets.index.samples.firstIndex { $0.end > start } ?? packets.index.samples.count
    if first > 0, clip.range.start > .zero { try packets.seek(to: first) }
    self.packets = packets
    guard let codec else { return }
    converter = try mapErrors(.encode, path: clip.path) { () throws(LibAVError) in
      try TextConverter(from: clip.stream, to: codec)
    }
  }

  var timeBase: TimeBase { clip.stream.timeBase }

  /// When a packet's text is shown, from the start of the export; may be negative.
  func times(of packet: borrowing Packet, from origin: Time) -> (start: Time, end: Time) {
    let known = packets.index.sample(of: packet)
    let start = clip.media.time(packet.pts ?? known?.pts ?? packet.dts ?? 0)
    let end = start + clip.media.duration(known?.duration ?? packet.duration)
    return (part.part.targetTime(start) - origin, part.part.targetTime(end) - origin)
  }

  /// False for a damaged packet, which is passed over, as players do.
  func convert(_ packet: inout Packet, by converted: inout Packet) -> Bool {
    do throws(LibAVError) {
      guard try converter?.convert(packet, into: &converted) == true else { return false }
    } catch {
      clip.damage?.add(error, at: packet.pts)
      return false
    }
    swap(&packet, &converted)
    return true
  }
}
