import JSONRPC
import MediaTime

/// The treatment of the tracks of a recording.
public struct WireRecordingSettings: Codable, Sendable, Equatable {
  /// The encoding of video: `h264` in `quality` 0.6 when absent, or the usual codec of a type of file that can't hold
  /// that; `null` leaves video out.
  public var video: WireVideoTreatment?
  /// The encoding of audio: in movies, `aac` of 128 kbit/s per pair of channels when absent, or the usual codec of a type
  /// of file that can't hold that; `null` leaves audio out, which animated images require.
  public var audio: WireAudioTreatment?

  /// Makes the value; members that are left out are absent on the wire.
  public init(video: WireVideoTreatment? = nil, audio: WireAudioTreatment? = nil) {
    self.video = video
    self.audio = audio
  }

  private enum CodingKeys: String, CodingKey { case video, audio }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Absent and `null` are different things here.
    video =
      container.contains(.video)
      ? try container.decode(WireVideoTreatment.self, forKey: .video) : nil
    audio =
      container.contains(.audio)
      ? try container.decode(WireAudioTreatment.self, forKey: .audio) : nil
  }
}

/// Starts a recording into a new file, of a `movieFile` or `audioFile` output.
///
/// The file has its name from the start, with mode 0600. It is written in fragments, and is usable up to the
/// last one in any case; after a clean stop it is a plain movie. The recording begins with the first
/// sample of a running session, and its zero is the first instant at which each connected track has one.
///
/// If a recording is in progress, it ends, and this one begins with the next sample; no sample is lost.
///
/// - Errors: `operationNotAllowed`, `fileAlreadyExists`, `pathNotAllowed`, `invalidOutputURLPathExtension`,
/// `formatUnsupported`, `unsupportedOutputSettings`, `incorrectlyConfigured`, `diskFull`,
/// `contentIsUnavailable`
public struct CaptureOutputStartRecording: EngineRequest {
  public static let method = "captureOutput/startRecording"
  public static let placement = Placement.devices
  public static let writesFile = true
  public typealias Result = OperationReply<CaptureOutputDidFinishRecording>

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The file to create, a path or a `file:` URL.
  ///
  /// - Path: `written`
  public var outputURL: String
  /// The type of the file, a short name or a uniform type; from the path's extension when absent.
  public var fileType: String?
  /// The treatment of the tracks.
  public var settings: WireRecordingSettings?
  /// The metadata of the file.
  public var metadata: [WireMetadataEntry]?
  /// The duration at which it ends, with `maximumDurationReached`. A device that delivers nothing isn't waited for: the
  /// session's clock ends its track, and the message names the track.
  public var maxRecordedDuration: WireTime?
  /// The maximum size of the file in bytes; the recording ends with `maximumFileSizeReached`.
  public var maxRecordedFileSize: Int64?
  /// The minimum free space on the disk, in bytes; the recording ends with `diskFull`.
  ///
  /// - Default: `67108864`
  public var minFreeDiskSpaceLimit: Int64?
  /// The time between two fragments, from 0.1 to 60 seconds; `"invalid"` for a plain file, which is either complete or
  /// absent.
  ///
  /// - Default: `2`
  public var movieFragmentInterval: WireTime?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    captureOutput: CaptureOutputHandle, outputURL: String, fileType: String? = nil,
    settings: WireRecordingSettings? = nil, metadata: [WireMetadataEntry]? = nil,
    maxRecordedDuration: WireTime? = nil, maxRecordedFileSize: Int64? = nil,
    minFreeDiskSpaceLimit: Int64? = nil, movieFragmentInterval: WireTime? = nil,
    completion: WireCompletion? = nil
  ) {
    self.captureOutput = captureOutput
    self.outputURL = outputURL
    self.fileType = fileType
    self.settings = settings
    self.metadata = metadata
    self.maxRecordedDuration = maxRecordedDuration
    self.maxRecordedFileSize = maxRecordedFileSize
    self.minFreeDiskSpaceLimit = minFreeDiskSpaceLimit
    self.movieFragmentInterval = movieFragmentInterval
    self.completion = completion
  }
}

