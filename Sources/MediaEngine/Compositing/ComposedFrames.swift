import LibAV
import MediaTime
import SystemIO

/// The pictures of a video composition in a range, in order: each is known by what it is put together of, and
/// drawn by whoever takes it.
///
/// Pulled by output time: for each picture its instruction is found, and each of its layers shows what its track
/// shows at that time. A picture that is put together of the same as the one before it is the same one.
final class ComposedFrames: FrameStream {
  private let source: ComposedSource
  private let times: PictureTimes
  private let feeds: [Int32: LayerFeed]
  private let end: Time
  private let interrupt: Interrupt
  /// When the next picture begins; nil before the first one, and at the end.
  private var next: (start: Time, following: Time)?
  private var isOver = false
  private var last: (recipe: PictureRecipe, picture: ComposedPicture)?
  /// The feed that has nothing decoded yet.
  private var awaited: LayerFeed?

  init(
    _ source: ComposedSource, _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) {
    self.source = source
    interrupt = reading.interrupt
    times = source.times(interrupt: reading.interrupt)
    let range = reading.range.intersection(source.range)
    guard range.isValid, !range.isEmpty else {
      (end, feeds, isOver) = (.zero, [:], true)
      return
    }
    end = range.end
    let first = try times.picture(at: range.start)
    next = first
    let read = TimeRange(start: min(first.start, range.start), end: range.end)
    var feeds: [Int32: LayerFeed] = [:]
    for (number, track) in source.layerTracks.enumerated() {
      let uses = source.composition.uses(of: track.trackID, in: read)
      var own = reading
      own.errors = reading.errors?.parts[number]
      feeds[track.trackID] = LayerFeed(track, uses: uses, own, priority: priority)
    }
    self.feeds = feeds
  }

  deinit { stop() }

  func stop() {
    for feed in feeds.values { feed.stop() }
    isOver = true
    (last, awaited) = (nil, nil)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    await awaited?.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { awaited?.waitBlocking() }

  func take() throws(EngineError) -> FrameStep {
    if interrupt.isTriggered { throw .cancelled("The pictures of '\(source.path)'") }
    awaited = nil
    guard !isOver, let (start, following) = next, start < end else {
      isOver = true
      return .end
    }
    // Each is brought forward, so that all decode at the same time.
    for feed in feeds.values where try !feed.advance(to: start) { awaited = feed }
    if awaited != nil { return .pending }
    let picture = try picture(at: start)
    next = following < end ? try times.picture(at: following) : nil
    if let next, next.start < following { self.next = (following, next.following) }
    let timing = FrameTiming(start: start, duration: following - start, following: next?.start)
    return .frame(TimedFrame(picture, timing: timing, format: source.format))
  }

  private func picture(at time: Time) throws(EngineError) -> ComposedPicture {
    let composition = source.composition
    guard let instruction = composition.instruction(at: time) else {
      throw EngineError(
        .invalidVideoComposition,
        "The video composition has no instruction at \(time.secondsDescription)",
        hint: "Its instructions have to cover all that is shown of '\(source.path)'.")
    }
    let layers = instruction.layerInstructions.compactMap { layer -> PictureRecipe.Layer? in
      guard let feed = feeds[layer.trackID], let frame = feed.frame(at: time),
        let placement = source.placement(of: frame, layer, at: time)
      else { return nil }
      return PictureRecipe.Layer(
        frame: frame, placement: placement, opacity: layer.opacity(at: time))
    }
    let recipe = PictureRecipe(
      top: layers, background: instruction.backgroundColor, in: source.pictures.layout)
    if let last, last.recipe == recipe { return last.picture }
    let made = ComposedPicture(recipe, source.pictures, source.compositors, path: source.path)
    last = (recipe, made)
    return made
  }
}

extension VideoComposition {
  /// The instruction at a time: their ranges ascend and follow each other.
  func instruction(at time: Time) -> Instruction? {
    var (low, high) = (0, instructions.count)
    while low < high {
      let middle = (low + high) / 2
      if instructions[middle].timeRange.end <= time { low = middle + 1 } else { high = middle }
    }
    guard low < instructions.count, instructions[low].timeRange.start <= time else { return nil }
    return instructions[low]
  }

  /// When a track is shown within a range: ranges apart from each other, in order.
  func uses(of trackID: Int32, in range: TimeRange) -> [TimeRange] {
    var uses: [TimeRange] = []
    for instruction in instructions {
      guard instruction.layerInstructions.contains(where: { $0.trackID == trackID }) else {
        continue
      }
      let part = instruction.timeRange.intersection(range)
      guard part.isValid, !part.isEmpty else { continue }
      if let before = uses.last, before.end == part.start {
        uses[uses.count - 1] = TimeRange(start: before.start, end: part.end)
      } else {
        uses.append(part)
      }
    }
    return uses
  }
}
