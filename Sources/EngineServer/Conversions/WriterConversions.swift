import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Returns an input in the engine's form.
  ///
  /// - Throws: `invalidParams` with all problems that the values of the settings alone show.
  func writerInput(
    _ wire: WireWriterInput, path: String
  ) async throws -> AssetWriter.Configuration.Input {
    var input = try await treatment(wire, path: path)
    input.mediaTimeScale = wire.mediaTimeScale
    if let transform = wire.transform { input.transform = AffineTransform(transform) }
    input.extendedLanguageTag = wire.extendedLanguageTag
    input.isEnabled = wire.marksOutputTrackAsEnabled ?? true
    input.expectsMediaDataInRealTime = wire.expectsMediaDataInRealTime ?? false
    return input
  }

  private func treatment(
    _ wire: WireWriterInput, path: String
  ) async throws -> AssetWriter.Configuration.Input {
    func misfit(_ member: String, _ expected: String, _ got: String) -> RPCError {
      .invalidParams(path: path + member, expected: expected, got: got)
    }
    guard let settings = wire.outputSettings else {
      let input = AssetWriter.Configuration.Input(.stored(try await sourceFormat(wire, path: path)))
      guard input.mediaType == MediaType(wire.mediaType) || input.mediaType == .metadata else {
        throw misfit("/mediaType", "\(input.mediaType.rawValue)", wire.mediaType.rawValue)
      }
      return input
    }
    guard wire.sourceFormatHint == nil else {
      throw misfit("/sourceFormatHint", "no hint with outputSettings", "a hint")
    }
    let kind = MediaType(wire.mediaType)
    switch settings {
    case .preset(let wanted):
      return try AssetWriter.Configuration.Input(kind, preset: try preset(wanted.preset))
    case .text(let text): return AssetWriter.Configuration.Input(.text(codec: text.codec))
    case .audio(let audio):
      let read = try exportSettings(WireExportSettings(audio: .encoded(audio)), path)
      return AssetWriter.Configuration.Input(
        .audio(read.audioSettings ?? AudioEncodingSettings()))
    case .video(let video):
      guard kind == .video else {
        throw misfit(
          "/mediaType", "video, audio, text or subtitle, for samples that are encoded",
          wire.mediaType.rawValue)
      }
      let read = try exportSettings(WireExportSettings(video: .encoded(video)), path)
      return AssetWriter.Configuration.Input(
        .video(read.videoSettings ?? VideoEncodingSettings()))
    }
  }

  private func exportSettings(
    _ wire: WireExportSettings, _ path: String
  ) throws(RPCError) -> ExportSettings {
    let reader = ExportSettingsReader(wire)
    guard reader.problems.isEmpty else {
      throw .invalidParams(
        reader.problems.map { problem in
          let member = problem.path.split(separator: "/").dropFirst(2).joined(separator: "/")
          return DecodingProblem(
            path: "\(path)/outputSettings/\(member)", expected: problem.expected, got: problem.got)
        })
    }
    return reader.settings
  }

  private func sourceFormat(
    _ wire: WireWriterInput, path: String
  ) async throws -> AssetWriter.Configuration.SourceFormat {
    guard let hint = wire.sourceFormatHint else {
      throw RPCError.invalidParams(
        path: path + "/sourceFormatHint", expected: "a hint, for an input without outputSettings",
        got: "nothing")
    }
    switch (hint.fromOutput, hint.fromAsset, hint.format) {
    case (let output?, nil, nil):
      return AssetWriter.Configuration.SourceFormat(try handles.find(output).output)
    case (nil, let asset?, nil):
      let tracks = try await findAsset(asset).load(.tracks)
      guard let track = tracks.first(where: { $0.trackID == hint.trackID }) else {
        let number = hint.trackID.map(String.init) ?? "without a number"
        throw EngineError(.noSourceTrack, "The asset has no track \(number)")
      }
      return AssetWriter.Configuration.SourceFormat(track)
    case (nil, nil, let format?):
      return try AssetWriter.Configuration.SourceFormat(
        codec: format.codec, extradata: format.extradata?.bytes ?? [],
        width: Int(clamping: format.video?.dimensions.width),
        height: Int(clamping: format.video?.dimensions.height),
        sampleRate: Int(clamping: format.audio?.sampleRate),
        channels: Int(format.audio?.channelsPerFrame ?? 0),
        initialPadding: max(0, format.audio?.initialPadding ?? 0),
        timescale: wire.mediaTimeScale)
    default:
      throw RPCError.invalidParams(
        path: path + "/sourceFormatHint",
        expected: "one of fromOutput, fromAsset with trackID, and format", got: "another number")
    }
  }
}

