/// The styles of a cue that a text codec can't hold.
package struct CueLosses: OptionSet, Sendable, Hashable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A place in the picture.
  package static let position = CueLosses(rawValue: 1)
  /// Fonts, sizes, colours, borders, shadows, rotations, struck text.
  package static let style = CueLosses(rawValue: 2)
  /// Changes while the cue is shown: motion, fades, karaoke.
  package static let animation = CueLosses(rawValue: 4)
}

extension CueText {
  /// Returns the styles that a codec can't hold, by the codes of the text.
  ///
  /// - Parameter codec: the encoder's name. SubRip has fonts, sizes, colours and alignments as libavcodec's encoder
  ///   writes them, and so has a movie's text, but for alignments; WebVTT as it is written here has neither.
  package func losses(in codec: String) -> CueLosses {
    guard codec != "ass" else { return [] }
    var losses: CueLosses = []
    for part in parts {
      for case .codes(let codes) in part.pieces {
        for code in codes.split(separator: "\\") {
          losses.formUnion(Self.loss(of: code, in: codec))
        }
      }
    }
    return losses
  }

  private static func loss(of code: Substring, in codec: String) -> CueLosses {
    let isPlain = codec == "webvtt"
    for name in ["move", "fade", "fad", "kf", "ko", "k", "K", "t("] where code.hasPrefix(name) {
      return .animation
    }
    if code.hasPrefix("an") || code.first == "a" && code.dropFirst().first?.isNumber == true {
      return codec == "subrip" ? [] : .position
    }
    for name in ["pos", "org", "clip", "iclip"] where code.hasPrefix(name) { return .position }
    for name in ["fn", "fs", "c&", "1c", "alpha", "1a"] where code.hasPrefix(name) {
      let isSpacing = code.hasPrefix("fsc") || code.hasPrefix("fsp")
      return isPlain || isSpacing ? .style : []
    }
    for name in ["bord", "xbord", "ybord", "shad", "xshad", "yshad", "blur", "be", "fr", "fa"]
      + ["2c", "3c", "4c", "2a", "3a", "4a"] where code.hasPrefix(name)
    {
      return .style
    }
    // Struck text.
    if code.first == "s", code.dropFirst().first == "1" { return codec == "subrip" ? [] : .style }
    return []
  }
}
