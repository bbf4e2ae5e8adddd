import Foundation
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Capture sessions of synthetic devices on the manual clock. Files are read by ffprobe and ffmpeg.
struct CaptureSessionTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  /// A session and its events.
  private final class Trial: Sendable {
    let session: CaptureSession
    private let log: Log

    private final class Log: Sendable {
      let events = Mutex([CaptureEvent]())
    }

    init(
      clock: CaptureClock = .manual, preset: CaptureConfiguration.Preset = .high,
      onEvent: @escaping @Sendable (CaptureEvent) -> Void = { _ in }
    ) {
      let log = Log()
      self.log = log
      session = CaptureSession(preset: preset, clock: clock) { event in
        log.events.withLock { $0.append(event) }
        onEvent(event)
      }
    }

    var events: [CaptureEvent] { log.events.withLock(\.self) }

    var names: [String] {
      events.compactMap { event in
        switch event {
        case .didChange, .noted: nil
        case .didStart(_, _, let error): error == nil ? "didStart" : "didStart failed"
        case .didStop(_, let reason): "didStop \(reason)"
        case .didFail: "didFail"
        case .wasInterrupted(let reason, _): "wasInterrupted \(reason)"
        case .interruptionEnded: "interruptionEnded"
        case .didStartRecording(let operation, _, _, _): "didStartRecording \(operation)"
        case .didPauseRecording: "didPause"
        case .didResumeRecording: "didResume"
        case .willFinishRecording(let operation, _, _, _): "willFinish \(operation)"
        case .didFinishRecording(let operation, _, _, _): "didFinish \(operation)"
        case .didOutput: "didOutput"
        case .didDrop(_, let reason, let count, _): "didDrop \(reason) \(count)"
        case .willCapture: "willCapture"
        case .didFinishCapture: "didFinishCapture"
        case .didMeasureLevels: "didMeasureLevels"
        }
      }
    }

    func end(of operation: Int) -> CaptureRecordingEnd? {
      for event in events {
        if case .didFinishRecording(operation, _, _, let end) = event { return end }
      }
      return nil
    }

    /// Adds a synthetic device and an output. No two tests have the same device, which is in one session at a time:
    /// those of the transcripts, in the same process, have 6 to 9.
    func configure(
      _ type: CaptureConfiguration.OutputType, device: Int = 1,
      _ output: CaptureConfiguration.OutputSettings = .init(),
      _ change: (inout SyntheticDevice.Settings) -> Void = { _ in }
    ) async throws -> Int {
      var settings = CaptureConfiguration.InputSettings()
      change(&settings.synthetic)
      let device = try #require(SyntheticDevice.device("synthetic:\(device)", settings.synthetic))
      let made = try await session.configure([
        .addInput(device, settings, connects: true), .addOutput(type, output, connects: true),
      ])
      return try #require(made.outputs.first)
    }

    func advance(_ milliseconds: Int64) async throws {
      _ = try await session.advanceClock(by: Time(value: milliseconds, timescale: 1000))
    }
  }

  private func path(_ name: String) -> String { "\(fixtures.folder)/\(name)" }

  /// The numbers in the pictures of a file, by ffmpeg's decoder.
  private func numbers(in path: String, width: Int = 640, height: Int = 480) throws -> [Int] {
    let luma = try fixtures.run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough"]
        + ["-pix_fmt", "gray", "-f", "rawvideo", "-"])
    let size = width * height
    #expect(luma.count % size == 0)
    return (0..<luma.count / size).map { frame in
      (0..<16).reduce(0) { bits, cell in
        let x = cell * (width / 16) + width / 32
        return bits << 1 | (luma[frame * size + 8 * width + x] > 126 ? 1 : 0)
      }
    }
  }

  @Test func aRecordingHasEachFrameAndSample() async throws {
    let trial = Trial()
    let output = try await trial.configure(.movieFile)
    let file = path("a.mp4")
    await trial.session.start(operation: 1)
    try await trial.session.startRecording(of: output, operation: 2, to: file)
    try await trial.advance(2500)
    try await trial.advance(500)
    try trial.session.stopRecording(of: output)
    await trial.session.stop(operation: 3)
    #expect(
      trial.names == [
        "didStart", "didStartRecording 2", "willFinish 2", "didFinish 2", "didStop requested",
      ])
    let end = try #require(trial.end(of: 2))
    #expect(end.status == .completed && end.isUsable)
    #expect(end.tracks.map(\.written) == [90, 144_000])
    #expect(end.tracks.allSatisfy { $0.dropped.total == 0 && $0.trimmed == 0 })
    #expect(end.duration == Time(value: 3, timescale: 1))
    #expect(try numbers(in: file) == Array(0..<90))
  }

  @Test func aRecordingThatWasCancelledWhileItsFileWasMadeLeavesNone() async throws {
    let trial = Trial()
    let output = try await trial.configure(.movieFile, device: 2)
    let file = path("a.mp4")
    await trial.session.start(operation: 1)
    await #expect(throws: EngineError.self) {
      try await trial.session.startRecording(of: output, operation: 2, to: file) { false }
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    await trial.session.stop(operation: 3)
    #expect(trial.names == ["didStart", "didStop requested"])
  }

  /// Nothing would end it: a session is closed without waiting for its requests.
  @Test func aRecordingOfASessionThatWasClosedWhileItsFileWasMadeLeavesNone() async throws {
    let trial = Trial()
    let output = try await trial.configure(.movieFile, device: 3)
    let file = path("a.mp4")
    await #expect(throws: EngineError.self) {
      try await trial.session.startRecording(of: output, operation: 1, to: file) {
        trial.session.core.withLock { $0.sinks = [:] }
        return true
      }
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(trial.names == [])
  }

  /// Requests that come while a session that has failed ends its recordings.
  @Test func aSessionThatFailsIsStoppedOnce() async throws {
    let (isStopping, mayContinue) = (Signal<Void>(), Signal<Void>())
    let trial = Trial { event in
      guard case .willFinishRecording = event else { return }
      isStopping.fire(())
      mayContinue.waitBlocking()
    }
    let (session, output) = (trial.session, try await trial.configure(.movieFile, device: 4))
    await session.start(operation: 1)
    try await session.startRecording(of: output, operation: 2, to: path("a.mp4"))
    try await trial.advance(100)
    let device = session.configuration.inputs[0].device
    let failing = Task { await session.runner.fail(session, .disconnected(device)) }
    await isStopping.wait()
    await #expect(throws: EngineError.self) {
      try await session.startRecording(of: output, operation: 3, to: path("b.mp4"))
    }
    #expect(!FileManager.default.fileExists(atPath: path("b.mp4")))
    let stopping = Task { await session.stop(operation: 4) }
    mayContinue.fire(())
    await failing.value
    await stopping.value
    #expect(
      trial.names == [
        "didStart", "didStartRecording 2", "didFail", "willFinish 2", "didFinish 2",
        "didStop failed", "didStop requested",
      ])
    await session.start(operation: 5)
    try await session.startRecording(of: output, operation: 6, to: path("b.mp4"))
    #expect(session.isRunning)
    await session.close()
  }

  /// A session is closed while its file is being finished, after its devices have been stopped.
  @Test func aClosedSessionWaitsForItsStop() async throws {
    let (isFinishing, mayContinue) = (Signal<Void>(), Signal<Void>())
    let trial = Trial { event in
      guard case .didFinishRecording = event else { return }
      isFinishing.fire(())
      mayContinue.waitBlocking()
    }
    let (session, output) = (trial.session, try await trial.configure(.movieFile, device: 5))
    await session.start(operation: 1)
    try await session.startRecording(of: output, operation: 2, to: path("a.mp4"))
    try await trial.advance(100)
    let device = session.configuration.inputs[0].device
    let failing = Task { await session.runner.fail(session, .disconnected(device)) }
    await isFinishing.wait()
    try await eventually("the stop of its devices") { !session.isRunning }
    session.releaseDevices()
    let other = ObjectIdentifier(trial)
    #expect(DeviceReservations.shared.isReserved(device.uniqueID, exceptBy: other))
    let closing = Task { await session.close() }
    mayContinue.fire(())
    await failing.value
    await closing.value
    #expect(!DeviceReservations.shared.isReserved(device.uniqueID, exceptBy: other))
    await session.start(operation: 3)
    #expect(
      trial.names == [
        "didStart", "didStartRecording 2", "didFail", "willFinish 2", "didFinish 2",
        "didStop failed", "didStart failed",
      ])
  }

  /// The kinds of the settings of each type of outputs.
  @Test func settingsOfOtherOutputsAreProblems() {
    var video = CaptureConfiguration.OutputSettings()
    (video.width, video.pixelFormat) = (64, "gray")
    var audio = CaptureConfiguration.OutputSettings()
    audio.sampleRate = 8000
    for type in CaptureConfiguration.OutputType.allCases {
      let counts = [video, audio, .init()].map { $0.problems(of: type).count }
      switch type {
      case .videoData, .preview: #expect(counts == [0, 1, 0])
      case .audioData: #expect(counts == [2, 0, 0])
      case .movieFile, .audioFile, .photo: #expect(counts == [2, 1, 0])
      }
    }
  }
}
