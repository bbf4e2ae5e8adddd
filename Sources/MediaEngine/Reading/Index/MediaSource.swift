import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The file of an asset: opened once, with its container's facts and its sample indexes in memory.
///
/// Everything made from the asset (generators, readers, sessions) shares it, each with a demuxer of
/// its own over the same descriptor: replacing the file under its name changes nothing.
final class MediaSource: Sendable {
  let path: String
  let configuration: EngineConfiguration
  let container = SingleFlight<Container>()
  let movieHeader = SingleFlight<Movie?>()
  private let stillPicture = SingleFlight<StillPicture?>()
  private let imageAnimation = SingleFlight<ImageAnimation?>()
  private let paddedSamples = SingleFlight<PaddedSamples?>()
  private let images = SingleFlight<ImageSequenceFiles>()
  private let webPAnimation = SingleFlight<WebPAnimation?>()
  private let taggedFile = SingleFlight<TaggedFile?>()
  let containerLayout = SingleFlight<ContainerLayout>()
  let indexes = SingleFlight<[Int: SampleIndex]>()
  /// Opens and indexes the file for all callers that need it, on a thread of its own.
  let preparation = MediaPreparation()
  /// By their streams, the indexes of tracks whose sync samples have been looked at.
  let checks = Mutex<[Int: SingleFlight<SampleIndex>]>([:])
  /// By their streams, audio whose samples have been counted; nil where they can't be.
  let countedAudio = Mutex<[Int: CountedAudio?]>([:])
  /// By their streams, the parts of indexes that have been read.
  let windows = Mutex<[Int: IndexWindows]>([:])
  /// The segments of a clock that begins again, of a large file in which a few probes haven't shown
  /// it.
  let lateClock = Mutex<ClockSegments?>(nil)

  /// The location of the bytes.
  enum Origin {
    case file(FileLocation)
    case resource(AssetResource)
    /// Numbered pictures, by a pattern of their names, a folder, or the name of the first.
    case images(FileLocation, ImageSequence)
    /// A movie that another source has open, whose edit lists are left alone: its times are the media's.
    case media(of: MediaSource)
  }
  private let origin: Origin
  /// True to read and export the rest of a file that is cut short or damaged; missing samples are reported.
  let salvages: Bool
  /// True for exact times of tracks where the container has estimates: all of the file is read for them.
  let prefersPreciseTiming: Bool
  /// The name of the character set of text that isn't UTF-8; nil where that is guessed.
  let characterSet: String?
  /// The time by which the cues of a file of subtitles are later.
  let timeOffset: Time
  /// Returns the frame duration of the video that a file of subtitles is for; nil for a file of its own.
  let videoFrameDuration: FrameDurationOfVideo?
  /// The frames per second of subtitles that count frames and don't state their rate.
  let subtitleFrameRate = Mutex<Rational?>(nil)
  /// True once reading has shown that the file is cut short, which its structure may not.
  let hasEndedEarly = Mutex(false)

  /// By their streams, the character sets of text in containers that isn't UTF-8.
  let characterSets = Mutex<[Int: SingleFlight<CharacterSet>]>([:])

  init(
    _ origin: Origin, configuration: EngineConfiguration, salvages: Bool = false,
    prefersPreciseTiming: Bool = false, characterSet: String? = nil, timeOffset: Time = .zero,
    videoFrameDuration: FrameDurationOfVideo? = nil
  ) {
    (self.timeOffset, self.videoFrameDuration) = (timeOffset, videoFrameDuration)
    self.origin = origin
    (self.salvages, self.prefersPreciseTiming) = (salvages, prefersPreciseTiming)
    self.characterSet = characterSet
    path =
      switch origin {
      case .file(let location), .images(let location, _): location.path
      case .resource(let resource): resource.description.name
      case .media(let edited): edited.path
      }
    self.configuration = configuration
  }

  deinit {
    DemuxerPool.shared.removeAll(of: ObjectIdentifier(self))
    if case .resource(let resource) = origin { resource.end() }
  }

  /// The files that it is made of, by their paths.
  var files: [String] {
    switch origin {
    case .file: [path]
    case .resource: []
    // Known once they have been listed.
    case .images: (container.value?.file as? FileSequence)?.paths ?? []
    case .media(let edited): edited.files
    }
  }

