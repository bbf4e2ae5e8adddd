import LibAV
public import MediaTime
import Synchronization
import SystemIO

/// Makes images of an asset's first enabled video track at exact times (AVAssetImageGenerator).
///
/// A generator decodes on its own queue; requests to one generator run in the order of their arrival,
/// several generators of one asset run in parallel.
public actor ImageGenerator: QueueActor {
  /// The pixels of a frame that an image shows (AVAssetImageGenerator.ApertureMode).
  public enum ApertureMode: Sendable {
    /// Square pixels, cropped to the clean aperture.
    case cleanAperture
    /// Square pixels.
    case productionAperture
    /// Pixels as encoded.
    case encodedPixels
  }

  /// The treatment of high dynamic range.
  public enum DynamicRangePolicy: Sendable {
    /// PQ and HLG become BT.709.
    case forceSDR
    /// Samples stay as they are.
    case matchSource
  }

  /// The settings of a generator: the choice of frames, and their conversion to images.
  public struct Configuration: Sendable {
    /// Turns the image as the track asks; only quarter turns and mirrorings, as in AVFoundation.
    public var appliesPreferredTrackTransform = false
    /// The box into which the image is scaled down, in pixels; 0 leaves a dimension free. Never scales up.
    public var maximumSize = Size.zero
    /// The pixels of a frame that an image shows.
    public var apertureMode = ApertureMode.cleanAperture
    /// The treatment of high dynamic range.
    public var dynamicRangePolicy = DynamicRangePolicy.forceSDR
    /// The treatment of frames of two fields, if these are declared; nil for ``Deinterlacing/auto``, and for
    /// ``Deinterlacing/none`` with ``ApertureMode/encodedPixels``. An image is of one frame, so that
    /// ``Deinterlacing/field`` is ``Deinterlacing/frame``.
    public var deinterlacing: Deinterlacing?
    /// The maximum time by which a frame may begin before the requested one, zero or more. The default, infinity,
    /// takes the nearest sync sample, which is fastest; with both tolerances zero, an image is of the very frame that
    /// is shown at the time.
    public var requestedTimeToleranceBefore = Time.positiveInfinity
    /// The maximum time by which a frame may begin after the requested one; see ``requestedTimeToleranceBefore``.
    public var requestedTimeToleranceAfter = Time.positiveInfinity
    /// The composition of the video tracks into frames; then an image is of the very frame that is shown at the time,
    /// with any tolerances.
    public var videoComposition = PresentationSetting<VideoComposition>.asset
    /// Draws the frames that the video composition leaves to its caller.
    public var compositor: (any VideoCompositing)?
    public init() {}

    var deinterlaces: Bool {
      (deinterlacing ?? (apertureMode == .encodedPixels ? .none : .auto)).isOn
    }
  }

  package nonisolated let queue = WorkQueue("imageGenerator")

  public nonisolated let asset: any Asset
  public nonisolated let configuration: Configuration
  /// The interrupt of the requests until the next cancel, which replaces it.
  private nonisolated let interrupt = Mutex(Interrupt())
  private let decoding: ImageDecoder
  /// Admits one request at a time.
  private nonisolated let line = WorkLimiter(slots: 1)

  /// Creates a generator. Nothing is read before the first request, which throws for an asset without video.
  public init(asset: any Asset, configuration: Configuration = Configuration()) {
    self.asset = asset
    self.configuration = configuration
    decoding = ImageDecoder(asset: asset.media.content, configuration: configuration)
  }

  /// Cancels every image that has been requested and isn't made yet
  /// (AVAssetImageGenerator.cancelAllCGImageGeneration).
  ///
  /// Later requests aren't affected. Never waits.
  public nonisolated func cancelAllImageGeneration() {
    interrupt.withLock { current in
      current.trigger()
      current = Interrupt()
    }
  }

  /// The interrupt of the requests that arrive now: ``cancelAllImageGeneration()`` stops those before it.
  nonisolated var arrival: Interrupt { interrupt.withLock(\.self) }

  /// Makes an image of the frame at a time (AVAssetImageGenerator.image(at:)). Cancelling the task cancels it.
  ///
  ///     let image = try await generator.image(at: Time(value: 3, timescale: 2))
  ///
  /// - Parameters:
  ///   - time: a time of the asset; nil for the track's first frame, which isn't always at zero. Without a time the
  ///     tolerances have no effect, and the image's `requestedTime` is that of the frame.
  ///   - output: the format of the image, and the destination of its bytes.
  /// - Throws: `noImageAtTime` where no frame lies within the tolerances, or the track has none;
  ///   `noSourceTrack` without a video track, `operationCancelled`, and the errors of reading and decoding.
  public nonisolated func image(
    at time: Time?, output: ImageOutput = ImageOutput()
  ) async throws(EngineError) -> GeneratedImage {
    // Read before the first suspension, which is when the request arrives.
    try await withTaskInterrupt(parent: arrival) { interrupt throws(EngineError) in
      try await image(at: time, output: output, interrupt: interrupt)
    }
  }

  func image(
    at time: Time?, output: ImageOutput, interrupt: Interrupt
  ) async throws(EngineError) -> GeneratedImage {
    let made = Mutex<Result<GeneratedImage, EngineError>?>(nil)
    let requested = time.map(RequestedFrame.shown(at:)) ?? .first
    await images(of: [requested], output: output, interrupt: interrupt) { _, result in
      made.withLock { $0 = result }
    }
    guard let result = made.withLock(\.self) else { throw .cancelled("The image") }
    return try result.get()
  }

  /// Makes images of all `frames`: `deliver` is called exactly once for each, with its position, in the order of
  /// their completion, one at a time.
  func images(
    of frames: [RequestedFrame], output: ImageOutput, interrupt: Interrupt,
    deliver: @escaping ImageDecoder.Deliver
  ) async {
    let delivered = Mutex(Set<Int>())
    do throws(EngineError) {
      try await line.enter(interrupt: interrupt)
      defer { line.leave() }
      try await decoding.run(frames, output: output, interrupt: interrupt) { index, result in
        _ = delivered.withLock { $0.insert(index) }
        await deliver(index, result)
      }
    } catch {
      let done = delivered.withLock(\.self)
      for index in frames.indices where !done.contains(index) {
        await deliver(index, .failure(error))
      }
    }
  }
}

