import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Frames of several sizes, pixel aspects and rotations on one canvas.
struct CanvasTests {
  private let fixtures: Fixtures
  private let canvas = Canvas(width: 160, height: 90)
  /// 160 × 90 at 25 Hz; 64 × 64 at 30000/1001 Hz; 60 × 90 with pixels twice as wide; 90 × 160 turned right.
  private let files: [String]

  init() throws {
    fixtures = try Fixtures()
    let codec = "-c:v libx264 -preset ultrafast -g 10 -pix_fmt yuv420p"
    let still = "-vf setsar=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p"
    let plain = try fixtures.make(
      "plain.mov", "-f lavfi -i testsrc2=s=160x90:r=25:d=1 \(codec)")
    let square = try fixtures.make(
      "square.mov", "-f lavfi -i testsrc2=s=64x64:r=30000/1001:d=1 \(codec)")
    let wide = try fixtures.make(
      "wide.mov", "-f lavfi -i testsrc2=s=60x90:r=20:d=1 -vf setsar=2 \(codec)")
    let upright = try fixtures.make(
      "upright.mov", "-f lavfi -i testsrc2=s=90x160:r=25:d=1 \(still)")
    let turned = "\(fixtures.folder)/turned.mov"
    try Self.turn(upright, to: turned)
    files = [plain, square, wide, turned]
  }

