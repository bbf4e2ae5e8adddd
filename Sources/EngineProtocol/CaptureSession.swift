import JSONRPC

/// The clock of a session, which all of its times are on.
public enum WireCaptureClock: String, Codable, Sendable, CaseIterable {
  /// The system's monotonic clock.
  case host
  /// One that the client moves, from 0 on, with synthetic devices alone.
  case manual
}

/// Whether a kind of devices may be used.
public enum WireAuthorizationStatus: String, Codable, Sendable, CaseIterable {
  /// The server was started without the permission.
  case denied
  /// They may be used.
  case authorized
  /// They can't be used here.
  case restricted
}

/// Returns whether a kind of devices may be used. The server is given that when it is started, by
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

  /// The media of the devices: cameras, microphones with what sinks play, or screens.
  public var mediaType: WireCaptureMediaType

  /// Makes the value from its members.
  public init(mediaType: WireCaptureMediaType) {
    self.mediaType = mediaType
  }
}

/// Makes a capture session, without inputs and outputs.
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

  /// What picks the formats of devices.
  ///
  /// - Default: `"high"`
  public var preset: WireCapturePreset?
  /// The session's clock.
  ///
  /// - Default: `"host"`
  public var clock: WireCaptureClock?

  /// Makes the value; what is left out is absent on the wire.
  public init(preset: WireCapturePreset? = nil, clock: WireCaptureClock? = nil) {
    self.preset = preset
    self.clock = clock
  }
}

/// Starts all inputs. ``CaptureSessionDidStart`` has the result; it comes before the first sample of any
/// output.
public struct CaptureSessionStart: EngineRequest {
  public static let method = "captureSession/start"
  public static let placement = Placement.devices
  public typealias Result = OperationReply<CaptureSessionDidStart>

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
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

/// Reports that a session has started, or why it hasn't.
public struct CaptureSessionDidStart: NotificationType {
  public static let method = "captureSession/didStart"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The session.
  public var captureSession: CaptureSessionHandle
  /// The time of the session's clock at which it started.
  public var startTime: WireTime?
  /// Why it didn't start.
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

/// Why a session has stopped.
public enum WireCaptureStopReason: String, Codable, Sendable, CaseIterable {
  /// The client stopped it.
  case requested
  /// Something failed; ``CaptureSessionDidFail`` came before.
  case failed
  /// It was closed.
  case closed
}

/// Ends recordings and stops all inputs. ``CaptureSessionDidStop`` comes after the ends of recordings, also of
/// a session that didn't run.
public struct CaptureSessionStop: EngineRequest {
  public static let method = "captureSession/stop"
  public static let placement = Placement.devices
  public typealias Result = OperationReply<CaptureSessionDidStop>

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
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

/// Reports that a session has stopped. Nothing of its outputs comes after it.
public struct CaptureSessionDidStop: NotificationType {
  public static let method = "captureSession/didStop"

  /// The operation that has ended, where the client stopped it.
  public var operation: OperationHandle?
  /// The session.
  public var captureSession: CaptureSessionHandle
  /// Why it stopped.
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

/// Why a session is interrupted.
public enum WireCaptureInterruptionReason: String, Codable, Sendable, CaseIterable {
  /// A device brings nothing.
  case deviceStalled
  /// Another program has taken a device.
  case deviceInUse
  /// The audio server is gone.
  case serverGone
}

/// Reports that an input brings nothing for a while; the others go on.
public struct CaptureSessionWasInterrupted: NotificationType {
  public static let method = "captureSession/wasInterrupted"

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// Why.
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

/// Reports that an input goes on, also after its device was unplugged.
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

/// Samples that an output didn't get, by reasons: frames of video, and samples a channel of audio.
public struct WireCaptureDrops: Codable, Sendable, Equatable {
  /// What takes them was behind.
  public var late: Int
  /// The client holds as many as it may, or there was no memory.
  public var outOfBuffers: Int
  /// The device left them out.
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
  /// What it has captured since the start.
  public var captured: WireCapturedCounts
  /// What it left out.
  public var dropped: WireCaptureDrops
  /// The delay that its times are corrected by.
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

/// Counts of what was captured.
public struct WireCapturedCounts: Codable, Sendable, Equatable {
  /// Frames; absent without video.
  public var video: Int?
  /// Samples a channel; absent without audio.
  public var audio: Int?

  package init(video: Int? = nil, audio: Int? = nil) {
    self.video = video
    self.audio = audio
  }
}

/// A recording that goes on.
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
  /// Frames and samples a channel that it got.
  public var delivered: Int
  /// The samples that it didn't get.
  public var dropped: WireCaptureDrops
  /// The recording that goes on.
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
    /// True while an input brings nothing.
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

/// Moves a manual clock: captures all that begins before the new time, audio to the sample. It is answered once
/// that is encoded, delivered and reported.
///
/// - Errors: `operationNotAllowed`, `sessionNotRunning`
public struct CaptureSessionAdvanceClock: EngineRequest {
  public static let method = "captureSession/advanceClock"

  /// What has come of it.
  public struct Result: Codable, Sendable, Equatable {
    /// The time of the clock.
    public var time: WireTime
    /// The number of frames and buffers of audio that were captured.
    public var captured: Int
    /// The number of notifications that came of it, all of them before this answer.
    public var notifications: Int

    package init(time: WireTime, captured: Int, notifications: Int) {
      self.time = time
      self.captured = captured
      self.notifications = notifications
    }
  }

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// How far, above 0.
  public var by: WireTime

  /// Makes the value from its members.
  public init(captureSession: CaptureSessionHandle, by: WireTime) {
    self.captureSession = captureSession
    self.by = by
  }
}
