/// A path, taken from what a caller wrote.
struct FileLocation: Sendable {
  var path: String
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
    path = percentDecoded(rest)
  }
}

/// `%41` becomes `A`; what is no valid escape stays.
private func percentDecoded(_ text: Substring) -> String {
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
  return String(decoding: bytes, as: UTF8.self)
}
