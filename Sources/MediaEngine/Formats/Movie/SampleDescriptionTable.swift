// `stsd`: ISO/IEC 14496-12, 8.5.2; QuickTime File Format, "Sample Description Atoms".

extension SampleDescription {
  /// Returns the entries of a sample description table for media with this handler.
  static func table(_ payload: ByteView, handler: String) -> [SampleDescription] {
    guard let count = payload.uint32(at: 4) else { return [] }
    return payload.slice(from: 8).boxes.prefix(Int(min(count, 1000))).map {
      SampleDescription($0, handler: handler, tableVersion: payload.uint8(at: 0) ?? 0)
    }
  }

  private init(_ box: MemoryBox, handler: String, tableVersion: UInt8) {
    format = box.type
    let entry = box.payload
    let body = entry.slice(from: 8)
    let isTimecode = box.type == "tmcd" && handler == "tmcd"
    var extensionStart = body.count
    switch handler {
    case "vide", "pict", "auxv": extensionStart = Video.size(of: body)
    case "soun": extensionStart = Audio.size(of: body, tableVersion: tableVersion)
    default: if isTimecode { extensionStart = 18 }
    }
    let boxes = Array(body.slice(from: extensionStart).boxes.prefix(256))
    extensions = boxes.map { Extension(type: $0.type, payload: $0.payload.bytes) }
    originalFormat = boxes.first { $0.type == "sinf" }?.payload.firstBox("frma")?.fourCC(at: 0)
    switch handler {
    case "vide", "pict", "auxv": media = Video(body, boxes).map(Media.video) ?? .other
    case "soun": media = Audio(body, boxes).map(Media.audio) ?? .other
    default:
      if isTimecode { media = Timecode(body).map(Media.timecode) ?? .other }
    }
  }
}

extension SampleDescription.Video {
  /// Returns the distance from the beginning of the video fields to the extensions.
  fileprivate static func size(of body: ByteView) -> Int {
    let depth = Int(body.uint16(at: 66) ?? 0) & 31
    // A colour table precedes the extensions for palettes other than the system's.
    guard body.int16(at: 68) == 0, [1, 2, 4, 8].contains(depth),
      let last = body.uint16(at: 76), last < 256
    else { return 70 }
    return 70 + 8 + (Int(last) + 1) * 8
  }

  fileprivate init?(_ body: ByteView, _ boxes: [MemoryBox]) {
    guard let width = body.uint16(at: 16), let height = body.uint16(at: 18) else { return nil }
    self.width = Int(width)
    self.height = Int(height)
    let name = body.slice(from: 34, count: 32).pascalString.text
    compressorName = name.isEmpty ? nil : name
    for box in boxes { read(box.type, box.payload) }
  }

  /// Reads a box; the first of several boxes of a type is used.
  private mutating func read(_ type: String, _ payload: ByteView) {
    switch type {
    case "pasp":
      guard pixelAspect == nil, let horizontal = payload.uint32(at: 0), horizontal > 0,
        let vertical = payload.uint32(at: 4), vertical > 0
      else { return }
      pixelAspect = .init(horizontalSpacing: horizontal, verticalSpacing: vertical)
    case "clap":
      let parts = [0, 8, 16, 24].compactMap { SampleDescription.Fraction(payload, at: $0) }
      guard cleanAperture == nil, parts.count == 4, parts[0].numerator > 0, parts[1].numerator > 0
      else { return }
      cleanAperture = .init(
        width: parts[0], height: parts[1], horizontalOffset: parts[2], verticalOffset: parts[3])
    case "colr": readColor(payload)
    case "fiel":
      guard fields == nil, let count = payload.uint8(at: 0) else { return }
      fields = .init(count: Int(count), detail: Int(payload.uint8(at: 1) ?? 0))
    case "gama":
      guard gamma == nil, let value = payload.fixed16(at: 0), value > 0 else { return }
      gamma = value
    default: break
    }
  }

  private mutating func readColor(_ payload: ByteView) {
    let type = payload.fourCC(at: 0)
    if type == "prof" || type == "rICC" {
      colorProfile = colorProfile ?? payload.slice(from: 4).bytes
    }
    guard color == nil, type == "nclx" || type == "nclc", let primaries = payload.uint16(at: 4),
      let transfer = payload.uint16(at: 6), let matrix = payload.uint16(at: 8)
    else { return }
    color = .init(
      primaries: Int(primaries), transfer: Int(transfer), matrix: Int(matrix),
      isFullRange: type == "nclx" ? payload.uint8(at: 10).map { $0 & 0x80 != 0 } : nil)
  }
}

extension SampleDescription.Fraction {
  fileprivate init?(_ payload: ByteView, at offset: Int) {
    // The denominator is unsigned, but no sensible one needs the highest bit.
    guard let numerator = payload.int32(at: offset),
      let denominator = payload.int32(at: offset + 4),
      denominator > 0
    else { return nil }
    self.init(numerator: numerator, denominator: denominator)
  }
}

extension SampleDescription.Audio {
  /// Returns the distance from the beginning of the audio fields to the extensions. A table of
  /// version 1 is ISO's own, whose entries of version 1 have no further fields.
  fileprivate static func size(of body: ByteView, tableVersion: UInt8) -> Int {
    switch body.uint16(at: 0) {
    case 1 where tableVersion == 0: 20 + 16
    case 2 where tableVersion == 0: 20 + 36
    default: 20
    }
  }

  fileprivate init?(_ body: ByteView, _ boxes: [MemoryBox]) {
    guard let version = body.uint16(at: 0), let channels = body.uint16(at: 8),
      let rate = body.uint32(at: 16)
    else { return nil }
    self.channels = Int(channels)
    sampleRate = Double(rate) / 65536
    if version == 2, let bits = body.uint64(at: 24), let channels = body.uint32(at: 32) {
      let rate = Double(bitPattern: bits)
      sampleRate = rate.isFinite && rate > 0 ? rate : 0
      self.channels = Int(channels)
    }
    // Rates that don't fit into 16 bits.
    if let rate = boxes.first(where: { $0.type == "srat" })?.payload.uint32(at: 4), rate > 0 {
      sampleRate = Double(rate)
    }
  }
}

extension SampleDescription.Timecode {
  fileprivate init?(_ body: ByteView) {
    guard let flags = body.uint32(at: 4), let timescale = body.uint32(at: 8),
      let frameDuration = body.uint32(at: 12), let frames = body.uint8(at: 16)
    else { return nil }
    self.init(
      flags: flags, timescale: timescale, frameDuration: frameDuration,
      numberOfFrames: frames)
  }
}
