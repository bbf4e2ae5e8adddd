import MediaTime
import Synchronization
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
    let played: Source

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

    func source(of device: CaptureDevice) throws(EngineError) -> any CaptureSource { played }
  }

  @Test func whatNoOutputGetsIsCountedByItsReason() async throws {
    let source = Source()
    let session = CaptureSession(
      preset: .inputPriority, permissions: [.camera], devices: Hardware(played: source)
    ) { _ in }
    // A minute each: no stall while the test runs.
    let durations = CaptureDevice.FrameDurations(
      minimum: Time(value: 60, timescale: 1), maximum: Time(value: 60, timescale: 1))
    let device = CaptureDevice(
      uniqueID: "v4l2:arrivals", localizedName: "Played", mediaTypes: [.video], transport: .v4l2,
      formats: [
        .init(index: 0, pixelFormat: "gray", width: 16, height: 16, frameDurations: durations)
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
}
