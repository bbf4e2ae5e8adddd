import MediaTime

/// The state of a capture session. It is read and changed under one lock, and nothing in it waits.
struct CaptureCore {
  /// An input's device while the session runs.
  struct InputRun {
    /// The stream of a synthetic device.
    var stream: SyntheticStream?
    /// The source of a device of this machine.
    var source: (any CaptureSource)?
    var isConnected = true
    var isStalled = false
    /// The deadline of the first sample, until it has arrived; nil for an input that was added later.
    var startDeadline: Time?
    /// The time at which the last sample arrived, or the device was started.
    var lastArrival: Time
    var frameDuration: Time
    var captured: [MediaType: Int] = [:]
    var dropped = CaptureDrops()
    /// The time of the newest sample by media type: times never decrease.
    var lastTime: [MediaType: Time] = [:]

    /// Returns the run with the counts of an earlier one since the session's start.
    func continuing(_ earlier: InputRun) -> InputRun {
      var run = self
      run.captured.merge(earlier.captured) { $0 + $1 }
      run.dropped = run.dropped + earlier.dropped
      return run
    }
  }

  var configuration: CaptureConfiguration
  let clock: CaptureClock
  var manualTime = Time.zero
  var isRunning = false
  /// True from the beginning of a stop up to its end: no recording begins.
  var isStopping = false
  var isClosed = false
  var start = Time.zero
  var inputs: [Int: InputRun] = [:]
  var sinks: [Int: any CaptureSink] = [:]
  /// The number of captured samples, of all inputs.
  var captured = 0
  /// The client's copy.
  var reported: CaptureStatus

  init(_ configuration: CaptureConfiguration, _ clock: CaptureClock) {
    (self.configuration, self.clock) = (configuration, clock)
    reported = CaptureStatus(configuration)
  }

  /// Passes a sample of an input to all outputs that are connected with it.
  mutating func distribute(
    _ sample: SampleBuffer, _ mediaType: MediaType, from number: Int, at now: Time
  ) {
    guard isRunning, let input = configuration.input(number) else { return }
    var sample = sample
    if let latency = input.settings.latency {
      sample.presentationTime = sample.presentationTime - latency
    }
    if mediaType == .video, let last = inputs[number]?.lastTime[mediaType],
      sample.presentationTime <= last
    {
      // The device's clock was set back. The frame is left out, because times in a file increase.
      return leaveOut(1, mediaType, at: sample.presentationTime, from: number)
    }
    inputs[number]?.lastTime[mediaType] = sample.presentationTime
    inputs[number]?.captured[mediaType, default: 0] += sample.sampleCount
    inputs[number]?.lastArrival = now
    inputs[number]?.startDeadline = nil
    captured += 1
    for connection in configuration.connections
    where connection.ends.input == number && connection.ends.mediaType == mediaType
      && connection.isEnabled
    {
      sinks[connection.ends.output]?.take(sample, of: connection)
    }
  }

  /// Counts samples that no output gets.
  mutating func leaveOut(
    _ count: Int, _ mediaType: MediaType, _ reason: CaptureDropReason = .discontinuity,
    at time: Time, from number: Int
  ) {
    inputs[number]?.dropped.count(count, reason)
    inputs[number]?.startDeadline = nil
    for connection in configuration.connections
    where connection.ends.input == number && connection.ends.mediaType == mediaType
      && connection.isEnabled
    {
      sinks[connection.ends.output]?.countLeftOut(count, reason, at: time, of: connection)
    }
  }

  /// The outputs that are connected with an input.
  func sinks(of number: Int) -> [any CaptureSink] {
    let outputs = configuration.connections
      .filter { $0.ends.input == number && configuration.isActive($0) }.map(\.ends.output)
    return Set(outputs).compactMap { sinks[$0] }
  }

  /// Returns the time at which a device without samples counts as stalled, and as gone.
  func stallDeadline(of run: InputRun) -> Time? {
    guard isRunning, run.isConnected else { return nil }
    if run.isStalled, let deadline = run.startDeadline { return deadline }
    let timeout =
      run.isStalled
      ? Time(value: 5, timescale: 1)
      : max(Time(value: 1, timescale: 1), run.frameDuration.multiplied(by: 10 as Int32))
    return run.lastArrival + timeout
  }

  /// The earliest deadline other than those of samples.
  var deadline: Time? {
    (inputs.values.map { stallDeadline(of: $0) } + sinks.values.map(\.deadline))
      .compactMap(\.self).min()
  }

  /// The earliest time at which a synthetic device has an item.
  var streamDue: ExactTime? { inputs.values.compactMap { $0.stream?.due }.min() }
}
