public import MediaTime

/// All of a capture session's inputs, outputs and connections, as a value.
///
/// A batch of changes is applied to a copy: a batch that fails changes nothing.
public struct CaptureConfiguration: Sendable, Hashable {
  /// The rule by which the formats of devices are chosen (AVCaptureSession.Preset).
  public enum Preset: String, Sendable, CaseIterable {
    case photo, high, medium, low
    case size352x288 = "352x288"
    case size640x480 = "640x480"
    case size960x540 = "960x540"
    case size1280x720 = "1280x720"
    case size1920x1080 = "1920x1080"
    case size3840x2160 = "3840x2160"
    /// The formats of the inputs are used.
    case inputPriority
  }

  /// The format of an input, in place of the preset's.
  public struct FormatChoice: Sendable, Hashable {
    public var index: Int?
    public var width: Int?
    public var height: Int?
    public var pixelFormat: String?
    public var sampleRate: Int?
    public var channels: Int?

    public init(index: Int) { self.index = index }

    public init(
      width: Int? = nil, height: Int? = nil, pixelFormat: String? = nil, sampleRate: Int? = nil,
      channels: Int? = nil
    ) {
      (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
      (self.sampleRate, self.channels) = (sampleRate, channels)
    }
  }

  /// The settings of an input, in addition to its device.
  public struct InputSettings: Sendable, Hashable {
    /// The settings of a synthetic device.
    public var synthetic = SyntheticDevice.Settings()
    public var format: FormatChoice?
    public var minFrameDuration: Time?
    public var maxFrameDuration: Time?
    /// A known delay of the device's samples, which is subtracted from their times.
    public var latency: Time?
    /// The settings of a screen.
    public var screen = ScreenSettings()
    /// True to resample audio, so that it stays with the session's clock.
    public var correctsDrift = true

    public init() {}
  }

  /// An input: a device in this session (AVCaptureDeviceInput).
  public struct Input: Sendable, Hashable {
    public let number: Int
    public internal(set) var device: CaptureDevice
    public var settings: InputSettings
  }

  /// The use of an output.
  public enum OutputType: String, Sendable, CaseIterable {
    case movieFile, audioFile, videoData, audioData, photo, preview

    func takes(_ mediaType: MediaType) -> Bool {
      switch self {
      case .movieFile: true
      case .audioFile, .audioData: mediaType == .audio
      case .videoData, .photo, .preview: mediaType == .video
      }
    }

    /// True for outputs that use one connection only.
    var hasOneConnection: Bool { self != .movieFile }
  }

  /// The settings of an output.
  public struct OutputSettings: Sendable, Hashable {
    /// FFmpeg's name of a pixel format, or of an image's file format; nil for the captured one.
    public var pixelFormat: String?
    public var width: Int?
    public var height: Int?
    public var quality = 0.85
    /// FFmpeg's name of a sample format; nil for the captured one.
    public var sampleFormat: String?
    public var sampleRate: Int?
    public var channels: Int?
    public var isPush = false
    /// The maximum number of samples that the client may hold.
    public var maxOutstanding = 3
    public var alwaysDiscardsLateVideoFrames = true
    /// The maximum, in frames a second; nil for all.
    public var maxFrameRate: Double?
    /// True to deliver samples in shared memory.
    public var isShared = true

    public init() {}
  }

  public struct Output: Sendable, Hashable {
    public let number: Int
    public let type: OutputType
    public var settings: OutputSettings
  }

  /// The ends of a connection.
  public struct ConnectionEnds: Sendable, Hashable {
    public var input: Int
    public var output: Int
    public var mediaType: MediaType

    public init(input: Int, output: Int, mediaType: MediaType) {
      (self.input, self.output, self.mediaType) = (input, output, mediaType)
    }
  }

  /// A connection of an input's port with an output (AVCaptureConnection).
  public struct Connection: Sendable, Hashable {
    public var ends: ConnectionEnds
    public var isEnabled = true
    /// Clockwise, in degrees.
    public var rotation = 0
    public var isMirrored = false
  }

