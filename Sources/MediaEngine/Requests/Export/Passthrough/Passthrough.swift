import LibAV
import MediaTime
import SystemIO

/// An export that copies samples unchanged.
///
/// A whole file is copied in the file's order (``WholeFileCopy``). For a part, or if tracks come
/// from several files, each track has a ``PacketStream`` that begins at the start of the part, at
/// any distance into its file.
struct Passthrough: ~Copyable {
  private let export: ResolvedExport
  private let writer: MovieWriter
  private let cuts: ExportCuts
  /// The demuxers of the tracks, where they are copied side by side.
  private let sharing: SharedDemuxers
  /// The tracks that are copied.
  private var routes: [CopyRoute] = []
  /// Tracks of text that are converted to another kind of text, and those of added files.
  private var texts: [(track: TrackInfo, stage: TextStage)] = []
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []
  private var range: TimeRange { export.trim.range }
  private var interrupt: Interrupt { writer.destination.interrupt }

  init(
    _ export: ResolvedExport, cuts: ExportCuts = ExportCuts(), to writer: MovieWriter
  ) {
    self.export = export
    self.cuts = cuts
    sharing = export.sharedDemuxers
    self.writer = writer
  }

  mutating func run() throws(EngineError) {
    let source = try wholeSource()
    for track in export.tracks {
      switch track.treatment {
      case .copied where !track.info.isAdded, .joined:
        routes.append(try CopyRoute(track, cuts, isPart: source == nil, to: writer))
      case .text, .copied:
        var codec: String?
        if case .text(let name) = track.treatment { codec = name }
        let errors = DecodeErrors(track.info.timeline, range: range)
        reports.append((track.info, errors))
        let reading = TrackReading(
          range: track.range.time, interrupt: interrupt, requiresWhole: true, errors: errors,
          sharing: source == nil ? sharing : nil)
        let stage = try TextStage(track, reading, codec: codec, writer: writer)
        texts.append((track.info, stage))
      case .video, .audio, .mixed, .mixedInto, .dropped: continue
      }
    }
    try writer.writeHeader()
    for text in texts { text.stage.begin(writer) }
    if let source {
      try copy(source)
    } else {
      try copyTracks()
    }
  }

  /// Returns the file whose packets are copied in its own order, with their own times; nil unless
  /// all of it is copied, and nothing else.
  private func wholeSource() throws(EngineError) -> MediaSource? {
    let copied = export.plan.included.filter { $0.isCopied && !$0.info.isAdded }
    guard export.trim.isWhole, let source = copied.first?.info.timeline.stored?.source else {
      return nil
    }
    for track in copied {
      // Cues before time zero are cut off one by one.
      guard let media = track.info.timeline.stored, media.source === source,
        source.timeOffset >= .zero,
        try media.hasTimesInPackets(interrupt: interrupt)
      else { return nil }
    }
    return source
  }

  /// The samples that are missing in the file because it can't store them.
  var dropped: [DroppedItem] {
    var texts = reports.compactMap { track, errors in
      errors.samples(of: track.trackID, track.mediaType).map(DroppedItem.init)
    }
    for (track, stage) in self.texts {
      texts += stage.dropped(ofTrack: track.trackID, track.mediaType)
    }
    return texts
      + routes.compactMap { route in
        writer.unwritable[route.target].map { count in
          DroppedItem(
            item: .damagedSamples, trackID: route.track.info.trackID,
            mediaType: route.track.info.mediaType,
            reason: "\(count == 1 ? "1 sample is" : "\(count) samples are") damaged: the file type "
              + "can't hold incomplete samples")
        }
      }
  }

  private var hasWritten: Bool { routes.contains { writer.packetCount(of: $0.target) > 0 } }

  /// Copies all packets in the order of the file.
  private func copy(_ source: MediaSource) throws(EngineError) {
    var copy = try WholeFileCopy(source, routes, to: writer)
    var isAtEnd = false
    while !isAtEnd {
      // One slot for each piece of work, so that an image needn't wait for a whole export.
      isAtEnd = try WorkLimiter.shared.runBlocking(.batch, interrupt: interrupt) {
        () throws(EngineError) in try !copy.write(256)
      }
      let done = TimeRange(start: range.start, end: max(range.start, copy.position ?? range.start))
      try advance(to: done, isAtEnd: isAtEnd)
    }
    try copy.conclude()
    guard hasWritten else {
      throw EngineError(
        .invalidSourceMedia, "'\(source.path)' holds no samples to copy", path: source.path,
        stage: .read)
    }
  }

  /// Copies the tracks' parts, always from the track with the earliest next packet.
  private func copyTracks() throws(EngineError) {
    var sources: [(packets: any PacketStream, target: Int)] = []
    for route in routes {
      let packets = try route.makeSource(sharing: sharing, interrupt: interrupt)
      sources.append((packets, route.target))
    }
    var merge = try PacketMerge(sources, path: writer.path)
    var isAtEnd = false
    while !isAtEnd {
      isAtEnd = try WorkLimiter.shared.runBlocking(.batch, interrupt: interrupt) {
        () throws(EngineError) in try !merge.write(256, to: writer)
      }
      let done = TimeRange(start: range.start, end: range.start + merge.written)
      try advance(to: done, isAtEnd: isAtEnd)
    }
    guard !texts.isEmpty || hasWritten else { throw Passthrough.nothing(in: range) }
  }

  /// Returns the error of a range without stored samples.
  private static func nothing(in range: TimeRange) -> EngineError {
    EngineError(
      .unsupportedOutputSettings,
      "No track that is copied has anything in \(range.secondsDescription)",
      advice: .chooseRangeWithSamples)
  }

  /// Checks, before anything is written, that a range has samples to copy.
  ///
  /// - Throws: `unsupportedOutputSettings` if none of the tracks has a sample in it.
  static func requireSamples(
    of export: ResolvedExport, in fileType: FileType, interrupt: Interrupt
  ) throws(EngineError) {
    guard !export.trim.isWhole else { return }
    for track in export.tracks {
      guard case .copied = track.treatment, let media = track.info.timeline.stored else { return }
      let cut = try CopiedTrack.cut(
        media, range: track.range, hidesStart: fileType.format.capabilities.hasEditLists,
        isDivisible: false, interrupt: interrupt)
      if !cut.samples.isEmpty { return }
    }
    throw nothing(in: export.trim.range)
  }

  /// Reports the progress of the copy, and advances the texts to the same time, so that they
  /// interleave.
  private func advance(to done: TimeRange, isAtEnd: Bool) throws(EngineError) {
    if range.duration.isNumeric, range.duration > .zero {
      writer.destination.progress(done.duration.seconds / range.duration.seconds)
    }
    let time = isAtEnd ? range.end : done.end
    for (_, text) in texts {
      while !text.isAtEnd, range.start + text.position <= time { try text.step(into: writer) }
    }
  }
}
