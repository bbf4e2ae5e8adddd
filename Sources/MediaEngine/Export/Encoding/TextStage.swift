import LibAV
import MediaTime

/// A track of an export whose samples are copied while others are encoded, or whose text becomes
/// another codec's.
///
/// What is shown before the range's start and still then begins with the range.
final class TextStage: ExportStage {
  private let clip: TrackClip
  private var packets: PacketReader
  private var converter: TextConverter?
  private let stream: Int
  /// Times before zero are kept, for the container's edit list: a time code counts on from them.
  private let acceptsNegativeTimes: Bool
  private var targetTimeBase: TimeBase
  private var packet: Packet
  private var converted: Packet
  private(set) var isAtEnd = false
  private(set) var position = Time.zero

  /// - Parameter codec: what text becomes; nil copies the samples as they are.
  init(clip: TrackClip, codec: String?, output: ExportOutput) throws(EngineError) {
    self.clip = clip
    var packets = try PacketReader(
      media: clip.media, interrupt: clip.interrupt, requiresWhole: clip.requiresWhole)
    let start = clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let first = packets.index.samples.firstIndex { $0.end > start } ?? packets.index.samples.count
    if first > 0, clip.range.start > .zero { try packets.seek(to: first) }
    self.packets = packets
    packet = try mapErrors(.read, path: clip.path, Packet.init)
    converted = try mapErrors(.read, path: clip.path, Packet.init)
    if let codec {
      let made = try mapErrors(.encode, path: clip.path) { () throws(LibAVError) in
        try TextConverter(from: clip.stream, to: codec)
      }
      stream = try mapErrors(.write, path: clip.path) { () throws(LibAVError) in
        try output.muxer.addStream(converter: made, describedBy: clip.stream)
      }
      converter = consume made
    } else {
      stream = try mapErrors(.write, path: clip.path) { () throws(LibAVError) in
        try output.muxer.addStream(copying: clip.stream)
      }
    }
    acceptsNegativeTimes = clip.stream.kind == .data && output.format.capabilities.hasEditLists
    targetTimeBase = clip.stream.timeBase
  }

  func begin(_ output: ExportOutput) { targetTimeBase = output.muxer.timeBase(of: stream) }

  var isContinuous: Bool { false }
  private(set) var endTime = Time.zero

  func step(into target: any PacketSink) throws(EngineError) {
    guard try packets.read(into: &packet) else {
      isAtEnd = true
      return
    }
    let index = packets.index
    let place = index.decodeIndex(pts: packet.pts, dts: packet.dts, position: packet.position)
    let known = place.map { index.samples[$0] }
    var start = clip.time(of: packet.pts ?? known?.pts ?? packet.dts ?? 0)
    var end = start + clip.media.duration(known?.duration ?? packet.duration)
    guard start < clip.range.duration else {
      isAtEnd = true
      return
    }
    // One without a duration is shown until the next one.
    guard end > .zero || (end == start && start >= .zero) else { return }
    if !acceptsNegativeTimes { start = max(.zero, start) }
    end = min(end, clip.range.duration)
    packet.pts = start.ticks(in: clip.stream.timeBase, rounding: .halfAwayFromZero)
    packet.dts = packet.pts
    packet.duration = (end - start).ticks(in: clip.stream.timeBase, rounding: .halfAwayFromZero)
    position = max(.zero, start)
    endTime = max(endTime, end)
    try write(into: target)
  }

  private func write(into target: any PacketSink) throws(EngineError) {
    if converter != nil {
      // A damaged packet is passed over, as players do.
      do throws(LibAVError) {
        guard try converter?.convert(packet, into: &converted) == true else { return }
      } catch {
        clip.damage?.add(error, at: packet.pts)
        return
      }
      swap(&packet, &converted)
    }
    packet.streamIndex = stream
    packet.rescale(from: clip.stream.timeBase, to: targetTimeBase)
    try mapErrors(.write) { () throws(LibAVError) in try target.put(&packet) }
  }
}