extension CaptureOutputStartRecording: OperationRequest {
  package typealias Terminal = CaptureOutputDidFinishRecording

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      CaptureOutputWillFinishRecording(
        operation: operation, captureOutput: captureOutput, outputURL: outputURL,
        error: error.about(captureOutput)),
      CaptureOutputDidFinishRecording(
        operation: operation, captureOutput: captureOutput, outputURL: outputURL, status: .failed,
        recordingSuccessfullyFinished: false, isPlainMovie: false,
        recordedDuration: WireTime(.zero), recordedFileSize: 0, tracks: [],
        error: error.about(captureOutput)),
    ]
  }
}

/// Reports that a recording has its first sample. It isn't sent if there never was one.
public struct CaptureOutputDidStartRecording: NotificationType {
  public static let method = "captureOutput/didStartRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String
  /// The time of the session's clock that is the recording's zero.
  public var startTime: WireTime

  package init(
    operation: OperationHandle, captureOutput: CaptureOutputHandle, outputURL: String,
    startTime: WireTime
  ) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.outputURL = outputURL
    self.startTime = startTime
  }
}

/// Reports that a recording is paused.
public struct CaptureOutputDidPauseRecording: NotificationType {
  public static let method = "captureOutput/didPauseRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String

  package init(operation: OperationHandle, captureOutput: CaptureOutputHandle, outputURL: String) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.outputURL = outputURL
  }
}

/// Reports that a recording continues after a pause.
public struct CaptureOutputDidResumeRecording: NotificationType {
  public static let method = "captureOutput/didResumeRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String

  package init(operation: OperationHandle, captureOutput: CaptureOutputHandle, outputURL: String) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.outputURL = outputURL
  }
}

/// Reports that a recording accepts no more samples; the file is being finished. It is sent exactly once,
/// before the end.
public struct CaptureOutputWillFinishRecording: NotificationType {
  public static let method = "captureOutput/willFinishRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String
  /// The reason for its end; absent if the client ended it.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, captureOutput: CaptureOutputHandle, outputURL: String,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.outputURL = outputURL
    self.error = error
  }
}

/// The outcome of a recording.
public enum WireRecordingStatus: String, Codable, Sendable, CaseIterable {
  /// It ended as requested.
  case completed
  /// It ended by an error, or at a limit.
  case failed
  /// It was cancelled.
  case cancelled
}

/// The statistics of a track: counts are frames of video, and samples a channel of audio.
public struct WireRecordedTrack: Codable, Sendable, Equatable {
  /// The media type, `video` or `audio`.
  public var mediaType: WireMediaType
  /// The number of captured ones that are in the file. A frame that is repeated for a higher rate counts once, and audio
  /// that is resampled for its drift as it was captured.
  public var written: Int
  /// The number of dropped ones.
  public var dropped: WireCaptureDrops
  /// The number of samples of silence in place of missing ones.
  public var inserted: Int
  /// The number before the recording's zero.
  public var trimmed: Int
  /// The excess speed of the device's clock, in millionths; absent if it isn't known.
  public var drift: Double?

  package init(
    mediaType: WireMediaType, written: Int, dropped: WireCaptureDrops, inserted: Int, trimmed: Int,
    drift: Double? = nil
  ) {
    self.mediaType = mediaType
    self.written = written
    self.dropped = dropped
    self.inserted = inserted
    self.trimmed = trimmed
    self.drift = drift
  }
}

