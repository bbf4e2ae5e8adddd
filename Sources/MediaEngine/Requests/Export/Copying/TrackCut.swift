import LibAV
import MediaTime

/// Which samples of a track are copied for a range, and what is changed in their times.
///
/// Pure arithmetic over the index. Times are ticks of the track.
struct TrackCut: Equatable {
  /// Decode indexes, first to last; nothing of a track that has nothing in the range.
  var samples = 0..<0
  /// The range: what the copy's time zero is, and where it ends.
  var start: Int64
  var end: Int64
  /// Decode index of the sample that the range begins inside of: it is shown from the start on.
  var boundarySample: Int?
  /// Decode index of the sample that is shown last, and when it ends.
  var lastShown: Int?
  var lastEnd: Int64 = 0
  /// Samples before this presentation time are left out, though they lie between the others: what
  /// leads a random-access point refers to samples that aren't copied (open GOP). Hiding them isn't
  /// enough: where they are among a file's last, FFmpeg's decoder loses the frames behind them.
  var leavesOutBefore: Int64 = .min
  /// When the pictures are decoded, from the first on.
  var decodeTimes: [Int64] = []

  enum Kind {
    case pictures
    case audio(Audio)
    case other
  }

  /// What a cut of audio depends on.
  struct Audio {
    /// How many samples before the first are decoded for its sake, given where that is.
    var preroll: (Int) -> Int = { _ in 0 }
    /// Packets can be cut anywhere.
    var isDivisible = false
  }

  /// Some samples of pictures, of which others know what is changed in their times.
  init(samples: Range<Int>, start: Int64, end: Int64) {
    self.samples = samples
    self.start = start
    self.end = end
  }

  /// - Parameters:
  ///   - entry: where to begin with pictures; nil for the random-access point.
  ///   - hidesStart: the file can keep samples without showing them.
  init(
    index: SampleIndex, entry: Int? = nil, start: Int64, end: Int64, hidesStart: Bool, kind: Kind
  ) {
    self.start = start
    self.end = end
    switch kind {
    case .pictures: cutPictures(index, entry: entry, hidesStart: hidesStart)
    case .audio(let audio):
      samples = index.decodeRange(from: start, to: end)
      if !samples.isEmpty { cutAudio(index, audio, hidesStart: hidesStart) }
    case .other: samples = index.decodeRange(from: start, to: end)
    }
  }

  /// A picture is shown until the next one, whatever its duration.
  private mutating func cutPictures(_ index: SampleIndex, entry: Int?, hidesStart: Bool) {
    guard end > start, let last = index.position(at: end - 1) else { return }
    let first = index.position(at: start) ?? 0
    let begins = index.sample(atPosition: first)
    guard first < last || begins.pts >= start || begins.end > start else { return }
    let final = index.finalSample(ofPositions: first...last)
    let begin = entry ?? index.randomAccessPoint(forPosition: first)
    samples = min(begin, final)..<final + 1
    leavesOutBefore = index.samples[samples.lowerBound].pts
    if hidesStart, begins.pts < start { boundarySample = index.presentation[first] }
    decodeTimes = index.decodeTimes(of: samples)
    decodeTimes[0] = firstDecodeTime(index)
    lastShown = index.presentation[last]
    let isFinal = last + 1 == index.presentation.count
    lastEnd = min(
      end, isFinal ? index.sample(atPosition: last).end : index.sample(atPosition: last + 1).pts)
  }

  /// When the first picture is decoded: as late as the last one which leads it, and less before the next
  /// than it is before the end. FFmpeg takes the distance of decode times for how long a picture is
  /// shown, and a sync sample that is shown beyond the end of an edit for the first behind it.
  private func firstDecodeTime(_ index: SampleIndex) -> Int64 {
    let led = samples.dropFirst().prefix { index.samples[$0].pts < leavesOutBefore }.count
    var time = decodeTimes[led]
    let shown =
      samples.lowerBound == boundarySample ? start : index.samples[samples.lowerBound].pts
    if led + 1 < decodeTimes.count {
      time = max(time, decodeTimes[led + 1] &- max(1, end &- shown &- 1))
    }
    return min(time, shown)
  }

  private mutating func cutAudio(
    _ index: SampleIndex, _ audio: Audio, hidesStart: Bool
  ) {
    let first = samples.lowerBound
    if hidesStart, !audio.isDivisible, samples.count > 1,
      let length = index.lengthBeforePause(first), start &- index.samples[first].pts >= length
    {
      // The range begins where nothing is heard.
      samples = first + 1..<samples.upperBound
    } else if hidesStart || audio.isDivisible {
      let preroll = hidesStart ? audio.preroll(first) : 0
      samples = max(0, first - preroll)..<samples.upperBound
    } else if index.samples[first].pts < start, samples.count > 1 {
      // A packet more would be heard before its time, one less is missing for less than its length.
      samples = first + 1..<samples.upperBound
    }
  }
}

extension SampleIndex {
  /// How many packets of audio to decode before the one at `first` so that it comes out as in a decode
  /// from the beginning: transforms overlap, and filters have a memory.
  func preroll(before first: Int, codec: String, clock: TimeBase) -> Int {
    switch CodecTraits(codec).copyPreroll {
    case .none: return 0
    case .bitReservoir(let bytes, let overhead, let packets):
      var (count, reservoir) = (packets, 0)
      while count < first, reservoir < bytes {
        count += 1
        reservoir += max(0, Int(samples[first - count].size) - overhead)
      }
      return min(first, count)
    case .duration(let duration, let crossesPauses):
      let limit = duration.ticks(in: clock, rounding: .towardPositiveInfinity)
      var count = 0
      while count < first,
        count < 2 || samples[first].pts &- samples[first - count].pts < limit,
        crossesPauses || lengthBeforePause(first - count - 1) == nil
      { count += 1 }
      return min(first, count)
    }
  }

  /// How long the packet of audio at a decode index is by its codec, where a pause follows it, as after the
  /// first one of Android's recordings; nil where none does.
  ///
  /// FFmpeg counts what an edit list hides in samples that it decodes, and takes a pause among them out
  /// of what is to be heard.
  func lengthBeforePause(_ sample: Int) -> Int64? {
    let around = samples[max(0, sample - 8)..<min(samples.count, sample + 9)].map(\.duration)
    let usual = around.sorted()[around.count / 2]
    return usual > 0 && samples[sample].duration > usual / 2 &* 3 ? usual : nil
  }
}
