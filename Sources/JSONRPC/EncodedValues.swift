/// JSON text that is passed on unchanged, such as a document that was generated at build time.
public struct RawJSON: Codable, Sendable {
  /// One complete JSON value as UTF-8; not validated.
  public var bytes: [UInt8]

  /// Wraps bytes that hold one complete JSON value.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Wraps a text that holds one complete JSON value.
  public init(_ text: String) {
    bytes = [UInt8](text.utf8)
  }

  /// Reads any value and stores its compact text.
  public init(from decoder: any Decoder) throws {
    bytes = try JSONValue(from: decoder).bytes
  }

  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? JSONValueEncoder else {
      return try JSONValue(parsing: bytes).encode(to: encoder)
    }
    try encoder.write(json: bytes)
  }
}

/// Bytes that travel as a base64 string (RFC 4648, padded) and are encoded straight into the message.
public struct Base64Data: Codable, Sendable, DecodingPlaceholder {
  /// Calls `body` with the bytes; called once for each encoding, on any thread. The bytes are valid
  /// during the call.
  public typealias Lender = @Sendable (_ body: (Span<UInt8>) -> Void) -> Void

  private enum Storage: Sendable {
    case bytes([UInt8])
    case text([UInt8])
    case lent(Lender)
  }

  private let storage: Storage

  /// Holds a copy-on-write reference to `bytes`.
  public init(bytes: [UInt8]) {
    storage = .bytes(bytes)
  }

  /// Encodes a borrowed region now and holds only the text: the region may go away afterwards.
  public init(encoding region: borrowing Span<UInt8>) {
    var writer = JSONWriter()
    writer.appendBase64(region)
    storage = .text([UInt8](writer.payload))
  }

  /// Encodes from memory that `lend` accesses when the message is written, with no copy between.
  public init(lending lend: @escaping Lender) {
    storage = .lent(lend)
  }

  /// The bytes themselves; a copy unless they come from an array.
  public var bytes: [UInt8] {
    switch storage {
    case .bytes(let bytes): return bytes
    case .text(let text): return Self.decode(text.span) ?? []
    case .lent(let lend):
      var copy: [UInt8] = []
      lend { region in
        copy.reserveCapacity(region.count)
        for index in region.indices { copy.append(region[index]) }
      }
      return copy
    }
  }

  public static var decodingPlaceholder: Base64Data { Base64Data(bytes: []) }
  public static var decodingExpectation: String { "a base64 string" }

  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let bytes = Self.decode(text.utf8.span) else {
      if let decoder = decoder as? JSONValueDecoder {
        throw decoder.mismatch(expected: Self.decodingExpectation)
      }
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: Self.decodingExpectation))
    }
    self.init(bytes: bytes)
  }

  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? JSONValueEncoder else {
      var writer = JSONWriter()
      writer.appendBase64(bytes.span)
      var container = encoder.singleValueContainer()
      return try container.encode(String(decoding: writer.payload, as: UTF8.self))
    }
    try encoder.writeVerbatim { writer in
      writer.append(UInt8(ascii: "\""))
      switch storage {
      case .bytes(let bytes): writer.appendBase64(bytes.span)
      case .text(let text): writer.append(raw: text)
      case .lent(let lend): lend { writer.appendBase64($0) }
      }
      writer.append(UInt8(ascii: "\""))
    }
  }

  /// Decodes base64; nil for anything but the standard alphabet in whole, padded groups.
  private static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    var padding = 0
    while padding < 2, padding < text.count, text[text.count - 1 - padding] == UInt8(ascii: "=") {
      padding += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group = 0
    for index in 0..<(text.count - padding) {
      guard let digit = digit(text[index]) else { return nil }
      group = (group << 6 | digit) & 0xFF_FFFF
      if index % 4 == 1 { bytes.append(UInt8(group >> 4 & 0xFF)) }
      if index % 4 == 2 { bytes.append(UInt8(group >> 2 & 0xFF)) }
      if index % 4 == 3 { bytes.append(UInt8(group & 0xFF)) }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return Int(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return Int(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return Int(byte) + 4
    case UInt8(ascii: "+"): return 62
    case UInt8(ascii: "/"): return 63
    default: return nil
    }
  }
}
