import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// Cuts and converts a file.
struct Export: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cut and convert a file into a new one.",
    discussion: """
      The new file appears when it is whole: after an error or Ctrl-C nothing is left, and an existing \
      file is never overwritten. Passthrough copies samples as they are; 'reelwire doctor' lists the \
      other presets of this build. Without a preset the options decide, and what they leave open \
      suits the type of the file: H.264 and AAC in mp4, VP9 and Opus in webm, sound alone in wav.
      """)

  @Argument(help: "The file to export.", completion: .file())
  var file: String

  @Argument(
    help: ArgumentHelp(
      "The file to make; - is stdout, which gets it when it is whole.", valueName: "output"),
    completion: .file())
  var target: String

  @Option(
    name: .shortAndLong,
    help: "What to make: Passthrough, HighestQuality, HEVC1920x1080 …; options override it.",
    completion: .list(Export.usualPresets))
  var preset: String?

  @Option(help: "The type of the file, for example mp4; else it follows from the extension.")
  var fileType: String?

  @Option(help: "How a Passthrough cuts between sync samples.")
  var trim: WireTrimMode?

  @Option(
    help: ArgumentHelp(
      "Chapters in place of the file's, from a WebVTT, ffmetadata or OGM file.", valueName: "file"),
    completion: .file())
  var chapters: String?

  @Option(help: "The size in bytes that the file should not exceed.")
  var sizeLimit: Int64?

  @Option(
    help: ArgumentHelp(
      "The folder of the unfinished file; that of the output when absent.", valueName: "folder"),
    completion: .directory)
  var temporaryFolder: String?

  @Option(help: "End after so many frames of the video.")
  var frames: Int?

  @Flag(help: "Put the index before the media, so that playing can start before the end arrives.")
  var faststart = false

  @Flag(help: "Export what is there of a file that is cut short or damaged.")
  var salvage = false

  @Flag(help: "Only print what would be done, and how large the file would be.")
  var dryRun = false

  @Flag(help: "Print what was done, or would be, as JSON.")
  var json = false

  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var range: RangeOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { [target] + (temporaryFolder.map { [$0] } ?? []) }

  /// For a shell to complete; which there are depends on the build.
  static let usualPresets = [
    "Passthrough", "LowQuality", "MediumQuality", "HighestQuality", "640x480", "1280x720",
    "1920x1080", "3840x2160", "HEVCHighestQuality", "HEVC1920x1080", "AppleM4A", "MP3", "FLAC",
    "WAV", "Opus", "GIF",
  ]

  private var isPiped: Bool { target == "-" }
  private var targetName: String { isPiped ? "stdout" : target.printable }

  func validate() throws {
    if let frames {
      if range.duration != nil || range.end != nil {
        throw ValidationError("--frames says where to end, as --duration and --end do")
      }
      if frames < 1 || frames > 1 << 24 {
        throw ValidationError("--frames has to be a number from 1 on")
      }
    }
    guard isPiped, !dryRun else { return }
    if json { throw ValidationError("stdout has the file, so --json has no place") }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    if isPiped {
      if console.isTerminal, !dryRun {
        throw CommandError.usage(
          "A terminal can't take a file", hint: "Name a file, or send it elsewhere: > film.mp4")
      }
      guard fileType != nil else {
        throw CommandError.usage(
          "stdout has no extension that shows the type of the file",
          hint: "Say it, for example --file-type mkv.")
      }
    }
    if let preset { try await require(preset, client) }
    let options = salvage ? WireAssetOptions(salvage: true) : nil
    let asset = try await client.open(file, options: options)
    let piped = isPiped ? try PipedFile(in: temporaryFolder) : nil
    defer { piped?.remove() }
    var request = ExportSessionCreate(asset: asset, outputURL: piped?.path ?? target)
    request.preset = preset
    request.settings = encoding.settings
    (request.outputFileType, request.timeRange) = (fileType, try await timeRange(of: asset, client))
    (request.trimMode, request.fileLengthLimit) = (trim, sizeLimit)
    request.shouldOptimizeForNetworkUse = faststart
    request.chapters = try chapters.map(ChapterFile.read)
    request.directoryForTemporaryFiles = isPiped ? nil : temporaryFolder
    let session = try await create(request, client)
    // What can't work is reported before anything is begun, and the length is needed for the speed.
    let plan = try await client.call(ExportSessionPreflight(exportSession: session))
    if dryRun { return try await printPlan(plan, session, client, console) }
    let began = ContinuousClock.now
    let done = try await export(session, plan.timeRange.range.duration, client, console)
    try piped?.send(to: console)
    if json { try console.print(done) }
    let took = Formatting.number((ContinuousClock.now - began) / .seconds(1), places: 1)
    let length = done.timeRange.map { Formatting.duration($0.range.duration) } ?? ""
    let size = Formatting.size(done.fileSize ?? 0)
    console.note("\(targetName): \(length), \(size), in \(took) s")
    if let note = done.trimNote { console.note("  \(note.printable)") }
    if let note = startNote(done) { console.note("  \(note)") }
    for dropped in done.dropped ?? [] { console.note(Self.describe(dropped)) }
  }

  private func require(_ preset: String, _ client: EngineClient) async throws {
    let known = try await client.call(ExportSessionPresets()).presets + ["Passthrough"]
    guard !known.contains(where: { $0.lowercased() == preset.lowercased() }) else { return }
    throw CommandError.unknown(
      "preset", preset, among: known, else: "There are \(known.joined(separator: ", ")).")
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

  /// The part to export, which so many frames may end.
  private func timeRange(
    of asset: AssetHandle, _ client: EngineClient
  ) async throws -> WireTimeRange? {
    guard let frames else { return range.range }
    let start = range.start?.wire.time ?? .zero
    func until(_ end: Time) -> WireTimeRange {
      WireTimeRange(TimeRange(start: start, duration: end - start))
    }
    if let length = encoding.fps?.duration(of: frames) { return until(start + length) }
    let tracks = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
    guard let track = tracks.first else {
      throw CommandError("'\(file.printable)' has no video whose frames could be counted")
    }
    let cursor = try await client.call(
      SampleCursorCreate(asset: asset, trackID: track.trackID, position: .time(WireTime(start))))
    let step = try await client.call(
      SampleCursorStep(sampleCursor: cursor.sampleCursor, count: frames, order: .presentation))
    return step.stepped < frames ? range.range : until(step.sample.presentationTime.time)
  }

  private func export(
    _ session: ExportSessionHandle, _ length: Time, _ client: EngineClient, _ console: Console
  ) async throws -> ExportSessionDidFinish {
    let steps = client.notifications(of: ExportSessionDidProgress.self)
    let watching = Task {
      var progress = Progress(console, length: length.isNumeric ? length.seconds : nil)
      progress.show(0)
      for await step in steps { progress.show(step.progress) }
      progress.clear()
    }
    let request = ExportSessionExport(
      exportSession: session, progressInterval: console.progressColumns == nil ? 0 : 0.1,
      completion: .response)
    let result = await Result { try await client.finish(request) }
    watching.cancel()
    await watching.value
    let done = try result.get()
    if let error = done.error { throw RPCError(error) }
    return done
  }

  /// Where a copy begins, when that isn't where it was wanted.
  private func startNote(_ done: ExportSessionDidFinish) -> String? {
    guard done.trimMode == .keyframe, let wanted = range.range?.range.start,
      let start = done.timeRange?.range.start, start != wanted
    else { return nil }
    return
      "begins at \(start.secondsDescription), not at \(wanted.secondsDescription): a copy can only "
      + "begin at a sync sample; --trim smart begins there, and so does a preset that encodes"
  }

  static func describe(_ dropped: WireDropped) -> String {
    var what = dropped.item.rawValue
    if let key = dropped.key { what += " \(key.printable)" }
    if let trackID = dropped.trackID {
      let track = "track \(trackID) (\(dropped.mediaType?.rawValue ?? "unknown"))"
      what = dropped.item == .track ? track : "the \(what) of \(track)"
    }
    return "  left out: \(what): \(dropped.reason.printable)"
  }

  // MARK: The dry run

  private struct Plan: Encodable {
    var preflight: ExportSessionPreflight.Result
    var estimate: ExportSessionEstimate.Result
  }

  private func printPlan(
    _ plan: ExportSessionPreflight.Result, _ session: ExportSessionHandle, _ client: EngineClient,
    _ console: Console
  ) async throws {
    let estimate = try await client.call(ExportSessionEstimate(exportSession: session))
    if json { return try console.print(Plan(preflight: plan, estimate: estimate)) }
    let length = Formatting.duration(estimate.duration.time)
    try console.print(
      "\(targetName): \(length), about \(Formatting.size(estimate.fileLength))")
    for track in plan.tracks {
      let name = "  track \(track.trackID), \(track.mediaType.rawValue): "
      try console.print((name + Self.describe(track)).printable)
    }
    for dropped in plan.dropped where dropped.item != .track {
      try console.print(Self.describe(dropped))
    }
  }

  private static func describe(_ track: WirePlannedTrack) -> String {
    var parts: [String]
    switch track.treatment {
    case .copied: parts = ["\(track.sourceCodec) is copied"]
    case .dropped: return "left out: \(track.reason ?? "the file can't hold it")"
    case .converted: parts = ["\(track.sourceCodec) becomes \(track.codec ?? "text")"]
    case .encoded:
      let encoder = track.encoder.map { " by \($0)" } ?? ""
      parts = ["\(track.sourceCodec) becomes \(track.codec ?? "")\(encoder)"]
    case .mixed:
      guard let codec = track.codec else { return "\(track.sourceCodec) is mixed with the others" }
      let encoder = track.encoder.map { " by \($0)" } ?? ""
      parts = ["\(track.sourceCodec) is mixed with the others into \(codec)\(encoder)"]
    }
    if let width = track.width, let height = track.height { parts.append("\(width) × \(height)") }
    if let format = track.pixelFormat { parts.append(format) }
    if track.mapsToStandardDynamicRange == true { parts.append("HDR becomes BT.709") }
    if let rate = track.sampleRate {
      parts.append("\(Formatting.number(Double(rate) / 1000, places: 3)) kHz")
    }
    if let channels = track.channels {
      parts.append(channels == 1 ? "1 channel" : "\(channels) channels")
    }
    return parts.joined(separator: ", ")
  }
}

extension WireTrimMode: ExpressibleByArgument {}
