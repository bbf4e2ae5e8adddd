import DequeModule
import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization

/// The notifications of one player and of its items, observers and outputs, in order of its events.
///
/// A request that changes state is answered first, and its effects follow: while such a request is served, events wait
/// here. The end of a seek or preroll is one of these events, and is reported by a notification or an answer; events
/// after an answer wait until that is written.
final class PlayerNotifications: Sendable {
  /// A request that is being served, until it is answered.
  struct Hold: Hashable, Sendable {
    fileprivate let number: Int
    /// True where the answer is written together with those to other requests: no event waits for it.
    fileprivate let isBatched: Bool
  }

  /// The report of the end of a seek or preroll.
  private struct Ending<End: NotificationType> {
    let operation: Operation
    /// Receives the end in place of a notification.
    let answer: (@Sendable (End) -> Void)?
    let hold: Hold
  }

  /// The interval firings of an observer.
  private struct Firings {
    /// The time of the clock at the last one that was sent.
    var last: Time
    /// The number of later ones, which weren't sent.
    var left = 0
  }

  private struct State {
    var player: PlayerHandle?
    var waiting: Deque<PlayerEvent> = []
    var lastHold = 0
    /// The requests that aren't answered yet.
    var unanswered: Set<Hold> = []
    /// The unanswered requests whose answers events wait for.
    var held: Set<Hold> = []
    var isClosed = false
    var seeks: [Int: Ending<PlayerDidSeek>] = [:]
    var prerolls: [Int: Ending<PlayerDidPreroll>] = [:]
    var firings: [TimeObserverHandle: Firings] = [:]
    /// The number of messages after which a new one may not replace an unsent one.
    var order = 0
    var drained: [CheckedContinuation<Void, Never>] = []
    /// Requests that wait until those before them are answered.
    var followers: [(hold: Hold, continuation: CheckedContinuation<Void, Never>)] = []

    /// Returns true where events wait for the answer to another request as well.
    func holdsOthers(than hold: Hold) -> Bool { held.contains { $0 != hold } }

    /// Returns the same as ``holdsOthers(than:)`` for answers that are written soon: not those of a batch.
    func holdsSoon(otherThan hold: Hold) -> Bool { held.contains { $0 != hold && !$0.isBatched } }
  }

  private let engine: Engine
  private let connection: Connection
  private let isManual: Bool
  private let state = Mutex(State())

  init(_ engine: Engine, _ connection: Connection, isManual: Bool) {
    (self.engine, self.connection, self.isManual) = (engine, connection, isManual)
  }

  // MARK: Requests

  /// Holds events until the request is answered.
  func hold(_ context: RequestContext) -> Hold {
    let hold = hold(isBatched: context.isBatched)
    context.afterReply { [weak self] _ in self?.answered(hold) }
    return hold
  }

  /// Holds events until ``answered(_:)`` is called.
  func hold(isBatched: Bool) -> Hold {
    state.withLock { state in
      state.lastHold += 1
      let hold = Hold(number: state.lastHold, isBatched: isBatched)
      state.unanswered.insert(hold)
      state.held.insert(hold)
      return hold
    }
  }

  func answered(_ hold: Hold) {
    state.withLock { state in
      state.unanswered.remove(hold)
      release(hold, &state)
    }
  }

  private func release(_ hold: Hold, _ state: inout State) {
    guard state.held.remove(hold) != nil else { return }
    state.order += 1
    drain(&state)
    let followers = state.followers
    let ready = followers.filter { !state.holdsSoon(otherThan: $0.hold) }
    state.followers = followers.filter { state.holdsSoon(otherThan: $0.hold) }
    for follower in ready { follower.continuation.resume() }
  }

  /// Sets the player's handle, before any message is sent.
  func begin(_ player: PlayerHandle) { state.withLock { $0.player = player } }

