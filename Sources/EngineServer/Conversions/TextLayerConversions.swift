import EngineProtocol
import MediaEngine
import MediaTime

// Texts and subtitles over pictures, both ways.

extension VideoComposition.TextStyle {
  /// - Parameter path: where it is, as a JSON pointer.
  init(_ wire: WireTextStyle?, at path: String, _ problems: inout [EngineError.Problem]) {
    self.init()
    guard let wire else { return }
    func color(_ wire: [Double]?, _ name: String) -> VideoComposition.Color? {
      wire.map { VideoComposition.Color($0, at: "\(path)/\(name)", &problems) }
    }
    if let own = wire.font {
      font = VideoComposition.Font(
        family: own.family, url: own.url, size: own.size, isBold: own.isBold,
        isItalic: own.isItalic)
    }
    self.color = color(wire.color, "color")
    if let own = wire.outline {
      outline = .init(color: color(own.color, "outline/color"), width: own.width)
    }
    if let own = wire.shadow {
      shadow = .init(color: color(own.color, "shadow/color"), offset: own.offset)
    }
    backgroundColor = color(wire.backgroundColor, "backgroundColor")
    alignment = wire.alignment.flatMap { VideoComposition.Alignment(rawValue: $0.rawValue) }
    (horizontalMargin, verticalMargin) = (wire.horizontalMargin, wire.verticalMargin)
  }
}

extension VideoComposition.TextLayer {
  /// - Parameter path: where it is, as a JSON pointer.
  init(_ wire: WireTextLayer, at path: String, _ problems: inout [EngineError.Problem]) {
    self.init(
      text: wire.text, timeRange: wire.timeRange.range,
      style: VideoComposition.TextStyle(wire.style, at: "\(path)/style", &problems),
      position: wire.position.map { VideoComposition.Position(x: $0.x, y: $0.y) },
      fadeIn: wire.fadeIn?.time ?? .zero, fadeOut: wire.fadeOut?.time ?? .zero)
  }
}

extension Time {
  /// An offset of subtitles, invalid for one that isn't a time.
  init(secondsOfOffset seconds: Double?) {
    self.init(secondsToNanosecond: seconds ?? 0)
  }
}

extension SubtitleFile {
  init(_ wire: WireSubtitleFile) {
    self.init(url: wire.url)
    trackID = wire.trackID
    replacedTrackID = wire.replaces
    characterSet = wire.characterSet
    timeOffset = Time(secondsOfOffset: wire.timeOffset)
    (language, name) = (wire.language, wire.name)
    (isDefault, isForced) = (wire.isDefault, wire.isForced)
    isForHearingImpaired = wire.isForHearingImpaired
  }
}

extension WireSubtitleFile {
  init(_ file: SubtitleFile) {
    self.init(
      url: file.url, trackID: file.trackID, replaces: file.replacedTrackID,
      characterSet: file.characterSet,
      timeOffset: file.timeOffset == .zero ? nil : file.timeOffset.seconds,
      language: file.language, name: file.name, isDefault: file.isDefault,
      isForced: file.isForced, isForHearingImpaired: file.isForHearingImpaired)
  }
}

extension VideoComposition.BurntSubtitles {
  /// - Parameter path: where it is, as a JSON pointer.
  init(_ wire: WireBurntSubtitles, at path: String, _ problems: inout [EngineError.Problem]) {
    self.init(
      url: wire.url, trackID: wire.trackID, characterSet: wire.characterSet,
      style: VideoComposition.TextStyle(wire.style, at: "\(path)/style", &problems))
  }
}

extension WireTextStyle {
  /// Nil for one that states nothing.
  init?(_ style: VideoComposition.TextStyle) {
    guard style != VideoComposition.TextStyle() else { return nil }
    let font = style.font
    self.init(
      font: font == VideoComposition.Font()
        ? nil
        : WireFont(
          family: font.family, url: font.url, size: font.size, isBold: font.isBold,
          isItalic: font.isItalic),
      color: style.color?.components,
      outline: style.outline.map {
        WireTextOutline(color: $0.color?.components, width: $0.width)
      },
      shadow: style.shadow.map { WireTextShadow(color: $0.color?.components, offset: $0.offset) },
      backgroundColor: style.backgroundColor?.components,
      alignment: style.alignment.flatMap { WireTextAlignment(rawValue: $0.rawValue) },
      horizontalMargin: style.horizontalMargin, verticalMargin: style.verticalMargin)
  }
}

extension WireTextLayer {
  init(_ layer: VideoComposition.TextLayer) {
    self.init(
      text: layer.text, timeRange: WireTimeRange(layer.timeRange),
      style: WireTextStyle(layer.style),
      position: layer.position.map { WirePicturePosition(x: $0.x, y: $0.y) },
      fadeIn: layer.fadeIn == .zero ? nil : WireTime(layer.fadeIn),
      fadeOut: layer.fadeOut == .zero ? nil : WireTime(layer.fadeOut))
  }
}

extension WireBurntSubtitles {
  init(_ subtitles: VideoComposition.BurntSubtitles) {
    self.init(
      url: subtitles.url, trackID: subtitles.trackID, characterSet: subtitles.characterSet,
      style: WireTextStyle(subtitles.style))
  }
}
