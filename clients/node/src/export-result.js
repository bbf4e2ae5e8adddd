// The reports of an export before its end.

import { MediaTime, TimeRange, timeOrNone, wireInteger } from './time.js';
import { errorFromWire } from './wire-errors.js';

/** The plan of an export. */
export const preflightOf = (wire) => ({ ...wire, timeRange: TimeRange.of(wire.timeRange) });

/** The estimated duration and size of a file. */
export const estimateOf = (wire) => ({
  duration: MediaTime.of(wire.duration),
  fileLength: wireInteger(wire.fileLength),
  maximumDuration: timeOrNone(wire.maximumDuration),
});

/** The state of an export. */
export const stateOf = (wire) => ({ ...wire, error: errorFromWire(wire.error) });
