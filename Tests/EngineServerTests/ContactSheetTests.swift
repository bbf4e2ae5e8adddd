import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct ContactSheetTests {
  private static let exact = WireTime(.zero)

  private func generator(
    _ client: TestClient, _ fixture: Fixture, transform: Bool = false, maximum: WireSize? = nil
  ) async throws -> ImageGeneratorHandle {
    try await generator(
      client, client.open(fixture), transform: transform, maximum: maximum)
  }

  private func generator(
    _ client: TestClient, _ asset: AssetHandle, transform: Bool = false, maximum: WireSize? = nil
  ) async throws -> ImageGeneratorHandle {
    try await client.call(
      ImageGeneratorCreate(
        asset: asset, appliesPreferredTrackTransform: transform, maximumSize: maximum,
        requestedTimeToleranceBefore: Self.exact, requestedTimeToleranceAfter: Self.exact)
    ).imageGenerator
  }

  /// The time stands in the lower left corner of each tile, and nowhere else; all formats of pixels have it.
  @Test(arguments: [(WireImageFormat.rgb24, 3), (.bgra, 4), (.gray, 1)])
  func tilesShowTheTimesOfTheirFrames(_ format: WireImageFormat, _ depth: Int) async throws {
    try await withClient(.inProcess) { client in
      let sheets = try await generator(client, .bframes)
      var request = ImageGeneratorContactSheet(
        imageGenerator: sheets, count: 4, tileWidth: 100, spacing: 3, format: format)
      let plain = try await client.sheet(request)
      request.showsTimes = true
      let sheet = try await client.sheet(request)
      let image = try #require(sheet.image)
      let (bytes, others) = (try image.blob.bytes, try #require(plain.image).blob.bytes)
      try #require(bytes.count == image.width * image.height * depth && others.count == bytes.count)
      // Eight glyphs of five columns and seven rows, with a dot around each.
      let (width, height) = (8 * 6 + 1, 9)
      let tiles = try #require(sheet.tiles)
      func isTime(_ x: Int, _ y: Int) -> Bool {
        tiles.contains { tile in
          let top = tile.y + tile.height - height
          return tile.x..<tile.x + width ~= x && top..<top + height ~= y
        }
      }
      for y in 0..<image.height {
        for x in 0..<image.width {
          let place = (y * image.width + x) * depth
          let pixel = Array(bytes[place..<place + depth])
          if isTime(x, y) {
            #expect(Set(pixel.prefix(3)).count == 1 && [0, 255].contains(pixel[0]))
            #expect(depth < 4 || pixel[3] == 255)
          } else {
            #expect(pixel == Array(others[place..<place + depth]))
          }
        }
      }
    }
  }

  /// Each tile is the single image of its time, in its place; the remaining area is black.
  @Test(arguments: [Fixture.bframes, .rotated, .odd, .openGOP], Transport.allCases)
  func tilesAreTheImagesOfTheirTimes(_ fixture: Fixture, _ transport: Transport) async throws {
    try await withClient(transport) { client in
      let width = 60
      let single = try await generator(
        client, fixture, transform: true, maximum: WireSize(width: Double(width), height: 0))
      let sheets = try await generator(client, fixture, transform: true)
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: sheets, count: 7, tileWidth: width, spacing: 5, format: .rgb24,
          delivery: transport == .binary ? .shm : .inline))
      let image = try #require(sheet.image)
      let tiles = try #require(sheet.tiles)
      let (tileWidth, tileHeight) = (
        try #require(sheet.tileWidth), try #require(sheet.tileHeight)
      )
      #expect((sheet.columns, sheet.rows) == (3, 3))
      #expect(tiles.map(\.index) == Array(0..<7))
      #expect(tileWidth == 60 && tileHeight % 2 == 0)
      #expect(image.width == 3 * tileWidth + 10 && image.height == 3 * tileHeight + 10)
      var rest = try image.blob.bytes
      try #require(rest.count == image.width * image.height * 3)
      for tile in tiles {
        #expect(tile.x == tile.index % 3 * (tileWidth + 5))
        #expect(tile.y == tile.index / 3 * (tileHeight + 5))
        #expect((tile.width, tile.height) == (tileWidth, tileHeight))
        #expect(tile.isExact == true && tile.error == nil)
        let made = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: single, time: tile.requestedTime, format: .rgb24))
        #expect(made.actualTime == tile.actualTime)
        #expect(made.sampleIndex == tile.sampleIndex)
        let pixels = try made.image.blob.bytes
        try #require(made.image.width == tileWidth)
        // A row more than an even number is cut off.
        try #require((0...1).contains(made.image.height - tileHeight))
        for row in 0..<tileHeight {
          let start = ((tile.y + row) * image.width + tile.x) * 3
          let line = start..<start + tileWidth * 3
          #expect(rest[line] == pixels[row * tileWidth * 3..<(row + 1) * tileWidth * 3])
          for index in line { rest[index] = 0 }
        }
      }
      #expect(rest.allSatisfy { $0 == 0 })
      if let lease = image.blob.lease { try client.notify(BlobRelease(leases: [lease])) }
    }
  }

  /// Files that others read: lossless ones pixel for pixel, the others as well as ffmpeg makes them.
  @Test(arguments: [WireImageFormat.png, .bmp, .jpeg, .webp]) func encodedSheetsAreFiles(
    _ format: WireImageFormat
  ) async throws {
    let folder = TemporaryFolder()
    func pixels(of path: String) async throws -> [UInt8] {
      try await succeed([
        "ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ]).output
    }
    try await withClient(.inProcess) { client in
      let generator = try await generator(client, .bframes)
      func sheet(_ format: WireImageFormat) async throws -> WireImage {
        try #require(
          try await client.sheet(
            ImageGeneratorContactSheet(
              imageGenerator: generator, columns: 4, rows: 2, tileWidth: 64, format: format,
              quality: 1)
          ).image)
      }
      let raw = try await sheet(.rgb24)
      let lossless = try raw.blob.bytes
      let path = try folder.write("sheet", try await sheet(format).blob.bytes)
      let made = try await pixels(of: path)
      try #require(made.count == lossless.count)
      if format == .png || format == .bmp {
        #expect(made == lossless)
        return
      }
      let rawPath = try folder.write("sheet.rgb", lossless)
      let theirs = folder.file("theirs.\(format.rawValue)")
      try await succeed(
        [
          "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
          "\(raw.width)x\(raw.height)", "-i", rawPath,
        ]
          + (format == .jpeg
            ? ["-pix_fmt", "yuvj420p", "-q:v", "2"] : ["-c:v", "libwebp", "-quality", "100"])
          + [theirs])
      let expected = try await pixels(of: theirs)
      try #require(expected.count == made.count)
      // Their filters for chroma are not ours, so the files differ; both are as near to the picture.
      func error(_ pixels: [UInt8]) -> Int {
        zip(pixels, lossless).reduce(0) { sum, pair in
          let difference = Int(pair.0) - Int(pair.1)
          return sum + difference * difference
        }
      }
      #expect(Double(error(made)) <= 1.1 * Double(error(expected)))
    }
  }

  /// The cues cover the track without a gap, and point at the tiles.
  @Test(arguments: [1, 7, 50]) func theMapCoversTheTrack(_ count: Int) async throws {
    try await withClient(.inProcess) { client in
      let generator = try await generator(client, .bframes)
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, count: count, tileWidth: 16, imageName: "/t/a.jpg?v=1"))
      let cues = try parse(try #require(sheet.webVTT))
      let tiles = try #require(sheet.tiles)
      try #require(cues.count == count && tiles.count == count)
      #expect(cues.first?.start == 0 && cues.last?.end == 2000)
      for (cue, next) in zip(cues, cues.dropFirst()) { #expect(cue.end == next.start) }
      for (cue, tile) in zip(cues, tiles) {
        #expect(cue.start < cue.end)
        #expect(cue.payload == "/t/a.jpg?v=1#xywh=\(tile.x),\(tile.y),\(tile.width),\(tile.height)")
        #expect(tile.timeRange.range.contains(tile.requestedTime.time))
        // The middle of the range that it represents.
        let half = tile.timeRange.range.duration.multiplied(byRatio: 1, 2)
        #expect(tile.timeRange.range.start + half == tile.requestedTime.time)
      }
      #expect(sheet.webVTTPath == nil)
    }
  }

  @Test func partsOfTheTrackAndGivenTimes() async throws {
    try await withClient(.inProcess) { client in
      let generator = try await generator(client, .bframes)
      let part = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, columns: 2, rows: 1,
          timeRange: WireTimeRange(TimeRange(start: .seconds(1, 1), duration: .positiveInfinity)),
          format: .webp))
      #expect(
        try parse(try #require(part.webVTT)).map(\.start) == [1000, 1500]
          && part.webVTT?.contains("\nsheet.webp#xywh=0,0,160,120\n") == true)
      // The last is after the end: black, with its error, and without a cue.
      let times = [Time.seconds(1, 10), .seconds(1, 1), .seconds(5, 1)]
      let given = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, columns: 3, times: times.map(WireTime.init),
          tileWidth: 8192, format: .gray))
      #expect(given.result == .succeeded)
      let tiles = try #require(given.tiles)
      #expect(tiles.map(\.requestedTime.time) == times)
      #expect(tiles.map { $0.error?.code } == [nil, nil, -11832])
      #expect(tiles.map { $0.actualTime != nil } == [true, true, false])
      let cues = try parse(try #require(given.webVTT))
      #expect(cues.map(\.start) == [100, 1000] && cues.map(\.end) == [1000, 2000])
      // Nothing is enlarged.
      #expect((given.tileWidth, given.tileHeight) == (160, 120))
      let pixels = try #require(given.image).blob.bytes
      #expect(try #require(given.image).planes?.first?.bytesPerRow == 480)
      for row in 0..<120 {
        #expect(pixels[row * 480 + 320..<(row + 1) * 480].allSatisfy { $0 == 0 })
      }
      #expect(pixels[..<320].contains { $0 != 0 })
    }
  }

  /// A picture of another shape fits in the tile, between black bars.
  @Test func otherShapesAreLetterboxed() async throws {
    let folder = TemporaryFolder()
    var bytes: [UInt8] = []
    for (offset, size) in [(0, "160x120"), (1, "80x160")] {
      let path = folder.file("\(size).ts")
      try await succeed([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=white:size=\(size):rate=25:duration=1",
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0",
        "-output_ts_offset", "\(offset)", path,
      ])
      bytes += try contents(of: path)
    }
    let path = try folder.write("both.ts", bytes)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let generator = try await client.call(
        ImageGeneratorCreate(
          asset: asset, requestedTimeToleranceBefore: Self.exact,
          requestedTimeToleranceAfter: Self.exact)
      ).imageGenerator
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, columns: 2, rows: 1, tileWidth: 80, format: .gray))
      #expect((sheet.tileWidth, sheet.tileHeight) == (80, 60))
      #expect(sheet.tiles?.map { $0.error == nil } == [true, true])
      let pixels = try #require(sheet.image).blob.bytes
      // 80 × 160 fits in 80 × 60 as 30 × 60.
      for row in 0..<60 {
        let line = pixels[row * 160..<(row + 1) * 160].map { $0 > 200 }
        let expected = (0..<160).map { $0 < 80 || (105..<135).contains($0) }
        #expect(line == expected)
      }
    }
  }

  // MARK: Files

  @Test(arguments: Transport.allCases) func twoFilesSideBySide(
    _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    try await withClient(transport) { client in
      let generator = try await generator(client, .bframes)
      func request(_ name: String) -> ImageGeneratorContactSheet {
        ImageGeneratorContactSheet(
          imageGenerator: generator, columns: 2, rows: 2, tileWidth: 32,
          delivery: .file(WireFileDelivery(path: folder.file(name))))
      }
      let sheet = try await client.sheet(request("a b#%%.v1.jpg"))
      #expect(sheet.result == .succeeded)
      #expect(folder.names == ["a b#%.v1.jpg", "a b#%.v1.vtt"])
      #expect(sheet.webVTTPath == folder.file("a b#%.v1.vtt"))
      guard case .file(let blob)? = sheet.image?.blob else {
        Issue.record("no file: \(String(describing: sheet.image))")
        return
      }
      #expect(blob.path == folder.file("a b#%.v1.jpg"))
      let image = try contents(of: blob.path)
      #expect(image.starts(with: [0xff, 0xd8]) && image.count == blob.size)
      let map = String(decoding: try contents(of: folder.file("a b#%.v1.vtt")), as: UTF8.self)
      #expect(map == sheet.webVTT)
      #expect(try parse(map).first?.payload == "a%20b%23%25.v1.jpg#xywh=0,0,32,24")
    }
  }

  /// Whichever of the two is there already, both stay as they are, and nothing comes to it.
  @Test(arguments: ["sheet.png", "sheet.vtt"]) func nothingIsReplaced(
    _ existing: String
  ) async throws {
    let folder = TemporaryFolder()
    try folder.write(existing, [1, 2, 3])
    try await withClient(.inProcess) { client in
      let generator = try await generator(client, .bframes)
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, count: 4, format: .png,
          delivery: .file(WireFileDelivery(path: folder.file("sheet.png"))),
          completion: .response))
      #expect(sheet.result == .failed)
      #expect(sheet.error?.code == -11823)
      #expect(sheet.error?.data?.path == folder.file(existing))
      #expect(sheet.image == nil && sheet.webVTT == nil && sheet.tiles == nil)
      #expect(folder.names == [existing])
      #expect(try contents(of: folder.file(existing)) == [1, 2, 3])
    }
  }

  // MARK: Failures and cancelling

  @Test(arguments: [WireCompletion.notification, .response]) func failuresAreTold(
    _ completion: WireCompletion
  ) async throws {
    try await withClient(.inProcess) { client in
      let video = try await generator(client, .bframes)
      let sound = try await generator(client, .wav)
      let late = WireTimeRange(TimeRange(start: .seconds(9, 1), duration: .seconds(1, 1)))
      let cases: [(ImageGeneratorContactSheet, Int)] = [
        (.init(imageGenerator: sound, count: 3), -11869),
        (.init(imageGenerator: video, count: 3, timeRange: late), -11832),
        (.init(imageGenerator: video, times: [WireTime(.seconds(7, 1))]), -11832),
        (.init(imageGenerator: video, columns: 110, rows: 1, format: .webp), 3002),
        (.init(imageGenerator: video, columns: 1, rows: 600), 3002),
        (.init(imageGenerator: video, columns: 100, rows: 100, format: .png), 3002),
      ]
      for (request, code) in cases {
        var request = request
        request.completion = completion
        let sheet = try await client.sheet(request)
        #expect(sheet.result == .failed)
        #expect(sheet.error?.code == code, "\(String(describing: sheet.error))")
        #expect(sheet.error?.data?.hint.isEmpty == false)
        #expect(sheet.image == nil && sheet.tiles == nil)
      }
    }
  }

  @Test func allThatIsWrongIsToldAtOnce() async throws {
    try await withClient(.inProcess) { client in
      let generator = try await generator(client, .bframes)
      let numbers: [WireTime] = [WireTime(.seconds(1, 1)), WireTime(.seconds(1, 1))]
      let path = WireDelivery.file(WireFileDelivery(path: "/tmp/a.vtt"))
      let cases: [(ImageGeneratorContactSheet, Set<String>)] = [
        (.init(imageGenerator: generator), ["/columns"]),
        (.init(imageGenerator: generator, columns: 3), ["/rows"]),
        (.init(imageGenerator: generator, columns: 200, rows: 51), ["/columns"]),
        (.init(imageGenerator: generator, columns: 2, rows: 2, count: 5), ["/columns"]),
        (.init(imageGenerator: generator, columns: 0, rows: .max), ["/columns", "/rows"]),
        (.init(imageGenerator: generator, count: 10_001), ["/count"]),
        (.init(imageGenerator: generator, times: []), ["/times"]),
        (.init(imageGenerator: generator, count: 2, times: numbers), ["/count", "/times/1"]),
        (
          .init(
            imageGenerator: generator, count: 1, timeRange: WireTimeRange(.invalid), tileWidth: 1,
            spacing: -1, format: .yuv420p, quality: 2, delivery: path, imageName: "a\nb"),
          [
            "/timeRange", "/tileWidth", "/spacing", "/format", "/quality", "/delivery/path",
            "/imageName",
          ]
        ),
        (.init(imageGenerator: generator, count: 1, format: .yuv420p10le), ["/format"]),
      ]
      for (request, paths) in cases {
        try await client.expectProblems(at: paths, in: request)
      }
    }
  }

  /// With any way to cancel it, there is an end, and no file.
  @Test(arguments: Transport.allCases, ["cancelAll", "close", "request"])
  func cancelledSheetsLeaveNothing(_ transport: Transport, _ way: String) async throws {
    let folder = TemporaryFolder()
    try await withClient(transport) { client in
      let generator = try await generator(client, client.openHeld(.long))
      let isResponse = way == "request"
      let request = ImageGeneratorContactSheet(
        imageGenerator: generator, count: 900,
        delivery: .file(WireFileDelivery(path: folder.file("sheet.jpg"))),
        completion: isResponse ? .response : nil)
      let id = try client.start(request)
      let progress = try await client.wait(for: ImageGeneratorDidProgressContactSheet.self)
      #expect(progress.first?.count == 900)
      switch way {
      case "cancelAll":
        _ = try await client.call(ImageGeneratorCancelAll(imageGenerator: generator))
      case "close": _ = try await client.call(HandleClose(handle: AnyHandle(generator)))
      default: client.cancelRequest(id)
      }
      if isResponse {
        #expect(try await client.answer(to: id)["error"]?["code"]?.integerValue == -32800)
      } else {
        guard
          case .started(let operation) = try await client.answer(
            to: id, of: ImageGeneratorContactSheet.self)
        else {
          Issue.record("not the notification form")
          return
        }
        let end = try await client.terminal(
          ImageGeneratorDidFinishContactSheet.self, of: operation)
        #expect(end.result == .cancelled && end.error?.code == -11878 && end.image == nil)
      }
      #expect(folder.names == [])
      if way != "close" {
        // A request after it isn't touched, and the count never falls.
        let sheet = try await client.sheet(
          ImageGeneratorContactSheet(
            imageGenerator: generator, times: [1, 2].map { WireTime(.seconds($0, 1)) }))
        #expect(sheet.result == .succeeded)
      }
      let counts = progress.map(\.completed)
      #expect(counts == counts.sorted())
    }
  }
}

extension TestClient {
  /// The end of a contact sheet, in the requested completion form.
  func sheet(
    _ request: ImageGeneratorContactSheet
  ) async throws -> ImageGeneratorDidFinishContactSheet {
    switch try await call(request) {
    case .finished(let end): return end
    case .started(let operation):
      return try await terminal(ImageGeneratorDidFinishContactSheet.self, of: operation)
    }
  }
}

private struct Cue {
  /// In milliseconds.
  var start: Int
  var end: Int
  var payload: String
}

/// The cues of a WebVTT file, by the syntax of its specification.
private func parse(_ text: String) throws -> [Cue] {
  let blocks = text.components(separatedBy: "\n\n")
  try #require(blocks.first == "WEBVTT")
  return try blocks.dropFirst().map { block in
    let lines = block.split(separator: "\n")
    try #require(lines.count == 2)
    let match = try #require(
      try /(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})/
        .wholeMatch(in: lines[0])
    ).output
    func time(_ parts: Substring...) throws -> Int {
      let numbers = try parts.map { try #require(Int($0)) }
      return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3]
    }
    return Cue(
      start: try time(match.1, match.2, match.3, match.4),
      end: try time(match.5, match.6, match.7, match.8), payload: String(lines[1]))
  }
}
