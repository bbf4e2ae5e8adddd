/// Changes the number of an HEVC encoder's parameter sets, and makes its slices refer to it.
///
/// x265 gives all its parameter sets the number 0, as the encoder of nearly every file does.
/// Numbers have variable length, so the following bits move, up to the end of a slice's header.
/// Handles the bitstreams of x265 with one slice per picture, without tiles, wavefronts, weights
/// and long-term references; nil for all others.
struct HEVCRenumbering {
  private let number: UInt32
  private var sequence = Sequence()
  private var picture = Picture()
  /// Video, sequence and picture parameter sets, renumbered.
  private(set) var parameterSets: [[UInt8]] = []

  private struct Sequence {
    var chromaFormat: UInt32 = 1
    var log2MaxPOCLSB = 0
    var isSAOEnabled = false
    var referenceSets: [Int] = []
    var hasTemporalMotion = false
  }

  private struct Picture {
    var hasOutputFlag = false
    var extraBits = 0
    var hasCabacInit = false
    var references: UInt32 = 1
    var hasChromaOffsets = false
    var filtersAcrossSlices = false
    var canOverrideDeblocking = false
    var isDeblockingDisabled = false
    var hasExtension = false
  }

  /// - Parameter number: below 16, the number of a set of each type.
  init?(_ units: [[UInt8]], as number: UInt32) {
    self.number = number
    for unit in units {
      guard unit.count > 2 else { return nil }
      switch unit[0] >> 1 & 0x3f {
      case 32: parameterSets.append(renumberedVPS(unit))
      case 33:
        guard let set = renumberSequence(unit) else { return nil }
        parameterSets.append(set)
      case 34:
        guard let set = renumberPicture(unit) else { return nil }
        parameterSets.append(set)
      default: break
      }
    }
    guard parameterSets.count == 3 else { return nil }
  }

  private func renumberedVPS(_ unit: [UInt8]) -> [UInt8] {
    var payload = withoutEmulationPrevention(unit)
    payload[2] = payload[2] & 0x0f | UInt8(number << 4)
    return withEmulationPrevention(payload)
  }

  private mutating func renumberSequence(_ unit: [UInt8]) -> [UInt8]? {
    var payload = withoutEmulationPrevention(unit)
    guard payload.count > 16, payload[2] >> 1 & 7 == 0 else { return nil }  // no sub-layers
    payload[2] = payload[2] & 0x0f | UInt8(number << 4)
    // After the header, a byte of numbers and twelve of profile and level.
    var reader = BitReader(payload.dropFirst(15))
    guard reader.readUE() != nil, readSequence(&reader) else { return nil }
    return replacing(1, in: payload, behind: 15, readTo: reader.position)
  }

  private mutating func renumberPicture(_ unit: [UInt8]) -> [UInt8]? {
    let payload = withoutEmulationPrevention(unit)
    var reader = BitReader(payload.dropFirst(2))
    guard reader.readUE() != nil, reader.readUE() != nil, readPicture(&reader) else { return nil }
    return replacing(2, in: payload, behind: 2, readTo: reader.position)
  }

  /// Returns the payload with other numbers in place of the first `count`, after `start` bytes.
  ///
  /// - Parameter position: the position, in bits, up to which the payload has been read. It has to
  ///   exist.
  private func replacing(
    _ count: Int, in payload: [UInt8], behind start: Int, readTo position: Int
  ) -> [UInt8]? {
    var reader = BitReader(payload.dropFirst(start))
    var writer = BitWriter()
    for _ in 0..<count {
      guard reader.readUE() != nil else { return nil }
      writer.writeUE(number)
    }
    // The last set bit ends the payload.
    guard let last = payload.lastIndex(where: { $0 != 0 }) else { return nil }
    let end = (last - start) * 8 + 7 - payload[last].trailingZeroBitCount
    guard end >= max(position, reader.position) else { return nil }
    writer.copy(end - reader.position, from: &reader)
    writer.align()
    return withEmulationPrevention(Array(payload.prefix(start)) + writer.bytes)
  }

