// Capture sessions: cameras, microphones and screens into files, samples and photos.

import path from 'node:path';

import { absolute, blobs } from './blob.js';
import { CaptureOutputCalls, CaptureSessionCalls } from './calls.js';
import { DeviceNotConnectedError, OperationNotAllowedError } from './errors.js';
import { endLevels, LevelObserver, observedNoMore } from './level-observer.js';
import { metadataEntries } from './metadata.js';
import { finished } from './operation.js';
import { checked } from './options.js';
import { Ending, Events, failed, receive } from './playback.js';
import { asyncDispose, isGone, send } from './remote.js';
import { SampleBuffer } from './sample-buffer.js';
import { MediaTime, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

const REASONS = ['late', 'outOfBuffers', 'discontinuity'];

/** The types of files that hold audio alone, by their extensions. */
const AUDIO_FILES = ['wav', 'flac', 'm4a', 'mp3', 'ogg', 'oga', 'opus', 'aac', 'mka'];

/** The notification after which nothing comes. */
const STOP = 'captureSession/didStop';

/** Called by a session that has stopped: `output[stopped](run, error)`. */
const stopped = Symbol('stopped');

/** Called by a session that has removed an output: `output[removed]()`. */
const removed = Symbol('removed');

/** The number of a session's starts: `session[run]`. */
const run = Symbol('run');

const KINDS = { camera: 'video', microphone: 'audio', screen: 'screen' };

/** A promise of an output that is also the generator of its samples, whose end closes the output. */
function looped(promise) {
  // A caller may do something else before the loop, which gets the error.
  promise.catch(() => {});
  const samples = (async function* () {
    yield* await promise;
  })();
  // A generator that hasn't begun ends without it.
  const close = () => promise.then((output) => output.close(), () => {});
  const end = async (value) => {
    const last = await samples.return(value);
    await close();
    return last;
  };
  const fail = async (error) => {
    try {
      return await samples.throw(error);
    } finally {
      await close();
    }
  };
  return Object.assign(promise, {
    next: () => samples.next(),
    return: end,
    throw: fail,
    [asyncDispose]: async () => void (await end()),
    [Symbol.asyncIterator]: () => promise,
  });
}

/** A running recording. */
export class Recording {
  #output;
  #end;

  constructor(output, operation, file) {
    this.path = file;
    this.done = false;
    this.isReplaced = false;
    this.#output = output;
    this.#end = this.#watched(operation);
    // A caller that doesn't wait for it gets no error of the end of the engine.
    this.#end.catch(() => {});
  }

  async #watched(operation) {
    try {
      for (;;) {
        const { method, params } = await operation.next();
        if (method === 'captureOutput/didStartRecording') this.startTime = MediaTime.of(params.startTime);
        if (method === operation.terminal) return params;
      }
    } finally {
      this.done = true;
    }
  }

  async pause() {
    await this.#output.pauseRecording();
  }

  async resume() {
    await this.#output.resumeRecording();
  }

  async stop() {
    if (!this.done && !this.isReplaced) {
      try {
        await this.#output.stopRecording();
      } catch (error) {
        // It may have ended automatically: at a limit, or with its device.
        if (!(error instanceof OperationNotAllowedError)) throw error;
      }
    }
    return this.result();
  }

  async result() {
    const end = await this.#output.transport.whileWaiting(this.#end);
    if (!end.recordingSuccessfullyFinished) throw errorFromWire(end.error);
    return {
      path: end.outputURL,
      status: end.status,
      duration: MediaTime.of(end.recordedDuration),
      size: end.recordedFileSize,
      tracks: end.tracks,
      isPlainMovie: end.isPlainMovie,
      losses: end.dropped ?? [],
      error: errorFromWire(end.error),
    };
  }

  state() {
    return this.#output.recordingState();
  }

  async [asyncDispose]() {
    await this.stop();
  }
}

export class CaptureOutput extends CaptureOutputCalls {
  #session;
  #events;
  #recording;
  #loop;
  #pushes;
  #isRemoved = false;
  #observers = new Set();

