import JSONRPC

/// States whether a file of a type can have an input.
public struct AssetWriterCanAdd: EngineRequest {
  public static let method = "assetWriter/canAdd"
  public static let placement = Placement.main

  /// The answer.
  public struct Result: Codable, Sendable, Equatable {
    /// True when it can.
    public var possible: Bool
    /// All reasons against it, each as a sentence.
    public var reasons: [String]

    package init(possible: Bool, reasons: [String]) {
      self.possible = possible
      self.reasons = reasons
    }
  }

  /// The type of the file, a short name or a uniform type.
  public var outputFileType: String
  /// The input.
  public var input: WireWriterInput

  /// Makes the value from its members.
  public init(outputFileType: String, input: WireWriterInput) {
    self.outputFileType = outputFileType
    self.input = input
  }
}

/// Starts writing, once.
///
/// - Errors: `operationNotAllowed`, `fileAlreadyExists`, `pathNotAllowed`, `diskFull`
public struct AssetWriterStart: EngineRequest {
  public static let method = "assetWriter/start"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The writer.
  public var assetWriter: AssetWriterHandle

  /// Makes the value from its members.
  public init(assetWriter: AssetWriterHandle) { self.assetWriter = assetWriter }
}

/// Begins the session: a sample of that time is presented at the start of the file.
///
/// Once, after ``AssetWriterStart`` and before the first sample.
///
/// - Errors: `operationNotAllowed`, `unsupportedOutputSettings`
public struct AssetWriterStartSession: EngineRequest {
  public static let method = "assetWriter/startSession"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The time on the clock of the samples.
  public var sourceTime: WireTime

  /// Makes the value from its members.
  public init(assetWriter: AssetWriterHandle, sourceTime: WireTime) {
    self.assetWriter = assetWriter
    self.sourceTime = sourceTime
  }
}

/// Ends the session: samples that are presented from that time on aren't shown.
///
/// Samples that were encoded before are cut off: hidden by an edit list if the file has one at its end, else left out
/// when the writer is finished, for which the file is copied once more. Of packets of audio that can't be cut the
/// last one stays whole. Segments that were delivered stay as they are.
///
/// Optional: ``AssetWriterFinish`` ends it with the last sample.
///
/// - Errors: `operationNotAllowed`, `unsupportedOutputSettings`
public struct AssetWriterEndSession: EngineRequest {
  public static let method = "assetWriter/endSession"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The time on the clock of the samples.
  public var sourceTime: WireTime

  /// Makes the value from its members.
  public init(assetWriter: AssetWriterHandle, sourceTime: WireTime) {
    self.assetWriter = assetWriter
    self.sourceTime = sourceTime
  }
}

/// The status of a writer.
public enum WireWriterStatus: String, Codable, Sendable, CaseIterable {
  /// It was not started.
  case unknown
  /// It accepts samples.
  case writing
  /// The file is complete.
  case completed
  /// It failed; `error` is the reason.
  case failed
  /// It was cancelled.
  case cancelled
}

/// The status of an input.
public struct WireInputStatus: Codable, Sendable, Equatable {
  /// The input.
  public var input: InputHandle
  /// The number of samples that it has accepted.
  public var appended: Int
  /// True when it accepts more without waiting.
  public var isReadyForMoreMediaData: Bool
  /// The input that has to get samples before this one can.
  public var waitsFor: InputHandle?

  package init(
    input: InputHandle, appended: Int, isReadyForMoreMediaData: Bool, waitsFor: InputHandle? = nil
  ) {
    self.input = input
    self.appended = appended
    self.isReadyForMoreMediaData = isReadyForMoreMediaData
    self.waitsFor = waitsFor
  }
}

/// Returns the status of a writer, without waiting for it.
public struct AssetWriterStatus: EngineRequest {
  public static let method = "assetWriter/status"
  public static let placement = Placement.main

  /// The status.
  public struct Result: Codable, Sendable, Equatable {
    /// The status.
    public var status: WireWriterStatus
    /// The reason for its failure or cancellation.
    public var error: ErrorObject?
    /// The status of each of its inputs.
    public var inputs: [WireInputStatus]

    package init(
      status: WireWriterStatus, error: ErrorObject? = nil, inputs: [WireInputStatus]
    ) {
      self.status = status
      self.error = error
      self.inputs = inputs
    }
  }

  /// The writer.
  public var assetWriter: AssetWriterHandle

  /// Makes the value from its members.
  public init(assetWriter: AssetWriterHandle) { self.assetWriter = assetWriter }
}

