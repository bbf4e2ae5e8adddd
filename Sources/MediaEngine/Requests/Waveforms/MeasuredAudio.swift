import LibAV
import MediaTime
import SystemIO

/// The audio of an asset that is measured: its tracks and its range, decoded once from start to end.
final class MeasuredAudio {
  /// The audio that a caller wants.
  struct Choice {
    /// The track; nil for the mix of the enabled audio tracks where there is an audio mix, else for the first of them.
    var trackID: Int32?
    var audioMix: PresentationSetting<AudioMix>
    /// The range; an infinite duration ends with the track. Nil for all of the track between zero and the asset's end.
    var timeRange: TimeRange?
    var timePitch: AudioTimePitchAlgorithm
  }

  /// The phrases for a measurement in messages.
  struct Purpose {
    /// The name of the measurement: "The waveform".
    let name: String
    /// The use of the audio: "to make a waveform of".
    let use: String
  }

  /// Receives a block of samples.
  typealias Take = (SampleBuffer, SampleBuffer.Audio) throws(EngineError) -> Void

  let tracks: [TrackInfo]
  let range: TimeRange
  /// The sample rate of the fastest track, and the layout of the widest one, by the headers.
  let sampleRate: Int
  let layout: ChannelLayout
  private let mix: AudioMix?
  private let timePitch: AudioTimePitchAlgorithm
  private let purpose: Purpose
  private let interrupt: Interrupt
  private var errors: [DecodeErrors] = []
  private var samples: (any MediaStream<SampleBuffer>)?

  /// - Throws: `noSourceTrack` without a track of that number or an audio track, `decoderNotFound`,
  ///   `contentIsProtected`, `unsupportedOutputSettings` for an audio mix that is wrong.
  init(
    _ choice: Choice, of asset: any Asset, _ purpose: Purpose, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    let stored = try await asset.media.content.loadPresentation(interrupt: interrupt)
    try choice.audioMix.requireNoProblems(with: stored.tracks)
    let presentation = stored.mixed(by: choice.audioMix)
    let tracks = try Self.tracks(of: presentation, choice, purpose)
    for track in tracks {
      try track.timeline.requireUnprotected()
      try track.requireDecoder(of: presentation)
      try track.requireSpeeds(choice.timePitch, by: presentation.audioMix)
    }
    range = try await Self.range(choice.timeRange, of: tracks, asset, interrupt)
    let streams = tracks.map(\.format.parameters)
    sampleRate = streams.map(\.sampleRate).max() ?? 0
    let widest = streams.map(\.channelLayout).max { $0.channels < $1.channels }
    layout = widest.flatMap { $0.channels > 0 ? $0 : nil } ?? .standard(channels: 1)
    (self.tracks, mix, timePitch) = (tracks, presentation.audioMix, choice.timePitch)
    (self.purpose, self.interrupt) = (purpose, interrupt)
  }

  var channels: Int { layout.channels }

  /// The one track; nil for the mix of several.
  var trackID: Int32? { tracks.count == 1 ? tracks.first?.trackID : nil }

  /// The samples of the tracks that couldn't be decoded.
  var damagedSamples: [DamagedSamples] {
    zip(tracks, errors).compactMap { $1.samples(of: $0.trackID, $0.mediaType) }
  }

  /// Returns the requested track, or those of the mix.
  private static func tracks(
    of presentation: Presentation, _ choice: Choice, _ purpose: Purpose
  ) throws(EngineError) -> [TrackInfo] {
    let known = presentation.tracks
    if choice.trackID == nil, presentation.audioMix != nil {
      let enabled = known.filter { $0.mediaType == .audio && $0.isEnabled }
      if !enabled.isEmpty { return enabled }
    }
    return [
      try presentation.track(choice.trackID, of: .audio, to: purpose.use)
    ]
  }

  /// Returns the requested range, or that of the tracks.
  private static func range(
    _ wanted: TimeRange?, of tracks: [TrackInfo], _ asset: any Asset, _ interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> TimeRange {
    if let wanted, wanted.duration.isNumeric { return wanted }
    for track in tracks { try await track.timeline.prepare(interrupt: interrupt) }
    return try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try tracks.readableRange(from: wanted?.start, of: asset, interrupt: interrupt)
    }
  }

  /// The approximate number of samples that are decoded in one slot of the ``WorkLimiter``.
  private static let samplesInPlace = 65_536

