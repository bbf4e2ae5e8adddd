import DequeModule
import MediaTime
import Synchronization

/// One recording of a file output: the samples that belong to it, and their times in the file.
///
/// Its zero is the first instant from which on each of its tracks has samples; it is that of a frame where there is
/// video. Earlier samples are left out, audio to the sample. The other tracks don't wait for one without samples for
/// longer than two seconds.
final class CaptureRecording: Sendable {
  private struct Track {
    let ends: CaptureConfiguration.ConnectionEnds
    /// True for audio whose stamps have jitter: all of it is delivered, and its count in the file decides where the
    /// maximum duration is reached.
    let endsByCount: Bool
    var held: [SampleBuffer] = []
    var facts: RecordedTrack
    /// The end of the newest sample, on the session's clock, in the file or not.
    var reached: Time?
    /// The end of the last sample in the file's time.
    var end: Time?
    /// True while the track has no samples, as its device is gone.
    var isGone = false
    /// True while its device is stalled or interrupted: samples aren't waited for where the recording ends by its
    /// maximum duration.
    var isSilent = false

    var isVideo: Bool { ends.mediaType == .video }
  }

  private enum Phase { case waiting, running, ended }

  private struct State {
    var tracks: [Track]
    var phase = Phase.waiting
    /// The first time from which samples are wanted.
    var since: Time
    /// True once tracks without samples aren't waited for any more.
    var isOverdue = false
    var zero: Time?
    /// The ranges that are left out, on the session's clock.
    var pauses: [(start: Time, end: Time?)] = []
    /// The time from which on samples aren't wanted.
    var stop: (time: Time, error: EngineError?)?
    /// The samples of tracks that only the predecessor has, before the zero is known.
    var passedOn: Deque<(sample: SampleBuffer, ends: CaptureConfiguration.ConnectionEnds)> = []
    var heldBytes = 0
    var passedOnBytes = 0
    var maximumDuration: Time?
    /// True for one that another has replaced before it began: it never does.
    var isReplaced = false
    /// The recording that this one continues, until that has ended: it gets all samples before this one's zero.
    var predecessor: CaptureRecording?
    /// True while the held samples are written, all at once.
    var isBeginning = false
    /// True once a track has all samples of the maximum duration.
    var isFull = false
  }

  let operation: Int
  let path: String
  let file: RecordingFile
  private let state: Mutex<State>

  static let timeout = Time(value: 2, timescale: 1)
  private static let heldLimit = 64 << 20

  init(
    operation: Int, path: String, file: RecordingFile, maximumDuration: Time?,
    tracks: [(ends: CaptureConfiguration.ConnectionEnds, endsByCount: Bool)], since: Time,
    after predecessor: CaptureRecording? = nil
  ) {
    (self.operation, self.path, self.file) = (operation, path, file)
    state = Mutex(
      State(
        tracks: tracks.map {
          Track(
            ends: $0.ends, endsByCount: $0.endsByCount,
            facts: RecordedTrack(mediaType: $0.ends.mediaType))
        }, since: since, maximumDuration: maximumDuration, predecessor: predecessor))
  }

  // MARK: Facts

  var hasEnded: Bool { state.withLock { $0.phase == .ended } }
  var isPaused: Bool { state.withLock { $0.pauses.last.map { $0.end == nil } ?? false } }
  var hasBegun: Bool { state.withLock { $0.zero != nil } }
  var zero: Time? { state.withLock(\.zero) }
  var isFull: Bool { state.withLock(\.isFull) }
  var maximumDuration: Time? { state.withLock(\.maximumDuration) }
  var ends: [CaptureConfiguration.ConnectionEnds] { state.withLock { $0.tracks.map(\.ends) } }
  var tracks: [RecordedTrack] { state.withLock { $0.tracks.map(\.facts) } }

