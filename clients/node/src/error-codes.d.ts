// A class for each error code of the protocol.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

import { ReelwireError } from './error-base.js';

/**
 * The bytes are not JSON, or not a message where one is required.
 *
 * `parseError`, -32700. Send one complete UTF-8 JSON message, in lines or with Content-Length
 * headers.
 */
export class ParseError extends ReelwireError {}

/**
 * The JSON is not a request: the envelope is wrong, the id is in use, or the message is too large.
 *
 * `invalidRequest`, -32600. Send {"jsonrpc": "2.0", "id", "method", "params"}; data.name is the
 * rule that was broken.
 */
export class InvalidRequestError extends ReelwireError {}

/**
 * There is no such method.
 *
 * `methodNotFound`, -32601. Call rpc.discover for the list of methods.
 */
export class MethodNotFoundError extends ReelwireError {}

/**
 * The params do not match the method.
 *
 * `invalidParams`, -32602. See data.errors for every problem and its place.
 */
export class InvalidParamsError extends ReelwireError {}

/**
 * The server has a fault.
 *
 * `internalError`, -32603. Report it with the request; the server continues.
 */
export class InternalError extends ReelwireError {}

/**
 * The request was cancelled before it was answered.
 *
 * `requestCancelled`, -32800. Send the request again if the result is still wanted.
 */
export class RequestCancelledError extends ReelwireError {}

/**
 * There was not enough memory.
 *
 * `outOfMemory`, -11801. Ask for smaller images or fewer of them at a time.
 */
export class OutOfMemoryError extends ReelwireError {}

/**
 * The capture session is not running.
 *
 * `sessionNotRunning`, -11803. Start the session first.
 */
export class SessionNotRunningError extends ReelwireError {}

/**
 * The capture device is in use by another session.
 *
 * `deviceAlreadyUsedByAnotherSession`, -11804. Close the other session first.
 */
export class DeviceAlreadyUsedByAnotherSessionError extends ReelwireError {}

/**
 * Nothing was captured.
 *
 * `noDataCaptured`, -11805. Record for longer, and check that the device delivers.
 */
export class NoDataCapturedError extends ReelwireError {}

/**
 * The capture session was changed while it recorded.
 *
 * `sessionConfigurationChanged`, -11806. Record again without changing the session.
 */
export class SessionConfigurationChangedError extends ReelwireError {}

/**
 * The disk is full.
 *
 * `diskFull`, -11807. Free space, or write to another disk; no unfinished file is left.
 */
export class DiskFullError extends ReelwireError {}

/**
 * The capture device was disconnected.
 *
 * `deviceWasDisconnected`, -11808. Connect the device again.
 */
export class DeviceWasDisconnectedError extends ReelwireError {}

/**
 * The source changed its format while it was read.
 *
 * `mediaChanged`, -11809. Open the asset again.
 */
export class MediaChangedError extends ReelwireError {}

/**
 * The recording has reached its maximum duration.
 *
 * `maximumDurationReached`, -11810. Use the recorded part, or raise the limit.
 */
export class MaximumDurationReachedError extends ReelwireError {}

/**
 * The file has reached its maximum size.
 *
 * `maximumFileSizeReached`, -11811. Raise fileLengthLimit, or choose a preset with a lower data
 * rate.
 */
export class MaximumFileSizeReachedError extends ReelwireError {}

/**
 * The media has a gap where none may be.
 *
 * `mediaDiscontinuity`, -11812. Read with a time range that leaves out the gap.
 */
export class MediaDiscontinuityError extends ReelwireError {}

/**
 * The file type cannot hold more samples.
 *
 * `maximumNumberOfSamplesForFileFormatReached`, -11813. Write another file type, or several
 * files.
 */
export class MaximumNumberOfSamplesForFileFormatReachedError extends ReelwireError {}

/**
 * The capture device is not connected.
 *
 * `deviceNotConnected`, -11814. Connect the device.
 */
export class DeviceNotConnectedError extends ReelwireError {}

/**
 * The capture device is in use by another program.
 *
 * `deviceInUseByAnotherApplication`, -11815. Close the other program.
 */
export class DeviceInUseByAnotherApplicationError extends ReelwireError {}

/**
 * Another process configures the capture device.
 *
 * `deviceLockedForConfigurationByAnotherProcess`, -11817. Try again when the other process is
 * done.
 */
