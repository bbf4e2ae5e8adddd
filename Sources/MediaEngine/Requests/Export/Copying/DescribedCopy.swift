import LibAV
import SystemIO

/// A track whose samples are edited for a file: samples with several descriptions in a track with
/// one, HEVC with lengths in a container of start codes, and HEVC of other containers in movies.
///
/// For H.264 and HEVC, each description's parameter sets are then stored before its sync samples.
/// libavformat's own conversion (`hevc_mp4toannexb`) inserts the first configuration before every
/// sync sample, even after the parameter sets that the sample has itself.
struct DescribedCopy {
  /// `hev1` and `hvc1`.
  private static let movieCodes: Set<UInt32> = [0x3176_6568, 0x3163_7668]

  /// The edit of the samples of a description.
  private struct Edit {
    let framing: NALFraming
    var parameterSets: [[UInt8]]
  }

  /// The format that the track has in the file.
  let format: MediaFormat
  private let source: StreamInfo
  private let path: String
  private let syntax: NALSyntax
  private let framing: NALFraming
  /// True if parameter sets in the sample description are removed from the samples.
  private let isCleared: Bool
  /// The edits by the numbers of the descriptions; empty if samples contain everything that a
  /// decoder needs.
  private var edits: [Int: Edit] = [:]
  private var last: Int?

  /// - Returns: nil for a track whose samples are copied unchanged.
  /// - Throws: `formatUnsupported` if no track can have samples of all its descriptions.
  init?(_ media: StoredTrack, in fileType: FileType) throws(EngineError) {
    try media.requireCopiedDescriptions()
    let parameters = media.stream.parameters
    guard let syntax = CodecTraits(parameters.codecName).nalSyntax,
      let joined = JoinedConfiguration(parameters)
    else { return nil }
    let usesStartCodes = fileType.format.capabilities.storesAnnexB
    let own = NALFraming(syntax, extradata: parameters.extradata)
    let isConverted = usesStartCodes && syntax == .hevc && own != .annexB
    // `hvc1`, unless the source's own code is `hev1`.
    isCleared =
      syntax == .hevc && fileType.format.hasMovieHeader
      && !DescribedCopy.movieCodes.contains(parameters.codecTag)
      && !media.hasSeveralDescriptions
    guard media.hasSeveralDescriptions || isConverted || isCleared else { return nil }
    source = media.stream
    path = media.path
    self.syntax = syntax
    let links = media.stream.links.map { ($0.number, $0.stream.parameters.extradata) }
    for (number, extradata) in links.isEmpty ? [(0, parameters.extradata)] : links {
      edits[number] = Edit(
        framing: NALFraming(syntax, extradata: extradata),
        parameterSets: JoinedConfiguration.units(syntax, extradata))
    }
    framing = usesStartCodes ? .annexB : own
    guard !isCleared else {
      format = media.stream.format
      return
    }
    let configuration = usesStartCodes ? joined.annexB : parameters.extradata
    var described = media.stream.format
    described.parameters = try mapErrors(.write, path: media.path) { () throws(LibAVError) in
      try parameters.replacing(extradata: configuration, codecTag: joined.inBandTag)
    }
    format = described
  }

  /// Converts a packet of the source to one of the file.
  mutating func edit(_ packet: inout Packet) throws(EngineError) {
    let number = source.descriptionNumber(at: packet.position) ?? 0
    guard let edit = edits[number] else { return }
    // A decoder that begins with a later sample has no other sample's parameter sets.
    let needsSets = packet.isKey || number != last
    last = number
    guard edit.framing != framing || needsSets else { return }
    var units = edit.framing.split(packet.bytes)
    if isCleared {
      let count = units?.count
      units?.removeAll(where: edit.parameterSets.contains)
      if units?.count == count { return }
    }
    let own = units?.filter { NALUnitTypes.isParameterSet($0, syntax) } ?? []
    // Parameter sets between the samples apply from there on.
    if !own.isEmpty, !isCleared { edits[number]?.parameterSets = own }
    let sets = needsSets && own.isEmpty && !isCleared ? edit.parameterSets : []
    guard let units, let bytes = framing.join(NALUnitTypes.inserting(sets, into: units)) else {
      throw EngineError(
        .invalidSourceMedia,
        "A sample of '\(path)' isn't framed as its configuration has it", path: path, stage: .read)
    }
    try mapErrors(.write, path: path) { () throws(LibAVError) in try packet.replaceBytes(bytes) }
  }
}
