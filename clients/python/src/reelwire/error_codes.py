"""A class for each error code of the protocol.

Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
"""

from __future__ import annotations

import errno

from .error_base import ReelwireError

__all__ = [
    "ApplicationIsNotAuthorizedError",
    "ApplicationIsNotAuthorizedToUseDeviceError",
    "ChangeTokenExpiredError",
    "CompositionTrackSegmentsNotContiguousError",
    "ContentIsNotAuthorizedError",
    "ContentIsProtectedError",
    "ContentIsUnavailableError",
    "ContentNotUpdatedError",
    "DecodeFailedError",
    "DecoderNotFoundError",
    "DecoderTemporarilyUnavailableError",
    "DeviceAlreadyUsedByAnotherSessionError",
    "DeviceInUseByAnotherApplicationError",
    "DeviceLockedForConfigurationByAnotherProcessError",
    "DeviceNotConnectedError",
    "DeviceWasDisconnectedError",
    "DiskFullError",
    "EncodeFailedError",
    "EncoderNotFoundError",
    "EncoderTemporarilyUnavailableError",
    "ExportFailedError",
    "FailedToLoadMediaDataError",
    "FailedToLoadSampleDataError",
    "FailedToParseError",
    "FileAlreadyExistsError",
    "FileFailedToParseError",
    "FileFormatNotRecognizedError",
    "FileTypeDoesNotSupportSampleReferencesError",
    "FormatUnsupportedError",
    "IncompatibleAssetError",
    "IncorrectlyConfiguredError",
    "InternalError",
    "InvalidCompositionTrackSegmentDurationError",
    "InvalidCompositionTrackSegmentSourceDurationError",
    "InvalidCompositionTrackSegmentSourceStartTimeError",
    "InvalidOutputURLPathExtensionError",
    "InvalidParamsError",
    "InvalidRequestError",
    "InvalidSampleCursorError",
    "InvalidSourceMediaError",
    "InvalidVideoCompositionError",
    "LeasesExhaustedError",
    "LimitExceededError",
    "MaximumDurationReachedError",
    "MaximumFileSizeReachedError",
    "MaximumNumberOfSamplesForFileFormatReachedError",
    "MaximumStillImageCaptureRequestsExceededError",
    "MediaChangedError",
    "MediaDiscontinuityError",
    "MediaServicesWereResetError",
    "MethodNotFoundError",
    "NoDataCapturedError",
    "NoImageAtTimeError",
    "NoLongerPlayableError",
    "NoSourceTrackError",
    "OperationCancelledError",
    "OperationInterruptedError",
    "OperationNotAllowedError",
    "OperationNotSupportedForAssetError",
    "OperationNotSupportedForPresetError",
    "OutOfMemoryError",
    "ParseError",
    "PathNotAllowedError",
    "RecordingAlreadyInProgressError",
    "ReferenceForbiddenByReferencePolicyError",
    "RequestCancelledError",
    "ResourceTimedOutError",
    "SandboxExtensionDeniedError",
    "ScreenCaptureFailedError",
    "SegmentStartedWithNonSyncSampleError",
    "ServerIncorrectlyConfiguredError",
    "SessionConfigurationChangedError",
    "SessionNotRunningError",
    "SessionWasInterruptedError",
    "UndecodableMediaDataError",
    "UnknownHandleError",
    "UnsupportedOutputSettingsError",
    "ValueNotLoadedError",
    "VideoCompositorFailedError",
    "WorkerDiedError",
    "WrongHandleKindError",
]


class ParseError(ReelwireError):
    """The bytes are not JSON, or not a message where one is required.

    ``parseError``, -32700. Send one complete UTF-8 JSON message, in lines or with
    Content-Length headers.
    """


class InvalidRequestError(ReelwireError):
    """The JSON is not a request: the envelope is wrong, the id is in use, or the message is too large.

    ``invalidRequest``, -32600. Send {"jsonrpc": "2.0", "id", "method", "params"}; data.name is
    the rule that was broken.
    """


