import DequeModule
import LibAV
import MediaTime

/// A scene change, as it is found.
struct FoundSceneChange: Hashable {
  var time: Time
  var score: Double
}

/// The search for scene changes among consecutive frames.
///
/// A frame begins a scene where its difference from the one before it stands out from the differences around it,
/// and none of those that follow shortly is like the one before, or the other way round: that would be a flash. A
/// frame is judged once the later frames that matter are known, so that few are in memory. Scenes that are mixed one
/// into the other, or parted by a frame of one colour, are found by ``GradualChanges``.
struct SceneDetector {
  private struct Entry {
    let time: Time
    let picture: SmallPicture
    /// From the frame before.
    let difference: Double
  }

  /// Differences on each side that one is compared with.
  private static let neighbours = 5
  /// The duration that a flash can have.
  private static let maximumFlashDuration = Time(value: 1, timescale: 2)
  /// The maximum number of frames of a flash.
  private static let maximumFlash = 48
  /// A smaller difference is no scene change, at any sensitivity.
  private static let leastDifference = 0.05
  /// The minimum difference of most frames of different scenes.
  static let clearDifference = 0.5

  /// The minimum score of a change.
  private let leastScore: Double
  /// The minimum part of the difference that those around it don't explain.
  private let leastShare: Double
  private let minimumDuration: Time
  private var gradual: GradualChanges
  private var entries: Deque<Entry> = []
  /// The entry to be judged next.
  private var due = 1
  private var changes: [FoundSceneChange] = []

  /// - Parameter sensitivity: 0 to 1.
  init(sensitivity: Double, minimumDuration: Time) {
    leastScore = 0.9 - 0.8 * sensitivity
    leastShare = 0.8 - 0.3 * sensitivity
    gradual = GradualChanges(leastScore: leastScore)
    self.minimumDuration = minimumDuration
  }

  var count: Int { changes.count + gradual.count }
  /// The number of frames that are in memory.
  var waitingCount: Int { entries.count + gradual.waitingCount }

  /// Adds the next frame.
  mutating func add(_ picture: SmallPicture, at time: Time) {
    let difference = entries.last.map { picture.difference(from: $0.picture) } ?? 0
    entries.append(Entry(time: time, picture: picture, difference: difference))
    gradual.add(picture, at: time)
    while due + Self.neighbours < entries.count, isDecided(due) { judge() }
  }

  /// The scene changes, after the last frame.
  mutating func finish() -> [FoundSceneChange] {
    while due < entries.count { judge() }
    let cuts = changes
    var place = 0
    for change in gradual.finish() {
      // A gradual change with a cut in it is explained by the cut.
      while place < cuts.count, cuts[place].time < change.range.start { place += 1 }
      if place < cuts.count, cuts[place].time <= change.range.end { continue }
      changes.append(change.change)
    }
    let all = changes.sorted { $0.time < $1.time }
    changes = []
    for change in all { add(change) }
    return changes
  }

  /// True where the frames after one are there that a flash would end among.
  private func isDecided(_ number: Int) -> Bool {
    guard let last = entries.last else { return false }
    return entries.count - number > Self.maximumFlash
      || last.time - entries[number].time >= Self.maximumFlashDuration
      || entries[number].difference < Self.leastDifference
  }

  private mutating func judge() {
    if entries[due].difference >= Self.leastDifference, let score = score(of: due), !isFade(due),
      !isFlash(due)
    {
      add(FoundSceneChange(time: entries[due].time, score: score))
    }
    due += 1
    while due > Self.neighbours + 1,
      due > Self.maximumFlash || entries[due - 1].time - entries[0].time > Self.maximumFlashDuration
    {
      entries.removeFirst()
      due -= 1
    }
  }

  /// Adds a change; of changes that are too close together the clearest remains.
  private mutating func add(_ change: FoundSceneChange) {
    if let last = changes.last, change.time - last.time < minimumDuration {
      if change.score > last.score { changes[changes.count - 1] = change }
      return
    }
    changes.append(change)
  }

  /// The score of a change; nil where it is none.
  ///
  /// It is the part of the difference that those around it don't explain: the second greatest of them is the one to which
  /// motion, and frames that are shown repeatedly, lead.
  private func score(of number: Int) -> Double? {
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
    let share = 1 - min(1, second / difference)
    guard share >= leastShare else { return nil }
    let correlation = entries[number].picture.correlation(with: entries[number - 1].picture)
    let score = share * Self.clarity(difference, correlation)
    return score >= leastScore ? score : nil
  }

  /// The certainty that frames are of different scenes, from 0 to 1.
  static func clarity(_ difference: Double, _ correlation: Double) -> Double {
    min(1, difference * (1 - max(0, correlation)) / clearDifference)
  }

  /// True where a frame comes of one without contrast, or becomes one, in several steps.
  private func isFade(_ number: Int) -> Bool {
    let (before, after) = (entries[number - 1].picture, entries[number].picture)
    if before.contrast < GradualChanges.flatContrast {
      let last = min(entries.count - 1, number + Self.neighbours)
      return entries[last].picture.contrast > Self.fading * after.contrast
    }
    if after.contrast < GradualChanges.flatContrast {
      let first = max(0, number - 1 - Self.neighbours)
      return entries[first].picture.contrast > Self.fading * before.contrast
    }
    return false
  }

  /// The minimum ratio of contrasts that are five frames apart, on either side of a fade's step.
  private static let fading = 1.7

  /// True where a flash begins or ends: a frame shortly after is like the one before, or one shortly before like this
  /// one.
  private func isFlash(_ number: Int) -> Bool {
    let (before, entry) = (entries[number - 1], entries[number])
    let limit = entry.difference / 2
    let last = min(entries.count, number + Self.maximumFlash)
    for other in entries[number + 1..<max(number + 1, last)] {
      guard other.time - entry.time < Self.maximumFlashDuration else { break }
      if other.picture.difference(from: before.picture) < limit { return true }
    }
    let first = max(0, number - Self.maximumFlash)
    for other in entries[first..<number - 1].reversed() {
      guard before.time - other.time < Self.maximumFlashDuration else { break }
      if entry.picture.difference(from: other.picture) < limit { return true }
    }
    return false
  }
}
