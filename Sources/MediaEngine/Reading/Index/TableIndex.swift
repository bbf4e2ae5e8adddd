import LibAV
import SystemIO

/// The indexes of a movie, from its tables alone: the same as from reading all its packets, without
/// reading one.
///
/// libavformat's index has all of a packet but its composition offset, and its flag for packets
/// that no others refer to; these are in the movie's own tables. Where anything about them is out
/// of the ordinary there is no such index, and the packets are read.
struct TableIndex {
  private let path: String
  private let tables: SampleTables
  private let streams: [StreamInfo]
  private let fileSize: Int64

  /// libavformat counts from here when it has no time stamps: times near it are from no table
  /// (`RELATIVE_TS_BASE`), and sums of two numbers below can't overflow.
  private static let timeLimit: UInt64 = 1 << 60

  /// - Returns: nil where the samples of a movie aren't described by its tables alone.
  init?(
    _ file: some ByteSource, movie: Movie, streams: [StreamInfo], interrupt: Interrupt
  ) throws(EngineError) {
    guard Demuxer.packetsFollowIndex, !movie.canContainFragments,
      movie.tracks.allSatisfy(\.isDescribedOnce),
      let tables = try SampleTables.read(file, interrupt: interrupt),
      tables.tracks.count == movie.tracks.count, movie.tracks.count <= streams.count,
      zip(movie.tracks, streams).allSatisfy({ Int($0.id) == $1.id })
    else { return nil }
    path = file.name
    self.tables = tables
    self.streams = streams
    fileSize = try mapErrors(.index, path: file.name) { () throws(SystemError) in try file.size }
  }

  /// Returns the samples of all streams, by their streams, but for attached pictures.
  ///
  /// - Parameter demuxer: one that hasn't read anything, and that trusts the tables.
  /// - Returns: nil where packets may differ from the tables, or from libavformat's way of making
  ///   them as it is implemented here.
  func builders(
    _ demuxer: borrowing Demuxer, interrupt: Interrupt
  ) throws(EngineError) -> [Int: SampleIndex.Builder]? {
    var builders: [Int: SampleIndex.Builder] = [:]
    var count = 0
    for stream in demuxer.streams.indices {
      try mapErrors(.index, path: path) { () throws(SystemError) in
        try interrupt.check(.readSampleTables)
      }
      let entries = demuxer.indexEntries(ofStream: stream)
      guard !entries.isEmpty else { continue }
      count += entries.count
      guard count <= SampleIndex.maximumCount, stream < tables.tracks.count,
        demuxer.streams[stream].attachedPictureSize == 0,
        let samples = samples(entries, demuxer, stream: stream)
      else { return nil }
      builders[stream] = SampleIndex.Builder(stream, of: streams)
      builders[stream]?.append(samples)
      if let duration = tables.tracks[stream].lastDuration(ofDelivered: samples.count) {
        builders[stream]?.movieLength = MovieLength(last: duration)
      }
    }
    return builders
  }

  private func samples(
    _ entries: [IndexEntry], _ demuxer: borrowing Demuxer, stream: Int
  ) -> [SampleIndex.Sample]? {
    let track = tables.tracks[stream]
    guard areReadable(entries) else { return nil }
    var offsets: [Int32] = []
    if let runs = track.compositionOffsets {
      // libavformat takes audio with samples of a tick each for linear samples, and delivers chunks.
      guard streams[stream].kind != .audio || !track.hasUnitDurations,
        let found = compositionOffsets(runs, of: entries, track: track)
      else { return nil }
      offsets = found
    }
    let isIntraOnly = demuxer.isIntraOnly(stream: stream)
    let dependsOnSize = streams[stream].kind == .audio
    var usual: (duration: Int64, size: Int32)?
    var samples: [SampleIndex.Sample] = []
    samples.reserveCapacity(entries.count)
    for (number, entry) in entries.enumerated() {
      // A packet with an offset has no duration of its own.
      var duration = offsets.isEmpty ? entry.duration : 0
      if duration == 0 {
        if usual == nil || dependsOnSize && usual?.size != entry.size {
          usual = (demuxer.usualDuration(ofStream: stream, size: entry.size), entry.size)
        }
        duration = usual?.duration ?? 0
      }
      duration = demuxer.restoredDuration(
        duration, dts: entry.time, position: entry.position, ofStream: stream)
      if duration == 0 { duration = streams[stream].frameDuration }
      var flags: SampleIndex.Flags = []
      if entry.isKey || isIntraOnly { flags.insert(.sync) }
      if entry.isDiscarded { flags.insert(.discarded) }
      // libavformat counts the samples after the edits; 2 is "no other depends on this one".
      if number < track.dependencies.count, track.dependencies[number] >> 2 & 3 == 2 {
        flags.insert(.disposable)
      }
      samples.append(
        SampleIndex.Sample(
          pts: entry.time + (offsets.isEmpty ? 0 : Int64(offsets[number])), dts: entry.time,
          duration: duration, position: entry.position, size: entry.size, flags: flags))
    }
    return isOrderTrusted(samples, stream: stream) ? samples : nil
  }

