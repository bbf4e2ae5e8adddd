import EngineProtocol
import JSONRPC
import MediaEngine
import Testing

@testable import EngineServer

@Suite struct ErrorMappingTests {
  /// No code of the engine loses its number or its name on the way to the caller.
  @Test(arguments: EngineError.Code.allCases) func everyCodeOfTheEngineReachesTheWire(
    _ code: EngineError.Code
  ) throws {
    var error = EngineError(code, "what failed", path: "/a.mp4", stage: .read)
    error.log = (0..<9).map { "line \($0)" }
    let object = ErrorObject(error)
    #expect(object.code == code.rawValue)
    #expect(object.message == "what failed")
    let data = try #require(object.data)
    #expect(data.name == "\(code)")
    #expect(data.hint.count > 10)
    #expect((data.path, data.stage) == ("/a.mp4", "read"))
    // The last five.
    #expect(data.log == (4..<9).map { "line \($0)" })
    error.hint = "Do this."
    #expect(ErrorObject(error).data?.hint == "Do this.")
    let response = responseError(error)
    #expect((response.code, response.name) == (code.rawValue, "\(code)"))
  }

  @Test func otherErrorsAreTheServersFaultOrACancellation() {
    struct Odd: Error {}
    #expect(responseError(Odd()).code == -32603)
    #expect(responseError(CancellationError()).code == -32800)
  }
}

@Suite struct NumberedPathTests {
  @Test(arguments: [
    ("/a/i-%03d.jpg", 7, "/a/i-007.jpg"), ("%d", 0, "0"), ("%d", 12345, "12345"),
    ("%03d", 12345, "12345"), ("%01d", 3, "3"), ("a%%b", 1, "a%b"), ("%%d", 1, "%d"),
    ("%d-%02d", 4, "4-04"), ("100%", 1, "100%"), ("%", 1, "%"), ("", 1, ""), ("%x%s", 1, "%x%s"),
    // Neither printf's other forms, nor widths that nobody means.
    ("%3d", 1, "%3d"), ("%-3d", 1, "%-3d"), ("%021d", 1, "%021d"), ("%0", 1, "%0"),
    ("%99999999999999999999d", 1, "%99999999999999999999d"), ("é%02dü", 5, "é05ü"),
  ])
  func onlyTheDocumentedPatternsAreReplaced(_ path: String, _ number: Int, _ expected: String) {
    #expect(numbered(path, number) == expected)
  }
}
