import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The knowledge about a file's clock when it has been opened.
struct ObservedClock: Sendable {
  /// Nil where it isn't known to begin again.
  var segments: ClockSegments?
  /// The indexes, if all packets have been read.
  var indexes: [Int: SampleIndex]?
  /// True if the demuxer's next packet is the file's first; nil where it has been read to the end.
  var isAtStart: Bool? = true

  /// Returns the duration of the file, in microseconds; nil where libavformat knows.
  func duration(of streams: [StreamInfo], from origin: Time) -> Int64? {
    guard segments != nil else { return nil }
    let ends = streams.filter { $0.kind == .video || $0.kind == .audio }.compactMap { stream in
      indexes?[stream.index]?.end.map { Time(ticks: $0, in: stream.timeBase) - origin }
    }
    return ends.max()?.converted(toTimescale: 1_000_000).value
  }

  /// Returns the streams with the times of the whole file: libavformat knows the first segment's.
  func timed(_ streams: [StreamInfo]) -> [StreamInfo] {
    guard segments != nil, let indexes else { return streams }
    return streams.map { stream in
      guard let start = indexes[stream.index]?.start, let end = indexes[stream.index]?.end else {
        return stream
      }
      var timed = stream
      timed.startTime = start
      timed.duration = end > start ? end - start : nil
      return timed
    }
  }
}

extension MediaSource {
  /// Returns true for the start of a segment of the clock that overlaps the segment before it:
  /// decoders need it, and a copy has no place for it.
  func isOverlap(_ packet: borrowing Packet) -> Bool { packet.isDiscarded && clock != nil }

  /// The segments of a clock that begins again; nil where it isn't known to.
  var clock: ClockSegments? { lateClock.withLock(\.self) ?? container.value?.clock }

  /// Finds out whether the clock of a file begins again: of a small one by reading it, of others by a look
  /// at a few places. Then all of the file is read, and its times are those of one timeline.
  func observeClock(
    _ demuxer: inout Demuxer, of file: any ByteSource, size: Int64, isSmall: Bool,
    _ interrupt: Interrupt
  ) throws(EngineError) -> ObservedClock {
    var clock = ObservedClock()
    let streams = demuxer.streams
    if isSmall {
      clock.isAtStart = nil
      demuxer.observeClock()
      clock.indexes = try? scan(&demuxer, streams: streams, trustsTables: false)
      guard clock.indexes != nil else { return clock }
      clock.segments = demuxer.observedClock
    } else {
      clock.isAtStart = false
      let runsOn = try mapErrors(.open, path: path) { () throws(LibAVError) in
        try demuxer.clockSeemsToRunOn(size: size)
      }
      if runsOn { return clock }
      var fresh = try makeDemuxer(file, interrupt: interrupt)
      fresh.observeClock()
      _ = try scan(&fresh, streams: streams, trustsTables: false)
      clock.segments = fresh.observedClock
    }
    guard let segments = clock.segments else { return clock }
    var timed = try makeDemuxer(file, clock: segments, interrupt: interrupt)
    clock.indexes = try scan(&timed, streams: streams, trustsTables: false)
    clock.isAtStart = nil
    return clock
  }

  /// Reads all packets of a file, of which it may turn out only now that its clock begins again.
  func scanObservingClock(
    _ demuxer: inout Demuxer, streams: [StreamInfo], trustsTables: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [Int: SampleIndex] {
    if demuxer.clockMayBeginAgain { demuxer.observeClock() }
    let indexes = try scan(&demuxer, streams: streams, trustsTables: trustsTables)
    guard let segments = demuxer.observedClock else { return indexes }
    lateClock.withLock { $0 = segments }
    windows.withLock { $0 = [:] }
    DemuxerPool.shared.removeAll(of: ObjectIdentifier(self))
    var timed = try makeDemuxer(interrupt: interrupt)
    return try scan(&timed, streams: streams, trustsTables: trustsTables)
  }
}

extension Demuxer {
  /// The head of a chunk, in bytes.
  private static let chunkHead: Int64 = 8

  /// Returns true if a header that counts pictures agrees with the container's index, and with the
  /// capacity of a file of `size` bytes.
  func countsPicturesRightly(size: Int64) -> Bool {
    streams.allSatisfy { stream in
      guard stream.kind == .video, stream.attachedPictureSize == 0, let stated = stream.duration
      else { return true }
      if stated > size / Demuxer.chunkHead { return false }
      guard let last = indexEntries(ofStream: stream.index).last else { return true }
      return (stated - last.time - 1).magnitude <= max(2, stated / 50).magnitude
    }
  }
}
