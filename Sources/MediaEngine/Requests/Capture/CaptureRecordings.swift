import LibAV
public import MediaTime
import Synchronization
import SystemIO

/// The settings of a recording.
public struct RecordingSettings: Sendable {
  public var fileType: FileType?
  public var video = ExportSettings.Treatment<VideoEncodingSettings>.unspecified
  public var audio = ExportSettings.Treatment<AudioEncodingSettings>.unspecified
  public var metadata: [MetadataItem] = []
  public var maxRecordedDuration: Time?
  /// The maximum size of the file, in bytes.
  public var maxRecordedFileSize: Int64?
  /// The minimum free space of the file's volume, in bytes.
  public var minFreeDiskSpaceLimit: Int64 = 64 << 20
  /// The duration of a fragment. After a crash the complete fragments remain; nil for a file that is complete or
  /// absent.
  public var movieFragmentInterval: Time? = Time(value: 2, timescale: 1)

  public init() {}
}

extension FileType {
  /// The types that live video or audio can be recorded into.
  static var recordable: [FileType] {
    writable.filter { type in
      let capabilities = type.format.capabilities
      let video = capabilities.encodedVideo.compactMap { VideoCodec($0) }
      return video.contains { $0.usualPixelFormats != ["pal8"] }
        || !capabilities.encodedAudio.isEmpty
    }
  }
}

extension CaptureSession {
  /// Starts a recording into a new file. A recording in progress ends at its beginning, without a sample lost.
  ///
  /// It begins with the first sample of a running session.
  ///
  /// - Parameters:
  ///   - operation: the recording's number in events.
  ///   - isWanted: called once the file is made; returns false for a recording that isn't to begin, as it was cancelled.
  /// - Throws: `fileAlreadyExists`, `pathNotAllowed`, `invalidOutputURLPathExtension`, `unsupportedOutputSettings`,
  ///   `diskFull`, `incorrectlyConfigured`, `operationNotAllowed`, `operationCancelled`, `sessionNotRunning` for a session
  ///   that is closed.
  public func startRecording(
    of output: Int, operation: Int, to url: String, _ settings: RecordingSettings = .init(),
    isWanted: () -> Bool = { !Task.isCancelled }
  ) async throws(EngineError) {
    let prepared = try await prepareRecording(of: output, to: url, settings)
    do throws(EngineError) {
      guard isWanted() else { throw .cancelled("The recording") }
      try begin(prepared, operation: operation, settings.maxRecordedDuration)
    } catch {
      // Without a sample there is no file.
      _ = await prepared.file.finish(isAtLimit: false)
      throw error
    }
  }

  /// Makes the file of a recording, which begins with ``begin(_:operation:_:at:)``.
  func prepareRecording(
    of output: Int, to url: String, _ settings: RecordingSettings
  ) async throws(EngineError) -> PreparedRecording {
    let sink = try sink(output, as: CaptureFileOutput.self, "record")
    let path = try ExportSession.location(url).path
    let (configuration, isClosed) = core.withLock { ($0.configuration, $0.isClosed) }
    guard !isClosed, let type = configuration.output(output)?.type else {
      throw Self.notRunning("record")
    }
    let fileType = try Self.fileType(settings.fileType, of: path, type)
    try Self.check(settings, configuration.connections(of: output).filter(\.isEnabled))
    var tracks: [RecordingTrack] = []
    for connection in configuration.connections(of: output) where connection.isEnabled {
      guard let resolved = configuration.resolved(connection.ends.input, connection.ends.mediaType),
        let track = RecordingTrack(
          connection, resolved, settings, of: configuration.input(connection.ends.input),
          in: fileType, isAudioFile: type == .audioFile)
      else { continue }
      tracks.append(track)
    }
    guard !tracks.isEmpty else {
      throw EngineError(
        .incorrectlyConfigured, "Nothing is connected with the output that could be recorded",
        advice: .connectBeforeRecording)
    }
    let file = try await RecordingFile(
      path: path, fileType: fileType, tracks: tracks, settings, engine: engine,
      isManual: clock == .manual)
    return PreparedRecording(
      sink: sink, path: path, file: file,
      tracks: tracks.map { ($0.ends, endsByCount: $0.endsByCount) })
  }

