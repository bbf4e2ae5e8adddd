import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// Commands for the tracks of subtitles of a file, and for files of subtitles.
struct SubtitleCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subtitles",
    abstract: "Add, replace, remove and convert subtitles.",
    discussion: """
      All else of the film is copied as it is. Subtitles are copied where the new file can hold them, else converted to \
      its kind of text; losses are listed. 'reelwire export film.mkv subs.srt' takes subtitles out, and \
      --all-subtitles all of them; 'reelwire export --burn-subtitles' draws them into the pictures.
      """,
    subcommands: [
      AddSubtitles.self, ReplaceSubtitles.self, RemoveSubtitles.self, ConvertSubtitles.self,
    ])
}

/// The reading of a file of subtitles, as options.
struct SubtitleReadingOptions: ParsableArguments {
  @Option(
    name: [.customLong("encoding"), .customLong("character-set")],
    help: ArgumentHelp(
      "The character set of text that isn't UTF-8, such as cp1252 or Shift_JIS; otherwise it is guessed, and listed.",
      valueName: "name"))
  var characterSet: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "By how many seconds the subtitles are later; earlier if it is negative.", valueName: "time"))
  var offset: TimeArgument?

  func validate() throws {
    if let offset, !offset.wire.time.isNumeric {
      throw ValidationError("--offset has to be \(TimeArgument.forms)")
    }
  }
}

/// The flags of new tracks of subtitles, as options.
struct SubtitleTrackOptions: ParsableArguments {
  @Flag(help: "Show the track by default, and no other one of subtitles; of several, the first.")
  var `default` = false

  @Flag(help: "Mark it as one to show in any case, such as translations of signs.")
  var forced = false

  @Flag(help: "Mark it as one for people who don't hear, which describes noises.")
  var sdh = false

  /// - Parameters:
  ///   - language: nil for the one that the file states.
  ///   - isFirst: true for the first of several files.
  func file(
    _ url: String, language: String?, title: String?, _ reading: SubtitleReadingOptions,
    isFirst: Bool = true
  ) -> WireSubtitleFile {
    WireSubtitleFile(
      url: url, characterSet: reading.characterSet, timeOffset: reading.offset?.wire.time.seconds,
      language: language, name: title, isDefault: `default` && isFirst ? true : nil,
      isForced: forced ? true : nil, isForHearingImpaired: sdh ? true : nil)
  }
}

/// The tracks of subtitles of a film, as options name them.
struct SubtitleTracks {
  let tracks: [WireTrack]
  private let file: String

  init(of asset: AssetHandle, _ file: String, _ client: EngineClient) async throws {
    tracks = try await client.call(
      AssetTracks(asset: asset, mediaCharacteristic: .legible)
    ).tracks
    self.file = file
    if tracks.isEmpty {
      throw CommandError(
        "'\(FileArguments.shown(file))' has no subtitles",
        hint: "'reelwire probe' lists its tracks.")
    }
  }

  /// Those of numbers or in languages, in the file's order.
  func chosen(_ numbers: [Int32], _ languages: [String]) throws -> [WireTrack] {
    for number in numbers where !tracks.contains(where: { $0.trackID == number }) {
      throw none("no track \(number) of subtitles")
    }
    for language in languages where !tracks.contains(where: { Self.speaks($0, language) }) {
      throw none("no subtitles in the language \(language.printable)")
    }
    return tracks.filter { track in
      numbers.contains(track.trackID) || languages.contains { Self.speaks(track, $0) }
    }
  }

  /// Those of the film, for a message: `3 (de, subrip)`.
  var list: String {
    tracks.map { track in
      let facts = [track.extendedLanguageTag ?? "no language", track.mediaSubType].compactMap(
        \.self)
      return "\(track.trackID) (\(facts.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  private func none(_ what: String) -> CommandError {
    CommandError("'\(FileArguments.shown(file))' has \(what)", hint: "It has \(list).")
  }

  private static func speaks(_ track: WireTrack, _ language: String) -> Bool {
    let wanted = language.lowercased()
    guard let tag = track.extendedLanguageTag?.lowercased() else {
      return wanted == "und" || track.languageCode == wanted
    }
    return tag == wanted || tag.hasPrefix(wanted + "-") || track.languageCode == wanted
  }
}

/// Adds files of subtitles to a film.
struct AddSubtitles: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make a film with further tracks of subtitles.",
    discussion: """
      For example: reelwire subtitles add film.mp4 film.en.srt film.de.srt -o film.mkv. Without --language a track has the \
      one in the name of its file, film.en.srt. Give --language and --title once for each file, in order.
      """)

  @Argument(help: "The film.", completion: .file())
  var film: String

  @Argument(help: "Files of subtitles: SRT, WebVTT, ASS, MicroDVD, SAMI.", completion: .file())
  var files: [String]

  @Option(
    parsing: .singleValue,
    help: "The language of a track, for example eng, de or pt-BR; und for none.")
  var language: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "The name of a track, which players show.")
  var title: [String] = []

  @Option(
    name: [.customShort("o"), .customLong("output")], help: NewFileOptions.targetHelp,
    completion: .file())
  var target: String

  @OptionGroup var track: SubtitleTrackOptions
  @OptionGroup var reading: SubtitleReadingOptions
  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  func validate() throws {
    try newFile.validate(target: target)
    for (name, values) in [("--language", language), ("--title", title)]
    where values.count > files.count {
      throw ValidationError("there are more of \(name) than files of subtitles")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let asset = try await client.open(film)
    var request = ExportSessionCreate(
      asset: asset, preset: newFile.copyingPreset, outputURL: target)
    request.subtitles = files.enumerated().map { number, file in
      let language =
        language.indices.contains(number) ? language[number] : Self.language(ofFile: file)
      let title = title.indices.contains(number) ? title[number] : nil
      return track.file(
        file, language: language, title: title, reading, isFirst: number == 0)
    }
    try await newFile.export(request, to: target, client, console)
  }

  /// The language in a name such as `film.de.srt` and `film.pt-BR.forced.srt`; nil where there is none.
  static func language(ofFile path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".").dropFirst().dropLast()
    return parts.last { part in
      let primary = part.prefix { $0 != "-" && $0 != "_" }
      return (2...3).contains(primary.count)
        && primary.allSatisfy { $0.isASCII && $0.isLowercase }
        && !["sdh", "cc", "hi"].contains(primary)
        && part.dropFirst(primary.count + 1).allSatisfy { $0.isASCII && $0.isLetter }
    }.map { String($0.map { $0 == "_" ? "-" : $0 }) }
  }
}

