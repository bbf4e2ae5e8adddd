import LibAV
import MediaTime
import SystemIO

/// A destination of packets.
protocol PacketSink: AnyObject {
  /// Writes a packet, whose times are on the clock of its stream; `packet` may be used again.
  func put(_ packet: inout Packet) throws(LibAVError)
}

/// Writes one media file: its streams, its metadata, and the parts that no muxer of libavformat
/// writes.
///
/// Call order: streams first, then the header, packets, ``finish(endingAt:)`` and
/// ``commit(willCommit:)``. The file has no name before the commit: ``abandon()``, a failure and
/// the end of the process remove it entirely. Used by one thread at a time.
final class MovieWriter: PacketSink {
  /// Facts of a stream that has been added.
  private struct Stream {
    var boxes: MovieTrackBoxes?
    /// The clock of the track's edits and samples, in ticks per second; nil for text and data.
    var timescale: Int32?
    var isAudio = false
    var isText = false
    /// The traits for a ``HybridMovie``.
    var traits = PlainMovieHeader.TrackTraits()
    /// The bytes of the encoder's configuration.
    var configurationSize = 0
    /// The parameter sets that its packets need; nil for none.
    var parameterSets: InBandParameterSets?
  }

  let destination: MovieDestination
  let metadata: FileMetadata
  private var muxer: Muxer
  /// The tracks, by the numbers of their streams.
  private var streams: [Stream] = []
  /// The timescale of the first video track whose packets are copied.
  private var copiedVideoTimescale: Int32?
  private var hasEncodedTracks = false
  /// Images that are streams of one packet.
  private var pictures: [(stream: Int, bytes: [UInt8])] = []
  /// The last packet of each stream of a movie in fragments. It waits for the next packet.
  private var lastPackets: [Int: Handoff<Packet>] = [:]
  private var hasFragmentHeader = false
  /// The number of samples, by stream, that were left out because the muxer can't write them.
  private(set) var unwritable: [Int: Int] = [:]
  /// The tags whose values were joined into one, known once the file is complete.
  private(set) var joinedValues: [TagValues] = []
  /// Omits the delay of MP3's encoder from the file. Set before the header.
  var omitsDelay = false
  /// The presentation time of the earliest packet; nil before the first.
  private(set) var earliest: Time?

  /// The ends of the latest packets, by stream.
  private var ends: [Int: Time] = [:]
  private var waveLengths: WaveLengths?
  /// The state of a file other than a movie at the end of its last interval.
  struct Durable {
    /// The size of the file, in bytes.
    var size: Int64
    /// The number of packets, by stream.
    var packets: [Int]
    /// The ends of the latest packets, by stream.
    var ends: [Int: Time]
    /// The end of the latest packet.
    var end: Time { ends.values.max() ?? .zero }
  }
  private var durable: Durable?

  /// - Throws: `muxerNotFound` for a type that this build can't write.
  init(
    _ destination: MovieDestination, metadata: FileMetadata = FileMetadata()
  ) throws(LibAVError) {
    self.destination = destination
    self.metadata = metadata
    muxer = try Muxer(
      destination.target.output, format: destination.fileType.format.writer ?? "",
      interrupt: destination.interrupt)
  }

  var path: String { destination.path }
  var fileType: FileType { destination.fileType }
  var format: ContainerFormat { fileType.format }
  var hasEditLists: Bool { format.capabilities.hasEditLists }
  /// True if encoders must put their parameter sets into the header.
  var needsGlobalHeader: Bool { muxer.needsGlobalHeader }
  /// True if the container can store a track's rotation.
  var supportsDisplayMatrix: Bool { format.capabilities.supportsDisplayMatrix }
  /// The current length of the file in bytes, without the packets that the muxer buffers.
  var position: Int64 { muxer.position }

  /// Returns the clock of a stream's packets, known once the header is written.
  func timeBase(of stream: Int) -> TimeBase { muxer.timeBase(of: stream) }

  /// Returns the number of packets that were written for a stream.
  func packetCount(of stream: Int) -> Int {
    stream < muxer.written.count ? muxer.written[stream].packets : 0
  }

