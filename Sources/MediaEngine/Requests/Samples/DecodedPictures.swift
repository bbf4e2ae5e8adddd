import DequeModule
import Dispatch
import LibAV
import MediaTime
import Synchronization
import SystemIO

/// Decoded frames in presentation order: those that are partly shown within the range.
///
/// While the queue decodes ahead, frames are converted in parallel, one per core.
final class DecodedPictures: RestartableStream {
  private let frames: any MediaStream<TimedFrame>
  private var range: TimeRange
  /// One for each frame that is converted at the same time.
  private let makers: [PictureMaker]
  private var due: Deque<TimedFrame> = []
  /// Samples of the last batch that aren't returned yet.
  private var made: Deque<SampleBuffer> = []
  /// The failure that follows the frames that are due.
  private var failure: EngineError?
  private var isOver = false

  init(
    _ frames: any MediaStream<TimedFrame>, _ reading: TrackReading, form: PictureForm,
    canvas: Canvas?
  ) {
    makers = (0..<WorkLimiter.shared.slots).map { _ in
      PictureMaker(form: form, canvas: canvas)
    }
    self.frames = frames
    range = reading.range
  }

  deinit { frames.stop() }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    while isWaiting, !interrupt.isTriggered {
      await frames.wait(interrupt: interrupt, isolation: isolation)
      takeFrame()
    }
  }

  func waitBlocking() {
    while isWaiting {
      frames.waitBlocking()
      takeFrame()
    }
  }

  func stop() { frames.stop() }

  var restartable: (any RestartableStream<SampleBuffer>)? {
    frames.restartable == nil ? nil : self
  }

  func restart(at time: Time) throws(EngineError) {
    range = TimeRange(start: time, end: max(time, range.end))
    (due, made, failure, isOver) = ([], [], nil, false)
    try frames.restartable?.restart(at: time)
  }

  private var isWaiting: Bool { made.isEmpty && due.isEmpty && !isOver && failure == nil }

  /// Reads a decoded frame; false when there is none.
  @discardableResult
  private func takeFrame() -> Bool {
    do throws(EngineError) {
      switch try frames.take() {
      case .pending: return false
      case .skipped: break
      case .element(let frame): due.append(frame)
      case .end: isOver = true
      }
      return true
    } catch {
      failure = error
      return false
    }
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    if let sample = made.popFirst() { return .element(sample) }
    let wanted = min(demand.count, makers.count)
    while due.count < wanted, !isOver, failure == nil, takeFrame() {}
    guard !due.isEmpty else {
      // A failure follows the frames before it.
      if let error = failure.take() { throw error }
      return isOver ? .end : .pending
    }
    made = try make(Array(due.prefix(wanted)), demand.allocator)
    due.removeFirst(made.count)
    return .element(made.removeFirst())
  }

  /// Returns the first sample of some frames, and others up to one that fails.
  private func make(
    _ batch: [TimedFrame], _ allocator: any BlockAllocator
  ) throws(EngineError) -> Deque<SampleBuffer> {
    let made = Mutex([Int: Result<SampleBuffer, EngineError>]())
    DispatchQueue.concurrentPerform(iterations: batch.count) { [makers, range] place in
      let result = Result { () throws(EngineError) in
        try makers[place].make(batch[place], in: range, allocator)
      }
      made.withLock { $0[place] = result }
    }
    var samples: Deque<SampleBuffer> = []
    for place in batch.indices {
      switch made.withLock({ $0[place] }) {
      case .success(let sample): samples.append(sample)
      case .failure(let error):
        guard samples.isEmpty else { return samples }
        guard error.code == .leasesExhausted, batch.count > 1 else { throw error }
        // The others may have the room that the first needs: they release it.
        made.withLock { $0 = [:] }
        return [try makers[0].make(batch[0], in: range, allocator)]
      case nil: return samples
      }
    }
    return samples
  }
}

/// Makes samples of frames: one at a time, because its renderer reuses its allocations.
private final class PictureMaker: Sendable {
  private let form: PictureForm
  private let canvas: Canvas?
  private let renderer = Mutex(FrameRenderer())

  init(form: PictureForm, canvas: Canvas?) {
    self.form = form
    self.canvas = canvas
  }

  func make(
    _ due: TimedFrame, in range: TimeRange, _ allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    let frame = try due.frame()
    let size =
      if let canvas {
        form.size.size(of: (canvas.width, canvas.height))
      } else {
        form.size.size(of: (frame.value.width, frame.value.height))
      }
    let (block, content) = try mapErrors(.convert, path: due.format.path) { () throws(LibAVError) in
      try renderer.withLock { (renderer) throws(LibAVError) in
        try draw(frame.value, of: due.format, in: size, by: &renderer, allocator)
      }
    }
    let trims = range.trims(start: due.timing.start, duration: due.timing.duration)
    return SampleBuffer(
      presentationTime: due.timing.start, duration: due.timing.duration, sampleCount: 1,
      attachments: SampleAttachments(
        trimDurationAtStart: trims.start, trimDurationAtEnd: trims.end),
      data: DataBuffer(block: block), content: content)
  }

  private func draw(
    _ frame: borrowing Frame, of source: TrackFormat, in size: (width: Int, height: Int),
    by renderer: inout FrameRenderer, _ allocator: any BlockAllocator
  ) throws(LibAVError) -> (Block, SampleBuffer.Content) {
    switch form.kind {
    case .raw(let format):
      let rendering = FrameRendering(of: frame, source, in: .source, canvas: canvas, size: size)
      let layout = try PictureLayout(width: size.width, height: size.height, format: format)
      let made = try renderer.pixels(
        of: frame, rendering, in: layout, PictureColor(of: frame, rendering, as: format),
        allocator: allocator)
      return (made.block, .picture(SampleBuffer.Picture(layout, made.color)))
    case .encoded(let format, let quality):
      // Image files have standard range.
      let rendering = FrameRendering(of: frame, source, in: .standard, canvas: canvas, size: size)
      let block = try renderer.file(
        of: frame, rendering, width: size.width, height: size.height, as: format,
        quality: quality, allocator: allocator)
      let image = SampleBuffer.Image(
        width: size.width, height: size.height, mimeType: format.mimeType)
      return (block, .image(image))
    }
  }
}

/// The form in which frames are delivered.
struct PictureForm {
  enum Kind {
    case raw(PixelFormat)
    case encoded(ImageFormat, quality: Double)
  }
  var kind: Kind
  var size = WantedSize()
}
