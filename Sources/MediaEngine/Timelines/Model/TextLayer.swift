public import MediaTime

extension VideoComposition {
  /// The style of drawn text. A missing value has a default: that of the kind of text, or of a
  /// script of subtitles.
  public struct TextStyle: Sendable, Hashable {
    /// The font.
    public var font = Font()
    /// Of the letters; white where nothing else is stated.
    public var color: Color?
    /// A line around the letters.
    public var outline: Outline?
    /// A copy of the letters behind them. Not together with a background.
    public var shadow: Shadow?
    /// The colour of a box behind all lines.
    public var backgroundColor: Color?
    /// The alignment of the text in the picture, or at its position.
    public var alignment: Alignment?
    /// The distance from the left and right edges, in widths of the picture, from 0 to 0.5.
    public var horizontalMargin: Double?
    /// The distance from the top or the bottom, in heights of the picture, from 0 to 1.
    public var verticalMargin: Double?

    public init() {}
  }

  /// A font, of the system or in a file.
  public struct Font: Sendable, Hashable {
    /// The name of a family; where the system doesn't have it, it is one that fontconfig takes for it.
    public var family: String?
    /// The path or `file` URL of a TrueType or OpenType font; of a collection, its first.
    public var url: String?
    /// The height of a line, in pixels of the render size.
    public var size: Double?
    public var isBold: Bool?
    public var isItalic: Bool?

    public init(
      family: String? = nil, url: String? = nil, size: Double? = nil, isBold: Bool? = nil,
      isItalic: Bool? = nil
    ) {
      (self.family, self.url, self.size) = (family, url, size)
      (self.isBold, self.isItalic) = (isBold, isItalic)
    }
  }

  /// A line around letters.
  public struct Outline: Sendable, Hashable {
    public var color: Color?
    /// In pixels of the render size.
    public var width: Double?

    public init(color: Color? = nil, width: Double? = nil) {
      (self.color, self.width) = (color, width)
    }
  }

  /// A copy of letters, below them to the right.
  public struct Shadow: Sendable, Hashable {
    public var color: Color?
    /// In pixels of the render size, in both directions.
    public var offset: Double?

    public init(color: Color? = nil, offset: Double? = nil) {
      (self.color, self.offset) = (color, offset)
    }
  }

  /// The place of text in a picture.
  public enum Alignment: String, Sendable, Hashable, CaseIterable {
    case topLeft, top, topRight
    case left, center, right
    case bottomLeft, bottom, bottomRight
  }

  /// A text over the pictures.
  public struct TextLayer: Sendable, Hashable {
    /// Lines end with line feeds. All of it is text: it has no codes.
    public var text: String
    /// The range in which it is shown; a duration of positive infinity lasts to the end.
    public var timeRange: TimeRange
    /// A font 1/12 of the height high, with a black outline, at the centre where nothing else is stated.
    public var style: TextStyle
    /// The place of the point of the text that its alignment names, in widths and heights of the picture; nil for the
    /// place that the alignment has in the picture.
    public var position: Position?
    /// The duration of its appearance.
    public var fadeIn: Time
    /// The duration of its disappearance.
    public var fadeOut: Time

    public init(
      text: String, timeRange: TimeRange, style: TextStyle = TextStyle(),
      position: Position? = nil, fadeIn: Time = .zero, fadeOut: Time = .zero
    ) {
      (self.text, self.timeRange, self.style, self.position) = (text, timeRange, style, position)
      (self.fadeIn, self.fadeOut) = (fadeIn, fadeOut)
    }

    /// Returns the opacity at a time, from 0 to 1; nil where it isn't shown.
    func opacity(at time: Time) -> Double? {
      guard time >= timeRange.start, time < timeRange.end else { return nil }
      var opacity = 1.0
      if fadeIn > .zero {
        opacity = min(opacity, (time - timeRange.start).seconds / fadeIn.seconds)
      }
      if fadeOut > .zero, timeRange.end.isNumeric {
        opacity = min(opacity, (timeRange.end - time).seconds / fadeOut.seconds)
      }
      return opacity
    }
  }

  /// A point of a picture, from its top left in widths and heights of it.
  public struct Position: Sendable, Hashable {
    public var x, y: Double

    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  /// Subtitles that become part of the pictures.
  public struct BurntSubtitles: Sendable, Hashable {
    /// The path or `file` URL of a file with subtitles, at whose time zero the asset's is; nil for the asset's own.
    public var url: String?
    /// The track, of the file or else of the asset; nil for the first one of text.
    public var trackID: Int32?
    /// Nil has it guessed where text isn't UTF-8; of the file.
    public var characterSet: String?
    /// Members that are stated take the place of those in the script's styles.
    public var style: TextStyle

    public init(
      url: String? = nil, trackID: Int32? = nil, characterSet: String? = nil,
      style: TextStyle = TextStyle()
    ) {
      (self.url, self.trackID, self.characterSet, self.style) = (url, trackID, characterSet, style)
    }
  }

  /// True if text is drawn over the pictures of its layers.
  var hasText: Bool { !textLayers.isEmpty || !subtitles.isEmpty }

  /// The maximum number of texts, and of subtitles.
  static let maximumTexts = 1000
}
