import LibAV
import MediaTime
import SystemIO

/// A part of a video track whose edges have been re-encoded, ready to be written.
struct SmartCut {
  /// An encoded picture of an edge.
  struct Sample {
    var picture: SmartCutPlan.Picture
    var bytes: [UInt8]
    var isSync: Bool
  }

  let media: StoredTrack
  let range: TrackRange
  let plan: SmartCutPlan
  /// The source's format, with the edges' parameter sets in addition to its own.
  var format: MediaFormat
  /// The parameter sets of the edges.
  var parameterSets: [[UInt8]] = []
  var head: [Sample] = []
  var tail: [Sample] = []
  /// True if the first copied picture doesn't refer to earlier ones, but its leading pictures did:
  /// it becomes a BLA picture.
  var breaksLink = false
  let framing: NALFraming

  /// Returns the samples to copy between the edges.
  func cut(_ index: SampleIndex) -> TrackCut {
    var cut = TrackCut(samples: plan.copied, start: plan.start, end: plan.end)
    cut.decodeTimes = plan.decodeTimes
    cut.boundarySample = plan.boundarySample
    if let first = plan.copied.first { cut.leavesOutBefore = index.samples[first].pts }
    if let last = plan.endOfCopy(index) {
      cut.lastShown = last.sample
      cut.lastEnd = last.end
    }
    return cut
  }

  /// Edits the first copied sample for the join.
  func editJoin(_ packet: inout Packet) throws(EngineError) {
    guard breaksLink, let units = framing.split(packet.bytes),
      let bytes = framing.join(units.map(NALUnitTypes.brokenLinkAccess))
    else { return }
    try mapErrors(.write, path: media.path) { () throws(LibAVError) in
      try packet.replaceBytes(bytes)
    }
  }

  /// Returns a packet of an edge, in the track's ticks.
  static func packet(_ sample: Sample) throws(EngineError) -> Packet {
    let packet = try mapErrors(.write) { () throws(LibAVError) in try Packet(sample.bytes) }
    packet.setKey(sample.isSync)
    packet.pts = sample.picture.time
    packet.dts = sample.picture.decodeTime
    packet.duration = max(0, sample.picture.end &- sample.picture.time)
    return packet
  }
}

/// The track of a smart cut in a file: head, copied samples, tail.
final class SmartTrack: PacketStream {
  let timeBase: TimeBase
  private let cut: SmartCut
  private let offset: Int64
  private let copy: CopiedTrack?
  private var head: Int = 0
  private var tail: Int = 0
  private var isFirstCopy = true
  private let packet: Handoff<Packet>

  init(_ cut: SmartCut, interrupt: Interrupt) throws(EngineError) {
    self.cut = cut
    packet = try mapErrors(.read) { () throws(LibAVError) in Handoff(try Packet()) }
    timeBase = cut.media.stream.timeBase
    offset = cut.plan.start
    let index = try cut.media.index(interrupt: interrupt)
    copy =
      cut.plan.copied.isEmpty
      ? nil
      : try CopiedTrack(
        cut.media, range: cut.range, to: nil, cut: cut.cut(index),
        interrupt: interrupt)
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Handoff<Packet>> {
    if head < cut.head.count {
      head += 1
      return .element(try packet(of: cut.head[head - 1]))
    }
    if let copied = try copy?.nextPacket() {
      if isFirstCopy { try cut.editJoin(&copied.value) }
      isFirstCopy = false
      return .element(copied)
    }
    guard tail < cut.tail.count else { return .end }
    tail += 1
    return .element(try packet(of: cut.tail[tail - 1]))
  }

  private func packet(of sample: SmartCut.Sample) throws(EngineError) -> Handoff<Packet> {
    packet.value = try SmartCut.packet(sample)
    packet.value.pts = packet.value.pts.map { $0 &- offset }
    packet.value.dts = packet.value.dts.map { $0 &- offset }
    return packet
  }
}
