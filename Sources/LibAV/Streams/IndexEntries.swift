internal import CLibAV

/// A sample in libavformat's own index of a stream. For Matroska these are the cues, which are read
/// by the first seek; for a movie all samples of its tables, edit lists applied.
package struct IndexEntry: Sendable {
  /// The time in ticks of the stream; for a movie, the decode time.
  package var time: Int64
  /// The duration until the next entry, or the end of the stream; 0 if that isn't later.
  package var duration: Int64
  package var position: Int64
  /// The size in bytes.
  package var size: Int32
  package var isKey: Bool
  /// True for a sample to be decoded but not shown: it is outside of its edit.
  package var isDiscarded: Bool
}

// `mov_read_packet` and `compute_pkt_fields`, alike in 5.1 and 7.1, define the packet that a
// movie's entry becomes where libavformat neither parses nor probes
// (``Demuxer/Options/trustsTables``): the composition offset, which an entry doesn't have, and the
// rules below.

extension Demuxer {
  /// True if packets of movies follow these rules: libavformat 59 to 61 are known to.
  package static var packetsFollowIndex: Bool { avformat_version() >> 16 <= 61 }

  /// Returns the index of a stream, in its order; empty if none of its samples is delivered, as
  /// those of chapters' names.
  package func indexEntries(ofStream number: Int) -> [IndexEntry] {
    guard let stream = unsafe stream(number), unsafe stream.pointee.discard != AVDISCARD_ALL else {
      return []
    }
    let count = unsafe avformat_index_get_entries_count(stream)
    var entries: [IndexEntry] = []
    entries.reserveCapacity(Int(count))
    var next = unsafe avformat_index_get_entry(stream, 0)
    for place in 0..<count {
      guard let entry = unsafe next else { return [] }
      unsafe next = unsafe avformat_index_get_entry(stream, place + 1)
      let time = unsafe entry.pointee.timestamp
      let end = unsafe next?.pointee.timestamp ?? stream.pointee.duration
      let (duration, overflow) = end.subtractingReportingOverflow(time)
      unsafe entries.append(
        IndexEntry(
          time: time, duration: overflow ? 0 : max(0, duration), position: entry.pointee.pos,
          size: entry.pointee.size, isKey: entry.pointee.flags & AVINDEX_KEYFRAME != 0,
          isDiscarded: entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0))
    }
    return entries
  }

  /// The number of samples in the indexes of all streams.
  package var indexEntryCount: Int {
    streams.indices.reduce(0) { count, number in
      guard let stream = unsafe stream(number) else { return count }
      return count + Int(unsafe avformat_index_get_entries_count(stream))
    }
  }

  /// Adds a sample to that index, as a target for ``seek(stream:to:)``.
  package mutating func addIndexEntry(ofStream number: Int, time: Int64, position: Int64) {
    guard let stream = unsafe stream(number) else { return }
    // Without room for it a seek takes longer.
    _ = unsafe av_add_index_entry(stream, position, time, 0, 0, AVINDEX_KEYFRAME)
  }

  /// Returns the position in the file of the last sample of that index at or before a time, from
  /// which ``seek(stream:to:)`` reads on; nil if there is none.
  package func indexedPosition(ofStream number: Int, before time: Int64) -> Int64? {
    guard let stream = unsafe stream(number) else { return nil }
    return unsafe avformat_index_get_entry_from_timestamp(stream, time, AVSEEK_FLAG_BACKWARD)?
      .pointee.pos
  }

