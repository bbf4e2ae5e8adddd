import LibAV
import MediaTime

extension ExportSession {
  /// The wanted range, cut to what the asset has, and to what the file may hold of copies.
  func exportRange(
    _ presentation: Presentation, _ plan: ExportPlan, interrupt: Interrupt
  ) throws(EngineError) -> TimeRange {
    let wanted = configuration.timeRange
    guard wanted.isValid, wanted.start.isNumeric,
      wanted.duration.isNumeric || wanted.duration == .positiveInfinity
    else {
      throw EngineError(
        .unsupportedOutputSettings, "The time range \(wanted) is not one to export",
        hint: "Give a numeric start and a duration that is numeric or +infinity.")
    }
    let duration = try asset.media.duration(interrupt)
    let range = wanted.intersection(TimeRange(start: .zero, duration: duration))
    guard range.isValid, !range.isEmpty else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(wanted) holds nothing of '\(presentation.path)'",
        hint: "The asset lasts \(duration).", path: presentation.path)
    }
    // Without an edit list to hide the samples before the range behind, it begins with them.
    let snaps =
      preset.isPassthrough
      && (configuration.trimMode == .keyframe || !fileType.rules.hasEditLists)
    let whole = snaps ? try snapped(range, presentation, interrupt) : range
    let limit = configuration.fileLengthLimit
    guard preset.isPassthrough, limit > 0 else { return whole }
    // What copies take is known before.
    return try ExportLength(range: whole, fileType: fileType, interrupt: interrupt)
      .range(of: plan, within: limit)
  }

  /// The range from the sync sample of the video before its start.
  private func snapped(
    _ range: TimeRange, _ presentation: Presentation, _ interrupt: Interrupt
  ) throws(EngineError) -> TimeRange {
    guard let video = presentation.tracks.first(where: { $0.mediaType == .video })?.media else {
      return range
    }
    let index = try video.index(interrupt: interrupt)
    let start = video.ticks(range.start, rounding: .towardNegativeInfinity)
    guard let position = index.position(at: start) else { return range }
    let sync = index.samples[index.randomAccessPoint(forPosition: position)]
    return TimeRange(start: max(.zero, min(video.time(sync.pts), range.start)), end: range.end)
  }

  /// True when the whole asset is to be exported.
  func isWhole(_ range: TimeRange) -> Bool {
    let wanted = configuration.timeRange
    return range.start == .zero && wanted.duration == .positiveInfinity
      && configuration.fileLengthLimit <= 0
  }
}
