import EngineClient
import EngineProtocol
import EngineReports
import MediaTime
import Terminal

/// The names of the parts of a composition's tracks, in messages.
struct PartNames {
  /// The names, by tracks and the numbers of their segments.
  private var names: [Int32: [String]] = [:]

  /// The names of an asset without parts.
  init() {}

  init(of composition: CompositionHandle, _ client: EngineClient) async throws {
    let tracks = try await client.call(AssetTracks(asset: composition.asset)).tracks
    for track in tracks {
      let segments = try await client.call(
        CompositionSegments(composition: composition, trackID: track.trackID)
      ).segments
      names[track.trackID] = segments.map { $0.path ?? "" }
    }
  }

  /// `0:05.000 to 0:08.000, b.mp4`.
  func name(_ segment: WirePlannedSegment, of trackID: Int32) -> String {
    let range = segment.timeRange.range
    let place = "\(Formatting.position(range.start)) to \(Formatting.position(range.end))"
    guard let known = names[trackID], known.indices.contains(segment.segment),
      !known[segment.segment].isEmpty
    else { return place }
    return "\(place), \(known[segment.segment])"
  }
}

extension CompositionHandle {
  /// The composition where an asset is wanted.
  var asset: AssetHandle { AssetHandle(rawValue: rawValue) }
}

/// The report of an export: its plan, and its result.
struct ExportReport {
  var target: String
  var plan: ExportSessionPreflight.Result
  var parts: PartNames

  private var targetName: String { target == "-" ? "stdout" : target.printable }

  /// The reasons why the parts can't be joined; nil when they can.
  var refusal: CommandError? {
    let refused = plan.tracks.flatMap { track in
      (track.segments ?? []).filter { $0.treatment == .refused }.map { (track, $0) }
    }
    guard !refused.isEmpty else { return nil }
    let isSolvedInBand = refused.allSatisfy { $1.advice?.name == "encodeOrJoinInBand" }
    let inBand = "; --in-band copies them, in a way that not every player reads."
    return CommandError(
      "The parts can't be joined without encoding",
      hint: "--preset \(EncodingAdvice.usualPreset) encodes them" + (isSolvedInBand ? inBand : "."),
      details: refused.map { track, segment in
        "\(track.mediaType.rawValue), \(parts.name(segment, of: track.trackID)): "
          + (segment.reason ?? "")
      })
  }

  func describe(
    _ done: ExportSessionDidFinish, took: Duration, note: String?, _ console: Console
  ) {
    let seconds = Formatting.number(took / .seconds(1), places: 1)
    let length = done.timeRange.map { Formatting.duration($0.range.duration) } ?? ""
    let size = Formatting.size(done.fileSize ?? 0)
    console.note("\(targetName): \(length), \(size), in \(seconds) s")
    for track in plan.tracks where track.segments != nil {
      console.note("  track \(track.trackID), \(track.mediaType.rawValue): \(Self.count(track))")
    }
    for loudness in done.loudness ?? [] { console.note("  \(LoudnessReport.line(loudness))") }
    if let note = done.trimNote { console.note("  \(note.printable)") }
    if let note { console.note("  \(note)") }
    DroppedReport.lines(done.dropped ?? []).forEach(console.note)
  }

  // MARK: The dry run

  private struct Plan: Encodable {
    var preflight: ExportSessionPreflight.Result
    var estimate: ExportSessionEstimate.Result
  }

  func printPlan(
    _ estimate: ExportSessionEstimate.Result, asJSON: Bool, _ console: Console
  ) throws {
    if asJSON { return try console.print(Plan(preflight: plan, estimate: estimate)) }
    let length = Formatting.duration(estimate.duration.time)
    try console.print(
      "\(targetName): \(length), about \(Formatting.size(estimate.fileLength))")
    for track in plan.tracks {
      let name = "  track \(track.trackID), \(track.mediaType.rawValue): "
      try console.print((name + describe(track)).printable)
      for segment in track.segments ?? [] {
        let reason = segment.reason.map { ": \($0)" } ?? ""
        let name = parts.name(segment, of: track.trackID)
        try console.print("    \(name): \(Self.name(segment.treatment))\(reason)".printable)
      }
    }
    for line in DroppedReport.lines(plan.dropped.filter { $0.item != .track }) {
      try console.print(line)
    }
  }

  private func describe(_ track: WirePlannedTrack) -> String {
    let source = track.sourceCodec
    let encoder = track.encoder.map { " by \($0)" } ?? ""
    let others = plan.tracks.count { $0.mixedInto == track.mixedInto } > 1 ? " with the others" : ""
    var parts: [String]
    switch track.treatment {
    case .copied: parts = ["\(source) is copied"]
    case .dropped: return "left out: \(track.reason ?? "the file can't hold it")"
    case .converted: parts = ["\(source) becomes \(track.codec ?? "text")"]
    case .encoded:
      parts = ["\(source) becomes \(track.codec ?? "")\(encoder)"]
    case .mixed:
      let what = track.mediaType == .video ? "drawn" : "mixed"
      guard let codec = track.codec else { return "\(source) is \(what)\(others)" }
      parts = ["\(source) is \(what)\(others) into \(codec)\(encoder)"]
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
    if let target = track.loudness {
      let peak = target.truePeak.map { ", peaks at most \(LoudnessReport.number($0)) dBTP" } ?? ""
      parts.append("at \(LoudnessReport.number(target.integratedLoudness)) LUFS\(peak)")
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Segments

  private static func name(_ treatment: WireSegmentTreatment) -> String {
    switch treatment {
    case .copied: "copied"
    case .edgesEncoded: "edges encoded"
    case .encoded: "encoded"
    case .refused: "refused"
    }
  }

  /// `2 parts copied, 1 part with its edges encoded`.
  private static func count(_ track: WirePlannedTrack) -> String {
    WireSegmentTreatment.allCases.compactMap { treatment in
      let count = (track.segments ?? []).count { $0.treatment == treatment }
      guard count > 0 else { return nil }
      return "\(count) \(count == 1 ? "part" : "parts") \(name(treatment))"
    }.joined(separator: ", ")
  }
}
