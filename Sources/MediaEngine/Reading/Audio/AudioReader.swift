import LibAV
import MediaTime
import SystemIO

/// The decoded audio of a track, every frame with its exact place.
///
/// Time stamps are often coarser than samples (a millisecond in Matroska), so samples are counted: a run
/// of frames without a gap has the time of its first sample, and all others follow from their number. A
/// reader that begins in the middle of a run finds the number that a linear read would have counted.
struct AudioReader: ~Copyable {
  /// Frames without a gap between them.
  struct Run {
    /// Different for each run of a reader.
    var number: Int
    /// The start of sample 0, on the asset's clock.
    var origin: Time
    /// In hertz.
    var rate: Int

    func time(of sample: Int64) -> Time {
      origin + Time(value: sample, timescale: Int32(clamping: rate))
    }
  }

  private var clip: TrackClip
  private var reader: FrameReader
  /// The frame that ``next()`` has decoded.
  private(set) var frame: Frame
  /// The samples of the frame that count: without those that overlap with earlier ones.
  private(set) var samples: Range<Int> = 0..<0
  /// The run of the frame.
  private(set) var run = Run(number: 0, origin: .zero, rate: 1) {
    didSet { expectedPTS = nil }
  }
  /// The number in its run of the first of ``samples``.
  private(set) var position: Int64 = 0
  /// The link of a chained Ogg file that the run is from.
  private var link = 0
  /// The time stamp of a frame that follows the last one without a doubt: time need not be calculated.
  private var expectedPTS: Int64?
  /// True when a frame has been read ahead.
  private var isFramePending = false

  /// Time stamps that are off by less than this are the container's rounding, or a clock that isn't the
  /// audio's; more is a gap or an overlap.
  private static let tolerance = Time(value: 1, timescale: 10)
  /// A jump back by more than this is no overlap but a clock that was set back.
  private static let maximumOverlap = Time(value: 10, timescale: 1)

  init(_ clip: TrackClip) throws(EngineError) {
    let reader = try FrameReader(
      media: clip.media, interrupt: clip.interrupt, threads: 1, requiresWhole: clip.requiresWhole,
      damage: clip.damage, sharing: clip.sharing)
    let frame = try mapErrors(.decode, path: clip.path, Frame.init)
    self.clip = clip
    self.reader = reader
    self.frame = frame
  }

  /// Goes to the start of the range, before the first frame is read.
  ///
  /// - Parameters:
  ///   - preroll: the time before the range that has to be decoded correctly too.
  ///   - needsOrigin: the run's first sample has to be the one of a linear read, not just any.
  mutating func begin(preroll: Time, needsOrigin: Bool) throws(EngineError) {
    guard clip.range.start > .zero else { return }
    try begin(at: clip.range.start - preroll, needsOrigin: needsOrigin)
  }

  /// Begins again, with the frames of another range of the track.
  ///
  /// - Parameters: as those of ``begin(preroll:needsOrigin:)``.
  mutating func restart(
    _ range: TimeRange, preroll: Time, needsOrigin: Bool
  ) throws(EngineError) {
    clip.range = range
    clip.damage?.restart(at: range.start)
    try restart(fromPosition: 0)
    try begin(preroll: preroll, needsOrigin: needsOrigin)
  }

  /// Decodes the next frame; false at the end of the track.
  mutating func next() throws(EngineError) -> Bool {
    if isFramePending {
      isFramePending = false
      return true
    }
    while try reader.next(into: &frame) {
      place()
      if !samples.isEmpty { return true }
    }
    return false
  }

  /// Reports damage of the clip, once all of it has been read.
  ///
  /// - Throws: `undecodableMediaData` where there was no output.
  func conclude() throws(EngineError) { try reader.conclude() }

  /// Returns the time stamp of a frame that begins at a time.
  private func ticks(_ time: Time) -> Int64 {
    clip.media.ticks(time, rounding: .towardNegativeInfinity)
  }

  /// Finds the frame's place after the one before it.
  private mutating func place() {
    let count = frame.sampleCount
    let next = position + Int64(samples.count)
    samples = 0..<count
    if let expected = expectedPTS, frame.pts == expected, run.rate == frame.sampleRate,
      link == reader.link, !reader.isTimeInferred
    {
      position = next
      expectedPTS = expected + Int64(count)
      return
    }
    // Where ticks are samples, the following stamps agree with the count; this one is examined
    // closely.
    let isCounted = clip.stream.timeBase == TimeBase(1, Int32(clamping: frame.sampleRate))
    defer {
      expectedPTS = isCounted && samples.lowerBound == 0 ? frame.pts.map { $0 + Int64(count) } : nil
    }
    let time = reader.isTimeInferred ? nil : frame.pts.map { clip.media.time($0) }
    guard run.number > 0, run.rate == frame.sampleRate, link == reader.link else {
      link = reader.link
      return begin(at: time ?? (run.number > 0 ? run.time(of: next) : .zero))
    }
    position = next
    guard let time else { return }
    let deviation = time - run.time(of: next)
    if deviation.absoluteValue <= AudioReader.tolerance { return }
    guard deviation < .zero, deviation > .zero - AudioReader.maximumOverlap else {
      return begin(at: time)
    }
    // Samples that have been delivered stay; times never go back.
    let overlap = (.zero - deviation).ticks(
      in: TimeBase(1, Int32(clamping: run.rate)), rounding: .halfAwayFromZero)
    samples = Int(min(overlap, Int64(count)))..<count
  }

