import LibAV
import MediaTime

/// The movie box of a file that was written in fragments, rewritten as that of a movie without
/// fragments: with tables of all samples, whose bytes stay in their positions.
///
/// It is derived from the movie box that libavformat's muxer wrote before the fragments. Its
/// numbers are the ones that this muxer writes for the same packets without fragments.
struct PlainMovieHeader {
  /// The properties of a track's samples that only its encoder determines.
  struct TrackTraits {
    var isVideo = false
    /// True if the samples of all channels at one time are one sample of the movie.
    var isUncompressedAudio = false
    /// The distance before a sample at which decoding has to begin (ISO/IEC 14496-12, 10.1).
    var roll: Roll?

    enum Roll {
      case samples(Int16)
      /// In ticks of the track.
      case time(Int64)
    }
  }

  struct Track {
    var samples: WrittenSamples
    var traits: TrackTraits
  }

  private let boxes: [MemoryBox]
  private let timescale: Int64
  private let tracks: [Track]

  /// - Parameters:
  ///   - fragmented: the muxer's movie box, with its header.
  ///   - tracks: in the order of the box; tracks without samples are left out.
  init?(_ fragmented: ByteView, tracks: [Track]) {
    boxes = Array(fragmented.slice(from: 8).boxes)
    self.tracks = tracks
    guard let header = boxes.first(where: { $0.type == "mvhd" })?.payload,
      let timescale = header.uint32(at: header[0] == 1 ? 20 : 12), timescale > 0
    else { return nil }
    self.timescale = Int64(timescale)
  }

  /// The box with its header.
  var bytes: [UInt8] {
    var writer = BoxWriter()
    writer.box("moov") { writer in
      var number = 0
      for box in boxes {
        switch box.type {
        case "mvhd":
          let durations = tracks.indices.map { duration(of: $0) }
          Self.write(box, duration: durations.max() ?? 0, behind: 4, to: &writer)
        case "trak":
          if number < tracks.count, !tracks[number].samples.samples.isEmpty {
            write(track: box, number, to: &writer)
          }
          number += 1
        case "mvex": break
        default: writer.copy(box)
        }
      }
    }
    return writer.bytes
  }

  // MARK: Times

  private func clock(of number: Int) -> Int64 {
    let track = boxes.filter { $0.type == "trak" }[number].payload
    guard let header = track.firstBox("mdia")?.firstBox("mdhd"),
      let ticks = header.uint32(at: header[0] == 1 ? 20 : 12)
    else { return 1 }
    return max(1, Int64(ticks))
  }

  /// Converts ticks of a track to those of the movie.
  private func movieTicks(_ ticks: Int64, of number: Int, roundsUp: Bool) -> Int64 {
    let time = Time(value: ticks, timescale: Int32(clamping: clock(of: number)))
    return time.ticks(
      in: TimeBase(1, Int32(clamping: timescale)),
      rounding: roundsUp ? .towardPositiveInfinity : .towardNegativeInfinity)
  }

  /// Returns the duration of a track with its empty edit, in ticks of the movie.
  private func duration(of number: Int) -> Int64 {
    max(0, movieTicks(tracks[number].samples.end ?? 0, of: number, roundsUp: true))
  }

  private func writeEdits(of number: Int, to writer: inout BoxWriter) {
    let samples = tracks[number].samples
    guard let first = samples.first, let end = samples.end else { return }
    let delay = movieTicks(first.pts, of: number, roundsUp: false)
    var length = movieTicks(end - first.pts, of: number, roundsUp: true)
    var edits: [(duration: Int64, time: Int64)] = []
    if delay > 0 {
      edits = [(delay, -1), (length, first.pts - first.dts)]
    } else {
      // Samples before time zero aren't presented.
      length = max(0, length + delay)
      edits = [(length, -min(first.dts, 0))]
    }
    let isLong = edits.contains { max($0.duration, $0.time) > Int64(Int32.max) }
    writer.edits(edits, isLong: isLong)
  }

  // MARK: Boxes

  /// Writes a header with another duration, which grows to 8 bytes if necessary.
  ///
  /// - Parameter distance: from the end of the two dates to the duration: 4 bytes for a movie's or
  ///   a media's clock, 8 for a track's number and the reserved bytes after it.
  private static func write(
    _ box: MemoryBox, duration: Int64, behind distance: Int, to writer: inout BoxWriter
  ) {
    let payload = box.payload
    let wasLong = payload[0] == 1
    let isLong = wasLong || duration > Int64(UInt32.max)
    let dates = wasLong ? 16 : 8
    writer.box(box.type) { writer in
      writer.integer((isLong ? 1 : 0) as UInt8)
      writer.append(payload.slice(from: 1, count: 3).bytes)
      for index in 0..<2 {
        let size = dates / 2
        if isLong, !wasLong { writer.integer(0 as UInt32) }
        writer.append(payload.slice(from: 4 + index * size, count: size).bytes)
      }
      writer.append(payload.slice(from: 4 + dates, count: distance).bytes)
      if isLong {
        writer.integer(duration)
      } else {
        writer.integer(UInt32(truncatingIfNeeded: duration))
      }
      writer.append(payload.slice(from: 4 + dates + distance + (wasLong ? 8 : 4)).bytes)
    }
  }

