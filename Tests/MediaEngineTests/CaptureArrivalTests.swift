import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The arrivals of a device of this machine, whose part the test plays.
struct CaptureArrivalTests {
  private final class Source: CaptureSource {
    private let deliver = Mutex<(@Sendable (CaptureArrival) -> Void)?>(nil)

    func start(
      _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
      deliver: @escaping @Sendable (CaptureArrival) -> Void
    ) async throws(EngineError) {
      self.deliver.withLock { $0 = deliver }
    }

    func stop() async {}

    func bring(_ arrival: CaptureArrival) { deliver.withLock(\.self)?(arrival) }
  }

  private struct Hardware: CaptureHardware {
    let played: [String: Source]

    init(played: Source...) {
      self.played = Dictionary(
        uniqueKeysWithValues: played.enumerated().map { ("\($0.offset)", $0.element) })
    }

    func list(
      _ permission: CaptureDevice.Permission
    ) async -> (devices: [CaptureDevice], unavailable: [(CaptureDevice.Transport, reason: String)])
    {
      ([], [])
    }

    func watch(
      _ permission: CaptureDevice.Permission, changed: @escaping @Sendable () -> Void
    ) async -> (any CaptureHardwareWatch)? {
      nil
    }

    /// The source whose number is the device's model; without one, the first.
    func source(of device: CaptureDevice) throws(EngineError) -> any CaptureSource {
      guard let source = played[device.modelID ?? "0"] else {
        throw EngineError(.deviceNotConnected, "There is no such device")
      }
      return source
    }
  }

  /// A day each: no device counts as stalled or gone while a test runs, however busy the machine is.
  private static let slow = CaptureDevice.FrameDurations(
    minimum: Time(value: 86_400, timescale: 1), maximum: Time(value: 86_400, timescale: 1))

  /// A microphone, which has pictures as well for the sake of their duration.
  private static func microphone(_ name: String) -> CaptureDevice {
    CaptureDevice(
      uniqueID: "pulse:\(name)", localizedName: "Played", mediaTypes: [.audio, .video],
      transport: .pulse,
      formats: [
        .init(index: 0, sampleFormat: "f32", sampleRate: 48_000, channels: 1),
        .init(index: 1, pixelFormat: "gray", width: 16, height: 16, frameDurations: slow),
      ])
  }

  /// Stamps of a device are off by up to 50 ms; the count of the samples decides where a recording ends.
  @Test(arguments: [Time.zero, Time(value: 40, timescale: 1000), Time(value: -40, timescale: 1000)])
  func aMaximumDurationIsExactByTheSamples(off: Time) async throws {
    let source = Source()
    let end = Mutex<CaptureRecordingEnd?>(nil)
    let session = CaptureSession(
      preset: .inputPriority, permissions: [.microphone], devices: Hardware(played: source)
    ) { event in
      if case .didFinishRecording(_, _, _, let found) = event { end.withLock { $0 = found } }
    }
    _ = try await session.configure([
      .addInput(Self.microphone("arrivals:\(off.value)"), .init(), connects: true),
      .addOutput(.audioFile, .init(), connects: true),
    ])
    await session.start(operation: 1)
    let folder = try RecordingFolder()
    let path = folder.file("a.wav")
    let output = try #require(session.state.outputs.first).number
    var settings = RecordingSettings()
    settings.maxRecordedDuration = Time(value: 1, timescale: 1)
    try await session.startRecording(of: output, operation: 2, to: path, settings)
    let sink = try session.sink(output, as: CaptureFileOutput.self, "record")
    let start = session.time
    for number in 0..<200 {
      guard let recording = sink.recording else { break }
      let block = try HeapAllocator().copy([UInt8](repeating: 64, count: 4 * 480).span.bytes)
      // The second half of the stamps is off.
      let time = start + Time(value: Int64(number), timescale: 100) + (number < 50 ? .zero : off)
      source.bring(
        .sample(
          .captured(audio: block, frames: 480, sampleRate: 48_000, channels: 1, at: time), .audio))
      await recording.file.settle()
    }
    try await eventually("the end of the recording") { end.withLock { $0 != nil } }
    let ended = end.withLock { $0 }
    let found = try #require(ended)
    #expect(found.duration == Time(value: 1, timescale: 1))
    #expect(found.tracks.map(\.written) == [48_000])
    let probed = try await succeed([
      "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path,
    ])
    #expect(String(decoding: probed.output, as: UTF8.self) == "48000\n")
    await session.stop(operation: 3)
    await session.close()
  }

