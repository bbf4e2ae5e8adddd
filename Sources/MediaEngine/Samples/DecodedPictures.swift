import LibAV
import MediaTime

/// Decoded pictures in presentation order: those of which a part is shown within the range.
final class DecodedPictures: SampleSequence {
  private let clip: TrackClip
  private let form: PictureForm
  private let video: FormatDescription.Video?
  private let frames: FrameQueue
  private var converter: PictureConverter
  private var current: Frame
  private var ahead: Frame
  private var hasCurrent = false
  private var stage = Stage.first

  /// What comes next.
  private enum Stage {
    /// Taking the first frame.
    case first
    /// Taking the frame after the current one, which ends it.
    case following
    /// The current frame is a sample, shown from and for so long.
    case due(start: Time, duration: Time, isLast: Bool)
    case over
  }

  init(
    clip: TrackClip, form: PictureForm, video: FormatDescription.Video?
  ) throws(EngineError) {
    self.clip = clip
    self.form = form
    self.video = video
    converter = PictureConverter(isFast: form.isFast)
    current = try naming(.decode, path: clip.path, Frame.init)
    ahead = try naming(.decode, path: clip.path, Frame.init)
    let reader = try clip.makeReader(threads: 0)
    // What ends before the range is only decoded where others need it.
    let start = clip.media.ticks(clip.range.start, rounding: .towardNegativeInfinity)
    let first = clip.range.start > .zero ? reader.index.position(at: start) : nil
    let goal = FrameReader.Goal(skipsBefore: first.map { reader.index.sample(atPosition: $0).pts })
    frames = FrameQueue(reader: reader, clip: clip, goal: goal)
  }

  deinit { frames.stop() }

  func prepare() throws(EngineError) {
    while true {
      switch stage {
      case .first:
        frames.wait()
        switch try frames.take(into: &current) {
        case .frame: stage = .following
        case .end: stage = .over
        case .nothingYet: continue
        }
      case .following:
        frames.wait()
        switch try frames.take(into: &ahead) {
        case .frame: measure(until: ahead.pts.map(clip.media.time), isLast: false)
        case .end: measure(until: nil, isLast: true)
        case .nothingYet: continue
        }
      case .due, .over: return
      }
    }
  }

  /// Finds out how long the current frame is shown, and passes over it before the range.
  private func measure(until following: Time?, isLast: Bool) {
    let start = clip.media.time(current.pts ?? 0)
    let stated = clip.media.duration(current.duration)
    let duration = following.map { max(.zero, $0 - start) } ?? stated
    if clip.range.duration.isNumeric && start >= clip.range.end {
      frames.stop()
      stage = .over
    } else if start + duration > clip.range.start || (following == nil && duration == .zero) {
      stage = .due(start: start, duration: duration, isLast: isLast)
    } else {
      advance(isLast: isLast)
    }
  }

  private func advance(isLast: Bool) {
    swap(&current, &ahead)
    stage = isLast ? .over : .following
  }

  func next(allocator: any BlockAllocator) throws(EngineError) -> SampleStep {
    switch stage {
    case .first, .following: return .needsInput
    case .over: return .end
    case .due(let start, let duration, let isLast):
      let trims = clip.trims(start: start, duration: duration)
      let (data, content) = try draw(allocator)
      // Only now: where there was no memory for it, the same picture is due again.
      advance(isLast: isLast)
      return .sample(
        SampleBuffer(
          presentationTime: start, duration: duration, sampleCount: 1,
          attachments: SampleAttachments(
            trimDurationAtStart: trims.start, trimDurationAtEnd: trims.end),
          data: data, content: content))
    }
  }

  private func draw(
    _ allocator: any BlockAllocator
  ) throws(EngineError) -> (MediaData, SampleBuffer.Content) {
    let size = form.size(of: current)
    return try naming(.convert, path: clip.path) { () throws(LibAVError) in
      switch form.kind {
      case .raw(let format):
        let layout = try PictureLayout(width: size.width, height: size.height, format: format)
        let made = try converter.convert(
          current, to: layout, color: PictureColor(of: current, as: format), allocator: allocator,
          interrupt: clip.interrupt)
        return (
          MediaData(block: made.block),
          .picture(
            SampleBuffer.Picture(
              pixelFormat: format.name ?? "", width: layout.width, height: layout.height,
              planes: layout.planes.map(PicturePlane.init),
              color: FormatDescription.Color(made.color)))
        )
      case .encoded(let format, let quality):
        let picture = try converter.imageFrame(
          from: current, width: size.width, height: size.height, as: format,
          toneMap: toneMapSource(current, video).map(ToneMap.shared))
        let block = try format.encode(
          picture, quality: quality, allocator: allocator, interrupt: clip.interrupt)
        return (
          MediaData(block: block),
          .image(
            SampleBuffer.Image(width: size.width, height: size.height, mimeType: format.mimeType))
        )
      }
    }
  }
}

/// The form that pictures are delivered in.
struct PictureForm {
  enum Kind {
    case raw(PixelFormat)
    case encoded(ImageFormat, quality: Double)
  }
  var kind: Kind
  /// Speed before exact colours (``PictureConverter/init(isFast:)``).
  var isFast = false
  var width: Int?
  var height: Int?

  /// What is missing of the size follows from the frame's own, so that the shape stays.
  func size(of frame: borrowing Frame) -> (width: Int, height: Int) {
    func scaled(_ length: Int, _ wanted: Int, _ own: Int) -> Int {
      max(1, (2 * length * wanted + own) / (2 * own))
    }
    switch (width, height) {
    case (nil, nil): return (frame.width, frame.height)
    case (let width?, nil): return (width, scaled(frame.height, width, max(1, frame.width)))
    case (nil, let height?): return (scaled(frame.width, height, max(1, frame.height)), height)
    case (let width?, let height?): return (width, height)
    }
  }
}
