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

  /// What comes to the map's name meanwhile stays, and the sheet goes again.
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
