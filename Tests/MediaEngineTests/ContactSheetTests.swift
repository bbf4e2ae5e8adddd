import Foundation
import Glibc
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

@Suite final class ContactSheetFilesTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "reelwire-sheet-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func sheet() throws -> ContactSheet {
    let bytes: [UInt8] = [1, 2, 3]
    let range = TimeRange(
      start: Time(value: 3_599_999, timescale: 1000), duration: Time(value: 1, timescale: 1))
    return ContactSheet(
      width: 4, height: 2,
      data: DataBuffer(
        block: try HeapAllocator().copy(bytes.span.bytes)),
      mimeType: "image/png", tileWidth: 4, tileHeight: 2,
      tiles: [ContactSheet.Tile(timeRange: range, requestedTime: range.start)],
      imageName: "a.png")
  }

  @Test func bothAppear() throws {
    try SheetFiles(ContactSheet.File(path: "\(folder)/a.png")).write(try sheet())
    #expect(try names == ["a.png", "a.vtt"])
    #expect(
      try String(contentsOfFile: "\(folder)/a.vtt", encoding: .utf8)
        == "WEBVTT\n\n00:59:59.999 --> 01:00:00.999\na.png#xywh=0,0,4,2\n")
  }

  /// A file that has meanwhile come to the map's name stays, and the sheet is removed again.
  @Test func theSheetGoesWhenTheMapCannotCome() throws {
    let files = try SheetFiles(ContactSheet.File(path: "\(folder)/a.png"))
    try "theirs".write(toFile: "\(folder)/a.vtt", atomically: false, encoding: .utf8)
    let sheet = try sheet()
    let error = #expect(throws: EngineError.self) { try files.write(sheet) }
    #expect(error?.code == .fileAlreadyExists)
    #expect(error?.path == "\(folder)/a.vtt")
    #expect(try names == ["a.vtt"])
    #expect(try String(contentsOfFile: "\(folder)/a.vtt", encoding: .utf8) == "theirs")
  }

  @Test(arguments: [
    ("/a/sheet.jpg", "/a/sheet.vtt", "sheet.jpg"), ("sheet", "sheet.vtt", "sheet"),
    ("/a.b/sheet", "/a.b/sheet.vtt", "sheet"), ("/a/.jpg", "/a/.jpg.vtt", ".jpg"),
    ("/a/b.1.jpg", "/a/b.1.vtt", "b.1.jpg"), ("/a/ä b?.jpg", "/a/ä b?.vtt", "%C3%A4%20b%3F.jpg"),
  ]) func theMapIsNamedAfterTheSheet(_ path: String, _ map: String, _ name: String) {
    let file = ContactSheet.File(path: path)
    #expect(file.mapPath == map)
    #expect(file.imageName == name)
  }
}

@Suite struct TileTimeTests {
  @Test(arguments: [
    (Time(value: 0, timescale: 1), "0:00.000"), (Time(value: 12_345, timescale: 1000), "0:12.345"),
    (Time(value: 1001, timescale: 30_000), "0:00.033"),
    (Time(value: 5999, timescale: 100), "0:59.990"),
    (Time(value: 59_999_999, timescale: 1_000_000), "1:00.000"),
    (Time(value: 3_723, timescale: 1), "1:02:03.000"), (Time(value: -1, timescale: 2), "-0:00.500"),
    (Time(value: 360_000, timescale: 1), "100:00:00.000"),
  ]) func timesAreToTheNearestMillisecond(_ time: Time, _ text: String) {
    #expect(TileTime.text(of: time) == text)
  }

  private func drawn(_ time: Time, width: Int, height: Int) -> [String]? {
    guard let label = TileTime(time, of: (width, height)) else { return nil }
    var rows = [[Character]](repeating: .init(repeating: " ", count: width), count: height)
    label.draw(x: 0, y: 0) { rectangle, isWhite in
      for y in rectangle.y..<rectangle.y + rectangle.height {
        for x in rectangle.x..<rectangle.x + rectangle.width { rows[y][x] = isWhite ? "#" : "." }
      }
    }
    return rows.map { String($0) }
  }

  @Test func dotsMakeTheDigits() throws {
    let rows = try #require(drawn(Time(value: 83_456, timescale: 1000), width: 50, height: 11))
    #expect(
      rows == [
        "                                                  ",
        "                                                  ",
        "................................................. ",
        "...#..........###...###...........#..#####..###.. ",
        "..##.....#...#...#.#...#.........##..#.....#..... ",
        "...#.....#.......#.....#........#.#..####..#..... ",
        "...#...........##....##........#..#......#.####.. ",
        "...#.....#....#........#.......#####.....#.#...#. ",
        "...#.....#...#.....#...#..##......#..#...#.#...#. ",
        "..###........#####..###...##......#...###...###.. ",
        "................................................. ",
      ])
  }

  @Test func whatIsTooNarrowHasNone() throws {
    let time = Time(value: 0, timescale: 1)
    #expect(drawn(time, width: 48, height: 90) == nil)
    #expect(drawn(time, width: 49, height: 8) == nil)
    #expect(drawn(.indefinite, width: 490, height: 90) == nil)
    // Twice the size where there is room for it.
    let rows = try #require(drawn(time, width: 200, height: 90))
    #expect(rows[72].hasPrefix(String(repeating: ".", count: 98) + " "))
    #expect(rows[71] == String(repeating: " ", count: 200))
  }
}
