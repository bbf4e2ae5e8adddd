import DequeModule
import LibAV
import MediaTime

/// Writes the packets of a recording's stages in time order, and makes the file durable after each interval: in a movie
/// a fragment ends then, and the next begins with a sync sample of the first video track.
///
/// Tracks wait for each other, except for those without new packets: these are missing in the parts that are written
/// meanwhile.
///
/// Where the file may reach a limit, frames that are shown before another one of them are written together or not at
/// all: the file lacks no frame before its last one.
final class RecordingSink: StagedPacketSink {
  private struct Track {
    let isVideo: Bool
    let clock: TimeBase
    /// The maximum distance of the other tracks from a track without packets, after which they don't wait for it any
    /// more: frames remain in their encoder until a number of others follow.
    let maximumGap: Time
    var pending: Deque<Handoff<Packet>> = []
    /// The decode time of the last packet that has arrived.
    var last = Time.zero
    var isOver = false
    /// The number of pending packets for which the file has room.
    var accepted = 0
    var hasEnded: Bool { isOver && pending.isEmpty }
  }

  private let writer: MovieWriter
  private let interval: Time?
  private var boundary: Time
  private var tracks: [Track]
  private let isStarved: (Int) -> Bool
  private let flushes: () -> [Signal<Bool>]
  private let hasSpace: (() -> Bool)?
  private let maximumLength: Int64
  /// The remaining space of the file; nil for a movie, which knows it itself, and for any size.
  private var budget: FileBudget?
  /// The bytes and samples of the next fragment so far.
  private var bytes: Int64 = 0
  private var samples = 0
  /// The limit that the file has reached.
  enum Limit { case length, freeSpace }
  private(set) var limit: Limit? { didSet { willEnd() } }
  /// Called when a limit is reached, before the last packets are written.
  var willEnd: () -> Void = {}
  var isFull: Bool { limit != nil }
  /// The length that the file would have with its first sample, where not even that fits.
  private(set) var neededLength: Int64?
  /// The bytes that were written since the last check of free space.
  private var unchecked: Int64 = 0
  /// The end of the recording's content that was written so far.
  private(set) var end = Time.zero

  private static let minimumGap = Time(value: 2, timescale: 1)
  /// The number of bytes between two checks of free space.
  private static let spaceStep: Int64 = 1 << 20
  /// An upper bound of the frames that an encoder holds.
  private static let encoderDepth: Int32 = 64

  /// - Parameters:
  ///   - frameDurations: the frame durations of the tracks in their order; nil for audio.
  ///   - isStarved: true for a track whose stage waits for samples.
  ///   - hasSpace: returns false where the free space is so small that the file has to end; nil for no such limit.
  ///   - flushes: returns the signals of callers that wait until the written packets are durable.
  init(
    _ writer: MovieWriter, interval: Time?, frameDurations: [Time?],
    isStarved: @escaping (Int) -> Bool, hasSpace: (() -> Bool)?,
    flushes: @escaping () -> [Signal<Bool>]
  ) {
    self.hasSpace = hasSpace
    (self.writer, self.interval, self.isStarved) = (writer, interval, isStarved)
    self.flushes = flushes
    boundary = interval ?? .positiveInfinity
    maximumLength = writer.destination.maximumLength
    if maximumLength > 0, writer.destination.hybrid == nil {
      budget = FileBudget(
        limit: maximumLength, fileType: writer.fileType, trackCount: frameDurations.count,
        header: writer.position, metadata: writer.metadata.byteCount)
    }
    tracks = frameDurations.enumerated().map { index, duration in
      let depth = duration.map { $0.multiplied(by: Self.encoderDepth) } ?? .zero
      return Track(
        isVideo: duration != nil, clock: writer.timeBase(of: index),
        maximumGap: max(Self.minimumGap, depth))
    }
  }

  func put(_ packets: [Handoff<Packet>], ended: Set<Int>) throws(EngineError) {
    for box in packets {
      let number = box.value.streamIndex
      tracks[number].last = max(tracks[number].last, decodeTime(box, number))
      tracks[number].pending.append(box)
    }
    for number in ended { tracks[number].isOver = true }
    try writeAll()
    let flushes = flushes()
    guard !flushes.isEmpty else { return }
    try endInterval()
    for flush in flushes { flush.fire(true) }
  }

  func finish() throws(EngineError) {
    for number in tracks.indices { tracks[number].isOver = true }
    try writeAll()
  }

  private func writeAll() throws(EngineError) {
    while !isFull, let number = nextTrack() { try write(from: number) }
    while isFull, let number = first({ $0.accepted > 0 }) { try write(from: number) }
  }

  private var isLimited: Bool { maximumLength > 0 || hasSpace != nil }

