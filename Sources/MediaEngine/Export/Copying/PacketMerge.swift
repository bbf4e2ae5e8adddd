import LibAV
import MediaTime

/// Several tracks on their way into one file, in the order of their decode times.
struct PacketMerge: ~Copyable {
  private let sources: [any PacketSource]
  private let path: String
  /// When the next packet of each source is decoded, in seconds; nil at its end.
  private var times: [Double?] = []
  private var pending: [PendingPacket] = []
  /// The time in the file up to which something is written.
  private(set) var written = Time.zero

  private final class PendingPacket {
    var packet: Packet
    init() throws(LibAVError) { packet = try Packet() }
  }

  init(_ sources: [any PacketSource], path: String) throws(EngineError) {
    self.sources = sources
    self.path = path
    for source in sources.indices {
      pending.append(try mapErrors(.read, path: path, PendingPacket.init))
      times.append(nil)
      try advance(source)
    }
  }

  /// Writes up to so many packets; false once there are no more.
  mutating func write(_ count: Int, to writer: MovieWriter) throws(EngineError) -> Bool {
    for _ in 0..<count {
      guard let source = nextSource() else { return false }
      try write(from: source, to: writer)
      try advance(source)
    }
    return true
  }

  private func nextSource() -> Int? {
    var first: Int?
    var earliest = Double.infinity
    for (source, time) in times.enumerated() {
      if let time, time < earliest {
        first = source
        earliest = time
      }
    }
    return first
  }

  private mutating func advance(_ source: Int) throws(EngineError) {
    let slot = pending[source]
    guard try sources[source].next(into: &slot.packet) else {
      times[source] = nil
      return
    }
    let ticks = slot.packet.dts ?? slot.packet.pts ?? 0
    times[source] = Double(ticks) * sources[source].timeBase.doubleValue
  }

  private mutating func write(from source: Int, to writer: MovieWriter) throws(EngineError) {
    let slot = pending[source]
    let (target, clock) = (sources[source].target, sources[source].timeBase)
    if let pts = slot.packet.pts { written = max(written, Time(ticks: pts, in: clock)) }
    slot.packet.streamIndex = target
    slot.packet.rescale(from: clock, to: writer.timeBase(of: target))
    try mapErrors(.write, path: path) { () throws(LibAVError) in
      try writer.copy(&slot.packet)
    }
  }
}
