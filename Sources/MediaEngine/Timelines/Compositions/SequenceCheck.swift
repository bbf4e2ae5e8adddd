import MediaTime

/// Places the parts of a sequence in time and finds all that is wrong on the way.
struct SequenceCheck {
  let sources: [ClipSequence.Location: ClipSequence.SourceFacts]
  let clock: SequenceClock
  private(set) var problems: [EngineError.Problem] = []

  init(
    sources: [ClipSequence.Location: ClipSequence.SourceFacts], clock: SequenceClock
  ) {
    self.sources = sources.mapValues { facts in
      var facts = facts
      facts.video = facts.video.map { clock.given($0) }
      facts.audio = facts.audio.map { clock.given($0) }
      facts.subtitles = facts.subtitles.map { clock.given($0) }
      return facts
    }
    self.clock = clock
  }

  mutating func require(
    _ isRight: Bool, _ path: String, _ expected: String, _ got: String,
    _ code: EngineError.Code? = nil
  ) {
    guard !isRight else { return }
    problems.append(EngineError.Problem(path: path, expected: expected, got: got, code: code))
  }

  mutating func check(_ sequence: ClipSequence) {
    require(!sequence.clips.isEmpty, "/clips", "at least one", "none")
    if let size = sequence.size {
      require(size.hasArea, "/size", "a width and a height above 0", size.text)
    }
    if let duration = sequence.frameDuration {
      require(duration.isDuration, "/frameRate", "a number above 0", duration.exactDescription)
    }
    require(
      sequence.background.components.allSatisfy { $0 >= 0 && $0 <= 1 }, "/background",
      "four numbers from 0 to 1", "others")
    for (number, layer) in sequence.textLayers.enumerated() {
      problems += layer.problems(at: "/textLayers/\(number)")
    }
    for (number, clip) in sequence.clips.enumerated() {
      let path = "/clips/\(number)"
      problems += clip.text?.problems(at: "\(path)/text") ?? []
      guard let background = clip.background else { continue }
      require(
        clip.location == nil, "\(path)/background", "none, as it has a picture or audio", "a colour"
      )
      require(
        background.components.allSatisfy { $0 >= 0 && $0 <= 1 }, "\(path)/background",
        "four numbers from 0 to 1", "others")
    }
  }

  // MARK: Clips

  mutating func place(_ clips: [ClipSequence.Clip]) -> [SequenceLayout.PlacedClip] {
    var placed: [SequenceLayout.PlacedClip] = []
    let ranges = clips.enumerated().map { range(of: $1, "/clips/\($0)") }
    let transitions = checkedTransitions(of: clips, lengths: ranges.map(\.length))
    var start = Time.zero
    var lane = 0
    for (number, clip) in clips.enumerated() {
      let target = TimeRange(start: start, duration: ranges[number].length)
      placed.append(
        SequenceLayout.PlacedClip(
          clip: clip, facts: clip.location.flatMap { sources[$0] }, source: ranges[number].source,
          target: target, lane: lane, entrance: number == 0 ? nil : transitions[number - 1],
          exit: transitions[number], clock: clock))
      if let exit = transitions[number] {
        lane = 1 - lane
        start = target.end - exit.duration
      } else {
        start = target.end
      }
    }
    return placed
  }

  /// Returns the part of a source that is shown, and its duration.
  private mutating func range(
    of clip: ClipSequence.Clip, _ path: String
  ) -> (source: TimeRange, length: Time) {
    require(
      clip.volume >= 0 && clip.volume.isFinite, "\(path)/volume", "0 or more", "\(clip.volume)")
    require(
      clip.speed.isValid, "\(path)/speed", "a number other than 0",
      "\(clip.speed.numerator)/\(clip.speed.denominator)")
    requireOneSpeed(clip.speed, clip.speedRamp, path)
    let facts = clip.location.flatMap { sources[$0] }
    if let zoom = clip.zoom {
      require(facts?.video != nil, "\(path)/zoom", "none, as there is no picture", "a zoom")
      for (name, rectangle) in [("from", zoom.from), ("to", zoom.to)] {
        require(
          rectangle.isInside(facts?.size), "\(path)/zoom/\(name)",
          "a part of the picture, which is \(facts?.size?.text ?? "missing")", rectangle.text)
      }
    }
    if let freeze = clip.freeze {
      return (frame(at: freeze, facts, path), lengthOfStill(clip, path))
    }
    guard let location = clip.location, facts?.isStill != true else {
      return (facts?.video?.timeRange ?? .invalid, lengthOfStill(clip, path))
    }
    require(
      facts != nil, path, "a source that is known", "\(location)", .noSourceTrack)
    require(
      clip.duration == nil, "\(path)/duration",
      "none: timeRange and speed decide how long a clip is", "a duration")
    guard let facts, clip.speed.isValid else { return (.invalid, .zero) }
    require(
      facts.end > .zero, path, "a source with video or audio", "none of both", .noSourceTrack)
    guard facts.end > .zero else { return (.invalid, .zero) }
    guard let source = range(clip.timeRange, of: facts, "\(path)/timeRange") else {
      return (.invalid, .zero)
    }
    let pace = SequencePace(clip.speed, clip.speedRamp, clock)
    guard requireRamp(pace, over: source, "\(path)/speedRamp") else { return (.invalid, .zero) }
    let length = pace.duration(of: source)
    require(
      length.isDuration, "\(path)/speed", "one at which something is left to be shown",
      clip.speed.text, .invalidCompositionTrackSegmentDuration)
    return (source, length.isDuration ? length : .zero)
  }

