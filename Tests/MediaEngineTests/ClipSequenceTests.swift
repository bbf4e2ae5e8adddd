import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// The timeline of a sequence of clips, against positions that are counted in whole ticks here.
struct ClipSequenceTests {
  private typealias Facts = ClipSequence.SourceFacts

  private static func seconds(_ value: Int64, _ timescale: Int32 = 1) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func range(_ start: Time, _ duration: Time) -> TimeRange {
    TimeRange(start: start, duration: duration)
  }

  private static func facts(
    _ duration: Time, video: Bool = true, audio: Bool = true,
    size: Size = Size(width: 1280, height: 720)
  ) -> Facts {
    let all = range(.zero, duration)
    return Facts(
      video: video ? Facts.Track(trackID: 1, timeRange: all) : nil,
      audio: audio ? Facts.Track(trackID: 2, timeRange: all) : nil, size: video ? size : nil,
      frameDuration: video ? seconds(1001, 30000) : nil)
  }

  // MARK: Random sequences

  /// One clip as it is counted here, in ticks of 1/705,600,000 s.
  private struct Counted {
    var clip: ClipSequence.Clip
    var facts: Facts
    var length: Int64
    var dissolve: Int64 = 0
    var start: Int64 = 0
  }

  private static let second: Int64 = 705_600_000

  private static func ticks(_ count: Int64) -> Time {
    Time(value: count, timescale: Int32(second))
  }

  /// Clips of durations that are frames of 30000/1001, samples of 44.1 and 48 kHz, or thirds of a second.
  private static func sequence(_ seed: UInt64) -> [Counted] {
    var random = SeededGenerator(seed: seed)
    let units: [Int64] = [second * 1001 / 30000, second / 44100, second / 48000, second / 3]
    let speeds = [(1, 1), (2, 1), (1, 2), (3, 2), (4, 3), (5, 1)].map {
      ClipSequence.Speed(Int32($0.0), over: Int32($0.1))
    }
    var clips: [Counted] = []
    for number in 0..<Int.random(in: 1...12, using: &random) {
      let unit = units.randomElement(using: &random) ?? second
      // Sixty of them can be played at each of the speeds in whole ticks.
      let count = max(1, second / unit / 20) * 60
      let duration = unit * count * Int64.random(in: 1...4, using: &random)
      let speed = speeds.randomElement(using: &random) ?? .natural
      let skipped = unit * Int64.random(in: 0...100, using: &random)
      var clip = ClipSequence.Clip(
        .url("/clip\(number)"), timeRange: range(ticks(skipped), ticks(duration)), speed: speed,
        volume: [1, 0.5].randomElement(using: &random) ?? 1)
      let facts = facts(ticks(skipped + duration + unit))
      let length = duration * Int64(speed.denominator) / Int64(speed.numerator)
      if let last = clips.indices.last, Bool.random(using: &random) {
        let free = min(clips[last].length - (last > 0 ? clips[last - 1].dissolve : 0), length / 2)
        let dissolve = free / 1000 * Int64.random(in: 1...1000, using: &random)
        if dissolve > 0 {
          clips[last].dissolve = dissolve
          clips[last].clip.transition = .dissolve(ticks(dissolve))
        }
      }
      clip.fit = .contain
      clips.append(Counted(clip: clip, facts: facts, length: length))
    }
    var start: Int64 = 0
    for number in clips.indices {
      clips[number].start = start
      start += clips[number].length - clips[number].dissolve
    }
    return clips
  }

