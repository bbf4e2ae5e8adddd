import Foundation
import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import EngineServer
@testable import MediaEngine

/// A player whose audio goes to a PulseAudio with a null sink, of whose monitor it is recorded.
@Suite(.serialized, .enabled(if: SoundServer.isInstalled, "PulseAudio isn't installed"))
struct PlayerDeviceTests {
  /// The monitor of a busy machine's server has gaps of its own: a recording may lack samples, but none is another, and
  /// none comes twice. One without gaps is all of the file.
  @Test func whatIsHeardIsWhatIsPlayed() async throws {
    let server = try await SoundServer()
    let path = try await server.noise("a.wav", seconds: 1.5)
    let all = try await server.decoded(path).frames
    var attempts = 0
    for _ in 1...4 {
      let recording = try server.record()
      var configuration = Player.Configuration()
      configuration.clock = .audio
      configuration.outputs = ServerOutputs()
      let item = try PlayerItem(asset: URLAsset(url: path))
      let events = AsyncStream<PlayerEvent>.makeStream()
      let player = try Player(items: [item], configuration) { events.continuation.yield($0) }
      _ = try await player.play()
      for await event in events.stream { if case .didPlayToEndTime = event { break } }
      let state = player.state
      player.close()
      let heard = try await recording.finish().frames.filter { $0 != .zero }
      // Playback goes on without a server that is slow to answer.
      guard state.clock == .audio else { continue }
      #expect(state.audio.state == .open)
      attempts += 1
      _ = try Self.place(of: heard, in: all)
      if heard == all.filter({ $0 != .zero }) { break }
    }
    #expect(attempts > 0)
    await server.stop()
  }

