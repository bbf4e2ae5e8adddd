import LibAV
import MediaTime
import SystemIO

/// The muxer of an export and what goes into every file alike.
final class ExportOutput: PacketSink {
  var muxer: Muxer
  let metadata: ExportMetadata?
  private let session: ExportSession
  /// How many samples were left out that the muxer can't write, by the file's streams.
  private(set) var unwritable: [Int: Int] = [:]

  init(muxer: consuming Muxer, plan: ExportPlan, session: ExportSession) {
    self.muxer = muxer
    metadata = plan.metadata
    self.session = session
  }

  func put(_ packet: inout Packet) throws(LibAVError) { try muxer.write(&packet) }

  /// Writes a packet of a file that may be damaged; one that the muxer can't write is left out, and
  /// counted.
  func copy(_ packet: inout Packet) throws(LibAVError) {
    guard muxer.canWrite(packet) else {
      unwritable[packet.streamIndex, default: 0] += 1
      return
    }
    try muxer.write(&packet)
  }

  /// What may be put into the file, once its header is written; nil for any amount.
  func budget(for trackCount: Int) -> FileBudget? {
    let limit = session.configuration.fileLengthLimit
    guard limit > 0 else { return nil }
    return FileBudget(
      limit: limit, fileType: session.fileType, trackCount: trackCount, header: muxer.position,
      metadata: metadata?.byteCount ?? 0)
  }

  var format: ContainerFormat { session.fileType.format }

  /// Writes tags, chapters and the header, once all streams are there.
  ///
  /// - Parameter isCopy: true keeps the clock of the copied video track, which would be rounded else.
  func writeHeader(
    of asset: Presentation, range: TimeRange, streams: [StreamInfo], isCopy: Bool
  ) throws(EngineError) {
    muxer.setMetadata(metadata?.tags ?? [])
    var options = metadata?.muxerOptions ?? [:]
    if format.hasMovieHeader {
      options["movie_timescale"] = String(ExportOutput.movieTimescale(for: streams))
      if isCopy, let video = streams.first(where: { $0.kind == .video }) {
        options["video_track_timescale"] = String(video.timeBase.denominator)
      }
    }
    do throws(LibAVError) {
      try muxer.setChapters(chapters)
      try muxer.writeHeader(options: options)
    } catch {
      var failure = EngineError(error, stage: .write, path: session.outputPath)
      // The muxer fails with EINVAL for a stream that it can't hold after all.
      if error.code == .invalidArgument || error.code == .invalidData {
        failure.code = .formatUnsupported
        failure.hint =
          "Choose another file type (mkv holds nearly everything), or a preset that encodes."
      }
      throw failure
    }
  }

  /// The movie's clock, on which edit lists are written: one that all tracks' clocks divide, so that no
  /// edit is rounded. Beyond the field's range, the finest of theirs. Audio is counted in samples there,
  /// whatever its clock in the source.
  static func movieTimescale(for streams: [StreamInfo]) -> Int32 {
    let clocks = streams.filter { $0.kind == .video || $0.kind == .audio }
      .map { stream in
        let rate = Int32(clamping: stream.parameters.sampleRate)
        return stream.kind == .audio && rate > 0 ? rate : max(1, stream.timeBase.denominator)
      }
    var common: Int64 = 1000
    for clock in clocks {
      let next = common / greatestCommonDivisor(common, Int64(clock)) * Int64(clock)
      guard next <= 100_000_000 else { return clocks.max() ?? 1000 }
      common = next
    }
    return Int32(clamping: common)
  }

  /// Chapters as the muxer takes them.
  private var chapters: [(id: Int64, start: Int64, end: Int64, metadata: [Tag])] {
    (metadata?.chapters ?? []).map { chapter in
      let microseconds = TimeBase(1, 1_000_000)
      return (
        chapter.id, chapter.timeRange.start.ticks(in: microseconds, rounding: .halfAwayFromZero),
        chapter.timeRange.end.ticks(in: microseconds, rounding: .halfAwayFromZero), chapter.tags
      )
    }
  }

  /// Writes the end of the file, and what no muxer writes of a movie.
  ///
  /// - Parameters:
  ///   - end: where the tracks of a movie end that go on after it; nil where they may.
  ///   - progress: hears how much of the media has been moved.
  func finish(
    _ file: OutputFile, endingAt end: Time?, interrupt: Interrupt, progress: (Double) -> Void
  ) throws(LibAVError) {
    try muxer.finish()
    if format.isPaddedWithNullPackets { try asLibAVError(pad(file)) }
    if format.statesSampleCount, let end, !session.preset.isPassthrough {
      try asLibAVError(setLength(end, ofFLAC: file))
    }
    guard let metadata, let items = metadata.movie else { return }
    let finisher = MoovRewriter(
      file: file, items: items, tracks: metadata.tracksInOrder.compactMap(\.boxes),
      brand: format.brand,
      isIndexFirst: session.configuration.shouldOptimizeForNetworkUse,
      end: format.capabilities.hasEditLists ? end : nil, interrupt: interrupt)
    try asLibAVError(finisher.run(progress))
  }

  /// Writes how many samples a file of FLAC has, which its encoder reports at its end only: of one that
  /// was ended by its length it is unknown (RFC 9639, section 8.2).
  private func setLength(_ end: Time, ofFLAC file: OutputFile) throws(SystemError) {
    var header = try file.read(26, at: 0)
    guard header.starts(with: "fLaC".utf8), header.count == 26 else { return }
    let rate = Int32(header[18]) << 12 | Int32(header[19]) << 4 | Int32(header[20]) >> 4
    guard rate > 0 else { return }
    let count = end.ticks(in: TimeBase(1, rate), rounding: .halfAwayFromZero)
    header[21] = header[21] & 0xf0 | UInt8(truncatingIfNeeded: count >> 32) & 0x0f
    for place in 22..<26 {
      header[place] = UInt8(truncatingIfNeeded: count >> Int64(8 * (25 - place)))
    }
    try file.write(header[...], at: 0)
  }

  /// Fills a transport stream of few packets up with null packets (ISO/IEC 13818-1, 2.4.3.3): programs
  /// recognise the format by their number, libavformat by eleven.
  private func pad(_ file: OutputFile) throws(SystemError) {
    let packet: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + Array(repeating: 0xff, count: 184)
    while file.size < 16 * packet.count { try file.write(packet[...], at: file.size) }
  }
}

private func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(1, a)
}
