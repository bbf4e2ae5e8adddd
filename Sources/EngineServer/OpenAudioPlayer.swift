import EngineProtocol
import JSONRPC
import MediaEngine

/// An audio player of the caller, with its notifications.
final class OpenAudioPlayer: Sendable {
  let player: AudioPlayer
  let path: String
  let notifications: AudioPlayerNotifications
  /// Requests that name the player take effect one after the other.
  let line = RequestLine()

  init(_ player: AudioPlayer, path: String, _ notifications: AudioPlayerNotifications) {
    (self.player, self.path, self.notifications) = (player, path, notifications)
  }

  func close() {
    player.close()
    notifications.close()
  }
}

extension AudioPlayerHandle: ObjectHandle {
  static func describe(_ open: OpenAudioPlayer) -> String { "audio player of \(open.path)" }
  static func cancelWork(of open: OpenAudioPlayer) { open.close() }
}

extension Engine {
  /// Serves a request that changes state: after the earlier ones, and answered before its effects are reported.
  func change<Result>(
    _ handle: AudioPlayerHandle, _ context: RequestContext,
    _ body: (AudioPlayer) async throws(EngineError) -> Result
  ) async throws -> Result {
    let open = try handles.find(handle)
    try await open.line.enter()
    defer { open.line.leave() }
    open.notifications.hold(context)
    return try await mapErrors(handle) { () throws(EngineError) in
      try await body(open.player)
    }
  }
}
