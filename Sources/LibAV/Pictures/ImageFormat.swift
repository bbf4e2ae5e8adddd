import SystemIO

/// A format of an image file in memory: JPEG, PNG, WebP or BMP.
package enum ImageFormat: String, CaseIterable, Sendable {
  case jpeg, png, webp, bmp

  package var encoderName: String {
    switch self {
    case .jpeg: "mjpeg"
    case .png: "png"
    case .webp: "libwebp"
    case .bmp: "bmp"
    }
  }

  package var isAvailable: Bool { Encoder.isAvailable(encoderName) }
  package var mimeType: String { "image/\(rawValue)" }

  /// Returns the pixel format that its encoder needs.
  ///
  /// - Parameter hasAlpha: true if transparency has to survive.
  package func pixelFormat(hasAlpha: Bool) -> PixelFormat {
    switch self {
    case .jpeg: .yuvj420p
    case .png: hasAlpha ? .rgba : .rgb24
    case .webp: .bgra
    case .bmp: hasAlpha ? .bgra : .bgr24
    }
  }

  /// Encodes one frame, and copies the file's bytes into a block of `allocator`.
  ///
  /// - Parameter quality: 0 (smallest) to 1 (best), for JPEG and WebP.
  package func encode(
    _ frame: borrowing Frame, quality: Double, allocator: any BlockAllocator
  ) throws(LibAVError) -> Block {
    let layout = try PictureLayout(
      width: frame.width, height: frame.height, format: frame.pixelFormat)
    var settings = Encoder.Settings(
      name: encoderName,
      media: .video(
        Encoder.Video(layout: layout, timeBase: TimeBase(1, 25), frameRate: Rational(25, 1))))
    settings.threads = 1
    let bounded = min(1, max(0, quality))
    switch self {
    case .jpeg:
      // libavcodec's quantiser runs from 2 (best) to 31.
      let scale = String(2 + Int(((1 - bounded) * 29).rounded()))
      settings.options = ["qmin": scale, "qmax": scale, "huffman": "optimal"]
    case .webp: settings.options = ["quality": String(Int((bounded * 100).rounded()))]
    case .png, .bmp: break
    }
    var encoder = try Encoder(settings)
    var packet = try Packet()
    frame.setPTS(0)
    try encoder.send(frame)
    if try !encoder.receive(into: &packet) {
      try encoder.finish()
      guard try encoder.receive(into: &packet) else {
        throw LibAVError(.unknown, operation: "encode", subject: encoderName)
      }
    }
    return try packet.withBytes { bytes throws(LibAVError) in
      try asLibAVError(allocator.copy(bytes))
    }
  }
}