  /// Returns the end of the latest packet of a stream; nil before the first.
  func end(of stream: Int) -> Time? { ends[stream] }

  // MARK: - Streams

  /// Adds a track for packets that are copied; returns the number of its stream.
  ///
  /// - Parameter timeBase: the preferred clock of the track.
  func addStream(
    copying source: MediaFormat, timeBase: TimeBase, _ metadata: TrackMetadata
  ) throws(LibAVError) -> Int {
    let number = try muxer.addStream(
      copying: source, timeBase: timeBase, describedBy: metadata.description)
    if source.kind == .video, copiedVideoTimescale == nil {
      copiedVideoTimescale = timeBase.denominator
    }
    streams.append(
      Stream(
        boxes: metadata.boxes, timescale: MovieWriter.timescale(of: source, timeBase),
        isAudio: source.kind == .audio, isText: source.kind == .subtitle,
        traits: .init(
          source.parameters.codecName, isVideo: source.kind == .video, clock: timeBase),
        configurationSize: source.parameters.extradata.count,
        parameterSets: format.capabilities.storesAnnexB
          ? InBandParameterSets(source.parameters) : nil))
    return number
  }

  /// Adds a track whose packets come from `encoder`; returns the number of its stream.
  func addStream(
    encoder: borrowing Encoder, _ metadata: TrackMetadata = TrackMetadata()
  ) throws(LibAVError) -> Int {
    let number = try muxer.addStream(encoder: encoder, describedBy: metadata.description)
    hasEncodedTracks = true
    var boxes = metadata.boxes
    if encoder.isAudio { boxes?.priming = Int64(encoder.initialPadding) }
    streams.append(
      Stream(
        boxes: boxes, timescale: encoder.timeBase.denominator,
        isAudio: encoder.isAudio,
        traits: .init(encoder.name, isVideo: !encoder.isAudio, clock: encoder.timeBase),
        configurationSize: encoder.extradata.count))
    return number
  }

  /// Adds a track of text that `converter` makes; returns the number of its stream.
  ///
  /// - Parameter timeBase: the preferred clock of the track.
  func addStream(
    converter: borrowing TextConverter, timeBase: TimeBase,
    _ metadata: TrackMetadata = TrackMetadata()
  ) throws(LibAVError) -> Int {
    let number = try muxer.addStream(
      converter: converter, timeBase: timeBase, describedBy: metadata.description)
    streams.append(Stream(boxes: metadata.boxes, isText: true))
    return number
  }

  /// Adds a reference from a track of a movie to another one, both by the numbers of streams that
  /// have been added.
  func addReference(_ type: String, from stream: Int, to other: Int) {
    streams[stream].boxes?.references[type, default: []].append(UInt32(other + 1))
  }

  /// The time by which packets of Opus are written later than they are: the delay of their header, which the muxer doesn't
  /// add. It would make the times of all tracks later by it.
  ///
  /// - Returns: a number of the stream's ticks; 0 for other codecs and containers.
  func opusDelay(of stream: StreamInfo) -> Int64 {
    guard format.opusPriming == .headerAndTimes, stream.parameters.codecName == "opus" else {
      return 0
    }
    // RFC 7845, section 5.1: at 48 kHz.
    return Time(value: Int64(stream.parameters.initialPadding), timescale: 48000)
      .ticks(in: stream.timeBase, rounding: .halfAwayFromZero)
  }

  // MARK: - The header

