import ArgumentParser
import EngineClient
import EngineProtocol

/// Subtitles that are drawn into the frames, as options.
struct TextOptions: ParsableArguments {
  @Option(
    defaultAsFlag: SubtitlesArgument(),
    help: ArgumentHelp(
      "Draw subtitles into the pictures: those of a file (SRT, WebVTT, ASS), or of the track of that number.",
      discussion:
        "Without a value, which needs it to be the last option, the file's first subtitles that are text.",
      valueName: "file or track"))
  var burnSubtitles: SubtitlesArgument?

  @Option(
    help: ArgumentHelp(
      "The font of --burn-subtitles: a .ttf, .otf or .ttc file, or the name of a family.",
      valueName: "file or name"),
    completion: .file())
  var font: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The height of a line of --burn-subtitles; 1/18 of the picture's when absent.",
      valueName: "pixels"))
  var fontSize: Double?

  func validate() throws {
    if burnSubtitles == nil, font != nil || fontSize != nil {
      throw ValidationError("--font and --font-size are about --burn-subtitles")
    }
    if let fontSize, !(fontSize >= 1 && fontSize <= 4096) {
      throw ValidationError("--font-size has to be a number from 1 to 4096")
    }
  }

  /// The video composition of an asset with the subtitles; nil where there are to be none.
  func composition(
    of asset: AssetHandle, _ client: EngineClient
  ) async throws -> WireVideoCompositionSetting? {
    guard let burnSubtitles else { return nil }
    var style = WireTextStyle()
    if font != nil || fontSize != nil {
      let isFile = font.map(Self.isFile) ?? false
      style.font = WireFont(
        family: isFile ? nil : font, url: isFile ? font : nil, size: fontSize)
    }
    let made = try await client.call(VideoCompositionWithPropertiesOf(asset: asset))
    var composition = made.videoComposition
    guard composition.renderSize.width > 0 else {
      throw CommandError(
        "There is no video that --burn-subtitles could draw into",
        hint: "Add them as a track: reelwire subtitles add FILE SUBTITLES -o film.mp4")
    }
    composition.subtitles = [
      WireBurntSubtitles(
        url: burnSubtitles.file, trackID: burnSubtitles.track,
        style: style == WireTextStyle() ? nil : style)
    ]
    return .composition(composition)
  }

  /// True if it is a font's file, and no name.
  private static func isFile(_ font: String) -> Bool {
    font.contains("/") || [".ttf", ".otf", ".ttc"].contains { font.lowercased().hasSuffix($0) }
  }
}

/// The source of subtitles: a file, a track, or the first track of subtitles.
struct SubtitlesArgument: ExpressibleByArgument, CustomStringConvertible {
  var file: String?
  var track: Int32?

  init() {}

  init?(argument: String) {
    if argument.isEmpty { return nil }
    if let number = Int32(argument) { track = number } else { file = argument }
  }

  var description: String { "the first" }
}
