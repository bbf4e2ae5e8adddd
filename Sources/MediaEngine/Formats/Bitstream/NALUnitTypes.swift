/// Properties of NAL units by their types.
enum NALUnitTypes {
  /// Examines whether a decoder can begin with a sample, and whether its leading pictures refer to
  /// samples before it.
  static func entry(_ units: [[UInt8]], _ syntax: NALSyntax) -> (canBegin: Bool, breaksLink: Bool) {
    for unit in units {
      guard let first = unit.first else { continue }
      if syntax == .h264 {
        if first & 0x1f == 5 { return (true, false) }
        if (1...4).contains(first & 0x1f) { return (false, false) }
      } else {
        let type = first >> 1 & 0x3f
        if (16...20).contains(type) { return (true, false) }
        if type == 21 { return (true, true) }
        if type < 16 { return (false, false) }
      }
    }
    return (false, false)
  }

  /// Returns a slice of HEVC's clean random access (CRA) as one after a broken link without leading
  /// pictures (BLA_N_LP), the type that a splice requires (Rec. ITU-T H.265, section 7.4.2.2).
  /// Their headers have the same form.
  static func brokenLinkAccess(_ unit: [UInt8]) -> [UInt8] {
    guard let first = unit.first, first >> 1 & 0x3f == 21 else { return unit }
    return [first & 0x81 | 18 << 1] + unit.dropFirst()
  }

  /// Returns true for an encoder's description of itself (unregistered user data), which doesn't
  /// belong between the pictures of other encoders.
  static func isUserDataSEI(_ unit: [UInt8], _ syntax: NALSyntax) -> Bool {
    if syntax == .h264 { return unit.count > 1 && unit[0] & 0x1f == 6 && unit[1] == 5 }
    return unit.count > 2 && [39, 40].contains(unit[0] >> 1 & 0x3f) && unit[2] == 5
  }

  /// Returns the units of a sample with parameter sets first, but after an access unit delimiter.
  static func inserting(_ sets: [[UInt8]], into units: [[UInt8]]) -> [[UInt8]] {
    guard !sets.isEmpty, let first = units.first?.first else { return units }
    // H.264's type 9, HEVC's 35. An HEVC slice whose type reads as H.264's 9 has another header.
    let isDelimiter = first & 0x1f == 9 && units[0].count == 2 || first >> 1 & 0x3f == 35
    return isDelimiter ? [units[0]] + sets + units.dropFirst() : sets + units
  }

  static func isParameterSet(_ unit: [UInt8], _ syntax: NALSyntax) -> Bool {
    guard let first = unit.first else { return false }
    return syntax == .h264
      ? [7, 8].contains(first & 0x1f) : (32...34).contains(first >> 1 & 0x3f)
  }
}