  @Test(arguments: 0..<300) func everyPartIsWhereItIsCountedToBe(seed: Int) throws {
    let counted = Self.sequence(UInt64(seed))
    let sequence = ClipSequence(clips: counted.map(\.clip))
    var sources: [ClipSequence.Location: Facts] = [:]
    for clip in counted { sources[try #require(clip.clip.location)] = clip.facts }
    let timeline = try sequence.timeline(sources: sources)
    #expect(timeline.problems == [])
    #expect(try timeline == sequence.timeline(sources: sources))
    #expect(timeline == timeline.canonical)
    let end = try #require(counted.last.map { Self.ticks($0.start + $0.length) })
    #expect(timeline.duration == end)
    let composition = try #require(timeline.videoComposition)
    #expect(composition.instructions.last?.timeRange.end == end)
    let opacities = composition.instructions.flatMap(\.layerInstructions).flatMap(\.opacity)
    let volumes = (timeline.audioMix?.inputParameters ?? []).flatMap(\.volume)
    for (number, clip) in counted.enumerated() {
      let location = try #require(clip.clip.location)
      let parts = timeline.tracks.flatMap { track in
        track.segments.filter { segment in
          segment.source.flatMap { timeline.sources[$0] }?.location == location
        }.map { (track: track, segment: $0) }
      }
      #expect(parts.map(\.track.mediaType) == [.video, .audio])
      for part in parts {
        #expect(part.segment.timeMapping.source == clip.clip.timeRange)
        #expect(part.segment.timeMapping.target.start == Self.ticks(clip.start))
        #expect(part.segment.timeMapping.target.end == Self.ticks(clip.start + clip.length))
      }
      guard clip.dissolve > 0 else { continue }
      let next = counted[number + 1]
      #expect(clip.start + clip.length - next.start == clip.dissolve)
      let overlap = Self.range(Self.ticks(next.start), Self.ticks(clip.dissolve))
      #expect(opacities.contains(.ramp(from: 0, to: 1, over: overlap)))
      #expect(volumes.contains(.ramp(from: clip.clip.volume, to: 0, over: overlap)))
      #expect(volumes.contains(.ramp(from: 0, to: next.clip.volume, over: overlap)))
    }
  }

  // MARK: By hand

  @Test func aDissolveIsARampOverTheClipBelow() throws {
    let sequence = ClipSequence(clips: [
      .init(.url("/a"), transition: .dissolve(Self.seconds(1))), .init(.url("/b"), volume: 0.5),
    ])
    let timeline = try sequence.timeline(sources: [
      .url("/a"): Self.facts(Self.seconds(5)), .url("/b"): Self.facts(Self.seconds(4)),
    ])
    #expect(timeline.duration == Self.seconds(8))
    #expect(timeline.tracks.map(\.mediaType) == [.video, .video, .audio, .audio])
    let composition = try #require(timeline.videoComposition)
    #expect(composition.frameDuration == Self.seconds(1001, 30000))
    let layers = composition.instructions.map { $0.layerInstructions.map(\.trackID) }
    #expect(layers == [[1], [2, 1], [2]])
    #expect(
      composition.instructions.map(\.timeRange) == [
        Self.range(.zero, Self.seconds(4)), Self.range(Self.seconds(4), Self.seconds(1)),
        Self.range(Self.seconds(5), Self.seconds(3)),
      ])
    let overlap = Self.range(Self.seconds(4), Self.seconds(1))
    let dissolving = composition.instructions[1].layerInstructions
    #expect(dissolving.map(\.opacity) == [[.ramp(from: 0, to: 1, over: overlap)], []])
    #expect(composition.instructions[2].layerInstructions[0].opacity == [])
    #expect(
      timeline.audioMix?.inputParameters.map(\.volume) == [
        [.ramp(from: 1, to: 0, over: overlap)], [.ramp(from: 0, to: 0.5, over: overlap)],
      ])
  }

