"""The protocol's types: params, results, notifications and the values in them.

Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

A params type ends in ``Params``, a result type in ``Result``; a notification has the name of its
method. The server reads ``TimeInput`` and its like, and writes ``Time``.
"""

from __future__ import annotations

from typing import (
    Any,
    Awaitable,
    Dict,
    List,
    Literal,
    NewType,
    Protocol,
    TypedDict,
    Union,
    overload,
)

__all__ = [
    "AccompanimentInput",
    "ActionAtItemEnd",
    "Advice",
    "AdviceArguments",
    "AlphaChannelMode",
    "AmbientViewingEnvironment",
    "AnalysisDidFindSceneChanges",
    "AnalysisDidFindSilences",
    "AnalysisDidMeasureLoudness",
    "AnalysisDidProgress",
    "AnalysisLoudnessParams",
    "AnalysisSceneChangesParams",
    "AnalysisSilencesParams",
    "AnyHandle",
    "ApertureMode",
    "AppendedAttachmentsInput",
    "AppendedAudio",
    "AppendedBytes",
    "AppendedImage",
    "AppendedSampleInput",
    "AppliedLoudness",
    "AssetCancelLoadingParams",
    "AssetChapterMetadataGroupsParams",
    "AssetChapterMetadataGroupsResult",
    "AssetDidLoadValues",
    "AssetFindUnusedTrackIDParams",
    "AssetFindUnusedTrackIDResult",
    "AssetHandle",
    "AssetKey",
    "AssetLoadValuesParams",
    "AssetMediaSelectionGroupParams",
    "AssetMediaSelectionGroupResult",
    "AssetMetadataParams",
    "AssetMetadataResult",
    "AssetOpenParams",
    "AssetOpenResult",
    "AssetOptions",
    "AssetReaderCancelParams",
    "AssetReaderCreateParams",
    "AssetReaderCreateResult",
    "AssetReaderHandle",
    "AssetReaderMarkConfigurationAsFinalParams",
    "AssetReaderNextSampleBuffersParams",
    "AssetReaderNextSampleBuffersResult",
    "AssetReaderResetParams",
    "AssetReaderStartParams",
    "AssetReaderStatusParams",
    "AssetReaderStatusResult",
    "AssetTracksParams",
    "AssetTracksResult",
    "AssetValueStatusParams",
    "AssetValueStatusResult",
    "AssetValues",
    "AssetVariant",
    "AssetVariantListKeyState",
    "AssetWriterAllocateParams",
    "AssetWriterAllocateResult",
    "AssetWriterAppendParams",
    "AssetWriterAppendResult",
    "AssetWriterCanAddParams",
    "AssetWriterCanAddResult",
    "AssetWriterCancelParams",
    "AssetWriterCreateParams",
    "AssetWriterCreateResult",
    "AssetWriterDidFinish",
    "AssetWriterDidOutputSegment",
    "AssetWriterDidProgress",
    "AssetWriterDidTransfer",
    "AssetWriterEndSessionParams",
    "AssetWriterFinishParams",
    "AssetWriterFlushSegmentParams",
    "AssetWriterHandle",
    "AssetWriterInputReady",
    "AssetWriterMarkAsFinishedParams",
    "AssetWriterRequestMediaDataParams",
    "AssetWriterStartParams",
    "AssetWriterStartSessionParams",
    "AssetWriterStatusParams",
    "AssetWriterStatusResult",
    "AssetWriterTransferParams",
    "AsyncRequest",
    "AudioDevice",
    "AudioEncoding",
    "AudioFileDevice",
    "AudioFileSampleFormat",
    "AudioFormat",
    "AudioFormatLayer",
    "AudioJoin",
    "AudioLayout",
    "AudioLevel",
    "AudioMix",
    "AudioMixInput",
    "AudioMixInputParameters",
    "AudioMixInputParametersInput",
    "AudioMixSettingInput",
    "AudioMixVolumeRampParams",
    "AudioMixVolumeRampResult",
    "AudioPlane",
    "AudioPlayerAdvanceClockParams",
    "AudioPlayerAdvanceClockResult",
    "AudioPlayerChanges",
    "AudioPlayerCreateParams",
    "AudioPlayerCreateResult",
    "AudioPlayerDidChange",
    "AudioPlayerDidFinishPlaying",
    "AudioPlayerDidMeter",
    "AudioPlayerFinishAudioFileParams",
    "AudioPlayerFinishAudioFileResult",
    "AudioPlayerHandle",
    "AudioPlayerMetersParams",
    "AudioPlayerMetersResult",
    "AudioPlayerPauseParams",
    "AudioPlayerPlayParams",
    "AudioPlayerPrepareToPlayParams",
    "AudioPlayerSetParams",
    "AudioPlayerStateParams",
    "AudioPlayerStateResult",
    "AudioPlayerStopParams",
    "AudioRecorderAdvanceClockParams",
    "AudioRecorderAdvanceClockResult",
    "AudioRecorderCreateParams",
    "AudioRecorderCreateResult",
    "AudioRecorderDeleteRecordingParams",
    "AudioRecorderDidFinishRecording",
    "AudioRecorderHandle",
    "AudioRecorderMetersParams",
    "AudioRecorderMetersResult",
    "AudioRecorderPauseParams",
    "AudioRecorderPrepareToRecordParams",
    "AudioRecorderRecordParams",
    "AudioRecorderStateParams",
    "AudioRecorderStateResult",
    "AudioRecorderStopParams",
    "AudioSettings",
    "AudioTimePitchAlgorithm",
    "AudioTracks",
    "AudioTreatment",
    "AuthorizationStatus",
    "Blob",
    "BlobKind",
    "BlobReleaseParams",
    "BooleanKeyState",
    "BurntSubtitles",
    "CancelRequestParams",
    "CancelledCount",
    "CanvasSize",
    "CaptureAddition",
    "CaptureAuthorizationStatusParams",
    "CaptureAuthorizationStatusResult",
    "CaptureChangeInput",
    "CaptureClock",
    "CaptureConnect",
    "CaptureConnectChange",
    "CaptureConnection",
    "CaptureConnectionEnds",
    "CaptureDevice",
    "CaptureDevicesParams",
    "CaptureDevicesResult",
    "CaptureDidChangeDevices",
    "CaptureDropReason",
    "CaptureDrops",
    "CaptureFormat",
    "CaptureFormatChoice",
    "CaptureInputHandle",
    "CaptureInputState",
    "CaptureInputStatus",
    "CaptureInterruptionReason",
    "CaptureLevel",
    "CaptureMediaType",
    "CaptureObserveDevicesParams",
    "CaptureOutputCapturePhotoParams",
    "CaptureOutputDidDrop",
    "CaptureOutputDidFinishCapture",
    "CaptureOutputDidFinishRecording",
    "CaptureOutputDidMeasureLevels",
    "CaptureOutputDidOutput",
    "CaptureOutputDidPauseRecording",
    "CaptureOutputDidResumeRecording",
    "CaptureOutputDidStartRecording",
    "CaptureOutputHandle",
    "CaptureOutputLevelsParams",
    "CaptureOutputLevelsResult",
    "CaptureOutputNextSampleBuffersParams",
    "CaptureOutputNextSampleBuffersResult",
    "CaptureOutputObserveLevelsParams",
    "CaptureOutputPauseRecordingParams",
    "CaptureOutputRecordingStateParams",
    "CaptureOutputRecordingStateResult",
    "CaptureOutputResumeRecordingParams",
    "CaptureOutputStartRecordingParams",
    "CaptureOutputState",
    "CaptureOutputStatus",
    "CaptureOutputStopRecordingParams",
    "CaptureOutputType",
    "CaptureOutputWillCapture",
    "CaptureOutputWillFinishRecording",
    "CapturePreset",
    "CaptureRecordingState",
    "CaptureSessionAdvanceClockParams",
    "CaptureSessionAdvanceClockResult",
    "CaptureSessionConfigureParams",
    "CaptureSessionConfigureResult",
    "CaptureSessionCreateParams",
    "CaptureSessionCreateResult",
    "CaptureSessionDidChange",
    "CaptureSessionDidFail",
    "CaptureSessionDidStart",
    "CaptureSessionDidStop",
    "CaptureSessionHandle",
    "CaptureSessionInterruptionEnded",
    "CaptureSessionStartParams",
    "CaptureSessionStateParams",
    "CaptureSessionStateResult",
    "CaptureSessionStopParams",
    "CaptureSessionWasInterrupted",
    "CaptureSetInput",
    "CaptureSettingsInput",
    "CaptureStopReason",
    "CapturedCounts",
    "ChapterInput",
    "ChapterSource",
    "Chromaticity",
    "CleanAperture",
    "ClientCapabilities",
    "ClipInput",
    "ClipSequenceInput",
    "ClipTextInput",
    "Codec",
    "CodedAudioFormat",
    "CodedFormat",
    "CodedVideoFormat",
    "Color",
    "ColorProperties",
    "Completion",
    "CompositionAddTrackParams",
    "CompositionAddTrackResult",
    "CompositionAssembleParams",
    "CompositionAssembleResult",
    "CompositionCompatibleTrackParams",
    "CompositionCompatibleTrackResult",
    "CompositionCopyParams",
    "CompositionCreateParams",
    "CompositionCreateResult",
    "CompositionHandle",
    "CompositionImportParams",
    "CompositionImportResult",
    "CompositionInsertEmptyTimeRangeParams",
    "CompositionInsertTimeRangeParams",
    "CompositionInsertTimeRangeResult",
    "CompositionInsertTimeRangesParams",
    "CompositionItemInput",
    "CompositionOpenTimelineIOParams",
    "CompositionOpenTimelineIOResult",
    "CompositionPicture",
    "CompositionRemoveTimeRangeParams",
    "CompositionRemoveTrackParams",
    "CompositionScaleTimeRangeParams",
    "CompositionSegment",
    "CompositionSegmentInput",
    "CompositionSegmentsParams",
    "CompositionSegmentsResult",
    "CompositionSetParams",
    "CompositionSetSegmentsParams",
    "CompositionSetTrackParams",
    "CompositionSource",
    "CompositionState",
    "CompositionTimeline",
    "CompositionTimelineInput",
    "CompositionTimelineParams",
    "CompositionTimelineResult",
    "CompositionValidateSegmentsParams",
    "CompositionValidateSegmentsResult",
    "Compositor",
    "CompositorError",
    "Confinement",
    "ContactSheetTile",
    "ContainerFacts",
    "ContainerFactsKeyState",
    "ContentLightLevel",
    "ConversionLoss",
    "Crop",
    "CropAspectRatio",
    "CropRectangle",
    "CurrentItemChange",
    "CursorPositionInput",
    "Deinterlacing",
    "Delivery",
    "DeviceDirection",
    "DeviceFormat",
    "DeviceTransport",
    "DolbyVision",
    "Dropped",
    "DroppedItem",
    "DroppedPictures",
    "DuckingInput",
    "DynamicRangePolicy",
    "ERROR_NAMES",
    "EnabledTracks",
    "EngineCapabilitiesParams",
    "EngineCapabilitiesResult",
    "EngineHostTimeParams",
    "EngineHostTimeResult",
    "EngineLog",
    "EngineSetLogLevelParams",
    "EngineStatsParams",
    "EngineStatsResult",
    "ErrorData",
    "ErrorObject",
    "ExitParams",
    "ExportPart",
    "ExportPartInput",
    "ExportPartMediaType",
    "ExportPartPlan",
    "ExportPartPlanInput",
    "ExportSessionCancelParams",
    "ExportSessionCompatibleFileTypesParams",
    "ExportSessionCompatibleFileTypesResult",
    "ExportSessionCompatiblePresetsParams",
    "ExportSessionCompatiblePresetsResult",
    "ExportSessionCreateParams",
    "ExportSessionCreateResult",
    "ExportSessionDidFinish",
    "ExportSessionDidProgress",
    "ExportSessionEstimateParams",
    "ExportSessionEstimateResult",
    "ExportSessionExportParams",
    "ExportSessionExportPartParams",
    "ExportSessionHandle",
    "ExportSessionJoinParams",
    "ExportSessionPlanParams",
    "ExportSessionPlanResult",
    "ExportSessionPreflightParams",
    "ExportSessionPreflightResult",
    "ExportSessionPresetsParams",
    "ExportSessionPresetsResult",
    "ExportSessionStatusParams",
    "ExportSessionStatusResult",
    "ExportSettings",
    "ExportStatus",
    "FFmpegInfo",
    "Factor",
    "FailedChange",
    "FetchResultChanges",
    "FetchResultCountParams",
    "FetchResultCountResult",
    "FetchResultHandle",
    "FetchResultIndexParams",
    "FetchResultIndexResult",
    "FetchResultItemsParams",
    "FetchResultItemsResult",
    "FetchResultMove",
    "FieldDetail",
    "FieldOrder",
    "FileBlob",
    "FileDelivery",
    "FileType",
    "Fit",
    "Font",
    "FormatDescription",
    "FormatDescriptionListKeyState",
    "FrameDurations",
    "HandleCloseParams",
    "HandleInfo",
    "HandleKind",
    "HandleListParams",
    "HandleListResult",
    "Image",
    "ImageDeinterlacing",
    "ImageFormat",
    "ImageGeneratorCancelAllParams",
    "ImageGeneratorContactSheetParams",
    "ImageGeneratorCreateParams",
    "ImageGeneratorCreateResult",
    "ImageGeneratorDidFinish",
    "ImageGeneratorDidFinishContactSheet",
    "ImageGeneratorDidGenerateImage",
    "ImageGeneratorDidProgressContactSheet",
    "ImageGeneratorGenerateImageParams",
    "ImageGeneratorGenerateImageResult",
    "ImageGeneratorGenerateImagesParams",
    "ImageGeneratorHandle",
    "ImageLayout",
    "ImageSequence",
    "IncompatibleFileType",
    "IncompatiblePreset",
    "InitializeParams",
    "InitializeResult",
    "InlineBlob",
    "InlineBytes",
    "InputGroup",
    "InputHandle",
    "InputStatus",
    "InstructionPrototype",
    "IntegerKeyState",
    "Isolation",
    "Joins",
    "JumpCause",
    "KeyStatus",
    "LayerRamp",
    "LayerRampKind",
    "LeaseHandle",
    "LeasedBytes",
    "LibAVError",
    "LibraryAddFolderParams",
    "LibraryAll",
    "LibraryAny",
    "LibraryCancelScanParams",
    "LibraryChange",
    "LibraryChangeKind",
    "LibraryChangesParams",
    "LibraryChangesResult",
    "LibraryCollection",
    "LibraryCollectionType",
    "LibraryCollectionsParams",
    "LibraryCollectionsResult",
    "LibraryComparison",
    "LibraryCount",
    "LibraryDidChange",
    "LibraryDidFail",
    "LibraryDidFindDuplicates",
    "LibraryDidProgressDuplicates",
    "LibraryDidProgressScan",
    "LibraryDidScan",
    "LibraryDuplicatesParams",
    "LibraryFetchParams",
    "LibraryFetchResult",
    "LibraryFolder",
    "LibraryFolderState",
    "LibraryFolderStatus",
    "LibraryHandle",
    "LibraryItem",
    "LibraryItemError",
    "LibraryItemKey",
    "LibraryItemState",
    "LibraryItemThumbnailParams",
    "LibraryItemThumbnailResult",
    "LibraryItemValuesParams",
    "LibraryItemValuesResult",
    "LibraryLink",
    "LibraryMediaType",
    "LibraryNot",
    "LibraryOpenParams",
    "LibraryOpenResult",
    "LibraryOperator",
    "LibraryPredicate",
    "LibraryRemoveFolderParams",
    "LibraryScanCounts",
    "LibraryScanParams",
    "LibrarySort",
    "LibraryStatusParams",
    "LibraryStatusResult",
    "LibraryText",
    "LibraryValue",
    "LibraryWatch",
    "LogLevel",
    "LooperOrdering",
    "LooperStatus",
    "LoudnessTarget",
    "MasteringDisplayColorVolume",
    "MediaCharacteristic",
    "MediaCharacteristicListKeyState",
    "MediaSelection",
    "MediaSelectionChoice",
    "MediaSelectionGroup",
    "MediaSelectionKeyState",
    "MediaSelectionListKeyState",
    "MediaSelectionOption",
    "MediaType",
    "MediaTypeKeyState",
    "MetadataChanges",
    "MetadataData",
    "MetadataEntry",
    "MetadataItem",
    "MetadataItemKeyState",
    "MetadataItemListKeyState",
    "MetadataValue",
    "MissingFramePolicy",
    "NewTimeObserver",
    "NoAudioDevice",
    "NoPictureReason",
    "NumberKeyState",
    "NumberRamp",
    "NumberRampInput",
    "OpenTimelineIODocument",
    "OperationHandle",
    "OperationStarted",
    "Outcome",
    "OutputHandle",
    "OutputSettings",
    "OverlayInput",
    "ParamsProblem",
    "PicturePosition",
    "PixelAspectRatio",
    "PixelBufferAttributes",
    "PlacedBytes",
    "Plane",
    "PlannedSegment",
    "PlannedTrack",
    "PlaybackDirection",
    "PlaybackStatus",
    "PlayerAddBoundaryTimeObserverParams",
    "PlayerAddPeriodicTimeObserverParams",
    "PlayerAdvanceClockParams",
    "PlayerAdvanceClockResult",
    "PlayerAdvanceToNextItemParams",
    "PlayerAdvanceToNextItemResult",
    "PlayerAudio",
    "PlayerAudioFormat",
    "PlayerAudioStatus",
    "PlayerCancelPendingPrerollsParams",
    "PlayerCancelPendingSeeksParams",
    "PlayerChanges",
    "PlayerClock",
    "PlayerCreateParams",
    "PlayerCreateResult",
    "PlayerDidChange",
    "PlayerDidPreroll",
    "PlayerDidSeek",
    "PlayerDrops",
    "PlayerFinishAudioFileParams",
    "PlayerFinishAudioFileResult",
    "PlayerHandle",
    "PlayerInsertParams",
    "PlayerItemChanges",
    "PlayerItemCreateParams",
    "PlayerItemCreateResult",
    "PlayerItemDidChange",
    "PlayerItemDidFailToPlayToEndTime",
    "PlayerItemDidJump",
    "PlayerItemDidPlayToEndTime",
    "PlayerItemDidStall",
    "PlayerItemHandle",
    "PlayerItemSelectParams",
    "PlayerItemSetParams",
    "PlayerItemStateParams",
    "PlayerItemStateResult",
    "PlayerItemStepParams",
    "PlayerItemStepResult",
    "PlayerItemTrack",
    "PlayerItems",
    "PlayerItemsParams",
    "PlayerLooperCreateParams",
    "PlayerLooperCreateResult",
    "PlayerLooperDidLoop",
    "PlayerLooperDisableParams",
    "PlayerLooperHandle",
    "PlayerLooperStateParams",
    "PlayerLooperStateResult",
    "PlayerPauseParams",
    "PlayerPlayParams",
    "PlayerPrerollParams",
    "PlayerRate",
    "PlayerRemoveAllItemsParams",
    "PlayerRemoveParams",
    "PlayerReplaceCurrentItemParams",
    "PlayerSeekParams",
    "PlayerSetParams",
    "PlayerSetRateParams",
    "PlayerStateParams",
    "PlayerStateResult",
    "PlayerStatistics",
    "PresetSettings",
    "ProgramInfo",
    "RangeResult",
    "RateChangeReason",
    "Ratio",
    "RationalTime",
    "ReaderOutputInput",
    "ReaderOutputType",
    "ReaderSettings",
    "ReaderStatus",
    "RecordedTrack",
    "RecordingSettings",
    "RecordingStatus",
    "Rectangle",
    "RectangleRamp",
    "RectangleRampInput",
    "Request",
    "ResolvedFormat",
    "Resource",
    "ResourceAllocateParams",
    "ResourceAllocateResult",
    "ResourceBytes",
    "ResourceDidCancelRead",
    "ResourceDidEnd",
    "ResourceDidReadParams",
    "ResourceError",
    "ResourceHandle",
    "ResourceRead",
    "Restriction",
    "RevisedOperationStarted",
    "Rounding",
    "RpcDiscoverParams",
    "Sample",
    "SampleAttachments",
    "SampleAudioDependencyInfo",
    "SampleBuffer",
    "SampleCursorChunkParams",
    "SampleCursorChunkResult",
    "SampleCursorCompareParams",
    "SampleCursorCompareResult",
    "SampleCursorCopyParams",
    "SampleCursorCopyResult",
    "SampleCursorCreateParams",
    "SampleCursorCreateResult",
    "SampleCursorHandle",
    "SampleCursorReorderingParams",
    "SampleCursorReorderingResult",
    "SampleCursorSampleParams",
    "SampleCursorSampleResult",
    "SampleCursorSamplesParams",
    "SampleCursorSamplesResult",
    "SampleCursorStepByTimeParams",
    "SampleCursorStepByTimeResult",
    "SampleCursorStepParams",
    "SampleCursorStepResult",
    "SampleDependencyInfo",
    "SampleOrder",
    "SampleSyncInfo",
    "SceneChange",
    "Seconds",
    "SegmentPlayback",
    "SegmentProfile",
    "SegmentReport",
    "SegmentSettingsInput",
    "SegmentTrackReport",
    "SegmentTreatment",
    "SegmentType",
    "ServerCapabilities",
    "SharedBlob",
    "ShutdownParams",
    "Size",
    "SizeKeyState",
    "SourceFormatHint",
    "SpeedPoint",
    "SpeedPointInput",
    "Spherical",
    "Stereo3D",
    "StorageRange",
    "SubtitleFile",
    "TERMINAL_NOTIFICATIONS",
    "TextAlignment",
    "TextEncoding",
    "TextFormat",
    "TextKeyState",
    "TextLayer",
    "TextLayerInput",
    "TextListKeyState",
    "TextOutline",
    "TextSettings",
    "TextShadow",
    "TextStyle",
    "Time",
    "TimeAddParams",
    "TimeCompareParams",
    "TimeCompareResult",
    "TimeControlStatus",
    "TimeConvertScaleParams",
    "TimeDescribeParams",
    "TimeDescribeResult",
    "TimeInput",
    "TimeKeyState",
    "TimeMapping",
    "TimeMappingInput",
    "TimeMultiplyParams",
    "TimeObserverCause",
    "TimeObserverDidFire",
    "TimeObserverHandle",
    "TimeRange",
    "TimeRangeClampParams",
    "TimeRangeContainsParams",
    "TimeRangeContainsResult",
    "TimeRangeEndParams",
    "TimeRangeEqualParams",
    "TimeRangeEqualResult",
    "TimeRangeFoldParams",
    "TimeRangeInput",
    "TimeRangeIntersectionParams",
    "TimeRangeKeyState",
    "TimeRangeMapParams",
    "TimeRangeUnionParams",
    "TimeResult",
    "TimeSecondsParams",
    "TimeSecondsResult",
    "TimeSubtractParams",
    "TimecodeFormat",
    "TimedMetadataGroup",
    "TimelineSegment",
    "TimelineSegmentInput",
    "TimelineSource",
    "TimelineTrack",
    "TimelineTrackInput",
    "Track",
    "TrackAssociatedTracksParams",
    "TrackAssociatedTracksResult",
    "TrackAssociationType",
    "TrackAssociationTypeListKeyState",
    "TrackDidLoadValues",
    "TrackGroup",
    "TrackGroupListKeyState",
    "TrackKey",
    "TrackLanguages",
    "TrackListKeyState",
    "TrackLoadValuesParams",
    "TrackRule",
    "TrackRules",
    "TrackSamplePresentationTimeParams",
    "TrackSamplePresentationTimeResult",
    "TrackSegment",
    "TrackSegmentListKeyState",
    "TrackSegmentParams",
    "TrackSegmentResult",
    "TrackSelection",
    "TrackTreatment",
    "TrackValueStatusParams",
    "TrackValueStatusResult",
    "TrackValues",
    "TransferPairInput",
    "Transferred",
    "Transform",
    "TransformKeyState",
    "TransformRamp",
    "TransformRampInput",
    "TransitionDirection",
    "TransitionInput",
    "TransitionKind",
    "TrimMode",
    "UnavailableDevices",
    "VideoComposition",
    "VideoCompositionComposeFrame",
    "VideoCompositionFinishFrameParams",
    "VideoCompositionInput",
    "VideoCompositionInstruction",
    "VideoCompositionInstructionInput",
    "VideoCompositionLayerInstruction",
    "VideoCompositionLayerInstructionInput",
    "VideoCompositionProblem",
    "VideoCompositionProblemKind",
    "VideoCompositionRampParams",
    "VideoCompositionRampResult",
    "VideoCompositionSettingInput",
    "VideoCompositionValidateParams",
    "VideoCompositionValidateResult",
    "VideoCompositionWithPropertiesOfParams",
    "VideoCompositionWithPropertiesOfResult",
    "VideoEncoding",
    "VideoFormat",
    "VideoJoin",
    "VideoOutputCopyPixelBufferParams",
    "VideoOutputCopyPixelBufferResult",
    "VideoOutputCreateParams",
    "VideoOutputCreateResult",
    "VideoOutputDelivery",
    "VideoOutputDidOutput",
    "VideoOutputDidStartSequence",
    "VideoOutputHandle",
    "VideoOutputHasNewPixelBufferParams",
    "VideoOutputHasNewPixelBufferResult",
    "VideoOutputItemTimeParams",
    "VideoOutputItemTimeResult",
    "VideoOutputMediaDataWillChange",
    "VideoOutputMode",
    "VideoOutputRequestNotificationOfMediaDataChangeParams",
    "VideoSettings",
    "VideoTreatment",
    "WaitingReason",
    "WaitingReasonChange",
    "WaveformChannel",
    "WaveformDidFinish",
    "WaveformDidProgress",
    "WaveformGenerateParams",
    "WriterAssociation",
    "WriterInput",
    "WriterStatus",
    "Zoom",
]


class AccompanimentInput(TypedDict, total=False):
    """Music or speech in addition to the audio of the clips. It ends with them at the latest."""

    url: str
    """The path or `file` URL of a file."""
    asset: AssetHandle
    """An asset, in place of a file."""
    at: TimeInput
    """The time of its start. Default: ``0``."""
    timeRange: TimeRangeInput
    """The part that is played. Left out: all of it."""
    volume: float
    """The volume, 0 or more. Default: ``1``."""
    fadeIn: TimeInput
    """The duration in which it becomes loud. Default: ``0``."""
    fadeOut: TimeInput
    """The duration in which it becomes quiet, before its end. Default: ``0``."""
    loop: bool
    """True if it is repeated until the clips end. Default: ``false``."""
    duck: DuckingInput
    """The attenuation while clips are heard. Left out: none."""


ActionAtItemEnd = Literal["advance", "pause", "none"]
"""The action of a player at the end of an item."""


class Advice(TypedDict):
    """Advice on the next step, by its name: a client phrases it in its own terms."""

    name: str
    """The name, for example `stateFileType`."""
    arguments: AdviceArguments
    """The values in it by their names: text, integers, lists of text, and times."""


AdviceArguments = Dict[str, Any]
"""The values in advice, by their names."""


AlphaChannelMode = Literal["straight", "premultiplied"]
"""The relation between colours and transparency."""


class AmbientViewingEnvironment(TypedDict):
    """The ambient light around a screen (ITU-T H.274)."""

    illuminance: float
    """The illuminance, in lux."""
    light: Chromaticity
    """The chromaticity of the light."""


class _AnalysisDidFindSceneChangesRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    asset: AssetHandle
    """The asset."""
    result: Outcome
    """The outcome."""


class AnalysisDidFindSceneChanges(_AnalysisDidFindSceneChangesRequired, total=False):
    """Reports the end of a search for scene changes, with its result. The members about the scenes
    are present if it succeeded.
    """

    trackID: int
    """The video track."""
    timeRange: TimeRange
    """The range that was searched."""
    sceneChanges: List[SceneChange]
    """The scene changes, in order."""
    dropped: List[Dropped]
    """The frames that could not be decoded, as `damagedSamples`; absent if all could be."""
    error: ErrorObject
    """The reason for its failure or cancellation."""


class _AnalysisDidFindSilencesRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    asset: AssetHandle
    """The asset."""
    result: Outcome
    """The outcome."""


class AnalysisDidFindSilences(_AnalysisDidFindSilencesRequired, total=False):
    """Reports the end of a search for silences, with its result. The members about the audio are
    present if it succeeded.
    """

    trackID: int
    """The audio track; absent when several were mixed."""
    timeRange: TimeRange
    """The range that was searched."""
    threshold: float
    """The threshold in dBFS."""
    silences: List[TimeRange]
    """The silences, in order, on the asset's clock."""
    dropped: List[Dropped]
    """The samples that could not be decoded and count as silent, as `damagedSamples`; absent if
    all could be decoded.
    """
    error: ErrorObject
    """The reason for its failure or cancellation."""


class _AnalysisDidMeasureLoudnessRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    asset: AssetHandle
    """The asset."""
    result: Outcome
    """The outcome."""


class AnalysisDidMeasureLoudness(_AnalysisDidMeasureLoudnessRequired, total=False):
    """Reports the end of a measurement of loudness, with its result. The members about the audio
    are present if it succeeded and they could be measured.
    """

    trackID: int
    """The audio track; absent when several were mixed."""
    timeRange: TimeRange
    """The range that was measured."""
    sampleRate: int
    """The sample rate, in hertz."""
    channelLayout: str
    """FFmpeg's name of the speakers, by which the channels were weighted: "stereo", "5.1(side)".
    If only the number of channels is known, it is the usual layout of that number.
    """
    integratedLoudness: float
    """The loudness of the whole range in LUFS, gated at -70 LUFS and at 10 LU below the loudness
    of the rest; absent where nothing is above the gate.
    """
    loudnessRange: float
    """The loudness range (LRA) in LU, by EBU Tech 3342."""
    truePeak: float
    """The maximum true peak of all channels in dBTP: that of the signal between the samples, which
    are interpolated to four times the rate below 96 kHz, and to twice the rate below 192 kHz.
    Absent for digital silence.
    """
    samplePeak: float
    """The maximum absolute value of the samples of all channels in dBFS; absent for digital
    silence.
    """
    maximumMomentaryLoudness: float
    """The maximum loudness of a window of 0.4 seconds, in LUFS."""
    maximumShortTermLoudness: float
    """The maximum loudness of a window of 3 seconds, in LUFS."""
    dropped: List[Dropped]
    """The samples that could not be decoded and count as silent, as `damagedSamples`; absent if
    all could be decoded.
    """
    error: ErrorObject
    """The reason for its failure or cancellation."""


class AnalysisDidProgress(TypedDict):
    """Reports the progress of an analysis, at most once per percent."""

    operation: OperationHandle
    """The operation."""
    asset: AssetHandle
    """The asset."""
    progress: float
    """The part of the range that is decoded, from 0 to 1; it never decreases."""


AnyHandle = str
"""Names an object of any kind."""


ApertureMode = Literal["cleanAperture", "productionAperture", "encodedPixels"]
"""The part of the frame that an image shows."""


class AppendedAttachmentsInput(TypedDict, total=False):
    """The attachments of an appended sample, in addition to its bytes; members of
    `SampleAttachments`.
    """

    notSync: bool
    """True if it is not a sync sample. Default: ``false``."""
    isDependedOnByOthers: bool
    """True if other samples need it: `false` for one that may be dropped."""
    doNotDisplay: bool
    """True if it must be decoded, but not presented. Default: ``false``."""
    trimDurationAtStart: TimeInput
    """The part at its start that is not presented: the frames that an audio encoder added at the
    start (priming).
    """
    trimDurationAtEnd: TimeInput
    """The part at its end that is not presented."""


class _AppendedAudioRequired(TypedDict):
    sampleFormat: str
    """The sample format: `u8`, `s16`, `s32`, `f32` or `f64`."""
    sampleRate: int
    """The sample rate in hertz."""
    channels: int
    """The number of channels."""


class AppendedAudio(_AppendedAudioRequired, total=False):
    """The layout of audio in appended bytes: interleaved, or one plane after the other for each
    channel.
    """

    channelLayout: str
    """The channel layout by FFmpeg's name; when absent, the usual one of that number of channels.
    """
    planes: List[AudioPlane]
    """The planes, one for each channel; one plane, or none, for interleaved samples."""


class InlineBytes(TypedDict):
    """Bytes of a resource, in the message."""

    kind: Literal["inline"]
    """Always `inline`."""
    data: str
    """The bytes, in base64 with padding."""


class LeasedBytes(TypedDict):
    """Bytes under a lease: those of a reader or an image generator, or of `assetWriter/allocate`.
    The lease ends when the sample is accepted.
    """

    kind: Literal["shm"]
    """Always `shm`."""
    lease: LeaseHandle
    """The lease."""


AppendedBytes = Union[InlineBytes, LeasedBytes]
"""Bytes to append."""


class _AppendedImageRequired(TypedDict):
    pixelFormat: str
    """The pixel format by FFmpeg's name, for example `yuv420p`."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""


class AppendedImage(_AppendedImageRequired, total=False):
    """The layout of a raw frame in appended bytes."""

    planes: List[Plane]
    """The planes, in the order of the pixel format; one after the other without gaps when absent.
    """
    color: Color
    """The colour; when absent, that of `bt709` or `smpte170m` by the height, and of sRGB for RGB.
    """


class _AppendedSampleInputRequired(TypedDict):
    presentationTime: TimeInput
    """The presentation time."""


class AppendedSampleInput(_AppendedSampleInputRequired, total=False):
    """A sample to append; a `SampleBuffer` of a reader is one. Exactly one of `blob`, `imageURL`
    and `text` is required. An input with settings accepts raw frames, images, linear audio or
    text; an input without settings accepts samples as they are stored.
    """

    decodeTime: TimeInput
    """The decode time; the presentation time when absent."""
    duration: TimeInput
    """The duration. A frame lasts until the next one regardless of this; it counts only for the
    last one.
    """
    attachments: AppendedAttachmentsInput
    """Its attachments, in addition to its bytes."""
    blob: AppendedBytes
    """The bytes."""
    imageURL: str
    """The path or `file:` URL of an image, which becomes the frame."""
    text: str
    """The text, for an input of text with settings: lines separated by line feeds; empty for none.
    """
    image: AppendedImage
    """The layout of the frame in the bytes; when absent, that of the input's
    `sourcePixelBufferAttributes`.
    """
    audio: AppendedAudio
    """The layout of the audio in the bytes."""


class _AppliedLoudnessRequired(TypedDict):
    trackID: int
    """The track's number in the source; of several that are mixed the first one's."""
    gain: float
    """The gain that was applied, in dB; 0 if the audio is unchanged."""


class AppliedLoudness(_AppliedLoudnessRequired, total=False):
    """The measured loudness of a track's audio, and its loudness after the gain."""

    sourceIntegratedLoudness: float
    """The loudness of the audio as it would have been encoded, in LUFS; absent if all of it is
    below -70 LUFS.
    """
    sourceTruePeak: float
    """Its true peak in dBTP; absent for digital silence."""
    integratedLoudness: float
    """The loudness of the audio as it was encoded, in LUFS."""
    truePeak: float
    """Its true peak in dBTP, before any loss of the codec."""
    deviation: str
    """The reason for a loudness other than the target's; absent for the target's."""


class AssetChapterMetadataGroupsResult(TypedDict):
    """The chapters."""

    groups: List[TimedMetadataGroup]
    """The chapters, in order of time; empty if there are none in a requested language."""


class AssetDidLoadValues(TypedDict):
    """Reports that the keys of `asset/loadValues` are loaded, failed or cancelled."""

    operation: OperationHandle
    """The operation that has ended."""
    asset: AssetHandle
    """The asset."""
    values: AssetValues
    """The state of each requested key."""


class AssetFindUnusedTrackIDResult(TypedDict):
    """The number."""

    trackID: int
    """A free track number: the highest one plus 1 where that is possible."""


AssetHandle = NewType("AssetHandle", str)
"""Names an asset, for example `asset:1`."""


AssetKey = Literal[
    "duration",
    "providesPreciseDurationAndTiming",
    "preferredRate",
    "preferredVolume",
    "preferredTransform",
    "naturalSize",
    "minimumTimeOffsetFromLive",
    "tracks",
    "trackGroups",
    "creationDate",
    "lyrics",
    "commonMetadata",
    "metadata",
    "availableMetadataFormats",
    "availableChapterLocales",
    "availableMediaCharacteristicsWithMediaSelectionOptions",
    "preferredMediaSelection",
    "allMediaSelections",
    "hasProtectedContent",
    "canContainFragments",
    "containsFragments",
    "overallDurationHint",
    "isPlayable",
    "isExportable",
    "isReadable",
    "isComposable",
    "isCompatibleWithSavedPhotosAlbum",
    "isCompatibleWithAirPlayVideo",
    "variants",
    "containerFacts",
]
"""A property of an asset that is loaded on demand."""


class AssetMediaSelectionGroupResult(TypedDict, total=False):
    """The group."""

    group: MediaSelectionGroup
    """The group; absent when the asset has none for the characteristic."""


class AssetMetadataResult(TypedDict):
    """The items."""

    metadata: List[MetadataItem]
    """The items; empty when nothing matches."""


class _AssetOpenResultRequired(TypedDict):
    asset: AssetHandle
    """The asset's handle."""


class AssetOpenResult(_AssetOpenResultRequired, total=False):
    """The asset."""

    resource: ResourceHandle
    """The resource's handle, if the client supplies the bytes. It is closed with the asset's."""


class AssetOptions(TypedDict, total=False):
    """The options with which an asset is opened."""

    preferPreciseDurationAndTiming: bool
    """True to have the file scanned for an exact duration and timing, and images made with an
    index of all its samples. Default: ``false``.
    """
    salvage: bool
    """True to read and export the rest of a file that is cut short or damaged. Otherwise an export
    that reaches the missing part fails with `invalidSourceMedia`, and a reader of a damaged
    file with `failedToLoadSampleData`. With this option the asset lasts as long as its samples
    if it is cut short, and `dropped` of readers and exports has a `damagedSamples` for each
    track, with the number of missing bytes and the time from which media is missing. Default:
    ``false``.
    """
    characterSet: str
    """The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. It
    is for files of subtitles and for text among other tracks. A byte order mark at the start of
    a text takes precedence. Without this option the character set is guessed, and exports list
    the guess as `characterSet` in `dropped`.
    """
    timeOffset: float
    """The delay of the cues of a file of subtitles in seconds; they are earlier if it is negative.
    Exports leave out cues that would end before the start, and `dropped` has their number.
    Other files with an offset can't be loaded: `incorrectlyConfigured`. Default: ``0``.
    """
    imageSequence: ImageSequence
    """Numbered images for which the `url` stands; they are the frames of one video track. Left
    out, the `url` is that of one file, regardless of its name.
    """


class AssetReaderCreateResult(TypedDict):
    """The reader."""

    assetReader: AssetReaderHandle
    """The reader's handle."""
    outputs: List[OutputHandle]
    """The handle of each output, in the order of the request."""


AssetReaderHandle = NewType("AssetReaderHandle", str)
"""Names an asset reader, for example `assetReader:4`."""


class _AssetReaderNextSampleBuffersResultRequired(TypedDict):
    sampleBuffers: List[SampleBuffer]
    """The buffers, at most `maxCount`."""
    endOfStream: bool
    """True if no buffer follows."""


class AssetReaderNextSampleBuffersResult(_AssetReaderNextSampleBuffersResultRequired, total=False):
    """The buffers."""

    dropped: List[Dropped]
    """With `endOfStream`: the samples of the output that could not be decoded, as
    `damagedSamples`; absent if all could be.
    """


class _AssetReaderStatusResultRequired(TypedDict):
    status: ReaderStatus
    """The status."""


class AssetReaderStatusResult(_AssetReaderStatusResultRequired, total=False):
    """The status."""

    error: ErrorObject
    """The reason for its failure."""
    dropped: List[Dropped]
    """The samples that could not be decoded in outputs that were read to their end, as
    `damagedSamples`; absent if all could be.
    """


class AssetTracksResult(TypedDict):
    """The tracks."""

    tracks: List[Track]
    """The tracks, in the order of the container."""


class AssetValueStatusResult(TypedDict):
    """The states."""

    values: AssetValues
    """The state of each requested key."""


class AssetValues(TypedDict, total=False):
    """The state of each requested key of an asset; the others are absent."""

    duration: TimeKeyState
    """The duration of the asset; exact only if `providesPreciseDurationAndTiming`."""
    providesPreciseDurationAndTiming: BooleanKeyState
    """True if `duration` and timing are exact."""
    preferredRate: NumberKeyState
    """The preferred playback rate, usually 1."""
    preferredVolume: NumberKeyState
    """The preferred playback volume, 0 to 1."""
    preferredTransform: TransformKeyState
    """The transform of the first video track; the identity when there is none."""
    naturalSize: SizeKeyState
    """The size of the first video track in pixels; zero when there is none."""
    minimumTimeOffsetFromLive: TimeKeyState
    """The minimum distance from live at which it can be played: always `"invalid"`, as a file is
    not live.
    """
    tracks: TrackListKeyState
    """The tracks, in the order of the container."""
    trackGroups: TrackGroupListKeyState
    """The groups of tracks that are alternatives, of which one at a time is presented (the
    `alternate_group` of ISO/IEC 14496-12); empty if the file has none.
    """
    creationDate: MetadataItemKeyState
    """The item with the creation date; loaded without value when there is none."""
    lyrics: TextKeyState
    """The lyrics of a song; loaded without value when it has none."""
    commonMetadata: MetadataItemListKeyState
    """The metadata that has a common key."""
    metadata: MetadataItemListKeyState
    """All metadata, in the order of the container."""
    availableMetadataFormats: TextListKeyState
    """The formats of its metadata, by AVFoundation's names, for example `com.apple.itunes`."""
    availableChapterLocales: TextListKeyState
    """The languages of its chapters' titles, by BCP 47; `und` if the file names none."""
    availableMediaCharacteristicsWithMediaSelectionOptions: MediaCharacteristicListKeyState
    """The characteristics that have a group of options: `audible`, `legible`, `visual`."""
    preferredMediaSelection: MediaSelectionKeyState
    """The options that are presented by default."""
    allMediaSelections: MediaSelectionListKeyState
    """Every combination of options, at most 1000."""
    hasProtectedContent: BooleanKeyState
    """True if one of its tracks is encrypted."""
    canContainFragments: BooleanKeyState
    """True if the movie may be extended by fragments (`mvex`)."""
    containsFragments: BooleanKeyState
    """True if the movie is extended by at least one fragment (`moof`)."""
    overallDurationHint: TimeKeyState
    """The duration of the movie with all its fragments (`mehd`); `"invalid"` if the file does not
    state it.
    """
    isPlayable: BooleanKeyState
    """True if this build can decode at least one video or audio track that isn't encrypted."""
    isExportable: BooleanKeyState
    """True if an export session can export at least one track that isn't encrypted."""
    isReadable: BooleanKeyState
    """True if a reader can decode at least one video or audio track."""
    isComposable: BooleanKeyState
    """True if its tracks can be part of a composition."""
    isCompatibleWithSavedPhotosAlbum: BooleanKeyState
    """Always false: there is no photo library here."""
    isCompatibleWithAirPlayVideo: BooleanKeyState
    """Always false: there is no AirPlay here."""
    variants: AssetVariantListKeyState
    """The variants of a stream: always empty, as a file has none."""
    containerFacts: ContainerFactsKeyState
    """The facts about the file as a whole; loaded without value for an asset that is not one file.
    """


class AssetVariant(TypedDict, total=False):
    """A variant of a stream (AVAssetVariant)."""

    peakBitRate: float
    """The peak bit rate in bits a second."""
    averageBitRate: float
    """The average bit rate in bits a second."""


class _AssetVariantListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class AssetVariantListKeyState(_AssetVariantListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[AssetVariant]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class _AssetWriterAllocateResultRequired(TypedDict):
    blobs: List[SharedBlob]
    """The blocks, whose `path` is to be opened and mapped for reading and writing."""


class AssetWriterAllocateResult(_AssetWriterAllocateResultRequired, total=False):
    """The memory."""

    image: ImageLayout
    """The layout of a frame in each block; absent for blocks of `byteCount`."""


class _AssetWriterAppendResultRequired(TypedDict):
    appended: int
    """The number of samples that were accepted, from the first on."""
    isReadyForMoreMediaData: bool
    """True when the input accepts more without waiting."""


class AssetWriterAppendResult(_AssetWriterAppendResultRequired, total=False):
    """The samples that were accepted."""

    waitsFor: InputHandle
    """The input that has to get samples before this one can."""


class AssetWriterCanAddResult(TypedDict):
    """The answer."""

    possible: bool
    """True when it can."""
    reasons: List[str]
    """All reasons against it, each as a sentence."""


class AssetWriterCreateResult(TypedDict):
    """The writer."""

    assetWriter: AssetWriterHandle
    """The writer's handle."""
    inputs: List[InputHandle]
    """The handle of each input, in the order of the request."""
    outputFileType: str
    """The type that the file will have."""


class _AssetWriterDidFinishRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    assetWriter: AssetWriterHandle
    """The writer."""
    status: WriterStatus
    """The outcome: `completed`, `failed` or `cancelled`."""


class AssetWriterDidFinish(_AssetWriterDidFinishRequired, total=False):
    """Reports the end of a writer's work."""

    outputURL: str
    """The file, if it exists."""
    fileSize: int
    """The size of the file in bytes, or of all segments together."""
    duration: Time
    """The duration of the media that was written."""
    dropped: List[Dropped]
    """The parts of the samples that are not in the file; absent if all are."""
    error: ErrorObject
    """The reason for its failure or cancellation."""


class _AssetWriterDidOutputSegmentRequired(TypedDict):
    assetWriter: AssetWriterHandle
    """The writer."""
    segmentType: SegmentType
    """Its kind."""
    blob: Blob
    """The bytes."""


class AssetWriterDidOutputSegment(_AssetWriterDidOutputSegmentRequired, total=False):
    """Delivers a segment."""

    index: int
    """The index of the segment, from 0 on; the initialization segment has none."""
    report: SegmentReport
    """Its contents; absent for the initialization segment."""


class AssetWriterDidProgress(TypedDict):
    """Reports the progress of a transfer."""

    operation: OperationHandle
    """The operation."""
    assetWriter: AssetWriterHandle
    """The writer."""
    time: Time
    """The time up to which samples of all pairs were transferred, on the clock of the inputs."""


class _AssetWriterDidTransferRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    assetWriter: AssetWriterHandle
    """The writer."""
    result: Outcome
    """The outcome; `cancelled` if it was stopped."""
    transferred: List[Transferred]
    """The samples that were transferred, in the order of the pairs."""


class AssetWriterDidTransfer(_AssetWriterDidTransferRequired, total=False):
    """Reports the end of a transfer."""

    error: ErrorObject
    """The reason for its failure."""


AssetWriterHandle = NewType("AssetWriterHandle", str)
"""Names an asset writer, for example `assetWriter:2`."""


class AssetWriterInputReady(TypedDict):
    """Reports that an input accepts samples."""

    assetWriter: AssetWriterHandle
    """The writer."""
    input: InputHandle
    """The input."""


class _AssetWriterStatusResultRequired(TypedDict):
    status: WriterStatus
    """The status."""
    inputs: List[InputStatus]
    """The status of each of its inputs."""


class AssetWriterStatusResult(_AssetWriterStatusResultRequired, total=False):
    """The status."""

    error: ErrorObject
    """The reason for its failure or cancellation."""


class _AudioFileDeviceRequired(TypedDict):
    kind: Literal["file"]
    """Always `file`."""
    path: str
    """The path of the file. An existing one is not overwritten."""


class AudioFileDevice(_AudioFileDeviceRequired, total=False):
    """A new WAV file as the destination of a player's audio. It receives the audio that is played
    while time runs, sample for sample: a pause adds nothing, and where an item has no audio
    there is silence. It has its name once `player/finishAudioFile` has been answered.
    """

    sampleFormat: AudioFileSampleFormat
    """The samples. Default: ``"f32"``."""


class NoAudioDevice(TypedDict):
    """No destination of a player's audio."""

    kind: Literal["none"]
    """Always `none`."""


AudioDevice = Union[str, AudioFileDevice, NoAudioDevice, None]
"""The destination of a player's audio: a device of the audio server by its ID, such as
`pulse:NAME`, a file, or nothing; `null` for the server's default device.
"""


class AudioEncoding(TypedDict, total=False):
    """The encoding of audio."""

    codec: str
    """The codec: `aac`, `opus`, `mp3`, `vorbis`, `flac`, `alac`, or `pcm` for linear samples as
    deep as the source's; `pcm_s16le`, `pcm_s24le`, `pcm_s32le` and `pcm_f32le` have a fixed
    depth.
    """
    sampleRate: int
    """The sample rate in hertz; the source's, or the nearest that the codec has, when absent."""
    channels: int
    """The number of channels; when absent, the source's, or the codec's maximum if that is less."""
    bitRate: int
    """The bit rate of all channels together, in bits per second; for codecs with loss."""
    volume: float
    """The factor by which every sample is multiplied, from 0 to 1000. Samples that become too loud
    for integer formats are clipped. Default: ``1``.
    """
    loudness: LoudnessTarget
    """The loudness to which audio is brought; in exports alone, and not together with `volume`. It
    is measured before it is encoded, after mixing and resampling, and multiplied by one factor;
    each track of the file by its own.
    """


AudioFileSampleFormat = Literal["f32", "s16"]
"""The samples of an audio file that a player writes."""


class _AudioFormatRequired(TypedDict):
    sampleRate: float
    """The sample rate in hertz."""
    formatID: str
    """The format as a four-character code of Core Audio, for example `aac `, or as in
    `mediaSubType`.
    """
    formatFlags: int
    """The flags of the format, as Core Audio numbers them. Linear PCM: 1 float, 2 big endian, 4
    signed integer, 8 packed, 16 aligned high, 32 channels apart. ALAC and FLAC: 1, 2, 3, 4 for
    a source of 16, 20, 24, 32 bits.
    """
    bytesPerPacket: int
    """The bytes of one packet."""
    framesPerPacket: int
    """The frames of one packet, for example 1024."""
    bytesPerFrame: int
    """The bytes of one frame; where channels are apart, of one channel."""
    channelsPerFrame: int
    """The number of channels."""
    bitsPerChannel: int
    """The bits of one sample; 0 for compressed formats."""


class AudioFormat(_AudioFormatRequired, total=False):
    """The audio of a format description: an AudioStreamBasicDescription, and related facts. A
    number that varies or does not apply is 0, as in an AudioStreamBasicDescription.
    """

    sourceBitDepth: int
    """The bits of a sample of the source, before a lossless codec."""
    channelLayout: str
    """The channel layout by FFmpeg's name, for example `5.1(side)`."""
    channels: List[str]
    """The position of each channel, by FFmpeg's names such as `FL` and `LFE`; absent if only the
    number of channels is known.
    """
    initialPadding: int
    """The priming: frames that the encoder added at the start, if the container states it."""
    trailingPadding: int
    """The padding: frames that the encoder added at the end, if the container states it."""
    seekPreroll: int
    """The preroll: frames to decode before a position for correct audio there, if the container
    states it.
    """
    formatList: List[AudioFormatLayer]
    """For formats in layers, such as HE-AAC: all ways to decode it, the richest first."""


class AudioFormatLayer(TypedDict):
    """One way to decode a format in layers."""

    formatID: str
    """The format as a four-character code of Core Audio: `aac `, `aach` or `aacp`."""
    sampleRate: float
    """The sample rate in hertz."""
    channelsPerFrame: int
    """The number of channels."""
    framesPerPacket: int
    """The frames of one packet."""


AudioJoin = Literal["encode", "copy"]
"""The treatment of lossy audio of several segments."""


class AudioLayout(TypedDict):
    """The layout of decoded audio in the bytes of a sample buffer."""

    sampleFormat: str
    """The sample format: `u8`, `s16`, `s32`, `f32` or `f64`. With several planes, each has one
    channel.
    """
    sampleRate: int
    """The sample rate in hertz."""
    channels: int
    """The number of channels."""
    channelLayout: str
    """The channel layout by FFmpeg's name, for example `stereo`."""
    frames: int
    """The number of frames, which is the number of samples in each channel."""
    planes: List[AudioPlane]
    """The planes: one when interleaved, else one for each channel."""


class AudioLevel(TypedDict):
    """The level of a channel, in dBFS: 0 is full scale, -160 is silence."""

    average: float
    """The average, as the root of the mean square."""
    peak: float
    """The maximum absolute value."""


class AudioMix(TypedDict):
    """The volumes of an asset's tracks when they are mixed. A track without parameters has the
    volume 1 throughout.
    """

    inputParameters: List[AudioMixInputParameters]
    """The settings of each track that has any."""


class AudioMixInput(TypedDict):
    """The volumes of an asset's tracks when they are mixed. A track without parameters has the
    volume 1 throughout.
    """

    inputParameters: List[AudioMixInputParametersInput]
    """The settings of each track that has any."""


class _AudioMixInputParametersRequired(TypedDict):
    trackID: int
    """The track; 0 stands for the mix of all of them."""


class AudioMixInputParameters(_AudioMixInputParametersRequired, total=False):
    """The settings of an audio mix for one track."""

    volume: List[NumberRamp]
    """The volume over time, 0 or more; 1 before the first entry. Left out: 1 throughout."""
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for faster or slower playback of the track. Left out: the algorithm that is
    set for track 0, else that of the export or the output.
    """


class _AudioMixInputParametersInputRequired(TypedDict):
    trackID: int
    """The track; 0 stands for the mix of all of them."""


class AudioMixInputParametersInput(_AudioMixInputParametersInputRequired, total=False):
    """The settings of an audio mix for one track."""

    volume: List[NumberRampInput]
    """The volume over time, 0 or more; 1 before the first entry. Left out: 1 throughout."""
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for faster or slower playback of the track. Left out: the algorithm that is
    set for track 0, else that of the export or the output.
    """


AudioMixSettingInput = Union[AudioMixInput, None]
"""An audio mix, or `null` for none, though the asset has one of its own."""


class AudioMixVolumeRampResult(TypedDict, total=False):
    """The ramp."""

    ramp: NumberRamp
    """The ramp; absent after the last one, and for a track without any."""


class AudioPlane(TypedDict):
    """One plane of decoded audio."""

    offset: int
    """The offset of the plane, in bytes from the start of the blob."""
    size: int
    """The number of bytes."""


class AudioPlayerAdvanceClockResult(TypedDict):
    """The state after the move."""

    hostTime: Time
    """The time of the clock."""
    time: Time
    """The time within the pass."""
    revision: int
    """The number of jumps of that time."""
    notifications: int
    """The number of notifications that were written."""


class AudioPlayerChanges(TypedDict, total=False):
    """The members of an audio player that have changed together; the others are absent."""

    status: PlaybackStatus
    """The readiness: `failed` if the worker process has died."""
    error: ErrorObject
    """The reason for which it has failed."""
    isPlaying: bool
    """True while it plays."""
    rateChangeReason: RateChangeReason
    """The cause of the start or the end of playing."""
    effectiveRate: float
    """The rate of its time: 0 while it doesn't run."""
    volume: float
    """The volume, or the one that it fades to."""
    clock: PlayerClock
    """The clock that is in use."""
    audio: PlayerAudio
    """The audio."""


class _AudioPlayerCreateResultRequired(TypedDict):
    audioPlayer: AudioPlayerHandle
    """The audio player's handle."""
    duration: Time
    """The duration of one pass."""


class AudioPlayerCreateResult(_AudioPlayerCreateResultRequired, total=False):
    """The audio player."""

    format: FormatDescription
    """The format of the audio as it is stored."""


class _AudioPlayerDidChangeRequired(TypedDict):
    audioPlayer: AudioPlayerHandle
    """The audio player."""
    changes: AudioPlayerChanges
    """The changes."""


class AudioPlayerDidChange(_AudioPlayerDidChangeRequired, total=False):
    """Reports the changes of an audio player, regardless of their cause, once for all that
    happened together.
    """

    hostTime: Time
    """The time of the clock; absent if the worker process has died."""


class _AudioPlayerDidFinishPlayingRequired(TypedDict):
    audioPlayer: AudioPlayerHandle
    """The audio player."""
    successfully: bool
    """True if all passes were played."""


class AudioPlayerDidFinishPlaying(_AudioPlayerDidFinishPlayingRequired, total=False):
    """Reports the end of all passes, or the error that prevented it."""

    error: ErrorObject
    """The reason, if they weren't."""


class AudioPlayerDidMeter(TypedDict):
    """Reports levels, each `meterInterval` while it plays. On clocks other than `manual`, it
    replaces an earlier one that isn't written yet.
    """

    audioPlayer: AudioPlayerHandle
    """The audio player."""
    hostTime: Time
    """The time of the clock."""
    channels: List[AudioLevel]
    """The levels by channel: left, right."""


class AudioPlayerFinishAudioFileResult(TypedDict):
    """The file."""

    path: str
    """The path of the file."""
    size: int
    """The size in bytes."""
    frames: int
    """The number of frames, which is the number of samples in each channel."""


AudioPlayerHandle = NewType("AudioPlayerHandle", str)
"""Names an audio player, for example `audioPlayer:1`."""


class AudioPlayerMetersResult(TypedDict):
    """The levels."""

    hostTime: Time
    """The time of the clock."""
    channels: List[AudioLevel]
    """The levels by channel: left, right."""


class AudioPlayerStateResult(TypedDict):
    """The moment."""

    isPlaying: bool
    """True while it plays, or waits to play at a host time."""
    currentTime: Time
    """The time within the pass; during a seek, its target."""
    deviceCurrentTime: Time
    """The time of the clock."""
    duration: Time
    """The duration of one pass."""
    loop: int
    """The number of times that playback has begun again after a pass, since the player was
    created.
    """
    numberOfLoops: int
    """The number of passes after the first one; -1 for an unlimited number."""
    volume: float
    """The volume, or the one that it fades to."""
    pan: float
    """The position between left, -1, and right, 1."""
    rate: float
    """The rate that it plays at."""
    clock: PlayerClock
    """The clock that is in use: `host` instead of `audio` while no device plays."""
    audio: PlayerAudio
    """The audio."""


class AudioRecorderAdvanceClockResult(TypedDict):
    """The clock."""

    time: Time
    """The time of the clock."""


class AudioRecorderCreateResult(TypedDict):
    """The recorder."""

    audioRecorder: AudioRecorderHandle
    """The recorder's handle."""


class _AudioRecorderDidFinishRecordingRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    audioRecorder: AudioRecorderHandle
    """The recorder."""
    successfully: bool
    """True if the file is as requested."""
    recordedDuration: Time
    """The duration of the recording in the file."""


class AudioRecorderDidFinishRecording(_AudioRecorderDidFinishRecordingRequired, total=False):
    """Reports the end of a recording. It is always sent, also after an interruption."""

    url: str
    """The path of the file; absent if the worker process has died."""
    dropped: List[Dropped]
    """The channels that the file can't hold; absent if it holds all."""
    error: ErrorObject
    """The reason, if it isn't."""


AudioRecorderHandle = NewType("AudioRecorderHandle", str)
"""Names a recorder of audio, for example `audioRecorder:1`."""


class AudioRecorderMetersResult(TypedDict):
    """The levels."""

    time: Time
    """The time at which the measured audio ends."""
    channels: List[CaptureLevel]
    """The levels of all channels."""


class AudioRecorderStateResult(TypedDict):
    """The moment."""

    isRecording: bool
    """True while it records, and isn't paused."""
    currentTime: Time
    """The duration of the recording so far; 0 if nothing is being recorded."""
    deviceCurrentTime: Time
    """The time of the clock."""


class _AudioSettingsRequired(TypedDict):
    sampleFormat: str
    """The sample format: `u8`, `s16`, `s32`, `f32` or `f64`; FFmpeg's names `flt` and `dbl` mean
    the last two.
    """


class AudioSettings(_AudioSettingsRequired, total=False):
    """The format that decoded audio is converted to."""

    sampleRate: int
    """The sample rate in hertz; the source's when absent."""
    channels: int
    """The number of channels; the source's when absent."""
    interleaved: bool
    """True if the channels alternate in one plane. Default: ``true``."""


AudioTimePitchAlgorithm = Literal["timeDomain", "spectral", "varispeed"]
"""The treatment of audio in a part of a track that is played faster or slower than it is stored.
The part has exactly the samples that lie in its time on the track, regardless of the speed.
Nothing changes if nothing is scaled in time.
"""


AudioTracks = Literal["mix", "separate"]
"""The treatment of several audio tracks that are encoded."""


AudioTreatment = Union[AudioEncoding, None]
"""The encoding of audio, or `null` to leave it out."""


AuthorizationStatus = Literal["denied", "authorized", "restricted"]
"""The authorization to use a kind of devices."""


class InlineBlob(TypedDict):
    """Bytes in the message."""

    kind: Literal["inline"]
    """Always `inline`."""
    size: int
    """The number of bytes."""
    mimeType: str
    """The MIME type of the bytes."""
    data: str
    """The bytes, in base64 with padding."""


class _FileBlobRequired(TypedDict):
    kind: Literal["file"]
    """Always `file`."""
    size: int
    """The number of bytes."""
    mimeType: str
    """The MIME type of the bytes."""
    path: str
    """The file, with its number filled in."""


class FileBlob(_FileBlobRequired, total=False):
    """Bytes in a file, which is the caller's."""

    offset: int
    """The offset of the bytes in the file; only if several blobs are in one file."""


class SharedBlob(TypedDict):
    """Bytes in shared memory, which do not change until the lease is released."""

    kind: Literal["shm"]
    """Always `shm`."""
    size: int
    """The number of bytes."""
    mimeType: str
    """The MIME type of the bytes."""
    path: str
    """The memory as a path to open and map, for example `/proc/4242/fd/9`; the same for many
    blobs.
    """
    offset: int
    """The offset of the bytes from the start of the memory; a multiple of 64."""
    lease: LeaseHandle
    """The lease to return with `blob/release`."""


Blob = Union[InlineBlob, FileBlob, SharedBlob]
"""Bytes that a method returns."""


BlobKind = Literal["inline", "file", "shm"]
"""The location of bytes."""


class _BooleanKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class BooleanKeyState(_BooleanKeyStateRequired, total=False):
    """The state of one key."""

    value: bool
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class BurntSubtitles(TypedDict, total=False):
    """Subtitles that become part of the frames: of a codec that is text, such as SRT, WebVTT,
    `mov_text` and ASS. Scripts of ASS have their own styles, and the fonts that are attached to
    their file.
    """

    url: str
    """The path or `file` URL of a file with subtitles, whose time zero is that of the asset. Left
    out: those of the asset itself.
    """
    trackID: int
    """The track, of the file or else of the asset. Left out: the first one of subtitles that are
    text.
    """
    characterSet: str
    """The character set of a file that isn't UTF-8, by IANA's name; otherwise it is guessed."""
    style: TextStyle
    """The style. Its members replace those in the styles of the subtitles."""


class CancelledCount(TypedDict):
    """The number of operations that were cancelled."""

    cancelled: int
    """The number of operations."""


class Size(TypedDict):
    """A width and a height."""

    width: float
    """The width."""
    height: float
    """The height."""


CanvasSize = Union[Size, Literal["source"]]
"""A size, or `"source"` for that of the first frame."""


CaptureAddition = Literal["input", "output"]
"""The kind of object that a change adds."""


class CaptureAuthorizationStatusResult(TypedDict):
    """The status."""

    status: AuthorizationStatus
    """The status."""


class CaptureChangeInput(TypedDict, total=False):
    """One change of a session's configuration: exactly one of `add`, `remove`, `set`, `connect`
    and `disconnect`.
    """

    add: CaptureAddition
    """Adds an input or an output."""
    device: str
    """The `uniqueID` of an added input's device, or `default`."""
    settings: CaptureSettingsInput
    """The settings of the added input or output."""
    format: CaptureFormatChoice
    """The format of an added input; the preset becomes `inputPriority`."""
    minFrameDuration: TimeInput
    """The minimum duration of an added input's frames; one that the format has."""
    maxFrameDuration: TimeInput
    """The maximum duration of an added input's frames; one that the format has."""
    crop: CropRectangle
    """The part of an added screen that is captured, of even size, in its pixels; all of it when
    absent.
    """
    capturesCursor: bool
    """True to include the cursor in the frames of an added screen. Default: ``false``."""
    scaleFactor: float
    """The size of an added screen's frames relative to that of the part, from 0.1 to 4; it is
    rounded to even numbers. Default: ``1``.
    """
    type: CaptureOutputType
    """The type of an added output."""
    maxOutstanding: int
    """The maximum number of outstanding leases of an added output, from 1 to 32. Default: ``3``."""
    alwaysDiscardsLateVideoFrames: bool
    """False to have up to 30 frames wait, instead of only the newest. Default: ``true``."""
    mode: VideoOutputMode
    """The delivery of an added output's samples; `push` for a preview when absent. Default:
    ``"pull"``.
    """
    connect: CaptureConnectChange
    """With `add`, the connections of the added object, by default all that fit; else the ends to
    connect.
    """
    remove: AnyHandle
    """An input or an output to remove; `handle/close` of its handle does the same."""
    set: CaptureSetInput
    """The properties to change."""
    disconnect: CaptureConnectionEnds
    """The connection to remove."""


CaptureClock = Literal["host", "manual"]
"""The clock of a session, on which all of its times are."""


CaptureConnect = Literal["automatic", "none"]
"""The connections of an added input or output."""


class CaptureConnectionEnds(TypedDict):
    """The ends of a connection, and the type of its media."""

    captureInput: CaptureInputHandle
    """The input."""
    captureOutput: CaptureOutputHandle
    """The output."""
    mediaType: MediaType
    """The media type, `video` or `audio`."""


CaptureConnectChange = Union[CaptureConnect, CaptureConnectionEnds]
"""The connections of an added input or output, or the ends to connect."""


class CaptureConnection(TypedDict):
    """A connection of an input with an output."""

    captureInput: CaptureInputHandle
    """The input."""
    captureOutput: CaptureOutputHandle
    """The output."""
    mediaType: MediaType
    """The media type, `video` or `audio`."""
    isEnabled: bool
    """False if no samples pass through it."""
    isActive: bool
    """True if samples pass through it while the session runs."""


class _CaptureDeviceRequired(TypedDict):
    uniqueID: str
    """The ID, which is the same in later processes, for example `pulse:NAME`."""
    localizedName: str
    """The name for people."""
    mediaTypes: List[CaptureMediaType]
    """The kinds of its media."""
    transport: DeviceTransport
    """The interface to it."""
    isConnected: bool
    """True while it is there."""
    isDefault: bool
    """True for the device that is used when none is named."""
    formats: List[DeviceFormat]
    """The formats of its media."""


class CaptureDevice(_CaptureDeviceRequired, total=False):
    """A device of this machine."""

    modelID: str
    """The model, if it is known."""
    isMonitor: bool
    """True for a source of the audio that an output plays; absent for outputs."""
    isInUse: bool
    """True while any program uses it; absent if that isn't known."""


class CaptureDevicesResult(TypedDict):
    """The devices."""

    devices: List[CaptureDevice]
    """The devices, the default one first."""
    unavailable: List[UnavailableDevices]
    """The kinds of devices that can't be listed."""


class CaptureDidChangeDevices(TypedDict):
    """Reports the changes of the devices of this machine since the last report."""

    added: List[CaptureDevice]
    """The devices that have appeared."""
    removed: List[str]
    """The `uniqueID`s of the devices that are gone."""
    changed: List[CaptureDevice]
    """The devices that became or ceased to be the default, became used or unused, or have other
    formats than before.
    """


CaptureDropReason = Literal["late", "outOfBuffers", "discontinuity"]
"""The reason for which samples were dropped."""


class CaptureDrops(TypedDict):
    """The numbers of samples that an output didn't get, by reason: frames of video, and samples a
    channel of audio.
    """

    late: int
    """The number for which the receiver was late."""
    outOfBuffers: int
    """The number for which the client held the maximum number, or there was no memory, or no place
    in the file: after its limit, and at a lower frame rate.
    """
    discontinuity: int
    """The number that the device left out."""


class CaptureFormat(TypedDict, total=False):
    """The required properties of an input's format; an absent one may have any value."""

    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    pixelFormat: str
    """The pixel format by FFmpeg's name."""
    sampleRate: int
    """The sample rate in hertz."""
    channels: int
    """The number of channels."""


CaptureFormatChoice = Union[int, CaptureFormat]
"""The format of an input: its index among those of the device, or its required properties."""


CaptureInputHandle = NewType("CaptureInputHandle", str)
"""Names an input of a capture session, for example `captureInput:1/1`."""


class _CaptureInputStateRequired(TypedDict):
    captureInput: CaptureInputHandle
    """The input."""
    device: str
    """The `uniqueID` of its device."""
    isConnected: bool
    """False while the device is unplugged."""
    captured: CapturedCounts
    """The numbers of frames and samples that it has captured since the start."""
    dropped: CaptureDrops
    """The numbers that it left out."""


class CaptureInputState(_CaptureInputStateRequired, total=False):
    """An input of a session."""

    latency: Time
    """The delay by which its times are corrected."""


class CaptureInputStatus(TypedDict):
    """The status of a session's input, for a client that holds a copy of the session."""

    captureInput: CaptureInputHandle
    """The input."""
    device: str
    """The `uniqueID` of its device."""
    isConnected: bool
    """False while the device is unplugged."""
    isInterrupted: bool
    """True while it delivers nothing."""


CaptureInterruptionReason = Literal["deviceStalled", "deviceInUse", "serverGone"]
"""The reason for which a session is interrupted."""


class CaptureLevel(TypedDict):
    """The level of a channel over the last 50 ms, in decibels of full scale, from -160 to 0 and
    above.
    """

    averagePowerLevel: float
    """The mean power."""
    peakHoldLevel: float
    """The maximum sample."""


CaptureMediaType = Literal["video", "audio", "screen"]
"""The media of devices."""


class CaptureOutputDidDrop(TypedDict):
    """Reports samples that were dropped, at most every half second for each reason. The counts add
    up to the total.
    """

    captureOutput: CaptureOutputHandle
    """The output."""
    reason: CaptureDropReason
    """The reason."""
    count: int
    """The number of dropped samples since the last notification."""
    presentationTime: Time
    """The time of the last of them."""


class _CaptureOutputDidFinishCaptureRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    captureOutput: CaptureOutputHandle
    """The output."""
    result: Outcome
    """The outcome."""


class CaptureOutputDidFinishCapture(_CaptureOutputDidFinishCaptureRequired, total=False):
    """Reports the end of a photo."""

    image: ImageLayout
    """The layout of pixels in the bytes; absent if the image has a file format."""
    blob: Blob
    """The bytes."""
    time: Time
    """The frame's time."""
    error: ErrorObject
    """The reason for a missing photo."""


class _CaptureOutputDidFinishRecordingRequired(TypedDict):
    operation: OperationHandle
    """The recording's operation."""
    captureOutput: CaptureOutputHandle
    """The output."""
    outputURL: str
    """The path of the file."""
    status: RecordingStatus
    """The outcome."""
    recordingSuccessfullyFinished: bool
    """True if the file can be used, regardless of the error."""
    isPlainMovie: bool
    """True for a movie that isn't in fragments."""
    recordedDuration: Time
    """The duration of the longest track. If its process has ended unexpectedly, that of a movie's
    fragments, and 0 for other types.
    """
    recordedFileSize: int
    """The size of the file in bytes."""
    tracks: List[RecordedTrack]
    """The tracks, in the order of the file."""


class CaptureOutputDidFinishRecording(_CaptureOutputDidFinishRecordingRequired, total=False):
    """Reports the end of a recording. It is sent exactly once, regardless of the cause."""

    dropped: List[Dropped]
    """The metadata, pixels and channels that the file can't hold, by the numbers of its tracks;
    absent if it holds all.
    """
    error: ErrorObject
    """The reason for its end; absent if the client ended it."""


class CaptureOutputDidMeasureLevels(TypedDict):
    """Delivers the levels of an output's audio."""

    captureOutput: CaptureOutputHandle
    """The output."""
    time: Time
    """The time at which the measured audio ends."""
    channels: List[CaptureLevel]
    """The levels of all channels."""


class CaptureOutputDidOutput(TypedDict):
    """Delivers samples of an output that pushes."""

    captureOutput: CaptureOutputHandle
    """The output."""
    sampleBuffers: List[SampleBuffer]
    """The samples."""
    dropped: CaptureDrops
    """The samples that were dropped since the last notification."""


class CaptureOutputDidPauseRecording(TypedDict):
    """Reports that a recording is paused."""

    operation: OperationHandle
    """The recording's operation."""
    captureOutput: CaptureOutputHandle
    """The output."""
    outputURL: str
    """The path of the file."""


class CaptureOutputDidResumeRecording(TypedDict):
    """Reports that a recording continues after a pause."""

    operation: OperationHandle
    """The recording's operation."""
    captureOutput: CaptureOutputHandle
    """The output."""
    outputURL: str
    """The path of the file."""


class CaptureOutputDidStartRecording(TypedDict):
    """Reports that a recording has its first sample. It isn't sent if there never was one."""

    operation: OperationHandle
    """The recording's operation."""
    captureOutput: CaptureOutputHandle
    """The output."""
    outputURL: str
    """The path of the file."""
    startTime: Time
    """The time of the session's clock that is the recording's zero."""


CaptureOutputHandle = NewType("CaptureOutputHandle", str)
"""Names an output of a capture session, for example `captureOutput:1/1`."""


class CaptureOutputLevelsResult(TypedDict):
    """The levels."""

    time: Time
    """The time at which the measured audio ends."""
    channels: List[CaptureLevel]
    """The levels of all channels; empty before the first sample."""


class CaptureOutputNextSampleBuffersResult(TypedDict):
    """The samples."""

    sampleBuffers: List[SampleBuffer]
    """The samples."""
    dropped: CaptureDrops
    """The samples that were dropped since the last answer."""
    isRunning: bool
    """True while the session runs."""


class _CaptureOutputRecordingStateResultRequired(TypedDict):
    isRecording: bool
    """True while a recording is in progress."""
    isPaused: bool
    """True while it is paused."""
    recordedDuration: Time
    """The duration of the longest track."""
    recordedFileSize: int
    """The size of the part of the file that is written, in bytes."""


class CaptureOutputRecordingStateResult(_CaptureOutputRecordingStateResultRequired, total=False):
    """The moment."""

    outputURL: str
    """The path of the file."""


class _CaptureOutputStateRequired(TypedDict):
    captureOutput: CaptureOutputHandle
    """The output."""
    type: CaptureOutputType
    """The type."""
    delivered: int
    """The number of frames, or of samples a channel, that it got."""
    dropped: CaptureDrops
    """The samples that it didn't get."""


class CaptureOutputState(_CaptureOutputStateRequired, total=False):
    """An output of a session."""

    recording: CaptureRecordingState
    """The recording in progress."""


class CaptureOutputStatus(TypedDict):
    """The properties of a session's output, for a client that holds a copy of the session."""

    captureOutput: CaptureOutputHandle
    """The output."""
    type: CaptureOutputType
    """The type."""


CaptureOutputType = Literal["movieFile", "audioFile", "videoData", "audioData", "photo", "preview"]
"""The use of an output."""


class CaptureOutputWillCapture(TypedDict):
    """Reports that the frame of a photo has arrived."""

    operation: OperationHandle
    """The photo's operation."""
    captureOutput: CaptureOutputHandle
    """The output."""
    time: Time
    """The frame's time."""


class _CaptureOutputWillFinishRecordingRequired(TypedDict):
    operation: OperationHandle
    """The recording's operation."""
    captureOutput: CaptureOutputHandle
    """The output."""
    outputURL: str
    """The path of the file."""


class CaptureOutputWillFinishRecording(_CaptureOutputWillFinishRecordingRequired, total=False):
    """Reports that a recording accepts no more samples; the file is being finished. It is sent
    exactly once, before the end.
    """

    error: ErrorObject
    """The reason for its end; absent if the client ended it."""


CapturePreset = Literal[
    "photo",
    "high",
    "medium",
    "low",
    "size352x288",
    "size640x480",
    "size960x540",
    "size1280x720",
    "size1920x1080",
    "size3840x2160",
    "inputPriority",
]
"""The rule by which the formats of a session's devices are chosen."""


class CaptureRecordingState(TypedDict):
    """A recording in progress."""

    outputURL: str
    """The path of the file."""
    isPaused: bool
    """True while it is paused."""
    recordedDuration: Time
    """The duration of the longest track."""
    recordedFileSize: int
    """The size of the file in bytes, as far as it is written."""


class CaptureSessionAdvanceClockResult(TypedDict):
    """The results."""

    time: Time
    """The time of the clock."""
    captured: int
    """The number of frames and buffers of audio that were captured."""
    notifications: int
    """The number of notifications that resulted, all of them sent before this answer."""


class CaptureSessionConfigureResult(TypedDict):
    """The results of the changes."""

    inputs: List[CaptureInputHandle]
    """The inputs that were added, in the order of the changes; empty for a dry run."""
    outputs: List[CaptureOutputHandle]
    """The outputs that were added, in the order of the changes; empty for a dry run."""
    connections: List[CaptureConnection]
    """All connections of the session."""
    resolved: List[ResolvedFormat]
    """The formats of all inputs."""


class CaptureSessionCreateResult(TypedDict):
    """The session."""

    captureSession: CaptureSessionHandle
    """The session's handle. Closing it stops the session, and finishes its recordings."""


class _CaptureSessionDidChangeRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""


class CaptureSessionDidChange(_CaptureSessionDidChangeRequired, total=False):
    """Reports the changes of a session, regardless of their cause, once for all that happened
    together; absent members are unchanged. A new session doesn't run, and has no inputs and
    outputs.
    """

    isRunning: bool
    """True while it runs."""
    isInterrupted: bool
    """True while an input delivers nothing."""
    preset: CapturePreset
    """The rule by which the formats of devices are chosen."""
    inputs: List[CaptureInputStatus]
    """All inputs."""
    outputs: List[CaptureOutputStatus]
    """All outputs."""
    connections: List[CaptureConnection]
    """All connections."""
    resolved: List[ResolvedFormat]
    """The formats of all inputs."""


class CaptureSessionDidFail(TypedDict):
    """Reports a failure that stops the session; `captureSession/didStop` follows."""

    captureSession: CaptureSessionHandle
    """The session."""
    error: ErrorObject
    """The failure."""


class _CaptureSessionDidStartRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    captureSession: CaptureSessionHandle
    """The session."""


class CaptureSessionDidStart(_CaptureSessionDidStartRequired, total=False):
    """Reports that a session has started, or has failed to start."""

    startTime: Time
    """The time of the session's clock at which it started."""
    error: ErrorObject
    """The reason for its failure to start."""


class _CaptureSessionDidStopRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""
    reason: CaptureStopReason
    """The reason."""


class CaptureSessionDidStop(_CaptureSessionDidStopRequired, total=False):
    """Reports that a session has stopped. No notification of its outputs is sent after it."""

    operation: OperationHandle
    """The operation that has ended, if the client stopped it."""


CaptureSessionHandle = NewType("CaptureSessionHandle", str)
"""Names a capture session, for example `captureSession:1`."""


class _CaptureSessionInterruptionEndedRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""


class CaptureSessionInterruptionEnded(_CaptureSessionInterruptionEndedRequired, total=False):
    """Reports that an input delivers samples again, also after its device was unplugged."""

    captureInput: CaptureInputHandle
    """The input."""


class CaptureSessionStateResult(TypedDict):
    """The moment."""

    isRunning: bool
    """True while it runs."""
    isInterrupted: bool
    """True while an input delivers nothing."""
    clock: CaptureClock
    """The clock."""
    time: Time
    """The time of the clock."""
    inputs: List[CaptureInputState]
    """The inputs."""
    outputs: List[CaptureOutputState]
    """The outputs."""


class _CaptureSessionWasInterruptedRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""
    reason: CaptureInterruptionReason
    """The reason."""


class CaptureSessionWasInterrupted(_CaptureSessionWasInterruptedRequired, total=False):
    """Reports that an input delivers nothing for a while; the others continue."""

    captureInput: CaptureInputHandle
    """The input."""


class CaptureSetInput(TypedDict, total=False):
    """The new properties of a session, of one input, or of one connection; absent ones stay as
    they are.
    """

    preset: CapturePreset
    """The session's preset."""
    captureInput: CaptureInputHandle
    """The input that is to be changed."""
    format: CaptureFormatChoice
    """The input's format; the preset becomes `inputPriority`."""
    minFrameDuration: TimeInput
    """The minimum duration of the input's frames; one that the format has."""
    maxFrameDuration: TimeInput
    """The maximum duration of the input's frames; one that the format has."""
    crop: CropRectangle
    """The part of a screen that the input captures, of even size, in the screen's pixels."""
    capturesCursor: bool
    """True to include the cursor in the input's frames of a screen."""
    scaleFactor: float
    """The size of the input's frames relative to that of the screen's part, from 0.1 to 4."""
    connection: CaptureConnectionEnds
    """The connection that is to be changed."""
    isEnabled: bool
    """False to pass no samples through the connection."""
    rotate: int
    """The clockwise rotation of a connection's frames in degrees: 0, 90, 180 or 270."""
    isMirrored: bool
    """True to mirror a connection's frames, before they are rotated."""


class CaptureSettingsInput(TypedDict, total=False):
    """The settings of an added input or output. Those of an input are `latency` and
    `driftCorrection`, and the properties of a synthetic device, which are all of the others up
    to `latencyMs`; times there are seconds of the device's time, which begins with the session.
    """

    latency: TimeInput
    """A known delay of an input, by which its times are corrected."""
    driftCorrection: bool
    """True to resample an input's audio if its clock runs at another rate. Default: ``true``."""
    width: int
    """The width of a synthetic device's frames, even, from 64 to 4096; or of an output's."""
    height: int
    """The height of a synthetic device's frames, even, from 48 to 2304; or of an output's."""
    frameRate: Factor
    """The frames a second of a synthetic device, above 0 and at most 240."""
    sampleRate: int
    """The sample rate of a synthetic device, or of an output, in hertz."""
    channels: int
    """The number of channels of a synthetic device, 1 or 2; or of an output."""
    audio: bool
    """False for a synthetic device without audio."""
    video: bool
    """False for a synthetic device without video."""
    driftPPM: float
    """The excess speed of a synthetic device's clock, in millionths, from -10,000 to 10,000."""
    jitterMs: float
    """The maximum error of its times, in milliseconds, from 0 to 1000."""
    dropEvery: int
    """The device leaves out each frame whose number is a multiple of this, except frame 0."""
    dropFrames: List[int]
    """The numbers of frames that the device leaves out."""
    unplugAt: TimeInput
    """The time at which it is unplugged."""
    replugAt: TimeInput
    """The time at which it is connected again."""
    stallAt: TimeInput
    """The time from which on it delivers nothing."""
    stallFor: TimeInput
    """The time for which it delivers nothing. Default: ``1``."""
    failStart: bool
    """True for a device that doesn't start."""
    busy: bool
    """True for a device that another program uses."""
    latencyMs: float
    """The delay of its samples after their times, in milliseconds, from 0 to 10,000."""
    pixelFormat: ImageFormat
    """The format of an output's frames: pixels, or a file format such as `jpeg`; as captured when
    absent, and `jpeg` for a preview.
    """
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    sampleFormat: str
    """The sample format of an output's audio: `u8`, `s16`, `s32`, `f32` or `f64`; as captured when
    absent.
    """
    maxFrameRate: float
    """The maximum frame rate of an output, in frames per second; 15 for a preview when absent."""
    delivery: VideoOutputDelivery
    """The destination of an output's bytes. Default: ``"shm"``."""


CaptureStopReason = Literal["requested", "failed", "closed"]
"""The reason for which a session stopped."""


class CapturedCounts(TypedDict, total=False):
    """The numbers of captured frames and samples."""

    video: int
    """The number of frames; absent without video."""
    audio: int
    """The number of samples a channel; absent without audio."""


class _ChapterInputRequired(TypedDict):
    title: str
    """Its title."""


class ChapterInput(_ChapterInputRequired, total=False):
    """A chapter to write."""

    start: TimeInput
    """The start; not needed with `timeRange`, whose start counts."""
    timeRange: TimeRangeInput
    """The range; without it a chapter ends where the next one begins, or the asset ends."""


ChapterSource = Literal["files", "parts", "none"]
"""The sources of an export's chapters."""


class Chromaticity(TypedDict):
    """A point in the CIE 1931 chromaticity diagram."""

    x: float
    """The first coordinate, 0 to 1; files store it in units of 1/50000."""
    y: float
    """The second coordinate, likewise."""


class CleanAperture(TypedDict):
    """The part of a frame to be displayed."""

    x: float
    """Its left edge, from the left of the frame."""
    y: float
    """Its top edge, from the top of the frame."""
    width: float
    """Its width."""
    height: float
    """Its height."""


class ClientCapabilities(TypedDict, total=False):
    """The capabilities of a client; reserved, unknown members are ignored."""


class ClipInput(TypedDict, total=False):
    """A part of a file or an asset, a still image, or, with neither `url` nor `asset`, a gap."""

    url: str
    """The path or `file` URL of a file."""
    asset: AssetHandle
    """An asset, in place of a file."""
    imageSequence: ImageSequence
    """Numbered images for which the `url` stands."""
    timeRange: TimeRangeInput
    """The part that is shown; a duration of `"+infinity"` reaches to the end. Not for stills. Left
    out: all of it.
    """
    speed: Factor
    """The speed: 2 shows it in half its time, -1 backward, video and audio. Not for stills.
    Default: ``1``.
    """
    speedRamp: List[SpeedPointInput]
    """A speed that changes, in place of `speed`: the points of its course, 1 to 1,000, in
    ascending order, at times of the source within the part that is shown. Speeds are all above
    0, or all below 0 for backward. Left out: `speed` throughout.
    """
    volume: float
    """The volume, 0 or more. Default: ``1``."""
    fit: Fit
    """The way in which its frames are fitted to the composed frame. Default: ``"contain"``."""
    duration: TimeInput
    """The duration of a still, a frozen frame or a gap; required for a gap, and for no other clip.
    Left out: 3 s for a still and a frozen frame.
    """
    freeze: TimeInput
    """The time of the source whose frame is shown throughout `duration`, without audio. Left out:
    it is played.
    """
    zoom: Zoom
    """A move over its frames, in place of `fit`."""
    transition: TransitionInput
    """The transition to the next clip. Left out: a cut."""
    text: ClipTextInput
    """A text over it, for as long as it is shown: for a gap, a title."""
    background: List[float]
    """Red, green, blue and alpha of a gap's colour, each from 0 to 1. Left out: `background` of
    the sequence.
    """


class _ClipSequenceInputRequired(TypedDict):
    clips: List[ClipInput]
    """The clips, at least one."""


class ClipSequenceInput(_ClipSequenceInputRequired, total=False):
    """Clips one after the other, with overlays and additional audio. A clip begins where the
    previous one ends, or earlier by the duration of that one's dissolve into it. The sequence
    ends with the last clip.
    """

    size: Size
    """The size of the composed frames. Left out: that of the first clip that has one, in even
    numbers.
    """
    frameRate: Factor
    """The number of frames per second. A clip with more of them, or one that is played slower, is
    shown at this rate; frames of the others are repeated. Left out: that of the first clip that
    has one, else 30.
    """
    background: List[float]
    """Red, green, blue and alpha, each from 0 to 1, of the colour where nothing is shown. Left
    out: opaque black.
    """
    overlays: List[OverlayInput]
    """Images and videos over the frames of the clips; the last is on top."""
    audio: List[AccompanimentInput]
    """The audio in addition to that of the clips."""
    subtitles: List[BurntSubtitles]
    """Subtitles over the frames; of several, the last is on top. They are those of files."""
    subtitleTracks: List[SubtitleFile]
    """Files of subtitles that become tracks in exports, at times of the sequence."""
    textLayers: List[TextLayerInput]
    """Texts over the frames and the subtitles; the last is on top."""


class _ClipTextInputRequired(TypedDict):
    text: str
    """The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
    has no codes.
    """


class ClipTextInput(_ClipTextInputRequired, total=False):
    """A text over a clip. It dissolves together with the clip."""

    style: TextStyle
    """The style."""
    position: PicturePosition
    """The position of the point of it that `alignment` names. Left out: the place of `alignment`
    in the frame, within the margins.
    """
    fadeIn: TimeInput
    """The duration of its appearance. Default: ``0``."""
    fadeOut: TimeInput
    """The duration of its disappearance. Default: ``0``."""


class Codec(TypedDict):
    """A decoder or an encoder of this build."""

    name: str
    """FFmpeg's name of the decoder or encoder, for example `libx264`."""
    codec: str
    """FFmpeg's name of the format, for example `h264`."""
    description: str
    """The name for a person."""


class _CodedAudioFormatRequired(TypedDict):
    sampleRate: float
    """The sample rate in hertz."""
    channelsPerFrame: int
    """The number of channels."""


class CodedAudioFormat(_CodedAudioFormatRequired, total=False):
    """The audio properties of encoded samples."""

    initialPadding: int
    """The number of frames that the encoder added at the start (priming). Default: ``0``."""


class _CodedFormatRequired(TypedDict):
    codec: str
    """The format by FFmpeg's name, for example `h264`."""


class CodedFormat(_CodedFormatRequired, total=False):
    """The format of encoded samples: the part of a `FormatDescription` that a file has to state."""

    extradata: str
    """The set-up data, as FFmpeg holds it: for H.264 the payload of `avcC`, for AAC the
    AudioSpecificConfig.
    """
    video: CodedVideoFormat
    """The video properties; required for video."""
    audio: CodedAudioFormat
    """The audio properties; required for audio."""


class CodedVideoFormat(TypedDict):
    """The video properties of encoded samples."""

    dimensions: Size
    """The encoded size, in pixels."""


class Color(TypedDict, total=False):
    """The colour properties of an image, by FFmpeg's names."""

    primaries: str
    """The primaries, for example `bt709`."""
    transfer: str
    """The transfer function, for example `smpte2084`."""
    matrix: str
    """The matrix, for example `bt2020nc`."""
    range: str
    """The range, `limited` or `full`."""


class ColorProperties(TypedDict):
    """Colours, by FFmpeg's names."""

    primaries: str
    """The primaries, for example `bt709`."""
    transfer: str
    """The transfer function."""
    matrix: str
    """The matrix."""


Completion = Literal["notification", "response"]
"""The moment at which a request that starts work is answered."""


class CompositionAddTrackResult(TypedDict):
    """The track."""

    trackID: int
    """Its number."""
    duration: Time
    """The end of the last of the tracks."""
    revision: int
    """The number of edits that have been made."""


class _CompositionAssembleResultRequired(TypedDict):
    timeline: CompositionTimeline
    """The timeline that the sequence was expanded to."""


class CompositionAssembleResult(_CompositionAssembleResultRequired, total=False):
    """The composition, and its timeline."""

    composition: CompositionHandle
    """The composition; absent with `timelineOnly`."""


class CompositionCompatibleTrackResult(TypedDict, total=False):
    """The track."""

    trackID: int
    """Its number; absent when there is none."""


class CompositionCreateResult(TypedDict):
    """The composition."""

    composition: CompositionHandle
    """The composition's handle."""


CompositionHandle = NewType("CompositionHandle", str)
"""Names a composition, for example `composition:1`. It is accepted wherever a method accepts an
asset. Objects that are made of it use the composition as it was then.
"""


class CompositionImportResult(TypedDict):
    """The composition."""

    composition: CompositionHandle
    """The composition's handle."""
    losses: List[ConversionLoss]
    """The parts of the document that aren't in it."""


class CompositionInsertTimeRangeResult(TypedDict):
    """The result of the insertion."""

    timeRange: TimeRange
    """The range that it covers in the composition."""
    trackIDs: List[int]
    """The tracks that show it, in the order of the asset's tracks."""
    duration: Time
    """The end of the last of the tracks."""
    revision: int
    """The number of edits that have been made."""


class CompositionItemInput(TypedDict, total=False):
    """A range of an asset's track, or an empty one."""

    asset: AssetHandle
    """The asset; left out for an empty range."""
    assetTrackID: int
    """The asset's track; left out, the first one of the kind."""
    timeRange: TimeRangeInput
    """The range of the track, all of it when left out; of an empty one only its duration counts."""
    playback: SegmentPlayback
    """The playback of the range; for a freeze, the frame that is shown at its start for its
    duration. Default: ``"forward"``.
    """
    speedRamp: List[SpeedPointInput]
    """A speed that changes, of video and audio: the points of its course, 1 to 1,000, in ascending
    order, at times of the asset within the range, and with speeds above 0. The duration follows
    from it. Left out: the natural speed.
    """


class CompositionOpenTimelineIOResult(TypedDict):
    """The document."""

    document: OpenTimelineIODocument
    """The document, as it is written to a file with the extension `otio`."""
    losses: List[ConversionLoss]
    """The parts of the composition that the document has in `metadata.reelwire` only, and the
    `losses` of `composition/timeline`.
    """


class CompositionPicture(TypedDict):
    """A frame that a compositor of the client's own draws."""

    image: ImageLayout
    """The layout of pixels in the bytes."""
    blob: SharedBlob
    """The bytes, whose `path` is to be opened and mapped for reading and writing."""


class _CompositionSegmentRequired(TypedDict):
    timeMapping: TimeMapping
    """The part of that track (`source`), with the range in which it is shown (`target`, on the
    composition's clock); of an empty segment the source is `"invalid"`.
    """


class CompositionSegment(_CompositionSegmentRequired, total=False):
    """A part of a composition's track (AVCompositionTrackSegment)."""

    asset: AssetHandle
    """The asset that is shown; left out in an empty segment. In answers it is absent too if the
    asset's handle has been closed.
    """
    path: str
    """The asset's path or name; only in answers."""
    assetTrackID: int
    """The asset's track; left out, the first one of the kind."""
    playback: SegmentPlayback
    """The playback of the part of that track. Default: ``"forward"``."""
    speedRamp: List[SpeedPoint]
    """The course of the speed over the source range, in ascending order and with speeds above 0,
    in times of the source; of video and audio. The duration of the target scales all speeds
    alike. Left out: a constant speed.
    """


class _CompositionSegmentInputRequired(TypedDict):
    timeMapping: TimeMappingInput
    """The part of that track (`source`), with the range in which it is shown (`target`, on the
    composition's clock); of an empty segment the source is `"invalid"`.
    """


class CompositionSegmentInput(_CompositionSegmentInputRequired, total=False):
    """A part of a composition's track (AVCompositionTrackSegment)."""

    asset: AssetHandle
    """The asset that is shown; left out in an empty segment. In answers it is absent too if the
    asset's handle has been closed.
    """
    path: str
    """The asset's path or name; only in answers."""
    assetTrackID: int
    """The asset's track; left out, the first one of the kind."""
    playback: SegmentPlayback
    """The playback of the part of that track. Default: ``"forward"``."""
    speedRamp: List[SpeedPointInput]
    """The course of the speed over the source range, in ascending order and with speeds above 0,
    in times of the source; of video and audio. The duration of the target scales all speeds
    alike. Left out: a constant speed.
    """


class CompositionSegmentsResult(TypedDict):
    """The segments."""

    segments: List[CompositionSegment]
    """The segments, one after the other from zero on."""


class CompositionSource(TypedDict):
    """A track's frame, for a compositor of the client's own. A frame has the size that its track
    shows: upright with square pixels in a composition, as it is stored in a file.
    """

    trackID: int
    """The track."""
    time: Time
    """The time at which the frame begins."""
    image: ImageLayout
    """The layout of pixels in the bytes."""
    blob: SharedBlob
    """The bytes, until the request is answered."""


class CompositionState(TypedDict):
    """A composition after an edit."""

    duration: Time
    """The end of the last of its tracks."""
    revision: int
    """The number of edits that have been made."""


class _CompositionTimelineRequired(TypedDict):
    version: int
    """The version of this format; 1."""
    sources: Dict[str, TimelineSource]
    """The sources of the segments, by the names that segments use."""
    tracks: List[TimelineTrack]
    """The tracks, at most 256 with 100,000 segments in all."""


class CompositionTimeline(_CompositionTimelineRequired, total=False):
    """A complete description of a composition, as a document. The server's output is canonical:
    two timelines of the same composition are the same bytes. Its members are in a fixed order,
    members with default values are left out, times are in lowest terms, and sources are named
    `s1`, `s2` … in the order in which the tracks use them. A caller's names for them are not
    retained.
    """

    naturalSize: Size
    """The size in which frames are shown; left out, that of the first frame as it is shown."""
    audioMix: AudioMix
    """The volumes of the tracks in a mix, unless the mix states others."""
    videoComposition: VideoComposition
    """The video composition of the tracks, unless another one is stated."""
    subtitleTracks: List[SubtitleFile]
    """Files of subtitles that become tracks in exports, unless an export states others."""


class _CompositionTimelineInputRequired(TypedDict):
    version: int
    """The version of this format; 1."""
    sources: Dict[str, TimelineSource]
    """The sources of the segments, by the names that segments use."""
    tracks: List[TimelineTrackInput]
    """The tracks, at most 256 with 100,000 segments in all."""


class CompositionTimelineInput(_CompositionTimelineInputRequired, total=False):
    """A complete description of a composition, as a document. The server's output is canonical:
    two timelines of the same composition are the same bytes. Its members are in a fixed order,
    members with default values are left out, times are in lowest terms, and sources are named
    `s1`, `s2` … in the order in which the tracks use them. A caller's names for them are not
    retained.
    """

    naturalSize: Size
    """The size in which frames are shown; left out, that of the first frame as it is shown."""
    audioMix: AudioMixInput
    """The volumes of the tracks in a mix, unless the mix states others."""
    videoComposition: VideoCompositionInput
    """The video composition of the tracks, unless another one is stated."""
    subtitleTracks: List[SubtitleFile]
    """Files of subtitles that become tracks in exports, unless an export states others."""


class CompositionTimelineResult(TypedDict):
    """The document."""

    timeline: CompositionTimeline
    """The timeline."""
    losses: List[ConversionLoss]
    """The parts of the composition that the timeline can't state: options with which assets were
    opened, properties of files of subtitles in inner compositions, settings of inner
    compositions, and the bytes of assets that are closed.
    """


class CompositionValidateSegmentsResult(TypedDict):
    """The problems."""

    isValid: bool
    """True if `composition/setSegments` would accept them."""
    problems: List[ParamsProblem]
    """All problems."""


Compositor = Literal["engine", "client"]
"""The compositors that can draw the frames of an instruction."""


class CompositorError(TypedDict):
    """The reason for which a frame can't be drawn."""

    message: str
    """A description for people; it is part of the message of the `videoCompositorFailed` with
    which the work fails.
    """


class Confinement(TypedDict):
    """The restrictions that the kernel enforces on the worker processes."""

    systemCalls: Restriction
    """The restriction that forbids starting programs, sockets of any kind, access to other
    processes and administration of the system (seccomp).
    """
    files: Restriction
    """The restriction that forbids files outside the folders of `--root`, the temporary folder and
    those of the system's libraries (Landlock); only with `--root`.
    """
    memory: Restriction
    """The restriction that forbids more address space than `--worker-memory`; only with that
    option.
    """
    fileSize: Restriction
    """The restriction that forbids files larger than `--worker-file-size`; only with that option.
    """
    descriptors: Restriction
    """The restriction that forbids more than 65,536 open files and sockets."""


class _ContactSheetTileRequired(TypedDict):
    index: int
    """The index of the tile, from 0, row by row."""
    timeRange: TimeRange
    """The range that the tile represents; empty for a time at or after the end."""
    requestedTime: Time
    """The requested time of its frame."""
    x: int
    """The distance of the tile's left edge from the sheet's, in pixels."""
    y: int
    """The distance of the tile's upper edge from the sheet's, in pixels."""
    width: int
    """The width of the tile in pixels."""
    height: int
    """The height of the tile in pixels."""


class ContactSheetTile(_ContactSheetTileRequired, total=False):
    """One tile of a contact sheet."""

    actualTime: Time
    """The presentation time of the frame that the tile shows."""
    sampleIndex: int
    """The index of the frame in the track, in presentation order, from 0; absent if the file has
    no presentation times, and if only the part of the file around the frame was indexed.
    """
    isExact: bool
    """True if it is the frame that is shown at the requested time."""
    error: ErrorObject
    """The reason for a black tile."""


class _ContainerFactsRequired(TypedDict):
    formatName: str
    """FFmpeg's name of the format, aliases included, for example `mov,mp4,m4a,3gp,3g2,mj2`."""
    formatLongName: str
    """FFmpeg's descriptive name of the format, for example `QuickTime / MOV`."""
    size: int
    """The size of the file in bytes."""
    streamCount: int
    """The number of streams in the container: tracks, attached pictures, attachments and data."""
    isCutShort: bool
    """True if the file ends before the end that its container states. `false` means that none is
    known: transport streams, program streams and raw streams state no end.
    """
    isEncrypted: bool
    """True if at least one track is encrypted."""
    hasIndex: bool
    """True if the container lists the positions of its samples: a movie's tables (of fragments
    `sidx` or `mfra`), Matroska's cues, AVI's `idx1`. Without such a list, positions are found
    by reading.
    """


class ContainerFacts(_ContainerFactsRequired, total=False):
    """Facts about a file as a whole, in addition to its tracks and its metadata."""

    bitRate: float
    """The bit rate of the whole file, in bits per second: its size divided by its duration; absent
    without a duration.
    """
    missingBytes: int
    """The minimum number of bytes that are missing at the end; absent if none are known to be
    missing.
    """
    characterSet: str
    """The character set of a file of subtitles, for example `windows-1252`; absent for other
    files.
    """
    characterSetIsGuess: bool
    """True for a guess of the character set, of a file that states none and isn't UTF-8. Absent
    for other files.
    """


class _ContainerFactsKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class ContainerFactsKeyState(_ContainerFactsKeyStateRequired, total=False):
    """The state of one key."""

    value: ContainerFacts
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class ContentLightLevel(TypedDict):
    """The light levels of the brightest pixel and the brightest frame, in cd/m² (CTA-861.3); 0 is
    unknown.
    """

    maxCLL: int
    """The light level of the brightest pixel of all frames."""
    maxFALL: int
    """The highest average light level of a frame."""


class ConversionLoss(TypedDict):
    """A loss of a conversion: an element that is left out, or shown otherwise."""

    path: str
    """The position of the element, as a JSON pointer into the document that was read, or the
    timeline that was written.
    """
    what: str
    """The name of the element, for example `Marker.2`."""
    reason: str
    """The reason, or the effect on the result."""


class CropRectangle(TypedDict):
    """A rectangle of a frame in whole pixels, from the top left."""

    x: int
    """The number of pixels to the left of it."""
    y: int
    """The number of pixels above it."""
    width: int
    """Its width."""
    height: int
    """Its height."""


class CropAspectRatio(TypedDict):
    """The shape of a part of a frame."""

    aspectRatio: Factor
    """The width divided by the height, as it is displayed, from 1/256 to 256. The part has whole
    samples of chroma, so it may differ from the ratio by less than one of them.
    """


Crop = Union[CropRectangle, CropAspectRatio]
"""The part of a frame that is shown: a rectangle, or the largest part in the middle with an aspect
ratio.
"""


PlayerItemHandle = NewType("PlayerItemHandle", str)
"""Names an item of players, for example `playerItem:1`."""


CurrentItemChange = Union[PlayerItemHandle, None]
"""The item that is current now, or `null` where there is none any more."""


class _RationalTimeRequired(TypedDict):
    value: Union[int, str]
    """The numerator."""
    timescale: int
    """The denominator: parts of a second."""


class RationalTime(_RationalTimeRequired, total=False):
    epoch: int
    """The run of the clock; 0 when absent."""
    rounded: bool
    """True if the time was rounded."""


Time = Union[RationalTime, Literal["+infinity", "-infinity", "indefinite", "invalid"]]
"""A time: an exact rational number of seconds, or one of four strings. The server writes
`{"value": 1001, "timescale": 30000}`, with `epoch` when that is not 0 and `rounded` when the
time was rounded on its way, or `"+infinity"`, `"-infinity"`, `"indefinite"`, `"invalid"`. It
reads any of those, a number of seconds (rounded to the nearest nanosecond), or a string:
`"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond ±(2^53−1) is written as a decimal
string. A timescale that is not positive makes the time invalid, as CMTimeMake does.
"""


CursorPositionInput = Union[Literal["first", "last"], Time, float, str]
"""The position of a new cursor: `"first"` or `"last"` in decode order, or a presentation time. At
a time, it is at the last shown sample that is not after it, and at the first shown one when all
are. `"+infinity"` and `"-infinity"` are the ends of presentation order.
"""


Deinterlacing = Literal["auto", "none", "frame", "field"]
"""The treatment of interlaced frames that are encoded."""


class _FileDeliveryRequired(TypedDict):
    kind: Literal["file"]
    """Always `file`."""
    path: str
    """The path of the file; in it, `%d` (also `%03d`) becomes the number of the item within its
    operation. The number is `firstNumber` plus `index`. An existing file is not overwritten.
    The extension of an image file, such as `x.png`, must match the contents: another image
    format or raw pixels are refused before any work is done.
    """


class FileDelivery(_FileDeliveryRequired, total=False):
    """A file to put bytes into."""

    firstNumber: int
    """The number of the first item. Default: ``0``."""


Delivery = Union[Literal["inline", "shm"], FileDelivery]
"""The delivery of bytes."""


DeviceDirection = Literal["input", "output"]
"""The directions of media between a device and the engine."""


class _DeviceFormatRequired(TypedDict):
    index: int
    """The index in the list of the device's formats."""
    mediaType: CaptureMediaType
    """The media."""


class DeviceFormat(_DeviceFormatRequired, total=False):
    """A format of a device."""

    pixelFormat: str
    """The pixel format of frames, by FFmpeg's name."""
    codec: str
    """The codec of encoded frames, by FFmpeg's name: they are decoded. Absent if the device
    delivers pixels.
    """
    sampleFormat: str
    """The sample format of audio, by FFmpeg's name."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    frameDurations: FrameDurations
    """The durations that a frame may have."""
    sampleRate: int
    """The sample rate in hertz."""
    channels: int
    """The number of channels."""


DeviceTransport = Literal["synthetic", "v4l2", "pulse", "screen"]
"""The interfaces to devices."""


class DolbyVision(TypedDict):
    """Dolby Vision's configuration record."""

    versionMajor: int
    """The major version."""
    versionMinor: int
    """The minor version."""
    profile: int
    """The profile, for example 5 or 8."""
    level: int
    """The level."""
    compatibilityID: int
    """The format of the base layer for devices without Dolby Vision: 0 none that they can show, 1
    HDR10, 2 SDR, 4 HLG.
    """
    isRPUPresent: bool
    """True if it has metadata for each frame (RPU)."""
    isEnhancementLayerPresent: bool
    """True if it has an enhancement layer."""
    isBaseLayerPresent: bool
    """True if it has a base layer."""


class _DroppedRequired(TypedDict):
    item: DroppedItem
    """The item."""
    reason: str
    """The reason for which it is left out, or stays."""


class Dropped(_DroppedRequired, total=False):
    """An item of the source that is left out."""

    trackID: int
    """The track's number in the source; absent for items of the whole source."""
    mediaType: MediaType
    """The kind of the track's media."""
    key: str
    """The name of one of several; its meaning depends on `item`."""
    stays: bool
    """True for an item that is in the file although an empty `metadata` removes all that names
    persons, places or devices; absent for items that are left out.
    """


DroppedItem = Literal[
    "audioMix",
    "videoComposition",
    "track",
    "rotation",
    "metadata",
    "chapters",
    "artwork",
    "attachment",
    "language",
    "disposition",
    "trackName",
    "color",
    "hdr",
    "alpha",
    "projection",
    "damagedSamples",
    "timeRange",
    "pixels",
    "channels",
    "text",
    "characterSet",
]
"""The items that an export, a reader or a waveform leaves out of its source."""


class DroppedPictures(TypedDict):
    """The numbers of frames of an output that weren't delivered."""

    outOfCredit: int
    """The number of those that were due while the maximum number of leases was outstanding."""
    late: int
    """The number of those that weren't decoded in time."""


class DuckingInput(TypedDict, total=False):
    """The attenuation of music while the audio tracks of clips, and of overlays with a volume,
    have media; their contents aren't analysed.
    """

    to: float
    """The factor by which its volume is multiplied, from 0 to 1. Default: ``0.25``."""
    attack: TimeInput
    """The duration in which it becomes quiet, from the start of a clip. Left out: 0.2 s."""
    release: TimeInput
    """The duration in which it becomes loud again, from the end of a clip. Left out: 0.5 s."""


DynamicRangePolicy = Literal["forceSDR", "matchSource"]
"""The treatment of high dynamic range."""


EnabledTracks = Union[List[int], None]
"""The tracks that an item presents: their numbers, or `null` for those that are enabled in the
file.
"""


class _EngineCapabilitiesResultRequired(TypedDict):
    fileTypes: List[FileType]
    """The containers that can be read or written."""
    videoDecoders: List[Codec]
    """The decoders for video."""
    videoEncoders: List[Codec]
    """The encoders for video."""
    audioDecoders: List[Codec]
    """The decoders for audio."""
    audioEncoders: List[Codec]
    """The encoders for audio."""
    imageFormats: List[ImageFormat]
    """The formats a generated image can have."""
    pixelFormats: List[str]
    """The pixel formats a decoded sample can have, by FFmpeg's names."""
    sampleFormats: List[str]
    """The sample formats decoded audio can have."""
    exportPresets: List[str]
    """The presets an export session can have."""


class EngineCapabilitiesResult(_EngineCapabilitiesResultRequired, total=False):
    """The containers, codecs, formats and presets of this build."""

    textRenderer: str
    """The library that draws texts and subtitles over frames, for example `libass 0.17.1`; absent
    without one.
    """


class EngineHostTimeResult(TypedDict):
    """The time."""

    hostTime: Time
    """The time."""
    clock: Literal["monotonic"]
    """The clock."""


class _EngineLogRequired(TypedDict):
    level: LogLevel
    """The importance."""
    logger: str
    """The part of the server that logs it."""
    message: str
    """The message."""


class EngineLog(_EngineLogRequired, total=False):
    """A message of the log. Messages are dropped when the client reads too slowly."""

    metadata: Dict[str, str]
    """Details by name."""


class _EngineStatsResultRequired(TypedDict):
    handles: Dict[str, int]
    """The number of open handles of each kind; kinds without any are left out."""
    operations: int
    """The number of operations in progress."""
    residentBytes: int
    """The resident memory of the process and of its worker processes, in bytes."""
    leases: int
    """The number of outstanding leases."""
    leasedBytes: int
    """The shared memory that the outstanding leases hold, in bytes."""
    framesDecoded: int
    """The number of video frames decoded."""
    seeks: int
    """The number of seeks made."""
    bytesRead: int
    """The number of bytes read from media files."""
    packetsRead: int
    """The number of packets that were read from media files, for any purpose."""
    resourceReads: int
    """The number of reads of resources that were requested from clients."""
    resourceBytesRequested: int
    """The number of bytes that were requested from clients."""
    resourceBytesReceived: int
    """The number of bytes that clients have supplied."""
    conversions: Dict[str, int]
    """The number of conversions of frames, by method: `copy` if the samples stay unchanged,
    `kernel` for YUV of 8 bits that becomes RGB or grey of the same size, `zimg`, and `swscale`
    for formats that zimg can't read. A frame may need several.
    """
    composedPictures: Dict[str, int]
    """The number of frames of video compositions, by the method that made them: `frame` if one is
    a source's frame unchanged, `converted` if it is one layer that covers everything, `planar`
    if upright layers are blended in the composed frame's own format, and `general` for
    everything else.
    """
    players: List[PlayerStatistics]
    """The players that are open."""


class EngineStatsResult(_EngineStatsResultRequired, total=False):
    """The counters; those of work count from the start of the process."""

    isolation: Isolation
    """The worker processes; absent if the server does the work itself."""


class _ErrorDataRequired(TypedDict):
    name: str
    """The error's name, for example `fileAlreadyExists`."""
    hint: str
    """Advice on the next step, in English and in the terms of the protocol."""


class ErrorData(_ErrorDataRequired, total=False):
    """The details of an error, in addition to its message."""

    advice: Advice
    """The same advice as a name with arguments, which a client phrases in its own terms; absent if
    the hint has no name.
    """
    path: str
    """The file it is about."""
    handle: AnyHandle
    """The object it is about."""
    key: str
    """The key it is about."""
    stage: str
    """The stage of the work that failed: `open`, `read`, `decode`, `convert`, `encode`, `write` …
    """
    libav: LibAVError
    """The error of FFmpeg's libraries that caused it."""
    log: List[str]
    """The last lines of the libraries' log, at most five."""
    errors: List[ParamsProblem]
    """Every problem of the params: with `invalidParams`, and if several things can be wrong with a
    document.
    """
    reason: str
    """The rule that was broken; only with `invalidRequest`, for example `messageTooLarge`."""
    suggestion: str
    """The method that may have been meant; only with `methodNotFound`."""
    signal: int
    """The signal that ended the worker process, for example 11 (SIGSEGV); only with `workerDied`.
    """
    change: FailedChange
    """The change of a batch that can't be made."""


class _ErrorObjectRequired(TypedDict):
    code: int
    """The number of the error."""
    message: str
    """The failure, its object and its reason, in one sentence for a person."""


class ErrorObject(_ErrorObjectRequired, total=False):
    """An error: the `error` of a response, or a member of a notification or a result."""

    data: ErrorData
    """The details of the error, for a program and a person."""


class ExportPart(TypedDict):
    """One part of an export."""

    mediaType: ExportPartMediaType
    """The media of the part."""
    timeRange: TimeRange
    """The part of the asset that it shows."""
    frameCount: int
    """The number of the source's frames that begin in it; 0 for audio."""


class ExportPartInput(TypedDict):
    """One part of an export."""

    mediaType: ExportPartMediaType
    """The media of the part."""
    timeRange: TimeRangeInput
    """The part of the asset that it shows."""
    frameCount: int
    """The number of the source's frames that begin in it; 0 for audio."""


ExportPartMediaType = Literal["video", "audio"]
"""The media of a part of an export."""


class ExportPartPlan(TypedDict):
    """The division of an export into parts. It is passed on unchanged: a process compares it with
    its own plan.
    """

    parts: List[ExportPart]
    """The parts: those of video in the order of their times, then audio. A part's number is its
    index here, from 0 on.
    """
    threadCount: int
    """The number of threads of each encoder."""
    source: str
    """The identity of the source: a SHA-256 of its size and of its first and last bytes."""
    settings: str
    """The identity of the settings: a SHA-256 of everything that decides how parts are made."""
    libraries: str
    """The names and versions of FFmpeg and its libraries."""
    digest: str
    """A SHA-256 of all other members."""


class ExportPartPlanInput(TypedDict):
    """The division of an export into parts. It is passed on unchanged: a process compares it with
    its own plan.
    """

    parts: List[ExportPartInput]
    """The parts: those of video in the order of their times, then audio. A part's number is its
    index here, from 0 on.
    """
    threadCount: int
    """The number of threads of each encoder."""
    source: str
    """The identity of the source: a SHA-256 of its size and of its first and last bytes."""
    settings: str
    """The identity of the settings: a SHA-256 of everything that decides how parts are made."""
    libraries: str
    """The names and versions of FFmpeg and its libraries."""
    digest: str
    """A SHA-256 of all other members."""


class _ExportSessionCompatibleFileTypesResultRequired(TypedDict):
    fileTypes: List[str]
    """The short names of the types."""


class ExportSessionCompatibleFileTypesResult(_ExportSessionCompatibleFileTypesResultRequired, total=False):
    """The types."""

    incompatible: List[IncompatibleFileType]
    """The others, if `explain` was true."""


class _ExportSessionCompatiblePresetsResultRequired(TypedDict):
    presets: List[str]
    """The names of the presets."""


class ExportSessionCompatiblePresetsResult(_ExportSessionCompatiblePresetsResultRequired, total=False):
    """The presets."""

    incompatible: List[IncompatiblePreset]
    """The others, if `explain` was true."""


class ExportSessionCreateResult(TypedDict):
    """The session."""

    exportSession: ExportSessionHandle
    """The session's handle."""
    outputFileType: str
    """The type that the file will have."""
    supportedFileTypes: List[str]
    """The types that this preset can export this asset to."""


class _ExportSessionDidFinishRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    exportSession: ExportSessionHandle
    """The session."""
    status: ExportStatus
    """The outcome: `completed`, `failed` or `cancelled`."""


class ExportSessionDidFinish(_ExportSessionDidFinishRequired, total=False):
    """Reports the end of an export."""

    outputURL: str
    """The file, if it exists."""
    fileSize: int
    """The size of the file in bytes."""
    timeRange: TimeRange
    """The part of the asset that the file shows."""
    trimMode: TrimMode
    """The way in which a passthrough export was cut; absent if everything was copied."""
    trimNote: str
    """The reason for a mode other than the requested one, and the deviation of audio whose packets
    were copied at joins; absent without either.
    """
    dropped: List[Dropped]
    """The items that were left out; absent if there were none."""
    loudness: List[AppliedLoudness]
    """The loudness of each audio track that has a target; absent without one."""
    error: ErrorObject
    """The reason for its failure or cancellation."""


class ExportSessionDidProgress(TypedDict):
    """Reports the progress of an export."""

    operation: OperationHandle
    """The operation."""
    exportSession: ExportSessionHandle
    """The session."""
    progress: float
    """The part that is done, from 0 to 1; it never decreases."""


class _ExportSessionEstimateResultRequired(TypedDict):
    duration: Time
    """The duration of the file."""
    fileLength: int
    """Its size in bytes."""


class ExportSessionEstimateResult(_ExportSessionEstimateResultRequired, total=False):
    """The estimate."""

    maximumDuration: Time
    """The duration of the asset's part that fits into `fileLengthLimit`; absent without a limit."""


ExportSessionHandle = NewType("ExportSessionHandle", str)
"""Names an export session, for example `exportSession:3`."""


class ExportSessionPlanResult(TypedDict):
    """The plan."""

    plan: ExportPartPlan
    """The plan, for `exportSession/exportPart` and `exportSession/join`."""


class ExportSessionPreflightResult(TypedDict):
    """The effects."""

    timeRange: TimeRange
    """The part of the asset that the file would show."""
    tracks: List[PlannedTrack]
    """The planned treatment of each track."""
    dropped: List[Dropped]
    """The items that would be left out; empty if there are none."""


class ExportSessionPresetsResult(TypedDict):
    """The presets."""

    presets: List[str]
    """The names of the presets."""


class _ExportSessionStatusResultRequired(TypedDict):
    status: ExportStatus
    """The status."""
    progress: float
    """The part that is done, from 0 to 1."""


class ExportSessionStatusResult(_ExportSessionStatusResultRequired, total=False):
    """The status."""

    error: ErrorObject
    """The reason for its failure or cancellation."""


class ExportSettings(TypedDict, total=False):
    """The treatment of tracks in an export. With a preset, the values of absent members are the
    preset's. Without one, they suit the type of the file: H.264 and AAC in most, VP9 and Opus
    in `webm`; "Settings" in docs/exports.md has the table. File types of audio get the audio
    alone, regardless of the preset.
    """

    video: VideoTreatment
    """The encoding of the video; `null` leaves it out."""
    audio: AudioTreatment
    """The encoding of the audio; `null` leaves it out."""
    tracks: TrackSelection
    """The tracks to include; all that the file can hold when absent."""


ExportStatus = Literal["unknown", "waiting", "exporting", "completed", "failed", "cancelled"]
"""The status of an export."""


class FFmpegInfo(TypedDict):
    """The FFmpeg libraries that a server runs on."""

    version: str
    """The release, for example `7.1.1`."""
    license: str
    """The licence of this build, for example `GPL version 2 or later`."""
    libraries: Dict[str, str]
    """Each library's version by its name, for example `libavformat`: `61.7.100`."""


class Ratio(TypedDict):
    """A ratio of whole numbers."""

    numerator: int
    """The number above the line."""
    denominator: int
    """The number below the line."""


Factor = Union[Ratio, float]
"""A factor, rate or ratio: a whole number, a ratio of whole numbers, or any other number."""


class FailedChange(TypedDict):
    """A change of a batch that can't be made."""

    index: int
    """Its index among the changes, from 0."""
    reason: str
    """The reason for which it can't be made."""


class FetchResultChanges(TypedDict):
    """The changes of a result. Apply them in this order: `removed`, `inserted`, `moves`; `changed`
    has the final indexes.
    """

    fetchResult: FetchResultHandle
    """The result, which has the new items from now on."""
    count: int
    """The number of its items now."""
    hasIncrementalChanges: bool
    """False if too much has changed to be listed: the result is to be read anew, and the lists are
    empty.
    """
    removed: List[int]
    """Indexes before the change, ascending."""
    inserted: List[int]
    """Indexes of new items when the removed ones are gone, ascending: each counted after the
    insertion of those before it.
    """
    changed: List[int]
    """Indexes after the change, ascending, of items whose properties have changed."""
    moves: List[FetchResultMove]
    """The moves, each with indexes as they are after the moves before it."""


class FetchResultCountResult(TypedDict):
    """The counts."""

    counts: List[LibraryCount]
    """The values, the most frequent first, without the items that have none."""


FetchResultHandle = NewType("FetchResultHandle", str)
"""Names items of a library, for example `fetchResult:1`."""


class FetchResultIndexResult(TypedDict, total=False):
    """The position of the item."""

    index: int
    """The index; absent when the result doesn't have the item."""


class FetchResultItemsResult(TypedDict):
    """The items."""

    items: List[LibraryItem]
    """The items, in their order, without those that have been forgotten since."""


FetchResultMove = TypedDict(
    "FetchResultMove",
    {
        "from": "int",
        "to": "int",
    },
)


FieldDetail = Literal[
    "temporalTopFirst",
    "temporalBottomFirst",
    "spatialFirstLineEarly",
    "spatialFirstLineLate",
]
"""The field order of interlaced video, by the numbers of QuickTime's `fiel`. Files and FFmpeg
agree on the numbers; the names are Core Media's for them.
"""


FieldOrder = Literal["tt", "bb", "tb", "bt"]
"""The field order of interlaced video, by FFmpeg's names: the first letter is the field that is
stored first, the second the one that is shown first.
"""


class FileType(TypedDict):
    """A container format."""

    type: str
    """The short name that methods take, for example `mp4`."""
    name: str
    """The name for a person, for example `MPEG-4`."""
    extensions: List[str]
    """The file name extensions without the dot, the usual one first."""
    mimeTypes: List[str]
    """The MIME types, the usual one first."""
    canRead: bool
    """True if files of this type can be opened."""
    canWrite: bool
    """True if files of this type can be exported."""


Fit = Literal["none", "contain", "cover", "fill"]
"""The fit of a track's frames into a composed frame of another size."""


class Font(TypedDict, total=False):
    """A font, of the system or in a file."""

    family: str
    """The name of a family, for example `"DejaVu Sans"`. If the system doesn't have it, fontconfig
    substitutes another one. Not together with `url`.
    """
    url: str
    """The path or `file` URL of a TrueType or OpenType font; of a collection, its first."""
    size: float
    """The height of a line, in pixels of the render size. Left out: 1/12 of the picture's height
    for texts.
    """
    isBold: bool
    """True for bold letters."""
    isItalic: bool
    """True for italic letters."""


class _FormatDescriptionRequired(TypedDict):
    mediaType: MediaType
    """The kind of media."""
    mediaSubType: str
    """The format as a four-character code, for example `avc1` or `aac `, or FFmpeg's name where
    there is none.
    """
    codec: str
    """The format by FFmpeg's name, for example `h264`."""
    extradataSize: int
    """The size of the set-up data that a decoder needs, in bytes; 0 when it has none."""


class FormatDescription(_FormatDescriptionRequired, total=False):
    """The format of a track's samples. The members for one kind of media are absent for the
    others; so are properties that the file does not state.
    """

    formatName: str
    """The name of the format in the movie, usually that of the compressor."""
    profile: str
    """The profile by FFmpeg's name, for example `High`."""
    level: int
    """The level as the format writes it, for example `40` for H.264's 4.0."""
    extradata: str
    """The set-up data, as FFmpeg holds it: for H.264 the payload of `avcC`, for AAC the
    AudioSpecificConfig, for Opus `OpusHead`. Absent when there is none, and above 1 MiB.
    """
    sampleDescriptionExtensions: Dict[str, str]
    """The set-up data as MP4 has it: the payloads of the boxes in a sample description, by their
    names `avcC`, `hvcC`, `vvcC`, `av1C`, `esds`, `alac`, `dfLa` and `dOps`. For other
    containers they are made from `extradata`, and `esds` always is.
    """
    video: VideoFormat
    """The video properties."""
    audio: AudioFormat
    """The audio properties."""
    timecode: TimecodeFormat
    """The timecode."""


class _FormatDescriptionListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class FormatDescriptionListKeyState(_FormatDescriptionListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[FormatDescription]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class _FrameDurationsRequired(TypedDict):
    min: Time
    """The minimum."""
    max: Time
    """The maximum."""


class FrameDurations(_FrameDurationsRequired, total=False):
    """The durations of a device's frames."""

    values: List[Time]
    """All possible durations, if they are few."""


class HandleInfo(TypedDict):
    """An open handle, as `handle/list` lists it."""

    handle: AnyHandle
    """The handle."""
    kind: HandleKind
    """The kind of the object."""
    describes: str
    """A short description for people, for example the URL of an asset."""


HandleKind = Literal[
    "asset",
    "resource",
    "composition",
    "imageGenerator",
    "exportSession",
    "assetReader",
    "output",
    "assetWriter",
    "input",
    "sampleCursor",
    "player",
    "playerItem",
    "timeObserver",
    "videoOutput",
    "playerLooper",
    "audioPlayer",
    "captureSession",
    "captureInput",
    "captureOutput",
    "audioRecorder",
    "operation",
    "lease",
    "library",
    "fetchResult",
]
"""The kinds of objects that handles name."""


class HandleListResult(TypedDict):
    """The open handles."""

    handles: List[HandleInfo]
    """One entry for each open handle."""


class _ImageRequired(TypedDict):
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    format: ImageFormat
    """The format."""
    blob: Blob
    """The bytes."""


class Image(_ImageRequired, total=False):
    """An image."""

    planes: List[Plane]
    """The planes; only with raw pixels."""
    color: Color
    """The colour of the pixels, after all conversions; only with raw pixels. RGB and grey have no
    `matrix`; `range` is always present. The rest is as the file states it, where that still
    holds: HDR that `forceSDR` has mapped is `bt709`. YUV without `matrix` comes from a file
    that states none; it counts as `bt709` for 720 lines or more, else as `smpte170m`.
    """
    chromaLocation: str
    """The position of the chroma samples of `yuv420p` and `yuv420p10le`, by FFmpeg's name, for
    example `left`. Absent if the file does not state it, which counts as `left`, and if the
    preferred transform has moved them to a position without a name.
    """


ImageDeinterlacing = Literal["auto", "none"]
"""The treatment of interlaced frames in images."""


ImageFormat = Literal[
    "jpeg",
    "png",
    "webp",
    "bmp",
    "rgb24",
    "rgba",
    "bgra",
    "gray",
    "yuv420p",
    "rgb48le",
    "rgba64le",
    "gray16le",
    "yuv420p10le",
]
"""The format of an image: a file format, or pixels. Files have 8 bits a component, regardless of
the source's. Alpha stays, straight, where the format has it (`png`, `webp`, `bmp`, `rgba`,
`bgra`, `rgba64le`); other formats drop it.
"""


class ImageGeneratorCreateResult(TypedDict):
    """The generator."""

    imageGenerator: ImageGeneratorHandle
    """The generator's handle."""


class ImageGeneratorDidFinish(TypedDict):
    """Reports that every time or sample of `imageGenerator/generateImages` was answered."""

    operation: OperationHandle
    """The operation that has ended."""
    imageGenerator: ImageGeneratorHandle
    """The generator."""
    succeeded: int
    """The number of images that were made."""
    failed: int
    """The number of images that failed."""
    cancelled: int
    """The number of images that were cancelled."""


class _ImageGeneratorDidFinishContactSheetRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    imageGenerator: ImageGeneratorHandle
    """The generator."""
    result: Outcome
    """The outcome."""


class ImageGeneratorDidFinishContactSheet(_ImageGeneratorDidFinishContactSheetRequired, total=False):
    """Reports the end of a contact sheet, with the sheet. The members about the sheet are present
    if it succeeded.
    """

    image: Image
    """The sheet."""
    tileWidth: int
    """The width of every tile in pixels."""
    tileHeight: int
    """The height of every tile in pixels."""
    columns: int
    """The number of tiles in a row."""
    rows: int
    """The number of rows."""
    tiles: List[ContactSheetTile]
    """The tiles, row by row."""
    webVTT: str
    """The map: a WebVTT file's text with a cue for each tile. A tile for less than a millisecond,
    or before time zero, has no cue.
    """
    webVTTPath: str
    """The map's file, when the sheet was delivered to one."""
    error: ErrorObject
    """The reason for its failure or cancellation; no file is left."""


class _ImageGeneratorDidGenerateImageRequired(TypedDict):
    operation: OperationHandle
    """The operation."""
    imageGenerator: ImageGeneratorHandle
    """The generator."""
    index: int
    """The index in the request's `times` or `samples`, from 0."""
    result: Outcome
    """The outcome."""


class ImageGeneratorDidGenerateImage(_ImageGeneratorDidGenerateImageRequired, total=False):
    """Carries the image of one time or sample of `imageGenerator/generateImages`, or its error."""

    requestedTime: Time
    """The requested time; with `samples` it is `actualTime`, and absent without an image."""
    actualTime: Time
    """The presentation time of the frame that the image shows, when it succeeded."""
    sampleIndex: int
    """The index of the frame in the track, in presentation order, from 0; absent if the file has
    no presentation times, and if only the part of the file around the frame was indexed.
    """
    isExact: bool
    """True if it is the frame that is shown at the requested time, or has the requested number;
    only when it succeeded.
    """
    image: Image
    """The image, when it succeeded."""
    error: ErrorObject
    """The reason for its failure or cancellation."""


class ImageGeneratorDidProgressContactSheet(TypedDict):
    """Reports the number of finished tiles of a contact sheet, at most once per percent."""

    operation: OperationHandle
    """The operation."""
    imageGenerator: ImageGeneratorHandle
    """The generator."""
    completed: int
    """The number of tiles that are done or failed; it never decreases."""
    count: int
    """The number of tiles."""


class _ImageGeneratorGenerateImageResultRequired(TypedDict):
    image: Image
    """The image."""
    requestedTime: Time
    """The requested time; `actualTime` if there was none."""
    actualTime: Time
    """The presentation time of the frame that the image shows."""
    isExact: bool
    """True if it is the frame that is shown at the requested time."""


class ImageGeneratorGenerateImageResult(_ImageGeneratorGenerateImageResultRequired, total=False):
    """The image."""

    sampleIndex: int
    """The index of the frame in the track, in presentation order, from 0; absent if the file has
    no presentation times, and if only the part of the file around the frame was indexed.
    """


ImageGeneratorHandle = NewType("ImageGeneratorHandle", str)
"""Names an image generator, for example `imageGenerator:2`."""


class ImageLayout(TypedDict):
    """The layout of an uncompressed image in the bytes of a sample buffer."""

    pixelFormat: str
    """The pixel format by FFmpeg's name, for example `yuv420p`."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    planes: List[Plane]
    """The planes, in the order of the pixel format."""
    color: Color
    """The colour, as far as it is known."""


class ImageSequence(TypedDict, total=False):
    """Numbered images that are read as one video (OpenTimelineIO's `ImageSequenceReference`). The
    `url` is a pattern of their names with a place for the number, `frame%04d.png`; a pattern of
    the shell, `frames/*.png`; a folder, all of whose images are used; or the name of one image,
    with which the sequence begins. Only the last part of the path is a pattern. Without
    numbers, files are in the order of their names, in which `a2` comes before `a10`. A symbolic
    link counts as the file that it leads to. Image n is shown from n × `frameStep` /
    `frameRate` on. The folder is listed once, when the first key is loaded; an image is opened
    when it is read. All have the same format, size and Exif orientation: one that differs fails
    the work that reads it, with `invalidSourceMedia` and its name. So does one that has been
    written to since then, with `failedToLoadSampleData`.
    """

    frameRate: Factor
    """Frames per second: a number, or a ratio such as 30000 over 1001. Default: ``25``."""
    startNumber: int
    """The number of the first image, for numbered names. Left out: the lowest number in the
    folder.
    """
    endNumber: int
    """The number of the last image, for numbered names. Left out: the highest number in the
    folder.
    """
    frameStep: int
    """The difference between the numbers of consecutive images, and the number of frames that each
    is shown for. Default: ``1``.
    """
    missingFramePolicy: MissingFramePolicy
    """The treatment of a missing image. Default: ``"error"``."""


class IncompatibleFileType(TypedDict):
    """A type of file that a preset can't export an asset to."""

    fileType: str
    """Its short name."""
    reason: str
    """The reason for which it can't."""


class IncompatiblePreset(TypedDict):
    """A preset that can't export an asset."""

    preset: str
    """The preset."""
    reason: str
    """The reason for which it can't."""


class InitializeResult(TypedDict):
    """The properties of the server."""

    serverInfo: ProgramInfo
    """The server's name, `reelwire`, and its version."""
    protocolVersion: str
    """The version of this protocol, `1.0`."""
    ffmpeg: FFmpegInfo
    """The FFmpeg libraries that this process runs on."""
    capabilities: ServerCapabilities
    """The capabilities of this server."""


class _InputGroupRequired(TypedDict):
    inputs: List[int]
    """The indices of the inputs in `inputs`, at least one; an input is in one group at most."""


class InputGroup(_InputGroupRequired, total=False):
    """Inputs of one kind of media of which a player chooses one, for example languages
    (AVAssetWriterInputGroup).
    """

    defaultInput: int
    """The index of the input whose track is enabled; when absent, no track of the group is."""


InputHandle = NewType("InputHandle", str)
"""Names one input of an asset writer, for example `input:2/1`."""


class _InputStatusRequired(TypedDict):
    input: InputHandle
    """The input."""
    appended: int
    """The number of samples that it has accepted."""
    isReadyForMoreMediaData: bool
    """True when it accepts more without waiting."""


class InputStatus(_InputStatusRequired, total=False):
    """The status of an input."""

    waitsFor: InputHandle
    """The input that has to get samples before this one can."""


class InstructionPrototype(TypedDict, total=False):
    """The members that all generated instructions have in common."""

    backgroundColor: List[float]
    """Red, green, blue and alpha, each from 0 to 1, where no layer covers it. Left out: opaque
    black.
    """


class _IntegerKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class IntegerKeyState(_IntegerKeyStateRequired, total=False):
    """The state of one key."""

    value: int
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class Isolation(TypedDict):
    """The worker processes, in which all work on media is done so that a death there ends nothing
    else.
    """

    workers: List[int]
    """The numbers of the worker processes that run."""
    deaths: int
    """The number of worker processes that died."""
    confinement: Confinement
    """The restrictions that the kernel enforces on the worker processes."""


class Joins(TypedDict, total=False):
    """The way in which a passthrough export joins the segments of a track."""

    audio: AudioJoin
    """The treatment of lossy audio of several segments. Default: ``"encode"``."""
    video: VideoJoin
    """The treatment of H.264 and HEVC whose parameter sets differ and have the same numbers.
    Default: ``"refuse"``.
    """


JumpCause = Literal["seek", "step", "loop", "setRate", "itemChange"]
"""The cause of a jump of an item's time."""


KeyStatus = Literal["unknown", "loading", "loaded", "failed", "cancelled"]
"""The state of the loading of a key."""


TransformRamp = TypedDict(
    "TransformRamp",
    {
        "at": "Time",
        "value": "Transform",
        "from": "Transform",
        "to": "Transform",
        "timeRange": "TimeRange",
    }, total=False,
)


NumberRamp = TypedDict(
    "NumberRamp",
    {
        "at": "Time",
        "value": "float",
        "from": "float",
        "to": "float",
        "timeRange": "TimeRange",
    }, total=False,
)


RectangleRamp = TypedDict(
    "RectangleRamp",
    {
        "at": "Time",
        "value": "Rectangle",
        "from": "Rectangle",
        "to": "Rectangle",
        "timeRange": "TimeRange",
    }, total=False,
)


LayerRamp = Union[TransformRamp, NumberRamp, RectangleRamp]
"""A ramp of one of a layer's values."""


LayerRampKind = Literal["transform", "opacity", "cropRectangle"]
"""The values of a layer that change over time."""


LeaseHandle = NewType("LeaseHandle", str)
"""Names a leased block of shared memory, for example `lease:5`."""


class LibAVError(TypedDict):
    """An error of FFmpeg's libraries."""

    code: str
    """The name of the code, for example `AVERROR_INVALIDDATA`."""
    operation: str
    """The function that failed."""
    message: str
    """The last message of the libraries' log, if their code means no more than that a file is
    invalid, for example `moov atom not found`; else their text for the code.
    """


class LibraryAll(TypedDict):
    """The items for which all of these are true."""

    all: List[LibraryPredicate]
    """The predicates; an empty list matches all items."""


class LibraryAny(TypedDict):
    """The items for which at least one of these is true."""

    any: List[LibraryPredicate]
    """The predicates; an empty list matches no item."""


class LibraryChange(TypedDict):
    """A change of a library."""

    item: str
    """The item's identifier."""
    kind: LibraryChangeKind
    """The kind of change."""


LibraryChangeKind = Literal["inserted", "changed", "removed"]
"""The kind of change of an item."""


class LibraryChangesResult(TypedDict):
    """The changes."""

    changes: List[LibraryChange]
    """The changes in the order of each item's last one, each item once."""
    changeToken: int
    """The token from which later changes are counted."""


class _LibraryCollectionRequired(TypedDict):
    id: str
    """The identifier, which is the same for the same collection at any time."""
    title: str
    """The title: of a folder its path, of a month `2021-05`."""
    count: int
    """The number of its items."""
    predicate: LibraryPredicate
    """The predicate that fetches the items."""


class LibraryCollection(_LibraryCollectionRequired, total=False):
    """Items that belong together."""

    startDate: str
    """The date of the first recording among them, in UTC."""
    endDate: str
    """The date of the last recording among them, in UTC."""


LibraryCollectionType = Literal["folder", "album", "artist", "genre", "month", "smart"]
"""The property that the items of a collection have in common."""


class LibraryCollectionsResult(TypedDict):
    """The collections."""

    collections: List[LibraryCollection]
    """The collections, in the order of their titles; smart ones in that of their list."""


class _LibraryComparisonRequired(TypedDict):
    key: str
    """The key: `mediaType`, `state`, `name`, `folder` (the path), `container`, `videoCodec`,
    `audioCodec`, `error` (its name), `duration` (in seconds), `width`, `height`, `frameRate`,
    `rotation`, `fileSize`, `latitude`, `longitude`, `creationDate`, `modificationDate`,
    `addedAt`; a common key of metadata that has text, such as `title` or `artist`; or a
    metadata identifier, such as `itsk/©nam`.
    """
    op: LibraryOperator
    """The operator."""


class LibraryComparison(_LibraryComparisonRequired, total=False):
    """The items whose value of a key passes a comparison. Of a key that an item doesn't have, only
    `isNot`, and `exists` with `false`, are true.
    """

    value: LibraryValue
    """The value to compare with; `true` when absent."""


class LibraryCount(TypedDict):
    """A value, with the number of items that have it."""

    value: str
    """The value."""
    count: int
    """The number of items that have it."""


class LibraryDidChange(TypedDict):
    """Reports that a library has changed, by a scan or because it is watched: at most twice a
    second.
    """

    library: LibraryHandle
    """The library."""
    changeToken: int
    """The token from which later changes are counted."""
    fetchResults: List[FetchResultChanges]
    """The changes of the observed results that are affected."""


class LibraryDidFail(TypedDict):
    """Reports that the worker process of a library has died: nothing watches its folders, and
    nothing reports its changes any more. Close the library and open it again. Changes until
    then are those since the last change token (`library/changes`), after a scan.
    """

    library: LibraryHandle
    """The library."""
    error: ErrorObject
    """The failure."""


class _LibraryDidFindDuplicatesRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    library: LibraryHandle
    """The library."""
    result: Outcome
    """The outcome."""
    groups: List[List[LibraryItem]]
    """The groups of items with the same content, those of the largest files first; in each, in the
    order of addition.
    """


class LibraryDidFindDuplicates(_LibraryDidFindDuplicatesRequired, total=False):
    """Reports the end of `library/duplicates`, with the duplicates."""

    error: ErrorObject
    """The reason for its failure or cancellation."""


class LibraryDidProgressDuplicates(TypedDict):
    """Reports the progress of `library/duplicates`, at most once per percent."""

    operation: OperationHandle
    """The operation."""
    library: LibraryHandle
    """The library."""
    progress: float
    """The part of the bytes that have been compared, from 0 to 1."""


class LibraryDidProgressScan(TypedDict):
    """Reports the progress of a scan, at most ten times a second."""

    operation: OperationHandle
    """The operation."""
    library: LibraryHandle
    """The library."""
    counts: LibraryScanCounts
    """The counts so far."""
    folder: str
    """The folder that is being scanned."""


class _LibraryDidScanRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    library: LibraryHandle
    """The library."""
    result: Outcome
    """The outcome."""
    counts: LibraryScanCounts
    """The counts."""
    errors: List[LibraryItem]
    """Items that can't be read, a hundred at most, with their URLs and errors."""


class LibraryDidScan(_LibraryDidScanRequired, total=False):
    """Reports the end of a scan."""

    links: List[LibraryLink]
    """Symbolic links that are to be followed, and can't be; a hundred at most. Absent where there
    are none.
    """
    error: ErrorObject
    """The reason for its failure or cancellation."""


class LibraryFetchResult(TypedDict):
    """The items."""

    fetchResult: FetchResultHandle
    """The result's handle."""
    count: int
    """The number of its items."""
    changeToken: int
    """The token from which later changes are counted (`library/changes`)."""


class _LibraryFolderRequired(TypedDict):
    path: str
    """Its path, absolute or from the server's working folder; the files in it and below it belong
    to the library.
    """


class LibraryFolder(_LibraryFolderRequired, total=False):
    """A folder that is to be a part of a library."""

    excluded: List[str]
    """Folders below it that don't belong to the library, as paths from it."""
    followsSymbolicLinks: bool
    """True to follow symbolic links in it; see `library/addFolder`. Left out: no change, which is
    `false` for a new folder.
    """


LibraryFolderState = Literal["online", "offline", "denied"]
"""The availability of a folder."""


class _LibraryFolderStatusRequired(TypedDict):
    path: str
    """Its path."""
    state: LibraryFolderState
    """The availability, as the last scan found it."""
    watch: LibraryWatch
    """The detection of changes."""
    itemCount: int
    """The number of its items that are not missing."""
    followsSymbolicLinks: bool
    """True for a folder whose symbolic links are followed."""


class LibraryFolderStatus(_LibraryFolderStatusRequired, total=False):
    """A folder of a library, with its state."""

    scannedAt: str
    """The date of its last complete scan, in UTC; absent when there was none."""


LibraryHandle = NewType("LibraryHandle", str)
"""Names a library, for example `library:1`."""


class _LibraryItemRequired(TypedDict):
    item: str
    """The item's identifier (a UUID). It stays the same as long as the item exists, even if the
    file is moved or renamed.
    """


class LibraryItem(_LibraryItemRequired, total=False):
    """A media file of a library, with those of the requested members that are known."""

    url: str
    """The path of the file; a `file:` URL where it isn't UTF-8."""
    name: str
    """The file's name."""
    state: LibraryItemState
    """The state of the file."""
    mediaType: LibraryMediaType
    """The kind of media; absent of files that can't be read."""
    container: str
    """The container by FFmpeg's first name for it."""
    duration: Time
    """The duration; absent of images."""
    width: int
    """The width for display, in pixels."""
    height: int
    """The height for display, in pixels."""
    videoCodec: str
    """The codec of the first video track, by FFmpeg's name."""
    audioCodec: str
    """The codec of the first audio track, by FFmpeg's name."""
    frameRate: float
    """The frame rate, in frames per second."""
    rotation: int
    """The clockwise rotation of frames for display, in degrees."""
    fileSize: int
    """The size of the file, in bytes."""
    creationDate: str
    """The date of the recording, from its metadata, in UTC; a date without a time zone counts as
    UTC.
    """
    modificationDate: str
    """The date of the last modification of the file, in UTC."""
    addedAt: str
    """The date at which it was added to the library, in UTC."""
    latitude: float
    """The latitude of the recording, in degrees north of the equator."""
    longitude: float
    """The longitude of the recording, in degrees east of Greenwich."""
    commonMetadata: Dict[str, str]
    """The first text of each common key."""
    error: LibraryItemError
    """The reason for which the file can't be read."""


class LibraryItemError(TypedDict):
    """The reason for which a file of a library can't be read."""

    name: str
    """The name of the error."""
    message: str
    """The description of the error."""


LibraryItemKey = Literal[
    "url",
    "name",
    "state",
    "mediaType",
    "container",
    "duration",
    "width",
    "height",
    "videoCodec",
    "audioCodec",
    "frameRate",
    "rotation",
    "fileSize",
    "creationDate",
    "modificationDate",
    "addedAt",
    "latitude",
    "longitude",
    "commonMetadata",
    "error",
]
"""The members of `LibraryItem` other than `item`."""


LibraryItemState = Literal["present", "missing", "unreadable", "offline"]
"""The state of an item's file."""


class LibraryItemThumbnailResult(TypedDict):
    """The image."""

    image: Image
    """The image."""
    isCached: bool
    """True if it was in the cache."""


class LibraryItemValuesResult(TypedDict):
    """The properties of an item."""

    item: LibraryItem
    """The item."""
    values: Dict[str, List[str]]
    """The texts of its metadata, by common keys and by identifiers, in the order of the file. Each
    is cut after 4,096 characters.
    """


class LibraryLink(TypedDict):
    """A symbolic link that a scan couldn't follow."""

    path: str
    """Its path; a `file:` URL if that isn't UTF-8."""
    message: str
    """The reason: it leads nowhere, in a circle, or out of the allowed folders."""


LibraryMediaType = Literal["video", "audio", "image"]
"""The kind of media of a library's item."""


LibraryNot = TypedDict(
    "LibraryNot",
    {
        "not": "LibraryPredicate",
    },
)


class LibraryOpenResult(TypedDict):
    """The library."""

    library: LibraryHandle
    """The library's handle."""
    itemCount: int
    """The number of its items that are not missing."""
    database: str
    """The path of the database."""


LibraryOperator = Literal[
    "is",
    "isNot",
    "contains",
    "beginsWith",
    "in",
    "lessThan",
    "greaterThan",
    "between",
    "exists",
]
"""The comparison of an item's key with a value."""


class LibraryText(TypedDict):
    """The items that have all of these terms. Each is the beginning of a term in the item's name,
    folder, title, artist, album or description; case and accents don't count.
    """

    text: str
    """The terms."""


LibraryPredicate = Union[LibraryAll, LibraryAny, LibraryNot, LibraryComparison, LibraryText]
"""A condition on items, of at most 256 parts, which are nested at most 16 deep. Items that can't
be read or are missing are excluded unless the predicate asks for `state` or `error`.
"""


class LibraryScanCounts(TypedDict):
    """The counts of a scan."""

    seen: int
    """Media files that were looked at."""
    probed: int
    """Files that were opened and read."""
    added: int
    """New items."""
    changed: int
    """Items whose file has another content."""
    moved: int
    """Items whose file was moved or renamed."""
    missing: int
    """Items whose file is gone."""
    unreadable: int
    """Files among `probed` that can't be read."""
    unreadableFolders: int
    """Folders that can't be read: the items that the library has of them stay as they are."""
    unreadableLinks: int
    """Symbolic links that are to be followed, and can't be."""


class _LibrarySortRequired(TypedDict):
    key: str
    """A key, as of `LibraryComparison`. Items without a value come last."""


class LibrarySort(_LibrarySortRequired, total=False):
    """A key by which items are ordered."""

    ascending: bool
    """True if the smallest value comes first. Default: ``true``."""


class LibraryStatusResult(TypedDict):
    """The state of a library."""

    database: str
    """The path of the database."""
    folders: List[LibraryFolderStatus]
    """The folders, in the order in which they were added."""
    itemCount: int
    """The number of its items that are not missing."""
    changeToken: int
    """The token from which later changes are counted (`library/changes`)."""


LibraryValue = Union[str, float, bool, List[Union[str, float]]]
"""The value that a key of items is compared with: text, a number, true or false for `exists`, a
list for `in`, and a list of two for `between`. Dates are text such as `2021`, `2021-05`,
`2021-05-01` or `2021-05-01T12:30:00Z`, and mean the beginning of that period.
"""


LibraryWatch = Literal["events", "polling", "none"]
"""The detection of changes in a folder."""


LogLevel = Literal["trace", "debug", "info", "notice", "warning", "error", "critical", "off"]
"""The importance of a message of the log."""


LooperOrdering = Literal["loopingItemsPrecedeExistingItems", "loopingItemsFollowExistingItems"]
"""The place of a looped item among those that are in the queue already."""


LooperStatus = Literal["unknown", "ready", "failed", "cancelled"]
"""The readiness of a looper."""


class _LoudnessTargetRequired(TypedDict):
    integratedLoudness: float
    """The loudness of the whole, gated, in LUFS: from -70 to 0, for example -16 for podcasts or
    -23 for broadcasts.
    """


class LoudnessTarget(_LoudnessTargetRequired, total=False):
    """A target loudness of audio, by ITU-R BS.1770-4 and EBU R 128."""

    truePeak: float
    """The maximum true peak in dBTP, from -20 to 0. It takes precedence over the loudness: audio
    whose peaks would exceed it becomes less loud, since its dynamics stay. It is that of the
    audio as it is encoded: a codec with loss may exceed it. Default: ``-1``.
    """


class MasteringDisplayColorVolume(TypedDict, total=False):
    """The mastering display (SMPTE ST 2086)."""

    red: Chromaticity
    """The red primary."""
    green: Chromaticity
    """The green primary."""
    blue: Chromaticity
    """The blue primary."""
    whitePoint: Chromaticity
    """The white point."""
    minLuminance: float
    """The minimum luminance, in cd/m²; files store it in units of 1/10000."""
    maxLuminance: float
    """The maximum luminance, in cd/m²."""


MediaCharacteristic = Literal[
    "visual",
    "audible",
    "legible",
    "frameBased",
    "usesWideGamutColorSpace",
    "containsHDRVideo",
    "containsAlphaChannel",
    "isMainProgramContent",
    "isAuxiliaryContent",
    "isOriginalContent",
    "containsOnlyForcedSubtitles",
    "transcribesSpokenDialogForAccessibility",
    "describesMusicAndSoundForAccessibility",
    "describesVideoForAccessibility",
    "easyToRead",
    "languageTranslation",
    "dubbedTranslation",
    "voiceOverTranslation",
]
"""A trait of a track's media."""


class _MediaCharacteristicListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class MediaCharacteristicListKeyState(_MediaCharacteristicListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[MediaCharacteristic]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class MediaSelection(TypedDict):
    """A choice of one option, or none, of every group (AVMediaSelection)."""

    choices: List[MediaSelectionChoice]
    """The choices, one for each group."""


class _MediaSelectionChoiceRequired(TypedDict):
    mediaCharacteristic: MediaCharacteristic
    """The characteristic of the group."""


class MediaSelectionChoice(_MediaSelectionChoiceRequired, total=False):
    """The choice in one group."""

    trackID: int
    """The track of the chosen option; absent for none."""


class _MediaSelectionGroupRequired(TypedDict):
    options: List[MediaSelectionOption]
    """The options, in the order of the container."""
    allowsEmptySelection: bool
    """True if it is possible to present none of them."""


class MediaSelectionGroup(_MediaSelectionGroupRequired, total=False):
    """Options of one characteristic, of which one at a time is presented (AVMediaSelectionGroup).
    """

    defaultTrackID: int
    """The track of the option that is presented by default; absent when none is."""


class _MediaSelectionKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class MediaSelectionKeyState(_MediaSelectionKeyStateRequired, total=False):
    """The state of one key."""

    value: MediaSelection
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class _MediaSelectionListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class MediaSelectionListKeyState(_MediaSelectionListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[MediaSelection]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class _MediaSelectionOptionRequired(TypedDict):
    trackID: int
    """The track that it presents."""
    mediaType: MediaType
    """The kind of its media."""
    mediaSubTypes: List[str]
    """Its formats as four-character codes."""
    mediaCharacteristics: List[MediaCharacteristic]
    """The characteristics of its media."""
    isPlayable: bool
    """True if this build can decode it."""
    displayName: str
    """The text for menus: its title, else its language tag, else its number."""
    commonMetadata: List[MetadataItem]
    """The metadata of the track that has a common key."""


class MediaSelectionOption(_MediaSelectionOptionRequired, total=False):
    """One of the options of a group (AVMediaSelectionOption)."""

    extendedLanguageTag: str
    """The language by BCP 47."""


MediaType = Literal["video", "audio", "text", "subtitle", "closedCaption", "timecode", "metadata"]
"""The kind of a track's media."""


class _MediaTypeKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class MediaTypeKeyState(_MediaTypeKeyStateRequired, total=False):
    """The state of one key."""

    value: MediaType
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class MetadataChanges(TypedDict, total=False):
    """Changes of metadata; all other items stay as they are."""

    set: List[MetadataEntry]
    """Items to write, each in place of all those with the same meaning."""
    remove: List[str]
    """Items to remove: FFmpeg's names (`album_artist`), common keys (`artwork`) or identifiers
    (`itsk/©nam`).
    """


class MetadataData(TypedDict, total=False):
    """A value of metadata that is bytes."""

    data: str
    """The bytes, in base64 with padding; absent when there are more than 4096, which
    `asset/metadata` delivers, and when `blob` has them.
    """
    blob: Blob
    """The bytes, by the requested delivery."""
    size: int
    """The number of bytes."""
    mimeType: str
    """The type of the bytes; when an image is written, its type is determined from its bytes."""


class _MetadataEntryRequired(TypedDict):
    value: MetadataValue
    """The value; bytes in `data`."""


class MetadataEntry(_MetadataEntryRequired, total=False):
    """An item of metadata to write. It is named by `identifier`, by `key` and `keySpace`, or by
    `commonKey` alone, for which each type of file has a key of its own. An item that was read
    can be written as it is, if its bytes are in `data`.
    """

    identifier: str
    """The key space and the key with a slash between them, for example `itsk/©nam` or
    `common/title`.
    """
    key: str
    """The key within its key space, for example `©nam`."""
    keySpace: str
    """The key space, for example `itsk`."""
    commonKey: str
    """The meaning of the item in any container: `title`, `artist`, `albumName`, `creationDate`,
    `artwork` …
    """
    extendedLanguageTag: str
    """The item's language by BCP 47."""
    locale: str
    """The item's locale, for example `de_AT`."""
    dataType: str
    """The type of the value by Core Media's name; derived from the value when absent."""
    extraAttributes: Dict[str, str]
    """Further attributes of the item in the file."""


class _MetadataItemRequired(TypedDict):
    identifier: str
    """The key space and the key with a slash between them, for example `itsk/©nam`."""
    key: str
    """The key within its key space, for example `©nam`."""
    keySpace: str
    """The key space: `itsk`, `mdta`, `udta`, `uiso`, `id3`, `icy` or the container's own."""
    value: MetadataValue
    """The value."""


class MetadataItem(_MetadataItemRequired, total=False):
    """One item of metadata."""

    commonKey: str
    """The meaning that all containers share, for example `title`; absent if it has none."""
    tagName: str
    """FFmpeg's name of it, which containers have in common, for example `album_artist`."""
    extendedLanguageTag: str
    """The item's language by BCP 47."""
    locale: str
    """The item's locale, for example `de_AT`, where the file names a country."""
    time: Time
    """The time from which it applies; absent when it applies to the whole."""
    duration: Time
    """The duration for which it applies."""
    dataType: str
    """The type of the value by Core Media's name, for example `com.apple.metadata.datatype.UTF-8`.
    """
    extraAttributes: Dict[str, str]
    """Further attributes of the item in the file."""


class _MetadataItemKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class MetadataItemKeyState(_MetadataItemKeyStateRequired, total=False):
    """The state of one key."""

    value: MetadataItem
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class _MetadataItemListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class MetadataItemListKeyState(_MetadataItemListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[MetadataItem]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


MetadataValue = Union[str, float, bool, MetadataData]
"""The value of an item of metadata. Text that is not UTF-8 in the file is repaired on its way."""


MissingFramePolicy = Literal["error", "hold"]
"""The treatment of an image that is missing from a sequence."""


class NewTimeObserver(TypedDict):
    """A new observer of a player's time."""

    timeObserver: TimeObserverHandle
    """The observer's handle. Closing it removes the observer: once that is answered, no
    notification of it is written.
    """


NoPictureReason = Literal["none", "notNew", "notReady", "noCredit"]
"""The reason for which there is no frame."""


class _NumberKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class NumberKeyState(_NumberKeyStateRequired, total=False):
    """The state of one key."""

    value: float
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


NumberRampInput = TypedDict(
    "NumberRampInput",
    {
        "at": "TimeInput",
        "value": "float",
        "from": "float",
        "to": "float",
        "timeRange": "TimeRangeInput",
    }, total=False,
)


OpenTimelineIODocument = Dict[str, Any]
"""A document of OpenTimelineIO: an object with `OTIO_SCHEMA`."""


OperationHandle = NewType("OperationHandle", str)
"""Names work in progress, for example `operation:5`."""


class OperationStarted(TypedDict):
    """The work has begun."""

    operation: OperationHandle
    """The operation of its notifications."""


Outcome = Literal["succeeded", "failed", "cancelled"]
"""The outcome of one item of a longer work."""


OutputHandle = NewType("OutputHandle", str)
"""Names one output of an asset reader, for example `output:4/1`."""


class VideoEncoding(TypedDict, total=False):
    """The encoding of video. If `width`, `height`, `crop` or `rotate` is present, frames are made
    upright first: the track's preferred transform is applied to the pixels. `rotate` alone with
    the preset `Passthrough` changes no pixels: it is written into the copy. Give at most one of
    `quality`, `bitRate` and `rateFactor`; without a preset and without any of them, `quality`
    is 0.5.
    """

    codec: str
    """The codec by FFmpeg's name: `h264`, `hevc`, `vp8`, `vp9`, `av1`, `prores`, `mjpeg`, `ffv1`,
    `png`, `qtrle` (also `animation`), `gif`, `webp` or `apng`. `ffv1`, `png` and `qtrle` lose
    nothing of samples that they hold: `ffv1` takes the source's own pixel format, the others
    hold RGB and, as `png`, grey. So does `apng`. `qtrle` has eight bits a sample: of deeper
    ones the rest is lost. If it is not the preset's, the preset's quality and profile do not
    apply.
    """
    width: int
    """The width of the upright frame in pixels; even, if the pixel format has half the chroma.
    With the width or the height alone, the other follows from the display aspect ratio, and
    pixels become square. With both, the pixel aspect ratio is such that nothing is stretched
    when it is shown.
    """
    height: int
    """The height of the upright frame in pixels."""
    frameRate: Factor
    """The number of frames per second, all of the same duration; frames are repeated or left out.
    A number or a ratio; 23.976, 29.97, 47.952, 59.94 and 119.88 mean 24000/1001 and so on. The
    frame for each moment is the one that begins nearest to it, or the last one before; the
    number of frames is the duration times the rate, rounded. When absent, frames have the
    source's times; `gif` then has 12.5 frames per second, if the source has more.
    """
    quality: float
    """The quality, from 0, the smallest file, to 1, the best quality, in equal steps of
    `rateFactor`: from 38 to 8 for `h264`, 43 to 13 for `hevc`, 54 to 4 for `vp8`, 54 to 10 for
    `vp9`, 57 to 13 for `av1`, 15 to 1 for `mjpeg`, 50 to 0 for `webp`.
    """
    bitRate: int
    """The average bit rate, in bits per second."""
    rateFactor: float
    """The encoder's own measure of constant quality (`crf`), smaller is better: 0 to 51 for `h264`
    and `hevc`, 0 to 100 for `webp` (100 less libwebp's quality), 4 to 63 for `vp8`, 0 to 63 for
    `vp9`, 1 to 63 for `av1`; the quantizer scale, 1 to 31, for `mjpeg`.
    """
    profile: str
    """The profile. `h264` has `baseline`, `main`, `high`, `high10`, `high422` and `high444`;
    `hevc` has `main`, `main10`, `main12`, `main422-10`, `main422-12`, `main444-8`, `main444-10`
    and `main444-12`; `vp9` has `0` to `3`; `av1` has `main`; and `prores` has `proxy`, `lt`,
    `standard`, `hq`, `4444` and `4444xq`, of which a source with alpha gets `4444`; `webp` has
    `lossy` and `lossless`.
    """
    keyFrameInterval: float
    """The maximum time between two sync samples, in seconds, at the frame rate that the track
    states. Default: ``2``.
    """
    pixelFormat: str
    """The pixel format by FFmpeg's name; the source decides when absent, as far as the profile
    allows.
    """
    alpha: bool
    """True if transparency stays where the source has it, and the codec and the file type can hold
    it. `vp8`, `vp9` (in `webm` and `mkv`), `prores`, `ffv1`, `png`, `qtrle`, `apng`, `webp` and
    `gif` can. Elsewhere it is listed in `dropped`; nothing is blended. Default: ``true``.
    """
    crop: Crop
    """The part of the upright frame to show, in its own pixels, before it is scaled and rotated."""
    rotate: int
    """The clockwise rotation of the upright frame in degrees, a multiple of 90; `width` and
    `height` are those of the result. Where it is the only setting of the video with the preset
    `Passthrough`, the samples are copied and their preferred transform is rotated; types of
    files that state none are refused. Default: ``0``.
    """
    deinterlacing: Deinterlacing
    """The treatment of interlaced frames. Only frames that are declared interlaced change: in
    their own data, or by the file, if their codec can't state it. Missing rows are interpolated
    from three fields, as FFmpeg's filter `bwdif` does. Copied tracks are never changed, and
    encoded ones are never interlaced: with `none`, frames are encoded as progressive ones that
    show both fields. Default: ``"auto"``.
    """


class TextEncoding(TypedDict, total=False):
    """The encoding of text."""

    codec: str
    """The codec by FFmpeg's name, for example `mov_text`, `subrip` or `webvtt`; when absent, the
    default of the file's type.
    """


class PresetSettings(TypedDict):
    """The settings of a preset of exports."""

    preset: str
    """The preset's name, for example `1280x720`; it has to encode the input's media type."""


OutputSettings = Union[VideoEncoding, AudioEncoding, TextEncoding, PresetSettings]
"""The format that the samples of an input are encoded to. Settings with `preset` are those of a
preset of exports; others are for video in an input of video, for audio in one of audio, and for
text in one of text or subtitles.
"""


class _OverlayInputRequired(TypedDict):
    timeRange: TimeRangeInput
    """The range in which it is shown; a duration of `"+infinity"` lasts to its end, or that of the
    clips.
    """
    frame: Rectangle
    """Its rectangle, in pixels of the composed frame."""


class OverlayInput(_OverlayInputRequired, total=False):
    """A video or a still image that lies over the frames of the clips for some time, and its audio
    if it has a `volume`.
    """

    url: str
    """The path or `file` URL of a file."""
    asset: AssetHandle
    """An asset, in place of a file."""
    imageSequence: ImageSequence
    """Numbered images for which the `url` stands."""
    sourceTimeRange: TimeRangeInput
    """The part of the source that is shown, of which `timeRange` may need less; a duration of
    `"+infinity"` reaches to the end. Not for stills. Left out: all of it.
    """
    speed: Factor
    """The speed: 2 shows it in half its time, -1 backward, video and audio. Not for stills.
    Default: ``1``.
    """
    speedRamp: List[SpeedPointInput]
    """A speed that changes, in place of `speed`: the points of its course, 1 to 1,000, in
    ascending order, at times of the source within the part that is shown. Speeds are all above
    0, or all below 0 for backward. Left out: `speed` throughout.
    """
    volume: float
    """The volume of its audio, 0 or more. Default: ``0``."""
    fit: Fit
    """The fit to its `frame`; the part outside of it, with `"cover"` and `"none"`, isn't shown.
    Default: ``"fill"``.
    """
    opacity: float
    """The opacity, from 0 to 1. Default: ``1``."""
    fadeIn: TimeInput
    """The duration of its appearance, and of its audio becoming loud. Default: ``0``."""
    fadeOut: TimeInput
    """The duration of its disappearance, and of its audio becoming quiet. Default: ``0``."""


class _ParamsProblemRequired(TypedDict):
    path: str
    """The place of the problem, as a JSON pointer into the params, for example `/times/0/value`."""
    expected: str
    """A description of the expected value."""
    got: str
    """The value that was found."""


class ParamsProblem(_ParamsProblemRequired, total=False):
    """One problem of a request's params."""

    code: int
    """The code of this problem, if it has one of its own."""


class PicturePosition(TypedDict):
    """A point of a picture, from its top left, as fractions of its width and height."""

    x: float
    """0 at the left edge, 1 at the right."""
    y: float
    """0 at the top, 1 at the bottom."""


class PixelAspectRatio(TypedDict):
    """The shape of a pixel, as a ratio of its width and height."""

    horizontalSpacing: int
    """The share of the width."""
    verticalSpacing: int
    """The share of the height."""


class PixelBufferAttributes(TypedDict):
    """The format of the raw frames that are appended to an input
    (AVAssetWriterInputPixelBufferAdaptor).
    """

    pixelFormat: str
    """The pixel format by FFmpeg's name, for example `rgb24`."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""


class PlacedBytes(TypedDict):
    """Bytes of a resource, at the place in shared memory that their read has."""

    kind: Literal["shm"]
    """Always `shm`."""
    size: int
    """The number of bytes."""


class Plane(TypedDict):
    """One plane of an uncompressed image."""

    offset: int
    """The offset of the plane, in bytes from the start of the blob."""
    bytesPerRow: int
    """The distance from one row to the next, in bytes."""
    height: int
    """The number of rows."""


class _PlannedSegmentRequired(TypedDict):
    segment: int
    """The segment's number in the track, from 0."""
    timeRange: TimeRange
    """The range of the track that it fills, as far as it is exported."""
    treatment: SegmentTreatment
    """The treatment."""


class PlannedSegment(_PlannedSegmentRequired, total=False):
    """The planned treatment of a segment of a track in a passthrough export."""

    reason: str
    """The reason for which it is not copied."""
    advice: Advice
    """The advice for a refused one that can be copied in another way; left out where encoding is
    the only solution.
    """


class _PlannedTrackRequired(TypedDict):
    trackID: int
    """The track's number in the source."""
    mediaType: MediaType
    """The kind of its media."""
    treatment: TrackTreatment
    """The treatment."""
    sourceCodec: str
    """FFmpeg's name of the source's codec."""


class PlannedTrack(_PlannedTrackRequired, total=False):
    """The planned treatment of a track in an export."""

    codec: str
    """FFmpeg's name of the codec in the file; absent for a track that is dropped."""
    encoder: str
    """FFmpeg's name of the encoder."""
    width: int
    """The width of the encoded video in pixels, as stored."""
    height: int
    """The height of the encoded video in pixels, as stored."""
    pixelFormat: str
    """The pixel format of the encoded video, by FFmpeg's name."""
    mapsToStandardDynamicRange: bool
    """True if high dynamic range is mapped to BT.709."""
    sampleRate: int
    """The sample rate of the encoded audio, in hertz."""
    channels: int
    """The number of channels of the encoded audio."""
    loudness: LoudnessTarget
    """The loudness that its audio will have, as far as its peaks allow that. Its present loudness
    is measured by the export.
    """
    reason: str
    """The reason for which the track is dropped."""
    mixedInto: int
    """The number of the source's track that it is mixed into, which is its own for the first of
    those that are mixed.
    """
    segments: List[PlannedSegment]
    """The treatment of each segment of a track with several, in a passthrough export; empty
    segments aren't listed.
    """


PlaybackDirection = Literal["forward", "reverse"]
"""The direction of playback."""


PlaybackStatus = Literal["unknown", "readyToPlay", "failed"]
"""The readiness of a player or of an item."""


class PlayerAdvanceClockResult(TypedDict):
    """The state after the advance."""

    hostTime: Time
    """The time of the clock."""
    time: Time
    """The item's time; `"invalid"` without an item."""
    revision: int
    """The number of jumps of the item's time."""
    notifications: int
    """The number of notifications that were written."""


class _PlayerAdvanceToNextItemResultRequired(TypedDict):
    items: List[PlayerItemHandle]
    """The items, the current one first."""
    revision: int
    """The number of jumps of the item's time."""


class PlayerAdvanceToNextItemResult(_PlayerAdvanceToNextItemResultRequired, total=False):
    """The queue from then on."""

    currentItem: PlayerItemHandle
    """The item that is played; absent if there is none any more."""


class _PlayerAudioRequired(TypedDict):
    state: PlayerAudioStatus
    """The state."""
    sampleRate: int
    """The sample rate in hertz."""
    channels: int
    """The number of channels."""
    underruns: int
    """The number of times that the device had nothing to play though time ran."""
    framesPlayed: int
    """The number of frames that were heard, or written."""
    isAudible: bool
    """False while the rate is one that has no audio: below 0, and above 4 with the algorithm
    `spectral`, above 2 with the others.
    """


class PlayerAudio(_PlayerAudioRequired, total=False):
    """A player's audio: its state, destination and statistics."""

    device: str
    """The ID of the device that plays, or the path of the file. The server's default device has an
    ID of its own while it is open, and the audio server may move the audio to another device
    when one is removed.
    """
    latency: Time
    """The time from the delivery of a sample until it is heard; absent where there is none."""
    error: ErrorObject
    """The reason for which it is unavailable."""


class PlayerAudioFormat(TypedDict, total=False):
    """The format that a player's audio is mixed in, regardless of its items' formats."""

    sampleRate: int
    """The sample rate in hertz, from 8000 to 384000. Default: ``48000``."""
    channels: int
    """The number of channels, from 1 to 8. Default: ``2``."""


PlayerAudioStatus = Literal["none", "closed", "open", "unavailable"]
"""The states of a player's audio."""


class PlayerChanges(TypedDict, total=False):
    """The members of a player that have changed together; those that haven't are absent."""

    status: PlaybackStatus
    """The readiness."""
    error: ErrorObject
    """The reason for which it has failed."""
    rate: float
    """The desired rate; 0 is paused."""
    rateChangeReason: RateChangeReason
    """The cause of the change of rate."""
    effectiveRate: float
    """The rate of the item's time."""
    timeControlStatus: TimeControlStatus
    """The state of playback: paused, waiting or playing."""
    reasonForWaitingToPlay: WaitingReasonChange
    """The reason for which it waits; `null` if it doesn't wait any more."""
    currentItem: CurrentItemChange
    """The item that is played; `null` if there is none any more."""
    clock: PlayerClock
    """The clock that is in use."""
    audio: PlayerAudio
    """The audio."""
    actionAtItemEnd: ActionAtItemEnd
    """The action at the end of an item."""
    volume: float
    """The volume."""
    isMuted: bool
    """True for no audio, regardless of the volume."""


PlayerClock = Literal["audio", "host", "manual"]
"""The clock that host times of a player are on."""


class PlayerCreateResult(TypedDict):
    """The player."""

    player: PlayerHandle
    """The player's handle."""


class _PlayerDidChangeRequired(TypedDict):
    player: PlayerHandle
    """The player."""
    changes: PlayerChanges
    """The changes."""


class PlayerDidChange(_PlayerDidChangeRequired, total=False):
    """Reports the changes of a player, of any cause, once for all that happen together."""

    revision: int
    """The number of jumps of the item's time; absent where the worker process has died."""
    hostTime: Time
    """The time of the clock; absent where the worker process has died."""


class _PlayerDidPrerollRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    player: PlayerHandle
    """The player."""
    finished: bool
    """True if everything is decoded; false if something has interrupted it."""


class PlayerDidPreroll(_PlayerDidPrerollRequired, total=False):
    """Reports the end of a preroll."""

    error: ErrorObject
    """The reason for which it hasn't finished, where the worker process has died."""


class _PlayerDidSeekRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    player: PlayerHandle
    """The player."""
    finished: bool
    """True if the item is at the requested time; false if something has interrupted the seek, or
    the time can't be reached.
    """
    requestedTime: Time
    """The requested time."""


class PlayerDidSeek(_PlayerDidSeekRequired, total=False):
    """Reports the end of a seek."""

    playerItem: PlayerItemHandle
    """The item; absent where there was none."""
    actualTime: Time
    """The item's time: the start of the frame that is shown, where the tolerances allow that; else
    the requested one. Only with `finished` `true`.
    """
    sampleIndex: int
    """The number of the frame that is shown, from 0, in presentation order; absent where frames
    have none.
    """
    isExact: bool
    """False if the frame isn't certainly the one that is shown at that time; absent without video.
    """
    revision: int
    """The number of jumps of the item's time; absent where the worker process has died."""
    error: ErrorObject
    """The reason for which it hasn't finished, where the worker process has died."""


class PlayerDrops(TypedDict):
    """The frames of a player's outputs that were neither returned nor sent."""

    outOfCredit: int
    """The number for which an output had no credit."""
    late: int
    """The number that later frames had replaced before they could be sent."""
    skipped: int
    """The number that the client didn't request in their time, or that were skipped at a high
    rate.
    """


class PlayerFinishAudioFileResult(TypedDict):
    """The file."""

    path: str
    """The path of the file."""
    size: int
    """The size of the file, in bytes."""
    frames: int
    """The number of frames, which is the number of samples in each channel."""


PlayerHandle = NewType("PlayerHandle", str)
"""Names a player, for example `player:1`."""


class PlayerItemChanges(TypedDict, total=False):
    """The members of an item that have changed together; those that haven't are absent."""

    status: PlaybackStatus
    """The readiness."""
    error: ErrorObject
    """The reason for which it has failed."""
    duration: Time
    """The duration."""
    presentationSize: Size
    """The size of its frames, upright. Absent besides a `status` of `readyToPlay`, the item has no
    video, or none any more.
    """
    tracks: List[PlayerItemTrack]
    """The tracks."""
    seekableTimeRanges: List[TimeRange]
    """The ranges within which seeks are possible."""


class PlayerItemCreateResult(TypedDict):
    """The item."""

    playerItem: PlayerItemHandle
    """The item's handle."""


class PlayerItemDidChange(TypedDict):
    """Reports the changes of an item, once for all that happen together."""

    playerItem: PlayerItemHandle
    """The item."""
    changes: PlayerItemChanges
    """The changes."""


class PlayerItemDidFailToPlayToEndTime(TypedDict):
    """Reports that an item can't be played to its end. A queue continues with the next one."""

    playerItem: PlayerItemHandle
    """The item."""
    player: PlayerHandle
    """The player."""
    error: ErrorObject
    """The reason."""
    time: Time
    """The item's time."""
    hostTime: Time
    """The time of the player's clock."""
    revision: int
    """The number of jumps of the item's time."""


PlayerItemDidJump = TypedDict(
    "PlayerItemDidJump",
    {
        "playerItem": "PlayerItemHandle",
        "player": "PlayerHandle",
        "from": "Time",
        "to": "Time",
        "cause": "JumpCause",
        "revision": "int",
    },
)


class PlayerItemDidPlayToEndTime(TypedDict):
    """Reports that an item has been played to its end, once for each arrival. The player's
    `actionAtItemEnd` follows.
    """

    playerItem: PlayerItemHandle
    """The item."""
    player: PlayerHandle
    """The player."""
    time: Time
    """The item's time: its end, or its start in reverse."""
    direction: PlaybackDirection
    """The direction."""
    hostTime: Time
    """The time of the player's clock."""
    revision: int
    """The number of jumps of the item's time."""


class PlayerItemDidStall(TypedDict):
    """Reports that playback has stopped where the next frame or audio is due and waits for the
    bytes of a resource (AVPlayerItem.playbackStalledNotification). A player that waits
    automatically continues when they have come; the rate of another is 0 then, because of
    `stalled`. Late decoding isn't a stall, and there is none on a manual clock.
    """

    playerItem: PlayerItemHandle
    """The item."""
    player: PlayerHandle
    """The player."""
    time: Time
    """The item's time."""
    hostTime: Time
    """The time of the player's clock."""
    revision: int
    """The number of jumps of the item's time."""


class _PlayerItemStateResultRequired(TypedDict):
    status: PlaybackStatus
    """The readiness: `unknown` until a player has loaded it."""
    duration: Time
    """The duration, regardless of its end times; `"indefinite"` until it is ready."""
    time: Time
    """Its time; `"invalid"` without a player."""
    tracks: List[PlayerItemTrack]
    """The tracks, once it is ready."""
    loadedTimeRanges: List[TimeRange]
    """The ranges that are decoded ahead."""
    seekableTimeRanges: List[TimeRange]
    """The ranges within which seeks are possible."""
    isPlaybackLikelyToKeepUp: bool
    """True if enough is decoded to continue playing."""
    isPlaybackBufferFull: bool
    """True if no more is decoded ahead."""
    isPlaybackBufferEmpty: bool
    """True if nothing is decoded ahead."""
    canPlayFastForward: bool
    """True for rates above 2. Those from 1 to 2 can always be played."""
    canPlaySlowForward: bool
    """True for rates between 0 and 1."""
    canPlayReverse: bool
    """True for the rate -1."""
    canPlaySlowReverse: bool
    """True for rates between -1 and 0."""
    canPlayFastReverse: bool
    """True for rates below -1."""
    canStepForward: bool
    """True if it can be moved forward by frames, at its end as well."""
    canStepBackward: bool
    """True if it can be moved backward by frames, at its start as well."""
    damagedSamples: int
    """The number of samples that the decoders have refused, in what was played; in each pass anew.
    """


class PlayerItemStateResult(_PlayerItemStateResultRequired, total=False):
    """The state."""

    error: ErrorObject
    """The reason for which it has failed."""
    presentationSize: Size
    """The size of its frames, upright; absent without video."""
    player: PlayerHandle
    """The player that has it."""
    reason: str
    """The reason for which it can't play backward or step."""
    dropped: List[Dropped]
    """The damage that was met in each track, as `damagedSamples`, with its reason; absent without
    any. It is that of the pass that has met the most. That a file is cut short is known at its
    end.
    """


class _PlayerItemStepResultRequired(TypedDict):
    stepped: int
    """The number of frames that the item was moved by, below 0 for steps back: fewer at an end."""
    time: Time
    """The item's time."""
    revision: int
    """The number of jumps of the item's time."""


class PlayerItemStepResult(_PlayerItemStepResultRequired, total=False):
    """The frame."""

    sampleIndex: int
    """The number of the frame, from 0, in presentation order; absent where frames have none."""


class _PlayerItemTrackRequired(TypedDict):
    trackID: int
    """The number of the track in its asset."""
    mediaType: MediaType
    """The kind of its media."""
    isEnabled: bool
    """True if it is presented."""


class PlayerItemTrack(_PlayerItemTrackRequired, total=False):
    """A track of an item."""

    currentVideoFrameRate: float
    """The frames a second that it shows during playback, 0 while time stands. Absent for a track
    that isn't shown, and if the rate isn't known without decoding.
    """


class PlayerItems(TypedDict):
    """The items of a player, in the order in which they are played, the current one first."""

    items: List[PlayerItemHandle]
    """The items."""


class PlayerLooperCreateResult(TypedDict):
    """The looper."""

    playerLooper: PlayerLooperHandle
    """The looper's handle."""
    loopingPlayerItems: List[PlayerItemHandle]
    """The items that loop: `templateItem` alone."""


class PlayerLooperDidLoop(TypedDict):
    """Reports that a looped item begins again."""

    playerLooper: PlayerLooperHandle
    """The looper."""
    loopCount: int
    """The number of times that the item has begun again, from 1."""
    revision: int
    """The number of jumps of the item's time."""


PlayerLooperHandle = NewType("PlayerLooperHandle", str)
"""Names the looping of an item, for example `playerLooper:1`."""


class _PlayerLooperStateResultRequired(TypedDict):
    status: LooperStatus
    """The readiness."""
    loopCount: int
    """The number of times that the item has begun again."""
    loopingPlayerItems: List[PlayerItemHandle]
    """The items that loop."""


class PlayerLooperStateResult(_PlayerLooperStateResultRequired, total=False):
    """The state."""

    error: ErrorObject
    """The reason for which it has failed."""


class _PlayerRateRequired(TypedDict):
    rate: float
    """The desired rate; 0 is paused."""
    timeControlStatus: TimeControlStatus
    """The state of playback: paused, waiting or playing."""
    revision: int
    """The number of jumps of the item's time."""


class PlayerRate(_PlayerRateRequired, total=False):
    """The rate of a player after a request."""

    reasonForWaitingToPlay: WaitingReason
    """The reason for which it waits, while it does."""


class _PlayerStateResultRequired(TypedDict):
    status: PlaybackStatus
    """The readiness: `readyToPlay` once an item was tried, `failed` when the worker process has
    died.
    """
    rate: float
    """The desired rate; 0 is paused."""
    effectiveRate: float
    """The rate of the item's time: 0 while the player waits or seeks, and before a host time."""
    defaultRate: float
    """The rate that `player/play` sets."""
    timeControlStatus: TimeControlStatus
    """The state of playback: paused, waiting or playing."""
    time: Time
    """The item's time, while seeking the requested one; `"invalid"` without an item."""
    isSeeking: bool
    """True while a seek hasn't ended."""
    hostTime: Time
    """The time of the clock."""
    clock: PlayerClock
    """The clock that is in use: `host` instead of `audio` while no device plays."""
    volume: float
    """The volume, from 0 to 1."""
    isMuted: bool
    """True for no audio, regardless of the volume."""
    actionAtItemEnd: ActionAtItemEnd
    """The action at the end of an item."""
    automaticallyWaitsToMinimizeStalling: bool
    """True if a player that has too little decoded waits and continues automatically."""
    revision: int
    """The number of jumps of the item's time."""
    audio: PlayerAudio
    """The audio."""


class PlayerStateResult(_PlayerStateResultRequired, total=False):
    """The state."""

    error: ErrorObject
    """The reason for which it has failed."""
    reasonForWaitingToPlay: WaitingReason
    """The reason for which it waits, while it does."""
    currentItem: PlayerItemHandle
    """The item that is played."""


class PlayerStatistics(TypedDict):
    """The statistics of a player."""

    player: PlayerHandle
    """The player."""
    presented: int
    """The number of frames that its outputs have returned or sent."""
    dropped: PlayerDrops
    """The frames that were neither returned nor sent."""
    underruns: int
    """The number of times that an audio server had nothing to play."""
    maximumLateness: Time
    """The maximum time from a moment to its notification; 0 on a manual clock."""
    bytesBuffered: int
    """The bytes of frames that are decoded and wait for their time."""


class _ProgramInfoRequired(TypedDict):
    name: str
    """The program's name."""


class ProgramInfo(_ProgramInfoRequired, total=False):
    """The name and version of a program."""

    version: str
    """The program's version."""


class RangeResult(TypedDict):
    """A result that is one range."""

    range: TimeRange
    """The range."""


RateChangeReason = Literal["setRateCalled", "itemEnded", "stalled", "playbackFailed"]
"""The cause of a change of rate."""


class _ReaderOutputInputRequired(TypedDict):
    type: ReaderOutputType
    """The source of its samples."""


class ReaderOutputInput(_ReaderOutputInputRequired, total=False):
    """An output of a reader. A mix needs `settings` with `sampleFormat`. It begins with the range,
    is silent where no track has audio, and ends with the last track or the range. By default
    its sample rate and channel count are the highest of its tracks. Integer formats clip where
    the sum is too loud; floating-point formats do not.
    """

    trackID: int
    """The track; for the type `track`, exactly one of this, `mediaType` and `track` is required."""
    mediaType: MediaType
    """The first enabled track of this media type."""
    track: TrackRule
    """The first enabled track that this rule fits: `{"mediaType": "audio", "language": "de"}`."""
    trackIDs: List[int]
    """The tracks to mix, for the type `audioMix`, or those that can be shown, for the type
    `videoComposition`; all of the kind when absent.
    """
    audioMix: AudioMixSettingInput
    """The volumes of the tracks, for the type `audioMix`; `null` for their own volume. Left out:
    the asset's own mix, which a composition may have.
    """
    videoComposition: VideoCompositionInput
    """The video composition that makes the frames, for the type `videoComposition`. Left out: the
    asset's own, which a composition may have.
    """
    settings: ReaderSettings
    """The format that samples are converted to; absent or `null` for samples as stored, in decode
    order.
    """
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for audio that is scaled in time; only with settings for audio. Default:
    ``"spectral"``.
    """
    supportsRandomAccess: bool
    """True if the output can be read again from other ranges. Default: ``false``."""


ReaderOutputType = Literal["track", "audioMix", "videoComposition"]
"""The source of the samples of a reader's output."""


class VideoSettings(TypedDict, total=False):
    """The format that decoded frames are converted to; at least one of `pixelFormat` and `format`
    is required.
    """

    pixelFormat: str
    """The pixel format by FFmpeg's name, for example `rgba`."""
    width: int
    """The width in pixels; when absent, it follows from the height, or is the source's if that is
    absent too.
    """
    height: int
    """The height in pixels."""
    format: ImageFormat
    """The file format in which each frame is encoded as an image: `jpeg`, `png`, `webp` or `bmp`.
    `pixelFormat` is then ignored. HDR is mapped to SDR, as in images.
    """
    quality: float
    """The quality of `jpeg` and `webp`, from 0, the smallest file, to 1, the best quality.
    Default: ``0.85``.
    """


class TextSettings(TypedDict):
    """The format that text subtitles are converted to: one buffer for each that is not empty."""

    textFormat: TextFormat
    """The format of the text."""


ReaderSettings = Union[VideoSettings, AudioSettings, TextSettings]
"""The format that samples are converted to: settings for video, for audio or for text. Settings
with `sampleFormat` are for audio, with `textFormat` for text, all others for video.
"""


ReaderStatus = Literal["unknown", "reading", "completed", "failed", "cancelled"]
"""The status of a reader."""


class _RecordedTrackRequired(TypedDict):
    mediaType: MediaType
    """The media type, `video` or `audio`."""
    written: int
    """The number of captured ones that are in the file. A frame that is repeated for a higher rate
    counts once, and audio that is resampled for its drift as it was captured.
    """
    dropped: CaptureDrops
    """The number of dropped ones."""
    inserted: int
    """The number of samples of silence in place of missing ones."""
    trimmed: int
    """The number before the recording's zero."""


class RecordedTrack(_RecordedTrackRequired, total=False):
    """The statistics of a track: counts are frames of video, and samples a channel of audio."""

    drift: float
    """The excess speed of the device's clock, in millionths; absent if it isn't known."""


class RecordingSettings(TypedDict, total=False):
    """The treatment of the tracks of a recording."""

    video: VideoTreatment
    """The encoding of video: `h264` in `quality` 0.6 when absent, or the usual codec of a type of
    file that can't hold that; `null` leaves video out.
    """
    audio: AudioTreatment
    """The encoding of audio: in movies, `aac` of 128 kbit/s per pair of channels when absent, or
    the usual codec of a type of file that can't hold that; `null` leaves audio out, which
    animated images require.
    """


RecordingStatus = Literal["completed", "failed", "cancelled"]
"""The outcome of a recording."""


class Rectangle(TypedDict):
    """A part of a frame, in pixels from the top left."""

    x: float
    """The left edge."""
    y: float
    """The upper edge."""
    width: float
    """The width."""
    height: float
    """The height."""


RectangleRampInput = TypedDict(
    "RectangleRampInput",
    {
        "at": "TimeInput",
        "value": "Rectangle",
        "from": "Rectangle",
        "to": "Rectangle",
        "timeRange": "TimeRangeInput",
    }, total=False,
)


class _ResolvedFormatRequired(TypedDict):
    captureInput: CaptureInputHandle
    """The input."""
    mediaType: MediaType
    """The media type, `video` or `audio`."""
    format: DeviceFormat
    """The format."""


class ResolvedFormat(_ResolvedFormatRequired, total=False):
    """The format that an input captures in."""

    frameDuration: Time
    """The duration of a frame, as requested from the device."""


class _ResourceRequired(TypedDict):
    isRandomAccess: bool
    """True if any bytes can be requested at any time. Without random access each read begins where
    the bytes of the one before ended. The bytes are put into a temporary file without a name,
    as far as they are needed; `--spool-max` limits its size.
    """


class Resource(_ResourceRequired, total=False):
    """Media whose bytes the client supplies (AVAssetResourceLoader)."""

    length: int
    """The number of bytes; required with random access. Without it a resource is read to its end
    before anything else is known of it.
    """
    name: str
    """The name in messages and errors, such as a file's name; the handle when absent."""
    mimeType: str
    """The expected type of the bytes, for people: the bytes themselves decide."""
    timeoutMs: int
    """The time that a read waits for its answer, in milliseconds; then the work that needs it
    fails with `resourceTimedOut`. Default: ``60000``.
    """


class ResourceAllocateResult(TypedDict):
    """The memory."""

    path: str
    """The memory as a path to open and map for reading and writing, for example `/proc/4242/fd/9`.
    """
    size: int
    """The number of bytes."""


ResourceBytes = Union[InlineBytes, PlacedBytes]
"""The bytes of an answer: in the message, or in shared memory."""


class ResourceDidCancelRead(TypedDict):
    """Reports that the answer to a read isn't needed any more. An answer that arrives nevertheless
    is ignored. A read with a `place` is best answered with an error then: only an answer makes
    its place free for other reads.
    """

    resource: ResourceHandle
    """The resource."""
    request: int
    """The number of the read."""


class ResourceDidEnd(TypedDict):
    """Reports that a resource is not read any more: it was closed, or its asset was, and nothing
    that was made from the asset uses it any longer.
    """

    resource: ResourceHandle
    """The resource."""


class ResourceError(TypedDict):
    """The reason for which bytes of a resource can't be read."""

    message: str
    """A description for people; it is part of the message of the `failedToLoadMediaData` with
    which the work fails.
    """


ResourceHandle = NewType("ResourceHandle", str)
"""Names media whose bytes the client supplies, for example `resource:1`."""


class _ResourceReadRequired(TypedDict):
    resource: ResourceHandle
    """The resource."""
    request: int
    """The number of the read, which its answer has as well; never used twice for a resource."""
    offset: int
    """The offset of the bytes, from the resource's start."""
    length: int
    """The number of bytes."""


class ResourceRead(_ResourceReadRequired, total=False):
    """Requests bytes of a resource, to be answered with `resource/didRead`. Several are
    outstanding at a time with random access, in any order; they may be answered in any order,
    too. Without random access there is one at a time.
    """

    place: int
    """The offset in the memory of `resource/allocate` at which the answer may be put; absent if
    there is none.
    """


class _RestrictionRequired(TypedDict):
    holds: bool
    """True if it is in force."""


class Restriction(_RestrictionRequired, total=False):
    """The state of a restriction."""

    reason: str
    """The reason, if it isn't."""


class RevisedOperationStarted(TypedDict):
    """The work has begun."""

    operation: OperationHandle
    """The operation of its notifications."""
    revision: int
    """The number that the jump has if it is made."""


Rounding = Literal[
    "halfAwayFromZero",
    "towardZero",
    "awayFromZero",
    "quickTime",
    "towardPositiveInfinity",
    "towardNegativeInfinity",
]
"""The rounding of a time to a timescale that cannot hold it exactly."""


class _SampleRequired(TypedDict):
    index: int
    """Its index in decode order, from 0."""
    presentationTime: Time
    """The presentation time."""
    duration: Time
    """The duration of its presentation; `"indefinite"` if the file does not state it and there is
    no next sample.
    """
    size: int
    """The number of bytes."""
    storageRange: StorageRange
    """The position of its bytes in the file."""
    syncInfo: SampleSyncInfo
    """Its suitability as the start of decoding."""
    dependencyInfo: SampleDependencyInfo
    """The dependencies between it and other samples."""
    samplesRequiredForDecoderRefresh: int
    """The number of samples before it, in decode order, that a decoder needs to decode it
    correctly.
    """


class Sample(_SampleRequired, total=False):
    """The sample at which a cursor is; times are on the asset's clock."""

    presentationTimeInferred: bool
    """`true` when the file has no presentation time and it is derived; else absent."""
    decodeTime: Time
    """The decode time; absent if the file does not state it."""
    durationInferred: bool
    """`true` when the file has no duration and the time until the next sample is used; else
    absent.
    """
    packetPosition: int
    """The packet's position as reported by FFmpeg: in some containers the block, page or transport
    packet in which it begins. Absent when unknown.
    """
    audioDependencyInfo: SampleAudioDependencyInfo
    """The dependency of an audio packet on others; absent for other samples, and for codecs for
    which it is not known.
    """
    isDiscarded: bool
    """`true` if it is decoded only because others refer to it, being outside the edit list; else
    absent.
    """


class SampleAttachments(TypedDict, total=False):
    """The attachments of a sample buffer, in addition to its bytes. A member that is `false` is
    absent, except `isDependedOnByOthers` and `dependsOnOthers`, which are absent if the file
    does not state them.
    """

    notSync: bool
    """True if it is not a sync sample."""
    isDependedOnByOthers: bool
    """True if other samples need it: `false` for one that may be dropped."""
    dependsOnOthers: bool
    """True if it needs other samples: `false` for a sync sample."""
    doNotDisplay: bool
    """True if it must be decoded, but not presented."""
    trimDurationAtStart: Time
    """The part at its start that is not presented."""
    trimDurationAtEnd: Time
    """The part at its end that is not presented."""
    speedMultiplier: float
    """The factor by which it is presented faster than stored."""
    emptyMedia: bool
    """True if it represents a range without media."""
    resetDecoderBeforeDecoding: bool
    """True if the decoder must be reset before it."""
    drainAfterDecoding: bool
    """True if the decoder must be drained after it."""


class _SampleAudioDependencyInfoRequired(TypedDict):
    isIndependentlyDecodable: bool
    """True if a decoder can begin with it."""


class SampleAudioDependencyInfo(_SampleAudioDependencyInfoRequired, total=False):
    """The dependency of an audio packet on others."""

    packetRefreshCount: int
    """The number of packets, from this one on, whose audio is not exact when a decoder begins with
    it; absent when unknown.
    """


class _SampleBufferRequired(TypedDict):
    presentationTime: Time
    """The presentation time."""
    duration: Time
    """The duration of its presentation."""
    numSamples: int
    """The number of samples; 0 for a buffer that only carries attachments."""
    attachments: SampleAttachments
    """The attachments, in addition to its bytes."""


class SampleBuffer(_SampleBufferRequired, total=False):
    """Samples of one track. Decoded frames have `image`, unless they are encoded as images;
    decoded audio has `audio`; samples as stored have neither.
    """

    decodeTime: Time
    """The decode time; only with samples as stored."""
    format: FormatDescription
    """The format description; with the first buffer of an output and whenever it changes. A mix
    has none.
    """
    blob: Blob
    """The bytes; absent when there are no samples."""
    image: ImageLayout
    """The layout of a raw frame in the bytes."""
    audio: AudioLayout
    """The layout of the audio in the bytes."""


class SampleCursorChunkResult(TypedDict):
    """The chunk."""

    storageRange: StorageRange
    """The position of its bytes in the file."""
    sampleCount: int
    """The number of samples in it."""
    sampleIndexInChunk: int
    """The index of the cursor's sample in it, from 0."""
    hasUniformSampleSizes: bool
    """True if all its samples have the same number of bytes."""
    hasUniformSampleDurations: bool
    """True if all its samples have the same duration."""


class SampleCursorCompareResult(TypedDict):
    """The order."""

    order: int
    """-1 when the left one is first, 0 when both are at one sample, 1 when the right one is first.
    """


class SampleCursorCopyResult(TypedDict):
    """The copy."""

    sampleCursor: SampleCursorHandle
    """The new cursor's handle."""


class SampleCursorCreateResult(TypedDict):
    """The cursor."""

    sampleCursor: SampleCursorHandle
    """The cursor's handle."""
    sample: Sample
    """The sample it is at."""


SampleCursorHandle = NewType("SampleCursorHandle", str)
"""Names a sample cursor, for example `sampleCursor:5`."""


class SampleCursorReorderingResult(TypedDict):
    """The reordering around the cursors."""

    hasEarlierDecodedPresentedLater: bool
    """True if a sample that is decoded before that of `sampleCursor` is presented after that of
    `to`.
    """
    hasLaterDecodedPresentedEarlier: bool
    """True if a sample that is decoded after that of `sampleCursor` is presented before that of
    `to`.
    """


class SampleCursorSampleResult(TypedDict):
    """The sample."""

    sample: Sample
    """The sample."""


class SampleCursorSamplesResult(TypedDict):
    """The samples."""

    samples: List[Sample]
    """The samples, in their order."""
    endOfTrack: bool
    """True if there are none after these."""


class SampleCursorStepByTimeResult(TypedDict):
    """The new position."""

    moved: Time
    """The time that it has moved by, on the clock of the order."""
    wasPinned: bool
    """True if the time is before the first sample, or after the end of the last."""
    sample: Sample
    """The sample it is at."""


class SampleCursorStepResult(TypedDict):
    """The new position."""

    stepped: int
    """The number of samples that it has moved by, negative when backwards."""
    sample: Sample
    """The sample it is at."""


class SampleDependencyInfo(TypedDict, total=False):
    """The dependencies between a sample and others. A member is absent if the file does not state
    it.
    """

    dependsOnOthers: bool
    """True if it needs other samples to be decoded."""
    hasDependentSamples: bool
    """True if other samples need it."""


SampleOrder = Literal["decode", "presentation"]
"""The orders of a track's samples."""


class SampleSyncInfo(TypedDict):
    """A sample's suitability as the start of decoding."""

    isFullSync: bool
    """True if a decoder can begin with it."""
    isPartialSync: bool
    """Always `false`: FFmpeg shows QuickTime's partial sync samples as sync samples."""
    isDroppable: bool
    """True if no other sample needs it; also `false` if the file does not state it."""


class _SceneChangeRequired(TypedDict):
    time: Time
    """The time at which the first frame of the new scene begins to be shown, on the asset's clock.
    """
    score: float
    """The clearness of the change, from 0 to 1."""


class SceneChange(_SceneChangeRequired, total=False):
    """The beginning of a scene."""

    sampleIndex: int
    """The index of that frame in the track, in presentation order, from 0; absent if the track's
    frames have no numbers, as those of compositions, or no presentation times.
    """


Seconds = Union[float, Literal["+infinity", "-infinity"]]
"""A number of seconds, or an infinity."""


SegmentPlayback = Literal["forward", "reverse", "freeze"]
"""The playback of a range of a source by a segment."""


SegmentProfile = Literal["mpeg4AppleHLS", "mpeg4CMAFCompliant"]
"""The use of the segments of a writer."""


class SegmentReport(TypedDict):
    """The contents of a segment."""

    trackReports: List[SegmentTrackReport]
    """The reports, one for each track with samples in it."""


class _SegmentSettingsInputRequired(TypedDict):
    preferredOutputSegmentInterval: TimeInput
    """The time from one segment to the next, 0.001 seconds at least: a segment begins with the
    first sync sample of each interval. Encoded video has one where the interval begins, stored
    video where it has one. With `"indefinite"`, segments end only with
    `assetWriter/flushSegment`.
    """


class SegmentSettingsInput(_SegmentSettingsInputRequired, total=False):
    """Media segments instead of a file: MP4 of one input of video, one of audio, or of both; for
    `mpeg4CMAFCompliant` of one input. A segment begins with a sync sample of video, and has the
    audio that is presented before the next one begins. Segments continue until the last track
    ends.
    """

    initialSegmentStartTime: TimeInput
    """The start of the first interval, on the clock of the samples; the start of the session when
    absent.
    """
    profile: SegmentProfile
    """The use of the segments. Default: ``"mpeg4AppleHLS"``."""
    delivery: Delivery
    """The destination of the bytes. A file's path has a `%d`, which becomes 0 for the
    initialization segment, and the index plus 1 for the others. Default: ``"inline"``.
    """


class SegmentTrackReport(TypedDict):
    """The part of a track in a segment."""

    trackID: int
    """The track's number in the segments."""
    mediaType: MediaType
    """The media type of the track."""
    earliestPresentationTime: Time
    """The presentation time of its first sample, in the file's time."""
    duration: Time
    """The duration of its samples."""


SegmentTreatment = Literal["copied", "edgesEncoded", "encoded", "refused"]
"""The treatment of a segment of a track in a passthrough export."""


SegmentType = Literal["initialization", "separable"]
"""The kind of a segment."""


class ServerCapabilities(TypedDict):
    """The capabilities of a server, in addition to its methods."""

    deliveries: List[BlobKind]
    """The forms of `delivery` it can serve; `shm` is missing where the system has no memfd."""
    maxMessageBytes: int
    """The maximum size of a message that it reads, in bytes."""
    maxSharedMemoryBytes: int
    """The maximum size of the shared memory that it leases at a time, in bytes."""


class _SizeKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class SizeKeyState(_SizeKeyStateRequired, total=False):
    """The state of one key."""

    value: Size
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class SourceFormatHint(TypedDict, total=False):
    """The format of samples of an input without settings, which are written as they are appended.
    Exactly one of `fromOutput`, `fromAsset` with `trackID`, and `format` is required.
    """

    fromOutput: OutputHandle
    """The output of a reader without settings from which the samples come."""
    fromAsset: AssetHandle
    """The asset whose track has such samples."""
    trackID: int
    """The number of that track."""
    format: CodedFormat
    """The format itself; a `format` of a reader is one."""


class SpeedPoint(TypedDict):
    """A point of a speed ramp: the speed at a time of the source. From one point to the next the
    speed changes linearly over the time in which the source is shown, so that *s* seconds of
    the source between the speeds *a* and *b* last exactly 2 *s* / (*a* + *b*). Before the first
    point, and after the last one, it is constant. Two points at the same time are a step.
    """

    at: Time
    """The time of the source."""
    speed: Factor
    """The speed there: 2 is twice as fast."""


class SpeedPointInput(TypedDict):
    """A point of a speed ramp: the speed at a time of the source. From one point to the next the
    speed changes linearly over the time in which the source is shown, so that *s* seconds of
    the source between the speeds *a* and *b* last exactly 2 *s* / (*a* + *b*). Before the first
    point, and after the last one, it is constant. Two points at the same time are a step.
    """

    at: TimeInput
    """The time of the source."""
    speed: Factor
    """The speed there: 2 is twice as fast."""


class Spherical(TypedDict):
    """The representation of a sphere in a frame."""

    projection: str
    """The projection by FFmpeg's name, for example `equirectangular`."""
    yaw: float
    """The rotation around the vertical axis, in degrees."""
    pitch: float
    """The rotation around the horizontal axis, in degrees."""
    roll: float
    """The rotation around the line of sight, in degrees."""


class Stereo3D(TypedDict):
    """The arrangement of two views in a frame."""

    type: str
    """The arrangement by FFmpeg's name, for example `side by side`."""
    isInverted: bool
    """True if the right view comes first."""


class StorageRange(TypedDict):
    """A run of bytes of the file."""

    offset: int
    """The offset from the start of the file, in bytes; -1 when the bytes are not in one piece, or
    their position is unknown.
    """
    length: int
    """The number of bytes."""


class _SubtitleFileRequired(TypedDict):
    url: str
    """The path or `file` URL."""


class SubtitleFile(_SubtitleFileRequired, total=False):
    """Subtitles of a file, which become a track of the file that an export makes. The file is
    SubRip, WebVTT, ASS, MicroDVD or SAMI, or one with other tracks, of which one of subtitles
    is taken. MicroDVD counts frames: at the rate in its first lines (`{1}{1}25`), else at that
    of the asset's video, else at 23.976 frames a second.
    """

    trackID: int
    """The track of that file. Left out: the first one of subtitles."""
    replaces: int
    """The track of the asset that it replaces. It takes the place of that track, and its language,
    name and flags where they are left out here.
    """
    characterSet: str
    """The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. A
    byte order mark takes precedence. Left out, it is guessed, and the guess is a `characterSet`
    in `dropped`.
    """
    timeOffset: float
    """The delay of its cues in seconds; they are earlier if it is negative. Cues that would end
    before the start are left out, and `dropped` has their number. Default: ``0``.
    """
    language: str
    """The language by BCP 47, or by a code of three letters; `und` for none. Left out: the one
    that the file states.
    """
    name: str
    """The name of the track, which players show; empty for none. Left out: the one that the file
    states.
    """
    isDefault: bool
    """True for a track that is shown by default, and for no other track of subtitles."""
    isForced: bool
    """True for subtitles that are always to be shown, such as translations of dialogue in a
    foreign language.
    """
    isForHearingImpaired: bool
    """True for subtitles that describe noises as well, for people who don't hear them."""


TextAlignment = Literal[
    "topLeft",
    "top",
    "topRight",
    "left",
    "center",
    "right",
    "bottomLeft",
    "bottom",
    "bottomRight",
]
"""The place of text in a picture."""


TextFormat = Literal["plain"]
"""The format of text."""


class _TextKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TextKeyState(_TextKeyStateRequired, total=False):
    """The state of one key."""

    value: str
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class _TextLayerRequired(TypedDict):
    text: str
    """The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
    has no codes.
    """
    timeRange: TimeRange
    """The range of time in which it is shown; a duration of `"+infinity"` lasts to the end."""


class TextLayer(_TextLayerRequired, total=False):
    """A text over the frames."""

    style: TextStyle
    """The style."""
    position: PicturePosition
    """The position of the point of the text that `alignment` names. Left out: where `alignment` is
    in the picture, within the margins.
    """
    fadeIn: Time
    """The duration of its appearance. Default: ``0``."""
    fadeOut: Time
    """The duration of its disappearance. Default: ``0``."""


class _TextLayerInputRequired(TypedDict):
    text: str
    """The text, up to 10,000 characters; lines end with line feeds, and long ones are broken. It
    has no codes.
    """
    timeRange: TimeRangeInput
    """The range of time in which it is shown; a duration of `"+infinity"` lasts to the end."""


class TextLayerInput(_TextLayerInputRequired, total=False):
    """A text over the frames."""

    style: TextStyle
    """The style."""
    position: PicturePosition
    """The position of the point of the text that `alignment` names. Left out: where `alignment` is
    in the picture, within the margins.
    """
    fadeIn: TimeInput
    """The duration of its appearance. Default: ``0``."""
    fadeOut: TimeInput
    """The duration of its disappearance. Default: ``0``."""


class _TextListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TextListKeyState(_TextListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[str]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class TextOutline(TypedDict, total=False):
    """A line around letters."""

    color: List[float]
    """Red, green, blue and alpha, each from 0 to 1."""
    width: float
    """The width, in pixels of the render size; 0 for none."""


class TextShadow(TypedDict, total=False):
    """A copy of letters, below them to the right."""

    color: List[float]
    """Red, green, blue and alpha, each from 0 to 1. Left out: opaque black."""
    offset: float
    """The distance, in pixels of the render size, in both directions. Left out: 1/16 of the font's
    size.
    """


class TextStyle(TypedDict, total=False):
    """The style of text. A member that is left out has the default of texts, or the value in a
    script of subtitles.
    """

    font: Font
    """The font."""
    color: List[float]
    """Red, green, blue and alpha of the letters, each from 0 to 1. Left out: opaque white for
    texts.
    """
    outline: TextOutline
    """A line around the letters. Left out: 1/24 of the font's size in black for texts."""
    shadow: TextShadow
    """A copy of the letters behind them. Not together with `backgroundColor`."""
    backgroundColor: List[float]
    """Red, green, blue and alpha of a box behind all lines, each from 0 to 1."""
    alignment: TextAlignment
    """The place of the text in the picture; for a text with a `position`, the point of the text
    that is there. Left out: `"center"` for texts.
    """
    horizontalMargin: float
    """The distance from the left and right edges, in widths of the picture, from 0 to 0.5. Left
    out: 0.05 for texts.
    """
    verticalMargin: float
    """The distance from the top or the bottom, in heights of the picture, from 0 to 1. Left out:
    0.05 for texts.
    """


class TimeCompareResult(TypedDict):
    """The order of the two."""

    order: int
    """`-1` when `lhs` comes first, `0` when they are equal, `1` when `rhs` comes first."""


TimeControlStatus = Literal["paused", "waitingToPlayAtSpecifiedRate", "playing"]
"""The state of a player's playback: paused, waiting or playing."""


class TimeDescribeResult(TypedDict):
    """The result."""

    description: str
    """The description, for example `{1001/30000 = 0.033}`."""


TimeInput = Union[Time, float, str]
"""A time: an exact rational number of seconds, or one of four strings. The server writes
`{"value": 1001, "timescale": 30000}`, with `epoch` when that is not 0 and `rounded` when the
time was rounded on its way, or `"+infinity"`, `"-infinity"`, `"indefinite"`, `"invalid"`. It
reads any of those, a number of seconds (rounded to the nearest nanosecond), or a string:
`"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond ±(2^53−1) is written as a decimal
string. A timescale that is not positive makes the time invalid, as CMTimeMake does.
"""


class _TimeKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TimeKeyState(_TimeKeyStateRequired, total=False):
    """The state of one key."""

    value: Time
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class TimeMapping(TypedDict):
    """The mapping of a range of media time to a range of track time. The source of an empty edit,
    which presents nothing, is `"invalid"`.
    """

    source: Union[TimeRange, Literal["invalid"]]
    """The range in the media, or `"invalid"` for an empty edit."""
    target: TimeRange
    """The range in the track."""


class TimeMappingInput(TypedDict):
    """The mapping of a range of media time to a range of track time. The source of an empty edit,
    which presents nothing, is `"invalid"`.
    """

    source: Union[TimeRangeInput, Literal["invalid"]]
    """The range in the media, or `"invalid"` for an empty edit."""
    target: TimeRangeInput
    """The range in the track."""


TimeObserverCause = Literal["registered", "interval", "jump", "start", "stop", "boundary"]
"""The cause for which a time observer fires."""


class _TimeObserverDidFireRequired(TypedDict):
    timeObserver: TimeObserverHandle
    """The observer."""
    player: PlayerHandle
    """The player."""
    time: Time
    """The exact time of the multiple or boundary, else the item's time; `"invalid"` without an
    item.
    """
    hostTime: Time
    """The time of the player's clock."""
    cause: TimeObserverCause
    """The cause."""
    lateness: Time
    """The time from that moment until this notification was made; zero on a manual clock."""
    coalesced: int
    """The number of notifications of the observer that this one has replaced before they were
    written.
    """
    revision: int
    """The number of jumps of the item's time."""


class TimeObserverDidFire(_TimeObserverDidFireRequired, total=False):
    """Reports that an observer has fired."""

    playerItem: PlayerItemHandle
    """The item; absent where there is none."""
    index: int
    """The number of the boundary time in the request, from 0."""


TimeObserverHandle = NewType("TimeObserverHandle", str)
"""Names an observer of a player's time, for example `timeObserver:1`."""


class TimeRange(TypedDict):
    """A range of time: its start, and its duration. The end is excluded. Where the server reads a
    range, `"invalid"` is the invalid range.
    """

    start: Time
    """The first moment of the range."""
    duration: Time
    """The duration; not negative."""


class TimeRangeContainsResult(TypedDict):
    """The answer."""

    contains: bool
    """True if it does."""


class TimeRangeEqualResult(TypedDict):
    """The answer."""

    equal: bool
    """True if they are equal."""


class TimeRangeInput(TypedDict):
    """A range of time: its start, and its duration. The end is excluded. Where the server reads a
    range, `"invalid"` is the invalid range.
    """

    start: TimeInput
    """The first moment of the range."""
    duration: TimeInput
    """The duration; not negative."""


class _TimeRangeKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TimeRangeKeyState(_TimeRangeKeyStateRequired, total=False):
    """The state of one key."""

    value: TimeRange
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class TimeResult(TypedDict):
    """A result that is one time."""

    time: Time
    """The time."""


class TimeSecondsResult(TypedDict, total=False):
    """The seconds."""

    seconds: Seconds
    """The seconds; absent when the time is invalid or indefinite, where CMTimeGetSeconds has NaN.
    """


class _TimecodeFormatRequired(TypedDict):
    frameDuration: Time
    """The duration of a frame; `"invalid"` when unknown."""
    frameQuanta: int
    """The number of frames that count as a second, for example 30 for 29.97; 0 when unknown."""
    isDropFrame: bool
    """True if numbers are skipped so that the timecode keeps up with the clock."""
    is24HourMaximum: bool
    """True if it begins again after 24 hours."""
    areNegativeTimesAllowed: bool
    """True if it can be negative."""
    isCounter: bool
    """True if it is a plain count instead of a time."""


class TimecodeFormat(_TimecodeFormatRequired, total=False):
    """The timecode of a format description."""

    startTimecode: str
    """The first timecode, for example `01:00:00;00`."""


class TimedMetadataGroup(TypedDict):
    """Metadata of a part of an asset (AVTimedMetadataGroup)."""

    timeRange: TimeRange
    """The part."""
    items: List[MetadataItem]
    """Its items."""


class _TimelineSegmentRequired(TypedDict):
    timeMapping: TimeMapping
    """The range of the source, with the range in which it is shown. The source of an empty segment
    is `"invalid"`.
    """


class TimelineSegment(_TimelineSegmentRequired, total=False):
    """A part of a track of a timeline: a range of a track of a source, or empty."""

    source: str
    """The name of the source; absent in an empty segment."""
    trackID: int
    """The track of the source; absent in an empty segment."""
    playback: SegmentPlayback
    """The playback of the range of the source. Default: ``"forward"``."""
    speedRamp: List[SpeedPoint]
    """The course of the speed over the source range, in ascending order and with speeds above 0,
    in times of the source; of video and audio. The duration of the target scales all speeds
    alike. Left out: a constant speed.
    """


class _TimelineSegmentInputRequired(TypedDict):
    timeMapping: TimeMappingInput
    """The range of the source, with the range in which it is shown. The source of an empty segment
    is `"invalid"`.
    """


class TimelineSegmentInput(_TimelineSegmentInputRequired, total=False):
    """A part of a track of a timeline: a range of a track of a source, or empty."""

    source: str
    """The name of the source; absent in an empty segment."""
    trackID: int
    """The track of the source; absent in an empty segment."""
    playback: SegmentPlayback
    """The playback of the range of the source. Default: ``"forward"``."""
    speedRamp: List[SpeedPointInput]
    """The course of the speed over the source range, in ascending order and with speeds above 0,
    in times of the source; of video and audio. The duration of the target scales all speeds
    alike. Left out: a constant speed.
    """


class TimelineSource(TypedDict, total=False):
    """A source of the segments of a timeline: a file or an asset."""

    url: str
    """The path or `file` URL of a file."""
    asset: AssetHandle
    """An asset, in place of a file."""
    imageSequence: ImageSequence
    """Numbered images for which the `url` stands."""
    still: bool
    """True if it is one image, which segments show for the duration of their target. Default:
    ``false``.
    """


class _TimelineTrackRequired(TypedDict):
    trackID: int
    """The track's number, unique within the timeline."""
    mediaType: MediaType
    """The kind of its media."""
    segments: List[TimelineSegment]
    """The segments, one after the other from zero on."""


class TimelineTrack(_TimelineTrackRequired, total=False):
    """A track of a timeline."""

    isEnabled: bool
    """True if it is presented by default. Default: ``true``."""
    naturalTimeScale: int
    """The timescale of its times. Left out: that of the first segment that isn't empty."""
    languageCode: str
    """The language by ISO 639-2/T, `und` for none; with neither it nor a tag that of the track's
    first part.
    """
    extendedLanguageTag: str
    """The language by BCP 47."""
    preferredTransform: Transform
    """The transform of its frames, in addition to the sources' own rotations. Left out: identity.
    """
    preferredVolume: float
    """The volume that it is played with. Default: ``1``."""


class _TimelineTrackInputRequired(TypedDict):
    trackID: int
    """The track's number, unique within the timeline."""
    mediaType: MediaType
    """The kind of its media."""
    segments: List[TimelineSegmentInput]
    """The segments, one after the other from zero on."""


class TimelineTrackInput(_TimelineTrackInputRequired, total=False):
    """A track of a timeline."""

    isEnabled: bool
    """True if it is presented by default. Default: ``true``."""
    naturalTimeScale: int
    """The timescale of its times. Left out: that of the first segment that isn't empty."""
    languageCode: str
    """The language by ISO 639-2/T, `und` for none; with neither it nor a tag that of the track's
    first part.
    """
    extendedLanguageTag: str
    """The language by BCP 47."""
    preferredTransform: Transform
    """The transform of its frames, in addition to the sources' own rotations. Left out: identity.
    """
    preferredVolume: float
    """The volume that it is played with. Default: ``1``."""


class _TrackRequired(TypedDict):
    trackID: int
    """The track's number, unique within the asset."""
    mediaType: MediaType
    """The kind of its media."""
    mediaCharacteristics: List[MediaCharacteristic]
    """The traits of its media."""
    isEnabled: bool
    """True for a track that is presented by default."""
    isDecodable: bool
    """True for a track that this build can decode."""


class Track(_TrackRequired, total=False):
    """A track, as its asset lists it."""

    mediaSubType: str
    """The format as a four-character code, for example `avc1`; absent when it has none."""
    languageCode: str
    """The language by ISO 639-2/T."""
    extendedLanguageTag: str
    """The language by BCP 47."""
    naturalSize: Size
    """The size in pixels, before `preferredTransform`; only for visual media."""


class TrackAssociatedTracksResult(TypedDict):
    """The tracks."""

    tracks: List[Track]
    """The tracks; empty when there are none."""


TrackAssociationType = Literal[
    "audioFallback",
    "forcedSubtitlesOnly",
    "selectionFollower",
    "timecode",
    "metadataReferent",
]
"""The relation of another track to a track (AVAssetTrack's association types)."""


class _TrackAssociationTypeListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TrackAssociationTypeListKeyState(_TrackAssociationTypeListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[TrackAssociationType]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class TrackDidLoadValues(TypedDict):
    """Reports that the keys of `track/loadValues` are loaded, failed or cancelled."""

    operation: OperationHandle
    """The operation that has ended."""
    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    values: TrackValues
    """The state of each requested key."""


class TrackGroup(TypedDict):
    """Tracks that are alternatives, of which one at a time is presented (AVAssetTrackGroup)."""

    trackIDs: List[int]
    """The tracks, in the order of the container."""


class _TrackGroupListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TrackGroupListKeyState(_TrackGroupListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[TrackGroup]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


TrackKey = Literal[
    "mediaType",
    "formatDescriptions",
    "mediaCharacteristics",
    "timeRange",
    "naturalTimeScale",
    "estimatedDataRate",
    "totalSampleDataLength",
    "languageCode",
    "extendedLanguageTag",
    "naturalSize",
    "preferredTransform",
    "preferredVolume",
    "nominalFrameRate",
    "minFrameDuration",
    "requiresFrameReordering",
    "hasAudioSampleDependencies",
    "isEnabled",
    "isPlayable",
    "isDecodable",
    "isSelfContained",
    "segments",
    "commonMetadata",
    "metadata",
    "availableMetadataFormats",
    "availableTrackAssociationTypes",
    "canProvideSampleCursors",
]
"""A property of a track that is loaded on demand."""


class TrackLanguages(TypedDict):
    """The languages of the audio and the subtitles that an export includes."""

    languages: List[str]
    """Languages by BCP 47, for example `de` or `en-US`, or by codes of three letters. Audio and
    subtitles without a language are left out. If there is audio, at least some of it has to be
    in one of them.
    """


class _TrackListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TrackListKeyState(_TrackListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[Track]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class TrackRule(TypedDict, total=False):
    """The properties of a track, all of which it has to have."""

    trackID: int
    """Its number."""
    mediaType: MediaType
    """Its kind."""
    mediaCharacteristics: List[MediaCharacteristic]
    """All characteristics that it has to have, for example `legible` for subtitles of any kind,
    and `isAuxiliaryContent` for a commentary.
    """
    language: str
    """Its language by BCP 47, for example `de`, or by a code of three letters; `und` for none."""
    codec: str
    """FFmpeg's name of its codec, or the beginning of it before a `_`: `pcm` is every `pcm_…`."""


class TrackRules(TypedDict, total=False):
    """Rules for a selection of tracks: those that one of `include` fits, and none of `exclude`."""

    include: List[TrackRule]
    """A track is selected if one of them fits it; each rule has to fit a track. Left out: all are
    selected.
    """
    exclude: List[TrackRule]
    """A track is left out if one of them fits it."""
    languages: List[str]
    """Of audio and subtitles, those in one of these languages; see `TrackLanguages`."""


class TrackSamplePresentationTimeResult(TypedDict):
    """The time."""

    time: Time
    """The time on the media's clock; `"invalid"` where nothing of the media is presented."""


class TrackSegment(TypedDict):
    """A part of a track's edit list (AVAssetTrackSegment)."""

    timeMapping: TimeMapping
    """The part of the media that is presented (`source`, on the media's clock), and its time
    (`target`, on the track's clock); of an empty segment the source is `"invalid"`.
    """
    isEmpty: bool
    """True if nothing is presented."""


class _TrackSegmentListKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TrackSegmentListKeyState(_TrackSegmentListKeyStateRequired, total=False):
    """The state of one key."""

    value: List[TrackSegment]
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


class TrackSegmentResult(TypedDict, total=False):
    """The segment."""

    segment: TrackSegment
    """The segment; absent when the track has none."""


TrackSelection = Union[List[int], TrackLanguages, TrackRules]
"""A selection of tracks: those with these numbers, those in these languages, or those that rules
fit.
"""


TrackTreatment = Literal["copied", "encoded", "mixed", "converted", "dropped"]
"""The treatment of a track."""


class TrackValueStatusResult(TypedDict):
    """The states."""

    values: TrackValues
    """The state of each requested key."""


class TrackValues(TypedDict, total=False):
    """The state of each requested key of a track; the others are absent."""

    mediaType: MediaTypeKeyState
    """The kind of its media."""
    formatDescriptions: FormatDescriptionListKeyState
    """Its format descriptions; more than one when the format changes within the track."""
    mediaCharacteristics: MediaCharacteristicListKeyState
    """The characteristics of its media."""
    timeRange: TimeRangeKeyState
    """Its range in the asset; a start after zero means that it begins later."""
    naturalTimeScale: IntegerKeyState
    """The timescale of its media."""
    estimatedDataRate: NumberKeyState
    """The data rate in bits a second."""
    totalSampleDataLength: IntegerKeyState
    """The number of bytes of all its samples."""
    languageCode: TextKeyState
    """The language by ISO 639-2/T; loaded without value when unknown."""
    extendedLanguageTag: TextKeyState
    """The language by BCP 47; loaded without value when unknown."""
    naturalSize: SizeKeyState
    """The size of its video in pixels, before `preferredTransform`; zero when not visual."""
    preferredTransform: TransformKeyState
    """The transform to apply before display."""
    preferredVolume: NumberKeyState
    """The preferred volume, 0 to 1."""
    nominalFrameRate: NumberKeyState
    """The average number of frames a second; 0 when it has no frames."""
    minFrameDuration: TimeKeyState
    """The duration of its shortest frame; `"invalid"` when unknown."""
    requiresFrameReordering: BooleanKeyState
    """True if decode order and presentation order differ."""
    hasAudioSampleDependencies: BooleanKeyState
    """True if audio samples need others to be decoded."""
    isEnabled: BooleanKeyState
    """True if it is presented by default."""
    isPlayable: BooleanKeyState
    """True if it can be played."""
    isDecodable: BooleanKeyState
    """True if this build can decode it."""
    isSelfContained: BooleanKeyState
    """True if its samples are in the asset's own file."""
    segments: TrackSegmentListKeyState
    """The edit list: the parts of the media and the times at which they are presented. Without one
    in the file, one segment that presents all of it, after an empty one if the track begins
    later than the asset.
    """
    commonMetadata: MetadataItemListKeyState
    """The metadata that has a common key."""
    metadata: MetadataItemListKeyState
    """All its metadata, in the order of the container."""
    availableMetadataFormats: TextListKeyState
    """The formats of its metadata, by AVFoundation's names."""
    availableTrackAssociationTypes: TrackAssociationTypeListKeyState
    """The relations that other tracks have to it (`track/associatedTracks`)."""
    canProvideSampleCursors: BooleanKeyState
    """True if sample cursors can be made on it: for every track."""


class _TransferPairInputRequired(TypedDict):
    output: OutputHandle
    """The output."""
    input: InputHandle
    """The input."""


class TransferPairInput(_TransferPairInputRequired, total=False):
    """An output of a reader, and the input that its samples go into."""

    timeOffset: TimeInput
    """The time that is added to those of the samples. Default: ``0``."""
    until: TimeInput
    """The time at which to stop, on the output's clock: before the first sample that is presented
    then or later.
    """
    marksAsFinished: bool
    """True marks the input as finished at the end of the output. Default: ``true``."""


class _TransferredRequired(TypedDict):
    input: InputHandle
    """The input."""
    sampleBuffers: int
    """The number of sample buffers that it accepted."""
    endOfStream: bool
    """True when the output was read to its end."""


class Transferred(_TransferredRequired, total=False):
    """The samples that were transferred to an input."""

    lastTime: Time
    """The presentation time of the last of them, on the clock of the input; absent without any."""


Transform = List[float]
"""An affine transform as six numbers, `[a, b, c, d, tx, ty]`. A point becomes `(a·x + c·y + tx,
b·x + d·y + ty)`, with y downwards.
"""


class _TransformKeyStateRequired(TypedDict):
    status: KeyStatus
    """The state of its loading."""


class TransformKeyState(_TransformKeyStateRequired, total=False):
    """The state of one key."""

    value: Transform
    """The value when it is loaded; absent for a key that is loaded and has none."""
    error: ErrorObject
    """The reason for its failure."""


TransformRampInput = TypedDict(
    "TransformRampInput",
    {
        "at": "TimeInput",
        "value": "Transform",
        "from": "Transform",
        "to": "Transform",
        "timeRange": "TimeRangeInput",
    }, total=False,
)


TransitionDirection = Literal["left", "right", "up", "down"]
"""The directions that transitions move to."""


class TransitionInput(TypedDict, total=False):
    """The transition from a clip to the next one."""

    kind: TransitionKind
    """The kind of the transition. Default: ``"dissolve"``."""
    duration: TimeInput
    """The duration for which the clips overlap; required except for `"none"`."""
    direction: TransitionDirection
    """The direction of a wipe, a slide or a push; for no other kind. Left out: to the left."""
    color: List[float]
    """Red, green, blue and alpha, each from 0 to 1, of the colour of a dip; for no other kind.
    Left out: opaque black.
    """


TransitionKind = Literal["dissolve", "wipe", "slide", "push", "dip", "none"]
"""The kinds of transitions between clips. Audio is cross-faded in each of them."""


TrimMode = Literal["editList", "keyframe", "smart"]
"""The way in which a passthrough export cuts, where not every sample can be the first or the last.
"""


class UnavailableDevices(TypedDict):
    """A kind of devices that can't be listed."""

    transport: DeviceTransport
    """The interface to them."""
    reason: str
    """The reason, in a sentence."""


class _VideoCompositionRequired(TypedDict):
    frameDuration: Time
    """The interval between two composed frames."""
    renderSize: Size
    """The size of composed frames, in pixels: sides of 1 to 16384."""
    instructions: List[VideoCompositionInstruction]
    """The instructions, each for a range of time: in ascending order, without gaps."""


class VideoComposition(_VideoCompositionRequired, total=False):
    """The composition of an asset's video tracks into one sequence of frames."""

    sourceTrackIDForFrameTiming: int
    """The track whose frame times the composed frames have. Left out, the times are multiples of
    `frameDuration`.
    """
    renderScale: float
    """The factor by which sizes are multiplied in previews. Default: ``1``."""
    colorProperties: ColorProperties
    """The colours that composed frames are made in and tagged with. Left out: those of the
    sources.
    """
    compositorPixelFormat: str
    """The pixel format of frames that a compositor of the client's own receives and draws: one of
    the `pixelFormats` of `engine/capabilities`. Default: ``"rgb24"``.
    """
    compositorTimeoutMs: int
    """The maximum time that a compositor of the client's own may need for a frame, in
    milliseconds, from its last answer on if several are outstanding; then the work that needs
    the frame fails with `videoCompositorFailed`. Default: ``10000``.
    """
    subtitles: List[BurntSubtitles]
    """Subtitles over the frames; of several, the last is on top. Not where the client draws."""
    textLayers: List[TextLayer]
    """Texts over the frames and the subtitles; the last is on top. Not where the client draws."""


class VideoCompositionComposeFrame(TypedDict):
    """Requests a composed frame of an instruction whose `compositor` is `client`, to be answered
    with `videoComposition/finishFrame`. The client draws into `target`. Several are outstanding
    at a time, in the order of the frames; they may be answered in any order. If the work that
    needs them is cancelled, no more are sent, and an answer only releases the memory.
    """

    owner: AnyHandle
    """The image generator, the reader or the export session that needs the frame."""
    request: int
    """The number of the request, which its answer has as well; never used twice."""
    compositionTime: Time
    """The time at which the composed frame is shown."""
    instruction: VideoCompositionInstruction
    """The instruction for that time."""
    sources: List[CompositionSource]
    """The frames of the tracks of its layers at that time; the first is on top."""
    target: CompositionPicture
    """The frame to draw; its previous contents are undefined."""


class _VideoCompositionInputRequired(TypedDict):
    frameDuration: TimeInput
    """The interval between two composed frames."""
    renderSize: Size
    """The size of composed frames, in pixels: sides of 1 to 16384."""
    instructions: List[VideoCompositionInstructionInput]
    """The instructions, each for a range of time: in ascending order, without gaps."""


class VideoCompositionInput(_VideoCompositionInputRequired, total=False):
    """The composition of an asset's video tracks into one sequence of frames."""

    sourceTrackIDForFrameTiming: int
    """The track whose frame times the composed frames have. Left out, the times are multiples of
    `frameDuration`.
    """
    renderScale: float
    """The factor by which sizes are multiplied in previews. Default: ``1``."""
    colorProperties: ColorProperties
    """The colours that composed frames are made in and tagged with. Left out: those of the
    sources.
    """
    compositorPixelFormat: str
    """The pixel format of frames that a compositor of the client's own receives and draws: one of
    the `pixelFormats` of `engine/capabilities`. Default: ``"rgb24"``.
    """
    compositorTimeoutMs: int
    """The maximum time that a compositor of the client's own may need for a frame, in
    milliseconds, from its last answer on if several are outstanding; then the work that needs
    the frame fails with `videoCompositorFailed`. Default: ``10000``.
    """
    subtitles: List[BurntSubtitles]
    """Subtitles over the frames; of several, the last is on top. Not where the client draws."""
    textLayers: List[TextLayerInput]
    """Texts over the frames and the subtitles; the last is on top. Not where the client draws."""


class _VideoCompositionInstructionRequired(TypedDict):
    timeRange: TimeRange
    """The range of time."""
    layerInstructions: List[VideoCompositionLayerInstruction]
    """The tracks that are shown; the first is on top."""


class VideoCompositionInstruction(_VideoCompositionInstructionRequired, total=False):
    """The contents of composed frames during one range of time."""

    backgroundColor: List[float]
    """The colour where no layer covers the frame: red, green, blue and alpha, each from 0 to 1.
    Left out: opaque black.
    """
    compositor: Compositor
    """The compositor that draws the frames. Default: ``"engine"``."""


class _VideoCompositionInstructionInputRequired(TypedDict):
    timeRange: TimeRangeInput
    """The range of time."""
    layerInstructions: List[VideoCompositionLayerInstructionInput]
    """The tracks that are shown; the first is on top."""


class VideoCompositionInstructionInput(_VideoCompositionInstructionInputRequired, total=False):
    """The contents of composed frames during one range of time."""

    backgroundColor: List[float]
    """The colour where no layer covers the frame: red, green, blue and alpha, each from 0 to 1.
    Left out: opaque black.
    """
    compositor: Compositor
    """The compositor that draws the frames. Default: ``"engine"``."""


class _VideoCompositionLayerInstructionRequired(TypedDict):
    trackID: int
    """The track."""


class VideoCompositionLayerInstruction(_VideoCompositionLayerInstructionRequired, total=False):
    """The position and appearance of one track in composed frames. A frame is cropped, fitted,
    transformed and made transparent, in this order. The origin is the top left.
    """

    transform: List[TransformRamp]
    """The transform over time; each number of a ramp is interpolated separately. Left out:
    identity throughout.
    """
    opacity: List[NumberRamp]
    """The opacity over time, from 0 to 1. Left out: 1 throughout."""
    cropRectangle: List[RectangleRamp]
    """The part of the frame that is shown over time, in square pixels. Left out: all of it."""
    fit: Fit
    """The fit of a frame into the render size, before it is transformed. Default: ``"none"``."""


class _VideoCompositionLayerInstructionInputRequired(TypedDict):
    trackID: int
    """The track."""


class VideoCompositionLayerInstructionInput(_VideoCompositionLayerInstructionInputRequired, total=False):
    """The position and appearance of one track in composed frames. A frame is cropped, fitted,
    transformed and made transparent, in this order. The origin is the top left.
    """

    transform: List[TransformRampInput]
    """The transform over time; each number of a ramp is interpolated separately. Left out:
    identity throughout.
    """
    opacity: List[NumberRampInput]
    """The opacity over time, from 0 to 1. Left out: 1 throughout."""
    cropRectangle: List[RectangleRampInput]
    """The part of the frame that is shown over time, in square pixels. Left out: all of it."""
    fit: Fit
    """The fit of a frame into the render size, before it is transformed. Default: ``"none"``."""


class _VideoCompositionProblemRequired(TypedDict):
    kind: VideoCompositionProblemKind
    """The kind of problem."""
    message: str
    """The position of the problem, with the expected and the actual value."""


class VideoCompositionProblem(_VideoCompositionProblemRequired, total=False):
    """A problem of a video composition."""

    key: str
    """The member that has the invalid value."""
    timeRange: TimeRange
    """The time without an instruction, or the range of the instruction."""
    instruction: int
    """The number of the instruction, from 0 on; absent for the whole."""
    layerInstruction: int
    """The number of the layer in the instruction, from 0 on."""
    trackID: int
    """The track that isn't there."""


VideoCompositionProblemKind = Literal[
    "invalidValueForKey",
    "emptyTimeRange",
    "invalidTimeRangeInInstruction",
    "invalidTrackIDInInstruction",
]
"""The kinds of problems of a video composition."""


class VideoCompositionRampResult(TypedDict, total=False):
    """The ramp."""

    ramp: LayerRamp
    """The ramp; absent after the last one."""


VideoCompositionSettingInput = Union[VideoCompositionInput, None]
"""A video composition, or `null` for none, even if the asset has one of its own."""


class VideoCompositionValidateResult(TypedDict):
    """The problems."""

    isValid: bool
    """True if there are none."""
    problems: List[VideoCompositionProblem]
    """The problems, in the order of the members."""


class VideoCompositionWithPropertiesOfResult(TypedDict):
    """The video composition."""

    videoComposition: VideoComposition
    """The video composition."""


class _VideoFormatRequired(TypedDict):
    dimensions: Size
    """The encoded size, in pixels."""
    presentationDimensions: Size
    """The size in square pixels, after clean aperture and pixel aspect ratio: the width is
    stretched, never the height, and both are rounded, half away from zero.
    """
    color: Color
    """The colour, as far as it is known."""


class VideoFormat(_VideoFormatRequired, total=False):
    """The video properties of a format description."""

    pixelAspectRatio: PixelAspectRatio
    """The shape of a pixel; absent when it is square."""
    cleanAperture: CleanAperture
    """The part to be displayed, in encoded pixels; absent if it is the whole frame."""
    fieldCount: int
    """1 when progressive, 2 when interlaced."""
    fieldDetail: FieldDetail
    """The order of the fields, by Core Media's names for the numbers of QuickTime's `fiel`."""
    fieldOrder: FieldOrder
    """The order of the fields, by FFmpeg's names: that of storage and that of display."""
    bitsPerComponent: int
    """The bits of one component, for example 10."""
    depth: int
    """The bits of a pixel as stated by the container; 32 often means that it has alpha."""
    pixelFormat: str
    """The pixel format by FFmpeg's name, for example `yuv420p10le`."""
    gammaLevel: float
    """The exponent of a transfer function that is a plain power, for example 2.2."""
    chromaLocation: str
    """The position of the chroma samples, by FFmpeg's name, for example `left`."""
    containsAlphaChannel: bool
    """True if it has transparency; absent for formats with a palette, which may or may not."""
    alphaChannelMode: AlphaChannelMode
    """The relation between colours and transparency."""
    masteringDisplayColorVolume: MasteringDisplayColorVolume
    """The mastering display."""
    contentLightLevel: ContentLightLevel
    """The light levels of the brightest pixel and the brightest frame."""
    ambientViewingEnvironment: AmbientViewingEnvironment
    """The ambient light that the video was graded for."""
    dolbyVision: DolbyVision
    """Dolby Vision."""
    iccProfile: str
    """The ICC profile, when the container has one of at most 1 MiB."""
    stereo3D: Stereo3D
    """The arrangement of two views in a frame."""
    spherical: Spherical
    """The representation of a sphere in a frame."""
    nalUnitHeaderLength: int
    """The number of bytes of the length before each NAL unit of a sample; absent for other
    formats, and where start codes separate the units.
    """
    parameterSets: List[str]
    """The parameter sets of H.264 and HEVC, without lengths and start codes."""


VideoJoin = Literal["refuse", "inBand"]
"""The treatment of video whose parameter sets differ and have the same numbers."""


class _VideoOutputCopyPixelBufferResultRequired(TypedDict):
    itemTime: Time
    """The item's time that the request is for."""
    isNew: bool
    """True if this output hasn't delivered the frame at that time before."""
    skipped: int
    """The number of frames between the last one that was delivered and this one, which weren't
    delivered.
    """
    revision: int
    """The number of jumps of the item's time."""


class VideoOutputCopyPixelBufferResult(_VideoOutputCopyPixelBufferResultRequired, total=False):
    """The frame."""

    image: ImageLayout
    """The layout of pixels in the bytes; absent if these are an image file."""
    blob: Blob
    """The bytes."""
    itemTimeForDisplay: Time
    """The time at which the frame begins, on the item's timeline."""
    duration: Time
    """The duration for which it is shown."""
    sampleIndex: int
    """The number of the frame, from 0, in presentation order; absent where frames have none."""
    reason: NoPictureReason
    """The reason for which there is none."""


class VideoOutputCreateResult(TypedDict):
    """The output."""

    videoOutput: VideoOutputHandle
    """The output's handle."""


VideoOutputDelivery = Literal["shm", "inline"]
"""The destination of the bytes of an output's frames."""


class _VideoOutputDidOutputRequired(TypedDict):
    videoOutput: VideoOutputHandle
    """The output."""
    image: ImageLayout
    """The layout of pixels in the bytes."""
    blob: Blob
    """The bytes."""
    itemTimeForDisplay: Time
    """The time at which the frame begins, on the item's timeline."""
    duration: Time
    """The duration for which it is shown."""
    hostTime: Time
    """The time of the player's clock."""
    revision: int
    """The number of jumps of the item's time."""
    dropped: DroppedPictures
    """The numbers of frames that have been dropped so far."""


class VideoOutputDidOutput(_VideoOutputDidOutputRequired, total=False):
    """Delivers a frame of a `push` output that is due."""

    sampleIndex: int
    """The number of the frame, from 0, in presentation order; absent where frames have none."""


class VideoOutputDidStartSequence(TypedDict):
    """Reports that frames of another revision or direction follow: those that were delivered
    before are obsolete.
    """

    videoOutput: VideoOutputHandle
    """The output."""
    revision: int
    """The number of jumps of the item's time."""


VideoOutputHandle = NewType("VideoOutputHandle", str)
"""Names an output of an item's frames, for example `videoOutput:1`."""


class VideoOutputHasNewPixelBufferResult(TypedDict):
    """The answer."""

    hasNew: bool
    """True if there is one."""
    itemTime: Time
    """The item's time to which the answer applies."""


class VideoOutputItemTimeResult(TypedDict):
    """The time."""

    itemTime: Time
    """The item's time."""


class VideoOutputMediaDataWillChange(TypedDict):
    """Reports that there will be a frame, as `videoOutput/requestNotificationOfMediaDataChange`
    requested.
    """

    videoOutput: VideoOutputHandle
    """The output."""
    revision: int
    """The number of jumps of the item's time."""


VideoOutputMode = Literal["pull", "push"]
"""The way in which frames of a video output reach the client."""


VideoTreatment = Union[VideoEncoding, None]
"""The encoding of video, or `null` to leave it out."""


WaitingReason = Literal["noItemToPlay", "toMinimizeStalls"]
"""The reason for which a player waits."""


WaitingReasonChange = Union[WaitingReason, None]
"""The reason for which a player waits now, or `null` where it doesn't wait any more."""


class WaveformChannel(TypedDict):
    """One channel of a waveform, a number for each part."""

    min: List[float]
    """The smallest sample."""
    max: List[float]
    """The largest sample."""
    rms: List[float]
    """The root of the mean square of the samples."""


class _WaveformDidFinishRequired(TypedDict):
    operation: OperationHandle
    """The operation that has ended."""
    asset: AssetHandle
    """The asset."""
    result: Outcome
    """The outcome."""


class WaveformDidFinish(_WaveformDidFinishRequired, total=False):
    """Reports the end of a waveform, with its result. The members about the waveform are present
    if it succeeded.
    """

    trackID: int
    """The audio track; absent when several were mixed."""
    timeRange: TimeRange
    """The range that the parts divide."""
    sampleRate: int
    """The sample rate in hertz."""
    channels: List[WaveformChannel]
    """The channels; absent when the waveform was drawn and `count` was absent."""
    image: Image
    """The image, if the waveform was drawn."""
    dropped: List[Dropped]
    """The samples that could not be decoded and count as 0, as `damagedSamples`; absent when
    nothing is missing.
    """
    error: ErrorObject
    """The reason for its failure or cancellation."""


class WaveformDidProgress(TypedDict):
    """Reports the progress of a waveform, at most once per percent."""

    operation: OperationHandle
    """The operation."""
    asset: AssetHandle
    """The asset."""
    progress: float
    """The part of the range that is decoded, from 0 to 1; it never decreases."""


class WriterAssociation(TypedDict):
    """The role of another track for a track (AVAssetWriterInput.addTrackAssociation)."""

    associationType: TrackAssociationType
    """The way in which the other track belongs to it."""
    input: int
    """The index in `inputs` of the input whose track has the other one."""
    associatedInput: int
    """The index in `inputs` of the input of the other track."""


class _WriterInputRequired(TypedDict):
    mediaType: MediaType
    """The media type of its samples: `video`, `audio`, `text` or `subtitle`; without settings any.
    """


class WriterInput(_WriterInputRequired, total=False):
    """An input of a writer, which becomes a track of the file."""

    outputSettings: OutputSettings
    """The format that its samples are encoded to; absent or `null` for samples that are written as
    they are stored. `{}` stands for the default of the file's type. The track's size is that of
    the settings, or of the first frame; frames of other sizes are scaled to it.
    """
    sourceFormatHint: SourceFormatHint
    """The format of its samples, without settings."""
    sourcePixelBufferAttributes: PixelBufferAttributes
    """The format of the frames for which `assetWriter/allocate` allocates memory, and of appended
    bytes that state no `image`; only with settings for video.
    """
    mediaTimeScale: int
    """The ticks per second of the track's times; not for audio, which uses the sample rate. When
    absent, it is one in which the times of the first samples are whole numbers.
    """
    transform: Transform
    """The rotation with which frames are shown, in whole quarter turns."""
    extendedLanguageTag: str
    """The language by BCP 47."""
    marksOutputTrackAsEnabled: bool
    """True for a track that is played by default; of tracks that exclude each other, one should
    be. Default: ``true``.
    """
    expectsMediaDataInRealTime: bool
    """True for samples that are appended as they are recorded: 64 MiB of them may then wait,
    instead of 16. Default: ``false``.
    """


WriterStatus = Literal["unknown", "writing", "completed", "failed", "cancelled"]
"""The status of a writer."""


Zoom = TypedDict(
    "Zoom",
    {
        "from": "Rectangle",
        "to": "Rectangle",
    },
)


class InitializeParams(TypedDict, total=False):
    """The params of ``initialize``."""

    processId: int
    """The client's process id, to be watched."""
    protocolVersion: str
    """The version of the protocol that the client speaks, for example `1.0`. One whose first
    number isn't this program's is refused with `unsupportedProtocolVersion`.
    """
    clientInfo: ProgramInfo
    """The name and version of the client, for the log."""
    capabilities: ClientCapabilities
    """The capabilities of the client; none is used yet."""


class ShutdownParams(TypedDict, total=False):
    """The params of ``shutdown``."""


class RpcDiscoverParams(TypedDict, total=False):
    """The params of ``rpc.discover``."""


class EngineCapabilitiesParams(TypedDict, total=False):
    """The params of ``engine/capabilities``."""


class EngineStatsParams(TypedDict, total=False):
    """The params of ``engine/stats``."""


class EngineHostTimeParams(TypedDict, total=False):
    """The params of ``engine/hostTime``."""


class EngineSetLogLevelParams(TypedDict):
    """The params of ``engine/setLogLevel``."""

    level: LogLevel
    """The least important level to be sent."""


class HandleListParams(TypedDict, total=False):
    """The params of ``handle/list``."""


class HandleCloseParams(TypedDict):
    """The params of ``handle/close``."""

    handle: AnyHandle
    """The handle, of any kind."""


class AssetOpenParams(TypedDict, total=False):
    """The params of ``asset/open``."""

    url: str
    """A path, absolute or from the server's working folder, or a `file:` URL; if there is no
    `resource` and no `item`.
    """
    resource: Resource
    """Bytes that the client supplies; if there is no `url` and no `item`."""
    library: LibraryHandle
    """The library of `item`."""
    item: str
    """The identifier of an item of a library, whose file is opened; if there is no `url` and no
    `resource`.
    """
    options: AssetOptions
    """The options with which it is opened."""


class _AssetLoadValuesParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""
    keys: List[AssetKey]
    """The keys, at least one."""


class AssetLoadValuesParams(_AssetLoadValuesParamsRequired, total=False):
    """The params of ``asset/loadValues``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class AssetValueStatusParams(TypedDict):
    """The params of ``asset/valueStatus``."""

    asset: AssetHandle
    """The asset."""
    keys: List[AssetKey]
    """The keys."""


class AssetCancelLoadingParams(TypedDict):
    """The params of ``asset/cancelLoading``."""

    asset: AssetHandle
    """The asset."""


class _AssetTracksParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class AssetTracksParams(_AssetTracksParamsRequired, total=False):
    """The params of ``asset/tracks``."""

    trackID: int
    """Only the track with this number."""
    mediaType: MediaType
    """Only tracks of this media type."""
    mediaCharacteristic: MediaCharacteristic
    """Only tracks with this characteristic."""
    selection: TrackSelection
    """Only tracks that this selects; a rule that fits none is no error here."""


class AssetFindUnusedTrackIDParams(TypedDict):
    """The params of ``asset/findUnusedTrackID``."""

    asset: AssetHandle
    """The asset."""


class _AssetMetadataParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class AssetMetadataParams(_AssetMetadataParamsRequired, total=False):
    """The params of ``asset/metadata``."""

    trackID: int
    """The track; absent for the asset's own metadata."""
    format: str
    """Only items of this format, one of `availableMetadataFormats`."""
    identifier: str
    """Only items with this identifier, for example `itsk/©nam`."""
    key: str
    """Only items with this key."""
    keySpace: str
    """Only items of this key space."""
    commonKey: str
    """Only items with this common key, for example `artwork`."""
    preferredLanguages: List[str]
    """Only items in one of these languages (BCP 47), the most preferred first."""
    forSharing: bool
    """True to leave out items that reveal the place of recording, or the people who made, bought
    or filmed the asset. Default: ``false``.
    """
    delivery: Delivery
    """The delivery of the bytes of data; with files, `%d` counts the items with data. Default:
    ``"inline"``.
    """


class _AssetChapterMetadataGroupsParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class AssetChapterMetadataGroupsParams(_AssetChapterMetadataGroupsParamsRequired, total=False):
    """The params of ``asset/chapterMetadataGroups``."""

    titleLocale: str
    """Only with titles in this language, one of `availableChapterLocales`."""
    bestMatchingPreferredLanguages: List[str]
    """The languages of titles (BCP 47): the first that is available is used, else the file's
    first.
    """
    containingItemsWithCommonKeys: List[str]
    """Further items of the chapters: only `artwork` is possible."""
    delivery: Delivery
    """The delivery of the bytes of artwork; with files, `%d` counts the images. Default:
    ``"inline"``.
    """


class _AssetMediaSelectionGroupParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""
    mediaCharacteristic: MediaCharacteristic
    """The characteristic: `audible`, `legible` or `visual`."""


class AssetMediaSelectionGroupParams(_AssetMediaSelectionGroupParamsRequired, total=False):
    """The params of ``asset/mediaSelectionGroup``."""

    playable: bool
    """True to return only options that this build can decode. Default: ``false``."""
    withMediaCharacteristics: List[MediaCharacteristic]
    """Only options with all of these characteristics."""
    withoutMediaCharacteristics: List[MediaCharacteristic]
    """Only options with none of these characteristics."""
    preferredLanguages: List[str]
    """Only options in one of these languages (BCP 47), in the order of the languages."""


class ResourceAllocateParams(TypedDict):
    """The params of ``resource/allocate``."""

    resource: ResourceHandle
    """The resource."""
    size: int
    """The number of bytes: 65536 to 67108864; 8388608 is enough for all reads that are made ahead.
    """


class _TrackLoadValuesParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    keys: List[TrackKey]
    """The keys, at least one."""


class TrackLoadValuesParams(_TrackLoadValuesParamsRequired, total=False):
    """The params of ``track/loadValues``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class TrackValueStatusParams(TypedDict):
    """The params of ``track/valueStatus``."""

    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    keys: List[TrackKey]
    """The keys."""


class TrackSegmentParams(TypedDict):
    """The params of ``track/segment``."""

    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    trackTime: TimeInput
    """A time of the track."""


class TrackSamplePresentationTimeParams(TypedDict):
    """The params of ``track/samplePresentationTime``."""

    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    trackTime: TimeInput
    """A time of the track."""


class TrackAssociatedTracksParams(TypedDict):
    """The params of ``track/associatedTracks``."""

    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    associationType: TrackAssociationType
    """The relation of the tracks to it."""


class CompositionCreateParams(TypedDict, total=False):
    """The params of ``composition/create``."""

    naturalSize: Size
    """The size in which frames are shown; left out, that of the timeline, or of the first frame as
    it is shown.
    """
    timeline: CompositionTimelineInput
    """The contents, as `composition/timeline` returns them."""


class _CompositionAssembleParamsRequired(TypedDict):
    sequence: ClipSequenceInput
    """The sequence."""


class CompositionAssembleParams(_CompositionAssembleParamsRequired, total=False):
    """The params of ``composition/assemble``."""

    timelineOnly: bool
    """True to return only the timeline, and create no composition. Default: ``false``."""


class _CompositionImportParamsRequired(TypedDict):
    document: OpenTimelineIODocument
    """The document."""


class CompositionImportParams(_CompositionImportParamsRequired, total=False):
    """The params of ``composition/import``."""

    relativeTo: str
    """The base folder of relative URLs in it. Left out: the server's working folder."""


class _CompositionOpenTimelineIOParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""


class CompositionOpenTimelineIOParams(_CompositionOpenTimelineIOParamsRequired, total=False):
    """The params of ``composition/openTimelineIO``."""

    relativeTo: str
    """A folder, as an absolute path; URLs of files in it are written relative to it. Left out:
    none; all URLs are absolute.
    """


class CompositionCopyParams(TypedDict):
    """The params of ``composition/copy``."""

    composition: CompositionHandle
    """The composition."""


class CompositionTimelineParams(TypedDict):
    """The params of ``composition/timeline``."""

    composition: CompositionHandle
    """The composition."""


class _CompositionSetParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""


class CompositionSetParams(_CompositionSetParamsRequired, total=False):
    """The params of ``composition/set``."""

    naturalSize: CanvasSize
    """The size in which frames are shown, from 1 × 1 to 16384 × 16384; `"source"` for that of the
    first frame as it is shown.
    """
    audioMix: AudioMixSettingInput
    """The volumes of its tracks in a mix, unless the mix states others; `null` for no mix."""
    videoComposition: VideoCompositionSettingInput
    """The video composition of its tracks, unless another one is stated; `null` for none."""
    subtitleTracks: List[SubtitleFile]
    """Files of subtitles that become tracks in exports, unless an export states others; at times
    of the composition. Edits don't move them.
    """


class _CompositionAddTrackParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    mediaType: MediaType
    """The kind of its media."""


class CompositionAddTrackParams(_CompositionAddTrackParamsRequired, total=False):
    """The params of ``composition/addTrack``."""

    preferredTrackID: int
    """The number of the new track, if no track has or had it; else the track gets another one."""


class CompositionRemoveTrackParams(TypedDict):
    """The params of ``composition/removeTrack``."""

    composition: CompositionHandle
    """The composition."""
    trackID: int
    """The track."""


class _CompositionSetTrackParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    trackID: int
    """The track."""


class CompositionSetTrackParams(_CompositionSetTrackParamsRequired, total=False):
    """The params of ``composition/setTrack``."""

    isEnabled: bool
    """True if it is presented; a new track is."""
    naturalTimeScale: int
    """The ticks per second of its times; 0 for that of its first segment, or 600."""
    languageCode: str
    """The language by ISO 639-2/T; empty for that of the track's first part, `und` for none."""
    extendedLanguageTag: str
    """The language by BCP 47; empty for that of the track's first part."""
    preferredTransform: Transform
    """The transform of its frames, in addition to those that their sources state, which are
    already applied.
    """
    preferredVolume: float
    """The volume to play it at, 1 for full volume."""


class CompositionCompatibleTrackParams(TypedDict):
    """The params of ``composition/compatibleTrack``."""

    composition: CompositionHandle
    """The composition."""
    asset: AssetHandle
    """An asset."""
    assetTrackID: int
    """A track of the asset."""


class _CompositionInsertTimeRangeParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    asset: AssetHandle
    """The asset: a file's, or another composition, which is inserted as it is now."""


class CompositionInsertTimeRangeParams(_CompositionInsertTimeRangeParamsRequired, total=False):
    """The params of ``composition/insertTimeRange``."""

    timeRange: TimeRangeInput
    """The range of the asset; with the duration `"+infinity"` up to its end. Of a single image it
    may have any duration. Left out, it is all of the asset.
    """
    at: TimeInput
    """The time at which to insert it; left out, the end of the track or of the composition."""
    trackID: int
    """The track to insert it in."""
    assetTrackID: int
    """The asset's track to insert, with `trackID`; left out, the first one of the kind."""
    tracks: TrackSelection
    """The asset's tracks to insert, without `trackID`; left out, all."""
    clamp: bool
    """True to cut a range that extends beyond the asset to the part that exists. Default:
    ``false``.
    """
    playback: SegmentPlayback
    """The playback of the range: in reverse, its video and audio; for a freeze its video, with the
    frame that is shown at the start of the range for the range's duration. Default:
    ``"forward"``.
    """
    speedRamp: List[SpeedPointInput]
    """A speed that changes, of its video and audio: the points of its course, 1 to 1,000, in
    ascending order, at times of the asset within the range, and with speeds above 0. The
    duration follows from it. Left out: the natural speed.
    """


class _CompositionInsertTimeRangesParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    trackID: int
    """The track to insert them in."""
    items: List[CompositionItemInput]
    """The ranges, in order."""


class CompositionInsertTimeRangesParams(_CompositionInsertTimeRangesParamsRequired, total=False):
    """The params of ``composition/insertTimeRanges``."""

    at: TimeInput
    """The time at which to insert them; left out, the end of the track."""
    clamp: bool
    """True to cut ranges that extend beyond their track to the part that exists. Default:
    ``false``.
    """


class _CompositionInsertEmptyTimeRangeParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    timeRange: TimeRangeInput
    """The range."""


class CompositionInsertEmptyTimeRangeParams(_CompositionInsertEmptyTimeRangeParamsRequired, total=False):
    """The params of ``composition/insertEmptyTimeRange``."""

    trackID: int
    """The track; left out, all tracks."""


class _CompositionRemoveTimeRangeParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    timeRange: TimeRangeInput
    """The range."""


class CompositionRemoveTimeRangeParams(_CompositionRemoveTimeRangeParamsRequired, total=False):
    """The params of ``composition/removeTimeRange``."""

    trackID: int
    """The track; left out, all tracks."""


class _CompositionScaleTimeRangeParamsRequired(TypedDict):
    composition: CompositionHandle
    """The composition."""
    timeRange: TimeRangeInput
    """The range."""
    toDuration: TimeInput
    """The new duration of the range, above zero."""


class CompositionScaleTimeRangeParams(_CompositionScaleTimeRangeParamsRequired, total=False):
    """The params of ``composition/scaleTimeRange``."""

    trackID: int
    """The track; left out, all tracks."""


class CompositionSegmentsParams(TypedDict):
    """The params of ``composition/segments``."""

    composition: CompositionHandle
    """The composition."""
    trackID: int
    """The track."""


class CompositionSetSegmentsParams(TypedDict):
    """The params of ``composition/setSegments``."""

    composition: CompositionHandle
    """The composition."""
    trackID: int
    """The track."""
    segments: List[CompositionSegmentInput]
    """The segments, from zero on without gaps between them."""


class CompositionValidateSegmentsParams(TypedDict):
    """The params of ``composition/validateSegments``."""

    composition: CompositionHandle
    """The composition."""
    trackID: int
    """The track."""
    segments: List[CompositionSegmentInput]
    """The segments."""


class _VideoCompositionWithPropertiesOfParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class VideoCompositionWithPropertiesOfParams(_VideoCompositionWithPropertiesOfParamsRequired, total=False):
    """The params of ``videoComposition/withPropertiesOf``."""

    prototype: InstructionPrototype
    """The members that all instructions have in common."""


class _VideoCompositionValidateParamsRequired(TypedDict):
    videoComposition: VideoCompositionInput
    """The video composition."""


class VideoCompositionValidateParams(_VideoCompositionValidateParamsRequired, total=False):
    """The params of ``videoComposition/validate``."""

    asset: AssetHandle
    """The asset that it is for; left out, tracks and the end aren't checked."""
    timeRange: TimeRangeInput
    """The range whose instructions are checked: those that overlap it. Left out: all of them."""


class VideoCompositionRampParams(TypedDict):
    """The params of ``videoComposition/ramp``."""

    layerInstruction: VideoCompositionLayerInstructionInput
    """The layer."""
    kind: LayerRampKind
    """The value to which the ramp belongs."""
    time: TimeInput
    """The time."""


class AudioMixVolumeRampParams(TypedDict):
    """The params of ``audioMix/volumeRamp``."""

    audioMix: AudioMixInput
    """The mix."""
    trackID: int
    """The track; 0 stands for the mix of all of them."""
    time: TimeInput
    """The time."""


class _VideoCompositionFinishFrameParamsRequired(TypedDict):
    request: int
    """The number of the request."""


class VideoCompositionFinishFrameParams(_VideoCompositionFinishFrameParamsRequired, total=False):
    """The params of ``videoComposition/finishFrame``."""

    error: CompositorError
    """The reason for which there is no frame."""


class _ImageGeneratorCreateParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class ImageGeneratorCreateParams(_ImageGeneratorCreateParamsRequired, total=False):
    """The params of ``imageGenerator/create``."""

    appliesPreferredTrackTransform: bool
    """True if images are turned upright, by the track's preferred transform. Default: ``false``."""
    maximumSize: Size
    """The maximum width and height; 0 leaves a side without a limit. Images are never enlarged."""
    apertureMode: ApertureMode
    """The part of the frame that images show. Default: ``"cleanAperture"``."""
    requestedTimeToleranceBefore: TimeInput
    """The maximum time by which an image may be earlier than the requested time; zero on both
    sides means the exact frame. Default: ``"+infinity"``.
    """
    requestedTimeToleranceAfter: TimeInput
    """The maximum time by which an image may be later than the requested time. Default:
    ``"+infinity"``.
    """
    dynamicRangePolicy: DynamicRangePolicy
    """The treatment of high dynamic range. With `forceSDR` such an image is in BT.709 throughout,
    `yuv420p` and `yuv420p10le` in its matrix and limited range. The source's peak is its
    MaxCLL, else its mastering display's, else 1000 nits. Default: ``"forceSDR"``.
    """
    deinterlacing: ImageDeinterlacing
    """The treatment of interlaced frames. With `auto` the image of a frame that is declared
    interlaced is made of its first field and of the fields around it; progressive frames stay
    as they are. Left out: `auto`, and `none` with the `apertureMode` `encodedPixels`.
    """
    videoComposition: VideoCompositionSettingInput
    """The video composition. An image is then exactly of the composed frame that is shown at the
    time, regardless of the tolerances. Left out: the asset's own, which a composition may have.
    """


class _ImageGeneratorGenerateImageParamsRequired(TypedDict):
    imageGenerator: ImageGeneratorHandle
    """The generator."""


class ImageGeneratorGenerateImageParams(_ImageGeneratorGenerateImageParamsRequired, total=False):
    """The params of ``imageGenerator/generateImage``."""

    time: TimeInput
    """The time, in the asset's time; the track's first frame when absent. The first frame is not
    always presented at 0, and with zero tolerance there is no image before it. Without a time
    the result is exactly the first frame, regardless of its time and the tolerances.
    """
    format: ImageFormat
    """The format of the image; when absent, the extension of a file decides, else it is `jpeg`.
    The extensions are `jpg`, `jpeg`, `png`, `webp` and `bmp`, in upper or lower case. Without
    `format` any other extension is refused; without an extension the format is `jpeg`.
    """
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    delivery: Delivery
    """The destination of the bytes. Default: ``"inline"``."""


class _ImageGeneratorGenerateImagesParamsRequired(TypedDict):
    imageGenerator: ImageGeneratorHandle
    """The generator."""


class ImageGeneratorGenerateImagesParams(_ImageGeneratorGenerateImagesParamsRequired, total=False):
    """The params of ``imageGenerator/generateImages``."""

    times: List[TimeInput]
    """The times, in the asset's time, in any order."""
    samples: List[int]
    """The numbers of frames in the track, in presentation order, from 0, as `sampleIndex` counts
    them; in any order. The image is of exactly that frame, regardless of the tolerances. A
    number that the track does not have ends with `noImageAtTime`, which states the number of
    frames, and a frame that can't be decoded with `decodeFailed`. All of the file is indexed.
    """
    format: ImageFormat
    """The format of the images; as for `imageGenerator/generateImage` when absent."""
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    delivery: Delivery
    """The destination of the bytes; a file's path needs a `%d` when there are several images.
    Default: ``"inline"``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _ImageGeneratorContactSheetParamsRequired(TypedDict):
    imageGenerator: ImageGeneratorHandle
    """The generator."""


class ImageGeneratorContactSheetParams(_ImageGeneratorContactSheetParamsRequired, total=False):
    """The params of ``imageGenerator/contactSheet``."""

    columns: int
    """The number of tiles in a row."""
    rows: int
    """The number of rows."""
    count: int
    """The number of tiles."""
    times: List[TimeInput]
    """The times of the tiles in the asset's time, each after the one before it."""
    timeRange: TimeRangeInput
    """The range of the sheet, limited to that of the video track; the whole track when absent."""
    tileWidth: int
    """The maximum width of a tile, in pixels, from 2 to 8192. Default: ``160``."""
    spacing: int
    """The distance between neighbouring tiles in pixels, from 0 to 1024; it is black. Default:
    ``0``.
    """
    showsTimes: bool
    """True if each tile shows the presentation time of its frame in its lower left corner:
    minutes, seconds and thousandths, white on black, with hours from one hour on. The times are
    rounded to the nearest millisecond; `tiles` has the exact ones. A tile that is too narrow
    for its time has none. Default: ``false``.
    """
    format: ImageFormat
    """The format of the sheet, any but `yuv420p` and `yuv420p10le`. When absent, the extension of
    a file decides, else it is `jpeg`, as for `imageGenerator/generateImage`.
    """
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    delivery: Delivery
    """The destination of the bytes of the sheet. Default: ``"inline"``."""
    imageName: str
    """The URL of the sheet in the map, absolute or relative to the map's; it has no fragment. When
    absent it is the name of the file, percent-encoded, or `sheet` with the format's extension.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class ImageGeneratorCancelAllParams(TypedDict):
    """The params of ``imageGenerator/cancelAll``."""

    imageGenerator: ImageGeneratorHandle
    """The generator."""


class ExportSessionPresetsParams(TypedDict, total=False):
    """The params of ``exportSession/presets``."""


class _ExportSessionCompatiblePresetsParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class ExportSessionCompatiblePresetsParams(_ExportSessionCompatiblePresetsParamsRequired, total=False):
    """The params of ``exportSession/compatiblePresets``."""

    outputFileType: str
    """The required type of the file; any when absent."""
    explain: bool
    """True to list the other presets too, with the reasons for which they do not fit. Default:
    ``false``.
    """


class _ExportSessionCompatibleFileTypesParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""
    preset: str
    """The preset, including `Passthrough`."""


class ExportSessionCompatibleFileTypesParams(_ExportSessionCompatibleFileTypesParamsRequired, total=False):
    """The params of ``exportSession/compatibleFileTypes``."""

    explain: bool
    """True to list the other types too, with the reasons for which they do not fit. Default:
    ``false``.
    """


class _ExportSessionCreateParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""
    outputURL: str
    """The file to create, a path or a `file:` URL; an existing file makes the export fail."""


class ExportSessionCreateParams(_ExportSessionCreateParamsRequired, total=False):
    """The params of ``exportSession/create``."""

    preset: str
    """The preset, AVFoundation's name without `AVAssetExportPreset`, for example `MediumQuality`,
    in capital or small letters; when absent, `settings` and the type of the file decide.
    """
    settings: ExportSettings
    """The treatment of the tracks: it overrides members of the preset, or replaces it. All
    problems of it are reported at once, in `data.errors` of `invalidParams`, as far as the
    asset can be loaded.
    """
    outputFileType: str
    """The type of the file, a short name or a uniform type; from the path's extension when absent.
    """
    timeRange: TimeRangeInput
    """The part of the asset to export; all of it when absent."""
    metadata: List[MetadataEntry]
    """The metadata of the file, including artwork; it replaces the asset's. When absent, the
    asset's is copied. An empty list also removes the names and other texts of tracks, and
    attached files but the fonts of ASS tracks. Languages, dispositions, timecodes and chapters
    stay. Items that stay and may name persons, places or devices are in `dropped` with `stays`.
    """
    metadataChanges: MetadataChanges
    """The changes to that metadata; the rest stays as it is."""
    chapters: List[ChapterInput]
    """The chapters of the file, on the asset's clock; they replace the asset's. When absent,
    `chaptersFrom` decides.
    """
    chaptersFrom: ChapterSource
    """The chapters of the file if `chapters` is absent. Default: ``"files"``."""
    fileLengthLimit: int
    """The maximum size of the file in bytes; 0 is no limit. If neither `settings` nor the codec
    determines the rate of the video, it is encoded again at one with which all of the range
    fits; audio whose rate `settings` leave open then has at most half of the file, and at least
    32 kbit/s (16 of each channel from the third one on, 32 of each in Vorbis). Otherwise the
    file ends earlier, all its tracks together at whole samples; `timeRange` of
    `exportSession/didFinish` is then shorter, and `dropped` states by how much. If not even the
    first samples fit, the export fails with `maximumFileSizeReached`. Default: ``0``.
    """
    shouldOptimizeForNetworkUse: bool
    """True if the index comes before the media, so that playing can start before the end arrives.
    Default: ``false``.
    """
    audioMix: AudioMixSettingInput
    """The volumes of the audio tracks, where audio is encoded; `null` for their own volume. Copied
    audio is not changed, which `dropped` reports. Left out: the asset's own mix, which a
    composition may have.
    """
    videoComposition: VideoCompositionSettingInput
    """The video composition of the video tracks, where video is encoded. Copied video is not
    changed, which `dropped` reports. Left out: the asset's own, which a composition may have.
    """
    subtitles: List[SubtitleFile]
    """Files of subtitles that become tracks of the file, after those of the asset and in this
    order. They are copied where the file can hold them, else converted to its kind of text.
    `tracks` of `settings` chooses among the asset's only. A type of file that can't hold them
    is `formatUnsupported`. Left out: the asset's own, which a composition may have.
    """
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for audio that is scaled in time, where it is encoded. Default:
    ``"spectral"``.
    """
    audioTracks: AudioTracks
    """The treatment of several enabled audio tracks that are encoded. Left out, those of a
    composition are mixed, and so are those of a file if `audioMix` is present; else a file's
    stay separate. Of separate tracks each is as loud as it is in the mix.
    """
    trimMode: TrimMode
    """The way in which a passthrough export cuts; encoded tracks are cut exactly. Default:
    ``"editList"``.
    """
    joins: Joins
    """The way in which a passthrough export joins the segments of a composition's tracks."""
    directoryForTemporaryFiles: str
    """An existing folder for the unfinished file, a path or a `file:` URL; the target's when
    absent. If it is on another file system, the finished file is copied, which counts as
    progress. Nothing is left in the folder, however the export ends.
    """
    replacesSource: bool
    """True to replace the asset's own file with the new one; `outputURL` then has to name it. Only
    a `Passthrough` export of the whole asset to its own type can do so, and it fails with
    `operationNotSupportedForAsset` if anything of the source would be left out. The source
    stays as it is until the new file is complete and flushed; then the two change places at
    once. The new file has the permissions of the old one, and the owner if that is allowed; its
    time of modification is that of the export. A symbolic link stays one; other hard links
    still name the old file. Default: ``false``.
    """


class ExportSessionPreflightParams(TypedDict):
    """The params of ``exportSession/preflight``."""

    exportSession: ExportSessionHandle
    """The session."""


class ExportSessionEstimateParams(TypedDict):
    """The params of ``exportSession/estimate``."""

    exportSession: ExportSessionHandle
    """The session."""


class _ExportSessionExportParamsRequired(TypedDict):
    exportSession: ExportSessionHandle
    """The session."""


class ExportSessionExportParams(_ExportSessionExportParamsRequired, total=False):
    """The params of ``exportSession/export``."""

    resume: bool
    """True to make the export in parts, and to continue where an earlier one was interrupted. The
    parts are hidden files next to `outputURL`, or in `directoryForTemporaryFiles`. They stay
    after a failure, a cancellation or the death of the process, until the same export with this
    option is complete, or another one to the same `outputURL` with this option begins. For
    exports that encode a file's video at a constant quality: see `exportSession/plan`, whose
    errors it has. Default: ``false``.
    """
    progressInterval: float
    """The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
    ``0.1``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _ExportSessionPlanParamsRequired(TypedDict):
    exportSession: ExportSessionHandle
    """The session."""


class ExportSessionPlanParams(_ExportSessionPlanParamsRequired, total=False):
    """The params of ``exportSession/plan``."""

    partCount: int
    """The number of parts of video, at most 1000; there are fewer if the source has too few sync
    samples for them. When absent, the number that `minimumPartDuration` allows.
    """
    minimumPartDuration: TimeInput
    """The minimum duration of a part of video. When absent, 30 seconds; with `partCount`, any
    duration.
    """
    threadCount: int
    """The number of threads of each encoder, at most 16: the bytes of some depend on it. When
    absent, one and a half times the number of this machine's cores. HEVC encodes one frame at a
    time in any case, with a thread for each row of it.
    """


class _ExportSessionExportPartParamsRequired(TypedDict):
    exportSession: ExportSessionHandle
    """The session."""
    plan: ExportPartPlanInput
    """The plan, of `exportSession/plan`."""
    part: int
    """The number of the part, from 0 on."""
    outputURL: str
    """The file of the part, a path or a `file:` URL."""


class ExportSessionExportPartParams(_ExportSessionExportPartParamsRequired, total=False):
    """The params of ``exportSession/exportPart``."""

    progressInterval: float
    """The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
    ``0.1``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _ExportSessionJoinParamsRequired(TypedDict):
    exportSession: ExportSessionHandle
    """The session."""
    plan: ExportPartPlanInput
    """The plan, of `exportSession/plan`."""
    partURLs: List[str]
    """The files of all parts, in the order of the plan: paths, or `file:` URLs."""


class ExportSessionJoinParams(_ExportSessionJoinParamsRequired, total=False):
    """The params of ``exportSession/join``."""

    progressInterval: float
    """The minimum time between two `exportSession/didProgress`, in seconds; 0 sends none. Default:
    ``0.1``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class ExportSessionStatusParams(TypedDict):
    """The params of ``exportSession/status``."""

    exportSession: ExportSessionHandle
    """The session."""


class ExportSessionCancelParams(TypedDict):
    """The params of ``exportSession/cancel``."""

    exportSession: ExportSessionHandle
    """The session."""


class _AssetReaderCreateParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""
    outputs: List[ReaderOutputInput]
    """The outputs, at least one."""


class AssetReaderCreateParams(_AssetReaderCreateParamsRequired, total=False):
    """The params of ``assetReader/create``."""

    timeRange: TimeRangeInput
    """The part of the asset to read; all of it when absent."""


class AssetReaderStartParams(TypedDict):
    """The params of ``assetReader/start``."""

    assetReader: AssetReaderHandle
    """The reader."""


class _AssetReaderNextSampleBuffersParamsRequired(TypedDict):
    output: OutputHandle
    """The output."""


class AssetReaderNextSampleBuffersParams(_AssetReaderNextSampleBuffersParamsRequired, total=False):
    """The params of ``assetReader/nextSampleBuffers``."""

    maxCount: int
    """The maximum number of buffers to return. Default: ``1``."""
    maxBytes: int
    """The maximum number of bytes to return; one buffer is returned even if it is larger."""
    timeoutMs: int
    """The maximum time to wait for leases to be released, in milliseconds; without limit when
    absent.
    """
    delivery: Delivery
    """The destination of the bytes. Default: ``"inline"``."""


class AssetReaderStatusParams(TypedDict):
    """The params of ``assetReader/status``."""

    assetReader: AssetReaderHandle
    """The reader."""


class AssetReaderResetParams(TypedDict):
    """The params of ``assetReader/reset``."""

    output: OutputHandle
    """The output."""
    timeRanges: List[TimeRangeInput]
    """The ranges to read; an empty list reads nothing."""


class AssetReaderMarkConfigurationAsFinalParams(TypedDict):
    """The params of ``assetReader/markConfigurationAsFinal``."""

    output: OutputHandle
    """The output."""


class AssetReaderCancelParams(TypedDict):
    """The params of ``assetReader/cancel``."""

    assetReader: AssetReaderHandle
    """The reader."""


class AssetWriterCanAddParams(TypedDict):
    """The params of ``assetWriter/canAdd``."""

    outputFileType: str
    """The type of the file, a short name or a uniform type."""
    input: WriterInput
    """The input."""


class _AssetWriterCreateParamsRequired(TypedDict):
    inputs: List[WriterInput]
    """The inputs, at least one."""


class AssetWriterCreateParams(_AssetWriterCreateParamsRequired, total=False):
    """The params of ``assetWriter/create``."""

    outputURL: str
    """The file to create, a path or a `file:` URL; an existing file makes `assetWriter/start`
    fail. Required without `segments`.
    """
    segments: SegmentSettingsInput
    """Media segments instead of a file, each of which a notification delivers."""
    outputFileType: str
    """The type of the file, a short name or a uniform type; from the path's extension when absent,
    and `mp4` for segments.
    """
    inputGroups: List[InputGroup]
    """Groups of inputs of which a player chooses one, in a mov or mp4 file without fragments."""
    trackAssociations: List[WriterAssociation]
    """The associations between tracks, in a mov or mp4 file without fragments."""
    metadata: List[MetadataEntry]
    """The metadata of the file, including artwork."""
    chapters: List[ChapterInput]
    """The chapters of the file, on its own clock."""
    shouldOptimizeForNetworkUse: bool
    """True puts the index before the media, so that playing can start before the end arrives.
    Ignored with `movieFragmentInterval` and `segments`. Default: ``false``.
    """
    movieTimeScale: int
    """The ticks per second of a movie's own times; when absent, a value that suits its tracks."""
    movieFragmentInterval: TimeInput
    """The maximum time between two fragments of a movie. The file has its name from the start, and
    stays, up to the last fragment that was written, however the writing ends: a failure,
    `handle/close`, the end of the connection or of a process. Only `assetWriter/cancel` removes
    it. Ignored with `segments`.
    """
    directoryForTemporaryFiles: str
    """An existing folder for the unfinished file, a path or a `file:` URL; the target's when
    absent.
    """


class AssetWriterStartParams(TypedDict):
    """The params of ``assetWriter/start``."""

    assetWriter: AssetWriterHandle
    """The writer."""


class AssetWriterStartSessionParams(TypedDict):
    """The params of ``assetWriter/startSession``."""

    assetWriter: AssetWriterHandle
    """The writer."""
    sourceTime: TimeInput
    """The time on the clock of the samples."""


class AssetWriterEndSessionParams(TypedDict):
    """The params of ``assetWriter/endSession``."""

    assetWriter: AssetWriterHandle
    """The writer."""
    sourceTime: TimeInput
    """The time on the clock of the samples."""


class _AssetWriterAppendParamsRequired(TypedDict):
    input: InputHandle
    """The input."""
    sampleBuffers: List[AppendedSampleInput]
    """The samples, at least one."""


class AssetWriterAppendParams(_AssetWriterAppendParamsRequired, total=False):
    """The params of ``assetWriter/append``."""

    wait: bool
    """True to wait until the input has accepted all of them. Default: ``true``."""
    timeoutMs: int
    """The maximum time to wait, in milliseconds; when absent, as long as the engine is at work,
    and five seconds if another input has to get samples first.
    """


class _AssetWriterAllocateParamsRequired(TypedDict):
    input: InputHandle
    """The input."""


class AssetWriterAllocateParams(_AssetWriterAllocateParamsRequired, total=False):
    """The params of ``assetWriter/allocate``."""

    count: int
    """The number of blocks, each for a frame or of `byteCount`. Default: ``1``."""
    byteCount: int
    """The size of each block, from 1 byte to 64 MiB; that of the input's frames when absent."""
    timeoutMs: int
    """The maximum time to wait for leases to end, in milliseconds; without limit when absent."""


class AssetWriterMarkAsFinishedParams(TypedDict):
    """The params of ``assetWriter/markAsFinished``."""

    input: InputHandle
    """The input."""


class AssetWriterRequestMediaDataParams(TypedDict):
    """The params of ``assetWriter/requestMediaData``."""

    input: InputHandle
    """The input."""


class _AssetWriterTransferParamsRequired(TypedDict):
    assetWriter: AssetWriterHandle
    """The writer."""
    pairs: List[TransferPairInput]
    """The outputs with the inputs that they go to, at least one pair; each output and each input
    at most once.
    """


class AssetWriterTransferParams(_AssetWriterTransferParamsRequired, total=False):
    """The params of ``assetWriter/transfer``."""

    progressInterval: float
    """The minimum time between two `assetWriter/didProgress`, in seconds; 0 sends none. Default:
    ``0.1``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class AssetWriterFlushSegmentParams(TypedDict):
    """The params of ``assetWriter/flushSegment``."""

    assetWriter: AssetWriterHandle
    """The writer."""


class _AssetWriterFinishParamsRequired(TypedDict):
    assetWriter: AssetWriterHandle
    """The writer."""


class AssetWriterFinishParams(_AssetWriterFinishParamsRequired, total=False):
    """The params of ``assetWriter/finish``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class AssetWriterStatusParams(TypedDict):
    """The params of ``assetWriter/status``."""

    assetWriter: AssetWriterHandle
    """The writer."""


class AssetWriterCancelParams(TypedDict):
    """The params of ``assetWriter/cancel``."""

    assetWriter: AssetWriterHandle
    """The writer."""


class SampleCursorCreateParams(TypedDict):
    """The params of ``sampleCursor/create``."""

    asset: AssetHandle
    """The asset."""
    trackID: int
    """The track."""
    position: CursorPositionInput
    """The position of the cursor."""


class SampleCursorStepParams(TypedDict):
    """The params of ``sampleCursor/step``."""

    sampleCursor: SampleCursorHandle
    """The cursor."""
    count: int
    """The number of samples; backwards when negative."""
    order: SampleOrder
    """The order."""


class SampleCursorStepByTimeParams(TypedDict):
    """The params of ``sampleCursor/stepByTime``."""

    sampleCursor: SampleCursorHandle
    """The cursor."""
    by: TimeInput
    """The time; backwards when negative."""
    order: SampleOrder
    """The order on whose clock it moves: that of decode times, or of presentation times."""


class SampleCursorSampleParams(TypedDict):
    """The params of ``sampleCursor/sample``."""

    sampleCursor: SampleCursorHandle
    """The cursor."""


class _SampleCursorSamplesParamsRequired(TypedDict):
    sampleCursor: SampleCursorHandle
    """The cursor."""


class SampleCursorSamplesParams(_SampleCursorSamplesParamsRequired, total=False):
    """The params of ``sampleCursor/samples``."""

    maxCount: int
    """The maximum number of samples to list, 1 to 10,000. Default: ``100``."""
    order: SampleOrder
    """The order. Default: ``"decode"``."""


class SampleCursorChunkParams(TypedDict):
    """The params of ``sampleCursor/chunk``."""

    sampleCursor: SampleCursorHandle
    """The cursor."""


class SampleCursorCopyParams(TypedDict):
    """The params of ``sampleCursor/copy``."""

    sampleCursor: SampleCursorHandle
    """The cursor."""


class SampleCursorCompareParams(TypedDict):
    """The params of ``sampleCursor/compare``."""

    lhs: SampleCursorHandle
    """The left cursor."""
    rhs: SampleCursorHandle
    """The right cursor."""


class SampleCursorReorderingParams(TypedDict):
    """The params of ``sampleCursor/reordering``."""

    sampleCursor: SampleCursorHandle
    """The cursor whose position in decode order counts."""
    to: SampleCursorHandle
    """The cursor whose presentation time counts; it may be the same."""


class _WaveformGenerateParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class WaveformGenerateParams(_WaveformGenerateParamsRequired, total=False):
    """The params of ``waveform/generate``."""

    trackID: int
    """The audio track. When absent, it is the mix of all enabled ones where there is an audio mix,
    else the first of them.
    """
    audioMix: AudioMixSettingInput
    """The audio mix; `null` for the tracks' own volumes. Left out: the asset's own mix, which a
    composition may have.
    """
    timeRange: TimeRangeInput
    """The range that the parts divide, on the asset's clock: not before zero, and not empty. Where
    the track has no media it is 0. An infinite duration ends with the track. When absent, it is
    the track's range between zero and the asset's end.
    """
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for audio that is scaled in time. Default: ``"spectral"``."""
    count: int
    """The number of parts, from 1 to 100,000; only with `format` it may be absent, and is `width`
    then.
    """
    format: ImageFormat
    """The file format in which the waveform is drawn: `jpeg`, `png`, `webp` or `bmp`. When absent
    and the delivery is a file, its extension decides, as for `imageGenerator/generateImage`.
    """
    width: int
    """The width of the image in pixels, from 1 to 100,000; only with `format`. `count` when
    absent.
    """
    height: int
    """The height of the image in pixels, from 1 to 16,384; only with `format`. Default: ``128``."""
    color: str
    """The colour of the power, as `#rrggbb` or `#rrggbbaa`; the extremes have half its opacity.
    Default: ``"#2f80ed"``.
    """
    backgroundColor: str
    """The colour of the background, as `#rrggbb` or `#rrggbbaa`; transparent parts of a `jpeg` are
    white. Default: ``"#00000000"``.
    """
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    delivery: Delivery
    """The destination of the bytes of the image. Default: ``"inline"``."""
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _AnalysisSceneChangesParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class AnalysisSceneChangesParams(_AnalysisSceneChangesParamsRequired, total=False):
    """The params of ``analysis/sceneChanges``."""

    trackID: int
    """The video track. When absent, it is the first enabled one."""
    timeRange: TimeRangeInput
    """The range to search, on the asset's clock: not before zero, and not empty. An infinite
    duration ends with the track. When absent, it is the track's range between zero and the
    asset's end.
    """
    sensitivity: float
    """The sensitivity to small changes, from 0, at which only the clearest count, to 1. Default:
    ``0.5``.
    """
    minimumDuration: TimeInput
    """The duration of the shortest scene, zero or longer: of changes that are closer together, the
    clearest remains. Default: ``"1/2"``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _AnalysisSilencesParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class AnalysisSilencesParams(_AnalysisSilencesParamsRequired, total=False):
    """The params of ``analysis/silences``."""

    trackID: int
    """The audio track. When absent, it is the mix of all enabled ones if there is an audio mix,
    else the first enabled one.
    """
    audioMix: AudioMixSettingInput
    """The volumes of the tracks; `null` for their own volume. Left out: the asset's own mix, which
    a composition may have.
    """
    timeRange: TimeRangeInput
    """The range to search, on the asset's clock: not before zero, and not empty. An infinite
    duration ends with the track. When absent, it is the track's range between zero and the
    asset's end.
    """
    threshold: float
    """The threshold in decibels below full scale (dBFS), from -200 to 0. Default: ``-50``."""
    minimumDuration: TimeInput
    """The duration of the shortest silence, longer than zero. Default: ``"1/2"``."""
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _AnalysisLoudnessParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class AnalysisLoudnessParams(_AnalysisLoudnessParamsRequired, total=False):
    """The params of ``analysis/loudness``."""

    trackID: int
    """The audio track. When absent, it is the mix of all enabled ones if there is an audio mix,
    else the first enabled one.
    """
    audioMix: AudioMixSettingInput
    """The volumes of the tracks; `null` for their own volume. Left out: the asset's own mix, which
    a composition may have.
    """
    timeRange: TimeRangeInput
    """The range to measure, on the asset's clock: not before zero, and not empty. An infinite
    duration ends with the track. When absent, it is the track's range between zero and the
    asset's end.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class PlayerCreateParams(TypedDict, total=False):
    """The params of ``player/create``."""

    items: List[PlayerItemHandle]
    """The items, in the order in which they are played. Default: ``[]``."""
    isQueue: bool
    """True for a queue, whose items play in turn. Default: ``false``."""
    clock: PlayerClock
    """The clock that host times are on. Default: ``"audio"``."""
    audioDevice: AudioDevice
    """The destination of audio. Left out: none on a `manual` clock, else the server's default
    device. A device can't be on a `manual` clock. One that can't be opened, or that the server
    hasn't, is no error here: playback goes on without audio, and `player/didChange` has the
    reason.
    """
    audioFormat: PlayerAudioFormat
    """The format that audio is mixed in."""
    actionAtItemEnd: ActionAtItemEnd
    """The action at the end of an item. Left out: `advance` for a queue, else `pause`."""
    automaticallyWaitsToMinimizeStalling: bool
    """True if a player that has too little decoded waits and continues automatically; false if its
    rate becomes 0 then. Default: ``true``.
    """
    volume: float
    """The volume, from 0 to 1; it multiplies that of the item's mix. Default: ``1``."""
    isMuted: bool
    """True for no audio, regardless of the volume. Default: ``false``."""
    defaultRate: float
    """The rate that `player/play` sets. Default: ``1``."""


class PlayerPlayParams(TypedDict):
    """The params of ``player/play``."""

    player: PlayerHandle
    """The player."""


class PlayerPauseParams(TypedDict):
    """The params of ``player/pause``."""

    player: PlayerHandle
    """The player."""


class _PlayerSetRateParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""
    rate: float
    """The rate, from -32 to 32: 1 is normal speed, 0 is paused, below 0 is backward."""


class PlayerSetRateParams(_PlayerSetRateParamsRequired, total=False):
    """The params of ``player/setRate``."""

    time: TimeInput
    """The item's time; the current one when absent."""
    atHostTime: TimeInput
    """The time of the player's clock; as soon as possible when absent."""
    immediately: bool
    """True to play at once, even if little is decoded. Default: ``false``."""


class _PlayerSetParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""


class PlayerSetParams(_PlayerSetParamsRequired, total=False):
    """The params of ``player/set``."""

    volume: float
    """The volume, from 0 to 1."""
    isMuted: bool
    """True for no audio, regardless of the volume."""
    audioDevice: AudioDevice
    """The destination of audio. A device that the server hasn't is refused, and nothing is
    changed.
    """
    actionAtItemEnd: ActionAtItemEnd
    """The action at the end of an item. Set after the end, it takes effect at once."""
    automaticallyWaitsToMinimizeStalling: bool
    """True if a player that has too little decoded waits and continues automatically."""
    defaultRate: float
    """The rate that `player/play` sets."""


class PlayerStateParams(TypedDict):
    """The params of ``player/state``."""

    player: PlayerHandle
    """The player."""


class _PlayerSeekParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""
    time: TimeInput
    """The item's time to go to: a number, or an infinity."""


class PlayerSeekParams(_PlayerSeekParamsRequired, total=False):
    """The params of ``player/seek``."""

    toleranceBefore: TimeInput
    """The maximum time by which the item may land earlier than `time`. Default: ``"+infinity"``."""
    toleranceAfter: TimeInput
    """The maximum time by which the item may land later than `time`. Default: ``"+infinity"``."""
    whileScrubbing: bool
    """True for one of many seeks in a row: one that is in flight ends and is shown, the newest one
    waits, and those between end with `finished` `false`. Default: ``false``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class PlayerCancelPendingSeeksParams(TypedDict):
    """The params of ``player/cancelPendingSeeks``."""

    player: PlayerHandle
    """The player."""


class _PlayerPrerollParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""
    rate: float
    """The rate that will be set, from -32 to 32."""


class PlayerPrerollParams(_PlayerPrerollParamsRequired, total=False):
    """The params of ``player/preroll``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class PlayerCancelPendingPrerollsParams(TypedDict):
    """The params of ``player/cancelPendingPrerolls``."""

    player: PlayerHandle
    """The player."""


class _PlayerReplaceCurrentItemParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""


class PlayerReplaceCurrentItemParams(_PlayerReplaceCurrentItemParamsRequired, total=False):
    """The params of ``player/replaceCurrentItem``."""

    playerItem: PlayerItemHandle
    """The new item; none when absent or `null`."""


class PlayerItemsParams(TypedDict):
    """The params of ``player/items``."""

    player: PlayerHandle
    """The player."""


class _PlayerInsertParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""
    playerItem: PlayerItemHandle
    """The item."""


class PlayerInsertParams(_PlayerInsertParamsRequired, total=False):
    """The params of ``player/insert``."""

    after: PlayerItemHandle
    """The item that it comes after; the last one when absent."""
    dryRun: bool
    """True to only check that it can be inserted, and to return the items as they would be then.
    Default: ``false``.
    """


class PlayerRemoveParams(TypedDict):
    """The params of ``player/remove``."""

    player: PlayerHandle
    """The player."""
    playerItem: PlayerItemHandle
    """The item."""


class PlayerRemoveAllItemsParams(TypedDict):
    """The params of ``player/removeAllItems``."""

    player: PlayerHandle
    """The player."""


class PlayerAdvanceToNextItemParams(TypedDict):
    """The params of ``player/advanceToNextItem``."""

    player: PlayerHandle
    """The player."""


class PlayerAddPeriodicTimeObserverParams(TypedDict):
    """The params of ``player/addPeriodicTimeObserver``."""

    player: PlayerHandle
    """The player."""
    interval: TimeInput
    """The interval, of the item's time: above 0."""


class PlayerAddBoundaryTimeObserverParams(TypedDict):
    """The params of ``player/addBoundaryTimeObserver``."""

    player: PlayerHandle
    """The player."""
    times: List[TimeInput]
    """The times, from 1 to 10,000, in any order; of equal ones each fires."""


class _PlayerAdvanceClockParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""


class PlayerAdvanceClockParams(_PlayerAdvanceClockParamsRequired, total=False):
    """The params of ``player/advanceClock``."""

    by: TimeInput
    """The time that passes, up to 24 hours; 0 only waits for work in progress. Either `by` or `to`
    is required.
    """
    to: TimeInput
    """The time of the clock to advance to, not before its own."""


class PlayerFinishAudioFileParams(TypedDict):
    """The params of ``player/finishAudioFile``."""

    player: PlayerHandle
    """The player."""


class _PlayerItemCreateParamsRequired(TypedDict):
    asset: AssetHandle
    """The asset."""


class PlayerItemCreateParams(_PlayerItemCreateParamsRequired, total=False):
    """The params of ``playerItem/create``."""

    enabledTrackIDs: List[int]
    """The tracks that are presented; those that are enabled in the file when absent."""
    videoComposition: VideoCompositionSettingInput
    """The video composition; `null` for none. Left out: the asset's own, which a composition may
    have.
    """
    audioMix: AudioMixSettingInput
    """The audio mix; `null` for the tracks' own volumes. Left out: the asset's own mix, which a
    composition may have.
    """
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for audio at rates other than 1. Default: ``"timeDomain"``."""
    initialTime: TimeInput
    """The time at which the item begins, from 0 on. One after its end is the end. Default: ``0``.
    """
    forwardPlaybackEndTime: TimeInput
    """The time at which it ends when it is played forward; `"invalid"` for its duration. It may be
    beyond that. Default: ``"invalid"``.
    """
    reversePlaybackEndTime: TimeInput
    """The time at which it ends when it is played backward; `"invalid"` for 0. Default:
    ``"invalid"``.
    """
    preferredForwardBufferDuration: TimeInput
    """The duration to decode ahead, as far as memory allows; 0 leaves it to the player. Default:
    ``0``.
    """


class _PlayerItemSetParamsRequired(TypedDict):
    playerItem: PlayerItemHandle
    """The item."""


class PlayerItemSetParams(_PlayerItemSetParamsRequired, total=False):
    """The params of ``playerItem/set``."""

    enabledTrackIDs: EnabledTracks
    """The tracks that are presented; `null` for those that are enabled in the file."""
    videoComposition: VideoCompositionSettingInput
    """The video composition; `null` for none."""
    audioMix: AudioMixSettingInput
    """The audio mix; `null` for the tracks' own volumes."""
    audioTimePitchAlgorithm: AudioTimePitchAlgorithm
    """The algorithm for audio at rates other than 1."""
    forwardPlaybackEndTime: TimeInput
    """The time at which it ends when it is played forward; `"invalid"` for its duration."""
    reversePlaybackEndTime: TimeInput
    """The time at which it ends when it is played backward; `"invalid"` for 0."""


class _PlayerItemSelectParamsRequired(TypedDict):
    playerItem: PlayerItemHandle
    """The item."""
    characteristic: MediaCharacteristic
    """The characteristic of the tracks to choose from: `audible`, `visual` or `legible`."""


class PlayerItemSelectParams(_PlayerItemSelectParamsRequired, total=False):
    """The params of ``playerItem/select``."""

    trackID: int
    """The track; none of them when absent or `null`."""


class PlayerItemStateParams(TypedDict):
    """The params of ``playerItem/state``."""

    playerItem: PlayerItemHandle
    """The item."""


class PlayerItemStepParams(TypedDict):
    """The params of ``playerItem/step``."""

    playerItem: PlayerItemHandle
    """The item."""
    count: int
    """The number of frames; below 0 for steps back."""


class _VideoOutputCreateParamsRequired(TypedDict):
    playerItem: PlayerItemHandle
    """The item."""


class VideoOutputCreateParams(_VideoOutputCreateParamsRequired, total=False):
    """The params of ``videoOutput/create``."""

    pixelFormat: ImageFormat
    """The format of frames: pixels, or with `pull` a file format such as `jpeg`. Default:
    ``"bgra"``.
    """
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    width: int
    """The width in pixels, from 1 to 16,384; from the height when absent, or the item's when both
    are.
    """
    height: int
    """The height in pixels, from 1 to 16,384."""
    delivery: VideoOutputDelivery
    """The destination of the bytes. `push` needs `"shm"`. Default: ``"shm"``."""
    mode: VideoOutputMode
    """The way in which frames reach the client. Default: ``"pull"``."""
    maxOutstanding: int
    """The maximum number of outstanding leases, from 1 to 32. Default: ``3``."""
    apertureMode: ApertureMode
    """The part of the frame that is shown. Default: ``"cleanAperture"``."""
    dynamicRangePolicy: DynamicRangePolicy
    """The treatment of high dynamic range. Default: ``"forceSDR"``."""


class _VideoOutputHasNewPixelBufferParamsRequired(TypedDict):
    videoOutput: VideoOutputHandle
    """The output."""


class VideoOutputHasNewPixelBufferParams(_VideoOutputHasNewPixelBufferParamsRequired, total=False):
    """The params of ``videoOutput/hasNewPixelBuffer``."""

    itemTime: TimeInput
    """The item's time."""
    hostTime: TimeInput
    """The time of the player's clock."""


class VideoOutputItemTimeParams(TypedDict):
    """The params of ``videoOutput/itemTime``."""

    videoOutput: VideoOutputHandle
    """The output."""
    hostTime: TimeInput
    """The time of the player's clock."""


class _VideoOutputCopyPixelBufferParamsRequired(TypedDict):
    videoOutput: VideoOutputHandle
    """The output."""


class VideoOutputCopyPixelBufferParams(_VideoOutputCopyPixelBufferParamsRequired, total=False):
    """The params of ``videoOutput/copyPixelBuffer``."""

    itemTime: TimeInput
    """The item's time."""
    hostTime: TimeInput
    """The time of the player's clock."""
    onlyIfNew: bool
    """True to deliver a frame only once. Default: ``true``."""
    timeoutMs: int
    """The time to wait for a frame that isn't decoded yet, in milliseconds. Default: ``0``."""


class VideoOutputRequestNotificationOfMediaDataChangeParams(TypedDict):
    """The params of ``videoOutput/requestNotificationOfMediaDataChange``."""

    videoOutput: VideoOutputHandle
    """The output."""
    advanceInterval: TimeInput
    """The time by which the notification precedes the frame."""


class _PlayerLooperCreateParamsRequired(TypedDict):
    player: PlayerHandle
    """The player."""
    templateItem: PlayerItemHandle
    """The item, which is in no other player. One that is in the queue already changes its place."""


class PlayerLooperCreateParams(_PlayerLooperCreateParamsRequired, total=False):
    """The params of ``playerLooper/create``."""

    timeRange: TimeRangeInput
    """The range of the item; all of it when absent or `"invalid"`. A pass ends at the item's end
    time in its direction at the latest.
    """
    existingItemsOrdering: LooperOrdering
    """The place among the items of the queue. Default: ``"loopingItemsPrecedeExistingItems"``."""


class PlayerLooperStateParams(TypedDict):
    """The params of ``playerLooper/state``."""

    playerLooper: PlayerLooperHandle
    """The looper."""


class PlayerLooperDisableParams(TypedDict):
    """The params of ``playerLooper/disable``."""

    playerLooper: PlayerLooperHandle
    """The looper."""


class AudioPlayerCreateParams(TypedDict, total=False):
    """The params of ``audioPlayer/create``."""

    url: str
    """The path or `file:` URL of a file; if there is no `asset`."""
    asset: AssetHandle
    """An asset, in place of a file."""
    audioDevice: AudioDevice
    """The destination of audio. Left out: none on a `manual` clock, else the server's default
    device. A device can't be on a `manual` clock. One that can't be opened, or that the server
    hasn't, is no error here: playback goes on without audio, and `audioPlayer/didChange` has
    the reason.
    """
    clock: PlayerClock
    """The clock that host times are on. Default: ``"audio"``."""
    numberOfLoops: int
    """The number of passes after the first one; -1 for an unlimited number. Default: ``0``."""
    pan: float
    """The position between left, -1, and right, 1. At 0 both sides are unchanged, at ±1 one of
    them is silent. Default: ``0``.
    """
    volume: float
    """The volume, from 0 to 1. Default: ``1``."""
    enableRate: bool
    """True if `rate` is used, and may be changed. Default: ``false``."""
    rate: float
    """The rate, from 0.5 to 2; the pitch stays. Default: ``1``."""
    isMeteringEnabled: bool
    """True if `audioPlayer/meters` may be requested. Default: ``false``."""
    meterInterval: TimeInput
    """The time of the audio between two `audioPlayer/didMeter`, at least 20 ms; none are sent when
    absent. With it, metering is enabled.
    """


class AudioPlayerPrepareToPlayParams(TypedDict):
    """The params of ``audioPlayer/prepareToPlay``."""

    audioPlayer: AudioPlayerHandle
    """The audio player."""


class _AudioPlayerPlayParamsRequired(TypedDict):
    audioPlayer: AudioPlayerHandle
    """The audio player."""


class AudioPlayerPlayParams(_AudioPlayerPlayParamsRequired, total=False):
    """The params of ``audioPlayer/play``."""

    atHostTime: TimeInput
    """The time of the player's clock to begin at; as soon as possible when absent. If it has
    passed, playback is where it would be if it had begun then.
    """


class AudioPlayerPauseParams(TypedDict):
    """The params of ``audioPlayer/pause``."""

    audioPlayer: AudioPlayerHandle
    """The audio player."""


class AudioPlayerStopParams(TypedDict):
    """The params of ``audioPlayer/stop``."""

    audioPlayer: AudioPlayerHandle
    """The audio player."""


class _AudioPlayerSetParamsRequired(TypedDict):
    audioPlayer: AudioPlayerHandle
    """The audio player."""


class AudioPlayerSetParams(_AudioPlayerSetParamsRequired, total=False):
    """The params of ``audioPlayer/set``."""

    volume: float
    """The volume, from 0 to 1."""
    fadeDuration: TimeInput
    """The time over which the volume changes, as far as it plays; only with `volume`."""
    pan: float
    """The position between left, -1, and right, 1."""
    rate: float
    """The rate, from 0.5 to 2; refused if rates aren't enabled."""
    numberOfLoops: int
    """The number of passes after the current one; -1 for an unlimited number."""
    currentTime: TimeInput
    """The time to go to, exactly: from 0 to the duration."""


class AudioPlayerStateParams(TypedDict):
    """The params of ``audioPlayer/state``."""

    audioPlayer: AudioPlayerHandle
    """The audio player."""


class AudioPlayerMetersParams(TypedDict):
    """The params of ``audioPlayer/meters``."""

    audioPlayer: AudioPlayerHandle
    """The audio player."""


class _AudioPlayerAdvanceClockParamsRequired(TypedDict):
    audioPlayer: AudioPlayerHandle
    """The audio player."""


class AudioPlayerAdvanceClockParams(_AudioPlayerAdvanceClockParamsRequired, total=False):
    """The params of ``audioPlayer/advanceClock``."""

    by: TimeInput
    """The time to advance by, up to 24 hours; 0 only waits for work in progress. Either this or
    `to` is required.
    """
    to: TimeInput
    """The time of the clock to go to, not before its own."""


class AudioPlayerFinishAudioFileParams(TypedDict):
    """The params of ``audioPlayer/finishAudioFile``."""

    audioPlayer: AudioPlayerHandle
    """The audio player."""


class CaptureSessionCreateParams(TypedDict, total=False):
    """The params of ``captureSession/create``."""

    preset: CapturePreset
    """The rule by which the formats of devices are chosen. Default: ``"high"``."""
    clock: CaptureClock
    """The session's clock. Default: ``"host"``."""


class _CaptureSessionConfigureParamsRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""
    changes: List[CaptureChangeInput]
    """The changes, in this order; at most 999."""


class CaptureSessionConfigureParams(_CaptureSessionConfigureParamsRequired, total=False):
    """The params of ``captureSession/configure``."""

    dryRun: bool
    """True to return the results of the changes without making them. Default: ``false``."""


class _CaptureSessionStartParamsRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""


class CaptureSessionStartParams(_CaptureSessionStartParamsRequired, total=False):
    """The params of ``captureSession/start``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _CaptureSessionStopParamsRequired(TypedDict):
    captureSession: CaptureSessionHandle
    """The session."""


class CaptureSessionStopParams(_CaptureSessionStopParamsRequired, total=False):
    """The params of ``captureSession/stop``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class CaptureSessionStateParams(TypedDict):
    """The params of ``captureSession/state``."""

    captureSession: CaptureSessionHandle
    """The session."""


class CaptureSessionAdvanceClockParams(TypedDict):
    """The params of ``captureSession/advanceClock``."""

    captureSession: CaptureSessionHandle
    """The session."""
    by: TimeInput
    """The time to advance by, above 0."""


class _CaptureOutputStartRecordingParamsRequired(TypedDict):
    captureOutput: CaptureOutputHandle
    """The output."""
    outputURL: str
    """The file to create, a path or a `file:` URL."""


class CaptureOutputStartRecordingParams(_CaptureOutputStartRecordingParamsRequired, total=False):
    """The params of ``captureOutput/startRecording``."""

    fileType: str
    """The type of the file, a short name or a uniform type; from the path's extension when absent.
    """
    settings: RecordingSettings
    """The treatment of the tracks."""
    metadata: List[MetadataEntry]
    """The metadata of the file."""
    maxRecordedDuration: TimeInput
    """The duration at which it ends, with `maximumDurationReached`. A device that delivers nothing
    isn't waited for: the session's clock ends its track, and the message names the track.
    """
    maxRecordedFileSize: int
    """The maximum size of the file in bytes; the recording ends with `maximumFileSizeReached`."""
    minFreeDiskSpaceLimit: int
    """The minimum free space on the disk, in bytes; the recording ends with `diskFull`. Default:
    ``67108864``.
    """
    movieFragmentInterval: TimeInput
    """The time between two fragments, from 0.1 to 60 seconds; `"invalid"` for a plain file, which
    is either complete or absent. Default: ``2``.
    """
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class CaptureOutputStopRecordingParams(TypedDict):
    """The params of ``captureOutput/stopRecording``."""

    captureOutput: CaptureOutputHandle
    """The output."""


class CaptureOutputPauseRecordingParams(TypedDict):
    """The params of ``captureOutput/pauseRecording``."""

    captureOutput: CaptureOutputHandle
    """The output."""


class CaptureOutputResumeRecordingParams(TypedDict):
    """The params of ``captureOutput/resumeRecording``."""

    captureOutput: CaptureOutputHandle
    """The output."""


class CaptureOutputRecordingStateParams(TypedDict):
    """The params of ``captureOutput/recordingState``."""

    captureOutput: CaptureOutputHandle
    """The output."""


class _CaptureOutputNextSampleBuffersParamsRequired(TypedDict):
    captureOutput: CaptureOutputHandle
    """The output."""


class CaptureOutputNextSampleBuffersParams(_CaptureOutputNextSampleBuffersParamsRequired, total=False):
    """The params of ``captureOutput/nextSampleBuffers``."""

    maxCount: int
    """The maximum number of samples, from 1 to 256. Default: ``1``."""
    timeoutMs: int
    """The maximum time to wait for the first sample, in milliseconds. Default: ``1000``."""


class _CaptureOutputCapturePhotoParamsRequired(TypedDict):
    captureOutput: CaptureOutputHandle
    """The output."""


class CaptureOutputCapturePhotoParams(_CaptureOutputCapturePhotoParamsRequired, total=False):
    """The params of ``captureOutput/capturePhoto``."""

    format: ImageFormat
    """The format. Default: ``"jpeg"``."""
    quality: float
    """The quality of `jpeg` and `webp`, from 0 to 1. Default: ``0.85``."""
    width: int
    """The width in pixels; the frame's when absent."""
    delivery: VideoOutputDelivery
    """The destination of the bytes. Default: ``"shm"``."""
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class CaptureOutputLevelsParams(TypedDict):
    """The params of ``captureOutput/levels``."""

    captureOutput: CaptureOutputHandle
    """The output."""


class _CaptureOutputObserveLevelsParamsRequired(TypedDict):
    captureOutput: CaptureOutputHandle
    """The output."""


class CaptureOutputObserveLevelsParams(_CaptureOutputObserveLevelsParamsRequired, total=False):
    """The params of ``captureOutput/observeLevels``."""

    interval: TimeInput
    """The time between two notifications, at least 0.01 seconds. Default: ``0.05``."""
    isObserving: bool
    """False to stop the notifications. Default: ``true``."""


class _AudioRecorderCreateParamsRequired(TypedDict):
    url: str
    """The file to create, a path or a `file:` URL."""


class AudioRecorderCreateParams(_AudioRecorderCreateParamsRequired, total=False):
    """The params of ``audioRecorder/create``."""

    settings: AudioEncoding
    """The encoding of the audio; when absent, that of the type of the file."""
    device: str
    """The `uniqueID` of the device, or `default` for the default microphone. Default:
    ``"default"``.
    """
    clock: CaptureClock
    """The clock. Default: ``"host"``."""
    deviceSettings: CaptureSettingsInput
    """The settings of the device's input, as in `captureSession/configure`."""


class AudioRecorderPrepareToRecordParams(TypedDict):
    """The params of ``audioRecorder/prepareToRecord``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""


class _AudioRecorderRecordParamsRequired(TypedDict):
    audioRecorder: AudioRecorderHandle
    """The recorder."""


class AudioRecorderRecordParams(_AudioRecorderRecordParamsRequired, total=False):
    """The params of ``audioRecorder/record``."""

    atHostTime: TimeInput
    """The time of the clock for the first sample; as soon as possible when absent."""
    forDuration: TimeInput
    """The duration after which it stops automatically."""
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class AudioRecorderPauseParams(TypedDict):
    """The params of ``audioRecorder/pause``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""


class AudioRecorderStopParams(TypedDict):
    """The params of ``audioRecorder/stop``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""


class AudioRecorderDeleteRecordingParams(TypedDict):
    """The params of ``audioRecorder/deleteRecording``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""


class AudioRecorderStateParams(TypedDict):
    """The params of ``audioRecorder/state``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""


class AudioRecorderMetersParams(TypedDict):
    """The params of ``audioRecorder/meters``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""


class AudioRecorderAdvanceClockParams(TypedDict):
    """The params of ``audioRecorder/advanceClock``."""

    audioRecorder: AudioRecorderHandle
    """The recorder."""
    by: TimeInput
    """The time to advance by, above 0."""


class CaptureAuthorizationStatusParams(TypedDict):
    """The params of ``capture/authorizationStatus``."""

    mediaType: CaptureMediaType
    """The media of the devices: cameras, microphones and the audio that sinks play, or screens."""


class CaptureDevicesParams(TypedDict, total=False):
    """The params of ``capture/devices``."""

    mediaType: CaptureMediaType
    """The media of the devices; any when absent."""
    direction: DeviceDirection
    """The direction of the media. Default: ``"input"``."""


class CaptureObserveDevicesParams(TypedDict):
    """The params of ``capture/observeDevices``."""

    isObserving: bool
    """False to stop them."""


class LibraryOpenParams(TypedDict, total=False):
    """The params of ``library/open``."""

    database: str
    """The path of the database. When absent, it is a file in `$XDG_DATA_HOME/reelwire`, by default
    `~/.local/share/reelwire`: one of its own for each list of `folders`, or `library.sqlite`
    without any.
    """
    folders: List[LibraryFolder]
    """Folders to add to the library; those that it has already stay."""
    watch: bool
    """True if the library is kept up to date while it is open. Default: ``true``."""


class _LibraryAddFolderParamsRequired(TypedDict):
    library: LibraryHandle
    """The library."""
    path: str
    """The path of the folder."""


class LibraryAddFolderParams(_LibraryAddFolderParamsRequired, total=False):
    """The params of ``library/addFolder``."""

    excluded: List[str]
    """Folders below it that don't belong to the library, as paths from it. Left out: no change,
    which is none for a new folder.
    """
    followsSymbolicLinks: bool
    """True to follow symbolic links in it. Left out: no change, which is `false` for a new folder.
    """


class LibraryRemoveFolderParams(TypedDict):
    """The params of ``library/removeFolder``."""

    library: LibraryHandle
    """The library."""
    path: str
    """The path of the folder."""


class _LibraryScanParamsRequired(TypedDict):
    library: LibraryHandle
    """The library."""


class LibraryScanParams(_LibraryScanParamsRequired, total=False):
    """The params of ``library/scan``."""

    folder: str
    """The path of a folder of the library, or of one below; all of its folders when absent."""
    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class LibraryCancelScanParams(TypedDict):
    """The params of ``library/cancelScan``."""

    library: LibraryHandle
    """The library."""


class LibraryStatusParams(TypedDict):
    """The params of ``library/status``."""

    library: LibraryHandle
    """The library."""


class _LibraryFetchParamsRequired(TypedDict):
    library: LibraryHandle
    """The library."""


class LibraryFetchParams(_LibraryFetchParamsRequired, total=False):
    """The params of ``library/fetch``."""

    mediaType: LibraryMediaType
    """The kind of media; all when absent."""
    predicate: LibraryPredicate
    """The condition on the items; all when absent."""
    sort: List[LibrarySort]
    """The order, 16 keys at most; ties, and all items when absent, are in the order in which they
    were added.
    """
    limit: int
    """The maximum number of items."""
    observe: bool
    """True if `library/didChange` reports the changes of the result. Default: ``false``."""


class LibraryCollectionsParams(TypedDict):
    """The params of ``library/collections``."""

    library: LibraryHandle
    """The library."""
    type: LibraryCollectionType
    """The property that the items of each have in common."""


class LibraryChangesParams(TypedDict):
    """The params of ``library/changes``."""

    library: LibraryHandle
    """The library."""
    since: int
    """A change token; the last 100,000 changes are known."""


class _LibraryDuplicatesParamsRequired(TypedDict):
    library: LibraryHandle
    """The library."""


class LibraryDuplicatesParams(_LibraryDuplicatesParamsRequired, total=False):
    """The params of ``library/duplicates``."""

    completion: Completion
    """The moment of the answer. Default: ``"notification"``."""


class _FetchResultItemsParamsRequired(TypedDict):
    fetchResult: FetchResultHandle
    """The result."""


class FetchResultItemsParams(_FetchResultItemsParamsRequired, total=False):
    """The params of ``fetchResult/items``."""

    start: int
    """The index of the first one. Default: ``0``."""
    count: int
    """The number of items, from 1 to 500. Default: ``100``."""
    keys: List[LibraryItemKey]
    """The members of each item in addition to its identifier; all when absent."""


class FetchResultIndexParams(TypedDict):
    """The params of ``fetchResult/index``."""

    fetchResult: FetchResultHandle
    """The result."""
    item: str
    """The item's identifier."""


class FetchResultCountParams(TypedDict):
    """The params of ``fetchResult/count``."""

    fetchResult: FetchResultHandle
    """The result."""
    by: str
    """The key, as of `LibraryComparison`."""


class _LibraryItemValuesParamsRequired(TypedDict):
    library: LibraryHandle
    """The library."""
    item: str
    """The item's identifier."""


class LibraryItemValuesParams(_LibraryItemValuesParamsRequired, total=False):
    """The params of ``libraryItem/values``."""

    keys: List[str]
    """The keys of `values`; all when absent."""


class _LibraryItemThumbnailParamsRequired(TypedDict):
    library: LibraryHandle
    """The library."""
    item: str
    """The item's identifier."""


class LibraryItemThumbnailParams(_LibraryItemThumbnailParamsRequired, total=False):
    """The params of ``libraryItem/thumbnail``."""

    width: int
    """The longer side, in pixels, from 16 to 2,048; a smaller image keeps its size. Default:
    ``256``.
    """
    delivery: Delivery
    """The destination of the image's bytes. Default: ``"inline"``."""


class TimeAddParams(TypedDict):
    """The params of ``time/add``."""

    lhs: TimeInput
    """One time."""
    rhs: TimeInput
    """The other time."""


class TimeSubtractParams(TypedDict):
    """The params of ``time/subtract``."""

    lhs: TimeInput
    """The time from which `rhs` is subtracted."""
    rhs: TimeInput
    """The time to subtract."""


class TimeMultiplyParams(TypedDict):
    """The params of ``time/multiply``."""

    time: TimeInput
    """The time."""
    by: Factor
    """The factor."""


class TimeCompareParams(TypedDict):
    """The params of ``time/compare``."""

    lhs: TimeInput
    """One time."""
    rhs: TimeInput
    """The other time."""


class _TimeConvertScaleParamsRequired(TypedDict):
    time: TimeInput
    """The time."""
    timescale: int
    """The new timescale, 1 or more."""


class TimeConvertScaleParams(_TimeConvertScaleParamsRequired, total=False):
    """The params of ``time/convertScale``."""

    rounding: Rounding
    """The rounding. Default: ``"halfAwayFromZero"``."""


class TimeSecondsParams(TypedDict):
    """The params of ``time/seconds``."""

    time: TimeInput
    """The time."""


class TimeDescribeParams(TypedDict):
    """The params of ``time/describe``."""

    time: TimeInput
    """The time."""


class TimeRangeEndParams(TypedDict):
    """The params of ``timeRange/end``."""

    range: TimeRangeInput
    """The range."""


class _TimeRangeContainsParamsRequired(TypedDict):
    range: TimeRangeInput
    """The outer range."""


class TimeRangeContainsParams(_TimeRangeContainsParamsRequired, total=False):
    """The params of ``timeRange/contains``."""

    time: TimeInput
    """The time to look for."""
    timeRange: TimeRangeInput
    """The range to look for."""


class TimeRangeUnionParams(TypedDict):
    """The params of ``timeRange/union``."""

    lhs: TimeRangeInput
    """One range."""
    rhs: TimeRangeInput
    """The other range."""


class TimeRangeIntersectionParams(TypedDict):
    """The params of ``timeRange/intersection``."""

    lhs: TimeRangeInput
    """One range."""
    rhs: TimeRangeInput
    """The other range."""


class TimeRangeEqualParams(TypedDict):
    """The params of ``timeRange/equal``."""

    lhs: TimeRangeInput
    """One range."""
    rhs: TimeRangeInput
    """The other range."""


class TimeRangeClampParams(TypedDict):
    """The params of ``timeRange/clamp``."""

    range: TimeRangeInput
    """The range."""
    time: TimeInput
    """The time."""


class TimeRangeFoldParams(TypedDict):
    """The params of ``timeRange/fold``."""

    range: TimeRangeInput
    """The range."""
    time: TimeInput
    """The time."""


TimeRangeMapParams = TypedDict(
    "TimeRangeMapParams",
    {
        "time": "TimeInput",
        "from": "TimeRangeInput",
        "to": "TimeRangeInput",
    },
)


class ExitParams(TypedDict, total=False):
    """The params of ``exit``."""


class CancelRequestParams(TypedDict):
    """The params of ``$/cancelRequest``."""

    id: Any
    """The id of the request to cancel; one that is unknown or answered is ignored."""


class BlobReleaseParams(TypedDict):
    """The params of ``blob/release``."""

    leases: List[LeaseHandle]
    """The leases, any number of them."""


class _ResourceDidReadParamsRequired(TypedDict):
    resource: ResourceHandle
    """The resource."""
    request: int
    """The number of the read."""


class ResourceDidReadParams(_ResourceDidReadParamsRequired, total=False):
    """The params of ``resource/didRead``."""

    blob: ResourceBytes
    """The bytes."""
    error: ResourceError
    """The reason for which there are none."""
    isEnd: bool
    """True if the resource ends after these bytes. Default: ``false``."""


ERROR_NAMES: Dict[int, str] = {
    -32700: "parseError",
    -32600: "invalidRequest",
    -32601: "methodNotFound",
    -32602: "invalidParams",
    -32603: "internalError",
    -32800: "requestCancelled",
    -11800: "unknown",
    -11801: "outOfMemory",
    -11803: "sessionNotRunning",
    -11804: "deviceAlreadyUsedByAnotherSession",
    -11805: "noDataCaptured",
    -11806: "sessionConfigurationChanged",
    -11807: "diskFull",
    -11808: "deviceWasDisconnected",
    -11809: "mediaChanged",
    -11810: "maximumDurationReached",
    -11811: "maximumFileSizeReached",
    -11812: "mediaDiscontinuity",
    -11813: "maximumNumberOfSamplesForFileFormatReached",
    -11814: "deviceNotConnected",
    -11815: "deviceInUseByAnotherApplication",
    -11817: "deviceLockedForConfigurationByAnotherProcess",
    -11818: "sessionWasInterrupted",
    -11819: "mediaServicesWereReset",
    -11820: "exportFailed",
    -11821: "decodeFailed",
    -11822: "invalidSourceMedia",
    -11823: "fileAlreadyExists",
    -11824: "compositionTrackSegmentsNotContiguous",
    -11825: "invalidCompositionTrackSegmentDuration",
    -11826: "invalidCompositionTrackSegmentSourceStartTime",
    -11827: "invalidCompositionTrackSegmentSourceDuration",
    -11828: "fileFormatNotRecognized",
    -11829: "fileFailedToParse",
    -11830: "maximumStillImageCaptureRequestsExceeded",
    -11831: "contentIsProtected",
    -11832: "noImageAtTime",
    -11833: "decoderNotFound",
    -11834: "encoderNotFound",
    -11835: "contentIsNotAuthorized",
    -11836: "applicationIsNotAuthorized",
    -11838: "operationNotSupportedForAsset",
    -11839: "decoderTemporarilyUnavailable",
    -11840: "encoderTemporarilyUnavailable",
    -11841: "invalidVideoComposition",
    -11842: "referenceForbiddenByReferencePolicy",
    -11843: "invalidOutputURLPathExtension",
    -11844: "screenCaptureFailed",
    -11847: "operationInterrupted",
    -11848: "incompatibleAsset",
    -11849: "failedToLoadMediaData",
    -11850: "serverIncorrectlyConfigured",
    -11852: "applicationIsNotAuthorizedToUseDevice",
    -11853: "failedToParse",
    -11854: "fileTypeDoesNotSupportSampleReferences",
    -11855: "undecodableMediaData",
    -11858: "videoCompositorFailed",
    -11859: "recordingAlreadyInProgress",
    -11861: "unsupportedOutputSettings",
    -11862: "operationNotAllowed",
    -11863: "contentIsUnavailable",
    -11864: "formatUnsupported",
    -11866: "contentNotUpdated",
    -11867: "noLongerPlayable",
    -11869: "noSourceTrack",
    -11871: "operationNotSupportedForPreset",
    -11875: "incorrectlyConfigured",
    -11876: "segmentStartedWithNonSyncSample",
    -11878: "operationCancelled",
    -11880: "invalidSampleCursor",
    -11881: "failedToLoadSampleData",
    -11883: "encodeFailed",
    -11884: "sandboxExtensionDenied",
    1001: "unknownHandle",
    1002: "wrongHandleKind",
    1003: "valueNotLoaded",
    1004: "workerDied",
    2001: "leasesExhausted",
    2002: "changeTokenExpired",
    3001: "pathNotAllowed",
    3002: "limitExceeded",
    4001: "resourceTimedOut",
}
"""The name of each error code."""


TERMINAL_NOTIFICATIONS: Dict[str, str] = {
    "asset/loadValues": "asset/didLoadValues",
    "track/loadValues": "track/didLoadValues",
    "imageGenerator/generateImages": "imageGenerator/didFinish",
    "imageGenerator/contactSheet": "imageGenerator/didFinishContactSheet",
    "exportSession/export": "exportSession/didFinish",
    "exportSession/exportPart": "exportSession/didFinish",
    "exportSession/join": "exportSession/didFinish",
    "assetWriter/transfer": "assetWriter/didTransfer",
    "assetWriter/finish": "assetWriter/didFinish",
    "waveform/generate": "waveform/didFinish",
    "analysis/sceneChanges": "analysis/didFindSceneChanges",
    "analysis/silences": "analysis/didFindSilences",
    "analysis/loudness": "analysis/didMeasureLoudness",
    "player/seek": "player/didSeek",
    "player/preroll": "player/didPreroll",
    "captureSession/start": "captureSession/didStart",
    "captureSession/stop": "captureSession/didStop",
    "captureOutput/startRecording": "captureOutput/didFinishRecording",
    "captureOutput/capturePhoto": "captureOutput/didFinishCapture",
    "audioRecorder/record": "audioRecorder/didFinishRecording",
    "library/scan": "library/didScan",
    "library/duplicates": "library/didFindDuplicates",
}
"""The notification that ends the work of each request that starts some."""


class Request(Protocol):
    """Sends a request and answers."""

    @overload
    def __call__(
        self, method: Literal["initialize"], params: InitializeParams = ...
    ) -> InitializeResult: ...

    @overload
    def __call__(
        self, method: Literal["shutdown"], params: ShutdownParams = ...
    ) -> None: ...

    @overload
    def __call__(
        self, method: Literal["rpc.discover"], params: RpcDiscoverParams = ...
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["engine/capabilities"], params: EngineCapabilitiesParams = ...
    ) -> EngineCapabilitiesResult: ...

    @overload
    def __call__(
        self, method: Literal["engine/stats"], params: EngineStatsParams = ...
    ) -> EngineStatsResult: ...

    @overload
    def __call__(
        self, method: Literal["engine/hostTime"], params: EngineHostTimeParams = ...
    ) -> EngineHostTimeResult: ...

    @overload
    def __call__(
        self, method: Literal["engine/setLogLevel"], params: EngineSetLogLevelParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["handle/list"], params: HandleListParams = ...
    ) -> HandleListResult: ...

    @overload
    def __call__(
        self, method: Literal["handle/close"], params: HandleCloseParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["asset/open"], params: AssetOpenParams = ...
    ) -> AssetOpenResult: ...

    @overload
    def __call__(
        self, method: Literal["asset/loadValues"], params: AssetLoadValuesParams
    ) -> Union[OperationStarted, AssetDidLoadValues]: ...

    @overload
    def __call__(
        self, method: Literal["asset/valueStatus"], params: AssetValueStatusParams
    ) -> AssetValueStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["asset/cancelLoading"], params: AssetCancelLoadingParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["asset/tracks"], params: AssetTracksParams
    ) -> AssetTracksResult: ...

    @overload
    def __call__(
        self, method: Literal["asset/findUnusedTrackID"], params: AssetFindUnusedTrackIDParams
    ) -> AssetFindUnusedTrackIDResult: ...

    @overload
    def __call__(
        self, method: Literal["asset/metadata"], params: AssetMetadataParams
    ) -> AssetMetadataResult: ...

    @overload
    def __call__(
        self,
        method: Literal["asset/chapterMetadataGroups"],
        params: AssetChapterMetadataGroupsParams,
    ) -> AssetChapterMetadataGroupsResult: ...

    @overload
    def __call__(
        self, method: Literal["asset/mediaSelectionGroup"], params: AssetMediaSelectionGroupParams
    ) -> AssetMediaSelectionGroupResult: ...

    @overload
    def __call__(
        self, method: Literal["resource/allocate"], params: ResourceAllocateParams
    ) -> ResourceAllocateResult: ...

    @overload
    def __call__(
        self, method: Literal["track/loadValues"], params: TrackLoadValuesParams
    ) -> Union[OperationStarted, TrackDidLoadValues]: ...

    @overload
    def __call__(
        self, method: Literal["track/valueStatus"], params: TrackValueStatusParams
    ) -> TrackValueStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["track/segment"], params: TrackSegmentParams
    ) -> TrackSegmentResult: ...

    @overload
    def __call__(
        self,
        method: Literal["track/samplePresentationTime"],
        params: TrackSamplePresentationTimeParams,
    ) -> TrackSamplePresentationTimeResult: ...

    @overload
    def __call__(
        self, method: Literal["track/associatedTracks"], params: TrackAssociatedTracksParams
    ) -> TrackAssociatedTracksResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/create"], params: CompositionCreateParams = ...
    ) -> CompositionCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/assemble"], params: CompositionAssembleParams
    ) -> CompositionAssembleResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/import"], params: CompositionImportParams
    ) -> CompositionImportResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/openTimelineIO"], params: CompositionOpenTimelineIOParams
    ) -> CompositionOpenTimelineIOResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/copy"], params: CompositionCopyParams
    ) -> CompositionCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/timeline"], params: CompositionTimelineParams
    ) -> CompositionTimelineResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/set"], params: CompositionSetParams
    ) -> CompositionState: ...

    @overload
    def __call__(
        self, method: Literal["composition/addTrack"], params: CompositionAddTrackParams
    ) -> CompositionAddTrackResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/removeTrack"], params: CompositionRemoveTrackParams
    ) -> CompositionState: ...

    @overload
    def __call__(
        self, method: Literal["composition/setTrack"], params: CompositionSetTrackParams
    ) -> CompositionState: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/compatibleTrack"],
        params: CompositionCompatibleTrackParams,
    ) -> CompositionCompatibleTrackResult: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/insertTimeRange"],
        params: CompositionInsertTimeRangeParams,
    ) -> CompositionInsertTimeRangeResult: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/insertTimeRanges"],
        params: CompositionInsertTimeRangesParams,
    ) -> CompositionInsertTimeRangeResult: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/insertEmptyTimeRange"],
        params: CompositionInsertEmptyTimeRangeParams,
    ) -> CompositionState: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/removeTimeRange"],
        params: CompositionRemoveTimeRangeParams,
    ) -> CompositionState: ...

    @overload
    def __call__(
        self, method: Literal["composition/scaleTimeRange"], params: CompositionScaleTimeRangeParams
    ) -> CompositionState: ...

    @overload
    def __call__(
        self, method: Literal["composition/segments"], params: CompositionSegmentsParams
    ) -> CompositionSegmentsResult: ...

    @overload
    def __call__(
        self, method: Literal["composition/setSegments"], params: CompositionSetSegmentsParams
    ) -> CompositionState: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/validateSegments"],
        params: CompositionValidateSegmentsParams,
    ) -> CompositionValidateSegmentsResult: ...

    @overload
    def __call__(
        self,
        method: Literal["videoComposition/withPropertiesOf"],
        params: VideoCompositionWithPropertiesOfParams,
    ) -> VideoCompositionWithPropertiesOfResult: ...

    @overload
    def __call__(
        self, method: Literal["videoComposition/validate"], params: VideoCompositionValidateParams
    ) -> VideoCompositionValidateResult: ...

    @overload
    def __call__(
        self, method: Literal["videoComposition/ramp"], params: VideoCompositionRampParams
    ) -> VideoCompositionRampResult: ...

    @overload
    def __call__(
        self, method: Literal["audioMix/volumeRamp"], params: AudioMixVolumeRampParams
    ) -> AudioMixVolumeRampResult: ...

    @overload
    def __call__(
        self,
        method: Literal["videoComposition/finishFrame"],
        params: VideoCompositionFinishFrameParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["imageGenerator/create"], params: ImageGeneratorCreateParams
    ) -> ImageGeneratorCreateResult: ...

    @overload
    def __call__(
        self,
        method: Literal["imageGenerator/generateImage"],
        params: ImageGeneratorGenerateImageParams,
    ) -> ImageGeneratorGenerateImageResult: ...

    @overload
    def __call__(
        self,
        method: Literal["imageGenerator/generateImages"],
        params: ImageGeneratorGenerateImagesParams,
    ) -> Union[OperationStarted, ImageGeneratorDidFinish]: ...

    @overload
    def __call__(
        self,
        method: Literal["imageGenerator/contactSheet"],
        params: ImageGeneratorContactSheetParams,
    ) -> Union[OperationStarted, ImageGeneratorDidFinishContactSheet]: ...

    @overload
    def __call__(
        self, method: Literal["imageGenerator/cancelAll"], params: ImageGeneratorCancelAllParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/presets"], params: ExportSessionPresetsParams = ...
    ) -> ExportSessionPresetsResult: ...

    @overload
    def __call__(
        self,
        method: Literal["exportSession/compatiblePresets"],
        params: ExportSessionCompatiblePresetsParams,
    ) -> ExportSessionCompatiblePresetsResult: ...

    @overload
    def __call__(
        self,
        method: Literal["exportSession/compatibleFileTypes"],
        params: ExportSessionCompatibleFileTypesParams,
    ) -> ExportSessionCompatibleFileTypesResult: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/create"], params: ExportSessionCreateParams
    ) -> ExportSessionCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/preflight"], params: ExportSessionPreflightParams
    ) -> ExportSessionPreflightResult: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/estimate"], params: ExportSessionEstimateParams
    ) -> ExportSessionEstimateResult: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/export"], params: ExportSessionExportParams
    ) -> Union[OperationStarted, ExportSessionDidFinish]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/plan"], params: ExportSessionPlanParams
    ) -> ExportSessionPlanResult: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/exportPart"], params: ExportSessionExportPartParams
    ) -> Union[OperationStarted, ExportSessionDidFinish]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/join"], params: ExportSessionJoinParams
    ) -> Union[OperationStarted, ExportSessionDidFinish]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/status"], params: ExportSessionStatusParams
    ) -> ExportSessionStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/cancel"], params: ExportSessionCancelParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/create"], params: AssetReaderCreateParams
    ) -> AssetReaderCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/start"], params: AssetReaderStartParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["assetReader/nextSampleBuffers"],
        params: AssetReaderNextSampleBuffersParams,
    ) -> AssetReaderNextSampleBuffersResult: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/status"], params: AssetReaderStatusParams
    ) -> AssetReaderStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/reset"], params: AssetReaderResetParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["assetReader/markConfigurationAsFinal"],
        params: AssetReaderMarkConfigurationAsFinalParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/cancel"], params: AssetReaderCancelParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/canAdd"], params: AssetWriterCanAddParams
    ) -> AssetWriterCanAddResult: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/create"], params: AssetWriterCreateParams
    ) -> AssetWriterCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/start"], params: AssetWriterStartParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/startSession"], params: AssetWriterStartSessionParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/endSession"], params: AssetWriterEndSessionParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/append"], params: AssetWriterAppendParams
    ) -> AssetWriterAppendResult: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/allocate"], params: AssetWriterAllocateParams
    ) -> AssetWriterAllocateResult: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/markAsFinished"], params: AssetWriterMarkAsFinishedParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["assetWriter/requestMediaData"],
        params: AssetWriterRequestMediaDataParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/transfer"], params: AssetWriterTransferParams
    ) -> Union[OperationStarted, AssetWriterDidTransfer]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/flushSegment"], params: AssetWriterFlushSegmentParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/finish"], params: AssetWriterFinishParams
    ) -> Union[OperationStarted, AssetWriterDidFinish]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/status"], params: AssetWriterStatusParams
    ) -> AssetWriterStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/cancel"], params: AssetWriterCancelParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/create"], params: SampleCursorCreateParams
    ) -> SampleCursorCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/step"], params: SampleCursorStepParams
    ) -> SampleCursorStepResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/stepByTime"], params: SampleCursorStepByTimeParams
    ) -> SampleCursorStepByTimeResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/sample"], params: SampleCursorSampleParams
    ) -> SampleCursorSampleResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/samples"], params: SampleCursorSamplesParams
    ) -> SampleCursorSamplesResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/chunk"], params: SampleCursorChunkParams
    ) -> SampleCursorChunkResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/copy"], params: SampleCursorCopyParams
    ) -> SampleCursorCopyResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/compare"], params: SampleCursorCompareParams
    ) -> SampleCursorCompareResult: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/reordering"], params: SampleCursorReorderingParams
    ) -> SampleCursorReorderingResult: ...

    @overload
    def __call__(
        self, method: Literal["waveform/generate"], params: WaveformGenerateParams
    ) -> Union[OperationStarted, WaveformDidFinish]: ...

    @overload
    def __call__(
        self, method: Literal["analysis/sceneChanges"], params: AnalysisSceneChangesParams
    ) -> Union[OperationStarted, AnalysisDidFindSceneChanges]: ...

    @overload
    def __call__(
        self, method: Literal["analysis/silences"], params: AnalysisSilencesParams
    ) -> Union[OperationStarted, AnalysisDidFindSilences]: ...

    @overload
    def __call__(
        self, method: Literal["analysis/loudness"], params: AnalysisLoudnessParams
    ) -> Union[OperationStarted, AnalysisDidMeasureLoudness]: ...

    @overload
    def __call__(
        self, method: Literal["player/create"], params: PlayerCreateParams = ...
    ) -> PlayerCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["player/play"], params: PlayerPlayParams
    ) -> PlayerRate: ...

    @overload
    def __call__(
        self, method: Literal["player/pause"], params: PlayerPauseParams
    ) -> PlayerRate: ...

    @overload
    def __call__(
        self, method: Literal["player/setRate"], params: PlayerSetRateParams
    ) -> PlayerRate: ...

    @overload
    def __call__(
        self, method: Literal["player/set"], params: PlayerSetParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["player/state"], params: PlayerStateParams
    ) -> PlayerStateResult: ...

    @overload
    def __call__(
        self, method: Literal["player/seek"], params: PlayerSeekParams
    ) -> Union[RevisedOperationStarted, PlayerDidSeek]: ...

    @overload
    def __call__(
        self, method: Literal["player/cancelPendingSeeks"], params: PlayerCancelPendingSeeksParams
    ) -> CancelledCount: ...

    @overload
    def __call__(
        self, method: Literal["player/preroll"], params: PlayerPrerollParams
    ) -> Union[OperationStarted, PlayerDidPreroll]: ...

    @overload
    def __call__(
        self,
        method: Literal["player/cancelPendingPrerolls"],
        params: PlayerCancelPendingPrerollsParams,
    ) -> CancelledCount: ...

    @overload
    def __call__(
        self, method: Literal["player/replaceCurrentItem"], params: PlayerReplaceCurrentItemParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["player/items"], params: PlayerItemsParams
    ) -> PlayerItems: ...

    @overload
    def __call__(
        self, method: Literal["player/insert"], params: PlayerInsertParams
    ) -> PlayerItems: ...

    @overload
    def __call__(
        self, method: Literal["player/remove"], params: PlayerRemoveParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["player/removeAllItems"], params: PlayerRemoveAllItemsParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["player/advanceToNextItem"], params: PlayerAdvanceToNextItemParams
    ) -> PlayerAdvanceToNextItemResult: ...

    @overload
    def __call__(
        self,
        method: Literal["player/addPeriodicTimeObserver"],
        params: PlayerAddPeriodicTimeObserverParams,
    ) -> NewTimeObserver: ...

    @overload
    def __call__(
        self,
        method: Literal["player/addBoundaryTimeObserver"],
        params: PlayerAddBoundaryTimeObserverParams,
    ) -> NewTimeObserver: ...

    @overload
    def __call__(
        self, method: Literal["player/advanceClock"], params: PlayerAdvanceClockParams
    ) -> PlayerAdvanceClockResult: ...

    @overload
    def __call__(
        self, method: Literal["player/finishAudioFile"], params: PlayerFinishAudioFileParams
    ) -> PlayerFinishAudioFileResult: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/create"], params: PlayerItemCreateParams
    ) -> PlayerItemCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/set"], params: PlayerItemSetParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/select"], params: PlayerItemSelectParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/state"], params: PlayerItemStateParams
    ) -> PlayerItemStateResult: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/step"], params: PlayerItemStepParams
    ) -> PlayerItemStepResult: ...

    @overload
    def __call__(
        self, method: Literal["videoOutput/create"], params: VideoOutputCreateParams
    ) -> VideoOutputCreateResult: ...

    @overload
    def __call__(
        self,
        method: Literal["videoOutput/hasNewPixelBuffer"],
        params: VideoOutputHasNewPixelBufferParams,
    ) -> VideoOutputHasNewPixelBufferResult: ...

    @overload
    def __call__(
        self, method: Literal["videoOutput/itemTime"], params: VideoOutputItemTimeParams
    ) -> VideoOutputItemTimeResult: ...

    @overload
    def __call__(
        self,
        method: Literal["videoOutput/copyPixelBuffer"],
        params: VideoOutputCopyPixelBufferParams,
    ) -> VideoOutputCopyPixelBufferResult: ...

    @overload
    def __call__(
        self,
        method: Literal["videoOutput/requestNotificationOfMediaDataChange"],
        params: VideoOutputRequestNotificationOfMediaDataChangeParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["playerLooper/create"], params: PlayerLooperCreateParams
    ) -> PlayerLooperCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["playerLooper/state"], params: PlayerLooperStateParams
    ) -> PlayerLooperStateResult: ...

    @overload
    def __call__(
        self, method: Literal["playerLooper/disable"], params: PlayerLooperDisableParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/create"], params: AudioPlayerCreateParams = ...
    ) -> AudioPlayerCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/prepareToPlay"], params: AudioPlayerPrepareToPlayParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/play"], params: AudioPlayerPlayParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/pause"], params: AudioPlayerPauseParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/stop"], params: AudioPlayerStopParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/set"], params: AudioPlayerSetParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/state"], params: AudioPlayerStateParams
    ) -> AudioPlayerStateResult: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/meters"], params: AudioPlayerMetersParams
    ) -> AudioPlayerMetersResult: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/advanceClock"], params: AudioPlayerAdvanceClockParams
    ) -> AudioPlayerAdvanceClockResult: ...

    @overload
    def __call__(
        self,
        method: Literal["audioPlayer/finishAudioFile"],
        params: AudioPlayerFinishAudioFileParams,
    ) -> AudioPlayerFinishAudioFileResult: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/create"], params: CaptureSessionCreateParams = ...
    ) -> CaptureSessionCreateResult: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/configure"], params: CaptureSessionConfigureParams
    ) -> CaptureSessionConfigureResult: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/start"], params: CaptureSessionStartParams
    ) -> Union[OperationStarted, CaptureSessionDidStart]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/stop"], params: CaptureSessionStopParams
    ) -> Union[OperationStarted, CaptureSessionDidStop]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/state"], params: CaptureSessionStateParams
    ) -> CaptureSessionStateResult: ...

    @overload
    def __call__(
        self,
        method: Literal["captureSession/advanceClock"],
        params: CaptureSessionAdvanceClockParams,
    ) -> CaptureSessionAdvanceClockResult: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/startRecording"],
        params: CaptureOutputStartRecordingParams,
    ) -> Union[OperationStarted, CaptureOutputDidFinishRecording]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/stopRecording"],
        params: CaptureOutputStopRecordingParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/pauseRecording"],
        params: CaptureOutputPauseRecordingParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/resumeRecording"],
        params: CaptureOutputResumeRecordingParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/recordingState"],
        params: CaptureOutputRecordingStateParams,
    ) -> CaptureOutputRecordingStateResult: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/nextSampleBuffers"],
        params: CaptureOutputNextSampleBuffersParams,
    ) -> CaptureOutputNextSampleBuffersResult: ...

    @overload
    def __call__(
        self, method: Literal["captureOutput/capturePhoto"], params: CaptureOutputCapturePhotoParams
    ) -> Union[OperationStarted, CaptureOutputDidFinishCapture]: ...

    @overload
    def __call__(
        self, method: Literal["captureOutput/levels"], params: CaptureOutputLevelsParams
    ) -> CaptureOutputLevelsResult: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/observeLevels"],
        params: CaptureOutputObserveLevelsParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/create"], params: AudioRecorderCreateParams
    ) -> AudioRecorderCreateResult: ...

    @overload
    def __call__(
        self,
        method: Literal["audioRecorder/prepareToRecord"],
        params: AudioRecorderPrepareToRecordParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/record"], params: AudioRecorderRecordParams
    ) -> Union[OperationStarted, AudioRecorderDidFinishRecording]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/pause"], params: AudioRecorderPauseParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/stop"], params: AudioRecorderStopParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self,
        method: Literal["audioRecorder/deleteRecording"],
        params: AudioRecorderDeleteRecordingParams,
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/state"], params: AudioRecorderStateParams
    ) -> AudioRecorderStateResult: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/meters"], params: AudioRecorderMetersParams
    ) -> AudioRecorderMetersResult: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/advanceClock"], params: AudioRecorderAdvanceClockParams
    ) -> AudioRecorderAdvanceClockResult: ...

    @overload
    def __call__(
        self,
        method: Literal["capture/authorizationStatus"],
        params: CaptureAuthorizationStatusParams,
    ) -> CaptureAuthorizationStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["capture/devices"], params: CaptureDevicesParams = ...
    ) -> CaptureDevicesResult: ...

    @overload
    def __call__(
        self, method: Literal["capture/observeDevices"], params: CaptureObserveDevicesParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["library/open"], params: LibraryOpenParams = ...
    ) -> LibraryOpenResult: ...

    @overload
    def __call__(
        self, method: Literal["library/addFolder"], params: LibraryAddFolderParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["library/removeFolder"], params: LibraryRemoveFolderParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["library/scan"], params: LibraryScanParams
    ) -> Union[OperationStarted, LibraryDidScan]: ...

    @overload
    def __call__(
        self, method: Literal["library/cancelScan"], params: LibraryCancelScanParams
    ) -> Dict[str, Any]: ...

    @overload
    def __call__(
        self, method: Literal["library/status"], params: LibraryStatusParams
    ) -> LibraryStatusResult: ...

    @overload
    def __call__(
        self, method: Literal["library/fetch"], params: LibraryFetchParams
    ) -> LibraryFetchResult: ...

    @overload
    def __call__(
        self, method: Literal["library/collections"], params: LibraryCollectionsParams
    ) -> LibraryCollectionsResult: ...

    @overload
    def __call__(
        self, method: Literal["library/changes"], params: LibraryChangesParams
    ) -> LibraryChangesResult: ...

    @overload
    def __call__(
        self, method: Literal["library/duplicates"], params: LibraryDuplicatesParams
    ) -> Union[OperationStarted, LibraryDidFindDuplicates]: ...

    @overload
    def __call__(
        self, method: Literal["fetchResult/items"], params: FetchResultItemsParams
    ) -> FetchResultItemsResult: ...

    @overload
    def __call__(
        self, method: Literal["fetchResult/index"], params: FetchResultIndexParams
    ) -> FetchResultIndexResult: ...

    @overload
    def __call__(
        self, method: Literal["fetchResult/count"], params: FetchResultCountParams
    ) -> FetchResultCountResult: ...

    @overload
    def __call__(
        self, method: Literal["libraryItem/values"], params: LibraryItemValuesParams
    ) -> LibraryItemValuesResult: ...

    @overload
    def __call__(
        self, method: Literal["libraryItem/thumbnail"], params: LibraryItemThumbnailParams
    ) -> LibraryItemThumbnailResult: ...

    @overload
    def __call__(
        self, method: Literal["time/add"], params: TimeAddParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["time/subtract"], params: TimeSubtractParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["time/multiply"], params: TimeMultiplyParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["time/compare"], params: TimeCompareParams
    ) -> TimeCompareResult: ...

    @overload
    def __call__(
        self, method: Literal["time/convertScale"], params: TimeConvertScaleParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["time/seconds"], params: TimeSecondsParams
    ) -> TimeSecondsResult: ...

    @overload
    def __call__(
        self, method: Literal["time/describe"], params: TimeDescribeParams
    ) -> TimeDescribeResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/end"], params: TimeRangeEndParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/contains"], params: TimeRangeContainsParams
    ) -> TimeRangeContainsResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/union"], params: TimeRangeUnionParams
    ) -> RangeResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/intersection"], params: TimeRangeIntersectionParams
    ) -> RangeResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/equal"], params: TimeRangeEqualParams
    ) -> TimeRangeEqualResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/clamp"], params: TimeRangeClampParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/fold"], params: TimeRangeFoldParams
    ) -> TimeResult: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/map"], params: TimeRangeMapParams
    ) -> TimeResult: ...


class AsyncRequest(Protocol):
    """Sends a request and answers later."""

    @overload
    def __call__(
        self, method: Literal["initialize"], params: InitializeParams = ...
    ) -> Awaitable[InitializeResult]: ...

    @overload
    def __call__(
        self, method: Literal["shutdown"], params: ShutdownParams = ...
    ) -> Awaitable[None]: ...

    @overload
    def __call__(
        self, method: Literal["rpc.discover"], params: RpcDiscoverParams = ...
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["engine/capabilities"], params: EngineCapabilitiesParams = ...
    ) -> Awaitable[EngineCapabilitiesResult]: ...

    @overload
    def __call__(
        self, method: Literal["engine/stats"], params: EngineStatsParams = ...
    ) -> Awaitable[EngineStatsResult]: ...

    @overload
    def __call__(
        self, method: Literal["engine/hostTime"], params: EngineHostTimeParams = ...
    ) -> Awaitable[EngineHostTimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["engine/setLogLevel"], params: EngineSetLogLevelParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["handle/list"], params: HandleListParams = ...
    ) -> Awaitable[HandleListResult]: ...

    @overload
    def __call__(
        self, method: Literal["handle/close"], params: HandleCloseParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["asset/open"], params: AssetOpenParams = ...
    ) -> Awaitable[AssetOpenResult]: ...

    @overload
    def __call__(
        self, method: Literal["asset/loadValues"], params: AssetLoadValuesParams
    ) -> Awaitable[Union[OperationStarted, AssetDidLoadValues]]: ...

    @overload
    def __call__(
        self, method: Literal["asset/valueStatus"], params: AssetValueStatusParams
    ) -> Awaitable[AssetValueStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["asset/cancelLoading"], params: AssetCancelLoadingParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["asset/tracks"], params: AssetTracksParams
    ) -> Awaitable[AssetTracksResult]: ...

    @overload
    def __call__(
        self, method: Literal["asset/findUnusedTrackID"], params: AssetFindUnusedTrackIDParams
    ) -> Awaitable[AssetFindUnusedTrackIDResult]: ...

    @overload
    def __call__(
        self, method: Literal["asset/metadata"], params: AssetMetadataParams
    ) -> Awaitable[AssetMetadataResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["asset/chapterMetadataGroups"],
        params: AssetChapterMetadataGroupsParams,
    ) -> Awaitable[AssetChapterMetadataGroupsResult]: ...

    @overload
    def __call__(
        self, method: Literal["asset/mediaSelectionGroup"], params: AssetMediaSelectionGroupParams
    ) -> Awaitable[AssetMediaSelectionGroupResult]: ...

    @overload
    def __call__(
        self, method: Literal["resource/allocate"], params: ResourceAllocateParams
    ) -> Awaitable[ResourceAllocateResult]: ...

    @overload
    def __call__(
        self, method: Literal["track/loadValues"], params: TrackLoadValuesParams
    ) -> Awaitable[Union[OperationStarted, TrackDidLoadValues]]: ...

    @overload
    def __call__(
        self, method: Literal["track/valueStatus"], params: TrackValueStatusParams
    ) -> Awaitable[TrackValueStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["track/segment"], params: TrackSegmentParams
    ) -> Awaitable[TrackSegmentResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["track/samplePresentationTime"],
        params: TrackSamplePresentationTimeParams,
    ) -> Awaitable[TrackSamplePresentationTimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["track/associatedTracks"], params: TrackAssociatedTracksParams
    ) -> Awaitable[TrackAssociatedTracksResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/create"], params: CompositionCreateParams = ...
    ) -> Awaitable[CompositionCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/assemble"], params: CompositionAssembleParams
    ) -> Awaitable[CompositionAssembleResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/import"], params: CompositionImportParams
    ) -> Awaitable[CompositionImportResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/openTimelineIO"], params: CompositionOpenTimelineIOParams
    ) -> Awaitable[CompositionOpenTimelineIOResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/copy"], params: CompositionCopyParams
    ) -> Awaitable[CompositionCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/timeline"], params: CompositionTimelineParams
    ) -> Awaitable[CompositionTimelineResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/set"], params: CompositionSetParams
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self, method: Literal["composition/addTrack"], params: CompositionAddTrackParams
    ) -> Awaitable[CompositionAddTrackResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/removeTrack"], params: CompositionRemoveTrackParams
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self, method: Literal["composition/setTrack"], params: CompositionSetTrackParams
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/compatibleTrack"],
        params: CompositionCompatibleTrackParams,
    ) -> Awaitable[CompositionCompatibleTrackResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/insertTimeRange"],
        params: CompositionInsertTimeRangeParams,
    ) -> Awaitable[CompositionInsertTimeRangeResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/insertTimeRanges"],
        params: CompositionInsertTimeRangesParams,
    ) -> Awaitable[CompositionInsertTimeRangeResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/insertEmptyTimeRange"],
        params: CompositionInsertEmptyTimeRangeParams,
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/removeTimeRange"],
        params: CompositionRemoveTimeRangeParams,
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self, method: Literal["composition/scaleTimeRange"], params: CompositionScaleTimeRangeParams
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self, method: Literal["composition/segments"], params: CompositionSegmentsParams
    ) -> Awaitable[CompositionSegmentsResult]: ...

    @overload
    def __call__(
        self, method: Literal["composition/setSegments"], params: CompositionSetSegmentsParams
    ) -> Awaitable[CompositionState]: ...

    @overload
    def __call__(
        self,
        method: Literal["composition/validateSegments"],
        params: CompositionValidateSegmentsParams,
    ) -> Awaitable[CompositionValidateSegmentsResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["videoComposition/withPropertiesOf"],
        params: VideoCompositionWithPropertiesOfParams,
    ) -> Awaitable[VideoCompositionWithPropertiesOfResult]: ...

    @overload
    def __call__(
        self, method: Literal["videoComposition/validate"], params: VideoCompositionValidateParams
    ) -> Awaitable[VideoCompositionValidateResult]: ...

    @overload
    def __call__(
        self, method: Literal["videoComposition/ramp"], params: VideoCompositionRampParams
    ) -> Awaitable[VideoCompositionRampResult]: ...

    @overload
    def __call__(
        self, method: Literal["audioMix/volumeRamp"], params: AudioMixVolumeRampParams
    ) -> Awaitable[AudioMixVolumeRampResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["videoComposition/finishFrame"],
        params: VideoCompositionFinishFrameParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["imageGenerator/create"], params: ImageGeneratorCreateParams
    ) -> Awaitable[ImageGeneratorCreateResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["imageGenerator/generateImage"],
        params: ImageGeneratorGenerateImageParams,
    ) -> Awaitable[ImageGeneratorGenerateImageResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["imageGenerator/generateImages"],
        params: ImageGeneratorGenerateImagesParams,
    ) -> Awaitable[Union[OperationStarted, ImageGeneratorDidFinish]]: ...

    @overload
    def __call__(
        self,
        method: Literal["imageGenerator/contactSheet"],
        params: ImageGeneratorContactSheetParams,
    ) -> Awaitable[Union[OperationStarted, ImageGeneratorDidFinishContactSheet]]: ...

    @overload
    def __call__(
        self, method: Literal["imageGenerator/cancelAll"], params: ImageGeneratorCancelAllParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/presets"], params: ExportSessionPresetsParams = ...
    ) -> Awaitable[ExportSessionPresetsResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["exportSession/compatiblePresets"],
        params: ExportSessionCompatiblePresetsParams,
    ) -> Awaitable[ExportSessionCompatiblePresetsResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["exportSession/compatibleFileTypes"],
        params: ExportSessionCompatibleFileTypesParams,
    ) -> Awaitable[ExportSessionCompatibleFileTypesResult]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/create"], params: ExportSessionCreateParams
    ) -> Awaitable[ExportSessionCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/preflight"], params: ExportSessionPreflightParams
    ) -> Awaitable[ExportSessionPreflightResult]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/estimate"], params: ExportSessionEstimateParams
    ) -> Awaitable[ExportSessionEstimateResult]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/export"], params: ExportSessionExportParams
    ) -> Awaitable[Union[OperationStarted, ExportSessionDidFinish]]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/plan"], params: ExportSessionPlanParams
    ) -> Awaitable[ExportSessionPlanResult]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/exportPart"], params: ExportSessionExportPartParams
    ) -> Awaitable[Union[OperationStarted, ExportSessionDidFinish]]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/join"], params: ExportSessionJoinParams
    ) -> Awaitable[Union[OperationStarted, ExportSessionDidFinish]]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/status"], params: ExportSessionStatusParams
    ) -> Awaitable[ExportSessionStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["exportSession/cancel"], params: ExportSessionCancelParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/create"], params: AssetReaderCreateParams
    ) -> Awaitable[AssetReaderCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/start"], params: AssetReaderStartParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["assetReader/nextSampleBuffers"],
        params: AssetReaderNextSampleBuffersParams,
    ) -> Awaitable[AssetReaderNextSampleBuffersResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/status"], params: AssetReaderStatusParams
    ) -> Awaitable[AssetReaderStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/reset"], params: AssetReaderResetParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["assetReader/markConfigurationAsFinal"],
        params: AssetReaderMarkConfigurationAsFinalParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetReader/cancel"], params: AssetReaderCancelParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/canAdd"], params: AssetWriterCanAddParams
    ) -> Awaitable[AssetWriterCanAddResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/create"], params: AssetWriterCreateParams
    ) -> Awaitable[AssetWriterCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/start"], params: AssetWriterStartParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/startSession"], params: AssetWriterStartSessionParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/endSession"], params: AssetWriterEndSessionParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/append"], params: AssetWriterAppendParams
    ) -> Awaitable[AssetWriterAppendResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/allocate"], params: AssetWriterAllocateParams
    ) -> Awaitable[AssetWriterAllocateResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/markAsFinished"], params: AssetWriterMarkAsFinishedParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["assetWriter/requestMediaData"],
        params: AssetWriterRequestMediaDataParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/transfer"], params: AssetWriterTransferParams
    ) -> Awaitable[Union[OperationStarted, AssetWriterDidTransfer]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/flushSegment"], params: AssetWriterFlushSegmentParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/finish"], params: AssetWriterFinishParams
    ) -> Awaitable[Union[OperationStarted, AssetWriterDidFinish]]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/status"], params: AssetWriterStatusParams
    ) -> Awaitable[AssetWriterStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["assetWriter/cancel"], params: AssetWriterCancelParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/create"], params: SampleCursorCreateParams
    ) -> Awaitable[SampleCursorCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/step"], params: SampleCursorStepParams
    ) -> Awaitable[SampleCursorStepResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/stepByTime"], params: SampleCursorStepByTimeParams
    ) -> Awaitable[SampleCursorStepByTimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/sample"], params: SampleCursorSampleParams
    ) -> Awaitable[SampleCursorSampleResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/samples"], params: SampleCursorSamplesParams
    ) -> Awaitable[SampleCursorSamplesResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/chunk"], params: SampleCursorChunkParams
    ) -> Awaitable[SampleCursorChunkResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/copy"], params: SampleCursorCopyParams
    ) -> Awaitable[SampleCursorCopyResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/compare"], params: SampleCursorCompareParams
    ) -> Awaitable[SampleCursorCompareResult]: ...

    @overload
    def __call__(
        self, method: Literal["sampleCursor/reordering"], params: SampleCursorReorderingParams
    ) -> Awaitable[SampleCursorReorderingResult]: ...

    @overload
    def __call__(
        self, method: Literal["waveform/generate"], params: WaveformGenerateParams
    ) -> Awaitable[Union[OperationStarted, WaveformDidFinish]]: ...

    @overload
    def __call__(
        self, method: Literal["analysis/sceneChanges"], params: AnalysisSceneChangesParams
    ) -> Awaitable[Union[OperationStarted, AnalysisDidFindSceneChanges]]: ...

    @overload
    def __call__(
        self, method: Literal["analysis/silences"], params: AnalysisSilencesParams
    ) -> Awaitable[Union[OperationStarted, AnalysisDidFindSilences]]: ...

    @overload
    def __call__(
        self, method: Literal["analysis/loudness"], params: AnalysisLoudnessParams
    ) -> Awaitable[Union[OperationStarted, AnalysisDidMeasureLoudness]]: ...

    @overload
    def __call__(
        self, method: Literal["player/create"], params: PlayerCreateParams = ...
    ) -> Awaitable[PlayerCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["player/play"], params: PlayerPlayParams
    ) -> Awaitable[PlayerRate]: ...

    @overload
    def __call__(
        self, method: Literal["player/pause"], params: PlayerPauseParams
    ) -> Awaitable[PlayerRate]: ...

    @overload
    def __call__(
        self, method: Literal["player/setRate"], params: PlayerSetRateParams
    ) -> Awaitable[PlayerRate]: ...

    @overload
    def __call__(
        self, method: Literal["player/set"], params: PlayerSetParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["player/state"], params: PlayerStateParams
    ) -> Awaitable[PlayerStateResult]: ...

    @overload
    def __call__(
        self, method: Literal["player/seek"], params: PlayerSeekParams
    ) -> Awaitable[Union[RevisedOperationStarted, PlayerDidSeek]]: ...

    @overload
    def __call__(
        self, method: Literal["player/cancelPendingSeeks"], params: PlayerCancelPendingSeeksParams
    ) -> Awaitable[CancelledCount]: ...

    @overload
    def __call__(
        self, method: Literal["player/preroll"], params: PlayerPrerollParams
    ) -> Awaitable[Union[OperationStarted, PlayerDidPreroll]]: ...

    @overload
    def __call__(
        self,
        method: Literal["player/cancelPendingPrerolls"],
        params: PlayerCancelPendingPrerollsParams,
    ) -> Awaitable[CancelledCount]: ...

    @overload
    def __call__(
        self, method: Literal["player/replaceCurrentItem"], params: PlayerReplaceCurrentItemParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["player/items"], params: PlayerItemsParams
    ) -> Awaitable[PlayerItems]: ...

    @overload
    def __call__(
        self, method: Literal["player/insert"], params: PlayerInsertParams
    ) -> Awaitable[PlayerItems]: ...

    @overload
    def __call__(
        self, method: Literal["player/remove"], params: PlayerRemoveParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["player/removeAllItems"], params: PlayerRemoveAllItemsParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["player/advanceToNextItem"], params: PlayerAdvanceToNextItemParams
    ) -> Awaitable[PlayerAdvanceToNextItemResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["player/addPeriodicTimeObserver"],
        params: PlayerAddPeriodicTimeObserverParams,
    ) -> Awaitable[NewTimeObserver]: ...

    @overload
    def __call__(
        self,
        method: Literal["player/addBoundaryTimeObserver"],
        params: PlayerAddBoundaryTimeObserverParams,
    ) -> Awaitable[NewTimeObserver]: ...

    @overload
    def __call__(
        self, method: Literal["player/advanceClock"], params: PlayerAdvanceClockParams
    ) -> Awaitable[PlayerAdvanceClockResult]: ...

    @overload
    def __call__(
        self, method: Literal["player/finishAudioFile"], params: PlayerFinishAudioFileParams
    ) -> Awaitable[PlayerFinishAudioFileResult]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/create"], params: PlayerItemCreateParams
    ) -> Awaitable[PlayerItemCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/set"], params: PlayerItemSetParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/select"], params: PlayerItemSelectParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/state"], params: PlayerItemStateParams
    ) -> Awaitable[PlayerItemStateResult]: ...

    @overload
    def __call__(
        self, method: Literal["playerItem/step"], params: PlayerItemStepParams
    ) -> Awaitable[PlayerItemStepResult]: ...

    @overload
    def __call__(
        self, method: Literal["videoOutput/create"], params: VideoOutputCreateParams
    ) -> Awaitable[VideoOutputCreateResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["videoOutput/hasNewPixelBuffer"],
        params: VideoOutputHasNewPixelBufferParams,
    ) -> Awaitable[VideoOutputHasNewPixelBufferResult]: ...

    @overload
    def __call__(
        self, method: Literal["videoOutput/itemTime"], params: VideoOutputItemTimeParams
    ) -> Awaitable[VideoOutputItemTimeResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["videoOutput/copyPixelBuffer"],
        params: VideoOutputCopyPixelBufferParams,
    ) -> Awaitable[VideoOutputCopyPixelBufferResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["videoOutput/requestNotificationOfMediaDataChange"],
        params: VideoOutputRequestNotificationOfMediaDataChangeParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["playerLooper/create"], params: PlayerLooperCreateParams
    ) -> Awaitable[PlayerLooperCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["playerLooper/state"], params: PlayerLooperStateParams
    ) -> Awaitable[PlayerLooperStateResult]: ...

    @overload
    def __call__(
        self, method: Literal["playerLooper/disable"], params: PlayerLooperDisableParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/create"], params: AudioPlayerCreateParams = ...
    ) -> Awaitable[AudioPlayerCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/prepareToPlay"], params: AudioPlayerPrepareToPlayParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/play"], params: AudioPlayerPlayParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/pause"], params: AudioPlayerPauseParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/stop"], params: AudioPlayerStopParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/set"], params: AudioPlayerSetParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/state"], params: AudioPlayerStateParams
    ) -> Awaitable[AudioPlayerStateResult]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/meters"], params: AudioPlayerMetersParams
    ) -> Awaitable[AudioPlayerMetersResult]: ...

    @overload
    def __call__(
        self, method: Literal["audioPlayer/advanceClock"], params: AudioPlayerAdvanceClockParams
    ) -> Awaitable[AudioPlayerAdvanceClockResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["audioPlayer/finishAudioFile"],
        params: AudioPlayerFinishAudioFileParams,
    ) -> Awaitable[AudioPlayerFinishAudioFileResult]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/create"], params: CaptureSessionCreateParams = ...
    ) -> Awaitable[CaptureSessionCreateResult]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/configure"], params: CaptureSessionConfigureParams
    ) -> Awaitable[CaptureSessionConfigureResult]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/start"], params: CaptureSessionStartParams
    ) -> Awaitable[Union[OperationStarted, CaptureSessionDidStart]]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/stop"], params: CaptureSessionStopParams
    ) -> Awaitable[Union[OperationStarted, CaptureSessionDidStop]]: ...

    @overload
    def __call__(
        self, method: Literal["captureSession/state"], params: CaptureSessionStateParams
    ) -> Awaitable[CaptureSessionStateResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureSession/advanceClock"],
        params: CaptureSessionAdvanceClockParams,
    ) -> Awaitable[CaptureSessionAdvanceClockResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/startRecording"],
        params: CaptureOutputStartRecordingParams,
    ) -> Awaitable[Union[OperationStarted, CaptureOutputDidFinishRecording]]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/stopRecording"],
        params: CaptureOutputStopRecordingParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/pauseRecording"],
        params: CaptureOutputPauseRecordingParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/resumeRecording"],
        params: CaptureOutputResumeRecordingParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/recordingState"],
        params: CaptureOutputRecordingStateParams,
    ) -> Awaitable[CaptureOutputRecordingStateResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/nextSampleBuffers"],
        params: CaptureOutputNextSampleBuffersParams,
    ) -> Awaitable[CaptureOutputNextSampleBuffersResult]: ...

    @overload
    def __call__(
        self, method: Literal["captureOutput/capturePhoto"], params: CaptureOutputCapturePhotoParams
    ) -> Awaitable[Union[OperationStarted, CaptureOutputDidFinishCapture]]: ...

    @overload
    def __call__(
        self, method: Literal["captureOutput/levels"], params: CaptureOutputLevelsParams
    ) -> Awaitable[CaptureOutputLevelsResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["captureOutput/observeLevels"],
        params: CaptureOutputObserveLevelsParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/create"], params: AudioRecorderCreateParams
    ) -> Awaitable[AudioRecorderCreateResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["audioRecorder/prepareToRecord"],
        params: AudioRecorderPrepareToRecordParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/record"], params: AudioRecorderRecordParams
    ) -> Awaitable[Union[OperationStarted, AudioRecorderDidFinishRecording]]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/pause"], params: AudioRecorderPauseParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/stop"], params: AudioRecorderStopParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self,
        method: Literal["audioRecorder/deleteRecording"],
        params: AudioRecorderDeleteRecordingParams,
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/state"], params: AudioRecorderStateParams
    ) -> Awaitable[AudioRecorderStateResult]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/meters"], params: AudioRecorderMetersParams
    ) -> Awaitable[AudioRecorderMetersResult]: ...

    @overload
    def __call__(
        self, method: Literal["audioRecorder/advanceClock"], params: AudioRecorderAdvanceClockParams
    ) -> Awaitable[AudioRecorderAdvanceClockResult]: ...

    @overload
    def __call__(
        self,
        method: Literal["capture/authorizationStatus"],
        params: CaptureAuthorizationStatusParams,
    ) -> Awaitable[CaptureAuthorizationStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["capture/devices"], params: CaptureDevicesParams = ...
    ) -> Awaitable[CaptureDevicesResult]: ...

    @overload
    def __call__(
        self, method: Literal["capture/observeDevices"], params: CaptureObserveDevicesParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["library/open"], params: LibraryOpenParams = ...
    ) -> Awaitable[LibraryOpenResult]: ...

    @overload
    def __call__(
        self, method: Literal["library/addFolder"], params: LibraryAddFolderParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["library/removeFolder"], params: LibraryRemoveFolderParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["library/scan"], params: LibraryScanParams
    ) -> Awaitable[Union[OperationStarted, LibraryDidScan]]: ...

    @overload
    def __call__(
        self, method: Literal["library/cancelScan"], params: LibraryCancelScanParams
    ) -> Awaitable[Dict[str, Any]]: ...

    @overload
    def __call__(
        self, method: Literal["library/status"], params: LibraryStatusParams
    ) -> Awaitable[LibraryStatusResult]: ...

    @overload
    def __call__(
        self, method: Literal["library/fetch"], params: LibraryFetchParams
    ) -> Awaitable[LibraryFetchResult]: ...

    @overload
    def __call__(
        self, method: Literal["library/collections"], params: LibraryCollectionsParams
    ) -> Awaitable[LibraryCollectionsResult]: ...

    @overload
    def __call__(
        self, method: Literal["library/changes"], params: LibraryChangesParams
    ) -> Awaitable[LibraryChangesResult]: ...

    @overload
    def __call__(
        self, method: Literal["library/duplicates"], params: LibraryDuplicatesParams
    ) -> Awaitable[Union[OperationStarted, LibraryDidFindDuplicates]]: ...

    @overload
    def __call__(
        self, method: Literal["fetchResult/items"], params: FetchResultItemsParams
    ) -> Awaitable[FetchResultItemsResult]: ...

    @overload
    def __call__(
        self, method: Literal["fetchResult/index"], params: FetchResultIndexParams
    ) -> Awaitable[FetchResultIndexResult]: ...

    @overload
    def __call__(
        self, method: Literal["fetchResult/count"], params: FetchResultCountParams
    ) -> Awaitable[FetchResultCountResult]: ...

    @overload
    def __call__(
        self, method: Literal["libraryItem/values"], params: LibraryItemValuesParams
    ) -> Awaitable[LibraryItemValuesResult]: ...

    @overload
    def __call__(
        self, method: Literal["libraryItem/thumbnail"], params: LibraryItemThumbnailParams
    ) -> Awaitable[LibraryItemThumbnailResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/add"], params: TimeAddParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/subtract"], params: TimeSubtractParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/multiply"], params: TimeMultiplyParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/compare"], params: TimeCompareParams
    ) -> Awaitable[TimeCompareResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/convertScale"], params: TimeConvertScaleParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/seconds"], params: TimeSecondsParams
    ) -> Awaitable[TimeSecondsResult]: ...

    @overload
    def __call__(
        self, method: Literal["time/describe"], params: TimeDescribeParams
    ) -> Awaitable[TimeDescribeResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/end"], params: TimeRangeEndParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/contains"], params: TimeRangeContainsParams
    ) -> Awaitable[TimeRangeContainsResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/union"], params: TimeRangeUnionParams
    ) -> Awaitable[RangeResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/intersection"], params: TimeRangeIntersectionParams
    ) -> Awaitable[RangeResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/equal"], params: TimeRangeEqualParams
    ) -> Awaitable[TimeRangeEqualResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/clamp"], params: TimeRangeClampParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/fold"], params: TimeRangeFoldParams
    ) -> Awaitable[TimeResult]: ...

    @overload
    def __call__(
        self, method: Literal["timeRange/map"], params: TimeRangeMapParams
    ) -> Awaitable[TimeResult]: ...
