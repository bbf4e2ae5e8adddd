import DequeModule
import LibAV
import MediaTime
import SystemIO

/// The pictures of a video composition in a range, in order: each is identified by its contents,
/// and drawn by its first caller.
///
/// Pulled by output time: for each picture its instruction is found, and each of its layers shows
/// its track's frame at that time. A picture with the same contents as the one before it is the
/// same one.
final class ComposedFrames: RestartableStream {
  private let source: ComposedSource
  private let priority: WorkLimiter.Priority
  private let times: PictureTimes
  private let feeds: [Int32: LayerFeed]
  private let end: Time
  private let interrupt: Interrupt
  /// The start of the next picture; nil before the first one, and at the end.
  private var next: (start: Time, following: Time)?
  private var isOver = false
  private var last: (contents: PictureContents, picture: ComposedPicture)?
  /// The feed that has nothing decoded yet.
  private var awaited: LayerFeed?
  /// The pictures that the caller draws; nil where the engine draws everything.
  private var requests: CompositorRequests?
  /// The pictures that have been composed ahead, in order.
  private var due: Deque<Due> = []
  /// The maximum number of them. One at first: a caller that wants a single image has no more of
  /// them drawn.
  private var limit = 1
  /// The failure that follows `due`.
  private var failure: EngineError?

  private struct Due {
    let frame: TimedFrame
    /// Nil for a picture that the engine draws.
    let requested: RequestedPicture?
  }

  init(
    _ source: ComposedSource, _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) {
    self.source = source
    self.priority = priority
    interrupt = reading.interrupt
    requests = try source.requests(priority: priority)
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

  func restart(at time: Time) throws(EngineError) {
    guard time < end else { return stop() }
    let start = max(time, source.range.start)
    requests?.cancel()
    requests = try source.requests(priority: priority)
    let first = try times.picture(at: start)
    let read = TimeRange(start: min(first.start, start), end: end)
    for (trackID, feed) in feeds {
      try feed.restart(uses: source.composition.uses(of: trackID, in: read), at: read.start)
    }
    (next, isOver, failure, last, awaited) = (first, false, nil, nil, nil)
    (due, limit) = ([], 1)
  }

  func stop() {
    for feed in feeds.values { feed.stop() }
    requests?.cancel()
    isOver = true
    (last, awaited) = (nil, nil)
    due = []
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if let picture = due.first?.requested {
      await picture.wait(interrupt: interrupt, isolation: isolation)
    } else {
      await awaited?.wait(interrupt: interrupt, isolation: isolation)
    }
  }

  func waitBlocking() {
    if let picture = due.first?.requested {
      picture.waitBlocking(interrupt: interrupt)
    } else {
      awaited?.waitBlocking()
    }
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    if interrupt.isTriggered { throw .cancelled("The pictures of '\(source.path)'") }
    awaited = nil
    do throws(EngineError) {
      while failure == nil, due.count < limit, let made = try makeNext() { due.append(made) }
    } catch {
      failure = error
    }
    guard let first = due.first else {
      if let failure { throw failure }
      return isOver ? .end : .pending
    }
    if let requested = first.requested, !requested.isReady { return .pending }
    due.removeFirst()
    limit = min(limit + 1, requests?.limit ?? 1)
    return .element(first.frame)
  }

  /// Puts the next picture together; nil at the end, and where a layer isn't decoded yet.
  private func makeNext() throws(EngineError) -> Due? {
    guard !isOver, let (start, following) = next, start < end else {
      isOver = true
      return nil
    }
    // Each is brought forward, so that all decode at the same time.
    for feed in feeds.values where try !feed.advance(to: start) { awaited = feed }
    if awaited != nil { return nil }
    let instruction = try instruction(at: start)
    next = following < end ? try times.picture(at: following) : nil
    if let next, next.start < following { self.next = (following, next.following) }
    let timing = FrameTiming(start: start, duration: following - start, following: next?.start)
    if instruction.compositor == .client, let requests {
      let requested = requests.picture(
        at: start, instruction, of: shown(by: instruction, at: start))
      return Due(
        frame: TimedFrame(requested, timing: timing, format: source.format), requested: requested)
    }
    let picture = picture(of: instruction, at: start)
    return Due(
      frame: TimedFrame(picture, timing: timing, format: source.format), requested: nil)
  }

  /// Returns the frames of the tracks of an instruction at a time, each once.
  private func shown(
    by instruction: VideoComposition.Instruction, at time: Time
  ) -> [(trackID: Int32, frame: LayerFrame)] {
    var found: [(trackID: Int32, frame: LayerFrame)] = []
    for layer in instruction.layerInstructions
    where !found.contains(where: { $0.trackID == layer.trackID }) {
      if let frame = feeds[layer.trackID]?.frame(at: time) { found.append((layer.trackID, frame)) }
    }
    return found
  }

  private func instruction(
    at time: Time
  ) throws(EngineError) -> VideoComposition.Instruction {
    guard let instruction = source.composition.instruction(at: time) else {
      throw EngineError(
        .invalidVideoComposition,
        "The video composition has no instruction at \(time.secondsDescription)",
        advice: .coverAll(source.path))
    }
    return instruction
  }

  private func picture(
    of instruction: VideoComposition.Instruction, at time: Time
  ) -> ComposedPicture {
    let layers = instruction.layerInstructions.compactMap { layer -> PictureContents.Layer? in
      guard let feed = feeds[layer.trackID], let frame = feed.frame(at: time),
        let placement = source.placement(of: frame, layer, at: time)
      else { return nil }
      return PictureContents.Layer(
        frame: frame, placement: placement, opacity: layer.opacity(at: time))
    }
    let contents = PictureContents(
      top: layers, background: instruction.backgroundColor,
      texts: source.texts?.texts(at: time) ?? [], in: source.pictures.layout)
    if let last, last.contents == contents { return last.picture }
    let made = ComposedPicture(
      contents, source.pictures, source.compositors, source.texts, path: source.path)
    last = (contents, made)
    return made
  }
}

extension VideoComposition {
  /// Returns the instruction at a time. The ranges of instructions ascend and follow each other.
  func instruction(at time: Time) -> Instruction? {
    var (low, high) = (0, instructions.count)
    while low < high {
      let middle = (low + high) / 2
      if instructions[middle].timeRange.end <= time { low = middle + 1 } else { high = middle }
    }
    guard low < instructions.count, instructions[low].timeRange.start <= time else { return nil }
    return instructions[low]
  }

  /// Returns the ranges in which a track is shown within a range: ranges apart from each other, in
  /// order.
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