class MethodNotFoundError(ReelwireError, NotImplementedError):
    """There is no such method.

    ``methodNotFound``, -32601. Call rpc.discover for the list of methods.
    """


class InvalidParamsError(ReelwireError, ValueError):
    """The params do not match the method.

    ``invalidParams``, -32602. See data.errors for every problem and its place.
    """


class InternalError(ReelwireError, RuntimeError):
    """The server has a fault.

    ``internalError``, -32603. Report it with the request; the server continues.
    """


class RequestCancelledError(ReelwireError):
    """The request was cancelled before it was answered.

    ``requestCancelled``, -32800. Send the request again if the result is still wanted.
    """


class OutOfMemoryError(ReelwireError, MemoryError):
    """There was not enough memory.

    ``outOfMemory``, -11801. Ask for smaller images or fewer of them at a time.
    """


class SessionNotRunningError(ReelwireError):
    """The capture session is not running.

    ``sessionNotRunning``, -11803. Start the session first.
    """


class DeviceAlreadyUsedByAnotherSessionError(ReelwireError):
    """The capture device is in use by another session.

    ``deviceAlreadyUsedByAnotherSession``, -11804. Close the other session first.
    """


class NoDataCapturedError(ReelwireError):
    """Nothing was captured.

    ``noDataCaptured``, -11805. Record for longer, and check that the device delivers.
    """


class SessionConfigurationChangedError(ReelwireError):
    """The capture session was changed while it recorded.

    ``sessionConfigurationChanged``, -11806. Record again without changing the session.
    """


class DiskFullError(ReelwireError, OSError):
    """The disk is full.

    ``diskFull``, -11807. Free space, or write to another disk; no unfinished file is left.
    """

    _errno = errno.ENOSPC


class DeviceWasDisconnectedError(ReelwireError):
    """The capture device was disconnected.

    ``deviceWasDisconnected``, -11808. Connect the device again.
    """


class MediaChangedError(ReelwireError):
    """The source changed its format while it was read.

    ``mediaChanged``, -11809. Open the asset again.
    """


class MaximumDurationReachedError(ReelwireError):
    """The recording has reached its maximum duration.

    ``maximumDurationReached``, -11810. Use the recorded part, or raise the limit.
    """


class MaximumFileSizeReachedError(ReelwireError, OSError):
    """The file has reached its maximum size.

    ``maximumFileSizeReached``, -11811. Raise fileLengthLimit, or choose a preset with a lower
    data rate.
    """

    _errno = errno.EFBIG


class MediaDiscontinuityError(ReelwireError):
    """The media has a gap where none may be.

    ``mediaDiscontinuity``, -11812. Read with a time range that leaves out the gap.
    """


class MaximumNumberOfSamplesForFileFormatReachedError(ReelwireError):
    """The file type cannot hold more samples.

    ``maximumNumberOfSamplesForFileFormatReached``, -11813. Write another file type, or several
    files.
    """


class DeviceNotConnectedError(ReelwireError):
    """The capture device is not connected.

    ``deviceNotConnected``, -11814. Connect the device.
    """


class DeviceInUseByAnotherApplicationError(ReelwireError):
    """The capture device is in use by another program.

    ``deviceInUseByAnotherApplication``, -11815. Close the other program.
    """


class DeviceLockedForConfigurationByAnotherProcessError(ReelwireError):
    """Another process configures the capture device.

    ``deviceLockedForConfigurationByAnotherProcess``, -11817. Try again when the other process
    is done.
    """


class SessionWasInterruptedError(ReelwireError):
    """The capture session was interrupted.

    ``sessionWasInterrupted``, -11818. Start the session again.
    """


class MediaServicesWereResetError(ReelwireError):
    """The process that did the work ended and was started again.

    ``mediaServicesWereReset``, -11819. Open the asset again and repeat the request.
    """


