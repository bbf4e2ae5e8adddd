import MediaTime
import Synchronization
import SystemIO

/// The choice of a player's audio device.
extension Player {
  /// Sends audio to another device from now on.
  ///
  /// - Throws: `operationNotAllowed` for an audio server on a manual clock, and while a file is being written;
  ///   `deviceNotConnected` for an output that the audio server doesn't have; the errors of making a file. The device
  ///   is unchanged then.
  func setDevice(_ device: PlayerAudioDevice) async throws(EngineError) {
    try await line.enter(interrupt: lifetime)
    defer {
      line.leave()
      kick()
    }
    guard !core.withLock(\.isClosed) else { throw Player.closed }
    catchUp()
    try await activeRunner.setDevice(device)
  }
}

extension Player.Configuration {
  /// Makes the file of a file device; nil for another one.
  ///
  /// - Throws: `operationNotAllowed` for an audio server on a manual clock.
  func openFile(_ device: PlayerAudioDevice) throws(EngineError) -> AudioFileDevice? {
    switch device {
    case .none: return nil
    case .file(let path, let format):
      return try AudioFileDevice(
        path: path, format: format, sampleRate: sampleRate, channels: channels,
        configuration: engine)
    case .server:
      guard clock != .manual else {
        throw EngineError(
          .operationNotAllowed, "An audio server can't be on a manual clock",
          advice: .chooseAudioDeviceOrClock)
      }
      return nil
    }
  }
}

extension PlayerCore {
  /// Notes the destination of audio, before its output is open.
  mutating func take(_ device: PlayerAudioDevice, hasServer: Bool) {
    self.device = device
    (audio.state, audio.device, audio.error, audio.latency) = (.none, nil, nil, nil)
    switch device {
    case .none: break
    case .file(let path, _): (audio.state, audio.device) = (.open, path)
    case .server(let name):
      audio.device = name
      guard clockKind == .audio else { return }
      audio.state = hasServer ? .closed : .unavailable
      guard !hasServer else { return }
      audio.error = EngineError(
        .mediaServicesWereReset, "There is no audio server", advice: .playWithoutAudio)
    }
  }

  /// Notes the device that plays a ring: the default one has a name then, and the server moves the audio of a device
  /// that is removed to another one.
  mutating func note(deviceOf ring: AudioRing) { audio.device = ring.device ?? audio.device }

  /// Switches to the system's clock, without a jump.
  mutating func leaveOutput() {
    guard clockKind == .audio else { return }
    gate = .none
    clock = .host
    speed = ExactTime(1)
    timebase = Timebase(item: itemTime, host: host, rate: timebase.rate)
  }
}

extension PlayerRunner {
  fileprivate func setDevice(_ device: PlayerAudioDevice) async throws(EngineError) {
    guard device != player.core.withLock(\.device) || isFile(device) || isElsewhere else { return }
    // The current device gets the audio that was heard until now.
    await render()
    try await audioLine.enter(interrupt: lifetime)
    defer { audioLine.leave() }
    guard !audio.isWriting else {
      throw EngineError(
        .operationNotAllowed, "The player writes an audio file", advice: .finishAudioFile)
    }
    let outputs = player.configuration.outputs
    if case .server(let name) = device, player.configuration.clock == .audio, let outputs {
      return try await use(device, name, of: outputs)
    }
    let file = try player.configuration.openFile(device)
    server = nil
    player.change { core in
      core.leaveOutput()
      core.take(device, hasServer: outputs != nil)
      core.reload()
      if let file {
        player.releaseFile.withLock { $0 = file.release }
        audio.begin(file, at: core.run)
      }
      core.settleRate()
      core.report()
    }
  }

  /// True while the server plays the audio on another device than was asked for.
  private var isElsewhere: Bool {
    guard let name = player.outputName else { return false }
    return player.core.withLock { $0.audio.device != name }
  }

  private func isFile(_ device: PlayerAudioDevice) -> Bool {
    if case .file = device { true } else { false }
  }

  /// Opens an output of the server; the current one plays until then.
  private func use(
    _ device: PlayerAudioDevice, _ name: String?, of outputs: any AudioOutputs
  ) async throws(EngineError) {
    let settings = player.configuration
    do throws(EngineError) {
      let output = try await outputs.open(
        device: name, sampleRate: settings.sampleRate, channels: settings.channels)
      player.change { $0.take(device, hasServer: true) }
      use(output)
    } catch {
      guard error.code != .deviceNotConnected else { throw error }
      // Without a server, or at the maximum number of outputs, the old output closes before this one opens.
      server = nil
      player.change { $0.take(device, hasServer: true) }
      await openOutput()
    }
  }
}
