import JSONRPC

/// Makes a reader of an asset's samples, loading the asset first if necessary.
///
/// An encrypted track can only be read as stored, without settings; decoding it fails with
/// `contentIsProtected`. Other tracks of the asset can be decoded.
///
/// - Errors: `noSourceTrack`, `unsupportedOutputSettings`, `decoderNotFound`, `contentIsProtected`,
///   `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`
public struct AssetReaderCreate: EngineRequest {
  public static let method = "assetReader/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.assetReader, .output]

  /// The reader.
  public struct Result: Codable, Sendable, Equatable {
    /// The reader's handle.
    public var assetReader: AssetReaderHandle
    /// The handle of each output, in the order of the request.
    public var outputs: [OutputHandle]

    package init(assetReader: AssetReaderHandle, outputs: [OutputHandle]) {
      self.assetReader = assetReader
      self.outputs = outputs
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The part of the asset to read; all of it when absent.
  public var timeRange: WireTimeRange?
  /// The outputs, at least one.
  public var outputs: [WireReaderOutput]

  /// Makes the value; members that are left out are absent on the wire.
  public init(asset: AssetHandle, timeRange: WireTimeRange? = nil, outputs: [WireReaderOutput]) {
    self.asset = asset
    self.timeRange = timeRange
    self.outputs = outputs
  }
}

/// Starts reading; allowed once.
///
/// - Errors: `operationNotAllowed`, `decoderNotFound`
public struct AssetReaderStart: EngineRequest {
  public static let method = "assetReader/start"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The reader.
  public var assetReader: AssetReaderHandle

  /// Makes the value from its members.
  public init(assetReader: AssetReaderHandle) {
    self.assetReader = assetReader
  }
}

/// The attachments of a sample buffer, in addition to its bytes.
///
/// A member that is `false` is absent, except `isDependedOnByOthers` and `dependsOnOthers`, which
/// are absent if the file does not state them.
public struct WireSampleAttachments: Codable, Sendable, Equatable {
  /// True if it is not a sync sample.
  public var notSync: Bool?
  /// True if other samples need it: `false` for one that may be dropped.
  public var isDependedOnByOthers: Bool?
  /// True if it needs other samples: `false` for a sync sample.
  public var dependsOnOthers: Bool?
  /// True if it must be decoded, but not presented.
  public var doNotDisplay: Bool?
  /// The part at its start that is not presented.
  public var trimDurationAtStart: WireTime?
  /// The part at its end that is not presented.
  public var trimDurationAtEnd: WireTime?
  /// The factor by which it is presented faster than stored.
  public var speedMultiplier: Double?
  /// True if it represents a range without media.
  public var emptyMedia: Bool?
  /// True if the decoder must be reset before it.
  public var resetDecoderBeforeDecoding: Bool?
  /// True if the decoder must be drained after it.
  public var drainAfterDecoding: Bool?

  package init(
    notSync: Bool? = nil, isDependedOnByOthers: Bool? = nil, dependsOnOthers: Bool? = nil,
    doNotDisplay: Bool? = nil, trimDurationAtStart: WireTime? = nil,
    trimDurationAtEnd: WireTime? = nil, speedMultiplier: Double? = nil, emptyMedia: Bool? = nil,
    resetDecoderBeforeDecoding: Bool? = nil, drainAfterDecoding: Bool? = nil
  ) {
    self.notSync = notSync
    self.isDependedOnByOthers = isDependedOnByOthers
    self.dependsOnOthers = dependsOnOthers
    self.doNotDisplay = doNotDisplay
    self.trimDurationAtStart = trimDurationAtStart
    self.trimDurationAtEnd = trimDurationAtEnd
    self.speedMultiplier = speedMultiplier
    self.emptyMedia = emptyMedia
    self.resetDecoderBeforeDecoding = resetDecoderBeforeDecoding
    self.drainAfterDecoding = drainAfterDecoding
  }
}

/// Samples of one track.
///
/// Decoded frames have `image`, unless they are encoded as images; decoded audio has `audio`;
/// samples as stored have neither.
public struct WireSampleBuffer: Codable, Sendable {
  /// The presentation time.
  public var presentationTime: WireTime
  /// The decode time; only with samples as stored.
  public var decodeTime: WireTime?
  /// The duration of its presentation.
  public var duration: WireTime
  /// The number of samples; 0 for a buffer that only carries attachments.
  public var numSamples: Int
  /// The attachments, in addition to its bytes.
  public var attachments: WireSampleAttachments
  /// The format description; with the first buffer of an output and whenever it changes. A mix has
  /// none.
  public var format: WireFormatDescription?
  /// The bytes; absent when there are no samples.
  public var blob: WireBlob?
  /// The layout of a raw frame in the bytes.
  public var image: WireImageLayout?
  /// The layout of the audio in the bytes.
  public var audio: WireAudioLayout?

