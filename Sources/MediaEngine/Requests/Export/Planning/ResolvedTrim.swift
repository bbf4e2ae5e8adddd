import LibAV
import MediaTime
import SystemIO

/// The part of an asset that an export takes, and how a copy of it begins and ends.
struct ResolvedTrim {
  /// The part of the asset that the file will show.
  var range: TimeRange
  /// The mode of the cuts; nil where nothing is cut or all is encoded.
  var mode: TrimMode?
  /// The reason why it isn't the mode that was wanted.
  var note: String?
  /// True when the whole asset is exported.
  var isWhole: Bool
  /// The range without a limit of the file's length; nil where that doesn't shorten it.
  var unlimited: TimeRange?
  /// The part of the range that lies after the asset's end.
  var absent = Time.zero

  /// Less than this isn't missing: durations that containers state are rounded, or those of another track.
  static let tolerance = Time(value: 50, timescale: 1000)

  /// The range whose ends are to be cut smartly before anything is copied; nil where nothing is.
  var smartRange: TimeRange? { mode == .smart ? range : nil }
}

/// Finds the part of an asset that an export reads: the wanted range, cut to the asset's own, and with Passthrough to
/// the nearest possible cuts and to the maximum length of the file.
struct TrimResolver {
  private let asset: Presentation
  private let plan: ExportPlan
  private let request: ExportRequest
  /// The end of the last track that comes into the file.
  private let duration: Time
  private let wanted: TimeRange
  private let interrupt: Interrupt
  private var fileType: FileType { request.fileType }

  /// - Parameter duration: the asset's, without the tracks that are left out.
  /// - Throws: `unsupportedOutputSettings` for a range that holds nothing.
  init(
    _ asset: Presentation, duration: Time, plan: ExportPlan, request: ExportRequest,
    interrupt: Interrupt
  ) throws(EngineError) {
    self.asset = asset
    self.plan = plan
    self.request = request
    self.interrupt = interrupt
    self.duration = duration
    wanted = try TrimResolver.wantedRange(request, asset, self.duration)
  }

  /// - Parameters:
  ///   - limit: the maximum length of a file of copied samples, in bytes; 0 for any length.
  ///   - refusal: the reason why the smart cuts of the first result can't be made: another mode takes their place.
  func resolve(within limit: Int64, refusal: String? = nil) throws(EngineError) -> ResolvedTrim {
    var trim = try cut(within: limit, refusal: refusal)
    let asked = request.configuration.timeRange
    if asked.duration.isNumeric { trim.absent = max(.zero, asked.end - duration) }
    return trim
  }

  private func cut(
    within limit: Int64, refusal: String?
  ) throws(EngineError) -> ResolvedTrim {
    var isWhole =
      wanted.start == .zero && request.configuration.timeRange.duration == .positiveInfinity
      && limit <= 0
    if isWhole, try showsHiddenSamples() { isWhole = false }
    // Text can begin and end at any time.
    let isText = plan.included.allSatisfy { $0.info.format.kind == .subtitle }
    guard request.isPassthrough || request.settings.copiesVideo, !isWhole, !isText else {
      return ResolvedTrim(range: wanted, isWhole: isWhole)
    }
    // Parts are cut exactly, and so is the range of them.
    if plan.hasJoins || request.isPassthrough && plan.encodesTracks {
      return ResolvedTrim(range: wanted, isWhole: false)
    }
    var trim = ResolvedTrim(range: wanted, isWhole: false)
    trim.mode = request.configuration.trimMode
    if let refusal {
      trim.mode = .editList
      trim.note = refusal
    }
    if trim.mode == .editList, !fileType.format.capabilities.hasEditLists, !statesDelay {
      // Exact all the same, where the boundary frames can be encoded anew.
      trim.mode = refusal == nil && plan.mayBeCutSmartly ? .smart : .keyframe
      let reason =
        "\(fileType.name) files have no edit lists"
        + (trim.mode == .smart ? ": the frames at the edges are encoded anew" : "")
      trim.note = refusal.map { "\($0); \(reason)" } ?? reason
    }
    trim.range = trim.mode == .keyframe ? try snapped() : try onGrid()
    // An export that encodes ends where the file is full.
    guard limit > 0, request.isPassthrough else { return trim }
    if let video {
      let start = TrackRange(trim.range, of: video).outerStart
      _ = try video.index(forDecodingAt: start, interrupt: interrupt)
    }
    // The length of copies is known before.
    trim.unlimited = trim.range
    trim.range = try ExportLength(range: trim.range, fileType: fileType, interrupt: interrupt)
      .range(of: plan, within: limit)
    return trim
  }

  /// True if the file's header hides samples that an edit list hides elsewhere.
  private var statesDelay: Bool {
    fileType.format.mp3Delays != nil
      && plan.included.allSatisfy { $0.info.format.parameters.codecName == "mp3" }
  }

