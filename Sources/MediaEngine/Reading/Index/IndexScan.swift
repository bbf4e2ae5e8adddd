import LibAV
import SystemIO

extension MediaSource {
  /// Returns the indexes of all streams: of most movies from the tables of their headers, of linear
  /// samples from both ends, else from one pass over the packets.
  ///
  /// - Parameter usesTables: false reads all packets in any case.
  func makeIndexes(
    interrupt: Interrupt, usesTables: Bool = true
  ) throws(EngineError) -> [Int: SampleIndex] {
    let container = try open(interrupt: interrupt)
    if usesTables, let linear = try linearIndexes(of: container, interrupt: interrupt) {
      return linear
    }
    let payload = try payload(of: container, interrupt: interrupt)
    var demuxer = try makeDemuxer(
      container.file, trustsTables: payload != nil, interrupt: interrupt)
    if usesTables, payload != nil, let movie = try movie(interrupt: interrupt),
      let tables = try TableIndex(
        container.file, movie: movie, streams: container.streams, interrupt: interrupt),
      var builders = try tables.builders(demuxer, interrupt: interrupt)
    {
      // Attached pictures come before all samples, and are in no table.
      let pictures = demuxer.attachedPictureCount
      try read(
        &demuxer, into: &builders, upTo: pictures, streams: container.streams, trustsTables: true)
      DemuxerPool.shared.put(
        OpenDemuxer(demuxer: demuxer, isAtStart: pictures == 0), of: self)
      timeMoviePictures(&builders, of: container.streams, movie)
      return indexes(&builders)
    }
    demuxer.skipPayload(payload ?? [])
    return try scanObservingClock(
      &demuxer, streams: container.streams, trustsTables: payload != nil, interrupt: interrupt)
  }

  /// Reads all packets that are left.
  ///
  /// - Parameter trustsTables: true where libavformat doesn't report how long packets usually are.
  func scan(
    _ demuxer: inout Demuxer, streams: [StreamInfo], trustsTables: Bool
  ) throws(EngineError) -> [Int: SampleIndex] {
    var builders: [Int: SampleIndex.Builder] = [:]
    let traits = DemuxerTraits(formatName: demuxer.formatName)
    var orders: [Int: PictureOrder] = [:]
    for stream in streams where traits.oftenLacksTimes && stream.mayReorder {
      orders[stream.index] = PictureOrder(stream.format)
    }
    let count = try read(
      &demuxer, into: &builders, upTo: SampleIndex.maximumCount + 1, streams: streams,
      trustsTables: trustsTables, orders: orders)
    guard count <= SampleIndex.maximumCount else {
      throw EngineError(
        .limitExceeded, "'\(path)' has more than \(SampleIndex.maximumCount) samples",
        advice: .splitFile, path: path,
        stage: .index)
    }
    if let damage = demuxer.damage {
      mark(&builders, of: streams, endingIn: damage, isFollowed: demuxer.isFollowed)
    }
    for stream in streams {
      guard let builder = builders.removeValue(forKey: stream.index) else { continue }
      builders[stream.index] = try restoringTimes(
        of: builder, stream, by: orders.removeValue(forKey: stream.index), traits,
        demuxer.source, interrupt: demuxer.interrupt)
    }
    if traits.hasMovieHeader, let movie = movieHeader.value ?? nil {
      noteLastDurations(&builders, of: streams, movie, demuxer.source, demuxer.interrupt)
      timeMoviePictures(&builders, of: streams, movie)
    }
    return indexes(&builders)
  }

  /// Takes the durations of last samples from the tables of a movie without fragments: libavformat doesn't deliver
  /// them for samples with composition offsets.
  private func noteLastDurations(
    _ builders: inout [Int: SampleIndex.Builder], of streams: [StreamInfo], _ movie: Movie,
    _ file: any ByteSource, _ interrupt: Interrupt
  ) {
    guard !movie.canContainFragments,
      builders.values.contains(where: { $0.samples.contains { $0.pts != $0.dts } }),
      let tables = try? SampleTables.read(file, interrupt: interrupt),
      tables.tracks.count == movie.tracks.count
    else { return }
    for (track, header) in zip(tables.tracks, movie.tracks) {
      guard let stream = streams.first(where: { $0.id == Int(header.id) }),
        let count = builders[stream.index]?.samples.count,
        let duration = track.lastDuration(ofDelivered: count)
      else { continue }
      builders[stream.index]?.movieLength = MovieLength(last: duration)
    }
  }

  /// Has the pictures of a movie last as its tables state: libavformat guesses wherever they have composition
  /// offsets.
  private func timeMoviePictures(
    _ builders: inout [Int: SampleIndex.Builder], of streams: [StreamInfo], _ movie: Movie
  ) {
    for stream in streams where stream.kind == .video && stream.attachedPictureSize == 0 {
      let last = builders[stream.index]?.movieLength?.last
      builders[stream.index]?.movieLength = MovieLength(last: last, movie, of: stream)
    }
  }

