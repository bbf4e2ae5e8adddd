import MediaTime
import Synchronization

/// An output that records into files: movies, or audio (AVCaptureMovieFileOutput, AVCaptureAudioFileOutput).
final class CaptureFileOutput: CaptureSink {
  private struct State {
    var current: CaptureRecording?
    /// The recording that replaces the current one once it begins.
    var next: CaptureRecording?
    var stopDeadline: Time?
    var started: Set<Int> = []
    var ending = 0
    var ended: [Signal<Bool>] = []
    /// The callers that wait until no recording is in progress.
    var idle: [Signal<Bool>] = []
    var delivered = 0
    var dropped = CaptureDrops()
  }

  let number: Int
  private let events: @Sendable (CaptureEvent) -> Void
  private let meter = CaptureMeter()
  private let state = Mutex(State())

  /// The time to wait for samples of a recording that was stopped.
  private static let stopTimeout = Time(value: 1, timescale: 1)

  init(number: Int, events: @escaping @Sendable (CaptureEvent) -> Void) {
    (self.number, self.events) = (number, events)
  }

  var delivered: Int { state.withLock(\.delivered) }
  var dropped: CaptureDrops {
    let (known, current) = state.withLock { ($0.dropped, $0.current) }
    return (current?.tracks ?? []).reduce(known) { $0 + $1.dropped }
  }
  var meteredAudio: (any MeteredOutput)? { self }
  var levels: CaptureLevels { meter.levels }
  func observeLevels(every interval: Time?) { meter.observe(every: interval) }
  /// The recording that requests are about: the one that replaces another, from its request on.
  var recording: CaptureRecording? { state.withLock { $0.next ?? $0.current } }

  // MARK: Requests

  /// Begins a recording; a recording in progress ends at its beginning.
  func begin(_ make: (_ after: CaptureRecording?) -> CaptureRecording) {
    let replaced = state.withLock { state -> CaptureRecording? in
      let replaced = state.next
      let recording = make(state.current)
      if state.current == nil { state.current = recording } else { state.next = recording }
      return replaced
    }
    guard let replaced else { return }
    replaced.beReplaced()
    finish(replaced)
  }

  func stopRecordings(at now: Time, isLast: Bool, _ error: EngineError?) {
    let recordings = state.withLock { state -> [CaptureRecording] in
      let recordings = [state.current, state.next].compactMap(\.self)
      if !recordings.isEmpty { state.stopDeadline = now + Self.stopTimeout }
      return recordings
    }
    for recording in recordings { recording.stop(at: now, error) }
    if isLast { endAll(error) } else { check(now) }
  }

  func pause(at now: Time) throws(EngineError) {
    guard let recording, recording.pause(at: now) else { throw refusal("paused") }
    events(
      .didPauseRecording(
        operation: recording.operation, output: number, path: recording.path))
  }

  func resume(at time: Time, for duration: Time?) throws(EngineError) {
    guard let recording, recording.resume(at: time, for: duration) else { throw refusal("resumed") }
    events(
      .didResumeRecording(
        operation: recording.operation, output: number, path: recording.path))
  }

  private func refusal(_ what: String) -> EngineError {
    EngineError(
      .operationNotAllowed, "The output has no recording that can be \(what)",
      advice: .pauseWhileRecording)
  }

  // MARK: CaptureSink

  func take(_ sample: SampleBuffer, of connection: CaptureConfiguration.Connection) {
    let recording = state.withLock { state in
      state.delivered += sample.sampleCount
      return state.next ?? state.current
    }
    if let levels = meter.take(sample, of: connection.ends) {
      events(.didMeasureLevels(output: number, levels))
    }
    guard let recording else { return }
    recording.take(sample, of: connection.ends)
    check(sample.presentationTime)
  }

