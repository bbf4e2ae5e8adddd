import JSONRPC

/// The part of the frame that an image shows.
public enum WireApertureMode: String, Codable, Sendable, CaseIterable {
  /// The clean aperture, in square pixels.
  case cleanAperture
  /// The whole frame, in square pixels.
  case productionAperture
  /// The whole frame, in encoded pixels.
  case encodedPixels
}

/// The treatment of high dynamic range.
public enum WireDynamicRangePolicy: String, Codable, Sendable, CaseIterable {
  /// PQ and HLG become BT.709 in primaries and transfer: tones above HDR's reference white (203 nits)
  /// are compressed to SDR's white; darker ones keep their luminance.
  case forceSDR
  /// The samples stay as they are, regardless of their transfer function.
  case matchSource
}

/// The treatment of interlaced frames in images.
public enum WireImageDeinterlacing: String, Codable, Sendable, CaseIterable {
  /// Frames that are declared interlaced become progressive.
  case auto
  /// Frames stay as they are, with both fields.
  case none
}

/// The format of an image: a file format, or pixels.
///
/// Files have 8 bits a component, regardless of the source's. Alpha stays, straight, where the format
/// has it (`png`, `webp`, `bmp`, `rgba`, `bgra`, `rgba64le`); other formats drop it.
public enum WireImageFormat: String, Codable, Sendable, CaseIterable {
  /// A JPEG file.
  case jpeg
  /// A PNG file.
  case png
  /// A WebP file.
  case webp
  /// A BMP file.
  case bmp
  /// Pixels of three bytes.
  case rgb24
  /// Pixels of four bytes, alpha last.
  case rgba
  /// Pixels of four bytes, blue first, alpha last.
  case bgra
  /// Pixels of one byte, full range.
  case gray
  /// Three planes, chroma at half the width and height; `color` has matrix and range.
  case yuv420p
  /// Pixels of three 16-bit numbers, little-endian.
  case rgb48le
  /// Pixels of four 16-bit numbers, little-endian, alpha last.
  case rgba64le
  /// Pixels of 16 bits, little-endian, full range.
  case gray16le
  /// As `yuv420p`, with 10 bits in two bytes, little-endian.
  case yuv420p10le
}

/// An image.
public struct WireImage: Codable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The format.
  public var format: WireImageFormat
  /// The bytes.
  public var blob: WireBlob
  /// The planes; only with raw pixels.
  public var planes: [WirePlane]?
  /// The colour of the pixels, after all conversions; only with raw pixels.
  ///
  /// RGB and grey have no `matrix`; `range` is always present. The rest is as the file states it, where
  /// that still holds: HDR that `forceSDR` has mapped is `bt709`. YUV without `matrix` comes from a
  /// file that states none; it counts as `bt709` for 720 lines or more, else as `smpte170m`.
  public var color: WireColor?
  /// The position of the chroma samples of `yuv420p` and `yuv420p10le`, by FFmpeg's name, for example `left`.
  ///
  /// Absent if the file does not state it, which counts as `left`, and if the preferred transform has
  /// moved them to a position without a name.
  public var chromaLocation: String?

  package init(
    width: Int, height: Int, format: WireImageFormat, blob: WireBlob, planes: [WirePlane]? = nil,
    color: WireColor? = nil, chromaLocation: String? = nil
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.blob = blob
    self.planes = planes
    self.color = color
    self.chromaLocation = chromaLocation
  }
}

/// Makes a generator of images of an asset's first enabled video track.
///
/// It succeeds for every asset; without a video track, requesting an image fails.
public struct ImageGeneratorCreate: EngineRequest {
  public static let method = "imageGenerator/create"
  public static let objects: [HandleKind] = [.imageGenerator]

  /// The generator.
  public struct Result: Codable, Sendable, Equatable {
    /// The generator's handle.
    public var imageGenerator: ImageGeneratorHandle

