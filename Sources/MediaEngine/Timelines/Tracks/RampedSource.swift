import LibAV
import MediaTime
import SystemIO

/// A source that is presented at a speed that changes.
///
/// Its clock is that of the curve's target: it begins with zero. A frame is shown from the first time
/// on at which its start has been reached.
final class RampedSource: DerivedSource {
  let base: any TrackSource
  let curve: SpeedCurve
  /// The range of `base`, and the range of positions of the curve at which it is presented.
  private let mapping: TimeMapping

  /// - Parameters:
  ///   - base: a source with an end.
  ///   - mapping: from the clock of `base` to positions of the curve.
  init(_ base: any TrackSource, _ curve: SpeedCurve, mapping: TimeMapping) {
    (self.base, self.curve, self.mapping) = (base, curve, mapping)
  }

  var speeds: [StretchRatio] { curve.speeds.map(scaled) }

  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    TimeRange(start: .zero, duration: curve.duration)
  }

  func damage(before end: Time) -> EngineError? { base.damage(before: baseTime(end) + Self.moment) }

  func makeErrors(range: TimeRange) -> DecodeErrors? { base.makeErrors(range: baseRange(range)) }

  // A curve at another speed is a curve: audio is stretched once.
  func shown(by mapping: TimeMapping) -> TrackTimeline.Part {
    let (source, target) = (mapping.source.duration, mapping.target.duration)
    guard source != target, source.isDuration, target.isDuration else {
      return TrackTimeline.Part(self, mapping: mapping)
    }
    let scaled = RampedSource(
      base, curve.scaled(by: target, over: source), mapping: self.mapping)
    let start = mapping.source.start.mappedDuration(from: mapping.source, to: mapping.target)
    return TrackTimeline.Part(
      scaled,
      mapping: TimeMapping(
        source: TimeRange(start: start, duration: target), target: mapping.target))
  }

  func assetTime(_ time: Time) -> Time { base.assetTime(baseTime(time)) }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    try RampedFrames(self, reading) { (reading) throws(EngineError) in
      try self.base.frames(reading, priority: priority)
    }
  }

  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    let (own, layout) = settings.resolved(for: format.media.parameters)
    let rate = layout.sampleRate
    let end = min(curve.duration, reading.range.end)
    let first = max(0, reading.range.start.sampleNumber(from: .zero, rate: rate))
    return try base.stretchedAudio(
      reading, over: mapping.source,
      wanted: first..<max(first, end.sampleNumber(from: .zero, rate: rate)), layout, own,
      path: format.path
    ) { sourceRate in
      .varying(
        RampedSamples(
          curve: curve, mapping: mapping, sourceRate: Double(sourceRate), rate: Double(rate),
          steps: speeds.map { Double($0.numerator) / Double($0.denominator) }))
    }
  }

  // MARK: Times

  /// Longer than the rounding of a time.
  private static let moment = Time(value: 1, timescale: 1_000_000_000)

  /// Returns the nearest time of the base that isn't later than the one that is shown at a time.
  func baseTime(_ time: Time) -> Time {
    guard time.isNumeric else { return time }
    return curve.positionTime(at: time).mapped(from: mapping.target, to: mapping.source)
  }

  /// Returns the time at which a time of the base is first shown.
  func time(ofBase time: Time) -> Time {
    curve.time(of: time.mapped(from: mapping.source, to: mapping.target))
  }

  /// Returns a range of the base with all that is shown in a range, and at most a moment more.
  func baseRange(_ range: TimeRange) -> TimeRange {
    let end = min(range.end, curve.duration)
    let start = baseTime(range.start) - Self.moment
    return TimeRange(start: max(.zero, start), end: baseTime(end) + Self.moment)
  }

  private func scaled(_ speed: StretchRatio) -> StretchRatio {
    guard let own = StretchRatio(mapping) else { return speed }
    let (a, b) = (own.approximated(limit: 1 << 30), speed.approximated(limit: 1 << 30))
    return StretchRatio(
      Int128(a.numerator) * Int128(b.numerator), Int128(a.denominator) * Int128(b.denominator))
  }
}

