internal import Glibc

/// A decoder of text in a character set, by the C library's tables (`iconv`).
@safe package struct CharacterDecoder: ~Copyable {
  private let descriptor: iconv_t

  /// - Parameter name: the C library's name of the character set: "WINDOWS-1252", "CP932". The
  ///   result is nil if it has no table of it.
  package init?(_ name: String) {
    // Bytes after the name are options, which would hide errors in the text.
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isInNames) else { return nil }
    let opened = unsafe iconv_open("UTF-8", name)
    guard let opened = unsafe opened, unsafe opened != iconv_t(bitPattern: -1) else { return nil }
    unsafe descriptor = opened
  }

  deinit { unsafe iconv_close(descriptor) }

  private static func isInNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Returns the text of some bytes; nil if one of them is no character of the set.
  package mutating func decode(_ bytes: some Collection<UInt8>) -> String? {
    unsafe iconv(descriptor, nil, nil, nil, nil)
    var source = bytes.map { CChar(bitPattern: $0) }
    // One byte of a character set becomes at most three of UTF-8, and some character sets have signs of four.
    var target = [CChar](repeating: 0, count: source.count * 4 + 16)
    let count = unsafe source.withUnsafeMutableBufferPointer { input -> Int? in
      unsafe target.withUnsafeMutableBufferPointer { output -> Int? in
        var (from, left) = (input.baseAddress, input.count)
        var (to, room) = (output.baseAddress, output.count)
        guard unsafe iconv(descriptor, &from, &left, &to, &room) != Int(bitPattern: UInt.max),
          left == 0, unsafe iconv(descriptor, nil, nil, &to, &room) != Int(bitPattern: UInt.max)
        else { return nil }
        return output.count - room
      }
    }
    guard let count else { return nil }
    return String(validating: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
