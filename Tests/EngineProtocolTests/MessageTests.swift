import EngineProtocol
import EngineServer
import JSONRPC
import Testing

@Suite struct MessageTests {
  static let methods: [(type: String, method: String)] =
    Engine.requests.map { ("\($0)", $0.method) }
    + (clientNotifications + serverNotifications).map { ("\($0)", $0.method) }

  @Test func everyMethodIsDeclaredOnce() {
    let methods = Self.methods.map(\.method)
    #expect(Set(methods).count == methods.count)
  }

  @Test func aTypeIsNamedAfterItsMethod() {
    for (type, method) in Self.methods {
      let words = method.split { !$0.isLetter }
      #expect(type == words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())
    }
  }

  @Test func everyMessageHasASample() {
    #expect(Set(Samples.all.map(\.method)) == Set(Self.methods.map(\.method)))
  }

  @Test(arguments: Samples.all) func paramsSurviveARoundTrip(_ sample: Sample) throws {
    #expect(try roundTrip(sample.type, sample.params) == JSONValue(parsing: sample.params).sorted)
  }

  @Test(arguments: Samples.all.filter { $0.result != nil })
  func resultsSurviveARoundTrip(_ sample: Sample) throws {
    let type = try #require(sample.result)
    #expect(!sample.results.isEmpty)
    for result in sample.results {
      #expect(try roundTrip(type, result) == JSONValue(parsing: result).sorted)
    }
  }

  /// The members that the declarations call required are required, and no others. The id of a
  /// cancellation may be any JSON, null among it, so nothing can be missed there. Null is a value
  /// of a ``NullableSetting``.
  @Test(arguments: Samples.all.filter { $0.method != CancelRequest.method })
  func optionalMembersMayBeNullOrAbsent(_ sample: Sample) throws {
    let missing = try Set(problems(of: sample.type, "{}").map(\.path))
    guard case .object(let members) = try JSONValue(parsing: sample.params) else {
      Issue.record("the params of \(sample.method) are no object")
      return
    }
    let optional = members.filter { !missing.contains("/" + $0.key) }
    let settings = optional.filter {
      ["audioMix", "videoComposition", "audioDevice", "enabledTrackIDs"].contains($0.key)
    }
    let nulls = members.filter { !settings.contains($0) }.map { member in
      JSONValue.Member(
        key: member.key, value: optional.contains(member) ? .null : member.value)
    }
    let absent = members.filter { !optional.contains($0) }
    #expect(try roundTrip(sample.type, "\(JSONValue.object(nulls))") == .object(absent).sorted)
    #expect(try roundTrip(sample.type, "\(JSONValue.object(absent))") == .object(absent).sorted)
  }

  @Test func keysAndValuesAgree() throws {
    let asset = try JSONValue(parsing: Samples.assetValues)
    #expect(Set(asset.keys) == Set(WireAssetKey.allCases.map(\.rawValue)))
    let track = try JSONValue(parsing: Samples.trackValues)
    #expect(Set(track.keys) == Set(WireTrackKey.allCases.map(\.rawValue)))
  }

  /// The generator uses the names of cases as the strings on the wire.
  @Test func casesAreNamedAsOnTheWire() {
    func check<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) {
      for value in type.allCases { #expect("\(value)" == value.rawValue) }
    }
    check(HandleKind.self)
    check(WireActionAtItemEnd.self)
    check(WireAlphaChannelMode.self)
    check(WireApertureMode.self)
    check(WireAssetKey.self)
    check(WireAudioDeviceKind.self)
    check(WireAudioFileSampleFormat.self)
    check(WireAudioJoin.self)
    check(WireBlobKind.self)
    check(WireCompletion.self)
    check(WireDynamicRangePolicy.self)
    check(WireExportStatus.self)
    check(WireFieldDetail.self)
    check(WireFieldOrder.self)
    check(WireHostClock.self)
    check(WireImageFormat.self)
    check(WireJumpCause.self)
    check(WireKeyStatus.self)
    check(WireLogLevel.self)
    check(WireLooperOrdering.self)
    check(WireLooperStatus.self)
    check(WireMediaCharacteristic.self)
    check(WireMediaType.self)
    check(WireNoPictureReason.self)
    check(WireOutcome.self)
    check(WirePlaybackDirection.self)
    check(WirePlaybackStatus.self)
    check(WirePlayerAudioStatus.self)
    check(WirePlayerClock.self)
    check(WireRateChangeReason.self)
    check(WireReaderOutputType.self)
    check(WireReaderStatus.self)
    check(WireRounding.self)
    check(WireSegmentTreatment.self)
    check(WireTimeControlStatus.self)
    check(WireTimeObserverCause.self)
    check(WireTrackAssociationType.self)
    check(WireTrackKey.self)
    check(WireTrimMode.self)
    check(WireVideoJoin.self)
    check(WireVideoOutputDelivery.self)
    check(WireVideoOutputMode.self)
    check(WireWaitingReason.self)
  }
}