  private mutating func requireOneSpeed(
    _ speed: PlaybackSpeed, _ ramp: [SpeedPoint], _ path: String
  ) {
    require(
      ramp.isEmpty || speed == .natural, "\(path)/speed",
      "none, as it has a speedRamp, which states all speeds", speed.text)
  }

  /// Returns false if a ramp is wrong.
  private mutating func requireRamp(
    _ pace: SequencePace, over range: TimeRange, _ path: String
  ) -> Bool {
    guard !pace.ramp.isEmpty else { return true }
    let found = pace.ramp.problems(over: range, allowsBackward: true, at: path)
    problems += found
    guard found.isEmpty else { return false }
    let isShown = pace.duration(of: range).isDuration
    require(
      isShown, path, "speeds at which something is left to be shown, for 68 years at most",
      "others", .invalidCompositionTrackSegmentDuration)
    return isShown
  }

  /// Returns the place of a frozen frame in its source.
  private mutating func frame(
    at time: Time, _ facts: ClipSequence.SourceFacts?, _ path: String
  ) -> TimeRange {
    guard let video = facts?.video else {
      require(false, "\(path)/freeze", "none, as there is no picture", "a time", .noSourceTrack)
      return .invalid
    }
    let own = clock.given(time)
    let range = video.timeRange
    require(
      facts?.isStill == true || own.isNumeric && own >= range.start && own < range.end,
      "\(path)/freeze",
      "from \(range.start.exactDescription) to before \(range.end.exactDescription)",
      time.exactDescription, .invalidCompositionTrackSegmentSourceStartTime)
    return facts?.isStill == true ? range : TimeRange(start: own, duration: .zero)
  }

  private mutating func lengthOfStill(_ clip: ClipSequence.Clip, _ path: String) -> Time {
    require(
      clip.timeRange == nil, "\(path)/timeRange", "none: a duration decides how long it is",
      "a range")
    require(
      clip.speed == .natural, "\(path)/speed", "none: a duration decides how long it is",
      "\(clip.speed.numerator)/\(clip.speed.denominator)")
    require(
      clip.speedRamp.isEmpty, "\(path)/speedRamp", "none: a duration decides how long it is",
      "a ramp")
    if clip.location == nil {
      require(clip.duration != nil, "\(path)/duration", "a duration, as it is a gap", "none")
    }
    let duration = clock.given(clip.duration ?? Time(value: 3, timescale: 1))
    require(
      duration.isDuration, "\(path)/duration", "more than 0 s", duration.exactDescription,
      .invalidCompositionTrackSegmentDuration)
    return duration.isDuration ? duration : .zero
  }

  /// Returns the requested part of a source; nil when there is no such part.
  private mutating func range(
    _ wanted: TimeRange?, of facts: ClipSequence.SourceFacts, _ path: String
  ) -> TimeRange? {
    guard let wanted else { return TimeRange(start: .zero, end: facts.end) }
    let start = clock.given(wanted.start)
    guard start.isNumeric, start.epoch == 0, start >= .zero, start < facts.end else {
      require(
        false, "\(path)/start", "from 0 s to \(facts.end.exactDescription)",
        wanted.start.exactDescription,
        .invalidCompositionTrackSegmentSourceStartTime)
      return nil
    }
    if wanted.duration.isPositiveInfinity { return TimeRange(start: start, end: facts.end) }
    let duration = clock.given(wanted.duration)
    let limit = max(facts.end, clock.given(facts.statedEnd))
    guard duration.isDuration, start + duration <= limit else {
      require(
        false, "\(path)/duration",
        "more than 0 s, and at most \((limit - start).exactDescription)",
        wanted.duration.exactDescription, .invalidCompositionTrackSegmentSourceDuration)
      return nil
    }
    return TimeRange(start: start, duration: duration)
  }

