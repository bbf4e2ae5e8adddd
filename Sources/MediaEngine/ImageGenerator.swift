import Dispatch
import LibAV
public import MediaTime
import Synchronization

/// Makes pictures of an asset's first enabled video track at exact times (AVAssetImageGenerator).
///
/// A generator decodes on its own queue; requests to one generator run in the order in which they
/// came, several generators of one asset run side by side.
public actor ImageGenerator {
  public enum ApertureMode: Sendable {
    /// Square pixels, cropped to the clean aperture.
    case cleanAperture
    /// Square pixels.
    case productionAperture
    /// Pixels as encoded.
    case encodedPixels
  }

  public struct Configuration: Sendable {
    /// Turns the picture as the track asks; only quarter turns and mirrorings, as in AVFoundation.
    public var appliesPreferredTrackTransform = false
    /// A box that the picture shall fit in, in pixels; 0 leaves a dimension free. Never scales up.
    public var maximumSize = Size.zero
    public var apertureMode = ApertureMode.cleanAperture
    public var requestedTimeToleranceBefore = Time.positiveInfinity
    public var requestedTimeToleranceAfter = Time.positiveInfinity
    public init() {}
  }

  private nonisolated let queue = WorkQueue("imageGenerator")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  public nonisolated let asset: Asset
  public nonisolated let configuration: Configuration
  /// Replaced at each cancel: it stops what has been asked for until then.
  private nonisolated let interrupt = Mutex(Interrupt())
  private let decoding: ImageDecoder

  public init(asset: Asset, configuration: Configuration = Configuration()) {
    self.asset = asset
    self.configuration = configuration
    decoding = ImageDecoder(source: asset.source, configuration: configuration)
  }

  /// Cancels every picture that has been asked for and isn't made yet. Never waits.
  public nonisolated func cancelAll() {
    interrupt.withLock { current in
      current.trigger()
      current = Interrupt()
    }
  }

  /// A ticket for a request that arrives now: ``cancelAll()`` stops the requests before it.
  package nonisolated func admit() -> Interrupt { interrupt.withLock { $0 } }

  /// One picture.
  ///
  /// - Throws: `noImageAtTime` where no frame lies within the tolerances, `noSourceTrack` without a
  ///   video track, and what reading and decoding throw.
  package func image(
    at time: Time, output: ImageOutput, interrupt: Interrupt
  ) throws(EngineError) -> GeneratedImage {
    let results = Mutex<[Result<GeneratedImage, EngineError>]>([])
    images(at: [time], output: output, interrupt: interrupt) { _, result in
      results.withLock { $0.append(result) }
    }
    guard let result = results.withLock({ $0.first }) else { throw .cancelled("The image") }
    return try result.get()
  }

  /// Pictures for all `times`: `deliver` is called exactly once for each, with its position, in the
  /// order in which they are ready.
  package func images(
    at times: [Time], output: ImageOutput, interrupt: Interrupt,
    deliver: @Sendable (Int, Result<GeneratedImage, EngineError>) -> Void
  ) {
    var isDelivered = [Bool](repeating: false, count: times.count)
    do throws(EngineError) {
      try WorkGate.shared.run(.interactive, interrupt: interrupt) { () throws(EngineError) in
        try decoding.run(times, output: output, interrupt: interrupt) { index, result in
          isDelivered[index] = true
          deliver(index, result)
        }
      }
    } catch {
      for index in times.indices where !isDelivered[index] { deliver(index, .failure(error)) }
    }
  }
}

/// What a generated picture is to be.
package struct ImageOutput: Sendable {
  package enum Format: Sendable, Hashable {
    case encoded(ImageFormat)
    case raw(PixelFormat)
  }

  package var format: Format
  /// 0 to 1, for JPEG and WebP.
  package var quality: Double
  package var allocator: any BlockAllocator

  package init(format: Format, quality: Double, allocator: any BlockAllocator) {
    self.format = format
    self.quality = quality
    self.allocator = allocator
  }
}

package struct GeneratedImage: Sendable {
  package var width: Int
  package var height: Int
  package var bytes: Block
  /// The planes of a raw picture, nil for an encoded one.
  package var layout: PictureLayout?
  package var requestedTime: Time
  package var actualTime: Time
}
