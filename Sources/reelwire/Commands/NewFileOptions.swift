import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Terminal

/// The common options of all commands that export: options, checks, progress and the report of the result.
struct NewFileOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The preset: Passthrough, HighestQuality, HEVC1920x1080 …",
    completion: .list(NewFileOptions.usualPresets))
  var preset: String?

  @Option(help: "The type of the file, for example mp4; else it follows from the extension.")
  var fileType: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the unfinished file; that of the output when absent.", valueName: "folder"),
    completion: .directory)
  var temporaryFolder: String?

  @Flag(help: "Put the index before the media, so that playing can start before the end arrives.")
  var faststart = false

  @Flag(help: "Only print the plan, and how large the file would be.")
  var dryRun = false

  @Flag(help: "Print the result, or the plan, as JSON.")
  var json = false

  /// Presets for a shell to complete; the available ones depend on the build.
  private static let usualPresets = [
    "Passthrough", "LowQuality", "MediumQuality", "HighestQuality", "640x480", "1280x720",
    "1920x1080", "3840x2160", "HEVCHighestQuality", "HEVC1920x1080", "AppleM4A", "MP3", "FLAC",
    "WAV", "Opus", "GIF",
  ]

  /// The preset of a command that copies unless another one is chosen.
  var copyingPreset: String { preset ?? "Passthrough" }

  /// Returns true for the preset that copies samples.
  static func isPassthrough(_ preset: String?) -> Bool { preset?.lowercased() == "passthrough" }

  static let targetHelp = ArgumentHelp(
    "The file to make; - is stdout, which gets it when it is whole.", valueName: "output")

  /// True if any of the options is set.
  var isGiven: Bool {
    preset != nil || fileType != nil || temporaryFolder != nil || faststart || dryRun || json
  }

  /// The files that are made, with that of an export to `target`.
  func newFiles(_ target: String) -> [String] {
    [target] + (temporaryFolder.map { [$0] } ?? [])
  }

  func validate(target: String) throws {
    if target == "-", !dryRun, json {
      throw ValidationError("stdout has the file, so --json has no place")
    }
  }

  /// Refuses, before anything is opened, a target that can't become a file.
  func check(target: String, _ client: EngineClient, _ console: Console) async throws {
    if target == "-" {
      if console.isTerminal, !dryRun {
        throw CommandError.usage(
          "A terminal can't take a file", hint: "Name a file, or send it elsewhere: > film.mp4")
      }
      guard fileType != nil else {
        throw CommandError.usage(
          "stdout has no extension that shows the type of the file",
          hint: "Name it, for example --file-type mkv.")
      }
    }
    guard let preset else { return }
    let known = try await client.call(ExportSessionPresets()).presets + ["Passthrough"]
    guard !known.contains(where: { $0.lowercased() == preset.lowercased() }) else { return }
    throw CommandError.unknown(
      "preset", preset, among: known, else: "There are \(known.joined(separator: ", ")).")
  }

  /// Exports, or prints the plan of the export, and reports its result.
  ///
  /// - Parameters:
  ///   - request: the rest of the request, which these options leave open; its preset is theirs unless it has one.
  ///   - parts: the names of the parts of tracks of several.
  ///   - resume: true to continue an interrupted export from its remaining files.
  ///   - note: a further line of the report.
  func export(
    _ request: ExportSessionCreate, to target: String, _ client: EngineClient, _ console: Console,
    parts: PartNames = PartNames(), resume: Bool = false,
    note: (ExportSessionDidFinish) -> String? = { _ in nil }
  ) async throws {
    do {
      try await write(request, to: target, client, console, parts, resume: resume, note: note)
    } catch {
      var request = request
      request.outputURL = target
      throw await advised(error, for: request, client)
    }
  }

  /// Returns an error with a preset for the type of the file in its advice, if it advises one.
  func advised(
    _ error: any Error, for request: ExportSessionCreate, _ client: EngineClient
  ) async -> any Error {
    let fileType = fileType(of: request.outputURL)
    return await EncodingAdvice(request.asset, fileType, client).applied(to: error)
  }

  /// The type of a file by its option or its extension; nil for neither.
  private func fileType(of target: String) -> String? {
    fileType ?? Formatting.fileExtension(target)
  }

  private func write(
    _ request: ExportSessionCreate, to target: String, _ client: EngineClient, _ console: Console,
    _ parts: PartNames, resume: Bool, note: (ExportSessionDidFinish) -> String?
  ) async throws {
    let piped = target == "-" ? try PipedFile(in: temporaryFolder) : nil
    defer { piped?.remove() }
    var request = request
    request.outputURL = piped?.path ?? target
    request.preset = request.preset ?? preset
    request.outputFileType = fileType
    request.shouldOptimizeForNetworkUse = faststart
    request.directoryForTemporaryFiles = piped == nil ? temporaryFolder : nil
    let session = try await create(request, client)
    // An export that can't work is reported before anything is begun, and the length is needed for the speed.
    let plan = try await client.call(ExportSessionPreflight(exportSession: session))
    let report = ExportReport(target: target, plan: plan, parts: parts)
    if dryRun {
      let estimate = try await client.call(ExportSessionEstimate(exportSession: session))
      try report.printPlan(estimate, asJSON: json, console)
    }
    if let refusal = report.refusal { throw refusal }
    if dryRun { return }
    let began = ContinuousClock.now
    let done = try await perform(
      session, resume: resume, plan.timeRange.range.duration, client, console)
    try piped?.send(to: console)
    if json { try console.print(done) }
    report.describe(done, took: ContinuousClock.now - began, note: note(done), console)
  }

  private func create(
    _ request: ExportSessionCreate, _ client: EngineClient
  ) async throws -> ExportSessionHandle {
    do {
      return try await client.call(request).exportSession
    } catch let error as RPCError where error.code == ErrorCode.invalidParams.rawValue {
      var failure = CommandError(ErrorObject(error), names: EncodingOptions.name)
      failure.message = "The options don't fit the file that is to be made"
      throw failure
    }
  }

  private func perform(
    _ session: ExportSessionHandle, resume: Bool, _ length: Time, _ client: EngineClient,
    _ console: Console
  ) async throws -> ExportSessionDidFinish {
    var progress = Progress(console, length: length.isNumeric ? length.seconds : nil)
    progress.show(0)
    let request = ExportSessionExport(
      exportSession: session, resume: resume ? true : nil,
      progressInterval: console.progressForm == nil ? 0 : 0.1,
      completion: .response)
    let done = try await client.finish(request, showing: progress) {
      (progress: inout Progress, step: ExportSessionDidProgress) in
      progress.show(step.progress)
    }
    if let error = done.error { throw RPCError(error) }
    return done
  }
}
