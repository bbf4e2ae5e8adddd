import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// Audio mixes and video compositions, both ways.

extension AudioMix {
  /// - Parameter path: the place of the mix, as a JSON pointer.
  init(_ wire: WireAudioMix, at path: String, _ problems: inout [EngineError.Problem]) {
    self.init(
      inputParameters: wire.inputParameters.enumerated().map { number, parameters in
        InputParameters(
          trackID: parameters.trackID,
          volume: ramps(
            parameters.volume, at: "\(path)/inputParameters/\(number)/volume", &problems
          ) { $0 },
          audioTimePitchAlgorithm: parameters.audioTimePitchAlgorithm.map(
            AudioTimePitchAlgorithm.init))
      })
  }
}

extension WireNumberRamp {
  init(_ ramp: ValueRamp<Double>) { self = wireRamp(ramp) { $0 } }
}

extension PresentationSetting<AudioMix> {
  /// - Throws: `unsupportedOutputSettings` with all problems of the mix for that asset.
  init(_ wire: WireAudioMixSetting?, for asset: any Asset, at path: String) async throws {
    switch wire {
    case nil: self = .asset
    case .some(.none): self = .none
    case .mix(let wire):
      var problems: [EngineError.Problem] = []
      let mix = AudioMix(wire, at: "", &problems)
      let audio = try await asset.load(.tracks).filter { $0.mediaType == .audio }
      problems += mix.problems(known: Set(audio.map(\.trackID)))
      if let error = ErrorObject(problems, at: path) { throw error }
      self = .custom(mix)
    }
  }
}

extension WireAudioMix {
  init(_ mix: AudioMix) {
    self.init(
      inputParameters: mix.inputParameters.map { parameters in
        WireAudioMixInputParameters(
          trackID: parameters.trackID, volume: wireRamps(parameters.volume) { $0 },
          audioTimePitchAlgorithm: parameters.audioTimePitchAlgorithm.map(
            WireAudioTimePitchAlgorithm.init))
      })
  }
}

extension VideoComposition {
  /// - Parameter path: the place of the composition, as a JSON pointer.
  init(_ wire: WireVideoComposition, at path: String, _ problems: inout [EngineError.Problem]) {
    self.init(
      frameDuration: wire.frameDuration.time,
      sourceTrackIDForFrameTiming: wire.sourceTrackIDForFrameTiming,
      renderSize: Size(wire.renderSize), renderScale: wire.renderScale ?? 1,
      colorProperties: wire.colorProperties.map {
        ColorProperties(primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix)
      },
      instructions: wire.instructions.enumerated().map { number, instruction in
        Instruction(instruction, at: "\(path)/instructions/\(number)", &problems)
      })
    subtitles = (wire.subtitles ?? []).enumerated().map { number, subtitles in
      BurntSubtitles(subtitles, at: "\(path)/subtitles/\(number)", &problems)
    }
    textLayers = (wire.textLayers ?? []).enumerated().map { number, layer in
      TextLayer(layer, at: "\(path)/textLayers/\(number)", &problems)
    }
    if let format = wire.compositorPixelFormat { compositorPixelFormat = format }
    if let timeout = wire.compositorTimeoutMs { compositorTimeout = .milliseconds(timeout) }
  }
}

extension PresentationSetting<VideoComposition> {
  /// - Throws: `invalidVideoComposition` with all problems of the composition for that asset.
  init(
    _ wire: WireVideoCompositionSetting?, for asset: any Asset, at path: String
  ) async throws {
    switch wire {
    case nil: self = .asset
    case .some(.none): self = .none
    case .composition(let wire):
      var problems: [EngineError.Problem] = []
      let composition = VideoComposition(wire, at: "", &problems)
      let video = try await asset.load(.tracks).filter { $0.mediaType == .video }
      problems += composition.problems(known: Set(video.map(\.trackID)))
      if let error = ErrorObject(problems, at: path) { throw error }
      self = .custom(composition)
    }
  }
}