  /// Sends the events that were waiting when the jump with that number took effect: they are from before it.
  ///
  /// The effects of earlier requests follow their answers, so this waits for these answers, which are on their way. The
  /// answers of a batch are written together, followed by all effects of the batch.
  func flush(before revision: Int, _ hold: Hold) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.holdsSoon(otherThan: hold) else { return true }
        state.followers.append((hold, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
    state.withLock { state in
      guard !state.holdsOthers(than: hold),
        let last = state.waiting.lastIndex(where: { event in
          event.revision.map { $0 < revision } ?? false
        })
      else { return }
      for _ in 0...last { if let event = state.waiting.popFirst() { send(event, &state) } }
    }
  }

  /// Notes a seek that has begun; its end is sent as a notification, or passed to `answer`.
  ///
  /// - Parameter answer: nil for a notification. Otherwise events don't wait for the request any more, but they will
  ///   after the end.
  func expect(
    seek: Int, _ operation: Operation, _ hold: Hold,
    answer: (@Sendable (PlayerDidSeek) -> Void)? = nil
  ) {
    state.withLock { state in
      state.seeks[seek] = Ending(operation: operation, answer: answer, hold: hold)
      if answer != nil { answerBatched(&state) }
    }
  }

  /// Notes a preroll that has begun, as ``expect(seek:_:_:answer:)`` does.
  func expect(
    preroll: Int, _ operation: Operation, _ hold: Hold,
    answer: (@Sendable (PlayerDidPreroll) -> Void)? = nil
  ) {
    state.withLock { state in
      state.prerolls[preroll] = Ending(operation: operation, answer: answer, hold: hold)
      if answer != nil { answerBatched(&state) }
    }
  }

  /// Releases the events that wait for a request, which is answered with the end of its work.
  func awaitEnd(_ hold: Hold) { state.withLock { release(hold, &$0) } }

  /// Returns when no event is waiting.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        guard !state.waiting.isEmpty else { return true }
        state.drained.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Sends nothing any more, except the ends of operations that wait for the answers to their requests.
  ///
  /// Outputs stay with their items: the credit of pictures that aren't sent is theirs again, for another player.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting.removeAll { event in
        switch event {
        case .didSeek, .didPreroll: false
        default: event.discard()
        }
      }
      drain(&state)
    }
  }

  // MARK: Events

  /// Receives an event; never waits.
  func take(_ event: PlayerEvent) {
    state.withLock { state in
      guard !state.isClosed else {
        _ = event.discard()
        return
      }
      state.waiting.append(event)
      answerBatched(&state)
      drain(&state)
    }
  }

  /// Answers the requests of a batch: their answers wait for each other, so they can't wait for events.
  private func answerBatched(_ state: inout State) {
    guard !state.held.isEmpty else { return }
    var left: Deque<PlayerEvent> = []
    for event in state.waiting {
      let isAnswer =
        switch event {
        case .didSeek(let end): state.seeks[end.seek].map(isAnswered) ?? false
        case .didPreroll(let preroll, _): state.prerolls[preroll].map(isAnswered) ?? false
        default: false
        }
      if isAnswer { send(event, &state) } else { left.append(event) }
    }
    state.waiting = left
  }

  private func isAnswered<End>(_ ending: Ending<End>) -> Bool {
    ending.hold.isBatched && ending.answer != nil
  }

  private func drain(_ state: inout State) {
    while state.held.isEmpty, let event = state.waiting.popFirst() { send(event, &state) }
    guard state.waiting.isEmpty else { return }
    for continuation in state.drained { continuation.resume() }
    state.drained = []
  }

  private func post(_ notification: some NotificationType, _ state: inout State) {
    state.order += 1
    connection.post(notification)
  }

  private func handle(of item: PlayerItem) -> PlayerItemHandle? {
    engine.handles.handle(of: item, as: PlayerItemHandle.self)
  }

  private func handle(of output: VideoOutput) -> VideoOutputHandle? {
    engine.handles.handle(of: output, as: VideoOutputHandle.self)
  }

  /// Sends an event, unless the caller has closed its object.
  private func send(_ event: PlayerEvent, _ state: inout State) {
    guard let player = state.player else {
      _ = event.discard()
      return
    }
    switch event {
    case .didChange(let changes, let revision, let hostTime):
      let changes = WirePlayerChanges(changes, of: player, item: handle)
      post(
        PlayerDidChange(
          player: player, revision: revision, hostTime: WireTime(hostTime), changes: changes),
        &state)
    case .didFire(let observer, let item, let observation):
      fire(observer, item, observation, player, &state)
    case .didSeek(let end):
      let ending = state.seeks.removeValue(forKey: end.seek)
      guard let ending else { return }
      let notification = PlayerDidSeek(
        operation: ending.operation.handle, player: player,
        playerItem: end.item.flatMap(handle), finished: end.finished,
        requestedTime: WireTime(end.requestedTime), actualTime: end.actualTime.map(WireTime.init),
        sampleIndex: end.sampleIndex, isExact: end.isExact, revision: end.revision)
      finish(ending, notification, &state)
    case .didPreroll(let number, let finished):
      guard let ending = state.prerolls.removeValue(forKey: number) else { return }
      let notification = PlayerDidPreroll(
        operation: ending.operation.handle, player: player, finished: finished)
      finish(ending, notification, &state)
    case .itemDidChange(let item, _), .didPlayToEndTime(let item, _, _, _, _),
      .didFailToPlayToEndTime(let item, _, _, _, _), .didStall(let item, _, _, _),
      .didJump(let item, _, _, _, _):
      guard let item = handle(of: item) else { return }
      sendItemEvent(event, item, player, &state)
    case .didStartSequence(let output, let revision):
      guard let output = handle(of: output) else { return }
      post(VideoOutputDidStartSequence(videoOutput: output, revision: revision), &state)
    case .mediaDataWillChange(let output, let revision):
      guard let output = handle(of: output) else { return }
      post(VideoOutputMediaDataWillChange(videoOutput: output, revision: revision), &state)
    case .didOutput(let output, let picture, let hostTime, let dropped, let revision):
      let notification = didOutput(output, picture, hostTime, dropped, revision)
      if let notification { post(notification, &state) } else { output.didRelease() }
    case .didLoop(let looper, let count, let revision):
      guard let looper = engine.handles.handle(of: looper, as: PlayerLooperHandle.self) else {
        return
      }
      post(
        PlayerLooperDidLoop(playerLooper: looper, loopCount: count, revision: revision), &state)
    }
  }

  private func sendItemEvent(
    _ event: PlayerEvent, _ item: PlayerItemHandle, _ player: PlayerHandle, _ state: inout State
  ) {
    switch event {
    case .itemDidChange(_, let changes):
      post(
        PlayerItemDidChange(
          playerItem: item, changes: WirePlayerItemChanges(changes, of: item)), &state)
    case .didPlayToEndTime(_, let time, let direction, let hostTime, let revision):
      post(
        PlayerItemDidPlayToEndTime(
          playerItem: item, player: player, time: WireTime(time),
          direction: WirePlaybackDirection(direction), hostTime: WireTime(hostTime),
          revision: revision), &state)
    case .didFailToPlayToEndTime(_, let error, let time, let hostTime, let revision):
      post(
        PlayerItemDidFailToPlayToEndTime(
          playerItem: item, player: player, error: ErrorObject(error).about(item),
          time: WireTime(time), hostTime: WireTime(hostTime), revision: revision), &state)
    case .didStall(_, let time, let hostTime, let revision):
      post(
        PlayerItemDidStall(
          playerItem: item, player: player, time: WireTime(time), hostTime: WireTime(hostTime),
          revision: revision), &state)
    case .didJump(_, let from, let to, let cause, let revision):
      post(
        PlayerItemDidJump(
          playerItem: item, player: player, from: WireTime(from), to: WireTime(to),
          cause: WireJumpCause(cause), revision: revision), &state)
    default: return
    }
  }

  private func finish<End: NotificationType>(
    _ ending: Ending<End>, _ notification: End, _ state: inout State
  ) {
    engine.handles.remove(ending.operation)
    guard let answer = ending.answer else { return post(notification, &state) }
    if !ending.hold.isBatched, state.unanswered.contains(ending.hold) {
      state.held.insert(ending.hold)
    }
    answer(notification)
  }

  // MARK: Observers

  /// Sends a firing. On clocks that aren't manual, those of an interval are at least ten milliseconds apart, and
  /// replace those that aren't written yet.
  private func fire(
    _ observer: TimeObserver, _ item: PlayerItem?, _ observation: TimeObservation,
    _ player: PlayerHandle, _ state: inout State
  ) {
    guard let handle = engine.handles.handle(of: observer, as: TimeObserverHandle.self) else {
      return
    }
    let isReplaceable = !isManual && observation.cause == .interval
    var left = 0
    if !isManual, observer.isPeriodic {
      if isReplaceable, let last = state.firings[handle]?.last,
        observation.hostTime - last < Self.minimumDistance
      {
        state.firings[handle]?.left += 1
        return
      }
      left = state.firings[handle]?.left ?? 0
      state.firings[handle] = Firings(last: observation.hostTime)
    }
    let notification = TimeObserverDidFire(
      timeObserver: handle, player: player, playerItem: item.flatMap(self.handle),
      time: WireTime(observation.time), hostTime: WireTime(observation.hostTime),
      cause: WireTimeObserverCause(observation.cause), index: observation.index,
      lateness: WireTime(observation.lateness), coalesced: left, revision: observation.revision)
    guard isReplaceable else { return post(notification, &state) }
    // It may replace one that is the last message of the player.
    connection.post(notification, coalescing: "\(handle.rawValue) \(state.order)")
  }

  private static let minimumDistance = Time(value: 10, timescale: 1000)

  /// Forgets an observer that is closed.
  func forget(_ observer: TimeObserverHandle) {
    state.withLock { $0.firings[observer] = nil }
  }

  // MARK: Pictures

  /// Returns the notification of a picture, whose lease returns credit; nil where the output is closed.
  private func didOutput(
    _ output: VideoOutput, _ picture: OutputPicture, _ hostTime: Time, _ dropped: DroppedPictures,
    _ revision: Int
  ) -> VideoOutputDidOutput? {
    let format = output.configuration.format
    guard let handle = handle(of: output),
      let image = WireImageLayout(picture.image, format: format)
    else { return nil }
    let delivery = Delivery(
      .shm, engine: engine, owner: handle.rawValue, answering: nil,
      onLeaseEnd: { output.didRelease() })
    guard
      let blob = try? delivery.memoryBlob(picture.image.data, mimeType: picture.image.mimeType)
    else { return nil }
    return VideoOutputDidOutput(
      videoOutput: handle, image: image, blob: blob,
      itemTimeForDisplay: WireTime(picture.itemTimeForDisplay),
      duration: WireTime(picture.duration), sampleIndex: picture.sampleIndex,
      hostTime: WireTime(hostTime), revision: revision, dropped: WireDroppedPictures(dropped))
  }
}

extension PlayerEvent {
  /// Returns the credit of a picture that isn't sent.
  ///
  /// - Returns: true.
  fileprivate func discard() -> Bool {
    if case .didOutput(let output, _, _, _, _) = self { output.didRelease() }
    return true
  }

  /// The number of jumps at the time of the event; nil where it has none, and for the end of a seek, which may come
  /// after the jump that has interrupted it.
  fileprivate var revision: Int? {
    switch self {
    case .didChange(_, let revision, _), .didPlayToEndTime(_, _, _, _, let revision),
      .didFailToPlayToEndTime(_, _, _, _, let revision), .didStall(_, _, _, let revision),
      .didJump(_, _, _, _, let revision), .didStartSequence(_, let revision),
      .mediaDataWillChange(_, let revision), .didOutput(_, _, _, _, let revision),
      .didLoop(_, _, let revision):
      revision
    case .didFire(_, _, let observation): observation.revision
    case .itemDidChange, .didSeek, .didPreroll: nil
    }
  }
}
