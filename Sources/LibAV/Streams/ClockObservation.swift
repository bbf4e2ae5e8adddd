extension Demuxer {
  /// True for containers whose clock may begin again in the middle of a file, where it isn't known whether
  /// it does.
  package var clockMayBeginAgain: Bool { behavior.clockBits != nil && options.clock == nil }

  /// Has the time stamps of all packets looked at from now on, the start of the file.
  package mutating func observeClock() { clockBuilder = ClockSegmentsBuilder(self) }

  /// The segments of the clock, once all packets have been read; nil where it never begins again.
  package var observedClock: ClockSegments? { clockBuilder?.finish() }

  /// In how many places a file is looked at.
  private static let placeCount: Int64 = 16
  /// A stream that isn't found within so many packets shows nothing.
  private static let packetLimit = 2000

  /// Whether the clock seems to run on all through a file of `size` bytes, by a look at a few places. The
  /// demuxer is somewhere in the file afterwards.
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
