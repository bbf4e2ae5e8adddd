extension Demuxer {
  /// True for containers whose clock may begin again in the middle of a file, while it isn't known
  /// if it does.
  package var clockMayBeginAgain: Bool { behavior.clockBits != nil && options.clock == nil }

  /// Starts to record the time stamps of all packets; the demuxer is at the start of the file.
  package mutating func observeClock() { clockBuilder = ClockSegmentsBuilder(self) }

  /// The segments of the clock, once all packets have been read; nil where it never begins again.
  package var observedClock: ClockSegments? { clockBuilder?.finish() }

  /// The number of positions at which a file is examined.
  private static let placeCount: Int64 = 16
  /// The maximum number of packets that are read at a position; a stream that isn't found within
  /// them contributes nothing.
  private static let packetLimit = 2000

  /// Returns true if the clock seems to run without a break through a file of `size` bytes, by the
  /// time stamps at a few positions. The demuxer is at any position of the file afterwards.
  package mutating func clockSeemsToRunOn(size: Int64) throws(LibAVError) -> Bool {
    guard let bits = behavior.clockBits,
      let guide = streams.first(where: { $0.kind == .video && $0.attachedPictureSize == 0 })
        ?? streams.first(where: { $0.kind == .audio })
    else { return true }
    let period: Int64 = 1 << Int64(bits)
    var packet = try Packet()
    var stamps: [Int64] = []
    for place in 0..<Demuxer.placeCount {
      do throws(LibAVError) {
        try seek(toByte: size / Demuxer.placeCount * place)
      } catch {
        if error.code == .interrupted || error.code == .outOfMemory { throw error }
        continue
      }
      var count = 0
      while count < Demuxer.packetLimit, try read(into: &packet) {
        count += 1
        if packet.streamIndex == guide.index, let stamp = packet.dts ?? packet.pts {
          stamps.append(stamp)
          break
        }
      }
    }
    let steps = zip(stamps, stamps.dropFirst()).map {
      ClockSegments.distance(from: $0, to: $1, period)
    }
    guard steps.allSatisfy({ $0 >= 0 }) else { return false }
    // A step ahead that isn't explained by the file's data rate.
    let usual = steps.sorted().dropFirst(steps.count / 2).first ?? 0
    let second =
      guide.timeBase.isPositive
      ? Int64(guide.timeBase.denominator) / Int64(guide.timeBase.numerator) : 1
    return steps.allSatisfy { $0 <= 10 * second || $0 <= 20 * usual }
  }
}
