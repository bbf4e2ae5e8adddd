import EngineProtocol
import JSONRPC
import Testing

/// Loading from a file whose bytes don't come, or stop coming.
struct AssetLoadingTests {
  private func withSlowFile(
    _ fixture: Fixture, isOpen: Bool = false,
    _ body: (TestClient, SlowSource, AssetHandle) async throws -> Void
  ) async throws {
    let source = try SlowSource(path: try await fixture.path, isOpen: isOpen)
    // Nothing may wait at the gate when the test is over.
    defer { source.open() }
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      try await body(client, source, try await client.open(fixture))
    }
  }

  private func begin(
    _ client: TestClient, _ asset: AssetHandle, _ keys: [WireAssetKey]
  ) async throws -> OperationHandle {
    guard
      case .started(let operation) = try await client.call(
        AssetLoadValues(asset: asset, keys: keys))
    else { throw NotStarted() }
    return operation
  }

  private struct NotStarted: Error {}

  private func status(
    _ client: TestClient, _ asset: AssetHandle, _ keys: [WireAssetKey] = [.tracks]
  ) async throws -> WireAssetValues {
    try await client.call(AssetValueStatus(asset: asset, keys: keys)).values
  }

  @Test func keysGoFromUnknownThroughLoadingToLoaded() async throws {
    try await withSlowFile(.bframes) { client, source, asset in
      #expect(try await status(client, asset).tracks?.status == .unknown)
      let operation = try await begin(client, asset, [.tracks])
      await source.someoneWaits()
      let loading = try await status(client, asset, [.tracks, .duration])
      #expect(loading.tracks?.status == .loading)
      #expect(loading.duration?.status == .unknown)
      source.open()
      let end = try await client.terminal(AssetDidLoadValues.self, of: operation)
      #expect(end.values.tracks?.status == .loaded)
      #expect(try await status(client, asset).tracks?.status == .loaded)
    }
  }

  @Test func whoeverAsksMeanwhileSharesTheWork() async throws {
    try await withSlowFile(.bframes) { client, source, asset in
      var operations: [OperationHandle] = []
      for keys in [[.tracks], [.tracks, .duration], [.metadata, .tracks]] as [[WireAssetKey]] {
        operations.append(try await begin(client, asset, keys))
      }
      await source.someoneWaits()
      source.open()
      for operation in operations {
        let end = try await client.terminal(AssetDidLoadValues.self, of: operation)
        #expect(end.values.tracks?.status == .loaded)
      }
      #expect(source.opens == 1)
    }
  }

  /// The blocked read continues for any length of time; the caller is answered at once.
  @Test func cancelLoadingDoesNotWaitForTheFile() async throws {
    try await withSlowFile(.bframes) { client, source, asset in
      let first = try await begin(client, asset, [.tracks, .duration])
      let second = try await begin(client, asset, [.tracks])
      await source.someoneWaits()
      _ = try await client.call(AssetCancelLoading(asset: asset))
      for operation in [first, second] {
        let end = try await client.terminal(AssetDidLoadValues.self, of: operation)
        #expect(end.values.tracks?.status == .cancelled)
      }
      #expect(try await status(client, asset).tracks?.status == .cancelled)
      source.open()
      let again = try await begin(client, asset, [.tracks])
      let end = try await client.terminal(AssetDidLoadValues.self, of: again)
      #expect(end.values.tracks?.status == .loaded)
    }
  }

  @Test func whatIsLoadedStaysWhenTheRestIsCancelled() async throws {
    try await withSlowFile(.matroska, isOpen: true) { client, source, asset in
      let track = try #require(try await client.call(AssetTracks(asset: asset)).tracks.first)
      source.close()
      guard
        case .started(let operation) = try await client.call(
          TrackLoadValues(
            asset: asset, trackID: track.trackID, keys: [.totalSampleDataLength, .naturalSize]))
      else { throw NotStarted() }
      await source.someoneWaits()
      // Keys that the header answers don't wait for keys that need a scan of the file.
      let quick = try await client.call(
        TrackLoadValues(
          asset: asset, trackID: track.trackID, keys: [.naturalSize], completion: .response))
      guard case .finished(let values) = quick else { throw NotStarted() }
      #expect(values.values.naturalSize?.status == .loaded)
      _ = try await client.call(AssetCancelLoading(asset: asset))
      let end = try await client.terminal(TrackDidLoadValues.self, of: operation).values
      #expect(end.totalSampleDataLength?.status == .cancelled)
      #expect(end.naturalSize?.status == .loaded)
      #expect(try await status(client, asset).tracks?.status == .loaded)
    }
  }

  @Test func closingTheHandleEndsTheOperation() async throws {
    try await withSlowFile(.bframes) { client, source, asset in
      let operation = try await begin(client, asset, [.tracks, .metadata])
      await source.someoneWaits()
      _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      let end = try await client.terminal(AssetDidLoadValues.self, of: operation)
      #expect(end.values.tracks?.status == .cancelled)
      #expect(end.values.metadata?.status == .cancelled)
    }
  }

  @Test func cancellingTheRequestAnswersIt() async throws {
    try await withSlowFile(.bframes) { client, source, asset in
      let request = try client.start(
        AssetLoadValues(asset: asset, keys: [.tracks], completion: .response))
      let tracks = try client.start(AssetTracks(asset: asset))
      await source.someoneWaits()
      client.cancelRequest(request)
      client.cancelRequest(tracks)
      for id in [request, tracks] {
        let answer = try await client.answer(to: id)
        #expect(answer["error"]?["code"]?.integerValue == -32800)
      }
    }
  }

  @Test func anotherAssetDoesNotNotice() async throws {
    try await withSlowFile(.bframes) { client, source, asset in
      let blocked = try await begin(client, asset, [.tracks])
      await source.someoneWaits()
      let other = try await client.open(.matroska)
      #expect(try await client.call(AssetTracks(asset: other)).tracks.isEmpty == false)
      source.open()
      _ = try await client.terminal(AssetDidLoadValues.self, of: blocked)
    }
  }

  /// Each key has a status and an error of its own.
  @Test func aKeyFailsForItself() async throws {
    try await withSlowFile(.matroska, isOpen: true) { client, source, asset in
      let track = try #require(try await client.call(AssetTracks(asset: asset)).tracks.first)
      source.fail()
      guard
        case .finished(let values) = try await client.call(
          TrackLoadValues(
            asset: asset, trackID: track.trackID, keys: [.totalSampleDataLength, .mediaType],
            completion: .response))
      else { throw NotStarted() }
      #expect(values.values.mediaType?.status == .loaded)
      #expect(values.values.totalSampleDataLength?.status == .failed)
      let error = try #require(values.values.totalSampleDataLength?.error)
      #expect(error.data?.key == "totalSampleDataLength")
      #expect(error.data?.hint.isEmpty == false)
      #expect(try await status(client, asset).tracks?.status == .loaded)
    }
  }

  @Test func theEndOfTheInputDoesNotWaitForTheFile() async throws {
    let source = try SlowSource(path: try await Fixture.bframes.path, isOpen: false)
    defer { source.open() }
    let server = try Server.start(.inProcess, ServerOptions(openSource: source.opener))
    let client = TestClient(server)
    _ = try await begin(client, try await client.open(.bframes), [.tracks])
    await source.someoneWaits()
    client.closeInput()
    #expect(await server.ended() == 0)
  }
}
