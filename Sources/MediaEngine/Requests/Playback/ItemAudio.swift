import LibAV
import MediaTime
import SystemIO

/// The audio of an item from a time on, mixed, at a rate, in the device's sample format.
///
/// Used by one task at a time, on the queue of its player.
final class ItemAudio {
  private let audio: any MediaStream<SampleBuffer>
  private let channels: Int
  private let interrupt: Interrupt
  private let priority: WorkLimiter.Priority
  /// Samples that were read and not yet returned, interleaved.
  private var samples: [Float] = []
  private var taken = 0
  private var isAtEnd = false
  /// The damage of the tracks, and what of it was noted.
  private var damage: [(track: TrackInfo, errors: DecodeErrors, noted: NotedDamage)] = []

  /// Returns true for a rate at which audio is heard: up to 4 with the spectral algorithm, up to 2 with others.
  static func isAudible(_ rate: PlaybackRate, _ algorithm: AudioTimePitchAlgorithm) -> Bool {
    rate.ticks > 0 && rate.ticks <= PlaybackRate.one.ticks * (algorithm == .spectral ? 4 : 2)
  }

  /// - Parameters:
  ///   - start: the item's time of the first sample.
  ///   - rate: one that is heard.
  ///   - priority: the priority of decoding.
  init(
    _ facts: ItemFacts, from start: ExactTime, at rate: PlaybackRate, sampleRate: Int,
    channels: Int, priority: WorkLimiter.Priority, interrupt: Interrupt
  ) throws(EngineError) {
    self.channels = channels
    self.priority = priority
    self.interrupt = interrupt
    let settings = AudioSettings(
      sampleFormat: .f32, sampleRate: sampleRate, channels: channels, isInterleaved: true,
      timePitch: facts.timePitch)
    let from = start.time(preferring: Int32(clamping: sampleRate))
    guard rate != .one, from < facts.duration else {
      let range = TimeRange(start: from, end: max(from, facts.duration))
      let tracks = facts.audio.map { ($0, DecodeErrors($0.timeline, range: range)) }
      damage = tracks.map { ($0, $1, NotedDamage()) }
      audio = try MixedAudio(
        tracks, by: facts.audioMix, TrackReading(range: range, interrupt: interrupt),
        settings: settings)
      return
    }
    // The rest of the item is scaled as a segment of a composition is.
    let source = TimeRange(start: from, end: facts.duration)
    let length =
      ((ExactTime(facts.duration) ?? .zero) - start) / rate.factor
    let target = TimeRange(
      start: .zero, duration: length.time(preferring: Int32(clamping: sampleRate)))
    let mapping = TimeMapping(source: source, target: target)
    var scaled: [(info: TrackInfo, errors: DecodeErrors?)] = []
    for track in facts.audio {
      let info = try track.scaled(by: mapping, mix: facts.audioMix, algorithm: facts.timePitch)
      let own = DecodeErrors(info.timeline, range: target)
      scaled.append((info, own))
      damage.append((info, own, NotedDamage()))
    }
    audio = try MixedAudio(
      scaled, by: facts.audioMix?.mapped(by: mapping),
      TrackReading(range: target, interrupt: interrupt), settings: settings)
  }

  deinit { audio.stop() }

  /// Appends frames of samples to `output`.
  ///
  /// - Parameter willLoad: called before it decodes or waits for samples.
  /// - Returns: the number of appended frames: fewer than `count` at the end of the audio.
  func read(
    _ count: Int, into output: inout [Float], willLoad: () -> Void = {},
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> Int {
    var missing = count * channels
    while missing > 0 {
      if taken == samples.count {
        guard !isAtEnd else { break }
        willLoad()
        try await load()
        continue
      }
      let end = min(samples.count, taken + missing)
      output.append(contentsOf: samples[taken..<end])
      missing -= end - taken
      taken = end
    }
    return count - missing / channels
  }

  /// Notes the damage that was met, in the item.
  func noteDamage(in item: PlayerItem) {
    for place in damage.indices {
      item.note(damage[place].errors, of: damage[place].track, &damage[place].noted)
    }
  }

  private func load(isolation: isolated (any Actor)? = #isolation) async throws(EngineError) {
    samples.removeAll(keepingCapacity: true)
    taken = 0
    let step = try await WorkLimiter.shared.run(priority, interrupt: interrupt) {
      () throws(EngineError) in try audio.take()
    }
    switch step {
    case .element(let buffer):
      buffer.data.block.appendFloats(0..<buffer.sampleCount * channels, to: &samples)
    case .skipped: break
    case .pending: await audio.wait(interrupt: interrupt, isolation: isolation)
    case .end: isAtEnd = true
    }
    if interrupt.isTriggered { throw .cancelled("The audio") }
  }
}

extension TrackInfo {
  /// Returns the track with a range of it faster or slower, from zero on.
  fileprivate func scaled(
    by mapping: TimeMapping, mix: AudioMix?, algorithm: AudioTimePitchAlgorithm
  ) throws(EngineError) -> TrackInfo {
    let timeline = try TrackTimeline(
      parts: timeline.parts(showing: mapping), of: mediaType, path: timeline.format.path)
    return TrackInfo(
      trackID: trackID, mediaType: mediaType, timeline: timeline, movie: movie, metadata: metadata,
      isEnabled: isEnabled, settings: settings)
  }
}

extension AudioMix {
  /// Returns the mix for a range that is shown faster or slower, from zero on.
  fileprivate func mapped(by mapping: TimeMapping) -> AudioMix {
    var result = self
    func map(_ time: Time) -> Time { time.mapped(from: mapping.source, to: mapping.target) }
    for index in result.inputParameters.indices {
      result.inputParameters[index].volume = inputParameters[index].volume.map { entry in
        switch entry {
        case .value(let value, let time): .value(value, at: map(time))
        case .ramp(let from, let to, let range):
          .ramp(
            from: from, to: to, over: TimeRange(start: map(range.start), end: map(range.end)))
        }
      }
    }
    return result
  }
}
