import LibAV
import MediaTime

/// One track on its way through decoder, converter and encoder. Used by one thread at a time.
protocol ExportStage: AnyObject {
  /// How far it has come, from the start of the export.
  var position: Time { get }
  var isAtEnd: Bool { get }
  var isVideo: Bool { get }
  /// False where much time may lie between two samples.
  var isContinuous: Bool { get }
  /// False where others may be as far ahead of it as they like: nothing may come for a long time.
  var holdsOthersBack: Bool { get }
  /// When what it has made ends, from the start of the export.
  var endTime: Time { get }
  /// Called once the header is written.
  func begin(_ writer: MovieWriter)
  /// Waits for what is done elsewhere. The caller holds no place of the ``WorkLimiter``.
  func prepare() throws(EngineError)
  /// Brings one piece forward, in a slot of the ``WorkLimiter``; after the last, empties the encoder
  /// piece by piece.
  func step(into target: any PacketSink) throws(EngineError)
}

extension ExportStage {
  var isVideo: Bool { false }
  var isContinuous: Bool { true }
  var holdsOthersBack: Bool { true }
  var endTime: Time { position }
  // What reads and copies has nothing to wait for.
  func prepare() throws(EngineError) {}
}

/// A stage with an encoder of its own.
protocol EncodingStage: ExportStage {
  /// What its encoder makes.
  var output: EncodedOutput { get throws(EngineError) }
}

/// What comes out of an encoder, before there is any of it.
struct EncodedOutput {
  /// The number of its stream in the file.
  let stream: Int
  /// Of its packets' times.
  let timeBase: TimeBase
  /// A SHA-256 of its parameter sets.
  let configuration: [UInt8]
}
