import CDevices
import Glibc
import Synchronization
import SystemIO

/// A camera of Video4Linux.
package struct CameraDevice: Sendable {
  /// A duration of frames, in seconds.
  package struct Duration: Sendable, Hashable {
    package let numerator: Int
    package let denominator: Int

    package init(numerator: Int, denominator: Int) {
      (self.numerator, self.denominator) = (numerator, denominator)
    }
  }

  /// Video4Linux's numbers of the colours of a format; 0 if they aren't stated.
  package struct Colors: Sendable, Hashable {
    package var space: UInt32 = 0
    package var encoding: UInt32 = 0
    package var quantization: UInt32 = 0
    package var transfer: UInt32 = 0

    package init() {}
  }

  package struct Format: Sendable, Hashable {
    /// Video4Linux's four-character code.
    package let code: UInt32
    /// FFmpeg's name of the pixel format; nil for JPEGs.
    package let pixelFormat: String?
    /// The width in pixels; `height` is the height.
    package let width: Int
    package let height: Int
    package let colors: Colors
    /// The minimum and the maximum if `isRange`, else all durations that there are.
    package let durations: [Duration]
    package let isRange: Bool
  }

  package let path: String
  package let localizedName: String
  /// The connection of the device, as the driver states it.
  package let bus: String
  package let isInUse: Bool
  /// The reason for which it can't be captured; nil if it can.
  package let refusal: String?
  package let formats: [Format]
  /// The identifier, which is the same for the same device, even if its number changes.
  package fileprivate(set) var id: String

  private static let numbers = 0..<64

  /// Opens a device and reads its properties; blocks.
  ///
  /// - Returns: nil if it is no camera.
  /// - Throws: errno's code.
  private init?(_ path: String, wantsFormats: Bool) throws(SystemError) {
    let info = UnsafeMutablePointer<rw_camera_info>.allocate(capacity: 1)
    defer { unsafe info.deallocate() }
    let number = unsafe rw_camera_look(path, wantsFormats ? 1 : 0, info)
    if number == ENODEV || number == ENOENT || number == ENXIO { return nil }
    guard number == 0 else { throw SystemError(.errno(number), operation: .open, subject: path) }
    self.path = path
    localizedName = unsafe Self.text(info.pointee.card)
    bus = unsafe Self.text(info.pointee.bus)
    isInUse = unsafe info.pointee.is_in_use != 0
    refusal = unsafe info.pointee.refusal.map { unsafe String(cString: $0) }
    formats = unsafe withUnsafeBytes(of: &info.pointee.formats) { bytes in
      unsafe bytes.bindMemory(to: rw_camera_format.self).prefix(Int(info.pointee.count))
        .map { unsafe Format($0) }
    }
    id = ""
  }

  private static func text<Tuple>(_ tuple: Tuple) -> String {
    unsafe withUnsafeBytes(of: tuple) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

// MARK: - Listing

extension CameraDevice {
  /// The cameras of this machine.
  package struct Listing: Sendable {
    package var devices: [CameraDevice] = []
    /// The reasons for which other cameras can't be captured.
    package var problems: [String] = []
  }

  /// The paths of the devices that were found, by ID.
  private static let known = Mutex<[String: String]>([:])

  /// Lists the cameras; opens every file that may be one; blocks.
  package static func list() -> Listing {
    let listing = list(wantsFormats: true)
    known.withLock { known in
      known = [:]
      for device in listing.devices { known[device.id] = device.path }
    }
    return listing
  }

  /// Returns the present path of a device; blocks.
  ///
  /// - Returns: nil if it isn't there.
  package static func path(ofID id: String) -> String? {
    let names = CameraNames()
    if let path = known.withLock({ $0[id] }),
      let device = try? CameraDevice(path, wantsFormats: false),
      id.hasPrefix(names.id(of: device.path, bus: device.bus))
    {
      return path
    }
    return list(wantsFormats: false).devices.first { $0.id == id }?.path
  }

  /// Returns true while there is a camera of that path; blocks.
  package static func isThere(_ path: String) -> Bool {
    do throws(SystemError) {
      return try CameraDevice(path, wantsFormats: false) != nil
    } catch {
      // A camera that another program uses can't be opened, but is there.
      return true
    }
  }

  private static func list(wantsFormats: Bool) -> Listing {
    var names = CameraNames()
    var listing = Listing()
    for number in numbers {
      let path = "/dev/video\(number)"
      do throws(SystemError) {
        guard var device = try CameraDevice(path, wantsFormats: wantsFormats) else { continue }
        device.id = names.takeID(of: path, bus: device.bus)
        if let refusal = device.refusal {
          listing.problems.append(
            "'\(path)' (\(device.localizedName)) can't be captured: \(refusal)")
          continue
        }
        listing.devices.append(device)
      } catch {
        listing.problems.append("'\(path)' can't be opened: \(reason(error, path))")
      }
    }
    return listing
  }

  private static func reason(_ error: SystemError, _ path: String) -> String {
    switch error.code {
    case .errno(EBUSY): "another program uses it"
    case .errno(EACCES), .errno(EPERM):
      unsafe access(path, R_OK | W_OK) == 0
        ? "it was connected after the process of devices was started"
        : "permission denied; join the group that owns it, usually 'video'"
    case .errno(let number): unsafe String(cString: strerror(number))
    default: "\(error)"
    }
  }
}

/// The IDs of cameras: the names of udev's links, else their connections.
package struct CameraNames: Sendable {
  private static let scheme = "v4l2:"
  /// The names of links, by the paths that they lead to.
  private let links: [String: String]
  private var taken: [String: Int] = [:]

  /// - Parameter folder: the folder of the permanent links.
  package init(folder: String = "/dev/v4l") {
    var links: [String: String] = [:]
    for kind in ["by-path", "by-id"] {
      let path = "\(folder)/\(kind)"
      let reader = try? FolderReader(path: Array(path.utf8), below: [])
      let entries = (try? reader?.entries(interrupt: Interrupt())) ?? []
      let names = entries.map { String(decoding: $0.name, as: UTF8.self) }
      // Of several names of a device the first counts.
      for name in names.sorted(by: >) {
        guard let target = unsafe realpath("\(path)/\(name)", nil) else { continue }
        links[unsafe String(cString: target)] = name
        unsafe free(target)
      }
    }
    self.links = links
  }

  /// Returns the ID of a device that has no twin at its connection.
  package func id(of path: String, bus: String) -> String {
    if let name = links[path] { return Self.scheme + name }
    if !bus.isEmpty { return Self.scheme + bus }
    return Self.scheme + (path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// Returns the ID of the next device, in the order of their numbers: a device may have several
  /// cameras.
  package mutating func takeID(of path: String, bus: String) -> String {
    let id = id(of: path, bus: bus)
    let count = taken[id, default: 0]
    taken[id] = count + 1
    return count == 0 ? id : "\(id)-\(count)"
  }
}

extension CameraDevice.Format {
  fileprivate init(_ format: rw_camera_format) {
    code = unsafe format.fourcc
    pixelFormat = unsafe format.pixel_format.map { unsafe String(cString: $0) }
    (width, height) = unsafe (Int(format.width), Int(format.height))
    var colors = CameraDevice.Colors()
    unsafe colors.space = format.color_space
    unsafe colors.encoding = format.ycbcr_encoding
    unsafe colors.quantization = format.quantization
    unsafe colors.transfer = format.transfer
    self.colors = colors
    isRange = unsafe format.is_range != 0
    let count = unsafe Int(format.duration_count)
    durations = unsafe withUnsafeBytes(of: format.durations) { bytes in
      unsafe bytes.bindMemory(to: rw_camera_duration.self).prefix(count).map {
        CameraDevice.Duration(numerator: Int($0.numerator), denominator: Int($0.denominator))
      }
    }
  }
}
