import LibAV
import MediaTime
import SystemIO

/// One export from start to end, on the session's queue.
///
/// The output has no name until everything has been written, flushed and checked; whatever throws
/// before that leaves nothing behind.
final class ExportWork {
  let session: ExportSession
  let asset: any PresentationSource
  let interrupt: Interrupt
  let meter: ProgressMeter
  let file: OutputFile
  private let phases: Phases

  init(
    session: ExportSession, interrupt: Interrupt, meter: ProgressMeter
  ) throws(EngineError) {
    self.session = session
    asset = session.asset.media.content
    self.interrupt = interrupt
    self.meter = meter
    file = try ExportWork.openOutput(of: session)
    phases = Phases(
      isCopy: session.preset.isPassthrough,
      movesMedia: session.fileType.format.hasMovieHeader
        && session.configuration.shouldOptimizeForNetworkUse,
      movesFile: file.isOnOtherFileSystem)
    meter.begin(phases.writing)
  }

  /// What parts of the progress the steps have. Moving bytes costs about what copying samples does, and
  /// next to nothing beside encoding.
  private struct Phases {
    let writing: ClosedRange<Double>
    let finishing: ClosedRange<Double>
    let committing: ClosedRange<Double>

    init(isCopy: Bool, movesMedia: Bool, movesFile: Bool) {
      let cost = isCopy ? 0.3 : 0.02
      let named = movesFile ? 1 - cost : 1
      let finished = movesMedia ? named - cost : named
      writing = 0...finished
      finishing = finished...named
      committing = named...1
    }
  }

  private static func openOutput(of session: ExportSession) throws(EngineError) -> OutputFile {
    let path = session.outputPath
    let asset = session.asset.media.content
    do throws(SystemError) {
      return try OutputFile(
        path: path, roots: asset.configuration.roots,
        temporaryFolder: session.temporaryFolder, removesStale: true)
    } catch {
      // The folder may be what is wrong.
      var failure = EngineError(error.libAV, stage: .write, path: error.subject)
      failure.path = path
      if error.code == .exists, asset.files.contains(where: { OutputFile.isSameFile(path, $0) }) {
        failure.message = "Can't export to '\(path)': it is the file that the asset is made of"
        failure.hint = "Choose another path: an asset is never written over."
      }
      throw failure
    }
  }

  func run() throws(EngineError) -> ExportSession.Summary {
    let limit = session.configuration.fileLengthLimit
    var allowed = limit
    var range: TimeRange?
    while true {
      let summary = try write(within: allowed)
      guard limit > 0, file.size > limit else {
        try commit()
        return summary
      }
      // What copies take is known before but for a little, which is taken off the next one.
      guard session.preset.isPassthrough, summary.timeRange != range else {
        throw .fileTooLong(path: file.path, limit: limit)
      }
      range = summary.timeRange
      allowed = max(1, allowed - (file.size - limit) - limit / 200)
      try mapErrors(.write, path: file.path) { () throws(SystemError) in try file.truncate(to: 0) }
    }
  }

  /// Writes all of the file.
  ///
  /// - Parameter limit: how long it is to become, in bytes.
  private func write(within limit: Int64) throws(EngineError) -> ExportSession.Summary {
    let presentation = try asset.presentation(interrupt: interrupt)
    var (plan, trim) = try session.plan(presentation, within: limit, interrupt: interrupt)
    var cuts: [Int: SmartCut] = [:]
    if trim.mode == .smart {
      switch try smartCuts(plan, range: trim.range) {
      case .success(let made): cuts = made
      case .failure(let refusal):
        (plan, trim) = try session.plan(
          presentation, within: limit, refusal: refusal.reason, interrupt: interrupt)
      }
    }
    var range = trim.range
    var isCut = trim.mode != nil
    var dropped = plan.dropped
    let muxer = try mapErrors(.write, path: file.path) { () throws(LibAVError) in
      try Muxer(file: file, format: session.fileType.format.writer ?? "", interrupt: interrupt)
    }
    let output = ExportOutput(muxer: muxer, plan: plan, session: session)
    if session.preset.isPassthrough {
      var passthrough = Passthrough(work: self, trim: trim, cuts: cuts)
      try passthrough.run(presentation, plan, output: output)
      dropped += passthrough.dropped(output)
    } else {
      var transcoding = Transcoding(work: self, range: trim.range)
      try transcoding.run(presentation, plan, output: output)
      range = transcoding.range
      isCut = transcoding.isFull
      dropped += transcoding.dropped
    }
    dropped += unread(of: plan, before: range.end)
    meter.begin(phases.finishing)
    try mapErrors(.finish, path: file.path) { () throws(LibAVError) in
      try output.finish(
        file, endingAt: isCut ? range.duration : nil, interrupt: interrupt,
        progress: meter.advance)
      try asLibAVError(interrupt.check("finish"))
    }
    return ExportSession.Summary(
      path: file.path, fileSize: file.size, timeRange: range, dropped: dropped,
      trimMode: trim.mode, trimNote: trim.note)
  }

  /// The samples that are missing in the file, for they couldn't be read.
  private func unread(of plan: ExportPlan, before end: Time) -> [ExportSession.Dropped] {
    plan.tracks.filter(\.isIncluded).compactMap { track in
      track.info.timeline.damage(before: end).map { damage in
        .init(
          item: .damagedSamples, trackID: track.info.trackID, mediaType: track.info.mediaType,
          reason: damage.message)
      }
    }
  }

  private func commit() throws(EngineError) {
    meter.begin(phases.committing)
    try mapErrors(.finish, path: file.path) { () throws(SystemError) in
      try file.commit(interrupt: interrupt, progress: meter.advance) {
        () throws(SystemError) in
        try session.willCommit()
      }
    }
  }
}

extension ExportWork {
  private struct Refusal: Error {
    var reason: String
  }

  /// The video tracks with their edges encoded anew, by stream; or why that can't be done.
  private func smartCuts(
    _ plan: ExportPlan, range: TimeRange
  ) throws(EngineError) -> Result<[Int: SmartCut], Refusal> {
    var cuts: [Int: SmartCut] = [:]
    for track in plan.tracks where track.info.mediaType == .video {
      guard case .copied = track.treatment else { continue }
      let media = try track.info.requireStored()
      switch try SmartCutter(media, range: range, interrupt: interrupt).make() {
      case .cut(let cut): cuts[media.stream.index] = cut
      case .refused(let reason):
        return .failure(
          Refusal(reason: "Track \(track.info.trackID) can't be cut smartly: \(reason)"))
      }
    }
    return cuts.isEmpty
      ? .failure(Refusal(reason: "There is no video to encode the edges of")) : .success(cuts)
  }
}
