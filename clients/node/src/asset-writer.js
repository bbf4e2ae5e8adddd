// Asset writers: pictures, audio and samples of the caller's to a new file, or to segments.

import { absolute, blobOf } from './blob.js';
import { AssetWriterCalls } from './calls.js';
import { ReelwireError } from './errors.js';
import { chapterEntries, metadataEntries } from './metadata.js';
import { finished } from './operation.js';
import { checked, pick, WRITER } from './options.js';
import { before, made } from './remote.js';
import { MediaTime, timeOrNone, wireInteger } from './time.js';
import { cancelled, errorFromWire } from './wire-errors.js';
import { AssetWriterInput, inputToWire, SharedFiles, writeRows } from './writer-input.js';

/** Milliseconds that an input may wait for another one. */
const TIMEOUT = 10_000;

export class AssetWriter extends AssetWriterCalls {
  #failure;
  #files = new SharedFiles();
  #onSegment;
  #segments = Promise.resolve();
  #result;

  constructor(transport, wire, options) {
    super(transport, wire.assetWriter);
    this.outputFileType = wire.outputFileType;
    this.timeoutMs = options.timeoutMs ?? TIMEOUT;
    const entries = Object.entries(options.inputs).map(([name, input], index) => [
      name,
      new AssetWriterInput(this, name, wire.inputs[index], input),
    ]);
    this.inputs = Object.freeze(Object.fromEntries(entries));
    this.#onSegment = options.segments?.onSegment;
    if (options.segments) transport.segments.set(wire.assetWriter, (each) => this.#segment(each));
  }

  get result() {
    return this.#result;
  }

  [made](call, wire) {
    const names = Object.fromEntries(
      Object.values(this.inputs).map(({ name, handle }) => [handle, name]),
    );
    const inputs = wire.inputs.map(({ input, waitsFor, ...rest }) => [
      names[input],
      { ...rest, waitsFor: names[waitsFor] },
    ]);
    const error = errorFromWire(wire.error);
    return { status: wire.status, error, inputs: Object.fromEntries(inputs) };
  }

  async [before]() {
    await this.#drain();
    this.throwFailure();
  }

  async finish(options = {}) {
    const { signal } = checked('finish', options);
    if (this.#result) return this.#result;
    await Promise.all(Object.values(this.inputs).map((input) => input.finish()));
    const params = { assetWriter: this.handle };
    const end = await finished(this.transport, 'assetWriter/finish', params, { signal });
    await this.#segments;
    this.throwFailure();
    this.#result = resultOf(end);
    return this.#result;
  }

  async cancel() {
    await this.transport.request('assetWriter/cancel', { assetWriter: this.handle });
    await this.#drain();
  }

  async transfer(pairs, options = {}) {
    const { timeOffset, marksAsFinished, onProgress, progressInterval, signal } = checked(
      'transfer',
      options,
    );
    for (const { output } of pairs) await output.reader.start();
    const wires = pairs.map(({ output, input, until }) => ({
      ...{ output: output.handle, input: input.handle, marksAsFinished },
      ...{ timeOffset: timeOrNone(timeOffset), until: timeOrNone(until) },
    }));
    const end = await finished(
      this.transport,
      'assetWriter/transfer',
      {
        ...{ assetWriter: this.handle, pairs: wires },
        progressInterval: onProgress ? progressInterval : 0,
      },
      { signal, onProgress, progressOf: ({ time }) => MediaTime.of(time) },
    );
    if (end.error) throw errorFromWire(end.error);
    if (end.result !== 'succeeded') throw cancelled('the transfer was cancelled', 'Start another.');
    return end.transferred.map(({ sampleBuffers, lastTime, endOfStream }, index) => {
      const { input } = pairs[index];
      if (endOfStream && marksAsFinished !== false) input.markFinished();
      return { input, sampleBuffers, lastTime: timeOrNone(lastTime), endOfStream };
    });
  }

  async close() {
    if (!this.closed) this.transport.segments.delete(this.handle);
    for (const input of Object.values(this.inputs)) input.forget();
    await super.close();
    await this.#drain();
    this.#files.close();
  }

  /** Throws the error of a sample that has failed. */
  throwFailure() {
    if (this.#failure) throw this.#failure;
  }

  /** Writes a picture to memory of the engine's. */
  async write(blob, bytes, planes, image) {
    await writeRows(await this.#files.open(blob.path), blob, bytes, planes, image);
  }

  /** Sends a sample; an error is stored for the next append or finish. */
  async take(input, wire, lease) {
    try {
      await this.transport.request('assetWriter/append', { input, sampleBuffers: [wire] });
    } catch (error) {
      if (lease) this.transport.releaseLater(lease);
      this.#failure ??= error;
    }
  }

  async #drain() {
    await Promise.all(Object.values(this.inputs).map((input) => input.drain()));
  }

  /** Segments are handed on one after the other. */
  #segment(wire) {
    const taken = this.#segments.then(async () => {
      const blob = await blobOf(this.transport, wire);
      if (this.#failure) return;
      const tracks = (wire.report?.trackReports ?? []).map((report) => ({
        ...report,
        earliestPresentationTime: MediaTime.of(report.earliestPresentationTime),
        duration: MediaTime.of(report.duration),
      }));
      const { segmentType, index } = wire;
      await this.#onSegment?.({ segmentType, index, tracks, data: blob.data });
    });
    this.#segments = taken.catch((error) => {
      this.#failure ??= error;
    });
  }

  facts() {
    return { outputFileType: this.outputFileType, inputs: Object.keys(this.inputs) };
  }
}

