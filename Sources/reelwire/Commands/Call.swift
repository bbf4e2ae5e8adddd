import ArgumentParser
import EngineClient
import EngineProtocol
import EngineServer
import JSONRPC

/// Calls methods of the protocol.
struct Call: EngineCommand {
  static let speaksProtocol = true
  static let configuration = CommandConfiguration(
    abstract: "Call methods of the protocol.",
    usage: "reelwire call [<options>] <method> [<parameter> ...] [+ <method> ...]",
    discussion: """
      A parameter is written as

        name=text        a string; times are strings too: time=3.5 time=1001/30000
        name:=json       any JSON: count:=25 keys:='["duration"]'
        name=@file       a file's text; name:=@file its JSON
        name.member=…    a member of a member
        @file, -, '{…}'  all parameters as a JSON object, from a file, stdin or here

      Several calls are parted by +. Handles live as long as the process, and _ is the last result:

        reelwire call asset/open url=clip.mp4 + asset/tracks asset=_.asset

      With --wait, a call that starts work is answered when the work has ended; without, its \
      notifications follow as objects with method and params.
      """)

  @Argument(
    parsing: .allUnrecognized, help: "The method and its parameters.",
    completion: .list(Engine.requests.map { $0.method }))
  var words: [String]

  @Flag(help: "Be answered when the work of a call has ended.")
  var wait = false

  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let conversation = try await Conversation(client)
    let notifications = client.notifications()
    var failed = false
    let calls = words.split(separator: "+", omittingEmptySubsequences: false).map(Array.init)
    func startsWork(_ words: [String]) -> Bool {
      conversation.catalog.method(words.first ?? "")?.takesCompletion == true
    }
    if wait, !calls.contains(where: startsWork) {
      throw CommandError.usage("No call starts work to wait for", hint: "Leave --wait out.")
    }
    for call in calls {
      let words = wait && startsWork(call) ? call + ["--wait"] : call
      let request = try conversation.request(words)
      let result = try await conversation.perform(request.method, request.params)
      failed = failed || result["error"] != nil
      try console.print(result)
    }
    var rest = notifications.makeAsyncIterator()
    while conversation.hasWork, let notification = await rest.next() {
      let ends = conversation.note(notification)
      failed = failed || ends && notification.params["error"] != nil
      try console.print(
        ["method": .string(notification.method), "params": notification.params] as JSONValue)
    }
    try Task.checkCancellation()
    guard !conversation.hasWork else { throw EngineClient.ConnectionClosedError() }
    if failed { throw ExitCode(1) }
  }
}
