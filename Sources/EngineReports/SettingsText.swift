import EngineProtocol

// Settings of encoders as text, for shells and for models.

extension WireFactor {
  /// A number, or a ratio of two: `25`, `29.97`, `30000/1001`.
  package init?(ratio text: some StringProtocol) {
    let parts = text.split(omittingEmptySubsequences: false) { "/:".contains($0) }
    if parts.count == 2, let above = Int32(parts[0]), let below = Int32(parts[1]) {
      self = .ratio(WireRatio(numerator: above, denominator: below))
    } else if let number = Int32(text) {
      self = .integer(number)
    } else if let number = Double(text), number.isFinite {
      self = .number(number)
    } else {
      return nil
    }
  }

  /// Creates a speed of text, which is below 0 backward; nil for 0 and for text that is no number.
  package init?(speed text: String) {
    let isBackward = text.hasPrefix("-")
    guard let factor = WireFactor(ratio: isBackward ? String(text.dropFirst()) : text),
      factor.isPositive
    else { return nil }
    self =
      switch factor {
      case _ where !isBackward: factor
      case .integer(let number): .integer(-number)
      case .ratio(let ratio):
        .ratio(WireRatio(numerator: -ratio.numerator, denominator: ratio.denominator))
      case .number(let number): .number(-number)
      }
  }

  /// True if it is above 0.
  package var isPositive: Bool {
    switch self {
    case .integer(let number): number > 0
    case .ratio(let ratio): ratio.numerator > 0 && ratio.denominator > 0
    case .number(let number): number > 0
    }
  }
}

extension WireCropRectangle {
  /// The form of X11: `640x360+0+20` is the width, the height, and the pixels to the left and above.
  package init?(geometry text: String) {
    let parts = text.split(omittingEmptySubsequences: false) { "x+".contains($0) }
      .map { Int($0) }
    guard text.contains("x"), parts.count == 4, let width = parts[0], let height = parts[1],
      let x = parts[2], let y = parts[3]
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension WireCrop {
  /// A rectangle in the form of X11, or an aspect ratio: `9:16`.
  package init?(text: String) {
    if let rectangle = WireCropRectangle(geometry: text) {
      self = .rectangle(rectangle)
    } else if text.contains(where: { ":/".contains($0) }), let ratio = WireFactor(ratio: text),
      ratio.isPositive
    {
      self = .aspectRatio(WireCropAspectRatio(aspectRatio: ratio))
    } else {
      return nil
    }
  }
}
