import LibAV
import MediaTime
import SystemIO

/// The file of a recording from its first sample to its end, on the recording's thread.
final class RecordingWork {
  let file: OutputFile
  private let writer: RecordingWriter
  private let hybrid: HybridMovie?
  /// The interrupt of the stages.
  private let interrupt: Interrupt
  private var pictures: [Int: PushedFrames] = [:]
  private var audio: [Int: PushedAudio] = [:]
  private var stages: [LiveStage] = []
  private var videoStages: [Int: VideoStage] = [:]
  private var audioStages: [Int: AudioStage] = [:]
  private var movie: MovieWriter?
  /// The progress of the muxer.
  private enum Progress: Equatable {
    case beforeHeader, writing
    case finished(RecordingSink.Limit?)
  }
  private var progress = Progress.beforeHeader
  /// The durable part of a file that isn't a movie, after a failure.
  private var left: MovieWriter.Durable?
  /// The end of the file's content; nil before it is known.
  private var end: Time?
  /// The pixels and channels that the file can't hold.
  private var losses: [DroppedItem] = []

  private var configuration: RecordingConfiguration { writer.configuration }
  private var path: String { writer.path }
  private var syncInterval: Time? { configuration.syncInterval ?? configuration.fragmentInterval }
  private var isNamed: Bool { configuration.fragmentInterval != nil }

  init(_ writer: RecordingWriter) throws(EngineError) {
    self.writer = writer
    interrupt = Interrupt(parent: writer.interrupt)
    let isNamed = writer.configuration.fragmentInterval != nil
    file = try mapErrors(.write, path: writer.path) { () throws(SystemError) in
      let file = try OutputFile(path: writer.path, roots: writer.roots, removesStale: true)
      try file.makePrivate()
      // Written fragments are of use, regardless of the end of the writing.
      if isNamed { try file.commit() }
      return file
    }
    let format = writer.fileType.format
    hybrid =
      isNamed && format.hasMovieHeader
      ? HybridMovie(
        file, brand: format.brand, maximumLength: writer.configuration.maximumFileSize) : nil
    if let hybrid {
      let configuration = writer.configuration
      hybrid.willSwitch = { [unowned hybrid] () throws(SystemError) in
        try configuration.willSwitch(hybrid.endOfFragments)
      }
      hybrid.willAppend = configuration.willAppend
    }
  }

  /// Removes the file.
  func remove() {
    if isNamed { file.unpublish() }
    file.discard()
  }

  func run() -> RecordingSummary {
    var failure: EngineError?
    do throws(EngineError) {
      try write()
    } catch {
      failure = error
    }
    return conclude(failure)
  }

  private func write() throws(EngineError) {
    let destination = MovieDestination(
      target: hybrid.map { .hybrid($0) } ?? .file(file), fileType: writer.fileType,
      fragmentInterval: hybrid == nil ? nil : configuration.fragmentInterval,
      endsIntervals: true, isNamed: isNamed, maximumLength: configuration.maximumFileSize,
      interrupt: writer.interrupt)
    let movie = try mapErrors(.write, path: path) { () throws(LibAVError) in
      try MovieWriter(destination, metadata: description.file)
    }
    self.movie = movie
    for (index, track) in configuration.tracks.enumerated() {
      stages.append(
        LiveStage(
          try {
            () throws(EngineError) -> any ExportStage in
            switch track.media {
            case .video(let video): try videoStage(index, video, movie)
            case .audio(let audio): try audioStage(index, audio, movie)
            }
          }()))
    }
    try movie.writeHeader()
    progress = .writing
    for stage in stages { stage.begin(movie) }
    let queues = writer.queues
    let sink = RecordingSink(
      movie, interval: configuration.fragmentInterval,
      frameDurations: configuration.tracks.map(\.frameDuration),
      isStarved: { queues[$0].isIdle },
      hasSpace: configuration.minimumFreeSpace > 0 ? { self.hasSpace } : nil,
      flushes: { [writer] in writer.takeFlushes() })
    let writing = StagedWriting(
      stages, to: movie, sink: sink, priority: .realTime(ready: .zero))
    writer.use(writing.flow)
    sink.willEnd = { [writer] in writer.isEnding = true }
    try writing.run(interrupt: interrupt)
    end = sink.isFull ? sink.end : writing.end
    if let needed = sink.neededLength { throw tooSmall(needed) }
    guard hasContent else { return }
    try mapErrors(.finish, path: path) { () throws(LibAVError) in
      try movie.finish(endingAt: limit)
    }
    progress = .finished(sink.limit)
  }

