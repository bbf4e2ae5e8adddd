import type { SampleAudioDependencyInfo, SampleOrder } from './protocol.js';
import type { Cancellable, Remote } from './remote.js';
import type { MediaTime, TimeLike } from './time.js';

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

/**
 * A place among the samples of a track; moving it reads nothing and never waits for the file.
 * Decode order holds every sample, presentation order those that are shown.
 */
export class SampleCursor extends Remote {
  /** The current sample. */
  sample(): Promise<Sample>;
  /** Moves by so many samples, not beyond the ends, and returns the steps that were taken. */
  step(count?: number, order?: SampleOrder): Promise<number>;
  /** Moves to the last sample that is not after the current one's time plus `by`. */
  stepByTime(
    by: TimeLike,
    order?: SampleOrder,
  ): Promise<{ moved: MediaTime; wasPinned: boolean }>;
  /** The current sample and those after it, 100 unless given; the cursor moves behind them. */
  read(
    options?: Cancellable & { maxCount?: number; order?: SampleOrder },
  ): Promise<{ samples: Sample[]; endOfTrack: boolean }>;
  /** The current sample and all after it. */
  samples(
    options?: Cancellable & { order?: SampleOrder; batch?: number },
  ): AsyncGenerator<Sample, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<Sample, void, undefined>;
  /** The samples around the current one that lie in the file one after the other. */
  chunk(): Promise<Chunk>;
  /** Another cursor at the same place. */
  copy(): Promise<SampleCursor>;
  /** -1 when it is before the other in decode order, 0 at the same sample, 1 behind it. */
  compare(other: SampleCursor): Promise<-1 | 0 | 1>;
  /** Whether a sample that is decoded before this one is presented after the other. */
  hasEarlierDecodedPresentedLater(other: SampleCursor): Promise<boolean>;
  /** Whether a sample that is decoded after this one is presented before the other. */
  hasLaterDecodedPresentedEarlier(other: SampleCursor): Promise<boolean>;
}
