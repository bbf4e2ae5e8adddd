import LibAV
import MediaTime
import SystemIO

/// A track of audio of several parts whose packets are copied.
///
/// The file's packets are contiguous from its zero on. A part begins at the packet boundary that is
/// nearest to its start, with its source's packet that is nearest to the audio at that time. It is
/// at most half a packet early or late, regardless of the previous parts. The missing samples of a
/// source, and an empty edit, are a gap in the time stamps.
struct AudioJoin {
  /// Consecutive packets of one source.
  struct Part {
    let media: StoredTrack
    /// Decode indexes.
    let samples: Range<Int>
    /// The number of the first packet in the file; negative for packets that are decoded before the
    /// start.
    let first: Int64
  }

  let parts: [Part]
  let format: MediaFormat
  /// The clock of its samples.
  let timeBase: TimeBase
  /// The number of samples in a packet.
  let packetLength: Int64
  /// The maximum time by which a part is early or late.
  let deviation: Time

  /// - Parameter range: the part of the track to join.
  /// - Throws: `operationNotSupportedForAsset` with the reasons of all parts that can't be joined.
  init(
    _ track: TrackInfo, _ plan: JoinPlan, range: TimeRange, in type: FileType, interrupt: Interrupt
  ) throws(EngineError) {
    try plan.requireNoRefusal(of: track)
    format = plan.format
    let rate = Int32(clamping: max(1, format.parameters.sampleRate))
    timeBase = TimeBase(1, rate)
    let ranges = track.timeline.ranges(in: range)
    var refused: [(segment: JoinPlan.Segment, reason: String)] = []
    var parts: [Part] = []
    var deviation = Time.zero
    var length: Int64?
    for segment in plan.segments {
      guard let (source, target) = ranges[segment.number], let source,
        let media = track.timeline.parts[segment.number].stored(over: source)
      else { continue }
      let index = try media.index(interrupt: interrupt)
      guard let own = AudioJoin.packetLength(of: media, index), own == length ?? own else {
        refused.append((segment, "its packets aren't of one length, which is the track's"))
        continue
      }
      length = own
      func slot(_ time: Time) -> Int64 {
        (time - range.start).ticks(
          in: TimeBase(Int32(clamping: own), rate), rounding: .halfAwayFromZero)
      }
      let first = slot(target.start)
      let count = Int(clamping: slot(target.end) - first)
      let boundary = range.start + Time(ticks: first * own, in: timeBase)
      let wanted = source.start + (boundary - target.start)
      guard count > 0, let begin = AudioJoin.sample(nearestTo: wanted, of: media, index) else {
        continue
      }
      let off = (media.time(index.samples[begin].pts) - wanted).absoluteValue
      deviation = max(deviation, off)
      var samples = begin..<min(index.samples.count, begin + count)
      var number = first
      if parts.isEmpty, first == 0, type.format.capabilities.hasEditLists {
        let preroll = index.preroll(
          before: begin, codec: format.parameters.codecName, clock: media.stream.timeBase)
        samples = (begin - preroll)..<samples.upperBound
        number -= Int64(preroll)
      }
      parts.append(Part(media: media, samples: samples, first: number))
    }
    try JoinPlan.require(refused, of: track)
    self.parts = parts
    self.deviation = deviation
    packetLength = length ?? 1024
  }

  /// Returns the number of samples in a packet; nil if it varies.
  private static func packetLength(of media: StoredTrack, _ index: SampleIndex) -> Int64? {
    let parameters = media.stream.parameters
    guard parameters.sampleRate > 0 else { return nil }
    // The last may be shorter, and the first longer in Android's recordings.
    let lengths = index.samples.dropFirst().dropLast().map(\.duration)
    guard let minimum = lengths.min(), let maximum = lengths.max(), minimum > 0,
      maximum &- minimum <= 1
    else { return nil }
    let stated = Int64(parameters.frameSize)
    let tick = media.duration(1)
    let clock = TimeBase(1, Int32(clamping: parameters.sampleRate))
    // A container that counts milliseconds has rounded the duration.
    if stated > 0, (Time(ticks: stated, in: clock) - media.duration(maximum)).absoluteValue <= tick
    {
      return stated
    }
    return minimum == maximum
      ? media.duration(maximum).ticks(in: clock, rounding: .halfAwayFromZero) : nil
  }

  private static func sample(
    nearestTo time: Time, of media: StoredTrack, _ index: SampleIndex
  ) -> Int? {
    let wanted = media.ticks(time, rounding: .halfAwayFromZero)
    guard !index.samples.isEmpty else { return nil }
    // Audio is presented in decode order.
    var (low, high) = (0, index.samples.count)
    while low < high {
      let mid = (low + high) / 2
      if index.samples[mid].pts < wanted { low = mid + 1 } else { high = mid }
    }
    let candidates = [low - 1, low].filter(index.samples.indices.contains)
    return candidates.min { a, b in
      index.samples[a].pts.distanceMagnitude(to: wanted)
        < index.samples[b].pts.distanceMagnitude(to: wanted)
    }
  }
}

/// The packets of an ``AudioJoin``, one part after the other: only one part is open at a time.
final class JoinedAudio: PacketStream {
  let timeBase: TimeBase
  private let join: AudioJoin
  private var parts: ArraySlice<AudioJoin.Part>
  private let interrupt: Interrupt
  private var reader: PacketReader?
  /// The number of packets of the open part that are still to come, and the number of the next one
  /// in the file.
  private var left = 0
  private var next: Int64 = 0
  private let packet: Handoff<Packet>

  init(_ join: AudioJoin, interrupt: Interrupt) throws(EngineError) {
    self.join = join
    packet = try mapErrors(.read) { () throws(LibAVError) in Handoff(try Packet()) }
    self.interrupt = interrupt
    timeBase = join.timeBase
    parts = join.parts[...]
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Handoff<Packet>> {
    try next(into: &packet.value) ? .element(packet) : .end
  }

  private func next(into packet: inout Packet) throws(EngineError) -> Bool {
    while true {
      if left > 0, try reader?.read(into: &packet) == true {
        left -= 1
        if reader?.media.source.isOverlap(packet) == true { continue }
        packet.pts = next &* join.packetLength
        packet.dts = packet.pts
        packet.duration = join.packetLength
        packet.isDiscarded = false
        // Samples that a source hides at its ends are among the others here.
        if packet.skippedSamples != nil {
          try mapErrors(.write) { () throws(LibAVError) in
            try packet.setSkippedSamples(start: 0, end: 0)
          }
        }
        next += 1
        return true
      }
      guard let part = parts.popFirst() else { return false }
      var opened = try PacketReader(media: part.media, interrupt: interrupt, requiresWhole: true)
      try opened.seek(to: part.samples.lowerBound)
      reader = consume opened
      (left, next) = (part.samples.count, part.first)
    }
  }
}
