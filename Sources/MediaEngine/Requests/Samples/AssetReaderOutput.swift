import MediaTime
import SystemIO

/// One track's samples, pulled in order (AVAssetReaderTrackOutput). Outputs of one reader run in parallel, each on its
/// own queue.
public actor AssetReaderOutput: QueueActor {
  package nonisolated let queue = WorkQueue("assetReaderOutput")

  /// The track; for a mix the first one.
  public nonisolated let track: AssetTrack
  /// The tracks that are mixed; nil where one track is read (AVAssetReaderAudioMixOutput).
  public nonisolated let mixedTracks: [AssetTrack]?
  /// The volumes of the mix; nil for 1 throughout, and where one track is read.
  public nonisolated let audioMix: AudioMix?
  public nonisolated let settings: OutputSettings
  /// True where ``reset(forReadingTimeRanges:)`` is possible.
  public nonisolated let supportsRandomAccess: Bool
  private let state: ReaderState
  /// The demuxers of the reader's tracks, for the first range.
  private var sharing: SharedDemuxers?
  private let position: Int
  /// The ranges that are still to be read, without the current one.
  private var ranges: ArraySlice<TimeRange>
  private var samples: (any MediaStream<SampleBuffer>)?
  /// The range of ``samples``.
  private var range = TimeRange.zero
  /// The decode errors of the current range, one for each track.
  private var errors: [DecodeErrors] = []
  /// The samples that couldn't be decoded, in the ranges that have been read to their end.
  public private(set) var damagedSamples: [DamagedSamples] = []
  private var isAtEnd = false
  private var isFinal: Bool
  private var delivered = 0
  private var format: FormatDescription?
  private var file: AppendedFile?
  /// Samples of a call that failed afterwards, to be delivered again.
  private var returned: [SampleBuffer] = []
  /// The error that ends the output once all samples before it are delivered.
  private var failure: EngineError?
  /// Admits one call at a time: none begins before the samples of the earlier one are settled.
  private nonisolated let line = WorkLimiter(slots: 1)

  init(
    track: AssetTrack, mixedTracks: [AssetTrack]?, audioMix: AudioMix?, settings: OutputSettings,
    supportsRandomAccess: Bool, timeRange: TimeRange, state: ReaderState, position: Int
  ) {
    self.track = track
    self.mixedTracks = mixedTracks
    self.audioMix = audioMix
    self.settings = settings
    self.supportsRandomAccess = supportsRandomAccess
    isFinal = !supportsRandomAccess
    ranges = [timeRange]
    self.state = state
    sharing = state.sharing
    self.position = position
  }

  /// Reads again, from other ranges (AVAssetReaderOutput `reset(forReadingTimeRanges:)`).
  ///
  /// A sample in two of the ranges is delivered for each.
  ///
  /// - Parameter ranges: ranges with ascending starts that don't overlap; they replace the reader's range. An empty
  ///   list reads nothing.
  /// - Throws: `operationNotAllowed` for an output without random access, before its end was delivered,
  ///   after ``markConfigurationAsFinal()``, for a reader that doesn't read, and for ranges in disorder.
  public func reset(forReadingTimeRanges ranges: [TimeRange]) async throws(EngineError) {
    try await line.enter(interrupt: state.interrupt)
    defer { line.leave() }
    func refusal(_ message: String, _ advice: EngineError.Advice) -> EngineError {
      EngineError(.operationNotAllowed, message, advice: advice)
    }
    try state.checkReading()
    guard supportsRandomAccess else {
      throw refusal("The output has no random access", .requestRandomAccess)
    }
    guard !isFinal else {
      throw refusal(
        "The output's configuration is final",
        .createReaderForRanges)
    }
    guard isAtEnd else {
      throw refusal("The output has not been read to its end", .readToEndBeforeReset)
    }
    var end = Time.zero
    for range in ranges {
      guard range.isValid, range.start.isNumeric, range.start >= .zero,
        range.duration.isNumeric ? range.duration >= .zero : range.duration == .positiveInfinity
      else {
        throw refusal(
          "The time range \(range.secondsDescription) is not one to read",
          .giveRangeOrInstant)
      }
      guard range.start >= end else {
        throw refusal(
          "The time range \(range.secondsDescription) begins before the end of the one before it",
          .orderRanges)
      }
      end = range.end
    }
    for (range, next) in zip(ranges, ranges.dropFirst()) where range.start == next.start {
      throw refusal(
        "Two time ranges begin at \(next.start.secondsDescription)", .giveStartsOnce)
    }
    self.ranges = ranges.filter { $0.duration != .zero }[...]
    isAtEnd = false
  }

  /// Declares that ``reset(forReadingTimeRanges:)`` won't be called any more: the reader can be completed.
  ///
  /// - Throws: `operationNotAllowed` for an output without random access.
  public func markConfigurationAsFinal() async throws(EngineError) {
    try await line.enter(interrupt: state.interrupt)
    defer { line.leave() }
    guard supportsRandomAccess else {
      throw EngineError(
        .operationNotAllowed, "The output has no random access: its configuration is final",
        advice: .readToEnd)
    }
    isFinal = true
    if isAtEnd { state.finish(output: position) }
  }

  /// Returns the next samples, at most `maxCount` and about `maxBytes`; none at the end.
  ///
  /// There are fewer only at the end, before a failure, and where shared memory ran out after the first. A call that
  /// throws consumes no samples, whether it failed, was cancelled or waited too long: the next one begins at the end of
  /// the last one that returned.
  ///
  /// - Parameter path: a file that the bytes are appended to, which is created at the first pull that names it.
  /// - Throws: `operationNotAllowed` before the reader's start, `leasesExhausted` when no shared memory was released in
  ///   time and no sample could be returned, `operationCancelled` when the task was cancelled, the errors of decoding,
  ///   and the errors of writing the file.
  public func nextSampleBuffers(
    maxCount: Int, maxBytes: Int? = nil, destination: Destination = .heap,
    appendingTo path: String? = nil, configuration: EngineConfiguration = EngineConfiguration()
  ) async throws(EngineError) -> (buffers: [SampleBuffer], isAtEnd: Bool) {
    try await nextSampleBuffers(
      maxCount: maxCount, maxBytes: maxBytes, destination: destination, appendingTo: path,
      configuration: configuration
    ) { (buffers, isAtEnd, _) in (buffers, isAtEnd) }
  }

  /// Returns the next samples as above, for a caller that passes them on: they are consumed once `deliver` has
  /// returned.
  ///
  /// - Parameter deliver: called on the output's queue, where it may block for a write, also with the samples that
  ///   couldn't be decoded so far; an error that it throws returns the samples to the output.
  package func nextSampleBuffers<Delivered: Sendable>(
    maxCount: Int, maxBytes: Int? = nil, destination: Destination = .heap,
    appendingTo path: String? = nil, configuration: EngineConfiguration = EngineConfiguration(),
    deliver:
      @Sendable (
        [SampleBuffer], _ isAtEnd: Bool, [DamagedSamples]
      ) throws(EngineError) -> Delivered
  ) async throws(EngineError) -> Delivered {
    try await withTaskInterrupt(parent: state.interrupt) { interrupt throws(EngineError) in
      try await line.enter(interrupt: interrupt)
      defer { line.leave() }
      let file = try file(at: path, configuration)
      return try await transact(
        maxCount, maxBytes, destination, file, interrupt: interrupt, deliver)
    }
  }

  /// Returns the file that samples are appended to, created at the first pull that names it.
  private func file(
    at path: String?, _ configuration: EngineConfiguration
  ) throws(EngineError) -> AppendedFile? {
    try state.checkReading()
    if path != file?.path { file = nil }
    if let path, file == nil {
      file = try AppendedFile(path: path, configuration: configuration)
    }
    return file
  }

  /// Reads samples and delivers them, or leaves the output unchanged.
  private func transact<Delivered>(
    _ maxCount: Int, _ maxBytes: Int?, _ destination: Destination, _ file: AppendedFile?,
    interrupt: Interrupt,
    _ deliver: (
      [SampleBuffer], _ isAtEnd: Bool, [DamagedSamples]
    ) throws(EngineError) -> Delivered
  ) async throws(EngineError) -> Delivered {
    var taken: [SampleBuffer] = []
    let size = file?.size
    do throws(EngineError) {
      let isAtEnd = try await pull(
        into: &taken, maxCount: maxCount, maxBytes: maxBytes, destination: destination, interrupt)
      var buffers = taken
      if let file {
        for index in buffers.indices {
          buffers[index].fileOffset = try file.append(buffers[index].data)
        }
      }
      if interrupt.isTriggered { throw .cancelled("The samples") }
      let delivered = try deliver(buffers, isAtEnd, damagedSamples)
      if isAtEnd { end() }
      return delivered
    } catch {
      returned.insert(contentsOf: taken, at: 0)
      if let file, let size, size > 0 {
        file.truncate(to: size)
      } else {
        // The file is empty: the next call creates it anew.
        self.file?.unpublish()
        self.file = nil
      }
      throw error
    }
  }

  private func end() {
    isAtEnd = true
    if isFinal { state.finish(output: position) }
  }

  /// - Returns: true at the end of all ranges.
  private func pull(
    into buffers: inout [SampleBuffer], maxCount: Int, maxBytes: Int?, destination: Destination,
    _ interrupt: Interrupt
  ) async throws(EngineError) -> Bool {
    if isAtEnd { return true }
    var bytes = 0
    while buffers.count < maxCount {
      // The next ones are assumed to be as large as the last.
      let size = max(1, (returned.first ?? buffers.last)?.data.count ?? 1)
      let fitting = maxBytes.map { buffers.isEmpty ? 1 : ($0 - bytes) / size } ?? .max
      guard fitting > 0 else { break }
      let step: StreamStep<SampleBuffer>
      do throws(EngineError) {
        step = try await nextStep(
          upTo: min(maxCount - buffers.count, fitting), destination, waits: buffers.isEmpty,
          interrupt)
      } catch {
        if error.isCancellation || error.code == .leasesExhausted {
          // The samples so far are delivered first; the next pull meets the shortage again.
          if error.code == .leasesExhausted, !buffers.isEmpty { break }
          throw error
        }
        // Samples before the failure are delivered first.
        failure = error
        if !buffers.isEmpty { break }
        state.fail(error)
        throw error
      }
      switch step {
      case .skipped, .pending: continue
      case .end: return true
      case .element(let made):
        buffers.append(made)
        bytes += made.data.count
      }
    }
    return false
  }

  /// Returns a sample that was returned to the output, or the next one of the track; the end is that of all ranges.
  private func nextStep(
    upTo count: Int, _ destination: Destination, waits: Bool, _ interrupt: Interrupt
  ) async throws(EngineError) -> StreamStep<SampleBuffer> {
    if !returned.isEmpty {
      return .element(
        try await adapt(returned.removeFirst(), to: destination, waits, interrupt))
    }
    if let failure { throw failure }
    guard let samples = try await openSamples(interrupt) else { return .end }
    await samples.wait(interrupt: interrupt, isolation: self)
    if interrupt.isTriggered { throw .cancelled("The samples") }
    let step = try await place(destination, waits: waits, interrupt) { () throws(EngineError) in
      try samples.take(StreamDemand(count: count, allocator: destination.allocator))
    }
    switch step {
    case .skipped, .pending: return .skipped
    case .end:
      finishRange()
      for track in tracks {
        guard let damage = track.timeline.damage(before: range.end) else { continue }
        if track.timeline.salvages {
          report(
            DamagedSamples(
              trackID: track.trackID, mediaType: track.mediaType, reason: damage.message))
        } else {
          // The error follows once the samples that were read are delivered.
          failure = failure ?? damage
        }
      }
      return .skipped
    case .element(var made):
      describe(&made)
      made.index = delivered
      delivered += 1
      return .element(try await adapt(made, to: destination, waits, interrupt))
    }
  }

  /// Moves a sample that was made for an earlier call to memory of the requested kind.
  private func adapt(
    _ buffer: SampleBuffer, to destination: Destination, _ waits: Bool, _ interrupt: Interrupt
  ) async throws(EngineError) -> SampleBuffer {
    guard case .shared = destination, buffer.data.sharedLocation == nil else { return buffer }
    var copy = buffer
    do throws(EngineError) {
      copy.data = try await place(destination, waits: waits, interrupt) { () throws(EngineError) in
        try buffer.data.copy(to: destination)
      }
    } catch {
      returned.insert(buffer, at: 0)
      throw error
    }
    return copy
  }

  /// Reports the samples of the range that couldn't be decoded.
  private func finishRange() {
    samples = nil
    for (track, errors) in zip(tracks, errors) {
      guard let damage = errors.samples(of: track.trackID, track.mediaType) else { continue }
      report(damage)
    }
    errors = []
  }

  private func report(_ damage: DamagedSamples) {
    damagedSamples.append(damage)
    state.add(damage)
  }

  /// Retains the format description only in the first buffer, and in those that change it.
  private func describe(_ buffer: inout SampleBuffer) {
    let stated =
      buffer.format ?? format ?? (mixedTracks == nil ? track.info.formatDescription : nil)
    buffer.format = stated == format ? nil : stated
    format = stated
  }

  /// Runs `body` in a slot of the ``WorkLimiter``; without room in shared memory, again after a release if `waits` is
  /// true.
  private func place<Result>(
    _ destination: Destination, waits: Bool, _ interrupt: Interrupt,
    _ body: () throws(EngineError) -> Result
  ) async throws(EngineError) -> Result {
    if waits { return try await destination.work(.interactive, interrupt: interrupt, body) }
    return try await WorkLimiter.shared.run(.interactive, interrupt: interrupt, body)
  }

  private var tracks: [TrackInfo] { (mixedTracks ?? [track]).map(\.info) }

  /// Returns the samples of the current range, or of the next one; nil when all were read.
  private func openSamples(
    _ interrupt: Interrupt
  ) async throws(EngineError) -> (any MediaStream<SampleBuffer>)? {
    if let samples { return samples }
    guard let range = ranges.first else { return nil }
    // The samples live as long as the reader: one request's end must not end them.
    errors = tracks.map { DecodeErrors($0.timeline, range: range) }
    self.range = range
    let reading = TrackReading(
      range: range, interrupt: state.interrupt, errors: mixedTracks == nil ? errors[0] : nil,
      sharing: sharing)
    samples = try await open(reading, interrupt)
    sharing = nil
    ranges = ranges.dropFirst()
    return samples
  }

  /// Returns the samples of a range: by a window of the track's index, a larger one at the second attempt, or else by all
  /// of it.
  private func open(
    _ reading: TrackReading, _ interrupt: Interrupt
  ) async throws(EngineError) -> any MediaStream<SampleBuffer> {
    if state.readsWindows, mixedTracks == nil, settings.isReadByWindows {
      for count in IndexExtent.earlierSyncSamples {
        if let samples = try await openByWindow(reading, count, interrupt) { return samples }
      }
    }
    for track in tracks { try await track.timeline.prepare(interrupt: interrupt) }
    return try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      [errors] () throws(EngineError) in
      guard mixedTracks == nil else {
        return try MixedAudio(
          Array(zip(tracks, errors)), by: audioMix, reading, settings: settings.audioSettings())
      }
      return try settings.samples(of: track.info, reading)
    }
  }

  /// Returns the samples of a range by a window of the track's index; nil where more of it is needed.
  ///
  /// - Parameter count: the number of sync samples to include before the one that decoding begins with.
  private func openByWindow(
    _ reading: TrackReading, _ count: Int, _ interrupt: Interrupt
  ) async throws(EngineError) -> (any MediaStream<SampleBuffer>)? {
    do throws(EngineError) {
      return try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
        () throws(EngineError) -> (any MediaStream<SampleBuffer>)? in
        var info = track.info
        let windowed = try info.timeline.windowed(
          for: reading.range, earlierSyncSamples: count, interrupt: interrupt)
        guard let windowed else { return nil }
        info.timeline = windowed
        return try settings.samples(of: info, reading)
      }
    } catch {
      guard error.code == .failedToLoadSampleData else { throw error }
      return nil
    }
  }
}

/// A file that appears empty and grows.
private final class AppendedFile {
  let path: String
  private let file: OutputFile
  private(set) var size: Int64 = 0

  /// - Throws: `fileAlreadyExists`, `contentIsUnavailable`, `pathNotAllowed`.
  init(path: String, configuration: EngineConfiguration) throws(EngineError) {
    self.path = path
    file = try mapErrors(.write, path: path) { () throws(SystemError) in
      let file = try OutputFile(path: path, roots: configuration.roots)
      try file.commit()
      return file
    }
  }

  /// Appends bytes, and returns their offset.
  func append(_ data: DataBuffer) throws(EngineError) -> Int64 {
    let start = size
    try mapErrors(.write, path: path) { () throws(SystemError) in
      try data.withBytes { bytes throws(SystemError) in
        try unsafe file.write(bytes.bytes, at: start)
      }
    }
    size += Int64(data.count)
    return start
  }

  /// Removes the bytes that were appended after `size`.
  func truncate(to size: Int64) {
    self.size = size
    // Bytes after the end are overwritten by the next ones.
    try? file.truncate(to: size)
  }

  /// Removes the file.
  func unpublish() { file.unpublish() }
}
