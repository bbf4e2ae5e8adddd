public import MediaTime
import SystemIO

/// Writes samples to a new file (AVAssetWriter). One-shot.
///
/// Inputs are fixed when the writer is created. ``start()`` follows, then one session, samples for the inputs, and
/// ``finishWriting()``; a call at another time throws. The file appears under its name when it is complete, and never
/// replaces another. A movie in fragments has its name from the start. Its written fragments remain, unless
/// ``cancelWriting()`` ends the writing; a finished one has no fragments.
public final class AssetWriter: Sendable {
  public typealias Configuration = AssetWriterConfiguration

  /// The progress of a writer, and its end (AVAssetWriter.Status).
  public enum Status: String, Sendable {
    case unknown, writing, completed, failed, cancelled
  }

  /// The result of a writer.
  public struct Summary: Sendable {
    /// The path of the file; nil for segments.
    public var path: String?
    /// The size in bytes; of all segments together.
    public var fileSize: Int64
    /// The duration of the file, or of all segments together.
    public var duration: Time
    /// The samples and properties that aren't in the file.
    public var dropped: [DroppedItem] = []
  }

  /// The path of the file; empty for segments.
  public let outputPath: String
  public let fileType: FileType
  public let inputs: [AssetWriterInput]
  let configuration: Configuration
  let roots: [String]
  let temporaryFolder: String?
  let state: WriterState
  /// The boundaries of segments; nil for a file.
  let boundaries: SegmentBoundaries?
  let deliver: @Sendable (Segment) async throws(EngineError) -> Void

  /// Creates a writer. The file is made by ``start()``.
  ///
  /// - Parameters:
  ///   - url: a path, or a `file:` URL; ignored for segments.
  ///   - fileType: nil for the type of the path's extension, and MP4 for segments.
  ///   - deliver: receives segments, one after the other; an error that it throws ends the writing.
  /// - Throws: `invalidOutputURLPathExtension`, `formatUnsupported` and `pathNotAllowed` for the target,
  ///   `unsupportedOutputSettings` with all problems of the inputs.
  public init(
    url: String, fileType: FileType? = nil, configuration: Configuration,
    engine: EngineConfiguration = EngineConfiguration(),
    deliver: @escaping @Sendable (Segment) async throws(EngineError) -> Void = { _ in }
  ) throws(EngineError) {
    let hasSegments = configuration.segments != nil
    let path = hasSegments ? "" : try ExportSession.location(url).path
    let type = hasSegments ? fileType ?? .mp4 : try AssetWriter.fileType(fileType, of: path)
    try AssetWriter.requireNoProblems(configuration, in: type)
    outputPath = path
    boundaries = configuration.segments.map(SegmentBoundaries.init)
    self.deliver = deliver
    self.fileType = type
    self.configuration = configuration
    roots = engine.roots
    temporaryFolder = try configuration.directoryForTemporaryFiles.map {
      (url) throws(EngineError) in try ExportSession.location(url).path
    }
    let state = WriterState(path: path)
    self.state = state
    inputs = configuration.inputs.enumerated().map { index, input in
      AssetWriterInput(input, index: index, of: state)
    }
    state.connect(inputs.map(\.queue))
  }

  /// - Throws: `invalidOutputURLPathExtension`, `formatUnsupported`.
  static func fileType(
    _ fileType: FileType?, of path: String
  ) throws(EngineError) -> FileType {
    guard let type = fileType ?? FileType(pathExtensionOf: path) else {
      throw EngineError(
        .invalidOutputURLPathExtension, "The extension of '\(path)' stands for no file type",
        advice: .stateFileType(FileType.writable.map(\.name)), path: path)
    }
    guard type.canWrite else {
      throw EngineError(
        .formatUnsupported, "Files of the type \(type.name) can't be written",
        advice: .stateFileType(FileType.writable.map(\.name)))
    }
    return type
  }

  /// Returns the problems of an input in a file of that type, as sentences.
  public static func reasons(
    against input: Configuration.Input, in fileType: FileType
  ) -> [String] {
    guard fileType.canWrite else { return ["files of the type \(fileType.name) can't be written"] }
    return input.problems(in: fileType, path: "").map { problem in
      let member = problem.path.isEmpty ? "" : "\(problem.path.dropFirst()): "
      return "\(member)expected \(problem.expected), got \(problem.got)"
    }
  }

