import Testing

@testable import Terminal

@Suite struct LineTests {
  private func editor(_ lines: [String] = []) -> LineEditor {
    var history = History(path: nil)
    for line in lines { history.add(line) }
    return LineEditor(history: history)
  }

  @Test func aLineIsSubmittedAndForgotten() {
    var editor = editor()
    #expect(editor.handle(.text("abc")) == .edited)
    #expect(editor.handle(.enter) == .submit("abc"))
    #expect(editor.buffer.isEmpty)
    #expect(editor.history.lines == ["abc"])
    #expect(editor.handle(.control("d")) == .end)
  }

  @Test func anAccentJoinsItsLetter() {
    var buffer = LineBuffer("e")
    buffer.insert("\u{301}")
    #expect(buffer.cursor == 1)
    buffer.deleteBefore()
    #expect(buffer.isEmpty)
  }

  @Test func movingStopsAtTheEnds() {
    var buffer = LineBuffer("ab")
    buffer.move(by: -5)
    buffer.deleteBefore()
    #expect((buffer.text, buffer.cursor) == ("ab", 0))
    buffer.move(by: 9)
    buffer.deleteAfter()
    buffer.transpose()
    #expect((buffer.text, buffer.cursor) == ("ba", 2))
  }

  @Test func wordsAreCut() {
    var buffer = LineBuffer("asset/open url=a.mp4")
    buffer.cutWordBefore()
    #expect(buffer.text == "asset/open url=a.")
    buffer.cutBlankWordBefore()
    #expect(buffer.text == "asset/open ")
    buffer.paste()
    #expect(buffer.text == "asset/open url=a.")
    buffer.moveToStart()
    buffer.cutWordAfter()
    #expect(buffer.text == "/open url=a.")
    buffer.replace(last: 3, with: "x")
    #expect((buffer.text, buffer.cursor) == ("x/open url=a.", 1))
  }

  @Test func historyKeepsTheDraft() {
    var editor = editor(["one", "two"])
    _ = editor.handle(.text("draft"))
    for (key, text) in [
      (Key.up, "two"), (.up, "one"), (.up, "one"), (.down, "two"), (.down, "draft"),
      (.down, "draft"), (.alt("<"), "one"), (.alt(">"), "draft"),
    ] {
      _ = editor.handle(key)
      #expect(editor.buffer.text == text)
    }
  }

  @Test func historyIsLeftAtItsEndByANewLine() {
    var editor = editor(["one", "two"])
    _ = editor.handle(.up)
    _ = editor.handle(.up)
    #expect(editor.handle(.enter) == .submit("one"))
    _ = editor.handle(.up)
    #expect(editor.buffer.text == "one")
    _ = editor.handle(.up)
    #expect(editor.buffer.text == "two")
  }

  @Test func searchingAndGivingUp() {
    var editor = editor(["asset/open", "time/add", "asset/tracks"])
    _ = editor.handle(.text("x"))
    for key in [Key.control("r"), .text("as")] { _ = editor.handle(key) }
    #expect(editor.searchPrompt == "(search 'as') ")
    #expect(editor.buffer.text == "asset/tracks")
    _ = editor.handle(.control("r"))
    #expect(editor.buffer.text == "asset/open")
    _ = editor.handle(.control("r"))
    #expect(editor.searchPrompt == "(failed search 'as') ")
    _ = editor.handle(.control("g"))
    #expect((editor.searchPrompt, editor.buffer.text) == (nil, "x"))
  }

  @Test func searchingIsEndedByAKeyThatCounts() {
    var editor = editor(["asset/open"])
    for key in [Key.control("r"), .text("op"), .home, .text(">")] { _ = editor.handle(key) }
    #expect(editor.buffer.text == ">asset/open")
    #expect(editor.searchPrompt == nil)
  }

  @Test func aPasteOfSeveralLinesIsThese() {
    var editor = editor()
    #expect(
      editor.handle(.paste("one\n\r\ntwo [1,\n2]\nthree \"{\"\nfour\n"))
        == .pasted(
          ["one", "two [1, 2]", "three \"{\"", "four"]))
    #expect(editor.buffer.isEmpty)
    #expect(editor.handle(.paste("five\n")) == .edited)
    #expect(editor.buffer.text == "five")
    #expect(editor.handle(.paste("\n")) == .edited)
    #expect(editor.buffer.text == "five")
  }

  @Test func aPasteOfOneObjectIsOneLine() {
    var editor = editor()
    _ = editor.handle(.paste("{\r\n\t\"a\": 1\n}\u{1B}[31m"))
    #expect(editor.buffer.text == "{  \"a\": 1 }[31m")
  }
}
