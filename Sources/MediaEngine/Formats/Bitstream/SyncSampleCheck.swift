import LibAV

/// Checks whether the pictures of samples that a container calls sync samples are predicted from
/// others. A table can't express that, and a wrong table doesn't show it.
struct SyncSampleCheck: Sendable {
  private enum Codec {
    /// The size of the length fields of NAL units, in bytes.
    case h264(Int), hevc(Int)
    case av1, mpeg4, h263
  }
  private let codec: Codec

  /// The maximum number of bytes that are read of a unit or a header.
  fileprivate static let headerSize = 64
  fileprivate static let messageSize = 4096

  /// - Returns: nil for codecs that aren't checked: those whose pictures don't refer to others, and
  ///   those whose sync samples libavformat's parsers find.
  init?(_ format: MediaFormat) {
    let parameters = format.parameters
    guard format.kind == .video else { return nil }
    if let syntax = CodecTraits(parameters.codecName).nalSyntax {
      let framing = NALFraming(syntax, extradata: parameters.extradata)
      guard case .lengths(let size) = framing else { return nil }
      codec = syntax == .h264 ? .h264(size) : .hevc(size)
      return
    }
    switch parameters.codecName {
    case "av1": codec = .av1
    case "mpeg4": codec = .mpeg4
    case "h263": codec = .h263
    default: return nil
    }
  }

  /// Returns true if the picture is predicted from others, so that decoding can't begin with it;
  /// false if it isn't, and if the bytes don't show it.
  func isPredicted(_ packet: borrowing Packet) -> Bool {
    isPredicted(size: packet.size) { offset, count in packet.bytes(at: offset, count: count) }
  }

  /// - Parameters:
  ///   - size: the size of the sample, in bytes.
  ///   - bytes: reads up to `count` bytes, fewer at the end of the sample.
  func isPredicted<Failure: Error>(
    size: Int, _ bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    switch codec {
    case .h264(let lengthSize):
      try firstResult(inUnitsOf: size, lengthSize, bytes, H264Picture()) ?? false
    case .hevc(let lengthSize):
      try firstResult(inUnitsOf: size, lengthSize, bytes, HEVCPicture()) ?? false
    case .av1: try isPredictedAV1(size, bytes)
    case .mpeg4: isPredictedMPEG4(try bytes(0, min(size, SyncSampleCheck.messageSize)))
    case .h263: isPredictedH263(try bytes(0, min(size, SyncSampleCheck.headerSize)))
    }
  }

  /// Passes the beginnings of a sample's NAL units to a picture until one of them is conclusive.
  private func firstResult<Failure: Error>(
    inUnitsOf size: Int, _ lengthSize: Int,
    _ bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8], _ picture: some CodedPicture
  ) throws(Failure) -> Bool? {
    var picture = picture
    var offset = 0
    while offset + lengthSize < size {
      let length = try bytes(offset, lengthSize).reduce(0) { $0 << 8 | Int($1) }
      offset += lengthSize
      guard length <= size - offset else { return nil }
      if let header = try bytes(offset, min(length, 1)).first {
        let count = picture.bytesNeeded(of: header)
        let isLong = count > 1 && length > 1
        let unit = isLong ? try bytes(offset, min(length, count)) : [header]
        if let result = picture.isPredicted(after: unit) { return result }
      }
      offset += length
    }
    return nil
  }

  /// Checks AV1 (specification, 5.3 and 5.9.2): a shown key frame comes first.
  private func isPredictedAV1<Failure: Error>(
    _ sampleSize: Int, _ bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    var offset = 0
    while offset < sampleSize {
      let header = try bytes(offset, min(12, sampleSize - offset))
      guard let first = header.first else { return false }
      let type = first >> 3 & 0xf
      var place = first & 4 == 0 ? 1 : 2
      var size = sampleSize - offset - place
      if first & 2 != 0 {
        size = 0
        var shift = 0
        repeat {
          guard place < header.count, shift < 35 else { return false }
          size |= Int(header[place] & 0x7f) << shift
          shift += 7
          place += 1
        } while header[place - 1] & 0x80 != 0
      }
      guard size >= 0, size <= sampleSize - offset - place else { return false }
      if size > 0, let first = try bytes(offset + place, 1).first {
        // A sequence header of a still picture; a frame's header.
        if type == 1, first & 8 != 0 { return false }
        if type == 3 || type == 6 { return first >> 5 != 0 }
      }
      offset += place + size
    }
    return false
  }

  /// Checks ISO/IEC 14496-2, 6.2.5: the type of the first video object plane.
  private func isPredictedMPEG4(_ bytes: [UInt8]) -> Bool {
    var place = 0
    while place + 4 < bytes.count {
      if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1, bytes[place + 3] == 0xB6 {
        return bytes[place + 4] >> 6 != 0
      }
      place += 1
    }
    return false
  }

  /// Checks ITU-T H.263, 5.1: the type in the picture header, which newer streams have at a later
  /// position.
  private func isPredictedH263(_ bytes: [UInt8]) -> Bool {
    var reader = BitReader(bytes)
    guard reader.read(22) == 0x20, reader.read(8) != nil, reader.read(5) != nil,
      let format = reader.read(3)
    else { return false }
    if format != 7 { return reader.read(1) == 1 }
    guard let update = reader.read(3) else { return false }
    if update == 1, reader.read(18) == nil { return false }
    return reader.read(3).map { $0 != 0 } ?? false
  }
}

