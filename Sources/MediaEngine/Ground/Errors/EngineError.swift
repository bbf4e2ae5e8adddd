import LibAV
import SystemIO

/// A failure of the engine, named as AVFoundation names it.
public struct EngineError: Error, Sendable {
  /// AVError's number (AVFoundation), or one of ours above 1000.
  public enum Code: Int, Sendable, CaseIterable {
    /// A failure that has no code of its own; see ``EngineError/underlying``.
    case unknown = -11800
    /// Memory couldn't be had.
    case outOfMemory = -11801
    /// A capture session doesn't run.
    case sessionNotRunning = -11803
    /// A device is an input already.
    case deviceAlreadyUsedByAnotherSession = -11804
    /// A recording was stopped before a sample came.
    case noDataCaptured = -11805
    /// A recording ended because what it records was reconfigured.
    case sessionConfigurationChanged = -11806
    /// The device has no room left, or the quota is used up.
    case diskFull = -11807
    /// A device was unplugged.
    case deviceWasDisconnected = -11808
    /// A device changed its format by itself.
    case mediaChanged = -11809
    /// A recording has reached the duration that it may have.
    case maximumDurationReached = -11810
    /// A file would become larger than a limit: the session's, the process's or the file system's.
    case maximumFileSizeReached = -11811
    /// There is no such device.
    case deviceNotConnected = -11814
    /// Another program uses a device.
    case deviceInUseByAnotherApplication = -11815
    /// A capture session was interrupted.
    case sessionWasInterrupted = -11818
    /// An audio server is gone, or there is none.
    case mediaServicesWereReset = -11819
    /// Writing the output failed.
    case exportFailed = -11820
    /// A decoder failed.
    case decodeFailed = -11821
    /// The source is cut short or contradicts itself.
    case invalidSourceMedia = -11822
    /// There is something at the path already; it wasn't touched.
    case fileAlreadyExists = -11823
    /// A segment of a composition's track doesn't begin where the one before it ends.
    case compositionTrackSegmentsNotContiguous = -11824
    /// A segment, or a range of a composition, lasts no time that can be.
    case invalidCompositionTrackSegmentDuration = -11825
    /// What a segment shows begins outside of its source.
    case invalidCompositionTrackSegmentSourceStartTime = -11826
    /// What a segment shows ends outside of its source, or lasts no time.
    case invalidCompositionTrackSegmentSourceDuration = -11827
    /// No demuxer knows the format.
    case fileFormatNotRecognized = -11828
    /// The format is known, but its header can't be read.
    case fileFailedToParse = -11829
    /// More photos are asked for than a photo output takes at once.
    case maximumStillImageCaptureRequestsExceeded = -11830
    /// The media is encrypted.
    case contentIsProtected = -11831
    /// No frame is shown at the time, within the tolerances.
    case noImageAtTime = -11832
    /// This build has no decoder for the codec.
    case decoderNotFound = -11833
    /// This build has no encoder for the codec.
    case encoderNotFound = -11834
    /// The asset's media doesn't allow it.
    case operationNotSupportedForAsset = -11838
    /// A video composition contradicts itself, or its asset.
    case invalidVideoComposition = -11841
    /// The file refers to another one, which isn't opened.
    case referenceForbiddenByReferencePolicy = -11842
    /// The path's extension stands for no file type.
    case invalidOutputURLPathExtension = -11843
    /// A screen couldn't be captured.
    case screenCaptureFailed = -11844
    /// The file can't be read, or not to its end.
    case failedToLoadMediaData = -11849
    /// Who supplies the bytes of a resource has answered what can't be right.
    case serverIncorrectlyConfigured = -11850
    /// The program may not use a device.
    case applicationIsNotAuthorizedToUseDevice = -11852
    /// Nothing of the media could be decoded.
    case undecodableMediaData = -11855
    /// The caller's own compositor has failed, or hasn't answered in time.
    case videoCompositorFailed = -11858
    /// A recorder records already.
    case recordingAlreadyInProgress = -11859
    /// Settings that contradict each other, the track or this build.
    case unsupportedOutputSettings = -11861
    /// The object's state doesn't allow it: readers and sessions work once.
    case operationNotAllowed = -11862
    /// There is no such file or folder, or it can't be opened now.
    case contentIsUnavailable = -11863
    /// The file type can't be written, or can't hold the media.
    case formatUnsupported = -11864
    /// The asset has no track of that number or kind.
    case noSourceTrack = -11869
    /// The preset doesn't make that file type, or doesn't take that media.
    case operationNotSupportedForPreset = -11871
    /// An option has a value that can't be.
    case incorrectlyConfigured = -11875
    /// A segment was to begin with a sample that needs others.
    case segmentStartedWithNonSyncSample = -11876
    /// The task, or the object, was cancelled.
    case operationCancelled = -11878
    /// A cursor has no sample to be at, or is compared with one of another track.
    case invalidSampleCursor = -11880
    /// Samples are missing: the file is damaged from there on.
    case failedToLoadSampleData = -11881
    /// An encoder failed.
    case encodeFailed = -11883
    /// The file's permissions, or a read-only file system, don't allow it.
    case sandboxExtensionDenied = -11884