  func countLeftOut(
    _ count: Int, _ reason: CaptureDropReason, at time: Time,
    of connection: CaptureConfiguration.Connection
  ) {
    let (current, next) = state.withLock { ($0.current, $0.next) }
    let isNext = next.map { $0.hasBegun && $0.ends.contains(connection.ends) } ?? false
    let recording = isNext ? next : current
    recording?.countLeftOut(count, reason, of: connection.ends)
  }

  func forget(input: Int) {
    let recordings = state.withLock { [$0.current, $0.next].compactMap(\.self) }
    for recording in recordings { recording.forget(input: input) }
  }

  func note(isSilent: Bool, input: Int, at now: Time) {
    let recordings = state.withLock { [$0.current, $0.next].compactMap(\.self) }
    for recording in recordings { recording.note(isSilent: isSilent, input: input) }
    if isSilent { check(now) }
  }

  func endRecordings(of input: Int, _ error: EngineError) {
    let recordings = state.withLock { [$0.current, $0.next].compactMap(\.self) }
    for recording in recordings where recording.ends.contains(where: { $0.input == input }) {
      finish(recording, error)
    }
  }

  func endRecordings(unless isRetained: (CaptureConfiguration.ConnectionEnds) -> Bool) {
    let recordings = state.withLock { [$0.current, $0.next].compactMap(\.self) }
    for recording in recordings where !recording.ends.allSatisfy(isRetained) {
      finish(
        recording,
        EngineError(
          .sessionConfigurationChanged,
          "An input, a connection or the output of the recording was changed or removed",
          advice: .startRecordingAgain,
          path: recording.path))
    }
  }

  func tick(_ now: Time) {
    let recordings = state.withLock { [$0.next, $0.current].compactMap(\.self) }
    for recording in recordings { recording.beginIfLate(at: now) }
    check(now)
  }

  var deadline: Time? {
    let (current, next, stop) = state.withLock { ($0.current, $0.next, $0.stopDeadline) }
    return [current?.deadline, next?.deadline, current?.limitDeadline, stop].compactMap(\.self)
      .min()
  }

  func settle(all: Bool) async {
    let recordings = state.withLock { [$0.current, $0.next].compactMap(\.self) }
    for recording in recordings where all || !recording.file.hasRoom {
      await recording.file.settle()
    }
  }

  func end(at now: Time, _ error: EngineError?) async {
    endAll(error)
    await finished()
  }

  func withoutRecordings() async {
    let signal = state.withLock { state -> Signal<Bool>? in
      guard state.current != nil else { return nil }
      let signal = Signal<Bool>()
      state.idle.append(signal)
      return signal
    }
    _ = await signal?.wait()
  }

  /// Returns when no file is being finished.
  private func finished() async {
    let signal = state.withLock { state -> Signal<Bool>? in
      guard state.ending > 0 else { return nil }
      let signal = Signal<Bool>()
      state.ended.append(signal)
      return signal
    }
    _ = await signal?.wait()
  }

  // MARK: Ends

  private func endAll(_ error: EngineError?) {
    let (current, next) = state.withLock { ($0.current, $0.next) }
    // The later one first: samples that it holds for the earlier one go there.
    if let next { next.beginIfStopped() }
    if let current { finish(current, error) }
    if let next { finish(next, error) }
  }

  /// Announces recordings that have begun, and ends those that are complete or at a limit.
  private func check(_ now: Time) {
    let (current, next) = state.withLock { ($0.current, $0.next) }
    if let current {
      announce(current)
      if next?.hasBegun == true {
        state.withLock { $0.stopDeadline = $0.stopDeadline ?? now + Self.stopTimeout }
      }
      if current.isComplete { finish(current) }
    }
    guard let recording = state.withLock(\.current) else { return }
    announce(recording)
    if recording.isStopping, let deadline = state.withLock(\.stopDeadline), now >= deadline {
      finish(recording)
    } else if let error = recording.reachedLimit(at: now) {
      finish(recording, error)
    }
  }

