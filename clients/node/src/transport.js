// The engine's process, and the messages to and from it: one JSON message a line, over two pipes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';

import { onAbort } from './abort.js';
import { BinaryNotFoundError, EngineClosedError, EngineDiedError } from './errors.js';
import { Lines } from './lines.js';
import { encoded } from './messages.js';
import { Operation } from './operation.js';
import { terminalNotifications } from './protocol.js';
import { Compositor } from './compositor.js';
import { Playback, isOfPlayback } from './playback.js';
import { Resources } from './resource.js';
import { SharedMemory } from './shared-memory.js';
import { errorFromWire } from './wire-errors.js';

/** The number of lines of stderr that are retained, and the length of each. */
const STDERR_LINES = 20;
const STDERR_WIDTH = 1000;

/** What requests with these verbs make, other than the noun of their method. */
const MADE = {
  fetch: 'fetchResult',
  addPeriodicTimeObserver: 'timeObserver',
  addBoundaryTimeObserver: 'timeObserver',
};
/** The verbs of requests that make an object. */
const MAKING = new Set(['open', 'create', 'copy', 'assemble', 'import', ...Object.keys(MADE)]);

const closedError = () =>
  new EngineClosedError('the engine was closed', {
    name: 'engineClosed',
    hint: 'Start another one.',
  });

export class Transport {
  #child;
  #pipes;
  #pending = new Map();
  #operations = new Map();
  /** What isn't to be collected: those who wait, and objects with listeners. */
  #retained = new Set();
  #lastID = 0;
  #held = 0;
  #isClosing = false;
  #isCorked = false;
  #failure;
  #whenEnded;
  #garbage;
  #onLog;
  stderr = [];
  /** The sources that the engine reads through this process. */
  resources = new Resources();
  /** The compositor of the frames that this process draws. */
  compositor = new Compositor(this);
  playback = new Playback(this);
  /** The receivers of the segments of asset writers, by their handles. */
  segments = new Map();
  /** Takes the changes of each library, and its failure, by its handle. */
  libraries = new Map();
  /** The assets that are open, by their handles. */
  assets = new Map();
  /** The most bytes that a message to the engine has, once it has reported it. */
  messageLimit;

  /** Starts the process. */
  static async launch(command, { env, onLog }) {
    const transport = new Transport();
    await transport.#spawn(command, env, onLog);
    return transport;
  }

