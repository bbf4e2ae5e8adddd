import JSONRPC

/// The clock of a session, on which all of its times are.
public enum WireCaptureClock: String, Codable, Sendable, CaseIterable {
  /// The system's monotonic clock.
  case host
  /// A clock that the client moves, from 0 on; only with synthetic devices.
  case manual
}

/// The authorization to use a kind of devices.
public enum WireAuthorizationStatus: String, Codable, Sendable, CaseIterable {
  /// The server was started without the permission.
  case denied
  /// They may be used.
  case authorized
  /// They can't be used here.
  case restricted
}

/// Returns the authorization to use a kind of devices. The server gets it when it is started, by
/// `--allow-capture`.
public struct CaptureAuthorizationStatus: EngineRequest {
  public static let method = "capture/authorizationStatus"
  public static let placement = Placement.devices

  /// The status.
  public struct Result: Codable, Sendable, Equatable {
    /// The status.
    public var status: WireAuthorizationStatus

    package init(status: WireAuthorizationStatus) {
      self.status = status
    }
  }

  /// The media of the devices: cameras, microphones and the audio that sinks play, or screens.
  public var mediaType: WireCaptureMediaType

  /// Makes the value from its members.
  public init(mediaType: WireCaptureMediaType) {
    self.mediaType = mediaType
  }
}

/// Creates a capture session, without inputs and outputs.
public struct CaptureSessionCreate: EngineRequest {
  public static let method = "captureSession/create"
  public static let placement = Placement.devices
  public static let objects: [HandleKind] = [.captureSession]

  /// The session.
  public struct Result: Codable, Sendable, Equatable {
    /// The session's handle. Closing it stops the session, and finishes its recordings.
    public var captureSession: CaptureSessionHandle

    package init(captureSession: CaptureSessionHandle) {
      self.captureSession = captureSession
    }
  }

  /// The rule by which the formats of devices are chosen.
  ///
  /// - Default: `"high"`
  public var preset: WireCapturePreset?
  /// The session's clock.
  ///
  /// - Default: `"host"`
  public var clock: WireCaptureClock?

  /// Makes the value; members that are left out are absent on the wire.
  public init(preset: WireCapturePreset? = nil, clock: WireCaptureClock? = nil) {
    self.preset = preset
    self.clock = clock
  }
}

/// Starts all inputs. ``CaptureSessionDidStart`` has the result; it is sent before the first sample of any
/// output.
public struct CaptureSessionStart: EngineRequest {
  public static let method = "captureSession/start"
  public static let placement = Placement.devices
  public typealias Result = OperationReply<CaptureSessionDidStart>

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(captureSession: CaptureSessionHandle, completion: WireCompletion? = nil) {
    self.captureSession = captureSession
    self.completion = completion
  }
}

extension CaptureSessionStart: OperationRequest {
  package typealias Terminal = CaptureSessionDidStart

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      CaptureSessionDidStart(
        operation: operation, captureSession: captureSession, error: error.about(captureSession))
    ]
  }
}

/// Reports that a session has started, or has failed to start.
public struct CaptureSessionDidStart: NotificationType {
  public static let method = "captureSession/didStart"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The time of the session's clock at which it started.
  public var startTime: WireTime?
  /// The reason for its failure to start.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, captureSession: CaptureSessionHandle, startTime: WireTime? = nil,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.captureSession = captureSession
    self.startTime = startTime
    self.error = error
  }
}

/// The reason for which a session stopped.
public enum WireCaptureStopReason: String, Codable, Sendable, CaseIterable {
  /// The client stopped it.
  case requested
  /// A failure stopped it; ``CaptureSessionDidFail`` was sent before.
  case failed
  /// It was closed.
  case closed
}

/// Ends recordings and stops all inputs. ``CaptureSessionDidStop`` is sent after the ends of recordings, also for
/// a session that didn't run.
public struct CaptureSessionStop: EngineRequest {
  public static let method = "captureSession/stop"
  public static let placement = Placement.devices
  public typealias Result = OperationReply<CaptureSessionDidStop>

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(captureSession: CaptureSessionHandle, completion: WireCompletion? = nil) {
    self.captureSession = captureSession
    self.completion = completion
  }
}

