/// The samples of a source around the place that is being stretched; samples outside are silence.
struct StretchInput {
  private var planes: [[Float]]
  /// The number of the first sample in `planes`.
  private var origin: Int64 = 0
  /// Samples before this one aren't needed any more.
  private(set) var start: Int64 = 0
  /// The number of the sample that is added next.
  private(set) var end: Int64 = 0
  private(set) var maximumHeld = 0
  /// The samples that there are altogether.
  let count: Int64

  init(channels: Int, count: Int64) {
    planes = Array(repeating: [], count: channels)
    self.count = count
  }

  /// Begins with a later sample than the first. Called before any is added.
  mutating func begin(at number: Int64) { (origin, start, end) = (number, number, number) }

  mutating func append(_ added: [[Float]]) {
    let size = added.first?.count ?? 0
    // Samples that are passed over at high speed aren't stored at all.
    let unneeded = Int(min(Int64(size), max(0, start - end)))
    end += Int64(size)
    if unneeded == size { return }
    if planes[0].isEmpty { origin = end - Int64(size - unneeded) }
    for channel in planes.indices {
      planes[channel].append(contentsOf: added[channel][unneeded...])
    }
    maximumHeld = max(maximumHeld, planes[0].count)
  }

  mutating func discard(before number: Int64) {
    start = max(start, number)
    let unneeded = Int(min(Int64(planes[0].count), max(0, start - origin)))
    // Only now and then, because the remaining samples have to be moved.
    guard unneeded > 0, unneeded >= planes[0].count / 2 else { return }
    for channel in planes.indices { planes[channel].removeFirst(unneeded) }
    origin += Int64(unneeded)
  }

  /// Copies samples of a channel from number `first` on, until `target` is full.
  func copy(_ channel: Int, from first: Int64, into target: inout [Float]) {
    let plane = planes[channel]
    let size = target.count
    let begin = Int(clamping: first - origin)
    let lower = min(size, max(0, -begin))
    let upper = max(lower, min(size, plane.count - begin))
    for place in 0..<lower { target[place] = 0 }
    for place in lower..<upper { target[place] = plane[begin + place] }
    for place in upper..<size { target[place] = 0 }
  }
}
