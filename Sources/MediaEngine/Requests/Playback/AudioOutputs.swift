import SystemIO

/// The outputs of audio servers, for players.
package protocol AudioOutputs: Sendable {
  /// Opens an output.
  ///
  /// - Parameter device: its name; nil for the default.
  /// - Throws: `mediaServicesWereReset` where there is no server, `deviceNotConnected` without such an output.
  func open(
    device: String?, sampleRate: Int, channels: Int
  ) async throws(EngineError) -> any AudioOutput
}

/// An output that is open.
package protocol AudioOutput: Sendable {
  /// The ring that it plays.
  var ring: AudioRing { get }
  /// Closes the output. Blocks until its server has been notified.
  func close()
}
