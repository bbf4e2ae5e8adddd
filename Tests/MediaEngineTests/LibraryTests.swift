import MediaEngine
import MediaTime
import Testing

/// The engine as a Swift library: as a program uses it that imports it, with its public names
/// alone.
@Suite struct LibraryTests {
  private let fixtures: Fixtures
  /// 25 frames a second, a sync sample each second, and audio.
  private let clip: String
  private let asset: URLAsset

  init() throws {
    EngineHost.prepare()
    fixtures = try Fixtures()
    clip = try fixtures.make(
      "clip.mp4",
      "-f lavfi -i testsrc2=size=160x90:rate=25:duration=4 -f lavfi -i sine=duration=4"
        + " -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -shortest")
    asset = URLAsset(url: clip)
  }

  private func time(_ frames: Int64) -> Time { Time(value: frames, timescale: 25) }

  private var exact: ImageGenerator {
    var configuration = ImageGenerator.Configuration()
    configuration.requestedTimeToleranceBefore = .zero
    configuration.requestedTimeToleranceAfter = .zero
    return ImageGenerator(asset: asset, configuration: configuration)
  }

  // MARK: Properties

  @Test func propertiesHaveTheTypesOfTheirValues() async throws {
    guard case .notYetLoaded = asset.status(of: .duration) else {
      Issue.record("loaded before it was requested")
      return
    }
    let (duration, tracks, size) = try await asset.load(.duration, .tracks, .naturalSize)
    #expect(duration == time(100))
    #expect(size == Size(width: 160, height: 90))
    guard case .loaded(time(100)) = asset.status(of: .duration) else {
      Issue.record("\(asset.status(of: .duration))")
      return
    }
    let video = try #require(tracks.first { $0.mediaType == .video })
    #expect(try await video.load(.nominalFrameRate) == 25)
    let (range, isReordered) = try await video.load(.timeRange, .requiresFrameReordering)
    #expect(range == TimeRange(start: .zero, duration: time(100)))
    #expect(!isReordered)
    // Always the same objects.
    #expect(try await asset.load(.tracks)[0] === tracks[0])
  }

  @Test func aPropertyFailsWithAnErrorOfTheEngine() async throws {
    let missing = URLAsset(url: fixtures.folder + "/missing.mp4")
    await #expect(throws: EngineError.self) { try await missing.load(.duration, .tracks) }
    guard case .failed(let error) = missing.status(of: .tracks) else {
      Issue.record("\(missing.status(of: .tracks))")
      return
    }
    #expect(error.code == .contentIsUnavailable)
    #expect(error.path == missing.path)
  }

