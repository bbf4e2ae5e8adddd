import ArgumentParser
import Dispatch
import EngineClient
import EngineProtocol
import Glibc
import JSONRPC
import Terminal

// All inputs are events, and one task handles one after the other: keys, lines, notifications, answers. So nothing
// here is locked, and the output is never mixed up.

/// A conversation with a person, or with the lines of a file.
final class ReplSession {
  private enum Event: Sendable {
    /// Nil at the end of the terminal.
    case bytes([UInt8]?)
    case resized
    case line(String)
    case endOfLines
    case notification(EngineClient.Notification)
    case answered(Result<JSONValue, any Error>)
  }

  /// A request that is unanswered.
  private struct Running {
    var task: Task<Void, Never>
    /// True if its answer comes after its notifications.
    var waits: Bool
  }

  private let conversation: Conversation
  private let player: ReplPlayer
  private let recorder: ReplRecorder
  private let console: Console
  private let keyboard: ReplKeyboard?
  private let viewer: PictureViewer?
  private let showsTimelines: Bool
  private let events: AsyncStream<Event>
  private let post: AsyncStream<Event>.Continuation
  /// Lines that wait for their turn, and keys that were pressed too early.
  private var lines: [String] = []
  private var keys: [Key] = []
  /// Notifications that came before the answer that names their work was shown.
  private var held: [EngineClient.Notification] = []
  private var running: Running?
  /// The progress of work, by its operations.
  private var progress: [String: Double] = [:]
  private var bar: Progress
  private var isOver = false
  private var isLeaving = false
  private var hasFailed = false

  init(
    _ conversation: Conversation, _ console: Console, keyboard: ReplKeyboard? = nil,
    viewer: PictureViewer? = nil, showsTimelines: Bool = false
  ) {
    self.conversation = conversation
    player = ReplPlayer(conversation, showsTime: keyboard != nil)
    recorder = ReplRecorder(conversation, showsTime: keyboard != nil)
    self.console = console
    self.keyboard = keyboard
    self.viewer = viewer
    self.showsTimelines = showsTimelines
    bar = Progress(console)
    (events, post) = AsyncStream.makeStream(of: Event.self)
  }

  /// Returns when the person leaves, or when all lines are served and their work has ended.
  func run() async throws {
    let post = post
    conversation.client.observe({ post.yield(.notification($0)) }, ended: { post.finish() })
    if let keyboard {
      keyboard.listen({ post.yield(.bytes($0)) }, resized: { post.yield(.resized) })
      try keyboard.draw()
    } else {
      Self.readLines(post)
    }
    for await event in events {
      try await take(event)
      try await goOn()
      if isLeaving { break }
      guard isOver, running == nil, lines.isEmpty, !conversation.hasWork else { continue }
      if recorder.isRecording {
        // Nothing else would end it.
        await serve("stop")
        continue
      }
      // After the notifications that have come.
      if !(await player.isPlaying()) { post.finish() }
    }
    running?.task.cancel()
    // Also of a conversation that was cancelled.
    let recorder = recorder
    if recorder.isRecording { _ = await Task { try await recorder.stop() }.result }
    try Task.checkCancellation()
    // A person has seen the failure; a script needs the exit code.
    if hasFailed, keyboard == nil { throw ExitCode(1) }
  }

