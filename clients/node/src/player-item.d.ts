import type { Asset } from './asset.js';
import type { PlayerItemCalls, VideoOutputCalls } from './calls.js';
import type {
  ApertureMode,
  AudioMixSettingInput,
  AudioTimePitchAlgorithm,
  DroppedPictures,
  DynamicRangePolicy,
  ImageFormat,
  VideoCompositionSettingInput,
  VideoOutputDelivery,
  VideoOutputMode,
} from './protocol.js';
import type { Cancellable } from './remote.js';
import type { SampleBuffer } from './sample-buffer.js';
import type { MediaTime, TimeLike } from './time.js';

/** The presentation of an item. */
export interface PlayerItemSettings {
  /** The tracks that are presented; `null`, the default, for those that are enabled in the file. */
  enabledTrackIDs?: number[] | null;
  /** The video composition; `null` for none, even if the asset has its own. */
  videoComposition?: VideoCompositionSettingInput;
  /** The volumes of the tracks; `null` for their own volume. */
  audioMix?: AudioMixSettingInput;
  /** The conversion of audio at rates other than 1. */
  audioTimePitchAlgorithm?: AudioTimePitchAlgorithm;
  /** Its end when it is played forward; `'invalid'` for its duration. */
  forwardPlaybackEndTime?: TimeLike;
  /** Its end when it is played backward; `'invalid'` for 0. */
  reversePlaybackEndTime?: TimeLike;
}

/** The options of a new item. */
export interface PlayerItemOptions extends PlayerItemSettings, Cancellable {
  /** The time at which it begins. */
  initialTime?: TimeLike;
  /** The duration that is decoded ahead. */
  preferredForwardBufferDuration?: TimeLike;
}

/** The form of frames of a player. */
export interface PlayedOptions extends Cancellable {
  /** The format: pixels, or with `pull` a file format. */
  pixelFormat?: ImageFormat;
  /** The width in pixels; from the height when absent. */
  width?: number;
  /** The height in pixels. */
  height?: number;
  /** The maximum number of outstanding frames. */
  maxOutstanding?: number;
}

/** The options of an output of pictures. */
export interface VideoOutputOptions extends PlayedOptions {
  /** The quality of `jpeg` and `webp`. */
  quality?: number;
  /** The delivery of the bytes. */
  delivery?: VideoOutputDelivery;
  /** The mode of delivery: on request, or when frames are due. */
  mode?: VideoOutputMode;
  /** The aperture of frames. */
  apertureMode?: ApertureMode;
  /** The conversion of high dynamic range. */
  dynamicRangePolicy?: DynamicRangePolicy;
}

/** A picture of a player's item: a sample buffer, with its place in the playback. */
export class PlayerFrame extends SampleBuffer {
  /** The start of the frame's own time. */
  readonly time: MediaTime;
  /** The number of the frame, from 0, in presentation order. */
  readonly sampleIndex?: number;
  /** The number of jumps of the item's time. */
  readonly revision: number;
  /** The time of the player's clock when it was due; only of pictures that come by themselves. */
  readonly hostTime?: MediaTime;
  /** The number of frames that were not delivered so far; only of pushed frames. */
  readonly dropped?: DroppedPictures;
}

/** An output of an item's pictures. */
export class VideoOutput extends VideoOutputCalls {
  /** The picture of a time, by default of now; `undefined` where there is none, or none that is new. */
  copy(
    options?: Cancellable & {
      itemTime?: TimeLike;
      hostTime?: TimeLike;
      onlyIfNew?: boolean;
      timeoutMs?: number;
    },
  ): Promise<PlayerFrame | undefined>;
  /**
   * The frames of a `push` output as they are due, until the item has been played to its end or has left its player, or the
   * item, the output or the player is closed. On a manual clock the loop ends when no frame is due: move the clock in it to
   * have further ones.
   */
  pushed(signal?: AbortSignal): AsyncGenerator<PlayerFrame, void, undefined>;
}

/** The presentation of an asset in a player: which tracks, how loud, composed how, from where to where. */
export class PlayerItem extends PlayerItemCalls {
  /** The asset that it presents. */
  readonly asset: Asset;
  /** Changes settings, at once and without a jump of time. */
  set(options: PlayerItemSettings & Cancellable): Promise<void>;
  /** Makes an output of its pictures; `bgra` unless something else is stated. */
  videoOutput(options?: VideoOutputOptions): Promise<VideoOutput>;
}
