import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The schedule of an export's stages: each runs on a queue of its own, and one thread writes their packets.
///
/// Two things bound it. A stage that is ahead of the slowest by more than ``maximumLead`` waits, so
/// that the muxer, which sorts packets by time, holds few of them; the slowest never waits for another, so there is
/// always one that continues. And a stage waits while ``maximumBytes`` of its packets are unwritten.
final class InterleavingScheduler: Sendable {
  static let maximumLead = Time(value: 1, timescale: 1)
  static let maximumBytes = 8 << 20

  /// The next action of a stage.
  enum Step {
    case goOn, stop
  }

  private struct Track {
    let holdsOthersBack: Bool
    var position = Time.zero
    var isOver = false
    /// The bytes of its packets that are unwritten.
    var bytes = 0
    var packetCount = 0
    var waiter: Signal<Bool>?
  }

  private struct State {
    var tracks: [Track] = []
    /// The packets in the order in which they were made: one track's after the other's would have the muxer hold more
    /// of the first than it sorts, however little the stages are ahead of each other.
    var packets: [Handoff<Packet>] = []
    var empty: [Handoff<Packet>] = []
    var isStopped = false
    /// The signal that everything has been written.
    var observerOfIdling: Signal<Bool>?
    /// The writer is to look for something else than packets.
    var isWoken = false
    var failure: EngineError?
    /// The writer's.
    var waiter: Signal<Bool>?

    func mayGoOn(_ number: Int) -> Bool {
      let track = tracks[number]
      guard track.bytes < InterleavingScheduler.maximumBytes else { return false }
      return holdingBack(number) == nil
    }

    /// The track that has to advance before one that is too far ahead may continue.
    func holdingBack(_ number: Int) -> Int? {
      let limit = tracks[number].position - InterleavingScheduler.maximumLead
      let slow = tracks.indices.filter {
        tracks[$0].holdsOthersBack && !tracks[$0].isOver && tracks[$0].position < limit
      }
      return slow.min { tracks[$0].position < tracks[$1].position }
    }

    /// The next action of the stage; nil when it has to wait.
    func step(of number: Int) -> Step? {
      if isStopped { return .stop }
      return mayGoOn(number) ? .goOn : nil
    }

    mutating func takePackets() -> [Handoff<Packet>] {
      for number in tracks.indices { (tracks[number].bytes, tracks[number].packetCount) = (0, 0) }
      defer { packets = [] }
      return packets
    }

    /// Removes and returns the waiters whose conditions have just come true.
    mutating func dueWaiters() -> [Signal<Bool>] {
      var due: [Signal<Bool>] = []
      for number in tracks.indices where tracks[number].waiter != nil {
        guard step(of: number) != nil else { continue }
        if let waiter = tracks[number].waiter.take() { due.append(waiter) }
      }
      let isDue =
        isStopped || isWoken || tracks.allSatisfy(\.isOver) || !packets.isEmpty
      if isDue, let waiter = waiter.take() { due.append(waiter) }
      if isStopped, let observer = observerOfIdling.take() { due.append(observer) }
      return due
    }
  }

  private let state = Mutex(State())

  private func change(_ body: (inout State) -> Void) {
    let due = state.withLock { state in
      body(&state)
      return state.dueWaiters()
    }
    for waiter in due { waiter.fire(true) }
  }

  /// Ends everything: no stage continues, nothing is written any more.
  func stop() { change { $0.isStopped = true } }

  // MARK: - Stages

  /// A stage's way in.
  ///
  /// - Parameter holdsOthersBack: false for one of which nothing may come for a long time.
  func addTrack(holdsOthersBack: Bool = true) -> StagePort {
    state.withLock { state in
      state.tracks.append(Track(holdsOthersBack: holdsOthersBack))
      return StagePort(flow: self, number: state.tracks.count - 1)
    }
  }

  /// The port through which a stage's packets reach the writer. Used by one thread at a time.
  final class StagePort: PacketSink {
    private let flow: InterleavingScheduler
    private let number: Int
    private var made: [Handoff<Packet>] = []

    fileprivate init(flow: InterleavingScheduler, number: Int) {
      self.flow = flow
      self.number = number
    }

    /// Adds a packet, without waiting.
    func put(_ packet: inout Packet) throws(LibAVError) {
      let known = flow.state.withLock { $0.empty.popLast() }
      let box = if let known { known } else { Handoff(try Packet()) }
      swap(&box.value, &packet)
      made.append(box)
    }

