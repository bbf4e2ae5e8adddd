import SystemIO

// ISO/IEC 14496-12, 8.6 and 8.7.

/// The sample tables of a movie's tracks: data that libavformat reads and doesn't pass on.
struct SampleTables: Sendable {
  /// The tracks in the order of the file.
  let tracks: [Track]

  /// The tables of the media as it is stored, before any edit.
  struct Track: Sendable {
    /// The offsets from decode to presentation time, for all samples in their order; nil if samples
    /// are presented when they are decoded.
    var compositionOffsets: [Run]?
    /// A byte for each sample (`sdtp`); empty if the track has none.
    var dependencies: [UInt8] = []
    /// The positions of the samples.
    ///
    /// This and the following members are only read if there are composition offsets.
    var places = Places()
    /// True if each sample lasts one tick.
    var hasUnitDurations = false
    /// The duration of the last sample, in ticks of the media.
    var lastDuration: Int64?
    var isEdited = false

    /// Returns the duration of the last sample if all samples of the tables are delivered. With an
    /// edit list that leaves some out, the last delivered one may be another sample.
    ///
    /// - Parameter count: the number of delivered samples.
    func lastDuration(ofDelivered count: Int) -> Int64? {
      guard count == places.sampleCount, let lastDuration, lastDuration > 0 else { return nil }
      return lastDuration
    }
  }

  /// Samples with the same offset.
  struct Run: Sendable {
    var count: Int
    var offset: Int32
  }

  /// The positions of samples in the file.
  struct Places: Sendable {
    var sampleCount = 0
    /// The size of all samples; 0 if each has its own.
    fileprivate var size: UInt32 = 0
    fileprivate var sizes = Table()
    fileprivate var chunks = Table()
    fileprivate var hasLongOffsets = false
    fileprivate var samplesPerChunk = Table()
  }

  /// The durations of samples, in decode order (`stts`).
  struct Lengths: Sendable {
    private let table: Table

    fileprivate init(_ table: Table) { self.table = table }

    /// - Parameter payload: that of the box. The result is nil if the box has fewer entries than it
    ///   states.
    init?(_ payload: ByteView) {
      guard let count = payload.uint32(at: 4), payload.count >= 8 + Int(count) * 8 else {
        return nil
      }
      self.init(Table(bytes: payload.slice(from: 8, count: Int(count) * 8).bytes))
    }

    private var runs: [(count: Int64, length: Int64)] {
      (0..<table.count / 2).map { (Int64(table[$0 * 2]), Int64(table[$0 * 2 + 1])) }
    }

    /// True if each sample lasts one tick.
    var areOneTick: Bool { table.count == 2 && table[1] == 1 }

    /// The last sample's duration, in ticks of the media; nil without samples.
    var last: Int64? { table.count >= 2 ? Int64(table[table.count - 1]) : nil }

    /// The duration of all samples together; nil without samples, and beyond the range of the
    /// numbers.
    var sum: Int64? {
      var sum: Int64?
      for run in runs {
        let product = run.count.multipliedReportingOverflow(by: run.length)
        let next = (sum ?? 0).addingReportingOverflow(product.partialValue)
        guard !product.overflow, !next.overflow else { return nil }
        sum = next.partialValue
      }
      return sum
    }
  }

  /// Numbers of 32 bits.
  fileprivate struct Table: Sendable {
    var bytes: [UInt8] = []
    var count: Int { bytes.count / 4 }
    subscript(index: Int) -> UInt32 {
      let place = index * 4
      return UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
    }
  }
}

extension SampleTables {
  /// Reads the tables.
  ///
  /// - Returns: nil for a movie whose samples aren't entirely described by one table of each kind
  ///   in each track, in the locations that the standard defines: one in fragments, one with an
  ///   encrypted track, one whose tables contradict each other, end early or are in other locations
  ///   where libavformat reads them nevertheless.
  static func read(
    _ source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> SampleTables? {
    try mapErrors(.index, path: source.name) { () throws(SystemError) in
      var reader = SampleTableReader(try BoxFile(source, interrupt: interrupt))
      return try reader.read()
    }
  }
}

/// The positions of a track's samples, in the order of libavformat's `mov_build_index`.
extension SampleTables.Places: Sequence {
  struct Place: Sendable {
    var position: Int64
    var size: Int64
  }

  struct Iterator: IteratorProtocol {
    private let places: SampleTables.Places
    private var sample = 0
    private var chunk = -1
    private var run = -1
    private var remaining: UInt32 = 0
    private var position: Int64 = 0

    init(_ places: SampleTables.Places) { self.places = places }

