import DequeModule
import LibAV
public import MediaTime
import SystemIO

extension AssetWriter {
  /// A part of a movie that is delivered on its own (AVAssetSegmentType, AVAssetSegmentReport).
  public struct Segment: Sendable {
    /// The index from 0 on; nil for the initialization segment, which has to precede all others.
    public var index: Int?
    public var bytes: [UInt8]
    /// The parts of the tracks that have samples in it.
    public var tracks: [Track] = []

    /// The part of a track in a segment.
    public struct Track: Sendable {
      public var trackID: Int32
      public var mediaType: MediaType
      /// The presentation time of its first sample, on the clock of the file.
      public var earliestPresentationTime: Time
      public var duration: Time
    }
  }
}

/// Cuts the packets of a writer's stages into media segments, each of which begins with a sync sample of the first
/// video track, or of the first track where there is none. After that track's end the next one that continues is used.
///
/// A segment has the packets of the other tracks that are presented before the next one begins: the packets of all
/// tracks wait here for each other.
final class SegmentCutter: StagedPacketSink {
  fileprivate struct Track {
    let mediaType: MediaType
    let clock: TimeBase
    var pending: Deque<Handoff<Packet>> = []
    var isOver = false
    var hasBegun = false
    /// The range in the segment.
    var range: TimeRange?

    var hasEnded: Bool { isOver && pending.isEmpty }
  }

  private let writer: MovieWriter
  private let buffer: SegmentBuffer
  private let deliver: (AssetWriter.Segment) throws(EngineError) -> Void
  private var clock: SegmentClock
  private var tracks: [Track]
  private var leading: Int
  /// True when the first leading track has ended before another one.
  private var hasSucceeded = false
  /// True where segments begin at the caller's times, with samples that can't be made sync samples.
  private let isEndedByCaller: Bool
  private var count = 0
  private var hasHeader = false
  /// The size of all segments, in bytes.
  private(set) var byteCount: Int64 = 0

  /// - Parameters:
  ///   - inputs: the inputs of the movie's tracks, in their order; its header has been written.
  ///   - deliver: waits until a segment has been accepted.
  init(
    _ writer: MovieWriter, to buffer: SegmentBuffer, inputs: [AssetWriterInput],
    clock: SegmentClock, deliver: @escaping (AssetWriter.Segment) throws(EngineError) -> Void
  ) {
    (self.writer, self.buffer, self.clock, self.deliver) = (writer, buffer, clock, deliver)
    tracks = inputs.indices.map {
      Track(mediaType: inputs[$0].mediaType, clock: writer.timeBase(of: $0))
    }
    leading = inputs.firstIndex { $0.mediaType == .video } ?? 0
    isEndedByCaller =
      if case .stored = inputs[leading].configuration.treatment { clock.isOfCaller } else { false }
  }

  func put(_ packets: [Handoff<Packet>], ended: Set<Int>) throws(EngineError) {
    for box in packets { tracks[box.value.streamIndex].pending.append(box) }
    for number in ended { tracks[number].isOver = true }
    while let number = nextTrack() {
      if number == leading, beginsSegment(tracks[number]) { try beginSegment() }
      try write(from: number)
    }
  }

  /// Delivers the last segment.
  func finish() throws(EngineError) {
    try put([], ended: Set(tracks.indices))
    if hasSamples { try endSegment() }
  }

  /// Returns the track with the next packet; nil where another packet has to arrive before that track and the packet's
  /// duration are known.
  private func nextTrack() -> Int? {
    guard !tracks.contains(where: { $0.pending.count < 2 && !$0.isOver }) else { return nil }
    if tracks[leading].hasEnded, let next = tracks.firstIndex(where: { !$0.hasEnded }) {
      (leading, hasSucceeded) = (next, true)
    }
    // The length of the rest isn't known yet.
    if hasSucceeded, !tracks[leading].isOver, isDue(tracks[leading]), isRest(tracks[leading]) {
      return nil
    }
    return tracks.indices.filter { !tracks[$0].pending.isEmpty }
      .min { turn(of: $0) < turn(of: $1) }
  }