    package init(imageGenerator: ImageGeneratorHandle) {
      self.imageGenerator = imageGenerator
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// True if images are turned upright, by the track's preferred transform.
  ///
  /// - Default: `false`
  public var appliesPreferredTrackTransform: Bool?
  /// The maximum width and height; 0 leaves a side without a limit. Images are never enlarged.
  public var maximumSize: WireSize?
  /// The part of the frame that images show.
  ///
  /// - Default: `"cleanAperture"`
  public var apertureMode: WireApertureMode?
  /// The maximum time by which an image may be earlier than the requested time; zero on both sides means
  /// the exact frame.
  ///
  /// - Default: `"+infinity"`
  public var requestedTimeToleranceBefore: WireTime?
  /// The maximum time by which an image may be later than the requested time.
  ///
  /// - Default: `"+infinity"`
  public var requestedTimeToleranceAfter: WireTime?
  /// The treatment of high dynamic range.
  ///
  /// With `forceSDR` such an image is in BT.709 throughout, `yuv420p` and `yuv420p10le` in its matrix
  /// and limited range. The source's peak is its MaxCLL, else its mastering display's, else 1000 nits.
  ///
  /// - Default: `"forceSDR"`
  public var dynamicRangePolicy: WireDynamicRangePolicy?
  /// The treatment of interlaced frames. With `auto` the image of a frame that is declared interlaced is
  /// made of its first field and of the fields around it; progressive frames stay as they are.
  ///
  /// Left out: `auto`, and `none` with the `apertureMode` `encodedPixels`.
  public var deinterlacing: WireImageDeinterlacing?
  /// The video composition. An image is then exactly of the composed frame that is shown at the time, regardless
  /// of the tolerances.
  /// Left out: the asset's own, which a composition may have.
  public var videoComposition: WireVideoCompositionSetting?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, appliesPreferredTrackTransform: Bool? = nil, maximumSize: WireSize? = nil,
    apertureMode: WireApertureMode? = nil, requestedTimeToleranceBefore: WireTime? = nil,
    requestedTimeToleranceAfter: WireTime? = nil, dynamicRangePolicy: WireDynamicRangePolicy? = nil,
    deinterlacing: WireImageDeinterlacing? = nil,
    videoComposition: WireVideoCompositionSetting? = nil
  ) {
    self.asset = asset
    self.appliesPreferredTrackTransform = appliesPreferredTrackTransform
    self.maximumSize = maximumSize
    self.apertureMode = apertureMode
    self.requestedTimeToleranceBefore = requestedTimeToleranceBefore
    self.requestedTimeToleranceAfter = requestedTimeToleranceAfter
    self.dynamicRangePolicy = dynamicRangePolicy
    self.deinterlacing = deinterlacing
    self.videoComposition = videoComposition
  }
}

/// Makes the image of one time, or of the first frame.
///
/// With a delivery to a file, its name must not contradict `format`: the extension of another image
/// format, or of any image format for raw pixels, is refused before any work is done.
///
/// - Errors: `noImageAtTime`, `noSourceTrack`, `contentIsProtected`, `decoderNotFound`, `decodeFailed`,
///   `fileAlreadyExists`, `operationCancelled`, `leasesExhausted`
public struct ImageGeneratorGenerateImage: EngineRequest {
  public static let method = "imageGenerator/generateImage"

  /// The image.
  public struct Result: Codable, Sendable {
    /// The image.
    public var image: WireImage
    /// The requested time; `actualTime` if there was none.
    public var requestedTime: WireTime
    /// The presentation time of the frame that the image shows.
    public var actualTime: WireTime
    /// The index of the frame in the track, in presentation order, from 0; absent if the file has
    /// no presentation times, and if only the part of the file around the frame was indexed.
    public var sampleIndex: Int?
    /// True if it is the frame that is shown at the requested time.
    public var isExact: Bool

    package init(
      image: WireImage, requestedTime: WireTime, actualTime: WireTime, sampleIndex: Int? = nil,
      isExact: Bool
    ) {
      self.image = image
      self.requestedTime = requestedTime
      self.actualTime = actualTime
      self.sampleIndex = sampleIndex
      self.isExact = isExact
    }
  }

  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The time, in the asset's time; the track's first frame when absent.
  ///
  /// The first frame is not always presented at 0, and with zero tolerance there is no image before
  /// it. Without a time the result is exactly the first frame, regardless of its time and the
  /// tolerances.
  public var time: WireTime?
  /// The format of the image; when absent, the extension of a file decides, else it is `jpeg`.
  ///
  /// The extensions are `jpg`, `jpeg`, `png`, `webp` and `bmp`, in upper or lower case. Without
  /// `format` any other extension is refused; without an extension the format is `jpeg`.
  public var format: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The destination of the bytes.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    imageGenerator: ImageGeneratorHandle, time: WireTime? = nil, format: WireImageFormat? = nil,
    quality: Double? = nil, delivery: WireDelivery? = nil
  ) {
    self.imageGenerator = imageGenerator
    self.time = time
    self.format = format
    self.quality = quality
    self.delivery = delivery
  }
}

