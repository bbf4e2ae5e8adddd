import DequeModule
import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The demuxers of tracks that are read at the same time, such as those of a reader, a mix or an export:
/// one for all tracks of a kind of a file, so that the file is read once for any number of them.
///
/// Tracks of a kind have packets at the same rate. The next text may be minutes of video away, all of which would be
/// held; so video and text have separate demuxers.
final class SharedDemuxers: Sendable {
  private struct Key: Hashable {
    let source: ObjectIdentifier
    let kind: MediaKind
  }
  private let demuxers: [Key: SharedDemuxer]

  /// The maximum size of the packets that are held for tracks that are read later, in bytes.
  static let capacity = 32 << 20

  /// - Parameter tracks: the tracks that will be read. For one that isn't, packets are held in vain.
  init(_ tracks: [StoredTrack], capacity: Int = SharedDemuxers.capacity) {
    let groups = Dictionary(grouping: tracks, by: SharedDemuxers.key)
      .mapValues { (source: $0[0].source, streams: Set($0.map(\.stream.index))) }
      .filter { $0.value.streams.count > 1 }
    demuxers = groups.mapValues { group in
      SharedDemuxer(
        group.source, streams: group.streams, held: HeldBytes(limit: capacity / groups.count))
    }
  }

  private static func key(_ track: StoredTrack) -> Key {
    Key(source: ObjectIdentifier(track.source), kind: track.stream.kind)
  }

  /// Returns a track's share; nil for one that has had its share, and where nothing is shared.
  func share(of track: StoredTrack, interrupt: Interrupt) throws(EngineError) -> DemuxerShare? {
    guard let demuxer = demuxers[SharedDemuxers.key(track)],
      // The links of a chained file differ in their streams.
      try track.source.open(interrupt: interrupt).chain?.isChained != true
    else { return nil }
    return demuxer.share(ofStream: track.stream.index)
  }

  /// The size of the packets that are held, in bytes.
  var heldBytes: Int { demuxers.values.reduce(0) { $0 + $1.held.value } }

  /// Prepares for all tracks to seek: the first one moves the demuxer, and the others begin with it.
  func regroup() {
    for demuxer in demuxers.values { demuxer.regroup() }
  }
}

/// The place at which demuxing has begun: each demuxer that begins there delivers the same packets.
enum DemuxingOrigin {
  case start
  /// A seek of a stream, with the position of the sample if that is known. `time` is that of the ticks.
  case ticks(Int64, ofStream: Int, at: Int64?, time: Time)
  case position(Int64)

  /// The distance at which a track begins with the packets from another track's origin rather than
  /// with those from its own.
  private static let nearby = Time(value: 10, timescale: 1)

  /// Returns true if the packets from another origin include those of this one soon.
  func isNear(_ other: DemuxingOrigin) -> Bool {
    switch (self, other) {
    case (.start, .start): true
    case (.ticks(_, _, _, let time), .ticks(_, _, _, let origin)):
      (time - origin).absoluteValue <= DemuxingOrigin.nearby
    default: false
    }
  }

  /// Moves a demuxer, which hasn't read anything if this is the start.
  func apply(to demuxer: inout Demuxer, of source: MediaSource) throws(LibAVError) {
    switch self {
    case .start: return
    case .ticks(let ticks, let stream, let position, _):
      try source.seek(&demuxer, in: stream, to: ticks, at: position)
    case .position(let position): try demuxer.seek(toByte: position)
    }
  }
}