  /// Decodes the range from its start to its end.
  ///
  /// - Parameters:
  ///   - start: the start of decoding; nil for the range's own start.
  ///   - take: receives one block of 32-bit floats after the other, on the caller's queue. There are none where there
  ///     is no media.
  func read(
    from start: Time? = nil, isInterleaved: Bool, progress: @Sendable (Double) -> Void,
    isolation: isolated (any Actor)? = #isolation, take: Take
  ) async throws(EngineError) {
    if range.isEmpty { return }
    errors = tracks.map { DecodeErrors($0.timeline, range: range) }
    let reading = TrackReading(
      range: TimeRange(start: start ?? range.start, end: range.end), interrupt: interrupt)
    defer { samples = nil }
    try await WorkLimiter.shared.run(.batch, interrupt: interrupt) { () throws(EngineError) in
      samples = try mix.audio(
        of: zip(tracks, errors).map { ($0, $1) }, reading,
        AudioSettings(sampleFormat: .f32, isInterleaved: isInterleaved, timePitch: timePitch))
    }
    var done = 0.0
    var isAtEnd = false
    while !isAtEnd {
      if interrupt.isTriggered { throw .cancelled(purpose.name) }
      await samples?.wait(interrupt: interrupt, isolation: isolation)
      let end = try await WorkLimiter.shared.run(.batch, interrupt: interrupt) {
        () throws(EngineError) in
        try takeSamples(take)
      }
      isAtEnd = end == nil
      if let end, end.isNumeric {
        done = max(done, min(1, (end - range.start).seconds / range.duration.seconds))
      }
      progress(isAtEnd ? 1 : done)
    }
    if interrupt.isTriggered { throw .cancelled(purpose.name) }
  }

  /// Reads some samples; returns their end, nil at the end of all.
  private func takeSamples(_ take: Take) throws(EngineError) -> Time? {
    var end = Time.invalid
    var count = 0
    while count < Self.samplesInPlace {
      if interrupt.isTriggered { throw .cancelled(purpose.name) }
      let buffer: SampleBuffer
      switch try samples?.take() ?? .end {
      case .element(let made): buffer = made
      case .skipped: continue
      case .pending: return end
      case .end: return nil
      }
      guard case .audio(let audio) = buffer.content else { continue }
      try take(buffer, audio)
      end = buffer.presentationTime + buffer.duration
      count += audio.frames
    }
    return end
  }
}

extension Presentation {
  /// Returns the track of that number and type, or the preferred one of the type.
  ///
  /// - Parameter use: the use of the track in messages: "to make a waveform of".
  /// - Throws: `noSourceTrack`.
  func track(
    _ trackID: Int32?, of type: MediaType, to use: String
  ) throws(EngineError) -> TrackInfo {
    let found: TrackInfo? =
      if let trackID {
        tracks.first { $0.trackID == trackID && $0.mediaType == type }
      } else {
        tracks.preferred(type)
      }
    if let found { return found }
    let what = trackID.map { "\(type.rawValue) track \($0)" } ?? "\(type.rawValue) track"
    let list = tracks.map { "\($0.trackID) (\($0.mediaType.rawValue))" }
    throw EngineError(
      .noSourceTrack, "'\(path)' has no \(what) \(use)", advice: .chooseTrack(of: list), path: path)
  }
}

extension TrackInfo {
  /// - Throws: `decoderNotFound`.
  func requireDecoder(of presentation: Presentation) throws(EngineError) {
    guard !format.parameters.hasDecoder, !timeline.isEmpty else { return }
    throw EngineError(
      .decoderNotFound,
      "This build has no decoder for \(format.parameters.name), "
        + "the \(mediaType.rawValue) of track \(trackID) of '\(presentation.path)'",
      advice: .chooseDecodableTrack, path: presentation.path)
  }

  /// Returns the track's range as far as its samples can be read.
  fileprivate func readableRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    guard let media = timeline.stored else {
      return try timeline.timeRange(interrupt: interrupt)
    }
    // All of it is read, so that an estimate of the header's is no end.
    let range = try media.source.timeRange(
      of: media.stream, precise: true, interrupt: interrupt)
    let index = try media.index(interrupt: interrupt)
    guard index.damage != nil, let end = index.end.map(media.time), end > range.start else {
      return range
    }
    return TimeRange(start: range.start, end: min(range.end, end))
  }
}

extension [TrackInfo] {
  /// Returns the union of the tracks' ranges between zero and the asset's end, as far as it can be read; empty where
  /// that has no media.
  ///
  /// - Parameter start: the start of the range; nil for that of the tracks.
  func readableRange(
    from start: Time?, of asset: any Asset, interrupt: Interrupt
  ) throws(EngineError) -> TimeRange {
    let end = try asset.media.content.preciseDuration(interrupt: interrupt)
    var own = TimeRange.invalid
    for track in self {
      let range = try track.readableRange(interrupt: interrupt)
      if !own.isValid { own = range } else if range.isValid { own = own.union(range) }
    }
    if end.isNumeric { own = own.intersection(TimeRange(start: .zero, duration: end)) }
    let start = start ?? (own.isValid ? own.start : .zero)
    guard own.isValid, own.end.isNumeric, own.end > start else {
      return TimeRange(start: start, duration: .zero)
    }
    return TimeRange(start: start, end: own.end)
  }
}