  /// The duration of the track that ends last.
  var duration: Time {
    let end = state.withLock { state in state.tracks.compactMap(\.end).max() ?? .zero }
    return least(end, maximumDuration)
  }

  // MARK: Requests

  /// Leaves out samples from a time on.
  ///
  /// - Returns: false where the recording is paused, or has ended.
  func pause(at time: Time) -> Bool {
    state.withLock { state in
      guard state.phase != .ended, state.stop == nil,
        state.pauses.last?.end != nil || state.pauses.isEmpty
      else { return false }
      // A recording that continues later is paused from then on.
      state.pauses.append((max(time, state.pauses.last?.end ?? time), nil))
      return true
    }
  }

  /// Continues after a pause.
  ///
  /// - Parameter duration: the time after which it ends automatically; nil for its former maximum duration.
  /// - Returns: false where the recording isn't paused.
  func resume(at time: Time, for duration: Time?) -> Bool {
    state.withLock { state in
      guard state.phase != .ended, state.stop == nil, let last = state.pauses.last, last.end == nil
      else { return false }
      state.pauses[state.pauses.count - 1].end = max(time, last.start)
      if let duration {
        let zero = state.zero ?? last.start
        let recorded = max(.zero, last.start - leftOut(before: last.start, state) - zero)
        state.maximumDuration = recorded + duration
        file.limit(to: state.maximumDuration)
      }
      return true
    }
  }

  /// Stops the recording at a time; it ends once all samples before that have arrived.
  func stop(at time: Time, _ error: EngineError? = nil) {
    state.withLock { state in
      guard state.phase != .ended else { return }
      if let stop = state.stop, stop.time <= time { return }
      state.stop = (time, error)
    }
  }

  /// Ends the recording with the samples that have arrived.
  ///
  /// - Returns: true the first time.
  func end() -> (isFirst: Bool, error: EngineError?) {
    state.withLock { state in
      guard state.phase != .ended else { return (false, nil) }
      if !state.isReplaced { begin(&state, isForced: true) }
      if state.phase == .waiting { handOver(&state) }
      state.phase = .ended
      let isEmpty = state.tracks.allSatisfy { $0.facts.written == 0 }
      return (true, state.stop?.error ?? (isEmpty ? Self.noData(path) : nil))
    }
  }

  /// Ends without having begun, as another recording replaces it: its samples are the predecessor's.
  func beReplaced() { state.withLock { $0.isReplaced = $0.phase == .waiting } }

  /// Gives the samples of tracks that only the predecessor has to it, before that ends.
  func handOver() {
    state.withLock { state in
      guard state.phase == .waiting else { return }
      passOnAll(&state)
    }
  }

  private func handOver(_ state: inout State) {
    passOnAll(&state)
    for index in state.tracks.indices {
      for sample in state.tracks[index].held {
        state.predecessor?.take(sample, of: state.tracks[index].ends)
      }
      state.tracks[index].held = []
    }
    state.heldBytes = 0
  }

  private func passOnAll(_ state: inout State) {
    for (sample, ends) in state.passedOn { state.predecessor?.take(sample, of: ends) }
    (state.passedOn, state.passedOnBytes) = ([], 0)
  }

  /// True where all samples before the time at which it stops have arrived.
  var isComplete: Bool {
    state.withLock { state in
      guard let stop = state.stop else { return false }
      return state.tracks.allSatisfy { track in
        track.isGone || track.reached.map { $0 >= stop.time } ?? false
      }
    }
  }

  var isStopping: Bool { state.withLock { $0.stop != nil } }

  /// Waits no more for a device that is gone.
  func forget(input: Int) {
    state.withLock { state in
      for index in state.tracks.indices where state.tracks[index].ends.input == input {
        state.tracks[index].isGone = true
      }
    }
  }

