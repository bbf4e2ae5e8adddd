import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The writing of one file from its first samples to its name, on the writer's thread.
final class AssetWriterWork {
  private let target: MovieDestination.Target
  private let writer: AssetWriter
  private var session: WritingSession { writer.state.session }
  /// The interrupt of the stages.
  private let interrupt: Interrupt
  private var path: String { writer.outputPath }
  private let description: ExportMetadata
  /// Appended samples and properties that aren't in the file.
  private var dropped: [DroppedItem]
  /// The inputs that are encoded without transparency: their index, frames and codec.
  private var opaque: [(input: Int, frames: PushedFrames, codec: String)] = []

  init(_ writer: AssetWriter) throws(EngineError) {
    self.writer = writer
    interrupt = Interrupt(parent: writer.state.interrupt)
    description = ExportMetadata(
      of: Presentation(writer.configuration), tracks: [], metadata: writer.configuration.metadata,
      range: .all, newTracks: writer.inputs.count, fileType: writer.fileType)
    dropped = description.dropped
    if let segments = writer.configuration.segments {
      target = .segments(SegmentBuffer(segments.profile))
      return
    }
    let isFragmented = writer.configuration.movieFragmentInterval != nil
    let file = try mapErrors(.write, path: writer.outputPath) { () throws(SystemError) in
      let file = try OutputFile(
        path: writer.outputPath, roots: writer.roots,
        temporaryFolder: isFragmented ? nil : writer.temporaryFolder, removesStale: true)
      // Written fragments are of use, regardless of the end of the writing.
      if isFragmented { try file.commit() }
      return file
    }
    target =
      isFragmented
      ? .hybrid(HybridMovie(file, brand: writer.fileType.format.brand)) : .file(file)
  }

  /// The file; nil for segments.
  var file: OutputFile? {
    switch target {
    case .file(let file): file
    case .hybrid(let movie): movie.file
    case .segments, .nothing: nil
    }
  }

  func run() throws(EngineError) -> AssetWriter.Summary {
    for input in writer.inputs { waitForBeginning(of: input) }
    guard !writer.state.interrupt.isTriggered else { throw .cancelled("Writing \(writer.name)") }
    let destination = MovieDestination(
      target: target, fileType: writer.fileType,
      isIndexFirst: writer.configuration.shouldOptimizeForNetworkUse,
      fragmentInterval: file == nil ? nil : writer.configuration.movieFragmentInterval,
      interrupt: writer.state.interrupt)
    let movie = try mapErrors(.write, path: path) { () throws(LibAVError) in
      try MovieWriter(destination, metadata: metadata)
    }
    var stages: [any ExportStage] = []
    var tracks: [Int] = []
    for input in writer.inputs {
      guard let stage = try makeStage(of: input, movie) else { continue }
      stages.append(stage)
      tracks.append(input.index)
    }
    guard !stages.isEmpty else {
      // All inputs are finished; the caller gets the error when it finishes the writer.
      _ = writer.state.isFinished.waitBlocking()
      throw EngineError(
        .exportFailed, "Nothing was appended, so there is nothing to write",
        advice: .appendFirst, path: path)
    }
    for association in writer.configuration.trackAssociations {
      guard let track = tracks.firstIndex(of: association.input),
        let other = tracks.firstIndex(of: association.associatedInput)
      else { continue }
      movie.addReference(association.type.referenceType, from: track, to: other)
    }
    try movie.writeHeader(movieTimescale: writer.configuration.movieTimeScale)
    for stage in stages { stage.begin(movie) }
    let cutter = makeCutter(movie, inputs: tracks.map { writer.inputs[$0] })
    let writing = StagedWriting(stages, to: movie, sink: cutter)
    writer.state.use(writing.flow, tracks: tracks)
    try writing.run(interrupt: interrupt)
    for track in opaque where track.frames.containsAlpha {
      dropped.append(
        DroppedItem(
          item: .alpha, trackID: Int32(clamping: track.input + 1), mediaType: .video,
          reason: "its pictures are encoded as \(track.codec) without transparency"))
    }
    _ = writer.state.isFinished.waitBlocking()
    return try finish(movie, after: writing.end ?? .zero, size: { cutter?.byteCount })
  }

  // MARK: The end

  /// Concludes the work after ``run()``: a movie in fragments that wasn't finished ends with its last one.
  func conclude() {
    guard writer.configuration.movieFragmentInterval != nil, let file,
      writer.state.status.status != .completed
    else { return }
    guard let end = file.endOfFragments else { return file.unpublish() }
    // The bytes after it are of no use, but do no harm either.
    try? file.truncate(to: end)
    try? file.flush()
  }