  constructor(session, handle, { type, mode }, loop) {
    super(session.transport, handle);
    this.type = type;
    this.dropped = Object.fromEntries(REASONS.map((reason) => [reason, 0]));
    this.#session = session;
    // The options of the only loop over it, which closes it: an output of frames() or audio().
    this.#loop = loop;
    this.#pushes = mode === 'push' || type === 'preview';
    this.#events = new Events(this.transport);
    this.transport.playback.add(handle, this);
  }

  [receive](method, params) {
    if (method === 'captureOutput/didOutput') {
      if (this.#events.isEnded) this.transport.giveBack(params);
      else this.#events.put(method, params);
    }
    if (method === 'captureOutput/didMeasureLevels') {
      for (const observer of this.#observers) observer[receive](method, params);
    }
  }

  [failed](error) {
    this.#events.end(error);
    this[endLevels](error);
  }

  [removed]() {
    this.#isRemoved = true;
    this.#end();
  }

  /** Ends the loops over it for good. The memory of its unread samples may have other contents soon. */
  #end() {
    this.#events.end();
    this[endLevels]();
    for (const { params } of this.#events.untaken()) this.transport.giveBack(params);
  }

  /** Ends the loops over it: nothing comes any more of this run of the session. */
  [stopped](run, error) {
    this[endLevels](error);
    if (this.#pushes) this.#events.put(STOP, { run, error });
  }

  [endLevels](error) {
    for (const observer of this.#observers) observer[endLevels](error);
    this.#observers.clear();
  }

  async observeLevels(options) {
    const { interval, signal } = checked('observeLevels', options);
    const observer = new LevelObserver(this);
    // The first levels may come with the answer.
    this.#observers.add(observer);
    try {
      const params = { captureOutput: this.handle, interval: timeOrNone(interval) };
      await this[send]('captureOutput/observeLevels', params, { signal });
    } catch (error) {
      this.#observers.delete(observer);
      throw error;
    }
    return observer;
  }

  async [observedNoMore](observer) {
    this.#observers.delete(observer);
    if (this.#observers.size > 0 || this.closed || this.#session.closed || !this.transport.isAlive) return;
    try {
      const params = { captureOutput: this.handle, isObserving: false };
      await this[send]('captureOutput/observeLevels', params);
    } catch (error) {
      // The output may be closed, and the observation with it.
      if (!isGone(error) && this.transport.isAlive) throw error;
    }
  }

  async record(output, options) {
    const { signal, video, audio, metadata, ...rest } = checked('capture.record', options);
    const { maxRecordedDuration, movieFragmentInterval: interval, ...others } = rest;
    const isGiven = video !== undefined || audio !== undefined;
    const file = absolute(output);
    const params = {
      captureOutput: this.handle,
      outputURL: file,
      settings: isGiven ? { video, audio } : undefined,
      metadata: metadata === undefined ? undefined : metadataEntries(metadata),
      maxRecordedDuration: timeOrNone(maxRecordedDuration),
      movieFragmentInterval: interval === 'invalid' ? interval : timeOrNone(interval),
      ...others,
    };
    const operation = await this.transport.start('captureOutput/startRecording', params, { signal });
    if (this.#recording) this.#recording.isReplaced = true;
    return (this.#recording = new Recording(this, operation, file));
  }

  async next(options) {
    return (await this.#pulled(checked('captureOutput.next', options))).buffers;
  }

  async #pulled({ maxCount = 1, timeoutMs, signal }) {
    const params = { captureOutput: this.handle, maxCount, timeoutMs };
    const result = await this[send]('captureOutput/nextSampleBuffers', params, { signal });
    return { buffers: await this.#taken(result), isRunning: result.isRunning };
  }

  async #taken({ sampleBuffers, dropped }) {
    for (const reason of REASONS) this.dropped[reason] += dropped[reason];
    const bytes = await blobs(
      this.transport,
      sampleBuffers.map(({ blob }) => blob),
    );
    return sampleBuffers.map((wire, index) => new SampleBuffer(wire, bytes[index]));
  }

  async *samples(options) {
    const { signal = this.#loop?.signal } = checked('captureOutput.samples', options);
    try {
      for (;;) {
        let [buffers, isRunning] = [undefined, true];
        if (this.#pushes) {
          const event = await this.#events.next(signal);
          if (!event) return;
          if (event.method === STOP) {
            if (event.params.run !== this.#session[run]) continue;
            if (event.params.error) throw event.params.error;
            return;
          }
          buffers = await this.#taken(event.params);
        } else {
          ({ buffers, isRunning } = await this.#pulled({ signal }));
        }
        yield* buffers;
        if (buffers.length > 0) continue;
        if (!isRunning && this.#session.error) throw this.#session.error;
        if (!isRunning || this.#session.clock === 'manual') return;
      }
    } finally {
      if (this.#loop) await this.close();
    }
  }

  [Symbol.asyncIterator]() {
    return this.samples();
  }

  async photo(options) {
    const { signal, ...rest } = checked('capture.photo', options);
    const params = { captureOutput: this.handle, ...rest };
    const end = await finished(this.transport, 'captureOutput/capturePhoto', params, { signal, progressOf: () => 0 });
    if (end.error) throw errorFromWire(end.error);
    const [bytes] = await blobs(this.transport, [end.blob]);
    const duration = { value: 0, timescale: 1 };
    const { time: presentationTime, image } = end;
    return new SampleBuffer({ presentationTime, duration, numSamples: 1, attachments: {}, image }, bytes);
  }

  async close() {
    if (this.closed) return;
    this.#end();
    try {
      if (!this.#isRemoved && !this.#session.closed && this.transport.isAlive) {
        await this.#session.configure([{ remove: this.handle }]);
      }
      await super.close();
    } catch (error) {
      // An output that is removed has no handle any more.
      if (!isGone(error) && this.transport.isAlive) throw error;
      await super.close().catch(() => {});
    }
  }
}

export class CaptureSession extends CaptureSessionCalls {
  #ending;
  #roles = new Map();
  #outputs = new Set();

  [run] = 0;

  constructor(transport, handle, clock) {
    super(transport, handle);
    this.clock = clock;
    this.isRunning = false;
    this.isInterrupted = false;
    this.#ending = new Ending(transport);
    transport.playback.add(handle, this);
  }

  [receive](method, params) {
    if (method === 'captureSession/didFail') this.error = errorFromWire(params.error);
    if (method === 'captureSession/didStop') this.#didStop();
    if (method === 'captureSession/didChange') {
      this.isRunning = params.isRunning ?? this.isRunning;
      this.isInterrupted = params.isInterrupted ?? this.isInterrupted;
    }
  }

  #didStop() {
    this.#ending.reach();
    this.#endOutputs(this.error);
  }

  #endOutputs(error) {
    for (const reference of this.#outputs) {
      const output = reference.deref();
      if (output && !output.closed) output[stopped](this[run], error);
      else this.#outputs.delete(reference);
    }
  }

  [failed](error) {
    this.isRunning = false;
    this.#ending.fail(error);
  }

  async start(options) {
    const { signal } = checked('captureSession.start', options);
    this.#ending.postpone();
    this[run] += 1;
    this.error = undefined;
    await this.#done('captureSession/start', signal);
  }

  async stop(options) {
    const { signal } = checked('captureSession.stop', options);
    await this.#done('captureSession/stop', signal);
    this.#didStop();
  }

  async #done(method, signal) {
    const params = { captureSession: this.handle };
    const end = await finished(this.transport, method, params, { signal, progressOf: () => 0 });
    if (end.error) throw errorFromWire(end.error);
  }

  async untilStopped(options) {
    const { signal } = checked('captureSession.untilStopped', options);
    await this.#ending.wait(this, signal);
  }

  async configure(changes, options) {
    return this.#configured(changes, checked('configure', options));
  }

  async #configured(changes, { dryRun, signal }, loop) {
    const params = { captureSession: this.handle, changes, dryRun };
    const result = await this.transport.playback.madeAll(
      'captureSession/configure',
      params,
      'outputs',
      { signal },
    );
    if (!dryRun) this.#endRemoved(changes);
    const added = changes.filter(({ add }) => add === 'output');
    const outputs = result.outputs.map(
      (handle, index) => new CaptureOutput(this, handle, added[index], loop),
    );
    for (const output of outputs) this.#outputs.add(new WeakRef(output));
    return { ...result, outputs };
  }

  /** Ends the loops over outputs that were removed. */
  #endRemoved(changes) {
    const handles = new Set(changes.map(({ remove }) => remove));
    for (const reference of this.#outputs) {
      const output = reference.deref();
      if (output && !output.closed && handles.has(output.handle)) output[removed]();
    }
  }

  async addOutput(type, options) {
    const { signal, ...rest } = checked('addOutput', options);
    return this.#added({ add: 'output', type, ...rest }, signal);
  }

  async #added(change, signal, loop) {
    return (await this.#configured([change], { signal }, loop)).outputs[0];
  }

  async record(output, options) {
    const { fileType = path.extname(String(output)).slice(1) } = checked('capture.record', options);
    const isOfAudio = AUDIO_FILES.includes(fileType.toLowerCase());
    return (await this.#role(isOfAudio ? 'audioFile' : 'movieFile')).record(output, options);
  }

  frames(options) {
    return looped(this.#frames(options));
  }

  async #frames(options) {
    const { signal, pixelFormat = 'rgb24', ...rest } = checked('capture.frames', options);
    const settings = { pixelFormat, ...rest };
    return this.#added({ add: 'output', type: 'videoData', settings }, signal, { signal });
  }

  audio(options) {
    return looped(this.#audio(options));
  }

  async #audio(options) {
    const { signal, ...settings } = checked('capture.audio', options);
    return this.#added({ add: 'output', type: 'audioData', settings }, signal, { signal });
  }

  async photo(options) {
    checked('capture.photo', options);
    return (await this.#role('photo')).photo(options);
  }

  async levels() {
    return (await this.#role('audioFile')).levels();
  }

  async observeLevels(options) {
    checked('observeLevels', options);
    return (await this.#role('audioFile')).observeLevels(options);
  }

  /** The session's own output of a type, which is added when it is first needed. */
  async #role(type) {
    const known = this.#roles.get(type);
    if (known && !known.closed) return known;
    const output = await this.addOutput(type);
    this.#roles.set(type, output);
    return output;
  }

  async close() {
    await super.close();
    this.#ending.wake();
    this.#endOutputs();
  }
}

/** A change that adds an input of a device. */
async function addition(engine, kind, device, signal) {
  if (typeof device === 'object') return { add: 'input', ...device };
  if (typeof device === 'string' && device !== 'default') return { add: 'input', device };
  const { devices, unavailable } = await engine.devices({ mediaType: KINDS[kind], signal });
  const there = devices.filter(({ transport }) => transport !== 'synthetic');
  const chosen = there.find(({ isDefault }) => isDefault) ?? there[0];
  if (chosen) return { add: 'input', device: chosen.uniqueID };
  const reasons = unavailable.map(({ reason }) => reason).join('; ');
  throw new DeviceNotConnectedError(`there is no ${kind}`, {
    code: -11814,
    name: 'deviceNotConnected',
    hint: reasons || 'Choose one that engine.devices() lists.',
  });
}

export async function madeCaptureSession(engine, transport, options) {
  const { signal, start = true, preset, clock, synthetic, ...devices } = checked('capture', options);
  const changes = [];
  for (const [kind, device] of Object.entries(devices)) {
    if (device) changes.push(await addition(engine, kind, device, signal));
  }
  if (synthetic) {
    const settings = synthetic === true ? undefined : synthetic;
    changes.push({ add: 'input', device: 'synthetic:1', settings });
  }
  const params = { preset, clock };
  const noun = 'captureSession';
  const handle = await transport.playback.make('captureSession/create', params, noun, { signal });
  const session = new CaptureSession(transport, handle, clock ?? 'host');
  try {
    if (changes.length > 0) await session.configure(changes, { signal });
    if (start && changes.length > 0) await session.start({ signal });
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}
