import LibAV
import MediaTime

/// One track on its way through decoder, converter and encoder. Used by one thread at a time.
protocol ExportStage: AnyObject {
  /// The position that has been reached, from the start of the export.
  var position: Time { get }
  var isAtEnd: Bool { get }
  var isVideo: Bool { get }
  /// False where much time may lie between two samples.
  var isContinuous: Bool { get }
  /// False where others may be as far ahead of it as they like: nothing may come for a long time.
  var holdsOthersBack: Bool { get }
  /// The end of the samples that have been made, from the start of the export.
  var endTime: Time { get }
  /// The properties of its encoder's output; nil for a stage without an encoder of its own.
  var output: EncodedOutput? { get throws(EngineError) }
  /// Called once the header is written.
  func begin(_ writer: MovieWriter)
  /// Waits for work on other threads. The caller holds no slot of the ``WorkLimiter``.
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
  var output: EncodedOutput? { nil }
  // A stage that reads and copies has nothing to wait for.
  func prepare() throws(EngineError) {}
}

/// The properties of an encoder's output, known before the first packet.
struct EncodedOutput {
  /// The number of its stream in the file.
  let stream: Int
  /// The time base of its packets' times.
  let timeBase: TimeBase
  /// A SHA-256 of its parameter sets.
  let configuration: [UInt8]
}
