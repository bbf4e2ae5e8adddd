import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension ImageGeneratorHandle: ObjectHandle {
  static func describe(_ generator: ImageGenerator) -> String {
    "images of \(generator.asset.path)"
  }
  static func cancelWork(of generator: ImageGenerator) { generator.cancelAllImageGeneration() }
}

extension Engine {
  /// Registers the handlers of `imageGenerator/*`.
  func registerImageGenerators(in router: inout EngineRouter) {
    serve(ImageGeneratorCreate.self, createImageGenerator, in: &router)
    serve(ImageGeneratorGenerateImage.self, generateImage, in: &router)
    serve(ImageGeneratorGenerateImages.self, generateImages, in: &router)
    serve(ImageGeneratorContactSheet.self, contactSheet, in: &router)
    serve(ImageGeneratorCancelAll.self, cancelAllImages, in: &router)
  }

  @Sendable func createImageGenerator(
    _ request: ImageGeneratorCreate, _ context: RequestContext
  ) async throws -> ImageGeneratorCreate.Result {
    let asset = try await findAsset(request.asset)
    var settings = ImageGenerator.Configuration()
    settings.appliesPreferredTrackTransform = request.appliesPreferredTrackTransform ?? false
    if let size = request.maximumSize {
      for (name, side) in [("width", size.width), ("height", size.height)] where side < 0 {
        throw RPCError.invalidParams(
          path: "/maximumSize/\(name)", expected: "0 or more", got: "\(side)")
      }
      settings.maximumSize = Size(width: size.width, height: size.height)
    }
    settings.apertureMode = .init(request.apertureMode ?? .cleanAperture)
    settings.dynamicRangePolicy = .init(request.dynamicRangePolicy ?? .forceSDR)
    settings.deinterlacing = request.deinterlacing.map { $0 == .auto ? .auto : .none }
    settings.requestedTimeToleranceBefore =
      request.requestedTimeToleranceBefore?.time ?? .positiveInfinity
    settings.requestedTimeToleranceAfter =
      request.requestedTimeToleranceAfter?.time ?? .positiveInfinity
    settings.videoComposition = try await .init(
      request.videoComposition, for: asset, at: "/videoComposition")
    let compositor = ClientCompositor(self, context.connection)
    settings.compositor = compositor
    let generator = ImageGenerator(asset: asset, configuration: settings)
    try context.settle()
    let handle: ImageGeneratorHandle = handles.add(generator)
    compositor.belongs(to: handle)
    return ImageGeneratorCreate.Result(imageGenerator: handle)
  }

  @Sendable func generateImage(
    _ request: ImageGeneratorGenerateImage, _ context: RequestContext
  ) async throws -> ImageGeneratorGenerateImage.Result {
    let generator = try handles.find(request.imageGenerator)
    let delivery = Delivery(
      request.delivery, engine: self, owner: request.imageGenerator.rawValue, answering: context)
    let format = try imageFormat(request.format, for: request.delivery)
    let output = imageOutput(format, request.quality, delivery)
    return try await mapErrors(request.imageGenerator) { () throws(EngineError) in
      let image = try await generator.image(at: request.time?.time, output: output)
      return ImageGeneratorGenerateImage.Result(
        image: try await self.wire(image, format, delivery, index: 0),
        requestedTime: request.time ?? WireTime(image.moment.actualTime),
        actualTime: WireTime(image.moment.actualTime),
        sampleIndex: image.moment.sampleIndex, isExact: image.moment.isExact)
    }
  }

  @Sendable func generateImages(
    _ request: ImageGeneratorGenerateImages, _ context: RequestContext
  ) async throws -> ImageGeneratorGenerateImages.Result {
    let generator = try handles.find(request.imageGenerator)
    let frames = try requestedFrames(request)
    try requireNumbered(request.delivery, for: frames.count)
    let delivery = Delivery(
      request.delivery, engine: self, owner: request.imageGenerator.rawValue, answering: nil)
    let format = try imageFormat(request.format, for: request.delivery)
    let output = imageOutput(format, request.quality, delivery)
    return try await perform(
      ImageGeneratorGenerateImages.self, request.completion, context
    ) { operation in
      var counts = (succeeded: 0, failed: 0, cancelled: 0)
      for await result in frames.images(of: generator, output: output) {
        let notification = await self.describe(
          result, of: request, operation, format: format, delivery: delivery)
        counts[keyPath: notification.result.count] += 1
        await operation.send(notification)
      }
      return ImageGeneratorDidFinish(
        operation: operation.handle, imageGenerator: request.imageGenerator,
        succeeded: counts.succeeded, failed: counts.failed, cancelled: counts.cancelled)
    }
  }

