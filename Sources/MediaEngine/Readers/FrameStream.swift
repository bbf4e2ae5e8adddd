import LibAV
import MediaTime
import SystemIO

/// When a frame is shown.
struct FrameTiming {
  var start: Time
  var duration: Time
  /// When the next frame begins, which should be its end; nil for the last one.
  var following: Time?
}

/// A frame that isn't there before it is wanted, such as one that is put together of others.
///
/// Whoever wants it first makes it, on a thread of its own; it is shared, and never changed.
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
  /// What it was decoded from: a track of several parts has several formats.
  let format: TrackFormat
  /// A black picture that stands for nothing.
  var isGap = false

  init(frame: Handoff<Frame>, timing: FrameTiming, format: TrackFormat, isGap: Bool = false) {
    source = .decoded(frame)
    (self.timing, self.format, self.isGap) = (timing, format, isGap)
  }

  init(_ frame: any DeferredFrame, timing: FrameTiming, format: TrackFormat) {
    source = .deferred(frame)
    (self.timing, self.format) = (timing, format)
  }

  /// The frame, which may have to be made.
  func frame() throws(EngineError) -> Handoff<Frame> {
    switch source {
    case .decoded(let frame): frame
    case .deferred(let frame): try frame.make()
    }
  }

  /// Gives a decoder its memory back; the frame isn't used any more.
  func release() { if case .decoded(let frame) = source { frame.value.clear() } }
}

/// What there is to take of a ``FrameStream``.
enum FrameStep {
  case frame(TimedFrame)
  /// A frame that is the first, or lies outside of the range: more may be there.
  case passed
  /// Nothing has been decoded yet.
  case pending
  case end
}

/// The frames of a track within a range, in presentation order, decoded ahead of who takes them.
protocol FrameStream: AnyObject {
  /// Takes what has been decoded, without waiting.
  ///
  /// - Throws: what decoding threw, after the frames that came before.
  func take() throws(EngineError) -> FrameStep
  /// Suspends until there is something to take, or a failure.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async
  /// As ``wait(interrupt:isolation:)``, blocking an export's thread.
  func waitBlocking()
  /// Ends decoding; nothing is to be taken any more.
  func stop()
}

extension FrameStream {
  /// The next frame, for which an export's thread waits; nil at the end.
  func nextBlocking() throws(EngineError) -> TimedFrame? {
    while true {
      switch try take() {
      case .frame(let frame): return frame
      case .passed: continue
      case .pending: waitBlocking()
      case .end: return nil
      }
    }
  }
}