  /// - Parameters:
  ///   - written: the end of the written samples.
  ///   - size: returns the number of bytes that were delivered; nil for a file.
  private func finish(
    _ movie: MovieWriter, after written: Time, size: () -> Int64?
  ) throws(EngineError) -> AssetWriter.Summary {
    let duration = session.range.duration
    // A session that ends after all of its samples is no longer than these.
    let end = duration.isNumeric ? min(duration, written) : nil
    let excess = duration.isNumeric ? written - duration : .zero
    // Segments that were delivered remain unchanged.
    let isCut = movie.hasEditLists && file != nil
    try mapErrors(.finish, path: path) { () throws(LibAVError) in
      try movie.finish(endingAt: isCut || excess <= .zero ? end : nil)
    }
    dropped += movie.joinedValues.map(DroppedItem.init(joined:))
    var shown = end ?? written
    // A smaller excess is the rounding of a clock.
    if !isCut, excess > Time(value: 1, timescale: 1000) {
      if let file, let summary = try cut(file, movie, at: duration) { return summary }
      shown = written
    }
    let length = size() ?? target.output.size
    try mapErrors(.finish, path: path) { () throws(SystemError) in
      try movie.commit { () throws(SystemError) in try writer.state.willCommit() }
    }
    return AssetWriter.Summary(
      path: file?.path, fileSize: length, duration: shown, dropped: dropped)
  }

  /// Copies the part in the session to another file, which replaces the written one.
  ///
  /// - Returns: nil where that isn't possible.
  private func cut(
    _ written: OutputFile, _ movie: MovieWriter, at end: Time
  ) throws(EngineError) -> AssetWriter.Summary? {
    let session = SessionCut(
      written: written, fileType: writer.fileType, end: end, earliest: movie.earliest ?? .zero,
      metadata: metadata, interrupt: writer.state.interrupt)
    written.releaseClaim()
    let file = try mapErrors(.write, path: path) { () throws(SystemError) in
      try OutputFile(
        path: path, roots: writer.roots, temporaryFolder: writer.temporaryFolder)
    }
    do throws(EngineError) {
      var destination = movie.destination
      destination.target = .file(file)
      dropped += try session.write(to: destination)
    } catch {
      file.discard()
      if error.isCancellation { throw error }
      dropped.append(
        DroppedItem(
          item: .timeRange,
          reason: "the frames from \(end.secondsDescription) on, the end of the session, were "
            + "encoded before and couldn't be cut off: \(error.message)"))
      return nil
    }
    let size = file.size
    try mapErrors(.finish, path: path) { () throws(SystemError) in
      try file.commit(
        interrupt: writer.state.interrupt,
        willCommit: { () throws(SystemError) in try writer.state.willCommit() })
    }
    written.discard()
    return AssetWriter.Summary(
      path: file.path, fileSize: size, duration: end, dropped: dropped)
  }

  // MARK: Segments

  /// Returns the cutter of segments; nil for a file.
  private func makeCutter(_ movie: MovieWriter, inputs: [AssetWriterInput]) -> SegmentCutter? {
    guard case .segments(let buffer) = target, let clock = segmentClock else { return nil }
    return SegmentCutter(movie, to: buffer, inputs: inputs, clock: clock, deliver: deliver)
  }

  /// Returns true for a frame that begins the next segment, by its time in the file.
  private var beginsSegment: (Time) -> Bool {
    guard var clock = segmentClock else { return { _ in false } }
    return { time in
      guard clock.isDue(at: time) else { return false }
      clock.begin(at: time)
      return true
    }
  }

  private var segmentClock: SegmentClock? {
    writer.boundaries.map { SegmentClock($0, origin: session.range.start) }
  }

  /// Waits until a segment has been accepted.
  private func deliver(_ segment: AssetWriter.Segment) throws(EngineError) {
    let isTaken = Signal<Bool>()
    let failure = Mutex<EngineError?>(nil)
    let task = Task { [deliver = writer.deliver] in
      do throws(EngineError) {
        try await deliver(segment)
      } catch {
        failure.withLock { $0 = error }
      }
      isTaken.fire(true)
    }
    let hasEnded = isTaken.waitBlocking(orUntil: writer.state.interrupt)
    task.cancel()
    if let failure = failure.withLock(\.self) { throw failure }
    if !hasEnded { throw .cancelled("Writing \(writer.name)") }
  }

  private var metadata: FileMetadata {
    var metadata = description.file
    if writer.configuration.segments != nil, writer.configuration.movieFragmentInterval != nil {
      // The muxer writes these tags. Nothing is inserted into the header of a movie in segments.
      let items = writer.configuration.metadata.map(\.translated)
      metadata.tags += MetadataItem.libavTags(of: items)
    }
    return metadata
  }

