// Audio mixes: how loud the tracks of an asset are, as a value.

import { MediaTime } from './time.js';
import { trackIDOf } from './wire.js';

/** A value that holds from a time on. */
export const entry = (value, at) => ({ at: MediaTime.of(at), value });

/** A value that changes linearly. */
export const ramp = (from, to, { at, duration }) => ({
  ...{ from, to, timeRange: { start: MediaTime.of(at), duration: MediaTime.of(duration) } },
});

export class AudioMix {
  #parameters;

  constructor(parameters = []) {
    this.#parameters = parameters;
  }

  toJSON() {
    return { inputParameters: this.#parameters };
  }

  volume(track, value, at = 0) {
    return this.#with(track, entry(value, at));
  }

  ramp(track, from, to, times) {
    return this.#with(track, ramp(from, to, times));
  }

  fadeIn(track, duration, { at = 0, volume = 1 } = {}) {
    return this.ramp(track, 0, volume, { at, duration });
  }

  fadeOut(track, duration, { at, volume = 1 }) {
    return this.ramp(track, volume, 0, { at, duration });
  }

  timePitch(track, audioTimePitchAlgorithm) {
    return this.#changed(track, () => ({ audioTimePitchAlgorithm }));
  }

  #with(track, item) {
    return this.#changed(track, ({ volume = [] }) => ({ volume: [...volume, item] }));
  }

  /** Another mix, in which something is different for a track. */
  #changed(track, change) {
    const trackID = trackIDOf(track);
    const known = this.#parameters.some((each) => each.trackID === trackID);
    const all = known ? this.#parameters : [...this.#parameters, { trackID }];
    return new AudioMix(
      all.map((each) => (each.trackID === trackID ? { ...each, ...change(each) } : each)),
    );
  }
}
