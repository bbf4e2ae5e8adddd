import JSONRPC

extension HandleKind {
  /// Returns the last notifications about an object whose worker process has died; none for kinds that have none.
  package func notifications(
    ofDeath error: ErrorObject, of handle: String
  ) -> [any NotificationType] {
    switch self {
    case .player:
      let player = PlayerHandle(rawValue: handle)
      var changes = WirePlayerChanges()
      (changes.status, changes.error) = (.failed, error.about(player))
      return [PlayerDidChange(player: player, changes: changes)]
    case .playerItem:
      let item = PlayerItemHandle(rawValue: handle)
      var changes = WirePlayerItemChanges()
      (changes.status, changes.error) = (.failed, error.about(item))
      return [PlayerItemDidChange(playerItem: item, changes: changes)]
    case .audioPlayer:
      let player = AudioPlayerHandle(rawValue: handle)
      var changes = WireAudioPlayerChanges()
      (changes.status, changes.error) = (.failed, error.about(player))
      return [AudioPlayerDidChange(audioPlayer: player, changes: changes)]
    case .captureSession:
      let session = CaptureSessionHandle(rawValue: handle)
      return [
        CaptureSessionDidFail(captureSession: session, error: error.about(session)),
        CaptureSessionDidChange(captureSession: session, isRunning: false),
        CaptureSessionDidStop(captureSession: session, reason: .failed),
      ]
    case .library:
      let library = LibraryHandle(rawValue: handle)
      return [LibraryDidFail(library: library, error: error.about(library))]
    default: return []
    }
  }
}
