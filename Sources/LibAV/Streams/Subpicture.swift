internal import CLibAV

/// Subtitles of DVDs: images that state their own duration, as their containers mostly don't.
extension Packet {
  /// Returns the duration of a subpicture from its time stamp on, in ticks of a stream; nil for one
  /// without an end, which is shown until the next one.
  ///
  /// Its sequences of commands have dates in units of 1,024 ticks of the clock of 90 kHz, and the command 2
  /// stops showing it (DVD specifications for read-only disc, part 3, 5.4.4).
  func subpictureDuration(in timeBase: TimeBase) -> Int64? {
    let bytes = bytes
    func number(at place: Int) -> Int? {
      place + 2 <= bytes.count ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : nil
    }
    // A size of zero begins another format, of HD DVD.
    guard let size = number(at: 0), size > 0, var place = number(at: 2) else { return nil }
    while let date = number(at: place), let next = number(at: place + 2) {
      var command = place + 4
      loop: while command < bytes.count {
        switch bytes[command] {
        case 0, 1: command += 1
        case 2:
          return av_rescale_q(
            Int64(date) * 1024, TimeBase(1, 90_000).rational, timeBase.rational)
        case 3, 4: command += 3
        case 5: command += 7
        case 6: command += 5
        case 7: command += 1 + max(2, number(at: command + 1) ?? bytes.count)
        default: break loop
        }
      }
      // The last one refers to itself.
      guard next > place else { return nil }
      place = next
    }
    return nil
  }
}

extension MediaFormat {
  /// True if the samples are subpictures of DVDs.
  var hasSubpictures: Bool {
    unsafe parameters.pointer.pointee.codec_id == AV_CODEC_ID_DVD_SUBTITLE
  }
}
