import LibAV
import MediaTime
import SystemIO

/// A movie that is written in fragments and becomes one without fragments at its end. Each fragment
/// can be played even if the next one fails.
///
/// While it is written, the file is `ftyp`, a `free` box of 16 bytes, `moov`, and a `moof` and an
/// `mdat` for each fragment, which is durable once it is counted. At the end another `moov` with
/// tables of all samples is appended. Then one write of 16 bytes turns the `free` box into the
/// header of an `mdat` that reaches up to the new `moov`. Before that write, the file is a movie in
/// fragments with an additional box, which readers skip. After it, the file is `ftyp`, `mdat`,
/// `moov`.
///
/// Accepts the bytes of libavformat's muxer in their order. Used by one thread at a time.
final class HybridMovie: MuxerOutput {
  let file: OutputFile
  /// The major brand; nil for the muxer's.
  private let brand: [UInt8]?
  /// The maximum length of the file in bytes; 0 for no limit.
  private let maximumLength: Int64
  /// The additions to the muxer's header. Like the encoders' traits, they are set before the header
  /// is written.
  private var boxes = MovieBoxRewriter(
    items: MovieItemBoxes([], isQuickTime: false), tracks: [])
  private var tracks: [Track] = []
  /// Called before bytes are appended, with their number.
  var willAppend: (Int) throws(SystemError) -> Void = { _ in }
  /// Called when the complete index is appended, before the file is switched to it.
  var willSwitch: () throws(SystemError) -> Void = {}

  private struct Track {
    var traits: PlainMovieHeader.TrackTraits
    var samples = WrittenSamples()
    var packets = WrittenSamples.Packets()
    /// True if the track had no packet when the header was written, which therefore doesn't state
    /// when the track begins.
    var isLate = false
    /// Of the packets so far, in a fragment or not.
    var index = MovieIndexBound()
  }

  /// The number of the muxer's bytes that were received.
  private var taken: Int64 = 0
  private var end: Int64 = 0
  /// The beginning of a box that isn't complete yet.
  private var box: [UInt8] = []
  /// A fragment's header, until its media begins.
  private var fragment: [UInt8] = []
  private var runs: [(run: MovieFragment.Run, position: Int64)] = []
  /// The number of bytes of the fragment's media that are still to come.
  private var missing: Int64 = 0
  /// The muxer's movie box.
  private var header: ByteView?
  /// The size of the movie box that was written.
  private var headerSize: Int?
  /// The bytes that the encoders' configurations take in the header.
  private var configurationSize = 0
  private var switchOffset: Int64?
  /// The offset at which the last durable fragment ends; 0 before the first.
  private(set) var endOfFragments: Int64 = 0
  /// True once the file is a movie without fragments.
  private(set) var isPlain = false

  private static let headSize: Int64 = 16

  /// - Parameter file: a file that already has its name.
  init(_ file: OutputFile, brand: String? = nil, maximumLength: Int64 = 0) {
    self.file = file
    self.brand = brand.flatMap(BoxWriter.code)
    self.maximumLength = maximumLength
  }

  var path: String { file.path }
  /// The number of the muxer's bytes that were received.
  var size: Int64 { taken }
  /// True once a fragment can be played.
  var hasFragments: Bool { endOfFragments > 0 }

  /// Returns the number of a track's durable samples, and their duration in the track's ticks.
  func written(ofTrack number: Int) -> (count: Int, length: Int64) {
    guard tracks.indices.contains(number) else { return (0, 0) }
    return (tracks[number].samples.samples.count, tracks[number].samples.length)
  }

  /// Returns the end of a track's durable samples, in its ticks; nil if it has none.
  func end(ofTrack number: Int) -> Int64? {
    tracks.indices.contains(number) ? tracks[number].samples.end : nil
  }

  /// Sets the contents of the header, before it is written.
  ///
  /// - Parameters:
  ///   - traits: in the order of the tracks.
  ///   - configurationSize: the bytes of all encoders' configurations.
  func describe(
    _ boxes: MovieBoxRewriter, _ traits: [PlainMovieHeader.TrackTraits], configurationSize: Int
  ) {
    self.boxes = boxes
    self.configurationSize = configurationSize
    tracks = traits.map { Track(traits: $0) }
  }

