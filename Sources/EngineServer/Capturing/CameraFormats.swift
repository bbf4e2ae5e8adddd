import Devices
import MediaEngine
import MediaTime

extension Camera {
  /// Returns the connected cameras, and the reasons for which others can't be captured.
  static func list() async -> (
    devices: [CaptureDevice], unavailable: [(CaptureDevice.Transport, reason: String)]
  ) {
    do {
      let found = try await DeviceCall.result { () throws(DeviceError) in CameraDevice.list() }
      var devices = found.devices.map { CaptureDevice($0) }
      if devices.isEmpty, found.problems.isEmpty {
        return ([], [(.v4l2, reason: "there is no camera: none of /dev/video0 to /dev/video63")])
      }
      if !devices.isEmpty { devices[0].isDefault = true }
      return (devices, found.problems.map { (.v4l2, reason: $0) })
    } catch {
      return ([], [(.v4l2, reason: error.reason)])
    }
  }
}

extension CaptureDevice {
  fileprivate init(_ camera: CameraDevice) {
    self.init(
      uniqueID: camera.id, localizedName: camera.localizedName, mediaTypes: [.video],
      transport: .v4l2,
      formats: camera.formats.enumerated().map { Format($1, index: $0) })
    isInUse = camera.isInUse
  }
}

extension CaptureDevice.Format {
  /// The pixel format that JPEGs are decoded to: that of most cameras' JPEGs.
  private static let decodedPixels = "yuv422p"

  fileprivate init(_ format: CameraDevice.Format, index: Int) {
    self.init(
      index: index, pixelFormat: format.pixelFormat ?? Self.decodedPixels, width: format.width,
      height: format.height, frameDurations: .init(format))
    code = format.code
    codec = format.pixelFormat == nil ? "mjpeg" : nil
    color =
      codec == nil
      ? FormatDescription.Color(format.colors)
      : FormatDescription.Color(matrix: "bt470bg", isFullRange: true)
  }
}

extension CaptureDevice.FrameDurations {
  init(_ format: CameraDevice.Format) {
    let durations = format.durations.map { Time($0) }.sorted()
    let least = durations.first ?? Time(value: 1, timescale: 30)
    let wanted = Time(value: 1, timescale: 30)
    self.init(
      minimum: least, maximum: durations.last ?? least, values: format.isRange ? nil : durations,
      // A range may begin with a rate for which the light doesn't suffice.
      usual: format.isRange && least < wanted && wanted <= (durations.last ?? least) ? wanted : nil)
  }
}

extension Time {
  fileprivate init(_ duration: CameraDevice.Duration) {
    let (value, timescale) = (duration.numerator, duration.denominator)
    if let exact = Int32(exactly: timescale) {
      self.init(value: Int64(value), timescale: exact)
    } else {
      self.init(value: Int64(value) * 1_000_000_000 / Int64(timescale), timescale: 1_000_000_000)
    }
  }
}

extension FormatDescription.Color {
  /// Creates the colour by the numbers of linux/videodev2.h; an unstated member has the default of the colour space.
  init(_ colors: CameraDevice.Colors) {
    self.init()
    switch colors.space {
    case 1: (primaries, transfer, matrix) = ("smpte170m", "bt709", "smpte170m")
    case 2: (primaries, transfer, matrix) = ("smpte240m", "smpte240m", "smpte240m")
    case 3: (primaries, transfer, matrix) = ("bt709", "bt709", "bt709")
    case 5: (primaries, transfer, matrix) = ("bt470m", "bt709", "smpte170m")
    case 6: (primaries, transfer, matrix) = ("bt470bg", "bt709", "smpte170m")
    case 7: (primaries, transfer, matrix) = ("bt709", "iec61966-2-1", "smpte170m")
    case 8: (primaries, transfer, matrix) = ("bt709", "iec61966-2-1", "smpte170m")
    case 10: (primaries, transfer, matrix) = ("bt2020", "bt709", "bt2020nc")
    // Their properties are unknown.
    default: return
    }
    isFullRange = colors.space == 7
    transfer =
      [1: "bt709", 2: "iec61966-2-1", 4: "smpte240m", 5: "linear", 7: "smpte2084"][colors.transfer]
      ?? transfer
    matrix =
      [
        1: "smpte170m", 2: "bt709", 3: "smpte170m", 4: "bt709", 6: "bt2020nc", 7: "bt2020c",
        8: "smpte240m",
      ][colors.encoding] ?? matrix
    if colors.quantization == 1 || colors.quantization == 2 {
      isFullRange = colors.quantization == 1
    }
  }
}