  /// Reports that a recording has begun, once.
  private func announce(_ recording: CaptureRecording) {
    guard let zero = recording.zero,
      state.withLock({ $0.started.insert(recording.operation).inserted })
    else { return }
    events(
      .didStartRecording(
        operation: recording.operation, output: number, path: recording.path, startTime: zero))
  }

  private func finish(_ recording: CaptureRecording, _ error: EngineError? = nil) {
    state.withLock { $0.current === recording ? $0.next : nil }?.handOver()
    let end = recording.end()
    guard end.isFirst else { return }
    announce(recording)
    let error = error ?? end.error
    events(
      .willFinishRecording(
        operation: recording.operation, output: number, path: recording.path, error: error))
    let idle = state.withLock { state -> [Signal<Bool>] in
      if state.next === recording { state.next = nil }
      if state.current === recording { state.current = state.next.take() }
      if state.current?.isStopping != true { state.stopDeadline = nil }
      state.started.remove(recording.operation)
      state.dropped = recording.tracks.reduce(state.dropped) { $0 + $1.dropped }
      state.ending += 1
      guard state.current == nil else { return [] }
      defer { state.idle = [] }
      return state.idle
    }
    for signal in idle { signal.fire(true) }
    Task.detached { [self] in
      let isAtLimit = error?.code == .maximumDurationReached && recording.isFull
      let file = await recording.file.finish(isAtLimit: isAtLimit)
      events(
        .didFinishRecording(
          operation: recording.operation, output: number, path: recording.path,
          CaptureRecordingEnd(recording, file, error)))
      let ended = state.withLock { state -> [Signal<Bool>] in
        state.ending -= 1
        guard state.ending == 0 else { return [] }
        defer { state.ended = [] }
        return state.ended
      }
      for signal in ended { signal.fire(true) }
    }
  }
}

extension CaptureDrops {
  static func + (lhs: CaptureDrops, rhs: CaptureDrops) -> CaptureDrops {
    var sum = lhs
    sum.late += rhs.late
    sum.outOfBuffers += rhs.outOfBuffers
    sum.discontinuity += rhs.discontinuity
    return sum
  }
}

extension CaptureRecordingEnd {
  fileprivate init(_ recording: CaptureRecording, _ file: RecordingSummary, _ error: EngineError?) {
    var tracks = recording.tracks
    for (index, written) in zip(tracks.indices, file.tracks) {
      tracks[index].inserted = Int(clamping: written.inserted)
      tracks[index].drift = written.drift
      // Audio that was delivered beyond the maximum duration is left out by the file.
      if error?.code == .maximumDurationReached, tracks[index].mediaType == .audio {
        tracks[index].written = min(tracks[index].written, Int(clamping: written.taken))
      }
      // Of audio that ended as requested, all samples are in the file, resampled or not.
      let isReduced = tracks[index].mediaType == .video && file.isPlayable
      guard file.error != nil || isReduced else { continue }
      // The samples that were delivered, and aren't in the file: those after its end, and frames beyond its rate.
      let count = min(tracks[index].written, Int(clamping: written.written))
      tracks[index].dropped.outOfBuffers += tracks[index].written - count
      tracks[index].written = count
    }
    // By the samples' count, of which the times of a device are an estimate.
    let isAtLimit = error?.code == .maximumDurationReached && recording.isFull
    let limit = isAtLimit ? recording.maximumDuration : nil
    let counted = recording.duration
    let duration = limit.map { $0 == counted ? counted : $0 } ?? counted
    let error = error?.code == .noDataCaptured ? error : file.error ?? error
    self.init(
      status: error == nil ? .completed : .failed, isUsable: file.isPlayable,
      isPlainMovie: file.isPlainMovie,
      duration: file.error == nil ? duration : file.duration, fileSize: file.fileSize,
      tracks: tracks, dropped: file.dropped, error: error, isFull: isAtLimit)
  }
}
