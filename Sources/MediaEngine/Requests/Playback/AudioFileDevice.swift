import SystemIO

/// The file of a player's audio: every sample that is heard while time runs (a WAV file, or RF64 above 4 GiB).
///
/// It has no name until it is finished, and none if it never is.
final class AudioFileDevice {
  let path: String
  private let file: OutputFile
  private let format: AudioFileSampleFormat
  private let sampleRate: Int
  private let channels: Int
  /// The frames that have been written.
  private(set) var frames: Int64 = 0
  private var position = Int64(AudioFileDevice.headerSize)
  /// The bytes for the next write.
  private var pending: [UInt8] = []
  private static let headerSize = 12 + 36 + 48 + 8

  /// - Throws: `fileAlreadyExists`, `pathNotAllowed`, `contentIsUnavailable`.
  init(
    path: String, format: AudioFileSampleFormat, sampleRate: Int, channels: Int,
    configuration: EngineConfiguration
  ) throws(EngineError) {
    self.path = path
    (self.format, self.sampleRate, self.channels) = (format, sampleRate, channels)
    file = try mapErrors(.write, path: path) { () throws(SystemError) in
      try OutputFile(path: path, roots: configuration.roots)
    }
  }

  /// Appends interleaved samples.
  func write(_ samples: ArraySlice<Float>) throws(EngineError) {
    switch format {
    case .f32:
      // All supported hosts are little-endian.
      unsafe samples.withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
    case .s16:
      for sample in samples {
        let scaled = (sample * 32768).rounded(.toNearestOrEven)
        append(UInt16(bitPattern: Int16(max(-32768, min(32767, scaled.isNaN ? 0 : scaled)))))
      }
    }
    frames += Int64(samples.count / channels)
    if pending.count >= 1 << 18 { try flush() }
  }

  private func append(_ value: some FixedWidthInteger) {
    pending.append(littleEndian: value)
  }

  private func flush() throws(EngineError) {
    let bytes = pending[...]
    try mapErrors(.write, path: path) { () throws(SystemError) in
      try file.write(bytes, at: position)
    }
    position += Int64(pending.count)
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes the header, and commits the file under its name.
  ///
  /// - Throws: `fileAlreadyExists`, `diskFull`.
  func finish() throws(EngineError) -> (path: String, size: Int, frames: Int64) {
    try flush()
    let header = header()
    try mapErrors(.write, path: path) { () throws(SystemError) in
      try file.write(header[...], at: 0)
      try file.commit()
    }
    return (path, Int(position), frames)
  }

  func discard() { file.discard() }

  /// Releases the path at once. Any thread may call this.
  var release: @Sendable () -> Void { { [weak file] in file?.releaseClaim() } }

  /// Returns a RIFF header with room for the sizes of RF64 (EBU Tech 3306), the format as WAVE_FORMAT_EXTENSIBLE.
  private func header() -> [UInt8] {
    let dataSize = position - Int64(Self.headerSize)
    let fileSize = position - 8
    let isLarge = fileSize > Int64(UInt32.max)
    var bytes: [UInt8] = []
    func text(_ text: String) { bytes += Array(text.utf8) }
    func number(_ value: some FixedWidthInteger) { bytes.append(littleEndian: value) }
    text(isLarge ? "RF64" : "RIFF")
    number(isLarge ? UInt32.max : UInt32(fileSize))
    text("WAVE")
    text(isLarge ? "ds64" : "JUNK")
    number(UInt32(28))
    number(isLarge ? UInt64(fileSize) : 0)
    number(isLarge ? UInt64(dataSize) : 0)
    number(isLarge ? UInt64(frames) : 0)
    number(UInt32(0))
    let width = format == .f32 ? 4 : 2
    text("fmt ")
    number(UInt32(40))
    number(UInt16(0xFFFE))
    number(UInt16(channels))
    number(UInt32(sampleRate))
    number(UInt32(sampleRate * channels * width))
    number(UInt16(channels * width))
    number(UInt16(width * 8))
    number(UInt16(22))
    number(UInt16(width * 8))
    number(Self.speakers(channels))
    // KSDATAFORMAT_SUBTYPE_PCM or _IEEE_FLOAT.
    number(UInt16(format == .f32 ? 3 : 1))
    bytes += [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
    text("data")
    number(isLarge ? UInt32.max : UInt32(dataSize))
    return bytes
  }

  /// Returns the mask of the speakers of the usual layouts, in their order.
  private static func speakers(_ channels: Int) -> UInt32 {
    switch channels {
    case 1: 0x4
    case 2: 0x3
    case 3: 0x7
    case 4: 0x33
    case 5: 0x37
    case 6: 0x3F
    case 7: 0x13F
    case 8: 0x63F
    default: 0
    }
  }
}
