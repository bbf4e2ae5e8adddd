import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// A sequence of clips, from its caller.

extension ClipSequence {
  /// - Parameter problems: receives the problems that its types don't exclude.
  init(_ wire: WireClipSequence, _ problems: inout [EngineError.Problem]) {
    self.init(
      size: wire.size.map(Size.init),
      frameDuration: wire.frameRate.flatMap { $0.frameDuration(at: "/frameRate", &problems) },
      background: VideoComposition.Color(wire.background, at: "/background", &problems),
      clips: wire.clips.enumerated().map { Clip($1, at: "/clips/\($0)", &problems) },
      overlays: (wire.overlays ?? []).enumerated().compactMap {
        Overlay($1, at: "/overlays/\($0)", &problems)
      },
      audio: (wire.audio ?? []).enumerated().compactMap {
        Accompaniment($1, at: "/audio/\($0)", &problems)
      })
    subtitles = (wire.subtitles ?? []).enumerated().map {
      VideoComposition.BurntSubtitles($1, at: "/subtitles/\($0)", &problems)
    }
    subtitleTracks = (wire.subtitleTracks ?? []).map(SubtitleFile.init)
    textLayers = (wire.textLayers ?? []).enumerated().map {
      VideoComposition.TextLayer($1, at: "/textLayers/\($0)", &problems)
    }
  }
}

extension ClipSequence.Clip {
  fileprivate init(_ wire: WireClip, at path: String, _ problems: inout [EngineError.Problem]) {
    let isGap = wire.url == nil && wire.asset == nil
    self.init(
      isGap ? nil : source(wire.url, wire.imageSequence, wire.asset, at: path, &problems),
      timeRange: wire.timeRange?.range,
      speed: wire.speed.flatMap { $0.speed(at: "\(path)/speed", &problems) } ?? .natural,
      volume: wire.volume ?? 1, fit: wire.fit.map(VideoComposition.Fit.init) ?? .contain,
      duration: wire.duration?.time,
      zoom: wire.zoom.map {
        ClipSequence.Zoom(from: Rectangle($0.from), to: Rectangle($0.to))
      })
    text = wire.text.map { text in
      VideoComposition.TextLayer(
        WireTextLayer(
          text: text.text, timeRange: WireTimeRange(.all), style: text.style,
          position: text.position, fadeIn: text.fadeIn, fadeOut: text.fadeOut),
        at: "\(path)/text", &problems)
    }
    speedRamp = [SpeedPoint](wire.speedRamp, at: "\(path)/speedRamp", &problems)
    freeze = wire.freeze?.time
    background = wire.background.map {
      VideoComposition.Color($0, at: "\(path)/background", &problems)
    }
    transition = wire.transition.flatMap {
      ClipSequence.Transition($0, at: "\(path)/transition", &problems)
    }
  }
}

extension ClipSequence.Transition {
  /// Creates a transition; nil for a cut.
  fileprivate init?(
    _ wire: WireTransition, at path: String, _ problems: inout [EngineError.Problem]
  ) {
    let name = wire.kind ?? .dissolve
    let direction = Direction(wire.direction ?? .left)
    var color = VideoComposition.Color.black
    if wire.color != nil {
      color = VideoComposition.Color(wire.color, at: "\(path)/color", &problems)
    }
    let kind: Kind? =
      switch name {
      case .dissolve: .dissolve
      case .wipe: .wipe(direction)
      case .slide: .slide(direction)
      case .push: .push(direction)
      case .dip: .dip(color)
      case .none: nil
      }
    func refuse(_ member: String, _ kinds: String) {
      problems.append(
        EngineError.Problem(
          path: "\(path)/\(member)", expected: "none: \(kinds) has one", got: "one of \(name)"))
    }
    if wire.direction != nil, ![.wipe, .slide, .push].contains(name) {
      refuse("direction", "a wipe, a slide or a push")
    }
    if wire.color != nil, name != .dip { refuse("color", "a dip") }
    guard let kind else { return nil }
    // A missing duration isn't positive, which is a problem.
    self.init(kind, duration: wire.duration?.time ?? .invalid)
  }
}

extension ClipSequence.Transition.Direction {
  fileprivate init(_ wire: WireTransitionDirection) {
    switch wire {
    case .left: self = .left
    case .right: self = .right
    case .up: self = .up
    case .down: self = .down
    }
  }
}