  /// False where no sample was encoded: some encoders deliver packets even then.
  private var hasContent: Bool {
    pictures.values.contains { $0.taken > 0 } || audio.values.contains { $0.taken > 0 }
  }

  /// The time at which longer tracks are cut; nil where there is none.
  private var limit: Time? {
    let duration = writer.session.range.duration
    guard let end else { return duration.isNumeric ? duration : nil }
    return duration.isNumeric ? min(duration, end) : end
  }

  // MARK: - The end

  /// Completes the file, after a failure as well.
  private func conclude(_ failure: EngineError?) -> RecordingSummary {
    var summary = RecordingSummary(path: path)
    summary.error = failure
    if progress == .writing, !writer.interrupt.isTriggered, failure?.isOfDisk == false, isNamed {
      // The muxer has the packets from before the failure.
      if (try? movie?.finish(endingAt: limit)) != nil { progress = .finished(nil) }
    }
    if let hybrid {
      // After a failure of writing, the durable part.
      if !writer.interrupt.isTriggered { try? hybrid.complete(endingAt: limit) }
      if !hybrid.isPlain { try? hybrid.cutOff() }
      (summary.isPlayable, summary.isPlainMovie) = (hybrid.hasFragments, hybrid.isPlain)
    } else if let movie {
      if case .finished = progress {
        do throws(SystemError) {
          try movie.commit()
          (summary.isPlayable, summary.isPlainMovie) = (true, true)
        } catch {
          summary.error = failure ?? EngineError(error.libAV, stage: .finish, path: path)
          summary.isPlayable = isNamed
        }
      } else if isNamed {
        left = movie.endWithInterval()
        summary.isPlayable = left != nil
      }
    }
    if case .finished(let limit?) = progress { summary.error = error(of: limit) }
    if summary.isPlayable, summary.error?.code == .diskFull {
      summary.error?.advice = .freeDiskSpace
    }
    guard summary.isPlayable, hasContent else {
      (summary.isPlayable, summary.isPlainMovie) = (false, false)
      remove()
      summary.tracks = configuration.tracks.indices.map { facts(of: $0, isEmpty: true) }
      return summary
    }
    summary.tracks = configuration.tracks.indices.map { facts(of: $0, isEmpty: false) }
    summary.fileSize = file.size
    summary.duration = duration
    let joined = movie?.joinedValues ?? []
    summary.dropped = description.dropped + losses + joined.map(DroppedItem.init(joined:))
    writer.didReach(summary.duration)
    return summary
  }

  func error(of limit: RecordingSink.Limit) -> EngineError {
    switch limit {
    case .length:
      EngineError(
        .maximumFileSizeReached,
        "'\(path)' has reached the \(configuration.maximumFileSize) bytes that it may have",
        advice: .raiseRecordingLimit, path: path, stage: .write)
    case .freeSpace:
      EngineError(
        .diskFull,
        "Less than \(Self.size(configuration.minimumFreeSpace)) is free where '\(path)' is written",
        advice: .freeDiskSpace, path: path, stage: .write)
    }
  }

  /// Returns a number of bytes in the largest unit of which it is a multiple, for example `64 MiB`.
  private static func size(_ bytes: Int64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB"]
    var (count, unit) = (bytes, 0)
    while count > 0, count % 1024 == 0, unit + 1 < units.count {
      (count, unit) = (count / 1024, unit + 1)
    }
    return "\(count) \(units[unit])"
  }

  /// Returns the error of a recording whose first sample exceeds the maximum size.
  private func tooSmall(_ needed: Int64) -> EngineError {
    EngineError(
      .maximumFileSizeReached,
      "Nothing can be recorded into '\(path)': with its first sample it has \(needed) bytes, and may have "
        + "\(configuration.maximumFileSize)",
      advice: .raiseRecordingSize, path: path, stage: .write)
  }

  var hasSpace: Bool {
    guard configuration.minimumFreeSpace > 0 else { return true }
    let free = configuration.freeSpace?() ?? file.freeSpace
    return free.map { $0 >= configuration.minimumFreeSpace } ?? true
  }

  /// The duration of the file's content.
  private var duration: Time {
    var duration = end ?? stages.map(\.endTime).max() ?? .zero
    if let hybrid, let movie {
      let ends = stages.indices.compactMap { number in
        hybrid.end(ofTrack: number).map { Time(ticks: $0, in: movie.timeBase(of: number)) }
      }
      duration = min(duration, ends.max() ?? .zero)
    }
    if let left { duration = min(duration, left.end) }
    return limit.map { min($0, duration) } ?? duration
  }

