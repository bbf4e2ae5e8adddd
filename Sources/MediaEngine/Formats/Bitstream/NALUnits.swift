/// The framing of NAL units in a sample: start codes or lengths before each unit.
enum NALFraming: Equatable {
  case annexB
  /// Lengths of N bytes, in big-endian order.
  case lengths(Int)

  init(_ syntax: NALSyntax, extradata: [UInt8]) {
    let length = ParameterSets(syntax, extradata: extradata)?.headerLength
    self = length.map { .lengths($0) } ?? .annexB
  }

  /// Returns the units of a sample; nil if the lengths don't fit.
  func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard case .lengths(let size) = self else { return annexBUnits(bytes) }
    var units: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= size else { return nil }
      let length = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(size)
      guard length <= rest.count else { return nil }
      units.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return units
  }

  /// Returns a sample of these units; nil if one is too long for its length field.
  func join(_ units: [[UInt8]]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for unit in units {
      switch self {
      case .annexB: bytes += [0, 0, 0, 1]
      case .lengths(let size):
        guard size >= 4 || unit.count < 1 << (8 * size) else { return nil }
        bytes += (0..<size).reversed().map {
          UInt8(truncatingIfNeeded: $0 < 8 ? unit.count >> (8 * $0) : 0)
        }
      }
      bytes += unit
    }
    return bytes
  }
}

/// Returns the payload of a NAL unit without its emulation prevention bytes.
func withoutEmulationPrevention(_ unit: some Collection<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(unit.count)
  var zeros = 0
  for byte in unit {
    if zeros >= 2, byte == 3 {
      zeros = 0
      continue
    }
    zeros = byte == 0 ? zeros + 1 : 0
    result.append(byte)
  }
  return result
}

/// Returns the messages of an SEI unit without its header (ITU-T H.264 and H.265, 7.3.2.3 and
/// 7.3.5).
func supplementalMessages(
  _ unit: some Collection<UInt8>
) -> [(type: Int, payload: ArraySlice<UInt8>)] {
  var rest = withoutEmulationPrevention(unit)[...]
  // 255 means that another byte follows.
  func number() -> Int? {
    var sum = 0
    while let byte = rest.popFirst() {
      sum += Int(byte)
      if byte != 255 { return sum }
    }
    return nil
  }
  var messages: [(type: Int, payload: ArraySlice<UInt8>)] = []
  // The last byte has the stop bit.
  while rest.count > 2, let type = number(), let size = number(), size <= rest.count {
    messages.append((type, rest.prefix(size)))
    rest = rest.dropFirst(size)
  }
  return messages
}

/// Returns the payload with emulation prevention bytes, so that no part of it looks like a start
/// code.
func withEmulationPrevention(_ payload: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(payload.count + payload.count / 64)
  var zeros = 0
  for byte in payload {
    if zeros >= 2, byte <= 3 {
      result.append(3)
      zeros = 0
    }
    zeros = byte == 0 ? zeros + 1 : 0
    result.append(byte)
  }
  return result
}

/// Writes numbers of any width one after the other, first bit first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var free = 0

  mutating func write(_ value: UInt32, _ count: Int) {
    for shift in (0..<count).reversed() {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      free -= 1
      if value >> UInt32(shift) & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(free) }
    }
  }

  mutating func writeUE(_ value: UInt32) {
    let coded = value + 1
    let length = 32 - coded.leadingZeroBitCount
    write(0, length - 1)
    write(coded, length)
  }

  /// Copies bits from a reader.
  mutating func copy(_ count: Int, from reader: inout BitReader) {
    var left = count
    while left > 0, let value = reader.read(min(left, 24)) {
      write(value, min(left, 24))
      left -= 24
    }
  }

  /// Writes a one, and zeros up to the next byte.
  mutating func align() {
    write(1, 1)
    free = 0
  }
}
