import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Synchronization
import Terminal

/// Plays files into a WAV file, on a clock that goes as fast as they can be decoded.
struct AudioFileWriting {
  var path: String
  var files: PlaybackFiles
  var rate: Double
  var volume: Double
  var printsEvents: Bool

  /// The time that the clock is moved by at once: cancelling takes effect and progress is shown in between.
  private static let step = Time(value: 10, timescale: 1)

  func run(_ client: EngineClient, _ console: Console) async throws {
    let received = Mutex<[EngineClient.Notification]>([])
    client.observe { notification in
      if notification.isOfPlayback { received.withLock { $0.append(notification) } }
    }
    var hasFailed = false
    var opened: [PlayedFile] = []
    for index in files.names.indices {
      do {
        opened.append(try await files.open(index))
      } catch {
        try Task.checkCancellation()
        console.report(error)
        hasFailed = true
      }
    }
    guard !opened.isEmpty else { throw ExitCode(1) }
    let player = try await client.call(
      PlayerCreate(
        items: opened.map(\.item), isQueue: true, clock: .manual,
        audioDevice: .file(WireAudioFileDevice(path: path)), volume: volume, defaultRate: rate)
    ).player
    _ = try await client.call(PlayerPlay(player: player))
    var progress = Progress(console)
    var isOver = false
    var count = 0
    while !isOver {
      let clock = try await client.call(
        PlayerAdvanceClock(player: player, by: WireTime(Self.step)))
      progress.show(line: Formatting.clock(clock.hostTime.time.seconds, places: 0))
      // All notifications of earlier events have arrived by now.
      isOver = try await client.call(PlayerState(player: player)).currentItem == nil
      for notification in received.withLock({ taken(&$0) }) {
        if printsEvents { try console.print(notification.line) }
        guard let failure = notification.decoded(as: PlayerItemDidFailToPlayToEndTime.self) else {
          continue
        }
        progress.clear()
        console.report(RPCError(failure.error))
        count += 1
      }
    }
    progress.clear()
    // Of no file there is anything to write.
    for file in opened { try await files.damage(of: file).forEach(console.note) }
    guard count < opened.count else { throw ExitCode(1) }
    let file = try await client.call(PlayerFinishAudioFile(player: player))
    let state = try await client.call(PlayerState(player: player))
    let length = Time(value: file.frames, timescale: Int32(state.audio.sampleRate))
    console.note(
      "\(path.printable): \(Formatting.duration(length)), \(Formatting.size(Int64(file.size)))")
    if hasFailed || count > 0 { throw ExitCode(1) }
  }

  private func taken(
    _ list: inout [EngineClient.Notification]
  ) -> [EngineClient.Notification] {
    defer { list = [] }
    return list
  }
}
