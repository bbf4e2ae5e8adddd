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
    default: return []
    }
  }
}
