import LibAV
import MediaTime
import Synchronization
import SystemIO

/// Samples of a track that couldn't be decoded: the output that was made of the track lacks them.
public struct DamagedSamples: Sendable, Hashable {
  public let trackID: Int32
  public let mediaType: MediaType
  /// The number or the duration of them, and the report of the libraries.
  public let reason: String
}

/// The output of the decoder of a part of a track, measured by the track's index. Used from any
/// thread.
///
/// A decoder may refuse a sample, and it may accept one without any output for it. The first is
/// counted as it happens. The second shows at the end: the output is shorter, or has fewer frames,
/// than the samples of the index that lie in the part. Both numbers leave out gaps and samples that
/// aren't shown, and only samples in the part count, so that priming and edit lists make no
/// difference.
final class DecodeErrorLog: Sendable {
  private struct State {
    var refused = 0
    var refusal: LibAVError?
    /// Frames and texts since decoding began, wherever they lie.
    var decoded = 0
    /// Frames that begin in the part.
    var frames = 0
    /// Of audio in the part.
    var length = Time.zero
    /// The difference between the expected and the actual output, and that of samples of which not even the index has
    /// anything.
    var shortfalls: [String] = []
    /// In ticks of the track: samples before it are only decoded because others need them.
    let range: Range<Int64>

    init(_ range: Range<Int64>) { self.range = range }
  }

  private let media: StoredTrack
  private let state: Mutex<State>

  init(_ media: StoredTrack, range: TimeRange) {
    self.media = media
    let start = media.ticks(range.start, rounding: .towardNegativeInfinity)
    let end =
      range.duration.isNumeric ? media.ticks(range.end, rounding: .towardPositiveInfinity) : .max
    state = Mutex(State(start..<max(start, end)))
  }

  /// Moves the start of the part to another time, and begins its decoding anew.
  func restart(at time: Time) {
    let start = media.ticks(time, rounding: .towardNegativeInfinity)
    state.withLock { $0 = State(start..<max(start, $0.range.upperBound)) }
  }

  private var range: Range<Int64> { state.withLock(\.range) }

  /// Begins decoding anew: the samples that were decoded so far were only needed to find the place.
  func restart() { state.withLock { $0 = State($0.range) } }

  /// Counts a sample that was skipped.
  func add(_ error: LibAVError, at pts: Int64?) {
    if let pts, !range.contains(pts) { return }
    state.withLock { state in
      if state.refused == 0 { state.refusal = error }
      state.refused += 1
    }
  }

  /// Counts a text that was decoded.
  func addText() { state.withLock { $0.decoded += 1 } }

  /// Counts a frame that was decoded.
  func add(_ frame: borrowing Frame) {
    let range = range
    let start = frame.pts ?? range.lowerBound
    let (count, rate) = (frame.sampleCount, frame.sampleRate)
    let isInside = range.contains(start)
    let length = count > 0 ? part(of: count, rate: rate, from: start, in: range) : .zero
    state.withLock { state in
      state.decoded += 1
      if isInside { state.frames += 1 }
      state.length = state.length + length
    }
  }

  /// Returns the part of an audio frame that lies in the range, exactly where all of it does.
  private func part(of count: Int, rate: Int, from start: Int64, in range: Range<Int64>) -> Time {
    let length = Time(value: Int64(count), timescale: Int32(clamping: max(1, rate)))
    let ticks = length.ticks(in: media.stream.timeBase, rounding: .halfAwayFromZero)
    let inside = range.overlap(from: start, length: ticks)
    return inside == ticks ? length : media.duration(inside)
  }

  /// The numbers of samples that were skipped, and of other reports.
  var counts: (refused: Int, shortfalls: Int) {
    state.withLock { ($0.refused, $0.shortfalls.count) }
  }

