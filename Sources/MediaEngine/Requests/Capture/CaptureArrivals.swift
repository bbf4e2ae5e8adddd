import MediaTime
import Synchronization

// The arrivals of samples and changes from devices, and the deadlines between them.
extension CaptureSession {
  func makeSink(_ output: CaptureConfiguration.Output) -> any CaptureSink {
    switch output.type {
    case .movieFile, .audioFile: CaptureFileOutput(number: output.number, events: events)
    case .photo: CapturePhotoOutput(number: output.number, events: events)
    case .videoData, .audioData, .preview:
      CaptureDataOutput(
        number: output.number, type: output.type, settings: output.settings,
        to: output.settings.isShared ? destination : .heap, events: events)
    }
  }

  /// Handles an arrival from a device of this machine.
  func take(_ arrival: CaptureArrival, from number: Int) {
    let isLost = core.withLock { core -> Bool in
      let now = now(&core)
      switch arrival {
      case .sample(let sample, let mediaType):
        resume(number, at: now, &core)
        core.distribute(sample, mediaType, from: number, at: now)
      case .leftOut(let count, let mediaType, let time, let reason):
        core.leaveOut(count, mediaType, reason, at: time, from: number)
      case .interrupted(let reason): interrupt(number, reason, at: now, &core)
      case .resumed, .connected: connect(number, at: now, &core)
      case .disconnected: return disconnect(number, &core)
      case .changed(let formats): return change(formats, of: number, &core)
      case .noted(let fact): events(.noted(fact, input: number))
      case .failed(let error):
        endRecordings(of: number, error, &core)
        return disconnect(number, &core, error)
      }
      return false
    }
    if isLost { Task { await stopIfLost() } }
  }

  /// Handles an item of a synthetic device.
  ///
  /// - Returns: false where the device is gone.
  func take(
    _ item: SyntheticStream.Item, from number: Int, at now: Time, _ core: inout CaptureCore
  ) -> Bool {
    switch item {
    case .sample(let sample, let mediaType):
      let now = min(now, sample.capturedEnd)
      resume(number, at: now, &core)
      core.distribute(sample, mediaType, from: number, at: now)
    case .leftOut(_, let time): core.leaveOut(1, .video, at: time, from: number)
    case .missing: break
    case .plugged: connect(number, at: now, &core)
    case .unplugged: return !disconnect(number, &core)
    }
    return true
  }

  /// Handles the deadlines up to a time, other than those of samples.
  func tick(_ core: inout CaptureCore, _ now: Time) -> CaptureRunner.Step {
    for sink in core.sinks.values { sink.tick(now) }
    for (number, run) in core.inputs.sorted(by: { $0.key < $1.key }) {
      guard let deadline = core.stallDeadline(of: run), deadline <= now else { continue }
      if !run.isStalled {
        interrupt(number, .deviceStalled, at: now, &core)
      } else if run.startDeadline != nil {
        return .failed(late(number, now, &core))
      } else if disconnect(number, &core) {
        return .lost
      }
    }
    return .done
  }

  /// Returns the error of a device that has delivered nothing since its start.
  private func late(
    _ number: Int, _ now: Time, _ core: inout CaptureCore
  ) -> EngineError {
    // One failure is reported, even if other devices are late while the session stops.
    for number in core.inputs.keys {
      core.inputs[number]?.startDeadline = nil
      core.inputs[number]?.lastArrival = now
    }
    let device = core.configuration.input(number)?.device.uniqueID ?? ""
    return EngineError(
      .failedToLoadMediaData, "'\(device)' has brought nothing since the start",
      advice: .resumeDevice)
  }

  private func interrupt(
    _ number: Int, _ reason: CaptureInterruptionReason, at now: Time, _ core: inout CaptureCore
  ) {
    guard core.inputs[number]?.isStalled == false else { return }
    core.inputs[number]?.isStalled = true
    reportChanges(&core)
    events(.wasInterrupted(reason, input: number))
    for sink in core.sinks.values { sink.note(isSilent: true, input: number, at: now) }
  }

  private func resume(_ number: Int, at now: Time, _ core: inout CaptureCore) {
    // A device that is gone reports its return; samples from before it went may arrive after that.
    guard let run = core.inputs[number], run.isStalled, run.isConnected else { return }
    connect(number, at: now, &core)
  }

  private func connect(_ number: Int, at now: Time, _ core: inout CaptureCore) {
    guard let run = core.inputs[number], run.isStalled || !run.isConnected else { return }
    core.inputs[number]?.isStalled = false
    core.inputs[number]?.isConnected = true
    if let device = core.configuration.input(number)?.device { plugs.plug([device.uniqueID]) }
    core.inputs[number]?.lastArrival = now
    for sink in core.sinks.values { sink.note(isSilent: false, input: number, at: now) }
    reportChanges(&core)
    events(.interruptionEnded(input: number))
  }

  /// - Parameter error: the reason; nil for a device that was unplugged.
  /// - Returns: true the first time.
  private func disconnect(
    _ number: Int, _ core: inout CaptureCore, _ error: EngineError? = nil
  ) -> Bool {
    guard core.inputs[number]?.isConnected == true, let input = core.configuration.input(number)
    else { return false }
    core.inputs[number]?.isConnected = false
    if input.device.transport == .synthetic { plugs.unplug(input.device.uniqueID) }
    for sink in core.sinks.values { sink.forget(input: number) }
    let error = error ?? .disconnected(input.device)
    endRecordings(of: number, error, &core)
    for sink in core.sinks(of: number) { sink.endRequests(error) }
    reportChanges(&core)
    return true
  }

  /// Notes that a device has other formats now.
  ///
  /// - Returns: true where the input can't continue with them.
  private func change(
    _ formats: [CaptureDevice.Format], of number: Int, _ core: inout CaptureCore
  ) -> Bool {
    guard let device = core.configuration.input(number)?.device else { return false }
    let code: EngineError.Code =
      device.transport == .screen ? .sessionConfigurationChanged : .mediaChanged
    endRecordings(
      of: number,
      EngineError(
        code, "'\(device.uniqueID)' changed its format", advice: .startRecordingAgain),
      &core)
    core.configuration.setFormats(formats, ofInput: number)
    let isPossible =
      core.configuration.input(number).map { (try? core.configuration.resolved($0)) != nil }
    if isPossible != true { return disconnect(number, &core) }
    reportChanges(&core)
    return false
  }

  private func endRecordings(of number: Int, _ error: EngineError, _ core: inout CaptureCore) {
    for sink in core.sinks.values { sink.endRecordings(of: number, error) }
  }
}

extension EngineError {
  /// Returns the error of a device that was unplugged.
  static func disconnected(_ device: CaptureDevice) -> EngineError {
    EngineError(
      .deviceWasDisconnected, "'\(device.uniqueID)' was disconnected", advice: .reconnectDevice)
  }
}
