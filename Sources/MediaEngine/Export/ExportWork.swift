import LibAV
import MediaTime

/// One export from start to end, on the session's queue.
///
/// The output has no name until everything has been written, flushed and checked; whatever throws
/// before that leaves nothing behind.
final class ExportWork {
  let session: ExportSession
  let asset: AssetMedia
  let interrupt: Interrupt
  let meter: ProgressMeter
  let file: OutputFile

  init(
    session: ExportSession, interrupt: Interrupt, meter: ProgressMeter
  ) throws(EngineError) {
    self.session = session
    asset = session.asset.media
    self.interrupt = interrupt
    self.meter = meter
    file = try ExportWork.openOutput(of: session)
    // Copying to another file system has its part of the work.
    meter.share = file.isElsewhere ? 0.9 : 1
  }

  private static func openOutput(of session: ExportSession) throws(EngineError) -> OutputFile {
    let path = session.outputPath
    let asset = session.asset.media
    do throws(LibAVError) {
      return try OutputFile(
        path: path, roots: asset.configuration.roots,
        temporaryFolder: session.temporaryFolder, sweeps: true)
    } catch {
      var failure = EngineError(error, stage: .write, path: path)
      if error.code == .exists, asset.sources.contains(where: { OutputFile.isSameFile(path, $0) }) {
        failure.message = "Can't export to '\(path)': it is the file that the asset is made of"
        failure.hint = "Choose another path: an asset is never written over."
      }
      throw failure
    }
  }

  func run() throws(EngineError) -> ExportSession.Summary {
    let presentation = try asset.presentation(interrupt)
    let (plan, trim) = try session.plan(presentation, interrupt: interrupt)
    var range = trim.range
    let muxer = try naming(.write, path: file.path) { () throws(LibAVError) in
      try Muxer(file: file, format: session.fileType.writer ?? "mp4", interrupt: interrupt)
    }
    let output = ExportOutput(muxer: muxer, plan: plan, session: session)
    if session.preset.isPassthrough {
      var passthrough = Passthrough(work: self, trim: trim)
      try passthrough.run(presentation, plan, output: output)
    } else {
      var transcoding = Transcoding(work: self, range: trim.range)
      try transcoding.run(presentation, plan, output: output)
      range = transcoding.range
    }
    try naming(.finish, path: file.path) { () throws(LibAVError) in
      try output.finish(
        file, endingAt: trim.mode == nil ? nil : range.duration, interrupt: interrupt)
      try interrupt.check("finish")
    }
    let size = file.size
    try commit()
    return ExportSession.Summary(
      path: file.path, fileSize: size, timeRange: range, dropped: plan.dropped,
      trimMode: trim.mode, trimNote: trim.note)
  }

  private func commit() throws(EngineError) {
    meter.share = 1
    try naming(.finish, path: file.path) { () throws(LibAVError) in
      try file.commit(interrupt: interrupt) { part in
        meter.advance(to: 0.9 + part / 10)
      } willName: { () throws(LibAVError) in
        try session.willName()
      }
    }
  }
}
