import Devices
import MediaEngine
import MediaTime
import SystemIO

/// A camera, which is reopened when it returns after a disconnection.
final class Camera: CaptureSource {
  private let id: String
  private let thread = DeviceThread()

  init(_ id: String) { self.id = id }

  func start(
    _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
    deliver: @escaping @Sendable (CaptureArrival) -> Void
  ) async throws(EngineError) {
    guard let resolved = formats.first(where: { $0.format.mediaType == .video }) else { return }
    let frames = try CapturedFrames(resolved)
    try await thread.start { [self] stop, started in
      var run: CameraRun?
      do throws(EngineError) {
        run = try open(resolved, frames, stop)
      } catch {
        return started(.failure(error))
      }
      started(.success(()))
      while run?.deliverFrames(to: deliver) == .isGone {
        // The device has to be closed before it can be opened again.
        run = nil
        deliver(.disconnected)
        run = reopen(resolved, frames, stop)
      }
    }
  }

  func stop() async { await thread.end() }

  private func open(
    _ resolved: CaptureConfiguration.Resolved, _ frames: CapturedFrames, _ stop: DeviceStop
  ) throws(EngineError) -> CameraRun {
    guard let path = CameraDevice.path(ofID: id) else { throw gone }
    let format = resolved.format
    let duration = frames.duration
    let camera: CameraCapture
    do throws(CameraCapture.Refusal) {
      camera = try CameraCapture(
        path: path, code: format.code ?? 0, width: format.width ?? 0, height: format.height ?? 0,
        duration: CameraDevice.Duration(
          numerator: Int(duration.value), denominator: Int(duration.timescale)),
        stop: stop)
    } catch {
      throw self.error(error)
    }
    return try CameraRun(camera, at: path, frames, isOfJPEGs: format.codec != nil)
  }

  /// Opens the camera again as soon as it is connected.
  ///
  /// - Returns: nil where the capture was stopped.
  private func reopen(
    _ resolved: CaptureConfiguration.Resolved, _ frames: CapturedFrames, _ stop: DeviceStop
  ) -> CameraRun? {
    while !stop.wait(nanoseconds: CameraRun.second) {
      if let run = try? open(resolved, frames, stop) {
        run.isBack = true
        return run
      }
    }
    return nil
  }

  private var gone: EngineError {
    EngineError(
      .deviceNotConnected, "There is no camera '\(id)'", advice: .chooseDevice)
  }

  private func error(_ refusal: CameraCapture.Refusal) -> EngineError {
    switch refusal.kind {
    case .inUse:
      EngineError(
        .deviceInUseByAnotherApplication, "Another program uses '\(id)'",
        advice: .closeDeviceUser)
    case .isGone: gone
    case .refusesFormat:
      EngineError(
        .unsupportedOutputSettings, "'\(id)' doesn't take the format that it lists",
        advice: .chooseDeviceFormat([]))
    case .failed: .noDevice("'\(id)': \(refusal.reason)")
    }
  }
}
