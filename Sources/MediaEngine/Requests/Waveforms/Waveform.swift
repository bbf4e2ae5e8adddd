import LibAV
public import MediaTime
import SystemIO

/// The levels of audio over a range: its extremes and its power in parts of equal length.
public struct Waveform: Sendable {
  /// The settings of a waveform.
  public struct Configuration: Sendable {
    /// The track; nil for the mix of the enabled audio tracks where there is an audio mix, else for the first of them.
    public var trackID: Int32?
    /// The volumes of the tracks.
    public var audioMix = PresentationSetting<AudioMix>.asset
    /// The range on the asset's clock; an infinite duration ends with the track. Nil for all of the track that lies
    /// between zero and the asset's end.
    public var timeRange: TimeRange?
    /// The algorithm for parts that are scaled in time.
    public var audioTimePitchAlgorithm = AudioTimePitchAlgorithm.spectral
    /// The number of parts, 1 to ``maximumCount``.
    public var count: Int
    /// The drawing; nil for numbers alone.
    public var drawing: WaveformDrawing?

    /// Creates the settings of a waveform without a drawing.
    ///
    /// - Parameter count: the number of parts, 1 to ``Waveform/maximumCount``.
    public init(count: Int) { self.count = count }
  }

  /// The maximum number of parts of a waveform.
  public static let maximumCount = 100_000
  /// The maximum numbers of a kind in a waveform: parts times channels.
  public static let maximumValues = 800_000

  /// One channel's numbers, each for a part. 1 is full scale; floating-point audio can exceed it.
  ///
  /// A part without media is 0; in a mix, that is silence. One that lies within a single sample has that sample's values.
  public struct Channel: Sendable {
    /// The minimum value of each part, -1 to 0 for most audio.
    public var minimum: [Float]
    /// The maximum value of each part.
    public var maximum: [Float]
    /// The root of the mean square of the samples that each part has.
    public var rootMeanSquare: [Double]
  }

  /// The track that was read; nil for the mix of several.
  public var trackID: Int32?
  /// The range that is divided into parts.
  public var timeRange: TimeRange
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The channels, in the order of the track's layout.
  public var channels: [Channel]
  /// The drawing; nil where none was configured.
  public var picture: Picture?
  /// The samples of the tracks that couldn't be decoded, and are missing in the numbers.
  public var damagedSamples: [DamagedSamples]

  /// A waveform as an image.
  public struct Picture: Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The image file's bytes.
    public var data: DataBuffer
    public var mimeType: String
  }
}

extension Asset {
  /// Measures the waveform of an audio track, in one pass of decoding; cancelling the task cancels it.
  ///
  /// Part i of n holds the samples whose time lies from start + i·duration/n to before
  /// start + (i+1)·duration/n, computed exactly.
  ///
  /// - Parameter progress: called with the finished part of the range, 0 to 1, which never decreases.
  /// - Throws: `noSourceTrack` without a track of that number or an audio track, `decoderNotFound`,
  ///   `unsupportedOutputSettings` for an audio mix that is wrong, `limitExceeded` for more than
  ///   ``Waveform/maximumValues``, and the errors of reading and decoding.
  public func waveform(
    _ configuration: Waveform.Configuration,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> Waveform {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await WaveformWork(configuration, of: self, interrupt: interrupt).run(progress: progress)
    }
  }
}
