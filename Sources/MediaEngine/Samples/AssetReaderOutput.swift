import LibAV
import MediaTime

/// One track's samples, pulled in order (AVAssetReaderTrackOutput). Outputs of one reader run side by
/// side, each on its own queue.
public actor AssetReaderOutput {
  private nonisolated let queue = WorkQueue("assetReaderOutput")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  /// The track; of a mix the first one.
  public nonisolated let track: AssetTrack
  /// The tracks that are mixed; nil where one track is read (AVAssetReaderAudioMixOutput).
  public nonisolated let mixedTracks: [AssetTrack]?
  public nonisolated let settings: OutputSettings
  /// Whether ``reset(forReadingTimeRanges:)`` is possible.
  public nonisolated let supportsRandomAccess: Bool
  private let state: ReaderState
  private let position: Int
  /// What is still to be read, the one that is being read excepted.
  private var ranges: ArraySlice<TimeRange>
  private var samples: (any SampleSequence)?
  /// Of the range that is being read, one for each track.
  private var reports: [DamageReport] = []
  /// What couldn't be decoded of the ranges that have been read to their end.
  public private(set) var damagedSamples: [DamagedSamples] = []
  private var isAtEnd = false
  private var isFinal: Bool
  private var delivered = 0
  private var format: FormatDescription?
  private var file: AppendedFile?

  init(
    track: AssetTrack, mixedTracks: [AssetTrack]?, settings: OutputSettings,
    supportsRandomAccess: Bool, timeRange: TimeRange, state: ReaderState, position: Int
  ) {
    self.track = track
    self.mixedTracks = mixedTracks
    self.settings = settings
    self.supportsRandomAccess = supportsRandomAccess
    isFinal = !supportsRandomAccess
    ranges = [timeRange]
    self.state = state
    self.position = position
  }

  /// Reads again, from other ranges (AVAssetReaderOutput `reset(forReadingTimeRanges:)`).
  ///
  /// A sample that lies in two of the ranges is delivered for each.
  ///
  /// - Parameter ranges: their starts ascend and they don't overlap; they take the place of the reader's
  ///   range. None reads nothing.
  /// - Throws: `operationNotAllowed` for an output without random access, before its end was delivered,
  ///   after ``markConfigurationAsFinal()``, for a reader that doesn't read, and for ranges in disorder.
  public func reset(forReadingTimeRanges ranges: [TimeRange]) throws(EngineError) {
    func refusal(_ message: String, _ hint: String) -> EngineError {
      EngineError(.operationNotAllowed, message, hint: hint)
    }
    try state.checkReading()
    guard supportsRandomAccess else {
      throw refusal(
        "The output has no random access", "Create it with supportsRandomAccess set to true.")
    }
    guard !isFinal else {
      throw refusal(
        "The output's configuration is final", "Create a new reader to read more ranges.")
    }
    guard isAtEnd else {
      throw refusal(
        "The output has not been read to its end", "Pull until endOfStream is true, then reset it.")
    }
    var end = Time.zero
    for range in ranges {
      guard range.isValid, range.start.isNumeric, range.start >= .zero,
        range.duration.isNumeric ? range.duration >= .zero : range.duration == .positiveInfinity
      else {
        throw refusal(
          "The time range \(range) is not one to read",
          "Give a numeric start and a duration of zero or more.")
      }
      guard range.start >= end else {
        throw refusal(
          "The time range \(range) begins before the end of the one before it",
          "Give ranges in ascending order that don't overlap.")
      }
      end = range.end
    }
    for (range, next) in zip(ranges, ranges.dropFirst()) where range.start == next.start {
      throw refusal("Two time ranges begin at \(next.start)", "Give each start once.")
    }
    self.ranges = ranges.filter { $0.duration != .zero }[...]
    isAtEnd = false
  }

  /// Says that ``reset(forReadingTimeRanges:)`` won't be called any more: the reader can be completed.
  ///
  /// - Throws: `operationNotAllowed` for an output without random access.
  public func markConfigurationAsFinal() throws(EngineError) {
    guard supportsRandomAccess else {
      throw EngineError(
        .operationNotAllowed, "The output has no random access: its configuration is final",
        hint: "Pull until endOfStream is true.")
    }
    isFinal = true
    if isAtEnd { state.finish(output: position) }
  }

  /// The next samples, at most `maxCount` and about `maxBytes`; none at the end.
  ///
  /// There are fewer only at the end, and where shared memory ran out after the first.
  ///
  /// - Parameter path: a file that the bytes are appended to, new at the first pull that names it.
  /// - Throws: `operationNotAllowed` before the reader's start, `leasesExhausted` when no shared
  ///   memory came free in time and nothing could be returned, what decoding throws, and what writing
  ///   the file throws.
  public func nextSampleBuffers(
    maxCount: Int, maxBytes: Int? = nil, destination: Destination = .heap,
    appendingTo path: String? = nil, configuration: EngineConfiguration = EngineConfiguration()
  ) throws(EngineError) -> (buffers: [SampleBuffer], isAtEnd: Bool) {
    try state.checkReading()
    if path != file?.path { file = nil }
    if let path, file == nil {
      file = try AppendedFile(path: path, configuration: configuration)
    }
    guard !isAtEnd else { return ([], true) }
    do throws(EngineError) {
      var (buffers, isAtEnd) = try pull(
        maxCount: maxCount, maxBytes: maxBytes, destination: destination)
      if let file {
        for index in buffers.indices {
          buffers[index].fileOffset = try file.append(buffers[index].data)
        }
      }
      return (buffers, isAtEnd)
    } catch {
      if error.code != .leasesExhausted, !error.isCancellation { state.fail(error) }
      throw error
    }
  }

  private func pull(
    maxCount: Int, maxBytes: Int?, destination: Destination
  ) throws(EngineError) -> (buffers: [SampleBuffer], isAtEnd: Bool) {
    var buffers: [SampleBuffer] = []
    var bytes = 0
    while buffers.count < maxCount {
      // The next ones will be as large as the last.
      let size = max(1, buffers.last?.data.count ?? 1)
      let fitting = maxBytes.map { buffers.isEmpty ? 1 : ($0 - bytes) / size } ?? .max
      guard fitting > 0 else { break }
      guard let sequence = try openSamples() else {
        isAtEnd = true
        if isFinal { state.finish(output: position) }
        break
      }
      try sequence.prepare()
      let step: SampleStep
      do throws(EngineError) {
        step = try place(destination, waits: buffers.isEmpty) { () throws(EngineError) in
          try sequence.next(
            upTo: min(maxCount - buffers.count, fitting), allocator: destination.allocator)
        }
      } catch {
        // What is there is delivered first; the next pull meets the shortage again.
        if error.code == .leasesExhausted, !buffers.isEmpty { break }
        throw error
      }
      switch step {
      case .needsInput: continue
      case .end: finishRange()
      case .samples(let made):
        for var buffer in made {
          describe(&buffer)
          buffer.index = delivered
          delivered += 1
          bytes += buffer.data.count
          buffers.append(buffer)
        }
      }
    }
    return (buffers, isAtEnd)
  }

  /// Remembers what was missing.
  private func finishRange() {
    samples = nil
    for (track, report) in zip(mixedTracks ?? [track], reports) {
      guard let damage = report.samples(of: track.trackID, track.mediaType) else { continue }
      damagedSamples.append(damage)
      state.add(damage)
    }
    reports = []
  }

  /// Leaves the format description with the first buffer, and with those that change it.
  private func describe(_ buffer: inout SampleBuffer) {
    let stated =
      buffer.format ?? format ?? (mixedTracks == nil ? track.info.formatDescription : nil)
    buffer.format = stated == format ? nil : stated
    format = stated
  }

  /// Runs `body` in a place of the gate; where there is no room in shared memory, again after a release
  /// if that is to be waited for.
  private func place<Result>(
    _ destination: Destination, waits: Bool, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    if waits { return try destination.work(.interactive, interrupt: state.interrupt, body) }
    return try WorkGate.shared.run(.interactive, interrupt: state.interrupt, body)
  }

  /// The samples of the range that is being read, or of the next one; nil when all were read.
  private func openSamples() throws(EngineError) -> (any SampleSequence)? {
    if let samples { return samples }
    guard let range = ranges.popFirst() else { return nil }
    reports = (mixedTracks ?? [track]).map { DamageReport($0.info.media, range: range) }
    let clips = zip(mixedTracks ?? [track], reports).map {
      TrackClip(media: $0.info.media, range: range, interrupt: state.interrupt, damage: $1)
    }
    samples = try WorkGate.shared.run(.interactive, interrupt: state.interrupt) {
      () throws(EngineError) in
      if mixedTracks != nil { return try AudioMix(clips: clips, settings: settings) }
      return try settings.samples(of: track, clips[0])
    }
    return samples
  }
}

/// A file that appears empty and grows.
private final class AppendedFile {
  let path: String
  private let file: OutputFile
  private var size: Int64 = 0

  /// - Throws: `fileAlreadyExists`, `contentIsUnavailable`, `pathNotAllowed`.
  init(path: String, configuration: EngineConfiguration) throws(EngineError) {
    self.path = path
    file = try naming(.write, path: path) { () throws(LibAVError) in
      let file = try OutputFile(path: path, roots: configuration.roots)
      try file.commit()
      return file
    }
  }

  /// Returns where the bytes begin.
  func append(_ data: MediaData) throws(EngineError) -> Int64 {
    let start = size
    try naming(.write, path: path) { () throws(LibAVError) in
      try data.withBytes { bytes throws(LibAVError) in
        try unsafe file.write(bytes.bytes, at: start)
      }
    }
    size += Int64(data.count)
    return start
  }
}
