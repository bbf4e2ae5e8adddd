// Messages as text: those that the engine could not read are refused before they are sent.

import { inspect } from 'node:util';

import { errorFromWire } from './wire-errors.js';

/** One half of a pair of code units, which no UTF-8 stands for. */
const LONE = /\p{Surrogate}/u;

const isBad = (value) =>
  typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'string' && LONE.test(value);

/** JSON has no big integers: one that doesn't fit in a number is sent as text. */
function plain(_, value) {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The values that a message can't hold, by their places in the params. */
function problemsOf(message) {
  const problems = [];
  const places = new Map();
  JSON.stringify(message, function note(key, given) {
    const value = plain(key, given);
    const place = places.has(this) ? `${places.get(this)}/${key}` : '';
    const path = place.replace(/^\/params(?=\/|$)/, '');
    if (LONE.test(key)) problems.push({ path, expected: 'a name in UTF-8', got: inspect(key) });
    if (isBad(value)) {
      const expected = typeof value === 'number' ? 'a finite number' : 'text in UTF-8';
      problems.push({ path, expected, got: inspect(value) });
    }
    if (value !== null && typeof value === 'object') places.set(value, place);
    return value;
  });
  return problems;
}

/**
 * A message as one line; `limit` is the most bytes the engine takes. Throws for text that has no UTF-8,
 * for numbers that JSON doesn't have, and for a message that is too large.
 */
export function encoded(message, limit = Infinity) {
  let isWrong = false;
  const text = JSON.stringify(message, (key, given) => {
    const value = plain(key, given);
    isWrong ||= isBad(value) || LONE.test(key);
    return value;
  });
  if (isWrong) {
    const errors = problemsOf(message);
    const [{ path, expected, got }] = errors;
    throw errorFromWire({
      code: -32602,
      message: `Invalid params: ${path || '/'}: expected ${expected}, got ${got}`,
      data: { name: 'invalidParams', hint: 'Correct the params; nothing was sent.', errors },
    });
  }
  // A code unit is three bytes at most.
  if (text.length * 3 > limit && Buffer.byteLength(text) > limit) {
    throw errorFromWire({
      code: -32600,
      message: `Invalid Request: the message is larger than ${limit} bytes`,
      data: {
        ...{ name: 'messageTooLarge', reason: 'messageTooLarge' },
        hint: 'Split the request, or start the engine with a higher --max-message-bytes.',
      },
    });
  }
  return `${text}\n`;
}
