import EngineProtocol
public import JSONRPC

extension Engine {
  /// Every request that is served, in the order of the reference.
  public static let requests: [any RequestType.Type] = Engine().makeRouter().requests

  /// A handler for every request, in the order of the reference: the one list of them. `make check`
  /// fails when a declared one isn't here.
  public func makeRouter() -> Router {
    var router = Router()
    router.on(Initialize.self, initialize)
    router.onReader(Shutdown.self, shutdown)
    router.onReader(Exit.self, exit)
    router.on(RpcDiscover.self, discover)
    serve(EngineCapabilities.self, capabilities, in: &router)
    serve(EngineStats.self, stats, in: &router)
    serve(EngineSetLogLevel.self, setLogLevel, in: &router)

    router.onReader(HandleList.self, listHandles)
    router.onReader(HandleClose.self, closeHandle)
    router.onReader(BlobRelease.self, releaseBlobs)

    serve(AssetOpen.self, openAsset, in: &router)
    serve(AssetLoadValues.self, loadAssetValues, in: &router)
    serve(AssetValueStatus.self, assetValueStatus, in: &router)
    serve(AssetCancelLoading.self, cancelLoading, in: &router)
    serve(AssetTracks.self, assetTracks, in: &router)
    serve(AssetFindUnusedTrackID.self, findUnusedTrackID, in: &router)
    serve(AssetMetadata.self, assetMetadata, in: &router)
    serve(AssetChapterMetadataGroups.self, chapterMetadataGroups, in: &router)
    serve(AssetMediaSelectionGroup.self, mediaSelectionGroup, in: &router)
    serve(TrackLoadValues.self, loadTrackValues, in: &router)
    serve(TrackValueStatus.self, trackValueStatus, in: &router)
    serve(TrackSegment.self, trackSegment, in: &router)
    serve(TrackSamplePresentationTime.self, samplePresentationTime, in: &router)
    serve(TrackAssociatedTracks.self, associatedTracks, in: &router)

    serve(ImageGeneratorCreate.self, createImageGenerator, in: &router)
    serve(ImageGeneratorGenerateImage.self, generateImage, in: &router)
    serve(ImageGeneratorGenerateImages.self, generateImages, in: &router)
    serve(ImageGeneratorContactSheet.self, contactSheet, in: &router)
    serve(ImageGeneratorCancelAll.self, cancelAllImages, in: &router)

    serve(ExportSessionPresets.self, exportPresets, in: &router)
    serve(ExportSessionCompatiblePresets.self, compatiblePresets, in: &router)
    serve(ExportSessionCompatibleFileTypes.self, compatibleFileTypes, in: &router)
    serve(ExportSessionCreate.self, createExportSession, in: &router)
    serve(ExportSessionPreflight.self, preflightExport, in: &router)
    serve(ExportSessionEstimate.self, estimateExport, in: &router)
    serve(ExportSessionExport.self, export, in: &router)
    serve(ExportSessionStatus.self, exportStatus, in: &router)
    serve(ExportSessionCancel.self, cancelExport, in: &router)

    serve(AssetReaderCreate.self, createAssetReader, in: &router)
    serve(AssetReaderStart.self, startReading, in: &router)
    serve(AssetReaderNextSampleBuffers.self, nextSampleBuffers, in: &router)
    serve(AssetReaderStatus.self, readerStatus, in: &router)
    serve(AssetReaderReset.self, resetOutput, in: &router)
    serve(AssetReaderMarkConfigurationAsFinal.self, markOutputAsFinal, in: &router)
    serve(AssetReaderCancel.self, cancelReading, in: &router)

    serve(SampleCursorCreate.self, createSampleCursor, in: &router)
    serve(SampleCursorStep.self, stepCursor, in: &router)
    serve(SampleCursorStepByTime.self, stepCursorByTime, in: &router)
    serve(SampleCursorSample.self, cursorSample, in: &router)
    serve(SampleCursorSamples.self, cursorSamples, in: &router)
    serve(SampleCursorChunk.self, cursorChunk, in: &router)
    serve(SampleCursorCopy.self, copyCursor, in: &router)
    serve(SampleCursorCompare.self, compareCursors, in: &router)
    serve(SampleCursorReordering.self, cursorReordering, in: &router)

    serve(WaveformGenerate.self, generateWaveform, in: &router)

    registerTime(in: &router)
    return router
  }

  /// Registers a handler that is refused after `shutdown`. Whatever a cancelled handler stumbles over,
  /// it ends as cancelled.
  func serve<Request: RequestType>(
    _ type: Request.Type,
    _ handler: @escaping @Sendable (Request, RequestContext) async throws -> Request.Result,
    in router: inout Router
  ) {
    router.on(type) { request, context in
      try self.requireRunning()
      do {
        return try await handler(request, context)
      } catch {
        try Task.checkCancellation()
        throw error
      }
    }
  }
}
