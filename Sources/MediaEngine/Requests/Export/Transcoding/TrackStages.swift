import LibAV
import MediaTime
import SystemIO

/// Makes the stages of an export's tracks, one after the other in the order of its streams.
struct TrackStages: ~Copyable {
  private let export: ResolvedExport
  private let cuts: ExportCuts
  private let writer: MovieWriter
  /// The threads of the encoders of video; 0 for their own choice.
  private let threadCount: Int
  /// The factors of the samples of audio tracks, by the numbers of the tracks.
  private let gains: [Int32: Double]
  private let interrupt: Interrupt
  /// The demuxers of the tracks.
  private let sharing: SharedDemuxers
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []
  private var texts: [(track: TrackInfo, stage: TextStage)] = []

  /// - Parameters:
  ///   - threadCount: of the encoders of video; 0 for their own choice.
  ///   - gains: the factors of the samples of audio tracks, by the numbers of the tracks.
  ///   - interrupt: triggered when the export ends, with or without an error.
  init(
    _ export: ResolvedExport, cuts: ExportCuts = ExportCuts(), to writer: MovieWriter,
    threadCount: Int = 0, gains: [Int32: Double] = [:], interrupt: Interrupt
  ) {
    (self.export, self.cuts, self.writer) = (export, cuts, writer)
    (self.threadCount, self.gains, self.interrupt) = (threadCount, gains, interrupt)
    sharing = export.sharedDemuxers
  }

  /// The stage of a track; nil where it has none of its own.
  ///
  /// - Parameter part: of video that is encoded, the part that is; nil for all.
  mutating func make(
    _ track: ResolvedExport.Track, _ part: EncodedPart? = nil
  ) throws(EngineError) -> (any ExportStage)? {
    if let source = track.encodedAudio {
      let (encoding, tracks) = source
      var settings = AudioSettings(encoding.layout, timePitch: export.timePitch)
      settings.gain = gains[track.info.trackID] ?? 1
      let (audio, range, errors) = try export.audio(
        of: track, tracks, settings, part: part?.range,
        sharing: sharing, interrupt: interrupt)
      reports += zip(tracks, errors).map { (track: $0, errors: $1) }
      return try AudioStage(
        track, audio, of: range, encoding: encoding, writer: writer, interrupt: interrupt)
    }
    let range = part?.range ?? export.trim.range
    let errors = DecodeErrors(track.info.timeline, range: range)
    reports.append((track.info, errors))
    let reading = TrackReading(
      range: track.range.time, interrupt: interrupt, requiresWhole: true, errors: errors,
      sharing: sharing)
    switch track.treatment {
    case .dropped, .audio, .mixed, .mixedInto: return nil
    case .video(let encoding):
      var reading = reading
      reading.deinterlacing = encoding.deinterlacing
      return try VideoStage(
        track, reading, encoding: encoding, part: part, threadCount: threadCount, writer: writer)
    case .text(let codec):
      let stage = try TextStage(track, reading, codec: codec, writer: writer)
      texts.append((track.info, stage))
      return stage
    case .copied where ![.video, .audio].contains(track.info.format.kind):
      return try TextStage(track, reading, codec: nil, writer: writer)
    case .copied, .joined:
      let route = try CopyRoute(track, cuts, isPart: true, to: writer)
      return CopyStage(
        try route.makeSource(sharing: sharing, interrupt: interrupt), to: route.target,
        path: writer.path)
    }
  }

  /// The samples that are missing in the file, for they couldn't be decoded.
  var damages: [DamagedSamples] {
    reports.compactMap { track, errors in errors.samples(of: track.trackID, track.mediaType) }
  }

  /// The parts of text that its container can't hold.
  var droppedTexts: [DroppedItem] {
    texts.flatMap { track, stage in stage.dropped(ofTrack: track.trackID, track.mediaType) }
  }
}

extension ResolvedExport.Track {
  /// The configuration of its audio encoder, and the tracks that are encoded; nil for a track of which no audio is
  /// encoded.
  var encodedAudio: (encoding: AudioEncoderConfiguration, tracks: [TrackInfo])? {
    switch treatment {
    case .audio(let encoding): (encoding, [info])
    case .mixed(let encoding, of: let tracks): (encoding, tracks)
    default: nil
    }
  }
}

extension ResolvedExport {
  /// New demuxers of all tracks that are read side by side.
  var sharedDemuxers: SharedDemuxers {
    SharedDemuxers(
      tracks.lazy.flatMap { track -> [TrackInfo] in
        switch track.treatment {
        case .dropped, .mixedInto: []
        case .mixed(_, of: let tracks): tracks
        default: [track.info]
        }
      }.map(\.timeline))
  }

  /// The audio that a track is encoded from.
  ///
  /// - Parameters:
  ///   - tracks: those that become the track.
  ///   - part: the range in which the decoders' errors are counted; nil for all.
  ///   - sharing: the demuxers of tracks that are read at the same time; nil for those of this audio.
  /// - Returns: the audio, its range, and the errors of the tracks' decoders.
  func audio(
    of track: Track, _ tracks: [TrackInfo], _ settings: AudioSettings, part: TimeRange? = nil,
    sharing: SharedDemuxers? = nil, interrupt: Interrupt
  ) throws(EngineError) -> (any MediaStream<SampleBuffer>, TimeRange, [DecodeErrors]) {
    let tracks = try filling(track, tracks, interrupt)
    let errors = tracks.map { DecodeErrors($0.timeline, range: part ?? trim.range) }
    let range = audioRange(track, of: tracks)
    let audio = try audioMix.audio(
      of: zip(tracks, errors).map { (info: $0, errors: $1) },
      TrackReading(range: range, interrupt: interrupt, requiresWhole: true, sharing: sharing),
      settings)
    return (audio, range, errors)
  }

  /// The tracks that become a track, the first of which lasts to the end of the range where a file of audio alone would
  /// end before its composition.
  private func filling(
    _ track: Track, _ tracks: [TrackInfo], _ interrupt: Interrupt
  ) throws(EngineError) -> [TrackInfo] {
    let all = self.tracks.compactMap(\.encodedAudio)
    guard fillsComposition, var first = tracks.first,
      all.first?.tracks.first?.trackID == first.trackID
    else { return tracks }
    var end = Time.zero
    for track in all.flatMap(\.tracks) {
      end = max(end, try track.timeline.timeRange(interrupt: interrupt).end)
    }
    guard end < trim.range.end else { return tracks }
    first.timeline = try first.timeline.lasting(
      until: trim.range.end, as: .audio, interrupt: interrupt)
    return [first] + tracks.dropFirst()
  }

  /// The range of audio that is read: of a whole file until its tracks end, for the duration that the file states may
  /// be rounded, an estimate, or that of another track.
  private func audioRange(_ track: Track, of tracks: [TrackInfo]) -> TimeRange {
    guard trim.isWhole, !tracks.contains(where: \.timeline.isOfParts) else {
      return track.range.time
    }
    return TimeRange(start: track.range.time.start, duration: .positiveInfinity)
  }
}
