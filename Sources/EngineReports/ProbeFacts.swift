import EngineClient
import EngineProtocol
import JSONRPC

/// The facts of a file, as `--json` prints them.
package struct ProbeFacts: Encodable, Sendable {
  package struct Track: Encodable, Sendable {
    package var track: WireTrack
    package var timeRange: WireTimeRange?
    package var estimatedDataRate: Double?
    package var nominalFrameRate: Double?
    package var preferredTransform: WireTransform?
    package var formatDescriptions: [WireFormatDescription]
    package var metadata: [WireMetadataItem]

    private enum CodingKeys: String, CodingKey {
      case timeRange, estimatedDataRate, nominalFrameRate, preferredTransform
      case formatDescriptions, metadata
    }

    package func encode(to encoder: any Encoder) throws {
      try track.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(timeRange, forKey: .timeRange)
      try container.encodeIfPresent(estimatedDataRate, forKey: .estimatedDataRate)
      try container.encodeIfPresent(nominalFrameRate, forKey: .nominalFrameRate)
      try container.encodeIfPresent(preferredTransform, forKey: .preferredTransform)
      try container.encode(formatDescriptions, forKey: .formatDescriptions)
      try container.encode(metadata, forKey: .metadata)
    }
  }

  package var url: String
  package var duration: WireTime?
  package var providesPreciseDurationAndTiming: Bool?
  package var hasProtectedContent: Bool?
  package var isPlayable: Bool?
  package var containerFacts: WireContainerFacts?
  package var tracks: [Track]
  package var chapters: [WireTimedMetadataGroup]
  package var metadata: [WireMetadataItem]

  /// - Throws: the error of the first key that can't be loaded.
  package static func load(
    _ file: String, _ asset: AssetHandle, from client: EngineClient
  ) async throws -> ProbeFacts {
    let values = try await client.finish(
      AssetLoadValues(
        asset: asset,
        keys: [
          .tracks, .duration, .providesPreciseDurationAndTiming, .hasProtectedContent, .isPlayable,
          .metadata, .containerFacts,
        ], completion: .response)
    ).values
    let listed = try required(values.tracks) ?? []
    var tracks: [Track] = []
    for track in listed { tracks.append(try await load(track, of: asset, from: client)) }
    let facts = ProbeFacts(
      url: file, duration: try required(values.duration),
      providesPreciseDurationAndTiming: values.providesPreciseDurationAndTiming?.value,
      hasProtectedContent: values.hasProtectedContent?.value, isPlayable: values.isPlayable?.value,
      containerFacts: values.containerFacts?.value, tracks: tracks,
      chapters: try await client.call(AssetChapterMetadataGroups(asset: asset)).groups,
      metadata: values.metadata?.value ?? [])
    return facts
  }

  private static func load(
    _ track: WireTrack, of asset: AssetHandle, from client: EngineClient
  ) async throws -> Track {
    let values = try await client.finish(
      TrackLoadValues(
        asset: asset, trackID: track.trackID,
        keys: [
          .timeRange, .estimatedDataRate, .nominalFrameRate, .preferredTransform,
          .formatDescriptions, .metadata,
        ], completion: .response)
    ).values
    return Track(
      track: track, timeRange: values.timeRange?.value,
      estimatedDataRate: values.estimatedDataRate?.value,
      nominalFrameRate: values.nominalFrameRate?.value,
      preferredTransform: values.preferredTransform?.value,
      formatDescriptions: values.formatDescriptions?.value ?? [],
      metadata: values.metadata?.value ?? [])
  }

  private static func required<Value>(_ state: WireKeyState<Value>?) throws -> Value? {
    if let error = state?.error { throw RPCError(error) }
    return state?.value
  }
}