    mutating func next() -> Place? {
      guard sample < places.sampleCount else { return nil }
      while remaining == 0 {
        chunk += 1
        guard chunk < places.chunkCount else { return nil }
        let runs = places.samplesPerChunk
        while (run + 2) * 3 <= runs.count, Int(runs[(run + 1) * 3]) <= chunk + 1 { run += 1 }
        guard run >= 0 else { return nil }
        remaining = runs[run * 3 + 1]
        position = places.chunkPosition(chunk)
      }
      let size = Int64(places.size > 0 ? places.size : places.sizes[sample])
      let place = Place(position: position, size: size)
      let end = position.addingReportingOverflow(size)
      guard !end.overflow else { return nil }
      position = end.partialValue
      remaining -= 1
      sample += 1
      return place
    }
  }

  func makeIterator() -> Iterator { Iterator(self) }

  fileprivate var chunkCount: Int { hasLongOffsets ? chunks.count / 2 : chunks.count }

  fileprivate func chunkPosition(_ chunk: Int) -> Int64 {
    guard hasLongOffsets else { return Int64(chunks[chunk]) }
    return Int64(bitPattern: UInt64(chunks[chunk * 2]) << 32 | UInt64(chunks[chunk * 2 + 1]))
  }
}

private struct SampleTableReader {
  /// Boxes that libavformat reads at any position among each other.
  private static let containers: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "udta", "meta", "dinf", "tref", "wave",
    "gmhd", "ilst",
  ]
  /// Boxes that are read here, and those that change the way in which libavformat reads them.
  private static let tables: Set<String> = [
    "stts", "ctts", "stsz", "stco", "co64", "stsc", "stss", "stps", "stsd", "sdtp", "sbgp",
    "sgpd",
  ]
  private static let tableCodes = Set(
    tables.map { $0.unicodeScalars.reduce(UInt32(0)) { $0 << 8 | $1.value } })
  /// Samples that are described elsewhere, or in other ways.
  private static let irregular: Set<String> = [
    "moof", "traf", "trun", "mvex", "sidx", "mfra", "hoov", "cmov", "senc", "saiz", "saio", "sinf",
    "schi", "stz2", "iinf", "iloc",
  ]
  private static let depthLimit = 10

  let file: BoxFile
  private var tracks: [[String: FileBox]] = []
  private var movieCount = 0
  private var isRegular = true

  init(_ file: BoxFile) { self.file = file }

  mutating func read() throws(SystemError) -> SampleTables? {
    try visit(0..<max(0, file.size), path: [])
    guard isRegular, movieCount == 1, !file.isExhausted else { return nil }
    var result: [SampleTables.Track] = []
    for boxes in tracks {
      guard let track = try self.track(boxes) else { return nil }
      result.append(track)
    }
    return SampleTables(tracks: result)
  }

  private mutating func visit(_ range: Range<Int64>, path: [String]) throws(SystemError) {
    guard path.count < Self.depthLimit else {
      isRegular = false
      return
    }
    let file = file
    try file.forEachBox(in: range) { (box) throws(SystemError) in
      guard isRegular else { return false }
      try visit(box, path: path)
      return true
    }
  }

  private mutating func visit(_ box: FileBox, path: [String]) throws(SystemError) {
    switch box.type {
    case let type where Self.irregular.contains(type): isRegular = false
    case "moov":
      movieCount += 1
      isRegular = path.isEmpty
    case "trak":
      tracks.append([:])
      isRegular = path == ["moov"]
    case "elst":
      if let last = tracks.indices.last { tracks[last]["elst"] = box }
    case "mdat": isRegular = path.isEmpty
    case "dref": isRegular = try isSelfContained(box)
    case let type where Self.tables.contains(type): add(box, path: path)
    default: break
    }
    guard isRegular, Self.containers.contains(box.type) else { return }
    var children = box.payload
    // A full box in ISO files, a plain one in QuickTime's.
    if box.type == "meta",
      try file.peek(at: children.lowerBound + 4, count: 4).fourCC(at: 0) != "hdlr"
    {
      children = min(children.lowerBound + 4, children.upperBound)..<children.upperBound
    }
    try visit(children, path: path + [box.type])
  }

  private mutating func add(_ box: FileBox, path: [String]) {
    guard path == ["moov", "trak", "mdia", "minf", "stbl"], let last = tracks.indices.last,
      tracks[last][box.type] == nil || box.type == "sbgp" || box.type == "sgpd"
    else {
      isRegular = false
      return
    }
    tracks[last][box.type] = box
  }

