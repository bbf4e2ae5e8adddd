import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `captureOutput/*`.
  func registerCaptureOutputs(in router: inout EngineRouter) {
    serve(CaptureOutputStartRecording.self, startRecording, in: &router)
    serve(CaptureOutputStopRecording.self, stopRecording, in: &router)
    serve(CaptureOutputPauseRecording.self, pauseRecording, in: &router)
    serve(CaptureOutputResumeRecording.self, resumeRecording, in: &router)
    serve(CaptureOutputRecordingState.self, recordingState, in: &router)
    serve(CaptureOutputNextSampleBuffers.self, nextCapturedSamples, in: &router)
    serve(CaptureOutputCapturePhoto.self, capturePhoto, in: &router)
    serve(CaptureOutputLevels.self, captureLevels, in: &router)
    serve(CaptureOutputObserveLevels.self, observeCaptureLevels, in: &router)
  }

  @Sendable func startRecording(
    _ request: CaptureOutputStartRecording, _ context: RequestContext
  ) async throws -> OperationReply<CaptureOutputDidFinishRecording> {
    let output = try handles.find(request.captureOutput)
    let settings = try recordingSettings(request)
    let (number, handle, url) = (output.number, request.captureOutput, request.outputURL)
    let isAwaited = request.completion == .response
    return try await perform(
      CaptureOutputStartRecording.method, request.completion, output.session, context,
      cancel: { session, operation in session.cancelRecording(of: number, operation: operation) }
    ) { session, operation in
      try await mapErrors(handle) { () throws(EngineError) in
        try await session.startRecording(
          of: number, operation: operation, to: url, settings,
          // A request that is answered now can't be cancelled any more.
          isWanted: { isAwaited ? !Task.isCancelled : context.seal() })
      }
    }
  }

  private func recordingSettings(
    _ request: CaptureOutputStartRecording
  ) throws -> RecordingSettings {
    var settings = RecordingSettings()
    var reader = ExportSettingsReader(
      request.settings.map { WireExportSettings(video: $0.video, audio: $0.audio) })
    var rules = PlayerRules()
    settings.maxRecordedDuration = rules.numeric(
      request.maxRecordedDuration, "/maxRecordedDuration", notBefore: .zero)
    rules.require(
      settings.maxRecordedDuration != .zero, "/maxRecordedDuration", "a time above 0", "0")
    for (size, path) in [
      (request.maxRecordedFileSize, "/maxRecordedFileSize"),
      (request.minFreeDiskSpaceLimit, "/minFreeDiskSpaceLimit"),
    ] {
      guard let size else { continue }
      let least: Int64 = path == "/maxRecordedFileSize" ? 1 : 0
      rules.require(size >= least, path, "a number of bytes from \(least) on", "\(size)")
    }
    if let interval = request.movieFragmentInterval?.time {
      settings.movieFragmentInterval = interval.isValid ? interval : nil
      let range = Time(value: 1, timescale: 10)...Time(value: 60, timescale: 1)
      rules.require(
        !interval.isValid || (interval.isNumeric && range.contains(interval)),
        "/movieFragmentInterval", #"a time from 0.1 to 60 seconds, or "invalid""#,
        WireTime(interval).described)
    }
    reader.problems += rules.problems
    guard reader.problems.isEmpty else { throw RPCError.invalidParams(reader.problems) }
    (settings.video, settings.audio) = (reader.settings.video, reader.settings.audio)
    settings.fileType = try request.fileType.map { try fileType($0) }
    if let items = request.metadata {
      settings.metadata = try MetadataItem.items(items, path: "/metadata")
    }
    settings.maxRecordedFileSize = request.maxRecordedFileSize
    settings.minFreeDiskSpaceLimit =
      request.minFreeDiskSpaceLimit ?? settings.minFreeDiskSpaceLimit
    return settings
  }

  @Sendable func stopRecording(
    _ request: CaptureOutputStopRecording, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.captureOutput, context) { session, number throws(EngineError) in
      try session.stopRecording(of: number)
    }
  }

  @Sendable func pauseRecording(
    _ request: CaptureOutputPauseRecording, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.captureOutput, context) { session, number throws(EngineError) in
      try session.pauseRecording(of: number)
    }
  }

  @Sendable func resumeRecording(
    _ request: CaptureOutputResumeRecording, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await act(request.captureOutput, context) { session, number throws(EngineError) in
      try session.resumeRecording(of: number)
    }
  }

  private func act(
    _ handle: CaptureOutputHandle, _ context: RequestContext,
    _ body: (CaptureSession, Int) throws(EngineError) -> Void
  ) async throws -> EmptyResult {
    let output = try handles.find(handle)
    return try await change(output.session, context) { session in
      try await mapErrors(handle) { () throws(EngineError) in try body(session, output.number) }
      return EmptyResult()
    }
  }

  @Sendable func recordingState(
    _ request: CaptureOutputRecordingState, _ context: RequestContext
  ) async throws -> CaptureOutputRecordingState.Result {
    let output = try handles.find(request.captureOutput)
    let recording = try await mapErrors(request.captureOutput) { () throws(EngineError) in
      try output.session.session.recording(of: output.number)
    }
    return CaptureOutputRecordingState.Result(
      isRecording: recording != nil, isPaused: recording?.isPaused ?? false,
      outputURL: recording?.path, recordedDuration: WireTime(recording?.duration ?? .zero),
      recordedFileSize: recording?.fileSize ?? 0)
  }

  @Sendable func nextCapturedSamples(
    _ request: CaptureOutputNextSampleBuffers, _ context: RequestContext
  ) async throws -> CaptureOutputNextSampleBuffers.Result {
    let output = try handles.find(request.captureOutput)
    var rules = PlayerRules()
    let count = rules.number(request.maxCount, 1...256, "/maxCount") ?? 1
    let timeout = rules.number(request.timeoutMs, 0...3_600_000, "/timeoutMs") ?? 1000
    try rules.check()
    let session = output.session.session
    return try await mapErrors(request.captureOutput) { () throws(EngineError) in
      let next = try await session.nextSampleBuffers(
        of: output.number, count: count, timeout: .milliseconds(timeout))
      let delivery = output.delivery(self, request.captureOutput, answering: context)
      var files: [WrittenFile] = []
      var wire: [WireSampleBuffer] = []
      for sample in next.samples {
        wire.append(try WireSampleBuffer(sample, delivery, written: &files))
      }
      return CaptureOutputNextSampleBuffers.Result(
        sampleBuffers: wire, dropped: WireCaptureDrops(next.dropped),
        isRunning: session.isRunning)
    }
  }

  @Sendable func capturePhoto(
    _ request: CaptureOutputCapturePhoto, _ context: RequestContext
  ) async throws -> OperationReply<CaptureOutputDidFinishCapture> {
    let output = try handles.find(request.captureOutput)
    var rules = PlayerRules()
    let width = rules.number(request.width, 1...16_384, "/width")
    if let quality = request.quality {
      rules.require((0...1).contains(quality), "/quality", "a number from 0 to 1", "\(quality)")
    }
    try rules.check()
    let (number, handle) = (output.number, request.captureOutput)
    let delivery = request.delivery ?? .shm
    let destination: Destination =
      delivery == .shm ? .shared(sharedMemory, timeout: .zero) : .heap
    return try await perform(
      CaptureOutputCapturePhoto.method, request.completion, output.session, context,
      delivery: delivery,
      cancel: { session, operation in session.cancelPhoto(of: number, operation: operation) }
    ) { session, operation in
      try await mapErrors(handle) { () throws(EngineError) in
        try session.capturePhoto(
          of: number, operation: operation, format: request.format?.rawValue ?? "jpeg",
          quality: request.quality ?? 0.85, width: width, to: destination)
      }
    }
  }

  @Sendable func captureLevels(
    _ request: CaptureOutputLevels, _ context: RequestContext
  ) async throws -> CaptureOutputLevels.Result {
    let output = try handles.find(request.captureOutput)
    let levels = try await mapErrors(request.captureOutput) { () throws(EngineError) in
      try output.session.session.levels(of: output.number)
    }
    return CaptureOutputLevels.Result(
      time: WireTime(levels.time), channels: WireCaptureLevel.all(of: levels))
  }

  @Sendable func observeCaptureLevels(
    _ request: CaptureOutputObserveLevels, _ context: RequestContext
  ) async throws -> EmptyResult {
    var rules = PlayerRules()
    let interval = rules.numeric(request.interval, "/interval", notBefore: .zero)
    if let interval {
      rules.require(
        interval >= Time(value: 1, timescale: 100), "/interval", "at least 0.01 seconds",
        WireTime(interval).described)
    }
    try rules.check()
    let isObserving = request.isObserving ?? true
    return try await act(request.captureOutput, context) { session, number throws(EngineError) in
      let usual = Time(value: 1, timescale: 20)
      try session.observeLevels(of: number, every: isObserving ? interval ?? usual : nil)
    }
  }
}