extension CaptureSessionStop: OperationRequest {
  package typealias Terminal = CaptureSessionDidStop

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      CaptureSessionDidStop(
        operation: operation, captureSession: captureSession, reason: .failed)
    ]
  }
}

/// Reports that a session has stopped. No notification of its outputs is sent after it.
public struct CaptureSessionDidStop: NotificationType {
  public static let method = "captureSession/didStop"

  /// The operation that has ended, if the client stopped it.
  public var operation: OperationHandle?
  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The reason.
  public var reason: WireCaptureStopReason

  package init(
    operation: OperationHandle? = nil, captureSession: CaptureSessionHandle,
    reason: WireCaptureStopReason
  ) {
    self.operation = operation
    self.captureSession = captureSession
    self.reason = reason
  }
}

/// Reports a failure that stops the session; ``CaptureSessionDidStop`` follows.
public struct CaptureSessionDidFail: NotificationType {
  public static let method = "captureSession/didFail"

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The failure.
  public var error: ErrorObject

  package init(captureSession: CaptureSessionHandle, error: ErrorObject) {
    self.captureSession = captureSession
    self.error = error
  }
}

/// The reason for which a session is interrupted.
public enum WireCaptureInterruptionReason: String, Codable, Sendable, CaseIterable {
  /// A device delivers nothing.
  case deviceStalled
  /// Another program uses a device.
  case deviceInUse
  /// The audio server is gone.
  case serverGone
}

/// Reports that an input delivers nothing for a while; the others continue.
public struct CaptureSessionWasInterrupted: NotificationType {
  public static let method = "captureSession/wasInterrupted"

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The reason.
  public var reason: WireCaptureInterruptionReason
  /// The input.
  public var captureInput: CaptureInputHandle?

  package init(
    captureSession: CaptureSessionHandle, reason: WireCaptureInterruptionReason,
    captureInput: CaptureInputHandle? = nil
  ) {
    self.captureSession = captureSession
    self.reason = reason
    self.captureInput = captureInput
  }
}

/// Reports that an input delivers samples again, also after its device was unplugged.
public struct CaptureSessionInterruptionEnded: NotificationType {
  public static let method = "captureSession/interruptionEnded"

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The input.
  public var captureInput: CaptureInputHandle?

  package init(captureSession: CaptureSessionHandle, captureInput: CaptureInputHandle? = nil) {
    self.captureSession = captureSession
    self.captureInput = captureInput
  }
}

/// The numbers of samples that an output didn't get, by reason: frames of video, and samples a channel of audio.
public struct WireCaptureDrops: Codable, Sendable, Equatable {
  /// The number for which the receiver was late.
  public var late: Int
  /// The number for which the client held the maximum number, or there was no memory, or no place in the file: after its
  /// limit, and at a lower frame rate.
  public var outOfBuffers: Int
  /// The number that the device left out.
  public var discontinuity: Int

  package init(late: Int, outOfBuffers: Int, discontinuity: Int) {
    self.late = late
    self.outOfBuffers = outOfBuffers
    self.discontinuity = discontinuity
  }
}

/// An input of a session.
public struct WireCaptureInputState: Codable, Sendable, Equatable {
  /// The input.
  public var captureInput: CaptureInputHandle
  /// The `uniqueID` of its device.
  public var device: String
  /// False while the device is unplugged.
  public var isConnected: Bool
  /// The numbers of frames and samples that it has captured since the start.
  public var captured: WireCapturedCounts
  /// The numbers that it left out.
  public var dropped: WireCaptureDrops
  /// The delay by which its times are corrected.
  public var latency: WireTime?

  package init(
    captureInput: CaptureInputHandle, device: String, isConnected: Bool,
    captured: WireCapturedCounts, dropped: WireCaptureDrops, latency: WireTime? = nil
  ) {
    self.captureInput = captureInput
    self.device = device
    self.isConnected = isConnected
    self.captured = captured
    self.dropped = dropped
    self.latency = latency
  }
}

