// Players: a clock, and an item that is presented at its times.

import path from 'node:path';

import { PlayerCalls, PlayerLooperCalls } from './calls.js';
import { checked } from './options.js';
import { Ending, Events, Listeners, failed, receive } from './playback.js';
import {
  PlayerItem,
  didLeave,
  failure,
  hasLeft,
  isAtEnd,
  isManual,
  itemSettings,
  leaveEnd,
  listen,
  player as playerOf,
} from './player-item.js';
import { isGone, Remote, send } from './remote.js';
import { MediaTime, rangeOrNone, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

/** An observer of a player's time: `for await (const firing of observer)`, until it is closed. */
export class TimeObserver extends Remote {
  #events;
  /** Kept with it: it ends with its player, and who drops that has it closed. */
  #player;

  constructor(transport, handle, player) {
    super(transport, handle);
    this.#player = player;
    this.#events = new Events(transport, merged);
    transport.playback.add(handle, this);
  }

  [receive](method, params) {
    this.#events.put(method, params);
  }

  [failed](error) {
    this.#events.end(error);
  }

  async *firings(options) {
    const { signal } = checked('firings', options);
    let event;
    while ((event = await this.#events.next(signal)) !== undefined) yield firing(event);
  }

  [Symbol.asyncIterator]() {
    return this.firings();
  }

  /** The values that have arrived and weren't read, without waiting. */
  arrived() {
    return this.#events.untaken().map(firing);
  }

  async close() {
    this.#events.end();
    try {
      await super.close();
    } catch (error) {
      // It ends with its player.
      if (!isGone(error)) throw error;
    }
  }
}

/** The later one of two intervals, which counts the earlier one as missing. */
const merged = (earlier, later) =>
  earlier.cause === 'interval' && later.cause === 'interval'
    ? { ...later, coalesced: later.coalesced + earlier.coalesced + 1 }
    : undefined;

const firing = ({ params }) => ({
  time: MediaTime.of(params.time),
  cause: params.cause,
  index: params.index,
  hostTime: MediaTime.of(params.hostTime),
  lateness: MediaTime.of(params.lateness),
  coalesced: params.coalesced,
  revision: params.revision,
});

/** The looping of an item; closing it has the pass that is played be the last one. */
export class PlayerLooper extends PlayerLooperCalls {
  loopCount = 0;
  /** Kept with it, as by an observer. */
  #player;

  constructor(transport, handle, player) {
    super(transport, handle);
    this.#player = player;
    transport.playback.add(handle, this);
  }

  [receive](_, { loopCount }) {
    this.loopCount = loopCount;
  }

  [failed]() {}
}

const isPlaying = ({ timeControlStatus }) => timeControlStatus !== 'paused';

/** The verbs of the requests that leave an end, and which of their answers and params state that. */
const LEAVING = {
  play: isPlaying,
  setRate: (result, { time }) => isPlaying(result) || time != null,
  seek: ({ finished }) => finished,
};

export class Player extends PlayerCalls {
  #items = new Map();
  /** The item that is played, by the last notification. */
  #current;
  #heard = new Listeners(this);
  #isQueue;
  #ending;
  /** The output of `frame`, with its item, its format and the number of calls that use it. */
  #shown;
  #made = [];
  #observers = new Set();
  #failure;

  constructor(transport, handle, items, { isQueue, clock }, made) {
    super(transport, handle);
    this.#isQueue = isQueue;
    this[isManual] = clock === 'manual';
    this.#made = made;
    this.#ending = new Ending(transport);
    for (const item of items) this.#know(item);
    this.#current = items[0];
    if (items[0]?.[failure]) this.#ending.fail(items[0][failure]);
    transport.playback.add(handle, this);
  }

  #know(item) {
    this.#items.set(item.handle, item);
    item[listen](this);
    item[playerOf] = this;
  }

  /** It has failed, and nothing comes from it any more. */
  #fail(error) {
    this.#failure = error;
    this.#ending.fail(error);
    this.#endObservers(error);
  }

  /** Ends the loops over its observers and the outputs of `frames`. */
  #endObservers(error) {
    for (const reference of this.#observers) reference.deref()?.[failed](error);
    this.#observers.clear();
  }

  [receive](method, params) {
    if (method === 'player/didChange') {
      const { changes } = params;
      if (changes.currentItem !== undefined) this.#setCurrent(this.#items.get(changes.currentItem));
      if (changes.effectiveRate) this[leaveEnd]();
      if (changes.currentItem || changes.effectiveRate) this.#ending.postpone();
      else if (this.#isQueue && changes.currentItem === null) this.#ending.reach();
      if (changes.status === 'failed') this.#fail(errorFromWire(changes.error));
      this.#heard.emit('change', changes);
      return;
    }
    const item = this.#items.get(params.playerItem);
    // Another player may have it now.
    if (item?.[playerOf] !== this) return;
    if (method === 'playerItem/didJump' && !this.#isQueue) this.#ending.postpone();
    if (method === 'playerItem/didPlayToEndTime') {
      if (!this.#isQueue) this.#ending.reach();
      this.#heard.emit('ended', item);
    } else if (method === 'playerItem/didFailToPlayToEndTime') {
      this.#ending.fail(errorFromWire(params.error));
    }
  }

  [failed](error) {
    this.#ending.fail(error);
  }

  /** Calls a listener: `'change'` with the changes, `'ended'` with an item that was played to its end. */
  on(event, listener) {
    this.#heard.add(event, listener);
    return this;
  }

  off(event, listener) {
    this.#heard.remove(event, listener);
    return this;
  }

  /** Sends a request, and notes what its answer states: the notifications of that come later than the caller has it. */
  [send](method, params, options) {
    const verb = method.split('/')[1];
    const onResult = (result) => {
      options?.onResult?.(result);
      if (verb === 'remove') this.#drop(this.#items.get(params.playerItem));
      else if (verb === 'removeAllItems') for (const item of this.#items.values()) this.#drop(item);
      else if (verb === 'advanceToNextItem') this.#setCurrent(this.#items.get(result.currentItem));
      else if (LEAVING[verb]?.(result, params)) this[leaveEnd]();
    };
    return super[send](method, params, { ...options, onResult });
  }

  [leaveEnd]() {
    // A queue has ended when it is empty, whatever its rate is.
    if (!this.#isQueue) this.#ending.postpone();
    // Another player may have one of them now.
    for (const item of this.#items.values()) if (item[playerOf] === this) item[isAtEnd] = false;
  }

  #insert(item) {
    this.#know(item);
    this.#ending.postpone();
    // It is back before it was heard of that it had left.
    if (item === this.#current) this.#current = undefined;
  }

  #replace(item) {
    if (item && item !== this.#current) {
      this.#know(item);
      this.#ending.postpone();
    }
    this.#setCurrent(item);
  }

  #loop(item, followsOthers, becomesCurrent) {
    this.#know(item);
    this.#ending.postpone();
    // The current one changes, and stays in the queue.
    if (item === this.#current ? followsOthers : becomesCurrent) this.#current = undefined;
  }

  /** Has another current item: the one before has left. */
  #setCurrent(item) {
    const old = this.#current;
    this.#current = item;
    if (item) item[hasLeft] = false;
    if (old !== item) old?.[didLeave](this);
  }

  #drop(item) {
    item?.[didLeave](this);
    if (item === this.#current) this.#current = undefined;
  }

  async untilEnded(options) {
    const { signal } = checked('untilEnded', options);
    await this.#ending.wait(this, signal);
  }

  async set(options = {}) {
    const { signal, ...settings } = checked('player.set', options);
    await this[send]('player/set', { player: this.handle, ...settings }, { signal });
  }

  async seek(to, options = {}) {
    const { exact, toleranceBefore, toleranceAfter, whileScrubbing, signal } = checked('seek', options);
    const params = {
      player: this.handle,
      time: MediaTime.of(to),
      toleranceBefore: timeOrNone(exact ? 0 : toleranceBefore),
      toleranceAfter: timeOrNone(exact ? 0 : toleranceAfter),
      whileScrubbing,
      completion: 'response',
    };
    const { finished, actualTime, sampleIndex, isExact, revision } = await this[send](
      'player/seek',
      params,
      { signal },
    );
    return { finished, time: actualTime && MediaTime.of(actualTime), sampleIndex, isExact, revision };
  }

  async preroll(rate = 1, options = {}) {
    const { signal } = checked('preroll', options);
    const params = { player: this.handle, rate, completion: 'response' };
    return (await this[send]('player/preroll', params, { signal })).finished;
  }

  async advance(by, options = {}) {
    const { to, signal } = checked('advance', options);
    const params = { player: this.handle, by: timeOrNone(by), to: timeOrNone(to) };
    const result = await this[send]('player/advanceClock', params, { signal });
    return { ...result, hostTime: MediaTime.of(result.hostTime), time: MediaTime.of(result.time) };
  }

  #of(handles) {
    return handles.map((handle) => this.#items.get(handle)).filter(Boolean);
  }

  async items(options) {
    const { signal } = checked('items', options);
    return this.#of((await this[send]('player/items', { player: this.handle }, { signal })).items);
  }

  async currentItem(options) {
    return (await this.items(options))[0];
  }

  async insert(item, options = {}) {
    const { after, dryRun, signal } = checked('player.insert', options);
    const params = { player: this.handle, playerItem: item.handle, after: after?.handle, dryRun };
    const onResult = dryRun ? undefined : () => this.#insert(item);
    return this.#of((await this[send]('player/insert', params, { signal, onResult })).items);
  }

  async replaceCurrentItem(item, options) {
    const { signal } = checked('replaceCurrentItem', options);
    const params = { player: this.handle, playerItem: item?.handle };
    const onResult = () => this.#replace(item);
    await this[send]('player/replaceCurrentItem', params, { signal, onResult });
  }

  async advanceToNextItem(options) {
    const { signal } = checked('advanceToNextItem', options);
    const params = { player: this.handle };
    const { currentItem } = await this[send]('player/advanceToNextItem', params, { signal });
    return this.#items.get(currentItem);
  }

  async loop(timeRange, options = {}) {
    const { item: given, existingItemsOrdering, signal } = checked('loop', options);
    const item = given ?? (await this.currentItem({ signal }));
    if (!item) throw new TypeError('there is no item to loop: give one');
    const params = {
      player: this.handle,
      templateItem: item.handle,
      timeRange: rangeOrNone(timeRange),
      existingItemsOrdering,
    };
    const follows = existingItemsOrdering === 'loopingItemsFollowExistingItems';
    const others = follows ? (await this.items({ signal })).filter((each) => each !== item) : [];
    const heard = { signal, onResult: () => this.#loop(item, others.length > 0, !follows) };
    const { playback } = this.transport;
    const looper = await playback.make('playerLooper/create', params, 'playerLooper', heard);
    return new PlayerLooper(this.transport, looper, this);
  }

  async observe(every, options) {
    const { signal } = checked('observe', options);
    const params = { player: this.handle, interval: MediaTime.of(every) };
    return this.#observer('player/addPeriodicTimeObserver', params, signal);
  }

  async at(times, options) {
    const { signal } = checked('at', options);
    const params = { player: this.handle, times: times.map((each) => MediaTime.of(each)) };
    return this.#observer('player/addBoundaryTimeObserver', params, signal);
  }

  async #observer(method, params, signal) {
    const handle = await this.transport.playback.make(method, params, 'timeObserver', { signal });
    const observer = new TimeObserver(this.transport, handle, this);
    this.#observe(observer);
    return observer;
  }

  /** Has an observer, or an output of `frames`, end with the player. */
  #observe(observer) {
    if (this.#failure || this.closed) observer[failed](this.#failure);
    for (const reference of this.#observers) {
      if (reference.deref()?.closed !== false) this.#observers.delete(reference);
    }
    this.#observers.add(new WeakRef(observer));
  }

  async *frames(options = {}) {
    const { signal, ...settings } = checked('player.frames', options);
    const item = await this.currentItem({ signal });
    if (!item || item[isAtEnd]) return;
    const output = await item.videoOutput({ pixelFormat: 'rgba', ...settings, mode: 'push', signal });
    this.#observe(output);
    try {
      // It may have ended while the output was made.
      if (!item[isAtEnd]) yield* output.pushed(signal);
    } finally {
      await output.close();
    }
  }

  async frame(options = {}) {
    const { pixelFormat = 'rgba', timeoutMs = 10_000, signal } = checked('frame', options);
    const item = await this.currentItem({ signal });
    if (!item) return undefined;
    let shown = this.#shown;
    if (shown?.item !== item || shown.pixelFormat !== pixelFormat) {
      await this.#show(undefined);
      const output = await item.videoOutput({ pixelFormat, maxOutstanding: 32, signal });
      shown = { item, pixelFormat, output, uses: 0 };
    }
    shown.uses += 1;
    try {
      await this.#show(shown);
      return await shown.output.copy({ onlyIfNew: false, timeoutMs, signal });
    } finally {
      shown.uses -= 1;
      if (shown !== this.#shown && shown.uses === 0) await shown.output.close();
    }
  }

  /** Replaces the output of `frame`. The last call that uses the old one closes it. */
  async #show(shown) {
    const old = this.#shown;
    this.#shown = shown;
    if (old && old !== shown && old.uses === 0) await old.output.close();
  }

  async close() {
    await super.close();
    this.#ending.wake();
    this.#endObservers();
    for (const item of this.#items.values()) item[didLeave](this);
    await this.#show(undefined);
    for (const each of this.#made.splice(0).reverse()) await each.close();
  }
}

/** Makes an item of a source that can be opened or of an asset; `made` gets the objects that were made for it. */
export async function itemOf(engine, transport, source, options, made = []) {
  if (source instanceof PlayerItem) return source;
  const { signal, ...settings } = checked('playerItem', options);
  let asset = source;
  if (!(source instanceof Remote)) {
    asset = await engine.open(source, { signal });
    made.push(asset);
  }
  const params = { asset: asset.handle, ...itemSettings(settings) };
  const handle = await transport.playback.make('playerItem/create', params, 'playerItem', { signal });
  const item = new PlayerItem(transport, handle, asset);
  made.push(item);
  return item;
}

export async function madePlayer(engine, transport, sources, isQueue, options) {
  const { signal, audioFile, ...settings } = checked('player', options);
  if (audioFile !== undefined) settings.audioDevice = { kind: 'file', path: path.resolve(audioFile) };
  const made = [];
  const items = [];
  for (const source of sources) items.push(await itemOf(engine, transport, source, { signal }, made));
  const params = { items: items.map(({ handle }) => handle), isQueue, ...settings };
  const handle = await transport.playback.make('player/create', params, 'player', { signal });
  return new Player(transport, handle, items, { isQueue, clock: settings.clock }, made);
}
