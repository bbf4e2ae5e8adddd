import DequeModule
import LibAV
import MediaTime

/// The search for scenes that are mixed one into the other, and for those that are parted by a frame of one colour.
///
/// In a dissolve the frames between two of different scenes are the mixes of these two. Motion makes no mixes.
/// Between a fade to black and a fade from it the frames have no contrast.
struct GradualChanges {
  /// A change, and the range that it takes.
  struct Found {
    var change: FoundSceneChange
    var range: TimeRange
  }

  private struct Entry {
    let time: Time
    let picture: SmallPicture
  }

  /// A dissolve that the latest frames may be the end of.
  private struct Dissolve {
    var found: Found
    /// The distance of the frames at its ends from each other.
    var distance: Double
    /// The time of the last frame that may belong to it.
    var latest: Time
  }

  /// The durations that are tried, in milliseconds.
  private static let durations = [320, 480, 640, 960, 1280, 1920, 2560].map {
    Time(value: $0, timescale: 1000)
  }
  /// Frames that come faster are left out.
  private static let leastInterval = Time(value: 1, timescale: 51)
  /// Between dissolves.
  private static let pause = Time(value: 1, timescale: 2)
  /// The minimum number of frames of a dissolve.
  private static let leastCount = 8
  /// The minimum contrast of scenes, and the contrast below which frames are of one colour.
  private static let contrast = (scene: 12.0, ofDissolve: 8.0)
  static let flatContrast = 5.0
  /// Ends that are closer, or more similar when motion is followed, are of one scene.
  private static let minimumDistance = 6.0
  private static let leastDifference = 0.4
  /// The maximum distance of a dissolve's frames from the mix, as a part of the distance of its ends.
  private static let tolerance = 0.15
  /// Frames of one scene are correlated more.
  private static let maximumCorrelation = (dissolve: 0.5, fade: 0.6)

  private let leastScore: Double
  private var entries: Deque<Entry> = []
  private var dissolve: Dissolve?
  /// The last frame of a scene.
  private var scene: SmallPicture?
  /// The start of the frames without contrast that follow it.
  private var flatStart: Time?
  /// The time of the frame after them.
  private var flatEnd: Time?
  private var found: [Found] = []

  init(leastScore: Double) { self.leastScore = leastScore }

  var count: Int { found.count }
  var waitingCount: Int { entries.count }

  mutating func add(_ picture: SmallPicture, at time: Time) {
    passFade(picture, at: time)
    if let last = entries.last, time - last.time < Self.leastInterval { return }
    entries.append(Entry(time: time, picture: picture))
    let maximum = Self.durations[Self.durations.count - 1]
    while entries.count > 2, time - entries[1].time >= maximum { entries.removeFirst() }
    if let dissolve, time - dissolve.latest > Self.pause {
      found.append(dissolve.found)
      self.dissolve = nil
    }
    if picture.contrast >= Self.contrast.ofDissolve {
      for duration in Self.durations { look(for: duration, until: entries.count - 1) }
    }
  }

  /// The changes, in the order of their times.
  mutating func finish() -> [Found] {
    if let dissolve { found.append(dissolve.found) }
    dissolve = nil
    return found.sorted { $0.change.time < $1.change.time }
  }

  /// Searches for a dissolve that ends with an entry.
  private mutating func look(for duration: Time, until last: Int) {
    let end = entries[last]
    let first = place(of: end.time - duration)
    guard entries[0].time <= end.time - duration || first > 0, last - first >= Self.leastCount,
      entries[first].picture.contrast >= Self.contrast.ofDissolve
    else { return }
    let start = entries[first]
    let distance = end.picture.distance(from: start.picture)
    guard distance >= Self.minimumDistance, distance > dissolve?.distance ?? 0 else { return }
    let length = (end.time - start.time).seconds
    for quarter in 1...3 {
      let between = entries[first + (last - first) * quarter / 4]
      let rest = between.picture.distance(
        fromMixOf: start.picture, and: end.picture,
        weight: (between.time - start.time).seconds / length)
      guard rest <= Self.tolerance * distance else { return }
    }
    let correlation = end.picture.correlation(with: start.picture)
    guard correlation < Self.maximumCorrelation.dissolve else { return }
    let difference = end.picture.difference(from: start.picture)
    let score = SceneDetector.clarity(difference, correlation)
    guard difference >= Self.leastDifference, score >= leastScore else { return }
    let middle = entries[(first + last + 1) / 2].time
    dissolve = Dissolve(
      found: Found(
        change: FoundSceneChange(time: middle, score: score),
        range: TimeRange(start: start.time, end: end.time)),
      distance: distance, latest: end.time)
  }

  /// The entry that was shown at a time, or the first one.
  private func place(of time: Time) -> Int {
    var (low, high) = (0, entries.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if entries[middle].time <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// Finds a change where another scene follows frames without contrast.
  private mutating func passFade(_ picture: SmallPicture, at time: Time) {
    if picture.contrast < Self.flatContrast {
      if scene != nil, flatStart == nil { flatStart = time }
      flatEnd = nil
      return
    }
    if flatStart != nil, flatEnd == nil { flatEnd = time }
    guard picture.contrast >= Self.contrast.scene else { return }
    if let scene, let start = flatStart, let end = flatEnd {
      let correlation = picture.correlation(with: scene)
      let score = 1 - max(0, correlation)
      if correlation < Self.maximumCorrelation.fade, score >= leastScore {
        found.append(
          Found(
            change: FoundSceneChange(time: end, score: score),
            range: TimeRange(start: start, end: time)))
      }
    }
    (scene, flatStart, flatEnd) = (picture, nil, nil)
  }
}
