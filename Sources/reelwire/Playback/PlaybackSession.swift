import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Synchronization
import Terminal

// All inputs are events, and one task handles one after the other, as in the REPL: notifications, files that were
// opened, keys. So nothing here is locked.

/// The files of a command line as the queue of a player, from the first one to the last one's end.
///
/// Files are opened while those before them play, a few ahead.
final class PlaybackSession {
  enum Event: Sendable {
    case notification(EngineClient.Notification)
    case opened(Result<PlayedFile, any Error>)
    /// Nil at the end of the terminal.
    case bytes([UInt8]?)
    case resized
  }

  let client: EngineClient
  let console: Console
  let player: PlayerHandle
  let panel: PlaybackPanel?
  private let pictures: PlaybackPictures?
  private let files: PlaybackFiles
  private let loops: Bool
  private let beginsPaused: Bool
  private let printsEvents: Bool
  private let events: AsyncStream<Event>
  private let post: @Sendable (Event) -> Void
  private let finish: @Sendable () -> Void
  private let backlog = Backlog()
  /// The last moment of the item's time, until its frame is shown.
  private var moment: TimeObserverDidFire?
  /// The place of the file that is opened next.
  private var next = 0
  private var isOpening = false
  /// The files that are in the player's queue, in their order.
  private var queue: [PlayedFile] = []
  /// The files that have ended, and may be in the player's queue still.
  private var ended: [PlayedFile] = []
  private var hasFailed = false
  private var hasReportedAudio = false
  /// True until a device that was named has been opened: without it nothing is played.
  private var needsAudio: Bool
  /// The item that plays.
  var current: PlayerItemHandle?
  var status: PlaybackStatus
  /// True when no more is to be played.
  var isLeaving = false

  /// The maximum number of files in the queue: the one that plays, the one that is made ready, and one that follows
  /// where that is short.
  private static let depth = 3
  /// More than any file lasts.
  private static let endless = Time(value: 1 << 40, timescale: 1)

  /// Makes the player.
  init(
    _ files: PlaybackFiles, in request: PlayerCreate, loops: Bool, beginsPaused: Bool,
    printsEvents: Bool, panel: PlaybackPanel?, pictures: PlaybackPictures?,
    _ client: EngineClient, _ console: Console
  ) async throws {
    (self.files, self.loops, self.beginsPaused) = (files, loops, beginsPaused)
    (self.printsEvents, self.panel, self.pictures) = (printsEvents, panel, pictures)
    (self.client, self.console) = (client, console)
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    finish = { continuation.finish() }
    post = { [backlog] event in
      backlog.add()
      continuation.yield(event)
    }
    needsAudio = if case .server = request.audioDevice { true } else { false }
    status = PlaybackStatus(rate: request.defaultRate ?? 1, count: files.names.count)
    client.observe({ [post] in post(.notification($0)) }, ended: finish)
    player = try await client.call(request).player
  }

  /// Returns when all has been played, or when the person leaves.
  func run() async throws {
    defer { panel?.leave() }
    panel?.listen({ [post] in post(.bytes($0)) }, resized: { [post] in post(.resized) })
    if let interval = panel == nil ? printsEvents ? Self.second : nil : PlaybackPanel.interval {
      _ = try await client.call(
        PlayerAddPeriodicTimeObserver(player: player, interval: WireTime(interval)))
    }
    // It waits for the first file.
    if !beginsPaused { _ = try await client.call(PlayerPlay(player: player)) }
    openNext()
    for await event in events {
      backlog.take()
      try await take(event)
      if isLeaving { break }
      if isOver { try await end() }
      // A frame that a slow terminal would show too late isn't shown.
      if backlog.isEmpty { try await draw() }
    }
    try Task.checkCancellation()
    if hasFailed { throw ExitCode(1) }
  }

  private static let second = Time(value: 1, timescale: 1)

  private var isOver: Bool {
    queue.isEmpty && current == nil && !isOpening && next == files.names.count
  }

  /// Ends the events after those that have happened.
  private func end() async throws {
    _ = try await client.call(PlayerState(player: player))
    finish()
  }

  // MARK: Events

  private func take(_ event: Event) async throws {
    switch event {
    case .notification(let notification): try await take(notification)
    case .opened(let result): try await take(result)
    case .bytes(let bytes?):
      for key in panel?.keys(bytes) ?? [] { try await press(key) }
    case .bytes(nil): isLeaving = true
    case .resized: try await resize()
    }
  }

  private func take(_ notification: EngineClient.Notification) async throws {
    guard notification.isOfPlayback else { return }
    if printsEvents { try console.print(notification.line) }
    if let change = notification.decoded(as: PlayerDidChange.self) {
      try await take(change.changes)
    } else if let fired = notification.decoded(as: TimeObserverDidFire.self) {
      status.time = fired.time.time
      moment = fired
    } else if let change = notification.decoded(as: PlayerItemDidChange.self) {
      guard let place = queue.firstIndex(where: { $0.item == change.playerItem }) else { return }
      if let duration = change.changes.duration { queue[place].duration = duration.time }
      if let size = change.changes.presentationSize {
        try await pictures?.prepare(change.playerItem, size)
        // While time stands, nothing else asks for it.
        if change.playerItem == current, !isRunning { try await showPicture() }
      }
      try showCurrent()
    } else if let end = notification.decoded(as: PlayerItemDidPlayToEndTime.self) {
      if !isLoopOfOne { leaveQueue(end.playerItem) }
    } else if let failure = notification.decoded(as: PlayerItemDidFailToPlayToEndTime.self) {
      fail(RPCError(failure.error))
      // Not again in a loop.
      if let file = leaveQueue(failure.playerItem), loops {
        ended.removeAll { $0.item == file.item }
      }
    }
  }

