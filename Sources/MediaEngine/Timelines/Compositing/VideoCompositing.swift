public import MediaTime
import Synchronization

/// Draws the pictures of instructions that name a compositor of the caller's own (AVVideoCompositing).
public protocol VideoCompositing: AnyObject, Sendable {
  /// The memory for the frames of sources.
  var sourceDestination: Destination { get }
  /// The memory for pictures, which their drawer has to be able to write to.
  var targetDestination: Destination { get }
  /// Begins a picture, which ends with ``VideoCompositionRequest/finish()`` or
  /// ``VideoCompositionRequest/fail(_:)``. Called on any thread, in the order of the pictures; must not block.
  func start(_ request: VideoCompositionRequest)
}

/// A raw picture, and how its bytes are one.
public struct PixelBuffer: Sendable {
  public let picture: SampleBuffer.Picture
  public let data: DataBuffer
}

/// A picture that is to be drawn (AVAsynchronousVideoCompositionRequest).
///
/// Several are out at a time. Only the first answer counts, and none once the request is cancelled: its memory
/// is in use for as long as there is a reference to it.
public final class VideoCompositionRequest: Sendable {
  /// The frame of a track.
  public struct Source: Sendable {
    public let trackID: Int32
    /// The start of the frame, on the asset's clock.
    public let time: Time
    public let frame: PixelBuffer
  }

  public let compositionTime: Time
  public let instruction: VideoComposition.Instruction
  /// One for each track that the instruction's layers name and that shows something; the first is on top.
  public let sources: [Source]
  /// The picture to draw. Its memory has arbitrary contents.
  public let target: PixelBuffer
  private let end: Mutex<(@Sendable (EngineError?) -> Void)?>

  /// - Parameter end: takes the first answer.
  init(
    at time: Time, _ instruction: VideoComposition.Instruction, sources: [Source],
    target: PixelBuffer, end: @escaping @Sendable (EngineError?) -> Void
  ) {
    compositionTime = time
    (self.instruction, self.sources, self.target) = (instruction, sources, target)
    self.end = Mutex(end)
  }

  /// Reports that the picture is drawn, and changes no more.
  public func finish() { answer(nil) }

  /// Reports that the picture can't be drawn.
  ///
  /// - Parameter reason: becomes part of the message of the operations that fail for it.
  public func fail(_ reason: String) {
    answer(
      EngineError(
        .videoCompositorFailed,
        "The compositor has failed at \(compositionTime.secondsDescription): \(reason)",
        advice: .correctCompositor))
  }

  func fail(_ error: EngineError) { answer(error) }

  private func answer(_ error: EngineError?) {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?(error)
  }
}
