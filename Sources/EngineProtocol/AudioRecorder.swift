import JSONRPC
import MediaTime

/// Creates a recorder of a device's audio. It creates no file yet, and opens no device.
///
/// - Errors: `deviceNotConnected`, `deviceAlreadyUsedByAnotherSession`,
/// `applicationIsNotAuthorizedToUseDevice`, `unsupportedOutputSettings`, `incorrectlyConfigured`
public struct AudioRecorderCreate: EngineRequest {
  public static let method = "audioRecorder/create"
  public static let placement = Placement.devices
  public static let objects: [HandleKind] = [.audioRecorder]

  /// The recorder.
  public struct Result: Codable, Sendable, Equatable {
    /// The recorder's handle.
    public var audioRecorder: AudioRecorderHandle

    package init(audioRecorder: AudioRecorderHandle) {
      self.audioRecorder = audioRecorder
    }
  }

  /// The file to create, a path or a `file:` URL.
  ///
  /// - Path: `written`
  public var url: String
  /// The encoding of the audio; when absent, that of the type of the file.
  public var settings: WireAudioEncoding?
  /// The `uniqueID` of the device, or `default` for the default microphone.
  ///
  /// - Default: `"default"`
  public var device: String?
  /// The clock.
  ///
  /// - Default: `"host"`
  public var clock: WireCaptureClock?
  /// The settings of the device's input, as in ``CaptureSessionConfigure``.
  public var deviceSettings: WireCaptureSettings?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    url: String, settings: WireAudioEncoding? = nil, device: String? = nil,
    clock: WireCaptureClock? = nil, deviceSettings: WireCaptureSettings? = nil
  ) {
    self.url = url
    self.settings = settings
    self.device = device
    self.clock = clock
    self.deviceSettings = deviceSettings
  }
}

/// Creates the file and starts the device, so that recording begins at once.
///
/// - Errors: `fileAlreadyExists`, `pathNotAllowed`, `invalidOutputURLPathExtension`,
/// `unsupportedOutputSettings`, `diskFull`, `deviceNotConnected`, `deviceInUseByAnotherApplication`,
/// `failedToLoadMediaData`
public struct AudioRecorderPrepareToRecord: EngineRequest {
  public static let method = "audioRecorder/prepareToRecord"
  public typealias Result = EmptyResult

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle) {
    self.audioRecorder = audioRecorder
  }
}

/// Starts recording, or continues after a pause.
///
/// The recording ends with ``AudioRecorderDidFinishRecording``. The operation of a request that continues after a pause
/// has the same end as that of the start.
///
/// - Errors: `recordingAlreadyInProgress`, `fileAlreadyExists`, `pathNotAllowed`,
/// `invalidOutputURLPathExtension`, `unsupportedOutputSettings`, `diskFull`, `deviceNotConnected`,
/// `deviceInUseByAnotherApplication`, `failedToLoadMediaData`
public struct AudioRecorderRecord: EngineRequest {
  public static let method = "audioRecorder/record"
  public static let writesFile = true
  public typealias Result = OperationReply<AudioRecorderDidFinishRecording>

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle
  /// The time of the clock for the first sample; as soon as possible when absent.
  public var atHostTime: WireTime?
  /// The duration after which it stops automatically.
  public var forDuration: WireTime?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    audioRecorder: AudioRecorderHandle, atHostTime: WireTime? = nil, forDuration: WireTime? = nil,
    completion: WireCompletion? = nil
  ) {
    self.audioRecorder = audioRecorder
    self.atHostTime = atHostTime
    self.forDuration = forDuration
    self.completion = completion
  }
}

extension AudioRecorderRecord: OperationRequest {
  package typealias Terminal = AudioRecorderDidFinishRecording

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AudioRecorderDidFinishRecording(
        operation: operation, audioRecorder: audioRecorder, successfully: false,
        recordedDuration: WireTime(.zero), error: error.about(audioRecorder))
    ]
  }
}