  @Sendable func cancelAllImages(
    _ request: ImageGeneratorCancelAll, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.find(request.imageGenerator).cancelAllImageGeneration()
    return EmptyResult()
  }

  /// Returns the one list of requested frames.
  private func requestedFrames(
    _ request: ImageGeneratorGenerateImages
  ) throws(RPCError) -> RequestedFrames {
    switch (request.times, request.samples) {
    case (let times?, nil):
      try requireSome(times, "times")
      try requireFewer(times.count, than: 100_000, "times")
      return .times(times.map(\.time))
    case (nil, let samples?):
      try requireSome(samples, "samples")
      try requireFewer(samples.count, than: 100_000, "samples")
      return .samples(samples)
    case (let times, _):
      throw .invalidParams(
        path: "", expected: "either times or samples", got: times == nil ? "neither" : "both")
    }
  }

  private func imageOutput(
    _ format: WireImageFormat, _ quality: Double?, _ delivery: Delivery
  ) -> ImageOutput {
    ImageOutput(
      format: format.rawValue, quality: quality ?? 0.85, destination: delivery.destination())
  }

  private func wire(
    _ image: GeneratedImage, _ format: WireImageFormat, _ delivery: Delivery, index: Int
  ) async throws(EngineError) -> WireImage {
    WireImage(
      width: image.width, height: image.height, format: format,
      blob: try await delivery.blob(image.data, mimeType: image.mimeType, index: index),
      planes: image.planes?.map(WirePlane.init), color: image.color.map(WireColor.init),
      chromaLocation: image.chromaLocation)
  }

  /// Returns the notification for one requested time or sample.
  private func describe(
    _ result: ImageGenerator.Images.Element, of request: ImageGeneratorGenerateImages,
    _ operation: Operation, format: WireImageFormat, delivery: Delivery
  ) async -> ImageGeneratorDidGenerateImage {
    let index = result.index
    var notification = ImageGeneratorDidGenerateImage(
      operation: operation.handle, imageGenerator: request.imageGenerator, index: index,
      requestedTime: request.times?[index], result: .succeeded)
    do throws(EngineError) {
      let image = try result.image
      notification.image = try await wire(image, format, delivery, index: index)
      notification.actualTime = WireTime(image.moment.actualTime)
      if request.times == nil { notification.requestedTime = notification.actualTime }
      notification.sampleIndex = image.moment.sampleIndex
      notification.isExact = image.moment.isExact
    } catch {
      notification.result = error.isCancellation ? .cancelled : .failed
      notification.error = ErrorObject(error).about(request.imageGenerator)
    }
    return notification
  }
}

/// The times or sample numbers of requested frames.
private enum RequestedFrames: Sendable {
  case times([Time])
  case samples([Int])

  var count: Int {
    switch self {
    case .times(let times): times.count
    case .samples(let samples): samples.count
    }
  }

  func images(of generator: ImageGenerator, output: ImageOutput) -> ImageGenerator.Images {
    switch self {
    case .times(let times): generator.images(for: times, output: output)
    case .samples(let samples): generator.images(ofSamples: samples, output: output)
    }
  }
}

extension WireOutcome {
  /// The counter of results of this kind.
  fileprivate var count: WritableKeyPath<(succeeded: Int, failed: Int, cancelled: Int), Int> {
    switch self {
    case .succeeded: \.succeeded
    case .failed: \.failed
    case .cancelled: \.cancelled
    }
  }
}

extension ImageGeneratorDidFinish: TerminalNotification {
  var wasCancelled: Bool { cancelled > 0 }
}
