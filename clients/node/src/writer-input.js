// The inputs of an asset writer: the appended values in the protocol's form, and their sending.

import fs from 'node:fs/promises';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';

import { AssetReaderOutput } from './asset-reader.js';
import { absolute } from './blob.js';
import { checked } from './options.js';
import { Picture } from './picture.js';
import { pictureForms } from './planes.js';
import { SampleBuffer } from './sample-buffer.js';
import { MediaTime } from './time.js';
import { Track } from './track.js';

/** The maximum number of samples that are being sent, and their approximate bytes: at least one. */
const MAXIMUM = 64;
const MAXIMUM_BYTES = 32 << 20;
/** About how many bytes of pictures are allocated at a time, and how many of audio are one sample. */
const ALLOCATED = 16 << 20;
const BLOCK = 1 << 16;
/** The number of blocks of audio that are allocated once one of that size was needed; shorter audio is sent in its message. */
const BLOCKS = 4;
const SMALL = 1 << 15;

const SAMPLE_BYTES = { u8: 1, s16: 2, s32: 4, f32: 4, f64: 8 };
const SAMPLE_FORMATS = new Map([
  ...[[Uint8Array, 'u8'], [Int16Array, 's16'], [Int32Array, 's32']],
  ...[[Float32Array, 'f32'], [Float64Array, 'f64']],
]);
/** Rates that are written with decimals, and mean a thousandth less of a whole number. */
const NTSC = { 23.976: 24, 29.97: 30, 47.952: 48, 59.94: 60, 119.88: 120 };

/** Frames a second as a ratio. */
export function rateOf(rate) {
  if (NTSC[rate]) return [NTSC[rate] * 1000, 1001];
  const { value, timescale } = MediaTime.of(rate);
  if (!(value > 0n)) throw new RangeError(`a frame rate is above 0, not ${inspect(rate)}`);
  return [Number(value), timescale];
}

const only = (object, names) =>
  Object.fromEntries(
    names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]),
  );

/** An input as the protocol writes it. */
export function inputToWire(name, input) {
  checked('an input of a writer', input);
  const { mediaType = name, size, pixelFormat = 'rgba', settings = {}, source, ...rest } = input;
  if (input.frameRate !== undefined) rateOf(input.frameRate);
  const isPreset = typeof settings === 'string';
  const own = ['mediaTimeScale', 'transform', 'extendedLanguageTag'];
  own.push('marksOutputTrackAsEnabled', 'expectsMediaDataInRealTime');
  return {
    mediaType,
    ...(source === undefined
      ? { outputSettings: isPreset ? { preset: settings } : settings }
      : { sourceFormatHint: hintOf(source) }),
    sourcePixelBufferAttributes: size && { pixelFormat, ...only(size, ['width', 'height']) },
    ...only(rest, own),
  };
}

function hintOf(source) {
  if (source instanceof AssetReaderOutput) return { fromOutput: source.handle };
  if (source instanceof Track) return { fromAsset: source.asset.handle, trackID: source.trackID };
  return { format: source };
}

export class AssetWriterInput {
  #writer;
  #input;
  #rate;
  /** The number of frames so far, and the time at which audio continues. */
  #count = 0;
  #end = 0;
  #turn = Promise.resolve();
  #sent = [];
  #isFinished = false;
  #blobs = [];
  #image;
  /** Of the blocks that were needed last, in bytes. */
  #size;

  constructor(writer, name, handle, input) {
    this.#writer = writer;
    this.#input = input;
    this.#rate = input.frameRate === undefined ? undefined : rateOf(input.frameRate);
    this.name = name;
    this.handle = handle;
  }

