import LibAV
import MediaTime
import SystemIO

/// Plans an export in two steps, between which its caller may try to make the cuts that the trim needs
/// (``ResolvedTrim/smartRange``), and have another trim where they are refused.
///
/// Nothing is encoded or written here.
struct ExportResolver {
  /// The treatment of each track.
  let plan: ExportPlan
  private let asset: any PresentationSource
  /// The asset with the audio mix and the video composition that are exported.
  private let presentation: Presentation
  private let request: ExportRequest
  private let limit: Int64
  private let trims: TrimResolver
  let interrupt: Interrupt

  /// - Parameters:
  ///   - limit: the maximum length of a file of copied samples, in bytes; nil for the configured one.
  ///   - extent: the extent of the indexes by which samples are copied.
  /// - Throws: `failedToLoadSampleData` where a window isn't enough, as ``ExportPlan`` and ``TrimResolver``, and the errors of an audio mix or a video composition that is
  ///   refused.
  init(
    of asset: any PresentationSource, _ presentation: Presentation, _ request: ExportRequest,
    within limit: Int64? = nil, by extent: IndexExtent = .whole, interrupt: Interrupt
  ) throws(EngineError) {
    try request.configuration.audioMix.requireNoProblems(with: presentation.tracks)
    let mixed = presentation.mixed(by: request.configuration.audioMix)
    let mix = request.settings.copies(.audio) ? nil : mixed.audioMix
    var presentation =
      request.settings.copies(.video)
      ? mixed
      : try asset.presentation(
        mixed, composedBy: request.configuration.videoComposition,
        drawnBy: request.configuration.compositor, interrupt: interrupt)
    var plan = try ExportPlan(
      of: presentation, settings: request.settings, joins: request.configuration.joins)
    var end: Time?
    if case .window(let count) = extent,
      let windowed = try WindowedExport(
        presentation, of: asset, plan: plan, request, earlierSyncSamples: count,
        interrupt: interrupt)
    {
      (presentation, end) = (windowed.presentation, windowed.end)
      plan = try ExportPlan(
        of: presentation, settings: request.settings, joins: request.configuration.joins)
    }
    for track in plan.included {
      if track.isCopied {
        for part in track.info.timeline.parts {
          try part.source?.stored?.requireOrder(interrupt: interrupt)
        }
      }
      let algorithm = request.configuration.audioTimePitchAlgorithm
      switch track.treatment {
      case .audio: try track.info.requireSpeeds(algorithm, by: mix)
      case .mixed(_, of: let tracks):
        for track in tracks { try track.requireSpeeds(algorithm, by: mix) }
      case .copied, .joined, .video, .mixedInto, .text, .dropped: continue
      }
    }
    let duration =
      if let end {
        end
      } else if plan.isAudio(ofComposition: presentation) {
        try asset.preciseDuration(interrupt: interrupt)
      } else {
        try plan.duration(in: asset.preciseDuration(interrupt: interrupt), interrupt: interrupt)
      }
    trims = try TrimResolver(
      presentation, duration: duration, plan: plan, request: request, interrupt: interrupt)
    self.plan = plan
    self.asset = asset
    self.presentation = presentation
    self.request = request
    self.limit = limit ?? request.configuration.fileLengthLimit
    self.interrupt = interrupt
  }

  /// The part of the asset that is exported, and the cuts of copies at its start and its end.
  ///
  /// - Parameter refusal: the reason why the cuts of the trim's ``ResolvedTrim/smartRange`` can't be made; nil where they
  ///   can, or haven't been tried.
  func trim(refusal: String? = nil) throws(EngineError) -> ResolvedTrim {
    try trims.resolve(within: limit, refusal: refusal)
  }

  /// The plan with a trim.
  func resolve(_ trim: ResolvedTrim) throws(EngineError) -> ResolvedExport {
    let export = try ResolvedExport(
      plan, trim, of: presentation, asset, request: request, interrupt: interrupt)
    for track in export.tracks {
      guard case .copied = track.treatment, let media = track.info.timeline.stored else { continue }
      let copied = media.inOneDescription(from: track.range.start, to: track.range.end) ?? media
      try copied.requireCopiedDescriptions()
    }
    return export
  }
}
