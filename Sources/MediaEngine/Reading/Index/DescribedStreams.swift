import LibAV
import MediaTime
import SystemIO

extension MediaSource {
  /// Has the streams of a movie know which of their samples have which description, where there are several:
  /// as links that begin with the first sample of each.
  ///
  /// - Parameter bytes: the movie as it is.
  /// - Returns: the indexes of all streams, by which that is known.
  func describe(
    _ streams: inout [StreamInfo], by use: SampleDescriptionUse, _ bytes: any ByteSource,
    interrupt: Interrupt
  ) throws(EngineError) -> [Int: SampleIndex] {
    for track in use.tracks where track.used.count > 1 {
      guard let place = streams.firstIndex(where: { $0.id == track.id }) else { continue }
      streams[place].descriptionPlaces = track.places
    }
    let file = use.source(bytes)
    let indexes = try scanMovie(file, streams: streams, interrupt: interrupt)
    for track in use.tracks where track.used.count > 1 {
      guard let place = streams.firstIndex(where: { $0.id == track.id }),
        let index = indexes[streams[place].index]
      else { continue }
      var formats = [streams[place]]
      formats[0].descriptionPlaces = []
      for number in track.used.indices.dropFirst() {
        let other = use.source(bytes, describing: number, ofTrack: track.id)
        formats.append(
          try format(
            number, of: streams[place], index: index, in: other, file, interrupt: interrupt))
      }
      streams[place].take(formats, index)
    }
    return indexes
  }

  /// Returns the indexes by the samples of a movie, which stay unread where its tables describe
  /// them completely.
  private func scanMovie(
    _ file: any ByteSource, streams: [StreamInfo], interrupt: Interrupt
  ) throws(EngineError) -> [Int: SampleIndex] {
    let trustsTables = streams.allSatisfy {
      CodecTraits($0.parameters.codecName).isFullyIndexedByMovies
    }
    var demuxer = try makeDemuxer(file, trustsTables: trustsTables, interrupt: interrupt)
    return try scan(&demuxer, streams: streams, trustsTables: trustsTables)
  }

  /// Returns a stream with the format of another of its descriptions, by the header and by a
  /// decoder's output for the first samples.
  ///
  /// - Parameter described: the movie with that description alone.
  private func format(
    _ number: Int, of stream: StreamInfo, index: SampleIndex, in described: any ByteSource,
    _ file: any ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> StreamInfo {
    let header = try makeDemuxer(described, trustsTables: true, interrupt: interrupt)
    var format = stream
    format.descriptionPlaces = []
    guard let stated = header.streams.first(where: { $0.id == stream.id }) else { return format }
    format.parameters = stated.parameters
    format.sideData = stated.sideData
    format.sampleAspectRatio = stated.sampleAspectRatio
    let first = index.samples.first { stream.descriptionNumber(at: $0.position) == number }
    guard let first else { return format }
    var demuxer = try makeDemuxer(file, trustsTables: true, interrupt: interrupt)
    demuxer.select(streams: [stream.index])
    do throws(LibAVError) {
      try demuxer.seek(stream: stream.index, to: first.pts)
      if let (parameters, ratio) = try FirstFrame(of: format, number).parameters(&demuxer, stream) {
        format.parameters = parameters
        if ratio.isPositive { format.sampleAspectRatio = ratio }
      }
    } catch {
      // A format that can't be decoded is described by its header.
      if error.endsWork { throw EngineError(error, stage: .probe, path: path) }
    }
    return format
  }
}

/// Decodes samples of one description until a frame shows their format.
private struct FirstFrame {
  /// No codec delays more pictures, and few samples of audio only prepare a decoder.
  private static let sampleLimit = 64

  let format: StreamInfo
  let number: Int

  init(of format: StreamInfo, _ number: Int) { (self.format, self.number) = (format, number) }

  /// - Parameter stream: with the places of all descriptions.
  func parameters(
    _ demuxer: inout Demuxer, _ stream: StreamInfo
  ) throws(LibAVError) -> (CodecParameters, aspectRatio: Rational)? {
    var decoder = try Decoder(stream: format)
    var packet = try Packet()
    var frame = try Frame()
    var count = 0
    while count < Self.sampleLimit, try demuxer.read(into: &packet) {
      guard packet.streamIndex == stream.index,
        stream.descriptionNumber(at: packet.position) == number
      else {
        if count > 0 { break }
        continue
      }
      count += 1
      try decoder.send(packet)
      if try decoder.receive(into: &frame) == .frame { return try decoder.parameters() }
    }
    guard count > 0 else { return nil }
    try decoder.drain()
    return try decoder.receive(into: &frame) == .frame ? try decoder.parameters() : nil
  }
}

extension StreamInfo {
  /// Stores the format of each description, and leaves out descriptions that are the same as an
  /// earlier one.
  ///
  /// - Parameter formats: by the numbers of ``descriptionPlaces``.
  fileprivate mutating func take(_ formats: [StreamInfo], _ index: SampleIndex) {
    let numbers = formats.indices.map { number in
      formats[..<number].firstIndex { $0.isDescribed(as: formats[number]) } ?? number
    }
    var places: [DescriptionPlace] = []
    for place in descriptionPlaces where places.last?.number != numbers[place.number] {
      places.append(DescriptionPlace(position: place.position, number: numbers[place.number]))
    }
    descriptionPlaces = Set(places.map(\.number)).count > 1 ? places : []
    guard !descriptionPlaces.isEmpty else { return }
    for sample in index.samples {
      let number = descriptionNumber(at: sample.position) ?? 0
      if links.last?.number != number {
        links.append(StreamLink(number: number, start: sample.pts, stream: formats[number]))
      }
    }
  }

  /// Returns true if samples of both need the same decoder and result in the same frames or audio.
  private func isDescribed(as other: StreamInfo) -> Bool {
    let (a, b) = (parameters, other.parameters)
    return a.codecName == b.codecName && a.codecTag == b.codecTag && a.extradata == b.extradata
      && (a.width, a.height) == (b.width, b.height) && a.pixelFormat == b.pixelFormat
      && a.sampleRate == b.sampleRate && a.channelLayout == b.channelLayout
      && a.color == b.color && sampleAspectRatio == other.sampleAspectRatio
      && Set(sideData) == Set(other.sideData)
  }
}
