import LibAV
import MediaTime
import SystemIO

/// Encodes the boundary frames of a smart cut so that they fit between the source's own samples.
///
/// It uses no B-frames, so that packets are in presentation order, and at most one reference. The
/// size, depth and colours are the source's. The parameter sets have a number that the source
/// doesn't use.
struct BoundaryEncoder {
  private let media: StoredTrack
  private let syntax: NALSyntax
  private let name: String
  private let framing: NALFraming
  /// The number of the edges' parameter sets.
  private let number: UInt32
  /// H.264's profile and level, from the source's first sequence parameter set.
  private let profile: UInt8
  private let level: UInt8
  /// The number of frames that the source's decoder delays. With a smaller number before a join,
  /// FFmpeg considers the frames after it late, and drops them.
  private var reorderDepth: UInt32
  private let interrupt: Interrupt

  /// The parameter sets of all edges, once one has been encoded.
  private(set) var parameterSets: [[UInt8]] = []

  /// - Parameter reserved: numbers of parameter sets that other parts use in the same file.
  init(
    _ media: StoredTrack, _ syntax: NALSyntax, framing: NALFraming, reserved: Set<UInt32> = [],
    interrupt: Interrupt
  ) throws(EngineError) {
    self.media = media
    self.framing = framing
    self.interrupt = interrupt
    let parameters = media.stream.parameters
    self.syntax = syntax
    name = syntax.boundaryEncoder
    guard Encoder.isAvailable(name) else {
      throw SmartCutter.refusal("this build of FFmpeg has no \(name)")
    }
    let units =
      ParameterSets(syntax, extradata: parameters.extradata)?.units.map(\.bytes) ?? []
    guard units.contains(where: { NALUnitTypes.isParameterSet($0, syntax) })
    else { throw SmartCutter.refusal("its parameter sets lie between its samples") }
    let sequence = units.first { $0.count > 3 && $0[0] & 0x1f == 7 }
    (profile, level) = (sequence?[1] ?? 0, sequence?[3] ?? 0)
    if syntax == .h264 {
      guard let used = ConfigurationJoin.numbersOfH264(units),
        let free = (0..<32).first(where: { !used.contains($0) && !reserved.contains($0) })
      else { throw SmartCutter.refusal("its parameter sets leave no number free") }
      number = free
      let depths = units.compactMap { H264Reordering($0)?.depth }
      reorderDepth = ([UInt32(clamping: parameters.reorderDepth)] + depths).max() ?? 0
    } else {
      // Encoders begin with 0; the joins are decoded in any case.
      number = (1..<16).last { !reserved.contains($0) } ?? 15
      reorderDepth = 0
    }
  }

  /// Encodes the frames that `reader` returns, one after the other.
  mutating func encode(
    _ pictures: [SmartCutPlan.Picture], from reader: inout FrameReader,
    _ points: inout RecoveryPoints
  ) throws(EngineError) -> [SmartCut.Sample] {
    guard let first = pictures.first else { return [] }
    var frame = try mapErrors(.decode, path: media.path, Frame.init)
    let start = try points.start(forPosition: first.position, in: reader.index)
    try reader.seek(to: start)
    try SmartCutter.find(first.sourceTime, in: &reader, &frame, interrupt)
    var encoder = try makeEncoder(for: frame)
    var packet = try mapErrors(.encode, path: media.path, Packet.init)
    let order = frame.fieldOrder
    var encoded: [[UInt8]] = []
    var keys: [Bool] = []
    for (place, picture) in pictures.enumerated() {
      if place > 0 { try SmartCutter.find(picture.sourceTime, in: &reader, &frame, interrupt) }
      guard frame.fieldOrder == order else {
        throw SmartCutter.refusal("some of its pictures are made of fields and some aren't")
      }
      frame.resetPictureType()
      frame.setPTS(picture.time)
      try send(frame, to: &encoder)
      while try receive(&packet, from: &encoder) {
        encoded.append(packet.bytes)
        keys.append(packet.isKey)
      }
    }
    try mapErrors(.encode, path: media.path) { () throws(LibAVError) in try encoder.finish() }
    while try receive(&packet, from: &encoder) {
      encoded.append(packet.bytes)
      keys.append(packet.isKey)
    }
    guard encoded.count == pictures.count, keys.first == true else {
      throw SmartCutter.refusal("\(name) gave \(encoded.count) of \(pictures.count) pictures")
    }
    let samples = try framed(encoded, extradata: encoder.extradata)
    return zip(pictures, zip(samples, keys)).map {
      SmartCut.Sample(picture: $0, bytes: $1.0, isSync: $1.1)
    }
  }

