import ArgumentParser
import EngineClient
import EngineServer
import Glibc
import Terminal

/// Talks with an engine.
struct Repl: EngineCommand {
  static let speaksProtocol = true
  static let configuration = CommandConfiguration(
    abstract: "Talk with an engine: a line is a request.",
    discussion: """
      A line is written as for 'reelwire call': asset/open url=clip.mp4. JSON needs no quotes, Tab \
      completes, and _ is the last result. 'play clip.mp4' plays, 'record take.mp4 screen microphone' records, \
      and 'help' lists more commands. A line that begins with { is a JSON-RPC message. Ctrl-C cancels the \
      request that is running, Ctrl-D leaves. Without a terminal the lines of stdin are served one after the \
      other, and answers are lines of JSON.
      """)

  enum Pictures: String, CaseIterable, ExpressibleByArgument {
    case auto, kitty, iterm, sixel, blocks, none
  }

  @Option(help: "The way in which pictures are shown.")
  var pictures = Pictures.auto

  @OptionGroup var output: OutputOptions

  /// The user who types 'record' wants to record.
  func configure(_ options: inout Engine.Options) { options.allowCapture() }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let conversation = try await Conversation(client)
    let isDumb = Terminal.variable("TERM") == "dumb"
    if console.isTerminal, !isDumb, let keyboard = ReplKeyboard(console) {
      defer { keyboard.leave() }
      let viewer = pictureProtocol(console).map { PictureViewer($0, console) }
      let session = ReplSession(
        conversation, console, keyboard: keyboard, viewer: viewer,
        showsTimelines: pictures != .none)
      try await session.run()
      await viewer?.close()
    } else {
      try await ReplSession(conversation, console).run()
    }
  }

  private func pictureProtocol(_ console: Console) -> PictureProtocol? {
    switch pictures {
    case .none: nil
    case .auto: console.style.isColored ? PictureProtocol.detected() : nil
    case .kitty: .kitty
    case .iterm: .iterm
    case .sixel: .sixel
    case .blocks: .blocks
    }
  }
}
