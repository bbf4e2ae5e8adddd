import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import EngineServer
import JSONRPC
import MediaTime

/// Cuts silences out of a file, or a file into its scenes.
struct Cut: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cut the silences out of a file, or cut a file into its scenes.",
    discussion: """
      --remove-silence joins the parts between the silences, all tracks at the same places; --padding \
      of each silence stays at either side, so that nothing is clipped. --scenes makes a file of each \
      scene, numbered from 1: -o scene-%d.mp4.

      Without --preset nothing is encoded but the frames at the cuts, and lossy audio once where parts are \
      joined. --dry-run prints the parts. 'reelwire analyze' prints the silences and scenes.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The file to make, with %d or %03d for the number of a scene; - is stdout, which gets it when it is whole.",
      valueName: "output"),
    completion: .file())
  var target: String

  @Flag(help: "Leave out where the audio is silent: all audio tracks of the file.")
  var removeSilence = false

  @Flag(help: "Make a file of each scene.")
  var scenes = false

  @Option(
    parsing: .unconditional,
    help: "The level below which audio counts as silence, in dBFS; -50 when absent.")
  var threshold: Double?

  @Option(
    parsing: .unconditional,
    help: "The duration of the shortest silence; half a second when absent.")
  var shortestSilence: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: """
      The part of a silence that stays before and after audible parts; a tenth of a second when absent.
      """)
  var padding: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: "The sensitivity to small changes of scenes, from 0 to 1; 0.5 when absent.")
  var sensitivity: Double?

  @Option(
    parsing: .unconditional, help: "The duration of the shortest scene; half a second when absent.")
  var shortestScene: TimeArgument?

  @OptionGroup var range: RangeOptions
  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  func validate() throws {
    guard removeSilence != scenes else {
      throw ValidationError("Use either --remove-silence or --scenes")
    }
    if scenes, threshold != nil || shortestSilence != nil || padding != nil {
      throw ValidationError(
        "--threshold, --shortest-silence and --padding go with --remove-silence")
    }
    if removeSilence, sensitivity != nil || shortestScene != nil {
      throw ValidationError("--sensitivity and --shortest-scene go with --scenes")
    }
    if scenes, !target.hasNumber {
      throw ValidationError("Each scene is a file: the name needs its number, as in scene-%d.mp4")
    }
    if let padding, !(padding.wire.time >= .zero) {
      throw ValidationError("--padding has to be 0 or longer")
    }
    try newFile.validate(target: target)
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try await newFile.check(target: target, client, console)
    let asset = try await client.open(file)
    if scenes {
      try await makeScenes(of: asset, client, console)
    } else {
      try await joinAudible(of: asset, client, console)
    }
  }

  // MARK: Silences

  private func joinAudible(
    of asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws {
    guard let heard = try await listen(to: asset, client, console) else { return }
    let whole = heard.range
    let parts = Self.audible(
      in: whole, silences: heard.silences,
      padding: padding?.wire.time ?? Time(value: 1, timescale: 10))
    guard !parts.isEmpty else {
      throw CommandError(
        "'\(FileArguments.shown(file))' is silent from one end to the other",
        hint: "Use a lower --threshold: 'reelwire analyze' measures the peak.")
    }
    let composition = try await client.call(CompositionCreate()).composition
    for part in parts {
      try await client.insert(part, of: asset, in: composition)
    }
    let length = parts.reduce(Time.zero) { $0 + $1.duration }
    console.note(
      "\(parts.count) parts, \(Formatting.duration(length)) of \(Formatting.duration(whole.duration))"
    )
    if newFile.dryRun {
      for part in parts {
        console.note(
          "  \(Formatting.position(part.start)) to \(Formatting.position(part.end))")
      }
    }
    let session = ExportSessionCreate(
      asset: composition.asset, preset: newFile.copyingPreset, outputURL: target,
      audioTracks: .separate)
    try await newFile.export(
      session, to: target, client, console, parts: try await PartNames(of: composition, client))
  }

  /// Returns the silences of all audio tracks together, as all of them come into the file: nil for a file without audio
  /// in the range.
  private func listen(
    to asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws -> (range: TimeRange, silences: [TimeRange])? {
    let tracks = try await client.call(AssetTracks(asset: asset)).tracks
      .filter { $0.mediaType == .audio }
    var heard: [(range: TimeRange, silences: [TimeRange])] = []
    var lost: [WireDropped] = []
    // Without any the engine's error is the answer.
    for trackID in tracks.count > 1 ? tracks.map({ Optional($0.trackID) }) : [nil] {
      let request = AnalysisSilences(
        asset: asset, trackID: trackID, timeRange: range.range, threshold: threshold,
        minimumDuration: shortestSilence?.wire, completion: .response)
      let found = try await client.analyze(request, console)
      if let error = found.error { throw RPCError(error) }
      lost += found.dropped ?? []
      guard let range = found.timeRange?.range else { continue }
      heard.append((range, (found.silences ?? []).map(\.range)))
    }
    AnalysisResults.note(lost, console)
    guard let start = heard.map(\.range.start).min(), let end = heard.map(\.range.end).max()
    else { return nil }
    if heard.count > 1 { console.note("silent where all \(heard.count) audio tracks are") }
    let whole = TimeRange(start: start, end: end)
    let silences = Self.common(heard.map { Self.extended($0.silences, of: $0.range, to: whole) })
    let shortest = shortestSilence?.wire.time ?? Time(value: 1, timescale: 2)
    return (whole, heard.count > 1 ? silences.filter { $0.duration >= shortest } : silences)
  }

  /// Silences of a track and what is before and after it.
  private static func extended(
    _ silences: [TimeRange], of track: TimeRange, to whole: TimeRange
  ) -> [TimeRange] {
    var result = silences
    if track.start > whole.start {
      let next = result.first.flatMap { $0.start <= track.start ? $0.end : nil } ?? track.start
      result.removeAll { $0.end <= next }
      result.insert(TimeRange(start: whole.start, end: next), at: 0)
    }
    if track.end < whole.end {
      let last = result.last.flatMap { $0.end >= track.end ? $0.start : nil } ?? track.end
      result.removeAll { $0.start >= last }
      result.append(TimeRange(start: last, end: whole.end))
    }
    return result
  }

  /// The ranges that several lists of ranges in order have in common.
  static func common(_ lists: [[TimeRange]]) -> [TimeRange] {
    guard var result = lists.first else { return [] }
    for list in lists.dropFirst() {
      var shared: [TimeRange] = []
      var (left, right) = (result[...], list[...])
      while let one = left.first, let other = right.first {
        let both = one.intersection(other)
        if both.isValid, !both.isEmpty { shared.append(both) }
        if one.end < other.end { left.removeFirst() } else { right.removeFirst() }
      }
      result = shared
    }
    return result
  }

  /// The parts of a range between its silences, each with some of those at its sides.
  static func audible(in whole: TimeRange, silences: [TimeRange], padding: Time) -> [TimeRange] {
    var parts: [TimeRange] = []
    var start = whole.start
    for silence in silences {
      // At the ends of the range there is nothing to keep a distance from.
      let isFirst = silence.start <= whole.start
      let isLast = silence.end >= whole.end
      let end = isFirst ? silence.start : min(silence.start + padding, silence.end)
      let next = isLast ? silence.end : max(silence.end - padding, silence.start)
      // The padding of both sides covers all of the silence.
      if !isFirst, !isLast, next <= end { continue }
      if end > start { parts.append(TimeRange(start: start, end: end)) }
      start = max(start, next)
    }
    if whole.end > start { parts.append(TimeRange(start: start, end: whole.end)) }
    return parts
  }

  // MARK: Scenes

  private func makeScenes(
    of asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws {
    let request = AnalysisSceneChanges(
      asset: asset, timeRange: range.range, sensitivity: sensitivity,
      minimumDuration: shortestScene?.wire, completion: .response)
    let found = try await client.analyze(request, console)
    if let error = found.error { throw RPCError(error) }
    AnalysisResults.note(found.dropped ?? [], console)
    guard let whole = found.timeRange?.range else { return }
    var starts = (found.sceneChanges ?? []).map(\.time.time).filter { $0 > whole.start }
    starts.insert(whole.start, at: 0)
    console.note(starts.count == 1 ? "1 scene" : "\(starts.count) scenes")
    let requests = starts.enumerated().map { index, start in
      let end = index + 1 < starts.count ? starts[index + 1] : whole.end
      let path = numbered(target, index + 1)
      return ExportSessionCreate(
        asset: asset, preset: newFile.copyingPreset, outputURL: path,
        timeRange: WireTimeRange(TimeRange(start: start, end: end)), trimMode: trimMode)
    }
    // Before a file is made.
    for request in requests {
      do { try await requireExact(request, client) } catch {
        throw await newFile.advised(error, for: request, client)
      }
    }
    for request in requests {
      try await newFile.export(request, to: request.outputURL, client, console)
    }
  }

  /// Refuses a copy that would begin before its scene, with frames of the one before.
  private func requireExact(
    _ request: ExportSessionCreate, _ client: EngineClient
  ) async throws {
    guard trimMode != nil, let wanted = request.timeRange?.range else { return }
    var request = request
    request.outputFileType = newFile.fileType
    let session = try await client.call(request).exportSession
    let plan = try await client.call(ExportSessionPreflight(exportSession: session))
    _ = try await client.call(HandleClose(handle: AnyHandle(session)))
    let start = plan.timeRange.range.start
    // A tick of the video, by which the start of a range is rounded, is less.
    guard wanted.start - start > Time(value: 1, timescale: 1000) else { return }
    let codecs = plan.tracks.filter { $0.mediaType == .video }.map(\.sourceCodec)
    throw CommandError(
      "The scene at \(Formatting.position(wanted.start)) can't be copied: a copy of "
        + "\(codecs.joined(separator: " and ")) in such a file would begin at a sync sample, "
        + "at \(Formatting.position(start))",
      hint: "Encode the scenes (--preset \(EncodingAdvice.usualPreset)); no file was made.")
  }

  private var trimMode: WireTrimMode? {
    NewFileOptions.isPassthrough(newFile.copyingPreset) ? .smart : nil
  }
}

extension EngineClient {
  /// Inserts a range of an asset at the end of a composition.
  fileprivate func insert(
    _ range: TimeRange, of asset: AssetHandle, in composition: CompositionHandle
  ) async throws {
    _ = try await call(
      CompositionInsertTimeRange(
        composition: composition, asset: asset, timeRange: WireTimeRange(range), clamp: true))
  }
}
