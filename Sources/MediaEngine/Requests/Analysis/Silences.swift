import LibAV
public import MediaTime
import SystemIO

/// The silences of audio: where all channels are below a threshold for long enough.
public struct Silences: Sendable {
  /// The search: its tracks, its range and the audio that counts as silence.
  public struct Configuration: Sendable {
    /// Nil for the mix of the enabled audio tracks where there is an audio mix, else for the first of them.
    public var trackID: Int32?
    /// The volumes of the tracks.
    public var audioMix = PresentationSetting<AudioMix>.asset
    /// On the asset's clock; an infinite duration ends with the track. Nil for all of the track
    /// that lies between zero and the asset's end.
    public var timeRange: TimeRange?
    /// The level in dBFS, at most 0: a sample below it is silent.
    public var threshold = -50.0
    /// Longer than zero.
    public var minimumDuration = Time(value: 1, timescale: 2)

    public init() {}
  }

  /// The maximum number of silences that are found.
  public static let maximumCount = 100_000

  /// The track that was read; nil for the mix of several.
  public var trackID: Int32?
  /// The range that was searched.
  public var timeRange: TimeRange
  /// The silences in order, on the asset's clock.
  public var ranges: [TimeRange]
  /// The samples of the tracks that couldn't be decoded, and count as silence.
  public var damagedSamples: [DamagedSamples]
}

extension Asset {
  /// The silences of audio, from one pass of decoding; cancelling the task cancels it.
  ///
  /// A silence begins with its first sample and ends where the first louder one begins. Ranges without media are
  /// silence, too.
  ///
  /// - Parameter progress: called with the part of the range that is done, 0 to 1, which never falls.
  /// - Throws: `noSourceTrack` without a track of that number or an audio track, `decoderNotFound`,
  ///   `unsupportedOutputSettings` for an audio mix that is wrong, `limitExceeded` for more than
  ///   ``Silences/maximumCount``, and the errors of reading and decoding.
  public func silences(
    _ configuration: Silences.Configuration = .init(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> Silences {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await SilenceWork(configuration, of: self, interrupt: interrupt).run(progress: progress)
    }
  }
}

/// One search for silences.
private actor SilenceWork: QueueActor {
  package nonisolated let queue = WorkQueue("analysis")

  private let configuration: Silences.Configuration
  private let asset: any Asset
  private let interrupt: Interrupt
  private var detector: SilenceDetector?

  init(_ configuration: Silences.Configuration, of asset: any Asset, interrupt: Interrupt) {
    self.configuration = configuration
    self.asset = asset
    self.interrupt = interrupt
  }

  func run(progress: @Sendable (Double) -> Void) async throws(EngineError) -> Silences {
    let choice = MeasuredAudio.Choice(
      trackID: configuration.trackID, audioMix: configuration.audioMix,
      timeRange: configuration.timeRange, timePitch: .spectral)
    let audio = try await MeasuredAudio(
      choice, of: asset, .init(name: "The search for silences", use: "to find silences in"),
      interrupt: interrupt)
    detector = SilenceDetector(
      audio.range, threshold: configuration.threshold,
      minimumDuration: configuration.minimumDuration)
    try await audio.read(isInterleaved: false, progress: progress) {
      buffer, audio throws(EngineError) in
      detector?.add(buffer.data.block, audio, at: buffer.presentationTime)
      try check()
    }
    let ranges = detector?.finish() ?? []
    try check()
    return Silences(
      trackID: audio.trackID, timeRange: audio.range, ranges: ranges,
      damagedSamples: audio.damagedSamples)
  }

  private func check() throws(EngineError) {
    guard let detector, detector.count > Silences.maximumCount else { return }
    throw EngineError(
      .limitExceeded, "'\(asset.path)' has more than \(Silences.maximumCount) silences",
      advice: .requestFewerResults, path: asset.path)
  }
}
