import Testing

@testable import Terminal

@Suite struct DrawingTests {
  @Test(arguments: [
    ("abc", 3), ("ä", 1), ("漢字", 4), ("e\u{301}", 1), ("🙂", 2), ("👩‍👩‍👧", 2), ("\u{7}", 0), ("ｱ", 1),
    ("❤\u{FE0F}", 2), ("한글", 4), ("→", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｶﾞ", 2), ("คำ", 2),
    ("क्षि", 2), ("क्\u{200D}ष", 2), ("\u{600}1", 2), ("〈", 2), ("䷀", 2),
  ])
  func columnsOfText(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test func whatATerminalActsUponIsShown() {
    #expect("a\u{1B}[31m\u{9B}\u{202E}ä漢".printable == "a\\u{1b}[31m\\u{9b}\\u{202e}ä漢")
    #expect("\u{9B}".printableJSON == "\\u009b")
    #expect("plain ä".printable == "plain ä")
  }

  @Test func styleIsOnlyWhereItIsWanted() {
    #expect(Style.plain.red("x") == "x")
    #expect(Style(isColored: true).red("x") == "\u{1B}[31mx\u{1B}[0m")
    #expect(Style(isColored: true).red("") == "")
  }

  @Test func aPromptIsDrawnAndTakenAway() {
    var view = PromptView(columns: 10)
    #expect(view.erase() == "")
    #expect(view.draw(prompt: "> ", line: "abc", cursor: 1) == "> abc\r\u{1B}[3C")
    #expect(view.erase() == "\r\u{1B}[J")
    #expect(!view.isShown)
  }

  @Test func rowsAreBrokenByUs() {
    var view = PromptView(columns: 5)
    #expect(view.draw(prompt: "> ", line: "abcd", cursor: 4) == "> abc\r\nd\r\u{1B}[1C")
    // From the second row up to the first.
    #expect(
      view.draw(prompt: "> ", line: "abc", cursor: 0)
        == "\u{1B}[1A\r\u{1B}[J> abc\r\n\u{1B}[1A\r\u{1B}[2C")
    #expect(view.leave(prompt: "> ", line: "abc") == "\u{1B}[1B\r\n")
  }

  @Test func aWideCharacterIsNotSplit() {
    var view = PromptView(columns: 5)
    #expect(view.draw(prompt: "> ", line: "ab漢", cursor: 3) == "> ab\r\n漢\r\u{1B}[2C")
  }

  // MARK: Pictures

  private static let picture = PixelPicture(
    width: 2, height: 3, bytesPerRow: 8,
    bytes: [255, 0, 0, 0, 255, 0, 9, 9, 0, 0, 255, 255, 255, 255, 9, 9, 0, 0, 0, 1, 2, 3])

  @Test func aPictureHasAllItsBytes() {
    #expect(PixelPicture(width: 2, height: 2, bytesPerRow: 6, bytes: [0, 0, 0]) == nil)
    #expect(
      PixelPicture(width: 2, height: 2, bytesPerRow: 5, bytes: .init(repeating: 0, count: 99))
        == nil)
  }

  @Test func kittyGetsRGB() throws {
    let picture = try #require(Self.picture)
    #expect(
      PictureProtocol.kitty.sequence(picture, trueColor: true)
        == "\u{1B}_Ga=T,f=24,q=2,s=2,v=3,m=0;/wAAAP8AAAD/////AAAAAQID\u{1B}\\\r\n")
    let large = try #require(
      PixelPicture(width: 40, height: 40, bytesPerRow: 120, bytes: .init(repeating: 7, count: 4800))
    )
    let chunks = PictureProtocol.kitty.sequence(large, trueColor: true).split(separator: "\u{1B}_G")
    #expect(chunks.count == 2)
    #expect(chunks[0].contains("m=1;") && chunks[1].hasPrefix("m=0;"))
  }

  @Test func charactersHaveTwoRowsEach() throws {
    let picture = try #require(Self.picture)
    let text = PictureProtocol.blocks.sequence(picture, trueColor: true)
    #expect(
      text
        == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[38;2;0;255;0;48;2;255;255;255m▀\u{1B}[0m\r\n"
        + "\u{1B}[38;2;0;0;0m▀\u{1B}[38;2;1;2;3m▀\u{1B}[0m\r\n")
    #expect(
      PictureProtocol.blocks.sequence(picture, trueColor: false).hasPrefix(
        "\u{1B}[38;5;196;48;5;21m▀"))
  }

  @Test func sixelsAreBitsOfSixRows() throws {
    let picture = try #require(Self.picture)
    let text = PictureProtocol.sixel.sequence(picture, trueColor: false)
    #expect(text.hasPrefix("\u{1B}Pq\"1;1;2;3#0;2;0;0;0#1;2;0;0;20"))
    // Black below both columns, red above the first, white in the middle of the second.
    #expect(text.contains("#0CC$") && text.contains("#180@?$") && text.contains("#215?A$"))
    #expect(text.hasSuffix("-\u{1B}\\\r\n"))
  }

  @Test func iTermGetsAFile() throws {
    let file = try #require(Self.picture).bitmapFile
    #expect(file.count == 54 + 3 * 8)
    #expect(Array(file.prefix(6)) == [0x42, 0x4D, 78, 0, 0, 0])
    // The last row first, blue before red.
    #expect(Array(file[54..<62]) == [0, 0, 0, 3, 2, 1, 0, 0])
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], PictureProtocol.kitty), (["TERM": "xterm-256color"], .blocks),
    (["TERM_PROGRAM": "WezTerm"], .iterm), (["TERM": "foot"], .sixel),
    (["TERM": "xterm-kitty", "TMUX": "x"], .blocks), ([:], .blocks),
  ])
  func terminalsAreKnownByTheirVariables(variables: [String: String], expected: PictureProtocol) {
    #expect(PictureProtocol.detected { variables[$0] } == expected)
  }

  @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
  func base64(text: String) {
    let expected = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
      "foobar": "Zm9vYmFy",
    ]
    #expect(String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self) == expected[text])
  }
}
