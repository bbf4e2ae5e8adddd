import LibAV
import MediaTime
import SystemIO

/// An export that decodes and encodes tracks, and may copy others.
///
/// Each stage runs on a thread of its own, and transfers its packets to the session's queue, which
/// writes them.
struct Transcoding: ~Copyable {
  /// The stages of packets that were encoded earlier, in place of those that would encode tracks.
  struct Substitution {
    /// The threads of the encoders that have made the packets, which are in some of their headers.
    let threadCount: Int
    let makeStage: (EncodedOutput, TrackInfo, Interrupt) throws(EngineError) -> any ExportStage
  }

  private let export: ResolvedExport
  private let cuts: ExportCuts
  private let writer: MovieWriter
  /// The range that the file shows: the part of the wanted one that exists, and fits into the file.
  private(set) var range: TimeRange
  /// The file has reached the length that was allowed.
  private(set) var isFull = false
  private var stages: [any ExportStage] = []
  private var makers: TrackStages
  /// The stages of tracks that were encoded earlier; nil where all is encoded now.
  private let substitution: Substitution?
  /// Triggered when the export ends, with or without an error: nothing waits for the stages then.
  private let interrupt: Interrupt

  /// - Parameter gains: the factors of the samples of audio tracks, by the numbers of the tracks.
  init(
    _ export: ResolvedExport, cuts: ExportCuts = ExportCuts(), to writer: MovieWriter,
    encoded substitution: Substitution? = nil, gains: [Int32: Double] = [:]
  ) {
    self.export = export
    self.cuts = cuts
    self.substitution = substitution
    self.writer = writer
    range = export.trim.range
    interrupt = Interrupt(parent: writer.destination.interrupt)
    makers = TrackStages(
      export, cuts: cuts, to: writer, threadCount: substitution?.threadCount ?? 0,
      gains: gains, interrupt: interrupt)
  }

  mutating func run() throws(EngineError) {
    try makeStages()
    // By all of the asset's tracks, so that it doesn't depend on the tracks that are left out.
    try writer.writeHeader(
      movieTimescale: MovieWriter.movieTimescale(
        for: export.plan.tracks.compactMap { cuts.timescale(of: $0.info) }))
    for stage in stages { stage.begin(writer) }
    try write()
  }

  /// Lets the stages run, and writes their packets.
  private mutating func write() throws(EngineError) {
    let writing = StagedWriting(stages, to: writer)
    stages = []
    let (total, progress) = (range.duration, writer.destination.progress)
    try writing.run(interrupt: interrupt) { position in
      guard total > .zero, total.isNumeric else { return }
      progress(min(1, (position ?? total).seconds / total.seconds))
    }
    isFull = writing.isFull
    if let end = writing.end, end > .zero { range.duration = min(range.duration, end) }
  }

  /// The samples that are missing in the file, for they couldn't be decoded now; those of video and audio that were
  /// encoded earlier were reported then.
  var dropped: [DroppedItem] {
    let isEncodedNow = substitution == nil
    return makers.damages
      .filter { isEncodedNow || ![.video, .audio].contains($0.mediaType) }
      .map(DroppedItem.init) + makers.droppedTexts
  }

  /// The stages of all tracks; for those that were encoded earlier, the substitution's.
  private mutating func makeStages() throws(EngineError) {
    for track in export.tracks {
      guard let stage = try makers.make(track) else { continue }
      guard let substitution, let output = try stage.output else {
        stages.append(stage)
        continue
      }
      stages.append(try substitution.makeStage(output, track.info, interrupt))
    }
  }
}
