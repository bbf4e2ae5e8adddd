// TypeScript's compiler has nothing against the declarations, and against programs that use them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'types');
const compile = (...options) => spawnSync('tsc', options, { cwd: HERE, encoding: 'utf8' });
const skip = compile('--version').error ? 'there is no tsc' : false;

test('programs that use the client have the types that are declared', { skip }, () => {
  const { status, stdout } = compile('-p', 'tsconfig.json');
  assert.equal(stdout, '');
  assert.equal(status, 0);
});

test('what is wrong is found', { skip }, () => {
  const project = JSON.parse(fs.readFileSync(path.join(HERE, 'tsconfig.json'), 'utf8'));
  const source = path.join(HERE, 'uses.mts');
  const wrong = fs.readFileSync(source, 'utf8').replaceAll('// @ts-expect-error', '// It was');
  // A folder in which the package is found by its own name.
  const place = fs.mkdtempSync(path.join(HERE, '.wrong-'));
  try {
    fs.writeFileSync(path.join(place, 'uses.mts'), wrong);
    project.compilerOptions.typeRoots = [HERE];
    project.files = ['uses.mts'];
    fs.writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(project));
    const { stdout } = compile('-p', place);
    assert.equal(stdout.match(/error TS/g)?.length, 3, stdout);
  } finally {
    fs.rmSync(place, { recursive: true });
  }
});
