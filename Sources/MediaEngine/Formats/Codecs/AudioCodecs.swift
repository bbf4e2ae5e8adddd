import LibAV
import MediaTime

extension CodecTraits {
  static let audio: [String: CodecTraits] = {
    var table: [String: CodecTraits] = [:]

    // Frames don't depend on others: RFC 9639, section 5, for FLAC; ALAC has no state either.
    let independent = make {
      $0.decodePreroll = .zero
      $0.copyPreroll = .none
      $0.refresh = .packets(0)
      $0.isFullyIndexedByMovies = true
    }
    table["alac"] = independent
    table["flac"] = independent
    table["flac"]?.hasVariableBlocks = true
    // Lossless, too. The state that their decoders carry from one packet to the next isn't
    // specified.
    for codec in ["wavpack", "tta", "mlp", "truehd"] {
      table[codec] = make { $0.copyPreroll = .none }
    }
    table["wavpack"]?.hasVariableBlocks = true
    table["ape"] = make { $0.hasVariableBlocks = true }

    // Half of a block is that of the block before: ATSC A/52, section 7.9.4; Vorbis I, section 4.3.8.
    let overlapping = make {
      $0.decodePreroll = Time(value: 1, timescale: 4)
      $0.refresh = .packets(1)
    }
    table["ac3"] = overlapping
    table["ac3"]?.isFullyIndexedByMovies = true
    table["eac3"] = overlapping
    table["vorbis"] = overlapping
    table["vorbis"]?.hasVariableBlocks = true
    table["vorbis"]?.copyPreroll = .duration(Time(value: 1, timescale: 10), crossesPauses: true)

    // Overlap, a reservoir of bits from about ten packets at most, and the bands above (SBR):
    // ISO/IEC 14496-3, subpart 4. One packet is known to be enough for LC only. USAC's independent
    // frames are sync samples (ISO/IEC 23003-3).
    table["aac"] = make {
      $0.decodePreroll = Time(value: 1, timescale: 2)
      $0.refreshOfProfiles = ["LC": .packets(1), "xHE-AAC": .syncSamples]
      $0.isFullyIndexedByMovies = true
    }
    // `main_data_begin` has nine bits (ISO/IEC 11172-3, section 2.4.2.7); a header, a checksum and side
    // information are 38 bytes at most.
    table["mp3"] = make {
      $0.decodePreroll = Time(value: 1, timescale: 2)
      $0.copyPreroll = .bitReservoir(bytes: 511, overhead: 38, packets: 2)
    }

    // 80 ms by RFC 7845, section 4.6. It doesn't limit the later influence of the filters' memory.
    table["opus"] = make {
      $0.hasVariableBlocks = true
      $0.copyPreroll = .duration(Time(value: 1, timescale: 10), crossesPauses: true)
      $0.refresh = .duration(Time(value: 80, timescale: 1000))
      $0.isFullyIndexedByMovies = true
      $0.statesItsPadding = true
    }

    for codec in ["mp3", "ac3", "eac3", "opus"] { table[codec]?.samplesConfigureDecoder = true }
    // Codecs of broadcasts and discs: ATSC A/52, ETSI TS 102 114, ISO/IEC 11172-3.
    for codec in ["ac3", "eac3", "dts", "mp1", "mp2"] {
      table[codec, default: CodecTraits()].endsWithItsPackets = true
    }

    // Packets that have headers, or channels one after the other.
    for codec in ["pcm_bluray", "pcm_dvd", "pcm_s24daud"] {
      table[codec] = pcm(isInterleaved: false)
    }
    return table
  }()

  static func pcm(isInterleaved: Bool) -> CodecTraits {
    make {
      $0.isPCM = true
      $0.isInterleavedPCM = isInterleaved
      $0.hasVariableBlocks = true
      $0.decodePreroll = .zero
      $0.copyPreroll = .none
      $0.refresh = .packets(0)
      $0.isFullyIndexedByMovies = true
    }
  }
}

extension CodecParameters {
  /// The bytes of a sample of all channels together; nil where packets aren't samples in a row.
  ///
  /// By the codec: a container's number of valid bits may be smaller.
  var bytesPerSample: Int? {
    let bits = bitsPerSample
    guard CodecTraits(codecName).isInterleavedPCM, bits > 0, bits % 8 == 0 else { return nil }
    return bits / 8 * max(1, channelLayout.channels)
  }
}
