import JSONRPC

/// Every request of the protocol, in the order of the reference.
public let allRequests: [any RequestType.Type] = [
  Initialize.self, Shutdown.self, RpcDiscover.self,
  EngineCapabilities.self, EngineStats.self, EngineSetLogLevel.self,
  HandleList.self, HandleClose.self,
  AssetOpen.self, AssetLoadValues.self, AssetValueStatus.self, AssetCancelLoading.self,
  AssetTracks.self, AssetFindUnusedTrackID.self, AssetMetadata.self,
  AssetChapterMetadataGroups.self, AssetMediaSelectionGroup.self,
  TrackLoadValues.self, TrackValueStatus.self, TrackSegment.self,
  TrackSamplePresentationTime.self, TrackAssociatedTracks.self,
  ImageGeneratorCreate.self, ImageGeneratorGenerateImage.self, ImageGeneratorGenerateImages.self,
  ImageGeneratorContactSheet.self, ImageGeneratorCancelAll.self,
  ExportSessionPresets.self, ExportSessionCompatiblePresets.self,
  ExportSessionCompatibleFileTypes.self, ExportSessionCreate.self,
  ExportSessionPreflight.self, ExportSessionEstimate.self,
  ExportSessionExport.self, ExportSessionStatus.self, ExportSessionCancel.self,
  AssetReaderCreate.self, AssetReaderStart.self, AssetReaderNextSampleBuffers.self,
  AssetReaderStatus.self, AssetReaderReset.self,
  AssetReaderMarkConfigurationAsFinal.self, AssetReaderCancel.self,
  SampleCursorCreate.self, SampleCursorStep.self, SampleCursorStepByTime.self,
  SampleCursorSample.self, SampleCursorSamples.self, SampleCursorChunk.self,
  SampleCursorCopy.self, SampleCursorCompare.self, SampleCursorReordering.self,
  WaveformGenerate.self,
  TimeAdd.self, TimeSubtract.self, TimeMultiply.self, TimeCompare.self, TimeConvertScale.self,
  TimeSeconds.self, TimeDescribe.self,
  TimeRangeEnd.self, TimeRangeContains.self, TimeRangeUnion.self, TimeRangeIntersection.self,
  TimeRangeEqual.self, TimeRangeClamp.self, TimeRangeFold.self, TimeRangeMap.self,
]

/// Every notification that a client sends.
public let clientNotifications: [any NotificationType.Type] = [
  Exit.self, CancelRequest.self, BlobRelease.self,
]

/// Every notification that the server sends.
public let serverNotifications: [any NotificationType.Type] = [
  EngineLog.self, AssetDidLoadValues.self, TrackDidLoadValues.self,
  ImageGeneratorDidGenerateImage.self, ImageGeneratorDidFinish.self,
  ImageGeneratorDidProgressContactSheet.self, ImageGeneratorDidFinishContactSheet.self,
  ExportSessionDidProgress.self, ExportSessionDidFinish.self,
  WaveformDidProgress.self, WaveformDidFinish.self,
]