  async #spawn([program, ...args], env, onLog) {
    this.#onLog = onLog;
    // A session of its own: Ctrl-C is for this program, which cancels and closes in good order. Its
    // end still ends the engine, because that closes the engine's stdin.
    const child = spawn(program, args, { env, detached: true, stdio: 'pipe' });
    this.#child = child;
    this.#pipes = [child.stdin, child.stdout, child.stderr];
    // A failed write is reported as the engine's end.
    child.stdin.on('error', () => {});
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw new BinaryNotFoundError(`${program} cannot be started: ${error.message}`, {
        name: 'binaryNotFound',
        hint: 'Give the path of the reelwire binary.',
      });
    }
    child.on('error', () => {});
    this.memory = new SharedMemory((lease) => this.releaseLater(lease));
    this.#read(child.stdout, (line) => this.#onLine(line));
    this.#read(child.stderr, (line) => this.#onStderr(line));
    // An engine that closes its stdout without going would never be missed.
    child.stdout.once('end', () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000).unref();
      child.once('exit', () => clearTimeout(timer));
    });
    this.#whenEnded = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve(this.#end(code, signal)));
    });
    this.#showHold(false);
  }

  #read(pipe, onLine) {
    const lines = new Lines();
    pipe.on('data', (chunk) => {
      for (const line of lines.feed(chunk)) onLine(line);
    });
    pipe.on('end', () => onLine(lines.end()));
    pipe.on('error', () => {});
  }

  get pid() {
    return this.#child.pid;
  }

  get isAlive() {
    return this.#failure === undefined && !this.#isClosing;
  }

  // Waiting keeps the program running, an idle engine doesn't.

  /** Keeps the program running until a promise has settled, and keeps those who wait for it. */
  async whileWaiting(promise) {
    // The notification that settles it finds its object by a weak reference: often only who waits has that object.
    this.retain(promise);
    this.#hold(1);
    try {
      return await promise;
    } finally {
      this.#hold(-1);
      this.letGo(promise);
    }
  }

  /** Retains an object that nothing else may refer to, until `letGo` or the end of the engine. */
  retain(object) {
    if (this.isAlive) this.#retained.add(object);
  }

  letGo(object) {
    this.#retained.delete(object);
  }

  #hold(change) {
    const before = this.#held;
    this.#held += change;
    if ((before === 0) !== (this.#held === 0)) this.#showHold(this.#held > 0);
  }

  #showHold(isHeld) {
    for (const each of [this.#child, ...this.#pipes]) {
      if (isHeld) each.ref?.();
      else each.unref?.();
    }
  }

  // Requests

  /** Sends a request and waits for its result; when the signal is aborted, so is the request. */
  request(method, params, { signal, onResult } = {}) {
    return this.#ask(method, params, { signal, onResult, caller: this.request });
  }

  /** Sends a request that starts work, and waits until that has begun. */
  start(method, params, { signal } = {}) {
    const terminal = terminalNotifications[method];
    return this.#ask(method, params, { signal, terminal, caller: this.start });
  }

  #ask(method, params, { signal, terminal, onResult, caller }) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    // The caller's stack: the error will be made far from there.
    const place = {};
    Error.captureStackTrace(place, caller);
    return new Promise((resolve, reject) => {
      this.#prepare();
      const id = this.#send(method, params);
      const stop = onAbort(signal, (reason) => {
        pending.isAbandoned = true;
        this.#hold(-1);
        stop();
        if (this.isAlive) this.notify('$/cancelRequest', { id });
        reject(reason);
      });
      const pending = { method, terminal, onResult, place, resolve, reject, stop };
      this.#pending.set(id, pending);
      this.#hold(1);
    });
  }

  /** Sends a request whose answer isn't needed. */
  #askWithoutWaiting(method, params) {
    const id = this.#send(method, params);
    this.#pending.set(id, { method, isAbandoned: true });
  }

  #send(method, params) {
    const id = (this.#lastID += 1);
    const message = { jsonrpc: '2.0', id, method };
    if (params !== undefined) message.params = params;
    this.#writeNow(message);
    return id;
  }

  /** Sends a notification. */
  notify(method, params) {
    this.#prepare();
    this.#writeNow({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Leases that were released before are sent before. */
  #prepare() {
    if (this.#failure) throw this.#failure;
    if (this.#isClosing) throw closedError();
    if (this.#garbage) this.#collect();
  }

  #writeNow(message) {
    const text = encoded(message, this.messageLimit);
    const { stdin } = this.#child;
    if (!stdin.writable) return;
    // Messages of one turn of the loop are sent in one write.
    if (!this.#isCorked) {
      this.#isCorked = true;
      stdin.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        stdin.uncork();
      });
    }
    stdin.write(text);
  }

  // Incoming messages

  #onLine(line) {
    const text = line.toString().trim();
    if (text === '') return;
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.#log('warning', 'client', `the engine wrote what is no message: ${text.slice(0, 200)}`);
      return;
    }
    for (const each of Array.isArray(message) ? message : [message]) {
      if (each?.method === undefined) this.#onResponse(each);
      else this.#onNotification(each.method, each.params ?? {});
    }
  }

  #onResponse(message) {
    if (message?.id == null && message?.error !== undefined) return this.#failAll(message.error);
    const pending = this.#pending.get(message?.id);
    if (!pending) {
      const text = JSON.stringify(message).slice(0, 200);
      this.#log('warning', 'client', `the engine answered what nobody asked: ${text}`);
      return;
    }
    this.#pending.delete(message.id);
    const { method, terminal, onResult, place, resolve, reject } = pending;
    if (pending.isAbandoned) {
      if (message.error === undefined) this.#discard(method, message.result);
      return;
    }
    pending.stop();
    if (message.error !== undefined) {
      reject(withStack(errorFromWire(message.error), place));
    } else if (terminal === undefined) {
      // Before any message that follows it.
      onResult?.(message.result);
      resolve(message.result);
    } else {
      // Registered here and not by the waiting caller: the next message may be its first.
      const operation = new Operation(message.result.operation, terminal);
      this.#operations.set(operation.handle, operation);
      this.#hold(1);
      resolve(operation);
    }
    this.#hold(-1);
  }

  /**
   * Fails every unanswered request: one of them will never be answered, and it isn't known which. Those that
   * the engine continues are cancelled, and stay registered, so that their late results are released.
   */
  #failAll(error) {
    for (const [id, pending] of this.#pending) {
      if (pending.isAbandoned) continue;
      pending.isAbandoned = true;
      pending.stop();
      this.#hold(-1);
      if (this.isAlive) this.notify('$/cancelRequest', { id });
      pending.reject(withStack(errorFromWire(error), pending.place));
    }
  }

  #onNotification(method, params) {
    if (method === 'engine/log') {
      this.#log(params.level, params.logger, params.message);
      return;
    }
    if (method.startsWith('resource/')) {
      this.resources.deliver(method, params);
      return;
    }
    if (method === 'videoComposition/composeFrame') {
      this.compositor.deliver(params);
      return;
    }
    if (method === 'assetWriter/didOutputSegment' && this.segments.has(params.assetWriter)) {
      this.segments.get(params.assetWriter)(params);
      return;
    }
    if (isOfPlayback(method) && !this.#operations.has(params.operation)) {
      this.playback.deliver(method, params);
      return;
    }
    if (method === 'library/didChange') {
      this.libraries.get(params.library)?.changed(params);
      return;
    }
    if (method === 'library/didFail') {
      const library = this.libraries.get(params.library);
      // Not from here: an exception of a callback is its own fault.
      if (library) process.nextTick(library.failed, errorFromWire(params.error));
      return;
    }
    const operation = this.#operations.get(params.operation);
    if (!operation) return this.#discard(method, params);
    operation.deliver(method, params);
    if (operation.ended) this.#forget(operation);
  }

  #forget(operation) {
    if (this.#operations.delete(operation.handle)) this.#hold(-1);
  }

  /** Drops the notifications of an operation that isn't waited for. */
  abandon(operation) {
    this.#forget(operation);
    for (const params of operation.untaken()) this.giveBack(params);
  }

  /** Releases the resources of an answer that came too late. */
  #discard(method, value) {
    this.giveBack(value);
    const [noun, verb] = method.split('/');
    if (MAKING.has(verb)) {
      const handle = value?.[MADE[verb] ?? noun];
      if (handle) this.closeLater(handle);
    } else if (terminalNotifications[method] && Object.keys(value).join() === 'operation') {
      this.closeLater(value.operation);
    }
  }

  // Released leases

  /** Returns a lease soon, together with others. */
  releaseLater(lease) {
    this.#collectLater().leases.push(lease);
  }

  /** Returns every lease in a result that isn't used. */
  giveBack(value) {
    if (value === null || typeof value !== 'object') return;
    if (typeof value.lease === 'string') this.releaseLater(value.lease);
    for (const member of Object.values(value)) this.giveBack(member);
  }

  /** Closes a handle soon. */
  closeLater(handle) {
    this.#collectLater().handles.push(handle);
  }

  #collectLater() {
    if (!this.#garbage) {
      this.#garbage = { leases: [], handles: [] };
      setImmediate(() => this.#collect());
    }
    return this.#garbage;
  }

  #collect() {
    const garbage = this.#garbage;
    this.#garbage = undefined;
    if (!garbage || !this.isAlive) return;
    const { leases, handles } = garbage;
    if (leases.length) {
      this.#writeNow({ jsonrpc: '2.0', method: 'blob/release', params: { leases } });
    }
    for (const handle of handles) this.#askWithoutWaiting('handle/close', { handle });
  }

  /** The bytes of blobs in shared memory, whose leases end with that. */
  async fetch(blobs) {
    try {
      return await this.memory.readAll(blobs);
    } catch (error) {
      // With the engine its memory has gone, and that shows here first.
      await Promise.race([this.#whenEnded, after(1000, undefined, { ref: false })]);
      throw this.#failure ?? error;
    }
  }

  // The end

  #log(level, logger, message) {
    // Not from here: an exception of a callback is its own fault.
    if (this.#onLog) process.nextTick(this.#onLog, { level, logger, message });
  }

  #onStderr(line) {
    const text = line.toString().trimEnd().slice(0, STDERR_WIDTH);
    if (text === '') return;
    this.stderr.push(text);
    if (this.stderr.length > STDERR_LINES) this.stderr.shift();
  }

  /** The process has ended: wakes all waiting callers. */
  #end(exitCode, signal) {
    const stderr = [...this.stderr];
    this.#failure = this.#isClosing
      ? closedError()
      : new EngineDiedError({ exitCode, signal, stderr });
    this.memory.close();
    this.resources.end();
    this.compositor.end();
    this.playback.fail(this.#failure);
    for (const pending of this.#pending.values()) {
      if (pending.isAbandoned) continue;
      pending.stop();
      pending.reject(this.#failure);
    }
    for (const operation of this.#operations.values()) operation.fail(this.#failure);
    if (!this.#isClosing) {
      // Not from here: an exception of a callback is its own fault.
      for (const library of this.libraries.values()) process.nextTick(library.failed, this.#failure);
    }
    this.#pending.clear();
    this.#operations.clear();
    this.#retained.clear();
    this.#hold(-this.#held);
  }

  /** Ends the engine in good order, or by force when it does not go within two seconds. */
  async close() {
    if (this.isAlive) {
      this.#collect();
      this.#askWithoutWaiting('shutdown');
      this.#writeNow({ jsonrpc: '2.0', method: 'exit' });
      this.#isClosing = true;
      this.#child.stdin.end();
    }
    if (this.#failure) return;
    this.#hold(1);
    for (const [patience, signal] of [
      [2000, 'SIGTERM'],
      [1000, 'SIGKILL'],
    ]) {
      const timer = new AbortController();
      const late = after(patience, true, { signal: timer.signal }).catch(() => false);
      const isLate = await Promise.race([this.#whenEnded, late]);
      timer.abort();
      if (!isLate) return;
      this.#child.kill(signal);
    }
    await this.#whenEnded;
  }
}

/** An error with the stack of the caller. */
function withStack(error, place) {
  const frames = place.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  error.stack = [`${error.constructor.name}: ${error.message}`, ...frames].join('\n');
  return error;
}
