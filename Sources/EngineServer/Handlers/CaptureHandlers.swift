import Devices
import EngineProtocol
import JSONRPC

extension Engine {
  /// The functions of `capture/*`.
  func registerCapture(in router: inout Router) {
    serve(CaptureDevices.self, captureDevices, in: &router)
  }

  @Sendable func captureDevices(
    _ request: CaptureDevices, _ context: RequestContext
  ) async throws -> CaptureDevices.Result {
    let mediaType = request.mediaType
    switch request.direction ?? .input {
    case .input: return try await inputDevices(of: mediaType)
    case .output: return try await outputDevices(of: mediaType)
    }
  }

  /// The devices that media comes from: none yet.
  private func inputDevices(
    of mediaType: WireCaptureMediaType?
  ) async throws -> CaptureDevices.Result {
    CaptureDevices.Result(devices: [], unavailable: [])
  }

  private func outputDevices(
    of mediaType: WireCaptureMediaType?
  ) async throws -> CaptureDevices.Result {
    guard mediaType ?? .audio == .audio else {
      return CaptureDevices.Result(devices: [], unavailable: [])
    }
    do {
      let devices = try await AudioServer.call { () throws(AudioServerError) in
        try AudioServerDevice.outputs()
      }
      let (first, others) = (devices.filter(\.isDefault), devices.filter { !$0.isDefault })
      return CaptureDevices.Result(
        devices: (first + others).map { WireCaptureDevice(output: $0) }, unavailable: [])
    } catch {
      let reason = WireUnavailableDevices(transport: .pulse, reason: error.reason)
      return CaptureDevices.Result(devices: [], unavailable: [reason])
    }
  }
}

extension WireCaptureDevice {
  fileprivate init(output device: AudioServerDevice) {
    self.init(
      uniqueID: device.id, localizedName: device.localizedName,
      modelID: device.model, mediaTypes: [.audio], transport: .pulse, isDefault: device.isDefault,
      isInUse: device.isInUse,
      formats: [
        WireDeviceFormat(
          index: 0, mediaType: .audio, sampleFormat: device.sampleFormat,
          sampleRate: device.sampleRate, channels: device.channels)
      ])
  }
}
