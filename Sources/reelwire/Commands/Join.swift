import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC

/// Joins files, or parts of them.
struct Join: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join files, or parts of them, without encoding where that is possible.",
    discussion: """
      A part of a file is named as in a media fragment: film.mp4#t=1,3.5 is from 1 s to 3.5 s, #t=,2 the \
      first two seconds, #t=60 all from there on. Times are \(TimeArgument.forms). A file whose own name \
      is like that is that file. Of a picture the part says how long it is shown: title.png#t=,2.

      Without --preset video is copied: where a part begins or ends between sync samples, only the \
      frames there are encoded, and lossy audio of several parts is encoded once, so that it fits to \
      the sample. --dry-run prints what becomes of each part. Where parts can't be copied one after the \
      other, it is an error that lists why; --preset HighestQuality encodes them.
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

  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var joining: JoinOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  private var preset: String { newFile.preset ?? "Passthrough" }

  func validate() throws {
    try newFile.validate(target: target)
    try joining.validate(preset: preset)
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let parts = try files.map(MediaFragment.init)
    let composition = try await client.call(CompositionCreate()).composition
    var assets: [String: AssetHandle] = [:]
    for part in parts {
      let asset =
        if let known = assets[part.name] {
          known
        } else {
          try await client.open(part.name, options: WireAssetOptions(characterSet: characterSet))
        }
      assets[part.name] = asset
      try await insert(part, of: asset, in: composition, client)
    }
    let request = ExportSessionCreate(
      asset: composition.asset, preset: preset, outputURL: target, joins: joining.joins)
    let names = try await PartNames(of: composition, client)
    try await newFile.export(request, to: target, client, console, parts: names)
  }

  private func insert(
    _ part: MediaFragment, of asset: AssetHandle, in composition: CompositionHandle,
    _ client: EngineClient
  ) async throws {
    do {
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: asset, timeRange: part.timeRange, clamp: true))
    } catch let error as RPCError {
      var failure = CommandError(error).inShell
      if !failure.details.isEmpty {
        failure.message = "'\(FileArguments.shown(part.argument))' can't be joined"
      }
      throw failure
    }
  }
}
