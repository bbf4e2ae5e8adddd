import LibAV
import SystemIO

/// A failure of the engine, named as AVFoundation names it.
public struct EngineError: Error, Sendable {
  /// AVError's number (AVFoundation), or one of the engine's above 1000.
  public enum Code: Int, Sendable, CaseIterable {
    /// A failure that has no code of its own; see ``EngineError/underlying``.
    case unknown = -11800
    /// Memory couldn't be allocated.
    case outOfMemory = -11801
    /// A capture session isn't running.
    case sessionNotRunning = -11803
    /// A device is an input already.
    case deviceAlreadyUsedByAnotherSession = -11804
    /// A recording was stopped before a sample arrived.
    case noDataCaptured = -11805
    /// A recording ended because its source was reconfigured.
    case sessionConfigurationChanged = -11806
    /// The device is full, or the quota is used up.
    case diskFull = -11807
    /// A device was unplugged.
    case deviceWasDisconnected = -11808
    /// A device changed its format without a request.
    case mediaChanged = -11809
    /// A recording has reached its maximum duration.
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
    /// There is a file at the path already; it wasn't changed.
    case fileAlreadyExists = -11823
    /// A segment of a composition's track doesn't begin where the previous one ends.
    case compositionTrackSegmentsNotContiguous = -11824
    /// A segment, or a range of a composition, has an invalid duration.
    case invalidCompositionTrackSegmentDuration = -11825
    /// A segment's source range begins outside of its source.
    case invalidCompositionTrackSegmentSourceStartTime = -11826
    /// A segment's source range ends outside of its source, or is empty.
    case invalidCompositionTrackSegmentSourceDuration = -11827
    /// No demuxer knows the format.
    case fileFormatNotRecognized = -11828
    /// The format is known, but its header can't be read.
    case fileFailedToParse = -11829
    /// More photos are requested than a photo output handles at once.
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
    /// A client that supplies the bytes of a resource has sent an invalid answer.
    case serverIncorrectlyConfigured = -11850
    /// The program isn't allowed to use a device.
    case applicationIsNotAuthorizedToUseDevice = -11852
    /// Nothing of the media could be decoded.
    case undecodableMediaData = -11855
    /// The caller's own compositor has failed, or hasn't answered in time.
    case videoCompositorFailed = -11858
    /// A recorder is recording already.
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
    /// An option has an invalid value.
    case incorrectlyConfigured = -11875
    /// A segment was to begin with a sample that needs others.
    case segmentStartedWithNonSyncSample = -11876
    /// The task, or the object, was cancelled.
    case operationCancelled = -11878
    /// A cursor has no sample to be at, or is compared with one of another track.
    case invalidSampleCursor = -11880
    /// Samples are missing: the file is damaged from that point on.
    case failedToLoadSampleData = -11881
    /// An encoder failed.
    case encodeFailed = -11883
    /// The file's permissions, or a read-only file system, don't allow it.
    case sandboxExtensionDenied = -11884

    /// A value was used before it was loaded.
    case valueNotLoaded = 1003
    /// No shared memory came free in time.
    case leasesExhausted = 2001
    /// The path is outside of the roots, or is a URL of another scheme than `file`.
    case pathNotAllowed = 3001
    /// An image, list or scan would be larger than the engine's limits.
    case limitExceeded = 3002
    /// A client that supplies the bytes of a resource didn't answer in time.
    case resourceTimedOut = 4001
  }

  /// The part of the work that failed.
  public enum Stage: String, Sendable {
    case open, probe, index, read, decode, convert, encode, write, finish
  }

  /// One of the errors in a value.
  public struct Problem: Sendable, Hashable {
    /// The location in the value, as a JSON pointer (RFC 6901): `/segments/3/timeMapping`.
    public var path: String
    /// The description of a correct value.
    public var expected: String
    /// The actual value.
    public var got: String
    /// The code of the problem; nil if AVFoundation has none for it.
    public var code: Code?

    public init(path: String, expected: String, got: String, code: Code? = nil) {
      (self.path, self.expected, self.got, self.code) = (path, expected, got, code)
    }
  }

  /// The failure that a lower library reported.
  public struct Underlying: Sendable {
    /// FFmpeg's symbol of the code: "AVERROR_INVALIDDATA", "ENOSPC".
    public var code: String
    /// The operation that failed: "open", "read", "rename" …
    public var operation: String
    /// The library's last log message, if its code only means that a file is invalid, for example
    /// "moov atom not found"; else its text for the code.
    public var message: String
  }

