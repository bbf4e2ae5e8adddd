import LibAV

/// The parts of a track to decode for a set of wanted times, each part once.
struct DecodePlan {
  /// One region: decode from a random-access point until the last target is out.
  struct Job {
    /// Decode index of the sample to start from.
    var start: Int
    var targets: [Target]
    /// The number of samples to decode; nil where the index doesn't know it.
    var length: Int?

    /// True for so few frames that threads do best to share each of them.
    var isShort: Bool { length.map { $0 < 3 } ?? false }

    fileprivate mutating func add(_ target: Target, endingWith sample: Int) {
      targets.append(target)
      length = length.map { max($0, sample - start + 1) }
    }
  }

  struct Target {
    /// Position in the caller's list.
    var request: Int
    /// The wanted time, in ticks.
    var time: Int64
    /// The presentation time of the sample that is shown then, if the index knows it.
    var expected: Int64?
  }

  let jobs: [Job]

  /// - Parameter times: (position in the caller's list, time in ticks), in any order.
  init(_ times: [(request: Int, time: Int64)], index: SampleIndex) {
    var jobs: [Job] = []
    for (request, time) in times.sorted(by: { $0.time < $1.time }) {
      guard index.isReliable, let position = index.position(at: time) else {
        // Without trustworthy times only decoding from the start matches every request with its
        // frame.
        let target = Target(request: request, time: time, expected: nil)
        if jobs.last?.start == 0 {
          jobs[jobs.count - 1].targets.append(target)
          jobs[jobs.count - 1].length = nil
        } else {
          jobs.append(Job(start: 0, targets: [target]))
        }
        continue
      }
      let target = Target(
        request: request, time: time, expected: index.sample(atPosition: position).pts)
      let start = index.randomAccessPoint(forPosition: position)
      if jobs.last?.start != start { jobs.append(Job(start: start, targets: [], length: 0)) }
      jobs[jobs.count - 1].add(target, endingWith: Int(index.presentation[position]))
    }
    self.jobs = jobs
  }
}
