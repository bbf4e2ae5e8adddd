public import MediaTime
import Synchronization
import SystemIO

/// Records the audio of a device into a file (AVAudioRecorder): a session with one input and one output.
///
/// Unlike AVAudioRecorder it never replaces an existing file, and the end of a recording is always reported.
public final class AudioRecorder: Sendable {
  /// The end of a recording.
  public struct End: Sendable {
    /// True where the file is complete, without an error.
    public var isSuccess: Bool
    public var duration: Time
    /// The channels that the file can't hold.
    public var dropped: [DroppedItem]
    public var error: EngineError?
  }

  /// The state of a recorder at one moment.
  public struct Moment: Sendable {
    public var isRecording: Bool
    /// The duration of the recorded audio; zero where nothing is being recorded.
    public var currentTime: Time
    /// The time of the clock.
    public var deviceCurrentTime: Time
  }

  private enum Phase {
    case idle
    case prepared(PreparedRecording)
    case recording(Int)
  }

  private struct State {
    var phase = Phase.idle
    var isPaused = false
    /// The file of the last recording, which stays open: no other file gets its inode meanwhile.
    var made: RecordingFile?
  }

  public let url: String
  private let settings: RecordingSettings
  private let session: CaptureSession
  private let ends: RecorderEnds
  private let state = Mutex(State())

  private static let output = 1

  /// Creates a recorder. No device is opened, and no file is made yet.
  ///
  /// - Parameters:
  ///   - settings: the settings of the audio; nil for those of the file's type.
  ///   - permissions: the uses of devices that the caller is authorized for.
  /// - Throws: the errors of a session for its input, and `unsupportedOutputSettings` for a device without audio.
  package init(
    url: String, settings: AudioEncodingSettings?, device: CaptureDevice,
    _ input: CaptureConfiguration.InputSettings, clock: CaptureClock,
    permissions: Set<CaptureDevice.Permission>, hardware: any CaptureHardware,
    plugs: SyntheticPlugs, engine: EngineConfiguration
  ) async throws(EngineError) {
    self.url = url
    var recording = RecordingSettings()
    if let settings { recording.audio = .encoded(settings) }
    self.settings = recording
    let ends = RecorderEnds()
    self.ends = ends
    session = CaptureSession(
      clock: clock, permissions: permissions, devices: hardware, plugs: plugs, engine: engine
    ) { ends.take($0) }
    guard device.mediaTypes.contains(.audio) else {
      throw EngineError(
        .unsupportedOutputSettings, "'\(device.uniqueID)' has no audio", advice: .chooseDevice)
    }
    do throws(CaptureSession.ChangeError) {
      _ = try await session.configure([
        .addInput(device, input, connects: false),
        .addOutput(.audioFile, CaptureConfiguration.OutputSettings(), connects: false),
        .connect(.init(input: 1, output: Self.output, mediaType: .audio)),
      ])
    } catch {
      throw error.error
    }
  }

  // MARK: Recording

  /// Makes the file, and starts the device, so that recording begins at once.
  ///
  /// - Throws: `fileAlreadyExists` and others of ``CaptureSession/startRecording(of:operation:to:_:isWanted:)``, and the errors
  ///   of starting the device.
  public func prepareToRecord() async throws(EngineError) {
    guard case .idle = state.withLock(\.phase) else { return }
    let prepared = try await session.prepareRecording(of: Self.output, to: url, settings)
    do throws(EngineError) {
      try await startDevice()
    } catch {
      _ = await prepared.file.finish(isAtLimit: false)
      throw error
    }
    state.withLock { state in
      state.phase = .prepared(prepared)
      state.made = prepared.file
    }
  }

  private func startDevice() async throws(EngineError) {
    let number = ends.nextNumber()
    await session.start(operation: number)
    if let error = ends.startError(of: number) { throw error }
  }

