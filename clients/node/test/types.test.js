// The declarations match the client.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import * as calls from '../src/calls.js';
import * as reelwire from '../src/index.js';
import { assetKeys, trackKeys } from '../src/protocol.js';

const source = new URL('../src/', import.meta.url);
const declarations = fs
  .readdirSync(source)
  .filter((name) => name.endsWith('.d.ts') && name !== 'protocol.d.ts')
  .map((name) => fs.readFileSync(new URL(name, source), 'utf8'))
  .join('\n');

/** The body of a declared class or interface. */
const declared = (kind, name) =>
  new RegExp(`^export (?:declare )?${kind} ${name}\\b[^{]*\\{\\}?\\n?([^]*?)^\\}`, 'm').exec(
    declarations,
  )?.[1];
const names = (text, expression) => [...text.matchAll(expression)].map(([, name]) => name);
const members = (body) =>
  new Set(names(body, /^ {2}(?:static |readonly )*\[?([\w.]+)\]?[?:<(]/gm));

/** The members through which the client's own parts call each other. */
const INTERNAL = new Set(
  ['constructor', 'drain', 'facts', 'forget', 'markFinished', 'run', 'scaled', 'take']
    .concat(['changed', 'throwFailure', 'tracksOf', 'valuesOfTrack', 'wire', 'write']),
);

test('every export is declared, and the other way round', () => {
  const declared = names(declarations, /^export (?:class|function) (\w+)/gm);
  const hidden = ['Picture', 'Remote'];
  assert.deepEqual(
    Object.keys(reelwire).filter((name) => name !== 'protocol').sort(),
    declared.filter((name) => !hidden.includes(name)).sort(),
  );
});

for (const [name, value] of Object.entries(reelwire)) {
  if (typeof value !== 'function' || !/^class /.test(value) || name.endsWith('Error')) continue;
  test(`the members of ${name} are declared`, () => {
    const found = Object.getOwnPropertyNames(value.prototype).filter((key) => !INTERNAL.has(key));
    const keys = { Asset: assetKeys, Track: trackKeys }[name] ?? [];
    // Its own members, those generated for it in its base, and those that every object of the engine has.
    const beside = new RegExp(`^export interface ${name} extends (\\w+Calls) `, 'm');
    const declaredHere = new Set(
      [name, beside.exec(declarations)?.[1] ?? [], 'Remote']
        .flat()
        .flatMap((each) => [...members(declared('class', each))]),
    );
    for (const key of found) {
      assert.ok(declaredHere.has(key) || keys.includes(key), `${name}.${key} is not declared`);
    }
    const statics = Object.getOwnPropertyNames(value).filter(
      (key) => !['length', 'name', 'prototype'].includes(key),
    );
    for (const key of statics) assert.ok(declaredHere.has(key), `${name}.${key} is not declared`);
  });
}

for (const [name, value] of Object.entries(calls)) {
  test(`the generated members of ${name} are declared`, () => {
    const found = Object.getOwnPropertyNames(value.prototype).filter((key) => key !== 'constructor');
    assert.deepEqual([...members(declared('class', name))].sort(), found.sort());
  });
}

test('an object has what is generated for it, once', () => {
  for (const value of Object.values(reelwire)) {
    const base = typeof value === 'function' ? Object.getPrototypeOf(value) : undefined;
    if (!Object.values(calls).includes(base)) continue;
    const own = Object.getOwnPropertyNames(value.prototype);
    const both = own.filter((key) => key !== 'constructor' && Object.hasOwn(base.prototype, key));
    assert.deepEqual(both, [], value.name);
  }
});

test('every key is declared', () => {
  for (const [name, keys] of [
    ['AssetValues', assetKeys],
    ['TrackValues', trackKeys],
  ]) {
    assert.deepEqual([...members(declared('interface', name))].sort(), [...keys].sort());
  }
});

