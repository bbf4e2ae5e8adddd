import type { ReelwireError } from './errors.js';
import type { Picture } from './picture.js';
import type { MediaTime, TimeRange } from './time.js';

/** One image of a contact sheet; a black one has its `error`. */
export class ContactSheetTile {
  private constructor();
  /** The place of the tile among all, from 0, row by row. */
  readonly index: number;
  /** The range of the video that the tile represents. */
  readonly timeRange: TimeRange;
  readonly requestedTime: MediaTime;
  /** The presentation time of the frame that it shows. */
  readonly actualTime?: MediaTime;
  readonly sampleIndex?: number;
  /** True if it is the frame that is shown at the requested time. */
  readonly isExact: boolean;
  /** Its left edge in the sheet, in pixels. */
  readonly x: number;
  /** Its upper edge in the sheet, in pixels. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The reason if it is black. */
  readonly error?: ReelwireError;
}

/** Many images of a video in one. */
export class ContactSheet extends Picture {
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
  /** Row by row. */
  readonly tiles: ContactSheetTile[];
  /** The map that web players want: the text of a WebVTT file with a cue for each tile. */
  readonly webVTT: string;
  /** The map's file, when the sheet was delivered to one. */
  readonly webVTTPath?: string;
}