  @Test func aCancelledTaskLoadsNothing() async throws {
    let task = Task { [asset] in
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      _ = try await asset.load(.duration, .metadata)
    }
    await #expect { try await task.value } throws: { error in
      (error as? EngineError)?.isCancellation == true
    }
    guard case .cancelled = asset.status(of: .metadata) else {
      Issue.record("\(asset.status(of: .metadata))")
      return
    }
    #expect(try await asset.load(.duration) == time(100))
  }

  // MARK: Images

  @Test func imagesComeOnceForEachTime() async throws {
    let times = [30, 2, 2, 77, 1000].map { time($0) }
    var indices: [Int] = []
    for await result in exact.images(for: times) {
      indices.append(result.index)
      #expect(result.requestedTime == times[result.index])
      if result.index < 4 {
        #expect(try result.image.moment.actualTime == times[result.index])
      } else {
        #expect { try result.image } throws: { ($0 as? EngineError)?.code == .noImageAtTime }
      }
    }
    #expect(indices.sorted() == [0, 1, 2, 3, 4])
  }

  /// Images that aren't rendered yet fail as cancelled: by the generator's cancel, or the task's.
  @Test(arguments: [true, false]) func cancelledImagesFailOnceEach(_ byTask: Bool) async throws {
    let generator = exact
    let times = (0..<100).map { time($0) }
    let task = Task {
      var succeeded = 0
      var cancelled = 0
      for await result in generator.images(for: times) {
        do throws(EngineError) {
          _ = try result.image
          succeeded += 1
        } catch {
          cancelled += error.isCancellation ? 1 : 0
        }
        guard succeeded == 3, cancelled == 0 else { continue }
        if byTask {
          withUnsafeCurrentTask { unsafe $0?.cancel() }
        } else {
          generator.cancelAllImageGeneration()
        }
      }
      return (succeeded, cancelled)
    }
    let (succeeded, cancelled) = await task.value
    #expect(succeeded + cancelled == 100)
    #expect(cancelled > 0)
    // Later requests aren't affected.
    #expect(try await generator.image(at: time(7)).moment.actualTime == time(7))
  }

  /// A sequence that was requested before a cancel is cancelled, also without an iteration.
  @Test func theRequestArrivesWithTheCall() async throws {
    let generator = exact
    let before = generator.images(for: [time(1)])
    generator.cancelAllImageGeneration()
    let after = generator.images(for: [time(1)])
    for await result in before {
      #expect { try result.image } throws: { ($0 as? EngineError)?.isCancellation == true }
    }
    for await result in after { #expect(try result.image.moment.actualTime == time(1)) }
  }

  /// Leaving the loop ends the work: the generator is free for the next request.
  @Test func aLoopThatIsLeftEndsTheWork() async throws {
    let generator = exact
    for await result in generator.images(for: (0..<100).map { time($0) }) {
      _ = try result.image
      break
    }
    #expect(try await generator.image(at: time(99)).moment.actualTime == time(99))
  }

  // MARK: Samples

  @Test func samplesAreASequence() async throws {
    let reader = try await AssetReader(
      asset: asset,
      outputs: [.init(track: .mediaType(.video), settings: .stored, supportsRandomAccess: true)])
    try reader.start()
    let output = reader.outputs[0]
    var times: [Time] = []
    for try await buffer in output.sampleBuffers {
      times.append(buffer.presentationTime)
      if times.count == 40 { break }
    }
    // Buffers that were read don't come again; the rest is still there.
    for try await buffer in output.sampleBuffers { times.append(buffer.presentationTime) }
    #expect(times == (0..<100).map { time($0) })
    try await output.reset(forReadingTimeRanges: [TimeRange(start: time(50), duration: time(2))])
    var again: [Time] = []
    for try await buffer in output.sampleBuffers { again.append(buffer.presentationTime) }
    #expect(again.contains(time(50)) && again.contains(time(51)))
  }

  // MARK: Exports

  @Test func exportsHaveStatesAndASummary() async throws {
    var configuration = ExportSession.Configuration()
    configuration.timeRange = TimeRange(start: time(25), duration: time(50))
    let preset = try #require(ExportPreset("LowQuality"))
    let session = try ExportSession(asset: asset, preset: preset, configuration: configuration)
    let states = session.states(updateInterval: .zero)
    let watching = Task {
      var seen: [ExportSession.State] = []
      for await state in states { seen.append(state) }
      return seen
    }
    let path = fixtures.folder + "/part.mp4"
    let summary = try await session.export(to: path, as: .mp4)
    #expect(summary.path == path)
    #expect(summary.timeRange == configuration.timeRange)
    #expect(session.outputPath == path)
    #expect(try await URLAsset(url: path).load(.duration) == time(50))
    let seen = await watching.value
    #expect(seen.first == .pending)
    #expect(seen.contains(.waiting))
    let progress = seen.compactMap { state in
      if case .exporting(let progress) = state { progress } else { nil }
    }
    #expect(progress.count > 2 && progress == progress.sorted())
    #expect(progress.allSatisfy { (0...1).contains($0) })
    // One-shot; and a session that has ended has no states.
    await #expect { try await session.export(to: path) } throws: { error in
      (error as? EngineError)?.code == .operationNotAllowed
    }
    for await state in session.states() { Issue.record("\(state)") }
  }

  @Test func cancellingTheTaskCancelsTheExport() async throws {
    let preset = try #require(ExportPreset("HighestQuality"))
    var shown = VideoComposition(
      frameDuration: time(1), renderSize: Size(width: 160, height: 90),
      instructions: [
        .init(
          timeRange: TimeRange(start: .zero, duration: time(100)),
          layerInstructions: [.init(trackID: 1)], compositor: .client)
      ])
    shown.compositorTimeout = .seconds(3600)
    var configuration = ExportSession.Configuration()
    configuration.videoComposition = .custom(shown)
    configuration.compositor = IdleCompositor()
    let session = try ExportSession(asset: asset, preset: preset, configuration: configuration)
    let path = fixtures.folder + "/cancelled.mp4"
    let task = Task { try await session.export(to: path) }
    for await state in session.states(updateInterval: .zero) {
      if case .exporting = state { task.cancel() }
    }
    await #expect { try await task.value } throws: { error in
      (error as? EngineError)?.isCancellation == true
    }
    #expect(session.progress.status == .cancelled)
    await #expect { try await URLAsset(url: path).load(.tracks) } throws: { error in
      (error as? EngineError)?.code == .contentIsUnavailable
    }
  }

  @Test func theTargetsTypeIsChecked() async throws {
    let session = try ExportSession(asset: asset, preset: .passthrough)
    await #expect { try await session.export(to: fixtures.folder + "/a.txt") } throws: { error in
      (error as? EngineError)?.code == .invalidOutputURLPathExtension
    }
    // Nothing was claimed.
    #expect(session.progress.status == .unknown)
    #expect(session.fileType == ExportPreset.passthrough.fileTypes.first)
  }
}

/// Never draws: an export that needs its pictures continues until it is cancelled.
private final class IdleCompositor: VideoCompositing {
  var sourceDestination: Destination { .heap }
  var targetDestination: Destination { .heap }
  func start(_ request: VideoCompositionRequest) {}
}
