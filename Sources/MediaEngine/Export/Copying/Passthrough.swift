import LibAV
import MediaTime
import SystemIO

/// An export that copies samples as they are.
///
/// All of an asset is copied in the order of the file. Of a part, each track has a ``PacketSource`` that
/// begins where the part does, however far inside the file that is.
struct Passthrough: ~Copyable {
  /// A track that is copied.
  private struct Route {
    var trackID: Int32
    var mediaType: MediaType
    var media: TrackMedia
    var timeBase: TimeBase
    var target: Int
    var targetTimeBase: TimeBase
    /// What is subtracted from its times, in its ticks.
    var offset: Int64
    var position = 0
    /// The highest time stamp that was read.
    var last: Int64?
    var stream: StreamInfo { media.stream }
  }

  private let work: ExportWork
  private let trim: Trim
  /// Tracks whose edges are encoded anew, by stream.
  private let cuts: [Int: SmartCut]
  private var audioTracks: [Int: AudioTrackSummary] = [:]
  private var range: TimeRange { trim.range }
  private var routes: [Route] = []
  /// The number of the route of each of the source's streams.
  private var numbers: [Int?] = []
  /// Tracks of text that become another kind of text on the way.
  private var texts: [TextStage] = []
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []

  init(work: ExportWork, trim: Trim, cuts: [Int: SmartCut] = [:]) {
    self.work = work
    self.trim = trim
    self.cuts = cuts
  }

  mutating func run(
    _ asset: Presentation, _ plan: ExportPlan, output: ExportOutput
  ) throws(EngineError) {
    for track in plan.tracks {
      if case .copied = track.treatment { try addRoute(track.info, output: output) }
      if case .text(let codec) = track.treatment {
        let errors = DecodeErrors(track.info.timeline, range: range)
        reports.append((track.info, errors))
        let reading = TrackReading(
          range: range, interrupt: work.interrupt, requiresWhole: true, errors: errors)
        let clip = try track.info.requireStored().clip(reading)
        texts.append(try TextStage(clip: clip, codec: codec, output: output))
      }
    }
    var pictures = try ArtworkCopy(output, path: work.file.path)
    try output.writeHeader(
      of: asset, range: range, streams: routes.map(\.stream), isCopy: true)
    for number in routes.indices {
      routes[number].targetTimeBase = output.muxer.timeBase(of: routes[number].target)
    }
    try pictures.write(output)
    for text in texts { text.begin(output) }
    if trim.isWhole {
      try copy(from: asset, output: output)
    } else {
      try copyPart(output)
    }
  }

  /// The samples that are missing in the file, for it can't hold them.
  func dropped(_ output: ExportOutput) -> [ExportSession.Dropped] {
    let texts = reports.compactMap { track, errors in
      errors.samples(of: track.trackID, track.mediaType).map(ExportSession.Dropped.init)
    }
    return texts
      + routes.compactMap { route in
        output.unwritable[route.target].map { count in
          ExportSession.Dropped(
            item: .damagedSamples, trackID: route.trackID, mediaType: route.mediaType,
            reason: "\(count == 1 ? "1 sample is" : "\(count) samples are") damaged: the file type "
              + "can't hold what isn't whole")
        }
      }
  }

  private func hasWritten(_ output: ExportOutput) -> Bool {
    let written = output.muxer.written
    return routes.contains { $0.target < written.count && written[$0.target].packets > 0 }
  }

  /// Copies the tracks' parts, always from the one that is furthest behind.
  private mutating func copyPart(_ output: ExportOutput) throws(EngineError) {
    var sources: [any PacketSource] = []
    for route in routes {
      if let cut = cuts[route.stream.index] {
        sources.append(
          try SmartTrack(cut, range: range, target: route.target, interrupt: work.interrupt))
        continue
      }
      sources.append(
        try CopiedTrack(
          route.media, range: range, to: work.session.fileType, stream: route.target,
          audio: audioTracks[route.stream.index], interrupt: work.interrupt))
    }
    var merge = try PacketMerge(sources, path: work.file.path)
    var isAtEnd = false
    while !isAtEnd {
      // One slot of the limiter for a piece of work, so that an image needn't wait for a whole export.
      isAtEnd = try WorkLimiter.shared.runBlocking(.batch, interrupt: work.interrupt) {
        () throws(EngineError) in try !merge.write(256, to: output)
      }
      let done = TimeRange(start: range.start, end: range.start + merge.written)
      meter(done)
      try writeTexts(until: isAtEnd ? range.end : done.end, output: output)
    }
    guard !texts.isEmpty || hasWritten(output) else {
      throw EngineError(
        .unsupportedOutputSettings, "No track that is copied has anything in \(range)",
        hint: "Choose a range that holds samples.")
    }
  }

