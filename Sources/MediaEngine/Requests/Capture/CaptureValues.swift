public import MediaTime

/// The clock of a capture session.
public enum CaptureClock: String, Sendable, CaseIterable {
  /// The system's monotonic clock.
  case host
  /// A clock that the caller moves, for synthetic devices.
  case manual
}

/// Samples that an output didn't get, by reason.
public struct CaptureDrops: Sendable, Hashable {
  /// The receiver of the samples was late.
  public var late = 0
  /// The client holds the maximum number, or there was no memory.
  public var outOfBuffers = 0
  /// The device left them out.
  public var discontinuity = 0

  public init() {}

  public var total: Int { late + outOfBuffers + discontinuity }

  mutating func count(_ number: Int, _ reason: CaptureDropReason) {
    switch reason {
    case .late: late += number
    case .outOfBuffers: outOfBuffers += number
    case .discontinuity: discontinuity += number
    }
  }
}

/// The reason for which a session stopped.
public enum CaptureStopReason: String, Sendable, CaseIterable {
  case requested, failed, closed
}

/// The reason for which a session, or one of its inputs, is interrupted.
public enum CaptureInterruptionReason: String, Sendable, CaseIterable {
  case deviceStalled, deviceInUse, serverGone
}

/// The statistics of one track of a recording.
public struct RecordedTrack: Sendable, Hashable {
  public var mediaType: MediaType
  /// The number of captured frames of video, or samples a channel of audio, that are in the file; the other numbers have the
  /// same units.
  public var written = 0
  public var dropped = CaptureDrops()
  /// The samples of silence in place of missing ones.
  public var inserted = 0
  /// The samples before the first instant at which all tracks have one.
  public var trimmed = 0
  /// The excess speed of the device's clock, in millionths; nil where it isn't known.
  public var drift: Double?
}

/// A recording that has ended.
public struct CaptureRecordingEnd: Sendable {
  public enum Status: String, Sendable { case completed, failed, cancelled }

  public var status: Status
  /// True where the file can be used, regardless of the cause of its end.
  public var isUsable: Bool
  /// True for a movie that isn't in fragments.
  public var isPlainMovie: Bool
  public var duration: Time
  public var fileSize: Int64
  public var tracks: [RecordedTrack]
  /// The metadata, pixels and channels that the file can't hold.
  public var dropped: [DroppedItem]
  public var error: EngineError?
  /// True where it ended because a track has all samples of the maximum duration.
  var isFull = false
}

/// The events of a capture session, in order.
public enum CaptureEvent: Sendable {
  case didStart(operation: Int, startTime: Time?, error: EngineError?)
  case didStop(operation: Int?, CaptureStopReason)
  case didFail(EngineError)
  /// A fact for the log.
  case noted(String, input: Int)
  case didChange(from: CaptureStatus, to: CaptureStatus)
  case wasInterrupted(CaptureInterruptionReason, input: Int?)
  case interruptionEnded(input: Int?)
  case didStartRecording(operation: Int, output: Int, path: String, startTime: Time)
  case didPauseRecording(operation: Int, output: Int, path: String)
  case didResumeRecording(operation: Int, output: Int, path: String)
  case willFinishRecording(operation: Int, output: Int, path: String, error: EngineError?)
  case didFinishRecording(operation: Int, output: Int, path: String, CaptureRecordingEnd)
  case didOutput(output: Int, [SampleBuffer], dropped: CaptureDrops)
  case didDrop(output: Int, CaptureDropReason, count: Int, presentationTime: Time)
  case willCapture(operation: Int, output: Int, time: Time)
  case didFinishCapture(operation: Int, output: Int, CapturedPhoto?, time: Time?, EngineError?)
  case didMeasureLevels(output: Int, CaptureLevels)
}

/// A photo, as pixels or as a file.
public struct CapturedPhoto: Sendable {
  public var image: SampleBuffer
}

/// The levels of the last 50 ms of an output's audio, in decibels of full scale from -160 on, a channel each.
public struct CaptureLevels: Sendable {
  public var time: Time
  public var average: [Double]
  public var peak: [Double]
}
