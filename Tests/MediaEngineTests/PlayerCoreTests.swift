import Foundation
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// The rules of a player's time, without media: random scripts against a simulation that counts ticks.
struct PlayerCoreTests {
  /// The item's time, and all times of a script, are in ticks of 5 ms.
  private static func time(_ ticks: Int) -> Time { Time(value: Int64(5 * ticks), timescale: 1000) }

  private struct Firing: Equatable, CustomStringConvertible {
    /// In microseconds.
    var host: Int64
    var what: String
    var ticks: Int
    var description: String { "\(what) \(ticks) at \(host)" }
  }

  /// A player that moves tick by tick, as slow and simple as can be.
  private struct Simulation {
    var item = 0
    /// Twice the rate.
    var rate = 0
    /// In steps of 10 ms.
    var host = 0
    var duration = 0
    var forwardEnd: Int?
    var reverseEnd: Int?
    var pausesAtEnd = true
    var arrival = 0
    var periodic: [(name: String, interval: Int)] = []
    var boundary: [(name: String, times: [Int])] = []
    var firings: [Firing] = []

    var end: Int { rate > 0 ? forwardEnd ?? duration : reverseEnd ?? 0 }

    mutating func set(rate new: Int) {
      if new != 0, arrival == new.signum(), pausesAtEnd {
        rate = 0
        return
      }
      rate = new
      if new != 0, arrival != new.signum() { arrival = 0 }
      checkEnd(0, 1)
    }

    /// The end may lie before where the item is.
    mutating func checkEnd(_ part: Int, _ of: Int) {
      guard rate != 0, arrival != rate.signum() else { return }
      guard rate > 0 ? item >= end : item <= end else { return }
      arrival = rate.signum()
      note("end", item, part, of)
      if pausesAtEnd { rate = 0 }
    }

    mutating func note(_ what: String, _ ticks: Int, _ part: Int, _ of: Int) {
      let host = Int64(host) * 10_000 + Int64(10_000 * part / of)
      firings.append(Firing(host: host, what: what, ticks: ticks))
    }

    mutating func step() {
      let moves = abs(rate)
      for move in 0..<moves where rate != 0 {
        item += rate.signum()
        for (name, times) in boundary {
          for (index, time) in times.enumerated() where time == item {
            note("\(name).\(index)", item, move + 1, moves)
          }
        }
        for (name, interval) in periodic where item.isMultiple(of: interval) {
          note(name, item, move + 1, moves)
        }
        checkEnd(move + 1, moves)
      }
      host += 1
    }
  }

