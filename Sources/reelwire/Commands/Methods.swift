import ArgumentParser
import EngineClient
import EngineProtocol
import EngineServer
import JSONRPC
import Terminal

/// Lists and explains the methods.
struct Methods: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the methods of the protocol, or explain one.")

  @Argument(help: "The method.", completion: .list(Engine.requests.map { $0.method }))
  var name: String?

  @Flag(help: "Print JSON: the method, or all of them, as in the OpenRPC document.")
  var json = false

  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let document = try await client.call(RpcDiscover.method)
    let catalog = MethodCatalog(document: document)
    let requests = catalog.methods.filter { !$0.isNotification }
    var page = MethodPage(catalog: catalog, style: console.style, columns: 100)
    if console.isTerminal { page.columns = console.columns }
    guard let name else {
      if json { return try console.print(document["methods"] ?? .null) }
      // Lines for `grep` are not wrapped.
      if !console.isTerminal { page.columns = .max }
      return try console.write(page.list(requests))
    }
    let method = try catalog.require(name)
    if json {
      let described = document["methods"].elements.first { $0["name"]?.stringValue == name }
      return try console.print(described ?? .null)
    }
    try console.write(page.text(method))
  }
}

/// Prints the description of the protocol for machines.
struct Schema: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the OpenRPC document of the protocol.")

  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    try console.print(try await client.call(RpcDiscover.method))
  }
}
