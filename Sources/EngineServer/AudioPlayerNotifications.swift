import DequeModule
import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization

/// The notifications of one audio player, in order of its events.
///
/// While a request that changes state is served, they wait for its answer, as those of players do
/// (``PlayerNotifications``).
final class AudioPlayerNotifications: Sendable {
  private struct State {
    var player: AudioPlayerHandle?
    var waiting: Deque<AudioPlayer.Event> = []
    /// The number of requests that aren't answered yet.
    var held = 0
    var isClosed = false
    /// True while it plays, according to the events that were sent or wait.
    var isPlaying = false
    /// The number of notifications that were made.
    var made = 0
    /// The number of messages after which a new one may not replace an unsent one.
    var order = 0
    var drained: [CheckedContinuation<Void, Never>] = []
  }

  private let connection: Connection
  private let isManual: Bool
  private let state = Mutex(State())

  init(_ connection: Connection, isManual: Bool) {
    (self.connection, self.isManual) = (connection, isManual)
  }

  /// Holds notifications until the request is answered.
  func hold(_ context: RequestContext) {
    state.withLock { $0.held += 1 }
    context.afterReply { [weak self] _ in
      self?.state.withLock { state in
        state.held -= 1
        state.order += 1
        self?.drain(&state)
      }
    }
  }

  /// Sets the player's handle, before any message is sent.
  func begin(_ player: AudioPlayerHandle) { state.withLock { $0.player = player } }

  /// The number of notifications that were made so far.
  var made: Int { state.withLock(\.made) }

  /// Receives an event; never waits.
  func take(_ event: AudioPlayer.Event) {
    state.withLock { state in
      guard !state.isClosed, let event = news(in: event, &state) else { return }
      state.made += 1
      state.waiting.append(event)
      drain(&state)
    }
  }

  /// Returns when no event is waiting.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        guard !state.waiting.isEmpty else { return true }
        state.drained.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Stops sending.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = []
      drain(&state)
    }
  }

  /// Returns the event without the members that are no news to the caller; nil where none is left.
  private func news(in event: AudioPlayer.Event, _ state: inout State) -> AudioPlayer.Event? {
    guard case .didChange(var changes, let hostTime) = event else { return event }
    if let rate = changes.rate {
      let isPlaying = rate != 0
      if isPlaying == state.isPlaying { (changes.rate, changes.rateChangeReason) = (nil, nil) }
      state.isPlaying = isPlaying
    }
    let isNews = WireAudioPlayerChanges(changes) != WireAudioPlayerChanges()
    return isNews ? .didChange(changes, hostTime: hostTime) : nil
  }

  private func drain(_ state: inout State) {
    while state.held == 0, let event = state.waiting.popFirst() { send(event, &state) }
    guard state.waiting.isEmpty else { return }
    for continuation in state.drained { continuation.resume() }
    state.drained = []
  }

  private func send(_ event: AudioPlayer.Event, _ state: inout State) {
    guard let player = state.player else { return }
    switch event {
    case .didChange(let changes, let hostTime):
      post(
        AudioPlayerDidChange(
          audioPlayer: player, hostTime: WireTime(hostTime),
          changes: WireAudioPlayerChanges(changes)), &state)
    case .didFinishPlaying(let isSuccess, let error):
      post(
        AudioPlayerDidFinishPlaying(
          audioPlayer: player, successfully: isSuccess,
          error: error.map { ErrorObject($0).about(player) }), &state)
    case .didMeter(let hostTime, let levels):
      let notification = AudioPlayerDidMeter(
        audioPlayer: player, hostTime: WireTime(hostTime),
        channels: levels.map(WireAudioLevel.init))
      guard !isManual else { return post(notification, &state) }
      // It may replace one that is the last message of the player.
      connection.post(notification, coalescing: "\(player.rawValue) \(state.order)")
    }
  }

  private func post(_ notification: some NotificationType, _ state: inout State) {
    state.order += 1
    connection.post(notification)
  }
}
