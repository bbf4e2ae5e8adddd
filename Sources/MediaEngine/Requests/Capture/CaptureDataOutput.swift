import DequeModule
import MediaTime
import Synchronization

/// An output that delivers samples to the client: frames, audio, or small frames for a preview
/// (AVCaptureVideoDataOutput, AVCaptureAudioDataOutput, AVCaptureVideoPreviewLayer).
///
/// A client that is slower than the device gets the newest frame; the frames that were left out are counted. Audio
/// waits for two seconds.
final class CaptureDataOutput: CaptureSink {
  private enum Pending {
    case sample(SampleBuffer, CaptureConfiguration.Connection)
    /// The end of a run of audio, after which the rest of it is in the resampler.
    case endOfRun

    var sample: SampleBuffer? { if case .sample(let sample, _) = self { sample } else { nil } }
  }

  private struct State {
    var waiting: Deque<Pending> = []
    var bytes = 0
    /// The audio that waits, in samples a channel.
    var audio = 0
    /// The connection of a run of audio that hasn't ended.
    var run: CaptureConfiguration.ConnectionEnds?
    /// The end of its newest sample.
    var runEnd = Time.zero
    /// The samples that the client holds.
    var outstanding = 0
    /// True while a sample is being converted.
    var isBusy = false
    var delivered = 0
    var dropped = CaptureDrops()
    /// The drops that were not reported to the client with samples.
    var unreported = CaptureDrops()
    /// The drops that the client has not been notified of, by reason.
    var unnotified: [CaptureDropReason: (count: Int, time: Time)] = [:]
    var nextNotification: [CaptureDropReason: Time] = [:]
    /// The time from which on a frame is wanted.
    var nextPicture: Time?
    var arrivals: [Signal<Bool>] = []
    var idle: [Signal<Bool>] = []
    var isEnded = false
  }

  let number: Int
  let type: CaptureConfiguration.OutputType
  let settings: CaptureConfiguration.OutputSettings
  private let conversion: CaptureConversion
  private let events: @Sendable (CaptureEvent) -> Void
  private let meter = CaptureMeter()
  private let state = Mutex(State())

  static let maximumPictures = 30
  static let maximumBytes = 64 << 20
  /// The time between two notifications of drops for one reason.
  static let quiet = Time(value: 1, timescale: 2)

  init(
    number: Int, type: CaptureConfiguration.OutputType,
    settings: CaptureConfiguration.OutputSettings, to destination: Destination,
    events: @escaping @Sendable (CaptureEvent) -> Void
  ) {
    (self.number, self.type, self.settings, self.events) = (number, type, settings, events)
    conversion = CaptureConversion(settings, to: destination)
  }

  var delivered: Int { state.withLock(\.delivered) }
  var dropped: CaptureDrops { state.withLock(\.dropped) }
  var meteredAudio: (any MeteredOutput)? { self }
  var levels: CaptureLevels { meter.levels }
  func observeLevels(every interval: Time?) { meter.observe(every: interval) }

  // MARK: CaptureSink

  func take(_ sample: SampleBuffer, of connection: CaptureConfiguration.Connection) {
    if let levels = meter.take(sample, of: connection.ends) {
      events(.didMeasureLevels(output: number, levels))
    }
    let (notices, arrivals, starts) = state.withLock {
      state -> ([CaptureEvent], [Signal<Bool>], Bool) in
      guard !state.isEnded, isWanted(sample, &state) else { return ([], [], false) }
      makeRoom(for: sample, &state)
      let notices = self.notices(at: sample.presentationTime, &state)
      guard hasCredit(state) else {
        drop(sample, .outOfBuffers, &state)
        return (notices + self.notices(at: sample.presentationTime, &state), [], false)
      }
      state.bytes += sample.data.count
      if case .audio = sample.content {
        state.audio += sample.sampleCount
        (state.run, state.runEnd) = (connection.ends, sample.capturedEnd)
      }
      let (arrivals, starts) = append(.sample(sample, connection), &state)
      return (notices, arrivals, starts)
    }
    for notice in notices { events(notice) }
    for arrival in arrivals { arrival.fire(true) }
    if starts { push() }
  }

  /// - Returns: the signals of callers that wait for it, and true where pushing has to be started.
  private func append(_ pending: Pending, _ state: inout State) -> ([Signal<Bool>], Bool) {
    state.waiting.append(pending)
    let starts = settings.isPush && !state.isBusy
    if starts { state.isBusy = true }
    defer { state.arrivals = [] }
    return (state.arrivals, starts)
  }

  /// Ends a run of audio: no sample follows it without a gap.
  private func endRun(where isEnd: (CaptureConfiguration.ConnectionEnds) -> Bool = { _ in true }) {
    let (arrivals, starts) = state.withLock { state -> ([Signal<Bool>], Bool) in
      guard !state.isEnded, let run = state.run, isEnd(run) else { return ([], false) }
      state.run = nil
      return append(.endOfRun, &state)
    }
    for arrival in arrivals { arrival.fire(true) }
    if starts { push() }
  }