  /// Notes that a device is stalled or interrupted, or that it delivers again.
  ///
  /// On a busy machine samples may be late by more than a second. On the system's clock a device that has delivered is
  /// therefore waited for until it counts as gone.
  func note(isSilent: Bool, input: Int) {
    state.withLock { state in
      for index in state.tracks.indices where state.tracks[index].ends.input == input {
        let mayDeliver = !file.isManual && state.tracks[index].end != nil
        state.tracks[index].isSilent = isSilent && !mayDeliver
      }
    }
  }

  /// Begins with the samples that have arrived, as no more are wanted.
  func beginIfStopped() { state.withLock { begin(&$0, isForced: true) } }

  /// Begins without tracks that have had no samples until now.
  func beginIfLate(at now: Time) {
    state.withLock { state in
      guard state.phase == .waiting, now - state.since >= Self.timeout else { return }
      state.isOverdue = true
      begin(&state, isForced: true)
    }
  }

  /// The time at which it begins with the tracks that have samples; nil once that has passed.
  var deadline: Time? {
    state.withLock { state in
      state.phase == .waiting && !state.isOverdue ? state.since + Self.timeout : nil
    }
  }

  // MARK: Samples

  /// Adds a sample of a connection.
  func take(_ sample: SampleBuffer, of ends: CaptureConfiguration.ConnectionEnds) {
    state.withLock { state in
      guard state.phase != .ended else { return }
      guard let index = state.tracks.firstIndex(where: { $0.ends == ends }) else {
        return passOn(sample, of: ends, &state)
      }
      state.tracks[index].reached = sample.capturedEnd
      (state.tracks[index].isGone, state.tracks[index].isSilent) = (false, false)
      guard state.phase == .waiting else { return write(sample, index, &state) }
      state.tracks[index].held.append(sample)
      state.heldBytes += sample.data.count
      begin(&state, isForced: state.isOverdue)
      if state.phase == .waiting { limitHeld(&state) }
    }
  }

  /// Gives a sample of a track that only the predecessor has to it, once it is known where that ends.
  private func passOn(
    _ sample: SampleBuffer, of ends: CaptureConfiguration.ConnectionEnds, _ state: inout State
  ) {
    guard let predecessor = state.predecessor, predecessor.ends.contains(ends) else { return }
    if let zero = state.zero { return predecessor.take(sample, of: ends, before: zero) }
    state.passedOn.append((sample, ends))
    state.passedOnBytes += sample.data.count
    while state.passedOnBytes > Self.heldLimit, let first = state.passedOn.popFirst() {
      state.passedOnBytes -= first.sample.data.count
      predecessor.take(first.sample, of: first.ends)
    }
  }

  /// Adds the part of a sample that lies before the zero of the recording that continues this one.
  private func take(
    _ sample: SampleBuffer, of ends: CaptureConfiguration.ConnectionEnds, before zero: Time
  ) {
    if let earlier = part(of: sample, from: nil, to: zero) { take(earlier, of: ends) }
    note(reached: sample.capturedEnd, of: ends)
  }

  /// Notes that the samples of a track have arrived up to a time.
  private func note(reached time: Time, of ends: CaptureConfiguration.ConnectionEnds) {
    state.withLock { state in
      guard let index = state.tracks.firstIndex(where: { $0.ends == ends }) else { return }
      state.tracks[index].reached = max(state.tracks[index].reached ?? time, time)
    }
  }

  /// Counts samples that a device has left out.
  func countLeftOut(
    _ count: Int, _ reason: CaptureDropReason, of ends: CaptureConfiguration.ConnectionEnds
  ) {
    state.withLock { state in
      guard state.phase == .running,
        let index = state.tracks.firstIndex(where: { $0.ends == ends })
      else { return }
      state.tracks[index].facts.dropped.count(count, reason)
    }
  }

  private func limitHeld(_ state: inout State) {
    while state.heldBytes > Self.heldLimit,
      let index = state.tracks.indices.max(by: {
        state.tracks[$0].held.count < state.tracks[$1].held.count
      }), state.tracks[index].held.count > 1
    {
      let gone = state.tracks[index].held.removeFirst()
      state.heldBytes -= gone.data.count
      state.tracks[index].facts.trimmed += gone.sampleCount
    }
  }

