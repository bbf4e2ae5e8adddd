import Glibc
import LibAV
import SystemIO
import Testing

@testable import MediaEngine

@Suite struct EngineErrorTests {
  /// The error of a library's failure, by the stage in which it happened.
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

  /// An error of the system gets the same AVFoundation name as the corresponding one of libav, in
  /// addition to FFmpeg's name.
  @Test(arguments: [
    (SystemError.Code.errno(ENOSPC), EngineError.Stage.finish, EngineError.Code.diskFull, "ENOSPC"),
    (.exists, .write, .fileAlreadyExists, "EEXIST"),
    (.crossesRoot, .open, .pathNotAllowed, "EXDEV"),
    (.inputOutput, .read, .failedToLoadMediaData, "EIO"),
    (.errno(ESTALE), .read, .failedToLoadMediaData, "AVERROR(-\(ESTALE))"),
    (.interrupted, .write, .operationCancelled, "AVERROR_EXIT"),
    (.invalidData, .finish, .exportFailed, "AVERROR_INVALIDDATA"),
  ])
  func aSystemFailureGetsItsName(
    _ code: SystemError.Code, _ stage: EngineError.Stage, _ expected: EngineError.Code,
    _ name: String
  ) {
    let error = #expect(throws: EngineError.self) {
      try mapErrors(stage, path: "/x/clip.mp4") { () throws(SystemError) in
        throw SystemError(code, operation: .open, subject: "clip.mp4", detail: "it is so")
      }
    }
    #expect(error?.code == expected)
    #expect(error?.underlying?.code == name)
    #expect(error?.underlying?.operation == "open")
    #expect(error?.log == [])
    if code != .interrupted { #expect(error?.message == "Can't open '/x/clip.mp4': it is so") }
  }

  /// A folder is named as such, though the caller has named the file in it.
  @Test func aFolderIsNamedInPlaceOfItsFile() {
    let error = #expect(throws: EngineError.self) {
      try mapErrors(.write, path: "/missing/a.mp4") { () throws(SystemError) in
        _ = try OutputFile(path: "/missing/a.mp4")
      }
    }
    #expect(error?.path == "/missing")
    #expect(error?.hint == "Create the folder first, and check the path's spelling.")
  }

  @Test func sharedMemoryHasCodesOfItsOwn() throws {
    let pool = SlabPool(capacity: 1 << 20)
    func code(_ count: Int) -> EngineError.Code? {
      let error = #expect(throws: EngineError.self) {
        try mapErrors(.convert) { () throws(SystemError) in
          _ = try pool.allocate(count: count)
        }
      }
      return error?.code
    }
    let all = try pool.allocate(count: 1_000_000)
    #expect(code(100_000) == .leasesExhausted)
    #expect(code(2 << 20) == .limitExceeded)
    withExtendedLifetime(all) {}
  }

  /// A name or a sentence that has the same words as one of ours means nothing.
  @Test func reasonsDecideAndNotTexts() {
    func failure(
      _ code: SystemError.Code, _ stage: EngineError.Stage, _ detail: String,
      _ reason: SystemError.Reason? = nil
    ) -> EngineError {
      let error = SystemError(
        code, operation: .open, subject: "/a", detail: detail, reason: reason)
      return EngineError(LibAVError(error), stage: stage)
    }
    let device = failure(.invalidArgument, .open, "a device", .notRegularFile)
    #expect(device.code == .contentIsUnavailable)
    #expect(device.hint == "Copy the data into a regular file first.")
    let text = failure(.invalidArgument, .open, "no regular file")
    #expect(text.code == .fileFormatNotRecognized && text.hint == nil)
    let folder = failure(.exists, .write, "it has this name", .folderOfThatName)
    #expect(folder.hint == "Name a file inside the folder.")
    #expect(failure(.exists, .write, "a folder").hint != folder.hint)
    let share = LibAVError(.tryAgain, operation: "share", subject: "", log: [])
    #expect(EngineError(share, stage: .convert).code == .unknown)
  }

  /// The names that messages have.
  @Test(arguments: [
    (SystemError.Operation.open, "open", false), (.createFileIn, "create a file in", true),
    (.nameFileIn, "name a file in", true), (.openFolder, "open folder", true),
    (.readMovieHeader, "read the movie header", false), (.makeFolder, "make folder", false),
  ])
  func anOperationIsNamed(_ operation: SystemError.Operation, _ name: String, ofFolder: Bool) {
    let error = LibAVError(SystemError(.noEntry, operation: operation, subject: "/a"))
    #expect(error.operation == name)
    #expect(error.isOfFolder == ofFolder)
    #expect(EngineError(error, stage: .open).underlying?.operation == name)
  }
}
