import SystemIO

/// The outputs of audio servers, for players.
package protocol AudioOutputs: Sendable {
  /// Opens an output that plays a ring, until it is released.
  ///
  /// - Parameter device: its name; nil for the default.
  /// - Throws: `mediaServicesWereReset` where there is no server, `deviceNotConnected` without such an output.
  func open(
    device: String?, sampleRate: Int, ring: AudioRing
  ) async throws(EngineError) -> any AudioOutput
}

/// An output that is open.
package protocol AudioOutput: Sendable {
  /// Closes the output, which blocks until its server has heard of it.
  func close()
}