  /// Lines are read on a thread of their own, for reading waits.
  private static func readLines(_ post: AsyncStream<Event>.Continuation) {
    DispatchQueue(label: "reelwire.lines").async {
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest += buffer[..<count]
        while let end = rest.firstIndex(of: 0x0A) {
          post.yield(.line(String(decoding: rest[..<end], as: UTF8.self)))
          rest.removeSubrange(...end)
        }
      }
      if !rest.isEmpty { post.yield(.line(String(decoding: rest, as: UTF8.self))) }
      post.yield(.endOfLines)
    }
  }

  // MARK: Events

  private func take(_ event: Event) async throws {
    switch event {
    case .bytes(let bytes?): keys += keyboard?.keys(bytes) ?? []
    case .bytes(nil): isLeaving = true
    case .resized: try keyboard?.resize()
    case .line(let line): lines.append(line)
    case .endOfLines: isOver = true
    case .notification(let notification): try await take(notification)
    case .answered(let answer):
      running = nil
      bar.clear()
      await show(answer)
      let early = held
      held = []
      for notification in early { try await take(notification) }
      if let keyboard { try setPrompt(keyboard) }
      try keyboard?.draw()
    }
  }

  /// Serves the waiting keys and lines, as long as nothing is running.
  private func goOn() async throws {
    while !isLeaving {
      if running != nil {
        // Of the keys that are typed meanwhile, only this counts at once.
        if keys.contains(.control("c")) {
          keys = []
          running?.task.cancel()
        }
        return
      } else if !keys.isEmpty {
        try await press(keys.removeFirst())
      } else if !lines.isEmpty {
        await serve(lines.removeFirst())
      } else {
        return
      }
    }
  }

  private func press(_ key: Key) async throws {
    guard let keyboard else { return }
    // The line as it was before the key, for keys that end it.
    let line = keyboard.editor
    switch keyboard.editor.handle(key) {
    case .edited: try keyboard.draw()
    case .submit(let text):
      let after = keyboard.editor
      keyboard.editor = line
      try keyboard.leaveLine()
      keyboard.editor = after
      await serve(text)
      if running == nil, !isLeaving { try keyboard.draw() }
    case .pasted(let lines):
      // The answer to each line is waited for before the next; the last waits for Enter.
      keys.insert(contentsOf: lines.flatMap { [.text($0), .enter] }.dropLast(), at: 0)
    case .complete: try keyboard.complete(try await completion(keyboard.editor.buffer.beforeCursor))
    case .interrupt:
      try keyboard.leaveLine()
      keyboard.editor.reset()
      try keyboard.draw()
    case .end:
      try keyboard.leaveLine()
      isLeaving = true
    case .clearScreen: try keyboard.clearScreen()
    case .suspend: try keyboard.suspend()
    case .ignored: break
    }
  }

  private func completion(_ text: String) async throws -> Completer.Completion {
    let handles = try await conversation.client.call(HandleList()).handles
    return Completer(catalog: conversation.catalog, handles: handles, last: conversation.last)
      .complete(text)
  }

  // MARK: Requests

  private func serve(_ text: String) async {
    do {
      switch try ReplLine(text, conversation) {
      case .nothing: break
      case .leave: isLeaving = true
      case .help(let name): try console.write(help(name))
      case .value(let value): try console.print(value)
      case .request(let request):
        let (method, params) = (request.method, request.params)
        let isWaiting = params["completion"]?.stringValue == WireCompletion.response.rawValue
        start(waits: isWaiting) { try await $0.perform(method, params) }
      case .player(let line):
        let (player, recorder) = (player, recorder)
        start(waits: false) { _ in
          let ends = line == .stop && recorder.isRecording
          return try await ends ? recorder.stop() : player.perform(line)
        }
      case .capture(let line):
        let recorder = recorder
        start(waits: false) { _ in try await recorder.perform(line) }
      case .messages(let messages, let isBatch):
        start(waits: true) { await $0.exchange(messages, isBatch: isBatch) }
      }
    } catch {
      complain(error)
    }
  }

  private func start(
    waits: Bool, _ body: @escaping @Sendable (Conversation) async throws -> JSONValue
  ) {
    let (conversation, post) = (conversation, post)
    bar = Progress(console)
    running = Running(
      task: Task {
        let answer = await Result { try await body(conversation) }
        post.yield(.answered(answer))
      }, waits: waits)
  }

  private func help(_ name: String?) throws -> String {
    var page = MethodPage(catalog: conversation.catalog, style: console.style, columns: 100)
    if console.isTerminal { page.columns = console.columns }
    if let name, let text = PlayerLine.page(name) ?? CaptureLine.page(name) { return text }
    if let name { return page.text(try conversation.catalog.require(name)) }
    return """
      asset/open url=clip.mp4        a request: name=text, name:=JSON, name=@file, --wait
      asset/tracks asset=_.asset     _ is the last result
      _.tracks.0                     shows a part of it
      help asset/open                explains a method; Tab lists them
      play clip.mp4                  plays; then pause, play, seek 3.5, step -1, rate 2,
                                     volume 0.5, next, stop
      record a.mp4 screen microphone records, until 'stop'; 'devices' lists IDs of others
      exit                           leaves, as Ctrl-D does

      """
  }

  // MARK: Showing

  private func show(_ answer: Result<JSONValue, any Error>) async {
    do {
      let result = try answer.get()
      // A notification has no answer.
      if result != .null { try console.print(result) }
      if result["error"] != nil { hasFailed = true }
      if showsTimelines { try showTimeline(of: result) }
      await viewer?.show(result)
    } catch {
      complain(error)
    }
  }

  /// Shows the timeline of a result as a drawing in characters, below it.
  private func showTimeline(of result: JSONValue) throws {
    guard let value = result["timeline"],
      let timeline = try? JSONDecoding.decode(WireCompositionTimeline.self, from: value),
      let lines = TimelineText.lines(timeline, columns: console.columns, style: console.style)
    else { return }
    for line in lines { try console.print(line) }
  }

  private func complain(_ error: any Error) {
    if error is Console.BrokenPipeError { return isLeaving = true }
    hasFailed = true
    console.complain(CommandError(of: error).lines(console.errorStyle))
  }

  private func take(_ notification: EngineClient.Notification) async throws {
    if let running, !running.waits { return held.append(notification) }
    conversation.note(notification)
    if try showPlayback(player.take(notification)) { return }
    switch await recorder.take(notification) {
    case .prompted:
      if let keyboard { return try setPrompt(keyboard) }
    case .failure(let error):
      try keyboard?.erase()
      complain(RPCError(error))
    case .other: break
    }
    if try showProgress(notification) { return }
    if running == nil { try keyboard?.erase() } else { bar.clear() }
    if keyboard == nil {
      try console.print(
        ["method": .string(notification.method), "params": notification.params] as JSONValue)
    } else {
      try console.write(console.style.yellow("← \(notification.method)") + " ")
      try console.print(notification.params)
      await viewer?.show(notification.params)
    }
    if running == nil { try keyboard?.draw() }
  }

  /// Shows a change of the conversation's player; true when that shows all of the notification.
  private func showPlayback(_ meaning: ReplPlayer.Meaning) throws -> Bool {
    switch meaning {
    case .other: return false
    case .prompted: break
    case .failure(let error):
      try keyboard?.erase()
      complain(RPCError(error))
    case .silence(let error):
      guard let keyboard else { return false }
      try keyboard.erase()
      console.complain(CommandError(error).lines(console.errorStyle))
    }
    guard let keyboard else { return false }
    try setPrompt(keyboard)
    if running == nil { try keyboard.draw() }
    return true
  }

  /// On a terminal, shows progress in the prompt, or in a bar while the work is waited for; true when that shows all
  /// of the notification.
  private func showProgress(_ notification: EngineClient.Notification) throws -> Bool {
    guard let keyboard, let operation = notification.params["operation"]?.stringValue else {
      return false
    }
    guard let part = notification.part else {
      if conversation.catalog.terminals.contains(notification.method) {
        progress[operation] = nil
        try setPrompt(keyboard)
      }
      return false
    }
    if running?.waits == true {
      bar.show(part)
    } else {
      progress[operation] = part
      try setPrompt(keyboard)
    }
    return true
  }

  /// Draws it, where it is on the screen and has changed.
  private func setPrompt(_ keyboard: ReplKeyboard) throws {
    let percents = progress.sorted { $0.key < $1.key }.map { "\(Int($0.value * 100)) %" }
    let prompt =
      (["reelwire"] + [player.prompt, recorder.prompt].compactMap(\.self) + percents)
      .joined(separator: " ")
    guard keyboard.prompt != prompt + "> " else { return }
    keyboard.prompt = prompt + "> "
    if running == nil { try keyboard.draw() }
  }
}

