import LibAV

extension StreamInfo {
  /// ISO 639-2/T, nil if the file states none.
  var languageCode: String? {
    guard let primary = languageTag?.split(separator: "-").first else { return nil }
    return iso639T(of: String(primary))
  }

  /// BCP 47, nil if the file states none.
  var extendedLanguageTag: String? {
    guard let tag = languageTag else { return nil }
    // A code alone has one form only; a tag with a region or a script is returned unchanged.
    return tag.contains("-") ? tag : iso639T(of: tag).flatMap(bcp47(ofISO639:))
  }

  /// The language in the file's form: a BCP 47 tag if the demuxer passes one on (Matroska's
  /// LanguageBCP47), or else a code; the first of several.
  private var languageTag: String? {
    func value(_ key: String) -> String? { metadata.first { $0.key.lowercased() == key }?.value }
    let text = value("languagebcp47") ?? value("language")
    guard let tag = text?.split(separator: ",").first else { return nil }
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    // Some programs write the name of a language, or leave zeros.
    guard let primary = parts.first, (2...3).contains(primary.count),
      parts.allSatisfy({ !$0.isEmpty && $0.count <= 8 && $0.allSatisfy(isAlphanumeric) }),
      !primary.contains(where: \.isNumber), primary.lowercased() != "und"
    else { return nil }
    return String(tag)
  }
}

private func isAlphanumeric(_ character: Character) -> Bool {
  character.isASCII && (character.isLetter || character.isNumber)
}
