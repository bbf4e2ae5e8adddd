import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The colour properties of the pixels of raw images.
struct ImageColorTests {
  private static let pixels: [WireImageFormat] = [
    .rgb24, .rgba, .bgra, .gray, .yuv420p, .rgb48le, .rgba64le, .gray16le, .yuv420p10le,
  ]
  private static let yuv: Set<WireImageFormat> = [.yuv420p, .yuv420p10le]

  private func image(
    _ client: TestClient, _ asset: AssetHandle, _ format: WireImageFormat,
    transform: Bool? = nil, policy: WireDynamicRangePolicy? = nil
  ) async throws -> WireImage {
    let generator = try await client.call(
      ImageGeneratorCreate(
        asset: asset, appliesPreferredTrackTransform: transform, dynamicRangePolicy: policy)
    ).imageGenerator
    return try await client.call(
      ImageGeneratorGenerateImage(
        imageGenerator: generator, time: WireTime(.zero), format: format)
    ).image
  }

  /// The file's own values, where pixels still have them.
  @Test(arguments: Transport.allCases) func pixelsSayWhatTheyAre(_ transport: Transport)
    async throws
  {
    try await withClient(transport) { client in
      let asset = try await client.open(.bt709)
      for format in Self.pixels {
        let image = try await image(client, asset, format)
        let isYUV = Self.yuv.contains(format)
        #expect(
          image.color
            == WireColor(
              primaries: "bt709", transfer: "bt709", matrix: isYUV ? "bt709" : nil,
              range: isYUV ? "limited" : "full"), "\(format)")
        #expect(image.chromaLocation == (isYUV ? "topleft" : nil), "\(format)")
      }
    }
  }

  /// Encoded images carry their properties themselves.
  @Test func filesSayNothing() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bt709)
      for format in [WireImageFormat.jpeg, .png] {
        let image = try await image(client, asset, format)
        #expect(image.color == nil && image.chromaLocation == nil)
      }
    }
  }

  /// The file doesn't state the properties, and only those that the conversion needed are reported.
  @Test func whatIsUnknownIsLeftOut() async throws {
    try await withClient(.inProcess) { client in
      let plain = try await client.open(.odd)
      let kept = try await image(client, plain, .yuv420p)
      #expect(kept.color == WireColor(range: "limited"))
      #expect(try await image(client, plain, .rgb24).color == WireColor(range: "full"))
      // Made of RGB: in BT.601, of limited range, with chroma on the left.
      let rgb = try await client.open(.rgb)
      let coded = try await image(client, rgb, .yuv420p)
      #expect(coded.color?.matrix == "smpte170m" && coded.color?.range == "limited")
      #expect(coded.chromaLocation == "left")
    }
  }

  /// A still is YUV of full range with chroma in the centre, and stays that.
  @Test func stillsStayWhatTheyAre() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("still.jpg")
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=1:duration=1",
      "-pix_fmt", "yuvj420p", "-frames:v", "1", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let image = try await image(client, asset, .yuv420p)
      #expect(image.color?.matrix == "bt470bg" && image.color?.range == "full")
      #expect(image.chromaLocation == "center")
    }
  }

  /// Chroma turns with its picture, from the upper left to where there may be no name for.
  @Test(arguments: [("90", "bottomleft"), ("180", nil), ("270", nil)])
  func turnedChromaIsSomewhereElse(_ angle: String, _ location: String?) async throws {
    let folder = TemporaryFolder()
    let source = try await Fixture.bt709.path
    let path = folder.file("turned.mp4")
    let degrees = try #require(Int(angle))
    _ = try await succeed(
      ["ffmpeg", "-v", "error"] + turnedInput(source, by: degrees) + ["-c", "copy", path])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      #expect(try await image(client, asset, .yuv420p).chromaLocation == "topleft")
      let turned = try await image(client, asset, .yuv420p, transform: true)
      #expect(turned.width == (angle == "180" ? 64 : 48))
      #expect(turned.chromaLocation == location)
      #expect(turned.color?.matrix == "bt709")
    }
  }

  /// Mapped frames are BT.709, frames that aren't mapped are as bright as before.
  @Test func mappedTonesSaySo() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("pq.mkv")
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=gray:size=64x48:rate=5:duration=1",
      "-vf",
      "format=yuv420p10le,setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace=bt2020nc:"
        + "range=tv", "-c:v", "ffv1", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      for format in Self.pixels {
        let isYUV = Self.yuv.contains(format)
        let range = isYUV ? "limited" : "full"
        let mapped = try await image(client, asset, format).color
        #expect(
          mapped
            == WireColor(
              primaries: "bt709", transfer: "bt709", matrix: isYUV ? "bt709" : nil, range: range),
          "\(format)")
        let untouched = try await image(client, asset, format, policy: .matchSource).color
        #expect(
          untouched
            == WireColor(
              primaries: "bt2020", transfer: "smpte2084", matrix: isYUV ? "bt2020nc" : nil,
              range: range), "\(format)")
      }
    }
  }

  /// Series and sheets report it too.
  @Test func seriesAndSheetsSayIt() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bt709)
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      let expected = WireColor(primaries: "bt709", transfer: "bt709", range: "full")
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator, times: [WireTime(.zero), WireTime(.seconds(1, 2))],
          format: .rgb24))
      #expect(images.map { $0.image?.color } == [expected, expected])
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, columns: 2, rows: 1, format: .rgb24))
      #expect(sheet.image?.color == expected)
      let file = try await client.sheet(
        ImageGeneratorContactSheet(imageGenerator: generator, columns: 2, rows: 1, format: .png))
      #expect(file.image != nil && file.image?.color == nil)
    }
  }
}
