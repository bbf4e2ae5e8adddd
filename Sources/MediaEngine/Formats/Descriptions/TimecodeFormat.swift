import LibAV
public import MediaTime

extension FormatDescription {
  /// The interpretation of a timecode track's numbers (CMTimeCodeFormatDescription).
  public struct Timecode: Sendable, Hashable {
    /// The duration of a frame; invalid if it is unknown.
    public var frameDuration: Time
    /// The number of frames that a second is counted in: 30 for 29.97; 0 if it is unknown.
    public var frameQuanta: Int
    public var flags: Flags
    /// The first timecode as text, "01:00:00;00"; nil if it is unknown.
    public var start: String?

    /// QuickTime's flags of a timecode.
    public struct Flags: OptionSet, Sendable, Hashable {
      public let rawValue: UInt32
      public init(rawValue: UInt32) { self.rawValue = rawValue }

      /// Numbers are left out to stay in step with the clock.
      public static let dropFrame = Flags(rawValue: 1)
      /// The count restarts after 24 hours.
      public static let twentyFourHourMaximum = Flags(rawValue: 2)
      public static let negativeTimesAllowed = Flags(rawValue: 4)
      /// A plain count, no hours.
      public static let counter = Flags(rawValue: 8)
    }

    public init(frameDuration: Time, frameQuanta: Int, flags: Flags, start: String? = nil) {
      self.frameDuration = frameDuration
      self.frameQuanta = frameQuanta
      self.flags = flags
      self.start = start
    }
  }
}

extension FormatDescription.Timecode {
  /// Uses the movie's sample description; else its fields, which libav leaves unchanged; else the
  /// stream's rate and the separator in the first timecode.
  init(
    _ media: MediaFormat, start: String?, sampleDescription: SampleDescription? = nil
  ) {
    if case .timecode(let entry) = sampleDescription?.media,
      let format = Self.init(
        flags: entry.flags, timescale: entry.timescale,
        frameDuration: entry.frameDuration, quanta: entry.numberOfFrames)
    {
      self = format
    } else if let format = Self.init(fields: media.parameters.extradata) {
      self = format
    } else {
      let rate = media.averageFrameRate
      let (whole, rest) =
        rate.isPositive
        ? rate.numerator.quotientAndRemainder(dividingBy: rate.denominator) : (0, 0)
      self.init(
        frameDuration: rate.isPositive
          ? Time(value: Int64(rate.denominator), timescale: rate.numerator) : .invalid,
        frameQuanta: Int(whole) + (rest > 0 ? 1 : 0), flags: [])
    }
    self.start = start
    if let start, start.contains(where: { $0 == ";" || $0 == "." }) { flags.insert(.dropFrame) }
  }

  /// Reads the fields of a `tmcd` sample description after its header: a reserved field, flags,
  /// timescale, frame duration, frames per second (QuickTime File Format, "Timecode sample
  /// description").
  init?(fields bytes: [UInt8]) {
    guard bytes.count >= 17 else { return nil }
    func value(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    self.init(
      flags: value(4), timescale: value(8), frameDuration: value(12), quanta: bytes[16])
  }

  /// nil without a frame duration.
  private init?(flags: UInt32, timescale: UInt32, frameDuration: UInt32, quanta: UInt8) {
    guard let timescale = Int32(exactly: timescale), timescale > 0, frameDuration > 0 else {
      return nil
    }
    self.init(
      frameDuration: Time(value: Int64(frameDuration), timescale: timescale),
      frameQuanta: Int(quanta),
      flags: Flags(rawValue: flags).intersection([
        .dropFrame, .twentyFourHourMaximum, .negativeTimesAllowed, .counter,
      ]))
  }
}

extension StreamInfo {
  /// The first timecode, if the container states one.
  var timecode: String? { metadata.first { $0.key.lowercased() == "timecode" }?.value }
}
