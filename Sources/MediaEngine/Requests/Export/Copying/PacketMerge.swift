import LibAV
import MediaTime

/// Merges several tracks into one file, in the order of their decode times.
struct PacketMerge: ~Copyable {
  private let sources: [(packets: any PacketStream, target: Int)]
  private let path: String
  /// The decode time of the next packet of each source, in seconds; nil at its end.
  private var times: [Double?] = []
  private var pending: [Handoff<Packet>?] = []
  /// The time in the file up to which packets have been written.
  private(set) var written = Time.zero

  /// - Parameter sources: tracks with their streams in the file.
  init(
    _ sources: [(packets: any PacketStream, target: Int)], path: String
  ) throws(EngineError) {
    self.sources = sources
    self.path = path
    for source in sources.indices {
      pending.append(nil)
      times.append(nil)
      try advance(source)
    }
  }

  /// Writes up to `count` packets; returns false once there are no more.
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
    let packets = sources[source].packets
    pending[source] = try packets.nextPacket()
    times[source] = pending[source].map {
      Double($0.value.dts ?? $0.value.pts ?? 0) * packets.timeBase.doubleValue
    }
  }

  private mutating func write(from source: Int, to writer: MovieWriter) throws(EngineError) {
    guard let packet = pending[source] else { return }
    let (packets, target) = sources[source]
    if let pts = packet.value.pts { written = max(written, Time(ticks: pts, in: packets.timeBase)) }
    packet.value.streamIndex = target
    packet.value.rescale(from: packets.timeBase, to: writer.timeBase(of: target))
    try mapErrors(.write, path: path) { () throws(LibAVError) in
      try writer.copy(&packet.value)
    }
  }
}
