// An open file: what is known of it, and the editors that show it.

'use strict';

const { Playback } = require('./playback.js');

/** More frames than any file has. */
const MAXIMUM = 1e9;

/** A picture of the client as a URL that holds it. */
const dataURL = ({ blob, data }) => `data:${blob.mimeType};base64,${data.toString('base64')}`;

const clock = (time) => {
  if (!time.isNumeric) return time.kind;
  const milliseconds = Math.round(time.seconds * 1000);
  const seconds = ((milliseconds % 60_000) / 1000).toFixed(3).padStart(6, '0');
  return `${Math.floor(milliseconds / 60_000)}:${seconds}`;
};

/** A short description of a track: its number, its kind, and the rest in one line. */
async function describe(track) {
  const { formatDescriptions, nominalFrameRate } = await track.load(
    'formatDescriptions',
    'nominalFrameRate',
  );
  const [format] = formatDescriptions;
  const { video, audio } = format ?? {};
  const parts = [
    (format?.codec ?? track.mediaSubType) + (format?.profile ? ` (${format.profile})` : ''),
    video && `${video.dimensions.width} × ${video.dimensions.height}`,
    nominalFrameRate > 0 && `${Number(nominalFrameRate.toFixed(3))} frames/s`,
    video?.pixelFormat,
    audio && `${audio.sampleRate / 1000} kHz`,
    audio?.channelLayout,
    track.languageCode !== 'und' && track.languageCode,
  ];
  return [String(track.trackID), track.mediaType, parts.filter(Boolean).join(', ')];
}

/** The number of a picture's frame, where it is known. */
const numbered = ({ sampleIndex }) => (sampleIndex === undefined ? '' : `frame ${sampleIndex}, `);

/** The seconds of a place, which pages send as such. */
const secondsOf = (place) => place?.seconds ?? place;

/** A place in a range, or else the range's start. */
const within = (place, { start, end }) =>
  secondsOf(place) >= start && secondsOf(place) < end ? place : start;

class MediaDocument {
  #engine;
  #asset;
  #facts;

  constructor(uri, engine, asset) {
    this.uri = uri;
    this.#engine = engine;
    this.#asset = asset;
  }

  /** The values that everything else needs; they are loaded once. */
  facts() {
    return (this.#facts ??= this.#asset.load('duration', 'tracks', 'commonMetadata'));
  }

  /** Begins to send to a page; `send` takes the messages. */
  show(send, size) {
    const view = new View(this.#engine, this.#asset, send, size);
    view.start(this.facts());
    return view;
  }

  // What still runs for the asset is cancelled, and there is no page to send it to.
  dispose() {
    this.#asset.close().catch(() => {});
  }
}

/** What is sent to one page. */
class View {
  #engine;
  #asset;
  #send;
  #size;
  #closing = new AbortController();
  #generator;
  #duration;
  #video;
  /** The width of pictures here. */
  #width;
  /** The place, where one can play from; none for the start. */
  #time;
  #hasEnded = false;
  #wanted;
  #isBusy = false;
  #playback;
  /** What plays and pauses, one after the other. */
  #line = Promise.resolve();

  constructor(engine, asset, send, size) {
    this.#engine = engine;
    this.#asset = asset;
    this.#send = (message) => this.#closing.signal.aborted || send(message);
    this.#size = size;
  }

  dispose() {
    this.#closing.abort();
    this.#playback?.close();
    this.#generator?.then((generator) => generator.close()).catch(() => {});
  }

  get #signal() {
    return this.#closing.signal;
  }

  async #try(work) {
    try {
      await work();
    } catch (error) {
      this.#send({ type: 'problem', text: error.message });
    }
  }

