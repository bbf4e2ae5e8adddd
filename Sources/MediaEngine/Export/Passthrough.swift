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
  private var hasCopied = false

  init(work: ExportWork, range: TimeRange) {
    self.work = work
    self.range = range
  }

  mutating func run(
    _ asset: Presentation, output: ExportOutput
  ) throws(EngineError) -> [ExportSession.Dropped] {
    let dropped = try addStreams(asset, output: output)
    try output.writeHeader(
      of: asset, range: range, streams: routes.values.map(\.stream),
      isCopy: true)
    for (stream, route) in routes {
      routes[stream]?.targetTimeBase = output.muxer.timeBase(of: route.target)
    }
    try copy(from: asset, output: output)
    return dropped
  }

  private mutating func addStreams(
    _ asset: Presentation, output: ExportOutput
  ) throws(EngineError) -> [ExportSession.Dropped] {
    var dropped: [ExportSession.Dropped] = []
    let format = output.muxer.formatName
    // In the container's order, which the pictures are part of.
    let members =
      asset.tracks.map { (media: $0.media, track: Optional($0), picture: AttachedPicture?.none) }
      + asset.pictures.map { (media: $0.media, track: TrackInfo?.none, picture: Optional($0)) }
    for (media, track, picture) in members.sorted(by: {
      $0.media.stream.index < $1.media.stream.index
    }) {
      let stream = media.stream
      if let picture, work.session.fileType.isMatroska {
        try attach(picture, output: output)
        continue
      }
      guard Muxer.canHold(stream.parameters, format: format) else {
        guard let track else { continue }
        let codec = stream.parameters.codecName
        let reason = "\(work.session.fileType.name) files can't hold \(codec)"
        guard track.mediaType != .video && track.mediaType != .audio else {
          throw EngineError(
            .formatUnsupported, "Track \(track.trackID) can't be copied: \(reason)",
            hint:
              "Choose another file type (mkv holds nearly everything), or a preset that encodes.",
            path: asset.path)
        }
        dropped.append(
          .init(
            item: .track, trackID: track.trackID, mediaType: track.mediaType, reason: reason))
        continue
      }
      try addRoute(media, isPicture: picture != nil, output: output)
      if let track, stream.displayMatrix != nil, !output.muxer.keepsDisplayMatrix {
        dropped.append(
          .init(
            item: .rotation, trackID: track.trackID, mediaType: track.mediaType,
            reason: "this FFmpeg writes no rotation into \(work.session.fileType.name) files"))
      }
    }
    guard !routes.isEmpty else {
      throw EngineError(
        .formatUnsupported,
        "No track of '\(asset.path)' can be copied into a \(work.session.fileType.name) file",
        path: asset.path)
    }
    return dropped
  }

  /// Matroska keeps pictures as attachments; "cover" is the name its players look for.
  private func attach(
    _ picture: AttachedPicture, output: ExportOutput
  ) throws(EngineError) {
    let stream = picture.media.stream
    let isJPEG = stream.parameters.codecName == "mjpeg"
    let codec = isJPEG ? "jpeg" : stream.parameters.codecName
    try naming(.write, path: work.file.path) { () throws(LibAVError) in
      try output.muxer.addAttachment(
        picture.bytes, of: stream, name: "cover.\(isJPEG ? "jpg" : codec)",
        mimeType: "image/\(codec)")
    }
  }

  private mutating func addRoute(
    _ media: TrackMedia, isPicture: Bool, output: ExportOutput
  ) throws(EngineError) {
    let stream = media.stream
    var samples: Range<Int>?
    let end = media.ticks(range.end, rounding: .towardPositiveInfinity)
    if !isPicture, !work.isWhole(range) {
      let index = try media.index(interrupt: work.interrupt)
      samples = index.decodeRange(
        from: media.ticks(range.start, rounding: .towardNegativeInfinity), to: end)
    }
    let target = try naming(.write, path: work.file.path) { () throws(LibAVError) in
      try output.muxer.addStream(copying: stream)
    }
    routes[stream.index] = Route(
      media: media, target: target, targetTimeBase: stream.timeBase,
      offset: isPicture ? 0 : media.ticks(range.start, rounding: .halfAwayFromZero),
      samples: samples, end: work.isWhole(range) ? .max : end)
  }

  private mutating func copy(
    from asset: Presentation, output: ExportOutput
  ) throws(EngineError) {
    guard let source = routes.values.first?.media.source else { return }
    var demuxer = try source.makeDemuxer(interrupt: work.interrupt)
    demuxer.select(streams: Set(routes.keys))
    var packet = try naming(.read, path: source.path, Packet.init)
    var isAtEnd = false
    while !isAtEnd, !output.isFull {
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
    }
    guard !demuxer.isTruncated, hasCopied else {
      throw EngineError(
        .invalidSourceMedia,
        hasCopied
          ? "'\(asset.path)' is cut short: it speaks of media beyond its end"
          : "'\(asset.path)' holds no samples to copy",
        hint: "Get the whole file; images and samples of what is there can still be read.",
        path: asset.path, stage: .read)
    }
  }

  /// True when every track has been copied up to the end of its range.
  private func isPastEnd() -> Bool {
    routes.values.allSatisfy { route in
      route.samples.map { route.position >= $0.upperBound }
        ?? (route.stream.attachedPictureSize > 0)
    } && routes.values.contains { $0.samples != nil }
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
    if route.stream.attachedPictureSize == 0 { hasCopied = true }
  }

  /// Samples to skip that only the source's tags tell of (iTunSMPB): as negative times they become an
  /// edit list, and stay skipped.
  private func delay(of packet: borrowing Packet, in route: Route) -> Int64 {
    guard route.position == 0, route.stream.kind == .audio, !work.session.fileType.isMatroska,
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
