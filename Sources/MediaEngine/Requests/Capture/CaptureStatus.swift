/// The part of a capture session's state that its client may have a copy of.
public struct CaptureStatus: Sendable, Equatable {
  public struct Input: Sendable, Equatable {
    public var number: Int
    public var device: String
    public var isConnected: Bool
    /// True while the device delivers nothing.
    public var isInterrupted: Bool
  }

  public var isRunning = false
  public var isInterrupted = false
  public var inputs: [Input] = []
  public var configuration: CaptureConfiguration
  public var resolved: [CaptureConfiguration.Resolved] = []

  /// Creates the status of a new session.
  init(_ configuration: CaptureConfiguration) { self.configuration = configuration }

  init(_ core: CaptureCore) {
    configuration = core.configuration
    isRunning = core.isRunning
    resolved = configuration.resolved
    inputs = configuration.inputs.map { input in
      let run = core.inputs[input.number]
      return Input(
        number: input.number, device: input.device.uniqueID,
        isConnected: run?.isConnected ?? true, isInterrupted: run?.isStalled ?? false)
    }
    isInterrupted = inputs.contains { $0.isInterrupted || !$0.isConnected }
  }
}

extension CaptureSession {
  /// Reports the changes since the last report, if there are any.
  func reportChanges(_ core: inout CaptureCore) {
    let status = CaptureStatus(core)
    let known = core.reported
    core.reported = status
    if known != status { events(.didChange(from: known, to: status)) }
  }
}