  private mutating func begin(at time: Time) {
    var origin = run.number == 0 ? clip.stream.exactStart(time) : time
    // Priming that was cut off leaves less than a tick, which is rounding.
    if run.number == 0, origin < .zero, origin.absoluteValue <= clip.media.duration(1) {
      origin = .zero
    }
    run = Run(number: run.number + 1, origin: origin, rate: max(1, frame.sampleRate))
    position = 0
  }
}

// MARK: - Beginning in the middle

extension AudioReader {
  /// Begins with the first frame that starts at or before `time`, placed as in a linear read.
  private mutating func begin(at time: Time, needsOrigin: Bool) throws(EngineError) {
    let index = reader.index
    guard index.isReliable, let target = index.position(at: ticks(time)) else { return }
    let first = startOfRun(around: target)
    let warm = position(beforeDecoding: target)
    guard warm > first else { return try decode(fromPosition: first) }
    let rate = parameters(at: target).sampleRate
    if !needsOrigin, isExact(first...target) {
      try seek(toPosition: warm)
      // A frame of another rate than stated: its time stamps may not be exact.
      if try skip(toPosition: target), frame.sampleRate == rate { return }
    }
    // By count, a frame may lie later than its time stamp.
    guard let counted = index.position(at: ticks(time - AudioReader.tolerance)), counted > first,
      let start = try probe(first),
      let sample = start.sample(at: counted, in: index, clip.media)
    else {
      // Only counting from its start determines a frame's position.
      return try restart(fromPosition: first)
    }
    try seek(toPosition: max(first, position(beforeDecoding: counted)))
    run = Run(number: 0, origin: .zero, rate: 1)
    guard try skip(toPosition: counted), frame.sampleRate == start.rate else {
      return try restart(fromPosition: first)
    }
    run = Run(number: 1, origin: start.origin, rate: start.rate)
    position = sample
  }

  /// Returns the first sample of the run that the one at presentation position `target` belongs to.
  private func startOfRun(around target: Int) -> Int {
    let index = reader.index
    let limit = AudioReader.tolerance.ticks(
      in: clip.stream.timeBase, rounding: .towardPositiveInfinity)
    var first = target
    while first > 0 {
      let (sample, previous) = (
        index.sample(atPosition: first), index.sample(atPosition: first - 1)
      )
      let (gap, overflow) = sample.pts.subtractingReportingOverflow(previous.end)
      if overflow || gap.magnitude > UInt64(limit) || sample.flags.contains(.startsLink) {
        return first
      }
      first -= 1
    }
    return 0
  }

  /// Returns true if time stamps are exactly those that counting the samples would result in.
  private func isExact(_ positions: ClosedRange<Int>) -> Bool {
    let index = reader.index
    let parameters = parameters(at: positions.upperBound)
    guard clip.stream.timeBase.isExact(for: parameters.sampleRate) else { return false }
    let first = index.sample(atPosition: positions.lowerBound)
    // A packet of a codec with frames of one size can't be longer than others, whichever duration
    // is stated.
    let isVariable = CodecTraits(parameters.codecName).hasVariableBlocks
    return zip(positions, positions.dropFirst()).allSatisfy {
      let (sample, next) = (index.sample(atPosition: $0), index.sample(atPosition: $1))
      return sample.end == next.pts && (isVariable || sample.duration == first.duration)
    }
  }

  /// Returns the parameters of the sample at a presentation position.
  private func parameters(at position: Int) -> CodecParameters {
    clip.stream.description(at: reader.index.sample(atPosition: position).pts).parameters
  }

  /// Returns the position to begin with, so that the sample at `target` is decoded as in a linear
  /// read.
  private func position(beforeDecoding target: Int) -> Int {
    let index = reader.index
    let length = CodecTraits(parameters(at: target).codecName).decodePreroll.ticks(
      in: clip.stream.timeBase, rounding: .towardPositiveInfinity)
    let (start, overflow) = index.sample(atPosition: target).pts
      .subtractingReportingOverflow(length)
    return overflow ? 0 : index.position(at: start) ?? 0
  }

  private mutating func seek(toPosition position: Int) throws(EngineError) {
    try reader.seek(to: reader.index.randomAccessPoint(forPosition: position))
  }

  /// Decodes from the sample at presentation position `first`, or from enough before it.
  private mutating func decode(fromPosition first: Int) throws(EngineError) {
    guard first > 0 else { return }
    // A link owes nothing to the one before it.
    if reader.index.sample(atPosition: first).flags.contains(.startsLink) {
      return try seek(toPosition: first)
    }
    try seek(toPosition: position(beforeDecoding: first))
  }