/// Marks all inputs as finished, writes the rest, and gives the file its name.
///
/// The work ends with ``AssetWriterDidFinish``; a failure is reported there, and is not an error of this
/// request.
///
/// - Errors: `operationNotAllowed`
public struct AssetWriterFinish: EngineRequest {
  public static let method = "assetWriter/finish"
  public static let placement = Placement.main
  public static let writesFile = true
  public typealias Result = OperationReply<AssetWriterDidFinish>

  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(assetWriter: AssetWriterHandle, completion: WireCompletion? = nil) {
    self.assetWriter = assetWriter
    self.completion = completion
  }
}

extension AssetWriterFinish: OperationRequest {
  package typealias Terminal = AssetWriterDidFinish

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AssetWriterDidFinish(
        operation: operation, assetWriter: assetWriter, status: .failed,
        error: error.about(assetWriter))
    ]
  }
}

/// Reports the end of a writer's work.
public struct AssetWriterDidFinish: NotificationType {
  public static let method = "assetWriter/didFinish"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The outcome: `completed`, `failed` or `cancelled`.
  public var status: WireWriterStatus
  /// The file, if it exists.
  public var outputURL: String?
  /// The size of the file in bytes, or of all segments together.
  public var fileSize: Int64?
  /// The duration of the media that was written.
  public var duration: WireTime?
  /// The parts of the samples that are not in the file; absent if all are.
  public var dropped: [WireDropped]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, assetWriter: AssetWriterHandle, status: WireWriterStatus,
    outputURL: String? = nil, fileSize: Int64? = nil, duration: WireTime? = nil,
    dropped: [WireDropped]? = nil, error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.assetWriter = assetWriter
    self.status = status
    self.outputURL = outputURL
    self.fileSize = fileSize
    self.duration = duration
    self.dropped = dropped
    self.error = error
  }
}

/// Cancels a writer, which leaves no file, not even one of fragments; a writer that has ended stays as it is.
public struct AssetWriterCancel: EngineRequest {
  public static let method = "assetWriter/cancel"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The writer.
  public var assetWriter: AssetWriterHandle

  /// Makes the value from its members.
  public init(assetWriter: AssetWriterHandle) { self.assetWriter = assetWriter }
}

/// Ends the segment after the samples that have been appended; only if the segments' interval is indefinite.
///
/// The segment is delivered when the next one has begun, and the encoder has returned all of it. The next sample
/// has to be a sync sample if samples are stored ones, or the writer fails with
/// `segmentStartedWithNonSyncSample`.
///
/// - Errors: `operationNotAllowed`
public struct AssetWriterFlushSegment: EngineRequest {
  public static let method = "assetWriter/flushSegment"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The writer.
  public var assetWriter: AssetWriterHandle

  /// Makes the value from its members.
  public init(assetWriter: AssetWriterHandle) { self.assetWriter = assetWriter }
}

/// The kind of a segment.
public enum WireSegmentType: String, Codable, Sendable, CaseIterable {
  /// The initialization segment, which every other segment needs before it.
  case initialization
  /// Media, beginning with a sync sample.
  case separable
}

/// The part of a track in a segment.
public struct WireSegmentTrackReport: Codable, Sendable, Equatable {
  /// The track's number in the segments.
  public var trackID: Int32
  /// The media type of the track.
  public var mediaType: WireMediaType
  /// The presentation time of its first sample, in the file's time.
  public var earliestPresentationTime: WireTime
  /// The duration of its samples.
  public var duration: WireTime

  package init(
    trackID: Int32, mediaType: WireMediaType, earliestPresentationTime: WireTime,
    duration: WireTime
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.earliestPresentationTime = earliestPresentationTime
    self.duration = duration
  }
}

/// The contents of a segment.
public struct WireSegmentReport: Codable, Sendable, Equatable {
  /// The reports, one for each track with samples in it.
  public var trackReports: [WireSegmentTrackReport]

  package init(trackReports: [WireSegmentTrackReport]) { self.trackReports = trackReports }
}

/// Delivers a segment.
public struct AssetWriterDidOutputSegment: NotificationType {
  public static let method = "assetWriter/didOutputSegment"

  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// Its kind.
  public var segmentType: WireSegmentType
  /// The index of the segment, from 0 on; the initialization segment has none.
  public var index: Int?
  /// Its contents; absent for the initialization segment.
  public var report: WireSegmentReport?
  /// The bytes.
  public var blob: WireBlob