extension ClipSequence.Overlay {
  fileprivate init?(_ wire: WireOverlay, at path: String, _ problems: inout [EngineError.Problem]) {
    guard let location = source(wire.url, wire.imageSequence, wire.asset, at: path, &problems)
    else { return nil }
    self.init(
      location, timeRange: wire.timeRange.range, frame: Rectangle(wire.frame),
      opacity: wire.opacity ?? 1, fadeIn: wire.fadeIn?.time ?? .zero,
      fadeOut: wire.fadeOut?.time ?? .zero)
    sourceTimeRange = wire.sourceTimeRange?.range
    speed = wire.speed.flatMap { $0.speed(at: "\(path)/speed", &problems) } ?? .natural
    speedRamp = [SpeedPoint](wire.speedRamp, at: "\(path)/speedRamp", &problems)
    volume = wire.volume ?? 0
    fit = wire.fit.map(VideoComposition.Fit.init) ?? .fill
  }
}

extension ClipSequence.Accompaniment {
  fileprivate init?(
    _ wire: WireAccompaniment, at path: String, _ problems: inout [EngineError.Problem]
  ) {
    guard let location = source(wire.url, nil, wire.asset, at: path, &problems) else { return nil }
    self.init(
      location, start: wire.at?.time ?? .zero, timeRange: wire.timeRange?.range,
      volume: wire.volume ?? 1, fadeIn: wire.fadeIn?.time ?? .zero,
      fadeOut: wire.fadeOut?.time ?? .zero, loops: wire.loop ?? false,
      ducking: wire.duck.map { duck in
        var ducking = ClipSequence.Ducking(level: duck.to ?? 0.25)
        if let attack = duck.attack { ducking.attack = attack.time }
        if let release = duck.release { ducking.release = release.time }
        return ducking
      })
  }
}

private func source(
  _ url: String?, _ images: WireImageSequence?, _ asset: AssetHandle?, at path: String,
  _ problems: inout [EngineError.Problem]
) -> ClipSequence.Location? {
  switch (url, asset) {
  case (let url?, nil): return ClipSequence.Location(url: url, images)
  case (nil, let asset?): return .asset(asset.rawValue)
  default:
    problems.append(
      EngineError.Problem(
        path: path, expected: "url or asset", got: url == nil ? "neither" : "both"))
    return nil
  }
}

extension [SpeedPoint] {
  /// - Parameter problems: receives the problems that its types don't exclude.
  init(
    _ wire: [WireSpeedPoint]?, at path: String, _ problems: inout [EngineError.Problem]
  ) {
    self.init()
    guard let wire else { return }
    if wire.isEmpty {
      problems.append(EngineError.Problem(path: path, expected: "at least one point", got: "none"))
    }
    for (number, point) in wire.enumerated() {
      // A speed that isn't one is a problem already.
      let speed = point.speed.speed(at: "\(path)/\(number)/speed", &problems)
      append(SpeedPoint(speed ?? .natural, at: point.at.time))
    }
  }
}

extension WireSpeedPoint {
  fileprivate init(_ point: SpeedPoint) {
    let speed = point.speed
    self.init(
      at: WireTime(point.time),
      speed: speed.denominator == 1
        ? .integer(speed.numerator)
        : .ratio(WireRatio(numerator: speed.numerator, denominator: speed.denominator)))
  }
}

extension [WireSpeedPoint] {
  /// Creates the points; nil for none.
  init?(_ ramp: [SpeedPoint]) {
    guard !ramp.isEmpty else { return nil }
    self = ramp.map(WireSpeedPoint.init)
  }
}

extension WireFactor {
  /// Returns the number as a fraction; one that isn't whole is rounded to the nearest billionth.
  fileprivate func speed(
    at path: String, _ problems: inout [EngineError.Problem]
  ) -> ClipSequence.Speed? {
    switch self {
    case .integer(let number): return ClipSequence.Speed(number)
    case .ratio(let ratio): return ClipSequence.Speed(ratio.numerator, over: ratio.denominator)
    case .number(let number):
      let fraction = Time(secondsToNanosecond: number).reduced
      if fraction.isNumeric, let numerator = Int32(exactly: fraction.value) {
        return ClipSequence.Speed(numerator, over: fraction.timescale)
      }
      problems.append(
        EngineError.Problem(
          path: path, expected: "a number other than 0, or a ratio", got: "\(number)"))
      return nil
    }
  }

  fileprivate func frameDuration(
    at path: String, _ problems: inout [EngineError.Problem]
  ) -> Time? {
    guard let rate = speed(at: path, &problems) else { return nil }
    // A rate of 0 is an invalid time, which is a problem of its own.
    return Time(value: Int64(rate.denominator), timescale: rate.numerator)
  }
}