export class DeviceLockedForConfigurationByAnotherProcessError extends ReelwireError {}

/**
 * The capture session was interrupted.
 *
 * `sessionWasInterrupted`, -11818. Start the session again.
 */
export class SessionWasInterruptedError extends ReelwireError {}

/**
 * The process that did the work ended and was started again.
 *
 * `mediaServicesWereReset`, -11819. Open the asset again and repeat the request.
 */
export class MediaServicesWereResetError extends ReelwireError {}

/**
 * The export failed.
 *
 * `exportFailed`, -11820. Look at data.stage and data.libav; try the Passthrough preset or
 * another file type.
 */
export class ExportFailedError extends ReelwireError {}

/**
 * The media could not be decoded.
 *
 * `decodeFailed`, -11821. The file may be damaged here; try another time or range.
 */
export class DecodeFailedError extends ReelwireError {}

/**
 * The source cannot be used for this.
 *
 * `invalidSourceMedia`, -11822. Check the file with another program; it may be damaged.
 */
export class InvalidSourceMediaError extends ReelwireError {}

/**
 * A file of that name exists.
 *
 * `fileAlreadyExists`, -11823. Remove the file, or choose another name; it was not touched.
 */
export class FileAlreadyExistsError extends ReelwireError {}

/**
 * The segments have gaps or overlap.
 *
 * `compositionTrackSegmentsNotContiguous`, -11824. Let each segment begin where the one before
 * it ends.
 */
export class CompositionTrackSegmentsNotContiguousError extends ReelwireError {}

/**
 * The duration of a segment is not positive.
 *
 * `invalidCompositionTrackSegmentDuration`, -11825. Give the segment a positive duration.
 */
export class InvalidCompositionTrackSegmentDurationError extends ReelwireError {}

/**
 * A segment begins outside its source.
 *
 * `invalidCompositionTrackSegmentSourceStartTime`, -11826. Choose a start inside the range of
 * the source track.
 */
export class InvalidCompositionTrackSegmentSourceStartTimeError extends ReelwireError {}

/**
 * A segment reaches beyond its source.
 *
 * `invalidCompositionTrackSegmentSourceDuration`, -11827. Choose a range inside that of the
 * source track.
 */
export class InvalidCompositionTrackSegmentSourceDurationError extends ReelwireError {}

/**
 * The file has no type that can be read.
 *
 * `fileFormatNotRecognized`, -11828. Check that it is a media file; engine/capabilities lists
 * the types.
 */
export class FileFormatNotRecognizedError extends ReelwireError {}

/**
 * The file cannot be opened, or its structure is broken.
 *
 * `fileFailedToParse`, -11829. Check that the path exists and the file is whole.
 */
export class FileFailedToParseError extends ReelwireError {}

/**
 * Too many still images were requested at once.
 *
 * `maximumStillImageCaptureRequestsExceeded`, -11830. Wait for the outstanding images.
 */
export class MaximumStillImageCaptureRequestsExceededError extends ReelwireError {}

/**
 * The content is encrypted.
 *
 * `contentIsProtected`, -11831. Use a file without protection.
 */
export class ContentIsProtectedError extends ReelwireError {}

/**
 * There is no image at that time.
 *
 * `noImageAtTime`, -11832. Choose a time inside the video track's timeRange, allow a tolerance,
 * or leave the time out for the first frame.
 */
export class NoImageAtTimeError extends ReelwireError {}

/**
 * This build has no decoder for the format.
 *
 * `decoderNotFound`, -11833. Install an FFmpeg with that decoder; engine/capabilities lists the
 * available ones.
 */
export class DecoderNotFoundError extends ReelwireError {}

/**
 * This build has no encoder for the format.
 *
 * `encoderNotFound`, -11834. Choose another preset or format; engine/capabilities lists the
 * available ones.
 */
export class EncoderNotFoundError extends ReelwireError {}

/**
 * The content is not authorized.
 *
 * `contentIsNotAuthorized`, -11835. Ask the owner of the content.
 */
export class ContentIsNotAuthorizedError extends ReelwireError {}

/**
 * This program is not authorized.
 *
 * `applicationIsNotAuthorized`, -11836. Give the process the rights it needs.
 */