  /// Returns true if libavformat assumes that the samples are in this file: an alias with a path is
  /// enough to make it assume another file.
  private func isSelfContained(_ box: FileBox) throws(SystemError) -> Bool {
    guard let payload = try file.load(box, limit: 65536) else { return false }
    return payload.slice(from: 8).boxes.allSatisfy {
      ($0.payload.uint8(at: 3) ?? 0) & 1 != 0 && $0.payload.count <= 16
    }
  }

  private func track(_ boxes: [String: FileBox]) throws(SystemError) -> SampleTables.Track? {
    var track = SampleTables.Track()
    track.isEdited = boxes["elst"] != nil
    if let box = boxes["stsd"] {
      guard let payload = try file.load(box, limit: 65536), payload.uint32(at: 4) == 1,
        !Self.namesTable(payload)
      else { return nil }
    }
    if let box = boxes["sdtp"] {
      guard box.payload.count >= 4 else { return nil }
      track.dependencies = try file.read(
        at: box.payload.lowerBound + 4, count: box.payload.count - 4)
      guard track.dependencies.count == box.payload.count - 4 else { return nil }
    }
    guard let box = boxes["ctts"] else { return track }
    guard let table = try table(box, headerSize: 4, width: 2), let places = try places(boxes),
      let timeBox = boxes["stts"], let times = try self.table(timeBox, headerSize: 4, width: 2)
    else { return nil }
    let lengths = SampleTables.Lengths(times)
    (track.hasUnitDurations, track.lastDuration) = (lengths.areOneTick, lengths.last)
    if table.count > 0 {
      guard let runs = runs(table, sampleCount: places.sampleCount) else { return nil }
      track.compositionOffsets = runs
      track.places = places
    }
    return track
  }

  /// Returns true if a table may be inside of a sample description, where libavformat reads it
  /// nevertheless.
  private static func namesTable(_ description: ByteView) -> Bool {
    (8..<max(8, description.count)).contains { place in
      description.uint32(at: place).map(tableCodes.contains) ?? false
    }
  }

  private func places(_ boxes: [String: FileBox]) throws(SystemError) -> SampleTables.Places? {
    guard let sizeBox = boxes["stsz"], let chunkBox = boxes["stco"] ?? boxes["co64"],
      boxes["stco"] == nil || boxes["co64"] == nil, let runBox = boxes["stsc"],
      let size = try file.peek(at: sizeBox.payload.lowerBound + 4, count: 4).uint32(at: 0),
      let count = try file.peek(at: sizeBox.payload.lowerBound + 8, count: 4).uint32(at: 0)
    else { return nil }
    var places = SampleTables.Places()
    places.sampleCount = Int(count)
    places.size = size
    if size == 0 {
      guard let sizes = try table(sizeBox, headerSize: 8, width: 1) else { return nil }
      places.sizes = sizes
    }
    places.hasLongOffsets = chunkBox.type == "co64"
    guard let chunks = try table(chunkBox, headerSize: 4, width: places.hasLongOffsets ? 2 : 1),
      let runs = try table(runBox, headerSize: 4, width: 3)
    else { return nil }
    places.chunks = chunks
    places.samplesPerChunk = runs
    return places
  }

  /// - Returns: nil if the offsets aren't those of all samples, or so large that libavformat
  ///   ignores them (`mov_read_ctts`).
  private func runs(_ table: SampleTables.Table, sampleCount: Int) -> [SampleTables.Run]? {
    var runs: [SampleTables.Run] = []
    runs.reserveCapacity(table.count / 2)
    var total = 0
    for entry in 0..<table.count / 2 {
      let count = table[entry * 2]
      let offset = Int32(bitPattern: table[entry * 2 + 1])
      guard count > 0, count <= Int32.max, offset.magnitude <= 1 << 28 else { return nil }
      runs.append(SampleTables.Run(count: Int(count), offset: offset))
      total += Int(count)
    }
    return total >= sampleCount ? runs : nil
  }

  /// - Parameters:
  ///   - headerSize: the number of bytes before the number of entries.
  ///   - width: the size of an entry, in numbers of 32 bits.
  private func table(
    _ box: FileBox, headerSize: Int, width: Int
  ) throws(SystemError) -> SampleTables.Table? {
    let start = box.payload.lowerBound + Int64(headerSize)
    guard let count = try file.peek(at: start, count: 4).uint32(at: 0) else { return nil }
    let size = Int64(count) * Int64(width) * 4
    guard size <= box.payload.upperBound - start - 4 else { return nil }
    let bytes = try file.read(at: start + 4, count: Int(size))
    return bytes.count == size ? SampleTables.Table(bytes: bytes) : nil
  }
}
