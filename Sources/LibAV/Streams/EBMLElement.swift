import SystemIO

/// The header of a Matroska element (RFC 8794, sections 4 to 6).
package struct EBMLElement: Sendable {
  package var id: UInt32
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

  /// Reads the element that begins at `offset`; nil if none does.
  package init?(_ source: ByteReader, at offset: Int64) throws(SystemError) {
    let bytes = try source.bytes(at: offset, count: 12)
    var rest = bytes[...]
    guard let id = EBMLElement.number(&rest, withMarker: true), id.count <= 4,
      let size = EBMLElement.number(&rest, withMarker: false)
    else { return nil }
    self.id = UInt32(truncatingIfNeeded: id.value)
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
}
