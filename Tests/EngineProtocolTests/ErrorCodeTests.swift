import EngineProtocol
import JSONRPC
import Testing

@Suite struct ErrorCodeTests {
  @Test(arguments: ErrorCode.allCases) func everyCodeHasANameAndAHint(_ code: ErrorCode) {
    #expect(code.name.first?.isLowercase == true)
    #expect(code.name.allSatisfy { $0.isLetter })
    #expect(code.hint.count > 10)
    #expect(code.hint.hasSuffix("."))
    #expect(code.hint.first?.isUppercase == true || code.hint.contains("/"))
  }

  @Test func namesAreUnique() {
    #expect(Set(ErrorCode.allCases.map(\.name)).count == ErrorCode.allCases.count)
  }

  /// AVError's numbers, by the list of AVFoundation's header.
  @Test(arguments: [
    ("unknown", 0), ("outOfMemory", 1), ("diskFull", 7), ("exportFailed", 20),
    ("decodeFailed", 21), ("invalidSourceMedia", 22), ("fileAlreadyExists", 23),
    ("fileFormatNotRecognized", 28), ("fileFailedToParse", 29), ("contentIsProtected", 31),
    ("noImageAtTime", 32), ("decoderNotFound", 33), ("encoderNotFound", 34),
    ("operationNotSupportedForAsset", 38), ("invalidOutputURLPathExtension", 43),
    ("operationInterrupted", 47), ("undecodableMediaData", 55),
    ("unsupportedOutputSettings", 61), ("operationNotAllowed", 62), ("noSourceTrack", 69),
    ("operationNotSupportedForPreset", 71), ("operationCancelled", 78),
    ("invalidSampleCursor", 80), ("encodeFailed", 83), ("sandboxExtensionDenied", 84),
  ])
  func codesOfAVErrorHaveItsNumber(_ name: String, _ number: Int) {
    #expect(ErrorCode(rawValue: -11800 - number)?.name == name)
  }

  @Test func allOfAVErrorIsThere() {
    let numbers = ErrorCode.allCases.map { -11800 - $0.rawValue }.filter { (0...84).contains($0) }
    let missing = Set(0...84).subtracting(numbers)
    #expect(
      missing == [2, 16, 37, 45, 46, 51, 56, 57, 60, 65, 68, 70, 72, 73, 74, 77, 79, 82])
  }

  @Test func ourOwnCodesAreThoseOfTheContract() {
    let own = ErrorCode.allCases.filter { $0.rawValue > 0 }
    #expect(
      own.map(\.name) == [
        "unknownHandle", "wrongHandleKind", "valueNotLoaded", "workerDied", "leasesExhausted",
        "changeTokenExpired", "pathNotAllowed", "limitExceeded", "resourceTimedOut",
      ])
    #expect(own.map(\.rawValue) == [1001, 1002, 1003, 1004, 2001, 2002, 3001, 3002, 4001])
  }

  @Test func anErrorKeepsItsDataBothWays() throws {
    let json = try JSONValue(parsing: Samples.error)
    let object = try JSONDecoding.decode(ErrorObject.self, from: json)
    let response = RPCError(object)
    #expect(response.code == -11823)
    #expect(response.data?.sorted == json["data"]?.sorted)
    #expect(ErrorObject(response) == object)
  }

  @Test func aCodeMakesAnErrorWithNameAndHint() {
    let object = ErrorObject(.noImageAtTime, "no image at 9 s")
    #expect(object.code == -11832)
    #expect(object.data?.name == "noImageAtTime")
    #expect(object.data?.hint == ErrorCode.noImageAtTime.hint)
  }

  /// The errors that JSON-RPC itself raises have the names and codes that are documented here.
  @Test func theErrorsOfJSONRPCAreDocumented() {
    let raised = [
      RPCError.parseError("x"), .invalidRequest("x"), .methodNotFound("x", suggestion: nil),
      .invalidParams(path: "", expected: "a", got: "b"), .internalError("x"), .requestCancelled(),
    ]
    for error in raised {
      #expect(ErrorCode(rawValue: error.code)?.name == error.data?["name"]?.stringValue)
    }
  }
}