  /// Records a packet that is going to be a sample. The packets of each track arrive in their
  /// order.
  func note(_ packet: borrowing Packet) {
    guard tracks.indices.contains(packet.streamIndex) else { return }
    tracks[packet.streamIndex].packets.append(packet)
    tracks[packet.streamIndex].index.add(packet, tracks[packet.streamIndex].traits)
  }

  // MARK: - Boxes

  func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    guard offset == taken else {
      throw SystemError(
        .invalidArgument, operation: .write, subject: path,
        detail: "the bytes of a movie in fragments are written one after the other")
    }
    var place = 0
    while place < bytes.byteCount {
      let rest = bytes.byteCount - place
      if missing > 0 {
        let count = Int(min(missing, Int64(rest)))
        try append(bytes.extracting(place..<place + count))
        missing -= Int64(count)
        place += count
        if missing == 0 { try endFragment() }
        continue
      }
      let count = min(missingOfBox, rest)
      unsafe bytes.extracting(place..<place + count).withUnsafeBytes {
        unsafe box.append(contentsOf: $0)
      }
      place += count
      if missingOfBox == 0 { try takeBox() }
    }
    taken += Int64(bytes.byteCount)
  }

  /// The number of bytes that have to arrive before the box can be processed.
  private var missingOfBox: Int {
    guard box.count >= 8, let header = BoxHeader(ByteView(box)) else {
      return max(0, 8 - box.count)
    }
    return header.type == "mdat" ? 0 : Int(clamping: header.size ?? 8) - box.count
  }

  private func takeBox() throws(SystemError) {
    let bytes = box
    box = []
    let view = ByteView(bytes)
    switch view.fourCC(at: 4) {
    case "ftyp": try begin(bytes)
    case "moov":
      header = view
      for number in tracks.indices { tracks[number].isLate = tracks[number].packets.first == nil }
      // The muxer's own tracks, of chapters and time codes.
      let count = view.slice(from: 8).boxes.count { $0.type == "trak" }
      while tracks.count < count { tracks.append(Track(traits: .init())) }
      let bytes = boxes.rewritten(view.slice(from: 8))
      headerSize = bytes.count
      try append(bytes)
    case "moof": fragment = bytes
    case "mdat": try beginFragment(bytes, of: Int64(view.uint32(at: 0) ?? 0))
    default: try append(bytes)
    }
  }

  private func begin(_ type: [UInt8]) throws(SystemError) {
    var type = type
    if let brand, type.count >= 20 {
      type.replaceSubrange(8..<12, with: brand)
      type.replaceSubrange(type.count - 4..<type.count, with: brand)
    }
    switchOffset = Int64(type.count)
    var writer = BoxWriter()
    writer.append(type)
    writer.box("free") { $0.integer(0 as UInt64) }
    try append(writer.bytes)
  }

  // MARK: - Fragments

  /// - Parameters:
  ///   - head: the header of the fragment's media.
  ///   - size: the size of the media with its header.
  private func beginFragment(_ head: [UInt8], of size: Int64) throws(SystemError) {
    let start = end
    var bytes = fragment
    fragment = []
    runs = []
    for run in MovieFragment(ByteView(bytes)).runs where tracks.indices.contains(run.track - 1) {
      var run = run
      let number = run.track - 1
      if tracks[number].isLate, let first = tracks[number].packets.first {
        // The muxer's header couldn't state the delay.
        if let place = run.decodeTimePlace { bytes.replace(run.decodeTime + first.dts, at: place) }
      }
      run.track = number
      runs.append((run, start + run.dataOffset))
    }
    let length = Int64(bytes.count) + size
    let index = indexBound
    guard maximumLength == 0 || start + length + index <= maximumLength else {
      throw SystemError(
        SystemError.Code.fileTooLarge, operation: .write, subject: path,
        detail: "with the next fragment it would exceed its maximum length")
    }
    // Reserves the space for the index too, so that it fits even if the fragment fails.
    try file.reserve(length + index, from: start)
    try append(bytes + head)
    missing = size - Int64(head.count)
    if missing == 0 { try endFragment() }
  }

  private func endFragment() throws(SystemError) {
    try file.flushData()
    for (run, position) in runs {
      var packets = tracks[run.track].packets
      tracks[run.track].packets = WrittenSamples.Packets()
      tracks[run.track].samples.append(run, at: position, &packets)
      tracks[run.track].packets = packets
    }
    runs = []
    endOfFragments = end
  }

  /// The maximum number of bytes of the complete index, with the next fragment.
  private var indexBound: Int64 { indexBound(tracks.map(\.index)) }

  private func indexBound(_ tables: [MovieIndexBound]) -> Int64 {
    var size = headerSize ?? headerBound
    for (track, table) in zip(tracks, tables) {
      size += table.bytes(of: track.traits, chunks: track.samples.chunks.count + 1)
    }
    return Int64(size)
  }

  /// The maximum size of the header, before it is written.
  private var headerBound: Int {
    let items = boxes.items.userData.count + boxes.items.meta.count
    let additions = boxes.tracks.compactMap(\.self).reduce(0) {
      $0 + $1.userData.count + $1.meta.count
    }
    return 512 + 1024 * tracks.count + items + additions + configurationSize
  }

  /// Returns the maximum length of the complete file after another fragment, and one that begins with `packets`.
  ///
  /// - Parameters:
  ///   - packets: the last packets, those of each track in their order.
  ///   - bytes: those of the media that isn't in a fragment yet, with `packets`.
  ///   - samples: the number of its samples.
  func lengthBound(
    adding packets: [Handoff<Packet>], bytes: Int64, samples: Int
  ) -> Int64 {
    var tables = tracks.map(\.index)
    for box in packets where tables.indices.contains(box.value.streamIndex) {
      tables[box.value.streamIndex].add(box.value, tracks[box.value.streamIndex].traits)
    }
    // `ftyp` and `free` precede the header.
    let header = headerSize == nil ? headerBound + 64 : 0
    let fragments = 16 * samples + 2 * (64 + 104 * tracks.count)
    return end + bytes + Int64(header + fragments) + indexBound(tables)
  }

  private func append(_ bytes: [UInt8]) throws(SystemError) { try append(unsafe bytes.span.bytes) }

  private func append(_ bytes: RawSpan) throws(SystemError) {
    try willAppend(bytes.byteCount)
    try file.write(bytes, at: end)
    end += Int64(bytes.byteCount)
  }

  // MARK: - The end

  /// Turns the durable fragments into a movie without fragments. Anything after them is cut off,
  /// also after a failure. If that fails, the file remains a movie in fragments.
  ///
  /// - Parameter limit: the time at which longer tracks end; nil for no limit.
  func complete(endingAt limit: Time? = nil) throws(SystemError) {
    guard !isPlain else { return }
    try cutOff()
    guard let header, let switchOffset, hasFragments,
      let plain = PlainMovieHeader(
        header,
        tracks: tracks.map { PlainMovieHeader.Track(samples: $0.samples, traits: $0.traits) })
    else {
      throw SystemError(
        .invalidData, operation: .finishMovie, subject: path, detail: "it has no samples")
    }
    var index = plain.bytes
    if let limit { EditListPatch.set(limit, in: &index) }
    var boxes = boxes
    boxes.tracks = zip(boxes.tracks, tracks).filter { !$0.1.samples.samples.isEmpty }.map(\.0)
    index = boxes.rewritten(ByteView(index).slice(from: 8))
    do throws(SystemError) {
      try append(index)
      try file.truncate(to: end)
      try file.flushData()
      try willSwitch()
    } catch {
      try? cutOff()
      throw error
    }
    var head = BoxWriter()
    head.integer(1 as UInt32)
    head.code("mdat")
    head.integer(UInt64(endOfFragments - switchOffset))
    try file.write(head.bytes[...], at: switchOffset)
    isPlain = true
    try file.flushData()
  }

  /// Ends the file with its last durable fragment.
  func cutOff() throws(SystemError) {
    guard hasFragments else { return }
    try file.truncate(to: endOfFragments)
    end = endOfFragments
    (missing, box, fragment, runs) = (0, [], [], [])
  }
}
