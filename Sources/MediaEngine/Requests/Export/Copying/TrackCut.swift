import LibAV
import MediaTime

/// The samples of a track that are copied for a range, and the changes to their times.
///
/// Pure arithmetic over the index. Times are ticks of the track.
struct TrackCut: Equatable {
  /// Decode indexes, first to last; empty for a track without samples in the range.
  var samples = 0..<0
  /// The range: the time that becomes the copy's zero, and the end.
  var start: Int64
  var end: Int64
  /// Decode index of the sample that the range begins inside of: it is presented from the start on.
  var boundarySample: Int?
  /// Decode index of the sample that is presented last, and its end.
  var lastShown: Int?
  var lastEnd: Int64 = 0
  /// Samples before this presentation time are left out, although they are between the others: the
  /// leading pictures of a random-access point refer to samples that aren't copied (open GOP).
  /// Hiding them isn't enough: if they are among a file's last, FFmpeg's decoder loses the frames
  /// after them.
  var leavesOutBefore: Int64 = .min
  /// The decode times of the pictures, from the first on.
  var decodeTimes: [Int64] = []

  enum Kind {
    case pictures
    case audio(Audio)
    case other
  }

  /// The properties that determine a cut of audio.
  struct Audio {
    /// Returns the number of samples to decode before the sample at an index.
    var preroll: (Int) -> Int = { _ in 0 }
    /// True if packets can be cut anywhere.
    var isDivisible = false
  }

  /// Creates a cut of video samples whose time changes are determined elsewhere.
  init(samples: Range<Int>, start: Int64, end: Int64) {
    self.samples = samples
    self.start = start
    self.end = end
  }

  /// - Parameters:
  ///   - entry: the first sample of video; nil for the random-access point.
  ///   - hidesStart: true if the file can contain samples without presenting them.
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

  /// Cuts video. A picture is shown until the next one, regardless of its duration.
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

  /// Returns the decode time of the first picture: that of its last leading picture, or later, so
  /// that the distance to the next decode time is less than the time from its presentation to the
  /// end. FFmpeg uses the distance of decode times as a picture's duration, and considers a sync
  /// sample that is shown beyond the end of an edit as the first one after it.
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
      // The range begins in a silent gap.
      samples = first + 1..<samples.upperBound
    } else if hidesStart || audio.isDivisible {
      let preroll = hidesStart ? audio.preroll(first) : 0
      samples = max(0, first - preroll)..<samples.upperBound
    } else if index.samples[first].pts < start, samples.count > 1 {
      // Another packet would be heard before its time; without it, less than a packet's duration is
      // missing.
      samples = first + 1..<samples.upperBound
    }
  }
}

extension SampleIndex {
  /// Returns the number of audio packets to decode before the one at `first` so that it is the same
  /// as in a decode from the beginning: transforms overlap, and filters have a memory.
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

  /// Returns the duration of the audio packet at a decode index by its codec, if a pause follows
  /// it, as after the first packet of Android's recordings; nil if none does.
  ///
  /// FFmpeg counts the part that an edit list hides in decoded samples, and removes a pause among
  /// them from the audible part.
  func lengthBeforePause(_ sample: Int) -> Int64? {
    let around = samples[max(0, sample - 8)..<min(samples.count, sample + 9)].map(\.duration)
    let usual = around.sorted()[around.count / 2]
    return usual > 0 && samples[sample].duration > usual / 2 &* 3 ? usual : nil
  }
}
