import MediaTime
import SystemIO

/// The image generator's work: plan, decode, convert. Only ever used on the generator's queue.
///
/// What lies in one region is decoded by one decoder, on as many threads as there are cores. Several
/// regions are spread over lanes, each with a single-threaded decoder of its own: those lose nothing to
/// each other, and leave out what no wanted frame refers to. All of them stay warm between requests.
final class ImageDecoder {
  typealias Deliver = @Sendable (Int, Result<GeneratedImage, EngineError>) async -> Void

  private let asset: AssetMedia
  private let configuration: ImageGenerator.Configuration
  private let solo: ImageLane
  private let lanes: [ImageLane]

  init(asset: AssetMedia, configuration: ImageGenerator.Configuration) {
    self.asset = asset
    self.configuration = configuration
    let places = WorkLimiter.shared.slots
    solo = ImageLane(configuration: configuration, threads: places)
    lanes = (0..<places).map { _ in ImageLane(configuration: configuration, threads: 1) }
  }

  /// Delivers a result for every time it can, one at a time; throws what concerns all of them.
  ///
  /// - Parameter times: nil stands for the first frame, whenever it is shown.
  func run(
    _ times: [Time?], output: ImageOutput, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation, deliver: @escaping Deliver
  ) async throws(EngineError) {
    let kind = try output.kind()
    let presentation = try await asset.loadPresentation(interrupt)
    guard let track = presentation.tracks.preferred(.video) else {
      throw EngineError(
        .noSourceTrack, "'\(presentation.path)' has no video track to take an image from",
        hint: "Load the asset's tracks to see what it holds.", path: presentation.path)
    }
    let media = track.media
    try media.requireUnprotected()
    try await media.prepareIndex(interrupt: interrupt)
    let index = try media.index(interrupt: interrupt)
    var wanted: [(request: Int, time: Int64)] = []
    for (position, time) in times.enumerated() {
      guard let time else {
        guard let start = index.decodableStart else {
          await deliver(position, .failure(noFrames(media)))
          continue
        }
        wanted.append((position, start))
        continue
      }
      switch selectFrame(at: time, media, index) {
      case .success(let ticks): wanted.append((position, ticks))
      case .failure(let error): await deliver(position, .failure(error))
      }
    }
    let work = ImageWork(
      times: times, track: track, output: output, kind: kind, interrupt: interrupt,
      jobs: DecodePlan(wanted, index: index).jobs, deliver: deliver)
    if work.jobs.count < 2 {
      await solo.run(work)
    } else {
      await withDiscardingTaskGroup { group in
        for lane in lanes.prefix(work.jobs.count) { group.addTask { await lane.run(work) } }
      }
    }
    if let error = work.error { throw error }
  }

  /// The time on the track's clock whose frame answers a request, by the tolerances.
  ///
  /// A sync sample within them is cheapest; else the frame that is shown then; after the end, the last
  /// frame, if the tolerance reaches it.
  private func selectFrame(
    at time: Time, _ media: TrackMedia, _ index: SampleIndex
  ) -> Result<Int64, EngineError> {
    guard time.isNumeric else {
      return .failure(
        EngineError(
          .noImageAtTime, "There is no image at \(time)", hint: "Ask for a numeric time.",
          path: media.path))
    }
    guard !index.isEmpty, let start = index.start, let end = index.end else {
      return .failure(noFrames(media))
    }
    let earliest = media.ticks(
      time - configuration.requestedTimeToleranceBefore, rounding: .towardPositiveInfinity)
    let latest = media.ticks(
      time + configuration.requestedTimeToleranceAfter, rounding: .towardNegativeInfinity)
    let exact = media.ticks(time, rounding: .towardNegativeInfinity)
    let hasTolerance =
      configuration.requestedTimeToleranceBefore > .zero
      || configuration.requestedTimeToleranceAfter > .zero
    if hasTolerance, index.isReliable, earliest <= latest,
      let sync = index.nearestSyncSample(to: exact, within: earliest...latest)
    {
      return .success(sync.pts)
    }
    let lastTime =
      index.presentation.isEmpty
      ? end : index.sample(atPosition: index.presentation.count - 1).pts
    if exact >= start, exact < end || exact == lastTime { return .success(exact) }
    if exact >= end, lastTime >= earliest { return .success(lastTime) }
    if exact < start, start <= latest { return .success(start) }
    return .failure(
      EngineError(
        .noImageAtTime, "'\(media.path)' shows no frame at \(time) within the tolerances",
        hint: "The video runs from \(media.time(start)) to \(media.time(end)); ask within it, or "
          + "widen the tolerances; without a time there is the first frame.",
        path: media.path))
  }

  private func noFrames(_ media: TrackMedia) -> EngineError {
    EngineError(
      .noImageAtTime, "The video track of '\(media.path)' holds no frames", path: media.path)
  }
}