  start(facts) {
    return this.#try(async () => {
      const { duration, tracks, commonMetadata } = await facts;
      const has = (type) => tracks.find(({ mediaType }) => mediaType === type);
      const texts = commonMetadata.filter(({ value }) => /string|number/.test(typeof value));
      this.#send({
        type: 'facts',
        duration: duration.isNumeric ? duration.seconds : 0,
        hasAudio: Boolean(has('audio')),
        // In a remote window no one hears the machine where the engine runs.
        audio: this.#size.isLocal,
        tracks: await Promise.all(tracks.map(describe)),
        tags: [
          ['duration', clock(duration)],
          ...texts.map(({ commonKey, value }) => [commonKey, String(value)]),
        ],
      });
      this.#duration = duration;
      this.#video = has('video');
      this.step({ count: -MAXIMUM });
      await Promise.all([
        has('video') && this.#try(() => this.#filmstrip(duration)),
        has('audio') && this.#try(() => this.#waveform(duration)),
      ]);
    });
  }

  async #filmstrip(duration) {
    const { count, width } = this.#size;
    // The frame in the middle of each part, or a cheaper one earlier in the part.
    const before = duration.isNumeric ? duration.multiply([1, 2 * count]) : '+infinity';
    const sheet = await this.#asset.contactSheet({
      ...{ columns: count, rows: 1, tileWidth: Math.max(2, Math.floor(width / count)) },
      ...{ requestedTimeToleranceBefore: before, requestedTimeToleranceAfter: 0 },
      signal: this.#signal,
    });
    const { start } = sheet.tiles[0].timeRange;
    const seconds = sheet.tiles.at(-1).timeRange.end.subtract(start).seconds;
    this.#send({ type: 'filmstrip', url: dataURL(sheet), start: start.seconds, seconds });
  }

  async #waveform(duration) {
    const picture = await this.#asset.waveform({
      ...{ format: 'png', width: Math.max(1, Math.round(this.#size.width)), height: 96 },
      timeRange: duration.isNumeric ? { start: 0, duration } : undefined,
      signal: this.#signal,
    });
    this.#send({ type: 'waveform', url: dataURL(picture) });
  }

  /** What the page asks for. */
  take(message) {
    if (message.type === 'drawn') return this.#playback?.drawn();
    this.#line = this.#line.then(() => this.#try(() => this.#obey(message)));
  }

  async #obey(message) {
    if (message.type === 'play') return this.#play(message);
    if (message.type === 'rate') return this.#playback?.setRate(message.rate);
    // While it plays, pausing and steps by frames end that.
    if (this.#playback && message.seconds !== undefined) return this.#playback.seek(message.seconds);
    await this.#pause();
    if (message.type !== 'step') return undefined;
    this.#hasEnded = false;
    return this.step(message);
  }

  /** Plays from the current place on, or from the start when that is the end. */
  async #play({ rate, loop, audio }) {
    await this.#stop();
    if (this.#signal.aborted) return;
    const place = this.#hasEnded ? undefined : this.#time;
    const from = loop?.start === undefined ? place : within(place, loop);
    this.#hasEnded = false;
    const playback = new Playback(this.#engine, this.#asset, {
      show: (time, frame) => this.#showPlayed(time, frame),
      ended: () => {
        this.#end(playback);
        this.#hasEnded = true;
        this.step({ count: MAXIMUM });
      },
      failed: (error) => {
        this.#end(playback);
        this.#send({ type: 'problem', text: error.message });
      },
    });
    this.#playback = playback;
    this.#send({ type: 'playing', isPlaying: true });
    try {
      await playback.start({ from, rate, loop, audio, width: this.#width });
    } catch (error) {
      this.#end(playback);
      if (!this.#signal.aborted) throw error;
    }
  }

  #showPlayed(time, frame) {
    this.#time = time;
    this.#send({
      ...{ type: 'place', isPlaying: true, seconds: time.seconds, url: frame && dataURL(frame) },
      text: frame ? `${numbered(frame)}${clock(frame.time)}` : this.#video ? undefined : clock(time),
    });
  }

  #end(playback) {
    playback.close();
    if (this.#playback !== playback) return;
    this.#playback = undefined;
    this.#send({ type: 'playing', isPlaying: false });
  }

  async #pause() {
    if (!(await this.#stop())) return;
    this.#send({ type: 'playing', isPlaying: false });
    // Its very frame.
    this.step({ seconds: this.#time });
  }

  /** Stops playing where it is; whether anything has played. */
  async #stop() {
    const playback = this.#playback;
    this.#playback = undefined;
    if (playback) this.#time = await playback.pause();
    return Boolean(playback);
  }

  /** Goes to the frame at `seconds`, or on by a `count` of frames as far as there are some. */
  step(wanted) {
    if (!this.#video) return this.#goTo(wanted);
    // Of several places only the last one counts, but no step is lost.
    if (wanted.count !== undefined && this.#wanted) {
      const { seconds, count = 0 } = this.#wanted;
      this.#wanted = { seconds, count: count + wanted.count };
    } else {
      this.#wanted = wanted;
    }
    if (!this.#isBusy) this.#go();
  }

  /** The place in a file without pictures. */
  #goTo({ seconds: place, count }) {
    const end = this.#duration?.isNumeric ? this.#duration : undefined;
    const time = place ?? (count === -MAXIMUM ? 0 : count === MAXIMUM ? end : undefined);
    if (time === undefined) return;
    this.#time = time;
    const seconds = secondsOf(time);
    this.#send({ type: 'place', seconds, text: clock({ isNumeric: true, seconds }) });
  }

  async #go() {
    this.#isBusy = true;
    while (this.#wanted && !this.#signal.aborted) {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      try {
        await this.#show(wanted);
      } catch (error) {
        // Such as that there is no frame at this time.
        this.#send({ type: 'place', seconds: secondsOf(wanted.seconds), text: error.message });
      }
    }
    this.#isBusy = false;
  }

  async #show({ seconds, count }) {
    const { width, height } = this.#size;
    const generator = await (this.#generator ??= this.#asset.imageGenerator({
      ...{ tolerance: 0, appliesPreferredTrackTransform: true },
      maximumSize: { width: Math.round(width), height: Math.round(height) },
    }));
    const time = count === undefined ? seconds : await this.#timeAt(seconds, count);
    const image = await this.#image(generator, time);
    this.#time = image.actualTime;
    this.#width = image.width;
    this.#send({
      ...{ type: 'place', url: dataURL(image), seconds: this.#time.seconds },
      text: `${numbered(image)}${clock(this.#time)} (${this.#time})`,
    });
  }

  /** The frame of a time; the first one at the beginning, where none may be shown yet. */
  async #image(generator, time) {
    const options = { signal: this.#signal };
    try {
      return await generator.image(time, options);
    } catch (error) {
      if (error.name !== 'noImageAtTime' || time !== 0) throw error;
      return generator.image(undefined, options);
    }
  }

  /** The exact time of the frame that is a count of frames away. */
  async #timeAt(seconds, count) {
    const place = seconds ?? this.#time ?? 'first';
    const cursor = await this.#asset.sampleCursor(this.#video, place, { signal: this.#signal });
    try {
      await cursor.step(count, 'presentation');
      return (await cursor.sample()).presentationTime;
    } finally {
      await cursor.close();
    }
  }
}

module.exports = { MediaDocument };