/// A picture, examined by its NAL units in their order.
private protocol CodedPicture {
  /// Returns the number of bytes that are needed of a unit with this first byte.
  func bytesNeeded(of header: UInt8) -> Int
  /// Returns true if the picture is predicted from others; nil while that isn't known.
  mutating func isPredicted(after unit: [UInt8]) -> Bool?
}

extension CodedPicture {
  /// Returns the first number of the recovery point message in an SEI unit without its header.
  fileprivate func recoveryPoint(_ unit: some Collection<UInt8>) -> UInt32? {
    guard let message = supplementalMessages(unit).first(where: { $0.type == 6 }) else {
      return nil
    }
    var reader = BitReader(message.payload)
    return reader.readUE()
  }
}

/// ITU-T H.264, 7.3.1 and 7.3.3. These pictures aren't predicted: an IDR picture, one from which
/// others gradually become correct, and one whose slices are intra. Of two fields, only the first
/// has to be.
private struct H264Picture: CodedPicture {
  private var hasSlice = false

  func bytesNeeded(of header: UInt8) -> Int {
    switch header & 0x1f {
    case 1, 2: SyncSampleCheck.headerSize
    case 6: SyncSampleCheck.messageSize
    default: 1
    }
  }

  mutating func isPredicted(after unit: [UInt8]) -> Bool? {
    switch (unit.first ?? 0) & 0x1f {
    case 5: return false
    case 6: return recoveryPoint(unit.dropFirst()) ?? 0 > 0 ? false : nil
    case 1, 2:
      var reader = BitReader(withoutEmulationPrevention(unit.dropFirst()))
      guard let first = reader.readUE(), let type = reader.readUE() else { return false }
      if first == 0, hasSlice { return false }
      hasSlice = true
      // I is 2, SI is 4.
      return [2, 4].contains(type % 5) ? nil : true
    default: return nil
    }
  }
}

/// ITU-T H.265, table 7-1. These pictures aren't predicted: intra random-access points, and a
/// picture that a recovery point declares to be correct at once.
private struct HEVCPicture: CodedPicture {
  private var isRecoveryPoint = false

  func bytesNeeded(of header: UInt8) -> Int {
    header >> 1 & 0x3f == 39 ? SyncSampleCheck.messageSize : 1
  }

  mutating func isPredicted(after unit: [UInt8]) -> Bool? {
    let type = (unit.first ?? 0) >> 1 & 0x3f
    // The number is signed. It is 0 exactly if the bits read as an unsigned 0.
    if type == 39, recoveryPoint(unit.dropFirst(2)) == 0 { isRecoveryPoint = true }
    return type < 32 ? !(16...23).contains(type) && !isRecoveryPoint : nil
  }
}