/// The numbers of captured frames and samples.
public struct WireCapturedCounts: Codable, Sendable, Equatable {
  /// The number of frames; absent without video.
  public var video: Int?
  /// The number of samples a channel; absent without audio.
  public var audio: Int?

  package init(video: Int? = nil, audio: Int? = nil) {
    self.video = video
    self.audio = audio
  }
}

/// A recording in progress.
public struct WireCaptureRecordingState: Codable, Sendable, Equatable {
  /// The path of the file.
  public var outputURL: String
  /// True while it is paused.
  public var isPaused: Bool
  /// The duration of the longest track.
  public var recordedDuration: WireTime
  /// The size of the file in bytes, as far as it is written.
  public var recordedFileSize: Int64

  package init(
    outputURL: String, isPaused: Bool, recordedDuration: WireTime, recordedFileSize: Int64
  ) {
    self.outputURL = outputURL
    self.isPaused = isPaused
    self.recordedDuration = recordedDuration
    self.recordedFileSize = recordedFileSize
  }
}

/// An output of a session.
public struct WireCaptureOutputState: Codable, Sendable, Equatable {
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The type.
  public var type: WireCaptureOutputType
  /// The number of frames, or of samples a channel, that it got.
  public var delivered: Int
  /// The samples that it didn't get.
  public var dropped: WireCaptureDrops
  /// The recording in progress.
  public var recording: WireCaptureRecordingState?

  package init(
    captureOutput: CaptureOutputHandle, type: WireCaptureOutputType, delivered: Int,
    dropped: WireCaptureDrops, recording: WireCaptureRecordingState? = nil
  ) {
    self.captureOutput = captureOutput
    self.type = type
    self.delivered = delivered
    self.dropped = dropped
    self.recording = recording
  }
}

/// Returns one moment of a session.
public struct CaptureSessionState: EngineRequest {
  public static let method = "captureSession/state"

  /// The moment.
  public struct Result: Codable, Sendable, Equatable {
    /// True while it runs.
    public var isRunning: Bool
    /// True while an input delivers nothing.
    public var isInterrupted: Bool
    /// The clock.
    public var clock: WireCaptureClock
    /// The time of the clock.
    public var time: WireTime
    /// The inputs.
    public var inputs: [WireCaptureInputState]
    /// The outputs.
    public var outputs: [WireCaptureOutputState]

    package init(
      isRunning: Bool, isInterrupted: Bool, clock: WireCaptureClock, time: WireTime,
      inputs: [WireCaptureInputState], outputs: [WireCaptureOutputState]
    ) {
      self.isRunning = isRunning
      self.isInterrupted = isInterrupted
      self.clock = clock
      self.time = time
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// The session.
  public var captureSession: CaptureSessionHandle

  /// Makes the value from its members.
  public init(captureSession: CaptureSessionHandle) {
    self.captureSession = captureSession
  }
}

/// Moves a manual clock: captures everything that begins before the new time, audio to the exact sample. It is
/// answered when all of that is encoded, delivered and reported.
///
/// - Errors: `operationNotAllowed`, `sessionNotRunning`
public struct CaptureSessionAdvanceClock: EngineRequest {
  public static let method = "captureSession/advanceClock"

  /// The results.
  public struct Result: Codable, Sendable, Equatable {
    /// The time of the clock.
    public var time: WireTime
    /// The number of frames and buffers of audio that were captured.
    public var captured: Int
    /// The number of notifications that resulted, all of them sent before this answer.
    public var notifications: Int

    package init(time: WireTime, captured: Int, notifications: Int) {
      self.time = time
      self.captured = captured
      self.notifications = notifications
    }
  }

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The time to advance by, above 0.
  public var by: WireTime

  /// Makes the value from its members.
  public init(captureSession: CaptureSessionHandle, by: WireTime) {
    self.captureSession = captureSession
    self.by = by
  }
}
