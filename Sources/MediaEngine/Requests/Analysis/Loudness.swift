import LibAV
public import MediaTime
import SystemIO

/// The loudness of audio by ITU-R BS.1770-4 and EBU R 128.
public struct Loudness: Sendable {
  /// The audio to measure.
  public struct Configuration: Sendable {
    /// Nil for the mix of the enabled audio tracks where there is an audio mix, else for the first of them.
    public var trackID: Int32?
    /// The volumes of the tracks.
    public var audioMix = PresentationSetting<AudioMix>.asset
    /// On the asset's clock; an infinite duration ends with the track. Nil for all of the track
    /// that lies between zero and the asset's end.
    public var timeRange: TimeRange?

    public init() {}
  }

  /// The track that was read; nil for the mix of several.
  public var trackID: Int32?
  /// The range that was measured.
  public var timeRange: TimeRange
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// FFmpeg's name of the speakers, by which the channels were weighted: "stereo", "5.1(side)".
  public var channelLayout: String
  /// The loudness of the whole range in LUFS, gated; nil where nothing is above the gate.
  public var integrated: Double?
  /// The loudness range (EBU Tech 3342) in LU; nil without 3 seconds above the gate.
  public var range: Double?
  /// The true peak of all channels in dBTP; nil for digital silence.
  public var truePeak: Double?
  /// The sample peak of all channels in dBFS; nil for digital silence.
  public var samplePeak: Double?
  /// The greatest of 0.4 seconds in LUFS; nil for less audio than that.
  public var maximumMomentary: Double?
  /// The greatest of 3 seconds in LUFS; nil for less audio than that.
  public var maximumShortTerm: Double?
  /// The samples of the tracks that couldn't be decoded, and count as silence.
  public var damagedSamples: [DamagedSamples]
}

extension Asset {
  /// The loudness of audio, from one pass of decoding; cancelling the task cancels it.
  ///
  /// Ranges without media are silence.
  ///
  /// - Parameter progress: called with the part of the range that is done, 0 to 1, which never falls.
  /// - Throws: `noSourceTrack` without a track of that number or an audio track, `decoderNotFound`,
  ///   `unsupportedOutputSettings` for an audio mix that is wrong, `limitExceeded` for more than 64
  ///   channels, and the errors of reading and decoding.
  public func loudness(
    _ configuration: Loudness.Configuration = .init(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> Loudness {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await LoudnessWork(configuration, of: self, interrupt: interrupt).run(progress: progress)
    }
  }
}

/// One measurement of loudness.
private actor LoudnessWork: QueueActor {
  package nonisolated let queue = WorkQueue("analysis")

  private let configuration: Loudness.Configuration
  private let asset: any Asset
  private let interrupt: Interrupt

  init(_ configuration: Loudness.Configuration, of asset: any Asset, interrupt: Interrupt) {
    self.configuration = configuration
    self.asset = asset
    self.interrupt = interrupt
  }

  func run(progress: @Sendable (Double) -> Void) async throws(EngineError) -> Loudness {
    let choice = MeasuredAudio.Choice(
      trackID: configuration.trackID, audioMix: configuration.audioMix,
      timeRange: configuration.timeRange, timePitch: .spectral)
    let audio = try await MeasuredAudio(
      choice, of: asset,
      .init(name: "The measurement of loudness", use: "to measure the loudness of"),
      interrupt: interrupt)
    let range = audio.range
    let measurement = LoudnessMeasurement(of: range, path: asset.path)
    try await audio.read(isInterleaved: true, progress: progress) {
      buffer, audio throws(EngineError) in
      try measurement.take(buffer, audio)
    }
    try measurement.finish()
    let meter = measurement.result
    let layout = meter == nil ? audio.layout : measurement.layout
    return Loudness(
      trackID: audio.trackID, timeRange: range,
      sampleRate: meter == nil ? audio.sampleRate : measurement.sampleRate,
      channelLayout: layout.name, integrated: meter?.integratedLoudness,
      range: meter?.loudnessRange, truePeak: meter?.truePeak, samplePeak: meter?.samplePeak,
      maximumMomentary: meter?.maximumMomentaryLoudness,
      maximumShortTerm: meter?.maximumShortTermLoudness, damagedSamples: audio.damagedSamples)
  }
}
