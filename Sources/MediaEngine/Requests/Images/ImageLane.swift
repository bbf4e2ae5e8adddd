import MediaTime
import Synchronization
import SystemIO

/// A decoder and the renderer of its frames, which stay open from one request to the next.
actor ImageLane: QueueActor {
  package nonisolated let queue = WorkQueue("imageLane")
  private let renderer: ImageRenderer
  private let threads: Int
  private let deinterlaces: Bool
  private var track: DecodedTrack?

  init(configuration: ImageGenerator.Configuration, size: WantedSize, threads: Int) {
    renderer = ImageRenderer(configuration: configuration, size: size)
    self.threads = threads
    deinterlaces = configuration.deinterlaces
  }

  /// Runs jobs until none is left, or an error concerns all of them.
  func run(_ work: ImageWork) async {
    IdleLanes.shared.remove(self)
    await makeImages(work)
    guard track != nil, let closed = IdleLanes.shared.insert(self) else { return }
    await closed.close()
  }

  /// Closes the decoder; the next request opens another.
  private func close() { track = nil }

  private func makeImages(_ work: ImageWork) async {
    do throws(EngineError) {
      while let job = work.takeJob() {
        for target in job.decoding.targets {
          let result = try await image(of: target, in: job, work)
          if let result { await work.finish(target, result) } else { work.doubt(target) }
        }
      }
    } catch {
      work.stop(error)
    }
  }

  /// - Returns: nil where more of the index has to be known to be certain.
  /// - Throws: errors that end the whole request; the failure of one image is a result.
  private func image(
    of target: DecodePlan.Target, in job: ImagePlan.Job, _ work: ImageWork
  ) async throws(EngineError) -> Result<GeneratedImage, EngineError>? {
    do throws(EngineError) {
      let image: GeneratedImage? = try await work.output.destination.work(
        .interactive, interrupt: work.interrupt
      ) {
        () throws(EngineError) in
        let track = try openTrack(for: job, interrupt: work.interrupt)
        let start = job.decoding.start
        let requested = work.frames[target.request]
        if case .first = requested {
          try track.decodeFirst(target, from: start, interrupt: work.interrupt)
        } else {
          try track.decode(target, from: start, interrupt: work.interrupt)
        }
        if !work.isLastAttempt, !track.isCertain(target) { return nil }
        let moment = self.moment(
          of: track, requested: requested, work.plan.parts[target.request],
          number: work.plan.numbers[target.request])
        if case .sample(let number) = requested, let time = track.currentTime,
          let expected = target.expected, time != expected
        {
          throw .undecodable(frame: number, of: track.media, instead: moment)
        }
        return try track.withPicture { (picture) throws(EngineError) in
          try renderer.render(
            picture, of: job.format, in: work.view, moment: moment, kind: work.kind,
            output: work.output)
        }
      }
      return image.map { .success($0) }
    } catch {
      if error.isCancellation { throw error }
      // A demuxer remembers that reading failed; the next request begins with a new one.
      if error.stage == .read { track = nil }
      if !work.isLastAttempt { return nil }
      return .failure(error)
    }
  }

  /// Returns the times and the number of the track's current frame, which is exact if it is the requested one.
  ///
  /// A frame that was requested by its number, or as the first one, has its own time as the requested time.
  private func moment(
    of track: DecodedTrack, requested frame: RequestedFrame, _ part: TrackTimeline.Part?,
    number: Int?
  ) -> ImageMoment {
    let requested = frame.time
    let media = track.media
    let index = track.index
    let pts = track.currentTime ?? index.start ?? 0
    let start = media.time(pts)
    let actual = part?.start(of: start) ?? start
    // Where the source is cut or shown elsewhere, numbers of its frames aren't the track's.
    let isWhole = part?.isIdentity ?? true
    let wanted =
      requested.map {
        media.ticks(part?.sourceTime($0) ?? $0, rounding: .towardNegativeInfinity)
      } ?? pts
    guard index.isReliable, let position = index.position(at: pts) else {
      // Without times in the file, and without an order of its frames, nothing is certain.
      return ImageMoment(
        requestedTime: requested ?? actual, actualTime: actual, sampleIndex: nil, isExact: false)
    }
    let isShown =
      requested.map { requested in
        (part?.isShown(at: requested) ?? true) && index.position(at: wanted) == position
          && (wanted < (index.end ?? .max) || !isWhole)
      } ?? frame.isSample(number ?? position)
    return ImageMoment(
      requestedTime: requested ?? actual, actualTime: actual,
      sampleIndex: isWhole && index.reachesStart ? position : number,
      isExact: isShown && track.isFrameWhole && index.sample(atPosition: position).pts == pts)
  }

  /// Returns the track's decoder. One whose threads share frames isn't used for many of them.
  private func openTrack(
    for job: ImagePlan.Job, interrupt: Interrupt
  ) throws(EngineError) -> DecodedTrack {
    let (media, isShort) = (job.media, job.decoding.isShort)
    // A demuxer is bound to the interrupt it was opened with: the generator's, not one request's.
    let lifetime = interrupt.parent ?? interrupt
    if let track, track.lifetime === lifetime, track.media.isSameStream(as: media),
      isShort || !track.sharesFrames
    {
      try track.use(media)
      return track
    }
    let made = try DecodedTrack(
      media: media, lifetime: lifetime, threads: threads, sharesFrames: isShort && threads > 1,
      deinterlaces: deinterlaces)
    track = made
    return made
  }
}

