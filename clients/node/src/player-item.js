// A player's presentation of an asset, and its frames.

import { blobs } from './blob.js';
import { PlayerItemCalls, VideoOutputCalls } from './calls.js';
import { checked } from './options.js';
import { Events, failed, receive } from './playback.js';
import { isGone, send } from './remote.js';
import { SampleBuffer } from './sample-buffer.js';
import { MediaTime, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

/** Adds a listener to an item: `item[listen](object)`. */
export const listen = Symbol('listen');

/** The player that an item was given to last: `item[player]`. */
export const player = Symbol('player');

/** True for a player whose clock the caller moves: `player[isManual]`. */
export const isManual = Symbol('isManual');

/** True for an item that was played to its end, and stayed there: `item[isAtEnd]`. */
export const isAtEnd = Symbol('isAtEnd');
/** Has a player leave the end of its item: `player[leaveEnd]()`. */
export const leaveEnd = Symbol('leaveEnd');

/** An item's error, if it has failed: `item[failure]`. */
export const failure = Symbol('failure');

/** Called by a player that is closed, or that the item has left: `item[didLeave](player)`. */
export const didLeave = Symbol('didLeave');

/** The notification of an item's output after which nothing comes before the item is in a player again. */
const PLAYER_LEFT = 'playerItem/didLeave';

/** True for an item that isn't in the player that it was given to last: `item[hasLeft]`. */
export const hasLeft = Symbol('hasLeft');

/** Called by an item that is closed: `output[ended]()`. */
const ended = Symbol('ended');

/** The members of an item's settings in the wire's form. */
export const itemSettings = ({
  enabledTrackIDs,
  videoComposition,
  audioMix,
  audioTimePitchAlgorithm,
  initialTime,
  forwardPlaybackEndTime,
  reversePlaybackEndTime,
  preferredForwardBufferDuration,
}) => ({
  enabledTrackIDs,
  videoComposition,
  audioMix,
  audioTimePitchAlgorithm,
  initialTime: timeOrNone(initialTime),
  forwardPlaybackEndTime: timeOrNone(forwardPlaybackEndTime),
  reversePlaybackEndTime: timeOrNone(reversePlaybackEndTime),
  preferredForwardBufferDuration: timeOrNone(preferredForwardBufferDuration),
});

/** A picture of a player's item: a sample buffer, with its place in the playback. */
export class PlayerFrame extends SampleBuffer {
  constructor(wire, blob) {
    const { itemTimeForDisplay, duration, image } = wire;
    super({ presentationTime: itemTimeForDisplay, duration, numSamples: 1, attachments: {}, image }, blob);
    this.sampleIndex = wire.sampleIndex;
    this.revision = wire.revision;
    this.hostTime = wire.hostTime && MediaTime.of(wire.hostTime);
    this.dropped = wire.dropped;
  }

  /** The start of the frame's own time. */
  get time() {
    return this.presentationTime;
  }
}

export class VideoOutput extends VideoOutputCalls {
  #events;
  #item;

  constructor(transport, handle, item) {
    super(transport, handle);
    this.#item = item;
    this.#events = new Events(transport);
    transport.playback.add(handle, this);
  }

  [receive](method, params) {
    if (this.#events.isEnded) {
      this.transport.giveBack(params);
    } else if (method === 'playerItem/didChange' && params.changes.status === 'failed') {
      this.#events.end(errorFromWire(params.changes.error));
    } else {
      this.#events.put(method, params);
    }
  }

  [failed](error) {
    this.#events.end(error);
  }

  async copy(options) {
    const { itemTime, hostTime, onlyIfNew, timeoutMs, signal } = checked('videoOutput.copy', options);
    const params = {
      videoOutput: this.handle,
      itemTime: timeOrNone(itemTime),
      hostTime: timeOrNone(hostTime),
      onlyIfNew,
      timeoutMs,
    };
    const wire = await this[send]('videoOutput/copyPixelBuffer', params, { signal });
    if (!wire.blob) return undefined;
    return new PlayerFrame(wire, (await blobs(this.transport, [wire.blob]))[0]);
  }

  /**
   * The frames as they are due, until the item has been played to its end or has left its player, or the output or the
   * player is closed; on a manual clock, until none is due.
   */
  async *pushed(signal) {
    let event;
    while ((await this.#hasNext(signal)) && (event = await this.#events.next(signal)) !== undefined) {
      const { method, params } = event;
      if (method === 'playerItem/didPlayToEndTime') return;
      if (method === 'playerItem/didFailToPlayToEndTime') throw errorFromWire(params.error);
      // A player may have the item again by now.
      if (method === PLAYER_LEFT && (this.#item[hasLeft] || (this.#item[player]?.closed ?? true))) return;
      if (method !== 'videoOutput/didOutput') continue;
      yield new PlayerFrame(params, (await blobs(this.transport, [params.blob]))[0]);
    }
  }

  /** False where nothing is due, and nothing will be before the caller moves the clock. */
  async #hasNext(signal) {
    const playing = this.#item[player];
    if (this.#events.hasNext || !playing?.[isManual] || playing.closed) return true;
    // Everything that is due has come when this is answered.
    await playing.advance(0, { signal });
    return this.#events.hasNext;
  }

  /** Ends the loops over it. The memory of its unread frames may have other contents soon. */
  [ended]() {
    this.#events.end();
    for (const { params } of this.#events.untaken()) this.transport.giveBack(params);
  }

  async close() {
    this[ended]();
    try {
      await super.close();
    } catch (error) {
      // It ends with its item.
      if (!isGone(error)) throw error;
    }
  }
}

export class PlayerItem extends PlayerItemCalls {
  #listeners = new Set();
  #failure;
  #player;

  [isAtEnd] = false;
  [hasLeft] = false;

  constructor(transport, handle, asset) {
    super(transport, handle);
    this.asset = asset;
    transport.playback.add(handle, this);
  }

  /** The error because of which it can't be played. */
  get [failure]() {
    return this.#failure;
  }

  get [player]() {
    return this.#player;
  }

  set [player](value) {
    this.#player = value;
    this[hasLeft] = false;
  }

  /** Makes a player or an output receive the item's notifications. */
  [listen](listener) {
    for (const reference of this.#listeners) if (reference.deref() === listener) return;
    this.#listeners.add(new WeakRef(listener));
  }

  [receive](method, params) {
    if (method === 'playerItem/didChange' && params.changes.status) {
      const { error } = params.changes;
      this.#failure = error && errorFromWire(error);
    }
    if (method === 'playerItem/didPlayToEndTime') this[isAtEnd] = true;
    if (method === 'playerItem/didJump') this[isAtEnd] = false;
    for (const reference of this.#listeners) {
      const listener = reference.deref();
      if (listener) listener[receive](method, params);
      else this.#listeners.delete(reference);
    }
  }

  [failed]() {}

  /** Ends the loops over its pictures if that was its player: none are due before it is in one again. */
  [didLeave](left) {
    if (this[player] !== left) return;
    this[hasLeft] = true;
    for (const output of this.#outputs()) output[receive](PLAYER_LEFT, {});
  }

  /** Sends a request. A step leaves the end with its answer: the notification of that comes later. */
  [send](method, params, options) {
    const onResult = (result) => {
      options?.onResult?.(result);
      if (method.endsWith('/step') && result.stepped) this[player]?.[leaveEnd]();
    };
    return super[send](method, params, { ...options, onResult });
  }

  /** Its outputs that are in use. */
  #outputs() {
    const listeners = [...this.#listeners].map((reference) => reference.deref());
    return listeners.filter((listener) => listener instanceof VideoOutput);
  }

  async set(options = {}) {
    const { signal, ...settings } = checked('playerItem.set', options);
    const params = { playerItem: this.handle, ...itemSettings(settings) };
    await this[send]('playerItem/set', params, { signal });
  }

  async videoOutput(options) {
    const { signal, ...settings } = checked('videoOutput', options);
    const params = { playerItem: this.handle, ...settings };
    const { playback } = this.transport;
    const handle = await playback.make('videoOutput/create', params, 'videoOutput', { signal });
    const output = new VideoOutput(this.transport, handle, this);
    this[listen](output);
    // It sends no pictures, and reports that only once.
    if (this.#failure) output[failed](this.#failure);
    else if (this[hasLeft]) output[receive](PLAYER_LEFT, {});
    return output;
  }

  close() {
    for (const output of this.#outputs()) output[ended]();
    return super.close();
  }
}