extension VideoComposition.Instruction {
  fileprivate init(
    _ wire: WireVideoCompositionInstruction, at path: String,
    _ problems: inout [EngineError.Problem]
  ) {
    self.init(
      timeRange: wire.timeRange.range,
      backgroundColor: VideoComposition.Color(
        wire.backgroundColor, at: "\(path)/backgroundColor", &problems),
      layerInstructions: wire.layerInstructions.enumerated().map { number, layer in
        VideoComposition.LayerInstruction(
          layer, at: "\(path)/layerInstructions/\(number)", &problems)
      }, compositor: wire.compositor == .client ? .client : .engine)
  }
}

extension VideoComposition.LayerInstruction {
  init(
    _ wire: WireVideoCompositionLayerInstruction, at path: String,
    _ problems: inout [EngineError.Problem]
  ) {
    self.init(
      trackID: wire.trackID,
      transform: ramps(wire.transform, at: "\(path)/transform", &problems, AffineTransform.init),
      opacity: ramps(wire.opacity, at: "\(path)/opacity", &problems) { $0 },
      cropRectangle: ramps(
        wire.cropRectangle, at: "\(path)/cropRectangle", &problems, Rectangle.init),
      fit: wire.fit.map(VideoComposition.Fit.init) ?? .none)
  }
}

extension VideoComposition.Color {
  /// Creates the colour; opaque black where none is stated.
  init(_ wire: [Double]?, at path: String, _ problems: inout [EngineError.Problem]) {
    guard let wire else {
      self = .black
      return
    }
    guard wire.count == 4 else {
      problems.append(
        EngineError.Problem(
          path: path, expected: "red, green, blue and alpha", got: "\(wire.count) numbers"))
      self = .black
      return
    }
    self.init(red: wire[0], green: wire[1], blue: wire[2], alpha: wire[3])
  }
}

extension WireVideoComposition {
  init(_ composition: VideoComposition) {
    self.init(
      frameDuration: WireTime(composition.frameDuration),
      sourceTrackIDForFrameTiming: composition.sourceTrackIDForFrameTiming,
      renderSize: WireSize(composition.renderSize),
      renderScale: composition.renderScale == 1 ? nil : composition.renderScale,
      colorProperties: composition.colorProperties.map {
        WireColorProperties(primaries: $0.primaries, transfer: $0.transfer, matrix: $0.matrix)
      },
      instructions: composition.instructions.map(WireVideoCompositionInstruction.init))
    if !composition.subtitles.isEmpty {
      subtitles = composition.subtitles.map(WireBurntSubtitles.init)
    }
    if !composition.textLayers.isEmpty {
      textLayers = composition.textLayers.map(WireTextLayer.init)
    }
    if composition.compositorPixelFormat != "rgb24" {
      compositorPixelFormat = composition.compositorPixelFormat
    }
    if composition.compositorTimeout != .seconds(10) {
      compositorTimeoutMs = Int(composition.compositorTimeout / .milliseconds(1))
    }
  }
}

extension WireVideoCompositionInstruction {
  init(_ instruction: VideoComposition.Instruction) {
    self.init(
      timeRange: WireTimeRange(instruction.timeRange),
      backgroundColor: instruction.backgroundColor == .black
        ? nil : instruction.backgroundColor.components,
      layerInstructions: instruction.layerInstructions.map { layer in
        WireVideoCompositionLayerInstruction(
          trackID: layer.trackID, transform: wireRamps(layer.transform, WireTransform.init),
          opacity: wireRamps(layer.opacity) { $0 },
          cropRectangle: wireRamps(layer.cropRectangle, WireRectangle.init),
          fit: layer.fit == .none ? nil : WireFit(layer.fit))
      }, compositor: instruction.compositor == .engine ? nil : .client)
  }
}

// MARK: Values over time

