/// A scanner for the id of a request in bytes that can't be read as a message: they are too many,
/// or no JSON.
///
/// It follows strings and brackets, with any content, and reads the members of the outermost
/// object. An id counts only together with a `method`, and while everything up to there has the
/// shape of an object: a wrong id would fail a request without any error. It stores at most one
/// name and one value, so the bytes may come in pieces, and any number of them.
package struct RequestIDScanner {
  private enum Place {
    /// Before the message.
    case outside
    /// Before a member's name, or the end of the object.
    case name
    case colon
    case value
    /// Inside a number or a literal (`true`, `false`, `null`).
    case word
    /// Inside an array or object that is a member's value.
    case nested
    case comma
    /// Nothing more is relevant.
    case ended
  }

  /// The maximum length of a name or value; longer ones are not relevant.
  private static let maximumTokenLength = 4096

  private var place = Place.outside
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The string or literal that is being read in the outermost object, as far as it is stored.
  private var token: [UInt8] = []
  private var key: [UInt8] = []
  private var candidate: RequestID?
  private var hasMethod = false

  /// The id, as soon as it is certain.
  package private(set) var id: RequestID?

  package init() {}

  /// Returns the id of a message whose bytes are all there.
  package static func id(in bytes: [UInt8]) -> RequestID? {
    var scanner = RequestIDScanner()
    scanner.scan(bytes[...])
    return scanner.id
  }

  package mutating func scan(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if place == .ended { return }
      take(byte)
    }
  }

  private mutating func take(_ byte: UInt8) {
    if isInString { return takeInString(byte) }
    let isSpace = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    switch place {
    case .outside:
      if isSpace { return }
      place = byte == UInt8(ascii: "{") ? .name : .ended
    case .name:
      if isSpace { return }
      if byte == UInt8(ascii: "\"") { beginString(byte) } else { place = .ended }
    case .colon:
      if isSpace { return }
      place = byte == UInt8(ascii: ":") ? .value : .ended
    case .value:
      if isSpace { return }
      takeFirst(byte)
    case .word:
      if isSpace { return endValue(.comma) }
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
        endValue(.comma)
        return take(byte)
      }
      keep(byte)
    case .nested: takeNested(byte)
    case .comma:
      if isSpace { return }
      place = byte == UInt8(ascii: ",") ? .name : .ended
    case .ended: break
    }
  }

  private mutating func takeInString(_ byte: UInt8) {
    if place != .nested { keep(byte) }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      switch place {
      case .name:
        key = token
        place = .colon
      case .value: endValue(.comma)
      default: break
      }
    }
  }

  /// Reads the first byte of a member's value.
  private mutating func takeFirst(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): beginString(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      token = [byte]
      depth = 1
      place = .nested
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
      place = .ended
    default:
      token = [byte]
      place = .word
    }
  }

  private mutating func takeNested(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { endValue(.comma) }
    default: break
    }
  }

  private mutating func beginString(_ byte: UInt8) {
    token = [byte]
    isInString = true
  }

  private mutating func keep(_ byte: UInt8) {
    if token.count < Self.maximumTokenLength { token.append(byte) }
  }

  private mutating func endValue(_ next: Place) {
    place = next
    switch key {
    case Self.idName:
      var parser = JSONParser(token)
      guard candidate == nil, let value = try? parser.document(),
        let found = RequestID(value, token: token[...])
      else {
        place = .ended
        return
      }
      candidate = found
    case Self.methodName: hasMethod = token.first == UInt8(ascii: "\"")
    // An answer, which is not answered.
    case Self.resultName, Self.errorName: place = .ended
    default: break
    }
    if hasMethod, let candidate {
      id = candidate
      place = .ended
    }
  }

  private static let idName = [UInt8]("\"id\"".utf8)
  private static let methodName = [UInt8]("\"method\"".utf8)
  private static let resultName = [UInt8]("\"result\"".utf8)
  private static let errorName = [UInt8]("\"error\"".utf8)
}