extension EngineError {
  /// The error of a frame that was requested by its number, where the decoder has another one for its time.
  fileprivate static func undecodable(
    frame number: Int, of media: StoredTrack, instead moment: ImageMoment
  ) -> EngineError {
    let other = moment.sampleIndex.flatMap { $0 == number ? nil : "frame \($0)" }
    return EngineError(
      .decodeFailed,
      "Frame \(number) of '\(media.path)' can't be decoded: "
        + "\(other ?? "that of \(moment.actualTime.secondsDescription)") would be in its place",
      advice: .chooseOtherFrame, path: media.path, stage: .decode)
  }
}

/// The lanes of all generators that have an open decoder and no work, in the order of their use.
///
/// A decoder and its demuxer take megabytes, and generators live until they are closed. Only the lanes that were
/// used last stay open.
final class IdleLanes: Sendable {
  static let shared = IdleLanes()

  private struct Entry {
    weak var lane: ImageLane?
  }

  /// All lanes of some generators: those for several regions, and the one for a single region.
  static let capacity = max(16, 4 * (WorkLimiter.shared.slots + 1))
  private let entries = Mutex<[Entry]>([])
  /// The number of lanes that were to be closed for others.
  private let closings = Atomic<Int>(0)
  var closedCount: Int { closings.load(ordering: .relaxed) }

  /// Adds a lane that has ended its work; returns the lane to close, if there are too many.
  func insert(_ lane: ImageLane) -> ImageLane? {
    entries.withLock { entries in
      entries.removeAll { $0.lane == nil || $0.lane === lane }
      entries.append(Entry(lane: lane))
      guard entries.count > IdleLanes.capacity else { return nil }
      closings.add(1, ordering: .relaxed)
      return entries.removeFirst().lane
    }
  }

  /// The number of lanes with an open decoder.
  var count: Int { entries.withLock { $0.count { $0.lane != nil } } }

  func remove(_ lane: ImageLane) { entries.withLock { $0.removeAll { $0.lane === lane } } }
}

/// One request for images, shared by the lanes.
final class ImageWork: Sendable {
  private struct State {
    var next = 0
    var doubtful: [Int] = []
    var error: EngineError?
  }

  let frames: [RequestedFrame]
  let output: ImageOutput
  let kind: ImageOutput.Kind
  let interrupt: Interrupt
  let plan: ImagePlan
  /// Nil where frames are shown without a canvas.
  let view: CanvasView?
  let jobs: [ImagePlan.Job]
  /// False where doubtful images can be made once more with more of the index.
  let isLastAttempt: Bool
  private let deliver: ImageDecoder.Deliver
  private let delivering = WorkLimiter(slots: 1)
  private let state = Mutex(State())

  init(
    frames: [RequestedFrame], output: ImageOutput, kind: ImageOutput.Kind, interrupt: Interrupt,
    plan: ImagePlan, view: CanvasView?, isLastAttempt: Bool, deliver: @escaping ImageDecoder.Deliver
  ) {
    self.frames = frames
    self.output = output
    self.kind = kind
    self.interrupt = interrupt
    self.plan = plan
    self.view = view
    self.isLastAttempt = isLastAttempt
    jobs = plan.jobs
    self.deliver = deliver
  }

  /// The next job; nil when there is none, or no use in it.
  func takeJob() -> ImagePlan.Job? {
    state.withLock { state in
      guard state.error == nil, jobs.indices.contains(state.next) else { return nil }
      defer { state.next += 1 }
      return jobs[state.next]
    }
  }

  func finish(
    _ target: DecodePlan.Target, _ result: Result<GeneratedImage, EngineError>
  ) async {
    // One at a time; never interrupted, for each has to be delivered.
    guard (try? await delivering.enter(interrupt: Interrupt())) != nil else { return }
    await deliver(target.request, result)
    delivering.leave()
  }

  /// Leaves a target to the next attempt.
  func doubt(_ target: DecodePlan.Target) {
    state.withLock { $0.doubtful.append(target.request) }
  }

  /// The requests that are left to the next attempt.
  var doubtful: [Int] { state.withLock(\.doubtful) }

  /// Ends the request for all lanes.
  func stop(_ error: EngineError) { state.withLock { $0.error = $0.error ?? error } }

  /// The error that ended the request before its time.
  var error: EngineError? { state.withLock(\.error) }
}
