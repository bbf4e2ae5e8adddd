export type TypedArray =
  | Uint8Array
  | Uint16Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** One plane of a picture or of audio, without a copy. */
export class Plane {
  private constructor();
  /**
   * All numbers of the plane, the padding of its rows included: `Uint8Array` or `Uint16Array` of
   * pictures (bytes where the format is big-endian), the type of the sample format of audio.
   */
  readonly data: TypedArray;
  /** Pixels in a row, or audio frames. */
  readonly width: number;
  /** Rows; 1 for audio. */
  readonly height: number;
  /** Numbers of a pixel, or of an audio frame. */
  readonly components: number;
  /** The distance from one row to the next, in bytes. */
  readonly bytesPerRow: number;
  /** One row, without padding. */
  row(number: number): TypedArray;
}
