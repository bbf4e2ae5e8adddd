internal import CLibAV

/// A decoder of text subtitles (libavcodec).
@safe package struct TextDecoder: ~Copyable {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  /// Its events are those of a script, as they were written.
  package var isScript: Bool { name == "ass" || name == "ssa" }

  package init(_ format: MediaFormat, timeBase: TimeBase) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let opened = try unsafe Decoder.open(format, timeBase: timeBase, threads: 1)
    unsafe context = opened
    name = format.parameters.codecName
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
  }

  /// The styles that events name: the header of an ASS script.
  package var header: [UInt8] {
    guard let header = unsafe context.pointee.subtitle_header else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(
        start: header, count: Int(max(0, context.pointee.subtitle_header_size))))
  }

  /// Returns the text of a packet; empty for one that clears the screen.
  ///
  /// - Throws: `invalidData` for a packet it can't decode; the decoder stays usable.
  package mutating func decode(_ packet: borrowing Packet) throws(LibAVError) -> CueText {
    guard name == "subrip" else { return try decodeUnmarked(packet) }
    let (marked, hasUnknownTags) = SubRipMarkup.marking(packet.bytes)
    var text =
      if let marked { try decodeUnmarked(try packet.replacing(marked)) } else {
        try decodeUnmarked(packet)
      }
    text.hasUnknownTags = hasUnknownTags
    return text
  }

  private mutating func decodeUnmarked(
    _ packet: borrowing Packet
  ) throws(LibAVError) -> CueText {
    var subtitle = unsafe AVSubtitle()
    var isThere: Int32 = 0
    let result = unsafe avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.pointer)
    defer { unsafe avsubtitle_free(&subtitle) }
    var text = CueText()
    // A paragraph of SAMI without text clears the screen, and libavcodec's decoder fails for it (5.1).
    if result < 0, name == "sami" { return text }
    try check(result, "decode", name)
    guard isThere != 0 else { return text }
    for place in 0..<Int(unsafe subtitle.num_rects) {
      guard let rectangle = unsafe subtitle.rects[place] else { continue }
      if let event = unsafe rectangle.pointee.ass {
        text.append(event: unmarked(unsafe String(cString: event)), isScript: isScript)
      } else if let plain = unsafe rectangle.pointee.text {
        text.append(text: unsafe String(cString: plain))
      }
    }
    return text
  }

  /// The lines of an ASS script that a packet is, each without its times: a number of its own, seven fields and the text
  /// between commas.
  ///
  /// - Throws: `invalidData` for a packet it can't decode; the decoder stays usable.
  package mutating func lines(of packet: borrowing Packet) throws(LibAVError) -> [String] {
    guard name == "subrip", let marked = SubRipMarkup.marking(packet.bytes).bytes else {
      return try unmarkedLines(of: packet)
    }
    return try unmarkedLines(of: try packet.replacing(marked))
  }

  private mutating func unmarkedLines(
    of packet: borrowing Packet
  ) throws(LibAVError) -> [String] {
    var subtitle = unsafe AVSubtitle()
    var isThere: Int32 = 0
    try check(
      unsafe avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.pointer), "decode", name)
    defer { unsafe avsubtitle_free(&subtitle) }
    guard isThere != 0 else { return [] }
    return (0..<Int(unsafe subtitle.num_rects)).compactMap { place in
      guard let line = unsafe subtitle.rects[place]?.pointee.ass else { return nil }
      let text = unmarked(unsafe String(cString: line))
      return isScript ? text : Self.escapingBraces(text)
    }
  }

  /// A line with `<` where the text of a packet was marked.
  private func unmarked(_ line: String) -> String {
    name == "subrip" ? SubRipMarkup.unmarked(line) : line
  }

  /// A line in which braces without a code are text: of formats other than scripts they are, and libavcodec before
  /// FFmpeg 6 leaves them as they are.
  static func escapingBraces(_ line: String) -> String {
    guard line.contains("{") else { return line }
    var escaped = ""
    var previous: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      if character == "{", previous != "\\", rest.first != "\\", rest.first != "}" {
        escaped += "\\{"
      } else {
        escaped.append(character)
      }
      previous = character
    }
    return escaped
  }

  /// The text of an event as libavcodec writes it, without styles.
  static func plainText(ofEvent event: String, isScript: Bool = false) -> String {
    var text = CueText()
    text.append(event: event, isScript: isScript)
    return text.plain
  }
}

extension CodecParameters {
  /// True for subtitles that are text, not images.
  package var isText: Bool {
    guard let descriptor = unsafe avcodec_descriptor_get(pointer.pointee.codec_id) else {
      return false
    }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
  }

  /// True for subtitles whose samples are characters and nothing else, except for the framing that
  /// ``TextFraming`` knows.
  package var isCharacters: Bool {
    isText
      && ![AV_CODEC_ID_EIA_608, AV_CODEC_ID_HDMV_TEXT_SUBTITLE, AV_CODEC_ID_DVB_TELETEXT].contains(
        unsafe pointer.pointee.codec_id)
  }
}
