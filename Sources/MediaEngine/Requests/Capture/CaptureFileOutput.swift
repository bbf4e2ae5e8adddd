import MediaTime
import Synchronization

/// An output that records into files: movies, or audio (AVCaptureMovieFileOutput, AVCaptureAudioFileOutput).
final class CaptureFileOutput: CaptureSink {
  private struct State {
    /// The recordings in progress, each of which continues the one before it. All but the last one have begun, and wait
    /// for their last samples, or the last one waits for its first ones.
    var recordings: [CaptureRecording] = []
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
    let (known, recordings) = state.withLock { ($0.dropped, $0.recordings) }
    return recordings.flatMap(\.tracks).reduce(known) { $0 + $1.dropped }
  }
  var meteredAudio: (any MeteredOutput)? { self }
  var levels: CaptureLevels { meter.levels }
  func observeLevels(every interval: Time?) { meter.observe(every: interval) }
  /// The recording that requests are about: the one that replaces another, from its request on.
  var recording: CaptureRecording? { state.withLock { $0.recordings.last } }
  private var recordings: [CaptureRecording] { state.withLock(\.recordings) }

  // MARK: Requests

  /// Begins a recording; a recording in progress ends at its beginning.
  ///
  /// One that waits to continue another recording is replaced: it never begins.
  func begin(_ make: (_ after: CaptureRecording?) -> CaptureRecording) {
    let replaced = state.withLock { state -> CaptureRecording? in
      let replaced = state.recordings.dropFirst().last.flatMap { $0.hasBegun ? nil : $0 }
      let predecessor = state.recordings.last { $0 !== replaced }
      state.recordings.append(make(predecessor))
      return replaced
    }
    guard let replaced else { return }
    replaced.beReplaced()
    finish(replaced)
  }

  /// Ends a recording at a time. One without a sample in its file leaves no file.
  func cancel(operation: Int, at now: Time, isLast: Bool) {
    guard let recording = recordings.first(where: { $0.operation == operation }) else { return }
    guard recording.cancel() else {
      recording.beReplaced()
      finish(recording, .cancelled("The recording"))
      return
    }
    recording.stop(at: now)
    if isLast { finish(recording) } else { check(now) }
  }

  func stopRecordings(at now: Time, isLast: Bool, _ error: EngineError?) {
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
      return state.recordings.last
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
    let recordings = self.recordings
    let newest = recordings.last { $0.hasBegun && $0.ends.contains(connection.ends) }
    (newest ?? recordings.first)?.countLeftOut(count, reason, of: connection.ends)
  }

  func forget(input: Int) {
    for recording in recordings { recording.forget(input: input) }
  }

  func note(isSilent: Bool, input: Int, at now: Time) {
    for recording in recordings { recording.note(isSilent: isSilent, input: input) }
    if isSilent { check(now) }
  }

  func endRecordings(of input: Int, _ error: EngineError) {
    end(recordings.filter { $0.ends.contains { $0.input == input } }, error)
  }

  func endRecordings(unless isRetained: (CaptureConfiguration.ConnectionEnds) -> Bool) {
    let changed = recordings.filter { !$0.ends.allSatisfy(isRetained) }
    for recording in changed.dropFirst() { recording.beginIfStopped() }
    for recording in changed {
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
    for recording in recordings.reversed() { recording.beginIfLate(at: now) }
    check(now)
  }

  var deadline: Time? {
    let first = recordings.first
    return (recordings.map(\.deadline) + [first?.limitDeadline, first?.stopDeadline])
      .compactMap(\.self).min()
  }

  func settle(all: Bool) async {
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
      guard !state.recordings.isEmpty else { return nil }
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

  private func endAll(_ error: EngineError?) { end(recordings, error) }

  private func end(_ recordings: [CaptureRecording], _ error: EngineError?) {
    // The later ones first: samples that they hold for the earlier ones go there.
    for recording in recordings.dropFirst() { recording.beginIfStopped() }
    for recording in recordings { finish(recording, error) }
  }

  /// Announces recordings that have begun, and ends those that are complete or at a limit, in their order.
  private func check(_ now: Time) {
    let recordings = self.recordings
    for recording in recordings { recording.waitForLast(until: now + Self.stopTimeout) }
    for recording in recordings {
      announce(recording)
      if recording.isComplete || recording.stopDeadline.map({ now >= $0 }) ?? false {
        finish(recording)
      } else if let error = recording.reachedLimit(at: now) {
        finish(recording, error)
      } else {
        return
      }
    }
  }

  /// Reports that a recording has begun, once.
  private func announce(_ recording: CaptureRecording) {
    guard let time = recording.startTime,
      state.withLock({ $0.started.insert(recording.operation).inserted })
    else { return }
    events(
      .didStartRecording(
        operation: recording.operation, output: number, path: recording.path, startTime: time))
  }

  private func finish(_ recording: CaptureRecording, _ error: EngineError? = nil) {
    let later = recordings.drop(while: { $0 !== recording }).dropFirst()
    // They begin with the samples that have come, if they don't get any more.
    for next in later where next.isStopping { next.beginIfStopped() }
    later.first?.handOver()
    let end = recording.end()
    guard end.isFirst else { return }
    announce(recording)
    let error = error ?? end.error
    events(
      .willFinishRecording(
        operation: recording.operation, output: number, path: recording.path, error: error))
    let idle = state.withLock { state -> [Signal<Bool>] in
      state.recordings.removeAll { $0 === recording }
      state.started.remove(recording.operation)
      state.dropped = recording.tracks.reduce(state.dropped) { $0 + $1.dropped }
      state.ending += 1
      guard state.recordings.isEmpty else { return [] }
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
      status: Self.status(of: recording, error), isUsable: file.isPlayable,
      isPlainMovie: file.isPlainMovie,
      duration: file.error == nil ? duration : file.duration, fileSize: file.fileSize,
      tracks: tracks, dropped: file.dropped, error: error, isFull: isAtLimit)
  }

  private static func status(of recording: CaptureRecording, _ error: EngineError?) -> Status {
    guard let error else { return recording.isCancelled ? .cancelled : .completed }
    return error.isCancellation ? .cancelled : .failed
  }
}