  /// - Returns: how many packets there were.
  @discardableResult
  func read(
    _ demuxer: inout Demuxer, into builders: inout [Int: SampleIndex.Builder], upTo limit: Int,
    streams: [StreamInfo], trustsTables: Bool, orders: [Int: PictureOrder] = [:]
  ) throws(EngineError) -> Int {
    var count = 0
    let hasPadding = !DemuxerTraits(formatName: demuxer.formatName).shortensLastPacket
    try mapErrors(.index, path: path) { () throws(LibAVError) in
      var packet = try Packet()
      while count < limit, try demuxer.read(into: &packet) {
        let stream = packet.streamIndex
        if trustsTables, packet.duration == 0, streams.indices.contains(stream) {
          packet.duration = streams[stream].frameDuration
        }
        let described =
          streams.indices.contains(stream)
          ? streams[stream].descriptionNumber(at: packet.position) : nil
        builders[stream, default: SampleIndex.Builder(stream, of: streams)].append(
          packet, ofLink: described ?? demuxer.link)
        if hasPadding, streams.indices.contains(stream), streams[stream].kind == .audio {
          builders[stream]?.notePadding(of: packet, in: streams[stream])
        }
        orders[stream]?.add(packet)
        count += 1
      }
    }
    return count
  }

  /// Takes the builders one by one, so that no stream's samples are there twice.
  func indexes(
    _ builders: inout [Int: SampleIndex.Builder]
  ) -> [Int: SampleIndex] {
    var indexes: [Int: SampleIndex] = [:]
    for stream in builders.keys {
      if let builder = builders.removeValue(forKey: stream) {
        indexes[stream] = SampleIndex(builder)
      }
    }
    return indexes
  }

  /// Marks the streams that miss samples: of audio and video all but those that are as long as
  /// their header states. These aren't affected by damage in tags or other bytes after the last
  /// packet.
  ///
  /// - Parameter isFollowed: true if another file begins there: its samples are missing in all streams.
  private func mark(
    _ builders: inout [Int: SampleIndex.Builder], of streams: [StreamInfo],
    endingIn damage: LibAVError, isFollowed: Bool
  ) {
    for stream in streams where builders[stream.index] == nil {
      builders[stream.index] = SampleIndex.Builder(stream.index, of: streams)
    }
    let (continuous, sparse) = (
      streams.filter { builders[$0.index]?.isContinuous == true },
      streams.filter { builders[$0.index]?.isContinuous == false }
    )
    let short =
      isFollowed
      ? continuous : continuous.filter { builders[$0.index]?.reachesEnd(of: $0) == false }
    let marked = short.isEmpty && !continuous.isEmpty ? [] : short + sparse
    for stream in marked { builders[stream.index]?.damage = damage }
  }

  /// Returns the index of a track with only those sync samples that the samples' own bytes confirm.
  ///
  /// Of a movie a few bytes of each are read. A sample that can't be read isn't a sync sample.
  func checkSyncSamples(
    of media: StoredTrack, interrupt: Interrupt
  ) throws(EngineError) -> SampleIndex {
    let index = try index(ofStream: media.stream.index, interrupt: interrupt)
    let container = try open(interrupt: interrupt)
    // Elsewhere the index comes from the samples themselves.
    guard container.demuxer.hasMovieHeader, let check = SyncSampleCheck(media.stream.format) else {
      return index
    }
    return try mapErrors(.index, path: path) { () throws(SystemError) in
      let file = try BoxFile(container.file, interrupt: interrupt)
      return try index.keepingSyncSamples { (sample) throws(SystemError) in
        try interrupt.check(.lookAtSyncSamples)
        let isPredicted = try check.isPredicted(size: Int(sample.size)) {
          (offset, count) throws(SystemError) in
          try file.peek(at: sample.position + Int64(offset), count: count).bytes
        }
        return sample.position >= 0 && !isPredicted
      }
    }
  }

  /// Returns the parts of a movie that hold nothing but samples, nil where the samples themselves
  /// must be looked at to find out where they begin, how long they last and whether they are sync
  /// samples.
  func payload(
    of container: Container, interrupt: Interrupt
  ) throws(EngineError) -> [Range<Int64>]? {
    guard let movie = try movie(interrupt: interrupt) else { return nil }
    let isFullyIndexed =
      isMadeMovie
      || container.streams.allSatisfy {
        CodecTraits($0.parameters.codecName).isFullyIndexedByMovies
      }
    return isFullyIndexed ? movie.mediaData : nil
  }
}

extension SampleIndex.Builder {
  /// For the samples of a stream.
  init(_ stream: Int, of streams: [StreamInfo]) {
    let kind = streams.indices.contains(stream) ? streams[stream].kind : .video
    self.init(isContinuous: kind == .video || kind == .audio)
  }
}

extension StreamInfo {
  /// The duration of a sample by the stream's rate, in ticks, which libavformat assumes where the
  /// container states none (`ff_compute_frame_duration`); 0 when unknown.
  var frameDuration: Int64 {
    guard attachedPictureSize == 0 else { return 0 }
    let seconds: Rational
    switch kind {
    case .video: seconds = Rational(baseFrameRate.denominator, baseFrameRate.numerator)
    case .audio:
      seconds = Rational(
        Int32(clamping: parameters.frameSize), Int32(clamping: parameters.sampleRate))
    default: return 0
    }
    guard seconds.isPositive, timeBase.isPositive else { return 0 }
    return Int64(seconds.numerator) * Int64(timeBase.denominator)
      / (Int64(seconds.denominator) * Int64(timeBase.numerator))
  }
}