/// The samples of a source that are heard along a curve.
private struct RampedSamples: VaryingStretchMap {
  let curve: SpeedCurve
  let mapping: TimeMapping
  let sourceRate: Double
  let rate: Double
  let maximumStep: Double
  private let sections: [Section]
  /// The position in seconds of the curve that is the source's first sample, and the factor from there.
  private let origin: Double
  private let factor: Double

  private struct Section {
    let target: Double
    let end: Double
    let source: Double
    /// The speed at the start, and its growth in a second.
    let speed: Double
    let growth: Double
  }

  init(
    curve: SpeedCurve, mapping: TimeMapping, sourceRate: Double, rate: Double, steps: [Double]
  ) {
    (self.curve, self.mapping, self.sourceRate, self.rate) = (curve, mapping, sourceRate, rate)
    maximumStep = (steps.max() ?? 1) * sourceRate / rate
    origin = mapping.target.start.seconds
    factor = mapping.source.duration.seconds / mapping.target.duration.seconds
    sections = curve.sections.map { section in
      let (first, last) = (section.speed(.zero).seconds, section.speed(ExactTime(1)).seconds)
      return Section(
        target: section.target.start.seconds, end: section.target.end.seconds,
        source: section.source.start.seconds, speed: first,
        growth: (last - first) / section.target.duration.seconds)
    }
  }

  /// Returns the section of a time, and the time in it.
  private func section(at output: Int64) -> (Section, Double) {
    let time = Double(output) / rate
    var (low, high) = (0, sections.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].end <= time { low = middle + 1 } else { high = middle }
    }
    return (sections[low], time - sections[low].target)
  }

  func position(of output: Int64) -> Double {
    let (section, time) = section(at: output)
    // Outside the curve, the speed of its nearest end continues.
    let inside = min(max(0, time), section.end - section.target)
    var place = section.source + section.speed * inside + section.growth * inside * inside / 2
    place += (section.speed + section.growth * inside) * (time - inside)
    return (place - origin) * factor * sourceRate
  }

  func source(of output: Int64) -> Int64 {
    // A whole number is one in spite of rounding.
    Int64(clamping: Int((position(of: output) + 1e-6).rounded(.down)))
  }

  func isSlow(at output: Int64) -> Bool {
    let (section, time) = section(at: output)
    return (section.speed + section.growth * time) * factor * sourceRate <= rate
  }
}

/// The frames of a source along a curve.
private final class RampedFrames: RestartableStream {
  private let source: RampedSource
  private let open: (TrackReading) throws(EngineError) -> any MediaStream<TimedFrame>
  private var reading: TrackReading
  private var frames: any MediaStream<TimedFrame>

  init(
    _ source: RampedSource, _ reading: TrackReading,
    open: @escaping (TrackReading) throws(EngineError) -> any MediaStream<TimedFrame>
  ) throws(EngineError) {
    (self.source, self.reading, self.open) = (source, reading, open)
    var own = reading
    own.range = source.baseRange(reading.range)
    frames = try open(own)
  }

  deinit { frames.stop() }

  func stop() { frames.stop() }

  func restart(at time: Time) throws(EngineError) {
    reading.range = TimeRange(start: time, end: max(time, reading.range.end))
    reading.isRestarted = true
    var own = reading
    own.range = source.baseRange(reading.range)
    if let restartable = frames.restartable {
      return try restartable.restart(at: own.range.start)
    }
    frames.stop()
    frames = try open(own)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await frames.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { frames.waitBlocking() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    let step = try frames.take(demand)
    guard case .element(var frame) = step else { return step }
    let timing = frame.timing
    let start = source.time(ofBase: timing.start)
    let following = timing.following.map(source.time(ofBase:))
    let end = following ?? source.time(ofBase: timing.start + timing.duration)
    guard start < reading.range.end else { return .end }
    // The frame before the range, or one that is passed between two ticks of the clock.
    if end <= reading.range.start && following != nil || following == start { return .skipped }
    frame.timing = FrameTiming(
      start: start, duration: max(.zero, end - start), following: following)
    return .element(frame)
  }
}