  /// True while a read waits for the bytes that a client supplies.
  var isWaitingForBytes: Bool {
    switch origin {
    case .resource(let resource): resource.source.isWaiting
    case .media(let edited): edited.isWaitingForBytes
    case .file, .images: false
    }
  }

  /// True where times are the media's: no edit list is applied.
  var ignoresEditLists: Bool { edited != nil }

  /// The source whose edit lists this one leaves alone; nil for one that is opened in its own right.
  private var edited: MediaSource? {
    if case .media(let edited) = origin { edited } else { nil }
  }

  private func requireLocal(_ location: FileLocation) throws(EngineError) {
    guard let scheme = location.foreignScheme else { return }
    throw EngineError(
      .pathNotAllowed, "'\(path)' is a URL of the scheme \(scheme), which is not allowed",
      advice: .giveLocalPath, path: path, stage: .open)
  }

  private func openBytes(interrupt: Interrupt) throws(EngineError) -> any ByteSource {
    switch origin {
    case .file(let location):
      try requireLocal(location)
      let file = try mapErrors(.open, path: path) {
        () throws(SystemError) -> any ByteSource in
        if let bytes = location.bytes {
          return try InputFile(path: path, bytes: bytes, roots: configuration.roots)
        }
        return try configuration.openSource(path, configuration.roots)
      }
      return try movieOfAnimation(file, interrupt: interrupt) ?? file
    case .resource(let resource):
      try mapErrors(.open, path: path) { () throws(SystemError) in
        try resource.source.prepare(interrupt: interrupt)
      }
      return try movieOfAnimation(resource.source, interrupt: interrupt) ?? resource.source
    case .images(let location, let sequence):
      try requireLocal(location)
      return try images.get(interrupt: interrupt) { () throws(EngineError) in
        try ImageSequenceFiles(
          location, sequence, roots: configuration.roots, interrupt: interrupt)
      }.source
    case .media(let edited): return try edited.open(interrupt: interrupt).file
    }
  }