  /// Returns the track whose next packet is decoded first.
  private func first(_ isIncluded: (Track) -> Bool) -> Int? {
    tracks.indices.filter { !tracks[$0].pending.isEmpty && isIncluded(tracks[$0]) }
      .min { decodeTime(tracks[$0].pending[0], $0) < decodeTime(tracks[$1].pending[0], $1) }
  }

  /// True where packets have to arrive before the next ones of the track can be written.
  private func isWaiting(_ track: Track) -> Bool {
    guard !track.isOver, !track.pending.isEmpty else { return !track.isOver }
    return isLimited && track.isVideo && track.accepted == 0 && !track.pending.firstGroup.isWhole
  }

  /// Returns the track with the next packet; nil where another packet has to arrive before it is known.
  private func nextTrack() -> Int? {
    let newest = tracks.filter { !$0.pending.isEmpty }.map(\.last).max() ?? .zero
    for (number, track) in tracks.enumerated() where isWaiting(track) {
      guard newest - track.last > track.maximumGap, isStarved(number) else { return nil }
    }
    return first { _ in true }
  }

  private func decodeTime(_ box: Handoff<Packet>, _ number: Int) -> Time {
    Time(ticks: box.value.dts ?? box.value.pts ?? 0, in: tracks[number].clock)
  }

  /// The track whose sync samples begin fragments.
  private var leading: Int? {
    tracks.firstIndex { $0.isVideo && !$0.hasEnded } ?? tracks.firstIndex { !$0.hasEnded }
  }

  private func write(from number: Int) throws(EngineError) {
    if tracks[number].accepted == 0 { accept(from: number) }
    guard tracks[number].accepted > 0 else { return }
    let box = tracks[number].pending[0]
    let start = Time(ticks: box.value.pts ?? 0, in: tracks[number].clock)
    let end = end(of: box, number)
    let size = Int64(box.value.size)
    let begins = beginsInterval(number, at: start, isKey: box.value.isKey)
    tracks[number].pending.removeFirst()
    tracks[number].accepted -= 1
    self.end = max(self.end, end)
    // A movie's writer holds a packet back until the next one arrives.
    if begins, !writer.format.hasMovieHeader { try endInterval() }
    try mapErrors(.write, path: writer.path) { () throws(LibAVError) in
      try writer.put(&box.value)
    }
    if begins, writer.format.hasMovieHeader { try endInterval() }
    if begins { boundary = boundary(after: start) }
    bytes += size
    unchecked += size
    samples += 1
  }

  private func end(of box: Handoff<Packet>, _ number: Int) -> Time {
    let clock = tracks[number].clock
    return Time(ticks: box.value.pts ?? 0, in: clock) + Time(ticks: box.value.duration, in: clock)
  }

  /// Accepts the next packets of a track, or sets the limit that the file has reached.
  private func accept(from number: Int) {
    let track = tracks[number]
    let count = isLimited && track.isVideo ? track.pending.firstGroup.count : 1
    guard fits(Array(track.pending.prefix(count)), of: number) else {
      limit = .length
      return
    }
    if unchecked > Self.spaceStep {
      unchecked = 0
      guard hasSpace?() != false else {
        limit = .freeSpace
        return
      }
    }
    tracks[number].accepted = count
  }

  private func fits(_ group: [Handoff<Packet>], of number: Int) -> Bool {
    guard maximumLength > 0 else { return true }
    if var budget {
      for box in group {
        budget.add(
          box.value, isVideo: tracks[number].isVideo, end: end(of: box, number).seconds)
      }
      guard fits(budget.used) else { return false }
      self.budget = budget
      return true
    }
    let packets = tracks.flatMap { $0.pending.prefix($0.accepted) } + group
    let length = writer.destination.hybrid?.lengthBound(
      adding: packets, bytes: packets.reduce(bytes) { $0 + Int64($1.value.size) },
      samples: samples + packets.count)
    return fits(length)
  }

  private func fits(_ length: Int64?) -> Bool {
    guard let length, length > maximumLength else { return true }
    if end == .zero { neededLength = length }
    return false
  }

  private func beginsInterval(_ number: Int, at start: Time, isKey: Bool) -> Bool {
    guard let interval, start >= boundary, let leading else { return false }
    if number == leading { return isKey || start >= boundary + interval }
    // The leading track has no packets.
    let track = tracks[leading]
    return track.pending.isEmpty && start - track.last > track.maximumGap
  }

  private func boundary(after time: Time) -> Time {
    guard let interval else { return .positiveInfinity }
    let passed = Int64((time.seconds / interval.seconds).rounded(.down))
    var next = max(boundary, interval.multiplied(by: Int32(clamping: passed)))
    while next <= time { next = next + interval }
    return next
  }

  private func endInterval() throws(EngineError) {
    try mapErrors(.write, path: writer.path) { () throws(LibAVError) in try writer.endInterval() }
    (bytes, samples) = (0, 0)
    unchecked = .max / 2
  }
}
