import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// Values of players in the caller's form, and the caller's in the engine's form.

// MARK: - To the caller

extension WirePlaybackStatus {
  init(_ status: PlaybackStatus) {
    self =
      switch status {
      case .unknown: .unknown
      case .readyToPlay: .readyToPlay
      case .failed: .failed
      }
  }
}

extension WireTimeControlStatus {
  init(_ status: TimeControlStatus) {
    self =
      switch status {
      case .paused: .paused
      case .waitingToPlayAtSpecifiedRate: .waitingToPlayAtSpecifiedRate
      case .playing: .playing
      }
  }
}

extension WireWaitingReason {
  init(_ reason: WaitingReason) {
    self =
      switch reason {
      case .noItemToPlay: .noItemToPlay
      case .toMinimizeStalls: .toMinimizeStalls
      }
  }
}

extension WireActionAtItemEnd {
  init(_ action: ActionAtItemEnd) {
    self =
      switch action {
      case .advance: .advance
      case .pause: .pause
      case .none: .none
      }
  }
}

extension WireRateChangeReason {
  init(_ reason: RateChangeReason) {
    self =
      switch reason {
      case .setRateCalled: .setRateCalled
      case .itemEnded: .itemEnded
      case .stalled: .stalled
      case .playbackFailed: .playbackFailed
      }
  }
}

extension WirePlaybackDirection {
  init(_ direction: PlaybackDirection) {
    self =
      switch direction {
      case .forward: .forward
      case .reverse: .reverse
      }
  }
}

extension WireJumpCause {
  init(_ cause: JumpCause) {
    self =
      switch cause {
      case .seek: .seek
      case .step: .step
      case .loop: .loop
      case .setRate: .setRate
      case .itemChange: .itemChange
      }
  }
}

extension WireTimeObserverCause {
  init(_ cause: TimeObserverCause) {
    self =
      switch cause {
      case .registered: .registered
      case .interval: .interval
      case .jump: .jump
      case .start: .start
      case .stop: .stop
      case .boundary: .boundary
      }
  }
}

extension WirePlayerClock {
  init(_ clock: PlayerClockKind) {
    self =
      switch clock {
      case .audio: .audio
      case .host: .host
      case .manual: .manual
      }
  }
}

extension WireNoPictureReason {
  init(_ reason: OutputAnswer.Reason) {
    self =
      switch reason {
      case .none: .none
      case .notNew: .notNew
      case .notReady: .notReady
      case .noCredit: .noCredit
      }
  }
}

extension WireLooperStatus {
  init(_ status: PlayerLooper.Status) {
    self =
      switch status {
      case .unknown: .unknown
      case .ready: .ready
      case .failed: .failed
      case .cancelled: .cancelled
      }
  }
}

extension WirePlayerRate {
  init(_ rate: PlayerRate) {
    self.init(
      rate: rate.rate, timeControlStatus: WireTimeControlStatus(rate.timeControlStatus),
      reasonForWaitingToPlay: rate.reasonForWaitingToPlay.map(WireWaitingReason.init),
      revision: rate.revision)
  }
}

extension WirePlayerAudio {
  init(_ audio: PlayerAudioState) {
    let state: WirePlayerAudioStatus =
      switch audio.state {
      case .none: .none
      case .closed: .closed
      case .open: .open
      case .unavailable: .unavailable
      }
    self.init(
      state: state, device: audio.device, sampleRate: audio.sampleRate, channels: audio.channels,
      latency: audio.latency.map(WireTime.init), underruns: audio.underruns,
      framesPlayed: audio.framesPlayed, isAudible: audio.isAudible,
      error: audio.error.map { ErrorObject($0) })
  }
}

extension WirePlayerItemTrack {
  init(_ track: PlayerItemTrack) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      isEnabled: track.isEnabled, currentVideoFrameRate: track.currentVideoFrameRate)
  }
}

extension WireDroppedPictures {
  init(_ dropped: DroppedPictures) {
    self.init(outOfCredit: dropped.outOfCredit, late: dropped.late)
  }
}

