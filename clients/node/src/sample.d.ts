import type { SampleAudioDependencyInfo } from './protocol.js';
import type { MediaTime } from './time.js';

/** A run of samples that lie in the file one after the other. */
export interface Chunk {
  /** In bytes; -1 when it is not known. */
  offset: number | bigint;
  /** In bytes. */
  length: number | bigint;
  sampleCount: number;
  /** The place of the cursor's sample in it, from 0. */
  sampleIndex: number;
  hasUniformSampleSizes: boolean;
  hasUniformSampleDurations: boolean;
}

/** The properties of a sample that are known without reading it. */
export class Sample {
  private constructor();
  /** Its place in decode order, from 0. */
  readonly index: number;
  readonly presentationTime: MediaTime;
  /** True if the file has no presentation time, and the decode time is used instead. */
  readonly presentationTimeInferred: boolean;
  /** None when the file does not state it. */
  readonly decodeTime?: MediaTime;
  /** Indefinite when unknown. */
  readonly duration: MediaTime;
  /** True if the file has no duration, and the time until the next sample is used instead. */
  readonly durationInferred: boolean;
  /** In bytes. */
  readonly size: number;
  /** The range of its bytes in the file; none when not in one piece, or unknown. */
  readonly offset?: number | bigint;
  /** True if decoding can begin here. */
  readonly isSync: boolean;
  /** True if no other sample needs it; false also when the file does not state it. */
  readonly isDroppable: boolean;
  /** True if it needs other samples, when the file states it. */
  readonly dependsOnOthers?: boolean;
  /** True if other samples need it, when the file states it. */
  readonly hasDependentSamples?: boolean;
  /** The dependency of an audio packet on others, if it is known. */
  readonly audioDependencyInfo?: SampleAudioDependencyInfo;
  /** The number of samples before it that a decoder needs to decode this one correctly. */
  readonly samplesRequiredForDecoderRefresh: number;
  /** True if it is decoded only because others refer to it, and not presented. */
  readonly isDiscarded: boolean;
}
