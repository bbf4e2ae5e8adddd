import SystemIO

/// The header of a Matroska element (RFC 8794, sections 4 to 6).
package struct EBMLElement: Sendable {
  package var id: UInt32
  /// The start of its header in the source.
  package var offset: Int64
  /// The start of its content in the source.
  package var content: Int64
  /// The length of its content in bytes; nil where that is unknown, as in live streams.
  package var length: Int64?

  /// The end of its content; nil where that is unknown. Beyond every file if it can't be expressed.
  package var end: Int64? {
    length.map { length in
      let (end, overflow) = content.addingReportingOverflow(length)
      return overflow ? .max : end
    }
  }

  package static let header: UInt32 = 0x1A45_DFA3
  package static let segment: UInt32 = 0x1853_8067
  package static let cluster: UInt32 = 0x1F43_B675
  package static let seekHead: UInt32 = 0x114D_9B74

  /// Reads the element that begins at `offset`; nil if none does.
  package init?(_ source: ByteReader, at offset: Int64) throws(SystemError) {
    let bytes = try source.bytes(at: offset, count: 12)
    var rest = bytes[...]
    guard let id = EBMLElement.number(&rest, withMarker: true), id.count <= 4,
      let size = EBMLElement.number(&rest, withMarker: false)
    else { return nil }
    self.id = UInt32(truncatingIfNeeded: id.value)
    self.offset = offset
    content = offset + Int64(id.count + size.count)
    let unknown = UInt64(1) << (7 * UInt64(size.count)) - 1
    length = size.value == unknown ? nil : Int64(size.value)
  }

  /// Reads a number of variable length, which the position of its first bit states.
  private static func number(
    _ rest: inout ArraySlice<UInt8>, withMarker: Bool
  ) -> (value: UInt64, count: Int)? {
    guard let first = rest.first, first != 0 else { return nil }
    let count = first.leadingZeroBitCount + 1
    guard rest.count >= count else { return nil }
    let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return (withMarker ? value : value & (1 << (7 * UInt64(count)) - 1), count)
  }

  /// Returns the one segment of a Matroska file; nil for any other file.
  package static func segment(of source: ByteReader) throws(SystemError) -> EBMLElement? {
    guard let header = try EBMLElement(source, at: 0), header.id == EBMLElement.header,
      let end = header.end, let segment = try EBMLElement(source, at: end),
      segment.id == EBMLElement.segment
    else { return nil }
    return segment
  }

  /// Returns the end of a Matroska file that another one follows in the same source, in bytes; nil for any other file.
  static func followedDocument(
    of source: any ByteSource, _ reader: ByteReader
  ) throws(SystemError) -> Int64? {
    guard let end = try segment(of: reader)?.end, try end < source.size,
      try EBMLElement(reader, at: end)?.id == header
    else { return nil }
    return end
  }

  // MARK: Children

  /// The limit of elements at the beginning of a segment, above the number in nearly all files.
  private static let headerLimit = 64
  /// The maximum length of a list of elements, in bytes.
  private static let seekHeadLimit: Int64 = 1 << 16

  /// Calls `body` with each element that lies whole in this one; with none if its length is unknown.
  package func forEachChild(
    in source: ByteReader, _ body: (EBMLElement) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard let limit = end else { return }
    var offset = content
    while offset < limit, let child = try EBMLElement(source, at: offset), let end = child.end,
      end <= limit, end > offset
    {
      try body(child)
      offset = end
    }
  }

  /// Calls `body` with the elements of this segment that are before its first cluster, until it
  /// returns false.
  ///
  /// - Parameter size: the size of the source in bytes. The last element may end after it.
  package func forEachHeaderElement(
    in source: ByteReader, size: Int64, _ body: (EBMLElement) throws(SystemError) -> Bool
  ) throws(SystemError) {
    var offset = content
    for _ in 0..<EBMLElement.headerLimit {
      guard offset < size, let element = try EBMLElement(source, at: offset),
        element.id != EBMLElement.cluster, let end = element.end, try body(element)
      else { return }
      offset = end
    }
  }

  /// Returns the positions that this list of elements (`SeekHead`, RFC 9559, section 5.1.1) states
  /// for elements of a kind, relative to the segment's content.
  package func positions(
    ofElements kind: UInt32, in source: ByteReader
  ) throws(SystemError) -> [Int64] {
    guard length ?? .max <= EBMLElement.seekHeadLimit else { return [] }
    var positions: [Int64] = []
    try forEachChild(in: source) { (seek) throws(SystemError) in
      var (id, position): (UInt64?, UInt64?)
      try seek.forEachChild(in: source) { (field) throws(SystemError) in
        if field.id == 0x53AB { id = try field.unsigned(in: source) }
        if field.id == 0x53AC { position = try field.unsigned(in: source) }
      }
      // A larger position is in no file.
      if id == UInt64(kind), let position, position < 1 << 60 { positions.append(Int64(position)) }
    }
    return positions
  }

  /// Returns the unsigned integer that it holds; nil if it has more than eight bytes.
  package func unsigned(in source: ByteReader) throws(SystemError) -> UInt64? {
    guard let length, length <= 8 else { return nil }
    return try source.bytes(at: content, count: Int(length)).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
