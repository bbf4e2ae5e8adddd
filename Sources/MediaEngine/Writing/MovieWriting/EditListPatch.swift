import LibAV
import MediaTime

/// Changes the ends of the tracks in an index that libavformat's muxer has written.
///
/// The muxer writes one edit for each track. It begins with the first packet and ends with the last
/// sample, even one that is only there because others refer to it. Numbers are overwritten in
/// place: nothing moves.
struct EditListPatch {
  private struct Field {
    var offset: Int
    var isLong: Bool
    var value: Int64
  }

  private var changed: [Field] = []
  private var maximumEnd: Int64 = 0

  /// Ends all tracks of a movie box at `end`, except those that end before it.
  static func set(_ end: Time, in moov: inout [UInt8]) {
    var ends = EditListPatch()
    let boxes = ByteView(moov).slice(from: 8).boxes
    guard let header = boxes.first(where: { $0.type == "mvhd" })?.payload,
      let timescale = header.uint32(at: header[0] == 1 ? 20 : 12), timescale > 0,
      let duration = field(in: header, at: header[0] == 1 ? 24 : 16, isLong: header[0] == 1)
    else { return }
    let ticks = end.ticks(
      in: TimeBase(1, Int32(clamping: timescale)), rounding: .halfAwayFromZero)
    for track in boxes where track.type == "trak" { ends.end(track.payload, at: ticks) }
    ends.change(duration, to: ends.maximumEnd)
    for field in ends.changed {
      if field.isLong {
        moov.replace(field.value, at: field.offset)
      } else {
        moov.replace(UInt32(truncatingIfNeeded: field.value), at: field.offset)
      }
    }
  }

  private mutating func end(_ track: ByteView, at end: Int64) {
    guard let header = track.firstBox("tkhd"),
      let duration = EditListPatch.field(
        in: header, at: header[0] == 1 ? 28 : 20, isLong: header[0] == 1)
    else { return }
    let edits = track.firstBox("edts")?.firstBox("elst").map(EditListPatch.edits) ?? []
    guard let last = edits.last else {
      maximumEnd = max(maximumEnd, duration.value)
      return
    }
    let before = edits.dropLast().reduce(0) { $0 &+ $1.value }
    let length = min(last.value, max(0, end &- before))
    change(last, to: length)
    change(duration, to: before &+ length)
    maximumEnd = max(maximumEnd, before &+ length)
  }

  /// The durations of the edits. Lists of more than two are left alone.
  private static func edits(_ list: ByteView) -> [Field] {
    guard let count = list.uint32(at: 4), count <= 2 else { return [] }
    let isLong = list[0] == 1
    return (0..<Int(count)).compactMap { index in
      field(in: list, at: 8 + index * (isLong ? 20 : 12), isLong: isLong)
    }
  }

  private static func field(in box: ByteView, at offset: Int, isLong: Bool) -> Field? {
    let value = isLong ? box.int64(at: offset) : box.uint32(at: offset).map(Int64.init)
    return value.map { Field(offset: box.start + offset, isLong: isLong, value: $0) }
  }

  private mutating func change(_ field: Field, to value: Int64) {
    changed.append(Field(offset: field.offset, isLong: field.isLong, value: value))
  }
}