  private func facts(of number: Int, isEmpty: Bool) -> RecordingSummary.Track {
    let track = configuration.tracks[number]
    var facts = RecordingSummary.Track(mediaType: track.mediaType)
    facts.dropped = writer.queues[number].dropped
    facts.taken = Int64(pictures[number]?.taken ?? 0) + (audio[number]?.taken ?? 0)
    guard !isEmpty else { return facts }
    switch track.media {
    case .video:
      let count =
        hybrid?.written(ofTrack: number).count ?? left?.packets[number]
        ?? movie?.packetCount(of: number) ?? 0
      facts.written = Int64(videoStages[number]?.frameCount(ofFirst: count) ?? 0)
    case .audio(let audio):
      guard let source = self.audio[number], let stage = audioStages[number] else { break }
      // A file that has reached a limit, and one after a failure, has fewer samples than were encoded.
      let end = stage.end(ofPackets: end(ofTrack: number))
      let silence = stage.insertedSamples(after: end)
      let lost =
        source.takenUntil - end
        - Time(value: silence, timescale: Int32(clamping: stage.sampleRate))
      let clock = TimeBase(1, Int32(clamping: audio.sampleRate))
      let count = max(0, lost.ticks(in: clock, rounding: .towardNegativeInfinity))
      facts.written = max(0, source.taken - count)
      facts.inserted = stage.insertedSamples - silence
      facts.drift = source.drift
    }
    return facts
  }

  /// The end of a track in the file.
  private func end(ofTrack number: Int) -> Time {
    guard let movie else { return .zero }
    if let hybrid {
      return Time(ticks: hybrid.end(ofTrack: number) ?? 0, in: movie.timeBase(of: number))
    }
    return (left.map { $0.ends[number] } ?? movie.end(of: number)) ?? .zero
  }

  // MARK: - Stages

  private static func zeros(_ count: Int) throws(EngineError) -> DataBuffer {
    let block = try mapErrors(.encode) { () throws(SystemError) in
      try unsafe HeapAllocator().copy([UInt8](repeating: 0, count: count).span.bytes)
    }
    return DataBuffer(block: block)
  }

  private var description: ExportMetadata {
    let presentation = Presentation(
      path: "", tracks: [], pictures: [], metadata: [], tagsAreOfTheFile: false, attachments: [],
      chapters: [])
    return ExportMetadata(
      of: presentation, tracks: [], metadata: configuration.metadata, range: .all,
      newTracks: configuration.tracks.count, fileType: writer.fileType)
  }

  private func trackMetadata(_ number: Int) -> TrackMetadata {
    var metadata = TrackMetadata()
    let type = configuration.tracks[number].mediaType
    let isFirst = !configuration.tracks[..<number].contains { $0.mediaType == type }
    if isFirst { metadata.disposition.insert(.default) }
    metadata.addTags(description.shared)
    if writer.fileType.format.hasMovieHeader { metadata.boxes = MovieTrackBoxes(isEnabled: true) }
    return metadata
  }

