// A place among the samples of a track, without their bytes.

import { checked } from './options.js';
import { Remote } from './remote.js';
import { MediaTime, timeOrNone, wireInteger } from './time.js';

export class Sample {
  constructor(wire) {
    this.index = wire.index;
    this.presentationTime = MediaTime.of(wire.presentationTime);
    this.presentationTimeInferred = wire.presentationTimeInferred ?? false;
    this.decodeTime = timeOrNone(wire.decodeTime);
    this.duration = MediaTime.of(wire.duration);
    this.durationInferred = wire.durationInferred ?? false;
    this.size = wire.size;
    const offset = wireInteger(wire.storageRange.offset);
    this.offset = offset >= 0 ? offset : undefined;
    this.isSync = wire.syncInfo.isFullSync;
    this.isDroppable = wire.syncInfo.isDroppable;
    this.dependsOnOthers = wire.dependencyInfo.dependsOnOthers;
    this.hasDependentSamples = wire.dependencyInfo.hasDependentSamples;
    this.audioDependencyInfo = wire.audioDependencyInfo;
    this.samplesRequiredForDecoderRefresh = wire.samplesRequiredForDecoderRefresh;
    this.isDiscarded = wire.isDiscarded ?? false;
  }
}

export class SampleCursor extends Remote {
  #lastSeen;

  constructor(transport, handle, sample) {
    super(transport, handle);
    this.#lastSeen = sample;
  }

  async #ask(verb, params, options) {
    const method = `sampleCursor/${verb}`;
    const result = await this.transport.request(
      method,
      { sampleCursor: this.handle, ...params },
      options,
    );
    if (result.sample) this.#lastSeen = new Sample(result.sample);
    return result;
  }

  async sample() {
    await this.#ask('sample');
    return this.#lastSeen;
  }

  async step(count = 1, order = 'decode') {
    return (await this.#ask('step', { count, order })).stepped;
  }

  async stepByTime(by, order = 'presentation') {
    const { moved, wasPinned } = await this.#ask('stepByTime', { by: MediaTime.of(by), order });
    return { moved: MediaTime.of(moved), wasPinned };
  }

  async read(options) {
    const { maxCount, order, signal } = checked('read', options);
    const { samples, endOfTrack } = await this.#ask('samples', { maxCount, order }, { signal });
    this.#lastSeen = undefined;
    return { samples: samples.map((wire) => new Sample(wire)), endOfTrack };
  }

  async *samples(options) {
    const { order, batch = 1000, signal } = checked('sampleCursor.samples', options);
    let endOfTrack = false;
    while (!endOfTrack) {
      const part = await this.read({ maxCount: batch, order, signal });
      yield* part.samples;
      ({ endOfTrack } = part);
    }
  }

  [Symbol.asyncIterator]() {
    return this.samples();
  }

  async chunk() {
    const { storageRange, sampleIndexInChunk, ...rest } = await this.#ask('chunk');
    return {
      ...rest,
      offset: wireInteger(storageRange.offset),
      length: wireInteger(storageRange.length),
      sampleIndex: sampleIndexInChunk,
    };
  }

  async copy() {
    const { sampleCursor } = await this.#ask('copy');
    return new SampleCursor(this.transport, sampleCursor, this.#lastSeen);
  }

  async compare(other) {
    const params = { lhs: this.handle, rhs: other.handle };
    return (await this.transport.request('sampleCursor/compare', params)).order;
  }

  async hasEarlierDecodedPresentedLater(other) {
    const { hasEarlierDecodedPresentedLater } = await this.#ask('reordering', { to: other.handle });
    return hasEarlierDecodedPresentedLater;
  }

  async hasLaterDecodedPresentedEarlier(other) {
    const { hasLaterDecodedPresentedEarlier } = await this.#ask('reordering', { to: other.handle });
    return hasLaterDecodedPresentedEarlier;
  }

  facts() {
    return { sample: this.#lastSeen?.index, at: this.#lastSeen?.presentationTime };
  }
}
