import EngineProtocol
import JSONRPC
import MediaTime
import Testing

@testable import EngineSupervisor

struct WorkerMessageTests {
  @Test func readsTheNumberOfAnAnswerAndLeavesTheRest() throws {
    let answer = Array(#"{"jsonrpc":"2.0","id":4711,"result":{"asset":"asset:1"}}"#.utf8)
    guard case .answer(4711, let rest)? = WorkerMessage(answer)?.kind else {
      Issue.record("no answer")
      return
    }
    #expect(String(decoding: rest, as: UTF8.self) == #","result":{"asset":"asset:1"}}"#)
    #expect(WorkerMessage.hasResult(rest))
    #expect(!WorkerMessage.hasResult(Array(#","error":{}}"#.utf8)[...]))
  }

  @Test func readsTheMethodOfANotification() throws {
    let text =
      #"{"jsonrpc":"2.0","method":"asset/didLoadValues","params":{"operation":"operation:5","#
      + #""index":12,"asset":"asset:1"}}"#
    let message = WorkerMessage(Array(text.utf8))
    guard case .notification("asset/didLoadValues", let params)? = message?.kind else {
      Issue.record("no notification")
      return
    }
    #expect(
      WorkerMessage.members(["index", "operation", "result"], of: params)
        == ["operation": "operation:5", "index": "12"])
  }

  @Test(arguments: ["", "{", #"{"id":1,"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":,"result":1}"#])
  func isNothingElse(text: String) {
    #expect(WorkerMessage(Array(text.utf8)) == nil)
  }

  /// The supervisor relies on how the engine's own encoder begins: the two have to agree.
  @Test func findsWhatTheEncoderWrites() throws {
    let notification = ImageGeneratorDidGenerateImage(
      operation: OperationHandle(rawValue: "operation:3"),
      imageGenerator: ImageGeneratorHandle(rawValue: "imageGenerator:1"), index: 7,
      requestedTime: WireTime(Time(value: 1, timescale: 600)), result: .failed)
    let params = try JSONEncoding.encode(notification)[...]
    #expect(
      WorkerMessage.members(["operation", "index", "result"], of: params)
        == ["operation": "operation:3", "index": "7", "result": "failed"])
  }
}