  /// Writes the header with tags, chapters and images, once all tracks have streams. In a movie,
  /// the clock of the first copied video track is preserved, which would otherwise be rounded.
  ///
  /// - Parameter movieTimescale: the clock of a movie's edit lists; nil for one that fits its
  ///   tracks.
  /// - Throws: `formatUnsupported` for a stream that the muxer refuses to store in the container.
  func writeHeader(movieTimescale: Int32? = nil) throws(EngineError) {
    try mapErrors(.write, path: path) { () throws(LibAVError) in try addArtwork() }
    muxer.setMetadata(metadata.tags)
    var options = format.options.merging(metadata.muxerOptions) { $1 }
    if format.hasMovieHeader {
      let common = MovieWriter.movieTimescale(for: streams.compactMap(\.timescale))
      options["movie_timescale"] = String(movieTimescale ?? common)
      if let copiedVideoTimescale {
        options["video_track_timescale"] = String(copiedVideoTimescale)
      }
    }
    if destination.isNamed { options.merge(format.growingOptions) { $1 } }
    if omitsDelay, format.mp3Delays != nil { options["write_xing"] = "0" }
    destination.hybrid?.describe(
      MovieBoxRewriter(items: movieItems, tracks: streams.map(\.boxes)), streams.map(\.traits),
      configurationSize: streams.reduce(0) { $0 + $1.configurationSize })
    if let interval = destination.fragmentInterval {
      // The header waits for the first samples, because its edit lists state their times.
      var flags = "+empty_moov+default_base_moof+delay_moov"
      if destination.hybrid != nil { flags += "+skip_trailer" }
      if destination.endsIntervals {
        flags += "+frag_custom"
      } else {
        let ticks = interval.ticks(in: TimeBase(1, 1_000_000), rounding: .halfAwayFromZero)
        options["frag_duration"] = String(max(1, ticks))
      }
      options["movflags"] = flags
      muxer.flushesPackets = true
    }
    if case .segments(let buffer) = destination.target {
      options.merge(segmentOptions(buffer.profile)) { $1 }
    }
    do throws(LibAVError) {
      try muxer.setChapters(chapters)
      try muxer.writeHeader(options: options)
      if destination.isFragmented { muxer.filterPackets() }
    } catch {
      var failure = EngineError(error, stage: .write, path: path)
      // The muxer returns EINVAL for a stream that the container can't hold.
      if error.code == .invalidArgument || error.code == .invalidData {
        failure.code = .formatUnsupported
        failure.advice = .chooseFileTypeOrPreset
      }
      throw failure
    }
    try mapErrors(.write, path: path) { () throws(LibAVError) in try writeArtwork() }
  }

  /// The header waits for the first samples, as with fragments; there is no index at the end.
  private func segmentOptions(_ profile: SegmentProfile) -> [String: String] {
    let flags = "+frag_custom+empty_moov+default_base_moof+delay_moov+skip_trailer"
    guard profile == .mpeg4CMAFCompliant else { return ["movflags": flags] }
    // For video, composition offsets state the presentation times. For audio, an edit list states
    // the part of its beginning that isn't heard (ISO/IEC 23000-19, 7.5.13).
    let hidesPriming = streams.allSatisfy(\.isAudio)
    return [
      "movflags": flags + "+cmaf+negative_cts_offsets", "use_editlist": hidesPriming ? "1" : "0",
    ]
  }

  /// Adds attachments and images as the last streams, after all tracks.
  private func addArtwork() throws(LibAVError) {
    for attachment in metadata.attachments { try muxer.addAttachment(copying: attachment) }
    for (index, picture) in metadata.artwork.enumerated() {
      if format.metadata.artwork == .attachment {
        // Matroska stores images as attachments. Its players look for the name "cover".
        let codec = picture.codec
        let name = index == 0 ? "cover" : "cover\(index + 1)"
        try muxer.addAttachment(
          picture.bytes, codec: codec, name: "\(name).\(codec == "mjpeg" ? "jpg" : codec)",
          mimeType: picture.mimeType, tags: picture.tags)
      } else {
        let stream = try muxer.addPicture(
          codec: picture.codec, width: picture.width, height: picture.height, tags: picture.tags)
        pictures.append((stream, picture.bytes))
      }
    }
  }

  private func writeArtwork() throws(LibAVError) {
    for (stream, bytes) in pictures {
      var packet = try Packet(bytes)
      packet.streamIndex = stream
      packet.pts = 0
      packet.dts = 0
      try muxer.write(&packet)
    }
  }

  /// The chapters in the muxer's form.
  private var chapters: [(id: Int64, start: Int64, end: Int64, metadata: [Tag])] {
    metadata.chapters.map { chapter in
      let microseconds = TimeBase(1, 1_000_000)
      return (
        chapter.id, chapter.timeRange.start.ticks(in: microseconds, rounding: .halfAwayFromZero),
        chapter.timeRange.end.ticks(in: microseconds, rounding: .halfAwayFromZero), chapter.tags
      )
    }
  }

