import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The extent of a track's index that is requested.
enum IndexExtent: Sendable {
  /// The samples around a time, with N sync samples before the one that decoding begins with.
  case window(earlierSyncSamples: Int)
  /// All samples.
  case whole

  var isWhole: Bool { if case .whole = self { true } else { false } }

  /// The numbers of sync samples before the usual one with which windows are tried, one after the other: decoding may not
  /// lead from the usual one to the wanted frame.
  static let earlierSyncSamples = [0, 8]
}

extension MediaSource {
  /// Reading a window costs about as much as this many bytes of a scan.
  private static let windowCost: Int64 = 4 << 20

  /// Returns true if windows of the indexes are worth reading for `count` times: not where the
  /// whole is known, and not where it costs less.
  func prefersWindows(forTimes count: Int, interrupt: Interrupt) throws(EngineError) -> Bool {
    guard !hasIndexes else { return false }
    let container = try open(interrupt: interrupt)
    guard container.demuxer.randomAccess != .none else { return false }
    let cost = MediaSource.windowCost.multipliedReportingOverflow(by: Int64(count))
    return configuration.alwaysIndexesWindows
      || !cost.overflow && container.size > max(MediaSource.smallFile, cost.partialValue)
  }

  /// The minimum of a file's duration over that of a range for which a window is read: its samples are read twice.
  private static let minimumRatio: Int64 = 4

  /// Returns true if a window of the indexes is worth reading for a range: not for a large part of the file, nor where a
  /// loss at its end is reported.
  fileprivate func prefersWindow(
    for range: TimeRange, interrupt: Interrupt
  ) throws(EngineError) -> Bool {
    guard !salvages, range.start.isNumeric, range.duration.isNumeric,
      try prefersWindows(forTimes: 1, interrupt: interrupt)
    else { return false }
    guard !configuration.alwaysIndexesWindows,
      let duration = try open(interrupt: interrupt).duration
    else { return true }
    return range.duration
      <= Time(value: duration / MediaSource.minimumRatio, timescale: 1_000_000)
  }

  /// Returns the window of a stream's index that answers a request; nil where it takes all of the
  /// index to be certain.
  func window(
    ofStream stream: StreamInfo, _ request: SampleIndex.WindowRequest, interrupt: Interrupt
  ) throws(EngineError) -> SampleIndex? {
    let known = windows.withLock { $0[stream.index] } ?? IndexWindows()
    if let window = known.window(for: request) { return window }
    var outcome = try read(
      request, of: stream, with: try takeDemuxer(interrupt: interrupt), interrupt)
    if case .late = outcome {
      // Nothing that a seek leads to comes early enough.
      let fresh = OpenDemuxer(demuxer: try makeDemuxer(interrupt: interrupt))
      outcome = try read(request, of: stream, with: fresh, isFromStart: true, interrupt)
    }
    guard case .window(let window) = outcome else { return nil }
    // Those of ranges live as long as their readers: one after the other they would become all of the index.
    guard request.end == nil else { return window }
    return windows.withLock { $0[stream.index, default: IndexWindows()].insert(window) }
  }

  private func read(
    _ request: SampleIndex.WindowRequest, of stream: StreamInfo,
    with demuxer: consuming OpenDemuxer,
    isFromStart: Bool = false, _ interrupt: Interrupt
  ) throws(EngineError) -> IndexWindowReader.Outcome {
    let container = try open(interrupt: interrupt)
    do throws(LibAVError) {
      var reader = try IndexWindowReader(
        stream, container.demuxer.randomAccess, of: self, demuxer)
      let beginsAtStart = isFromStart || reader.beginsAtStart(request)
      var outcome = try beginsAtStart ? reader.firstWindow(request) : .doubt
      if windows.withLock({ $0[stream.index]?.entryPoint }) == nil {
        let found = try reader.entryPoint(container.clusters(interrupt: interrupt))
        windows.withLock { $0[stream.index, default: IndexWindows()].entryPoint = .some(found) }
      }
      if entryPoint(ofStream: stream.index) == nil {
        outcome = .doubt
      } else if !beginsAtStart {
        outcome = try reader.window(request)
      }
      DemuxerPool.shared.put(reader.finish(), of: self)
      return outcome
    } catch {
      // The scan reports other reading errors.
      if error.endsWork { throw EngineError(error, stage: .index, path: path) }
      return .doubt
    }
  }
}

extension MediaSource {
  /// Reading on from a cue that is farther away than this many bytes costs more than a search for a
  /// cluster.
  private static let maximumCueDistance: Int64 = 4 << 20
  /// The numbers of bytes before a sample in which its cluster is searched, one after the other.
  private static let clusterDistances: [Int64] = [8 << 20, 64 << 20]

