internal import CLibAV
import SystemIO

/// A demuxer of a container: its streams, tags and chapters, and its packets in file order.
///
/// Synchronous and single-threaded. Opens nothing but its source: no second file, no network, no
/// playlists (reliability, lock-down recipe).
@safe package struct Demuxer: ~Copyable {
  private(set) var context: UnsafeMutablePointer<AVFormatContext>
  private var input: InputStream
  package let streams: [StreamInfo]
  /// The links of an Ogg file, for other demuxers of it.
  package let chain: OggChain?
  /// The link of a chained Ogg file that is being read.
  package private(set) var link = 0
  package let source: any ByteSource
  let options: Options
  let behavior: DemuxerBehavior
  /// The codecs of streams with transparency in a stream of its own.
  private let separateAlpha: [Int: String]
  /// True if samples are frames of an animation, which may depend on others whatever their codec.
  let isAnimation: Bool
  private var selection: Set<Int>?
  private let packetTable: PacketTable?
  /// The delays by which the times of short Vorbis streams are too late, by stream number.
  var shortVorbisDelays: [Int: Int64] = [:]
  private var clockPlaces: [Int]
  var clockBuilder: ClockSegmentsBuilder?
  private var hasEndedEarly = false
  private var following: FollowingFile?
  /// True if ``damage`` is another file after this one.
  package private(set) var isFollowed = false
  /// The delays of movie tracks, by stream number.
  private let delays: [Int: FragmentDelay]
  private var filters: [Int: PacketFilter] = [:]
  /// The reason for which reading has ended before the end of the file, although the source could
  /// be read: the following bytes are damaged, or no media. Nil after an ordinary end.
  package private(set) var damage: LibAVError?

  package init(
    source: any ByteSource, interrupt: Interrupt, options: Options = Options()
  ) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let source = options.stillPicture?.source ?? source
    let chain: OggChain?
    if let known = options.chain {
      chain = known
    } else {
      chain = try OggChain(of: source, interrupt: interrupt, options: options)
    }
    let first = chain.flatMap { chain in
      chain.isChained || chain.links[0].bytes.lowerBound > 0
        ? SourceWindow(source, chain.links[0].bytes) : nil
    }
    let document = try asLibAVError(
      EBMLElement.followedDocument(of: source, ByteReader(source, interrupt: interrupt)))
    let input = try InputStream(
      source: first ?? document.map { SourceWindow(source, 0..<$0) } ?? source,
      interrupt: interrupt)
    input.patches = options.patches
    let opened = try unsafe Demuxer.open(input, options: options)
    let behavior = DemuxerBehavior(unsafe string(opened.pointee.iformat.pointee.name) ?? "")
    let table: PacketTable?
    do throws(LibAVError) {
      table =
        try behavior.hasPacketTable
        ? asLibAVError(PacketTable(of: source, interrupt: interrupt)) : nil
      var streams: [StreamInfo] = []
      for index in 0..<Int(unsafe opened.pointee.nb_streams) {
        if let stream = unsafe opened.pointee.streams[index] {
          var info = try unsafe StreamInfo(stream)
          if let filter = unsafe behavior.filter(of: stream) {
            info.parameters = try unsafe CodecParameters(copying: filter.parameters)
            filters[index] = filter
          }
          streams.append(info)
        }
      }
      let still = options.stillPicture
      let isStill =
        behavior.isOfStillPictures || still?.source != nil
        || (still?.codec != nil && still?.animation == nil)
      for index in streams.indices {
        streams[index].format.isStillPicture = isStill
        if behavior.misjudgesDuration { streams[index].duration = nil }
        if let table {
          (streams[index].startTime, streams[index].duration) = (0, table.valid)
        }
        if behavior.hasPacketTable {
          let parameters = streams[index].parameters
          let priming = table?.priming ?? 0
          let extradata = PacketTable.extradata(of: parameters, priming: priming)
          guard table != nil || extradata != parameters.extradata else { continue }
          streams[index].parameters = try parameters.replacing(
            extradata: extradata, initialPadding: Int(priming))
        }
      }
      if let grid = options.stillPicture?.tiles, !streams.isEmpty {
        streams[0].format.tiles = grid
        streams[0].parameters = try CodecParameters(
          streams[0].parameters, width: grid.width, height: grid.height)
      }
      if let canvas = still?.animation, !streams.isEmpty {
        streams[0].format.animation = canvas
        streams[0].parameters = try CodecParameters(
          CodecParameters(streams[0].parameters, as: canvas.pixelFormat), width: canvas.width,
          height: canvas.height)
      }
      if options.isOpaque, let opaque = streams.first?.parameters.pixelFormat.opaque {
        streams[0].parameters = try CodecParameters(streams[0].parameters, as: opaque)
      }
      if let bits = options.validBits, !streams.isEmpty {
        streams[0].parameters = try CodecParameters(streams[0].parameters, validBits: bits)
      }
      delays = unsafe Demuxer.removeDelays(options.delays, from: &streams, of: opened)
      self.streams = chain?.isChained == true ? chain?.streams ?? streams : streams
    } catch {
      var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe opened
      unsafe avformat_close_input(&closing)
      throw error
    }
    self.behavior = behavior
    let separate = streams.filter(\.format.hasSeparateAlpha)
    separateAlpha = Dictionary(separate.map { ($0.index, $0.parameters.codecName) }) { $1 }
    isAnimation = options.stillPicture?.animation != nil
    self.chain = chain
    self.source = source
    following = FollowingFile(behavior, known: document)
    self.options = options
    packetTable = table
    clockPlaces = Array(repeating: 0, count: options.clock?.anchors.count ?? 0)
    unsafe self.context = opened
    self.input = input
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe self.context
    unsafe avformat_close_input(&context)
    ProcessInformation.trimHeap()
  }

  private static func lockDown(
    _ context: UnsafeMutablePointer<AVFormatContext>, input: InputStream, options: Options
  ) {
    let formats = Library.allowedDemuxers + options.additionalFormats
    let limits = Library.limits
    unsafe context.pointee.pb = input.context
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    if options.trustsTables || options.stillPicture?.packetSize != nil {
      unsafe context.pointee.flags |= AVFMT_FLAG_NOPARSE
    }
    unsafe context.pointee.probesize = limits.probeSize
    unsafe context.pointee.max_analyze_duration = limits.analyzeDuration
    unsafe context.pointee.max_streams = options.maximumStreams
    unsafe context.pointee.interrupt_callback = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque = unsafe opaque else { return 0 }
        let stream = unsafe Unmanaged<InputStream>.fromOpaque(opaque).takeUnretainedValue()
        return stream.interrupt.isTriggered ? 1 : 0
      }, opaque: Unmanaged.passUnretained(input).toOpaque())
    unsafe rw_format_deny_nested_io(context)
    unsafe av_opt_set(context, "format_whitelist", formats.joined(separator: ","), 0)
    unsafe av_opt_set(context, "protocol_whitelist", "none", 0)
  }

  /// Opens and probes the source.
  private static func open(
    _ input: InputStream, options: Options
  ) throws(LibAVError) -> UnsafeMutablePointer<AVFormatContext> {
    guard let context = unsafe avformat_alloc_context() else { throw outOfMemory("open") }
    unsafe Demuxer.lockDown(context, input: input, options: options)
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    let name = input.source.name
    var formatOptions = unsafe options.dictionary
    let result = unsafe avformat_open_input(&opened, nil, nil, &formatOptions)
    unsafe av_dict_free(&formatOptions)
    guard result >= 0, let opened = unsafe opened else {
      // avformat_open_input has freed the context.
      try requireUninterrupted(input)
      throw input.failure ?? excess(options, name) ?? refusal(result, name)
    }
    do throws(LibAVError) {
      if let picture = options.stillPicture { try unsafe describe(picture, in: opened, name) }
      if !options.trustsTables { try unsafe probe(opened, options.known, name) }
      if options.stillPicture?.packetSize != nil { unsafe setTimes(ofPicture: opened) }
      if let failure = input.failure { throw failure }
      try requireUninterrupted(input)
      if let excess = excess(options, name) { throw excess }
      return unsafe opened
    } catch {
      var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe opened
      unsafe avformat_close_input(&closing)
      try requireUninterrupted(input)
      throw input.failure ?? error
    }
  }

  /// Throws if the open was interrupted. An interrupted read looks like the end of the file to
  /// libav, which then finds the file broken, or only some of its streams: neither is true.
  private static func requireUninterrupted(_ input: InputStream) throws(LibAVError) {
    guard input.interrupt.isTriggered else { return }
    throw LibAVError(.interrupted, operation: "open", subject: input.source.name, log: [])
  }

  /// The error of a file of too many streams, which libavformat states in its log alone: `avformat_new_stream`.
  private static func excess(_ options: Options, _ name: String) -> LibAVError? {
    let log = Log.linesOfThisThread()
    guard log.contains(where: { $0.contains("max_streams") }) else { return nil }
    return LibAVError(
      .tooManyStreams, operation: "open", subject: name,
      detail: "it has more than \(options.maximumStreams) streams", log: log)
  }

  private static func refusal(_ result: Int32, _ name: String) -> LibAVError {
    let code = LibAVError.Code(rawValue: result)
    return LibAVError(
      code, operation: "open", subject: name,
      // A recognised format that isn't on the whitelist shows as EINVAL.
      detail: code == .invalidArgument
        ? "its format is recognised, and isn't one of those that are read"
        : nil)
  }

  // MARK: Container

  /// The demuxer's name in libav, aliases included: "mov,mp4,m4a,3gp,3g2,mj2".
  package var formatName: String { unsafe string(context.pointee.iformat.pointee.name) ?? "" }
  /// The earliest start of all streams, in microseconds.
  package var startTime: Int64? {
    guard let start = timestamp(unsafe context.pointee.start_time) else { return nil }
    guard !delays.isEmpty else { return start }
    let starts = streams.compactMap { stream in
      stream.startTime.map {
        av_rescale_q($0, stream.timeBase.rational, TimeBase(1, 1_000_000).rational)
      }
    }
    return starts.min() ?? start
  }
  /// The duration in microseconds, nil when unknown.
  package var duration: Int64? {
    if let chain, chain.isChained { return chain.duration }
    if behavior.misjudgesDuration { return nil }
    if let packetTable, let clock = streams.first?.timeBase {
      return av_rescale_q(packetTable.valid, clock.rational, TimeBase(1, 1_000_000).rational)
    }
    return unsafe context.pointee.duration > 0 ? context.pointee.duration : nil
  }
  /// True when the duration is a guess from the bit rate.
  package var durationIsEstimate: Bool {
    unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }
  package var metadata: [Tag] { unsafe tags(context.pointee.metadata) }
  package var chapters: [Chapter] {
    (0..<Int(unsafe context.pointee.nb_chapters)).compactMap { index in
      guard let chapter = unsafe context.pointee.chapters[index]?.pointee else { return nil }
      return unsafe Chapter(
        id: Int64(chapter.id), timeBase: TimeBase(chapter.time_base), start: chapter.start,
        end: chapter.end, metadata: tags(chapter.metadata))
    }
  }

  /// The names of a transport stream's programmes in its tables, without their streams.
  package var programMetadata: [[Tag]] {
    (0..<Int(unsafe context.pointee.nb_programs)).compactMap { index in
      unsafe context.pointee.programs[index].map { unsafe tags($0.pointee.metadata) }
    }
  }

  // MARK: Packets

  /// Chooses the streams whose packets are wanted; the packets of others are skipped, unread where
  /// possible.
  package mutating func select(streams wanted: Set<Int>) {
    selection = wanted
    guard chain?.isChained != true else { return }
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      unsafe context.pointee.streams[index]?.pointee.discard =
        wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Returns true if packets of a stream have been chosen explicitly, not only left in.
  func isSelected(_ stream: Int) -> Bool { selection?.contains(stream) ?? false }

  /// Reads packets without their bytes where the file's bytes lie in `ranges`, which are in order and
  /// apart from each other: zeros stand for them. For callers that need times and positions only.
  package mutating func skipPayload(_ ranges: [Range<Int64>]) { input.unread = ranges }

  /// Reads the next packet in file order into `packet`; returns false at the end of the file, and
  /// at the ``damage`` that ends it.
  ///
  /// - Throws: the errors of the source, `interrupted`, `outOfMemory`.
  package mutating func read(into packet: inout Packet) throws(LibAVError) -> Bool {
    while damage == nil {
      if try readInLink(into: &packet) {
        guard let chain, chain.isChained else {
          try recodeText(of: &packet)
          return true
        }
        if chain.adopt(packet, ofLink: link), selection?.contains(packet.streamIndex) ?? true {
          return true
        }
      } else {
        guard try openNextLink() else { return false }
      }
    }
    return false
  }

  private mutating func readInLink(into packet: inout Packet) throws(LibAVError) -> Bool {
    packet.clear()
    var result = unsafe av_read_frame(context, packet.pointer)
    while result >= 0, let filter = filters[packet.streamIndex], !filter.apply(to: &packet) {
      packet.clear()
      result = unsafe av_read_frame(context, packet.pointer)
    }
    // A read error of the source often arrives as an end of file.
    if let failure = input.failure { throw failure }
    if result < 0, input.interrupt.isTriggered {
      throw LibAVError(.interrupted, operation: "read", subject: input.source.name, log: [])
    }
    if result < 0 {
      let error = LibAVError(.init(rawValue: result), operation: "read", subject: input.source.name)
      if error.code == .outOfMemory { throw error }
      let declaresDataBeyondEnd = try declaresDataBeyondEnd()
      hasEndedEarly = hasEndedEarly || input.wasReadBeyondEnd || declaresDataBeyondEnd
      try asLibAVError(input.interrupt.check(.read))
      let next = try following?.damage(
        after: error.code, in: input.source, interrupt: input.interrupt)
      if let next {
        (damage, isFollowed) = (next, true)
      } else if error.code != .endOfFile {
        damage = error
      }
      return false
    }
    if following != nil, streams.indices.contains(packet.streamIndex) {
      let clock = streams[packet.streamIndex].timeBase
      damage = try following?.damage(
        before: packet, clock, in: input.source, interrupt: input.interrupt)
      if damage != nil {
        isFollowed = true
        packet.clear()
        return false
      }
    }
    Counters.countPacket()
    // Decoding can begin at a packet whose colours and alpha are both coded without reference to
    // others.
    if packet.isKey, let codec = separateAlpha[packet.streamIndex],
      packet.hasPredictedAlpha(codec == "vp9")
    {
      packet.setKey(false)
    }
    if packet.isKey, isAnimation, !packet.beginsAnimation { packet.setKey(false) }
    if let dts = packet.dts, let position = packet.position {
      let (stated, stream) = (packet.duration, packet.streamIndex)
      let duration = restoredDuration(stated, dts: dts, position: position, ofStream: stream)
      if duration != stated { packet.duration = duration }
    }
    if packet.duration == 0, streams.indices.contains(packet.streamIndex),
      streams[packet.streamIndex].format.hasSubpictures,
      let duration = packet.subpictureDuration(in: streams[packet.streamIndex].timeBase)
    {
      packet.duration = duration
    }
    try placeShortVorbis(&packet)
    if let packetTable {
      let isPadded = streams.first?.parameters.isLossless == false
      try packetTable.adopt(&packet, isPadded: isPadded)
    }
    clockBuilder?.append(packet)
    options.clock?.adopt(packet, places: &clockPlaces)
    delays[packet.streamIndex]?.remove(from: &packet)
    return true
  }

  /// Returns the bytes at a position of the link that is being read.
  func bytesOfLink(at position: Int64, count: Int) throws(SystemError) -> [UInt8] {
    try input.source.bytes(at: position, count: count, interrupt: input.interrupt)
  }

  /// Continues with the next link; returns false at the end of the file.
  private mutating func openNextLink() throws(LibAVError) -> Bool {
    guard damage == nil, let chain, chain.isChained else { return false }
    guard link + 1 < chain.links.count else {
      damage = chain.failure
      return false
    }
    try open(chain, link: link + 1)
    return true
  }

  private mutating func open(_ chain: OggChain, link number: Int) throws(LibAVError) {
    let window = SourceWindow(source, chain.links[number].bytes)
    let input = try InputStream(source: window, interrupt: self.input.interrupt)
    let opened = try unsafe Demuxer.open(input, options: options)
    var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&closing)
    unsafe context = opened
    self.input = input
    shortVorbisDelays = [:]
    link = number
  }

  /// True if the container declares media beyond the end of the file, which is detected when those
  /// bytes are needed or the end is reached.
  package var isTruncated: Bool { !isFollowed && (input.wasReadBeyondEnd || hasEndedEarly) }

  /// Returns true if the tables of a movie or the header of a Matroska file declare bytes beyond
  /// the end. Demuxers take the end of a file that is cut short for the end of its media.
  private func declaresDataBeyondEnd() throws(LibAVError) -> Bool {
    let size = try asLibAVError(input.source.size)
    switch behavior.declaredEnd {
    case .none: return false
    case .segment:
      let segment = try asLibAVError(
        EBMLElement.segment(of: ByteReader(input.source, interrupt: input.interrupt)))
      return segment?.end.map { $0 > size } ?? false
    case .index: return indexedEnd(ofSelected: true) > size
    }
  }

  /// Returns the end of the last sample in the container's own index, in bytes; 0 without an index.
  ///
  /// - Parameter ofSelected: true for the streams whose packets are wanted, false for all.
  package func indexedEnd(ofSelected: Bool = false) -> Int64 {
    var end: Int64 = 0
    for number in streams.indices {
      guard let stream = unsafe context.pointee.streams[number],
        unsafe !ofSelected || stream.pointee.discard != AVDISCARD_ALL
      else { continue }
      for entry in 0..<(unsafe avformat_index_get_entries_count(stream)) {
        guard let sample = unsafe avformat_index_get_entry(stream, entry)?.pointee else { continue }
        let (sampleEnd, overflow) = sample.pos.addingReportingOverflow(Int64(sample.size))
        end = max(end, overflow ? .max : sampleEnd)
      }
    }
    return end
  }

  /// The interrupt of the current work; replaced when the demuxer passes from one user to the next.
  package var interrupt: Interrupt {
    get { input.interrupt }
    set { input.interrupt = newValue }
  }

  /// Moves to a random-access point at or before `timestamp` (ticks of the stream), as a hint.
  package mutating func seek(stream: Int, to timestamp: Int64) throws(LibAVError) {
    Counters.countSeek()
    damage = nil
    following?.restart()
    for filter in filters.values { filter.flush() }
    if let clock = options.clock {
      // By the time stamps, libavformat would search the wrong segment.
      return try seek(toByte: clock.position(ofStream: stream, before: timestamp) ?? 0)
    }
    var (stream, timestamp) = (stream, timestamp)
    if let chain, chain.isChained {
      guard let target = chain.link(ofStream: stream, at: timestamp),
        let (number, place) = chain.place(ofStream: stream, inLink: target)
      else { return }
      if target != link || timestamp <= place.start { try open(chain, link: target) }
      // At the start of a link, a demuxer that has just been opened is right.
      guard timestamp > place.start else { return }
      stream = number
      timestamp = av_rescale_q_rnd(
        timestamp &- place.offset, place.clock.rational, place.timeBase.rational, AV_ROUND_DOWN)
    }
    if let packetTable { timestamp &+= packetTable.priming }
    if let delay = delays[stream] { timestamp &+= max(delay.inTables, delay.inFragments) }
    let result = unsafe av_seek_frame(context, Int32(stream), timestamp, AVSEEK_FLAG_BACKWARD)
    if let failure = input.failure { throw failure }
    try check(result, "seek", input.source.name)
  }

  /// Moves to the first packet after a position in the file, for demuxers that find packets
  /// anywhere.
  package mutating func seek(toByte position: Int64) throws(LibAVError) {
    Counters.countSeek()
    damage = nil
    following?.restart()
    for filter in filters.values { filter.flush() }
    let result = unsafe av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE)
    if let failure = input.failure { throw failure }
    try check(result, "seek", input.source.name)
  }

  /// Returns the image of an attached-picture stream.
  package func attachedPicture(stream: Int) -> [UInt8] {
    guard let stream = unsafe context.pointee.streams[stream],
      let data = unsafe stream.pointee.attached_pic.data
    else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(start: data, count: Int(max(0, stream.pointee.attached_pic.size))))
  }
}
