internal import CLibAV

/// Turns packets of subtitles that are text into plain text (libavcodec).
@safe package struct TextDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String

  package init(stream: StreamInfo) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let opened = try unsafe Decoder.open(stream, threads: 1)
    unsafe context = opened
    name = stream.parameters.codecName
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
  }

  /// The text of a packet, its lines separated by line feeds; empty for one that clears the screen.
  ///
  /// - Throws: `invalidData` for a packet it can't decode; the decoder stays usable.
  package mutating func decode(_ packet: borrowing Packet) throws(LibAVError) -> String {
    var subtitle = unsafe AVSubtitle()
    var isThere: Int32 = 0
    try check(
      unsafe avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.pointer), "decode", name)
    defer { unsafe avsubtitle_free(&subtitle) }
    guard isThere != 0 else { return "" }
    var lines: [String] = []
    for place in 0..<Int(unsafe subtitle.num_rects) {
      guard let rectangle = unsafe subtitle.rects[place] else { continue }
      if let event = unsafe rectangle.pointee.ass {
        lines.append(TextDecoder.plainText(ofEvent: unsafe String(cString: event)))
      } else if let text = unsafe rectangle.pointee.text {
        lines.append(unsafe String(cString: text))
      }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The text of an event as libavcodec writes it, eight fields and the text between commas: without
  /// the codes in braces, and with `\N`, `\n`, `\h`, `\{` and `\}` as what they mean (the ASS format).
  /// From FFmpeg 6 on decoders write a brace as `\{{}` and a backslash with U+2060 behind it.
  static func plainText(ofEvent event: String) -> String {
    let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return "" }
    var text = ""
    var rest = fields[8][...]
    while let character = rest.popFirst() {
      if character == "{", rest.first == "\\" || rest.first == "}",
        let end = rest.firstIndex(of: "}")
      {
        rest = rest[rest.index(after: end)...]
      } else if character == "\\", let code = rest.first, let meaning = escapes[code] {
        text.append(meaning)
        rest.removeFirst()
      } else if character != "\r" && character != "\r\n" {
        text.append(character)
      } else if character == "\r\n" {
        text.append("\n")
      }
    }
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }

  private static let escapes: [Character: Character] = [
    "N": "\n", "n": "\n", "h": "\u{a0}", "{": "{", "}": "}", "\u{2060}": "\\",
  ]
}

extension CodecParameters {
  /// Subtitles that are text, not pictures.
  package var isText: Bool {
    guard let descriptor = unsafe avcodec_descriptor_get(pointer.pointee.codec_id) else {
      return false
    }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
  }
}
