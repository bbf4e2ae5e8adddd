import LibAV
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// The times at which subtitles change, texts as lines of scripts, and names in fonts.
struct TextOverlayTests {
  private static func line(_ start: Int64, _ end: Int64, _ text: String = "a") -> ScriptLines.Line {
    ScriptLines.Line(text: "0,0,Default,,0,0,0,,\(text)", start: start, end: end)
  }

  @Test func standingLinesAreDrawnOnceForEachChange() {
    let changes = LineChanges([Self.line(100, 500), Self.line(300, 400), Self.line(500, 600)])
    let times: [Int64] = [99, 100, 299, 300, 399, 400, 499, 500, 599, 600]
    let drawn: [Int64?] = [nil, 100, 100, 300, 300, 400, 400, 500, 500, nil]
    #expect(times.map { changes.drawingTime(at: $0) } == drawn)
  }

  @Test(arguments: ["{\\fad(100,100)}a", "{\\t(\\frz90)}a", "{\\move(0,0,9,9)}a", "{\\k20}a"])
  func movingLinesAreDrawnAtEachTime(text: String) {
    let changes = LineChanges([Self.line(100, 200, text), Self.line(150, 300)])
    #expect([100, 149, 150, 199].allSatisfy { changes.drawingTime(at: $0) == $0 })
    #expect([200, 250].allSatisfy { changes.drawingTime(at: $0) == 200 })
  }

  @Test func linesWithoutTimeShowNothing() {
    #expect(LineChanges([Self.line(5, 5), Self.line(9, 3)]).drawingTime(at: 5) == nil)
    #expect(LineChanges([]).drawingTime(at: 0) == nil)
  }

  @Test func codesInTextsAreText() {
    let escaped = VideoComposition.TextLayer.escaped("{\\b1}\r\nx\ty\n\\N")
    #expect(escaped == "\\{\\\u{2060}b1\\}\\Nx y\\N\\\u{2060}N")
  }

  @Test func theOpacityOfFadesIsArithmetic() throws {
    let layer = VideoComposition.TextLayer(
      text: "a",
      timeRange: TimeRange(
        start: Time(value: 1, timescale: 1), duration: Time(value: 4, timescale: 1)),
      fadeIn: Time(value: 1, timescale: 1), fadeOut: Time(value: 2, timescale: 1))
    func opacity(_ value: Int64) -> Double? { layer.opacity(at: Time(value: value, timescale: 4)) }
    #expect(opacity(3) == nil)
    #expect(opacity(4) == 0)
    #expect(opacity(5) == 0.25)
    #expect(opacity(8) == 1)
    #expect(opacity(12) == 1)
    #expect(opacity(19) == 0.125)
    #expect(opacity(20) == nil)
  }

  // MARK: Fonts

  /// A font with a table of names and nothing else.
  private static func font(_ names: [(platform: UInt16, kind: UInt16, text: [UInt8])]) -> [UInt8] {
    func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    func four(_ value: Int) -> [UInt8] { two(value >> 16) + two(value & 0xFFFF) }
    var (records, texts): ([UInt8], [UInt8]) = ([], [])
    for name in names {
      records += two(Int(name.platform)) + two(1) + two(name.platform == 3 ? 0x409 : 0)
      records += two(Int(name.kind)) + two(name.text.count) + two(texts.count)
      texts += name.text
    }
    let table = two(0) + two(names.count) + two(6 + records.count) + records + texts
    return four(0x10000) + two(1) + [0, 0, 0, 0, 0, 0] + Array("name".utf8) + four(0) + four(28)
      + four(table.count) + table
  }

  private static func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  @Test func theFullNameOfAFont() {
    let font = Self.font([
      (1, 4, Array("Old Name".utf8)), (3, 1, Self.wide("Family")), (3, 4, Self.wide("Family Bold")),
      (3, 6, Self.wide("Family-Bold")),
    ])
    #expect(FontNames.first(in: font) == "Family Bold")
    #expect(FontNames.first(in: Self.font([(1, 1, Array("Sans".utf8))])) == "Sans")
    #expect(FontNames.first(in: Self.font([(3, 4, Self.wide("a,b"))])) == nil)
    // Cut anywhere, it is no font, or one with a name that is there.
    for length in font.indices {
      let name = FontNames.first(in: Array(font.prefix(length)))
      #expect(name == nil || ["Old Name", "Family", "Family Bold"].contains(name))
    }
  }

  @Test func damagedFontsHaveNoName() {
    var random = SeededGenerator(seed: 41)
    let font = Self.font([(3, 4, Self.wide("Family Bold"))])
    for _ in 0..<2000 {
      var damaged = font
      for _ in 0..<3 {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if let name = FontNames.first(in: damaged) { #expect(name.utf8.count <= 200) }
    }
  }
}
