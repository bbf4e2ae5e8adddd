import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Synchronization
import Terminal

/// A recording of a command line, from its first sample to its file.
final class CaptureRecorder: Sendable {
  private enum Event: Sendable {
    case notification(EngineClient.Notification)
    /// The time to show the progress.
    case tick
  }

  private let client: EngineClient
  private let console: Console
  private let printsEvents: Bool
  private let events: AsyncStream<Event>
  private let post: @Sendable (Event) -> Void
  private let session = Mutex<CaptureSessionHandle?>(nil)
  private let output = Mutex<CaptureOutputHandle?>(nil)
  /// The devices by their inputs.
  private let devices = Mutex<[CaptureInputHandle: String]>([:])
  /// The inputs and the media of the output's connections, in order.
  private let connections = Mutex<[WireCaptureConnection]>([])

  init(_ client: EngineClient, _ console: Console, printsEvents: Bool) {
    (self.client, self.console, self.printsEvents) = (client, console, printsEvents)
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    post = { continuation.yield($0) }
    client.observe({ continuation.yield(.notification($0)) }, ended: { continuation.finish() })
  }

  /// Makes the session, and has it run and record.
  func start(
    _ changes: [WireCaptureChange],
    _ request: (CaptureOutputHandle) -> CaptureOutputStartRecording
  ) async throws {
    let session = try await client.call(CaptureSessionCreate()).captureSession
    self.session.withLock { $0 = session }
    let made = try await client.call(
      CaptureSessionConfigure(captureSession: session, changes: changes))
    guard let output = made.outputs.first else { return }
    let names = changes.filter { $0.add == .input }.map { $0.device ?? "" }
    devices.withLock { $0 = Dictionary(zip(made.inputs, names)) { $1 } }
    connections.withLock { $0 = made.connections.filter { $0.captureOutput == output } }
    self.output.withLock { $0 = output }
    _ = try await client.call(request(output))
    let started = try await client.finish(
      CaptureSessionStart(captureSession: session, completion: .response))
    if let error = started.error { throw RPCError(error) }
    if made.resolved.contains(where: { $0.mediaType == .audio }) {
      _ = try await client.call(
        CaptureOutputObserveLevels(captureOutput: output, interval: WireTime(Self.interval)))
    }
  }

  private static let interval = Time(value: 1, timescale: 4)

  /// Returns when the file is complete: by a limit, by a failure, or by a signal.
  func finish() async throws {
    // The work continues to its proper end when this is cancelled.
    let work = Task { try await untilEnd() }
    let end = try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      Task { try await self.stop() }
    }
    try report(end)
  }

  private func stop() async throws {
    guard let session = session.withLock({ $0 }) else { return }
    _ = try await client.finish(
      CaptureSessionStop(captureSession: session, completion: .response))
  }

  private func untilEnd() async throws -> CaptureOutputDidFinishRecording {
    var progress = Progress(console)
    defer { progress.clear() }
    let isShown = console.progressForm != nil
    let ticker = Task {
      while isShown, !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(250))
        post(.tick)
      }
    }
    defer { ticker.cancel() }
    var level: Double?
    for await event in events {
      switch event {
      case .notification(let notification):
        guard notification.isOfCapture else { continue }
        if let levels = notification.decoded(as: CaptureOutputDidMeasureLevels.self) {
          level = levels.channels.map(\.peakHoldLevel).max()
          continue
        }
        if printsEvents { try console.print(notification.line) }
        if let end = notification.decoded(as: CaptureOutputDidFinishRecording.self) { return end }
        if let interrupted = notification.decoded(as: CaptureSessionWasInterrupted.self) {
          progress.clear()
          let device = interrupted.captureInput.flatMap { input in devices.withLock { $0[input] } }
          let name = device.map { "'\($0)'" } ?? "The device"
          console.complain("\(name) brings nothing (\(interrupted.reason.rawValue))".printable)
        }
      case .tick:
        try await show(&progress, level)
      }
    }
    throw EngineClient.ConnectionClosedError()
  }

  /// `0:12.500  1.2 MB  0 dropped  -12 dB`
  private func show(_ progress: inout Progress, _ level: Double?) async throws {
    guard let session = session.withLock({ $0 }) else { return }
    let state = try await client.call(CaptureSessionState(captureSession: session))
    guard let output = state.outputs.first, let recording = output.recording else { return }
    let drops = output.dropped
    var words = [
      Formatting.clock(recording.recordedDuration.time.seconds, places: 1),
      Formatting.size(recording.recordedFileSize),
      "\(drops.late + drops.outOfBuffers + drops.discontinuity) dropped",
    ]
    if let level { words.append("\(Int(level.rounded())) dB") }
    progress.show(line: words.joined(separator: "  "))
  }

  /// Prints the result of the recording.
  private func report(_ end: CaptureOutputDidFinishRecording) throws {
    let isUsable = end.status == .completed || end.recordingSuccessfullyFinished
    if isUsable, !printsEvents {
      console.note(
        "\(end.outputURL.printable): \(Formatting.duration(end.recordedDuration.time)), "
          + Formatting.size(end.recordedFileSize))
      for track in end.tracks {
        let drops = track.dropped
        let dropped = drops.late + drops.outOfBuffers + drops.discontinuity
        guard dropped > 0 || track.inserted > 0 else { continue }
        let unit = track.mediaType == .audio ? "samples of audio" : "frames"
        console.complain(
          "\(dropped) \(unit) were dropped"
            + (track.inserted > 0 ? ", and \(track.inserted) are silence" : ""))
      }
      DroppedReport.lines(end.dropped ?? []).forEach(console.complain)
    }
    let isWhole = reportMissing(end)
    guard let error = end.error else { return }
    // The limits of the command line.
    let limits = [ErrorCode.maximumDurationReached, .maximumFileSizeReached].map(\.rawValue)
    if isUsable, limits.contains(error.code) {
      guard isWhole else { throw ExitCode(1) }
      return
    }
    console.report(RPCError(error))
    throw ExitCode(1)
  }

  /// Reports the devices that nothing of is in a file.
  ///
  /// - Returns: false where there is one.
  private func reportMissing(_ end: CaptureOutputDidFinishRecording) -> Bool {
    guard end.recordingSuccessfullyFinished else { return true }
    let recorded = Set(end.tracks.map(\.mediaType.rawValue))
    let connections = connections.withLock { $0 }.filter {
      $0.isEnabled && recorded.contains($0.mediaType.rawValue)
    }
    let empty = zip(connections, end.tracks).filter { _, track in
      let drops = track.dropped
      return track.written + drops.late + drops.outOfBuffers + drops.discontinuity == 0
    }
    for (connection, track) in empty {
      let device = devices.withLock { $0[connection.captureInput] } ?? ""
      console.complain(
        "'\(device)' has brought nothing: the file has no \(track.mediaType.rawValue) of it"
          .printable)
    }
    return empty.isEmpty
  }
}

extension EngineClient.Notification {
  /// True for the notifications of a capture session and its outputs.
  fileprivate var isOfCapture: Bool {
    method.hasPrefix("captureSession/") || method.hasPrefix("captureOutput/")
  }
}
