// Exports of an asset to a new file.

import { EventEmitter, once } from 'node:events';

import { onAbort } from './abort.js';
import { ExportSessionCalls } from './calls.js';
import { ReelwireError } from './errors.js';
import { finished } from './operation.js';
import { checked } from './options.js';
import { job } from './remote.js';
import { rangeOrNone, wireInteger } from './time.js';
import { cancelled, errorFromWire } from './wire-errors.js';

/** A running export: a promise of its result, and its progress. */
export class ExportJob {
  #promise;
  #cancel = new AbortController();
  #events = new EventEmitter().setMaxListeners(0);
  #progress = 0;
  #isDone = false;

  /** `run` gets a function to call with each progress, and a signal that ends it. */
  constructor(run, signal) {
    const report = (progress) => {
      this.#progress = progress;
      this.#events.emit('news');
    };
    if (signal?.aborted) this.#cancel.abort(signal.reason);
    const stop = onAbort(signal, (reason) => this.#cancel.abort(reason));
    this.#promise = run(report, this.#cancel.signal).finally(() => {
      stop();
      this.#isDone = true;
      this.#events.emit('news');
    });
  }

  get progress() {
    return this.#progress;
  }

  cancel() {
    this.#cancel.abort(cancelled('the export was cancelled', 'No file was left behind.'));
  }

  then(onResult, onError) {
    return this.#promise.then(onResult, onError);
  }

  catch(onError) {
    return this.#promise.catch(onError);
  }

  finally(onEnd) {
    return this.#promise.finally(onEnd);
  }

  get [Symbol.toStringTag]() {
    return 'ExportJob';
  }

  async *[Symbol.asyncIterator]() {
    // An error is thrown here, and need not be waited for elsewhere.
    this.#promise.catch(() => {});
    let last = 0;
    for (;;) {
      if (this.#progress > last) yield (last = this.#progress);
      else if (this.#isDone) break;
      else await once(this.#events, 'news');
    }
    await this.#promise;
  }
}

export class ExportSession extends ExportSessionCalls {
  constructor(transport, wire, preset) {
    super(transport, wire.exportSession);
    this.preset = preset;
    this.outputFileType = wire.outputFileType;
    this.supportedFileTypes = wire.supportedFileTypes;
  }

  export(options = {}) {
    const run = async (report, signal) =>
      this.run(checked('exportSession.export', options), report, signal);
    return new ExportJob(run, options.signal);
  }

  /** Work that reports its progress, and has a file as its result. */
  [job](name, method, params, options) {
    const run = async (report, signal) => {
      const given = checked(name, options);
      return this.#finished(method, params(), given, report, signal);
    };
    return new ExportJob(run, options.signal);
  }

  /** Exports, and reports on the way. */
  run({ resume, ...options }, report, signal) {
    return this.#finished('exportSession/export', { resume }, options, report, signal);
  }

  async #finished(method, params, { onProgress, progressInterval }, report, signal) {
    const end = await finished(
      this.transport,
      method,
      { exportSession: this.handle, ...params, progressInterval },
      {
        signal,
        progressOf: ({ progress }) => progress,
        onProgress: (progress) => {
          report(progress);
          onProgress?.(progress);
        },
      },
    );
    return resultOf(end);
  }

  facts() {
    return { preset: this.preset, outputFileType: this.outputFileType };
  }
}

function resultOf({ status, outputURL, fileSize, timeRange, dropped = [], error, ...rest }) {
  if (status === 'completed') {
    return {
      path: outputURL,
      fileSize: wireInteger(fileSize),
      timeRange: rangeOrNone(timeRange),
      dropped,
      trimMode: rest.trimMode,
      trimNote: rest.trimNote,
      loudness: rest.loudness ?? [],
    };
  }
  if (error) throw errorFromWire(error);
  if (status === 'cancelled') {
    throw cancelled('the export was cancelled', 'No file was left behind.');
  }
  throw new ReelwireError(`the export ended as ${status}`);
}
