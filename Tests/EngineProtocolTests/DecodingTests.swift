import EngineProtocol
import JSONRPC
import Testing

@Suite struct DecodingTests {
  @Test func anUnknownKeyIsAnsweredWithTheKnownOnes() throws {
    let found = try problems(
      of: AssetLoadValues.self, #"{"asset": "asset:1", "keys": ["duration", "colour"]}"#)
    #expect(found.map(\.path) == ["/keys/1"])
    for key in WireAssetKey.allCases {
      #expect(found.first?.expected.contains("\"\(key.rawValue)\"") == true)
    }
  }

  @Test func allProblemsAreReportedAtOnce() throws {
    let found = try problems(
      of: ImageGeneratorGenerateImages.self,
      #"""
      {"imageGenerator": 1, "times": ["soon", {"value": 1}, true], "format": "gif",
       "delivery": "mail"}
      """#)
    #expect(
      found.map(\.path) == [
        "/imageGenerator", "/times/0", "/times/1/timescale", "/times/2", "/format", "/delivery",
      ])
  }

  @Test(arguments: [
    #""mail""#, "1", "[]", #"{"path": "/a"}"#, #"{"kind": "file"}"#,
    #"{"kind": "inline", "path": "/a"}"#, #"{"kind": "shm", "path": "/a"}"#,
  ])
  func aWrongDeliveryIsRefused(_ delivery: String) throws {
    let params = #"{"output": "output:4/1", "delivery": \#(delivery)}"#
    #expect(try problems(of: AssetReaderNextSampleBuffers.self, params).count == 1)
  }

  @Test(arguments: ["{}", "[]", #""rgba""#, #"{"width": 3}"#, #"{"sampleFormat": 1}"#])
  func wrongReaderSettingsAreRefused(_ settings: String) throws {
    let found = try problems(
      of: WireReaderOutput.self, #"{"type": "track", "settings": \#(settings)}"#)
    #expect(found.count == 1)
    #expect(found.first?.path.hasPrefix("/settings") == true)
  }

  @Test func nullSettingsAreSamplesAsStored() throws {
    let json = try JSONValue(parsing: #"{"type": "track", "trackID": 1, "settings": null}"#)
    #expect(try JSONDecoding.decode(WireReaderOutput.self, from: json).settings == nil)
  }

  @Test(arguments: ["[1, 0, 0, 1, 0]", "[1, 0, 0, 1, 0, 0, 0]", "{}", #"[1, 0, 0, 1, 0, "0"]"#])
  func aWrongTransformIsRefused(_ transform: String) throws {
    #expect(try !problems(of: WireTransform.self, transform).isEmpty)
  }

  @Test(arguments: [
    "\"x\"", "2.5", "true", #"{"data": "AA==", "size": 1, "mimeType": "image/png"}"#,
  ])
  func metadataValuesKeepTheirKind(_ value: String) throws {
    #expect(try roundTrip(WireMetadataValue.self, value) == JSONValue(parsing: value).sorted)
  }

  @Test func aFactorKeepsItsKind() throws {
    func factor(_ text: String) throws -> WireFactor {
      try JSONDecoding.decode(WireFactor.self, from: JSONValue(parsing: text))
    }
    #expect(try factor("3") == .integer(3))
    #expect(try factor("-0.5") == .number(-0.5))
    #expect(try factor("4294967296") == .number(4_294_967_296))
    #expect(
      try factor(#"{"numerator": 1, "denominator": 0}"#)
        == .ratio(WireRatio(numerator: 1, denominator: 0)))
    #expect(try problems(of: WireFactor.self, "\"2\"").count == 1)
  }

  @Test func anOperationIsToldFromItsEnd() throws {
    let started = try JSONDecoding.decode(
      ExportSessionExport.Result.self, from: JSONValue(parsing: #"{"operation": "operation:1"}"#))
    guard case .started(OperationHandle(rawValue: "operation:1")) = started else {
      Issue.record("expected an operation, got \(started)")
      return
    }
    let ended = try JSONDecoding.decode(
      ExportSessionExport.Result.self, from: JSONValue(parsing: Samples.exportEnd))
    guard case .finished(let end) = ended else {
      Issue.record("expected an end, got \(ended)")
      return
    }
    #expect(end.status == .completed)
  }
}
