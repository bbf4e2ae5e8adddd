import JSONRPC

/// The codes of errors, and their names.
///
/// The codes of JSON-RPC and AVFoundation are those of their specifications: AVError's are
/// -11800 - n. The codes from 1001 on are this protocol's own. The name of a case is the error's
/// `name` on the wire.
public enum ErrorCode: Int, Codable, Sendable, CaseIterable {
  /// The bytes are not JSON, or not a message where one is required.
  case parseError = -32700
  /// The JSON is not a request: the envelope is wrong, the id is in use, or the message is too
  /// large.
  case invalidRequest = -32600
  /// There is no such method.
  case methodNotFound = -32601
  /// The params do not match the method.
  case invalidParams = -32602
  /// The server has a fault.
  case internalError = -32603
  /// The request was cancelled before it was answered.
  case requestCancelled = -32800
  /// A failure without a more specific code.
  case unknown = -11800
  /// There was not enough memory.
  case outOfMemory = -11801
  /// The capture session is not running.
  case sessionNotRunning = -11803
  /// The capture device is in use by another session.
  case deviceAlreadyUsedByAnotherSession = -11804
  /// Nothing was captured.
  case noDataCaptured = -11805
  /// The capture session was changed while it recorded.
  case sessionConfigurationChanged = -11806
  /// The disk is full.
  case diskFull = -11807
  /// The capture device was disconnected.
  case deviceWasDisconnected = -11808
  /// The source changed its format while it was read.
  case mediaChanged = -11809
  /// The recording has reached its maximum duration.
  case maximumDurationReached = -11810
  /// The file has reached its maximum size.
  case maximumFileSizeReached = -11811
  /// The media has a gap where none may be.
  case mediaDiscontinuity = -11812
  /// The file type cannot hold more samples.
  case maximumNumberOfSamplesForFileFormatReached = -11813
  /// The capture device is not connected.
  case deviceNotConnected = -11814
  /// The capture device is in use by another program.
  case deviceInUseByAnotherApplication = -11815
  /// Another process configures the capture device.
  case deviceLockedForConfigurationByAnotherProcess = -11817
  /// The capture session was interrupted.
  case sessionWasInterrupted = -11818
  /// The process that did the work ended and was started again.
  case mediaServicesWereReset = -11819
  /// The export failed.
  case exportFailed = -11820
  /// The media could not be decoded.
  case decodeFailed = -11821
  /// The source cannot be used for this.
  case invalidSourceMedia = -11822
  /// A file of that name exists.
  case fileAlreadyExists = -11823
  /// The segments have gaps or overlap.
  case compositionTrackSegmentsNotContiguous = -11824
  /// The duration of a segment is not positive.
  case invalidCompositionTrackSegmentDuration = -11825
  /// A segment begins outside its source.
  case invalidCompositionTrackSegmentSourceStartTime = -11826
  /// A segment reaches beyond its source.
  case invalidCompositionTrackSegmentSourceDuration = -11827
  /// The file has no type that can be read.
  case fileFormatNotRecognized = -11828
  /// The file cannot be opened, or its structure is broken.
  case fileFailedToParse = -11829
  /// Too many still images were requested at once.
  case maximumStillImageCaptureRequestsExceeded = -11830
  /// The content is encrypted.
  case contentIsProtected = -11831
  /// There is no image at that time.
  case noImageAtTime = -11832
  /// This build has no decoder for the format.
  case decoderNotFound = -11833
  /// This build has no encoder for the format.
  case encoderNotFound = -11834
  /// The content is not authorized.
  case contentIsNotAuthorized = -11835
  /// This program is not authorized.
  case applicationIsNotAuthorized = -11836
  /// The asset cannot do this.
  case operationNotSupportedForAsset = -11838
  /// The decoder is busy.
  case decoderTemporarilyUnavailable = -11839
  /// The encoder is busy.
  case encoderTemporarilyUnavailable = -11840
  /// The video composition is wrong.
  case invalidVideoComposition = -11841
  /// The file refers to another file, which is not opened.
  case referenceForbiddenByReferencePolicy = -11842
  /// The name's extension does not fit the file type.
  case invalidOutputURLPathExtension = -11843
  /// The screen could not be captured.
  case screenCaptureFailed = -11844
  /// The work was interrupted.
  case operationInterrupted = -11847
  /// The asset has nothing that can be used here.
  case incompatibleAsset = -11848
  /// The media could not be read.
  case failedToLoadMediaData = -11849
  /// The server of the media answers wrongly.
  case serverIncorrectlyConfigured = -11850
  /// The program may not use the device.
  case applicationIsNotAuthorizedToUseDevice = -11852
  /// The content cannot be parsed.
  case failedToParse = -11853
  /// The file type cannot refer to samples of other files.
  case fileTypeDoesNotSupportSampleReferences = -11854
  /// The media cannot be decoded.
  case undecodableMediaData = -11855
  /// The video compositor failed.
  case videoCompositorFailed = -11858
  /// A recording is in progress.
  case recordingAlreadyInProgress = -11859
  /// The output settings cannot be met.
  case unsupportedOutputSettings = -11861
  /// The object's state does not allow this.
  case operationNotAllowed = -11862
  /// The content is not there.
  case contentIsUnavailable = -11863
  /// The format cannot be used here.
  case formatUnsupported = -11864
  /// The content has not been updated.
  case contentNotUpdated = -11866
  /// The content can no longer be played.
  case noLongerPlayable = -11867
  /// The asset has no such track.
  case noSourceTrack = -11869
  /// The preset cannot do this.
  case operationNotSupportedForPreset = -11871
  /// The object lacks a setting, or has one that is wrong.
  case incorrectlyConfigured = -11875
  /// A segment does not begin with a sync sample.
  case segmentStartedWithNonSyncSample = -11876
  /// The work was cancelled.
  case operationCancelled = -11878
  /// The sample cursor points at no sample.
  case invalidSampleCursor = -11880
  /// The data of a sample could not be read.
  case failedToLoadSampleData = -11881
  /// The media could not be encoded.
  case encodeFailed = -11883
  /// The process may not open the file.
  case sandboxExtensionDenied = -11884
  /// No open object has this handle.
  case unknownHandle = 1001
  /// The handle names an object of another kind.
  case wrongHandleKind = 1002
  /// The value is not loaded.
  case valueNotLoaded = 1003
  /// The worker process in which the object lived, or which did the work, has died.
  case workerDied = 1004
  /// All shared memory is leased.
  case leasesExhausted = 2001
  /// The changes since that token are forgotten.
  case changeTokenExpired = 2002
  /// The server may not use this path or scheme.
  case pathNotAllowed = 3001
  /// A limit of the server was exceeded.
  case limitExceeded = 3002
  /// The client did not supply bytes of a resource in time.
  case resourceTimedOut = 4001

  /// The name on the wire, for example `fileAlreadyExists`.
  public var name: String { "\(self)" }
}
