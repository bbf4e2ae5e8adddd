import LibAV
import SystemIO

/// The facts that a file's own structure states, found without decoding and without reading its
/// media: the position at which the file should end, and the presence of an index.
struct ContainerLayout: Sendable, Hashable {
  /// In bytes; 0 where the container states nothing.
  private(set) var declaredEnd: Int64 = 0
  /// True if it lists the positions of its samples: a movie's tables, Matroska's cues, AVI's
  /// `idx1`.
  private(set) var hasIndex = false

  /// Returns the minimum number of bytes that are missing after the end of the file; 0 where none
  /// are known to be.
  func missingBytes(of size: Int64) -> Int64 { max(0, declaredEnd - size) }

  init() {}
}

// MARK: Movies

extension ContainerLayout {
  /// - Parameters:
  ///   - movie: nil where the header can't be read here.
  ///   - indexedEnd: where the last sample of the tables ends.
  init(_ movie: Movie?, indexedEnd: Int64) {
    declaredEnd = max(movie?.declaredEnd ?? 0, indexedEnd)
    hasIndex = movie.map { !$0.containsFragments || $0.hasFragmentIndex } ?? true
  }
}

// MARK: Matroska

extension ContainerLayout {
  private static let cues: UInt32 = 0x1C53_BB6B

  /// Reads Matroska's segment and its list of elements (RFC 9559, sections 5.1.1 and 5.1.5).
  init(elementsOf source: ByteReader, size: Int64) throws(SystemError) {
    guard let segment = try EBMLElement.segment(of: source) else { return }
    declaredEnd = segment.end ?? 0
    try segment.forEachHeaderElement(in: source, size: size) { (element) throws(SystemError) in
      if element.id == ContainerLayout.cues, let end = element.end {
        hasIndex = hasIndex || end <= size
      }
      if element.id == EBMLElement.seekHead {
        for position in try element.positions(ofElements: ContainerLayout.cues, in: source) {
          try takeCues(source, at: segment.content + position, size: size)
        }
      }
      return true
    }
  }

  private mutating func takeCues(
    _ source: ByteReader, at offset: Int64, size: Int64
  ) throws(SystemError) {
    guard offset < size else {
      declaredEnd = max(declaredEnd, offset)
      return
    }
    guard let cues = try EBMLElement(source, at: offset), cues.id == ContainerLayout.cues,
      let end = cues.end
    else { return }
    declaredEnd = max(declaredEnd, end)
    hasIndex = hasIndex || end <= size
  }
}

// MARK: Chunks

extension ContainerLayout {
  /// Reads the chunks of RIFF and its relatives.
  init(chunksOf source: ByteReader, _ rules: ChunkRules, size: Int64) throws(SystemError) {
    guard !rules.forms.isEmpty else {
      try takeChunks(
        source, rules, in: rules.preamble..<max(size, rules.preamble), endsWithData: true)
      return
    }
    // A large AVI has several forms, one after the other (OpenDML).
    var offset: Int64 = 0
    for _ in 0..<FileChunk.limit {
      guard let form = try FileChunk(source, at: offset, rules), rules.forms.contains(form.name)
      else {
        return
      }
      let end = form.end ?? size
      // Some writers count the form's own head.
      if end - size > rules.headSize { declaredEnd = max(declaredEnd, end) }
      let first = offset + rules.headSize + rules.preamble
      try takeChunks(
        source, rules, in: first..<max(first, min(end, size)), endsWithData: form.end == nil)
      guard let end = form.end else { return }
      offset = end
    }
  }

  /// - Parameter endsWithData: true where nothing states the end of the chunks: the bytes after the
  ///   samples may be no chunk.
  private mutating func takeChunks(
    _ source: ByteReader, _ rules: ChunkRules, in range: Range<Int64>, endsWithData: Bool
  ) throws(SystemError) {
    var offset = range.lowerBound
    /// RF64's length of a chunk that is too long for the field (EBU Tech 3306).
    var longLength: Int64?
    for _ in 0..<FileChunk.limit {
      guard range.contains(offset), let chunk = try FileChunk(source, at: offset, rules) else {
        return
      }
      if chunk.name == "ds64" {
        let bytes = try source.bytes(at: chunk.content + 8, count: 8)
        longLength = Int64(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      }
      if chunk.name == "idx1" { hasIndex = true }
      var end = chunk.end
      if end == nil, chunk.name == "data", let longLength, longLength < 1 << 60 {
        end = chunk.content + longLength
      }
      // Without a length, or with the one that a recorder hadn't written yet, nothing after it is
      // known.
      guard let end, end > chunk.content else { return }
      if end > range.upperBound { declaredEnd = max(declaredEnd, end) }
      if endsWithData, chunk.name == "data" { return }
      offset = rules.aligned(end)
    }
  }
}

// MARK: Ogg

extension ContainerLayout {
  private static let maximumPage: Int64 = 27 + 255 + 255 * 255

  /// Examines whether the last page is complete. The absence of a page that ends its stream proves
  /// nothing.
  init(pagesOf source: ByteReader, size: Int64) throws(SystemError) {
    let start = max(0, size - ContainerLayout.maximumPage)
    let bytes = try source.bytes(at: start, count: Int(size - start))
    let capture = Array("OggS\0".utf8)
    guard
      let page = bytes.indices.last(where: { index in
        bytes[index] == capture[0] && bytes[index...].starts(with: capture)
      })
    else { return }
    let head = bytes[page...]
    guard head.count >= 27 else {
      declaredEnd = start + Int64(page) + 27
      return
    }
    let segments = Int(head[page + 26])
    let lengths = head.dropFirst(27).prefix(segments)
    let length = 27 + segments + lengths.reduce(0) { $0 + Int($1) }
    declaredEnd = start + Int64(page + length)
  }
}

// MARK: -

extension MediaSource {
  /// Returns the facts that the file's structure states, which the first call reads.
  func layout(interrupt: Interrupt) throws(EngineError) -> ContainerLayout {
    try containerLayout.get(interrupt: interrupt) { () throws(EngineError) in
      try readLayout(interrupt: interrupt)
    }
  }

  private func readLayout(interrupt: Interrupt) throws(EngineError) -> ContainerLayout {
    let container = try open(interrupt: interrupt)
    let (source, size) = (ByteReader(container.file, interrupt: interrupt), container.size)
    switch container.demuxer.structure {
    case .none: return ContainerLayout()
    case .boxes:
      let movie = try movie(interrupt: interrupt)
      let open = try takeDemuxer(interrupt: interrupt)
      let end = open.demuxer.indexedEnd()
      DemuxerPool.shared.put(open, of: self)
      return ContainerLayout(movie, indexedEnd: end)
    case .elements:
      return try mapErrors(.open, path: path) { () throws(SystemError) in
        try ContainerLayout(elementsOf: source, size: size)
      }
    case .chunks(let rules):
      return try mapErrors(.open, path: path) { () throws(SystemError) in
        try ContainerLayout(chunksOf: source, rules, size: size)
      }
    case .pages:
      return try mapErrors(.open, path: path) { () throws(SystemError) in
        try ContainerLayout(pagesOf: source, size: size)
      }
    }
  }
}
