/// Takes decisions off the front of an input and leaves the rest as material.
package struct InputReader {
  private var rest: ArraySlice<UInt8>

  package init(_ input: [UInt8]) { rest = input[...] }

  package var isAtEnd: Bool { rest.isEmpty }

  /// The next byte, 0 at the end.
  package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  package mutating func flag() -> Bool { byte() & 1 == 1 }

  package mutating func number(below limit: Int) -> Int { Int(byte()) % max(1, limit) }

  /// A number of two bytes.
  package mutating func wide() -> Int { Int(byte()) << 8 | Int(byte()) }

  /// The next bytes, at most `count`.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// All that is left.
  package mutating func remainder() -> [UInt8] { bytes(rest.count) }
}

/// Numbers that look random, and are the same for the same seed (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// Cuts of some bytes into pieces of 1 to `size` bytes.
package func pieces(
  of bytes: [UInt8], upTo size: Int, seed: Int
) -> [ArraySlice<UInt8>] {
  var numbers = SeededNumbers(seed)
  var rest = bytes[...]
  var result: [ArraySlice<UInt8>] = []
  while !rest.isEmpty {
    let piece = rest.prefix(Int.random(in: 1...max(1, size), using: &numbers))
    result.append(piece)
    rest = rest.dropFirst(piece.count)
  }
  return result
}