  private mutating func readSequence(_ reader: inout BitReader) -> Bool {
    guard let chroma = reader.readUE(), chroma < 3 || reader.readFlag() == false,
      reader.readUE() != nil, reader.readUE() != nil, let isCropped = reader.readFlag(),
      reader.skipUE(isCropped ? 4 : 0), reader.skipUE(2), let orderBits = reader.readUE(),
      reader.readFlag() != nil, reader.skipUE(3), reader.skipUE(6),
      reader.readFlag() == false,  // scaling lists
      reader.readFlag() != nil, let offset = reader.readFlag(),
      reader.readFlag() == false,  // PCM
      let sets = reader.readUE(), sets <= 64
    else { return false }
    sequence.chromaFormat = chroma
    sequence.log2MaxPOCLSB = Int(orderBits) + 4
    sequence.isSAOEnabled = offset
    for index in 0..<Int(sets) {
      guard let count = readReferenceSet(&reader, index, of: Int(sets)) else { return false }
      sequence.referenceSets.append(count)
    }
    guard reader.readFlag() == false,  // long-term references
      let motion = reader.readFlag()
    else { return false }
    sequence.hasTemporalMotion = motion
    return true
  }

  private mutating func readPicture(_ reader: inout BitReader) -> Bool {
    guard reader.readFlag() != nil, let outputFlag = reader.readFlag(),
      let extraBits = reader.read(3), reader.readFlag() != nil,
      let cabacInit = reader.readFlag(), let references = reader.readUE(), reader.skipUE(2),
      reader.read(2) != nil, let hasDelta = reader.readFlag(), reader.skipUE(hasDelta ? 1 : 0),
      reader.skipUE(2), let chromaOffsets = reader.readFlag(),
      reader.readFlag() == false, reader.readFlag() == false,  // weights
      reader.readFlag() != nil,
      reader.readFlag() == false, reader.readFlag() == false,  // tiles, wavefronts
      let acrossSlices = reader.readFlag(), let deblocking = reader.readFlag()
    else { return false }
    picture.hasOutputFlag = outputFlag
    picture.extraBits = Int(extraBits)
    picture.hasCabacInit = cabacInit
    picture.references = references + 1
    picture.hasChromaOffsets = chromaOffsets
    picture.filtersAcrossSlices = acrossSlices
    if deblocking {
      guard let canOverride = reader.readFlag(), let isDisabled = reader.readFlag(),
        reader.skipUE(isDisabled ? 0 : 2)
      else { return false }
      picture.canOverrideDeblocking = canOverride
      picture.isDeblockingDisabled = isDisabled
    }
    guard reader.readFlag() == false,  // scaling lists
      reader.readFlag() == false,  // changes of the lists of references
      reader.skipUE(1), let hasExtension = reader.readFlag()
    else { return false }
    picture.hasExtension = hasExtension
    return true
  }

  /// Returns the number of pictures in a reference set (Rec. ITU-T H.265, section 7.3.7).
  private func readReferenceSet(
    _ reader: inout BitReader, _ index: Int, of count: Int
  ) -> Int? {
    if index > 0 {
      guard let isPredicted = reader.readFlag() else { return nil }
      if isPredicted {
        var distance: UInt32 = 0
        if index == count {
          guard let value = reader.readUE() else { return nil }
          distance = value
        }
        let source = index - 1 - Int(distance)
        guard sequence.referenceSets.indices.contains(source), reader.readFlag() != nil,
          reader.readUE() != nil
        else { return nil }
        var pictures = 0
        for _ in 0...sequence.referenceSets[source] {
          guard let isUsed = reader.readFlag() else { return nil }
          var isIncluded = true
          if !isUsed {
            guard let flag = reader.readFlag() else { return nil }
            isIncluded = flag
          }
          if isUsed || isIncluded { pictures += 1 }
        }
        return pictures
      }
    }
    guard let negative = reader.readUE(), let positive = reader.readUE(), negative <= 16,
      positive <= 16
    else { return nil }
    for _ in 0..<negative + positive {
      guard reader.readUE() != nil, reader.readFlag() != nil else { return nil }
    }
    return Int(negative + positive)
  }

