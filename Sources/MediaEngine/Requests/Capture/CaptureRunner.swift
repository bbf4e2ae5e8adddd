import MediaTime
import Synchronization
import SystemIO

/// The work of a capture session: starts and stops devices, has synthetic ones capture, and moves a manual clock.
actor CaptureRunner: QueueActor {
  package nonisolated let queue = WorkQueue("captureSession")
  /// The callers that wait for the end of a stop.
  private var stopped: [Signal<Void>] = []

  /// The maximum time until the first sample of a device.
  private static let startPatience = Time(value: 5, timescale: 1)

  // MARK: Configuration

  /// The error of an input that can't be had.
  struct InputError: Error {
    let input: Int
    let error: EngineError
  }

  /// Applies a configuration to the session.
  func commit(_ planned: CaptureConfiguration, of session: CaptureSession) async throws(InputError)
  {
    let devices = Set(planned.inputs.map(\.device.uniqueID))
    if let taken = DeviceReservations.shared.reserve(devices, by: ObjectIdentifier(session)) {
      let error = EngineError(
        .deviceAlreadyUsedByAnotherSession, "Another session uses '\(taken)'",
        advice: .closeCaptureSession)
      let input = planned.inputs.first { $0.device.uniqueID == taken }
      throw InputError(input: input?.number ?? 0, error: error)
    }
    // The devices of a session that is stopping are still open.
    await untilStopped(session)
    let (current, isRunning) = session.core.withLock { ($0.configuration, $0.isRunning) }
    let changed = planned.inputs.filter { needsStart($0, current, planned) }
    let changedInputs = Set(changed.map(\.number))
    var runs: [Int: CaptureCore.InputRun] = [:]
    if isRunning {
      for input in changed {
        do throws(EngineError) {
          runs[input.number] = try await run(input, planned, session)
        } catch {
          for run in runs.values { await run.source?.stop() }
          let claimed = Set(current.inputs.map(\.device.uniqueID))
          _ = DeviceReservations.shared.reserve(claimed, by: ObjectIdentifier(session))
          throw InputError(input: input.number, error: error)
        }
      }
    }
    let (gone, sources) = session.core.withLock {
      core -> ([any CaptureSink], [any CaptureSource]) in
      // Between two samples: recordings without changes lose none. Those that wait for the start end, too.
      for sink in core.sinks.values {
        sink.endRecordings(unless: { ends in
          let before = current.connections.first { $0.ends == ends }
          return planned.connections.contains { connection in
            connection.ends == ends && connection.isEnabled
              && connection.rotation == before?.rotation
              && connection.isMirrored == before?.isMirrored
          } && !changedInputs.contains(ends.input)
        })
      }
      let outputs = Set(planned.outputs.map(\.number))
      let gone = core.sinks.filter { !outputs.contains($0.key) }.map(\.value)
      core.sinks = core.sinks.filter { outputs.contains($0.key) }
      for output in planned.outputs where core.sinks[output.number] == nil {
        core.sinks[output.number] = session.makeSink(output)
      }
      let inputs = Set(planned.inputs.map(\.number))
      let replaced = core.inputs.filter { !inputs.contains($0.key) || runs[$0.key] != nil }
      core.inputs = core.inputs.filter { inputs.contains($0.key) }
        .merging(runs) { $1.continuing($0) }
      var planned = planned
      planned.takeFormats(from: core.configuration)
      core.configuration = planned
      session.reportChanges(&core)
      return (gone, replaced.values.compactMap(\.source))
    }
    for source in sources { await source.stop() }
    // Devices that aren't used any more, or are started anew.
    let used = planned.inputs.filter { runs[$0.number] == nil }.map(\.device.uniqueID)
    session.plugs.plug(Set(current.inputs.map(\.device.uniqueID)).subtracting(used))
    let now = session.time
    for output in planned.outputs
    where output.type == .photo
      && !planned.connections(of: output.number).contains(where: planned.isActive)
    {
      let sink = session.core.withLock { $0.sinks[output.number] }
      await sink?.end(at: now, CaptureSession.withoutInput)
    }
    for sink in gone {
      await sink.end(
        at: now,
        EngineError(
          .sessionConfigurationChanged, "The output was removed", advice: .startRecordingAgain))
      sink.close()
    }
    schedule(session)
  }

  /// Returns true for an input that is new, or that captures in another way.
  private func needsStart(
    _ input: CaptureConfiguration.Input, _ current: CaptureConfiguration,
    _ planned: CaptureConfiguration
  ) -> Bool {
    guard let known = current.input(input.number) else { return true }
    return known.settings != input.settings
      || (try? current.resolved(known)) != (try? planned.resolved(input))
  }

  /// Starts an input's device, and returns its run.
  private func run(
    _ input: CaptureConfiguration.Input, _ configuration: CaptureConfiguration,
    _ session: CaptureSession
  ) async throws(EngineError) -> CaptureCore.InputRun {
    let resolved = try configuration.resolved(input)
    let (start, now) = session.core.withLock { ($0.start, session.now(&$0)) }
    let frame = resolved.compactMap(\.frameDuration).max() ?? Time(value: 1, timescale: 100)
    var run = CaptureCore.InputRun(lastArrival: now, frameDuration: frame)
    guard input.device.transport == .synthetic else {
      let source = try session.devices.source(of: input.device)
      try await source.start(resolved, settings: input.settings) { [weak session] arrival in
        session?.take(arrival, from: input.number)
      }
      run.source = source
      return run
    }
    let settings = input.settings.synthetic
    if settings.isBusy {
      throw EngineError(
        .deviceInUseByAnotherApplication,
        "Another program uses '\(input.device.uniqueID)'", advice: .closeDeviceUser)
    }
    if settings.failStart {
      throw EngineError(
        .failedToLoadMediaData, "'\(input.device.uniqueID)' brought nothing",
        advice: .reconnectAndStart)
    }
    let video = resolved.first { $0.format.mediaType == .video }?.format
    run.stream = try SyntheticStream(
      settings, width: video?.width ?? 64, height: video?.height ?? 48, from: now, start: start)
    return run
  }

  // MARK: Running

  func start(_ session: CaptureSession, _ operation: Int) async {
    // It may be stopping, as it has failed.
    await untilStopped(session)
    let (configuration, isRunning, isClosed) = session.core.withLock { core in
      if !core.isRunning { core.start = session.now(&core) }
      return (core.configuration, core.isRunning, core.isClosed)
    }
    guard !isClosed else {
      return session.events(
        .didStart(
          operation: operation, startTime: nil, error: .cancelled("The start of the session")))
    }
    guard !isRunning else {
      return session.events(
        .didStart(operation: operation, startTime: session.core.withLock(\.start), error: nil))
    }
    var runs: [Int: CaptureCore.InputRun] = [:]
    do throws(EngineError) {
      for input in configuration.inputs {
        var run = try await run(input, configuration, session)
        run.startDeadline = run.lastArrival + Self.startPatience
        runs[input.number] = run
      }
    } catch {
      for run in runs.values { await run.source?.stop() }
      return session.events(.didStart(operation: operation, startTime: nil, error: error))
    }
    session.plugs.plug(configuration.inputs.map(\.device.uniqueID))
    session.core.withLock { core in
      core.inputs = runs
      core.isRunning = true
      session.reportChanges(&core)
      // Before the first sample of any output.
      session.events(.didStart(operation: operation, startTime: core.start, error: nil))
    }
    schedule(session)
  }

  /// Stops a session. One that doesn't run reports the end of the operation alone.
  func stop(
    _ session: CaptureSession, _ operation: Int?, _ reason: CaptureStopReason,
    _ error: EngineError? = nil
  ) async {
    await untilStopped(session)
    let isRunning = session.core.withLock { core in
      core.isStopping = core.isRunning
      return core.isRunning
    }
    guard isRunning else {
      if let operation { session.events(.didStop(operation: operation, reason)) }
      return
    }
    let now = session.time
    // Samples that were captured until now belong to the recordings.
    capture(session, until: now, cuts: true)
    let sinks = session.core.withLock { Array($0.sinks.values) }
    for sink in sinks { sink.stopRecordings(at: now, isLast: session.clock == .manual, error) }
    // Either the devices deliver their earlier samples, or the outputs' deadlines pass.
    schedule(session)
    for sink in sinks { await sink.withoutRecordings() }
    let sources = session.core.withLock { core in
      core.isRunning = false
      defer { for number in core.inputs.keys { core.inputs[number]?.stream = nil } }
      return core.inputs.values.compactMap(\.source)
    }
    Deadlines.shared.set(nil, for: session) {}
    for source in sources { await source.stop() }
    for sink in sinks { await sink.end(at: now, error) }
    session.core.withLock { core in
      core.isStopping = false
      session.reportChanges(&core)
    }
    session.events(.didStop(operation: operation, reason))
    let waiting = stopped
    stopped = []
    for signal in waiting { signal.fire(()) }
  }

  /// Returns when the session isn't stopping.
  private func untilStopped(_ session: CaptureSession) async {
    while session.core.withLock(\.isStopping) {
      let signal = Signal<Void>()
      stopped.append(signal)
      await signal.wait()
    }
  }

  func close(_ session: CaptureSession) async {
    await stop(session, nil, .closed)
    let sinks = session.core.withLock { core in
      core.isClosed = true
      defer { core.sinks = [:] }
      return Array(core.sinks.values)
    }
    for sink in sinks {
      await sink.end(at: session.time, nil)
      sink.close()
    }
  }

  /// Stops a session that can't continue. Its recordings end with the error.
  func fail(_ session: CaptureSession, _ error: EngineError) async {
    guard session.core.withLock({ $0.isRunning && !$0.isStopping }) else { return }
    session.events(.didFail(error))
    await stop(session, nil, .failed, error)
  }

  // MARK: Time

  /// Schedules the next deadline, on a clock that isn't manual.
  private func schedule(_ session: CaptureSession) {
    guard session.clock == .host else { return }
    let due = session.core.withLock { core -> ExactTime? in
      guard core.isRunning else { return nil }
      return [core.streamDue, core.deadline.flatMap { ExactTime($0) }].compactMap(\.self).min()
    }
    Deadlines.shared.set(due, for: session) { [weak self, weak session] in
      guard let session else { return }
      Task { await self?.runDue(session) }
    }
  }

  private func runDue(_ session: CaptureSession) async {
    guard session.isRunning else { return }
    capture(session, until: session.time, cuts: false)
    schedule(session)
  }

  /// Captures all items of synthetic devices before a time, in due order, with the deadlines between.
  private func capture(_ session: CaptureSession, until limit: Time, cuts: Bool) {
    while true {
      switch captureNext(session, before: limit, cuts: cuts) {
      case .nothing: return
      case .done: continue
      case .lost: Task { await self.stopIfLost(session) }
      case .failed(let error):
        Task { await self.fail(session, error) }
        return
      }
    }
  }

  enum Step {
    case nothing, done
    /// An input's device is gone.
    case lost
    case failed(EngineError)
  }

  /// Captures the next item, or handles the next deadline.
  ///
  /// - Returns: `nothing` where no item or deadline is left before the time.
  private func captureNext(_ session: CaptureSession, before limit: Time, cuts: Bool) -> Step {
    let exact = ExactTime(limit) ?? .zero
    return session.core.withLock { core -> Step in
      guard core.isRunning else { return .nothing }
      // In due order, and by number for equal times.
      let order = core.inputs.compactMap { number, run in
        run.stream.map { (due: $0.due ?? exact, number: number) }
      }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
      let due = order.first?.due
      if let deadline = core.deadline, let exactDeadline = ExactTime(deadline),
        exactDeadline <= exact, due.map({ exactDeadline < $0 }) ?? true
      {
        return session.tick(&core, deadline)
      }
      // The rest before the limit, of the first device that has any.
      let cutsNow = cuts && (due.map { $0 >= exact } ?? true)
      for (_, number) in order {
        guard let item = try? core.inputs[number]?.stream?.take(before: exact, cuts: cutsNow)
        else { continue }
        return session.take(item, from: number, at: limit, &core) ? .done : .lost
      }
      return .nothing
    }
  }

  /// Stops the session if the lost input is the last one.
  func stopIfLost(_ session: CaptureSession) async {
    let isLast = session.core.withLock { core in
      core.isRunning && core.inputs.values.allSatisfy { !$0.isConnected }
    }
    guard isLast else { return }
    await fail(
      session,
      EngineError(
        .deviceWasDisconnected, "No input is left: its device is gone",
        advice: .reconnectAndStart))
  }

  /// Moves a manual clock.
  func advance(
    _ session: CaptureSession, by duration: Time
  ) async throws(EngineError) -> (time: Time, captured: Int) {
    let (limit, before) = session.core.withLock { ($0.manualTime + duration, $0.captured) }
    steps: while true {
      switch captureNext(session, before: limit, cuts: true) {
      case .nothing: break steps
      case .done: await settle(session, all: false)
      case .lost: await stopIfLost(session)
      case .failed(let error): await fail(session, error)
      }
    }
    let now = session.core.withLock { core in
      core.manualTime = limit
      for sink in core.sinks.values { sink.tick(limit) }
      return core.captured
    }
    await settle(session, all: true)
    return (limit, now - before)
  }

  private func settle(_ session: CaptureSession, all: Bool) async {
    let sinks = session.core.withLock { Array($0.sinks.values) }
    for sink in sinks { await sink.settle(all: all) }
  }
}
