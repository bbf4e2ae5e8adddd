import LibAV
public import MediaTime
import SystemIO

/// The plans and estimates of an asset's exports, without their execution; on a queue of its own.
public actor ExportPlanner: QueueActor {
  /// The possibility of something, or the reason why it is impossible.
  public struct Verdict<Subject: Sendable>: Sendable {
    public var subject: Subject
    /// Nil when it can.
    public var reason: String?
  }

  /// The plan of an export, before it begins.
  public struct Preflight: Sendable {
    /// The part of the asset that the file will show.
    public var timeRange: TimeRange
    public var tracks: [PlannedTrack]
    /// The items of the source that the file can't hold.
    public var dropped: [DroppedItem]
  }

  /// The treatment of one track.
  public struct PlannedTrack: Sendable {
    public enum Treatment: String, Sendable { case copied, encoded, mixed, converted, dropped }
    public var trackID: Int32
    public var mediaType: MediaType
    public var treatment: Treatment
    /// FFmpeg's names of the codecs; the target's is nil for a track that is dropped.
    public var sourceCodec: String
    public var codec: String?
    public var encoder: String?
    /// The width of an encoded frame, in pixels as stored.
    public var width: Int?
    public var height: Int?
    public var pixelFormat: String?
    /// True when high dynamic range is mapped to BT.709.
    public var mapsToStandardDynamicRange: Bool?
    public var sampleRate: Int?
    public var channels: Int?
    /// The loudness of its audio in the file; nil for the source's.
    public var loudness: LoudnessTarget?
    public var reason: String?
    /// The treatment of the parts of a track that is made of several, but for empty edits; nil for other tracks, and
    /// where all is encoded.
    public var segments: [ExportedSegment]?
    /// The number of the track that it is mixed or drawn into, which may be its own.
    public var mixedInto: Int32?
  }

  /// The estimated duration and length of a file.
  public struct Estimate: Sendable {
    public var duration: Time
    /// The length of the file in bytes.
    public var fileLength: Int64
    /// The duration of the asset's part that fits into the session's `fileLengthLimit`; nil without a limit.
    public var maximumDuration: Time?
  }

  package nonisolated let queue = WorkQueue("exportPlanner")
  private nonisolated let interrupt = Interrupt()
  private let asset: any PresentationSource
  /// The limit of plans that are made at once: one may block a thread while it reads a file's index.
  private static let admission = WorkLimiter(slots: 4)

  public init(_ asset: any Asset) { self.asset = asset.media.content }

  /// Ends the current request of the planner, and all later ones. Never waits.
  public nonisolated func cancel() { interrupt.trigger() }

  /// Every preset but Passthrough, which is absent from such lists as in AVFoundation.
  ///
  /// - Parameter fileType: nil for any that the preset makes.
  public func presets(
    to fileType: FileType? = nil
  ) async throws(EngineError) -> [Verdict<ExportPreset>] {
    let presentation = try await asset.loadPresentation(interrupt: interrupt)
    return ExportPreset.all.filter { !$0.isPassthrough }.map { preset in
      let types = fileType.map { [$0] } ?? preset.ownFileTypes
      var reason: String?
      for type in types {
        let refused = refusal(presentation, preset, ExportSettings(), type)
        // The usual type is first.
        reason = refused == nil ? nil : reason ?? refused
        if refused == nil { break }
      }
      return Verdict(subject: preset, reason: reason)
    }
  }

  /// Every type that exports write.
  ///
  /// - Parameter settings: over the preset, or instead of one.
  public func fileTypes(
    for preset: ExportPreset?, settings: ExportSettings = ExportSettings()
  ) async throws(EngineError) -> [Verdict<FileType>] {
    let presentation = try await asset.loadPresentation(interrupt: interrupt)
    return FileType.writable.map { type in
      Verdict(subject: type, reason: refusal(presentation, preset, settings, type))
    }
  }

  /// All problems of settings; of an asset that can't be loaded nothing is known.
  public func problems(
    of settings: ExportSettings, preset: ExportPreset?, fileType: FileType
  ) async -> [SettingsProblem] {
    let resolved = ResolvedSettings(settings, preset: preset, fileType: fileType)
    let presentation = try? await asset.loadPresentation(interrupt: interrupt)
    return resolved.problems + (presentation.map(resolved.problems(with:)) ?? [])
  }

  private func refusal(
    _ presentation: Presentation, _ preset: ExportPreset?, _ settings: ExportSettings,
    _ type: FileType
  ) -> String? {
    do throws(EngineError) {
      try ExportPlan(
        of: presentation,
        settings: ResolvedSettings(settings, preset: preset, fileType: type)
      ).requireJoins()
      return nil
    } catch {
      return error.message
    }
  }

  /// Plans the session's export.
  ///
  /// - Throws: the errors that the export would throw before it began to write.
  public func preflight(_ session: ExportSession) async throws(EngineError) -> Preflight {
    let asset = session.asset.media.content
    let presentation = try await asset.loadPresentation(interrupt: interrupt)
    try await Self.admission.enter(interrupt: interrupt)
    defer { Self.admission.leave() }
    return try planned(session, asset, presentation) { (export) throws(EngineError) in
      try preflight(session, export)
    }
  }

  private func planned<Result>(
    _ session: ExportSession, _ asset: any PresentationSource, _ presentation: Presentation,
    _ body: (ResolvedExport) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try IndexExtent.forExport { (extent, usesWindows) throws(EngineError) in
      let resolver = try ExportResolver(
        of: asset, presentation, session.request, by: extent, interrupt: interrupt)
      usesWindows = resolver.plan.usesWindows
      return try body(try resolver.resolveWithPlannedCuts())
    }
  }

  private func preflight(
    _ session: ExportSession, _ export: ResolvedExport
  ) throws(EngineError) -> Preflight {
    if session.request.isPassthrough {
      try Passthrough.requireSamples(of: export, in: session.fileType, interrupt: interrupt)
    }
    var tracks: [PlannedTrack] = []
    for track in export.plan.tracks {
      var planned = try PlannedTrack(track, in: session.fileType)
      if track.info.mediaType == .timecode, export.isTimecodeWritten, !track.isIncluded {
        (planned.treatment, planned.codec, planned.reason) = (.converted, planned.sourceCodec, nil)
      }
      if session.request.isPassthrough {
        planned.segments = try segments(of: track, export, session)
      }
      tracks.append(planned)
    }
    return Preflight(timeRange: export.trim.range, tracks: tracks, dropped: export.dropped)
  }

  private func segments(
    of track: ExportPlan.Track, _ export: ResolvedExport, _ session: ExportSession
  ) throws(EngineError) -> [ExportedSegment]? {
    let range = export.trim.range
    guard case .joined(let plan) = track.treatment else { return track.encodedSegments(in: range) }
    guard track.info.mediaType == .video else { return track.copiedSegments(plan, in: range) }
    return try TrackJoin.preview(
      track.info, plan, range: range,
      encodesEdges: session.configuration.trimMode != .keyframe, interrupt: interrupt)
  }

  /// Estimates the session's file, by the sizes of the samples that are copied and the rates of those that are
  /// encoded. A file of constant quality may become half or twice as large.
  public func estimate(_ session: ExportSession) async throws(EngineError) -> Estimate {
    let asset = session.asset.media.content
    let presentation = try await asset.loadPresentation(interrupt: interrupt)
    try await Self.admission.enter(interrupt: interrupt)
    defer { Self.admission.leave() }
    let (range, length) = try planned(session, asset, presentation) {
      (export) throws(EngineError) in
      let range = export.trim.range
      let length = try ExportLength(
        range: range, fileType: session.fileType, interrupt: interrupt
      ).bytes(of: export.plan, metadata: export.metadata.file.byteCount)
      return (range, length)
    }
    let limit = session.configuration.fileLengthLimit
    guard limit > 0 else { return Estimate(duration: range.duration, fileLength: length) }
    let part = min(1, Double(limit) / Double(max(1, length)))
    let fitting = Time(seconds: range.duration.seconds * part, preferredTimescale: 1000)
    return Estimate(
      duration: range.duration, fileLength: min(length, limit),
      maximumDuration: part < 1 ? fitting : range.duration)
  }
}

