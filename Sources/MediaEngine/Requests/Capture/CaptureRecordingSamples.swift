import DequeModule
import MediaTime
import Synchronization

// The samples of a recording: those that it holds until its zero is known, those that it passes on, and those in its file.
extension CaptureRecording {
  typealias Ends = CaptureConfiguration.ConnectionEnds

  /// Adds a sample of a connection.
  ///
  /// - Returns: the number of its samples that belong to no recording.
  @discardableResult
  func take(_ sample: SampleBuffer, of ends: Ends) -> Int {
    state.withLock { state in
      guard state.phase != .ended, let index = state.tracks.firstIndex(where: { $0.ends == ends })
      else { return passOn(sample, of: ends, &state) }
      state.tracks[index].reached = sample.capturedEnd
      (state.tracks[index].isGone, state.tracks[index].isSilent) = (false, false)
      guard let own = ownPart(of: sample, index, &state) else { return 0 }
      guard state.phase == .waiting else { return write(own, index, &state) }
      state.tracks[index].held.append(own)
      state.heldBytes += own.data.count
      begin(&state, isForced: state.isOverdue)
      if state.phase == .waiting { limitHeld(&state) }
      return 0
    }
  }

  // MARK: Passing on

  /// True where the recording, or an earlier one that isn't complete, has a track of the connection.
  private func records(_ ends: Ends) -> Bool {
    state.withLock { state in
      (state.phase != .ended && state.tracks.contains { $0.ends == ends })
        || state.predecessor?.records(ends) ?? false
    }
  }

  /// True once neither the recording nor an earlier one takes any samples.
  private var isOver: Bool {
    state.withLock { $0.phase == .ended && $0.predecessor?.isOver ?? true }
  }

  /// Gives a sample of a track that only the predecessor has to it, once it is known where that ends.
  ///
  /// - Returns: the number of its samples that belong to no recording.
  private func passOn(_ sample: SampleBuffer, of ends: Ends, _ state: inout State) -> Int {
    guard let predecessor = state.predecessor, predecessor.records(ends) else {
      return sample.sampleCount
    }
    var rest = sample
    var refused = 0
    if let boundary = state.boundary ?? predecessor.boundary {
      refused = predecessor.take(sample, of: ends, before: boundary)
      guard let later = part(of: sample, from: boundary, to: nil) else { return refused }
      guard state.boundary == nil else { return refused + later.sampleCount }
      rest = later
    }
    state.passedOn.append((rest, ends))
    state.passedOnBytes += rest.data.count
    while state.passedOnBytes > Self.heldLimit, let first = state.passedOn.popFirst() {
      state.passedOnBytes -= first.sample.data.count
      predecessor.take(first.sample, of: first.ends)
    }
    return refused
  }

  /// Returns the part of a sample of a track from the boundary on; nil where there is none. The predecessor gets the part
  /// before it. Before the boundary is known, that of the predecessor shows what an earlier recording waits for.
  private func ownPart(
    of sample: SampleBuffer, _ index: Int, _ state: inout State
  ) -> SampleBuffer? {
    guard let predecessor = state.predecessor,
      let boundary = state.boundary ?? predecessor.boundary
    else { return sample }
    let refused = predecessor.take(sample, of: state.tracks[index].ends, before: boundary)
    state.tracks[index].facts.trimmed += refused
    if predecessor.isOver { state.predecessor = nil }
    return part(of: sample, from: boundary, to: nil)
  }

  /// Adds the part of a sample that lies before the boundary of the recording that continues this one.
  ///
  /// - Returns: the number of samples in that part that belong to no recording.
  private func take(_ sample: SampleBuffer, of ends: Ends, before boundary: Time) -> Int {
    let refused = part(of: sample, from: nil, to: boundary).map { take($0, of: ends) } ?? 0
    note(reached: min(sample.capturedEnd, boundary), of: ends)
    return refused
  }

  /// Notes that the samples of a track have arrived up to a time.
  private func note(reached time: Time, of ends: Ends) {
    state.withLock { state in
      if let index = state.tracks.firstIndex(where: { $0.ends == ends }) {
        state.tracks[index].reached = max(state.tracks[index].reached ?? time, time)
      }
      if let boundary = state.boundary {
        state.predecessor?.note(reached: min(time, boundary), of: ends)
      }
    }
  }

