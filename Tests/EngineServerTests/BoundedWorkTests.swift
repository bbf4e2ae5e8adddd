import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Damaged files cost no more than their size and length justify, counted, not timed.
struct BoundedWorkTests {
  private let folder = TemporaryFolder()

  private static func clip(_ name: String, _ options: String) -> Fixture {
    Fixture(
      name,
      "-f lavfi -i testsrc2=size=96x64:rate=25:duration=8 -pix_fmt yuv420p -c:v libx264 "
        + "-preset veryfast -threads 1 -bf 2 -g 50 \(options)")
  }
  private static let whole = clip("bounded.mp4", "")
  private static let fragmented = clip(
    "bounded-fragments.mp4", "-movflags empty_moov+default_base_moof+frag_keyframe")

  /// The sync samples' own bytes, all or all but the first, are destroyed: the following frames are
  /// wrong.
  private func damaged(sparingFirst: Bool) async throws -> (path: String, frames: Int) {
    let path = try await Self.whole.path
    var bytes = try contents(of: path)
    var seeded = SeededGenerator(seed: 7)
    let packets = try await Oracle.packets(of: path, stream: "v:0")
    let listing = try await succeed(
      ["ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "csv=p=0"]
        + ["-show_entries", "packet=pos,size,flags", path])
    for line in listing.text.split(separator: "\n").dropFirst(sparingFirst ? 1 : 0)
    where line.contains("K") {
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      let (size, place) = (try #require(numbers.first), try #require(numbers.last))
      for offset in stride(from: size / 3, to: size, by: 3) {
        bytes[place + offset] = UInt8(truncatingIfNeeded: seeded.next())
      }
    }
    return (try folder.write("damaged.mp4", bytes), packets.count)
  }

  /// Many tiles of a damaged file: the ways around the damage are tried once, not for each tile.
  @Test(arguments: [true, false], [true, false])
  func aSheetOfADamagedFileDecodesItAFewTimes(_ sparingFirst: Bool, _ isExact: Bool) async throws {
    let (path, count) = try await damaged(sparingFirst: sparingFirst)
    let zero = isExact ? WireTime(.zero) : nil
    try await withClient(.binary) { client in
      let generator = try await client.call(
        ImageGeneratorCreate(
          asset: try await client.call(AssetOpen(url: path)).asset,
          requestedTimeToleranceBefore: zero, requestedTimeToleranceAfter: zero)
      ).imageGenerator
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, columns: 16, rows: 16, tileWidth: 16, delivery: .inline))
      #expect(sheet.result == .succeeded)
      #expect(sheet.tiles?.count == 256)
      let stats = try await client.call(EngineStats())
      // Each of some lanes goes back by one, two and four groups, of each group.
      #expect(Int(stats.framesDecoded) < count * 20)
      #expect(Int(stats.seeks) < 200)
    }
  }

  /// Pixels of 32767:1 would make pictures of gigabytes.
  @Test(arguments: [WireImageFormat.jpeg, .png, .rgba64le, .gray])
  func pixelsOfAnAbsurdShapeAreRefused(_ format: WireImageFormat) async throws {
    let path = try await Self.whole.path
    var bytes = try contents(of: path)
    // The aspect ratio in the sample description (ISO/IEC 14496-12, 12.1.4.1).
    let name = try #require(bytes.firstRange(of: Array("pasp".utf8)))
    bytes.replaceSubrange(
      name.upperBound..<name.upperBound + 8, with: [0, 0, 0x7F, 0xFF, 0, 0, 0, 1])
    let edited = try folder.write("stretched.mp4", bytes)
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: edited)).asset
      func request(_ maximum: WireSize?, _ mode: WireApertureMode?) async throws
        -> ImageGeneratorGenerateImage
      {
        ImageGeneratorGenerateImage(
          imageGenerator: try await client.call(
            ImageGeneratorCreate(asset: asset, maximumSize: maximum, apertureMode: mode)
          ).imageGenerator, time: WireTime(.seconds(1, 1)), format: format)
      }
      let error = try await client.failure(of: try await request(nil, nil))
      #expect(error.code == ErrorCode.limitExceeded.rawValue)
      // The request that the hint suggests works.
      let stored = try await client.call(try await request(nil, .encodedPixels)).image
      #expect((stored.width, stored.height) == (96, 64))
      let small = try await client.call(
        try await request(WireSize(width: 320, height: 320), nil)
      ).image
      #expect((small.width, small.height) == (320, 1))
    }
  }

  /// A fragmented movie whose track has lost its header, or its number, is refused at once.
  @Test(arguments: [false, true]) func aTrackWithoutNumberIsRefused(_ isNegative: Bool) async throws
  {
    var bytes = try contents(of: try await Self.fragmented.path)
    if isNegative {
      var place: Int?
      MovieEditing.forEachBox(in: bytes) { type, payload in
        if type == "tkhd" { place = payload.lowerBound + 12 }
      }
      bytes[try #require(place)] = 0x80
    } else {
      bytes = MovieEditing.hiding("tkhd", in: bytes)
    }
    let path = try folder.write("unnumbered.mp4", bytes)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let error = try await client.failure(of: AssetTracks(asset: asset))
      #expect(error.code == ErrorCode.fileFailedToParse.rawValue)
    }
  }
}
