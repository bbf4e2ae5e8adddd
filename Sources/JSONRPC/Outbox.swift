import DequeModule
import Dispatch
import Synchronization

/// The messages that are still to be written, and the one writer.
///
/// Replies are accepted at once, always. A notification waits while more than a budget is pending,
/// which stops the work that makes it; progress replaces its own unsent predecessor instead of
/// waiting. No thread that adds a reply, least of all the reader, ever waits for the peer to read.
package final class Outbox: Sendable {
  private struct Item {
    var bytes: [UInt8]
    var start: Int
    var key: String?
    /// The text of the message, without its frame.
    var payload: Range<Int>
    /// The number of messages that it has replaced.
    var replaced = 0
    /// The bytes that the peer acknowledges; 0 for a message without acknowledgement.
    var charge = 0
    var onWritten: (@Sendable () -> Void)?

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
    /// The number of items that left `items`: converts a position in it into a lasting one.
    var departed = 0
    var pendingBytes = 0
    /// The bytes of notifications that the peer hasn't passed on.
    var unacknowledgedBytes = 0
    var coalescible: [String: Int] = [:]
    var waiters: Deque<Waiter> = []
    var lastWaiter = 0
    var isWriting = false
    var isClosed = false
    var hasFailed = false
    var isStalled = false
    var flushes: [DispatchSemaphore] = []
  }

  private let channel: DescriptorChannel
  private let notificationBudget: Int
  private let replyBudget: Int
  private let isRelayed: Bool
  private let queue = DispatchQueue(label: "jsonrpc.writer", qos: .userInitiated)
  private let state = Mutex(State())

  /// - Parameter isRelayed: true if the peer passes notifications on: see
  ///   ``ConnectionConfiguration/isRelayed``.
  package init(
    channel: DescriptorChannel, notificationBudget: Int, replyBudget: Int, isRelayed: Bool = false
  ) {
    self.channel = channel
    self.notificationBudget = notificationBudget
    self.replyBudget = replyBudget
    self.isRelayed = isRelayed
  }

  /// True from the time at which the reply budget is exceeded until half of it is written; the
  /// channel's reader is woken then.
  package var isStalled: Bool { state.withLock { $0.isStalled } }

  /// True when the peer stopped reading for good.
  package var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// The bytes that are still to be written.
  package var pendingBytes: Int { state.withLock { $0.pendingBytes } }

  /// Sets the framing of the following messages.
  package func setFraming(_ framing: FramingMode) {
    state.withLock { $0.framing = framing }
  }

  /// Adds a message after all others, without a limit; returns false when the connection has ended.
  ///
  /// With a key it replaces an unsent message of that key.
  ///
  /// - Parameter onWritten: runs when the message has been written or replaced.
  @discardableResult
  package func post(
    _ message: consuming JSONWriter, coalescing key: String? = nil, isNotification: Bool = false,
    onWritten: (@Sendable () -> Void)? = nil
  ) -> Bool {
    var item = framed(message, key, isNotification)
    item.onWritten = onWritten
    let (isTaken, isMine, replaced) = state.withLock {
      [item] state -> (Bool, Bool, (@Sendable () -> Void)?) in
      guard !state.isClosed else { return (false, false, nil) }
      if let key, let position = state.coalescible[key] {
        let index = position - state.departed
        let old = state.items[index]
        state.pendingBytes += item.count - old.count
        state.unacknowledgedBytes += item.charge - old.charge
        state.items[index] = item
        let earlier = CoalescedCount(in: old.bytes[old.payload])?.value ?? 0
        state.items[index].replaced = old.replaced + earlier + 1
        return (true, false, old.onWritten)
      }
      if !state.isWriting, channel.takes(item.count) {
        state.isWriting = true
        state.pendingBytes += item.count
        state.unacknowledgedBytes += item.charge
        return (true, true, nil)
      }
      append(item, &state)
      return (true, false, nil)
    }
    replaced?()
    if isMine { writeAtOnce(item) }
    return isTaken
  }

  /// Adds a notification unless the notification budget is pending already; returns false when it
  /// was left out.
  package func offer(_ message: consuming JSONWriter) -> Bool {
    guard state.withLock({ hasRoom($0) }) else { return false }
    return post(message, isNotification: true)
  }

  /// Notes that the peer has passed on notifications of that number of bytes, or dropped them for
  /// newer ones.
  package func acknowledge(_ bytes: Int) {
    let admitted = state.withLock { state in
      state.unacknowledgedBytes = max(0, state.unacknowledgedBytes - bytes)
      return admitWaiters(&state)
    }
    for waiter in admitted { waiter.resume() }
  }

  /// Adds a notification once less than the notification budget is pending, in the order of the calls.
  ///
  /// A task that is cancelled stops waiting and its message is added at once: the end of an
  /// operation has to be reported.
  @discardableResult
  package func send(_ message: consuming JSONWriter) async -> Bool {
    let item = framed(message, nil, true)
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

  /// Waits until everything is written or the writer has failed; returns false at the deadline.
  package func flush(until deadline: DispatchTime) -> Bool {
    let done = DispatchSemaphore(value: 0)
    state.withLock { state in
      if state.isWriting { state.flushes.append(done) } else { done.signal() }
    }
    return done.wait(timeout: deadline) == .success
  }

  /// Closes the outbox for further messages; all waits end.
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

  /// Frames a message. Called outside of the lock, because it may have to move a large message.
  private func framed(
    _ message: consuming JSONWriter, _ key: String?, _ isNotification: Bool
  ) -> Item {
    let usesHeaders = state.withLock { $0.framing == .headers }
    let count = message.payloadCount
    let sentKey = isRelayed ? key : nil
    let start = usesHeaders ? message.frameWithHeader(key: sentKey) : message.frameAsLine()
    let end = message.bytes.count - (usesHeaders ? 0 : 1)
    return Item(
      bytes: message.bytes, start: start, key: key, payload: end - count..<end,
      charge: isRelayed && isNotification ? count : 0)
  }

  /// Returns the bytes to write of a message, with the number of messages that it has replaced.
  private func bytes(of item: Item) -> ArraySlice<UInt8> {
    guard item.replaced > 0 else { return item.bytes[item.start...] }
    var message = JSONWriter()
    message.append(raw: CoalescedCount.adding(item.replaced, to: item.bytes[item.payload]))
    let counted = framed(message, item.key, false)
    return counted.bytes[counted.start...]
  }

  private func hasRoom(_ state: borrowing State) -> Bool {
    state.pendingBytes < notificationBudget && state.unacknowledgedBytes < notificationBudget
  }

  private func admitWaiters(_ state: inout State) -> [Waiter] {
    var admitted: [Waiter] = []
    while hasRoom(state), let waiter = state.waiters.popFirst() {
      append(waiter.item, &state)
      admitted.append(waiter)
    }
    return admitted
  }

  private static func close(_ state: inout State) -> Deque<Waiter> {
    state.isClosed = true
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
      if (hasRoom(state) && state.waiters.isEmpty) || isCancelled() {
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
    state.unacknowledgedBytes += item.charge
    if state.pendingBytes > replyBudget { state.isStalled = true }
    state.items.append(item)
    guard !state.isWriting else { return }
    state.isWriting = true
    queue.async { self.writeAll() }
  }

  /// Writes a message on the calling thread, when nothing is pending and the kernel has room for a
  /// small message: two thread switches less. The writer continues with messages that were added
  /// meanwhile.
  private func writeAtOnce(_ item: Item) {
    guard channel.write(item.bytes[item.start...]) else { return fail() }
    item.onWritten?()
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
      guard channel.write(bytes(of: item)) else { return fail() }
      item.onWritten?()
      written = item.count
    }
  }

  private func next(after written: Int) -> Item? {
    var admitted: [Waiter] = []
    var wakesReader = false
    let item = state.withLock { state -> Item? in
      state.pendingBytes -= written
      admitted = admitWaiters(&state)
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

  private static func signalFlushes(_ state: inout State) {
    for flush in state.flushes { flush.signal() }
    state.flushes = []
  }
}
