// A class for each error code of the protocol.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

import { ReelwireError } from './error-base.js';

export class ParseError extends ReelwireError {
  static wireCode = -32700;
}

export class InvalidRequestError extends ReelwireError {
  static wireCode = -32600;
}

export class MethodNotFoundError extends ReelwireError {
  static wireCode = -32601;
}

export class InvalidParamsError extends ReelwireError {
  static wireCode = -32602;
}

export class InternalError extends ReelwireError {
  static wireCode = -32603;
}

export class RequestCancelledError extends ReelwireError {
  static wireCode = -32800;
}

export class OutOfMemoryError extends ReelwireError {
  static wireCode = -11801;
  static systemCode = 'ENOMEM';
}

export class SessionNotRunningError extends ReelwireError {
  static wireCode = -11803;
}

export class DeviceAlreadyUsedByAnotherSessionError extends ReelwireError {
  static wireCode = -11804;
}

export class NoDataCapturedError extends ReelwireError {
  static wireCode = -11805;
}

export class SessionConfigurationChangedError extends ReelwireError {
  static wireCode = -11806;
}

export class DiskFullError extends ReelwireError {
  static wireCode = -11807;
  static systemCode = 'ENOSPC';
}

export class DeviceWasDisconnectedError extends ReelwireError {
  static wireCode = -11808;
}

export class MediaChangedError extends ReelwireError {
  static wireCode = -11809;
}

export class MaximumDurationReachedError extends ReelwireError {
  static wireCode = -11810;
}

export class MaximumFileSizeReachedError extends ReelwireError {
  static wireCode = -11811;
}

export class MediaDiscontinuityError extends ReelwireError {
  static wireCode = -11812;
}

export class MaximumNumberOfSamplesForFileFormatReachedError extends ReelwireError {
  static wireCode = -11813;
}

export class DeviceNotConnectedError extends ReelwireError {
  static wireCode = -11814;
}

export class DeviceInUseByAnotherApplicationError extends ReelwireError {
  static wireCode = -11815;
}

export class DeviceLockedForConfigurationByAnotherProcessError extends ReelwireError {
  static wireCode = -11817;
}

export class SessionWasInterruptedError extends ReelwireError {
  static wireCode = -11818;
}

export class MediaServicesWereResetError extends ReelwireError {
  static wireCode = -11819;
}

export class ExportFailedError extends ReelwireError {
  static wireCode = -11820;
}

export class DecodeFailedError extends ReelwireError {
  static wireCode = -11821;
}

export class InvalidSourceMediaError extends ReelwireError {
  static wireCode = -11822;
}

export class FileAlreadyExistsError extends ReelwireError {
  static wireCode = -11823;
  static systemCode = 'EEXIST';
}

export class CompositionTrackSegmentsNotContiguousError extends ReelwireError {
  static wireCode = -11824;
}

export class InvalidCompositionTrackSegmentDurationError extends ReelwireError {
  static wireCode = -11825;
}

export class InvalidCompositionTrackSegmentSourceStartTimeError extends ReelwireError {
  static wireCode = -11826;
}

export class InvalidCompositionTrackSegmentSourceDurationError extends ReelwireError {
  static wireCode = -11827;
}

export class FileFormatNotRecognizedError extends ReelwireError {
  static wireCode = -11828;
}

export class FileFailedToParseError extends ReelwireError {
  static wireCode = -11829;
}

export class MaximumStillImageCaptureRequestsExceededError extends ReelwireError {
  static wireCode = -11830;
}

export class ContentIsProtectedError extends ReelwireError {
  static wireCode = -11831;
  static systemCode = 'EACCES';
}

export class NoImageAtTimeError extends ReelwireError {
  static wireCode = -11832;
}

export class DecoderNotFoundError extends ReelwireError {
  static wireCode = -11833;
}

export class EncoderNotFoundError extends ReelwireError {
  static wireCode = -11834;
}

export class ContentIsNotAuthorizedError extends ReelwireError {
  static wireCode = -11835;
}

export class ApplicationIsNotAuthorizedError extends ReelwireError {
  static wireCode = -11836;
}

