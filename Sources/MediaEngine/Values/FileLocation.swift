/// A path, taken from what a caller wrote.
struct FileLocation: Sendable {
  /// As text; what of its bytes isn't UTF-8 is replaced.
  var path: String
  /// Where it isn't UTF-8, its bytes: a file's name may have any.
  var bytes: [UInt8]?
  /// The scheme of a URL that isn't a file's.
  var foreignScheme: String?

  init(_ url: String) {
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
