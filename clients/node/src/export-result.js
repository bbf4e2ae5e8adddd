// What is reported about an export before its end.

import { MediaTime, TimeRange, timeOrNone, wireInteger } from './time.js';
import { errorFromWire } from './wire-errors.js';

/** What an export would do. */
export const preflightOf = (wire) => ({ ...wire, timeRange: TimeRange.of(wire.timeRange) });

/** How long and how large a file will be. */
export const estimateOf = (wire) => ({
  duration: MediaTime.of(wire.duration),
  fileLength: wireInteger(wire.fileLength),
  maximumDuration: timeOrNone(wire.maximumDuration),
});

/** How far an export is. */
export const stateOf = (wire) => ({ ...wire, error: errorFromWire(wire.error) });