  /// Returns the file's zero; nil while a track has had no samples.
  private func zero(_ state: borrowing State, isForced: Bool) -> Time? {
    var tracks = state.tracks.map { track in
      (
        isVideo: track.isVideo, isGone: track.isGone,
        held: track.held.filter { $0.capturedEnd > state.since }
      )
    }
    if isForced { tracks.removeAll { $0.held.isEmpty } }
    tracks.removeAll { $0.isGone && $0.held.isEmpty }
    guard !tracks.isEmpty, tracks.allSatisfy({ !$0.held.isEmpty }) else { return nil }
    let latest = tracks.map { max(state.since, $0.held[0].presentationTime) }.max() ?? state.since
    guard let video = tracks.first(where: \.isVideo) else { return latest }
    guard let frame = video.held.first(where: { $0.presentationTime >= latest }) else {
      return isForced ? latest : nil
    }
    return frame.presentationTime
  }

  private func begin(_ state: inout State, isForced: Bool) {
    guard state.phase == .waiting, let zero = zero(state, isForced: isForced) else { return }
    state.zero = zero
    state.phase = .running
    state.heldBytes = 0
    var held: [(Int, SampleBuffer)] = []
    for index in state.tracks.indices {
      held += state.tracks[index].held.map { (index, $0) }
      state.tracks[index].held = []
    }
    // In order of their times, as they would have arrived.
    held.sort { ($0.1.presentationTime, $0.0) < ($1.1.presentationTime, $1.0) }
    state.isBeginning = true
    for (index, sample) in held { write(sample, index, &state) }
    state.isBeginning = false
    for (sample, ends) in state.passedOn { state.predecessor?.take(sample, of: ends, before: zero) }
    (state.passedOn, state.passedOnBytes) = ([], 0)
    state.predecessor?.stop(at: zero)
  }

  /// Returns the part of a sample between two times: of a frame all or nothing, by its beginning.
  private func part(of sample: SampleBuffer, from start: Time?, to end: Time?) -> SampleBuffer? {
    guard case .audio = sample.content else {
      let time = sample.presentationTime
      return (start.map { time >= $0 } ?? true) && (end.map { time < $0 } ?? true) ? sample : nil
    }
    return try? sample.audioPart(from: start, to: end)
  }

  /// Returns the time that was left out before a time.
  private func leftOut(before time: Time, _ state: borrowing State) -> Time {
    state.pauses.reduce(.zero) { sum, pause in
      guard let end = pause.end, end <= time else { return sum }
      return sum + max(.zero, end - max(pause.start, state.zero ?? pause.start))
    }
  }

  /// Writes the part of a sample that belongs to the recording.
  private func write(_ sample: SampleBuffer, _ index: Int, _ state: inout State) {
    guard let zero = state.zero else { return }
    var sample = sample
    if let predecessor = state.predecessor {
      let ends = state.tracks[index].ends
      predecessor.take(sample, of: ends, before: zero)
      if predecessor.hasEnded { state.predecessor = nil }
      guard let rest = part(of: sample, from: zero, to: nil) else { return }
      sample = rest
    }
    var stop = state.stop?.time
    if !state.tracks[index].endsByCount, let end = limitEnd(state) { stop = min(stop ?? end, end) }
    if state.tracks[index].isVideo {
      let time = sample.presentationTime
      if let stop, time >= stop { return }
      guard time >= zero else {
        state.tracks[index].facts.trimmed += 1
        return
      }
      let isLeftOut = state.pauses.contains { pause in
        time >= pause.start && pause.end.map { time < $0 } ?? true
      }
      if !isLeftOut { append(sample, index, &state) }
      return
    }
    do throws(EngineError) {
      let before = try sample.audioPart(from: nil, to: zero)?.sampleCount ?? 0
      state.tracks[index].facts.trimmed += before
      var start = zero
      for pause in state.pauses {
        if let part = try sample.audioPart(from: start, to: least(pause.start, stop)) {
          append(part, index, &state)
        }
        guard let end = pause.end else { return }
        start = max(start, end)
      }
      if let part = try sample.audioPart(from: start, to: stop) { append(part, index, &state) }
    } catch {
      state.tracks[index].facts.dropped.count(sample.sampleCount, .outOfBuffers)
    }
  }

