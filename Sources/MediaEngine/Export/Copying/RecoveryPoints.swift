import LibAV
import MediaTime

/// Where to begin to decode so that a picture is right.
///
/// A sync sample of H.264 that is no IDR picture may be a recovery point from which pictures become right
/// bit by bit (gradual refresh): then what is decoded has to begin so many pictures before.
struct RecoveryPoints: ~Copyable {
  private let media: TrackMedia
  private let framing: NALFraming
  private var reader: PacketReader?
  private let interrupt: Interrupt

  init(_ media: TrackMedia, interrupt: Interrupt) {
    self.media = media
    self.interrupt = interrupt
    framing = NALFraming(extradata: media.stream.parameters.extradata, codec: "h264")
  }

  /// The decode index to begin with for the sample at a presentation position.
  mutating func start(
    forPosition position: Int, in index: SampleIndex
  ) throws(EngineError) -> Int {
    var point = index.randomAccessPoint(forPosition: position)
    guard media.stream.parameters.codecName == "h264" else { return point }
    let target = index.presentation[position]
    // Each step is a group further back; nobody refreshes over more than some seconds.
    for _ in 0..<64 {
      let count = try pictures(toRecoverFrom: point)
      // Pictures that no other refers to aren't counted: some three of four.
      guard count > 0, target - point < 4 * min(count, 65536),
        let earlier = index.randomAccessPoint(before: point)
      else { return point }
      point = earlier
    }
    return point
  }

  /// recovery_frame_cnt of the sample's recovery point SEI; 0 where it is right at once.
  private mutating func pictures(toRecoverFrom sample: Int) throws(EngineError) -> Int {
    var packet = try naming(.read, path: media.path, Packet.init)
    if reader == nil { reader = try PacketReader(media: media, interrupt: interrupt) }
    try reader?.seek(to: sample)
    guard try reader?.read(into: &packet) == true else { return 0 }
    return RecoveryPoints.pictures(toRecoverIn: framing.split(packet.bytes) ?? [])
  }

  static func pictures(toRecoverIn units: [[UInt8]]) -> Int {
    for unit in units {
      guard let first = unit.first else { continue }
      // A slice: what is told comes before.
      if (1...5).contains(first & 0x1f) { return 0 }
      guard first & 0x1f == 6 else { continue }
      let point = supplementalMessages(unit.dropFirst()).first { $0.type == 6 }
      guard let point else { continue }
      var reader = BitReader(point.payload)
      return Int(reader.readUE() ?? 0)
    }
    return 0
  }
}
