public import MediaTime
import Synchronization
import SystemIO

/// A session that passes the samples of devices to files and to the client (AVCaptureSession).
///
/// All of its work is in one order: samples are distributed, and changes made, one at a time. A change takes effect
/// between two samples.
public final class CaptureSession: Sendable {
  public typealias Configuration = CaptureConfiguration

  public let clock: CaptureClock
  let engine: EngineConfiguration
  let devices: any CaptureHardware
  let plugs: SyntheticPlugs
  private let permissions: Set<CaptureDevice.Permission>
  /// The memory of samples that clients request in shared memory.
  let destination: Destination
  let events: @Sendable (CaptureEvent) -> Void
  let core: Mutex<CaptureCore>
  let runner: CaptureRunner

  /// Creates a session without inputs and outputs.
  ///
  /// - Parameters:
  ///   - permissions: the uses of devices that the caller is authorized for.
  ///   - events: receives the events, in order; never waits.
  package init(
    preset: Configuration.Preset = .high, clock: CaptureClock = .host,
    permissions: Set<CaptureDevice.Permission> = [],
    devices: any CaptureHardware = NoCaptureHardware(), plugs: SyntheticPlugs = SyntheticPlugs(),
    destination: Destination = .heap, engine: EngineConfiguration = EngineConfiguration(),
    events: @escaping @Sendable (CaptureEvent) -> Void
  ) {
    (self.clock, self.permissions) = (clock, permissions)
    (self.devices, self.plugs) = (devices, plugs)
    (self.engine, self.events, self.destination) = (engine, events, destination)
    core = Mutex(CaptureCore(Configuration(preset: preset), clock))
    runner = CaptureRunner()
  }

  deinit { giveUpDevices() }

  // MARK: Configuration

  /// The result of a batch of changes.
  public struct Configured: Sendable {
    /// The numbers of the inputs and outputs that were added, in the order of the changes.
    public var inputs: [Int] = []
    public var outputs: [Int] = []
    public var configuration: Configuration
  }

  /// The error of one change of a batch.
  public struct ChangeError: Error, Sendable {
    public var index: Int
    public var error: EngineError

    public init(index: Int, error: EngineError) { (self.index, self.error) = (index, error) }
  }

  public var configuration: Configuration { core.withLock(\.configuration) }

  /// Applies all changes, or none.
  ///
  /// - Parameter isDryRun: true to return the result without applying it.
  /// - Throws: the error of the first change that can't be made.
  public func configure(
    _ changes: [CaptureChange], isDryRun: Bool = false
  ) async throws(ChangeError) -> Configured {
    let added = changes.compactMap { change -> String? in
      if case .addInput(let device, _, _) = change { device.uniqueID } else { nil }
    }
    await DeviceReservations.shared.untilReleased(Set(added), by: ObjectIdentifier(self))
    var planned = configuration
    var result = Configured(configuration: planned)
    let known = Set(planned.inputs.map(\.number))
    let knownOutputs = Set(planned.outputs.map(\.number))
    // The last change of each input.
    var origins: [Int: Int] = [:]
    for (index, change) in changes.enumerated() {
      do throws(EngineError) {
        try check(change)
        try planned.apply(change)
        switch change {
        case .addInput: if let added = planned.inputs.last { origins[added.number] = index }
        case .setInput(let number, _): origins[number] = index
        case .setPreset: for input in planned.inputs { origins[input.number] = index }
        default: break
        }
      } catch {
        throw ChangeError(index: index, error: error)
      }
    }
    result.configuration = planned
    result.inputs = planned.inputs.map(\.number).filter { !known.contains($0) }
    result.outputs = planned.outputs.map(\.number).filter { !knownOutputs.contains($0) }
    if !isDryRun {
      do throws(CaptureRunner.InputError) {
        try await runner.commit(planned, of: self)
      } catch {
        throw ChangeError(
          index: origins[error.input] ?? changes.count - 1, error: error.error)
      }
    }
    return result
  }

