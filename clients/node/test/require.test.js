// CommonJS: require('reelwire'), whether Node loads ES modules by it or not.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { findBinary } from '../src/index.js';
import { clip, folder } from './support.js';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const FLAG = '--experimental-require-module';
const canChoose = process.allowedNodeEnvironmentFlags.has(FLAG);
const always = !canChoose && Boolean(process.features.require_module);
const WAYS = {
  'at once': { options: [FLAG, '--disable-warning=ExperimentalWarning'], skip: !canChoose },
  later: { options: canChoose ? [`--no-${FLAG.slice(2)}`] : [], skip: always },
};

/** The output of a program, and its error. */
function run(program, options) {
  const place = folder();
  fs.mkdirSync(path.join(place, 'node_modules'));
  fs.symlinkSync(ROOT, path.join(place, 'node_modules', 'reelwire'));
  fs.writeFileSync(path.join(place, 'program.cjs'), program);
  return spawnSync(process.execPath, [...options, 'program.cjs', clip()], {
    cwd: place,
    encoding: 'utf8',
    env: { ...process.env, REELWIRE_BINARY: findBinary() },
  });
}

for (const [name, { options, skip }] of Object.entries(WAYS)) {
  test(`an engine is started by what is loaded ${name}`, { skip }, () => {
    const { stdout, stderr, status } = run(
      `const { Engine } = require('reelwire');
      (async () => {
        const engine = await Engine.launch();
        const asset = await engine.open(process.argv[2]);
        const { duration } = await asset.load('duration');
        const { MediaTime, ReelwireError } = require('reelwire');
        console.log(engine instanceof Engine, duration instanceof MediaTime);
        await engine.open('/nothing.mp4').then((missing) => missing.load('duration'))
          .catch((error) => console.log(error instanceof ReelwireError));
        const all = await import('reelwire');
        console.log(all.MediaTime === MediaTime, await engine instanceof all.Engine);
        await engine.close();
      })();`,
      options,
    );
    assert.deepEqual([stdout, stderr, status], ['true true\ntrue\ntrue true\n', '', 0]);
  });
}

test('what is not there yet is an error that states when it is', { skip: always }, () => {
  const { stderr, status } = run(
    `const { MediaTime } = require('reelwire');`,
    WAYS.later.options,
  );
  assert.notEqual(status, 0);
  assert.match(stderr, /'MediaTime' of reelwire once Engine\.launch\(\) has been waited for/);
});

test('what is there at once has all names', { skip: WAYS['at once'].skip }, () => {
  const { stdout } = run(
    `console.log(Object.keys(require('reelwire')).length > 40)`,
    WAYS['at once'].options,
  );
  assert.equal(stdout, 'true\n');
});

test('what others ask of every module is no error', { skip: always }, () => {
  const { stdout, stderr } = run(
    `const reelwire = require('reelwire');
    console.log(reelwire.__esModule, reelwire.then, 'Engine' in reelwire);
    console.log(require('node:util').inspect(reelwire).includes('Engine'));
    import('reelwire').then((all) => console.log(typeof all.Engine));`,
    WAYS.later.options,
  );
  assert.deepEqual([stdout, stderr], ['undefined undefined true\ntrue\nfunction\n', '']);
});
