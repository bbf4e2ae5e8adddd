import DequeModule
import MediaTime
import Synchronization

/// One recording of a file output: the samples that belong to it, and their times in the file.
///
/// Its zero is the first instant from which on each of its tracks has samples; it is that of a frame where there is
/// video. Earlier samples are left out, audio to the sample. The other tracks don't wait for one without samples for
/// longer than two seconds. A pause that begins before it postpones it.
///
/// A recording that continues another one gets its samples: it passes those before its first zero on, and counts those that
/// the other one has no place for.
final class CaptureRecording: Sendable {
  struct Track {
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

  /// A range of the session's clock that is left out; without an end while it lasts.
  struct Pause {
    let start: Time
    var end: Time?

    func contains(_ time: Time) -> Bool { time >= start && end.map { time < $0 } ?? true }
  }

  enum Phase { case waiting, running, ended }

  struct State {
    var tracks: [Track]
    var phase = Phase.waiting
    /// The first time from which samples are wanted.
    var since: Time
    /// True once tracks without samples aren't waited for any more.
    var isOverdue = false
    var zero: Time?
    /// The time at which the predecessor ends: the first zero, also where a pause postpones the beginning after that.
    var boundary: Time?
    /// The ranges that are left out, in their order.
    var pauses: [Pause] = []
    /// The time from which on samples aren't wanted.
    var stop: (time: Time, error: EngineError?)?
    /// The time up to which the last samples before that are waited for.
    var stopDeadline: Time?
    /// The samples of tracks that only the predecessor has, before the zero is known.
    var passedOn: Deque<(sample: SampleBuffer, ends: CaptureConfiguration.ConnectionEnds)> = []
    var heldBytes = 0
    var passedOnBytes = 0
    var maximumDuration: Time?
    /// True for one that another has replaced before it began: it never does.
    var isReplaced = false
    var isCancelled = false
    /// The recording that this one continues, until that has ended: it gets all samples before the boundary.
    var predecessor: CaptureRecording?
    /// True while the held samples are written, all at once.
    var isBeginning = false
    /// True once a track has all samples of the maximum duration.
    var isFull = false

    /// True once a sample is in the file.
    var hasWritten: Bool { tracks.contains { $0.end != nil } }

    /// True during a pause.
    var isPaused: Bool { pauses.last.map { $0.end == nil } ?? false }

    /// True for a time in a pause.
    func isPaused(at time: Time) -> Bool { pauses.contains { $0.contains(time) } }
  }

  let operation: Int
  let path: String
  let file: RecordingFile
  let state: Mutex<State>

  static let timeout = Time(value: 2, timescale: 1)
  static let heldLimit = 64 << 20

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
        }, since: max(since, predecessor?.boundary ?? since), maximumDuration: maximumDuration,
        predecessor: predecessor))
  }

  // MARK: Facts

  var isPaused: Bool { state.withLock(\.isPaused) }
  /// True once the end of its predecessor is known.
  var hasBegun: Bool { boundary != nil }
  var boundary: Time? { state.withLock(\.boundary) }
  var isCancelled: Bool { state.withLock(\.isCancelled) }
  /// The time of the session's clock at which the file begins; nil where it has no sample, as in a pause from its
  /// beginning on.
  var startTime: Time? {
    state.withLock { state in
      guard let zero = state.zero else { return nil }
      return state.hasWritten || !state.isPaused(at: zero) ? zero : nil
    }
  }
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
      guard state.phase != .ended, state.stop == nil, !state.isPaused else { return false }
      // A recording that continues later is paused from then on.
      state.pauses.append(Pause(start: max(time, state.pauses.last?.end ?? time)))
      return true
    }
  }

  /// Continues after a pause.
  ///
  /// - Parameter duration: the time after which it ends automatically; nil for its former maximum duration.
  /// - Returns: false where the recording isn't paused.
  func resume(at time: Time, for duration: Time?) -> Bool {
    state.withLock { state in
      guard state.phase != .ended, state.stop == nil, state.isPaused, let last = state.pauses.last
      else { return false }
      let end = max(time, last.start)
      state.pauses[state.pauses.count - 1].end = end
      if let duration {
        let zero = state.zero ?? last.start
        let recorded = max(.zero, last.start - leftOut(before: last.start, state) - zero)
        state.maximumDuration = recorded + duration
        file.limit(to: state.maximumDuration)
      }
      if let zero = state.zero, zero >= last.start, zero < end, !state.hasWritten {
        // It was paused from its beginning on, and begins now.
        (state.phase, state.zero, state.since, state.isOverdue) = (.waiting, nil, end, false)
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

  /// Notes that it is cancelled.
  ///
  /// - Returns: false where its file has no sample.
  func cancel() -> Bool {
    state.withLock { state in
      state.isCancelled = true
      return state.hasWritten
    }
  }

  /// Ends without having begun, as another recording replaces it or it is cancelled: its samples are the predecessor's.
  func beReplaced() { state.withLock { $0.isReplaced = $0.phase == .waiting } }

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

  /// The time up to which samples from before its stop are waited for.
  var stopDeadline: Time? { state.withLock(\.stopDeadline) }

  /// Waits for the last samples of a recording that was stopped, up to a time: that of the first call.
  func waitForLast(until time: Time) {
    state.withLock { state in
      if state.stop != nil, state.stopDeadline == nil { state.stopDeadline = time }
    }
  }

  /// The time of the session's clock from which on samples aren't wanted; nil where it isn't known.
  var wantedEnd: Time? {
    state.withLock { state in
      guard let stop = state.stop?.time else { return limitEnd(state) }
      return least(stop, limitEnd(state))
    }
  }

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

  private static func noData(_ path: String) -> EngineError {
    EngineError(
      .noDataCaptured, "The recording was stopped before a sample came",
      advice: .recordUntilSamples, path: path)
  }
}