  /// Begins a recording whose file has been made.
  ///
  /// - Parameter time: the time before which samples are left out; nil to begin with the next sample.
  /// - Throws: `sessionNotRunning` where the session was closed, or the output removed, while the file was made, and for a
  ///   session that is stopping.
  func begin(
    _ prepared: PreparedRecording, operation: Int, _ maximumDuration: Time?, at time: Time? = nil
  ) throws(EngineError) {
    prepared.file.limit(to: maximumDuration)
    try core.withLock { (core) throws(EngineError) -> Void in
      // Otherwise nothing would end it.
      guard core.sinks[prepared.sink.number] === prepared.sink, !core.isStopping else {
        throw Self.notRunning("record")
      }
      let now = now(&core)
      prepared.sink.begin { predecessor in
        let recording = CaptureRecording(
          operation: operation, path: prepared.path, file: prepared.file,
          maximumDuration: maximumDuration, tracks: prepared.tracks,
          since: time.map { max($0, now) } ?? now, after: predecessor)
        for (number, run) in core.inputs where core.isRunning {
          if !run.isConnected { recording.forget(input: number) }
          if run.isStalled { recording.note(isSilent: true, input: number) }
        }
        return recording
      }
    }
  }

  /// Refuses settings of tracks that the recording doesn't have.
  private static func check(
    _ settings: RecordingSettings, _ connections: [Configuration.Connection]
  ) throws(EngineError) {
    // Without any connection that is the error.
    guard !connections.isEmpty else { return }
    let stated: [(mediaType: MediaType, isStated: Bool)] = [
      (.video, settings.video.encoding != nil), (.audio, settings.audio.encoding != nil),
    ]
    let problems = stated.filter { kind in
      kind.isStated && !connections.contains { $0.ends.mediaType == kind.mediaType }
    }.map { kind in
      EngineError.Problem(
        path: "/settings/\(kind.mediaType.rawValue)",
        expected: "nothing, as no \(kind.mediaType.rawValue) is connected with the output",
        got: "settings of \(kind.mediaType.rawValue)")
    }
    if !problems.isEmpty { throw EngineError(problems, of: "The recording") }
  }

  private static func fileType(
    _ given: FileType?, of path: String, _ output: CaptureConfiguration.OutputType
  ) throws(EngineError) -> FileType {
    guard let type = given ?? FileType(pathExtensionOf: path) else {
      throw EngineError(
        .invalidOutputURLPathExtension, "The extension of '\(path)' stands for no file type",
        advice: .stateRecordingType(FileType.recordable.map(\.name)), path: path)
    }
    guard FileType.recordable.contains(type) else {
      throw EngineError(
        .formatUnsupported, "Nothing can be recorded into files of the type \(type.name)",
        advice: .stateRecordingType(FileType.recordable.map(\.name)), path: path)
    }
    return type
  }

  /// Stops a recording at the time of the request. Samples that arrive later and belong before that time are included.
  public func stopRecording(of output: Int) throws(EngineError) {
    let sink = try sink(output, as: CaptureFileOutput.self, "record")
    guard sink.recording != nil else {
      throw EngineError(
        .operationNotAllowed, "The output has no recording that can be stopped",
        advice: .pauseWhileRecording)
    }
    core.withLock { core in
      sink.stopRecordings(at: now(&core), isLast: clock == .manual || !core.isRunning, nil)
    }
  }

  /// Cancels a recording. One without a sample ends as cancelled, and leaves no file; the file of any other one ends at the
  /// time of the request. Nothing happens if it has ended.
  ///
  /// - Parameter operation: the recording's number in events.
  public func cancelRecording(of output: Int, operation: Int) {
    guard let sink = try? sink(output, as: CaptureFileOutput.self, "record") else { return }
    core.withLock { core in
      sink.cancel(
        operation: operation, at: now(&core), isLast: clock == .manual || !core.isRunning)
    }
  }

  public func pauseRecording(of output: Int) throws(EngineError) {
    let sink = try sink(output, as: CaptureFileOutput.self, "record")
    try core.withLock { (core) throws(EngineError) in try sink.pause(at: now(&core)) }
  }

