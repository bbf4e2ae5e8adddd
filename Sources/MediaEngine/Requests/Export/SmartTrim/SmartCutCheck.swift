import Glibc
import LibAV
import MediaTime
import SystemIO

// MARK: - Looking at the joins

extension SmartCutter {
  /// A frame of the result, and its origin in the source.
  fileprivate struct Expectation {
    var sourceTime: Int64
    var time: Int64
    var position: Int
    var isCopied: Bool
  }

  /// Decodes the joined samples, and compares them with the source: copied frames have to be equal,
  /// encoded ones similar.
  func verify(
    _ cut: SmartCut, _ reader: inout FrameReader, _ points: inout RecoveryPoints
  ) throws(EngineError) {
    let index = reader.index
    let plan = cut.plan
    let shown = plan.copied.filter { !plan.leading.contains($0) }
      .sorted { index.samples[$0].pts < index.samples[$1].pts }
    // A copy is decoded as far as the first frames after the join need it; a short one entirely.
    let maximum = SmartCutter.comparedPictures
    if shown.count <= 3 * maximum {
      try compare(cut, plan.copied, withHead: true, withTail: true, &reader, &points)
      return
    }
    if !cut.head.isEmpty {
      let end = plan.copied.lowerBound + min(plan.copied.count, maximum + plan.leading.count)
      try compare(
        cut, plan.copied.lowerBound..<end, withHead: true, withTail: false, &reader, &points)
    }
    if !cut.tail.isEmpty {
      let point = index.randomAccessPoint(forSample: plan.copied.upperBound - 1)
      let start = max(plan.copied.lowerBound, point)
      try compare(
        cut, start..<plan.copied.upperBound, withHead: false, withTail: true, &reader, &points)
    }
  }

  private func compare(
    _ cut: SmartCut, _ samples: Range<Int>, withHead: Bool, withTail: Bool,
    _ reader: inout FrameReader, _ points: inout RecoveryPoints
  ) throws(EngineError) {
    let index = reader.index
    let expected = expectations(cut, index, samples, withHead: withHead, withTail: withTail)
    guard let first = expected.first else { return }
    var joined = try JoinDecoder(
      cut, samples, withHead: withHead, withTail: withTail, interrupt: interrupt)
    var theirs = try mapErrors(.decode, path: media.path, Frame.init)
    var ours = try mapErrors(.decode, path: media.path, Frame.init)
    try reader.seek(to: try points.start(forPosition: first.position, in: index))
    for expectation in expected {
      try SmartCutter.find(expectation.sourceTime, in: &reader, &theirs, interrupt)
      try joined.next(into: &ours, upTo: expectation.time)
      try SmartCutter.check(ours, theirs, isCopied: expectation.isCopied)
    }
  }

  /// - Parameter difference: ``LibAV/Frame/difference(from:)`` of a frame and its original.
  static func isLike(_ difference: Double) -> Bool { difference <= pow(10, -minimumPSNR / 10) }

  private static func check(
    _ ours: borrowing Frame, _ theirs: borrowing Frame, isCopied: Bool
  ) throws(EngineError) {
    guard let difference = ours.difference(from: theirs) else {
      throw refusal("the pictures at its edges can't be compared")
    }
    if isCopied, difference != 0 {
      throw refusal("a copied picture after a join differs from the original")
    }
    if !isLike(difference) {
      throw refusal("a picture that was encoded anew isn't like the original")
    }
  }

  /// Returns the frames that the result presents for some samples, in presentation order.
  private func expectations(
    _ cut: SmartCut, _ index: SampleIndex, _ samples: Range<Int>, withHead: Bool,
    withTail: Bool
  ) -> [Expectation] {
    let plan = cut.plan
    func edge(_ edge: [SmartCut.Sample]) -> [Expectation] {
      edge.map {
        Expectation(
          sourceTime: $0.picture.sourceTime, time: $0.picture.time,
          position: $0.picture.position, isCopied: false)
      }
    }
    let copied = samples.filter { !plan.leading.contains($0) }.map { sample in
      let time = index.samples[sample].pts
      return Expectation(
        sourceTime: time, time: sample == plan.boundarySample ? plan.start : time,
        position: index.position(at: time) ?? 0, isCopied: true)
    }.sorted { $0.time < $1.time }
    // If decoding stops before the end, frames that wait for others aren't all returned.
    let isCut = !withTail && samples.upperBound < plan.copied.upperBound
    let first = samples.lowerBound == plan.copied.lowerBound ? 0 : primingCount(index, samples)
    let middle = copied.dropFirst(first).dropLast(isCut ? min(copied.count / 2, 17) : 0)
    return (withHead ? edge(cut.head) : []) + middle + (withTail ? edge(cut.tail) : [])
  }

