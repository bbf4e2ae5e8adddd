internal import CLibAV

/// What this build of FFmpeg has: listed from the libraries, not from a table of ours.
package enum Capabilities {
  package struct Format: Sendable {
    package var name: String
    package var extensions: [String]
    package var mimeTypes: [String]
  }

  package static func codecs(_ kind: MediaKind, encoders: Bool) -> [String] {
    var names: [String] = []
    var state: UnsafeMutableRawPointer? = nil
    while let codec = unsafe av_codec_iterate(&state) {
      let matches = unsafe encoders ? av_codec_is_encoder(codec) : av_codec_is_decoder(codec)
      if matches != 0, MediaKind(unsafe codec.pointee.type) == kind,
        let name = unsafe string(codec.pointee.name)
      {
        names.append(name)
      }
    }
    return names.sorted()
  }

  /// Demuxers that ``Demuxer`` may use, by their first name.
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

  package static func muxer(_ name: String) -> Format? {
    guard let format = unsafe av_guess_format(name, nil, nil) else { return nil }
    func list(_ pointer: UnsafePointer<CChar>?) -> [String] {
      unsafe (string(pointer) ?? "").split(separator: ",").map(String.init)
    }
    return unsafe Format(
      name: name, extensions: list(format.pointee.extensions),
      mimeTypes: list(format.pointee.mime_type))
  }
}
