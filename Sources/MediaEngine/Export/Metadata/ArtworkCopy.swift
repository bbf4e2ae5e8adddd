import LibAV

/// The pictures that belong to a file as a whole, on their way into another, and its attachments.
struct ArtworkCopy: ~Copyable {
  private var streams: [(picture: Artwork, stream: Int)] = []
  private let path: String

  /// Announces them to the muxer, after all tracks.
  init(_ output: ExportOutput, path: String) throws(EngineError) {
    self.path = path
    guard let metadata = output.metadata else { return }
    for stream in metadata.attachments {
      try mapErrors(.write, path: path) { () throws(LibAVError) in
        try output.muxer.addAttachment(copying: stream)
      }
    }
    for (index, picture) in metadata.artwork.enumerated() {
      if metadata.capabilities.artwork == .attachment {
        try ArtworkCopy.attach(picture, index, path: path, output: output)
      } else {
        let stream = try mapErrors(.write, path: path) { () throws(LibAVError) in
          try output.muxer.addPicture(
            codec: picture.codec, width: picture.width, height: picture.height, tags: picture.tags)
        }
        streams.append((picture, stream))
      }
    }
  }

  /// Matroska keeps pictures as attachments; "cover" is the name its players look for.
  private static func attach(
    _ picture: Artwork, _ index: Int, path: String, output: ExportOutput
  ) throws(EngineError) {
    let codec = picture.codec
    let name = index == 0 ? "cover" : "cover\(index + 1)"
    try mapErrors(.write, path: path) { () throws(LibAVError) in
      try output.muxer.addAttachment(
        picture.bytes, codec: codec, name: "\(name).\(codec == "mjpeg" ? "jpg" : codec)",
        mimeType: picture.mimeType, tags: picture.tags)
    }
  }

  /// Writes them, once the header is there.
  mutating func write(_ output: ExportOutput) throws(EngineError) {
    for (picture, stream) in streams {
      try mapErrors(.write, path: path) { () throws(LibAVError) in
        var packet = try Packet(picture.bytes)
        packet.streamIndex = stream
        packet.pts = 0
        packet.dts = 0
        try output.muxer.write(&packet)
      }
    }
  }
}
