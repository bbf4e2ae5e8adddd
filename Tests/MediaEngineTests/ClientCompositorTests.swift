import Foundation
import MediaTime
import Synchronization
import Testing

@testable import MediaEngine

/// Pictures that the caller draws, in its own process.
struct ClientCompositorTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// Draws with a function, on a queue of its own, and records its requests.
  private final class Compositor: VideoCompositing {
    let memory: SharedMemory
    var sourceDestination: Destination { .shared(memory, timeout: nil) }
    var targetDestination: Destination { .shared(memory, timeout: nil) }
    private struct State {
      var times: [Time] = []
      var mostBytes = 0
      /// Held until it is answered.
      var held: [VideoCompositionRequest] = []
    }
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "compositor")
    private let draw: @Sendable (VideoCompositionRequest) -> Void

    init(
      memory: SharedMemory = SharedMemory(capacity: 64 << 20),
      _ draw: @escaping @Sendable (VideoCompositionRequest) -> Void
    ) {
      (self.memory, self.draw) = (memory, draw)
    }

    func start(_ request: VideoCompositionRequest) {
      state.withLock { state in
        state.times.append(request.compositionTime)
        state.mostBytes = max(state.mostBytes, memory.bytesInUse)
        state.held.append(request)
      }
      queue.async {
        self.draw(request)
        self.state.withLock { state in state.held.removeAll { $0 === request } }
      }
    }

    var times: [Time] { state.withLock(\.times) }
    var mostBytes: Int { state.withLock(\.mostBytes) }
  }

  private static func copy(_ request: VideoCompositionRequest) {
    change(request) { $0 }
  }

  private static func change(_ request: VideoCompositionRequest, _ change: (UInt8) -> UInt8) {
    guard let source = request.sources.first else { return request.fail("nothing is shown") }
    source.frame.data.withBytes { from in
      request.target.data.withMutableBytes { to in
        for index in to.indices { to[index] = change(from[index]) }
      }
    }
    request.finish()
  }

  private func clip(_ format: String = "yuv420p", frames: Int = 50) throws -> String {
    try fixtures.make(
      "client-\(format)-\(frames).mkv",
      "-f lavfi -i color=s=64x36:r=25:d=9,format=\(format),"
        + "geq=\(format == "yuv420p" ? "lum" : "r")='60+mod(N\\,80)+mod(X+3*Y\\,23)':"
        + (format == "yuv420p"
          ? "cb='110+mod(X\\,30)':cr='150-mod(Y+N\\,40)'"
          : "g='mod(5*X+N\\,256)':b='mod(7*Y+X\\,256)'")
        + " -frames:v \(frames) -c:v ffv1 -g 5 -color_range \(format == "yuv420p" ? "tv" : "pc")"
        + (format == "yuv420p" ? " -colorspace smpte170m" : ""))
  }

  /// The client draws from 0.48 s to 1.48 s.
  private static func composition(
    _ compositor: VideoComposition.Compositor, _ format: String, timeout: Duration = .seconds(600)
  ) -> VideoComposition {
    func instruction(
      _ start: Int64, _ end: Int64, _ compositor: VideoComposition.Compositor
    ) -> VideoComposition.Instruction {
      .init(
        timeRange: TimeRange(
          start: Time(value: start, timescale: 25), end: Time(value: end, timescale: 25)),
        layerInstructions: [.init(trackID: 1)], compositor: compositor)
    }
    var composition = VideoComposition(
      frameDuration: Time(value: 1, timescale: 25), renderSize: Size(width: 64, height: 36),
      instructions: [
        instruction(0, 12, .engine), instruction(12, 37, compositor), instruction(37, 999, .engine),
      ])
    composition.compositorPixelFormat = format
    composition.compositorTimeout = timeout
    return composition
  }

  private func read(
    _ path: String, _ composition: VideoComposition, _ compositor: Compositor?,
    as format: String = "yuv420p", range: TimeRange = .all
  ) async throws -> [[UInt8]] {
    let reader = try await AssetReader(
      asset: URLAsset(url: path), timeRange: range,
      outputs: [
        .init(
          track: .videoComposition(.custom(composition), nil),
          settings: .video(pixelFormat: format, width: nil, height: nil))
      ], compositor: compositor)
    try reader.start()
    var pictures: [[UInt8]] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 5)
      for buffer in buffers {
        pictures.append(buffer.data.withBytes { bytes in bytes.array })
      }
      if isAtEnd { return pictures }
    }
  }

  @Test func aCopyIsThePictureItself() async throws {
    let compositor = Compositor(Self.copy)
    let path = try clip()
    let drawn = try await read(path, Self.composition(.client, "yuv420p"), compositor)
    let oracle = try fixtures.samples(
      of: path, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p")
    #expect(drawn.flatMap(\.self) == oracle)
    #expect(compositor.times == (12..<37).map { Time(value: $0, timescale: 25) })
    #expect(compositor.memory.bytesInUse == 0)
  }

  /// A picture is answered after the one that follows it, which is requested before.
  @Test func picturesKeepTheirOrder() async throws {
    struct Held {
      var count = 0
      var requests: [VideoCompositionRequest] = []
      var most = 0
    }
    let held = Mutex(Held())
    let compositor = Compositor { request in
      let due = held.withLock { held in
        held.count += 1
        held.requests.append(request)
        held.most = max(held.most, held.requests.count)
        // The first one is requested alone.
        guard held.count == 1 || held.count % 2 == 1 else { return [VideoCompositionRequest]() }
        defer { held.requests = [] }
        return held.requests
      }
      for request in due.reversed() { Self.copy(request) }
    }
    let path = try clip()
    let drawn = try await read(path, Self.composition(.client, "yuv420p"), compositor)
    let oracle = try fixtures.samples(of: path, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p")
    #expect(drawn.flatMap(\.self) == oracle)
    #expect(held.withLock(\.most) == 2)
  }

  /// 255 - v is exact in RGB, which stays RGB.
  @Test(arguments: ["rgb24", "bgr24"])
  func coloursAreInverted(format: String) async throws {
    let compositor = Compositor { request in Self.change(request) { 255 - $0 } }
    let path = try clip("gbrp")
    let drawn = try await read(
      path, Self.composition(.client, format), compositor, as: "rgb24")
    let oracle = try fixtures.samples(of: path, as: "rawvideo", UInt8.self, "-pix_fmt rgb24")
    let size = 64 * 36 * 3
    try #require(drawn.count == 50)
    for (number, picture) in drawn.enumerated() {
      let plain = Array(oracle[number * size..<(number + 1) * size])
      #expect(picture == ((12..<37).contains(number) ? plain.map { 255 - $0 } : plain), "\(number)")
    }
  }

  /// The alpha that is drawn means nothing.
  @Test(arguments: ["rgba", "bgra", "rgba64le"])
  func picturesAreOpaque(format: String) async throws {
    let compositor = Compositor { request in
      let bytes = format == "rgba64le" ? 8 : 4
      request.sources[0].frame.data.withBytes { from in
        request.target.data.withMutableBytes { to in
          for index in to.indices {
            to[index] = index % bytes < bytes * 3 / 4 ? from[index] : 17
          }
        }
      }
      request.finish()
    }
    let path = try clip("gbrp")
    let drawn = try await read(path, Self.composition(.client, format), compositor, as: "rgb24")
    let oracle = try fixtures.samples(of: path, as: "rawvideo", UInt8.self, "-pix_fmt rgb24")
    #expect(drawn.flatMap(\.self) == oracle)
  }

  @Test func anImageIsTheReadersPicture() async throws {
    let compositor = Compositor { request in Self.change(request) { 200 - $0 / 2 } }
    let path = try clip()
    let composition = Self.composition(.client, "yuv420p")
    let drawn = try await read(path, composition, compositor)
    let asked = compositor.times.count
    var settings = ImageGenerator.Configuration()
    settings.videoComposition = .custom(composition)
    settings.compositor = compositor
    let generator = ImageGenerator(asset: URLAsset(url: path), configuration: settings)
    let image = try await generator.image(
      at: Time(value: 83, timescale: 100), output: ImageOutput(format: "yuv420p"))
    #expect(image.data.withBytes { bytes in bytes.array } == drawn[20])
    // Only the requested times are drawn.
    #expect(compositor.times.count == asked + 1)
  }

  @Test func aFailureHasItsReason() async throws {
    let compositor = Compositor { request in
      if request.compositionTime == Time(value: 20, timescale: 25) {
        request.fail("no such effect")
        request.finish()
      } else {
        Self.copy(request)
      }
    }
    let error = try await #require(throws: EngineError.self) {
      _ = try await read(try clip(), Self.composition(.client, "yuv420p"), compositor)
    }
    #expect(error.code == .videoCompositorFailed)
    #expect(error.message.contains("0.8") && error.message.contains("no such effect"))
  }

  @Test func whoDoesNotAnswerFails() async throws {
    let held = Mutex<[VideoCompositionRequest]>([])
    let compositor = Compositor { request in held.withLock { $0.append(request) } }
    let composition = Self.composition(.client, "yuv420p", timeout: .milliseconds(200))
    let error = try await #require(throws: EngineError.self) {
      _ = try await read(try clip(), composition, compositor)
    }
    #expect(error.code == .videoCompositorFailed)
    // Late answers are harmless.
    for request in held.withLock(\.self) { request.finish() }
    held.withLock { $0 = [] }
  }

  @Test func withoutACompositorThereIsAnError() async throws {
    let error = try await #require(throws: EngineError.self) {
      _ = try await read(try clip(), Self.composition(.client, "yuv420p"), nil)
    }
    #expect(error.code == .invalidVideoComposition)
  }

  @Test func cancelledReadersEndWithoutTheClient() async throws {
    let asked = Signal<Bool>()
    let held = Mutex<[VideoCompositionRequest]>([])
    let compositor = Compositor { request in
      held.withLock { $0.append(request) }
      asked.fire(true)
    }
    let reader = try await AssetReader(
      asset: URLAsset(url: try clip()),
      outputs: [
        .init(
          track: .videoComposition(.custom(Self.composition(.client, "yuv420p")), nil),
          settings: .video(pixelFormat: "yuv420p", width: nil, height: nil))
      ], compositor: compositor)
    try reader.start()
    let reading = Task {
      while try await !reader.outputs[0].nextSampleBuffers(maxCount: 50).isAtEnd {}
    }
    _ = await asked.wait()
    reader.cancelReading()
    let error = await #expect(throws: EngineError.self) { try await reading.value }
    #expect(error?.isCancellation == true)
    let requests = held.withLock { held in
      defer { held = [] }
      return held
    }
    #expect(requests.count <= 4)
    for request in requests { request.finish() }
  }

  /// The memory in use doesn't grow with the number of frames.
  @Test func memoryIsBounded() async throws {
    func most(_ frames: Int) async throws -> Int {
      let compositor = Compositor(Self.copy)
      var composition = Self.composition(.client, "rgb24")
      composition.instructions[2].compositor = .client
      _ = try await read(try clip(frames: frames), composition, compositor)
      return compositor.mostBytes
    }
    let one = (64 * 36 * 3 + 128 + 63) & ~63
    #expect(try await most(50) <= 14 * one)
    #expect(try await most(200) <= 14 * one)
  }

  /// The sources of an instruction are the frames of its tracks at the time: the one on top first,
  /// upright, each once.
  @Test func sourcesAreWhatTheTracksShow() async throws {
    let plain = try clip()
    let stored = try fixtures.make(
      "stored.mp4", "-i \(plain) -frames:v 50 -c:v libx264 -qp 0 -pix_fmt yuv420p")
    let turned = try fixtures.turned("turned.mp4", stored, by: 90)
    let composition = MutableComposition()
    let first = try await composition.addTrack(.video).value
    let second = try await composition.addTrack(.video).value
    let all = TimeRange(start: .zero, end: Time(value: 1, timescale: 1))
    let later = TimeRange(
      start: Time(value: 1, timescale: 1), end: Time(value: 2, timescale: 1))
    try await composition.insertTimeRanges(
      [.init(asset: URLAsset(url: plain), timeRange: later)], inTrack: first)
    try await composition.insertTimeRanges(
      [.init(asset: URLAsset(url: turned), timeRange: all)], inTrack: second)
    var shown = VideoComposition(
      frameDuration: Time(value: 2, timescale: 25), renderSize: Size(width: 64, height: 36),
      instructions: [
        .init(
          timeRange: all,
          layerInstructions: [
            .init(trackID: 2), .init(trackID: 1), .init(trackID: 2),
          ], compositor: .client)
      ])
    shown.compositorPixelFormat = "yuv420p"
    typealias Shown = (trackID: Int32, size: [Int], time: Time, bytes: [UInt8])
    let seen = Mutex<[[Shown]]>([])
    let compositor = Compositor { request in
      let sources = request.sources.map { source -> Shown in
        let picture = source.frame.picture
        return (
          source.trackID, [picture.width, picture.height], source.time,
          source.frame.data.withBytes { bytes in bytes.array }
        )
      }
      seen.withLock { $0.append(sources) }
      request.finish()
    }
    let reader = try await AssetReader(
      asset: composition.current(),
      outputs: [
        .init(
          track: .videoComposition(.custom(shown), nil),
          settings: .video(pixelFormat: "yuv420p", width: nil, height: nil))
      ], compositor: compositor)
    try reader.start()
    while try await !reader.outputs[0].nextSampleBuffers(maxCount: 50).isAtEnd {}
    // ffmpeg turns the decoded frames, which moves whole samples.
    let size = 64 * 36 * 3 / 2
    let upright = try fixtures.samples(
      of: turned, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p")
    let unturned = try fixtures.samples(
      of: plain, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p")
    let pictures = seen.withLock(\.self)
    try #require(pictures.count == 13)
    for (number, sources) in pictures.enumerated() {
      #expect(sources.map(\.trackID) == [2, 1])
      #expect(sources.map(\.size) == [[36, 64], [64, 36]])
      #expect(sources.allSatisfy { $0.time == Time(value: Int64(2 * number), timescale: 25) })
      let frame = 2 * number
      #expect(sources.first?.bytes == Array(upright[frame * size..<(frame + 1) * size]))
      #expect(sources.last?.bytes == Array(unturned[(25 + frame) * size..<(26 + frame) * size]))
    }
  }
}