  /// The number of missing samples, and the first error; nil when none are missing.
  var summary: String? {
    state.withLock { state in
      var parts: [String] = []
      if state.refused > 0, let refusal = state.refusal {
        let samples = state.refused == 1 ? "1 sample" : "\(state.refused) samples"
        parts.append("\(samples) couldn't be decoded: \(refusal.code.text)")
      }
      parts += state.shortfalls
      return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
  }

  /// Returns the damage as a value, for the track of that number.
  func samples(of trackID: Int32, _ mediaType: MediaType) -> DamagedSamples? {
    summary.map { DamagedSamples(trackID: trackID, mediaType: mediaType, reason: $0) }
  }
}

// MARK: - At the end

extension DecodeErrorLog {
  /// Compares the output with the index, once the part has been decoded to its end.
  ///
  /// - Throws: `undecodableMediaData` where samples lie in the part and there was no output.
  func conclude(_ index: SampleIndex) throws(EngineError) {
    let state = state.withLock(\.self)
    let promise = Promise(index, in: state.range, of: media)
    if promise.isBroken(by: state.decoded, frames: state.frames, length: state.length) {
      throw .nothingDecoded(of: media, promise.text, refusal: state.refusal)
    }
    let shortfalls = [
      promise.shortfall(frames: state.frames, length: state.length), cut(index, in: state.range),
    ].compactMap(\.self)
    self.state.withLock { $0.shortfalls = shortfalls }
  }

  /// Returns the report that the file is cut short, if the part reaches the end of what is there.
  private func cut(_ index: SampleIndex, in range: Range<Int64>) -> String? {
    let source = media.source
    // Where it is to be salvaged, that is in the report of the asset.
    guard !source.salvages, let end = index.end, range.upperBound >= end else { return nil }
    return source.cut(of: media.stream, last: end, place: media.time(end).shortSeconds).map {
      "the file is cut short: \($0)"
    }
  }

  /// Checks texts in the same way; the index shows only that there are some.
  func concludeTexts() throws(EngineError) {
    let state = state.withLock(\.self)
    guard state.decoded == 0, state.refused > 0 else { return }
    let count = state.refused == 1 ? "1 sample" : "\(state.refused) samples"
    throw .nothingDecoded(of: media, count, refusal: state.refusal)
  }
}

/// The output that the samples of a part of a track should have when decoded.
private struct Promise {
  private let kind: MediaKind
  /// Samples that begin in the part.
  private var count = 0
  /// True if part of a sample lies in the part.
  private var isThere = false
  /// The duration of the audio in the part.
  private var length = Time.zero
  /// True if that is by the header, because the index has less.
  private var isStated = false
  /// The usual duration of audio samples.
  private var usual = Time.zero
  /// True if two samples can be one picture, each a field of it.
  private let canBeFields: Bool

  init(_ index: SampleIndex, in range: Range<Int64>, of media: StoredTrack) {
    kind = media.stream.kind
    canBeFields = media.stream.format.mayStoreFields
    let shown = index.presentation.lazy.map { index.samples[$0] }.filter { $0.size > 0 }
    var ticks: Int64 = 0
    let usual = kind == .audio ? index.usualDuration : 0
    for sample in shown {
      if range.contains(sample.pts) { count += 1 }
      let reaches = range.overlap(from: sample.pts, length: sample.duration) > 0
      isThere = isThere || reaches || range.contains(sample.pts)
      guard kind == .audio else { continue }
      // A duration that was derived from the next sample holds the gap between them.
      let isDerived = sample.flags.contains(.derivedDuration)
      let duration = isDerived ? min(sample.duration, usual) : sample.duration
      let inside = range.overlap(from: sample.pts, length: duration)
      let (sum, overflow) = ticks.addingReportingOverflow(inside)
      ticks = overflow ? .max : sum
    }
    if kind == .audio, media.countsSamples, let stated = media.stream.duration {
      let start = index.start ?? media.stream.startTime ?? 0
      // A part that ends with the last sample that was found is to reach as far as the header states.
      let reachesEnd = range.upperBound >= index.end ?? .min
      let wanted = reachesEnd ? range.lowerBound..<Int64.max : range
      let whole = wanted.overlap(from: start, length: stated)
      isStated = whole > ticks
      ticks = max(ticks, whole)
    }
    length = media.duration(ticks)
    self.usual = media.duration(usual)
  }

