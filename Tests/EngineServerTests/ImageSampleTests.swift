import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Images of frames by their numbers.
struct ImageSampleTests {
  private func generator(
    _ client: TestClient, _ fixture: Fixture
  ) async throws -> ImageGeneratorHandle {
    let asset = try await client.open(fixture)
    // Infinite tolerances: they mean nothing for numbers.
    return try await client.call(
      ImageGeneratorCreate(asset: asset, apertureMode: .encodedPixels)
    ).imageGenerator
  }

  /// Every frame of every fixture, in a random order, is that of ffmpeg's linear decode, byte for byte.
  @Test(arguments: Fixture.videos) func everyNumberIsItsFrame(_ fixture: Fixture) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try #require(frames.count > 5)
    var random = SeededGenerator(seed: 5)
    let numbers = Array(frames.indices).shuffled(using: &random)
    try await withClient(.inProcess) { client in
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: try await generator(client, fixture), samples: numbers,
          format: .yuv420p))
      var wrong: [String] = []
      for (image, number) in zip(images, numbers) {
        guard let made = image.image else {
          wrong.append("no frame \(number): \(String(describing: image.error))")
          continue
        }
        if image.sampleIndex != number || image.isExact != true { wrong.append("\(image)") }
        if image.actualTime?.time != frames[number].time
          || image.requestedTime?.time != frames[number].time
        {
          wrong.append("\(String(describing: image.actualTime)) for frame \(number)")
        }
        if try made.blob.bytes != frames[number].bytes { wrong.append("pixels of \(number)") }
      }
      #expect(wrong == [])
    }
  }

  /// In any order and with any number of duplicates: as many frames are decoded as for each once in
  /// order.
  @Test func orderAndDuplicatesCostNothing() async throws {
    func cost(of numbers: [Int]) async throws -> (frames: Int64, seeks: Int64) {
      try await withClient(.binary) { client in
        let generator = try await generator(client, .bframes)
        let before = try await client.call(EngineStats())
        let images = try await client.images(
          ImageGeneratorGenerateImages(
            imageGenerator: generator, samples: numbers, format: .gray))
        #expect(images.map(\.sampleIndex) == numbers)
        let after = try await client.call(EngineStats())
        return (after.framesDecoded - before.framesDecoded, after.seeks - before.seeks)
      }
    }
    // Groups have 12 pictures: these are in the second and the fourth.
    let inOrder = try await cost(of: [14, 15, 21, 38, 46])
    let asAsked = try await cost(of: [46, 14, 21, 14, 46, 38, 15, 21, 46])
    #expect(asAsked == inOrder)
    #expect((5...(2 * 12 + 8)).contains(inOrder.frames))
    #expect(inOrder.seeks <= 2)
  }

  /// As with times, one that isn't there fails alone.
  @Test func aNumberThatNoFrameHasFailsAlone() async throws {
    let count = try await Oracle.frames(of: try await Fixture.bframes.path).count
    try await withClient(.inProcess) { client in
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: try await generator(client, .bframes),
          samples: [count - 1, -1, count, 0, .max, .min], format: .gray))
      #expect(images.map { $0.result == .succeeded } == [true, false, false, true, false, false])
      for image in images where image.result == .failed {
        let error = try #require(image.error)
        #expect(error.code == -11832)
        #expect(error.data?.hint.contains("from 0 to \(count - 1)") == true)
        #expect(image.requestedTime == nil)
      }
    }
  }

  @Test func oneListOfTimesOrSamplesIsRequired() async throws {
    try await withClient(.inProcess) { client in
      let generator = try await generator(client, .bframes)
      for request in [
        ImageGeneratorGenerateImages(imageGenerator: generator),
        ImageGeneratorGenerateImages(imageGenerator: generator, times: [], samples: [0]),
        ImageGeneratorGenerateImages(imageGenerator: generator, samples: []),
      ] {
        #expect(try await client.failure(of: request).code == -32602)
      }
    }
  }

  /// A file without a video track has no frames, under any name.
  @Test func audioHasNoFrames() async throws {
    try await withClient(.inProcess) { client in
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: try await generator(client, .wav), samples: [0, 1]))
      #expect(images.allSatisfy { $0.error?.code == -11869 })
    }
  }
}
