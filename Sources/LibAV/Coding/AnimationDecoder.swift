internal import CLibAV
internal import CPixels

/// The canvas on which the frames of an animation are drawn one over the other, each into a part of it.
package struct AnimationCanvas: Sendable, Hashable {
  /// In pixels.
  package let width: Int
  package let height: Int
  /// True if it is transparent where nothing is drawn.
  package let hasAlpha: Bool

  package init(width: Int, height: Int, hasAlpha: Bool) {
    (self.width, self.height, self.hasAlpha) = (width, height, hasAlpha)
  }

  /// The format of the frames with all that is drawn.
  var pixelFormat: PixelFormat {
    PixelFormat(hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB0)
  }
}

/// A decoder of the frames of an animated WebP file, whose samples are files of their own: `RIFF`, `VP8X`, a chunk of
/// the frame's place (RFC 9649, section 2.7.1.1) with a byte that is 1 for sync samples, and its image.
///
/// Drawing has the arithmetic of libwebp's `WebPAnimDecoder`, for straight alpha; over nothing, colours stay as they are.
@safe final class AnimationDecoder {
  private let canvas: AnimationCanvas
  /// The context of ``Decoder``, which frees it.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  private var pixels: [UInt8]
  /// The part that becomes transparent before the next frame is drawn.
  private var cleared: PictureRectangle?
  private var converter = PictureConverter()
  private var whole: Frame?
  private var isDrained = false

  init(_ canvas: AnimationCanvas, _ context: UnsafeMutablePointer<AVCodecContext>, name: String) {
    self.canvas = canvas
    unsafe self.context = context
    self.name = name
    pixels = [UInt8](repeating: 0, count: canvas.width * canvas.height * 4)
  }

  /// - Throws: `invalidData` where the image can't be decoded; the canvas then stays as it is.
  func send(_ packet: borrowing Packet) throws(LibAVError) {
    let head = packet.bytes(at: 38, count: min(16, max(0, packet.size - 38)))
    func little(_ offset: Int) -> Int {
      Int(head[offset]) | Int(head[offset + 1]) << 8 | Int(head[offset + 2]) << 16
    }
    guard head.count == 16 else { throw damage("the sample isn't a frame") }
    let part = PictureRectangle(
      x: 2 * little(0), y: 2 * little(3), width: little(6) + 1, height: little(9) + 1)
    guard part.within(width: canvas.width, height: canvas.height) == part else {
      throw damage("a frame lies outside the canvas")
    }
    if let cleared { fill(cleared) }
    cleared = head[15] & 1 != 0 ? part : nil
    let image = try decode(packet)
    guard (image.width, image.height) == (part.width, part.height) else {
      throw damage("a frame has another size than its image")
    }
    draw(image, part, isBlended: head[15] & 2 == 0)
    let layout = try PictureLayout(
      width: canvas.width, height: canvas.height, format: canvas.pixelFormat)
    let picture = try Frame.allocate(layout)
    if let data = unsafe picture.pointer.pointee.data.0 {
      let stride = unsafe Int(picture.pointer.pointee.linesize.0)
      let row = canvas.width * 4
      unsafe pixels.withUnsafeBufferPointer { pixels in
        guard let base = pixels.baseAddress else { return }
        for y in 0..<canvas.height {
          unsafe (data + y * stride).update(from: base + y * row, count: row)
        }
      }
    }
    picture.describe(.rgb, chromaLocation: 0)
    picture.setPTS(packet.pts)
    whole = consume picture
  }

  func drain() { isDrained = true }

  func receive(into frame: inout Frame) -> Decoder.Output {
    guard let picture = whole.take() else { return isDrained ? .endOfStream : .needsInput }
    frame = picture
    return .frame
  }

  /// Decoding goes on at a sync sample, of which nothing before is seen.
  func flush() {
    whole = nil
    isDrained = false
    cleared = nil
    fill(PictureRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height))
  }

  /// Returns a frame's image in rgba. Each is a stream of one: the decoder is emptied after it.
  private func decode(_ packet: borrowing Packet) throws(LibAVError) -> Frame {
    guard let frame = try unsafe Decoder.onlyFrame(of: packet, by: context, name) else {
      throw damage("a frame holds no image")
    }
    if frame.pixelFormat.isYUV {
      // RFC 9649 has no other colours than VP8's.
      var color = frame.color
      (color.matrix, color.range) = (PictureColor.bt601, 1)
      frame.setColor(color)
    }
    return try converter.frame(
      from: frame, to: PictureLayout(width: frame.width, height: frame.height, format: .rgba),
      color: .rgb)
  }

  private func fill(_ part: PictureRectangle) {
    for y in part.y..<part.y + part.height {
      let start = (y * canvas.width + part.x) * 4
      unsafe pixels.withUnsafeMutableBufferPointer { pixels in
        _ = unsafe pixels[start..<start + part.width * 4].update(repeating: 0)
      }
    }
  }

  private func draw(_ image: borrowing Frame, _ part: PictureRectangle, isBlended: Bool) {
    guard let data = unsafe image.pointer.pointee.data.0 else { return }
    let stride = unsafe Int(image.pointer.pointee.linesize.0)
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      for y in 0..<part.height {
        let target = unsafe base + ((part.y + y) * canvas.width + part.x) * 4
        let source = unsafe data + y * stride
        if isBlended {
          unsafe rw_draw_over(target, source, Int32(clamping: part.width))
        } else {
          unsafe target.update(from: source, count: part.width * 4)
        }
      }
    }
  }

  private func damage(_ detail: String) -> LibAVError {
    LibAVError(.invalidData, operation: "decode", subject: name, detail: detail)
  }
}

extension Packet {
  /// True if a frame of an animation depends on none before it. libavformat takes all samples of a codec of still
  /// pictures for sync samples.
  var beginsAnimation: Bool { bytes(at: 54, count: min(1, max(0, size - 54))) == [1] }
}
