import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The stamps are made up: nothing here looks at a clock.
struct DeviceClockTests {
  private static let rate = 48_000
  private static let packet = 960

  /// A device that has taken `taken` samples by the time of a buffer, by a clock that runs too
  /// fast.
  private static func stamp(_ taken: Int64, drift: Double, jitter: Double = 0) -> Time {
    let seconds = Double(taken) / Double(rate) * (1 - drift / 1_000_000)
    return Time(secondsToNanosecond: 1000 + seconds + jitter)
  }

  private static func clock() -> DeviceClock {
    DeviceClock(sampleRate: rate, start: stamp(0, drift: 0))
  }

  /// Over an hour, audio stays within 10 ms of the clock of its stamps.
  @Test(arguments: [-300.0, 0, 300])
  func driftIsCorrected(_ drift: Double) throws {
    var clock = Self.clock()
    var random = SeededGenerator(seed: 11)
    var (taken, added, correction, worst) = (Int64(0), 0.0, 0.0, 0.0)
    let seconds = Double(Self.packet) / Double(Self.rate)
    for buffer in 0..<(3600 * Self.rate / Self.packet) {
      let jitter = taken == 0 ? 0 : Double.random(in: -0.009...0.009, using: &random)
      let stamp = Self.stamp(taken, drift: drift, jitter: jitter)
      try #require(clock.arrival(of: stamp) == .onTime)
      clock.take(Self.packet, at: stamp)
      if buffer % 50 == 0 {
        correction = clock.correction(beyond: added)
        try #require(abs(correction) <= DeviceClock.limit)
      }
      taken += Int64(Self.packet)
      added += correction * seconds
      let exact = -Double(taken) / Double(Self.rate) * drift / 1_000_000
      worst = max(worst, abs(exact - added))
    }
    #expect(worst < 0.005, "\(worst)")
    #expect(clock.isCorrecting == (drift != 0))
    let known = try #require(clock.drift)
    #expect(abs(known - drift) < 150, "\(known)")
  }

  /// Without jitter the rate is that of the device, as soon as it is known at all.
  @Test(arguments: [-300.0, 2, 300])
  func theRateIsMeasured(_ drift: Double) throws {
    var clock = Self.clock()
    for number in 0..<500 {
      if number < 250 { #expect(clock.drift == nil) }
      let taken = Int64(number * Self.packet)
      clock.take(Self.packet, at: Self.stamp(taken, drift: drift))
    }
    #expect(abs(try #require(clock.drift) - drift) < 0.1)
  }

  /// As much as is missing all at once is made good slowly.
  @Test func aCorrectionIsBounded() {
    var clock = Self.clock()
    for number in 0..<1000 {
      let stamp = Self.stamp(Int64(number * Self.packet), drift: 0, jitter: number < 5 ? 0 : 0.04)
      clock.take(Self.packet, at: stamp)
    }
    #expect(abs(clock.correction(beyond: 0) - 0.004) < 0.0005)
    #expect(abs(clock.correction(beyond: -1) - 0.005) < 0.0001)
    #expect(abs(clock.correction(beyond: 1) + 0.005) < 0.0001)
  }

  /// The greatest drift of a synthetic device is followed, after the offset of its first seconds is made good.
  @Test(arguments: [-10_000.0, 10_000]) func theGreatestDriftIsFollowed(_ drift: Double) throws {
    var clock = Self.clock()
    var (added, correction) = (0.0, 0.0)
    for buffer in 0..<(60 * Self.rate / Self.packet) {
      let taken = Int64(buffer * Self.packet)
      try #require(clock.arrival(of: Self.stamp(taken, drift: drift)) == .onTime)
      clock.take(Self.packet, at: Self.stamp(taken, drift: drift))
      if buffer % 50 == 0 { correction = clock.correction(beyond: added) }
      added += correction * Double(Self.packet) / Double(Self.rate)
    }
    #expect(abs(-60 * drift / 1_000_000 - added) < 0.003)
  }

  /// A buffer that comes too late or too early by more than jitter is recognised, also once the
  /// clocks have drifted.
  @Test(arguments: [-300.0, 300]) func gapsAndStampsThatGoBack(_ drift: Double) {
    var clock = Self.clock()
    var taken = Int64(0)
    // After ten minutes the clocks are 180 ms apart.
    for _ in 0..<(600 * Self.rate / Self.packet) {
      clock.take(Self.packet, at: Self.stamp(taken, drift: drift))
      taken += Int64(Self.packet)
    }
    func arrival(_ jitter: Double, after count: Int64 = 0) -> DeviceClock.Arrival {
      clock.arrival(
        of: Self.stamp(taken + count, drift: drift, jitter: jitter), after: count)
    }
    #expect(arrival(0.045) == .onTime)
    #expect(arrival(0.055) == .afterGap)
    #expect(arrival(-0.045) == .onTime)
    #expect(arrival(-0.055) == .early)
    #expect(arrival(0.055, after: 960) == .afterGap)
    // A clock that is set back continues as before.
    clock.setBack(to: Self.stamp(taken, drift: drift, jitter: -5))
    #expect(arrival(-5) == .onTime)
    #expect(arrival(-5.055) == .early)
    #expect(arrival(-4.945) == .afterGap)
    // A stamp that isn't believed changes nothing.
    clock.take(Self.packet, at: nil)
    taken += Int64(Self.packet)
    #expect(arrival(-5) == .onTime)
  }
}

/// Audio of devices, with stamps that are made up.
struct PushedAudioTests {
  private static let rate = 8000

