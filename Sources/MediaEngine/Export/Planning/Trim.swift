import LibAV
import MediaTime
import SystemIO

/// The part of an asset that an export takes, and how a copy of it begins and ends.
struct Trim {
  /// What the file will show.
  var range: TimeRange
  /// How; nil where nothing is cut or all is encoded.
  var mode: ExportSession.TrimMode?
  /// Why it isn't the mode that was wanted.
  var note: String?
  /// True when the whole asset is exported.
  var isWhole: Bool
}

extension ExportSession {
  /// The wanted range, cut to what the asset has, and with Passthrough to where it can be cut and to
  /// what the file may hold.
  ///
  /// - Parameters:
  ///   - limit: how long a file of copied samples may become, in bytes; 0 for any length.
  ///   - refusal: why a smart cut can't be made; what takes its place then is reported.
  nonisolated func trim(
    _ presentation: Presentation, _ plan: ExportPlan, within limit: Int64, refusal: String? = nil,
    interrupt: Interrupt
  ) throws(EngineError) -> Trim {
    let duration = try duration(of: plan, interrupt)
    let range = try wantedRange(presentation, duration)
    let isWhole =
      range.start == .zero && configuration.timeRange.duration == .positiveInfinity && limit <= 0
    guard preset.isPassthrough, !isWhole else { return Trim(range: range, isWhole: isWhole) }
    var trim = Trim(range: range, isWhole: false)
    trim.mode = configuration.trimMode
    if let refusal {
      trim.mode = .editList
      trim.note = refusal
    }
    if trim.mode == .editList, !fileType.format.capabilities.hasEditLists {
      // Exact all the same, where the edges can be encoded anew.
      trim.mode = refusal == nil && plan.mayBeCutSmartly ? .smart : .keyframe
      let reason =
        "\(fileType.name) files have no edit lists"
        + (trim.mode == .smart ? ": the frames at the edges are encoded anew" : "")
      trim.note = refusal.map { "\($0); \(reason)" } ?? reason
    }
    trim.range =
      trim.mode == .keyframe
      ? try snapped(range, presentation, duration, interrupt)
      : try onGrid(range, presentation, duration)
    guard limit > 0 else { return trim }
    if let video = presentation.video {
      let start = video.ticks(trim.range.start, rounding: .towardNegativeInfinity)
      _ = try video.index(forDecodingAt: start, interrupt: interrupt)
    }
    // What copies take is known before.
    trim.range = try ExportLength(range: trim.range, fileType: fileType, interrupt: interrupt)
      .range(of: plan, within: limit)
    return trim
  }

  /// How long the asset goes on of which tracks are left out: as long as the others.
  private nonisolated func duration(
    of plan: ExportPlan, _ interrupt: Interrupt
  ) throws(EngineError) -> Time {
    let whole = try asset.media.content.preciseDuration(interrupt: interrupt)
    let included = plan.described
    guard included.count < plan.tracks.count else { return whole }
    var end = Time.zero
    for track in included {
      end = max(end, try track.info.timeline.timeRange(interrupt: interrupt).end)
    }
    return end > .zero ? min(whole, end) : whole
  }

  private nonisolated func wantedRange(
    _ presentation: Presentation, _ duration: Time
  ) throws(EngineError) -> TimeRange {
    let wanted = configuration.timeRange
    guard wanted.isValid, wanted.start.isNumeric,
      wanted.duration.isNumeric || wanted.duration == .positiveInfinity
    else {
      throw EngineError(
        .unsupportedOutputSettings, "The time range \(wanted) is not one to export",
        hint: "Give a numeric start and a duration that is numeric or +infinity.")
    }
    let range = wanted.intersection(TimeRange(start: .zero, duration: duration))
    guard range.isValid, !range.isEmpty else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(wanted) holds nothing of '\(presentation.path)'",
        hint: "What comes into the file lasts \(duration).", path: presentation.path)
    }
    return range
  }

  /// The range with its ends at ticks of the video's clock, of the audio's where there is no video: at
  /// the nearest, so that ranges that follow each other still do. The asset's own ends stay.
  private nonisolated func onGrid(
    _ range: TimeRange, _ presentation: Presentation, _ duration: Time
  ) throws(EngineError) -> TimeRange {
    let grid: (Time) -> Time
    if let video = presentation.video {
      grid = { video.time(video.ticks($0, rounding: .halfAwayFromZero)) }
    } else if let audio = presentation.audio,
      audio.stream.parameters.sampleRate > 0
    {
      let clock = TimeBase(1, Int32(clamping: audio.stream.parameters.sampleRate))
      grid = { Time(ticks: $0.ticks(in: clock, rounding: .halfAwayFromZero), in: clock) }
    } else {
      return range
    }
    let start = range.start == .zero ? .zero : max(.zero, min(grid(range.start), duration))
    let end = range.end == duration ? duration : max(.zero, min(grid(range.end), duration))
    guard start < end else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(range) is shorter than a tick of the clock of '\(presentation.path)'",
        path: presentation.path)
    }
    return TimeRange(start: start, end: end)
  }

  /// The range from the sync sample of the video before its start to the end of the last frame that is
  /// needed for those before its end; of audio alone, from packet to packet.
  private nonisolated func snapped(
    _ range: TimeRange, _ presentation: Presentation, _ duration: Time, _ interrupt: Interrupt
  ) throws(EngineError) -> TimeRange {
    guard
      let media = presentation.video
        ?? presentation.audio
    else { return range }
    if media.stream.kind == .audio, media.stream.parameters.isDivisible { return range }
    let start = media.ticks(range.start, rounding: .towardNegativeInfinity)
    let index = try media.index(forDecodingAt: start, interrupt: interrupt)
    let cut = index.wholeSamples(
      from: start,
      to: media.ticks(range.end, rounding: .towardPositiveInfinity))
    guard let cut else { return range }
    // What the source hides before its time zero can stay hidden, or is shown.
    let first = min(media.time(cut.lowerBound), range.start)
    let begin = fileType.format.capabilities.hasEditLists ? max(.zero, first) : first
    return TimeRange(start: begin, end: min(duration, max(media.time(cut.upperBound), range.end)))
  }
}

extension Presentation {
  /// The first video track's samples.
  var video: TrackMedia? { tracks.first { $0.mediaType == .video }?.timeline.stored }
  /// The first audio track's samples.
  var audio: TrackMedia? { tracks.first { $0.mediaType == .audio }?.timeline.stored }
}

extension SampleIndex {
  /// The presentation times around `start` and `end` between which samples can be copied as they are,
  /// without one that isn't shown: from a random-access point to where no sample is missing and none
  /// is too many.
  func wholeSamples(from start: Int64, to end: Int64) -> Range<Int64>? {
    var samples = decodeRange(from: start, to: end)
    guard !samples.isEmpty else { return nil }
    let first = self.samples[samples.lowerBound].pts
    var last = Int64.min
    // What is decoded before a sample that is shown may be shown later; and others before that one.
    while true {
      let shown = samples.filter { !self.samples[$0].isDiscarded && self.samples[$0].pts >= first }
      guard let latest = shown.max(by: { self.samples[$0].pts < self.samples[$1].pts }) else {
        return nil
      }
      last = self.samples[latest].end
      let widened = decodeRange(from: first, to: self.samples[latest].pts &+ 1)
      guard widened.upperBound > samples.upperBound else { break }
      samples = samples.lowerBound..<widened.upperBound
    }
    return first < last ? first..<last : nil
  }
}
