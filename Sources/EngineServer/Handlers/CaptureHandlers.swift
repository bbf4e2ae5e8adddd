import Devices
import EngineProtocol
import JSONRPC
import MediaEngine

extension Engine {
  /// Registers the handlers of `capture/*`.
  func registerCapture(in router: inout EngineRouter) {
    serve(CaptureAuthorizationStatus.self, authorizationStatus, in: &router)
    serve(CaptureDevices.self, captureDevices, in: &router)
    serve(CaptureObserveDevices.self, observeDevices, in: &router)
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

  @Sendable func observeDevices(
    _ request: CaptureObserveDevices, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await deviceObservation.set(request.isObserving, for: self, context)
    return EmptyResult()
  }

  @Sendable func authorizationStatus(
    _ request: CaptureAuthorizationStatus, _ context: RequestContext
  ) async throws -> CaptureAuthorizationStatus.Result {
    let isAllowed = options.capturePermissions.contains(.init(request.mediaType))
    return CaptureAuthorizationStatus.Result(status: isAllowed ? .authorized : .denied)
  }

  /// Returns the devices that capture: synthetic ones, and those of this machine that the caller is authorized for.
  private func inputDevices(
    of mediaType: WireCaptureMediaType?
  ) async throws -> CaptureDevices.Result {
    var devices: [CaptureDevice] = syntheticPlugs.devices
    var unavailable: [WireUnavailableDevices] = []
    for permission in CaptureDevice.Permission.allCases {
      guard mediaType == nil || mediaType.map(CaptureDevice.Permission.init) == permission
      else { continue }
      guard options.capturePermissions.contains(permission) else {
        unavailable.append(
          WireUnavailableDevices(
            transport: permission.transport,
            reason: "no permission: --allow-capture \(permission.rawValue)"))
        continue
      }
      let found = await options.captureHardware.list(permission)
      devices = found.devices + devices
      unavailable += found.unavailable.map {
        WireUnavailableDevices(
          transport: WireDeviceTransport(rawValue: $0.0.rawValue) ?? .synthetic, reason: $0.reason)
      }
    }
    let wire = devices.map { WireCaptureDevice($0) }.filter { device in
      mediaType.map { device.mediaTypes.contains($0) } ?? true
    }
    return CaptureDevices.Result(
      devices: wire.filter(\.isDefault) + wire.filter { !$0.isDefault }, unavailable: unavailable)
  }

  /// Returns the device of an input.
  ///
  /// - Parameter name: its ID, or `default`, which is the first that isn't synthetic.
  /// - Throws: `deviceNotConnected`, `applicationIsNotAuthorizedToUseDevice`.
  func captureDevice(
    _ name: String, _ settings: CaptureConfiguration.InputSettings,
    default kinds: [CaptureDevice.Permission] = CaptureDevice.Permission.allCases
  ) async throws(EngineError) -> CaptureDevice {
    if let device = SyntheticDevice.device(name, settings.synthetic) { return device }
    let wanted = CaptureDevice.Permission.allCases.filter { permission in
      (name == "default" && kinds.contains(permission))
        || name.hasPrefix(permission.transport.rawValue + ":")
    }
    for permission in wanted {
      guard options.capturePermissions.contains(permission) else {
        if name == "default", kinds.count > 1 { continue }
        throw .notAuthorized(name, permission)
      }
      let found = await options.captureHardware.list(permission).devices
      let device = found.first { name == "default" ? $0.isDefault : $0.uniqueID == name }
      if let device { return device }
    }
    if name == "default", let first = wanted.first,
      options.capturePermissions.isDisjoint(with: wanted)
    {
      throw .notAuthorized(name, first)
    }
    throw EngineError(
      .deviceNotConnected, "There is no device '\(name)'", advice: .chooseDevice)
  }

  private func outputDevices(
    of mediaType: WireCaptureMediaType?
  ) async throws -> CaptureDevices.Result {
    guard mediaType ?? .audio == .audio else {
      return CaptureDevices.Result(devices: [], unavailable: [])
    }
    do {
      let devices = try await DeviceCall.result { () throws(DeviceError) in
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

extension CaptureDevice.Permission {
  init(_ mediaType: WireCaptureMediaType) {
    self =
      switch mediaType {
      case .video: .camera
      case .audio: .microphone
      case .screen: .screen
      }
  }

  var transport: WireDeviceTransport {
    switch self {
    case .camera: .v4l2
    case .microphone: .pulse
    case .screen: .screen
    }
  }
}
