import LibAV
import MediaTime
import SystemIO

/// The making of one waveform: range, decoding, numbers, picture.
actor WaveformWork: QueueActor {
  package nonisolated let queue = WorkQueue("waveform")

  private let configuration: Waveform.Configuration
  private let asset: any Asset
  private let interrupt: Interrupt
  private var format = AudioProperties()
  private var samples: (any MediaStream<SampleBuffer>)?
  private var bins: WaveformBins?
  private var errors: [DecodeErrors] = []

  init(_ configuration: Waveform.Configuration, of asset: any Asset, interrupt: Interrupt) {
    self.configuration = configuration
    self.asset = asset
    self.interrupt = interrupt
  }

  func run(progress: @Sendable (Double) -> Void) async throws(EngineError) -> Waveform {
    let drawing = configuration.drawing
    try drawing?.validate()
    let stored = try await asset.media.content.loadPresentation(interrupt: interrupt)
    try configuration.audioMix.requireNoProblems(with: stored.tracks)
    let presentation = stored.mixed(by: configuration.audioMix)
    let tracks = try tracks(of: presentation)
    for track in tracks { try check(track, of: presentation) }
    let range = try await range(of: tracks)
    format = AudioProperties(tracks)
    if !range.isEmpty { try await decode(tracks, by: presentation.audioMix, range, progress) }
    if interrupt.isTriggered { throw .cancelled("The waveform") }
    try check(channels: format.channels)
    let levels =
      bins?.levels
      ?? WaveformBins(range: range, count: configuration.count, channels: format.channels).levels
    bins = nil
    var picture: Waveform.Picture?
    if let drawing { picture = try await drawing.picture(of: levels, interrupt: interrupt) }
    return Waveform(
      trackID: tracks.count == 1 ? tracks.first?.trackID : nil, timeRange: range,
      sampleRate: format.rate, channels: levels.map(Waveform.Channel.init), picture: picture,
      damagedSamples: zip(tracks, errors).compactMap { $1.samples(of: $0.trackID, $0.mediaType) })
  }

  /// What is known of the audio, at first from the headers.
  private struct AudioProperties {
    var rate = 0
    var channels = 1

    init() {}

    init(_ tracks: [TrackInfo]) {
      rate = tracks.map(\.format.parameters.sampleRate).max() ?? 0
      channels = max(1, tracks.map(\.format.parameters.channelLayout.channels).max() ?? 1)
    }
  }

  /// The track that is asked for, or those of the mix.
  private func tracks(of presentation: Presentation) throws(EngineError) -> [TrackInfo] {
    let known = presentation.tracks
    if configuration.trackID == nil, presentation.audioMix != nil {
      let enabled = known.filter { $0.mediaType == .audio && $0.isEnabled }
      if !enabled.isEmpty { return enabled }
    }
    let found: TrackInfo? =
      if let id = configuration.trackID {
        known.first { $0.trackID == id && $0.mediaType == .audio }
      } else {
        known.preferred(.audio)
      }
    if let found { return [found] }
    let what = configuration.trackID.map { "audio track \($0)" } ?? "audio track"
    let list = known.map { "\($0.trackID) (\($0.mediaType.rawValue))" }
    throw EngineError(
      .noSourceTrack, "'\(presentation.path)' has no \(what) to make a waveform of",
      advice: .chooseTrack(of: list),
      path: presentation.path)
  }

  private func check(_ track: TrackInfo, of presentation: Presentation) throws(EngineError) {
    try track.timeline.requireUnprotected()
    guard track.format.parameters.hasDecoder || track.timeline.isEmpty else {
      throw EngineError(
        .decoderNotFound,
        "This build has no decoder for \(track.format.parameters.name), "
          + "the audio of track \(track.trackID) of '\(presentation.path)'",
        advice: .chooseDecodableTrack, path: presentation.path)
    }
    try track.requireSpeeds(configuration.audioTimePitchAlgorithm, by: presentation.audioMix)
  }

  /// The wanted range, or that of the tracks.
  private func range(of tracks: [TrackInfo]) async throws(EngineError) -> TimeRange {
    let wanted = configuration.timeRange ?? .all
    if wanted.duration.isNumeric { return wanted }
    for track in tracks { try await track.timeline.prepare(interrupt: interrupt) }
    let own = try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      let end = try asset.media.content.preciseDuration(interrupt: interrupt)
      var own = TimeRange.invalid
      for track in tracks {
        let range = try readable(track)
        if !own.isValid { own = range } else if range.isValid { own = own.union(range) }
      }
      guard end.isNumeric else { return own }
      return own.intersection(TimeRange(start: .zero, duration: end))
    }
    let start = configuration.timeRange?.start ?? (own.isValid ? own.start : .zero)
    guard own.isValid, own.end.isNumeric, own.end > start else {
      return TimeRange(start: start, duration: .zero)
    }
    return TimeRange(start: start, end: own.end)
  }

  /// The track's range as far as its samples can be read.
  private func readable(_ track: TrackInfo) throws(EngineError) -> TimeRange {
    let range = try track.timeline.timeRange(interrupt: interrupt)
    guard let media = track.timeline.stored else { return range }
    let index = try media.index(interrupt: interrupt)
    guard index.damage != nil, let end = index.end.map(media.time), end > range.start else {
      return range
    }
    return TimeRange(start: range.start, end: min(range.end, end))
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

  /// Samples that are decoded in one slot of the ``WorkLimiter``, about.
  private static let samplesInPlace = 65_536

  private func decode(
    _ tracks: [TrackInfo], by mix: AudioMix?, _ range: TimeRange,
    _ progress: @Sendable (Double) -> Void
  ) async throws(EngineError) {
    let errors = tracks.map { DecodeErrors($0.timeline, range: range) }
    self.errors = errors
    let reading = TrackReading(
      range: TimeRange(start: firstSample(of: range), end: range.end), interrupt: interrupt)
    defer { samples = nil }
    try await WorkLimiter.shared.run(.batch, interrupt: interrupt) { () throws(EngineError) in
      samples = try mix.audio(
        of: zip(tracks, errors).map { ($0, $1) }, reading,
        AudioSettings(
          sampleFormat: .f32, isInterleaved: false,
          timePitch: configuration.audioTimePitchAlgorithm))
    }
    var done = 0.0
    var isAtEnd = false
    while !isAtEnd {
      if interrupt.isTriggered { throw .cancelled("The waveform") }
      await samples?.wait(interrupt: interrupt, isolation: self)
      let end = try await WorkLimiter.shared.run(.batch, interrupt: interrupt) {
        () throws(EngineError) in
        try takeSamples(range)
      }
      isAtEnd = end == nil
      if let end, end.isNumeric {
        done = max(done, min(1, (end - range.start).seconds / range.duration.seconds))
      }
      progress(isAtEnd ? 1 : done)
    }
  }

  /// A sample a little before the start: a part may lie within one that began before it. What is mixed is
  /// counted from there.
  private func firstSample(of range: TimeRange) -> Time {
    let rate = Int32(clamping: format.rate)
    let margin = Time(value: 1, timescale: 1000)
    guard range.start > .zero, rate > 0 else { return range.start }
    let number = (range.start - margin).ticks(
      in: TimeBase(1, rate), rounding: .towardNegativeInfinity)
    return Time(value: number, timescale: rate)
  }

  /// Takes some samples; returns where they end, nil at the end of all.
  private func takeSamples(_ range: TimeRange) throws(EngineError) -> Time? {
    var end = Time.invalid
    var count = 0
    while count < Self.samplesInPlace {
      if interrupt.isTriggered { throw .cancelled("The waveform") }
      let buffer: SampleBuffer
      switch try samples?.take() ?? .end {
      case .element(let made): buffer = made
      case .skipped: continue
      case .pending: return end
      case .end: return nil
      }
      guard case .audio(let audio) = buffer.content else { continue }
      if bins == nil {
        (format.rate, format.channels) = (audio.sampleRate, audio.channels)
        try check(channels: audio.channels)
        bins = WaveformBins(range: range, count: configuration.count, channels: audio.channels)
      }
      bins?.add(
        buffer.data.block, frames: audio.frames, at: buffer.presentationTime,
        sampleRate: audio.sampleRate)
      end = buffer.presentationTime + buffer.duration
      count += audio.frames
    }
    return end
  }
}

extension Waveform.Channel {
  init(_ levels: [SampleLevels]) {
    minimum = levels.map(\.minimum)
    maximum = levels.map(\.maximum)
    rootMeanSquare = levels.map(\.rootMeanSquare)
  }
}
