import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Other settings of items that are loaded.
struct PlayerSettingsTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  /// The asset of a file, whose loads are counted and can be held.
  private final class HeldAsset: Asset, PresentationSource {
    private struct State {
      var loads = 0
      var held: (reached: Signal<Void>, gate: Signal<Void>)?
    }
    private let file: URLAsset
    private let state = Mutex(State())

    init(_ path: String) { file = URLAsset(url: path) }

    private var content: any PresentationSource { file.media.content }
    var path: String { file.path }
    var properties: AssetProperties { file.properties }
    var media: AssetMedia { AssetMedia(self) }
    var configuration: EngineConfiguration { content.configuration }
    var files: [String] { content.files }
    var prefersPreciseTiming: Bool { content.prefersPreciseTiming }

    /// The loads that have begun.
    var loads: Int { state.withLock(\.loads) }

    /// Holds the next load until `gate` fires; `reached` fires when it has begun.
    func hold() -> (reached: Signal<Void>, gate: Signal<Void>) {
      let held = (reached: Signal<Void>(), gate: Signal<Void>())
      state.withLock { $0.held = held }
      return held
    }

    func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation {
      let held = state.withLock { state in
        state.loads += 1
        return state.held.take()
      }
      if let held {
        held.reached.fire(())
        await held.gate.wait()
      }
      return try await content.loadPresentation(interrupt: interrupt)
    }

    func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation {
      try content.presentation(interrupt: interrupt)
    }

    func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time {
      try content.preciseDuration(interrupt: interrupt)
    }
  }

  private func asset() throws -> HeldAsset {
    HeldAsset(
      try fixtures.make(
        "clip.mp4",
        "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=r=48000:d=2 "
          + "-c:v libx264 -g 25 -pix_fmt yuv420p -c:a pcm_s16le -f mov"))
  }

  private func tracks(_ ids: [Int32]?) -> PlayerItemSettings {
    var settings = PlayerItemSettings()
    settings.enabledTrackIDs = .some(ids)
    return settings
  }

  private func enabled(_ item: PlayerItem) -> [Bool] { item.state.tracks.map(\.isEnabled) }

  /// It continues without a pause.
  @Test func anItemIsLoadedOnceWithOtherSettings() async throws {
    let asset = try asset()
    let item = try PlayerItem(asset: asset)
    let (player, log) = try Player.manual([(item, "a")])
    _ = try await player.play()
    try await player.advance(0.5)
    #expect(asset.loads == 1)
    _ = log.take()
    try await item.set(tracks([1]))
    #expect(item.state.status == .readyToPlay)
    #expect(enabled(item) == [true, false])
    try await player.advance(0.5)
    #expect(log.take() == ["a readyToPlay"])
    #expect(asset.loads == 2)
    #expect(player.state.time == Time(value: 1, timescale: 1))
    // An end needs no loading.
    var end = PlayerItemSettings()
    end.forwardPlaybackEndTime = Time(value: 3, timescale: 2)
    try await item.set(end)
    try await player.advance(1)
    #expect(asset.loads == 2)
    #expect(player.state.time == Time(value: 3, timescale: 2))
    // Nor does the next player, after settings between the two.
    player.close()
    try await item.set(tracks(nil))
    #expect(enabled(item) == [true, true])
    let (other, _) = try Player.manual([(item, "a")])
    try await other.advance(0)
    #expect(asset.loads == 3)
    other.close()
  }

  @Test func otherRequestsDontWaitForTheLoad() async throws {
    let asset = try asset()
    let item = try PlayerItem(asset: asset)
    var configuration = Player.Configuration()
    configuration.clock = .host
    configuration.audioDevice = PlayerAudioDevice.none
    let player = try Player(items: [item], configuration) { _ in }
    await player.runner.withLock(\.self)?.work()
    #expect(item.state.status == .readyToPlay)
    let (video, audio) = (tracks([1]), tracks([2]))
    let held = asset.hold()
    let first = Task { try await item.set(video) }
    await held.reached.wait()
    // The item plays with the settings that it has.
    _ = try await player.play()
    _ = try await player.pause()
    _ = try await player.seek(to: Time(value: 1, timescale: 1))
    await player.runner.withLock(\.self)?.work()
    #expect(!player.state.isSeeking)
    #expect(item.state.status == .readyToPlay)
    #expect(enabled(item) == [true, true])
    // Later settings take effect after the earlier ones.
    let second = Task.immediate { try await item.set(audio) }
    held.gate.fire(())
    try await first.value
    try await second.value
    #expect(enabled(item) == [false, true])
    #expect(asset.loads == 3)
    player.close()
  }

  /// The item stays when its player is closed meanwhile.
  @Test func settingsOfAnItemWhosePlayerIsClosedTakeEffect() async throws {
    let asset = try asset()
    let item = try PlayerItem(asset: asset)
    var configuration = Player.Configuration()
    configuration.clock = .host
    configuration.audioDevice = PlayerAudioDevice.none
    let player = try Player(items: [item], configuration) { _ in }
    await player.runner.withLock(\.self)?.work()
    let video = tracks([1])
    let held = asset.hold()
    let setting = Task { try await item.set(video) }
    await held.reached.wait()
    player.close()
    held.gate.fire(())
    try await setting.value
    #expect(enabled(item) == [true, false])
  }

  /// On a manual clock they do: what follows a request doesn't depend on the time that loading takes.
  @Test func onAManualClockTheOrderIsThatOfTheRequests() async throws {
    let asset = try asset()
    let item = try PlayerItem(asset: asset)
    let (player, log) = try Player.manual([(item, "a")])
    try await player.advance(0)
    _ = log.take()
    let video = tracks([1])
    let held = asset.hold()
    let setting = Task { try await item.set(video) }
    await held.reached.wait()
    let playing = Task.immediate { try await player.play() }
    held.gate.fire(())
    try await setting.value
    _ = try await playing.value
    try await player.advance(0)
    #expect(
      log.take() == [
        "a readyToPlay",
        "0 r0 change: rate 1.0, because setRateCalled, effective 1.0, playing",
      ])
    player.close()
  }

  /// Nothing is changed by settings that are refused.
  @Test func refusedSettingsChangeNothing() async throws {
    let asset = try asset()
    let item = try PlayerItem(asset: asset)
    let (player, log) = try Player.manual([(item, "a")])
    _ = try await player.play()
    try await player.advance(0.5)
    _ = log.take()
    for refused: [Int32] in [[], [99]] {
      await #expect(throws: EngineError.self) { try await item.set(tracks(refused)) }
    }
    try await player.advance(0.5)
    #expect(log.take() == [])
    #expect(enabled(item) == [true, true])
    player.close()
  }
}
