import LibAV
import MediaTime

/// A track whose samples are copied while others are encoded.
final class CopyStage: ExportStage {
  private let source: any PacketStream
  private let target: Int
  private var targetTimeBase: TimeBase
  private let path: String
  private(set) var isAtEnd = false
  private(set) var position = Time.zero
  private(set) var endTime = Time.zero

  /// The packets that are copied in one slot of the ``WorkLimiter``.
  private static let packetsPerStep = 16

  /// - Parameters:
  ///   - target: the stream in the file.
  ///   - holdsOthersBack: false where others may be as far ahead as they like.
  init(_ source: any PacketStream, to target: Int, holdsOthersBack: Bool = true, path: String) {
    self.source = source
    self.target = target
    self.holdsOthersBack = holdsOthersBack
    self.path = path
    targetTimeBase = source.timeBase
  }

  func begin(_ writer: MovieWriter) { targetTimeBase = writer.timeBase(of: target) }

  func prepare() { source.waitBlocking() }
  let holdsOthersBack: Bool

  func step(into sink: any PacketSink) throws(EngineError) {
    for _ in 0..<Self.packetsPerStep {
      switch try source.take(.one) {
      case .element(let packet): try put(&packet.value, into: sink)
      case .skipped: continue
      case .pending: return
      case .end:
        isAtEnd = true
        return
      }
    }
  }

  private func put(
    _ packet: inout Packet, into sink: any PacketSink
  ) throws(EngineError) {
    guard packet.size > 0 else { return }
    let shown = packet.pts ?? packet.dts ?? 0
    position = max(position, Time(ticks: packet.dts ?? shown, in: source.timeBase))
    endTime = max(endTime, Time(ticks: shown &+ packet.duration, in: source.timeBase))
    packet.streamIndex = target
    packet.rescale(from: source.timeBase, to: targetTimeBase)
    try mapErrors(.write, path: path) { () throws(LibAVError) in try sink.put(&packet) }
  }
}