  /** Appends a sample; it is on its way when this resolves. */
  append(sample, options = {}) {
    checked('append', options);
    return this.#inTurn(async () => {
      if (this.#isFinished) throw new TypeError(`the input '${this.name}' is finished`);
      for (const part of this.#parts(sample, options)) {
        this.#writer.throwFailure();
        await this.#room(part.size);
        await this.#send(part);
      }
    });
  }

  async extend(samples, options = {}) {
    const { times } = checked('extend', options);
    const following = times?.[Symbol.iterator]();
    for await (const sample of samples) {
      await this.append(sample, { time: following?.next().value });
    }
  }

  writable(options = {}) {
    const { objectMode = false } = checked('writable', options);
    if (objectMode) {
      return new Writable({
        objectMode: true,
        highWaterMark: 2,
        write: (sample, _, done) => void this.append(sample).then(() => done(), done),
        final: (done) => void this.finish().then(() => done(), done),
      });
    }
    const size = this.#pieceSize();
    let rest = [];
    let length = 0;
    const take = async (bytes) => {
      rest.push(bytes);
      length += bytes.length;
      if (length < size) return;
      const all = rest.length === 1 ? rest[0] : Buffer.concat(rest);
      const end = length - (length % size);
      rest = [all.subarray(end)];
      length -= end;
      // Pictures one by one; of audio as much as there is.
      const step = this.#isVideo ? size : end;
      for (let at = 0; at < end; at += step) await this.append(all.subarray(at, at + step));
    };
    const end = async () => {
      if (length > 0) throw new RangeError(`${length} bytes are left, which are no whole sample`);
      await this.finish();
    };
    return new Writable({
      highWaterMark: Math.max(size, BLOCK),
      write: (bytes, _, done) => void take(bytes).then(() => done(), done),
      final: (done) => void end().then(() => done(), done),
    });
  }

  /** States that no more samples follow. */
  finish() {
    return this.#inTurn(async () => {
      if (this.#isFinished) return;
      this.#isFinished = true;
      await this.drain();
      this.#writer.throwFailure();
      await this.#writer.transport.request('assetWriter/markAsFinished', { input: this.handle });
    });
  }

  /** It gets no more samples: a transfer has finished it. */
  markFinished() {
    this.#isFinished = true;
  }

  /** Waits until all samples that are being sent were accepted, or have failed. */
  async drain() {
    await Promise.all(this.#sent.map(({ taken }) => taken));
  }

  /** Returns memory that wasn't used. */
  forget() {
    for (const { lease } of this.#blobs.splice(0)) this.#writer.transport.releaseLater(lease);
  }

  get #isVideo() {
    return (this.#input.mediaType ?? this.name) === 'video';
  }

  #inTurn(action) {
    const done = this.#turn.then(action);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The number of bytes of a frame in a stream, or of a sample of all channels. */
  #pieceSize() {
    const { size, pixelFormat = 'rgba', channels = 1, sampleFormat = 's16' } = this.#input;
    if (!this.#isVideo) return channels * SAMPLE_BYTES[sampleFormat];
    if (!size) throw new TypeError('a stream of pictures needs the size of its input');
    return packedPlanes(size, pixelFormat).reduce((sum, { length, rows }) => sum + length * rows, 0);
  }

  *#parts(sample, { time, duration }) {
    if (sample instanceof SampleBuffer) yield this.#buffer(sample, time, duration);
    else if (this.#isVideo) yield this.#picture(sample, time, duration);
    else if ((this.#input.mediaType ?? this.name) === 'audio') yield* this.#audio(sample, time);
    else if (typeof sample === 'string' && time !== undefined && duration !== undefined) {
      const times = { presentationTime: MediaTime.of(time), duration: MediaTime.of(duration) };
      yield { size: 0, wire: { ...times, text: sample } };
    } else throw new TypeError('an input of text takes strings, with a time and a duration');
  }

  #picture(sample, time, duration) {
    const times = this.#pictureTimes(time, duration);
    if (typeof sample === 'string' || sample instanceof URL) {
      return { size: 0, wire: { ...times, imageURL: absolute(sample) }, isPicture: true };
    }
    if (sample instanceof Picture) return this.#generated(sample, time ?? sample.actualTime, duration);
    const { size, pixelFormat = 'rgba' } = this.#input;
    if (!size) throw new TypeError('bytes need the size of their input: {size: {width, height}}');
    // Of a canvas, of sharp, or bytes alone.
    const bytes = bytesOf(sample?.data ?? sample);
    const found = sample?.info ?? sample;
    if (found?.width && (found.width !== size.width || found.height !== size.height)) {
      throw new RangeError(
        `the input takes ${size.width}×${size.height} pixels, not ${found.width}×${found.height}`,
      );
    }
    const planes = packedPlanes(size, pixelFormat);
    const wanted = planes.reduce((sum, { length, rows }) => sum + length * rows, 0);
    if (bytes.length !== wanted) {
      const form = `${pixelFormat} of ${size.width}×${size.height}`;
      throw new RangeError(`the input takes ${form}, ${wanted} bytes, not ${bytes.length}`);
    }
    return { size: wanted, wire: times, bytes, planes, isPicture: true };
  }

  /** A picture of an image generator. */
  #generated(picture, time, duration) {
    const { width, height, format, color } = picture;
    const { planes } = picture.wire;
    if (!planes) {
      if (picture.path) return this.#picture(picture.path, time, duration);
      throw new TypeError(`a picture of ${format} is appended as a file, or as pixels`);
    }
    const image = { pixelFormat: format, width, height, planes, color };
    const wire = { ...this.#pictureTimes(time, duration), image };
    return { size: picture.data.length, wire, inline: picture.data, isPicture: true };
  }

  #pictureTimes(time, duration) {
    if (time === undefined && !this.#rate) {
      throw new TypeError('a picture needs a time, or its input a frameRate');
    }
    const [frames, seconds] = this.#rate ?? [];
    const own = this.#rate && [seconds, frames];
    return {
      presentationTime: MediaTime.of(time ?? [this.#count * seconds, frames]),
      duration: (duration ?? own) && MediaTime.of(duration ?? own),
    };
  }

  *#audio(sample, time) {
    const { sampleRate = 48000, channels = 1 } = this.#input;
    const planes = Array.isArray(sample) ? sample : undefined;
    const first = planes ? planes[0] : sample;
    const bytes = planes ? interleaved(planes) : bytesOf(first);
    const isBytes = first instanceof Buffer || !SAMPLE_FORMATS.has(first?.constructor);
    const known = isBytes ? undefined : SAMPLE_FORMATS.get(first.constructor);
    const sampleFormat = known ?? this.#input.sampleFormat ?? 's16';
    const count = planes?.length ?? channels;
    const length = count * SAMPLE_BYTES[sampleFormat];
    if (bytes.length % length !== 0) {
      throw new RangeError(`${bytes.length} bytes are no whole samples of ${count} ${sampleFormat}`);
    }
    const start = time === undefined ? undefined : MediaTime.of(time);
    const step = BLOCK - (BLOCK % length);
    for (let at = 0; at < bytes.length; at += step) {
      const part = bytes.subarray(at, at + step);
      const offset = new MediaTime(at / length, sampleRate);
      const samples = part.length / length;
      const presentationTime = start ? start.add(offset) : new MediaTime(this.#end, sampleRate);
      yield {
        size: part.length,
        block: part,
        wire: {
          presentationTime,
          duration: new MediaTime(samples, sampleRate),
          audio: { sampleFormat, sampleRate, channels: count },
        },
        end: Math.round(presentationTime.seconds * sampleRate) + samples,
      };
    }
  }

  /** A sample buffer of a reader, unchanged, or moved to another time. */
  #buffer(sample, time, duration) {
    const shown = sample.presentationTime;
    const at = time === undefined ? shown : MediaTime.of(time);
    const decodeTime = sample.decodeTime?.add(at.subtract(shown));
    const { image, audio, attachments = {}, data } = sample;
    const trims = ['trimDurationAtStart', 'trimDurationAtEnd'];
    const members = ['notSync', 'isDependedOnByOthers', 'doNotDisplay', ...trims];
    const layout = ['pixelFormat', 'width', 'height', 'planes', 'color'];
    const linear = ['sampleFormat', 'sampleRate', 'channels', 'channelLayout', 'planes'];
    const wire = {
      presentationTime: at,
      decodeTime,
      duration: duration === undefined ? sample.duration : MediaTime.of(duration),
      attachments: only(attachments, members),
      image: image && only(image, layout),
      audio: audio && only(audio, linear),
    };
    return { size: data.length, wire, inline: data, isPicture: true };
  }

  async #send({ size, wire, bytes, planes, inline, block, isPicture, end }) {
    let lease;
    if (bytes) {
      const blob = await this.#memory(size);
      await this.#writer.write(blob, bytes, planes, this.#image);
      lease = blob.lease;
      wire.blob = { kind: 'shm', lease };
    } else if (block?.length >= SMALL) {
      const blob = await this.#memory(size, size);
      const whole = [{ length: size, rows: 1 }];
      await this.#writer.write(blob, block, whole, { planes: [{ offset: 0, bytesPerRow: size }] });
      lease = blob.lease;
      wire.blob = { kind: 'shm', lease };
    } else if (inline ?? block) {
      wire.blob = { kind: 'inline', data: bytesOf(inline ?? block).toString('base64') };
    }
    if (isPicture) this.#count += 1;
    if (end !== undefined) this.#end = end;
    const entry = { size, isDone: false };
    entry.taken = this.#writer.take(this.handle, wire, lease).finally(() => {
      entry.isDone = true;
    });
    this.#sent.push(entry);
  }

  /** A block for a frame, or for a number of bytes of audio. */
  async #memory(size, byteCount) {
    const isAgain = size === this.#size;
    this.#size = size;
    // A sample of audio is all of its block.
    if (byteCount && !isAgain) this.forget();
    if (this.#blobs.length === 0) {
      const blocks = isAgain ? BLOCKS : 1;
      const count = byteCount ? blocks : Math.max(1, Math.min(4, Math.floor(ALLOCATED / size)));
      const params = { input: this.handle, count, byteCount };
      const result = await this.#writer.transport.request('assetWriter/allocate', params);
      this.#image = result.image;
      this.#blobs.push(...result.blobs);
    }
    return this.#blobs.shift();
  }

  /** Waits until this number of bytes can be sent. */
  async #room(size) {
    this.#sent = this.#sent.filter(({ isDone }) => !isDone);
    const total = () => this.#sent.reduce((sum, each) => sum + each.size, size);
    while (this.#sent.length && (this.#sent.length >= MAXIMUM || total() > MAXIMUM_BYTES)) {
      const { taken } = this.#sent[0];
      if (!(await inTime(taken, this.#writer.timeoutMs))) throw await this.#tooLate();
      this.#sent.shift();
      this.#writer.throwFailure();
    }
  }

  /** The message of a time limit: the input that has to get samples first. */
  async #tooLate() {
    const { waitsFor } = (await this.#writer.status()).inputs[this.name];
    const message = waitsFor
      ? `'${this.name}' is ahead of '${waitsFor}' and waits for it: append to that, or finish it`
      : `'${this.name}' takes no samples: the encoder doesn't keep up`;
    return Object.assign(new Error(message), { name: 'TimeoutError', waitsFor });
  }
}

/** True if a promise is settled before some time has passed. */
async function inTime(promise, milliseconds) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function bytesOf(data) {
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  throw new TypeError(`a sample is bytes, a picture with data or a sample buffer, not ${inspect(data)}`);
}

/** The channels of audio, each an array, as one array in which they alternate. */
function interleaved(planes) {
  const [first] = planes;
  const all = new first.constructor(first.length * planes.length);
  for (const [channel, plane] of planes.entries()) {
    for (let index = 0, at = channel; index < plane.length; index += 1, at += planes.length) {
      all[at] = plane[index];
    }
  }
  return bytesOf(all);
}

/** The lengths of the rows of a frame's planes without padding, and their numbers. */
function packedPlanes({ width, height }, pixelFormat) {
  const forms = pictureForms(pixelFormat);
  if (forms.length === 0) throw new TypeError(`bytes of ${pixelFormat} aren't known here`);
  const rows = /^(yuvj?a?4[124]0|nv12|nv21|p0)/.test(pixelFormat) ? (height + 1) >> 1 : height;
  return forms.map(({ shift, components, size }, index) => ({
    length: ((width + (1 << shift) - 1) >> shift) * components * size,
    // Chroma may have half of the rows; alpha has all.
    rows: index === 0 || index === 3 ? height : rows,
  }));
}

/** Writes rows to shared memory, at the places that they have there. */
export async function writeRows(file, blob, bytes, planes, image) {
  let at = 0;
  for (const [index, { length, rows }] of planes.entries()) {
    const { offset, bytesPerRow } = image.planes[index];
    const start = blob.offset + offset;
    if (bytesPerRow === length) {
      await whole(file, bytes.subarray(at, at + length * rows), start);
    } else {
      const padded = Buffer.alloc(bytesPerRow * (rows - 1) + length);
      for (let row = 0; row < rows; row += 1) {
        bytes.copy(padded, row * bytesPerRow, at + row * length, at + (row + 1) * length);
      }
      await whole(file, padded, start);
    }
    at += length * rows;
  }
}

async function whole(file, bytes, position) {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Files of shared memory that are written to, each opened once. */
export class SharedFiles {
  #files = new Map();

  open(path) {
    if (!this.#files.has(path)) this.#files.set(path, fs.open(path, 'r+'));
    return this.#files.get(path);
  }

  close() {
    for (const file of this.#files.values()) file.then((open) => open.close()).catch(() => {});
    this.#files.clear();
  }
}
