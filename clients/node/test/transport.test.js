// The process and its messages, against an engine that plays a script.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import {
  BinaryNotFoundError,
  Engine,
  EngineClosedError,
  EngineDiedError,
  FileAlreadyExistsError,
  InvalidParamsError,
  ReelwireError,
  findBinary,
} from '../src/index.js';
import { Lines } from '../src/lines.js';
import { fake, folder, run, runs, SOURCE, withFake } from './support.js';
import { eventually } from './waiting.cjs';

test('lines of any length, cut anywhere', () => {
  const text = Buffer.from(`one\n\ntwo\r\n${'x'.repeat(300_000)}\nrest`);
  for (const step of [7, 65536, text.length]) {
    const lines = new Lines();
    const found = [];
    for (let at = 0; at < text.length; at += step) {
      for (const line of lines.feed(text.subarray(at, at + step))) found.push(String(line));
    }
    assert.equal([...found, String(lines.end())].join('\n'), String(text));
  }
});

test('a line of megabytes arrives', () =>
  withFake({ big: [[{ result: 'x'.repeat(5_000_000) }]] }, async (engine) => {
    assert.equal((await engine.request('big')).length, 5_000_000);
  }));

test('answers out of order find their requests', () =>
  withFake(
    { ask: [[{ hold: 1 }], [{ hold: 1 }], [{ hold: 1 }, { answerHeld: 'late' }]] },
    async (engine) => {
      const ended = [];
      const ask = async (number) => {
        await engine.request('ask', { number });
        ended.push(number);
      };
      await Promise.all([ask(1), ask(2), ask(3)]);
      assert.deepEqual(ended, [3, 2, 1]);
    },
  ));

test('pipelined requests are sent in order', async () => {
  const played = await withFake({}, (engine) =>
    Promise.all(Array.from({ length: 500 }, (_, n) => engine.request('n', { n }))),
  );
  const sent = played.messages('n').map(({ params }) => params.n);
  assert.deepEqual(sent, Array.from({ length: 500 }, (_, n) => n));
});

test('malformed stdout and stderr do no harm', () =>
  withFake(
    {
      ask: [
        [
          { stderrHex: 'fffe00800a' },
          { stderr: 'x'.repeat(100_000) },
          { raw: 'this is no message\n\n' },
          { raw: '[{"jsonrpc":"2.0","id":99,"result":1},{"jsonrpc":"2.0","method":"what/ever"},' },
          { raw: '{"jsonrpc":"2.0","id":null,"result":{}}, null]\n' },
          { result: 1 },
        ],
      ],
    },
    async (engine) => assert.equal(await engine.request('ask'), 1),
  ));

const unidentified = {
  raw: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}\n',
};

test('an error without id fails what is unanswered, and what goes on is cancelled', async () => {
  const played = await withFake(
    { wait: [[{ hold: 1 }]], bad: [[unidentified]], late: [[{ answerHeld: {} }, { result: 1 }]] },
    async (engine) => {
      const waiting = [engine.request('wait'), engine.request('wait'), engine.request('bad')];
      for (const { reason } of await Promise.allSettled(waiting)) {
        assert.equal(reason.code, -32700);
        assert.match(reason.stack, /transport\.test\.js/);
      }
      // Later requests are answered as ever.
      assert.equal(await engine.request('late'), 1);
    },
  );
  assert.equal(played.messages('$/cancelRequest').length, 3);
});

test('what comes of a request that has failed so is given back', async () => {
  const opened = { asset: 'asset:7', blob: { $shm: 'x' } };
  const played = await withFake(
    { 'asset/open': [[unidentified, { result: opened }]] },
    async (engine) => {
      await assert.rejects(engine.open('a.mp4'), { code: -32700 });
      await eventually('it is given back', async () => (await engine.stats()).leases === 0);
    },
  );
  assert.deepEqual(played.messages('handle/close')[0].params, { handle: 'asset:7' });
});

