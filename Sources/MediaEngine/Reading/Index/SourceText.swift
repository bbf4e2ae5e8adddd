import LibAV
import MediaTime
import Synchronization
import SystemIO

/// Returns the duration of a frame of a video; invalid or nil where it is unknown.
typealias FrameDurationOfVideo = @Sendable (Interrupt) throws(EngineError) -> Time?

extension MediaSource {
  /// Determines the rate by which subtitles count frames, for a file that may not state it: that of the video which they
  /// are for.
  ///
  /// - Returns: false for subtitles with times, and without a video.
  func learnFrameRate(
    _ traits: DemuxerTraits, interrupt: Interrupt
  ) throws(EngineError) -> Bool {
    guard traits.countsFrames, let duration = try videoFrameDuration?(interrupt),
      duration.isNumeric, let rate = Rational(framesOf: duration)
    else { return false }
    subtitleFrameRate.withLock { $0 = rate }
    return true
  }

  /// Returns the character set of a track's text that isn't UTF-8: the stated one, else a guess
  /// from all of it.
  ///
  /// - Throws: `fileFailedToParse` where no character set makes sense of the bytes, `incorrectlyConfigured` for a
  ///   stated one that isn't known.
  func characterSet(
    ofStream stream: Int, interrupt: Interrupt
  ) throws(EngineError) -> CharacterSet {
    if let characterSet { return try .named(characterSet) }
    let flight = characterSets.withLock { sets in
      let made = sets[stream] ?? SingleFlight<CharacterSet>()
      sets[stream] = made
      return made
    }
    return try flight.get(interrupt: interrupt) { () throws(EngineError) in
      try CharacterSet.guessed(
        of: try foreignText(ofStream: stream, interrupt: interrupt), path: path)
    }
  }

  /// Reads the lines of a track's text that aren't UTF-8, until there are enough for a guess.
  private func foreignText(
    ofStream stream: Int, interrupt: Interrupt
  ) throws(EngineError) -> [UInt8] {
    let container = try open(interrupt: interrupt)
    guard container.streams.indices.contains(stream) else { return [] }
    var demuxer = try makeDemuxer(container.file, recodesText: false, interrupt: interrupt)
    demuxer.select(streams: [stream])
    return try mapErrors(.read, path: path) { () throws(LibAVError) in
      var lines: [UInt8] = []
      var packet = try Packet()
      while lines.count < TextLines.limit, try demuxer.read(into: &packet) {
        guard packet.streamIndex == stream,
          let text = packet.foreignText(of: container.streams[stream].format),
          UTF16Text.decodeMarked(text) == nil
        else { continue }
        lines += TextLines.beyondASCII(text)
      }
      return lines
    }
  }

  /// Returns a stream with a script's header converted to UTF-8.
  func textHeaderAsUTF8(_ stream: StreamInfo) throws(EngineError) -> StreamInfo {
    guard ["ass", "ssa", "webvtt"].contains(stream.parameters.codecName) else { return stream }
    let header = stream.parameters.extradata
    guard String(validating: header, as: UTF8.self) == nil else { return stream }
    let stated = try characterSet.map { name throws(EngineError) in try CharacterSet.named(name) }
    let set =
      stated ?? CharacterSetGuess.characterSet(of: TextLines.beyondASCII(header)) ?? .damagedUTF8
    let text = set.decode(header) ?? String(decoding: header, as: UTF8.self)
    var stream = stream
    stream.parameters = try mapErrors(.open, path: path) { () throws(LibAVError) in
      try stream.parameters.replacing(extradata: Array(text.utf8))
    }
    return stream
  }

  /// Returns the number of cues that end before the asset's time zero, to which an offset has moved them; 0 before the
  /// file has been read.
  func hiddenCues(ofStream stream: StreamInfo) -> Int {
    guard timeOffset < .zero, let container = container.value,
      let index = container.indexes?[stream.index]
    else { return 0 }
    let start = container.origin.ticks(in: stream.timeBase, rounding: .towardNegativeInfinity)
    return index.samples.count { $0.pts &+ $0.duration <= start }
  }

  /// Returns the guess of a track's character set; nil where it is UTF-8 or has a mark, and before
  /// it has been read.
  func guessedCharacterSet(ofStream stream: Int) -> CharacterSet? {
    let set =
      container.value?.text?.characterSet ?? characterSets.withLock { $0[stream] }?.value
    return set?.isGuess == true ? set : nil
  }
}

/// Converts the text of a source's tracks to UTF-8.
///
/// Text that can't be read is an error with a name of its own, which libavformat's callers can only
/// pass on by the recoder's record of it.
final class SourceTextRecoder: TextRecoder {
  /// Readers hold it; demuxers that wait for another reader don't.
  private unowned let source: MediaSource

  init(_ source: MediaSource) { self.source = source }

  func utf8(
    _ bytes: [UInt8], ofStream stream: Int, interrupt: Interrupt
  ) throws(LibAVError) -> [UInt8] {
    if let text = UTF16Text.decodeMarked(bytes) { return Array(text.utf8) }
    let problem: EngineError
    do throws(EngineError) {
      let set = try source.characterSet(ofStream: stream, interrupt: interrupt)
      if let text = set.decode(bytes) { return Array(text.utf8) }
      problem = .notText(in: set, path: source.path)
    } catch {
      guard !error.isCancellation else {
        throw LibAVError(.interrupted, operation: "read", subject: source.path, log: [])
      }
      problem = error
    }
    throw LibAVError(
      .invalidData, operation: "read text", subject: source.path, detail: problem.message)
  }
}
