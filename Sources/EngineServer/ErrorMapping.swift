import EngineProtocol
public import JSONRPC
import MediaEngine

/// The one place where an engine's error becomes a caller's.
extension ErrorObject {
  init(_ error: EngineError) {
    guard let code = ErrorCode(rawValue: error.code.rawValue) else {
      self.init(.unknown, error.message)
      return
    }
    self.init(
      code: code.rawValue, message: error.message,
      data: WireErrorData(
        name: code.name, hint: error.advice?.wireHint ?? code.hint, path: error.path,
        stage: error.stage?.rawValue,
        libav: error.underlying.map {
          WireLibAVError(code: $0.code, operation: $0.operation, message: $0.message)
        },
        log: error.log.isEmpty ? nil : Array(error.log.suffix(5)),
        errors: error.problems.isEmpty ? nil : error.problems.map(WireParamsProblem.init)))
  }
}

extension WireParamsProblem {
  init(_ problem: EngineError.Problem) {
    self.init(
      path: problem.path, expected: problem.expected, got: problem.got,
      code: problem.code?.rawValue)
  }
}

/// What a handler threw, as the error of a response.
@Sendable public func responseError(_ error: any Error) -> RPCError {
  switch error {
  case let error as RPCError: error
  case let error as EngineError: RPCError(ErrorObject(error))
  case let error as ErrorObject: RPCError(error)
  case is CancellationError: .requestCancelled()
  default: .internalError("\(error)")
  }
}

/// Runs a call of the engine that is made for an object, so that its errors name it.
func mapErrors<Result>(
  _ handle: some HandleType, _ body: () async throws(EngineError) -> Result
) async throws(ErrorObject) -> Result {
  do {
    return try await body()
  } catch {
    throw ErrorObject(error).about(handle)
  }
}

extension EngineError.Advice {
  /// The advice to a caller of the protocol: with its methods, and the members of its params.
  var wireHint: String {
    switch self {
    case .text(let text): text
    case .requestOutput: "Name a trackID or a mediaType in outputs."
    case .startReader: "Call \(AssetReaderStart.method) first."
    case .requestRandomAccess: "Create it with supportsRandomAccess set to true."
    case .readToEnd: "Pull until endOfStream is true."
    case .readToEndBeforeReset: "Pull until endOfStream is true, then reset it."
    case .requestDecodedAudio: "Give settings with sampleFormat."
    case .giveVideoComposition: "Give one, for example that of videoComposition/withPropertiesOf."
    case .correctVideoComposition:
      "Correct what the error lists, or begin with videoComposition/withPropertiesOf."
    case .requestAudioOrStored: "Give sampleFormat for audio, or no settings."
    case .requestVideoOrStored: "Give pixelFormat for video, or no settings."
    case .requestStored: "Leave settings out to read the samples as stored."
    case .chooseTrackWithSamples:
      "Choose a track with samples: \(AssetTracks.method) lists them."
    case .useUnprotectedMedia:
      "Use a file without protection, or one of its other tracks; a reader's output without "
        + "settings gives the samples as they are stored."
    case .limitImageSize:
      "Set a maximumSize, or take the stored pixels: aperture mode encodedPixels."
    case .keepSourceColors:
      "Take the samples as they are: yuv420p10le with the dynamic range policy matchSource."
    case .shrinkContactSheet:
      "Ask for fewer tiles, for another number of columns, or for a smaller tileWidth; "
        + "png has no limit of width and height of its own."
    case .stateFileType(let names): "Give outputFileType, one of: \(names.joined(separator: ", "))."
    case .chooseCompatiblePreset:
      "\(ExportSessionCompatiblePresets.method) lists the presets that suit this asset."
    case .chooseAvailableEncoder: "\(EngineCapabilities.method) lists the encoders there are."
    case .raiseFileLengthLimit:
      "Raise fileLengthLimit, or choose a preset with a lower data rate."
    case .releaseUnusedObjects:
      "Close handles that are no longer needed, or raise the process's limit."
    case .salvage:
      "Get the whole file, or open it with the option salvage to export what is there of it."
    }
  }
}
