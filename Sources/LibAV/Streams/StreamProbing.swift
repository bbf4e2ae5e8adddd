internal import CLibAV

/// The streams of a source as a demuxer has found them, for one that reads a single stream of it.
package struct KnownStreams: Sendable {
  /// The parameters of all streams, in their order.
  let parameters: [CodecParameters]
  /// The numbers of the streams that are read.
  let wanted: Set<Int>

  package init(_ streams: [StreamInfo], wanted: Set<Int>) {
    (parameters, self.wanted) = (streams.map(\.parameters), wanted)
  }
}

extension Demuxer {
  /// The codecs whose decoders aren't opened for known streams: a decoder that libavformat opens to
  /// probe a stream holds all of its state until the file is closed since 7.0, for HEVC 0.7 MB. A
  /// demuxer for each of many tracks would need that by the square of their number.
  private static let largeDecoders = [AV_CODEC_ID_HEVC]

  /// Probes the streams, with the pixel bound set in the decoders that probing opens.
  static func probe(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ known: KnownStreams?, _ name: String
  ) throws(LibAVError) {
    let count = Int(unsafe context.pointee.nb_streams)
    var options = unsafe [OpaquePointer?](repeating: nil, count: count)
    defer { for index in 0..<count { unsafe av_dict_free(&options[index]) } }
    for index in 0..<count {
      unsafe av_dict_set_int(&options[index], "max_pixels", Library.limits.pixels, 0)
      unsafe av_dict_set_int(&options[index], "threads", 1, 0)
      // These frames are never shown: their properties are in their headers.
      unsafe av_dict_set(&options[index], "skip_loop_filter", "all", 0)
      unsafe av_dict_set(&options[index], "skip_idct", "all", 0)
    }
    var isMuted = false
    // Of transport and program streams, libavformat 7.1 leaves out the times of every other frame of audio where another
    // stream wasn't probed.
    let behavior = DemuxerBehavior(unsafe string(context.pointee.iformat.pointee.name) ?? "")
    if let known, known.parameters.count == count, behavior.clockBits == nil {
      for index in 0..<count where !known.wanted.contains(index) {
        guard let stream = unsafe context.pointee.streams[index],
          try unsafe adopt(known.parameters[index], stream)
        else { continue }
        unsafe av_dict_set(&options[index], "codec_whitelist", "none", 0)
        isMuted = true
      }
    }
    // libavformat complains of each decoder that isn't on the list; other complaints came with the
    // first demuxer.
    let result =
      isMuted
      ? Log.muted { unsafe avformat_find_stream_info(context, &options) }
      : unsafe avformat_find_stream_info(context, &options)
    try check(result, "probe", name)
  }

  /// Sets a stream of a codec whose decoder is large to its known parameters.
  ///
  /// - Returns: false for other streams, which are probed.
  private static func adopt(
    _ known: CodecParameters, _ stream: UnsafeMutablePointer<AVStream>
  ) throws(LibAVError) -> Bool {
    let parameters = unsafe stream.pointee.codecpar
    guard let parameters = unsafe parameters,
      largeDecoders.contains(unsafe parameters.pointee.codec_id),
      unsafe known.pointer.pointee.codec_id == parameters.pointee.codec_id,
      unsafe known.pointer.pointee.width > 0, unsafe known.pointer.pointee.format >= 0
    else { return false }
    try check(
      unsafe avcodec_parameters_copy(parameters, known.pointer), "copy", "codec parameters")
    return true
  }
}