  /// Returns a slice with the new number; other units are returned unchanged.
  func renumber(_ unit: [UInt8]) -> [UInt8]? {
    guard unit.count > 2 else { return nil }
    let type = unit[0] >> 1 & 0x3f
    guard type < 32 else { return unit }
    let payload = withoutEmulationPrevention(unit)
    let isRandomAccess = (16...23).contains(type)
    var reader = BitReader(payload.dropFirst(2))
    guard reader.readFlag() == true, !isRandomAccess || reader.readFlag() != nil,
      reader.readUE() != nil
    else { return nil }
    let behind = reader.position
    guard readSliceHeader(&reader, isIDR: type == 19 || type == 20) else { return nil }
    let end = reader.position
    // A one, and zeros up to the next byte.
    guard reader.readFlag() == true else { return nil }
    let data = 2 + (reader.position + 7) / 8
    var writer = BitWriter()
    var again = BitReader(payload.dropFirst(2))
    writer.copy(isRandomAccess ? 2 : 1, from: &again)
    writer.writeUE(number)
    guard again.readUE() != nil, again.position == behind else { return nil }
    writer.copy(end - behind, from: &again)
    writer.align()
    return withEmulationPrevention(
      Array(payload.prefix(2)) + writer.bytes + Array(payload.dropFirst(data)))
  }

  /// Reads the header after the number, up to its end (Rec. ITU-T H.265, section 7.3.6.1).
  private func readSliceHeader(_ reader: inout BitReader, isIDR: Bool) -> Bool {
    guard reader.read(picture.extraBits) != nil, let type = reader.readUE(), type <= 2,
      !picture.hasOutputFlag || reader.readFlag() != nil
    else { return false }
    var usesTemporalMotion = false
    if !isIDR {
      guard reader.read(sequence.log2MaxPOCLSB) != nil, let isInSequence = reader.readFlag()
      else { return false }
      let sets = sequence.referenceSets.count
      if !isInSequence {
        guard readReferenceSet(&reader, sets, of: sets) != nil else { return false }
      } else if sets > 1 {
        let bits = Int.bitWidth - (sets - 1).leadingZeroBitCount
        guard reader.read(bits) != nil else { return false }
      }
      if sequence.hasTemporalMotion {
        guard let flag = reader.readFlag() else { return false }
        usesTemporalMotion = flag
      }
    }
    var isOffset = false
    if sequence.isSAOEnabled {
      guard let luma = reader.readFlag() else { return false }
      isOffset = luma
      if sequence.chromaFormat != 0 {
        guard let chroma = reader.readFlag() else { return false }
        isOffset = isOffset || chroma
      }
    }
    if type != 2 {
      guard readReferences(&reader, isB: type == 0, usesTemporalMotion) else { return false }
    }
    guard reader.skipUE(1), !picture.hasChromaOffsets || reader.skipUE(2) else { return false }
    var isDisabled = picture.isDeblockingDisabled
    if picture.canOverrideDeblocking {
      guard let overrides = reader.readFlag() else { return false }
      if overrides {
        guard let flag = reader.readFlag(), flag || reader.skipUE(2) else { return false }
        isDisabled = flag
      }
    }
    if picture.filtersAcrossSlices, isOffset || !isDisabled, reader.readFlag() == nil {
      return false
    }
    return !picture.hasExtension || reader.readUE() == 0
  }

  private func readReferences(
    _ reader: inout BitReader, isB: Bool, _ usesTemporalMotion: Bool
  ) -> Bool {
    var references = picture.references
    guard !isB, let overrides = reader.readFlag() else { return false }
    if overrides {
      guard let count = reader.readUE() else { return false }
      references = count + 1
    }
    if picture.hasCabacInit, reader.readFlag() == nil { return false }
    if usesTemporalMotion, references > 1, reader.readUE() == nil { return false }
    return reader.readUE() != nil
  }
}
