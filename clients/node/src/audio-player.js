// Players of the audio of one file or asset.

import path from 'node:path';

import { AudioPlayerCalls } from './calls.js';
import { checked } from './options.js';
import { Ending, Listeners, failed, receive } from './playback.js';
import { Remote, send } from './remote.js';
import { MediaTime, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

export class AudioPlayer extends AudioPlayerCalls {
  #heard = new Listeners(this);
  #ending;
  #made;

  constructor(transport, handle, duration, made) {
    super(transport, handle);
    this.duration = duration;
    this.#ending = new Ending(transport);
    this.#made = made;
    transport.playback.add(handle, this);
  }

  [receive](method, params) {
    if (method === 'audioPlayer/didMeter') {
      this.levels = { hostTime: MediaTime.of(params.hostTime), channels: params.channels };
      this.#heard.emit('levels', this.levels);
      return;
    }
    if (method === 'audioPlayer/didFinishPlaying') {
      if (params.error) this.#ending.fail(errorFromWire(params.error));
      else this.#ending.reach();
      this.#heard.emit('ended', params.successfully);
    } else {
      const { changes } = params;
      if (changes.isPlaying) this.#ending.postpone();
      if (changes.status === 'failed') this.#ending.fail(errorFromWire(changes.error));
      this.#heard.emit('change', changes);
    }
  }

  [failed](error) {
    this.#ending.fail(error);
  }

  on(event, listener) {
    this.#heard.add(event, listener);
    return this;
  }

  off(event, listener) {
    this.#heard.remove(event, listener);
    return this;
  }

  [send](method, params, options) {
    // The notification that it plays comes after the answer, which the caller has by then.
    const onResult = method.endsWith('/play') ? () => this.#ending.postpone() : undefined;
    return super[send](method, params, { ...options, onResult });
  }

  async untilEnded(options) {
    const { signal } = checked('audioPlayer.untilEnded', options);
    await this.#ending.wait(this, signal);
  }

  async advance(by, options = {}) {
    const { to, signal } = checked('audioPlayer.advance', options);
    const params = { audioPlayer: this.handle, by: timeOrNone(by), to: timeOrNone(to) };
    const result = await this[send]('audioPlayer/advanceClock', params, { signal });
    return { ...result, hostTime: MediaTime.of(result.hostTime), time: MediaTime.of(result.time) };
  }

  async close() {
    await super.close();
    this.#ending.wake();
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
