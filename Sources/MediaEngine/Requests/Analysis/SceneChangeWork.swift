import LibAV
import MediaTime
import SystemIO

/// One search for scene changes: track, range, decoding, numbers of frames.
actor SceneChangeWork: QueueActor {
  package nonisolated let queue = WorkQueue("analysis")

  private let configuration: SceneChanges.Configuration
  private let asset: any Asset
  private let interrupt: Interrupt
  private var detector: SceneDetector
  private var renderer = FrameRenderer()
  private var frames: (any MediaStream<TimedFrame>)?

  init(_ configuration: SceneChanges.Configuration, of asset: any Asset, interrupt: Interrupt) {
    self.configuration = configuration
    self.asset = asset
    self.interrupt = interrupt
    detector = SceneDetector(
      sensitivity: configuration.sensitivity, minimumDuration: configuration.minimumDuration)
  }

  func run(progress: @Sendable (Double) -> Void) async throws(EngineError) -> SceneChanges {
    let presentation = try await presentation()
    let track = try presentation.track(
      configuration.trackID, of: .video, to: "to find scene changes in")
    try track.timeline.requireUnprotected()
    try track.requireDecoder(of: presentation)
    try await track.timeline.prepare(interrupt: interrupt)
    let wanted = configuration.timeRange
    let range: TimeRange
    if let wanted, wanted.duration.isNumeric {
      range = wanted
    } else {
      range = try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
        () throws(EngineError) in
        try [track].readableRange(from: wanted?.start, of: asset, interrupt: interrupt)
      }
    }
    let errors = DecodeErrors(track.timeline, range: range)
    if !range.isEmpty { try await decode(track, range, errors, progress) }
    if interrupt.isTriggered { throw cancelled }
    let found = detector.finish()
    try check(found.count)
    let changes = try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try numbered(found, of: track)
    }
    return SceneChanges(
      trackID: track.trackID, timeRange: range, changes: changes,
      damagedSamples: errors.samples(of: track.trackID, .video).map { [$0] } ?? [])
  }

  /// The asset's presentation; with its own video composition where no track is named.
  private func presentation() async throws(EngineError) -> Presentation {
    let content = asset.media.content
    let presentation = try await content.loadPresentation(interrupt: interrupt)
    guard configuration.trackID == nil, presentation.videoComposition != nil else {
      return presentation
    }
    return try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      try content.presentation(
        presentation, composedBy: .asset, drawnBy: nil, interrupt: interrupt)
    }
  }

  private func decode(
    _ track: TrackInfo, _ range: TimeRange, _ errors: DecodeErrors,
    _ progress: @Sendable (Double) -> Void
  ) async throws(EngineError) {
    let reading = TrackReading(range: range, interrupt: interrupt, errors: errors)
    try await WorkLimiter.shared.run(.batch, interrupt: interrupt) { () throws(EngineError) in
      frames = try track.timeline.frames(reading, priority: .batch)
    }
    defer {
      frames?.stop()
      frames = nil
    }
    var done = 0.0
    var isAtEnd = false
    while !isAtEnd {
      if interrupt.isTriggered { throw cancelled }
      await frames?.wait(interrupt: interrupt, isolation: self)
      let end = try await WorkLimiter.shared.run(.batch, interrupt: interrupt) {
        () throws(EngineError) in
        try takeFrames(canvas: track.timeline.canvas)
      }
      isAtEnd = end == nil
      if let end, end.isNumeric {
        done = max(done, min(1, (end - range.start).seconds / range.duration.seconds))
      }
      progress(isAtEnd ? 1 : done)
    }
  }

  /// Frames that are compared in one slot of the ``WorkLimiter``.
  private static let framesInPlace = 32

  /// Searches some frames; returns the start of the last one, nil at the end of all.
  private func takeFrames(canvas: Canvas?) throws(EngineError) -> Time? {
    var last = Time.invalid
    var count = 0
    while count < Self.framesInPlace {
      if interrupt.isTriggered { throw cancelled }
      switch try frames?.take() ?? .end {
      case .skipped: continue
      case .pending: return last
      case .end: return nil
      case .element(let frame):
        last = frame.timing.start
        detector.add(try picture(of: frame, canvas), at: last)
        try check(detector.count)
        frame.release()
      }
      count += 1
    }
    return last
  }

  /// A frame in the size of a small picture, from any size and shape.
  private func picture(of due: TimedFrame, _ canvas: Canvas?) throws(EngineError) -> SmallPicture {
    let frame = try due.frame()
    return try mapErrors(.convert, path: due.format.path) { () throws(LibAVError) in
      let size = (width: SmallPicture.width, height: SmallPicture.height)
      let layout = try PictureLayout(width: size.width, height: size.height, format: .gray)
      let rendering = FrameRendering(
        of: frame.value, due.format, in: .source, canvas: canvas, size: size)
      let color = PictureColor(of: frame.value, rendering, as: .gray)
      return SmallPicture(
        try renderer.pixels(
          of: frame.value, rendering, in: layout, color, allocator: HeapAllocator()
        ).block)
    }
  }

  /// The changes with the numbers of their frames, where the track's frames have some.
  private func numbered(
    _ found: [FoundSceneChange], of track: TrackInfo
  ) throws(EngineError) -> [SceneChanges.Change] {
    let numbers = try FrameNumbers(track.timeline, interrupt: interrupt)
    return try found.map { (change) throws(EngineError) in
      SceneChanges.Change(
        time: change.time, sampleIndex: try numbers?.number(ofFrameAt: change.time),
        score: change.score)
    }
  }

  private func check(_ count: Int) throws(EngineError) {
    guard count > SceneChanges.maximumCount else { return }
    throw EngineError(
      .limitExceeded,
      "'\(asset.path)' has more than \(SceneChanges.maximumCount) scene changes",
      advice: .requestFewerResults, path: asset.path)
  }

  private var cancelled: EngineError { .cancelled("The search for scene changes") }
}

/// The numbers of a track's frames, in presentation order.
private struct FrameNumbers {
  private let choice: ImageChoice
  private let isWhole: Bool
  private let interrupt: Interrupt

  /// Nil for a track whose frames have no numbers.
  init?(_ timeline: TrackTimeline, interrupt: Interrupt) throws(EngineError) {
    isWhole = timeline.hasIndex
    guard isWhole || timeline.edited != nil else { return nil }
    var exactly = ImageGenerator.Configuration()
    exactly.requestedTimeToleranceBefore = .zero
    exactly.requestedTimeToleranceAfter = .zero
    choice = try ImageChoice(timeline, exactly, .whole, interrupt: interrupt)
    self.interrupt = interrupt
  }

  func number(ofFrameAt time: Time) throws(EngineError) -> Int? {
    guard case .success(let frame) = try choice.frame(.shown(at: time)) else { return nil }
    guard isWhole else { return frame.number }
    let index = try frame.media.index(interrupt: interrupt)
    guard index.isReliable, index.reachesStart else { return nil }
    return index.position(at: frame.ticks)
  }
}