class ExportFailedError(ReelwireError, RuntimeError):
    """The export failed.

    ``exportFailed``, -11820. Look at data.stage and data.libav; try the Passthrough preset or
    another file type.
    """


class DecodeFailedError(ReelwireError, ValueError):
    """The media could not be decoded.

    ``decodeFailed``, -11821. The file may be damaged here; try another time or range.
    """


class InvalidSourceMediaError(ReelwireError, ValueError):
    """The source cannot be used for this.

    ``invalidSourceMedia``, -11822. Check the file with another program; it may be damaged.
    """


class FileAlreadyExistsError(ReelwireError, FileExistsError):
    """A file of that name exists.

    ``fileAlreadyExists``, -11823. Remove the file, or choose another name; it was not touched.
    """

    _errno = errno.EEXIST


class CompositionTrackSegmentsNotContiguousError(ReelwireError):
    """The segments have gaps or overlap.

    ``compositionTrackSegmentsNotContiguous``, -11824. Let each segment begin where the one
    before it ends.
    """


class InvalidCompositionTrackSegmentDurationError(ReelwireError):
    """The duration of a segment is not positive.

    ``invalidCompositionTrackSegmentDuration``, -11825. Give the segment a positive duration.
    """


class InvalidCompositionTrackSegmentSourceStartTimeError(ReelwireError):
    """A segment begins outside its source.

    ``invalidCompositionTrackSegmentSourceStartTime``, -11826. Choose a start inside the range
    of the source track.
    """


class InvalidCompositionTrackSegmentSourceDurationError(ReelwireError):
    """A segment reaches beyond its source.

    ``invalidCompositionTrackSegmentSourceDuration``, -11827. Choose a range inside that of the
    source track.
    """


class FileFormatNotRecognizedError(ReelwireError, ValueError):
    """The file has no type that can be read.

    ``fileFormatNotRecognized``, -11828. Check that it is a media file; engine/capabilities
    lists the types.
    """


class FileFailedToParseError(ReelwireError, ValueError):
    """The file cannot be opened, or its structure is broken.

    ``fileFailedToParse``, -11829. Check that the path exists and the file is whole.
    """


class MaximumStillImageCaptureRequestsExceededError(ReelwireError):
    """Too many still images were requested at once.

    ``maximumStillImageCaptureRequestsExceeded``, -11830. Wait for the outstanding images.
    """


class ContentIsProtectedError(ReelwireError, PermissionError):
    """The content is encrypted.

    ``contentIsProtected``, -11831. Use a file without protection.
    """

    _errno = errno.EACCES


class NoImageAtTimeError(ReelwireError, LookupError):
    """There is no image at that time.

    ``noImageAtTime``, -11832. Choose a time inside the video track's timeRange, allow a
    tolerance, or leave the time out for the first frame.
    """


class DecoderNotFoundError(ReelwireError, LookupError):
    """This build has no decoder for the format.

    ``decoderNotFound``, -11833. Install an FFmpeg with that decoder; engine/capabilities lists
    the available ones.
    """


class EncoderNotFoundError(ReelwireError, LookupError):
    """This build has no encoder for the format.

    ``encoderNotFound``, -11834. Choose another preset or format; engine/capabilities lists the
    available ones.
    """


class ContentIsNotAuthorizedError(ReelwireError):
    """The content is not authorized.

    ``contentIsNotAuthorized``, -11835. Ask the owner of the content.
    """


class ApplicationIsNotAuthorizedError(ReelwireError):
    """This program is not authorized.

    ``applicationIsNotAuthorized``, -11836. Give the process the rights it needs.
    """


class OperationNotSupportedForAssetError(ReelwireError, ValueError):
    """The asset cannot do this.

    ``operationNotSupportedForAsset``, -11838. Load isPlayable, isReadable and isExportable
    first.
    """


class DecoderTemporarilyUnavailableError(ReelwireError):
    """The decoder is busy.

    ``decoderTemporarilyUnavailable``, -11839. Try again later.
    """


