import LibAV

/// A check that audio which is copied stays as its file describes it.
///
/// Each frame of ADTS states its own configuration (ISO/IEC 14496-3, 1.A.2). Transport streams that were joined may change
/// it, and a file with one description would play the rest at a wrong rate.
struct ADTSCheck {
  private struct Configuration: Equatable {
    let objectType: UInt8
    let rate: UInt8
    let channels: UInt8

    /// - Parameter bytes: of a frame.
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 7, bytes[0] == 0xff, bytes[1] & 0xf6 == 0xf0 else { return nil }
      objectType = bytes[2] >> 6
      rate = bytes[2] >> 2 & 0x0f
      channels = (bytes[2] & 1) << 2 | bytes[3] >> 6
    }

    var name: String {
      let rates = AudioSpecificConfig.rates
      let rate = rates.indices.contains(Int(rate)) ? "\(rates[Int(rate)]) Hz" : "an unknown rate"
      let count = channels == 7 ? 8 : channels
      return "\(rate) and \(count == 1 ? "1 channel" : "\(count) channels")"
    }
  }

  private let path: String
  private let fileType: FileType
  private var configuration: Configuration?

  /// - Returns: nil for other audio, and for a file whose frames state their configurations.
  init?(_ media: StoredTrack, in fileType: FileType) {
    let parameters = media.stream.parameters
    guard parameters.codecName == "aac", parameters.extradata.isEmpty,
      !fileType.format.capabilities.storesADTS
    else { return nil }
    path = media.path
    self.fileType = fileType
  }

  /// - Throws: `formatUnsupported` for a packet with another configuration than the first.
  mutating func check(_ packet: borrowing Packet) throws(EngineError) {
    guard let found = Configuration(packet.bytes(at: 0, count: 7)) else { return }
    guard let first = configuration else {
      configuration = found
      return
    }
    guard found != first else { return }
    throw EngineError(
      .formatUnsupported,
      "The audio of '\(path)' can't be copied: it changes from \(first.name) to \(found.name), which a track of "
        + "\(fileType.name) files can't",
      advice: .encode, path: path)
  }
}
