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

/** What is known of a sample without reading it. */
export class Sample {
  private constructor();
  /** Its place in decode order, from 0. */
  readonly index: number;
  readonly presentationTime: MediaTime;
  /** Whether the file gives no presentation time, and the decode time stands in. */
  readonly presentationTimeInferred: boolean;
  /** None when the file does not state it. */
  readonly decodeTime?: MediaTime;
  /** Indefinite when unknown. */
  readonly duration: MediaTime;
  /** Whether the file gives no duration, and the time until the next sample stands in. */
  readonly durationInferred: boolean;
  /** In bytes. */
  readonly size: number;
  /** Where its bytes are in the file; none when not in one piece, or unknown. */
  readonly offset?: number | bigint;
  /** Whether decoding can begin here. */
  readonly isSync: boolean;
  /** Whether no other sample needs it; false also when the file does not state it. */
  readonly isDroppable: boolean;
  /** Whether it needs other samples, when the file states it. */
  readonly dependsOnOthers?: boolean;
  /** Whether other samples need it, when the file states it. */
  readonly hasDependentSamples?: boolean;
  /** How an audio packet depends on others, where that is known. */
  readonly audioDependencyInfo?: SampleAudioDependencyInfo;
  /** How many samples before it a decoder needs so that this one is right. */
  readonly samplesRequiredForDecoderRefresh: number;
  /** Whether it is decoded for others' sake and not shown. */
  readonly isDiscarded: boolean;
}