  private func videoStage(
    _ number: Int, _ video: RecordingConfiguration.Video, _ movie: MovieWriter
  ) throws(EngineError) -> VideoStage {
    // The encoder is made before the first frame arrives: a blank one has the same format.
    let blank = try PushedPicture(
      SampleBuffer(
        try Self.zeros(video.picture.byteCount), .picture(video.picture), at: .zero))
    let timescale = video.timescale
    let format = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      TrackFormat(
        path: path,
        try MediaFormat(
          ofPictures: blank.layout, color: blank.color,
          frameRate: Rational(framesOf: video.frameDuration) ?? Rational(30, 1)),
        timeBase: TimeBase(1, timescale))
    }
    let frames = PushedFrames(
      writer.queues[number], in: writer.session, format: format, interrupt: interrupt)
    pictures[number] = frames
    let frame = try blank.make()
    var source = VideoSource(pictures: format)
    source.refine(by: frame.value)
    var settings = video.settings
    if let interval = syncInterval?.seconds, settings.keyFrameInterval == nil {
      // Each fragment begins with one: an encoder shouldn't insert another just before.
      settings.keyFrameInterval = 2 * interval
    }
    var metadata = trackMetadata(number)
    if let matrix = video.transform.displayMatrix {
      metadata.sideData.append(SideData(displayMatrix: matrix))
    }
    let encoding = VideoEncoding(settings, in: writer.fileType)
    let configuration = try VideoEncoderConfiguration(
      encoding, of: source, supportsDisplayMatrix: movie.supportsDisplayMatrix)
    if let excess = configuration.excess(ofTrack: Int32(clamping: number + 1)) {
      losses.append(excess)
    }
    let range = TimeRange(start: writer.session.range.start, duration: .positiveInfinity)
    let interval = syncInterval ?? .positiveInfinity
    var boundary = interval
    let stage = try VideoStage(
      VideoStage.Input(
        frames: frames, leading: [], source: source, first: frame, path: path,
        interrupt: interrupt, priority: .realTime(ready: .zero),
        beginsSegment: { time in
          guard time >= boundary else { return false }
          while boundary <= time { boundary = boundary + interval }
          return true
        }), encoding: encoding, metadata, writer: movie
    ) { (timeBase, frameDuration) in
      FrameTimestamps(
        range: range, timeBase: timeBase, usualDuration: video.frameDuration,
        frameDuration: frameDuration, shortest: encoding.shortestFrameDuration)
    } palette: { _ in
      nil
    }
    videoStages[number] = stage
    return stage
  }

  private func audioStage(
    _ number: Int, _ audio: RecordingConfiguration.Audio, _ movie: MovieWriter
  ) throws(EngineError) -> AudioStage {
    let empty = try SampleBuffer(
      audio: try Self.zeros(0), sampleFormat: audio.sampleFormat,
      sampleRate: audio.sampleRate, channels: audio.channels, channelLayout: audio.channelLayout,
      at: .zero)
    guard case .audio(let stated) = empty.content, let layout = AudioLayout(stated) else {
      throw EngineError(.unsupportedOutputSettings, "A track is no linear audio")
    }
    let format = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try MediaFormat(ofAudio: layout)
    }
    let encoding = try AudioEncoderConfiguration(
      AudioEncoding(audio.settings, in: writer.fileType), of: format)
    let loss = encoding.loss(
      of: layout.channels, ofTrack: Int32(clamping: number + 1), in: "the captured samples")
    if let loss { losses.append(loss) }
    let source = PushedAudio(
      writer.queues[number], in: writer.session,
      isOfDevice: audio.correctsDrift || audio.hasJitter, correctsDrift: audio.correctsDrift,
      as: encoding.layout, interrupt: interrupt)
    self.audio[number] = source
    let range = TimeRange(start: writer.session.range.start, duration: .positiveInfinity)
    let stage = try AudioStage(
      source, range: range, limit: .max, encoding: encoding, trackMetadata(number), path: path,
      writer: movie, tolerance: PushedAudio.rounding, fillsGaps: true)
    audioStages[number] = stage
    return stage
  }
}

/// A stage of live samples: none is held back until others have caught up, because samples that aren't read in time are
/// lost.
final class LiveStage: ExportStage {
  private let stage: any ExportStage
  init(_ stage: any ExportStage) { self.stage = stage }
  let holdsOthersBack = false
  var position: Time { stage.position }
  var isAtEnd: Bool { stage.isAtEnd }
  var isVideo: Bool { stage.isVideo }
  var isContinuous: Bool { stage.isContinuous }
  var endTime: Time { stage.endTime }
  var output: EncodedOutput? { get throws(EngineError) { try stage.output } }
  func begin(_ writer: MovieWriter) { stage.begin(writer) }
  func prepare() throws(EngineError) { try stage.prepare() }
  func step(into target: any PacketSink) throws(EngineError) { try stage.step(into: target) }
}

extension RecordingConfiguration.Track {
  /// The frame duration; nil for audio.
  var frameDuration: Time? {
    if case .video(let video) = media { video.frameDuration } else { nil }
  }
}

extension RecordingConfiguration.Video {
  /// MPEG's clock where the usual frame duration is a whole number of its ticks, else a clock in which it is whole.
  fileprivate var timescale: Int32 {
    let usual: Int64 = 90_000
    guard frameDuration.isNumeric, frameDuration.timescale > 0,
      usual * frameDuration.value % Int64(frameDuration.timescale) != 0
    else { return Int32(usual) }
    var scale = Int64(frameDuration.timescale)
    while scale < 1000 { scale *= 10 }
    return scale <= 10_000_000 ? Int32(scale) : Int32(usual)
  }
}

extension EngineError {
  /// True for an error after which the file can't be written any more.
  fileprivate var isOfDisk: Bool {
    [.diskFull, .maximumFileSizeReached].contains(code) || stage == .write || stage == .finish
  }
}
