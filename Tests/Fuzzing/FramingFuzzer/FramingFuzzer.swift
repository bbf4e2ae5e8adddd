import FuzzingSupport
import JSONRPC

/// The same bytes produce the same events, cut into any pieces; framed bytes are read again.
@main
enum FramingFuzzer: Fuzzer {
  private static let limits = [0, 1, 16, 64, 1000, 9000, 1 << 20]
  private static let expandedLimit = 10_000

  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let modes = FramingMode.allCases
    let mode = modes[reader.number(below: modes.count)]
    let limit = limits[reader.number(below: limits.count)]
    let seed = reader.wide()
    let bytes = expanded(reader.remainder())

    let whole = events(in: [bytes[...]], mode, limit)
    requireSense(whole, of: bytes, limit)
    // An incomplete header is scanned again with each piece.
    let size = max(1 + seed % 997, bytes.count / 300)
    let cut = events(in: pieces(of: bytes, upTo: size, seed: seed), mode, limit)
    require(cut == whole, "pieces of up to \(size) bytes: \(cut), not \(whole)")
    if bytes.count <= 500 {
      let single = events(in: pieces(of: bytes, upTo: 1, seed: 0), mode, limit)
      require(single == whole, "single bytes: \(single), not \(whole)")
    }
    requireRoundTrip(bytes, limit)
  }

  private static func events(
    in pieces: [ArraySlice<UInt8>], _ mode: FramingMode, _ limit: Int
  ) -> [Framing.Event] {
    var framing = Framing(mode: mode, limit: limit)
    var events: [Framing.Event] = []
    for piece in pieces {
      framing.feed(piece)
      while let event = framing.next() { events.append(event) }
    }
    if let event = framing.finish() { events.append(event) }
    return events
  }

  /// Messages are parts of the input, in its order, and within the limit.
  private static func requireSense(_ events: [Framing.Event], of bytes: [UInt8], _ limit: Int) {
    var total = 0
    for event in events {
      switch event {
      case .message(let message):
        require(message.count <= limit, "a message of \(message.count) bytes over \(limit)")
        total += message.count
      case .malformed(let text): require(!text.isEmpty, "no text")
      case .tooLarge(let stated, _): require(stated == limit, "another limit: \(stated)")
      }
    }
    require(total <= bytes.count, "more bytes out than in")
  }

  /// A message is read as the writer framed it.
  private static func requireRoundTrip(_ bytes: [UInt8], _ limit: Int) {
    guard bytes.count <= limit else { return }
    var writer = JSONWriter()
    writer.append(raw: bytes)
    let start = writer.frameWithHeader()
    let framed = events(in: [writer.bytes[start...]], .auto, limit)
    require(framed == [.message(bytes)], "behind a header: \(framed)")
    guard bytes.first == UInt8(ascii: "{"), !bytes.contains(0x0A), bytes.last != 0x0D else {
      return
    }
    writer = JSONWriter()
    writer.append(raw: bytes)
    let line = writer.frameAsLine()
    let lines = events(in: [writer.bytes[line...]], .auto, limit)
    require(lines == [.message(bytes)], "on a line: \(lines)")
  }

  /// Runs are short in the input: a 1, a count and a byte are `count` times 64 of that byte.
  private static func expanded(_ input: [UInt8]) -> [UInt8] {
    var reader = InputReader(input)
    var bytes: [UInt8] = []
    while !reader.isAtEnd, bytes.count < expandedLimit {
      let byte = reader.byte()
      if byte == 1 {
        let count = Int(reader.byte()) * 64
        bytes.append(contentsOf: repeatElement(reader.byte(), count: count))
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
