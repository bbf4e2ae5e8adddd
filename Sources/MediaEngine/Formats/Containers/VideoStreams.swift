// Flash Video, and files that consist of samples of one video codec.

extension ContainerFormat {
  static let flv = ContainerFormat(
    name: "flv", identifier: "com.adobe.flv", extensions: ["flv"], mimeTypes: ["video/x-flv"],
    demuxer: "flv")
}

extension DemuxerTraits {
  static let videoStreams =
    ["flv", "obu", "dv"].map {
      DemuxerTraits($0, estimatesDuration: true)
    }
    + ["mpegvideo", "h264", "hevc", "m4v"].map {
      var traits = DemuxerTraits($0, estimatesDuration: true)
      traits.guessesPresentationTimes = true
      traits.statedTimes = .nothing
      // libavformat's start time is a guess, too.
      traits.origin = .zero
      return traits
    }
}
