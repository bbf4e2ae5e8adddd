import LibAV
import MediaTime

/// The times of a track in the fragments of a movie (ISO/IEC 14496-12, 8.8). Times are ticks of the
/// media's clock, without edit lists.
struct MovieFragments: Sendable {
  /// Fragments with continuous times.
  struct Run: Sendable {
    /// The offset of the first of them, in bytes.
    var position: Int64
    /// The decode time of its first sample.
    var decodeTime: Int64
    /// The presentation time of the first sample, and the end of the last one.
    var start: Int64
    var end: Int64
    var statements: [StatedTime] = []
  }

  /// The location of a fragment's stated time (`tfdt`).
  struct StatedTime: Sendable {
    /// In bytes.
    var offset: Int64
    /// True for a time of 8 bytes; false for one of 4.
    var isLong: Bool
    var time: Int64
  }

  /// In the order of the file; the times of each begin again.
  fileprivate(set) var runs: [Run] = []
  private(set) var sampleCount = 0
  /// The minimum composition offset, if it is negative.
  private(set) var minimumOffset: Int64 = 0
  private var next: Int64 = 0
  private var lastLength: Int64 = 0

  var start: Int64? { runs.map(\.start).min() }
  var end: Int64? { runs.map(\.end).max() }

  /// Creates empty fragments after the header's tracks. Fragments without a time continue at their
  /// end.
  init(after end: Int64) { next = end }

  /// The defaults of samples (`trex`, `tfhd`).
  struct Defaults: Sendable {
    var duration: Int64 = 0
  }

  /// Appends the runs of samples of a track in one fragment.
  ///
  /// - Parameter statement: nil if the fragment states no time.
  mutating func append(
    _ truns: [ByteView], at position: Int64, _ statement: StatedTime?, clock: Int32,
    _ defaults: Defaults
  ) {
    var time = statement?.time ?? next
    var statement = statement
    guard time >= 0, time < 1 << 61 else { return }
    for trun in truns {
      guard let samples = TrackRun(trun, defaults), samples.count > 0 else { continue }
      let (start, end) = (time &+ samples.start, time &+ samples.end)
      minimumOffset = min(minimumOffset, samples.minimumOffset)
      sampleCount += samples.count
      // A step back of less than a tenth of a second, or of half a fragment, doesn't begin a new
      // run.
      let tolerance = max(Int64(clock) / 10, lastLength / 2)
      let begins = runs.isEmpty || time < next &- tolerance
      if begins {
        runs.append(Run(position: position, decodeTime: time, start: start, end: end))
      } else {
        let last = runs.count - 1
        runs[last].start = min(runs[last].start, start)
        runs[last].end = max(runs[last].end, end)
      }
      if let stated = statement { runs[runs.count - 1].statements.append(stated) }
      statement = nil
      lastLength = samples.length
      time = time &+ samples.length
      next = begins ? time : max(next, time)
    }
  }

  /// A run of samples (`trun`). Its times are relative to its start.
  private struct TrackRun {
    var count = 0
    var length: Int64 = 0
    var start: Int64 = .max
    var end: Int64 = .min
    var minimumOffset: Int64 = 0

    init?(_ box: ByteView, _ defaults: Defaults) {
      guard let flags = box.uint32(at: 0), let stated = box.uint32(at: 4) else { return nil }
      var offset = 8
      if flags & 0x1 != 0 { offset += 4 }
      if flags & 0x4 != 0 { offset += 4 }
      let size = (8..<12).reduce(0) { $0 + (flags & (1 << $1) != 0 ? 4 : 0) }
      guard size > 0 else {
        // A stated number of samples isn't proof that they exist.
        count = Int(min(stated, 1 << 20))
        length = Int64(count) * defaults.duration
        (start, end) = (0, length)
        return
      }
      count = min(Int(stated), max(0, box.count - offset) / size)
      for _ in 0..<count {
        var field = offset
        var duration = defaults.duration
        if flags & 0x100 != 0 {
          duration = Int64(box.uint32(at: field) ?? 0)
          field += 4
        }
        if flags & 0x200 != 0 { field += 4 }
        if flags & 0x400 != 0 { field += 4 }
        // Offsets are read as signed in any version, as in libavformat.
        let shift = flags & 0x800 != 0 ? Int64(box.int32(at: field) ?? 0) : 0
        minimumOffset = min(minimumOffset, shift)
        start = min(start, length + shift)
        end = max(end, length + shift + duration)
        length += duration
        offset += size
      }
    }
  }
}

