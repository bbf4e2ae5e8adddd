import EngineProtocol
import JSONRPC
import MediaTime
import Testing

@testable import EngineSupervisor

struct HandleNamesTests {
  @Test func findsTheHandlesOfParams() throws {
    let params = try JSONValue(
      parsing: """
        {"assetWriter": "assetWriter:2", "pairs": [{"output": "output:4/1", "input": "input:2/1"}],
         "times": [1, 2], "metadata": [{"value": "asset:7"}], "url": "asset.mp4",         "other": "asset:1x", "kind": "gadget:1"}
        """)
    #expect(HandleNames.of(params) == ["assetWriter:2", "output:4/1", "input:2/1"])
  }

  @Test func findsTheHandlesOfAResult() {
    let text =
      #","result":{"assetReader":"assetReader:4","outputs":["output:4/1","output:4/2"],"#
      + #""n":1,"text":"at 12:30","url":"file:1","word":"asset:1x","t":"gadget:1"}}"#
    #expect(
      HandleNames.of(Array(text.utf8)[...]) == ["assetReader:4", "output:4/1", "output:4/2"])
  }

  @Test func aPartBelongsToItsObject() {
    #expect(HandleNames.owner(of: "output:4/1") == "assetReader:4")
    #expect(HandleNames.owner(of: "input:2/3") == "assetWriter:2")
    #expect(HandleNames.owner(of: "asset:1") == nil)
  }

  @Test func findsFiles() throws {
    let params = try JSONValue(
      parsing:
        #"{"url": "a.mp4", "clips": [{"url": "b.mp4"}], "metadata": {"url": "no"}, "n": [1]}"#)
    #expect(HandleNames.files(in: params) == ["a.mp4", "b.mp4"])
  }
}

struct OperationEndTests {
  private let death = ErrorObject(.workerDied, "It was ended by SIGSEGV")
  private let operation = OperationHandle(rawValue: "operation:1")

  @Test func eachImageThatIsMissingIsReported() throws {
    var request = ImageGeneratorGenerateImages(
      imageGenerator: ImageGeneratorHandle(rawValue: "imageGenerator:1"))
    request.times = [0, 1, 2].map { WireTime(Time(value: $0, timescale: 1)) }
    var reported = ReportedItems()
    reported.add(1, .succeeded)
    let end = request.end(of: operation, failedWith: death, reported: reported)
    let images = end.compactMap { $0 as? ImageGeneratorDidGenerateImage }
    #expect(images.map(\.index) == [0, 2])
    #expect(images.allSatisfy { $0.error?.code == ErrorCode.workerDied.rawValue })
    let last = try #require(end.last as? ImageGeneratorDidFinish)
    #expect((last.succeeded, last.failed, last.cancelled) == (1, 2, 0))
  }

  @Test func eachKeyHasFailed() throws {
    let request = AssetLoadValues(
      asset: AssetHandle(rawValue: "asset:1"), keys: [.duration, .tracks])
    let end = request.end(of: operation, failedWith: death, reported: ReportedItems())
    let last = try #require(end.last as? AssetDidLoadValues)
    #expect(last.values.duration?.status == .failed)
    #expect(last.values.tracks?.error?.data?.key == "tracks")
    #expect(last.values.metadata == nil)
  }

  /// What starts an operation answers with an `OperationReply`; the supervisor has to know all of them.
  @Test func noRequestIsMissing() {
    #expect(operationRequests.count == 12)
    #expect(Set(operationRequests.map { $0.method }).count == 12)
  }
}
