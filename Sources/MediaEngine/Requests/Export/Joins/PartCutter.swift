import LibAV
import MediaTime
import SystemIO

/// Cuts the parts of a video track, one after the other.
struct PartCutter {
  enum Outcome {
    case cut(TrackJoin.Part)
    case refused(String)
  }

  private let plan: JoinPlan
  private let interrupt: Interrupt
  /// The parameter sets of all parts and edges, unless each part has its own.
  private var joined: JoinedConfiguration?
  var encodesEdges = true

  init(_ plan: JoinPlan, interrupt: Interrupt) {
    self.plan = plan
    self.interrupt = interrupt
    joined = plan.isInBand ? nil : JoinedConfiguration(plan.format.parameters)
  }

  static func framing(of format: MediaFormat) -> NALFraming? {
    CodecTraits(format.parameters.codecName).nalSyntax.map {
      NALFraming($0, extradata: format.parameters.extradata)
    }
  }

  /// Returns the format of the track for all parts that were cut.
  func joinedFormat() throws(EngineError) -> MediaFormat {
    var format = plan.format
    if let joined, joined.extradata != format.parameters.extradata {
      format.parameters = try mapErrors(.write) { () throws(LibAVError) in
        try plan.format.parameters.replacing(extradata: joined.extradata)
      }
    }
    return format
  }

  /// - Parameters:
  ///   - source: the range of the part's source.
  ///   - isFirst: true if no other part precedes it in the file.
  mutating func cut(
    _ part: TrackTimeline.Part, _ source: TimeRange, target: TimeRange, isFirst: Bool
  ) throws(EngineError) -> Outcome {
    guard let media = part.stored(over: source) else { return .refused(part.reasonWithoutIndex) }
    let range = TrackRange(source, of: media)
    func made(_ samples: TrackJoin.Part.Samples) -> Outcome {
      .cut(
        TrackJoin.Part(
          media: media, samples: samples, mapping: part, range: range, target: target))
    }
    let whole = try WholePart(media, range, interrupt: interrupt)
    guard CodecTraits(media.stream.parameters.codecName).nalSyntax != nil else {
      return whole.refusal.map(Outcome.refused) ?? made(.copied(whole.cut))
    }
    if !encodesEdges, let refusal = whole.refusal { return .refused(refusal) }
    switch try smartCut(media, range) {
    case .cut(let cut): return made(.cut(cut))
    // A file may begin with a picture that a decoder can't reach from another one.
    case .refused(let reason):
      return isFirst && whole.refusal == nil ? made(.copied(whole.cut)) : .refused(reason)
    }
  }

  /// Cuts a part so that its edges' parameter sets have numbers of their own.
  private mutating func smartCut(
    _ media: StoredTrack, _ range: TrackRange
  ) throws(EngineError) -> SmartCutter.Outcome {
    var reserved: Set<UInt32> = []
    for _ in 0..<3 {
      let cutter = SmartCutter(media, range: range, reserved: reserved, interrupt: interrupt)
      let outcome = try cutter.make()
      guard case .cut(let cut) = outcome else { return outcome }
      guard let joined, !cut.parameterSets.isEmpty else { return .cut(cut) }
      if joined.accepts(cut.parameterSets) {
        self.joined?.add(cut.parameterSets)
        return .cut(cut)
      }
      reserved.formUnion(joined.numbers)
    }
    return .refused("its edges' parameter sets find no number that no other part has")
  }

  func preview(
    _ part: TrackTimeline.Part, _ source: TimeRange, target: TimeRange, isFirst: Bool,
    encodesEdges: Bool
  ) throws(EngineError) -> (ExportedSegment.Treatment, String?) {
    guard let media = part.stored(over: source) else { return (.refused, part.reasonWithoutIndex) }
    let range = TrackRange(source, of: media)
    let whole = try WholePart(media, range, interrupt: interrupt)
    guard CodecTraits(media.stream.parameters.codecName).nalSyntax != nil, encodesEdges else {
      return (whole.refusal == nil ? .copied : .refused, whole.refusal)
    }
    switch try SmartCutter(media, range: range, interrupt: interrupt).makePlan() {
    case .cut(let cut):
      let count = cut.plan.head.count + cut.plan.tail.count
      guard count > 0 else { return (.copied, nil) }
      return (
        .edgesEncoded,
        "\(count == 1 ? "1 frame" : "\(count) frames") at its edges can't be decoded without "
          + "others that aren't shown"
      )
    case .refused(let reason):
      return isFirst && whole.refusal == nil ? (.copied, nil) : (.refused, reason)
    }
  }
}

/// A part that is copied without any sample that isn't shown.
private struct WholePart {
  let cut: TrackCut
  /// The reason why it can't be copied; nil if it can.
  let refusal: String?

  init(
    _ media: StoredTrack, _ range: TrackRange, interrupt: Interrupt
  ) throws(EngineError) {
    let index = try media.index(forDecodingAt: range.start, interrupt: interrupt)
    let cut = TrackCut(
      index: index, start: range.start, end: range.end, hidesStart: true, kind: .pictures)
    self.cut = cut
    guard !cut.samples.isEmpty, let last = index.position(at: range.end &- 1) else {
      refusal = "it holds no frame"
      return
    }
    let first = index.position(at: range.start) ?? 0
    let begin = index.presentation[first]
    let copied = cut.samples.filter { index.samples[$0].pts >= cut.leavesOutBefore }.count
    if cut.samples.lowerBound != begin || !index.samples[begin].isSync {
      let point = index.samples[index.randomAccessPoint(forSample: begin)].pts
      refusal =
        "it begins inside a group of pictures: the sync sample before is at "
        + "\(media.time(point).shortSeconds) of its source"
    } else if copied != last - first + 1 {
      refusal = "it ends where later frames are needed for those before"
    } else {
      refusal = nil
    }
  }
}