/// The number of bytes that are held in packets for tracks that are read later.
final class HeldBytes: Sendable {
  private let limit: Int
  private let count = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
  func remove(_ bytes: Int) { count.wrappingSubtract(bytes, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
  var isTooMuch: Bool { value > limit }
}

/// One demuxer of several tracks of a file.
///
/// The track that needs a packet reads up to it, and packets of the others on the way are held for them. A track for
/// which too much is held loses its share: it is read by a second demuxer then, together with the others that have
/// lost theirs. So tracks may be read in any order, and one of them not at all.
///
/// After a failure, and at an end that may differ between tracks, each track continues with a demuxer of its own, which
/// finds its own failure or end.
final class SharedDemuxer: Sendable {
  /// The size of a packet in memory without its bytes, about.
  private static let packetSize = 384

  enum Step {
    case packet(Handoff<Packet>), end
    /// Another place has been sought, the track has lost its share, or nothing is shared any more.
    case left
  }

  private struct Seat {
    var packets = Deque<Handoff<Packet>>()
    /// The size of the packets in memory.
    var size = 0
    var isTaken = false
    /// True once packets have been read, or sought.
    var hasBegun = false

    mutating func clear() -> Int {
      defer { (packets, size) = ([], 0) }
      return size
    }
  }

  private struct State {
    /// By their streams, the tracks that share the demuxer.
    var seats: [Int: Seat]
    /// The streams that have lost their shares, since the last demuxer was made for such.
    var lagging: Set<Int> = []
    var successors: [SharedDemuxer] = []
    /// Nil before the first packet is read.
    var demuxer: Handoff<Demuxer>?
    var origin: DemuxingOrigin
    /// The number of changes of the origin.
    var epoch = 0
    var isSelectionStale = false
    var isAtEnd = false

    /// Drops all packets, and returns their size.
    mutating func clear() -> Int {
      var size = 0
      for stream in seats.keys { size += seats[stream]?.clear() ?? 0 }
      return size
    }

    /// Makes all shares those of an earlier origin.
    mutating func move() -> Int {
      epoch += 1
      (lagging, successors) = ([], [])
      return clear()
    }
  }

  private let source: MediaSource
  private let state: Mutex<State>
  fileprivate let held: HeldBytes
  /// Admits one track at a time to the demuxer.
  private let turn = WorkLimiter(slots: 1)

  init(
    _ source: MediaSource, streams: Set<Int>, held: HeldBytes, origin: DemuxingOrigin = .start
  ) {
    self.source = source
    self.held = held
    let seats = streams.map { ($0, Seat()) }
    state = Mutex(State(seats: Dictionary(uniqueKeysWithValues: seats), origin: origin))
  }

  deinit {
    held.remove(state.withLock { $0.clear() })
  }

  /// Returns the share of a stream, which is given once; of one that has fallen back too far before that, the share in
  /// the demuxer of such streams.
  func share(ofStream stream: Int) -> DemuxerShare? {
    let share = state.withLock { state -> DemuxerShare? in
      guard state.seats[stream]?.isTaken == false else { return nil }
      state.seats[stream]?.isTaken = true
      return DemuxerShare(self, stream: stream)
    }
    return share ?? nextShare(ofStream: stream, epoch: 0)
  }

  /// Returns the share of a stream that has lost its own, in the demuxer of those that have; nil if there are no others,
  /// and after a failure.
  fileprivate func nextShare(ofStream stream: Int, epoch: Int) -> DemuxerShare? {
    let successors = state.withLock { state -> [SharedDemuxer] in
      guard state.epoch == epoch else { return [] }
      if state.lagging.contains(stream), state.lagging.count > 1 {
        state.successors.append(
          SharedDemuxer(source, streams: state.lagging, held: held, origin: state.origin))
        state.lagging = []
      }
      return state.successors
    }
    for successor in successors {
      if let share = successor.share(ofStream: stream) { return share }
    }
    return nil
  }

  /// Gives up a share.
  fileprivate func leave(_ stream: Int) {
    let (size, last) = state.withLock { state -> (Int, Handoff<Demuxer>?) in
      guard var seat = state.seats.removeValue(forKey: stream) else { return (0, nil) }
      state.isSelectionStale = true
      let last = state.seats.isEmpty ? state.demuxer.take() : nil
      return (seat.clear(), last)
    }
    held.remove(size)
    // It is closed outside of the lock.
    withExtendedLifetime(last) {}
  }

  // MARK: Reading

  fileprivate func next(
    ofStream stream: Int, epoch: Int, interrupt: Interrupt
  ) throws(EngineError) -> Step {
    if let step = available(stream, epoch) { return step }
    try enter(interrupt)
    defer { turn.leave() }
    var packet = try mapErrors(.read, path: source.path, Packet.init)
    while true {
      // Another track may have read it meanwhile.
      if let step = available(stream, epoch) { return step }
      let demuxer = try open(interrupt)
      do throws(LibAVError) {
        guard try demuxer.value.read(into: &packet) else {
          finish(demuxer)
          continue
        }
      } catch {
        disband()
        throw EngineError(error, stage: .read, path: source.path)
      }
      if packet.streamIndex == stream { return .packet(Handoff(packet)) }
      let following = try mapErrors(.read, path: source.path, Packet.init)
      hold(packet, besides: stream)
      packet = following
    }
  }

  /// Returns the next step of a track that needs no demuxing; nil for none.
  private func available(_ stream: Int, _ epoch: Int) -> Step? {
    let (step, size) = state.withLock { state -> (Step?, Int) in
      guard state.seats[stream] != nil, state.epoch == epoch else { return (.left, 0) }
      state.seats[stream]?.hasBegun = true
      if let packet = state.seats[stream]?.packets.popFirst() {
        let size = SharedDemuxer.size(of: packet.value)
        state.seats[stream]?.size -= size
        return (.packet(packet), size)
      }
      return (state.isAtEnd ? .end : nil, 0)
    }
    if size > 0 { held.remove(size) }
    return step
  }

  private static func size(of packet: borrowing Packet) -> Int { packet.size + packetSize }

  /// Waits for the turn of a track. Another one may be reading the bytes of a client that doesn't answer: meanwhile no
  /// slot is needed.
  private func enter(_ interrupt: Interrupt) throws(EngineError) {
    guard let signal = turn.takeSlot(.batch) else { return }
    WorkLimiter.shared.lendSlot()
    defer { WorkLimiter.shared.takeBackSlot() }
    guard signal.waitBlocking(orUntil: interrupt) else { try turn.giveUp(signal) }
  }

  /// Returns the demuxer, for the track whose turn it is.
  private func open(_ interrupt: Interrupt) throws(EngineError) -> Handoff<Demuxer> {
    let (opened, streams, origin) = state.withLock { state in
      defer { state.isSelectionStale = false }
      let isCurrent = state.demuxer != nil && !state.isSelectionStale
      return (state.demuxer, isCurrent ? nil : Set(state.seats.keys), state.origin)
    }
    if let opened {
      if let streams { opened.value.select(streams: streams) }
      opened.value.interrupt = interrupt
      return opened
    }
    do throws(EngineError) {
      let made = Handoff(try makeDemuxer(of: streams ?? [], interrupt: interrupt))
      try mapErrors(.read, path: source.path) { () throws(LibAVError) in
        try origin.apply(to: &made.value, of: source)
      }
      state.withLock { $0.demuxer = made }
      return made
    } catch {
      disband()
      throw error
    }
  }

  private func makeDemuxer(
    of streams: Set<Int>, interrupt: Interrupt
  ) throws(EngineError) -> Demuxer {
    if var spare = DemuxerPool.shared.take(of: source, atStart: true, interrupt: interrupt) {
      spare.demuxer.select(streams: streams)
      return spare.demuxer
    }
    return try source.makeDemuxer(of: streams, interrupt: interrupt)
  }

  private func finish(_ demuxer: Handoff<Demuxer>) {
    // Of a file that is damaged or cut short, each track has its own end.
    if demuxer.value.isTruncated || demuxer.value.damage != nil { return disband() }
    state.withLock { $0.isAtEnd = true }
  }

  /// Holds a packet for its track, and takes the share of a track if that is too much.
  private func hold(_ packet: consuming Packet, besides reading: Int) {
    let (stream, size) = (packet.streamIndex, SharedDemuxer.size(of: packet))
    let handoff = Handoff(packet)
    let isHeld = state.withLock { state in
      guard state.seats[stream] != nil else { return false }
      state.seats[stream]?.packets.append(handoff)
      state.seats[stream]?.size += size
      return true
    }
    guard isHeld else { return }
    held.add(size)
    guard held.isTooMuch else { return }
    let dropped = state.withLock { state -> Seat? in
      let others = state.seats.filter { $0.key != reading }
      let maximum = others.values.map(\.size).max() ?? 0
      // Of several that are far behind the last is the likeliest to be read last.
      let last = others.filter { $0.value.size > maximum / 2 }.keys.max()
      guard let last, let seat = state.seats.removeValue(forKey: last) else { return nil }
      state.lagging.insert(last)
      state.isSelectionStale = true
      return seat
    }
    held.remove(dropped?.size ?? 0)
  }

  /// Takes the shares of all tracks.
  private func disband() {
    let (size, last) = state.withLock { state in
      let size = state.clear()
      state.seats = [:]
      return (size, state.demuxer.take())
    }
    held.remove(size)
    withExtendedLifetime(last) {}
  }

  // MARK: Seeking

  /// Moves the demuxer to another origin, which all tracks share that haven't begun; one that hasn't begun begins with
  /// the others' packets if they come from nearby.
  ///
  /// - Returns: the number of the origin; nil if the track needs a demuxer of its own to get there.
  fileprivate func seek(
    _ stream: Int, to origin: DemuxingOrigin, interrupt: Interrupt
  ) throws(EngineError) -> Int? {
    try enter(interrupt)
    defer { turn.leave() }
    enum Way { case moved(Int), joined(Int), none }
    let (way, size) = state.withLock { state -> (Way, Int) in
      guard let seat = state.seats[stream] else { return (.none, 0) }
      if state.seats.contains(where: { $0.key != stream && $0.value.hasBegun }) {
        guard !seat.hasBegun, origin.isNear(state.origin) else { return (.none, 0) }
        state.seats[stream]?.hasBegun = true
        return (.joined(state.epoch), 0)
      }
      let size = state.move()
      state.seats[stream]?.hasBegun = true
      // Until it is there.
      (state.origin, state.isAtEnd) = (.start, false)
      return (.moved(state.epoch), size)
    }
    held.remove(size)
    switch way {
    case .none: return nil
    case .joined(let epoch): return epoch
    case .moved(let epoch):
      if case .start = origin {
        let last = state.withLock { $0.demuxer.take() }
        withExtendedLifetime(last) {}
        return epoch
      }
      let demuxer = try open(interrupt)
      do throws(LibAVError) {
        try origin.apply(to: &demuxer.value, of: source)
      } catch {
        disband()
        return nil
      }
      state.withLock { $0.origin = origin }
      return epoch
    }
  }

  fileprivate func regroup() {
    let size = state.withLock { state in
      for stream in state.seats.keys { state.seats[stream]?.hasBegun = false }
      return state.move()
    }
    held.remove(size)
  }
}

/// The share that a track has of a demuxer. It is given up with the last reference to it.
final class DemuxerShare {
  private let demuxer: SharedDemuxer
  private let stream: Int
  /// The number of the origin from which the track is read.
  private var epoch = 0

  fileprivate init(_ demuxer: SharedDemuxer, stream: Int) {
    (self.demuxer, self.stream) = (demuxer, stream)
  }

  deinit { demuxer.leave(stream) }

  /// Reads the next packet of the track.
  func next(interrupt: Interrupt) throws(EngineError) -> SharedDemuxer.Step {
    try demuxer.next(ofStream: stream, epoch: epoch, interrupt: interrupt)
  }

  /// Continues from an origin; returns false if the track needs a demuxer of its own to get there.
  func seek(to origin: DemuxingOrigin, interrupt: Interrupt) throws(EngineError) -> Bool {
    guard let number = try demuxer.seek(stream, to: origin, interrupt: interrupt)
    else { return false }
    epoch = number
    return true
  }

  /// Returns the share in the demuxer of tracks that have lost theirs.
  func successor() -> DemuxerShare? {
    demuxer.nextShare(ofStream: stream, epoch: epoch)
  }
}
