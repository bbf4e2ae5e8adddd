import MediaTime
import Synchronization
import SystemIO

/// The state of a player and its rules, as a value that requests, the clock and finished work change.
///
/// It never waits and reads no media. Its player guards it by a lock, under which all events are emitted, so that
/// they have one order.
struct PlayerCore {
  /// The state of an audio server's output, in relation to the item's time.
  enum AudioGate {
    /// No output: the clock is the system's.
    case none
    /// The output is paused.
    case idle
    /// Playback is about to begin: the item's time runs from the first sample that is heard.
    case starting
    case running
  }

  /// A seek that hasn't ended.
  struct Seek {
    let number: Int
    let item: PlayerItem
    let requested: Time
    let before: Time
    let after: Time
    let revision: Int
    let isScrubbing: Bool
    let interrupt: Interrupt
    /// True for a seek of the player's own, which isn't reported.
    var isSilent = false
    /// The revision of the landing that it waited for, whose picture is still sent.
    var landingBefore: Int?
  }

  /// A start of playback at an earlier time.
  struct LateStart {
    /// The item's time then.
    let time: ExactTime
    let hostTime: ExactTime
    let rate: PlaybackRate
    /// The clock's time of a pause; nil while it plays.
    var end: ExactTime?
  }

  struct Preroll {
    let number: Int
    let rate: PlaybackRate
  }

  /// A continuous piece of an item's audio for the device.
  struct AudioPiece {
    let number: Int
    let item: PlayerItem
    /// The item's time at the beginning of the piece.
    let start: ExactTime
    let rate: PlaybackRate
    let gain: AudioGain
    /// The player's running time at the beginning and at the end of the piece.
    let runStart: ExactTime
    var runEnd: ExactTime?
    /// True where it continues the piece before it.
    let continues: Bool

    /// The item's time at the end of the piece.
    var end: ExactTime? { runEnd.map { start + rate.factor * ($0 - runStart) } }
  }

  /// The place that a seek or a step has landed at, as it is reported.
  struct Arrival {
    var time: Time
    var sampleIndex: Int?
    var isExact: Bool?
  }

  let isQueue: Bool
  let clockKind: PlayerClockKind
  let emit: @Sendable (PlayerEvent) -> Void

  var queue: [PlayerItem] = []
  var status = PlaybackStatus.unknown
  var error: EngineError?
  var rate = PlaybackRate.zero
  var defaultRate = PlaybackRate.one
  var automaticallyWaits = true
  var actionAtItemEnd: ActionAtItemEnd
  var volume = 1.0
  var isMuted = false
  var pan = 0.0
  /// The change of volume in progress.
  var fade: AudioGain.Fade?
  var audio = PlayerAudioState()
  /// The destination of its audio.
  var device = PlayerAudioDevice.none
  /// The clock that is in use.
  var clock: PlayerClockKind

  /// The clock's time up to which everything has been reported.
  var host = ExactTime.zero
  /// The current item's time over the clock's; its rate is the one in effect.
  var timebase = Timebase(item: .zero, host: .zero, rate: .zero)
  /// The item's time up to which crossings have been reported.
  var crossed = ExactTime.zero
  /// The direction in which the item's time has run since its last jump.
  private(set) var direction: (isForward: Bool, revision: Int)?
  /// The time that the player has run.
  var run = ExactTime.zero
  var pieces: [AudioPiece] = []
  private var lastPiece = 0

  var revision = 0 {
    didSet { stalls = [] }
  }
  /// The media that stalls playback, since the last jump.
  var stalls: Set<MediaType> = []
  var seek: Seek?
  /// The newest seek while another one is in flight and scrubbing.
  var nextSeek: Seek?
  /// The seeks that newer ones have replaced while one is in flight; their ends follow that one's.
  var supersededSeeks: [Seek] = []
  var isStepping = false
  var lastStep = 0
  var lastSeek = 0
  /// The clock's time from which the item's time runs.
  var holdsUntil: ExactTime?
  /// The start of an item that isn't loaded, at an earlier time.
  var lateStart: LateStart?
  /// The end that the item has arrived at, and not left since.
  var arrival: PlaybackDirection?
  var prerolls: [Preroll] = []
  var lastPreroll = 0
  var observers: [TimeObserver] = []
  var lastObserver = 0
  var looper: LoopState?
  var isClosed = false
  /// The right to have an item, while there is one.
  var slot: PlayerSlots.Slot?
  /// The maximum time from a moment to its report.
  var maximumLateness = Time.zero
  /// The state of the audio server's output.
  var gate = AudioGate.none
  /// The number of times that the upcoming audio was replaced.
  var plan = 0
  /// The speed of the item's time over the clock's, near 1, at which it follows the audio that is heard.
  var speed = ExactTime(1)
  /// True for a copy that computes the upcoming audio: it changes nothing else.
  var isPreview = false
  /// The number of events that have been emitted.
  var emitted = 0
  /// The members of the player as they were reported.
  private var reported = Reported()
  /// The clock's time now, for the lateness of reports; nil on a manual clock.
  var now: (@Sendable () -> ExactTime)?

