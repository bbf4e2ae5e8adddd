import Testing

@testable import Terminal

@Suite struct KeyTests {
  @Test(arguments: [
    ("a", [Key.text("a")]),
    ("\u{1B}[A\u{1B}OB", [.up, .down]),
    ("\u{1B}[1;5D\u{1B}[1;3C\u{1B}[1;2C", [.wordLeft, .wordRight, .right]),
    ("\u{1B}[3~\u{1B}[1~\u{1B}[8~\u{1B}[15~", [.delete, .home, .end, .unknown]),
    ("\u{1B}b\u{1B}\u{7F}", [.alt("b"), .alt("\u{7F}")]),
    ("\u{1B}", [.escape]),
    ("\u{3}\r\t\u{7F}\u{1C}", [.control("c"), .enter, .tab, .backspace, .unknown]),
    ("aä漢🙂\u{1}", [.text("aä漢🙂"), .control("a")]),
    ("\u{1B}[200~a\nb\u{1B}[A\u{1B}[201~c", [.paste("a\nb\u{1B}[A"), .text("c")]),
    ("\u{1B}[201~x", [.unknown, .text("x")]),
  ])
  func keysOfBytes(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array(text.utf8)) == keys)
  }

  /// Only a lone escape is distinguished from the beginning of a sequence by the bytes that come
  /// with it.
  @Test(arguments: ["aä漢🙂b", "\u{1B}[200~paste é\u{1B}[201~"])
  func bytesMayComeOneByOne(text: String) {
    var decoder = KeyDecoder()
    var bytes = Array(text.utf8)
    var keys: [Key] = []
    if bytes.first == 0x1B {
      keys += decoder.feed(Array(bytes[..<2]))
      bytes.removeFirst(2)
    }
    for byte in bytes { keys += decoder.feed([byte]) }
    let all = keys.map { key in
      switch key {
      case .text(let text), .paste(let text): text
      default: "?"
      }
    }
    #expect(
      all.joined() == text.replacing("\u{1B}[200~", with: "").replacing("\u{1B}[201~", with: ""))
  }

  @Test func whatIsNoUTF8IsShownAsSuch() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0xFF, 0x61]) == [.text("\u{FFFD}a")])
  }
}
