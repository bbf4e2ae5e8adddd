import LibAV
import MediaTime

/// The image generator's work: plan, decode, convert. Only ever used on the generator's queue.
final class ImageDecoder {
  typealias Deliver = (Int, Result<GeneratedImage, EngineError>) -> Void

  private let source: MediaSource
  private let configuration: ImageGenerator.Configuration
  private var track: DecodedTrack?
  private var converter = PictureConverter()

  init(source: MediaSource, configuration: ImageGenerator.Configuration) {
    self.source = source
    self.configuration = configuration
  }

  /// Delivers a result for every time it can; throws what concerns all of them.
  func run(
    _ times: [Time], output: ImageOutput, interrupt: Interrupt, deliver: Deliver
  ) throws(EngineError) {
    let kind = try output.kind()
    let container = try source.open(interrupt: interrupt)
    guard let info = TrackInfo.tracks(of: container).preferred(.video) else {
      throw EngineError(
        .noSourceTrack, "'\(source.path)' has no video track to take an image from",
        hint: "Load the asset's tracks to see what it holds.", path: source.path)
    }
    let stream = info.stream
    let index = try WorkGate.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try source.index(ofStream: stream.index, interrupt: interrupt)
    }
    var wanted: [(request: Int, time: Int64)] = []
    for (position, time) in times.enumerated() {
      switch selectFrame(at: time, stream, index, container) {
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
            let track = try openTrack(stream, interrupt: interrupt)
            try track.decode(target, from: job.start, interrupt: interrupt)
            return try makeImage(
              track, requested: times[target.request], container: container, kind: kind,
              output: output, interrupt: interrupt)
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
    _ stream: StreamInfo, interrupt: Interrupt
  ) throws(EngineError) -> DecodedTrack {
    // A demuxer is bound to the interrupt it was opened with: the generator's, not one request's.
    let lifetime = interrupt.parent ?? interrupt
    if let track, track.lifetime === lifetime { return track }
    let made = try DecodedTrack(source: source, stream: stream, lifetime: lifetime)
    track = made
    return made
  }

  /// The time on the track's clock whose frame answers a request, by the tolerances.
  ///
  /// A sync sample within them is cheapest; else the frame that is shown then; after the end, the last
  /// frame, if the tolerance reaches it.
  private func selectFrame(
    at time: Time, _ stream: StreamInfo, _ index: SampleIndex, _ container: MediaSource.Container
  ) -> Result<Int64, EngineError> {
    guard time.isNumeric else {
      return .failure(
        EngineError(
          .noImageAtTime, "There is no image at \(time)", hint: "Ask for a numeric time.",
          path: source.path))
    }
    guard !index.isEmpty, let start = index.start, let end = index.end else {
      return .failure(
        EngineError(
          .noImageAtTime, "The video track of '\(source.path)' holds no frames",
          path: source.path))
    }
    func ticks(_ time: Time, _ rounding: RoundingMethod) -> Int64 {
      (time + container.origin).ticks(in: stream.timeBase, rounding: rounding)
    }
    let earliest = ticks(
      time - configuration.requestedTimeToleranceBefore, .towardPositiveInfinity)
    let latest = ticks(time + configuration.requestedTimeToleranceAfter, .towardNegativeInfinity)
    let exact = ticks(time, .towardNegativeInfinity)
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
    let first = Time(ticks: start, in: stream.timeBase) - container.origin
    let last = Time(ticks: end, in: stream.timeBase) - container.origin
    return .failure(
      EngineError(
        .noImageAtTime, "'\(source.path)' shows no frame at \(time) within the tolerances",
        hint: "The video runs from \(first) to \(last); ask within it, or widen the tolerances.",
        path: source.path))
  }

  private func makeImage(
    _ track: DecodedTrack, requested: Time, container: MediaSource.Container,
    kind: ImageOutput.Kind, output: ImageOutput, interrupt: Interrupt
  ) throws(EngineError) -> GeneratedImage {
    let stream = track.stream
    let actual =
      Time(ticks: track.currentTime ?? 0, in: stream.timeBase) - container.origin
    let orientation =
      configuration.appliesPreferredTrackTransform
      ? (stream.preferredTransform.orientation ?? .up) : .up
    let size = shownSize(of: track.frame, stream: stream, orientation: orientation)
    return try naming(.convert, path: source.path) { () throws(LibAVError) in
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
