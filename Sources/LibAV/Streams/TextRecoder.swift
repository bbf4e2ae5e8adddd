import SystemIO

/// A converter of text in other character sets to UTF-8.
package protocol TextRecoder: AnyObject, Sendable {
  /// - Parameter bytes: text of the stream of that number, which isn't UTF-8.
  /// - Throws: an error if the character set isn't known.
  func utf8(_ bytes: [UInt8], ofStream stream: Int, interrupt: Interrupt) throws(LibAVError)
    -> [UInt8]
}

extension Demuxer {
  /// Converts the text of a packet to UTF-8. Containers require UTF-8, and hold any text that
  /// programs have written into them.
  func recodeText(of packet: inout Packet) throws(LibAVError) {
    let stream = packet.streamIndex
    guard let recoder = options.textRecoder, isSelected(stream), streams.indices.contains(stream),
      streams[stream].parameters.isCharacters,
      let text = packet.foreignText(of: streams[stream].format)
    else { return }
    let recoded = try recoder.utf8(text, ofStream: stream, interrupt: interrupt)
    try packet.replaceText(recoded, of: streams[stream].format)
  }
}

extension Packet {
  /// Returns the text of a packet, if it isn't UTF-8; nil for text that is.
  package func foreignText(of format: MediaFormat) -> [UInt8]? {
    let range = textRange(of: format)
    let text = bytes(at: range.lowerBound, count: range.count)
    let isASCII = text.allSatisfy { $0 < 0x80 }
    return isASCII || String(validating: text, as: UTF8.self) != nil ? nil : text
  }

  /// Returns the range of the text: that of a movie comes after its length, and before its styles
  /// (3GPP TS 26.245, 5.17).
  private func textRange(of format: MediaFormat) -> Range<Int> {
    guard format.parameters.codecName == "mov_text" else { return 0..<size }
    let length = bytes(at: 0, count: 2)
    guard length.count == 2 else { return 0..<0 }
    return 2..<min(size, 2 + (Int(length[0]) << 8 | Int(length[1])))
  }

  fileprivate mutating func replaceText(
    _ text: [UInt8], of format: MediaFormat
  ) throws(LibAVError) {
    guard format.parameters.codecName == "mov_text" else { return try replaceBytes(text) }
    let styles = bytes(at: textRange(of: format).upperBound, count: size)
    let length = UInt16(clamping: text.count)
    try replaceBytes(
      [UInt8(length >> 8), UInt8(length & 0xFF)] + text.prefix(Int(length)) + styles)
  }
}
