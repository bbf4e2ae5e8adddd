import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

struct CapturedJPEGTests {
  private static let (width, height) = (96, 64)

  /// Damage that decoders report is counted once the process is prepared.
  init() { EngineHost.prepare() }

  private static func ffmpeg(_ arguments: String, input: [UInt8] = []) async throws -> [UInt8] {
    let command = ["ffmpeg", "-v", "error"] + arguments.split(separator: " ").map(String.init)
    return try await run(command, input: input).output
  }

  private static func jpeg(_ pixelFormat: String) async throws -> [UInt8] {
    try await ffmpeg(
      "-f lavfi -i testsrc2=s=\(width)x\(height) -pix_fmt \(pixelFormat) -frames:v 1"
        + " -f image2pipe -c:v mjpeg -")
  }

  private static func decoder() throws -> CapturedJPEGs {
    var format = CaptureDevice.Format(
      index: 0, pixelFormat: "yuv422p", width: width, height: height,
      frameDurations: .init(minimum: .zero, maximum: .zero))
    format.codec = "mjpeg"
    let frames = try CapturedFrames(.init(input: 1, format: format, frameDuration: nil))
    return try CapturedJPEGs(frames, maximumSize: 1 << 16)
  }

  private static func frame(_ bytes: some Collection<UInt8>, _ decoder: CapturedJPEGs) -> [UInt8]? {
    guard let block = decoder.allocate(count: bytes.count) else { return nil }
    unsafe block.mutableBytes.copyBytes(from: bytes)
    return decoder.frame(of: block)?.withBytes { span in
      (0..<span.count).map { span[$0] }
    }
  }

  /// The pixels are those that ffmpeg has.
  @Test
  func aFrameIsWhatTheJPEGShows() async throws {
    let jpeg = try await Self.jpeg("yuvj422p")
    let wanted = try await Self.ffmpeg("-f mjpeg -i - -f rawvideo -", input: jpeg)
    #expect(Self.frame(jpeg, try Self.decoder()) == wanted)
  }

  /// One that ends early, with or without an end marker, is no frame, unless nothing of the picture is missing.
  @Test
  func aShortJPEGIsNoFrame() async throws {
    let jpeg = try await Self.jpeg("yuvj422p")
    let decoder = try Self.decoder()
    let whole = try #require(Self.frame(jpeg, decoder))
    var undamaged = 0
    for count in stride(from: 1, to: jpeg.count, by: 5) {
      for end in [[], [0xFF, 0xD9]] as [[UInt8]] {
        guard let frame = Self.frame(jpeg.prefix(count) + end, decoder) else { continue }
        undamaged += 1
        try #require(frame == whole)
      }
    }
    // The last bytes of all.
    #expect(undamaged <= 4)
    #expect(Self.frame(jpeg, decoder) == whole)
  }

  /// Any bytes at all leave it as it was.
  @Test
  func nonsenseIsNoFrame() async throws {
    var jpeg = try await Self.jpeg("yuvj420p")
    let decoder = try Self.decoder()
    let whole = try #require(Self.frame(jpeg, decoder))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let noise = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Self.frame(noise, decoder) == nil)
      #expect(Self.frame(jpeg.prefix(200) + noise, decoder) == nil)
    }
    #expect(Self.frame(jpeg, decoder) == whole)
    // Another size in its header.
    let start = try #require(
      jpeg.indices.dropLast(8).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg[start + 6] /= 2
    #expect(Self.frame(jpeg, decoder) == nil)
  }
}