/// Makes the images of several times, or of frames by their numbers.
///
/// Each requested time or sample gets exactly one ``ImageGeneratorDidGenerateImage``, including
/// duplicates, in the order in which the images are ready; a frame is decoded once however often it
/// is requested. The work ends with ``ImageGeneratorDidFinish``. Exactly one of `times` and `samples`
/// is required.
public struct ImageGeneratorGenerateImages: EngineRequest {
  public static let method = "imageGenerator/generateImages"
  public typealias Result = OperationReply<ImageGeneratorDidFinish>

  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The times, in the asset's time, in any order.
  public var times: [WireTime]?
  /// The numbers of frames in the track, in presentation order, from 0, as `sampleIndex` counts
  /// them; in any order.
  ///
  /// The image is of exactly that frame, regardless of the tolerances. A number that the track does not
  /// have ends with `noImageAtTime`, which states the number of frames, and a frame that can't be decoded with
  /// `decodeFailed`. All of the file is indexed.
  public var samples: [Int]?
  /// The format of the images; as for ``ImageGeneratorGenerateImage`` when absent.
  public var format: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The destination of the bytes; a file's path needs a `%d` when there are several images.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    imageGenerator: ImageGeneratorHandle, times: [WireTime]? = nil, samples: [Int]? = nil,
    format: WireImageFormat? = nil, quality: Double? = nil, delivery: WireDelivery? = nil,
    completion: WireCompletion? = nil
  ) {
    self.imageGenerator = imageGenerator
    self.times = times
    self.samples = samples
    self.format = format
    self.quality = quality
    self.delivery = delivery
    self.completion = completion
  }
}

extension ImageGeneratorGenerateImages: OperationRequest {
  package typealias Terminal = ImageGeneratorDidFinish

  package static var itemNotification: (any NotificationType.Type)? {
    ImageGeneratorDidGenerateImage.self
  }

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    let count = times?.count ?? samples?.count ?? 0
    let error = error.about(imageGenerator)
    var notifications: [any NotificationType] = []
    for index in 0..<count where !reported.indices.contains(index) {
      notifications.append(
        ImageGeneratorDidGenerateImage(
          operation: operation, imageGenerator: imageGenerator, index: index,
          requestedTime: times?[index], result: .failed, error: error))
    }
    notifications.append(
      ImageGeneratorDidFinish(
        operation: operation, imageGenerator: imageGenerator, succeeded: reported.succeeded,
        failed: reported.failed + notifications.count, cancelled: reported.cancelled))
    return notifications
  }
}

/// Carries the image of one time or sample of ``ImageGeneratorGenerateImages``, or its error.
public struct ImageGeneratorDidGenerateImage: NotificationType {
  public static let method = "imageGenerator/didGenerateImage"

  /// The operation.
  public var operation: OperationHandle
  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The index in the request's `times` or `samples`, from 0.
  public var index: Int
  /// The requested time; with `samples` it is `actualTime`, and absent without an image.
  public var requestedTime: WireTime?
  /// The outcome.
  public var result: WireOutcome
  /// The presentation time of the frame that the image shows, when it succeeded.
  public var actualTime: WireTime?
  /// The index of the frame in the track, in presentation order, from 0; absent if the file has no
  /// presentation times, and if only the part of the file around the frame was indexed.
  public var sampleIndex: Int?
  /// True if it is the frame that is shown at the requested time, or has the requested number; only when it
  /// succeeded.
  public var isExact: Bool?
  /// The image, when it succeeded.
  public var image: WireImage?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, imageGenerator: ImageGeneratorHandle, index: Int,
    requestedTime: WireTime?, result: WireOutcome, actualTime: WireTime? = nil,
    sampleIndex: Int? = nil, isExact: Bool? = nil, image: WireImage? = nil,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.imageGenerator = imageGenerator
    self.index = index
    self.requestedTime = requestedTime
    self.result = result
    self.actualTime = actualTime
    self.sampleIndex = sampleIndex
    self.isExact = isExact
    self.image = image
    self.error = error
  }
}

/// Reports that every time or sample of ``ImageGeneratorGenerateImages`` was answered.
public struct ImageGeneratorDidFinish: NotificationType {
  public static let method = "imageGenerator/didFinish"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The generator.
  public var imageGenerator: ImageGeneratorHandle
  /// The number of images that were made.
  public var succeeded: Int
  /// The number of images that failed.
  public var failed: Int
  /// The number of images that were cancelled.
  public var cancelled: Int

  package init(
    operation: OperationHandle, imageGenerator: ImageGeneratorHandle, succeeded: Int, failed: Int,
    cancelled: Int
  ) {
    self.operation = operation
    self.imageGenerator = imageGenerator
    self.succeeded = succeeded
    self.failed = failed
    self.cancelled = cancelled
  }
}

/// Cancels all outstanding requests of a generator.
///
/// Each time without an image ends as `cancelled`; the generator can be used again.
public struct ImageGeneratorCancelAll: EngineRequest {
  public static let method = "imageGenerator/cancelAll"
  public typealias Result = EmptyResult

  /// The generator.
  public var imageGenerator: ImageGeneratorHandle

  /// Makes the value from its members.
  public init(imageGenerator: ImageGeneratorHandle) {
    self.imageGenerator = imageGenerator
  }
}
