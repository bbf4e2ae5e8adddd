// Compositions: assets made of parts of others.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';

import { Asset } from './asset.js';
import { absolute } from './blob.js';
import { CompositionCalls } from './calls.js';
import { Clip, insertionOf } from './clip.js';
import { HandleClosedError } from './errors.js';
import { checked } from './options.js';
import { made, send, written } from './remote.js';
import { MediaTime, TimeRange, rangeOrNone } from './time.js';
import { trackIDOf } from './wire.js';

export class CompositionSegment {
  constructor(parts) {
    const { target, source, asset, track, path: file, playback } = checked('a segment', parts);
    this.target = TimeRange.of(target);
    this.source = rangeOrNone(source);
    this.asset = asset;
    this.track = trackIDOf(track);
    this.path = file;
    this.playback = playback ?? 'forward';
    Object.freeze(this);
  }

  get isEmpty() {
    return this.source === undefined;
  }
}

export class Composition extends Asset {
  #revision = 0;

  constructor(transport, handle) {
    // It has no file: messages name it by its handle.
    super(transport, handle, handle);
    this.losses = [];
  }

  static {
    // A class has one base: the generated members of compositions are added to an asset's.
    const { constructor: _, ...calls } = Object.getOwnPropertyDescriptors(
      CompositionCalls.prototype,
    );
    Object.defineProperties(Composition.prototype, calls);
  }

  get revision() {
    return this.#revision;
  }

  /** Sends a request, and sees in the answer whether it was an edit. */
  async [send](method, params, options) {
    try {
      const result = await super[send](method, params, options);
      if (result?.revision > this.#revision) {
        this.#revision = result.revision;
        this.forget({ duration: { status: 'loaded', value: result.duration } });
      }
      return result;
    } catch (error) {
      // An edit that the caller has stopped waiting for may have been made.
      if (options?.signal?.aborted) this.forget();
      throw error;
    }
  }

  [made](call, result) {
    if (call === 'copy') return new Composition(this.transport, result.composition);
    if (call === 'segments') return result.segments.map((segment) => this.#segment(segment));
    return super[made](call, result);
  }

  [written](name, given) {
    return name === 'items' ? this.#item(given) : this.#checkedSegment(given);
  }

  async append(clips, options) {
    return this.insert(clips, undefined, options);
  }

  async insert(clips, at, options) {
    const { signal } = checked('insert', options);
    const listed = clipsOf(this.transport, clips);
    if (listed.length === 1 && (listed[0].isAtOwnSpeed || listed[0].speeds)) {
      const [{ asset, timeRange }] = listed;
      return this.insertTimeRange(asset, { timeRange, at, ...insertionOf(listed[0]), signal });
    }
    // Several are one edit, as those of a composition of their own.
    const inserted = await composed(this.transport, listed, { signal });
    try {
      return await this.insertTimeRange(inserted, { at, signal });
    } finally {
      await inserted.close();
    }
  }

  /** A part of a track, or nothing, as the protocol writes it. */
  #item(item) {
    if (!(item instanceof Clip || item instanceof Asset)) return { timeRange: TimeRange.of(item) };
    const [clip] = clipsOf(this.transport, item);
    if (clip.scaled(MediaTime.of(1)).compare(1) !== 0) {
      throw new RangeError(
        `an item is a clip at its own speed, not ${inspect(clip)}: scale it later`,
      );
    }
    return { asset: clip.asset.handle, timeRange: clip.timeRange, ...insertionOf(clip) };
  }

  #segment({ timeMapping: { source, target }, asset, assetTrackID, path: file, playback }) {
    const shown = typeof source === 'string' ? undefined : source;
    const known = this.transport.assets.get(asset)?.deref();
    return new CompositionSegment({
      ...{ target, source: shown, asset: known, track: assetTrackID, path: file, playback },
    });
  }

  /** A segment as the protocol writes it. */
  #checkedSegment(parts) {
    const segment = parts instanceof CompositionSegment ? parts : new CompositionSegment(parts);
    const { source, target, asset } = segment;
    if (segment.isEmpty) return { timeMapping: { source: 'invalid', target } };
    if (!asset) {
      throw new HandleClosedError(`the asset of ${segment.path ?? 'a segment'} is closed`, {
        name: 'handleClosed',
        hint: 'Open it again.',
      });
    }
    requireSame(this.transport, asset);
    return {
      asset: asset.handle,
      assetTrackID: segment.track,
      timeMapping: { source, target },
      playback: segment.playback === 'forward' ? undefined : segment.playback,
    };
  }

  facts() {
    return { ...super.facts(), url: undefined, revision: this.#revision };
  }
}

