import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Pictures of video compositions, against what ffmpeg decodes of their sources and exact arithmetic.
struct CompositingTests {
  private let fixtures: Fixtures
  private static let size = (width: 64, height: 36)

  init() throws { fixtures = try Fixtures() }

  private static func time(_ milliseconds: Int64) -> Time {
    Time(value: milliseconds, timescale: 1000)
  }

  private static func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: time(start), end: time(end))
  }

  /// A lossless clip of which each frame is of its own: luma counts frames from `base` on.
  private func clip(
    _ name: String, base: Int, rate: String = "25", duration: Int = 4, size: String = "64x36",
    format: String = "yuv420p"
  ) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i color=s=\(size):r=\(rate):d=\(duration),format=\(format),"
        + "geq=lum='\(base)+N+mod(X+3*Y\\,23)':cb='90+mod(X\\,40)':cr='200-mod(Y+N\\,50)' "
        + "-c:v ffv1 -g 5 -color_range tv -colorspace smpte170m")
  }

  /// The frames of a file as ffmpeg decodes them.
  private func planes(_ path: String, _ arguments: String = "") throws -> [[UInt8]] {
    let bytes = try fixtures.samples(
      of: path, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p " + arguments)
    let count = Self.size.width * Self.size.height * 3 / 2
    return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
  }

  private struct Picture: Equatable {
    let start: Time
    let bytes: [UInt8]
  }

  private func read(
    _ asset: any Asset, _ composition: PresentationSetting<VideoComposition> = .asset,
    in range: TimeRange = .all, as format: String = "yuv420p"
  ) async throws -> [Picture] {
    let reader = try await AssetReader(
      asset: asset, timeRange: range,
      outputs: [
        .init(
          track: .videoComposition(composition, nil),
          settings: .video(pixelFormat: format, width: nil, height: nil))
      ])
    try reader.start()
    var pictures: [Picture] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 7)
      for buffer in buffers {
        pictures.append(
          Picture(
            start: buffer.presentationTime,
            bytes: buffer.data.withBytes { bytes in bytes.indices.map { bytes[$0] } }))
      }
      if isAtEnd { return pictures }
    }
  }

  private static func layer(
    _ trackID: Int32, opacity: [ValueRamp<Double>] = [],
    transform: [ValueRamp<MediaEngine.AffineTransform>] = [], fit: VideoComposition.Fit = .none
  ) -> VideoComposition.LayerInstruction {
    .init(trackID: trackID, transform: transform, opacity: opacity, fit: fit)
  }

  private static func composition(
    _ instructions: [VideoComposition.Instruction], frameDuration: Time = time(40)
  ) -> VideoComposition {
    VideoComposition(
      frameDuration: frameDuration,
      renderSize: Size(width: Double(size.width), height: Double(size.height)),
      instructions: instructions)
  }

  /// Two clips that overlap from 2 s to 3 s, the second in a second track.
  private func overlapping(_ one: String, _ other: String) async throws -> MutableComposition {
    let composition = MutableComposition()
    let first = try await composition.addTrack(.video)
    let second = try await composition.addTrack(.video)
    try await composition.insertTimeRanges(
      [.init(asset: URLAsset(url: one), timeRange: Self.range(0, 3000))], inTrack: first)
    try await composition.insertTimeRanges(
      [.init(asset: URLAsset(url: other), timeRange: Self.range(1000, 4000))], inTrack: second,
      at: Self.time(2000))
    return composition
  }

  private static func dissolve() -> VideoComposition {
    composition([
      .init(timeRange: range(0, 2000), layerInstructions: [layer(1)]),
      .init(
        timeRange: range(2000, 3000),
        layerInstructions: [
          layer(2, opacity: [.ramp(from: 0, to: 1, over: range(2000, 3000))]), layer(1),
        ]),
      .init(timeRange: range(3000, 5000), layerInstructions: [layer(2)]),
    ])
  }

  /// What a dissolve is, in whole numbers: (a (2¹⁵ - w) + b w + 2¹⁴) >> 15.
  private static func mixed(_ a: [UInt8], _ b: [UInt8], _ opacity: Double) -> [UInt8] {
    let weight = Int((opacity * 32768).rounded())
    return zip(a, b).map {
      UInt8((Int($0) * (32768 - weight) + Int($1) * weight + 16384) >> 15)
    }
  }

  @Test func aDissolveIsTheFormula() async throws {
    let one = try clip("one.mkv", base: 20)
    let two = try clip("two.mkv", base: 120)
    let asset = try await overlapping(one, two).current()
    let before = Counters.now
    let pictures = try await read(asset, .custom(Self.dissolve()))
    let after = Counters.now
    let (a, b) = (try planes(one), try planes(two))
    try #require(pictures.count == 125)
    for (number, picture) in pictures.enumerated() {
      #expect(picture.start == Self.time(Int64(number) * 40))
      let expected =
        switch number {
        case ..<50: a[number]
        case ..<75: Self.mixed(a[number], b[number - 25], Double(number - 50) / 25)
        default: b[number - 25]
        }
      #expect(picture.bytes == expected, "picture \(number)")
    }
    // Other tests count here too.
    func made(_ way: Counters.Composing) -> Int {
      after.composedPictures[way, default: 0] - before.composedPictures[way, default: 0]
    }
    #expect(made(.planar) >= 24 && made(.frame) >= 100)
  }

  /// Any range has what the whole has there, and an image is the reader's picture.
  @Test func rangesAndImagesAreOfTheWhole() async throws {
    let asset = try await overlapping(
      try clip("one.mkv", base: 20), try clip("two.mkv", base: 120)
    ).current()
    let composition = PresentationSetting.custom(Self.dissolve())
    let all = try await read(asset, composition)
    for (start, end) in [(0, 500), (1990, 2210), (2500, 5000), (4961, 4999), (2999, 3001)] {
      let part = try await read(
        asset, composition, in: Self.range(Int64(start), Int64(end)))
      let expected = all.filter {
        $0.start < Self.time(Int64(end)) && $0.start + Self.time(40) > Self.time(Int64(start))
      }
      #expect(part == expected, "\(start) to \(end)")
    }
    var configuration = ImageGenerator.Configuration()
    configuration.videoComposition = composition
    let generator = ImageGenerator(asset: asset, configuration: configuration)
    let times = [4990, 0, 2100, 2139, 2140, 3333, 20, 2100].map { Self.time($0) }
    var count = 0
    for await result in generator.images(for: times, output: ImageOutput(format: "yuv420p")) {
      let image = try result.image
      let number = Int(times[result.index].seconds * 25 + 1e-9)
      #expect(image.moment.actualTime == all[number].start)
      #expect(image.moment.isExact)
      #expect(
        image.data.withBytes { bytes in bytes.indices.map { bytes[$0] } } == all[number].bytes,
        "\(number)")
      count += 1
    }
    #expect(count == times.count)
    await #expect(throws: EngineError.self) { try await generator.image(at: Self.time(5000)) }
  }

  /// Frames of 30000/1001 Hz at 25 Hz by the floor rule: `fps=25:round=up:start_time=0`.
  @Test func framesAreSampledByTheFloorRule() async throws {
    let path = try clip("ntsc.mkv", base: 20, rate: "30000/1001")
    let asset = URLAsset(url: path)
    let composition = Self.composition([
      .init(timeRange: Self.range(0, 4000), layerInstructions: [Self.layer(1)])
    ])
    let pictures = try await read(asset, .custom(composition))
    let expected = try planes(path, "-vf fps=25:round=up:start_time=0")
    #expect(pictures.map(\.bytes) == Array(expected.prefix(pictures.count)))
    #expect(pictures.count == 100)
  }

  /// With the frame timing of a track, pictures have its frames' times, and multiples in its gaps.
  @Test func frameTimingOfATrack() async throws {
    let path = try fixtures.make(
      "vfr.mkv",
      "-f lavfi -i testsrc2=s=64x36:r=50:d=2,select='not(mod(n*n\\,3))*lt(n\\,80)' -fps_mode vfr "
        + "-c:v ffv1 -pix_fmt yuv420p")
    let source = URLAsset(url: path)
    let composition = MutableComposition()
    try await composition.insertTimeRange(Self.range(0, 1000), of: source)
    try await composition.insertEmptyTimeRange(Self.range(500, 700))
    var shown = Self.composition([
      .init(timeRange: Self.range(0, 1200), layerInstructions: [Self.layer(1)])
    ])
    shown.sourceTrackIDForFrameTiming = 1
    let pictures = try await read(try composition.current(), .custom(shown))
    // ffprobe's times, in milliseconds as Matroska has them.
    let own = try fixtures.packets(of: path, stream: "v:0").map {
      Int64(($0.time * 1000).rounded())
    }
    var expected = own.filter { $0 < 500 }
    expected += [500, 520, 560, 600, 640, 680]
    // What is shown at 0.5 s begins the part behind the gap.
    expected += [700] + own.filter { $0 > 500 && $0 < 1000 }.map { $0 + 200 }
    #expect(pictures.map(\.start) == expected.map { Self.time($0) })
  }

  /// What is hidden under an opaque layer isn't converted, and what stands still is drawn once.
  @Test func hiddenLayersCostNothing() async throws {
    let one = try clip("one.mkv", base: 20, size: "128x72")
    let two = try clip("two.mkv", base: 120)
    let composition = MutableComposition()
    let (lower, upper) = (
      try await composition.addTrack(.video), try await composition.addTrack(.video)
    )
    for (path, track) in [(one, lower), (two, upper)] {
      try await composition.insertTimeRanges(
        [.init(asset: URLAsset(url: path), timeRange: Self.range(0, 1000))], inTrack: track)
    }
    let shown = Self.composition([
      .init(
        timeRange: Self.range(0, 1000),
        layerInstructions: [Self.layer(2), Self.layer(1, fit: .fill)])
    ])
    let presentation = try composition.current().content.composed(
      by: shown, drawnBy: nil, duration: Self.time(1000))
    let track: TrackInfo = try #require(presentation.tracks.first)
    let frames = try track.timeline.frames(
      TrackReading(range: .all, interrupt: Interrupt()), priority: .batch)
    let planes = try planes(two)
    var count = 0
    while let frame = try frames.nextBlocking() {
      let picture = try frame.frame()
      // The frame itself: nothing was drawn.
      #expect(picture.value.pts != nil && picture.value.width == 64)
      var converter = PictureConverter()
      let made = try converter.convert(
        picture.value,
        to: PictureLayout(width: 64, height: 36, format: .yuv420p), allocator: HeapAllocator())
      #expect(made.block.withBytes { bytes in bytes.indices.map { bytes[$0] } } == planes[count])
      count += 1
    }
    #expect(count == 25)
  }
}
