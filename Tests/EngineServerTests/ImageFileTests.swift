import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import Testing

/// The image format that follows from a file's name, and the bytes written into the file.
struct ImageFileTests {
  private func generator(_ client: TestClient) async throws -> ImageGeneratorHandle {
    let asset = try await client.open(.bframes)
    return try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
  }

  private func file(_ path: String) -> WireDelivery { .file(WireFileDelivery(path: path)) }

  /// The format of a file by its first bytes, as each format's specification has them.
  private func format(of path: String) throws -> WireImageFormat? {
    let bytes = try contents(of: path)
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: Array("BM".utf8)) { return .bmp }
    let isRIFF = bytes.starts(with: Array("RIFF".utf8))
    return isRIFF && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) ? .webp : nil
  }

  @Test(arguments: [
    ("a.png", WireImageFormat.png), ("a.PNG", .png), ("a.jpg", .jpeg), ("a.jpeg", .jpeg),
    ("a.jpe", .jpeg), ("a.webp", .webp), ("a.bmp", .bmp), ("a.b.png", .png), ("a", .jpeg),
    ("a.7", .jpeg), ("a.", .jpeg), ("a.%02d", .jpeg),
  ]) func theNameOfTheFileSaysTheFormat(_ name: String, _ expected: WireImageFormat) async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let generator = try await generator(client)
      let one = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, delivery: file(folder.file("1 \(name)")))
      ).image
      let several = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator, times: [WireTime(.zero)],
          delivery: file(folder.file("2 \(name)"))))
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(
          imageGenerator: generator, count: 2, delivery: file(folder.file("3 \(name)"))))
      for image in [one, several.first?.image, sheet.image] {
        guard case .file(let blob)? = image?.blob else {
          Issue.record("no file")
          continue
        }
        #expect(image?.format == expected)
        #expect(try format(of: blob.path) == expected, "\(blob.path)")
        #expect(blob.mimeType == "image/\(expected.rawValue)")
      }
    }
  }

  @Test func aHiddenFileHasNoExtension() {
    #expect(ImageFileName("/a.png/.png") == nil)
    #expect(ImageFileName("/a.png/b") == nil)
    #expect(ImageFileName("/a/.b.png")?.format == .png)
  }

  /// In memory nothing has a name.
  @Test func withoutAFileItIsJPEG() async throws {
    try await withClient(.inProcess) { client in
      let generator = try await generator(client)
      let image = try await client.call(ImageGeneratorGenerateImage(imageGenerator: generator))
      #expect(image.image.format == .jpeg)
    }
  }

  @Test(arguments: [
    ("a.png", WireImageFormat.jpeg), ("a.jpg", .png), ("a.JPG", .webp), ("a.gif", .png),
    ("a.png", .rgba), ("a.bmp", .gray), ("a.tiff", .rgb48le), ("a.heic", .jpeg),
  ]) func aNameMustNotContradictTheFormat(_ name: String, _ format: WireImageFormat) async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let generator = try await generator(client)
      let delivery = file(folder.file(name))
      try await client.expectProblems(
        at: ["/format"],
        in: ImageGeneratorGenerateImage(
          imageGenerator: generator, format: format, delivery: delivery))
      try await client.expectProblems(
        at: ["/format"],
        in: ImageGeneratorGenerateImages(
          imageGenerator: generator, times: [WireTime(.zero)], format: format, delivery: delivery))
      try await client.expectProblems(
        at: ["/format"],
        in: ImageGeneratorContactSheet(
          imageGenerator: generator, count: 2, format: format, delivery: delivery))
      #expect(folder.names == [])
    }
  }

  @Test(arguments: ["a.gif", "a.tif", "a.mp4", "a.pgn", "a.jpg.part"])
  func anEndingThatSaysNoFormatNeedsOne(_ name: String) async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let generator = try await generator(client)
      try await client.expectProblems(
        at: ["/delivery/path"],
        in: ImageGeneratorGenerateImage(
          imageGenerator: generator, delivery: file(folder.file(name))))
      #expect(folder.names == [])
    }
  }

  @Test(arguments: [("a.bin", WireImageFormat.png), ("a.jpg.part", .jpeg), ("a.rgb", .rgb24)])
  func aFormatNeedsNoEnding(_ name: String, _ format: WireImageFormat) async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let generator = try await generator(client)
      let made = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, format: format, delivery: file(folder.file(name))))
      #expect(made.image.format == format)
      #expect(folder.names == [name])
    }
  }

  /// A waveform is drawn where a file is named for it.
  @Test func theNameOfAWaveformSaysItsFormat() async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let path = folder.file("a.webp")
      let drawn = try await client.waveform(
        WaveformGenerate(asset: asset, width: 60, delivery: file(path)))
      #expect(drawn.image?.format == .webp)
      #expect(drawn.channels == nil)
      #expect(try format(of: path) == .webp)
      try await client.expectProblems(
        at: ["/format"],
        in: WaveformGenerate(
          asset: asset, format: .jpeg, width: 60, delivery: file(folder.file("b.png"))))
      try await client.expectProblems(
        at: ["/delivery"],
        in: WaveformGenerate(asset: asset, count: 60, delivery: file(folder.file("b"))))
      #expect(folder.names == ["a.webp"])
    }
  }

  /// A reader's images have the format of its settings, and raw samples are no image files.
  @Test(arguments: [
    (WireVideoSettings(format: .png), "a-%d.png", "a-%d.jpg"),
    (WireVideoSettings(pixelFormat: "rgba"), "a-%d.rgba", "a-%d.png"),
  ]) func aReadersFilesAreWhatTheyAreCalled(
    _ settings: WireVideoSettings, _ right: String, _ wrong: String
  ) async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let output = try await client.read(
        asset, .init(type: .track, mediaType: .video, settings: .video(settings))
      ).output
      try await client.expectProblems(
        at: ["/delivery/path"],
        in: AssetReaderNextSampleBuffers(output: output, delivery: file(folder.file(wrong))))
      #expect(folder.names == [])
      let first = try await client.call(
        AssetReaderNextSampleBuffers(output: output, delivery: file(folder.file(right))))
      // The refused request has consumed no sample.
      #expect(first.sampleBuffers.first?.presentationTime.time == .zero)
      #expect(folder.names == [right.replacing("%d", with: "0")])
    }
  }

  /// Artwork is written as it is, so its file must not have another type's name.
  @Test func artworkIsWhatItsFileIsCalled() async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.coverM4A)
      func artwork(_ name: String) -> AssetMetadata {
        AssetMetadata(
          asset: asset, commonKey: "artwork", delivery: file(folder.file(name)))
      }
      for wrong in ["cover.png", "cover.gif"] {
        try await client.expectProblems(at: ["/delivery/path"], in: artwork(wrong))
      }
      #expect(folder.names == [])
      for right in ["cover.jpg", "cover", "cover.bin"] {
        _ = try await client.call(artwork(right))
        #expect(try format(of: folder.file(right)) == .jpeg)
      }
    }
  }
}