  /// Returns true where the next frame is due.
  private func isWanted(_ sample: SampleBuffer, _ state: inout State) -> Bool {
    guard let rate = settings.maxFrameRate, rate > 0 else { return true }
    let time = sample.presentationTime
    if let next = state.nextPicture, time < next { return false }
    let interval = Time(seconds: 1 / rate, preferredTimescale: 90_000)
    // One interval after the previous frame, regardless of the number of frames between them.
    state.nextPicture = max((state.nextPicture ?? time) + interval, time)
    return true
  }

  private func hasCredit(_ state: borrowing State) -> Bool {
    guard type != .audioData else { return true }
    return state.outstanding + (settings.isPush ? state.waiting.count : 0) < settings.maxOutstanding
  }

  /// Drops samples that are late already.
  private func makeRoom(for sample: SampleBuffer, _ state: inout State) {
    if case .audio(let audio) = sample.content {
      while state.audio + sample.sampleCount > 2 * audio.sampleRate,
        let index = state.waiting.firstIndex(where: { $0.sample != nil }),
        let first = state.waiting.remove(at: index).sample
      {
        // One end of the run before it is enough.
        if index > 0, index < state.waiting.count, state.waiting[index].sample == nil {
          state.waiting.remove(at: index)
        }
        state.audio -= first.sampleCount
        state.bytes -= first.data.count
        drop(first, .discontinuity, &state)
      }
      return
    }
    guard !settings.isPush else { return }
    let limit = settings.alwaysDiscardsLateVideoFrames ? 1 : Self.maximumPictures
    while state.waiting.count >= limit
      || (state.waiting.count > 1 && state.bytes + sample.data.count > Self.maximumBytes),
      let first = state.waiting.popFirst()?.sample
    {
      state.bytes -= first.data.count
      drop(first, settings.alwaysDiscardsLateVideoFrames ? .late : .outOfBuffers, &state)
    }
  }

  private func drop(_ sample: SampleBuffer, _ reason: CaptureDropReason, _ state: inout State) {
    count(sample.sampleCount, reason, at: sample.presentationTime, &state)
  }

  private func count(
    _ number: Int, _ reason: CaptureDropReason, at time: Time, _ state: inout State
  ) {
    // Frames of a preview are left out on purpose.
    guard type != .preview else { return }
    state.dropped.count(number, reason)
    state.unreported.count(number, reason)
    state.unnotified[reason] = ((state.unnotified[reason]?.count ?? 0) + number, time)
  }

  /// Returns notifications of the drops since the last one, at most one a reason in each ``quiet``.
  private func notices(at now: Time, _ state: inout State) -> [CaptureEvent] {
    CaptureDropReason.allCases.compactMap { reason in
      guard let (count, time) = state.unnotified[reason],
        state.nextNotification[reason].map({ now >= $0 }) ?? true
      else { return nil }
      state.unnotified[reason] = nil
      state.nextNotification[reason] = now + Self.quiet
      return .didDrop(output: number, reason, count: count, presentationTime: time)
    }
  }

  func countLeftOut(
    _ count: Int, _ reason: CaptureDropReason, at time: Time,
    of connection: CaptureConfiguration.Connection
  ) {
    let notices = state.withLock { state -> [CaptureEvent] in
      self.count(count, reason, at: time, &state)
      return self.notices(at: time, &state)
    }
    for notice in notices { events(notice) }
  }

  func forget(input: Int) { endRun { $0.input == input } }

  func endRecordings(unless isRetained: (CaptureConfiguration.ConnectionEnds) -> Bool) {
    endRun { !isRetained($0) }
  }

  func tick(_ now: Time) {
    let notices = state.withLock { self.notices(at: now, &$0) }
    for notice in notices { events(notice) }
  }

  var deadline: Time? {
    state.withLock { state in
      state.unnotified.keys.compactMap { state.nextNotification[$0] }.min()
    }
  }

  func settle(all: Bool) async {
    let signal = state.withLock { state -> Signal<Bool>? in
      guard state.isBusy else { return nil }
      let signal = Signal<Bool>()
      state.idle.append(signal)
      return signal
    }
    _ = await signal?.wait()
  }

  func end(at now: Time, _ error: EngineError?) async {
    // The rest of the audio is delivered before the end is reported, or waits for the client.
    endRun()
    await settle(all: true)
    let (arrivals, notices) = state.withLock { state -> ([Signal<Bool>], [CaptureEvent]) in
      state.nextNotification = [:]
      defer { state.arrivals = [] }
      return (state.arrivals, self.notices(at: now, &state))
    }
    for notice in notices { events(notice) }
    for arrival in arrivals { arrival.fire(true) }
  }

