extension JSONValue {
  /// Parses a document that may contain numbers that JSON doesn't have, as Python and
  /// OpenTimelineIO write them (`NaN`, `Infinity`, `Inf`): they become strings.
  public init(parsingNonFinite bytes: [UInt8]) throws(JSONSyntaxError) {
    let failure: JSONSyntaxError
    do throws(JSONSyntaxError) {
      try self.init(parsing: bytes)
      return
    } catch { failure = error }
    guard let quoted = bytes.quotingNonFiniteNumbers,
      let value = try? JSONValue(parsing: quoted)
    else { throw failure }
    self = value
  }
}

extension [UInt8] {
  /// The document with such numbers as strings; nil if there are none.
  fileprivate var quotingNonFiniteNumbers: [UInt8]? {
    let literals = ["-Infinity", "Infinity", "-Inf", "Inf", "NaN"].map { Array($0.utf8) }
    let quote = UInt8(ascii: "\"")
    var result: [UInt8] = []
    result.reserveCapacity(count + 16)
    var isFound = false
    var isQuoted = false
    var rest = self[...]
    while let byte = rest.first {
      // Their first letters begin nothing else of JSON.
      if !isQuoted,
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "N"),
        let word = literals.first(where: { rest.starts(with: $0) })
      {
        result += [quote] + word + [quote]
        rest = rest.dropFirst(word.count)
        isFound = true
        continue
      }
      rest = rest.dropFirst()
      result.append(byte)
      if byte == quote { isQuoted.toggle() }
      if isQuoted, byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        result.append(escaped)
      }
    }
    return isFound ? result : nil
  }
}
