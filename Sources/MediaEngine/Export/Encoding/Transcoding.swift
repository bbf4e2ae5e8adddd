import LibAV
import MediaTime
import SystemIO

/// An export that decodes and encodes tracks, beside others that are copied.
///
/// Each stage runs on a thread of its own, and hands its packets over to the session's queue, which
/// writes them.
struct Transcoding: ~Copyable {
  private let export: ResolvedExport
  private let cuts: ExportCuts
  private let writer: MovieWriter
  /// What the file shows: as much of what was wanted as there is, and as fits into it.
  private(set) var range: TimeRange
  /// The file has reached the length that was allowed.
  private(set) var isFull = false
  private var stages: [any ExportStage] = []
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []
  /// Triggered when the export ends, however it ends: nothing waits for the stages then.
  private let interrupt: Interrupt

  init(_ export: ResolvedExport, cuts: ExportCuts = ExportCuts(), to writer: MovieWriter) {
    self.export = export
    self.cuts = cuts
    self.writer = writer
    range = export.trim.range
    interrupt = Interrupt(parent: writer.destination.interrupt)
  }

  mutating func run() throws(EngineError) {
    try makeStages()
    // By all of the asset's tracks, so that it doesn't change with what is left out.
    try writer.writeHeader(
      movieTimescale: MovieWriter.movieTimescale(
        for: export.plan.tracks.compactMap { track in
          MovieWriter.timescale(of: cuts.stream(of: track.info))
        }))
    for stage in stages { stage.begin(writer) }
    try write()
  }

  /// Lets the stages run, and writes what they make.
  private mutating func write() throws(EngineError) {
    let writing = StagedWriting(stages, to: writer)
    stages = []
    let (total, progress) = (range.duration, writer.destination.progress)
    try writing.run(interrupt: interrupt) { position in
      guard total > .zero, total.isNumeric else { return }
      progress((position ?? total).seconds / total.seconds)
    }
    isFull = writing.isFull
    if let end = writing.end, end > .zero { range.duration = min(range.duration, end) }
  }

  /// The samples that are missing in the file, for they couldn't be decoded.
  var dropped: [DroppedItem] {
    reports.compactMap { track, errors in
      errors.samples(of: track.trackID, track.mediaType).map(DroppedItem.init)
    }
  }

  private mutating func makeStages() throws(EngineError) {
    for track in export.tracks {
      if case .mixed(let encoding, let tracks) = track.treatment {
        stages.append(try mixStage(track, of: tracks, encoding))
        continue
      }
      let errors = DecodeErrors(track.info.timeline, range: range)
      reports.append((track.info, errors))
      let reading = TrackReading(
        range: track.range.time, interrupt: interrupt, requiresWhole: true, errors: errors)
      switch track.treatment {
      case .dropped, .mixed, .mixedInto: continue
      case .video(let encoding):
        stages.append(try VideoStage(track, reading, encoding: encoding, writer: writer))
      case .audio(let encoding):
        let audio = try export.audioMix.audio(
          of: [(track.info, errors)], reading,
          AudioSettings(encoding.layout, timePitch: export.timePitch))
        stages.append(
          try AudioStage(track, audio, encoding: encoding, writer: writer, interrupt: interrupt))
      case .text(let codec):
        stages.append(try TextStage(track, reading, codec: codec, writer: writer))
      case .copied where ![.video, .audio].contains(track.info.stream.kind):
        stages.append(try TextStage(track, reading, codec: nil, writer: writer))
      case .copied, .joined:
        let route = try CopyRoute(track, cuts, isPart: true, to: writer)
        stages.append(
          try CopyStage(try route.makeSource(interrupt: interrupt), path: writer.path))
      }
    }
  }
}

extension Transcoding {
  /// The stage of several tracks that become one.
  private mutating func mixStage(
    _ track: ResolvedExport.Track, of tracks: [TrackInfo], _ encoding: AudioEncoderConfiguration
  ) throws(EngineError) -> AudioStage {
    var inputs: [(info: TrackInfo, errors: DecodeErrors?)] = []
    for input in tracks {
      let errors = DecodeErrors(input.timeline, range: range)
      reports.append((input, errors))
      inputs.append((input, errors))
    }
    let audio = try export.audioMix.audio(
      of: inputs,
      TrackReading(range: track.range.time, interrupt: interrupt, requiresWhole: true),
      AudioSettings(encoding.layout, timePitch: export.timePitch))
    return try AudioStage(track, audio, encoding: encoding, writer: writer, interrupt: interrupt)
  }
}
