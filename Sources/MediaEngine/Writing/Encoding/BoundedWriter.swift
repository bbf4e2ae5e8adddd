import DequeModule
import LibAV
import MediaTime

/// Writes the packets of an export's stages for as long as the file stays within its length.
///
/// Encoders hold back many of their frames, for audio far fewer than for video: the packets of all
/// tracks wait here for each other. A piece is a group of frames of which none is shown after one that is still to
/// come, with all packets that begin before its end; it is written as a whole, or the file ends before it.
final class BoundedWriter {
  private struct Track {
    var isVideo: Bool
    var isContinuous: Bool
    var pending: Deque<Handoff<Packet>> = []
    var isOver = false
    var isExhausted: Bool { isOver && pending.isEmpty }
  }

  private let writer: MovieWriter
  private let clocks: [TimeBase]
  private var tracks: [Track]
  private var budget: FileBudget
  /// The end of the packets that have been written, from the start of the file.
  private(set) var end = Time.zero
  /// Nothing more is written.
  private(set) var isFull = false

  /// - Parameter stages: in the order of the file's streams; the header has been written.
  init(_ writer: MovieWriter, stages: [any ExportStage], budget: FileBudget) {
    self.writer = writer
    self.budget = budget
    tracks = stages.map { Track(isVideo: $0.isVideo, isContinuous: $0.isContinuous) }
    clocks = stages.indices.map { writer.timeBase(of: $0) }
  }

  /// Queues packets, and writes those that can be written.
  ///
  /// - Parameters:
  ///   - ended: the tracks of which no more come.
  ///   - path: the file's, for errors.
  /// - Throws: `maximumFileSizeReached` where not even the first piece fits.
  func put(
    _ packets: [Handoff<Packet>], ended: Set<Int>, path: String
  ) throws(EngineError) {
    for box in packets { tracks[box.value.streamIndex].pending.append(box) }
    for number in ended { tracks[number].isOver = true }
    while !isFull, let piece = nextPiece() {
      var next = budget
      for box in piece.packets {
        next.add(
          box.value, isVideo: tracks[box.value.streamIndex].isVideo,
          end: self.end(of: box).seconds)
      }
      guard !next.isExceeded else {
        guard end > .zero else { throw .fileTooLong(path: path, limit: budget.limit) }
        isFull = true
        return
      }
      budget = next
      for box in piece.packets {
        tracks[box.value.streamIndex].pending.removeFirst()
        try mapErrors(.write, path: path) { () throws(LibAVError) in try writer.put(&box.value) }
      }
      end = max(end, piece.end)
    }
  }

  private struct Piece {
    var packets: [Handoff<Packet>]
    var end: Time
  }

  /// Nil when more has to come first.
  private func nextPiece() -> Piece? {
    guard let leading = tracks.firstIndex(where: { $0.isVideo && !$0.isExhausted }) else {
      return nextPacket()
    }
    guard let group = group(of: tracks[leading]) else { return nil }
    let groupEnd = group.map(end(of:)).max() ?? .zero
    var packets = group
    for number in tracks.indices where number != leading {
      let track = tracks[number]
      let others = track.pending.prefix { time($0.value.pts ?? $0.value.dts, $0) < groupEnd }
      if track.isContinuous, !track.isOver, others.count == track.pending.count { return nil }
      packets += others
    }
    return Piece(
      packets: packets.sorted {
        time($0.value.dts ?? $0.value.pts, $0) < time($1.value.dts ?? $1.value.pts, $1)
      }, end: groupEnd)
  }

  /// The next packet alone, in a file without video.
  private func nextPacket() -> Piece? {
    let waits = tracks.contains { $0.isContinuous && !$0.isOver && $0.pending.isEmpty }
    guard !waits else { return nil }
    let first = tracks.compactMap(\.pending.first).min {
      time($0.value.pts, $0) < time($1.value.pts, $1)
    }
    return first.map { Piece(packets: [$0], end: end(of: $0)) }
  }

  /// The frames up to the first one that is shown after all before it.
  private func group(of track: Track) -> [Handoff<Packet>]? {
    guard !track.pending.isEmpty else { return nil }
    let group = track.pending.firstGroup
    guard track.isOver || group.isWhole else { return nil }
    return Array(track.pending.prefix(group.count))
  }

  private func time(_ ticks: Int64?, _ box: Handoff<Packet>) -> Time {
    Time(ticks: ticks ?? 0, in: clocks[box.value.streamIndex])
  }

  private func end(of box: Handoff<Packet>) -> Time {
    time((box.value.pts ?? 0) &+ box.value.duration, box)
  }
}