  /// True if a copy of all samples would show some that an edit list of the source hides, because the file has no edit
  /// lists. The samples that encoders of audio add at the start are few, and don't count.
  private func showsHiddenSamples() throws(EngineError) -> Bool {
    guard request.isPassthrough || request.settings.copiesVideo,
      !fileType.format.capabilities.hasEditLists, !statesDelay
    else { return false }
    for track in plan.included where track.isCopied {
      guard track.info.movie?.edits.isEmpty == false, let media = track.info.timeline.stored else {
        continue
      }
      let start = media.ticks(.zero, rounding: .halfAwayFromZero)
      let hidden = try media.index(interrupt: interrupt).samples.count {
        $0.isDiscarded || $0.end <= start
      }
      if hidden > (track.info.mediaType == .audio ? Self.maximumPriming : 0) { return true }
    }
    return false
  }

  /// The maximum number of audio packets that an encoder adds at the start: four of Opus (RFC 7845, section 4.2), three of
  /// AAC.
  private static let maximumPriming = 4

  /// The samples of the first track of a kind that comes into the file.
  private var video: StoredTrack? { first(.video) }
  private var audio: StoredTrack? { first(.audio) }

  private func first(_ type: MediaType) -> StoredTrack? {
    plan.included.first { $0.info.mediaType == type }?.info.timeline.stored
  }

  private static func wantedRange(
    _ request: ExportRequest, _ asset: Presentation, _ duration: Time
  ) throws(EngineError) -> TimeRange {
    let wanted = request.configuration.timeRange
    guard wanted.isValid, wanted.start.isNumeric,
      wanted.duration.isNumeric || wanted.duration == .positiveInfinity
    else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(wanted.secondsDescription) is not one to export",
        advice: .giveRangeOfExport)
    }
    let range = wanted.intersection(TimeRange(start: .zero, duration: duration))
    guard range.isValid, !range.isEmpty else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(wanted.secondsDescription) holds nothing of '\(asset.path)'",
        advice: .chooseRangeOfExport(duration), path: asset.path)
    }
    return range
  }

  /// The range with its ends at ticks of the video's clock, of the audio's where there is no video: at
  /// the nearest, so that ranges that follow each other still do. The asset's own ends stay.
  private func onGrid() throws(EngineError) -> TimeRange {
    let grid: (Time) -> Time
    if let video {
      grid = { video.time(video.ticks($0, rounding: .halfAwayFromZero)) }
    } else if let audio,
      audio.stream.parameters.sampleRate > 0
    {
      let clock = TimeBase(1, Int32(clamping: audio.stream.parameters.sampleRate))
      grid = { Time(ticks: $0.ticks(in: clock, rounding: .halfAwayFromZero), in: clock) }
    } else {
      return wanted
    }
    let start = wanted.start == .zero ? .zero : max(.zero, min(grid(wanted.start), duration))
    let end = wanted.end == duration ? duration : max(.zero, min(grid(wanted.end), duration))
    guard start < end else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The time range \(wanted.secondsDescription) is shorter than a tick of the clock of "
          + "'\(asset.path)'",
        path: asset.path)
    }
    return TimeRange(start: start, end: end)
  }

  /// The range from the sync sample of the video before its start to the end of the last frame that is
  /// needed for those before its end; of audio alone, from packet to packet.
  private func snapped() throws(EngineError) -> TimeRange {
    guard let media = video ?? audio else { return wanted }
    if media.stream.kind == .audio, media.stream.parameters.isDivisible { return wanted }
    let range = TrackRange(wanted, of: media)
    let index = try media.index(forDecodingAt: range.outerStart, interrupt: interrupt)
    guard let samples = index.wholeSamples(from: range.outerStart, to: range.outerEnd) else {
      return wanted
    }
    // Samples that the source hides before its time zero can stay hidden, or are shown.
    let first = min(media.time(samples.lowerBound), wanted.start)
    let begin = fileType.format.capabilities.hasEditLists ? max(.zero, first) : first
    let last = max(media.time(samples.upperBound), wanted.end)
    return TimeRange(start: begin, end: min(duration, last))
  }
}

extension ExportPlan {
  /// Returns the duration of the asset without the tracks that are left out: the others' duration.
  ///
  /// - Parameter whole: the asset's duration.
  func duration(in whole: Time, interrupt: Interrupt) throws(EngineError) -> Time {
    let shown = tracks.filter(\.isShown)
    guard shown.count < tracks.count else { return whole }
    var end = Time.zero
    for track in shown {
      let timeline = track.info.timeline
      guard let media = timeline.stored else {
        end = max(end, try timeline.timeRange(interrupt: interrupt).end)
        continue
      }
      end = max(end, try media.source.trackEnd(of: media.stream, interrupt: interrupt))
    }
    return end > .zero && end < whole ? end : whole
  }
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
    // A sample that is decoded before one that is shown may be shown later; and others before that one.
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
