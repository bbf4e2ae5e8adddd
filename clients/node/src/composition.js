// Compositions: assets made of parts of others.

import { inspect } from 'node:util';

import { Asset } from './asset.js';
import { CompositionCalls } from './calls.js';
import { Clip } from './clip.js';
import { checked } from './options.js';
import { send } from './remote.js';
import { MediaTime, rangeOrNone, TimeRange, timeOrNone } from './time.js';
import { trackIDOf } from './wire.js';

/** A part of a composition's track. */
export class CompositionSegment {
  constructor({ target, source, asset, track, path }) {
    this.target = TimeRange.of(target);
    this.source = rangeOrNone(source);
    this.asset = asset;
    this.track = track === undefined ? undefined : trackIDOf(track);
    this.path = path;
    Object.freeze(this);
  }

  get isEmpty() {
    return this.source === undefined;
  }
}

/** A segment as the protocol writes it. */
function segmentToWire({ asset, path, track, source, target }) {
  const timeMapping = { source: source ?? 'invalid', target };
  if (source === undefined) return { timeMapping };
  if (!asset) throw new TypeError(`the asset of ${path ?? 'a segment'} is closed: open it again`);
  return { asset: asset.handle, assetTrackID: track, timeMapping };
}

export class Composition extends Asset {
  #revision = 0;
  #assets;

  constructor(transport, handle, assets = new Map()) {
    // It has no file: messages name it by its handle.
    super(transport, handle, handle);
    this.#assets = assets;
    this.losses = [];
  }

  static {
    // The calls of both its kinds.
    for (const name of Object.getOwnPropertyNames(CompositionCalls.prototype)) {
      if (name === 'constructor') continue;
      const call = Object.getOwnPropertyDescriptor(CompositionCalls.prototype, name);
      Object.defineProperty(Composition.prototype, name, call);
    }
  }

  get revision() {
    return this.#revision;
  }

  /** After an edit nothing that was loaded holds any more. */
  async [send](method, params, options) {
    const result = await super[send](method, params, options);
    if (method.startsWith('composition/') && result?.revision > this.#revision) {
      this.#revision = result.revision;
      this.forget();
    }
    return result;
  }

  async copy(options) {
    const { signal } = checked('copy', options);
    const { composition } = await this[send](
      'composition/copy',
      { composition: this.handle },
      { signal },
    );
    return new Composition(this.transport, composition, this.#assets);
  }

  async append(clips, options) {
    return this.insert(clips, undefined, options);
  }

  async insert(clips, at, options) {
    const { signal } = checked('insert', options);
    const listed = clipsOf(clips);
    for (const { asset } of listed) this.#know(asset);
    if (listed.length === 1 && listed[0].speed === 1) {
      const { asset, timeRange } = listed[0];
      return this.insertTimeRange(asset, { timeRange, at, signal });
    }
    // Several are one edit, as those of a composition of their own.
    const inserted = await composed(this.transport, listed, { signal });
    try {
      return await this.insertTimeRange(inserted, { at, signal });
    } finally {
      await inserted.close();
    }
  }

  async insertTimeRanges(track, items, options) {
    const { at, clamp, signal } = checked('insertTimeRanges', options);
    const wire = items.map((item) => {
      if (item instanceof TimeRange) return { timeRange: item };
      const clips = clipsOf(item);
      if (clips.length !== 1 || clips[0].speed !== 1) {
        throw new TypeError('an item is one clip at its own speed: scale its range later');
      }
      this.#know(clips[0].asset);
      return { asset: clips[0].asset.handle, timeRange: clips[0].timeRange };
    });
    const result = await this[send](
      'composition/insertTimeRanges',
      {
        composition: this.handle,
        trackID: trackIDOf(track),
        items: wire,
        at: timeOrNone(at),
        clamp,
      },
      { signal },
    );
    return {
      ...result,
      timeRange: TimeRange.of(result.timeRange),
      duration: MediaTime.of(result.duration),
    };
  }

  async segments(track, options) {
    const { signal } = checked('segments', options);
    const { segments } = await this[send](
      'composition/segments',
      { composition: this.handle, trackID: trackIDOf(track) },
      { signal },
    );
    return segments.map(({ asset, path, assetTrackID, timeMapping: { source, target } }) => {
      const isEmpty = source === 'invalid';
      return new CompositionSegment({
        target,
        source: isEmpty ? undefined : source,
        asset: this.#assets.get(asset)?.deref(),
        track: assetTrackID,
        path,
      });
    });
  }

  async setSegments(track, segments, options) {
    const { signal } = checked('setSegments', options);
    const params = this.#params(track, segments);
    const result = await this[send]('composition/setSegments', params, { signal });
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async validateSegments(track, segments, options) {
    const { signal } = checked('validateSegments', options);
    const params = this.#params(track, segments);
    return (await this[send]('composition/validateSegments', params, { signal })).problems;
  }

  #params(track, segments) {
    const wire = [...segments].map((segment) => {
      const made =
        segment instanceof CompositionSegment ? segment : new CompositionSegment(segment);
      this.#know(made.asset);
      return segmentToWire(made);
    });
    return { composition: this.handle, trackID: trackIDOf(track), segments: wire };
  }

  /** Remembers an asset, for the segments that show it. */
  #know(asset) {
    if (asset) this.#assets.set(asset.handle, new WeakRef(asset));
  }
}