  public var code: Code
  /// The operation that failed, its object and the reason, in one sentence.
  public var message: String
  /// The next step, if there is better advice than the code's usual one.
  public var advice: Advice?
  /// The file or folder that it is about.
  public var path: String?
  /// The stage; nil for a failure before any work began.
  public var stage: Stage?
  /// The failure of a library or the system that caused this one; nil for the engine's own.
  public var underlying: Underlying?
  /// libav's last warnings, at most five.
  public var log: [String] = []
  /// All errors in a value, if there may be several.
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

  /// Creates the error of opening a file or a folder.
  package init(opening error: SystemError, path: String) {
    self.init(LibAVError(error), stage: .open, path: path)
  }

  /// Creates the error of all problems with a subject, under the code of the first problem that has
  /// one.
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

  /// - Parameter advice: for an object that can't repeat its work; nil if the request can be
  ///   repeated.
  package static func cancelled(_ what: String, advice: Advice? = nil) -> EngineError {
    EngineError(.operationCancelled, "\(what) was cancelled", advice: advice)
  }

  /// Returns the error of a file that an export must not treat as complete.
  static func cutShort(_ path: String) -> EngineError {
    EngineError(
      .invalidSourceMedia, "'\(path)' is cut short: it speaks of media beyond its end",
      advice: .salvage, path: path, stage: .read)
  }

  /// True if a caller requested the failure.
  public var isCancellation: Bool { code == .operationCancelled }
}

extension EngineError {
  /// Converts a library's failure to AVFoundation's name. This is the only place that does so.
  init(_ error: LibAVError, stage: Stage, path: String? = nil) {
    let code = EngineError.code(for: error, stage: stage)
    // If a folder failed, the error names it, even if only the file in it was requested.
    let isNamed = error.isOfFolder || error.isOfOneOfSeveral
    let path = isNamed ? error.subject : path
    // No defect of the file keeps an encoder from being found or opened.
    let isOfEncoder = error.operation.hasSuffix(" encoder")
    let isOwnSubject = error.subject.hasPrefix("/") || isOfEncoder || path == nil
    let subject = isOwnSubject ? error.subject : path ?? ""
    let on = subject.isEmpty ? "" : " '\(subject)'"
    self.init(
      code, "Can't \(error.operation)\(on): \(error.message)",
      advice: EngineError.advice(for: error, stage: stage), path: path, stage: stage)
    if code == .operationCancelled { message = "The work\(on) was cancelled" }
    // An error that a client returned is no failure of a library.
    let isOwn = error.isOfClient || error.isOfOneOfSeveral || error.code == .tooManyStreams
    underlying = isOwn ? nil : Underlying(error)
    log = error.log
  }

  private static func code(for error: LibAVError, stage: Stage) -> Code {
    switch error.systemReason {
    case .differentPicture: return .invalidSourceMedia
    case .changedFile: return .failedToLoadSampleData
    default: break
    }
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
    // A disk's failure is unrelated to the format.
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
    case _ where error.systemReason == .differentPicture: .usePicturesOfOneKind
    case _ where error.systemReason == .changedFile: .openAgain
    case .tooManyOpenFiles: .releaseUnusedObjects
    case .noEntry where error.systemOperation == .createFileIn:
      .chooseFolderForFiles
    case .exists where error.systemReason == .folderOfThatName: .nameFileInFolder
    case .noEntry, .notDirectory: stage == .write ? .createFolder : .checkPath
    case .exists: .chooseUnusedPath
    case .isDirectory: stage == .write ? .nameFileInFolder : .nameFileOrPictures
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
  /// Creates the error of a file's tags: tags that can't be changed aren't damaged media.
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

/// An error of the layers below, which ``EngineError`` names by libav's name for it.
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
    // The code's text is the same for any defect of a file; the log names the defect.
    let isVague = error.code == .invalidData || error.code == .invalidArgument
    let logged = isVague ? error.log.last.map(EngineError.withoutSource) : nil
    self.init(
      code: error.code.name, operation: error.operation, message: logged ?? error.code.text)
  }
}

extension EngineError {
  /// Returns a line of the log without the object that it is about: "[mov @ 0x7f00] ".
  fileprivate static func withoutSource(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.firstRange(of: "] ") else { return line }
    return String(line[end.upperBound...])
  }
}

/// Runs `body`, and converts its errors to the engine's.
func mapErrors<Result: ~Copyable, Failure: UnderlyingError>(
  _ stage: EngineError.Stage, path: String? = nil, _ body: () throws(Failure) -> Result
) throws(EngineError) -> Result {
  do {
    return try body()
  } catch {
    throw EngineError(error.libAV, stage: stage, path: path)
  }
}
