import LibAV
import MediaTime

// Texts and styles as lines and members of ASS scripts, the input of libass.

extension VideoComposition.TextLayer {
  /// Returns the header of a script in whose pictures a pixel is one of the render size.
  func header(in size: Size) -> [UInt8] {
    Array(
      """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: \(Int(size.width.rounded()))
      PlayResY: \(Int(size.height.rounded()))
      ScaledBorderAndShadow: yes
      WrapStyle: 0

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
      Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
      MarginV, Encoding
      Style: Default,sans-serif,20,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,1,0,5,10,10,10,1

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

      """.utf8)
  }

  /// Returns the style with the defaults of texts.
  func fullStyle(in size: Size) -> VideoComposition.TextStyle {
    var full = style
    let height = style.font.size ?? size.height / 12
    full.font.size = height
    var outline = style.outline ?? .init()
    outline.width = outline.width ?? height / 24
    full.outline = outline
    full.alignment = style.alignment ?? .center
    full.horizontalMargin = style.horizontalMargin ?? 0.05
    full.verticalMargin = style.verticalMargin ?? 0.05
    return full
  }

  /// Returns its line, in the form of a script's.
  func line(in size: Size) -> String {
    let place = position.map { "{\\pos(\($0.x * size.width),\($0.y * size.height))}" } ?? ""
    return "0,0,Default,,0,0,0,,\(place)\(Self.escaped(text))"
  }

  /// Returns text in which libass sees no codes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "{": escaped += "\\{"
      case "}": escaped += "\\}"
      // It is no code with a character after it that has no width.
      case "\\": escaped += "\\\u{2060}"
      case "\n", "\r\n", "\r": escaped += "\\N"
      case "\t": escaped += " "
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension VideoComposition.TextStyle {
  /// Returns the members of a script's style that are stated.
  ///
  /// - Parameters:
  ///   - fontName: of the font's file.
  ///   - size: of the pictures, as styles have it.
  ///   - script: of the pictures, as the script has it.
  func members(
    fontName: String?, in size: Size, script: (width: Int, height: Int)
  ) -> [(name: String, value: String)] {
    let scale = Double(script.height) / size.height
    var members: [(name: String, value: String)] = []
    func add(_ name: String, _ value: (some Any)?) {
      if let value { members.append((name, "\(value)")) }
    }
    add("Fontname", fontName ?? font.family)
    add("Fontsize", font.size.map { $0 * scale })
    add("Bold", font.isBold.map { $0 ? -1 : 0 })
    add("Italic", font.isItalic.map { $0 ? -1 : 0 })
    add("PrimaryColour", color?.scriptColor)
    add("OutlineColour", outline?.color?.scriptColor)
    add("Outline", outline?.width.map { $0 * scale })
    if let shadow {
      add("BackColour", (shadow.color ?? .black).scriptColor)
      add("Shadow", (shadow.offset ?? (font.size ?? size.height / 18) / 16) * scale)
    }
    if let backgroundColor {
      // One box for all lines; a shadow's offset is its padding.
      add("BorderStyle", 4)
      add("BackColour", backgroundColor.scriptColor)
      add("Shadow", (font.size ?? size.height / 18) / 4 * scale)
    }
    add("Alignment", alignment?.scriptNumber)
    let margin = horizontalMargin.map { Int(($0 * Double(script.width)).rounded()) }
    add("MarginL", margin)
    add("MarginR", margin)
    add("MarginV", verticalMargin.map { Int(($0 * Double(script.height)).rounded()) })
    return members
  }
}

extension VideoComposition.Alignment {
  /// As members of styles are set to it: SSA's numbers, of which the upper bits are top and middle.
  fileprivate var scriptNumber: Int {
    switch self {
    case .bottomLeft: 1
    case .bottom: 2
    case .bottomRight: 3
    case .topLeft: 5
    case .top: 6
    case .topRight: 7
    case .left: 9
    case .center: 10
    case .right: 11
    }
  }
}

extension VideoComposition.Color {
  /// &HAABBGGRR, with 00 for opaque.
  fileprivate var scriptColor: String {
    func byte(_ value: Double) -> String {
      let text = String(Int((min(1, max(0, value)) * 255).rounded()), radix: 16, uppercase: true)
      return text.count < 2 ? "0" + text : text
    }
    return "&H" + byte(1 - alpha) + byte(blue) + byte(green) + byte(red)
  }
}
