public import MediaTime
import Synchronization
import SystemIO

/// A player of the audio of one asset (AVAudioPlayer): a thin wrapper of a ``Player``.
public final class AudioPlayer: Sendable {
  public struct Configuration: Sendable {
    public var clock = PlayerClockKind.host
    /// The destination of the audio; nil for the clock's default: the audio server's default output, or none on a
    /// manual clock.
    public var audioDevice: PlayerAudioDevice?
    /// The passes after the first one; below zero without an end.
    public var numberOfLoops = 0
    /// The position between left and right, from -1, the left alone, to 1.
    public var pan = 0.0
    /// The volume, from 0 to 1.
    public var volume = 1.0
    public var enableRate = false
    /// The rate, from 0.5 to 2.
    public var rate = 1.0
    public var isMeteringEnabled = false
    /// The time of the audio between two reports of levels; nil for none.
    public var meterInterval: Time?
    public var engine = EngineConfiguration()
    package var outputs: (any AudioOutputs)?
    /// Bounds how many players have items; nil for any number.
    public var slots: PlayerSlots?

    public init() {}
  }

  /// Settings; those that are nil stay as they are.
  public struct Settings: Sendable {
    public var volume: Double?
    /// The time over which the volume changes.
    public var fadeDuration: Time?
    public var pan: Double?
    public var rate: Double?
    public var numberOfLoops: Int?
    public var currentTime: Time?
    public var isMeteringEnabled: Bool?

    public init() {}
  }

  /// The state of an audio player at one moment.
  public struct State: Sendable {
    public var isPlaying: Bool
    public var currentTime: Time
    public var deviceCurrentTime: Time
    public var duration: Time
    /// The passes that have been played.
    public var loop: Int
    public var volume: Double
    public var pan: Double
    public var rate: Double
    public var numberOfLoops: Int
    public var audio: PlayerAudioState
    public var clock: PlayerClockKind
  }

  /// The level of a channel, in dBFS: 0 is full scale, and -160 silence.
  public struct Level: Sendable, Hashable {
    public var average: Double
    public var peak: Double
  }

  public enum Event: Sendable {
    /// The end of all passes (audioPlayerDidFinishPlaying), or the error that prevented it.
    case didFinishPlaying(successfully: Bool, EngineError?)
    case didMeter(hostTime: Time, [Level])
    case didChange(PlayerChanges, hostTime: Time)
  }

  private struct Shared {
    var rate: Double
    var numberOfLoops: Int
    var failure: EngineError?
  }

  public let configuration: Configuration
  /// The player that plays it.
  let player: Player
  private let item: PlayerItem
  private let meter: LevelMeter
  private let shared: Mutex<Shared>
  private let ending = Ending()

  /// Opens an asset; errors in its content are reported here.
  ///
  /// - Parameter events: receives the events, one at a time, in order; must neither wait nor call the player.
  /// - Throws: the errors of opening the asset; `noSourceTrack` for one without audio.
  public init(
    asset: any Asset, _ configuration: Configuration = Configuration(),
    events: @escaping @Sendable (Event) -> Void
  ) async throws(EngineError) {
    self.configuration = configuration
    let tracks = try await asset.load(.tracks)
    let heard = tracks.map(\.info).presented(mixesAudio: false).filter { $0.mediaType == .audio }
    guard !heard.isEmpty else {
      throw EngineError(
        .noSourceTrack, "'\(asset.path)' has no audio track to play", path: asset.path)
    }
    var settings = PlayerItemSettings()
    settings.enabledTrackIDs = .some(heard.map(\.trackID))
    item = try PlayerItem(asset: asset, settings: settings)
    meter = LevelMeter(channels: 2, sampleRate: 48000)
    shared = Mutex(Shared(rate: configuration.rate, numberOfLoops: configuration.numberOfLoops))
    var own = Player.Configuration()
    own.clock = configuration.clock
    own.audioDevice = configuration.audioDevice
    own.volume = configuration.volume
    own.defaultRate = configuration.enableRate ? configuration.rate : 1
    own.automaticallyWaitsToMinimizeStalling = false
    own.stalls = false
    own.engine = configuration.engine
    own.outputs = configuration.outputs
    own.slots = configuration.slots
    own.meter = configuration.isMeteringEnabled || configuration.meterInterval != nil ? meter : nil
    let (meter, ending) = (meter, ending)
    player = try Player(items: [item], own) { event in
      switch event {
      case .didFailToPlayToEndTime(_, let error, _, _, _): ending.note(error)
      case .didChange(let changes, _, let hostTime):
        events(.didChange(changes, hostTime: hostTime))
        switch changes.rateChangeReason {
        case .itemEnded:
          ending.finish()
          events(.didFinishPlaying(successfully: true, nil))
        case .playbackFailed: events(.didFinishPlaying(successfully: false, ending.takeError()))
        default: break
        }
      case .didFire(_, _, let fire) where fire.cause == .interval:
        events(.didMeter(hostTime: fire.hostTime, meter.wireLevels))
      default: break
      }
    }
    player.core.withLock { core in
      core.pan = configuration.pan
      core.looper = LoopState(
        item: item, timeRange: .invalid, following: following(configuration.numberOfLoops))
    }
    await (try player.activeRunner).work()
    if let error = item.failure {
      player.close()
      throw error
    }
    if let interval = configuration.meterInterval {
      _ = try await player.addPeriodicTimeObserver(every: interval)
    }
  }

