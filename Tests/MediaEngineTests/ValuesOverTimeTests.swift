import MediaTime
import Testing

@testable import MediaEngine

/// Values over time, against the results of Python's `fractions.Fraction`, and where nothing is
/// rounded.
struct ValuesOverTimeTests {
  private static func t(_ value: Int64, _ timescale: Int32 = 1) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func range(_ start: Time, _ duration: Time) -> TimeRange {
    TimeRange(start: start, duration: duration)
  }

  /// A value, a gap, a ramp, a ramp that begins where it ends, and a value at the end of that one.
  private static let course: [ValueRamp<Double>] = [
    .value(0.5, at: t(1)),
    .ramp(from: 0, to: 1, over: range(t(2), t(4))),
    .ramp(from: 0.25, to: 0.75, over: range(t(6), t(2))),
    .value(0.125, at: t(8)),
  ]

  @Test(
    arguments: [
      (t(-1), nil), (t(0), nil), (t(999, 1000), nil), (t(1), 0.5), (t(3, 2), 0.5),
      (t(1999, 1000), 0.5), (t(2), 0), (t(3), 0.25), (t(5), 0.75), (t(47, 8), 0.96875),
      (t(6), 0.25), (t(7), 0.5), (t(15, 2), 0.625), (t(8), 0.125), (t(1000), 0.125),
      (.negativeInfinity, nil), (.positiveInfinity, 0.125),
    ] as [(Time, Double?)])
  func aValueHoldsUntilTheNextAndTheEndOfARampBelongsToWhatFollows(time: Time, value: Double?) {
    #expect(Self.course.value(at: time) == value)
  }

  @Test func aRampHoldsItsEndExactly() {
    let ramp: [ValueRamp<Double>] = [.ramp(from: 0.1, to: 0.7, over: Self.range(.zero, Self.t(3)))]
    #expect(ramp.value(at: Self.t(3)) == 0.7)
    #expect(ramp.value(at: Self.t(4)) == 0.7)
    #expect(ramp.value(at: .positiveInfinity) == 0.7)
    #expect(ramp.value(at: .zero) == 0.1)
    let none: [ValueRamp<Double>] = []
    #expect(none.value(at: .zero) == nil)
  }

  /// Of entries at one time the last one counts: a value that is set as a ramp begins is without effect.
  @Test func ofEntriesAtOneTimeTheLastCounts() {
    let course: [ValueRamp<Double>] = [
      .value(1, at: Self.t(2)), .ramp(from: 0, to: 1, over: Self.range(Self.t(2), Self.t(2))),
    ]
    #expect(course.value(at: Self.t(2)) == 0)
    #expect(course.value(at: Self.t(3)) == 0.5)
  }

  /// Of these, quotients of numbers that were rounded first are wrong in the last bit.
  @Test(arguments: [
    (t(64390, 90000), t(25_550_011_078, 2_147_483_647), t(160624, 44100), 0.2460000815084341),
    (
      t(57787, 48000), t(38_250_668_016, 2_147_483_647), t(16_164_333_761, 2_147_483_647),
      0.35500000001425414
    ),
    (
      t(108442, 90000), t(12_614_264_943, 2_147_483_647), t(3_654_370, 1_000_003),
      0.4170000700498893
    ),
    (
      t(3_014_530_778, 2_147_483_647), t(793782, 90000), t(9_586_841_344, 2_147_483_647),
      0.3470000000198371
    ),
    (
      t(1_987_552_213, 705_600_000), t(889581, 48000), t(16_994_522_887, 1_000_000_000),
      0.7650000000433744
    ),
    (
      t(7, 3), t(4_611_686_018_427_400_249, 2_147_483_647),
      t(2_305_843_009_213_693_955, 2_147_483_629), 0.5000000031044073
    ),
  ])
  func fractionsAreTheNearestNumbers(start: Time, duration: Time, time: Time, expected: Double) {
    let range = Self.range(start, duration)
    #expect(range.fraction(elapsedAt: time) == expected)
    let ramp: [ValueRamp<Double>] = [.ramp(from: 0, to: 1, over: range)]
    #expect(ramp.value(at: time) == expected)
  }

  /// With any clock that counts a frame's time, the value is the same.
  @Test func everyThirtiethOfASecondIsItsOwnFraction() {
    let ramp: [ValueRamp<Double>] = [.ramp(from: 0, to: 1, over: Self.range(Self.t(1), Self.t(1)))]
    for frame in Int64(0)..<30 {
      for scale in [1, 1001, 20, 3003] as [Int64] {
        let time = Self.t((30 + frame) * scale, Int32(30 * scale))
        #expect(ramp.value(at: time) == Double(frame) / 30)
      }
    }
  }

