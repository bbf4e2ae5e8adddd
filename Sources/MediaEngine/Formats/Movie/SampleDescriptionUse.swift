import LibAV
import SystemIO

// ISO/IEC 14496-12, 8.5.2, 8.6, 8.7 and 8.8.

/// The sample descriptions of a movie's samples, for tracks with several.
///
/// libavformat reports a change only with the first packet after it in its own order of reading.
/// After a seek, after an edit and in fragments the change is lost. Of descriptions with different
/// codes it leaves out the samples of all but one, and it mixes the sizes of the last with the
/// configuration of the first. Therefore it is shown each track with one description, and the
/// description of each sample is read here.
struct SampleDescriptionUse: Sendable {
  struct Track: Sendable {
    let id: Int
    /// The indexes of descriptions in the table, from 0, in the order of their first use.
    fileprivate(set) var used: [Int] = []
    /// The positions at which samples of another description begin, by the indexes of ``used``.
    fileprivate(set) var places: [DescriptionPlace] = []
    /// The range of the table's box.
    fileprivate var table: Range<Int64>
    fileprivate var entries: [[UInt8]]
    /// Numbers of 32 bits that refer to the table.
    fileprivate var references: [PatchedSource.Patch] = []

    /// Returns the table with only one of its entries.
    fileprivate func patch(describing number: Int) -> PatchedSource.Patch? {
      guard used.indices.contains(number) || number == 0 else { return nil }
      let entry = entries[used.isEmpty ? 0 : used[number]]
      let box = bytes(of: UInt32(16 + entry.count)) + Array("stsd".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
      let rest = table.count - box.count - entry.count
      guard rest >= 8 else { return nil }
      return PatchedSource.Patch(
        offset: table.lowerBound,
        bytes: box + entry + bytes(of: UInt32(rest)) + Array("free".utf8))
    }
  }

  let tracks: [Track]

  /// Returns the movie with one description in each of these tracks.
  ///
  /// - Parameter number: the index in ``Track/used`` for the track of that ID; other tracks have
  ///   the first.
  func source(
    _ file: any ByteSource, describing number: Int = 0, ofTrack id: Int? = nil
  ) -> any ByteSource {
    PatchedSource(
      file,
      tracks.flatMap { track in
        track.references
          + [track.patch(describing: track.id == id ? number : 0)].compactMap(\.self)
      })
  }