  /// Blocks until the samples have arrived that define a track: for video to encode, two frames, whose distance is
  /// needed.
  private func waitForBeginning(of input: AssetWriterInput) {
    let count = if case .video = input.configuration.treatment { 2 } else { 1 }
    input.queue.waitBlocking(for: count, interrupt: writer.state.interrupt)
  }

  // MARK: Stages

  /// - Returns: nil for an input without samples, which has no track.
  private func makeStage(
    of input: AssetWriterInput, _ movie: MovieWriter
  ) throws(EngineError) -> (any ExportStage)? {
    let first = input.queue.first(2)
    guard !first.isEmpty else { return nil }
    let metadata = self.metadata(of: input)
    switch input.configuration.treatment {
    case .video(let settings):
      return try videoStage(input, first, settings, metadata, movie)
    case .audio(let settings):
      return try audioStage(input, first[0], settings, metadata, movie)
    case .text(let codec): return try textStage(input, codec, metadata, movie)
    case .stored(let format): return try copyStage(input, format, metadata, movie)
    }
  }

  private func metadata(of input: AssetWriterInput) -> TrackMetadata {
    let configuration = input.configuration
    var metadata = TrackMetadata()
    if let tag = configuration.extendedLanguageTag {
      let code = iso639(ofTag: tag) ?? tag
      metadata.tags.append(Tag(key: "language", value: code))
    }
    metadata.addTags(description.shared)
    let isEnabled = writer.configuration.isEnabled(input.index)
    if isEnabled { metadata.disposition.insert(.default) }
    if let matrix = configuration.transform.displayMatrix {
      metadata.sideData.append(SideData(displayMatrix: matrix))
    }
    if writer.fileType.format.hasMovieHeader {
      metadata.boxes = MovieTrackBoxes(
        isEnabled: isEnabled,
        alternateGroup: writer.configuration.alternateGroup(of: input.index),
        language: PackedLanguage(tag: configuration.extendedLanguageTag),
        languageTag: configuration.extendedLanguageTag)
    }
    return metadata
  }