  /// Returns true if the packets have the size that the index has, their times are as assumed, and
  /// reading none of them fails.
  private func areReadable(_ entries: [IndexEntry]) -> Bool {
    entries.allSatisfy {
      $0.size > 0 && Int($0.size) <= Library.limits.allocation / 2
        && $0.position >= 0 && $0.position <= fileSize - Int64($0.size)
        && $0.time.magnitude <= TableIndex.timeLimit
    }
  }

  /// Returns true if libavformat accepts the decode times of video: where too many of those that
  /// are presentation times too go back, it drops them (`compute_pkt_fields`).
  private func isOrderTrusted(_ samples: [SampleIndex.Sample], stream: Int) -> Bool {
    guard streams[stream].kind == .video else { return true }
    var (inOrder, outOfOrder) = (0, 0)
    for (previous, sample) in zip(samples, samples.dropFirst()) where sample.pts == sample.dts {
      if previous.dts <= sample.dts { inOrder += 1 } else { outOfOrder += 1 }
      if inOrder + outOfOrder > 250 {
        inOrder /= 2
        outOfOrder /= 2
      }
      if inOrder < 8 * outOfOrder { return false }
    }
    return true
  }

  /// Returns the delay from decoding to presentation of the sample of each entry; nil where it
  /// isn't certain which sample of the media that is, and where one would be presented earlier than
  /// decoded.
  private func compositionOffsets(
    _ runs: [SampleTables.Run], of entries: [IndexEntry], track: SampleTables.Track
  ) -> [Int32]? {
    guard track.places.sampleCount <= SampleIndex.maximumCount else { return nil }
    // Where there are negative offsets, libavformat decodes all samples that much earlier. The last two
    // may be anything (`mov_read_ctts`).
    let shift = max(0, -(runs.dropLast(2).map(\.offset).min() ?? 0))
    guard runs.allSatisfy({ $0.offset >= -shift }) else { return nil }
    var offsets: [Int32] = []
    offsets.reserveCapacity(entries.count)
    guard isUnedited(entries, track) else {
      var all: [Int32] = []
      all.reserveCapacity(track.places.sampleCount)
      for run in runs {
        let count = min(run.count, track.places.sampleCount - all.count)
        all.append(contentsOf: repeatElement(run.offset, count: count))
      }
      guard let samples = mediaSamples(entries, track.places) else { return nil }
      return samples.map { all[$0] + shift }
    }
    for run in runs {
      let count = min(run.count, entries.count - offsets.count)
      offsets.append(contentsOf: repeatElement(run.offset + shift, count: count))
    }
    return offsets
  }

  /// Returns true if the entries are the samples of the media, all and in order: an edit list could
  /// have put the same number of others there only where two are in the same place.
  private func isUnedited(_ entries: [IndexEntry], _ track: SampleTables.Track) -> Bool {
    var places = track.places.makeIterator()
    var last: Int64 = -1
    for entry in entries {
      guard let place = places.next(), place.position == entry.position,
        place.size == Int64(entry.size), place.position > last || !track.isEdited
      else { return false }
      last = place.position
    }
    return places.next() == nil || !track.isEdited
  }

  /// Returns the sample of the media that each entry is, where these are in the order of the file.
  private func mediaSamples(
    _ entries: [IndexEntry], _ places: SampleTables.Places
  ) -> [Int]? {
    let places = Array(places)
    guard zip(places, places.dropFirst()).allSatisfy({ $0.position < $1.position }) else {
      return nil
    }
    var samples: [Int] = []
    samples.reserveCapacity(entries.count)
    for entry in entries {
      var sample = samples.last.map { $0 + 1 } ?? 0
      if sample >= places.count || places[sample].position != entry.position {
        sample = SampleOrder(places.indices).count { places[$0].position < entry.position }
      }
      guard sample < places.count, places[sample].position == entry.position,
        places[sample].size == Int64(entry.size)
      else { return nil }
      samples.append(sample)
    }
    return samples
  }
}

extension MovieTrack {
  /// One sample description, in the clear, and samples in this file.
  fileprivate var isDescribedOnce: Bool {
    sampleDescriptions.count == 1 && isSelfContained && !isProtected
  }
}
