/// The times of a device's samples, by their numbers: a line through the times that the device
/// states, which are off by some milliseconds each.
///
/// It is arithmetic on its input alone, and reads no clock.
package struct DeviceTimes: Sendable {
  private struct Line {
    var position: Int64
    /// The time in nanoseconds.
    var time: Double
    var period: Double

    func time(of position: Int64) -> Double {
      time + Double(position - self.position) * period
    }
  }

  /// The nominal duration of a sample, in nanoseconds.
  private let usualPeriod: Double
  private var line: Line?
  private var points = 0
  private var strays = 0

  /// The maximum deviation of a point in nanoseconds; a larger one is an error of the device, or of
  /// the thread that waits for it.
  private static let tolerance = 30e6
  /// The number of such points, one after another, that begin another line.
  private static let maximumStrays = 10
  /// The seconds in which a change of the device's clock is followed.
  private static let settling = 2.0
  /// The maximum deviation of a device's clock, as a fraction.
  private static let limit = 0.005

  package init(sampleRate: Int) { usualPeriod = 1e9 / Double(max(1, sampleRate)) }

  /// Adds the time of a sample, in nanoseconds, as the device states it.
  package mutating func take(_ time: Int64, of position: Int64) {
    guard var line, position > line.position else {
      if line == nil { begin(at: time, position) }
      return
    }
    let expected = line.time(of: position)
    let deviation = Double(time) - expected
    if abs(deviation) > Self.tolerance {
      strays += 1
      if strays == Self.maximumStrays { begin(at: time, position) }
      return
    }
    strays = 0
    points += 1
    let count = Double(position - line.position)
    let seconds = count * usualPeriod / 1e9
    // A mean of the first points, then one in which old points fade.
    let part = min(1, max(1 / Double(points + 1), seconds / Self.settling))
    if Double(points) * seconds > Self.settling {
      line.period += part * part / 4 * deviation / count
      let range = usualPeriod * (1 - Self.limit)...usualPeriod * (1 + Self.limit)
      line.period = min(max(line.period, range.lowerBound), range.upperBound)
    }
    line.time = expected + part * deviation
    line.position = position
    self.line = line
  }

  private mutating func begin(at time: Int64, _ position: Int64) {
    line = Line(position: position, time: Double(time), period: usualPeriod)
    (points, strays) = (0, 0)
  }

  /// Returns the time of a sample, in nanoseconds; nil before the first one is known.
  package func time(of position: Int64) -> Int64? {
    line.map { Int64($0.time(of: position).rounded()) }
  }
}
