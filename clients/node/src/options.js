// The options of every call by name: one that is misspelled is an error, and not ignored.

import { inspect } from 'node:util';

import { CALL_OPTIONS } from './call-options.js';

const SIGNAL = ['signal'];
const BYTES = ['delivery', 'path'];
const RANGE = ['timeRange'];

export const GENERATOR = [
  ...['tolerance', 'requestedTimeToleranceBefore', 'requestedTimeToleranceAfter', 'maximumSize'],
  ...['appliesPreferredTrackTransform', 'apertureMode', 'dynamicRangePolicy'],
  ...['deinterlacing', 'videoComposition', ...SIGNAL],
];
/** The size of images; `maximumSize` is the same. */
export const SIZE = ['width', 'height'];
export const IMAGE = ['format', 'quality', ...BYTES, ...SIGNAL];
export const IMAGES = [...IMAGE, 'ordered'];
export const SHEET = CALL_OPTIONS['imageGenerator.contactSheet'];
export const SESSION = [
  ...['preset', 'settings', 'outputFileType', 'metadata', 'metadataChanges', 'chapters'],
  ...['fileLengthLimit', 'shouldOptimizeForNetworkUse', 'trimMode', 'directoryForTemporaryFiles'],
  ...['audioMix', 'videoComposition', 'audioTimePitchAlgorithm', 'audioTracks', 'joins'],
  ...['subtitles', 'tracks', 'chaptersFrom', 'loudness', 'replacesSource', ...RANGE, ...SIGNAL],
];
const PART = ['onProgress', 'progressInterval', ...SIGNAL];
export const EXPORT = ['resume', ...PART];
/** Those of a writer that are not its inputs. */
export const WRITER = [
  ...['outputFileType', 'sessionStart', 'metadata', 'chapters', 'shouldOptimizeForNetworkUse'],
  ...['movieTimeScale', 'movieFragmentInterval', 'directoryForTemporaryFiles', 'timeoutMs'],
  ...SIGNAL,
];
const SETTINGS = [
  ...['sampleFormat', 'sampleRate', 'channels', 'interleaved', 'audioTimePitchAlgorithm'],
];
const PICTURES = ['pixelFormat', 'width', 'height', 'format', 'quality', 'supportsRandomAccess'];
const TRACK_OUTPUT = ['track', 'textFormat', ...PICTURES, ...SETTINGS];
const ENTRY = [
  ...['identifier', 'key', 'keySpace', 'commonKey', 'extendedLanguageTag', 'locale', 'dataType'],
  ...['value', 'extraAttributes', 'time', 'duration', 'size', 'mimeType', 'tagName'],
];

/** Those of a player. */
const PLAYER = [
  ...['clock', 'audioDevice', 'audioFile', 'audioFormat', 'actionAtItemEnd', 'volume', 'isMuted'],
  ...['automaticallyWaitsToMinimizeStalling', 'defaultRate', ...SIGNAL],
];
/** Those of an audio player. */
const AUDIO_PLAYER = [
  ...['clock', 'audioDevice', 'audioFile', 'numberOfLoops', 'pan', 'volume', 'enableRate', 'rate'],
  ...['isMeteringEnabled', 'meterInterval', ...SIGNAL],
];
const BUFFER = 'preferredForwardBufferDuration';
const ITEM = [
  ...['enabledTrackIDs', 'videoComposition', 'audioMix', 'audioTimePitchAlgorithm', 'initialTime'],
  ...['forwardPlaybackEndTime', 'reversePlaybackEndTime', BUFFER, ...SIGNAL],
];
const PLAYED = ['pixelFormat', 'width', 'height', 'maxOutstanding', ...SIGNAL];

