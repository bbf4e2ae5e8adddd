import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

/// A recorder of the caller.
final class OpenAudioRecorder: Sendable {
  let recorder: AudioRecorder
  private let engine: Engine
  /// Requests that name the recorder take effect one after the other.
  let line = RequestLine()

  init(_ recorder: AudioRecorder, _ engine: Engine) {
    (self.recorder, self.engine) = (recorder, engine)
  }

  func close() {
    engine.running.begin()
    Task.detached { [self] in
      await recorder.close()
      engine.running.end()
    }
  }
}

extension AudioRecorderHandle: ObjectHandle {
  static func describe(_ open: OpenAudioRecorder) -> String { "recorder to \(open.recorder.url)" }
  static func cancelWork(of open: OpenAudioRecorder) { open.close() }
  static func isWritingFile(_ open: OpenAudioRecorder) -> Bool { open.recorder.isWritingFile }
}

extension AudioRecorderDidFinishRecording: TerminalNotification {
  // A cancelled recording ends with its samples so far.
  var wasCancelled: Bool { false }
}

extension Engine {
  /// Registers the handlers of `audioRecorder/*`.
  func registerAudioRecorders(in router: inout EngineRouter) {
    serve(AudioRecorderCreate.self, createAudioRecorder, in: &router)
    serve(AudioRecorderPrepareToRecord.self, prepareToRecord, in: &router)
    serve(AudioRecorderRecord.self, recordAudio, in: &router)
    serve(AudioRecorderPause.self, pauseRecorder, in: &router)
    serve(AudioRecorderStop.self, stopRecorder, in: &router)
    serve(AudioRecorderDeleteRecording.self, deleteRecording, in: &router)
    serve(AudioRecorderState.self, recorderState, in: &router)
    serve(AudioRecorderMeters.self, recorderMeters, in: &router)
    serve(AudioRecorderAdvanceClock.self, advanceRecorderClock, in: &router)
  }

  @Sendable func createAudioRecorder(
    _ request: AudioRecorderCreate, _ context: RequestContext
  ) async throws -> AudioRecorderCreate.Result {
    var reader = CaptureChangeReader(
      session: CaptureSessionHandle(rawValue: ""), known: CaptureConfiguration())
    let input = reader.inputSettings(request.deviceSettings, "/deviceSettings")
    var audio = ExportSettingsReader(
      request.settings.map { WireExportSettings(audio: .encoded($0)) })
    reader.problems += audio.problems.map { problem in
      var problem = problem
      if problem.path.hasPrefix("/settings/audio") {
        problem.path = "/settings" + problem.path.dropFirst("/settings/audio".count)
      }
      return problem
    }
    audio.problems = []
    try reader.check()
    let device = try await captureDevice(
      request.device ?? "default", input, default: [.microphone])
    let recorder = try await AudioRecorder(
      url: request.url, settings: audio.settings.audioSettings, device: device, input,
      clock: CaptureClock(request.clock ?? .host), permissions: options.capturePermissions,
      hardware: options.captureHardware, plugs: syntheticPlugs, engine: configuration)
    try context.settle()
    return AudioRecorderCreate.Result(
      audioRecorder: handles.add(OpenAudioRecorder(recorder, self)))
  }

  @Sendable func prepareToRecord(
    _ request: AudioRecorderPrepareToRecord, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.audioRecorder) { recorder throws(EngineError) in
      try await recorder.prepareToRecord()
    }
    return EmptyResult()
  }

  @Sendable func recordAudio(
    _ request: AudioRecorderRecord, _ context: RequestContext
  ) async throws -> OperationReply<AudioRecorderDidFinishRecording> {
    var rules = PlayerRules()
    let time = rules.numeric(request.atHostTime, "/atHostTime")
    let duration = rules.numeric(request.forDuration, "/forDuration", notBefore: .zero)
    rules.require(duration != .zero, "/forDuration", "a time above 0", "0")
    try rules.check()
    let handle = request.audioRecorder
    let recorder = try handles.find(handle).recorder
    let recording = try await act(handle) { recorder throws(EngineError) in
      try await recorder.record(atTime: time, forDuration: duration)
    }
    return try await perform(AudioRecorderRecord.self, request.completion, context) { operation in
      operation.attach { Task { await recorder.stop() } }
      let end = await recorder.end(of: recording)
      return AudioRecorderDidFinishRecording(
        operation: operation.handle, audioRecorder: handle, url: recorder.url,
        successfully: end.isSuccess, recordedDuration: WireTime(end.duration),
        dropped: WireDropped.list(end.dropped),
        error: end.error.map { ErrorObject($0).about(handle) })
    }
  }

  @Sendable func pauseRecorder(
    _ request: AudioRecorderPause, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.audioRecorder) { recorder throws(EngineError) in
      try recorder.pause()
    }
    return EmptyResult()
  }

  @Sendable func stopRecorder(
    _ request: AudioRecorderStop, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.audioRecorder) { recorder throws(EngineError) in await recorder.stop() }
    return EmptyResult()
  }

  @Sendable func deleteRecording(
    _ request: AudioRecorderDeleteRecording, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.audioRecorder) { recorder throws(EngineError) in
      try recorder.deleteRecording()
    }
    return EmptyResult()
  }

  @Sendable func recorderState(
    _ request: AudioRecorderState, _ context: RequestContext
  ) async throws -> AudioRecorderState.Result {
    let moment = try handles.find(request.audioRecorder).recorder.moment
    return AudioRecorderState.Result(
      isRecording: moment.isRecording, currentTime: WireTime(moment.currentTime),
      deviceCurrentTime: WireTime(moment.deviceCurrentTime))
  }

  @Sendable func recorderMeters(
    _ request: AudioRecorderMeters, _ context: RequestContext
  ) async throws -> AudioRecorderMeters.Result {
    let recorder = try handles.find(request.audioRecorder).recorder
    let levels = try await mapErrors(request.audioRecorder) { () throws(EngineError) in
      try recorder.levels()
    }
    return AudioRecorderMeters.Result(
      time: WireTime(levels.time), channels: WireCaptureLevel.all(of: levels))
  }

  @Sendable func advanceRecorderClock(
    _ request: AudioRecorderAdvanceClock, _ context: RequestContext
  ) async throws -> AudioRecorderAdvanceClock.Result {
    var rules = PlayerRules()
    let by = rules.advance(by: request.by, to: nil).by ?? .zero
    try rules.check()
    let time = try await act(request.audioRecorder) { recorder throws(EngineError) in
      try await recorder.advanceClock(by: by)
    }
    return AudioRecorderAdvanceClock.Result(time: WireTime(time))
  }

  private func act<Result>(
    _ handle: AudioRecorderHandle, _ body: (AudioRecorder) async throws(EngineError) -> Result
  ) async throws -> Result {
    let open = try handles.find(handle)
    try await open.line.enter()
    defer { open.line.leave() }
    return try await mapErrors(handle) { () throws(EngineError) in try await body(open.recorder) }
  }
}
