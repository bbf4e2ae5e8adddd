import LibAV
import MediaTime

/// The time at which a frame is shown.
struct FrameTiming {
  var start: Time
  var duration: Time
  /// The start of the next frame, which should be its end; nil for the last one.
  var following: Time?
}

/// A frame that is made on demand, such as one that is composed of others.
///
/// The first caller renders it, on a thread of its own; it is shared, and never changed.
protocol DeferredFrame: AnyObject, Sendable {
  func make() throws(EngineError) -> Handoff<Frame>
}

/// A frame and when it is shown.
struct TimedFrame {
  private enum Source {
    case decoded(Handoff<Frame>)
    case deferred(any DeferredFrame)
  }

  private let source: Source
  var timing: FrameTiming
  /// The format of its source: a track of several parts has several.
  let format: TrackFormat
  /// True for a black picture that represents a gap.
  var isGap = false

  init(frame: Handoff<Frame>, timing: FrameTiming, format: TrackFormat, isGap: Bool = false) {
    source = .decoded(frame)
    (self.timing, self.format, self.isGap) = (timing, format, isGap)
  }

  init(_ frame: any DeferredFrame, timing: FrameTiming, format: TrackFormat) {
    source = .deferred(frame)
    (self.timing, self.format) = (timing, format)
  }

  /// Returns the frame, which may have to be made.
  func frame() throws(EngineError) -> Handoff<Frame> {
    switch source {
    case .decoded(let frame): frame
    case .deferred(let frame): try frame.make()
    }
  }

  /// The memory that the frame takes; 0 for one that isn't made yet.
  var byteCount: Int { if case .decoded(let frame) = source { frame.value.byteCount } else { 0 } }

  /// Gives a decoder its memory back; the frame isn't used any more.
  func release() { if case .decoded(let frame) = source { frame.value.clear() } }
}