/// A requested frame of a track.
enum RequestedFrame: Sendable {
  /// The first decodable frame, at any time.
  case first
  /// The frame that is shown at a time, or one within the tolerances.
  case shown(at: Time)
  /// The frame of a number, in presentation order from 0: ``ImageMoment/sampleIndex``.
  case sample(Int)

  var time: Time? {
    if case .shown(let time) = self { time } else { nil }
  }

  /// Returns true if it may be the frame at a position of the index; false only for a frame with another number.
  func isSample(_ position: Int) -> Bool {
    if case .sample(let number) = self { number == position } else { true }
  }

  /// True if it is requested by its number, for which all of the index has to be read.
  var isNumbered: Bool {
    if case .sample = self { true } else { false }
  }
}

/// An image and the time of its frame.
public struct GeneratedImage: Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The encoded image, or its planes.
  public var data: DataBuffer
  /// The planes of a raw image: offset and row length in bytes, height in rows. Nil when encoded.
  public var planes: [PicturePlane]?
  /// The colour of a raw image's samples, after all conversions. Nil when encoded.
  public var color: FormatDescription.Color?
  /// The position of the chroma samples of a raw image: "left", "topleft" …; nil where the file doesn't state it, and
  /// where a turn has moved them to a position for which FFmpeg has no name.
  public var chromaLocation: String?
  /// "image/jpeg" …; "application/octet-stream" for pixels.
  public var mimeType: String
  /// The frame of the image.
  public var moment: ImageMoment
}

/// The frame of an image: its times and its number.
public struct ImageMoment: Sendable, Hashable {
  /// On the asset's clock.
  public var requestedTime: Time
  /// The time at which the frame begins to be shown.
  public var actualTime: Time
  /// The frame's place among those that are shown, from 0, in presentation order; nil where the file
  /// has no presentation times.
  public var sampleIndex: Int?
  /// True when it is the frame that is shown at the requested time.
  public var isExact: Bool
}