  /// Returns the number of pictures that lead the first of some samples.
  private func primingCount(_ index: SampleIndex, _ samples: Range<Int>) -> Int {
    let time = index.samples[samples.lowerBound].pts
    return samples.filter { index.samples[$0].pts < time }.count
  }
}

/// Decodes a part of a smart cut's output.
private struct JoinDecoder: ~Copyable {
  private var decoder: Decoder
  private let head: [SmartCut.Sample]
  private let tail: [SmartCut.Sample]
  private let copy: CopiedTrack?
  private let cut: SmartCut
  private var given = 0
  private var tailGiven = 0
  private var isFirstCopy: Bool
  private var packet: Packet
  private let interrupt: Interrupt

  init(
    _ cut: SmartCut, _ samples: Range<Int>, withHead: Bool, withTail: Bool, interrupt: Interrupt
  ) throws(EngineError) {
    let index = try cut.media.index(interrupt: interrupt)
    var part = cut.cut(index)
    part.decodeTimes = Array(
      part.decodeTimes[(samples.lowerBound - part.samples.lowerBound)...].prefix(samples.count))
    part.samples = samples
    if samples.lowerBound > cut.plan.copied.lowerBound, let first = samples.first {
      part.leavesOutBefore = index.samples[first].pts
    }
    let copy =
      samples.isEmpty
      ? nil
      : try CopiedTrack(
        cut.media, range: cut.range, to: nil, cut: part, interrupt: interrupt)
    // The depth that a demuxer of the file reports, which may be less than the source's demuxer
    // did.
    let depth = JoinDecoder.reorderDepth(index, cut.plan)
    let decoder = try mapErrors(.decode, path: cut.media.path) { () throws(LibAVError) in
      var format = cut.format
      format.parameters = try format.parameters.replacing(
        extradata: format.parameters.extradata, reorderDepth: depth)
      return try Decoder(format, timeBase: cut.media.stream.timeBase, threads: 0)
    }
    let packet = try mapErrors(.decode, path: cut.media.path, Packet.init)
    self.decoder = decoder
    self.packet = packet
    self.copy = copy
    self.cut = cut
    self.interrupt = interrupt
    head = withHead ? cut.head : []
    tail = withTail ? cut.tail : []
    isFirstCopy = samples.lowerBound == cut.plan.copied.lowerBound
  }

  /// Returns the maximum number of samples that are decoded before one that is shown before them.
  private static func reorderDepth(_ index: SampleIndex, _ plan: SmartCutPlan) -> Int {
    let times = plan.copied.lazy.filter { !plan.leading.contains($0) }.prefix(300)
      .map { index.samples[$0].pts }
    let all = Array(times)
    return all.indices.map { place in
      all[max(0, place - 16)..<place].count { $0 > all[place] }
    }.max() ?? 0
  }

  /// Decodes the next frame, which has to be presented at that time.
  mutating func next(into frame: inout Frame, upTo time: Int64) throws(EngineError) {
    while true {
      if interrupt.isTriggered { throw .cancelled("The export") }
      frame.clear()
      let output = try mapErrors(.decode, path: cut.media.path) { () throws(LibAVError) in
        try decoder.receive(into: &frame)
      }
      switch output {
      case .frame:
        guard let pts = frame.pts, pts <= time else {
          throw SmartCutter.refusal("a picture is missing after a join")
        }
        if pts == time { return }
      case .needsInput: try source()
      case .endOfStream: throw SmartCutter.refusal("a picture is missing after a join")
      }
    }
  }

  private mutating func source() throws(EngineError) {
    if given < head.count {
      packet = try SmartCut.packet(head[given])
      given += 1
    } else if let copy, try copy.nextInTrack(&packet) {
      if isFirstCopy { try cut.editJoin(&packet) }
      isFirstCopy = false
    } else if tailGiven < tail.count {
      packet = try SmartCut.packet(tail[tailGiven])
      tailGiven += 1
    } else {
      try mapErrors(.decode, path: cut.media.path) { () throws(LibAVError) in try decoder.drain() }
      return
    }
    try mapErrors(.decode, path: cut.media.path) { () throws(LibAVError) in
      try decoder.send(packet)
    }
  }
}
