import JSONRPC

/// The status of a session's input, for a client that holds a copy of the session.
public struct WireCaptureInputStatus: Codable, Sendable, Equatable {
  /// The input.
  public var captureInput: CaptureInputHandle
  /// The `uniqueID` of its device.
  public var device: String
  /// False while the device is unplugged.
  public var isConnected: Bool
  /// True while it delivers nothing.
  public var isInterrupted: Bool

  package init(
    captureInput: CaptureInputHandle, device: String, isConnected: Bool, isInterrupted: Bool
  ) {
    self.captureInput = captureInput
    self.device = device
    self.isConnected = isConnected
    self.isInterrupted = isInterrupted
  }
}

/// The properties of a session's output, for a client that holds a copy of the session.
public struct WireCaptureOutputStatus: Codable, Sendable, Equatable {
  /// The output.
  public var captureOutput: CaptureOutputHandle
  /// The type.
  public var type: WireCaptureOutputType

  package init(captureOutput: CaptureOutputHandle, type: WireCaptureOutputType) {
    self.captureOutput = captureOutput
    self.type = type
  }
}

/// Reports the changes of a session, regardless of their cause, once for all that happened together; absent
/// members are unchanged. A new session doesn't run, and has no inputs and outputs.
public struct CaptureSessionDidChange: NotificationType {
  public static let method = "captureSession/didChange"

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// True while it runs.
  public var isRunning: Bool?
  /// True while an input delivers nothing.
  public var isInterrupted: Bool?
  /// The rule by which the formats of devices are chosen.
  public var preset: WireCapturePreset?
  /// All inputs.
  public var inputs: [WireCaptureInputStatus]?
  /// All outputs.
  public var outputs: [WireCaptureOutputStatus]?
  /// All connections.
  public var connections: [WireCaptureConnection]?
  /// The formats of all inputs.
  public var resolved: [WireResolvedFormat]?

  package init(
    captureSession: CaptureSessionHandle, isRunning: Bool? = nil, isInterrupted: Bool? = nil,
    preset: WireCapturePreset? = nil, inputs: [WireCaptureInputStatus]? = nil,
    outputs: [WireCaptureOutputStatus]? = nil, connections: [WireCaptureConnection]? = nil,
    resolved: [WireResolvedFormat]? = nil
  ) {
    self.captureSession = captureSession
    self.isRunning = isRunning
    self.isInterrupted = isInterrupted
    self.preset = preset
    self.inputs = inputs
    self.outputs = outputs
    self.connections = connections
    self.resolved = resolved
  }
}
