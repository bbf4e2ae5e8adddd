import LibAV
import MediaTime
import SystemIO

/// One export from start to end, on the session's queue.
///
/// The output has no name until everything has been written, flushed and checked; an error
/// before that leaves no file.
final class ExportWork {
  let session: ExportSession
  let asset: any PresentationSource
  let interrupt: Interrupt
  let meter: ProgressMeter
  let file: OutputFile
  private var product: ExportProduct
  private let phases: Phases
  /// The request of the session, or the same with lower bit rates.
  private var request: ExportRequest
  /// The bit rates at which the whole range fits into the file; nil if it fits, or if no others are possible.
  private var fittingRates: FittingRates?
  /// The rate to which audio was lowered; nil where it has its usual one.
  private var audioRate: Int64?
  /// The maximum estimated length of the file, in bytes; 0 for any length.
  private var allowed: Int64 = 0
  /// The loudness that was measured before anything was encoded; nil before that.
  private var loudness: [AppliedLoudness]?

  init(
    session: ExportSession, interrupt: Interrupt, meter: ProgressMeter
  ) throws(EngineError) {
    self.session = session
    asset = session.asset.media.content
    self.interrupt = interrupt
    self.meter = meter
    product = session.product
    request = session.request
    file = try ExportWork.openOutput(of: session, interrupt: interrupt)
    phases = Phases(
      isCopy: session.request.isPassthrough || product.isJoined,
      movesMedia: session.fileType.format.hasMovieHeader
        && session.configuration.shouldOptimizeForNetworkUse,
      movesFile: file.isOnOtherFileSystem)
    meter.begin(phases.writing)
  }

  /// The shares of the steps in the progress. Moving bytes costs about the same as copying samples, and next to
  /// nothing compared with encoding.
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

  private static func openOutput(
    of session: ExportSession, interrupt: Interrupt
  ) throws(EngineError) -> OutputFile {
    let asset = session.asset.media.content
    let original = try session.replacedFile(interrupt: interrupt)
    // The file itself is replaced, and not a symbolic link to it.
    let path =
      original == nil ? session.outputPath : FileIdentity.resolved(session.outputPath)
    do throws(SystemError) {
      return try OutputFile(
        path: path, replacing: original, roots: asset.configuration.roots,
        temporaryFolder: session.temporaryFolder, removesStale: true)
    } catch {
      // The folder may be the cause.
      var failure = EngineError(error.libAV, stage: .write, path: error.subject)
      failure.path = path
      if error.code == .exists, original == nil,
        asset.files.contains(where: { OutputFile.isSameFile(path, $0) })
      {
        failure.message = "Can't export to '\(path)': it is the file that the asset is made of"
        failure.advice = .replaceOnlyWhereAsked
      }
      throw failure
    }
  }

  func run() throws(EngineError) -> ExportSummary {
    do throws(EngineError) {
      return try runThrough()
    } catch {
      var failure = error
      // The usual advice is to copy the samples.
      if session.request.isPassthrough, error.code == .exportFailed, error.advice == nil {
        failure.advice = .chooseFileTypeOrPreset
      }
      throw failure
    }
  }

  private func runThrough() throws(EngineError) -> ExportSummary {
    guard case .resumable = product else { return try runOnce() }
    let resumable = try ResumableExport(session, to: file.path, interrupt: interrupt)
    let share = phases.writing.upperBound * ResumableExport.share
    meter.begin(0...share)
    try resumable.makeParts(progress: meter.advance)
    meter.begin(share...phases.writing.upperBound)
    product = .joined(resumable.plan, resumable.paths)
    let summary = try runOnce()
    resumable.removeFiles()
    return summary
  }

  private func runOnce() throws(EngineError) -> ExportSummary {
    let limit = session.configuration.fileLengthLimit
    allowed = limit
    var range: TimeRange?
    var (attempts, corrections) = (0, 0)
    var last: FittingRates?
    while true {
      let summary = try write(within: allowed)
      // Encoders keep to a rate by and by: each attempt leaves them more room.
      if attempts < ExportWork.maximumAttempts,
        let next = fittingRates?.scaled(by: [1, 0.8, 0.6][attempts]), next != last
      {
        (attempts, last) = (attempts + 1, next)
        request = request(with: next)
        try rewind()
        continue
      }
      guard limit > 0, file.size > limit else {
        try session.requireNoLoss(summary)
        try commit()
        return summary
      }
      // The length of a file is known before but for a little, which is subtracted from the next one's limit.
      corrections += 1
      guard
        session.request.isPassthrough
          ? summary.timeRange != range : corrections <= ExportWork.maximumAttempts
      else {
        throw .fileTooLong(path: file.path, limit: limit)
      }
      range = summary.timeRange
      allowed = max(1, allowed - (file.size - limit) - limit / 200)
      try rewind()
    }
  }

  /// Removes all that has been written.
  private func rewind() throws(EngineError) {
    try mapErrors(.write, path: file.path) { () throws(SystemError) in try file.truncate(to: 0) }
  }