extension WireImageLayout {
  /// Creates the layout of a picture; nil for an image file.
  init?(_ image: GeneratedImage, format: String) {
    guard let planes = image.planes else { return nil }
    self.init(
      pixelFormat: format, width: image.width, height: image.height,
      planes: planes.map(WirePlane.init), color: image.color.map(WireColor.init) ?? WireColor())
  }
}

extension WirePlayerChanges {
  /// - Parameter item: the handle of an item that is open.
  init(
    _ changes: PlayerChanges, of player: PlayerHandle, item: (PlayerItem) -> PlayerItemHandle?
  ) {
    self.init()
    status = changes.status.map(WirePlaybackStatus.init)
    error = changes.error.map { ErrorObject($0).about(player) }
    rate = changes.rate
    rateChangeReason = changes.rateChangeReason.map(WireRateChangeReason.init)
    effectiveRate = changes.effectiveRate
    timeControlStatus = changes.timeControlStatus.map(WireTimeControlStatus.init)
    reasonForWaitingToPlay = changes.reasonForWaitingToPlay.map { reason in
      reason.map { .reason(WireWaitingReason($0)) } ?? WireWaitingReasonChange.none
    }
    currentItem = changes.currentItem.map { current in
      current.flatMap(item).map { .item($0) } ?? WireCurrentItemChange.none
    }
    clock = changes.clock.map(WirePlayerClock.init)
    audio = changes.audio.map(WirePlayerAudio.init)
    actionAtItemEnd = changes.actionAtItemEnd.map(WireActionAtItemEnd.init)
    volume = changes.volume
    isMuted = changes.isMuted
  }
}

extension WireAudioPlayerChanges {
  /// Creates the changes that concern an audio player. Of its rate the caller only gets whether it plays.
  init(_ changes: PlayerChanges) {
    self.init()
    isPlaying = changes.rate.map { $0 != 0 }
    rateChangeReason = changes.rateChangeReason.map(WireRateChangeReason.init)
    effectiveRate = changes.effectiveRate
    volume = changes.volume
    clock = changes.clock.map(WirePlayerClock.init)
    audio = changes.audio.map(WirePlayerAudio.init)
  }
}

extension WireAudioLevel {
  init(_ level: AudioPlayer.Level) { self.init(average: level.average, peak: level.peak) }
}

extension WirePlayerItemChanges {
  init(_ changes: PlayerItemChanges, of item: PlayerItemHandle) {
    self.init()
    status = changes.status.map(WirePlaybackStatus.init)
    error = changes.error.map { ErrorObject($0).about(item) }
    duration = changes.duration.map(WireTime.init)
    presentationSize = changes.presentationSize.map(WireSize.init)
    tracks = changes.tracks?.map(WirePlayerItemTrack.init)
    seekableTimeRanges = changes.seekableTimeRanges?.map(WireTimeRange.init)
  }
}

// MARK: - From the caller

extension ActionAtItemEnd {
  init(_ action: WireActionAtItemEnd) {
    self =
      switch action {
      case .advance: .advance
      case .pause: .pause
      case .none: .none
      }
  }
}

extension PlayerClockKind {
  init(_ clock: WirePlayerClock) {
    self =
      switch clock {
      case .audio: .audio
      case .host: .host
      case .manual: .manual
      }
  }
}

extension PlayerAudioDevice {
  init(_ device: WireAudioDevice) {
    self =
      switch device {
      case .serverDefault: .server(nil)
      case .server(let name): .server(name)
      case .file(let file):
        .file(path: file.path, sampleFormat: file.sampleFormat == .s16 ? .s16 : .f32)
      case .none: .none
      }
  }
}

extension ImageGenerator.ApertureMode {
  init(_ mode: WireApertureMode) {
    self =
      switch mode {
      case .cleanAperture: .cleanAperture
      case .productionAperture: .productionAperture
      case .encodedPixels: .encodedPixels
      }
  }
}

extension ImageGenerator.DynamicRangePolicy {
  init(_ policy: WireDynamicRangePolicy) {
    self =
      switch policy {
      case .forceSDR: .forceSDR
      case .matchSource: .matchSource
      }
  }
}

