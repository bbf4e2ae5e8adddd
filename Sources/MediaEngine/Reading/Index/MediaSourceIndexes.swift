import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The indexes of all samples, and the reasons why samples are missing.
extension MediaSource {
  /// True if the indexes of all streams are known.
  var hasIndexes: Bool { indexes.value != nil || container.value?.indexes != nil }

  /// Returns the index of a stream, from one scan of the whole file that serves all its streams.
  func index(ofStream stream: Int, interrupt: Interrupt) throws(EngineError) -> SampleIndex {
    if let checked = checks.withLock({ $0[stream] })?.value { return checked }
    return try allIndexes(interrupt: interrupt)[stream] ?? SampleIndex(SampleIndex.Builder())
  }

  /// Returns true if there is any sample of any stream. Artwork is none: it lies in the header.
  func hasSamples(interrupt: Interrupt) throws(EngineError) -> Bool {
    let artwork = Set(
      try open(interrupt: interrupt).streams.filter { $0.disposition.contains(.attachedPicture) }
        .map(\.index))
    return try allIndexes(interrupt: interrupt).contains {
      !$0.value.samples.isEmpty && !artwork.contains($0.key)
    }
  }

  private func allIndexes(interrupt: Interrupt) throws(EngineError) -> [Int: SampleIndex] {
    try indexes.get(interrupt: interrupt) { () throws(EngineError) in
      if let known = try open(interrupt: interrupt).indexes { return known }
      return try makeIndexes(interrupt: interrupt)
    }
  }

  /// Makes the indexes if there are none: ``index(ofStream:interrupt:)`` takes no time afterwards.
  func prepareIndexes(
    interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    guard indexes.value == nil else { return }
    try await preparation.run(isHeavy: true, interrupt: interrupt) { () throws(EngineError) in
      _ = try self.index(ofStream: 0, interrupt: interrupt)
    }
  }

  /// Returns the reason why samples of a track are missing before the end of a range; nil where
  /// none are.
  ///
  /// It is known once the index has been made.
  func damage(ofStream stream: StreamInfo, origin: Time, before end: Time) -> EngineError? {
    guard let all = indexes.value ?? container.value?.indexes, let index = all[stream.index] else {
      return nil
    }
    let last = index.end.map { Time(ticks: $0, in: stream.timeBase) - origin }
    if let last, end.isNumeric, end < last { return nil }
    let place = last.map { "\(($0.seconds * 1000).rounded() / 1000) s" } ?? "its start"
    guard let damage = index.damage else {
      return lossAtEnd(of: stream, last: index.end, place: place)
    }
    var error = EngineError(damage, stage: .read, path: path)
    error.code = .failedToLoadSampleData
    error.message = "Nothing after \(place) of '\(path)' can be read: \(damage.message)"
    error.advice = .readBeforeDamage
    return error
  }

  /// Returns the loss at the end of a track of a file that is cut short, where that is reported
  /// instead of refused.
  private func lossAtEnd(of stream: StreamInfo, last: Int64?, place: String) -> EngineError? {
    guard salvages, let cut = cut(of: stream, last: last, place: place) else { return nil }
    return EngineError(
      .invalidSourceMedia, "'\(path)' is cut short: \(cut)", advice: .salvage, path: path,
      stage: .read)
  }

  /// Returns what a track lacks at the end of a file that is cut short; nil for other files and tracks, and for a
  /// movie's track that is as long as its header states. Elsewhere the header's length may follow from the file's.
  ///
  /// - Parameters:
  ///   - last: the end of the last sample, in ticks.
  ///   - place: that end, for a message.
  func cut(of stream: StreamInfo, last: Int64?, place: String) -> String? {
    guard stream.kind == .video || stream.kind == .audio else { return nil }
    let missing = missingBytes
    guard missing > 0 || hasEndedEarly.withLock(\.self) else { return nil }
    let isStated = container.value?.demuxer.hasMovieHeader == true
    if isStated, let last, let duration = stream.duration {
      let (end, overflow) = (stream.startTime ?? 0).addingReportingOverflow(duration)
      if !overflow, last >= end { return nil }
    }
    let bytes = missing > 0 ? "at least \(missing) bytes are missing at its end, and " : ""
    return "\(bytes)nothing is there after \(place)"
  }

  /// Returns what a track lacks after its last sample, because the file is cut short or damaged there; nil where
  /// nothing is missing.
  ///
  /// - Parameters:
  ///   - last: the end of the last sample, in ticks.
  ///   - place: that end, for a message.
  func lack(of stream: StreamInfo, after last: Int64, place: String) -> String? {
    let all = indexes.value ?? container.value?.indexes
    if let damage = all?[stream.index]?.damage {
      return "nothing after \(place) can be read: \(damage.message)"
    }
    return cut(of: stream, last: last, place: place).map { "the file is cut short: \($0)" }
  }

  /// The number of bytes that the file lacks at its end, by its structure; 0 where none are known
  /// to be missing.
  var missingBytes: Int64 {
    guard let size = container.value?.size, let layout = try? layout(interrupt: Interrupt()) else {
      return 0
    }
    return layout.missingBytes(of: size)
  }

  /// Notes that reading for an export has found the file cut short.
  ///
  /// - Throws: `invalidSourceMedia`, unless the existing part is to be salvaged.
  func reachedEarlyEnd() throws(EngineError) {
    guard salvages else { throw .cutShort(path) }
    hasEndedEarly.withLock { $0 = true }
  }

  /// Returns the index of a track, once all its sync samples have been looked at: where one entry
  /// of a table is wrong, others are. From then on it is the track's index.
  func checkedIndex(
    of media: StoredTrack, interrupt: Interrupt
  ) throws(EngineError) -> SampleIndex {
    let check = checks.withLock { checks in
      let made = checks[media.stream.index] ?? SingleFlight<SampleIndex>()
      checks[media.stream.index] = made
      return made
    }
    return try check.get(interrupt: interrupt) { () throws(EngineError) in
      try checkSyncSamples(of: media, interrupt: interrupt)
    }
  }
}
