// The keys of assets and tracks: their loading states, and their values.

import { ValueNotLoadedError } from './errors.js';
import { MetadataItem } from './metadata.js';
import { checked } from './options.js';
import { MediaTime, TimeRange, wireInteger } from './time.js';
import { errorFromWire } from './wire-errors.js';

const each = (convert) => (wires) => wires.map(convert);
const item = (wire) => new MetadataItem(wire);

/** The track that is chosen for each characteristic; `null` for none. */
const selection = ({ choices }) =>
  Object.fromEntries(
    choices.map(({ mediaCharacteristic, trackID = null }) => [mediaCharacteristic, trackID]),
  );

export class TrackSegment {
  constructor({ timeMapping: { source, target }, isEmpty }) {
    this.source = isEmpty || typeof source === 'string' ? undefined : TimeRange.of(source);
    this.target = TimeRange.of(target);
  }

  get isEmpty() {
    return this.source === undefined;
  }
}

/** The conversions of the values of keys; those of other keys are unchanged. */
const CONVERSIONS = {
  duration: MediaTime.of,
  minFrameDuration: MediaTime.of,
  minimumTimeOffsetFromLive: MediaTime.of,
  overallDurationHint: MediaTime.of,
  timeRange: TimeRange.of,
  segments: each((wire) => new TrackSegment(wire)),
  totalSampleDataLength: wireInteger,
  trackGroups: each(({ trackIDs }) => trackIDs),
  creationDate: item,
  commonMetadata: each(item),
  metadata: each(item),
  preferredMediaSelection: selection,
  allMediaSelections: each(selection),
  containerFacts: (wire) => ({
    ...wire,
    size: wireInteger(wire.size),
    ...(wire.missingBytes && { missingBytes: wireInteger(wire.missingBytes) }),
  }),
};

/** The keys of an object that were loaded. */
export class Values {
  #what;
  #loaded = new Map();
  #conversions;

  constructor(what, conversions = {}) {
    this.#what = what;
    this.#conversions = { ...CONVERSIONS, ...conversions };
  }

  /** Converts the engine's states of keys, and caches the loaded values. */
  take(states) {
    const taken = {};
    for (const [key, { status, value: wire, error }] of Object.entries(states)) {
      const isThere = wire !== undefined && wire !== null;
      const value = isThere ? (this.#conversions[key]?.(wire) ?? wire) : undefined;
      if (status === 'loaded') this.#loaded.set(key, value);
      taken[key] = { status, value, error: errorFromWire(error) };
    }
    return taken;
  }

  /** The values of keys; throws the error of the first that has none. */
  allOf(keys, states) {
    const taken = this.take(states);
    return Object.fromEntries(
      keys.map((key) => {
        const { status, value, error } = taken[key];
        if (status !== 'loaded') throw error ?? this.#missing(key, status, 'Load it again.');
        return [key, value];
      }),
    );
  }

  has(key) {
    return this.#loaded.has(key);
  }

  get(key) {
    if (this.#loaded.has(key)) return this.#loaded.get(key);
    throw this.#missing(key, 'not loaded', `Await load('${key}') first.`);
  }

  #missing(key, state, hint) {
    return new ValueNotLoadedError(`${key} of ${this.#what} is ${state}`, { code: 1003, hint });
  }
}

/** The arguments of `load('a', 'b', {signal})` or `load(['a', 'b'], {signal})`. */
export function keysAndOptions(call, given, all) {
  const list = [...given];
  const last = list.at(-1);
  const isOptions = typeof last === 'object' && last !== null && !Array.isArray(last);
  const options = checked(call, isOptions ? list.pop() : {});
  const keys = [...new Set(list.flat())];
  return { keys: keys.length ? keys : [...all], options };
}
