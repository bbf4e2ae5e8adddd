import JSONRPC
import MediaTime

/// What becomes of the tracks of a recording.
public struct WireRecordingSettings: Codable, Sendable, Equatable {
  /// How video is encoded: with `h264` in `quality` 0.6 when absent; `null` leaves it out.
  public var video: WireVideoTreatment?
  /// How audio is encoded: with `aac` of 128 kbit/s a pair of channels in movies when absent; `null` leaves it out.
  public var audio: WireAudioTreatment?

  /// Makes the value; what is left out is absent on the wire.
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
/// The file has its name from the start, with mode 0600. It is written in fragments, and is of use up to the
/// last one whatever happens; after a clean stop it is a plain movie. The recording begins with the first
/// sample of a running session, and its zero is the first instant at which each connected track has one.
///
/// Where a recording goes on, it ends, and this one begins with the next sample, of which none is lost.
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
  /// The file to make, a path or a `file:` URL.
  ///
  /// - Path: `written`
  public var outputURL: String
  /// The type of the file, a short name or a uniform type; from the path's extension when absent.
  public var fileType: String?
  /// What becomes of the tracks.
  public var settings: WireRecordingSettings?
  /// The metadata of the file.
  public var metadata: [WireMetadataEntry]?
  /// The duration at which it ends, with `maximumDurationReached`.
  public var maxRecordedDuration: WireTime?
  /// The bytes that the file has at most; it ends with `maximumFileSizeReached`.
  public var maxRecordedFileSize: Int64?
  /// The bytes that stay free on the disk; it ends with `diskFull`.
  ///
  /// - Default: `67108864`
  public var minFreeDiskSpaceLimit: Int64?
  /// The time between two fragments, from 0.1 to 60 seconds; `"invalid"` for a plain file that is complete or
  /// absent.
  ///
  /// - Default: `2`
  public var movieFragmentInterval: WireTime?
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
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

/// Reports that a recording has its first sample. It doesn't come where there never was one.
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

/// Reports that a recording goes on after a pause.
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

/// Reports that a recording takes no samples any more; the file is being finished. It comes exactly once,
/// before the end.
public struct CaptureOutputWillFinishRecording: NotificationType {
  public static let method = "captureOutput/willFinishRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String
  /// Why it ends, where that isn't the client's wish.
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

/// How a recording has ended.
public enum WireRecordingStatus: String, Codable, Sendable, CaseIterable {
  /// As it was to.
  case completed
  /// By an error, also a limit that was reached.
  case failed
  /// It was cancelled.
  case cancelled
}

/// What has become of a track: counts are frames of video, and samples a channel of audio.
public struct WireRecordedTrack: Codable, Sendable, Equatable {
  /// `video` or `audio`.
  public var mediaType: WireMediaType
  /// What is in the file.
  public var written: Int
  /// What isn't.
  public var dropped: WireCaptureDrops
  /// Silence in place of what is missing.
  public var inserted: Int
  /// What came before the recording's zero.
  public var trimmed: Int
  /// How much the device's clock is fast, in millionths.
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

/// Reports the end of a recording. It comes exactly once, whatever ends it.
public struct CaptureOutputDidFinishRecording: NotificationType {
  public static let method = "captureOutput/didFinishRecording"

  /// The recording's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The path of the file.
  public var outputURL: String
  /// How it ended.
  public var status: WireRecordingStatus
  /// True where the file can be used, whatever the error.
  public var recordingSuccessfullyFinished: Bool
  /// True of a movie that isn't in fragments.
  public var isPlainMovie: Bool
  /// The duration of the longest track.
  public var recordedDuration: WireTime
  /// In bytes.
  public var recordedFileSize: Int64
  /// The tracks, in the order of the file.
  public var tracks: [WireRecordedTrack]
  /// Why it ended, where that isn't the client's wish.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, captureOutput: CaptureOutputHandle, outputURL: String,
    status: WireRecordingStatus, recordingSuccessfullyFinished: Bool, isPlainMovie: Bool,
    recordedDuration: WireTime, recordedFileSize: Int64, tracks: [WireRecordedTrack],
    error: ErrorObject? = nil
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
    self.error = error
  }
}

/// Stops a recording: what is captured until now is in it. ``CaptureOutputDidFinishRecording`` follows.
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

/// Pauses a recording: what is captured from now on isn't in it.
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

/// Goes on with a paused recording. What was left out is cut out of all tracks alike.
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
    /// True while a recording goes on.
    public var isRecording: Bool
    /// True while it is paused.
    public var isPaused: Bool
    /// The path of the file.
    public var outputURL: String?
    /// The duration of the longest track.
    public var recordedDuration: WireTime
    /// In bytes, as far as it is written.
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
