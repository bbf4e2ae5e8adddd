import LibAV
import MediaTime

extension SampleIndex {
  /// Takes packets in decode order, as a demuxer gives them.
  package struct Builder: Sendable {
    package internal(set) var samples: [Sample] = []
    private(set) var isReliable = true
    private(set) var hasRestoredTimes = false
    var damage: LibAVError?
    private(set) var padding: Int64 = 0
    /// The end of a movie's pictures by its tables; nil for other samples.
    var movieLength: MovieLength?
    var reachesStart = true
    var reachesEnd = true
    private var link = 0
    /// The start of a sample without times.
    private var next: Int64 = 0
    /// True where samples follow each other without a gap, as video and audio do.
    let isContinuous: Bool

    init(isContinuous: Bool = true) { self.isContinuous = isContinuous }

    /// Creates a builder of an index's samples, whose values that depend on their neighbours are
    /// derived again.
    init(_ samples: [Sample]) {
      isContinuous = true
      self.samples = samples
      for place in samples.indices where samples[place].flags.contains(.derivedDuration) {
        self.samples[place].duration = 0
        self.samples[place].flags.remove(.derivedDuration)
      }
    }

    /// Returns true if the samples last until the end that the stream's header states, as near as a
    /// container with milliseconds can express it.
    func reachesEnd(of stream: StreamInfo) -> Bool {
      guard let duration = stream.duration, let last = samples.max(by: { $0.end < $1.end }) else {
        return false
      }
      let (end, overflow) = (stream.startTime ?? 0).addingReportingOverflow(duration)
      let tick = stream.timeBase
      let millisecond =
        tick.isPositive ? Int64(tick.denominator) / (Int64(tick.numerator) * 1000) : 0
      let (limit, underflow) = end.subtractingReportingOverflow(max(1, millisecond))
      return !overflow && (underflow || last.end >= limit)
    }

    /// Takes the same samples with other times, which are to be relied on.
    mutating func adopt(_ restored: [Sample]) {
      samples = restored
      (isReliable, hasRestoredTimes) = (true, true)
    }

    /// Marks the index as one that is not to be relied on.
    mutating func distrust() { isReliable = false }

    /// Takes samples whose container states all of their times.
    mutating func append(_ known: [Sample]) {
      samples = samples.isEmpty ? known : samples + known
    }

    mutating func append(_ packet: borrowing Packet, ofLink number: Int = 0) {
      var flags: Flags = []
      if number != link { flags.insert(.startsLink) }
      link = number
      if packet.isKey { flags.insert(.sync) }
      if packet.isDiscarded { flags.insert(.discarded) }
      if packet.isDisposable { flags.insert(.disposable) }
      append(
        pts: packet.pts, dts: packet.dts, duration: packet.duration, size: packet.size,
        position: packet.position, flags: flags)
    }

    /// Notes the part that decoders drop of the end of the last appended packet.
    mutating func notePadding(of packet: borrowing Packet, in stream: StreamInfo) {
      let clock = TimeBase(1, Int32(clamping: max(1, stream.parameters.sampleRate)))
      guard let count = packet.skippedSamples?.end, count > 0 else {
        padding = 0
        return
      }
      // Where ticks are longer than samples, none is cut off for that.
      padding += Time(ticks: Int64(count), in: clock)
        .ticks(in: stream.timeBase, rounding: .towardNegativeInfinity)
    }

    mutating func append(
      pts givenPTS: Int64?, dts givenDTS: Int64?, duration: Int64, size: Int, position: Int64?,
      flags given: Flags
    ) {
      var flags = given
      if givenPTS == nil {
        flags.insert(.inferredPTS)
        isReliable = false
      }
      if givenDTS == nil { flags.insert(.inferredDTS) }
      let dts = givenDTS ?? givenPTS ?? next
      let pts = givenPTS ?? dts
      let sample = Sample(
        pts: pts, dts: dts, duration: max(0, duration), position: position ?? -1,
        size: Int32(clamping: size), flags: flags)
      let end = pts.addingReportingOverflow(sample.duration)
      next = end.overflow ? pts : end.partialValue
      samples.append(sample)
    }

    /// Fills in durations: a sample without one lasts until the next; the last one, of video and
    /// audio, as long as the one before it.
    mutating func fillDurations(in presentation: SampleOrder) {
      var previous: Int64 = 0
      for (position, index) in presentation.enumerated() {
        if samples[index].duration == 0 {
          if position + 1 < presentation.count {
            let (length, overflow) = samples[presentation[position + 1]].pts
              .subtractingReportingOverflow(samples[index].pts)
            samples[index].duration = overflow ? 0 : max(0, length)
            samples[index].flags.insert(.derivedDuration)
          } else if previous > 0, isContinuous {
            samples[index].duration = previous
            samples[index].flags.insert(.derivedDuration)
          }
        }
        previous = samples[index].duration
      }
    }
  }
}