  /// Starts a recording, or continues it after a pause.
  ///
  /// - Parameters:
  ///   - time: the clock's time of the first sample; nil for as soon as possible.
  ///   - duration: the time after which the recording stops automatically.
  /// - Returns: the recording, for ``end(of:)``.
  /// - Throws: `recordingAlreadyInProgress`, and the errors of ``prepareToRecord()``.
  public func record(
    atTime time: Time? = nil, forDuration duration: Time? = nil
  ) async throws(EngineError) -> Recording {
    if case .recording(let number) = state.withLock(\.phase) {
      let isPaused = state.withLock { state in
        defer { state.isPaused = false }
        return state.isPaused
      }
      guard isPaused else {
        throw EngineError(
          .recordingAlreadyInProgress, "The recorder records already", advice: .stopRecorder)
      }
      let end = ends.expect(number)
      try session.resumeRecording(of: Self.output, at: time, for: duration)
      return Recording(end: end)
    }
    try await prepareToRecord()
    guard case .prepared(let prepared) = state.withLock(\.phase) else {
      throw CaptureSession.notRunning("record")
    }
    let number = ends.nextNumber()
    let end = ends.expect(number)
    do throws(EngineError) {
      try session.begin(prepared, operation: number, duration, at: time)
    } catch {
      // It was closed while the file was made.
      await stop()
      throw error
    }
    state.withLock { state in (state.phase, state.isPaused) = (.recording(number), false) }
    return Recording(end: end)
  }

  /// A recording in progress.
  public struct Recording: Sendable {
    fileprivate let end: Signal<End>
  }

  /// Waits for the end of a recording; once for each value.
  public func end(of recording: Recording) async -> End {
    let end = await recording.end.wait()
    await didEnd()
    return end
  }

  /// Releases the device.
  private func didEnd() async {
    state.withLock { state in (state.phase, state.isPaused) = (.idle, false) }
    if session.isRunning, session.clock == .host { await session.stop(operation: nil) }
  }

  /// Pauses the recording.
  ///
  /// - Throws: `operationNotAllowed` where nothing is being recorded.
  public func pause() throws(EngineError) {
    try session.pauseRecording(of: Self.output)
    state.withLock { $0.isPaused = true }
  }

  /// Completes the file; nothing happens where nothing is being recorded.
  public func stop() async {
    switch state.withLock(\.phase) {
    case .idle: return
    case .prepared(let prepared):
      state.withLock { $0.phase = .idle }
      _ = await prepared.file.finish(isAtLimit: false)
      await session.stop(operation: nil)
    case .recording: await session.stop(operation: nil)
    }
  }

  /// Removes the file of the last recording.
  ///
  /// - Throws: `operationNotAllowed` while it records.
  public func deleteRecording() throws(EngineError) {
    let made = try state.withLock { (state) throws(EngineError) in
      guard case .idle = state.phase else {
        throw EngineError(
          .operationNotAllowed, "The file can't be removed while it is being recorded",
          advice: .stopRecorder)
      }
      return state.made.take()
    }
    made?.made?.remove()
  }

  /// Moves a manual clock.
  public func advanceClock(by duration: Time) async throws(EngineError) -> Time {
    try await session.advanceClock(by: duration).time
  }

  public var moment: Moment {
    let isPaused = state.withLock(\.isPaused)
    let recording = try? session.recording(of: Self.output)
    return Moment(
      isRecording: recording != nil && !isPaused, currentTime: recording?.duration ?? .zero,
      deviceCurrentTime: session.time)
  }

  /// Returns the levels of the audio.
  ///
  /// - Throws: `sessionNotRunning`.
  public func levels() throws(EngineError) -> CaptureLevels {
    try session.levels(of: Self.output)
  }

  public var isWritingFile: Bool { session.isWritingFile }

  /// Ends a recording, and releases the device.
  public func close() async {
    await stop()
    await session.close()
  }
}

/// The ends of a recorder's recordings, by the numbers that name them.
private final class RecorderEnds: Sendable {
  private struct State {
    var last = 0
    var expected: [Int: [Signal<AudioRecorder.End>]] = [:]
    var startErrors: [Int: EngineError] = [:]
  }
  private let state = Mutex(State())

  func nextNumber() -> Int {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  func expect(_ number: Int) -> Signal<AudioRecorder.End> {
    let signal = Signal<AudioRecorder.End>()
    state.withLock { $0.expected[number, default: []].append(signal) }
    return signal
  }

  func startError(of number: Int) -> EngineError? {
    state.withLock { $0.startErrors.removeValue(forKey: number) }
  }

  func take(_ event: CaptureEvent) {
    switch event {
    case .didStart(let number, _, let error?): state.withLock { $0.startErrors[number] = error }
    case .didFinishRecording(let number, _, _, let end):
      let signals = state.withLock { $0.expected.removeValue(forKey: number) ?? [] }
      // A requested duration that was recorded is no failure.
      let error =
        end.isFull && end.error?.code == .maximumDurationReached ? nil : end.error
      let result = AudioRecorder.End(
        isSuccess: error == nil, duration: end.duration, dropped: end.dropped, error: error)
      for signal in signals { signal.fire(result) }
    default: return
    }
  }
}