test('what no message can hold is refused before it is sent', async () => {
  const played = await withFake({}, async (engine) => {
    for (const [params, at] of [
      [{ url: '/a/\ud800.mp4' }, '/url'],
      [{ a: [1, { b: '\udcff' }] }, '/a/1/b'],
      [{ '\ud800': 1 }, '/\ud800'],
      [{ time: NaN }, '/time'],
      [{ times: [0, -Infinity] }, '/times/1'],
    ]) {
      const error = await engine.request('ask', params).catch((reason) => reason);
      assert.ok(error instanceof InvalidParamsError);
      assert.equal(error.data.errors[0].path, at);
      assert.throws(() => engine.notify('tell', params), InvalidParamsError);
    }
    await assert.rejects(engine.request('\ud800'), InvalidParamsError);
    // Pairs are text, and so is everything else.
    await engine.request('ask', { text: '\u{1f600}\u2028é\0' });
  });
  assert.deepEqual(played.messages('ask').map(({ params }) => params), [
    { text: '\u{1f600}\u2028é\0' },
  ]);
  assert.deepEqual(played.messages('tell'), []);
});

test('a message that is too large is refused before it is sent', async () => {
  const initialized = { serverInfo: {}, ffmpeg: {}, capabilities: { maxMessageBytes: 1000 } };
  const played = await withFake({ initialize: [[{ result: initialized }]] }, async (engine) => {
    for (const text of ['x'.repeat(1000), 'é'.repeat(500)]) {
      const error = await engine.request('ask', { text }).catch((reason) => reason);
      assert.equal(error.data.reason, 'messageTooLarge');
    }
    await engine.request('ask', { text: 'x'.repeat(900) });
  });
  assert.equal(played.messages('ask').length, 1);
});

test('an error becomes its class, and tells where it was asked for', () =>
  withFake(
    {
      ask: [
        [
          {
            error: {
              code: -11823,
              message: 'out.mp4 exists',
              data: { name: 'fileAlreadyExists', hint: 'Choose another name.' },
            },
          },
        ],
        [{ error: { code: -11850, message: 'hm' } }],
        [
          {
            error: {
              code: -11838,
              message: 'no',
              data: {
                hint: 'exportSession/compatiblePresets lists the presets that can.',
                advice: { name: 'listCompatiblePresets', arguments: {} },
              },
            },
          },
        ],
      ],
    },
    async (engine) => {
      async function theCaller() {
        await engine.request('ask');
      }
      await assert.rejects(theCaller(), (error) => {
        assert.ok(error instanceof FileAlreadyExistsError && error instanceof ReelwireError);
        assert.equal(error.name, 'fileAlreadyExists');
        assert.equal(error.code, -11823);
        assert.equal(error.systemCode, 'EEXIST');
        assert.equal(error.hint, 'Choose another name.');
        assert.equal(error.message, 'out.mp4 exists\n  hint: Choose another name.');
        assert.match(error.stack, /^FileAlreadyExistsError: out.mp4 exists[^]*theCaller/);
        return true;
      });
      await assert.rejects(engine.request('ask'), { name: 'serverIncorrectlyConfigured' });
      await assert.rejects(engine.request('ask'), {
        hint: 'asset.compatiblePresets() lists the presets that can.',
      });
      assert.deepEqual(await engine.request('other'), {});
    },
  ));

for (const [action, exitCode, signal] of [
  [{ exit: 3 }, 3, undefined],
  [{ kill: 'SIGKILL' }, undefined, 'SIGKILL'],
  [{ kill: 'SIGSEGV' }, undefined, 'SIGSEGV'],
]) {
  test(`a dead engine rejects everything: ${JSON.stringify(action)}`, () =>
    withFake(
      { ask: [[{ hold: 1 }]], die: [[{ stderr: 'one\nlast words\n' }, action]] },
      async (engine) => {
        const waiting = Array.from({ length: 5 }, () => engine.request('ask'));
        waiting.push(engine.request('die'));
        for (const { reason } of await Promise.allSettled(waiting)) {
          assert.ok(reason instanceof EngineDiedError && reason instanceof EngineClosedError);
          assert.deepEqual([reason.exitCode, reason.signal], [exitCode, signal]);
          assert.equal(reason.stderr.at(-1), 'last words');
          assert.match(reason.message, /last words/);
        }
        await assert.rejects(engine.stats(), EngineDiedError);
        assert.ok(engine.closed);
      },
    ));
}

