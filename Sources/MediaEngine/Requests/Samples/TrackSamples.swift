import LibAV
import MediaTime
import SystemIO

/// The index of a track, with the means to convert its samples' times and properties to the asset's.
final class TrackSamples: Sendable {
  let index: SampleIndex
  let timeBase: TimeBase
  private let origin: Time
  private let isStoredAsRead: Bool
  private let refresh: DecoderRefresh

  /// - Parameter isStoredAsRead: true where samples' positions are those of their bytes.
  init(
    index: SampleIndex, timeBase: TimeBase, origin: Time = .zero, isStoredAsRead: Bool = true,
    refresh: DecoderRefresh = .randomAccess
  ) {
    self.index = index
    self.timeBase = timeBase
    self.origin = origin
    self.isStoredAsRead = isStoredAsRead
    self.refresh = refresh
  }

  convenience init(_ media: StoredTrack, interrupt: Interrupt) throws(EngineError) {
    let container = try media.source.open(interrupt: interrupt)
    // The tables of fragments are often wrong, so that a few bytes of each sync sample are checked as well.
    let hasFragments = try media.source.movie(interrupt: interrupt)?.containsFragments ?? false
    let index =
      hasFragments
      ? try media.source.checkedIndex(of: media, interrupt: interrupt)
      : try media.index(interrupt: interrupt)
    self.init(
      index: index, timeBase: media.stream.timeBase,
      origin: media.origin, isStoredAsRead: container.demuxer.storesSamplesAsRead,
      refresh: DecoderRefresh(media.stream.format))
  }

  /// Creates the samples that an edit list presents.
  convenience init(_ edited: EditedIndex, of media: StoredTrack) {
    self.init(
      index: edited.index, timeBase: edited.timeBase, refresh: DecoderRefresh(media.stream.format))
  }

  /// Returns a time of the track on the asset's clock.
  func assetTime(_ ticks: Int64) -> Time { Time(ticks: ticks, in: timeBase) - origin }

  /// Returns the tick at or before a time of the asset's clock.
  func ticks(_ time: Time) -> Int64 {
    (time + origin).ticks(in: timeBase, rounding: .towardNegativeInfinity)
  }

  func info(ofSample place: Int) -> SampleInfo {
    let sample = index.samples[place]
    let isDisposable = sample.flags.contains(.disposable)
    return SampleInfo(
      index: place, presentationTime: assetTime(sample.pts),
      isPresentationTimeInferred: sample.flags.contains(.inferredPTS),
      decodeTime: sample.flags.contains(.inferredDTS) ? nil : assetTime(sample.dts),
      duration: sample.isDurationUnknown
        ? .indefinite : Time(ticks: index.statedDuration(ofSample: place), in: timeBase),
      isDurationDerived: sample.flags.contains(.derivedDuration), size: Int(sample.size),
      storageRange: SampleInfo.StorageRange(
        offset: isStoredAsRead ? sample.position : -1, length: Int64(sample.size)),
      packetPosition: sample.position >= 0 ? sample.position : nil, isSync: sample.isSync,
      isDroppable: isDisposable, dependsOnOthers: sample.isSync ? false : nil,
      hasDependentSamples: isDisposable ? false : nil, isDiscarded: sample.isDiscarded,
      samplesRequiredForDecoderRefresh: refresh.samplesRequired(before: place, self),
      audioDependency: refresh.dependency(of: sample, self))
  }

  /// Returns the samples around the one at `place` that follow each other in the file without a gap.
  func chunk(around place: Int) -> SampleChunk {
    let samples = index.samples
    var (first, last) = (place, place)
    while first > 0, isContiguous(first - 1) { first -= 1 }
    while last + 1 < samples.count, isContiguous(last) { last += 1 }
    let chunk = samples[first...last]
    return SampleChunk(
      storageRange: SampleInfo.StorageRange(
        offset: isStoredAsRead ? samples[first].position : -1,
        length: chunk.reduce(0) { $0 + Int64($1.size) }),
      sampleCount: chunk.count, sampleIndexInChunk: place - first,
      hasUniformSampleSizes: chunk.allSatisfy { $0.size == samples[first].size },
      hasUniformSampleDurations: chunk.allSatisfy { $0.duration == samples[first].duration })
  }

  /// Returns true where the sample after the one at `place` begins in the file at the end of that one.
  private func isContiguous(_ place: Int) -> Bool {
    let sample = index.samples[place]
    guard isStoredAsRead, sample.position >= 0 else { return false }
    let (end, overflow) = sample.position.addingReportingOverflow(Int64(sample.size))
    return !overflow && index.samples[place + 1].position == end
  }
}

extension DecoderRefresh {
  init(_ format: MediaFormat) {
    let traits = CodecTraits(format.parameters.codecName)
    let ofProfile = format.parameters.profile.flatMap { traits.refreshOfProfiles[$0] }
    self = format.kind == .audio ? ofProfile ?? traits.refresh : .randomAccess
  }

  func samplesRequired(before place: Int, _ track: TrackSamples) -> Int {
    switch self {
    case .packets(let count): return min(count, place)
    case .duration(let duration):
      var missing = duration.ticks(in: track.timeBase, rounding: .towardPositiveInfinity)
      var count = 0
      // No packet of Opus is shorter than 2.5 ms.
      while count < min(place, 32), missing > 0 {
        count += 1
        missing -= min(missing, track.index.samples[place - count].duration)
      }
      return count
    case .randomAccess, .syncSamples:
      return place - track.index.randomAccessPoint(forSample: place)
    }
  }

  func dependency(
    of sample: SampleIndex.Sample, _ track: TrackSamples
  ) -> SampleInfo.AudioDependency? {
    switch self {
    case .randomAccess: return nil
    case .packets(let count):
      return SampleInfo.AudioDependency(isIndependentlyDecodable: true, packetRefreshCount: count)
    case .duration(let duration):
      let ticks = duration.ticks(in: track.timeBase, rounding: .towardPositiveInfinity)
      let count = sample.duration > 0 ? (ticks - 1) / sample.duration + 1 : nil
      return SampleInfo.AudioDependency(
        isIndependentlyDecodable: true, packetRefreshCount: count.map { Int(clamping: $0) })
    case .syncSamples:
      return SampleInfo.AudioDependency(isIndependentlyDecodable: sample.isSync)
    }
  }
}