  /// The file has all samples of the first maximum when the recording is paused, and not those of the raised one.
  @Test func aRaisedMaximumDurationNeedsItsSamples() async throws {
    let source = Source()
    let session = CaptureSession(
      preset: .inputPriority, permissions: [.microphone], devices: Hardware(played: source)
    ) { _ in }
    _ = try await session.configure([
      .addInput(Self.microphone("raised"), .init(), connects: true),
      .addOutput(.audioFile, .init(), connects: true),
    ])
    await session.start(operation: 1)
    let folder = try RecordingFolder()
    let output = try #require(session.state.outputs.first).number
    var settings = RecordingSettings()
    settings.maxRecordedDuration = Time(value: 60, timescale: 1)
    try await session.startRecording(
      of: output, operation: 2, to: folder.file("a.wav"), settings)
    let sink = try session.sink(output, as: CaptureFileOutput.self, "record")
    let recording = try #require(sink.recording)
    let start = session.time
    let bytes = [UInt8](repeating: 64, count: 4 * 28_800)
    for number in Int64(0)...100 {
      if number == 100 {
        #expect(recording.file.hasAll(ofTrack: 0))
        try session.resumeRecording(of: output, for: Time(value: 120, timescale: 1))
        #expect(!recording.file.hasAll(ofTrack: 0))
      }
      // After the last sample of the minute, and before the maximum: in a pause that doesn't end the recording.
      if number == 99 {
        #expect(recording.pause(at: start + Time(value: 28_799_999, timescale: 480_000)))
      }
      let block = try HeapAllocator().copy(bytes.span.bytes)
      let time = start + Time(value: 6 * number, timescale: 10)
      source.bring(
        .sample(
          .captured(audio: block, frames: 28_800, sampleRate: 48_000, channels: 1, at: time),
          .audio))
      await recording.file.settle()
    }
    #expect(sink.recording === recording)
    await session.stop(operation: 3)
    await session.close()
  }

  @Test func whatNoOutputGetsIsCountedByItsReason() async throws {
    let source = Source()
    let session = CaptureSession(
      preset: .inputPriority, permissions: [.camera], devices: Hardware(played: source)
    ) { _ in }
    let device = CaptureDevice(
      uniqueID: "v4l2:arrivals", localizedName: "Played", mediaTypes: [.video], transport: .v4l2,
      formats: [
        .init(index: 0, pixelFormat: "gray", width: 16, height: 16, frameDurations: Self.slow)
      ])
    _ = try await session.configure([
      .addInput(device, .init(), connects: true), .addOutput(.videoData, .init(), connects: true),
    ])
    await session.start(operation: 1)
    let time = session.time
    source.bring(.leftOut(3, .video, time))
    source.bring(.leftOut(2, .video, time, .outOfBuffers))
    var wanted = CaptureDrops()
    (wanted.discontinuity, wanted.outOfBuffers) = (3, 2)
    #expect(session.state.inputs.map(\.dropped) == [wanted])
    #expect(session.state.outputs.map(\.dropped) == [wanted])
    await session.stop(operation: 2)
    await session.close()
  }

  /// Frames that wait for the first one of another device are more than the encoder's queue holds.
  @Test func framesThatHaveWaitedAreRecorded() async throws {
    let (early, late) = (Source(), Source())
    let end = Mutex<CaptureRecordingEnd?>(nil)
    let session = CaptureSession(
      preset: .inputPriority, permissions: [.camera], devices: Hardware(played: early, late)
    ) { event in
      if case .didFinishRecording(_, _, _, let found) = event { end.withLock { $0 = found } }
    }
    // Their slow frames make the queue as short as it may be.
    func camera(_ number: String) -> CaptureDevice {
      CaptureDevice(
        uniqueID: "v4l2:waiting:\(number)", localizedName: "Played", modelID: number,
        mediaTypes: [.video], transport: .v4l2,
        formats: [
          .init(
            index: 0, pixelFormat: "yuv420p", width: 64, height: 64, frameDurations: Self.slow)
        ])
    }
    _ = try await session.configure([
      .addInput(camera("0"), .init(), connects: true),
      .addInput(camera("1"), .init(), connects: true),
      .addOutput(.movieFile, .init(), connects: true),
    ])
    await session.start(operation: 1)
    let folder = try RecordingFolder()
    let output = try #require(session.state.outputs.first).number
    try await session.startRecording(of: output, operation: 2, to: folder.file("a.mov"))
    let start = session.time
    func bring(_ number: Int64, of source: Source) throws {
      let picture = try SyntheticPicture(width: 64, height: 64)
      let sample = try picture.sample(
        number, isFlash: false, at: start + Time(value: number, timescale: 30),
        duration: Time(value: 1, timescale: 30))
      source.bring(.sample(sample, .video))
    }
    for number in Int64(0)..<100 { try bring(number, of: early) }
    try bring(0, of: late)
    await session.stop(operation: 3)
    let ended = end.withLock { $0 }
    let found = try #require(ended)
    #expect(found.tracks.map(\.written) == [100, 1])
    #expect(found.tracks.map(\.dropped.total) == [0, 0])
    await session.close()
  }
}
