import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// The keys of a person who watches or listens.
extension PlaybackSession {
  /// The rates that `[` and `]` go through.
  private static let rates: [Double] = [
    0.125, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8, 16, 32,
  ]

  func press(_ key: Key) async throws {
    status.note = nil
    do {
      switch key {
      case .text(let text): for character in text { try await press(character) }
      case .left: try await seek(by: Time(value: -5, timescale: 1))
      case .right: try await seek(by: Time(value: 5, timescale: 1))
      case .control("c"): throw ExitCode(130)
      case .control("d"): isLeaving = true
      case .control("z"): try await suspend()
      default: break
      }
    } catch let error as RPCError {
      status.note = error.message
    }
  }

  private func press(_ character: Character) async throws {
    switch character {
    case " ": try await setPlaying(status.desiredRate == 0)
    case ",": try await step(by: -1)
    case ".": try await step(by: 1)
    case "[": try await setRate(Self.rates.last { $0 < status.rate })
    case "]": try await setRate(Self.rates.first { $0 > status.rate })
    case "m": _ = try await client.call(PlayerSet(player: player, isMuted: !status.isMuted))
    case "q": isLeaving = true
    default: break
    }
  }

  private func setPlaying(_ isPlaying: Bool) async throws {
    let rate =
      isPlaying
      ? try await client.call(PlayerPlay(player: player))
      : try await client.call(PlayerPause(player: player))
    status.desiredRate = rate.rate
  }

  private func setRate(_ rate: Double?) async throws {
    guard let rate else { return }
    _ = try await client.call(PlayerSet(player: player, defaultRate: rate))
    status.rate = rate
    guard status.desiredRate != 0 else { return }
    status.desiredRate = try await client.call(PlayerSetRate(player: player, rate: rate)).rate
  }

  /// The seek is exact, and not waited for: later keys continue from its target.
  private func seek(by step: Time) async throws {
    let state = try await client.call(PlayerState(player: player))
    guard state.time.time.isNumeric else { return }
    var time = max(state.time.time + step, .zero)
    if let duration = status.duration, duration.isNumeric { time = min(time, duration) }
    _ = try await client.call(
      PlayerSeek(
        player: player, time: WireTime(time), toleranceBefore: WireTime(.zero),
        toleranceAfter: WireTime(.zero)))
  }

  private func step(by count: Int) async throws {
    guard let current else { return }
    let step = try await client.call(PlayerItemStep(playerItem: current, count: count))
    status.time = step.time.time
    status.frame = step.sampleIndex.map { (number: $0, time: status.time) }
  }

  /// Ctrl-Z: silent while the shell has the terminal.
  private func suspend() async throws {
    let isPlaying = status.desiredRate != 0
    if isPlaying { try await setPlaying(false) }
    panel?.suspend()
    if isPlaying { try await setPlaying(true) }
  }
}
