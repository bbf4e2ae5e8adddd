internal import CLibAV

/// The position of a coded frame among the others, from its header.
package struct ParsedPicture: Sendable {
  package enum Kind: UInt8, Sendable { case intra, predicted, bidirectional, unknown }
  package var kind: Kind
  /// The picture order count, for codecs with such a number; nil for others, and where it couldn't
  /// be read.
  package var order: Int32?
  /// True if it is one field of a frame, and another sample has the other.
  package var isField: Bool
}

/// A libavcodec parser of the headers of coded frames, in decode order.
@safe package struct PictureParser: ~Copyable {
  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let hasOrder: Bool

  /// - Returns: nil for a codec without a parser.
  package init?(_ format: MediaFormat) {
    let codec = unsafe format.parameters.pointer.pointee.codec_id
    guard let parser = unsafe av_parser_init(Int32(bitPattern: codec.rawValue)) else { return nil }
    guard let context = unsafe avcodec_alloc_context3(nil),
      unsafe avcodec_parameters_to_context(context, format.parameters.pointer) >= 0
    else {
      unsafe av_parser_close(parser)
      return nil
    }
    unsafe parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    unsafe self.parser = parser
    unsafe self.context = context
    hasOrder = PictureParser.codecsWithOrder.contains(format.parameters.codecName)
  }

  /// The codecs whose parsers work out the picture order count (`output_picture_number`).
  private static let codecsWithOrder: Set = ["h264", "hevc", "vvc"]

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
    unsafe av_parser_close(parser)
  }

  /// Reads the header of the next frame.
  package mutating func parse(_ packet: borrowing Packet) -> ParsedPicture {
    // A parser leaves the number unchanged where it finds no frame.
    unsafe parser.pointee.output_picture_number = .min
    unsafe parser.pointee.pict_type = Int32(bitPattern: AV_PICTURE_TYPE_NONE.rawValue)
    unsafe parser.pointee.picture_structure = AV_PICTURE_STRUCTURE_UNKNOWN
    var (output, size): (UnsafeMutablePointer<UInt8>?, Int32) = (nil, 0)
    let source = unsafe packet.pointer.pointee
    _ = unsafe av_parser_parse2(
      parser, context, &output, &size, source.data, source.size, source.pts, source.dts, source.pos)
    let number = unsafe parser.pointee.output_picture_number
    let structure = unsafe parser.pointee.picture_structure
    return ParsedPicture(
      kind: kind, order: hasOrder && number != .min ? number : nil,
      isField: structure == AV_PICTURE_STRUCTURE_TOP_FIELD
        || structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD)
  }

  private var kind: ParsedPicture.Kind {
    switch AVPictureType(UInt32(bitPattern: unsafe parser.pointee.pict_type)) {
    case AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_SI: .intra
    case AV_PICTURE_TYPE_P, AV_PICTURE_TYPE_S, AV_PICTURE_TYPE_SP: .predicted
    case AV_PICTURE_TYPE_B: .bidirectional
    // BI is a frame of VC-1 which is shown at its position between others, as B is.
    case AV_PICTURE_TYPE_BI: .bidirectional
    default: .unknown
    }
  }
}
