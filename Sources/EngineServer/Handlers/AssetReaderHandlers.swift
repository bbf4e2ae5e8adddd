import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension AssetReaderHandle: ObjectHandle {
  static func describe(_ reader: AssetReader) -> String { "samples of \(reader.asset.path)" }
  static func cancelWork(of reader: AssetReader) { reader.cancelReading() }
}

/// An output of a reader, with a handle of its own.
struct ReaderOutput {
  let output: AssetReaderOutput
  let reader: String
}

extension OutputHandle: ObjectHandle {
  static func describe(_ part: ReaderOutput) -> String {
    "track \(part.output.track.trackID) of \(part.reader)"
  }
  static func cancelWork(of part: ReaderOutput) {}
}

extension Engine {
  /// Registers the handlers of `assetReader/*`.
  func registerAssetReaders(in router: inout EngineRouter) {
    serve(AssetReaderCreate.self, createAssetReader, in: &router)
    serve(AssetReaderStart.self, startReading, in: &router)
    serve(AssetReaderNextSampleBuffers.self, nextSampleBuffers, in: &router)
    serve(AssetReaderStatus.self, readerStatus, in: &router)
    serve(AssetReaderReset.self, resetOutput, in: &router)
    serve(AssetReaderMarkConfigurationAsFinal.self, markOutputAsFinal, in: &router)
    serve(AssetReaderCancel.self, cancelReading, in: &router)
  }

  @Sendable func createAssetReader(
    _ request: AssetReaderCreate, _ context: RequestContext
  ) async throws -> AssetReaderCreate.Result {
    let asset = try await findAsset(request.asset)
    try requireSome(request.outputs, "outputs")
    try requireFewer(request.outputs.count, than: 64, "outputs")
    var outputs: [AssetReader.OutputRequest] = []
    for (index, output) in request.outputs.enumerated() {
      outputs.append(try await outputRequest(output, of: asset, path: "/outputs/\(index)"))
    }
    let range = request.timeRange?.range ?? .all
    let compositor = ClientCompositor(self, context.connection)
    let reader = try await mapErrors(request.asset) { () throws(EngineError) in
      try await AssetReader(
        asset: asset, timeRange: range, outputs: outputs, compositor: compositor)
    }
    try context.settle()
    let (handle, parts): (AssetReaderHandle, [OutputHandle]) = handles.add(reader) { handle in
      reader.outputs.map { ReaderOutput(output: $0, reader: handle.rawValue) }
    }
    compositor.belongs(to: handle)
    return AssetReaderCreate.Result(assetReader: handle, outputs: parts)
  }

  private func outputRequest(
    _ output: WireReaderOutput, of asset: any Asset, path: String
  ) async throws -> AssetReader.OutputRequest {
    if output.audioMix != nil, output.type != .audioMix {
      throw RPCError.invalidParams(
        path: path + "/audioMix", expected: "type audioMix for it", got: output.type.rawValue)
    }
    if output.videoComposition != nil, output.type != .videoComposition {
      throw RPCError.invalidParams(
        path: path + "/videoComposition", expected: "type videoComposition for it",
        got: output.type.rawValue)
    }
    switch output.type {
    case .audioMix: return try await mixRequest(output, of: asset, path: path)
    case .videoComposition: return try await pictureRequest(output, of: asset, path: path)
    case .track: break
    }
    if output.trackIDs != nil {
      throw RPCError.invalidParams(
        path: path + "/trackIDs", expected: "type audioMix or videoComposition for it",
        got: output.type.rawValue)
    }
    let track: AssetReader.OutputRequest.Track
    switch (output.trackID, output.mediaType, output.track) {
    case (let id?, nil, nil): track = .trackID(id)
    case (nil, let type?, nil): track = .mediaType(MediaType(type))
    case (nil, nil, let rule?): track = .fitting(TrackSelection.Rule(rule))
    default:
      let isNone = output.trackID == nil && output.mediaType == nil && output.track == nil
      throw RPCError.invalidParams(
        path: path, expected: "one of trackID, mediaType and track",
        got: isNone ? "none" : "several")
    }
    return AssetReader.OutputRequest(
      track: track, settings: try outputSettings(output, path: path),
      supportsRandomAccess: output.supportsRandomAccess ?? false)
  }