  /// Returns the duration of a packet where no table states it (`compute_frame_duration`): by the
  /// rate of the stream, or the frame size of its codec; 0 when unknown.
  package func usualDuration(ofStream number: Int, size: Int32) -> Int64 {
    guard let stream = unsafe stream(number), let parameters = unsafe stream.pointee.codecpar else {
      return 0
    }
    let timeBase = unsafe stream.pointee.time_base
    var length = AVRational(num: 0, den: 0)
    switch unsafe parameters.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO:
      let rate = unsafe stream.pointee.r_frame_rate
      if rate.num != 0 {
        length = AVRational(num: rate.den, den: rate.num)
      } else if Int64(timeBase.num) * 1000 > Int64(timeBase.den) {
        length = timeBase
      }
    case AVMEDIA_TYPE_AUDIO:
      length.num = unsafe av_get_audio_frame_duration2(parameters, size)
      length.den = unsafe parameters.pointee.sample_rate
    default: break
    }
    guard length.num > 0, length.den > 0 else { return 0 }
    return max(
      0,
      av_rescale_rnd(
        1, Int64(length.num) * Int64(timeBase.den), Int64(length.den) * Int64(timeBase.num),
        AV_ROUND_DOWN))
  }

  /// Returns true if every packet is a key packet, whether or not the tables state so
  /// (`ff_is_intra_only`).
  package func isIntraOnly(stream number: Int) -> Bool {
    if isAnimation { return false }
    guard let parameters = unsafe stream(number)?.pointee.codecpar else { return false }
    if unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_DATA { return true }
    guard let codec = unsafe avcodec_descriptor_get(parameters.pointee.codec_id) else {
      return false
    }
    let isMedia = unsafe [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(codec.pointee.type)
    return unsafe !isMedia || codec.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
  }

  /// The number of packets that come before all others: attached pictures, which are in no index.
  package var attachedPictureCount: Int {
    streams.indices.count { number in
      guard let stream = unsafe stream(number) else { return false }
      return unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        && stream.pointee.discard != AVDISCARD_ALL && stream.pointee.attached_pic.size > 0
    }
  }

  /// Returns the duration of a packet without an error of libavformat's mov demuxer: after an empty
  /// edit it measures the last sample up to the end of the media on the media's own clock, and so
  /// loses the length of the empty edit. A sample that an edit list cuts is none of these: with the
  /// length of the empty edit it would last longer than the one before it.
  package func restoredDuration(
    _ duration: Int64, dts: Int64, position: Int64, ofStream number: Int
  ) -> Int64 {
    guard behavior.misjudgesLastDuration, streams.indices.contains(number),
      dts &+ duration == streams[number].duration, let stream = unsafe stream(number)
    else { return duration }
    let count = unsafe avformat_index_get_entries_count(stream)
    guard let first = unsafe avformat_index_get_entry(stream, 0)?.pointee, first.timestamp > 0,
      let last = unsafe avformat_index_get_entry(stream, count - 1)?.pointee,
      last.pos == position, last.timestamp == dts,
      let previous = unsafe avformat_index_get_entry(stream, count - 2)?.pointee,
      duration &+ first.timestamp <= (last.timestamp &- previous.timestamp) / 4 &* 5
    else { return duration }
    return duration &+ first.timestamp
  }

  private func stream(_ number: Int) -> UnsafeMutablePointer<AVStream>? {
    guard number >= 0, number < Int(unsafe context.pointee.nb_streams) else { return nil }
    return unsafe context.pointee.streams[number]
  }
}

extension Demuxer {
  /// Moves the start times of streams to those that their movie states.
  ///
  /// - Returns: the delays by the numbers of their streams.
  static func removeDelays(
    _ delays: [FragmentDelay], from streams: inout [StreamInfo],
    of context: UnsafeMutablePointer<AVFormatContext>
  ) -> [Int: FragmentDelay] {
    var found: [Int: FragmentDelay] = [:]
    for number in streams.indices {
      guard let delay = delays.first(where: { $0.track == streams[number].id }),
        let stream = unsafe context.pointee.streams[number]
      else { continue }
      let first = unsafe avformat_index_get_entry(stream, 0)?.pointee.pos
      streams[number].startTime = streams[number].startTime.map { $0 &- delay.ticks(at: first) }
      found[number] = delay
    }
    return found
  }
}
