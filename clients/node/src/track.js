// The tracks of an asset.

import { inspect } from 'node:util';

import { keysAndOptions, TrackSegment } from './keys.js';
import { trackKeys } from './protocol.js';
import { MediaTime } from './time.js';

/** What the list of tracks contains, without loading. */
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

export class Track {
  #asset;
  #wire;
  #values;

  constructor(asset, wire, values) {
    this.#asset = asset;
    this.#wire = wire;
    this.#values = values;
    this.trackID = wire.trackID;
  }

  static {
    for (const key of new Set([...LISTED, ...trackKeys])) {
      Object.defineProperty(Track.prototype, key, {
        get() {
          const isListed = LISTED.includes(key) && !this.#values.has(key);
          return isListed ? this.#wire[key] : this.#values.get(key);
        },
      });
    }
  }

  #params(more) {
    return { asset: this.#asset.handle, trackID: this.trackID, ...more };
  }

  async load(...given) {
    const { keys, options } = keysAndOptions('load', given, trackKeys);
    const params = this.#params({ keys, completion: 'response' });
    const result = await this.#asset.transport.request('track/loadValues', params, options);
    return this.#values.allOf(keys, result.values);
  }

  async status(...given) {
    const { keys, options } = keysAndOptions('status', given, trackKeys);
    const params = this.#params({ keys });
    const result = await this.#asset.transport.request('track/valueStatus', params, options);
    return this.#values.take(result.values);
  }

  async segment(trackTime) {
    const params = this.#params({ trackTime: MediaTime.of(trackTime) });
    const { segment } = await this.#asset.transport.request('track/segment', params);
    return segment && new TrackSegment(segment);
  }

  async samplePresentationTime(trackTime) {
    const params = this.#params({ trackTime: MediaTime.of(trackTime) });
    const result = await this.#asset.transport.request('track/samplePresentationTime', params);
    return MediaTime.of(result.time);
  }

  async associatedTracks(associationType) {
    const params = this.#params({ associationType });
    const result = await this.#asset.transport.request('track/associatedTracks', params);
    return this.#asset.tracksOf(result.tracks);
  }

  [inspect.custom]() {
    const { naturalSize: size } = this;
    const picture = size && `${size.width}×${size.height}`;
    const facts = [this.mediaType, this.mediaSubType?.trim(), picture, this.languageCode];
    return `Track ${this.trackID} ${facts.filter(Boolean).join(' ')}`;
  }
}

/** The number of a track, or what is one. */
export const trackIDOf = (track) => (track instanceof Track ? track.trackID : track);
