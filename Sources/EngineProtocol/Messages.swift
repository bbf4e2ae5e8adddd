import JSONRPC

/// Every notification that a client sends.
public let clientNotifications: [any NotificationType.Type] = [
  Exit.self, CancelRequest.self, BlobRelease.self, ResourceDidRead.self,
]

/// Every notification that the server sends.
public let serverNotifications: [any NotificationType.Type] = [
  EngineLog.self, AssetDidLoadValues.self, TrackDidLoadValues.self,
  ImageGeneratorDidGenerateImage.self, ImageGeneratorDidFinish.self,
  ImageGeneratorDidProgressContactSheet.self, ImageGeneratorDidFinishContactSheet.self,
  ExportSessionDidProgress.self, ExportSessionDidFinish.self,
  WaveformDidProgress.self, WaveformDidFinish.self,
  AnalysisDidProgress.self, AnalysisDidFindSceneChanges.self, AnalysisDidFindSilences.self,
  AnalysisDidMeasureLoudness.self,
  LibraryDidProgressScan.self, LibraryDidScan.self, LibraryDidProgressDuplicates.self,
  LibraryDidFindDuplicates.self, LibraryDidChange.self, LibraryDidFail.self,
  ResourceRead.self, ResourceDidCancelRead.self, ResourceDidEnd.self,
  VideoCompositionComposeFrame.self,
  AssetWriterInputReady.self, AssetWriterDidOutputSegment.self, AssetWriterDidProgress.self,
  AssetWriterDidTransfer.self, AssetWriterDidFinish.self,
  PlayerDidChange.self, PlayerDidSeek.self, PlayerDidPreroll.self, TimeObserverDidFire.self,
  PlayerItemDidChange.self, PlayerItemDidPlayToEndTime.self, PlayerItemDidFailToPlayToEndTime.self,
  PlayerItemDidStall.self, PlayerItemDidJump.self,
  VideoOutputDidStartSequence.self, VideoOutputMediaDataWillChange.self, VideoOutputDidOutput.self,
  PlayerLooperDidLoop.self,
  AudioPlayerDidChange.self, AudioPlayerDidFinishPlaying.self, AudioPlayerDidMeter.self,
  CaptureDidChangeDevices.self,
  CaptureSessionDidStart.self, CaptureSessionDidStop.self, CaptureSessionDidFail.self,
  CaptureSessionDidChange.self,
  CaptureSessionWasInterrupted.self, CaptureSessionInterruptionEnded.self,
  CaptureOutputDidStartRecording.self, CaptureOutputDidPauseRecording.self,
  CaptureOutputDidResumeRecording.self, CaptureOutputWillFinishRecording.self,
  CaptureOutputDidFinishRecording.self, CaptureOutputDidOutput.self, CaptureOutputDidDrop.self,
  CaptureOutputWillCapture.self, CaptureOutputDidFinishCapture.self,
  CaptureOutputDidMeasureLevels.self, AudioRecorderDidFinishRecording.self,
]
