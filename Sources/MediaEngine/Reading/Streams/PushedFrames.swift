import LibAV
import MediaTime
import SystemIO

/// Pictures that are pushed, as frames.
///
/// A picture is shown until the next one, so it comes one picture late.
final class PushedFrames: MediaStream {
  private let queue: PushedSamples
  private let session: WritingSession
  private let endsWithSession: Bool
  private let format: TrackFormat
  private let interrupt: Interrupt
  private var current: SampleBuffer?
  private var lastDuration: Time?
  private var isOver = false
  /// The number of pictures that were returned.
  private(set) var taken = 0
  /// True if a picture that was returned has transparency.
  private(set) var containsAlpha = false

  /// - Parameter endsWithSession: true for a taker that wants nothing after the session; false has it take, and leave
  ///   out, all that is pushed.
  init(
    _ queue: PushedSamples, in session: WritingSession, endsWithSession: Bool = false,
    format: TrackFormat, interrupt: Interrupt
  ) {
    (self.queue, self.session, self.format) = (queue, session, format)
    (self.endsWithSession, self.interrupt) = (endsWithSession, interrupt)
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    guard !isOver else { return .end }
    if let last = current, endsWithSession, session.end.map({ last.presentationTime >= $0 }) == true
    {
      isOver = true
      return .end
    }
    switch queue.take() {
    case .pending: return .pending
    case .skipped: return .skipped
    case .element(let next):
      defer { current = next }
      return try current.map { (frame) throws(EngineError) in
        try step(frame, following: next.presentationTime)
      } ?? .skipped
    case .end:
      isOver = true
      guard let last = current.take() else { return .end }
      return try step(last, following: nil)
    }
  }

  private func step(
    _ sample: SampleBuffer, following: Time?
  ) throws(EngineError) -> StreamStep<TimedFrame> {
    let range = session.range
    let start = sample.presentationTime
    var end = following ?? (range.duration.isNumeric ? range.end : nil)
    if let next = following, range.duration.isNumeric { end = min(next, range.end) }
    let stated = sample.duration.isNumeric && sample.duration > .zero ? sample.duration : nil
    let duration = end.map { $0 - start } ?? stated ?? lastDuration ?? .zero
    lastDuration = duration
    guard start + duration > range.start || (start == range.start && duration == .zero),
      !range.duration.isNumeric || start < range.end
    else { return .skipped }
    let picture = try PushedPicture(sample)
    if picture.layout.format.hasAlpha { containsAlpha = true }
    taken += 1
    return .element(
      TimedFrame(
        picture,
        timing: FrameTiming(start: start, duration: duration, following: end), format: format))
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if !isOver { await queue.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() { if !isOver { queue.waitBlocking(interrupt: interrupt) } }

  func stop() { isOver = true }
}

/// A picture in a caller's memory, which is lent to the converter, or to the encoder where there is
/// nothing to convert. If the caller still writes to it, part of the new content is encoded.
final class PushedPicture: DeferredFrame {
  let layout: PictureLayout
  let color: ColorDescription
  private let data: DataBuffer

  /// - Throws: `unsupportedOutputSettings` for one whose bytes are no picture of its format.
  init(_ sample: SampleBuffer) throws(EngineError) {
    guard case .picture(let picture) = sample.content,
      let format = PixelFormat(name: picture.pixelFormat), !format.hasPalette,
      let layout = try? PictureLayout(
        width: picture.width, height: picture.height, format: format),
      layout.size <= sample.data.count,
      picture.planes == layout.planes.map(PicturePlane.init)
    else {
      throw EngineError(
        .unsupportedOutputSettings, "The sample's bytes aren't a picture of the format it states",
        advice: .statePlanes)
    }
    (self.layout, data) = (layout, sample.data)
    color = ColorDescription(picture.color, of: format)
  }

  func make() throws(EngineError) -> Handoff<Frame> {
    try mapErrors(.convert) { () throws(LibAVError) in
      Handoff(try Frame.using(data.block, in: layout, color: color))
    }
  }
}

extension ColorDescription {
  /// Creates the codes of a description's names; unspecified where a name is missing.
  fileprivate init(_ color: FormatDescription.Color, of format: PixelFormat) {
    let unspecified = "unknown"
    self =
      ColorDescription(
        primaries: color.primaries ?? unspecified, transfer: color.transfer ?? unspecified,
        matrix: color.matrix ?? unspecified)
      ?? ColorDescription(
        primaries: ColorDescription.unspecifiedCode, transfer: ColorDescription.unspecifiedCode,
        matrix: ColorDescription.unspecifiedCode, isFullRange: nil)
    if format.isRGB { matrix = 0 }
    if let isFullRange = format.isRGB ? true : color.isFullRange { range = isFullRange ? 2 : 1 }
  }
}