  /// Returns the clock on which a track's edits are exact: its own, but for audio always that of
  /// its samples. Nil for text and data.
  static func timescale(of media: MediaFormat, _ timeBase: TimeBase) -> Int32? {
    let rate = Int32(clamping: media.parameters.sampleRate)
    switch media.kind {
    case .audio where rate > 0: return rate
    case .audio, .video: return max(1, timeBase.denominator)
    default: return nil
    }
  }

  /// Returns the movie's clock for edit lists: one that all tracks' clocks divide, so that no edit
  /// is rounded. If that exceeds the field's range, returns the finest of the tracks' clocks.
  static func movieTimescale(for timescales: [Int32]) -> Int32 {
    var common: UInt64 = 1000
    for clock in timescales.map({ UInt64($0.magnitude) }) where clock > 0 {
      let next = common / greatestCommonDivisor(common, clock) * clock
      guard next <= 100_000_000 else { return timescales.max() ?? 1000 }
      common = next
    }
    return Int32(clamping: common)
  }

  // MARK: - Packets

  func put(_ packet: inout Packet) throws(LibAVError) {
    try streams[packet.streamIndex].parameterSets?.insert(into: &packet)
    if destination.offset != .zero {
      let clock = muxer.timeBase(of: packet.streamIndex)
      packet.shift(by: destination.offset.ticks(in: clock, rounding: .halfAwayFromZero))
    }
    if let pts = packet.pts {
      let clock = muxer.timeBase(of: packet.streamIndex)
      if streams[packet.streamIndex].traits.isVideo, let end = destination.end {
        let rest = end.ticks(in: clock, rounding: .halfAwayFromZero) - pts
        if rest > 0 { packet.duration = min(packet.duration, rest) }
      }
      let time = Time(ticks: pts, in: clock)
      earliest = earliest.map { min($0, time) } ?? time
      let length = Time(ticks: packet.duration, in: clock)
      ends[packet.streamIndex] = max(ends[packet.streamIndex] ?? time, time + length)
    }
    // The muxer makes a track of text begin at zero, and fills the gaps between its packets.
    if !streams[packet.streamIndex].isText { destination.hybrid?.note(packet) }
    guard destination.fragmentInterval != nil, streams[packet.streamIndex].timescale != nil else {
      return try muxer.write(&packet)
    }
    // The muxer begins a fragment where the last packets of the previous one end. These therefore
    // have to last until the next packets.
    guard let held = lastPackets[packet.streamIndex] else {
      let box = Handoff(try Packet())
      swap(&box.value, &packet)
      lastPackets[box.value.streamIndex] = box
      return
    }
    held.value.last(until: packet)
    swap(&held.value, &packet)
    try muxer.write(&packet)
  }

  /// Writes a packet of a file that may be damaged. A packet that the muxer can't write is left out
  /// and counted.
  func copy(_ packet: inout Packet) throws(LibAVError) {
    guard muxer.canWrite(packet) else {
      unwritable[packet.streamIndex, default: 0] += 1
      return
    }
    try put(&packet)
  }

  /// Ends the segment of a movie in segments. The first segment is the header.
  func endSegment() throws(LibAVError) { try muxer.endFragment() }

  /// Makes everything that was written so far durable; in a movie, in a fragment that ends here.
  ///
  /// - Throws: the errors of writing; the file then ends with the previous fragment.
  func endInterval() throws(LibAVError) {
    try muxer.endFragment()
    if destination.hybrid != nil, !hasFragmentHeader {
      // The first call has written only the header.
      hasFragmentHeader = true
      try muxer.endFragment()
    }
    guard destination.hybrid == nil, let file = destination.file else { return }
    let written = Durable(
      size: file.size, packets: streams.indices.map { packetCount(of: $0) }, ends: ends)
    try asLibAVError(updateHeader(of: file, endingAt: written.end))
    try asLibAVError(file.flushData())
    durable = written
  }

