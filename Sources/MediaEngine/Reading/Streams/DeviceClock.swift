import DequeModule
import MediaTime

/// The clock by which a device takes samples of audio, against the clock of the time stamps that its buffers have. Each
/// stamp is off by some milliseconds, and no two clocks run at the same rate.
///
/// The offset of the samples to their stamps is fitted over ten seconds. It is arithmetic on its
/// arguments, and reads no clock.
struct DeviceClock: Sendable {
  /// The relation of a buffer to the one before it, by its stamp.
  enum Arrival: Sendable, Equatable {
    case onTime
    /// After samples that are missing.
    case afterGap
    /// Before the one before it has ended.
    case early
  }

  /// The line through the offsets of the last ten seconds.
  private struct Fit {
    /// In seconds of samples, where the line has `offset`.
    var place = 0.0
    /// In seconds; greater than zero where samples are later than by their number.
    var offset = 0.0
    /// Seconds a second; nil where the time has been too short for one.
    var slope: Double?

    func offset(at place: Double) -> Double { offset + (slope ?? 0) * (place - self.place) }
  }

  /// Stamps of a tenth of a second.
  private struct Mean {
    let first: Double
    var count = 0.0
    var place = 0.0
    var offset = 0.0

    mutating func add(_ offset: Double, at place: Double) {
      count += 1
      self.place += (place - self.place) / count
      self.offset += (offset - self.offset) / count
    }
  }

  /// The maximum error of a stamp, in seconds: less jitter is no gap.
  static let tolerance = 0.05
  /// The seconds over which offsets are fitted, and over which they are corrected.
  static let window = 10.0
  /// The greatest difference of two clocks that is corrected, in seconds a second.
  static let maximumDrift = 0.0105
  /// The greatest correction of an offset, in seconds a second: one that isn't heard.
  static let maximumStep = 0.005
  /// The greatest correction, in seconds a second.
  static let limit = maximumDrift + maximumStep
  /// The offset, in seconds, up to which samples stay as they are.
  static let deadBand = 0.003
  private static let step = 0.1

  private let sampleRate: Double
  private var start: Time
  private var taken: Int64 = 0
  private var means: Deque<Mean> = []
  private var fit = Fit()
  private(set) var isCorrecting = false

  /// - Parameter start: the stamp of the first sample.
  init(sampleRate: Int, start: Time) {
    (self.sampleRate, self.start) = (Double(max(1, sampleRate)), start)
  }

  private func place(after count: Int64 = 0) -> Double { Double(taken + count) / sampleRate }

  private func offset(of stamp: Time, at place: Double) -> Double {
    (stamp - start).seconds - place
  }

  /// - Parameter count: how many samples come before the buffer, of which nothing is known yet.
  func arrival(of stamp: Time, after count: Int64 = 0) -> Arrival {
    let place = place(after: count)
    let deviation = offset(of: stamp, at: place) - fit.offset(at: place)
    if deviation > Self.tolerance { return .afterGap }
    return deviation < -Self.tolerance ? .early : .onTime
  }

  /// Counts the samples of a buffer.
  ///
  /// - Parameter stamp: of its first sample; nil for one that isn't to be believed.
  mutating func take(_ count: Int, at stamp: Time?) {
    let place = place()
    taken += Int64(count)
    guard let stamp else { return }
    let offset = offset(of: stamp, at: place)
    if let last = means.last, place - last.first < Self.step {
      means[means.count - 1].add(offset, at: place)
      return
    }
    means.append(Mean(first: place))
    means[means.count - 1].add(offset, at: place)
    while let first = means.first, place - first.first > Self.window { means.removeFirst() }
    update()
  }

  private mutating func update() {
    let count = means.reduce(0) { $0 + $1.count }
    guard count > 0, let first = means.first, let last = means.last else { return }
    let place = means.reduce(0) { $0 + $1.count * $1.place } / count
    let offset = means.reduce(0) { $0 + $1.count * $1.offset } / count
    fit = Fit(place: place, offset: offset)
    guard last.place - first.place >= Self.window / 2 else { return }
    var (across, along) = (0.0, 0.0)
    for mean in means {
      across += mean.count * (mean.place - place) * (mean.offset - offset)
      along += mean.count * (mean.place - place) * (mean.place - place)
    }
    if along > 0 { fit.slope = across / along }
  }

  /// Takes stamps to be as much later from now on as the clock that they are of has been set back.
  ///
  /// - Parameter stamp: of the next sample.
  mutating func setBack(to stamp: Time) {
    let place = place()
    let deviation = offset(of: stamp, at: place) - fit.offset(at: place)
    start = start + Time(secondsToNanosecond: deviation)
  }

  /// The difference of the device clock's rate to that of the stamps, in millionths, positive for a
  /// faster device; nil where it isn't known yet.
  var drift: Double? { fit.slope.map { -$0 * 1_000_000 } }

  /// Returns the seconds by which samples are to become longer over the next second; negative for
  /// shorter.
  ///
  /// - Parameter added: the seconds that they have become longer by.
  mutating func correction(beyond added: Double) -> Double {
    guard let slope = fit.slope else { return 0 }
    let missing = fit.offset(at: place()) - added
    isCorrecting = isCorrecting || abs(missing) > Self.deadBand
    guard isCorrecting else { return 0 }
    let drift = max(-Self.maximumDrift, min(Self.maximumDrift, slope))
    return drift + max(-Self.maximumStep, min(Self.maximumStep, missing / Self.window))
  }
}
