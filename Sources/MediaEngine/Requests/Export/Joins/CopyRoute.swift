import LibAV
import MediaTime
import SystemIO

/// The cuts that are made before an export begins, by the numbers of the tracks.
struct ExportCuts {
  /// Video tracks of one part whose boundary frames are encoded anew.
  var smart: [Int32: SmartCut] = [:]
  /// Video tracks of several parts.
  var joins: [Int32: TrackJoin] = [:]
  /// Audio tracks of several parts whose packets are copied.
  var audio: [Int32: AudioJoin] = [:]
  /// Audio tracks that are a part of one source, and the range of it.
  var ranges: [Int32: (media: StoredTrack, range: TrackRange)] = [:]

  /// Returns the clock on which edits of a track's stream have to be exact; nil for text and data.
  func timescale(of track: TrackInfo) -> Int32? {
    if let join = joins[track.trackID] {
      return MovieWriter.timescale(of: join.format, join.timeBase)
    }
    if let join = audio[track.trackID] {
      return MovieWriter.timescale(of: join.format, join.timeBase)
    }
    return MovieWriter.timescale(of: track.format, track.timeline.format.timeBase)
  }

  /// Cuts the video tracks of a plan, with their boundary frames re-encoded.
  ///
  /// - Parameter isPlanned: true to plan the cuts only: no frame is decoded or encoded.
  /// - Returns: the reason why that can't be done; nil if it is done.
  fileprivate mutating func cutSmartly(
    _ plan: ExportPlan, range: TimeRange, isPlanned: Bool, interrupt: Interrupt
  ) throws(EngineError) -> String? {
    var cuts: [Int32: SmartCut] = [:]
    for track in plan.tracks where track.info.mediaType == .video && track.isCopied {
      guard let stored = track.info.timeline.stored else { continue }
      let media = stored.inOneDescription(over: range) ?? stored
      let cutter = SmartCutter(
        media, range: TrackRange(range, of: media), interrupt: interrupt)
      switch try isPlanned ? cutter.makePlan() : cutter.make() {
      case .cut(let cut): cuts[track.info.trackID] = cut
      case .refused(let reason):
        return "Track \(track.info.trackID) can't be cut smartly: \(reason)"
      }
    }
    guard !cuts.isEmpty else { return "There is no video to encode the edges of" }
    smart = cuts
    return nil
  }
}

extension ExportResolver {
  /// Returns the export with its smart cuts made. If these are refused, it begins and ends in
  /// another way.
  func resolveWithCuts() throws(EngineError) -> (export: ResolvedExport, cuts: ExportCuts) {
    var cuts = ExportCuts()
    let trim = try trim(making: &cuts, isPlanned: false)
    return (try resolve(trim), cuts)
  }

  /// Returns the export as ``resolveWithCuts()`` does, but for refusals that only encoding the edges shows.
  func resolveWithPlannedCuts() throws(EngineError) -> ResolvedExport {
    var cuts = ExportCuts()
    return try resolve(try trim(making: &cuts, isPlanned: true))
  }

  private func trim(
    making cuts: inout ExportCuts, isPlanned: Bool
  ) throws(EngineError) -> ResolvedTrim {
    let trim = try trim()
    guard let range = trim.smartRange,
      let refusal = try cuts.cutSmartly(
        plan, range: range, isPlanned: isPlanned, interrupt: interrupt)
    else { return trim }
    return try self.trim(refusal: refusal)
  }
}

/// A track that is copied, and its stream in the file.
struct CopyRoute {
  private enum Samples {
    case stored(StoredTrack, TrackRange, AudioTrackSummary?)
    case cut(SmartCut)
    case joined(TrackJoin)
    case audio(AudioJoin)
  }

  let track: ResolvedExport.Track
  let target: Int
  /// The edits of samples with several descriptions; nil if they aren't edited.
  let described: DescribedCopy?
  private let samples: Samples
  private let fileType: FileType

  /// Adds the stream.
  ///
  /// - Parameter isPart: false if all of a file is copied unchanged.
  init(
    _ track: ResolvedExport.Track, _ cuts: ExportCuts, isPart: Bool, to writer: MovieWriter
  ) throws(EngineError) {
    self.track = track
    fileType = writer.fileType
    let format: MediaFormat
    let timeBase: TimeBase
    var described: DescribedCopy?
    if let join = cuts.joins[track.info.trackID] {
      samples = .joined(join)
      (format, timeBase) = (join.format, join.timeBase)
    } else if let cut = cuts.smart[track.info.trackID] {
      samples = .cut(cut)
      (format, timeBase) = (cut.format, cut.media.stream.timeBase)
    } else if let join = cuts.audio[track.info.trackID] {
      samples = .audio(join)
      (format, timeBase) = (join.format, join.timeBase)
    } else {
      var (media, range) =
        if let part = cuts.ranges[track.info.trackID] { part } else {
          (media: try track.stored(), range: track.range)
        }
      if isPart { media = media.inOneDescription(from: range.start, to: range.end) ?? media }
      described = try DescribedCopy(media, in: writer.fileType)
      var audio: AudioTrackSummary?
      if media.stream.kind == .audio, isPart || writer.format.mp3Delays != nil {
        let summary = try AudioTrackSummary(
          media, range: range, in: writer.fileType, interrupt: writer.destination.interrupt)
        if summary.omitsDelay { writer.omitsDelay = true }
        if isPart { audio = summary }
      }
      samples = .stored(media, range, audio)
      format = audio?.format ?? described?.format ?? media.stream.format
      timeBase = media.stream.timeBase
    }
    self.described = described
    target = try mapErrors(.write, path: writer.path) { () throws(LibAVError) in
      try writer.addStream(copying: format, timeBase: timeBase, track.metadata)
    }
  }

  /// Returns the packets of the exported part.
  ///
  /// - Parameter sharing: the demuxers of the export's tracks.
  func makeSource(
    sharing: SharedDemuxers, interrupt: Interrupt
  ) throws(EngineError) -> any PacketStream {
    switch samples {
    case .joined(let join): JoinedTrack(join, interrupt: interrupt)
    case .cut(let cut): try SmartTrack(cut, interrupt: interrupt)
    case .audio(let join): try JoinedAudio(join, interrupt: interrupt)
    case .stored(let media, let range, let audio):
      try CopiedTrack(
        media, range: range, to: fileType, audio: audio, described: described,
        sharing: sharing, interrupt: interrupt)
    }
  }
}
