// The conversations of Tests/Transcripts, by the transport of this client.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { EngineClosedError, findBinary } from '../src/index.js';
import { terminalNotifications } from '../src/protocol.js';
import { Transport } from '../src/transport.js';
import { ffmpeg, folder } from './support.js';
import { eventually } from './waiting.cjs';

const TRANSCRIPTS = fileURLToPath(new URL('../../../Tests/Transcripts/', import.meta.url));
const read = (name) => JSON.parse(fs.readFileSync(path.join(TRANSCRIPTS, name), 'utf8'));
const FIXTURES = read('fixtures.json');
const made = new Map();
const place = folder();

function fixture(name) {
  if (!made.has(name)) {
    const { file, ffmpeg: args, text } = FIXTURES[name];
    const target = path.join(place, file);
    if (text === undefined) ffmpeg(...args, target);
    else fs.writeFileSync(target, text);
    made.set(name, target);
  }
  return made.get(name);
}

const TYPES = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
};

class Conversation {
  constructor(transport, variables) {
    this.transport = transport;
    this.variables = variables;
    /** The engine's requests for drawing. */
    this.asked = [];
    transport.compositor.deliver = (params) => this.asked.push(params);
    /** The notifications of players since the last comparison. */
    this.told = [];
    transport.playback.deliver = (method, params) => this.told.push({ method, params });
  }

  /** A value with its variables filled in. */
  filled(value) {
    if (typeof value === 'string') {
      const whole = /^\$\{(\w+)\}$/.exec(value);
      if (whole) return this.#variable(whole[1]);
      return value.replace(/\$\{(\w+)\}/g, (_, name) => this.#variable(name));
    }
    if (Array.isArray(value)) return value.map((each) => this.filled(each));
    if (!TYPES.object(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.filled(each)]));
  }

  #variable(name) {
    assert.ok(name in this.variables, `there is no $${name}`);
    return this.variables[name];
  }

  /** Returns the error of a value that doesn't fit a pattern; undefined when it fits. */
  problem(pattern, value, at = '') {
    const keys = TYPES.object(pattern) ? Object.keys(pattern) : [];
    if (keys.some((key) => key.startsWith('$'))) return this.#special(pattern, value, at);
    if (Array.isArray(pattern)) {
      if (!Array.isArray(value) || value.length !== pattern.length) {
        return `${at} is ${JSON.stringify(value)}, not ${pattern.length} elements`;
      }
      return first(
        pattern.map((each, index) => this.problem(each, value[index], `${at}/${index}`)),
      );
    }
    if (TYPES.object(pattern)) {
      if (!TYPES.object(value)) return `${at} is ${JSON.stringify(value)}, no object`;
      const members = Object.entries(pattern);
      return first(members.map(([key, each]) => this.problem(each, value[key], `${at}/${key}`)));
    }
    const wanted = this.filled(pattern);
    if (wanted === value) return undefined;
    return `${at} is ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`;
  }

  #special({ $any, $optional, $type, $match, $range, $includes, $set }, value, at) {
    const wrong = (what) => `${at} is ${JSON.stringify(value)}, ${what}`;
    if ($any === false) return value === undefined ? undefined : wrong('and should not be there');
    if (value === undefined) return $optional ? undefined : `${at} is missing`;
    if ($type !== undefined && !TYPES[$type](value)) return wrong(`no ${$type}`);
    if ($match !== undefined && !(typeof value === 'string' && this.#found($match, value))) {
      return wrong(`which does not match ${$match}`);
    }
    if ($range && !(value >= this.filled($range[0]) && value <= this.filled($range[1]))) {
      return wrong(`not between ${$range.join(' and ')}`);
    }
    for (const each of $includes ?? []) {
      const fits = (element) => this.problem(each, element) === undefined;
      const isThere = Array.isArray(value) && value.some(fits);
      if (!isThere) return wrong(`without ${JSON.stringify(each)}`);
    }
    if ($set !== undefined) this.variables[$set] = value;
    return undefined;
  }

  #found(expression, text) {
    return new RegExp(this.filled(expression)).test(text);
  }

  check(pattern, value, what) {
    assert.equal(this.problem(pattern, value, what), undefined);
  }

  async step(step) {
    const { request, notify, cancelled, error, events, result } = step;
    const params = this.filled(step.params);
    if (notify) return this.transport.notify(notify, params);
    if (cancelled) {
      const controller = new AbortController();
      const asked = this.transport.request(request, params, { signal: controller.signal });
      controller.abort();
      return assert.rejects(asked, { name: 'AbortError' });
    }
    if (error) {
      const fits = ({ code, message, data, name }) => {
        this.check(error, { code, message, data }, `${request} error`);
        assert.equal(name, data.name);
        return true;
      };
      return assert.rejects(this.transport.request(request, params), fits);
    }
    if (!step.end) {
      const answer = await this.transport.request(request, params);
      if (events) this.compare(events);
      return this.check(result, answer, `${request} result`);
    }
    return this.work(step, await this.transport.start(request, params));
  }

  /** Compares the notifications of players, in their order. */
  compare(events) {
    const told = this.told.splice(0);
    assert.deepEqual(
      told.map(({ method }) => method),
      events.map(({ method }) => method),
    );
    events.forEach(({ method, params }, index) => this.check(params, told[index].params, method));
  }

  async work(script, operation) {
    const { request, result, asks, then = [], notifications = [], each = {}, end } = script;
    this.check(result, { operation: operation.handle }, `${request} result`);
    if (asks) {
      await eventually('nothing is asked', () => this.asked.length > 0);
      this.check(asks.params, this.asked.shift(), asks.method);
    }
    for (const step of then) await this.step(step);
    const expected = [...notifications];
    let item;
    while ((item = await operation.next()).method !== terminalNotifications[request]) {
      const { method, params } = item;
      if (each[method]) {
        this.check(each[method], params, method);
        continue;
      }
      const index = expected.findIndex((pattern) => this.problem(pattern, item) === undefined);
      assert.ok(index >= 0, `${method} ${JSON.stringify(params)} was not expected`);
      expected.splice(index, 1);
    }
    assert.deepEqual(expected, []);
    this.check(end, item.params, item.method);
  }
}

const first = (problems) => problems.find((problem) => problem !== undefined);

const names = fs.readdirSync(TRANSCRIPTS).filter((name) => name.endsWith('.json'));
for (const name of names.filter((name) => name !== 'fixtures.json')) {
  const { title, fixtures, steps } = read(name);
  test(`${name}: ${title}`, async () => {
    const variables = { folder: folder() };
    for (const each of fixtures) variables[each] = fixture(each);
    const transport = await Transport.launch([findBinary(), 'serve'], {});
    const conversation = new Conversation(transport, variables);
    try {
      for (const step of steps) await conversation.step(step);
      conversation.check({ handles: [] }, await transport.request('handle/list'), 'handles');
      await eventually('something is left', async () => {
        const { leases, operations } = await transport.request('engine/stats');
        return leases + operations === 0;
      });
    } finally {
      await transport.close();
    }
    await assert.rejects(transport.request('engine/stats'), EngineClosedError);
  });
}

test('there are transcripts', () => assert.ok(names.length > 5));
