// Waveforms: the levels of audio over time, as numbers or as a picture.

import { inspect } from 'node:util';

import { Picture } from './picture.js';
import { TimeRange } from './time.js';

export class WaveformChannel {
  constructor({ min, max, rms }) {
    this.min = Float64Array.from(min);
    this.max = Float64Array.from(max);
    this.rms = Float64Array.from(rms);
  }

  get length() {
    return this.min.length;
  }
}

export class Waveform extends Picture {
  constructor(wire, blob) {
    super(wire.image, blob);
    this.trackID = wire.trackID;
    this.timeRange = TimeRange.of(wire.timeRange);
    this.sampleRate = wire.sampleRate;
    this.dropped = wire.dropped ?? [];
    this.channels = (wire.channels ?? []).map((channel) => new WaveformChannel(channel));
  }

  get wire() {
    if (!super.wire) {
      throw new TypeError("the waveform was not drawn: ask for it with {format: 'png'}");
    }
    return super.wire;
  }

  [inspect.custom]() {
    const numbers = `${this.channels.length} channels of ${this.channels[0]?.length ?? 0} parts`;
    const picture = this.blob ? `, ${this.width}×${this.height} ${this.format}` : '';
    return `Waveform ${this.sampleRate} Hz, ${numbers}${picture}`;
  }
}
