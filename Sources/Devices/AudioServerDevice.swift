import CDevices
import SystemIO

/// A device of an audio server, in the server's description.
package struct AudioServerDevice: Sendable {
  /// The server's name of the device.
  private let name: String
  /// The name for people.
  package let localizedName: String
  package let model: String?
  /// The format of its samples, by FFmpeg's name.
  package let sampleFormat: String?
  package let sampleRate: Int
  package let channels: Int
  package let isDefault: Bool
  /// True while any program uses it.
  package let isInUse: Bool
  /// True for an input that captures the audio that an output plays.
  package let isMonitor: Bool

  private static let scheme = RW_PULSE_SCHEME

  /// The ID of the device, among those of all kinds.
  package var id: String { Self.scheme + name }

  /// Returns the server's name of the device of an ID.
  static func name(ofID id: String) -> String {
    id.hasPrefix(scheme) ? String(id.dropFirst(scheme.count)) : id
  }

  /// Lists the outputs of the server; blocks for two seconds at most.
  ///
  /// - Throws: the reason for which there is no list.
  package static func outputs() throws(DeviceError) -> [AudioServerDevice] {
    try list(areInputs: false)
  }

  /// Lists the inputs of the server; blocks for two seconds at most.
  ///
  /// - Throws: the reason for which there is no list.
  package static func inputs() throws(DeviceError) -> [AudioServerDevice] {
    try list(areInputs: true)
  }

  private static func list(areInputs: Bool) throws(DeviceError) -> [AudioServerDevice] {
    var message = [CChar](repeating: 0, count: 200)
    var devices: UnsafeMutablePointer<rw_pulse_device>?
    var count = 0
    guard
      unsafe rw_pulse_list(
        areInputs ? 1 : 0, &devices, &count, &message, message.count) != 0
    else {
      throw DeviceError(message)
    }
    defer { unsafe rw_pulse_free_devices(devices, count) }
    return unsafe UnsafeBufferPointer(start: devices, count: count).compactMap {
      unsafe AudioServerDevice($0)
    }
  }

  private init?(_ device: rw_pulse_device) {
    guard let name = unsafe Self.text(device.name) else { return nil }
    self.name = name
    unsafe localizedName = Self.text(device.description) ?? name
    unsafe model = Self.text(device.model)
    unsafe sampleFormat = device.sample_format.map { unsafe String(cString: $0) }
    unsafe sampleRate = Int(device.rate)
    unsafe channels = Int(device.channels)
    unsafe isDefault = device.is_default != 0
    unsafe isInUse = device.is_in_use != 0
    unsafe isMonitor = device.is_monitor != 0
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}

extension DeviceError {
  /// - Parameter message: a C string, with a zero at its end.
  init(_ message: [CChar]) {
    let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(reason: String(decoding: bytes, as: UTF8.self))
  }
}