  var text: String {
    kind == .audio && length > .zero ? "\(length.shortSeconds) of audio" : "\(count) samples"
  }

  /// Returns true if there was no output at all, or none of the part, though much lies there.
  func isBroken(by decoded: Int, frames: Int, length came: Time) -> Bool {
    guard isThere || length > .zero else { return false }
    guard kind == .audio else { return decoded == 0 || frames == 0 && count > fewPictures }
    if decoded == 0, count > 1 || length > shortAudio { return true }
    return came == .zero && length > tolerance
  }

  /// A decoder's first samples may only prepare it, and the padding that is cut off may be longer than
  /// the last sample.
  private var tolerance: Time { max(usual + usual + usual, shortAudio) }
  private let shortAudio = Time(value: 1, timescale: 10)

  /// Pictures that lead an open group can't be decoded at a file's beginning, and some codecs have
  /// samples that only others refer to.
  private let fewPictures = 8

  /// Returns the report where less than nine tenths were decoded.
  func shortfall(frames: Int, length came: Time) -> String? {
    switch kind {
    case .audio:
      let missing = length - came
      guard missing > tolerance, missing.seconds > length.seconds / 10 else { return nil }
      let source = isStated ? "the file states" : "its samples last"
      return "\(came.shortSeconds) came out of the \(length.shortSeconds) that \(source)"
    case .video:
      let missing = (canBeFields ? (count + 1) / 2 : count) - frames
      guard missing > fewPictures, missing > count / 10 else { return nil }
      return "\(frames) of \(count) pictures came out of the decoder"
    default: return nil
    }
  }
}

extension StoredTrack {
  /// True where the header counts the samples of audio.
  fileprivate var countsSamples: Bool {
    guard let container = try? source.open(interrupt: Interrupt()) else { return false }
    return !container.durationIsEstimate && container.demuxer.statesSampleCount
  }
}

extension MediaFormat {
  /// True where a picture may be two fields in two samples.
  var mayStoreFields: Bool {
    parameters.fieldOrder != 1 && CodecTraits(parameters.codecName).mayStoreFields
  }
}

extension SampleIndex {
  /// The median of the durations, in ticks; of a long track, that of some samples all over it.
  fileprivate var usualDuration: Int64 {
    let step = max(1, presentation.count / 1000)
    let durations = stride(from: 0, to: presentation.count, by: step).map {
      sample(atPosition: $0).duration
    }.sorted()
    return durations.isEmpty ? 0 : durations[durations.count / 2]
  }
}

extension Range<Int64> {
  /// Returns the part of a span of `length` from `start` on that lies inside.
  fileprivate func overlap(from start: Int64, length: Int64) -> Int64 {
    let (sum, overflow) = start.addingReportingOverflow(length)
    let end = overflow ? .max : sum
    let (low, high) = (Swift.max(start, lowerBound), Swift.min(end, upperBound))
    return low < high ? high - low : 0
  }
}

extension Time {
  /// For messages: seconds with three decimals.
  var shortSeconds: String {
    let milliseconds = converted(toTimescale: 1000).value
    let (whole, part) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let rest = String(part)
    return (milliseconds < 0 ? "-" : "") + "\(whole)."
      + String(repeating: "0", count: 3 - rest.count) + rest + " s"
  }
}

extension EngineError {
  /// Returns the error for samples none of which could be decoded.
  ///
  /// - Parameter amount: how many they are, or how long they last.
  static func nothingDecoded(
    of media: StoredTrack, _ amount: String, refusal: LibAVError?
  ) -> EngineError {
    let codec = media.stream.parameters.codecName
    let reason = refusal?.message ?? "the decoder took them and gave nothing"
    var error = EngineError(
      .undecodableMediaData,
      "Nothing of the \(media.stream.kind.rawValue) in '\(media.path)' could be decoded "
        + "(\(amount), \(codec)): \(reason)",
      advice: .copyUndecodable(codec),
      path: media.path, stage: .decode)
    if let refusal {
      error.underlying = Underlying(refusal)
      error.log = refusal.log
    }
    return error
  }
}
