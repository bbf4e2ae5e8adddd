// Folders of media: their contents, by scans and queries.

import { inspect } from 'node:util';

import { Asset } from './asset.js';
import { blobOf, deliveryToWire, folderPath } from './blob.js';
import { LibraryCalls } from './calls.js';
import { finished } from './operation.js';
import { checked } from './options.js';
import { Picture } from './picture.js';
import { made, Remote, worked } from './remote.js';
import { MediaTime, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

/** The number of items of a page. */
const PAGE = 500;
const OPERATORS = [
  ...['is', 'isNot', 'contains', 'beginsWith', 'in', 'lessThan', 'greaterThan', 'between'],
  'exists',
];

export async function openedLibrary(transport, folders, options) {
  const { database, watch, excluded, followsSymbolicLinks, signal } = checked('library', options);
  const list = folders === undefined ? [] : [folders].flat();
  const { library, database: file } = await transport.request(
    'library/open',
    {
      database: database === undefined ? undefined : folderPath(database),
      folders: list.map((folder) => ({
        ...{ path: folderPath(folder), excluded, followsSymbolicLinks },
      })),
      watch,
    },
    { signal },
  );
  return new Library(transport, library, file);
}

export class Library extends LibraryCalls {
  #results = new Map();
  #onChange;
  #onError;

  constructor(transport, handle, database) {
    super(transport, handle);
    this.database = database;
    const heard = new WeakRef(this);
    transport.libraries.set(handle, {
      changed: (params) => heard.deref()?.changed(params),
      failed: (error) => heard.deref()?.onError?.(error),
    });
  }

  get onChange() {
    return this.#onChange;
  }

  set onChange(listener) {
    this.#onChange = listener;
    this.#retainWithListeners();
  }

  get onError() {
    return this.#onError;
  }

  set onError(listener) {
    this.#onError = listener;
    this.#retainWithListeners();
  }

  /** Isn't collected while it has a listener and is open. */
  #retainWithListeners() {
    if ((this.#onChange || this.#onError) && !this.closed) this.transport.retain(this);
    else this.transport.letGo(this);
  }

  async [worked](call, method, params, options) {
    const progressOf =
      call === 'scan'
        ? ({ counts, folder }) => ({ ...counts, folder })
        : ({ progress }) => progress;
    const end = await finished(this.transport, method, params, { ...options, progressOf });
    if (end.error) throw errorFromWire(end.error);
    const items = (wires) => wires.map((wire) => new LibraryItem(this, wire));
    if (call !== 'scan') return end.groups.map(items);
    return { ...end.counts, errors: items(end.errors), links: end.links ?? [] };
  }

  [made](call, result) {
    return result.collections.map((each) => new LibraryCollection(this, each));
  }

  async item(id, options) {
    const { signal } = checked('library.item', options);
    const params = { library: this.handle, item: id, keys: [] };
    const { item } = await this.transport.request('libraryItem/values', params, { signal });
    return new LibraryItem(this, item);
  }

  get items() {
    return new LibraryQuery(this, {});
  }

  get videos() {
    return new LibraryQuery(this, { mediaType: 'video' });
  }

  get audio() {
    return new LibraryQuery(this, { mediaType: 'audio' });
  }

  get images() {
    return new LibraryQuery(this, { mediaType: 'image' });
  }

  close() {
    this.transport.libraries.delete(this.closed ? undefined : this.handle);
    return super.close();
  }

  /** Notes a result whose changes are reported. */
  take(result) {
    this.#results.set(result.handle, new WeakRef(result));
  }

  /** Hears of a change. */
  changed({ changeToken, fetchResults }) {
    const results = [];
    for (const { fetchResult, count, ...changes } of fetchResults) {
      const result = this.#results.get(fetchResult)?.deref();
      if (result === undefined) {
        this.#results.delete(fetchResult);
        continue;
      }
      result.count = count;
      results.push({ result, ...changes });
    }
    this.onChange?.({ changeToken, results });
  }

  [inspect.custom]() {
    return `Library ${this.database}${this.closed ? ' (closed)' : ''}`;
  }
}

/** A value as a predicate has it. */
function valueToWire(value) {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof MediaTime) return value.seconds;
  return Array.isArray(value) ? value.map(valueToWire) : value;
}

function comparisons(key, wanted) {
  const isPlain = wanted !== null && Object.getPrototypeOf(wanted) === Object.prototype;
  if (!isPlain) {
    const op = Array.isArray(wanted) ? 'in' : 'is';
    return [{ key, op, value: valueToWire(wanted) }];
  }
  return Object.entries(wanted).map(([op, value]) => {
    if (!OPERATORS.includes(op)) {
      throw new TypeError(`${key} is compared by ${OPERATORS.join(', ')}; not ${inspect(op)}`);
    }
    return { key, op, value: valueToWire(value) };
  });
}

const isPredicate = (value) =>
  ['all', 'any', 'not', 'text', 'op'].some((member) => Object.hasOwn(value, member));

function predicateToWire(wanted) {
  if (wanted === null || typeof wanted !== 'object') {
    throw new TypeError(`where takes an object of keys and values, not ${inspect(wanted)}`);
  }
  if (isPredicate(wanted)) return [wanted];
  return Object.entries(wanted).flatMap(([key, value]) => comparisons(key, value));
}

/** A query; nothing is fetched until its items are requested. */
export class LibraryQuery {
  #library;
  #params;

  constructor(library, params) {
    this.#library = library;
    this.#params = params;
  }

  #with(params) {
    return new LibraryQuery(this.#library, { ...this.#params, ...params });
  }

  where(...wanted) {
    const all = [...(this.#params.predicate?.all ?? []), ...wanted.flatMap(predicateToWire)];
    return this.#with({ predicate: { all } });
  }

  text(terms) {
    return this.where({ text: terms });
  }

  orderBy(...keys) {
    const sort = keys.map((key) => ({
      key: key.replace(/^-/, ''),
      ascending: !key.startsWith('-'),
    }));
    return this.#with({ sort });
  }

  limit(count) {
    return this.#with({ limit: count });
  }

  async fetch(options) {
    const { observe, signal } = checked('query.fetch', options);
    const library = this.#library;
    const wire = await library.transport.request(
      'library/fetch',
      { library: library.handle, ...this.#params, observe },
      { signal },
    );
    const result = new FetchResult(library, wire);
    if (observe) library.take(result);
    return result;
  }

  async #once(body, options) {
    const result = await this.fetch(options);
    try {
      return await body(result);
    } finally {
      await result.close();
    }
  }

  async count(options) {
    return this.#once((result) => result.count, checked('query.count', options));
  }

  async countBy(key, options) {
    return this.#once((result) => result.countBy(key, options), checked('query.countBy', options));
  }

  async first(options) {
    const query = this.limit(Math.min(1, this.#params.limit ?? 1));
    const [item] = await query.toArray(checked('query.first', options));
    return item;
  }

  async toArray(options) {
    const items = [];
    for await (const item of this.#pages(checked('query.toArray', options))) items.push(item);
    return items;
  }

  async *#pages(options) {
    const result = await this.fetch(options);
    try {
      yield* result;
    } finally {
      await result.close();
    }
  }

  [Symbol.asyncIterator]() {
    return this.#pages();
  }

  [inspect.custom]() {
    return `LibraryQuery ${inspect(this.#params, { depth: 9 })}`;
  }
}

/** The items of a query as they were, or one that follows the changes. */
export class FetchResult extends Remote {
  #library;

  constructor(library, { fetchResult, count, changeToken }) {
    super(library.transport, fetchResult);
    this.#library = library;
    this.count = count;
    this.changeToken = changeToken;
  }

  async slice(start = 0, end = this.count, options = {}) {
    const { signal } = checked('fetchResult.slice', options);
    const bound = (index) => Math.max(0, Math.min(this.count, index < 0 ? index + this.count : index));
    const items = [];
    for (let place = bound(start); place < bound(end); place += PAGE) {
      const params = {
        fetchResult: this.handle,
        start: place,
        count: Math.min(PAGE, bound(end) - place),
      };
      const page = await this.transport.request('fetchResult/items', params, { signal });
      items.push(...page.items.map((wire) => new LibraryItem(this.#library, wire)));
    }
    return items;
  }

  async at(index, options) {
    const { signal } = checked('fetchResult.at', options);
    const place = index < 0 ? index + this.count : index;
    if (place < 0 || place >= this.count) return undefined;
    const [item] = await this.slice(place, place + 1, { signal });
    return item;
  }

  async indexOf(item, options) {
    const { signal } = checked('fetchResult.indexOf', options);
    const params = { fetchResult: this.handle, item: item.id ?? item };
    const { index } = await this.transport.request('fetchResult/index', params, { signal });
    return index ?? -1;
  }

  async countBy(key, options) {
    const { signal } = checked('fetchResult.countBy', options);
    const params = { fetchResult: this.handle, by: key };
    const { counts } = await this.transport.request('fetchResult/count', params, { signal });
    return new Map(counts.map(({ value, count }) => [value, count]));
  }

  async *[Symbol.asyncIterator]() {
    for (let place = 0; place < this.count; place += PAGE) {
      yield* await this.slice(place, place + PAGE);
    }
  }

  facts() {
    return { count: this.count };
  }
}

const dateOrNone = (text) => (text === undefined ? undefined : new Date(text));

/** A file of a library, as it was when it was asked for. */
export class LibraryItem {
  #library;

  constructor(library, wire) {
    const { item, url, commonMetadata, duration, ...rest } = wire;
    this.#library = library;
    Object.assign(this, rest, {
      id: item,
      path: url,
      metadata: commonMetadata ?? {},
      duration: timeOrNone(duration),
      creationDate: dateOrNone(wire.creationDate),
      modificationDate: dateOrNone(wire.modificationDate),
      addedAt: dateOrNone(wire.addedAt),
    });
    Object.freeze(this);
  }

  async open(options) {
    const { signal, ...chosen } = checked('open', options);
    const hasOptions = Object.values(chosen).some((value) => value !== undefined);
    const { transport, handle } = this.#library;
    const { asset } = await transport.request(
      'asset/open',
      {
        library: handle,
        item: this.id,
        options: hasOptions ? chosen : undefined,
      },
      { signal },
    );
    return new Asset(transport, asset, this.path);
  }

  async values(options) {
    const { keys, signal } = checked('item.values', options);
    const { transport, handle } = this.#library;
    const params = { library: handle, item: this.id, keys };
    return (await transport.request('libraryItem/values', params, { signal })).values;
  }

  async thumbnail(options = {}) {
    const { width, signal, path: file, delivery } = checked('item.thumbnail', options);
    const { transport, handle } = this.#library;
    const { image } = await transport.request(
      'libraryItem/thumbnail',
      { library: handle, item: this.id, width, delivery: deliveryToWire({ path: file, delivery }) },
      { signal },
    );
    return new Picture(image, await blobOf(transport, image));
  }

  [inspect.custom]() {
    const length = this.duration ? ` ${this.duration.toFixed(3)} s` : '';
    return `LibraryItem ${this.path} ${this.mediaType ?? this.state}${length}`;
  }
}


/** Items that belong together. */
export class LibraryCollection {
  #library;
  #predicate;

  constructor(library, { id, title, count, startDate, endDate, predicate }) {
    this.#library = library;
    this.#predicate = predicate;
    this.id = id;
    this.title = title;
    this.count = count;
    this.startDate = dateOrNone(startDate);
    this.endDate = dateOrNone(endDate);
  }

  get items() {
    return this.#library.items.where(this.#predicate);
  }
}