  @Test func numbersOfTransformsChangeEachForItself() throws {
    let quarterTurn = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 640, ty: 0)
    let layer = VideoComposition.LayerInstruction(
      trackID: 1,
      transform: [.ramp(from: .identity, to: quarterTurn, over: Self.range(Self.t(1), Self.t(4)))])
    #expect(layer.transform(at: .zero) == .identity)
    #expect(
      layer.transform(at: Self.t(2))
        == AffineTransform(a: 0.75, b: 0.25, c: -0.25, d: 0.75, tx: 160, ty: 0))
    // Half way of a half turn nothing is left of the picture.
    let halfTurn = AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
    let turned: [ValueRamp<AffineTransform>] = [
      .ramp(from: .identity, to: halfTurn, over: Self.range(.zero, Self.t(2)))
    ]
    #expect(
      turned.value(at: Self.t(1)) == AffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0))
    #expect(layer.transform(at: Self.t(5)) == quarterTurn)
    #expect(layer.opacity(at: Self.t(5)) == 1)
    #expect(layer.cropRectangle(at: Self.t(5)) == nil)
  }

  @Test func emptyRectanglesChangeToo() {
    let layer = VideoComposition.LayerInstruction(
      trackID: 1, opacity: [.value(0.5, at: Self.t(1))],
      cropRectangle: [
        .ramp(
          from: Rectangle(x: 320, y: 180, width: 0, height: 0),
          to: Rectangle(x: 0, y: 0, width: 640, height: 360),
          over: Self.range(Self.t(1), Self.t(8)))
      ])
    #expect(layer.cropRectangle(at: Self.t(1, 2)) == nil)
    #expect(
      layer.cropRectangle(at: Self.t(1)) == Rectangle(x: 320, y: 180, width: 0, height: 0))
    #expect(
      layer.cropRectangle(at: Self.t(3)) == Rectangle(x: 240, y: 135, width: 160, height: 90))
    #expect(layer.opacity(at: .zero) == 1)
    #expect(layer.opacity(at: Self.t(1)) == 0.5)
  }

  @Test func volumeIsFullBeforeTheFirstEntry() {
    let parameters = AudioMix.InputParameters(trackID: 1, volume: Self.course)
    #expect(parameters.volume(at: .zero) == 1)
    #expect(parameters.volume(at: Self.t(3)) == 0.25)
  }

  /// AVAudioMix.h of getVolumeRampForTime: the ramp that contains the time, else the first one after it.
  @Test(
    arguments: [
      (t(0), 1), (t(1), 1), (t(2), 1), (t(5999, 1000), 1), (t(6), 2), (t(7), 2), (t(8), nil),
      (t(9), nil),
    ] as [(Time, Int?)])
  func theRampOfATimeContainsItOrStartsAfterIt(time: Time, index: Int?) {
    #expect(Self.course.ramp(at: time) == index.map { Self.course[$0] })
  }
}

/// The properties computed of an instruction.
struct InstructionTests {
  private typealias Layer = VideoComposition.LayerInstruction

  private static func t(_ value: Int64) -> Time { Time(value: value, timescale: 1) }

  private static func instruction(_ layers: [Layer]) -> VideoComposition.Instruction {
    VideoComposition.Instruction(
      timeRange: TimeRange(start: t(2), duration: t(2)), layerInstructions: layers)
  }

  private static func ramp(_ from: Double, _ to: Double, _ start: Int64) -> ValueRamp<Double> {
    .ramp(from: from, to: to, over: TimeRange(start: t(start), duration: t(1)))
  }

  @Test func requiredTracksAreNamedOnce() {
    let layers = [3, 1, 3].map { Layer(trackID: $0) }
    #expect(Self.instruction(layers).requiredSourceTrackIDs == [3, 1])
    #expect(Self.instruction([]).requiredSourceTrackIDs == [])
  }

  @Test func onlyOneLayerThatIsLeftAsItIsPassesThrough() {
    func passes(_ layer: Layer) -> Bool { Self.instruction([layer]).passthroughTrackID == 1 }
    #expect(passes(Layer(trackID: 1)))
    #expect(passes(Layer(trackID: 1, fit: .contain)))
    #expect(Self.instruction([]).passthroughTrackID == nil)
    #expect(
      Self.instruction([Layer(trackID: 1), Layer(trackID: 2)]).passthroughTrackID == nil)
    // Layers that end before, begin at the end or change nothing.
    #expect(passes(Layer(trackID: 1, opacity: [Self.ramp(0, 1, 1)])))
    #expect(passes(Layer(trackID: 1, opacity: [Self.ramp(1, 0, 4)])))
    #expect(passes(Layer(trackID: 1, opacity: [.value(0, at: .zero), .value(1, at: Self.t(2))])))
    #expect(passes(Layer(trackID: 1, transform: [.value(.identity, at: Self.t(3))])))
    #expect(!passes(Layer(trackID: 1, opacity: [Self.ramp(1, 0, 3)])))
    #expect(!passes(Layer(trackID: 1, opacity: [Self.ramp(1, 0, 1)])))
    #expect(!passes(Layer(trackID: 1, opacity: [.value(0.5, at: .zero)])))
    let moved = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 1, ty: 0)
    #expect(!passes(Layer(trackID: 1, transform: [.value(moved, at: Self.t(3))])))
    let all = Rectangle(x: 0, y: 0, width: 1, height: 1)
    #expect(!passes(Layer(trackID: 1, cropRectangle: [.value(all, at: .zero)])))
    #expect(passes(Layer(trackID: 1, cropRectangle: [.value(all, at: Self.t(4))])))
  }
}
