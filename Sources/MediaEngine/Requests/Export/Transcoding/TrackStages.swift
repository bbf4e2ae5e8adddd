import LibAV
import MediaTime
import SystemIO

/// Makes the stages of an export's tracks, one after the other in the order of its streams.
struct TrackStages: ~Copyable {
  private let export: ResolvedExport
  private let cuts: ExportCuts
  private let writer: MovieWriter
  /// Of the encoders of video; 0 for their own choice.
  private let threadCount: Int
  private let interrupt: Interrupt
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []
  private var texts: [(track: TrackInfo, stage: TextStage)] = []

  /// - Parameters:
  ///   - threadCount: of the encoders of video; 0 for their own choice.
  ///   - interrupt: triggered when the export ends, however it ends.
  init(
    _ export: ResolvedExport, cuts: ExportCuts = ExportCuts(), to writer: MovieWriter,
    threadCount: Int = 0, interrupt: Interrupt
  ) {
    (self.export, self.cuts, self.writer) = (export, cuts, writer)
    (self.threadCount, self.interrupt) = (threadCount, interrupt)
  }

  /// The stage of a track; nil where it has none of its own.
  ///
  /// - Parameter part: of video that is encoded, what is encoded of it; nil for all.
  mutating func make(
    _ track: ResolvedExport.Track, _ part: EncodedPart? = nil
  ) throws(EngineError) -> (any ExportStage)? {
    if case .mixed(let encoding, let tracks) = track.treatment {
      return try mixStage(track, of: tracks, encoding)
    }
    let range = part?.range ?? export.trim.range
    let errors = DecodeErrors(track.info.timeline, range: range)
    reports.append((track.info, errors))
    let reading = TrackReading(
      range: track.range.time, interrupt: interrupt, requiresWhole: true, errors: errors)
    switch track.treatment {
    case .dropped, .mixed, .mixedInto: return nil
    case .video(let encoding):
      return try VideoStage(
        track, reading, encoding: encoding, part: part, threadCount: threadCount, writer: writer)
    case .audio(let encoding):
      var open = reading
      open.range = audioRange(track, of: [track.info])
      let audio = try export.audioMix.audio(
        of: [(track.info, errors)], open,
        AudioSettings(encoding.layout, timePitch: export.timePitch))
      return try AudioStage(
        track, audio, of: open.range, encoding: encoding, writer: writer, interrupt: interrupt)
    case .text(let codec):
      let stage = try TextStage(track, reading, codec: codec, writer: writer)
      texts.append((track.info, stage))
      return stage
    case .copied where ![.video, .audio].contains(track.info.format.kind):
      return try TextStage(track, reading, codec: nil, writer: writer)
    case .copied, .joined:
      let route = try CopyRoute(track, cuts, isPart: true, to: writer)
      return CopyStage(
        try route.makeSource(interrupt: interrupt), to: route.target, path: writer.path)
    }
  }

  /// The stage of several tracks that become one.
  private mutating func mixStage(
    _ track: ResolvedExport.Track, of tracks: [TrackInfo], _ encoding: AudioEncoderConfiguration
  ) throws(EngineError) -> AudioStage {
    var inputs: [(info: TrackInfo, errors: DecodeErrors?)] = []
    for input in tracks {
      let errors = DecodeErrors(input.timeline, range: export.trim.range)
      reports.append((input, errors))
      inputs.append((input, errors))
    }
    let range = audioRange(track, of: tracks)
    let audio = try export.audioMix.audio(
      of: inputs, TrackReading(range: range, interrupt: interrupt, requiresWhole: true),
      AudioSettings(encoding.layout, timePitch: export.timePitch))
    return try AudioStage(
      track, audio, of: range, encoding: encoding, writer: writer, interrupt: interrupt)
  }

  /// What is read of audio: of all of a file until its tracks end, for the duration that the file states
  /// may be rounded, an estimate, or that of another track.
  private func audioRange(_ track: ResolvedExport.Track, of tracks: [TrackInfo]) -> TimeRange {
    guard export.trim.isWhole, tracks.allSatisfy({ $0.timeline.source != nil }) else {
      return track.range.time
    }
    return TimeRange(start: track.range.time.start, duration: .positiveInfinity)
  }

  /// The samples that are missing in the file, for they couldn't be decoded.
  var damages: [DamagedSamples] {
    reports.compactMap { track, errors in errors.samples(of: track.trackID, track.mediaType) }
  }

  /// What of text its container can't hold.
  var droppedTexts: [DroppedItem] {
    texts.flatMap { track, stage in stage.dropped(ofTrack: track.trackID, track.mediaType) }
  }
}
