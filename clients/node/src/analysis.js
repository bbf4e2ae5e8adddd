// Analyses: where scenes begin, where audio is silent, and how loud it is.

import { inspect } from 'node:util';

import { MediaTime, TimeRange } from './time.js';

export class SceneChange {
  constructor({ time, sampleIndex, score }) {
    this.time = MediaTime.of(time);
    this.sampleIndex = sampleIndex;
    this.score = score;
  }
}

export class SceneChanges {
  constructor(wire) {
    this.trackID = wire.trackID;
    this.timeRange = TimeRange.of(wire.timeRange);
    this.changes = wire.sceneChanges.map((change) => new SceneChange(change));
    this.dropped = wire.dropped ?? [];
  }

  get length() {
    return this.changes.length;
  }

  get scenes() {
    const times = [this.timeRange.start, ...this.changes.map(({ time }) => time), this.timeRange.end];
    return times.slice(1).map((end, index) => TimeRange.between(times[index], end));
  }

  [Symbol.iterator]() {
    return this.changes[Symbol.iterator]();
  }

  [inspect.custom]() {
    return `SceneChanges ${this.length} in track ${this.trackID}`;
  }
}

export class Silences {
  constructor(wire) {
    this.trackID = wire.trackID;
    this.timeRange = TimeRange.of(wire.timeRange);
    this.threshold = wire.threshold;
    this.ranges = wire.silences.map((range) => TimeRange.of(range));
    this.dropped = wire.dropped ?? [];
  }

  get length() {
    return this.ranges.length;
  }

  [Symbol.iterator]() {
    return this.ranges[Symbol.iterator]();
  }

  [inspect.custom]() {
    return `Silences ${this.length} below ${this.threshold} dBFS`;
  }
}

export class Loudness {
  constructor(wire) {
    this.trackID = wire.trackID;
    this.timeRange = TimeRange.of(wire.timeRange);
    this.sampleRate = wire.sampleRate;
    this.channelLayout = wire.channelLayout;
    this.integratedLoudness = wire.integratedLoudness;
    this.loudnessRange = wire.loudnessRange;
    this.truePeak = wire.truePeak;
    this.samplePeak = wire.samplePeak;
    this.maximumMomentaryLoudness = wire.maximumMomentaryLoudness;
    this.maximumShortTermLoudness = wire.maximumShortTermLoudness;
    this.dropped = wire.dropped ?? [];
  }

  [inspect.custom]() {
    const shown = (value, unit) => (value === undefined ? '-' : `${value.toFixed(1)} ${unit}`);
    const peak = shown(this.truePeak, 'dBTP');
    return `Loudness ${shown(this.integratedLoudness, 'LUFS')}, true peak ${peak}`;
  }
}
