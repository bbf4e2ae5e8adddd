/// Joins the parameter sets of two encoders in one configuration. Slices refer to parameter sets by
/// number, so one description serves both encoders.
enum ConfigurationJoin {
  /// Returns the reference of a parameter set of H.264: its type and its number.
  static func numberOfH264(_ unit: [UInt8]) -> (type: UInt8, number: UInt32)? {
    guard let first = unit.first else { return nil }
    var reader = BitReader(withoutEmulationPrevention(Array(unit.dropFirst().prefix(64))))
    // Profile, constraints and level come first in sequence parameter sets and their extensions.
    if first & 0x1f != 8, reader.read(24) == nil { return nil }
    return reader.readUE().map { (first & 0x1f, $0) }
  }

  /// Returns the numbers of the sequence and picture parameter sets of H.264.
  static func numbersOfH264(_ units: [[UInt8]]) -> Set<UInt32>? {
    var numbers: Set<UInt32> = []
    for unit in units {
      guard let first = unit.first else { continue }
      var reader = BitReader(withoutEmulationPrevention(Array(unit.dropFirst().prefix(64))))
      switch first & 0x1f {
      case 7:
        guard reader.read(24) != nil, let number = reader.readUE() else { return nil }
        numbers.insert(number)
      case 8:
        guard let number = reader.readUE(), let sequence = reader.readUE() else { return nil }
        numbers.formUnion([number, sequence])
      default: break
      }
    }
    return numbers
  }

  /// Returns a configuration with additional parameter sets; nil if it can't be read or is full.
  static func adding(_ units: [[UInt8]], to extradata: [UInt8], _ syntax: NALSyntax) -> [UInt8]? {
    guard !extradata.isEmpty else { return nil }
    if isAnnexB(extradata) {
      return units.reduce(extradata) { $0 + [0, 0, 0, 1] + $1 }
    }
    switch syntax {
    case .h264: return addingToAVCC(units, extradata)
    case .hevc: return addingToHVCC(units, extradata)
    }
  }

  /// AVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 5.3.3.1).
  private static func addingToAVCC(_ units: [[UInt8]], _ record: [UInt8]) -> [UInt8]? {
    var rest = record.dropFirst(5)
    guard record.count > 6 else { return nil }
    var header = Array(record.prefix(5))
    let sequences = units.filter { $0.first.map { $0 & 0x1f } == 7 }
    let pictures = units.filter { $0.first.map { $0 & 0x1f } == 8 }
    for sequence in sequences where sequence.count > 3 { header[3] = max(header[3], sequence[3]) }
    guard let count = rest.popFirst(), Int(count & 0x1f) + sequences.count <= 31,
      let ownSequences = takeUnits(Int(count & 0x1f), &rest), let pictureCount = rest.popFirst(),
      Int(pictureCount) + pictures.count <= 255,
      let ownPictures = takeUnits(Int(pictureCount), &rest)
    else { return nil }
    return header + [count + UInt8(sequences.count)] + ownSequences + sequences.flatMap(counted)
      + [pictureCount + UInt8(pictures.count)] + ownPictures + pictures.flatMap(counted) + rest
  }

  /// HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, section 8.3.3.1).
  private static func addingToHVCC(_ units: [[UInt8]], _ record: [UInt8]) -> [UInt8]? {
    guard record.count > 22 else { return nil }
    var header = Array(record.prefix(22))
    var rest = record.dropFirst(22)
    guard let count = rest.popFirst() else { return nil }
    func type(_ unit: [UInt8]) -> UInt8 { unit.first.map { $0 >> 1 & 0x3f } ?? 0 }
    for unit in units where type(unit) == 33 {
      // general_level_idc, after the numbers and the profile.
      let payload = withoutEmulationPrevention(unit)
      if payload.count > 14 { header[12] = max(header[12], payload[14]) }
    }
    var arrays: [UInt8] = []
    var left = units
    for _ in 0..<count {
      guard let kind = rest.popFirst(), let high = rest.popFirst(), let low = rest.popFirst(),
        let own = takeUnits(Int(high) << 8 | Int(low), &rest)
      else { return nil }
      let added = left.filter { type($0) == kind & 0x3f }
      left.removeAll { type($0) == kind & 0x3f }
      let number = (Int(high) << 8 | Int(low)) + added.count
      arrays += [kind, UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] + own
      arrays += added.flatMap(counted)
    }
    // A record without one of the types expects those sets in the samples.
    return left.isEmpty ? header + [count] + arrays + rest : nil
  }

  /// Returns the next `count` units with their lengths, unchanged.
  private static func takeUnits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    var units: [UInt8] = []
    for _ in 0..<count {
      guard rest.count >= 2 else { return nil }
      let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) } + 2
      guard size <= rest.count else { return nil }
      units += rest.prefix(size)
      rest = rest.dropFirst(size)
    }
    return units
  }

  private static func counted(_ unit: [UInt8]) -> [UInt8] {
    [UInt8(unit.count >> 8 & 0xff), UInt8(unit.count & 0xff)] + unit
  }
}
