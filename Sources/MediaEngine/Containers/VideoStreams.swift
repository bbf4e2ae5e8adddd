// Flash Video, and files that are nothing but samples of one video codec.

extension ContainerFormat {
  static let flv = ContainerFormat(
    name: "flv", identifier: "com.adobe.flv", extensions: ["flv"], mimeTypes: ["video/x-flv"],
    demuxer: "flv")
}

extension DemuxerTraits {
  static let videoStreams = ["flv", "mpegvideo", "h264", "hevc", "m4v", "obu", "dv"].map {
    DemuxerTraits($0, estimatesDuration: true)
  }
}
