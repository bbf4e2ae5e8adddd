import JSONRPC

/// Returns the waiting samples of a data output, or the next one. If none comes in time, the list is empty,
/// which is no error; on a manual clock it doesn't wait.
///
/// - Errors: `operationNotAllowed`, `leasesExhausted`
public struct CaptureOutputNextSampleBuffers: EngineRequest {
  public static let method = "captureOutput/nextSampleBuffers"

  /// The samples.
  public struct Result: Codable, Sendable {
    /// The samples.
    public var sampleBuffers: [WireSampleBuffer]
    /// The samples that were dropped since the last answer.
    public var dropped: WireCaptureDrops
    /// True while the session runs.
    public var isRunning: Bool

    package init(sampleBuffers: [WireSampleBuffer], dropped: WireCaptureDrops, isRunning: Bool) {
      self.sampleBuffers = sampleBuffers
      self.dropped = dropped
      self.isRunning = isRunning
    }
  }

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The maximum number of samples, from 1 to 256.
  ///
  /// - Default: `1`
  public var maxCount: Int?
  /// The maximum time to wait for the first sample, in milliseconds.
  ///
  /// - Default: `1000`
  public var timeoutMs: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(captureOutput: CaptureOutputHandle, maxCount: Int? = nil, timeoutMs: Int? = nil) {
    self.captureOutput = captureOutput
    self.maxCount = maxCount
    self.timeoutMs = timeoutMs
  }
}

/// Delivers samples of an output that pushes.
public struct CaptureOutputDidOutput: NotificationType {
  public static let method = "captureOutput/didOutput"

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The samples.
  public var sampleBuffers: [WireSampleBuffer]
  /// The samples that were dropped since the last notification.
  public var dropped: WireCaptureDrops

  package init(
    captureOutput: CaptureOutputHandle, sampleBuffers: [WireSampleBuffer],
    dropped: WireCaptureDrops
  ) {
    self.captureOutput = captureOutput
    self.sampleBuffers = sampleBuffers
    self.dropped = dropped
  }
}

/// The reason for which samples were dropped.
public enum WireCaptureDropReason: String, Codable, Sendable, CaseIterable {
  /// The receiver of the samples was late.
  case late
  /// The client holds the maximum number, or there was no memory, or no place in the file: after its limit, and at a lower
  /// frame rate.
  case outOfBuffers
  /// The device left them out.
  case discontinuity
}

/// Reports samples that were dropped, at most every half second for each reason. The counts add up to the
/// total.
public struct CaptureOutputDidDrop: NotificationType {
  public static let method = "captureOutput/didDrop"

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The reason.
  public var reason: WireCaptureDropReason
  /// The number of dropped samples since the last notification.
  public var count: Int
  /// The time of the last of them.
  public var presentationTime: WireTime

  package init(
    captureOutput: CaptureOutputHandle, reason: WireCaptureDropReason, count: Int,
    presentationTime: WireTime
  ) {
    self.captureOutput = captureOutput
    self.reason = reason
    self.count = count
    self.presentationTime = presentationTime
  }
}

/// Captures the next frame of a `photo` output as an image, in the full size of the session's format.
///
/// - Errors: `sessionNotRunning`, `operationNotAllowed`, `unsupportedOutputSettings`, `encoderNotFound`,
/// `maximumStillImageCaptureRequestsExceeded`
public struct CaptureOutputCapturePhoto: EngineRequest {
  public static let method = "captureOutput/capturePhoto"
  public static let placement = Placement.devices
  public typealias Result = OperationReply<CaptureOutputDidFinishCapture>

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The format.
  ///
  /// - Default: `"jpeg"`
  public var format: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The width in pixels; the frame's when absent.
  public var width: Int?
  /// The destination of the bytes.
  ///
  /// - Default: `"shm"`
  public var delivery: WireVideoOutputDelivery?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    captureOutput: CaptureOutputHandle, format: WireImageFormat? = nil, quality: Double? = nil,
    width: Int? = nil, delivery: WireVideoOutputDelivery? = nil, completion: WireCompletion? = nil
  ) {
    self.captureOutput = captureOutput
    self.format = format
    self.quality = quality
    self.width = width
    self.delivery = delivery
    self.completion = completion
  }
}