  private func videoStage(
    _ input: AssetWriterInput, _ first: [SampleBuffer], _ settings: VideoEncodingSettings,
    _ metadata: TrackMetadata, _ movie: MovieWriter
  ) throws(EngineError) -> VideoStage {
    let picture = try PushedPicture(first[0])
    let clock = PictureTiming(first, from: session.range.start)
    let timescale = input.configuration.mediaTimeScale ?? clock.timescale
    let format = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      TrackFormat(
        path: path,
        try MediaFormat(
          ofPictures: picture.layout, color: picture.color, frameRate: clock.frameRate),
        timeBase: TimeBase(1, timescale))
    }
    let frames = PushedFrames(
      input.queue, in: session, format: format, interrupt: interrupt)
    let frame = try picture.make()
    var source = VideoSource(pictures: format)
    source.refine(by: frame.value)
    var settings = settings
    if let interval = writer.boundaries?.settings.interval?.seconds,
      settings.keyFrameInterval == nil
    {
      // Each segment begins with one: an encoder shouldn't insert another just before.
      settings.keyFrameInterval = 2 * interval
    }
    let encoding = VideoEncoding(settings, in: writer.fileType)
    let configuration = try VideoEncoderConfiguration(
      encoding, of: source, supportsDisplayMatrix: movie.supportsDisplayMatrix)
    if let excess = configuration.excess(ofTrack: Int32(clamping: input.index + 1)) {
      dropped.append(excess)
    }
    if !VideoEncoderConfiguration.pixelFormat(for: encoding, of: source.pixelFormat).hasAlpha {
      opaque.append((input.index, frames, encoding.codec.name))
    }
    let range = TimeRange(start: session.range.start, duration: .positiveInfinity)
    return try VideoStage(
      VideoStage.Input(
        frames: frames, leading: [], source: source, first: frame, path: path,
        interrupt: interrupt, beginsSegment: beginsSegment), encoding: encoding, metadata,
      writer: movie
    ) { (timeBase, frameDuration) in
      FrameTimestamps(
        range: range, timeBase: timeBase, usualDuration: clock.usualDuration,
        frameDuration: frameDuration, shortest: encoding.shortestFrameDuration)
    } palette: { _ in
      nil
    }
  }

  private func audioStage(
    _ input: AssetWriterInput, _ first: SampleBuffer, _ settings: AudioEncodingSettings,
    _ metadata: TrackMetadata, _ movie: MovieWriter
  ) throws(EngineError) -> AudioStage {
    guard case .audio(let audio) = first.content, let layout = AudioLayout(audio) else {
      throw EngineError(.unsupportedOutputSettings, "An appended sample is no linear audio")
    }
    let format = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try MediaFormat(ofAudio: layout)
    }
    let encoding = try AudioEncoderConfiguration(
      AudioEncoding(settings, in: writer.fileType), of: format)
    let loss = encoding.loss(
      of: layout.channels, ofTrack: Int32(clamping: input.index + 1), in: "the appended samples")
    if let loss { dropped.append(loss) }
    let source = PushedAudio(
      input.queue, in: session, as: encoding.layout, interrupt: interrupt)
    return try AudioStage(
      source, range: TimeRange(start: session.range.start, duration: .positiveInfinity),
      limit: .max, encoding: encoding, metadata, path: path, writer: movie,
      tolerance: PushedAudio.rounding)
  }

  private func copyStage(
    _ input: AssetWriterInput, _ format: AssetWriterConfiguration.SourceFormat,
    _ metadata: TrackMetadata, _ movie: MovieWriter
  ) throws(EngineError) -> CopyStage {
    let media = format.media
    let timeBase = input.configuration.mediaTimeScale.map { TimeBase(1, $0) } ?? format.timeBase
    var metadata = metadata
    metadata.sideData += media.sideData.filter { $0.type != SideData.displayMatrix }
    let target = try mapErrors(.write, path: path) { () throws(LibAVError) in
      try movie.addStream(copying: media, timeBase: timeBase, metadata)
    }
    let source = try AppendedPackets(
      input.queue, in: session, of: media, timeBase: timeBase,
      hidesStart: movie.hasEditLists, interrupt: interrupt)
    return CopyStage(
      source, to: target, holdsOthersBack: media.kind == .video || media.kind == .audio,
      path: path)
  }

  private func textStage(
    _ input: AssetWriterInput, _ codec: String?, _ metadata: TrackMetadata, _ movie: MovieWriter
  ) throws(EngineError) -> CopyStage {
    let name = codec ?? writer.fileType.format.capabilities.textCodec ?? ""
    let source = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      let plain = try MediaFormat(CodedFormat(codec: "text"))
      let clock = AppendedText.timeBase
      let converter = try TextConverter(from: plain, timeBase: clock, to: name)
      let target = try movie.addStream(converter: converter, timeBase: clock, metadata)
      return (converter: Handoff(converter), target: target)
    }
    let text = try AppendedText(
      input.queue, in: session, converter: source.converter,
      mayOverlap: writer.fileType.format.capabilities.textMayOverlap, interrupt: interrupt)
    return CopyStage(text, to: source.target, holdsOthersBack: false, path: path)
  }
}

/// The clock of an input by its first frames.
struct PictureTiming {
  /// The ticks a second in which their times are whole numbers.
  let timescale: Int32
  let frameRate: Rational
  let usualDuration: Time

  /// MPEG's clock, which most frame rates divide.
  private static let usualTimescale: UInt64 = 90_000
  private static let greatestTimescale: UInt64 = 10_000_000

  /// - Parameters:
  ///   - first: one or two samples.
  ///   - start: the session's start.
  init(_ first: [SampleBuffer], from start: Time) {
    var times = first.map(\.presentationTime) + [start]
    times += first.map(\.duration).filter { $0.isNumeric && $0 > .zero }
    let distance = first.count > 1 ? first[1].presentationTime - first[0].presentationTime : .zero
    let stated = first.first?.duration ?? .zero
    let usual = Time(value: 1, timescale: 30)
    usualDuration =
      distance > .zero ? distance : (stated.isNumeric && stated > .zero ? stated : usual)
    var common: UInt64 = 1
    for scale in times.map({ UInt64($0.timescale.magnitude) }) where scale > 0 {
      let next = common / greatestCommonDivisor(common, scale) * scale
      common = next <= Self.greatestTimescale ? next : Self.usualTimescale
    }
    if common < 1000 {
      common = common / greatestCommonDivisor(common, Self.usualTimescale) * Self.usualTimescale
    }
    timescale = Int32(clamping: min(common, Self.greatestTimescale))
    frameRate = Rational(framesOf: usualDuration) ?? Rational(30, 1)
  }
}

extension Presentation {
  /// Creates the presentation of a writer's file, without its tracks.
  fileprivate init(_ configuration: AssetWriterConfiguration) {
    self.init(
      path: "", tracks: [], pictures: [], metadata: [], tagsAreOfTheFile: false, attachments: [],
      chapters: configuration.chapters.spans(
        endingAt: configuration.chapters.map { $0.end ?? $0.start }.max() ?? .zero))
  }
}