  public var duration: Time { item.facts?.duration ?? .indefinite }

  /// Returns true for a time that it can go to.
  public func contains(_ time: Time) -> Bool { item.facts?.contains(time) ?? false }

  /// The format of the audio, as it is stored.
  public var format: FormatDescription? { item.facts?.audio.first?.formatDescription }

  /// Decodes the samples that playback begins with.
  public func prepareToPlay() async throws(EngineError) {
    _ = try await player.preroll(atRate: 1)
  }

  /// Plays from the current time on; after the end, from the start.
  ///
  /// - Parameter hostTime: a time of the player's clock to begin at; nil for now.
  public func play(atHostTime hostTime: Time? = nil) async throws(EngineError) {
    let loops = shared.withLock(\.numberOfLoops)
    try await player.request { core throws(EngineError) in
      let isAtEnd = core.standingEnd == .forward
      // After all passes it plays them anew, from wherever it is now.
      if ending.takeFinished() { core.looper?.following = following(loops) }
      guard isAtEnd || hostTime != nil else { return core.setRate(core.defaultRate) }
      core.setRate(
        core.defaultRate, time: isAtEnd ? .zero : nil,
        atHostTime: hostTime.flatMap(ExactTime.init))
    }
  }

  /// Stops, where it is (AVAudioPlayer's `pause`).
  public func pause() async throws(EngineError) { _ = try await player.pause() }

  /// Stops, and discards the prepared media; the current time stays, as AVAudioPlayer's.
  public func stop() async throws(EngineError) {
    _ = try await player.pause()
    _ = try await player.cancelPendingPrerolls()
  }

  /// Changes settings.
  ///
  /// - Throws: `operationNotAllowed` for a rate where rates aren't enabled.
  public func set(_ settings: Settings) async throws(EngineError) {
    guard settings.rate == nil || configuration.enableRate else {
      throw EngineError(
        .operationNotAllowed, "The audio player's rate can't be changed", advice: .enableRate)
    }
    try await player.request { core throws(EngineError) in
      if let volume = settings.volume {
        if let duration = settings.fadeDuration.flatMap(ExactTime.init), duration.signum > 0 {
          core.fade(to: volume, over: duration)
        } else {
          (core.volume, core.fade) = (volume, nil)
          core.changeVolume()
        }
      }
      if let pan = settings.pan {
        core.pan = pan
        core.changeVolume()
      }
      if let loops = settings.numberOfLoops {
        core.looper?.following = following(loops)
        core.replan()
        self.shared.withLock { $0.numberOfLoops = loops }
      }
      if let rate = settings.rate.flatMap(PlaybackRate.init) {
        core.defaultRate = rate
        if core.rate != .zero { core.setRate(rate) }
        self.shared.withLock { $0.rate = rate.value }
      }
      if let time = settings.currentTime {
        _ = core.beginSeek(to: time, before: .zero, after: .zero, isScrubbing: false)
      }
      core.report()
    }
  }

  /// The state at this moment. Never waits.
  public var state: State {
    let state = player.state
    let (pan, loop) = player.core.withLock { ($0.pan, $0.looper?.count ?? 0) }
    let (rate, loops) = shared.withLock { ($0.rate, $0.numberOfLoops) }
    return State(
      isPlaying: state.rate != 0, currentTime: state.time, deviceCurrentTime: state.hostTime,
      duration: duration, loop: loop, volume: state.volume, pan: pan, rate: rate,
      numberOfLoops: loops, audio: state.audio, clock: state.clock)
  }

  /// The levels of the last 50 ms of audio that the device received, by channel. Never waits.
  ///
  /// - Throws: `operationNotAllowed` where metering isn't enabled.
  public func levels() throws(EngineError) -> (hostTime: Time, channels: [Level]) {
    guard configuration.isMeteringEnabled || configuration.meterInterval != nil else {
      throw EngineError(
        .operationNotAllowed, "Metering isn't enabled", advice: .enableMetering)
    }
    return (player.state.hostTime, meter.wireLevels)
  }

  /// Finishes the file of a file device: see ``Player/finishAudioFile()``.
  public func finishAudioFile() async throws(EngineError) -> (
    path: String, size: Int, frames: Int64
  ) {
    try await player.finishAudioFile()
  }

  /// Ends the player. Never waits.
  public func close() { player.close() }
}

/// The passes that follow the first one; nil without an end.
private func following(_ loops: Int) -> Int? { loops < 0 ? nil : loops }

/// The end of playback.
private final class Ending: Sendable {
  private let state = Mutex((error: EngineError?.none, hasFinished: false))

  /// Notes a failure, until it is reported.
  func note(_ error: EngineError) { state.withLock { $0.error = error } }
  func takeError() -> EngineError? { state.withLock { $0.error.take() } }
  /// Notes the end of all passes, until it plays again.
  func finish() { state.withLock { $0.hasFinished = true } }
  func takeFinished() -> Bool {
    state.withLock { state in
      defer { state.hasFinished = false }
      return state.hasFinished
    }
  }
}

extension LevelMeter {
  fileprivate var wireLevels: [AudioPlayer.Level] {
    levels.map { AudioPlayer.Level(average: $0.average, peak: $0.peak) }
  }
}
