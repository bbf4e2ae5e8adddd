/// <reference types="node" />

import type { MediaBlob } from './blob.js';
import type { Plane, TypedArray } from './planes.js';
import type {
  AudioLayout,
  FormatDescription,
  ImageLayout,
  SampleAttachments,
} from './protocol.js';
import type { MediaTime } from './time.js';

/** Samples of one track: a stored packet, a decoded picture, or a stretch of decoded audio. */
export class SampleBuffer {
  protected constructor();
  /** The bytes; none when there are no samples. */
  readonly blob?: MediaBlob;
  /** The format description that is in force. */
  readonly format?: FormatDescription;
  readonly presentationTime: MediaTime;
  /** Only with samples as stored. */
  readonly decodeTime?: MediaTime;
  readonly duration: MediaTime;
  /** The number of samples; 0 for a buffer that only carries attachments. */
  readonly numSamples: number;
  readonly attachments: SampleAttachments;
  /** True if decoding can begin here. */
  readonly isSync: boolean;
  /** The layout of the bytes as a frame. */
  readonly image?: ImageLayout;
  /** The layout of the bytes as audio. */
  readonly audio?: AudioLayout;
  /** The bytes. */
  readonly data: Buffer;
  /** The bytes as text, of an output with `textFormat`. */
  readonly text: string;
  /** The planes of a decoded picture or of decoded audio. */
  readonly planes: Plane[];
  /** The numbers of one channel of audio; a copy where channels alternate. */
  channel(number: number): TypedArray;
  /** The bytes without the padding of rows. */
  packed(): Buffer;
  readonly isKept: boolean;
  /** Preserves the bytes when the loop continues. */
  keep(): this;
  /** Lets go of the bytes. */
  release(): void;
  [Symbol.dispose](): void;
}
