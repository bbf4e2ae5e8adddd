/// A writer of boxes, in big-endian order.
struct BoxWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func integer(_ value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  /// Writes the four bytes of a box's type; zeros for a text that isn't one.
  mutating func code(_ text: String) { append(BoxWriter.code(text) ?? [0, 0, 0, 0]) }

  /// Returns the bytes of a four-character code, which are Latin 1; nil for a text that isn't one.
  static func code(_ text: String) -> [UInt8]? {
    let bytes = text.unicodeScalars.map { UInt8(exactly: $0.value) }
    guard bytes.count == 4 else { return nil }
    let code = bytes.compactMap(\.self)
    return code.count == 4 ? code : nil
  }

  /// Writes a box around the output of `body`.
  mutating func box(_ type: String, _ body: (inout BoxWriter) -> Void) {
    box(BoxWriter.code(type) ?? [0, 0, 0, 0], body)
  }

  mutating func box(_ type: [UInt8], _ body: (inout BoxWriter) -> Void) {
    let start = bytes.count
    integer(0 as UInt32)
    append(type)
    body(&self)
    replace(UInt32(clamping: bytes.count - start), at: start)
  }

  mutating func fullBox(
    _ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout BoxWriter) -> Void
  ) {
    box(type) { writer in
      writer.integer(UInt32(version) << 24 | flags)
      body(&writer)
    }
  }

  /// Adds a track's edits, each at the natural rate (ISO/IEC 14496-12, 8.6.5 and 8.6.6).
  ///
  /// - Parameters:
  ///   - edits: durations in ticks of the movie, and times in ticks of the media; -1 for a time without media.
  ///   - isLong: true for 64 bits a number.
  mutating func edits(_ edits: [(duration: Int64, time: Int64)], isLong: Bool) {
    box("edts") { writer in
      writer.fullBox("elst", version: isLong ? 1 : 0) { writer in
        writer.integer(UInt32(edits.count))
        for edit in edits {
          if isLong {
            writer.integer(edit.duration)
            writer.integer(edit.time)
          } else {
            writer.integer(UInt32(truncatingIfNeeded: edit.duration))
            writer.integer(Int32(truncatingIfNeeded: edit.time))
          }
          writer.integer(0x10000 as UInt32)
        }
      }
    }
  }

  /// Writes UTF-8 and a NUL.
  mutating func terminated(_ text: String) {
    append(text.utf8.filter { $0 != 0 })
    integer(0 as UInt8)
  }

  /// Overwrites a number.
  mutating func replace(_ value: some FixedWidthInteger, at offset: Int) {
    bytes.replace(value, at: offset)
  }
}

extension [UInt8] {
  /// Overwrites a number, in big-endian order; without effect if it doesn't fit.
  mutating func replace(_ value: some FixedWidthInteger, at offset: Int) {
    let size = value.bitWidth / 8
    guard offset >= 0, offset <= count - size else { return }
    for index in 0..<size {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> ((size - 1 - index) * 8))
    }
  }
}

extension PackedLanguage {
  /// Creates a language from three letters of ISO 639-2/T; nil for other texts.
  init?(iso639 code: String) {
    let letters = code.utf8.map { $0 }
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
    self.init(rawValue: letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) })
  }

  /// Creates the language of a BCP 47 tag, undetermined if it has no code of three letters.
  init(tag: String?) {
    self =
      tag.flatMap(iso639(ofTag:)).flatMap { PackedLanguage(iso639: $0) } ?? .undetermined
  }
}