/// Reports the end of a recording. It is always sent, also after an interruption.
public struct AudioRecorderDidFinishRecording: NotificationType {
  public static let method = "audioRecorder/didFinishRecording"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The recorder.
  public var audioRecorder: AudioRecorderHandle
  /// The path of the file; absent if the worker process has died.
  public var url: String?
  /// True if the file is as requested.
  public var successfully: Bool
  /// The duration of the recording in the file.
  public var recordedDuration: WireTime
  /// The channels that the file can't hold; absent if it holds all.
  public var dropped: [WireDropped]?
  /// The reason, if it isn't.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, audioRecorder: AudioRecorderHandle, url: String? = nil,
    successfully: Bool, recordedDuration: WireTime, dropped: [WireDropped]? = nil,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.audioRecorder = audioRecorder
    self.url = url
    self.successfully = successfully
    self.recordedDuration = recordedDuration
    self.dropped = dropped
    self.error = error
  }
}

/// Pauses: audio that is captured from now on isn't in the file.
///
/// - Errors: `operationNotAllowed`
public struct AudioRecorderPause: EngineRequest {
  public static let method = "audioRecorder/pause"
  public typealias Result = EmptyResult

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle) {
    self.audioRecorder = audioRecorder
  }
}

/// Completes the file, and releases the device. It does nothing if nothing is being recorded.
public struct AudioRecorderStop: EngineRequest {
  public static let method = "audioRecorder/stop"
  public typealias Result = EmptyResult

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle) {
    self.audioRecorder = audioRecorder
  }
}

/// Removes the file that the recorder created last, but no other file that has replaced it at its path.
///
/// - Errors: `operationNotAllowed`
public struct AudioRecorderDeleteRecording: EngineRequest {
  public static let method = "audioRecorder/deleteRecording"
  public typealias Result = EmptyResult

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle) {
    self.audioRecorder = audioRecorder
  }
}

/// Returns one moment of a recorder.
public struct AudioRecorderState: EngineRequest {
  public static let method = "audioRecorder/state"

  /// The moment.
  public struct Result: Codable, Sendable, Equatable {
    /// True while it records, and isn't paused.
    public var isRecording: Bool
    /// The duration of the recording so far; 0 if nothing is being recorded.
    public var currentTime: WireTime
    /// The time of the clock.
    public var deviceCurrentTime: WireTime

    package init(isRecording: Bool, currentTime: WireTime, deviceCurrentTime: WireTime) {
      self.isRecording = isRecording
      self.currentTime = currentTime
      self.deviceCurrentTime = deviceCurrentTime
    }
  }

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle) {
    self.audioRecorder = audioRecorder
  }
}

/// Returns the levels of the audio that is recorded.
///
/// - Errors: `sessionNotRunning`
public struct AudioRecorderMeters: EngineRequest {
  public static let method = "audioRecorder/meters"

  /// The levels.
  public struct Result: Codable, Sendable, Equatable {
    /// The time at which the measured audio ends.
    public var time: WireTime
    /// The levels of all channels.
    public var channels: [WireCaptureLevel]

    package init(time: WireTime, channels: [WireCaptureLevel]) {
      self.time = time
      self.channels = channels
    }
  }

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle) {
    self.audioRecorder = audioRecorder
  }
}

/// Moves a manual clock.
///
/// - Errors: `operationNotAllowed`, `sessionNotRunning`
public struct AudioRecorderAdvanceClock: EngineRequest {
  public static let method = "audioRecorder/advanceClock"

  /// The clock.
  public struct Result: Codable, Sendable, Equatable {
    /// The time of the clock.
    public var time: WireTime

    package init(time: WireTime) {
      self.time = time
    }
  }

  /// The recorder.
  public var audioRecorder: AudioRecorderHandle
  /// The time to advance by, above 0.
  public var by: WireTime

  /// Makes the value from its members.
  public init(audioRecorder: AudioRecorderHandle, by: WireTime) {
    self.audioRecorder = audioRecorder
    self.by = by
  }
}
