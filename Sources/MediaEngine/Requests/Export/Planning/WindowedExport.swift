import LibAV
import MediaTime
import SystemIO

/// The tracks of an export of a small part of a long file, with windows of their indexes instead of the whole ones, for
/// which all of the file would be read.
struct WindowedExport {
  /// The asset with these tracks.
  let presentation: Presentation
  /// A time that all tracks reach, which is after the range.
  let end: Time

  /// The samples that are known before and behind those of the range: cuts depend on the neighbours of the samples
  /// that they are made at. Decoders of audio need packets before the first one, and pictures are shown up to 32 places
  /// later than they are decoded.
  private static let margin = 128

  /// Returns nil where all of the indexes is needed: for a large part of a file or its end, for text, of which a line
  /// may begin long before the range, for tracks of several files, and for audio that is decoded, whose samples are
  /// counted from the start.
  ///
  /// - Parameter count: the number of sync samples to know before the one that the copy begins with.
  init?(
    _ presentation: Presentation, of asset: any PresentationSource, plan: ExportPlan,
    _ request: ExportRequest, earlierSyncSamples count: Int, interrupt: Interrupt
  ) throws(EngineError) {
    let range = request.configuration.timeRange
    guard !asset.prefersPreciseTiming, plan.included.allSatisfy(\.isReadByWindow),
      range.isValid, range.start >= .zero, range.duration.isNumeric, range.duration > .zero
    else { return nil }
    let tracks = plan.included.map(\.info).filter { !$0.isAdded }
    guard let source = tracks.first?.timeline.stored?.source,
      try source.isStatedLonger(than: range.end, interrupt: interrupt)
    else { return nil }
    var windows: [Int32: TrackTimeline] = [:]
    var (wanted, end) = (range, range.end)
    // A copy that begins at a sync sample, or ends behind whole groups, has the audio of all of it.
    let isPicture: (TrackInfo) -> Bool = { $0.mediaType == .video }
    for track in tracks.filter(isPicture) + tracks.filter({ !isPicture($0) }) {
      guard let media = track.timeline.stored, media.source === source,
        let windowed = try media.windowed(
          for: isPicture(track) ? range : wanted, earlierSyncSamples: count,
          margin: Self.margin, interrupt: interrupt),
        let index = windowed.window, !index.reachesEnd, let last = index.end
      else { return nil }
      windows[track.trackID] = TrackTimeline(try windowed.counted(interrupt: interrupt))
      end = max(end, media.time(last))
      guard isPicture(track) else { continue }
      let part = TrackRange(range, of: media)
      let samples = index.samples[index.decodeRange(from: part.outerStart, to: part.outerEnd)]
      let (first, final) = (samples.lazy.map(\.pts).min(), samples.lazy.map(\.end).max())
      guard let first, let final else { continue }
      wanted = TimeRange(
        start: max(.zero, min(wanted.start, media.time(first))),
        end: max(wanted.end, media.time(final)))
    }
    var presentation = presentation
    for place in presentation.tracks.indices {
      guard let window = windows[presentation.tracks[place].trackID] else { continue }
      presentation.tracks[place].timeline = window
    }
    self.presentation = presentation
    self.end = end
  }
}

extension ExportPlan {
  /// True if indexes of its tracks are windows.
  var usesWindows: Bool { included.contains { $0.info.timeline.stored?.window != nil } }
}

extension ExportPlan.Track {
  /// True if a window of the index is enough for a range of it. The rate of some encoded video is that of all its frames.
  fileprivate var isReadByWindow: Bool {
    switch treatment {
    case .copied: info.isAdded || [.video, .audio].contains(info.mediaType)
    case .video: info.timeline.stored?.countsFrames == false
    case .joined, .audio, .mixed, .mixedInto, .text, .dropped: false
    }
  }
}

extension MediaSource {
  /// Returns false if the header states an end of the media before a time.
  fileprivate func isStatedLonger(
    than time: Time, interrupt: Interrupt
  ) throws(EngineError) -> Bool {
    if try durationNeedsScan(open(interrupt: interrupt)) { return true }
    return try duration(precise: false, interrupt: interrupt) > time
  }
}

extension IndexExtent {
  /// The windows of the indexes with which an export is tried, one after the other.
  private static let ofExports: [IndexExtent] = [
    .window(earlierSyncSamples: 1), .window(earlierSyncSamples: 8),
  ]

  /// Plans or makes an export by windows of the indexes, or where these aren't enough, by all of them.
  ///
  /// - Parameter body: is called with the extent and sets whether it has used windows. Its errors are those of the export
  ///   unless it has.
  static func forExport<Result>(
    _ body: (IndexExtent, inout Bool) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    for extent in ofExports {
      var usesWindows = false
      do throws(EngineError) {
        return try body(extent, &usesWindows)
      } catch {
        guard usesWindows, error.code == .failedToLoadSampleData else { throw error }
      }
    }
    var usesWindows = false
    return try body(.whole, &usesWindows)
  }
}