  private mutating func addRoute(
    _ track: TrackInfo, output: ExportOutput
  ) throws(EngineError) {
    let media = try track.requireStored()
    let stream = media.stream
    var described = cuts[stream.index]?.stream ?? stream
    if !trim.isWhole, stream.kind == .audio {
      let audio = try AudioTrackSummary(
        media, range: range, in: work.session.fileType, interrupt: work.interrupt)
      audioTracks[stream.index] = audio
      described = audio.stream
    }
    let copied = described
    let target = try mapErrors(.write, path: work.file.path) { () throws(LibAVError) in
      try output.muxer.addStream(copying: copied)
    }
    while numbers.count <= stream.index { numbers.append(nil) }
    numbers[stream.index] = routes.count
    routes.append(
      Route(
        trackID: track.trackID, mediaType: track.mediaType, media: media, timeBase: stream.timeBase,
        target: target, targetTimeBase: stream.timeBase,
        offset: media.ticks(range.start, rounding: .halfAwayFromZero)))
  }

  private mutating func copy(
    from asset: Presentation, output: ExportOutput
  ) throws(EngineError) {
    guard let source = routes.first?.media.source else { return }
    var demuxer = try source.makeDemuxer(interrupt: work.interrupt)
    demuxer.select(streams: Set(routes.map(\.stream.index)))
    var packet = try mapErrors(.read, path: source.path, Packet.init)
    var isAtEnd = false
    while !isAtEnd {
      // One slot of the limiter for a piece of work, so that an image needn't wait for a whole export.
      isAtEnd = try WorkLimiter.shared.runBlocking(.batch, interrupt: work.interrupt) {
        () throws(EngineError) in
        for _ in 0..<256 {
          let isRead = try mapErrors(.read, path: source.path) { () throws(LibAVError) in
            try demuxer.read(into: &packet)
          }
          guard isRead else { return true }
          try write(&packet, output: output)
        }
        return false
      }
      let copied = routes.compactMap { route in route.last.map(route.media.time) }.max()
      let done = TimeRange(start: range.start, end: max(range.start, copied ?? range.start))
      meter(done)
      try writeTexts(until: isAtEnd ? range.end : done.end, output: output)
    }
    if demuxer.isTruncated { throw .cutShort(asset.path) }
    // The index shows what is missing.
    if demuxer.damage != nil {
      for route in routes { _ = try route.media.index(interrupt: work.interrupt) }
    }
    guard hasWritten(output) else {
      throw EngineError(
        .invalidSourceMedia, "'\(asset.path)' holds no samples to copy", path: asset.path,
        stage: .read)
    }
  }

  /// Brings the texts as far as the rest, so that they interleave.
  private func writeTexts(until time: Time, output: ExportOutput) throws(EngineError) {
    for text in texts {
      while !text.isAtEnd, range.start + text.position <= time { try text.step(into: output) }
    }
  }

  private mutating func write(
    _ packet: inout Packet, output: ExportOutput
  ) throws(EngineError) {
    let stream = packet.streamIndex
    guard numbers.indices.contains(stream), let number = numbers[stream] else { return }
    if routes[number].position == 0 {
      routes[number].offset &+= delay(of: packet, in: routes[number])
    }
    routes[number].position += 1
    let offset = routes[number].offset
    if let pts = packet.pts {
      routes[number].last = max(routes[number].last ?? pts, pts)
      packet.pts = pts &- offset
    }
    packet.dts = packet.dts.map { $0 &- offset }
    packet.streamIndex = routes[number].target
    packet.rescale(from: routes[number].timeBase, to: routes[number].targetTimeBase)
    try mapErrors(.write, path: work.file.path) { () throws(LibAVError) in
      try output.copy(&packet)
    }
  }

  /// Samples to skip before a track's first packet that only the source's tags state (iTunSMPB): as
  /// negative times they become an edit list, and stay skipped.
  private func delay(of packet: borrowing Packet, in route: Route) -> Int64 {
    guard route.stream.kind == .audio,
      work.session.fileType.format.capabilities.hasEditLists,
      packet.pts == route.offset, let skipped = packet.skippedSamples?.start
    else { return 0 }
    let rate = Int32(clamping: max(1, route.stream.parameters.sampleRate))
    return Time(value: Int64(skipped), timescale: rate)
      .ticks(in: route.stream.timeBase, rounding: .halfAwayFromZero)
  }

  private func meter(_ done: TimeRange) {
    guard range.duration.isNumeric, range.duration > .zero else { return }
    work.meter.advance(to: done.duration.seconds / range.duration.seconds)
  }
}
