import FuzzingSupport
import LibAV

@testable import MediaEngine

/// Units of H.264 and HEVC: split and joined, parameter sets added and renumbered, sync samples checked.
@main
enum BitstreamFuzzer: Fuzzer {
  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let part = reader.number(below: 6)
    let syntax: NALSyntax = reader.flag() ? .hevc : .h264
    let choice = Int(reader.byte())
    switch part {
    case 0: requireFraming(reader.remainder(), syntax, choice)
    case 1: requireEmulationPrevention(reader.remainder())
    case 2: requireJoin(&reader, syntax)
    case 3: requireReordering(reader.remainder(), depth: UInt32(choice))
    case 4: requireRenumbering(reader.remainder(), as: UInt32(choice & 15))
    default: checkSyncSample(&reader, codec: choice)
    }
  }

  // MARK: Units

  private static func requireFraming(_ bytes: [UInt8], _ syntax: NALSyntax, _ choice: Int) {
    let framings: [NALFraming] = [.annexB, .lengths(1), .lengths(2), .lengths(3), .lengths(4)]
    let framing = framings[choice % framings.count]
    guard let units = framing.split(bytes) else { return }
    if framing != .annexB {
      require(framing.join(units) == bytes, "joined otherwise than it was split")
    }
    for other in framings {
      // Zeros at the end of a unit belong to the next start code.
      let isKept = other != .annexB || units.allSatisfy { $0.last != 0 && !hasStartCode($0) }
      guard isKept, let joined = other.join(units) else { continue }
      require(other.split(joined) == units, "\(other): split otherwise than it was joined")
    }
    let inserted = NALUnitTypes.inserting([[1, 2, 3]], into: units)
    require(inserted.count == units.count + (units.first?.isEmpty == false ? 1 : 0), "not inserted")
    _ = NALUnitTypes.entry(units, syntax)
    for unit in units {
      _ = NALUnitTypes.isParameterSet(unit, syntax)
      _ = NALUnitTypes.isUserDataSEI(unit, syntax)
      _ = supplementalMessages(unit)
      let changed = NALUnitTypes.brokenLinkAccess(unit)
      require(changed.dropFirst() == unit.dropFirst(), "more than the type changed")
    }
  }

  private static func requireEmulationPrevention(_ payload: [UInt8]) {
    let protected = withEmulationPrevention(payload)
    require(!hasStartCode(protected), "a start code in \(protected)")
    require(withoutEmulationPrevention(protected) == payload, "not what was protected")
  }

  private static func hasStartCode(_ bytes: [UInt8]) -> Bool {
    zip(zip(bytes, bytes.dropFirst()), bytes.dropFirst(2)).contains {
      $0.0 == 0 && $0.1 == 0 && $1 <= 2
    }
  }

  // MARK: Parameter sets

  private static func requireJoin(_ reader: inout InputReader, _ syntax: NALSyntax) {
    let count = reader.number(below: 4)
    let added = (0..<count).map { _ in
      let size = reader.number(below: 48)
      return reader.bytes(size)
    }
    let extradata = reader.remainder()
    _ = ConfigurationJoin.numbersOfH264(added)
    for unit in added { _ = ConfigurationJoin.numberOfH264(unit) }
    _ = NALFraming(syntax, extradata: extradata)
    for codec in ["h264", "hevc", "vvc", "av1", "aac", "mpeg4", "alac", "flac", "opus", "none"] {
      _ = boxes(codec: codec, extradata: extradata, bitRate: Int64(extradata.count) << 40)
    }
    guard !isAnnexB(extradata), let before = ParameterSets(syntax, extradata: extradata),
      let joined = ConfigurationJoin.adding(added, to: extradata, syntax)
    else { return }
    let sets =
      syntax == .hevc ? added : added.filter { NALUnitTypes.isParameterSet($0, syntax) }
    guard let after = ParameterSets(syntax, extradata: joined) else {
      let total = before.units.count + sets.count
      return require(total > 512, "\(total) sets can't be read")
    }
    require(after.headerLength == before.headerLength, "another length")
    let expected = (before.units.map(\.bytes) + sets).filter { !$0.isEmpty }
    require(
      sorted(after.units.map(\.bytes)) == sorted(expected),
      "\(after.units.count) sets of \(expected.count)")
  }

  private static func sorted(_ units: [[UInt8]]) -> [[UInt8]] {
    units.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func requireReordering(_ unit: [UInt8], depth: UInt32) {
    guard let set = H264Reordering(unit), let changed = set.setting(depth: depth) else { return }
    let again = H264Reordering(changed)
    require(again?.depth == depth, "a depth of \(again?.depth as Any), not \(depth)")
    let buffering = max(set.buffering ?? 0, depth)
    require(again?.buffering == buffering, "\(again?.buffering as Any), not \(buffering)")
    require(again?.setting(depth: depth) == changed, "another set the second time")
  }

  private static func requireRenumbering(_ bytes: [UInt8], as number: UInt32) {
    let units = annexBUnits(bytes)
    guard let renumbering = HEVCRenumbering(units, as: number) else { return }
    let sets = renumbering.parameterSets
    guard let again = HEVCRenumbering(sets, as: number) else {
      return require(false, "the sets can't be read any more: \(sets)")
    }
    require(again.parameterSets == sets, "\(again.parameterSets), not \(sets)")
    for unit in units {
      guard let changed = renumbering.renumber(unit) else { continue }
      let same = again.renumber(changed)
      require(same == changed, "\(unit) as \(changed), then \(same as Any)")
    }
  }

  // MARK: Sync samples

  private static let codecs = ["h264", "hevc", "av1", "mpeg4", "h263"]

  private static func checkSyncSample(_ reader: inout InputReader, codec: Int) {
    let codec = codecs[codec % codecs.count]
    let format = videoFormat(codec, lengthSize: UInt8(reader.number(below: 4)))
    guard let format, let check = SyncSampleCheck(format) else {
      return require(false, "\(codec) isn't looked into")
    }
    let sample = reader.remainder()
    _ = check.isPredicted(size: sample.count) { offset, count in
      require(offset >= 0 && count >= 0, "\(count) bytes at \(offset)")
      require(offset + count <= sample.count, "\(count) bytes at \(offset) of \(sample.count)")
      return Array(sample[offset..<offset + count])
    }
    // A file may end before the samples that its tables state.
    let isPredicted = check.isPredicted(size: sample.count) { _, _ in [] }
    require(!isPredicted, "predicted, although nothing is there")
  }

  /// - Parameter lengthSize: of the length fields of NAL units, less 1.
  private static func videoFormat(_ codec: String, lengthSize: UInt8) -> MediaFormat? {
    var format = CodedFormat(codec: codec)
    switch codec {
    case "h264": format.extradata = [1, 100, 0, 30, 0xFC | lengthSize, 0xE0, 0]
    case "hevc":
      format.extradata = [1] + [UInt8](repeating: 0, count: 20) + [0xFC | lengthSize, 0]
    default: break
    }
    return try? MediaFormat(format)
  }
}