  private mutating func restart(fromPosition first: Int) throws(EngineError) {
    isFramePending = false
    run = Run(number: 0, origin: .zero, rate: 1)
    (samples, position, link) = (0..<0, 0, 0)
    try reader.seek(to: 0)
    try decode(fromPosition: first)
  }

  /// Decodes up to the frame of the sample at presentation position `target`, which ``next()`` then
  /// returns; false if there is no such frame.
  private mutating func skip(toPosition target: Int) throws(EngineError) -> Bool {
    let wanted = reader.index.sample(atPosition: target).pts
    while try reader.next(into: &frame) {
      guard let pts = frame.pts, pts >= wanted else { continue }
      place()
      isFramePending = true
      return pts == wanted
    }
    return false
  }

  /// The start of a run, found by decoding its first frames.
  private struct Start {
    var origin: Time
    var rate: Int
    /// The presentation position of the first frame's sample, and the number of samples decoded
    /// from it.
    var place: Int
    var count: Int
    /// The number of samples that are decoded from each of the following ones.
    var size: Int

    /// Returns the number of the first sample of audio from the sample at `target`; nil where
    /// frames may be of different sizes.
    ///
    /// Time stamps are a frame's duration apart but for rounding to the container's clock. The
    /// roundings of several frames add up where only the first frame of a packet has a time stamp,
    /// as in MPEG transport streams: there the stamps are near those of the count instead.
    func sample(at target: Int, in index: SampleIndex, _ media: StoredTrack) -> Int64? {
      guard target > place, size > 0 else { return nil }
      let length = Time(value: Int64(size), timescale: Int32(clamping: rate))
      let tick = media.duration(1)
      let rounding = Time(value: Int64(size / 64), timescale: Int32(clamping: rate))
      var isNearCount = true
      for position in place + 1..<target {
        let (start, end) = (
          index.sample(atPosition: position).pts, index.sample(atPosition: position + 1).pts
        )
        let wasNearCount = isNearCount
        let counted = time(ofSample: number(at: position + 1))
        isNearCount = (counted - media.time(end)).absoluteValue <= rounding
        if wasNearCount, isNearCount { continue }
        let (distance, overflow) = end.subtractingReportingOverflow(start)
        guard !overflow, (media.duration(distance) - length).absoluteValue <= tick else {
          return nil
        }
      }
      let stated = media.time(index.sample(atPosition: target).pts)
      let deviation = (time(ofSample: number(at: target)) - stated).absoluteValue
      return deviation <= AudioReader.tolerance ? number(at: target) : nil
    }

    private func number(at position: Int) -> Int64 {
      Int64(count) + Int64(position - place - 1) * Int64(size)
    }

    private func time(ofSample number: Int64) -> Time {
      origin + Time(value: number, timescale: Int32(clamping: rate))
    }
  }

  private mutating func probe(_ first: Int) throws(EngineError) -> Start? {
    try restart(fromPosition: first)
    let index = reader.index
    let wanted = index.sample(atPosition: first)
    var start: Start?
    var sizes: [Int] = []
    while sizes.count < 4, try reader.next(into: &frame) {
      guard let pts = frame.pts, start != nil || pts >= wanted.pts else { continue }
      if start == nil {
        guard let place = index.position(at: pts) else { return nil }
        run = Run(number: 0, origin: .zero, rate: 1)
        begin(at: clip.media.time(pts))
        start = Start(
          origin: run.origin, rate: run.rate, place: place, count: frame.sampleCount, size: 0)
      } else {
        sizes.append(frame.sampleCount)
      }
    }
    guard let size = sizes.first, sizes.allSatisfy({ $0 == size }) else { return nil }
    start?.size = size
    return start
  }
}

extension Time {
  /// Returns the number of the first sample at or after this time where sample 0 is at `origin`,
  /// exactly.
  func sampleNumber(from origin: Time, rate: Int) -> Int64 {
    let (a, b) = (Int128(value), Int128(timescale))
    let (c, d) = (Int128(origin.value), Int128(origin.timescale))
    let left = (a * d).subtractingReportingOverflow(c * b)
    let scaled = left.partialValue.multipliedReportingOverflow(by: Int128(rate))
    guard isNumeric, origin.isNumeric, !left.overflow, !scaled.overflow else {
      return (self - origin).ticks(
        in: TimeBase(1, Int32(clamping: rate)), rounding: .towardPositiveInfinity)
    }
    let (quotient, rest) = scaled.partialValue.quotientAndRemainder(dividingBy: b * d)
    return Int64(clamping: rest > 0 ? quotient + 1 : quotient)
  }
}

extension TimeBase {
  /// Returns true if every audio sample begins at a tick.
  fileprivate func isExact(for rate: Int) -> Bool {
    let ticks = Int64(rate).multipliedReportingOverflow(by: Int64(numerator))
    guard !ticks.overflow, ticks.partialValue > 0 else { return false }
    return Int64(denominator) % ticks.partialValue == 0
  }
}
