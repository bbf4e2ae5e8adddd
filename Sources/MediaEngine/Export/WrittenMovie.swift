import LibAV
import MediaTime

/// The header of a movie that libavformat has written, with the ends of its edits corrected.
///
/// The mov muxer gives each track one edit, which begins where the first packet says and ends with the
/// last sample, also one that is only there because others refer to it. Nothing moves here: numbers
/// are written over numbers.
struct WrittenMovie {
  private struct Field {
    var offset: Int64
    var isLong: Bool
    var value: Int64
  }

  private let file: OutputFile
  private let boxes: BoxFile
  private var timescale: Int64 = 0
  private var movieDuration: Field?
  private var longest: Int64 = 0

  /// Ends all tracks of the movie in `file` at `end`, those that end before it excepted.
  static func end(
    _ file: OutputFile, at end: Time, interrupt: Interrupt
  ) throws(LibAVError) {
    var movie = try WrittenMovie(file, interrupt: interrupt)
    try movie.correct(end)
  }

  private init(_ file: OutputFile, interrupt: Interrupt) throws(LibAVError) {
    self.file = file
    boxes = try BoxFile(file, interrupt: interrupt)
  }

  private mutating func correct(_ end: Time) throws(LibAVError) {
    var movie: FileBox?
    try boxes.forEachBox(in: 0..<boxes.size) { (box) throws(LibAVError) in
      if box.type == "moov" { movie = box }
      return movie == nil
    }
    guard let movie else { return }
    var tracks: [FileBox] = []
    try boxes.forEachBox(in: movie.payload) { (box) throws(LibAVError) in
      if box.type == "mvhd" { try readHeader(box) }
      if box.type == "trak" { tracks.append(box) }
      return true
    }
    guard timescale > 0, let movieDuration else { return }
    let ticks = end.ticks(
      in: TimeBase(1, Int32(clamping: timescale)), rounding: .halfAwayFromZero)
    for track in tracks { try correct(track, end: ticks) }
    try write(longest, to: movieDuration)
  }

  private mutating func readHeader(_ box: FileBox) throws(LibAVError) {
    let isLong = try boxes.peek(at: box.payload.lowerBound, count: 1)[0] == 1
    let scale = box.payload.lowerBound + (isLong ? 20 : 12)
    timescale = try boxes.peek(at: scale, count: 4).uint32(at: 0).map(Int64.init) ?? 0
    movieDuration = try field(at: scale + 4, isLong: isLong)
  }

  private mutating func correct(_ track: FileBox, end: Int64) throws(LibAVError) {
    var header: Field?
    var edits: [Field] = []
    try boxes.forEachBox(in: track.payload) { (box) throws(LibAVError) in
      if box.type == "tkhd" {
        let isLong = try boxes.peek(at: box.payload.lowerBound, count: 1)[0] == 1
        header = try field(
          at: box.payload.lowerBound + (isLong ? 28 : 20), isLong: isLong)
      } else if box.type == "edts" {
        try boxes.forEachBox(in: box.payload) { (child) throws(LibAVError) in
          if child.type == "elst" { edits = try readEdits(child) }
          return true
        }
      }
      return true
    }
    guard let header else { return }
    guard let last = edits.last else {
      longest = max(longest, header.value)
      return
    }
    let before = edits.dropLast().reduce(0) { $0 &+ $1.value }
    let length = min(last.value, max(0, end &- before))
    try write(length, to: last)
    try write(before &+ length, to: header)
    longest = max(longest, before &+ length)
  }

  /// Where the lengths of the edits stand; there are two at most.
  private func readEdits(_ box: FileBox) throws(LibAVError) -> [Field] {
    let start = box.payload.lowerBound
    let head = try boxes.peek(at: start, count: 8)
    guard let version = head[0], let count = head.uint32(at: 4), count <= 2 else { return [] }
    var edits: [Field] = []
    for index in 0..<Int64(count) {
      let offset = start + 8 + index * (version == 1 ? 20 : 12)
      if let edit = try field(at: offset, isLong: version == 1) { edits.append(edit) }
    }
    return edits
  }

  private func field(at offset: Int64, isLong: Bool) throws(LibAVError) -> Field? {
    let bytes = try boxes.peek(at: offset, count: isLong ? 8 : 4)
    let value = isLong ? bytes.int64(at: 0) : bytes.uint32(at: 0).map(Int64.init)
    return value.map { Field(offset: offset, isLong: isLong, value: $0) }
  }

  private func write(_ value: Int64, to field: Field) throws(LibAVError) {
    let shifts = stride(from: field.isLong ? 56 : 24, through: 0, by: -8)
    let bytes = shifts.map { UInt8(truncatingIfNeeded: value >> Int64($0)) }
    try unsafe file.write(bytes.span.bytes, at: field.offset)
  }
}