  /// - Throws: `unsupportedOutputSettings` with all problems of a configuration.
  static func requireNoProblems(
    _ configuration: Configuration, in type: FileType
  ) throws(EngineError) {
    var problems = configuration.inputs.enumerated().flatMap { index, input in
      input.problems(in: type, path: "/inputs/\(index)")
    }
    if configuration.inputs.isEmpty {
      problems.append(.init(path: "/inputs", expected: "at least one", got: "none"))
    }
    let rules = type.format.capabilities
    for (maximum, kind) in [
      (rules.maximumAudioTracks, MediaType.audio), (rules.maximumSubtitleTracks, .subtitle),
    ] {
      let count = configuration.inputs.count { $0.mediaType == kind }
      guard let maximum, count > maximum else { continue }
      problems.append(
        .init(
          path: "/inputs", expected: "\(maximum) of \(kind.rawValue) at most", got: "\(count)"))
    }
    if let interval = configuration.movieFragmentInterval, configuration.segments == nil {
      if !type.format.hasMovieHeader {
        problems.append(
          .init(path: "/movieFragmentInterval", expected: "a movie", got: type.name))
      }
      if !interval.isNumeric || interval <= .zero {
        problems.append(
          .init(
            path: "/movieFragmentInterval", expected: "a time above 0",
            got: interval.secondsDescription))
      }
    }
    problems += configuration.relationProblems(in: type)
    if let segments = configuration.segments {
      problems += segments.problems(configuration, in: type)
    }
    if let scale = configuration.movieTimeScale, !(1...10_000_000).contains(scale) {
      problems.append(
        .init(path: "/movieTimeScale", expected: "1 to 10000000", got: "\(scale)"))
    }
    if !problems.isEmpty { throw EngineError(problems, of: "The writer") }
  }

  /// Begins writing; called once.
  ///
  /// - Throws: `operationNotAllowed` for a writer that was started, `fileAlreadyExists`,
  ///   `contentIsUnavailable` for a folder that doesn't exist, `pathNotAllowed`, `diskFull`.
  public func start() throws(EngineError) {
    try state.start()
    do throws(EngineError) {
      let work = try AssetWriterWork(self)
      if let file = work.file { state.use(file) }
      let box = Handoff(work)
      try mapErrors(.write) { () throws(SystemError) in
        try BlockingThread.start { [state] in
          state.end(Result { () throws(EngineError) in try box.value.run() })
          box.value.conclude()
        }
      }
    } catch {
      state.end(.failure(error), discardsFile: true)
      throw error
    }
  }

  /// Begins the session: samples of this time are presented at the start of the file.
  ///
  /// - Throws: `operationNotAllowed` before ``start()`` and the second time, `unsupportedOutputSettings` for a
  ///   time that isn't numeric.
  public func startSession(atSourceTime time: Time) throws(EngineError) {
    try state.beginSession(at: time)
  }

  /// Ends the session: samples from this time on aren't shown.
  ///
  /// Samples that were encoded before are cut off: by an edit list, or by a copy when the file is finished. Segments
  /// that were delivered remain unchanged.
  ///
  /// - Throws: as ``startSession(atSourceTime:)``.
  public func endSession(atSourceTime time: Time) throws(EngineError) {
    try state.endSession(at: time)
  }

  /// Marks all inputs as finished, writes the rest and commits the file under its name.
  ///
  /// Cancelling the task does the same as ``stopWriting()``.
  ///
  /// - Throws: `operationNotAllowed` for a writer that doesn't write, `operationCancelled`, and the errors of encoding
  ///   and writing.
  @discardableResult
  public func finishWriting() async throws(EngineError) -> Summary {
    try beginFinishing()
    return try await finished()
  }

  /// Begins the first half of ``finishWriting()``, which doesn't wait.
  package func beginFinishing() throws(EngineError) { try state.beginFinishing() }

  /// Waits for the second half of ``finishWriting()``.
  package func finished() async throws(EngineError) -> Summary {
    let result = await withTaskCancellationHandler {
      await state.ended()
    } onCancel: {
      stopWriting()
    }
    return try result.get()
  }

  /// Ends the segment with the samples that have been appended (AVAssetWriter.flushSegment()).
  ///
  /// It is delivered when the next one has begun, and all of it is encoded.
  ///
  /// - Throws: `operationNotAllowed` for a writer that doesn't write, and where segments have an interval.
  public func flushSegment() throws(EngineError) {
    guard let boundaries, boundaries.settings.interval == nil else {
      throw EngineError(
        .operationNotAllowed, "The writer makes no segments of an indefinite interval",
        advice: .setSegments)
    }
    try state.requireWriting("end a segment of")
    let leading = inputs.first { $0.mediaType == .video } ?? inputs[0]
    if let time = leading.latestTime { boundaries.end(after: time) }
  }

  /// The name of the writer's output, for messages.
  public var name: String { boundaries == nil ? "'\(outputPath)'" : "segments" }

  /// Ends writing, and leaves no file. A writer that has ended is unchanged. Never waits.
  public func cancelWriting() {
    state.end(.failure(cancellation), unlessCommitting: true, discardsFile: true)
  }

  private var cancellation: EngineError {
    .cancelled("Writing \(name)", advice: .makeWriter)
  }

  /// Ends writing, for a caller that is gone: a movie in fragments remains, up to the last fragment that was written,
  /// and any other file is discarded. A writer that has ended is unchanged. Never waits.
  public func stopWriting() {
    state.end(.failure(cancellation), unlessCommitting: true)
  }

  /// The status, and the error of a failed writer. Never waits.
  public var status: (status: Status, error: EngineError?) { state.status }
}
