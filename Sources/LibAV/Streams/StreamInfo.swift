internal import CLibAV

/// A stream in its container's description: values only, so that they outlive the demuxer.
package struct StreamInfo: Sendable {
  /// Position in the file, from 0.
  package var index: Int
  /// The container's own number for it (track ID, PID), 0 where it has none.
  package var id: Int
  package var timeBase: TimeBase
  /// First presentation time in ticks, nil when unknown.
  package var startTime: Int64?
  /// The duration in ticks, nil when unknown.
  package var duration: Int64?
  package var disposition: Disposition
  package var metadata: [Tag]
  /// The format of its first samples.
  package var format: MediaFormat
  /// The size of an attached picture's data, 0 for other streams.
  package var attachedPictureSize: Int
  /// The descriptions of the stream in each link of a chained Ogg file, or by each of a movie's
  /// sample descriptions, by time; empty elsewhere.
  package var links: [StreamLink] = []
  /// The positions in the file at which samples of another sample description begin, in the order
  /// of the file; empty if all have the same.
  package var descriptionPlaces: [DescriptionPlace] = []
}

/// A position of a movie from which on the samples of a track have one of its sample descriptions.
package struct DescriptionPlace: Sendable, Hashable {
  /// The position in bytes.
  package var position: Int64
  /// ``StreamLink/number`` of the sample description.
  package var number: Int

  package init(position: Int64, number: Int) {
    (self.position, self.number) = (position, number)
  }
}

/// A container's description of a stream, in addition to the codec's parameters.
package struct StreamDescription: Sendable {
  /// The names, the language and other texts.
  package var tags: [Tag]
  package var disposition: Disposition
  package var sideData: [SideData]

  package init(tags: [Tag] = [], disposition: Disposition = [], sideData: [SideData] = []) {
    self.tags = tags
    self.disposition = disposition
    self.sideData = sideData
  }
}

/// A name and a text in a container; names can repeat.
package struct Tag: Hashable, Sendable {
  package var key: String
  package var value: String

  package init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

package struct Chapter: Sendable {
  package var id: Int64
  package var timeBase: TimeBase
  package var start: Int64
  package var end: Int64
  package var metadata: [Tag]
}

package struct Disposition: OptionSet, Sendable, Hashable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let `default` = Disposition(rawValue: AV_DISPOSITION_DEFAULT)
  package static let dub = Disposition(rawValue: AV_DISPOSITION_DUB)
  package static let original = Disposition(rawValue: AV_DISPOSITION_ORIGINAL)
  package static let comment = Disposition(rawValue: AV_DISPOSITION_COMMENT)
  package static let lyrics = Disposition(rawValue: AV_DISPOSITION_LYRICS)
  package static let forced = Disposition(rawValue: AV_DISPOSITION_FORCED)
  package static let hearingImpaired = Disposition(rawValue: AV_DISPOSITION_HEARING_IMPAIRED)
  package static let visualImpaired = Disposition(rawValue: AV_DISPOSITION_VISUAL_IMPAIRED)
  package static let attachedPicture = Disposition(rawValue: AV_DISPOSITION_ATTACHED_PIC)
  package static let timedThumbnails = Disposition(rawValue: AV_DISPOSITION_TIMED_THUMBNAILS)
  package static let karaoke = Disposition(rawValue: AV_DISPOSITION_KARAOKE)
  package static let cleanEffects = Disposition(rawValue: AV_DISPOSITION_CLEAN_EFFECTS)
  package static let metadata = Disposition(rawValue: AV_DISPOSITION_METADATA)
  package static let dependent = Disposition(rawValue: AV_DISPOSITION_DEPENDENT)
  package static let stillImage = Disposition(rawValue: AV_DISPOSITION_STILL_IMAGE)
  /// Text of noises in addition to the dialogue.
  package static let captions = Disposition(rawValue: AV_DISPOSITION_CAPTIONS)
  /// Text that describes the video.
  package static let descriptions = Disposition(rawValue: AV_DISPOSITION_DESCRIPTIONS)

  /// The flags that are set, each with FFmpeg's name.
  package var names: [(flag: Disposition, name: String)] {
    (0..<31).compactMap { bit in
      let flag = Disposition(rawValue: 1 << bit)
      guard contains(flag), let name = unsafe string(av_disposition_to_string(flag.rawValue)) else {
        return nil
      }
      return (flag, name)
    }
  }
}

func tags(_ dictionary: OpaquePointer?) -> [Tag] {
  var result: [Tag] = []
  var entry: UnsafeMutablePointer<AVDictionaryEntry>? = nil
  while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
    unsafe result.append(
      Tag(key: string(next.pointee.key) ?? "", value: string(next.pointee.value) ?? ""))
    unsafe entry = next
  }
  return result
}

extension StreamInfo {
  init(_ stream: UnsafePointer<AVStream>) throws(LibAVError) {
    let source = unsafe stream.pointee
    var matrixSize = 0
    let matrix = unsafe rw_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &matrixSize)
    let parameters = try unsafe CodecParameters(copying: source.codecpar)
    let tags = unsafe LibAV.tags(source.metadata)
    var format = unsafe MediaFormat(
      kind: MediaKind(source.codecpar.pointee.codec_type), parameters: parameters,
      averageFrameRate: Rational(source.avg_frame_rate),
      baseFrameRate: Rational(source.r_frame_rate),
      sampleAspectRatio: Rational(
        source.sample_aspect_ratio.num != 0
          ? source.sample_aspect_ratio : source.codecpar.pointee.sample_aspect_ratio),
      displayMatrix: matrix.flatMap { data in
        guard matrixSize >= 36 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: 36)
        return (0..<9).map { unsafe bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
      }, sideData: SideData.list(of: stream))
    format.hasSeparateAlpha = format.hasSeparateAlpha(by: tags)
    if format.hasSeparateAlpha, let deeper = parameters.pixelFormat.withAlpha {
      format.parameters = try CodecParameters(parameters, as: deeper)
    }
    unsafe self.init(
      index: Int(source.index), id: Int(source.id), timeBase: TimeBase(source.time_base),
      startTime: timestamp(source.start_time),
      duration: source.duration > 0 ? source.duration : nil,
      disposition: Disposition(rawValue: source.disposition), metadata: tags, format: format,
      attachedPictureSize: Int(max(0, source.attached_pic.size)))
  }
}
