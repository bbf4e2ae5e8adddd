import LibAV
import MediaTime
import SystemIO

/// A video track of several parts that is copied: the cuts of the parts, and the description of the
/// whole track.
struct TrackJoin {
  /// A part on its way into the file.
  struct Part {
    enum Samples {
      case copied(TrackCut)
      /// A cut of H.264 or HEVC, with optional encoded edges.
      case cut(SmartCut)
    }

    let media: StoredTrack
    let samples: Samples
    let mapping: TrackTimeline.Part
    /// The range of the source.
    let range: TrackRange
    /// The range of the track that the part fills.
    let target: TimeRange

    /// The time by which its first sample is decoded before it is shown, on the track's clock.
    var decodeDelay: Time {
      let first: Int64? =
        switch samples {
        case .copied(let cut): cut.decodeTimes.first
        case .cut(let cut): cut.head.first?.picture.decodeTime ?? cut.plan.decodeTimes.first
        }
      guard let first, first < range.start else { return .zero }
      return mapping.targetDuration(media.duration(range.start &- first))
    }

    var encodesEdges: Bool {
      if case .cut(let cut) = samples { !cut.head.isEmpty || !cut.tail.isEmpty } else { false }
    }
  }

  let parts: [Part]
  /// The format of the track in the file.
  let format: MediaFormat
  /// The track's clock, which represents the times of all parts.
  let timeBase: TimeBase
  /// The maximum delay of a part: all samples are decoded earlier by it, so that decode times
  /// increase.
  let delay: Time
  /// The time of the track that is the file's zero.
  let start: Time
  /// The framing of H.264 and HEVC; nil for other codecs.
  let framing: NALFraming?
  /// True if each part's parameter sets are stored before its sync samples.
  let isInBand: Bool

  /// - Parameters:
  ///   - range: the part of the track to join.
  ///   - encodesEdges: true if pictures may be encoded where a part is cut inside of a group of
  ///     pictures.
  /// - Throws: `operationNotSupportedForAsset` with the reasons of all parts that can't be joined.
  init(
    _ track: TrackInfo, _ plan: JoinPlan, range: TimeRange, encodesEdges: Bool,
    interrupt: Interrupt
  ) throws(EngineError) {
    var cutter = PartCutter(plan, interrupt: interrupt)
    cutter.encodesEdges = encodesEdges
    var parts: [Part] = []
    var refused: [(segment: JoinPlan.Segment, reason: String)] = []
    // Refusals that need no sample to be read come first.
    let ranges = track.timeline.ranges(in: range)
    for segment in plan.segments where ranges[segment.number] != nil {
      if let refusal = segment.refusal { refused.append((segment, refusal)) }
    }
    try JoinPlan.require(refused, of: track)
    for segment in plan.segments {
      guard let ranges = ranges[segment.number], let source = ranges.source else { continue }
      if interrupt.isTriggered { throw .cancelled("The export") }
      let part = track.timeline.parts[segment.number]
      switch try cutter.cut(part, source, target: ranges.target, isFirst: parts.isEmpty) {
      case .cut(let made): parts.append(made)
      case .refused(let reason): refused.append((segment, reason))
      }
    }
    try JoinPlan.require(refused, of: track)
    self.parts = parts
    start = range.start
    delay = parts.map(\.decodeDelay).max() ?? .zero
    isInBand = plan.isInBand
    format = try cutter.joinedFormat()
    framing = PartCutter.framing(of: format)
    timeBase = TimeBase(1, TrackJoin.timescale(of: parts, from: range.start))
  }

  /// Returns the prospective result for each part in a range, without encoding anything.
  static func preview(
    _ track: TrackInfo, _ plan: JoinPlan, range: TimeRange, encodesEdges: Bool,
    interrupt: Interrupt
  ) throws(EngineError) -> [ExportedSegment] {
    let cutter = PartCutter(plan, interrupt: interrupt)
    let ranges = track.timeline.ranges(in: range)
    let numbers = track.timeline.segmentNumbers
    var result: [ExportedSegment] = []
    var isFirst = true
    for segment in plan.segments {
      guard let ranges = ranges[segment.number], let source = ranges.source else { continue }
      var found = ExportedSegment(
        number: numbers[segment.number], timeRange: ranges.target, treatment: .refused,
        reason: segment.refusal, advice: segment.advice)
      if segment.refusal == nil {
        let part = track.timeline.parts[segment.number]
        (found.treatment, found.reason) = try cutter.preview(
          part, source, target: ranges.target, isFirst: isFirst, encodesEdges: encodesEdges)
      }
      isFirst = false
      result.append(found)
    }
    return result
  }

  /// Returns ticks per second in which the times of all parts are whole numbers; beyond the limits of a movie's
  /// tables, in which the maximum number of them are.
  private static func timescale(
    of parts: [Part], from start: Time
  ) -> Int32 {
    // Two samples are less than 2^31 ticks apart, also over a gap.
    var gap = 1.0
    var end = start
    for part in parts {
      gap = max(gap, (part.target.start - end).seconds, min(10, part.target.duration.seconds))
      end = part.target.end
    }
    let limit = Int64(Double(Int32.max) / (gap + 1))
    let clocks = parts.map { $0.media.duration(1) }
    let offsets = parts.map { part in
      part.mapping.targetTime(part.media.time(part.range.start)) - start
    }
    let steps = parts.filter { $0.mapping.mapping.rate != 1 }.map { part in
      part.mapping.targetDuration(part.media.duration(1))
    }
    let finest = clocks.map { Int64($0.reduced.timescale) }.max() ?? 1000
    let common = (clocks + offsets + steps).commonTimescale(limit: limit)
    return Int32(clamping: max(common, min(finest, limit), 1))
  }
}