  package init(
    assetWriter: AssetWriterHandle, segmentType: WireSegmentType, index: Int? = nil,
    report: WireSegmentReport? = nil, blob: WireBlob
  ) {
    self.assetWriter = assetWriter
    self.segmentType = segmentType
    self.index = index
    self.report = report
    self.blob = blob
  }
}

/// An output of a reader, and the input that its samples go into.
public struct WireTransferPair: Codable, Sendable, Equatable {
  /// The output.
  public var output: OutputHandle
  /// The input.
  public var input: InputHandle
  /// The time that is added to those of the samples.
  ///
  /// - Default: `0`
  public var timeOffset: WireTime?
  /// The time at which to stop, on the output's clock: before the first sample that is presented then or later.
  public var until: WireTime?
  /// True marks the input as finished at the end of the output.
  ///
  /// - Default: `true`
  public var marksAsFinished: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    output: OutputHandle, input: InputHandle, timeOffset: WireTime? = nil, until: WireTime? = nil,
    marksAsFinished: Bool? = nil
  ) {
    self.output = output
    self.input = input
    self.timeOffset = timeOffset
    self.until = until
    self.marksAsFinished = marksAsFinished
  }
}

/// Transfers samples from outputs of readers to inputs, all pairs together so that none waits for another.
///
/// An output is read to its end or to `until`. Closing the operation stops it after the current sample, and nothing is
/// lost: the next transfer, or the next request to the output, continues from there. The work ends with
/// ``AssetWriterDidTransfer``; a failure is reported there, and is not an error of this request.
///
/// - Errors: `operationNotAllowed`
public struct AssetWriterTransfer: EngineRequest {
  public static let method = "assetWriter/transfer"
  public static let placement = Placement.main
  public typealias Result = OperationReply<AssetWriterDidTransfer>

  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The outputs with the inputs that they go to, at least one pair; each output and each input at most once.
  public var pairs: [WireTransferPair]
  /// The minimum time between two ``AssetWriterDidProgress``, in seconds; 0 sends none.
  ///
  /// - Default: `0.1`
  public var progressInterval: Double?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    assetWriter: AssetWriterHandle, pairs: [WireTransferPair], progressInterval: Double? = nil,
    completion: WireCompletion? = nil
  ) {
    self.assetWriter = assetWriter
    self.pairs = pairs
    self.progressInterval = progressInterval
    self.completion = completion
  }
}

extension AssetWriterTransfer: OperationRequest {
  package typealias Terminal = AssetWriterDidTransfer

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    // The number of transferred samples is known to the worker alone.
    [
      AssetWriterDidTransfer(
        operation: operation, assetWriter: assetWriter, result: .failed, transferred: [],
        error: error.about(assetWriter))
    ]
  }
}

/// Reports the progress of a transfer.
public struct AssetWriterDidProgress: NotificationType {
  public static let method = "assetWriter/didProgress"

  /// The operation.
  public var operation: OperationHandle
  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The time up to which samples of all pairs were transferred, on the clock of the inputs.
  public var time: WireTime

  package init(operation: OperationHandle, assetWriter: AssetWriterHandle, time: WireTime) {
    self.operation = operation
    self.assetWriter = assetWriter
    self.time = time
  }
}

/// The samples that were transferred to an input.
public struct WireTransferred: Codable, Sendable, Equatable {
  /// The input.
  public var input: InputHandle
  /// The number of sample buffers that it accepted.
  public var sampleBuffers: Int
  /// The presentation time of the last of them, on the clock of the input; absent without any.
  public var lastTime: WireTime?
  /// True when the output was read to its end.
  public var endOfStream: Bool

  package init(
    input: InputHandle, sampleBuffers: Int, lastTime: WireTime? = nil, endOfStream: Bool
  ) {
    self.input = input
    self.sampleBuffers = sampleBuffers
    self.lastTime = lastTime
    self.endOfStream = endOfStream
  }
}

/// Reports the end of a transfer.
public struct AssetWriterDidTransfer: NotificationType {
  public static let method = "assetWriter/didTransfer"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The outcome; `cancelled` if it was stopped.
  public var result: WireOutcome
  /// The samples that were transferred, in the order of the pairs.
  public var transferred: [WireTransferred]
  /// The reason for its failure.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, assetWriter: AssetWriterHandle, result: WireOutcome,
    transferred: [WireTransferred], error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.assetWriter = assetWriter
    self.result = result
    self.transferred = transferred
    self.error = error
  }
}