extension EngineClient.Notification {
  /// The progress of the work, from 0 to 1, when it reports that.
  fileprivate var part: Double? {
    if case .number(let text)? = params["progress"] { return Double(text) }
    guard let completed = params["completed"]?.integerValue,
      let count = params["count"]?.integerValue, count > 0
    else { return nil }
    return Double(completed) / Double(count)
  }
}

extension Conversation {
  /// Answers messages as the protocol would; null when none of them wants an answer.
  fileprivate func exchange(_ messages: [JSONValue], isBatch: Bool) async -> JSONValue {
    var answers: [JSONValue] = []
    for message in messages {
      if let answer = await exchange(message) { answers.append(answer) }
    }
    return isBatch && !answers.isEmpty ? .array(answers) : answers.first ?? .null
  }

  private func exchange(_ message: JSONValue) async -> JSONValue? {
    func answer(_ name: String, _ value: JSONValue?) -> JSONValue {
      .object([
        .init(key: "jsonrpc", value: "2.0"), .init(key: "id", value: message["id"] ?? .null),
        .init(key: name, value: value ?? .null),
      ])
    }
    guard let method = message["method"]?.stringValue else {
      return answer("error", try? JSONValue(encoding: RPCError.invalidRequest("it has no method")))
    }
    guard message["id"] != nil else {
      do {
        try client.notify(method, message["params"] ?? .null)
        return nil
      } catch {
        return answer("error", try? JSONValue(encoding: error))
      }
    }
    do {
      return answer("result", try await send(method, message["params"] ?? .null))
    } catch let error as RPCError {
      return answer("error", try? JSONValue(encoding: error))
    } catch {
      return answer("error", try? JSONValue(encoding: RPCError.requestCancelled()))
    }
  }
}
