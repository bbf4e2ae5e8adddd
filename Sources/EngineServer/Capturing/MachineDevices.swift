import Devices
import MediaEngine
import MediaTime

/// The devices of this machine, in this process.
package struct MachineDevices: CaptureHardware {
  package init() {}

  package func list(
    _ permission: CaptureDevice.Permission
  ) async -> (devices: [CaptureDevice], unavailable: [(CaptureDevice.Transport, reason: String)]) {
    switch permission {
    case .microphone:
      do {
        let found = try await DeviceCall.result { () throws(DeviceError) in
          try AudioServerDevice.inputs()
        }
        return (found.map { CaptureDevice($0) }, [])
      } catch {
        return ([], [(.pulse, reason: error.reason)])
      }
    case .camera: return await Camera.list()
    case .screen:
      do {
        let found = try await DeviceCall.result { () throws(DeviceError) in
          try ScreenDevice.list()
        }
        return (
          found.compactMap { CaptureDevice($0) },
          found.compactMap { screen in
            screen.refusal.map { (.screen, reason: "\(screen.id) can't be captured: \($0)") }
          }
        )
      } catch {
        return ([], [(.screen, reason: error.reason)])
      }
    }
  }

  package func watch(
    _ permission: CaptureDevice.Permission, changed: @escaping @Sendable () -> Void
  ) async -> (any CaptureHardwareWatch)? {
    switch permission {
    case .microphone:
      await DeviceWatch(changed) { stop throws(DeviceError) in try AudioServerChanges(stop: stop) }
    case .screen:
      await DeviceWatch(changed) { stop throws(DeviceError) in try ScreenChanges(stop: stop) }
    case .camera:
      await DeviceWatch(changed) { stop throws(DeviceError) in try CameraChanges(stop: stop) }
    }
  }

  package func source(of device: CaptureDevice) throws(EngineError) -> any CaptureSource {
    switch device.transport {
    case .pulse: return Microphone(device.uniqueID)
    case .screen: return Screen(device)
    case .v4l2: return Camera(device.uniqueID)
    case .synthetic:
      throw EngineError(
        .deviceNotConnected, "There is no device '\(device.uniqueID)'", advice: .chooseDevice)
    }
  }
}

extension CaptureDevice {
  fileprivate init(_ device: AudioServerDevice) {
    self.init(
      uniqueID: device.id, localizedName: device.localizedName, modelID: device.model,
      mediaTypes: [.audio], transport: .pulse,
      formats: [
        // The server converts the device's format to floats.
        Format(
          index: 0, sampleFormat: "f32", sampleRate: device.sampleRate,
          channels: device.channels)
      ])
    (isDefault, isMonitor, isInUse) = (device.isDefault, device.isMonitor, device.isInUse)
  }
}

extension CaptureDevice {
  /// Creates the device of a screen; nil where it can't be captured.
  init?(_ screen: ScreenDevice) {
    guard let pixelFormat = screen.pixelFormat else { return nil }
    let durations = FrameDurations(
      minimum: Time(value: 1, timescale: 120), maximum: Time(value: 1, timescale: 1),
      usual: Time(value: 1, timescale: 30))
    self.init(
      uniqueID: screen.id, localizedName: "Screen \(screen.display).\(screen.number)",
      mediaTypes: [.video], transport: .screen,
      formats: [
        Format(
          index: 0, pixelFormat: pixelFormat, width: screen.width, height: screen.height,
          frameDurations: durations)
      ])
    isDefault = screen.number == 0
  }
}
