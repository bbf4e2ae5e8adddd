// The playing of a page: a player of the engine, whose pictures the page asks for one by one.

'use strict';

/** How many pictures are sent a second at most. */
const PER_SECOND = 20;
/** The milliseconds that a picture is waited for after a jump. */
const PATIENCE = 1000;

/** What plays for a page, from its start to its end or to a pause; another start needs another one. */
class Playback {
  #engine;
  #asset;
  #listener;
  #closing = new AbortController();
  #player;
  #looper;
  #output;
  #observer;
  /** The time that is to be shown; the page has drawn what it got before. */
  #due;
  /** The clock's time of the newest firing: of two observers in turn the later one may have older firings. */
  #newest;
  #hasDrawn = true;
  #isSending = false;

  /** The listener has `show(seconds, frame)`, `ended()` and `failed(error)`. */
  constructor(engine, asset, listener) {
    this.#engine = engine;
    this.#asset = asset;
    this.#listener = listener;
  }

  get #signal() {
    return this.#closing.signal;
  }

  /** Plays from a time on. `loop` is the range that is repeated, `{}` for all. */
  async start({ from, rate, loop, audio, width }) {
    const signal = this.#signal;
    // The clock of the audio server is needed for audio alone. What is made isn't cancelled: it is closed.
    const options = { clock: audio ? 'audio' : 'host' };
    this.#player = await (loop
      ? this.#engine.queuePlayer([this.#asset], options)
      : this.#engine.player(this.#asset, options));
    const player = this.#player;
    if (signal.aborted) return this.close();
    const item = await player.currentItem({ signal });
    if (width) {
      const form = { pixelFormat: 'jpeg', delivery: 'inline', width, signal };
      this.#output = await item.videoOutput(form);
    }
    if (loop) this.#looper = await player.loop(loop.start === undefined ? undefined : loop);
    if (signal.aborted) return this.close();
    if (from) await player.seek(from, { exact: true, signal });
    await this.setRate(rate);
    this.#until(player);
  }

  async #until(player) {
    try {
      await player.untilEnded({ signal: this.#signal });
      this.#listener.ended();
    } catch (error) {
      if (!this.#signal.aborted) this.#listener.failed(error);
    }
  }

  async setRate(rate) {
    const old = this.#observer;
    // The observer's interval is in the item's time.
    this.#observer = await this.#player.observe([Math.round(rate * 100), 100 * PER_SECOND], {
      signal: this.#signal,
    });
    this.#watch(this.#observer);
    await this.#player.setRate(rate, { signal: this.#signal });
    await old?.close();
  }

  async #watch(observer) {
    try {
      for await (const { time, cause, hostTime } of observer.firings({ signal: this.#signal })) {
        if (this.#newest && hostTime.compare(this.#newest) < 0) continue;
        this.#newest = hostTime;
        this.#due = { time, cause };
        this.#offer();
      }
    } catch {
      // The end of the engine, which who waits for the player's end hears of.
    }
  }

  /** The page has drawn what it got, and may get the next. */
  drawn() {
    this.#hasDrawn = true;
    this.#offer();
  }

  async #offer() {
    if (!this.#due || !this.#hasDrawn || this.#isSending) return;
    const { time, cause } = this.#due;
    this.#due = undefined;
    this.#isSending = true;
    try {
      const timeoutMs = cause === 'interval' ? 0 : PATIENCE;
      const frame = await this.#output?.copy({ timeoutMs, signal: this.#signal });
      if (!this.#signal.aborted) {
        this.#hasDrawn = false;
        this.#listener.show(time, frame);
      }
    } catch {
      // As above.
    }
    this.#isSending = false;
    this.#offer();
  }

  /** Goes to a time; of several in a hurry only the last one counts. */
  seek(seconds) {
    const options = { exact: true, whileScrubbing: true, signal: this.#signal };
    // Of its failure the player hears, too.
    this.#player?.seek(seconds, options).catch(() => {});
  }

  /** Ends playing; the time where that was. */
  async pause() {
    await this.#player.pause();
    const { time } = await this.#player.state();
    await this.close();
    return time;
  }

  async close() {
    this.#closing.abort();
    for (const each of [this.#looper, this.#player]) await each?.close().catch(() => {});
  }
}

module.exports = { Playback };
