import SystemIO

/// A path, from a caller's text.
package struct FileLocation: Sendable {
  /// The path as text. Bytes that aren't UTF-8 are replaced.
  package var path: String
  /// The bytes of a path that isn't UTF-8, which a file's name may have; nil for others.
  package var bytes: [UInt8]?
  /// The scheme of a URL that isn't a file URL.
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

  /// Creates a location from a path in bytes, in the system's form.
  package init(bytes: [UInt8]) {
    path = String(decoding: bytes, as: UTF8.self)
    if Array(path.utf8) != bytes { self.bytes = bytes }
  }

  package var pathBytes: [UInt8] { bytes ?? Array(path.utf8) }

  /// The absolute path, relative to the folder in which the process was started; without `.` and
  /// `..`, and without a slash at its end.
  package var absolutePathBytes: [UInt8] {
    let slash = UInt8(ascii: "/")
    let start = pathBytes.first == slash ? [] : Array(FileIdentity.resolved(".").utf8)
    var parts: [ArraySlice<UInt8>] = []
    for part in (start + [slash] + pathBytes).split(separator: slash) {
      switch Array(part) {
      case [UInt8(ascii: ".")]: continue
      case [UInt8(ascii: "."), UInt8(ascii: ".")]:
        // The parent of a link is the parent of the folder that it leads to.
        let below = String(decoding: parts.reduce(into: []) { $0 += [slash] + $1 }, as: UTF8.self)
        parts = Array(FileIdentity.resolved(below).utf8).split(separator: slash).dropLast()
      default: parts.append(part)
      }
    }
    return parts.isEmpty ? [slash] : parts.reduce(into: []) { $0 += [slash] + $1 }
  }

  /// The file's name in requests: its path, or a `file:` URL if the path isn't text or looks like a
  /// URL.
  package var url: String {
    let isPlain = bytes == nil && FileLocation(path).path == path && foreignScheme == nil
    return isPlain && FileLocation(path).foreignScheme == nil
      ? path : "file://" + percentEncoded(pathBytes)
  }
}

/// Returns all bytes except letters, digits, `-._~` and `/` as escapes (RFC 3986).
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

/// Decodes `%41` to `A`; invalid escapes are left unchanged.
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