  /// Continues a recording after a pause.
  ///
  /// - Parameters:
  ///   - time: the clock's time of the next sample; nil for as soon as possible.
  ///   - duration: the time after which the recording ends automatically; nil for its former maximum duration.
  public func resumeRecording(
    of output: Int, at time: Time? = nil, for duration: Time? = nil
  ) throws(EngineError) {
    let sink = try sink(output, as: CaptureFileOutput.self, "record")
    try core.withLock { (core) throws(EngineError) in
      let now = now(&core)
      try sink.resume(at: time.map { max($0, now) } ?? now, for: duration)
    }
  }

  /// Returns the recording in progress of an output; nil where there is none.
  public func recording(of output: Int) throws(EngineError) -> Recording? {
    try sink(output, as: CaptureFileOutput.self, "record").recording.map(Recording.init)
  }
}

/// A recording whose file has been made, and that hasn't begun.
struct PreparedRecording: Sendable {
  let sink: CaptureFileOutput
  let path: String
  let file: RecordingFile
  let tracks: [(ends: CaptureConfiguration.ConnectionEnds, endsByCount: Bool)]
}

/// A track of a recording.
struct RecordingTrack: Sendable {
  private enum Encoding: Sendable {
    case video(VideoEncodingSettings)
    case audio(AudioEncodingSettings)
  }

  let ends: CaptureConfiguration.ConnectionEnds
  private let encoding: Encoding
  private let resolved: CaptureConfiguration.Resolved
  private let turn: Orientation
  private let correctsDrift: Bool
  private let hasJitter: Bool

  /// Creates a track; nil where it is left out. Without settings it has the usual codec of recordings, or in files of a
  /// type that can't hold that, the usual one of the type.
  init?(
    _ connection: CaptureConfiguration.Connection, _ resolved: CaptureConfiguration.Resolved,
    _ settings: RecordingSettings, of input: CaptureConfiguration.Input?, in fileType: FileType,
    isAudioFile: Bool
  ) {
    let capabilities = fileType.format.capabilities
    (ends, self.resolved) = (connection.ends, resolved)
    turn = Orientation(connection)
    correctsDrift = input?.settings.correctsDrift ?? true
    hasJitter = input?.device.transport != .synthetic
    switch connection.ends.mediaType {
    case .video:
      var video = VideoEncodingSettings()
      if capabilities.encodedVideo.contains(VideoCodec.h264.name) {
        (video.codec, video.rate) = (.h264, .quality(0.6))
      }
      switch settings.video {
      case .unspecified, .copied: break
      case .leftOut: return nil
      case .encoded(let given): video = given.overriding(video)
      }
      encoding = .video(video)
    case .audio:
      var audio = AudioEncodingSettings()
      switch settings.audio {
      case .unspecified, .copied:
        let isUsual = capabilities.encodedAudio.contains(AudioCodec.aac.containerName)
        if !isAudioFile, isUsual { (audio.codec, audio.stereoBitRate) = (.aac, 128_000) }
      case .leftOut: return nil
      case .encoded(let given): audio = given
      }
      encoding = .audio(audio)
    default: return nil
    }
  }

  /// True where the stamps of samples don't state exactly which of them lie before a time.
  var endsByCount: Bool { hasJitter && ends.mediaType == .audio }