  private func write(track box: MemoryBox, _ number: Int, to writer: inout BoxWriter) {
    writer.box("trak") { writer in
      for box in box.payload.boxes {
        switch box.type {
        case "tkhd":
          Self.write(box, duration: duration(of: number), behind: 8, to: &writer)
          writeEdits(of: number, to: &writer)
        case "edts": break
        case "mdia": write(media: box, number, to: &writer)
        default: writer.copy(box)
        }
      }
    }
  }

  private func write(media box: MemoryBox, _ number: Int, to writer: inout BoxWriter) {
    writer.box("mdia") { writer in
      for box in box.payload.boxes {
        switch box.type {
        case "mdhd":
          Self.write(box, duration: tracks[number].samples.length, behind: 4, to: &writer)
        case "minf":
          writer.box("minf") { writer in
            for box in box.payload.boxes {
              guard box.type == "stbl" else {
                writer.copy(box)
                continue
              }
              writer.box("stbl") { writer in
                for box in box.payload.boxes where box.type == "stsd" { writer.copy(box) }
                SampleTableWriter(tracks[number]).write(to: &writer)
              }
            }
          }
        default: writer.copy(box)
        }
      }
    }
  }
}

/// The tables of a track's samples (ISO/IEC 14496-12, 8.6 and 8.7) without their descriptions.
private struct SampleTableWriter {
  let samples: [WrittenSamples.Sample]
  let written: WrittenSamples
  let traits: PlainMovieHeader.TrackTraits
  /// The bytes of a sample of all channels; nil unless the audio is uncompressed.
  let bytesPerSample: UInt32?

  init(_ track: PlainMovieHeader.Track) {
    written = track.samples
    samples = written.samples
    traits = track.traits
    bytesPerSample =
      if traits.isUncompressedAudio, let first = samples.first, first.duration > 0 {
        first.size / first.duration
      } else { nil }
  }

  func write(to writer: inout BoxWriter) {
    writeDurations(to: &writer)
    if traits.isVideo {
      if written.syncCount < samples.count { writeSyncSamples(to: &writer) }
      if samples.contains(where: { $0.flags.contains(.disposable) }) {
        writeDependencies(to: &writer)
      }
      if samples.contains(where: { $0.offset != 0 }) { writeOffsets(to: &writer) }
    }
    writeChunks(to: &writer)
    writeSizes(to: &writer)
    writePositions(to: &writer)
    if let roll = traits.roll { writeRolls(roll, to: &writer) }
  }

  /// Writes the number of runs of equal values, then an entry for each run.
  private func runs<Value: FixedWidthInteger>(
    _ values: some Sequence<Value>, to writer: inout BoxWriter
  ) {
    let start = writer.bytes.count
    writer.integer(0 as UInt32)
    var (runs, count) = (UInt32(0), UInt32(0))
    var last: Value?
    for value in values {
      if value != last, let ended = last {
        writer.integer(count)
        writer.integer(ended)
        (runs, count) = (runs + 1, 0)
      }
      (last, count) = (value, count + 1)
    }
    if let last {
      writer.integer(count)
      writer.integer(last)
      runs += 1
    }
    writer.replace(runs, at: start)
  }

  private func writeDurations(to writer: inout BoxWriter) {
    writer.fullBox("stts") { writer in
      guard let bytesPerSample, bytesPerSample > 0 else {
        return runs(samples.lazy.map(\.duration), to: &writer)
      }
      writer.integer(1 as UInt32)
      writer.integer(UInt32(clamping: written.byteCount / Int64(bytesPerSample)))
      writer.integer(1 as UInt32)
    }
  }

  private func writeSyncSamples(to writer: inout BoxWriter) {
    writer.fullBox("stss") { writer in
      writer.integer(UInt32(written.syncCount))
      for (index, sample) in samples.enumerated() where sample.flags.contains(.sync) {
        writer.integer(UInt32(index + 1))
      }
    }
  }

