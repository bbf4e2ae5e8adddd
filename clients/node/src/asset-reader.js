// The samples of an asset's tracks, as stored or decoded.

import { onAbort } from './abort.js';
import { blobs, deliveryToWire } from './blob.js';
import { AssetReaderCalls, OutputCalls } from './calls.js';
import { LeasesExhaustedError } from './errors.js';
import { checked } from './options.js';
import { send } from './remote.js';
import { SampleBuffer } from './sample-buffer.js';
import { SharedMemory } from './shared-memory.js';
import { rangeOrNone, TimeRange } from './time.js';
import { Track } from './track.js';
import { trackIDOf } from './wire.js';

/** The number of buffers that a loop requests at a time, and their approximate bytes: small ones are many. */
const BATCH = 256;
const MAX_BYTES = 32 << 20;
/** Milliseconds to wait for shared memory, before bytes come in the message instead. */
const PATIENCE = 100;

/** An output as the protocol writes it. */
export function outputToWire(output) {
  if (typeof output !== 'object' || output instanceof Track) output = { track: output };
  if (output.audioMix !== undefined) return mixToWire(output);
  if (output.videoComposition !== undefined) return picturesToWire(output);
  checked('an output of a track', output);
  const { track, supportsRandomAccess, audioTimePitchAlgorithm, ...settings } = output;
  const given = Object.values(settings).some((value) => value !== undefined);
  const isRule = Object.getPrototypeOf(track ?? 0) === Object.prototype;
  const id = isRule ? track : trackIDOf(track);
  if (!isRule && typeof id !== 'number' && typeof id !== 'string') {
    throw new TypeError(
      "an output is 'video', a track, or {track, …}, {audioMix, …} or {videoComposition, …}",
    );
  }
  return {
    type: 'track',
    [isRule ? 'track' : typeof id === 'number' ? 'trackID' : 'mediaType']: id,
    settings: given ? settings : undefined,
    audioTimePitchAlgorithm,
    supportsRandomAccess,
  };
}

function mixToWire(output) {
  checked('an output of an audio mix', output);
  const { audioMix, mix, audioTimePitchAlgorithm, ...settings } = output;
  return {
    type: 'audioMix',
    trackIDs: audioMix === true ? undefined : audioMix.map(trackIDOf),
    audioMix: mix,
    audioTimePitchAlgorithm,
    settings: { sampleFormat: 'f32', ...settings },
  };
}

function picturesToWire(output) {
  checked('an output of a video composition', output);
  const { videoComposition, tracks, supportsRandomAccess, ...settings } = output;
  return {
    type: 'videoComposition',
    trackIDs: tracks?.map(trackIDOf),
    videoComposition: videoComposition === true ? undefined : videoComposition,
    settings: settings.format === undefined ? { pixelFormat: 'rgba', ...settings } : settings,
    supportsRandomAccess,
  };
}

/** An unread buffer: in the wire's form, or with its bytes being read already. */
class Waiting {
  constructor(wire) {
    this.wire = wire;
  }

  get isLarge() {
    return this.wire.blob?.kind === 'shm' && SharedMemory.isLarge(this.wire.blob);
  }

  /** Begins to read its bytes, unless that has begun. */
  read(transport) {
    if (!this.blob) {
      this.blob = this.wire.blob
        ? blobs(transport, [this.wire.blob]).then(([blob]) => blob)
        : Promise.resolve(undefined);
      // Its reader gets the error.
      this.blob.catch(() => {});
    }
    return this.blob;
  }
}

export class AssetReaderOutput extends OutputCalls {
  #ready = [];
  /** The pending request while the caller works on the buffers before it. */
  #ahead;
  #isDrained = false;
  #dropped = [];
  /** True if all shared memory was leased at the last request. */
  #isExhausted = false;
  /** The number of buffers of a loop's next request. */
  #step = 1;
  /** Changes when everything that is under way is no longer wanted. */
  #run = 0;
  #turn = Promise.resolve();
  #format;
  #transport;