    /// Transfers the packets that were added, with the stage's position; it never goes back.
    func publish(_ position: Time) {
      flow.change { [number, made] state in
        let reached = position.isNumeric ? position : .zero
        state.tracks[number].position = max(state.tracks[number].position, reached)
        for box in made { state.tracks[number].bytes += box.value.size }
        state.tracks[number].packetCount += made.count
        state.packets.append(contentsOf: made)
      }
      made.removeAll(keepingCapacity: true)
    }

    /// False while it is too far ahead, or too much is unwritten.
    var mayGoOn: Bool { flow.state.withLock { $0.mayGoOn(number) } }
    /// True while the stage waits for its turn.
    var isWaiting: Bool { flow.state.withLock { $0.tracks[number].waiter != nil } }

    /// Waits until the stage may continue. The caller holds no slot of the ``WorkLimiter``.
    func waitForStep() -> Step {
      while true {
        let waiter = Signal<Bool>()
        var step: Step?
        flow.change { [number] state in
          step = state.step(of: number)
          if step == nil { state.tracks[number].waiter = waiter }
        }
        if let step { return step }
        _ = waiter.waitBlocking()
      }
    }

    func end() { flow.change { [number] in $0.tracks[number].isOver = true } }

    func fail(_ error: EngineError) {
      flow.change { state in
        state.failure = state.failure ?? error
        state.isStopped = true
      }
    }
  }

  // MARK: - The writer

  /// Waits for packets; returns nil when all stages have ended and all packets have been returned.
  ///
  /// - Throws: the error of a stage; `operationCancelled` at once when interrupted, whether or not stages are busy.
  func take(interrupt: Interrupt) throws(EngineError) -> [Handoff<Packet>]? {
    while true {
      if interrupt.isTriggered { throw .cancelled("The export") }
      let waiter = Signal<Bool>()
      var found: [Handoff<Packet>] = []
      var failure: EngineError?
      var isOver = false
      var isWoken = false
      var observer: Signal<Bool>?
      change { state in
        failure = state.failure
        isOver = state.tracks.allSatisfy(\.isOver)
        found = state.takePackets()
        isWoken = state.isWoken
        state.isWoken = false
        guard found.isEmpty, !isWoken, !isOver, failure == nil else { return }
        state.waiter = waiter
        observer = state.observerOfIdling.take()
      }
      observer?.fire(true)
      if let failure { throw failure }
      if !found.isEmpty || isWoken { return found }
      if isOver { return nil }
      _ = waiter.waitBlocking(orUntil: interrupt)
    }
  }

  /// Makes ``take(interrupt:)`` return, with no packets where there are none.
  func wake() { change { $0.isWoken = true } }

  /// A signal that is fired once the writer has written all there was, and waits for more; nil when that is so now,
  /// and after the end. One may wait at a time.
  func idleSignal() -> Signal<Bool>? {
    state.withLock { state in
      let isIdle = state.packets.isEmpty && state.waiter != nil
      guard !isIdle, !state.isStopped, !state.tracks.allSatisfy(\.isOver) else { return nil }
      let signal = Signal<Bool>()
      state.observerOfIdling = signal
      return signal
    }
  }

  /// Takes back packets that have been written, for reuse.
  func unwrite(_ packets: [Handoff<Packet>]) {
    state.withLock { state in
      state.empty.append(contentsOf: packets.prefix(max(0, 64 - state.empty.count)))
    }
  }

  /// The numbers of the tracks of which no more packets will be returned.
  var ended: Set<Int> {
    state.withLock { state in
      Set(
        state.tracks.indices.filter { state.tracks[$0].isOver && state.tracks[$0].packetCount == 0 }
      )
    }
  }

  /// The track that has to advance before another may continue; nil where none has to.
  func holdingBack(_ number: Int) -> Int? { state.withLock { $0.holdingBack(number) } }

  /// The position of the fastest stage.
  var furthest: Time { state.withLock { $0.tracks.map(\.position).max() ?? .zero } }

  /// The position of the slowest stage; nil when all have ended.
  var position: Time? {
    state.withLock { state in
      state.tracks.filter { !$0.isOver }.map(\.position).min()
    }
  }
}
