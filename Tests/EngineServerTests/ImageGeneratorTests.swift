import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct ImageGeneratorTests {
  private static let exact = WireTime(.zero)

  private func generator(
    _ client: TestClient, _ asset: AssetHandle, transform: Bool = false, maximum: WireSize? = nil,
    before: Time = .zero, after: Time = .zero
  ) async throws -> ImageGeneratorHandle {
    try await client.call(
      ImageGeneratorCreate(
        asset: asset, appliesPreferredTrackTransform: transform, maximumSize: maximum,
        apertureMode: .encodedPixels, requestedTimeToleranceBefore: WireTime(before),
        requestedTimeToleranceAfter: WireTime(after))
    ).imageGenerator
  }

  /// Every frame of every fixture, requested in a random order at its start and within it, is that
  /// of ffmpeg's linear decode, byte for byte.
  @Test(arguments: Fixture.videos, Transport.allCases) func everyFrameIsExact(
    _ fixture: Fixture, _ transport: Transport
  ) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try #require(frames.count > 5)
    try await withClient(transport) { client in
      let asset = try await client.open(fixture)
      let generator = try await generator(client, asset)
      var wanted: [(frame: Int, time: Time)] = []
      for (index, frame) in frames.enumerated() where frame.time >= .zero {
        wanted.append((index, frame.time))
        if index + 1 < frames.count {
          let next = frames[index + 1].time
          wanted.append((index, frame.time + (next - frame.time).multiplied(byRatio: 1, 2)))
        }
      }
      var random = SeededGenerator(seed: 3)
      wanted.shuffle(using: &random)
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator, times: wanted.map { WireTime($0.time) }, format: .yuv420p,
          delivery: transport == .binary ? .shm : .inline))
      var wrong: [String] = []
      for (image, (frame, time)) in zip(images, wanted) {
        guard let made = image.image, let actual = image.actualTime?.time else {
          wrong.append("no image at \(time): \(String(describing: image.error))")
          continue
        }
        if actual != frames[frame].time { wrong.append("\(actual) for frame \(frame) at \(time)") }
        if try made.blob.bytes != frames[frame].bytes { wrong.append("the pixels at \(time)") }
      }
      #expect(wrong == [])
      try client.notify(BlobRelease(leases: images.compactMap { $0.image?.blob.lease }))
    }
  }

  /// A container without presentation times seems to begin before its first frame is shown.
  @Test func theStartOfAnUntimedFileHasAnImage() async throws {
    let frames = try await Oracle.frames(of: try await Fixture.aviBFrames.path)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.aviBFrames)
      let generator = try await generator(client, asset)
      let result = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.zero), format: .yuv420p))
      #expect(try result.image.blob.bytes == frames.first?.bytes)
    }
  }

  /// Without a time there is the first frame, at any presentation time, and with any tolerances.
  @Test(arguments: Fixture.videos + [.aviBFrames], [Time.zero, .positiveInfinity])
  func theFirstFrameNeedsNoTime(_ fixture: Fixture, _ tolerance: Time) async throws {
    let first = try #require(try await Oracle.frames(of: try await fixture.path).first)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      let generator = try await generator(client, asset, before: tolerance, after: tolerance)
      let made = try await client.call(
        ImageGeneratorGenerateImage(imageGenerator: generator, format: .yuv420p))
      #expect(try made.image.blob.bytes == first.bytes)
      #expect(made.requestedTime.time == made.actualTime.time)
      #expect(made.isExact)
      // An untimed file's frames have the decoder's times, which begin elsewhere.
      guard fixture != .aviBFrames else { return }
      #expect(made.actualTime.time == first.time)
      #expect(made.sampleIndex == 0)
    }
  }

  /// Of a stream that begins in the middle of a group the first frame is the first that can be decoded.
  @Test func theFirstFrameOfACutStreamIsTheFirstThatIsWhole() async throws {
    let whole = try contents(of: try await Fixture.transport.path)
    let folder = TemporaryFolder()
    let packets = whole.count / 188
    let path = try folder.write("cut.ts", Array(whole.suffix((packets - packets / 5) * 188)))
    let first = try #require(try await Oracle.frames(of: path).first)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let generator = try await generator(client, asset)
      let made = try await client.call(
        ImageGeneratorGenerateImage(imageGenerator: generator, format: .yuv420p))
      #expect(try made.image.blob.bytes == first.bytes)
    }
  }

  @Test func beforeTheFirstFrameTheHintTellsHowToGetIt() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.delayed)
      let generator = try await generator(client, asset)
      let error = try await client.failure(
        of: ImageGeneratorGenerateImage(imageGenerator: generator, time: WireTime(.zero)))
      #expect(error.code == -11832)
      #expect(error.data?["hint"]?.stringValue?.contains("without a time") == true)
    }
  }

  /// A frame that is damaged itself is not looked for from every point before it.
  @Test func aDamagedFrameCostsLittle() async throws {
    var bytes = try contents(of: try await Fixture.shortGroups.path)
    for index in bytes.indices.suffix(150).dropLast(10) { bytes[index] ^= 0x5a }
    let folder = TemporaryFolder()
    let path = try folder.write("damaged.mp4", bytes)
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let generator = try await generator(client, asset)
      let result = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.seconds(99, 25)), format: .gray))
      #expect(result.actualTime.time == .seconds(99, 25))
      // More than its group, for the damage was seen; far less than all groups up to it, again and again.
      #expect((3..<100).contains(try await client.call(EngineStats()).framesDecoded))
    }
  }

  /// One by one, back and forth, with the decoder kept warm between.
  @Test(arguments: [Fixture.bframes, .openGOP, .editList, .transport]) func singleRequestsAreExact(
    _ fixture: Fixture
  ) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      let generator = try await generator(client, asset)
      for index in [0, frames.count - 1, 13, 12, 11, 14, 30, 29, 1, frames.count / 2, 0] {
        let result = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(frames[index].time), format: .yuv420p))
        #expect(try result.image.blob.bytes == frames[index].bytes, "frame \(index)")
        #expect(result.actualTime.time == frames[index].time)
      }
    }
  }

  /// A group is decoded once, for any number of requests.
  @Test func twoTimesOfOneGroupDecodeItOnce() async throws {
    try await withClient(.binary) { client in
      let asset = try await client.open(.bframes)
      let generator = try await generator(client, asset)
      let before = try await client.call(EngineStats())
      // Groups have 12 pictures, 0.48 s; these are the second and fourth.
      let times = [0.56, 0.84, 0.60, 1.50, 1.84, 0.56]
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator,
          times: times.map { WireTime(Time(value: Int64(($0 * 100).rounded()), timescale: 100)) },
          format: .gray))
      #expect(images.allSatisfy { $0.result == .succeeded })
      let after = try await client.call(EngineStats())
      // Two groups and the frames that the decoder holds back for its reordering.
      #expect(after.framesDecoded - before.framesDecoded <= 2 * 12 + 8)
      #expect(after.framesDecoded - before.framesDecoded >= 12)
      #expect(after.seeks - before.seeks <= 2)
    }
  }

  @Test(arguments: Transport.allCases) func infiniteTolerancesTakeTheNearestSyncSample(
    _ transport: Transport
  ) async throws {
    let packets = try await Oracle.packets(of: try await Fixture.bframes.path, stream: "v:0")
    let syncs = packets.filter(\.isKey).compactMap(\.pts)
    try #require(syncs.count >= 4)
    try await withClient(transport) { client in
      let asset = try await client.open(.bframes)
      let loose = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      let before = try await client.call(
        ImageGeneratorCreate(asset: asset, requestedTimeToleranceAfter: WireTime(.zero))
      ).imageGenerator
      for hundredths in [0, 13, 50, 77, 120, 199] as [Int64] {
        let time = Time.seconds(hundredths, 100)
        let request = { ImageGeneratorGenerateImage(imageGenerator: $0, time: WireTime(time)) }
        let nearest = try #require(
          syncs.min { ($0 - time).absoluteValue < ($1 - time).absoluteValue })
        #expect(try await client.call(request(loose)).actualTime.time == nearest)
        let last = try #require(syncs.last { $0 <= time })
        #expect(try await client.call(request(before)).actualTime.time == last)
      }
    }
  }

  @Test(arguments: Transport.allCases) func theEndHasAnEnd(_ transport: Transport) async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path)
    let last = try #require(frames.last)
    try await withClient(transport) { client in
      let asset = try await client.open(.bframes)
      let exact = try await generator(client, asset)
      let duration = Time.seconds(2, 1)
      for time in [duration, .seconds(5, 1), .positiveInfinity, .invalid, .seconds(-1, 10)] {
        let error = try await client.failure(
          of: ImageGeneratorGenerateImage(imageGenerator: exact, time: WireTime(time)))
        #expect(error.code == -11832, "\(time): \(error)")
        #expect(error.hint?.isEmpty == false)
        #expect(error.data?["handle"]?.stringValue == exact.rawValue)
      }
      // A tolerance that reaches the last frame gets it.
      let tolerant = try await generator(client, asset, before: .seconds(1, 25))
      let result = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: tolerant, time: WireTime(duration), format: .yuv420p))
      #expect(result.actualTime.time == last.time)
      #expect(try result.image.blob.bytes == last.bytes)
    }
  }

  /// The box bounds, and never enlarges.
  @Test func maximumSizeOnlyScalesDown() async throws {
    let cases: [(Double, Double, Int, Int)] = [
      (0, 0, 160, 120), (1000, 1000, 160, 120), (80, 0, 80, 60), (0, 30, 40, 30),
      (80, 30, 40, 30), (80, 80, 80, 60), (1, 1, 1, 1), (160, 120, 160, 120), (0, 1000, 160, 120),
    ]
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      for (maxWidth, maxHeight, width, height) in cases {
        let generator = try await generator(
          client, asset, maximum: WireSize(width: maxWidth, height: maxHeight))
        for format in [WireImageFormat.rgb24, .jpeg] {
          let image = try await client.call(
            ImageGeneratorGenerateImage(
              imageGenerator: generator, time: Self.exact, format: format)
          ).image
          #expect((image.width, image.height) == (width, height), "\(maxWidth) × \(maxHeight)")
          if format == .rgb24 { #expect(image.blob.size == width * height * 3) }
        }
      }
    }
  }

  /// Formats that are files: ffmpeg reads them, and sees the picture.
  @Test(arguments: [WireImageFormat.jpeg, .png, .bmp]) func encodedImagesAreFilesThatOthersRead(
    _ format: WireImageFormat
  ) async throws {
    let folder = TemporaryFolder()
    for fixture in [Fixture.bframes, .odd] {
      let reference = try #require(
        try await Oracle.frames(of: try await fixture.path, pixelFormat: "rgb24").dropFirst(7).first
      )
      try await withClient(.inProcess) { client in
        let asset = try await client.open(fixture)
        let generator = try await generator(client, asset)
        let image = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(reference.time), format: format, quality: 1)
        ).image
        let path = try folder.write("\(fixture.name).\(format.rawValue)", try image.blob.bytes)
        let stream = try #require(try await Oracle.streams(of: path).first)
        #expect((stream.width, stream.height) == (image.width, image.height))
        let pixels = try await succeed([
          "ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ]).output
        try #require(pixels.count == reference.bytes.count)
        // The picture, not only some picture: scalers and JPEG change it little.
        let difference = zip(pixels, reference.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(pixels.count) < 6)
      }
    }
  }

  /// The turned picture is the stored one turned by ffmpeg.
  @Test(arguments: Transport.allCases) func rotationIsAppliedWhenAsked(
    _ transport: Transport
  ) async throws {
    let path = try await Fixture.rotated.path
    let turned = try await Oracle.frames(of: path, options: ["-vf", "transpose=cclock"])
    let stored = try await Oracle.frames(of: path)
    try await withClient(transport) { client in
      let asset = try await client.open(.rotated)
      for (isApplied, frames) in [(true, turned), (false, stored)] {
        let generator = try await generator(client, asset, transform: isApplied)
        let image = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(frames[5].time), format: .yuv420p)
        ).image
        #expect((image.width, image.height) == (isApplied ? (120, 160) : (160, 120)))
        #expect(try image.blob.bytes == frames[5].bytes)
      }
    }
  }

  @Test(arguments: Transport.allCases) func rawImagesSayHowTheyLie(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let asset = try await client.open(.odd)
      let generator = try await generator(client, asset)
      let formats: [(WireImageFormat, [WirePlane])] = [
        (.rgb24, [WirePlane(offset: 0, bytesPerRow: 297, height: 67)]),
        (.rgba, [WirePlane(offset: 0, bytesPerRow: 396, height: 67)]),
        (.bgra, [WirePlane(offset: 0, bytesPerRow: 396, height: 67)]),
        (.gray, [WirePlane(offset: 0, bytesPerRow: 99, height: 67)]),
        (
          .yuv420p,
          [
            WirePlane(offset: 0, bytesPerRow: 99, height: 67),
            WirePlane(offset: 6633, bytesPerRow: 50, height: 34),
            WirePlane(offset: 8333, bytesPerRow: 50, height: 34),
          ]
        ),
      ]
      for (format, planes) in formats {
        let image = try await client.call(
          ImageGeneratorGenerateImage(imageGenerator: generator, time: Self.exact, format: format)
        ).image
        #expect(image.planes == planes, "\(format)")
        #expect(image.blob.size == planes.reduce(0) { $0 + $1.bytesPerRow * $1.height })
        #expect(try image.blob.bytes.count == image.blob.size)
      }
    }
  }

  @Test(arguments: Transport.allCases) func anAssetWithoutPicturesHasNoImages(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      for fixture in [Fixture.wav, .coverMP3] {
        let generator = try await generator(client, try await client.open(fixture))
        let error = try await client.failure(
          of: ImageGeneratorGenerateImage(imageGenerator: generator, time: Self.exact))
        #expect(error.code == -11869)
      }
    }
  }

  /// With any way to cancel it, each time has one result, and there is an end.
  @Test(arguments: Transport.allCases, ["cancelAll", "close"]) func cancelledImagesEndOnceEach(
    _ transport: Transport, _ way: String
  ) async throws {
    try await withClient(transport) { client in
      // The bytes of some images never come: those can't end before they are cancelled.
      let generator = try await generator(client, client.openHeld(.long))
      let times = (0..<400).map { WireTime(.seconds(Int64($0) * 97 % 1000, 25)) }
      guard
        case .started(let operation) = try await client.call(
          ImageGeneratorGenerateImages(imageGenerator: generator, times: times, format: .gray))
      else {
        Issue.record("not the notification form")
        return
      }
      try await client.wait(for: ImageGeneratorDidGenerateImage.self, count: 3)
      if way == "close" {
        _ = try await client.call(HandleClose(handle: AnyHandle(generator)))
      } else {
        _ = try await client.call(ImageGeneratorCancelAll(imageGenerator: generator))
      }
      let end = try await client.terminal(ImageGeneratorDidFinish.self, of: operation)
      let results = try client.received(ImageGeneratorDidGenerateImage.self)
      #expect(results.map(\.index).sorted() == Array(0..<400))
      #expect(end.succeeded + end.failed + end.cancelled == 400)
      #expect(end.succeeded >= 3 && end.cancelled > 0 && end.failed == 0)
      let cancelled = results.filter { $0.result == .cancelled }
      #expect(cancelled.count == end.cancelled)
      #expect(cancelled.allSatisfy { $0.error?.code == -11878 && $0.image == nil })
      if way == "cancelAll" {
        // A request after it isn't cancelled.
        let image = try await client.call(
          ImageGeneratorGenerateImage(imageGenerator: generator, time: Self.exact))
        #expect(image.image.width == 640)
      }
    }
  }
}
