import Dispatch
import JSONRPC
import Synchronization
import TestSupport
import Testing

struct LifecycleTests {
  private var sleepRouter: Router {
    var router = Router()
    router.on(Wait.self) { _, _ in
      try await untilCancelled()
      return "slept"
    }
    router.on(Ping.self) { _, _ in EmptyResult() }
    router.onReader(Bye.self) { _, context in context.connection.stop(.exit) }
    return router
  }

  @Test func theEndOfTheInputCancelsAndAnswers() async throws {
    let peer = try TestPeer(sleepRouter)
    for id in 0..<20 { peer.line(request("\(id)", "test/wait")) }
    peer.line(request("20", "ping"))
    #expect(try await peer.nextJSON()["id"] == 20)
    peer.closeOutput()
    var ids: [Int] = []
    while let reply = await peer.next() {
      let json = try JSONValue(parsing: reply)
      #expect(json["error"]?["code"] == -32800)
      ids.append(try #require(json["id"]?.integerValue))
      if ids.count == 20 { break }
    }
    #expect(ids.sorted() == Array(0..<20))
    #expect(await peer.connection.ended() == .endOfInput)
  }

  @Test func halfAMessageAtTheEndIsAnswered() async throws {
    let peer = try TestPeer(sleepRouter)
    peer.send(#"{"jsonrpc":"2.0","id":1,"meth"#)
    peer.closeOutput()
    #expect(try await peer.nextJSON()["error"]?["code"] == -32700)
    #expect(await peer.connection.ended() == .endOfInput)
  }

  @Test func theLastLineNeedsNoEnd() async throws {
    let peer = try TestPeer(sleepRouter)
    peer.send(request("1", "ping"))
    peer.closeOutput()
    #expect(try await peer.nextJSON()["result"] == [:])
  }

  @Test func requestsMayDrainAtTheEnd() async throws {
    let gate = Gate()
    var configuration = ConnectionConfiguration()
    configuration.drainAtEnd = .seconds(3600)
    var router = Router()
    router.on(Wait.self) { _, context in
      await gate.pass()
      return context.isCancelled ? "cancelled" : "done"
    }
    let peer = try TestPeer(router, configuration)
    peer.line(request("1", "test/wait"))
    peer.line("garbage")
    peer.closeOutput()
    #expect(try await peer.nextJSON()["error"]?["code"] == -32700)
    gate.open()
    #expect(try await peer.nextJSON()["result"] == "done")
    #expect(await peer.connection.ended() == .endOfInput)
  }

  @Test func exitEndsBehindWhatCameBefore() async throws {
    let peer = try TestPeer(sleepRouter)
    peer.line(request("1", "test/wait"))
    peer.line(request("2", "ping"))
    peer.line(notification("bye"))
    peer.line(request("3", "ping"))
    let replies = [try await peer.nextJSON(), try await peer.nextJSON()]
    #expect(replies.contains { $0["id"] == 2 && $0["result"] == [:] })
    #expect(replies.contains { $0["id"] == 1 && $0["error"]?["code"] == -32800 })
    #expect(await peer.connection.ended() == .exit)
    peer.close()
  }

  @Test func theEndHookRunsBeforeTheLastBytes() async throws {
    let reasons = Mutex<[Connection.EndReason]>([])
    let holder = Mutex<Connection?>(nil)
    var configuration = ConnectionConfiguration()
    configuration.onEnd = { reason in
      reasons.withLock { $0.append(reason) }
      await holder.withLock { $0 }?.notify(Tick(number: 9))
    }
    let peer = try TestPeer(sleepRouter, configuration)
    holder.withLock { $0 = peer.connection }
    peer.connection.stop()
    #expect(await peer.next() == notification("test/tick", #"{"number":9}"#))
    #expect(await peer.connection.ended() == .requested)
    #expect(reasons.withLock { $0 } == [.requested])
    #expect(await peer.connection.notify(Tick(number: 1)) == false)
    #expect(peer.connection.post(Tick(number: 1)) == false)
    holder.withLock { $0 = nil }
  }

  @Test func handlersThatIgnoreTheEndAreAnsweredFor() async throws {
    var configuration = ConnectionConfiguration()
    configuration.endTimeout = .milliseconds(1)
    let gate = Gate()
    var router = Router()
    router.on(Wait.self) { _, _ in
      await gate.pass()
      return "late"
    }
    let peer = try TestPeer(router, configuration)
    peer.line(request("1", "test/wait"))
    peer.closeOutput()
    #expect(try await peer.nextJSON()["error"]?["code"] == -32800)
    #expect(await peer.connection.ended() == .endOfInput)
    gate.open()
  }

  @Test func aPeerThatReadsNoMoreEndsTheConnection() async throws {
    // Idle: found out without a write.
    let idle = try TestPeer(sleepRouter, reading: false)
    idle.line(request("1", "test/wait"))
    idle.closeInput()
    #expect(await idle.connection.ended() == .outputClosed)
  }

  @Test func aFailingWriteEndsTheConnection() async throws {
    let peer = try TestPeer(sleepRouter, reading: false)
    // More than a pipe holds: the writer is inside of write(2) when the reader goes away.
    peer.connection.post(Tick(number: 1, padding: String(repeating: "x", count: 1 << 20)))
    peer.closeInput()
    #expect(await peer.connection.ended() == .outputClosed)
    #expect(await peer.connection.notify(Tick(number: 2)) == false)
  }

  @Test func endedIsToldToEverybody() async throws {
    let peer = try TestPeer(sleepRouter)
    async let first = peer.connection.ended()
    async let second = peer.connection.ended()
    peer.connection.stop(.exit)
    peer.connection.stop(.requested)
    #expect(await first == .exit)
    #expect(await second == .exit)
    #expect(await peer.connection.ended() == .exit)
  }
}
