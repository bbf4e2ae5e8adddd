// A sample of a track, without its bytes.

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

/** The samples around one that lie in the file one after the other. */
export function chunkOf({ storageRange, sampleIndexInChunk, ...rest }) {
  return {
    ...rest,
    offset: wireInteger(storageRange.offset),
    length: wireInteger(storageRange.length),
    sampleIndex: sampleIndexInChunk,
  };
}