class EncoderTemporarilyUnavailableError(ReelwireError):
    """The encoder is busy.

    ``encoderTemporarilyUnavailable``, -11840. Try again later.
    """


class InvalidVideoCompositionError(ReelwireError):
    """The video composition is wrong.

    ``invalidVideoComposition``, -11841. Validate the composition first.
    """


class ReferenceForbiddenByReferencePolicyError(ReelwireError, PermissionError):
    """The file refers to another file, which is not opened.

    ``referenceForbiddenByReferencePolicy``, -11842. Use a self-contained file.
    """

    _errno = errno.EACCES


class InvalidOutputURLPathExtensionError(ReelwireError, ValueError):
    """The name's extension does not fit the file type.

    ``invalidOutputURLPathExtension``, -11843. Give outputFileType, or a name with an extension
    such as .mp4.
    """


class ScreenCaptureFailedError(ReelwireError):
    """The screen could not be captured.

    ``screenCaptureFailed``, -11844. Check the rights of the process.
    """


class OperationInterruptedError(ReelwireError):
    """The work was interrupted.

    ``operationInterrupted``, -11847. Repeat the request.
    """


class IncompatibleAssetError(ReelwireError):
    """The asset has nothing that can be used here.

    ``incompatibleAsset``, -11848. Check the asset's tracks.
    """


class FailedToLoadMediaDataError(ReelwireError, OSError):
    """The media could not be read.

    ``failedToLoadMediaData``, -11849. Check the disk and that the file has not changed.
    """

    _errno = errno.EIO


class ServerIncorrectlyConfiguredError(ReelwireError):
    """The server of the media answers wrongly.

    ``serverIncorrectlyConfigured``, -11850. Answer each resource/read once, with exactly the
    bytes that it asks for; open the asset again.
    """


class ApplicationIsNotAuthorizedToUseDeviceError(ReelwireError):
    """The program may not use the device.

    ``applicationIsNotAuthorizedToUseDevice``, -11852. Give the process the rights it needs.
    """


class FailedToParseError(ReelwireError):
    """The content cannot be parsed.

    ``failedToParse``, -11853. Check that the file is whole.
    """


class FileTypeDoesNotSupportSampleReferencesError(ReelwireError):
    """The file type cannot refer to samples of other files.

    ``fileTypeDoesNotSupportSampleReferences``, -11854. Write a mov file, or copy the samples.
    """


class UndecodableMediaDataError(ReelwireError, ValueError):
    """The media cannot be decoded.

    ``undecodableMediaData``, -11855. The data may be damaged or protected; try the Passthrough
    preset.
    """


class VideoCompositorFailedError(ReelwireError):
    """The video compositor failed.

    ``videoCompositorFailed``, -11858. Look at data.libav and data.log.
    """


class RecordingAlreadyInProgressError(ReelwireError):
    """A recording is in progress.

    ``recordingAlreadyInProgress``, -11859. Stop it first.
    """


class UnsupportedOutputSettingsError(ReelwireError, ValueError):
    """The output settings cannot be met.

    ``unsupportedOutputSettings``, -11861. engine/capabilities lists pixelFormats and
    sampleFormats.
    """


class OperationNotAllowedError(ReelwireError, RuntimeError):
    """The object's state does not allow this.

    ``operationNotAllowed``, -11862. Make a new object: readers, sessions and writers work once.
    """


class ContentIsUnavailableError(ReelwireError, OSError):
    """The content is not there.

    ``contentIsUnavailable``, -11863. Check the path.
    """


class FormatUnsupportedError(ReelwireError, ValueError):
    """The format cannot be used here.

    ``formatUnsupported``, -11864. Choose another format; engine/capabilities lists the
    available ones.
    """


class ContentNotUpdatedError(ReelwireError):
    """The content has not been updated.

    ``contentNotUpdated``, -11866. Try again later.
    """