  /// Moves a demuxer to a random-access point at or before a time, as a hint: by a cluster where the file has
  /// no cues.
  ///
  /// - Parameter position: the position of the sample at that time in the file; nil if it isn't known.
  func seek(
    _ demuxer: inout Demuxer, in stream: Int, to time: Int64, at position: Int64? = nil
  ) throws(LibAVError) {
    if let container = container.value {
      let search = container.clusters(interrupt: demuxer.interrupt)
      var clusters: [ClusterSearch.Cluster] = []
      if let position, position >= 0, container.demuxer.randomAccess == .cues {
        if try lacksCue(&demuxer, in: stream, to: time, at: position) {
          for distance in MediaSource.clusterDistances where clusters.isEmpty {
            let range = max(0, position - distance)..<min(container.size, position + 1)
            clusters = try asLibAVError(search.clusters(around: time, in: range))
          }
        }
      } else if entryPoint(ofStream: stream) == .clusters {
        clusters = try asLibAVError(search.clusters(around: time))
      }
      // The cluster after it shows libavformat that it needn't continue to the end.
      for cluster in clusters {
        demuxer.addIndexEntry(ofStream: stream, time: cluster.time, position: cluster.position)
      }
    }
    try demuxer.seek(stream: stream, to: time)
  }

  /// Returns true if no cue of a stream leads near a sample. Tracks of audio rarely have cues.
  private func lacksCue(
    _ demuxer: inout Demuxer, in stream: Int, to time: Int64, at position: Int64
  ) throws(LibAVError) -> Bool {
    func isFar() -> Bool {
      let indexed = demuxer.indexedPosition(ofStream: stream, before: time) ?? 0
      return position - indexed > MediaSource.maximumCueDistance
    }
    guard isFar() else { return false }
    // The first seek reads the cues.
    try demuxer.seek(stream: stream, to: demuxer.streams[stream].startTime ?? 0)
    return isFar()
  }

  private func entryPoint(ofStream stream: Int) -> IndexWindows.EntryPoint? {
    windows.withLock { $0[stream]?.entryPoint } ?? nil
  }
}

extension MediaSource.Container {
  fileprivate func clusters(interrupt: Interrupt) -> ClusterSearch {
    ClusterSearch(file: file, size: size, interrupt: interrupt)
  }
}

extension StoredTrack {
  /// Returns the index as far as a request needs it; all of it where only that is reliable.
  func index(
    _ extent: IndexExtent, for request: SampleIndex.WindowRequest, interrupt: Interrupt
  ) throws(EngineError) -> SampleIndex {
    guard case .window(let count) = extent else { return try index(interrupt: interrupt) }
    var request = request
    request.earlierSyncSamples = count
    if let window = try source.window(ofStream: stream, request, interrupt: interrupt) {
      return window
    }
    return try index(interrupt: interrupt)
  }

  /// Returns the track with the window of its index that is needed to read the pictures or the stored samples of a range;
  /// nil where all of the index is.
  ///
  /// - Parameters:
  ///   - count: the number of sync samples to include before the one that decoding begins with.
  ///   - margin: the number of samples to include before the first one of the range and behind the last.
  func windowed(
    for range: TimeRange, earlierSyncSamples count: Int, margin: Int = 0, interrupt: Interrupt
  ) throws(EngineError) -> StoredTrack? {
    guard stream.kind == .video || stream.kind == .audio, stream.attachedPictureSize == 0,
      try source.prefersWindow(for: range, interrupt: interrupt)
    else { return nil }
    let request = SampleIndex.WindowRequest(
      time: ticks(range.start, rounding: .towardNegativeInfinity),
      end: ticks(range.end, rounding: .towardPositiveInfinity), earlierSyncSamples: count,
      margin: margin)
    guard let window = try source.window(ofStream: stream, request, interrupt: interrupt) else {
      return nil
    }
    var track = self
    track.window = window
    return track
  }

  /// Returns the same track with the time of its first sample, where packets of a window are counted from it.
  func counted(interrupt: Interrupt) throws(EngineError) -> StoredTrack {
    guard let window, !window.reachesStart, sampleClock != nil, let start = stream.startTime
    else { return self }
    let beginning = try source.window(
      ofStream: stream, SampleIndex.WindowRequest(time: start), interrupt: interrupt)
    guard let beginning, beginning.reachesStart else { return self }
    var track = self
    track.firstTime = beginning.samples.first?.pts
    return track
  }
}