  /// Truncates a file other than a movie to its last interval, also after a failure.
  ///
  /// - Returns: the remaining contents; nil if no interval has ended.
  func endWithInterval() -> Durable? {
    guard let durable, let file = destination.file else { return nil }
    do throws(SystemError) {
      try file.truncate(to: durable.size)
      try updateHeader(of: file, endingAt: durable.end)
      try file.flush()
    } catch {
      // The file can be played with the excess bytes, too.
    }
    return durable
  }

  /// Updates the lengths in a file's header.
  private func updateHeader(of file: OutputFile, endingAt end: Time) throws(SystemError) {
    if format.statesLengths {
      if waveLengths == nil { waveLengths = try WaveLengths(file) }
      try waveLengths?.write(to: file)
    }
    if format.statesSampleCount { try setLengthOfFLAC(end, in: file) }
  }

  // MARK: - The end

  /// Writes the end of the file, and the parts that no muxer writes.
  ///
  /// - Parameter end: the time at which longer tracks of a movie end; nil for no limit.
  func finish(endingAt end: Time? = nil) throws(LibAVError) {
    for (_, held) in lastPackets.sorted(by: { $0.key < $1.key }) { try muxer.write(&held.value) }
    try muxer.finish()
    if let hybrid = destination.hybrid {
      if hybrid.hasFragments { try asLibAVError(hybrid.complete(endingAt: end)) }
    } else if let file = destination.file {
      if format.guessesLastDuration, let end {
        try asLibAVError(WebPDurations.correct(file, endingAt: end))
      }
      if format.isPaddedWithNullPackets { try asLibAVError(pad(file)) }
      if format.statesSampleCount, let end, hasEncodedTracks {
        try asLibAVError(setLengthOfFLAC(end, in: file))
      }
      if let layout = format.editableTags, !metadata.severalValues.isEmpty {
        joinedValues = try asLibAVError(
          TagValues.write(
            metadata.severalValues, layout, to: file, interrupt: destination.interrupt))
      }
      if format.hasMovieHeader, !destination.isFragmented {
        try asLibAVError(rewriteIndex(of: file, endingAt: hasEditLists ? end : nil))
      }
    }
    try asLibAVError(destination.interrupt.check(.finish))
  }

  private var movieItems: MovieItemBoxes {
    metadata.movie ?? MovieItemBoxes([], isQuickTime: format.metadata.prefersUserData)
  }

  private func rewriteIndex(of file: OutputFile, endingAt end: Time?) throws(SystemError) {
    let rewriter = MoovRewriter(
      file: file, items: movieItems, tracks: streams.map(\.boxes), brand: format.brand,
      isIndexFirst: destination.isIndexFirst,
      end: end, interrupt: destination.interrupt)
    try rewriter.run(destination.progress)
  }

  /// Writes the number of samples into the header of FLAC. An encoder knows it only when it is
  /// drained, which doesn't happen if a limit stopped it (RFC 9639, section 8.2).
  private func setLengthOfFLAC(_ end: Time, in file: OutputFile) throws(SystemError) {
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

  /// Fills up a short transport stream with null packets (ISO/IEC 13818-1, 2.4.3.3). Programs
  /// recognise the format by the number of its packets, libavformat by eleven.
  private func pad(_ file: OutputFile) throws(SystemError) {
    let packet: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + Array(repeating: 0xff, count: 184)
    while file.size < 16 * packet.count { try file.write(packet[...], at: file.size) }
  }

  /// Makes the file durable and sets its name.
  ///
  /// - Parameter willCommit: called when only the renaming remains; if it throws, no file is left.
  /// - Throws: `exists` if a file has appeared at the path in the meantime. That file isn't
  ///   changed.
  func commit(willCommit: () throws(SystemError) -> Void = {}) throws(SystemError) {
    guard let file = destination.file, !destination.isFragmented, !destination.isNamed
    else {
      // The target has its name already, or is no file.
      try willCommit()
      return try destination.file?.flush() ?? ()
    }
    try file.commit(
      interrupt: destination.interrupt, progress: destination.progress, willCommit: willCommit)
  }

  /// Removes the written file; without effect on a file that has its name.
  func abandon() { destination.file?.discard() }
}
