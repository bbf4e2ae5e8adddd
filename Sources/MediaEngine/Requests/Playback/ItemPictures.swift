import DequeModule
import LibAV
import MediaTime
import SystemIO

/// The frames of an item's video track around the time that is shown: those that are decoded ahead, and backward the
/// group of pictures before it.
///
/// Used by one task at a time, on the queue of its player.
final class ItemPictures {
  let track: TrackInfo
  private let interrupt: Interrupt
  private let errors: DecodeErrors
  private var noted = NotedDamage()
  private let range: TimeRange
  private let frames: any MediaStream<TimedFrame>
  /// Frames that follow each other, in presentation order.
  private var window: Deque<TimedFrame> = []
  /// The time from which on the window has every frame.
  private var start: Time
  private var isAtEnd = false
  /// Called before it waits for a frame.
  var willWait: (() -> Void)?
  /// True while frames before the one that is shown are retained.
  private var isBackward = false
  /// The maximum bytes of frames before the one that is shown.
  private static let backwardBytes = 256 << 20
  /// The maximum bytes of frames that are decoded ahead after a stall.
  private static let aheadBytes = 64 << 20
  /// The distance up to which reading on is faster than a seek.
  private static let nearby = Time(value: 2, timescale: 1)

  /// - Parameter priority: the priority of decoding a frame that is due.
  init(
    _ track: TrackInfo, from time: Time, duration: Time, priority: WorkLimiter.Priority,
    interrupt: Interrupt
  ) throws(EngineError) {
    self.track = track
    self.interrupt = interrupt
    range = TimeRange(start: .zero, end: duration)
    start = time
    var reading = TrackReading(
      range: TimeRange(start: time, end: max(time, duration)), interrupt: interrupt)
    errors = DecodeErrors(track.timeline, range: range)
    reading.errors = errors
    // The samples before the time aren't read: none of them is missing.
    reading.isRestarted = time > .zero
    frames = try track.timeline.frames(reading, priority: priority)
  }

  deinit { frames.stop() }

  /// Notes the damage that was met, in the item.
  func noteDamage(in item: PlayerItem) { item.note(errors, of: track, &noted) }

  /// The end of the frames that are decoded and wait to be shown.
  var decodedEnd: Time? { window.last.map { $0.timing.start + $0.timing.duration } }

  /// The bytes of those frames.
  var byteCount: Int { window.reduce(0) { $0 + $1.byteCount } }

