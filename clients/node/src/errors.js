// Every error of the engine as a class.

import { errorNames } from './protocol.js';

export class ReelwireError extends Error {
  constructor(reason, { code = 0, name, hint, data = {}, systemCode } = {}) {
    const words = hint ?? data.hint ?? '';
    const problems = (data.errors ?? []).map(
      ({ path, expected, got }) => `\n  ${path || '/'}: expected ${expected}, got ${got}`,
    );
    super(`${reason}${problems.join('')}${words && `\n  hint: ${words}`}`);
    Object.defineProperty(this, 'name', {
      value: name ?? data.name ?? errorNames[code] ?? 'reelwireError',
      configurable: true,
      writable: true,
    });
    this.code = code;
    this.hint = words;
    this.data = data;
    const known = systemCode ?? systemCodeOf(data) ?? this.constructor.systemCode;
    if (known !== undefined) this.systemCode = known;
    // Again, because now it has its name.
    Error.captureStackTrace(this, new.target);
  }
}

/** The code of the system's error when that is what the libraries had, for example `ENOENT`. */
function systemCodeOf({ libav }) {
  return /^E[A-Z0-9]+$/.test(libav?.code) ? libav.code : undefined;
}

export class BinaryNotFoundError extends ReelwireError {
  static systemCode = 'ENOENT';
}

export class EngineClosedError extends ReelwireError {}

export class EngineDiedError extends EngineClosedError {
  constructor({ exitCode, signal, stderr }) {
    const how = signal ? `was ended by ${signal}` : `ended with code ${exitCode}`;
    const said = stderr.slice(-5).map((line) => `\n  | ${line}`);
    super(`the engine ${how}${said.join('')}`, {
      name: 'engineDied',
      hint: 'Start another one and ask again.',
    });
    this.exitCode = exitCode ?? undefined;
    this.signal = signal ?? undefined;
    this.stderr = stderr;
  }
}

export class HandleClosedError extends ReelwireError {}

// JSON-RPC's own.

export class InvalidRequestError extends ReelwireError {}
export class MethodNotFoundError extends ReelwireError {}
export class InvalidParamsError extends ReelwireError {}
export class InternalError extends ReelwireError {}
export class RequestCancelledError extends ReelwireError {}

// AVFoundation's.

export class OutOfMemoryError extends ReelwireError {
  static systemCode = 'ENOMEM';
}
export class DiskFullError extends ReelwireError {
  static systemCode = 'ENOSPC';
}
export class ExportFailedError extends ReelwireError {}
export class DecodeFailedError extends ReelwireError {}
export class FileAlreadyExistsError extends ReelwireError {
  static systemCode = 'EEXIST';
}
export class FileFormatNotRecognizedError extends ReelwireError {}
export class FileFailedToParseError extends ReelwireError {}
export class ContentIsProtectedError extends ReelwireError {
  static systemCode = 'EACCES';
}
export class NoImageAtTimeError extends ReelwireError {}
export class DecoderNotFoundError extends ReelwireError {}
export class EncoderNotFoundError extends ReelwireError {}
export class OperationNotSupportedForAssetError extends ReelwireError {}
export class InvalidOutputURLPathExtensionError extends ReelwireError {}
export class UnsupportedOutputSettingsError extends ReelwireError {}
export class OperationNotAllowedError extends ReelwireError {}
export class ContentIsUnavailableError extends ReelwireError {}
export class NoSourceTrackError extends ReelwireError {}
export class OperationNotSupportedForPresetError extends ReelwireError {}
export class OperationCancelledError extends ReelwireError {}
export class EncodeFailedError extends ReelwireError {}

// Reelwire's.

export class UnknownHandleError extends ReelwireError {}
export class WrongHandleKindError extends ReelwireError {}
export class ValueNotLoadedError extends ReelwireError {}
export class LeasesExhaustedError extends ReelwireError {
  static systemCode = 'ETIMEDOUT';
}
export class PathNotAllowedError extends ReelwireError {
  static systemCode = 'EACCES';
}
export class LimitExceededError extends ReelwireError {}

const CLASSES = new Map([
  [-32600, InvalidRequestError],
  [-32601, MethodNotFoundError],
  [-32602, InvalidParamsError],
  [-32603, InternalError],
  [-32800, RequestCancelledError],
  [-11801, OutOfMemoryError],
  [-11807, DiskFullError],
  [-11820, ExportFailedError],
  [-11821, DecodeFailedError],
  [-11823, FileAlreadyExistsError],
  [-11828, FileFormatNotRecognizedError],
  [-11829, FileFailedToParseError],
  [-11831, ContentIsProtectedError],
  [-11832, NoImageAtTimeError],
  [-11833, DecoderNotFoundError],
  [-11834, EncoderNotFoundError],
  [-11838, OperationNotSupportedForAssetError],
  [-11843, InvalidOutputURLPathExtensionError],
  [-11861, UnsupportedOutputSettingsError],
  [-11862, OperationNotAllowedError],
  [-11863, ContentIsUnavailableError],
  [-11869, NoSourceTrackError],
  [-11871, OperationNotSupportedForPresetError],
  [-11878, OperationCancelledError],
  [-11883, EncodeFailedError],
  [1001, UnknownHandleError],
  [1002, WrongHandleKindError],
  [1003, ValueNotLoadedError],
  [2001, LeasesExhaustedError],
  [3001, PathNotAllowedError],
  [3002, LimitExceededError],
]);

/** Makes the error of what the engine sent; `undefined` of nothing. */
export function errorFromWire(wire) {
  if (wire === undefined) return undefined;
  const { code, message, data } = wire;
  return new (CLASSES.get(code) ?? ReelwireError)(message, { code, data });
}

/** The error of work that was cancelled, where the engine has sent none. */
export const cancelled = (message, hint) =>
  errorFromWire({ code: -11878, message, data: { name: 'operationCancelled', hint } });
