import MediaTime
import SystemIO

/// Plans, decodes and converts the images of a generator, on the generator's queue.
///
/// A single region is decoded by one decoder, on as many threads as there are cores. Several regions are distributed
/// over lanes, each with a single-threaded decoder: these run in parallel, and skip the frames to which
/// no requested frame refers. The decoders stay open between requests.
final class ImageDecoder {
  typealias Deliver = @Sendable (Int, Result<GeneratedImage, EngineError>) async -> Void

  private let asset: any PresentationSource
  private let configuration: ImageGenerator.Configuration
  private let solo: ImageLane
  private let lanes: [ImageLane]
  /// The renderer of frames without an index.
  private let streamed: ImageRenderer

  /// - Parameter size: the wanted size of the images, within the configuration's limits.
  init(
    asset: any PresentationSource, configuration: ImageGenerator.Configuration,
    size: WantedSize = WantedSize()
  ) {
    self.asset = asset
    self.configuration = configuration
    let places = WorkLimiter.shared.slots
    solo = ImageLane(configuration: configuration, size: size, threads: places)
    streamed = ImageRenderer(configuration: configuration, size: size)
    lanes = (0..<places).map { _ in ImageLane(configuration: configuration, size: size, threads: 1)
    }
  }

  /// Delivers a result for every possible frame, one at a time; throws errors that concern all of them.
  func run(
    _ frames: [RequestedFrame], output: ImageOutput, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation, deliver: @escaping Deliver
  ) async throws(EngineError) {
    let kind = try output.kind()
    let presentation = try await presentation(interrupt)
    guard let track = presentation.tracks.preferred(.video) else {
      throw EngineError(
        .noSourceTrack, "'\(presentation.path)' has no video track to take an image from",
        advice: .loadTracks, path: presentation.path)
    }
    try track.timeline.requireUnprotected()
    if track.timeline.parts.contains(where: { $0.source?.hasIndex == false }) {
      let images = StreamedImages(
        track: track, configuration: configuration, output: output, kind: kind,
        interrupt: interrupt, path: presentation.path)
      return try await images.run(frames, renderer: streamed, deliver: deliver)
    }
    var pending = Array(frames.enumerated())
    for extent in try await extents(of: track.timeline, for: frames, interrupt) {
      if case .whole = extent { try await track.timeline.prepare(interrupt: interrupt) }
      let (plan, failures) = try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
        () throws(EngineError) in try self.plan(pending, track.timeline, extent, interrupt)
      }
      for (position, error) in failures { await deliver(position, .failure(error)) }
      let work = ImageWork(
        frames: frames, output: output, kind: kind, interrupt: interrupt, plan: plan,
        view: CanvasView(track), isLastAttempt: extent.isWhole, deliver: deliver)
      if work.jobs.count < 2 {
        await solo.run(work)
      } else {
        await withDiscardingTaskGroup { group in
          for lane in lanes.prefix(work.jobs.count) { group.addTask { await lane.run(work) } }
        }
      }
      if let error = work.error { throw error }
      pending = work.doubtful.map { ($0, frames[$0]) }
      if pending.isEmpty { return }
    }
  }

  /// The asset, as the configuration has it composed.
  private func presentation(
    _ interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> Presentation {
    let presentation = try await asset.loadPresentation(interrupt: interrupt)
    let (asset, setting, compositor) = (
      asset, configuration.videoComposition, configuration.compositor
    )
    guard setting.resolved(own: presentation.videoComposition) != nil else { return presentation }
    return try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try asset.presentation(
        presentation, composedBy: setting, drawnBy: compositor, interrupt: interrupt)
    }
  }

  /// The parts of the index that are read, more from one attempt to the next.
  private func extents(
    of timeline: TrackTimeline, for frames: [RequestedFrame], _ interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> [IndexExtent] {
    guard !asset.prefersPreciseTiming, !frames.contains(where: \.isNumbered) else {
      return [.whole]
    }
    for part in timeline.parts {
      guard let media = part.source?.stored else { continue }
      guard try media.source.prefersWindows(forTimes: frames.count, interrupt: interrupt) else {
        return [.whole]
      }
    }
    return IndexExtent.earlierSyncSamples.map(IndexExtent.window) + [.whole]
  }

  private func plan(
    _ requested: [(offset: Int, element: RequestedFrame)], _ timeline: TrackTimeline,
    _ extent: IndexExtent, _ interrupt: Interrupt
  ) throws(EngineError) -> (plan: ImagePlan, failures: [(Int, EngineError)]) {
    let choice = try ImageChoice(timeline, configuration, extent, interrupt: interrupt)
    var frames: [(request: Int, frame: ImageChoice.Frame)] = []
    var failures: [(Int, EngineError)] = []
    for (position, wanted) in requested {
      switch try choice.frame(wanted) {
      case .success(let frame): frames.append((position, frame))
      case .failure(let error): failures.append((position, error))
      }
    }
    return (try ImagePlan(frames, extent, interrupt: interrupt), failures)
  }
}
