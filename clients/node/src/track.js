// The tracks of an asset.

import { inspect } from 'node:util';

import { TrackCalls } from './calls.js';
import { keysAndOptions } from './keys.js';
import { trackKeys } from './protocol.js';
import { made, send } from './remote.js';

/** The properties in the list of tracks, without loading. */
const LISTED = [
  'mediaType',
  'mediaSubType',
  'mediaCharacteristics',
  'isEnabled',
  'isDecodable',
  'languageCode',
  'extendedLanguageTag',
  'naturalSize',
];

export class Track extends TrackCalls {
  #asset;
  #wire;

  constructor(asset, wire) {
    super();
    this.#asset = asset;
    this.#wire = wire;
    this.trackID = wire.trackID;
  }

  static {
    for (const key of new Set([...LISTED, ...trackKeys])) {
      Object.defineProperty(Track.prototype, key, {
        get() {
          const values = this.#values;
          const isListed = LISTED.includes(key) && !values.has(key);
          return isListed ? this.#wire[key] : values.get(key);
        },
      });
    }
  }

  get asset() {
    return this.#asset;
  }

  get #values() {
    return this.#asset.valuesOfTrack(this.trackID);
  }

  [send](method, params, options) {
    const { handle, transport } = this.#asset;
    return transport.request(method, { asset: handle, trackID: this.trackID, ...params }, options);
  }

  async load(...given) {
    const { keys, options } = keysAndOptions('load', given, trackKeys);
    const params = { keys, completion: 'response' };
    const values = this.#values;
    const result = await this[send]('track/loadValues', params, options);
    return values.allOf(keys, result.values);
  }

  async status(...given) {
    const { keys, options } = keysAndOptions('status', given, trackKeys);
    const values = this.#values;
    const result = await this[send]('track/valueStatus', { keys }, options);
    return values.take(result.values);
  }

  [made](call, result) {
    return this.#asset.tracksOf(result.tracks);
  }

  [inspect.custom]() {
    const { naturalSize: size } = this;
    const picture = size && `${size.width}×${size.height}`;
    const facts = [this.mediaType, this.mediaSubType?.trim(), picture, this.languageCode];
    return `Track ${this.trackID} ${facts.filter(Boolean).join(' ')}`;
  }
}
