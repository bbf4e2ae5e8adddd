import LibAV
import MediaTime
import SystemIO

/// The pictures of a video composition as a source of a track, so that readers of a track read
/// them.
final class ComposedSource: TrackSource {
  let composition: VideoComposition
  /// The tracks that it shows.
  let layerTracks: [TrackInfo]
  let pictures: CompositionFormat
  let format: TrackFormat
  let range: TimeRange
  let compositors: CompositorPool
  /// Draws the pictures that the composition leaves to its caller.
  let compositor: (any VideoCompositing)?
  /// The texts that are drawn over the pictures; nil for none.
  let texts: TextOverlay?
  private let timingTrack: TrackTimeline?

  var path: String { format.path }
  var stored: StoredTrack? { nil }
  var timing: SampleTiming { .exact }
  var layers: [TrackInfo]? { layerTracks }
  var isProtected: Bool { layerTracks.contains(where: \.isProtected) }

  /// - Parameters:
  ///   - composition: one without problems.
  ///   - tracks: the asset's video.
  ///   - end: of the asset.
  ///   - loading: loads its texts.
  init(
    _ composition: VideoComposition, of tracks: [TrackInfo],
    drawnBy compositor: (any VideoCompositing)?, end: Time,
    _ loading: TextLoading, path: String
  ) throws(EngineError) {
    self.composition = composition
    self.compositor = compositor
    let shown = Set(composition.instructions.flatMap { $0.layerInstructions.map(\.trackID) })
    layerTracks = tracks.filter { shown.contains($0.trackID) }
    pictures = try CompositionFormat(
      composition, of: layerTracks.flatMap(\.timeline.partFormats).map(\.media), path: path)
    texts = try loading.overlay(composition, pictures)
    compositors = CompositorPool(chromaLocation: pictures.description.chromaLocation)
    timingTrack = composition.sourceTrackIDForFrameTiming.flatMap { trackID in
      tracks.first { $0.trackID == trackID }?.timeline
    }
    let rate = Rational(framesOf: composition.frameDuration) ?? Rational(30, 1)
    let covered = composition.instructions.last?.timeRange.end ?? .zero
    range = TimeRange(start: .zero, end: end.isNumeric ? min(end, covered) : covered)
    let times =
      [composition.frameDuration] + (timingTrack?.clockTimes ?? []) + [range.end]
      + composition.instructions.map(\.timeRange.end)
    // Fine enough for any range to begin on it.
    let clock = times.clock(finest: 90_000)
    let (layout, description) = (pictures.layout, pictures.description)
    format = try mapErrors(.open, path: path) { () throws(LibAVError) in
      TrackFormat(
        path: path, try MediaFormat(ofPictures: layout, color: description, frameRate: rate),
        timeBase: clock)
    }
  }

  func times(interrupt: Interrupt) -> PictureTimes {
    PictureTimes(
      frameDuration: composition.frameDuration, track: timingTrack, interrupt: interrupt)
  }

  /// Returns the placement of a frame in the picture at a time; nil if it isn't shown.
  func placement(
    of frame: LayerFrame, _ layer: VideoComposition.LayerInstruction, at time: Time
  ) -> LayerPlacement? {
    let (stored, media) = (frame.frame, frame.format.media)
    let track = layerTracks.first { $0.trackID == layer.trackID }
    let upright = media.preferredTransform.orientation ?? .up
    let size = composition.renderSize
    let (width, height) = (pictures.layout.width, pictures.layout.height)
    let aspectRatio = media.aspectRatio(of: stored.value)
    let crop = layer.cropRectangle(at: time)
    if layer.fit != .none, layer.transform.isEmpty, crop == nil {
      // A layer that only has to fit lies on whole samples of chroma, as on a canvas.
      let canvas = Canvas(width: width, height: height, fit: layer.fit.onCanvas)
      let placement = CanvasPlacement(
        width: stored.value.width, height: stored.value.height, aspectRatio: aspectRatio,
        cleanAperture: frame.format.video?.cleanAperture, upright: upright, in: canvas, view: nil,
        turn: .up, size: (width, height))
      return LayerPlacement(
        placement, width: stored.value.width, height: stored.value.height, in: (width, height))
    }
    let isUpright = layer.fit != .none || track?.timeline.canvas != nil
    let geometry = LayerGeometry(
      width: stored.value.width, height: stored.value.height, aspectRatio: aspectRatio,
      cleanAperture: frame.format.video?.cleanAperture, orientation: isUpright ? upright : .up)
    return geometry.placement(
      crop: crop, fit: layer.fit, transform: layer.transform(at: time), in: size,
      scale: Size(width: Double(width) / size.width, height: Double(height) / size.height))
  }

  /// Returns the requests of a stream to the caller's compositor; nil where the engine draws
  /// everything.
  func requests(
    priority: WorkLimiter.Priority
  ) throws(EngineError) -> CompositorRequests? {
    guard composition.isDrawnByClient else { return nil }
    guard let compositor else {
      throw EngineError(
        .invalidVideoComposition,
        "The video composition leaves pictures of '\(path)' to a compositor, and there is none",
        advice: .giveCompositor, path: path)
    }
    return try CompositorRequests(self, compositor, priority: priority)
  }

  // MARK: Losses

  /// True if an instruction shows transparent sources only, whose transparency ends at an opaque background.
  var coversTransparency: Bool {
    let transparent = Set(
      layerTracks.filter { $0.timeline.partFormats.contains(where: \.media.statesTransparency) }
        .map(\.trackID))
    return composition.instructions.contains { instruction in
      instruction.backgroundColor.alpha >= 1 && !instruction.layerInstructions.isEmpty
        && instruction.layerInstructions.allSatisfy { transparent.contains($0.trackID) }
    }
  }

  // MARK: TrackSource

  func requireUnprotected() throws(EngineError) {
    for track in layerTracks { try track.timeline.requireUnprotected() }
  }

  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {
    for track in layerTracks {
      try await track.timeline.prepare(interrupt: interrupt, isolation: isolation)
    }
    if composition.sourceTrackIDForFrameTiming != nil {
      try await timingTrack?.prepare(interrupt: interrupt, isolation: isolation)
    }
  }

  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange { range }

  func damage(before end: Time) -> EngineError? {
    layerTracks.lazy.compactMap { $0.timeline.damage(before: end) }.first
  }

  var salvages: Bool { layerTracks.contains { $0.timeline.salvages } }

  func makeErrors(range: TimeRange) -> DecodeErrors? {
    DecodeErrors(layers: layerTracks.map { DecodeErrors($0.timeline, range: range) })
  }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    try ComposedFrames(self, reading, priority: priority)
  }

  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> { throw notPictures }

  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    throw notPictures
  }

  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer> { throw notPictures }

  private var notPictures: EngineError {
    EngineError(
      .operationNotSupportedForAsset,
      "The pictures of a video composition are made, and stored nowhere",
      advice: .requestDecodedPictures, path: path)
  }
}

extension VideoComposition.Fit {
  fileprivate var onCanvas: Canvas.Fit {
    switch self {
    case .none: .none
    case .contain: .contain
    case .cover: .cover
    case .fill: .fill
    }
  }
}

extension TrackInfo {
  /// The video composition that it shows; nil for other tracks.
  var composed: ComposedSource? { timeline.parts.first?.source as? ComposedSource }
}