extension Int {
  /// Creates a length that a client states; 0 for none, and for a number that is no length.
  fileprivate init(clamping value: Double?) {
    self = value.flatMap { Int(exactly: $0.rounded()) } ?? 0
  }
}

extension Engine {
  /// Returns a sample in the engine's form, and the lease that has its bytes.
  func appendedSample(
    _ wire: WireAppendedSample, to input: WriterInput, path: String
  ) async throws -> (sample: SampleBuffer, lease: LeaseHandle?) {
    let (time, duration) = (wire.presentationTime.time, wire.duration?.time ?? .invalid)
    let sources = [wire.blob != nil, wire.imageURL != nil, wire.text != nil].count { $0 }
    guard sources == 1 else {
      throw RPCError.invalidParams(
        path: path, expected: "one of blob, imageURL and text", got: "\(sources) of them")
    }
    if let url = wire.imageURL {
      let sample = try await SampleBuffer(
        imageAt: url, at: time, duration: duration, configuration: configuration)
      return (sample, nil)
    }
    if let text = wire.text {
      let data = try await DataBuffer.copy(Array(text.utf8), to: .heap)
      return (SampleBuffer(data, .text, at: time, duration: duration), nil)
    }
    let (data, lease) = try await bytes(wire.blob, path: path)
    if let audio = wire.audio {
      let count = audio.planes?.count ?? 1
      guard count == 1 || count == audio.channels else {
        throw RPCError.invalidParams(
          path: path + "/audio/planes", expected: "one plane, or one for each channel",
          got: "\(count)")
      }
      var sample = try SampleBuffer(
        audio: data, sampleFormat: audio.sampleFormat, sampleRate: audio.sampleRate,
        channels: audio.channels, channelLayout: audio.channelLayout,
        isInterleaved: count == 1, at: time)
      sample.index = 0
      return (sample, lease)
    }
    if let picture = try picture(wire.image, of: input, path: path) {
      return (SampleBuffer(data, .picture(picture), at: time, duration: duration), lease)
    }
    let attachments = wire.attachments
    let sample = SampleBuffer(
      data, .stored, at: time, duration: duration, decodeTime: wire.decodeTime?.time,
      attachments: SampleAttachments(
        notSync: attachments?.notSync ?? false,
        isDependedOnByOthers: attachments?.isDependedOnByOthers,
        doNotDisplay: attachments?.doNotDisplay ?? false,
        trimDurationAtStart: attachments?.trimDurationAtStart?.time,
        trimDurationAtEnd: attachments?.trimDurationAtEnd?.time))
    return (sample, lease)
  }

  private func bytes(
    _ blob: WireAppendedBytes?, path: String
  ) async throws -> (DataBuffer, LeaseHandle?) {
    switch blob {
    case .inline(let inline): return (try await DataBuffer.copy(inline.data.bytes, to: .heap), nil)
    case .shm(let leased):
      guard let data = leases.data(of: leased.lease) else {
        var object = ErrorObject(.unknownHandle, "There is no lease '\(leased.lease.rawValue)'")
        object.data?.handle = AnyHandle(rawValue: leased.lease.rawValue)
        throw RPCError(object)
      }
      return (data, leased.lease)
    case nil: throw RPCError.invalidParams(path: path + "/blob", expected: "bytes", got: "nothing")
    }
  }

  /// Returns the layout of bytes as a picture; nil for samples without one.
  private func picture(
    _ wire: WireAppendedImage?, of input: WriterInput, path: String
  ) throws -> SampleBuffer.Picture? {
    guard let wire else { return input.picture }
    let color = wire.color
    let picture = try SampleBuffer.Picture(
      pixelFormat: wire.pixelFormat, width: wire.width, height: wire.height,
      color: FormatDescription.Color(
        primaries: color?.primaries, transfer: color?.transfer, matrix: color?.matrix,
        isFullRange: color?.range.map { $0 == "full" }))
    if let planes = wire.planes, planes != picture.planes.map(WirePlane.init) {
      throw RPCError.invalidParams(
        path: path + "/image/planes", expected: "planes one after the other without gaps",
        got: "others")
    }
    return picture
  }
}
