import Foundation
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// The events of a player, as lines of text.
final class PlayerLog: Sendable {
  private struct State {
    var lines: [String] = []
    var events: [PlayerEvent] = []
    var names: [ObjectIdentifier: String] = [:]
  }
  private let state = Mutex(State())

  /// Names an object in the lines.
  func name(_ object: AnyObject, _ name: String) {
    state.withLock { $0.names[ObjectIdentifier(object)] = name }
  }

  func add(_ event: PlayerEvent) {
    state.withLock { state in
      state.events.append(event)
      state.lines.append(Self.line(event) { state.names[ObjectIdentifier($0)] ?? "?" })
    }
  }

  /// The lines since the last call.
  func take() -> [String] {
    state.withLock { state in
      defer { (state.lines, state.events) = ([], []) }
      return state.lines
    }
  }

  func takeEvents() -> [PlayerEvent] {
    state.withLock { state in
      defer { (state.lines, state.events) = ([], []) }
      return state.events
    }
  }

  private static func line(_ event: PlayerEvent, _ name: (AnyObject) -> String) -> String {
    switch event {
    case .didChange(let changes, let revision, let host):
      var parts: [String] = []
      if let status = changes.status { parts.append("status \(status)") }
      if let rate = changes.rate { parts.append("rate \(rate)") }
      if let reason = changes.rateChangeReason { parts.append("because \(reason)") }
      if let rate = changes.effectiveRate { parts.append("effective \(rate)") }
      if let control = changes.timeControlStatus { parts.append("\(control)") }
      if let reason = changes.reasonForWaitingToPlay {
        parts.append(reason.map { "waits \($0)" } ?? "waits no more")
      }
      if let item = changes.currentItem {
        parts.append(item.map { "item \(name($0))" } ?? "no item")
      }
      if let audio = changes.audio { parts.append("audio \(audio.state)") }
      if let action = changes.actionAtItemEnd { parts.append("action \(action)") }
      if let volume = changes.volume { parts.append("volume \(volume)") }
      if let isMuted = changes.isMuted { parts.append(isMuted ? "muted" : "unmuted") }
      return "\(text(host)) r\(revision) change: " + parts.joined(separator: ", ")
    case .itemDidChange(let item, let changes):
      return "\(name(item)) \(changes.status.map { "\($0)" } ?? "changed")"
    case .didFire(let observer, _, let fire):
      let index = fire.index.map { " \($0)" } ?? ""
      return "\(text(fire.hostTime)) \(name(observer)) \(text(fire.time)) \(fire.cause)\(index)"
    case .didSeek(let end):
      let place = end.actualTime.map { " at \(text($0))" } ?? ""
      let index = end.sampleIndex.map { " #\($0)" } ?? ""
      return "seek \(end.seek) r\(end.revision) \(end.finished)\(place)\(index)"
    case .didPreroll(let number, let finished): return "preroll \(number) \(finished)"
    case .didPlayToEndTime(let item, let time, let direction, let host, let revision):
      return "\(text(host)) r\(revision) \(name(item)) end \(text(time)) \(direction)"
    case .didFailToPlayToEndTime(let item, let error, _, _, _):
      return "\(name(item)) failed \(error.code)"
    case .didStall(let item, _, _, _): return "\(name(item)) stalled"
    case .didJump(let item, let from, let to, let cause, let revision):
      return "r\(revision) \(name(item)) jump \(text(from)) to \(text(to)) \(cause)"
    case .didStartSequence(let output, let revision): return "\(name(output)) sequence r\(revision)"
    case .mediaDataWillChange(let output, _): return "\(name(output)) will change"
    case .didOutput(let output, let picture, let host, _, _):
      return "\(text(host)) \(name(output)) \(text(picture.itemTimeForDisplay))"
    case .didLoop(let looper, let count, let revision):
      return "\(name(looper)) loop \(count) r\(revision)"
    }
  }

  static func text(_ time: Time) -> String {
    guard time.isNumeric else { return "-" }
    let rounded = (time.seconds * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension Player {
  /// A player on a manual clock with its reports.
  static func manual(
    _ items: [(PlayerItem, String)], _ configure: (inout Configuration) -> Void = { _ in }
  ) throws -> (Player, PlayerLog) {
    var configuration = Configuration()
    configuration.clock = .manual
    configure(&configuration)
    let log = PlayerLog()
    for (item, name) in items { log.name(item, name) }
    let player = try Player(items: items.map(\.0), configuration) { log.add($0) }
    return (player, log)
  }

  func advance(_ seconds: Double) async throws {
    _ = try await advanceClock(by: Time(seconds: seconds, preferredTimescale: 1_000_000))
  }
}

extension PlayerItem {
  convenience init(
    path: String, at time: Time = .zero, _ change: (inout PlayerItemSettings) -> Void = { _ in }
  ) throws {
    var settings = PlayerItemSettings()
    change(&settings)
    try self.init(asset: URLAsset(url: path), settings: settings, initialTime: time)
  }
}