  /// Writes all of the file.
  ///
  /// - Parameter limit: the maximum length of the file, in bytes.
  private func write(within limit: Int64) throws(EngineError) -> ExportSummary {
    // Parts have the frames that all of the index has.
    guard product.isInOnePiece else { return try write(try resolver(within: limit, by: .whole)) }
    return try IndexExtent.forExport { (extent, usesWindows) throws(EngineError) in
      if file.size > 0 { try rewind() }
      let resolver = try resolver(within: limit, by: extent)
      usesWindows = resolver.plan.usesWindows
      return try write(resolver)
    }
  }

  private func resolver(
    within limit: Int64, by extent: IndexExtent
  ) throws(EngineError) -> ExportResolver {
    try ExportResolver(
      of: asset, try asset.presentation(interrupt: interrupt), request, within: limit,
      by: extent, interrupt: interrupt)
  }

  private func write(_ resolver: ExportResolver) throws(EngineError) -> ExportSummary {
    let resolved = try resolver.resolveWithCuts()
    let export = resolved.export
    var cuts = resolved.cuts
    if case .part(let number, let plan) = product {
      try plan.requireSame(as: try session.partFacts(interrupt), path: session.asset.path)
      let work = PartWork(session: session, export: export, plan: plan, interrupt: interrupt)
      return try work.make(number, as: file, interrupt: interrupt, progress: meter.advance)
    }
    if let copy = export.tagCopy {
      try copy.write(to: file, interrupt: interrupt, progress: meter.advance)
      return ExportSummary(
        path: file.path, fileSize: file.size, timeRange: export.trim.range,
        dropped: export.dropped)
    }
    let loudness = try measureLoudness(of: export)
    try cutJoins(of: export, into: &cuts)
    let files = try partFiles()
    let writer = try mapErrors(.write, path: file.path) { () throws(LibAVError) in
      try MovieWriter(destination, metadata: export.metadata.file)
    }
    var range = export.trim.range
    var isCut =
      export.trim.mode != nil || export.plan.hasJoins
      || export.plan.encodesTracks
        && (session.request.isPassthrough || export.plan.copiesSamples)
    var dropped = export.dropped
    // A copy ends early for its length alone.
    var isFull = true
    if !export.plan.encodesTracks {
      var passthrough = Passthrough(export, cuts: cuts, to: writer)
      try passthrough.run()
      dropped += passthrough.dropped
    } else {
      var transcoding = Transcoding(
        export, cuts: cuts, to: writer,
        encoded: files?.substitution(path: file.path),
        gains: loudness.factors)
      try transcoding.run()
      range = transcoding.range
      isFull = transcoding.isFull
      isCut = isCut || isFull
      dropped += transcoding.dropped + (files?.dropped(of: export.plan.tracks.map(\.info)) ?? [])
    }
    if let missing = missing(of: export, after: range.end, isFull: isFull) {
      dropped.append(missing)
      fittingRates = try fittingRates(of: export)
    } else {
      fittingRates = nil
    }
    // Some of it shows while text is read.
    dropped += export.textLosses.filter { !dropped.contains($0) }
    let unread = unread(of: export, before: range.end)
    dropped += unread
    // Demuxers of audio take the end of the file for the end of its media.
    let missing = unread.isEmpty && export.trim.isWhole ? asset.missingBytes : 0
    if missing > 0 {
      dropped.append(
        .init(
          item: .damagedSamples,
          reason: "'\(session.asset.path)' is cut short: at least \(missing) bytes are missing at "
            + "its end"))
    }
    meter.begin(phases.finishing)
    try mapErrors(.finish, path: file.path) { () throws(LibAVError) in
      try writer.finish(endingAt: isCut ? range.duration : nil)
    }
    dropped += writer.joinedValues.map(DroppedItem.init(joined:))
    return ExportSummary(
      path: file.path, fileSize: file.size, timeRange: range, dropped: dropped,
      trimMode: export.trim.mode ?? (cuts.encodesEdges ? .smart : nil),
      trimNote: [export.trim.note, cuts.deviationNote].compactMap(\.self).joined(separator: "; ")
        .nonEmpty, loudness: loudness)
  }

  /// The first of two passes, where audio is to be brought to a loudness; done once, however often the file is
  /// written.
  private func measureLoudness(
    of export: ResolvedExport
  ) throws(EngineError) -> [AppliedLoudness] {
    if let loudness { return loudness }
    var measured: [AppliedLoudness] = []
    if LoudnessPass.isNeeded(by: export) {
      let hasVideo = export.tracks.contains { track in
        if case .video = track.treatment { true } else { false }
      }
      // Decoding audio is little work compared with encoding video, and some third of the work on audio alone.
      let share = phases.writing.upperBound * (hasVideo ? 0.05 : 0.35)
      meter.begin(0...share)
      measured = try LoudnessPass(
        export: export, interrupt: interrupt, progress: meter.advance
      ).run()
      meter.begin(share...phases.writing.upperBound)
    }
    loudness = measured
    return measured
  }