  /// The movie that an animated WebP file is read as; nil for other files.
  private func movieOfAnimation(
    _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> (any ByteSource)? {
    try webPAnimation.get(interrupt: interrupt) { () throws(EngineError) in
      try WebPAnimation(file, salvages: salvages, interrupt: interrupt)
    }?.source
  }

  /// Up to this size, in bytes, all samples of a file are indexed where a part of them would do.
  static let smallFile: Int64 = 16 << 20

  /// Facts of a container, found by opening the file.
  struct Container: Sendable {
    let file: any ByteSource
    /// In bytes.
    let size: Int64
    let demuxer: DemuxerTraits
    /// libavformat's name of the demuxer, aliases included.
    let formatName: String
    let streams: [StreamInfo]
    let metadata: [Tag]
    /// Of each programme of a transport stream.
    let programMetadata: [[Tag]]
    let chapters: [Chapter]
    let durationIsEstimate: Bool
    /// Seconds × 1,000,000 as libav states it, nil when it knows none.
    let duration: Int64?
    /// The presentation time, on the container's clock, that is the asset's time zero.
    let origin: Time
    let attachedPictures: [Int: [UInt8]]
    /// The links of an Ogg file.
    let chain: OggChain?
    /// The segments of a clock that begins again.
    let clock: ClockSegments?
    /// The indexes of a small file that states no duration, or whose clock may begin again, and of a movie
    /// with several sample descriptions in a track, which will be needed.
    let indexes: [Int: SampleIndex]?
    /// Of a file of subtitles, how its text is read.
    let text: TextFile?
  }

  /// Returns the container's facts, opening the file at the first call.
  func open(interrupt: Interrupt) throws(EngineError) -> Container {
    try container.get(interrupt: interrupt) { () throws(EngineError) in
      let bytes = try openBytes(interrupt: interrupt)
      try requireTrackNumbers(bytes, interrupt: interrupt)
      let descriptions = try sampleDescriptionUse(bytes, interrupt: interrupt)
      var file = descriptions?.source(bytes) ?? bytes
      var text: TextFile?
      var demuxer = try openDemuxer(&file, &text, interrupt: interrupt)
      var pictures: [Int: [UInt8]] = [:]
      for stream in demuxer.streams where stream.attachedPictureSize > 0 {
        pictures[stream.index] = demuxer.attachedPicture(stream: stream.index)
      }
      let movie = movieHeader.value ?? nil
      var origin = edited == nil ? MediaSource.origin(of: demuxer, movie) : .zero
      // libavformat's reading of a movie's header depends on its version.
      var duration = movie?.statedMicroseconds ?? demuxer.duration
      // Of a chained file these are the first link's, which reading moves beyond.
      var metadata = demuxer.metadata
      let chapters = demuxer.chapters
      var streams = try demuxer.streams.map(textHeaderAsUTF8)
      if isMadeMovie {
        // The header is no file's.
        metadata = []
        for stream in streams.indices { streams[stream].metadata = [] }
      }
      let durationIsEstimate = demuxer.durationIsEstimate
      let size = try mapErrors(.open, path: path) { () throws(SystemError) in try bytes.size }
      var traits = DemuxerTraits(formatName: demuxer.formatName)
      if traits.miscountsPictures, !demuxer.countsPicturesRightly(size: size) {
        duration = nil
        for stream in streams.indices { streams[stream].duration = nil }
      }
      if demuxer.chain?.isChained != true, let exact = traits.removeStatedPriming(from: &streams) {
        duration = exact
      }
      if let stated = duration, !durationIsEstimate {
        duration = try durationFromOrigin(
          stated, origin, traits, of: file, scale: streams.first?.timeBase, interrupt: interrupt)
      }
      if timeOffset != .zero {
        try requireText(traits)
        origin = origin - timeOffset
        duration = nil
      }
      let isSmall = size <= MediaSource.smallFile && !configuration.alwaysIndexesWindows
      var clock = ObservedClock()
      if let descriptions {
        clock.indexes = try describe(&streams, by: descriptions, bytes, interrupt: interrupt)
      } else if demuxer.clockMayBeginAgain {
        clock = try observeClock(&demuxer, of: file, size: size, isSmall: isSmall, interrupt)
      } else if isSmall, duration == nil {
        // A file that can't be read to its end has its facts all the same.
        clock.indexes = try? scan(&demuxer, streams: streams, trustsTables: false)
        clock.isAtStart = nil
      }
      if clock.segments != nil {
        traits.estimatesDuration = false
        traits.randomAccess = .none
      }
      let container = Container(
        file: file, size: size, demuxer: traits,
        formatName: demuxer.formatName, streams: clock.timed(streams),
        metadata: metadata, programMetadata: demuxer.programMetadata, chapters: chapters,
        durationIsEstimate: durationIsEstimate && clock.segments == nil,
        duration: clock.segments == nil ? duration : clock.duration(of: streams, from: origin),
        origin: origin,
        attachedPictures: pictures, chain: demuxer.chain, clock: clock.segments,
        indexes: clock.indexes, text: text)
      // Most reads of a movie use a demuxer that trusts its tables.
      if let isAtStart = clock.isAtStart, !container.demuxer.hasMovieHeader {
        DemuxerPool.shared.put(OpenDemuxer(demuxer: demuxer, isAtStart: isAtStart), of: self)
      }
      return container
    }
  }

  /// - Throws: `incorrectlyConfigured` for a file of which not all is text.
  private func requireText(_ traits: DemuxerTraits) throws(EngineError) {
    guard !traits.isText else { return }
    throw EngineError(
      .incorrectlyConfigured,
      "'\(path)' is no file of subtitles, and only their times can have an offset",
      advice: .offsetSubtitlesOnly, path: path, stage: .open)
  }

  /// Opens the first demuxer.
  ///
  /// - Parameters:
  ///   - file: is replaced by UTF-8 for a file of text.
  ///   - text: becomes the facts of a file of text.
  private func openDemuxer(
    _ file: inout any ByteSource, _ text: inout TextFile?, interrupt: Interrupt
  ) throws(EngineError) -> Demuxer {
    let stated = try characterSet.map { name throws(EngineError) in try CharacterSet.named(name) }
    let wide = try TextFile.fromUTF16(file, stated: stated, interrupt: interrupt)
    if let wide { file = wide.source }
    let demuxer = try makeFirstDemuxer(file, interrupt: interrupt)
    let traits = DemuxerTraits(formatName: demuxer.formatName)
    guard traits.isText else { return demuxer }
    let isTimed = try learnFrameRate(traits, interrupt: interrupt)
    text = try TextFile(file, from: wide?.characterSet, stated: stated, interrupt: interrupt)
    guard let source = text?.source ?? (isTimed ? file : nil) else { return demuxer }
    file = source
    return try makeDemuxer(source, interrupt: interrupt)
  }

  /// Opens a demuxer of a file of which nothing is known. Where libavformat fails because of
  /// encryption, the error is `contentIsProtected`; where a movie has no index, its message names
  /// that.
  private func makeFirstDemuxer(
    _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> Demuxer {
    do throws(EngineError) {
      return try makeDemuxer(file, interrupt: interrupt)
    } catch {
      let isUnreadable = error.code == .fileFormatNotRecognized || error.code == .fileFailedToParse
      guard isUnreadable else { throw error }
      var failure = error
      if let movie = try? Movie.read(file, interrupt: interrupt) {
        guard movie.tracks.contains(where: \.isProtected) else { throw error }
        failure.code = .contentIsProtected
        failure.message = "'\(path)' is encrypted, and FFmpeg can't read it: \(error.message)"
        failure.advice = .useFileWithoutProtection
      } else if (try? Movie.lacksIndex(file, interrupt: interrupt)) == true {
        failure.message =
          "'\(path)' is cut short: it has no index (moov atom not found), which movies that are being "
          + "recorded get at their end"
        failure.advice = .getWholeFile
      } else if (try? TextFile.isTTML(file, interrupt: interrupt)) == true {
        failure.message = "'\(path)' is TTML, a form of subtitles that isn't read"
        failure.advice = .convertSubtitles
      }
      throw failure
    }
  }

  /// Refuses a movie in fragments with a track that has no number: libavformat's mov demuxer then takes
  /// an error code for a fragment's place in its list and counts up from there, a billion steps for
  /// each run of samples, without looking at its interrupt (`update_frag_index` and `mov_read_trun`, up
  /// to 7.1).
  private func requireTrackNumbers(
    _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) {
    let movie: Movie?
    do throws(EngineError) {
      movie = try movieHeader.get(interrupt: interrupt) { () throws(EngineError) in
        if let edited { return try edited.movie(interrupt: interrupt)?.withoutEdits }
        return try Movie.read(file, interrupt: interrupt)
      }
    } catch {
      // The demuxer would wait once more.
      if error.code == .resourceTimedOut { throw error }
      // A header that can't be read is the demuxer's to complain about.
      movie = nil
    }
    guard let movie, movie.containsFragments,
      movie.tracks.contains(where: { !$0.hasNumber })
    else { return }
    throw EngineError(
      .fileFailedToParse, "'\(path)' is a movie in fragments, one of whose tracks has no number",
      advice: .getHeaderAgain, path: path,
      stage: .open)
  }

  /// Returns the description of each sample, where a track has several.
  private func sampleDescriptionUse(
    _ bytes: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> SampleDescriptionUse? {
    guard let movie = movieHeader.value ?? nil else { return nil }
    return try SampleDescriptionUse.read(bytes, movie: movie, interrupt: interrupt)
  }

  /// Returns the boxes of a movie's header; nil for other containers and headers that can't be
  /// read.
  func movie(interrupt: Interrupt) throws(EngineError) -> Movie? {
    let container = try open(interrupt: interrupt)
    guard container.demuxer.hasMovieHeader else { return nil }
    return try movieHeader.get(interrupt: interrupt) { () throws(EngineError) in
      if let edited { return try edited.movie(interrupt: interrupt)?.withoutEdits }
      return try Movie.read(container.file, interrupt: interrupt)
    }
  }

  /// The pictures of a sequence that is open; nil for all else.
  var imageSequence: ImageSequenceFiles? { edited?.imageSequence ?? images.value }
  /// The animated WebP file that is read; nil for other files.
  var animation: WebPAnimation? { edited?.animation ?? webPAnimation.value ?? nil }
  /// True if the movie that is read is no file's: of images, or of the frames of an animation.
  var isMadeMovie: Bool { imageSequence != nil || animation != nil }

  /// True for a file, any part of which can be read at once.
  var isFile: Bool { if case .file = origin { true } else { false } }

  /// Returns the tags of a file whose tags are a block of their own; nil for other containers.
  ///
  /// - Throws: `operationNotSupportedForAsset` for tags that can't be read.
  func tags(interrupt: Interrupt) throws(EngineError) -> TaggedFile? {
    let container = try open(interrupt: interrupt)
    guard let layout = container.demuxer.tagLayout else { return nil }
    return try taggedFile.get(interrupt: interrupt) { () throws(EngineError) in
      do throws(SystemError) {
        return try TaggedFile(layout, of: container.file, interrupt: interrupt)
      } catch {
        throw EngineError(tags: error, path: path)
      }
    }
  }

  /// Opens a separate demuxer at the start of the file.
  func makeDemuxer(interrupt: Interrupt) throws(EngineError) -> Demuxer {
    try makeDemuxer(try open(interrupt: interrupt).file, interrupt: interrupt)
  }

  func makeDemuxer(
    _ file: any ByteSource, trustsTables: Bool = false, clock: ClockSegments? = nil,
    known: KnownStreams? = nil, recodesText: Bool = true, interrupt: Interrupt
  ) throws(EngineError) -> Demuxer {
    var options = Demuxer.Options()
    options.known = known
    options.textRecoder = recodesText ? SourceTextRecoder(self) : nil
    options.trustsTables = trustsTables
    options.ignoresEditLists = edited != nil
    options.subtitleFrameRate = subtitleFrameRate.withLock(\.self)
    options.chain = container.value?.chain
    options.clock = clock ?? self.clock
    options.patches = (movieHeader.value ?? nil)?.patches ?? []
    options.delays = (movieHeader.value ?? nil)?.fragmentDelays ?? []
    options.stillPicture = try stillPicture.get(interrupt: interrupt) { () throws(EngineError) in
      if let images = imageSequence { return StillPicture(codec: images.codec) }
      if let animation {
        var picture = StillPicture(codec: "webp")
        picture.animation = animation.canvas
        return picture
      }
      return try StillPicture.read(from: file, interrupt: interrupt)
    }
    options.isOpaque = try imageAnimation(of: file, interrupt: interrupt)?.isOpaque ?? false
    if let padded = try paddedSamples(of: file, interrupt: interrupt) {
      options.patches.append(padded.patch)
      options.validBits = padded.validBits
    }
    options.additionalFormats = configuration.additionalFormats
    options.maximumStreams = configuration.maximumStreams
    let demuxer = try mapErrors(.open, path: path) { () throws(LibAVError) in
      try Demuxer(source: file, interrupt: interrupt, options: options)
    }
    guard !demuxer.streams.isEmpty else {
      throw EngineError(
        .fileFailedToParse, "'\(path)', of the format \(demuxer.formatName), has no stream",
        path: path, stage: .probe)
    }
    return demuxer
  }

  private func imageAnimation(
    of file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> ImageAnimation? {
    guard !isMadeMovie else { return nil }
    return try imageAnimation.get(interrupt: interrupt) { () throws(EngineError) in
      try mapErrors(.open, path: path) { () throws(SystemError) in
        try ImageAnimation.read(file, readsAll: isFile, interrupt: interrupt)
      }
    }
  }

  private func paddedSamples(
    of file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> PaddedSamples? {
    guard !isMadeMovie else { return nil }
    return try paddedSamples.get(interrupt: interrupt) { () throws(EngineError) in
      try mapErrors(.open, path: path) { () throws(SystemError) in
        try PaddedSamples.read(file, interrupt: interrupt)
      }
    }
  }

  /// The number of times that an animation of images is played, 0 for ever again; nil for other files, and before the
  /// file is open.
  var playCount: Int? { animation?.playCount ?? (imageAnimation.value ?? nil)?.playCount }

  /// Returns the asset's time zero on the container's clock, by ``DemuxerTraits/Origin``.
  private static func origin(of demuxer: borrowing Demuxer, _ movie: Movie?) -> Time {
    let rule = DemuxerTraits(formatName: demuxer.formatName).origin
    guard let start = demuxer.startTime, rule != .zero || movie?.isFar(from: start) == true else {
      return .zero
    }
    if rule == .firstSampleFromZero, start < 0 { return .zero }
    let stated = Time(value: start, timescale: 1_000_000)
    // The same moment on the clock of the track that begins it, which microseconds may have rounded.
    let exact = demuxer.streams.compactMap { stream -> Time? in
      guard let first = stream.startTime else { return nil }
      let time = Time(ticks: first, in: stream.timeBase)
      let difference = (time - stated).absoluteValue
      return difference <= Time(value: 1, timescale: 1_000_000) ? time : nil
    }
    return exact.first ?? stated
  }
}