extension CaptureOutputCapturePhoto: OperationRequest {
  package typealias Terminal = CaptureOutputDidFinishCapture

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      CaptureOutputDidFinishCapture(
        operation: operation, captureOutput: captureOutput, result: .failed,
        error: error.about(captureOutput))
    ]
  }
}

/// Reports that the frame of a photo has arrived.
public struct CaptureOutputWillCapture: NotificationType {
  public static let method = "captureOutput/willCapture"

  /// The photo's operation.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The frame's time.
  public var time: WireTime

  package init(operation: OperationHandle, captureOutput: CaptureOutputHandle, time: WireTime) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.time = time
  }
}

/// Reports the end of a photo.
public struct CaptureOutputDidFinishCapture: NotificationType {
  public static let method = "captureOutput/didFinishCapture"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The outcome.
  public var result: WireOutcome
  /// The layout of pixels in the bytes; absent if the image has a file format.
  public var image: WireImageLayout?
  /// The bytes.
  public var blob: WireBlob?
  /// The frame's time.
  public var time: WireTime?
  /// The reason for a missing photo.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, captureOutput: CaptureOutputHandle, result: WireOutcome,
    image: WireImageLayout? = nil, blob: WireBlob? = nil, time: WireTime? = nil,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.captureOutput = captureOutput
    self.result = result
    self.image = image
    self.blob = blob
    self.time = time
    self.error = error
  }
}

/// The level of a channel over the last 50 ms, in decibels of full scale, from -160 to 0 and above.
public struct WireCaptureLevel: Codable, Sendable, Equatable {
  /// The mean power.
  public var averagePowerLevel: Double
  /// The maximum sample.
  public var peakHoldLevel: Double

  package init(averagePowerLevel: Double, peakHoldLevel: Double) {
    self.averagePowerLevel = averagePowerLevel
    self.peakHoldLevel = peakHoldLevel
  }
}

/// Returns the levels of an output's audio.
///
/// - Errors: `sessionNotRunning`, `operationNotAllowed`
public struct CaptureOutputLevels: EngineRequest {
  public static let method = "captureOutput/levels"

  /// The levels.
  public struct Result: Codable, Sendable, Equatable {
    /// The time at which the measured audio ends.
    public var time: WireTime
    /// The levels of all channels; empty before the first sample.
    public var channels: [WireCaptureLevel]

    package init(time: WireTime, channels: [WireCaptureLevel]) {
      self.time = time
      self.channels = channels
    }
  }

  /// The output.
  public var captureOutput: CaptureOutputHandle

  /// Makes the value from its members.
  public init(captureOutput: CaptureOutputHandle) {
    self.captureOutput = captureOutput
  }
}

/// Starts or stops ``CaptureOutputDidMeasureLevels``.
///
/// - Errors: `operationNotAllowed`
public struct CaptureOutputObserveLevels: EngineRequest {
  public static let method = "captureOutput/observeLevels"
  public typealias Result = EmptyResult

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The time between two notifications, at least 0.01 seconds.
  ///
  /// - Default: `0.05`
  public var interval: WireTime?
  /// False to stop the notifications.
  ///
  /// - Default: `true`
  public var isObserving: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    captureOutput: CaptureOutputHandle, interval: WireTime? = nil, isObserving: Bool? = nil
  ) {
    self.captureOutput = captureOutput
    self.interval = interval
    self.isObserving = isObserving
  }
}

/// Delivers the levels of an output's audio.
public struct CaptureOutputDidMeasureLevels: NotificationType {
  public static let method = "captureOutput/didMeasureLevels"

  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The time at which the measured audio ends.
  public var time: WireTime
  /// The levels of all channels.
  public var channels: [WireCaptureLevel]

  package init(captureOutput: CaptureOutputHandle, time: WireTime, channels: [WireCaptureLevel]) {
    self.captureOutput = captureOutput
    self.time = time
    self.channels = channels
  }
}
