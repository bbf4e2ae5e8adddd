import MediaTime

/// All that changes in a capture session. It is looked at and changed under one lock, and nothing in it waits.
struct CaptureCore {
  /// An input's device while the session runs.
  struct InputRun {
    /// Of a synthetic device.
    var stream: SyntheticStream?
    /// Of a device of this machine.
    var source: (any CaptureSource)?
    var isConnected = true
    var isStalled = false
    /// The time by which the first thing has to come, until it has; nil of an input that was added later.
    var startDeadline: Time?
    /// The last time at which something came, or the device was started.
    var lastArrival: Time
    var frameDuration: Time
    var captured: [MediaType: Int] = [:]
    var dropped = CaptureDrops()
    /// Of the newest sample by media type: times don't go back.
    var lastTime: [MediaType: Time] = [:]
  }

  var configuration: CaptureConfiguration
  let clock: CaptureClock
  var manualTime = Time.zero
  var isRunning = false
  /// True from the beginning of a stop on.
  var isStopping = false
  var isClosed = false
  var start = Time.zero
  var inputs: [Int: InputRun] = [:]
  var sinks: [Int: any CaptureSink] = [:]
  /// The samples that were captured, of all inputs.
  var captured = 0
  /// The client's copy.
  var reported: CaptureStatus

  init(_ configuration: CaptureConfiguration, _ clock: CaptureClock) {
    (self.configuration, self.clock) = (configuration, clock)
    reported = CaptureStatus(configuration)
  }

  /// Gives a sample of an input to all outputs that are connected with it.
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
      // A clock that was set back: the frame is left out, for times in a file rise.
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

  /// Counts what no output gets.
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

  /// The time at which a device that brings nothing counts as stalled, and as gone.
  func stallDeadline(of run: InputRun) -> Time? {
    guard isRunning, run.isConnected else { return nil }
    if run.isStalled, let deadline = run.startDeadline { return deadline }
    let patience =
      run.isStalled
      ? Time(value: 5, timescale: 1)
      : max(Time(value: 1, timescale: 1), run.frameDuration.multiplied(by: 10 as Int32))
    return run.lastArrival + patience
  }

  /// The earliest time at which something is due besides samples.
  var deadline: Time? {
    (inputs.values.map { stallDeadline(of: $0) } + sinks.values.map(\.deadline))
      .compactMap(\.self).min()
  }

  /// The earliest time at which a synthetic device has something.
  var streamDue: ExactTime? { inputs.values.compactMap { $0.stream?.due }.min() }
}