    /// A value was used before it was loaded.
    case valueNotLoaded = 1003
    /// No shared memory came free in time.
    case leasesExhausted = 2001
    /// The path lies outside the roots, or is a URL of another scheme than `file`.
    case pathNotAllowed = 3001
    /// A picture, list or scan would be larger than the engine's limits.
    case limitExceeded = 3002
    /// Who supplies the bytes of a resource didn't answer in time.
    case resourceTimedOut = 4001
  }

  /// Which part of the work failed.
  public enum Stage: String, Sendable {
    case open, probe, index, read, decode, convert, encode, write, finish
  }

  /// One of the things that are wrong with a value.
  public struct Problem: Sendable, Hashable {
    /// Where in the value it is, as a JSON pointer (RFC 6901): `/segments/3/timeMapping`.
    public var path: String
    /// What would have been right.
    public var expected: String
    /// What was there.
    public var got: String
    /// Nil where AVFoundation has none for it.
    public var code: Code?

    public init(path: String, expected: String, got: String, code: Code? = nil) {
      (self.path, self.expected, self.got, self.code) = (path, expected, got, code)
    }
  }

  /// What the libraries below logged.
  public struct Underlying: Sendable {
    /// FFmpeg's symbol of the code: "AVERROR_INVALIDDATA", "ENOSPC".
    public var code: String
    /// What was being done: "open", "read", "rename" …
    public var operation: String
    /// What the library logged last, where its code means no more than that a file is invalid, for example
    /// "moov atom not found"; else its text for the code.
    public var message: String
  }

  public var code: Code
  /// What failed, on what, and why, in one sentence.
  public var message: String
  /// What to do next, when there is better advice than the code's usual one.
  public var advice: Advice?
  /// The file or folder that it is about.
  public var path: String?
  /// Nil for what failed before any work began.
  public var stage: Stage?
  /// The failure of a library or the system that this one names; nil for the engine's own.
  public var underlying: Underlying?
  /// libav's last warnings, at most five.
  public var log: [String] = []
  /// All that is wrong with what was given, where that may be several things.
  public var problems: [Problem] = []

  public init(
    _ code: Code, _ message: String, advice: Advice? = nil, path: String? = nil,
    stage: Stage? = nil
  ) {
    self.code = code
    self.message = message
    self.advice = advice
    self.path = path
    self.stage = stage
  }

  /// With advice that has no name yet: `Tests/Generator/test_advice.py` finds it, and it gets an entry in
  /// `Sources/Generator/advice`.
  package init(
    _ code: Code, _ message: String, hint: String, path: String? = nil, stage: Stage? = nil
  ) {
    self.init(code, message, advice: .text(hint), path: path, stage: stage)
  }

  /// What opening a file or a folder failed for.
  package init(opening error: SystemError, path: String) {
    self.init(LibAVError(error), stage: .open, path: path)
  }

  /// All that is wrong with something, under the code of the first problem that has one.
  init(_ problems: [Problem], of subject: String) {
    let first = problems.first
    let rest = problems.count > 1 ? " (the first of \(problems.count) problems)" : ""
    self.init(
      problems.lazy.compactMap(\.code).first ?? .unsupportedOutputSettings,
      "\(subject): expected \(first?.expected ?? ""), got \(first?.got ?? "")\(rest)")
    self.problems = problems
  }

  /// ``advice`` as a sentence.
  public var hint: String? {
    get { advice?.description }
    set { advice = newValue.map(Advice.text) }
  }

  /// - Parameter advice: for an object that can't do its work again; nil where the request can be repeated.
  package static func cancelled(_ what: String, advice: Advice? = nil) -> EngineError {
    EngineError(.operationCancelled, "\(what) was cancelled", advice: advice)
  }

