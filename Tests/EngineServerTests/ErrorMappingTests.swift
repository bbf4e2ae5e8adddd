import EngineProtocol
import Foundation
import JSONRPC
import MediaEngine
import MediaTime
import Testing

@testable import EngineServer

@Suite struct ErrorMappingTests {
  /// The advice on settings is about formats of pixels: where there are several problems, they have what is expected.
  @Test func problemsOfSettingsAreTheAdvice() {
    var error = EngineError(.unsupportedOutputSettings, "what failed")
    #expect(ErrorObject(error).data?.advice == .listFormats)
    error.problems = [.init(path: "/video/quality", expected: "0 to 1", got: "3")]
    #expect(ErrorObject(error).data?.advice == .readProblems)
    error.advice = .chooseDevice
    #expect(ErrorObject(error).data?.advice?.name == "chooseDevice")
  }

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
    #expect(data.advice?.hint == data.hint)
    error.hint = "Do this."
    #expect(ErrorObject(error).data?.hint == "Do this.")
    // A caller's own words have no name.
    #expect(ErrorObject(error).data?.advice == nil)
    let response = responseError(error)
    #expect((response.code, response.name) == (code.rawValue, "\(code)"))
  }

  /// All advice as a caller of the protocol has it, and as a program in Swift.
  @Test(arguments: [
    (EngineError.Advice.text("Do this."), "Do this."),
    (.requestOutput, "Name a trackID or a mediaType in outputs."),
    (.startReader, "Call assetReader/start first."),
    (.requestRandomAccess, "Create it with supportsRandomAccess set to true."),
    (.readToEnd, "Pull until endOfStream is true."),
    (.readToEndBeforeReset, "Pull until endOfStream is true, then reset it."),
    (.requestDecodedAudio, "Give settings with sampleFormat."),
    (.requestAudioOrStored, "Give sampleFormat for audio, or no settings."),
    (.requestVideoOrStored, "Give pixelFormat for video, or no settings."),
    (.requestStored, "Leave settings out to read the samples as stored."),
    (.chooseTrackWithSamples, "Choose a track with samples: asset/tracks lists them."),
    (
      .useUnprotectedMedia,
      "Use a file without protection, or one of its other tracks; a reader's output without "
        + "settings gives the samples as they are stored."
    ),
    (
      .limitImageSize,
      "Set a maximumSize, or take the stored pixels: aperture mode encodedPixels."
    ),
    (
      .keepSourceColors,
      "Take the samples as they are: yuv420p10le with the dynamic range policy matchSource."
    ),
    (
      .shrinkContactSheet,
      "Ask for fewer tiles, for another number of columns, or for a smaller tileWidth; "
        + "png has no limit of width and height of its own."
    ),
    (.stateFileType(["mp4", "mkv"]), "Give outputFileType, one of: mp4, mkv."),
    (
      .chooseCompatiblePreset,
      "exportSession/compatiblePresets lists the presets that suit this asset."
    ),
    (.chooseAvailableEncoder, "engine/capabilities lists the encoders there are."),
    (
      .raiseFileLengthLimit,
      "Raise fileLengthLimit, or choose a preset with a lower data rate."
    ),
    (
      .releaseUnusedObjects,
      "Close handles that are no longer needed, or raise the process's limit."
    ),
    (
      .chooseFrame(99),
      "Its frames are numbered from 0 to 99, in the order in which they are shown."
    ),
    (
      .chooseTimeBetween(start: .zero, end: Time(value: 119, timescale: 30)),
      "It is shown from 0 s to 3.967 s."
    ),
    (
      .setTimePitchAlgorithm(["varispeed", "spectral"]),
      "Set audioTimePitchAlgorithm to 'varispeed' or 'spectral', or change the speed of that part."
    ),
    (
      .encodeOrJoinInBand,
      "Choose a preset that encodes, or joins.video \"inBand\", which not every player reads."
    ),
  ])
  func adviceIsWordedForWhomItIsGiven(_ advice: EngineError.Advice, _ wire: String) {
    let error = EngineError(.operationNotAllowed, "what failed", advice: advice)
    #expect(ErrorObject(error).data?.hint == wire)
    #expect(ErrorObject(error).data?.advice?.name == advice.name)
    let swift = advice.description
    #expect(error.hint == swift)
    #expect(swift.count > 5 && swift.hasSuffix("."))
    let named = Engine.requests.map { $0.method }.filter { swift.contains($0) }
    #expect(named.isEmpty)
  }

  /// The values in advice reach the caller with their types.
  @Test func adviceKeepsItsArguments() throws {
    let advice = EngineError.Advice.chooseTimeOfTrack(
      start: .zero, end: Time(value: 1001, timescale: 30000))
    let error = EngineError(.noImageAtTime, "what failed", advice: advice)
    let data = try #require(responseError(error).data)
    let expected: JSONValue = [
      "name": "chooseTimeOfTrack",
      "arguments": [
        "start": ["value": 0, "timescale": 1], "end": ["value": 1001, "timescale": 30000],
      ],
    ]
    #expect(data["advice"] == expected)
    let types = EngineError(
      .formatUnsupported, "what failed", advice: .stateFileType(["mp4", "mkv"]))
    #expect(
      responseError(types).data?["advice"]?["arguments"] == ["fileTypes": ["mp4", "mkv"]])
  }

  /// The engine knows no method of the protocol: the strings in its sources name none.
  @Test func theEngineNamesNoMethod() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/MediaEngine")
    let methods = Engine.requests.map { $0.method }
    #expect(methods.contains("asset/tracks"))
    // Few lines have a slash: those without one are searched for the other methods alone.
    let bare = methods.filter { !$0.contains("/") }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(paths.count > 100)
    for path in paths {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard !line.drop(while: \.isWhitespace).hasPrefix("//") else { continue }
        let named = (line.utf8.contains(UInt8(ascii: "/")) ? methods : bare).filter {
          line.contains($0)
        }
        #expect(named.isEmpty, "\(path): \(line)")
      }
    }
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
    // Neither printf's other forms, nor widths that are meaningless.
    ("%3d", 1, "%3d"), ("%-3d", 1, "%-3d"), ("%021d", 1, "%021d"), ("%0", 1, "%0"),
    ("%99999999999999999999d", 1, "%99999999999999999999d"), ("é%02dü", 5, "é05ü"),
  ])
  func onlyTheDocumentedPatternsAreReplaced(_ path: String, _ number: Int, _ expected: String) {
    #expect(numbered(path, number) == expected)
  }
}
