import JSONRPC

/// An input of a session, as its client keeps a copy of it.
public struct WireCaptureInputStatus: Codable, Sendable, Equatable {
  /// The input.
  public var captureInput: CaptureInputHandle
  /// The `uniqueID` of its device.
  public var device: String
  /// False while the device is unplugged.
  public var isConnected: Bool
  /// True while it brings nothing.
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

/// An output of a session, as its client keeps a copy of it.
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

/// Reports what has changed of a session, whoever has changed it, once for all that changes together; what is
/// absent is as it was. A session that has only been made doesn't run, and has no inputs and outputs.
public struct CaptureSessionDidChange: NotificationType {
  public static let method = "captureSession/didChange"

  /// The session.
  public var captureSession: CaptureSessionHandle
  /// True while it runs.
  public var isRunning: Bool?
  /// True while an input brings nothing.
  public var isInterrupted: Bool?
  /// What picks the formats of devices.
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