  /// Returns the transition of each clip to the next, nil for a cut.
  private mutating func checkedTransitions(
    of clips: [ClipSequence.Clip], lengths: [Time]
  ) -> [ClipSequence.Transition?] {
    var transitions: [ClipSequence.Transition?] = []
    for (number, clip) in clips.enumerated() {
      guard var transition = clip.transition else {
        transitions.append(nil)
        continue
      }
      let path = "/clips/\(number)/transition"
      let duration = clock.given(transition.duration)
      transition.duration = duration
      if case .dip(let color) = transition.kind {
        require(
          color.components.allSatisfy { $0 >= 0 && $0 <= 1 }, "\(path)/color",
          "four numbers from 0 to 1", "others")
      }
      guard duration.isDuration, number + 1 < clips.count else {
        require(number + 1 < clips.count, path, "none, as no clip follows", "a transition")
        require(duration.isDuration, "\(path)/duration", "more than 0 s", duration.exactDescription)
        transitions.append(nil)
        continue
      }
      let free = lengths[number] - (transitions.last??.duration ?? .zero)
      // A length of 0 has been reported.
      let next = lengths[number + 1] == .zero ? duration : lengths[number + 1]
      let maximum = lengths[number] == .zero ? duration : min(free, next)
      require(
        duration <= maximum, "\(path)/duration",
        "at most \(maximum.exactDescription), which the two clips have for it",
        duration.exactDescription,
        .invalidCompositionTrackSegmentDuration)
      transitions.append(duration <= maximum ? transition : nil)
    }
    return transitions
  }

  // MARK: Overlays and audio

  mutating func place(
    _ overlays: [ClipSequence.Overlay], before limit: Time
  ) -> [SequenceLayout.PlacedOverlay] {
    overlays.enumerated().compactMap { number, overlay in
      let path = "/overlays/\(number)"
      let start = clock.given(overlay.timeRange.start)
      let wanted = clock.given(overlay.timeRange.duration)
      requireStart(start, before: limit, "\(path)/timeRange/start")
      require(
        overlay.frame.hasArea, "\(path)/frame", "finite numbers, a width and a height above 0",
        overlay.frame.text)
      require(
        overlay.opacity >= 0 && overlay.opacity <= 1, "\(path)/opacity", "a number from 0 to 1",
        "\(overlay.opacity)")
      require(
        overlay.volume >= 0 && overlay.volume.isFinite, "\(path)/volume", "0 or more",
        "\(overlay.volume)")
      guard let facts = sources[overlay.location], let video = facts.video else {
        require(false, path, "a source with a picture", "\(overlay.location)", .noSourceTrack)
        return nil
      }
      guard let source = source(of: overlay, facts, video, path) else { return nil }
      var pace = SequencePace(overlay.speed, overlay.speedRamp, clock)
      guard requireRamp(pace, over: source, "\(path)/speedRamp") else { return nil }
      let available = facts.isStill ? Time.positiveInfinity : pace.duration(of: source)
      guard wanted > .zero, wanted.isNumeric || wanted.isPositiveInfinity else {
        require(false, "\(path)/timeRange/duration", "more than 0 s", wanted.exactDescription)
        return nil
      }
      require(
        wanted.isPositiveInfinity || wanted <= available, "\(path)/timeRange/duration",
        "at most \(available.exactDescription)", wanted.exactDescription,
        .invalidCompositionTrackSegmentSourceDuration)
      let end = min(limit, start + min(wanted, available))
      guard start.isNumeric, start >= .zero, start < end else { return nil }
      let target = TimeRange(start: start, end: end)
      var part = source
      if target.duration < available {
        (part, pace) = pace.part(of: source, shownFor: target.duration)
      }
      func piece(_ track: ClipSequence.SourceFacts.Track) -> SequencePace.Piece? {
        if facts.isStill {
          return .init(mapping: TimeMapping(source: track.timeRange, target: target))
        }
        return pace.piece(of: track, in: part, at: target)
      }
      guard let shown = piece(video) else { return nil }
      let audio = overlay.volume > 0 && !facts.isStill ? facts.audio : nil
      return SequenceLayout.PlacedOverlay(
        overlay: overlay, facts: facts, trackID: video.trackID, piece: shown,
        audio: audio.flatMap { audio in piece(audio).map { (audio.trackID, $0) } },
        playback: pace.playback,
        fadeIn: fade(overlay.fadeIn, "\(path)/fadeIn"),
        fadeOut: fade(
          overlay.fadeOut, "\(path)/fadeOut", beside: overlay.fadeIn, in: target.duration))
    }
  }

