import LibAV
import MediaTime
import SystemIO

/// Makes the files of parts.
struct PartWork {
  let session: ExportSession
  let export: ResolvedExport
  let plan: ExportPartPlan
  let interrupt: Interrupt

  /// Makes one part, as a file that is still without its name.
  ///
  /// - Parameter progress: called with the part of it that is done, 0 to 1.
  func make(
    _ number: Int, as file: OutputFile, interrupt: Interrupt, progress: (Double) -> Void
  ) throws(EngineError) -> ExportSummary {
    let part = plan.parts[number]
    let interrupt = Interrupt(parent: interrupt)
    // The output of encoders depends on the requirements of the file's type for its header.
    let writer = try mapErrors(.write, path: file.path) { () throws(LibAVError) in
      try MovieWriter(
        MovieDestination(
          target: .nothing(UnwrittenOutput(path: file.path)), fileType: session.fileType,
          interrupt: interrupt))
    }
    var makers = TrackStages(
      export, to: writer, threadCount: plan.threadCount, interrupt: interrupt)
    let within =
      part.mediaType == .video
      ? EncodedPart(range: part.timeRange, isFollowed: number != plan.videoParts.last) : nil
    var stages: [any ExportStage] = []
    var tracks: [PartFile.Track] = []
    for track in export.tracks where track.info.mediaType == part.mediaType && track.isEncoded {
      guard let stage = try makers.make(track, within), let output = try stage.output else {
        continue
      }
      tracks.append(
        PartFile.Track(
          trackID: track.info.trackID, timeBase: output.timeBase,
          configuration: output.configuration))
      stages.append(stage)
    }
    let target = try PartFileWriter(
      file, PartFile.Head(plan: plan.digest, part: number, tracks: tracks))
    let writing = StagedWriting(stages, to: writer, sink: target)
    stages = []
    let start = part.timeRange.start - export.trim.range.start
    let duration = part.timeRange.duration
    try writing.run(interrupt: interrupt) { position in
      guard let position, duration > .zero, duration.isNumeric else { return }
      progress((position - start).seconds / duration.seconds)
    }
    try target.end(makers.damages.map { .init(trackID: $0.trackID, reason: $0.reason) })
    return ExportSummary(
      path: file.path, fileSize: file.size, timeRange: part.timeRange,
      dropped: makers.damages.map(DroppedItem.init))
  }
}

/// An export that continues after its process has died: its parts are files in the same folder, which stay until its
/// own file is complete.
struct ResumableExport {
  let plan: ExportPartPlan
  private let work: PartWork
  private let folder: String
  private let name: String
  private let roots: [String]

  /// The share of the parts in the progress; the rest is joining them.
  static let share = 0.97

  init(
    _ session: ExportSession, to path: String, interrupt: Interrupt
  ) throws(EngineError) {
    let export = try session.resolved(interrupt)
    plan = try session.plan(.init(), export, interrupt)
    work = PartWork(session: session, export: export, plan: plan, interrupt: interrupt)
    roots = session.asset.media.content.configuration.roots
    let slash = path.lastIndex(of: "/")
    let beside = slash.map { String(path[...$0]) } ?? "./"
    folder = session.temporaryFolder.map { "\($0)/" } ?? beside
    name = String(path[(slash.map(path.index(after:)) ?? path.startIndex)...])
  }

  /// The files of the parts, hidden ones: `.film.mp4.0123456789abcdef.0003.part`.
  var paths: [String] {
    plan.parts.indices.map { number in
      let digits = String(number)
      let padding = String(repeating: "0", count: max(0, 4 - digits.count))
      return "\(folder).\(name).\(plan.digest.prefix(16)).\(padding)\(digits).part"
    }
  }

