// Advice of the engine for users of this client.

import { phrasings } from './advice.js';

/**
 * The advice of an error with such data, with this client's calls and members.
 *
 * For an unknown advice, of a newer engine, it is the engine's hint.
 */
export function phrased({ advice, hint = '' }) {
  const phrasing = Object.hasOwn(phrasings, advice?.name ?? '') ? phrasings[advice.name] : undefined;
  if (phrasing === undefined) return hint;
  const values = advice.arguments ?? {};
  return phrasing.replace(/\{(\w+)(\|or)?\}/g, (place, name, isChoice) =>
    name in values ? text(values[name], isChoice) : place,
  );
}

function text(value, isChoice) {
  if (Array.isArray(value)) {
    return isChoice ? value.map((name) => `'${name}'`).join(' or ') : value.join(', ');
  }
  if (typeof value !== 'object') return String(value);
  return `${Number((Number(value.value) / value.timescale).toFixed(3))} s`;
}
