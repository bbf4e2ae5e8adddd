import FuzzingSupport
import LibAV
import MediaTime
import SystemIO

@testable import MediaEngine

/// Files of any container: opened, described and indexed, from the bytes of the input after the
/// first, which selects how.
@main
enum IndexFuzzer: Fuzzer {
  /// The limits that an engine has, and libav's log isn't printed.
  static func prepare() { Library.prepare() }

  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let options = Int(reader.byte())
    let bytes = reader.remainder()
    let interrupt = Interrupt()
    do throws(EngineError) {
      try index(mediaSource(bytes, options), options, interrupt)
    } catch {
      require(!error.message.isEmpty, "no message")
    }
  }

  private static func mediaSource(_ bytes: [UInt8], _ options: Int) -> MediaSource {
    let budget = Budget()
    var configuration = EngineConfiguration()
    configuration.alwaysIndexesWindows = options & 1 != 0
    configuration.openSource = { (_, _) throws(SystemError) in
      MemorySource(bytes, pieceSize: options & 2 != 0 ? 1000 : .max, budget: budget)
    }
    return MediaSource(
      .file(FileLocation("input")), configuration: configuration, salvages: options & 4 != 0)
  }

  private static func index(
    _ source: MediaSource, _ options: Int, _ interrupt: Interrupt
  ) throws(EngineError) {
    let container = try source.open(interrupt: interrupt)
    let movie = try source.movie(interrupt: interrupt)
    require(movie == nil || container.demuxer.hasMovieHeader, "a header out of nowhere")
    _ = try? source.layout(interrupt: interrupt)
    require(source.missingBytes >= 0, "\(source.missingBytes) bytes are missing")
    if options & 1 != 0, container.demuxer.randomAccess != .none {
      for stream in container.streams {
        let request = SampleIndex.WindowRequest(time: stream.startTime ?? 0)
        let window = try? source.window(ofStream: stream, request, interrupt: interrupt)
        if let window { requireSense(window) }
      }
    }
    for stream in container.streams {
      let index = try source.index(ofStream: stream.index, interrupt: interrupt)
      requireSense(index)
      let track = StoredTrack(source: source, stream: stream, origin: container.origin)
      let checked = try source.checkedIndex(of: track, interrupt: interrupt)
      require(checked.samples.count == index.samples.count, "a check has removed samples")
      require(checked.syncSamples.count <= index.syncSamples.count, "more sync samples")
      requireSense(checked)
      _ = track.damage(before: .positiveInfinity)
      _ = track.format.video
      _ = stream.frameDuration
    }
    try requireSameIndex(source, container, interrupt)
  }

  /// Tables and packets describe the same samples.
  private static func requireSameIndex(
    _ source: MediaSource, _ container: MediaSource.Container, _ interrupt: Interrupt
  ) throws(EngineError) {
    guard container.demuxer.hasMovieHeader, container.indexes == nil else { return }
    let tables = try source.makeIndexes(interrupt: interrupt)
    let packets = try source.makeIndexes(interrupt: interrupt, usesTables: false)
    for stream in container.streams.indices {
      let (left, right) = (tables[stream]?.samples ?? [], packets[stream]?.samples ?? [])
      require(left.count == right.count, "stream \(stream): \(left.count), not \(right.count)")
      let place = zip(left, right).enumerated().first { $1.0 != $1.1 }
      require(place == nil, "stream \(stream): \(place as Any)")
    }
  }

  private static func requireSense(_ index: SampleIndex) {
    let samples = index.samples
    require(index.presentation.count <= samples.count, "more is shown than there is")
    require(samples.allSatisfy { $0.duration >= 0 && $0.size >= 0 }, "a negative number")
    require(
      zip(index.presentation, index.presentation.dropFirst())
        .allSatisfy { samples[$0].pts <= samples[$1].pts },
      "presented in another order than that of their times")
    require(index.syncSamples.allSatisfy { samples[$0].isSync }, "a sync sample that is none")
    require(
      zip(index.syncSamples, index.syncSamples.dropFirst()).allSatisfy(<), "in no order")
    for position in index.presentation.indices.prefix(100) {
      let place = index.presentation[position]
      let time = samples[place].pts
      let found = index.position(at: time)
      require(found.map { $0 >= position } ?? false, "\(time) is at \(found as Any)")
      let start = index.randomAccessPoint(forPosition: position)
      require((0...place).contains(start), "decoding of \(place) begins with \(start)")
      require(index.presentationRank(of: place) <= samples.count, "a rank of none")
      let known = index.decodeIndex(
        pts: time, dts: samples[place].dts, position: samples[place].position)
      require(known.map { samples[$0].pts } == time, "\(known as Any) is at another time")
    }
    guard let start = index.start, let end = index.end else { return }
    let range = index.decodeRange(from: start, to: end)
    require(range.upperBound <= samples.count, "\(range) of \(samples.count)")
    require(index.decodableStart ?? start >= start, "it begins before it begins")
    _ = index.nearestSyncSample(to: start, within: Int64.min...Int64.max)
    _ = index.knownTimes
    _ = index.isDiscontinuous
  }
}