  /// A movie whose track is to be turned right, in its header (ISO/IEC 14496-12, 8.3.2).
  private static func turn(_ path: String, to target: String) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let name = Array("tkhd".utf8)
    let box = try #require(
      bytes.indices.dropLast(90).first { Array(bytes[$0..<$0 + 4]) == name })
    // Version and flags, then 36 bytes of version 0 up to the matrix.
    let matrix = box + 4 + 4 + 36
    func put(_ value: Int32, _ place: Int) {
      for byte in 0..<4 {
        bytes[matrix + 4 * place + byte] = UInt8(
          truncatingIfNeeded: UInt32(bitPattern: value) >> (24 - 8 * UInt32(byte)))
      }
    }
    for (place, value) in [0, 1 << 16, 0, -(1 << 16), 0, 0, 160 << 16, 0, 1 << 30].enumerated() {
      put(Int32(value), place)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: target))
  }

  private static func time(_ milliseconds: Int64) -> Time {
    Time(value: milliseconds, timescale: 1000)
  }

  /// Ranges of the files, in milliseconds; without a file a gap.
  private func asset(
    _ parts: [(file: Int?, start: Int64, length: Int64)], _ canvas: Canvas,
    transform: MediaEngine.AffineTransform = .identity
  ) throws -> PartsAsset {
    var end: Int64 = 0
    var made: [TrackTimeline.Part] = []
    for part in parts {
      let target = TimeRange(start: Self.time(end), end: Self.time(end + part.length))
      end += part.length
      guard let file = part.file else {
        made.append(.init(emptyTarget: target))
        continue
      }
      let media = try #require(try Fixtures.tracks(files[file], .video).first).requireStored()
      let source = TimeRange(
        start: Self.time(part.start), end: Self.time(part.start + part.length))
      made.append(.init(media, mapping: TimeMapping(source: source, target: target)))
    }
    var settings = CompositionTrackSettings()
    settings.preferredTransform = transform
    let track = TrackInfo(
      trackID: 1, mediaType: .video,
      timeline: try TrackTimeline(parts: made, of: .video, path: "parts", canvas: canvas),
      movie: nil, metadata: [], isEnabled: true, settings: settings)
    return PartsAsset([track], files: files)
  }

  private func read(
    _ asset: any Asset, _ format: String, _ range: TimeRange = .all
  ) async throws -> [SampleBuffer] {
    let reader = try await AssetReader(
      asset: asset, timeRange: range,
      outputs: [
        .init(
          track: .mediaType(.video),
          settings: .video(pixelFormat: format, width: nil, height: nil))
      ])
    try reader.start()
    var all: [SampleBuffer] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 50)
      all += buffers
      if isAtEnd { return all }
    }
  }

  private func placement(
    _ width: Int, _ height: Int, _ canvas: Canvas, aspect: Rational = Rational(1, 1),
    upright: Orientation = .up, view: PictureRectangle? = nil, turn: Orientation = .up,
    size: (Int, Int)? = nil
  ) -> CanvasPlacement {
    CanvasPlacement(
      width: width, height: height, aspectRatio: aspect, cleanAperture: nil, upright: upright,
      in: canvas, view: view, turn: turn, size: size ?? (canvas.width, canvas.height))
  }

  @Test func placesAreTheExactOnesOnEvenPixels() {
    let canvas = Canvas(width: 1280, height: 720)
    let own = placement(1280, 720, canvas)
    #expect(own.crop == nil && own.place == nil && own.orientation == .up)
    #expect(placement(1920, 1080, canvas).place == nil)
    #expect(placement(640, 480, canvas).place == .init(x: 160, y: 0, width: 960, height: 720))
    // 720 × 576 with pixels of 16:15 are 768 × 576: 4:3.
    #expect(
      placement(720, 576, canvas, aspect: Rational(16, 15)).place
        == .init(x: 160, y: 0, width: 960, height: 720))
    let phone = placement(1920, 1080, canvas, upright: .rotated90)
    // 405 × 720 in the middle, from 437.5 to 842.5.
    #expect(phone.place == .init(x: 438, y: 0, width: 404, height: 720))
    #expect(phone.orientation == .rotated90 && phone.crop == nil)
    #expect(
      placement(640, 360, canvas, size: (640, 360)).place == nil)
    #expect(
      placement(640, 480, canvas, size: (640, 360)).place
        == .init(x: 80, y: 0, width: 480, height: 360))
    let cover = placement(640, 480, Canvas(width: 1280, height: 720, fit: .cover))
    #expect(cover.place == nil && cover.crop == .init(x: 0, y: 60, width: 640, height: 360))
    let fill = placement(640, 480, Canvas(width: 1280, height: 720, fit: .fill))
    #expect(fill.place == nil && fill.crop == nil)
    let none = Canvas(width: 1280, height: 720, fit: .none)
    #expect(placement(640, 480, none).place == .init(x: 320, y: 120, width: 640, height: 480))
    #expect(placement(1920, 1080, none).crop == .init(x: 320, y: 180, width: 1280, height: 720))
    // The left half of the canvas, turned: the part left of the middle comes to the top.
    let half = placement(
      640, 480, canvas, view: .init(x: 0, y: 0, width: 640, height: 720), turn: .rotated90,
      size: (720, 640))
    #expect(half.place == .init(x: 0, y: 160, width: 720, height: 480))
    #expect(half.crop == .init(x: 0, y: 0, width: 320, height: 480))
    #expect(half.orientation == .rotated90)
    // Nothing of the source is visible in the bar on its left.
    let beside = placement(640, 480, canvas, view: .init(x: 0, y: 0, width: 160, height: 720))
    #expect(beside.place?.width == 0)
  }

  @Test func orientationsFollowEachOther() {
    for one in Orientation.allCases {
      for other in Orientation.allCases {
        let both = one.followed(by: other)
        let size = one.swapsAxes ? (width: 7, height: 4) : (width: 4, height: 7)
        #expect(both.swapsAxes == (one.swapsAxes != other.swapsAxes))
        for (x, y) in [(0, 0), (2, 1), (3, 3)] {
          let middle = other.source(x: x, y: y, width: size.width, height: size.height)
          let place = one.source(x: middle.x, y: middle.y, width: 4, height: 7)
          #expect(both.source(x: x, y: y, width: 4, height: 7) == place)
        }
      }
    }
  }

  /// A source of the canvas's size is shown byte for byte; around a smaller one there is black.
  @Test func framesComeIntoTheMiddleOnBlack() async throws {
    let asset = try self.asset([(0, 0, 400), (1, 0, 400), (2, 0, 400), (3, 0, 400)], canvas)
    let read = try await self.read(asset, "yuv420p")
    let own = try fixtures.samples(
      of: files[0], as: "rawvideo", UInt8.self, "-pix_fmt yuv420p -frames:v 10")
    #expect(read.prefix(10).flatMap { [$0].values(UInt8.self) } == own)
    // 90 × 90 from 35 on, on even pixels; 120 × 90.
    let cases: [(time: Int64, file: Int, left: Int, right: Int)] = [
      (400, 1, 36, 126), (800, 2, 20, 140),
    ]
    for (time, file, left, right) in cases {
      let place = try #require(read.firstIndex { $0.presentationTime == Self.time(time) })
      let bytes: [UInt8] = [read[place]].values(UInt8.self)
      let size = 160 * 90 * 3 / 2
      try #require(bytes.count == size)
      let width = right - left
      let scaled = try fixtures.samples(
        of: files[file], as: "rawvideo", UInt8.self,
        "-vf scale=\(width):90:flags=bicubic,setsar=1 -frames:v 1 -pix_fmt yuv420p")
      var difference = 0
      for y in 0..<90 {
        let row = Array(bytes[(y * 160)..<(y * 160 + 160)])
        #expect(row[..<left].allSatisfy { $0 == 16 } && row[right...].allSatisfy { $0 == 16 })
        let wanted = scaled[(y * width)..<(y * width + width)]
        difference += zip(row[left..<right], wanted).map { abs(Int($0) - Int($1)) }.reduce(0, +)
      }
      #expect(difference < 6 * width * 90, "\(file)")
      for first in stride(from: 160 * 90, to: bytes.count, by: 80) {
        let row = Array(bytes[first..<(first + 80)])
        #expect(row[..<(left / 2)].allSatisfy { $0 == 128 })
        #expect(row[(right / 2)...].allSatisfy { $0 == 128 })
      }
    }
  }

  /// Turned in the header, the source looks as ffmpeg shows it.
  @Test func aTurnedSourceIsUpright() async throws {
    let asset = try self.asset([(3, 0, 400)], canvas)
    let read = try await self.read(asset, "yuv420p")
    let shown = try fixtures.samples(
      of: files[3], as: "rawvideo", UInt8.self, "-pix_fmt yuv420p -frames:v 1")
    let first = try #require(read.first)
    let bytes: [UInt8] = [first].values(UInt8.self)
    #expect(Array(bytes.prefix(14400)) == Array(shown.prefix(14400)))
  }

  /// The image at a time, the reader's frame and the frame that an export passes to its encoder are
  /// the same pixels.
  @Test(arguments: [UInt64(1), 2, 3]) func allShowTheSame(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var parts: [(file: Int?, start: Int64, length: Int64)] = []
    for _ in 0..<5 {
      let file = Int.random(in: 0...4, using: &random)
      parts.append(
        (
          file == 4 ? nil : file, Int64.random(in: 0...500, using: &random),
          Int64.random(in: 60...400, using: &random)
        ))
    }
    parts.append((1, 100, 300))
    let fit = Canvas.Fit.allCases.randomElement(using: &random) ?? .contain
    let canvas = Canvas(
      width: Int.random(in: 40...120, using: &random),
      height: Int.random(in: 40...120, using: &random), fit: fit)
    let asset = try self.asset(parts, canvas)
    let colors = try await read(asset, "rgb24")
    let planes = try await read(asset, "yuv420p")
    var configuration = ImageGenerator.Configuration()
    configuration.requestedTimeToleranceBefore = .zero
    configuration.requestedTimeToleranceAfter = .zero
    let generator = ImageGenerator(asset: asset, configuration: configuration)
    for _ in 0..<10 {
      let buffer = try #require(colors.randomElement(using: &random))
      let image = try await generator.image(
        at: buffer.presentationTime + buffer.duration.multiplied(byRatio: 1, 3),
        output: ImageOutput(format: "rgb24"))
      #expect((image.width, image.height) == (canvas.width, canvas.height))
      let bytes = image.data.withBytes { bytes in bytes.array }
      #expect(bytes == [buffer].values(UInt8.self), "\(seed) \(fit)")
    }
    #expect(colors.map(\.presentationTime) == planes.map(\.presentationTime))
    let track = try #require(try asset.presentation(interrupt: Interrupt()).tracks.first)
    let exported = try await exportedFrames(track)
    let shown = exported.filter { !$0.isGap }
    #expect(shown.map { $0.start } == planes.map { $0.presentationTime })
    let width = canvas.width / 2 * 2
    if width == canvas.width, canvas.height % 2 == 0 {
      #expect(shown.map { $0.bytes } == planes.map { [$0].values(UInt8.self) })
    }
    // Gaps are black, and nothing is missing.
    var end = Time.zero
    for frame in exported {
      #expect(frame.start == end)
      end = frame.end
      let luma = width * (canvas.height / 2 * 2)
      if frame.isGap {
        #expect(frame.bytes[..<luma].allSatisfy { $0 == 16 })
        #expect(frame.bytes[luma...].allSatisfy { $0 == 128 })
      }
    }
    #expect(end == Self.time(parts.map(\.length).reduce(0, +)))
  }

  private struct Exported: Sendable {
    let start: Time
    let end: Time
    let isGap: Bool
    let bytes: [UInt8]
  }

  /// The frames that reach the encoder.
  private func exportedFrames(_ track: TrackInfo) async throws -> [Exported] {
    try await onThreadOfItsOwn { try Self.exported(track) }
  }

  private static func exported(_ track: TrackInfo) throws -> [Exported] {
    let canvas = try #require(track.timeline.canvas)
    let settings = ResolvedSettings(
      ExportSettings(), preset: ExportPreset("HighestQuality"), fileType: .mov)
    let encoding = try VideoEncoderConfiguration(
      try #require(settings.video.encoding), of: VideoSource(track), supportsDisplayMatrix: true)
    let layout = try PictureLayout(
      width: encoding.width, height: encoding.height, format: .yuv420p)
    let range = try track.timeline.timeRange(interrupt: Interrupt())
    let frames = GapFilledFrames(
      try track.timeline.frames(
        TrackReading(range: range, interrupt: Interrupt()), priority: .batch), canvas: canvas,
      range: range)
    let convert = encoding.conversion(
      to: layout, in: canvas, like: PictureColor(matrix: PictureColor.bt601, isFullRange: false))
    var renderer = FrameRenderer()
    var converter = PictureConverter()
    var made: [Exported] = []
    while let frame = try frames.nextBlocking() {
      let picture = try convert(&renderer, frame.frame().value, frame.format)
      let block = try converter.convert(picture, to: layout, allocator: HeapAllocator()).block
      made.append(
        Exported(
          start: frame.timing.start, end: frame.timing.start + frame.timing.duration,
          isGap: frame.isGap,
          bytes: DataBuffer(block: block).withBytes { bytes in bytes.array }))
    }
    return made
  }

  /// A gap at the start, one inside; the file lasts as long as the timeline, and nothing is repeated.
  @Test func exportsAreBlackInGaps() async throws {
    let asset = try self.asset([(nil, 0, 400), (1, 0, 400), (nil, 0, 1000), (0, 0, 200)], canvas)
    let target = "\(fixtures.folder)/gaps.mov"
    let session = try ExportSession(
      asset: asset, preset: ExportPreset("HighestQuality"), outputURL: target)
    try session.begin()
    let summary = try await session.run()
    #expect(summary.dropped.isEmpty)
    let times = try fixtures.packets(of: target, stream: "v:0").map(\.time).sorted()
    // 12 of the second file's frames, 5 of the first one's.
    try #require(times.count == 19)
    for (place, time) in [(0, 0.0), (1, 0.4), (13, 0.8), (14, 1.8)] {
      #expect(abs(times[place] - time) < 1e-4)
    }
    let luma = try fixtures.samples(
      of: target, as: "rawvideo", UInt8.self, "-fps_mode passthrough -pix_fmt gray")
    try #require(luma.count == 19 * 160 * 90)
    for gap in [0, 13] {
      #expect(luma[(gap * 14400)..<((gap + 1) * 14400)].allSatisfy { $0 <= 2 })
    }
    #expect(luma[(5 * 14400)..<(6 * 14400)].contains { $0 > 128 })
  }

  /// The canvas is the base of presets and sizes; the track's transform comes on top.
  @Test func exportsAndImagesHaveTheCanvasesSize() async throws {
    let turned = MediaEngine.AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 90, ty: 0)
    let asset = try self.asset([(1, 0, 200)], canvas, transform: turned)
    let image = try await ImageGenerator(
      asset: asset, configuration: ImageGenerator.Configuration()
    ).image(at: .zero, output: ImageOutput(format: "rgb24"))
    #expect((image.width, image.height) == (160, 90))
    var configuration = ImageGenerator.Configuration()
    configuration.appliesPreferredTrackTransform = true
    let upright = try await ImageGenerator(asset: asset, configuration: configuration)
      .image(at: .zero, output: ImageOutput(format: "rgb24"))
    #expect((upright.width, upright.height) == (90, 160))
    let target = "\(fixtures.folder)/size.mov"
    let session = try ExportSession(
      asset: asset, preset: ExportPreset("HighestQuality"), outputURL: target)
    try session.begin()
    _ = try await session.run()
    let stream = try #require(try Fixtures.tracks(target, .video).first).format
    #expect((stream.parameters.width, stream.parameters.height) == (90, 160))
    #expect(stream.displayMatrix == nil)
  }
}
