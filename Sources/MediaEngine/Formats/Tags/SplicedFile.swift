import SystemIO

/// A file as pieces of another one, with new bytes between them.
struct SplicedFile: Sendable {
  enum Piece: Sendable {
    /// Bytes of the source, unchanged.
    case source(Range<Int64>)
    case bytes([UInt8])
    /// Pages of Ogg with other numbers.
    case pages(OggRenumbering)
  }

  var pieces: [Piece] = []
  /// The items that it can't store.
  var refused: [TagRefusal] = []

  mutating func append(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    if case .source(let last)? = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .source(last.lowerBound..<range.upperBound)
    } else {
      pieces.append(.source(range))
    }
  }

  mutating func append(_ bytes: [UInt8]) {
    if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
  }

  /// In bytes.
  var size: Int64 {
    pieces.reduce(0) { sum, piece in
      switch piece {
      case .source(let range): sum + Int64(range.count)
      case .bytes(let bytes): sum + Int64(bytes.count)
      case .pages(let pages): sum + Int64(pages.range.count)
      }
    }
  }

  /// The bytes that differ from the source's and their offsets, if all others stay at their
  /// offsets; nil if not.
  var replacements: [(offset: Int64, bytes: [UInt8])]? {
    var offset: Int64 = 0
    var found: [(offset: Int64, bytes: [UInt8])] = []
    for piece in pieces {
      switch piece {
      case .bytes(let bytes):
        found.append((offset, bytes))
        offset += Int64(bytes.count)
      case .source(let range):
        guard range.lowerBound == offset else { return nil }
        offset = range.upperBound
      case .pages: return nil
      }
    }
    return found
  }

  /// Writes the file.
  ///
  /// - Parameter progress: called with the fraction that is written.
  /// - Throws: `invalidData` if the source ends early, or isn't of the expected form.
  func write(
    from source: ByteReader, to file: OutputFile, interrupt: Interrupt,
    progress: (Double) -> Void
  ) throws(SystemError) {
    let total = max(1, size)
    var offset: Int64 = 0
    for piece in pieces {
      switch piece {
      case .bytes(let bytes):
        try file.write(bytes[...], at: offset)
        offset += Int64(bytes.count)
      case .source(let range):
        try copy(range, of: source) { (bytes) throws(SystemError) in
          try interrupt.check(.copy)
          try file.write(bytes[...], at: offset)
          offset += Int64(bytes.count)
          progress(Double(offset) / Double(total))
        }
      case .pages(let pages):
        try pages.forEachPage(of: source, path: file.path) { (bytes) throws(SystemError) in
          try interrupt.check(.copy)
          try file.write(bytes[...], at: offset)
          offset += Int64(bytes.count)
          progress(Double(offset) / Double(total))
        }
      }
    }
  }

  private func copy(
    _ range: Range<Int64>, of source: ByteReader,
    _ body: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = try source.bytes(at: place, count: Int(min(1 << 20, range.upperBound - place)))
      guard !bytes.isEmpty else {
        throw SystemError(
          .invalidData, operation: .copy, subject: "the source",
          detail: "it is shorter than it was when it was opened")
      }
      try body(bytes)
      place += Int64(bytes.count)
    }
  }
}
