import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Frames of video compositions, against ffmpeg's decode of their sources and exact arithmetic.
struct CompositingTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  /// A dissolve in whole numbers: (a (2¹⁵ - w) + b w + 2¹⁴) >> 15.
  private static func mixed(_ a: [UInt8], _ b: [UInt8], _ opacity: Double) -> [UInt8] {
    let weight = Int((opacity * 32768).rounded())
    return zip(a, b).map {
      UInt8((Int($0) * (32768 - weight) + Int($1) * weight + 16384) >> 15)
    }
  }

  @Test func aDissolveIsTheFormula() async throws {
    let one = try fixtures.numbered("one.mkv", base: 20)
    let two = try fixtures.numbered("two.mkv", base: 120)
    let asset = try await MutableComposition.overlapping(one, two).current()
    let before = Counters.now
    let pictures = try await ReadPicture.all(of: asset, .custom(VideoComposition.dissolve))
    let after = Counters.now
    let (a, b) = (try fixtures.planes(one), try fixtures.planes(two))
    try #require(pictures.count == 125)
    for (number, picture) in pictures.enumerated() {
      #expect(picture.start == Time.milliseconds(Int64(number) * 40))
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

  /// Any range equals its part of the whole, and an image equals the reader's frame.
  @Test func rangesAndImagesAreOfTheWhole() async throws {
    let asset = try await MutableComposition.overlapping(
      try fixtures.numbered("one.mkv", base: 20), try fixtures.numbered("two.mkv", base: 120)
    ).current()
    let composition = PresentationSetting.custom(VideoComposition.dissolve)
    let all = try await ReadPicture.all(of: asset, composition)
    for (start, end) in [(0, 500), (1990, 2210), (2500, 5000), (4961, 4999), (2999, 3001)] {
      let part = try await ReadPicture.all(
        of: asset, composition, in: TimeRange.milliseconds(Int64(start), Int64(end)))
      let expected = all.filter {
        $0.start < Time.milliseconds(Int64(end))
          && $0.start + Time.milliseconds(40) > Time.milliseconds(Int64(start))
      }
      #expect(part == expected, "\(start) to \(end)")
    }
    var configuration = ImageGenerator.Configuration()
    configuration.videoComposition = composition
    let generator = ImageGenerator(asset: asset, configuration: configuration)
    let times = [4990, 0, 2100, 2139, 2140, 3333, 20, 2100].map { Time.milliseconds($0) }
    var count = 0
    for await result in generator.images(for: times, output: ImageOutput(format: "yuv420p")) {
      let image = try result.image
      let number = Int(times[result.index].seconds * 25 + 1e-9)
      #expect(image.moment.actualTime == all[number].start)
      #expect(image.moment.isExact)
      #expect(
        image.data.withBytes { bytes in bytes.array } == all[number].bytes,
        "\(number)")
      count += 1
    }
    #expect(count == times.count)
    await #expect(throws: EngineError.self) {
      try await generator.image(at: Time.milliseconds(5000))
    }
  }

  /// Frames of 30000/1001 Hz at 25 Hz by the floor rule: `fps=25:round=up:start_time=0`.
  @Test func framesAreSampledByTheFloorRule() async throws {
    let path = try fixtures.numbered("ntsc.mkv", base: 20, rate: "30000/1001")
    let asset = URLAsset(url: path)
    let composition = VideoComposition.small([
      .init(timeRange: TimeRange.milliseconds(0, 4000), layerInstructions: [.layer(1)])
    ])
    let pictures = try await ReadPicture.all(of: asset, .custom(composition))
    let expected = try fixtures.planes(path, "-vf fps=25:round=up:start_time=0")
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
    try await composition.insertTimeRange(TimeRange.milliseconds(0, 1000), of: source)
    try await composition.insertEmptyTimeRange(TimeRange.milliseconds(500, 700))
    var shown = VideoComposition.small([
      .init(timeRange: TimeRange.milliseconds(0, 1200), layerInstructions: [.layer(1)])
    ])
    shown.sourceTrackIDForFrameTiming = 1
    let pictures = try await ReadPicture.all(of: try composition.current(), .custom(shown))
    // ffprobe's times, in milliseconds as Matroska has them.
    let own = try fixtures.packets(of: path, stream: "v:0").map {
      Int64(($0.time * 1000).rounded())
    }
    var expected = own.filter { $0 < 500 }
    expected += [500, 520, 560, 600, 640, 680]
    // The frame shown at 0.5 s begins the part after the gap.
    expected += [700] + own.filter { $0 > 500 && $0 < 1000 }.map { $0 + 200 }
    #expect(pictures.map(\.start) == expected.map { Time.milliseconds($0) })
  }

  /// A layer hidden under an opaque one isn't converted, and a still picture is drawn once.
  @Test func hiddenLayersCostNothing() async throws {
    let one = try fixtures.numbered("one.mkv", base: 20, size: "128x72")
    let two = try fixtures.numbered("two.mkv", base: 120)
    let composition = MutableComposition()
    let (lower, upper) = (
      try await composition.addTrack(.video).value, try await composition.addTrack(.video).value
    )
    for (path, track) in [(one, lower), (two, upper)] {
      try await composition.insertTimeRanges(
        [.init(asset: URLAsset(url: path), timeRange: TimeRange.milliseconds(0, 1000))],
        inTrack: track)
    }
    let shown = VideoComposition.small([
      .init(
        timeRange: TimeRange.milliseconds(0, 1000),
        layerInstructions: [.layer(2), .layer(1, fit: .fill)])
    ])
    let presentation = try composition.current().content.composed(
      by: shown, drawnBy: nil, duration: Time.milliseconds(1000))
    let track: TrackInfo = try #require(presentation.tracks.first)
    let planes = try fixtures.planes(two)
    let pictures = try await onThreadOfItsOwn {
      let frames = try track.timeline.frames(
        TrackReading(range: .all, interrupt: Interrupt()), priority: .batch)
      var pictures: [[UInt8]] = []
      while let frame = try frames.nextBlocking() {
        let picture = try frame.frame()
        // The frame itself: nothing was drawn.
        #expect(picture.value.pts != nil && picture.value.width == 64)
        var converter = PictureConverter()
        let made = try converter.convert(
          picture.value,
          to: PictureLayout(width: 64, height: 36, format: .yuv420p), allocator: HeapAllocator())
        pictures.append(made.block.withBytes { bytes in bytes.array })
      }
      return pictures
    }
    #expect(pictures.count == 25 && pictures == Array(planes.prefix(25)))
  }

  /// Decoders don't state how long the last frame of a fragment is shown; the index knows.
  @Test func theLastFrameIsShownToItsEnd() async throws {
    let path = try fixtures.make(
      "fragments.mp4",
      "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -c:v libx264 -qp 0 -bf 2 -pix_fmt yuv420p "
        + "-movflags frag_keyframe+empty_moov")
    let asset = URLAsset(url: path)
    let frame = try fixtures.planes(path)[24]
    for frameDuration in [Time.milliseconds(40), .milliseconds(10)] {
      let shown = VideoComposition.small(
        [.init(timeRange: .milliseconds(0, 5000), layerInstructions: [.layer(1)])],
        frameDuration: frameDuration)
      #expect(try await ReadPicture.all(of: asset, .custom(shown)).last?.bytes == frame)
    }
  }
}