  /// Requires an output of several tracks to name them all, or none.
  private func requireSeveral(
    _ output: WireReaderOutput, _ use: String, path: String
  ) throws(RPCError) {
    guard output.trackID == nil, output.mediaType == nil, output.track == nil else {
      throw .invalidParams(
        path: path, expected: "trackIDs, or nothing, for an output that is \(use)",
        got: output.trackID != nil ? "trackID" : output.mediaType != nil ? "mediaType" : "track")
    }
    if let tracks = output.trackIDs, tracks.isEmpty || Set(tracks).count < tracks.count {
      throw .invalidParams(
        path: path + "/trackIDs", expected: "at least one track, each once", got: "\(tracks)")
    }
  }

  private func pictureRequest(
    _ output: WireReaderOutput, of asset: any Asset, path: String
  ) async throws -> AssetReader.OutputRequest {
    try requireSeveral(output, "shown", path: path)
    guard case .video? = output.settings else {
      throw RPCError.invalidParams(
        path: path + "/settings", expected: "settings with pixelFormat or format",
        got: output.settings == nil ? "nothing" : "other settings")
    }
    let setting = try await PresentationSetting(
      output.videoComposition.map(WireVideoCompositionSetting.composition), for: asset,
      at: path + "/videoComposition")
    return AssetReader.OutputRequest(
      track: .videoComposition(setting, output.trackIDs),
      settings: try outputSettings(output, path: path),
      supportsRandomAccess: output.supportsRandomAccess ?? false)
  }

  private func mixRequest(
    _ output: WireReaderOutput, of asset: any Asset, path: String
  ) async throws -> AssetReader.OutputRequest {
    try requireSeveral(output, "mixed", path: path)
    guard case .audio? = output.settings else {
      throw RPCError.invalidParams(
        path: path + "/settings", expected: "settings with sampleFormat",
        got: output.settings == nil ? "nothing" : "settings of pictures")
    }
    let mix = try await PresentationSetting<AudioMix>(
      output.audioMix, for: asset, at: path + "/audioMix")
    return AssetReader.OutputRequest(
      track: .audioMix(output.trackIDs, by: mix),
      settings: try outputSettings(output, path: path),
      supportsRandomAccess: output.supportsRandomAccess ?? false)
  }

  private func outputSettings(
    _ output: WireReaderOutput, path: String
  ) throws(RPCError) -> OutputSettings {
    if let algorithm = output.audioTimePitchAlgorithm {
      guard case .audio? = output.settings else {
        throw .invalidParams(
          path: path + "/audioTimePitchAlgorithm", expected: "settings with sampleFormat for it",
          got: algorithm.rawValue)
      }
    }
    switch output.settings {
    case nil: return .stored
    case .text: return .text
    case .audio(let audio):
      return .audio(
        sampleFormat: audio.sampleFormat, sampleRate: audio.sampleRate, channels: audio.channels,
        interleaved: audio.interleaved ?? true, timePitch: .init(output.audioTimePitchAlgorithm))
    case .video(let video):
      if let format = video.format {
        return .image(
          format: format.rawValue, quality: video.quality ?? ImageOutput().quality,
          width: video.width, height: video.height)
      }
      guard let format = video.pixelFormat else {
        throw .invalidParams(
          path: path + "/settings/pixelFormat", expected: "a pixel format", got: "nothing")
      }
      return .video(pixelFormat: format, width: video.width, height: video.height)
    }
  }

  @Sendable func startReading(
    _ request: AssetReaderStart, _ context: RequestContext
  ) async throws -> EmptyResult {
    let reader = try handles.find(request.assetReader)
    try await mapErrors(request.assetReader) { () throws(EngineError) in try reader.start() }
    return EmptyResult()
  }

  @Sendable func nextSampleBuffers(
    _ request: AssetReaderNextSampleBuffers, _ context: RequestContext
  ) async throws -> AssetReaderNextSampleBuffers.Result {
    let found = try handles.find(request.output)
    let (output, reader) = (found.output, found.reader)
    switch output.settings {
    case .stored: break  // Any content of the file, perhaps images.
    case .image(let format, _, _, _):
      try requireName(of: request.delivery, fits: "image/\(format)")
    case .video, .audio, .text: try requireName(of: request.delivery, fits: nil)
    }
    let delivery = Delivery(
      request.delivery, engine: self, owner: reader, answering: context)
    let maxCount = min(max(1, request.maxCount ?? 1), 10_000)
    let timeout = request.timeoutMs.map { Duration.milliseconds(max(0, $0)) }
    return try await mapErrors(request.output) { () throws(EngineError) in
      try await output.nextSampleBuffers(
        maxCount: maxCount, maxBytes: request.maxBytes,
        destination: delivery.destination(timeout: timeout),
        appendingTo: delivery.appendedPath, configuration: configuration
      ) { (buffers, isAtEnd, damaged) throws(EngineError) in
        var wire: [WireSampleBuffer] = []
        var files: [WrittenFile] = []
        do throws(EngineError) {
          for buffer in buffers {
            wire.append(try WireSampleBuffer(buffer, delivery, written: &files))
          }
          // From here on the caller gets the samples: a later cancel is too late.
          guard context.seal() else { throw .cancelled("The samples") }
        } catch {
          for file in files { file.remove() }
          throw error
        }
        let dropped = isAtEnd ? damaged.map(WireDropped.init) : []
        return AssetReaderNextSampleBuffers.Result(
          sampleBuffers: wire, endOfStream: isAtEnd, dropped: dropped.isEmpty ? nil : dropped)
      }
    }
  }

