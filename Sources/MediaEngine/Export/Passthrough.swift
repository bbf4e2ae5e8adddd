import LibAV
import MediaTime

/// An export that copies samples as they are.
///
/// A trimmed start keeps the samples from the random-access point before it; they get negative times,
/// which mov and mp4 hide behind an edit list. Samples after the end that earlier ones refer to are
/// kept and marked as not shown.
struct Passthrough: ~Copyable {
  /// A track that is copied.
  private struct Route {
    var media: TrackMedia
    var target: Int
    var targetTimeBase: TimeBase
    /// What is subtracted from its times, in its ticks.
    var offset: Int64
    /// Decode indexes to copy; nil for all.
    var samples: Range<Int>?
    /// Presentation times from here on are not shown, in its ticks.
    var end: Int64
    var position = 0
    var stream: StreamInfo { media.stream }
  }

  private let work: ExportWork
  private let range: TimeRange
  private var routes: [Int: Route] = [:]
  /// Tracks of text that become another kind of text on the way.
  private var texts: [TextStage] = []
  private var hasCopied = false
  /// How far copying has come, on the asset's clock.
  private var copied = Time.zero

  init(work: ExportWork, range: TimeRange) {
    self.work = work
    self.range = range
  }

  mutating func run(
    _ asset: Presentation, _ plan: ExportPlan, output: ExportOutput
  ) throws(EngineError) {
    for track in plan.tracks {
      if case .copied = track.treatment { try addRoute(track.info.media, output: output) }
      if case .text(let codec) = track.treatment {
        let clip = TrackClip(
          media: track.info.media, range: range, interrupt: work.interrupt, requiresWhole: true)
        texts.append(try TextStage(clip: clip, codec: codec, output: output))
      }
    }
    var pictures = try ArtworkCopy(output, path: work.file.path)
    try output.writeHeader(
      of: asset, range: range, streams: routes.values.map(\.stream),
      isCopy: true)
    for (stream, route) in routes {
      routes[stream]?.targetTimeBase = output.muxer.timeBase(of: route.target)
    }
    try pictures.write(output)
    for text in texts { text.begin(output) }
    try copy(from: asset, output: output)
  }

  private mutating func addRoute(
    _ media: TrackMedia, output: ExportOutput
  ) throws(EngineError) {
    let stream = media.stream
    var samples: Range<Int>?
    let end = media.ticks(range.end, rounding: .towardPositiveInfinity)
    if !work.session.isWhole(range) {
      let index = try media.index(interrupt: work.interrupt)
      samples = index.decodeRange(
        from: media.ticks(range.start, rounding: .towardNegativeInfinity), to: end)
    }
    let target = try naming(.write, path: work.file.path) { () throws(LibAVError) in
      try output.muxer.addStream(copying: stream)
    }
    routes[stream.index] = Route(
      media: media, target: target, targetTimeBase: stream.timeBase,
      offset: media.ticks(range.start, rounding: .halfAwayFromZero),
      samples: samples, end: work.session.isWhole(range) ? .max : end)
  }

  private mutating func copy(
    from asset: Presentation, output: ExportOutput
  ) throws(EngineError) {
    guard let source = routes.values.first?.media.source else { return }
    var demuxer = try source.makeDemuxer(interrupt: work.interrupt)
    demuxer.select(streams: Set(routes.keys))
    var packet = try naming(.read, path: source.path, Packet.init)
    var isAtEnd = false
    while !isAtEnd {
      // One place in the gate for a piece of work, so that an image needn't wait for a whole export.
      isAtEnd = try WorkGate.shared.run(.batch, interrupt: work.interrupt) {
        () throws(EngineError) in
        for _ in 0..<256 {
          let isRead = try naming(.read, path: source.path) { () throws(LibAVError) in
            try demuxer.read(into: &packet)
          }
          guard isRead, !isPastEnd() else { return true }
          try write(&packet, output: output)
        }
        return false
      }
      try writeTexts(until: isAtEnd ? range.end : copied, output: output)
    }
    if demuxer.isTruncated { throw .cutShort(asset.path) }
    guard hasCopied else {
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

  /// True when every track has been copied up to the end of its range.
  private func isPastEnd() -> Bool {
    routes.values.allSatisfy { route in
      route.samples.map { route.position >= $0.upperBound } ?? false
    }
  }

  private mutating func write(
    _ packet: inout Packet, output: ExportOutput
  ) throws(EngineError) {
    let stream = packet.streamIndex
    guard var route = routes[stream] else { return }
    defer { routes[stream] = route }
    route.offset &+= delay(of: packet, in: route)
    let position = route.position
    route.position += 1
    if let samples = route.samples, !samples.contains(position) { return }
    if let pts = packet.pts {
      let end = TimeRange(start: range.start, end: route.media.time(pts))
      copied = max(copied, end.end)
      meter(end)
      if pts >= route.end { packet.isDiscarded = true }
    }
    packet.pts = packet.pts.map { $0 &- route.offset }
    packet.dts = packet.dts.map { $0 &- route.offset }
    packet.streamIndex = route.target
    packet.rescale(from: route.stream.timeBase, to: route.targetTimeBase)
    try naming(.write, path: work.file.path) { () throws(LibAVError) in
      try output.muxer.write(&packet)
    }
    hasCopied = true
  }

  /// Samples to skip that only the source's tags tell of (iTunSMPB): as negative times they become an
  /// edit list, and stay skipped.
  private func delay(of packet: borrowing Packet, in route: Route) -> Int64 {
    guard route.position == 0, route.stream.kind == .audio,
      work.session.fileType.rules.hasEditLists,
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
