// Options by name: one that a call doesn't have is an error that names the one that was meant.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { Engine, Instruction, Layer, TimeRange, VideoComposition } from '../src/index.js';
import { CALL_OPTIONS } from '../src/call-options.js';
import { OPTIONS } from '../src/options.js';
import { clip, collect, cover, folder, probe, sharedEngine } from './support.js';

const engine = await sharedEngine(async () => {
  const made = [recorder, capturing, sound, looper, queue, pictures, player, result, library, writer, cursor, reader, session, generator, composition, asset];
  for (const each of made) await each.close();
});
const asset = await engine.open(clip());
const track = (await asset.loadTracks({ mediaType: 'video' }))[0];
const generator = await asset.imageGenerator();
const session = await asset.exportSession(path.join(folder(), 'never.mp4'));
const reader = await asset.reader('video');
const cursor = await asset.sampleCursor(track);
const writer = await engine.assetWriter(path.join(folder(), 'never.mp4'), {
  inputs: { video: { size: { width: 64, height: 48 }, frameRate: 25 } },
});
const [output] = reader.outputs;
const composition = await engine.composition(asset);
const shelf = folder();
fs.copyFileSync(clip(), path.join(shelf, 'clip.mp4'));
const library = await engine.library(shelf, { database: path.join(folder(), 'l.sqlite'), watch: false });
await library.scan();
const result = await library.items.fetch();
const [item] = await result.slice();
const player = await engine.player(clip(), { clock: 'manual' });
await player.advance(0);
const shown = await player.currentItem();
const pictures = await shown.videoOutput();
const queue = await engine.queuePlayer([clip()], { clock: 'manual' });
const looper = await queue.loop();
const sound = await engine.audioPlayer(clip(), { clock: 'manual' });
const capturing = await engine.capture({ synthetic: { width: 64, height: 48 }, clock: 'manual' });
const captured = await capturing.addOutput('videoData');
const heard = await capturing.observeLevels();
const recorder = await engine.audioRecorder(path.join(folder(), 'never.wav'), {
  device: 'synthetic:2',
  clock: 'manual',
});
const part = { start: 0, duration: 1 };

/** A new file that isn't to be made. */
const never = () => path.join(folder(), 'never.mp4');