  /// Gives the samples of tracks that only the predecessor has to it, before that ends, and all samples from before its end:
  /// this recording begins later. Where it is to stop before it has begun, all samples are the predecessor's.
  func handOver() {
    state.withLock { state in
      guard state.phase == .waiting else { return }
      guard state.stop == nil else { return handOver(&state) }
      passOnAll(&state)
      guard let end = state.predecessor?.wantedEnd else { return }
      for index in state.tracks.indices {
        state.tracks[index].held = state.tracks[index].held.compactMap { sample in
          if let earlier = part(of: sample, from: nil, to: end) { give(earlier, index, &state) }
          return part(of: sample, from: end, to: nil)
        }
      }
      state.heldBytes = state.tracks.flatMap(\.held).reduce(0) { $0 + $1.data.count }
    }
  }

  /// Gives all samples that wait to the predecessor, and counts those that it doesn't take.
  func handOver(_ state: inout State) {
    passOnAll(&state)
    for index in state.tracks.indices {
      for sample in state.tracks[index].held { give(sample, index, &state) }
      state.tracks[index].held = []
    }
    state.heldBytes = 0
  }

  /// Gives a sample of a track to the predecessor, and counts it where that doesn't take it.
  private func give(_ sample: SampleBuffer, _ index: Int, _ state: inout State) {
    let refused =
      state.predecessor?.take(sample, of: state.tracks[index].ends) ?? sample.sampleCount
    state.tracks[index].facts.trimmed += refused
  }

  private func passOnAll(_ state: inout State) {
    for (sample, ends) in state.passedOn { state.predecessor?.take(sample, of: ends) }
    (state.passedOn, state.passedOnBytes) = ([], 0)
  }

  /// Counts samples that a device has left out.
  func countLeftOut(_ count: Int, _ reason: CaptureDropReason, of ends: Ends) {
    state.withLock { state in
      guard state.phase == .running,
        let index = state.tracks.firstIndex(where: { $0.ends == ends })
      else { return }
      state.tracks[index].facts.dropped.count(count, reason)
    }
  }

  /// Retains as many samples as may wait. The earliest ones lie before the zero: they are the predecessor's.
  private func limitHeld(_ state: inout State) {
    while state.heldBytes > Self.heldLimit,
      let index = state.tracks.indices.filter({ state.tracks[$0].held.count > 1 }).min(by: {
        state.tracks[$0].held[0].presentationTime < state.tracks[$1].held[0].presentationTime
      })
    {
      let gone = state.tracks[index].held.removeFirst()
      state.heldBytes -= gone.data.count
      give(gone, index, &state)
    }
  }

  // MARK: The beginning

  /// Returns the file's zero; nil while a track has had no samples.
  private func zero(_ state: borrowing State, isForced: Bool) -> Time? {
    var since = state.since
    while true {
      var tracks = state.tracks.map { track in
        (
          isVideo: track.isVideo, isGone: track.isGone,
          held: track.held.filter { $0.capturedEnd > since }
        )
      }
      if isForced { tracks.removeAll { $0.held.isEmpty } }
      tracks.removeAll { $0.isGone && $0.held.isEmpty }
      guard !tracks.isEmpty, tracks.allSatisfy({ !$0.held.isEmpty }) else { return nil }
      var found = tracks.map { max(since, $0.held[0].presentationTime) }.max() ?? since
      if let video = tracks.first(where: \.isVideo) {
        let frame = video.held.first { $0.presentationTime >= found }
        guard frame != nil || isForced else { return nil }
        found = frame?.presentationTime ?? found
      }
      // A pause that is over isn't in the file.
      guard let end = state.pauses.first(where: { $0.contains(found) })?.end else {
        return found
      }
      since = end
    }
  }

