import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime

/// Lists what is in files.
struct Probe: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what is in files: tracks, formats, chapters, tags.",
    discussion: """
      The summary is for people. --json prints an object for each file, with the values as the \
      protocol has them: times are exact, and names are those of protocol.md.
      """)

  @Argument(help: "The files.", completion: .file())
  var files: [String]

  @Flag(help: "Print JSON, an object for each file.")
  var json = false

  @Flag(help: "Scan the files for exact durations where their headers don't state them.")
  var precise = false

  @Flag(help: "Of a file that is cut short, print how long what is there lasts.")
  var salvage = false

  @Option(
    help: ArgumentHelp(
      "The character set of subtitles that aren't UTF-8, such as windows-1251; otherwise it is guessed.",
      valueName: "name"))
  var characterSet: String?

  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let types = try await client.call(EngineCapabilities()).fileTypes
    var failed = false
    for (index, file) in files.enumerated() {
      do {
        let options = WireAssetOptions(
          preferPreciseDurationAndTiming: precise ? true : nil, salvage: salvage ? true : nil,
          characterSet: characterSet)
        let facts = try await ProbeFacts.load(file, options, from: client)
        if json {
          try console.print(facts)
        } else {
          if index > 0 { try console.print() }
          let summary = ProbeSummary(facts: facts, types: types, style: console.style)
          try console.write(summary.text)
        }
      } catch let error as RPCError {
        // The others are still listed.
        failed = true
        console.complain(CommandError(error).inShell.lines(console.errorStyle))
      }
    }
    if failed { throw ExitCode(1) }
  }
}

/// The facts of a file, as `--json` prints them.
struct ProbeFacts: Encodable, Sendable {
  struct Track: Encodable, Sendable {
    var track: WireTrack
    var timeRange: WireTimeRange?
    var estimatedDataRate: Double?
    var nominalFrameRate: Double?
    var preferredTransform: WireTransform?
    var formatDescriptions: [WireFormatDescription]
    var metadata: [WireMetadataItem]

    private enum CodingKeys: String, CodingKey {
      case timeRange, estimatedDataRate, nominalFrameRate, preferredTransform
      case formatDescriptions, metadata
    }

    func encode(to encoder: any Encoder) throws {
      try track.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(timeRange, forKey: .timeRange)
      try container.encodeIfPresent(estimatedDataRate, forKey: .estimatedDataRate)
      try container.encodeIfPresent(nominalFrameRate, forKey: .nominalFrameRate)
      try container.encodeIfPresent(preferredTransform, forKey: .preferredTransform)
      try container.encode(formatDescriptions, forKey: .formatDescriptions)
      try container.encode(metadata, forKey: .metadata)
    }
  }

  var url: String
  var duration: WireTime?
  var providesPreciseDurationAndTiming: Bool?
  var hasProtectedContent: Bool?
  var isPlayable: Bool?
  var containerFacts: WireContainerFacts?
  var tracks: [Track]
  var chapters: [WireTimedMetadataGroup]
  var metadata: [WireMetadataItem]

  /// - Throws: the error of the first key that can't be loaded.
  static func load(
    _ file: String, _ options: WireAssetOptions, from client: EngineClient
  ) async throws -> ProbeFacts {
    let asset = try await client.open(file, options: options)
    let values = try await client.finish(
      AssetLoadValues(
        asset: asset,
        keys: [
          .tracks, .duration, .providesPreciseDurationAndTiming, .hasProtectedContent, .isPlayable,
          .metadata, .containerFacts,
        ], completion: .response)
    ).values
    let listed = try required(values.tracks) ?? []
    var tracks: [Track] = []
    for track in listed { tracks.append(try await load(track, of: asset, from: client)) }
    let facts = ProbeFacts(
      url: file, duration: try required(values.duration),
      providesPreciseDurationAndTiming: values.providesPreciseDurationAndTiming?.value,
      hasProtectedContent: values.hasProtectedContent?.value, isPlayable: values.isPlayable?.value,
      containerFacts: values.containerFacts?.value, tracks: tracks,
      chapters: try await client.call(AssetChapterMetadataGroups(asset: asset)).groups,
      metadata: values.metadata?.value ?? [])
    _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
    return facts
  }

  private static func load(
    _ track: WireTrack, of asset: AssetHandle, from client: EngineClient
  ) async throws -> Track {
    let values = try await client.finish(
      TrackLoadValues(
        asset: asset, trackID: track.trackID,
        keys: [
          .timeRange, .estimatedDataRate, .nominalFrameRate, .preferredTransform,
          .formatDescriptions, .metadata,
        ], completion: .response)
    ).values
    return Track(
      track: track, timeRange: values.timeRange?.value,
      estimatedDataRate: values.estimatedDataRate?.value,
      nominalFrameRate: values.nominalFrameRate?.value,
      preferredTransform: values.preferredTransform?.value,
      formatDescriptions: values.formatDescriptions?.value ?? [],
      metadata: values.metadata?.value ?? [])
  }

  private static func required<Value>(_ state: WireKeyState<Value>?) throws -> Value? {
    if let error = state?.error { throw RPCError(error) }
    return state?.value
  }
}