  /// Makes the parts that aren't there yet, the audio at the same time as the video.
  ///
  /// - Parameter progress: called with the part of the video that is done, or of all where there is none: 0 to 1.
  func makeParts(progress: (Double) -> Void) throws(EngineError) {
    removeFiles { !$0.hasPrefix(".\(name).\(plan.digest.prefix(16)).") }
    let ended = Interrupt(parent: work.interrupt)
    defer { ended.trigger() }
    let audio = try startAudio(until: ended)
    let numbers = plan.videoParts
    let total = numbers.reduce(Time.zero) { $0 + plan.parts[$1].timeRange.duration }.seconds
    var done = 0.0
    for number in numbers {
      let (before, length) = (done, plan.parts[number].timeRange.duration.seconds)
      if try !isComplete(number) {
        try make(number, interrupt: ended) { progress((before + $0 * length) / total) }
      }
      done += length
      progress(done / total)
    }
    if let failure = audio?.waitBlocking() { throw failure }
    progress(1)
  }

  /// Begins to make the part with the audio, on a thread of its own, where it isn't there yet.
  ///
  /// - Returns: the signal of its end: its error, or nil where it succeeded; nil where nothing is to be made.
  private func startAudio(until ended: Interrupt) throws(EngineError) -> Signal<EngineError?>? {
    guard let number = plan.audioPart, try !isComplete(number) else { return nil }
    let signal = Signal<EngineError?>()
    let export = Handoff(self)
    try mapErrors(.encode) { () throws(SystemError) in
      try BlockingThread.start {
        do throws(EngineError) {
          try export.value.make(number, interrupt: ended) { _ in }
          signal.fire(nil)
        } catch {
          signal.fire(error)
        }
      }
    }
    return signal
  }

  private func make(
    _ number: Int, interrupt: Interrupt, progress: (Double) -> Void
  ) throws(EngineError) {
    let path = paths[number]
    let file = try mapErrors(.write, path: path) { () throws(SystemError) in
      try OutputFile(path: path, roots: roots, removesStale: true)
    }
    defer { file.discard() }
    _ = try work.make(number, as: file, interrupt: interrupt, progress: progress)
    try mapErrors(.finish, path: path) { () throws(SystemError) in
      try file.commit(interrupt: interrupt)
    }
  }

  /// Returns true if a part is there, and undamaged; removes any other file in its place.
  ///
  /// - Throws: `operationCancelled` once interrupted.
  private func isComplete(_ number: Int) throws(EngineError) -> Bool {
    let path = paths[number]
    do throws(EngineError) {
      let file = try PartFileReader(path, part: number, roots: roots, interrupt: work.interrupt)
      if file.head.plan == plan.digest, file.head.part == number {
        try file.verify()
        return true
      }
    } catch {
      if error.code == .operationCancelled { throw error }
    }
    removeFiles { path.hasSuffix($0) }
    return false
  }

  /// Removes the parts, those of earlier plans too.
  func removeFiles(where isWanted: (String) -> Bool = { _ in true }) {
    guard let reader = try? FolderReader(path: Array(folder.utf8), below: roots),
      let entries = try? reader.entries(interrupt: Interrupt())
    else { return }
    for entry in entries where entry.kind == .file {
      let text = String(decoding: entry.name, as: UTF8.self)
      guard text.hasPrefix(".\(name)."), text.hasSuffix(".part"), isPart(text), isWanted(text)
      else { continue }
      reader.remove(entry.name)
    }
  }

  /// True if a name is one of ``paths``, of any plan.
  private func isPart(_ text: String) -> Bool {
    let fields = text.dropFirst(name.count + 2).split(
      separator: ".", omittingEmptySubsequences: false)
    return fields.count == 3 && fields[0].utf8.count == 16 && fields[0].allSatisfy(\.isHexDigit)
      && Int(fields[1]) != nil
  }
}

extension ResolvedExport.Track {
  fileprivate var isEncoded: Bool {
    switch treatment {
    case .video, .audio, .mixed: true
    case .copied, .joined, .mixedInto, .text, .dropped: false
    }
  }
}
