import MediaTime

extension VideoComposition {
  /// Everything that is wrong with its texts and subtitles.
  var textProblems: [EngineError.Problem] {
    var check = TextCheck()
    check.require(
      textLayers.count <= Self.maximumTexts, "/textLayers", "at most \(Self.maximumTexts)",
      "\(textLayers.count)")
    check.require(
      subtitles.count <= Self.maximumTexts, "/subtitles", "at most \(Self.maximumTexts)",
      "\(subtitles.count)")
    check.require(
      !hasText || !isDrawnByClient, textLayers.isEmpty ? "/subtitles" : "/textLayers",
      "none where a compositor of the client's draws", "some")
    for (number, layer) in textLayers.enumerated() {
      check.look(at: layer, "/textLayers/\(number)")
    }
    for (number, subtitles) in subtitles.enumerated() {
      let path = "/subtitles/\(number)"
      check.require(
        subtitles.characterSet == nil || subtitles.url != nil, "\(path)/characterSet",
        "none for subtitles of the asset", "some")
      check.look(at: subtitles.style, "\(path)/style")
    }
    return check.problems
  }
}

extension VideoComposition.TextLayer {
  /// Returns everything that is wrong with it.
  ///
  /// - Parameter path: its position, as a JSON pointer.
  func problems(at path: String) -> [EngineError.Problem] {
    var check = TextCheck()
    check.look(at: self, path)
    return check.problems
  }

  /// The maximum number of characters, by Unicode's scalars.
  static let maximumLength = 10_000
}

private struct TextCheck {
  private(set) var problems: [EngineError.Problem] = []

  mutating func require(
    _ isRight: Bool, _ path: String, _ expected: String, _ got: String
  ) {
    guard !isRight else { return }
    problems.append(
      EngineError.Problem(
        path: path, expected: expected, got: got, code: .invalidVideoComposition))
  }

  mutating func look(at layer: VideoComposition.TextLayer, _ path: String) {
    let characters = layer.text.unicodeScalars
    let maximum = VideoComposition.TextLayer.maximumLength
    require(
      !characters.isEmpty && characters.count <= maximum, "\(path)/text",
      "1 to \(maximum) characters", "\(characters.count)")
    let control = characters.first { scalar in
      ![9, 10, 13].contains(scalar.value) && scalar.properties.generalCategory == .control
    }
    require(
      control == nil, "\(path)/text", "no control characters but line feeds and tabulators",
      "U+\(String(control?.value ?? 0, radix: 16))")
    let range = layer.timeRange
    let isTimed =
      range.start.isNumeric && range.start >= .zero
      && (range.duration.isDuration || range.duration == .positiveInfinity)
    require(
      isTimed, "\(path)/timeRange", "a start of 0 s or more, and more than 0 s",
      range.exactDescription)
    for (fade, name) in [(layer.fadeIn, "fadeIn"), (layer.fadeOut, "fadeOut")] {
      require(
        fade.isNumeric && fade >= .zero && (!isTimed || fade <= range.duration),
        "\(path)/\(name)", "0 s to the time that it is shown", fade.exactDescription)
    }
    if let position = layer.position {
      let isThere = [position.x, position.y].allSatisfy { abs($0) <= 10 }
      require(
        isThere, "\(path)/position", "numbers from -10 to 10", "\(position.x), \(position.y)")
    }
    look(at: layer.style, "\(path)/style")
  }

  mutating func look(at style: VideoComposition.TextStyle, _ path: String) {
    let font = style.font
    require(
      font.family == nil || font.url == nil, "\(path)/font", "a family or a url", "both")
    if let family = font.family {
      require(
        FontNames.isUsable(family), "\(path)/font/family",
        "a name without control characters, commas and equals signs", "'\(family)'")
    }
    number(font.size, "\(path)/font/size", 1, 4096)
    number(style.outline?.width, "\(path)/outline/width", 0, 1024)
    number(style.shadow?.offset, "\(path)/shadow/offset", 0, 1024)
    number(style.horizontalMargin, "\(path)/horizontalMargin", 0, 0.5)
    number(style.verticalMargin, "\(path)/verticalMargin", 0, 1)
    require(
      style.shadow == nil || style.backgroundColor == nil, "\(path)/shadow",
      "none with a backgroundColor", "one")
    let colors = [
      (style.color, "color"), (style.outline?.color, "outline/color"),
      (style.shadow?.color, "shadow/color"), (style.backgroundColor, "backgroundColor"),
    ]
    for (color, name) in colors {
      require(
        color?.components.allSatisfy { $0 >= 0 && $0 <= 1 } ?? true, "\(path)/\(name)",
        "four numbers from 0 to 1", "others")
    }
  }

  private mutating func number(
    _ value: Double?, _ path: String, _ lowest: Double, _ highest: Double
  ) {
    guard let value else { return }
    require(
      value >= lowest && value <= highest, path, "\(lowest) to \(highest)", "\(value)")
  }
}
