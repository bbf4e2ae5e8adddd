import DequeModule
import Dispatch
import Synchronization

/// Everything that is still to be written, and the one writer.
///
/// Replies are taken at once, always. A notification waits while more than a budget is pending, which
/// stops the work that makes it; progress replaces its own unsent predecessor instead of waiting. No one
/// who adds a reply, least of all the reader, ever waits for the peer to read.
package final class Outbox: Sendable {
  private struct Item {
    var bytes: [UInt8]
    var start: Int
    var key: String?

    var count: Int { bytes.count - start }
  }

  private struct Waiter {
    var identity: Int
    var item: Item
    var resume: @Sendable () -> Void
  }

  private struct State {
    var framing = FramingMode.lines
    var items: Deque<Item> = []
    /// The number of items that left `items`: what turns a position in it into a lasting one.
    var departed = 0
    var pendingBytes = 0
    var coalescible: [String: Int] = [:]
    var waiters: Deque<Waiter> = []
    var lastWaiter = 0
    var isWriting = false
    var isClosed = false
    var hasFailed = false
    var isStalled = false
    /// Threads that wait until less than the notification budget is pending.
    var rooms: [DispatchSemaphore] = []
    var flushes: [DispatchSemaphore] = []
  }

  private let channel: DescriptorChannel
  private let notificationBudget: Int
  private let replyBudget: Int
  private let queue = DispatchQueue(label: "jsonrpc.writer", qos: .userInitiated)
  private let state = Mutex(State())

  package init(channel: DescriptorChannel, notificationBudget: Int, replyBudget: Int) {
    self.channel = channel
    self.notificationBudget = notificationBudget
    self.replyBudget = replyBudget
  }

  /// True from when the reply budget is passed until half of it is written; the channel's reader is
  /// woken then.
  package var isStalled: Bool { state.withLock { $0.isStalled } }

  /// True when the peer stopped reading for good.
  package var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// How messages are framed from here on.
  package func setFraming(_ framing: FramingMode) {
    state.withLock { $0.framing = framing }
  }

  /// Adds a message behind all others, whatever is pending; false when the connection has ended.
  ///
  /// With a key it takes the place of an unsent message of that key.
  @discardableResult
  package func post(_ message: consuming JSONWriter, coalescing key: String? = nil) -> Bool {
    var item = framed(message)
    item.key = key
    let (isTaken, isMine) = state.withLock { [item] state in
      guard !state.isClosed else { return (false, false) }
      if let key, let position = state.coalescible[key] {
        let index = position - state.departed
        state.pendingBytes += item.count - state.items[index].count
        state.items[index] = item
        return (true, false)
      }
      if !state.isWriting, channel.takes(item.count) {
        state.isWriting = true
        state.pendingBytes += item.count
        return (true, true)
      }
      append(item, &state)
      return (true, false)
    }
    if isMine { writeAtOnce(item) }
    return isTaken
  }

  /// Adds a message unless the notification budget is pending already; false when it was left out.
  package func offer(_ message: consuming JSONWriter) -> Bool {
    guard state.withLock({ $0.pendingBytes < notificationBudget }) else { return false }
    return post(message)
  }

  /// Adds a message once less than the notification budget is pending, in the order of the calls.
  ///
  /// A task that is cancelled stops waiting and its message is added at once: the end of an
  /// operation has to be reported.
  @discardableResult
  package func send(_ message: consuming JSONWriter) async -> Bool {
    let item = framed(message)
    let identity = newWaiter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(item, identity, unlessWaiting: { Task.isCancelled }) {
          continuation.resume()
        }
      }
      return !isClosed
    } onCancel: {
      admit(identity)
    }
  }

  /// Blocks while more than the notification budget is pending, until it is less or the outbox is closed.
  package func awaitRoom() {
    let room = state.withLock { state -> DispatchSemaphore? in
      guard !state.isClosed, state.pendingBytes >= notificationBudget else { return nil }
      let room = DispatchSemaphore(value: 0)
      state.rooms.append(room)
      return room
    }
    room?.wait()
  }

  /// Waits until all is written or the writer gave up; false at the deadline.
  package func flush(until deadline: DispatchTime) -> Bool {
    let done = DispatchSemaphore(value: 0)
    state.withLock { state in
      if state.isWriting { state.flushes.append(done) } else { done.signal() }
    }
    return done.wait(timeout: deadline) == .success
  }

  /// Takes no more messages; all waits end.
  package func close() {
    let waiters = state.withLock { Self.close(&$0) }
    for waiter in waiters { waiter.resume() }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func newWaiter() -> Int {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  /// Outside of the lock, because it may have to move a large message.
  private func framed(_ message: consuming JSONWriter) -> Item {
    let usesHeaders = state.withLock { $0.framing == .headers }
    let start = usesHeaders ? message.frameWithHeader() : message.frameAsLine()
    return Item(bytes: message.bytes, start: start)
  }

  private static func close(_ state: inout State) -> Deque<Waiter> {
    state.isClosed = true
    Self.signalRooms(&state)
    let waiters = state.waiters
    state.waiters = []
    return waiters
  }

  private func enqueue(
    _ item: Item, _ identity: Int, unlessWaiting isCancelled: () -> Bool,
    _ resume: @escaping @Sendable () -> Void
  ) {
    let isDone = state.withLock { state in
      guard !state.isClosed else { return true }
      if (state.pendingBytes < notificationBudget && state.waiters.isEmpty) || isCancelled() {
        append(item, &state)
        return true
      }
      state.waiters.append(Waiter(identity: identity, item: item, resume: resume))
      return false
    }
    if isDone { resume() }
  }

  /// Adds the message of one waiter out of turn.
  private func admit(_ identity: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.identity == identity }) else {
        return nil
      }
      let waiter = state.waiters.remove(at: index)
      append(waiter.item, &state)
      return waiter
    }
    waiter?.resume()
  }

  private func append(_ item: Item, _ state: inout State) {
    if let key = item.key { state.coalescible[key] = state.departed + state.items.count }
    state.pendingBytes += item.count
    if state.pendingBytes > replyBudget { state.isStalled = true }
    state.items.append(item)
    guard !state.isWriting else { return }
    state.isWriting = true
    queue.async { self.writeAll() }
  }

  /// Nothing is pending and the kernel has room for a small message: two thread switches less. The
  /// writer goes on with what was added meanwhile.
  private func writeAtOnce(_ item: Item) {
    guard channel.write(item.bytes[item.start...]) else { return fail() }
    let isDone = state.withLock { state in
      guard state.items.isEmpty, state.waiters.isEmpty else { return false }
      state.pendingBytes -= item.count
      state.isWriting = false
      Self.signalFlushes(&state)
      return true
    }
    if !isDone { queue.async { self.writeAll(after: item.count) } }
  }

  /// Runs on `queue` while there is something to write.
  private func writeAll(after first: Int = 0) {
    var written = first
    while let item = next(after: written) {
      guard channel.write(item.bytes[item.start...]) else { return fail() }
      written = item.count
    }
  }

  private func next(after written: Int) -> Item? {
    var admitted: [Waiter] = []
    var wakesReader = false
    let item = state.withLock { state -> Item? in
      state.pendingBytes -= written
      while state.pendingBytes < notificationBudget, let waiter = state.waiters.popFirst() {
        append(waiter.item, &state)
        admitted.append(waiter)
      }
      if state.pendingBytes < notificationBudget { Self.signalRooms(&state) }
      if state.isStalled, state.pendingBytes <= replyBudget / 2 {
        state.isStalled = false
        wakesReader = true
      }
      guard let item = state.items.popFirst() else {
        state.isWriting = false
        Self.signalFlushes(&state)
        return nil
      }
      state.departed += 1
      if let key = item.key { state.coalescible[key] = nil }
      return item
    }
    for waiter in admitted { waiter.resume() }
    if wakesReader { channel.wake() }
    return item
  }

  private func fail() {
    let waiters = state.withLock { state in
      state.hasFailed = true
      state.items = []
      state.coalescible = [:]
      state.pendingBytes = 0
      state.isWriting = false
      Self.signalFlushes(&state)
      return Self.close(&state)
    }
    for waiter in waiters { waiter.resume() }
    channel.wake()
  }

  private static func signalRooms(_ state: inout State) {
    for room in state.rooms { room.signal() }
    state.rooms = []
  }

  private static func signalFlushes(_ state: inout State) {
    for flush in state.flushes { flush.signal() }
    state.flushes = []
  }
}