  /// Checks the requirements of a change other than those of the configuration.
  private func check(_ change: CaptureChange) throws(EngineError) {
    if case .addOutput(let type, let settings, _) = change {
      let problems = settings.problems(of: type)
      if !problems.isEmpty { throw EngineError(problems, of: "The output") }
    }
    guard case .addInput(let device, let settings, _) = change else { return }
    if let permission = device.permission, !permissions.contains(permission) {
      throw .notAuthorized(device.uniqueID, permission)
    }
    if device.transport == .synthetic {
      let problems = settings.synthetic.problems
      if !problems.isEmpty { throw EngineError(problems, of: "The input") }
    } else if clock == .manual {
      throw EngineError(
        .incorrectlyConfigured,
        "'\(device.uniqueID)' can't be in a session with a manual clock",
        advice: .useSyntheticDevices)
    } else if settings.synthetic != SyntheticDevice.Settings() {
      let problem = EngineError.Problem(
        path: "/settings", expected: "the settings of any device, of '\(device.uniqueID)'",
        got: "settings of a synthetic device")
      throw EngineError([problem], of: "The input")
    }
    guard !DeviceReservations.shared.isReserved(device.uniqueID, exceptBy: ObjectIdentifier(self))
    else {
      throw EngineError(
        .deviceAlreadyUsedByAnotherSession,
        "Another session uses '\(device.uniqueID)'", advice: .closeCaptureSession)
    }
  }

  // MARK: Running

  /// Starts all inputs. ``CaptureEvent/didStart(operation:startTime:error:)`` reports the end of it.
  public func start(operation: Int) async { await runner.start(self, operation) }

  /// Ends recordings, and stops all inputs. ``CaptureEvent/didStop(operation:_:)`` reports the end of it.
  public func stop(operation: Int?) async { await runner.stop(self, operation, .requested) }

  /// Ends recordings, stops all inputs and releases devices.
  public func close() async {
    await runner.close(self)
    giveUpDevices()
  }

  /// Stops the session where no input has its device any more.
  func stopIfLost() async { await runner.stopIfLost(self) }

  /// Releases its devices: at once where none of them is open, else when it has been closed, which other sessions wait
  /// for.
  package func releaseDevices() {
    if core.withLock({ $0.isRunning || $0.isStopping }) {
      DeviceReservations.shared.leave(ObjectIdentifier(self))
    } else {
      giveUpDevices()
    }
  }

  private func giveUpDevices() {
    DeviceReservations.shared.release(all: ObjectIdentifier(self))
    plugs.plug(configuration.inputs.map(\.device.uniqueID))
  }

  public var isRunning: Bool { core.withLock(\.isRunning) }

  /// The time of the session's clock.
  public var time: Time { core.withLock { now(&$0) } }

  func now(_ core: inout CaptureCore) -> Time {
    clock == .manual ? core.manualTime : Deadlines.now.time(preferring: 1_000_000_000)
  }

  /// Moves a manual clock: captures all samples that begin before the new time, and waits until they are encoded,
  /// delivered and reported.
  ///
  /// - Returns: the new time, and the number of samples that were captured.
  /// - Throws: `operationNotAllowed` for another clock, `sessionNotRunning`.
  public func advanceClock(by duration: Time) async throws(EngineError) -> (
    time: Time, captured: Int
  ) {
    guard clock == .manual else {
      throw EngineError(
        .operationNotAllowed, "The session's clock isn't a manual one", advice: .addManualClock)
    }
    guard isRunning else { throw Self.notRunning("move the clock") }
    return try await runner.advance(self, by: duration)
  }

  static func notRunning(_ what: String) -> EngineError {
    EngineError(
      .sessionNotRunning, "Can't \(what): the session isn't running",
      advice: .startCaptureSession)
  }

