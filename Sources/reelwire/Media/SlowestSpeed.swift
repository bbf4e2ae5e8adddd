import Glibc

/// The minimum speed of bytes: the time of waiting for them is counted, and not the time in which none are wanted.
///
/// `REELWIRE_SPEED_LIMIT` bytes a second, 256 unless set, on average over `REELWIRE_SPEED_TIME` seconds of waiting, 30
/// unless set; a limit of 0 waits for ever.
struct SlowestSpeed {
  private let limit: Double
  private let time: Double
  /// Since the last time that enough had come.
  private var waited = 0.0
  private var received = 0

  init(limit: Double, time: Double) { (self.limit, self.time) = (limit, time) }

  static var ofEnvironment: SlowestSpeed {
    func number(_ name: String, or usual: Double) -> Double {
      let text = unsafe getenv(name).map { unsafe String(cString: $0) }
      guard let value = text.flatMap({ Double($0) }), value >= 0, value.isFinite else {
        return usual
      }
      return value
    }
    return SlowestSpeed(
      limit: number("REELWIRE_SPEED_LIMIT", or: 256),
      time: min(max(0.001, number("REELWIRE_SPEED_TIME", or: 30)), 1e6))
  }

  /// Blocks until there are bytes, or the end.
  mutating func wait(for descriptor: Int32) throws(MediaInputError) {
    guard limit > 0 else { return }
    while true {
      let start = ContinuousClock.now
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let result = unsafe poll(&waiting, 1, Int32(max(1, (time - waited) * 1000)))
      waited += (ContinuousClock.now - start) / .seconds(1)
      if waited >= time {
        guard Double(received) >= limit * time else {
          throw MediaInputError(
            reason: "the server sends less than \(Int(limit)) bytes a second "
              + "(REELWIRE_SPEED_LIMIT, REELWIRE_SPEED_TIME)")
        }
        (waited, received) = (0, 0)
      }
      if result > 0 { return }
      if result < 0, errno != EINTR { throw .system() }
    }
  }

  mutating func count(_ bytes: Int) { received += bytes }
}