  @Sendable func resetOutput(
    _ request: AssetReaderReset, _ context: RequestContext
  ) async throws -> EmptyResult {
    let output = try handles.find(request.output).output
    try requireFewer(request.timeRanges.count, than: 10_001, "timeRanges")
    let ranges = request.timeRanges.map(\.range)
    try await mapErrors(request.output) { () throws(EngineError) in
      try await output.reset(forReadingTimeRanges: ranges)
    }
    return EmptyResult()
  }

  @Sendable func markOutputAsFinal(
    _ request: AssetReaderMarkConfigurationAsFinal, _ context: RequestContext
  ) async throws -> EmptyResult {
    let output = try handles.find(request.output).output
    try await mapErrors(request.output) { () throws(EngineError) in
      try await output.markConfigurationAsFinal()
    }
    return EmptyResult()
  }

  @Sendable func readerStatus(
    _ request: AssetReaderStatus, _ context: RequestContext
  ) async throws -> AssetReaderStatus.Result {
    let reader = try handles.find(request.assetReader)
    let (status, error) = reader.status
    let dropped = reader.damagedSamples.map(WireDropped.init)
    return AssetReaderStatus.Result(
      status: WireReaderStatus(status),
      error: error.map { ErrorObject($0).about(request.assetReader) },
      dropped: dropped.isEmpty ? nil : dropped)
  }

  @Sendable func cancelReading(
    _ request: AssetReaderCancel, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.find(request.assetReader).cancelReading()
    return EmptyResult()
  }
}

extension WireSampleBuffer {
  init(
    _ buffer: SampleBuffer, _ delivery: Delivery, written: inout [WrittenFile]
  ) throws(EngineError) {
    var image: WireImageLayout?
    var audio: WireAudioLayout?
    switch buffer.content {
    case .stored: break
    case .picture(let picture):
      image = WireImageLayout(picture)
    case .image, .text: break
    case .audio(let layout): audio = WireAudioLayout(layout)
    }
    let attachments = buffer.attachments
    self.init(
      presentationTime: WireTime(buffer.presentationTime),
      decodeTime: buffer.decodeTime.map(WireTime.init), duration: WireTime(buffer.duration),
      numSamples: buffer.sampleCount,
      attachments: WireSampleAttachments(
        notSync: attachments.notSync, isDependedOnByOthers: attachments.isDependedOnByOthers,
        dependsOnOthers: attachments.dependsOnOthers,
        doNotDisplay: attachments.doNotDisplay ? true : nil,
        trimDurationAtStart: attachments.trimDurationAtStart.map(WireTime.init),
        trimDurationAtEnd: attachments.trimDurationAtEnd.map(WireTime.init)),
      format: buffer.format.map(WireFormatDescription.init),
      blob: try delivery.blobBlocking(
        buffer.data, mimeType: buffer.content.mimeType, index: buffer.index,
        fileOffset: buffer.fileOffset,
        written: &written),
      image: image, audio: audio)
  }
}

extension SampleBuffer.Content {
  /// The MIME type of the bytes.
  var mimeType: String {
    switch self {
    case .image(let image): image.mimeType
    case .text: "text/plain; charset=utf-8"
    case .stored, .picture, .audio: "application/octet-stream"
    }
  }
}

extension WireAudioLayout {
  init(_ audio: SampleBuffer.Audio) {
    let planeCount = audio.isInterleaved ? 1 : audio.channels
    let planeSize = audio.frames * audio.bytesPerSample * (audio.isInterleaved ? audio.channels : 1)
    self.init(
      sampleFormat: audio.sampleFormat, sampleRate: audio.sampleRate, channels: audio.channels,
      channelLayout: audio.channelLayout, frames: audio.frames,
      planes: (0..<planeCount).map { WireAudioPlane(offset: $0 * planeSize, size: planeSize) })
  }
}