  constructor(reader, handle) {
    super();
    this.reader = reader;
    this.handle = handle;
    this.#transport = reader.transport;
  }

  [send](method, params, options) {
    return this.#transport.request(method, params, options);
  }

  get ended() {
    return this.#isDrained && this.#ready.length === 0 && this.#ahead === undefined;
  }

  get dropped() {
    return this.#dropped;
  }

  async next(options = {}) {
    checked('next', options);
    const { maxCount = 1 } = options;
    const taken = await this.#inTurn(async () => {
      const pull = { ...options, maxCount };
      // The request is sent for an ended output as well: the engine knows its state then.
      while (this.#ready.length === 0) {
        await this.reader.start();
        await this.#fill(pull);
        if (this.ended) break;
      }
      return this.#take(maxCount, options.maxBytes);
    });
    return Promise.all(taken.map((waiting) => this.#made(waiting)));
  }

  async *samples(options = {}) {
    checked('samples', options);
    const { batch = BATCH, maxBytes = MAX_BYTES, keep = false, ...rest } = options;
    const pull = { ...rest, maxCount: batch, maxBytes };
    for (;;) {
      pull.signal?.throwIfAborted();
      const waiting = await this.#inTurn(() => this.#nextOne(pull));
      if (!waiting) return;
      const sample = await this.#made(waiting);
      if (keep) sample.keep();
      yield sample;
      // Its turn is over. Leaving the loop retains the last one.
      if (!sample.isKept) sample.release();
    }
  }

  [Symbol.asyncIterator]() {
    return this.samples();
  }

  async reset(timeRanges) {
    const params = { output: this.handle, timeRanges: Array.from(timeRanges, TimeRange.of) };
    await this[send]('assetReader/reset', params);
    this.forget();
    this.#isDrained = false;
  }

  /** Releases the unread buffers, and those of the pending request when they arrive. */
  forget() {
    this.#run += 1;
    for (const { wire, blob } of this.#ready.splice(0)) {
      if (!blob) this.#transport.giveBack(wire.blob);
    }
    this.#ahead?.then((result) => this.#transport.giveBack(result)).catch(() => {});
    this.#ahead = undefined;
  }

  /** One after the other, so that buffers stay in order for all callers. */
  #inTurn(action) {
    const turn = this.#turn.then(action);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #nextOne(pull) {
    while (this.#ready.length === 0 && !this.ended) {
      await this.reader.start();
      await this.#fill(this.#ahead ? pull : this.#growing(pull));
      this.#lookAhead(pull);
    }
    const [waiting] = this.#take(1);
    // A large picture is read while the caller works on the one before.
    if (this.#ready[0]?.isLarge) this.#ready[0].read(this.#transport);
    return waiting;
  }

  /** A request waits for all its buffers, so a small first one returns early. */
  #growing(pull) {
    const step = Math.min(this.#step, pull.maxCount);
    this.#step = Math.min(this.#step * 2, pull.maxCount);
    return { ...pull, maxCount: step };
  }

  /** Asks for the buffers that follow; not for files, which would stay. */
  #lookAhead(pull) {
    if (this.#ahead || this.#isDrained || pull.path !== undefined) return;
    // Its reader gets the error. A signal ends the waiting, and no buffer is lost.
    this.#ahead = this.#ask({ ...this.#growing(pull), signal: undefined });
    this.#ahead.catch(() => {});
  }

  /** Waits for buffers, those asked for ahead before others; there may be none in the end. */
  async #fill(pull) {
    const run = this.#run;
    const ahead = this.#ahead;
    let result;
    try {
      result = await unlessAborted(ahead ?? this.#ask(pull), pull.signal);
    } catch (error) {
      // Buffers that were requested ahead wait for the next caller.
      if (ahead && pull.signal?.aborted) throw error;
      if (this.#ahead === ahead) this.#ahead = undefined;
      if (!ahead || !(error instanceof LeasesExhaustedError)) throw error;
      // Since then others may have released their buffers.
      result = await this.#ask(pull);
    }
    if (this.#ahead === ahead) this.#ahead = undefined;
    if (this.#run !== run) {
      if (!ahead) this.#transport.giveBack(result);
      return;
    }
    this.#isDrained = result.endOfStream;
    this.#dropped = result.dropped ?? [];
    const arrived = result.sampleBuffers.map((wire) => new Waiting(wire));
    await this.#readSmall(arrived);
    if (this.#run === run) this.#ready.push(...arrived);
  }

  /** Reads small ones at once, and together. */
  async #readSmall(arrived) {
    const small = arrived.filter(({ wire, isLarge }) => wire.blob?.kind === 'shm' && !isLarge);
    if (small.length === 0) return;
    const made = await blobs(this.#transport, small.map(({ wire }) => wire.blob));
    for (const [index, waiting] of small.entries()) waiting.blob = made[index];
  }

  /** The next buffers as they come. */
  async #ask({ maxCount, maxBytes, timeoutMs, signal, ...where }) {
    const request = (more) =>
      this[send](
        'assetReader/nextSampleBuffers',
        { output: this.handle, maxCount, maxBytes, timeoutMs, ...more },
        { signal },
      );
    const delivery = deliveryToWire(where);
    if (delivery !== undefined) return request({ delivery });
    try {
      const patience = this.#isExhausted ? 0 : (timeoutMs ?? PATIENCE);
      const result = await request({ delivery: 'shm', timeoutMs: patience });
      this.#isExhausted = false;
      return result;
    } catch (error) {
      if (!(error instanceof LeasesExhaustedError)) throw error;
      this.#isExhausted = true;
      return request({ delivery: 'inline' });
    }
  }

  /** Some of the available buffers, at least one. */
  #take(count, maxBytes = Infinity) {
    let [taken, size] = [0, 0];
    while (taken < count && taken < this.#ready.length && (taken === 0 || size < maxBytes)) {
      size += this.#ready[taken].wire.blob?.size ?? 0;
      taken += 1;
    }
    const waiting = this.#ready.splice(0, taken);
    for (const { wire } of waiting) {
      // A new description is true from here on.
      if (wire.format) this.#format = wire.format;
    }
    return waiting;
  }

  async #made(waiting) {
    const format = waiting.wire.format ?? this.#format;
    return new SampleBuffer(waiting.wire, await waiting.read(this.#transport), format);
  }
}

/** A result, unless the signal is aborted before; other waiting callers aren't affected. */
async function unlessAborted(promise, signal) {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop;
  const aborted = new Promise((_, reject) => (stop = onAbort(signal, reject)));
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}

export class AssetReader extends AssetReaderCalls {
  #starting;

  constructor(transport, wire) {
    super(transport, wire.assetReader);
    this.outputs = wire.outputs.map((handle) => new AssetReaderOutput(this, handle));
  }

  /** Starts reading; again does nothing. */
  async start() {
    const params = { assetReader: this.handle };
    this.#starting ??= this.transport.request('assetReader/start', params).catch((error) => {
      this.#starting = undefined;
      throw error;
    });
    await this.#starting;
  }

  async cancel() {
    this.#forget();
    await this.transport.request('assetReader/cancel', { assetReader: this.handle });
  }

  close() {
    this.#forget();
    return super.close();
  }

  #forget() {
    for (const output of this.outputs) output.forget();
  }

  facts() {
    return { outputs: this.outputs.map(({ handle }) => handle) };
  }
}

/** The params of a reader. */
export function readerParams(outputs, { timeRange } = {}) {
  const list = Array.isArray(outputs) ? outputs : [outputs];
  return { timeRange: rangeOrNone(timeRange), outputs: list.map(outputToWire) };
}
