import LibAV
import MediaTime
import SystemIO

// ISO/IEC 14496-12, chapter 8; QuickTime File Format, "Movie Atoms".

extension Movie {
  /// Reads the header of a movie; nil if there is none that can be read, for example because it is
  /// compressed.
  ///
  /// Sample tables and media data are skipped.
  /// - Throws: the errors of reading the source, and `operationCancelled` once interrupted.
  static func read(
    _ source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> Movie? {
    try mapErrors(.open, path: source.name) { () throws(SystemError) in
      var reader = MovieReader(file: try BoxFile(source, interrupt: interrupt))
      return try reader.read()
    }
  }

  /// Returns true if a file begins like a movie and has media, but no header: `moov` was to follow
  /// the media.
  static func lacksIndex(
    _ source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> Bool {
    try mapErrors(.open, path: source.name) { () throws(SystemError) in
      let file = try BoxFile(source, interrupt: interrupt)
      var types: [String] = []
      try file.forEachBox(in: 0..<max(0, file.size)) { (box) throws(SystemError) in
        types.append(box.type)
        return box.type != "moov" && types.count < 100
      }
      // Images (HEIF) have a `meta` box instead.
      return types.contains("mdat") && Set(types).isDisjoint(with: ["moov", "moof", "meta"])
        && ["ftyp", "wide", "mdat", "free", "skip"].contains(types[0])
    }
  }
}

private struct MovieReader {
  /// Above the number of any usable file; each track uses memory.
  private static let trackLimit = 4096

  /// The boxes at the top level of files (ISO/IEC 14496-12, table 1; QuickTime File Format).
  private static let topLevelBoxes: Set = [
    "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "uuid", "meta", "sidx", "ssix",
    "mfra", "pdin", "emsg", "prft", "pnot",
  ]

  let file: BoxFile
  var movie = Movie()
  private var hasHeader = false
  private var hasFragments = false
  private var fragments = FragmentReader()
  private var indexes: [SegmentIndex] = []
  /// The offsets of boxes at the top level.
  private var starts: Set<Int64> = []
  /// Boxes that libavformat since 7.0 reads as further streams: the items of a movie that is also a
  /// still image, and the configuration of IAMF, whose substreams are one track.
  private var hidden: [FileBox] = []
  private var unknown = UnknownBoxes()
  /// The boxes by track.
  private var compositionOffsets: [FileBox?] = []

  init(file: BoxFile) { self.file = file }

  mutating func read() throws(SystemError) -> Movie? {
    let file = file
    try file.forEachBox(in: 0..<max(0, file.size)) { (box) throws(SystemError) in
      starts.insert(box.start)
      // Bytes after the movie that aren't boxes have no declared end.
      if Self.topLevelBoxes.contains(box.type) {
        movie.declaredEnd = max(movie.declaredEnd, box.declaredEnd)
      }
      switch box.type {
      case "moov":
        // Of several, the first is used, as in libavformat.
        if !hasHeader { try readMovie(box) }
      case "meta":
        movie.metadata += try MetadataReader(file: file, isTrack: false).meta(box)
        if try holdsItems(box) { hidden.append(box) }
        try unknown.take(meta: box, in: "", of: file)
      case "moof":
        hasFragments = true
        movie.firstFragment = movie.firstFragment ?? box.start
        let count = box.payload.count
        if movie.canContainFragments, fragments.admits(Int64(count)) {
          let bytes = ByteView(try file.read(at: box.payload.lowerBound, count: count))
          fragments.append(bytes, from: box.payload.lowerBound, at: box.start, of: movie)
        }
      case "sidx":
        movie.hasFragmentIndex = true
        if let payload = try file.load(box), let index = SegmentIndex(payload, of: box) {
          indexes.append(index)
        }
      case "mfra": movie.hasFragmentIndex = true
      case "mdat": movie.mediaData.append(box.payload)
      default: unknown.take(box, in: "", known: UnknownBoxes.file, of: file)
      }
      return true
    }
    guard hasHeader else { return nil }
    movie.opaqueBoxes = unknown.names
    movie.containsFragments = movie.canContainFragments && hasFragments
    // Boxes that weren't reached could be fragments.
    let known = file.isExhausted ? [:] : fragments.fragments
    for index in movie.tracks.indices {
      movie.tracks[index].fragments = known[movie.tracks[index].id]
      movie.tracks[index].negativeFragmentOffset = fragments.negativeOffset(
        ofTrack: movie.tracks[index].id)
      if movie.containsFragments, let table = compositionOffsets[index],
        let payload = try file.load(table)
      {
        movie.tracks[index].negativeTableOffset = TrackReader.negativeOffset(payload)
      }
    }
    movie.joinRuns()
    var skipped = hidden.map { $0.start + 4 }
    if !movie.fragmentDelays.isEmpty {
      // Without an index, libavformat reads all fragments first, and delays all samples by the same
      // time.
      skipped += indexes.map(\.type)
    } else if !file.isExhausted {
      // With times other than the file's, its indexes are wrong, too.
      skipped += indexes.filter { index in
        let track = movie.tracks.first { $0.id == index.track }
        return !movie.patches.isEmpty
          || !index.agrees(with: starts, track?.fragments, clock: track?.timescale ?? 0)
      }.map(\.type)
    }
    movie.patches += skipped.map { FilePatch(offset: $0, bytes: Array("free".utf8)) }
    return movie
  }

  private func holdsItems(_ meta: FileBox) throws(SystemError) -> Bool {
    var types: Set<String> = []
    let children = min(meta.payload.lowerBound + 4, meta.payload.upperBound)
    try file.forEachBox(in: children..<meta.payload.upperBound) { (box) throws(SystemError) in
      types.insert(box.type)
      return true
    }
    return types.isSuperset(of: ["iloc", "iinf"])
  }

  private mutating func readMovie(_ moov: FileBox) throws(SystemError) {
    let file = file
    var hint: Int64?
    try file.forEachBox(in: moov.payload) { (box) throws(SystemError) in
      switch box.type {
      case "mvhd":
        if let payload = try file.load(box) { hasHeader = readHeader(payload) || hasHeader }
      case "trak":
        guard movie.tracks.count < Self.trackLimit else { return true }
        var reader = TrackReader(file: file)
        try reader.read(box)
        movie.tracks.append(reader.track)
        compositionOffsets.append(reader.compositionOffsets)
        hidden += reader.hidden
        for name in reader.unknown.names { unknown.add(name) }
      case "udta":
        movie.metadata += try MetadataReader(file: file, isTrack: false).userData(box).items
        try unknown.take(userData: box, in: "moov/", of: file)
      case "meta":
        movie.metadata += try MetadataReader(file: file, isTrack: false).meta(box)
        try unknown.take(meta: box, in: "moov/", of: file)
      case "mvex":
        movie.canContainFragments = true
        try file.forEachBox(in: box.payload) { (child) throws(SystemError) in
          if child.type == "mehd", let payload = try file.load(child) {
            hint =
              payload.uint8(at: 0) == 1
              ? payload.int64(at: 4) : payload.uint32(at: 4).map(Int64.init)
          } else if child.type == "trex", let payload = try file.load(child) {
            fragments.setDefaults(payload)
          }
          return true
        }
      default: unknown.take(box, in: "moov/", known: UnknownBoxes.movie, of: file)
      }
      return true
    }
    // The hint is on the clock of the header, which may come later.
    if let hint, hint > 0, movie.timescale > 0 {
      movie.overallDurationHint = Time(value: hint, timescale: movie.timescale)
    }
    if !movie.tracks.isEmpty { hasHeader = true }
  }

  private mutating func readHeader(_ payload: ByteView) -> Bool {
    guard let times = HeaderTimes(payload, idSize: 0) else { return false }
    movie.timescale = times.timescale
    movie.duration = times.duration.flatMap {
      times.timescale > 0 ? Time(value: $0, timescale: times.timescale) : nil
    }
    if let rate = payload.fixed16(at: times.end) { movie.preferredRate = rate }
    if let volume = payload.fixed8(at: times.end + 4) { movie.preferredVolume = volume }
    return true
  }
}

/// The first fields of `mvhd`, `mdhd` and `tkhd`, which are 32 or 64 bits wide.
private struct HeaderTimes {
  /// Ticks per second; 0 if there is no valid number.
  var timescale: Int32 = 0
  /// The duration in ticks; nil for all ones, which means unknown.
  var duration: Int64?
  /// The number in a track's header; negative ones aren't numbers of tracks.
  var id: Int32?
  /// The offset of the next field.
  var end: Int

  /// - Parameter idSize: the size of the field after a track's number, 4; 0 if there is a timescale
  ///   instead.
  init?(_ payload: ByteView, idSize: Int) {
    let isLong = payload.uint8(at: 0) == 1
    let width = isLong ? 8 : 4
    let mid = 4 + 2 * width
    guard let number = payload.int32(at: mid) else { return nil }
    if idSize == 0 { timescale = max(0, number) } else { id = number >= 0 ? number : nil }
    let start = mid + 4 + idSize
    if isLong {
      duration = payload.uint64(at: start).flatMap { Int64(exactly: $0) }
    } else {
      duration = payload.uint32(at: start).flatMap { $0 == .max ? nil : Int64($0) }
    }
    end = start + width
  }
}

private struct TrackReader {
  let file: BoxFile
  var track = MovieTrack()
  fileprivate var hidden: [FileBox] = []
  fileprivate var compositionOffsets: FileBox?
  var unknown = UnknownBoxes()
  /// The table, which may be read before the handler is known.
  private var sampleDescriptions: ByteView?

  init(file: BoxFile) { self.file = file }

  mutating func read(_ trak: FileBox) throws(SystemError) {
    let file = file
    try file.forEachBox(in: trak.payload) { (box) throws(SystemError) in
      switch box.type {
      case "tkhd": if let payload = try file.load(box) { readHeader(payload) }
      case "mdia": try readMedia(box)
      case "edts":
        try file.forEachBox(in: box.payload) { (child) throws(SystemError) in
          if child.type == "elst", let payload = try file.load(child) {
            track.edits = edits(payload)
          }
          return true
        }
      case "tref": if let payload = try file.load(box) { readReferences(payload) }
      case "udta":
        let found = try MetadataReader(file: file, isTrack: true).userData(box)
        track.metadata += found.items
        track.taggedCharacteristics += found.taggedCharacteristics
        track.kinds += found.kinds
        try unknown.take(userData: box, in: "moov/trak/", of: file)
      case "meta":
        track.metadata += try MetadataReader(file: file, isTrack: true).meta(box)
        try unknown.take(meta: box, in: "moov/trak/", of: file)
      default: unknown.take(box, in: "moov/trak/", known: UnknownBoxes.track, of: file)
      }
      return true
    }
    if let sampleDescriptions {
      track.sampleDescriptions = SampleDescription.table(
        sampleDescriptions, handler: track.handler)
    }
  }

  private mutating func readHeader(_ payload: ByteView) {
    guard let times = HeaderTimes(payload, idSize: 4) else { return }
    track.id = times.id ?? 0
    track.hasNumber = times.id != nil
    track.isEnabled = (payload.uint8(at: 3) ?? 0) & 1 != 0
    // Eight reserved bytes precede the group.
    let rest = payload.slice(from: times.end + 8)
    track.alternateGroup = rest.int16(at: 2) ?? 0
    track.volume = rest.fixed8(at: 4) ?? 0
  }

  private func edits(_ payload: ByteView) -> [MovieTrack.Edit] {
    guard let version = payload.uint8(at: 0), let count = payload.uint32(at: 4) else { return [] }
    let size = version == 1 ? 20 : 12
    let available = max(0, payload.count - 8) / size
    return (0..<min(Int(count), available)).compactMap { index in
      let offset = 8 + index * size
      let duration, mediaTime: Int64?
      if version == 1 {
        duration = payload.uint64(at: offset).flatMap { Int64(exactly: $0) }
        mediaTime = payload.int64(at: offset + 8)
      } else {
        duration = payload.uint32(at: offset).map(Int64.init)
        mediaTime = payload.int32(at: offset + 4).map(Int64.init)
      }
      guard let duration, let mediaTime, mediaTime >= -1,
        let rate = payload.fixed16(at: offset + size - 4)
      else { return nil }
      return MovieTrack.Edit(duration: duration, mediaTime: mediaTime, rate: rate)
    }
  }

  private mutating func readReferences(_ payload: ByteView) {
    for box in payload.boxes.prefix(1000) {
      let ids = (0..<box.payload.count / 4).compactMap { index -> Int32? in
        // Zeros fill unused entries.
        box.payload.int32(at: index * 4).flatMap { $0 > 0 ? $0 : nil }
      }
      if !ids.isEmpty { track.references[box.type, default: []] += ids }
    }
  }

  private mutating func readMedia(_ mdia: FileBox) throws(SystemError) {
    let file = file
    try file.forEachBox(in: mdia.payload) { (box) throws(SystemError) in
      switch box.type {
      case "mdhd": if let payload = try file.load(box) { readMediaHeader(payload) }
      case "hdlr": if let payload = try file.load(box, limit: 65536) { readHandler(payload) }
      case "elng":
        if let payload = try file.load(box, limit: 4096) {
          // Some programs write the text without the version before it.
          let text = payload.slice(from: payload.uint32(at: 0) == 0 ? 4 : 0).text
          track.extendedLanguageTag = text.isEmpty ? nil : text
        }
      case "minf": try readMediaInformation(box)
      default: break
      }
      return true
    }
  }

  private mutating func readMediaHeader(_ payload: ByteView) {
    guard let times = HeaderTimes(payload, idSize: 0) else { return }
    track.timescale = times.timescale
    track.duration = times.duration
    track.languageCode = payload.uint16(at: times.end).flatMap {
      PackedLanguage(rawValue: $0).iso639T
    }
  }

  private mutating func readHandler(_ payload: ByteView) {
    track.handler = payload.fourCC(at: 8) ?? ""
  }

  private mutating func readMediaInformation(_ minf: FileBox) throws(SystemError) {
    let file = file
    try file.forEachBox(in: minf.payload) { (box) throws(SystemError) in
      guard box.type == "stbl" || box.type == "dinf" else { return true }
      try file.forEachBox(in: box.payload) { (child) throws(SystemError) in
        if child.type == "ctts" {
          compositionOffsets = child
        } else if child.type == "stsd", sampleDescriptions == nil {
          sampleDescriptions = try file.load(child)
          try hideSubstreams(child)
        } else if child.type == "dref", let payload = try file.load(child) {
          track.isSelfContained = payload.slice(from: 8).boxes.allSatisfy {
            ($0.payload.uint8(at: 3) ?? 1) & 1 != 0
          }
        }
        return true
      }
      return true
    }
  }

  /// Returns the maximum time by which libavformat decodes the samples of a table of composition
  /// offsets earlier. It ignores the last two runs (`mov_read_ctts`).
  static func negativeOffset(_ payload: ByteView) -> Int64 {
    let count = min(Int(payload.uint32(at: 4) ?? 0), max(0, payload.count - 8) / 8)
    return (0..<max(0, count - 2)).reduce(0) { maximum, run in
      max(maximum, -Int64(payload.int32(at: 8 + run * 8 + 4) ?? 0))
    }
  }

  /// Finds the configurations of IAMF in a table of sample descriptions (Immersive Audio Model and
  /// Formats, 6.2).
  private mutating func hideSubstreams(_ table: FileBox) throws(SystemError) {
    let file = file
    let entries = min(table.payload.lowerBound + 8, table.payload.upperBound)
    try file.forEachBox(in: entries..<table.payload.upperBound) { (entry) throws(SystemError) in
      guard entry.type == "iamf" else { return true }
      let children = min(entry.payload.lowerBound + 28, entry.payload.upperBound)
      try file.forEachBox(in: children..<entry.payload.upperBound) { (box) throws(SystemError) in
        if box.type == "iacb" { hidden.append(box) }
        return true
      }
      return true
    }
  }
}
