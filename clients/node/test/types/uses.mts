// A program in TypeScript that uses the client: it isn't run, its types are checked.

import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import {
  Asset,
  AudioMix,
  Composition,
  Engine,
  ExportResult,
  FileFormatNotRecognizedError,
  Image,
  Instruction,
  Layer,
  LibraryItem,
  MediaTime,
  PlayerFrame,
  ReelwireError,
  SampleBuffer,
  TimeRange,
  Track,
  VideoComposition,
  Waveform,
} from 'reelwire';
import type { ImageFormat, Time } from 'reelwire/protocol';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const is = <T extends true>(): T | undefined => undefined;

export async function opening(controller: AbortController): Promise<void> {
  const engine = await Engine.launch({ binary: '/usr/bin/reelwire', env: process.env });
  const asset: Asset = await engine.open('clip.mp4');
  await engine.open(new Uint8Array(8));
  const { duration, tracks } = await asset.load('duration', 'tracks');
  is<Same<typeof duration, MediaTime>>();
  const codes: (string | undefined)[] = tracks.map((track: Track) => track.mediaSubType);
  console.log(codes, duration.seconds, asset.url);

  const image: Image = await asset.image(1.5, { width: 320, format: 'png', signal: controller.signal });
  const format: ImageFormat = image.format;
  await image.save('frame.png');
  for await (const each of asset.images([0, '1/3', { value: 1, timescale: 2 }], { tolerance: 0 })) {
    console.log(each.index, each.actualTime, format);
  }
  for await (const each of asset.images({ samples: [3, 50] }, { format: 'rgb24', ordered: false })) {
    const width: number | undefined = each.planes[0]?.width;
    console.log(width);
  }
  const sheet = await asset.contactSheet({ columns: 5, rows: 4, path: 'sheet.jpg' });
  is<Same<(typeof sheet.tiles)[0]['timeRange'], TimeRange>>();
  const waveform: Waveform = await asset.waveform({ format: 'png', width: 640 });
  console.log(waveform.channels.length);

  // @ts-expect-error: an option that there isn't.
  await asset.image(1, { tolerence: 0 });
  // @ts-expect-error: no format.
  await asset.image(1, { format: 'gif' });
  // @ts-expect-error: a property that there isn't.
  console.log(asset.lenght);
  await engine.close();
}

export async function exporting(engine: Engine, asset: Asset): Promise<ExportResult> {
  const job = asset.export('part.mp4', { preset: 'MediumQuality', timeRange: { start: 1, end: 3 } });
  for await (const progress of job) {
    const part: number = progress;
    console.log(part);
  }
  const session = await asset.exportSession('other.mkv', {
    settings: { video: { width: 640 }, audio: null },
    chapters: [[0, 'First']],
    metadata: { title: 'Evening' },
  });
  const preflight = await session.preflight();
  console.log(preflight);
  const joined = await engine.join(['a.mp4', asset.clip(0, 2)], 'joined.mp4');
  console.log(joined.isLossless);
  const stream = await asset.exportStream({ preset: 'MediumQuality', outputFileType: 'mkv' });
  console.log(stream.result.fileSize);
  await pipeline(stream, createWriteStream('copy.mkv'));
  return job;
}

export async function reading(asset: Asset): Promise<void> {
  for await (const frame of asset.frames({ pixelFormat: 'rgba', width: 160 })) {
    const kept: SampleBuffer = frame.keep();
    console.log(kept.presentationTime.seconds);
  }
  const channels: Float32Array[] = await asset.audio({ sampleRate: 16000, channels: 1 });
  const reader = await asset.reader([{ track: 'audio', sampleFormat: 'f32' }, 'video']);
  const [sound] = reader.outputs;
  if (sound) for await (const sample of sound) console.log(sample.channel(0));
  console.log(channels.length);
}

export async function composing(engine: Engine, asset: Asset): Promise<void> {
  const layer = new Layer(1, { fit: 'contain' }).fade(0, 1, { at: 0, duration: 1 });
  const videoComposition = new VideoComposition({
    size: { width: 320, height: 180 },
    frameDuration: '1/30',
    instructions: [new Instruction({ start: 0, duration: 4 }, [layer])],
  });
  // As an object, and as the protocol writes it.
  await engine.validateVideoComposition(videoComposition, { asset });
  await engine.validateVideoComposition(videoComposition.toJSON());
  const film: Composition = await engine.composition([asset.clip(1, 3), asset.clip(0, 1, { speed: 2 })]);
  await film.set({ audioMix: new AudioMix().fadeIn(2, 1), videoComposition });
  await film.export('film.mp4');
}

export async function watching(engine: Engine): Promise<void> {
  const library = await engine.library('/media', { watch: false });
  const item: LibraryItem | undefined = await library.videos.first();
  console.log(item?.name);
  const player = await engine.player('clip.mp4', { clock: 'manual' });
  const output = await (await player.currentItem())?.videoOutput();
  const frame: PlayerFrame | undefined = await output?.copy();
  const buffer: SampleBuffer | undefined = frame;
  console.log(buffer?.presentationTime);
}

export async function capturing(engine: Engine): Promise<void> {
  const session = await engine.capture({ synthetic: true, clock: 'manual' });
  const frames = session.frames({ width: 160 });
  const { value } = await frames.next();
  const sample: SampleBuffer | undefined = value ?? undefined;
  await frames.return();
  console.log(sample?.presentationTime, (await frames).dropped.late);
  for await (const block of session.audio()) console.log(block.numSamples);
}

export async function writing(engine: Engine): Promise<void> {
  const writer = await engine.assetWriter('made.mp4', {
    inputs: { video: { size: { width: 64, height: 48 }, frameRate: 25 } },
  });
  const result = await writer.finish();
  console.log(result.path);
}

export function failing(error: unknown): string {
  if (error instanceof FileFormatNotRecognizedError) return error.hint ?? '';
  if (error instanceof ReelwireError) return error.message;
  throw error;
}

export function times(): readonly boolean[] {
  const time = MediaTime.of('1/3');
  const wire: Time | undefined = JSON.parse(JSON.stringify(time));
  console.log(wire);
  return [time.seconds > 0, TimeRange.of({ start: 0, duration: time }).start.seconds === 0];
}