  /// Pictures are sent when they are due by the server's clock.
  @Test func picturesFollowWhatIsHeard() async throws {
    let server = try await SoundServer()
    let path = "\(server.folder)/a.mkv"
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=60", "-f", "lavfi",
      "-i", "sine=r=48000:d=60", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "flac", path,
    ])
    var configuration = Player.Configuration()
    configuration.clock = .audio
    configuration.outputs = ServerOutputs()
    let item = try PlayerItem(asset: URLAsset(url: path))
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 100_000
    _ = try VideoOutput(item: item, settings)
    let sent = Mutex(0)
    let player = try Player(items: [item], configuration) { event in
      if case .didOutput = event { sent.withLock { $0 += 1 } }
    }
    _ = try await player.play()
    // A server that is slow to answer is tried again.
    try await eventually("the clock is the server's") { player.state.clock == .audio }
    try await eventually("pictures") { sent.withLock(\.self) >= 5 }
    player.close()
    await server.stop()
  }

  /// Outputs of the server, with the ring of the last one.
  private final class KnownOutputs: AudioOutputs {
    let ring = Mutex<AudioRing?>(nil)

    func open(
      device: String?, sampleRate: Int, channels: Int
    ) async throws(EngineError) -> any AudioOutput {
      let output = try await ServerOutputs().open(
        device: device, sampleRate: sampleRate, channels: channels)
      ring.withLock { $0 = output.ring }
      return output
    }
  }

  /// The output and the player wake each other where audio has moved, and rest between: each answered the other at
  /// once, 100,000 times a second.
  @Test func theOutputRestsBetweenItsReads() async throws {
    let server = try await SoundServer()
    let outputs = KnownOutputs()
    var configuration = Player.Configuration()
    configuration.clock = .audio
    configuration.outputs = outputs
    let item = try PlayerItem(asset: URLAsset(url: try await server.noise("a.wav", seconds: 60)))
    let player = try Player(items: [item], configuration) { _ in }
    _ = try await player.play()
    try await eventually("a second of audio") { player.state.audio.framesPlayed >= 48_000 }
    let opened = outputs.ring.withLock(\.self)
    let ring = try #require(opened)
    let seconds = Double(try #require(ring.clock.heard)) / 48_000
    #expect(Double(ring.change) < 1000 * seconds)
    player.close()
    await server.stop()
  }

  /// Requires that samples are a file's, in order and each at most once; returns the number of the one after the last.
  private static func place(
    of heard: [SIMD2<Float>], in all: [SIMD2<Float>]
  ) throws -> Int {
    var next = 0
    for frame in heard {
      while next < all.count, all[next] != frame { next += 1 }
      try #require(next < all.count, "a sample that isn't the file's, or comes again")
      next += 1
    }
    return next
  }

  /// Playback waits where the bytes of its audio don't come, and continues with the next sample.
  @Test func audioWaitsForItsBytes() async throws {
    let server = try await SoundServer()
    let noise = try await server.noise("a.wav", seconds: 100)
    let path = "\(server.folder)/a.mov"
    try await succeed(
      ["ffmpeg", "-v", "error", "-i", noise, "-c", "copy", "-movflags", "+faststart", path])
    let held = HeldBytes(try contents(of: path), limit: 512 << 10)
    let recording = try server.record()
    var configuration = Player.Configuration()
    configuration.clock = .audio
    configuration.outputs = ServerOutputs()
    let item = try PlayerItem(asset: URLAsset(resource: held.resource("held.mov")))
    let events = AsyncStream<PlayerEvent>.makeStream()
    let player = try Player(items: [item], configuration) { events.continuation.yield($0) }
    var iterator = events.stream.makeAsyncIterator()
    _ = try await player.play()
    var stalled = Time.invalid
    while let event = await iterator.next() {
      guard case .didStall(_, let time, _, _) = event else { continue }
      stalled = time
      break
    }
    #expect(player.state.reasonForWaitingToPlay == .toMinimizeStalls)
    _ = try await player.addBoundaryTimeObserver(at: [stalled + Time(value: 1, timescale: 5)])
    held.open()
    while let event = await iterator.next() { if case .didFire = event { break } }
    let all = try await server.decoded(path).frames
    try await eventually("a recording of what comes after the stall") {
      let heard = try recording.samples.frames.filter { $0 != .zero }
      return try Self.place(of: heard, in: all) > Int(stalled.seconds * 48000)
    }
    player.close()
    _ = try await recording.finish()
    await server.stop()
  }

  /// Playback continues by the system's clock while there is no server, and comes back to it.
  @Test func theServerMayDie() async throws {
    let server = try await SoundServer()
    let path = try await server.noise("a.wav", seconds: 600)
    var configuration = Player.Configuration()
    configuration.clock = .audio
    configuration.outputs = ServerOutputs()
    let changes = AsyncStream<PlayerChanges>.makeStream()
    let player = try Player(
      items: [try PlayerItem(asset: URLAsset(url: path))], configuration
    ) { event in
      if case .didChange(let change, _, _) = event { changes.continuation.yield(change) }
    }
    var iterator = changes.stream.makeAsyncIterator()
    _ = try await player.play()
    while let change = await iterator.next() { if change.effectiveRate == 1 { break } }
    try await eventually("the clock is the server's") { player.state.clock == .audio }
    let before = player.state.time
    await server.kill()
    while let change = await iterator.next() {
      guard change.clock == .host else { continue }
      #expect(change.audio?.state == .unavailable)
      #expect(change.audio?.error?.code == .mediaServicesWereReset)
      break
    }
    let state = player.state
    #expect(state.effectiveRate == 1)
    #expect(state.timeControlStatus == .playing)
    #expect(state.time >= before)
    try server.restart()
    while let change = await iterator.next() {
      guard change.clock == .audio else { continue }
      #expect(change.audio?.state == .open)
      break
    }
    while let change = await iterator.next() { if change.effectiveRate == 1 { break } }
    #expect(player.state.time >= state.time)
    player.close()
    await server.stop()
  }
}

extension [Float] {
  /// The pairs of samples of both channels, copied at once: recordings have millions.
  fileprivate var frames: [SIMD2<Float>] {
    withUnsafeBytes { bytes in
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count & ~7)])
      return [SIMD2<Float>](whole.assumingMemoryBound(to: SIMD2<Float>.self))
    }
  }
}
