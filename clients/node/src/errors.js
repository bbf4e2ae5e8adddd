// Every error of the engine as a class.

import { errorNames } from './protocol.js';

export class ReelwireError extends Error {
  constructor(reason, { code = 0, name, hint, data = {}, systemCode } = {}) {
    const words = hint ?? data.hint ?? '';
    // The engine's message has the first one.
    const problems = (data.errors ?? []).slice(1).map(({ path, expected, got }) => {
      return `\n  ${path || '/'}: expected ${expected}, got ${got}`;
    });
    super(`${reason}${problems.join('')}${words && `\n  hint: ${words}`}`);
    // Like those of any error they are not shown twice.
    const hidden = { configurable: true, writable: true };
    const known = name ?? data.name ?? errorNames[code] ?? 'reelwireError';
    Object.defineProperty(this, 'name', { ...hidden, value: known });
    Object.defineProperty(this, 'hint', { ...hidden, value: words });
    this.code = code;
    this.data = data;
    const system = systemCode ?? this.constructor.systemCode ?? systemCodeOf(data);
    if (system !== undefined) this.systemCode = system;
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
    const lines = stderr.slice(-5).map((line) => `\n  | ${line}`);
    super(`the engine ${how}${lines.join('')}`, {
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
