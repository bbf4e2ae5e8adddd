import LibAV
import MediaTime
import Synchronization
import SystemIO

/// A frame of a layer, as all pictures that show it share it.
final class LayerFrame: Sendable {
  let frame: Handoff<Frame>
  let start: Time
  /// The time at which the track shows something else.
  let end: Time
  let format: TrackFormat
  /// The layer that was made of it last: a still picture is scaled once.
  private let prepared = Mutex<(key: Preparation, layer: Handoff<PreparedLayer>?)?>(nil)

  /// The image of it for the caller's compositor.
  private let image = Mutex<PixelBuffer?>(nil)

  /// The properties that determine the preparation of a layer.
  struct Preparation: Hashable {
    let placement: LayerPlacement
    let path: PictureCompositor.Path
  }

  /// - Parameter timed: a decoded frame, with its timing.
  init(_ timed: TimedFrame, end: Time) throws(EngineError) {
    frame = try timed.frame()
    start = timed.timing.start
    self.end = end
    format = timed.format
  }

  /// Returns the layer that `make` makes, once; nil where nothing of it is visible.
  func layer(
    _ key: Preparation,
    _ make: (borrowing Frame) throws(LibAVError) -> PreparedLayer?
  ) throws(LibAVError) -> Handoff<PreparedLayer>? {
    try prepared.withLock { (prepared) throws(LibAVError) in
      if let prepared, prepared.key == key { return prepared.layer }
      var layer: Handoff<PreparedLayer>?
      if let made = try make(frame.value) { layer = Handoff(made) }
      prepared = (key, layer)
      return layer
    }
  }
}

extension LayerFrame {
  /// Returns the image that `make` makes for the caller's compositor, once: all of a composition is
  /// exchanged in one format.
  func image(
    _ make: () throws(LibAVError) -> PixelBuffer
  ) throws(LibAVError) -> PixelBuffer {
    try image.withLock { (image) throws(LibAVError) in
      if let image { return image }
      let made = try make()
      image = made
      return made
    }
  }
}

/// The frames of a track for as long as a video composition shows it.
///
/// It is opened shortly before it is shown, so that decoding has begun by then, and closed afterwards.
final class LayerFeed {
  private let track: TrackInfo
  private var reading: TrackReading
  private let priority: WorkLimiter.Priority
  /// The ranges in which it is shown, in order; the first is the one that is read.
  private var uses: ArraySlice<TimeRange>
  private var frames: (any MediaStream<TimedFrame>)?
  private var current: LayerFrame?
  private var ahead: TimedFrame?
  private var isOver = false

  /// So long before it is shown a track is opened.
  private static let preroll = Time(value: 1, timescale: 1)

  /// - Parameter uses: ascending, apart from each other.
  init(
    _ track: TrackInfo, uses: [TimeRange], _ reading: TrackReading, priority: WorkLimiter.Priority
  ) {
    (self.track, self.uses, self.reading) = (track, uses[...], reading)
    self.priority = priority
  }

  deinit { stop() }

  func stop() {
    frames?.stop()
    (frames, current, ahead, isOver) = (nil, nil, nil, false)
  }

  /// Begins again at a time, which may be before the one before.
  ///
  /// - Parameter uses: as those that it was made with, from that time on.
  func restart(uses next: [TimeRange], at time: Time) throws(EngineError) {
    let open = uses.first
    uses = next[...]
    reading.isRestarted = true
    // An open stream may continue to the end of its use.
    guard let restartable = frames?.restartable, let use = next.first, use.end == open?.end,
      use.start <= time
    else { return stop() }
    (current, ahead, isOver) = (nil, nil, false)
    try restartable.restart(at: time)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    await frames?.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { frames?.waitBlocking() }

  /// Moves on to the frame at a time, which is no earlier than the previous one.
  ///
  /// - Returns: false where that isn't decoded yet.
  func advance(to time: Time) throws(EngineError) -> Bool {
    while let use = uses.first, use.end <= time {
      stop()
      uses.removeFirst()
    }
    guard let use = uses.first, use.start - LayerFeed.preroll <= time else { return true }
    if frames == nil {
      var reading = reading
      reading.range = use
      frames = try track.timeline.frames(reading, priority: priority)
    }
    guard use.start <= time else { return true }
    while !isOver {
      if let next = ahead {
        guard next.timing.start <= time else { break }
        current = try LayerFrame(next, end: end(of: next.timing))
        ahead = nil
      }
      if let current, current.end > time { break }
      switch try frames?.take() {
      case .pending: return false
      case .skipped: continue
      case .element(let frame): ahead = frame
      case .end, nil: isOver = true
      }
    }
    return true
  }

  /// Returns the time at which the track shows something else than a frame. The last one of a file
  /// ends as its index has it, as for images: the frame itself may state less, or nothing.
  private func end(of frame: FrameTiming) throws(EngineError) -> Time {
    if let following = frame.following { return following }
    let stated = frame.start + frame.duration
    guard let media = track.timeline.stored else { return stated }
    let end = try media.index(interrupt: reading.interrupt).end.map(media.time)
    return max(stated, end ?? stated)
  }

  /// Returns the frame of the track at that time; nil for none.
  func frame(at time: Time) -> LayerFrame? {
    guard let current, current.start <= time, time < current.end else { return nil }
    return current
  }
}
