internal import CLibAV

/// The codecs, muxers and demuxers of this build of FFmpeg: listed from the libraries, not from a
/// table of ours.
package enum Capabilities {
  package struct Codec: Sendable {
    package var name: String
    package var codec: String
    package var description: String
  }

  package static func codecs(_ kind: MediaKind, encoders: Bool) -> [Codec] {
    var codecs: [Codec] = []
    var state: UnsafeMutableRawPointer? = nil
    while let codec = unsafe av_codec_iterate(&state) {
      let matches = unsafe encoders ? av_codec_is_encoder(codec) : av_codec_is_decoder(codec)
      guard matches != 0, MediaKind(unsafe codec.pointee.type) == kind,
        let name = unsafe string(codec.pointee.name)
      else { continue }
      let id = unsafe codec.pointee.id
      unsafe codecs.append(
        Codec(
          name: name, codec: string(avcodec_get_name(id)) ?? "",
          description: string(codec.pointee.long_name) ?? ""))
    }
    return codecs.sorted { $0.name < $1.name }
  }

  /// The demuxers that ``Demuxer`` may use, by their first name.
  package static var demuxers: Set<String> {
    var names: Set<String> = []
    var state: UnsafeMutableRawPointer? = nil
    while let format = unsafe av_demuxer_iterate(&state) {
      for name in unsafe (string(format.pointee.name) ?? "").split(separator: ",") {
        names.insert(String(name))
      }
    }
    return names.intersection(Library.allowedDemuxers)
  }

  /// Returns the muxer's name for people; nil when this build lacks it.
  package static func muxerName(_ name: String) -> String? {
    unsafe av_guess_format(name, nil, nil).flatMap { unsafe string($0.pointee.long_name) }
  }

  /// Returns the demuxer's name for people; nil when this build lacks it.
  package static func demuxerName(_ name: String) -> String? {
    unsafe av_find_input_format(name).flatMap { unsafe string($0.pointee.long_name) }
  }
}
