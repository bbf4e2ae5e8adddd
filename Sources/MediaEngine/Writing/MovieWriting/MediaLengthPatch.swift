/// Corrects the durations of the media in an index that libavformat's muxer has written. The
/// duration is the sum of all samples (ISO/IEC 14496-12, 8.4.2); the muxer writes the time from the
/// first to the last presentation.
///
/// The two differ where frames are reordered and have variable durations. A track's presented
/// duration is in its edit list, which isn't changed.
enum MediaLengthPatch {
  /// Overwrites numbers in place: nothing moves.
  static func apply(to moov: inout [UInt8]) {
    let boxes = ByteView(moov).slice(from: 8).boxes
    for track in boxes where track.type == "trak" {
      guard let media = track.payload.firstBox("mdia"), let header = media.firstBox("mdhd"),
        track.payload.firstBox("edts")?.firstBox("elst") != nil,
        let times = media.firstBox("minf")?.firstBox("stbl")?.firstBox("stts"),
        let length = SampleTables.Lengths(times)?.sum
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
}