/// Replaces a track of subtitles of a film.
struct ReplaceSubtitles: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace",
    abstract: "Make a film with another track of subtitles in place of one.",
    discussion: """
      The new track has the place, the language, the name and the flags of the old one, but for the options. Without \
      --track and --in-language it replaces the only one.
      """)

  @Argument(help: "The film.", completion: .file())
  var film: String

  @Argument(help: "A file of subtitles.", completion: .file())
  var file: String

  @Option(
    name: [.customLong("track")], parsing: .unconditional,
    help: "The number of the old track in 'reelwire probe'.")
  var number: Int32?

  @Option(
    name: [.customLong("in-language")],
    help: ArgumentHelp("The language of the old track, for example de.", valueName: "language"))
  var oldLanguage: String?

  @Option(help: "The language of the new track; that of the old one when absent.")
  var language: String?

  @Option(
    parsing: .unconditional, help: "The name of the new track; that of the old one when absent.")
  var title: String?

  @Option(
    name: [.customShort("o"), .customLong("output")], help: NewFileOptions.targetHelp,
    completion: .file())
  var target: String

  @OptionGroup var track: SubtitleTrackOptions
  @OptionGroup var reading: SubtitleReadingOptions
  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  func validate() throws {
    try newFile.validate(target: target)
    if number != nil, oldLanguage != nil {
      throw ValidationError("--track and --in-language state the same; use one of them")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let asset = try await client.open(film)
    let tracks = try await SubtitleTracks(of: asset, film, client)
    let isNamed = number != nil || oldLanguage != nil
    let old =
      isNamed
      ? try tracks.chosen(number.map { [$0] } ?? [], oldLanguage.map { [$0] } ?? [])
      : tracks.tracks
    guard old.count == 1, let replaced = old.first else {
      throw CommandError.usage(
        "'\(FileArguments.shown(film))' has several such tracks of subtitles: \(tracks.list)",
        hint: "Give the number of the one to replace, for example --track \(old[0].trackID).")
    }
    var subtitles = track.file(file, language: language, title: title, reading)
    subtitles.replaces = replaced.trackID
    var request = ExportSessionCreate(
      asset: asset, preset: newFile.copyingPreset, outputURL: target)
    request.subtitles = [subtitles]
    try await newFile.export(request, to: target, client, console)
  }
}

/// Removes tracks of subtitles of a film.
struct RemoveSubtitles: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Make a film without some or all of its subtitles.")

  @Argument(help: "The film.", completion: .file())
  var film: String

  @Option(
    parsing: .unconditionalSingleValue,
    help: "The number of a track in 'reelwire probe'; may be repeated.")
  var track: [Int32] = []

  @Option(
    parsing: .singleValue, help: "All tracks in a language, for example de; may be repeated.")
  var language: [String] = []

  @Flag(help: "All tracks of subtitles.")
  var all = false

  @Option(
    name: [.customShort("o"), .customLong("output")], help: NewFileOptions.targetHelp,
    completion: .file())
  var target: String

  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  func validate() throws {
    try newFile.validate(target: target)
    if all == !(track.isEmpty && language.isEmpty) {
      throw ValidationError("Choose: --track, --language, or --all")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let asset = try await client.open(film)
    let tracks = try await SubtitleTracks(of: asset, film, client)
    let removed = all ? tracks.tracks : try tracks.chosen(track, language)
    let rules = removed.map { WireTrackRule(trackID: $0.trackID) }
    let request = ExportSessionCreate(
      asset: asset, preset: newFile.copyingPreset,
      settings: WireExportSettings(tracks: .rules(WireTrackRules(exclude: rules))),
      outputURL: target)
    try await newFile.export(request, to: target, client, console)
  }
}

/// Converts a file of subtitles.
struct ConvertSubtitles: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a file of subtitles to another form, to UTF-8, or to other times.",
    discussion: """
      The new file is .srt, .vtt or .ass, in UTF-8. For example: \
      reelwire subtitles convert old.srt new.srt --encoding cp1251; reelwire subtitles convert a.ass b.vtt --offset -1.5.
      """)

  @Argument(help: "A file of subtitles: SRT, WebVTT, ASS, MicroDVD, SAMI.", completion: .file())
  var file: String

  @Argument(help: NewFileOptions.targetHelp, completion: .file(extensions: ["srt", "vtt", "ass"]))
  var target: String

  @OptionGroup var reading: SubtitleReadingOptions
  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  func validate() throws { try newFile.validate(target: target) }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let options = WireAssetOptions(
      characterSet: reading.characterSet, timeOffset: reading.offset?.wire.time.seconds)
    let asset = try await client.open(file, options: options)
    let request = ExportSessionCreate(
      asset: asset, preset: newFile.copyingPreset, outputURL: target)
    try await newFile.export(request, to: target, client, console)
  }
}
