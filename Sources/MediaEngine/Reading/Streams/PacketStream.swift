import LibAV
import MediaTime

/// The packets of one track of a file that is being written, in decode order.
///
/// A taken packet may be changed. It is valid until the next one is taken.
protocol PacketStream: MediaStream<Handoff<Packet>> {
  /// The clock of the packets' times, whose zero is the file's.
  var timeBase: TimeBase { get }
}

extension PacketStream {
  /// As ``MediaStream/nextBlocking()``. Files have packets by the hundred thousand: here the
  /// compiler knows the type of the element.
  func nextPacket() throws(EngineError) -> Handoff<Packet>? {
    while true {
      switch try take(.one) {
      case .element(let packet): return packet
      case .skipped: continue
      case .pending: waitBlocking()
      case .end: return nil
      }
    }
  }
}

extension Packet {
  /// Takes the bytes and the times of a sample as it is stored.
  ///
  /// - Parameters:
  ///   - duration: of the sample, which itself may state none.
  ///   - zero: the time that is 0 on the packet's clock.
  mutating func fill(
    with sample: SampleBuffer, lasting duration: Time, from zero: Time = .zero, in clock: TimeBase
  ) throws(LibAVError) {
    try sample.data.withBytes { bytes throws(LibAVError) in try fill(unsafe bytes.bytes) }
    func ticks(_ time: Time) -> Int64 { time.ticks(in: clock, rounding: .halfAwayFromZero) }
    pts = ticks(sample.presentationTime - zero)
    // Where it isn't known, the decoder or the muxer derives it.
    dts = sample.decodeTime.map { ticks($0 - zero) }
    self.duration = ticks(duration)
    setKey(sample.attachments.notSync != true)
  }
}