/** The calls with options. */
const CALLS = {
  launch: (options) => Engine.launch(options),
  open: (options) => engine.open(clip(), options),
  request: (options) => engine.request('handle/list', {}, options),
  composition: (options) => engine.composition(options),
  assemble: (options) => engine.assemble({ clips: [{ url: clip() }] }, options),
  expandSequence: (options) => engine.expandSequence({ clips: [{ url: clip() }] }, options),
  importComposition: (options) => engine.importComposition({}, options),
  join: (options) => engine.join([asset], never(), options),
  clip: async (options) => asset.clip(0, 1, options),
  assetWriter: (options) => engine.assetWriter(never(), options),
  writeVideo: (options) => engine.writeVideo(never(), [], options),
  canAddInput: (options) => engine.canAddInput('mp4', { mediaType: 'video' }, options),
  'an input of a writer': (input) => engine.canAddInput('mp4', { mediaType: 'video', ...input }),
  'the segments of a writer': (segments) => engine.assetWriter(undefined, { segments }),
  append: (options) => writer.inputs.video.append(Buffer.alloc(64 * 48 * 4), options),
  extend: (options) => writer.inputs.video.extend([], options),
  writable: async (options) => writer.inputs.video.writable(options),
  finish: (options) => writer.finish(options),
  transfer: (options) => writer.transfer([], options),
  endSession: (options) => writer.endSession(1, options),
  copy: (options) => composition.copy(options),
  insert: (options) => composition.insert(asset, 0, options),
  insertTimeRange: (options) => composition.insertTimeRange(asset, options),
  insertTimeRanges: (options) => composition.insertTimeRanges(1, [asset], options),
  insertEmptyTimeRange: (options) => composition.insertEmptyTimeRange(part, options),
  removeTimeRange: (options) => composition.removeTimeRange(part, options),
  scaleTimeRange: (options) => composition.scaleTimeRange(part, 2, options),
  segments: (options) => composition.segments(1, options),
  'a segment': (segment) => composition.setSegments(1, [{ target: part, ...segment }]),
  setSegments: (options) => composition.setSegments(1, [], options),
  validateSegments: (options) => composition.validateSegments(1, [], options),
  timeline: (options) => composition.timeline(options),
  timelineLosses: (options) => composition.timelineLosses(options),
  openTimelineIO: (options) => composition.openTimelineIO(options),
  'composition.set': (options) => composition.set(options),
  'a layer': (options) => new Layer(1, options),
  'an instruction': (options) => new Instruction(part, [], options),
  'a video composition': (options) =>
    new VideoComposition({
      ...{ size: { width: 1, height: 1 }, frameDuration: 1, instructions: [] },
      ...options,
    }),
  videoComposition: (options) => asset.videoComposition(options),
  validateVideoComposition: (options) => engine.validateVideoComposition({}, options),
  layerRamp: (options) => engine.layerRamp(new Layer(1), 'opacity', 0, options),
  addTrack: (options) => composition.addTrack('video', options),
  removeTrack: (options) => composition.removeTrack(1, options),
  setTrack: (options) => composition.setTrack(1, options),
  compatibleTrack: (options) => composition.compatibleTrack(asset, 1, options),
  load: (options) => asset.load('duration', options),
  status: (options) => track.status('timeRange', options),
  loadTracks: (options) => asset.loadTracks(options),
  loadTrack: (options) => asset.loadTrack(1, options),
  findUnusedTrackID: (options) => asset.findUnusedTrackID(options),
  discover: (options) => engine.discover(options),
  capabilities: (options) => engine.capabilities(options),
  stats: (options) => engine.stats(options),
  setLogLevel: (options) => engine.setLogLevel('off', options),
  volumeRamp: (options) => engine.volumeRamp({ inputParameters: [] }, 1, 0, options),
  handles: (options) => engine.handles(options),
  presets: (options) => engine.presets(options),
  cancelLoading: (options) => asset.cancelLoading(options),
  segment: (options) => track.segment(0, options),
  samplePresentationTime: (options) => track.samplePresentationTime(0, options),
  cancelAll: (options) => generator.cancelAll(options),
  'exportSession.status': (options) => session.status(options),
  cancel: (options) => session.cancel(options),
  'assetReader.status': (options) => reader.status(options),
  markConfigurationAsFinal: (options) => output.markConfigurationAsFinal(options),
  'sampleCursor.step': (options) => cursor.step(1, 'decode', options),
  stepByTime: (options) => cursor.stepByTime(0, 'decode', options),
  sample: (options) => cursor.sample(options),
  chunk: (options) => cursor.chunk(options),
  compare: (options) => cursor.compare(cursor, options),
  loadMetadata: (options) => asset.loadMetadata(options),
  artwork: (options) => asset.artwork(options),
  sceneChanges: (options) => asset.sceneChanges(options),
  silences: (options) => asset.silences(options),
  loudness: (options) => asset.loudness(options),
  chapters: (options) => asset.chapters(options),
  mediaSelectionGroup: (options) => asset.mediaSelectionGroup('audible', options),
  imageGenerator: (options) => asset.imageGenerator(options),
  image: (options) => asset.image(1, options),
  images: (options) => collect(asset.images([1], options)),
  contactSheet: (options) => asset.contactSheet(options),
  'imageGenerator.image': (options) => generator.image(1, options),
  'imageGenerator.images': (options) => collect(generator.images([1], options)),
  'imageGenerator.contactSheet': (options) => generator.contactSheet(options),
  maximumSize: (maximumSize) => asset.image(1, { maximumSize }),
  compatiblePresets: (options) => asset.compatiblePresets(options),
  incompatiblePresets: (options) => asset.incompatiblePresets(options),
  compatibleFileTypes: (options) => asset.compatibleFileTypes('Passthrough', options),
  incompatibleFileTypes: (options) => asset.incompatibleFileTypes('Passthrough', options),
  exportSession: (options) => asset.exportSession(never(), options),
  export: (options) => asset.export(never(), options),
  exportStream: (options) => asset.exportStream(options),
  'exportSession.export': (options) => session.export(options),
  'exportSession.exportPart': (options) => session.exportPart({}, 0, never(), options),
  'exportSession.join': (options) => session.join({}, [], options),
  plan: (options) => session.plan(options),
  preflight: (options) => session.preflight(options),
  estimate: (options) => session.estimate(options),
  metadataChanges: (options) => asset.exportSession(never(), { metadataChanges: options }),
  'a chapter': (options) => asset.exportSession(never(), { chapters: [options] }),
  'an item of metadata': (item) => asset.exportSession(never(), { metadata: [item] }),
  reader: (options) => asset.reader('video', options),
  'an output of a track': (output) => asset.reader({ track: 'video', ...output }),
  'an output of an audio mix': (output) => asset.reader({ audioMix: true, ...output }),
  'an output of a video composition': (output) =>
    asset.reader({ videoComposition: true, ...output }),
  frames: (options) => collect(asset.frames(options)),
  audio: (options) => asset.audio(options),
  'frames by number': (frames) => collect(generator.images(frames)),
  next: (options) => output.next(options),
  samples: (options) => collect(output.samples(options)),
  sampleCursor: (options) => asset.sampleCursor(track, 'first', options),
  read: (options) => cursor.read(options),
  'sampleCursor.samples': (options) => collect(cursor.samples(options)),
  waveform: (options) => asset.waveform(options),
  'a time range': async (range) => TimeRange.of(range),
  player: (options) => engine.player(clip(), options),
  playerItem: (options) => engine.playerItem(clip(), options),
  hostTime: (options) => engine.hostTime(options),
  'player.play': (options) => player.play(options),
  'player.pause': (options) => player.pause(options),
  setRate: (options) => player.setRate(0, options),
  'player.set': (options) => player.set(options),
  'player.state': (options) => player.state(options),
  seek: (options) => player.seek(0, options),
  preroll: (options) => player.preroll(1, options),
  cancelPendingSeeks: (options) => player.cancelPendingSeeks(options),
  cancelPendingPrerolls: (options) => player.cancelPendingPrerolls(options),
  advance: (options) => player.advance(0, options),
  items: (options) => player.items(options),
  'player.insert': (options) => player.insert(shown, options),
  replaceCurrentItem: (options) => player.replaceCurrentItem(shown, options),
  remove: (options) => player.remove(shown, options),
  removeAllItems: (options) => player.removeAllItems(options),
  advanceToNextItem: (options) => queue.advanceToNextItem(options),
  loop: (options) => player.loop(part, options),
  observe: (options) => player.observe(1, options),
  at: (options) => player.at([1], options),
  firings: async (options) => collect((await player.at([1])).firings(options)),
  untilEnded: (options) => player.untilEnded(options),
  'player.finishAudioFile': (options) => player.finishAudioFile(options),
  'player.frames': (options) => collect(player.frames(options)),
  frame: (options) => player.frame(options),
  'playerItem.set': (options) => shown.set(options),
  'playerItem.state': (options) => shown.state(options),
  'playerItem.step': (options) => shown.step(1, options),
  select: (options) => shown.select('audible', options),
  videoOutput: (options) => shown.videoOutput(options),
  'videoOutput.copy': (options) => pictures.copy(options),
  hasNewPixelBuffer: (options) => pictures.hasNewPixelBuffer(options),
  itemTime: (options) => pictures.itemTime(1, options),
  requestNotificationOfMediaDataChange: (options) =>
    pictures.requestNotificationOfMediaDataChange(0, options),
  'playerLooper.state': (options) => looper.state(options),
  disable: (options) => looper.disable(options),
  audioPlayer: (options) => engine.audioPlayer(clip(), options),
  devices: (options) => engine.devices(options),
  authorizationStatus: (options) => engine.authorizationStatus('video', options),
  observeDevices: (options) => engine.observeDevices(false, options),
  capture: (options) => engine.capture(options),
  audioRecorder: (options) => engine.audioRecorder(never(), options),
  'audioRecorder.prepareToRecord': (options) => recorder.prepareToRecord(options),
  'audioRecorder.record': (options) => recorder.record(options),
  'audioRecorder.pause': (options) => recorder.pause(options),
  'audioRecorder.stop': (options) => recorder.stop(options),
  'audioRecorder.untilFinished': (options) => recorder.untilFinished(options),
  'audioRecorder.state': (options) => recorder.state(options),
  'audioRecorder.meters': (options) => recorder.meters(options),
  'audioRecorder.advanceClock': (options) => recorder.advanceClock(1, options),
  deleteRecording: (options) => recorder.deleteRecording(options),
  'captureSession.start': (options) => capturing.start(options),
  'captureSession.stop': (options) => capturing.stop(options),
  'captureSession.untilStopped': (options) => capturing.untilStopped(options),
  configure: (options) => capturing.configure([], options),
  addOutput: (options) => capturing.addOutput('photo', options),
  advanceClock: (options) => capturing.advanceClock(1, options),
  'capture.record': (options) => capturing.record(never(), options),
  'capture.frames': (options) => collect(capturing.frames(options)),
  'capture.audio': (options) => collect(capturing.audio(options)),
  'capture.photo': (options) => capturing.photo(options),
  'captureOutput.next': (options) => captured.next(options),
  'captureOutput.samples': (options) => collect(captured.samples(options)),
  stopRecording: (options) => captured.stopRecording(options),
  pauseRecording: (options) => captured.pauseRecording(options),
  resumeRecording: (options) => captured.resumeRecording(options),
  recordingState: (options) => captured.recordingState(options),
  observeLevels: (options) => capturing.observeLevels(options),
  'levelObserver.levels': (options) => collect(heard.levels(options)),
  prepareToPlay: (options) => sound.prepareToPlay(options),
  'audioPlayer.play': (options) => sound.play(options),
  'audioPlayer.pause': (options) => sound.pause(options),
  stop: (options) => sound.stop(options),
  'audioPlayer.set': (options) => sound.set(options),
  'audioPlayer.state': (options) => sound.state(options),
  meters: (options) => sound.meters(options),
  'audioPlayer.advance': (options) => sound.advance(0, options),
  'audioPlayer.untilEnded': (options) => sound.untilEnded(options),
  'audioPlayer.finishAudioFile': (options) => sound.finishAudioFile(options),
  library: (options) => engine.library(folder(), { database: never(), ...options }),
  'library.addFolder': (options) => library.addFolder(folder(), options),
  'library.removeFolder': (options) => library.removeFolder(folder(), options),
  'library.scan': (options) => library.scan(options),
  'library.status': (options) => library.status(options),
  'library.duplicates': (options) => library.duplicates(options),
  'library.collections': (options) => library.collections('album', options),
  'library.changes': (options) => library.changes(0, options),
  'library.item': (options) => library.item('none', options),
  cancelScan: (options) => library.cancelScan(options),
  'query.fetch': (options) => library.items.fetch(options),
  'query.count': (options) => library.items.count(options),
  'query.countBy': (options) => library.items.countBy('name', options),
  'query.first': (options) => library.items.first(options),
  'query.toArray': (options) => library.items.toArray(options),
  'fetchResult.slice': (options) => result.slice(0, 1, options),
  'fetchResult.at': (options) => result.at(0, options),
  'fetchResult.indexOf': (options) => result.indexOf('none', options),
  'fetchResult.countBy': (options) => result.countBy('name', options),
  'item.values': (options) => item.values(options),
  'item.thumbnail': (options) => item.thumbnail(options),
};