  package init(
    presentationTime: WireTime, decodeTime: WireTime? = nil, duration: WireTime, numSamples: Int,
    attachments: WireSampleAttachments, format: WireFormatDescription? = nil,
    blob: WireBlob? = nil, image: WireImageLayout? = nil, audio: WireAudioLayout? = nil
  ) {
    self.presentationTime = presentationTime
    self.decodeTime = decodeTime
    self.duration = duration
    self.numSamples = numSamples
    self.attachments = attachments
    self.format = format
    self.blob = blob
    self.image = image
    self.audio = audio
  }
}

/// Reads the next sample buffers of an output.
///
/// It waits for `maxCount` buffers or `maxBytes`, and returns fewer at the end of the output,
/// before a failure, and when shared memory runs out after the first one. Frames are decoded ahead
/// between requests, up to 32 of them or 32 MiB. `endOfStream` ends the output; further requests
/// return an empty list. Several requests to one output are served in the order of their arrival.
///
/// A request that fails consumes nothing, whether it was cancelled, timed out or could not write:
/// the next one continues where the last successful one ended, and no file of it is left.
///
/// If a file cannot be read beyond some position, everything before it is delivered, and the next
/// request fails with `failedToLoadSampleData`. Bytes that are not media, such as tags after the
/// last sample, are no damage.
///
/// A sample that cannot be decoded is skipped, as in players, and `dropped` reports it at the end.
/// If none of the samples can be decoded, the output ends with the error `undecodableMediaData`.
///
/// A file to deliver to is created by the first request that names it, and further requests append
/// to it. With `%d` in its path each buffer has a file of its own.
///
/// - Errors: `operationNotAllowed`, `decodeFailed`, `undecodableMediaData`, `failedToLoadMediaData`,
///   `failedToLoadSampleData`, `operationCancelled`, `fileAlreadyExists`, `leasesExhausted`
public struct AssetReaderNextSampleBuffers: EngineRequest {
  public static let method = "assetReader/nextSampleBuffers"
  public static let placement = Placement.main

  /// The buffers.
  public struct Result: Codable, Sendable {
    /// The buffers, at most `maxCount`.
    public var sampleBuffers: [WireSampleBuffer]
    /// True if no buffer follows.
    public var endOfStream: Bool
    /// With `endOfStream`: the samples of the output that could not be decoded, as
    /// `damagedSamples`; absent if all could be.
    public var dropped: [WireDropped]?

    package init(
      sampleBuffers: [WireSampleBuffer], endOfStream: Bool, dropped: [WireDropped]? = nil
    ) {
      self.sampleBuffers = sampleBuffers
      self.endOfStream = endOfStream
      self.dropped = dropped
    }
  }

  /// The output.
  public var output: OutputHandle
  /// The maximum number of buffers to return.
  ///
  /// - Default: `1`
  public var maxCount: Int?
  /// The maximum number of bytes to return; one buffer is returned even if it is larger.
  public var maxBytes: Int?
  /// The maximum time to wait for leases to be released, in milliseconds; without limit when absent.
  public var timeoutMs: Int?
  /// The destination of the bytes.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    output: OutputHandle, maxCount: Int? = nil, maxBytes: Int? = nil, timeoutMs: Int? = nil,
    delivery: WireDelivery? = nil
  ) {
    self.output = output
    self.maxCount = maxCount
    self.maxBytes = maxBytes
    self.timeoutMs = timeoutMs
    self.delivery = delivery
  }
}

/// Lets an output with `supportsRandomAccess` read other time ranges, after its last buffer was
/// read.
///
/// Their starts must ascend, and they must not overlap; a duration may be 0, or infinite for
/// everything from the start on. They replace the reader's range. A sample in two of them, such as a
/// frame that is presented across their border, is read for each.
///
/// - Errors: `operationNotAllowed`
public struct AssetReaderReset: EngineRequest {
  public static let method = "assetReader/reset"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The output.
  public var output: OutputHandle
  /// The ranges to read; an empty list reads nothing.
  public var timeRanges: [WireTimeRange]

  /// Makes the value from its members.
  public init(output: OutputHandle, timeRanges: [WireTimeRange]) {
    self.output = output
    self.timeRanges = timeRanges
  }
}

/// Declares that an output with `supportsRandomAccess` will not be reset again.
///
/// A reader is `completed` when all its outputs are final and were read to their end; outputs
/// without random access are final from the start.
///
/// - Errors: `operationNotAllowed`
public struct AssetReaderMarkConfigurationAsFinal: EngineRequest {
  public static let method = "assetReader/markConfigurationAsFinal"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The output.
  public var output: OutputHandle

  /// Makes the value from its members.
  public init(output: OutputHandle) {
    self.output = output
  }
}

/// The status of a reader.
public enum WireReaderStatus: String, Codable, Sendable, CaseIterable {
  /// It was not started.
  case unknown
  /// It is being read.
  case reading
  /// All samples have been read.
  case completed
  /// It failed; `error` is the reason.
  case failed
  /// It was cancelled.
  case cancelled
}

/// Returns the status of a reader.
public struct AssetReaderStatus: EngineRequest {
  public static let method = "assetReader/status"
  public static let placement = Placement.main

  /// The status.
  public struct Result: Codable, Sendable, Equatable {
    /// The status.
    public var status: WireReaderStatus
    /// The reason for its failure.
    public var error: ErrorObject?
    /// The samples that could not be decoded in outputs that were read to their end, as
    /// `damagedSamples`; absent if all could be.
    public var dropped: [WireDropped]?

    package init(
      status: WireReaderStatus, error: ErrorObject? = nil, dropped: [WireDropped]? = nil
    ) {
      self.status = status
      self.error = error
      self.dropped = dropped
    }
  }

  /// The reader.
  public var assetReader: AssetReaderHandle

  /// Makes the value from its members.
  public init(assetReader: AssetReaderHandle) {
    self.assetReader = assetReader
  }
}

/// Cancels reading; outstanding requests to its outputs fail with `operationCancelled`.
public struct AssetReaderCancel: EngineRequest {
  public static let method = "assetReader/cancel"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The reader.
  public var assetReader: AssetReaderHandle

  /// Makes the value from its members.
  public init(assetReader: AssetReaderHandle) {
    self.assetReader = assetReader
  }
}
