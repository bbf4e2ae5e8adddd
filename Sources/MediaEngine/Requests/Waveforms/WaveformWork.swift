import LibAV
import MediaTime
import SystemIO

/// The making of one waveform: range, decoding, numbers, image.
actor WaveformWork: QueueActor {
  package nonisolated let queue = WorkQueue("waveform")

  private let configuration: Waveform.Configuration
  private let asset: any Asset
  private let interrupt: Interrupt
  private var bins: WaveformBins?
  private var sampleRate = 0

  init(_ configuration: Waveform.Configuration, of asset: any Asset, interrupt: Interrupt) {
    self.configuration = configuration
    self.asset = asset
    self.interrupt = interrupt
  }

  func run(progress: @Sendable (Double) -> Void) async throws(EngineError) -> Waveform {
    let drawing = configuration.drawing
    try drawing?.validate()
    let choice = MeasuredAudio.Choice(
      trackID: configuration.trackID, audioMix: configuration.audioMix,
      timeRange: configuration.timeRange, timePitch: configuration.audioTimePitchAlgorithm)
    let audio = try await MeasuredAudio(
      choice, of: asset, .init(name: "The waveform", use: "to make a waveform of"),
      interrupt: interrupt)
    let (range, count) = (audio.range, configuration.count)
    sampleRate = audio.sampleRate
    try await audio.read(
      from: firstSample(of: range), isInterleaved: false, progress: progress
    ) { buffer, audio throws(EngineError) in
      try take(buffer, audio, range)
    }
    try check(channels: bins?.levels.count ?? audio.channels)
    let levels =
      bins?.levels ?? WaveformBins(range: range, count: count, channels: audio.channels).levels
    bins = nil
    var picture: Waveform.Picture?
    if let drawing { picture = try await drawing.picture(of: levels, interrupt: interrupt) }
    return Waveform(
      trackID: audio.trackID, timeRange: range, sampleRate: sampleRate,
      channels: levels.map(Waveform.Channel.init), picture: picture,
      damagedSamples: audio.damagedSamples)
  }

  private func check(channels: Int) throws(EngineError) {
    let (values, overflow) = configuration.count.multipliedReportingOverflow(by: channels)
    guard overflow || values > Waveform.maximumValues else { return }
    throw EngineError(
      .limitExceeded,
      "A waveform of \(configuration.count) parts for \(channels) channels has too many numbers",
      advice: .requestFewerParts(Waveform.maximumValues / max(1, channels)),
      path: asset.path)
  }

  /// Returns a sample a little before the start: a part may lie within one that began before it. The samples of a mix
  /// are counted from there.
  private func firstSample(of range: TimeRange) -> Time {
    let rate = Int32(clamping: sampleRate)
    let margin = Time(value: 1, timescale: 1000)
    guard range.start > .zero, rate > 0 else { return range.start }
    let number = (range.start - margin).ticks(
      in: TimeBase(1, rate), rounding: .towardNegativeInfinity)
    return Time(value: number, timescale: rate)
  }

  private func take(
    _ buffer: SampleBuffer, _ audio: SampleBuffer.Audio, _ range: TimeRange
  ) throws(EngineError) {
    if bins == nil {
      sampleRate = audio.sampleRate
      try check(channels: audio.channels)
      bins = WaveformBins(range: range, count: configuration.count, channels: audio.channels)
    }
    bins?.add(
      buffer.data.block, frames: audio.frames, at: buffer.presentationTime,
      sampleRate: audio.sampleRate)
  }
}

extension Waveform.Channel {
  init(_ levels: [SampleLevels]) {
    minimum = levels.map(\.minimum)
    maximum = levels.map(\.maximum)
    rootMeanSquare = levels.map(\.rootMeanSquare)
  }
}