  /// Returns the part of the range after the maximum length of the file; nil if all of it fits.
  ///
  /// - Parameter isFull: false for a file that ended with its media, which may end before the range does.
  private func missing(
    of export: ResolvedExport, after end: Time, isFull: Bool
  ) -> DroppedItem? {
    let limit = session.configuration.fileLengthLimit
    let missing = (export.trim.unlimited ?? export.trim.range).end - end
    guard limit > 0, missing > (isFull ? .zero : ResolvedTrim.tolerance) else { return nil }
    return DroppedItem(
      item: .timeRange,
      reason: "the file may have \(limit) bytes, and ends \(missing.secondsDescription) early")
  }

  /// The maximum number of times that a file which has reached its length is encoded again, each at a lower rate.
  private static let maximumAttempts = 3

  /// Returns the bit rates at which the whole range fits into the file; nil if there are none, or if the caller or the
  /// codec determines them.
  private func fittingRates(of export: ResolvedExport) throws(EngineError) -> FittingRates? {
    guard case .file = product else { return nil }
    let length = ExportLength(
      range: export.trim.range, fileType: session.fileType, interrupt: interrupt)
    let others = try length.bytes(
      of: export.plan, metadata: export.metadata.file.byteCount, encodesVideo: false)
    return FittingRates(
      of: export.tracks.map(\.treatment), settings: session.configuration.settings,
      copiesAudio: session.request.settings.copies(.audio),
      bytes: Double(session.configuration.fileLengthLimit) * 0.95 - Double(others),
      duration: max(0.001, export.trim.range.duration.seconds))
  }

  private func request(with rates: FittingRates) -> ExportRequest {
    var configuration = session.configuration
    if let rate = rates.video {
      var settings = configuration.settings.videoSettings ?? VideoEncodingSettings()
      settings.rate = .bitRate(rate)
      configuration.settings.video = .encoded(settings)
    }
    audioRate = rates.audio ?? audioRate
    if let rate = audioRate {
      var settings = configuration.settings.audioSettings ?? AudioEncodingSettings()
      settings.bitRate = rate
      configuration.settings.audio = .encoded(settings)
    }
    return ExportRequest(
      preset: session.preset, fileType: session.fileType, configuration: configuration)
  }

  /// The files that are joined; nil where all is encoded now.
  private func partFiles() throws(EngineError) -> PartFiles? {
    guard case .joined(let plan, let paths) = product else { return nil }
    try plan.requireSame(as: try session.partFacts(interrupt), path: session.asset.path)
    return try PartFiles(
      paths, of: plan, path: file.path, roots: asset.configuration.roots, interrupt: interrupt)
  }

  private var destination: MovieDestination {
    MovieDestination(
      target: .file(file), fileType: session.fileType,
      isIndexFirst: session.configuration.shouldOptimizeForNetworkUse,
      maximumLength: allowed, interrupt: interrupt,
      progress: meter.advance)
  }

  /// The samples that are missing in the file, for they couldn't be read.
  private func unread(of export: ResolvedExport, before end: Time) -> [DroppedItem] {
    export.tracks.compactMap { track in
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
  /// Cuts the tracks of several parts that are copied.
  private func cutJoins(
    of export: ResolvedExport, into cuts: inout ExportCuts
  ) throws(EngineError) {
    let range = export.trim.range
    for track in export.tracks {
      guard case .joined(let plan) = track.treatment else { continue }
      let number = track.info.trackID
      if track.info.mediaType == .video {
        cuts.joins[number] = try TrackJoin(
          track.info, plan, range: range,
          encodesEdges: session.configuration.trimMode != .keyframe, interrupt: interrupt)
      } else if let part = plan.singlePart(of: track.info.timeline, in: range) {
        cuts.ranges[number] = part
      } else {
        cuts.audio[number] = try AudioJoin(
          track.info, plan, range: range, in: session.fileType, interrupt: interrupt)
      }
    }
  }
}

extension [AppliedLoudness] {
  /// The factors of the tracks' samples, by the numbers of the tracks.
  fileprivate var factors: [Int32: Double] {
    Dictionary(map { ($0.trackID, $0.factor) }) { first, _ in first }
  }
}

extension ExportCuts {
  /// True if frames are encoded where parts are cut.
  fileprivate var encodesEdges: Bool {
    joins.values.contains { $0.parts.contains(where: \.encodesEdges) }
  }

  /// The maximum time by which audio is early or late whose packets are copied.
  fileprivate var deviationNote: String? {
    guard let greatest = audio.values.map(\.deviation).max() else { return nil }
    let milliseconds = greatest.ticks(in: TimeBase(1, 1000), rounding: .awayFromZero)
    return "packets of audio are copied: at its joins it is up to \(milliseconds) ms early or late"
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension ExportSession {
  var request: ExportRequest {
    ExportRequest(preset: preset, fileType: fileType, configuration: configuration)
  }
}
