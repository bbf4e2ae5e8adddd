import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Joins files, or parts of them.
struct Join: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join files, or parts of them, without encoding where that is possible.",
    discussion: """
      A part of a file is named as in a media fragment: film.mp4#t=1,3.5 is from 1 s to 3.5 s, #t=,2 the \
      first two seconds, #t=60 all from there on. Times are \(TimeArgument.forms). A file whose own name \
      is like that is that file. The part of a picture is its duration: title.png#t=,2.

      Without --preset video is copied: where a part begins or ends between sync samples, only the \
      frames there are encoded, and lossy audio of several parts is encoded once, so that it fits to \
      the sample. --dry-run prints how each part is written. Where parts can't be copied one after the \
      other, it is an error that lists why; --preset HighestQuality encodes them (VP9HighestQuality for webm), and so \
      do --size and --fit.

      Chapters of all files are at their places in the new one; tags, cover, names and languages are those of the \
      first file. Additional ones of others are listed.
      """)

  @Argument(help: "The files, in order.", completion: .file())
  var files: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")], help: NewFileOptions.targetHelp,
    completion: .file())
  var target: String

  @Option(
    help: ArgumentHelp(
      "The character set of subtitles that aren't UTF-8, such as windows-1251; otherwise it is guessed.",
      valueName: "name"))
  var characterSet: String?

  @Option(
    parsing: .unconditional,
    help: "The size of the picture, for example 1280x720; that of the first part when absent.")
  var size: SizeArgument?

  @Option(
    help: """
      The fit of pictures of other shapes: contain (with bars), cover (cut), fill (stretched) or none (at their \
      own size, at the top left); contain when absent.
      """)
  var fit: WireFit?

  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var tracks: TrackOptions
  @OptionGroup var chapters: ChapterOptions
  @OptionGroup var joining: JoinOptions
  @OptionGroup var loudness: LoudnessOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  /// The size and the fit are those of frames that are encoded.
  private var isFitted: Bool { size != nil || fit != nil }

  private var preset: String? { newFile.preset ?? (isFitted ? nil : "Passthrough") }

  func validate() throws {
    if isFitted, NewFileOptions.isPassthrough(newFile.preset) {
      throw ValidationError("--size and --fit encode the pictures, and Passthrough copies them")
    }
    try newFile.validate(target: target)
    try joining.validate(preset: preset)
    if loudness.target != nil, joining.audio == .copy {
      throw ValidationError("--audio copy leaves the audio as loud as it is: give it or --loudness")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let parts = try files.map(MediaFragment.init)
    let composition = try await client.call(CompositionCreate(naturalSize: size?.wire)).composition
    var assets: [String: AssetHandle] = [:]
    var failures = FileFailures()
    for part in parts {
      do {
        let asset =
          if let known = assets[part.name] {
            known
          } else {
            try await client.open(part.name, options: WireAssetOptions(characterSet: characterSet))
          }
        assets[part.name] = asset
        try await insert(part, of: asset, in: composition, client, console)
      } catch let error as CommandError {
        // All files are looked at, so that one attempt shows all that is wrong.
        failures.add(part.argument, error)
      } catch let error as RPCError {
        failures.add(part.argument, CommandError(error).inShell)
      }
    }
    if let error = failures.error({ "\($0) of \(parts.count) parts can't be joined" }) {
      throw error
    }
    if let fit { try await setFit(fit, of: composition, client) }
    var request = ExportSessionCreate(
      asset: composition.asset, preset: preset, settings: settings, outputURL: target,
      audioTracks: .separate, joins: joining.joins)
    try chapters.apply(to: &request)
    let names = try await PartNames(of: composition, client)
    try await newFile.export(request, to: target, client, console, parts: names)
  }

  /// Nil where no option concerns encoding.
  private var settings: WireExportSettings? {
    var settings = WireExportSettings()
    if let size {
      settings.video = .encoded(WireVideoEncoding(width: size.width, height: size.height))
    }
    if let target = loudness.target {
      settings.audio = .encoded(WireAudioEncoding(loudness: target))
    }
    return settings == WireExportSettings() ? nil : settings
  }

  /// Fits all frames of a composition to its size.
  private func setFit(
    _ fit: WireFit, of composition: CompositionHandle, _ client: EngineClient
  ) async throws {
    var pictures = try await client.call(VideoCompositionWithPropertiesOf(asset: composition.asset))
      .videoComposition
    for instruction in pictures.instructions.indices {
      for layer in pictures.instructions[instruction].layerInstructions.indices {
        pictures.instructions[instruction].layerInstructions[layer].fit = fit
      }
    }
    _ = try await client.call(
      CompositionSet(composition: composition, videoComposition: .composition(pictures)))
  }

  private func insert(
    _ part: MediaFragment, of asset: AssetHandle, in composition: CompositionHandle,
    _ client: EngineClient, _ console: Console
  ) async throws {
    do {
      let inserted = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: asset, timeRange: part.timeRange,
          tracks: tracks.selection, clamp: true))
      guard let wanted = part.timeRange?.range.duration, wanted.isNumeric else { return }
      let missing = wanted - inserted.timeRange.range.duration
      if missing > .zero {
        console.note(
          "left out of '\(FileArguments.shown(part.argument))': the file ends "
            + "\(Formatting.duration(missing)) before the part does")
      }
    } catch let error as RPCError {
      var failure = CommandError(error).inShell
      if !failure.details.isEmpty {
        failure.message = "'\(FileArguments.shown(part.argument))' can't be joined"
      }
      throw failure
    }
  }
}

extension WireFit: ExpressibleByArgument {}