  /// The part that the next picture doesn't cover disappears with the dissolve, not at its end.
  @Test func aWiderPictureDisappearsToo() throws {
    let timeline = try ClipSequence(clips: [
      .init(.url("/wide"), transition: .dissolve(Self.seconds(1))), .init(.url("/tall")),
    ]).timeline(sources: [
      .url("/wide"): Self.facts(Self.seconds(5)),
      .url("/tall"): Self.facts(Self.seconds(5), size: Size(width: 720, height: 1280)),
    ])
    let layers = try #require(timeline.videoComposition).instructions[1].layerInstructions
    let overlap = Self.range(Self.seconds(4), Self.seconds(1))
    #expect(
      layers.map(\.opacity) == [
        [.ramp(from: 0, to: 1, over: overlap)], [.ramp(from: 1, to: 0, over: overlap)],
      ])
  }

  /// An audio track that begins late and ends early: silence, and nothing moves.
  @Test func pictureAndAudioBeginTogether() throws {
    var first = Self.facts(Self.seconds(2))
    first.audio?.timeRange = Self.range(Self.seconds(1, 50), Self.seconds(3, 2))
    let timeline = try ClipSequence(clips: [
      .init(.url("/a"), speed: .init(2)), .init(nil, duration: Self.seconds(1)), .init(.url("/a")),
    ]).timeline(sources: [.url("/a"): first])
    let starts = timeline.tracks.map { track in
      track.segments.filter { !$0.isEmpty }.map(\.timeMapping.target.start)
    }
    #expect(starts == [[.zero, Self.seconds(2)], [Self.seconds(1, 100), Self.seconds(101, 50)]])
    #expect(timeline.duration == Self.seconds(4))
    #expect(timeline.problems == [])
  }

  @Test func aGapAtTheEndCounts() throws {
    let timeline = try ClipSequence(clips: [
      .init(.url("/a")), .init(nil, duration: Self.seconds(1, 3)),
    ]).timeline(sources: [.url("/a"): Self.facts(Self.seconds(2))])
    #expect(timeline.duration == Self.seconds(7, 3))
  }

  @Test func musicGivesWayToClips() throws {
    let music = ClipSequence.Accompaniment(
      .url("/music"), volume: 0.5, fadeIn: Self.seconds(1), fadeOut: Self.seconds(2), loops: true,
      ducking: .init(level: 0.25))
    let timeline = try ClipSequence(
      clips: [
        .init(nil, duration: Self.seconds(4)), .init(.url("/talk")),
        .init(nil, duration: Self.seconds(6)),
      ], audio: [music]
    ).timeline(sources: [
      .url("/music"): Self.facts(Self.seconds(6), video: false),
      .url("/talk"): Self.facts(Self.seconds(3)),
    ])
    let parameters = try #require(timeline.audioMix?.inputParameters)
    let track = try #require(timeline.tracks.last)
    #expect(parameters.map(\.trackID) == [track.trackID])
    #expect(
      parameters.first?.volume == [
        .ramp(from: 0, to: 0.5, over: Self.range(.zero, Self.seconds(1))),
        .ramp(from: 0.5, to: 0.125, over: Self.range(Self.seconds(4), Self.seconds(1, 5))),
        .ramp(from: 0.125, to: 0.5, over: Self.range(Self.seconds(7), Self.seconds(1, 2))),
        .ramp(from: 0.5, to: 0, over: Self.range(Self.seconds(11), Self.seconds(2))),
      ])
    #expect(
      track.segments.map(\.timeMapping.source.duration) == [6, 6, 1].map { Self.seconds($0) })
    #expect(timeline.duration == Self.seconds(13))
  }

  @Test func overlaysAreOnTopAndFade() throws {
    var still = Self.facts(Self.seconds(1, 25), audio: false, size: Size(width: 200, height: 100))
    still.isStill = true
    let overlay = ClipSequence.Overlay(
      .url("/logo"), timeRange: Self.range(Self.seconds(1), .positiveInfinity),
      frame: Rectangle(x: 10, y: 20, width: 100, height: 50), opacity: 0.5,
      fadeIn: Self.seconds(1))
    let timeline = try ClipSequence(
      clips: [.init(.url("/a")), .init(.url("/logo"))], overlays: [overlay]
    ).timeline(sources: [.url("/a"): Self.facts(Self.seconds(2)), .url("/logo"): still])
    let instructions = try #require(timeline.videoComposition).instructions
    #expect(instructions.map { $0.layerInstructions.map(\.trackID) } == [[1], [2, 1], [2, 1]])
    let fade = Self.range(Self.seconds(1), Self.seconds(1))
    #expect(instructions[1].layerInstructions[0].opacity == [.ramp(from: 0, to: 0.5, over: fade)])
    #expect(instructions[2].layerInstructions[0].opacity == [.value(0.5, at: Self.seconds(2))])
    let placed = AffineTransform(a: 0.5, b: 0, c: 0, d: 0.5, tx: 10, ty: 20)
    #expect(
      instructions[1].layerInstructions[0].transform == [.value(placed, at: Self.seconds(1))])
    #expect(timeline.duration == Self.seconds(5))
    #expect(timeline.sources.values.filter(\.isStill).count == 1)
  }

  /// Timescales without a common one: the clock of 705,600,000 ticks takes over, and nothing is rounded.
  @Test func timesWithoutACommonTimescale() throws {
    let primes: [Int32] = [44101, 48017, 90001]
    let timeline = try ClipSequence(clips: primes.map { .init(.url("/\($0)")) }).timeline(
      sources: Dictionary(
        uniqueKeysWithValues: primes.map { (.url("/\($0)"), Self.facts(Self.seconds(1, $0))) }))
    #expect(timeline.problems == [])
    let times = timeline.tracks[0].segments.map(\.timeMapping.target.end)
    #expect(times.allSatisfy { !$0.hasBeenRounded && 705_600_000 % $0.timescale == 0 })
  }

  @Test func everyProblemIsReportedAtOnce() throws {
    let sequence = ClipSequence(
      size: .zero,
      clips: [
        .init(.url("/a"), timeRange: Self.range(Self.seconds(9), Self.seconds(1))),
        .init(.url("/a"), timeRange: Self.range(Self.seconds(1), Self.seconds(9)), volume: -1),
        .init(.url("/a"), transition: .dissolve(Self.seconds(3))),
        .init(.url("/b"), speed: .init(0), transition: .dissolve(Self.seconds(1))),
      ],
      overlays: [
        .init(
          .url("/b"), timeRange: Self.range(Self.seconds(1), Self.seconds(1)),
          frame: Rectangle(x: 0, y: 0, width: 0, height: 1), opacity: 2)
      ], audio: [.init(.url("/c"), fadeIn: Self.seconds(-1), fadeOut: .invalid)])
    let error = try #require(throws: EngineError.self) {
      try sequence.timeline(sources: [
        .url("/a"): Self.facts(Self.seconds(2)), .url("/c"): Self.facts(Self.seconds(2)),
      ])
    }
    #expect(
      error.problems.map(\.path) == [
        "/size", "/clips/0/timeRange/start", "/clips/1/volume", "/clips/1/timeRange/duration",
        "/clips/3/speed", "/clips/3", "/clips/2/transition/duration", "/clips/3/transition",
        "/overlays/0/frame", "/overlays/0/opacity", "/overlays/0", "/audio/0/fadeIn",
        "/audio/0/fadeOut",
      ])
    #expect(error.problems[1].code == .invalidCompositionTrackSegmentSourceStartTime)
    #expect(error.problems[3].code == .invalidCompositionTrackSegmentSourceDuration)
  }
}