// MARK: - Rules

/// The rules of parameters of players; all problems are reported at once.
struct PlayerRules: ParameterRules {
  var problems: [DecodingProblem] = []

  /// Returns a numeric time; nil where there is none.
  mutating func numeric(_ time: WireTime?, _ path: String, notBefore lower: Time? = nil) -> Time? {
    guard let time = time?.time else { return nil }
    let isRight = time.isNumeric && time.epoch == 0 && (lower.map { time >= $0 } ?? true)
    require(
      isRight, path, lower == nil ? "a number of seconds" : "a number of seconds from 0 on",
      WireTime(time).described)
    return time
  }

  /// Returns the end of an item: a numeric time, or invalid for the item's own.
  mutating func end(_ time: WireTime?, _ path: String) -> Time? {
    guard let time = time?.time, time.isValid else { return time.map { _ in .invalid } }
    require(
      time.isNumeric && time.epoch == 0, path, #"a number of seconds, or "invalid""#,
      WireTime(time).described)
    return time
  }

  /// Returns the destination of a seek: a numeric time or an infinity.
  mutating func destination(_ time: WireTime, _ path: String) -> Time {
    let time = time.time
    let isInfinite = time.isPositiveInfinity || time.isNegativeInfinity
    require(
      (time.isNumeric && time.epoch == 0) || isInfinite, path, "a number of seconds or an infinity",
      WireTime(time).described)
    return time
  }

  mutating func tolerance(_ time: WireTime?, _ path: String) -> Time {
    let time = time?.time ?? .positiveInfinity
    require(
      (time.isNumeric && time.epoch == 0 && time >= .zero) || time.isPositiveInfinity, path,
      #"a number of seconds from 0 on, or "+infinity""#, WireTime(time).described)
    return time
  }

  mutating func rate(_ rate: Double?, _ path: String) {
    guard let rate else { return }
    require(rate.isFinite && abs(rate) <= 32, path, "a number from -32 to 32", "\(rate)")
  }

  mutating func volume(_ volume: Double?, _ path: String) {
    guard let volume else { return }
    require((0...1).contains(volume), path, "a number from 0 to 1", "\(volume)")
  }

  mutating func device(_ device: WireAudioDevice?, isManual: Bool) {
    switch device {
    case .serverDefault?, .server?:
      require(
        !isManual, "/audioDevice", "a file or none, for the clock is manual", "a device")
      guard case .server(let name)? = device else { return }
      require(
        name.hasPrefix("pulse:") && name != "pulse:", "/audioDevice", "pulse: and a name",
        "'\(name)'")
    case .file?, .some(.none), nil: return
    }
  }

  /// Returns the duration by which a manual clock is moved, or its new time: exactly one of them.
  mutating func advance(by duration: WireTime?, to hostTime: WireTime?) -> (by: Time?, to: Time?) {
    require(
      (duration == nil) != (hostTime == nil), "", "either by or to",
      duration == nil ? "neither" : "both")
    let by = numeric(duration, "/by", notBefore: .zero)
    let to = numeric(hostTime, "/to", notBefore: .zero)
    if let by, by > Self.maximumAdvance {
      require(false, "/by", "at most 24 hours", by.description)
    }
    return (by, to)
  }

  private static let maximumAdvance = Time(value: 86_400, timescale: 1)

  /// Returns at most one of the times of an output.
  mutating func moment(
    _ itemTime: WireTime?, _ hostTime: WireTime?
  ) -> (itemTime: Time?, hostTime: Time?) {
    require(itemTime == nil || hostTime == nil, "", "itemTime or hostTime", "both")
    return (numeric(itemTime, "/itemTime"), numeric(hostTime, "/hostTime"))
  }

  /// - Throws: `invalidParams` with all problems.
  func check() throws(RPCError) {
    if !problems.isEmpty { throw .invalidParams(problems) }
  }
}

extension WireTime {
  /// The description of the time in a message.
  var described: String {
    time.epoch == 0 ? time.description : "\(time.description) of epoch \(time.epoch)"
  }
}