  func close() {
    conversion.cancel()
    let arrivals = state.withLock { state in
      state.isEnded = true
      state.waiting = []
      defer { state.arrivals = [] }
      return state.arrivals
    }
    for arrival in arrivals { arrival.fire(true) }
  }

  // MARK: Delivery

  func didRelease() { state.withLock { $0.outstanding = max(0, $0.outstanding - 1) } }

  /// - Parameter reserves: true for the credit of a frame, which is counted here; nil without any.
  private func takeNext(reserves: Bool = false) -> Pending? {
    state.withLock { state in
      if reserves, !hasCredit(state) { return nil }
      guard let next = state.waiting.popFirst() else { return nil }
      if let sample = next.sample {
        state.bytes -= sample.data.count
        if case .audio = sample.content { state.audio -= sample.sampleCount }
      }
      if reserves { state.outstanding += 1 }
      return next
    }
  }

  private func didDeliver(_ samples: [SampleBuffer], isReserved: Bool = false) -> CaptureDrops {
    state.withLock { state in
      state.delivered += samples.reduce(0) { $0 + $1.sampleCount }
      if settings.isShared, !isReserved { state.outstanding += samples.count }
      return state.unreported.take()
    }
  }

  /// Returns the samples that one is converted to. Those that can't be converted are counted.
  private func converted(_ pending: Pending) async throws(EngineError) -> [SampleBuffer] {
    let converted: CaptureConversion.Converted
    if case .sample(let sample, let connection) = pending {
      do throws(EngineError) {
        converted = try await conversion.convert(sample, connection)
      } catch {
        state.withLock { drop(sample, .outOfBuffers, &$0) }
        throw error
      }
    } else {
      converted = await conversion.finish()
    }
    if converted.lost > 0 {
      state.withLock { state in
        let time = pending.sample?.presentationTime ?? state.runEnd
        count(converted.lost, .outOfBuffers, at: time, &state)
      }
    }
    return converted.samples
  }

  /// Sends the waiting samples, one after the other.
  private func push() {
    Task.detached { [self] in
      while let next = takeNext() {
        guard let samples = try? await converted(next), !samples.isEmpty else { continue }
        let dropped = didDeliver(samples)
        events(.didOutput(output: number, samples, dropped: dropped))
      }
      let (idle, isDone) = state.withLock { state -> ([Signal<Bool>], Bool) in
        guard state.waiting.isEmpty else { return ([], false) }
        state.isBusy = false
        defer { state.idle = [] }
        return (state.idle, true)
      }
      for signal in idle { signal.fire(true) }
      if !isDone { push() }
    }
  }

  /// Returns the waiting samples, up to a number of them; waits for one.
  ///
  /// - Throws: `operationNotAllowed` for one that pushes, `leasesExhausted`.
  func next(
    _ count: Int, timeout: Duration, isRunning: @Sendable () -> Bool
  ) async throws(EngineError) -> (samples: [SampleBuffer], dropped: CaptureDrops) {
    guard !settings.isPush else {
      throw EngineError(
        .operationNotAllowed, "The output pushes its samples",
        advice: .addPullOutput)
    }
    var samples: [SampleBuffer] = []
    let deadline = ContinuousClock.now + timeout
    while samples.count < count {
      guard let next = takeNext(reserves: hasLimit) else {
        guard samples.isEmpty else { break }
        guard !hasLimit || state.withLock({ hasCredit($0) }) else {
          throw EngineError(
            .leasesExhausted,
            "The client holds all \(settings.maxOutstanding) frames that it may hold",
            advice: .releaseFrames)
        }
        guard isRunning(), ContinuousClock.now < deadline, await arrival(until: deadline) else {
          break
        }
        continue
      }
      do throws(EngineError) {
        let converted = try await converted(next)
        if hasLimit, converted.isEmpty { didRelease() }
        samples += converted
      } catch {
        if hasLimit { didRelease() }
        if samples.isEmpty { throw error }
        break
      }
    }
    return (samples, didDeliver(samples, isReserved: hasLimit))
  }

  /// True where the frames that the client holds are limited; audio is not.
  private var hasLimit: Bool { settings.isShared && type != .audioData }

  /// Waits for a sample.
  ///
  /// - Returns: false where none arrived in time.
  private func arrival(until deadline: ContinuousClock.Instant) async -> Bool {
    let signal = Signal<Bool>()
    let isThere = state.withLock { state in
      guard state.waiting.isEmpty, !state.isEnded else { return true }
      state.arrivals.append(signal)
      return false
    }
    if isThere { return !state.withLock(\.isEnded) }
    let timer = Task {
      try? await Task.sleep(until: deadline)
      signal.fire(false)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await signal.wait()
    } onCancel: {
      signal.fire(false)
    }
  }
}

extension CaptureDrops {
  fileprivate mutating func take() -> CaptureDrops {
    defer { self = CaptureDrops() }
    return self
  }
}
