/// The exact value of a number's text: no detour through `Double`, no trap.
package enum JSONNumber {
  package enum Failure: Error {
    case notIntegral
    case outOfRange
  }

  /// Returns the value of a JSON number token when it is integral (`1`, `1.0`, `1e3`) and fits `T`.
  package static func integer<T: FixedWidthInteger>(
    _ token: String, as type: T.Type
  ) -> Result<T, Failure> {
    if let value = T(token) { return .success(value) }
    guard let decimal = Decimal(token) else { return .failure(.notIntegral) }
    if decimal.digits.isEmpty { return .success(0) }
    guard decimal.exponent >= 0 else { return .failure(.notIntegral) }
    // No fixed-width type here has more than 40 digits; the limit also prevents 1e999999 from
    // becoming text.
    guard decimal.exponent <= 40, decimal.digits.count <= 40 else { return .failure(.outOfRange) }
    let zeros = repeatElement(UInt8(ascii: "0"), count: decimal.exponent)
    let text = String(decoding: decimal.digits + zeros, as: UTF8.self)
    guard let value = T(decimal.isNegative ? "-" + text : text) else {
      return .failure(.outOfRange)
    }
    return .success(value)
  }

  /// Returns the value of a decimal string, the form of integers beyond ±(2^53−1): optional minus,
  /// digits only.
  package static func integer<T: FixedWidthInteger>(
    decimal text: String, as type: T.Type
  ) -> Result<T, Failure> {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return .failure(.notIntegral)
    }
    guard let value = T(text) else { return .failure(.outOfRange) }
    return .success(value)
  }

  /// Returns a text that is equal for tokens of equal value: `1`, `1.0` and `10e-1` have one
  /// canonical form.
  package static func canonical(_ token: String) -> String {
    guard let decimal = Decimal(token) else { return token }
    if decimal.digits.isEmpty { return "0" }
    let digits = String(decoding: decimal.digits, as: UTF8.self)
    return "\(decimal.isNegative ? "-" : "")\(digits)e\(decimal.exponent)"
  }

  /// A number digits × 10^exponent, without leading or trailing zeros.
  private struct Decimal {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    /// Parses a token; nil when the exponent has more digits than can matter.
    init?(_ token: String) {
      var inFraction = false
      var utf8 = token.utf8[...]
      if utf8.first == UInt8(ascii: "-") {
        isNegative = true
        utf8 = utf8.dropFirst()
      }
      scan: while let byte = utf8.first {
        switch byte {
        case UInt8(ascii: "."): inFraction = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
          guard let written = Int(utf8.dropFirst().drop { $0 == UInt8(ascii: "+") }.text),
            written.magnitude < 1 << 40
          else { return nil }
          exponent += written
          break scan
        default:
          if inFraction { exponent -= 1 }
          if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
        }
        utf8 = utf8.dropFirst()
      }
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
    }
  }
}

extension Substring.UTF8View {
  fileprivate var text: String { String(Substring(self)) }
}