/// The members of an entry in the course of a value, which are the same for every kind of value.
private protocol WireRamp {
  associatedtype Value
  var at: WireTime? { get }
  var value: Value? { get }
  var from: Value? { get }
  var to: Value? { get }
  var timeRange: WireTimeRange? { get }
  init(at: WireTime?, value: Value?, from: Value?, to: Value?, timeRange: WireTimeRange?)
}

extension WireNumberRamp: WireRamp {}
extension WireTransformRamp: WireRamp {}
extension WireRectangleRamp: WireRamp {}

private func ramps<Ramp: WireRamp, Value>(
  _ wire: [Ramp]?, at path: String, _ problems: inout [EngineError.Problem],
  _ convert: (Ramp.Value) -> Value
) -> [ValueRamp<Value>] {
  (wire ?? []).enumerated().compactMap { number, ramp in
    switch (ramp.at, ramp.value, ramp.from, ramp.to, ramp.timeRange) {
    case (let at?, let value?, nil, nil, nil):
      return .value(convert(value), at: at.time)
    case (nil, nil, let from?, let to?, let range?):
      return .ramp(from: convert(from), to: convert(to), over: range.range)
    default:
      problems.append(
        EngineError.Problem(
          path: "\(path)/\(number)", expected: "{at, value} or {from, to, timeRange}",
          got: "other members"))
      return nil
    }
  }
}

/// Returns the ramps; nil for a value that is never set.
private func wireRamps<Ramp: WireRamp, Value>(
  _ ramps: [ValueRamp<Value>], _ convert: (Value) -> Ramp.Value
) -> [Ramp]? {
  ramps.isEmpty ? nil : ramps.map { wireRamp($0, convert) }
}

private func wireRamp<Ramp: WireRamp, Value>(
  _ ramp: ValueRamp<Value>, _ convert: (Value) -> Ramp.Value
) -> Ramp {
  switch ramp {
  case .value(let value, let time):
    Ramp(at: WireTime(time), value: convert(value), from: nil, to: nil, timeRange: nil)
  case .ramp(let from, let to, let range):
    Ramp(
      at: nil, value: nil, from: convert(from), to: convert(to), timeRange: WireTimeRange(range))
  }
}

extension WireLayerRamp {
  init(_ ramp: ValueRamp<AffineTransform>) { self = .transform(wireRamp(ramp, WireTransform.init)) }
  init(_ ramp: ValueRamp<Double>) { self = .opacity(wireRamp(ramp) { $0 }) }
  init(_ ramp: ValueRamp<Rectangle>) {
    self = .cropRectangle(wireRamp(ramp, WireRectangle.init))
  }
}

// MARK: Geometry and enumerations

extension Size {
  init(_ wire: WireSize) { self.init(width: wire.width, height: wire.height) }
}

extension AffineTransform {
  init(_ wire: WireTransform) {
    self.init(a: wire.a, b: wire.b, c: wire.c, d: wire.d, tx: wire.tx, ty: wire.ty)
  }
}

extension Rectangle {
  init(_ wire: WireRectangle) {
    self.init(x: wire.x, y: wire.y, width: wire.width, height: wire.height)
  }
}

extension WireRectangle {
  init(_ rectangle: Rectangle) {
    self.init(
      x: rectangle.x, y: rectangle.y, width: rectangle.width, height: rectangle.height)
  }
}

extension VideoComposition.Fit {
  init(_ wire: WireFit) {
    self =
      switch wire {
      case .none: .none
      case .contain: .contain
      case .cover: .cover
      case .fill: .fill
      }
  }
}

extension WireFit {
  init(_ fit: VideoComposition.Fit) {
    self =
      switch fit {
      case .none: .none
      case .contain: .contain
      case .cover: .cover
      case .fill: .fill
      }
  }
}

extension WireAudioTimePitchAlgorithm {
  init(_ algorithm: AudioTimePitchAlgorithm) {
    self =
      switch algorithm {
      case .timeDomain: .timeDomain
      case .spectral: .spectral
      case .varispeed: .varispeed
      }
  }
}
