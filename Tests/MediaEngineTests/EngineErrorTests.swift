import LibAV
import Testing

@testable import MediaEngine

@Suite struct EngineErrorTests {
  /// What a library's failure is called, by the stage in which it happened.
  @Test(arguments: [
    (LibAVError.Code.noEntry, EngineError.Stage.open, EngineError.Code.contentIsUnavailable),
    (.accessDenied, .open, .sandboxExtensionDenied),
    (.isDirectory, .open, .contentIsUnavailable), (.crossesRoot, .open, .pathNotAllowed),
    (.invalidData, .open, .fileFormatNotRecognized), (.invalidData, .probe, .fileFailedToParse),
    (.invalidData, .decode, .decodeFailed), (.inputOutput, .read, .failedToLoadMediaData),
    (.inputOutput, .index, .failedToLoadMediaData), (.noSpace, .write, .diskFull),
    (.noSpace, .finish, .diskFull), (.exists, .finish, .fileAlreadyExists),
    (.readOnlyFileSystem, .write, .sandboxExtensionDenied),
    (.noEntry, .write, .contentIsUnavailable),
    (.fileTooLarge, .write, .maximumFileSizeReached), (.inputOutput, .write, .exportFailed),
    (.interrupted, .read, .operationCancelled), (.interrupted, .write, .operationCancelled),
    (.outOfMemory, .decode, .outOfMemory), (.decoderNotFound, .decode, .decoderNotFound),
    (.encoderNotFound, .encode, .encoderNotFound), (.invalidData, .encode, .encodeFailed),
  ])
  func aLibraryFailureGetsItsName(
    _ code: LibAVError.Code, _ stage: EngineError.Stage, _ expected: EngineError.Code
  ) {
    let below = LibAVError(code, operation: "open", subject: "clip.mp4", log: ["a", "b"])
    let error = EngineError(below, stage: stage, path: "/x/clip.mp4")
    #expect(error.code == expected)
    #expect(error.message.contains("/x/clip.mp4"))
    #expect(error.path == "/x/clip.mp4")
    #expect(error.stage == stage)
    #expect(error.underlying?.code == code.name)
    #expect(error.underlying?.operation == "open")
    #expect(error.log == ["a", "b"])
    #expect(error.isCancellation == (expected == .operationCancelled))
  }

  @Test func sharedMemoryHasCodesOfItsOwn() {
    let full = LibAVError(.tryAgain, operation: "share", subject: "9 bytes", log: [])
    let huge = LibAVError(.outOfMemory, operation: "share", subject: "9 bytes", log: [])
    #expect(EngineError(full, stage: .convert).code == .leasesExhausted)
    #expect(EngineError(huge, stage: .convert).code == .limitExceeded)
  }
}
