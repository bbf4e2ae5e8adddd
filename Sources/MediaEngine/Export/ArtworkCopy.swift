import LibAV

/// The pictures that belong to a file as a whole, on their way into another.
struct ArtworkCopy: ~Copyable {
  private var streams: [(picture: AttachedPicture, stream: Int)] = []
  private let path: String

  /// Announces them to the muxer, after all tracks.
  init(
    _ pictures: [AttachedPicture], work: ExportWork, output: ExportOutput
  ) throws(EngineError) {
    path = work.file.path
    let isAttached = work.session.fileType.rules.artwork == .attachment
    for picture in pictures {
      if isAttached {
        try ArtworkCopy.attach(picture, path: path, output: output)
      } else {
        let stream = try naming(.write, path: path) { () throws(LibAVError) in
          try output.muxer.addStream(copying: picture.media.stream)
        }
        streams.append((picture, stream))
      }
    }
  }

  /// Matroska keeps pictures as attachments; "cover" is the name its players look for.
  private static func attach(
    _ picture: AttachedPicture, path: String, output: ExportOutput
  ) throws(EngineError) {
    let stream = picture.media.stream
    let isJPEG = stream.parameters.codecName == "mjpeg"
    let codec = isJPEG ? "jpeg" : stream.parameters.codecName
    try naming(.write, path: path) { () throws(LibAVError) in
      try output.muxer.addAttachment(
        picture.bytes, of: stream, name: "cover.\(isJPEG ? "jpg" : codec)",
        mimeType: "image/\(codec)")
    }
  }

  /// Writes them, once the header is there.
  mutating func write(_ output: ExportOutput) throws(EngineError) {
    for (picture, stream) in streams {
      try naming(.write, path: path) { () throws(LibAVError) in
        var packet = try Packet(picture.bytes)
        packet.streamIndex = stream
        packet.pts = 0
        packet.dts = 0
        try output.muxer.write(&packet)
      }
    }
  }
}
