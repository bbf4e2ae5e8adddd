import LibAV
import MediaTime
import SystemIO

/// A track whose packets were encoded earlier, in parts. It replaces the stage that would encode
/// it.
final class PartStage: ExportStage {
  private let output: EncodedOutput
  private let trackID: Int32
  private let path: String
  private let roots: [String]
  private let interrupt: Interrupt
  /// The remaining files, with the numbers of the parts.
  private var files: ArraySlice<(part: Int, path: String)>
  private var reader: (file: PartFileReader, track: Int)?
  private var packet: Packet
  private var targetTimeBase: TimeBase
  private var lastDTS: Int64?
  /// The end of the packet that is presented last in the previous parts.
  private var lastPTS: Int64?
  private var highestPTS: Int64?
  private(set) var isAtEnd = false
  private(set) var position = Time.zero

  /// The number of packets that are read in one slot of the ``WorkLimiter``.
  private static let packetsPerStep = 16

  /// - Parameters:
  ///   - output: the output of the track's encoder.
  ///   - files: the files of the parts with the track, in their order.
  ///   - path: the path of the file to write.
  init(
    _ output: EncodedOutput, ofTrack trackID: Int32, from files: [(part: Int, path: String)],
    path: String, roots: [String], interrupt: Interrupt
  ) throws(EngineError) {
    (self.output, self.trackID, self.path) = (output, trackID, path)
    (self.roots, self.interrupt, self.files) = (roots, interrupt, files[...])
    packet = try mapErrors(.read, path: path, Packet.init)
    targetTimeBase = output.timeBase
  }

  func begin(_ writer: MovieWriter) { targetTimeBase = writer.timeBase(of: output.stream) }

  func step(into target: any PacketSink) throws(EngineError) {
    for _ in 0..<PartStage.packetsPerStep {
      guard try takeNext() else {
        isAtEnd = true
        return
      }
      try requireOrder()
      let shown = packet.pts ?? packet.dts ?? 0
      position = max(position, Time(ticks: shown &+ packet.duration, in: output.timeBase))
      packet.streamIndex = output.stream
      packet.rescale(from: output.timeBase, to: targetTimeBase)
      try mapErrors(.write, path: path) { () throws(LibAVError) in try target.put(&packet) }
    }
  }

  /// Reads the next packet of all parts; false at the end.
  private func takeNext() throws(EngineError) -> Bool {
    while true {
      if let (file, track) = reader {
        if try file.next(ofTrack: track, into: &packet) { return true }
        reader = nil
        lastPTS = highestPTS
      }
      guard let (part, path) = files.popFirst() else { return false }
      reader = try open(path, part: part)
    }
  }

  private func open(
    _ path: String, part: Int
  ) throws(EngineError) -> (file: PartFileReader, track: Int) {
    let file = try PartFileReader(path, part: part, roots: roots, interrupt: interrupt)
    guard let track = file.head.tracks.firstIndex(where: { $0.trackID == trackID }),
      file.head.tracks[track].timeBase == output.timeBase
    else { throw file.isOfOtherFormat }
    guard file.head.tracks[track].configuration == output.configuration else {
      throw file.isOfOtherFormat
    }
    return (file, track)
  }

  /// Checks that a part's packets are presented after those of the previous parts. If the frames'
  /// times are irregular, a restarted encoder may require its first frames to be decoded before the
  /// last ones of the previous part.
  private func requireOrder() throws(EngineError) {
    if let pts = packet.pts {
      if let lastPTS, pts <= lastPTS, let reader {
        throw EngineError(
          .fileFailedToParse,
          "'\(reader.file.path)' isn't part \(reader.file.number): it repeats times of the previous part",
          advice: .exportPartAgain(reader.file.number), path: reader.file.path,
          stage: .read)
      }
      highestPTS = max(highestPTS ?? pts, pts)
    }
    if let dts = packet.dts, let lastDTS, dts <= lastDTS { packet.dts = lastDTS + 1 }
    lastDTS = packet.dts ?? lastDTS
  }
}

extension PartFileReader {
  fileprivate var isOfOtherFormat: EngineError {
    EngineError(
      .fileFailedToParse,
      "'\(path)' has been encoded otherwise than it would be here: its parameter sets are others",
      advice: .exportPartByBuildThatJoins(number), path: path, stage: .read)
  }
}

/// The files of a plan's parts, each of which has been checked to be the part that its position
/// requires.
struct PartFiles {
  private let plan: ExportPartPlan
  private let roots: [String]
  private let readers: [PartFileReader]

  /// - Throws: `operationNotAllowed` if there are more or fewer files than parts,
  ///   `fileFailedToParse` for one that is another part, of another plan, or incomplete.
  init(
    _ paths: [String], of plan: ExportPartPlan, path: String, roots: [String], interrupt: Interrupt
  ) throws(EngineError) {
    guard paths.count == plan.parts.count else {
      throw EngineError(
        .operationNotAllowed,
        "The plan has \(plan.parts.count) parts, and there are \(paths.count) files of them",
        advice: .nameFileOfEachPart, path: path)
    }
    (self.plan, self.roots) = (plan, roots)
    var readers: [PartFileReader] = []
    for (number, path) in paths.enumerated() {
      let reader = try PartFileReader(path, part: number, roots: roots, interrupt: interrupt)
      guard reader.head.plan == plan.digest else {
        throw EngineError(
          .fileFailedToParse, "'\(path)' is of another plan than part \(number) is to be",
          advice: .exportPartByPlan(number), path: path, stage: .read)
      }
      guard reader.head.part == number else {
        throw EngineError(
          .fileFailedToParse,
          "'\(path)' is part \(reader.head.part), and was passed as part \(number)",
          advice: .nameFilesInOrder, path: path, stage: .read)
      }
      readers.append(reader)
    }
    self.readers = readers
  }

  /// Returns the replacement of encoding stages, for the file at `path`.
  func substitution(path: String) -> Transcoding.Substitution {
    func stage(
      _ output: EncodedOutput, _ track: TrackInfo, _ interrupt: Interrupt
    ) throws(EngineError) -> any ExportStage {
      try self.stage(of: track, output, path: path, interrupt: interrupt)
    }
    return Transcoding.Substitution(threadCount: plan.threadCount, makeStage: stage)
  }

  private func stage(
    of track: TrackInfo, _ output: EncodedOutput, path: String, interrupt: Interrupt
  ) throws(EngineError) -> PartStage {
    let files = readers.filter { plan.parts[$0.number].mediaType == track.mediaType }
    return try PartStage(
      output, ofTrack: track.trackID, from: files.map { ($0.number, $0.path) }, path: path,
      roots: roots, interrupt: interrupt)
  }

  /// Returns the content that the parts report as missing.
  func dropped(of tracks: [TrackInfo]) -> [DroppedItem] {
    tracks.compactMap { track in
      let reasons = readers.flatMap(\.damages).filter { $0.trackID == track.trackID }.map(\.reason)
      guard !reasons.isEmpty else { return nil }
      return DroppedItem(
        item: .damagedSamples, trackID: track.trackID, mediaType: track.mediaType,
        reason: reasons.joined(separator: "; "))
    }
  }
}
