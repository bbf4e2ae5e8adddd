import LibAV
import MediaTime

/// An export that decodes and encodes the first video track and every audio track.
struct Transcoding: ~Copyable {
  private let work: ExportWork
  private let range: TimeRange
  private var stages: [any ExportStage] = []

  init(work: ExportWork, range: TimeRange) {
    self.work = work
    self.range = range
  }

  mutating func run(
    _ asset: Presentation, _ plan: ExportPlan, output: ExportOutput
  ) throws(EngineError) {
    try makeStages(plan, output: output)
    var pictures = try ArtworkCopy(plan.pictures, work: work, output: output)
    try output.writeHeader(
      of: asset, range: range, streams: asset.tracks.map(\.stream), isCopy: false)
    for stage in stages { stage.begin(output) }
    try pictures.write(output)
    while !output.isFull, let stage = nextStage() {
      try WorkGate.shared.run(.batch, interrupt: work.interrupt) { () throws(EngineError) in
        try stage.step(output)
      }
      if work.interrupt.isTriggered { throw .cancelled("The export") }
      meter()
    }
    for stage in stages { try stage.finish(output) }
  }

  private mutating func makeStages(
    _ plan: ExportPlan, output: ExportOutput
  ) throws(EngineError) {
    for track in plan.tracks {
      let clip = TrackClip(media: track.info.media, range: range, interrupt: work.interrupt)
      switch track.treatment {
      case .dropped: continue
      case .video(let recipe):
        stages.append(
          try VideoStage(
            clip: clip, recipe: recipe, source: VideoSource(track.info), output: output))
      case .audio(let encoding):
        stages.append(try AudioStage(clip: clip, encoding: encoding, output: output))
      case .text(let codec):
        stages.append(try TextStage(clip: clip, codec: codec, output: output))
      case .copied:
        stages.append(try TextStage(clip: clip, codec: nil, output: output))
      }
    }
  }

  /// The stage that is furthest behind, so that the streams interleave.
  private func nextStage() -> (any ExportStage)? {
    stages.filter { !$0.isAtEnd }.min { $0.position < $1.position }
  }

  private func meter() {
    let done = stages.map { $0.isAtEnd ? range.duration : $0.position }.min() ?? .zero
    guard range.duration > .zero, done.isNumeric else { return }
    work.meter.advance(to: done.seconds / range.duration.seconds)
  }
}

/// One track on its way through decoder, converter and encoder. Used on the session's queue only.
protocol ExportStage: AnyObject {
  /// How far it has come, from the start of the export.
  var position: Time { get }
  var isAtEnd: Bool { get }
  /// Called once the header is written.
  func begin(_ output: ExportOutput)
  /// Brings one frame forward.
  func step(_ output: ExportOutput) throws(EngineError)
  /// Empties the encoder.
  func finish(_ output: ExportOutput) throws(EngineError)
}
