import LibAV
public import MediaTime
import Synchronization
import SystemIO

/// Makes pictures of an asset's first enabled video track at exact times (AVAssetImageGenerator).
///
/// A generator decodes on its own queue; requests to one generator run in the order in which they
/// came, several generators of one asset run side by side.
public actor ImageGenerator: QueueActor {
  public enum ApertureMode: Sendable {
    /// Square pixels, cropped to the clean aperture.
    case cleanAperture
    /// Square pixels.
    case productionAperture
    /// Pixels as encoded.
    case encodedPixels
  }

  public enum DynamicRangePolicy: Sendable {
    /// PQ and HLG become BT.709.
    case forceSDR
    /// Samples stay as they are.
    case matchSource
  }

  public struct Configuration: Sendable {
    /// Turns the picture as the track asks; only quarter turns and mirrorings, as in AVFoundation.
    public var appliesPreferredTrackTransform = false
    /// A box that the picture shall fit in, in pixels; 0 leaves a dimension free. Never scales up.
    public var maximumSize = Size.zero
    public var apertureMode = ApertureMode.cleanAperture
    public var dynamicRangePolicy = DynamicRangePolicy.forceSDR
    public var requestedTimeToleranceBefore = Time.positiveInfinity
    public var requestedTimeToleranceAfter = Time.positiveInfinity
    public init() {}
  }

  nonisolated let queue = WorkQueue("imageGenerator")

  public nonisolated let asset: any Asset
  public nonisolated let configuration: Configuration
  /// Replaced at each cancel: it stops what has been asked for until then.
  private nonisolated let interrupt = Mutex(Interrupt())
  private let decoding: ImageDecoder
  /// Requests wait here for each other.
  private nonisolated let line = WorkLimiter(slots: 1)

  public init(asset: any Asset, configuration: Configuration = Configuration()) {
    self.asset = asset
    self.configuration = configuration
    decoding = ImageDecoder(asset: asset.media.content, configuration: configuration)
  }

  /// Cancels every picture that has been asked for and isn't made yet. Never waits.
  public nonisolated func cancelAll() {
    interrupt.withLock { current in
      current.trigger()
      current = Interrupt()
    }
  }

  /// A ticket for a request that arrives now: ``cancelAll()`` stops the requests before it.
  public nonisolated func admit() -> ImageTicket {
    interrupt.withLock { ImageTicket(interrupt: Interrupt(parent: $0)) }
  }

  /// One picture.
  ///
  /// - Parameter time: nil for the track's first frame, whenever it is shown: not every track begins
  ///   at zero. The tolerances then mean nothing, and the picture's `requestedTime` is the frame's.
  /// - Throws: `noImageAtTime` where no frame lies within the tolerances, or the track has none;
  ///   `noSourceTrack` without a video track, and what reading and decoding throw.
  public func image(
    at time: Time?, output: ImageOutput = ImageOutput(), ticket: ImageTicket? = nil
  ) async throws(EngineError) -> GeneratedImage {
    let made = Mutex<Result<GeneratedImage, EngineError>?>(nil)
    await generate([time], output, ticket) { _, result in made.withLock { $0 = result } }
    guard let result = made.withLock(\.self) else { throw .cancelled("The image") }
    return try result.get()
  }

  /// Pictures for all `times`: `deliver` is called exactly once for each, with its position, in the
  /// order in which they are ready, one at a time.
  public func images(
    at times: [Time], output: ImageOutput = ImageOutput(), ticket: ImageTicket? = nil,
    deliver: @escaping @Sendable (Int, Result<GeneratedImage, EngineError>) async -> Void
  ) async {
    await generate(times, output, ticket, deliver)
  }

  private func generate(
    _ times: [Time?], _ output: ImageOutput, _ ticket: ImageTicket?,
    _ deliver: @escaping ImageDecoder.Deliver
  ) async {
    let interrupt = (ticket ?? admit()).interrupt
    let delivered = Mutex(Set<Int>())
    do throws(EngineError) {
      try await line.enter(interrupt: interrupt)
      defer { line.leave() }
      try await decoding.run(times, output: output, interrupt: interrupt) { index, result in
        _ = delivered.withLock { $0.insert(index) }
        await deliver(index, result)
      }
    } catch {
      let done = delivered.withLock(\.self)
      for index in times.indices where !done.contains(index) {
        await deliver(index, .failure(error))
      }
    }
  }
}

/// A request's place among those of its generator: it can be cancelled alone, or with all before it.
public struct ImageTicket: Sendable {
  let interrupt: Interrupt
  /// Cancels the request. Never waits.
  public func cancel() { interrupt.trigger() }
  public var isCancelled: Bool { interrupt.isTriggered }

  /// Runs `body`, and calls `onCancel` once or more when the request is cancelled meanwhile.
  public func withCancellationHandler(
    _ body: () async -> Void, onCancel: @escaping @Sendable () -> Void
  ) async {
    let observation = interrupt.whenTriggered(onCancel)
    await body()
    observation.end()
  }
}

/// A picture and the time it is of.
public struct GeneratedImage: Sendable {
  public var width: Int
  public var height: Int
  public var data: DataBuffer
  /// The planes of a raw picture: offset and row length in bytes, height in rows. Nil when encoded.
  public var planes: [PicturePlane]?
  /// What the numbers of a raw picture are, after all conversions. Nil when encoded.
  public var color: FormatDescription.Color?
  /// Where the chroma samples of a raw picture lie: "left", "topleft" …; nil where the file doesn't
  /// state it, and where a turn has put them to where FFmpeg has no name for.
  public var chromaLocation: String?
  public var mimeType: String
  public var moment: ImageMoment
}

/// Which frame a picture is of.
public struct ImageMoment: Sendable, Hashable {
  public var requestedTime: Time
  /// When the frame begins to be shown.
  public var actualTime: Time
  /// The frame's place among those that are shown, from 0, in presentation order; nil where the file
  /// has no presentation times.
  public var sampleIndex: Int?
  /// True when it is the frame that is shown at the requested time.
  public var isExact: Bool
}
