import DequeModule
import LibAV
import MediaTime

/// The search for scene changes among pictures that come one after the other.
///
/// A picture begins a scene where its difference from the one before it stands out from the differences around it,
/// and none of those that follow shortly is like the one before: that would be a flash. A picture is judged as soon
/// as those after it are known that matter, so that few are kept.
struct SceneDetector {
  /// A scene change, as it is found.
  struct Change: Hashable {
    var time: Time
    var score: Double
  }

  private struct Entry {
    let time: Time
    let picture: SmallPicture
    /// From the picture before.
    let difference: Double
  }

  /// Differences on each side that one is compared with.
  private static let neighbours = 5
  /// The longest flash.
  private static let maximumFlashDuration = Time(value: 1, timescale: 2)
  /// The most pictures of a flash.
  private static let maximumFlash = 48

  /// The least difference of a scene change.
  private let leastDifference: Double
  /// The least part of the difference that isn't explained by those around it.
  private let leastScore: Double
  private let minimumDuration: Time
  private var entries: Deque<Entry> = []
  /// The entry to be judged next.
  private var due = 1
  /// The last change, which a clearer one shortly after it may still replace.
  private var changes: [Change] = []

  /// - Parameter sensitivity: 0 to 1.
  init(sensitivity: Double, minimumDuration: Time) {
    leastDifference = 0.5 - 0.85 * sensitivity + 0.43 * sensitivity * sensitivity
    leastScore = 0.75 - 0.5 * sensitivity
    self.minimumDuration = minimumDuration
  }

  var count: Int { changes.count }
  /// The pictures that are in memory.
  var waitingCount: Int { entries.count }

  /// Takes the next picture.
  mutating func add(_ picture: SmallPicture, at time: Time) {
    let difference = entries.last.map { picture.difference(from: $0.picture) } ?? 0
    entries.append(Entry(time: time, picture: picture, difference: difference))
    while due + Self.neighbours < entries.count, isDecided(due) { judge() }
  }

  /// The scene changes, after the last picture.
  mutating func finish() -> [Change] {
    while due < entries.count { judge() }
    return changes
  }

  /// True where the pictures after one are there that a flash would end among.
  private func isDecided(_ number: Int) -> Bool {
    guard let last = entries.last else { return false }
    return entries.count - number > Self.maximumFlash
      || last.time - entries[number].time >= Self.maximumFlashDuration
      || !isCandidate(number)
  }

  private mutating func judge() {
    let entry = entries[due]
    if isCandidate(due) {
      let score = self.score(of: due)
      if score >= leastScore, !isFlash(due) {
        add(Change(time: entry.time, score: min(1, score)))
      }
    }
    due += 1
    while due > Self.neighbours + 1 {
      entries.removeFirst()
      due -= 1
    }
  }

  private mutating func add(_ change: Change) {
    if let last = changes.last, change.time - last.time < minimumDuration {
      if change.score > last.score { changes[changes.count - 1] = change }
      return
    }
    changes.append(change)
  }

  private func isCandidate(_ number: Int) -> Bool {
    entries[number].difference >= leastDifference
  }

  /// The part of a difference that those around it don't explain: the second largest of them is what motion, and
  /// pictures that are shown repeatedly, lead to.
  private func score(of number: Int) -> Double {
    let difference = entries[number].difference
    var (maximum, second) = (0.0, 0.0)
    let first = max(1, number - Self.neighbours)
    let last = min(entries.count - 1, number + Self.neighbours)
    for other in first...last where other != number {
      let value = entries[other].difference
      if value > maximum {
        (maximum, second) = (value, maximum)
      } else {
        second = max(second, value)
      }
    }
    return 1 - min(1, second / difference)
  }

  /// True where a picture shortly after is like the one before.
  private func isFlash(_ number: Int) -> Bool {
    let before = entries[number - 1].picture
    let limit = entries[number].difference / 2
    var other = number + 1
    while other < entries.count, other - number <= Self.maximumFlash,
      entries[other].time - entries[number].time < Self.maximumFlashDuration
    {
      if entries[other].picture.difference(from: before) < limit { return true }
      other += 1
    }
    return false
  }
}