class NoLongerPlayableError(ReelwireError):
    """The content can no longer be played.

    ``noLongerPlayable``, -11867. Open the asset again.
    """


class NoSourceTrackError(ReelwireError, LookupError):
    """The asset has no such track.

    ``noSourceTrack``, -11869. asset/tracks lists the tracks.
    """


class OperationNotSupportedForPresetError(ReelwireError, ValueError):
    """The preset cannot do this.

    ``operationNotSupportedForPreset``, -11871. exportSession/compatiblePresets lists the
    presets that can.
    """


class IncorrectlyConfiguredError(ReelwireError):
    """The object lacks a setting, or has one that is wrong.

    ``incorrectlyConfigured``, -11875. See the message for the setting.
    """


class SegmentStartedWithNonSyncSampleError(ReelwireError):
    """A segment does not begin with a sync sample.

    ``segmentStartedWithNonSyncSample``, -11876. Begin segments at sync samples.
    """


class OperationCancelledError(ReelwireError):
    """The work was cancelled.

    ``operationCancelled``, -11878. Repeat the request if the result is still wanted.
    """


class InvalidSampleCursorError(ReelwireError, ValueError):
    """The sample cursor points at no sample.

    ``invalidSampleCursor``, -11880. Make a new cursor.
    """


class FailedToLoadSampleDataError(ReelwireError, OSError):
    """The data of a sample could not be read.

    ``failedToLoadSampleData``, -11881. Check the disk and that the file is whole.
    """

    _errno = errno.EIO


class EncodeFailedError(ReelwireError, RuntimeError):
    """The media could not be encoded.

    ``encodeFailed``, -11883. Choose another preset, size or format.
    """


class SandboxExtensionDeniedError(ReelwireError, PermissionError):
    """The process may not open the file.

    ``sandboxExtensionDenied``, -11884. Check the rights of the file and its folders.
    """

    _errno = errno.EACCES


class UnknownHandleError(ReelwireError, LookupError):
    """No open object has this handle.

    ``unknownHandle``, 1001. It was closed, or never was; handle/list shows the open ones.
    """


class WrongHandleKindError(ReelwireError, TypeError):
    """The handle names an object of another kind.

    ``wrongHandleKind``, 1002. Use the handle from the result of the object's create or open
    method.
    """


class ValueNotLoadedError(ReelwireError, LookupError):
    """The value is not loaded.

    ``valueNotLoaded``, 1003. Load it with asset/loadValues or track/loadValues first.
    """


class WorkerDiedError(ReelwireError):
    """The worker process in which the object lived, or which did the work, has died.

    ``workerDied``, 1004. Open the file again: it gets a worker of its own. Handles of the dead
    one are gone; close them.
    """


class LeasesExhaustedError(ReelwireError, TimeoutError):
    """All shared memory is leased.

    ``leasesExhausted``, 2001. Release leases with blob/release, or raise --shm-max.
    """

    _errno = errno.ETIMEDOUT


class ChangeTokenExpiredError(ReelwireError):
    """The changes since that token are forgotten.

    ``changeTokenExpired``, 2002. Fetch again, and count changes from the token of that.
    """


class PathNotAllowedError(ReelwireError, PermissionError):
    """The server may not use this path or scheme.

    ``pathNotAllowed``, 3001. Use a path below the folders of --root, or start the server with
    another root.
    """

    _errno = errno.EACCES


class LimitExceededError(ReelwireError):
    """A limit of the server was exceeded.

    ``limitExceeded``, 3002. See the message for the limit; ask for less at a time.
    """


class ResourceTimedOutError(ReelwireError):
    """The client did not supply bytes of a resource in time.

    ``resourceTimedOut``, 4001. Answer each resource/read, with an error where there are no
    bytes, or raise timeoutMs.
    """