  /// Returns the frame that is shown at a time: the last one after the end; nil where nothing is shown.
  func frame(
    at time: Time, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> TimedFrame? {
    // Frames that were decoded for steps back are retained while the requested times are within them.
    if isBackward, time < start || (window.last.map { $0.timing.start < time } ?? true) {
      isBackward = false
    }
    return try await find(time, interrupt: interrupt)
  }

  /// Decodes ahead after a stall, up to a time.
  func fill(
    until time: Time, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    while !isAtEnd, byteCount < Self.aheadBytes, decodedEnd.map({ $0 < time }) ?? true {
      try await takeFrame(interrupt: interrupt)
    }
  }

  /// Returns true where the frame that is shown at a time needs no decoding.
  func holds(_ time: Time) -> Bool { time >= start && frame(inWindowAt: time) != nil }

  private func find(
    _ time: Time, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> TimedFrame? {
    if time < start { try restart(at: time) }
    if !isAtEnd, let last = window.last, time > last.timing.start + Self.nearby {
      try restart(at: time)
    }
    var isRestarted = false
    while true {
      dropPassed(time)
      if let first = frame(inWindowAt: time) { return first }
      if isAtEnd {
        if let last = window.last, last.timing.start <= time { return last }
        // Frames end before this time: the last one is still shown.
        guard window.isEmpty, !isRestarted, time > .zero else { return nil }
        isRestarted = true
        return try await last(before: time, interrupt: interrupt)
      }
      if let next = window.last, next.timing.start > time { return nil }
      try await takeFrame(interrupt: interrupt)
    }
  }

  private func frame(inWindowAt time: Time) -> TimedFrame? {
    guard let place = place(at: time) else { return nil }
    let frame = window[place]
    if time < frame.timing.start + frame.timing.duration { return frame }
    // A frame lasts until the next one, regardless of its duration.
    guard let following = frame.timing.following, place + 1 < window.count else { return nil }
    return time < following ? frame : nil
  }

  /// Returns the place in the window of the last frame that begins by a time.
  private func place(at time: Time) -> Int? { window.lastIndex { $0.timing.start <= time } }

  /// Returns the last frame of all.
  private func last(
    before time: Time, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> TimedFrame? {
    for back in [
      Time(value: 1, timescale: 1000), Time(value: 1, timescale: 1),
      Time(value: 10, timescale: 1), time,
    ] {
      try restart(at: max(.zero, time - back))
      while !isAtEnd {
        try await takeFrame(interrupt: interrupt)
        while window.count > 1 { window.removeFirst() }
      }
      if let last = window.last {
        start = last.timing.start
        return last
      }
    }
    return nil
  }

  /// Drops the frames before the one at a time.
  private func dropPassed(_ time: Time) {
    guard !isBackward else { return }
    while window.count > 1, window[1].timing.start <= time {
      window.removeFirst()
      if let first = window.first { start = first.timing.start }
    }
  }

  private func restart(at time: Time) throws(EngineError) {
    guard let restartable = frames.restartable else {
      throw EngineError(
        .operationNotSupportedForAsset, "'\(track.timeline.format.path)' can't be sought",
        advice: .playFromThere, path: track.timeline.format.path)
    }
    window = []
    (start, isAtEnd) = (time, false)
    try restartable.restart(at: time)
  }

  /// Reads the next frame, or notes the end.
  private func takeFrame(
    interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    while true {
      switch try frames.take() {
      case .element(let frame):
        window.append(frame)
        return
      case .skipped: continue
      case .pending:
        // A caller that must not wait uses the frames that are there.
        if interrupt.isTriggered { throw .cancelled("The picture") }
        willWait?()
        await frames.wait(interrupt: interrupt, isolation: isolation)
      case .end:
        isAtEnd = true
        return
      }
    }
  }

  // MARK: Neighbours

  /// Returns the frame after the one that is shown at a time; nil at the end.
  func frame(
    after time: Time, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> TimedFrame? {
    _ = try await find(time, interrupt: interrupt)
    while true {
      if let next = window.first(where: { $0.timing.start > time }) { return next }
      if isAtEnd { return nil }
      try await takeFrame(interrupt: interrupt)
    }
  }

  /// Returns the last frame that begins before a time; nil at the beginning.
  ///
  /// The group of pictures that it is in is decoded once. Its frames are retained, up to ``backwardBytes``.
  func frame(
    before time: Time, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> TimedFrame? {
    isBackward = true
    if start < time, let place = window.lastIndex(where: { $0.timing.start < time }) {
      // The last one of the window is followed by others that are earlier than the time, unless it reaches that.
      let found = window[place]
      let end = found.timing.following ?? found.timing.start + found.timing.duration
      if isAtEnd || place + 1 < window.count || end >= time { return found }
    }
    var from = time
    while from > .zero {
      from = try groupStart(before: from)
      try restart(at: from)
      while window.last.map({ $0.timing.start < time }) ?? true, !isAtEnd {
        try await takeFrame(interrupt: interrupt)
        trim()
      }
      if let place = window.lastIndex(where: { $0.timing.start < time }) { return window[place] }
    }
    return nil
  }

  /// Returns the time at which decoding begins for the frames before a time: the sync sample of their group, or a
  /// second earlier.
  private func groupStart(before time: Time) throws(EngineError) -> Time {
    let earlier = max(.zero, time - Time(value: 1, timescale: 1))
    guard
      let part = track.timeline.parts.last(where: { part in
        !part.isEmpty && (part.isIdentity || part.mapping.target.start < time)
      }), let media = part.source?.stored
    else { return earlier }
    let index = try media.index(interrupt: interrupt)
    let ticks = media.ticks(part.sourceTime(time), rounding: .towardPositiveInfinity) - 1
    guard let position = index.position(at: ticks) else { return .zero }
    let sync = index.samples[index.randomAccessPoint(forPosition: position)]
    var found = part.start(of: media.time(sync.pts))
    if !part.isIdentity { found = max(found, part.mapping.target.start) }
    return found < time ? max(.zero, found) : earlier
  }

  /// Drops the earliest frames while all together exceed ``backwardBytes``.
  private func trim() {
    var bytes = byteCount
    while bytes > Self.backwardBytes, window.count > 2, let first = window.popFirst() {
      bytes -= first.byteCount
      if let next = window.first { start = next.timing.start }
    }
  }
}
