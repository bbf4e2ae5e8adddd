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
    let plan = try ExportPlan(
      of: presentation, preset: session.preset, fileType: session.fileType)
    var range = try session.exportRange(presentation, plan, interrupt: interrupt)
    let muxer = try naming(.write, path: file.path) { () throws(LibAVError) in
      try Muxer(file: file, format: session.fileType.muxer ?? "mp4", interrupt: interrupt)
    }
    let output = ExportOutput(muxer: muxer, session: session)
    if session.preset.isPassthrough {
      var passthrough = Passthrough(work: self, range: range)
      try passthrough.run(presentation, plan, output: output)
    } else {
      var transcoding = Transcoding(work: self, range: range)
      try transcoding.run(presentation, plan, output: output)
      range = transcoding.range
    }
    try naming(.finish, path: file.path) { () throws(LibAVError) in
      try output.muxer.finish()
      try interrupt.check("finish")
    }
    let size = file.size
    try commit()
    return ExportSession.Summary(
      path: file.path, fileSize: size, timeRange: range, dropped: plan.dropped)
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

/// The muxer of an export and what goes into every file alike.
final class ExportOutput: PacketTarget {
  var muxer: Muxer
  private let session: ExportSession

  init(muxer: consuming Muxer, session: ExportSession) {
    self.muxer = muxer
    self.session = session
  }

  func put(_ packet: inout Packet) throws(LibAVError) { try muxer.write(&packet) }

  var hasEditLists: Bool { session.fileType.rules.hasEditLists }

  /// Writes tags, chapters and the header, once all streams are there.
  ///
  /// - Parameter isCopy: true keeps the clock of the copied video track, which would be rounded else.
  func writeHeader(
    of asset: Presentation, range: TimeRange, streams: [StreamInfo], isCopy: Bool
  ) throws(EngineError) {
    muxer.setMetadata(tags(asset))
    var options: [String: String] = [:]
    if session.fileType.isMovie {
      options["movie_timescale"] = String(ExportOutput.movieTimescale(for: streams))
      if isCopy, let video = streams.first(where: { $0.kind == .video }) {
        options["video_track_timescale"] = String(video.timeBase.denominator)
      }
      if session.configuration.shouldOptimizeForNetworkUse { options["movflags"] = "+faststart" }
    }
    do throws(LibAVError) {
      try muxer.setChapters(chapters(asset, range))
      try muxer.writeHeader(options: options)
    } catch {
      var failure = EngineError(error, stage: .write, path: session.outputPath)
      // The muxer says EINVAL of a stream that it can't hold after all.
      if error.code == .invalidArgument || error.code == .invalidData {
        failure.code = .formatUnsupported
        failure.hint =
          "Choose another file type (mkv holds nearly everything), or a preset that encodes."
      }
      throw failure
    }
  }

  /// The movie's clock, on which edit lists are written: one that all tracks' clocks divide, so that no
  /// edit is rounded. Beyond the field's range, the finest of theirs.
  static func movieTimescale(for streams: [StreamInfo]) -> Int32 {
    let clocks = streams.filter { $0.kind == .video || $0.kind == .audio }
      .map { max(1, $0.timeBase.denominator) }
    var common: Int64 = 1000
    for clock in clocks {
      let next = common / greatestCommonDivisor(common, Int64(clock)) * Int64(clock)
      guard next <= 100_000_000 else { return clocks.max() ?? 1000 }
      common = next
    }
    return Int32(clamping: common)
  }

  private func tags(_ asset: Presentation) -> [Tag] {
    guard let metadata = session.configuration.metadata else {
      // The brands describe the source's container, not the new one.
      let structural: Set = ["major_brand", "minor_version", "compatible_brands", "encoder"]
      return asset.tags.filter { !structural.contains($0.key.lowercased()) }
    }
    return MetadataItem.libavTags(of: metadata)
  }

  private func chapters(
    _ asset: Presentation, _ range: TimeRange
  ) -> [(id: Int64, start: Int64, end: Int64, metadata: [Tag])] {
    asset.chapters.compactMap { chapter in
      let kept = chapter.timeRange.intersection(range)
      guard kept.isValid, !kept.isEmpty else { return nil }
      let microseconds = TimeBase(1, 1_000_000)
      return (
        chapter.id,
        (kept.start - range.start).ticks(in: microseconds, rounding: .halfAwayFromZero),
        (kept.end - range.start).ticks(in: microseconds, rounding: .halfAwayFromZero),
        chapter.tags
      )
    }
  }

  /// True when the file will have reached the length that was allowed once its tracks have come as far
  /// as `position`.
  func isFull(at position: Time) -> Bool {
    let limit = session.configuration.fileLengthLimit
    guard limit > 0, position.isNumeric else { return false }
    return session.fileType.length(of: muxer.written, at: position.seconds) >= limit
  }
}

private func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(1, a)
}
