import LibAV
import MediaTime
import SystemIO

/// Makes smart cuts: plans, encodes the edges, and decodes the joined samples.
struct SmartCutter {
  enum Outcome {
    case cut(SmartCut)
    /// The reason why the cut can't be made.
    case refused(String)
  }

  let media: StoredTrack
  private let range: TrackRange
  /// Numbers of parameter sets that other parts use in the same file.
  private let reserved: Set<UInt32>
  let interrupt: Interrupt

  /// The limit of pictures in an edge.
  private static let maximumFrames = 2000
  /// The number of frames to compare after a join, and before one.
  static let comparedPictures = 64
  /// The peak signal-to-noise ratio, in decibels, below which a frame isn't accepted as equal to
  /// its original.
  static let minimumPSNR = 35.0

  init(
    _ media: StoredTrack, range: TrackRange, reserved: Set<UInt32> = [], interrupt: Interrupt
  ) {
    self.media = media
    self.range = range
    self.reserved = reserved
    self.interrupt = interrupt
  }

  /// Returns the reason why a cut can't be made, as an error that becomes ``Outcome/refused(_:)``.
  static func refusal(_ reason: String) -> EngineError {
    EngineError(.operationNotSupportedForAsset, reason)
  }

  func make() throws(EngineError) -> Outcome {
    do throws(EngineError) {
      return .cut(try makeCut())
    } catch {
      if error.isCancellation { throw error }
      return .refused(error.message)
    }
  }

  /// Returns the cut without the pictures to be encoded, of which only the plan is known.
  func makePlan() throws(EngineError) -> Outcome {
    do throws(EngineError) {
      return .cut(try makePlainCut())
    } catch {
      if error.isCancellation { throw error }
      return .refused(error.message)
    }
  }

  private func makePlainCut() throws(EngineError) -> SmartCut {
    let format = media.stream.format
    let codec = format.parameters.codecName
    guard let syntax = CodecTraits(codec).nalSyntax else {
      throw SmartCutter.refusal("\(codec) isn't encoded anew, only h264 and hevc")
    }
    guard !media.hasSeveralDescriptions else {
      throw SmartCutter.refusal("its sample description changes in the range")
    }
    let framing = NALFraming(syntax, extradata: format.parameters.extradata)
    let (plan, breaksLink) = try makePlan(framing, syntax)
    var cut = SmartCut(
      media: media, range: range, plan: plan, format: format, framing: framing)
    cut.breaksLink = breaksLink
    return cut
  }

  private func makeCut() throws(EngineError) -> SmartCut {
    var cut = try makePlainCut()
    let (plan, format, framing) = (cut.plan, cut.format, cut.framing)
    guard let syntax = CodecTraits(format.parameters.codecName).nalSyntax,
      !plan.head.isEmpty || !plan.tail.isEmpty
    else { return cut }
    guard plan.head.count + plan.tail.count <= SmartCutter.maximumFrames else {
      throw SmartCutter.refusal(
        "its sync samples are too far apart: \(plan.head.count) pictures lie before the first")
    }
    var encoder = try BoundaryEncoder(
      media, syntax, framing: framing, reserved: reserved, interrupt: interrupt)
    var reader = try FrameReader(media: media, interrupt: interrupt, threads: 0)
    var points = RecoveryPoints(media, interrupt: interrupt)
    cut.head = try encoder.encode(plan.head, from: &reader, &points)
    cut.tail = try encoder.encode(plan.tail, from: &reader, &points)
    cut.parameterSets = encoder.parameterSets
    let joined = ConfigurationJoin.adding(
      encoder.parameterSets, to: format.parameters.extradata, syntax)
    guard let joined else {
      throw SmartCutter.refusal("its configuration record has no room for other parameter sets")
    }
    cut.format.parameters = try mapErrors(.encode, path: media.path) { () throws(LibAVError) in
      try format.parameters.replacing(extradata: joined)
    }
    try verify(cut, &reader, &points)
    return cut
  }

  private func makePlan(
    _ framing: NALFraming, _ syntax: NALSyntax
  ) throws(EngineError) -> (SmartCutPlan, breaksLink: Bool) {
    let index = try media.index(interrupt: interrupt)
    var packets = try PacketReader(media: media, interrupt: interrupt)
    var packet = try mapErrors(.read, path: media.path, Packet.init)
    var refused = 0
    var breaksLink = false
    var unreadable = false
    let plan = try SmartCutPlan(
      index: index, start: range.start, end: range.end, refused: &refused
    ) { (sample) throws(EngineError) in
      try packets.seek(to: sample)
      guard try packets.read(into: &packet), let units = framing.split(packet.bytes) else {
        unreadable = true
        return false
      }
      let entry = NALUnitTypes.entry(units, syntax)
      breaksLink = entry.breaksLink
      return entry.canBegin
    }
    guard let plan, !unreadable else {
      throw SmartCutter.refusal("the index doesn't state when its pictures are shown")
    }
    guard !plan.copied.isEmpty || refused == 0 else {
      throw SmartCutter.refusal(
        "its sync samples are no places to begin: later pictures need earlier ones (open GOP)")
    }
    // A picture that begins the file, or has no leading pictures, needs no change.
    return (plan, breaksLink && !(plan.head.isEmpty && plan.leading.isEmpty))
  }

  /// Decodes up to the frame that is shown at `time`.
  static func find(
    _ time: Int64, in reader: inout FrameReader, _ frame: inout Frame, _ interrupt: Interrupt
  ) throws(EngineError) {
    while true {
      let isThere = try step(&reader, &frame, interrupt)
      guard isThere, let pts = frame.pts, pts <= time else {
        throw refusal("a picture doesn't come out of the decoder as in the index")
      }
      if pts == time { return }
    }
  }

  /// One frame, in a slot of the ``WorkLimiter``.
  private static func step(
    _ reader: inout FrameReader, _ frame: inout Frame, _ interrupt: Interrupt
  ) throws(EngineError) -> Bool {
    try WorkLimiter.shared.runBlocking(.batch, interrupt: interrupt) { () throws(EngineError) in
      try reader.next(into: &frame)
    }
  }
}