  /// The state of the session at one moment.
  public struct Moment: Sendable {
    public struct Input: Sendable {
      public var number: Int
      public var device: CaptureDevice
      public var isConnected: Bool
      /// Frames of video, and samples a channel of audio.
      public var captured: [MediaType: Int]
      public var dropped: CaptureDrops
      public var latency: Time?
    }
    public struct Output: Sendable {
      public var number: Int
      public var type: CaptureConfiguration.OutputType
      public var delivered: Int
      public var dropped: CaptureDrops
      public var recording: Recording?
    }
    public var isRunning: Bool
    public var isInterrupted: Bool
    public var time: Time
    public var inputs: [Input]
    public var outputs: [Output]
  }

  /// The state of a recording at one moment.
  public struct Recording: Sendable {
    public var path: String
    public var isPaused: Bool
    public var duration: Time
    public var fileSize: Int64
  }

  public var state: Moment {
    core.withLock { core in
      Moment(
        isRunning: core.isRunning,
        isInterrupted: CaptureStatus(core).isInterrupted,
        time: now(&core),
        inputs: core.configuration.inputs.map { input in
          let run = core.inputs[input.number]
          return Moment.Input(
            number: input.number, device: input.device, isConnected: run?.isConnected ?? true,
            captured: run?.captured ?? [:], dropped: run?.dropped ?? CaptureDrops(),
            latency: input.settings.latency)
        },
        outputs: core.configuration.outputs.map { output in
          let sink = core.sinks[output.number]
          return Moment.Output(
            number: output.number, type: output.type, delivered: sink?.delivered ?? 0,
            dropped: sink?.dropped ?? CaptureDrops(),
            recording: sink?.recording.map(Recording.init))
        })
    }
  }

  // MARK: Outputs

  /// Returns an output of a type.
  ///
  /// - Throws: `operationNotAllowed` for one of another type.
  func sink<Sink: CaptureSink>(
    _ number: Int, as type: Sink.Type, _ what: String
  ) throws(EngineError) -> Sink {
    guard let sink = core.withLock({ $0.sinks[number] }) as? Sink else {
      throw EngineError(
        .operationNotAllowed, "The output can't \(what)", advice: .addOutputOfType)
    }
    return sink
  }

  /// Returns the waiting samples of a data output, up to a number of them; waits for one.
  public func nextSampleBuffers(
    of output: Int, count: Int, timeout: Duration
  ) async throws(EngineError) -> (samples: [SampleBuffer], dropped: CaptureDrops) {
    let sink = try sink(output, as: CaptureDataOutput.self, "give samples")
    return try await sink.next(count, timeout: clock == .manual ? .zero : timeout) { [weak self] in
      self?.isRunning ?? false
    }
  }

  /// Notes that a client has released a sample of an output.
  public func didRelease(output: Int) {
    core.withLock { $0.sinks[output] }?.didRelease()
  }

  /// The error of photos of no input.
  static var withoutInput: EngineError {
    EngineError(
      .incorrectlyConfigured,
      "No input is connected with the output, of which a photo could be taken",
      advice: .connectBeforeRecording)
  }

  /// Takes a photo of the next frame.
  public func capturePhoto(
    of output: Int, operation: Int, format: String = "jpeg", quality: Double = 0.85,
    width: Int? = nil, to destination: Destination
  ) throws(EngineError) {
    let sink = try sink(output, as: CapturePhotoOutput.self, "take photos")
    var settings = CaptureConfiguration.OutputSettings()
    (settings.pixelFormat, settings.quality, settings.width) = (format, quality, width)
    _ = try ImageOutput(format: format).kind()
    // Under the lock: a device that goes, and the session's end, find the photo that waits for them.
    try core.withLock { (core) throws(EngineError) -> Void in
      guard core.isRunning else { throw Self.notRunning("take a photo") }
      let configuration = core.configuration
      let connections = configuration.connections(of: output)
      guard let input = connections.first(where: configuration.isActive)?.ends.input else {
        throw Self.withoutInput
      }
      try sink.capture(operation, settings, to: destination)
      if core.inputs[input]?.isConnected == false, let device = configuration.input(input)?.device {
        sink.endRequests(.disconnected(device))
      }
    }
  }

