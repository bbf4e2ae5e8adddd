/// The lengths of the media in an index that libavformat's muxer has written: those of all samples together
/// (ISO/IEC 14496-12, 8.4.2), where the muxer has the time from the first to the last presentation.
///
/// The two differ where pictures are reordered and at variable distances. How long a track is shown is in its edit
/// list, and stays.
enum MediaLengthPatch {
  /// Numbers are written over numbers: nothing moves.
  static func apply(to moov: inout [UInt8]) {
    let boxes = ByteView(moov).slice(from: 8).boxes
    for track in boxes where track.type == "trak" {
      guard let media = track.payload.firstBox("mdia"), let header = media.firstBox("mdhd"),
        track.payload.firstBox("edts")?.firstBox("elst") != nil,
        let times = media.firstBox("minf")?.firstBox("stbl")?.firstBox("stts"),
        let length = length(times)
      else { continue }
      let isLong = header[0] == 1
      let offset = header.start + (isLong ? 24 : 16)
      if isLong {
        moov.replace(length, at: offset)
      } else if let short = UInt32(exactly: length) {
        moov.replace(short, at: offset)
      }
    }
  }

  private static func length(_ times: ByteView) -> Int64? {
    guard let count = times.uint32(at: 4), count > 0, times.count >= 8 + Int(count) * 8 else {
      return nil
    }
    var length: Int64 = 0
    for run in 0..<Int(count) {
      guard let samples = times.uint32(at: 8 + run * 8),
        let duration = times.uint32(at: 12 + run * 8)
      else { return nil }
      let product = Int64(samples).multipliedReportingOverflow(by: Int64(duration))
      let sum = length.addingReportingOverflow(product.partialValue)
      guard !product.overflow, !sum.overflow else { return nil }
      length = sum.partialValue
    }
    return length
  }
}
