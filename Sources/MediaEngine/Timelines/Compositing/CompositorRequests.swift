import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The pictures of one stream that the caller's compositor draws: requested in their order, and
/// abandoned with the stream, or when no answer comes.
///
/// No slot of the ``WorkLimiter`` is occupied while the caller draws.
actor CompositorRequests: QueueActor {
  package nonisolated let queue = WorkQueue("compositorRequests")
  private nonisolated let source: ComposedSource
  private nonisolated let compositor: any VideoCompositing
  private nonisolated let form: CompositorFormat
  private nonisolated let priority: WorkLimiter.Priority
  private nonisolated let interrupt = Interrupt()
  private nonisolated let serializer = FIFOSerializer()
  private nonisolated let renderer = Mutex(FrameRenderer())

  private struct Outstanding {
    var pictures: [RequestedPicture] = []
    /// The time of the first request, or of the last answer.
    var since = ContinuousClock.now
    var isWatched = false
  }
  private nonisolated let outstanding = Mutex(Outstanding())

  /// The maximum number, and the maximum number of bytes, of pictures that are requested at once.
  private static let maximumPictures = 4
  private static let maximumBytes = 64 << 20

  /// The maximum number of pictures that may be requested at once.
  nonisolated var limit: Int {
    max(1, min(Self.maximumPictures, Self.maximumBytes / max(1, form.layout.size)))
  }

  init(
    _ source: ComposedSource, _ compositor: any VideoCompositing, priority: WorkLimiter.Priority
  ) throws(EngineError) {
    (self.source, self.compositor, self.priority) = (source, compositor, priority)
    form = try CompositorFormat(source.composition, source.pictures, path: source.path)
  }

  /// Gives up all that is out.
  nonisolated func cancel() {
    interrupt.trigger()
    let given = outstanding.withLock { outstanding in
      defer { outstanding.pictures = [] }
      return outstanding.pictures
    }
    for picture in given { picture.fail(.cancelled("The picture")) }
  }

  /// Asks for a picture.
  nonisolated func picture(
    at time: Time, _ instruction: VideoComposition.Instruction,
    of layers: [(trackID: Int32, frame: LayerFrame)]
  ) -> RequestedPicture {
    let picture = RequestedPicture(
      at: time, instruction, of: layers, form, source.compositors, path: source.path)
    let ticket = serializer.takeTicket()
    Task {
      await ticket.begin()
      do throws(EngineError) {
        try await self.send(picture)
      } catch {
        picture.fail(error)
      }
      ticket.end()
    }
    return picture
  }

  private func send(_ picture: RequestedPicture) async throws(EngineError) {
    let timeout = source.composition.compositorTimeout
    let target = try await compositor.targetDestination.within(timeout).work(
      priority, interrupt: interrupt
    ) { [compositor, form] () throws(EngineError) in
      let block = try mapErrors(.convert) { () throws(SystemError) in
        try compositor.targetDestination.allocator.allocate(count: form.layout.size)
      }
      return PixelBuffer(
        picture: form.target, data: DataBuffer(block: block))
    }
    var sources: [VideoCompositionRequest.Source] = []
    for (trackID, layer) in picture.takeLayers() {
      let frame = try await image(of: layer, trackID: trackID, within: timeout)
      sources.append(.init(trackID: trackID, time: layer.start, frame: frame))
    }
    let request = VideoCompositionRequest(
      at: picture.time, picture.instruction, sources: sources, target: target
    ) { [weak self] error in
      if let error { picture.fail(error) } else { picture.finish(target.data) }
      self?.remove(picture)
    }
    guard add(picture) else { throw .cancelled("The picture") }
    compositor.start(request)
  }

  /// Returns a frame in the caller's form, which all pictures that show it share.
  private func image(
    of layer: LayerFrame, trackID: Int32, within timeout: Duration
  ) async throws(EngineError) -> PixelBuffer {
    let destination = compositor.sourceDestination.within(timeout)
    let isShownUpright =
      source.layerTracks.first { $0.trackID == trackID }?.timeline.canvas != nil
    return try await destination.work(priority, interrupt: interrupt) {
      [form, source] () throws(EngineError) in
      try mapErrors(.convert, path: source.path) { () throws(LibAVError) in
        try layer.image { () throws(LibAVError) in
          try self.renderer.withLock { (renderer) throws(LibAVError) in
            try form.source(
              layer, isShownUpright: isShownUpright, by: &renderer, destination.allocator)
          }
        }
      }
    }
  }

  // MARK: Outstanding requests

  /// Adds a picture; false once the stream has ended.
  private nonisolated func add(_ picture: RequestedPicture) -> Bool {
    let isUnwatched = outstanding.withLock { outstanding -> Bool? in
      if interrupt.isTriggered { return nil }
      if outstanding.pictures.isEmpty { outstanding.since = .now }
      outstanding.pictures.append(picture)
      defer { outstanding.isWatched = true }
      return !outstanding.isWatched
    }
    guard let isUnwatched else { return false }
    if isUnwatched {
      let timeout = source.composition.compositorTimeout
      Task { [weak self] in
        var next: ContinuousClock.Instant? = .now + timeout
        while let deadline = next {
          try? await Task.sleep(until: deadline)
          next = self?.deadline(after: timeout)
        }
      }
    }
    return true
  }

  private nonisolated func remove(_ picture: RequestedPicture) {
    outstanding.withLock { outstanding in
      outstanding.pictures.removeAll { $0 === picture }
      outstanding.since = .now
    }
  }

  /// Returns the time of the next check; nil when no request is outstanding any more, also because
  /// answers are missing.
  private nonisolated func deadline(after timeout: Duration) -> ContinuousClock.Instant? {
    let (late, next) = outstanding.withLock {
      outstanding -> ([RequestedPicture], ContinuousClock.Instant?) in
      let deadline = outstanding.since + timeout
      if !outstanding.pictures.isEmpty, deadline > .now { return ([], deadline) }
      defer { (outstanding.pictures, outstanding.isWatched) = ([], false) }
      return (outstanding.pictures, nil)
    }
    for picture in late {
      picture.fail(
        EngineError(
          .videoCompositorFailed,
          "The compositor has not drawn the picture at \(picture.time.secondsDescription): "
            + "no answer has come within \(timeout)",
          advice: .answerPictures))
    }
    return next
  }
}

extension Destination {
  /// Returns the same destination with a limit of the time that it waits for room.
  fileprivate func within(_ timeout: Duration) -> Destination {
    if case .shared(let memory, _) = self { .shared(memory, timeout: timeout) } else { self }
  }
}
