import LibAV
import MediaTime

/// The image generator's work: plan, decode, convert. Only ever used on the generator's queue.
final class ImageDecoder {
  typealias Deliver = (Int, Result<GeneratedImage, EngineError>) -> Void

  private let asset: AssetMedia
  private let configuration: ImageGenerator.Configuration
  private var track: DecodedTrack?
  private var converter = PictureConverter()

  init(asset: AssetMedia, configuration: ImageGenerator.Configuration) {
    self.asset = asset
    self.configuration = configuration
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
            return try makeImage(
              track, requested: times[target.request], kind: kind, output: output,
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

  private func makeImage(
    _ track: DecodedTrack, requested: Time, kind: ImageOutput.Kind, output: ImageOutput,
    interrupt: Interrupt
  ) throws(EngineError) -> GeneratedImage {
    let stream = track.media.stream
    let actual = track.media.time(track.currentTime ?? 0)
    let orientation =
      configuration.appliesPreferredTrackTransform
      ? (stream.preferredTransform.orientation ?? .up) : .up
    let size = shownSize(of: track.frame, stream: stream, orientation: orientation)
    return try naming(.convert, path: track.media.path) { () throws(LibAVError) in
      switch kind {
      case .raw(let format):
        let layout = try PictureLayout(width: size.width, height: size.height, format: format)
        let block = try converter.convert(
          track.frame, to: layout, color: PictureColor(of: track.frame, as: format),
          orientation: orientation,
          allocator: output.destination.allocator, interrupt: interrupt)
        return GeneratedImage(
          width: size.width, height: size.height, data: MediaData(block: block),
          planes: layout.planes.map(PicturePlane.init), mimeType: "application/octet-stream",
          requestedTime: requested, actualTime: actual)
      case .encoded(let format):
        let hasAlpha = track.frame.pixelFormat.hasAlpha || track.frame.pixelFormat.hasPalette
        let layout = try PictureLayout(
          width: size.width, height: size.height, format: format.pixelFormat(hasAlpha: hasAlpha))
        let picture = try converter.frame(
          from: track.frame, to: layout, color: layout.format.isRGB ? .rgb : .jpeg,
          orientation: orientation)
        let block = try format.encode(
          picture, quality: output.quality, allocator: output.destination.allocator,
          interrupt: interrupt)
        return GeneratedImage(
          width: size.width, height: size.height, data: MediaData(block: block),
          mimeType: format.mimeType, requestedTime: requested, actualTime: actual)
      }
    }
  }

  /// The size to make, after the turn: the aperture's, scaled down into the maximum's box.
  private func shownSize(
    of frame: borrowing Frame, stream: StreamInfo, orientation: Orientation
  ) -> (width: Int, height: Int) {
    var width = Double(frame.width)
    var height = Double(frame.height)
    let ratio =
      stream.sampleAspectRatio.isPositive
      ? stream.sampleAspectRatio : frame.sampleAspectRatio
    if configuration.apertureMode != .encodedPixels, ratio.isPositive {
      width = (width * ratio.doubleValue).rounded(.toNearestOrAwayFromZero)
    }
    if orientation.swapsAxes { swap(&width, &height) }
    var scale = 1.0
    let box = configuration.maximumSize
    if box.width > 0 { scale = min(scale, box.width / width) }
    if box.height > 0 { scale = min(scale, box.height / height) }
    func scaled(_ length: Double) -> Int {
      max(1, Int(min(65535, (length * scale).rounded(.toNearestOrAwayFromZero))))
    }
    return (scaled(width), scaled(height))
  }
}
