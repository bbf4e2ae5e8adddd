import LibAV
public import MediaTime
import SystemIO

/// The levels of audio over a range: its extremes and its power in parts of equal length.
public struct Waveform: Sendable {
  /// What a waveform is to be.
  public struct Configuration: Sendable {
    /// Nil for the mix of the enabled audio tracks where there is an audio mix, else for the first of them.
    public var trackID: Int32?
    /// How loud the tracks are.
    public var audioMix = PresentationSetting<AudioMix>.asset
    /// On the asset's clock; an infinite duration ends with the track. Nil for all of the track
    /// that lies between zero and the asset's end.
    public var timeRange: TimeRange?
    /// What becomes of parts that are scaled in time.
    public var audioTimePitchAlgorithm = AudioTimePitchAlgorithm.spectral
    /// The number of parts, 1 to ``maximumCount``.
    public var count: Int
    /// How to draw it; nil for numbers alone.
    public var drawing: WaveformDrawing?

    /// - Parameter count: 1 to ``Waveform/maximumCount``.
    public init(count: Int) { self.count = count }
  }

  /// The most parts that a waveform can have.
  public static let maximumCount = 100_000
  /// The most numbers of a kind that a waveform can have: parts times channels.
  public static let maximumValues = 800_000

  /// One channel's numbers, each for a part. 1 is full scale; floating-point audio can exceed it.
  ///
  /// A part without media is 0; in a mix, that is silence. One that lies within a single sample has that sample's values.
  public struct Channel: Sendable {
    /// The least value of each part, -1 to 0 for most audio.
    public var minimum: [Float]
    /// The greatest value of each part.
    public var maximum: [Float]
    /// The root of the mean square of the samples that there are.
    public var rootMeanSquare: [Double]
  }

  /// The track that was read; nil for the mix of several.
  public var trackID: Int32?
  /// What the parts divide.
  public var timeRange: TimeRange
  /// In hertz.
  public var sampleRate: Int
  /// In the order of the track's layout.
  public var channels: [Channel]
  /// The drawing; nil where none was configured.
  public var picture: Picture?
  /// What of the tracks couldn't be decoded, and is missing in the numbers.
  public var damagedSamples: [DamagedSamples]

  /// A waveform as a picture.
  public struct Picture: Sendable {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// The image file's bytes.
    public var data: DataBuffer
    public var mimeType: String
  }
}

extension Asset {
  /// The waveform of an audio track, from one pass of decoding; cancelling the task cancels it.
  ///
  /// Part i of n holds the samples whose time lies from start + i·duration/n to before
  /// start + (i+1)·duration/n, computed exactly.
  ///
  /// - Parameter progress: called with the part of the range that is done, 0 to 1, which never falls.
  /// - Throws: `noSourceTrack` without a track of that number or an audio track, `decoderNotFound`,
  ///   `unsupportedOutputSettings` for an audio mix that is wrong,
  ///   `limitExceeded` for more than ``Waveform/maximumValues``, and what reading and decoding throw.
  public func waveform(
    _ configuration: Waveform.Configuration,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> Waveform {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await WaveformWork(configuration, of: self, interrupt: interrupt).run(progress: progress)
    }
  }
}
