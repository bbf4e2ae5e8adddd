import Glibc

/// The names of files on the command line, which needn't be UTF-8.
///
/// Swift would repair one that isn't, and it would name another file. It becomes a URL, which has its bytes; files
/// that are to be made can't have such names.
enum FileArguments {
  /// The command line without the program's name, with URLs for names that aren't UTF-8.
  static let all: [String] = arguments.map(\.text)

  /// The name as a person reads it.
  static func shown(_ argument: String) -> String { repaired[argument] ?? argument }

  /// Refuses to make a file of such a name.
  static func requireText(_ name: String) throws {
    guard let shown = repaired[name] else { return }
    throw CommandError.usage(
      "'\(shown)' isn't UTF-8, and no other file can be made",
      hint: "Give the new file another name.")
  }

  private static let repaired = Dictionary(
    arguments.compactMap { argument in argument.repaired.map { (argument.text, $0) } }
  ) { first, _ in first }

  private static let arguments: [(text: String, repaired: String?)] =
    (1..<max(
      1, Int(CommandLine.argc))).compactMap { index in
      guard let text = unsafe CommandLine.unsafeArgv[index] else { return nil }
      if let valid = unsafe String(validatingCString: text) { return (valid, nil) }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
      let repaired = String(decoding: bytes, as: UTF8.self)
      // An option with its value is refused later, by its own name.
      if repaired.hasPrefix("-") { return (repaired, nil) }
      return ("file:" + String(decoding: escaped(bytes), as: UTF8.self), repaired)
    }

  /// Escapes bytes by RFC 3986, section 2.1.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    let plain = Array("-._~/".utf8)
    return bytes.flatMap { byte -> [UInt8] in
      let isLetter = byte < 0x80 && (0x41...0x5A).contains(byte & 0xDF)
      if isLetter || (0x30...0x39).contains(byte) || plain.contains(byte) { return [byte] }
      return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}
