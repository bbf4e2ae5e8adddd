import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Synchronization

/// The player of a conversation, for lines such as `play clip.mp4` and `seek 3.5`.
///
/// Each line is requests of the protocol, on handles that other lines may name too.
final class ReplPlayer: Sendable {
  private struct State {
    var player: PlayerHandle?
    /// The items, and the assets that are closed with them.
    var closed: [AnyHandle] = []
    var current: PlayerItemHandle?
    var time = Time.zero
    var rate = 0.0
  }

  private let conversation: Conversation
  private let showsTime: Bool
  private let state = Mutex(State())

  /// The interval at which the prompt shows another time.
  private static let interval = Time(value: 1, timescale: 10)

  /// - Parameter showsTime: true for a conversation whose prompt shows ``prompt``.
  init(_ conversation: Conversation, showsTime: Bool) {
    (self.conversation, self.showsTime) = (conversation, showsTime)
  }

  /// The time and the rate; nil while nothing is played.
  var prompt: String? {
    state.withLock { state in
      guard state.player != nil, state.current != nil else { return nil }
      let rate = state.rate == 0 ? "paused" : "\(Formatting.number(state.rate, places: 3))x"
      return "\(Formatting.position(state.time)) \(rate)"
    }
  }

  /// True while an item plays; playback ends after the last one.
  func isPlaying() async -> Bool {
    guard let player = state.withLock({ $0.player }),
      let now = try? await conversation.client.call(PlayerState(player: player))
    else { return false }
    return now.rate != 0 && now.currentItem != nil
  }

  // MARK: Lines

  func perform(_ line: PlayerLine) async throws -> JSONValue {
    switch line {
    case .play(let names) where !names.isEmpty: return try await play(names)
    case .play: return try await set { PlayerPlay(player: $0) }
    case .pause: return try await set { PlayerPause(player: $0) }
    case .rate(let rate): return try await set { PlayerSetRate(player: $0, rate: rate) }
    case .volume(let volume): return try await set { PlayerSet(player: $0, volume: volume) }
    case .next: return try await set { PlayerAdvanceToNextItem(player: $0) }
    case .seek(let time):
      return try await set {
        PlayerSeek(
          player: $0, time: WireTime(time), toleranceBefore: WireTime(.zero),
          toleranceAfter: WireTime(.zero), completion: .response)
      }
    case .step(let count):
      _ = try player
      guard let item = state.withLock({ $0.current }) else { throw Self.nothing }
      return try await conversation.send(PlayerItemStep(playerItem: item, count: count))
    case .stop:
      _ = try player
      try await close()
      return .object([])
    }
  }

  private func play(_ names: [String]) async throws -> JSONValue {
    guard !names.contains("-") else {
      throw CommandError.usage(
        "Lines come from stdin, so it can't be played", hint: "Name a file.")
    }
    try await close()
    var items: [PlayerItemHandle] = []
    do {
      for name in names { items.append(try await item(name)) }
      // One file stays at its end, where it can be gone back in; of several each makes room for the next.
      let request = PlayerCreate(items: items, isQueue: items.count > 1)
      let player = try await conversation.client.call(request).player
      state.withLock { ($0.player, $0.current, $0.time) = (player, items.first, .zero) }
      if showsTime {
        _ = try await conversation.client.call(
          PlayerAddPeriodicTimeObserver(player: player, interval: WireTime(Self.interval)))
      }
      _ = try await conversation.client.call(PlayerPlay(player: player))
      return conversation.keep(
        ["player": .string(player.rawValue), "items": .array(items.map { .string($0.rawValue) })])
    } catch {
      try await close()
      throw error
    }
  }

  /// An item of a file, or of an asset or composition that the conversation has already.
  private func item(_ name: String) async throws -> PlayerItemHandle {
    let isOpen = ["asset:", "composition:"].contains(where: name.hasPrefix)
    let asset =
      isOpen ? AssetHandle(rawValue: name) : try await conversation.client.open(name)
    if !isOpen { state.withLock { $0.closed.append(AnyHandle(asset)) } }
    let item = try await conversation.client.call(PlayerItemCreate(asset: asset)).playerItem
    state.withLock { $0.closed.insert(AnyHandle(item), at: 0) }
    return item
  }

  /// Closes the player and the handles that were opened for it. Handles that a line has closed already are left out.
  private func close() async throws {
    let old = state.withLock { state in
      defer { state = State() }
      return (state.player.map { [AnyHandle($0)] } ?? []) + state.closed
    }
    for handle in old {
      do {
        _ = try await conversation.client.call(HandleClose(handle: handle))
      } catch let error as RPCError where error.code == ErrorCode.unknownHandle.rawValue {}
    }
  }

  // MARK: Requests

  private static let nothing = CommandError.usage(
    "Nothing is played", hint: "play FILE plays a file.")

  private var player: PlayerHandle {
    get throws {
      guard let player = state.withLock({ $0.player }) else { throw Self.nothing }
      return player
    }
  }

  private func set<Request: RequestType>(
    _ request: (PlayerHandle) -> Request
  ) async throws -> JSONValue {
    try await conversation.send(request(try player))
  }

  // MARK: Notifications

  /// The meaning of a notification to a person.
  enum Meaning {
    /// The prompt shows all of it.
    case prompted
    case failure(ErrorObject)
    /// Playback continues without audio.
    case silence(ErrorObject)
    case other
  }

  /// Updates the state of the player by a notification.
  func take(_ notification: EngineClient.Notification) -> Meaning {
    guard notification.isOfPlayback else { return .other }
    return state.withLock { state in
      if let change = notification.decoded(as: PlayerItemDidChange.self) {
        return state.closed.contains(AnyHandle(change.playerItem)) ? .prompted : .other
      }
      guard let player = state.player,
        notification.params["player"]?.stringValue == player.rawValue
      else { return .other }
      if let fired = notification.decoded(as: TimeObserverDidFire.self) {
        state.time = fired.time.time
        return .prompted
      }
      if let failure = notification.decoded(as: PlayerItemDidFailToPlayToEndTime.self) {
        return .failure(failure.error)
      }
      if let change = notification.decoded(as: PlayerDidChange.self)?.changes {
        return Self.note(change, in: &state)
      }
      return notification.method == PlayerItemDidJump.method ? .prompted : .other
    }
  }

  private static func note(_ change: WirePlayerChanges, in state: inout State) -> Meaning {
    if let rate = change.rate { state.rate = rate }
    switch change.currentItem {
    case .item(let item)?: state.current = item
    case .some: state.current = nil
    case nil: break
    }
    if let error = change.error { return .failure(error) }
    return change.audio?.error.map { .silence($0) } ?? .prompted
  }
}