/// The fragments of a movie as they are read.
struct FragmentReader {
  /// The limit for the bytes of fragments' headers. Above it, times come from the samples.
  private static let byteLimit: Int64 = 256 << 20

  private var tracks: [Int32: MovieFragments] = [:]
  private var defaults: [Int32: MovieFragments.Defaults] = [:]
  private var bytes: Int64 = 0
  /// False if a fragment couldn't be read.
  private(set) var isComplete = true

  /// Records the defaults of a track (`trex`).
  mutating func setDefaults(_ trex: ByteView) {
    guard let id = trex.int32(at: 4) else { return }
    defaults[id] = MovieFragments.Defaults(duration: Int64(trex.uint32(at: 12) ?? 0))
  }

  /// Returns true if a fragment of `count` bytes is to be read.
  mutating func admits(_ count: Int64) -> Bool {
    bytes += count
    if bytes > FragmentReader.byteLimit || count > 16 << 20 { isComplete = false }
    return isComplete
  }

  /// Appends a fragment.
  ///
  /// - Parameters:
  ///   - moof: its payload, which begins at `payloadStart` in the file.
  ///   - position: the offset of its header.
  mutating func append(
    _ moof: ByteView, from payloadStart: Int64, at position: Int64, of movie: Movie
  ) {
    for traf in moof.boxes where traf.type == "traf" {
      var id: Int32?
      var statement: MovieFragments.StatedTime?
      var own = MovieFragments.Defaults()
      var truns: [ByteView] = []
      for box in traf.payload.boxes {
        let payload = box.payload
        switch box.type {
        case "tfhd":
          guard let flags = payload.uint32(at: 0), let track = payload.int32(at: 4) else {
            continue
          }
          id = track
          own = defaults[track] ?? own
          let offset = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
          if flags & 0x8 != 0 { own.duration = Int64(payload.uint32(at: offset) ?? 0) }
        case "tfdt":
          let isLong = payload.uint8(at: 0) == 1
          let time = isLong ? payload.int64(at: 4) : payload.uint32(at: 4).map(Int64.init)
          statement = time.map {
            MovieFragments.StatedTime(
              offset: payloadStart + Int64(payload.start) + 4, isLong: isLong, time: $0)
          }
        case "trun": truns.append(payload)
        default: break
        }
      }
      guard let id, let track = movie.tracks.first(where: { $0.id == id }) else { continue }
      tracks[id, default: MovieFragments(after: track.duration ?? 0)].append(
        truns, at: position, statement, clock: track.timescale, own)
    }
  }

  /// Returns the maximum time by which a sample of a track is presented before it is decoded, in
  /// the fragments that could be read.
  func negativeOffset(ofTrack id: Int32) -> Int64 { -(tracks[id]?.minimumOffset ?? 0) }

  /// The fragments by the numbers of the tracks; empty if not all could be read.
  var fragments: [Int32: MovieFragments] { isComplete ? tracks : [:] }
}

extension Movie {
  /// Returns the start and end of a track's samples in fragments on the asset's clock, in ticks of
  /// the media; nil if it has none.
  func fragmentRange(of track: MovieTrack) -> (start: Int64, end: Int64)? {
    guard let fragments = track.fragments, let start = fragments.start, let end = fragments.end
    else { return nil }
    let shift = presentationShift(of: track)
    return (start &+ shift, end &+ shift)
  }

  /// Returns the delay of a track in fragments relative to its media's times: libavformat applies
  /// the first edits to all of it.
  func presentationShift(of track: MovieTrack) -> Int64 {
    var shift: Int64 = 0
    // libavformat ignores edits if there is no clock for their durations.
    guard timescale > 0 else { return shift }
    for edit in track.edits {
      guard edit.isEmpty else { return shift &- edit.mediaTime }
      let (product, overflow) = edit.duration.multipliedReportingOverflow(
        by: Int64(track.timescale))
      if !overflow { shift = shift &+ product / Int64(timescale) }
    }
    return shift
  }
}

