import EngineProtocol
import JSONRPC
import Testing

@testable import EngineSupervisor

struct MethodFactsTests {
  @Test func handlesAreFoundWhereTheyAreDeclared() throws {
    let params = try JSONValue(
      parsing: """
        {"assetWriter": "assetWriter:2", "pairs": [{"output": "output:4/1", "input": "input:2/1"},
         {"output": "output:4/1", "input": "input:2/2"}], "other": "asset:1"}
        """)
    #expect(
      MethodFacts(AssetWriterTransfer.self).handles(in: params)
        == ["assetWriter:2", "output:4/1", "input:2/1", "input:2/2"])
  }

  @Test func aTextThatLooksLikeAHandleIsNone() throws {
    let params = try JSONValue(
      parsing: """
        {"asset": "asset:1", "preset": "asset:2", "outputURL": "asset:3",
         "metadata": [{"identifier": "mdta/x", "value": "asset:4"}]}
        """)
    #expect(MethodFacts(ExportSessionCreate.self).handles(in: params) == ["asset:1"])
  }

  @Test func handlesAreFoundInDictionaries() throws {
    let params = try JSONValue(
      parsing: #"{"timeline": {"sources": {"s1": {"asset": "asset:1"}, "s2": {"url": "a.mp4"}}}}"#)
    let facts = MethodFacts(CompositionCreate.self)
    #expect(facts.handles(in: params) == ["asset:1"])
    #expect(facts.files(in: params) == ["a.mp4"])
  }

  @Test func filesAreThoseThatAreRead() throws {
    let opened = try JSONValue(parsing: #"{"url": "a.mp4", "options": {"url": "no"}}"#)
    #expect(MethodFacts(AssetOpen.self).files(in: opened) == ["a.mp4"])
    let assembled = try JSONValue(
      parsing: """
        {"sequence": {"clips": [{"url": "b.mp4"}, {"asset": "asset:1"}], "audio": [{"url": "c.wav"}],
         "overlays": [{"url": "d.png"}]}}
        """)
    #expect(
      Set(MethodFacts(CompositionAssemble.self).files(in: assembled)) == [
        "b.mp4", "c.wav", "d.png",
      ])
    let exported = try JSONValue(parsing: #"{"asset": "asset:1", "outputURL": "e.mp4"}"#)
    #expect(MethodFacts(ExportSessionCreate.self).files(in: exported).isEmpty)
  }

  @Test func newObjectsAreInTheOrderOfTheirDeclaration() {
    let result = #"{"outputs":["output:4/1","output:4/2"],"assetReader":"assetReader:4","n":1}"#
    let found = MethodFacts(AssetReaderCreate.self).objects(in: Array(result.utf8)[...])
    #expect(found.map(\.handle) == ["assetReader:4", "output:4/1", "output:4/2"])
    #expect(found.map(\.kind) == [.assetReader, .output, .output])
  }

  @Test func aHandleDeeperInAResultIsNoNewObject() {
    let result =
      #"{"composition":"composition:1","timeline":{"sources":{"s1":{"asset":"asset:1"}}}}"#
    let found = MethodFacts(CompositionAssemble.self).objects(in: Array(result.utf8)[...])
    #expect(found.map(\.handle) == ["composition:1"])
  }

  @Test func aNotificationHasHandlesToo() throws {
    let params = try JSONValue(parsing: #"{"resource": "resource:3", "read": 1}"#)
    let facts = MethodFacts(notification: ResourceDidRead.method)
    #expect(facts.handles(in: params) == ["resource:3"])
  }

  @Test func anUnknownMethodNamesNothing() throws {
    let params = try JSONValue(parsing: #"{"asset": "asset:1"}"#)
    #expect(MethodFacts(notification: "gadget/open").handles(in: params).isEmpty)
  }
}

struct MemberScannerTests {
  private func members(_ text: String) -> [String] {
    guard var scanner = MemberScanner(Array(text.utf8)[...]) else { return ["no object"] }
    var found: [String] = []
    while let (name, value) = scanner.next() {
      found.append(
        String(decoding: name, as: UTF8.self) + "=" + String(decoding: value, as: UTF8.self))
    }
    return found
  }

  @Test func valuesOfAllKindsArePassedOver() {
    #expect(
      members(#"{"a":1,"b":"x,}","c":{"d":[1,{"e":"]"}]},"f":[],"g":null,"h":"\"\\","i":-2}"#)
        == [
          "a=1", #"b="x,}""#, #"c={"d":[1,{"e":"]"}]}"#, "f=[]", "g=null", #"h="\"\\""#, "i=-2",
        ])
  }

  @Test(arguments: ["{}", "{", #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":"x"#, #"{"a":{"b""#, "{1}"])
  func whatIsCutShortEnds(text: String) {
    #expect(members(text).count <= 1)
  }

  @Test(arguments: ["", "[]", "1"])
  func whatIsNoObjectHasNoMembers(text: String) {
    #expect(members(text) == ["no object"])
  }

  @Test func stringsOfArrays() {
    func strings(_ text: String) -> [String] { MemberScanner.strings(in: Array(text.utf8)[...]) }
    #expect(strings(#""a""#) == ["a"])
    #expect(strings(#"["a","b"]"#) == ["a", "b"])
    #expect(strings(#"["a",1,["b"],null]"#) == ["a"])
    #expect(strings("[]").isEmpty)
    #expect(strings("[").isEmpty)
  }
}
