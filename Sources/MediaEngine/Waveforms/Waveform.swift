import LibAV
public import MediaTime
import SystemIO

/// The levels of audio over a range: its extremes and its power in parts of equal length.
public struct Waveform: Sendable {
  /// What a waveform is to be.
  public struct Configuration: Sendable {
    /// Nil for the first enabled audio track.
    public var trackID: Int32?
    /// On the asset's clock; an infinite duration ends with the track. Nil for all of the track
    /// that lies between zero and the asset's end.
    public var timeRange: TimeRange?
    /// The number of parts, 1 to ``maximumCount``.
    public var count: Int
    /// How to draw it; nil for numbers alone.
    public var drawing: WaveformDrawing?

    public init(count: Int) { self.count = count }
  }

  /// The most parts that a waveform can have.
  public static let maximumCount = 100_000
  /// The most numbers of a kind that a waveform can have: parts times channels.
  public static let maximumValues = 800_000

  /// One channel's numbers, each for a part. 1 is full scale; floating-point audio can exceed it.
  ///
  /// A part without media is 0. One that lies within a single sample has that sample's values.
  public struct Channel: Sendable {
    public var minimum: [Float]
    public var maximum: [Float]
    /// The root of the mean square of the samples that there are.
    public var rootMeanSquare: [Double]
  }

  public var trackID: Int32
  /// What the parts divide.
  public var timeRange: TimeRange
  /// In hertz.
  public var sampleRate: Int
  public var channels: [Channel]
  public var picture: Picture?
  /// What of the track couldn't be decoded, and is missing in the numbers; nil when nothing is.
  public var damagedSamples: DamagedSamples?

  /// A waveform as a picture.
  public struct Picture: Sendable {
    public var width: Int
    public var height: Int
    public var data: DataBuffer
    public var mimeType: String
  }
}

extension Asset {
  /// The waveform of an audio track, from one pass of decoding.
  ///
  /// Part i of n holds the samples whose time lies from start + i·duration/n to before
  /// start + (i+1)·duration/n, computed exactly.
  ///
  /// - Parameter progress: called with the part of the range that is done, 0 to 1, which never falls.
  /// - Throws: `noSourceTrack` without a track of that number or an audio track, `decoderNotFound`,
  ///   `limitExceeded` for more than ``Waveform/maximumValues``, and what reading and decoding throw.
  public func waveform(
    _ configuration: Waveform.Configuration, ticket: WaveformTicket = WaveformTicket(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> Waveform {
    try await WaveformWork(configuration, of: self, interrupt: ticket.interrupt)
      .run(progress: progress)
  }
}

/// What cancels one waveform.
public struct WaveformTicket: Sendable {
  let interrupt = Interrupt()
  public init() {}
  /// Cancels the waveform. Never waits.
  public func cancel() { interrupt.trigger() }
}
