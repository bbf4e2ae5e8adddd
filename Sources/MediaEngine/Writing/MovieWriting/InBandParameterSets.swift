import LibAV

/// The parameter sets of H.264 in a container that has them between the pictures only.
///
/// libavformat's conversion (`h264_mp4toannexb`) inserts them before IDR pictures. Copies may begin at a recovery point,
/// and nothing could be decoded from there on.
struct InBandParameterSets {
  private let framing: NALFraming
  private let sets: [[UInt8]]
  private var isAtStart = true

  /// - Returns: nil for other codecs, and for samples that have start codes.
  init?(_ parameters: CodecParameters) {
    guard CodecTraits(parameters.codecName).nalSyntax == .h264 else { return nil }
    let extradata = parameters.extradata
    guard let known = ParameterSets(.h264, extradata: extradata) else { return nil }
    framing = NALFraming(.h264, extradata: extradata)
    guard framing != .annexB else { return nil }
    sets = known.units.filter(\.isParameterSet).map(\.bytes)
  }

  /// Inserts them into the first packet and into sync samples, where those have none.
  mutating func insert(into packet: inout Packet) throws(LibAVError) {
    guard isAtStart || packet.isKey else { return }
    isAtStart = false
    guard let units = framing.split(packet.bytes) else { return }
    let types = units.compactMap { $0.first.map { $0 & 0x1f } }
    // An IDR picture, or a sequence parameter set.
    guard !types.contains(5), !types.contains(7) else { return }
    guard let bytes = framing.join(NALUnitTypes.inserting(sets, into: units)) else { return }
    try packet.replaceBytes(bytes)
  }
}
