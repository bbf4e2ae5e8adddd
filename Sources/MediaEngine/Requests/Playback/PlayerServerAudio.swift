import Dispatch
import MediaTime
import Synchronization
import SystemIO

/// The connection of a player to an audio server: an output is opened for the first playback, and reopened when it is
/// lost.
extension PlayerRunner {
  /// Renders the upcoming audio, and has the item's time follow the audio that is heard.
  ///
  /// Pictures and all else that follows running time begin with it.
  func pump() async {
    let stood = player.stands
    await pumpAudio()
    if stood, !player.stands { player.kick() }
  }

  private func pumpAudio() async {
    guard player.usesServer, (try? await audioLine.enter(interrupt: lifetime)) != nil else {
      return
    }
    defer { audioLine.leave() }
    if server == nil {
      guard player.isWaitingForOutput else { return }
      await openOutput()
    }
    guard let server else { return }
    if server.ring.clock.isGone { return loseOutput(nil) }
    let demand = player.change { $0.demand() }
    do throws(EngineError) {
      switch demand.gate {
      case .none, .idle:
        server.ring.setRunning(false)
        server.ring.command()
      case .starting, .running:
        try await server.render(demand, due: dueRead(.audio), interrupt: lifetime)
        // It may have stopped meanwhile.
        server.ring.setRunning(player.core.withLock { [.starting, .running].contains($0.gate) })
        server.ring.command()
      }
    } catch {
      if error.isCancellation { return }
      if let item = player.currentItem { fail(item, error) }
      return
    }
    let clock = server.ring.clock
    let heard = server.heard
    let underruns = server.takeUnderruns()
    player.change { core in
      let device = core.audio.device
      core.note(deviceOf: server.ring)
      if core.audio.device != device { core.report() }
      core.audio.latency = Time(nanoseconds: clock.latencyNanoseconds)
      if let frames = clock.heard { core.audio.framesPlayed = frames }
      if core.timebase.rate != .zero { core.audio.underruns += underruns }
      guard core.plan == demand.plan, let heard else { return }
      core.follow(run: heard.run, at: heard.at)
    }
    player.scheduleDeadline()
  }

  /// Opens the output, or continues without it.
  func openOutput() async {
    guard let outputs = player.configuration.outputs else { return }
    let settings = player.configuration
    do throws(EngineError) {
      let output = try await outputs.open(
        device: player.outputName, sampleRate: settings.sampleRate, channels: settings.channels)
      use(output)
    } catch {
      loseOutput(error)
    }
  }

  /// Plays the upcoming audio on an output, in place of another one.
  func use(_ output: any AudioOutput) {
    guard !lifetime.isTriggered else { return output.close() }
    let settings = player.configuration
    server = ServerAudio(output, sampleRate: settings.sampleRate, meter: settings.meter)
    failures = 0
    follow(output.ring)
    player.change { core in
      core.audio.state = .open
      core.audio.error = nil
      core.note(deviceOf: output.ring)
      core.clock = .audio
      if core.gate == .none || core.gate == .running {
        // The clock is that of the new output.
        core.gate = .running
        core.replan()
        core.settleRate(reports: false)
      }
      core.report()
    }
  }

  /// Continues without the output, by the system's clock, and retries it later.
  private func loseOutput(_ error: EngineError?) {
    server = nil
    failures += 1
    let reason =
      error
      ?? EngineError(
        .mediaServicesWereReset, "The audio server is gone",
        advice: .waitForAudioServer)
    let wanted = player.outputName
    player.change { core in
      core.leaveOutput()
      core.audio.state = .unavailable
      core.audio.device = wanted
      core.audio.error = reason
      core.settleRate()
      core.report()
    }
    let pause = min(30, 1 << min(5, failures - 1))
    Deadlines.shared.set(
      Deadlines.now + ExactTime(Int64(pause)), for: self
    ) { [weak player] in player?.retryOutput() }
  }

  /// Tries to open the output again.
  func retry() async {
    guard server == nil, player.usesServer,
      (try? await audioLine.enter(interrupt: lifetime)) != nil
    else { return }
    await openOutput()
    audioLine.leave()
    await pump()
  }

  /// Starts a thread that renders whenever the output has consumed samples, as long as the output is open.
  private func follow(_ ring: AudioRing) {
    try? BlockingThread.start { [weak player] in
      var known = ring.change
      while true {
        ring.waitForChange(known)
        known = ring.change
        let isGone = ring.clock.isGone
        guard let runner = player?.runner.withLock(\.self), let current = player else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
          await runner.pump()
          withExtendedLifetime(current) {}
          done.signal()
        }
        done.wait()
        if isGone { return }
      }
    }
  }
}

extension Player {
  /// True where audio goes to a server.
  var usesServer: Bool {
    guard configuration.clock == .audio, configuration.outputs != nil else { return false }
    if case .server = core.withLock(\.device) { return true }
    return false
  }

  /// The ID of the output; nil for the default.
  var outputName: String? {
    if case .server(let name) = core.withLock(\.device) { name } else { nil }
  }

  /// True while the item's time stands.
  fileprivate var stands: Bool { core.withLock { $0.timebase.rate == .zero } }

  /// True while playback waits for the output.
  var isWaitingForOutput: Bool { core.withLock { $0.gate == .starting } }

  fileprivate func retryOutput() {
    guard let runner = runner.withLock(\.self) else { return }
    Task {
      await runner.retry()
      withExtendedLifetime(self) {}
    }
  }
}