  private func writeDependencies(to writer: inout BoxWriter) {
    writer.fullBox("sdtp") { writer in
      for sample in samples {
        let depends: UInt8 = sample.flags.contains(.sync) ? 2 : 1
        let isReferredTo: UInt8 = sample.flags.contains(.disposable) ? 2 : 0
        writer.integer(depends << 4 | isReferredTo << 2)
      }
    }
  }

  private func writeOffsets(to writer: inout BoxWriter) {
    let isSigned = samples.contains { $0.offset < 0 }
    writer.fullBox("ctts", version: isSigned ? 1 : 0) { writer in
      runs(samples.lazy.map(\.offset), to: &writer)
    }
  }

  /// Writes the number of samples of each chunk at which that number changes.
  private func writeChunks(to writer: inout BoxWriter) {
    writer.fullBox("stsc") { writer in
      let place = writer.bytes.count
      writer.integer(0 as UInt32)
      var entries: UInt32 = 0
      var last: UInt32?
      var first = 0
      for (index, chunk) in written.chunks.enumerated() {
        defer { first += Int(chunk.count) }
        var count = UInt32(chunk.count)
        if let bytesPerSample, bytesPerSample > 0 {
          let bytes = samples[first..<first + Int(chunk.count)].reduce(0) { $0 + Int64($1.size) }
          count = UInt32(clamping: bytes / Int64(bytesPerSample))
        }
        guard count != last else { continue }
        last = count
        entries += 1
        writer.integer(UInt32(index + 1))
        writer.integer(count)
        writer.integer(1 as UInt32)
      }
      writer.replace(entries, at: place)
    }
  }

  private func writeSizes(to writer: inout BoxWriter) {
    writer.fullBox("stsz") { writer in
      if let bytesPerSample, bytesPerSample > 0 {
        writer.integer(bytesPerSample)
        writer.integer(UInt32(clamping: written.byteCount / Int64(bytesPerSample)))
        return
      }
      if let size = samples.first?.size, samples.allSatisfy({ $0.size == size }) {
        writer.integer(size)
        writer.integer(UInt32(samples.count))
        return
      }
      writer.integer(0 as UInt32)
      writer.integer(UInt32(samples.count))
      for sample in samples { writer.integer(sample.size) }
    }
  }

  private func writePositions(to writer: inout BoxWriter) {
    writer.fullBox("co64") { writer in
      writer.integer(UInt32(written.chunks.count))
      for chunk in written.chunks { writer.integer(chunk.position) }
    }
  }

  private func writeRolls(_ roll: PlainMovieHeader.TrackTraits.Roll, to writer: inout BoxWriter) {
    let groups = rolls(roll)
    guard groups.contains(where: { $0.distance > 0 }) else { return }
    let distances = groups.filter { $0.distance > 0 }
    writer.fullBox("sgpd", version: 1) { writer in
      writer.code("roll")
      writer.integer(2 as UInt32)
      writer.integer(UInt32(distances.count))
      for group in distances { writer.integer(-group.distance) }
    }
    writer.fullBox("sbgp") { writer in
      writer.code("roll")
      writer.integer(UInt32(groups.count))
      var number: UInt32 = 0
      for group in groups {
        if group.distance > 0 { number += 1 }
        writer.integer(group.count)
        writer.integer(group.distance > 0 ? number : 0 as UInt32)
      }
    }
  }

  /// Returns runs of samples with equal roll distances; none if too few samples precede them.
  private func rolls(
    _ roll: PlainMovieHeader.TrackTraits.Roll
  ) -> [(count: UInt32, distance: Int16)] {
    switch roll {
    case .samples(let distance): return [(UInt32(samples.count), distance)]
    case .time(let needed):
      var groups: [(count: UInt32, distance: Int16)] = []
      for index in samples.indices {
        var (missing, distance) = (needed, Int16(0))
        var before = index
        while missing > 0, before > 0 {
          before -= 1
          missing -= Int64(samples[before].duration)
          distance += 1
        }
        if missing > 0 { distance = 0 }
        if let last = groups.last, last.distance == distance {
          groups[groups.count - 1].count += 1
        } else {
          groups.append((1, distance))
        }
      }
      return groups
    }
  }
}

extension PlainMovieHeader.TrackTraits {
  /// Creates the traits of a codec's samples.
  ///
  /// - Parameter codec: FFmpeg's name of the codec or of an encoder.
  init(_ codec: String, isVideo: Bool, clock: TimeBase) {
    self.isVideo = isVideo
    guard !isVideo else { return }
    isUncompressedAudio = codec.hasPrefix("pcm_")
    if codec.contains("aac") {
      roll = .samples(1)
    } else if codec.contains("opus") {
      // 80 ms, as in libavformat's muxer.
      roll = .time(Int64(clock.denominator) * 80 / 1000)
    }
  }
}