/** The options of each call. */
export const OPTIONS = {
  ...CALL_OPTIONS,
  launch: ['binary', 'args', 'allowCapture', 'env', 'onLog', ...SIGNAL],
  open: ['preferPreciseDurationAndTiming', 'salvage', 'characterSet', 'timeOffset', ...SIGNAL],
  clip: ['speed'],
  composition: ['naturalSize', 'timeline', ...SIGNAL],
  assemble: SIGNAL,
  expandSequence: SIGNAL,
  importComposition: ['relativeTo', ...SIGNAL],
  join: [...SESSION, ...EXPORT],
  assetWriter: ['inputs', 'segments', 'groups', 'associations', ...WRITER],
  writeVideo: [
    ...['size', 'pixelFormat', 'frameRate', 'settings', 'onProgress', 'count', ...WRITER],
  ],
  'an input of a writer': [
    ...['mediaType', 'size', 'pixelFormat', 'frameRate', 'sampleRate', 'channels', 'sampleFormat'],
    ...['settings', 'source', 'mediaTimeScale', 'transform', 'extendedLanguageTag'],
    ...['marksOutputTrackAsEnabled', 'expectsMediaDataInRealTime'],
  ],
  'the segments of a writer': ['interval', 'start', 'profile', 'onSegment'],
  append: ['time', 'duration'],
  extend: ['times'],
  writable: ['objectMode'],
  finish: SIGNAL,
  transfer: ['timeOffset', 'marksAsFinished', 'onProgress', 'progressInterval', ...SIGNAL],
  'a layer': ['fit'],
  'an instruction': ['background', 'compositor'],
  'a video composition': [
    ...['size', 'frameDuration', 'instructions', 'frameTiming', 'renderScale', 'colors'],
    ...['compositorPixelFormat', 'compositorTimeoutMs', 'subtitles', 'textLayers'],
  ],
  insert: SIGNAL,
  'a segment': ['target', 'source', 'asset', 'track', 'path', 'playback'],
  request: SIGNAL,
  load: SIGNAL,
  status: SIGNAL,
  loadTracks: ['mediaType', 'mediaCharacteristic', 'selection', ...SIGNAL],
  loadTrack: SIGNAL,
  artwork: [...BYTES, ...SIGNAL],
  chapters: ['titleLocale', 'preferredLanguages', 'artwork', ...BYTES, ...SIGNAL],
  imageGenerator: [...SIZE, ...GENERATOR],
  image: [...IMAGE, ...SIZE, ...GENERATOR],
  images: [...IMAGES, ...SIZE, ...GENERATOR],
  contactSheet: [...SHEET, ...GENERATOR],
  'imageGenerator.images': IMAGES,
  maximumSize: SIZE,
  exportSession: SESSION,
  export: [...SESSION, ...EXPORT],
  exportStream: [...SESSION.filter((name) => name !== 'replacesSource'), ...PART, 'highWaterMark'],
  'exportSession.export': EXPORT,
  'an item of metadata': ENTRY,
  metadataChanges: ['set', 'remove'],
  'a chapter': ['title', 'start', 'timeRange'],
  reader: [...RANGE, ...SIGNAL],
  'an output of a track': TRACK_OUTPUT,
  'an output of an audio mix': ['audioMix', 'mix', ...SETTINGS],
  'an output of a video composition': ['videoComposition', 'tracks', ...PICTURES],
  frames: [...TRACK_OUTPUT, 'videoComposition', 'tracks', ...RANGE, 'keep', ...SIGNAL],
  next: ['maxCount', 'maxBytes', 'timeoutMs', ...BYTES, ...SIGNAL],
  samples: ['batch', 'maxBytes', 'timeoutMs', 'keep', ...BYTES, ...SIGNAL],
  audio: ['track', 'sampleRate', 'channels', ...RANGE, ...SIGNAL],
  'frames by number': ['samples'],
  'sampleCursor.samples': ['order', 'batch', ...SIGNAL],
  'a time range': ['start', 'duration', 'end'],
  player: PLAYER,
  audioPlayer: AUDIO_PLAYER,
  'audioPlayer.untilEnded': SIGNAL,
  'audioPlayer.advance': ['to', ...SIGNAL],
  audioRecorder: ['device', 'settings', 'clock', 'deviceSettings', ...SIGNAL],
  'audioRecorder.record': ['atHostTime', 'forDuration', ...SIGNAL],
  'audioRecorder.stop': SIGNAL,
  'audioRecorder.untilFinished': SIGNAL,
  capture: [
    ...['camera', 'microphone', 'screen', 'synthetic', 'preset', 'clock', 'start', ...SIGNAL],
  ],
  'captureSession.start': SIGNAL,
  'captureSession.stop': SIGNAL,
  'captureSession.untilStopped': SIGNAL,
  configure: ['dryRun', ...SIGNAL],
  addOutput: [
    ...['settings', 'mode', 'maxOutstanding', 'alwaysDiscardsLateVideoFrames', ...SIGNAL],
  ],
  'capture.record': [
    ...['fileType', 'video', 'audio', 'metadata', 'maxRecordedDuration', 'maxRecordedFileSize'],
    ...['minFreeDiskSpaceLimit', 'movieFragmentInterval', ...SIGNAL],
  ],
  'capture.frames': ['width', 'height', 'pixelFormat', 'maxFrameRate', ...SIGNAL],
  'capture.audio': ['sampleRate', 'channels', 'sampleFormat', ...SIGNAL],
  'capture.photo': ['format', 'quality', 'width', 'delivery', ...SIGNAL],
  'captureOutput.next': ['maxCount', 'timeoutMs', ...SIGNAL],
  'captureOutput.samples': SIGNAL,
  observeLevels: ['interval', ...SIGNAL],
  'levelObserver.levels': SIGNAL,
  playerItem: ITEM,
  'player.set': [
    ...['volume', 'isMuted', 'audioDevice', 'actionAtItemEnd'],
    ...['automaticallyWaitsToMinimizeStalling', 'defaultRate', ...SIGNAL],
  ],
  'playerItem.set': ITEM.filter((name) => !['initialTime', BUFFER].includes(name)),
  firings: SIGNAL,
  untilEnded: SIGNAL,
  seek: ['exact', 'toleranceBefore', 'toleranceAfter', 'whileScrubbing', ...SIGNAL],
  preroll: SIGNAL,
  advance: ['to', ...SIGNAL],
  items: SIGNAL,
  'player.insert': ['after', 'dryRun', ...SIGNAL],
  replaceCurrentItem: SIGNAL,
  advanceToNextItem: SIGNAL,
  loop: ['item', 'existingItemsOrdering', ...SIGNAL],
  observe: SIGNAL,
  at: SIGNAL,
  videoOutput: [...PLAYED, 'quality', 'delivery', 'mode', 'apertureMode', 'dynamicRangePolicy'],
  'videoOutput.copy': ['itemTime', 'hostTime', 'onlyIfNew', 'timeoutMs', ...SIGNAL],
  'player.frames': PLAYED,
  frame: ['pixelFormat', 'timeoutMs', ...SIGNAL],
  library: ['database', 'watch', 'excluded', 'followsSymbolicLinks', ...SIGNAL],
  'library.item': SIGNAL,
  'query.fetch': ['observe', ...SIGNAL],
  'query.count': SIGNAL,
  'query.countBy': SIGNAL,
  'query.first': SIGNAL,
  'query.toArray': SIGNAL,
  'fetchResult.slice': SIGNAL,
  'fetchResult.at': SIGNAL,
  'fetchResult.indexOf': SIGNAL,
  'fetchResult.countBy': SIGNAL,
  'item.values': ['keys', ...SIGNAL],
  'item.thumbnail': ['width', ...BYTES, ...SIGNAL],
};

/** The options of a call; a `TypeError` for one that it doesn't have. */
export function checked(call, options = {}) {
  const known = OPTIONS[call];
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`${call} takes an object of ${known.join(', ')}; not ${inspect(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const near = nearest(name, known);
    const advice = near ? `did you mean ${near}?` : `it has ${known.join(', ')}`;
    throw new TypeError(`${call} has no '${name}'; ${advice}`);
  }
  return options;
}

/** Those of some options that another call takes. */
export function pick(options, names) {
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
}

/** The known name that was meant, if one is near. */
function nearest(name, known) {
  const plain = (text) => text.replace(/[_-]/g, '').toLowerCase();
  const distances = known.map((each) => [distance(plain(name), plain(each)), each]);
  const [best, found] = distances.reduce((a, b) => (b[0] < a[0] ? b : a));
  return best <= Math.max(1, Math.floor(found.length / 3)) ? found : undefined;
}

/** The number of letters to insert, remove, change or swap (Damerau and Levenshtein). */
function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const change = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, change);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i].push(least);
    }
  }
  return rows[a.length][b.length];
}
