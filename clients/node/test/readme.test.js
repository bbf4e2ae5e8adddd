// Every example of the README runs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { findBinary } from '../src/index.js';
import { folder, richClip } from './support.js';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const README = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const BLOCKS = [...README.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, block]) => block);

test('there are examples', () => assert.equal(BLOCKS.length, 13));

for (const [index, block] of BLOCKS.entries()) {
  test(`example ${index + 1} runs`, () => {
    const place = folder();
    fs.copyFileSync(richClip(), path.join(place, 'clip.mp4'));
    fs.mkdirSync(path.join(place, 'node_modules'));
    fs.symlinkSync(ROOT, path.join(place, 'node_modules', 'reelwire'));
    fs.writeFileSync(path.join(place, 'example.mjs'), block);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, REELWIRE_BINARY: findBinary() },
    });
    assert.deepEqual([status, stderr], [0, '']);
    assert.ok(stdout);
  });
}
