import EngineProtocol
import MediaEngine
import MediaTime

extension ImageSequence {
  init(_ wire: WireImageSequence) {
    self.init()
    // Zero is refused with the other numbers that can't be.
    if let rate = wire.frameRate { frameDuration = rate.frameDuration ?? .zero }
    (startNumber, endNumber) = (wire.startNumber, wire.endNumber)
    frameStep = wire.frameStep ?? 1
    missingFramePolicy = wire.missingFramePolicy == .hold ? .hold : .error
  }
}

extension WireImageSequence {
  /// In canonical form: with the rate, and else what has no default.
  init(_ images: ImageSequence) {
    let rate = images.frameDuration.reduced
    self.init(
      frameRate: rate.value == 1
        ? .integer(rate.timescale)
        : .ratio(
          WireRatio(numerator: rate.timescale, denominator: Int32(clamping: rate.value))),
      startNumber: images.startNumber, endNumber: images.endNumber,
      frameStep: images.frameStep == 1 ? nil : images.frameStep,
      missingFramePolicy: images.missingFramePolicy == .hold ? .hold : nil)
  }
}

extension ClipSequence.Location {
  /// A file, or numbered pictures.
  init(url: String, _ images: WireImageSequence?) {
    self = images.map { .images(url, ImageSequence($0)) } ?? .url(url)
  }
}
