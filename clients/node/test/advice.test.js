// Advice of the engine, in this client's words.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { ReelwireError } from '../src/index.js';

const document = JSON.parse(fs.readFileSync(new URL('../../../docs/openrpc.json', import.meta.url)));
const WIRE = "The wire's.";

function hint(name, given = {}) {
  const data = { name: 'unknown', hint: WIRE, advice: { name, arguments: given } };
  return new ReelwireError('no', { code: -11800, data }).hint;
}

for (const [name, given, expected] of [
  ['listTracks', {}, 'asset.loadTracks() lists the tracks.'],
  ['exportPart', { part: 3 }, 'Export part 3 to this path.'],
  ['stateFileType', { fileTypes: ['mp4', 'mkv'] }, 'Give outputFileType, one of: mp4, mkv.'],
  [
    'chooseTimeBetween',
    { start: { value: 0, timescale: 1 }, end: { value: 119, timescale: 30 } },
    'It is shown from 0 s to 3.967 s.',
  ],
  [
    'setTimePitchAlgorithm',
    { algorithms: ['varispeed', 'spectral'] },
    "Set audioTimePitchAlgorithm to 'varispeed' or 'spectral', or change the speed of that part.",
  ],
  [
    'coverAll',
    { path: '/a/$&/{part}' },
    "Its instructions have to cover all that is shown of '/a/$&/{part}'.",
  ],
  // Of a newer engine.
  ['adviceOfTomorrow', {}, WIRE],
  ['constructor', {}, WIRE],
]) {
  test(`the advice ${name} is phrased for this client`, () => assert.equal(hint(name, given), expected));
}

test('all advice has its arguments in it', () => {
  const examples = {
    text: ['some text', 'some text'],
    integer: [4711, '4711'],
    names: [['one'], 'one'],
    time: [{ value: 7, timescale: 2 }, '3.5 s'],
  };
  const all = Object.entries(document['x-advice']);
  assert.ok(all.length > 250);
  for (const [name, advice] of all) {
    const kinds = Object.entries(advice.arguments);
    const words = hint(name, Object.fromEntries(kinds.map(([key, kind]) => [key, examples[kind][0]])));
    assert.notEqual(words, WIRE);
    for (const [, kind] of kinds) assert.ok(words.includes(examples[kind][1]), name);
  }
});
