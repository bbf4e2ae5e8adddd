import LibAV
import MediaTime

/// The image generator's work: plan, decode, convert. Only ever used on the generator's queue.
final class ImageDecoder {
  typealias Deliver = (Int, Result<GeneratedImage, EngineError>) -> Void

  private let asset: AssetMedia
  private let configuration: ImageGenerator.Configuration
  private let renderer: ImageRenderer
  private var track: DecodedTrack?

  init(asset: AssetMedia, configuration: ImageGenerator.Configuration) {
    self.asset = asset
    self.configuration = configuration
    renderer = ImageRenderer(configuration: configuration)
  }

  /// Delivers a result for every time it can; throws what concerns all of them.
  func run(
    _ times: [Time], output: ImageOutput, interrupt: Interrupt, deliver: Deliver
  ) throws(EngineError) {
    let kind = try output.kind()
    let presentation = try asset.presentation(interrupt)
    guard let media = presentation.tracks.preferred(.video)?.media else {
      throw EngineError(
        .noSourceTrack, "'\(presentation.path)' has no video track to take an image from",
        hint: "Load the asset's tracks to see what it holds.", path: presentation.path)
    }
    let index = try WorkGate.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try media.index(interrupt: interrupt)
    }
    var wanted: [(request: Int, time: Int64)] = []
    for (position, time) in times.enumerated() {
      switch selectFrame(at: time, media, index) {
      case .success(let ticks): wanted.append((position, ticks))
      case .failure(let error): deliver(position, .failure(error))
      }
    }
    let plan = DecodePlan(wanted, index: index)
    for job in plan.jobs {
      for target in job.targets {
        let result: Result<GeneratedImage, EngineError>
        do throws(EngineError) {
          let image = try output.destination.work(.interactive, interrupt: interrupt) {
            () throws(EngineError) in
            let track = try openTrack(media, interrupt: interrupt)
            try track.decode(target, from: job.start, interrupt: interrupt)
            let moment = self.moment(of: track, requested: times[target.request])
            return try renderer.render(
              track.frame, of: media, moment: moment, kind: kind, output: output,
              interrupt: interrupt)
          }
          result = .success(image)
        } catch {
          if error.isCancellation { throw error }
          // A demuxer remembers that reading failed; the next request begins with a new one.
          if error.stage == .read { track = nil }
          result = .failure(error)
        }
        deliver(target.request, result)
      }
    }
  }

  /// Which frame the track has come to, and whether it is the one that is shown at the wanted time.
  private func moment(of track: DecodedTrack, requested: Time) -> ImageMoment {
    let pts = track.currentTime ?? 0
    let media = track.media
    let index = track.index
    let wanted = media.ticks(requested, rounding: .towardNegativeInfinity)
    guard index.isReliable, let position = index.position(at: pts) else {
      // Without times in the file only the decoder knows where a frame stands.
      return ImageMoment(
        requestedTime: requested, actualTime: media.time(pts), sampleIndex: nil,
        isExact: pts == wanted)
    }
    let isShown = index.position(at: wanted) == position && wanted < (index.end ?? .max)
    return ImageMoment(
      requestedTime: requested, actualTime: media.time(pts), sampleIndex: position,
      isExact: isShown && index.sample(atPosition: position).pts == pts)
  }

  /// The track's decoder, kept warm between requests.
  private func openTrack(
    _ media: TrackMedia, interrupt: Interrupt
  ) throws(EngineError) -> DecodedTrack {
    // A demuxer is bound to the interrupt it was opened with: the generator's, not one request's.
    let lifetime = interrupt.parent ?? interrupt
    if let track, track.lifetime === lifetime { return track }
    let made = try DecodedTrack(media: media, lifetime: lifetime)
    track = made
    return made
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
      return .failure(
        EngineError(
          .noImageAtTime, "The video track of '\(media.path)' holds no frames",
          path: media.path))
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
          + "widen the tolerances.",
        path: media.path))
  }
}
