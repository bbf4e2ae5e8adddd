// Assets: media files whose properties are loaded by key.

import path from 'node:path';

import { AssetReader, readerParams } from './asset-reader.js';
import { absolute, blobOf, deliveryToWire, fileToOpen } from './blob.js';
import { AssetCalls } from './calls.js';
import { clipOf } from './clip.js';
import { ExportJob, ExportSession } from './export-session.js';
import { streamOf } from './export-stream.js';
import {
  generatorParams,
  ImageGenerator,
  imageOrFirst,
  imagesOrFirst,
} from './image-generator.js';
import { keysAndOptions, Values } from './keys.js';
import { chapterEntries, firstPicture, metadataEntries } from './metadata.js';
import { metadataGroups, wireChanges } from './metadata.js';
import { checked, EXPORT, GENERATOR, IMAGE, IMAGES, pick, SESSION, SHEET, SIZE } from './options.js';
import { assetKeys } from './protocol.js';
import { made } from './remote.js';
import { Sample } from './sample.js';
import { SampleCursor } from './sample-cursor.js';
import { rangeOrNone } from './time.js';
import { Track } from './track.js';
import { listOf, trackIDOf } from './wire.js';

/** Samples that are missing among those that were read, which have no other place. */
function warnOfLosses(url, dropped) {
  for (const { item, reason } of dropped) {
    if (item === 'damagedSamples') process.emitWarning(`${path.basename(url)}: ${reason}`);
  }
}

export class Asset extends AssetCalls {
  #values;
  #valuesOfTracks;

  constructor(transport, handle, url) {
    super(transport, handle);
    this.url = url;
    transport.assets.set(handle, new WeakRef(this));
    this.forget();
  }

  static {
    for (const key of assetKeys) {
      Object.defineProperty(Asset.prototype, key, {
        get() {
          return this.#values.get(key);
        },
      });
    }
  }

  /** Drops the loaded values except some states: answers to pending requests are ignored. */
  forget(known = {}) {
    const tracks = (wires) => this.tracksOf(wires);
    this.#values = new Values(`'${path.basename(this.url)}'`, { tracks });
    this.#valuesOfTracks = new Map();
    this.#values.take(known);
  }

  /** The loaded properties of a track. */
  valuesOfTrack(trackID) {
    let values = this.#valuesOfTracks.get(trackID);
    if (!values) this.#valuesOfTracks.set(trackID, (values = new Values(`track ${trackID}`)));
    return values;
  }

  /** Tracks of the wire as objects, which share the loaded properties of the same track. */
  tracksOf(wires) {
    return wires.map((wire) => new Track(this, wire));
  }

  clip(start, end, options) {
    return clipOf(this, start, end, options);
  }