  /// Returns the part of the source of an overlay; nil where there is no such part.
  private mutating func source(
    of overlay: ClipSequence.Overlay, _ facts: ClipSequence.SourceFacts,
    _ video: ClipSequence.SourceFacts.Track, _ path: String
  ) -> TimeRange? {
    let speed = "\(overlay.speed.numerator)/\(overlay.speed.denominator)"
    if facts.isStill {
      require(
        overlay.sourceTimeRange == nil, "\(path)/sourceTimeRange", "none, as it is a still",
        "a range")
      require(overlay.speed == .natural, "\(path)/speed", "none, as it is a still", speed)
      require(
        overlay.speedRamp.isEmpty, "\(path)/speedRamp", "none, as it is a still", "a ramp")
      return video.timeRange
    }
    requireOneSpeed(overlay.speed, overlay.speedRamp, path)
    guard overlay.speed.isValid else {
      require(false, "\(path)/speed", "a number other than 0", speed)
      return nil
    }
    guard let wanted = overlay.sourceTimeRange else {
      return TimeRange(start: .zero, end: video.timeRange.end)
    }
    return range(wanted, of: facts, "\(path)/sourceTimeRange")
  }

  mutating func place(
    _ audio: [ClipSequence.Accompaniment], before limit: Time
  ) -> [SequenceLayout.PlacedAudio] {
    audio.enumerated().compactMap { number, audio in
      let path = "/audio/\(number)"
      let start = clock.given(audio.start)
      requireStart(start, before: limit, "\(path)/at")
      require(
        audio.volume >= 0 && audio.volume.isFinite, "\(path)/volume", "0 or more",
        "\(audio.volume)")
      if let ducking = audio.ducking {
        require(
          ducking.level >= 0 && ducking.level <= 1, "\(path)/duck/to", "a number from 0 to 1",
          "\(ducking.level)")
        _ = fade(ducking.attack, "\(path)/duck/attack")
        _ = fade(ducking.release, "\(path)/duck/release")
      }
      guard let facts = sources[audio.location], let track = facts.audio else {
        require(false, path, "a source with audio", "\(audio.location)", .noSourceTrack)
        return nil
      }
      guard let source = range(audio.timeRange, of: facts, "\(path)/timeRange"),
        start.isNumeric, start >= .zero, start < limit
      else { return nil }
      let end = audio.loops ? limit : min(limit, start + source.duration)
      let target = TimeRange(start: start, end: end)
      let repeats = target.duration.seconds / source.duration.seconds
      guard repeats < Double(CompositionTimeline.limits.segments) else {
        require(
          false, "\(path)/loop", "at most \(CompositionTimeline.limits.segments) repeats",
          "more", .limitExceeded)
        return nil
      }
      return SequenceLayout.PlacedAudio(
        audio: audio, trackID: track.trackID, target: target,
        mappings: repeated(source, of: track, over: target),
        fadeIn: fade(audio.fadeIn, "\(path)/fadeIn"),
        fadeOut: fade(audio.fadeOut, "\(path)/fadeOut", beside: audio.fadeIn, in: target.duration))
    }
  }

  private func repeated(
    _ source: TimeRange, of track: ClipSequence.SourceFacts.Track, over target: TimeRange
  ) -> [TimeMapping] {
    var mappings: [TimeMapping] = []
    var start = target.start
    while start < target.end {
      let end = min(target.end, start + source.duration)
      guard end > start else { break }
      let part = TimeRange(start: source.start, duration: end - start)
      if let piece = SequencePace(.natural, [], clock).piece(
        of: track, in: part, at: TimeRange(start: start, end: end))
      {
        mappings.append(piece.mapping)
      }
      start = end
    }
    return mappings
  }

  private mutating func requireStart(_ start: Time, before limit: Time, _ path: String) {
    // Without clips that are right it isn't known when they end.
    let isBefore = start < limit || !problems.isEmpty
    require(
      start.isNumeric && start >= .zero && isBefore, path,
      "from 0 s to \(limit.exactDescription), where the clips end", start.exactDescription)
  }

  private mutating func fade(
    _ fade: Time, _ path: String, beside other: Time = .zero, in length: Time? = nil
  ) -> Time {
    let time = clock.given(fade)
    guard time.isNumeric, time >= .zero else {
      require(false, path, "0 s or more", fade.exactDescription)
      return .zero
    }
    if let length {
      let free = length - clock.given(other)
      require(time <= free, path, "at most \(free.exactDescription)", time.exactDescription)
    }
    return time
  }
}

extension Rectangle {
  var hasArea: Bool {
    width > 0 && height > 0 && [x, y, width, height].allSatisfy(\.isFinite)
  }

  func isInside(_ size: Size?) -> Bool {
    guard let size else { return false }
    return hasArea && x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height
  }

  var text: String { "\(width) × \(height) at \(x), \(y)" }
}
