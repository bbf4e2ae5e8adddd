import SystemIO

/// A path, taken from what a caller wrote.
package struct FileLocation: Sendable {
  /// As text; what of its bytes isn't UTF-8 is replaced.
  package var path: String
  /// Where it isn't UTF-8, its bytes: a file's name may have any.
  package var bytes: [UInt8]?
  /// The scheme of a URL that isn't a file's.
  var foreignScheme: String?

  package init(_ url: String) {
    path = url
    guard let colon = url.firstIndex(of: ":"),
      url[colon...].hasPrefix("://") || url.hasPrefix("file:")
    else { return }
    let scheme = url[..<colon].lowercased()
    guard scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return }
    guard scheme == "file" else {
      foreignScheme = scheme
      return
    }
    var rest = url[url.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      // An authority: empty, or this host.
      rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? rest[rest.endIndex...]
    }
    let decoded = percentDecoded(rest)
    path = String(decoding: decoded, as: UTF8.self)
    if Array(path.utf8) != decoded { bytes = decoded }
  }

  /// The path in bytes, as the system has it.
  package init(bytes: [UInt8]) {
    path = String(decoding: bytes, as: UTF8.self)
    if Array(path.utf8) != bytes { self.bytes = bytes }
  }

  package var pathBytes: [UInt8] { bytes ?? Array(path.utf8) }

  /// Of a path that isn't absolute, taken from the folder in which the process was started; without `.` and `..`, and
  /// without a slash at its end.
  package var absolutePathBytes: [UInt8] {
    let slash = UInt8(ascii: "/")
    let start = pathBytes.first == slash ? [] : Array(FileIdentity.resolved(".").utf8)
    var parts: [ArraySlice<UInt8>] = []
    for part in (start + [slash] + pathBytes).split(separator: slash) {
      switch Array(part) {
      case [UInt8(ascii: ".")]: continue
      case [UInt8(ascii: "."), UInt8(ascii: ".")]:
        // What is above a link is above the folder that it leads to.
        let below = String(decoding: parts.reduce(into: []) { $0 += [slash] + $1 }, as: UTF8.self)
        parts = Array(FileIdentity.resolved(below).utf8).split(separator: slash).dropLast()
      default: parts.append(part)
      }
    }
    return parts.isEmpty ? [slash] : parts.reduce(into: []) { $0 += [slash] + $1 }
  }

  /// What names the file in requests: its path, or where that isn't text, or looks like a URL, a `file:` URL.
  package var url: String {
    let isPlain = bytes == nil && FileLocation(path).path == path && foreignScheme == nil
    return isPlain && FileLocation(path).foreignScheme == nil
      ? path : "file://" + percentEncoded(pathBytes)
  }
}

/// All but letters, digits, `-._~` and `/` as escapes (RFC 3986).
private func percentEncoded(_ bytes: [UInt8]) -> String {
  bytes.reduce(into: "") { text, byte in
    let character = Character(UnicodeScalar(byte))
    if byte < 0x80, character.isLetter || character.isNumber || "-._~/".contains(character) {
      text.append(character)
    } else {
      text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
  }
}

/// `%41` becomes `A`; what is no valid escape stays.
private func percentDecoded(_ text: Substring) -> [UInt8] {
  var bytes: [UInt8] = []
  let source = Array(text.utf8)
  var index = 0
  while index < source.count {
    if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
      let value = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
    {
      bytes.append(value)
      index += 3
    } else {
      bytes.append(source[index])
      index += 1
    }
  }
  return bytes
}
