public import MediaTime

/// A device that is computed: numbered frames, and a flash and a beep each second.
///
/// Frame n is at n / rate of the device's time. Its top eighth has 16 cells for the bits of n mod 65,536, the highest
/// at the left: luma 235 for 1, else 16. Below it luma is 235 in the first tenth of each second, else 80. Chroma is 128
/// throughout. Sample n of audio is 0.5·sin(2π·1000·(n mod R)/R) in the first tenth of each second, else 0, with R the
/// sample rate.
public struct SyntheticDevice: Sendable, Hashable {
  /// The formats and the faults of a synthetic device. Times are seconds of the device's time, which begins with the
  /// session.
  public struct Settings: Sendable, Hashable {
    /// The width in pixels; width and height are even, from 64 × 48 to 4096 × 2304.
    public var width: Int?
    public var height: Int?
    /// The frame rate in frames a second, above 0 and at most 240.
    public var frameRate = Time(value: 30, timescale: 1)
    public var sampleRate = 48_000
    /// The number of channels, 1 or 2.
    public var channels = 1
    public var hasAudio = true
    public var hasVideo = true
    /// The excess speed of its clock over the session's, in millionths.
    public var driftPPM = 0.0
    /// The maximum error of a sample's time, in milliseconds.
    public var jitterMs = 0.0
    /// The device leaves out each frame whose number is a multiple of this, except frame 0.
    public var dropEvery: Int?
    /// The numbers of frames that are left out.
    public var dropFrames: Set<Int64> = []
    public var unplugAt: Time?
    public var replugAt: Time?
    public var stallAt: Time?
    public var stallFor = Time(value: 1, timescale: 1)
    /// True for a device that doesn't start.
    public var failStart = false
    /// True for a device that another program uses.
    public var isBusy = false
    /// The delay of samples after their times, in milliseconds.
    public var latencyMs = 0.0

    public init() {}
  }

  /// The identifiers of synthetic devices.
  public static let identifiers = (1...9).map { "synthetic:\($0)" }
  static let standardSize = (width: 640, height: 480)

  /// All synthetic devices, as they are without settings.
  public static var devices: [CaptureDevice] { identifiers.compactMap { device($0) } }

  /// Returns the device of an identifier; nil for one that isn't a synthetic device's.
  ///
  /// - Parameter settings: the settings of its input.
  public static func device(_ uniqueID: String, _ settings: Settings = Settings()) -> CaptureDevice?
  {
    guard let number = identifiers.firstIndex(of: uniqueID) else { return nil }
    var formats: [CaptureDevice.Format] = []
    var mediaTypes: [MediaType] = []
    if settings.hasVideo {
      mediaTypes.append(.video)
      let duration = settings.frameDuration
      var format = CaptureDevice.Format(
        index: 0, pixelFormat: "yuv420p", width: settings.width ?? standardSize.width,
        height: settings.height ?? standardSize.height,
        frameDurations: .init(minimum: duration, maximum: duration, values: [duration]))
      format.color = SyntheticPicture.color
      formats.append(format)
    }
    if settings.hasAudio {
      mediaTypes.append(.audio)
      formats.append(
        CaptureDevice.Format(
          index: formats.count, sampleFormat: "f32", sampleRate: settings.sampleRate,
          channels: settings.channels))
    }
    var device = CaptureDevice(
      uniqueID: uniqueID, localizedName: "Synthetic device \(number + 1)", modelID: "synthetic",
      mediaTypes: mediaTypes, transport: .synthetic, formats: formats)
    device.isDefault = number == 0
    device.isInUse = settings.isBusy
    return device
  }
}

extension SyntheticDevice.Settings {
  var frameDuration: Time {
    Time(
      value: Int64(frameRate.timescale), timescale: Int32(clamping: max(1, frameRate.value)))
  }

  /// The problems of the settings.
  public var problems: [EngineError.Problem] {
    var found: [EngineError.Problem] = []
    func require(
      _ isTrue: Bool, _ path: String, _ expected: String, _ got: @autoclosure () -> String
    ) {
      if !isTrue { found.append(.init(path: path, expected: expected, got: got())) }
    }
    for (value, path, range) in [(width, "/width", 64...4096), (height, "/height", 48...2304)] {
      guard let value else { continue }
      require(
        range.contains(value) && value.isMultiple(of: 2), path,
        "an even number from \(range.lowerBound) to \(range.upperBound)", "\(value)")
    }
    require(
      frameRate.isNumeric && frameRate > .zero && frameRate <= Time(value: 240, timescale: 1)
        && frameRate.value <= Int32.max, "/frameRate", "a number above 0, of 240 at most",
      frameRate.secondsDescription)
    require(
      (8000...192_000).contains(sampleRate), "/sampleRate", "a number from 8000 to 192000",
      "\(sampleRate)")
    require((1...2).contains(channels), "/channels", "1 or 2", "\(channels)")
    require(hasAudio || hasVideo, "/video", "audio or video", "neither")
    require(
      (-10_000...10_000).contains(driftPPM), "/driftPPM", "a number from -10000 to 10000",
      "\(driftPPM)")
    require(
      (0...1000).contains(jitterMs), "/jitterMs", "a number from 0 to 1000", "\(jitterMs)")
    require(
      (0...10_000).contains(latencyMs), "/latencyMs", "a number from 0 to 10000", "\(latencyMs)")
    if let dropEvery {
      require(dropEvery >= 1, "/dropEvery", "a number from 1 on", "\(dropEvery)")
    }
    require(
      dropFrames.allSatisfy { $0 >= 0 }, "/dropFrames", "numbers from 0 on",
      "\(dropFrames.min() ?? 0)")
    for (time, path) in [
      (unplugAt, "/unplugAt"), (replugAt, "/replugAt"), (stallAt, "/stallAt"),
      (stallFor, "/stallFor"),
    ] {
      guard let time else { continue }
      require(
        time.isNumeric && time >= .zero, path, "a time from 0 on", time.secondsDescription)
    }
    if let replugAt {
      require(
        unplugAt.map { $0 < replugAt } ?? false, "/replugAt", "a time after unplugAt",
        replugAt.secondsDescription)
    }
    return found
  }
}
