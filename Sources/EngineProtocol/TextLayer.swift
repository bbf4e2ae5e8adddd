/// The style of text. A member that is left out has the default of texts, or the value in a script of subtitles.
public struct WireTextStyle: Codable, Sendable, Equatable {
  /// The font.
  public var font: WireFont?
  /// Red, green, blue and alpha of the letters, each from 0 to 1.
  /// Left out: opaque white for texts.
  public var color: [Double]?
  /// A line around the letters.
  /// Left out: 1/24 of the font's size in black for texts.
  public var outline: WireTextOutline?
  /// A copy of the letters behind them. Not together with `backgroundColor`.
  public var shadow: WireTextShadow?
  /// Red, green, blue and alpha of a box behind all lines, each from 0 to 1.
  public var backgroundColor: [Double]?
  /// The place of the text in the picture; for a text with a `position`, the point of the text that is there.
  /// Left out: `"center"` for texts.
  public var alignment: WireTextAlignment?
  /// The distance from the left and right edges, in widths of the picture, from 0 to 0.5.
  /// Left out: 0.05 for texts.
  public var horizontalMargin: Double?
  /// The distance from the top or the bottom, in heights of the picture, from 0 to 1.
  /// Left out: 0.05 for texts.
  public var verticalMargin: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    font: WireFont? = nil, color: [Double]? = nil, outline: WireTextOutline? = nil,
    shadow: WireTextShadow? = nil, backgroundColor: [Double]? = nil,
    alignment: WireTextAlignment? = nil, horizontalMargin: Double? = nil,
    verticalMargin: Double? = nil
  ) {
    self.font = font
    self.color = color
    self.outline = outline
    self.shadow = shadow
    self.backgroundColor = backgroundColor
    self.alignment = alignment
    self.horizontalMargin = horizontalMargin
    self.verticalMargin = verticalMargin
  }
}

/// A font, of the system or in a file.
public struct WireFont: Codable, Sendable, Equatable {
  /// The name of a family, for example `"DejaVu Sans"`. If the system doesn't have it, fontconfig substitutes another
  /// one. Not together with `url`.
  public var family: String?
  /// The path or `file` URL of a TrueType or OpenType font; of a collection, its first.
  ///
  /// - Path: `read`
  public var url: String?
  /// The height of a line, in pixels of the render size.
  /// Left out: 1/12 of the picture's height for texts.
  public var size: Double?
  /// True for bold letters.
  public var isBold: Bool?
  /// True for italic letters.
  public var isItalic: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    family: String? = nil, url: String? = nil, size: Double? = nil, isBold: Bool? = nil,
    isItalic: Bool? = nil
  ) {
    self.family = family
    self.url = url
    self.size = size
    self.isBold = isBold
    self.isItalic = isItalic
  }
}

/// A line around letters.
public struct WireTextOutline: Codable, Sendable, Equatable {
  /// Red, green, blue and alpha, each from 0 to 1.
  public var color: [Double]?
  /// The width, in pixels of the render size; 0 for none.
  public var width: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(color: [Double]? = nil, width: Double? = nil) {
    self.color = color
    self.width = width
  }
}

/// A copy of letters, below them to the right.
public struct WireTextShadow: Codable, Sendable, Equatable {
  /// Red, green, blue and alpha, each from 0 to 1.
  /// Left out: opaque black.
  public var color: [Double]?
  /// The distance, in pixels of the render size, in both directions.
  /// Left out: 1/16 of the font's size.
  public var offset: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(color: [Double]? = nil, offset: Double? = nil) {
    self.color = color
    self.offset = offset
  }
}

/// The place of text in a picture.
public enum WireTextAlignment: String, Codable, Sendable, CaseIterable {
  /// At the top, on the left.
  case topLeft
  /// At the top.
  case top
  /// At the top, on the right.
  case topRight
  /// Half way down, on the left.
  case left
  /// In the middle.
  case center
  /// Half way down, on the right.
  case right
  /// At the bottom, on the left.
  case bottomLeft
  /// At the bottom.
  case bottom
  /// At the bottom, on the right.
  case bottomRight
}

/// A point of a picture, from its top left, as fractions of its width and height.
public struct WirePicturePosition: Codable, Sendable, Equatable {
  /// 0 at the left edge, 1 at the right.
  public var x: Double
  /// 0 at the top, 1 at the bottom.
  public var y: Double

  /// Makes the value from its members.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A text over the frames.
public struct WireTextLayer: Codable, Sendable, Equatable {
  /// The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It has no codes.
  public var text: String
  /// The range of time in which it is shown; a duration of `"+infinity"` lasts to the end.
  public var timeRange: WireTimeRange
  /// The style.
  public var style: WireTextStyle?
  /// The position of the point of the text that `alignment` names.
  /// Left out: where `alignment` is in the picture, within the margins.
  public var position: WirePicturePosition?
  /// The duration of its appearance.
  ///
  /// - Default: `0`
  public var fadeIn: WireTime?
  /// The duration of its disappearance.
  ///
  /// - Default: `0`
  public var fadeOut: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    text: String, timeRange: WireTimeRange, style: WireTextStyle? = nil,
    position: WirePicturePosition? = nil, fadeIn: WireTime? = nil, fadeOut: WireTime? = nil
  ) {
    self.text = text
    self.timeRange = timeRange
    self.style = style
    self.position = position
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }
}

/// Subtitles that become part of the frames: of a codec that is text, such as SRT, WebVTT, `mov_text` and ASS. Scripts of
/// ASS have their own styles, and the fonts that are attached to their file.
public struct WireBurntSubtitles: Codable, Sendable, Equatable {
  /// The path or `file` URL of a file with subtitles, whose time zero is that of the asset.
  /// Left out: those of the asset itself.
  ///
  /// - Path: `read`
  public var url: String?
  /// The track, of the file or else of the asset.
  /// Left out: the first one of subtitles that are text.
  public var trackID: Int32?
  /// The character set of a file that isn't UTF-8, by IANA's name; otherwise it is guessed.
  public var characterSet: String?
  /// The style. Its members replace those in the styles of the subtitles.
  public var style: WireTextStyle?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    url: String? = nil, trackID: Int32? = nil, characterSet: String? = nil,
    style: WireTextStyle? = nil
  ) {
    self.url = url
    self.trackID = trackID
    self.characterSet = characterSet
    self.style = style
  }
}