  private func check(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var simulation = Simulation()
    simulation.duration = Int.random(in: 20...400, using: &random)
    let log = Mutex([PlayerEvent]())
    let item = try readyItem(simulation.duration)
    let player = try Player(items: [], manual) { _ in }
    var core = PlayerCore(isQueue: false, clock: .manual, actionAtItemEnd: .pause) { event in
      log.withLock { $0.append(event) }
    }
    core.queue = [item]
    var names: [ObjectIdentifier: String] = [:]
    var observers: [(name: String, object: TimeObserver)] = []
    for number in 0..<Int.random(in: 4...14, using: &random) {
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        let interval = Int.random(in: 1...30, using: &random)
        let object = core.add(.periodic(interval: Self.time(interval)), of: player)
        names[ObjectIdentifier(object)] = "p\(number)"
        observers.append(("p\(number)", object))
        simulation.periodic.append(("p\(number)", interval))
      case 1:
        let times = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          Int.random(in: -5...(simulation.duration + 20), using: &random)
        }
        let object = core.add(.init(boundaries: times.map(Self.time)), of: player)
        names[ObjectIdentifier(object)] = "b\(number)"
        observers.append(("b\(number)", object))
        simulation.boundary.append(("b\(number)", times))
      case 2:
        guard let place = observers.indices.randomElement(using: &random) else { continue }
        let (name, object) = observers.remove(at: place)
        core.observers.removeAll { $0 === object }
        simulation.periodic.removeAll { $0.name == name }
        simulation.boundary.removeAll { $0.name == name }
      case 3:
        let target = Int.random(in: 0...simulation.duration, using: &random)
        let seek = core.beginSeek(
          to: Self.time(target), before: .zero, after: .zero, isScrubbing: false)
        core.land(seek.seek, .init(time: Self.time(target)))
        (simulation.item, simulation.arrival) = (target, 0)
        simulation.checkEnd(0, 1)
      case 4:
        simulation.pausesAtEnd.toggle()
        core.actionAtItemEnd = simulation.pausesAtEnd ? .pause : .none
        if core.arrival != nil, simulation.pausesAtEnd { core.actAtEnd() }
        if simulation.arrival != 0, simulation.pausesAtEnd { simulation.rate = 0 }
      case 5:
        let end =
          Bool.random(using: &random)
          ? nil : Int.random(in: 0...simulation.duration, using: &random)
        let isForward = Bool.random(using: &random)
        if isForward { simulation.forwardEnd = end } else { simulation.reverseEnd = end }
        item.shared.withLock { state in
          let time = end.map(Self.time) ?? .invalid
          if isForward {
            state.settings.forwardEnd = time
          } else {
            state.settings.reverseEnd = time
          }
        }
        core.endsHaveChanged()
        let limit =
          simulation.arrival > 0
          ? simulation.forwardEnd ?? simulation.duration : simulation.reverseEnd ?? 0
        if simulation.rate == 0, simulation.arrival != 0,
          simulation.arrival > 0 ? simulation.item < limit : simulation.item > limit
        {
          simulation.arrival = 0
        }
        simulation.checkEnd(0, 1)
      default:
        let rate = Int.random(in: -4...6, using: &random)
        simulation.set(rate: rate)
        core.setRate(try #require(PlaybackRate(Double(rate) / 2)))
        _ = core.run(to: core.host, waits: false)
      }
      _ = core.run(to: core.host, waits: false)
      let steps = Int.random(in: 0...60, using: &random)
      for _ in 0..<steps { simulation.step() }
      let target = core.host + ExactTime(reducing: Int128(steps), 100)
      #expect(core.run(to: target, waits: true) == .reached)
      #expect(core.time == Self.time(simulation.item), "seed \(seed)")
    }
    let found = log.withLock(\.self).compactMap { event -> Firing? in
      switch event {
      case .didFire(let observer, _, let fire):
        guard fire.cause == .interval || fire.cause == .boundary else { return nil }
        let name = names[ObjectIdentifier(observer)] ?? "?"
        return Firing(
          host: fire.hostTime.ticks(1_000_000), what: fire.index.map { "\(name).\($0)" } ?? name,
          ticks: Int(fire.time.ticks(200)))
      case .didPlayToEndTime(_, let time, _, let host, _):
        return Firing(host: host.ticks(1_000_000), what: "end", ticks: Int(time.ticks(200)))
      default: return nil
      }
    }
    #expect(found == simulation.firings, "seed \(seed)")
  }

  /// An item without media that is ready.
  private func readyItem(_ duration: Int) throws -> PlayerItem {
    let item = try PlayerItem(asset: MutableComposition().current())
    item.shared.withLock { state in
      state.status = .readyToPlay
      state.facts = ItemFacts(
        presentation: Presentation(
          path: "", tracks: [], pictures: [], metadata: [], tagsAreOfTheFile: false,
          attachments: [], chapters: []),
        tracks: [], video: nil, audio: [], audioMix: nil, timePitch: .timeDomain,
        duration: Self.time(duration), statedDuration: Self.time(duration),
        presentationSize: nil, reverseProblem: nil)
    }
    return item
  }

  /// The picture of a landing that another seek has waited for is sent while scrubbing continues. After another jump it
  /// would be one of the past.
  @Test func aLandingIsShownUntilAnotherJump() throws {
    var core = PlayerCore(isQueue: false, clock: .manual, actionAtItemEnd: .pause) { _ in }
    core.queue = [try readyItem(400)]
    func seek(_ ticks: Int, isScrubbing: Bool = true) -> (seek: Int, revision: Int) {
      core.beginSeek(to: Self.time(ticks), before: .zero, after: .zero, isScrubbing: isScrubbing)
    }
    let first = seek(100)
    let second = seek(200)
    var isFollowed = core.land(first.seek, .init(time: Self.time(100)))
    #expect(isFollowed)
    #expect(core.shows(first.revision) && core.shows(core.revision))
    let third = seek(300)
    #expect(core.shows(first.revision))
    // The seek that follows is cancelled, and the one after it is in flight.
    var cancelled = core.cancelSeeks(second.seek)
    #expect(cancelled == 1)
    #expect(core.shows(first.revision))
    #expect(core.seek?.number == third.seek)
    let other = seek(50, isScrubbing: false)
    #expect(!core.shows(first.revision) && core.shows(other.revision))
    isFollowed = core.land(other.seek, .init(time: Self.time(50)))
    #expect(!isFollowed)
    #expect(core.shows(other.revision))
    // All are cancelled, and scrubbing begins anew.
    let fourth = seek(100)
    _ = seek(200)
    isFollowed = core.land(fourth.seek, .init(time: Self.time(100)))
    #expect(isFollowed)
    cancelled = core.cancelSeeks()
    #expect(cancelled == 1)
    _ = seek(300)
    #expect(!core.shows(fourth.revision))
  }

  private var manual: Player.Configuration {
    var configuration = Player.Configuration()
    configuration.clock = .manual
    return configuration
  }

  /// `REELWIRE_SCRIPTS` sets how many.
  @Test func scriptsAreAsASimulationHasThem() throws {
    let count = ProcessInfo.processInfo.environment["REELWIRE_SCRIPTS"].flatMap(UInt64.init) ?? 3000
    for seed in 1...count { try check(seed: seed) }
  }
}

extension Time {
  /// In whole ticks, downwards.
  fileprivate func ticks(_ timescale: Int32) -> Int64 {
    converted(toTimescale: timescale, rounding: .towardNegativeInfinity).value
  }
}