  func begin(_ state: inout State, isForced: Bool) {
    guard state.phase == .waiting, let zero = zero(state, isForced: isForced) else { return }
    let boundary = state.boundary ?? zero
    (state.zero, state.boundary, state.phase) = (zero, boundary, .running)
    state.heldBytes = 0
    var held: [(Int, SampleBuffer)] = []
    for index in state.tracks.indices {
      held += state.tracks[index].held.map { (index, $0) }
      state.tracks[index].held = []
    }
    // In order of their times, as they would have arrived.
    held.sort { ($0.1.presentationTime, $0.0) < ($1.1.presentationTime, $1.0) }
    state.isBeginning = true
    for (index, sample) in held {
      if let own = ownPart(of: sample, index, &state) { _ = write(own, index, &state) }
    }
    state.isBeginning = false
    for (sample, ends) in state.passedOn {
      _ = state.predecessor?.take(sample, of: ends, before: boundary)
    }
    (state.passedOn, state.passedOnBytes) = ([], 0)
    state.predecessor?.stop(at: boundary)
  }

  // MARK: The file

  /// Returns the part of a sample between two times: of a frame all or nothing, by its beginning.
  private func part(of sample: SampleBuffer, from start: Time?, to end: Time?) -> SampleBuffer? {
    guard case .audio = sample.content else {
      let time = sample.presentationTime
      return (start.map { time >= $0 } ?? true) && (end.map { time < $0 } ?? true) ? sample : nil
    }
    return try? sample.audioPart(from: start, to: end)
  }

  /// Returns the time that was left out before a time.
  func leftOut(before time: Time, _ state: borrowing State) -> Time {
    state.pauses.reduce(.zero) { sum, pause in
      guard let end = pause.end, end <= time else { return sum }
      return sum + max(.zero, end - max(pause.start, state.zero ?? pause.start))
    }
  }

  /// Writes the part of a sample that belongs to the recording.
  ///
  /// - Returns: the number of its samples after the end of the recording.
  private func write(_ sample: SampleBuffer, _ index: Int, _ state: inout State) -> Int {
    guard let zero = state.zero else { return sample.sampleCount }
    var stop = state.stop?.time
    if !state.tracks[index].endsByCount, let end = limitEnd(state) { stop = min(stop ?? end, end) }
    if state.tracks[index].isVideo {
      let time = sample.presentationTime
      if let stop, time >= stop { return 1 }
      if state.isPaused(at: time) { return 0 }
      if time >= zero {
        append(sample, index, &state)
      } else {
        state.tracks[index].facts.trimmed += 1
      }
      return 0
    }
    do throws(EngineError) {
      var start: Time?
      for pause in state.pauses {
        try write(sample, from: start, to: least(pause.start, stop), zero, index, &state)
        start = pause.end ?? start
      }
      if !state.isPaused { try write(sample, from: start, to: stop, zero, index, &state) }
      guard let stop else { return 0 }
      return try sample.audioPart(from: stop, to: nil)?.sampleCount ?? 0
    } catch {
      state.tracks[index].facts.dropped.count(sample.sampleCount, .outOfBuffers)
      return 0
    }
  }

  /// Writes the audio between two times, without that before the zero.
  private func write(
    _ sample: SampleBuffer, from start: Time?, to end: Time?, _ zero: Time, _ index: Int,
    _ state: inout State
  ) throws(EngineError) {
    if let earlier = try sample.audioPart(from: start, to: least(zero, end)) {
      state.tracks[index].facts.trimmed += earlier.sampleCount
    }
    if let part = try sample.audioPart(from: start.map { max($0, zero) } ?? zero, to: end) {
      append(part, index, &state)
    }
  }

  func least(_ time: Time, _ other: Time?) -> Time { other.map { min(time, $0) } ?? time }

  private func append(_ sample: SampleBuffer, _ index: Int, _ state: inout State) {
    var sample = sample
    let time = sample.presentationTime
    sample.presentationTime = time - leftOut(before: time, state) - (state.zero ?? .zero)
    guard file.take(sample, track: index, isHeld: state.isBeginning) else {
      let reason: CaptureDropReason = file.isClosed ? .outOfBuffers : .late
      state.tracks[index].facts.dropped.count(sample.sampleCount, reason)
      return
    }
    state.tracks[index].facts.written += sample.sampleCount
    state.tracks[index].end = sample.capturedEnd
  }
}