  /// Cancels a photo that waits for its frame.
  ///
  /// - Parameter operation: the photo's number in events.
  public func cancelPhoto(of output: Int, operation: Int) {
    (try? sink(output, as: CapturePhotoOutput.self, "take photos"))?.cancel(operation: operation)
  }

  /// Returns the levels of an output's audio.
  ///
  /// - Throws: `sessionNotRunning`, `operationNotAllowed`.
  public func levels(of output: Int) throws(EngineError) -> CaptureLevels {
    let levels = try metered(output).levels
    guard isRunning else { throw Self.notRunning("measure levels") }
    return levels
  }

  /// Sets the interval at which levels are measured; nil for never.
  public func observeLevels(of output: Int, every interval: Time?) throws(EngineError) {
    try metered(output).observeLevels(every: interval)
  }

  private func metered(_ output: Int) throws(EngineError) -> any MeteredOutput {
    guard let meter = core.withLock({ $0.sinks[output] })?.meteredAudio else {
      throw EngineError(
        .operationNotAllowed, "The output has no audio", advice: .addOutputOfType)
    }
    return meter
  }

  /// True while a file is written.
  public var isWritingFile: Bool {
    core.withLock { core in core.sinks.values.contains { $0.recording != nil } }
  }
}

extension EngineError {
  /// Returns the error of a use of a device that the caller isn't authorized for.
  package static func notAuthorized(
    _ device: String, _ permission: CaptureDevice.Permission
  ) -> EngineError {
    EngineError(
      .applicationIsNotAuthorizedToUseDevice, "The program may not use '\(device)'",
      advice: .allowCapture(permission.rawValue))
  }
}

/// An output that measures audio.
protocol MeteredOutput: AnyObject {
  var levels: CaptureLevels { get }
  func observeLevels(every interval: Time?)
}
extension CaptureFileOutput: MeteredOutput {}
extension CaptureDataOutput: MeteredOutput {}

extension CaptureSession.Recording {
  init(_ recording: CaptureRecording) {
    self.init(
      path: recording.path, isPaused: recording.isPaused, duration: recording.duration,
      fileSize: recording.file.size)
  }
}

/// The devices that sessions of this process have as inputs.
final class DeviceReservations: Sendable {
  static let shared = DeviceReservations()
  private struct State {
    var owners: [String: ObjectIdentifier] = [:]
    /// The sessions that are being closed.
    var leaving: Set<ObjectIdentifier> = []
    var waiting: [(owner: ObjectIdentifier, CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  func isReserved(_ device: String, exceptBy owner: ObjectIdentifier) -> Bool {
    state.withLock { $0.owners[device].map { $0 != owner } ?? false }
  }

  /// Reserves these devices, and no others, for a session.
  ///
  /// - Returns: a device that another session has reserved meanwhile; nil where there is none.
  func reserve(_ devices: Set<String>, by owner: ObjectIdentifier) -> String? {
    state.withLock { state in
      let others = state.owners.filter { $0.value != owner }
      if let taken = devices.first(where: { others[$0] != nil }) { return taken }
      state.owners = devices.reduce(into: others) { $0[$1] = owner }
      return nil
    }
  }

  /// Notes that a session releases its devices as soon as it has stopped.
  func leave(_ owner: ObjectIdentifier) {
    state.withLock { state in
      if state.owners.values.contains(owner) { state.leaving.insert(owner) }
    }
  }

  /// Returns when no other session that is being closed has one of these devices.
  func untilReleased(_ devices: Set<String>, by owner: ObjectIdentifier) async {
    for device in devices {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          guard let other = state.owners[device], other != owner, state.leaving.contains(other)
          else { return true }
          state.waiting.append((other, continuation))
          return false
        }
        if isFree { continuation.resume() }
      }
    }
  }

  func release(all owner: ObjectIdentifier) {
    let waiting = state.withLock { state in
      state.owners = state.owners.filter { $0.value != owner }
      state.leaving.remove(owner)
      let waiting = state.waiting.filter { $0.owner == owner }
      state.waiting.removeAll { $0.owner == owner }
      return waiting
    }
    for (_, continuation) in waiting { continuation.resume() }
  }
}