export class ApplicationIsNotAuthorizedError extends ReelwireError {}

/**
 * The asset cannot do this.
 *
 * `operationNotSupportedForAsset`, -11838. Load isPlayable, isReadable and isExportable first.
 */
export class OperationNotSupportedForAssetError extends ReelwireError {}

/**
 * The decoder is busy.
 *
 * `decoderTemporarilyUnavailable`, -11839. Try again later.
 */
export class DecoderTemporarilyUnavailableError extends ReelwireError {}

/**
 * The encoder is busy.
 *
 * `encoderTemporarilyUnavailable`, -11840. Try again later.
 */
export class EncoderTemporarilyUnavailableError extends ReelwireError {}

/**
 * The video composition is wrong.
 *
 * `invalidVideoComposition`, -11841. Validate the composition first.
 */
export class InvalidVideoCompositionError extends ReelwireError {}

/**
 * The file refers to another file, which is not opened.
 *
 * `referenceForbiddenByReferencePolicy`, -11842. Use a self-contained file.
 */
export class ReferenceForbiddenByReferencePolicyError extends ReelwireError {}

/**
 * The name's extension does not fit the file type.
 *
 * `invalidOutputURLPathExtension`, -11843. Give outputFileType, or a name with an extension such
 * as .mp4.
 */
export class InvalidOutputURLPathExtensionError extends ReelwireError {}

/**
 * The screen could not be captured.
 *
 * `screenCaptureFailed`, -11844. Check the rights of the process.
 */
export class ScreenCaptureFailedError extends ReelwireError {}

/**
 * The work was interrupted.
 *
 * `operationInterrupted`, -11847. Repeat the request.
 */
export class OperationInterruptedError extends ReelwireError {}

/**
 * The asset has nothing that can be used here.
 *
 * `incompatibleAsset`, -11848. Check the asset's tracks.
 */
export class IncompatibleAssetError extends ReelwireError {}

/**
 * The media could not be read.
 *
 * `failedToLoadMediaData`, -11849. Check the disk and that the file has not changed.
 */
export class FailedToLoadMediaDataError extends ReelwireError {}

/**
 * The server of the media answers wrongly.
 *
 * `serverIncorrectlyConfigured`, -11850. Answer each resource/read once, with exactly the bytes
 * that it asks for; open the asset again.
 */
export class ServerIncorrectlyConfiguredError extends ReelwireError {}

/**
 * The program may not use the device.
 *
 * `applicationIsNotAuthorizedToUseDevice`, -11852. Give the process the rights it needs.
 */
export class ApplicationIsNotAuthorizedToUseDeviceError extends ReelwireError {}

/**
 * The content cannot be parsed.
 *
 * `failedToParse`, -11853. Check that the file is whole.
 */
export class FailedToParseError extends ReelwireError {}

/**
 * The file type cannot refer to samples of other files.
 *
 * `fileTypeDoesNotSupportSampleReferences`, -11854. Write a mov file, or copy the samples.
 */
export class FileTypeDoesNotSupportSampleReferencesError extends ReelwireError {}

/**
 * The media cannot be decoded.
 *
 * `undecodableMediaData`, -11855. The data may be damaged or protected; try the Passthrough
 * preset.
 */
export class UndecodableMediaDataError extends ReelwireError {}

/**
 * The video compositor failed.
 *
 * `videoCompositorFailed`, -11858. Look at data.libav and data.log.
 */
export class VideoCompositorFailedError extends ReelwireError {}

/**
 * A recording is in progress.
 *
 * `recordingAlreadyInProgress`, -11859. Stop it first.
 */
export class RecordingAlreadyInProgressError extends ReelwireError {}

/**
 * The output settings cannot be met.
 *
 * `unsupportedOutputSettings`, -11861. engine/capabilities lists pixelFormats and sampleFormats.
 */
export class UnsupportedOutputSettingsError extends ReelwireError {}

/**
 * The object's state does not allow this.
 *
 * `operationNotAllowed`, -11862. Make a new object: readers, sessions and writers work once.
 */
export class OperationNotAllowedError extends ReelwireError {}

/**
 * The content is not there.
 *
 * `contentIsUnavailable`, -11863. Check the path.
 */
export class ContentIsUnavailableError extends ReelwireError {}