#: The classes by their codes; other codes are those of no class of their own.
CLASSES: dict[int, type[ReelwireError]] = {
    -32700: ParseError,
    -32600: InvalidRequestError,
    -32601: MethodNotFoundError,
    -32602: InvalidParamsError,
    -32603: InternalError,
    -32800: RequestCancelledError,
    -11801: OutOfMemoryError,
    -11803: SessionNotRunningError,
    -11804: DeviceAlreadyUsedByAnotherSessionError,
    -11805: NoDataCapturedError,
    -11806: SessionConfigurationChangedError,
    -11807: DiskFullError,
    -11808: DeviceWasDisconnectedError,
    -11809: MediaChangedError,
    -11810: MaximumDurationReachedError,
    -11811: MaximumFileSizeReachedError,
    -11812: MediaDiscontinuityError,
    -11813: MaximumNumberOfSamplesForFileFormatReachedError,
    -11814: DeviceNotConnectedError,
    -11815: DeviceInUseByAnotherApplicationError,
    -11817: DeviceLockedForConfigurationByAnotherProcessError,
    -11818: SessionWasInterruptedError,
    -11819: MediaServicesWereResetError,
    -11820: ExportFailedError,
    -11821: DecodeFailedError,
    -11822: InvalidSourceMediaError,
    -11823: FileAlreadyExistsError,
    -11824: CompositionTrackSegmentsNotContiguousError,
    -11825: InvalidCompositionTrackSegmentDurationError,
    -11826: InvalidCompositionTrackSegmentSourceStartTimeError,
    -11827: InvalidCompositionTrackSegmentSourceDurationError,
    -11828: FileFormatNotRecognizedError,
    -11829: FileFailedToParseError,
    -11830: MaximumStillImageCaptureRequestsExceededError,
    -11831: ContentIsProtectedError,
    -11832: NoImageAtTimeError,
    -11833: DecoderNotFoundError,
    -11834: EncoderNotFoundError,
    -11835: ContentIsNotAuthorizedError,
    -11836: ApplicationIsNotAuthorizedError,
    -11838: OperationNotSupportedForAssetError,
    -11839: DecoderTemporarilyUnavailableError,
    -11840: EncoderTemporarilyUnavailableError,
    -11841: InvalidVideoCompositionError,
    -11842: ReferenceForbiddenByReferencePolicyError,
    -11843: InvalidOutputURLPathExtensionError,
    -11844: ScreenCaptureFailedError,
    -11847: OperationInterruptedError,
    -11848: IncompatibleAssetError,
    -11849: FailedToLoadMediaDataError,
    -11850: ServerIncorrectlyConfiguredError,
    -11852: ApplicationIsNotAuthorizedToUseDeviceError,
    -11853: FailedToParseError,
    -11854: FileTypeDoesNotSupportSampleReferencesError,
    -11855: UndecodableMediaDataError,
    -11858: VideoCompositorFailedError,
    -11859: RecordingAlreadyInProgressError,
    -11861: UnsupportedOutputSettingsError,
    -11862: OperationNotAllowedError,
    -11863: ContentIsUnavailableError,
    -11864: FormatUnsupportedError,
    -11866: ContentNotUpdatedError,
    -11867: NoLongerPlayableError,
    -11869: NoSourceTrackError,
    -11871: OperationNotSupportedForPresetError,
    -11875: IncorrectlyConfiguredError,
    -11876: SegmentStartedWithNonSyncSampleError,
    -11878: OperationCancelledError,
    -11880: InvalidSampleCursorError,
    -11881: FailedToLoadSampleDataError,
    -11883: EncodeFailedError,
    -11884: SandboxExtensionDeniedError,
    1001: UnknownHandleError,
    1002: WrongHandleKindError,
    1003: ValueNotLoadedError,
    1004: WorkerDiedError,
    2001: LeasesExhaustedError,
    2002: ChangeTokenExpiredError,
    3001: PathNotAllowedError,
    3002: LimitExceededError,
    4001: ResourceTimedOutError,
}
