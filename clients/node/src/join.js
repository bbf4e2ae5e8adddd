// Joining files: copied where that is possible, else encoded with a preset of the caller's.

import { inspect } from 'node:util';

import { Asset } from './asset.js';
import { Clip } from './clip.js';
import { composed } from './composition.js';
import {
  FormatUnsupportedError,
  OperationNotSupportedForAssetError,
  OperationNotSupportedForPresetError,
} from './errors.js';
import { EXPORT, pick, SESSION } from './options.js';

/** The codes of a refusal to copy: a file that doesn't hold the format, or parts that don't go together. */
const NOT_COPIED = [
  FormatUnsupportedError,
  OperationNotSupportedForAssetError,
  OperationNotSupportedForPresetError,
];

/** Joins sources; `open` makes assets of those that aren't any. */
export async function joined({ transport, open }, sources, output, given, report, signal) {
  // Text is a list of letters to a loop.
  if (typeof sources === 'string' || !sources?.[Symbol.iterator]) {
    throw new TypeError(`join takes a list of files, assets and clips, not ${inspect(sources)}`);
  }
  // Each file has numbers and languages of its own.
  const { tracks, ...options } = given;
  const opened = [];
  try {
    const clips = [];
    for (const source of sources) {
      const isOpen = source instanceof Asset || source instanceof Clip;
      if (!isOpen) opened.push(await open(source, { signal }));
      clips.push(isOpen ? source : opened.at(-1));
    }
    if (clips.length === 0) throw new RangeError('join needs at least one file');
    const composition = await composed(transport, clips, { tracks, signal });
    opened.push(composition);
    return await exported(composition, output, { ...options, signal }, report);
  } finally {
    await Promise.all(opened.map((asset) => asset.close()));
  }
}

/**
 * Exports a composition by copying, else with the preset, if there is one.
 *
 * Languages and comments of files that follow each other stay tracks of their own; the engine would mix those of a
 * composition.
 */
async function exported(composition, output, { preset, ...given }, report) {
  const options = given.audioMix == null ? { audioTracks: 'separate', ...given } : given;
  const { joins, trimMode, ...encoding } = options;
  let refused = [];
  const made = async (name, used, isLast) => {
    const session = await composition.exportSession(output, {
      ...pick(used, SESSION),
      preset: name,
    });
    try {
      const { tracks } = await session.preflight({ signal: options.signal });
      const reasons = refusals(tracks);
      if (reasons.length > 0 && !isLast) {
        refused = reasons;
        return undefined;
      }
      // A refusal is an error of this, which has the reasons.
      const result = await session.run(pick(options, EXPORT), report, options.signal);
      const parts = tracks.flatMap((track) => [track, ...(track.segments ?? [])]);
      const isLossless = parts.every(({ treatment }) => treatment === 'copied');
      return { ...result, preset: name, tracks, refused, isLossless };
    } finally {
      await session.close();
    }
  };
  try {
    const result = await made('Passthrough', options, preset === undefined);
    if (result) return result;
  } catch (error) {
    const isRefusal = NOT_COPIED.some((each) => error instanceof each);
    if (!isRefusal || preset === undefined) throw error;
    refused = [error.message];
  }
  // The options of copying aren't for an encoder.
  return made(preset, encoding, true);
}

/** The reasons why parts of tracks can't be copied. */
const refusals = (tracks) =>
  tracks
    .flatMap(({ segments = [] }) => segments)
    .filter(({ treatment }) => treatment === 'refused')
    .map(({ reason = '' }) => reason);
