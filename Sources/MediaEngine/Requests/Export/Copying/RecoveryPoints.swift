import LibAV
import MediaTime
import SystemIO

/// The samples at which decoding has to begin to decode a picture correctly.
///
/// A sync sample may not be one, by its own bytes. A sync sample of H.264 that isn't an IDR picture
/// may be a recovery point from which pictures gradually become correct (gradual refresh). Decoding
/// then has to begin that number of pictures earlier.
struct RecoveryPoints: ~Copyable {
  private let media: StoredTrack
  private let framing: NALFraming
  private var reader: PacketReader?
  private let interrupt: Interrupt

  init(_ media: StoredTrack, interrupt: Interrupt) {
    self.media = media
    self.interrupt = interrupt
    framing = NALFraming(.h264, extradata: media.stream.parameters.extradata)
  }

  /// Returns the decode index to begin with for the sample at a presentation position.
  mutating func start(
    forPosition position: Int, in index: SampleIndex
  ) throws(EngineError) -> Int {
    var point = index.randomAccessPoint(forPosition: position)
    let isH264 = CodecTraits(media.stream.parameters.codecName).nalSyntax == .h264
    guard isH264 || SyncSampleCheck(media.stream.format) != nil else { return point }
    let target = index.presentation[position]
    // Each step is one group back; refreshes last a few seconds at most.
    for _ in 0..<64 where point > 0 {
      let (begin, earlier, count) = try look(at: point)
      point = begin
      // Pictures that no other refers to aren't counted: about three of four.
      guard isH264, count > 0, target - point < 4 * min(count, 65536), let earlier else { break }
      point = earlier
    }
    // The first sample of a window isn't known to be one.
    if point == 0, !index.reachesStart { throw media.outsideWindow }
    return point
  }

  /// Returns the sample at which decoding begins for a random-access point, the point before it,
  /// and the recovery_frame_cnt of its recovery point SEI; 0 if it is correct at once.
  private mutating func look(
    at point: Int
  ) throws(EngineError) -> (begin: Int, earlier: Int?, count: Int) {
    var packets =
      if let reader = reader.take() { reader } else {
        try PacketReader(media: media, interrupt: interrupt)
      }
    let begin = try packets.seek(toRandomAccessPoint: point)
    var packet = try mapErrors(.read, path: media.path, Packet.init)
    let isRead = try packets.read(into: &packet)
    let units = isRead ? framing.split(packet.bytes) ?? [] : []
    let earlier = packets.index.randomAccessPoint(before: begin)
    reader = consume packets
    return (begin, earlier, RecoveryPoints.pictures(toRecoverIn: units))
  }

  static func pictures(toRecoverIn units: [[UInt8]]) -> Int {
    for unit in units {
      guard let first = unit.first else { continue }
      // A slice: SEI messages come before it.
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