  private func take(_ changes: WirePlayerChanges) async throws {
    if let rate = changes.rate { status.desiredRate = rate }
    if let control = changes.timeControlStatus { status.control = control }
    if let isMuted = changes.isMuted { status.isMuted = isMuted }
    if let audio = changes.audio { takeAudio(audio.state, audio.error) }
    if let error = changes.error, changes.status == .failed {
      fail(RPCError(error))
      isLeaving = true
    }
    guard let change = changes.currentItem else { return }
    if case .item(let item) = change {
      (current, status.time) = (item, files.range?.start ?? .zero)
    } else {
      current = nil
    }
    panel?.expectsOther = true
    try showCurrent()
    try await retire()
  }

  /// The files that have ended are closed, or in a loop begin again after the others.
  private func retire() async throws {
    let files = ended.filter { $0.item != current }
    ended.removeAll { $0.item != current }
    for file in files {
      if loops {
        try await insert(file)
      } else {
        pictures?.forget(file.item)
        let damage = try await self.files.damage(of: file)
        if !damage.isEmpty { panel?.clear() }
        damage.forEach(console.note)
        try await self.files.close(file)
      }
    }
    openNext()
  }

  @discardableResult
  private func leaveQueue(_ item: PlayerItemHandle) -> PlayedFile? {
    guard let place = queue.firstIndex(where: { $0.item == item }) else { return nil }
    ended.append(queue.remove(at: place))
    return ended.last
  }

  // MARK: Files

  private var isLoopOfOne: Bool { loops && files.names.count == 1 }

  private func openNext() {
    guard !isOpening, queue.count < Self.depth, next < files.names.count else { return }
    isOpening = true
    let (files, index, post) = (files, next, post)
    next += 1
    Task { post(.opened(await Result { try await files.open(index) })) }
  }

  private func take(_ opened: Result<PlayedFile, any Error>) async throws {
    isOpening = false
    do {
      try await insert(try opened.get())
    } catch {
      try Task.checkCancellation()
      fail(error)
    }
    openNext()
  }

  private func insert(_ file: PlayedFile) async throws {
    guard isLoopOfOne else {
      _ = try await client.call(PlayerInsert(player: player, playerItem: file.item))
      return queue.append(file)
    }
    var request = PlayerLooperCreate(player: player, templateItem: file.item)
    if let range = files.range {
      let duration = file.end.map { $0 - range.start } ?? Self.endless
      request.timeRange = WireTimeRange(TimeRange(start: range.start, duration: duration))
    }
    _ = try await client.call(request)
    queue.append(file)
  }

  // MARK: Showing

  private func showCurrent() throws {
    guard let current else { return }
    let file = (queue + ended).first { $0.item == current }
    (status.name, status.number, status.duration) = (file?.name, file?.number, file?.duration)
    // The last frame of the file before isn't that of one that has none.
    if file?.duration != nil, pictures?.hasPictures(current) != true { try panel?.show(nil) }
  }

  private func draw() async throws {
    if let pictures, let current, let moment, moment.playerItem == current {
      self.moment = nil
      do {
        let picture = try await pictures.next(current, moment, waits: !isRunning)
        if let picture { try panel?.show(picture) }
      } catch is RPCError {
        // It has left the player meanwhile, or has failed, which a notification reports.
      }
    }
    try panel?.draw(status)
  }

  private func resize() async throws {
    panel?.resize()
    guard let pictures else { return }
    try await pictures.resize()
    try await showPicture()
  }

  /// True where frames follow each other.
  private var isRunning: Bool { status.desiredRate != 0 }

  /// Shows the frame of the current time, where it has an output with such a frame.
  private func showPicture() async throws {
    guard let current, let pictures else { return }
    do {
      if let picture = try await pictures.now(current, waits: !isRunning) {
        try panel?.show(picture)
      }
    } catch is RPCError {
      // As when it is drawn.
    }
  }

  private func fail(_ error: any Error) {
    hasFailed = true
    panel?.clear()
    console.report(error)
  }

  private func takeAudio(_ state: WirePlayerAudioStatus, _ error: ErrorObject?) {
    if state == .open { needsAudio = false }
    guard state == .unavailable, let error else { return }
    guard !needsAudio else {
      // It was there when it was looked for.
      fail(RPCError(error))
      return isLeaving = true
    }
    reportAudio(error)
  }

  /// Playback continues without audio, which is worth a line and no failure.
  private func reportAudio(_ error: ErrorObject) {
    guard !hasReportedAudio, !console.isQuiet else { return }
    hasReportedAudio = true
    panel?.clear()
    console.report(RPCError(error))
  }
}

/// The number of events that are waiting.
private final class Backlog: Sendable {
  private let count = Atomic<Int>(0)

  var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  func add() { count.add(1, ordering: .relaxed) }

  func take() { count.subtract(1, ordering: .relaxed) }
}