extension Movie {
  /// Tracks in fragments whose samples libavformat delays.
  var fragmentDelays: [FragmentDelay] {
    guard let firstFragment, containsFragments else { return [] }
    return tracks.compactMap { track in
      let maximum = max(track.negativeTableOffset, track.negativeFragmentOffset)
      guard maximum > 0 else { return nil }
      // Samples of the header's tables are decoded earlier by their own offset.
      return FragmentDelay(
        track: Int(track.id), from: firstFragment, inTables: maximum - track.negativeTableOffset,
        inFragments: maximum)
    }
  }
}

extension Movie {
  /// The limits above which a start is a stream's clock and not silence: in seconds, and as a
  /// multiple of the media's duration. Both have to be exceeded.
  private static let (maximumDelay, maximumDelayByLength) = (60.0, 10.0)

  /// Returns true if a movie in fragments begins at a time that doesn't count from its start, as in
  /// live streams: from 1970, or from the stream's start.
  ///
  /// - Parameter start: in microseconds.
  func isFar(from start: Int64) -> Bool {
    guard containsFragments else { return false }
    let lengths = tracks.compactMap { track -> Double? in
      guard track.timescale > 0, let range = fragmentRange(of: track) else { return nil }
      return Double(range.end &- range.start) / Double(track.timescale)
    }
    guard let length = lengths.max() else { return false }
    return Double(start) / 1e6 > max(Movie.maximumDelay, Movie.maximumDelayByLength * length)
  }

  /// The duration in the header, in microseconds; nil if it states none, and with fragments.
  var statedMicroseconds: Int64? {
    guard !containsFragments, let duration, duration > .zero else { return nil }
    let microseconds = duration.converted(toTimescale: 1_000_000)
    return microseconds.isNumeric && microseconds.value > 0 ? microseconds.value : nil
  }
}

extension Movie {
  /// The maximum time between two tracks before both are delayed, in seconds.
  private static let tolerance = Time(value: 1, timescale: 10)

  /// Makes fragments whose times begin again continue those before them. Their times change for all
  /// readers of the file.
  mutating func joinRuns() {
    let count = tracks.compactMap { $0.fragments?.runs.count }.max() ?? 0
    guard count > 1 else { return }
    for segment in 1..<count {
      let wanted = tracks.map { $0.fragments?.delay(ofRun: segment, clock: $0.timescale) }
      let guides = zip(tracks, wanted).filter { $0.1 != nil }
      let guide = guides.first { $0.0.handler == "vide" } ?? guides.first
      guard let common = guide?.1, let latest = wanted.compactMap(\.self).max() else { continue }
      // Video continues video; the audio may be delayed by the encoder's padding.
      let base = latest - common > Movie.tolerance ? latest : common
      for track in tracks.indices {
        guard let own = wanted[track] else { continue }
        let ticks = max(base, own).ticks(
          in: TimeBase(1, tracks[track].timescale), rounding: .awayFromZero)
        tracks[track].fragments?.delay(run: segment, by: ticks)
      }
    }
    for track in tracks.indices { patches += tracks[track].fragments?.join() ?? [] }
  }
}

extension MovieFragments {
  /// Returns the delay by which a run would begin at the end of the previous one; nil if there is
  /// no such run.
  fileprivate func delay(ofRun number: Int, clock: Int32) -> Time? {
    guard runs.indices.contains(number), clock > 0 else { return nil }
    return Time(value: runs[number - 1].end &- runs[number].start, timescale: clock)
  }

  fileprivate mutating func delay(run number: Int, by ticks: Int64) {
    runs[number].start &+= ticks
    runs[number].end &+= ticks
    runs[number].decodeTime &+= ticks
    for place in runs[number].statements.indices {
      runs[number].statements[place].time &+= ticks
    }
  }

  /// Joins all runs to one.
  ///
  /// - Returns: the times of all runs but the first.
  fileprivate mutating func join() -> [FilePatch] {
    let patches = runs.dropFirst().flatMap(\.statements).map { stated in
      let bytes = (0..<(stated.isLong ? 8 : 4)).reversed().map {
        UInt8(truncatingIfNeeded: stated.time >> (8 * Int64($0)))
      }
      return FilePatch(offset: stated.offset, bytes: bytes)
    }
    if var first = runs.first, let start = start, let end = end {
      (first.start, first.end) = (start, end)
      runs = [first]
    }
    return patches
  }
}