  /// The format that an input captures in.
  public struct Resolved: Sendable, Hashable {
    public var input: Int
    public var format: CaptureDevice.Format
    public var frameDuration: Time?
  }

  public var preset = Preset.high
  public internal(set) var inputs: [Input] = []
  public private(set) var outputs: [Output] = []
  public private(set) var connections: [Connection] = []
  private var lastInput = 0
  private var lastOutput = 0

  public init(preset: Preset = .high) { self.preset = preset }

  static let maximumInputs = 8
  static let maximumOutputs = 16
  /// The maximum number of changes in one batch.
  public static let maximumChanges = 999

  /// Returns the settings of an input; those of a new one where there is none.
  public func settings(ofInput number: Int) -> InputSettings {
    input(number)?.settings ?? InputSettings()
  }
  func input(_ number: Int) -> Input? { inputs.first { $0.number == number } }
  func output(_ number: Int) -> Output? { outputs.first { $0.number == number } }
  public func connections(of output: Int) -> [Connection] {
    connections.filter { $0.ends.output == output }
  }

  /// Returns true where samples pass.
  public func isActive(_ connection: Connection) -> Bool {
    connection.isEnabled && output(connection.ends.output) != nil
      && input(connection.ends.input) != nil
  }
}

/// A change of a session's configuration, one of a batch.
public enum CaptureChange: Sendable {
  case addInput(CaptureDevice, CaptureConfiguration.InputSettings, connects: Bool)
  case addOutput(
    CaptureConfiguration.OutputType, CaptureConfiguration.OutputSettings, connects: Bool)
  case removeInput(Int)
  case removeOutput(Int)
  case setPreset(CaptureConfiguration.Preset)
  case setInput(Int, CaptureConfiguration.InputSettings)
  case connect(CaptureConfiguration.ConnectionEnds)
  case disconnect(CaptureConfiguration.ConnectionEnds)
  case setConnection(
    CaptureConfiguration.ConnectionEnds, isEnabled: Bool?, rotation: Int?, isMirrored: Bool?)
}

extension CaptureConfiguration {
  /// Applies one change.
  ///
  /// - Throws: `incorrectlyConfigured`, `unsupportedOutputSettings`, `limitExceeded` or `operationNotAllowed`; the
  ///   configuration is undefined then.
  public mutating func apply(_ change: CaptureChange) throws(EngineError) {
    switch change {
    case .addInput(let device, let settings, let connects):
      try addInput(device, settings, connects)
    case .addOutput(let type, let settings, let connects):
      guard outputs.count < Self.maximumOutputs else {
        throw Self.limit("\(Self.maximumOutputs) outputs", .removeCaptureOutput)
      }
      lastOutput += 1
      let output = Output(number: lastOutput, type: type, settings: settings)
      outputs.append(output)
      if connects { for input in inputs { connect(input, to: output) } }
    case .removeInput(let number):
      guard inputs.contains(where: { $0.number == number }) else { throw Self.gone("input") }
      inputs.removeAll { $0.number == number }
      connections.removeAll { $0.ends.input == number }
    case .removeOutput(let number):
      guard outputs.contains(where: { $0.number == number }) else { throw Self.gone("output") }
      outputs.removeAll { $0.number == number }
      connections.removeAll { $0.ends.output == number }
    case .setPreset(let preset):
      self.preset = preset
      // A preset decides the formats again.
      if preset != .inputPriority {
        for index in inputs.indices { inputs[index].settings.format = nil }
      }
      for input in inputs { _ = try resolved(input) }
    case .setInput(let number, let settings):
      guard let index = inputs.firstIndex(where: { $0.number == number }) else {
        throw Self.gone("input")
      }
      inputs[index].settings = settings
      if settings.format != nil { preset = .inputPriority }
      _ = try resolved(inputs[index])
    case .connect(let ends): try connect(ends)
    case .disconnect(let ends):
      let index = try index(of: ends)
      connections.remove(at: index)
    case .setConnection(let ends, let isEnabled, let rotation, let isMirrored):
      let index = try index(of: ends)
      if ends.mediaType == .audio, rotation != nil || isMirrored != nil {
        throw EngineError(
          .incorrectlyConfigured, "A connection of audio can't be turned or mirrored",
          advice: .turnVideoConnection)
      }
      connections[index].isEnabled = isEnabled ?? connections[index].isEnabled
      connections[index].rotation = rotation ?? connections[index].rotation
      connections[index].isMirrored = isMirrored ?? connections[index].isMirrored
    }
  }

