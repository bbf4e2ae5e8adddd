import LibAV
import SystemIO

/// A failure of the engine, named as AVFoundation names it.
public struct EngineError: Error, Sendable {
  /// AVError's number (AVFoundation), or one of ours above 1000.
  public enum Code: Int, Sendable, CaseIterable {
    case unknown = -11800
    case outOfMemory = -11801
    case diskFull = -11807
    case maximumFileSizeReached = -11811
    case exportFailed = -11820
    case decodeFailed = -11821
    case invalidSourceMedia = -11822
    case fileAlreadyExists = -11823
    case fileFormatNotRecognized = -11828
    case fileFailedToParse = -11829
    case contentIsProtected = -11831
    case noImageAtTime = -11832
    case decoderNotFound = -11833
    case encoderNotFound = -11834
    case operationNotSupportedForAsset = -11838
    case referenceForbiddenByReferencePolicy = -11842
    case invalidOutputURLPathExtension = -11843
    case failedToLoadMediaData = -11849
    case undecodableMediaData = -11855
    case unsupportedOutputSettings = -11861
    case operationNotAllowed = -11862
    case contentIsUnavailable = -11863
    case formatUnsupported = -11864
    case noSourceTrack = -11869
    case operationNotSupportedForPreset = -11871
    case operationCancelled = -11878
    case invalidSampleCursor = -11880
    case failedToLoadSampleData = -11881
    case encodeFailed = -11883
    case sandboxExtensionDenied = -11884

    case valueNotLoaded = 1003
    case leasesExhausted = 2001
    case pathNotAllowed = 3001
    case limitExceeded = 3002
  }

  /// Which part of the work failed.
  public enum Stage: String, Sendable {
    case open, probe, index, read, decode, convert, encode, write, finish
  }

  /// What the libraries below logged.
  public struct Underlying: Sendable {
    /// FFmpeg's symbol of the code: "AVERROR_INVALIDDATA", "ENOSPC".
    public var code: String
    public var operation: String
    public var message: String
  }

  public var code: Code
  /// What failed, on what, and why, in one sentence.
  public var message: String
  /// What to do next, when there is better advice than the code's usual one.
  public var hint: String?
  public var path: String?
  public var stage: Stage?
  public var underlying: Underlying?
  /// libav's last warnings, at most five.
  public var log: [String] = []

  public init(
    _ code: Code, _ message: String, hint: String? = nil, path: String? = nil, stage: Stage? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.stage = stage
  }

  package static func cancelled(_ what: String) -> EngineError {
    EngineError(.operationCancelled, "\(what) was cancelled")
  }

  /// Of a file that an export must not take for a whole one.
  static func cutShort(_ path: String) -> EngineError {
    EngineError(
      .invalidSourceMedia, "'\(path)' is cut short: it speaks of media beyond its end",
      hint: "Get the whole file; images and samples of what is there can still be read.",
      path: path, stage: .read)
  }

  /// True for a failure that a caller requested.
  public var isCancellation: Bool { code == .operationCancelled }
}

extension EngineError {
  /// The one place where a library's failure gets AVFoundation's name.
  init(_ error: LibAVError, stage: Stage, path: String? = nil) {
    let code = EngineError.code(for: error, stage: stage)
    // A folder is named as such, also where only the file in it was.
    let path = error.isOfFolder ? error.subject : path
    let subject = error.subject.hasPrefix("/") || path == nil ? error.subject : path ?? ""
    let on = subject.isEmpty ? "" : " '\(subject)'"
    self.init(
      code, "Can't \(error.operation)\(on): \(error.message)",
      hint: EngineError.hint(for: error, stage: stage), path: path, stage: stage)
    if code == .operationCancelled { message = "The work\(on) was cancelled" }
    underlying = Underlying(error)
    log = error.log
  }

  private static func code(for error: LibAVError, stage: Stage) -> Code {
    switch error.code {
    case .interrupted: return .operationCancelled
    case .outOfMemory: return error.operation == "share" ? .limitExceeded : .outOfMemory
    case .tryAgain: return error.operation == "share" ? .leasesExhausted : .unknown
    case .crossesRoot: return .pathNotAllowed
    case .exists: return .fileAlreadyExists
    case .noSpace, .quotaExceeded: return .diskFull
    case .fileTooLarge: return .maximumFileSizeReached
    case .noEntry, .notDirectory, .tooManyLinks, .tooManyOpenFiles: return .contentIsUnavailable
    case .accessDenied, .notPermitted, .readOnlyFileSystem: return .sandboxExtensionDenied
    case .decoderNotFound: return .decoderNotFound
    case .encoderNotFound: return .encoderNotFound
    default: break
    }
    // The disk's failure has nothing to do with the format.
    if error.code == .inputOutput, stage == .open || stage == .probe {
      return .failedToLoadMediaData
    }
    switch stage {
    case .open:
      // Not a regular file, a folder, or a format off the whitelist.
      if error.code == .isDirectory { return .contentIsUnavailable }
      return error.detail?.contains("regular file") == true
        ? .contentIsUnavailable : .fileFormatNotRecognized
    case .probe: return .fileFailedToParse
    case .index, .read: return .failedToLoadMediaData
    case .decode: return .decodeFailed
    case .convert: return .operationNotSupportedForAsset
    case .encode: return .encodeFailed
    case .write, .finish: return .exportFailed
    }
  }

  private static func hint(for error: LibAVError, stage: Stage) -> String? {
    switch error.code {
    case .noEntry where error.operation == "create a file in":
      "Choose another folder: no file can be made in this one."
    case .exists where error.detail?.contains("a folder") == true:
      "Name a file inside the folder."
    case .noEntry, .notDirectory:
      stage == .write
        ? "Create the folder first, and check the path's spelling."
        : "Check the path: it is taken relative to the folder the engine was started in."
    case .exists: "Choose another path, or remove the file first: nothing is ever overwritten."
    case .isDirectory: "Name a file inside the folder."
    case .accessDenied, .notPermitted: "Check the permissions of the file and of its folder."
    case .readOnlyFileSystem: "Choose a folder on a file system that can be written to."
    case .tooManyOpenFiles: "Close handles that are no longer needed, or raise the process's limit."
    case .invalidArgument where error.detail?.contains("regular file") == true:
      "Copy the data into a regular file first."
    case .inputOutput where error.detail != nil:
      "Try again when nothing writes to the file any more."
    case .inputOutput: "The disk or the network share failed to read: check the device."
    default: nil
    }
  }
}

/// An error of the layers below, which ``EngineError`` names by what libav calls it.
protocol UnderlyingError: Error {
  var libAV: LibAVError { get }
}

extension LibAVError: UnderlyingError {
  var libAV: LibAVError { self }
}

extension SystemError: UnderlyingError {
  var libAV: LibAVError { LibAVError(self) }
}

extension EngineError.Underlying {
  init(_ error: LibAVError) {
    self.init(code: error.code.name, operation: error.operation, message: error.code.text)
  }
}

/// Runs `body`, whose errors become the engine's.
func mapErrors<Result: ~Copyable, Failure: UnderlyingError>(
  _ stage: EngineError.Stage, path: String? = nil, _ body: () throws(Failure) -> Result
) throws(EngineError) -> Result {
  do {
    return try body()
  } catch {
    throw EngineError(error.libAV, stage: stage, path: path)
  }
}