export class OperationNotSupportedForAssetError extends ReelwireError {
  static wireCode = -11838;
}

export class DecoderTemporarilyUnavailableError extends ReelwireError {
  static wireCode = -11839;
}

export class EncoderTemporarilyUnavailableError extends ReelwireError {
  static wireCode = -11840;
}

export class InvalidVideoCompositionError extends ReelwireError {
  static wireCode = -11841;
}

export class ReferenceForbiddenByReferencePolicyError extends ReelwireError {
  static wireCode = -11842;
}

export class InvalidOutputURLPathExtensionError extends ReelwireError {
  static wireCode = -11843;
}

export class ScreenCaptureFailedError extends ReelwireError {
  static wireCode = -11844;
}

export class OperationInterruptedError extends ReelwireError {
  static wireCode = -11847;
}

export class IncompatibleAssetError extends ReelwireError {
  static wireCode = -11848;
}

export class FailedToLoadMediaDataError extends ReelwireError {
  static wireCode = -11849;
}

export class ServerIncorrectlyConfiguredError extends ReelwireError {
  static wireCode = -11850;
}

export class ApplicationIsNotAuthorizedToUseDeviceError extends ReelwireError {
  static wireCode = -11852;
}

export class FailedToParseError extends ReelwireError {
  static wireCode = -11853;
}

export class FileTypeDoesNotSupportSampleReferencesError extends ReelwireError {
  static wireCode = -11854;
}

export class UndecodableMediaDataError extends ReelwireError {
  static wireCode = -11855;
}

export class VideoCompositorFailedError extends ReelwireError {
  static wireCode = -11858;
}

export class RecordingAlreadyInProgressError extends ReelwireError {
  static wireCode = -11859;
}

export class UnsupportedOutputSettingsError extends ReelwireError {
  static wireCode = -11861;
}

export class OperationNotAllowedError extends ReelwireError {
  static wireCode = -11862;
}

export class ContentIsUnavailableError extends ReelwireError {
  static wireCode = -11863;
}

export class FormatUnsupportedError extends ReelwireError {
  static wireCode = -11864;
}

export class ContentNotUpdatedError extends ReelwireError {
  static wireCode = -11866;
}

export class NoLongerPlayableError extends ReelwireError {
  static wireCode = -11867;
}

export class NoSourceTrackError extends ReelwireError {
  static wireCode = -11869;
}

export class OperationNotSupportedForPresetError extends ReelwireError {
  static wireCode = -11871;
}

export class IncorrectlyConfiguredError extends ReelwireError {
  static wireCode = -11875;
}

export class SegmentStartedWithNonSyncSampleError extends ReelwireError {
  static wireCode = -11876;
}

export class OperationCancelledError extends ReelwireError {
  static wireCode = -11878;
}

export class InvalidSampleCursorError extends ReelwireError {
  static wireCode = -11880;
}

export class FailedToLoadSampleDataError extends ReelwireError {
  static wireCode = -11881;
}

export class EncodeFailedError extends ReelwireError {
  static wireCode = -11883;
}

export class SandboxExtensionDeniedError extends ReelwireError {
  static wireCode = -11884;
}

export class UnknownHandleError extends ReelwireError {
  static wireCode = 1001;
}

export class WrongHandleKindError extends ReelwireError {
  static wireCode = 1002;
}

export class ValueNotLoadedError extends ReelwireError {
  static wireCode = 1003;
}

export class WorkerDiedError extends ReelwireError {
  static wireCode = 1004;
}

export class LeasesExhaustedError extends ReelwireError {
  static wireCode = 2001;
  static systemCode = 'ETIMEDOUT';
}

export class ChangeTokenExpiredError extends ReelwireError {
  static wireCode = 2002;
}

export class PathNotAllowedError extends ReelwireError {
  static wireCode = 3001;
  static systemCode = 'EACCES';
}

export class LimitExceededError extends ReelwireError {
  static wireCode = 3002;
}

export class ResourceTimedOutError extends ReelwireError {
  static wireCode = 4001;
}
