import JSONRPC

/// Makes the waveform of an audio track: its extremes and its power in parts of equal length.
///
/// Part i of `count` has the samples whose time is at least start + i·duration/`count` and less
/// than start + (i+1)·duration/`count`, computed exactly: every sample of the range belongs to one
/// part. Ranges without media (a gap, an empty edit, the time after the end) do not count, and a
/// part without any media is 0. Where there are more parts than samples, a part that lies within
/// one sample has that sample's values: a waveform that is looked at closely becomes steps, not
/// spikes.
///
/// The numbers are for each channel separately, at the track's own rate, from one pass of decoding;
/// 1 is full scale. Samples of 8, 16 and 24 bits are exact: 16 bits by 32,768. Larger ones are
/// rounded to the nearest 32-bit float. Floating-point and lossy audio may exceed 1; a sample that
/// is not a finite number counts as 0. `count` times the number of channels is at most 800,000, or
/// the waveform fails with `limitExceeded`.
///
/// With `format` the waveform is drawn: the channels one below the other in equal lanes, in each
/// column a bar from the smallest to the largest sample, and within it the power from -rms to +rms
/// in a stronger shade. A column shows the parts that it covers, at least one. The numbers are
/// included only if `count` is present too. The image has at most 16,777,216 pixels, `jpeg` 65,500 and
/// `webp` 16,383 in width and height; beyond that it fails with `limitExceeded`.
///
/// Audio that cannot be decoded is skipped, and `dropped` reports it; if nothing can be decoded,
/// the waveform fails with `undecodableMediaData`, and for an encrypted track with
/// `contentIsProtected`.
///
/// The work ends with ``WaveformDidFinish``; a failure is reported there, and is not an error of
/// this request. Closing the asset cancels it, as closing the operation does.
public struct WaveformGenerate: EngineRequest {
  public static let method = "waveform/generate"
  public typealias Result = OperationReply<WaveformDidFinish>

  /// The asset.
  public var asset: AssetHandle
  /// The audio track. When absent, it is the mix of all enabled ones where there is an audio mix, else the
  /// first of them.
  public var trackID: Int32?
  /// The audio mix; `null` for the tracks' own volumes.
  /// Left out: the asset's own mix, which a composition may have.
  public var audioMix: WireAudioMixSetting?
  /// The range that the parts divide, on the asset's clock: not before zero, and not empty.
  ///
  /// Where the track has no media it is 0. An infinite duration ends with the track. When absent, it
  /// is the track's range between zero and the asset's end.
  public var timeRange: WireTimeRange?
  /// The algorithm for audio that is scaled in time.
  ///
  /// - Default: `"spectral"`
  public var audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm?
  /// The number of parts, from 1 to 100,000; only with `format` it may be absent, and is `width` then.
  public var count: Int?
  /// The file format in which the waveform is drawn: `jpeg`, `png`, `webp` or `bmp`.
  ///
  /// When absent and the delivery is a file, its extension decides, as for
  /// ``ImageGeneratorGenerateImage``.
  public var format: WireImageFormat?
  /// The width of the image in pixels, from 1 to 100,000; only with `format`. `count` when absent.
  public var width: Int?
  /// The height of the image in pixels, from 1 to 16,384; only with `format`.
  ///
  /// - Default: `128`
  public var height: Int?
  /// The colour of the power, as `#rrggbb` or `#rrggbbaa`; the extremes have half its opacity.
  ///
  /// - Default: `"#2f80ed"`
  public var color: String?
  /// The colour of the background, as `#rrggbb` or `#rrggbbaa`; transparent parts of a `jpeg` are white.
  ///
  /// - Default: `"#00000000"`
  public var backgroundColor: String?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The destination of the bytes of the image.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32? = nil, audioMix: WireAudioMixSetting? = nil,
    timeRange: WireTimeRange? = nil,
    audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm? = nil, count: Int? = nil,
    format: WireImageFormat? = nil, width: Int? = nil, height: Int? = nil, color: String? = nil,
    backgroundColor: String? = nil, quality: Double? = nil, delivery: WireDelivery? = nil,
    completion: WireCompletion? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.audioMix = audioMix
    self.timeRange = timeRange
    self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
    self.count = count
    self.format = format
    self.width = width
    self.height = height
    self.color = color
    self.backgroundColor = backgroundColor
    self.quality = quality
    self.delivery = delivery
    self.completion = completion
  }
}

extension WaveformGenerate: OperationRequest {
  package typealias Terminal = WaveformDidFinish

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      WaveformDidFinish(
        operation: operation, asset: asset, result: .failed, error: error.about(asset))
    ]
  }
}

/// Reports the progress of a waveform, at most once per percent.
public struct WaveformDidProgress: NotificationType {
  public static let method = "waveform/didProgress"

  /// The operation.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The part of the range that is decoded, from 0 to 1; it never decreases.
  public var progress: Double

  package init(operation: OperationHandle, asset: AssetHandle, progress: Double) {
    self.operation = operation
    self.asset = asset
    self.progress = progress
  }
}

/// One channel of a waveform, a number for each part.
public struct WireWaveformChannel: Codable, Sendable {
  /// The smallest sample.
  public var min: [Double]
  /// The largest sample.
  public var max: [Double]
  /// The root of the mean square of the samples.
  public var rms: [Double]

  package init(min: [Double], max: [Double], rms: [Double]) {
    self.min = min
    self.max = max
    self.rms = rms
  }
}

/// Reports the end of a waveform, with its result.
///
/// The members about the waveform are present if it succeeded.
public struct WaveformDidFinish: NotificationType {
  public static let method = "waveform/didFinish"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The outcome.
  public var result: WireOutcome
  /// The audio track; absent when several were mixed.
  public var trackID: Int32?
  /// The range that the parts divide.
  public var timeRange: WireTimeRange?
  /// The sample rate in hertz.
  public var sampleRate: Int?
  /// The channels; absent when the waveform was drawn and `count` was absent.
  public var channels: [WireWaveformChannel]?
  /// The image, if the waveform was drawn.
  public var image: WireImage?
  /// The samples that could not be decoded and count as 0, as `damagedSamples`; absent when nothing
  /// is missing.
  public var dropped: [WireDropped]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, asset: AssetHandle, result: WireOutcome,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.asset = asset
    self.result = result
    self.error = error
  }
}
