// Callers' values in the protocol's form, and small answers in the client's form.

import { MediaTime } from './time.js';
import { errorFromWire } from './wire-errors.js';

/** One, several or none of something, as a list. */
export const listOf = (items) =>
  items === undefined ? undefined : typeof items === 'string' ? [items] : [...items];

/** The number of a track, or of a track object. */
export const trackIDOf = (track) => track?.trackID ?? track;

/** A place among samples: an end in decode order, or a time. */
export const cursorPosition = (position) =>
  position === 'first' || position === 'last' ? position : MediaTime.of(position);

/** The state of a reader. */
export const readerStateOf = ({ status, error, dropped = [] }) => ({
  status,
  error: errorFromWire(error),
  dropped,
});
