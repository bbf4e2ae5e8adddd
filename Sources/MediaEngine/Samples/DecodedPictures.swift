import LibAV
import MediaTime

/// Decoded pictures in presentation order: those of which a part is shown within the range.
final class DecodedPictures: SampleSequence {
  private let clip: TrackClip
  private var reader: FrameReader
  private var converter = PictureConverter()
  private let format: PixelFormat
  private let width: Int?
  private let height: Int?
  private var current: Frame
  private var ahead: Frame
  private var hasCurrent: Bool
  /// The picture that no memory was free for, converted at the next pull.
  private var isCurrentDue = false

  init(
    clip: TrackClip, pixelFormat: String, width: Int?, height: Int?
  ) throws(EngineError) {
    self.clip = clip
    guard let format = PixelFormat(name: pixelFormat) else {
      throw EngineError(
        .unsupportedOutputSettings, "This build has no pixel format '\(pixelFormat)'")
    }
    self.format = format
    self.width = width
    self.height = height
    var reader = try clip.makeReader(threads: 0)
    var current = try naming(.decode, path: clip.path, Frame.init)
    hasCurrent = try reader.next(into: &current)
    ahead = try naming(.decode, path: clip.path, Frame.init)
    self.reader = reader
    self.current = current
  }

  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    while hasCurrent {
      if !isCurrentDue { hasAhead = try reader.next(into: &ahead) }
      let start = clip.media.time(current.pts ?? 0)
      let following = hasAhead ? ahead.pts.map(clip.media.time) : nil
      let stated = clip.media.duration(current.duration)
      let duration = following.map { max(.zero, $0 - start) } ?? stated
      let isShown = start + duration > clip.range.start || (following == nil && duration == .zero)
      let isPast = clip.range.duration.isNumeric && start >= clip.range.end
      if isPast { return nil }
      if isShown {
        isCurrentDue = true
        let buffer = try makeBuffer(start: start, duration: duration, allocator: allocator)
        advance()
        return buffer
      }
      advance()
    }
    return nil
  }

  private var hasAhead = false

  private func advance() {
    swap(&current, &ahead)
    hasCurrent = hasAhead
    isCurrentDue = false
  }

  private func makeBuffer(
    start: Time, duration: Time, allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    let color = PictureColor(of: current, as: format)
    let path = clip.path
    let layout = try naming(.convert, path: path) { () throws(LibAVError) in
      try PictureLayout(
        width: width ?? current.width, height: height ?? current.height, format: format)
    }
    let made = try naming(.convert, path: path) { () throws(LibAVError) in
      try converter.convert(
        current, to: layout, color: color, allocator: allocator, interrupt: clip.interrupt)
    }
    let trims = clip.trims(start: start, duration: duration)
    return SampleBuffer(
      presentationTime: start, duration: duration, sampleCount: 1,
      attachments: SampleAttachments(
        trimDurationAtStart: trims.start, trimDurationAtEnd: trims.end),
      data: MediaData(block: made.block),
      content: .picture(
        SampleBuffer.Picture(
          pixelFormat: format.name ?? "", width: layout.width, height: layout.height,
          planes: layout.planes.map(PicturePlane.init),
          color: FormatDescription.Color(made.color))))
  }
}
