import type { ErrorData, ErrorName } from './protocol.js';

/**
 * An error of the engine, or of this client. Its message states what failed, and what to do next.
 * `name` identifies it: `error.name === 'fileAlreadyExists'`.
 */
export class ReelwireError extends Error {
  /** The name on the wire, or one of this client's own. */
  readonly name: ErrorName | 'binaryNotFound' | 'engineClosed' | 'engineDied' | (string & {});
  /** The code on the wire; 0 for an error of this client. */
  readonly code: number;
  /** What to do next. */
  readonly hint: string;
  /** Everything else the engine reported: `path`, `handle`, `key`, `stage`, `libav` … */
  readonly data: Partial<ErrorData>;
  /** The system's name of the reason, for example `ENOENT`, where there is one. */
  readonly systemCode?: string;
}

/**
 * The engine's process has ended by itself; everything that was asked for fails with this.
 */
export class EngineDiedError extends EngineClosedError {
  /** The exit code, when it ended with one. */
  readonly exitCode?: number;
  /** The name of the signal that ended it, for example `SIGKILL`. */
  readonly signal?: NodeJS.Signals;
  /** The last lines of its stderr. */
  readonly stderr: string[];
}

/** There is no engine to start. */
export class BinaryNotFoundError extends ReelwireError {}

/** The engine was closed before the answer came. */
export class EngineClosedError extends ReelwireError {}

/** The object, or the bytes, were let go of by this program. */
export class HandleClosedError extends ReelwireError {}

/** The message is no request, or one the engine does not take any more. */
export class InvalidRequestError extends ReelwireError {}

/** This engine has no such method. */
export class MethodNotFoundError extends ReelwireError {}

/** The params are not those of the method; `data.errors` has every problem. */
export class InvalidParamsError extends ReelwireError {}

/** The engine has a fault. */
export class InternalError extends ReelwireError {}

/** The request was cancelled before it was answered. */
export class RequestCancelledError extends ReelwireError {}

/** There was not enough memory. */
export class OutOfMemoryError extends ReelwireError {}

/** The disk is full; nothing was left behind. */
export class DiskFullError extends ReelwireError {}

/** The export failed. */
export class ExportFailedError extends ReelwireError {}

/** The media could not be decoded. */
export class DecodeFailedError extends ReelwireError {}

/** There is a file of that name already; it was not touched. */
export class FileAlreadyExistsError extends ReelwireError {}

/** The file is of no type that can be read. */
export class FileFormatNotRecognizedError extends ReelwireError {}

/** The structure of the file is broken. */
export class FileFailedToParseError extends ReelwireError {}

/** The content is encrypted. */
export class ContentIsProtectedError extends ReelwireError {}

/** There is no image at that time. */
export class NoImageAtTimeError extends ReelwireError {}

/** This build has no decoder for the format. */
export class DecoderNotFoundError extends ReelwireError {}

/** This build has no encoder for the format. */
export class EncoderNotFoundError extends ReelwireError {}

/** The asset cannot do this. */
export class OperationNotSupportedForAssetError extends ReelwireError {}

/** The name's extension does not fit the file type. */
export class InvalidOutputURLPathExtensionError extends ReelwireError {}

/** The output settings cannot be met. */
export class UnsupportedOutputSettingsError extends ReelwireError {}

/** The object's state does not allow this. */
export class OperationNotAllowedError extends ReelwireError {}

/** The file is not there (`systemCode` is `ENOENT` then), or is no regular file. */
export class ContentIsUnavailableError extends ReelwireError {}

/** The asset has no such track. */
export class NoSourceTrackError extends ReelwireError {}

/** The preset cannot do this. */
export class OperationNotSupportedForPresetError extends ReelwireError {}

/** The work was cancelled. */
export class OperationCancelledError extends ReelwireError {}

/** The media could not be encoded. */
export class EncodeFailedError extends ReelwireError {}

/** No open object has this handle. */
export class UnknownHandleError extends ReelwireError {}

/** The handle names an object of another kind. */
export class WrongHandleKindError extends ReelwireError {}

/** The value is not loaded. */
export class ValueNotLoadedError extends ReelwireError {}

/** All shared memory is leased. */
export class LeasesExhaustedError extends ReelwireError {}

/** The engine may not use this path or scheme. */
export class PathNotAllowedError extends ReelwireError {}

/** A limit of the engine was exceeded. */
export class LimitExceededError extends ReelwireError {}