/** All clips of some content, in order. */
export function clipsOf(transport, parts) {
  if (parts instanceof Clip) {
    requireSame(transport, parts.asset);
    return [parts];
  }
  if (parts instanceof Asset) return clipsOf(transport, new Clip(parts));
  if (typeof parts === 'string' || typeof parts?.[Symbol.iterator] !== 'function') {
    throw new TypeError(
      `clips are assets, asset.clip(1, 3), or several of these, not ${inspect(parts)}`,
    );
  }
  return [...parts].flatMap((part) => clipsOf(transport, part));
}

/** Another engine has other handles. */
function requireSame(transport, asset) {
  if (!(asset instanceof Asset)) throw new TypeError(`an asset is wanted, not ${inspect(asset)}`);
  if (asset.transport !== transport) {
    throw new TypeError(`${inspect(asset)} is of another engine: open it in the same one`);
  }
}

/** Makes a composition of clips one after the other, without any, or of a timeline. */
export async function composed(transport, clips, { naturalSize, timeline, tracks, signal }) {
  const listed = clipsOf(transport, clips);
  if (listed.length > 0 && timeline !== undefined) {
    throw new TypeError('a composition is made of clips or of a timeline, not of both');
  }
  const params = { naturalSize, timeline };
  const created = await transport.request('composition/create', params, { signal });
  const composition = new Composition(transport, created.composition);
  try {
    for (const clip of listed) {
      const { asset, timeRange } = clip;
      const inserted = await composition.insertTimeRange(asset, {
        ...{ timeRange, tracks, ...insertionOf(clip), signal },
      });
      if (clip.isAtOwnSpeed || clip.speeds) continue;
      const duration = clip.scaled(inserted.timeRange.duration);
      await composition.scaleTimeRange(inserted.timeRange, duration, { signal });
    }
  } catch (error) {
    await composition.close();
    throw error;
  }
  return composition;
}

/** Makes a composition of a sequence. */
export async function assembled(transport, sequence, { signal }) {
  const params = { sequence: plain(sequence) };
  const { composition } = await transport.request('composition/assemble', params, { signal });
  return new Composition(transport, composition);
}

/** The timeline that a sequence stands for. */
export async function expanded(transport, sequence, { signal }) {
  const params = { sequence: plain(sequence), timelineOnly: true };
  return (await transport.request('composition/assemble', params, { signal })).timeline;
}

/** A document with handles in place of assets. */
function plain(value) {
  if (value instanceof Asset) return value.handle;
  if (Array.isArray(value)) return value.map(plain);
  // Times write themselves.
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

/** The value of a text of JSON, in which numbers that JSON does not have become strings. */
function parsed(text) {
  const tokens = /"(?:[^"\\]|\\.)*"|-?(?:Infinity|Inf|NaN)\b/g;
  return JSON.parse(text.replace(tokens, (token) => (token[0] === '"' ? token : `"${token}"`)));
}


/** Makes a composition of a document of OpenTimelineIO, or of a file of one. */
export async function imported(transport, document, { relativeTo, signal }) {
  let folder = relativeTo === undefined ? undefined : absolute(relativeTo);
  let content = document;
  if (typeof document === 'string' || document instanceof URL) {
    const file = absolute(document);
    content = parsed(await readFile(file, { encoding: 'utf8', signal }));
    folder ??= path.dirname(file);
  }
  const params = { document: content, relativeTo: folder };
  const result = await transport.request('composition/import', params, { signal });
  const composition = new Composition(transport, result.composition);
  composition.losses = result.losses;
  return composition;
}