  init(
    isQueue: Bool, clock: PlayerClockKind, actionAtItemEnd: ActionAtItemEnd,
    emit: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    self.isQueue = isQueue
    clockKind = clock
    self.clock = clock
    self.actionAtItemEnd = actionAtItemEnd
    self.emit = emit
  }

  /// The members of a player whose changes are reported.
  private struct Reported {
    var status = PlaybackStatus.unknown
    var hasError = false
    var rate = PlaybackRate.zero
    var effective = PlaybackRate.zero
    var control = TimeControlStatus.paused
    var reason: WaitingReason?
    var item: ObjectIdentifier?
    var clock = PlayerClockKind.host
    var audio = PlayerAudioState()
    var action = ActionAtItemEnd.pause
    var volume = 1.0
    var isMuted = false
  }

  mutating func send(_ event: PlayerEvent) {
    guard !isClosed, !isPreview else { return }
    emitted += 1
    emit(event)
  }

  // MARK: Facts

  var item: PlayerItem? { queue.first }
  var facts: ItemFacts? {
    guard let item else { return nil }
    return item.shared.withLock { $0.status == .readyToPlay ? $0.facts : nil }
  }
  /// The error of the current item, if it has failed.
  var failure: EngineError? { item?.failure }

  /// The current item's time.
  var itemTime: ExactTime { timebase.itemTime(at: host) }

  /// The current item's time as it is reported; invalid without an item.
  var time: Time {
    guard item != nil else { return .invalid }
    if let seek = nextSeek ?? seek, !seek.isSilent { return seek.requested }
    return time(of: itemTime)
  }

  func time(of exact: ExactTime) -> Time {
    exact.time(preferring: facts?.duration.timescale ?? 0)
  }

  var hostTime: Time { host.time(preferring: 1_000_000_000) }

  var control: TimeControlStatus {
    if rate == .zero { return .paused }
    return waitingReason == nil ? .playing : .waitingToPlayAtSpecifiedRate
  }

  var waitingReason: WaitingReason? {
    guard rate != .zero else { return nil }
    guard item != nil else { return .noItemToPlay }
    guard facts != nil, stalls.isEmpty else { return .toMinimizeStalls }
    // Playback begins with the output, which is being opened.
    let isOpening = gate == .starting && audio.state == .closed && timebase.rate == .zero
    return isOpening && automaticallyWaits ? .toMinimizeStalls : nil
  }

  /// The end at which the item's time stands: not one that a pending seek leaves.
  var standingEnd: PlaybackDirection? { seek == nil ? arrival : nil }

  /// Returns true at an end beyond which nothing is played at a rate.
  func isEnd(for wanted: PlaybackRate) -> Bool {
    guard wanted != .zero, actionAtItemEnd != .none, let standingEnd else { return false }
    return standingEnd == (wanted.isForward ? .forward : .reverse)
  }

  /// Returns the item's end in the direction of playback.
  func end(of facts: ItemFacts, isForward: Bool) -> ExactTime {
    // The last pass of a loop ends where the others did.
    if let range = loopRange(facts, isForward: isForward) {
      return isForward ? range.end : range.start
    }
    let settings = item?.settings ?? ItemSettings()
    let stated = isForward ? settings.forwardEnd : settings.reverseEnd
    if let end = ExactTime(stated) { return end }
    return isForward ? ExactTime(facts.duration) ?? .zero : .zero
  }

  // MARK: Reports

  /// Reports all changes together.
  mutating func reportChanges(_ cause: RateChangeReason? = nil) {
    var changes = PlayerChanges()
    var isNews = false
    if audio.state != .none, let facts {
      audio.isAudible =
        facts.audio.isEmpty || rate == .zero || ItemAudio.isAudible(rate, facts.timePitch)
    }
    let (item, error) = (item, error)
    func note<Value: Equatable>(_ old: inout Value, _ new: Value, _ body: (Value) -> Void) {
      guard old != new else { return }
      old = new
      isNews = true
      body(new)
    }
    note(&reported.status, status) { changes.status = $0 }
    note(&reported.hasError, error != nil) { _ in changes.error = error }
    note(&reported.rate, rate) {
      changes.rate = $0.value
      changes.rateChangeReason = cause ?? .setRateCalled
    }
    note(&reported.effective, timebase.rate) { changes.effectiveRate = $0.value }
    note(&reported.control, control) { changes.timeControlStatus = $0 }
    note(&reported.reason, waitingReason) { changes.reasonForWaitingToPlay = .some($0) }
    note(&reported.item, item.map(ObjectIdentifier.init)) { _ in
      changes.currentItem = .some(item)
    }
    note(&reported.clock, clock) { changes.clock = $0 }
    note(&reported.audio, audio) { changes.audio = $0 }
    note(&reported.action, actionAtItemEnd) { changes.actionAtItemEnd = $0 }
    note(&reported.volume, volume) { changes.volume = $0 }
    note(&reported.isMuted, isMuted) { changes.isMuted = $0 }
    if isNews { send(.didChange(changes, revision: revision, hostTime: hostTime)) }
  }