test('every call is tried', () => {
  assert.deepEqual(Object.keys(CALLS).sort(), Object.keys(OPTIONS).sort());
});

test('no list by hand has the name of a generated one', () => {
  for (const [name, options] of Object.entries(CALL_OPTIONS)) {
    assert.equal(OPTIONS[name], options, name);
  }
});

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} refuses what it does not have`, async () => {
    for (const meant of OPTIONS[name]) {
      // With another case, with underscores, and with two letters the wrong way round.
      const snake = meant.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const swapped = meant[1] + meant[0] + meant.slice(2);
      for (const wrong of [meant.toUpperCase(), `${snake}_`, swapped]) {
        if (OPTIONS[name].includes(wrong)) continue;
        await assert.rejects(
          async () => call({ [wrong]: 1 }),
          (error) => {
            assert.equal(error.name, 'TypeError');
            assert.ok(error.message.startsWith(`${name} has no '${wrong}'`), error.message);
            const near = / did you mean (\w+)\?$/.exec(error.message)?.[1];
            assert.ok(near !== undefined || meant.length < 4, error.message);
            if (wrong !== swapped) assert.equal(near, meant);
            return true;
          },
        );
      }
    }
    await assert.rejects(async () => call({ somethingElseAltogether: 1 }), /; it has \w+/);
    // For these a text is one more key.
    if (name !== 'load' && name !== 'status') {
      await assert.rejects(async () => call('text'), TypeError);
    }
  });
}

test('what is undefined is not asked for', async () => {
  assert.ok(await asset.loadTracks({ mediatype: undefined, mediaType: 'audio' }));
});

test('a name in the wrong case exports nothing', async () => {
  const file = never();
  await assert.rejects(
    async () => asset.export(file, { preset: 'Passthrough', timerange: { start: 1, end: 2 } }),
    /export has no 'timerange'; did you mean timeRange\?/,
  );
  assert.ok(!fs.existsSync(file));
});

const source = new URL('../src/', import.meta.url);
const declarations = fs
  .readdirSync(source)
  .filter((name) => name.endsWith('.d.ts') && name !== 'protocol.d.ts')
  .map((name) => fs.readFileSync(new URL(name, source), 'utf8'))
  .join('\n');

/** The members of a declared interface, and of those that it extends. */
function members(name) {
  const declared = new RegExp(`^export interface ${name}( extends [^{]*)? ?\\{([^]*?)^\\}`, 'm');
  const [, bases = '', body] = declared.exec(declarations);
  const inherited = bases.replace(/ extends |Partial<|>/g, '').split(',');
  return [
    ...[...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member),
    ...inherited.map((base) => base.trim()).filter(Boolean).flatMap(members),
  ];
}

test('the options are those that are declared', () => {
  for (const [call, ...interfaces] of [
    ['launch', 'LaunchOptions'],
    ['loadMetadata', 'MetadataFilter'],
    ['imageGenerator', 'ImageGeneratorOptions'],
    ['imageGenerator.image', 'ImageOptions'],
    ['imageGenerator.contactSheet', 'SheetOptions'],
    ['image', 'ImageOptions', 'ImageGeneratorOptions'],
    ['contactSheet', 'SheetOptions', 'GeneratorOptions'],
    ['exportSession', 'ExportSessionOptions'],
    ['exportSession.export', 'ExportOptions', 'ExportPartOptions'],
    ['exportSession.exportPart', 'ExportPartOptions'],
    ['exportSession.join', 'ExportPartOptions'],
    ['export', 'ExportSessionOptions', 'ExportOptions', 'ExportPartOptions'],
    ['an output of a track', 'TrackOutput'],
    ['an output of an audio mix', 'MixOutput'],
    ['an output of a video composition', 'VideoCompositionOutput'],
    ['samples', 'SamplesOptions'],
    ['frames', 'FramesOptions'],
    ['waveform', 'WaveformOptions'],
    ['an input of a writer', 'WriterInputOptions'],
    ['the segments of a writer', 'SegmentOptions'],
    ['assetWriter', 'AssetWriterOptions'],
    ['writeVideo', 'WriteVideoOptions'],
    ['transfer', 'TransferOptions'],
    ['player', 'PlayerOptions', 'PlayerSettings'],
    ['audioPlayer', 'AudioPlayerOptions'],
    ['capture', 'CaptureOptions'],
    ['audioRecorder', 'AudioRecorderOptions'],
    ['audioRecorder.record', 'AudioRecordOptions'],
    ['capture.record', 'RecordingOptions'],
    ['capture.frames', 'CaptureFramesOptions'],
    ['capture.audio', 'CaptureAudioOptions'],
    ['capture.photo', 'PhotoOptions'],
    ['addOutput', 'CaptureOutputOptions'],
    ['observeLevels', 'ObserveLevelsOptions'],
    ['playerItem', 'PlayerItemOptions', 'PlayerItemSettings'],
    ['videoOutput', 'VideoOutputOptions', 'PlayedOptions'],
    ['player.frames', 'PlayedOptions'],
    ['library', 'LibraryOptions'],
    ['library.addFolder', 'AddFolderOptions'],
    ['library.scan', 'ScanOptions'],
    ['library.duplicates', 'DuplicatesOptions'],
    ['query.fetch', 'FetchOptions'],
    ['item.values', 'ItemValuesOptions'],
    ['item.thumbnail', 'ThumbnailOptions'],
  ]) {
    const declared = new Set(interfaces.flatMap(members));
    assert.deepEqual([...new Set(OPTIONS[call])].sort(), [...declared].sort(), call);
  }
});

test('a number as the maximum size is the longer side', async () => {
  const [{ width, height }] = probe(clip(), '-select_streams', 'v', '-show_streams').streams;
  const image = await asset.image(1, { maximumSize: 160 });
  assert.equal(Math.max(image.width, image.height), 160);
  assert.ok(Math.abs(image.width / image.height - width / height) < 0.02);
  for (const wrong of ['160', null]) {
    await assert.rejects(asset.image(1, { maximumSize: wrong }), /maximumSize takes an object/);
  }
});

test('bytes are no new file', async () => {
  for (const file of [Buffer.from('ftyp'), new Uint8Array(3), undefined, null, 5, {}]) {
    const message = /a file is a path or a file: URL, not .*/s;
    await assert.rejects(async () => asset.export(file, { preset: 'Passthrough' }), message);
    if (file !== undefined) await assert.rejects(asset.image(1, { path: file }), message);
  }
});

test('bytes are artwork, and numbers are one item', async () => {
  const picture = fs.readFileSync(cover());
  for (const bytes of [picture, Uint8Array.from(picture), Uint8Array.from(picture).buffer]) {
    const file = never();
    const metadata = { title: 'T', artwork: bytes, count: 5, large: 2 ** 40 };
    await asset.export(file, { preset: 'Passthrough', metadata });
    const made = await engine.open(file);
    const items = await made.loadMetadata();
    assert.deepEqual(
      items.filter(({ keySpace }) => keySpace === 'mdta').map(({ key, value }) => [key, value]),
      [
        ['count', 5],
        ['large', 2 ** 40],
      ],
    );
    const artwork = await made.artwork();
    assert.equal(artwork.mimeType, 'image/png');
    assert.ok(artwork.data.equals(picture));
    assert.equal(probe(file, '-show_format').format.tags.count, '5');
    const again = never();
    await made.export(again, { preset: 'Passthrough', metadata: { artwork } });
    const copy = await engine.open(again);
    assert.ok((await copy.artwork()).data.equals(picture));
    await copy.close();
    await made.close();
  }
  for (const [metadata, message] of [
    [{ artwork: 'cover.jpg' }, /artwork is the bytes of a picture/],
    [{ title: { text: 'T' } }, /the metadata title is text, a number/],
    ['title=T', /metadata is an object of values/],
    [picture, /metadata is an object of values/],
  ]) {
    await assert.rejects(asset.exportSession(never(), { metadata }), message);
  }
});
