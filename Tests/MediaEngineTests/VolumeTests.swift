import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Volumes over time, sample by sample: `VolumeCurve`, and `MixedAudio` by an `AudioMix`.
struct VolumeTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  private static func time(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func ramp(
    _ from: Double, _ to: Double, _ start: Time, _ duration: Time
  ) -> ValueRamp<Double> {
    .ramp(from: from, to: to, over: TimeRange(start: start, duration: duration))
  }

  private func mix(
    _ path: String, _ volumes: [Int32: [ValueRamp<Double>]]?, range: TimeRange = .all,
    _ format: AudioSampleFormat = .f64, rate: Int? = nil
  ) throws -> [SampleBuffer] {
    let mix = volumes.map { volumes in
      AudioMix(
        inputParameters: volumes.sorted { $0.key < $1.key }.map {
          AudioMix.InputParameters(trackID: $0.key, volume: $0.value)
        })
    }
    return try MixedAudio(
      Fixtures.tracks(path).map { ($0, nil) }, by: mix,
      TrackReading(range: range, interrupt: Interrupt()),
      settings: AudioSettings(sampleFormat: format, sampleRate: rate, isInterleaved: true)
    ).all()
  }

  /// Tones of two channels, one track for each frequency.
  private func tones(
    _ name: String, _ frequencies: [Int], rate: Int = 48_000, seconds: Int = 2, gain: Double = 0.3,
    codec: String = "pcm_f64le"
  ) throws -> String {
    let inputs = frequencies.map { frequency in
      "-f lavfi -i aevalsrc=\(gain)*sin(2*PI*t*\(frequency))|\(gain)*cos(2*PI*t*\(frequency + 70))"
        + ":d=\(seconds):s=\(rate)"
    }
    let maps = frequencies.indices.map { "-map \($0)" }
    return try fixtures.make(
      name, (inputs + maps).joined(separator: " ") + " -c:a \(codec)")
  }

  private func number(_ path: String, _ index: Int = 0) throws -> Int32 {
    try Fixtures.tracks(path)[index].trackID
  }

  private func greatestDifference(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// Between two samples there is nothing to decode, resampled or not.
  @Test func aRangeBetweenTwoSamplesIsEmpty() throws {
    let path = try tones("short.mov", [300], rate: 44_100)
    let range = TimeRange(
      start: Self.time(96_079 * 3 + 1, 48_000 * 3), end: Self.time(96_079 * 3 + 2, 48_000 * 3))
    for rate in [nil, 48_000] {
      #expect(try mix(path, nil, range: range, .f32, rate: rate).allSatisfy { $0.sampleCount == 1 })
      let track = try #require(try Fixtures.tracks(path).first)
      let audio = try track.timeline.audio(
        TrackReading(range: range, interrupt: Interrupt()),
        AudioSettings(sampleFormat: .f32, sampleRate: rate, isInterleaved: true))
      #expect(try audio.all().allSatisfy { $0.sampleCount == 1 })
    }
  }

  // MARK: One track

  /// Each sample has the volume of its own time, as `aeval` computes it.
  @Test(arguments: [44_100, 48_000, 96_000, 11_025]) func rampsAreExactToTheSample(
    _ rate: Int
  ) throws {
    let path = try tones("a.mov", [300], rate: rate)
    let expected = try fixtures.samples(
      of: path, as: "f64le", Double.self,
      "-af aeval=val(ch)*clip(1-(n/\(rate)-0.5)/1\\,0\\,1):c=same")
    let volume = [Self.ramp(1, 0, Self.time(1, 2), Self.time(1, 1))]
    let values = try mix(path, [number(path): volume]).values(Double.self)
    try #require(values.count == expected.count && expected.count == 4 * rate)
    #expect(greatestDifference(values, expected) < 1e-12)
    // The same for the mix of all tracks.
    #expect(try mix(path, [0: volume]).values(Double.self) == values)
  }

  @Test func aVolumeIsAFactor() throws {
    let path = try tones("a.mov", [300])
    let expected = try fixtures.samples(
      of: path, as: "f64le", Double.self, "-af volume=0.25:precision=double")
    let values = try mix(
      path, [number(path): [.value(0.25, at: .zero)]]
    ).values(Double.self)
    #expect(values == expected)
  }

  /// Values and ramps one after the other, at times between samples, over six channels.
  @Test func entriesFollowEachOther() throws {
    let path = try fixtures.make(
      "a.mov",
      "-f lavfi -i aevalsrc=0.1|0.2|0.3|0.4|0.5|0.6:d=1:s=44100:c=5.1 -c:a pcm_f64le")
    let third = Self.time(1, 3)
    let volume: [ValueRamp<Double>] = [
      .value(0.5, at: Self.time(1, 10)), Self.ramp(0.25, 2, Self.time(1, 7), Self.time(1, 7)),
      Self.ramp(1, 0, third, Self.time(1, 1_000_003)), .value(3, at: Self.time(9, 10)),
    ]
    let values = try mix(path, [number(path): volume]).values(Double.self)
    try #require(values.count == 6 * 44_100)
    for sample in 0..<44_100 {
      let n = Int64(sample)
      let factor: Double =
        if n * 10 < 44_100 {
          1
        } else if n * 7 < 44_100 {
          0.5
        } else if n * 7 < 2 * 44_100 {
          0.25 + 1.75 * Double(n * 7 - 44_100) / 44_100
        } else if n * 3 < 44_100 {
          2
        } else if n == 14_700 {
          // The one sample in the third entry is its first.
          1
        } else if n * 10 < 9 * 44_100 {
          0
        } else {
          3
        }
      for channel in 0..<6 {
        let expected = Double(channel + 1) / 10 * factor
        #expect(abs(values[6 * sample + channel] - expected) < 1e-12, "\(sample)")
      }
    }
  }

  /// A range that is read is a part of the whole, bit for bit, wherever it begins in a ramp.
  @Test(arguments: [AudioSampleFormat.f64, .f32, .s16]) func rangesArePartsOfTheWhole(
    _ format: AudioSampleFormat
  ) throws {
    let path = try tones("a.mov", [300, 500], rate: 44_100)
    let volumes = [
      try number(path): [Self.ramp(0, 1, Self.time(1, 3), Self.time(4, 3))],
      try number(path, 1): [Self.ramp(1, 0.1, Self.time(1, 5), Self.time(1, 1))],
      0: [Self.ramp(0.3, 0.9, .zero, Self.time(19, 10))],
    ]
    func read(_ range: TimeRange) throws -> [UInt8] {
      try mix(path, volumes, range: range, format).values(UInt8.self)
    }
    let whole = try read(.all)
    let size = 2 * whole.count / 4 / 44_100
    var random = SeededGenerator(seed: 18)
    for _ in 0..<12 {
      let start = Int.random(in: 0..<80_000, using: &random)
      let end = Int.random(in: start + 1...88_200, using: &random)
      let range = TimeRange(
        start: Self.time(Int64(start), 44_100), end: Self.time(Int64(end), 44_100))
      #expect(try read(range) == Array(whole[start * size..<end * size]), "\(range)")
    }
  }

  /// A volume of 1 changes nothing, however it is set.
  @Test func unityIsUntouched() throws {
    let path = try tones("a.mov", [300], codec: "pcm_f32le")
    let plain = try fixtures.samples(of: path, as: "f32le", Float.self)
    let volume = [
      .value(1, at: .zero), Self.ramp(1, 1, Self.time(1, 2), Self.time(1, 2)),
      .value(1, at: Self.time(3, 2)),
    ]
    let values = try mix(path, [number(path): volume, 0: volume], .f32).values(Float.self)
    #expect(values.map(\.bitPattern) == plain.map(\.bitPattern))
  }

  // MARK: Several tracks

  /// Three tracks at volumes of their own, as `amix` adds the outputs of `aeval`.
  @Test func tracksAreMixedAtTheirVolumes() throws {
    let path = try tones("a.mov", [300, 470, 610], gain: 0.2)
    let graph =
      "[0:a:0]aeval=val(ch)*clip(n/48000\\,0\\,1):c=same[a];[0:a:1]volume=0.5:precision=double[b];"
      + "[a][b][0:a:2]amix=inputs=3:normalize=0:duration=longest"
    let expected = try fixtures.samples(
      of: path, as: "f32le", Float.self, "-filter_complex \(graph)")
    let values = try mix(
      path,
      [
        number(path): [Self.ramp(0, 1, .zero, Self.time(1, 1))],
        number(path, 1): [.value(0.5, at: .zero)],
      ], .f32
    ).values(Float.self)
    try #require(values.count == expected.count)
    #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-7 })
  }

  /// Two ramps make a crossfade: of the same audio that is the audio itself.
  @Test func twoRampsMakeACrossfade() throws {
    let path = try tones("a.mov", [300, 300])
    let one = try fixtures.samples(of: path, as: "f64le", Double.self, "-map 0:a:0")
    let (start, duration) = (Self.time(7, 10), Self.time(1, 2))
    let values = try mix(
      path,
      [
        number(path): [Self.ramp(1, 0, start, duration)],
        number(path, 1): [.value(0, at: .zero), Self.ramp(0, 1, start, duration)],
      ]
    ).values(Double.self)
    #expect(greatestDifference(values, one) < 1e-12)
  }

  /// A sample too loud for whole numbers is clipped, on both sides.
  @Test func whatIsTooLoudIsClipped() throws {
    let path = try tones("a.mov", [300], gain: 0.9)
    let plain = try fixtures.samples(of: path, as: "f64le", Double.self)
    let values = try mix(
      path, [number(path): [.value(1.5, at: .zero)], 0: [.value(2, at: .zero)]], .s16
    ).values(Int16.self)
    try #require(values.count == plain.count)
    for (value, sample) in zip(values, plain) {
      let wanted = Int((sample * 3 * 32_768).rounded())
      #expect(abs(Int(value) - min(max(wanted, -32_768), 32_767)) <= 1)
    }
    #expect(values.contains(.max) && values.contains(.min))
  }

  /// Volumes are counted at the output's rate.
  @Test func volumesFollowTheOutputsRate() throws {
    let path = try fixtures.make(
      "a.mov", "-f lavfi -i aevalsrc=0.5:d=2:s=44100 -c:a pcm_f64le")
    let values = try mix(
      path, [number(path): [Self.ramp(0, 1, Self.time(1, 2), Self.time(1, 1))]], rate: 32_000
    ).values(Double.self)
    // Away from the edges, where the resampler rings.
    for sample in stride(from: 1000, to: 63_000, by: 7) {
      let factor = sample < 16_000 ? 1 : min(1, Double(sample) / 32_000 - 0.5)
      #expect(abs(values[sample] - 0.5 * factor) < 1e-4, "\(sample)")
    }
  }

  // MARK: Curves

  /// Any curve, against one that is evaluated sample by sample in exact times.
  @Test(arguments: 0..<20) func curvesAreExact(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rate = [8000, 44_100, 48_000].randomElement(using: &random) ?? 8000
    let scales: [Int32] = [600, 1001, 44_100, 30_000, 999_983]
    var entries: [ValueRamp<Double>] = []
    var end = Time.zero
    for _ in 0..<6 {
      let scale = scales.randomElement(using: &random) ?? 600
      func some(_ seconds: Int64) -> Time {
        Self.time(Int64.random(in: 1...seconds * Int64(scale) / 50, using: &random), scale)
      }
      let start = Bool.random(using: &random) ? end : end + some(2)
      let (from, to) = (
        Double.random(in: 0...2, using: &random), Double.random(in: 0...2, using: &random)
      )
      if Bool.random(using: &random) {
        entries.append(.value(from, at: start))
        end = start
      } else {
        let duration = some(10)
        entries.append(Self.ramp(from, to, start, duration))
        end = start + duration
      }
    }
    func value(_ sample: Int64) -> Double {
      let time = Self.time(sample, Int32(rate))
      guard let entry = entries.last(where: { $0.start <= time }) else { return 1 }
      guard case .ramp(let from, let to, let range) = entry else { return entry.values[0] }
      if time >= range.end { return to }
      let (start, duration) = (range.start, range.duration)
      let (a, b) = (Int128(sample), Int128(rate))
      let passed = a * Int128(start.timescale) - Int128(start.value) * b
      let whole = b * Int128(start.timescale) * Int128(duration.value)
      return from + (to - from) * (Double(passed * Int128(duration.timescale)) / Double(whole))
    }
    let curve = VolumeCurve(entries, rate: rate)
    let count = Int64(rate)
    var position: Int64 = -10
    while position < count {
      let next = position + Int64.random(in: 1...4000, using: &random)
      var filled = position
      for (samples, gain) in curve.gains(position..<next) {
        #expect(samples.lowerBound == filled)
        filled = samples.upperBound
        for sample in samples {
          let expected = value(sample)
          #expect(abs(gain[Int(sample - samples.lowerBound)] - expected) < 1e-12, "\(sample)")
        }
      }
      #expect(filled == next)
      position = next
    }
  }
}