function resultOf({ status, outputURL, fileSize, duration, dropped = [], error }) {
  if (status === 'completed') {
    return {
      path: outputURL,
      fileSize: wireInteger(fileSize),
      duration: timeOrNone(duration),
      dropped,
    };
  }
  if (error) throw errorFromWire(error);
  if (status === 'cancelled') throw cancelled('the writing was cancelled', 'No file was left.');
  throw new ReelwireError(`the writing ended as ${status}`);
}

/** Makes a writer, and starts it and its session. */
export async function madeWriter(transport, output, options) {
  const { inputs = {}, segments, metadata, chapters, signal } = checked('assetWriter', options);
  const { movieFragmentInterval, directoryForTemporaryFiles: folder, sessionStart = 0 } = options;
  if (segments) checked('the segments of a writer', segments);
  const wire = await transport.request(
    'assetWriter/create',
    {
      outputURL: segments ? undefined : absolute(output),
      segments: segments && segmentsToWire(segments),
      inputs: Object.entries(inputs).map(([name, input]) => inputToWire(name, input)),
      inputGroups: options.groups?.map((group) => groupToWire(group, Object.keys(inputs))),
      trackAssociations: options.associations?.map(({ associationType, input, associatedInput }) => ({
        associationType,
        input: placeOf(input, Object.keys(inputs)),
        associatedInput: placeOf(associatedInput, Object.keys(inputs)),
      })),
      metadata: metadata && metadataEntries(metadata),
      chapters: chapters && chapterEntries(chapters),
      movieFragmentInterval: timeOrNone(movieFragmentInterval),
      directoryForTemporaryFiles: folder === undefined ? undefined : absolute(folder),
      ...pick(options, ['outputFileType', 'shouldOptimizeForNetworkUse', 'movieTimeScale']),
    },
    { signal },
  );
  const writer = new AssetWriter(transport, wire, options);
  try {
    const { handle } = writer;
    await transport.request('assetWriter/start', { assetWriter: handle });
    const sourceTime = MediaTime.of(sessionStart);
    await transport.request('assetWriter/startSession', { assetWriter: handle, sourceTime });
  } catch (error) {
    await writer.close();
    throw error;
  }
  return writer;
}

function placeOf(name, names) {
  const place = names.indexOf(name);
  if (place < 0) throw new RangeError(`there is no input '${name}': ${names.join(', ')}`);
  return place;
}

function groupToWire({ inputs, defaultInput = inputs[0] }, names) {
  return {
    inputs: inputs.map((name) => placeOf(name, names)),
    defaultInput: defaultInput === null ? undefined : placeOf(defaultInput, names),
  };
}

function segmentsToWire({ interval = 6, start, profile }) {
  return {
    preferredOutputSegmentInterval:
      interval === 'indefinite' ? interval : MediaTime.of(interval),
    initialSegmentStartTime: timeOrNone(start),
    profile,
    delivery: 'shm',
  };
}

/** Writes pictures, wherever they come from, to a new video. */
export async function writtenVideo(transport, output, frames, options) {
  const { size, pixelFormat, frameRate = 30, settings, signal } = checked('writeVideo', options);
  const { onProgress, count = frames?.length } = options;
  const video = { size, pixelFormat, frameRate, settings };
  const writer = await madeWriter(transport, output, {
    inputs: { video },
    ...pick(options, WRITER),
  });
  try {
    let number = 0;
    for await (const frame of frames) {
      signal?.throwIfAborted();
      await writer.inputs.video.append(frame);
      onProgress?.((number += 1), count);
    }
    return await writer.finish({ signal });
  } finally {
    await writer.close();
  }
}