  /// Of a file that an export must not take for a whole one.
  static func cutShort(_ path: String) -> EngineError {
    EngineError(
      .invalidSourceMedia, "'\(path)' is cut short: it speaks of media beyond its end",
      advice: .salvage, path: path, stage: .read)
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
      advice: EngineError.advice(for: error, stage: stage), path: path, stage: stage)
    if code == .operationCancelled { message = "The work\(on) was cancelled" }
    // What a client answers is no failure of a library.
    underlying = error.isOfClient || error.code == .tooManyStreams ? nil : Underlying(error)
    log = error.log
  }

  private static func code(for error: LibAVError, stage: Stage) -> Code {
    switch error.code {
    case .interrupted: return .operationCancelled
    case .outOfMemory: return error.systemOperation == .share ? .limitExceeded : .outOfMemory
    case .tryAgain: return error.systemOperation == .share ? .leasesExhausted : .unknown
    case .crossesRoot: return .pathNotAllowed
    case .exists: return .fileAlreadyExists
    case .noSpace, .quotaExceeded: return .diskFull
    case .fileTooLarge: return .maximumFileSizeReached
    case .noEntry, .notDirectory, .tooManyLinks, .tooManyOpenFiles: return .contentIsUnavailable
    case .accessDenied, .notPermitted, .readOnlyFileSystem: return .sandboxExtensionDenied
    case .timedOut: return .resourceTimedOut
    case .wrongAnswer: return .serverIncorrectlyConfigured
    case .remoteFailure: return .failedToLoadMediaData
    case .ended: return .contentIsUnavailable
    case .overLimit, .tooManyStreams: return .limitExceeded
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
      return error.systemReason == .notRegularFile
        ? .contentIsUnavailable : .fileFormatNotRecognized
    case .probe: return .fileFailedToParse
    case .index, .read: return .failedToLoadMediaData
    case .decode: return .decodeFailed
    case .convert: return .operationNotSupportedForAsset
    case .encode: return .encodeFailed
    case .write, .finish: return .exportFailed
    }
  }

  private static func advice(for error: LibAVError, stage: Stage) -> Advice? {
    switch error.code {
    case .tooManyOpenFiles: .releaseUnusedObjects
    case .noEntry where error.systemOperation == .createFileIn:
      .chooseFolderForFiles
    case .exists where error.systemReason == .folderOfThatName: .nameFileInFolder
    case .noEntry, .notDirectory: stage == .write ? .createFolder : .checkPath
    case .exists: .chooseUnusedPath
    case .isDirectory: .nameFileInFolder
    case .accessDenied, .notPermitted: .checkPermissions
    case .readOnlyFileSystem: .chooseWritableFolder
    case .timedOut: .answerReads
    case .wrongAnswer: .answerReadsOnce
    case .remoteFailure: .checkSource
    case .ended: .openAgain
    case .overLimit: .supplyRandomAccess
    case .tooManyStreams: .raiseStreamLimit
    case .invalidArgument where error.systemReason == .notRegularFile: .copyIntoFile
    case .inputOutput where error.detail != nil: .waitForWriters
    case .inputOutput: .checkDevice
    default: nil
    }
  }
}

extension EngineError {
  /// A failure with a file's tags: what can't be changed there is no damage of the media.
  init(tags error: SystemError, path: String) {
    guard error.code == .invalidData, let detail = error.detail else {
      self.init(error.libAV, stage: .read, path: path)
      return
    }
    self.init(
      .operationNotSupportedForAsset,
      "The tags of '\(path)' can't be changed with all else left as it is: \(detail)",
      advice: .exportToAnotherType, path: path,
      stage: .read)
  }
}

extension EngineError.Advice {
  /// - Parameter tracks: those of an asset.
  package static func chooseTrack(of tracks: [String]) -> Self {
    tracks.isEmpty ? .chooseAssetWithTracks : .chooseTrack(tracks)
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
    // The code's text is the same for whatever is wrong with a file; the log names it.
    let isVague = error.code == .invalidData || error.code == .invalidArgument
    let logged = isVague ? error.log.last.map(EngineError.withoutSource) : nil
    self.init(
      code: error.code.name, operation: error.operation, message: logged ?? error.code.text)
  }
}

extension EngineError {
  /// A line of the log without the object that it is about: "[mov @ 0x7f00] ".
  fileprivate static func withoutSource(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.firstRange(of: "] ") else { return line }
    return String(line[end.upperBound...])
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