  /// - Throws: `incorrectlyConfigured` for a turn that files of the type can't state.
  func media(in fileType: FileType) throws(EngineError) -> RecordingConfiguration.Track.Media {
    let format = resolved.format
    switch encoding {
    case .video(var settings):
      var picture = try SampleBuffer.Picture(
        pixelFormat: format.pixelFormat ?? "", width: format.width ?? 0,
        height: format.height ?? 0)
      if let color = format.color { picture.color = color }
      var transform = AffineTransform.identity
      if fileType.format.capabilities.supportsDisplayMatrix {
        transform = AffineTransform(
          turn, of: Size(width: Double(picture.width), height: Double(picture.height)))
      } else {
        let turns: [Orientation] = [.up, .rotated90, .rotated180, .rotated270]
        guard let angle = turns.firstIndex(of: turn).map({ $0 * 90 }) else {
          throw EngineError(
            .incorrectlyConfigured,
            "Files of the type \(fileType.name) can't state that pictures are mirrored",
            advice: .chooseFileType(
              FileType.writable.filter(\.format.capabilities.supportsDisplayMatrix).map(\.name)))
        }
        if angle != 0 { settings.rotation = (angle + (settings.rotation ?? 0)) % 360 }
      }
      return .video(
        .init(
          picture: picture,
          frameDuration: resolved.frameDuration ?? Time(value: 1, timescale: 30),
          settings: settings, transform: transform))
    case .audio(let settings):
      return .audio(
        .init(
          sampleFormat: format.sampleFormat ?? "", sampleRate: format.sampleRate ?? 0,
          channels: format.channels ?? 0, settings: settings, correctsDrift: correctsDrift,
          hasJitter: hasJitter))
    }
  }
}

/// The file of a recording, on threads of its own.
final class RecordingFile: Sendable {
  private let writer: RecordingWriter
  let isManual: Bool

  /// Makes the file.
  init(
    path: String, fileType: FileType, tracks: [RecordingTrack], _ settings: RecordingSettings,
    engine: EngineConfiguration, isManual: Bool
  ) async throws(EngineError) {
    var configuration = RecordingConfiguration()
    configuration.tracks = try tracks.map { (track) throws(EngineError) in
      try RecordingConfiguration.Track(track.media(in: fileType))
    }
    configuration.metadata = settings.metadata
    configuration.fragmentInterval = settings.movieFragmentInterval
    configuration.maximumFileSize = settings.maxRecordedFileSize ?? 0
    configuration.minimumFreeSpace = settings.minFreeDiskSpaceLimit
    writer = try RecordingWriter(
      url: path, fileType: fileType, configuration: configuration, engine: engine)
    self.isManual = isManual
    writer.begin(at: .zero)
    try writer.start()
  }

  /// Appends a sample of a track, at its time in the file; never waits.
  ///
  /// - Parameter isHeld: true for a sample from before the beginning, for which there is room.
  /// - Returns: false where there is no room for it.
  func take(_ sample: SampleBuffer, track: Int, isHeld: Bool) -> Bool {
    if isHeld { return writer.queues[track].appendHeld(sample) }
    guard isManual else { return writer.deliver(sample, to: track) }
    // The caller that moves the clock waits for room.
    return writer.queues[track].append(sample, inAnyCase: true)
  }

  /// True once a track of audio has all samples up to the current maximum duration, by their count.
  func hasAll(ofTrack track: Int) -> Bool {
    writer.session.end.map { writer.queues[track].hasAll(upTo: $0) } ?? false
  }

  /// False where a further sample would exceed the maximum of samples that wait, and for a file with a maximum size,
  /// which any sample may reach.
  var hasRoom: Bool {
    if writer.ended != nil { return true }
    return writer.configuration.maximumFileSize == 0 && writer.queues.allSatisfy(\.isReady)
  }

  /// Returns when all appended samples are encoded, and the file has ended if it has reached its maximum size.
  func settle() async { await writer.waitUntilWritten() }

  /// True where a sample that isn't taken comes after the end of the file: on a manual clock all others are.
  var isClosed: Bool { isManual || writer.ended != nil }

  /// The finished file, for its removal.
  var made: OutputFile.Committed? { writer.made }

  /// The bytes that are written so far.
  var size: Int64 { writer.recordedFileSize }
  /// The failure that has ended the writing.
  var failure: EngineError? { writer.ended?.error }

  /// Leaves out samples after a time, audio to the sample by the samples' own count.
  func limit(to duration: Time?) { writer.end(at: duration) }

  /// Completes the file. Called once.
  ///
  /// - Parameter isAtLimit: false where the recording ends before its maximum duration.
  func finish(isAtLimit: Bool) async -> RecordingSummary {
    // Otherwise the last frame would be shown until the maximum duration.
    if !isAtLimit { writer.end(at: nil) }
    return await writer.finish()
  }
}