  /// Reads the use of descriptions by tracks of video and audio that have several; nil if there are
  /// none.
  ///
  /// - Throws: the errors of reading the source, and `operationCancelled` once interrupted.
  static func read(
    _ source: any ByteSource, movie: Movie, interrupt: Interrupt
  ) throws(EngineError) -> SampleDescriptionUse? {
    guard movie.tracks.contains(where: \.hasSeveralDescriptions) else { return nil }
    return try mapErrors(.open, path: source.name) { () throws(SystemError) in
      var reader = DescriptionReader(try BoxFile(source, interrupt: interrupt), movie)
      return try reader.read()
    }
  }
}

extension MovieTrack {
  /// True if the track has several descriptions of unencrypted video or audio.
  fileprivate var hasSeveralDescriptions: Bool {
    sampleDescriptions.count > 1 && ["vide", "pict", "auxv", "soun"].contains(handler)
      && !isProtected && id > 0
  }
}

private func bytes(of number: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

private struct DescriptionReader {
  /// The size limit of tables, above that of a recording of a day.
  private static let tableLimit = 64 << 20

  /// A track before the order of its samples is known.
  private struct Found {
    var track: SampleDescriptionUse.Track
    /// The entry of each run of samples, from 0, and the offset of the run in the file.
    var runs: [(position: Int64, entry: Int)] = []
    /// The default number in `trex`, from 1.
    var usual: UInt32 = 1

    /// Adds a run of samples by the number in the file, from 1.
    mutating func add(_ number: UInt32, at position: Int64) {
      guard number > 0, Int(number) <= track.entries.count, position >= 0 else { return }
      let entry = Int(number) - 1
      if !track.used.contains(entry) { track.used.append(entry) }
      if let last = runs.last, last.entry == entry, last.position <= position { return }
      runs.append((position, entry))
    }

    /// Records a number that refers to the table, which has one entry for libavformat.
    mutating func refer(at place: Int64) {
      track.references.append(PatchedSource.Patch(offset: place, bytes: [0, 0, 0, 1]))
    }

    var resolved: SampleDescriptionUse.Track {
      var track = track
      for run in runs.sorted(by: { $0.position < $1.position }) {
        guard let number = track.used.firstIndex(of: run.entry),
          track.places.last?.number != number
        else { continue }
        track.places.append(DescriptionPlace(position: run.position, number: number))
      }
      return track
    }
  }

  private let file: BoxFile
  private let wanted: Set<Int>
  private var found: [Int: Found] = [:]

  init(_ file: BoxFile, _ movie: Movie) {
    self.file = file
    wanted = Set(movie.tracks.filter(\.hasSeveralDescriptions).map { Int($0.id) })
  }

  mutating func read() throws(SystemError) -> SampleDescriptionUse? {
    var hasMovie = false
    try file.forEachBox(in: 0..<max(0, file.size)) { (box) throws(SystemError) in
      switch box.type {
      case "moov":
        if !hasMovie { try readMovie(box) }
        hasMovie = true
      case "moof": try readFragment(box)
      default: break
      }
      return true
    }
    let tracks = found.values.map(\.resolved).sorted { $0.table.lowerBound < $1.table.lowerBound }
    return tracks.isEmpty ? nil : SampleDescriptionUse(tracks: tracks)
  }

  private mutating func readMovie(_ moov: FileBox) throws(SystemError) {
    let file = file
    try file.forEachBox(in: moov.payload) { (box) throws(SystemError) in
      if box.type == "trak" { try readTrack(box) }
      return true
    }
    guard let extends = try file.child(of: moov.payload, at: ["mvex"]) else { return }
    try file.forEachBox(in: extends.payload) { (box) throws(SystemError) in
      guard box.type == "trex", let payload = try file.load(box, limit: 64),
        let id = payload.uint32(at: 4), found[Int(id)] != nil, let usual = payload.uint32(at: 8)
      else { return true }
      found[Int(id)]?.usual = usual
      found[Int(id)]?.refer(at: box.payload.lowerBound + 8)
      return true
    }
  }

  private mutating func readTrack(_ trak: FileBox) throws(SystemError) {
    guard let header = try file.child(of: trak.payload, at: ["tkhd"]),
      let fields = try file.load(header, limit: 128),
      let id = fields.uint32(at: fields.uint8(at: 0) == 1 ? 20 : 12), wanted.contains(Int(id)),
      found[Int(id)] == nil,
      let samples = try file.child(of: trak.payload, at: ["mdia", "minf", "stbl"]),
      let table = try file.child(of: samples.payload, at: ["stsd"]),
      try file.peek(at: table.payload.lowerBound - 4, count: 4).fourCC(at: 0) == "stsd",
      let payload = try file.load(table)
    else { return }
    var entries: [[UInt8]] = []
    var rest = payload.slice(from: 8)
    while let size = rest.uint32(at: 0), size >= 8, Int(size) <= rest.count {
      entries.append(rest.slice(from: 0, count: Int(size)).bytes)
      rest = rest.slice(from: Int(size))
    }
    guard let count = payload.uint32(at: 4), count == entries.count, count > 1 else { return }
    var found = Found(
      track: SampleDescriptionUse.Track(
        id: Int(id), table: table.payload.lowerBound - 8..<table.payload.upperBound,
        entries: entries))
    try readChunks(samples, into: &found)
    self.found[Int(id)] = found
  }

  /// Reads the runs of the chunks that the movie's header lists.
  private func readChunks(_ samples: FileBox, into found: inout Found) throws(SystemError) {
    guard let runBox = try file.child(of: samples.payload, at: ["stsc"]) else { return }
    var placeBox = try file.child(of: samples.payload, at: ["stco"])
    let isLong = placeBox == nil
    if isLong { placeBox = try file.child(of: samples.payload, at: ["co64"]) }
    let runs = try table(runBox)
    let runCount = min(Int(runs.uint32(at: 4) ?? 0), max(0, runs.count - 8) / 12)
    for run in 0..<runCount {
      found.refer(at: runBox.payload.lowerBound + 8 + Int64(run) * 12 + 8)
    }
    guard let placeBox else { return }
    let places = try table(placeBox)
    let width = isLong ? 8 : 4
    let count = min(Int(places.uint32(at: 4) ?? 0), max(0, places.count - 8) / width)
    var run = -1
    for chunk in 0..<count {
      while run + 1 < runCount, Int(runs.uint32(at: 8 + (run + 1) * 12) ?? 0) <= chunk + 1 {
        run += 1
      }
      guard run >= 0, let number = runs.uint32(at: 8 + run * 12 + 8) else { continue }
      let place =
        isLong
        ? places.int64(at: 8 + chunk * 8) : places.uint32(at: 8 + chunk * 4).map(Int64.init)
      if let place { found.add(number, at: place) }
    }
  }

  private func table(_ box: FileBox) throws(SystemError) -> ByteView {
    ByteView(
      try file.read(at: box.payload.lowerBound, count: min(box.payload.count, Self.tableLimit)))
  }

  private mutating func readFragment(_ moof: FileBox) throws(SystemError) {
    let file = file
    // As in libavformat, also for a box whose size uses eight bytes more.
    let start = moof.payload.lowerBound - 8
    var next = start
    try file.forEachBox(in: moof.payload) { (traf) throws(SystemError) in
      guard traf.type == "traf" else { return true }
      try readTrackFragment(traf, moof: start, next: &next)
      return true
    }
  }

  private struct FragmentHeader {
    let id: Int
    let base: Int64
    let number: UInt32?
    let numberPlace: Int64
    let sampleSize: UInt32

    init?(_ payload: ByteView, at place: Int64, moof: Int64, next: Int64) {
      guard let flags = payload.uint32(at: 0), let id = payload.uint32(at: 4) else { return nil }
      self.id = Int(id)
      var offset = 8
      if flags & 1 != 0 {
        base = payload.int64(at: offset) ?? moof
        offset += 8
      } else {
        base = flags & 0x20000 != 0 ? moof : next
      }
      numberPlace = place + Int64(offset)
      number = flags & 2 != 0 ? payload.uint32(at: offset) : nil
      if flags & 2 != 0 { offset += 4 }
      if flags & 8 != 0 { offset += 4 }
      sampleSize = flags & 16 != 0 ? payload.uint32(at: offset) ?? 0 : 0
    }
  }

  private mutating func readTrackFragment(
    _ traf: FileBox, moof: Int64, next: inout Int64
  ) throws(SystemError) {
    let file = file
    var header: FragmentHeader?
    var end = next
    try file.forEachBox(in: traf.payload) { (box) throws(SystemError) in
      if box.type == "tfhd", let payload = try file.load(box, limit: 64) {
        header = FragmentHeader(payload, at: box.payload.lowerBound, moof: moof, next: next)
        end = header?.base ?? next
        if let header, header.number != nil { found[header.id]?.refer(at: header.numberPlace) }
      } else if box.type == "trun", let header {
        let payload = try table(box)
        let flags = payload.uint32(at: 0) ?? 0
        let count = Int(payload.uint32(at: 4) ?? 0)
        let begin =
          flags & 1 != 0 ? header.base &+ Int64(payload.int32(at: 8) ?? 0) : end
        if let usual = found[header.id]?.usual {
          found[header.id]?.add(header.number ?? usual, at: begin)
        }
        end = begin &+ size(of: payload, flags: flags, count: count, usual: header.sampleSize)
      }
      return true
    }
    next = end
  }

  /// Returns the size in bytes of a run's samples.
  private func size(of run: ByteView, flags: UInt32, count: Int, usual: UInt32) -> Int64 {
    guard flags & 0x200 != 0 else { return Int64(count) &* Int64(usual) }
    let width = [0x100, 0x200, 0x400, 0x800].count { flags & UInt32($0) != 0 } * 4
    var place = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    if flags & 0x100 != 0 { place += 4 }
    var sum: Int64 = 0
    for _ in 0..<count {
      guard let size = run.uint32(at: place) else { break }
      sum &+= Int64(size)
      place += width
    }
    return sum
  }
}

extension BoxFile {
  /// Returns the first box at the end of a path of types.
  fileprivate func child(
    of range: Range<Int64>, at path: [String]
  ) throws(SystemError) -> FileBox? {
    var range = range
    var found: FileBox?
    for type in path {
      found = nil
      try forEachBox(in: range) { (box) throws(SystemError) in
        if box.type == type { found = box }
        return found == nil
      }
      guard let found else { return nil }
      range = found.payload
    }
    return found
  }
}
