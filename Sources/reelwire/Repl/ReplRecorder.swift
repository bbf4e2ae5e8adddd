import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Synchronization

/// The recording of a conversation, for lines such as `record out.mp4 microphone` and `stop`.
///
/// Each line is requests of the protocol, on handles that other lines may name too.
final class ReplRecorder: Sendable {
  private struct State {
    var session: CaptureSessionHandle?
    var output: CaptureOutputHandle?
    /// True until the end of the file.
    var isRecording = false
    var start: Time?
    /// The newest levels: their time, and the loudest of all channels in decibels.
    var levels: (time: Time, peak: Double)?
  }

  private let conversation: Conversation
  private let showsTime: Bool
  private let state = Mutex(State())

  /// The interval at which the prompt shows another time.
  private static let interval = Time(value: 1, timescale: 4)

  /// - Parameter showsTime: true for a conversation whose prompt shows ``prompt``.
  init(_ conversation: Conversation, showsTime: Bool) {
    (self.conversation, self.showsTime) = (conversation, showsTime)
  }

  var isRecording: Bool { state.withLock { $0.isRecording } }

  /// The time and the level, as far as they are known; nil while nothing is recorded.
  var prompt: String? {
    state.withLock { state in
      guard state.isRecording else { return nil }
      guard let levels = state.levels, let start = state.start else { return "recording" }
      let time = Formatting.clock(
        max(levels.time - start, .zero).seconds, places: 1, isPadded: true)
      return "recording \(time) \(Int(levels.peak.rounded())) dB"
    }
  }

  // MARK: Lines

  func perform(_ line: CaptureLine) async throws -> JSONValue {
    switch line {
    case .devices(let kind):
      let request =
        kind == .output
        ? CaptureDevices(direction: .output) : CaptureDevices(mediaType: kind?.mediaType)
      return try await conversation.send(request)
    case .record(let file, let devices): return try await record(file, from: devices)
    }
  }

  private func record(_ file: String, from devices: [String]) async throws -> JSONValue {
    guard !isRecording else {
      throw CommandError.usage("Something is recorded already", hint: "stop ends that first.")
    }
    guard file != "-" else {
      throw CommandError.usage(
        "A recording can't go to stdout: its start is written last", hint: "Name a file.")
    }
    try await close()
    let client = conversation.client
    var changes: [WireCaptureChange] = []
    for name in devices { changes.append(try await input(name)) }
    let session = try await client.call(CaptureSessionCreate()).captureSession
    state.withLock { $0.session = session }
    do {
      let isOfAudio = devices.allSatisfy(Self.isOfAudio) || Record.isOfAudio(file)
      changes.append(WireCaptureChange(add: .output, type: isOfAudio ? .audioFile : .movieFile))
      let made = try await client.call(
        CaptureSessionConfigure(captureSession: session, changes: changes))
      guard let output = made.outputs.first else { return .null }
      state.withLock { ($0.output, $0.isRecording) = (output, true) }
      _ = try await client.call(
        CaptureOutputStartRecording(captureOutput: output, outputURL: file))
      let started = try await client.finish(
        CaptureSessionStart(captureSession: session, completion: .response))
      if let error = started.error { throw RPCError(error) }
      if showsTime, made.resolved.contains(where: { $0.mediaType == .audio }) {
        _ = try await client.call(
          CaptureOutputObserveLevels(captureOutput: output, interval: WireTime(Self.interval)))
      }
      return conversation.keep([
        "captureSession": .string(session.rawValue), "captureOutput": .string(output.rawValue),
      ])
    } catch {
      // Its end is that of the line.
      state.withLock { $0.output = nil }
      try await close()
      throw error
    }
  }

  private static func isOfAudio(_ device: String) -> Bool {
    device == CaptureLine.Kind.microphone.rawValue || device.hasPrefix("pulse:")
  }

  private func input(_ name: String) async throws -> WireCaptureChange {
    guard let kind = CaptureLine.Kind(rawValue: name)?.mediaType else {
      return WireCaptureChange(add: .input, device: name)
    }
    let choice = CaptureDeviceChoice(conversation.client, listing: "devices")
    return WireCaptureChange(add: .input, device: try await choice.id("default", kind))
  }

  /// Completes the file; its end is a notification.
  func stop() async throws -> JSONValue {
    guard let session = state.withLock({ $0.session }) else { return .null }
    let request = CaptureSessionStop(captureSession: session, completion: .response)
    let result = try await conversation.send(request)
    try await close()
    return result
  }

  /// Closes the session. One that a line has closed already is left out.
  private func close() async throws {
    let session = state.withLock { state in
      defer { (state.session, state.isRecording) = (nil, false) }
      return state.session
    }
    guard let session else { return }
    do {
      _ = try await conversation.client.call(HandleClose(handle: AnyHandle(session)))
    } catch let error as RPCError where error.code == ErrorCode.unknownHandle.rawValue {}
  }

  // MARK: Notifications

  /// The meaning of a notification to a person.
  enum Meaning {
    /// The prompt shows all of it.
    case prompted
    /// Nothing of the recording is of use.
    case failure(ErrorObject)
    case other
  }

  /// Updates the state of the recording by a notification.
  func take(_ notification: EngineClient.Notification) async -> Meaning {
    if let levels = notification.decoded(as: CaptureOutputDidMeasureLevels.self) {
      return state.withLock { state in
        guard levels.captureOutput == state.output else { return .other }
        state.levels = levels.channels.map(\.peakHoldLevel).max().map { (levels.time.time, $0) }
        return .prompted
      }
    }
    if let start = notification.decoded(as: CaptureOutputDidStartRecording.self) {
      state.withLock { state in
        if start.captureOutput == state.output { state.start = start.startTime.time }
      }
    }
    guard let end = notification.decoded(as: CaptureOutputDidFinishRecording.self),
      state.withLock({ $0.output == end.captureOutput })
    else { return .other }
    // An end without a stop: the device has gone, or the disk is full.
    try? await close()
    state.withLock { $0 = State() }
    guard !end.recordingSuccessfullyFinished, let error = end.error else { return .other }
    return .failure(error)
  }
}
