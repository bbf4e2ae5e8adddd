import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `waveform/*`.
  func registerWaveforms(in router: inout EngineRouter) {
    serve(WaveformGenerate.self, generateWaveform, in: &router)
  }

  @Sendable func generateWaveform(
    _ request: WaveformGenerate, _ context: RequestContext
  ) async throws -> WaveformGenerate.Result {
    let asset = try await findAsset(request.asset)
    let delivery = Delivery(
      request.delivery, engine: self, owner: request.asset.rawValue, answering: nil)
    var rules = WaveformRules(request)
    var settings = try rules.configuration()
    settings.audioMix = try await .init(request.audioMix, for: asset, at: "/audioMix")
    var request = request
    request.format = rules.format
    settings.drawing?.destination = delivery.destination()
    return try await perform(
      WaveformGenerate.self, request.completion, context, owner: request.asset.rawValue
    ) { [settings, request] operation in
      await self.run(settings, of: asset, request, delivery, operation)
    }
  }

  /// Makes the waveform, reporting progress, and returns the result.
  private func run(
    _ settings: Waveform.Configuration, of asset: any Asset, _ request: WaveformGenerate,
    _ delivery: Delivery, _ operation: Operation
  ) async -> WaveformDidFinish {
    let reported = ReportedPercent()
    var end = WaveformDidFinish(
      operation: operation.handle, asset: request.asset, result: .succeeded)
    do throws(EngineError) {
      let waveform = try await asset.waveform(settings) { progress in
        guard reported.isNews(progress) else { return }
        operation.post(
          WaveformDidProgress(
            operation: operation.handle, asset: request.asset, progress: progress))
      }
      try await end.describe(waveform, request, delivery: delivery)
    } catch {
      end.result = error.isCancellation ? .cancelled : .failed
      end.error = ErrorObject(error).about(request.asset)
    }
    return end
  }
}

extension WaveformDidFinish {
  fileprivate mutating func describe(
    _ waveform: Waveform, _ request: WaveformGenerate, delivery: Delivery
  ) async throws(EngineError) {
    if let picture = waveform.picture, let format = request.format {
      image = WireImage(
        width: picture.width, height: picture.height, format: format,
        blob: try await delivery.blob(picture.data, mimeType: picture.mimeType, index: 0))
    }
    trackID = waveform.trackID
    dropped = WireDropped.list(waveform.damagedSamples)
    timeRange = WireTimeRange(waveform.timeRange)
    sampleRate = waveform.sampleRate
    if request.count != nil {
      // As doubles: a float's few digits would be read as another double than its own value.
      channels = waveform.channels.map { channel in
        WireWaveformChannel(
          min: channel.minimum.map(Double.init), max: channel.maximum.map(Double.init),
          rms: channel.rootMeanSquare)
      }
    }
  }
}

extension WaveformDidFinish: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}

/// The rules of a waveform's parameters; all problems are reported at once.
private struct WaveformRules: ParameterRules {
  private let request: WaveformGenerate
  /// The format of the request, or of its file's extension; nil where nothing is drawn.
  private(set) var format: WireImageFormat?
  var problems: [DecodingProblem] = []

  init(_ request: WaveformGenerate) { self.request = request }

  mutating func configuration() throws(RPCError) -> Waveform.Configuration {
    format = imageFormat(request.format, for: request.delivery)
    let sizes = 1...Waveform.maximumCount
    let count = number(request.count, sizes, "/count")
    let width = number(request.width, sizes, "/width")
    require(
      request.count != nil || format != nil && request.width != nil,
      format == nil ? "/count" : "/width",
      format == nil ? "a number of parts" : "a width, or a count", "nothing")
    var settings = Waveform.Configuration(count: count ?? width ?? 1)
    settings.trackID = request.trackID
    settings.audioTimePitchAlgorithm = .init(request.audioTimePitchAlgorithm)
    settings.timeRange = request.timeRange?.range
    requireMeasurable(request.timeRange?.range)
    settings.drawing = drawing(width: width ?? count ?? 1)
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return settings
  }

  private mutating func drawing(width: Int) -> WaveformDrawing? {
    guard let format else {
      // Without an image they have no meaning, so that the format must have been forgotten.
      for (isGiven, name) in [
        (request.width != nil, "width"), (request.height != nil, "height"),
        (request.color != nil, "color"), (request.backgroundColor != nil, "backgroundColor"),
        (request.delivery != nil, "delivery"),
      ] {
        require(!isGiven, "/\(name)", "a format with it", "no format")
      }
      return nil
    }
    require(format.form == .file, "/format", "jpeg, png, webp or bmp", format.rawValue)
    var drawing = WaveformDrawing(width: width, format: format.rawValue)
    drawing.height = number(request.height, 1...16_384, "/height") ?? drawing.height
    drawing.color = color(request.color, "/color") ?? drawing.color
    drawing.backgroundColor =
      color(request.backgroundColor, "/backgroundColor") ?? drawing.backgroundColor
    let quality = request.quality ?? drawing.quality
    require((0...1).contains(quality), "/quality", "a number from 0 to 1", "\(quality)")
    drawing.quality = quality
    return drawing
  }

  private mutating func color(_ text: String?, _ path: String) -> WaveformDrawing.Color? {
    guard let text else { return nil }
    let color = WaveformDrawing.Color(text)
    require(color != nil, path, "#rrggbb or #rrggbbaa", text)
    return color
  }
}
