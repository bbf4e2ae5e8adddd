// AIFF and its descendants: Apple's Core Audio Format, Sun's and NeXT's AU.

extension ContainerFormat {
  static let aiff = ContainerFormat(
    name: "aiff", identifier: "public.aiff-audio", extensions: ["aif", "aiff", "aifc"],
    mimeTypes: ["audio/aiff"], demuxer: "aiff")

  static let caf = ContainerFormat(
    name: "caf", identifier: "com.apple.coreaudio-format", extensions: ["caf"],
    mimeTypes: ["audio/x-caf"], demuxer: "caf")
}

extension DemuxerTraits {
  static let appleAudio = [
    DemuxerTraits(
      "aiff", keySpace: "id3", storesSamplesAsRead: true, seeksLinearSamplesByNumber: true,
      structure: .chunks(.aiff)),
    DemuxerTraits(
      "caf", keySpace: "caaf", storesSamplesAsRead: true, seeksLinearSamplesByNumber: true,
      structure: .chunks(.caf)),
    DemuxerTraits("au", storesSamplesAsRead: true, seeksLinearSamplesByNumber: true),
  ]
}
