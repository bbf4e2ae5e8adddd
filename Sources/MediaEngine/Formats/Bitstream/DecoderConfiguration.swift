// Configuration records of decoders. Their bytes come from files, so none of them are trusted.

/// The NAL units of an H.264 or HEVC configuration: an `avcC` or `hvcC` payload, or Annex B.
struct ParameterSets: Equatable {
  struct Unit: Equatable {
    var bytes: [UInt8]
    /// Sequence, picture and video parameter sets and their extensions.
    var isParameterSet: Bool
    /// An HEVC SEI message.
    var isHEVCMessage: Bool
  }

  /// Bytes of the length before each NAL unit of a sample; nil for Annex B.
  private(set) var headerLength: Int?
  private(set) var units: [Unit] = []

  /// Above the number in any stream: H.264 allows 288, HEVC 96.
  private static let maximumCount = 512

  /// nil for records that contradict themselves.
  init?(_ syntax: NALSyntax, extradata: [UInt8]) {
    guard extradata.count > 6 else { return nil }
    let isHEVC = syntax == .hevc
    if isAnnexB(extradata) {
      for bytes in annexBUnits(extradata) { append(bytes[...], isHEVC: isHEVC) }
    } else {
      var rest = extradata[...]
      guard isHEVC ? readHVCC(&rest) : readAVCC(&rest) else { return nil }
    }
    guard units.count <= Self.maximumCount else { return nil }
  }

  /// AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1).
  private mutating func readAVCC(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let header = rest.take(6), let flags = header.dropFirst(4).first, let count = header.last,
      header.first == 1
    else { return false }
    headerLength = Int(flags & 3) + 1
    guard readUnits(Int(count & 0x1f), &rest, isHEVC: false), let pictures = rest.popFirst(),
      readUnits(Int(pictures), &rest, isHEVC: false)
    else { return false }
    // High profiles continue with their extensions, which writers omit at times.
    if rest.take(3) != nil, let extensions = rest.popFirst() {
      _ = readUnits(Int(extensions), &rest, isHEVC: false)
    }
    return true
  }

  /// HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 8.3.3.1).
  private mutating func readHVCC(_ rest: inout ArraySlice<UInt8>) -> Bool {
    // Drafts of the specification had version 0.
    guard let header = rest.take(23), let version = header.first, version <= 1,
      let flags = header.dropFirst(21).first, let arrays = header.last
    else { return false }
    headerLength = Int(flags & 3) + 1
    for _ in 0..<arrays {
      guard rest.popFirst() != nil, let count = rest.takeNumber(),
        readUnits(count, &rest, isHEVC: true)
      else { return false }
    }
    return true
  }

  private mutating func readUnits(
    _ count: Int, _ rest: inout ArraySlice<UInt8>, isHEVC: Bool
  ) -> Bool {
    for _ in 0..<count {
      guard units.count <= Self.maximumCount, let size = rest.takeNumber(),
        let bytes = rest.take(size)
      else { return false }
      append(bytes, isHEVC: isHEVC)
    }
    return true
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>, isHEVC: Bool) {
    guard let first = bytes.first, units.count <= Self.maximumCount else { return }
    let type = isHEVC ? first >> 1 & 0x3f : first & 0x1f
    units.append(
      Unit(
        bytes: Array(bytes),
        isParameterSet: isHEVC ? (32...34).contains(type) : [7, 8, 13, 15].contains(type),
        isHEVCMessage: isHEVC && (type == 39 || type == 40)))
  }
}

func isAnnexB(_ bytes: [UInt8]) -> Bool {
  bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1])
}

/// Returns the bytes between the start codes of an Annex B stream.
func annexBUnits(_ bytes: [UInt8]) -> [[UInt8]] {
  var units: [[UInt8]] = []
  var start: Int?
  func end(at position: Int) {
    guard let start else { return }
    // Zeros before a start code are part of it.
    var end = position
    while end > start, bytes[end - 1] == 0 { end -= 1 }
    units.append(Array(bytes[start..<end]))
  }
  var position = 0
  while position + 2 < bytes.count {
    if bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 {
      end(at: position)
      position += 3
      start = position
    } else {
      position += 1
    }
  }
  end(at: bytes.count)
  return units
}

