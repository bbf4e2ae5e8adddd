import LibAV
import MediaTime
import SystemIO

/// The packets of a track of several parts, one part after the other: only one part is open at a
/// time.
///
/// Every part's times are relative to the zero of the whole track, so that no error accumulates. A
/// gap between two parts is a gap in the time stamps.
final class JoinedTrack: PacketStream {
  let timeBase: TimeBase
  private let join: TrackJoin
  private var parts: ArraySlice<TrackJoin.Part>
  private var current: Current?
  private let interrupt: Interrupt
  private var lastDecodeTime: Int64?

  /// The part that is open.
  private struct Current {
    let part: TrackJoin.Part
    let source: any PacketStream
    /// The time by which its samples are decoded earlier than in the part itself.
    let advance: Time
    /// The edit of the samples of H.264 and HEVC; nil for none.
    let edit: SampleEdit?
  }

  /// Changes the framing of units, and the parameter sets before sync samples.
  private struct SampleEdit {
    let source: NALFraming
    let target: NALFraming
    let parameterSets: [[UInt8]]
  }

  init(_ join: TrackJoin, interrupt: Interrupt) {
    self.join = join
    self.interrupt = interrupt
    timeBase = join.timeBase
    parts = join.parts[...]
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Handoff<Packet>> {
    while true {
      guard let current else {
        guard let part = parts.popFirst() else { return .end }
        current = try open(part)
        continue
      }
      guard let packet = try current.source.nextPacket() else {
        self.current = nil
        continue
      }
      try edit(&packet.value, of: current)
      try place(&packet.value, of: current)
      return .element(packet)
    }
  }

  private func open(_ part: TrackJoin.Part) throws(EngineError) -> Current {
    let source: any PacketStream
    switch part.samples {
    case .copied(let cut):
      source = try CopiedTrack(
        part.media, range: part.range, to: nil, cut: cut, interrupt: interrupt)
    case .cut(let cut): source = try SmartTrack(cut, interrupt: interrupt)
    }
    return Current(
      part: part, source: source, advance: join.delay - part.decodeDelay, edit: sampleEdit(part))
  }

  private func sampleEdit(_ part: TrackJoin.Part) -> SampleEdit? {
    guard let target = join.framing, let own = PartCutter.framing(of: part.media.stream.format)
    else {
      return nil
    }
    var sets: [[UInt8]] = []
    if join.isInBand, let syntax = CodecTraits(part.media.stream.parameters.codecName).nalSyntax {
      sets = JoinedConfiguration.units(syntax, part.media.stream.parameters.extradata)
      if case .cut(let cut) = part.samples { sets += cut.parameterSets }
    }
    guard own != target || !sets.isEmpty else { return nil }
    return SampleEdit(source: own, target: target, parameterSets: sets)
  }

  private func edit(_ packet: inout Packet, of current: Current) throws(EngineError) {
    guard let edit = current.edit else { return }
    // A decoder that begins with a later part has no other part's parameter sets.
    let sets = packet.isKey ? edit.parameterSets : []
    guard edit.source != edit.target || !sets.isEmpty else { return }
    guard let units = edit.source.split(packet.bytes),
      let bytes = edit.target.join(NALUnitTypes.inserting(sets, into: units))
    else {
      throw EngineError(
        .invalidSourceMedia,
        "A sample of '\(current.part.media.path)' isn't framed as its configuration has it",
        path: current.part.media.path, stage: .read)
    }
    try mapErrors(.write, path: current.part.media.path) { () throws(LibAVError) in
      try packet.replaceBytes(bytes)
    }
  }

  /// Converts a packet's times from the part's clock, whose zero is the part's start, to the
  /// track's.
  private func place(_ packet: inout Packet, of current: Current) throws(EngineError) {
    let part = current.part
    let clock = current.source.timeBase
    let begin = ticks(part.target.start)
    /// Converts a time; the part's zero is its start on the track, which isn't necessarily a tick
    /// of its source.
    func place(_ own: Int64, earlier advance: Time = .zero) -> Int64 {
      let time =
        own == 0
        ? part.target.start : part.mapping.targetTime(part.media.time(part.range.start &+ own))
      return ticks(time - advance)
    }
    let shown = packet.pts ?? packet.dts ?? 0
    let pts = max(begin, place(shown))
    packet.duration = part.mapping.targetDuration(Time(ticks: packet.duration, in: clock))
      .ticks(in: timeBase, rounding: .halfAwayFromZero)
    var dts = min(pts, place(packet.dts ?? shown, earlier: current.advance))
    if let last = lastDecodeTime { dts = max(dts, last + 1) }
    guard dts <= pts else {
      throw EngineError(
        .operationNotSupportedForAsset,
        "A frame of '\(part.media.path)' would have to be decoded after it is shown",
        advice: .encode, path: part.media.path, stage: .write)
    }
    lastDecodeTime = dts
    packet.pts = pts
    packet.dts = dts
  }

  /// Returns a time of the track in the file's ticks.
  private func ticks(_ time: Time) -> Int64 {
    (time - join.start).ticks(in: timeBase, rounding: .halfAwayFromZero)
  }
}
