// Errors of the wire as errors of the client.

import { ReelwireError } from './error-base.js';
import * as classes from './error-codes.js';
import { localFailure } from './local-failures.js';

/** The classes by code; other codes are those of no class of their own. */
const CLASSES = new Map(Object.values(classes).map((each) => [each.wireCode, each]));

/**
 * Makes the error of an engine's error object; `undefined` without one. Its `cause` is the exception of a
 * compositor of this process.
 */
export function errorFromWire(wire) {
  if (wire === undefined) return undefined;
  const { code, message, data } = wire;
  const error = new (CLASSES.get(code) ?? ReelwireError)(message, { code, data });
  // As `new Error(message, { cause })` has it: not enumerable.
  const cause = error instanceof classes.VideoCompositorFailedError && localFailure(message);
  if (cause) Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
  return error;
}

/** The error of work that was cancelled, where the engine has sent none. */
export const cancelled = (message, hint) =>
  errorFromWire({ code: -11878, message, data: { name: 'operationCancelled', hint } });
