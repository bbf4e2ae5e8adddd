// Media that aren't files: bytes, blobs, streams and URLs.

import assert from 'node:assert/strict';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, mock, test } from 'node:test';

import { ContentIsUnavailableError, Engine, FailedToLoadMediaDataError } from '../src/index.js';
import { clip, folder } from './support.js';

const servers = [];

/** Serves bytes as `mode` has it; a mode that is a URL is the target of a redirect. */
async function serve(data, mode = 'ranges') {
  let tags = 0;
  const server = http.createServer((request, response) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    server.requests.push(request.headers.host);
    if (mode.startsWith('http')) {
      response.writeHead(302, { location: mode }).end();
    } else if (mode === 'redirect' && request.url !== '/moved.mp4') {
      response.writeHead(302, { location: '/moved.mp4' }).end();
    } else if (mode === 'missing' || (mode === 'failing' && Number(first) > 0)) {
      response.writeHead(404).end();
    } else if (mode === 'plain' || (mode === 'changing' && request.headers['if-range'])) {
      response.writeHead(200, { 'content-length': data.length }).end(data);
    } else {
      let part = data.subarray(Number(first), Number(last) + 1);
      const range = `bytes ${first}-${Number(first) + part.length - 1}/${data.length}`;
      // More than was requested.
      if (mode === 'more' && Number(first) > 0) part = Buffer.concat([part, Buffer.alloc(1)]);
      response.writeHead(206, { 'content-range': range, etag: `"${(tags += 1)}"` }).end(part);
    }
  });
  server.requests = [];
  servers.push(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/clip.mp4?token=1`;
}

describe('media that are no files', () => {
  let engine;
  let data;
  let expected;

  const facts = async (asset) => {
    const tracks = await engine.request('asset/tracks', { asset: asset.handle });
    const image = await asset.image(1.5, { format: 'rgb24' });
    return [JSON.stringify(tracks), Buffer.from(await image.blob.bytes()).toString('base64')];
  };
  const check = async (source) => {
    const asset = await engine.open(source);
    try {
      assert.deepEqual(await facts(asset), expected);
    } finally {
      await asset.close();
    }
  };

  before(async () => {
    engine = await Engine.launch();
    data = fs.readFileSync(clip());
    const asset = await engine.open(clip());
    expected = await facts(asset);
    await asset.close();
  });
  after(() => engine.close());

  test('bytes in memory', async () => {
    await check(data);
    await check(new Uint8Array(data));
    await check(new Uint8Array(data).buffer);
    await check(new DataView(new Uint8Array(data).buffer));
  });

  test('blobs', async () => {
    await check(new Blob([data]));
    await check(new File([data], 'clip.mp4', { type: 'video/mp4' }));
  });

  test('streams', async () => {
    await check(fs.createReadStream(clip()));
    await check(Readable.toWeb(fs.createReadStream(clip())));
    await check(new Blob([data]).stream());
  });

  for (const mode of ['ranges', 'plain', 'redirect']) {
    test(`a URL, ${mode}`, async () => {
      const url = await serve(data, mode);
      await check(url);
      await check(new URL(url));
    });
  }

  test('servers that fail', async () => {
    const missing = await serve(data, 'missing');
    await assert.rejects(engine.open(missing), (error) => {
      assert(error instanceof ContentIsUnavailableError);
      assert.match(error.message, /404/);
      assert.doesNotMatch(error.message, /token/);
      return true;
    });
    await assert.rejects(engine.open('http://127.0.0.1:9/a.mp4'), ContentIsUnavailableError);
    for (const [mode, reason] of [
      ['failing', /404/],
      ['changing', /has changed/],
      ['more', /more than/],
    ]) {
      const asset = await engine.open(await serve(data, mode));
      await assert.rejects(asset.image(3), (error) => {
        assert(error instanceof FailedToLoadMediaDataError, error);
        assert.match(error.message, reason);
        return true;
      });
      await asset.close();
    }
  });

  test('the internet leads to no private network', async () => {
    const { port } = new URL(await serve(data));
    const secret = servers.at(-1);
    let site;
    // The first URL has an address of documentation's, behind which is a server of this machine.
    const { lookup } = dns.promises;
    mock.method(dns.promises, 'lookup', async (host, ...rest) =>
      host === 'site.example' ? [{ address: '203.0.113.5', family: 4 }] : lookup(host, ...rest),
    );
    const { get } = http;
    mock.method(http, 'get', (address, options, done) =>
      address.hostname === 'site.example'
        ? get(site, { ...options, agent: undefined }, done)
        : get(address, options, done),
    );
    const find = dns.lookup;
    mock.method(dns, 'lookup', (host, ...rest) => find(host.replace('name.example', 'localhost'), ...rest));
    const hosts = ['127.0.0.1', 'localhost', 'name.example', '[::1]', '[::]', '10.0.0.1'];
    try {
      for (const host of [...hosts, '169.254.169.254', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]']) {
        site = await serve(data, `http://${host}:${port}/clip.mp4`);
        await assert.rejects(engine.open('http://site.example/clip.mp4'), (error) => {
          assert(error instanceof ContentIsUnavailableError, error);
          assert.match(error.message, /which is in a private network/);
          return true;
        });
        assert.equal(servers.at(-1).requests.length, 1);
      }
      site = await serve(data);
      await check('http://site.example/clip.mp4');
    } finally {
      mock.restoreAll();
    }
    assert.equal(secret.requests.length, 0);
  });

  test('targets of redirects that are no URLs', async () => {
    for (const target of ['httpx://a/b', 'http://']) {
      await assert.rejects(engine.open(await serve(data, target)), /is no http or https URL/);
    }
  });

  test('a stream that fails has its reason in the error', async () => {
    async function* torn() {
      yield data.subarray(0, 100);
      throw new Error('the tape is torn');
    }
    const asset = await engine.open(torn());
    await assert.rejects(asset.load('tracks'), /the tape is torn/);
    await asset.close();
  });

  test('what was made from bytes outlives their asset', async () => {
    const asset = await engine.open(data);
    const generator = await asset.imageGenerator();
    await asset.close();
    assert.equal((await generator.image(1)).width, 322);
    await generator.close();
  });

  test('what is no source', async () => {
    for (const source of [5, null, undefined, {}, [1]]) {
      await assert.rejects(engine.open(source), { name: 'TypeError', message: /^media are a path/ });
    }
  });

  test('names that are not UTF-8 by their URLs', async () => {
    const place = folder();
    fs.linkSync(clip(), Buffer.from(`${place}/caf\xe9.mp4`, 'latin1'));
    await check(`file://${place}/caf%E9.mp4`);
    await check(new URL(`file://${place}/caf%E9.mp4`));
    await check(path.relative('.', clip()));
  });

  test('nothing is left', async () => {
    assert.deepEqual(await engine.handles(), []);
    const stats = await engine.stats();
    assert(stats.resourceBytesReceived > 0);
  });
});