  private static func layout() throws -> AudioLayout {
    AudioLayout(format: .float, sampleRate: rate, channels: .standard(channels: 1))
  }

  /// - Parameters:
  ///   - count: of buffers of 20 ms, each of which has its number as its samples.
  ///   - stamp: of a buffer, in seconds.
  private static func taken(
    _ count: Int, isFinished: Bool = true, _ stamp: (Int) -> Double
  ) throws -> [SampleBuffer] {
    let queue = PushedSamples(capacity: .max)
    let layout = try layout()
    for number in 0..<count {
      let values = [Float](repeating: Float(number), count: rate / 50)
      queue.deliver(
        SampleBuffer(
          audio: DataBuffer(block: try HeapAllocator().copy(values.span.bytes)),
          count: values.count, at: Time(secondsToNanosecond: stamp(number)), layout,
          AudioSettings(sampleFormat: .f32, isInterleaved: true)))
    }
    if isFinished { queue.finish() }
    let audio = PushedAudio(
      queue, in: WritingSession(.all), isOfDevice: true, as: layout, interrupt: Interrupt())
    var found: [SampleBuffer] = []
    while true {
      switch try audio.take() {
      case .element(let buffer) where buffer.sampleCount > 0: found.append(buffer)
      case .element, .skipped: continue
      case .pending, .end: return found
      }
    }
  }

  private static func samples(_ buffers: [SampleBuffer]) -> Int {
    buffers.map(\.sampleCount).reduce(0, +)
  }

  /// A device whose clock is off by 1,000 millionths: a minute of its samples lasts as long as it did.
  @Test(arguments: [-1000.0, 1000]) func driftingSamplesAreResampled(_ drift: Double) throws {
    let factor = 1 - drift / 1_000_000
    let found = try Self.taken(3000) { Double($0) * 0.02 * factor }
    let samples = Self.samples(found)
    #expect(abs(Double(samples) / Double(Self.rate) - 60 * factor) < 0.005, "\(samples)")
    // One buffer follows the other, and none is lost: all of their numbers are there.
    for (one, next) in zip(found, found.dropFirst()) {
      let length = Time(value: Int64(one.sampleCount), timescale: Int32(Self.rate))
      #expect(next.presentationTime == one.presentationTime + length)
    }
    let numbers = Set(found.values(Float.self).map { Int($0.rounded()) })
    #expect(numbers.isSuperset(of: 0..<3000))
  }

  /// By the device's own clock, samples are unchanged.
  @Test func samplesWithoutDriftAreCopied() throws {
    var random = SeededGenerator(seed: 5)
    let found = try Self.taken(1500) {
      $0 == 0 ? 0 : Double($0) * 0.02 + Double.random(in: -0.009...0.009, using: &random)
    }
    let expected = (0..<1500).flatMap { [Float](repeating: Float($0), count: Self.rate / 50) }
    #expect(found.values(Float.self) == expected)
  }

  /// Missing samples are a gap, exactly as long as the stamps show.
  @Test func aGapIsLeft() throws {
    let found = try Self.taken(100) { Double($0) * 0.02 + ($0 < 50 ? 0 : 1) }
    #expect(Self.samples(found) == 100 * Self.rate / 50)
    let late = try #require(found.first { $0.presentationTime >= .milliseconds(1001) })
    #expect(late.presentationTime == .milliseconds(2000))
    #expect([late].values(Float.self).first == 50)
  }

  /// One stamp that is far off isn't a gap, nor are stamps that go back an overlap.
  @Test(arguments: [0.4, -0.4]) func oneStampAlonePlacesNothing(_ error: Double) throws {
    let one = try Self.taken(100) { Double($0) * 0.02 + ($0 == 50 ? error : 0) }
    #expect(Self.samples(one) == 100 * Self.rate / 50)
    #expect(
      one.map(\.presentationTime)
        == (0..<100).map { Time(value: Int64($0 * Self.rate / 50), timescale: Int32(Self.rate)) })
    let back = try Self.taken(100) { Double($0) * 0.02 - ($0 < 50 ? 0 : 0.4) }
    #expect(back.map(\.presentationTime) == one.map(\.presentationTime))
  }

  /// A stamp that is far off waits for the next one, unless none comes.
  @Test func aDoubtfulStampWaits() throws {
    let stamp = { (number: Int) in Double(number) * 0.02 + (number == 9 ? 1 : 0) }
    #expect(try Self.samples(Self.taken(10, isFinished: false, stamp)) == 9 * Self.rate / 50)
    let all = try Self.taken(10, stamp)
    #expect(Self.samples(all) == 10 * Self.rate / 50)
    #expect(all.last?.presentationTime == .milliseconds(1180))
  }
}
