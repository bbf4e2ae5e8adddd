import LibAV

/// The parts of a track to decode for a set of wanted times, each part once.
struct DecodePlan {
  /// One region: decode from a random-access point until the last target is out.
  struct Job {
    /// Decode index of the sample to start from.
    var start: Int
    var targets: [Target]
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
        } else {
          jobs.append(Job(start: 0, targets: [target]))
        }
        continue
      }
      let target = Target(
        request: request, time: time, expected: index.sample(atPosition: position).pts)
      let start = index.randomAccessPoint(forPosition: position)
      if jobs.last?.start == start {
        jobs[jobs.count - 1].targets.append(target)
      } else {
        jobs.append(Job(start: start, targets: [target]))
      }
    }
    self.jobs = jobs
  }
}