test('an engine that dies at once says why', async () => {
  const { binary } = fake({ initialize: [[{ stderr: 'wrong FFmpeg\n' }, { exit: 3 }]] });
  await assert.rejects(Engine.launch({ binary }), (error) => {
    assert.match(error.message, /wrong FFmpeg/);
    return error.exitCode === 3;
  });
});

test('nothing is left unhandled when the engine dies', async () => {
  const { binary } = fake({
    'assetReader/nextSampleBuffers': [
      [
        {
          result: {
            sampleBuffers: [
              { presentationTime: { value: 0, timescale: 1 }, duration: 'invalid', numSamples: 0 },
            ],
            endOfStream: false,
          },
        },
      ],
      [{ exit: 9 }],
    ],
  });
  const ended = await run(
    `import { Engine } from ${JSON.stringify(SOURCE)};
     const engine = await Engine.launch({ binary: ${JSON.stringify(binary)} });
     const asset = await engine.open('a.mp4');
     const reader = await asset.reader('video');
     for await (const sample of reader.outputs[0]) break;
     while (!engine.closed) await new Promise(setImmediate);
     await reader.close();
     await asset.close();
     console.log(engine.closed);`,
  );
  assert.deepEqual([ended.code, ended.stderr, ended.stdout], [0, '', 'true\n']);
});

test('what is no program', async () => {
  await assert.rejects(Engine.launch({ binary: `${folder()}/nothing` }), (error) => {
    assert.ok(error instanceof BinaryNotFoundError);
    assert.deepEqual([error.name, error.systemCode], ['binaryNotFound', 'ENOENT']);
    return /the option/.test(error.message);
  });
  const script = path.join(folder(), 'script');
  fs.writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
  await assert.rejects(Engine.launch({ binary: script }), BinaryNotFoundError);
});

test('the program is found by variable and path', () => {
  const place = folder();
  const program = path.join(place, 'reelwire');
  fs.writeFileSync(program, '', { mode: 0o755 });
  const before = { ...process.env };
  try {
    process.env.REELWIRE_BINARY = program;
    assert.equal(findBinary(), program);
    process.env.REELWIRE_BINARY = place;
    assert.throws(() => findBinary(), /REELWIRE_BINARY/);
    delete process.env.REELWIRE_BINARY;
    process.env.PATH = `${place}:${before.PATH}`;
    assert.equal(findBinary(), program);
  } finally {
    process.env.REELWIRE_BINARY = before.REELWIRE_BINARY ?? '';
    process.env.PATH = before.PATH;
  }
});

test('aborting cancels the request', async () => {
  const played = await withFake({ ask: [[{ hold: 1 }]] }, async (engine) => {
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = Array.from({ length: 20 }, () => engine.request('ask', {}, { signal }));
    const ended = Promise.allSettled(waiting);
    await engine.request('tick');
    controller.abort();
    for (const { reason } of await ended) assert.equal(reason, signal.reason);
    await assert.rejects(engine.request('ask', {}, { signal }), { name: 'AbortError' });
    assert.deepEqual(await engine.request('other'), {});
  });
  const asked = played.messages('ask').map(({ id }) => id);
  assert.equal(asked.length, 20);
  assert.deepEqual(
    played.messages('$/cancelRequest').map(({ params }) => params.id),
    asked,
  );
});

const MADE = {
  'asset/open': 'asset',
  'composition/assemble': 'composition',
  'library/fetch': 'fetchResult',
  'player/addPeriodicTimeObserver': 'timeObserver',
  'sampleCursor/copy': 'sampleCursor',
};

for (const [method, noun] of Object.entries(MADE)) {
  test(`what comes too late is given back: ${method}`, async () => {
    const buffers = { sampleBuffers: [{ blob: { $shm: 'late' } }], endOfStream: false };
    const played = await withFake(
      {
        [method]: [[{ hold: 1 }]],
        'assetReader/nextSampleBuffers': [[{ hold: 1 }]],
        '$/cancelRequest': [[]],
        answer: [[{ answerHeld: { [noun]: 'made:7', ...buffers } }, { result: 0 }]],
      },
      async (engine) => {
        const controller = new AbortController();
        const { signal } = controller;
        const ended = Promise.allSettled([
          engine.request(method, {}, { signal }),
          engine.request('assetReader/nextSampleBuffers', {}, { signal }),
        ]);
        await engine.request('tick');
        controller.abort();
        await ended;
        await engine.request('answer');
        assert.equal((await engine.stats()).leases, 0);
      },
    );
    assert.deepEqual(played.messages('handle/close')[0].params, { handle: 'made:7' });
    assert.ok(played.messages('blob/release').length > 0);
  });
}

