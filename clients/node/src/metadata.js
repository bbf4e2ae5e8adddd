// Metadata: items with text, numbers or bytes, of an asset, a track or a chapter.

import { inspect } from 'node:util';

import { blobs, MediaBlob } from './blob.js';
import { checked } from './options.js';
import { MediaTime, rangeOrNone, TimeRange, timeOrNone } from './time.js';

export class MetadataItem {
  /** `blob` has the bytes of a value that is bytes. */
  constructor(wire, blob = inlineBlob(wire.value)) {
    this.identifier = wire.identifier;
    this.key = wire.key;
    this.keySpace = wire.keySpace;
    this.commonKey = wire.commonKey;
    this.tagName = wire.tagName;
    this.extendedLanguageTag = wire.extendedLanguageTag;
    this.locale = wire.locale;
    this.time = timeOrNone(wire.time);
    this.duration = timeOrNone(wire.duration);
    this.dataType = wire.dataType;
    this.extraAttributes = wire.extraAttributes ?? {};
    const isData = typeof wire.value === 'object';
    this.value = isData ? blob : wire.value;
    this.size = isData ? (blob?.size ?? wire.value.size) : undefined;
    this.mimeType = isData ? wire.value.mimeType : undefined;
  }

  /** The item as the protocol writes it, with the bytes that are here. */
  toJSON() {
    const { value, size, mimeType, extraAttributes, ...rest } = this;
    const data = value instanceof MediaBlob ? { data: base64(value.data) } : undefined;
    return {
      ...rest,
      value: size === undefined ? value : { ...data, size, mimeType },
      extraAttributes: Object.keys(extraAttributes).length ? extraAttributes : undefined,
    };
  }

  [inspect.custom]() {
    const value = this.value === undefined ? `${this.size} bytes` : inspect(this.value);
    return `MetadataItem ${this.identifier} ${value}`;
  }
}

/** The bytes of a value that came with it; none where the engine has left them out. */
function inlineBlob(value) {
  if (typeof value !== 'object' || value.data === undefined) return undefined;
  const { data, mimeType = '', size = Buffer.byteLength(data, 'base64') } = value;
  return new MediaBlob({ kind: 'inline', size, mimeType, data });
}

/** Items with their bytes, wherever these are. */
export async function metadataItems(transport, wires) {
  const delivered = wires.filter(({ value }) => value?.blob !== undefined);
  const bytes = await blobs(transport, delivered.map(({ value }) => value.blob));
  return wires.map((wire) => new MetadataItem(wire, bytes[delivered.indexOf(wire)]));
}

/** Items to write: items, or an object of values by their common keys. */
export function metadataEntries(metadata) {
  if (typeof metadata !== 'object' || ArrayBuffer.isView(metadata)) {
    throw new TypeError(`metadata is an object of values, or items, not ${inspect(metadata)}`);
  }
  const entries =
    typeof metadata[Symbol.iterator] === 'function'
      ? [...metadata]
      : Object.entries(metadata).map(([commonKey, value]) => ({ commonKey, value }));
  return entries.map(entryToWire);
}

/** The changes of metadata. */
export function wireChanges(changes) {
  const { set, remove } = checked('metadataChanges', changes);
  return { set: set && metadataEntries(set), remove: remove && [...remove] };
}

/** Chapters to write: `[start, title]`, or objects of `title` with `start` or `timeRange`. */
export function chapterEntries(chapters) {
  return [...chapters].map((chapter) => {
    if (chapter instanceof TimedMetadataGroup) {
      return { title: chapter.title ?? '', timeRange: chapter.timeRange };
    }
    if (Array.isArray(chapter)) return { title: chapter[1], start: MediaTime.of(chapter[0]) };
    const { title, start, timeRange } = checked('a chapter', chapter);
    return { title, start: timeOrNone(start), timeRange: rangeOrNone(timeRange) };
  });
}

function entryToWire(entry) {
  if (entry instanceof MetadataItem) return entry;
  const { value, ...rest } = checked('an item of metadata', entry);
  const name = entry.identifier ?? entry.commonKey ?? entry.key;
  return { ...rest, value: valueToWire(value, name) };
}

/** A value of metadata as the protocol writes it. */
function valueToWire(value, name) {
  if (value instanceof MediaBlob) {
    return { data: base64(value.data), mimeType: value.mimeType };
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { data: base64(value) };
  }
  if (name === 'artwork' && typeof value === 'string') {
    throw new TypeError('artwork is the bytes of a picture: await readFile(path)');
  }
  if (/^(string|number|boolean|bigint)$/.test(typeof value)) return value;
  // As the protocol writes bytes.
  if (typeof value === 'object' && value !== null && typeof value.data === 'string') return value;
  throw new TypeError(
    `the metadata ${name} is text, a number, a truth value or bytes, not ${inspect(value)}`,
  );
}

/** Bytes of any kind; without a copy, also of a part of a larger buffer. */
function base64(bytes) {
  const { buffer = bytes, byteOffset = 0, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

export class TimedMetadataGroup {
  constructor(timeRange, items) {
    this.timeRange = TimeRange.of(timeRange);
    this.items = items;
  }

  get title() {
    const isTitle = ({ commonKey, value }) => commonKey === 'title' && typeof value === 'string';
    return this.items.find(isTitle)?.value;
  }

  get artwork() {
    return firstPicture(this.items);
  }
}

/** Groups with the bytes of their items. */
export async function metadataGroups(transport, wires) {
  const items = await metadataItems(transport, wires.flatMap((group) => group.items));
  return wires.map(
    (group) => new TimedMetadataGroup(group.timeRange, items.splice(0, group.items.length)),
  );
}

/** The first picture among items. */
export function firstPicture(items) {
  const isPicture = ({ commonKey, value }) => commonKey === 'artwork' && value instanceof MediaBlob;
  return items.find(isPicture)?.value;
}
