// Advanced Systems Format, and XWMA, which has its tags.

extension DemuxerTraits {
  static let windowsMedia =
    ["asf", "asf_o"].map {
      var traits = DemuxerTraits($0, keySpace: "asf")
      traits.guessesPresentationTimes = true
      // The content encryption objects, as libavformat passes them on.
      traits.protectionTags = [
        ("ASF_Protection_Type", nil), ("encryption", "ASF Extended Content Encryption"),
      ]
      return traits
    } + [DemuxerTraits("xwma", keySpace: "asf")]
}