  #ask(method, params, options) {
    return this.transport.request(method, { asset: this.handle, ...params }, options);
  }

  // Keys

  async load(...given) {
    const { keys, options } = keysAndOptions('load', given, assetKeys);
    const values = this.#values;
    const result = await this.#ask('asset/loadValues', { keys, completion: 'response' }, options);
    return values.allOf(keys, result.values);
  }

  async status(...given) {
    const { keys, options } = keysAndOptions('status', given, assetKeys);
    const values = this.#values;
    const result = await this.#ask('asset/valueStatus', { keys }, options);
    return values.take(result.values);
  }

  // Tracks, metadata, languages

  async loadTracks(options) {
    const { mediaType, mediaCharacteristic, selection, signal } = checked('loadTracks', options);
    const params = { mediaType, mediaCharacteristic, selection };
    return this.tracksOf((await this.#ask('asset/tracks', params, { signal })).tracks);
  }

  async loadTrack(trackID, options) {
    checked('loadTrack', options);
    return this.tracksOf((await this.#ask('asset/tracks', { trackID }, options)).tracks)[0];
  }

  async artwork(options) {
    checked('artwork', options);
    return firstPicture(await this.loadMetadata({ ...options, commonKey: 'artwork' }));
  }

  async chapters(options = {}) {
    const { titleLocale, preferredLanguages, artwork, signal } = checked('chapters', options);
    const params = {
      titleLocale,
      bestMatchingPreferredLanguages: listOf(preferredLanguages),
      containingItemsWithCommonKeys: artwork ? ['artwork'] : undefined,
      delivery: deliveryToWire(options),
    };
    const { groups } = await this.#ask('asset/chapterMetadataGroups', params, { signal });
    return metadataGroups(this.transport, groups);
  }

  // Images

  async imageGenerator(options = {}) {
    checked('imageGenerator', options);
    const result = await this.#ask('imageGenerator/create', generatorParams(options), options);
    return new ImageGenerator(this.transport, result.imageGenerator);
  }

  /** A generator as for people: exact frames, upright. */
  #uprightGenerator(options) {
    const upright = { tolerance: 0, appliesPreferredTrackTransform: true };
    return this.imageGenerator({ ...upright, ...pick(options, [...SIZE, ...GENERATOR]) });
  }

  async image(time, options = {}) {
    checked('image', options);
    const generator = await this.#uprightGenerator(options);
    try {
      return await imageOrFirst(generator, time, pick(options, IMAGE));
    } finally {
      await generator.close();
    }
  }

  async *images(frames, options = {}) {
    checked('images', options);
    const generator = await this.#uprightGenerator(options);
    try {
      yield* imagesOrFirst(generator, frames, pick(options, IMAGES));
    } finally {
      await generator.close();
    }
  }

  async contactSheet(options = {}) {
    checked('contactSheet', options);
    // By default its images are the nearest that are quick to get.
    const generator = await this.imageGenerator({
      appliesPreferredTrackTransform: true,
      ...pick(options, GENERATOR),
    });
    try {
      return await generator.contactSheet(pick(options, SHEET));
    } finally {
      await generator.close();
    }
  }

  // Exports

  async exportSession(output, options = {}) {
    checked('exportSession', options);
    const { timeRange, metadata, tracks, signal } = options;
    const usual = options.settings === undefined ? 'HighestQuality' : undefined;
    const preset = options.preset ?? usual;
    const chosen = tracks === undefined ? options.settings : { ...options.settings, tracks };
    const settings = withLoudness(chosen, options.loudness);
    const { outputFileType, fileLengthLimit, shouldOptimizeForNetworkUse, trimMode } = options;
    const { directoryForTemporaryFiles: folder, joins, replacesSource } = options;
    const { metadataChanges, chapters, audioTimePitchAlgorithm, audioTracks } = options;
    const { audioMix, videoComposition, chaptersFrom } = options;
    const params = {
      ...{ preset, settings, outputFileType, fileLengthLimit, audioTimePitchAlgorithm },
      ...{ shouldOptimizeForNetworkUse, audioTracks, trimMode, joins, replacesSource },
      ...{ audioMix, videoComposition, chaptersFrom },
      subtitles: options.subtitles && Array.from(options.subtitles, subtitleFile),
      outputURL: absolute(output),
      timeRange: rangeOrNone(timeRange),
      metadata: metadata && metadataEntries(metadata),
      metadataChanges: metadataChanges && wireChanges(metadataChanges),
      chapters: chapters && chapterEntries(chapters),
      directoryForTemporaryFiles: folder === undefined ? undefined : absolute(folder),
    };
    const result = await this.#ask('exportSession/create', params, { signal });
    return new ExportSession(this.transport, result, preset);
  }

  export(output, options = {}) {
    return new ExportJob(async (report, signal) => {
      checked('export', options);
      const session = await this.exportSession(output, { ...pick(options, SESSION), signal });
      try {
        return await session.run(pick(options, EXPORT), report, signal);
      } finally {
        await session.close();
      }
    }, options.signal);
  }

  async exportStream(options = {}) {
    checked('exportStream', options);
    const { highWaterMark, directoryForTemporaryFiles: parent, signal, ...rest } = options;
    const make = (output) =>
      this.export(output, { outputFileType: 'mp4', ...rest, signal });
    return streamOf(make, { parent, signal, highWaterMark });
  }

  // Samples

  async reader(outputs, options) {
    checked('reader', options);
    const params = readerParams(outputs, options);
    return new AssetReader(
      this.transport,
      await this.#ask('assetReader/create', params, options),
    );
  }

  async *frames(options = {}) {
    checked('frames', options);
    const { timeRange, signal, keep, ...output } = options;
    if (output.videoComposition === undefined) output.track ??= 'video';
    if (output.format === undefined) output.pixelFormat ??= 'rgba';
    const reader = await this.reader(output, { timeRange, signal });
    try {
      yield* reader.outputs[0].samples({ signal, keep });
      warnOfLosses(this.url, reader.outputs[0].dropped);
    } finally {
      await reader.close();
    }
  }

  [made](call, result) {
    return new SampleCursor(this.transport, result.sampleCursor, new Sample(result.sample));
  }

  async audio(options = {}) {
    checked('audio', options);
    const { sampleRate, channels, timeRange, signal } = options;
    const track = options.track ?? (await this.#firstEnabled('audio', { signal }));
    const empty = (count) => Array.from({ length: count }, () => new Float32Array(0));
    if (track === undefined) return empty(channels ?? 1);
    // A mix of one track is silent where that has no samples: each has its place in the array.
    const output = { audioMix: [track], sampleRate, channels, interleaved: false };
    const reader = await this.reader(output, { timeRange, signal });
    const parts = [];
    try {
      for await (const sample of reader.outputs[0].samples({ signal, keep: true })) {
        parts.push(sample.planes.map(({ data }) => data));
      }
      warnOfLosses(this.url, reader.outputs[0].dropped);
    } finally {
      await reader.close();
    }
    return parts.length > 0
      ? parts[0].map((_, channel) => joined(parts.map((planes) => planes[channel])))
      : empty(channels ?? (await this.#audioFormat(track, { signal })).channelsPerFrame ?? 1);
  }

  async #firstEnabled(mediaType, { signal }) {
    const tracks = await this.loadTracks({ mediaType, signal });
    return tracks.find((track) => track.isEnabled) ?? tracks[0];
  }

  /** The audio of a track's format description; empty where there is none. */
  async #audioFormat(track, options) {
    const loaded = await this.loadTrack(trackIDOf(track), options);
    const { formatDescriptions } = await loaded.load('formatDescriptions', options);
    return formatDescriptions?.find(({ audio }) => audio)?.audio ?? {};
  }

  facts() {
    const facts = { url: this.url };
    for (const key of ['duration', 'naturalSize', 'tracks']) {
      if (this.#values.has(key)) facts[key] = this.#values.get(key);
    }
    return facts;
  }
}

/** Arrays of numbers as one. */
function joined(parts) {
  const result = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** The settings, with audio that becomes as loud. */
function withLoudness(settings, loudness) {
  if (loudness === undefined) return settings;
  if (settings?.audio === null) {
    throw new TypeError('a loudness is one of the audio, which the settings leave out');
  }
  const target = typeof loudness === 'number' ? { integratedLoudness: loudness } : loudness;
  return { ...settings, audio: { ...settings?.audio, loudness: target } };
}

/** A file of subtitles as the protocol writes it, of a path or of one with its properties. */
function subtitleFile(given) {
  const isFile = typeof given === 'string' || given instanceof URL;
  if (isFile) return { url: fileToOpen(given) };
  return { ...given, url: fileToOpen(given.url) };
}
