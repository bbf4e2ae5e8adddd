import LibAV

/// The packets of one track of a file that is being written, in decode order.
///
/// A packet that is taken may be changed, and is there until the next one is taken.
protocol PacketStream: MediaStream<Handoff<Packet>> {
  /// The clock of the packets' times, whose zero is the file's.
  var timeBase: TimeBase { get }
}

extension PacketStream {
  /// As ``MediaStream/nextBlocking()``. Files have packets by the hundred thousand: here the compiler knows what is
  /// taken.
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
