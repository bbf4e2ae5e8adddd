import LibAV
import MediaTime

/// A track whose samples are copied while others are encoded.
final class CopyStage: ExportStage {
  private let source: any PacketSource
  private var packet: Packet
  private var targetTimeBase: TimeBase
  private let path: String
  private(set) var isAtEnd = false
  private(set) var position = Time.zero
  private(set) var endTime = Time.zero

  /// What is copied in one slot of the ``WorkLimiter``.
  private static let packetsPerStep = 16

  init(_ source: any PacketSource, path: String) throws(EngineError) {
    self.source = source
    self.path = path
    packet = try mapErrors(.read, path: path, Packet.init)
    targetTimeBase = source.timeBase
  }

  func begin(_ writer: MovieWriter) { targetTimeBase = writer.timeBase(of: source.target) }

  func prepare() { source.waitBlocking() }
  var holdsOthersBack: Bool { source.holdsOthersBack }

  func step(into target: any PacketSink) throws(EngineError) {
    for _ in 0..<Self.packetsPerStep where source.isReady {
      guard try source.next(into: &packet) else {
        isAtEnd = true
        return
      }
      guard packet.size > 0 else { continue }
      let shown = packet.pts ?? packet.dts ?? 0
      position = max(position, Time(ticks: packet.dts ?? shown, in: source.timeBase))
      endTime = max(endTime, Time(ticks: shown &+ packet.duration, in: source.timeBase))
      packet.streamIndex = source.target
      packet.rescale(from: source.timeBase, to: targetTimeBase)
      try mapErrors(.write, path: path) { () throws(LibAVError) in try target.put(&packet) }
    }
  }
}