extension ArraySlice<UInt8> {
  /// Removes and returns the first bytes; nil if there are fewer.
  fileprivate mutating func take(_ size: Int) -> ArraySlice<UInt8>? {
    guard size <= count else { return nil }
    defer { self = dropFirst(size) }
    return prefix(size)
  }

  /// Removes and returns a number of two bytes.
  fileprivate mutating func takeNumber() -> Int? {
    take(2).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }
}

/// Returns the boxes of an MP4 sample description for this configuration, payload by name.
func boxes(codec: String, extradata: [UInt8], bitRate: Int64) -> [String: [UInt8]] {
  guard let first = extradata.first else { return [:] }
  switch codec {
  case "h264": return isAnnexB(extradata) ? [:] : ["avcC": extradata]
  case "hevc": return isAnnexB(extradata) ? [:] : ["hvcC": extradata]
  case "vvc": return !isAnnexB(extradata) ? ["vvcC": extradata] : [:]
  case "av1": return first == 0x81 ? ["av1C": extradata] : [:]
  case "aac", "mpeg4":
    return ["esds": elementaryStreamDescriptor(codec: codec, extradata, bitRate: bitRate)]
  case "alac":
    // libav stores the whole box.
    guard extradata.count > 8, extradata[4..<8].elementsEqual("alac".utf8) else { return [:] }
    return ["alac": Array(extradata.dropFirst(8))]
  case "flac":
    guard extradata.count == 34 else { return [:] }
    // Version and flags; the last metadata block, STREAMINFO, 34 bytes.
    return ["dfLa": [0, 0, 0, 0, 0x80, 0, 0, 34] + extradata]
  case "opus": return opusBox(extradata).map { ["dOps": $0] } ?? [:]
  default: return [:]
  }
}

/// Returns the payload of `esds` (ISO/IEC 14496-14, section 6.7) around a DecoderSpecificInfo, the
/// only part that libav stores. Decoders use nothing else; buffer size and maximum rate are left at
/// 0.
private func elementaryStreamDescriptor(
  codec: String, _ information: [UInt8], bitRate: Int64
) -> [UInt8] {
  func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(clamping: content.count)
    let length = [21, 14, 7].map { UInt8(size >> $0 & 0x7f) | 0x80 } + [UInt8(size & 0x7f)]
    return [tag] + length + content
  }
  let isAudio = codec == "aac"
  let rate = UInt32(clamping: bitRate)
  let header: [UInt8] = [isAudio ? 0x40 : 0x20, isAudio ? 0x15 : 0x11, 0, 0, 0, 0, 0, 0, 0]
  let average = [24, 16, 8, 0].map { UInt8(rate >> $0 & 0xff) }
  let decoder = descriptor(4, header + average + descriptor(5, information))
  return [0, 0, 0, 0] + descriptor(3, [0, 0, 0] + decoder + descriptor(6, [2]))
}

/// Converts `OpusHead` (RFC 7845) to the form of `dOps`: without its name, big endian, version 0.
private func opusBox(_ head: [UInt8]) -> [UInt8]? {
  guard head.count >= 19, head.starts(with: "OpusHead".utf8) else { return nil }
  return [0, head[9]] + head[10..<12].reversed() + head[12..<16].reversed()
    + head[16..<18].reversed() + head[18...]
}

/// Reads numbers of any width from bytes, first bit first; returns nil beyond their end.
struct BitReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var bitsLeft: Int { bytes.count * 8 - position }

  mutating func read(_ count: Int) -> UInt32? {
    guard count <= bitsLeft else { return nil }
    var value: UInt32 = 0
    for _ in 0..<count {
      value = value << 1 | UInt32(bytes[position / 8] >> (7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func readFlag() -> Bool? { read(1).map { $0 == 1 } }

  /// Reads an unsigned number in Exp-Golomb code.
  mutating func readUE() -> UInt32? {
    var zeros = 0
    while let flag = readFlag() {
      if flag { return read(zeros).map { $0 + (1 << UInt32(zeros)) - 1 } }
      zeros += 1
      if zeros > 31 { return nil }
    }
    return nil
  }
}
