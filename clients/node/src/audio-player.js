// Players of the audio of one file or asset.

import { EventEmitter } from 'node:events';
import path from 'node:path';

import { AudioPlayerCalls } from './calls.js';
import { checked } from './options.js';
import { failed, receive } from './playback.js';
import { Remote, send } from './remote.js';
import { MediaTime, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

export class AudioPlayer extends AudioPlayerCalls {
  #emitter = new EventEmitter();
  #hasEnded = false;
  #failure;
  #made;

  constructor(transport, handle, duration, made) {
    super(transport, handle);
    this.duration = duration;
    this.#made = made;
    transport.playback.add(handle, this);
  }

  [receive](method, params) {
    if (method === 'audioPlayer/didMeter') {
      this.levels = { hostTime: MediaTime.of(params.hostTime), channels: params.channels };
      this.#emitter.emit('levels', this.levels);
      return;
    }
    if (method === 'audioPlayer/didFinishPlaying') {
      this.#hasEnded = true;
      if (params.error) this.#failure = errorFromWire(params.error);
      this.#emitter.emit('ended', params.successfully);
    } else {
      const { changes } = params;
      if (changes.isPlaying) [this.#hasEnded, this.#failure] = [false, undefined];
      if (changes.status === 'failed') this.#failure = errorFromWire(changes.error);
      this.#emitter.emit('change', changes);
    }
    this.#emitter.emit('news');
  }

  [failed](error) {
    this.#failure = error;
    this.#emitter.emit('news');
  }

  on(event, listener) {
    this.#emitter.on(event, listener);
    return this;
  }

  off(event, listener) {
    this.#emitter.off(event, listener);
    return this;
  }

  async untilEnded(options) {
    const { signal } = checked('audioPlayer.untilEnded', options);
    while (this.#failure || !this.#hasEnded) {
      signal?.throwIfAborted();
      if (this.#failure) throw this.#failure;
      void this.handle;
      let abort;
      let go;
      try {
        await this.transport.whileWaiting(
          new Promise((resolve, reject) => {
            abort = () => reject(signal.reason);
            go = resolve;
            this.#emitter.once('news', go);
            signal?.addEventListener('abort', abort, { once: true });
          }),
        );
      } finally {
        this.#emitter.off('news', go);
        signal?.removeEventListener('abort', abort);
      }
    }
  }

  async advance(by, options = {}) {
    const { to, signal } = checked('audioPlayer.advance', options);
    const params = { audioPlayer: this.handle, by: timeOrNone(by), to: timeOrNone(to) };
    const result = await this[send]('audioPlayer/advanceClock', params, { signal });
    return { ...result, hostTime: MediaTime.of(result.hostTime), time: MediaTime.of(result.time) };
  }

  async close() {
    await super.close();
    this.#emitter.emit('news');
    for (const each of this.#made.splice(0)) await each.close();
  }
}

export async function madeAudioPlayer(engine, transport, source, options) {
  const { signal, audioFile, meterInterval, ...settings } = checked('audioPlayer', options);
  if (audioFile !== undefined) settings.audioDevice = { kind: 'file', path: path.resolve(audioFile) };
  const made = [];
  let asset = source;
  if (!(source instanceof Remote)) {
    asset = await engine.open(source, { signal });
    made.push(asset);
  }
  const params = { asset: asset.handle, meterInterval: timeOrNone(meterInterval), ...settings };
  try {
    const { audioPlayer, duration } = await transport.playback.made(
      'audioPlayer/create',
      params,
      'audioPlayer',
      { signal },
    );
    return new AudioPlayer(transport, audioPlayer, MediaTime.of(duration), made);
  } catch (error) {
    for (const each of made) await each.close();
    throw error;
  }
}