  private mutating func addInput(
    _ device: CaptureDevice, _ settings: InputSettings, _ connects: Bool
  ) throws(EngineError) {
    guard inputs.count < Self.maximumInputs else {
      throw Self.limit("\(Self.maximumInputs) inputs", .removeCaptureInput)
    }
    guard !inputs.contains(where: { $0.device.uniqueID == device.uniqueID }) else {
      throw EngineError(
        .deviceAlreadyUsedByAnotherSession,
        "'\(device.uniqueID)' is an input of the session already", advice: .useOneInput)
    }
    lastInput += 1
    let input = Input(number: lastInput, device: device, settings: settings)
    inputs.append(input)
    if settings.format != nil { preset = .inputPriority }
    _ = try resolved(input)
    if connects { for output in outputs { connect(input, to: output) } }
  }

  /// Connects an input with an output, for the media types that the output accepts.
  private mutating func connect(_ input: Input, to output: Output) {
    for mediaType in input.device.mediaTypes where output.type.takes(mediaType) {
      if output.type.hasOneConnection,
        connections.contains(where: { $0.ends.output == output.number })
      {
        return
      }
      connections.append(
        Connection(
          ends: ConnectionEnds(
            input: input.number, output: output.number, mediaType: mediaType)))
    }
  }

  private mutating func connect(_ ends: ConnectionEnds) throws(EngineError) {
    guard let input = input(ends.input) else { throw Self.gone("input") }
    guard let output = output(ends.output) else { throw Self.gone("output") }
    guard input.device.mediaTypes.contains(ends.mediaType) else {
      throw EngineError(
        .incorrectlyConfigured,
        "'\(input.device.uniqueID)' has no \(ends.mediaType.rawValue)",
        advice: .connectWhatFits)
    }
    guard output.type.takes(ends.mediaType) else {
      throw EngineError(
        .incorrectlyConfigured,
        "An output \(output.type.rawValue) takes no \(ends.mediaType.rawValue)",
        advice: .connectWhatFits)
    }
    guard !connections.contains(where: { $0.ends == ends }) else {
      throw EngineError(
        .incorrectlyConfigured, "They are connected already", advice: .connectOnce)
    }
    if output.type.hasOneConnection, connections.contains(where: { $0.ends.output == ends.output })
    {
      throw EngineError(
        .incorrectlyConfigured,
        "An output \(output.type.rawValue) has one connection, and it has that already",
        advice: .disconnectFirst)
    }
    connections.append(Connection(ends: ends))
  }

  private func index(of ends: ConnectionEnds) throws(EngineError) -> Int {
    guard let index = connections.firstIndex(where: { $0.ends == ends }) else {
      throw EngineError(
        .incorrectlyConfigured, "There is no such connection", advice: .nameConnection)
    }
    return index
  }

  private static func limit(_ what: String, _ advice: EngineError.Advice) -> EngineError {
    EngineError(.limitExceeded, "A session has at most \(what)", advice: advice)
  }

  private static func gone(_ what: String) -> EngineError {
    EngineError(
      .incorrectlyConfigured, "The session has no such \(what) any more",
      advice: .nameWhatIsThere)
  }
}
