import type { ErrorData, ErrorName } from './protocol.js';

/**
 * An error of the engine, or of this client. Its message states the failure, and the advice.
 * `name` identifies it: `error.name === 'fileAlreadyExists'`.
 */
export class ReelwireError extends Error {
  /** The name on the wire, or one of this client's own. */
  readonly name: ErrorName | 'binaryNotFound' | 'engineClosed' | 'engineDied' | (string & {});
  /** The code on the wire; 0 for an error of this client. */
  readonly code: number;
  /** The advice. */
  readonly hint: string;
  /** Everything else the engine reported: `path`, `handle`, `key`, `stage`, `libav` … */
  readonly data: Partial<ErrorData>;
  /** The system's name of the reason, for example `ENOENT`, where there is one. */
  readonly systemCode?: string;
}

/**
 * The engine's process has ended unexpectedly; all pending requests fail with this.
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