extension ExportPlanner.PlannedTrack {
  init(_ track: ExportPlan.Track, in type: FileType) throws(EngineError) {
    let source = track.info.format.parameters.codecName
    self.init(
      trackID: track.info.trackID, mediaType: track.info.mediaType, treatment: .copied,
      sourceCodec: source, codec: source)
    switch track.treatment {
    case .copied, .joined: break
    case .dropped(let reason):
      treatment = .dropped
      codec = nil
      self.reason = reason
    case .text(let name):
      treatment = .converted
      codec = name
    case .mixedInto(let number):
      treatment = .mixed
      codec = nil
      mixedInto = number
    case .audio(let encoding), .mixed(let encoding, of: _):
      treatment = .encoded
      if case .mixed = track.treatment {
        treatment = .mixed
        mixedInto = track.info.trackID
      }
      encoder = encoding.encoderName
      codec = encoding.codecName
      sampleRate = encoding.layout.sampleRate
      channels = encoding.layout.channels.channels
      loudness = encoding.loudness
    case .video(let wanted):
      let encoding = try VideoEncoderConfiguration(
        wanted, of: VideoSource(track.info),
        supportsDisplayMatrix: type.format.capabilities.supportsDisplayMatrix)
      treatment = .encoded
      if let layers = track.info.timeline.parts.first?.source?.layers {
        treatment = .mixed
        mixedInto = track.info.trackID
        let leading = layers.first { $0.trackID == track.info.trackID }
        sourceCodec = leading?.format.parameters.codecName ?? source
      }
      encoder = encoding.encoderName
      codec = wanted.codec.name
      (width, height) = (encoding.width, encoding.height)
      pixelFormat = encoding.pixelFormat.name
      mapsToStandardDynamicRange = encoding.mapsTones
    }
  }
}
