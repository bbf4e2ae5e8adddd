import LibAV
import MediaTime
import SystemIO

/// Makes images of a track whose frames have no index, such as those of a video composition.
///
/// Frames are read from the requested time on; the first one is the one that is shown at that time. Times that are
/// close to each other are read in one pass.
struct StreamedImages {
  let track: TrackInfo
  let configuration: ImageGenerator.Configuration
  let output: ImageOutput
  let kind: ImageOutput.Kind
  let interrupt: Interrupt
  let path: String

  /// The maximum distance from the current frame to the next requested time; beyond it, a new pass is faster.
  private static let nearby = Time(value: 2, timescale: 1)

  /// Delivers a result for every frame.
  func run(
    _ frames: [RequestedFrame], renderer: ImageRenderer,
    isolation: isolated (any Actor)? = #isolation, deliver: @escaping ImageDecoder.Deliver
  ) async throws(EngineError) {
    try await track.timeline.prepare(interrupt: interrupt)
    let range = try track.timeline.timeRange(interrupt: interrupt)
    var wanted: [(request: Int, time: Time)] = []
    for (number, frame) in frames.enumerated() {
      switch frame {
      case .first: wanted.append((number, range.start))
      case .shown(let time) where range.contains(time): wanted.append((number, time))
      case .shown(let time): await deliver(number, .failure(noImage(at: time, range)))
      case .sample: await deliver(number, .failure(noNumbers))
      }
    }
    wanted.sort { $0.time < $1.time }
    var current: (frames: any MediaStream<TimedFrame>, shown: TimedFrame)?
    defer { current?.frames.stop() }
    for (request, time) in wanted {
      do throws(EngineError) {
        if let open = current, time - open.shown.timing.start <= Self.nearby {
          current = try await frame(at: time, of: open.frames, after: open.shown)
        } else if let open = current, let restartable = open.frames.restartable {
          current = nil
          try restartable.restart(at: time)
          current = try await frame(at: time, of: open.frames, after: nil)
        } else {
          current?.frames.stop()
          var reading = TrackReading(
            range: TimeRange(start: time, end: range.end), interrupt: interrupt)
          // A frame that can't be decoded is an error, and not an image without it.
          reading.errors = DecodeErrors(track.timeline, range: reading.range)
          reading.deinterlacing = configuration.deinterlaces ? .frame : .none
          let opened = try track.timeline.frames(reading, priority: .interactive)
          current = try await frame(at: time, of: opened, after: nil)
        }
        guard let shown = current?.shown else {
          await deliver(request, .failure(noImage(at: time, range)))
          continue
        }
        let image = try await render(shown, requested: time, by: renderer)
        await deliver(request, .success(image))
      } catch {
        if error.isCancellation { throw error }
        current?.frames.stop()
        current = nil
        await deliver(request, .failure(error))
      }
    }
  }

  /// Reads on to the frame that is shown at a time; nil at the end of the frames.
  private func frame(
    at time: Time, of frames: any MediaStream<TimedFrame>, after last: TimedFrame?,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> (frames: any MediaStream<TimedFrame>, shown: TimedFrame)? {
    var shown = last
    while true {
      if let shown, shown.timing.start + shown.timing.duration > time { return (frames, shown) }
      if interrupt.isTriggered { throw .cancelled("The image") }
      switch try frames.take() {
      case .pending: await frames.wait(interrupt: interrupt, isolation: isolation)
      case .skipped: continue
      case .element(let frame): shown = frame
      case .end:
        frames.stop()
        return nil
      }
    }
  }

  private func render(
    _ shown: TimedFrame, requested: Time, by renderer: ImageRenderer,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> GeneratedImage {
    let moment = ImageMoment(
      requestedTime: requested, actualTime: shown.timing.start, sampleIndex: nil, isExact: true)
    return try await output.destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      let frame = try shown.frame()
      return try renderer.render(
        frame.value, of: shown.format, in: nil, moment: moment, kind: kind, output: output)
    }
  }

  private func noImage(at time: Time, _ range: TimeRange) -> EngineError {
    EngineError(
      .noImageAtTime, "'\(path)' shows nothing at \(time.secondsDescription)",
      advice: .chooseTimeBetween(start: range.start, end: range.end),
      path: path)
  }

  private var noNumbers: EngineError {
    EngineError(
      .operationNotSupportedForAsset,
      "The pictures of '\(path)' have no numbers: they are made of others",
      advice: .requestTimes, path: path)
  }
}