/** One or several assets and clips, as clips. */
function clipsOf(clips) {
  const listed = Array.isArray(clips) ? clips : [clips];
  return listed.flat(Infinity).map((clip) => {
    if (clip instanceof Clip) return clip;
    if (clip instanceof Asset) return new Clip(clip);
    throw new TypeError(`a composition is made of assets and their clips, not ${inspect(clip)}`);
  });
}

/** A composition of clips; without any, an empty one. */
export async function composed(transport, clips = [], { naturalSize, timeline, signal } = {}) {
  const listed = clipsOf(clips);
  const { composition: handle } = await transport.request(
    'composition/create',
    { naturalSize, timeline },
    { signal },
  );
  const composition = new Composition(transport, handle);
  try {
    for (const { asset, timeRange, speed } of listed) {
      const inserted = await composition.insert(new Clip(asset, timeRange), undefined, { signal });
      if (speed === 1) continue;
      const { timeRange: covered } = inserted;
      await composition.scaleTimeRange(covered, slowed(covered.duration, speed), { signal });
    }
  } catch (error) {
    await composition.close();
    throw error;
  }
  return composition;
}

/** How long something lasts at another speed: exact where a time can be. */
function slowed(duration, speed) {
  const rate = MediaTime.of(speed);
  const over = duration.value * BigInt(rate.timescale);
  const under = BigInt(duration.timescale) * rate.value;
  let [divisor, rest] = [over, under];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  const scale = under / divisor;
  return scale < 1n << 31n ? new MediaTime(over / divisor, scale) : duration.seconds / speed;
}

/** What became of the parts of a join. */
export class JoinResult {
  constructor(preset, tracks, finished) {
    this.preset = preset;
    this.tracks = tracks;
    Object.assign(this, finished);
    Object.freeze(this);
  }

  /** No picture was encoded but for those around cuts. */
  get isLossless() {
    return this.preset === 'Passthrough';
  }
}

/** Exports a composition without encoding where it can be, else with a preset. */
export async function joined(composition, output, { preset, onProgress, ...options }) {
  const session = await composition.exportSession(output, { ...options, preset: 'Passthrough' });
  let chosen = session;
  try {
    let { tracks } = await session.preflight();
    const isRefused = tracks.some(({ segments = [] }) =>
      segments.some(({ treatment }) => treatment === 'refused'),
    );
    if (isRefused && preset !== undefined) {
      chosen = await composition.exportSession(output, { ...options, preset });
      ({ tracks } = await chosen.preflight());
    }
    const finished = await chosen.export({ onProgress });
    return new JoinResult(chosen === session ? 'Passthrough' : preset, tracks, finished);
  } finally {
    await session.close();
    if (chosen !== session) await chosen.close();
  }
}
