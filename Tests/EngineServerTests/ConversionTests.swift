import EngineProtocol
import JSONRPC
import Logging
import MediaTime
import TestSupport
import Testing

@testable import EngineServer
@testable import MediaEngine

/// The engine's cases and the wire's have the same names. That each has a counterpart is the compiler's
/// business where a switch converts them, and these tests' where a name does.
@Suite struct ConversionTests {
  @Test(arguments: WireMediaType.allCases) func mediaTypes(_ wire: WireMediaType) {
    let engine = MediaType(wire)
    #expect(engine.rawValue == wire.rawValue)
    #expect(WireMediaType(engine) == wire)
  }

  @Test(arguments: WireMediaCharacteristic.allCases)
  func mediaCharacteristics(_ wire: WireMediaCharacteristic) {
    let engine = MediaCharacteristic(wire)
    #expect(engine.rawValue == wire.rawValue)
    #expect(WireMediaCharacteristic(engine) == wire)
  }

  @Test(arguments: WireTrackAssociationType.allCases)
  func trackAssociationTypes(_ wire: WireTrackAssociationType) {
    let engine = TrackAssociationType(wire)
    #expect(engine.rawValue == wire.rawValue)
    #expect(WireTrackAssociationType(engine) == wire)
  }

  @Test(arguments: WireTrimMode.allCases) func trimModes(_ wire: WireTrimMode) {
    let engine = ExportSession.TrimMode(wire)
    #expect(engine.rawValue == wire.rawValue)
    #expect(WireTrimMode(engine) == wire)
  }

  @Test(arguments: WireLogLevel.allCases) func logLevels(_ wire: WireLogLevel) {
    let engine = Logger.Level(wire)
    #expect(engine?.rawValue == (wire == .off ? nil : wire.rawValue))
    #expect(engine.map(WireLogLevel.init) == (wire == .off ? nil : wire))
  }

  @Test(arguments: WireRounding.allCases) func roundings(_ wire: WireRounding) {
    #expect(RoundingMethod(wire).rawValue == wire.rawValue)
  }

  @Test(arguments: WireFieldOrder.allCases) func fieldOrders(_ wire: WireFieldOrder) throws {
    let engine = try #require(FormatDescription.FieldOrder(rawValue: wire.rawValue))
    #expect(WireFieldOrder(engine) == wire)
  }

  @Test(arguments: WireReaderStatus.allCases) func readerStatuses(_ wire: WireReaderStatus) throws {
    let engine = try #require(AssetReader.Status(rawValue: wire.rawValue))
    #expect(WireReaderStatus(engine) == wire)
  }

  @Test(arguments: WireExportStatus.allCases) func exportStatuses(_ wire: WireExportStatus) throws {
    let engine = try #require(ExportSession.Status(rawValue: wire.rawValue))
    #expect(WireExportStatus(engine) == wire)
  }

  @Test(arguments: WireDroppedItem.allCases) func droppedItems(_ wire: WireDroppedItem) throws {
    let engine = try #require(ExportSession.Dropped.Item(rawValue: wire.rawValue))
    #expect(WireDroppedItem(engine) == wire)
  }

  @Test(arguments: WireTrackTreatment.allCases)
  func trackTreatments(_ wire: WireTrackTreatment) throws {
    let engine = try #require(ExportPlanner.PlannedTrack.Treatment(rawValue: wire.rawValue))
    #expect(WireTrackTreatment(engine) == wire)
  }

  @Test(arguments: WireSegmentTreatment.allCases)
  func segmentTreatments(_ wire: WireSegmentTreatment) throws {
    let engine = try #require(ExportedSegment.Treatment(rawValue: wire.rawValue))
    #expect(WireSegmentTreatment(engine) == wire)
  }

  @Test(arguments: WireAudioJoin.allCases, WireVideoJoin.allCases)
  func joins(_ audio: WireAudioJoin, _ video: WireVideoJoin) {
    let engine = JoinSettings(WireJoins(audio: audio, video: video))
    #expect((engine.audio.rawValue, engine.video.rawValue) == (audio.rawValue, video.rawValue))
    #expect(JoinSettings(WireJoins()) == JoinSettings())
  }

  // MARK: Keys

  /// The state of a key is the member of its name, and no other; the engine's property has that name too.
  @Test(arguments: WireAssetKey.allCases) func assetKeys(_ wire: WireAssetKey) throws {
    let asset = URLAsset(url: "/nowhere.mp4")
    #expect(wire.binding.property.name == wire.rawValue)
    #expect(try members(of: WireAssetValues([wire], of: asset)) == [wire.rawValue])
  }

  @Test(arguments: WireTrackKey.allCases) func trackKeys(_ wire: WireTrackKey) throws {
    #expect(wire.binding.property.name == wire.rawValue)
    #expect(try members(of: WireTrackValues([wire], of: nil)) == [wire.rawValue])
  }

  private func members(of value: some Encodable) throws -> [String] {
    guard case .object(let members) = try JSONValue(parsing: JSONEncoding.encode(value)) else {
      Issue.record("not an object")
      return []
    }
    return members.map(\.key)
  }

  /// Each value has the form that the bridge expects: a loaded key comes with a value.
  @Test func loadedKeysHaveValues() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("tagged.mp4")
    // Items that only some files have, so that every key has a value.
    try await succeed([
      "ffmpeg", "-v", "error", "-i", try await Fixture.twoAudio.path, "-map", "0", "-c", "copy",
      "-metadata", "creation_time=2020-02-02T02:02:02Z", "-metadata", "lyrics=la la",
      "-metadata:s:v:0", "language=eng", path,
    ])
    let asset = URLAsset(url: path)
    let keys = WireAssetKey.allCases
    await PartialAssetProperty.load(keys.map(\.binding.property), of: asset)
    try expectValues(of: WireAssetValues(keys, of: asset), count: keys.count)
    let tracks = try await asset.load(.tracks)
    #expect(tracks.count == 3)
    for track in tracks {
      let keys = WireTrackKey.allCases
      await PartialAssetProperty.load(keys.map(\.binding.property), of: track)
      try expectValues(of: WireTrackValues(keys, of: track), count: keys.count)
    }
  }

  private func expectValues(of values: some Encodable, count: Int) throws {
    guard case .object(let members) = try JSONValue(parsing: JSONEncoding.encode(values)) else {
      Issue.record("not an object")
      return
    }
    #expect(members.count == count)
    for member in members {
      #expect(member.value["status"] == "loaded", "\(member.key)")
      #expect(member.value["value"] != nil, "\(member.key)")
    }
  }

  // MARK: Names

  /// No format of one side is unknown to the other.
  @Test func imageFormats() throws {
    for wire in WireImageFormat.allCases {
      do throws(EngineError) {
        _ = try ImageOutput(format: wire.rawValue).kind()
      } catch {
        #expect(error.code == .encoderNotFound, "\(wire)")
      }
    }
    for name in EngineHost.imageFormats + ImageOutput.rawFormats {
      #expect(WireImageFormat(rawValue: name) != nil, "\(name)")
    }
  }
}