/**
 * The format cannot be used here.
 *
 * `formatUnsupported`, -11864. Choose another format; engine/capabilities lists the available
 * ones.
 */
export class FormatUnsupportedError extends ReelwireError {}

/**
 * The content has not been updated.
 *
 * `contentNotUpdated`, -11866. Try again later.
 */
export class ContentNotUpdatedError extends ReelwireError {}

/**
 * The content can no longer be played.
 *
 * `noLongerPlayable`, -11867. Open the asset again.
 */
export class NoLongerPlayableError extends ReelwireError {}

/**
 * The asset has no such track.
 *
 * `noSourceTrack`, -11869. asset/tracks lists the tracks.
 */
export class NoSourceTrackError extends ReelwireError {}

/**
 * The preset cannot do this.
 *
 * `operationNotSupportedForPreset`, -11871. exportSession/compatiblePresets lists the presets
 * that can.
 */
export class OperationNotSupportedForPresetError extends ReelwireError {}

/**
 * The object lacks a setting, or has one that is wrong.
 *
 * `incorrectlyConfigured`, -11875. See the message for the setting.
 */
export class IncorrectlyConfiguredError extends ReelwireError {}

/**
 * A segment does not begin with a sync sample.
 *
 * `segmentStartedWithNonSyncSample`, -11876. Begin segments at sync samples.
 */
export class SegmentStartedWithNonSyncSampleError extends ReelwireError {}

/**
 * The work was cancelled.
 *
 * `operationCancelled`, -11878. Repeat the request if the result is still wanted.
 */
export class OperationCancelledError extends ReelwireError {}

/**
 * The sample cursor points at no sample.
 *
 * `invalidSampleCursor`, -11880. Make a new cursor.
 */
export class InvalidSampleCursorError extends ReelwireError {}

/**
 * The data of a sample could not be read.
 *
 * `failedToLoadSampleData`, -11881. Check the disk and that the file is whole.
 */
export class FailedToLoadSampleDataError extends ReelwireError {}

/**
 * The media could not be encoded.
 *
 * `encodeFailed`, -11883. Choose another preset, size or format.
 */
export class EncodeFailedError extends ReelwireError {}

/**
 * The process may not open the file.
 *
 * `sandboxExtensionDenied`, -11884. Check the rights of the file and its folders.
 */
export class SandboxExtensionDeniedError extends ReelwireError {}

/**
 * No open object has this handle.
 *
 * `unknownHandle`, 1001. It was closed, or never was; handle/list shows the open ones.
 */
export class UnknownHandleError extends ReelwireError {}

/**
 * The handle names an object of another kind.
 *
 * `wrongHandleKind`, 1002. Use the handle from the result of the object's create or open method.
 */
export class WrongHandleKindError extends ReelwireError {}

/**
 * The value is not loaded.
 *
 * `valueNotLoaded`, 1003. Load it with asset/loadValues or track/loadValues first.
 */
export class ValueNotLoadedError extends ReelwireError {}

/**
 * The worker process in which the object lived, or which did the work, has died.
 *
 * `workerDied`, 1004. Open the file again: it gets a worker of its own. Handles of the dead one
 * are gone; close them.
 */
export class WorkerDiedError extends ReelwireError {}

/**
 * All shared memory is leased.
 *
 * `leasesExhausted`, 2001. Release leases with blob/release, or raise --shm-max.
 */
export class LeasesExhaustedError extends ReelwireError {}

/**
 * The changes since that token are forgotten.
 *
 * `changeTokenExpired`, 2002. Fetch again, and count changes from the token of that.
 */
export class ChangeTokenExpiredError extends ReelwireError {}

/**
 * The server may not use this path or scheme.
 *
 * `pathNotAllowed`, 3001. Use a path below the folders of --root, or start the server with
 * another root.
 */
export class PathNotAllowedError extends ReelwireError {}

/**
 * A limit of the server was exceeded.
 *
 * `limitExceeded`, 3002. See the message for the limit; ask for less at a time.
 */
export class LimitExceededError extends ReelwireError {}

/**
 * The client did not supply bytes of a resource in time.
 *
 * `resourceTimedOut`, 4001. Answer each resource/read, with an error where there are no bytes,
 * or raise timeoutMs.
 */
export class ResourceTimedOutError extends ReelwireError {}
