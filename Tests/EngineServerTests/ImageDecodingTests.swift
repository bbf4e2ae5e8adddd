import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The number of frames decoded for images, by counters; and the images are the right frames all
/// the same.
struct ImageDecodingTests {
  private func generator(
    _ client: TestClient, _ fixture: Fixture, isExact: Bool = true
  ) async throws -> ImageGeneratorHandle {
    let tolerance = isExact ? WireTime(.zero) : nil
    return try await client.call(
      ImageGeneratorCreate(
        asset: try await client.open(fixture), requestedTimeToleranceBefore: tolerance,
        requestedTimeToleranceAfter: tolerance)
    ).imageGenerator
  }

  private func decoded(_ client: TestClient) async throws -> Int {
    Int(try await client.call(EngineStats()).framesDecoded)
  }

  /// Of the 250 pictures of a group, those that no other refers to are left out on the way.
  @Test func framesThatNothingNeedsAreNotDecoded() async throws {
    try await withClient(.binary) { client in
      let generator = try await generator(client, .long)
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator, times: [WireTime(.seconds(9, 1))], format: .gray))
      #expect(images.first?.actualTime?.time == .seconds(9, 1))
      #expect(images.first?.sampleIndex == 225)
      #expect(images.first?.isExact == true)
      let count = try await decoded(client)
      // 225 pictures lie before it.
      #expect(count < 225 * 3 / 4 && count > 225 / 4)
    }
  }

  @Test func aSyncSampleIsOneFrame() async throws {
    try await withClient(.binary) { client in
      let generator = try await generator(client, .long, isExact: false)
      for (requests, seconds) in [2, 11, 22, 31].enumerated() {
        let image = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(.seconds(Int64(seconds), 1)), format: .gray))
        #expect(image.actualTime.time == .seconds(Int64(seconds) / 10 * 10, 1))
        #expect(!image.isExact)
        #expect(try await decoded(client) == requests + 1)
      }
    }
  }

  /// Step by step forward nothing is decoded twice, though frames were left out before the first.
  @Test func steppingForwardGoesOn() async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path)
    try await withClient(.binary) { client in
      let generator = try await generator(client, .bframes)
      for index in 7..<40 {
        let image = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(frames[index].time), format: .yuv420p))
        #expect(try image.image.blob.bytes == frames[index].bytes, "frame \(index)")
        #expect(image.sampleIndex == index)
        #expect(image.isExact)
      }
      // All frames up to there, and those that the decoders hold for their reordering.
      #expect(try await decoded(client) < 40 + 16)
    }
  }

  /// Several regions at once: each time one result, each the right frame, each region decoded once.
  @Test(arguments: [Fixture.bframes, .shortGroups, .openGOP, .hevc, .vp9, .transport, .matroska])
  func regionsSideBySideAreExact(_ fixture: Fixture) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try await withClient(.binary) { client in
      let generator = try await generator(client, fixture)
      var order = Array(frames.indices) + [0, frames.count / 2]
      var random = SeededGenerator(seed: 2)
      order.shuffle(using: &random)
      for round in 0..<2 {
        let images = try await client.images(
          ImageGeneratorGenerateImages(
            imageGenerator: generator, times: order.map { WireTime(frames[$0].time) },
            format: .yuv420p))
        for (image, index) in zip(images, order) {
          #expect(try image.image?.blob.bytes == frames[index].bytes, "frame \(index), \(round)")
          #expect(image.sampleIndex == index)
        }
      }
    }
  }

  /// Every other frame is never requested, so that it may be left out; the rest is exact.
  @Test(arguments: [Fixture.bframes, .openGOP, .hevc, .vp9, .transport, .avi, .quickTime])
  func sparseTimesAreExact(_ fixture: Fixture) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try await withClient(.inProcess) { client in
      for stride in [3, 7, 11] {
        let generator = try await generator(client, fixture)
        let wanted = Array(Swift.stride(from: stride / 2, to: frames.count, by: stride))
        let images = try await client.images(
          ImageGeneratorGenerateImages(
            imageGenerator: generator, times: wanted.map { WireTime(frames[$0].time) },
            format: .yuv420p))
        for (image, index) in zip(images, wanted) {
          #expect(try image.image?.blob.bytes == frames[index].bytes, "frame \(index) by \(stride)")
        }
      }
    }
  }
}