  private func send(_ frame: borrowing Frame, to encoder: inout Encoder) throws(EngineError) {
    if interrupt.isTriggered { throw .cancelled("The export") }
    try mapErrors(.encode, path: media.path) { () throws(LibAVError) in try encoder.send(frame) }
  }

  private func receive(
    _ packet: inout Packet, from encoder: inout Encoder
  ) throws(EngineError) -> Bool {
    try mapErrors(.encode, path: media.path) { () throws(LibAVError) in
      try encoder.receive(into: &packet)
    }
  }

  /// Returns the samples in the source's framing, with the edges' own number.
  private mutating func framed(
    _ samples: [[UInt8]], extradata: [UInt8]
  ) throws(EngineError) -> [[UInt8]] {
    var sets = annexBUnits(extradata).filter { NALUnitTypes.isParameterSet($0, syntax) }
    var renumbering: HEVCRenumbering?
    if syntax == .hevc {
      guard let made = HEVCRenumbering(sets, as: number) else {
        throw SmartCutter.refusal("\(name) wrote parameter sets of another form than expected")
      }
      sets = made.parameterSets
      renumbering = made
    }
    if syntax == .h264 {
      sets = sets.map { H264Reordering($0)?.setting(depth: reorderDepth) ?? $0 }
    }
    guard parameterSets.isEmpty || parameterSets == sets else {
      throw SmartCutter.refusal("its edges have parameter sets that differ")
    }
    parameterSets = sets
    var result: [[UInt8]] = []
    for sample in samples {
      var units: [[UInt8]] = []
      for unit in annexBUnits(sample) where !NALUnitTypes.isUserDataSEI(unit, syntax) {
        guard let renumbering else {
          units.append(unit)
          continue
        }
        guard let changed = renumbering.renumber(unit) else {
          throw SmartCutter.refusal("\(name) wrote a slice of another form than expected")
        }
        units.append(changed)
      }
      guard let bytes = framing.join(units) else {
        throw SmartCutter.refusal("a picture is too large for the lengths that its file has")
      }
      result.append(bytes)
    }
    return result
  }

  private func makeEncoder(for frame: borrowing Frame) throws(EngineError) -> Encoder {
    let stream = media.stream
    let accepted = Encoder.pixelFormats(of: name)
    let format = frame.pixelFormat
    guard accepted.isEmpty || accepted.contains(format) else {
      throw SmartCutter.refusal("\(name) doesn't take pictures of \(format.name ?? "its format")")
    }
    guard syntax == .h264 || frame.fieldOrder == .progressive else {
      throw SmartCutter.refusal("its pictures are made of fields")
    }
    let layout = try mapErrors(.encode, path: media.path) { () throws(LibAVError) in
      try PictureLayout(width: frame.width, height: frame.height, format: format)
    }
    var video = Encoder.Video(
      layout: layout, timeBase: stream.timeBase, frameRate: stream.format.encodedFrameRate)
    video.format = format
    video.sampleAspectRatio = stream.sampleAspectRatio
    video.color = frame.color
    var settings = Encoder.Settings(name: name, media: .video(video))
    settings.usesGlobalHeader = true
    settings.options = syntax == .h264 ? h264Options(frame.fieldOrder) : hevcOptions
    let made = settings
    return try mapErrors(.encode, path: media.path) { () throws(LibAVError) in try Encoder(made) }
  }

  private func h264Options(_ order: FieldOrder) -> [String: String] {
    var own = "sps-id=\(number):bframes=0:ref=1:keyint=infinite:scenecut=0:open-gop=0:weightp=0"
    if order != .progressive { own += order == .topFirst ? ":tff=1" : ":bff=1" }
    var options = ["preset": "medium", "crf": "12", "x264-params": own]
    // A file's configuration record has one profile and level for all its pictures.
    switch profile {
    case 66: options["profile"] = "baseline"
    case 77: options["profile"] = "main"
    default: break
    }
    if level >= 12 { options["level"] = "\(level / 10).\(level % 10)" }
    return options
  }

  private var hevcOptions: [String: String] {
    let own =
      "bframes=0:ref=1:keyint=-1:scenecut=0:open-gop=0:weightp=0:wpp=0:slices=1:repeat-headers=0:"
      + "info=0:hrd=0:aud=0:log-level=error"
    return ["preset": "fast", "crf": "12", "x265-params": own]
  }
}