test('integers of any size go out', async () => {
  const played = await withFake({}, (engine) => engine.request('n', { n: 2n ** 60n, m: 5n }));
  assert.deepEqual(played.messages('n')[0].params, { n: '1152921504606846976', m: 5 });
});

test('closing is in good order and final', async () => {
  const played = await withFake({ ask: [[{ hold: 1 }]] }, async (engine) => {
    const waiting = assert.rejects(engine.request('ask'), { name: 'engineClosed' });
    await engine.request('tick');
    await Promise.all([engine.close(), engine.close()]);
    await waiting;
    await assert.rejects(engine.stats(), EngineClosedError);
    assert.ok(!runs(engine.pid));
  });
  const methods = played.messages().map(({ method }) => method);
  assert.deepEqual(methods.slice(-2), ['shutdown', 'exit']);
});

test('a deaf engine is ended by force', () =>
  withFake({ ask: [[{ result: 1 }, { deaf: 'never' }]] }, async (engine) => {
    await engine.request('ask');
    await engine.close();
    assert.ok(!runs(engine.pid));
  }));

test('a full pipe stops nobody', () =>
  withFake({ ask: [[{ result: 1 }, { deaf: 'full' }]] }, async (engine, played) => {
    await engine.request('ask');
    const payload = 'x'.repeat(10_000);
    const asked = Array.from({ length: 100 }, () => engine.request('n', { payload }));
    // As much is written by now as the pipe takes.
    await new Promise(setImmediate);
    played.tell('full');
    assert.equal((await Promise.all(asked)).length, 100);
  }));

test('the log of the engine', async () => {
  const entry = { level: 'warning', logger: 'libav', message: 'hm' };
  const { binary } = fake({ ask: [[{ notify: ['engine/log', entry] }, { result: 1 }]] });
  const entries = [];
  const engine = await Engine.launch({ binary, onLog: (each) => entries.push(each) });
  await engine.request('ask');
  await engine.close();
  assert.deepEqual(entries, [entry]);
});

test('the listener of a failed library is called when the messages have been read', async () => {
  const messages = [
    ['library/didFail', { library: 'library:1', error: { code: -32005, message: 'gone', data: {} } }],
    ['library/didChange', { library: 'library:1', changeToken: 1, fetchResults: [] }],
  ];
  const raw = messages.map(([method, params]) => `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`).join('');
  const script = {
    'library/open': [[{ result: { library: 'library:1', database: '/l.sqlite' } }]],
    ask: [[{ raw }, { result: {} }]],
  };
  await withFake(script, async (engine) => {
    const library = await engine.library();
    const heard = [];
    library.onError = ({ message }) => heard.push(message);
    library.onChange = ({ changeToken }) => heard.push(changeToken);
    await engine.request('ask');
    await eventually('both', () => heard.length === 2);
    assert.deepEqual(heard, [1, 'gone']);
  });
});

test('an idle engine does not keep the program running', async () => {
  const played = fake({ ask: [[{ hold: 1 }], [{ deaf: 'idle' }, { answerHeld: 7 }, { result: 1 }]] });
  const ended = await run(
    `import { Engine } from ${JSON.stringify(SOURCE)};
     const engine = await Engine.launch({ binary: ${JSON.stringify(played.binary)} });
     console.log(engine.pid);
     engine.request('ask').then(console.log);
     engine.request('ask');`,
    { onOutput: () => played.tell('idle') },
  );
  const [pid, answer] = ended.stdout.split('\n');
  assert.deepEqual([ended.code, ended.stderr, answer], [0, '', '7']);
  await eventually('the engine goes on', () => !runs(Number(pid)));
});
