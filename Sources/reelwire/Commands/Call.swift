import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC

/// Calls methods of the protocol.
struct Call: EngineCommand {
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

      What starts work is answered when it has ended with --wait among its parameters; without, its \
      notifications follow as objects with method and params.
      """)

  @Argument(
    parsing: .allUnrecognized, help: "The method and its parameters.",
    completion: .list(allRequests.map { $0.method }))
  var words: [String]

  @Flag(help: "Be answered when work has ended, in all calls.")
  var wait = false

  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let conversation = try await Conversation(client)
    let notifications = client.notifications()
    var failed = false
    for words in words.split(separator: "+", omittingEmptySubsequences: false) {
      var words = Array(words)
      if wait, conversation.catalog.method(words.first ?? "")?.takesCompletion == true {
        words.append("--wait")
      }
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
    if failed { throw ExitCode(1) }
  }
}