/// Reports the end of a recording. It is sent exactly once, regardless of the cause.
public struct CaptureOutputDidFinishRecording: NotificationType {
  public static let method = "captureOutput/didFinishRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String
  /// The outcome.
  public var status: WireRecordingStatus
  /// True if the file can be used, regardless of the error.
  public var recordingSuccessfullyFinished: Bool
  /// True for a movie that isn't in fragments.
  public var isPlainMovie: Bool
  /// The duration of the longest track. If its process has ended unexpectedly, that of a movie's fragments, and 0 for other
  /// types.
  public var recordedDuration: WireTime
  /// The size of the file in bytes.
  public var recordedFileSize: Int64
  /// The tracks, in the order of the file.
  public var tracks: [WireRecordedTrack]
  /// The metadata, pixels and channels that the file can't hold, by the numbers of its tracks; absent if it holds all.
  public var dropped: [WireDropped]?
  /// The reason for its end; absent if the client ended it.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, captureOutput: CaptureOutputHandle, outputURL: String,
    status: WireRecordingStatus, recordingSuccessfullyFinished: Bool, isPlainMovie: Bool,
    recordedDuration: WireTime, recordedFileSize: Int64, tracks: [WireRecordedTrack],
    dropped: [WireDropped]? = nil, error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.outputURL = outputURL
    self.status = status
    self.recordingSuccessfullyFinished = recordingSuccessfullyFinished
    self.isPlainMovie = isPlainMovie
    self.recordedDuration = recordedDuration
    self.recordedFileSize = recordedFileSize
    self.tracks = tracks
    self.dropped = dropped
    self.error = error
  }
}

/// Stops a recording: samples that are captured until now are in it. ``CaptureOutputDidFinishRecording`` follows.
///
/// - Errors: `operationNotAllowed`
public struct CaptureOutputStopRecording: EngineRequest {
  public static let method = "captureOutput/stopRecording"
  public typealias Result = EmptyResult

  /// The output.
  public var captureOutput: CaptureOutputHandle

  /// Makes the value from its members.
  public init(captureOutput: CaptureOutputHandle) {
    self.captureOutput = captureOutput
  }
}

/// Pauses a recording: samples that are captured from now on aren't in it.
///
/// - Errors: `operationNotAllowed`
public struct CaptureOutputPauseRecording: EngineRequest {
  public static let method = "captureOutput/pauseRecording"
  public typealias Result = EmptyResult

  /// The output.
  public var captureOutput: CaptureOutputHandle

  /// Makes the value from its members.
  public init(captureOutput: CaptureOutputHandle) {
    self.captureOutput = captureOutput
  }
}

/// Continues a paused recording. The pause is cut out of all tracks alike.
///
/// - Errors: `operationNotAllowed`
public struct CaptureOutputResumeRecording: EngineRequest {
  public static let method = "captureOutput/resumeRecording"
  public typealias Result = EmptyResult

  /// The output.
  public var captureOutput: CaptureOutputHandle

  /// Makes the value from its members.
  public init(captureOutput: CaptureOutputHandle) {
    self.captureOutput = captureOutput
  }
}

/// Returns one moment of an output's recording.
///
/// - Errors: `operationNotAllowed`
public struct CaptureOutputRecordingState: EngineRequest {
  public static let method = "captureOutput/recordingState"

  /// The moment.
  public struct Result: Codable, Sendable, Equatable {
    /// True while a recording is in progress.
    public var isRecording: Bool
    /// True while it is paused.
    public var isPaused: Bool
    /// The path of the file.
    public var outputURL: String?
    /// The duration of the longest track.
    public var recordedDuration: WireTime
    /// The size of the part of the file that is written, in bytes.
    public var recordedFileSize: Int64

    package init(
      isRecording: Bool, isPaused: Bool, outputURL: String? = nil, recordedDuration: WireTime,
      recordedFileSize: Int64
    ) {
      self.isRecording = isRecording
      self.isPaused = isPaused
      self.outputURL = outputURL
      self.recordedDuration = recordedDuration
      self.recordedFileSize = recordedFileSize
    }
  }

  /// The output.
  public var captureOutput: CaptureOutputHandle

  /// Makes the value from its members.
  public init(captureOutput: CaptureOutputHandle) {
    self.captureOutput = captureOutput
  }
}