  /// Returns the time by which packets are ordered: the decode time, and the presentation time of a packet that begins
  /// a segment.
  private func turn(of number: Int) -> Time {
    let track = tracks[number]
    guard let packet = track.pending.first else { return .positiveInfinity }
    if number == leading, beginsSegment(track) { return track.presentationTime(packet) }
    return Time(ticks: packet.value.dts ?? packet.value.pts ?? 0, in: track.clock)
  }

  private func beginsSegment(_ track: Track) -> Bool {
    isDue(track) && !(hasSucceeded && isRest(track))
  }

  private func isDue(_ track: Track) -> Bool {
    guard let packet = track.pending.first else { return false }
    return packet.value.isKey && clock.isDue(at: track.presentationTime(packet))
  }

  /// Returns true where the rest of a track is too short for a segment: audio often ends a little after the video.
  private func isRest(_ track: Track) -> Bool {
    guard let interval = clock.interval, let first = track.pending.first,
      let last = track.pending.last
    else { return false }
    let end =
      track.presentationTime(last) + Time(ticks: last.value.duration, in: track.clock)
    return (end - track.presentationTime(first)).seconds < interval.seconds / 10
  }

  private var hasSamples: Bool { tracks.contains { $0.range != nil } }

  private func beginSegment() throws(EngineError) {
    guard let packet = tracks[leading].pending.first else { return }
    // A track that begins after the header has no place in time there.
    let isComplete = tracks.allSatisfy { $0.hasBegun || $0.hasEnded }
    guard isComplete || hasHeader else { return }
    if hasSamples { try endSegment() }
    clock.begin(at: tracks[leading].presentationTime(packet))
  }

  private func write(from number: Int) throws(EngineError) {
    let box = tracks[number].pending.removeFirst()
    let start = tracks[number].presentationTime(box)
    if number == leading, isEndedByCaller, !box.value.isKey, clock.isDue(at: start) {
      throw EngineError(
        .segmentStartedWithNonSyncSample,
        "The sample at \(start.secondsDescription), after the end of a segment, is no sync sample",
        advice: .endAtSyncSamples)
    }
    let end = start + Time(ticks: box.value.duration, in: tracks[number].clock)
    let range = tracks[number].range
    let first = min(range?.start ?? start, start)
    tracks[number].range = TimeRange(start: first, duration: max(range?.end ?? end, end) - first)
    tracks[number].hasBegun = true
    // The muxer begins the next segment at the end of the last packet of this one.
    if let next = tracks[number].pending.first { box.value.last(until: next.value) }
    try mapErrors(.write) { () throws(LibAVError) in try writer.put(&box.value) }
  }

  private func endSegment() throws(EngineError) {
    if !hasHeader {
      try flush()
      let header = buffer.take()
      try requireSizes(ByteView(header))
      try deliver(AssetWriter.Segment(bytes: counted(header)))
      hasHeader = true
    }
    try flush()
    var segment = AssetWriter.Segment(index: count, bytes: counted(buffer.takeSegment()))
    for number in tracks.indices {
      guard let range = tracks[number].range.take() else { continue }
      segment.tracks.append(
        AssetWriter.Segment.Track(
          trackID: Int32(number + 1), mediaType: tracks[number].mediaType,
          earliestPresentationTime: range.start, duration: range.duration))
    }
    count += 1
    try deliver(segment)
  }

  /// Refuses a header that isn't complete: libavformat's muxer continues where it can't describe a track (the channels
  /// of uncompressed audio, since 7.0), and the box has no size then.
  private func requireSizes(_ header: ByteView) throws(EngineError) {
    var offset = 0
    while offset < header.count {
      guard let size = header.uint32(at: offset), size >= 8 else {
        throw EngineError(
          .exportFailed, "FFmpeg can't describe a track in the header of the segments",
          advice: .chooseAnotherCodec, stage: .write)
      }
      offset += Int(size)
    }
  }

  private func flush() throws(EngineError) {
    try mapErrors(.write) { () throws(LibAVError) in try writer.endSegment() }
  }

  private func counted(_ bytes: [UInt8]) -> [UInt8] {
    byteCount += Int64(bytes.count)
    return bytes
  }
}

extension SegmentCutter.Track {
  fileprivate func presentationTime(_ box: Handoff<Packet>) -> Time {
    Time(ticks: box.value.pts ?? box.value.dts ?? 0, in: clock)
  }
}