  private func least(_ time: Time, _ other: Time?) -> Time { other.map { min(time, $0) } ?? time }

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

  // MARK: Limits

  /// Returns the error of a limit that was reached; nil while none was.
  ///
  /// The maximum duration is reached when each track has it. A device that is silent isn't waited for: its track ends
  /// by the session's clock.
  ///
  /// - Parameter now: on the session's clock.
  func reachedLimit(at now: Time) -> EngineError? {
    if let error = file.failure { return error }
    guard let limit = maximumDuration else { return nil }
    let incomplete = state.withLock { state -> [String]? in
      guard state.phase == .running, let end = limitEnd(state) else { return nil }
      let now = state.tracks.compactMap(\.reached).reduce(now, max)
      let isOver = state.tracks.indices.allSatisfy { index in
        (state.tracks[index].isSilent && now >= end) || isRecorded(index, to: end, state)
      }
      guard isOver, state.tracks.contains(where: { !$0.isGone }) else { return nil }
      state.isFull = state.tracks.indices.contains { index in
        !state.tracks[index].isGone && isRecorded(index, to: end, state)
      }
      return state.tracks.enumerated().compactMap { index, track in
        guard track.isGone || track.isSilent else { return nil }
        let name = "track \(index + 1), of \(track.ends.mediaType.rawValue), has nothing"
        return track.end.map { "\(name) after \(least($0, limit).secondsDescription)" } ?? name
      }
    }
    guard let incomplete else { return nil }
    let duration = limit.secondsDescription
    return EngineError(
      .maximumDurationReached,
      incomplete.isEmpty
        ? "The recording has the \(duration) that it may have"
        : "The \(duration) that the recording may have are over; "
          + incomplete.joined(separator: "; "),
      advice: incomplete.isEmpty ? .raiseRecordingLimit : .resumeDevice, path: path)
  }

  /// Returns the time of the session's clock at which the recording has its maximum duration; nil without one, and while a
  /// pause postpones it.
  private func limitEnd(_ state: borrowing State) -> Time? {
    guard let limit = state.maximumDuration, let zero = state.zero else { return nil }
    var end = zero + limit
    for pause in state.pauses where pause.start < end {
      guard let pauseEnd = pause.end else { return nil }
      end = end + max(.zero, pauseEnd - max(pause.start, zero))
    }
    return end
  }

  /// True where a track has all samples before a time, or its device is gone.
  private func isRecorded(_ index: Int, to end: Time, _ state: borrowing State) -> Bool {
    let track = state.tracks[index]
    if track.isGone { return true }
    return track.endsByCount
      ? file.hasAll(ofTrack: index) : track.reached.map { $0 >= end } ?? false
  }

  /// The time at which the recording has its maximum duration, where no further sample shows that: the devices of all
  /// tracks that don't have it are silent.
  var limitDeadline: Time? {
    state.withLock { state in
      guard state.phase == .running, let end = limitEnd(state) else { return nil }
      let silent = state.tracks.indices.filter { !isRecorded($0, to: end, state) }
      return !silent.isEmpty && silent.allSatisfy { state.tracks[$0].isSilent } ? end : nil
    }
  }

  private static func noData(_ path: String) -> EngineError {
    EngineError(
      .noDataCaptured, "The recording was stopped before a sample came",
      advice: .recordUntilSamples, path: path)
  }
}
