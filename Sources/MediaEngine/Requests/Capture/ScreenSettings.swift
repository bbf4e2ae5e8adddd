/// The settings of an input of a screen (AVCaptureScreenInput).
public struct ScreenSettings: Sendable, Hashable {
  /// The part that is captured, in the screen's pixels; nil for all of it.
  public var crop: VideoEncodingSettings.Crop?
  public var capturesCursor = false
  /// The ratio of a frame's size to that of the part, from 0.1 to 4.
  public var scaleFactor = 1.0

  public init() {}

  /// Returns the captured part of a screen with a format.
  package func area(of whole: CaptureDevice.Format) -> VideoEncodingSettings.Crop {
    crop ?? .init(x: 0, y: 0, width: whole.width ?? 0, height: whole.height ?? 0)
  }

  /// Returns the format of the frames of a screen; nil where the part isn't inside it.
  package func format(of whole: CaptureDevice.Format) -> CaptureDevice.Format? {
    let area = area(of: whole)
    guard area.x >= 0, area.y >= 0, area.width > 0, area.height > 0,
      area.x + area.width <= whole.width ?? 0, area.y + area.height <= whole.height ?? 0
    else { return nil }
    var format = whole
    (format.width, format.height) = (scaled(area.width), scaled(area.height))
    return format
  }

  /// Returns a scaled length, even where it isn't the screen's own, as most encoders require.
  private func scaled(_ length: Int) -> Int {
    guard scaleFactor != 1 else { return length }
    return max(2, Int((Double(length) * scaleFactor / 2).rounded()) * 2)
  }
}

extension CaptureConfiguration {
  /// Returns the format of a screen's frames.
  ///
  /// - Throws: `unsupportedOutputSettings` where the part isn't inside the screen.
  func screenFormat(
    _ input: Input, _ whole: CaptureDevice.Format
  ) throws(EngineError) -> CaptureDevice.Format {
    guard let format = input.settings.screen.format(of: whole) else {
      throw EngineError(
        .unsupportedOutputSettings,
        "The crop isn't inside '\(input.device.uniqueID)'",
        advice: .chooseDeviceFormat(input.device.formats.map(\.description)))
    }
    return format
  }

  /// - Throws: `unsupportedOutputSettings` where a device that is no screen has settings of screens.
  func checkScreenSettings(of input: Input) throws(EngineError) {
    guard input.device.transport != .screen, input.settings.screen != ScreenSettings() else {
      return
    }
    throw EngineError(
      .unsupportedOutputSettings, "'\(input.device.uniqueID)' is no screen",
      advice: .leaveOutScreenSettings)
  }

  /// Notes the formats that a device has now.
  mutating func setFormats(_ formats: [CaptureDevice.Format], ofInput number: Int) {
    guard let index = inputs.firstIndex(where: { $0.number == number }) else { return }
    inputs[index].device.formats = formats
    // The device doesn't have the chosen format any more.
    if (try? resolved(inputs[index])) == nil { inputs[index].settings.format = nil }
  }

  /// Notes the formats that the devices of another configuration have.
  mutating func takeFormats(from other: CaptureConfiguration) {
    for input in other.inputs where self.input(input.number)?.device.formats != input.device.formats
    {
      setFormats(input.device.formats, ofInput: input.number)
    }
  }
}