  /// Marks the state as reported: it is that of a new player.
  mutating func markReported() {
    reported = Reported(
      status: status, hasError: error != nil, rate: rate, effective: timebase.rate,
      control: control, reason: waitingReason, item: item.map(ObjectIdentifier.init), clock: clock,
      audio: audio, action: actionAtItemEnd, volume: volume, isMuted: isMuted)
  }

  /// Returns the time from a moment to its report.
  func lateness(_ moment: ExactTime) -> Time {
    guard let now else { return .zero }
    return max(.zero, (now() - moment).time(preferring: 1_000_000_000))
  }

  mutating func fire(
    _ observer: TimeObserver, at time: Time, _ cause: TimeObserverCause, index: Int? = nil
  ) {
    let late = lateness(host)
    maximumLateness = max(maximumLateness, late)
    let observation = TimeObservation(
      time: time, hostTime: hostTime, cause: cause, index: index, lateness: late,
      revision: revision)
    send(.didFire(observer, item, observation))
  }

  /// Fires the periodic observers for a cause other than their interval.
  mutating func firePeriodic(_ cause: TimeObserverCause) {
    guard item != nil else { return }
    for observer in observers where observer.isPeriodic { fire(observer, at: time, cause) }
  }

  // MARK: The rate in effect

  /// True where the item's time is to run.
  private var shouldRun: Bool {
    guard rate != .zero, seek == nil, !isStepping, holdsUntil == nil, facts != nil, !isClosed,
      stalls.isEmpty
    else { return false }
    return !isEnd(for: rate)
  }

  /// Starts or stops the item's time, according to the state.
  ///
  /// - Parameter reports: true to fire periodic observers for a start or a stop.
  mutating func settleRate(reports: Bool = true) {
    var wanted = shouldRun ? rate : .zero
    if gate != .none {
      if wanted == .zero {
        gate = .idle
      } else if gate != .running {
        gate = .starting
        wanted = .zero
      }
    }
    guard wanted != timebase.rate else { return }
    let before = timebase.rate
    anchor(at: itemTime, wanted)
    guard reports, (before == .zero) != (wanted == .zero) else { return }
    pendingStart = wanted == .zero ? .stop : .start
  }

  /// The cause for which periodic observers fire after the report of changes.
  var pendingStart: TimeObserverCause?

  /// Reports changes, and then starts and stops.
  mutating func report(_ cause: RateChangeReason? = nil) {
    reportChanges(cause)
    if let start = pendingStart.take() { firePeriodic(start) }
  }

  /// Notes an unforeseen change of the upcoming audio. The output discards its buffered audio, and the item's time
  /// continues when the new audio is heard.
  mutating func replan() {
    plan += 1
    if gate == .running { gate = .starting }
  }

  /// Continues the item's time from a time, at a rate.
  mutating func anchor(at time: ExactTime, _ rate: PlaybackRate) {
    closePiece()
    if let arrival, rate != .zero, arrival != (rate.isForward ? .forward : .reverse) {
      self.arrival = nil
    }
    timebase = Timebase(item: time, host: host, rate: rate, speed: speed)
    crossed = time
    if rate != .zero { direction = (rate.isForward, revision) }
    openPiece()
  }

  /// Ends the piece of audio that is being played.
  mutating func closePiece() {
    guard let last = pieces.indices.last, pieces[last].runEnd == nil else { return }
    pieces[last].runEnd = run
  }

  /// Begins a piece of audio where the item's time runs.
  ///
  /// - Parameter isRead: true to read the item anew, though it continues at its place.
  mutating func openPiece(isRead: Bool = false) {
    guard timebase.rate != .zero, let item else { return }
    var continues = false
    if !isRead, let last = pieces.last, last.item === item, last.rate == timebase.rate,
      last.runEnd == run, last.end == itemTime
    {
      continues = true
    }
    lastPiece += 1
    pieces.append(
      AudioPiece(
        number: lastPiece, item: item, start: itemTime, rate: timebase.rate,
        gain: gain, runStart: run, continues: continues))
  }

  /// The gain of the audio that is heard now.
  private var gain: AudioGain {
    guard !isMuted else { return AudioGain(volume: 0) }
    return AudioGain(
      volume: Float(volume), pan: Float(pan), fade: fade.flatMap { run < $0.end ? $0 : nil })
  }

  /// Returns the pieces of audio for the device. The last one remains, for the piece that may continue it.
  mutating func takePieces() -> [AudioPiece] {
    defer { if pieces.count > 1 { pieces.removeFirst(pieces.count - 1) } }
    return pieces
  }

  /// Brings the clock to a time.
  mutating func moveHost(to time: ExactTime) {
    guard time > host else { return }
    if timebase.rate != .zero { run = run + speed * (time - host) }
    host = time
  }
}
