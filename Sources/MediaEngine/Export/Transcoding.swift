import LibAV
import MediaTime

/// An export that decodes and encodes the first video track and every audio track.
struct Transcoding: ~Copyable {
  private let work: ExportWork
  private let range: TimeRange
  private let encoding: ExportPreset.Encoding
  private var stages: [any ExportStage] = []

  init(work: ExportWork, range: TimeRange, encoding: ExportPreset.Encoding) {
    self.work = work
    self.range = range
    self.encoding = encoding
  }

  mutating func run(
    _ asset: Presentation, output: ExportOutput
  ) throws(EngineError) -> [ExportSession.Dropped] {
    let dropped = try makeStages(asset, output: output)
    try output.writeHeader(
      of: asset, range: range, streams: asset.tracks.map(\.stream), isCopy: false)
    for stage in stages { stage.begin(output) }
    while !output.isFull, let stage = nextStage() {
      try WorkGate.shared.run(.batch, interrupt: work.interrupt) { () throws(EngineError) in
        try stage.step(output)
      }
      if work.interrupt.isTriggered { throw .cancelled("The export") }
      meter()
    }
    for stage in stages { try stage.finish(output) }
    return dropped
  }

  private mutating func makeStages(
    _ asset: Presentation, output: ExportOutput
  ) throws(EngineError) -> [ExportSession.Dropped] {
    var dropped: [ExportSession.Dropped] = []
    let video = asset.tracks.preferred(.video)
    for track in asset.tracks {
      let clip = TrackClip(media: track.media, range: range, interrupt: work.interrupt)
      if track.trackID == video?.trackID {
        stages.append(try VideoStage(clip: clip, encoding: encoding, output: output))
      } else if track.mediaType == .audio, track.stream.parameters.hasDecoder {
        stages.append(try AudioStage(clip: clip, encoding: encoding, output: output))
      } else {
        dropped.append(
          .init(
            item: .track, trackID: track.trackID, mediaType: track.mediaType,
            reason: track.mediaType == .audio
              ? "this build has no decoder for \(track.stream.parameters.codecName)"
              : "the preset \(work.session.preset.name) makes one video track and audio tracks"))
      }
    }
    guard !stages.isEmpty else {
      throw EngineError(
        .noSourceTrack, "'\(asset.path)' has no video or audio that can be encoded",
        path: asset.path)
    }
    return dropped
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
