#!/usr/bin/env node
// A small engine that plays a script: for behaviour that a real one has only on its worst days.
//
// `fake-engine.js SCRIPT LOG serve` reads a JSON object from SCRIPT: for each method the actions of
// its first call, its second and so on, the last of which is used for all that follow. Every
// message that arrives is appended to LOG. An action is an object with one member:
//
// - `result`, `error`: answers with it; `{"$shm": "text"}` in it becomes a blob under a lease
// - `notify`: `[method, params]`
// - `hold`: keeps the request; `answerHeld`: answers all that are kept, the last one first
// - `raw`, `stderr`: writes the text as it is; `stderrHex`: writes those bytes
// - `exit`: ends with the code; `kill`: ends by the signal
// - `deaf`: reads no more, until there is the file `SCRIPT.name`

import fs from 'node:fs';

import { stall } from './waiting.cjs';

const [, , scriptFile, logFile] = process.argv;
const script = JSON.parse(fs.readFileSync(scriptFile, 'utf8'));
const calls = {};
const leases = new Set();
let held = [];
let used = 0;
let leaseCount = 0;

const send = (message) => fs.writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** A file stands for the memory: a path, an offset and a size are all that shows. */
function shared(text) {
  const path = `${scriptFile}.memory`;
  const data = Buffer.from(text);
  if (leases.size === 0) used = 0;
  const descriptor = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT);
  fs.writeSync(descriptor, data, 0, data.length, used);
  fs.closeSync(descriptor);
  leaseCount += 1;
  const lease = `lease:${leaseCount}`;
  leases.add(lease);
  const place = { path, offset: used, lease };
  used += Math.ceil(data.length / 64) * 64;
  return { kind: 'shm', size: data.length, mimeType: 'application/octet-stream', ...place };
}

function filled(value) {
  if (Array.isArray(value)) return value.map(filled);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.$shm === 'string') return shared(value.$shm);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]));
}

const standard = (method) =>
  ({
    initialize: {
      serverInfo: { name: 'reelwire', version: 'fake' },
      protocolVersion: '1.0',
      ffmpeg: { version: '0', license: 'none', libraries: {} },
      capabilities: {},
    },
    'engine/stats': { leases: leases.size, operations: 0, handles: {}, calls },
    'handle/list': { handles: [] },
    'asset/open': { asset: 'asset:1' },
    'imageGenerator/create': { imageGenerator: 'imageGenerator:2' },
    'exportSession/create': {
      exportSession: 'exportSession:3',
      outputFileType: 'mp4',
      supportedFileTypes: ['mp4'],
    },
    'assetReader/create': { assetReader: 'assetReader:4', outputs: ['output:4/1'] },
  })[method] ?? {};

const actions = {
  result: (value, { id }) => send({ id, result: filled(value) }),
  error: (value, { id }) => send({ id, error: value }),
  notify: ([method, params]) => send({ method, params: filled(params) }),
  hold: (_, message) => held.push(message),
  answerHeld: (value) => {
    while (held.length) send({ id: held.pop().id, result: filled(value) });
  },
  raw: (text) => fs.writeSync(1, text),
  stderr: (text) => fs.writeSync(2, text),
  stderrHex: (hex) => fs.writeSync(2, Buffer.from(hex, 'hex')),
  exit: (code) => process.exit(code),
  kill: (signal) => process.kill(process.pid, signal),
  deaf: (name) => stall(() => fs.existsSync(`${scriptFile}.${name}`)),
};

function take(message) {
  const { id, method, params } = message;
  if (script[method]) {
    calls[method] = (calls[method] ?? 0) + 1;
    const turn = script[method][Math.min(calls[method], script[method].length) - 1];
    for (const action of turn) {
      const [[kind, value]] = Object.entries(action);
      actions[kind](value, message);
    }
  } else if (method === '$/cancelRequest') {
    for (const { id } of held.filter((each) => each.id === params.id)) {
      send({ id, error: { code: -32800, message: 'cancelled' } });
    }
    held = held.filter((each) => each.id !== params.id);
  } else if (method === 'blob/release') {
    for (const lease of params.leases) leases.delete(lease);
  } else if (method === 'exit') {
    process.exit(0);
  } else if (id !== undefined) {
    send({ id, result: standard(method) });
  }
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    fs.appendFileSync(logFile, `${line}\n`);
    take(JSON.parse(line));
  }
});
