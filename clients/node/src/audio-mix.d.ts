import type { AudioMixInput, AudioTimePitchAlgorithm } from './protocol.js';
import type { TimeLike } from './time.js';
import type { Track } from './track.js';

/** The time of a change, and its duration. */
export interface RampTimes {
  at: TimeLike;
  duration: TimeLike;
}

/** An audio mix, as an object of its own or as the protocol writes it. */
export type AudioMixLike = AudioMix | AudioMixInput;

/**
 * How loud the tracks of an asset are: `new AudioMix().fadeIn(2, 1).volume(3, 0.25)`.
 *
 * A value: each method returns another one with one entry more; those of a track are in ascending
 * order and don't overlap. The track 0 is the mix of all of them. Before its first entry a track has
 * the volume 1, and between two entries the last volume holds.
 */
export class AudioMix {
  constructor();
  /** From a time on (by default 0) a track has that volume. */
  volume(track: Track | number, value: number, at?: TimeLike): AudioMix;
  /** From `at` on the volume changes linearly, for `duration`. */
  ramp(track: Track | number, from: number, to: number, times: RampTimes): AudioMix;
  /** From silence to a volume (by default 1). */
  fadeIn(
    track: Track | number,
    duration: TimeLike,
    options?: { at?: TimeLike; volume?: number },
  ): AudioMix;
  /** From a volume (by default 1) to silence. */
  fadeOut(
    track: Track | number,
    duration: TimeLike,
    options: { at: TimeLike; volume?: number },
  ): AudioMix;
  /** The algorithm for playing a track faster or slower. */
  timePitch(track: Track | number, algorithm: AudioTimePitchAlgorithm): AudioMix;
  /** The mix as the protocol writes it. */
  toJSON(): AudioMixInput;
}
