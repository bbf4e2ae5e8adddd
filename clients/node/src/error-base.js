// The base of the engine's errors, and the errors of the client itself.

import { phrased } from './hints.js';
import { errorNames } from './protocol.js';

export class ReelwireError extends Error {
  constructor(reason, { code = 0, name, hint, data = {}, systemCode } = {}) {
    // With this client's names; `data` has the wire's.
    const words = hint ?? phrased(data);
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

/** The code of the libraries' error if it is one of the system's, for example `ENOENT`. */
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
