import LibAV

/// The position of a picture of H.264 or HEVC among coded video sequences, by the types of its NAL
/// units. The picture order counts of one sequence aren't comparable with those of another.
struct PictureUnits {
  /// The access that the first slice of a picture provides.
  enum Access {
    /// All pictures decoded from here on are shown after all previous ones.
    case newSequence
    /// The same, where no earlier picture can be decoded: at the start, and after the end of a
    /// sequence.
    case clean
    /// Refers to pictures before the clean access in decode order, and isn't shown if they are
    /// missing.
    case skippedLeading
    case other
  }

  var access = Access.other
  /// True if the next picture begins another sequence.
  var endsSequence = false

  private let syntax: NALSyntax
  private let framing: NALFraming

  init(_ syntax: NALSyntax, extradata: [UInt8]) {
    self.syntax = syntax
    framing = NALFraming(syntax, extradata: extradata)
  }

  /// Reads the next sample.
  mutating func read(_ packet: borrowing Packet) {
    // The first slice nearly always begins within the first 4096 bytes.
    access = slice(in: packet.bytes(at: 0, count: 4096)) ?? slice(in: packet.bytes) ?? .other
    let end: [UInt8] = syntax == .h264 ? [0, 0, 1, 10] : [0, 0, 1, 36 << 1, 1]
    endsSequence = packet.bytes(at: packet.size - end.count, count: end.count) == end
  }

  private func slice(in bytes: [UInt8]) -> Access? {
    switch framing {
    case .annexB:
      var zeros = 0
      for (place, byte) in bytes.enumerated() {
        if byte == 1, zeros >= 2, place + 1 < bytes.count, let found = kind(bytes[place + 1]) {
          return found
        }
        zeros = byte == 0 ? zeros + 1 : 0
      }
    case .lengths(let size):
      var place = 0
      while place + size < bytes.count {
        let length = bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
        if let found = kind(bytes[place + size]) { return found }
        place += size + length
      }
    }
    return nil
  }

  /// Rec. ITU-T H.264, table 7-1; H.265, table 7-1. nil for units that aren't slices.
  private func kind(_ header: UInt8) -> Access? {
    if syntax == .h264 {
      let type = header & 0x1f
      return type == 5 ? .newSequence : (1...4).contains(type) ? .other : nil
    }
    let type = header >> 1 & 0x3f
    switch type {
    case 16...20: return .newSequence
    case 21: return .clean
    case 8, 9: return .skippedLeading
    case 0...31: return .other
    default: return nil
    }
  }
}
