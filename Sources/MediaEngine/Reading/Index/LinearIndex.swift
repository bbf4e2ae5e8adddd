import LibAV
import SystemIO

// Demuxers of linear samples cut these into packets of one size, and seek to a sample by its number
// (`ff_pcm_read_seek`): the packets of the middle follow from the first ones. Only the end depends on
// the file: on its length, on the length that its header states, and on further chunks of samples.

extension MediaSource {
  /// The number of packets at the start by which those of the middle are predicted.
  private static let packetsAtStart = 2
  /// The number of packets before the presumed end from which packets are read again.
  private static let packetsAtEnd = 2
  /// Fewer packets are read one by one.
  private static let fewPackets: Int64 = 64

  /// Returns the indexes of a file of linear samples, of which only both ends are read.
  ///
  /// - Returns: nil for other files, and where the packets at the end aren't those that the packets at
  ///   the start predict.
  func linearIndexes(
    of container: Container, interrupt: Interrupt
  ) throws(EngineError) -> [Int: SampleIndex]? {
    let streams = container.streams.filter { $0.attachedPictureSize == 0 }
    guard container.demuxer.seeksLinearSamplesByNumber, streams.count == 1,
      let stream = streams.first, CodecTraits(stream.parameters.codecName).isPCM
    else { return nil }
    var demuxer = try demuxerAtStart(of: container, interrupt: interrupt)
    var builders: [Int: SampleIndex.Builder] = [:]
    let start = demuxer.attachedPictureCount + MediaSource.packetsAtStart
    try read(
      &demuxer, into: &builders, upTo: start, streams: container.streams, trustsTables: false)
    guard let first = builders[stream.index]?.samples,
      let middle = packets(after: first, of: stream, size: container.size), let last = middle.last
    else { return nil }
    do throws(LibAVError) {
      try demuxer.seek(stream: stream.index, to: last.pts)
    } catch {
      if error.endsWork { throw EngineError(error, stage: .index, path: path) }
      return nil
    }
    var end: [Int: SampleIndex.Builder] = [:]
    try read(
      &demuxer, into: &end, upTo: SampleIndex.maximumCount - middle.count,
      streams: container.streams, trustsTables: false)
    guard demuxer.damage == nil, end.count == 1, let rest = end[stream.index]?.samples,
      rest.first == last
    else { return nil }
    builders[stream.index]?.append(middle.dropLast() + rest)
    DemuxerPool.shared.put(OpenDemuxer(demuxer: demuxer, isAtStart: false), of: self)
    return indexes(&builders)
  }

  private func demuxerAtStart(
    of container: Container, interrupt: Interrupt
  ) throws(EngineError) -> Demuxer {
    if let spare = DemuxerPool.shared.take(of: self, atStart: true, interrupt: interrupt) {
      return spare.demuxer
    }
    return try makeDemuxer(container.file, interrupt: interrupt)
  }

  /// Returns the packets that follow the first ones, up to shortly before the end of the samples
  /// that the header states, or of the file; nil where the first ones aren't alike, or for few.
  private func packets(
    after first: [SampleIndex.Sample], of stream: StreamInfo, size: Int64
  ) -> [SampleIndex.Sample]? {
    guard first.count == MediaSource.packetsAtStart, let model = first.first, model.position >= 0,
      model.size > 0, model.duration > 0, model.pts.magnitude < 1 << 40
    else { return nil }
    let packet = { (number: Int64) in
      var sample = model
      sample.pts += number * model.duration
      sample.dts += number * model.duration
      sample.position += number * Int64(model.size)
      return sample
    }
    guard first.indices.allSatisfy({ first[$0] == packet(Int64($0)) }) else { return nil }
    let inFile = (size - model.position) / Int64(model.size)
    let stated = stream.duration.map { max(0, $0) / model.duration }
    let count = min(inFile, stated ?? inFile) - Int64(MediaSource.packetsAtEnd)
    guard count >= MediaSource.fewPackets, count <= Int64(SampleIndex.maximumCount) else {
      return nil
    }
    return (Int64(first.count)..<count).map(packet)
  }
}
